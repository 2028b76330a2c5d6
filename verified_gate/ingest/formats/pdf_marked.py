"""Words that a PDF gives for those that it draws (`/ActualText`): PDFium takes them for the text of the page.

They serve a search for a word whose letters are drawn in pieces; and they may say whatever the file's maker likes. A
reader of the page sees what is drawn. So where the two differ in more than ligatures, hyphens at line ends and white
space, the page is read without them.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]

from verified_gate.ingest.formats import pdf_calls as ask
from verified_gate.ingest.formats.pdf_calls import Handle
from verified_gate.ingest.formats.pdf_objects import PaintedObject

OTHER_WORDS: Final = "words that the file gives for others, which it draws"
"""What was lost of a page."""

_KEY: Final = b"ActualText"
_LIGATURE: Final = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]")
_HYPHEN: Final = re.compile("(?<=[^\\W\\d])[-\u2010] *(?=\r?\n)")
_SPACE: Final = re.compile(r"(?<!\d)\s+|\s+(?!\d)")
_WITHOUT_A_LOOK: Final = frozenset({"Cc", "Cn", "Co", "Cs"})
_JOINERS: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def text_of(page: pdfium.PdfPage, objects: Iterable[PaintedObject]) -> tuple[pdfium.PdfTextPage, bool]:
    """The text of the page; and whether the file gives other words than it draws, which are not in that text then."""
    given = page.get_textpage()
    marks = [mark for each in objects if each.marks for mark in _marks_of(each)]
    if not marks:
        return given, False
    for text, mark in marks:
        ask.without_value(text, mark, _KEY)
    drawn = page.get_textpage()
    if _bare(given.get_text_range()) == _bare(drawn.get_text_range()):
        drawn.close()
        return given, False
    given.close()
    return drawn, True


def _marks_of(text: PaintedObject) -> Iterable[tuple[Handle, Handle]]:
    for number in range(text.marks):
        mark = ask.at(ask.mark_of(text.handle, ask.long(number)))
        if ask.kind_of_value(mark, _KEY):
            yield text.handle, mark


def _bare(text: str) -> str:
    """What of the text must be the same for the words to be."""
    text = _LIGATURE.sub(lambda one: unicodedata.normalize("NFKC", one[0]), _HYPHEN.sub("", _JOINERS.sub("", text)))
    text = "".join(char for char in text if char.isspace() or unicodedata.category(char) not in _WITHOUT_A_LOOK)
    return unicodedata.normalize("NFC", _SPACE.sub("", text))
