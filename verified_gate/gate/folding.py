"""Step 6, folding: the form in which text is compared, with a map back to the source.

`fold` gives a `Folded` text: the *form* (every context-free fold applied), piecewise maps from the form to the source,
and *sites*: places that a fold lets the quote read in another way (a line-end hyphen joined, a bullet left out).
Whatever lies outside a site must be equal character for character, so a fold can never reach further than its site.
"""

import html
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final
from unicodedata import combining, is_normalized, normalize

from verified_gate.model.sites import Site, find_sites
from verified_gate.model.characters import INVISIBLE, needs_joiner

_QUOTE_MARKS: Final = {'"': "“”„‟«»＂", "'": "‘’‚‛‹›ʼ＇"}
_DASH_MARKS: Final = "‐‑‒–—―−﹘﹣－"
_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SPACES: Final = [char for char in map(chr, range(0x3001)) if char.isspace() and char != " "]
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
_LOOSE: Final = " -|*_#`~•▪◦‣·●○■□➢✓\x02\ufffe\u00ad\u2010\u2011\uf0b7\uf0a7"
_LOOSE_TABLE: Final = dict.fromkeys(map(ord, _LOOSE))
_WITH_SITES: Final = frozenset(
    ("line-hyphen", "cjk-break", "list-marks", "table-borders", "markdown", "footnotes", "furniture", "capitals")
)
_LONGEST_CLUSTER: Final = 30
"""Marks on one letter, after the Stream-Safe Text Format of UAX #15: longer runs make normalising quadratic."""


class _Map:
    """Pieces of a text that were rewritten: form [x, y) came from source [a, b); the rest moved unchanged."""

    __slots__ = ("a", "b", "x", "y")

    def __init__(self) -> None:
        self.x, self.y, self.a, self.b = array("I"), array("I"), array("I"), array("I")

    def start(self, place: int) -> int:
        """The source offset where what begins at `place` of the form begins; -1 inside a rewritten piece."""
        piece = bisect_right(self.x, place) - 1
        if piece < 0:
            return place
        if place < self.y[piece]:
            return self.a[piece] if place == self.x[piece] else -1
        return place - self.y[piece] + self.b[piece]

    def end(self, place: int) -> int:
        """The source offset where what ends at `place` of the form ends; -1 inside a rewritten piece."""
        piece = bisect_left(self.x, place) - 1
        if piece < 0:
            return place
        return -1 if place < self.y[piece] else place - self.y[piece] + self.b[piece]

    def form(self, offset: int) -> int:
        """The place in the form of a source offset; inside a rewritten piece, where the piece begins."""
        piece = bisect_right(self.a, offset) - 1
        if piece < 0:
            return offset
        return self.x[piece] if offset < self.b[piece] else offset - self.b[piece] + self.y[piece]


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared: its form, the maps back, its sites in form offsets, and for the search of texts with
    sites a skeleton of what no fold may drop, with the place of each of its characters.
    """

    form: str
    maps: tuple[_Map, ...]
    sites: tuple[Site, ...]
    skeleton: str
    places: "array[int]"

    def source_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The source span of the form span, or None where an end falls inside one character of the source."""
        for layer in reversed(self.maps):
            start, end = layer.start(start), layer.end(end)
            if start < 0 or end < 0:
                return None
        return (start, end) if start < end else None


@cache
def _typography(folds: frozenset[str]) -> tuple[dict[int, str], re.Pattern[str] | None]:
    """The one-to-one table, and the pattern of what changes length."""
    table: dict[int, str] = {}
    parts = []
    if "whitespace" in folds:
        table |= {ord(char): " " for char in _SPACES}
        parts.append(r"\s{2,}")
    if "quotes" in folds:
        table |= {ord(char): mark for mark, chars in _QUOTE_MARKS.items() for char in chars}
    if "dashes" in folds:
        table |= {ord(char): "-" for char in _DASH_MARKS}
    if "fullwidth" in folds:
        table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    if "ellipsis" in folds:
        parts.append("…")
    if "ligatures" in folds:
        parts.append("[ﬀ-ﬆ]")
    return table, re.compile("|".join(parts)) if parts else None


def _shorter(match: re.Match[str]) -> str:
    found = match.group()
    return "..." if found == "…" else _LIGATURES.get(found, " ")


def _unescaped(match: re.Match[str]) -> str | None:
    char = html.unescape(match.group())
    return None if char == match.group() else char


def _unless_needed(match: re.Match[str]) -> str | None:
    return None if match.group() != "\u00ad" and needs_joiner(match.string, match.start()) else ""


def _composed(match: re.Match[str]) -> str | None:
    composed = normalize("NFC", match.group())
    return None if composed == match.group() else composed


_INVISIBLE: Final = re.compile(f"[{''.join(sorted(INVISIBLE))}]")


