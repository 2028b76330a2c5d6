"""Tables of a Markdown text, as GitHub's Markdown has them: where their rows stand, and what heads each.

A table begins with a row over a line of dashes that has as many cells, and ends at a blank line or where another block
begins. Its text stays as it is written; cells are set apart by each `|` that is not escaped.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.extracted import words_seen
from verified_gate.ingest.formats.grid import MOST_COLUMNS, MOST_NAME, Cell, Grid, Names
from verified_gate.ingest.outline import Lines, fence_at
from verified_gate.ingest.paragraphs import Span
from verified_gate.model.citation import CELL_IN_LINES

_PREFIX: Final = re.compile(r"[ \t>]{0,99}")
_RULE: Final = re.compile(r"[ \t]*:?-+:?[ \t]*")
_SIGNS: Final = frozenset("|:-> \t")
_ANOTHER: Final = re.compile(
    r"#{1,6}(?:[ \t]|\Z)|[-*+][ \t]|\d{1,9}[.)][ \t]|`{3}|~{3}|</?[a-zA-Z!]|(?:-[ \t]*+){3,}\Z|(?:\*[ \t]*+){3,}\Z|(?:_[ \t]*+){3,}\Z"
)
"""What a line begins with that is no row beneath others."""
_IMAGE: Final = re.compile(r"!\[[^\[\]]{0,200}\](?:\([^()]{0,500}\)|\[[^\[\]]{0,200}\])")
_LINK: Final = re.compile(r"\[([^\[\]]{1,200})\](?:\([^()]{0,500}\)|\[[^\[\]]{0,200}\])")
_EMPHASIS: Final = re.compile(r"(\*{1,3}|(?<!\w)_{1,3}|~~|`{1,2})(?=\S)([^\n]{1,200}?)(?<=\S)\1(?!(?<=_)\w)")
_CODE: Final = 4
"""Columns: what is so much further in than the first row is code, and no row."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """`text[start:end]`, a row without its line end; of the first, with the line of dashes.

    `number` counts from 1. `columns` holds a name for what stands before each `|`, and behind the last. `first` are the
    words of the first cell.
    """

    start: int
    end: int
    number: int
    columns: tuple[str, ...]
    heading: tuple[str, ...]
    first: str

    def names_from(self, text: str, offset: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What heads the row, and the names of its cells, from `offset` on: where the row is cut there, its `first` cell
        heads what comes behind.
        """
        if offset <= self.start:
            return self.heading, self.columns
        passed = len(CELL_IN_LINES.findall(text, self.start, offset))
        cut = self.first and self.first not in self.heading and passed > (self.columns[:1] == ("",))
        return (*self.heading, self.first) if cut else self.heading, self.columns[passed:]


def table_rows(text: str, lines: Lines, hidden: Sequence[Span]) -> list[TableRow]:
    """The rows of all tables, in order. `hidden` is what of the text nobody sees, in order. Linear in the text."""
    found: list[TableRow] = []
    if "|" not in text or "-" not in text:
        return found
    fence, above, table = "", None, None  # the line before, where a table may begin with it
    for start, end in lines.spans(text):
        inside, fence = fence, fence_at(text, start, end, fence)
        first = _PREFIX.match(text, start, end).end()  # type: ignore[union-attr]
        if inside or fence or first == end or not text[first:end].strip():
            above = table = None
        elif table is not None and table.goes_on(text[start:first]) and not _ANOTHER.match(text, first, end):
            found.append(table.row(first, end))
        elif above is not None and _rules(text, first, end) == len(_cells(text, *above)):
            table = _Table(text, hidden, text[start:first])
            found.append(table.row(*above, until=end))
        else:
            table = None
            above = (first, end) if text.find("|", first, end) >= 0 else None
    return found


class _Table:
    def __init__(self, text: str, hidden: Sequence[Span], prefix: str) -> None:
        """`prefix` is what its line of dashes begins with: blanks, and `>` of quotations."""
        self._text, self._hidden = text, hidden
        self._grid, self._number = Grid(whole=True), 0
        self._quoted, self._in = prefix.count(">"), _columns_in(prefix)

    def goes_on(self, prefix: str) -> bool:
        """Whether a line that begins so may be one of its rows, and is of no other block."""
        return prefix.count(">") == self._quoted and _columns_in(prefix) - self._in < _CODE

    def row(self, start: int, end: int, *, until: int = 0) -> TableRow:
        """The row `text[start:end]`; the first of the table, where there is more of it up to `until`."""
        self._number += 1
        spans = _cells(self._text, start, end)
        cells = [Cell(self._words(*span)) for span in spans[: MOST_COLUMNS + 1]]
        names = self._grid.row(cells, header=self._number == 1)
        last = until or start + len(self._text[start:end].rstrip())
        columns = _aligned(names, cells, spans[0][0] > start)
        return TableRow(start, last, self._number, columns, names.heading, cells[0].text[:MOST_NAME])

    def _words(self, start: int, end: int) -> str:
        words = words_seen(self._text, self._hidden, start, end)
        if not words:
            return words
        shown = _LINK.sub(r"\1", _IMAGE.sub("", words)).replace("\\|", "|")
        return _EMPHASIS.sub(r"\2", shown).strip()


def _columns_in(prefix: str) -> int:
    """How far in a line stands, within its quotation."""
    return len(prefix.rpartition(">")[2].expandtabs(4))


def _aligned(names: Names, cells: Sequence[Cell], piped: bool) -> tuple[str, ...]:  # noqa: FBT001
    """A name for each stretch between two borders, also for empty cells and what is before a first border."""
    empty = next((number for number, cell in enumerate(cells) if cell.text), 0)
    return ("",) * (piped + empty) + names.columns if names.columns else ()


def _cells(text: str, start: int, end: int) -> list[Span]:
    """The cells of a row."""
    end = start + len(text[start:end].rstrip())
    borders = [found.start() for found in CELL_IN_LINES.finditer(text, start, end)]
    if borders and borders[0] == start:
        start = borders.pop(0) + 1
    if borders and borders[-1] == end - 1:
        end = borders.pop()
    return list(zip([start, *(at + 1 for at in borders)], [*borders, end], strict=True))


def _rules(text: str, start: int, end: int) -> int:
    """The cells of a line of dashes; 0 for another."""
    line = text[start:end]
    if not _SIGNS.issuperset(line) or "-" not in line or "|" not in line:
        return 0
    cells = _cells(text, start, end)
    return len(cells) if all(_RULE.fullmatch(text, *cell) for cell in cells) else 0


def rows_between(rows: Sequence[TableRow], start: int, end: int) -> Iterator[TableRow]:
    """Those that stand in `text[start:end]`, or begin before it and go on in it."""
    for number in range(bisect_left(rows, start + 1, key=lambda row: row.end), len(rows)):
        if rows[number].start >= end:
            return
        yield rows[number]
