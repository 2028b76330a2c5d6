"""What is painted over the letters of an element, or makes them none: strokes, outlines, what turns colours behind them."""

import re
from typing import Final, Literal

from verified_gate.ingest.formats.colours import CLEAR, alike, ink
from verified_gate.ingest.formats.declared import Declarations
from verified_gate.ingest.formats.measures import Measure, measures

Shown = Literal["shown", "gone", "doubtful"]

_STROKES: Final = ("-webkit-text-stroke", "-webkit-text-stroke-width")
_OUTLINES: Final = ("outline", "outline-width")
PAINTING: Final = frozenset(
    {*_STROKES, *_OUTLINES, "outline-offset", "backdrop-filter", "font-size-adjust", "math-depth"}
)
"""The properties that are judged here."""
_GLOBAL: Final = frozenset({"", "inherit", "initial", "unset", "revert", "none", "normal", "auto", "auto-add"})
_THICK: Final = {"thin": 1.0, "medium": 3.0, "thick": 5.0}
_STROKED: Final = 0.6
"""Pixels: a stroke of more changes the colour of letters."""
_WIDE: Final = 4
"""Pixels: a stroke or line of more covers them."""
_COLOUR: Final = re.compile(r"#[0-9a-f]{3,8}|[a-z-]{3,30}\([^()]*\)|(?<![\w.-])[a-z]{3,30}(?![\w(-])")
_CALMED: Final = re.compile(
    r"(?:blur|grayscale|sepia|saturate|hue-rotate|drop-shadow|opacity)\((?:[^()]|\([^()]*\))*\)"
)
_SMALLEST: Final = 0.2
"""Height of small letters beside the size of the font: of any font's it is twice that."""
_DEEPEST: Final = 3
"""Formulas in formulas, of which each is in smaller letters."""


def painted(declared: Declarations) -> Shown:
    """Whether letters may be covered so, or be made too small."""
    hidden = (
        _stroked(declared)
        or _outlined(declared)
        or _CALMED.sub("", declared.get("backdrop-filter", "")).strip() not in _GLOBAL
        or not all(each is not None and each >= _SMALLEST for each in _of(declared, "font-size-adjust"))
        or not all(each is not None and abs(each) <= _DEEPEST for each in _of(declared, "math-depth"))
    )
    return "doubtful" if hidden else "shown"


def _of(declared: Declarations, name: str) -> list[Measure]:
    value = declared.get(name, "")
    return [] if value in _GLOBAL else [None] if value == "unknown()" else measures(value.replace("add(", "("))


def _stroked(declared: Declarations) -> bool:
    """Whether a stroke covers letters, or has the colour of most grounds."""
    width = max((_width(declared[name]) for name in _STROKES if name in declared), default=0.0)
    if width <= _STROKED:
        return False
    written = (declared.get("-webkit-text-stroke-color", ""), *_COLOUR.findall(declared.get("-webkit-text-stroke", "")))
    inks = [found for each in written if (found := ink(each)) and each not in _THICK]
    return width >= _WIDE or any(each != CLEAR and alike(each[:7], "#ffffff") for each in inks)


def _outlined(declared: Declarations) -> bool:
    """Whether the line around a box stands over what is in it."""
    width = max((_width(declared[name]) for name in _OUTLINES if name in declared), default=0.0)
    inward = any(each is None or each <= -_WIDE for each in _of(declared, "outline-offset"))
    return inward and width >= _WIDE


def _width(value: str) -> float:
    """The first length in it, in pixels; what is not known is wide."""
    words = [_THICK[word] for word in value.split() if word in _THICK]
    found = measures(_COLOUR.sub(lambda part: part[0] if "calc" in part[0] else " ", value))
    return words[0] if words else max((99.0 if each is None else each for each in found), default=0.0)
