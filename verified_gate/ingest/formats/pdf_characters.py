"""The characters of one page of a PDF as PDFium tells them: the text that they make, and where each of them stands."""

import ctypes
import itertools
import math
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_calls import handle_of
from verified_gate.ingest.formats.pdf_columns import Part
from verified_gate.ingest.formats.pdf_gaps import Gaps, gaps, run_together, touching
from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_objects import PaintedObject
from verified_gate.ingest.formats.pdf_shifted import Heights

_ODD: Final = re.compile("[^\t\n\r -~\u00a0§©®°·‐‑–—‘’“”„•…ÄÖÜäöüßàáâçèéêëíîñóôúû\ufffe]")
"""All but the letters and marks that no other character is cut down to in practice: those need not be asked for one by
one.
"""
_LEAST_INK: Final = 0.2
_MAY_BE_NUL: Final = re.compile("[\ufffd\ufffe]")
_SPACE: Final = ctypes.c_uint(0x20)
_NO_CHARACTER: Final = -1
"""Of which PDFium says that it stands nowhere and belongs to nothing."""
_FEW: Final = 64
"""Objects whose text is asked for one by one: that goes through all of the page each time."""
_MANY: Final = 1_024
_cells: Final = (ctypes.c_float * (4 * _MANY))()
_at_cells: Final = [ctypes.byref(_cells, 16 * at) for at in range(_MANY)]
_sides_of_cells: Final = memoryview(_cells).cast("B").cast("f")
"""Where PDFium writes the places of so many characters to; they are taken from there at once."""


