"""What a table of a Word document is: its rows and cells that are there still, which are merged, which are headers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from verified_gate.ingest.formats.grid import Cell, names_groups, surely_names_columns
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_names import child, every, inside, switched, value, whole
from verified_gate.ingest.formats.word_parts import DELETED, flat, has_words
from verified_gate.ingest.formats.word_room import LEAST_ROOM
from verified_gate.ingest.formats.word_styles import Style, Styles, looks, parts_of

_MOST_SPAN: Final = 10_000
_MOST_TITLES: Final = 5
"""Rows above the one that names the columns."""


@dataclass(slots=True)
class TableCell:
    """A cell, the parts of the table that it is in, its columns and rows; whether it is `merged` with a cell above, and
    there is one that is and covers it; its width, and its height where that is exact (twentieths of a point, 0: unknown).
    """

    element: Element
    parts: list[str]
    columns: int
    rows: int = 1
    merged: bool = False
    covered: bool = False
    wide: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: whether it names the columns, how many columns it leaves free before its cells, the cells."""

    element: Element
    header: bool
    late: int
    cells: list[TableCell]


class WordTable:
    """A table as it is shown. `style` is its own, `fixed` tells that widths are as they are given, `at` is where it
    begins, `names_rows` that first cells are headers of their rows; `lost` is what it has and no reader sees.
    """

    def __init__(self, element: Element, styles: Styles) -> None:
        self.lost: Counter[str] = Counter()
        properties = child(element, "tblPr")
        self.style = styles.table(value(child(properties, "tblStyle")))
        self.fixed = value(child(properties, "tblLayout"), "type") == "fixed"
        self.at = _place_of(properties)
        on = looks(child(properties, "tblLook"))
        self.names_rows = "firstCol" in on and "firstCol" in self.style.parts
        every_row = list(flat(element, "tr"))
        kept = [row for row in every_row if child(row, "trPr", "del") is None]
        shown = [row for row in kept if not _is_unseen(row)]
        self.lost[DELETED] += len(every_row) - len(kept)
        self.lost["hidden row{s}"] += len(kept) - len(shown)
        self.rows = list(_rows(element, shown, on, self.style))

    @property
    def frames(self) -> bool:
        """Whether it is one cell, around running text."""
        return len(self.rows) == 1 and len(self.rows[0].cells) == 1


def _rows(table: Element, shown: list[Element], on: frozenset[str], style: Style) -> Iterator[TableRow]:
    cells = [list(flat(row, "tc")) for row in shown]
    top = next((number for number, held in enumerate(cells[:_MOST_TITLES]) if not _is_title(held)), 0)
    styled = "firstRow" in on and "firstRow" in style.parts and top == 0
    named = styled or _in_bold(cells[top : top + 1]) or _names_first(cells[top:])
    widths = (whole(value(each, "w")) or 0 for each in inside(child(table, "tblGrid")))
    edges = list(accumulate(widths, initial=0))
    above: dict[int, TableCell] = {}  # column -> the cell whose merging may go on there
    for number, (row, held) in enumerate(zip(shown, cells, strict=True)):
        late = whole(value(child(row, "trPr", "gridBefore"))) or 0
        late = late if 0 < late < _MOST_SPAN else 0
        high = _height_of(row)
        column, here, placed = late, dict[int, TableCell](), list[TableCell]()
        for index, element in enumerate(held):
            wide = whole(value(child(element, "tcPr", "gridSpan"))) or 1
            cell = TableCell(
                element, parts_of(on, number, len(shown), index, len(held)), wide if 0 < wide < _MOST_SPAN else 1
            )
            cell.wide = _width_of(element) or _between(edges, column, column + cell.columns)
            cell.high = high if child(element, "tcPr", "textDirection") is None else 0
            placed.append(cell)
            merge = child(element, "tcPr", "vMerge")
            if merge is not None and value(merge) != "restart":
                cell.merged = True
                cell.covered = column in above
                if cell.covered:
                    here[column] = first = above[column]
                    first.rows += 1
                    first.high = first.high + high if first.high and high else 0
            elif merge is not None:
                here[column] = cell
            column += cell.columns
        above = here
        header = named and number == top and number < len(shown) - 1 and len(held) + (late > 0) > 1
        yield TableRow(row, header or switched(child(row, "trPr"), "tblHeader") is True, late, placed)


def _is_title(held: list[Element]) -> bool:
    """Whether a row is one cell across several columns."""
    return len(held) == 1 and (whole(value(child(held[0], "tcPr", "gridSpan"))) or 1) > 1


def _between(edges: list[int], first: int, behind: int) -> int:
    """The width of some columns, which begin and end at `edges`."""
    last = len(edges) - 1
    return edges[min(behind, last)] - edges[min(first, last)]


def _in_bold(rows: list[list[Element]]) -> bool:
    """Whether all words of the first row are bold."""
    runs = [
        run for row in rows for cell in row for run in every(cell, "r") if any(each.text for each in every(run, "t"))
    ]
    return bool(runs) and all(switched(child(run, "rPr"), "b") for run in runs)


def _is_unseen(row: Element) -> bool:
    """Whether a row is hidden, or holds words in a height that shows none."""
    properties = child(row, "trPr")
    low = value(child(properties, "trHeight"), "hRule") == "exact" and _height_of(row) < LEAST_ROOM
    return bool(switched(properties, "hidden")) or (low and has_words((row,)))


def _height_of(row: Element) -> int:
    """The height of a row, where that is exact; 0 where it is as high as its words need."""
    height = child(row, "trPr", "trHeight")
    return (whole(value(height)) or 0) if value(height, "hRule") == "exact" else 0


def _width_of(cell: Element) -> int:
    width = child(cell, "tcPr", "tcW")
    return (whole(value(width, "w")) or 0) if value(width, "type") in ("", "dxa") else 0


def _place_of(properties: Element | None) -> tuple[int, int]:
    """Where a table begins, in twentieths of a point."""
    frame = child(properties, "tblpPr")
    indent = whole(value(child(properties, "tblInd"), "w")) or 0
    return (whole(value(frame, "tblpX")) or 0) + indent, whole(value(frame, "tblpY")) or 0


def _names_first(rows: list[list[Element]]) -> bool:
    """Whether the first of rows names the columns, by the words of its cells, or as they are merged."""
    if len(rows) < 2:
        return False
    first, second = (["".join(each.text or "" for each in every(cell, "t")) for cell in row] for row in rows[:2])
    if any(child(cell, "tcPr", "gridSpan") is not None for row in rows[:2] for cell in row):
        return names_groups([_as_merged(*each) for each in zip(rows[0], first, strict=True)], second)
    return surely_names_columns(first, second)


def _as_merged(cell: Element, words: str) -> Cell:
    down = value(child(cell, "tcPr", "vMerge")) == "restart"
    return Cell(words, columns=whole(value(child(cell, "tcPr", "gridSpan"))) or 1, rows=1 + down)


def is_narrow(properties: Element | None) -> bool:
    """Whether a cell of a table of fixed widths has no room for a word."""
    width = child(properties, "tcW")
    given = whole(value(width, "w"))
    return value(width, "type") in ("", "dxa") and given is not None and 0 < given < LEAST_ROOM
