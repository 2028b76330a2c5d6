"""Tables: CSV here, workbooks (XLSX) in `workbook`. Each row is a block, its cells set apart by tabs.

The first row of a CSV file names the columns where all its cells are words, each another one. Nothing is rewritten:
a number stays as it is spelled.
"""

import codecs
import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.composing import Composer
from verified_gate.ingest.formats.grid import MOST_COLUMNS, Cell, Grid
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

READER: Final = "csv 1"

_DELIMITERS: Final = ",;\t|"
_LOOKED_AT: Final = 20
"""Lines by which the delimiter is found."""
_MOST_CELLS: Final = 16_384
"""Of a row, which is what a workbook can hold."""


def read(data: bytes, limits: ReadingLimits, *, kind: str = "csv", **_: str) -> Extracted:
    """Read a CSV file, or with `kind` "xlsx" a workbook. Raises `UnreadableFile`."""
    if kind == "xlsx":
        from verified_gate.ingest.formats.workbook import read_workbook

        return read_workbook(data, limits)
    composer = Composer(limits)
    write_table(composer, _records(_decoded(data), limits))
    return composer.finish(READER)


def write_table(composer: Composer, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
    """Write numbered rows of cells; the first that names the columns is the header of those below it."""
    grid = Grid()
    first = True
    for number, cells in rows:
        if not any(cells):
            continue
        composer.begin_row()
        for index, cell in enumerate(cells):
            if cell:
                composer.cell(index)
                composer.words(cell)
        columns = grid.row([Cell(cell) for cell in cells[:MOST_COLUMNS]], header=first and _names_columns(cells))
        composer.end_row(number, columns)
        first = False
    composer.end_table()


def _names_columns(cells: Sequence[str]) -> bool:
    """All are filled, different, and words rather than numbers; one alone is a title."""
    names = {cell.strip().casefold() for cell in cells}
    return 1 < len(cells) == len(names) and all(any(map(str.isalpha, name)) and not name[0].isdigit() for name in names)


def _decoded(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as fault:
        raise UnreadableFile(Unreadable.NOT_TEXT, f"the table is not {encoding}: byte {fault.start}") from fault
    if "\0" in text:
        raise UnreadableFile(Unreadable.NOT_TEXT, f"the table holds a zero byte: character {text.index(chr(0))}")
    return text


def _records(text: str, limits: ReadingLimits) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(_lines(text), delimiter=_delimiter(text), strict=False)
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
    text = text.replace("\r\n", "\n").replace("\r", "\n")
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
