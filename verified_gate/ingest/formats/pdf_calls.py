"""The functions of PDFium that are asked once for each object or character of a page, without the checks of arguments
that ctypes would make: those cost more than the calls. What is PDFium's own comes out as an address, or None, and goes in
as `at(address)`; a place for an answer goes in by `byref`, a number as an int where PDFium takes an int and as what it
takes where that is longer.
"""

import ctypes
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from pypdfium2 import raw  # type: ignore[import-untyped]

Address: Final = ctypes.c_void_p
"""As an answer: a number, or None."""
Handle: TypeAlias = Any
"""Something of PDFium's, to be handed over: a page, an object, a font. ctypes has no public name for it."""

at: Final[Callable[[int | None], Handle]] = ctypes.c_void_p.from_param
"""What stands at an address, ready to be handed over: a fifth less time for each call than `c_void_p` takes."""


def handle_of(pointer: Any) -> Handle:
    """Of what the library or pypdfium2 gave."""
    return at(ctypes.cast(pointer, ctypes.c_void_p).value)


def _quick(function: Any, answer: Any = ctypes.c_int) -> Callable[..., Any]:
    return ctypes.PYFUNCTYPE(answer)(ctypes.cast(function, ctypes.c_void_p).value or 0)


long: Final = ctypes.c_ulong

object_of_page: Final = _quick(raw.FPDFPage_GetObject, Address)
objects_of_form: Final = _quick(raw.FPDFFormObj_CountObjects)
object_of_form: Final = _quick(raw.FPDFFormObj_GetObject, Address)
kind_of: Final = _quick(raw.FPDFPageObj_GetType)
bounds_of: Final = _quick(raw.FPDFPageObj_GetBounds)
matrix_of: Final = _quick(raw.FPDFPageObj_GetMatrix)
fill_of: Final = _quick(raw.FPDFPageObj_GetFillColor)
is_transparent: Final = _quick(raw.FPDFPageObj_HasTransparency)
switch: Final = _quick(raw.FPDFPageObj_SetIsActive)
marks_of: Final = _quick(raw.FPDFPageObj_CountMarks)
clip_of: Final = _quick(raw.FPDFPageObj_GetClipPath, Address)
clip_paths: Final = _quick(raw.FPDFClipPath_CountPaths)
clip_segments: Final = _quick(raw.FPDFClipPath_CountPathSegments)
clip_segment: Final = _quick(raw.FPDFClipPath_GetPathSegment, Address)
path_segments: Final = _quick(raw.FPDFPath_CountSegments)
path_segment: Final = _quick(raw.FPDFPath_GetPathSegment, Address)
point_of: Final = _quick(raw.FPDFPathSegment_GetPoint)
kind_of_segment: Final = _quick(raw.FPDFPathSegment_GetType)
mode_of_path: Final = _quick(raw.FPDFPath_GetDrawMode)
mode_of_text: Final = _quick(raw.FPDFTextObj_GetTextRenderMode)
size_of_text: Final = _quick(raw.FPDFTextObj_GetFontSize)
mark_of: Final = _quick(raw.FPDFPageObj_GetMark, Address)
name_of_mark: Final = _quick(raw.FPDFPageObjMark_GetName)
kind_of_value: Final = _quick(raw.FPDFPageObjMark_GetParamValueType)
without_value: Final = _quick(raw.FPDFPageObjMark_RemoveParam)
text_of: Final = _quick(raw.FPDFTextObj_GetText, ctypes.c_ulong)
font_of: Final = _quick(raw.FPDFTextObj_GetFont, Address)
width_in_font: Final = _quick(raw.FPDFFont_GetGlyphWidth)
name_of_font: Final = _quick(raw.FPDFFont_GetBaseFontName, ctypes.c_size_t)

owner_of: Final = _quick(raw.FPDFText_GetTextObject, Address)
is_without_meaning: Final = _quick(raw.FPDFText_HasUnicodeMapError)
origin_of: Final = _quick(raw.FPDFText_GetCharOrigin)
cell_of: Final = _quick(raw.FPDFText_GetLooseCharBox)
ink_of: Final = _quick(raw.FPDFText_GetCharBox)
turn_of: Final = _quick(raw.FPDFText_GetMatrix)
size_of: Final = _quick(raw.FPDFText_GetFontSize, ctypes.c_double)
