"""Animations of style sheets that may leave words unseen: where they end, or where they begin and are in no hurry."""

import re
from collections.abc import Sequence
from typing import Final

from verified_gate.ingest.formats.colours import CLEAR, grounds
from verified_gate.ingest.formats.declared import Declarations
from verified_gate.ingest.formats.doubts import hides
from verified_gate.ingest.formats.sheets import as_name

_SLOW: Final = re.compile(r"paused|reverse|alternate|(?<![\d.])\d{2,9}(?:\.\d{0,9})?s|\d{5,9}ms|e[+\d]")
"""What keeps an animation where it begins."""
_QUOTED: Final = re.compile(r"\"[^\"]{1,100}\"|'[^']{1,100}'")
_NAMED: Final = re.compile(r"[\w-]{1,100}")


class Animations:
    """Those that hide words, by their names, as sheets tell of their frames."""

    def __init__(self) -> None:
        self._frames: dict[str, bool] = {}  # whether they do so beyond their beginning
        self._grounds: dict[
            str, dict[str, bool]
        ] = {}  # of those that change the ground, to what, and whether beyond that

    def take(self, name: str, frames: Sequence[str], declared: Declarations) -> None:
        """A frame of the animation `name`: at which of its parts (`from`, `50%|to`) what is declared, but for what is
        `!important`, which counts for nothing there.
        """
        declared = {name: value for name, value in declared.items() if name[0] != "!" and f"!{name}" not in declared}
        begins = all(frame in ("from", "0%") for frame in "".join(frames).split("|"))
        if not _GROUNDS.isdisjoint(declared):
            found = {each for ground in _GROUNDS for each in grounds(declared.get(ground, ""))}
            held = self._grounds.setdefault(name, {})
            held.update((each, held.get(each, False) or not begins) for each in found or (CLEAR,))
        if hides(declared) or not _INKS.isdisjoint(declared) or any(each[:2] == "--" for each in declared):
            self._frames[name] = self._frames.get(name, False) or not begins

    def may_hide(self, declared: Declarations) -> bool:
        """Whether an animation that these declarations ask for does so."""
        value = _asked(declared)
        if not value:
            return False
        late = _SLOW.search(value) is not None
        return any(self._frames[name] or late or "(" in value for name in _names(value) if name in self._frames) or (
            "unknown()" in value
        )

    def grounds(self, declared: Declarations) -> frozenset[str]:
        """The grounds that an animation, which these declarations ask for, gives an element: `CLEAR` for none."""
        value = _asked(declared) if self._grounds else ""
        if not value:
            return _NONE
        late = _SLOW.search(value) is not None or "(" in value
        held = (self._grounds.get(name, {}) for name in _names(value))
        return frozenset(each for found in held for each, beyond in found.items() if beyond or late)


_GROUNDS: Final = frozenset({"background-color", "background-image"})
_INKS: Final = frozenset({"color", "fill", "-webkit-text-fill-color"})
_NONE: Final = frozenset[str]()


def _asked(declared: Declarations) -> str:
    return " ".join(held for name, held in declared.items() if name[:9] == "animation")


def _names(value: str) -> list[str]:
    return [*_NAMED.findall(value), *(as_name(each[1:-1]) for each in _QUOTED.findall(value))]
