"""The parts of a text between blank lines, numbered so that numbers do not move, and how short ones stay together.

A list stays with the line that leads in to it ("You can:"), and short items set apart by blank lines stay together:
neither says much alone. Fenced code is one part whatever blank lines it holds.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.outline import Lines, Section, fence_at
from verified_gate.text.graphemes import grapheme_border_before
from verified_gate.text.sentences import begins_like_item, sentence_spans

HARD_LIMIT: Final = 4_000
"""A sentence longer than this (code points), or than the size asked for if that is more, is cut at white space."""

SHORT_ITEM: Final = 240
"""Items set apart by blank lines are joined up to this length; longer ones (clauses of a contract) stand alone."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]`, without white space around it. `number` counts from 1, as `Location.paragraph` does."""

    start: int
    end: int
    number: int


@dataclass(frozen=True, slots=True)
class Body:
    """What stands in one section: its parts beneath the heading, and the part number of the heading itself."""

    parts: tuple[Part, ...]
    heading_number: int

    def number_at(self, offset: int) -> int:
        """Number of the first part that ends after `offset`."""
        index = bisect_right(self.parts, offset, key=lambda part: part.end)
        return self.parts[min(index, len(self.parts) - 1)].number if self.parts else self.heading_number


def bodies(text: str, lines: Lines, outline: Sequence[Section], *, markdown: bool) -> list[Body]:
    """The parts of each section.

    Numbers are those one gets by splitting the text at every two line ends and counting the empty pieces too:
    three blank lines between two paragraphs leave one number out.
    """
    found: list[Body] = []
    parts: list[Part] = []
    part: Part | None = None  # the one being read
    number, heading_number, blank, seen, fence = 1, 1, 0, False, ""
    remaining = iter(outline)
    section = next(remaining)
    for start, end in lines.spans(text):
        if start >= section.end and section.end < len(text):
            found.append(Body(_closed(parts, part), heading_number))
            parts, part, section, fence = [], None, next(remaining), ""
        words = text[start:end].strip()
        if not words:
            blank += 1
            if part and not fence:
                parts.append(part)
                part = None
            continue
        if blank:
            number += (blank + 1) // 2 if seen else blank // 2
        blank, seen = 0, True
        if start < section.body:
            heading_number = number
            continue
        if markdown:
            fence = fence_at(text, start, end, fence)
        last = start + len(text[start:end].rstrip())
        part = Part(part.start, last, part.number) if part else Part(last - len(words), last, number)
    found.append(Body(_closed(parts, part), heading_number))
    return found


def _closed(parts: list[Part], part: Part | None) -> tuple[Part, ...]:
    return (*parts, part) if part else tuple(parts)


def grouped(text: str, parts: Sequence[Part], size: int, rows: Sequence[Span] = ()) -> list[Span]:
    """Spans of at most `size` made of `parts`: what belongs together joined, what is too long split at sentence ends, and
    between the `rows` of tables.
    """
    spans: list[Span] = []
    group: list[Part] = []
    for part in parts:
        if group and not _belong_together(text, group[-1], part):
            spans.extend(packed(_units(text, group, size, rows), size))
            group = []
        group.append(part)
    spans.extend(packed(_units(text, group, size, rows), size))
    return spans


def sentences(text: str, start: int, end: int, size: int) -> list[Span]:
    """The sentences of `text[start:end]`; one over `HARD_LIMIT` (and `size`) in several."""
    limit = max(size, HARD_LIMIT)
    return [
        piece
        for first, last in sentence_spans(text[start:end])
        for piece in bounded(text, start + first, start + last, limit)
    ]


def packed(units: Iterable[Span], size: int) -> list[Span]:
    """Neighbouring units joined greedily while the span from the first to the last is at most `size`."""
    spans: list[Span] = []
    for start, end in units:
        if spans and end - spans[-1][0] <= size:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def bounded(text: str, start: int, end: int, limit: int) -> list[Span]:
    """`text[start:end]` in spans of at most `limit`, cut at white space, else at a grapheme border."""
    spans: list[Span] = []
    while end - start > limit:
        cut = start + limit
        while cut > start + limit // 2 and not text[cut - 1].isspace():
            cut -= 1
        if cut == start + limit // 2:
            cut = grapheme_border_before(text, start + limit, start)
        spans.append((start, start + len(text[start:cut].rstrip())))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    spans.append((start, end))
    return [span for span in spans if span[0] < span[1]]


def split(text: str, start: int, end: int, size: int, rows: Sequence[Span]) -> list[Span]:
    """The sentences of `text[start:end]`, and of `rows`, in order, those that stand in it, each whole where it is not over
    `HARD_LIMIT` (and `size`).
    """
    limit = max(size, HARD_LIMIT)
    spans: list[Span] = []
    for number in range(bisect_left(rows, (start, start)), len(rows)):
        first, last = rows[number]
        if first >= end:
            break
        spans += sentences(text, start, first, size) if start < first else []
        spans += bounded(text, first, last, limit)
        start = last
    return [*spans, *(sentences(text, start, end, size) if start < end else [])]


def _units(text: str, group: Sequence[Part], size: int, rows: Sequence[Span]) -> list[Span]:
    units: list[Span] = []
    for part in group:
        if part.end - part.start <= size:
            units.append((part.start, part.end))
        else:
            units.extend(split(text, part.start, part.end, size, rows))
    return units


def _belong_together(text: str, above: Part, below: Part) -> bool:
    if text[max(above.start, above.end - 8) : above.end].rstrip("*_` ").endswith((":", "：")):
        return True
    short = above.end - above.start <= SHORT_ITEM and below.end - below.start <= SHORT_ITEM
    return short and begins_like_item(text, above.start) and begins_like_item(text, below.start)
