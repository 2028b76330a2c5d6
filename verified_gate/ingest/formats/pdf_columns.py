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
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Final, Literal, NamedTuple

from verified_gate.ingest.formats.pdf_bands import (
    APART,
    GAP,
    LETTER,
    WORDS,
    Band,
    Letters,
    Line,
    Piece,
    are_columns,
    bands_of,
    hold_sentences,
    judged,
    lines_of,
    pieces_of,
    sides_of,
)
from verified_gate.ingest.formats.pdf_doubtful import (
    begin_together,
    beside_each_other,
    changes_size,
    come_apart,
    goes_through,
    has_doubtful_gap,
    numbers_of_lines,
    run_together,
    stand_around,
    stand_beside,
    stand_between,
)
from verified_gate.ingest.formats.pdf_geometry import Box

SENTENCES: Final = 8
"""So many lines with words of a sentence on both sides of a gutter make columns."""

FEW: Final = 4
"""On so many they may be that, which is told; they are not put in order."""
_WIDE: Final = 8.0
"""Times their height: texts so wide may hold words of a sentence."""
_MOST_GUTTERS: Final = 6
_LONG: Final = 4
"""Lines that a band has on average: between words, wide spaces stand below each other on fewer."""
_ENOUGH: Final = 12
"""Lines of a band that are judged for themselves."""
_ALIGNED: Final = 0.8
"""Of the gaps of a column so many go through both where rows stand beside each other."""
_EDGE: Final = 2
"""Lines at the upper or lower end of a band that may be running lines."""
_LARGER: Final = 1.15
_ALONE: Final = 1.2
"""Times the usual step: so far up and down from a heading over all columns nothing stands beside it."""
_WIDTH: Final = 0.6
"""Of the columns beside a gutter: so far a rule over both of them goes."""
_MOST_GAPS: Final = 50
"""Gaps over both columns of a band that are looked at."""
_REACH: Final = 10.0
"""Points: so far a rule goes to both sides of a gutter that it crosses."""

_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

_Joint = Literal["as it was", "column", "line", "space"]
"""What comes before a piece: what stood there; the line before in its column; a line end; a space."""


class Part(NamedTuple):
    """[start, end) of the text as it was, and what comes before it now."""

    start: int
    end: int
    before: str


class Order(NamedTuple):
    """The parts of a page's text in the order in which it is read, none where that is how it is; are there columns whose
    order is not sure, so that they were left; is the last line of the new text the numbers of lines from a gutter?
    """

    parts: list[Part]
    doubtful: bool = False
    numbers: bool = False


class Seen(NamedTuple):
    """What a reader sees of a page: which spans of the text he does not; at what heights lines are drawn, or edges, from one
    place to another, surely seen or not; and is one drawn from one place to another at a height?
    """

    hidden: Sequence[tuple[int, int]]
    lines_across: Callable[[float, float], list[tuple[float, bool]]]
    is_line: Callable[[float, float, float], bool]


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
    return len(_best(gaps)) >= FEW


def in_reading_order(letters: Letters, judged: Callable[[], Seen | None]) -> Order:
    """The text of the page in the order in which it is read, all of it but white space. `judged`: what is seen of the page,
    asked for where columns are found; what is not seen orders nothing.
    """
    page = _Page(letters, _numbered(letters.text, pieces_of(letters))[0], None)
    if not page.places:
        return Order([], doubtful=page.doubtful)
    seen = judged()
    if seen is None:
        return Order([], doubtful=True)
    pieces = pieces_of(letters, seen.hidden)
    shown, numbers = _numbered(letters.text, [piece for piece in pieces if not piece.hidden])
    page = _Page(letters, shown, seen)
    order = page.ordered(page.pieces, page.places)
    if page.doubtful:
        return Order([], doubtful=True)
    order = _with_unseen(order, [piece for piece in pieces if piece.hidden], page.places)
    order += [("space" if at else "line", piece) for at, piece in enumerate(numbers)]
    parts = _parts(letters.text, order, len(pieces)) if page.places else []
    return Order(parts, numbers=bool(numbers and parts)) if len(parts) > 1 else Order([], doubtful=not page.places)


