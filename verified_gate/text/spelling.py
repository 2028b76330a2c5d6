"""Other spellings of the same text: the context-free folds, each with a map back to the source.

Each layer rewrites a text in time linear in it: character references, invisible characters, canonical composition,
one-to-one forms (white space, quotation marks, dashes, full-width forms), then what changes length.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final
from unicodedata import combining, is_normalized, normalize

from verified_gate.text.characters import INVISIBLE, REFERENCE, needs_joiner, referred

_MARKS: Final = {'"': "“”„‟«»＂", "'": "‘’‚‛‹›ʼ＇"}
_DASHES: Final = "‐‑‒–—―−﹘﹣－"
_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_SPACES: Final = [char for char in map(chr, range(0x3001)) if char.isspace() and char != " "]
_ASCII_SPACES: Final = "\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"
_INVISIBLE: Final = re.compile(f"[{''.join(sorted(INVISIBLE))}]")
_STRETCH: Final = re.compile(r"(?s:.?)[^\x00-\x7f]+")
_SHORT: Final = 500
_LONGEST_CLUSTER: Final = 30
"""Marks on one letter, after the Stream-Safe Text Format of UAX #15: longer runs make normalising quadratic."""


class Map:
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


def _rewrite(text: str, matches: Iterable[re.Match[str]], change: Callable[[re.Match[str]], str]) -> tuple[str, Map]:
    layer = Map()
    out: list[str] = []
    done = length = 0
    for match in matches:
        piece = change(match)
        if piece == match.group():
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
    out.append(text[done:])
    return "".join(out), layer


