"""What a part of a Word document is by its own properties: which rows and cells there are, what is shown of them."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from verified_gate.ingest.formats.grid import surely_names_columns
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_names import child, every, relation, value, word_name
from verified_gate.ingest.formats.word_styles import Ink, switched, whole

THROUGH: Final = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "hyperlink", "fldSimple", "dir", "bdo",
                             "subDoc", "ruby", "rubyBase"})  # fmt: skip
"""What is wrapped around paragraphs, runs, rows and cells."""
_MARGINS: Final = frozenset({"headerReference", "footerReference"})
_LEAST_ROW: Final = 60
"""Twentieths of a point of a row's height, where exact: less shows no word."""


def flat(element: Element, name: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, through what may be wrapped around them."""
    for each in element:
        found = word_name(each)
        if found == name:
            yield each
        elif found in THROUGH or found in ("ins", "moveTo"):
            yield from flat(each, name)


def in_bold(rows: list[list[Element]]) -> bool:
    """Whether all words of the first row are bold."""
    runs = [
        run for row in rows for cell in row for run in every(cell, "r") if any(each.text for each in every(run, "t"))
    ]
    return bool(runs) and all(switched(child(run, "rPr"), "b") for run in runs)


def ends(paragraph: Element) -> bool:
    """Whether its end is there still, once all changes are accepted."""
    mark = child(paragraph, "pPr", "rPr")
    return mark is None or (child(mark, "del") is None and child(mark, "moveFrom") is None)


def has_words(elements: Iterable[Element]) -> bool:
    return any(each.text for element in elements for each in every(element, "t"))


def on_line(ink: Ink, place: Mapping[str, int]) -> Ink:
    """The ink on lines of an exact height."""
    line = place.get("line", 0)
    return replace(ink, set={**ink.set, "line": line}) if line else ink


def is_unseen_row(row: Element) -> bool:
    """Whether a row is hidden, or holds words in a height that shows none."""
    properties = child(row, "trPr")
    height = child(properties, "trHeight")
    low = value(height, "hRule") == "exact" and (whole(value(height)) or 0) < _LEAST_ROW
    return bool(switched(properties, "hidden")) or (low and has_words((row,)))


def place_of_table(properties: Element | None) -> tuple[int, int]:
    """Where a table begins, in twentieths of a point."""
    frame = child(properties, "tblpPr")
    indent = whole(value(child(properties, "tblInd"), "w")) or 0
    return (whole(value(frame, "tblpX")) or 0) + indent, whole(value(frame, "tblpY")) or 0


def names_first(rows: list[list[Element]]) -> bool:
    """Whether the first of rows names the columns, by the words of its cells, each of one column."""
    if len(rows) < 2 or any(child(cell, "tcPr", "gridSpan") is not None for row in rows[:2] for cell in row):
        return False
    first, second = (["".join(each.text or "" for each in every(cell, "t")) for cell in row] for row in rows[:2])
    return surely_names_columns(first, second)


def margins_of(root: Element, settings: Element | None) -> Iterator[str]:
    """The relations of the headers and footers that sections show."""
    sections = list(every(root, "sectPr"))
    first = any(switched(section, "titlePg") for section in sections)
    even = switched(settings, "evenAndOddHeaders")
    shown = {"default", *(("even",) if even else ()), *(("first",) if first else ())}
    for section in sections:
        for each in section:
            if word_name(each) in _MARGINS and (value(each, "type") or "default") in shown:
                yield relation(each)


def is_turned(element: Element) -> bool:
    """Whether letters and digits that run from left to right are set from right to left: 900 for `009`."""
    if word_name(element) != "bdo" or value(element) != "rtl":
        return False
    words = "".join(each.text or "" for each in every(element, "t"))
    return not any(unicodedata.bidirectional(char) in ("R", "AL") for char in words)


def is_phantom(formula: Element) -> bool:
    """Whether a part of a formula takes its place and shows nothing."""
    return any(switched(child(each, "phantPr"), "show") is False for each in formula.iter("{*}phant"))


def is_narrow(properties: Element | None) -> bool:
    """Whether a cell of a table of fixed widths has no room for a word."""
    width = child(properties, "tcW")
    given = whole(value(width, "w"))
    return value(width, "type") in ("", "dxa") and given is not None and 0 < given < _LEAST_ROW
