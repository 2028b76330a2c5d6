"""Raised letters of ordinals (`7th`) that a PDF draws after all other words of the page: PDFium gives them as lines of their
own at its end. Here they stand behind the figure that they touch on the page.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Protocol

from verified_gate.ingest.formats.pdf_columns import Part
from verified_gate.ingest.formats.pdf_geometry import Box

_ALONE: Final = re.compile(r"\n[ \u00a0]*(st|nd|rd|th)[ \u00a0\r]*(?=\n|\Z)")
_FIGURE: Final = re.compile(r"\d(?=[ \u00a0])")
_NEAR: Final = 0.15
"""Of the height of the figure: so far the letters begin from its end at most."""
_MOST: Final = 5_000


class Letters(Protocol):
    """The text of a page and where its characters stand."""

    text: str

    def box(self, offset: int) -> Box: ...
    def boxes(self, offsets: Sequence[int]) -> list[Box]: ...


def put_back(letters: Letters) -> list[Part]:
    """The parts of the text with such letters in their places; none where there are no such letters."""
    text = letters.text
    alone = list(_ALONE.finditer(text))
    figures = [match.start() for match in _FIGURE.finditer(text)][:_MOST] if alone else []
    boxes = list(zip(figures, letters.boxes(figures), strict=True))
    moved: dict[int, re.Match[str]] = {}
    for each in alone[: _MOST // 100]:
        left, bottom, _, top = letters.box(each.start(1))
        near = [
            at
            for at, box in boxes
            if abs(box[2] - left) < _NEAR * (box[3] - box[1]) and bottom < box[3] and box[1] < top and at not in moved
        ]
        if len(near) == 1:
            moved[near[0]] = each
    if not moved:
        return []
    gone = {each.start(): each.end() for each in moved.values()}
    borders = sorted({0, len(text), *(at + 1 for at in moved), *gone, *gone.values()})
    parts: list[Part] = []
    for start, end in pairwise(borders):
        if (letters_of := moved.get(start - 1)) is not None:
            parts.append(Part(*letters_of.span(1), ""))
        if start not in gone:
            parts.append(Part(start, end, ""))
    start, end, _ = parts[-1]
    if end < len(text):  # such lines were the last
        parts[-1] = Part(start, start + len(text[start:end].rstrip()), "")
    return parts
