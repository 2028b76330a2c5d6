"""Tables: CSV here, workbooks (XLSX) in `workbook`. Each row is a block, its cells set apart by tabs.

The first row names the columns where its cells are words, or years over numbers; a title may stand above it. Nothing
is rewritten: a number stays as it is spelled. The line `sep=;`, which is for spreadsheets alone, is no row. Told as lost:
a quotation mark that is never closed, so that all behind it is one cell, or closed within a cell some lines below; an
encoding that is only guessed, and unlikely.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.composing import Composer, told
from verified_gate.ingest.formats.encoding import decoded
from verified_gate.ingest.formats.grid import (
    MOST_COLUMNS,
    NO_NAMES,
    Cell,
    Grid,
    names_columns,
    names_groups,
    surely_names_columns,
)
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

READER: Final = "Python csv"

_DELIMITERS: Final = ",;\t|"
_LOOKED_AT: Final = 20
"""Lines by which the delimiter is found."""
_MOST_CELLS: Final = 16_384
"""Of a row, which is what a workbook can hold."""
_MOST_TITLES: Final = 5
_UNCLOSED: Final = "quotation mark{s} never closed, and all behind in one cell"
_UNMATCHED: Final = "cell{s} over several lines whose quotation marks do not match"
_END: Final = "\x1a"
_SEPARATOR: Final = re.compile(r'"?sep=([,;|\t:])"?[ \t]*\n', re.IGNORECASE)


def read(data: bytes, limits: ReadingLimits, *, kind: str = "csv", **_: str) -> Extracted:
    """Read a CSV file, or with `kind` "xlsx" a workbook. Raises `UnreadableFile`."""
    if kind == "xlsx":
        from verified_gate.ingest.formats.workbook import read_workbook

        return read_workbook(data, limits)
    composer = Composer(limits)
    lost: Counter[str] = Counter()
    write_table(composer, _records(_text_of(data, lost), limits, lost))
    return composer.finish(READER, lost=told(lost))


class Row(NamedTuple):
    """A row of a table: its number, from 1, its cells, and by their place which are merged over others or stand for one
    that is.
    """

    number: int
    cells: Sequence[str]
    merged: Mapping[int, Cell] = MappingProxyType({})


def write_table(composer: Composer, rows: Iterable[Row]) -> None:
    """Write numbered rows of cells; the first that names the columns is the header of those below it, and the next too
    where it names those that it leaves without a name. Beneath rows left empty another table may begin: under names of its
    own, or, where it is not known whether its first row is that, under none.
    """
    grid = Grid(whole=True)
    titles, begun, apart = 0, False, False
    first: Sequence[str] = ()  # the row that names the columns, until the next is read
    above, last = Row(0, ()), 0
    for row, below in _pairs(rows):
        apart = begun and (apart or row.number > last + 1)
        last = row.number
        if sum(map(bool, row.cells)) > 1:
            if apart and names_columns(row.cells, below.cells):
                grid.forget()
                titles, begun = 0, not _stand_below_figures(above.cells, row.cells)
            above, apart = row, False
        composer.begin_row()
        for index, cell in enumerate(row.cells):
            if cell:
                composer.cell(index)
                composer.words(cell)
        if begun and not row.merged and not (first and not row.cells[0]):
            names = grid.plain([_words(cell) for cell in row.cells], number=row.number)
            composer.end_row(row.number, NO_NAMES if apart else names)  # a note, or the title of another table
            first = ()
            continue
        cells = [_cell(row, index) for index in range(min(len(row.cells), MOST_COLUMNS + 1))]
        title = sum(map(bool, row.cells)) == 1 and not grid.goes_on
        if not begun:
            named = (surely_names_columns if titles else names_columns)(row.cells, below.cells)
            header = not title and (named or names_groups(cells, below.cells))
        else:
            header = _names_the_rest(first, row.cells) and names_columns(row.cells, below.cells)
        composer.end_row(row.number, grid.row(cells, header=header, number=row.number))
        first = row.cells if header and not begun else ()
        titles += title and not begun
        begun = begun or titles > _MOST_TITLES or not (title or grid.goes_on)
    composer.end_table()


def _stand_below_figures(above: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether words, or names such as `Net 2023`, stand where figures stood."""
    return any(
        any(map(str.isdigit, figure)) and not figure[0].isalpha() and cell[:1].isalpha()
        for figure, cell in zip(above, cells, strict=False)
    )


