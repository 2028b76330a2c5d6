"""Cutting what a reader of a format gives: passages from its blocks, each with its place and where that place changes.

The rules of `ingest.cutting` hold here too. Beyond them: a row of a table is never cut and rows stay together only with
rows of their table; footnotes stay apart from the running text; a sentence that goes on over running lines or a footnote
in its paragraph is one; what only holds words that are not seen is no passage.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from verified_gate.ingest.extracted import Block, Extracted, words_seen
from verified_gate.ingest.formats.grid import same_columns
from verified_gate.ingest.paragraphs import HARD_LIMIT, SHORT_ITEM, Span, packed, sentences
from verified_gate.ingest.windows import inside, whole, windows
from verified_gate.model import Location
from verified_gate.text.sentences import begins_like_item

_APART: Final = frozenset({"row", "footnote", "caption", "code"})
"""Kinds that stand only with their own."""
_LONGEST_TITLE: Final = 80
_TITLE: Final = re.compile(
    r"(?:(?i:section|article|clause|part|artikel|abschnitt|§)[ \u00a0]+)?\d{1,3}(?:\.\d{1,3}){0,4}[.):]?[ \u00a0]*[^\W\d_a-z][^\n.;:]{0,78}[.:]?\r?"
)
"""A numbered line that is the title of what follows, though nothing marks it as a heading: it says little alone."""
_MOST_HEAD: Final = 200
"""Code points of a row's first cell that heads the pieces of a row that is cut."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of the text, [start, end), with its place, and what is known of it in offsets from `start`."""

    start: int
    end: int
    location: Location
    turns: tuple[tuple[int, Location], ...] = ()
    furniture: tuple[Span, ...] = ()
    hidden: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading (-1: none) and the blocks beneath it, by their numbers; `deeper`: a sub-heading follows at once."""

    heading: int
    blocks: range
    deeper: bool


def cut_blocks(extracted: Extracted, strategy: str, size: int, overlap: int) -> list[Cut]:
    """The passages of `extracted`, in order."""
    text = extracted.text
    plain = _without(text, extracted.furniture)
    blocks = extracted.blocks or (Block("paragraph", 0, len(text)),)
    places = _Places(extracted, blocks)
    cuts: list[Cut] = []
    for section in _sections(blocks):
        chosen = [blocks[number] for number in section.blocks]
        heading = blocks[section.heading] if section.heading >= 0 else None
        if chosen:
            groups = _groups(text, chosen)
            spans = [span for group in groups for span in _SPANS[strategy](text, plain, group, size, overlap)]
            if heading is not None and spans:
                spans[0] = (heading.start, spans[0][1])
        elif heading is not None and not section.deeper:
            spans = [(heading.start, heading.end)]
        else:
            spans = []
        first = heading.start if heading is not None else chosen[0].start if chosen else 0
        last = chosen[-1].end if chosen else heading.end if heading is not None else 0
        for span in spans:
            start, end = whole(text, *span, first, max(last, span[1]))
            if places.shows_words(start, end):
                cuts.append(places.cut(start, end))
    return cuts


def _sections(blocks: Sequence[Block]) -> Iterator[_Section]:
    heading, first = -1, 0
    for number, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        if number > first or heading >= 0:
            deeper = number == first and block.level > blocks[heading].level
            yield _Section(heading, range(first, number), deeper)
        heading, first = number, number + 1
    if heading >= 0 or first < len(blocks):
        yield _Section(heading, range(first, len(blocks)), deeper=False)


def _groups(text: str, blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks that passages may be made of together."""
    group: list[Block] = []
    for block in blocks:
        if group and not _belong_together(text, group[-1], block):
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _belong_together(text: str, above: Block, below: Block) -> bool:
    if above.kind in _APART or below.kind in _APART:
        same_table = same_columns(above.columns, below.columns) and (above.row or 0) < (below.row or 0)
        return above.kind == below.kind == "row" and same_table
    if above.end - above.start <= _LONGEST_TITLE and _TITLE.fullmatch(text, above.start, above.end):
        return True
    if below.kind != "item" and not begins_like_item(text, below.start):
        return False
    if text[max(above.start, above.end - 8) : above.end].rstrip("*_` ").endswith((":", "：")):
        return True
    short = above.end - above.start <= SHORT_ITEM and below.end - below.start <= SHORT_ITEM
    return short and (above.kind == "item" or begins_like_item(text, above.start))


def _without(text: str, furniture: Sequence[Span]) -> str:
    """`text` with spaces for what is marked as furniture, and for the line ends after it: a sentence goes on over both."""
    pieces, at = [], 0
    for start, end in furniture:
        after = end
        while after < len(text) and text[after].isspace():
            after += 1
        pieces += [text[at:start], " " * (after - max(at, start))]
        at = max(at, after)
    return "".join([*pieces, text[at:]])


def _units(text: str, plain: str, block: Block, size: int) -> list[Span]:
    """The sentences of a block; what is marked between two belongs to the first."""
    found = sentences(plain, block.start, block.end, size)
    if not found:  # nothing but what is marked
        return sentences(text, block.start, block.end, size)
    starts = [block.start, *(start for start, _ in found[1:]), block.end]
    return [(start, start + len(text[start:end].rstrip())) for start, end in pairwise(starts)]


def _paragraphs(text: str, plain: str, group: Sequence[Block], size: int, _: int) -> list[Span]:
    units: list[Span] = []
    for block in group:
        if block.end - block.start <= (max(size, HARD_LIMIT) if block.kind == "row" else size):
            units.append((block.start, block.end))
        else:
            units.extend(_units(text, plain, block, size))
    return packed(units, size)


