"""What a style declares that may hide words: the declarations of a rule or an attribute, and what they come to.

Sure is only what any reader's screen does; what a script, a scroll or a state may undo is in doubt.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

from verified_gate.ingest.formats.colours import CLEAR, alike, colour, ink

Shown = Literal["shown", "gone", "doubtful"]
Declarations = Mapping[str, str]
"""Values by name in small letters; what is `!important` a second time, with `!` before its name."""

_SIZES: Final = ("height", "width", "max-height", "max-width", "block-size", "inline-size")
_OVERFLOWS: Final = ("overflow", "overflow-x", "overflow-y")
_PLACES: Final = ("left", "top", "right", "bottom")
_MARGINS: Final = ("margin", "margin-left", "margin-top", "margin-right")
INHERITED: Final = frozenset({"visibility", "color", "background", "background-color", "background-image", "fill",
                              "-webkit-text-fill-color"})  # fmt: skip
_TOUCHING: Final = INHERITED | {
    "display", "opacity", "font", "font-size", "text-indent", "position", "clip", "clip-path", "transform", "scale",
    "translate", "content-visibility", "filter", "animation", "animation-name", "zoom",
    *_SIZES, *_OVERFLOWS, *_PLACES, *_MARGINS, "padding", "padding-left", "padding-right",
}  # fmt: skip
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_IMPORTANT: Final = re.compile(r"!\s{0,9}important")
_LENGTH: Final = re.compile(r"([-+]?(?:\d{1,9}\.?\d{0,9}|\.\d{1,9}))(?:e[+-]?\d{1,2})?([a-z]{1,5}|%)?")
_FONT_SIZE: Final = re.compile(r"(?:^|[\s/])(0(?:\.0{1,9})?|(?:\d{0,9}\.)?\d{1,9}(?:[a-z]{1,4}|%))(?=$|[\s/])")
_CALLS: Final = re.compile(r"([a-z0-9]{4,12})\(([^()]{0,120})\)")
_PIXELS: Final = {"": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "pt": 1.33, "pc": 16.0,
                  "cm": 37.8, "mm": 3.78, "in": 96.0}  # fmt: skip
_SCREEN: Final = 12.8
"""Pixels in a hundredth of a screen."""
_OFF_PAGE: Final = 999
"""Pixels: nobody reads there."""
_ASIDE: Final = 700
"""Pixels to the left of, or above the page, where it may still come into sight."""
_BEYOND: Final = 3_000
"""Pixels to the right, wider than screens are."""
_TINY: Final = 2
"""Pixels: smaller letters are dots."""


def declarations(style: str) -> dict[str, str]:
    """The declarations of a `style` attribute or of a rule's body, names and values in small letters."""
    found: dict[str, str] = {}
    if "/*" in style:
        style = _COMMENT.sub(" ", style)
    if "\\" in style:
        style = unescaped(style)
    for each in style.split(";"):
        name, colon, value = each.partition(":")
        name = name.strip().lower()
        if not colon or name not in _TOUCHING:
            continue
        value = value.strip().lower()
        if "!" in value:
            value, times = _IMPORTANT.subn("", value)
            value = value.strip()
            if times:
                found[f"!{name}"] = value
        if f"!{name}" not in found or found[f"!{name}"] == value:
            found[name] = value
    return found


def unescaped(text: str) -> str:
    """Style text with its escapes replaced."""
    return _ESCAPE.sub(lambda found: _character(found[1]) if found[1] else found[2], text)


def settled(*layers: Declarations) -> dict[str, str]:
    """What holds of declarations that come one after the other: the later, but for what is `!important`."""
    found: dict[str, str] = {}
    for layer in layers:
        found.update(layer)
    for name in [name for name in found if name[0] == "!"]:
        found[name[1:]] = found[name]
    return found


def shown(declared: Declarations) -> Shown:
    """Whether an element with these declarations is shown, its `visibility` and colours aside."""
    if declared.keys() <= INHERITED:
        return "shown"
    if declared.get("display") == "none" or declared.get("content-visibility") == "hidden":
        return "gone"
    degrees = {_opacity(declared), _letters(declared), _placed(declared), _boxed(declared), _moved(declared)}
    return "gone" if "gone" in degrees else "doubtful" if "doubtful" in degrees else "shown"


def only_small(declared: Declarations) -> bool:
    """Whether nothing but the size of letters hides, which may be larger again in an element inside."""
    others = {name: value for name, value in declared.items() if name not in ("font", "font-size")}
    return len(others) < len(declared) and shown(others) != "gone"


def hides(declared: Declarations) -> bool:
    """Whether these declarations, by themselves, keep words from being seen."""
    if shown(declared) != "shown" or declared.get("visibility") in ("hidden", "collapse"):
        return True
    own = ink(declared.get("-webkit-text-fill-color") or declared.get("color", ""))
    ground = colour(declared.get("background-color") or declared.get("background", ""))
    return own == CLEAR or bool(own and ground and alike(own, ground))


