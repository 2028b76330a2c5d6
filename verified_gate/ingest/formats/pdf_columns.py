"""Columns of a PDF in reading order, where the file draws its lines over all of them: the first of the left column, the
first of the right one, the second of the left one. So do text layers of OCR programs, and some converters.

Words are put together to pieces of lines by where they stand. A gutter is a place where many pieces with words of a
sentence stand on both sides; a band is what stands beside it from one line over the full width to the next. In a band one
column comes after the other. What may be a table stays as it is: its cells do not fill their column, or each begins anew.
"""

import itertools
import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final, Literal, NamedTuple, Protocol

from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_objects import PATH, PaintedObject
from verified_gate.text.characters import UNSPACED

SENTENCES: Final = 8
"""So many lines with words of a sentence on both sides of a gutter make columns."""
WORDS: Final = 4
"""So many words are words of a sentence."""
APART: Final = 7.0
"""Points: pieces so far from each other may stand in two columns."""
_OF_SIZE: Final = 0.8
"""Times the size of the letters: the same."""

_MOST: Final = 20_000
"""Words of a page that are looked at."""
_MOST_GUTTERS: Final = 6
_WIDE: Final = 8.0
"""Times their height: texts so wide may hold words of a sentence."""
_LEVEL: Final = 0.6
"""Times the size of the letters: what differs less in height may stand on one line."""
_NEAR: Final = 0.75
"""Times the same: so far up and down another line stands beside one."""
_WIDTH: Final = 0.75
_FILLED: Final = 0.7
"""Of the lines of a column so many have this share of the width of the widest."""
_GOES_ON: Final = 0.2
"""Of the lines of a column so many begin within a sentence, with a small letter."""
_MARKED: Final = 0.1
"""Of them so many hold the end of a sentence, or of a part of one, before their own end."""
_FIGURES: Final = 0.25
"""Of letters and digits: where more are digits, they are a table's."""
_BESIDE: Final = 0.6
"""Of the lines of a column so many have one of the other beside them, where both have lines."""
_ENOUGH: Final = 12
"""Lines of a band that are judged for themselves."""
_GAP: Final = 1.6
"""Times the usual step from line to line."""
_ALIGNED: Final = 0.8
"""Of the gaps of a column so many go through both where rows stand beside each other."""
_EDGE: Final = 2
"""Lines at the upper or lower end of a band that may be running lines."""
_LARGER: Final = 1.15
_ALONE: Final = 1.2
"""Times the usual step: so far up and down from a heading over all columns nothing stands beside it."""
_RULE: Final = 2.5
"""Points: what is higher is no rule."""
_TOUCH: Final = 3.0
_REACH: Final = 10.0
"""Points: so far a rule goes to both sides of a gutter that it crosses."""
_MOST_RULES: Final = 10_000

_WORD: Final = re.compile(r"[^\s\ufffe]+\ufffe?|\ufffe")
_BORDER: Final = re.compile("[\t\n]")
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_OF_UNSPACED: Final = 3
"""Characters of a script without spaces that count as a word."""
_LONG: Final = 8
"""Letters; a longer word counts for several."""
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER: Final = re.compile(r"[^\W_]")
_WITHIN: Final = re.compile(r"[.,;:?!\u060c\u061b\u061f\u06d4\u0964\u3001\u3002\uff0c\uff1a\uff1b](?=.{3})", re.DOTALL)

_Joint = Literal["as it was", "column", "line"]
"""What comes before a piece: what stood there; the line before in its column; a line end."""


class Letters(Protocol):
    """The text of a page and where its characters stand."""

    text: str

    def box(self, offset: int) -> Box: ...
    def size(self, offset: int) -> float: ...


class Part(NamedTuple):
    """[start, end) of the text as it was, and what comes before it now."""

    start: int
    end: int
    before: str


