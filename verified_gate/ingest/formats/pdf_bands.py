"""Words of a page of a PDF put together to pieces of lines, and to the lines of columns, by where they stand; and what
tells columns of sentences from the cells of a table: lines stand beside each other all the way down, one after the other
in the text; they fill their column, and go on from one to the next.
"""

import itertools
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple, Protocol

from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.text.characters import UNSPACED

WORDS: Final = 4
"""So many words are words of a sentence."""
APART: Final = 7.0
"""Points: pieces so far from each other may stand in two columns."""
_OF_SIZE: Final = 0.8
"""Times the size of the letters: the same."""
GAP: Final = 1.6
"""Times the usual step from line to line."""

_CLOSE: Final = 0.4
"""Times the size of the letters: a number that stands further from words may number their line."""
_MOST: Final = 10_000
"""Words of a page that are looked at."""
_LEVEL: Final = 0.6
"""Times the size of the letters: what differs less in height may stand on one line."""
_NEAR: Final = 0.75
"""Times the same: so far up and down another line stands beside one."""
_EDGE: Final = 0.4
"""Times the same: so far apart two lines begin at one place."""
_FAR: Final = 3.0
"""Times the same: so far from others a line may be one at the edge of the page."""
_WIDTH: Final = 0.75
_FILLED: Final = 0.7
"""Of the lines of a column so many have this share of the width of the wider ones."""
_GOES_ON: Final = 0.2
"""Of the lines of a column so many begin within a sentence, with a small letter."""
_MARKED: Final = 0.1
"""Of them so many hold the end of a sentence, or of a part of one, before their own end."""
_ENDING: Final = 0.04
"""Of them so many hold the end of a sentence and the beginning of the next."""
_FIGURES: Final = 0.25
"""Of letters and digits: where more are digits, they are a table's."""
_BESIDE: Final = 0.6
"""Of the lines of a column so many follow the one above, and of one column so many have the other beside them."""
_SAID: Final = 1 / 3
"""Of the lines beside each other so many have words of a sentence on both sides."""
_CROSSING: Final = 0.5
"""For as many the text goes over from one column to the other."""

LETTER: Final = re.compile(r"[^\W_]")
_WORD: Final = re.compile(r"[^\s\ufffe]+\ufffe?|\ufffe")
_BORDER: Final = re.compile("[\t\n]")
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_OF_UNSPACED: Final = 3
"""Characters of a script without spaces that count as a word."""
_LONGEST_NUMBER: Final = 3
_LONG: Final = 8
"""Letters; a longer word counts for several."""
_ENDS: Final = re.compile(
    r"[^\s.] ?[.;:?!\u061b\u061f\u06d4\u0964][)\]\"'”’»]? +[^\W\d]|[\u3002\uff01\uff1a\uff1b\uff1f]."
)
_WITHIN: Final = re.compile(r"[.,;:?!\u060c\u061b\u061f\u06d4\u0964\u3001\u3002\uff0c\uff1a\uff1b](?=.{3})", re.DOTALL)


class Letters(Protocol):
    """The text of a page and where its characters stand."""

    text: str

    def box(self, offset: int) -> Box: ...
    def boxes(self, offsets: Sequence[int]) -> list[Box]: ...
    def size(self, offset: int) -> float: ...


class Piece:
    """Words that stand beside each other on one line: [start, end) of the text, their place, the size of their letters and
    the piece's number.
    """

    __slots__ = ("at", "blanks", "bottom", "end", "hidden", "left", "right", "size", "start", "top", "words")

    def __init__(self, start: int, end: int, box: Box, size: float, at: int, *, hidden: bool = False) -> None:
        self.start, self.end, self.size, self.at, self.words, self.hidden = start, end, size, at, 0, hidden
        self.left, self.bottom, self.right, self.top = box
        self.blanks: list[tuple[float, float]] = []
        """How wide each is between its words, and where the next word begins."""

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    def takes(self, end: int, box: Box, size: float, *, close: bool = False) -> bool:
        """Take in the next word, up to `end`, if it stands beside the last one; only as a word of its line if `close`."""
        left, bottom, right, top = box
        size = max(self.size, size)
        if right > left or top > bottom:  # else PDFium knows no place
            if abs((bottom + top) / 2 - self.middle) > _LEVEL * size:
                return False
            gap = max(left - self.right, self.left - right)
            if not -size <= gap <= (_CLOSE * size if close else max(APART, _OF_SIZE * size)):
                return False  # or over others, as smaller letters between two lines
            self.blanks.append((left - self.right, left))
            self.left, self.right = min(self.left, left), max(self.right, right)
            self.bottom, self.top = min(self.bottom, bottom), max(self.top, top)
        self.end, self.size = end, size
        return True

    def is_level(self, other: "Piece") -> bool:
        """May both stand on one line?"""
        return abs(self.middle - other.middle) <= _LEVEL * max(self.size, other.size)

    def is_beside(self, other: "Piece") -> bool:
        """May both stand beside each other in two columns, whose lines need not be level?"""
        return abs(self.middle - other.middle) <= _NEAR * max(self.size, other.size)


