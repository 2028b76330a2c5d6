"""Thin shapes painted on a page of a PDF: a rule or a line under words, or many of them that hide a word together."""

from collections.abc import Iterable
from typing import Final, Protocol

from verified_gate.ingest.formats.pdf_geometry import Box, area, common


class Painted(Protocol):
    """What is painted on the page, and where."""

    box: Box
    address: int


THIN: Final = 3.0
"""Points: what is thinner is a rule, or a line under words."""
_LARGE: Final = 20.0
"""Points: letters as high may hold words between their edges."""
_TWICE_NEAR: Final = 8.0
"""Points: texts whose middles stand half as far apart, or less, are looked at together."""
_MOST_RUNS: Final = 100
_FARTHEST: Final = 1 << 62
"""A row without words."""
_EVERY: Final = 1 << 62
"""A number after those of all objects."""
_ROW: Final = 16.0
"""Points: a line of words or two."""
_MOST_ROWS: Final = 1_000
_MOST_ASKED: Final = 200_000
"""Of a page, and held of it; of more, every text may be covered."""


class Bars:
    """Shapes too thin to hide a letter, though many of them beside each other may."""

    def __init__(self, thin: Iterable[tuple[int, Box]]) -> None:
        """Take boxes with their numbers in the order of painting."""
        self._rows: dict[int, list[tuple[int, Box]]] = {}
        self._asked = held = 0
        self.last = -1
        """The number of the last of them."""
        for bar in thin:
            self.last = bar[0]
            rows = _rows(bar[1])
            held += len(rows)
            if held > _MOST_ASKED:
                self._asked, self.last = held, _EVERY
                break
            for row in rows:
                self._rows.setdefault(row, []).append(bar)
        totals = (sum(min(box[2] - box[0], box[3] - box[1]) for _, box in row) for row in self._rows.values())
        self.dense = self.last == _EVERY or any(total > THIN for total in totals)
        """May they make a ground together that is larger than a line?"""

    def may_cover(self, at: int, text: Box) -> bool:
        """May those that are painted after the object of this number hide a letter of it together?"""
        if at > self.last:
            return False
        together = 0.0
        for row in _rows(text):
            near = self._rows.get(row, ())
            self._asked += len(near)
            if self._asked > _MOST_ASKED:
                return True
            for number, box in near:
                if number > at and area(common(box, text)):
                    together += min(box[2] - box[0], box[3] - box[1])
                    if together > THIN:
                        return True
        return False


class Crowd:
    """Whether texts may stand over each other, or letters are so large that they hold words; asked of each in turn."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Box]] = {}  # what is drawn from left to right on one height, by that
        self._waiting: list[tuple[int, Box]] = []  # of them, those that no row holds yet
        self._lowest = float("inf")
        self._row, self._run = _FARTHEST, (0.0, 0.0, 0.0, 0.0)
        self._found = False

    def add(self, box: Box) -> None:
        """Take the place of one more text."""
        left, bottom, right, top = box
        row, run = int((bottom + top) / _TWICE_NEAR), self._run
        if -2 < row - self._row < 2 and left + THIN > run[2]:
            if right > run[2]:
                self._run = run[0], run[1], right, run[3]
        elif not self._found:
            self._end_row()
            self._row, self._run = row, box
        if top - bottom > _LARGE:
            self._found = True

    def _end_row(self) -> None:
        if self._row == _FARTHEST:
            return
        _, bottom, _, top = self._run
        if top - (top - bottom) / 4 > self._lowest:  # else it stands below all others, as lines do
            self._look()
        self._waiting.append((self._row, self._run))
        self._lowest = min(self._lowest, bottom)

    def _look(self) -> None:
        for row, run in self._waiting:
            self._rows.setdefault(row, []).append(run)
        self._waiting.clear()
        left, bottom, right, top = self._run
        quarter = (top - bottom) / 4
        middle = left, bottom + quarter, right, top - quarter
        for row in (self._row - 1, self._row, self._row + 1):
            beside = self._rows.get(row, ())
            if len(beside) > _MOST_RUNS or any(_holds(each, middle) for each in beside):
                self._found = True

    @property
    def found(self) -> bool:
        """Of all so far."""
        self._end_row()
        self._row = _FARTHEST
        return self._found


def overlapping(texts: Iterable[Painted], others: Iterable[Painted]) -> set[int]:
    """The addresses of the `texts` over the middle of which others stand; of all where there are too many of them."""
    rows: dict[int, list[Painted]] = {}
    asked = 0
    for each in others:
        near = _rows(each.box)
        asked += len(near)
        for row in near if asked <= _MOST_ASKED else ():
            rows.setdefault(row, []).append(each)
    found: set[int] = set()
    for text in texts:
        left, bottom, right, top = text.box
        inset = (top - bottom) / 4
        middle = (left, bottom + inset, right, top - inset)
        for row in _rows(middle):
            beside = rows.get(row, ())
            asked += len(beside)
            if asked > _MOST_ASKED or any(_hides(each, text, middle) for each in beside):
                found.add(text.address)
                break
    return found


def _hides(one: Painted, text: Painted, middle: Box) -> bool:
    return one.address != text.address and _holds(one.box, middle)


def _holds(box: Box, middle: Box) -> bool:
    """Does it stand over half of this middle of a text, and more than a line's breadth of it?"""
    left, bottom, right, top = common(box, middle)
    return right - left > THIN and top - bottom > (middle[3] - middle[1]) / 2


def _rows(box: Box) -> range:
    first, last = (int(max(-_MOST_ROWS, min(side // _ROW, _MOST_ROWS))) for side in (box[1], box[3]))
    return range(first, last + 1)
