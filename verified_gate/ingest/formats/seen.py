"""How an element is seen: its own attributes, the rules of sheets and what is around it, put together."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from verified_gate.ingest.formats.declared import Declarations, declarations, put_in, settled, varied
from verified_gate.ingest.formats.drawings import judge_drawing
from verified_gate.ingest.formats.elements import DRAWN, IN_TABLES, OF_FORMULAS, UNJUDGED
from verified_gate.ingest.formats.grounding import is_held, moved_off
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.formats.misread import LEFT_OPEN, REOPENED
from verified_gate.ingest.formats.overflowing import CUT_OFF, is_cut_off, lies_over
from verified_gate.ingest.formats.overflowing import LAID_OVER as MAY_LIE_OVER
from verified_gate.ingest.formats.parts import covers
from verified_gate.ingest.formats.sight import Sight, letters_gone, opacity
from verified_gate.ingest.formats.visibility import Ruled, Styles, Try

FOSTERED: Final = "words of a hidden table that stand beside its cells"
LAID_OVER: Final = "box{s} laid over the whole page"
_MOVES: Final = frozenset({"dx", "dy"})
_AWAY: Final = ("absolute", "fixed")
_DOUBTED: Final = ("popover", UNJUDGED)
_LEGIBLE: Final = 8
"""Pixels: the least size of letters of a page by which others are sized without a look."""
_ABOVE: Final = 16
"""Pixels above the page, or to the left of it: a line of words."""
_OUT: Final = 200
"""Units to the left of a drawing, or above it."""
_BEYOND: Final = 3_000


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
    sight = _look(tag, element, around, styles, ruled, met, lost, drawn=drawn)
    if (sight is None or (sight.hiding and not around.hiding)) and element.get(LEFT_OPEN) is not None:
        lost[REOPENED] = 1
    if sight is None and tag == "table" and _fostered(element):
        lost[FOSTERED] = 1
    return sight


def _fostered(table: Element) -> bool:
    """Whether words stand in it beside its cells, which browsers put before it."""
    if str(table.tag)[:1] == "{":
        return False
    for part in (table, *table.iter("thead", "tbody", "tfoot", "tr")):
        others = [each for each in part if local_name(each) not in IN_TABLES]
        words = [part.text, *(each.tail for each in part), *("".join(each.itertext()) for each in others)]
        if any(each and each.strip() for each in words):
            return True
    return False


def _look(
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
    inline = declarations(element.get("style", ""), quirks=styles.quirks)
    undisplayed = "display" not in inline and ruled.declared.get("display", "none") == "none"
    if undisplayed and element.get("hidden") is not None:
        return None
    attributes = _of_drawing(tag, element) if drawn or tag == "svg" else _of_formula(element)
    declared = settled(attributes, ruled.declared, inline)
    sure = not ruled.contested or shown(inline) == "gone"
    gone = _gone(declared, element) and sure
    if gone and declared.keys().isdisjoint(("animation", "animation-name")):
        return None
    doubted = gone or any(element.get(name) is not None for name in _DOUBTED) or any(each.hiding for each in met)
    doubted = doubted or (drawn and _aside(element))
    full = settled(attributes, styles.cascade(ruled, met), inline) if met else declared
    around = around._replace(variables=varied(around.variables, full))
    full = _written(full, around, styles)
    doubted = doubted or shown(full) != "shown" or styles.animated(full)
    if tag == "svg" and not drawn:
        around = around._replace(ink="#000000" if around.ink != "?" else "?")
        judge_drawing(element, full, styles)
    sight = around.inside(element, full, drawn=drawn or tag == "svg", doubted=doubted)
    if around.plain and sight.grounds != around.grounds:  # on white, colours that are well seen there were passed over
        around = around._replace(ink=styles.ink_around(element) or around.ink)
        sight = around.inside(element, full, drawn=drawn or tag == "svg", doubted=doubted)
    if around.root != sight.root and sight.root < _LEGIBLE and not styles.shrunk:
        styles.shrink()
    if (position := full.get("position")) and not sight.hiding:
        sight = _placed(element, full, position, sight, styles)
    if met and not all(each.exact for each in met):
        certain = settled(attributes, styles.cascade(ruled, [each for each in met if each.exact]), inline)
        other = around.inside(element, _written(certain, around, styles), drawn=drawn or tag == "svg", doubted=doubted)
        sight = sight._replace(doubted=sight.doubted or other.hiding)
    if not sight.hiding and sight.visible:
        if position and sight.opacity >= 1:
            over = covers(full) if position in _AWAY else False
            lost[LAID_OVER if over else MAY_LIE_OVER] += over or lies_over(element, full)
        if not drawn and tag != "svg" and is_cut_off(element, full, sight.size, styles):
            lost[CUT_OFF] += 1
    return sight


def _placed(element: Element, declared: Declarations, position: str, sight: Sight, styles: Styles) -> Sight:
    """Where an element is placed above the page, or where the grounds around it are not."""
    if sight.hides_on(sight.beneath) and moved_off(element, declared, styles):
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
        return True
    unclear = "(" in declared.get("opacity", "")
    return (opacity(declared) <= 0 and not unclear) or (letters_gone(declared) and not len(element))


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
