"""Headers of a table's cells, found while its rows are read: they are context of a row, never part of its words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final, NamedTuple

MOST_COLUMNS: Final = 1_000
MOST_NAME: Final = 200
"""Code points of a header that are told with each row beneath it."""
_MOST_TITLE: Final = 80
"""The same of a title over rows: many stand beneath it."""
_MOST_PARTS: Final = 8
"""Headers of one row, as many again of the cells that are merged over it."""
_MOST_HEADING: Final = 2 * MOST_NAME
"""Code points of all that heads a row."""
_BUDGET: Final = 1_000_000
"""Cells under spans that are followed in one table; a million cells that each span a thousand are not."""
_YEAR: Final = re.compile(r"(?:FY ?)?(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?(?: ?[^\W\d][\w ]{0,20})?")
_LEVELS: Final = " · "
_SEVERAL: Final = ", "
"""Between the names of the columns that one cell lies in."""
_WIDE: Final = 3
"""Columns of a table whose first row, in words, are their names; two may as well be a question and its answer."""
_FEW_LETTERS: Final = 4
"""That a figure may have: `12 kg`, `EUR 500`."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The words of a cell, whether it is a header, and how many columns and rows it covers.

    `of_row`: it is a header that says that it is one of its row. `covered`: it stands for a column that another cell is
    merged over, and has no words.
    """

    text: str
    header: bool = False
    columns: int = 1
    rows: int = 1
    of_row: bool = False
    covered: bool = False


class Names(NamedTuple):
    """What a row is named by: `columns`, a name for each cell from the first that has words on, which is where the
    row's text begins; `heading`, what heads the row itself, outermost first.
    """

    columns: tuple[str, ...] = ()
    heading: tuple[str, ...] = ()


NO_NAMES: Final = Names()


class _Above(NamedTuple):
    """A cell that is merged over rows beneath its own: the last of them, its words, whether it is a header."""

    last: int
    words: str
    header: bool


class Grid:
    """The headers of one table. `whole`: its rows hold a cell for each column, those that are merged over, too."""

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._number = 0
        self._heads: dict[int, str] = {}
        self._line: tuple[str, ...] = ()  # of a row of so many cells as the last had
        self._named: list[list[str]] = []  # the rows that these come from
        self._deep = 0  # the last row that a cell of them is merged over, where another is over columns
        self._above: dict[int, _Above] = {}  # column -> the cell over it; words only at the first of its columns
        self._titles: tuple[str, ...] = ()  # of the table
        self._group: tuple[str, ...] = ()  # titles of the rows that come
        self._titled = False  # the row before was one
        self._open = True  # the next row may name columns: none came before, or only such that group others
        self._data = False  # the row before held data
        self._left = _BUDGET

    @property
    def goes_on(self) -> bool:
        """Whether the row before names columns, and the next may name them more closely."""
        return self._open and bool(self._named)

    def row(self, cells: Sequence[Cell], *, header: bool = False, number: int | None = None) -> Names:
        """The names of the next row, which is the `number`th; none of one that names columns itself, or is a title.

        A row of nothing but headers names the columns beneath it: at the top of the table, beneath one that groups columns
        or begins names of several rows, and after rows of data, where its names replace those above. One header
        across all columns is a title, and heads the rows beneath it.

        The heading of a row are titles above it, cells before its first own that are merged over it, and its headers:
        those that say so, else the words before its figures. Other cells that are merged over it follow with the names of
        their columns (`Place: Paris`).
        """
        if not header and not self._above and not any(map(_is_special, cells)):
            return self.plain([cell.text for cell in cells], number=number)
        self._number = self._number + 1 if number is None else number
        placed, above = self._placed(cells)
        declared = header or any(cell.header for cell in cells)
        if _is_title(cells) and not above and (declared or not self._named):
            if declared:
                self._entitle(cells[0].text)
            return NO_NAMES
        self._titled = False
        if self._data and self._repeats(cells):
            return NO_NAMES
        if self._names(cells, header=header):
            self._head(placed)
            return NO_NAMES
        self._open, self._data = False, True
        own = next((column for column, cell in placed if cell.text), MOST_COLUMNS)
        names = [self._name(column, cell) for column, cell in placed if column >= own]
        if len(placed) < len(cells):
            names.append("")
        before = [cell for column, cell in above if column < own]
        return Names(tuple(names) if any(names) else (), self._heading(before, cells, self._beside(above, own)))

    def plain(self, cells: Sequence[str], *, number: int | None = None) -> Names:
        """The same of a row that names no columns, whose cells are neither merged nor headers: as most are."""
        if self._above:
            return self.row([Cell(words) for words in cells], number=number)
        self._number = self._number + 1 if number is None else number
        self._titled = False
        if (
            self._data
            and len(cells) > 1
            and any(named[:1] == [cells[0]] and list(cells) == named for named in self._named)
        ):
            return NO_NAMES
        self._open, self._data = False, True
        if len(cells) != len(self._line):
            named = [self._heads.get(column, "") for column in range(min(len(cells), MOST_COLUMNS + 1))]
            self._line = tuple(named) if any(named) else ("",) * len(named)
        own = next((column for column, words in enumerate(cells) if words), len(cells))
        columns = self._line[own:] if own else self._line
        heads = () if len(cells) - own < 2 else _before_figures([words for words in cells if words])
        if self._titles or self._group:
            return Names(columns if any(columns) else (), self._told(heads))
        return Names(columns if any(columns) else (), tuple(head[:MOST_NAME] for head in heads[:2]))

    def end_part(self) -> None:
        """A part of the table ends, and with it all cells that are merged."""
        self._above = {}

    def forget(self) -> None:
        """Another table may begin: the names above are not those of what comes."""
        self._heads, self._line, self._named, self._deep = {}, (), [], 0
        self._open, self._data = True, False

    def free(self, column: int) -> int:
        """The first column from `column` on that no cell above covers in the row that comes."""
        while column in self._above and self._above[column].last > self._number:
            column += 1
        return column

    def _names(self, cells: Sequence[Cell], *, header: bool) -> bool:
        """Whether the row names columns. Forgets the names above where its own replace them."""
        again = self._data and _names_anew(cells)
        if again or (header and self._data):
            self._heads, self._line, self._named, self._deep = {}, (), [], 0
        deeper = self._number <= self._deep and not any(_is_value(cell.text) for cell in cells if cell.text)
        return header or again or deeper or (self._open and _names_columns(cells))

    def _head(self, placed: Sequence[tuple[int, Cell]]) -> None:
        """The row names columns."""
        self._line = ()
        if not self._named and not self._data:
            self._titles, self._group = self._group, ()
        if len(self._named) < _MOST_PARTS:
            self._named.append([cell.text for _, cell in placed])
        down = max((self._number + cell.rows - 1 for _, cell in placed if cell.rows > 1), default=0)
        across = any(cell.columns > 1 for _, cell in placed)
        self._deep = max(self._deep, down if across else 0)
        self._data, self._open = False, bool(self._above) or across
        for column, cell in placed:
            for each in self._under(column, cell) if cell.text else ():
                self._heads[each] = _joined(self._heads.get(each, ""), cell.text)

    def _entitle(self, title: str) -> None:
        before = self._group if self._titled else ()
        self._group, self._titled = (*before, title[:_MOST_TITLE])[-2:], True

    def _repeats(self, cells: Sequence[Cell]) -> bool:
        """Whether the row is one that named the columns, printed once more."""
        return len(cells) > 1 and any([cell.text for cell in cells] == named for named in self._named)

    def _name(self, column: int, cell: Cell) -> str:
        """The name of a cell: those of all columns that it lies in."""
        if cell.covered:
            return ""
        if cell.columns == 1:
            return self._heads.get(column, "")
        names = filter(None, (self._heads.get(each, "") for each in self._under(column, cell)))
        return _SEVERAL.join(dict.fromkeys(names))[:MOST_NAME]

    def _beside(self, above: Sequence[tuple[int, _Above]], own: int) -> Iterator[str]:
        """What is merged over the row, but not before its own cells."""
        for column, cell in above:
            if column > own:
                name = "" if cell.header else self._heads.get(column, "")
                yield f"{name}: {cell.words}"[:MOST_NAME] if name else cell.words

    def _heading(self, before: Sequence[_Above], cells: Sequence[Cell], beside: Iterable[str]) -> tuple[str, ...]:
        own = _heads_of(cells, declared=any(cell.header for cell in before))
        heads = [*(cell.words for cell in before[:_MOST_PARTS]), *own[:_MOST_PARTS], *islice(beside, _MOST_PARTS)]
        return self._told(heads)

    def _told(self, heads: Sequence[str]) -> tuple[str, ...]:
        told: dict[str, None] = {}
        left = _MOST_HEADING
        for head in (*self._titles, *self._group, *heads):
            if left > 0:
                told[head[: min(MOST_NAME, left)]] = None
                left -= len(head)
        return tuple(told)

    def _placed(self, cells: Sequence[Cell]) -> tuple[list[tuple[int, Cell]], list[tuple[int, _Above]]]:
        """The cells with their columns, past those that cells above still cover, and the cells that do, with words."""
        placed: list[tuple[int, Cell]] = []
        above, below = self._above, dict[int, _Above]()
        column, free, until = 0, set[int](), 0  # `until`: the columns that a cell of this row is merged over
        for cell in cells:
            while not self._whole and column in above:
                column += 1
            if column >= MOST_COLUMNS:
                break
            placed.append((column, cell))
            if self._whole and (not cell.covered or column < until):
                free.add(column)
            if cell.columns > 1:
                until = column + cell.columns
            if cell.rows > 1:
                last = self._number + cell.rows - 1
                below.update(dict.fromkeys(self._under(column, cell), _Above(last, "", cell.header)))
                below[column] = _Above(last, cell.text[:MOST_NAME], cell.header)
            column += 1 if self._whole else max(1, cell.columns)
        self._left -= len(above)
        over = [(at, each) for at, each in above.items() if at not in free and each.last >= self._number]
        self._above = {at: each for at, each in over if each.last > self._number} if self._left >= 0 else {}
        self._above |= below
        return placed, sorted((at, each) for at, each in over if each.words)

    def _under(self, column: int, cell: Cell) -> range:
        """The columns of a cell; only its first once too many were followed."""
        last = min(column + cell.columns, MOST_COLUMNS) if self._left > 0 else column + 1
        self._left -= last - column
        return range(column, last)


def same_columns(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether two rows, by the names of their cells, are under the same headers: cells that one does not have, and cells
    over several columns, aside.
    """
    if above == below:
        return True
    ends = [[each for name in row for each in name.split(_SEVERAL)] for row in (above, below)]
    short, long = sorted((list(dict.fromkeys(filter(None, each))) for each in ends), key=len)
    if not short or short[0] not in long:
        return not long
    first = long.index(short[0])
    return short == long[first : first + len(short)]


