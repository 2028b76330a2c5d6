"""Gaps on a line of a PDF that are wider than a space between words: those between the columns of a table, or of a page
whose lines are drawn over several columns.

PDFium writes one space for any gap, so that `12` and `345` of two columns read as one number. Here a tab stands there,
as the readers of other formats write it between cells: in place of the space where there is one, and as a code point
more where numbers of two cells stand so close, or with no more than a drawn rule between, that PDFium sees no gap.
"""

import itertools
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median
from typing import Final, NamedTuple, Protocol

from verified_gate.ingest.formats.pdf_bands import APART, LETTER, WORDS
from verified_gate.ingest.formats.pdf_columns import FEW, SENTENCES, may_be_columns
from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_objects import PATH, PaintedObject
from verified_gate.ingest.formats.pdf_shifted import DIGIT
from verified_gate.ingest.formats.pdf_strips import LINES, SUNK, may_have_strips

SIDE_BY_SIDE: Final = "columns side by side, read line by line over both"
"""What was lost of a page."""

_MONEY: Final = "$\u00a2-\u00a5\u20a0-\u20c0"
_SIGN: Final = f"%\u2030{_MONEY}"
_FIGURES: Final = re.compile(rf"[{DIGIT}{_SIGN}]([ \u00a0]+)(?=[\d{_MONEY}])")
_NUMBER: Final = re.compile(rf"[\d{_MONEY}][\d{_SIGN}.,'’]*[\d{_MONEY}]")
_BLANKS: Final = re.compile(r"(?<=\S)[ \u00a0]+(?=\S)")
_GROUPS: Final = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?")
_CURRENCY: Final = re.compile(f"[{_MONEY}]")
_ITEM: Final = (
    r"(?:(?:section|article|clause|chapter|part|exhibit|schedule|annex|appendix|artikel|abschnitt|kapitel|teil|anlage)[ \u00a0]+)?"
    r"(?:\S|[^\w\s]{2}|[(\[]?(?:\d{1,3}(?:\.\w{1,3}){0,5}|[A-Z]|[IVXLC]{1,6})[.)\]:]{0,2})"
)
_MARK: Final = re.compile(rf"{_ITEM}(?:[ \u00a0]+{_ITEM}){{0,3}}", re.IGNORECASE)
_HANGING: Final = re.compile(rf"{_MARK.pattern}[ \u00a0]+(?=\S)", re.IGNORECASE)
"""What numbers or marks an item of a list or a heading: its words hang behind it, but make no column."""

_NUMBERED: Final = re.compile(
    r"^[ \u00a0]*(?:\d{1,3}(?:\.\d{1,3}){1,5}(?=[A-Z][a-z])|(?:\d{1,3}(?:\.\d{1,3}){0,5}\.|[A-Z]\.|\((?:[a-z]{1,4}|[A-Z]|\d{1,3})\))(?=[A-Z]))",
    re.MULTILINE,
)
"""The number of a clause that its first word touches."""
_OF_NUMBERED: Final = 0.04
"""Times the size of the letters: so far the word stands from it at least."""
_OF_FIGURES: Final = 1.7
"""Times the usual space of the line: so wide a gap between figures is one between columns."""
_OF_WORDS: Final = 3.4
_LEAST_OF_WORDS: Final = 2.2
"""Times the size of the letters."""
_LEAST_ALIGNED: Final = 1.2
_OF_ALIGNED: Final = 2.0
_ALIGNED: Final = 4
"""Lines on which what is behind the gap begins at the same place."""
_SAME: Final = 1.5
"""Points."""
_WIDEST_SPACE: Final = 1.5
"""Times the size of the letters, in a line set to full width."""
_NARROWEST_SPACE: Final = 0.15
_SPACE: Final = 0.34
"""Times the size of the letters: taken for the usual space where neither the line nor the font has one."""
_NEAREST: Final = 6
_ENOUGH: Final = 3
"""Other spaces of a line, which are not all gaps between columns."""
_MOST: Final = 20_000
"""Gaps of a page that are measured."""
_MOST_LOOKED_AT: Final = 1_000_000
"""Lines and rules of a page, each as often as it is looked at."""
_EVEN: Final = 0.02
_WIDEST_EVEN: Final = 8.0
_RULE: Final = 2.5
"""Points: what is wider is no rule."""
_LEAST_APART: Final = 0.1
_APART_FROM_OTHERS: Final = 0.06
"""Times the size of the letters."""
_LONGEST_MARK: Final = 40


