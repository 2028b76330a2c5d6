"""Whether what is declared of an element keeps its words from being seen, by the element alone.

Sure is only what any reader's screen does; what a script, a scroll or a state may undo is in doubt, and so is a value
that is not followed here. Colours, sizes and what adds up from element to element are of `sight`.
"""

import math
import re
from collections.abc import Callable
from typing import Final

from verified_gate.ingest.formats.declared import INHERITED, SIDES, Declarations, parted
from verified_gate.ingest.formats.measures import Measure, measures
from verified_gate.ingest.formats.painting import PAINTING, Shown, painted

_OF_SIGHT: Final = INHERITED | {"font-size", "opacity", "zoom", "background-clip"}

_GLOBAL: Final = frozenset({"", "inherit", "initial", "unset", "revert", "none", "normal", "auto"})
_OVERFLOWS: Final = ("overflow", "overflow-x", "overflow-y")
_HEIGHTS: Final = ("height", "width", "max-height", "max-width")
_LEAST: Final = {"height": "min-height", "max-height": "min-height", "width": "min-width", "max-width": "min-width"}
_MARGINS: Final = ("margin", "margin-left", "margin-top", "margin-right", "margin-bottom")
_PLAIN: Final = {
    "mask": _GLOBAL, "mask-image": _GLOBAL, "mask-border": _GLOBAL, "-webkit-text-security": _GLOBAL, "offset": _GLOBAL,
    "offset-path": _GLOBAL, "position-visibility": _GLOBAL | {"always"}, "offset-position": _GLOBAL,
    "mix-blend-mode": _GLOBAL, "unicode-bidi": _GLOBAL | {"embed", "isolate", "plaintext", "-webkit-isolate"},
}  # fmt: skip
"""What says nothing of hiding; with any other value words may not be seen, or not in this order."""
_TRACKS: Final = (
    "grid-template-rows",
    "grid-template-columns",
    "grid-auto-rows",
    "grid-auto-columns",
    "grid-template",
    "grid",
)
_SIZE: Final = 16
_HARMLESS: Final = frozenset({"grayscale", "sepia", "saturate", "hue-rotate", "drop-shadow"})
_CALLS: Final = re.compile(r"([a-z0-9-]{1,24})\(((?:[^()]|\((?:[^()]|\([^()]*\)){0,200}\)){0,200})\)")
_COUNTED: Final = re.compile(r"(?:attr|counters?)\([^()]{0,99}\)|\"[^\"]*\"|'[^']*'")
_LINE_THROUGH: Final = re.compile(r"\bline-through\b")
_OFF_PAGE: Final = 999
"""Pixels: nobody reads there."""
_PADDINGS: Final = ("padding", "padding-left", "padding-right", "padding-top")
_PULLED: Final = 250
"""Pixels by which a margin pulls to the left or upwards, out of all that is before it on most pages."""
_ASIDE: Final = 700
"""Pixels to the left of, or above its place, where it may still come into sight."""
_BEHIND: Final = -1_900
"""Hundredths of the screen, in pixels, by which no layout pulls a column to its place."""
_UP: Final = 60
"""Pixels above its place: three lines up it is read no more where nothing stood before it."""
_OUT: Final = 200
"""Pixels to the left or above, for what is placed by them: more than a page has there."""
_BEYOND: Final = 3_000
"""Pixels to the right, wider than screens are."""
_FEW: Final = 8
"""Pixels: no line of words is so low, nor so narrow."""
_NEARER: Final = 10
"""Pixels towards the eye, which may stand there already."""
_EDGE: Final = 0.1
"""Cosine of a turn by which an element is seen from its edge."""


def shown(declared: Declarations) -> Shown:
    """Whether an element with these declarations is shown; what `sight` adds up is not asked here."""
    if declared.keys() <= _OF_SIGHT:
        return "shown"
    display = declared.get("display", "")
    if display == "none" or declared.get("content-visibility") == "hidden":
        return "gone"
    degrees = {judge(declared) for names, judge in _JUDGES if not names.isdisjoint(declared)}
    if "(" in display or display in ("table-column", "table-column-group", "revert-layer"):
        degrees.add("doubtful")
    return "gone" if "gone" in degrees else "doubtful" if "doubtful" in degrees else "shown"


