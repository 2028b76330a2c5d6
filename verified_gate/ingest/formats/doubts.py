"""What one rule may do to words by itself, wherever it may hold: hide them, or show again what others hide."""

from typing import Final

from verified_gate.ingest.formats.colours import CLEAR, alike, grounds, ink
from verified_gate.ingest.formats.declared import Declarations, settled
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.overflowing import cuts_off, is_over
from verified_gate.ingest.formats.parts import covers
from verified_gate.ingest.formats.sight import unsized


def may_show(declared: Declarations) -> bool:
    """Whether these declarations may show again what others hide."""
    return (
        declared.get("display", "none") != "none"
        or declared.get("visibility", "hidden") != "hidden"
        or bool({"opacity", "font-size", "position", "left", "top", "height", "width", "text-indent"} & declared.keys())
    )


_SIZES: Final = frozenset({"height", "width", "max-height", "max-width", "line-height"})


def hides(declared: Declarations) -> bool:
    """Whether these declarations, by themselves, keep words from being seen; in a box that others may make one."""
    declared = settled(declared)
    if not _SIZES.isdisjoint(declared):
        declared.setdefault("overflow", "hidden")
    declared.setdefault("left", "auto")  # others may place it
    if shown(declared) != "shown" or declared.get("visibility") in ("hidden", "collapse") or unsized(declared):
        return True
    own = ink(declared.get("-webkit-text-fill-color") or declared.get("color", ""))
    found = grounds(declared.get("background-color", ""))
    return own == CLEAR or bool(own and any(alike(own[:7], ground[:7]) for ground in found))


def tells(declared: Declarations) -> bool:
    """Whether an element with these declarations is looked at for what may be told of it."""
    if "position" not in declared and _CLIPPING.isdisjoint(declared):
        return (
            _WIDE in declared.get("min-width", "")
            or _WIDE in declared.get("flex", "")
            or "0 0 " in declared.get("flex", "")
        )
    return is_over(declared) or cuts_off(declared) or covers(declared)


_WIDE: Final = "100%"
_CLIPPING: Final = frozenset({"overflow", "overflow-x", "overflow-y"})