Owners = Callable[[Sequence[int]], list[int]]


class Letters(Protocol):
    """The text of a page and where its characters stand."""

    text: str

    def box(self, offset: int) -> Box: ...
    def boxes(self, offsets: Sequence[int]) -> list[Box]: ...
    def size(self, offset: int) -> float: ...
    def space(self, offset: int) -> float: ...


class Gaps(NamedTuple):
    """Blanks of the text that stand in gaps between columns, in order; may it be that its sentences stand so; and may
    narrower gaps below each other part columns?
    """

    blanks: list[int]
    columns: bool
    strips: bool


class _Gap(NamedTuple):
    """Blanks [start, end) of the text; how wide the gap is, in points, and where what is behind it begins."""

    start: int
    end: int
    width: float
    right: float


class _Line:
    """The blanks of a line, measured as far as they are asked for."""

    def __init__(self, letters: Letters, start: int, end: int) -> None:
        self.start, self._letters = start, letters
        self.blanks = [match.span() for match in _BLANKS.finditer(letters.text, start, end)]
        self._known: dict[tuple[int, int], _Gap] = {}

    def gap(self, blank: tuple[int, int]) -> _Gap:
        found = self._known.get(blank)
        if found is None:
            found = self._known[blank] = _Gap(*blank, *_between(self._letters, blank[0] - 1, blank[1]))
        return found

    def size(self, blank: tuple[int, int]) -> float:
        """The size of the letters beside it."""
        return max(self._letters.size(blank[0] - 1), self._letters.size(blank[1])) or 1.0

    def usual(self, blank: tuple[int, int]) -> float:
        """The usual space of the line, in points: that of the blanks around this one."""
        at, size = bisect_left(self.blanks, blank), self.size(blank)
        near = self.blanks[max(0, at - _NEAREST) : at] + self.blanks[at + 1 : at + 1 + _NEAREST]
        found = [width for width in (self.gap(each).width for each in near) if 0 < width < _WIDEST_SPACE * size]
        width = self.gap(blank).width
        if len(found) >= _ENOUGH or any(abs(each - width) < _EVEN * size for each in found):
            return median(found)
        own, font = self._letters.box(blank[0]), self._letters.space(blank[1])
        return max(own[2] - own[0], size * (font if _NARROWEST_SPACE <= font <= _WIDEST_SPACE else _SPACE))

    def is_even(self, blank: tuple[int, int]) -> bool:
        """Is the gap before it or behind it as wide, as in a short line of words set to full width?"""
        text = self._letters.text
        if _is_figure(text[blank[0] - 1]) or _is_figure(text[blank[1]]):
            return False
        if self.gap(blank).width > _WIDEST_EVEN * self.size(blank):
            return False
        at = bisect_left(self.blanks, blank)
        beside = self.blanks[max(0, at - 1) : at] + self.blanks[at + 1 : at + 2]
        return any(abs(self.gap(each).width - self.gap(blank).width) < _EVEN * self.size(blank) for each in beside)


class _Lines:
    """The lines of a page; of each at most one `_Line` is made."""

    def __init__(self, letters: Letters) -> None:
        self._letters = letters
        self._made: dict[int, _Line] = {}

    def around(self, offset: int) -> _Line:
        text = self._letters.text
        start = text.rfind("\n", 0, offset) + 1
        if start not in self._made:
            end = text.find("\n", offset)
            self._made[start] = _Line(self._letters, start, len(text) if end < 0 else end)
        return self._made[start]


def gaps(letters: Letters, painted: Sequence[PaintedObject], texts: Sequence[PaintedObject]) -> Gaps:
    """Where columns stand apart. `texts`: those of the page, in the order of painting; `painted`: all that is on it."""
    text, lines, rules = letters.text, _Lines(letters), _Rules(letters, painted)
    found: dict[int, _Gap] = {}
    left = _MOST
    for match in _FIGURES.finditer(text):
        blank, line = match.span(1), lines.around(match.start())
        left -= 1
        if left < 0:
            break
        gap = line.gap(blank)
        if gap.width >= _OF_FIGURES * line.usual(blank):
            if not _is_of_one_sum(text, line, blank):
                found[blank[0]] = gap
        elif rules.part(blank[0] - 1, blank[1]):
            found[blank[0]] = gap
    boxes = [each.box for each in texts]
    near = _apart(boxes)
    apart = [(one, other) for one, other in near if other[1] < one[3] and one[1] < other[3]]
    wide = {line.start: line for line in _lines_with_gaps(letters, apart, lines)}
    wide |= {line.start: line for line in map(lines.around, found)}
    narrower: list[_Gap] = []
    for _, line in sorted(wide.items()):
        left -= len(line.blanks)
        if left < 0:
            break
        narrower += _between_words(text, line, found)
    aligned = Counter(round(each.right / _SAME) for each in narrower)
    found |= {each.start: each for each in narrower if aligned[round(each.right / _SAME)] >= _ALIGNED}
    return Gaps(
        sorted(found), len(apart) >= FEW and may_be_columns(boxes), len(near) >= LINES and may_have_strips(boxes)
    )


