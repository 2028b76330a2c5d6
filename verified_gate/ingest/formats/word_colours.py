"""Colours as Word and its drawings name them: six hexadecimal digits, a colour of the theme, a fill."""

import colorsys
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from verified_gate.ingest.formats import word_names as names
from verified_gate.ingest.formats.colours import ink
from verified_gate.ingest.formats.markup import Element, local_name

NO_GROUND, UNKNOWN_GROUND = "none", "unknown"
WHITE, BLACK = "ffffff", "000000"
_HEX: Final = re.compile("[0-9a-f]{6}")
_LONGEST: Final = 9
_TINT: Final = re.compile(r"-?[0-9]{1,3}(?:\.[0-9]{1,20})?(?:[eE]-?[0-9]{1,2})?")
_ALIKE: Final = 10
"""Steps of 256 in which two colours may differ and are one to the eye."""
_FAINT: Final = 10_000
"""Thousandths of a hundredth: what covers less covers nothing."""
_CALLED: Final = {
    "lt1": ("light1", "background1", "bg1"), "dk1": ("dark1", "text1", "tx1"), "lt2": ("light2", "background2", "bg2"),
    "dk2": ("dark2", "text2", "tx2"), "hlink": ("hyperlink",), "folHlink": ("followedHyperlink",),
}  # fmt: skip
"""What else a colour of the theme is called."""

Palette = Mapping[str, str]
"""The colours of the theme by all their names."""


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along `path`, name spaces aside."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if local_name(each) == name), None)
    return element


def value(element: Element | None, name: str = "val") -> str:
    """An attribute, name spaces aside; "" where there is none."""
    if element is None:
        return ""
    return next((held for key, held in element.attrib.items() if key.rpartition("}")[2] == name), "")


def palette_of(theme: Element | None) -> Palette:
    """The colours that a theme sets; white for its lightest where there is no theme."""
    scheme = names.child(theme, "themeElements", "clrScheme")
    found = {"lt1": WHITE}
    for each in scheme if scheme is not None else ():
        held = next(iter(each), None)
        color = (names.value(held, "lastClr") or names.value(held)).lower()
        if _HEX.fullmatch(color) and scheme is not None and names.is_beside(each, scheme):
            found[local_name(each)] = color
    return found | {other: color for name, color in found.items() for other in _CALLED.get(name, ())}


def written(element: Element, name: str, theme: str, palette: Palette) -> str:
    """A colour of `name`, or the one of the theme that `theme` names, whatever else stands there for programs that
    know no themes.
    """
    base = palette.get(names.value(element, "themeColor" if theme == "theme" else theme))
    if base is None:
        return names.value(element, name)[:_LONGEST].lower()
    shade, tint = (_share(names.value(element, f"{theme}{kind}")) for kind in ("Shade", "Tint"))
    return "".join(f"{round(255 - (255 - level * shade) * tint):02x}" for level in levels(base))


