"""What can be read of a citation: its key, its span, its words, its place and its pins.

A view only: the sealed types are made by the gate (`VerifiedCitation`) and by release (`ReleasedCitation`).
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, final

from verified_gate.model.passage import Location, Passage
from verified_gate.text.sentences import sentence_around

LEFT_OUT: Final = "[…]"
_BREAK: Final = re.compile(r"\r\n|[\n\r]")


@final
class Found(NamedTuple):
    """Where a quote stands: [start, end) in `text`, which begins at `base` of the document (None: not known).

    `text` is the cited passage's text, or under scope="document" the text of its whole document.
    """

    passage: Passage
    text: str
    base: int | None
    start: int
    end: int
    folds: tuple[str, ...]
    occurrences: int
    keys: tuple[str, ...]
    sha256: str


class CitationView:
    """What can be read of a citation, verified or released."""

    __slots__ = ()
    found: Found

    @property
    def key(self) -> str:
        """The key that was cited."""
        return self.found.passage.key

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all delivered passages that the quote stands in or touches, the cited one first."""
        return self.found.keys

    @property
    def document_id(self) -> str:
        """The document's id."""
        return self.found.passage.document_id

    @property
    def title(self) -> str:
        """The document's title."""
        return self.found.passage.title

    @property
    def version(self) -> str:
        """The document's version."""
        return self.found.passage.version

    @property
    def quote(self) -> str:
        """The source's own characters: `document.text[start:end]`."""
        return self.found.text[self.found.start : self.found.end]

    @property
    def start(self) -> int:
        """First code point of the quote, 0-based, in what `offsets` names."""
        return self.found.start + (self.found.base or 0)

    @property
    def end(self) -> int:
        """One past the last code point of the quote."""
        return self.found.end + (self.found.base or 0)

    @property
    def offsets(self) -> str:
        """What `start` and `end` count in: "document", or "passage" where the place in the document is not known."""
        return "passage" if self.found.base is None else "document"

    @property
    def folds(self) -> tuple[str, ...]:
        """Names of the folds that the match needed; empty for an exact hit."""
        return self.found.folds

    @property
    def occurrences(self) -> int:
        """How often the quote stands in the text that was searched: exact places where there are any, at most 256."""
        return self.found.occurrences

    @property
    def passage_sha256(self) -> str:
        """SHA-256 of the cited passage's text, as the gate hashed it."""
        return self.found.sha256

    sha256 = passage_sha256

    @property
    def text_sha256(self) -> str | None:
        """SHA-256 of the document's stored text, where known."""
        return self.found.passage.text_sha256

    @property
    def file_sha256(self) -> str | None:
        """SHA-256 of the bytes of the document's file, where known."""
        return self.found.passage.file_sha256

    @property
    def display(self) -> str:
        """The quote for people: white space collapsed, page furniture left out with a visible mark."""
        found = self.found
        text, shift = found.text[found.start : found.end], found.start
        if found.text is found.passage.text:
            for start, end in sorted(found.passage.furniture, reverse=True):
                if found.start <= start and end <= found.end:
                    text = f"{text[: start - shift]} {LEFT_OUT} {text[end - shift :]}"
        return " ".join(text.split())

    @property
    def sentence(self) -> str:
        """The sentence (or sentences) that the quote stands in, white space collapsed."""
        found = self.found
        start, end = sentence_around(found.text, found.start, found.end)
        return " ".join(found.text[start:end].split())

    @property
    def location(self) -> Location:
        """Heading path and paragraph of the passage, and the 1-based lines of the quote in the file."""
        found, place = self.found, self.found.passage.location
        if place.first_line is None:
            return place
        own = found.text is found.passage.text
        anchor = 0 if own else (found.passage.start or 0) - (found.base or 0)  # where `first_line` begins
        before = len(_BREAK.findall(found.text, min(anchor, found.start), max(anchor, found.start)))
        first = place.first_line + (before if found.start >= anchor else -before)
        return Location(
            place.heading, place.paragraph, first, first + len(_BREAK.findall(found.text, found.start, found.end))
        )

    @property
    def label(self) -> str:
        """For people: `Returns policy (Returning a bike, lines 11-12) [returns@3#c0]`."""
        place = self.location
        parts = [heading for heading in place.heading[-1:] if heading != self.title]
        if place.first_line is not None:
            one = place.first_line == place.last_line
            parts.append(f"line {place.first_line}" if one else f"lines {place.first_line}-{place.last_line}")
        named = " ".join(filter(None, [self.title or self.document_id, f"({', '.join(parts)})" if parts else ""]))
        return f"{' '.join(named.split())} [{self.key}]".strip()

    def to_dict(self) -> dict[str, object]:
        """JSON-ready; `CorpusStore.resolve` takes it back as a claim to be checked, never as verified."""
        place = self.location
        return {
            "key": self.key,
            "keys": list(self.keys),
            "document_id": self.document_id,
            "title": self.title,
            "version": self.version,
            "start": self.start,
            "end": self.end,
            "offsets": self.offsets,
            "quote": self.quote,
            "display": self.display,
            "sentence": self.sentence,
            "folds": list(self.folds),
            "occurrences": self.occurrences,
            "passage_sha256": self.passage_sha256,
            "text_sha256": self.text_sha256,
            "file_sha256": self.file_sha256,
            "heading": list(place.heading),
            "paragraph": place.paragraph,
            "first_line": place.first_line,
            "last_line": place.last_line,
            "label": self.label,
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label!r} {self.offsets} {self.start}-{self.end}>"


def quotes_wording(citations: Iterable[CitationView]) -> str:
    """The sources' own words in the place of a claim's wording."""
    return " ".join(f"“{citation.display}”" for citation in citations)