def _numbered(text: str, pieces: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """All but the numbers of lines, and these."""
    numbers = numbers_of_lines(text, pieces)
    taken = {piece.at for piece in numbers}
    return [piece for piece in pieces if piece.at not in taken], numbers


def _parts(text: str, order: Sequence[tuple[_Joint, Piece]], count: int) -> list[Part]:
    parts: list[Part] = []
    last: Piece | None = None
    for joint, piece in order:
        if last is None:
            parts.append(Part(piece.start if piece.at else 0, piece.end, ""))
        else:
            before = _separator(text, last, piece, joint)
            if before is None:
                parts[-1] = parts[-1]._replace(end=piece.end)
            else:
                parts.append(Part(piece.start, piece.end, before))
        last = piece
    if last is not None and last.at == count - 1:
        parts[-1] = parts[-1]._replace(end=len(text))
    return parts


def _with_unseen(
    order: Sequence[tuple[_Joint, Piece]], unseen: Sequence[Piece], places: Sequence[float]
) -> list[tuple[_Joint, Piece]]:
    """The same with the pieces that are not seen, each after the one above it between two of the `places`."""
    gutters = sorted(places)
    columns: dict[int, list[tuple[float, int]]] = {}
    for at, (_, piece) in enumerate(order):
        columns.setdefault(bisect_left(gutters, piece.left), []).append((piece.middle, at))
    rising = {number: sorted(column) for number, column in columns.items()}
    behind: dict[int, list[Piece]] = {}
    for piece in unseen:
        column = rising.get(bisect_left(gutters, piece.left), [])
        above = bisect_left(column, (piece.middle, 0))
        behind.setdefault(column[above][1] if above < len(column) else len(order) - 1, []).append(piece)
    found: list[tuple[_Joint, Piece]] = []
    for at, (joint, piece) in enumerate(order):
        found.append(("line" if at - 1 in behind else joint, piece))
        found += [("line", each) for each in behind.get(at, ())]
    return found


def _separator(text: str, last: Piece, piece: Piece, joint: _Joint) -> str | None:
    """What comes between them; None for what stood there."""
    if joint == "space":
        return " "
    follows = piece.at == last.at + 1
    if follows and (joint == "as it was" or "\n" in text[last.end : piece.start]):
        return None
    if joint != "column" or not last.is_level(piece):
        return "\n"
    return None if follows else " "


class _Page:
    """The pieces of a page's lines."""

    def __init__(self, letters: Letters, pieces: list[Piece], seen: Seen | None) -> None:
        self._text, self._seen = letters.text, seen
        self.pieces = pieces
        """In the order of the text; none of a page of too many words."""
        self._across: dict[float, list[tuple[float, bool]]] = {}
        self.doubtful = False
        """Was something found while they were put in order that may want another one?"""
        self.places: list[float] = []
        """Of gutters between columns of sentences, those of most lines first."""
        self._from_right = 2 * len(_RIGHT_TO_LEFT.findall(letters.text)) > len(LETTER.findall(letters.text))
        self._find_gutters()

    def _find_gutters(self) -> None:
        rows = list(self._rows(self.pieces))
        gaps = [gap for row in rows for gap in _gaps(row)] + list(_gaps_between(rows))
        while len(self.places) < _MOST_GUTTERS and len(best := _best(gaps)) >= SENTENCES:
            place = (max(low for low, _ in best) + min(high for _, high in best)) / 2
            self.places.append(place)
            gaps = [(low, high) for low, high in gaps if not low <= place <= high]
        self.doubtful = bool(self.places) or beside_each_other(self.pieces) >= FEW
        while (wrong := next(itertools.filterfalse(self._are_columns, reversed(self.places)), None)) is not None:
            self.places.remove(wrong)
        self.doubtful = self.doubtful and not self.places

    def ordered(self, pieces: Sequence[Piece], gutters: Sequence[float]) -> list[tuple[_Joint, Piece]]:
        """The pieces as they are read, with what comes before each."""
        if not gutters:
            self._doubt(stand_beside(pieces))
            return [("as it was", piece) for piece in pieces]
        place, others = gutters[0], gutters[1:]
        found: list[tuple[_Joint, Piece]] = []
        done = 0
        ranges = list(bands_of(pieces, place))
        bands = [each for each in ranges if self._is_band(pieces[slice(*each)], place)]
        if bands:
            self._doubt(run_together(pieces, bands, place, *self._around(place)))
            self._doubt(come_apart(pieces, bands, place, *self._around(place)))
            self._doubt(stand_around(self._text, pieces, place, (bands[0][1], bands[-1][0]), others))
        for start, end in bands:
            band = pieces[start:end]
            found += self.ordered(pieces[done:start], others)
            for row in _cut(band, self._cuts(band, place)):
                sides = sides_of(row, place)
                if not all(sides) or all(len(lines_of(self._text, side)) == 1 for side in sides):
                    found += _on_a_line(self.ordered(row, others))
                    continue
                self._doubt(stand_between(self._text, row, place, *self._around(place)))
                for column in reversed(sides) if self._from_right else sides:
                    within = self.ordered(column, others)
                    found += _on_a_line([("column" if joint == "as it was" else joint, each) for joint, each in within])
            done = end
        rest = self.ordered(pieces[done:], others)
        return found + _on_a_line(rest) if found else rest

    def _rows(self, pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
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
        ranges = [self.pieces[start:end] for start, end in bands_of(self.pieces, place)]
        parted = sum(all(sides_of(pieces, place)) for pieces in ranges)
        bands = [band for pieces in ranges if (band := self._judged(pieces, place)) is not None]
        if sum(len(band.beside) for band in bands) < _LONG * parted:
            return False
        return sum(band.said for band in bands) >= SENTENCES and hold_sentences(bands) and are_columns(bands)

    def _doubt(self, found: bool) -> None:  # noqa: FBT001
        self.doubtful = self.doubtful or found

    def _is_band(self, pieces: Sequence[Piece], place: float) -> bool:
        lines = self._judged(pieces, place)
        return lines is not None and (len(lines.beside) < _ENOUGH or are_columns([lines]))

    def _around(self, place: float) -> tuple[float, float]:
        """The gutters on both sides of it."""
        low = max((each for each in self.places if each < place), default=-math.inf)
        return low, min((each for each in self.places if each > place), default=math.inf)

    def _judged(self, pieces: Sequence[Piece], place: float) -> Band | None:
        low, high = self._around(place)
        return judged(self._text, pieces, place, low, high, from_right=self._from_right)

    def _cuts(self, band: Sequence[Piece], place: float) -> list[float]:
        """Heights at which the band is cut into rows that are read one after the other, from the top."""
        columns = [lines_of(self._text, side) for side in sides_of(band, place)]
        left, right = ([line.middle for line in side] for side in columns)
        steps = [above - below for side in (left, right) for above, below in itertools.pairwise(side)]
        step = median(steps) if steps else 0.0
        both = sorted({*left, *right}, reverse=True)
        gaps = [(above + below) / 2 for above, below in itertools.pairwise(both) if above - below > GAP * step]
        passed, edges = list[float](), list[float]()
        most = max(sum(a - b > GAP * step for a, b in itertools.pairwise(side)) for side in (left, right))
        if len(gaps) < 2 or len(gaps) < _ALIGNED * most:
            edges = [
                gap
                for gap in {*gaps[:1], *gaps[-1:]}
                if max(_count(left, gap), _count(right, gap)) <= _EDGE
                or max(len(left) - _count(left, gap), len(right) - _count(right, gap)) <= _EDGE
            ]
            other = [gap for gap in gaps if gap not in edges]
            self._doubt(len(other) > _MOST_GAPS)
            other = other[:_MOST_GAPS]
            smaller = [gap for gap in other if changes_size(columns[0], columns[1], gap)]
            passed, gaps = [gap for gap in other if gap not in smaller], edges + smaller
        headings = [*_headings(band, place, step)]
        bottom, top = both[-1], both[0]
        rules = []
        for rule, sure in self._lines_across(place):
            if not bottom < rule < top:
                continue
            through = [goes_through(rule, side) for side in columns]
            if not all(through):  # else it strikes out words
                rules.append(rule)
                self._doubt(not sure or any(through) or not self._goes_over(columns, place, rule))
        self._doubt(has_doubtful_gap(columns[0], columns[1], edges, cut=True, running=True))
        anew = begin_together(columns[0], columns[1], step)
        cuts = sorted((*gaps, *headings, *rules, *anew), reverse=True)
        self._doubt(has_doubtful_gap(columns[0], columns[1], anew[:1], cut=True))
        self._doubt(has_doubtful_gap(columns[0], columns[1], [gap for gap in passed if gap not in cuts], cut=False))
        self._doubt(has_doubtful_gap(columns[0], columns[1], headings[:1], cut=True))
        return cuts

    def _goes_over(self, columns: Sequence[Sequence[Line]], place: float, rule: float) -> bool:
        """Does the rule go over most of both columns, and not over the gutter alone?"""
        left, right = min(line.left for line in columns[0]), max(line.right for line in columns[1])
        low, high = (place + _WIDTH * (side - place) for side in (left, right))
        return self._seen is None or self._seen.is_line(low, high, rule)

    def _lines_across(self, place: float) -> list[tuple[float, bool]]:
        if place not in self._across:
            seen = self._seen.lines_across(place - _REACH, place + _REACH) if self._seen is not None else []
            self._across[place] = seen
        return self._across[place]


def _gaps(row: Sequence[Piece]) -> Iterator[tuple[float, float]]:
    """From where to where there is nothing on a row, between words of a sentence on both sides."""
    before, after = 0, sum(piece.words for piece in row)
    for one, other in itertools.pairwise(row):
        before, after = before + one.words, after - one.words
        low, high = min(one.right, other.right), max(one.left, other.left)
        if before >= WORDS <= after and low < high:
            yield low, high


def _gaps_between(rows: Sequence[Sequence[Piece]]) -> Iterator[tuple[float, float]]:
    """The same between rows one after the other that do not stand quite on one line, or against its direction."""
    for one, other in itertools.pairwise(rows):
        if one[-1].is_beside(other[0]) and min(sum(piece.words for piece in row) for row in (one, other)) >= WORDS:
            low = min(max(piece.right for piece in row) for row in (one, other))
            high = max(min(piece.left for piece in row) for row in (one, other))
            if low < high:
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


def _count(heights: Sequence[float], above: float) -> int:
    return sum(height > above for height in heights)


def _headings(band: Sequence[Piece], place: float, step: float) -> Iterator[float]:
    """Above and below larger letters in one column, beside which the other one has a gap: a heading over both."""
    usual = median(piece.size for piece in band)
    heights = [sorted(each.middle for each in side) for side in sides_of(band, place)]
    for piece in band:
        if piece.size < _LARGER * usual:
            continue
        other = heights[piece.left < place]
        at = bisect_left(other, piece.middle)
        if 0 < at < len(other) and min(other[at] - piece.middle, piece.middle - other[at - 1]) > _ALONE * step:
            yield piece.top
            yield piece.bottom


def _cut(band: Sequence[Piece], cuts: Sequence[float]) -> list[list[Piece]]:
    """The pieces between these heights, which go down."""
    rising = [-cut for cut in cuts]
    rows: dict[int, list[Piece]] = {}
    for piece in band:
        rows.setdefault(bisect_left(rising, -piece.middle), []).append(piece)
    return [row for _, row in sorted(rows.items())]


def _on_a_line(pieces: list[tuple[_Joint, Piece]]) -> list[tuple[_Joint, Piece]]:
    """The same, from the beginning of a line on."""
    return [("line", piece) if not at else (joint, piece) for at, (joint, piece) in enumerate(pieces)]
