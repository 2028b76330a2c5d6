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
_BETWEEN: Final = "·"
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
        self._covered: dict[int, tuple[int, str]] = {}  # column -> rows below that a cell still covers, and its words
        self._open = True  # the next row may name columns: none came before, or only such that group others
        self._data = False  # the row before held data
        self._left = _BUDGET

    def row(self, cells: Sequence[Cell], *, header: bool = False) -> tuple[str, ...]:
        """The names of the cells of the next row, one for each from the first that has words on, which is where the
        row's text begins; none of a header row, nor where no cell has a name.

        What stands in the row by a cell that began above it, and is in no cell of its own, goes before the name of the
        cell that follows, or of the last: `Rent · 2023`; `Rent ·` where that one has none. A row of nothing but headers
        names the columns beneath it: at the top of the table, beneath one that groups columns or begins names of
        several rows, and after rows of data, where its names replace those above.
        """
        placed, behind = self._placed(cells)
        again = self._data and _names_anew(cells)
        if header or again or (self._open and _names_columns(cells)):
            if again or (header and self._data):
                self._heads.clear()
            self._data, self._open = False, bool(self._covered) or any(cell.columns > 1 for cell in cells)
            for column, cell, _ in placed:
                for each in self._under(column, cell) if cell.text else ():
                    self._heads[each] = _joined(self._heads.get(each, ""), cell.text)
            return ()
        self._open, self._data = False, not _names_columns(cells)
        names: list[str] = []
        before = ""
        for column, cell, over in placed:
            before = _beside(before, over)
            if cell.text or names:
                names.append(_under_row(before, self._heads.get(column, "")))
                before = ""
        if behind and names:
            names[-1] = _under_row(behind, names[-1])
        return tuple(names) if any(names) else ()

    def _placed(self, cells: Sequence[Cell]) -> tuple[list[tuple[int, Cell, str]], str]:
        """The cells with their columns, past those that cells above still cover, and the words of these; those of what
        covers the end of the row.
        """
        placed: list[tuple[int, Cell, str]] = []
        column, over = 0, ""
        below: dict[int, tuple[int, str]] = {}
        for cell in cells:
            while column in self._covered:
                over = _beside(over, self._covered[column][1])
                column += 1
            if column >= MOST_COLUMNS:
                break
            placed.append((column, cell, over))
            over = ""
            if cell.rows > 1:
                below.update(dict.fromkeys(self._under(column, cell), (cell.rows - 1, "")))
                below[column] = cell.rows - 1, cell.text[:MOST_NAME]
            column += max(1, cell.columns)
        while column in self._covered:
            over = _beside(over, self._covered[column][1])
            column += 1
        self._left -= len(self._covered)
        if self._left < 0:
            self._covered = {}
        self._covered = {at: (rows - 1, words) for at, (rows, words) in self._covered.items() if rows > 1} | below
        return placed, over

    def _under(self, column: int, cell: Cell) -> range:
        """The columns of a cell; only its first once too many were followed."""
        last = min(column + cell.columns, MOST_COLUMNS) if self._left > 0 else column + 1
        self._left -= last - column
        return range(column, last)


def same_columns(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether two rows, by the names of their cells, are under the same headers: what one has from cells that are
    merged over it, and empty cells that it begins with, aside.
    """
    if above == below:
        return True
    ends = [[name.rpartition(_BETWEEN)[2].strip() for name in row] for row in (above, below)]
    shared = min(map(len, ends))
    if not shared:
        return not any(map(any, ends))
    return ends[0][-shared:] == ends[1][-shared:]


def _beside(before: str, words: str) -> str:
    return f"{before} {words}".strip()[:MOST_NAME] if words and len(before) < MOST_NAME else before


def _under_row(words: str, name: str) -> str:
    return f"{words} {_BETWEEN} {name}".strip() if words else name


def _joined(above: str, below: str) -> str:
    """A name of several levels; two numbers must not be one."""
    apart = f" {_BETWEEN} " if above[-1:].isdigit() and below[:1].isdigit() else " "
    return f"{above}{apart}{below}".strip()[:MOST_NAME]


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
