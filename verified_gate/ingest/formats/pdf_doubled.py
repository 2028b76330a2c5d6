"""Words that a page draws twice in the same place, in two halves or more, as where a print was cut.

A reader sees them once. They are kept once in the text, and seen where either of the drawings shows them.
"""

import ctypes
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_calls import Handle, handle_of
from verified_gate.ingest.formats.pdf_objects import PaintedObject

_MOST: Final = 200
"""Texts of a page that are compared: the library goes through all of the page for each."""
_MOST_BYTES: Final = 4_000
_NEAR: Final = 0.1
"""Points."""


def doubled(texts: Sequence[PaintedObject], textpage: pdfium.PdfTextPage) -> dict[int, list[PaintedObject]]:
    """By the address of the first: the others that draw the same words in the same place."""
    beside: dict[tuple[float, float], list[PaintedObject]] = defaultdict(list)
    for each in texts:
        beside[each.box[0], each.box[2]].append(each)
    page = handle_of(textpage.raw)
    found: dict[int, list[PaintedObject]] = defaultdict(list)
    asked = 0
    for column in beside.values():
        if len(column) == 1:
            continue
        column.sort(key=lambda each: each.box[1])
        first = column[0]
        for each in column[1:]:
            near = abs(each.box[1] - first.box[1]) < _NEAR and abs(each.box[3] - first.box[3]) < _NEAR
            asked += near
            words = (_words(first, page), _words(each, page)) if near and asked <= _MOST else ("", "")
            if words[0].strip() and words[1] in (words[0], ""):  # PDFium leaves some out by itself
                found[first.address].append(each)
            elif words[1].strip() and not words[0]:
                found[each.address] = [first, *found.pop(first.address, ())]
                first = each
            else:
                first = each
    return dict(found)


def _words(text: PaintedObject, page: Handle) -> str:
    buffer = (ctypes.c_ushort * (_MOST_BYTES // 2))()
    length = ask.text_of(text.handle, page, buffer, ask.long(_MOST_BYTES))
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace") if length <= _MOST_BYTES else ""
