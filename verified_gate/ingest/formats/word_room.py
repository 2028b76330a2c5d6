"""Room that words have in a Word document: rows and frames of an exact height, which cut off what is below; tab stops.

No letter is measured here: words are held to need no more than they surely do, so that what is told to be cut off is.
All lengths are in twentieths of a point; sizes of letters in half points.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

LEAST_ROOM: Final = 60
"""The height or width of a row, cell or frame; less shows no word."""
_LEAST_SIZE: Final = 20
"""Of letters of which no size is told."""
_EM: Final = 10
"""Twentieths of a point for each half point."""
_LETTER, _LINE = 0.41, 1.1
"""The least width of letters, on the average, and height of a line, in sizes of the letters."""
_SEEN: Final = 0.4
"""Of a line, from its top: less of it shows no word."""
_NOWHERE: Final = 1_000_000
_PER_LINE: Final = 240
TAB: Final = "tab "
"""Begins the names of tab stops among the measures of a paragraph."""
TABS: Final = {"left": 1, "start": 1, "num": 1, "right": 2, "end": 2, "center": 2, "decimal": 2}
"""The kinds of tab stops: words begin there, or stand before it."""
_BEFORE: Final = 2_000
"""So far before a tab stop words may begin that stand before it."""


class Room:
    """What a row or frame of a height shows of its paragraphs, one line beneath the other. `wide`: 0 where not known."""

    def __init__(self, high: int, wide: int = 0) -> None:
        self._high, self._wide = high, wide if wide > 0 else _NOWHERE
        self._top, self._line, self._after = 0.0, 0.0, 0
        self._at = 0.0  # on the line
        self._place: Mapping[str, int] = {}

    @property
    def full(self) -> bool:
        """Whether nothing is seen of the line that is being written."""
        return self._top + _SEEN * self._line >= self._high

    def begin(self, size: int, place: Mapping[str, int]) -> None:
        """A paragraph begins, in letters of a size."""
        self._top += self._line + max(self._after, place.get("before", 0))
        self._after, self._place, self._at = place.get("after", 0), place, 0.0
        self._line = self._height(size)

    def end_line(self) -> None:
        """The next words stand on a line of their own."""
        self._top += self._line
        self._at = 0.0

    def take(self, count: int, size: int) -> int:
        """Take so many letters; how many of them are seen, at the most."""
        if not self._at:
            self._line = self._height(size)
        width = max(1.0, (size or _LEAST_SIZE) * _EM * _LETTER)
        lines = math.ceil((self._high - self._top) / self._line - _SEEN)
        seen = max(0, math.ceil((lines * self._wide - self._at) / width))
        self._at += count * width
        self._top += self._line * (self._at // self._wide)
        self._at %= self._wide
        return min(count, seen)

    def _height(self, size: int) -> float:
        share = max(1, self._place.get("share", _PER_LINE)) / _PER_LINE
        return max(1.0, self._place.get("line", 0) or (size or _LEAST_SIZE) * _EM * _LINE * share)


class TabStops:
    """Where tabs lead to, in a line that begins at `start`."""

    def __init__(self, place: Mapping[str, int]) -> None:
        kept = ((name, kind) for name, kind in place.items() if name.startswith(TAB) and kind)
        self._stops = sorted((int(name[len(TAB) :]), kind) for name, kind in kept)
        self._positions = [at for at, _ in self._stops]
        self._start = place.get("left", 0) + place.get("first", 0)
        self._at = float(self._start)

    def take(self, count: int, size: int) -> None:
        """Take so many letters."""
        self._at += count * (size or _LEAST_SIZE) * _EM * _LETTER

    def next(self) -> int:
        """Where words begin, at the least, that stand behind the next tab."""
        found = bisect_right(self._positions, self._at)
        at, kind = self._stops[found] if found < len(self._stops) else (int(self._at), 1)
        self._at = float(at)
        return at if kind == 1 else at - _BEFORE

    def end_line(self) -> None:
        """The next line begins."""
        self._at = float(self._start)
