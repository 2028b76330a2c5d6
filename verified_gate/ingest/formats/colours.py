"""Colours as style sheets and attributes write them: which one, and whether it is seen at all.

Only what needs no look at the rest of the page: a colour that asks for more is `UNSURE`.
"""

import colorsys
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from verified_gate.ingest.formats.measures import measures

_LISTED: Final = """
aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4
black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0
chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c
cyan:00ffff darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400
darkgrey:a9a9a9 darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc
darkred:8b0000 darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f
darkslategrey:2f4f4f darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969
dimgrey:696969 dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff
gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f
grey:808080 honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c
lavender:e6e6fa lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080
lightcyan:e0ffff lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3
lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899
lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6
magenta:ff00ff maroon:800000 mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db
mediumseagreen:3cb371 mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc
mediumvioletred:c71585 midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead
navy:000080 oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6
palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5
peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd powderblue:b0e0e6 purple:800080 rebeccapurple:663399
red:ff0000 rosybrown:bc8f8f royalblue:4169e1 saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57
seashell:fff5ee sienna:a0522d silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090
snow:fffafa springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347
turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5 yellow:ffff00 yellowgreen:9acd32
"""
_NAMES: Final = dict(pair.split(":") for pair in _LISTED.split())
_SYSTEM: Final = {
    "canvas": "ffffff", "canvastext": "000000", "field": "ffffff", "fieldtext": "000000", "buttontext": "000000",
    "buttonface": "efefef", "buttonborder": "000000", "linktext": "0000ee", "visitedtext": "551a8b", "activetext": "ff0000", "graytext": "808080",
    "highlight": "b5d5ff", "selecteditem": "1967d2", "mark": "ffff00", "marktext": "000000", "window": "ffffff",
    "windowtext": "000000", "accentcolor": "0075ff", "accentcolortext": "ffffff", "-webkit-link": "0000ee",
    "-webkit-activelink": "ff0000", **dict.fromkeys(("buttonhighlight", "buttonshadow", "threedface"), "efefef"),
    **dict.fromkeys(("activecaption", "appworkspace", "background", "inactivecaption", "infobackground", "menu", "scrollbar"),
                    "ffffff"),
    **dict.fromkeys(("activeborder", "captiontext", "inactiveborder", "infotext", "menutext", "threeddarkshadow",
                     "threedhighlight", "threedlightshadow", "threedshadow", "windowframe"), "000000"),
    "inactivecaptiontext": "808080",
}  # fmt: skip
"""Colours of the system, as most screens show them by day."""
_SELECTED: Final = frozenset({"highlighttext", "selecteditemtext"})
"""Black to some systems, white to others."""
_KEPT: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer", "currentcolor"})
_FUNCTION: Final = re.compile(
    r"(rgb|hsl|hwb|lab|lch|oklab|oklch|color|light-dark|color-mix|contrast-color)a?\((.{1,200})\)", re.DOTALL
)
_PART: Final = re.compile(r"([-+]?[\d.]{1,12})(%|deg|turn|rad|grad)?")
_CALL: Final = (
    r"(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|light-dark|color-mix|contrast-color)a?\((?:[^()]|\([^()]*\)){1,160}\)"
)
_WORD: Final = re.compile(rf"#[0-9a-f]{{3,8}}\b|(?<![\w-])-?[a-z-]{{3,20}}(?![\w(-])|{_CALL}")
_FAINT: Final = 0.1
"""Of a colour that covers no more than a tenth, nothing is read."""
_CLOSE: Final = 20
"""How far red, green and blue of ink and ground may each be apart, of 255, and still be one colour to a reader."""
_ADDRESS: Final = re.compile(r"(?:url|cross-fade|paint|element)\([^()]*(?:\([^()]*\)[^()]*)*\)")
_ORIGIN: Final = re.compile(r"from\s+(#[0-9a-f]{3,8}|[a-z-]{3,20}\((?:[^()]|\([^()]*\)){0,160}\)|[a-z-]{3,20})(?=\s)")
_CHANNEL: Final = re.compile(r"(?<![\w.-])(?:alpha|[rgbhslwac])(?![\w(])")
_ALPHA: Final = re.compile(r"/[^()]*\Z|/\s*calc\([^()]*\)\s*\Z")
_PERCENT: Final = {"rgb": 2.55, "hsl": 1.0, "hwb": 1.0}
"""What a hundredth of a part is, where it is the same for all of them."""
_FIRST: Final = re.compile(r"\A\s*(\d{1,4}(?:\.\d{0,9})?)%")
_MIDDLE: Final = 0.18
_COMMA: Final = re.compile(r",(?![^()]*\))")
_SHARE: Final = re.compile(r"(?:^|\s)(\d{1,3}(?:\.\d{1,9})?)%\s*$|^\s*(\d{1,3}(?:\.\d{1,9})?)%\s")
_NONE: Final = re.compile(r"\bnone\b")
CLEAR: Final = "clear"
"""What covers nothing."""
UNSURE: Final = "?"
"""A colour that is not known, and may be that of the ground."""


