"""What a style declares, as far as it may hide words: the declarations of a rule or an attribute, and which of them hold.

A value that a browser would pass over is passed over here; one that this cannot tell from such a one is kept, and
`hiding` then takes it for a doubt. Custom properties (`--name`) are put in where `var()` asks for them.
"""

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Final

from verified_gate.ingest.formats.colours import grounds, is_colour

Declarations = Mapping[str, str]
"""Values by name in small letters; what is `!important` a second time, with `!` before its name."""

INHERITED: Final = frozenset({"visibility", "color", "background-color", "background-image", "fill",
                              "-webkit-text-fill-color"})  # fmt: skip
SIDES: Final = ("top", "right", "bottom", "left")
_SHORTHANDS: Final = {
    "inset": SIDES, "inset-block": ("top", "bottom"), "inset-inline": ("left", "right"),
    "margin-inline": ("margin-left", "margin-right"), "margin-block": ("margin-top", "margin-bottom"),
    "inset-block-start": ("top",), "inset-block-end": ("bottom",), "inset-inline-start": ("left",),
    "inset-inline-end": ("right",), "margin-inline-start": ("margin-left",), "margin-inline-end": ("margin-right",),
    "margin-block-start": ("margin-top",), "margin-block-end": ("margin-bottom",), "block-size": ("height",),
    "inline-size": ("width",), "max-block-size": ("max-height",), "max-inline-size": ("max-width",),
    "overflow-block": ("overflow-y",), "overflow-inline": ("overflow-x",), "padding-inline-start": ("padding-left",),
    "padding-inline": ("padding-left", "padding-right"), "text-decoration-line": ("text-decoration",),
    "-webkit-text-decoration": ("text-decoration",), "-webkit-filter": ("filter",), "-webkit-clip-path": ("clip-path",),
    "-webkit-transform": ("transform",), "-webkit-animation": ("animation",), "-webkit-mask": ("mask",),
    "-webkit-mask-image": ("mask-image",), "-webkit-mask-box-image": ("mask-border",), "mask-border-source": ("mask-border",),
    "-webkit-animation-name": ("animation-name",), "-webkit-background-clip": ("background-clip",),
    "-webkit-opacity": ("opacity",), "-webkit-backdrop-filter": ("backdrop-filter",), "-webkit-box-sizing": ("box-sizing",),
    "-moz-box-sizing": ("box-sizing",), "-webkit-line-clamp": ("line-clamp",), "-webkit-transform-origin": ("transform-origin",), "-webkit-flex": ("flex",), "-webkit-flex-basis": ("flex-basis",),
    "-webkit-flex-grow": ("flex-grow",), "min-block-size": ("min-height",), "min-inline-size": ("min-width",),
    "padding-block-start": ("padding-top",), "padding-block": ("padding-top",), "-webkit-background-size": ("background-size",),
    "background-position-x": ("background-position",), "background-position-y": ("background-position",),
    "-webkit-backface-visibility": ("backface-visibility",),
}  # fmt: skip
"""Names that say the same as others, as pages are written from the left and from the top."""
_LENGTHS: Final = frozenset({
    "opacity", "font-size", "text-indent", "height", "width", "max-height", "max-width", *SIDES, "margin-left",
    "margin-right", "margin-top", "margin-bottom", "padding-left", "padding-right", "line-height", "letter-spacing",
    "word-spacing", "zoom", "scale", "rotate", "translate", "z-index", "fill-opacity", "x", "y", "dx", "dy",
})  # fmt: skip
_NEVER_LESS: Final = frozenset({"font-size", "height", "width", "max-height", "max-width", "padding-left", "padding-right",
                                "line-height"})  # fmt: skip