def _set_apart(declared: Declarations) -> Shown:
    """What has one harmless value, or a few."""
    for name, harmless in _PLAIN.items():
        if declared.get(name, "") not in harmless:
            return "doubtful"
    if "(" in declared.get("content-visibility", "") or "(" in _COUNTED.sub("", declared.get("content", "")):
        return "doubtful"  # a picture in the place of the words
    if "transition" in declared:
        return "doubtful"  # it may still be as it begins
    if _LINE_THROUGH.search(declared.get("text-decoration", "")):
        return "doubtful"
    tracks = (declared[name].replace("/", " ") for name in _TRACKS if name in declared)
    if any(not part[0].isalpha() and not _least(part) for track in tracks for part in parted(track)):
        return "doubtful"
    return "doubtful" if min(_numbers(declared, "z-index"), default=0) < 0 else "shown"


def _numbers(declared: Declarations, name: str) -> list[float]:
    """The measures of a value; what is not known lies far off on every side."""
    value = declared.get(name)
    return _far(measures(value)) if value else []


def _far(found: list[Measure]) -> list[float]:
    if None not in found:
        return found  # type: ignore[return-value]  # none of them is None
    return [each for number in found for each in ((-math.inf, math.inf) if number is None else (number,))]


def _least(value: str) -> float:
    return min(map(abs, _far(measures(value))), default=math.inf)


def _indented(declared: Declarations) -> Shown:
    indent = _numbers(declared, "text-indent")
    if indent and -math.inf < indent[0] <= -_OFF_PAGE:
        return "gone"
    apart = (*_numbers(declared, "letter-spacing"), *_numbers(declared, "word-spacing"))
    tight = min(_numbers(declared, "letter-spacing"), default=0) <= -5
    wide = any(abs(each) >= _OUT for each in (*indent[:1], *apart))
    return "doubtful" if wide or tight or indent[:1] == [-math.inf] else "shown"


def _placed(declared: Declarations) -> Shown:
    position = declared.get("position", "")
    if position in ("absolute", "fixed") and (clip := declared.get("clip", "")) not in _GLOBAL:
        sides = measures(clip.removeprefix("rect(").removesuffix(")").replace(",", " "))
        if len(sides) != 4 or None in sides:
            return "doubtful" if clip.replace(" ", "") != "rect(auto,auto,auto,auto)" else "shown"
        top, right, bottom, left = _far(sides)
        if bottom - top <= 1 or right - left <= 1 or bottom <= 1 or right <= 1:
            return "gone"
        if min(bottom - max(top, 0), right - max(left, 0)) < _FEW:
            return "doubtful"
    if position in ("absolute", "fixed", "relative") or "(" in position:
        for side in SIDES:
            found = _numbers(declared, side)
            if not found:
                continue
            place = min(found)
            off = side in ("left", "top") and "%" not in declared[side] and "(" not in position
            if off and -math.inf < place <= -_OFF_PAGE and position != "relative":
                return "gone"
            most = _BEYOND if side == "left" else math.inf if side == "top" else _OFF_PAGE
            if position == "fixed":
                most = min(most, _OFF_PAGE)
            near = _FEW * 5 if position == "fixed" else _UP if position == "relative" and side == "top" else _OUT
            if place <= -near or max(found) >= most:
                return "doubtful"
    elif not position and any(min(_numbers(declared, side), default=0) <= -_OFF_PAGE for side in SIDES):
        return "doubtful"  # another rule may place it so
    return _pushed(declared)


