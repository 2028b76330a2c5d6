"""Workbooks (XLSX): each visible sheet a heading with its table beneath, cells as the file holds their values.

A formula is its last result. A number is spelled in full, to the fifteen digits that workbooks count, as a share of a
hundred where its format says so (0.125 is 12.5%), with the zeros in front that it shows, and never rounded to what a
format shows; raised and lowered letters are set so (10²); dates and times are ISO, spans of time hours, minutes and seconds (`30:00:00`). Cells whose result is an
error of a formula are as they are stored.

Left out, and told as lost: sheets, rows and columns that are hidden, or as good as without height or width; cells that
their format shows as nothing, or in the colour of their ground, or too small, or that a condition may show so, or under
a merged one; words that are struck out; formulas that no program has worked out yet; comments, charts, words in shapes,
and of printed headers.

Not by openpyxl: its lean way of reading does not tell what is hidden, and unpacks whatever it finds. The parts of a
sheet that hold words are few.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import isfinite
from typing import Final

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.cell_styles import CellStyle, CellStyles, Change, Font
from verified_gate.ingest.formats.composing import Composer, lowered, raised, told
from verified_gate.ingest.formats.grid import Cell
from verified_gate.ingest.formats.markup import READER, Element
from verified_gate.ingest.formats.package import Package
from verified_gate.ingest.formats.sheet_names import (
    ALTERNATIVES,
    LATER_AREA,
    LATER_CHANGE,
    LATER_CONDITIONS,
    child,
    children,
    relation,
    unescaped,
    value,
)
from verified_gate.ingest.formats.tables import Row, write_table
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_LAST_COLUMN: Final = 16_384
_OFF: Final = frozenset({"", "0", "false"})
_EPOCHS: Final = (datetime(1899, 12, 30), datetime(1904, 1, 1))  # noqa: DTZ001 - days of a calendar, of no zone
_LAST_DAY: Final = 2_958_466
_SIZE: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,20})?")
_LEAST_HEIGHT, _LEAST_WIDTH = 3.0, 0.5
"""Points of a row, letters of a column: less than this shows no word."""
_UNSEEN: Final = "cell{s} that no reader sees"
_DOUBTED: Final = "cell{s} that a condition may hide"
_OTHER: Final = "part{s} in more than one version"
_COVERED: Final = Cell("", covered=True)
_STRUCK: Final = "struck-out piece{s}, left out"
_FIRST_LEAP: Final = 60
"""The day that workbooks count though there was none, 29 February 1900: those before it are a day later than they say."""
_CODES: Final = re.compile(
    r'(?:page|seite|of|von|pagina|página|de|di|sur)?\s{0,3}&[PN]|&"[^"]{0,99}"|&\d{1,3}|&K\w{6}|&.', re.IGNORECASE
)
"""Of printed headers: fonts, sizes, colours, dates, and the number of the page with the word before it."""


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
        for sheet in children(child(book, "sheets"), "sheet"):
            if value(sheet, "state") in ("hidden", "veryHidden"):
                lost["hidden sheet{s}"] += 1
                continue
            target = targets.get(relation(sheet))
            if target is None:
                lost["sheet{s} missing"] += 1
                continue
            composer.begin("heading", 1)
            composer.words(unescaped(value(sheet, "name")))
            composer.end()
            page = package.parse(target)
            write_table(composer, workbook.rows(page, limits))
            _tell_beside(package, target, page, lost)
        title, lang = package.core()
        return composer.finish(READER, title=title, lang=lang, lost=told(lost))


class _Workbook:
    """What the cells of all sheets refer to."""

    def __init__(self, package: Package, properties: Element | None) -> None:
        self._styles = CellStyles(package.part("styles"), package.part("theme"))
        self._strings = [self._pieces(each) for each in children(package.part("sharedStrings"), "si")]
        self._since_1904 = value(properties, "date1904") not in _OFF
        self._epoch = _EPOCHS[self._since_1904]
        self.lost: Counter[str] = Counter()

    def rows(self, sheet: Element, limits: ReadingLimits) -> Iterator[Row]:
        """Rows with their numbers, from the first column in use to the last; hidden ones are left out."""
        hidden = _hidden_columns(sheet)
        merged = _Merged(sheet, limits)
        changed = _Changed(sheet, self._styles, limits)
        passed: set[int] = set()  # hidden columns that hold something
        number, left = 0, limits.characters
        data = child(sheet, "sheetData")
        self.lost[_OTHER] += sum(1 for _ in data.iterchildren(ALTERNATIVES)) if data is not None else 0
        for row in children(data, "row"):
            given = value(row, "r")
            number = int(given) if given.isdecimal() and len(given) < 9 else number + 1
            if value(row, "hidden") not in _OFF or _is_less(value(row, "ht"), _LEAST_HEIGHT):
                self.lost["hidden row{s}"] += any(map(len, children(row, "c")))
                continue
            merged.enter(number)
            cells: dict[int, str] = {}
            column = 0
            for cell in children(row, "c"):
                place = _REFERENCE.fullmatch(cell.get("r", ""))
                column = _column(place[1]) if place else column + 1
                if column > _LAST_COLUMN:
                    raise UnreadableFile(Unreadable.DAMAGED, f"row {number} has a cell past the last column")
                if not hidden[column]:
                    style = self._styles.of(cell)
                    cells[column] = self._shown(cell, style)
                    if changed.areas and cells[column] and changed.may_hide(number, column, style):
                        cells[column] = ""
                        self.lost[_DOUBTED] += 1
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
                shown = [each for each in range(1, max(filled) + 1) if not hidden[each]]
                yield Row(number, [cells.get(each, "") for each in shown], merged.cells(number, shown, hidden))
        self.lost["hidden column{s}"] += len(passed)

    def _shown(self, cell: Element, style: CellStyle) -> str:
        """What a reader sees of a cell; what he does not is told as lost."""
        pieces = self._held(cell, style)
        if not any(text for text, _ in pieces):
            if child(cell, "f") is not None and not (value(cell, "t") == "str" and child(cell, "v") is not None):
                self.lost["formula{s} without a result"] += 1
            return ""
        if len(pieces) == 1 and pieces[0][1] is None and style.seen:
            return pieces[0][0]
        value_of, kind = (getattr(child(cell, "v"), "text", "") or "").strip(), cell.get("t", "")
        hidden, blank = style.hides(value_of, kind), style.blanks(value_of, kind)
        shown = ""
        for text, own in pieces:
            if (hidden if own is None else blank or own.is_unseen(style.ground)) and text.strip():
                self.lost[_UNSEEN] += 1
            elif (own or style.font).struck and text.strip():
                self.lost[_STRUCK] += 1
            else:
                shown += text
        return shown

    def _held(self, cell: Element, style: CellStyle) -> list[tuple[str, Font | None]]:
        """The value of a cell, in the pieces that have a font of their own."""
        kind, held = cell.get("t", ""), child(cell, "v")
        if kind == "inlineStr":
            return self._pieces(child(cell, "is"))
        text = (held.text or "").strip() if held is not None else ""
        if kind == "s":
            known = text.isdecimal() and len(text) < 9 and int(text) < len(self._strings)
            return self._strings[int(text)] if known else []
        if kind == "b":
            return [({"1": "TRUE", "0": "FALSE"}.get(text, text), None)]
        if kind in ("", "n") and text:
            return [(self._spelled(text, style), None)]
        return [(unescaped(held.text or "") if held is not None else "", None)]

    def _pieces(self, element: Element | None) -> list[tuple[str, Font | None]]:
        """The words of a string, without the readings above them (`rPh`)."""
        found: list[tuple[str, Font | None]] = [(unescaped(each.text or ""), None) for each in children(element, "t")]
        for run in children(element, "r"):
            own = child(run, "rPr")
            font = None if own is None else self._styles.font(own)
            found += [(_shifted(unescaped(each.text or ""), font), font) for each in children(run, "t")]
        return found

    def _spelled(self, text: str, style: CellStyle) -> str:
        """A number; a serial number of days is a date, a time, or both."""
        try:
            number = float(text)
        except ValueError:
            return text
        if not isfinite(number):
            return text
        if style.kind == "span" and 0 <= number < _LAST_DAY:
            seconds = round(number * 86_400)
            return f"{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        if style.kind == "date" and 0 <= number < _LAST_DAY:
            return self._dated(number)
        if style.kind == "share":
            return f"{number * 100:.15g}%"
        plain = text.removeprefix("-")
        return (
            plain.zfill(style.digits)
            if plain == text and plain.isdecimal()
            else text
            if plain.isdecimal()
            else f"{number:.15g}"
        )

    def _dated(self, number: float) -> str:
        moment = self._epoch + timedelta(seconds=round(number * 86_400))
        if number < 1:
            return moment.time().isoformat()
        day = moment.date().isoformat()
        if not self._since_1904 and number < _FIRST_LEAP + 1:
            day = "1900-02-29" if number >= _FIRST_LEAP else (moment.date() + timedelta(days=1)).isoformat()
        return day if number == int(number) else f"{day} {moment.time().isoformat()}"


class _Changed:
    """Which cells a conditional format may hide. Raises `UnreadableFile` where too much is looked through."""

    def __init__(self, sheet: Element, styles: CellStyles, limits: ReadingLimits) -> None:
        self._left = limits.characters
        self.areas: list[tuple[int, int, int, int, Change]] = []
        for each in children(sheet, "conditionalFormatting"):
            self._take([styles.change(rule) for rule in children(each, "cfRule")], value(each, "sqref"))
        for rules in sheet.iter(LATER_CONDITIONS):  # those that ask other sheets
            changes = [styles.read_change(given) for given in rules.iter(LATER_CHANGE)]
            self._take(changes, " ".join(each.text or "" for each in rules.iterchildren(LATER_AREA)))

    def _take(self, changes: list[Change], areas: str) -> None:
        changes = [change for change in changes if change.color or change.ground or change.blank]
        for area in areas.split() if changes else ():
            corners = [_REFERENCE.fullmatch(corner) for corner in area.split(":")]
            if 0 < len(corners) < 3 and all(corners):
                rows, columns = zip(*((int(at[2]), _column(at[1])) for at in corners if at), strict=True)
                self.areas += [(min(rows), max(rows), min(columns), max(columns), change) for change in changes]

    def may_hide(self, row: int, column: int, style: CellStyle) -> bool:
        """Whether a condition, which is not looked into, may hide a cell of that style."""
        self._left -= len(self.areas)
        if self._left < 0:
            raise UnreadableFile(Unreadable.TOO_LARGE, "too many cells have conditional formats")
        return any(
            top <= row <= bottom and low <= column <= high and change.may_hide(style)
            for top, bottom, low, high, change in self.areas
        )


class _Merged:
    """Which cells lie under one that is merged over them. Raises `UnreadableFile` where too much is looked through."""

    def __init__(self, sheet: Element, limits: ReadingLimits) -> None:
        self._areas: list[tuple[int, int, int, int]] = []  # first and last row, first and last column
        for each in children(child(sheet, "mergeCells"), "mergeCell"):
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

    def cells(self, row: int, shown: list[int], hidden: bytearray) -> dict[int, Cell]:
        """The merged cells of a row by their place among the columns that are `shown`, and those that these cover."""
        found: dict[int, Cell] = {}
        for top, bottom, low, high in self.open:
            first, behind = bisect_left(shown, low), bisect_right(shown, high)
            self._spend(behind - first)
            covered = dict.fromkeys(range(first, behind), _COVERED)
            if row == top and first < behind and shown[first] == low:
                columns = high - low + 1 - hidden.count(1, low, high + 1)
                covered[first] = Cell("", columns=columns, rows=bottom - top + 1)
            found |= covered
        return found

    def _spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise UnreadableFile(Unreadable.TOO_LARGE, "too many cells are merged over each other")


def _hidden_columns(sheet: Element) -> bytearray:
    """By column, from 1: whether it is hidden."""
    hidden = bytearray(_LAST_COLUMN + 1)
    for each in children(child(sheet, "cols"), "col"):
        low, high = value(each, "min"), value(each, "max")
        unseen = value(each, "hidden") not in _OFF or _is_less(value(each, "width"), _LEAST_WIDTH)
        if unseen and low.isdecimal() and high.isdecimal() and len(low + high) < 13:
            first, last = max(int(low), 1), min(int(high), _LAST_COLUMN)
            hidden[first : last + 1] = b"\1" * max(last + 1 - first, 0)
    return hidden


def _is_less(size: str, least: float) -> bool:
    return _SIZE.fullmatch(size) is not None and float(size) < least


def _tell_beside(package: Package, name: str, sheet: Element, lost: Counter[str]) -> None:
    """Tell what a sheet shows beside its cells, which is not read."""
    comments, drawing = (package.part(kind, of=name) for kind in ("comments", "drawing"))
    lost["comment{s}, left out"] += sum(1 for _ in comments.iter("{*}comment")) if comments is not None else 0
    if drawing is not None:
        lost["chart{s}"] += sum(1 for _ in drawing.iter("{*}graphicFrame"))
        lost["shape{s} with words"] += sum(any(t.text for t in each.iter("{*}t")) for each in drawing.iter("{*}txBody"))
    margins = child(sheet, "headerFooter")
    printed = "" if margins is None else "".join(_CODES.sub("", each.text or "") for each in margins)
    lost["printed header{s} or footer{s}"] += any(map(str.isalpha, printed))


def _shifted(text: str, font: Font | None) -> str:
    """Words that are set higher or lower than those around them: `10` and a raised `2` are 10²."""
    form = "" if font is None or not text.strip() else font.form
    return raised(text) if form == "super" else lowered(text) if form else text


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
