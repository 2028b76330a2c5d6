"""Elements that by their own attributes, or by their place in another, show other words than those that stand in them."""

from collections import Counter
from typing import Final

from verified_gate.ingest.formats.elements import UNJUDGED
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures

STANDING_BY: Final = ("{*}marquee", "{*}maction", "{*}mprescripts", "{*}none", "{*}option", "{*}use", "{*}frameset")
"""Tags of elements that are looked at."""
_FEW: Final = 8
"""Pixels: no line of words is so low, nor so narrow."""
_AGAIN: Final = "words that a drawing shows again"
_FRAMES: Final = "frames"


def set_apart(element: Element, tag: str, lost: Counter[str]) -> None:
    """Mark (`UNJUDGED`) what a browser may not show of such an element, and tell in `lost` what it may show beside."""
    if tag == "use":
        _shown_again(element, lost)
    elif tag == "frameset":
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


def _shown_again(use: Element, lost: Counter[str]) -> None:
    """Words of a drawing that stand aside in it, and are shown where another part asks for them."""
    link = use.get("href") or use.get("xlink:href") or use.get("{http://www.w3.org/1999/xlink}href") or ""
    drawing = next((around for around in use.iterancestors("{*}svg")), None)
    if drawing is None or link[:1] != "#" or lost[_AGAIN]:
        return
    for words in drawing.iter("{*}text"):
        named = False
        for around in (words, *words.iterancestors()):
            named = named or around.get("id") == link[1:]
            if local_name(around) in ("defs", "symbol") and (named or around.get("id") == link[1:]):
                lost[_AGAIN] = 1
                return


def _framed(frameset: Element, lost: Counter[str]) -> None:
    """A page of frames, which are other pages: what else stands in it no browser shows."""
    lost[_FRAMES] = 1
    for body in frameset.itersiblings("{*}body"):
        body.set("hidden", "")
