"""What can be read of a citation: its key, its span, its words, its place and its pins.

A view only: the sealed types are made by the gate (`VerifiedCitation`) and by release (`ReleasedCitation`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final, NamedTuple, final
from unicodedata import normalize

from verified_gate.model.passage import Admission, Coverage, Location, Passage
from verified_gate.text.layout import for_numbers, without
from verified_gate.text.sentences import sentence_around

LEFT_OUT: Final = "[…]"
_BREAK: Final = re.compile(r"\r\n|[\n\r]")
CELL: Final = re.compile("\t")
CELL_IN_LINES: Final = re.compile(r"(?<!\\)\|")
"""What stands between the cells of a row: as readers of files write it, and in Markdown."""
_BORDERS: Final = re.compile(r"[\t|]"), re.compile(r"[\t\n|]")
"""A line end may stand between two rows, and within a cell."""


@final
class Found(NamedTuple):
    """Where a quote stands: [start, end) in `text`, which begins at `base` of the document (None: not known).

    `text` is the cited passage's text, or under scope="document" the text of its whole document. `furniture` and `hidden`
    are what of `text` is marked as such.
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
    furniture: Iterable[tuple[int, int]] = ()
    hidden: Iterable[tuple[int, int]] = ()


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
        """The quote for people: white space collapsed, page furniture left out with a visible mark, unless it is all of it."""
        found = self.found
        shown = self._shown(found.start, found.end, found.furniture)
        return self.location.on_one_line(self.quote) if all(word == LEFT_OUT for word in shown.split()) else shown

    @property
    def sentence(self) -> str:
        """The sentence (or sentences) that the quote stands in, of a table no more than its rows, white space collapsed,
        with a visible mark for page furniture and for what a reader of the file does not see.
        """
        found = self.found
        start, end = sentence_around(found.text, found.start, found.end)
        for at, behind in self._rows():
            start = max(start, at) if at <= found.start else start
            end = min(end, behind) if behind >= found.end else end
        return self._shown(start, end, [*found.furniture, *found.hidden])

    def _rows(self) -> Iterator[tuple[int, int]]:
        """The rows of tables in the cited passage, as spans of the text that was searched."""
        passage, shift = self.found.passage, self._shift
        places = [(0, passage.location), *passage.turns, (len(passage.text), passage.location)]
        for row, turns in groupby(pairwise(places), key=lambda turn: turn[0][1].row):  # cells may be turns of one row
            if row is not None:
                spans = [(at, behind) for (at, _), (behind, _) in turns]
                yield spans[0][0] + shift, spans[-1][1] + shift

    @property
    def _shift(self) -> int:
        """Where the passage begins in the text that was searched."""
        found = self.found
        return 0 if found.text is found.passage.text else (found.passage.start or 0) - (found.base or 0)

    def _shown(self, start: int, end: int, left_out: Iterable[tuple[int, int]]) -> str:
        return self.location.on_one_line(without(self.found.text, start, end, left_out, f" {LEFT_OUT} "))

    @property
    def proofs(self) -> Iterator[str]:
        """What the numbers of a claim may stand in: the quote without page furniture and marks of notes, the title, headings,
        what heads the row, and the names of the columns that the quote lies in; line by line, since no number goes on
        behind a line end or in another cell. A title that is but the name of the document proves nothing.
        """
        found, place = self.found, self.location
        read = without(found.text, found.start, found.end, found.furniture, "\n")
        yield for_numbers(read if read.strip() else self.quote)
        named = _bare(self.title) in _bare(self.document_id)
        above = (*place.heading, *place.row_heading, *place.columns)
        yield from map(for_numbers, (*(() if named else (self.title,)), *above))

    @property
    def location(self) -> Location:
        """The place of the quote: that of the passage where the quote begins, with the 1-based lines and pages it spans."""
        found = self.found
        shift = self._shift
        place = place_of(found.passage, found.start - shift, found.end - shift)
        if found.passage.location.first_line is None:
            return place
        before = len(_BREAK.findall(found.text, min(shift, found.start), max(shift, found.start)))
        first = found.passage.location.first_line + (before if found.start >= shift else -before)
        last = first + len(_BREAK.findall(found.text, found.start, found.end))
        return replace(place, first_line=first, last_line=last)

    @property
    def admission(self) -> Admission:
        """`summary`: these are a curator's words about the document, and no quotation of its publisher."""
        return self.found.passage.admission

    @property
    def coverage(self) -> Coverage:
        """How much of the document could be read: one that is `partial` may say more than its text does."""
        return self.found.passage.coverage

    @property
    def label(self) -> str:
        """For people: `Returns policy (Returning a bike, lines 11-12) [returns@3#c0]`."""
        place = self.location
        parts = [heading for heading in place.heading[-1:] if heading != self.title]
        parts += words_of(place)
        parts += kind_of(self.admission, self.coverage)
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
            "page": place.page,
            "last_page": place.last_page,
            "page_label": place.page_label,
            "last_page_label": place.last_page_label,
            "element": place.element,
            "chapter": place.chapter,
            "row": place.row,
            "last_row": place.last_row,
            "row_heading": list(place.row_heading),
            "columns": list(place.columns),
            "admission": self.admission,
            "coverage": self.coverage,
            "label": self.label,
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label!r} {self.offsets} {self.start}-{self.end}>"


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKC", name))).casefold()


