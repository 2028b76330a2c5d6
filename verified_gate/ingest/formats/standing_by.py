"""Elements that by their own attributes, or by their place in another, show other words than those that stand in them."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from verified_gate.ingest.formats.elements import UNJUDGED
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures

STANDING_BY: Final = ("marquee", "maction", "mprescripts", "none", "option", "use", "frameset")
"""Names of elements that are looked at."""
_FEW: Final = 8
"""Pixels: no line of words is so low, nor so narrow."""
_AGAIN: Final = "words that a drawing shows again"
_FRAMES: Final = "frames"
_ASIDES: Final = ("defs", "symbol")
_LINK: Final = "{http://www.w3.org/1999/xlink}href"


def set_apart(element: Element, tag: str, lost: Counter[str]) -> None:
    """Mark (`UNJUDGED`) what a browser may not show of such an element; frames are told in `lost`."""
    if tag == "frameset":
        _framed(element, lost)
    elif tag == "maction":
        for other in element[1:]:
            other.set(UNJUDGED, "")
    elif tag == "option":
        label = element.get("label", "").split()
        if label and label != "".join(element.itertext()).split():
            element.set(UNJUDGED, "")
    elif tag == "marquee":
        sizes = [each for name in ("width", "height") for each in measures(element.get(name, "").strip().lower())]
        if any(each is None or each < _FEW for each in sizes):
            element.set(UNJUDGED, "")
    elif element.text or len(element):
        element.set(UNJUDGED, "")


def tell_repeated(uses: Sequence[Element], lost: Counter[str]) -> None:
    """Tell of words that stand aside in a drawing, and are shown where another part (`use`) asks for them."""
    links = (use.get("href") or use.get("xlink:href") or use.get(_LINK) or "" for use in uses)
    wanted = {link[1:] for link in links if link[:1] == "#"}
    root = uses[0].getroottree().getroot() if wanted else None
    asides: dict[Element, bool] = {}  # parents of words: whether one that is asked for, or one in it, is in an aside
    for words in () if root is None else root.iter("{*}text"):
        parent = words.getparent()
        if parent is None:
            continue
        if parent not in asides:
            line = [parent, *parent.iterancestors()]
            asides[parent] = any(local_name(each) in _ASIDES for each in line)
        if asides[parent] and not wanted.isdisjoint(
            each.get("id") for each in (words, parent, *parent.iterancestors())
        ):
            lost[_AGAIN] = 1
            return


def _framed(frameset: Element, lost: Counter[str]) -> None:
    """A page of frames, which are other pages: what else stands in it no browser shows."""
    lost[_FRAMES] = 1
    for body in frameset.itersiblings("{*}body"):
        body.set("hidden", "")
