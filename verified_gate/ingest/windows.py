"""Edges of passages: white space left out, grapheme clusters kept whole; what is marked inside them; windows on a grid."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from verified_gate.ingest.paragraphs import Span
from verified_gate.text.characters import is_unspaced
from verified_gate.text.graphemes import LOOK_BACK, grapheme_border_before, is_grapheme_border

_LONGEST_WORD: Final = 64
"""A window's edge moves back over at most this much of a word."""


def whole(text: str, start: int, end: int, first: int, last: int) -> Span:
    """The span without white space around it, but with what belongs to a cluster that it would cut, inside of
    [first, last).
    """
    span = text[start:end]
    start, end = start + len(span) - len(span.lstrip()), start + len(span.rstrip())
    if not is_grapheme_border(text, start):  # a mark that stands on a space
        start = grapheme_border_before(text, start, first)
    if not is_grapheme_border(text, end):
        end = _next_border(text, end, last)
    return start, end


def inside(spans: Sequence[Span], ends: Sequence[int], start: int, end: int) -> tuple[Span, ...]:
    """What of `spans`, in order and with these `ends`, stands in [start, end), in offsets from `start`."""
    found = []
    for number in range(bisect_right(ends, start), len(spans)):
        first, last = spans[number]
        if first >= end:
            break
        found.append((max(first, start) - start, min(last, end) - start))
    return tuple(found)


def _next_border(text: str, index: int, last: int) -> int:
    nearest = min(last, index + LOOK_BACK)
    return next((at for at in range(index + 1, nearest) if is_grapheme_border(text, at)), nearest)


def windows(text: str, first: int, last: int, size: int, overlap: int, floor: int, ceiling: int) -> list[Span]:
    """Windows over [first, last) on a grid whose step is `size - overlap`; the first one that reaches the end is the last.

    An edge that would fall inside a word moves back to the word's start, at most 64 code points and never a whole
    step, so that no passage begins with the `5 mg` of `15 mg`; an edge inside a grapheme cluster moves to its start.
    White space at the edges is left out. What belongs to a cluster is taken in from [floor, ceiling).
    """
    step = size - overlap
    reach = min(_LONGEST_WORD, step - 1)
    spans: list[Span] = []
    for nominal in range(first, last, step):
        start = _edge(text, nominal, first, reach)
        end = last if nominal + size >= last else _edge(text, nominal + size, first, reach)
        if end <= start:  # one cluster is longer than the window
            end = _next_border(text, start, last)
        start, end = whole(text, start, end, floor, ceiling)
        if start < end and (not spans or end > spans[-1][1]):
            spans.append((start, end))
        if nominal + size >= last:
            break
    return spans


def _edge(text: str, index: int, first: int, reach: int) -> int:
    for edge in range(index, max(first, index - reach) - 1, -1):
        if edge == first or _between_words(text, edge):
            return edge
    return grapheme_border_before(text, index, first)


def _between_words(text: str, index: int) -> bool:
    before, after = text[index - 1], text[index]
    apart = before.isspace() or after.isspace() or is_unspaced(before) or is_unspaced(after)
    return apart and is_grapheme_border(text, index)
