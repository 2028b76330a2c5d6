"""How the words of an element look: their ink and ground, their size, and what else adds up from element to element."""

import re
from collections import ChainMap
from typing import Final, NamedTuple

from verified_gate.ingest.formats.colours import CLEAR, UNSURE, alike, grounds, ink, is_colour, laid, over
from verified_gate.ingest.formats.declared import INHERITED, SIDES, Declarations
from verified_gate.ingest.formats.grounding import painted
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures

_AS_COLOUR: Final = frozenset({"initial", "unset", "revert", "currentcolor"})
"""Letters filled so have their colour."""
_FILLED: Final = frozenset({"svg", "g", "text", "tspan", "switch"})
"""Elements of drawings, whose words have the colour of what is filled."""
_TINY: Final = 2
"""Pixels: smaller letters are dots."""
_FAINT: Final = 0.1
"""Of what covers no more than a tenth, nothing is read."""
_RELATIVE: Final = {"smaller": 0.83, "larger": 1.2, "inherit": 1.0, "unset": 1.0, "math": 1.0}
_OPACITY: Final = re.compile(r"opacity\(([^()]{0,99})\)")
_SCALED: Final = re.compile(r"\bscale(?:3d|x|y)?\(([^()]{1,99})\)")
_UNSEEN: Final = frozenset({CLEAR, UNSURE})
_WHITE: Final = ("#ffffff",)
_NONE: Final = ChainMap[str, str]()
_NIGHT: Final = ("#121212",)
"""The ground of pages that ask for the colours of night."""
_PAGES: Final = frozenset({"html", "body", "{http://www.w3.org/1999/xhtml}body", "{http://www.w3.org/1999/xhtml}html"})


class Sight(NamedTuple):
    """What elements take over from those around. `size` is in pixels; the variables are those of style sheets."""

    ink: str = "#000000"
    grounds: tuple[str, ...] = _WHITE
    visible: bool = True
    doubted: bool = False
    size: float = 16.0
    scale: float = 1.0
    opacity: float = 1.0
    variables: ChainMap[str, str] = _NONE
    root: float = 16.0
    """Of the letters of the page itself, by which `rem` counts."""
    beneath: tuple[str, ...] = _WHITE
    """All grounds that lie below one another here."""

    @property
    def hiding(self) -> bool:
        """Whether a reader may not see what is written so."""
        return self.doubted or self.ink == CLEAR or self.small or self.opacity <= _FAINT or self.hides_on(self.grounds)

    def hides_on(self, grounds: tuple[str, ...]) -> bool:
        """Whether letters of this ink are not seen on one of these grounds."""
        return any(alike(over(self.ink, ground), ground) for ground in grounds)

    @property
    def plain(self) -> bool:
        """Whether all is as on most pages: words that are well seen, on white."""
        return (
            self.grounds == _WHITE == self.beneath
            and self.size * self.scale >= 2 * _TINY
            and (self.ink == "#000000" or (self.ink not in _UNSEEN and not self.hides_on(_WHITE)))
        )

    @property
    def small(self) -> bool:
        """Whether words are too small to be read, which those in an element inside need not be."""
        return self.size * self.scale < _TINY

    def inside(self, element: Element, declared: Declarations, *, drawn: bool, doubted: bool) -> "Sight":
        """How it is in an element, which may be part of a drawing; `declared` is without variables."""
        written = declared.get("background-color", "")
        found = laid(grounds(written), grounds(declared.get("background-image", "")))
        if not written and (attribute := element.get("bgcolor")):
            found = *grounds(as_colour(attribute)), *found
        seen = declared.get("visibility", "inherit")
        visible = seen in ("visible", "initial") or (self.visible and seen not in ("hidden", "collapse"))
        around, size = (
            self,
            _size(declared["font-size"], self.size, self.root) if "font-size" in declared else self.size,
        )
        root = self.root
        if (outermost := element.getparent() is None) or element.tag in _PAGES:
            root = size if outermost else root
            if outermost and is_dark(declared.get("color-scheme", "")):
                around = self._replace(ink="#ffffff", grounds=_NIGHT)
            found = () if declared.get("display") == "contents" else found
        elif found and (how := painted(element, declared) if visible else "no") != "painted":
            found = (*found, *self.grounds) if how == "perhaps" else ()
        own = declared.get("-webkit-text-fill-color", "")
        own = (own if own not in _AS_COLOUR else "") or declared.get("color") or ""
        own = own or as_colour(element.get("color", ""))
        if drawn:
            own = declared.get("fill", "") or ("" if local_name(element) in _FILLED else own)
            own = CLEAR if own == "none" else UNSURE if own.startswith(("url(", "context-")) else own
        if "light-dark(" in own and (self.beneath[0] in _NIGHT or is_dark(declared.get("color-scheme", ""))):
            own = _BY_LIGHT.sub(r"\1", own)
        if "currentcolor" in own and len(own) > len("currentcolor") and around.ink[:1] == "#":
            own = own.replace("currentcolor", around.ink)
        new = around.ink if own in ("", "currentcolor") else own if own in (CLEAR, UNSURE) else ink(own) or around.ink
        below = around.grounds
        ground = tuple(dict.fromkeys(over(top, each) for top in found for each in below))[:50] or below
        if found and "text" in declared.get("background-clip", ""):
            here = painted(element, declared) == "painted"
            new, ground = (new if new != CLEAR else ground[0] if here else UNSURE), below
        beneath = self.beneath
        if ground != self.grounds:
            page = outermost or element.tag in _PAGES
            beneath = ground if page else tuple(dict.fromkeys((*beneath, *ground)))[:50]
        return Sight(
            new,
            ground,
            visible,
            self.doubted or doubted or "(" in seen,
            size,
            self.scale * _scale(declared),
            self.opacity * opacity(declared),
            self.variables,
            root,
            beneath,
        )


