"""What makes the order of columns of a page of a PDF doubtful: words that belong to none of them, or stand around them, and
gaps that may part them or not. Where a reader of the page may read on elsewhere, no sentence may be put together.

Numbers of lines that surely are that are told here too; all else is left in rows.
"""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import median
from typing import Final

from verified_gate.ingest.formats.pdf_bands import WORDS, Line, Piece, is_number, lines_of, sides_of

_SERIES: Final = 3
"""So many numbers that count up by one step number lines."""
_EVEN: Final = 0.15
"""So much less or more than the usual height there may be between two of them, for what they differ by."""
_MOST_SERIES: Final = 8
_MOST_LEVEL: Final = 20
"""Pieces beside one that are looked at."""
_SAME: Final = 1.0
"""Points."""
_LEAST_SIZE: Final = 0.6
"""Times the size of other letters: smaller ones over both columns part none."""
_WIDER: Final = 1.3
"""Times the usual space of a line: one between columns."""
_ROWS: Final = 3
"""So many lines with words of a sentence on both sides of a gutter are columns, or may be."""
_STRAIGHT: Final = 0.4
"""Times the size of the letters: so far apart two lines begin at one place."""
_THROUGH: Final = 0.25
"""Times the size of the letters: so near their middle a line strikes them out."""
_OTHER_SIZE: Final = 0.07
"""So much smaller or larger, as a share, letters are of another kind."""
_CELLS: Final = 2
_ALIGNED: Final = 0.8
"""Of what begins anew in a column so much does so beside the other one, in cells."""
_HANGING: Final = re.compile(r"[(\[]?\w{1,3}[.)\]:]|[^\w\s.,;:!?]{1,2}|[(\[]\w{1,4}[)\]]")
_CLOSED: Final = re.compile(r"[.:;?!\u2026\u061b\u061f\u06d4\u0964\u3002\uff01\uff1a\uff1b\uff1f][)\]\"'”’»]*\s*$")
_LETTER: Final = re.compile(r"[^\W\d_]")


def numbers_of_lines(text: str, pieces: Sequence[Piece]) -> list[Piece]:
    """Numbers between the columns that count lines: 5, 10, 15, as far apart as they count, with nothing else above each
    other. Not 1, 2, 3, which may number what stands beside them.
    """
    alone = [piece for piece in pieces if is_number(text[piece.start : piece.end])]
    found: list[Piece] = []
    groups: list[list[Piece]] = []
    for piece in sorted(alone, key=lambda piece: piece.left + piece.right):
        last = groups[-1][0] if groups else None
        if last is not None and piece.left + piece.right - last.left - last.right <= 2 * last.size:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    for group in sorted(groups, key=len, reverse=True)[:_MOST_SERIES]:
        group.sort(key=lambda piece: -piece.middle)
        if _count_lines(group, [int(text[piece.start : piece.end]) for piece in group]):
            left, right = min(piece.left for piece in group), max(piece.right for piece in group)
            own = {piece.at for piece in group}
            low, high = group[-1].bottom, group[0].top
            others = (each for each in pieces if each.at not in own and low < each.middle < high)
            if not any(each.left < right and left < each.right for each in others):
                found += group
    return found


def _count_lines(group: Sequence[Piece], values: Sequence[int]) -> bool:
    steps = [after - before for before, after in itertools.pairwise(values)]
    if len(group) < _SERIES or min(steps) < 2 or any(value % min(steps) for value in values):
        return False
    heights = [
        (above.middle - below.middle) / step
        for (above, below), step in zip(itertools.pairwise(group), steps, strict=True)
    ]
    usual = median(heights)
    return usual > 0 and all(abs(height - usual) <= _EVEN * usual for height in heights)


def stand_around(
    text: str, pieces: Sequence[Piece], place: float, within: tuple[int, int], others: Sequence[float]
) -> bool:
    """Does something stand across this place with words beside it, as a box that columns flow around? `within`: from the
    end of the first columns to the beginning of the last; above and beneath them, words of sentences must stand beside what
    is no number, as running lines have it. They may be columns with a gutter at one of the `others`.
    """
    order = sorted(pieces, key=lambda piece: piece.middle)
    heights = [piece.middle for piece in order]
    for at, piece in enumerate(pieces):
        if not piece.left < place < piece.right:
            continue
        least = 1 if within[0] <= at < within[1] else WORDS
        if least > 1 and is_number(text[piece.start : piece.end]):
            continue
        first = bisect_left(heights, piece.bottom)
        level = order[first : min(first + _MOST_LEVEL + 1, bisect_right(heights, piece.top))]
        beside = (each for each in level if each is not piece and each.words >= least)
        if len(level) > _MOST_LEVEL or any(not _parted(piece, each, others) for each in beside):
            return True
    return False


