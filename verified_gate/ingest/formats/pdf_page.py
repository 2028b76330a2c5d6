"""One page of a PDF by PDFium: its text exactly as the library gives it, the place of its lines, and what a reader of
the page does not see of it.

What the objects of a page say of themselves (render mode, colour, size, place, what is painted later over them) only
raises a suspicion. Whether a suspected text is seen is decided by drawing the page with it and without it.
"""

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats.pdf_geometry import UNIT, Box, Matrix, area, common, grown, moved, times
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

MAX_OBJECTS: Final = 200_000
"""Of one page; more is a file made to be expensive."""
PICTURE_SHARE: Final = 0.05
"""A picture over this share of the page may hold words, so that the page is not completely read."""
LEGIBLE: Final = 1.5
"""Points; smaller letters are not seen."""

_MAX_NESTING: Final = 24
_INVISIBLE, _CLIP_ONLY = 3, 7
_ODD: Final = re.compile(r"[^\t\n\r -~]")
_PAINTED: Final = (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
_WHOLE_PICTURE: Final = 0.8
_PALE: Final = 200
"""Of 255: what is lighter may vanish on white."""
_CLOSE: Final = 48
_SEEN: Final = 8
"""Of 255: the least difference that drawing a text must make."""
_PIXELS: Final = 1_500


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page's text, [start, end) in it, without its line end. `base` and `top` are heights on the page,
    `left` and `right` where its first and last letter stand, `size` that of its first letter, all in points.
    """

    start: int
    end: int
    left: float
    right: float
    base: float
    top: float
    size: float


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as read. `hidden` are spans of `text`; `lost` why it is not complete; `blank`: nothing is painted on it."""

    text: str
    lines: tuple[Line, ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()
    lost: tuple[str, ...] = ()
    blank: bool = False
    width: float = 0.0
    height: float = 0.0

    @property
    def visible(self) -> str:
        """The text without what is hidden."""
        shown, at = [], 0
        for start, end in self.hidden:
            shown.append(self.text[at:start])
            at = end
        return "".join([*shown, self.text[at:]])


class Characters:
    """The text of a page and the way back from its code points to PDFium's own numbers of characters."""

    def __init__(self, textpage: pdfium.PdfTextPage) -> None:
        self.handle = textpage.raw
        self._rect, self._turn = raw.FS_RECTF(), raw.FS_MATRIX()
        self.count = max(0, raw.FPDFText_CountChars(self.handle))
        buffer = (ctypes.c_ushort * (self.count + 1))()
        got = raw.FPDFText_GetText(self.handle, 0, self.count, buffer) if self.count else 0
        text = bytes(buffer)[: 2 * max(0, got - 1)].decode("utf-16-le", "replace")
        self._numbers: list[int] | None = None
        if len(text) != self.count:  # some have no place in the text
            self._numbers = [
                at for at in range(self.count) if raw.FPDFText_GetTextIndexFromCharIndex(self.handle, at) >= 0
            ]
            if len(self._numbers) != len(text):
                text = "".join(map(self._code, self._numbers))
        self.unmapped = 0
        """How many letters the file gives no meaning for: what stands in the text for them is a guess."""
        # the library's text is cut to 16 bits a character; asked one by one they are whole
        text = _ODD.sub(self._asked, text)
        self.text = text.replace("\0", "\ufffd")  # a NUL ends texts in many places that they go to

    def number(self, offset: int) -> int:
        """PDFium's number of the character at `offset` of the text."""
        return offset if self._numbers is None else self._numbers[offset]

    def box(self, offset: int) -> Box:
        """Where the character's cell stands, as high as its font, or zeros where PDFium knows no place."""
        rect = self._rect
        if not raw.FPDFText_GetLooseCharBox(self.handle, self.number(offset), rect):
            return (0.0, 0.0, 0.0, 0.0)
        return (rect.left, rect.bottom, rect.right, rect.top)

    def size(self, offset: int) -> float:
        """The size of the character's font on the page, in points."""
        matrix, scale = self._turn, 1.0
        if raw.FPDFText_GetMatrix(self.handle, self.number(offset), matrix):
            scale = math.hypot(matrix.c, matrix.d)
        return float(raw.FPDFText_GetFontSize(self.handle, self.number(offset))) * scale

    def owner(self, offset: int) -> int:
        """The address of the text object that the character belongs to; 0 for what PDFium put in itself."""
        found = raw.FPDFText_GetTextObject(self.handle, self.number(offset))
        return int(ctypes.cast(found, ctypes.c_void_p).value or 0)

    def _asked(self, odd: re.Match[str]) -> str:
        number = self.number(odd.start())
        self.unmapped += raw.FPDFText_HasUnicodeMapError(self.handle, number) == 1
        return self._code(number)

    def _code(self, number: int) -> str:
        code = raw.FPDFText_GetUnicode(self.handle, number)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


@dataclass(slots=True)
class _Object:
    """One thing painted on the page, in the order of painting."""

    handle: Any
    kind: int
    box: Box
    mode: int = 0
    size: float = 0.0
    colour: tuple[int, int, int, int] | None = None
    """Red, green, blue, opacity of its filling."""

    @property
    def address(self) -> int:
        return int(ctypes.cast(self.handle, ctypes.c_void_p).value or 0)


@dataclass(slots=True)
class _Findings:
    hidden: set[int] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)
    painted: bool = False


def read_page(page: pdfium.PdfPage) -> PageText:
    """Read one page. Raises `UnreadableFile` for a page that was made to be expensive."""
    textpage = page.get_textpage()
    try:
        characters = Characters(textpage)
        width, height = page.get_size()
        bounds = _visible_box(page)
        objects = list(_objects(page))
        findings = _look(page, objects, bounds)
        text = characters.text
        hidden = _spans_of(characters, findings.hidden) if findings.hidden else ()
        if characters.unmapped:
            findings.lost.append(f"{characters.unmapped} characters without a meaning in the file")
        findings.lost += _annotations(page)
        return PageText(
            text=text,
            lines=tuple(_lines(characters)),
            hidden=hidden,
            lost=tuple(findings.lost),
            blank=not findings.painted and not text.strip(),
            width=width,
            height=height,
        )
    finally:
        textpage.close()


def _lines(characters: Characters) -> Iterator[Line]:
    text, start = characters.text, 0
    for piece in text.split("\n"):
        end = start + len(piece.rstrip())
        first = start + len(piece) - len(piece.lstrip())
        if first < end:
            left, base, _, top = characters.box(first)
            right = characters.box(end - 1)[2]
            yield Line(first, end, left, right, base, top, round(characters.size(first), 1))
        start += len(piece) + 1


def _visible_box(page: pdfium.PdfPage) -> Box:
    left, bottom, right, top = page.get_bbox()
    return (min(left, right), min(bottom, top), max(left, right), max(bottom, top))


def _objects(page: pdfium.PdfPage) -> Iterator[_Object]:
    """What is painted, forms taken apart, in the order of painting."""
    seen = 0
    waiting: list[tuple[Any, Matrix, int]] = [
        (raw.FPDFPage_GetObject(page, number), UNIT, 0)
        for number in reversed(range(min(MAX_OBJECTS + 1, raw.FPDFPage_CountObjects(page))))
    ]
    while waiting:
        handle, above, depth = waiting.pop()
        seen += 1
        if seen > MAX_OBJECTS:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"a page of more than {MAX_OBJECTS:,} objects")
        kind = raw.FPDFPageObj_GetType(handle)
        if kind == raw.FPDF_PAGEOBJ_FORM:
            if depth >= _MAX_NESTING:
                continue
            matrix = times(_matrix(handle), above)
            count = min(MAX_OBJECTS + 1, max(0, raw.FPDFFormObj_CountObjects(handle)))
            waiting += [
                (raw.FPDFFormObj_GetObject(handle, number), matrix, depth + 1) for number in reversed(range(count))
            ]
        else:
            yield _object(handle, kind, above)