class _Piece:
    """Words that stand beside each other on one line: [start, end) of the text, their place, the size of their letters and
    the piece's number.
    """

    __slots__ = ("at", "bottom", "end", "left", "right", "size", "start", "top", "words")

    def __init__(self, start: int, end: int, box: Box, size: float, at: int) -> None:
        self.start, self.end, self.size, self.at, self.words = start, end, size, at, 0
        self.left, self.bottom, self.right, self.top = box

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    def takes(self, end: int, box: Box, size: float) -> bool:
        """Take in the next word, up to `end`, if it stands beside the last one."""
        left, bottom, right, top = box
        size = max(self.size, size)
        if right > left or top > bottom:  # else PDFium knows no place
            if abs((bottom + top) / 2 - self.middle) > _LEVEL * size:
                return False
            if max(left - self.right, self.left - right) > max(APART, _OF_SIZE * size):
                return False
            self.left, self.right = min(self.left, left), max(self.right, right)
            self.bottom, self.top = min(self.bottom, bottom), max(self.top, top)
        self.end, self.size = end, size
        return True

    def is_level(self, other: "_Piece") -> bool:
        """May both stand on one line?"""
        return abs(self.middle - other.middle) <= _LEVEL * max(self.size, other.size)


class _Line(NamedTuple):
    """A line of a column: its words, from where to where it goes, its middle, the size of its letters, how many words."""

    text: str
    left: float
    right: float
    middle: float
    size: float
    words: int


class _Band(NamedTuple):
    """The lines of the two columns beside a gutter, from the top, and those of the left one with what is beside them."""

    columns: tuple[list[_Line], list[_Line]]
    beside: list[tuple[_Line, _Line]]

    @property
    def said(self) -> int:
        """How many words of a sentence stand beside words of a sentence."""
        return sum(min(one.words, other.words) >= WORDS for one, other in self.beside)


def may_be_columns(boxes: Sequence[Box]) -> bool:
    """Do texts with room for some words stand beside each other, many at one place? `boxes` in the order of painting. Of
    a page without such columns no letter need be looked at.
    """
    pieces: list[Box] = []
    for box in boxes:
        last = pieces[-1] if pieces else None
        if last is None or box[1] >= last[3] or last[1] >= box[3] or max(box[0] - last[2], last[0] - box[2]) > APART:
            pieces.append(box)
        else:
            pieces[-1] = (min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))
    gaps = []
    for one, other in itertools.pairwise(pieces):
        low, high = min(one[2], other[2]), max(one[0], other[0])
        height = max(one[3] - one[1], other[3] - other[1])
        apart = high - low > APART and one[1] < other[3] and other[1] < one[3]
        if apart and min(one[2] - one[0], other[2] - other[0]) > _WIDE * height:
            gaps.append((low, high))
    return len(_best(gaps)) >= SENTENCES


def in_reading_order(letters: Letters, painted: Sequence[PaintedObject]) -> list[Part]:
    """The text of the page in the order in which it is read, all of it but white space; nothing where it is in order, or
    no columns are found. `painted`: all that is on the page.
    """
    text, page = letters.text, _Page(letters, painted)
    page.find_gutters()
    parts: list[Part] = []
    last: _Piece | None = None
    for joint, piece in page.ordered(page.pieces, page.places):
        if last is None:
            parts.append(Part(0, piece.end, ""))
        else:
            before = _separator(text, last, piece, joint)
            if before is None:
                parts[-1] = parts[-1]._replace(end=piece.end)
            else:
                parts.append(Part(piece.start, piece.end, before))
        last = piece
    if last is not None and last.at == len(page.pieces) - 1:
        parts[-1] = parts[-1]._replace(end=len(text))
    return parts if len(parts) > 1 else []


def _separator(text: str, last: _Piece, piece: _Piece, joint: _Joint) -> str | None:
    """What comes between them; None for what stood there."""
    follows = piece.at == last.at + 1
    if follows and (joint == "as it was" or "\n" in text[last.end : piece.start]):
        return None
    if joint != "column" or not last.is_level(piece):
        return "\n"
    return None if follows else " "