def _sentences(text: str, plain: str, group: Sequence[Block], size: int, _: int) -> list[Span]:
    if group[0].kind == "row":
        return _paragraphs(text, plain, group, size, 0)
    return packed([unit for block in group for unit in _units(text, plain, block, size)], size)


def _fixed(text: str, plain: str, group: Sequence[Block], size: int, overlap: int) -> list[Span]:
    if group[0].kind == "row":
        return _paragraphs(text, plain, group, size, 0)
    first, last = group[0].start, group[-1].end
    return windows(text, first, last, size, overlap, first, last)


_SPANS: Final = {"paragraph": _paragraphs, "sentence": _sentences, "fixed": _fixed}


class _Places:
    """What is known of each offset of the text."""

    def __init__(self, extracted: Extracted, blocks: Sequence[Block]) -> None:
        self._extracted, self._blocks = extracted, blocks
        self._block_starts = [block.start for block in blocks]
        self._page_starts = [page.start for page in extracted.pages]
        self._anchor_starts = [anchor.start for anchor in extracted.anchors]
        self._furniture_ends = [end for _, end in extracted.furniture]
        self._hidden_ends = [end for _, end in extracted.hidden]
        self._cell_starts = [start for block in blocks for start, _ in block.cells]
        self._tabs = _tabs(extracted.text) if any(block.columns for block in blocks) else array("L")
        self._paths = _paths(extracted, blocks)

    def cut(self, start: int, end: int) -> Cut:
        """The passage [start, end)."""
        changes = [start, *self._changes(start, end), end]
        location = before = self._at(start, changes[1])
        turns = []
        for at, behind in pairwise(changes[1:]):
            place = self._at(at, behind)
            if place != before:
                turns.append((at - start, place))
                before = place
        if location.page is not None or location.row is not None:
            last = self._at(end - 1, end)
            label = last.page_label if location.page is not None else ""
            location = replace(location, last_page=last.page, last_page_label=label, last_row=last.row)
        furniture = inside(self._extracted.furniture, self._furniture_ends, start, end)
        return Cut(start, end, location, tuple(turns), furniture, self._inside_hidden(start, end))

    def shows_words(self, start: int, end: int) -> bool:
        """Is there a letter or a digit that a reader sees?"""
        text, at = self._extracted.text[start:end], 0
        for first, last in self._inside_hidden(start, end):
            if any(map(str.isalnum, text[at:first])):
                return True
            at = last
        return any(map(str.isalnum, text[at:]))

    def _inside_hidden(self, start: int, end: int) -> tuple[Span, ...]:
        return inside(self._extracted.hidden, self._hidden_ends, start, end)

    def _changes(self, start: int, end: int) -> list[int]:
        """Where inside of (start, end) something begins."""
        found: set[int] = set()
        for starts in (self._block_starts, self._page_starts, self._anchor_starts, self._cell_starts):
            found.update(starts[bisect_right(starts, start) : bisect_right(starts, end - 1)])
        return sorted(found)

    def _at(self, offset: int, behind: int) -> Location:
        """The place of `offset`, which is another one `behind` it."""
        number = max(0, bisect_right(self._block_starts, offset) - 1)
        block = self._blocks[number]
        place = Location(heading=self._paths[number], paragraph=number + 1, row=block.row)
        if block.row is not None:
            place = replace(
                place, row_heading=self._row_heading(block, offset), columns=self._columns(block, offset, behind)
            )
        page = bisect_right(self._page_starts, offset) - 1
        if page >= 0:
            found = self._extracted.pages[page]
            place = replace(place, page=found.number, page_label=found.label)
        anchor = bisect_right(self._anchor_starts, offset) - 1
        if anchor >= 0:
            known = self._extracted.anchors[anchor]
            place = replace(place, element=known.element, chapter=known.chapter)
        return place

    def _columns(self, block: Block, offset: int, behind: int) -> tuple[str, ...]:
        """The names of the cells of a row from `offset` on, up to that before `behind`."""
        if not block.columns:
            return ()
        if block.cells:  # cells that hold tabs: each is a place of its own
            cell = max(0, bisect_right(block.cells, offset, key=lambda each: each[0]) - 1)
            number = block.cells[cell][1]
            return block.columns[number : number + 1]
        begin, first, last = (bisect_left(self._tabs, at) for at in (block.start, offset, behind))
        whole = offset <= block.start and behind >= block.end
        return block.columns if whole else block.columns[first - begin : last - begin + 1]

    def _row_heading(self, block: Block, offset: int) -> tuple[str, ...]:
        """What heads a row; where that is cut, its first cell does so for what comes behind."""
        if offset <= block.start:
            return block.heading
        text = self._extracted.text
        found = text.find("\t", block.start, min(block.start + _MOST_HEAD, offset))
        first = words_seen(text, self._extracted.hidden, block.start, found) if found >= 0 else ""
        return block.heading if not first or first in block.heading else (*block.heading, first)


def _tabs(text: str) -> "array[int]":
    return array("L", (found.start() for found in re.finditer("\t", text)))


def _paths(extracted: Extracted, blocks: Sequence[Block]) -> list[tuple[str, ...]]:
    """The headings above each block, outermost first; a heading's own is its last. One that is not seen heads nothing:
    what stands beneath it is seen under the heading before.
    """
    found: list[tuple[str, ...]] = []
    above: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    for block in blocks:
        if block.kind == "heading" and (name := words_seen(extracted.text, extracted.hidden, block.start, block.end)):
            while above and above[-1][0] >= block.level:
                above.pop()
            above.append((block.level, name))
            path = tuple(name for _, name in above)
        found.append(path)
    return found
