"""Step 6, folding: the form in which text is compared, with a map back to the source.

`fold` gives a `Folded` text: the *form* (every context-free fold applied), piecewise maps from the form to the source,
and *sites*: places that a fold lets the quote read in another way (a line-end hyphen joined, a bullet left out).
Whatever lies outside a site must be equal character for character, so a fold can never reach further than its site.
"""

from dataclasses import dataclass
from functools import cached_property

from verified_gate.text.sites import Site, find_sites
from verified_gate.text.skeleton import Skeleton, skeleton_of
from verified_gate.text.spelling import Map, layers


@dataclass(frozen=True)
class Folded:
    """A text as it is compared: its form, the maps back, and its sites in offsets of the form."""

    form: str
    maps: tuple[Map, ...]
    sites: tuple[Site, ...]

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The source span of the form span, or None where an end falls inside one character of the source."""
        for layer in reversed(self.maps):
            start, end = layer.start(start), layer.end(end)
            if start < 0 or end < 0:
                return None
        return (start, end) if start < end else None

    @cached_property
    def skeleton(self) -> Skeleton:
        """What no fold may drop."""
        dropped = [(site.start, site.end) for site in self.sites if site.fold == "furniture"]
        return skeleton_of(self.form, dropped)


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
    return Folded(form, tuple(maps), tuple(sites))


def fold_quote(quote: str, folds: frozenset[str]) -> str:
    """The form of a quote."""
    if quote.isascii() and quote.isprintable() and "  " not in quote and "&" not in quote:
        return quote  # nothing in it that a fold maps
    *_, (form, _) = layers(quote, folds)
    return form
