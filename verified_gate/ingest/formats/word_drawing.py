"""What stands in the drawings of a Word document: text boxes, each with its ground and whether it is seen."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from verified_gate.ingest.formats.colours import ink
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_colours import (
    UNKNOWN_GROUND,
    WHITE,
    Palette,
    drawn,
    fill_of,
    upon,
)
from verified_gate.ingest.formats.word_names import child, drawn_name, value, whole
from verified_gate.ingest.formats.word_places import Paper

_EMU: Final = 635
"""Of a twentieth of a point."""
_OBJECTS: Final = {"chart": "chart{s}", "diagram": "diagram{s}"}
_DRAWN_WORDS: Final = ("{*}textpath", "{http://schemas.openxmlformats.org/drawingml/2006/main}t")
_PAGE_SIZED: Final = (12 * 360_000, 16 * 360_000)
"""A picture of at least this width and height, 12 and 16 centimetres, fills a page, and may be a scan of one."""
_LEAST_SIDE: Final = 60
"""Twentieths of a point of a box's side: in less there is no word to be seen."""
_LEAST_SHARE, _MOST_SHARE = -20_000, 100_000
"""Thousandths of a hundredth of a page: a box that is placed beyond is not on it."""
_WIDE_PICTURE: Final = 4_320
"""Twentieths of a point, three inches: a picture that is laid over the words may be a signature or a stamp up to this."""
_AREAS: Final = ("shape", "rect", "roundrect", "oval")
_INSET: Final = 72
_GROWING: Final = ("mso-fit-shape-to-text", "mso-next-textbox", "layout-flow")
"""What a text box of the older kind says that is no box of lines, as high as it is drawn."""
_SHAPES: Final = frozenset({"shape", "rect", "roundrect", "oval", "shapetype", "line", "polyline", "group"})
_FROM_PAGE: Final = frozenset({"page", "leftMargin", "topMargin", "insideMargin"})
_TOKEN: Final = re.compile(r"(-?\d{1,7}(?:\.\d{1,9})?)(pt|in|cm|mm|px|pc|)")
_POINTS: Final = {"pt": 1.0, "in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75, "pc": 12.0, "": 0.75}
_MICROSOFT: Final = "http://schemas.microsoft.com/office/"
_KNOWN: Final = frozenset(
    {_MICROSOFT + name for name in (
        "word/2006/wordml", "word/2010/wordml", "word/2012/wordml", "word/2015/wordml/symex", "word/2016/wordml/cid",
        "word/2018/wordml", "word/2018/wordml/cex", "word/2020/wordml/sdtdatahash", "word/2010/wordprocessingShape",
        "word/2010/wordprocessingGroup", "word/2010/wordprocessingCanvas", "word/2010/wordprocessingDrawing",
        "word/2010/wordprocessingInk", "drawing/2010/main", "drawing/2014/chartex", "drawing/2015/9/8/chartex",
        "drawing/2015/10/21/chartex", "drawing/2016/5/9/chartex", "drawing/2016/ink", "drawing/2017/model3d",
    )}
    | {"http://schemas.openxmlformats.org/" + name for name in (
        "wordprocessingml/2006/main", "officeDocument/2006/math", "drawingml/2006/wordprocessingDrawing",
        "drawingml/2006/main", "drawingml/2006/chart", "drawingml/2006/picture")}
    | {"urn:schemas-microsoft-com:vml", "urn:schemas-microsoft-com:office:office"}
)  # fmt: skip
"""What Word understands: of alternatives it takes the first that requires no more than this."""


@dataclass(frozen=True, slots=True)
class Box:
    """The content of a text box, the ground behind it, the colour of letters that have none, and whether it is seen.

    `away`: it stands off the page, or may: nobody knows where a paragraph is that it is placed by. `room`: of the group
    that it is in, where its own units begin and how far they go, across and down. `high`, `wide`: what it shows of its
    content, in twentieths of a point; 0 where it grows with that, or is not known.
    """

    content: Element
    ground: str
    color: str = ""
    unseen: bool = False
    away: bool = False
    room: tuple[tuple[int, int], tuple[int, int]] | None = None
    high: int = 0
    wide: int = 0

    def holds(self, x: int, y: int) -> bool:
        """Whether what begins there is in the group, or beside it by no more than its own size."""
        return self.room is None or all(
            start - size <= at <= start + 2 * size for at, start, size in zip((x, y), *self.room, strict=True)
        )


def chosen(alternatives: Element) -> Iterable[Element]:
    """What Word takes of alternatives: the first choice that it understands, else the fallback, else nothing."""
    for each in alternatives:
        name = drawn_name(each)
        if name == "Fallback" or (
            name == "Choice" and all(each.nsmap.get(space) in _KNOWN for space in value(each, "Requires").split())
        ):
            return each
    return ()


def unread(drawing: Element, *, scan: bool) -> Iterator[str]:
    """What a drawing shows that is not read, one for each; with `scan`, also a picture that may be one of a page."""
    if drawn_name(drawing) == "object" or next(drawing.iter("{*}OLEObject"), None) is not None:
        yield "embedded object{s}"
    yield from ("control{s} of a form" for _ in drawing.iter("{*}control"))
    if next(drawing.iter(*_DRAWN_WORDS), None) is not None:
        yield "piece{s} of words drawn as a picture"
    for data in drawing.iter("{*}graphicData"):
        name = _OBJECTS.get(value(data, "uri").rpartition("/")[2])
        if name:
            yield name
    if scan and next(drawing.iter("{*}blip"), None) is not None:
        extent = next(drawing.iter("{*}extent"), None)
        sizes = (whole(value(extent, side)) or 0 for side in ("cx", "cy"))
        if all(size >= least for size, least in zip(sizes, _PAGE_SIZED, strict=True)):
            yield "picture{s} of a page's size"


def laid_over(drawing: Element, palette: Palette) -> int:
    """How many filled shapes without words, and pictures wider than a signature, it lays over the text."""
    found = 0
    for anchor in drawing.iter("{*}anchor"):
        in_front = value(anchor, "behindDoc") in ("", "0", "false", "off") and child(anchor, "wrapNone") is not None
        if in_front and _is_shown(anchor) and next(anchor.iter("{*}txbxContent"), None) is None:
            filled = any(_shape(each, Box(each, ""), palette).ground for each in anchor.iter("{*}wsp"))
            wide = _pair(child(anchor, "extent"), "cx", "cy")[0] // _EMU
            found += filled or (wide >= _WIDE_PICTURE and next(anchor.iter("{*}blip"), None) is not None)
    for shape in drawing if drawn_name(drawing) == "pict" else ():
        found += drawn_name(shape) in _AREAS and _is_vector_over(shape)
    return found


def _is_vector_over(shape: Element) -> bool:
    declared = _declared(shape)
    sides = [_twips(declared.get(name, "")) or 0 for name in ("width", "height")]
    wrap = child(shape, "wrap")
    filled = value(shape, "filled")[:1].lower() != "f" and value(child(shape, "fill"), "on")[:1].lower() != "f"
    return (
        declared.get("position") == "absolute"
        and not declared.get("z-index", "").startswith("-")
        and declared.get("visibility") != "hidden"
        and (wrap is None or value(wrap, "type") in ("", "none"))
        and min(sides) >= _LEAST_SIDE
        and (sides[0] >= _WIDE_PICTURE if next(shape.iter("{*}imagedata"), None) is not None else filled)
        and next(shape.iter("{*}textbox", "{*}textpath"), None) is None
    )


def boxes(drawing: Element, ground: str, palette: Palette, paper: Paper) -> Iterator[Box]:
    """The outermost text boxes in a drawing that stands before `ground`."""
    start = Box(drawing, ground)
    yield from _within(drawing, start, palette, paper)


def _within(element: Iterable[Element], around: Box, palette: Palette, paper: Paper) -> Iterator[Box]:
    for each in element:
        name = drawn_name(each)
        if name == "txbxContent":
            yield replace(around, content=each)
        elif name == "AlternateContent":
            yield from _within(chosen(each), around, palette, paper)
        elif name in ("anchor", "inline"):
            shown, away = _is_shown(each), not _is_placed(each, paper)
            wide, high = (side // _EMU for side in _pair(child(each, "extent"), "cx", "cy"))
            inner = replace(around, unseen=not shown, away=away, high=high, wide=wide)
            yield from _within(each, inner, palette, paper)
        elif name == "wsp":
            yield from _within(each, _shape(each, around, palette), palette, paper)
        elif name in ("wgp", "grpSp"):
            frame = child(each, "grpSpPr", "xfrm")
            room = _pair(child(frame, "chOff"), "x", "y"), _pair(child(frame, "chExt"), "cx", "cy")
            room_known = child(frame, "chExt") is not None
            inner = replace(around, room=room if room_known else None, high=0, wide=0)
            yield from _within(each, inner, palette, paper)
        elif name in _SHAPES:
            yield from _within(each, _vector(each, around, paper), palette, paper)
        elif name == "textbox":
            grows = any(sign in value(each, "style").lower() for sign in _GROWING)
            above = 0 if value(each, "inset") else _INSET
            high = 0 if grows or not around.high else max(1, around.high - above)
            yield from _within(each, replace(around, high=high), palette, paper)
        elif name:
            yield from _within(each, around, palette, paper)


def _is_shown(anchor: Element) -> bool:
    """Whether a drawing is to be seen, and has an extent."""
    hidden = any(value(each, "hidden") in ("1", "true", "on") for each in (anchor, child(anchor, "docPr")))
    extent = child(anchor, "extent")
    sides = [whole(value(extent, side)) for side in ("cx", "cy")]
    return not hidden and all(side is None or side // _EMU >= _LEAST_SIDE for side in sides)


def _is_placed(anchor: Element, paper: Paper) -> bool:
    """Whether a drawing stands on the page."""
    at = [0, 0]
    for axis, name in enumerate(("positionH", "positionV")):
        position = child(anchor, name)
        offset = whole((getattr(child(position, "posOffset"), "text", "") or "").strip())
        if offset is not None:
            at[axis] = offset // _EMU
            if value(position, "relativeFrom") in _FROM_PAGE:
                at[axis] -= (paper.left, paper.top)[axis]
        for each in position if position is not None else ():
            share = whole((each.text or "").strip()) if drawn_name(each).startswith("pctPos") else None
            if share is not None and not _LEAST_SHARE <= share < _MOST_SHARE:
                return False
    return paper.holds(*at)


def _shape(shape: Element, around: Box, palette: Palette) -> Box:
    """A shape: its own fill, else the one of its style."""
    properties, style = child(shape, "spPr"), child(shape, "style")
    fill = fill_of(properties, palette)
    reference = child(style, "fillRef")
    if not fill and reference is not None and value(reference, "idx") not in ("", "0"):
        fill = drawn(next(iter(reference), None), palette)
    font = child(style, "fontRef")
    color = drawn(next(iter(font), None), palette) if font is not None else ""
    gone = any(value(each, "hidden") in ("1", "true", "on") for each in shape if drawn_name(each) == "cNvPr")
    inside = around.holds(*_pair(child(properties, "xfrm", "off"), "x", "y"))
    return replace(
        around,
        ground=upon(fill, around.ground),
        color=color if color != UNKNOWN_GROUND else "",
        high=0 if _grows(shape) or not around.high else max(1, around.high - _inset(shape)),
        unseen=around.unseen or gone,
        away=around.away or not inside,
    )


def _grows(shape: Element) -> bool:
    """Whether a shape is as high as its words need, goes on in another one, or sets them otherwise than line by line."""
    body, content = child(shape, "bodyPr"), child(shape, "txbx")
    shrunk = value(child(body, "normAutofit"), "fontScale") != ""
    upright = (
        value(body, "vert") in ("", "horz") and value(body, "wrap") != "none" and value(body, "numCol") in ("", "1")
    )
    return child(body, "spAutoFit") is not None or shrunk or not upright or value(content, "id") != ""


def _inset(shape: Element) -> int:
    """What is free above the first line of a shape."""
    given = whole(value(child(shape, "bodyPr"), "tIns"))
    return _INSET if given is None else max(0, given // _EMU)


def _pair(element: Element | None, *names: str) -> tuple[int, int]:
    first, second = (whole(value(element, name)) or 0 for name in names)
    return first, second


def _declared(shape: Element) -> dict[str, str]:
    pairs = (each.partition(":") for each in value(shape, "style")[:2_000].split(";"))
    return {name.strip().lower(): held.strip().lower() for name, _, held in pairs}


def _vector(shape: Element, around: Box, paper: Paper) -> Box:
    """A shape of the older kind (VML), by its attributes."""
    declared = _declared(shape)
    flat, wide, high = False, 0, 0
    if around.room is None:
        x, y = (sum(_twips(declared.get(name, "")) or 0 for name in pair) for pair in _PLACES)
        sides = [_twips(declared.get(name, "")) for name in ("width", "height")]
        wide, high = (side or 0 for side in sides)
        flat = any(side is not None and side < _LEAST_SIDE for side in sides)
        away = around.away or not paper.holds(x, y)
    else:
        away = around.away or not around.holds(*(whole(declared.get(name, "")) or 0 for name in ("left", "top")))
    unseen = around.unseen or flat or declared.get("visibility") == "hidden" or declared.get("display") == "none"
    if drawn_name(shape) in ("group", "shapetype"):
        start, size = (value(shape, name).partition(",")[::2] for name in ("coordorigin", "coordsize"))
        room = (whole(start[0]) or 0, whole(start[1]) or 0), (whole(size[0]) or 1_000, whole(size[1]) or 1_000)
        return replace(around, unseen=unseen, away=away, room=room)
    fill = child(shape, "fill")
    off = "f" in (value(shape, "filled")[:1].lower(), value(fill, "on")[:1].lower())
    given = value(fill, "color") or value(shape, "fillcolor")
    plain = value(fill, "type") in ("", "solid")
    ground = ink(given.split(" ")[0]).removeprefix("#") or WHITE if plain else UNKNOWN_GROUND
    ground = around.ground if off else ground
    return replace(around, ground=ground, unseen=unseen, away=away, high=high, wide=wide)


_PLACES: Final = (("margin-left", "left"), ("margin-top", "top"))


def _twips(length: str) -> int | None:
    found = _TOKEN.fullmatch(length)
    return round(float(found[1]) * _POINTS[found[2]] * 20) if found else None