def _joined(above: str, below: str) -> str:
    """A name of several levels; two numbers must not be one."""
    if above == below:
        return above
    apart = _LEVELS if above[-1:].isdigit() and below[:1].isdigit() else " "
    return f"{above}{apart}{below}".strip()[:MOST_NAME]


def _names_columns(cells: Sequence[Cell]) -> bool:
    """All are headers, but for empty corners; and not the header of a row that is else empty."""
    if any(cell.of_row for cell in cells) or not all(cell.header or not cell.text for cell in cells):
        return False
    heads = sum(bool(cell.header and cell.text) for cell in cells)
    return heads > 1 or (heads == 1 and (not cells[0].text or all(cell.header or cell.covered for cell in cells)))


def _names_anew(cells: Sequence[Cell]) -> bool:
    """Headers side by side, of which at most the first is empty."""
    return len(cells) > 1 and _names_columns(cells) and all(cell.text or cell.covered for cell in cells[1:])


def _is_title(cells: Sequence[Cell]) -> bool:
    """One cell across several columns, and none beside it."""
    return (
        bool(cells)
        and cells[0].columns > 1
        and bool(cells[0].text)
        and all(cell.covered and number < cells[0].columns for number, cell in enumerate(cells[1:], 1))
    )


def _heads_of(cells: Sequence[Cell], *, declared: bool) -> list[str]:
    """What of its own cells heads a row: its headers, and cells at its begin that go on over the next; where no headers
    are `declared`, the words before its figures, too.
    """
    filled = [cell for cell in cells if cell.text]
    first = len(list(takewhile(lambda cell: cell.header or cell.rows > 1, filled)))
    heads = [cell for number, cell in enumerate(filled) if cell.header or number < first]
    if len(heads) == len(filled) > 1 or not filled:
        return []
    words = [cell.text for cell in heads]
    if not declared and not any(cell.header for cell in heads):
        words += _before_figures([cell.text for cell in filled[first:]])
    return words