def quotes_wording(citations: Iterable[CitationView]) -> str:
    """The sources' own words in the place of a claim's wording."""
    return " ".join(f"“{citation.display}”" for citation in citations)


def place_of(passage: Passage, start: int, end: int) -> Location:
    """The place of [start, end) of a passage's text, without the lines: that of the last turn at or before `start`, with
    the page and the row that `end` stands in, and the names of the cells that it lies in. What begins before the passage
    has its first place.
    """
    first = last = passage.location
    columns: list[str] = []
    borders = [(0, passage.location), *passage.turns, (len(passage.text), passage.location)]
    for (offset, place), (behind, _) in pairwise(borders):
        first = place if offset <= start else first
        last = place if offset < end else last
        if place.columns and offset < end and behind > start:
            names = _names(passage.text, place, offset, max(offset, start), min(behind, end))
            columns += dict.fromkeys(name for name in names if name not in columns) if columns else names
    return replace(
        first,
        last_page=last.page if first.page is not None else first.last_page,
        last_page_label=last.page_label if first.page is not None else first.last_page_label,
        last_row=last.row if first.row is not None else None,
        columns=tuple(name for name in columns if name and not _is_of_others(name, columns)),
    )


def _is_of_others(name: str, columns: Sequence[str]) -> bool:
    """Whether it is the name of a cell over several columns, all of which are named beside it."""
    return ", " in name and all(each in columns for each in name.split(", "))


def _names(text: str, place: Location, offset: int, start: int, end: int) -> Sequence[str]:
    """The names of the cells of a row that [start, end) lies in. `offset` is where the names begin."""
    border = CELL_IN_LINES if place.first_line is not None else CELL
    words = text[start:end].rstrip(" \t\r\n|")  # a border at the end is none of the next cell
    end = start + len(words)
    start = end - len(words.lstrip(" \t\r\n|"))
    before = len(border.findall(text, offset, start))
    inside = len(border.findall(text, start, end))
    last = len(place.columns) - 1
    return place.columns[min(before, last) : min(before + inside, last) + 1]


def context_of(place: Location, shown: str) -> str:
    """What heads the cells of a place, for people: `2023 · Rent · Fee | Deposit`. What is a cell of the text `shown` beside
    it is not told twice.
    """
    named = not place.columns or cells_of(shown).issuperset(place.columns)
    return " · ".join([*heads_of_rows(place, shown), *(() if named else (" | ".join(place.columns),))])


def heads_of_rows(place: Location, shown: str) -> list[str]:
    """What heads the row of a place and is no cell of the text `shown`."""
    cells = cells_of(shown) if place.row_heading else frozenset()
    return [name for name in place.row_heading if name not in cells]


def cells_of(text: str) -> frozenset[str]:
    """The words of the cells of rows, and of other lines."""
    return frozenset(" ".join(cell.split()) for border in _BORDERS for cell in border.split(text))


def kind_of(admission: Admission, coverage: Coverage) -> list[str]:
    """What is to be said of a text wherever it is shown, for people; nothing of a document's own, whole text."""
    parts = {"summary": ["summary by a curator"], "metadata_only": ["its title only"]}.get(admission, [])
    return [*parts, *(["not all of the document could be read"] if coverage != "complete" else [])]


def words_of(place: Location) -> list[str]:
    """A place without its headings, for people: `page 12 (labelled 10)`, `rows 3-5`; `lines 3-4` where there are no pages."""
    row = "" if place.row is None else f"row {place.row}"
    row = row if place.last_row in (None, place.row) else f"rows {place.row}-{place.last_row}"
    return [*filter(None, [_pages(place), _lines(place) if place.page is None else "", row])]


def _pages(place: Location) -> str:
    """`page 12 (labelled 10)`, `pages 12-13`."""
    if place.page is None:
        return ""
    one = place.last_page in (None, place.page)
    named = f"page {place.page}" if one else f"pages {place.page}-{place.last_page}"
    label = place.page_label if one else f"{place.page_label}-{place.last_page_label}"
    plain = str(place.page) if one else f"{place.page}-{place.last_page}"
    return f"{named} (labelled {label})" if label.strip("-") and label != plain else named


def _lines(place: Location) -> str:
    if place.first_line is None:
        return ""
    one = place.first_line == place.last_line
    return f"line {place.first_line}" if one else f"lines {place.first_line}-{place.last_line}"
