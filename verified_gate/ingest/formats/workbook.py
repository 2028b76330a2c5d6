"""Workbooks (XLSX): each visible sheet a heading with its table beneath, cells as the file holds their values.

A formula is its last result. A number is spelled in full, to the fifteen digits that workbooks count, as a share of a
hundred where its format says so (0.125 is 12.5%), and never rounded to what a format shows; dates and times are ISO.
Charts, and cells whose result is an error of a formula, are as they are stored.

Left out, and told as lost: sheets, rows and columns that are hidden, or as good as without height or width; cells that
their format shows as nothing, or in white on no ground of their own, or under a merged one; formulas that no program has worked out yet.

Not by openpyxl: its lean way of reading does not tell what is hidden, and unpacks whatever it finds. The parts of a
sheet that hold words are few.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import isfinite
from typing import Final, Literal, TypeVar

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.composing import Composer, told
from verified_gate.ingest.formats.markup import READER, Element, local_name
from verified_gate.ingest.formats.package import Package
from verified_gate.ingest.formats.tables import write_table
from verified_gate.ingest.formats.word_colours import child, value
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_T = TypeVar("_T")
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Number formats that come with every program and are dates or times."""
_SHARES: Final = frozenset({9, 10})
_QUOTED: Final = re.compile(r'"[^"]*"|\\.')
_LONGEST_CODE: Final = 300
_NOT_LETTERS: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')
_DATE_LETTERS: Final = re.compile("[dmyhs]", re.IGNORECASE)
_LAST_COLUMN: Final = 16_384
_OFF: Final = frozenset({"", "0", "false"})
_EPOCHS: Final = (datetime(1899, 12, 30), datetime(1904, 1, 1))  # noqa: DTZ001 - days of a calendar, of no zone
_LAST_DAY: Final = 2_958_466
_SIZE: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,20})?")
_LEAST_HEIGHT, _LEAST_WIDTH = 1.0, 0.5
"""Points of a row, letters of a column: less than this shows no word."""
_UNSEEN: Final = "cell{s} that no reader sees"
_WHITES: Final = (("rgb", "ffffff"), ("theme", "0"), ("indexed", "1"), ("indexed", "9"))


def read_workbook(data: bytes, limits: ReadingLimits) -> Extracted:
    """Read a workbook. Raises `UnreadableFile`."""
    with Archive(data, limits) as archive:
        package = Package(archive)
        book = package.parse(package.main)
        composer = Composer(limits)
        workbook = _Workbook(package, child(book, "workbookPr"))
        targets = package.targets(package.main)
        lost = workbook.lost
        lost["macros"] += package.has_macros
        for sheet in _children(child(book, "sheets"), "sheet"):
            if value(sheet, "state") in ("hidden", "veryHidden"):
                lost["hidden sheet{s}"] += 1
                continue
            target = targets.get(_relation(sheet))
            if target is None:
                lost["sheet{s} missing"] += 1
                continue
            composer.begin("heading", 1)
            composer.words(value(sheet, "name"))
            composer.end()
            write_table(composer, workbook.rows(package.parse(target), limits))
        title, lang = package.core()
        return composer.finish(READER, title=title, lang=lang, lost=told(lost))


