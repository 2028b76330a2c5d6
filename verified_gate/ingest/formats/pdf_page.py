"""One page of a PDF by PDFium: its text, the place of its lines, and what a reader of the page does not see of it."""

import ctypes
import itertools
import math
import operator
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_calls import handle_of
from verified_gate.ingest.formats.pdf_columns import Part, Seen, in_reading_order
from verified_gate.ingest.formats.pdf_doubled import doubled
from verified_gate.ingest.formats.pdf_gaps import SIDE_BY_SIDE, Gaps, gaps, is_side_by_side, run_together
from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_marked import OTHER_WORDS, text_of
from verified_gate.ingest.formats.pdf_notes import annotations
from verified_gate.ingest.formats.pdf_objects import TEXT, PaintedObject, look, objects_of
from verified_gate.ingest.formats.pdf_seen import Sight, inner
from verified_gate.ingest.formats.pdf_shifted import Heights
from verified_gate.ingest.formats.pdf_strips import may_hold_strips, strips_of
from verified_gate.ingest.formats.pdf_struck import struck

_ODD: Final = re.compile("[^\t\n\r -~\u00a0§©®°·‐‑–—‘’“”„•…ÄÖÜäöüßàáâçèéêëíîñóôúû\ufffe]")
"""All but the letters and marks that no other character is cut down to in practice: those need not be asked for one by
one.
"""
_LEAST_INK: Final = 0.2
_MAY_BE_NUL: Final = re.compile("[\ufffd\ufffe]")
_HYPHEN: Final = "\ufffe"
"""In place of one at the end of a line, and of the line end."""
_SPACE: Final = ctypes.c_uint(0x20)
_NO_CHARACTER: Final = -1
"""Of which PDFium says that it stands nowhere and belongs to nothing."""
_FEW: Final = 64
"""Objects whose text is asked for one by one: that goes through all of the page each time."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the page's text, [start, end) in it, without its line end. `base` is the height on the page on which it
    begins, `foot` that on which it ends (another one where PDFium joins two lines at a hyphen), `left` where it begins,
    `size` that of its first letter, in points.
    """

    start: int
    end: int
    left: float
    base: float
    size: float
    foot: float


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as read. `hidden` are spans of `text`; `lost` why it is not complete; `numbers` is a line of the text that
    holds the numbers of lines from the gutter between columns; `blank`: nothing but letters is painted on it.
    """

    text: str
    lines: tuple[Line, ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()
    lost: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    blank: bool = False
    left: float = 0.0
    bottom: float = 0.0
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
        """Write a tab where columns stand apart."""
        found = gaps(self, painted, texts)
        self.set_tabs_at(found.blanks)
        wanting = run_together(self, painted, self._in_pieces, self.owners) if self._in_pieces else []
        if wanting:
            numbers = list(range(len(self.text)) if self._numbers is None else self._numbers)
            for at in reversed(wanting):
                self.text = f"{self.text[:at]}\t{self.text[at:]}"
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
        return float(ask.size_of(self._asked, number)) * scale

    def space(self, offset: int) -> float:
        """How wide a space is in the font of the character, in sizes of its letters; 0 where that is not known."""
        owner, width = ask.owner_of(self._asked, self.number(offset)), ctypes.c_float()
        font = ask.font_of(ask.at(owner)) if owner else None
        if not font or not ask.width_in_font(ask.at(font), _SPACE, ctypes.c_float(1.0), ctypes.byref(width)):
            return 0.0
        return width.value

    def owners(self, offsets: Iterable[int]) -> list[int]:
        """The addresses of the text objects that these characters belong to; 0 for what PDFium put in itself."""
        found = map(ask.owner_of, itertools.repeat(self._asked), map(self.number, offsets))
        return [owner or 0 for owner in found]

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
        return operator.countOf(map(ask.is_without_meaning, itertools.repeat(self._asked), numbers), 1)

    def _whole(self, odd: re.Match[str]) -> str:
        return self._code(self.number(odd.start()))

    def _code(self, number: int) -> str:
        code = raw.FPDFText_GetUnicode(self.handle, number)
        return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


class _Done(NamedTuple):
    """Are there columns whose order is not sure; were some put in order?"""

    doubtful: bool
    ordered: bool


class Opened:
    """A page, its words and what is painted on it, until `close`."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        """Where columns are put in order, what is seen of the page is judged first. Raises `UnreadableFile` for a page that
        was made to be expensive.
        """
        self._page = page
        self._sight: Sight | None = None
        self.numbers: tuple[int, int] | None = None
        """A line of the text that holds the numbers of lines from the gutter between columns."""
        objects = list(objects_of(page))
        self._words, other_words = text_of(page, objects)
        self.bounds = _visible_box(page)
        self.findings = look(page, objects, self.bounds)
        if other_words:
            self.findings.lost.append(OTHER_WORDS)
        self.doubled = doubled(self.findings.texts, self._words) if self.findings.suspects else {}
        """Texts that are drawn once more, by the address of the first; they are no part of `characters`."""
        again = {each.address for others in self.doubled.values() for each in others}
        self.characters = Characters(self._words, again)
        texts = self.findings.texts
        if self.findings.under_scan:
            texts = [each for each in objects if each.kind == TEXT]
        found = self.characters.set_tabs(objects, texts)
        doubtful, ordered = self._put_in_order() if found.columns else (False, False)
        doubtful = doubtful or is_side_by_side(self.characters)
        if found.strips or may_hold_strips(self.characters):
            strips = strips_of(self.characters)
            self.characters.set_tabs_at(strips.blanks)
            if strips.found and not doubtful:
                doubtful = ordered or not self._put_in_order().ordered or strips_of(self.characters).found
                doubtful = doubtful or is_side_by_side(self.characters)
        if doubtful:
            self.findings.lost.append(SIDE_BY_SIDE)

    def _put_in_order(self) -> "_Done":
        order = in_reading_order(self.characters, self._seen)
        self.characters.set_in_order(order.parts)
        if order.numbers:
            text = self.characters.text.rstrip()
            self.numbers = (text.rfind("\n") + 1, len(text))
        return _Done(order.doubtful, bool(order.parts))

    def _seen(self) -> Seen | None:
        sight = self.sight()
        for each in self.findings.texts:  # the page may be drawn once more
            ask.switch(each.handle, 1)
        if sight is None or sight.too_large:
            return None
        lines = partial(sight.lines_across, edges=not self.findings.under_scan)
        return Seen(_spans_of(self.characters, self.findings.hidden, _judging(sight)), lines, sight.is_line)

    def sight(self) -> Sight | None:
        """What the drawn page shows; drawn when first asked for, with what that tells added to the findings. None where
        there is nothing to be judged.
        """
        findings = self.findings
        if self._sight is None and (findings.texts or findings.under_scan):
            sight = self._sight = Sight(self._page, findings, self.doubled, self.bounds)
            if sight.too_large:
                findings.lost.append(
                    "page too large to be drawn, so that words that are not seen may be among the others"
                )
            if sight.unjudged:
                findings.lost.append("words over each other")
            if "picture" not in findings.lost and not all(sight.is_flat(each.box) for each in findings.patterned):
                findings.lost.append("picture")
            findings.hidden |= sight.hidden
            findings.hidden.update(each.address for each in findings.under_scan if sight.is_flat(each.box))
        return self._sight

    def close(self) -> None:
        """Give back what PDFium holds of its words."""
        self._words.close()


def read_page(page: pdfium.PdfPage) -> PageText:
    """Read one page. Raises `UnreadableFile` for a page that was made to be expensive."""
    opened = Opened(page)
    try:
        characters, findings, bounds = opened.characters, opened.findings, opened.bounds
        hidden = _hidden(opened)
        unmapped = characters.unmapped()
        if unmapped:
            findings.lost.append(f"{unmapped} characters without a meaning in the file")
        findings.lost += annotations(page, [each.box for each in findings.texts])
        return PageText(
            text=characters.text,
            lines=tuple(_lines(characters)),
            hidden=hidden,
            lost=tuple(findings.lost),
            numbers=opened.numbers,
            blank=not findings.painted,
            left=bounds[0],
            bottom=bounds[1],
            width=bounds[2] - bounds[0],
            height=bounds[3] - bounds[1],
        )
    finally:
        opened.close()


def _lines(characters: Characters) -> Iterator[Line]:
    text, start = characters.text, 0
    for piece in text.split("\n"):
        end = start + len(piece.rstrip())
        first = start + len(piece) - len(piece.lstrip())
        if first < end:
            left, base, *_ = characters.box(first)
            foot = characters.box(end - 1)[1] if _HYPHEN in piece else base
            yield Line(first, end, left, base, round(characters.size(first), 1), foot)
        start += len(piece) + 1


def _visible_box(page: pdfium.PdfPage) -> Box:
    left, bottom, right, top = page.get_bbox()
    return (min(left, right), min(bottom, top), max(left, right), max(bottom, top))


def _judging(sight: Sight) -> Sight | None:
    return sight if sight.judges_some else None


def _hidden(opened: Opened) -> tuple[tuple[int, int], ...]:
    """Where in the text the characters stand that are not seen; adds to what is lost."""
    characters, findings, sight = opened.characters, opened.findings, opened.sight()
    if sight is None:
        return _spans_of(characters, findings.hidden, None)
    spans = _spans_of(characters, findings.hidden, _judging(sight))
    out = struck(characters, findings.bars, findings.texts, sight.is_flat) if findings.bars else set()
    if not out:
        return spans
    out.update(itertools.chain.from_iterable(itertools.starmap(range, spans)))
    return tuple(_joined(characters.text, sorted(out)))


def _joined(text: str, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Spans of these characters; white space between two of them belongs to them."""
    start = end = -1
    for at in offsets:
        if start >= 0 and text[end:at].strip():
            yield start, end
            start = -1
        start, end = at if start < 0 else start, at + 1
    if start >= 0:
        yield start, end


def _spans_of(characters: Characters, hidden: set[int], sight: Sight | None) -> tuple[tuple[int, int], ...]:
    """Where the characters of these objects stand, and those that `sight` does not show; white space between two of
    them belongs to them.
    """
    if not hidden and sight is None:
        return ()
    if sight is None and not characters.may_belong(hidden):
        return ()
    offsets = [at for at, char in enumerate(characters.text) if not char.isspace()]
    owners = characters.owners(offsets)
    unseen: list[int] = []
    seen, last = True, 0
    for at, owner in zip(offsets, owners, strict=True):
        if owner in hidden:
            pass
        elif sight is not None and sight.judges(owner):
            box = characters.ink(at)
            if box is not None:
                seen = sight.shows(owner, inner(box, characters.text[at]))
            elif owner != last:
                seen = False
            last = owner
            if seen:
                continue
        else:
            continue
        unseen.append(at)
    return tuple(_joined(characters.text, unseen))