def _before_figures(cells: Sequence[str]) -> Sequence[str]:
    """The words, and years, before the figures that the rest of a row is; of many the first."""
    if len(cells) < 2:
        return ()
    words = len(list(takewhile(lambda text: not _is_figure(text) or _YEAR.fullmatch(text), cells)))
    words = words or int(cells[0][0].isalpha())  # `Q1 2023` at the head of figures
    figures = cells[words:]
    if not figures or not all(map(_is_figure, figures)):
        return ()
    years = len(list(takewhile(_YEAR.fullmatch, cells[:words])))
    return cells[: words if words - years <= len(figures) else years + 1]


def _is_special(cell: Cell) -> bool:
    return cell.header or cell.covered or cell.columns != 1 or cell.rows != 1


def _is_figure(text: str) -> bool:
    """A number, with what belongs to it; or a sign in the place of one."""
    if text.isdecimal():
        return True
    if text.isalpha():
        return False
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    return letters == 0 or (digits > 0 and letters <= max(_FEW_LETTERS, digits))


def _is_value(text: str) -> bool:
    """What is no name of a column: it begins with a digit, and is no year, or holds neither letter nor digit."""
    first = next(filter(str.isalnum, text), "")
    return not first.isalpha() and not _YEAR.fullmatch(text.strip())


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


def names_groups(cells: Sequence[Cell], below: Sequence[str]) -> bool:
    """Whether the first row of a table names groups of columns, and columns beside them, by how its cells are merged: over
    columns, several of them or beside one that is merged over rows, with no figure but years, over more than a title.

    `cells` are whole, or without those that are covered.
    """
    filled = [cell for cell in cells if cell.text.strip()]
    across = sum(cell.columns > 1 for cell in filled)
    down = any(cell.rows > 1 for cell in filled)
    if across < (1 if down else 2) or len(filled) < 2 or any(_is_value(cell.text) for cell in filled):
        return False
    wide = sum(cell.columns for cell in cells if not cell.covered)
    return sum(cell.columns for cell in filled) * 2 > wide and sum(map(bool, below)) > 1
