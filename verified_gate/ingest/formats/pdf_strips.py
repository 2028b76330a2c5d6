"""Upright white strips on a page of a PDF that many lines in succession leave free, with prose on both sides: gutters between
columns that the file draws row by row over all of them, where spaces between words are as wide as between columns.

A single wide gap may be a space between words of a line set to full width; but such gaps do not stand below each other on
many lines in succession.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple

from verified_gate.ingest.formats.pdf_bands import APART, LETTER, Letters
from verified_gate.ingest.formats.pdf_geometry import Box

LINES: Final = 8
"""In succession: so many that leave a strip free."""
SUNK: Final = 4.0
"""Points: so far beneath each other words of one line, or of two that stand beside each other, may be drawn."""
_MOST: Final = 10_000
"""Words of a page that are looked at."""
_MOST_PLACES: Final = 100
"""Places, `APART` from each other, of a gap."""
_OUTER: Final = 2
"""Of the gaps of a row so many are those around it."""
_OF_INK: Final = 1.5
"""Times the height of small letters: letters are so high, at least."""
_NEAREST: Final = 2
"""Times as many lines as have gaps: within so many these stand; lines that are not quite level count twice."""
_WIDTH: Final = 0.6
"""Times the size of the letters: so wide a strip is at least."""
_OF_SPACES: Final = 1.0
"""Times the usual space between words on its lines: the same."""
_LEVEL: Final = 0.4
"""Times the size of the letters: what differs less in height stands on one line."""
_NEAR: Final = 0.75
"""Times the same: in another column it may stand so much higher or lower."""
_BOTH: Final = 0.6
"""Of the lines beside a strip so many have words on both sides."""
_WORDS: Final = 2
"""A line of prose has so many words, and most have more."""
_COLUMN: Final = 5.0
"""Times the size of the letters: so wide are columns at least."""
_FULL: Final = 0.7
_FILLED: Final = 0.6
"""Of the lines of a column so many have this share of the width of the wider ones."""
_GOES_ON: Final = 0.4
"""Of the lines of a column so many begin within a sentence, with a small letter."""
_FIGURES: Final = 0.25
"""Of letters and digits: where more are digits, they are a table's."""

_SAMPLED: Final = 7
"""Of so many lines one is looked at: fewer than `LINES`."""
_AROUND: Final = 2
"""Lines before it and behind."""
_OF_OTHERS: Final = 1.5
"""Times the usual gap of a line: a wide one."""

_WITHIN: Final = 12
"""Letters before and behind: a column is no narrower."""

_LINE: Final = re.compile("[^\n]{37,}")
"""With the return that PDFium ends it with. To pass over one character is faster than over one of two."""
_WORD: Final = re.compile(r"[^\s\ufffe]+\ufffe?|\ufffe")
_BLANK: Final = re.compile("[ \u00a0]+")
_Span = tuple[float, float]


class _Word(NamedTuple):
    """[start, end) of the text, and where it stands. What a text draws at once is one too, before its text is looked at."""

    start: int
    end: int
    left: float
    right: float
    middle: float
    height: float


class _Row(NamedTuple):
    """Words that stand beside each other, from the left; the size of their letters; where nothing stands beside them."""

    words: list[_Word]
    size: float
    gaps: list[_Span]


class _Strip(NamedTuple):
    """The first of the rows that leave it free, and from where to where on each of them."""

    first: int
    spans: list[_Span]


class Strips(NamedTuple):
    """Are there any; and the blanks of the text that stand in them, in order."""

    found: bool
    blanks: list[int]


