"""Step 6, search: every place where a quote stands in a source, exactly or under the folds of a profile."""

from bisect import bisect_left
from operator import attrgetter
from typing import Final, NamedTuple

from verified_gate.gate.folding import Folded, fold_quote
from verified_gate.text.sites import Site
from verified_gate.text.skeleton import skeleton_of_quote
from verified_gate.text.spelling import folds_between, sign_changed

_MOST_READINGS: Final = 16
"""Readings of one place followed side by side; honest text needs one or two."""

_MOST_READ: Final = 256
_MOST_OFFSETS: Final = 1_000
_CAPITALS: Final = 4
"""So many words of a heading in capitals the quote itself must hold to be written in another case."""


class Place(NamedTuple):
    """A source span [start, end), and the folds that were needed to find the quote there."""

    start: int
    end: int
    folds: frozenset[str] = frozenset()


def _offsets(haystack: str, needle: str) -> list[int]:
    """Offsets of `needle`, in order. Overlapping ones are followed only as far as the work stays linear."""
    at = haystack.find(needle)
    if at < 0:
        return []
    found = [at]
    spare = 16 + 8 * len(haystack) // len(needle)
    while len(found) < _MOST_OFFSETS:
        at = haystack.find(needle, at + (1 if len(found) < spare else len(needle)))
        if at < 0:
            break
        found.append(at)
    return found


def exact_places(text: str, quote: str) -> list[Place]:
    """Every place where the quote stands character for character."""
    return [Place(at, at + len(quote)) for at in _offsets(text, quote)] if quote else []


def folded_places(text: str, folded: Folded, quote: str, folds: frozenset[str], *, every: bool = False) -> list[Place]:
    """Places where the quote stands under `folds`; `folded` is `text` folded under the same. Those where every site reads
    as it stands come first; without `every` the others are looked for only where there are none.
    """
    if not (wanted := fold_quote(quote.strip() if "whitespace" in folds else quote, folds)):
        return []
    found = [_place(text, folded, quote, at, at + len(wanted), folds) for at in _offsets(folded.form, wanted)]
    places = [place for place in found if place]
    if not folded.sites or (places and not every):
        return places
    skeleton, lead = skeleton_of_quote(wanted)
    for at in _offsets(folded.skeleton.text, skeleton)[:_MOST_READ] if skeleton else ():
        start = folded.skeleton.place(at) - lead
        read = _read(folded, start, wanted) if start >= 0 else None
        if read and (place := _place(text, folded, quote, start, read[0], folds, read[1])):
            places.append(place)
    return places


def _place(
    text: str, folded: Folded, quote: str, start: int, end: int, folds: frozenset[str], taken: tuple[Site, ...] = ()
) -> Place | None:
    span = folded.source_span(start, end)
    if span is None or (taken and 0 < sum(site.any_case for site in taken) < _CAPITALS):
        return None
    plain, done = "", span[0]  # the source without the sites that were read otherwise
    for site in taken:
        if not site.any_case and (of_site := folded.source_span(site.start, site.end)):
            plain += text[done : of_site[0]]
            done = of_site[1]
    plain += text[done : span[1]]
    names = folds_between(plain, quote, folds, whole=not taken)
    if "dashes" in names and sign_changed(plain, quote):
        return None
    return Place(*span, names.union(site.fold for site in taken) if taken else names)


def _read(folded: Folded, start: int, wanted: str) -> tuple[int, tuple[Site, ...]] | None:
    """Read the form from `start`, taking sites in any of their readings, until `wanted` is used up.

    Gives the place in the form where it ends and the sites that were read otherwise than as they stand.
    """
    form, sites = folded.form, folded.sites
    readings: dict[int, _Chain] = {0: None}  # how much of `wanted` is read -> sites read otherwise so far
    at = start
    for index in range(bisect_left(sites, start, key=attrgetter("start")), len(sites) + 1):
        site = sites[index] if index < len(sites) else None
        stop = site.start if site else len(form)
        following: dict[int, _Chain] = {}
        for done, taken in readings.items():
            left = len(wanted) - done
            if left <= stop - at:
                if wanted.startswith(form[at : at + left], done):
                    return at + left, _links(taken)
            elif wanted.startswith(form[at:stop], done):
                following[done + stop - at] = taken
        if site is None:
            return None
        readings = {}
        for done, taken in following.items():
            left = len(wanted) - done
            if left < len(site.kept) and site.kept.startswith(wanted[done:]):
                return stop + left, _links(taken)
            if wanted.startswith(site.kept, done):
                readings.setdefault(done + len(site.kept), taken)
            elif site.any_case and (same := wanted[done : done + len(site.kept)]) in (
                low := site.kept.lower(),
                low.title(),
            ):
                readings.setdefault(done + len(same), (taken, site))
            for reading in site.readings:
                if wanted.startswith(reading, done):
                    readings.setdefault(done + len(reading), (taken, site))
        if not readings or len(readings) > _MOST_READINGS:
            return None
        at = site.end
    return None


_Chain = tuple["_Chain", Site] | None


def _links(chain: "_Chain") -> tuple[Site, ...]:
    links = []
    while chain is not None:
        chain, site = chain
        links.append(site)
    return tuple(reversed(links))