def _between_words(text: str, line: _Line, found: dict[int, _Gap]) -> Iterator[_Gap]:
    """Adds the wide gaps of a line to `found`, and gives those that are wide only if others stand below them."""
    first = line.start
    for blank in line.blanks:
        gap = line.gap(blank)
        if blank[0] in found:
            first = blank[1]
        elif gap.width > APART and not _is_mark(text, first, blank[0]):
            usual = line.usual(blank)
            if gap.width < max(_LEAST_ALIGNED * line.size(blank), _OF_ALIGNED * usual):
                continue
            if line.is_even(blank) or _is_of_one_sum(text, line, blank):
                continue
            if gap.width >= max(_LEAST_OF_WORDS * line.size(blank), _OF_WORDS * usual):
                found[blank[0]] = gap
                first = blank[1]
            else:
                yield gap


def _is_mark(text: str, start: int, end: int) -> bool:
    return end - start < _LONGEST_MARK and _MARK.fullmatch(text[start:end].strip()) is not None


def _is_of_one_sum(text: str, line: _Line, blank: tuple[int, int]) -> bool:
    """Does a sign of currency stand on one side of the gap, and the figures on the other that it belongs to?"""
    end = text.find("\n", blank[1])
    behind = bool(_CURRENCY.match(text[line.start : None if end < 0 else end].rstrip()[-1:]))
    if _CURRENCY.match(text[blank[0] - 1]):
        return not behind and not text[blank[0] - 2 : blank[0] - 1].isdigit()
    if _CURRENCY.match(text[blank[1]]):
        return behind and not text[blank[1] + 1 : blank[1] + 2].isdigit()
    return False


def _between(letters: Letters, before: int, after: int) -> tuple[float, float]:
    """How far two characters stand apart on their line, and where the second begins."""
    one, other = letters.box(before), letters.box(after)
    if _over(one, other, 1) > 0:
        return max(other[0] - one[2], one[0] - other[2]), other[0]
    if _over(one, other, 0) > 0:  # the page is set sideways
        return max(other[1] - one[3], one[1] - other[3]), other[1]
    return 0.0, other[0]


def _over(one: Box, other: Box, axis: int) -> float:
    return min(one[axis + 2], other[axis + 2]) - max(one[axis], other[axis])


def _apart(boxes: Sequence[Box]) -> list[tuple[Box, Box]]:
    """Those one after the other that stand far apart on a line, or on lines of two columns that are not quite level."""
    return [
        (one, other)
        for one, other in itertools.pairwise(boxes)
        if (one[2] + APART < other[0] or other[2] + APART < one[0])
        and other[1] < one[3] + SUNK
        and one[1] < other[3] + SUNK
    ]


def _lines_with_gaps(letters: Letters, apart: Sequence[tuple[Box, Box]], lines: _Lines) -> Iterator[_Line]:
    """Lines on which two of the texts that stand `apart` are, but for a list's marks and its words."""
    if not apart:
        return
    heights, room = list(_heights(letters)), _MOST_LOOKED_AT
    for one, other in apart:
        room -= len(heights)
        if room < 0:
            return
        left, right = min(one[0], other[0]) + 1, max(one[0], other[0]) + 1
        middle = (other[1] + other[3]) / 2
        for bottom, top, first, offset in heights:
            if bottom < middle < top and first <= left:
                mark = _HANGING.match(letters.text, offset)
                if mark is None or right > letters.box(mark.end())[2] + 2:
                    yield lines.around(offset)


