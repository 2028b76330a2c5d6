"""Headers of a table's cells, found while its rows are read: they are context of a row, never part of its words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST_COLUMNS: Final = 1_000
MOST_NAME: Final = 200
"""Code points of a header that are told with each row beneath it."""
_BUDGET: Final = 1_000_000
"""Cells under spans that are followed in one table; a million cells that each span a thousand are not."""
_YEAR: Final = re.compile(r"(?:FY ?)?(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?: ?[^\W\d][\w ]{0,20})?")
_WIDE: Final = 3
"""Columns of a table whose first row, in words, are their names; two may as well be a question and its answer."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The words of a cell, whether it is a header, and how many columns and rows it covers."""

    text: str
    header: bool = False
    columns: int = 1
    rows: int = 1


class Grid:
    """The headers of one table."""

    def __init__(self) -> None:
        self._heads: dict[int, str] = {}
        self._covered: dict[int, int] = {}  # column -> rows below that a cell from above still covers
        self._above = ""  # the header of rows that began above and still covers the first column
        self._open = True  # the next row may name columns: none came before, or only such that group others
        self._data = False  # the row before held data
        self._left = _BUDGET

    def row(self, cells: Sequence[Cell], *, header: bool = False) -> tuple[str, ...]:
        """The headers of the cells of the next row, the row's own first where it has one; none of a header row.

        A row of nothing but headers names the columns beneath it: at the top of the table, beneath one that groups
        columns or begins names of several rows, and after rows of data, where its names replace those above.
        """
        above = self._above if 0 in self._covered else ""
        placed = self._placed(cells)
        again = self._data and _names_anew(cells)
        if header or again or (self._open and _names_columns(cells)):
            if again or (header and self._data):
                self._heads.clear()
            self._data, self._open = False, bool(self._covered) or any(cell.columns > 1 for cell in cells)
            for column, cell in placed:
                for each in self._under(column, cell) if cell.text else ():
                    self._heads[each] = f"{self._heads.get(each, '')} {cell.text}".strip()[:MOST_NAME]
            return ()
        self._open, self._data = False, not _names_columns(cells)
        own = placed[0][1].text[:MOST_NAME] if placed and placed[0][1].header else above
        names = tuple(self._heads.get(column, "") for column, _ in placed)
        return (*((own,) if own else ()), *names) if own or any(names) else ()

    def _placed(self, cells: Sequence[Cell]) -> list[tuple[int, Cell]]:
        """The cells with their columns, past those that cells above still cover."""
        placed: list[tuple[int, Cell]] = []
        column = 0
        below: dict[int, int] = {}
        for cell in cells:
            while column in self._covered:
                column += 1
            if column >= MOST_COLUMNS:
                break
            placed.append((column, cell))
            if cell.rows > 1:
                below.update(dict.fromkeys(self._under(column, cell), cell.rows - 1))
                if column == 0:
                    self._above = cell.text if cell.header else ""
            column += max(1, cell.columns)
        self._left -= len(self._covered)
        if self._left < 0:
            self._covered = {}
        self._covered = {each: rows - 1 for each, rows in self._covered.items() if rows > 1} | below
        return placed

    def _under(self, column: int, cell: Cell) -> range:
        """The columns of a cell; only its first once too many were followed."""
        last = min(column + cell.columns, MOST_COLUMNS) if self._left > 0 else column + 1
        self._left -= last - column
        return range(column, last)


def _names_columns(cells: Sequence[Cell]) -> bool:
    """All are headers, but for empty corners."""
    return any(cell.header for cell in cells) and all(cell.header or not cell.text for cell in cells)


def _names_anew(cells: Sequence[Cell]) -> bool:
    """Headers side by side; one across all is the title of the rows beneath it, under the same names."""
    return len(cells) > 1 and _names_columns(cells) and all(cell.text and cell.columns == 1 for cell in cells[1:])


def names_columns(cells: Sequence[str], below: Sequence[str]) -> bool:
    """Whether the first row of a table, by its words and those of the row `below`, names the columns.

    Its cells are words rather than numbers, or years over numbers that are none; more than half are filled, with two
    different names at least, and something stands under one. One alone is a title.
    """
    names = [" ".join(cell.split()) for cell in cells]
    filled = [name for name in names if name]
    if len({name.casefold() for name in filled}) < 2 or len(filled) * 2 <= len(cells):
        return False
    if not any(name and under.strip() for name, under in zip(names, below, strict=False)):
        return False
    for at, name in enumerate(names):
        under = below[at].strip() if at < len(below) else ""
        if name and _YEAR.fullmatch(name):
            if _YEAR.fullmatch(under) or (under and not any(map(str.isdigit, under))):
                return False
        elif name and (name[0].isdigit() or not any(map(str.isalpha, name))):
            return False
    return True


def surely_names_columns(cells: Sequence[str], below: Sequence[str]) -> bool:
    """As `names_columns`, where it is as likely that no row does: in a wide table, over a row that holds a number."""
    filled = sum(bool(cell.strip()) for cell in cells)
    return filled >= _WIDE and any(any(map(str.isdigit, cell)) for cell in below) and names_columns(cells, below)