def _object(handle: Any, kind: int, above: Matrix) -> _Object:
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    known = raw.FPDFPageObj_GetBounds(handle, left, bottom, right, top)
    box = moved((left.value, bottom.value, right.value, top.value), above) if known else (0.0, 0.0, 0.0, 0.0)
    found = _Object(handle, kind, box)
    if kind == raw.FPDF_PAGEOBJ_TEXT:
        found.mode = raw.FPDFTextObj_GetTextRenderMode(handle)
        found.size = box[3] - box[1]
        if found.size < 2 * LEGIBLE:  # tiny, or a line of dots
            size = ctypes.c_float()
            raw.FPDFTextObj_GetFontSize(handle, size)
            matrix = times(_matrix(handle), above)
            found.size = abs(size.value) * math.hypot(matrix[2], matrix[3])
        found.colour = _colour(handle)
    elif kind == raw.FPDF_PAGEOBJ_PATH:
        filled, stroked = ctypes.c_int(), raw.FPDF_BOOL()
        if raw.FPDFPath_GetDrawMode(handle, filled, stroked) and filled.value:
            found.colour = _colour(handle)
    return found


def _look(page: pdfium.PdfPage, objects: list[_Object], bounds: Box) -> _Findings:
    """Which text objects are not seen, and what of the page is not text."""
    found = _Findings()
    whole = area(bounds) or 1.0
    pictures = [each for each in objects if each.kind == raw.FPDF_PAGEOBJ_IMAGE]
    shares = [area(common(each.box, bounds)) / whole for each in pictures]
    texts = [(at, each) for at, each in enumerate(objects) if each.kind == raw.FPDF_PAGEOBJ_TEXT]
    found.painted = any(area(common(each.box, bounds)) > 0 for each in objects if each.kind in _PAINTED)
    scanned = max(shares, default=0.0) >= _WHOLE_PICTURE
    invisible = [each for _, each in texts if each.mode == _INVISIBLE]
    if scanned and invisible:
        found.lost.append("picture, with words laid under it by an OCR program")
    elif any(share >= PICTURE_SHARE for share in shares):
        found.lost.append("picture")
    if not scanned:
        found.hidden.update(each.address for each in invisible)
    fills = {each.colour for each in objects if each.kind == raw.FPDF_PAGEOBJ_PATH and each.colour and _wide(each.box)}
    covers = [(at, each) for at, each in enumerate(objects) if _covers(each)]
    suspects = []
    for at, each in texts:
        if each.mode == _INVISIBLE:
            continue
        if each.size < LEGIBLE or not area(common(grown(each.box), bounds)):
            found.hidden.add(each.address)
        elif (
            each.mode == _CLIP_ONLY
            or _pale(each.colour)
            or any(_alike(each.colour, fill) for fill in fills)
            or _has_layer(each.handle)
            or (covers and covers[-1][0] > at and any(n > at and area(common(each.box, o.box)) for n, o in covers))
        ):
            suspects.append(each)
    found.hidden.update(each.address for each in _unseen(page, suspects, bounds))
    return found


