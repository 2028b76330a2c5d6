"""By what rules of style sheets overrule each other: their layers, how much their selectors weigh, and what is a value."""

import math
import re
from collections.abc import Iterable
from typing import Final

from verified_gate.ingest.formats.selectors import ANY_OF, Compound, alone

Weight = tuple[tuple[float, ...], int, int, int, int]
"""By which rules overrule each other: the place of its layer, ids, names, tags, its place."""
NO_LAYER: Final = (math.inf,)
"""The place of rules in no layer: above all others."""
_NAME: Final = r"(?:[\w\-\u0080-\U0010ffff]|\\.)+"
_PARTS: Final = re.compile(rf"[.#]{_NAME}")


class Layers:
    """The layers of all sheets of a page, in the order in which they are first named."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[float, ...]] = {}
        self._inner: dict[str, dict[str, int]] = {}  # the layers in each, by their order

    def __bool__(self) -> bool:
        return bool(self._places)

    def place(self, layer: str) -> tuple[float, ...]:
        """The place of a layer among all: rules in it are overruled by those in later ones, and by those in none."""
        found = self._places.get(layer)
        if found is None:
            outer, _, name = layer.rpartition(".")
            around = self.place(outer)[:-1] if outer else ()
            beside = self._inner.setdefault(outer, {})
            found = self._places[layer] = (*around, beside.setdefault(name, len(beside)), math.inf)
        return found if layer else NO_LAYER


def is_of(value: str, kind: str) -> bool:
    """Whether a value may be one of a kind, as `@property` names them."""
    if "(" in value or kind not in _MEASURED or value in _GLOBAL:
        return True
    return value[:1].isdigit() or value[:1] in "+-."


_MEASURED: Final = frozenset(
    {"<number>", "<integer>", "<length>", "<percentage>", "<length-percentage>", "<angle>", "<time>"}
)
_GLOBAL: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})


def repeated(selector: str) -> int:
    """How often names stand in a selector once more, which makes it weigh more."""
    parts = _PARTS.findall(selector)
    return len(parts) - len(set(parts))


def weighs(compounds: Iterable[Compound]) -> tuple[int, int, int]:
    """How much a selector weighs: its ids, its names, its tags."""
    ids = names = tags = 0
    for each in compounds:
        ids += sum(name[0] == "#" for name in each.names)
        names += sum(name[0] != "#" for name in each.names) + len(each.attributes)
        tags += bool(each.tag)
        for name, of in each.states:
            if name in ANY_OF or name == "not":
                most = max(
                    (weighs((one,)) for one in map(alone, map(str.strip, of.split(","))) if one), default=(0, 0, 0)
                )
                ids, names, tags = (here + there for here, there in zip((ids, names, tags), most, strict=True))
            elif name != "where":
                names += 1
    return ids, names, tags