def _heights(letters: Letters) -> Iterator[tuple[float, float, float, int]]:
    """Of each line: between what heights it stands, where it begins, and its offset. It may begin with a raised letter."""
    start, asked = 0, []
    for piece in letters.text.split("\n"):
        first, last = start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()) - 1
        if first <= last:
            asked += [first, (first + last) // 2, last]
        start += len(piece) + 1
    boxes = iter(letters.boxes(asked))
    for first, *three in zip(asked[::3], boxes, boxes, boxes, strict=True):
        yield min(box[1] for box in three), max(box[3] for box in three), three[0][0], first


def run_together(
    letters: Letters, painted: Sequence[PaintedObject], in_pieces: Iterable[tuple[int, int]], owners: Owners
) -> list[int]:
    """Where figures of two cells meet: a tab is wanting before these. `in_pieces`: where in the text numbers are that are
    not of one text, by `owners`, those of each of some characters.
    """
    text, rules = letters.text, _Rules(letters, painted)
    found: list[int] = []
    for match in itertools.chain.from_iterable(_NUMBER.finditer(text, *piece) for piece in in_pieces):
        start, end = match.span()
        found += [
            at
            for at, (before, after) in enumerate(itertools.pairwise(owners(range(start, end))), start + 1)
            if before != after
            and _is_figure(text[at - 1])
            and _is_figure(text[at])
            and (rules.part(at - 1, at) or _stand_apart(letters, start, at, end))
        ]
    return found


def touching(letters: Letters, owners: Owners) -> list[int]:
    """Where the number of a clause and its first word, drawn apart, stand too near for PDFium: a space is wanting there."""
    ends = [match.end() for match in _NUMBERED.finditer(letters.text)]
    owned = owners([offset for end in ends for offset in (end - 1, end)])
    return [
        end
        for end, before, after in zip(ends, owned[::2], owned[1::2], strict=True)
        if before != after and _between(letters, end - 1, end)[0] >= _OF_NUMBERED * (letters.size(end) or 1.0)
    ]


def _is_figure(char: str) -> bool:
    return char.isdigit() or _CURRENCY.match(char) is not None


def _stand_apart(letters: Letters, start: int, at: int, end: int) -> bool:
    """Do figures stand further apart than those beside them, and not as the groups of one number?"""
    size = letters.size(at) or 1.0
    gap = _between(letters, at - 1, at)[0]
    beside = [_between(letters, n - 1, n)[0] for n in (at - 1, at + 1) if start < n < end]
    if gap < _LEAST_APART * size or gap < max(beside, default=0.0) + _APART_FROM_OTHERS * size:
        return False
    return not _GROUPS.fullmatch(f"{letters.text[start:at]} {letters.text[at:end]}")


class _Rules:
    """The upright rules that are drawn on a page, and the sides of drawn boxes; looked for when first asked for."""

    def __init__(self, letters: Letters, painted: Sequence[PaintedObject]) -> None:
        self._letters, self._painted = letters, painted
        self._found: list[Box] | None = None
        self._room = _MOST_LOOKED_AT

    def part(self, before: int, after: int) -> bool:
        """Does a rule stand between these two characters?"""
        left, right = self._letters.box(before), self._letters.box(after)
        if right[0] < left[2] - _RULE or _over(left, right, 1) <= 0:
            return False
        if self._found is None:
            self._found = list(self._upright())
        self._room -= len(self._found)
        if self._room < 0:
            return False
        middle, low, high = (left[1] + left[3]) / 2, (left[0] + left[2]) / 2, (right[0] + right[2]) / 2
        return any(low < rule[0] and rule[2] < high and rule[1] < middle < rule[3] for rule in self._found)

    def _upright(self) -> Iterator[Box]:
        for each in self._painted:
            if each.kind != PATH or not (each.stroked or each.colour):
                continue
            left, bottom, right, top = each.box
            if top - bottom <= _RULE:
                continue
            if right - left <= _RULE:
                yield each.box
            elif each.stroked:
                yield (left, bottom, left, top)
                yield (right, bottom, right, top)


def is_side_by_side(letters: Letters) -> bool:
    """Do many lines have words of a sentence on both sides of a tab at the same place?"""
    text, places = letters.text, Counter[int]()
    if text.count("\t") < SENTENCES:
        return False
    for tab in re.finditer("\t[ \u00a0]*", text):
        before = re.split("[\n\t]", text[max(0, tab.start() - 200) : tab.start()])[-1]
        after = re.split("[\n\t]", text[tab.end() : tab.end() + 200])[0]
        if all(sum(LETTER.search(word) is not None for word in side.split()) >= WORDS for side in (before, after)):
            places[round(letters.box(tab.end())[0] / _SAME)] += 1
    return max(places.values(), default=0) >= SENTENCES