"""What no negative length is a value of."""
_SHARES: Final = frozenset({"opacity", "fill-opacity"})
_SHARE: Final = re.compile(r"[-+]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:e[-+]?\d{1,2})?%?")
_UNITLESS: Final = frozenset({"opacity", "line-height", "zoom", "scale", "rotate", "z-index", "fill-opacity"})
"""Of these, what may be a number without a unit."""
_BARE: Final = re.compile(r"(?<![^\s])[-+]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:e[-+]?\d{1,2})?(?![^\s])")
_COLOURS: Final = frozenset({"color", "background-color", "-webkit-text-fill-color"})
_UNSIGNED: Final = re.compile(r"[0-9a-f]{3}|[0-9a-f]{6}|\d[0-9a-f]{0,5}")
"""A colour without its `#`."""
_TOUCHING: Final = INHERITED | _LENGTHS | {
    "background",     "display", "font", "position", "clip", "clip-path", "transform", "content-visibility", "filter", "animation",
    "animation-name", "animation-direction", "animation-duration", "animation-delay", "animation-play-state",
    "animation-iteration-count", "overflow", "overflow-x", "overflow-y", "margin", "padding", "mask", "mask-image",
    "mask-border", "contain", "unicode-bidi", "-webkit-text-security", "mix-blend-mode", "offset", "background-clip",
    "text-decoration", "content", "grid-template-rows", "grid-template-columns", "backface-visibility", "offset-path",
    "offset-position", "-webkit-text-stroke", "-webkit-text-stroke-width", "-webkit-text-stroke-color", "font-size-adjust",
    "math-depth", "flex", "flex-basis", "flex-grow", "aspect-ratio", "box-sizing", "outline", "outline-width", "outline-offset",
    "backdrop-filter", "min-height", "min-width", "color-scheme", "background-size", "background-position", "background-repeat",
    "padding-top", "transform-origin", "line-clamp", "position-visibility", "perspective", "container-type", "container",
    "grid-auto-rows", "grid-auto-columns", "grid-template", "grid",
    "float", "vertical-align", "baseline-shift", "font-variant", "font-variant-position", "font-feature-settings",
}  # fmt: skip
_SIZES: Final = (_LENGTHS - _UNITLESS) | {
    "margin", "padding", *(name for name in _SHORTHANDS if name.startswith(("inset", "margin", "padding"))),
    "block-size", "inline-size", "max-block-size", "max-inline-size",
}  # fmt: skip
"""What a number without a unit, other than zero, is no value of."""
_GLOBAL: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
_WORDS: Final = {
    "display": frozenset(
        ["none", "contents", "block", "inline", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "flow-root", "list-item", "table", "inline-table", "table-row", "table-cell", "table-caption", "table-row-group", "table-header-group", "table-footer-group", "table-column", "table-column-group", "ruby", "ruby-text", "ruby-base", "-webkit-box", "-webkit-inline-box", "-webkit-flex", "math"]
    ),
    "visibility": frozenset({"visible", "hidden", "collapse"}),
    "position": frozenset({"static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"}),
    "content-visibility": frozenset({"visible", "auto", "hidden"}),
}  # fmt: skip
_TWO_WORDS: Final = frozenset(
    ["block", "inline", "run-in", "flow", "flow-root", "table", "flex", "grid", "ruby", "math", "list-item"]
)
"""Of which a value of `display` may have several."""
_FONT_SIZE: Final = re.compile(
    r"(?:^|\s)((?:\d{0,9}\.)?\d{1,9}(?:[a-z]{1,4}|%)|0(?:\.0{1,9})?(?=$|[\s/])|[a-z]{3,5}\((?:[^()]|\([^()]*\)){1,99}\)"
    r"|(?:xx-|x-)?(?:small|large)|medium|smaller|larger)"
)
_LINES: Final = frozenset({"white-space", "text-wrap", "text-wrap-mode"})
_ONE_LINE: Final = re.compile(r"\b(?:nowrap|pre)\b(?!-)", re.IGNORECASE)
_LATE: Final = re.compile(r"(?<![\d.])\d{2,9}(?:\.\d{0,9})?s|\d{5,9}ms", re.IGNORECASE)
"""What is long in coming."""
_NO_BREAKS: Final = "text-wrap-mode"
_ALL: Final = ("display", "visibility", "opacity", "color", "-webkit-text-fill-color", "background-color", "font-size", "position",
               "clip", "clip-path", "transform", "filter", "text-indent", "height", "width", "max-height", "max-width", "overflow",
               "content-visibility", "left", "top", "mask", "letter-spacing", "animation")  # fmt: skip