def _pushed(declared: Declarations) -> Shown:
    """By margins and padding; a margin that the padding undoes carries only the ground to the edge of the screen."""
    margins = [found for name in _MARGINS if "%" not in declared.get(name, "%") for found in _numbers(declared, name)]
    padding = [found for name in _PADDINGS for found in _numbers(declared, name)]
    if (least := min(margins, default=0)) <= -_PULLED and max(padding, default=0) < min(-least, _ASIDE):
        return "doubtful"
    if any("%" in declared.get(name, "") and min(_numbers(declared, name), default=0) <= _BEHIND for name in _MARGINS):
        return "doubtful"
    if max(padding, default=0) >= _BEYOND and min(margins, default=0) > -_ASIDE:
        return "doubtful"
    return "doubtful" if max(_numbers(declared, "margin-left"), default=0) >= _BEYOND else "shown"


def _boxed(declared: Declarations) -> Shown:
    """By a box that is too small for words and shows nothing beyond it."""
    contained = (
        "paint" in (contain := declared.get("contain", "")) or contain in ("strict", "content") or "(" in contain
    )
    if not contained and all(declared.get(name, "visible").split(" ")[0] in _SEEN for name in _OVERFLOWS):
        return "shown"
    for name in _HEIGHTS:
        found = _numbers(declared, name)
        if not found or min(_numbers(declared, _LEAST[name]), default=0) >= _FEW:
            continue
        sure = not name.startswith("max") and not contained and declared.get("overflow") not in ("auto", "scroll")
        if sure and len(found) == 1 and found[0] <= 0:
            return (
                "doubtful" if max(map(max, _paddings(declared)), default=0) >= _FEW else "gone"
            )  # is seen over padding
        if min(found) < _FEW:
            return "doubtful"
    lines = _numbers(declared, "line-height")
    if min(lines, default=1.0) < 0.2:
        return "doubtful"
    if lines and max(lines) * (1 if declared["line-height"][-1].isalpha() else _SIZE) > 2 * min(
        (number for name in ("height", "max-height") for number in _numbers(declared, name)), default=math.inf
    ):
        return "doubtful"
    return "doubtful" if _shrunk(declared, contain) or _filled(declared) else "shown"


def _paddings(declared: Declarations) -> list[list[float]]:
    return [found for name in _PADDINGS if (found := _numbers(declared, name))]


def _shrunk(declared: Declarations, contain: str) -> bool:
    """Whether nothing gives the box a size: it counts without what is in it, or a flex box gives it none."""
    tall = not {"height", "min-height"}.isdisjoint(declared)
    wide = not {"width", "min-width"}.isdisjoint(declared)
    kinds = f"{contain} {declared.get('container-type', '')} {declared.get('container', '')}".split(" ")
    if not tall and ("size" in kinds or "strict" in kinds):
        return True
    floating = declared.get("float", "none") != "none" or declared.get("position") in ("absolute", "fixed")
    if not wide and "inline-size" in kinds and (floating or declared.get("display", "")[:6] == "inline"):
        return True
    basis, grow = _flexed(declared)
    if basis < _FEW and grow <= 0 and min(_numbers(declared, "min-width"), default=0) < _FEW:
        return True
    ratio = declared.get("aspect-ratio", "")
    sides = [each for each in _far(measures(ratio.replace("/", " "))) if each > 0]
    return bool(sides) and not 0.05 < sides[0] / (sides[1] if len(sides) > 1 else 1) < 20


def _flexed(declared: Declarations) -> tuple[float, float]:
    """The size that a flex box begins with, and how far it grows."""
    basis, grow = math.inf, 0.0
    short = parted(declared.get("flex", ""))
    if short and short[0] not in _GLOBAL:
        plain = [float(part) for part in short if _NUMBER.fullmatch(part)]
        sizes = [part for part in short if not _NUMBER.fullmatch(part)] or (
            ["0px"] if len(plain) < 3 or not plain[2] else []
        )
        grow = plain[0] if plain else 1.0
        basis = min(_far(measures(sizes[0])), default=math.inf) if sizes else math.inf
    basis = min(_numbers(declared, "flex-basis"), default=basis)
    return basis, min(_numbers(declared, "flex-grow"), default=grow)