def _parted(one: Piece, other: Piece, places: Sequence[float]) -> bool:
    low, high = min(one.right, other.right), max(one.left, other.left)
    return any(low <= place <= high for place in places)


def beside_each_other(pieces: Sequence[Piece]) -> int:
    """How many that follow each other have words of a sentence on both sides of a gap."""
    return sum(
        one.is_beside(other)
        and min(one.words, other.words) >= WORDS
        and max(one.left, other.left) > min(one.right, other.right)
        for one, other in itertools.pairwise(pieces)
    )


def stand_beside(pieces: Sequence[Piece]) -> bool:
    """Do words of sentences stand beside each other on some lines of what is left as it is?"""
    order = sorted((piece for piece in pieces if piece.words >= WORDS), key=lambda piece: piece.middle)
    found = 0
    for one, other in itertools.pairwise(order):
        found += one.is_level(other) and max(one.left, other.left) > min(one.right, other.right)
    return found >= _ROWS


def run_together(
    pieces: Sequence[Piece], bands: Sequence[tuple[int, int]], place: float, low: float, high: float
) -> bool:
    """Does a line go over both columns of these bands only because one of the left reaches to the right one, at whose edge a
    word begins behind a wider space than others?
    """
    within = [piece for start, end in bands for piece in pieces[start:end]]
    begin = usual_begin(_columns_of(within, place, low, high)[1])
    for piece in pieces:
        if not piece.left < place < piece.right:
            continue
        usual = sorted(width for width, _ in piece.blanks)[len(piece.blanks) // 2] if piece.blanks[2:] else 0.0
        if any(abs(left - begin) <= _SAME and width >= _WIDER * usual for width, left in piece.blanks):
            return True
    return False


def come_apart(
    pieces: Sequence[Piece], bands: Sequence[tuple[int, int]], place: float, low: float, high: float
) -> bool:
    """Is something drawn before or behind these bands that stands within one of them, or do two of them follow each other
    without a line over both between them? Nobody sees in what order a page is drawn.
    """
    order = sorted(enumerate(pieces), key=lambda each: each[1].middle)
    heights = [piece.middle for _, piece in order]
    beneath: list[tuple[float, float]] = []
    for number, (start, end) in enumerate(bands):
        left, right = _columns_of(pieces[start:end], place, low, high)
        near = [*left, *right]
        bottom, top = min(piece.middle for piece in near), max(piece.middle for piece in near)
        rights = sorted(piece.right for piece in right)
        edges = usual_begin(left), rights[len(rights) * 9 // 10]
        for at, piece in order[bisect_right(heights, bottom) : bisect_left(heights, top)]:
            if not start <= at < end and piece.left < edges[1] and edges[0] < piece.right:
                return True
        beneath.append((bottom, top))
        if number:
            over = [piece for piece in pieces[bands[number - 1][1] : start] if piece.left < place < piece.right]
            size = _LEAST_SIZE * median(piece.size for piece in near)
            column, begin = max(median(piece.right for piece in left), edges[0]), usual_begin(right)
            if not any(
                top < piece.middle < beneath[number - 1][0]
                and piece.size >= size
                and piece.left < column
                and piece.right > begin
                for piece in over
            ):
                return True
    return False


def _columns_of(pieces: Sequence[Piece], place: float, low: float, high: float) -> tuple[list[Piece], list[Piece]]:
    """What stands on both sides of a place up to the next gutters."""
    return sides_of([each for each in pieces if each.right > low and each.left < high], place)


def stand_between(text: str, pieces: Sequence[Piece], place: float, low: float, high: float) -> bool:
    """Does something stand between the columns on both sides of this place, or at their outer edges, that may belong to
    neither?
    """
    sides = _columns_of(pieces, place, low, high)
    lines = [lines_of(text, side) for side in sides]
    if min(map(len, lines)) < _ROWS:
        return False
    for side, column in zip(sides, lines, strict=True):
        begin = usual_begin(side)
        rights = sorted(line.right for line in column)
        longest = _usual([-piece.right for piece in side if piece.words >= WORDS], side[0].size)
        end = max(-longest, rights[len(rights) // 2])
        before = (piece for piece in side if piece.right <= begin)
        if any(not _HANGING.fullmatch(text[piece.start : piece.end]) for piece in before):
            return True
        if any(piece.left >= end for piece in side):
            return True
    return False


def usual_begin(side: Sequence[Piece]) -> float:
    """Where most lines of a column begin."""
    return _usual([piece.left for piece in side], side[0].size)


def _usual(edges: Sequence[float], size: float) -> float:
    """Where most of them are."""
    ordered = sorted(edges)
    counts = [bisect_right(ordered, edge + _STRAIGHT * size) - at for at, edge in enumerate(ordered)]
    return ordered[counts.index(max(counts))] if counts else 0.0


def goes_through(height: float, column: Sequence[Line]) -> bool:
    """Does a line at this height go through the letters of a column?"""
    falling = [-line.middle for line in column]
    at = bisect_left(falling, -height)
    return any(abs(line.middle - height) < _THROUGH * line.size for line in column[max(0, at - 1) : at + 1])


def begin_together(left: Sequence[Line], right: Sequence[Line], step: float) -> list[float]:
    """Heights at which both columns begin anew, from the top, if nearly all that begins does so beside each other: they
    are cells of sentences, read row by row.
    """
    begun = [
        [
            (above.middle + line.middle) / 2
            for above, line in itertools.pairwise(side)
            if _CLOSED.search(above.text) and (first := _LETTER.search(line.text)) and not first[0].islower()
        ]
        for side in (left, right)
    ]
    rising = [-height for height in begun[1]]
    together = []
    for height in begun[0]:
        at = bisect_left(rising, -height)
        if any(abs(height - other) < step / 2 for other in begun[1][max(0, at - 1) : at + 1]):
            together.append(height)
    return together if len(together) >= _CELLS and len(together) >= _ALIGNED * max(map(len, begun)) else []


def changes_size(left: Sequence[Line], right: Sequence[Line], height: float) -> bool:
    """Are the letters of both columns others beneath this height than above, as those of footnotes?"""
    ratios = []
    for side in (left, right):
        above = [line.size for line in side if line.middle > height]
        beneath = [line.size for line in side if line.middle <= height]
        ratios.append(median(beneath) / (median(above) or 1.0) if above and beneath else 1.0)
    return max(ratios) < 1 - _OTHER_SIZE or min(ratios) > 1 + _OTHER_SIZE


def has_doubtful_gap(
    left: Sequence[Line], right: Sequence[Line], gaps: Sequence[float], *, cut: bool, running: bool = False
) -> bool:
    """May one of these heights, at which both columns have a gap, be one at which they are cut, or not, otherwise than
    `cut`? Not where sentences go on as the columns are read, and would not otherwise, or none goes on; nor between them and
    `running` lines if a sentence would not go on.
    """
    for gap in gaps:
        halves = [
            [line for line in side if (line.middle > gap) == above] for above in (True, False) for side in (left, right)
        ]
        if not all(halves):
            continue
        (_, above_left), (right_top, above_right), (left_low, below_left), (right_low, _) = (
            (half[0].text, half[-1].text) for half in halves
        )
        parted = [(above_left, right_top), (above_right, left_low), (below_left, right_low)]
        whole = [(above_left, left_low), (below_left, right_top), (above_right, right_low)]
        taken, other = (parted, whole) if cut else (whole, parted)
        if any(not _CLOSED.search(end) for end, _ in taken) and _wrong(other) <= (0 if running else _wrong(taken)):
            return True
    return False


def _wrong(joints: Sequence[tuple[str, str]]) -> int:
    """How many sentences go on behind their end, or end before it."""
    return sum(_begins_small(begin) == bool(_CLOSED.search(end)) for end, begin in joints)


def _begins_small(text: str) -> bool:
    first = _LETTER.search(text)
    return first is not None and first[0].islower()
