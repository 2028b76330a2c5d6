"""Words of drawings (SVG) in a page: which of them stand where their drawing is not shown, or below its shapes.

What cannot be followed (words along a path, what moves, drawings in drawings, what depends on the reader's language)
counts as not seen. Lengths are units of the drawing; points are worked out through all `transform`s around.
"""

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from lxml import etree

from verified_gate.ingest.formats.colours import CLEAR, ink
from verified_gate.ingest.formats.declared import Declarations, declarations
from verified_gate.ingest.formats.elements import UNJUDGED
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures

if TYPE_CHECKING:
    from verified_gate.ingest.formats.visibility import Styles

_WORDS: Final = ("{*}text", "{*}foreignObject", "{*}foreignobject")
_MOVING: Final = ("{*}set", *(f"{{*}}{name}" for name in ("animate", "animateTransform", "animatetransform", "animateMotion",
                                                           "animatemotion", "discard")))  # fmt: skip
_ALONG: Final = ("{*}textPath", "{*}textpath", "{*}tref", "{*}altGlyph", "{*}altglyph")
_AROUND_WORDS: Final = frozenset({"g", "a", "switch"})
_ASKING: Final = ("systemLanguage", "systemlanguage", "requiredExtensions", "requiredextensions")
_HOLDERS: Final = frozenset({"text", "foreignObject", "foreignobject"})
_OF_TEXTS: Final = frozenset({"a", "tspan", "textPath", "textpath", "tref", "altGlyph", "altglyph"})
"""Parts of a text in a drawing whose words are shown as its own."""
_SHAPES: Final = frozenset(
    {"rect", "circle", "ellipse", "polygon", "polyline", "path", "image", "use", "foreignobject"}
)
_APART: Final = ("{*}defs", "{*}clipPath", "{*}clippath", "{*}mask", "{*}pattern", "{*}marker", "{*}symbol")
_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:e[-+]?\d{1,2})?", re.IGNORECASE)
_CALL: Final = re.compile(r"([a-zA-Z]{4,9})\s*\(([^()]{0,300})\)")
_STEP: Final = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_PER_STEP: Final = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7}
_WIDTH, _HEIGHT = 300.0, 150.0  # of a drawing that says nothing of its size, in pixels
_SCREEN: Final = {"width": 1280.0, "height": 720.0}
_EDGE: Final = 5
"""Units by which words may begin before the edge of their drawing."""
_UNSURE: Final = 0.2
"""Of the room that letters take, which no font is asked for."""
_AROUND: Final = 20
"""Units around a drawing that is not cut off at its edges."""
_RISE: Final = {"hanging": 0.8, "text-before-edge": 0.8, "middle": 0.35, "central": 0.35, "mathematical": 0.5}
_FEW: Final = 8
_TINY: Final = 2
_COVERING: Final = 0.5
"""Of a shape that covers less, what is below is read."""
_MOST: Final = 200_000
"""Words times shapes that are looked at."""

_Matrix = tuple[float, float, float, float, float, float]
_STILL: Final[_Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_LOST: Final[_Matrix] = (0.0, 0.0, 0.0, 0.0, math.inf, math.inf)


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, x: float, y: float, edge: float = 0) -> bool:
        return self.left - edge <= x <= self.right + edge and self.top - edge <= y <= self.bottom + edge


def judge_drawing(svg: Element, declared: Declarations, styles: "Styles") -> None:
    """Mark the words of a drawing (`UNJUDGED`) that are not seen as they stand in it, as far as that can be told."""
    _empty(svg)
    for each in svg.iter("{*}text"):
        for part in each.iter("*"):
            if part is not each and local_name(part) not in _OF_TEXTS:
                part.set(UNJUDGED, "")
    for part in svg.iter("{*}tspan"):
        if next(part.iterancestors("{*}text"), None) is None:
            part.set(UNJUDGED, "")
    words = list(svg.iter(*_WORDS))
    if not words:
        return
    known: dict[Element, _Matrix] = {}
    view, scale = _view(svg, declared)
    moving = next(svg.iter(*_MOVING), None) is not None
    shapes = list(_shapes(svg, styles, known)) if not moving else []  # by their fill, and what they cover
    order = {element: place for place, element in enumerate(svg.iter("*"))} if shapes else {}
    for word in words:
        apart = moving or len(words) * len(shapes) > _MOST or _unclear(word, svg)
        over = [] if apart else [box for at, box, _ in shapes if order[at] > order[word]]
        below = [] if apart else [(box, fill) for at, box, fill in shapes if order[at] < order[word]]
        if apart or not _stands(word, svg, view, scale, over, below, styles, known):
            word.set(UNJUDGED, "")


