"""One page of a PDF by PDFium: its text, the place of its lines, and what a reader of the page does not see of it."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import pypdfium2 as pdfium  # type: ignore[import-untyped]

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_characters import Characters
from verified_gate.ingest.formats.pdf_columns import Seen, in_reading_order
from verified_gate.ingest.formats.pdf_doubled import doubled
from verified_gate.ingest.formats.pdf_gaps import SIDE_BY_SIDE, is_side_by_side
from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_marked import OTHER_WORDS, text_of
from verified_gate.ingest.formats.pdf_notes import annotations
from verified_gate.ingest.formats.pdf_objects import TEXT, look, objects_of
from verified_gate.ingest.formats.pdf_seen import Sight, inner
from verified_gate.ingest.formats.pdf_strayed import put_back
from verified_gate.ingest.formats.pdf_strips import may_hold_strips, strips_of
from verified_gate.ingest.formats.pdf_struck import struck

_HYPHEN: Final = "\ufffe"
"""In place of one at the end of a line, and of the line end."""


class Line(NamedTuple):
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
        objects = objects_of(page)
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
        self.characters.set_in_order(put_back(self.characters))
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
        unmapped, lines = characters.unmapped(), tuple(_lines(characters))
        hidden = _hidden(
            opened
        )  # draws the page, which takes more memory than is near: what asks of letters goes before
        if unmapped:
            findings.lost.append(f"{unmapped} characters without a meaning in the file")
        findings.lost += annotations(page, [each.box for each in findings.texts])
        return PageText(
            text=characters.text,
            lines=lines,
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
    start, spans = 0, []
    for piece in characters.text.split("\n"):
        end = start + len(piece.rstrip())
        first = start + len(piece) - len(piece.lstrip())
        if first < end:
            spans.append((first, end))
        start += len(piece) + 1
    for (first, end), (left, base, _, _) in zip(spans, characters.boxes([first for first, _ in spans]), strict=True):
        foot = characters.box(end - 1)[1] if _HYPHEN in characters.text[first:end] else base
        yield Line(first, end, left, base, round(characters.size(first), 1), foot)


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
