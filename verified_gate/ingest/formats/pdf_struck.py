"""Words of a PDF that are struck out: a thin line or rectangle is drawn through the middle of their letters.

A file does not say that they are; underlines, rules of tables and lines of forms are drawn the same way, elsewhere. So
a bar strikes out what it goes through the middle of, letter by letter, where it is seen on the page without its text.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_objects import PaintedObject

_MIDDLE: Final = 0.25
"""Of the height of a letter: so far from its upper and lower end the middle of the bar stands, at least."""
_OF_TEXT: Final = 0.2
_MOST_OF_THEM: Final = 2 / 3
"""Of the letters that a bar covers it goes through the middle of so many, at least."""
_THIN: Final = 0.01
_THICK: Final = 0.3
"""Times the size of the letters: between these a bar is as thick as a line that strikes out."""
_ROOM: Final = 1.5
"""Points above and below the bar: it must differ from what is there."""
_MOST: Final = 50_000
"""Letters of a page that are looked at, each as often as it is."""


class Letters(Protocol):
    """The text of a page and where its characters stand."""

    text: str

    def ink(self, offset: int) -> Box | None: ...
    def size(self, offset: int) -> float: ...
    def owners(self, offsets: Iterable[int]) -> list[int]: ...


def struck(
    letters: Letters, bars: Sequence[Box], texts: Sequence[PaintedObject], is_flat: Callable[[Box], bool]
) -> set[int]:
    """Offsets of the characters that one of `bars`, at least one, strikes out, of these texts. `is_flat`: is nothing to be seen there on
    the page without its text?
    """
    through = _through(bars, texts)
    if not through:
        return set()
    text, room = letters.text, _MOST
    covered: dict[Box, list[tuple[int, Box]]] = {}
    offsets = [at for at, char in enumerate(text) if not char.isspace()]
    for at, owner in zip(offsets, letters.owners(offsets), strict=True):
        crossing = through.get(owner, ())
        room -= len(crossing)
        box = letters.ink(at) if crossing and room > 0 else None
        for bar in crossing if box else ():
            if box and bar[0] <= (box[0] + box[2]) / 2 <= bar[2]:
                covered.setdefault(bar, []).append((at, box))
    found: set[int] = set()
    for bar, under in covered.items():
        if _goes_through_most(letters, bar, under):
            seen = {at for at, box in under if not is_flat((box[0], bar[1] - _ROOM, box[2], bar[3] + _ROOM))}
            found.update(at for at in seen if _is_more_than_a_stroke(text, at, seen))
    return found


def _through(bars: Sequence[Box], texts: Sequence[PaintedObject]) -> dict[int, list[Box]]:
    """By the address of a text: the bars that it may be struck out by."""
    ordered = sorted((((bar[1] + bar[3]) / 2, bar) for bar in bars), key=lambda each: each[0])
    heights = [height for height, _ in ordered]
    found: dict[int, list[Box]] = {}
    room, last = _MOST, heights[-1]
    for each in texts:
        left, bottom, right, top = each.box
        bottom, top = bottom + _OF_TEXT * (top - bottom), top - _OF_TEXT * (top - bottom)
        if bottom > last:
            continue
        first = bisect_left(heights, bottom)
        if heights[first] > top:
            continue
        crossing = ordered[first : bisect_right(heights, top)]
        room -= len(crossing)
        if room < 0:
            break
        over = [bar for _, bar in crossing if bar[0] < right and left < bar[2]]
        if over:
            found[each.address] = over
    return found


def _goes_through_most(letters: Letters, bar: Box, under: Sequence[tuple[int, Box]]) -> bool:
    """Does the bar go through the middle of most letters that it covers?"""
    middle, thickness = (bar[1] + bar[3]) / 2, bar[3] - bar[1]
    tall = [(at, box) for at, box in under if letters.text[at].isalnum()]
    hit = [
        at
        for at, (_, bottom, _, top) in tall
        if bottom + _MIDDLE * (top - bottom) <= middle <= top - _MIDDLE * (top - bottom)
    ]
    if not hit or len(hit) < _MOST_OF_THEM * len(tall):
        return False
    return _THIN * letters.size(hit[0]) <= thickness <= _THICK * letters.size(hit[0])


def _is_more_than_a_stroke(text: str, at: int, seen: set[int]) -> bool:
    """Is a letter beside it struck out too, or is it a word of its own? Else the bar may be a part of a letter."""
    beside = [n for n in (at - 1, at + 1) if 0 <= n < len(text) and not text[n].isspace()]
    return not beside or any(n in seen for n in beside)