def _empty(svg: Element) -> None:
    """Take out the words that stand in a drawing and in no `text`, whatever else they stand in: no browser shows them."""
    walk = etree.iterwalk(svg, events=("start",))
    for _, each in walk:
        if local_name(each) in _HOLDERS:
            walk.skip_subtree()
            continue
        each.text = None
        for child in each:
            child.tail = None


def _view(svg: Element, declared: Declarations) -> tuple[Box, float]:
    """What of a drawing is shown, and the pixels of one unit."""
    sizes = []
    for name, usual in (("width", _WIDTH), ("height", _HEIGHT)):
        value = declared.get(name, "")
        found = measures(value)
        sizes.append(_SCREEN[name] if "%" in value else found[0] if found and found[0] is not None else usual)
    box = _numbers(svg.get("viewBox") or svg.get("viewbox") or "")
    if len(box) == 4 and box[2] > 0 and box[3] > 0:
        known = "width" in declared or "height" in declared
        return Box(box[0], box[1], box[0] + box[2], box[1] + box[3]), min(
            sizes[0] / box[2], sizes[1] / box[3]
        ) if known else 1.0
    if declared.get("overflow") == "visible":
        return Box(-_AROUND, -_AROUND, sizes[0] + 10 * _AROUND, sizes[1] + 10 * _AROUND), 1.0
    return Box(0, 0, *sizes), 1.0


def _numbers(text: str) -> list[float]:
    return [float(each) for each in _NUMBER.findall(text[:100_000])]


def _unclear(word: Element, svg: Element) -> bool:
    """Whether it is shown depends on what is not followed here."""
    if next(word.iter(*_ALONG), None) is not None:
        return True
    if word.get("direction") == "rtl" or word.get("writing-mode", "lr")[:2] == "tb" or _stroked(word):
        return True
    length = _numbers(word.get("textLength") or word.get("textlength") or "")
    if length and length[0] < 2 * len("".join(word.itertext()).strip()):
        return True
    for around in (word, *word.iterancestors()):
        if around is svg:
            return any(svg.get(name) is not None for name in _ASKING)
        tag = local_name(around)
        if (around is not word and tag not in _AROUND_WORDS) or any(around.get(name) is not None for name in _ASKING):
            return True
        parent = around.getparent()
        if parent is not None and local_name(parent) == "switch" and around.getprevious() is not None:
            return True
    return False


def _stroked(word: Element) -> bool:
    """Whether the line around letters covers them."""
    width = _numbers(word.get("stroke-width", ""))
    return (
        bool(width)
        and width[0] >= _THICK
        and word.get("stroke", "none") != "none"
        and "stroke" not in word.get("paint-order", word.get("style", ""))
    )


def _anchor(part: Element, word: Element) -> float:
    """Where in a line of words its place is: 0 at its beginning."""
    for each in (part, word):
        style = _ANCHOR.search(each.get("style", ""))
        if found := style[1] if style else each.get("text-anchor"):
            return {"middle": 0.5, "end": 1.0}.get(found, 0.0)
    return 0.0


_ANCHOR: Final = re.compile(r"text-anchor\s{0,9}:\s{0,9}(start|middle|end)")
_THICK: Final = 4
"""Units of a line around letters."""


