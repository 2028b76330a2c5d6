"""What objects of a PDF are clipped to, where that is a rectangle."""

import ctypes
from typing import Final

from pypdfium2 import raw  # type: ignore[import-untyped]

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_calls import Handle
from verified_gate.ingest.formats.pdf_geometry import Box, Matrix, common, moved

RECTANGLE: Final = (4, 5)
"""How many points it has, the first perhaps twice."""
_THIRD: Final = 2
_NOWHERE: Final[Box] = (0.0, 0.0, -1e9, -1e9)
_points: Final = (ctypes.c_float * 10)()
_corners: Final = [(ctypes.byref(_points, 8 * at), ctypes.byref(_points, 8 * at + 4)) for at in range(5)]
"""Where PDFium writes points to; they are taken from there at once."""


class Clips:
    """The clip paths of a page, which most of its texts share."""

    def __init__(self) -> None:
        self._known: dict[int | None, Box | None] = {}

    def cut(self, handle: Handle, box: Box, above: Matrix) -> bool:
        """Does a text reach out of one of its clip paths, or may it, since that is no rectangle?"""
        clip = ask.at(ask.clip_of(handle))
        for path in range(ask.clip_paths(clip) if clip else 0):
            inside = self._rectangle(clip, path)
            if inside is None or not within(box, moved(inside, above)):
                return True
        return False

    def shown(self, form: Handle, above: Matrix, shown: Box | None) -> Box | None:
        """What of the page a form shows at most: no more than what it is clipped to; nothing for sure where it is faint."""
        if ask.is_transparent(form) or ask.marks_of(form) > 0:
            return _NOWHERE
        clip = ask.at(ask.clip_of(form))
        for path in range(ask.clip_paths(clip) if clip else 0):
            inside = self._rectangle(clip, path)
            if inside is None:
                return _NOWHERE
            inside = moved(inside, above)
            shown = inside if shown is None else common(shown, inside)
        return shown

    def _rectangle(self, clip: Handle, path: int) -> Box | None:
        first = ask.clip_segment(clip, path, 0)  # at one address for all who share the path
        if first not in self._known:
            self._known[first] = _rectangle(clip, path)
        return self._known[first]


def _rectangle(clip: Handle, path: int) -> Box | None:
    """The rectangle that a clip path is, if it is one, its corners one after the other, and perhaps the first once more."""
    count = ask.clip_segments(clip, path)
    if count not in RECTANGLE:
        return None
    for number, (across, up) in enumerate(_corners[:count]):
        segment = ask.at(ask.clip_segment(clip, path, number))
        ask.point_of(segment, across, up)
        if number == _THIRD and ask.kind_of_segment(segment) != raw.FPDF_SEGMENT_LINETO:  # a curve has three points
            return None
    left, bottom, first, second, right, top, third, fourth, x, y = _points[:]
    if (first, second, third, fourth) not in ((left, top, right, bottom), (right, bottom, left, top)):
        return None
    if count == RECTANGLE[1] and (x, y) != (left, bottom):
        return None
    if left > right:
        left, right = right, left
    return (left, bottom, right, top) if bottom < top else (left, top, right, bottom)


def within(box: Box, other: Box) -> bool:
    """Does the one lie in the other, but for a point?"""
    return box[0] >= other[0] - 1 and box[1] >= other[1] - 1 and box[2] <= other[2] + 1 and box[3] <= other[3] + 1
