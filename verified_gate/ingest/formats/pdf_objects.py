"""What is painted on a page of a PDF, and which of its words a reader does not see.

What the objects of a page say of themselves (render mode, colour, size, place, what is painted later over them) only
raises a suspicion. Whether a text is seen is decided by drawing the page (`pdf_seen`).
"""

import ctypes
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_bars import THIN, Bars, Crowd
from verified_gate.ingest.formats.pdf_calls import Handle, handle_of
from verified_gate.ingest.formats.pdf_clips import RECTANGLE, Clips, within
from verified_gate.ingest.formats.pdf_geometry import UNIT, Box, Matrix, area, common, moved, times
from verified_gate.ingest.formats.pdf_squares import level_of
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

MAX_OBJECTS: Final = 200_000
"""Of one page; more is a file made to be expensive."""
PICTURE_SHARE: Final = 0.05
"""Pictures over this share of the page in all may hold words, so that the page is not completely read."""
LEGIBLE: Final = 1.5
"""Points; smaller letters are not seen."""
_MAX_NESTING: Final = 64
"""Of forms inside each other: more than PDFium itself goes down to."""
_INVISIBLE, _CLIP_ONLY = 3, 7
TEXT, PATH, _FORM = raw.FPDF_PAGEOBJ_TEXT, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM
_PAINTED: Final = (PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
_WHOLE_PICTURE: Final = 0.8
_PALE: Final = 185
"""Of 255: what is lighter may vanish on white."""
_CLOSE: Final = 48
_PATTERN: Final = (191, 191, 191)
"""What PDFium says for the colour of a pattern."""
_MOST_PAIRS: Final = 200_000
"""Of texts and what is painted over them; of more, all texts are judged by their characters."""
_MANY_SHAPES: Final = 150
_LAYER: Final = "OC\0".encode("utf-16-le")
_SHAPE: Final = (2.0, 80.0)
"""Points: how high a letter is that is drawn as a shape."""
_BAR: Final = 4.0
"""Points: what is thinner may strike out words."""
_OPAQUE: Final = 255
_MOST_MARKS: Final = 8
"""That are asked for their names."""
_BESIDE: Final = 10.0
"""Points: so far from it words stand that a picture stands among."""
_LETTER: Final = 60
"""Segments; a shape of more of them may be several letters."""


@dataclass(slots=True)
class PaintedObject:
    """One thing painted on the page, in the order of painting."""

    handle: Handle
    kind: int
    box: Box
    address: int
    """What tells it from others: PDFium's own address of it."""
    mode: int = 0
    size: float = 0.0
    colour: tuple[int, int, int, int] | None = None
    """Red, green, blue, opacity of its filling."""
    clipped: bool = False
    """Does a part of it lie outside of what it is clipped to?"""
    stroked: bool = False
    marks: int = 0
    """How many marks a text stands in."""


@dataclass(slots=True)
class Findings:
    """The addresses of text that is not seen, what of the page is no text, and whether anything but text is painted."""

    hidden: set[int] = field(default_factory=set)
    texts: list[PaintedObject] = field(default_factory=list)
    """The text objects that may be seen, and those of them that are judged by their characters."""
    suspects: list[PaintedObject] = field(default_factory=list)
    under_scan: list[PaintedObject] = field(default_factory=list)
    """Text that is not painted, under a picture of a page: what an OCR program read there, or says that it did."""
    patterned: list[PaintedObject] = field(default_factory=list)
    """Areas that may be filled with a pattern, and so be a picture."""
    bars: list[Box] = field(default_factory=list)
    """Thin lines and rectangles from left to right."""
    lost: list[str] = field(default_factory=list)
    painted: bool = False
    others: bool = True
    """May anything be drawn on the page but `texts`?"""
    grounds: frozenset[int] | None = frozenset()
    """How bright what may stand behind words is, of `pdf_squares.STEPS`; None where that may be anything."""
    crowded: bool = False
    """May letters stand over letters?"""


def objects_of(page: pdfium.PdfPage) -> list[PaintedObject]:
    """What is painted, forms taken apart, in the order of painting."""
    found: list[PaintedObject] = []
    seen, whole, clips = 0, handle_of(page.raw), Clips()
    waiting: list[tuple[int, Matrix, int, Box | None]] = [
        (ask.object_of_page(whole, number), UNIT, 0, None)
        for number in reversed(range(min(MAX_OBJECTS + 1, raw.FPDFPage_CountObjects(page))))
    ]
    while waiting:
        address, above, depth, shown = waiting.pop()
        handle = ask.at(address)
        seen += 1
        if seen > MAX_OBJECTS:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"a page of more than {MAX_OBJECTS:,} objects")
        kind = ask.kind_of(handle)
        if kind == TEXT:
            found.append(_text(address, handle, above, shown, clips))
        elif kind != _FORM:
            found.append(_object(address, handle, kind, above))
        else:
            if depth >= _MAX_NESTING:
                raise UnreadableFile(Unreadable.TOO_DEEP, f"forms inside each other, more than {_MAX_NESTING}")
            matrix, shown = times(_matrix(handle), above), clips.shown(handle, above, shown)
            count = min(MAX_OBJECTS + 1, max(0, ask.objects_of_form(handle)))
            waiting += [
                (ask.object_of_form(handle, ctypes.c_ulong(number)), matrix, depth + 1, shown)
                for number in reversed(range(count))
            ]
    return found


