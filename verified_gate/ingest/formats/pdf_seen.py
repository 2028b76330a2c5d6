"""Which words of a page are seen: the page is drawn without any of its text and again with it, notes and form fields
over it, and the two are compared: object by object where nothing is odd, character by character where something is.

A suspected text is drawn alone, without other text over or under it, so that none is taken as seen for what stands in
the same place.
"""

import ctypes
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_bars import overlapping
from verified_gate.ingest.formats.pdf_geometry import Box, area, common
from verified_gate.ingest.formats.pdf_objects import Findings, PaintedObject
from verified_gate.ingest.formats.pdf_squares import is_near, level_of, squares_of

_SEEN: Final = 16
"""Of 255: the least difference that drawing a text must make."""
_FLAT: Final = 16
"""Of 255: what varies less is a picture of nothing."""
_WHITE: Final = 0xFFFFFFFF
_PIXELS: Final = 1_500
_LEAST_SCALE: Final = 0.25
"""Pixels a point; a page drawn smaller does not show its letters."""
_LONGEST: Final = 14_400.0
"""Points: larger pages than most programs make, and not drawn."""
_LAYERS: Final = 8
"""How many times texts over each other are drawn apart."""
_MOST_OVER_EACH_OTHER: Final = 5_000
_CELL: Final = 4.0
_MOST_CELLS: Final = 4_000
_LATIN_END: Final = "\u0250"
_STEP: Final = 3.0
"""Points up and down: so near a line differs from what is above it and beneath."""
_PIECES: Final = 5
"""Of a line, each of which is seen: it may be dashed."""
_NOISE: Final = 3
"""Of 255, and times what rows mostly differ by in the picture of a paper page: what differs less is no line at all."""
_LARGEST_KEPT: Final = 1 << 22
"""Pixels of a sheet that is kept for other pages."""
_GROUND: Final = 4.0
"""Points in both directions: what is as large as that behind words, in their colour, may hide letters of them."""
_SOLID: Final = 6.0
"""Points: no letter of usual words holds a square as large."""
_AROUND: Final = 1.0
"""Points beside a letter that what covers it covers too."""
_INSET: Final = 0.25
"""Points; at the sides of a letter its neighbours are seen."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Grey pixels row by row, a byte each; `pixels` may go on behind them."""

    pixels: bytearray
    width: int
    height: int


_sheets: Final[dict[str, bytearray]] = {}
"""What pages are drawn on, used again for the next ones of all files: new memory each time would cost as much as the
drawing.
"""


