"""Writing down what a reader of markup finds: the text piece by piece, and beside it blocks, anchors and hidden spans.

The rule of white space, for all of them: blocks are set apart by a blank line; items of one list, the rows of a table,
and paragraphs in one cell by a line end; cells of a row by a tab. Nothing is written before there is a word to follow
it, so the text neither begins nor ends with white space.
"""

import re
from bisect import bisect_right
from collections import Counter
from typing import Final

from verified_gate.ingest.extracted import Anchor, Block, BlockKind, Extracted, words_seen
from verified_gate.ingest.formats.grid import NO_NAMES, Names
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_LINE, _BLANK = "\n", "\n\n"
_SPACES: Final = re.compile("  +")
_UNSPACED: Final = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff65"
_BETWEEN: Final = re.compile(f"([{_UNSPACED}])[ \\t\\f\\r]*\\n[ \\t\\n\\f\\r]*(?=[{_UNSPACED}])")
_AFTER: Final = re.compile(f"\n[ \\t\\n\\f\\r]*[{_UNSPACED}]")
"""What must be there for the other; it is found in a tenth of the time, as it begins with one sign."""
_MOST_BLANK: Final = 1_000
"""White space between words, piece by piece; more of it is cut: each piece would copy all before it."""

_made: Final = tuple.__new__
"""Makes a `Block` or an `Anchor` in a quarter of the time that their own constructors take."""

_RAISED: Final = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def raised(text: str) -> str:
    """What is set as an exponent: `10` and a raised `2` are 10², and must not run together to 102."""
    return _shifted(text, _RAISED, "^")


def lowered(text: str) -> str:
    """What is set as an index: `H₂O`."""
    return _shifted(text, _LOWERED, "_")


def in_brackets(text: str) -> str:
    """The mark of a note, which must not run together with the word before it."""
    mark = text.strip()
    return f"[{mark}]" if mark.isalnum() or mark in ("*", "†", "‡", "§") else text


def collapsed(text: str) -> str:
    """White space as browsers show it: one space, and nothing between letters of scripts that know none."""
    if "\n" in text:
        if not text.isascii() and _AFTER.search(text):
            text = _BETWEEN.sub(r"\1", text)
        text = text.replace("\n", " ")
    for sign in "\t\r\f":
        if sign in text:
            text = text.replace(sign, " ")
    return _SPACES.sub(" ", text) if "  " in text else text


def _shifted(text: str, signs: dict[int, int], otherwise: str) -> str:
    if not any(map(str.isdigit, text)):
        return text  # 1st, 2nd, M. le Prof.: letters, which flatten without harm
    if all(ord(char) in signs for char in text.strip()):
        return text.translate(signs)
    return otherwise + text


def told(lost: Counter[str]) -> tuple[str, ...]:
    """What was lost, for people: each kind with its number, `{s}` in it being the sign of more than one.

    A kind without that sign is not counted: `macros`.
    """
    return tuple(
        f"{count} {name.replace('{s}', '' if count == 1 else 's')}" if "{s}" in name else name
        for name, count in lost.items()
        if count
    )