class Characters:
    """The text of a page in reading order, and the way back from its code points to PDFium's own numbers of characters."""

    def __init__(self, textpage: pdfium.PdfTextPage, left_out: Collection[int] = ()) -> None:
        """Without the characters of the text objects of the addresses `left_out`."""
        self.handle = textpage.raw
        self._asked = handle_of(textpage.raw)
        self._cell, self._turn, self._sides = raw.FS_RECTF(), raw.FS_MATRIX(), (ctypes.c_double * 4)()
        self._at_cell, self._at_turn = ctypes.byref(self._cell), ctypes.byref(self._turn)
        self._at_sides = [ctypes.byref(self._sides, 8 * side) for side in range(4)]
        self.count = max(0, raw.FPDFText_CountChars(self.handle))
        room = 1 << self.count.bit_length()  # of few sizes: ctypes makes a new type for each
        buffer = (ctypes.c_ushort * room)()
        got = raw.FPDFText_GetText(self.handle, 0, self.count, buffer) if self.count else 0
        text = ctypes.string_at(buffer, 2 * max(0, got - 1)).decode("utf-16-le", "replace")
        self._numbers: list[int] | None = None
        if len(text) != self.count:  # some have no place in the text
            self._numbers = [
                at for at in range(self.count) if raw.FPDFText_GetTextIndexFromCharIndex(self.handle, at) >= 0
            ]
            if len(self._numbers) != len(text):
                text = "".join(map(self._code, self._numbers))
        if left_out:
            numbers = range(self.count) if self._numbers is None else self._numbers
            self._numbers = [at for at in numbers if ask.owner_of(self._asked, at) not in left_out]
            text = "".join(map(self._code, self._numbers))
        # the library's text is cut to 16 bits a character; asked one by one they are whole
        text = _ODD.sub(self._whole, text)
        text = text.replace("\0", "\ufffd")  # a NUL ends texts in many places that they go to
        heights = Heights(self._asked, self._numbers)
        self.text = heights.set_apart(text)
        self._in_pieces = heights.in_pieces

    def set_tabs(self, painted: Sequence[PaintedObject], texts: Sequence[PaintedObject]) -> Gaps:
        """Write a tab where columns stand apart, and a space between the number of a clause and a word drawn near it."""
        found = gaps(self, painted, texts)
        self.set_tabs_at(found.blanks)
        wanting = [(at, " ") for at in touching(self, self.owners)]
        if self._in_pieces:
            wanting += [(at, "\t") for at in run_together(self, painted, self._in_pieces, self.owners)]
        if wanting:
            numbers = list(range(len(self.text)) if self._numbers is None else self._numbers)
            for at, sign in sorted(wanting, reverse=True):
                self.text = f"{self.text[:at]}{sign}{self.text[at:]}"
                numbers.insert(at, _NO_CHARACTER)
            self._numbers = numbers
        return found

    def set_tabs_at(self, blanks: Sequence[int]) -> None:
        """Write a tab in place of each of these blanks."""
        if blanks:
            signs = list(self.text)
            for at in blanks:
                signs[at] = "\t"
            self.text = "".join(signs)

    def set_in_order(self, parts: Sequence[Part]) -> None:
        """Write these parts of the text one after the other, if there are any."""
        if not parts:
            return
        text, numbers = self.text, range(len(self.text)) if self._numbers is None else self._numbers
        self.text = "".join([before + text[start:end] for start, end, before in parts])
        self._numbers = []
        for start, end, before in parts:
            self._numbers += [_NO_CHARACTER] * len(before)
            self._numbers += numbers[start:end]

    def number(self, offset: int) -> int:
        """PDFium's number of the character at `offset` of the text; -1 for a tab or line end that it has no character for."""
        return offset if self._numbers is None else self._numbers[offset]

    def box(self, offset: int) -> Box:
        """Where the character's cell stands, as high as its font, or zeros where PDFium knows no place."""
        cell = self._cell
        if not ask.cell_of(self._asked, self.number(offset), self._at_cell):
            return (0.0, 0.0, 0.0, 0.0)
        return (cell.left, cell.bottom, cell.right, cell.top)

    def boxes(self, offsets: Sequence[int]) -> list[Box]:
        """The same of several characters: in half the time for each, where they are many."""
        found: list[Box] = []
        for first in range(0, len(offsets), _MANY):
            some = offsets[first : first + _MANY]
            numbers = some if self._numbers is None else map(self._numbers.__getitem__, some)
            known = list(self._each(ask.cell_of, numbers, _at_cells))
            sides = _sides_of_cells[: 4 * len(some)].tolist()
            boxes = zip(sides[::4], sides[3::4], sides[2::4], sides[1::4], strict=True)
            found += boxes if all(known) else itertools.starmap(_of_known, zip(boxes, known, strict=True))
        return found

    def ink(self, offset: int) -> Box | None:
        """Where the character itself stands, without the room around it; its cell where that is no area; or None."""
        if ask.ink_of(self._asked, self.number(offset), *self._at_sides):
            left, right, bottom, top = self._sides[:]
            if right - left >= _LEAST_INK and top - bottom >= _LEAST_INK:
                return (left, bottom, right, top)
        box = self.box(offset)
        return box if box[2] > box[0] and box[3] > box[1] else None

    def size(self, offset: int) -> float:
        """The size of the character's font on the page, in points."""
        number, scale = self.number(offset), 1.0
        if ask.turn_of(self._asked, number, self._at_turn):
            scale = math.hypot(self._turn.c, self._turn.d)
        return abs(float(ask.size_of(self._asked, number))) * scale

    def space(self, offset: int) -> float:
        """How wide a space is in the font of the character, in sizes of its letters; 0 where that is not known."""
        owner, width = ask.owner_of(self._asked, self.number(offset)), ctypes.c_float()
        font = ask.font_of(ask.at(owner)) if owner else None
        if not font or not ask.width_in_font(ask.at(font), _SPACE, ctypes.c_float(1.0), ctypes.byref(width)):
            return 0.0
        return width.value

    def owners(self, offsets: Iterable[int]) -> list[int]:
        """The addresses of the text objects that these characters belong to; 0 for what PDFium put in itself."""
        numbers = offsets if self._numbers is None else map(self._numbers.__getitem__, offsets)
        return [owner or 0 for owner in self._each(ask.owner_of, numbers)]

    def may_belong(self, objects: Collection[int]) -> bool:
        """May some of the characters, apart from white space, belong to one of these text objects?"""
        if len(objects) > _FEW or _MAY_BE_NUL.search(self.text):  # of which PDFium says nothing there
            return True
        return any(self._text_of(address).strip() for address in objects)

    def _text_of(self, address: int) -> str:
        buffer = (ctypes.c_ushort * 64)()
        length = ask.text_of(ask.at(address), self._asked, buffer, ctypes.c_ulong(128))
        return "…" if length > 128 else bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace")

    def unmapped(self) -> int:
        """How many letters the file gives no meaning for: what stands in the text for them is a guess."""
        numbers = range(len(self.text)) if self._numbers is None else self._numbers
        if not any(self._each(ask.is_without_meaning, numbers)):
            return 0
        return operator.countOf(self._each(ask.is_without_meaning, numbers), 1)

    def _each(self, function: Callable[..., Any], numbers: Iterable[int], *places: Iterable[Any]) -> Iterator[Any]:
        """What PDFium says of each of these characters. `starmap` hands its arguments over as they are: a fifth less time
        than `map`.
        """
        return itertools.starmap(function, zip(itertools.repeat(self._asked), numbers, *places))  # noqa: RUF058

    def _whole(self, odd: re.Match[str]) -> str:
        return self._code(self.number(odd.start()))

    def _code(self, number: int) -> str:
        code = raw.FPDFText_GetUnicode(self.handle, number)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def _of_known(box: Box, known: int) -> Box:
    return box if known else (0.0, 0.0, 0.0, 0.0)
