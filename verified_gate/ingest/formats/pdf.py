"""PDF by PDFium (pypdfium2): the text of each page as the library gives it, pages joined by one line feed. It differs in
what a reader would see otherwise: raised and lowered digits are written as such (`pdf_shifted`), a tab stands between
columns (`pdf_gaps`), columns of sentences stand one after the other where the file draws them line by line over both
(`pdf_columns`), words that the file gives for those it draws are left out (`pdf_marked`), and what is drawn twice is read
once (`pdf_doubled`).

Kept: pages with their labels, running lines marked, headings from the outline or the size of letters, paragraphs.
Lost, and said so page by page: pictures, notes, form fields, words without a text layer, columns read across
that may be a table's.
Attachments and what scripts would do are not read. Marked as hidden: words that are not seen on the page, or that a
drawn line strikes out (`pdf_struck`).
"""

import itertools
import logging
import re
from dataclasses import replace
from typing import Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.extracted import NO_TEXT_LAYER, PAGE_SEPARATOR, Block, Extracted, Page
from verified_gate.ingest.formats.pdf_footnotes import Footnote, footnotes, with_large_letters
from verified_gate.ingest.formats.pdf_layout import blocks_of, headings, within
from verified_gate.ingest.formats.pdf_letters import measured
from verified_gate.ingest.formats.pdf_page import PageText, read_page
from verified_gate.ingest.formats.pdf_running import Bookmark, Placed, placed, running_lines
from verified_gate.ingest.formats.pdf_structure import lost_objects
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.model import Coverage

READER: Final = f"pypdfium2 {pdfium.PYPDFIUM_INFO.version} (PDFium {pdfium.PDFIUM_INFO.build})"

DRAWN_BY_ACROBAT: Final = "pages of a form that Acrobat alone draws (XFA)"
"""What was lost of a file whose own pages only ask to wait for others."""

logging.getLogger("pypdfium2").setLevel(
    logging.ERROR
)  # of forms that Acrobat draws it warns on stderr; `lost` tells it

_UNREADABLE: Final = "unreadable page"
_WAY_IN: Final = "give the one that opens it with --password (in Python password=)"
_MOST_BOOKMARKS: Final = 20_000
_NO_TITLE: Final = re.compile(
    r"(?:\(?(?:untitled|anonymous|unspecified)\)?|microsoft word\b.*|.*\.(?:docx?|pdf|odt|rtf|txt|html?|tex|dvi|indd|qxd|p65))",
    re.IGNORECASE,
)


def read(
    data: bytes, limits: ReadingLimits, *, password: str | None = None, scans: str = "refused", **_: str
) -> Extracted:
    """Read a PDF. `scans`: "kept" for one of pictures alone, whose pages then have no text. Raises `UnreadableFile`: `encrypted`, `needs_ocr`, `no_text`, `damaged`, `too_large`."""
    document = open_document(data, password)
    try:
        count = len(document)
        if count > limits.pages:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"has {count:,} pages, and the limit is {limits.pages:,}")
        encrypted = raw.FPDF_GetSecurityHandlerRevision(document) >= 0
        damaged = () if encrypted else tuple(lost_objects(data, count))
        lost = damaged
        if document.get_formtype() == raw.FORMTYPE_XFA_FULL:
            lost = (DRAWN_BY_ACROBAT, *lost)
        return _extracted(document, count, limits, scans, lost, damaged=bool(damaged))
    except pdfium.PdfiumError:
        raise UnreadableFile(Unreadable.DAMAGED, "PDFium cannot read it") from None
    finally:
        document.close()


def open_document(data: bytes, password: str | None = None) -> pdfium.PdfDocument:
    """Open a PDF. Raises `UnreadableFile` (`encrypted`, `damaged`)."""
    try:
        document = pdfium.PdfDocument(data, password=password or None)
        if len(document) < 1:
            document.close()
            raise UnreadableFile(Unreadable.DAMAGED, "has no page")
        document.init_forms()  # before a page is loaded, or its form fields say nothing and are not drawn
    except pdfium.PdfiumError as fault:
        code = getattr(fault, "err_code", None)
        if code == raw.FPDF_ERR_PASSWORD:
            why = f"{'the password does not open it' if password else 'needs a password'}: {_WAY_IN}"
            raise UnreadableFile(Unreadable.ENCRYPTED, why) from None
        if code == raw.FPDF_ERR_SECURITY:
            raise UnreadableFile(Unreadable.ENCRYPTED, "is protected in a way that PDFium does not know") from None
        raise UnreadableFile(Unreadable.DAMAGED, "PDFium cannot open it") from None
    return document