def _opacity(declared: Declarations) -> Shown:
    for name in ("opacity", "filter"):
        value = declared.get(name, "")
        if name == "filter":
            value = next((inside for call, inside in _CALLS.findall(value) if call == "opacity"), "")
        found = _LENGTH.fullmatch(value.strip())
        seen = float(found[1]) / (100 if found[2] == "%" else 1) if found else 1.0
        if seen <= 0:
            return "doubtful" if "animation" in declared or "animation-name" in declared else "gone"
        if seen <= 0.1:
            return "doubtful"
    return "shown"


def _letters(declared: Declarations) -> Shown:
    value = declared.get("font-size", "")
    if not value and "font" in declared:
        size = _FONT_SIZE.search(declared["font"])
        value = size[1] if size else ""
    found = _LENGTH.fullmatch(value)
    if found:
        size_ = float(found[1]) * (0.16 if found[2] == "%" else _PIXELS.get(found[2] or "", 16.0))
        if size_ <= 0:
            return "gone"
        if size_ < _TINY:
            return "doubtful"
    indent = _lengths(declared.get("text-indent", ""))
    if indent and indent[0] <= -_OFF_PAGE:
        return "gone"
    return "doubtful" if indent and abs(indent[0]) >= _ASIDE else "shown"


def _placed(declared: Declarations) -> Shown:
    position = declared.get("position")
    if position in ("absolute", "fixed"):
        sides = _lengths(declared.get("clip", "").removeprefix("rect("))
        if declared.get("clip", "").startswith("rect(") and len(sides) == 4:
            top, right, bottom, left = sides
            if bottom - top <= 1 or right - left <= 1:
                return "gone"
    if position in ("absolute", "fixed", "relative"):
        for side in _PLACES:
            found = _lengths(declared.get(side, ""))
            if not found:
                continue
            if found[0] <= -_OFF_PAGE and side in ("left", "top") and "%" not in declared[side]:
                return "gone"
            wide = (found[0] >= _BEYOND and side != "top") or (position == "fixed" and found[0] >= _OFF_PAGE)
            if found[0] <= -_ASIDE or wide:
                return "doubtful"
    margins = [declared[name] for name in _MARGINS if "%" not in declared.get(name, "%")]
    if any(min(_lengths(value), default=0) <= -_OFF_PAGE for value in margins) and not any(
        max(_lengths(declared.get(name, "")), default=0) >= _OFF_PAGE for name in declared if name.startswith("padding")
    ):
        return "doubtful"
    return "doubtful" if max(_lengths(declared.get("margin-left", "")), default=0) >= _BEYOND else "shown"


def _boxed(declared: Declarations) -> Shown:
    path = declared.get("clip-path", "")
    if "(" in path:
        kind, _, inside = path.partition("(")
        percents = [float(found[1]) for found in _LENGTH.finditer(inside) if found[2] == "%"]
        numbers = [float(found[1]) for found in _LENGTH.finditer(inside)]
        if kind.endswith("inset") and len(numbers) == 1 and percents and percents[0] >= 50:
            return "gone"
        if kind.endswith("inset") and (max(percents, default=0) >= 50 or max(numbers, default=0) >= _OFF_PAGE):
            return "doubtful"
        if numbers and not (numbers[0] if kind.endswith(("circle", "ellipse")) else any(numbers)):
            return "doubtful" if not kind.endswith("inset") else "shown"
    if not any(declared.get(name, "visible").split(" ")[0] not in ("visible", "") for name in _OVERFLOWS):
        return "shown"
    for name in _SIZES:
        found = _lengths(declared.get(name, ""))
        if len(found) == 1 and found[0] <= 1:
            sure = found[0] <= 0 and not name.startswith("max") and declared.get("overflow") not in ("auto", "scroll")
            return "gone" if sure else "doubtful"
    return "shown"


def _moved(declared: Declarations) -> Shown:
    if _nothing(declared.get("scale", "")) or _nothing(declared.get("zoom", "")):
        return "doubtful"
    if any(abs(each) >= _ASIDE for each in _lengths(declared.get("translate", ""))):
        return "doubtful"
    for call, inside in _CALLS.findall(declared.get("transform", "")):
        numbers = _lengths(inside)
        if call.startswith("translate") and any(abs(each) >= _ASIDE for each in numbers):
            return "doubtful"
        if call.startswith("scale") and any(abs(each) < 0.05 for each in numbers):
            return "doubtful"
        if call in ("rotatex", "rotatey") and numbers and abs(numbers[0]) % 180 == 90:
            return "doubtful"
        if call == "matrix" and len(numbers) == 6 and (
            not (numbers[0] or numbers[1]) or not (numbers[2] or numbers[3]) or max(map(abs, numbers[4:])) >= _ASIDE
        ):  # fmt: skip
            return "doubtful"
    return "shown"


def _nothing(value: str) -> bool:
    numbers = _lengths(value)
    return any(abs(each) < 0.05 for each in numbers)


def _lengths(value: str) -> list[float]:
    """The lengths in a value, in pixels; shares are of a screen."""
    if not value:
        return []
    return [
        float(found[1]) * _PIXELS.get(found[2] or "", _SCREEN if found[2] in _OF_SCREEN else 1.0)
        for found in _LENGTH.finditer(value[:200])
    ]


_OF_SCREEN: Final = frozenset({"%", "vw", "vh", "vmin", "vmax", "dvh", "svh", "lvh", "dvw"})


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