def is_colour(word: str) -> bool:
    """Whether a browser knows this name, or digits, of a colour."""
    return (
        word in _NAMES
        or word in _SYSTEM
        or word in _SELECTED
        or word in _KEPT
        or word == "transparent"
        or bool(_digits(word[1:], word[0]))
    )


def colour(value: str) -> str:
    """`#rrggbb` of one colour, "" for none at all or one that is clear; another word stands for itself."""
    value = value.strip().lower()
    found = "" if value in _KEPT or value == "none" else _one(value) or value
    return "" if found == CLEAR else found[:7] if found[:1] == "#" else found


def ink(value: str) -> str:
    """`#rrggbb`, with `aa` where it covers in part, of the colour of letters; `CLEAR` where it covers nothing, `UNSURE`
    where it is not known, "" for none of their own.
    """
    value = value.strip().lower()
    if value in _KEPT or not value:
        return "#000000" if value == "initial" else ""
    return _one(value) or (UNSURE if "(" in value else "")


def grounds(value: str) -> tuple[str, ...]:
    """The colours of a ground, as `ink` writes them: several in a blend, none where it is clear, a picture, or none."""
    value = value.strip().lower()[:1_000]
    if "currentcolor" in value or "unknown()" in value:
        return (UNSURE,)
    if not value or value in _KEPT or (value.startswith("url(") and ")" not in value.rstrip(")")):
        return ()  # a picture has any colour, or none
    found = (_one(word) for word in _WORD.findall(_ADDRESS.sub(" ", value)))
    return tuple(dict.fromkeys(each for each in found if each and each != CLEAR))


def laid(colours: tuple[str, ...], pictures: tuple[str, ...]) -> tuple[str, ...]:
    """The grounds of a box with a colour, and with a blend drawn over it."""
    if not (colours and pictures) or any(len(each) != 7 for each in colours):
        return *colours, *pictures
    return *colours, *(over(top, below) for top in pictures for below in colours)


def over(top: str, below: str) -> str:
    """How a colour looks on another."""
    if len(top) != 9 or len(below) != 7:
        return top[:7]
    share = int(top[7:], 16) / 255
    parts = (int(top[at : at + 2], 16) * share + int(below[at : at + 2], 16) * (1 - share) for at in (1, 3, 5))
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def alike(one: str, other: str) -> bool:
    """Whether nobody tells these two apart, or what one of them is."""
    if one == other or UNSURE in (one, other):
        return True
    return all(abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) <= _CLOSE for at in (1, 3, 5))


def _one(word: str) -> str:
    if word == "transparent":
        return CLEAR
    name = _NAMES.get(word) or _SYSTEM.get(word)
    if name:
        return f"#{name}"
    if word.startswith("#"):
        return _digits(word[1:])
    if word in _SELECTED:
        return UNSURE
    found = _FUNCTION.fullmatch(word[:300])
    return _called(found[1], found[2]) if found else ""


def _digits(digits: str, sign: str = "#") -> str:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if sign != "#" or len(digits) not in (6, 8) or set(digits) - set("0123456789abcdef"):
        return ""
    return _covering(f"#{digits[:6]}", int(digits[6:] or "ff", 16) / 255)


def _covering(colour: str, share: float) -> str:
    return CLEAR if share <= _FAINT else colour if share >= 1 else f"{colour}{round(share * 255):02x}"


def _called(kind: str, arguments: str) -> str:
    if kind in ("light-dark", "color-mix"):
        parts = _COMMA.split(arguments)
        return _one(parts[0].strip()) if kind == "light-dark" else _mixed(parts[1:])
    if kind == "contrast-color":
        light = _one(arguments.strip())
        return UNSURE if len(light) != 7 else "#000000" if _linear(light)[1] > _MIDDLE else "#ffffff"
    if "(" in arguments or "from " in arguments:
        return _worked_out(kind, arguments.strip())
    space, _, arguments = arguments.strip().partition(" ") if kind == "color" else (kind, "", arguments)
    numbers = [(_number(found[1]), found[2] or "") for found in _PART.finditer(_NONE.sub("0", arguments))]
    if len(numbers) < 3:
        return UNSURE
    share = numbers[3][0] / (100 if numbers[3][1] == "%" else 1) if len(numbers) > 3 else 1.0
    return _made(kind, numbers[:3], space, share)