_SHARES: Final = re.compile(r"(\d{1,9}(?:\.\d{0,9})?)%")
_WHOLE: Final = 95.0
"""Percent of the width of what is around: behind so much padding no word stands."""
_NUMBER: Final = re.compile(r"\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}")


def _filled(declared: Declarations) -> bool:
    """Whether padding fills the box, so that words begin behind its edge."""
    for name in ("padding", "padding-left"):
        if any(float(share) >= _WHOLE for share in _SHARES.findall(declared.get(name, ""))):
            return True
    if declared.get("box-sizing") != "border-box":
        return False
    before = [found[0] for name in ("padding", "padding-top") if (found := _numbers(declared, name))]
    heights = [found[0] for name in ("height", "max-height") if (found := _numbers(declared, name))]
    return bool(before and heights) and before[-1] > min(heights) - _FEW


_SEEN: Final = frozenset({"visible", "initial", "unset", "revert", ""})


def _clipped(declared: Declarations) -> Shown:
    path = declared.get("clip-path", "")
    if path in _GLOBAL or "(" not in path:
        return "shown"
    kind, _, inside = path.partition("(")
    inside, _, place = inside.rpartition(")")[0].partition(" at ")
    sizes = _far(measures(inside.partition("round")[0].replace(",", " "), 1.0))
    unit = "%" if "%" in inside else ""
    if kind == "inset":
        if len(sizes) == 1 and unit and 50 <= sizes[0] < math.inf:
            return "gone"
        return (
            "doubtful"
            if max(sizes, default=0) >= (_MOST_CUT if unit else _FEW) or min(sizes, default=0) < -_OFF_PAGE
            else "shown"
        )
    if kind == "rect" and len(sizes) == 4 and unit:
        top, right, bottom, left = sizes
        return "shown" if min(bottom - top, right - left) >= 50 and max(bottom, right) < math.inf else "doubtful"
    if kind in ("circle", "ellipse"):
        far = min(_far(measures(place)), default=0) < 0
        least = min(sizes, default=100)
        return "doubtful" if far or least < (_ROUND if unit else _ASIDE) or least == math.inf else "shown"
    if kind == "polygon":
        corners = [each for each in inside.split(",") if len(parted(each.strip())) == 2]
        sides = [[_far(measures(parted(each.strip())[way], 1.0)) or [0.0] for each in corners] for way in (0, 1)]
        wide = [max(each[0] for each in side) - min(each[0] for each in side) if side else 0 for side in sides]
        full = (
            unit
            and 50 <= min(wide) < math.inf
            and _area([(x[0], y[0]) for x, y in zip(*sides, strict=True)]) >= _COVERED
        )
        return "shown" if full else "doubtful"
    return "doubtful"


def _area(corners: list[tuple[float, float]]) -> float:
    """What a shape covers, in hundredths of its box."""
    turned = (*corners[1:], corners[0])
    return abs(sum(x * down - right * y for (x, y), (right, down) in zip(corners, turned, strict=True))) / 200


_MOST_CUT: Final = 30
"""Hundredths by which a box may be cut at a side, so that a line in it is still seen."""
_ROUND: Final = 70
"""Hundredths of a box, as a radius: a smaller circle in a line ends before the line does."""
_COVERED: Final = 70


def _moved(declared: Declarations) -> Shown:
    if any(abs(each) >= _ASIDE for each in _numbers(declared, "translate")):
        return "doubtful"
    if _shifted_out(declared.get("translate", ""), declared):
        return "doubtful"
    turned = declared.get("rotate", "")
    if turned not in _GLOBAL and any(_swings(each, declared) for each in _far(measures(turned.removeprefix("z ")))):
        return "doubtful"
    if turned not in _GLOBAL and (len(parted(turned)) > 1 or "(" in turned) and not turned.startswith("z "):
        return "doubtful"
    around = [each for each in _far(measures(declared.get("transform-origin", ""), 1.0)) if abs(each) >= _OUT]
    if around and (turned not in _GLOBAL or declared.get("transform", "") not in _GLOBAL or "scale" in declared):
        return "doubtful"  # turned, or made larger, around a point far off
    transform = declared.get("transform", "")
    if transform in _GLOBAL:
        return "shown"
    calls = _CALLS.findall(transform)
    if any(
        (call in ("rotate", "rotatez") and any(_swings(each, declared) for each in _far(measures(inside))))
        or (call in ("translate", "translatex", "translate3d") and _shifted_out(inside.partition(",")[0], declared))
        for call, inside in calls
    ):
        return "doubtful"
    if any(not _harmless_move(call, _far(measures(inside.replace(",", " ")))) for call, inside in calls):
        return "doubtful"
    back = declared.get("backface-visibility") == "hidden" and any("rotate" in call for call, _ in calls)
    return "doubtful" if back or ("(" in transform and not calls) else "shown"


