"""Passages: the pieces of documents that evidence is made of, with their place and their pins."""

import hashlib
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, Literal, NewType, get_args

from verified_gate.text.layout import on_one_line

Sha256 = NewType("Sha256", str)
"""64 lower-case hexadecimal digits."""


def sha256_of_text(text: str) -> Sha256:
    """SHA-256 over the UTF-8 form of `text`. Total: a lone surrogate hashes as its three-byte form."""
    return Sha256(hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())


Admission = Literal["full_text", "summary", "metadata_only"]
"""What may be kept of a document: its text; a curator's summary, which is never a quotation of the publisher; or only
what describes it, which is found and never quoted.
"""

Coverage = Literal["complete", "partial", "none"]
"""How much of a document, or of a page, could be read."""

_MOST: Final = 2**53
"""Offsets and lines stay below this, so that every reader of the JSON can hold them."""

# What is checked of every value that is made, taken out in one step each: a search makes ten, an ingest a million.
_ADMISSIONS, _COVERAGES = get_args(Admission), get_args(Coverage)
_PLACE_NUMBERS: Final = ("paragraph", "first_line", "last_line", "page", "last_page", "row", "last_row")
_PLACE_PATHS: Final = ("heading", "row_heading", "columns")
_PLACE_NAMES: Final = ("page_label", "last_page_label", "element", "chapter")
_NAMES: Final = ("key", "text", "document_id", "title", "version", "lang")
_HASHES: Final = ("sha256", "text_sha256", "file_sha256")
_place_numbers, _place_names = attrgetter(*_PLACE_NUMBERS), attrgetter(*_PLACE_NAMES)
_names, _hashes = attrgetter(*_NAMES), attrgetter(*_HASHES)


@dataclass(frozen=True, slots=True)
class Location:
    """Where a passage stands in its file.

    `heading` is the path of headings above it, outermost first; `paragraph` counts the parts of the document
    between blank lines, from 1; `first_line` and `last_line` are 1-based lines of the file; `page` and `last_page` are
    1-based physical pages, `page_label` and `last_page_label` what the document itself calls them (`iv`, `A-3`);
    `element` is the id of the nearest element of a web page at or before it; `chapter` the part of a book's container
    that holds it; `row` and `last_row` (1-based), `row_heading` and `columns` its place in a table: what heads the row,
    outermost first, be it merged over it from above or its own first cell; and a name for each cell from this place on as
    far as the next, of a citation for those that its quote lies in, without those that have none. None and empty are "not known".
    """

    heading: tuple[str, ...] = ()
    paragraph: int | None = None
    first_line: int | None = None
    last_line: int | None = None
    page: int | None = None
    last_page: int | None = None
    page_label: str = ""
    last_page_label: str = ""
    element: str = ""
    chapter: str = ""
    row: int | None = None
    last_row: int | None = None
    row_heading: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def on_one_line(self, text: str) -> str:
        """Words of this place for people: tabs stand between cells or columns where readers of tables and pages write them,
        line ends between the rows of a table.
        """
        rows = self.row is not None
        return on_one_line(text, cells=rows or self.page is not None, rows=rows)

    def __post_init__(self) -> None:
        for name, value in zip(_PLACE_NUMBERS, _place_numbers(self), strict=True):
            if value is not None and (type(value) is not int or not 0 < value < _MOST):
                raise ValueError(f"Location.{name} must be a number from 1 on, or None")
        for name in _PLACE_PATHS:
            parts: object = getattr(self, name)
            if isinstance(parts, list):
                parts = tuple(parts)
                object.__setattr__(self, name, parts)
            if not isinstance(parts, tuple) or (parts and not all(isinstance(part, str) for part in parts)):
                raise TypeError(f"Location.{name} must be strings, outermost first")
        for name, value in zip(_PLACE_NAMES, _place_names(self), strict=True):
            if not isinstance(value, str):
                raise TypeError(f"Location.{name} must be a string")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: `text == document.text[start:start + len(text)]`, in Unicode code points.

    Only `key` and `text` are needed. `start` is None where the place in the document is not known: offsets are
    then counted in the passage. `sha256` is the pin of `text`; a passage whose text does not have it is
    refused as `integrity_failure`. Without a pin nothing is pinned. `furniture` marks running headers, footers and
    page numbers as spans (start, end) in `text`; `hidden` what a reader of the file does not see there: a quote that
    touches it is `not_visible`. `location` is the place where the passage begins; `turns` says at which offset of
    `text` another place begins (a new page, element or row), in order. `coverage` is that of the whole document.
    A passage that is `local_only` never enters a request to a remote model.
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
    hidden: tuple[tuple[int, int], ...] = ()
    turns: tuple[tuple[int, Location], ...] = ()
    admission: Admission = "full_text"
    coverage: Coverage = "complete"
    local_only: bool = False

    def __post_init__(self) -> None:
        for name, value in zip(_NAMES, _names(self), strict=True):
            if not isinstance(value, str):
                raise TypeError(f"Passage.{name} must be a string")
        for name, value in zip(_HASHES, _hashes(self), strict=True):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"Passage.{name} must be a string or None")
        if not isinstance(self.location, Location):
            raise TypeError("Passage.location must be a Location")
        for name in ("furniture", "hidden"):
            for start, end in getattr(self, name):
                if type(start) is not int or type(end) is not int or not 0 <= start <= end <= len(self.text):
                    raise ValueError(f"Passage.{name} must hold spans (start, end) of the text")
        before = 0
        for offset, place in self.turns:
            if type(offset) is not int or not before <= offset <= len(self.text) or not isinstance(place, Location):
                raise ValueError("Passage.turns must hold (offset, Location) in the order of the text")
            before = offset
        if self.admission not in _ADMISSIONS or self.coverage not in _COVERAGES:
            raise ValueError("Passage.admission or Passage.coverage is none of the known ones")
        if type(self.local_only) is not bool:
            raise TypeError("Passage.local_only must be True or False")
        if self.start is not None and (type(self.start) is not int or not 0 <= self.start < _MOST):
            raise ValueError("Passage.start must be a code point offset of 0 or more, or None")

    @property
    def seen(self) -> str:
        """The text as a reader of the file sees it: each hidden span is one space. What a model is shown."""
        parts, last = [], 0
        for start, end in sorted(self.hidden):
            parts.append(self.text[last:start])
            last = max(last, end)
        return " ".join([*parts, self.text[last:]])

    def hides(self, start: int, end: int) -> bool:
        """Does [start, end) touch what a reader of the file does not see?"""
        return any(first < end and start < last for first, last in self.hidden)

    def __repr__(self) -> str:
        return f"<Passage {self.key!r} ({len(self.text)} code points)>"