class Composer:
    """Collects an `Extracted`. Raises `UnreadableFile` (`too_large`) over the limits of characters and blocks."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits, self._most = limits, limits.characters
        self._pieces: list[str] = []
        self._length = 0
        self._pending = ""  # white space that stands before the next words
        self.fresh = True
        """Whether nothing was written since the last border."""
        self._near = False  # an item begins that stands by the one before
        self._kinds: list[tuple[BlockKind, int]] = [("paragraph", 0)]
        self._start: int | None = None  # of the block being written
        self._rows: list[int] = []  # rows inside each other: the cell that each is at
        self._cell = 0  # where the cell began
        self._tabs = 0  # empty cells that the next words come after, and one for their own
        self._row = 0  # the piece that the outermost row begins with
        self._cells: list[tuple[int, int]] = []  # where the words of its cells begin, and their numbers
        self._blocks: list[Block] = []
        self._anchors: list[Anchor] = []
        self._element: str | None = None
        self._chapter = ""
        self._hidden: list[tuple[int, int]] = []
        self.hiding = False
        """While set, what is written is marked as hidden."""

    @property
    def length(self) -> int:
        """Code points written so far."""
        return self._length

    @property
    def last(self) -> str:
        """The sign that the next words would stand right behind, "" for none."""
        return "" if self.fresh or self._pending or self._tabs else self._pieces[-1][-1]

    def words(self, text: str) -> None:
        """Text as it stands, but for white space at a border."""
        kept = text.strip()
        if not kept:
            if text:
                self.space(text)
            return
        if len(kept) == len(text):
            self._write(kept)
            return
        before = len(text) - len(text.lstrip())
        if before:
            self.space(text[:before])
        self._write(kept)
        self._pending = text[before + len(kept) :]

    def verbatim(self, text: str) -> None:
        """Preformatted text: its white space counts, but for that at the end of the block."""
        kept = text.rstrip()
        if not kept:
            if len(self._pending) < _MOST_BLANK:
                self._pending += text
            return
        self._write(kept)
        self._pending = text[len(kept) :]

    def space(self, text: str = " ") -> None:
        """White space between words, if this line has any."""
        if not self._pending and not self.fresh:
            self._pending = text

    def line(self) -> None:
        """A line end inside of a block."""
        if not self.fresh and len(self._pending) < _MOST_BLANK:
            self._pending = self._pending.strip(" \t") + _LINE

    def part(self) -> None:
        """A line end inside of a block, unless one is there."""
        if _LINE not in self._pending:
            self.line()

    def gap(self) -> None:
        """A cell ends or begins that is none of a row: a tab, in a row's cell a line end."""
        if self._rows:
            self.border()
        elif not self.fresh and _LINE not in self._pending:
            self._pending = "\t"

    def border(self) -> None:
        """A block begins or ends here; in a cell it is a line end."""
        if not self.fresh:
            if not self._rows:
                self._close()
            self.fresh, self._pending = True, _LINE
        if not self._rows and not self._near:
            self._pending = _BLANK

    def begin(self, kind: BlockKind, level: int = 0, *, near: bool = False) -> None:
        """Up to `end` words are a block of `kind`, cut by the blocks inside of it. `near`: on the line that follows."""
        if not self.fresh or self._rows:
            self.border()
        elif not self._near:
            self._pending = _BLANK
        self._kinds.append((kind, level))
        if near and not self._rows:
            self._near, self._pending = True, _LINE

    def end(self) -> None:
        """The innermost block ends."""
        self._near = False
        if self._rows:
            self.border()
        else:
            if not self.fresh:
                self._close()
                self.fresh = True
            self._pending = _BLANK
        self._kinds.pop()

    def begin_row(self) -> None:
        """A row begins. One inside of a cell is a line of that cell."""
        if not self._rows:
            self._close()
            self._row, self._cells = len(self._pieces), []
        self._rows.append(0)
        self._cell = self._length

    def cell(self, index: int) -> int:
        """The cell `index` (from 0) of the row begins; those passed over are empty. Returns a mark for `since`."""
        if index:
            if not (self.fresh and self._length == self._cell):
                self._pending, self._tabs = "", 0
            self._tabs += index - self._rows[-1]
            self._rows[-1] = index
        elif len(self._rows) > 1:
            self.border()
        self.fresh, self._cell = True, self._length
        return len(self._pieces)

    def since(self, mark: int) -> str:
        """The words written since `mark` that are seen, white space collapsed."""
        words = "".join(self._pieces[mark:])
        before = self._length - len(words)
        if not self._hidden or self._hidden[-1][1] <= before:
            return " ".join(words.split())
        hidden = self._hidden[bisect_right(self._hidden, before, key=lambda span: span[1]) :]
        return words_seen(words, [(max(0, start - before), end - before) for start, end in hidden], 0, len(words))

    def end_row(self, number: int, names: Names = NO_NAMES) -> None:
        """The row ends: the `number`th of its table (from 1), with the headers of its cells, and its own."""
        self._rows.pop()
        if not self._rows:
            self._close("row", number, names)
        self.fresh, self._pending, self._tabs = True, _LINE, 0

    def _told_cells(self) -> tuple[tuple[int, int], ...]:
        """Where the cells of the row that ends begin, if one holds tabs of its own; numbers from the first with words."""
        cells = self._cells
        first = cells[0][1] if cells else 0
        tabs = sum(piece.count("\t") for piece in self._pieces[self._row :]) - (first if self._row else 0)
        return () if not cells or tabs == cells[-1][1] - first else tuple((at, cell - first) for at, cell in cells)

    def end_table(self) -> None:
        """What follows is no row."""
        self.border()

    def element(self, name: str) -> None:
        """An element with the id `name` begins: the next words stand in it."""
        self._element = name

    def chapter(self, name: str) -> None:
        """The next words stand in another part of the container."""
        self.border()
        self._chapter, self._element = name, ""

    def finish(self, reader: str, *, title: str = "", lang: str = "", lost: tuple[str, ...] = ()) -> Extracted:
        """All of it. Title and language as the file gives them, white space collapsed."""
        self._close()
        return Extracted(
            text="".join(self._pieces),
            reader=reader,
            blocks=tuple(self._blocks),
            anchors=tuple(self._anchors),
            hidden=tuple(self._hidden),
            title=" ".join(title.split()),
            lang=lang.strip(),
            lost=lost,
        )

    def _write(self, text: str) -> None:
        start = before = self._length
        if start and (self._pending or self._tabs):
            between = self._pending + "\t" * self._tabs
            self._pieces.append(between)
            start += len(between)
        self._pieces.append(text)
        self._length = end = start + len(text)
        if end > self._most:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"more than {self._most} characters of text")
        if self._start is None:
            self._start = start
        if self._rows and (self._tabs or self.fresh):
            self._note_cell(start)
        if self._element is not None:
            self._anchors.append(_made(Anchor, (start, self._element, self._chapter)))
            self._element = None
        if self.hiding:
            joins = self._hidden and self._hidden[-1][1] == before
            self._hidden.append((self._hidden.pop()[0] if joins else start, end))
        self._pending, self._tabs, self.fresh, self._near = "", 0, False, False

    def _note_cell(self, start: int) -> None:
        """The words of a cell begin, or go on in another part of it."""
        if not self._cells or self._cells[-1][1] != self._rows[0]:
            self._cells.append((start, self._rows[0]))

    def _close(self, kind: BlockKind | None = None, row: int | None = None, names: Names = NO_NAMES) -> None:
        start, blocks = self._start, self._blocks
        if start is None:
            return
        if len(blocks) >= self._limits.blocks:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"more than {self._limits.blocks} blocks")
        own, level = self._kinds[-1]
        if names is NO_NAMES:
            blocks.append(_made(Block, (kind or own, start, self._length, 0 if kind else level, row, (), (), ())))
        else:
            cells = self._told_cells() if any(names.columns) else ()
            blocks.append(_made(Block, (kind or own, start, self._length, 0, row, *names, cells)))
        self._start = None