def calm(declared: Declarations, *, plain: bool = False) -> bool:
    """Whether nothing in these declarations is taken over by elements inside, so that what is around stays as it is.

    `plain`: or it is a colour that is well seen on white, where all that is around is so too.
    """
    for name, value in declared.items():
        if name == "position" and _leaves(value, declared, plain=plain):
            return False
        if name in _TAKEN_OVER and not (plain and _is_plain(name, value)):
            return False
        if name[:2] == "--" or "var(" in value or (name == "font-size" and not _LARGE.fullmatch(value)):
            return False
        if name in ("transform", "filter") and ("scale" in value or "opacity" in value):
            return False
    return True


def _leaves(position: str, declared: Declarations, *, plain: bool) -> bool:
    """Whether what is placed so may stand where the grounds around are not; on a plain one, above the page."""
    if position not in ("absolute", "fixed", "relative"):
        return False
    placed = [value for side in SIDES if (value := declared.get(side))]
    if plain:
        return position == "absolute" and any(value[0] == "-" for value in placed)
    return position != "relative" or bool(placed)


def is_legible(size: str) -> bool:
    """Whether it is half of the size around, or more."""
    return _HALF.fullmatch(size) is not None


def _is_plain(name: str, value: str) -> bool:
    if name.endswith("color"):
        found = ink(value)
        if name == "background-color":
            return value in ("#fff", "#ffffff", "white") or not grounds(value)
        return not found or (found[0] == "#" and len(found) == 7 and not alike(found, "#ffffff"))
    return name == "background-image" and not grounds(value)


def unsized(declared: Declarations) -> bool:
    """Whether these declarations alone leave nothing of words to be seen, by their size or how far they cover."""
    return (
        opacity(declared) <= _FAINT
        or 16 * _scale(declared) < _TINY
        or ("font-size" in declared and _size(declared["font-size"], 16.0) < _TINY)
    )