def _stands(
    word: Element,
    svg: Element,
    view: Box,
    scale: float,
    over: list[Box],
    below: list[tuple[Box, str]],
    styles: "Styles",
    known: dict[Element, _Matrix],
) -> bool:
    """Whether words stand in what is shown, and no shape over them."""
    around = _moved(word, svg, known)
    if local_name(word) != "text":
        box = _boxed(word, around)
        return (
            box is not None
            and min(box.right - box.left, box.bottom - box.top) >= _FEW
            and box.left < view.right - _EDGE and box.right > view.left + _EDGE
            and box.top < view.bottom - _EDGE and box.bottom > view.top + _EDGE
            and not any(each.holds((box.left + box.right) / 2, (box.top + box.bottom) / 2) for each in over)
        )  # fmt: skip
    kept_x, kept_y = [0.0], [0.0]
    fall = 0.0
    for part in (word, *word.iter("{*}tspan")):
        size = _size(part, svg, styles)
        kept_x = _places(part, "x", size, view.right - view.left) or kept_x
        kept_y = _places(part, "y", size, view.bottom - view.top) or kept_y
        fall += (_places(part, "dy", size) or [0.0])[0]
        if not (part.text or "").strip() and not any((child.tail or "").strip() for child in part):
            continue
        if size * scale * math.sqrt(abs(around[0] * around[3] - around[1] * around[2])) < _TINY:
            return False
        rise = _RISE.get(part.get("dominant-baseline") or word.get("dominant-baseline") or "", 0) - 0.35
        wide = 0.5 * size * len(" ".join("".join(part.itertext()).split()))
        anchor = _anchor(part, word)
        middle = kept_y[0] + fall + rise * size
        if not _in_sight(around, kept_x, middle, wide, anchor, view, over):
            return False
        ground = _ground(_line(around, kept_x[0], middle, wide, anchor), below)
        if ground and not part.get("bgcolor"):
            part.set("bgcolor", ground)
    return True


def _line(around: _Matrix, x: float, middle: float, wide: float, anchor: float) -> list[tuple[float, float]]:
    """Points of a line of words: near its ends, and between."""
    return [_through(around, x + wide * (share - anchor), middle) for share in (0.1, 0.5, 0.9)]


def _ground(points: list[tuple[float, float]], below: list[tuple[Box, str]]) -> str:
    """The colour of the uppermost shape that words stand on; "" where they stand on none, or on a part of one."""
    for box, fill in reversed(below):
        held = [box.holds(*point) for point in points]
        if any(held):
            return fill if all(held) and len(fill) == 7 else ""
    return ""


def _in_sight(
    around: _Matrix, xs: list[float], middle: float, wide: float, anchor: float, view: Box, over: list[Box]
) -> bool:
    """Whether a line of words, by the height of its middle, begins in what is shown, and no shape lies over it."""
    edge = _EDGE if min(view.right - view.left, view.bottom - view.top) > 6 * _EDGE else 0
    begins = _through(around, xs[0] - wide * anchor, middle)[0]
    if begins < view.left - edge - wide * anchor * _UNSURE or begins > view.right - min(2 * edge, wide / 2):
        return False
    for x in xs if not anchor else ():
        if not view.holds(*_through(around, x, middle), edge):
            return False
    if not view.top <= _through(around, xs[0], middle)[1] <= view.bottom:
        return False
    points = _line(around, xs[0], middle, wide, anchor)
    return not any(box.holds(*point) for box in over for point in points)


def _places(part: Element, name: str, size: float, whole: float = math.inf) -> list[float]:
    """Where letters are put; `whole` is what hundredths are of."""
    value = part.get(name, "").strip().lower()
    if not value:
        return []
    if "%" in value and whole < math.inf:
        return [math.inf if each is None else each for each in measures(value.replace(",", " "), whole / 100)]
    each = size / 16 if value.endswith(("em", "ex")) else 1.0
    return [math.inf if number is None else number * each for number in measures(value.replace(",", " "))]


def _size(word: Element, svg: Element, styles: "Styles") -> float:
    """The pixels of letters, by attributes and rules."""
    for around in (word, *word.iterancestors()):
        found = measures(styles.declared_of(around).get("font-size") or around.get("font-size", "").strip().lower())
        if found:
            return found[0] or 0.0
        if around is svg:
            break
    return 16.0


def _moved(element: Element, svg: Element, known: dict[Element, _Matrix]) -> _Matrix:
    """All turns and moves of an element and of those around it, each worked out once."""
    line = []
    around: Element | None = element
    while around is not None and around is not svg and around not in known:
        line.append(around)
        around = around.getparent()
    matrix = known.get(around, _STILL) if around is not None else _STILL
    for each in reversed(line):
        written = each.get("transform")
        matrix = known[each] = _times(matrix, _matrix(written)) if written else matrix
    return matrix


