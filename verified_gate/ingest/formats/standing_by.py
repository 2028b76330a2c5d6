"""Elements that by their own attributes, or by their place in another, show other words than those that stand in them."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from lxml import etree

from verified_gate.ingest.formats.elements import UNJUDGED
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.formats.neighbours import has_words

STANDING_BY: Final = (
    "marquee",
    "maction",
    "mprescripts",
    "none",
    "option",
    "use",
    "frameset",
    "math",
    "iframe",
    "object",
    "dialog",
)
"""Names of elements that are looked at."""
_FEW: Final = 8
"""Pixels: no line of words is so low, nor so narrow."""
_AGAIN: Final = "words that a drawing shows again"
_FRAMES: Final = "frames"
_INSTEAD: Final = "words in the place of an object"
_DISPLAYED: Final = re.compile(r"(?<![\w-])display\s{0,9}:\s{0,9}(?:block|flex|grid|inline)", re.IGNORECASE)
_FOR_WORDS: Final = frozenset({"mi", "mn", "mo", "mtext", "ms", "annotation", "annotation-xml"})
"""Parts of formulas that hold words, or other markup."""
_TABLES: Final = frozenset({"mtable", "mtr", "mtd"})
_OF_PAGES: Final = "{http://www.w3.org/1999/xhtml}"
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
    elif tag == "math":
        _emptied(element)
    elif tag == "iframe":
        lost[_FRAMES] = max(lost[_FRAMES], bool(element.get("srcdoc", "").strip()))
    elif tag == "object":
        lost[_INSTEAD] = max(lost[_INSTEAD], has_words(element))
    elif tag == "dialog":
        if _DISPLAYED.search(element.get("style", "")):
            element.set("open", "")
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


def _emptied(formula: Element) -> None:
    """Take out the words of a formula that stand in no part for words, and mark all but the first of what is said in
    several ways: no browser shows them.
    """
    walk = etree.iterwalk(formula, events=("start",))
    for _, part in walk:
        name = local_name(part)
        if name in _FOR_WORDS or str(part.tag).startswith(_OF_PAGES):
            walk.skip_subtree()
            continue
        if name == "semantics":
            for other in part[1:]:
                other.set(UNJUDGED, "")
        if name not in _TABLES:
            part.text = None
            for child in part:
                child.tail = None


def _framed(frameset: Element, lost: Counter[str]) -> None:
    """A page of frames, which are other pages: what else stands in it no browser shows."""
    lost[_FRAMES] = 1
    for body in frameset.itersiblings("{*}body"):
        body.set("hidden", "")