def _made(kind: str, numbers: "_Numbers", space: str, share: float) -> str:
    made = _SPACES[kind](numbers, space)
    colour = "#" + "".join(f"{round(min(max(part, 0), 1) * 255):02x}" for part in made)
    return _covering(colour, min(share, 1.0))


def _worked_out(kind: str, arguments: str) -> str:
    """A colour of which parts are sums, or are those of another (`from`)."""
    around: dict[str, float] = {}
    if origin := _ORIGIN.match(arguments):
        parts = _parts(kind, _one(origin[1]), arguments[origin.end() :])
        if parts is None:
            return UNSURE
        around, arguments = parts, arguments[origin.end() :]
    space, _, arguments = arguments.strip().partition(" ") if kind == "color" else (kind, "", arguments)
    written, _, covers = arguments.rpartition("/") if _ALPHA.search(arguments) else (arguments, "", "")
    share = _PERCENT.get(kind)
    if share is None:  # of these, light is told in hundredths as often as not
        written = _FIRST.sub(lambda found: str(float(found[1]) / (100 if kind[:2] == "ok" else 1)), written, count=1)
    numbers = measures(_put(around, _NONE.sub("0", written)).replace(",", " "), share or 1.0)
    if len(numbers) != 3 or None in numbers or (share is None and "%" in written.partition(" ")[2]):
        return UNSURE
    cover = measures(_put(around, covers), 0.01) if covers else [around.get("alpha", 1.0)]
    if len(cover) != 1 or cover[0] is None:
        return UNSURE
    return _made(kind, [(number or 0.0, "") for number in numbers], space, cover[0])


def _put(parts: dict[str, float], text: str) -> str:
    """The text with the parts of a colour in the place of their letters."""
    return _CHANNEL.sub(lambda found: f"{parts[found[0]]:.6f}" if found[0] in parts else found[0], text)