def _swings(angle: float, declared: Declarations) -> bool:
    """Whether a line as long as the page is turned so far that where it begins leaves the page."""
    own = not _SIZED.isdisjoint(declared) or declared.get("display", "")[:6] == "inline"
    return not own and not abs(math.sin(math.radians(angle))) < _EDGE if abs(angle) < math.inf else True


def _shifted_out(value: str, declared: Declarations) -> bool:
    """Whether half of a line as long as the page is moved out of it: what is placed by its middle is moved back so."""
    found = _SHARE.match(value)
    return found is not None and float(found[1]) <= _HALF and _SIZED.isdisjoint(declared)


_SIZED: Final = frozenset({"width", "max-width", "position", "float", "left", "right", "margin-left"})
"""What says that an element is not as wide as the page, or where it is."""
_SHARE: Final = re.compile(r"\s*(-?\d{1,6}(?:\.\d{0,9})?)%")
_HALF: Final = -40


def _harmless_move(call: str, numbers: list[float]) -> bool:
    if call in ("translatez", "translate3d") and numbers and numbers[-1] >= _NEARER:
        return False
    if call.startswith("translate"):
        return all(abs(each) < _ASIDE for each in numbers)
    if call.startswith("scale"):
        return all(0.05 <= abs(each) <= 100 for each in numbers)
    if call in ("rotatex", "rotatey", "skew", "skewx", "skewy"):
        return all(abs(each) < math.inf and abs(math.cos(math.radians(each))) > _EDGE for each in numbers)
    if call == "matrix" and len(numbers) == 6:
        a, b, c, d, right, down = numbers
        return abs(a * d - b * c) >= 0.0025 and max(abs(right), abs(down)) < _ASIDE
    return call in ("rotate", "rotatez", "perspective")


def _filtered(declared: Declarations) -> Shown:
    value = declared.get("filter", "")
    if value in _GLOBAL:
        return "shown"
    calls = _CALLS.findall(value)
    for call, inside in calls:
        share = min(_far(measures(inside.replace("%", "e-2"))), default=1.0) if call != "opacity" else 1.0
        fine = {"brightness": 0.3 <= share <= 1.5, "contrast": share >= 0.5, "invert": share == 0, "blur": 0 <= share <= 1,
                "opacity": True}.get(call, call in _HARMLESS)  # fmt: skip
        if not fine:
            return "doubtful"
    return "doubtful" if "(" in value and not calls else "shown"


_JUDGES: Final[tuple[tuple[frozenset[str], Callable[[Declarations], Shown]], ...]] = (
    (frozenset({"position", *SIDES, "clip", *_PADDINGS, *_MARGINS}), _placed),
    (frozenset({"text-indent", "letter-spacing", "word-spacing"}), _indented),
    (frozenset({"contain", *_OVERFLOWS}), _boxed),
    (frozenset({"clip-path"}), _clipped),
    (frozenset({"translate", "rotate", "transform"}), _moved),
    (frozenset({"filter"}), _filtered),
    (PAINTING, painted),
    (frozenset({*_PLAIN, *_TRACKS, "transition", "content-visibility", "content", "text-decoration", "z-index"}), _set_apart),
)  # fmt: skip
"""What each is asked for: most declarations are of no concern to most of them."""