class _Page:
    """The pieces of a page's lines."""

    def __init__(self, letters: Letters, painted: Sequence[PaintedObject]) -> None:
        self._text, self._painted = letters.text, painted
        self.pieces = _pieces(letters)
        """In the order of the text; none of a page of too many words."""
        self.places: list[float] = []
        """Of gutters between columns of sentences, those of most lines first."""
        self._rules: list[tuple[float, float, float]] | None = None
        self._from_right = 2 * len(_RIGHT_TO_LEFT.findall(letters.text)) > len(_LETTER.findall(letters.text))

    def find_gutters(self) -> None:
        """Fill `places`."""
        gaps = [gap for row in self._rows(self.pieces) for gap in _gaps(row)]
        while len(self.places) < _MOST_GUTTERS and len(best := _best(gaps)) >= SENTENCES:
            place = (max(low for low, _ in best) + min(high for _, high in best)) / 2
            self.places.append(place)
            gaps = [(low, high) for low, high in gaps if not low <= place <= high]
        while (wrong := next(itertools.filterfalse(self._are_columns, reversed(self.places)), None)) is not None:
            self.places.remove(wrong)

    def ordered(self, pieces: Sequence[_Piece], gutters: Sequence[float]) -> list[tuple[_Joint, _Piece]]:
        """The pieces as they are read, with what comes before each."""
        if not gutters:
            return [("as it was", piece) for piece in pieces]
        place, others = gutters[0], gutters[1:]
        found: list[tuple[_Joint, _Piece]] = []
        done = 0
        for start, end in _bands(pieces, place):
            band = pieces[start:end]
            found_there = self._judged(band, place)
            if found_there is None or (len(found_there.beside) >= _ENOUGH and not _are_lines_of_columns([found_there])):
                continue
            found += self.ordered(pieces[done:start], others)
            for row in _cut(band, self._cuts(band, place)):
                sides = _sides(row, place)
                if max(map(len, sides)) == 1 or not min(map(len, sides)):
                    found += _on_a_line(self.ordered(row, others))
                    continue
                for column in reversed(sides) if self._from_right else sides:
                    within = self.ordered(column, others)
                    found += _on_a_line([("column" if joint == "as it was" else joint, each) for joint, each in within])
            done = end
        rest = self.ordered(pieces[done:], others)
        return found + _on_a_line(rest) if found else rest

    def _rows(self, pieces: Sequence[_Piece]) -> Iterator[Sequence[_Piece]]:
        """Pieces that stand beside each other, one after the other in the direction of the script."""
        start = 0
        for at in range(1, len(pieces) + 1):
            if at < len(pieces):
                last, piece = pieces[at - 1], pieces[at]
                if piece.is_level(last) and (piece.left < last.left) == self._from_right:
                    continue
            yield pieces[start:at]
            start = at

    def _are_columns(self, place: float) -> bool:
        """Are there columns of sentences on both sides of this place?"""
        ranges = _bands(self.pieces, place)
        bands = [band for start, end in ranges if (band := self._judged(self.pieces[start:end], place)) is not None]
        return sum(band.said for band in bands) >= SENTENCES and _are_lines_of_columns(bands)

    def _judged(self, pieces: Sequence[_Piece], place: float) -> _Band | None:
        """The lines beside this place, if most stand beside each other, one after the other in the text, with words of a
        sentence on both sides; not those of names, or of notes in the margin.
        """
        low = max((each for each in self.places if each < place), default=-math.inf)
        high = min((each for each in self.places if each > place), default=math.inf)
        near = [each for each in pieces if each.right > low and each.left < high]
        sides = _sides(near, place)
        if not all(sides):
            return None
        left, right = self._lines(sides[0]), self._lines(sides[1])
        beside = _beside(left, right)
        if len(beside) < 2 or len(beside) < _BESIDE * _within(left, right):
            return None
        if len(_beside(right, left)) < _BESIDE * _within(right, left):
            return None
        crossing = sum(
            (one.left < place) != (other.left < place) and one.is_level(other)
            for one, other in itertools.pairwise(near)
        )
        band = _Band((left, right), beside)
        return band if 2 * min(band.said, crossing) >= len(beside) else None

    def _lines(self, side: Sequence[_Piece]) -> list[_Line]:
        """The pieces of a column put together to lines, from the top."""
        rows: list[list[_Piece]] = []
        for piece in sorted(side, key=lambda piece: -piece.middle):
            if rows and piece.is_level(rows[-1][0]):
                rows[-1].append(piece)
            else:
                rows.append([piece])
        return [self._line(sorted(row, key=lambda piece: piece.start)) for row in rows]

    def _line(self, row: Sequence[_Piece]) -> _Line:
        return _Line(
            " ".join(self._text[piece.start : piece.end] for piece in row),
            min(piece.left for piece in row),
            max(piece.right for piece in row),
            row[0].middle,
            row[0].size,
            sum(piece.words for piece in row),
        )

    def _cuts(self, band: Sequence[_Piece], place: float) -> list[float]:
        """Heights at which the band is cut into rows that are read one after the other, from the top."""
        left, right = ([line.middle for line in self._lines(side)] for side in _sides(band, place))
        steps = [above - below for side in (left, right) for above, below in itertools.pairwise(side)]
        step = median(steps) if steps else 0.0
        both = sorted({*left, *right}, reverse=True)
        gaps = [(above + below) / 2 for above, below in itertools.pairwise(both) if above - below > _GAP * step]
        most = max(sum(a - b > _GAP * step for a, b in itertools.pairwise(side)) for side in (left, right))
        if len(gaps) < 2 or len(gaps) < _ALIGNED * most:
            gaps = [
                gap
                for gap in {*gaps[:1], *gaps[-1:]}
                if max(_count(left, gap), _count(right, gap)) <= _EDGE
                or max(len(left) - _count(left, gap), len(right) - _count(right, gap)) <= _EDGE
            ]
        cuts = [*gaps, *_headings(band, place, step)]
        bottom, top = both[-1], both[0]
        return sorted((*cuts, *(rule for rule in self._rules_over(place) if bottom < rule < top)), reverse=True)

    def _rules_over(self, place: float) -> list[float]:
        """The heights of rules that are drawn across this place."""
        if self._rules is None:
            self._rules = _joined(_level_rules(self._painted))
        return [height for left, right, height in self._rules if left + _REACH < place < right - _REACH]