@cache
def _table(folds: frozenset[str]) -> dict[str, str]:
    """The folds that map one character to one."""
    table: dict[str, str] = {}
    if "whitespace" in folds:
        table |= dict.fromkeys(_SPACES, " ")
    if "quotes" in folds:
        table |= {char: mark for mark, chars in _MARKS.items() for char in chars}
    if "dashes" in folds:
        table |= dict.fromkeys(_DASHES, "-")
    if "fullwidth" in folds:
        table |= {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    return table


@cache
def _clusters() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A character with what may be composed with it; and a run of marks too long to normalise."""
    marks = "".join(chr(code) for code in range(0x300, 0x1E94B) if combining(chr(code)))
    joined = f"{marks}\u1160-\u11ff\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e"
    return re.compile(f"[^{joined}][{joined}]+|[^\x00-\x7f]"), re.compile(f"[{marks}]{{{_LONGEST_CLUSTER + 1},}}")


def _unescaped(match: re.Match[str]) -> str:
    return referred(match.group())


def _unless_needed(match: re.Match[str]) -> str:
    needed = match.group() != "\u00ad" and needs_joiner(match.string, match.start())
    return match.group() if needed else ""


def _composed(match: re.Match[str]) -> str:
    return normalize("NFC", match.group())


def _spelled(match: re.Match[str]) -> str:
    found = match.group()
    return "..." if found == "…" else _LIGATURES.get(found, " ")


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    parts = {"whitespace": " {2,}", "ellipsis": "…", "ligatures": "[ﬀ-ﬆ]"}
    return re.compile("|".join(parts[name] for name in names))


def layers(text: str, folds: frozenset[str]) -> Iterator[tuple[str, Map | None]]:
    """The context-free folds, one after the other; each in time linear in the text."""
    if "entities" in folds and "&" in text:
        yield (step := _rewrite(text, REFERENCE.finditer(text), _unescaped))
        text = step[0]
    chars = {char for char in _ASCII_SPACES if char in text} if text.isascii() else set(text)
    if "invisible" in folds and not INVISIBLE.isdisjoint(chars):
        yield (step := _rewrite(text, _INVISIBLE.finditer(text), _unless_needed))
        text = step[0]
    table = _table(folds)
    for char in chars.intersection(table):
        text = text.replace(char, table[char])
    yield text, None
    if "canonical" in folds and not text.isascii() and not _settled(text, chars):
        yield (step := _rewrite(text, _unsettled(text), _composed))
        text = step[0]
        chars = set(text)
    names = ["whitespace"] if "whitespace" in folds and "  " in text else []
    names += ["ellipsis"] if "ellipsis" in folds and "…" in chars else []
    names += ["ligatures"] if "ligatures" in folds and not chars.isdisjoint(_LIGATURES) else []
    if names:
        yield _rewrite(text, _pattern(tuple(names)).finditer(text), _spelled)


def _unsettled(text: str) -> Iterator[re.Match[str]]:
    """The clusters of those stretches beyond ASCII that composing would change."""
    cluster = _clusters()[0]
    for stretch in _STRETCH.finditer(text):
        if not is_normalized("NFC", stretch.group()):
            yield from cluster.finditer(text, *stretch.span())


def _settled(text: str, chars: set[str]) -> bool:
    """Is there nothing to compose, or a run of marks that would make composing quadratic?"""
    if len(text) > _SHORT and any(map(combining, chars)) and _clusters()[1].search(text):
        return True
    return is_normalized("NFC", text)


_OTHERS: Final = re.compile(r"[^\x00-\x7f\s“”„‟«»‘’‚‛‹›ʼ‐-―−﹘﹣…ﬀ-ﬆ！-～\u00ad\u200b-\u200d\u2060\ufeff]")
_TRIGGERS: Final = {
    "whitespace": re.compile(r"\s+"),
    "entities": REFERENCE,
    "quotes": re.compile("[\"'“”„‟«»‘’‚‛‹›ʼ]"),
    "dashes": re.compile("[-‐‑‒–—―−﹘﹣]"),
    "ellipsis": re.compile(r"…|\.\.\."),
    "ligatures": re.compile("[ﬀ-ﬆ]"),
    "invisible": _INVISIBLE,
    "fullwidth": re.compile("[！-～]"),
    "canonical": _OTHERS,
}
_PRESENT: Final = {
    "entities": frozenset("&"),
    "quotes": frozenset("“”„‟«»‘’‚‛‹›ʼ"),
    "dashes": frozenset("‐‑‒–—―−﹘﹣"),
    "ellipsis": frozenset("…"),
    "ligatures": frozenset(_LIGATURES),
    "invisible": INVISIBLE,
    "fullwidth": frozenset(map(chr, range(0xFF01, 0xFF5F))),
}


_LONG_DASHES: Final = frozenset("–—―﹘")
_NONE: Final = frozenset[str]()
_SPACE_ONLY: Final = frozenset({"whitespace"})


def folds_between(source: str, quote: str, folds: frozenset[str], *, whole: bool = True) -> frozenset[str]:
    """Which context-free folds tell the matched source from the quote. `whole`: nothing else tells them apart."""
    if source == quote:
        return _NONE
    if source.isascii() and quote.isascii() and "&" not in source and "&" not in quote:
        return _SPACE_ONLY if whole or not _same_spaces(source, quote) else _NONE
    if whole and source.split() == quote.split():
        return _SPACE_ONLY
    chars = {*source, *quote}
    settled = is_normalized("NFC", source) and is_normalized("NFC", quote)
    return frozenset(
        name
        for name, each in _TRIGGERS.items()
        if name in folds
        and not (chars.isdisjoint(_PRESENT[name]) if name in _PRESENT else name == "canonical" and settled)
        and each.findall(source) != each.findall(quote)
    )


def sign_changed(source: str, quote: str) -> bool:
    """Does a minus sign meet a dash that is longer than a hyphen? Both equal `-`, but not each other."""
    if "\u2212" not in source and "\u2212" not in quote:
        return False
    pairs = zip(_TRIGGERS["dashes"].findall(source), _TRIGGERS["dashes"].findall(quote), strict=False)
    return any("\u2212" in pair and not _LONG_DASHES.isdisjoint(pair) for pair in pairs)


def _same_spaces(source: str, quote: str) -> bool:
    return _TRIGGERS["whitespace"].findall(source) == _TRIGGERS["whitespace"].findall(quote)