def _names_the_rest(above: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a row has words wherever the names above have none, and none where they begin."""
    missing = [index for index, name in enumerate(above) if not name]
    return (
        len(cells) >= len(above) > len(missing)
        and bool(missing or len(cells) > len(above))
        and not cells[0]
        and all(cells[index] for index in (*missing, *range(len(above), len(cells))))
    )


def _cell(row: Row, index: int) -> Cell:
    text = _words(row.cells[index])
    return replace(row.merged[index], text=text) if index in row.merged else Cell(text)


def _words(cell: str) -> str:
    return cell if cell.isalnum() else " ".join(cell.split())


def _pairs(rows: Iterable[Row]) -> Iterator[tuple[Row, Row]]:
    """Rows that hold something, each with the next."""
    before: Row | None = None
    for row in rows:
        if any(row.cells):
            if before is not None:
                yield before, row
            before = row
    if before is not None:
        yield before, Row(before.number + 1, ())


def _text_of(data: bytes, lost: Counter[str]) -> str:
    """The text of a table; Excel writes windows-1252 in much of Europe."""
    text = decoded(data, lost=lost)
    if "\0" in text:
        raise UnreadableFile(Unreadable.NOT_TEXT, f"the table holds a zero byte: character {text.index(chr(0))}")
    return text


def _records(text: str, limits: ReadingLimits, lost: Counter[str]) -> Iterator[Row]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    said = _SEPARATOR.match(text)
    text = text[said.end() :] if said else text
    over: list[str] = []
    lines: list[str] = []  # of the row that is read
    delimiter = said[1] if said else _delimiter(text)
    reader = csv.reader(_ended(text, lines, over), delimiter=delimiter, strict=False)
    try:
        for number, record in enumerate(reader, 1):
            if over:
                if record == over:
                    return
                record[-1] = record[-1].removesuffix(_END)
                lost[_UNCLOSED] += 1
            elif len(lines) > 1:
                lost[_UNMATCHED] += not _is_strict(lines, delimiter)
            lines.clear()
            if len(record) > _MOST_CELLS:
                raise UnreadableFile(Unreadable.TOO_LARGE, f"row {number} has more than {_MOST_CELLS} cells")
            if number > limits.blocks:
                raise UnreadableFile(Unreadable.TOO_LARGE, f"more than {limits.blocks} rows")
            yield Row(number, record)
    except csv.Error as fault:
        raise UnreadableFile(
            Unreadable.TOO_LARGE,
            f"a cell of more than {csv.field_size_limit()} characters, as behind a quotation mark that is never closed",
        ) from fault


def _is_strict(lines: list[str], delimiter: str) -> bool:
    """Whether quotation marks stand only around the cells of a row, or are doubled."""
    try:
        return len(list(csv.reader(lines, delimiter=delimiter, strict=True))) == 1
    except csv.Error:
        return False


def _ended(text: str, lines: list[str], over: list[str]) -> Iterator[str]:
    """The lines, which are put in `lines`, and one behind them, which is a row of its own unless a quotation mark is open;
    it is put in `over`.
    """
    for line in _lines(text):
        lines.append(line)
        yield line
    over.append(_END)
    yield _END


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends. `splitlines` would end them at signs that CSV knows nothing of."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _delimiter(text: str) -> str:
    """The one that cuts most of the first lines into the same number of cells, more than one."""
    sample: list[str] = []
    for line in _lines(text[:100_000]):
        if line.strip():
            sample.append(line)
        if len(sample) == _LOOKED_AT:
            break
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = [len(record) for record in csv.reader(sample, delimiter=delimiter)]
        if not widths or max(widths) < 2:
            continue
        usual = max(set(widths) - {1}, key=widths.count)
        score = widths.count(usual) + usual / 1_000
        if score > most:
            best, most = delimiter, score
    return best