_BY_LIGHT: Final = re.compile(r"light-dark\((?:[^(),]|\([^()]*\)){1,99},\s*((?:[^(),]|\([^()]*\)){1,99})\)")
"""With the colour that is taken by night."""
_SHORT: Final = re.compile(r"#[0-9a-f]{3}")
_NO_DIGIT: Final = re.compile(r"[^0-9a-f]")
_TAKEN_OVER: Final = INHERITED | {"opacity", "fill-opacity", "scale", "zoom", "background-clip", "color-scheme"}
_HALF: Final = re.compile(r"[5-9]\d(?:\.\d{0,9})?%|0?\.[5-9]\d{0,9}em|smaller|small")
_LARGE: Final = re.compile(
    r"[1-9]\d{0,5}(?:\.\d{0,9})?(?:r?em|v[wh])|\d{3}%|(?:[89]|\d\d)(?:\.\d{0,9})?(?:px|pt)|medium|(?:xx?-)?large|inherit|larger"
)


def as_colour(attribute: str) -> str:
    """A colour as attributes write it, which is one whatever they write: what is no digit counts as 0."""
    attribute = attribute.strip(" \t\n\r\f").lower()
    if not attribute or attribute == "transparent" or (attribute[0].isalpha() and is_colour(attribute)):
        return "" if attribute == "transparent" else attribute
    if _SHORT.fullmatch(attribute):
        return attribute
    digits = _NO_DIGIT.sub("0", attribute[:128].removeprefix("#"))
    digits += "0" * (-len(digits) % 3 or (0 if digits else 3))
    each = len(digits) // 3
    parts = [digits[at * each : (at + 1) * each][-8:] for at in range(3)]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    return "#" + "".join(part[:2].zfill(2) for part in parts)


def opacity(declared: Declarations) -> float:
    """How far it covers, from 0 to 1; 0 where that is not known."""
    share = 1.0
    for name in ("opacity", "fill-opacity"):
        if name in declared:
            share *= _share(declared[name])
    for inside in _OPACITY.findall(declared.get("filter", "")):
        share *= _share(inside)
    return share


def letters_gone(declared: Declarations) -> bool:
    """Whether letters are said to have no size at all."""
    return "font-size" in declared and _size(declared["font-size"], 16.0) <= 0


def _share(value: str) -> float:
    found = measures(value.strip(), 0.01)
    return 1.0 if not found else 0.0 if found[0] is None else min(max(found[0], 0.0), 1.0)


def is_dark(scheme: str) -> bool:
    """Whether a `color-scheme` asks for the colours of night by day too."""
    return "dark" in scheme.split() and "light" not in scheme.split()


def _size(value: str, around: float, root: float = 16.0) -> float:
    if value[:1].isalpha() and "(" not in value:
        return around * _RELATIVE[value] if value in _RELATIVE else 13.0
    sizes = measures(value, around / 100)
    if not sizes or sizes[0] is None:
        least = _least(value, around) if sizes else around
        return 0.5 if least is None else least  # in doubt
    relative = value.endswith(("em", "ex", "ch")) and not value.endswith("rem") and "(" not in value
    by_page = root / 16 if value.endswith("rem") and "(" not in value else 1.0
    return sizes[0] * (around / 16 if relative else by_page)


def _least(value: str, around: float) -> float | None:
    """Of `clamp()` and `max()`, a part of which is not known, what it is at least."""
    call, _, parts = value.partition("(")
    if call not in ("clamp", "max"):
        return None
    known = [
        measures(part, around / 100) for part in parts.rpartition(")")[0].split(",")[: 1 if call == "clamp" else 9]
    ]
    return max((each[0] for each in known if len(each) == 1 and each[0] is not None), default=None)


def _scale(declared: Declarations) -> float:
    total = 1.0
    for name in ("scale", "zoom"):
        if name in declared:
            total *= min((0.0 if each is None else abs(each) for each in measures(declared[name], 0.01)), default=1.0)
    if "scale" in declared.get("transform", ""):
        for inside in _SCALED.findall(declared["transform"]):
            total *= min(
                (0.0 if each is None else abs(each) for each in measures(inside.replace(",", " "), 0.01)), default=1.0
            )
    return min(total, 1.0)
