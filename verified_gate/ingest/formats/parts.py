"""Rules for parts of elements that hide words of the whole: a first line or letter, a box that is laid over it.

They are read as rules of the element that may hold or not, so that its words are marked: which of them stand in its
first line, or below a box that a sheet makes, only a layout tells.
"""

import re
from typing import Final

from verified_gate.ingest.formats.colours import grounds
from verified_gate.ingest.formats.declared import SIDES, UNKNOWN, Declarations, settled
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.formats.sight import opacity

_PART: Final = re.compile(r"::?(first-line|first-letter|before|after)\s*\Z", re.IGNORECASE)
_OF_LETTERS: Final = frozenset({"color", "-webkit-text-fill-color", "font-size", "background-color", "letter-spacing",
                                "word-spacing", "text-decoration", "background-image", "visibility"})  # fmt: skip
_COVERED: Final[Declarations] = {"mask": UNKNOWN}
_GROUNDS: Final = ("background-color", "background-image")
_SEEN_THROUGH: Final = re.compile(r"transparent|rgba|hsla|/|#[0-9a-f]{4}\b(?![0-9a-f])|#[0-9a-f]{8}\b")
_MOVED: Final = frozenset({"transform", "scale", "translate", "clip-path", "mask", "mask-image"})
_SHADOW: Final = re.compile(r"inset.{0,60}?\b\d{2,4}px|\d{2,4}px.{0,60}?inset")
"""A shadow that falls into a box, as far as to fill it."""
_NEAR: Final = 9
"""Pixels from the edges that a box is laid on."""


def of_element(selector: str, declared: Declarations) -> tuple[str, Declarations] | None:
    """The selector of the element, and what a rule of its part says of the words in it; None where it says nothing."""
    found = _PART.search(selector[-30:])
    if found is None:
        return None
    whole = selector[: len(selector) - len(found[0])]
    if not whole.strip() or whole.rstrip()[-1] in ">+~":
        whole += "*"
    elif whole[-1].isspace():
        whole = f"{whole.rstrip()} *"
    if found[1].lower().startswith("first"):
        kept = {name: value for name, value in declared.items() if name.removeprefix("!") in _OF_LETTERS}
        return (whole, kept) if kept else None
    return (whole, _COVERED) if covers(settled(declared)) else None


def covers(declared: Declarations) -> bool:
    """Whether a box with these declarations lies over all that is around, with a ground that nothing is seen through."""
    if declared.get("position") not in ("absolute", "fixed") or declared.get("display") == "none":
        return False
    if declared.get("content") in ("none", "normal") or declared.get("visibility") in ("hidden", "collapse"):
        return False
    below = measures(declared.get("z-index", ""))
    if opacity(declared) < 1 or (below and below[0] is not None and below[0] < 0) or not _MOVED.isdisjoint(declared):
        return False
    written = [value for name in _GROUNDS if (value := declared.get(name, ""))]
    if any(_SEEN_THROUGH.search(value) for value in written if "gradient(" in value):
        return False
    shadow = _SHADOW.search(declared.get("box-shadow", ""))
    behind = declared.get("backdrop-filter", "none") != "none"
    if not (shadow or behind) and not any(len(each) == 7 for value in written for each in grounds(value)):
        return False
    near = {
        side: max(map(abs, filter(None, measures(declared.get(side, "auto").replace("auto", "9999px")))), default=0)
        < _NEAR
        for side in SIDES
    }
    wide, high = (
        declared.get(name, "") in ("100%", "100vw", "100vh", "100dvh")
        or (near[side] and _measures_more(declared, name, least))
        for name, side, least in (("width", "left", _WIDE), ("height", "top", _HIGH))
    )
    return (wide or (near["left"] and near["right"])) and (high or (near["top"] and near["bottom"]))


def _measures_more(declared: Declarations, name: str, least: float) -> bool:
    value = declared.get(name, "")
    return "%" not in value and any(each is not None and each >= least for each in measures(value))


_WIDE, _HIGH = 90, 14
"""Pixels of a box that covers words which begin where it does."""
