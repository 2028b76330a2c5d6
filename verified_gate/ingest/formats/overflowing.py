"""What no style sheet decides, for want of a layout: whether words in a box that cuts off what is too long are all seen,
and whether a box with a ground of its own lies over others. Where it looks so, it is told.
"""

import itertools
import math
import re
from typing import TYPE_CHECKING, Final

from verified_gate.ingest.formats.colours import grounds
from verified_gate.ingest.formats.declared import SIDES, Declarations
from verified_gate.ingest.formats.elements import BLOCKS, HEADINGS
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.formats.sight import opacity

if TYPE_CHECKING:
    from verified_gate.ingest.formats.visibility import Styles

CUT_OFF: Final = "place{s} where words may be cut off by their box"
LAID_OVER: Final = "place{s} where a box may lie over words"
_CLIPPING: Final = frozenset({"hidden", "clip"})
_WAYS: Final = (("overflow", 0), ("overflow", 1), ("overflow-y", 0), ("overflow-x", 0))
_HEIGHTS: Final = ("height", "max-height")
_WIDTHS: Final = ("width", "max-width")
_DOWN: Final = ("height", "min-height", "margin-top", "padding-top", "top")
_ALONG: Final = ("width", "min-width", "margin-left", "left", "flex-basis")
_BLOCKS: Final = frozenset({*BLOCKS, *HEADINGS, "table", "tr"})
_USUAL: Final = 700.0
"""Pixels of a line, where nothing says how long it is."""
_LETTER, _LINE = 0.45, 1.2  # of the size of letters: the width of one, the height of a line
_CALLS: Final = re.compile(r"[a-z]{1,20}[xyz]?\(|%|[(),]")
_MOST: Final = 200
"""Elements in a box that are looked at."""
_MOVED: Final = -25
"""Pixels by which a box is moved up, over more than the room between lines."""
_WIDE, _HIGH = 90, 14
"""Pixels of a box that covers words."""
_GROUNDS: Final = ("background-color", "background-image")


def cuts_off(declared: Declarations) -> bool:
    """Whether a box has an edge behind which nothing is shown."""
    return any(declared.get(name, "").partition(" ")[2 * (at == 1)] in _CLIPPING for name, at in _WAYS) and (
        _room(declared, _HEIGHTS) < math.inf or _room(declared, _WIDTHS) < math.inf or "line-clamp" in declared
    )


def _room(declared: Declarations, names: tuple[str, ...]) -> float:
    """The least size that is named in pixels or by letters, and not by the window or the box around."""
    values = [value for name in names if (value := declared.get(name, "")) and "%" not in value and "v" not in value]
    found = [each for value in values for each in measures(value) if each is not None and each > 0]
    return min(found, default=math.inf)


def is_cut_off(element: Element, declared: Declarations, size: float, styles: "Styles") -> bool:
    """Whether what stands in a box that cuts off is likely to be longer than the box."""
    if not cuts_off(declared):
        return False
    high, wide = _room(declared, _HEIGHTS), _room(declared, _WIDTHS)
    pieces, words = [0], ""
    for inside in itertools.islice(element.iter("*"), _MOST):
        if inside is not element:
            held = styles.declared_of(inside)
            if held.get("display") == "none":
                continue
            if max(_most(held, _DOWN), _moved(held)) >= high or max(_most(held, _ALONG), _moved(held)) > wide:
                return bool("".join(element.itertext()).strip())
            if local_name(inside) in _BLOCKS:
                pieces.append(0)
        words = " ".join(f"{inside.text or ''}".split())
        pieces[-1] += len(words)
        if inside is not element:
            pieces[-1] += len(" ".join((inside.tail or "").split()))
    if not any(pieces):
        return False
    line = min(wide, _USUAL)
    lines = sum(math.ceil(length * _LETTER * size / line) for length in pieces if length)
    if wide < math.inf and max(pieces) * _LETTER * size > wide and _on_one_line(element, declared):
        return True
    most = measures(declared.get("line-clamp", ""))
    return (lines - 0.5) * _LINE * size > high or any(each is not None and lines > each > 0 for each in most)


def _on_one_line(element: Element, declared: Declarations) -> bool:
    """Whether no line in a box is broken where the box ends."""
    return "text-wrap-mode" in declared or any(local_name(child) == "nobr" for child in element)


def escapes(element: Element, styles: "Styles") -> bool:
    """Whether something in a box is placed by another, so that the box may cut it off, or not."""
    inside = itertools.islice(element.iterdescendants("*"), _FEW)
    return any(styles.declared_of(each).get("position") in ("absolute", "fixed") for each in inside)


def is_aside(element: Element, declared: Declarations, styles: "Styles") -> bool:
    """Whether an element stands beside another that is as wide as the box around both, which cuts off what it does not hold."""
    if not _fills(declared) or element.getprevious() is None:
        return False
    around = element.getparent()
    for _ in range(_OUTER):
        if around is None:
            return False
        held = styles.declared_of(around)
        if around is element.getparent() and (
            "flex" not in held.get("display", "") or "column" in held.get("flex", "")
        ):
            return False
        if any(held.get(name, "").partition(" ")[0] in _CLIPPING for name in ("overflow", "overflow-x")):
            return bool("".join(element.itertext()).strip())
        around = around.getparent()
    return False


def _fills(declared: Declarations) -> bool:
    """Whether an item of a flex box is as wide as the box, however many there are."""
    return declared.get("min-width") == "100%" or _FILLING.fullmatch(declared.get("flex", "")) is not None


_FILLING: Final = re.compile(r"(?:0|none) (?:0 )?(?:100%|100vw)|0 0 \d{3,4}px")
_FEW: Final = 50
_OUTER: Final = 4
"""Elements around that are looked at."""


def _most(declared: Declarations, names: tuple[str, ...]) -> float:
    placed = declared.get("position", "static") != "static"
    values = [declared[name] for name in names if name in declared and (placed or name not in SIDES)]
    return max(
        (each for value in values if "%" not in value for each in measures(value) if each is not None), default=0
    )


def _moved(declared: Declarations) -> float:
    """How far, on any side, what has no box around it is moved at most."""
    moves = f"{declared.get('translate', '')} {declared.get('transform', '')}"
    if not moves.strip() or ("translate" not in moves and "translate" not in declared):
        return 0
    return max((abs(each) for each in measures(_CALLS.sub(" ", moves)) if each is not None), default=0)


def is_over(declared: Declarations) -> bool:
    """Whether a box with an opaque ground is likely to lie over what stands beside it."""
    position = declared.get("position", "")
    if position not in ("absolute", "fixed", "relative") or opacity(declared) < 1:
        return False
    below = measures(declared.get("z-index", ""))
    if below and below[0] is not None and below[0] < 0:
        return False
    if not any(len(each) == 7 for name in _GROUNDS for each in grounds(declared.get(name, ""))):
        return False
    if position == "relative":
        moved = [
            each for name in ("top", "margin-top") for each in measures(declared.get(name, "")) if each is not None
        ]
        return min(moved, default=0) <= _MOVED
    sizes = [max(filter(None, measures(declared.get(name, ""))), default=0) for name in ("width", "height")]
    return sizes[0] >= _WIDE and sizes[1] >= _HIGH


def lies_over(element: Element, declared: Declarations) -> bool:
    """Whether such a box has no words of its own, so that it is there to cover, or is moved over others."""
    if not is_over(declared):
        return False
    return declared.get("position") == "relative" or not "".join(element.itertext()).strip()
