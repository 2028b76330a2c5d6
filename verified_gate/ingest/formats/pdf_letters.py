"""How large the letters of some lines of a PDF are, which is asked for only where a first letter does not tell it."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats.pdf_marks import PLAIN
from verified_gate.ingest.formats.pdf_running import Placed

Measure = Callable[[Sequence[Sequence[tuple[Placed, int]]]], list[float]]
"""The size of the largest letter of each of some groups of lines, all of one page, each line from an offset on, in points;
infinite where that is not known. Asked for are the first and the last letter of each word.
"""

_WORD: Final = re.compile(r"[^\W_]+")


def measured(document: pdfium.PdfDocument) -> Measure:
    """How the letters of `document` are measured."""

    def measure(groups: Sequence[Sequence[tuple[Placed, int]]]) -> list[float]:
        try:
            page = document[groups[0][0][0].page]
            words = page.get_textpage()
        except pdfium.PdfiumError:
            return [math.inf] * len(groups)
        try:
            return [max(_largest(words.raw, each, after) for each, after in group) for group in groups]
        finally:
            words.close()
            page.close()

    return measure


def _largest(handle: raw.FPDF_TEXTPAGE, each: Placed, after: int) -> float:
    left, base, near = each.line.left, each.line.base, each.line.size / 2
    first = raw.FPDFText_GetCharIndexAtPos(handle, left + near / 2, base + near, near, near)
    if first < 0 or raw.FPDFText_GetUnicode(handle, first) not in (
        ord(each.words[0]),
        ord(each.words[0].translate(PLAIN)),
    ):
        return math.inf
    size, turn = 0.0, raw.FS_MATRIX()
    for word in _WORD.finditer(each.words, after):
        for at in {first + word.start(), first + word.end() - 1}:
            known = raw.FPDFText_GetMatrix(handle, at, turn)
            scale = math.hypot(turn.c, turn.d) if known else 1.0
            size = max(size, raw.FPDFText_GetFontSize(handle, at) * scale)
    return size