def _pieces(letters: Letters) -> list[_Piece]:
    text, found = letters.text, list[_Piece]()
    for number, word in enumerate(_WORD.finditer(text)):
        if number >= _MOST:
            return []
        start, end = word.span()
        one, other = letters.box(start), letters.box(end - 1)
        box = (min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]))
        size = letters.size(start) or box[3] - box[1]
        if not found or _BORDER.search(text, found[-1].end, start) or not found[-1].takes(end, box, size):
            found.append(_Piece(start, end, box, size, len(found)))
        found[-1].words += max(1, len(word[0]) // _LONG, len(_UNSPACED.findall(word[0])) // _OF_UNSPACED)
    return found


def _gaps(row: Sequence[_Piece]) -> Iterator[tuple[float, float]]:
    """From where to where there is nothing on a row, between words of a sentence on both sides."""
    before, after = 0, sum(piece.words for piece in row)
    for one, other in itertools.pairwise(row):
        before, after = before + one.words, after - one.words
        low, high = min(one.right, other.right), max(one.left, other.left)
        if before >= WORDS <= after and low < high:
            yield low, high


def _best(gaps: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The most of these that have a place in common."""
    most = count = 0
    best = 0.0
    for place, closes in sorted([(low, False) for low, _ in gaps] + [(high, True) for _, high in gaps]):
        count += -1 if closes else 1
        if count > most:
            most, best = count, place
    return [gap for gap in gaps if gap[0] <= best <= gap[1]]


def _bands(pieces: Sequence[_Piece], place: float) -> Iterator[tuple[int, int]]:
    """Pieces [start, end) from the top down, none of which stands across this place."""
    start = 0
    last: dict[bool, _Piece] = {}
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


def _sides(pieces: Sequence[_Piece], place: float) -> tuple[list[_Piece], list[_Piece]]:
    return [each for each in pieces if each.left < place], [each for each in pieces if each.left >= place]


def _within(column: Sequence[_Line], other: Sequence[_Line]) -> int:
    """How many lines of a column stand between the first and the last one of the other."""
    return sum(other[-1].middle - 1 <= line.middle <= other[0].middle + 1 for line in column)


def _beside(column: Sequence[_Line], other: Sequence[_Line]) -> list[tuple[_Line, _Line]]:
    """The lines of a column, each with the one of the other that stands nearest beside it."""
    rising = [-line.middle for line in other]
    found = []
    for line in column:
        at = bisect_left(rising, -line.middle)
        nearest = min(other[max(0, at - 1) : at + 1], key=lambda each: abs(each.middle - line.middle))
        if abs(nearest.middle - line.middle) <= _NEAR * max(line.size, nearest.size):
            found.append((line, nearest))
    return found


def _are_lines_of_columns(bands: Sequence[_Band]) -> bool:
    """Do the lines on both sides fill their column and go on from one to the next, and are no figures?"""
    return all(_go_on([line for band in bands for line in band.columns[side]]) for side in (0, 1))


def _go_on(column: Sequence[_Line]) -> bool:
    letters = "".join(itertools.chain.from_iterable(_LETTER.findall(line.text) for line in column))
    if sum(map(str.isdigit, letters)) > _FIGURES * len(letters):
        return False
    if sum(_WITHIN.search(line.text) is not None for line in column) < _MARKED * len(column):
        return False
    widths = sorted(line.right - line.left for line in column)
    full = _WIDTH * widths[len(widths) * 19 // 20]
    if sum(width >= full for width in widths) < _FILLED * len(column):
        return False
    firsts = [first[0] for line in column if not line.text.isupper() and (first := _LETTER.search(line.text))]
    small, large = sum(map(str.islower, firsts)), sum(map(str.isupper, firsts))
    if 2 * (small + large) < len(column):  # figures, capitals, or a script without small letters
        return True
    return small >= _GOES_ON * (small + large)


def _count(heights: Sequence[float], above: float) -> int:
    return sum(height > above for height in heights)


def _headings(band: Sequence[_Piece], place: float, step: float) -> Iterator[float]:
    """Above and below larger letters in one column, beside which the other one has a gap: a heading over both."""
    usual = median(piece.size for piece in band)
    heights = [sorted(each.middle for each in side) for side in _sides(band, place)]
    for piece in band:
        if piece.size < _LARGER * usual:
            continue
        other = heights[piece.left < place]
        at = bisect_left(other, piece.middle)
        if 0 < at < len(other) and min(other[at] - piece.middle, piece.middle - other[at - 1]) > _ALONE * step:
            yield piece.top
            yield piece.bottom


def _cut(band: Sequence[_Piece], cuts: Sequence[float]) -> list[list[_Piece]]:
    """The pieces between these heights, which go down."""
    rising = [-cut for cut in cuts]
    rows: dict[int, list[_Piece]] = {}
    for piece in band:
        rows.setdefault(bisect_left(rising, -piece.middle), []).append(piece)
    return [row for _, row in sorted(rows.items())]


def _on_a_line(pieces: list[tuple[_Joint, _Piece]]) -> list[tuple[_Joint, _Piece]]:
    """The same, from the beginning of a line on."""
    return [("line", piece) if not at else (joint, piece) for at, (joint, piece) in enumerate(pieces)]


def _level_rules(painted: Sequence[PaintedObject]) -> Iterator[tuple[float, float, float]]:
    """Of rules from left to right, and of the upper and lower sides of drawn boxes: left, right, height."""
    found = 0
    for each in painted:
        if each.kind != PATH or not (each.stroked or each.colour) or found >= _MOST_RULES:
            continue
        left, bottom, right, top = each.box
        if right - left > _RULE:
            found += 1
            if top - bottom <= _RULE:
                yield left, right, (bottom + top) / 2
            elif each.stroked:
                yield left, right, bottom
                yield left, right, top


def _joined(rules: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """The same, those of one height that touch each other as one."""
    found: list[tuple[float, float, float]] = []
    for _, level in itertools.groupby(sorted(rules, key=lambda rule: rule[2]), key=lambda rule: round(rule[2] / _RULE)):
        for left, right, height in sorted(level):
            last = found[-1] if found else None
            if last is not None and abs(height - last[2]) <= _RULE and left <= last[1] + _TOUCH:
                found[-1] = (min(left, last[0]), max(right, last[1]), height)
            else:
                found.append((left, right, height))
    return found