def ground_of(shade: Element | None, palette: Palette) -> str:
    """The colour of a shading; "" for no shading, or that none or one that cannot be told is set."""
    if shade is None:
        return ""
    kind = names.value(shade)
    if kind == "nil":
        return NO_GROUND
    fill = written(shade, "fill", "themeFill", palette)
    fill = (UNKNOWN_GROUND if names.value(shade, "themeFill") else NO_GROUND) if fill in ("", "auto") else fill
    if kind in ("", "clear"):
        return fill
    ink = written(shade, "color", "theme", palette)
    ink = BLACK if ink in ("", "auto") else ink
    share = 100 if kind == "solid" else int(kind[3:]) if kind[:3] == "pct" and kind[3:] in _SHARES else None
    fill = WHITE if fill == NO_GROUND else fill
    if share is None or not _HEX.fullmatch(ink) or (share < 100 and not _HEX.fullmatch(fill)):
        return UNKNOWN_GROUND
    if share == 100:
        return ink
    mixed = ((a * share + b * (100 - share)) // 100 for a, b in zip(levels(ink), levels(fill), strict=True))
    return "".join(f"{each:02x}" for each in mixed)


_SHARES: Final = frozenset(map(str, range(1, 100)))


def fill_of(properties: Element | None, palette: Palette, *, faint: bool = False) -> str:
    """What fills a shape: a colour, `NO_GROUND`, `UNKNOWN_GROUND` (a picture, a pattern), or "" where nothing is said.

    `faint`: a share tells what shines through, as for letters, and not what covers.
    """
    for each in properties if properties is not None else ():
        name = names.drawn_name(each)
        if name == "noFill":
            return NO_GROUND
        if name == "solidFill":
            return drawn(next(iter(each), None), palette, faint=faint)
        if name == "gradFill":
            stops = {drawn(next(iter(stop), None), palette, faint=faint) for stop in each.iter("{*}gs")}
            return stops.pop() if len(stops) == 1 else UNKNOWN_GROUND
        if name in ("blipFill", "pattFill", "grpFill"):
            return UNKNOWN_GROUND
    return ""


def drawn(color: Element | None, palette: Palette, *, faint: bool = False) -> str:
    """A colour of a drawing; `NO_GROUND` where it lets nearly all through."""
    if color is None:
        return UNKNOWN_GROUND
    name, held = names.drawn_name(color), names.value(color)
    found = {"srgbClr": held.lower(), "schemeClr": palette.get(held, ""), "sysClr": names.value(color, "lastClr").lower(),
             "prstClr": ink(held).removeprefix("#")}.get(name, "")  # fmt: skip
    if not _HEX.fullmatch(found):
        return UNKNOWN_GROUND
    changed = {names.drawn_name(each): names.value(each) for each in color}
    alpha = _number(changed.pop("alpha", "0" if faint else "100000"))
    if (100_000 - alpha if faint else alpha) <= _FAINT:
        return NO_GROUND
    if changed.keys() - {"lumMod", "lumOff"}:
        return UNKNOWN_GROUND
    hue, light, strength = colorsys.rgb_to_hls(*(level / 255 for level in levels(found)))
    light = light * _number(changed.get("lumMod", "100000")) / 100_000 + _number(changed.get("lumOff", "0")) / 100_000
    made = colorsys.hls_to_rgb(hue, min(light, 1.0), strength)
    return "".join(f"{round(part * 255):02x}" for part in made)


def lightened(color: str, tint: str) -> str:
    """A colour, so much lighter, or darker below zero, as workbooks say it (-1 to 1)."""
    if not tint or not _TINT.fullmatch(tint) or not _HEX.fullmatch(color):
        return color
    by = max(-1.0, min(1.0, float(tint)))
    hue, light, strength = colorsys.rgb_to_hls(*(level / 255 for level in levels(color)))
    made = colorsys.hls_to_rgb(hue, light * (1 + by) if by < 0 else light + (1 - light) * by, strength)
    return "".join(f"{round(part * 255):02x}" for part in made)


def upon(ground: str, below: str) -> str:
    """The ground that is seen where `ground` is set before `below`."""
    return below if ground in ("", NO_GROUND) else ground


def levels(color: str) -> tuple[int, int, int]:
    """Red, green and blue, of 255."""
    return int(color[:2], 16), int(color[2:4], 16), int(color[4:], 16)


@lru_cache(maxsize=1_024)
def is_alike(one: str, other: str) -> bool:
    """Whether both are known and nobody tells them apart."""
    if not _HEX.fullmatch(one) or not _HEX.fullmatch(other):
        return False
    return all(abs(a - b) <= _ALIKE for a, b in zip(levels(one), levels(other), strict=True))


def is_dark(ground: str) -> bool:
    """Whether Word sets letters without a colour in white there."""
    return _HEX.fullmatch(ground) is not None and sum(levels(ground)) < 3 * 64


def _share(digits: str) -> float:
    try:
        return int(digits[:2], 16) / 255 if digits else 1.0
    except ValueError:
        return 1.0


def _number(digits: str) -> int:
    return int(digits) if digits.isdecimal() and len(digits) < 9 else 0