class _Workbook:
    """What the cells of all sheets refer to."""

    def __init__(self, package: Package, properties: Element | None) -> None:
        strings = package.part("sharedStrings")
        self._strings = [_words(each) for each in _children(strings, "si")]
        self._epoch = _EPOCHS[value(properties, "date1904") not in _OFF]
        styles = package.part("styles")
        codes = {
            value(each, "numFmtId"): value(each, "formatCode") for each in _children(child(styles, "numFmts"), "numFmt")
        }
        whites = [_is_white(child(each, "color")) for each in _children(child(styles, "fonts"), "font")]
        grounds = [_is_ground(each) for each in _children(child(styles, "fills"), "fill")]
        self.lost: Counter[str] = Counter()
        self._kinds: list[Literal["date", "share", "number"]] = []
        self._hiding: dict[str, list[str]] = {}  # styles that may show nothing: the sections of their number formats
        for index, each in enumerate(_children(child(styles, "cellXfs"), "xf")):
            form = value(each, "numFmtId")
            self._kinds.append(_kind(form, codes.get(form, "")))
            sections = _QUOTED.sub("x", codes.get(form, "")[:_LONGEST_CODE]).lower().split(";")
            on_ground = _at(grounds, value(each, "fillId"), otherwise=False)
            if _at(whites, value(each, "fontId"), otherwise=False) and not on_ground:
                sections = ["[white]"] * 4
            if any(map(_is_blank, sections)) and (len(sections) > 1 or sections[0]):
                self._hiding[str(index)] = sections

    def rows(self, sheet: Element, limits: ReadingLimits) -> Iterator[tuple[int, list[str]]]:
        """Rows with their numbers, from the first column in use to the last; hidden ones are left out."""
        hidden = _hidden_columns(sheet)
        merged = _Merged(sheet, limits)
        passed: set[int] = set()  # hidden columns that hold something
        number, left = 0, limits.characters
        for row in _children(child(sheet, "sheetData"), "row"):
            given = value(row, "r")
            number = int(given) if given.isdigit() and len(given) < 9 else number + 1
            if value(row, "hidden") not in _OFF or _is_less(value(row, "ht"), _LEAST_HEIGHT):
                self.lost["hidden row{s}"] += any(map(len, _children(row, "c")))
                continue
            merged.enter(number)
            cells: dict[int, str] = {}
            column = 0
            for cell in _children(row, "c"):
                place = _REFERENCE.fullmatch(value(cell, "r"))
                column = _column(place[1]) if place else column + 1
                if column > _LAST_COLUMN:
                    raise UnreadableFile(Unreadable.DAMAGED, f"row {number} has a cell past the last column")
                if not hidden[column]:
                    cells[column] = self._shown(cell)
                    if merged.open and cells[column] and merged.covers(number, column):
                        cells[column] = ""
                        self.lost[_UNSEEN] += 1
                elif len(cell):
                    passed.add(column)
            filled = [each for each, text in cells.items() if text]
            if filled:
                left -= max(filled)  # a far column costs a tab for each before it
                if left < 0:
                    raise UnreadableFile(Unreadable.TOO_LARGE, f"more than {limits.characters} cells")
                yield number, [cells.get(each, "") for each in range(1, max(filled) + 1) if not hidden[each]]
        self.lost["hidden column{s}"] += len(passed)

    def _shown(self, cell: Element) -> str:
        """What a reader sees of a cell; what he does not is told as lost."""
        text = self._held(cell)
        if not text:
            if child(cell, "f") is not None and not (value(cell, "t") == "str" and child(cell, "v") is not None):
                self.lost["formula{s} without a result"] += 1
            return ""
        style = value(cell, "s").strip().lstrip("+0") or "0" if self._hiding else ""
        if style in self._hiding and _shows_nothing(self._hiding[style], cell):
            self.lost[_UNSEEN] += 1
            return ""
        return text

    def _held(self, cell: Element) -> str:
        kind, held = value(cell, "t"), child(cell, "v")
        if kind == "inlineStr":
            return _words(child(cell, "is"))
        text = (held.text or "").strip() if held is not None else ""
        if kind == "s":
            return self._strings[int(text)] if text.isdigit() and int(text) < len(self._strings) else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(text, text)
        if kind in ("", "n") and text:
            return self._spelled(text, _at(self._kinds, value(cell, "s"), otherwise="number"))
        return held.text or "" if held is not None else ""

    def _spelled(self, text: str, kind: str) -> str:
        """A number; a serial number of days is a date, a time, or both."""
        try:
            number = float(text)
        except ValueError:
            return text
        if not isfinite(number):
            return text
        if kind == "date" and 0 <= number < _LAST_DAY:
            moment = self._epoch + timedelta(seconds=round(number * 86_400))
            if number < 1:
                return moment.time().isoformat()
            return moment.date().isoformat() if number == int(number) else moment.isoformat(sep=" ")
        if kind == "share":
            return f"{number * 100:.15g}%"
        return text if text.removeprefix("-").isdigit() else f"{number:.15g}"