class Line(NamedTuple):
    """A line of a column: its words, from where to where it goes, its middle, the size of its letters, how many words."""

    text: str
    left: float
    right: float
    middle: float
    size: float
    words: int


class Band(NamedTuple):
    """The lines of the two columns beside a gutter, from the top, and those of the left one with what is beside them."""

    columns: tuple[list[Line], list[Line]]
    beside: list[tuple[Line, Line]]

    @property
    def said(self) -> int:
        """How many words of a sentence stand beside words of a sentence."""
        return sum(min(one.words, other.words) >= WORDS for one, other in self.beside)


def pieces_of(letters: Letters, hidden: Sequence[tuple[int, int]] = ()) -> list[Piece]:
    """Those of a page, in the order of its text; none of a page of too many words. Words in a span that is `hidden` are
    pieces of their own.
    """
    text, found, ends = letters.text, list[Piece](), [end for _, end in hidden]
    for number, word in enumerate(_WORD.finditer(text)):
        if number >= _MOST:
            return []
        start, end = word.span()
        one, other = letters.box(start), letters.box(end - 1)
        box = (min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]))
        size = letters.size(start) or box[3] - box[1]
        span = bisect_right(ends, start)
        unseen = span < len(ends) and hidden[span][0] <= start and end <= ends[span]
        last = found[-1] if found else None
        if (
            last is None
            or last.hidden != unseen
            or _BORDER.search(text, last.end, start)
            or not last.takes(end, box, size, close=is_number(word[0]) or is_number(text[last.start : last.end]))
        ):
            found.append(Piece(start, end, box, size, len(found), hidden=unseen))
        if LETTER.search(word[0]):  # and no dots that lead to a number
            found[-1].words += max(1, len(word[0]) // _LONG, len(_UNSPACED.findall(word[0])) // _OF_UNSPACED)
    return found


def is_number(text: str) -> bool:
    """May it number a line?"""
    return len(text) <= _LONGEST_NUMBER and text.isascii() and text.isdecimal()


def bands_of(pieces: Sequence[Piece], place: float) -> Iterator[tuple[int, int]]:
    """Pieces [start, end) from the top down, none of which stands across this place."""
    start = 0
    last: dict[bool, Piece] = {}
    for at, piece in enumerate(pieces):
        right, across = piece.left >= place, piece.left < place < piece.right
        above = last.get(right)
        if across or (above is not None and piece.middle > above.middle and not piece.is_level(above)):
            if start < at:
                yield start, at
            start = at + across
            last.clear()
        if not across:
            last[right] = piece
    if start < len(pieces):
        yield start, len(pieces)


def sides_of(pieces: Sequence[Piece], place: float) -> tuple[list[Piece], list[Piece]]:
    """What stands on the left of a place, and on the right."""
    return [each for each in pieces if each.left < place], [each for each in pieces if each.left >= place]


def judged(
    text: str, pieces: Sequence[Piece], place: float, low: float, high: float, *, from_right: bool
) -> Band | None:
    """The lines beside this place, up to `low` and `high`, if most stand beside each other, one after the other in the
    text, with words of a sentence on both sides; not those of names, or of notes in the margin.
    """
    near = [each for each in pieces if each.right > low and each.left < high]
    sides = sides_of(near, place)
    if not all(sides):
        return None
    left, right = lines_of(text, sides[0]), lines_of(text, sides[1])
    edges = [[line.left for line in right], *([[line.right for line in left]] if from_right else [])]
    if not any(_is_straight(each, right[0].size) for each in edges):
        return None
    beside = _beside(left, right)
    if len(beside) < max(2, _BESIDE * min(_within(left, right), _within(right, left))):
        return None
    step = min(map(_step, (left, right)))
    if not (_is_dense(left, step) and _is_dense(right, step)):
        return None
    crossing = sum(
        (one.left < place) != (other.left < place) and one.is_beside(other) for one, other in itertools.pairwise(near)
    )
    band = Band((left, right), beside)
    return band if _SAID * len(beside) <= band.said and _CROSSING * len(beside) <= crossing else None


def lines_of(text: str, side: Sequence[Piece]) -> list[Line]:
    """The pieces of a column put together to lines, from the top."""
    rows: list[list[Piece]] = []
    for piece in sorted(side, key=lambda piece: -piece.middle):
        if rows and piece.is_level(rows[-1][0]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [_line(text, sorted(row, key=lambda piece: piece.start)) for row in rows]


def _line(text: str, row: Sequence[Piece]) -> Line:
    return Line(
        " ".join(text[piece.start : piece.end] for piece in row),
        min(piece.left for piece in row),
        max(piece.right for piece in row),
        row[0].middle,
        row[0].size,
        sum(piece.words for piece in row),
    )


def _is_straight(edges: Sequence[float], size: float) -> bool:
    """Do most lines begin at one place? Those behind wide spaces do not."""
    ordered = sorted(edges)
    return max(bisect_right(ordered, edge + _EDGE * size) - at for at, edge in enumerate(ordered)) >= len(edges) / 2


def _within(column: Sequence[Line], other: Sequence[Line]) -> int:
    """How many lines of a column stand between the first and the last one of the other, but for one far from its rest."""
    first, last = 0, len(other) - 1
    if last > 1:
        first += other[0].middle - other[1].middle > _FAR * other[1].size
        last -= other[-2].middle - other[-1].middle > _FAR * other[-2].size
    return sum(other[last].middle - 1 <= line.middle <= other[first].middle + 1 for line in column)


def _step(column: Sequence[Line]) -> float:
    """The usual step from line to line."""
    return (
        median(above.middle - below.middle for above, below in itertools.pairwise(column)) if column[1:] else math.inf
    )


def _is_dense(column: Sequence[Line], step: float) -> bool:
    """Do most lines of a column follow the one above, unlike names, and notes in the margin?"""
    near = sum(above.middle - below.middle <= GAP * step for above, below in itertools.pairwise(column))
    return near >= _BESIDE * (len(column) - 1)


def _beside(column: Sequence[Line], other: Sequence[Line]) -> list[tuple[Line, Line]]:
    """The lines of a column, each with the one of the other that stands nearest beside it."""
    rising = [-line.middle for line in other]
    found = []
    for line in column:
        at = bisect_left(rising, -line.middle)
        nearest = min(other[max(0, at - 1) : at + 1], key=lambda each: abs(each.middle - line.middle))
        if abs(nearest.middle - line.middle) <= _NEAR * max(line.size, nearest.size):
            found.append((line, nearest))
    return found


def are_columns(bands: Sequence[Band]) -> bool:
    """Do the lines on both sides fill their column and go on from one to the next, and are no figures?"""
    return all(_go_on([line for band in bands for line in band.columns[side]]) for side in (0, 1))


def hold_sentences(bands: Sequence[Band]) -> bool:
    """Do sentences end within some lines of both columns, and others begin there? In cells each is on its own."""
    columns = [[line for band in bands for line in band.columns[side]] for side in (0, 1)]
    ends = [sum(_ENDS.search(line.text) is not None for line in column) for column in columns]
    return all(count >= max(1, _ENDING * len(column)) for count, column in zip(ends, columns, strict=True))


def _go_on(column: Sequence[Line]) -> bool:
    letters = "".join(itertools.chain.from_iterable(LETTER.findall(line.text) for line in column))
    if sum(map(str.isdigit, letters)) > _FIGURES * len(letters):
        return False
    if sum(_WITHIN.search(line.text) is not None for line in column) < _MARKED * len(column):
        return False
    widths = sorted(line.right - line.left for line in column)
    full = _WIDTH * widths[len(widths) * 9 // 10]
    if sum(width >= full for width in widths) < _FILLED * len(column):
        return False
    firsts = [first[0] for line in column if not line.text.isupper() and (first := LETTER.search(line.text))]
    small, large = sum(map(str.islower, firsts)), sum(map(str.isupper, firsts))
    if 2 * (small + large) < len(column):  # figures, capitals, or a script without small letters
        return True
    return small >= _GOES_ON * (small + large)