_floats: Final = (ctypes.c_float * 11)()
_float: Final = [ctypes.byref(_floats, 4 * at) for at in range(11)]
_bounds, _size, _turn = _float[:4], _float[4], _float[5]
_whole: Final = (ctypes.c_uint * 4)()
_number: Final = [ctypes.byref(_whole, 4 * at) for at in range(4)]
_name, _name_length = ctypes.create_string_buffer(32), ctypes.c_ulong()
"""Where PDFium writes its answers to; they are taken from there at once."""


def _object(address: int, handle: Handle, kind: int, above: Matrix) -> PaintedObject:
    """Of what is no text."""
    if not ask.bounds_of(handle, *_bounds):
        _floats[:4] = [0.0] * 4
    left, bottom, right, top = _floats[:4]
    found = PaintedObject(handle, kind, moved((left, bottom, right, top), above), address)
    if kind == PATH and ask.mode_of_path(handle, _number[0], _number[1]):
        filled, found.stroked = bool(_whole[0]), bool(_whole[1])
        found.colour = _colour(handle) if filled else None
    return found


def _text(address: int, handle: Handle, above: Matrix, shown: Box | None, clips: Clips) -> PaintedObject:
    if not ask.bounds_of(handle, *_bounds):
        _floats[:4] = [0.0] * 4
    if not ask.size_of_text(handle, _size):
        _floats[4] = 0.0
    if not ask.matrix_of(handle, _turn):
        _floats[5:] = [*UNIT]
    left, bottom, right, top, size, a, b, c, d, e, f = _floats[:]
    box = (left, bottom, right, top)
    if above is not UNIT:
        box = moved(box, above)
        a, b, c, d, _, _ = times((a, b, c, d, e, f), above)
    size = abs(size)
    height = box[3] - box[1]
    if height < 2 * LEGIBLE:  # tiny, or a line of dots
        height = size * math.hypot(c, d)
    width = size * math.hypot(a, b)
    return PaintedObject(
        handle,
        TEXT,
        box,
        address,
        ask.mode_of_text(handle),
        min(width, height),  # or squeezed together
        _colour(handle),
        (shown is not None and not within(box, shown)) or clips.cut(handle, box, above),
        marks=ask.marks_of(handle),
    )


