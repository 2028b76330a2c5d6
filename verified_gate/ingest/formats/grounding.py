"""Grounds that may not lie behind words: of boxes that paint none or have no size, and those that words are moved off."""

import re
from typing import TYPE_CHECKING, Final, Literal

from verified_gate.ingest.formats.colours import grounds, laid
from verified_gate.ingest.formats.declared import SIDES, Declarations
from verified_gate.ingest.formats.elements import BLOCKS, HEADINGS, PLAIN
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures

if TYPE_CHECKING:
    from verified_gate.ingest.formats.visibility import Styles

Painted = Literal["painted", "perhaps", "no"]

_IN_LINE: Final = PLAIN | {
    "a",
    "font",
    "abbr",
    "big",
    "del",
    "dfn",
    "ins",
    "label",
    "mark",
    "nobr",
    "q",
    "s",
    "sub",
    "sup",
}
_BLOCKS: Final = frozenset({*BLOCKS, *HEADINGS, "table"})
_SIZES: Final = (
    ("height", "min-height"),
    ("max-height", "min-height"),
    ("width", "min-width"),
    ("max-width", "min-width"),
)
_PADDINGS: Final = ("padding", "padding-top", "padding-left", "padding-right")
_CALL: Final = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_FEW: Final = 8
"""Pixels: nothing is read on a ground so low, or narrow."""
_OFF: Final = 20
"""Pixels by which a picture, or words, are moved off their box."""
_ASIDE: Final = 100
"""Pixels by which words are moved along a box, which is wide."""
_INSIDE: Final = re.compile(r"[0-8]?\d(?:\.\d{0,9})?%")
"""A part of the height of the box around."""
_FAR: Final = 400
"""Pixels from its edge, at which a place in a box may be outside of it."""
_HOLDING: Final = frozenset({"transform", "filter", "contain", "perspective"})
_STILL: Final = frozenset({"static", "", "initial", "unset", "inherit"})


def painted(element: Element, declared: Declarations) -> Painted:
    """Whether the ground that is declared of an element lies behind all words in it."""
    if declared.get("display") == "contents":
        return "no"
    display = declared.get("display", "inline" if local_name(element) in _IN_LINE else "block")
    if display == "inline" and len(element):
        floats = declared.get("float", "none") != "none" or declared.get("position") in ("absolute", "fixed")
        if not floats and any(local_name(child) in _BLOCKS for child in element):
            return "perhaps"
    padded = any(_reaches(declared.get(name, ""), _FEW) for name in _PADDINGS)
    for name, least in _SIZES:
        if name in declared and not padded and not _reaches(declared.get(least, ""), _FEW):
            found = measures(declared[name])
            if found and all(each is None or abs(each) < _FEW for each in found):
                return "perhaps"
    return "perhaps" if _elsewhere(declared) else "painted"


def own_ground(element: Element, declared: Declarations) -> tuple[str, ...]:
    """The colours that an element is painted in itself, behind all words in it; none where that is not sure."""
    found = laid(grounds(declared.get("background-color", "")), grounds(declared.get("background-image", "")))
    return found if found and painted(element, declared) == "painted" else ()


def _reaches(value: str, least: float) -> bool:
    return any(each is not None and each >= least for each in measures(value))


def _elsewhere(declared: Declarations) -> bool:
    """Whether a blend of colours, drawn as a picture, is too small or stands beside its box."""
    written = declared.get("background-color", "")
    if "gradient(" not in written and "gradient(" not in declared.get("background-image", ""):
        return False
    short = _CALL.sub(" ", written) if "(" in written else ""
    place, _, size = short.partition("/")
    sizes = [*measures(declared.get("background-size", "")), *measures(size.replace(",", " "))]
    if any(each is not None and abs(each) < _FEW for each in sizes):
        return True
    if "no-repeat" not in short and "no-repeat" not in declared.get("background-repeat", ""):
        return False
    places = [*measures(declared.get("background-position", "")), *measures(place.replace(",", " "))]
    return any(each is None or each <= -_OFF or each >= _FAR for each in places)


def moved_off(element: Element, declared: Declarations, styles: "Styles") -> bool:
    """Whether an element is placed where the grounds around it need not be."""
    position = declared.get("position", "")
    places = [each for side in SIDES if side in declared for each in measures(declared[side])]
    if position == "fixed":
        return True
    if position == "relative":
        return any(
            each is None or abs(each) >= (_OFF if side in ("top", "bottom") else _ASIDE)
            for side in SIDES
            if side in declared and not _INSIDE.fullmatch(declared[side])
            for each in measures(declared[side])
        )
    if position != "absolute":
        return False
    if not places and _stays(element, styles):
        return False
    if any(each is None or each <= -_OFF or each >= _FAR for each in places if each is None or abs(each) < 10**6):
        return _percents(declared) is False
    for around in element.iterancestors():
        held = styles.declared_of(around)
        if held.get("position", "") not in _STILL or not _HOLDING.isdisjoint(held):
            return any(
                side in declared and name in held and _beyond(declared[side], held[name]) for side, name in _WAYS
            )
        if held.get("background-color") or held.get("background-image") or around.get("bgcolor"):
            return local_name(around) not in ("body", "html")
    return False


def _stays(element: Element, styles: "Styles") -> bool:
    """Whether what is placed nowhere stands where it stood, in a box that others give a height."""
    around = element.getparent()
    if around is None:
        return False
    if (around.text or "").strip() or any((each.tail or "").strip() for each in around):
        return True
    held = styles.declared_of(around)
    return any(_reaches(held.get(name, ""), _LINE) for name in ("height", "min-height"))


def _beyond(place: str, size: str) -> bool:
    """Whether a place, from the left or the top, is behind the other end of a box of this size."""
    if "%" in place or "%" in size:
        return False
    found, ends = measures(place), measures(size)
    return bool(found and ends) and found[0] is not None and ends[0] is not None and found[0] >= ends[0] > 0


_WAYS: Final = (("top", "height"), ("left", "width"))
_LINE: Final = 16
"""Pixels of a line of words."""


def _percents(declared: Declarations) -> bool:
    return all("%" in declared[side] or declared[side] in ("auto", "0") for side in SIDES if side in declared)


def is_held(element: Element, styles: "Styles") -> bool:
    """Whether an element around this one is what it is placed in, and not the page."""
    parent = element.getparent()
    if parent is None or parent is not styles.held[0]:  # asked once for all children
        lines = (styles.declared_of(around) for around in element.iterancestors())
        styles.held = (
            parent,
            any(held.get("position", "") not in _STILL or not _HOLDING.isdisjoint(held) for held in lines),
        )
    return styles.held[1]