def _unseen(page: pdfium.PdfPage, suspects: list[_Object], bounds: Box) -> Iterator[_Object]:
    """Those of `suspects` that leave no mark on the drawn page."""
    if not suspects:
        return
    longest = max(bounds[2] - bounds[0], bounds[3] - bounds[1], 1.0)
    scale = min(2.0, _PIXELS / longest)
    drawn = _drawn(page, scale)
    for each in suspects:
        raw.FPDFPageObj_SetIsActive(each.handle, False)  # noqa: FBT003
    without = _drawn(page, scale)
    for each in suspects:
        raw.FPDFPageObj_SetIsActive(each.handle, True)  # noqa: FBT003
    if page.get_rotation():  # the picture is turned, boxes are not: the whole page speaks for all of them
        if drawn[0] == without[0]:
            yield from suspects
        return
    for each in suspects:
        if not _differs(drawn, without, each.box, bounds, scale):
            yield each


_Picture = tuple[bytes, int, int, int]
"""Grey pixels row by row, bytes in a row, width, height."""


def _drawn(page: pdfium.PdfPage, scale: float) -> _Picture:
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False, draw_annots=False)
    try:
        return bytes(bitmap.buffer), bitmap.stride, bitmap.width, bitmap.height
    finally:
        bitmap.close()