class _Merged:
    """Which cells lie under one that is merged over them. Raises `UnreadableFile` where too much is looked through."""

    def __init__(self, sheet: Element, limits: ReadingLimits) -> None:
        self._areas: list[tuple[int, int, int, int]] = []  # first and last row, first and last column
        for each in _children(child(sheet, "mergeCells"), "mergeCell"):
            corners = [_REFERENCE.fullmatch(corner) for corner in value(each, "ref").split(":")]
            if len(corners) == 2 and corners[0] and corners[1]:
                rows, columns = zip(*((int(at[2]), _column(at[1])) for at in corners if at), strict=True)
                self._areas.append((min(rows), max(rows), min(columns), max(columns)))
        self._areas.sort()
        self._left = limits.characters
        self._row = self._next = 0
        self.open: list[tuple[int, int, int, int]] = []  # those that the row goes through

    def enter(self, row: int) -> None:
        """The row `row` begins."""
        if row < self._row:  # rows ought to ascend
            self._next, self.open = 0, []
        self._row = row
        while self._next < len(self._areas) and self._areas[self._next][0] <= row:
            self.open.append(self._areas[self._next])
            self._next += 1
            self._spend(1)
        self._spend(len(self.open))
        self.open = [each for each in self.open if each[1] >= row]

    def covers(self, row: int, column: int) -> bool:
        """Whether the cell is covered by one above or to the left of it."""
        self._spend(len(self.open))
        return any(low <= column <= high and (row, column) != (top, low) for top, _, low, high in self.open)

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise UnreadableFile(Unreadable.TOO_LARGE, "too many cells are merged over each other")


def _hidden_columns(sheet: Element) -> bytearray:
    """By column, from 1: whether it is hidden."""
    hidden = bytearray(_LAST_COLUMN + 1)
    for each in _children(child(sheet, "cols"), "col"):
        low, high = value(each, "min"), value(each, "max")
        unseen = value(each, "hidden") not in _OFF or _is_less(value(each, "width"), _LEAST_WIDTH)
        if unseen and low.isdigit() and high.isdigit() and len(low + high) < 13:
            first, last = max(int(low), 1), min(int(high), _LAST_COLUMN)
            hidden[first : last + 1] = b"\1" * max(last + 1 - first, 0)
    return hidden


def _is_less(size: str, least: float) -> bool:
    return _SIZE.fullmatch(size) is not None and float(size) < least


def _at(values: Sequence[_T], index: str, *, otherwise: _T) -> _T:
    return values[int(index)] if index.isdigit() and len(index) < 9 and int(index) < len(values) else otherwise


def _is_white(color: Element | None) -> bool:
    if color is None or value(color, "tint").startswith("-"):
        return False  # darker than white
    return any(value(color, name).lower()[-6:] == white for name, white in _WHITES)


def _is_ground(fill: Element) -> bool:
    """Whether white letters may be read on it."""
    pattern = child(fill, "patternFill")
    if pattern is None:
        return child(fill, "gradientFill") is not None
    kind = value(pattern, "patternType")
    return kind not in ("", "none") and not (kind == "solid" and _is_white(child(pattern, "fgColor")))


def _shows_nothing(sections: list[str], cell: Element) -> bool:
    """Whether the section of the number format that the cell falls under is empty, as all are in `;;;`, or white."""
    text = (getattr(child(cell, "v"), "text", "") or "").strip()
    kind = value(cell, "t")
    if kind == "e":
        return False
    at = 1 if text.startswith("-") else 2 if text and not text.strip("0.") else 0
    at = at if kind in ("", "n") else 3
    if at == 3 and len(sections) < 4:
        return False
    return _is_blank(sections[at if at < len(sections) else 0])


def _is_blank(section: str) -> bool:
    return not section.strip() or section.lstrip().startswith("[white]")


def _children(element: Element | None, name: str) -> Iterator[Element]:
    if element is not None:
        yield from (each for each in element if local_name(each) == name)


def _relation(sheet: Element) -> str:
    return next((held for key, held in sheet.attrib.items() if key.endswith("}id")), "")


def _words(element: Element | None) -> str:
    """The words of a string, without the readings above them (`rPh`)."""
    if element is None:
        return ""
    parts = [each.text or "" for each in _children(element, "t")]
    parts += [each.text or "" for run in _children(element, "r") for each in _children(run, "t")]
    return "".join(parts)


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _kind(number: str, code: str) -> Literal["date", "share", "number"]:
    """What a number format makes of a number."""
    known = int(number) if number.isdigit() and len(number) < 6 else -1
    signs = _NOT_LETTERS.sub("", code[:200].partition(";")[0])
    if known in _DATES or (_DATE_LETTERS.search(signs) and "General" not in code):
        return "date"
    return "share" if known in _SHARES or "%" in signs else "number"
