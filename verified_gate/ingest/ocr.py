"""The hook for an OCR program: none is bundled; whoever has one hands in a function, and its words are told as such.

What an OCR program says is a guess at the words of a picture. A page read so is `partial` and says why.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from verified_gate.ingest.extracted import NO_TEXT_LAYER, PAGE_SEPARATOR, Block, Extracted, Page
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

Ocr = Callable[[bytes, int], str | None]
"""Takes a page as a PNG and its number from 1, and gives the words on it, "" or None where it finds none. Runs in the
process that asked for it.
"""

Span = tuple[int, int]

BY_OCR: Final = "picture, read by an OCR program"
_NO_CHARACTER: Final = re.compile(r"[\0\ud800-\udfff]")
_PART: Final = re.compile(r"\S(?:.|\n(?![ \t]*\n))*")


def pages_without_words(extracted: Extracted) -> list[int]:
    """The numbers of the pages that are pictures without a text layer."""
    return [page.number for page in extracted.pages if page.coverage == "none" and NO_TEXT_LAYER in page.lost]


def words_of(ocr: Ocr, picture: bytes, number: int) -> str:
    """What the program says of a page. Raises `UnreadableFile` (`ocr_failed`) where it fails: what it may read tomorrow is
    not stored today as what cannot be read.
    """
    try:
        said: object = ocr(picture, number)
    except Exception as fault:
        what = f"the OCR program failed on page {number}: {type(fault).__name__}"
        raise UnreadableFile(Unreadable.OCR_FAILED, what) from fault
    if said is not None and not isinstance(said, str):
        what = f"the OCR program gave {type(said).__name__} for page {number}, and no text"
        raise UnreadableFile(Unreadable.OCR_FAILED, what)
    return said or ""


def with_words(extracted: Extracted, words: dict[int, str]) -> Extracted:
    """The document with the words that were read from pictures, by the numbers of their pages, in their places."""
    said = {number: _NO_CHARACTER.sub("\ufffd", text).strip() for number, text in words.items()}
    replaced = [page for page in extracted.pages if said.get(page.number)]
    texts, pages, blocks, starts, shifts = [], [], [], [], []
    at = 0
    for page in extracted.pages:
        text = said.get(page.number) or extracted.text[page.start : page.end]
        if page in replaced:
            pages.append(Page(page.number, at, at + len(text), page.label, "partial", (BY_OCR,)))
            parts = _PART.finditer(text)
            blocks += [
                Block("paragraph", at + part.start(), at + part.start() + len(part[0].rstrip())) for part in parts
            ]
        else:
            pages.append(replace(page, start=at, end=at + len(text)))
        starts.append(page.start)
        shifts.append(at - page.start)
        texts.append(text)
        at += len(text) + len(PAGE_SEPARATOR)

    def moved(start: int, end: int) -> tuple[int, int]:
        first, last = (offset + shifts[bisect_right(starts, offset) - 1] for offset in (start, end - 1))
        return first, last + 1

    def kept(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(moved(*span) for span in _without(spans, replaced))

    for block in extracted.blocks:
        for span in kept([(block.start, block.end)]):
            blocks.append(block._replace(start=span[0], end=span[1]))
    return replace(
        extracted,
        text=PAGE_SEPARATOR.join(texts),
        reader=f"{extracted.reader}, and an OCR program",
        pages=tuple(pages),
        blocks=tuple(sorted(blocks, key=lambda block: block.start)),
        furniture=kept(extracted.furniture),
        hidden=kept(extracted.hidden),
    )


def _without(spans: Sequence[Span], pages: Sequence[Page]) -> list[Span]:
    """`spans` without what of them lies on these pages, or on the separators beside them."""
    left = list(spans)
    for page in pages:
        around = (page.start - len(PAGE_SEPARATOR), page.end + len(PAGE_SEPARATOR))
        pieces = [((start, min(end, around[0])), (max(start, around[1]), end)) for start, end in left]
        left = [piece for both in pieces for piece in both if piece[0] < piece[1]]
    return left