def _differs(one: _Picture, other: _Picture, box: Box, bounds: Box, scale: float) -> bool:
    first, stride, width, height = one
    left = max(0, int((box[0] - bounds[0]) * scale) - 1)
    right = min(width, int((box[2] - bounds[0]) * scale) + 2)
    top = max(0, int((bounds[3] - box[3]) * scale) - 1)
    bottom = min(height, int((bounds[3] - box[1]) * scale) + 2)
    for row in range(top, bottom):
        a = first[row * stride + left : row * stride + right]
        b = other[0][row * stride + left : row * stride + right]
        if a != b and any(abs(x - y) >= _SEEN for x, y in zip(a, b, strict=True)):
            return True
    return False


def _spans_of(characters: Characters, hidden: set[int]) -> tuple[tuple[int, int], ...]:
    """Where in the text the characters of these objects stand; white space between two of them belongs to them."""
    spans: list[tuple[int, int]] = []
    for at, char in enumerate(characters.text):
        if char.isspace() or characters.owner(at) not in hidden:
            continue
        if spans and not characters.text[spans[-1][1] : at].strip():
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return tuple(spans)


def _annotations(page: pdfium.PdfPage) -> Iterator[str]:
    """Notes and filled form fields stand on the page and are no part of its text."""
    notes = fields = 0
    for number in range(min(10_000, max(0, raw.FPDFPage_GetAnnotCount(page)))):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET:
                fields += _value(annotation, b"V") not in ("", "Off")
            elif kind not in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP):
                notes += _value(annotation, b"Contents") != ""
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    if notes:
        yield "1 note" if notes == 1 else f"{notes} notes"
    if fields:
        yield "1 filled form field" if fields == 1 else f"{fields} filled form fields"


def _value(annotation: Any, name: bytes) -> str:
    """The first letters of a string of an annotation."""
    buffer = (ctypes.c_ushort * 16)()
    length = raw.FPDFAnnot_GetStringValue(annotation, name, buffer, 32)
    if length > 32:
        return "…"
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace").strip()


def _colour(handle: Any) -> tuple[int, int, int, int] | None:
    red, green, blue, opacity = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    if not raw.FPDFPageObj_GetFillColor(handle, red, green, blue, opacity):
        return None
    return red.value, green.value, blue.value, opacity.value


def _pale(colour: tuple[int, int, int, int] | None) -> bool:
    """Too light, or too thin, to be sure that it is seen."""
    return colour is not None and (min(colour[:3]) > _PALE or colour[3] < _CLOSE)


def _alike(one: tuple[int, int, int, int] | None, other: tuple[int, int, int, int] | None) -> bool:
    if one is None or other is None:
        return False
    return all(abs(a - b) < _CLOSE for a, b in zip(one[:3], other[:3], strict=True))


def _covers(each: _Object) -> bool:
    """Could it lie over words?"""
    if each.kind == raw.FPDF_PAGEOBJ_PATH:
        return each.colour is not None and each.colour[3] > 0 and _wide(each.box)
    return each.kind in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)


def _wide(box: Box) -> bool:
    """Larger than a rule or a line under words, in both directions."""
    return min(box[2] - box[0], box[3] - box[1]) > 3.0


def _has_layer(handle: Any) -> bool:
    """Is it marked as part of a layer, which may be switched off?"""
    for number in range(min(8, max(0, raw.FPDFPageObj_CountMarks(handle)))):
        mark = raw.FPDFPageObj_GetMark(handle, number)
        buffer, length = (ctypes.c_ushort * 16)(), ctypes.c_ulong()
        if raw.FPDFPageObjMark_GetName(mark, buffer, 32, length) and bytes(buffer)[:6] == "OC\0".encode("utf-16-le"):
            return True
    return False


def _matrix(handle: Any) -> Matrix:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(handle, matrix):
        return UNIT
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