class Sight:
    """What the drawn page shows of its text."""

    def __init__(
        self,
        page: pdfium.PdfPage,
        findings: Findings,
        doubled: Mapping[int, Sequence[PaintedObject]],
        bounds: Box,
    ) -> None:
        """Draw `page`, for the last time: some of its texts are switched off after that. `doubled`: what draws the same as
        the text object of this address, in the same place; they are judged as one.
        """
        texts, self._doubled = findings.texts, doubled
        again = {each.address for others in doubled.values() for each in others}
        odd = ({each.address for each in findings.suspects} | doubled.keys()) - again
        self._bounds = bounds
        longest = max(bounds[2] - bounds[0], bounds[3] - bounds[1], 1.0)
        self.too_large = longest > _LONGEST
        """Is the page too large to be drawn so that its letters are seen? Then nothing is judged."""
        self.hidden: set[int] = set()
        """The addresses of objects that leave no mark."""
        self.unjudged = False
        """Are there more texts over each other than are drawn apart? They count as hidden."""
        self._alone: dict[int, Picture] = {}
        self._without: dict[int, Picture] = {}
        self._all: Picture | None = None
        self._shown: list[PaintedObject] = []
        if self.too_large:
            return
        self._scale = max(_LEAST_SCALE, min(2.0 if odd else 1.0, _PIXELS / longest))
        if findings.others or odd or again:
            _switch(texts, 0)
        self._empty = self._drawn(page, "empty") if findings.others else self._sheet(page, "white")
        if findings.grounds or findings.grounds is None:
            known = odd | again
            rest_of = [each for each in texts if each.address not in known and _may_sink(each, findings.grounds)]
            faint = {each.address for each in self._on_squares(rest_of, self._empty, _GROUND)}
            if faint and not odd and self._scale < _PIXELS / longest:
                self._scale = min(2.0, _PIXELS / longest)
                self._empty = self._drawn(page, "empty")
            odd |= faint
        plain = [each for each in texts if each.address not in odd and each.address not in again]
        if plain:
            whole = self._layer(page, plain, "plain")
            solid = self._on_squares(plain, whole, _SOLID, self._empty) if findings.crowded else []
            if solid and overlapping(plain, solid):  # lines drawn over each other are none, as each of them alone tells
                solid = [
                    each
                    for number, layer in enumerate(_apart(solid)[0])
                    for each in self._on_squares(
                        layer, self._layer(page, layer, f"layer {number}"), _SOLID, self._empty
                    )
                ]
            solid += [each for each in texts if each.address in odd]
            under = overlapping(plain, solid) if solid else set()
            if under:
                odd |= under
                plain = [each for each in plain if each.address not in odd]
                whole = self._layer(page, plain, "plain")
            self.hidden.update(each.address for each in plain if not self._shows(whole, each.box))
        suspects = [each for each in texts if each.address in odd]
        layers, rest = _apart(suspects)
        for number, layer in enumerate(layers):
            picture = self._layer(page, layer, f"layer {number}")
            self._alone.update((each.address, picture) for each in layer)
        if plain and suspects:  # letters over others may hide them
            others, whole = self._layer(page, suspects, "odd"), self._layer(page, texts, "all")
            self.hidden.update(each.address for each in plain if not self._shows(whole, each.box, others))
        if odd:
            self._judge_over_each_other(page, texts, layers, odd)
        self.hidden.update(each.address for each in rest)
        self.unjudged = bool(rest)

    @property
    def judges_some(self) -> bool:
        """Are there objects that are judged by their characters?"""
        return bool(self._alone)

    def judges(self, address: int) -> bool:
        """Is this object judged by its characters?"""
        return address in self._alone

    def shows(self, address: int, box: Box) -> bool:
        """Does this object leave a mark within `box`?"""
        without = self._without.get(address)
        if without is not None and self._all is not None:
            around = (box[0] - _AROUND, box[1], box[2] + _AROUND, box[3])
            if self._is_flat(without, around):  # nothing stands there, or solid letters
                return self._shows(self._all, box, without)
        return self._shows(self._alone[address], box)

    def is_flat(self, box: Box) -> bool:
        """Is nothing to be seen in `box` of the page without its text?"""
        return not self.too_large and self._is_flat(self._empty, box)

    def _is_flat(self, picture: Picture, box: Box) -> bool:
        left, top, right, bottom = self._place(box)
        least, most = 255, 0
        for row in range(top * picture.width, bottom * picture.width, picture.width):
            piece = picture.pixels[row + left : row + right]
            least, most = min((least, *piece)), max((most, *piece))
            if most - least >= _FLAT:
                return False
        return True

    def lines_across(self, left: float, right: float, *, edges: bool) -> list[tuple[float, bool]]:
        """Heights at which a line goes from `left` to `right` on the page without its text, from the top, and is it surely
        one? With `edges`, those of what is painted there are among the others.
        """
        first, top, end, bottom = self._place((left, self._bounds[1], right, self._bounds[3]))
        width, step = self._empty.width, max(1, round(_STEP * self._scale))
        rows = [self._empty.pixels[row * width + first : row * width + end] for row in range(top, bottom)]
        strong = [_differences(*three) for three in zip(rows, rows[step:], rows[2 * step :], strict=False)]
        least = max(_NOISE, _NOISE * sorted(edge for _, edge in strong)[len(strong) // 2]) if strong else 0
        found: list[tuple[float, bool]] = []
        last = -math.inf
        for row, (line, edge) in enumerate(strong, top + step):
            if max(line, edge if edges else 0) < least:
                continue
            height, sure = self._bounds[3] - (row + 0.5) / self._scale, line >= max(_FLAT, least)
            if row - last > step:
                found.append((height, sure))
            elif sure and not found[-1][1]:
                found[-1] = (height, sure)
            last = row
        return found

    def is_line(self, left: float, right: float, height: float) -> bool:
        """Does a line go from `left` to `right` at this height?"""
        first, top, end, bottom = self._place((left, height - _STEP, right, height + _STEP))
        width, step = self._empty.width, max(1, round(_STEP * self._scale))
        rows = [
            self._empty.pixels[row * width + first : row * width + end]
            for row in range(max(0, top - step), min(self._empty.height, bottom + step))
        ]
        return any(_differences(*three)[0] >= _FLAT for three in zip(rows, rows[step:], rows[2 * step :], strict=False))

    def _on_squares(
        self, texts: Iterable[PaintedObject], picture: Picture, side: float, without: Picture | None = None
    ) -> list[PaintedObject]:
        """Those in whose box `picture` holds a square of `side` points nearly as bright as they are that is not there `without` it."""
        levels: dict[int, list[PaintedObject]] = {}
        for each in texts:
            levels.setdefault(level_of(each.colour), []).append(each)
        width, height, size = picture.width, picture.height, max(2, int(side * self._scale))
        found: list[PaintedObject] = []
        for level, alike in levels.items():
            squares = squares_of(picture.pixels, width, height, level, size)
            if squares and without:
                known = squares_of(without.pixels, width, height, level, size)
                new = int.from_bytes(squares, "little") & ~int.from_bytes(known, "little")
                squares = bytearray(new.to_bytes(len(squares), "little") if new else b"")
            for each in alike if squares else ():
                left, top, right, bottom = self._place(each.box)
                if any(squares.find(1, row * width + left, row * width + right) >= 0 for row in range(top, bottom)):
                    found.append(each)
        return found

    def _judge_over_each_other(
        self, page: pdfium.PdfPage, texts: list[PaintedObject], layers: list[list[PaintedObject]], odd: set[int]
    ) -> None:
        """Draw all texts, and all without each layer that others stand over."""
        over = overlapping([each for each in texts if each.address in odd], texts)
        for number, layer in enumerate(layers):
            held = {each.address for each in layer}
            if over.isdisjoint(held):
                continue
            self._all = self._all or self._layer(page, texts, "all")
            picture = self._layer(page, [each for each in texts if each.address not in held], f"without {number}")
            self._without.update(dict.fromkeys(held & over, picture))

    def _layer(self, page: pdfium.PdfPage, texts: Sequence[PaintedObject], sheet: str) -> Picture:
        """The page with these texts alone."""
        drawn = [*texts, *(other for each in texts for other in self._doubled.get(each.address, ()))]
        _switch(self._shown, 0)
        _switch(drawn, 1)
        self._shown = drawn
        return self._drawn(page, sheet)

    def _sheet(self, page: pdfium.PdfPage, name: str) -> Picture:
        """One as large as the page, with what was drawn on it before: at first it is white. "white", which a page of text
        alone is without it, is never drawn on.
        """
        across, up = page.get_size() if not _upright(page) % 2 else page.get_size()[::-1]
        width, height = math.ceil(across * self._scale), math.ceil(up * self._scale)
        kept = _sheets.get(name)
        if kept is None or len(kept) < width * height:
            kept = bytearray(b"\xff") * (width * height)
            if len(kept) <= _LARGEST_KEPT:
                _sheets[name] = kept
        return Picture(kept, width, height)

    def _drawn(self, page: pdfium.PdfPage, sheet: str) -> Picture:
        picture = self._sheet(page, sheet)
        width, height, upright = picture.width, picture.height, _upright(page)
        memory = (ctypes.c_char * (width * height)).from_buffer(picture.pixels)
        bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_Gray, memory, width)
        if not bitmap:
            raise pdfium.PdfiumError("no picture of the page")
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, _WHITE)
        place = (bitmap, page, 0, 0, width, height, upright, raw.FPDF_GRAYSCALE | raw.FPDF_ANNOT)
        raw.FPDF_RenderPageBitmap(*place)
        if page.formenv:
            raw.FPDF_FFLDraw(page.formenv, *place)
        raw.FPDFBitmap_Destroy(bitmap)
        return picture

    def _place(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in pixels."""
        scale, (least_x, least_y, most_x, most_y) = self._scale, self._bounds
        left, bottom, right, top = box
        if left < least_x or bottom < least_y or right > most_x or top > most_y:
            left, bottom, right, top = common(box, self._bounds)
        if right < left or top < bottom:
            return (0, 0, 0, 0)
        last, lowest = int((right - least_x) * scale) + 1, int((most_y - bottom) * scale) + 1
        width, height = self._empty.width, self._empty.height
        return (
            int((left - least_x) * scale),
            int((most_y - top) * scale),
            min(width, last),
            min(height, lowest),
        )

    def _shows(self, picture: Picture, box: Box, without: Picture | None = None) -> bool:
        """Does `picture` show something in `box` that is not `without` it, by default on the page without its text?"""
        left, top, right, bottom = self._place(box)
        one, other = picture.pixels, (without or self._empty).pixels
        width, across = picture.width, right - left
        middle = (top + bottom) // 2  # where a letter has most
        for rows in (range(middle, bottom), range(top, middle)):
            for row in rows:
                first = row * width + left
                a, b = one[first : first + across], other[first : first + across]
                if a == b:
                    continue
                if b.count(b[0]) == across:  # of one colour, as nearly always: pass over what is not drawn on
                    a = a.lstrip(b[:1])
                    if abs(a[0] - b[0]) >= _SEEN:
                        return True
                if any(abs(x - y) >= _SEEN for x, y in zip(a, b[across - len(a) :], strict=True)):
                    return True
        return False


def _differences(above: bytearray, row: bytearray, beneath: bytearray) -> tuple[int, int]:
    """Of 255: how much a row differs in each of its pieces, at least, from both others; and these from each other."""
    if above == row == beneath:
        return 0, 0
    lines = [max(min(a, c) - b, b - max(a, c), 0) for a, b, c in zip(above, row, beneath, strict=True)]
    edges = [abs(a - c) for a, c in zip(above, beneath, strict=True)]
    ends = [len(row) * piece // _PIECES for piece in range(_PIECES + 1)]
    pieces = [slice(*each) for each in itertools.pairwise(ends)]
    return min(max(lines[each], default=0) for each in pieces), min(max(edges[each], default=0) for each in pieces)


def _upright(page: pdfium.PdfPage) -> int:
    """How many quarters PDFium must turn the page by, to draw it as its points are counted."""
    return -int(page.get_rotation()) // 90 % 4


def inner(box: Box, char: str) -> Box:
    """The box of a character without its sides where it has room for them; a thin one is drawn beside its place. Of a
    letter or digit the middle counts: one of which the tips alone look out is not seen.
    """
    inset = _INSET if box[2] - box[0] > 8 * _INSET else -2 * _INSET
    rim = (box[3] - box[1]) / 5 if char.isalnum() and char < _LATIN_END else 0.0
    return (box[0] + inset, box[1] + rim, box[2] - inset, box[3] - rim)


def _switch(texts: Iterable[PaintedObject], on: int) -> None:
    for each in texts:
        ask.switch(each.handle, on)


def _may_sink(text: PaintedObject, grounds: frozenset[int] | None) -> bool:
    """May a text be as bright as what stands behind it?"""
    return grounds is None or any(is_near(level_of(text.colour), each) for each in grounds)


def _apart(texts: Sequence[PaintedObject]) -> tuple[list[list[PaintedObject]], list[PaintedObject]]:
    """Layers of texts that do not stand over each other, and what is left over."""
    layers: list[list[PaintedObject]] = []
    taken: list[set[tuple[int, int]]] = []
    rest: list[PaintedObject] = []
    for each in texts:
        if len(rest) >= _MOST_OVER_EACH_OTHER:  # a page made to be expensive
            rest.append(each)
            continue
        cells = _cells(each.box)
        free = next((at for at, used in enumerate(taken) if used.isdisjoint(cells)), len(layers))
        if free == _LAYERS:
            rest.append(each)
            continue
        if free == len(layers):
            layers.append([])
            taken.append(set())
        layers[free].append(each)
        taken[free].update(cells)
    return layers, rest


def _cells(box: Box) -> list[tuple[int, int]]:
    """The cells of a grid that a text stands on; lines under each other share none."""
    inset = (box[3] - box[1]) / 4
    least = max((area(box) / _MOST_CELLS) ** 0.5, (box[2] - box[0]) / _MOST_CELLS, (box[3] - box[1]) / _MOST_CELLS)
    size = _CELL
    while size < least:
        size *= 2
    across = range(int(box[0] // size), int(box[2] // size) + 1)
    up = range(int((box[1] + inset) // size), int((box[3] - inset) // size) + 1)
    return [(x, y) for x in across for y in up]