def _matrix(written: str) -> _Matrix:
    total = _STILL
    for name, inside in _CALL.findall(written[:2_000]):
        found = _numbers(inside)
        if not found:
            return _LOST
        first, second = found[0], found[1] if len(found) > 1 else None
        if name == "matrix" and len(found) == 6:
            made: _Matrix = (found[0], found[1], found[2], found[3], found[4], found[5])
        elif name == "translate":
            made = (1, 0, 0, 1, first, second or 0)
        elif name == "scale":
            made = (first, 0, 0, first if second is None else second, 0, 0)
        elif name == "rotate":
            turn, x, y = math.radians(first), found[1] if len(found) == 3 else 0, found[2] if len(found) == 3 else 0
            cos, sin = math.cos(turn), math.sin(turn)
            made = (cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos)
        elif name in ("skewX", "skewY"):
            lean = math.tan(math.radians(first))
            made = (1, lean if name == "skewY" else 0, lean if name == "skewX" else 0, 1, 0, 0)
        else:
            return _LOST
        total = _times(total, made)
    return total


def _times(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def _through(matrix: _Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _shapes(svg: Element, styles: "Styles", known: dict[Element, _Matrix]) -> Iterator[tuple[Element, Box, str]]:
    """All that is painted over what stands before it, with the box around it."""
    for element in svg.iter("*"):
        if local_name(element).lower() not in _SHAPES or next(element.iterancestors(*_APART), None) is not None:
            continue
        fill = _painted(element, svg, styles)
        if not fill:
            continue
        box = _boxed(element, _moved(element, svg, known))
        if box is not None:
            yield element, box, fill


def _painted(element: Element, svg: Element, styles: "Styles") -> str:
    """The colour that a shape is filled with, where it covers what is below; "" where it does not."""
    own = styles.declared_of(element)
    shares = [
        element.get("opacity", ""),
        element.get("fill-opacity", ""),
        own.get("opacity", ""),
        own.get("fill-opacity", ""),
    ]
    found = [each for share in shares for each in measures(share, 0.01)]
    if (
        any(each is not None and each < _COVERING for each in found)
        or own.get("display", element.get("display")) == "none"
    ):
        return ""
    if local_name(element).lower() == "foreignobject":
        return ""
    for around in (element, *element.iterancestors()):
        held = (own if around is element else declarations(around.get("style", ""))).get("fill") or around.get("fill")
        if held:
            colour = ink(held)
            return "" if held.strip().lower() == "none" or colour == CLEAR else colour or "?"
        if around is svg:
            break
    return "?" if local_name(element).lower() in ("image", "use") else "#000000"


def _boxed(element: Element, matrix: _Matrix) -> Box | None:
    """The box around a shape; None where it has none."""
    tag = local_name(element).lower()
    named = {
        name: (_places(element, name, 16.0) or [0.0])[0]
        for name in ("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry")
    }
    if tag in ("circle", "ellipse"):
        wide, high = (named["r"], named["r"]) if tag == "circle" else (named["rx"], named["ry"])
        points = [(named["cx"] + way * wide, named["cy"] + way * high) for way in (-0.7, 0.7)]
    elif tag in ("polygon", "polyline"):
        found = _numbers(element.get("points", ""))
        points = list(zip(found[::2], found[1::2], strict=False))
    elif tag == "path":
        points = list(_path(element.get("d", "")))
    else:
        if tag in ("image", "use") and not (named["width"] and named["height"]):
            return None
        for name in ("width", "height"):
            if "%" in element.get(name, ""):
                named[name] = _SCREEN[name]
        points = [(named["x"], named["y"]), (named["x"] + named["width"], named["y"] + named["height"])]
    if len(points) < 2:
        return None
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*points, strict=True))
    corners = [_through(matrix, x, y) for x in (left, right) for y in (top, bottom)]
    xs, ys = zip(*corners, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


def _path(drawn: str) -> Iterator[tuple[float, float]]:
    """The points that a path goes through, or is bent to."""
    x = y = start_x = start_y = 0.0
    for step, inside in _STEP.findall(drawn[:100_000]):
        found, kind, by = _numbers(inside), step.lower(), step.islower()
        each = _PER_STEP.get(kind, 0)
        if not each:
            x, y = start_x, start_y
            continue
        for at in range(0, len(found) - each + 1, each):
            group = found[at : at + each]
            if kind == "h":
                x = group[0] + (x if by else 0)
            elif kind == "v":
                y = group[0] + (y if by else 0)
            else:
                x, y = group[-2] + (x if by else 0), group[-1] + (y if by else 0)
            if kind == "m" and not at:
                start_x, start_y = x, y
            yield x, y