def _extracted(
    document: pdfium.PdfDocument,
    count: int,
    limits: ReadingLimits,
    scans: str,
    lost: tuple[str, ...],
    *,
    damaged: bool,
) -> Extracted:
    read_pages: list[PageText] = []
    starts: list[int] = []
    length = 0
    for number in range(count):
        page = _page(document, number)
        if damaged and page.blank and not page.text.strip():  # PDFium gives what it cannot unpack or find as nothing
            page = replace(page, lost=(_UNREADABLE, *page.lost))
        starts.append(length + (len(PAGE_SEPARATOR) if number else 0))
        length = starts[-1] + len(page.text)
        if length > limits.characters:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"holds more than {limits.characters:,} characters")
        read_pages.append(page)
    labels = [document.get_page_label(number)[:100] for number in range(count)]
    pages = tuple(
        Page(number + 1, starts[number], starts[number] + len(page.text), _printable(labels[number]), *_coverage(page))
        for number, page in enumerate(read_pages)
    )
    if scans != "kept" and not any(page.visible.strip() for page in read_pages):
        _refuse(read_pages, pages)
    text = PAGE_SEPARATOR.join(page.text for page in read_pages)
    lines = placed(read_pages, starts)
    outline = _outline(document)
    running, telling = running_lines(lines, read_pages, labels, outline)
    running |= {
        (at + each.numbers[0], at + each.numbers[1])
        for at, each in zip(starts, read_pages, strict=True)
        if each.numbers
    }
    measure = measured(document)
    notes = footnotes(lines, read_pages, running, measure)
    blocks = _blocks(text, lines, outline, running, telling, notes)
    over = within(blocks, notes)
    large = {note.span for note in with_large_letters(over, measure)}
    if large:
        notes = [note for note in notes if note.span not in large]
        blocks = _blocks(text, lines, outline, running, telling, notes)
    passed = _together(text, sorted({note.span for note in over} & {note.span for note in within(blocks, notes)}))
    if len(blocks) > limits.blocks:
        raise UnreadableFile(Unreadable.TOO_LARGE, f"has more than {limits.blocks:,} paragraphs")
    attached = document.count_attachments()
    if attached:
        lost = ("1 attachment" if attached == 1 else f"{attached} attachments", *lost)
    return Extracted(
        text=text,
        reader=READER,
        blocks=blocks,
        pages=pages,
        furniture=tuple(sorted([*running, *passed])),
        hidden=tuple((starts[n] + a, starts[n] + b) for n, page in enumerate(read_pages) for a, b in page.hidden),
        title=_title(document),
        lang="",
        lost=lost,
    )


def _together(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those with nothing but white space between them as one: they are passed over together."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _blocks(
    text: str,
    lines: list[list[Placed]],
    outline: list[Bookmark],
    running: set[tuple[int, int]],
    telling: set[tuple[int, int]],
    notes: list[Footnote],
) -> tuple[Block, ...]:
    skip = running.union(each.span for note in notes for each in note.lines)
    firsts = {note.lines[0].span: note.span for note in notes}
    return blocks_of(text, lines, headings(lines, outline, skip), skip, telling, firsts)


def _page(document: pdfium.PdfDocument, number: int) -> PageText:
    try:
        page = document[number]
    except pdfium.PdfiumError:
        return PageText("", lost=(_UNREADABLE,))
    try:
        return read_page(page)
    except pdfium.PdfiumError:
        return PageText("", lost=(_UNREADABLE,))
    finally:
        page.close()


def _coverage(page: PageText) -> tuple[Coverage, tuple[str, ...]]:
    if page.visible.strip():
        return ("partial" if page.lost else "complete"), page.lost
    if page.blank and not page.lost:
        return "complete", ()
    lost = page.lost if _UNREADABLE in page.lost else (NO_TEXT_LAYER, *page.lost)
    return "none", lost


def _refuse(pages: list[PageText], told: tuple[Page, ...]) -> None:
    hidden = any(page.text.strip() for page in pages)
    if any(page.coverage == "none" for page in told):
        unread = sum(_UNREADABLE in page.lost for page in pages)
        if unread == len(pages):
            raise UnreadableFile(Unreadable.DAMAGED, "none of its pages can be read")
        what = "its only words are not visible; its pages are pictures" if hidden else "its pages are pictures"
        count = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
        raise UnreadableFile(Unreadable.NEEDS_OCR, f"{what} ({count} without a text layer)")
    raise UnreadableFile(Unreadable.NO_TEXT, "its only words are not visible" if hidden else "its pages are empty")


def _outline(document: pdfium.PdfDocument) -> list[Bookmark]:
    found = []
    try:
        for mark in itertools.islice(document.get_toc(max_depth=8), _MOST_BOOKMARKS):
            dest = mark.get_dest()
            page = None if dest is None else dest.get_index()
            title = mark.get_title()[:500]
            if page is not None and title.strip():
                found.append(Bookmark(mark.level + 1, title, page))
    except (pdfium.PdfiumError, RecursionError):
        return []
    return found


def _title(document: pdfium.PdfDocument) -> str:
    title = " ".join(document.get_metadata_value("Title").split())[:300]
    return "" if _NO_TITLE.fullmatch(title) else _printable(title)


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())