_SYSTEM_FONTS: Final = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})
_NO_GROUND: Final = frozenset({"none", "transparent", "0"})
_SIZED: Final = re.compile(
    r"(?:auto|none|normal|(?:xx-|x-)?(?:small|large)|medium|xxx-large|smaller|larger|reset|math|(?:max|min|fit)-content"
    r"|stretch|-webkit-fill-available|-moz-available|[xyz])\Z|.*\d"
)
_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_IMPORTANT: Final = re.compile(r"!\s{0,9}important")
_HELD: Final = re.compile(r"\"[^\"\n]*\"?|'[^'\n]*'?|\([^()\"']*\)")
_VARIABLE: Final = re.compile(
    r"var\(\s{0,9}(--[^\s,()]{1,100})\s{0,9}(?:,([^()]{0,200}(?:\([^()]{0,200}\)[^()]{0,200}){0,5}))?\)"
)
_CUSTOM: Final = re.compile(r"(?<![\w-])(--[^\s,()]{1,100})|[^-]+|-")
_ENDS: Final = re.compile(r"[();]")
_LONGEST: Final = 1_000
"""Code points of a value that are followed; longer are pictures, which stand in their own address."""
_MOST_PUT_IN: Final = 20
UNKNOWN: Final = "unknown()"
"""What stands where a value cannot be known."""


def declarations(style: str, *, quirks: bool = False) -> dict[str, str]:
    """The declarations of a `style` attribute or of a rule's body, names and values in small letters.

    `quirks`: a page without a document type, where browsers take lengths without units and colours without `#`.
    """
    found: dict[str, str] = {}
    if "/*" in style:
        style = _COMMENT.sub(" ", style)
    if "\\" in style:
        style = unescaped(style)
    if '"' in style or "'" in style or "(" in style:  # `;` in these parts no declarations
        style = _HELD.sub(_joined, style)
        if "(" in style and style.count("(") != style.count(")"):
            style = style[: _left_open(style)]
    for each in style.split(";"):
        name, colon, value = each.partition(":")
        name = name.strip()
        if name[:2] == "--":
            if colon:
                _put(found, name, _in_small(value.strip()))
            continue
        name = name.lower()
        if not colon or (name not in _TOUCHING and name not in _SHORTHANDS):
            if name == "all" and (word := _in_small(value.strip()).partition("!")[0].strip()) in _GLOBAL:
                _put_all(found, word, important="!" in value)
            elif name in _LINES and _ONE_LINE.search(value):
                _put(found, _NO_BREAKS, "nowrap")
            elif name[:10] == "transition" and _LATE.search(value):
                found["transition"] = _in_small(value.strip())
            elif name == "box-shadow" and "inset" in value:
                _put(found, name, _in_small(value.strip()))
            continue
        value = _in_small(value.strip())
        if quirks and name in _COLOURS and _UNSIGNED.fullmatch(value):
            value = f"#{value.zfill(6) if value[0].isdigit() else value}"
        elif not quirks and name in _SIZES and _BARE.search(value) and _unitless(value):
            continue
        if name == "background":
            _grounded(found, value)
        elif name == "font":
            _sized(found, value)
        elif name not in _SHORTHANDS:
            _put(found, name, value)
        else:
            for own, part in _written_out(_SHORTHANDS[name], value):
                _put(found, own, part)
    return {} if len(found) == 1 and _NO_BREAKS in found else found


def _left_open(style: str) -> int:
    """Where a declaration begins, of which a bracket is not closed: all behind it is part of it; the end without."""
    opened: list[int] = []
    begun = 0
    for found in _ENDS.finditer(style):
        sign = found[0]
        if sign == ";" and not opened:
            begun = found.end()
        elif sign == "(":
            opened.append(begun)
        elif sign == ")" and opened:
            opened.pop()
    return opened[0] if opened else len(style)


def _in_small(value: str) -> str:
    """A value in small letters, but for the names of custom properties, of which `--A` and `--a` are two."""
    return value.lower() if "--" not in value else _CUSTOM.sub(lambda part: part[1] or part[0].lower(), value)


def _unitless(value: str) -> bool:
    """Whether a number in it, other than zero, is no length for want of a unit; what is in a call is not looked at."""
    return "(" not in value and any(float(number[0]) for number in _BARE.finditer(value))


def _put_all(found: dict[str, str], word: str, *, important: bool) -> None:
    """`all`: whatever says something of what is seen is as it is without a sheet, or as it is around."""
    for name in _ALL:
        _force(found, name, word, important=important)


def _grounded(found: dict[str, str], value: str) -> None:
    """`background`, which stands for the colour and takes the picture away."""
    important = "!important" if _IMPORTANT.search(value) else ""
    written = _IMPORTANT.sub("", value).strip()
    if "(" in written or written in _GLOBAL or not _NO_GROUND.isdisjoint(written.split()) or grounds(written):
        _force(found, "background-color", written, important=bool(important))
        _force(found, "background-image", "none", important=bool(important))
        if "background-clip" in found or "text" in written.split():
            _force(found, "background-clip", "text" if "text" in written.split() else "border-box", important=False)