def _parts(kind: str, origin: str, rest: str) -> dict[str, float] | None:
    """The parts of a colour by their letters, in the space of a call; None where they are not known."""
    if len(origin) not in (7, 9) or (kind == "color" and not rest.strip().startswith("srgb ")):
        return None
    red, green, blue = (int(origin[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, full = colorsys.rgb_to_hls(red, green, blue)
    if kind in ("rgb", "color"):
        found = {"r": red, "g": green, "b": blue}
        found = found if kind == "color" else {name: each * 255 for name, each in found.items()}
    elif kind == "hsl":
        found = {"h": hue * 360, "s": full * 100, "l": light * 100}
    elif kind == "hwb":
        found = {"h": hue * 360, "w": min(red, green, blue) * 100, "b": 100 - max(red, green, blue) * 100}
    else:
        light, a, b = _in_oklab(origin) if kind[:2] == "ok" else _in_lab(origin)
        found = {"l": light, "a": a, "b": b, "c": math.hypot(a, b), "h": math.degrees(math.atan2(b, a)) % 360}
    return {**found, "alpha": int(origin[7:] or "ff", 16) / 255}


def _linear(colour: str) -> tuple[list[float], float]:
    """Red, green and blue as light, and how light they are together."""
    each = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    each = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in each]
    return each, 0.2126 * each[0] + 0.7152 * each[1] + 0.0722 * each[2]


def _in_oklab(colour: str) -> tuple[float, float, float]:
    (red, green, blue), _ = _linear(colour)
    long = (0.4122 * red + 0.5363 * green + 0.0514 * blue) ** (1 / 3)
    middle = (0.2119 * red + 0.6807 * green + 0.1074 * blue) ** (1 / 3)
    short = (0.0883 * red + 0.2817 * green + 0.6300 * blue) ** (1 / 3)
    return (0.2105 * long + 0.7936 * middle - 0.0041 * short, 1.9780 * long - 2.4286 * middle + 0.4506 * short,
            0.0259 * long + 0.7828 * middle - 0.8087 * short)  # fmt: skip


def _in_lab(colour: str) -> tuple[float, float, float]:
    (red, green, blue), _ = _linear(colour)
    x, y, z = (0.4361 * red + 0.3851 * green + 0.1431 * blue, 0.2225 * red + 0.7169 * green + 0.0606 * blue,
               0.0139 * red + 0.0971 * green + 0.7142 * blue)  # fmt: skip
    x, y, z = (
        each ** (1 / 3) if each > 216 / 24389 else each * 841 / 108 + 4 / 29 for each in (x / 0.9643, y, z / 0.8251)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _mixed(parts: list[str]) -> str:
    """Half of each, or as much as is said; near enough for every space that it may be mixed in."""
    found = [(_one(_SHARE.sub("", part).strip()), _SHARE.search(part)) for part in parts]
    if len(found) != 2 or any(not one or one == UNSURE for one, _ in found):
        return UNSURE
    (one, first), (other, second) = found
    share = _part(first) if first else 1 - _part(second) if second else 0.5
    if CLEAR in (one, other):
        kept, rest = (other, 1 - share) if one == CLEAR else (one, share)
        return CLEAR if kept == CLEAR else _covering(kept[:7], rest * int(kept[7:] or "ff", 16) / 255)
    return over(f"{one[:7]}{round(min(max(share, 0), 1) * 255):02x}", other[:7])


def _part(found: re.Match[str]) -> float:
    return min(float(found[1] or found[2]) / 100, 1.0)


_Numbers = list[tuple[float, str]]


def _rgb(numbers: _Numbers, _: str) -> list[float]:
    return [number / (100 if unit == "%" else 255) for number, unit in numbers]


def _hsl(numbers: _Numbers, _: str) -> tuple[float, float, float]:
    (hue, unit), (saturation, _s), (light, _l) = numbers
    return colorsys.hls_to_rgb(_turn(hue, unit), min(max(light, 0), 100) / 100, min(max(saturation, 0), 100) / 100)


def _hwb(numbers: _Numbers, _: str) -> list[float]:
    (hue, unit), (white, _w), (black, _b) = numbers
    white, black = white / 100, black / 100
    if white + black >= 1:
        return [white / (white + black)] * 3
    return [part * (1 - white - black) + white for part in colorsys.hls_to_rgb(_turn(hue, unit), 0.5, 1)]


def _lab(numbers: _Numbers, _: str) -> list[float]:
    light, a, b = (number * (1.25 if unit == "%" and at else 1) for at, (number, unit) in enumerate(numbers))
    if not 0 < light < 100:
        return [float(light > 0)] * 3
    y = (light + 16) / 116
    x, y, z = (each**3 if each > 6 / 29 else (each - 4 / 29) * 108 / 841 for each in (y + a / 500, y, y - b / 200))
    x, z = x * 0.9643, z * 0.8251
    return _shown((3.1341 * x - 1.6174 * y - 0.4907 * z, -0.9788 * x + 1.9161 * y + 0.0335 * z,
                   0.0719 * x - 0.2290 * y + 1.4052 * z))  # fmt: skip


def _oklab(numbers: _Numbers, _: str) -> list[float]:
    light, a, b = (
        number * ((0.004 if at else 0.01) if unit == "%" else 1) for at, (number, unit) in enumerate(numbers)
    )
    if not 0 < light < 1:
        return [float(light > 0)] * 3
    long, middle, short = (
        each**3
        for each in (light + 0.3963 * a + 0.2158 * b, light - 0.1056 * a - 0.0639 * b, light - 0.0895 * a - 1.2915 * b)
    )
    return _shown((4.0767 * long - 3.3077 * middle + 0.2310 * short, -1.2684 * long + 2.6098 * middle - 0.3413 * short,
                   -0.0042 * long - 0.7034 * middle + 1.7076 * short))  # fmt: skip


def _round(into: Callable[[_Numbers, str], list[float]], most: float) -> Callable[[_Numbers, str], list[float]]:
    """The same spaces, with a hue."""

    def made(numbers: _Numbers, space: str) -> list[float]:
        light, (chroma, unit), (hue, turned) = numbers
        chroma, angle = chroma * most / 100 if unit == "%" else chroma, _turn(hue, turned) * 2 * math.pi
        return into([light, (chroma * math.cos(angle), ""), (chroma * math.sin(angle), "")], space)

    return made


def _space(numbers: _Numbers, space: str) -> list[float]:
    parts = [number / (100 if unit == "%" else 1) for number, unit in numbers]  # of p3 and rec2020, near enough
    return _shown(parts) if "linear" in space or "xyz" in space else parts


def _shown(linear: Iterable[float]) -> list[float]:
    return [12.92 * each if each <= 0.0031308 else 1.055 * each ** (1 / 2.4) - 0.055 for each in linear]


def _turn(hue: float, unit: str) -> float:
    return hue / {"turn": 1, "rad": 2 * math.pi, "grad": 400}.get(unit, 360) % 1


_SPACES: Final[dict[str, Callable[[_Numbers, str], Sequence[float]]]] = {
    "rgb": _rgb, "hsl": _hsl, "hwb": _hwb, "lab": _lab, "oklab": _oklab, "lch": _round(_lab, 150),
    "oklch": _round(_oklab, 0.4), "color": _space,
}  # fmt: skip


def _number(digits: str) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.0