def may_have_strips(boxes: Sequence[Box]) -> bool:
    """Do so many texts, `boxes` in the order of painting, stand apart at one place on nearly as many lines?"""
    line = 0
    places: dict[int, list[int]] = {}
    for one, other in itertools.pairwise(boxes[:_MOST]):
        if other[1] >= one[3] or one[1] >= other[3]:
            line += 1
            if other[1] >= one[3] + SUNK or one[1] >= other[3] + SUNK:
                continue
        low, high = (one[2], other[0]) if one[2] < other[0] else (other[2], one[0])
        if high - low > APART:
            first = math.ceil(low / APART)
            for place in range(first, min(int(high // APART), first + _MOST_PLACES) + 1):
                places.setdefault(place, []).append(line)
    return any(map(_are_near, places.values())) and _may_be_filled(boxes)


def _are_near(lines: Sequence[int]) -> bool:
    """Are so many of these lines near each other?"""
    return any(last - first <= _NEAREST * LINES for first, last in zip(lines, lines[LINES - 1 :], strict=False))


def _may_be_filled(boxes: Sequence[Box]) -> bool:
    """Do texts leave a strip free that may be one between columns?"""
    texts = [
        _Word(0, 0, left, right, (bottom + top) / 2, _OF_INK * (top - bottom))
        for left, bottom, right, top in boxes[:_MOST]
        if right > left and top > bottom
    ]
    rows = [_row(row, 0.0) for row in _beside(texts, lambda text: text.height)]
    if not _are_near([at for at, row in enumerate(rows) if len(row.gaps) > _OUTER]):
        return False
    strips, places = _free(rows)
    for strip in strips:
        columns = _columns(rows, strip, places)
        if all(_is_filled(column, APART, len(strip.spans)) for column in columns):
            return True
    return False


def may_hold_strips(letters: Letters) -> bool:
    """Is there a wide gap at one place on lines that follow each other, though no texts stand apart there, since one draws
    the whole line? Of all lines some are looked at.
    """
    lines = [match.span() for match in _LINE.finditer(letters.text)]
    for at in range(_SAMPLED // 2, len(lines), _SAMPLED):
        wide = _wide_gaps(letters, *lines[at])
        if wide and sum(bool(_both(wide, _wide_gaps(letters, *line))) for line in _around(lines, at)) >= _AROUND:
            return True
    return False


def _around(lines: Sequence[tuple[int, int]], at: int) -> Iterator[tuple[int, int]]:
    return (lines[n] for n in range(max(0, at - _AROUND), min(len(lines), at + _AROUND + 1)) if n != at)


def _wide_gaps(letters: Letters, start: int, end: int) -> list[_Span]:
    """Gaps of a line that are much wider than most of its spaces between words, and stand well within it."""
    blanks = [match.span() for match in _BLANK.finditer(letters.text, start + _WITHIN, end - _WITHIN)]
    sides = iter(letters.boxes([at for first, last in blanks for at in (first - 1, last)]))
    gaps = [(before[2], after[0]) for before, after in zip(sides, sides, strict=True)]
    widths = [high - low for low, high in gaps]
    if max(widths, default=0.0) <= APART:
        return []
    least = max(APART, _OF_OTHERS * median(widths))
    return [(low, high) for low, high in gaps if high - low > least]


def strips_of(letters: Letters) -> Strips:
    """Those between columns of prose, whose lines follow each other in the text row by row."""
    rows = _rows_of(letters)
    strips, places = _free(rows)
    found = [strip for strip in strips if _parts_prose(letters.text, rows, strip, places)]
    blanks = {blank for strip in found for blank in _blanks(letters.text, rows, strip)}
    return Strips(bool(found), sorted(blanks))


def _rows_of(letters: Letters) -> list[_Row]:
    spans = [match.span() for match in itertools.islice(_WORD.finditer(letters.text), _MOST + 1)]
    if len(spans) > _MOST:
        return []
    boxes = iter(letters.boxes([at for start, end in spans for at in (start, end - 1)]))
    words: list[_Word] = []
    for (start, end), one, other in zip(spans, boxes, boxes, strict=True):
        left, right = min(one[0], other[0]), max(one[2], other[2])
        bottom, top = min(one[1], other[1]), max(one[3], other[3])
        if right > left and top > bottom:  # else PDFium knows no place
            words.append(_Word(start, end, left, right, (bottom + top) / 2, top - bottom))
    return [_row(row, letters.size(row[0].start)) for row in _beside(words, lambda word: letters.size(word.start))]


def _beside(words: Sequence[_Word], size: Callable[[_Word], float]) -> list[list[_Word]]:
    """Those that stand beside each other, one row after the other; `size`: of the letters of a word."""
    runs: list[list[_Word]] = []
    last: _Word | None = None
    for word in words:
        if (
            last is not None
            and last.right - 1 <= word.left
            and abs(last.middle - word.middle) <= _LEVEL * max(last.height, word.height)
        ):
            runs[-1].append(word)
        else:
            runs.append([word])
        last = word
    rows: list[list[_Word]] = []
    for run in runs:
        if rows and _is_beside(rows[-1], run, size(run[0])):
            rows[-1] += run
        else:
            rows.append(run)
    return rows


def _is_beside(row: Sequence[_Word], run: Sequence[_Word], size: float) -> bool:
    if abs(row[0].middle - run[0].middle) > _NEAR * size:
        return False
    low, high = run[0].left, run[-1].right
    return all(word.right <= low or high <= word.left for word in row)


def _row(row: Sequence[_Word], size: float) -> _Row:
    words = sorted(row, key=lambda word: word.left)
    gaps = [(-math.inf, words[0].left)]
    gaps += [(one.right, other.left) for one, other in itertools.pairwise(words) if other.left - one.right > APART]
    return _Row(words, size, [*gaps, (words[-1].right, math.inf)])


def _common(rows: Sequence[_Row]) -> Iterator[_Strip]:
    """Strips that `LINES` rows and more leave free."""
    windows = [row.gaps for row in rows]
    step = 1
    while step < LINES:
        windows = [_both(one, windows[at + step]) for at, one in enumerate(windows[: max(0, len(windows) - step)])]
        step *= 2
    going: list[_Strip] = []
    for first, spans in enumerate(windows):
        kept: list[_Strip] = []
        at = 0
        for low, high in spans:
            if math.isinf(high - low) or high - low < _WIDTH * median(row.size for row in rows[first : first + LINES]):
                continue
            while at < len(going) and going[at].spans[-1][1] - low < APART:
                yield going[at]
                at += 1
            if at < len(going) and _both([going[at].spans[-1]], [(low, high)]):
                going[at].spans.append((low, high))
                kept.append(going[at])
                at += 1
            else:
                kept.append(_Strip(first, [(low, high)] * LINES))
        yield from going[at:]
        going = kept
    yield from going


def _both(one: Sequence[_Span], other: Sequence[_Span]) -> list[_Span]:
    """What spans of both have in common, in order."""
    found: list[_Span] = []
    at, count = 0, len(other)
    for low, high in one:
        while at < count:
            left, right = other[at]
            if left >= high:
                break
            left, end = max(left, low), min(right, high)
            if end - left >= APART:
                found.append((left, end))
            if right > high:
                break
            at += 1
    return found


def _between_words(rows: Sequence[_Row], strip: _Strip) -> _Strip | None:
    """The same from the first row with words on both sides to the last, if most have them."""
    both = [
        at
        for at, (low, high) in enumerate(strip.spans)
        if rows[strip.first + at].words[0].left < low and high < rows[strip.first + at].words[-1].right
    ]
    if len(both) < LINES or len(both) < _BOTH * (both[-1] + 1 - both[0]):
        return None
    return _Strip(strip.first + both[0], strip.spans[both[0] : both[-1] + 1])


def _free(rows: Sequence[_Row]) -> tuple[list[_Strip], dict[int, list[float]]]:
    """The strips that rows leave free between words, and the places at which they cross each row."""
    strips = [strip for each in _common(rows) if (strip := _between_words(rows, each)) is not None]
    places: dict[int, list[float]] = {}
    for strip in strips:
        for at, (low, high) in enumerate(strip.spans, strip.first):
            places.setdefault(at, []).append((low + high) / 2)
    return strips, places


def _columns(
    rows: Sequence[_Row], strip: _Strip, places: dict[int, list[float]]
) -> tuple[list[list[_Word]], list[list[_Word]]]:
    """The lines on both sides of a strip, up to the next of the `places`."""
    columns: tuple[list[list[_Word]], list[list[_Word]]] = ([], [])
    for at, (low, high) in enumerate(strip.spans, strip.first):
        place = (low + high) / 2
        before = max((each for each in places[at] if each < place), default=-math.inf)
        behind = min((each for each in places[at] if each > place), default=math.inf)
        left = [word for word in rows[at].words if before < word.left < place]
        right = [word for word in rows[at].words if place < word.left < behind]
        for column, side in zip(columns, (left, right), strict=True):
            if side:
                column.append(side)
    return columns


def _parts_prose(text: str, rows: Sequence[_Row], strip: _Strip, places: dict[int, list[float]]) -> bool:
    """Does prose stand on both sides, with spaces between words that are no wider?"""
    columns = _columns(rows, strip, places)
    spaces = [other.left - one.right for side in columns for line in side for one, other in itertools.pairwise(line)]
    if not spaces or median(high - low for low, high in strip.spans) < _OF_SPACES * median(spaces):
        return False
    size = median(row.size for row in rows[strip.first : strip.first + len(strip.spans)])
    if not all(_is_filled(column, size, len(strip.spans)) and _may_be_prose(text, column) for column in columns):
        return False
    return any(_goes_on(text, column) for column in columns)


def _is_filled(column: Sequence[Sequence[_Word]], size: float, count: int) -> bool:
    """Do most of `count` lines have words in this column, and most of these fill it?"""
    if len(column) < _BOTH * count:
        return False
    widths = sorted(line[-1].right - line[0].left for line in column)
    wide = widths[len(widths) * 9 // 10]
    return wide >= _COLUMN * size and sum(width >= _FULL * wide for width in widths) >= _FILLED * len(widths)


def _may_be_prose(text: str, column: Sequence[Sequence[_Word]]) -> bool:
    """Do its lines hold some words, few of them figures?"""
    letters = "".join(LETTER.findall(" ".join(_texts(text, column))))
    if sum(map(str.isdigit, letters)) > _FIGURES * len(letters):
        return False
    words = [sum(LETTER.search(text[word.start : word.end]) is not None for word in line) for line in column]
    return median(words) >= _WORDS


def _goes_on(text: str, column: Sequence[Sequence[_Word]]) -> bool:
    """Do many lines begin within a sentence?"""
    firsts = [first[0] for line in _texts(text, column) if not line.isupper() and (first := LETTER.search(line))]
    small, large = sum(map(str.islower, firsts)), sum(map(str.isupper, firsts))
    if 4 * (small + large) < len(column):  # capitals, or a script without small letters
        return not large
    return small >= _GOES_ON * (small + large)


def _texts(text: str, column: Sequence[Sequence[_Word]]) -> list[str]:
    return [text[line[0].start : line[-1].end] for line in column]


def _blanks(text: str, rows: Sequence[_Row], strip: _Strip) -> Iterator[int]:
    """Where in the text a strip parts words of a line."""
    for at, (low, high) in enumerate(strip.spans, strip.first):
        for one, other in itertools.pairwise(rows[at].words):
            if one.right <= low and high <= other.left and _BLANK.fullmatch(text, one.end, other.start):
                yield one.end
