"""Passages: the pieces of documents that evidence is made of, with their place and their pins."""

import hashlib
from dataclasses import dataclass
from typing import Final, NewType

Sha256 = NewType("Sha256", str)
"""64 lower-case hexadecimal digits."""


def sha256_of_text(text: str) -> Sha256:
    """SHA-256 over the UTF-8 form of `text`. Total: a lone surrogate hashes as its three-byte form."""
    return Sha256(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


_MOST: Final = 2**53
"""Offsets and lines stay below this, so that every reader of the JSON can hold them."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a passage stands in its file.

    `heading` is the path of headings above it, outermost first; `paragraph` counts the parts of the document
    between blank lines, from 1; `first_line` and `last_line` are 1-based lines of the file. None is "not known".
    """

    heading: tuple[str, ...] = ()
    paragraph: int | None = None
    first_line: int | None = None
    last_line: int | None = None

    def __post_init__(self) -> None:
        for name in ("paragraph", "first_line", "last_line"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or not 0 < value < _MOST):
                raise ValueError(f"Location.{name} must be a number from 1 on, or None")
        heading: object = self.heading
        if isinstance(heading, list):
            object.__setattr__(self, "heading", tuple(heading))
        if not isinstance(heading, tuple | list) or not all(isinstance(part, str) for part in heading):
            raise TypeError("Location.heading must be strings, outermost first")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: `text == document.text[start:start + len(text)]`, in Unicode code points.

    Only `key` and `text` are needed. `start` is None where the place in the document is not known: offsets are
    then counted in the passage. `sha256` is the pin of `text`; a passage whose text does not have it is
    refused as `integrity_failure`. Without a pin nothing is pinned. `furniture` marks running headers, footers and
    page numbers as spans (start, end) in `text`.
    """

    key: str
    text: str
    document_id: str = ""
    title: str = ""
    version: str = ""
    start: int | None = None
    sha256: str | None = None
    text_sha256: str | None = None
    file_sha256: str | None = None
    lang: str = ""
    location: Location = Location()
    furniture: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for name in ("key", "text", "document_id", "title", "version", "lang"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"Passage.{name} must be a string")
        for name in ("sha256", "text_sha256", "file_sha256"):
            if not isinstance(getattr(self, name), str | None):
                raise TypeError(f"Passage.{name} must be a string or None")
        if not isinstance(self.location, Location):
            raise TypeError("Passage.location must be a Location")
        for span in self.furniture:
            start, end = span
            if type(start) is not int or type(end) is not int or not 0 <= start <= end <= len(self.text):
                raise ValueError("Passage.furniture must hold spans (start, end) of the text")
        if self.start is not None and (type(self.start) is not int or not 0 <= self.start < _MOST):
            raise ValueError("Passage.start must be a code point offset of 0 or more, or None")

    def __repr__(self) -> str:
        return f"<Passage {self.key!r} ({len(self.text)} code points)>"