def look(page: pdfium.PdfPage, objects: list[PaintedObject], bounds: Box) -> Findings:
    """Which text objects are not seen, and what of the page is not text."""
    found = Findings()
    whole = area(bounds) or 1.0
    texts = [(at, each) for at, each in enumerate(objects) if each.kind == TEXT]
    others = [(at, each) for at, each in enumerate(objects) if each.kind in _PAINTED]
    paths = [each for _, each in others if each.kind == PATH]
    pictures = [each for _, each in others if each.kind == raw.FPDF_PAGEOBJ_IMAGE]
    shares = [area(common(each.box, bounds)) / whole for each in pictures]
    found.painted = any(area(common(each.box, bounds)) > 0 for _, each in others)
    scanned = sum(shares) >= _WHOLE_PICTURE  # in strips, too
    invisible = [each for _, each in texts if each.mode == _INVISIBLE]
    if scanned and invisible:
        found.lost.append("picture, with words laid under it by an OCR program")
    elif sum(shares) >= PICTURE_SHARE:
        found.lost.append("picture")
    elif any(_stands_among(each.box, texts) for each in pictures[: _MOST_PAIRS // (len(texts) + 1)]):
        found.lost.append("picture in a line of words")
    if _drawn_shapes(paths) >= _MANY_SHAPES:
        found.lost.append("drawn shapes")
    if scanned:
        found.under_scan = invisible
    else:
        found.hidden.update(each.address for each in invisible)
    found.patterned = [
        each
        for each in paths
        if each.colour and each.colour[:3] == _PATTERN and area(common(each.box, bounds)) >= PICTURE_SHARE * whole
    ]
    found.bars = [each.box for each in paths if (each.stroked or each.colour) and _is_bar(each.box)]
    fills = {each.colour for each in paths if each.colour and _wide(each.box)}
    covers = [(at, each.box) for at, each in others if _covers(each)]
    covers += [(len(objects), box) for box in _annotated(page)]
    found.others = len(texts) < len(objects) or raw.FPDFPage_GetAnnotCount(page) != 0
    last_cover = covers[-1][0] if covers else -1
    bars = Bars((at, each.box) for at, each in others if each.kind == PATH and not _wide(each.box) and _paints(each))
    found.grounds, crowd = _grounds([each for _, each in others if _covers(each)], dense=bars.dense), Crowd()
    crowded = max(len(covers), len(fills)) * len(texts) > _MOST_PAIRS
    least_x, least_y, most_x, most_y = bounds
    fonts: dict[int, bool] = {}
    colours: dict[tuple[int, int, int, int] | None, bool] = {}
    """May a text of this colour not be seen?"""
    for at, each in texts:
        if each.mode == _INVISIBLE:
            continue
        left, bottom, right, top = each.box
        # letters that the file draws itself are as large as it draws them, whatever the size of their font
        tiny = each.size < LEGIBLE and not (top - bottom >= LEGIBLE and _is_drawn_by_the_file(each.handle, fonts))
        if tiny or left > most_x or right < least_x or bottom > most_y or top < least_y:
            found.hidden.add(each.address)
            found.others = True  # its dots are no ink of other words
            continue
        found.texts.append(each)
        crowd.add(each.box)
        if each.colour not in colours:
            colours[each.colour] = _pale(each.colour) or (
                bool(fills) and (crowded or any(_alike(each.colour, fill) for fill in fills))
            )
        if (
            each.clipped
            or each.mode != 0
            or left < least_x
            or right > most_x
            or bottom < least_y
            or top > most_y
            or colours[each.colour]
            or (at < last_cover and (crowded or any(n > at and area(common(each.box, box)) for n, box in covers)))
            or (bars.dense and at < bars.last and bars.may_cover(at, each.box))
            or ask.is_transparent(each.handle)
            or (each.marks and _has_layer(each))
            or _is_drawn_by_the_file(each.handle, fonts)
        ):
            found.suspects.append(each)
    found.crowded = crowd.found
    return found


def _stands_among(picture: Box, texts: list[tuple[int, PaintedObject]]) -> bool:
    """Does a small picture stand on a line, between words, in place of one?"""
    left, bottom, right, top = picture
    if not (_SHAPE[0] < top - bottom <= _SHAPE[1] and _SHAPE[0] < right - left):
        return False
    middle = (bottom + top) / 2
    before = behind = False
    for _, each in texts:
        box = each.box
        if box[1] < middle < box[3]:
            before = before or -_BESIDE < left - box[2] < _BESIDE
            behind = behind or -_BESIDE < box[0] - right < _BESIDE
    return before and behind


def _annotated(page: pdfium.PdfPage) -> Iterator[Box]:
    """Where something may be painted over the page: notes, stamps, form fields, links with a look of their own."""
    rect = raw.FS_RECTF()
    for number in range(min(10_000, max(0, raw.FPDFPage_GetAnnotCount(page)))):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        try:
            plain = raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_LINK
            if (not plain or raw.FPDFAnnot_HasKey(annotation, b"AP")) and raw.FPDFAnnot_GetRect(annotation, rect):
                across, up = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
                yield (across[0], up[0], across[1], up[1])
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _is_drawn_by_the_file(text: Handle, known: dict[int, bool]) -> bool:
    """Is its font one without a name, whose letters the file draws itself (Type 3), each as it likes or not at all?"""
    address = ask.font_of(text) or 0
    if address not in known:
        known[address] = not address or ask.name_of_font(ask.at(address), None, ctypes.c_size_t(0)) <= 1
    return known[address]


def _drawn_shapes(paths: list[PaintedObject]) -> int:
    """How many filled shapes may be letters of words that were turned into outlines."""
    count = 0
    for each in paths:
        if each.colour is None:
            continue
        height = each.box[3] - each.box[1]
        if height >= _SHAPE[0]:
            segments = ask.path_segments(each.handle)
            if segments > _LETTER:
                count += segments // _LETTER
            elif height <= _SHAPE[1] and not _is_rectangle(each.handle, segments):
                count += 1
    return count


def _is_rectangle(path: Handle, segments: int) -> bool:
    if segments not in RECTANGLE:
        return False
    corners = {_point(ask.at(ask.path_segment(path, number))) for number in range(segments)}
    return len(corners) == 4 and len({across for across, _ in corners}) == 2 == len({up for _, up in corners})


def _point(segment: Handle) -> tuple[float, float]:
    ask.point_of(segment, _float[0], _float[1])
    return _floats[0], _floats[1]


def _colour(handle: Handle) -> tuple[int, int, int, int] | None:
    if not ask.fill_of(handle, *_number):
        return None
    red, green, blue, opacity = _whole[:]
    return red, green, blue, opacity


def _pale(colour: tuple[int, int, int, int] | None) -> bool:
    """Too light, or too thin, to be sure that it is seen."""
    return colour is not None and (min(colour[:3]) > _PALE or colour[3] < _CLOSE)


def _alike(one: tuple[int, int, int, int] | None, other: tuple[int, int, int, int] | None) -> bool:
    if one is None or other is None:
        return False
    return all(abs(a - b) < _CLOSE for a, b in zip(one[:3], other[:3], strict=True))


def _covers(each: PaintedObject) -> bool:
    """Could it, which is no text, lie over words?"""
    return each.kind != PATH or (_paints(each) and _wide(each.box))


def _grounds(covers: Iterable[PaintedObject], *, dense: bool) -> frozenset[int] | None:
    """How bright these may be, and lines that stand `dense`; None for anything."""
    found: set[int] = set()
    for each in () if dense else covers:
        if (
            each.kind != PATH
            or each.stroked
            or not each.colour
            or each.colour[3] < _OPAQUE
            or each.colour[:3] == _PATTERN
        ):
            return None
        found.add(level_of(each.colour))
    return None if dense else frozenset(found)


def _paints(path: PaintedObject) -> bool:
    return path.stroked or (path.colour is not None and path.colour[3] > 0)


def _is_bar(box: Box) -> bool:
    return box[3] - box[1] <= _BAR < box[2] - box[0]


def _wide(box: Box) -> bool:
    """Larger than a rule or a line under words, in both directions."""
    return min(box[2] - box[0], box[3] - box[1]) > THIN


def _has_layer(text: PaintedObject) -> bool:
    """Is it marked as part of a layer, which may be switched off?"""
    if text.marks > _MOST_MARKS:
        return True
    for number in range(text.marks):
        told = ask.name_of_mark(
            ask.at(ask.mark_of(text.handle, ctypes.c_ulong(number))),
            _name,
            ctypes.c_ulong(32),
            ctypes.byref(_name_length),
        )
        if told and _name.raw.startswith(_LAYER):
            return True
    return False


def _matrix(handle: Handle) -> Matrix:
    if not ask.matrix_of(handle, _turn):
        return UNIT
    a, b, c, d, e, f = _floats[5:]
    return (a, b, c, d, e, f)
