"""How an element is seen: its own attributes, the rules of sheets and what is around it, put together."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from verified_gate.ingest.formats.colours import CLEAR, ink, over
from verified_gate.ingest.formats.declared import Declarations, declarations, put_in, settled, varied
from verified_gate.ingest.formats.drawings import judge_drawing
from verified_gate.ingest.formats.elements import DRAWN, OF_FORMULAS, UNJUDGED, span_of
from verified_gate.ingest.formats.grid import MOST_COLUMNS
from verified_gate.ingest.formats.grounding import is_held, moved_off, own_ground
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.formats.overflowing import CUT_OFF, escapes, is_aside, is_cut_off, lies_over
from verified_gate.ingest.formats.overflowing import LAID_OVER as MAY_LIE_OVER
from verified_gate.ingest.formats.parts import covers
from verified_gate.ingest.formats.sight import Sight, letters_gone, opacity
from verified_gate.ingest.formats.visibility import Ruled, Styles, Try

UNTRIED: Final = "style rules for more elements than can be tried"
LAID_OVER: Final = "box{s} laid over the whole page"
_OF_WORDS: Final = "color"
"""The colour of words beside a drawing, which what is painted in it may ask for, among the variables."""
_MOVES: Final = frozenset({"dx", "dy"})
_AWAY: Final = ("absolute", "fixed")
_DOUBTED: Final = ("popover", UNJUDGED)
_OF_PAGES: Final = "hidden"
"""Says nothing in drawings, but to programs that do not know it from one of a page."""
_LEGIBLE: Final = 8
"""Pixels: the least size of letters of a page by which others are sized without a look."""
_ABOVE: Final = 16
"""Pixels above the page, or to the left of it: a line of words."""
_OUT: Final = 200
"""Units to the left of a drawing, or above it."""
_BEYOND: Final = 3_000
_MOST_GROUNDS: Final = 50


def look(
    tag: str,
    element: Element,
    around: Sight,
    styles: Styles,
    ruled: Ruled,
    met: Sequence[Try],
    lost: Counter[str],
    *,
    drawn: bool,
) -> Sight | None:
    """How the words in an element look; None where it is certainly not shown. Boxes over the page are told in `lost`."""
    if styles.spent:
        lost[UNTRIED] = 1
        return around._replace(doubted=True)
    inline = declarations(element.get("style", ""), quirks=styles.quirks)
    undisplayed = "display" not in inline and ruled.declared.get("display", "none") == "none"
    unsure = False
    if undisplayed and element.get("hidden") is not None and not drawn and tag != "svg":
        unsure = any(each.declared.get("display", "none") != "none" for each in met)
        if not unsure:
            return None
    attributes = _of_drawing(tag, element) if drawn or tag == "svg" else _of_formula(element)
    declared = settled(attributes, ruled.declared, inline)
    sure = not ruled.contested or shown(inline) == "gone"
    gone = _gone(declared, element)
    certain = all(each.exact for each in met)
    if gone and sure and len(element) and shown(_uncut(declared)) != "gone" and escapes(element, styles):
        sure, certain = False, False
    if gone and sure and declared.keys().isdisjoint(("animation", "animation-name")):
        return None
    doubted = unsure or (any(element.get(name) is not None for name in _DOUBTED) and not _displayed(element, inline))
    doubted = (
        doubted
        or ((drawn or tag == "svg") and (_aside(element) or element.get(_OF_PAGES) is not None))
        or (not certain and any(each.hiding for each in met))
    )
    cascaded = settled(attributes, styles.cascade(ruled, met), inline) if met else declared
    full = styles.typed(cascaded) if styles.registered else cascaded
    styles.charge_for(full)
    around = around._replace(variables=varied(around.variables, full))
    full = _written(full, around, styles)
    doubted = doubted or shown(full) != "shown" or styles.animated(full)
    doubted = doubted or (gone and (sure or not (met and certain) or _gone(full, element)))
    if drawn or tag == "svg":
        around, full = _coloured(full, around, drawn=drawn)
        if tag.lower() == "foreignobject":
            around = around._replace(ink=ink(around.variables.get(_OF_WORDS, "")) or around.ink)
    if tag == "svg" and not drawn:
        around = around._replace(ink="#000000" if around.ink != "?" else "?")
        judge_drawing(element, full, styles)
    sight = around.inside(element, full, drawn=drawn or tag == "svg", doubted=doubted)
    if around.plain and sight.grounds != around.grounds:  # on white, colours that are well seen there were passed over
        around = around._replace(ink=styles.ink_around(element) or around.ink)
        sight = around.inside(element, full, drawn=drawn or tag == "svg", doubted=doubted)
    if moving := styles.animated_grounds(full):
        others = (over(top, below) if top != CLEAR else below for top in sorted(moving) for below in around.grounds)
        sight = sight._replace(grounds=tuple(dict.fromkeys((*sight.grounds, *others)))[:_MOST_GROUNDS])
    if around.root != sight.root and sight.root < _LEGIBLE and not styles.shrunk:
        styles.shrink()
    if (position := full.get("position")) and not sight.hiding:
        sight = _placed(element, full, position, sight, around.beneath, styles)
    if met and not certain:
        known = settled(attributes, styles.cascade(ruled, [each for each in met if each.exact]), inline)
        other = around.inside(element, _written(known, around, styles), drawn=drawn or tag == "svg", doubted=doubted)
        unlike = sight.visible != other.visible
        sight = sight._replace(doubted=sight.doubted or other.hiding or unlike, visible=sight.visible or other.visible)
    if not sight.hiding and sight.visible:
        if position and sight.opacity >= 1:
            whole = covers(full) if position in _AWAY else False
            lost[LAID_OVER if whole else MAY_LIE_OVER] += whole or lies_over(element, full)
        cut = not drawn and tag != "svg" and is_cut_off(element, full, sight.size, styles)
        aside = ("flex" in full or "min-width" in full) and is_aside(element, full, styles)
        lost[CUT_OFF] += cut or aside
    return sight


def _coloured(declared: dict[str, str], around: Sight, *, drawn: bool) -> tuple[Sight, dict[str, str]]:
    """In a drawing, the colour of words beside it, which is kept for what asks for it."""
    filled = declared.get("fill") == "currentcolor"
    if drawn and not filled and "color" not in declared:
        return around, declared
    colour = declared.get("color", "")
    colour = colour if ink(colour) else around.variables.get(_OF_WORDS, "#000000") if drawn else around.ink
    around = around._replace(variables=around.variables.new_child({_OF_WORDS: colour}))
    return around, {**declared, "fill": colour} if filled else declared


def _displayed(element: Element, inline: Declarations) -> bool:
    """Whether what is not shown for an attribute is shown all the same, for its own style."""
    return element.get(UNJUDGED) is None and inline.get("display", "none") not in ("none", "unset", "revert")


def _placed(
    element: Element, declared: Declarations, position: str, sight: Sight, beneath: tuple[str, ...], styles: Styles
) -> Sight:
    """Where an element is placed above the page, or where the grounds around it are not."""
    if sight.hides_on(sight.beneath) and moved_off(element, declared, styles):
        own = tuple(over(top, below) for top in own_ground(element, declared) for below in beneath)
        if own and not sight.hides_on(own):
            return sight._replace(grounds=own)
        return sight._replace(grounds=tuple(dict.fromkeys((*sight.grounds, *sight.beneath))))
    if position == "absolute":
        above = [
            each for side in ("top", "left") for each in measures(declared.get(side, "")) if "%" not in declared[side]
        ]
        if any(each is not None and each <= -_ABOVE for each in above) and not is_held(element, styles):
            return sight._replace(doubted=True)
    return sight


def _gone(declared: Declarations, element: Element) -> bool:
    if shown(declared) == "gone":
        if local_name(element) not in ("body", "html"):
            return True
        if shown(_uncut(declared)) == "gone":
            return True  # what the page itself cuts off, its window does
    unclear = "(" in declared.get("opacity", "")
    return (opacity(declared) <= 0 and not unclear) or (letters_gone(declared) and not len(element))


def _uncut(declared: Declarations) -> Declarations:
    return {name: value for name, value in declared.items() if name[:8] != "overflow"}


def _written(declared: Declarations, around: Sight, styles: Styles) -> dict[str, str]:
    """The declarations without variables."""
    held = around.variables
    reset = {name: first for name, (first, taken) in styles.registered.items() if not taken and name not in declared}
    return put_in(declared, held.new_child(reset) if reset else held)


def _of_drawing(tag: str, element: Element) -> Declarations:
    names = DRAWN.intersection(element.keys())
    written = ";".join(f"{name}:{element.get(name, '').replace(';', ' ')}" for name in names)
    found = declarations(written, quirks=True)
    if tag == "svg":
        sizes = {name: element.get(name, "") for name in ("width", "height") if element.get(name)}
        found = {**found, **sizes, "overflow": "hidden"}
    return found


def _of_formula(element: Element) -> Declarations:
    names = OF_FORMULAS.keys() & element.keys()
    written = (f"{OF_FORMULAS[name]}:{element.get(name, '').replace(';', ' ')}" for name in names)
    return declarations(";".join(written)) if names else {}


def _aside(element: Element) -> bool:
    """Whether attributes of a drawing put letters far from their place."""
    places = [each for name in _MOVES.intersection(element.keys()) for each in measures(element.get(name, "").strip())]
    return any(each is None or each <= -_OUT or each >= _BEYOND for each in places)


def unseen_columns(table: Element, styles: Styles) -> frozenset[int]:
    """The columns of a table, from 0, that its `col` elements collapse."""
    found: set[int] = set()
    column = 0
    for part in table.iterchildren("{*}colgroup", "{*}col"):
        whole = _collapsed(part, styles)
        for col in part if len(part) and whole is not None else (part,):
            gone = whole if col is part else _collapsed(col, styles)
            if gone is None:  # no box at all: the next is of this column
                continue
            last = min(column + span_of(col, "span"), MOST_COLUMNS)
            found.update(range(column, last) if gone or whole else ())
            column = last
    return frozenset(found)


def _collapsed(col: Element, styles: Styles) -> bool | None:
    """Whether a column may be shown without width; None where there is none."""
    declared = styles.declared_of(col)
    unsure = [each.declared for each in styles.met(styles.of(local_name(col), col), col) if not each.exact]
    if declared.get("display") == "none" and not any("display" in each for each in unsure):
        return None
    return any(each.get("visibility") in _COLLAPSED for each in (declared, *unsure))


_COLLAPSED: Final = frozenset({"collapse", "hidden"})
