"""Where words stand on a page of a PDF, and the page drawn with them marked. Runs where files are read (`ingest.child`)."""

import ctypes
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats.pdf import open_document
from verified_gate.ingest.formats.pdf_characters import Characters
from verified_gate.ingest.formats.pdf_geometry import Box
from verified_gate.ingest.formats.pdf_page import Opened
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

MOST_PIXELS: Final = 16_000_000
"""Of a drawn page; a larger one is drawn smaller."""

_MARKED: Final = bytes(value * 2 // 5 for value in range(256))
"""What becomes of the blue of a marked pixel: white turns yellow, black stays."""


def prepare(message: dict[str, Any]) -> Callable[[bytes, ReadingLimits], tuple[Any, bytes]]:
    """The task `boxes` or `draw`: `page` from 1, `spans` of the page's text, `scale` in pixels a point, `password`."""

    def task(data: bytes, _: ReadingLimits) -> tuple[Any, bytes]:
        document = open_document(data, message.get("password"))
        try:
            if not 1 <= message["page"] <= len(document):
                raise UnreadableFile(Unreadable.DAMAGED, f"has no page {message['page']}")
            page = document[message["page"] - 1]
            opened = Opened(page)
            try:
                characters = opened.characters
                spans = [(start, min(end, len(characters.text))) for start, end in message["spans"]]
                found = [boxes_of(characters, start, end) for start, end in spans]
                told = {"text": characters.text, "boxes": found}
                if message["task"] == "boxes":
                    return told, b""
                return told, _png(page, [box for boxes in found for box in boxes], message["scale"])
            finally:
                opened.close()
                page.close()
        finally:
            document.close()

    return task


def boxes_of(characters: Characters, start: int, end: int) -> list[Box]:
    """The boxes around `text[start:end]`, one for each piece of a line, in the order of the text."""
    found: list[Box] = []
    for at in range(start, end):
        if characters.text[at].isspace():
            continue
        box = characters.box(at)
        if box[2] <= box[0] or box[3] <= box[1]:
            continue
        if found and _same_line(found[-1], box):
            last = found[-1]
            found[-1] = (min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))
        else:
            found.append(box)
    return found


def _same_line(line: Box, box: Box) -> bool:
    middle = (box[1] + box[3]) / 2
    height = box[3] - box[1]
    near = box[0] <= line[2] + 4 * height and box[2] >= line[0] - 4 * height
    return line[1] < middle < line[3] and near


def _png(page: pdfium.PdfPage, boxes: Sequence[Box], scale: float) -> bytes:
    width, height = page.get_size()
    bound = (MOST_PIXELS / max(1.0, width * height)) ** 0.5
    bitmap = page.render(scale=min(scale, bound), rev_byteorder=True, maybe_alpha=False)
    try:
        width, height, stride = bitmap.width, bitmap.height, bitmap.stride
        if bitmap.n_channels != 3:
            raise UnreadableFile(Unreadable.DAMAGED, "the page cannot be drawn")
        pixels = bytearray(bitmap.buffer)
    finally:
        bitmap.close()
    for box in boxes:
        left, top, right, bottom = _on_picture(page, box, width, height)
        for row in range(top, bottom):
            first, last = row * stride + 3 * left + 2, row * stride + 3 * right
            pixels[first:last:3] = pixels[first:last:3].translate(_MARKED)
    rows = b"".join(b"\0" + pixels[row * stride : row * stride + 3 * width] for row in range(height))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(rows, 6)),
            (b"IEND", b""),
        )
    )


def _on_picture(page: pdfium.PdfPage, box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom in pixels; the library knows how the page is turned."""
    across, down = [], []
    for x, y in ((box[0], box[1]), (box[2], box[3])):
        right, below = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, right, below)
        across.append(min(max(0, right.value), width))
        down.append(min(max(0, below.value), height))
    return min(across), min(down), max(across), max(down)
