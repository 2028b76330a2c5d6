"""Step 6, folding: the form in which text is compared, with a map back to the source.

`fold` gives a `Folded` text: the *form* (every context-free fold applied), piecewise maps from the form to the source,
and *sites*: places that a fold lets the quote read in another way (a line-end hyphen joined, a bullet left out).
Whatever lies outside a site must be equal character for character, so a fold can never reach further than its site.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from verified_gate.text.characters import LINE_BREAK
from verified_gate.text.sites import BULLETS, Site, find_sites
from verified_gate.text.spelling import Map, layers

_LOOSE: Final = f" {LINE_BREAK}\t-|*_#`[]\x02\ufffe\u00ad\u2010\u2011{BULLETS}"
_FIRM: Final = re.compile(f"[^{re.escape(_LOOSE)}]+")
_LOOSE_CONTENT: Final = re.compile(r"\[\^?\d{1,3}\]|\]\([^()\s]{0,2000}\)")
"""What some fold may drop takes no part in finding where to begin reading: single characters, and whole marks."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared: its form, the maps back, its sites in form offsets, and where there are sites a
    skeleton: what no fold may drop, in small letters; run i of it begins at `firm[i]` and stands at `places[i]`.
    """

    form: str
    maps: tuple[Map, ...] = ()
    sites: tuple[Site, ...] = ()
    skeleton: str = ""
    firm: Sequence[int] = ()
    places: Sequence[int] = ()

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The source span of the form span, or None where an end falls inside one character of the source."""
        for layer in reversed(self.maps):
            start, end = layer.start(start), layer.end(end)
            if start < 0 or end < 0:
                return None
        return (start, end) if start < end else None

    def place(self, offset: int) -> int:
        """The place in the form of an offset in the skeleton."""
        run = bisect_right(self.firm, offset) - 1
        return self.places[run] + offset - self.firm[run]


def fold(text: str, folds: frozenset[str], furniture: tuple[tuple[int, int], ...] = ()) -> Folded:
    """Fold a source under the named folds. Work and memory are linear in the text."""
    steps = list(layers(text, folds))
    form, maps = steps[-1][0], [layer for _, layer in steps if layer is not None and layer.x]
    sites = []
    last = 0
    for site in sorted(find_sites(text, folds, furniture)):
        start, end = site.start, site.end
        for layer in maps:
            start, end = layer.form(start), layer.form(end)
        if start >= last and start < end:
            sites.append(site.moved(start, end, form[start:end]))
            last = end
    if not sites:
        return Folded(form, tuple(maps))
    dropped = [(site.start, site.end) for site in sites if site.fold == "furniture"]
    return Folded(form, tuple(maps), tuple(sites), *_skeleton(form, dropped))


def _skeleton(form: str, dropped: list[tuple[int, int]]) -> tuple[str, "array[int]", "array[int]"]:
    firm, places = array("I"), array("I")
    runs: list[str] = []
    done = length = 0
    for start, end in [*sorted([*dropped, *(m.span() for m in _LOOSE_CONTENT.finditer(form))]), (len(form), len(form))]:
        for match in _FIRM.finditer(form, done, start):
            firm.append(length)
            places.append(match.start())
            runs.append(match.group())
            length += len(runs[-1])
        done = max(done, end)
    skeleton = "".join(runs)
    lowered = skeleton.lower()
    return (lowered if len(lowered) == length else skeleton), firm, places


def fold_quote(quote: str, folds: frozenset[str]) -> str:
    """The form of a quote."""
    if quote.isascii() and quote.isprintable() and "  " not in quote and "&" not in quote:
        return quote  # nothing in it that a fold maps
    *_, (form, _) = layers(quote, folds)
    return form


def skeleton_of_quote(form: str) -> tuple[str, int]:
    """The skeleton of a quote's form, and where its first character stands."""
    skeleton, _, places = _skeleton(form, [])
    return skeleton, places[0] if places else 0
