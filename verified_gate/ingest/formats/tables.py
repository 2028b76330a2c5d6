"""Tables: CSV here, workbooks (XLSX) in `workbook`. Each row is a block, its cells set apart by tabs.

The first row names the columns where its cells are words, or years over numbers; a title may stand above it. Nothing
is rewritten: a number stays as it is spelled. The line `sep=;`, which is for spreadsheets alone, is no row.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.composing import Composer, told
from verified_gate.ingest.formats.encoding import UNDECODED, decoded
from verified_gate.ingest.formats.grid import MOST_COLUMNS, Cell, Grid, names_columns, surely_names_columns
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

READER: Final = "Python csv"

_DELIMITERS: Final = ",;\t|"
_LOOKED_AT: Final = 20
"""Lines by which the delimiter is found."""
_MOST_CELLS: Final = 16_384
"""Of a row, which is what a workbook can hold."""
_MOST_TITLES: Final = 5
_SEPARATOR: Final = re.compile(r'"?sep=([,;|\t:])"?[ \t]*\n', re.IGNORECASE)


def read(data: bytes, limits: ReadingLimits, *, kind: str = "csv", **_: str) -> Extracted:
    """Read a CSV file, or with `kind` "xlsx" a workbook. Raises `UnreadableFile`."""
    if kind == "xlsx":
        from verified_gate.ingest.formats.workbook import read_workbook

        return read_workbook(data, limits)
    composer = Composer(limits)
    text, bad = _decoded(data)
    write_table(composer, _records(text, limits))
    return composer.finish(READER, lost=told(Counter({UNDECODED: bad})))


def write_table(composer: Composer, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
    """Write numbered rows of cells; the first that names the columns is the header of those below it."""
    grid = Grid()
    titles, begun = 0, False
    for (number, cells), below in _pairs(rows):
        composer.begin_row()
        for index, cell in enumerate(cells):
            if cell:
                composer.cell(index)
                composer.words(cell)
        header = not begun and (surely_names_columns if titles else names_columns)(cells, below)
        composer.end_row(number, grid.row([Cell(cell) for cell in cells[:MOST_COLUMNS]], header=header))
        if not begun:
            titles += sum(map(bool, cells)) == 1
            begun = header or titles > _MOST_TITLES or sum(map(bool, cells)) > 1
    composer.end_table()


def _pairs(rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[tuple[tuple[int, Sequence[str]], Sequence[str]]]:
    """Rows that hold something, each with the cells of the next."""
    before: tuple[int, Sequence[str]] | None = None
    for row in rows:
        if any(row[1]):
            if before is not None:
                yield before, row[1]
            before = row
    if before is not None:
        yield before, ()


def _decoded(data: bytes) -> tuple[str, int]:
    """The text of a table, and how many bytes of it stand for nothing; Excel writes windows-1252 in much of Europe."""
    text, bad = decoded(data)
    if "\0" in text:
        raise UnreadableFile(Unreadable.NOT_TEXT, f"the table holds a zero byte: character {text.index(chr(0))}")
    return text, bad


def _records(text: str, limits: ReadingLimits) -> Iterator[tuple[int, list[str]]]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    said = _SEPARATOR.match(text)
    text = text[said.end() :] if said else text
    reader = csv.reader(_lines(text), delimiter=said[1] if said else _delimiter(text), strict=False)
    try:
        for number, record in enumerate(reader, 1):
            if len(record) > _MOST_CELLS:
                raise UnreadableFile(Unreadable.TOO_LARGE, f"row {number} has more than {_MOST_CELLS} cells")
            if number > limits.blocks:
                raise UnreadableFile(Unreadable.TOO_LARGE, f"more than {limits.blocks} rows")
            yield number, record
    except csv.Error as fault:
        raise UnreadableFile(
            Unreadable.TOO_LARGE, f"a cell of more than {csv.field_size_limit()} characters"
        ) from fault


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