def _sized(found: dict[str, str], value: str) -> None:
    """`font`, of which the size counts."""
    written = _IMPORTANT.sub("", value[:_LONGEST]).strip()
    size = _FONT_SIZE.search(written)
    name = size[1] if size else written if written in _GLOBAL else "medium" if written in _SYSTEM_FONTS else ""
    if name or "(" in written:
        _force(found, "font-size", name or UNKNOWN, important="!" in value)


def _put(found: dict[str, str], name: str, value: str) -> None:
    important = False
    if "!" in value:
        value, times = _IMPORTANT.subn("", value)
        value, important = value.strip(), times > 0
    if _holds(name, value):
        if len(value) > _LONGEST:
            value = value[:_LONGEST] if value[:4] == "url(" else UNKNOWN
        _force(found, name, value, important=important)


def _force(found: dict[str, str], name: str, value: str, *, important: bool) -> None:
    if important:
        found[f"!{name}"] = value
    if f"!{name}" not in found or found[f"!{name}"] == value:
        found[name] = value


def _holds(name: str, value: str) -> bool:
    """Whether a browser takes the value, as far as that is certain."""
    if not value:
        return name[:2] == "--"
    if "(" in value or value in _GLOBAL or name[:2] == "--":
        return name != "filter" or "=" not in value  # of browsers long ago
    if name in _LENGTHS:
        if (name in _NEVER_LESS and value[0] == "-") or (name in _SHARES and not _SHARE.fullmatch(value)):
            return False
        return _SIZED.match(value) is not None
    if name in _COLOURS:
        return is_colour(value)
    words = _WORDS.get(name)
    return words is None or value in words or (name == "display" and _TWO_WORDS.issuperset(value.split()))


def _written_out(names: tuple[str, ...], value: str) -> Iterator[tuple[str, str]]:
    """A shorthand's values, each with the name that it is for."""
    important = "!important" if _IMPORTANT.search(value) else ""
    values = parted(_IMPORTANT.sub("", value)) if len(names) > 1 else [value]
    for index, name in enumerate(names):
        if values:
            given = (
                values[index]
                if index < len(values)
                else values[index - 2]
                if index > 1 and len(values) > 1
                else values[0]
            )
            yield name, given + (important if len(names) > 1 else "")


def parted(value: str) -> list[str]:
    """The values of a list, which blanks set apart; a call with all that is in it is one."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(value):
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign.isspace() and depth <= 0:
            if start < at:
                found.append(value[start:at])
            start = at + 1
    return [*found, value[start:]] if start < len(value) else found


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


def varied(around: ChainMap[str, str], declared: Declarations) -> ChainMap[str, str]:
    """The custom properties in an element, which takes over those around it."""
    own = {name: value for name, value in declared.items() if name[:2] == "--" and value not in _FROM_AROUND}
    if not own:
        return around
    inside = around.new_child(own)
    held = {name: _resolved(value, inside) if "var(" in value else value for name, value in own.items()}
    return around.new_child(
        {name: "initial" if value == "unset" and "var(" in own[name] else value for name, value in held.items()}
    )


_FROM_AROUND: Final = frozenset({"inherit", "unset", "revert"})
"""Values of custom properties that leave what they are around."""


def put_in(declared: Declarations, variables: Declarations) -> dict[str, str]:
    """The declarations with custom properties in the place of `var()`; what is not declared leaves its fallback."""
    return {
        name: _resolved(value, variables) if "var(" in value else value
        for name, value in declared.items()
        if name[:2] != "--" and name[0] != "!"
    }


def _resolved(value: str, variables: Declarations) -> str:
    for _ in range(_MOST_PUT_IN):
        found = _VARIABLE.search(value)
        if found is None:
            return UNKNOWN if "var(" in value else value
        held = variables.get(found[1])
        if held is None or held == "initial":
            held = found[2]
        if held is None:
            return "unset"
        value = f"{value[: found.start()]}{held.strip()}{value[found.end() :]}"
        if len(value) > 2_000:
            break
    return UNKNOWN


def _joined(found: re.Match[str]) -> str:
    held = found[0]
    return held.replace(";", ",") if ";" in held else held


def _character(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if 0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"  # no blank: `none\\9`
