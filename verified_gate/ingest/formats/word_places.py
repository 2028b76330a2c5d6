"""Where paragraphs of a Word document stand, and whether the page has room there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_names import every, value, whole
from verified_gate.ingest.formats.word_room import LEAST_ROOM, TAB, TABS


def place_of(properties: Mapping[str, Element], below: Mapping[str, int]) -> Mapping[str, int]:
    """Where a paragraph stands, in twentieths of a point, as far as is said, with what it has from `below`: height of
    its lines (`line`, where exact, else 0), indents (`left`, `first`), and the frame it is in (`x`, `y`, `flat`
    where it has no room for a word, `initial` where it is the large first letter of what follows, `high` where that is
    exact, `wide`); what is free `before` and `after` it, its lines' share of 240 of their usual height, its tab stops.
    """
    if _MEASURES.isdisjoint(properties):
        return below
    found: dict[str, int] = {}
    for name, each in properties.items():
        if name == "spacing":
            line, rule = whole(value(each, "line")), value(each, "lineRule")
            if line is not None:
                found["line"] = line if rule == "exact" else 0
                found["share"] = line if rule in ("", "auto") else 240
            for key in ("before", "after"):
                number = whole(value(each, key))
                if number is not None:
                    found[key] = max(number, 0)
        elif name == "contextualSpacing":
            found["after"] = found["before"] = 0
        elif name == "tabs":
            held = below.get("tabs", 0)
            found["tabs"] = held + len(each)
            for stop in each[: max(0, _MOST_STOPS - held)]:
                number = whole(value(stop, "pos"))
                if number is not None:
                    found[f"{TAB}{number}"] = TABS.get(value(stop), 0)
        elif name in ("ind", "framePr"):
            for key, kept in _PLACED:
                number = whole(value(each, key))
                if number is not None:
                    found[kept] = -number if key == "hanging" else number
            if name == "framePr":
                low = value(each, "hRule") == "exact" and (whole(value(each, "h")) or 0) < LEAST_ROOM
                found["initial"] = value(each, "dropCap") in ("drop", "margin")
                found["high"] = (whole(value(each, "h")) or 0) if value(each, "hRule") == "exact" else 0
                found["wide"] = whole(value(each, "w")) or 0
                found["flat"] = low or 0 < (whole(value(each, "w")) or 0) < LEAST_ROOM
    return {**below, **found} if found else below


_MOST_STOPS: Final = 64
"""Tab stops of a paragraph and its styles; Word takes no more."""
_MEASURES: Final = frozenset({"spacing", "contextualSpacing", "tabs", "ind", "framePr"})
_PLACED: Final = (
    ("left", "left"),
    ("start", "left"),
    ("firstLine", "first"),
    ("hanging", "first"),
    ("x", "x"),
    ("y", "y"),
)


@dataclass(frozen=True, slots=True)
class Paper:
    """The largest page of a document and its margins, in twentieths of a point."""

    width: int = 12_240
    height: int = 15_840
    left: int = 1_440
    top: int = 1_440

    @classmethod
    def of(cls, root: Element) -> "Paper":
        """As the sections say."""
        found: dict[str, int] = {}
        for each in every(root, "pgSz", "pgMar"):
            for name in ("w", "h", "left", "top"):
                given = whole(value(each, name))
                if given is not None:
                    found[name] = max(found.get(name, 0), min(given, _LARGEST))
        usual = cls()
        return cls(
            found.get("w") or usual.width,
            found.get("h") or usual.height,
            found.get("left", usual.left),
            found.get("top", usual.top),
        )

    def holds(self, x: int, y: int = 0) -> bool:
        """Whether words that begin there, from the margins, are on the page, or little beside it."""
        return -self.left - _BESIDE <= x < self.width and -self.top - _BESIDE <= y < self.height

    def shows(self, place: Mapping[str, int]) -> bool:
        """Whether a paragraph that stands there is on it."""
        left = place.get("left", 0)
        return (
            not place.get("flat")
            and self.holds(left)
            and self.holds(left + place.get("first", 0))
            and self.holds(place.get("x", 0), place.get("y", 0))
        )


_LARGEST: Final = 31_680
_BESIDE: Final = 720
