"""What stands on a page of a PDF beside its text: notes, marks, stamps, filled form fields."""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pypdfium2 as pdfium  # type: ignore[import-untyped]
from pypdfium2 import raw

from verified_gate.ingest.formats.pdf_geometry import Box

_THIN: Final = 3.0
"""Points; no letters stand in what is thinner."""
_UNSEEN: Final = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW


def annotations(page: pdfium.PdfPage, words: Sequence[Box]) -> Iterator[str]:
    """Notes, marks, stamps and filled form fields stand on the page and are no part of its text. `words`: where the text
    stands.
    """
    form = page.formenv
    notes = fields = 0
    for number in range(min(10_000, max(0, raw.FPDFPage_GetAnnotCount(page)))):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET:
                fields += _is_filled(form, annotation)
            elif kind not in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP):
                notes += _says(annotation, words)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    if notes:
        yield "1 note" if notes == 1 else f"{notes} notes"
    if fields:
        yield "1 filled form field" if fields == 1 else f"{fields} filled form fields"


def _says(annotation: Any, words: Sequence[Box]) -> bool:
    """Is anything lost with the note? Not with one that nobody sees; nor, where it has no words of its own, with one that
    draws nothing, or a dot or line that touches no words.
    """
    if raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
        return False
    if _value(annotation, b"Contents"):
        return True
    if raw.FPDFAnnot_HasKey(annotation, b"AP") and raw.FPDFAnnot_GetObjectCount(annotation) == 0:
        return False
    rect = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, rect):
        return True
    (left, right), (bottom, top) = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
    if min(right - left, top - bottom) > _THIN:
        return True
    return any(left < box[2] and right > box[0] and bottom < box[3] and top > box[1] for box in words)


def _is_filled(form: Any, annotation: Any) -> bool:
    """Does a form field have a value, or its parent, of which it is a part?"""
    if _value(annotation, b"V") not in ("", "Off"):
        return True
    if raw.FPDFAnnot_HasKey(annotation, b"AS") and _value(annotation, b"AS") not in ("", "Off"):
        return True
    if form is None:
        return False
    if raw.FPDFAnnot_GetFormFieldType(form, annotation) in (
        raw.FPDF_FORMFIELD_CHECKBOX,
        raw.FPDF_FORMFIELD_RADIOBUTTON,
    ):
        return bool(raw.FPDFAnnot_IsChecked(form, annotation))
    buffer = (ctypes.c_ushort * 16)()
    return bool(raw.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, 32) > 2)


def _value(annotation: Any, name: bytes) -> str:
    """The first letters of a string of an annotation."""
    buffer = (ctypes.c_ushort * 16)()
    length = raw.FPDFAnnot_GetStringValue(annotation, name, buffer, 32)
    if length > 32:
        return "…"
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace").strip()