@cache
def _clusters() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A character with its marks and trailing letters of Hangul; and a run of marks too long to normalise."""
    marks = "".join(chr(code) for code in range(0x300, 0x1E94B) if combining(chr(code)))
    trailing = (
        marks
        + "\u1160-\u11ff\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e"
    )
    return re.compile(f"[^{trailing}][{trailing}]*|[^\x00-\x7f]"), re.compile(f"[{marks}]{{{_LONGEST_CLUSTER + 1},}}")


def _rewrite(text: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str | None]) -> tuple[str, _Map]:
    layer = _Map()
    out: list[str] = []
    done = length = 0
    for match in pattern.finditer(text):
        piece = change(match)
        if piece is None:
            continue
        start, end = match.span()
        out += (text[done:start], piece)
        length += start - done
        layer.x.append(length)
        length += len(piece)
        layer.y.append(length)
        layer.a.append(start)
        layer.b.append(end)
        done = end
    if not done:
        return text, layer
    out.append(text[done:])
    return "".join(out), layer


def _layers(text: str, folds: frozenset[str]) -> Iterator[tuple[str, _Map]]:
    if "entities" in folds and "&" in text:
        text, layer = _rewrite(text, _ENTITY, _unescaped)
        yield text, layer
    if not text.isascii():
        if "invisible" in folds:
            text, layer = _rewrite(text, _INVISIBLE, _unless_needed)
            yield text, layer
        if "canonical" in folds:
            cluster, too_long = _clusters()
            if not too_long.search(text) and not is_normalized("NFC", text):
                yield (rewritten := _rewrite(text, cluster, _composed))
                text = rewritten[0]
    table, pattern = _typography(folds & _TYPOGRAPHIC)
    if pattern is not None:
        text, layer = _rewrite(text, pattern, _shorter)
        yield text, layer
    if table:
        yield text.translate(table), _Map()


_TYPOGRAPHIC: Final = frozenset({"whitespace", "quotes", "dashes", "ellipsis", "ligatures", "fullwidth"})


def fold(text: str, folds: frozenset[str], furniture: tuple[tuple[int, int], ...] = ()) -> Folded:
    """Fold a text, source or quote, under the named folds. Work and memory are linear in the text."""
    layers = list(_layers(text, folds))
    form = layers[-1][0] if layers else text
    maps = [layer for _, layer in layers if layer.x]
    sites: list[Site] = []
    last = 0
    if folds & _WITH_SITES:
        for site in sorted(find_sites(text, folds, furniture)):
            start, end = site.start, site.end
            for layer in maps:
                start, end = layer.form(start), layer.form(end)
            if start >= last and start < end:
                sites.append(site.moved(start, end, form[start:end]))
                last = end
    skeleton, places = _skeleton(form, sites)
    return Folded(form, tuple(maps), tuple(sites), skeleton, places)


def _skeleton(form: str, sites: list[Site]) -> tuple[str, "array[int]"]:
    places = array("I")
    if not sites:
        return "", places
    done = 0
    for site in sites:
        if site.is_content:
            places.extend(range(done, site.start))
            done = site.end
    places.extend(range(done, len(form)))
    kept = array("I", [place for place in places if form[place] not in _LOOSE])
    skeleton = "".join([form[place] for place in kept])
    lowered = skeleton.lower()
    return (lowered if len(lowered) == len(skeleton) else skeleton), kept


def skeleton_of_quote(quote: Folded) -> tuple[str, int]:
    """The skeleton of a folded quote, and how many loose characters stand before its first character."""
    if quote.sites:
        return (quote.skeleton, quote.places[0]) if quote.skeleton else ("", 0)
    skeleton = quote.form.translate(_LOOSE_TABLE)
    lowered = skeleton.lower()
    lead = len(quote.form) - len(quote.form.lstrip(_LOOSE))
    return (lowered if len(lowered) == len(skeleton) else skeleton), lead


_TRIGGERS: Final = {
    "whitespace": re.compile(r"\s+"),
    "quotes": re.compile("[\"'“”„‟«»‘’‚‛‹›ʼ]"),
    "dashes": re.compile("[-‐‑‒–—―−﹘﹣]"),
    "ellipsis": re.compile(r"…|\.\.\."),
    "ligatures": re.compile("[ﬀ-ﬆ]"),
    "invisible": _INVISIBLE,
    "fullwidth": re.compile("[！-～]"),
    "entities": _ENTITY,
    "canonical": re.compile(r"[^\x00-\x7f\s“”„‟«»‘’‚‛‹›ʼ‐-―−﹘﹣…ﬀ-ﬆ！-～\u00ad\u200b-\u200d\u2060\ufeff]"),
}


def folds_between(source: str, quote: str, folds: frozenset[str]) -> set[str]:
    """Which context-free folds tell the matched source from the quote."""
    names = ("whitespace", "entities") if source.isascii() and quote.isascii() else tuple(_TRIGGERS)
    return {
        name for name in names if name in folds and _TRIGGERS[name].findall(source) != _TRIGGERS[name].findall(quote)
    }
