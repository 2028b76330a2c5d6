"""How the words of an element look: its ink, its ground, whether it is visible, and whether that is in doubt."""

from typing import NamedTuple

from verified_gate.ingest.formats.colours import CLEAR, alike, colour, ink
from verified_gate.ingest.formats.declared import Declarations
from verified_gate.ingest.formats.elements import GROUND
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.visibility import Ruled


class Sight(NamedTuple):
    """What elements take over from those around."""

    ink: str = "#000000"
    ground: str = "#ffffff"
    visible: bool = True
    doubted: bool = False

    @property
    def hiding(self) -> bool:
        """Whether a reader may not see what is written so."""
        return self.doubted or self.ink == CLEAR or alike(self.ink, self.ground)

    def inside(self, element: Element, ruled: Ruled, declared: Declarations, *, drawn: bool, doubted: bool) -> "Sight":
        """How it is in an element, which may be part of a drawing."""
        written = declared.get("background-color") or declared.get("background") or element.get("bgcolor")
        ground = colour(written or declared.get("background-image", "")) or self.ground
        own = declared.get("fill", "") if drawn else declared.get("-webkit-text-fill-color", "")
        own = ink(own or declared.get("color") or element.get("color") or "")
        if not own:  # a rule that sets the ground alone counts on another, not followed here, for the ink
            own = self.ink if GROUND.isdisjoint(ruled.declared) else "?"
        visible = declared["visibility"] not in ("hidden", "collapse") if "visibility" in declared else self.visible
        return Sight(own, ground, visible, self.doubted or doubted)
