"""The functions of PDFium that are asked once for each object or character of a page, without the checks of arguments
that ctypes would make: those cost more than the calls. A handle goes in as `Handle`, a place for an answer by `byref`,
a number as an int where PDFium takes an int and as what it takes where that is longer.
"""

import ctypes
from collections.abc import Callable
from typing import Any, Final

from pypdfium2 import raw  # type: ignore[import-untyped]


class Handle(ctypes.c_void_p):
    """Something of PDFium's: a page, an object, a font."""


def _quick(function: Any, answer: Any = ctypes.c_int) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(answer)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def handle_of(pointer: Any) -> Handle:
    """Of what the library or pypdfium2 gave."""
    return ctypes.cast(pointer, Handle)


long: Final = ctypes.c_ulong


def fixed(handle: Handle) -> Any:
    """The same, made ready to be handed over: a fifth less time for each call. It is good for calls alone."""
    return ctypes.c_void_p.from_param(handle.value)


Address = ctypes.c_void_p
"""As an answer: a number, or None."""

object_of_page: Final = _quick(raw.FPDFPage_GetObject, Handle)
objects_of_form: Final = _quick(raw.FPDFFormObj_CountObjects)
object_of_form: Final = _quick(raw.FPDFFormObj_GetObject, Handle)
kind_of: Final = _quick(raw.FPDFPageObj_GetType)
bounds_of: Final = _quick(raw.FPDFPageObj_GetBounds)
matrix_of: Final = _quick(raw.FPDFPageObj_GetMatrix)
fill_of: Final = _quick(raw.FPDFPageObj_GetFillColor)
is_transparent: Final = _quick(raw.FPDFPageObj_HasTransparency)
switch: Final = _quick(raw.FPDFPageObj_SetIsActive)
marks_of: Final = _quick(raw.FPDFPageObj_CountMarks)
clip_of: Final = _quick(raw.FPDFPageObj_GetClipPath, Handle)
clip_paths: Final = _quick(raw.FPDFClipPath_CountPaths)
clip_segments: Final = _quick(raw.FPDFClipPath_CountPathSegments)
clip_segment: Final = _quick(raw.FPDFClipPath_GetPathSegment, Handle)
path_segments: Final = _quick(raw.FPDFPath_CountSegments)
path_segment: Final = _quick(raw.FPDFPath_GetPathSegment, Handle)
point_of: Final = _quick(raw.FPDFPathSegment_GetPoint)
mode_of_path: Final = _quick(raw.FPDFPath_GetDrawMode)
mode_of_text: Final = _quick(raw.FPDFTextObj_GetTextRenderMode)
size_of_text: Final = _quick(raw.FPDFTextObj_GetFontSize)
mark_of: Final = _quick(raw.FPDFPageObj_GetMark, Handle)
name_of_mark: Final = _quick(raw.FPDFPageObjMark_GetName)
kind_of_value: Final = _quick(raw.FPDFPageObjMark_GetParamValueType)
without_value: Final = _quick(raw.FPDFPageObjMark_RemoveParam)
text_of: Final = _quick(raw.FPDFTextObj_GetText, ctypes.c_ulong)
font_of: Final = _quick(raw.FPDFTextObj_GetFont, Handle)
width_in_font: Final = _quick(raw.FPDFFont_GetGlyphWidth)
name_of_font: Final = _quick(raw.FPDFFont_GetBaseFontName, ctypes.c_size_t)

owner_of: Final = _quick(raw.FPDFText_GetTextObject, Address)
is_without_meaning: Final = _quick(raw.FPDFText_HasUnicodeMapError)
origin_of: Final = _quick(raw.FPDFText_GetCharOrigin)
cell_of: Final = _quick(raw.FPDFText_GetLooseCharBox)
ink_of: Final = _quick(raw.FPDFText_GetCharBox)
turn_of: Final = _quick(raw.FPDFText_GetMatrix)
size_of: Final = _quick(raw.FPDFText_GetFontSize, ctypes.c_double)
