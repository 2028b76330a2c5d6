"""The independent judge: does this quote stand in this source under this profile?

Written from the contract of the quote check alone; it shares no code, table or pattern with the gate. It compares the
atoms of the quote (words, numbers, signs, and whether they touch) with those of the source and asks for clean borders.
It is slow and strict: where the contract leaves a case open, the answer is "not a true quote". It is asked about every
quote a checker accepted, so a mutation that happens to be true is told from a false accept.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from tests.mutation.borders import (
    INVISIBLE,
    clean_end,
    clean_start,
    is_body,
    is_spaceless,
)
from tests.mutation.reading import PROFILES, Atom, capitals, line_hyphen, read, skips
from tests.mutation.words import LIMITS, LIMITS_SPACELESS, STOP_WORDS

_MARK = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|\(\s*(?:…|\.\.\.)\s*\)|…|\.\.\.)\s*")
_LINE_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]*\r?\n[ \t]*(?=[^\W\d_])")
_SENTENCE_END = re.compile(r"[.!?…。！？؟।]['\")\]”’»]*(?:\s|$)|\n\s*\n|[。！？।]")
_OPENING = "\"'“„«‘‚‹"
_CLOSING = "\"'”“»’‘›"
_BIDI_MARKS = frozenset("\u200e\u200f\u061c")
Span = tuple[int, int]


def true_quote(text: str, quote: str, profile: str) -> bool:
    """Whether accepting `quote` as a quote of `text` under `profile` would be right."""
    return bool(Source(text).spans(quote, profile))


class Source:
    """One source text, read once per profile."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: dict[str, _Reading] = {}

    def spans(self, quote: str, profile: str) -> list[Span]:
        """Every place where the quote truly stands: `(start, end)` in code points; empty if it is no true quote."""
        if profile not in PROFILES:
            raise ValueError(f"unknown profile {profile!r}")
        if not telling(quote) or not visible(quote, self.text, profile):
            return []
        found = list(self._exact(quote))
        if profile != "verbatim":
            found += self._folded(quote, profile)
        return sorted({span for span in found if long_enough(quote, self.text) or self._whole(*span)})

    def _folded(self, quote: str, profile: str) -> list[Span]:
        reading = self._reading(profile)
        found = reading.find(read(quote, profile))
        written = [quote]
        if profile != "typographic":
            for rejoined in {_LINE_HYPHEN.sub(mark, quote) for mark in ("", "-")} - {quote}:
                found += reading.find(read(rejoined, profile))
                written.append(rejoined)
        if profile == "editorial":
            for variant in (variant for one in written for variant in _edited(one)):
                found += self._exact(variant)
                found += reading.find(read(variant, profile))
            if not found and long_enough(quote, self.text):
                found = self._elided(quote, reading)
        return found

    def holds_at(self, quote: str, profile: str, start: int, end: int) -> bool:
        """Whether the quote truly stands at this very span, give or take marks and punctuation at its ends."""
        wanted = _core(self.text, start, end)
        return any(_core(self.text, low, high) == wanted for low, high in self.spans(quote, profile))

    def _exact(self, quote: str) -> Iterator[Span]:
        at = self.text.find(quote)
        while at >= 0:
            if clean_start(self.text, at) and clean_end(self.text, at + len(quote)):
                yield at, at + len(quote)
            at = self.text.find(quote, at + 1)

    def _whole(self, start: int, end: int) -> bool:
        """Whether the span is a whole line, table cell or sentence."""
        before = self.text[:start].rstrip(" \u00a0\u3000\"'“„«‘(*#>-•")
        after = self.text[end:].lstrip(" \u00a0\u3000.;:,\"'”“»’)*")
        opens = not before or before[-1] in "\n\r|\t.!?。！？؟।…"
        return opens and (not after or after[0] in "\n\r|\t" or self.text[end - 1] in ".!?。！？؟।")

    def _reading(self, profile: str) -> "_Reading":
        if profile not in self._read:
            self._read[profile] = _Reading(self.text, profile)
        return self._read[profile]

    def _elided(self, quote: str, reading: "_Reading") -> list[Span]:
        parts = _MARK.split(quote)
        if len(parts) < 2 or any(len(part.split()) < 2 for part in parts):
            return []
        places = [reading.find(read(part, "editorial")) for part in parts]
        if not all(places):
            return []
        return [chain for first in places[0] for chain in self._chains(first, first[1], places[1:], 0)]

    def _chains(self, first: Span, at: int, rest: list[list[Span]], left_out: int) -> Iterator[Span]:
        if not rest:
            inside = self.text[first[0] : at]
            if not _SENTENCE_END.search(inside[:-1]):
                yield first[0], at
            return
        for low, high in rest[0]:
            gap = low - at
            if 0 < gap and left_out + gap <= 200 and not limits(self.text[at:low]):
                yield from self._chains(first, high, rest[1:], left_out + gap)


class _Reading:
    """The atoms of a source under one profile, and where each begins."""

    def __init__(self, text: str, profile: str) -> None:
        self.text = text
        self.atoms = read(text, profile)
        wide = profile != "typographic"
        self.extracted = wide
        self.skips = skips(text, self.atoms) if wide else {}
        self.capitals = capitals(self.atoms) if profile == "editorial" else set()
        self.first: dict[str, list[int]] = {}
        for number, atom in enumerate(self.atoms):
            self.first.setdefault(atom.text, []).append(number)
            if number in self.capitals:
                self.first.setdefault(atom.text.lower(), []).append(number)
            if wide and line_hyphen(self.atoms, number + 1):
                self.first.setdefault(self._joined(number)[0], []).append(number)

    def find(self, quote: list[Atom]) -> list[Span]:
        if not quote:
            return []
        starts = self.first.get(quote[0].text, [])
        if self.capitals and (lower := quote[0].text.lower()) != quote[0].text:
            starts = sorted({*starts, *self.first.get(lower, []), *self.first.get(quote[0].text.upper(), [])})
        found = []
        for number in starts:
            low = self.atoms[number].start
            if number and self.atoms[number - 1].end > low:
                continue  # inside one source character
            if not clean_start(self.text, low):
                continue
            for last in set(self._match(number, quote)):
                end = self.atoms[last].end
                if last + 1 < len(self.atoms) and self.atoms[last + 1].start < end:
                    continue
                if clean_end(self.text, end):
                    found.append((low, end))
        return found

    def _match(self, start: int, quote: list[Atom]) -> Iterator[int]:
        """The last atom of each way to read the quote from atom `start` on."""
        pending = [(start, 0, False, True)]  # atom, quote atom, gap carried over skipped marks, at the beginning
        while pending:
            number, at, carried, begins = pending.pop()
            if at == len(quote):
                yield number - 1
                continue
            if number >= len(self.atoms):
                continue
            atom, wanted = self.atoms[number], quote[at]
            if not begins:
                for length in self.skips.get(number, ()):
                    pending.append(
                        (number + length, at, carried or bool(atom.gap) or self._gap_in(number, length), False)
                    )
                if not self._same_gap(number, carried, bool(wanted.gap)):
                    continue
            if self._same(number, wanted.text):
                pending.append((number + 1, at + 1, False, False))
            elif self.extracted and line_hyphen(self.atoms, number + 1):
                joined, after = self._joined(number)
                if joined == wanted.text or (number in self.capitals and joined.lower() == wanted.text.lower()):
                    pending.append((after, at + 1, False, False))

    def _joined(self, number: int) -> tuple[str, int]:
        """A word broken over line ends, joined; and the atom after it."""
        word = self.atoms[number].text
        while line_hyphen(self.atoms, number + 1):
            number += 2
            word += self.atoms[number].text
        return unicodedata.normalize("NFC", word), number + 1

    def _gap_in(self, number: int, length: int) -> bool:
        return any(self.atoms[inner].gap for inner in range(number + 1, number + length))

    def _same(self, number: int, wanted: str) -> bool:
        have = self.atoms[number].text
        if have == wanted:
            return True
        return number in self.capitals and len(have) == len(wanted) and have.lower() == wanted.lower()

    def _same_gap(self, number: int, carried: bool, wanted: bool) -> bool:
        atom, before = self.atoms[number], self.atoms[number - 1]
        have = carried or bool(atom.gap)
        if have == wanted:
            return True
        if have and not wanted and self.extracted and atom.broken:
            if line_hyphen(self.atoms, number - 1):
                return True
            return is_spaceless(before.text[0]) and is_spaceless(atom.text[0])
        return False


def telling(quote: str) -> bool:
    """Whether the quote says anything: a letter or digit, and not stop words alone."""
    words = [word for word in quote.split() if any(is_body(char) for char in word)]
    return bool(words) and not all(_bare(word) in STOP_WORDS for word in words)


def long_enough(quote: str, text: str) -> bool:
    """Step 4 without its exceptions for a whole sentence or cell: three words, or two with a number, or four letters
    of a script without spaces; or all of the text."""
    if not telling(quote):
        return False
    if quote.strip() == text.strip():
        return True
    if sum(is_spaceless(char) and unicodedata.category(char)[0] == "L" for char in quote) >= 4:
        return True
    words = [word for word in quote.split() if any(is_body(char) for char in word)]
    numbers = sum(any(char.isnumeric() for char in word) for word in words)
    return len(words) >= 3 or (len(words) == 2 and numbers >= 1)


def _bare(word: str) -> str:
    return "".join(char for char in word if is_body(char)).lower()


def visible(quote: str, text: str, profile: str) -> bool:
    """Step 5: nothing hidden in the quote, but for joiners a script needs and marks the right-to-left source has."""
    for at, char in enumerate(quote):
        if unicodedata.category(char) not in ("Cf", "Co", "Cs"):
            continue
        if char in INVISIBLE and profile != "verbatim":
            continue
        if char in "\u200c\u200d" and _joiner_needed(quote, at):
            continue
        if char in _BIDI_MARKS and quote in text and _right_to_left(text):
            continue
        return False
    return True


def _joiner_needed(quote: str, at: int) -> bool:
    around = quote[at - 1 : at] + quote[at + 1 : at + 2]
    return any(ord(char) > 0x052F and not 0x1E00 <= ord(char) <= 0x2FFF for char in around)


@lru_cache(maxsize=256)
def _right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def limits(left_out: str) -> bool:
    """Whether what an elision leaves out negates or limits."""
    words = {word.lower() for word in re.findall(r"[\w'’]+", left_out)}
    if any(word in LIMITS or word.endswith(("n't", "n’t")) for word in words):
        return True
    return any(mark in left_out for mark in LIMITS_SPACELESS)


def _edited(quote: str) -> Iterator[str]:
    """The quote without what `editorial` lets an author add, one and two at a time."""
    seen = {quote}
    pending = [quote]
    while pending:
        current = pending.pop()
        for variant in _undo_one(current):
            if variant not in seen:
                seen.add(variant)
                pending.append(variant)
                yield variant


def _undo_one(quote: str) -> Iterator[str]:
    bare = quote.strip()
    if len(bare) > 2 and bare[0] in _OPENING and bare[-1] in _CLOSING:
        yield bare[1:-1].strip()
    if len(bare) > 2 and bare[-1] in ".,;" and bare[-2] not in ".,;…":
        yield bare[:-1]
    if len(bare) > 4 and bare[-1] in _CLOSING and bare[-2] in ".,;" and bare[0] in _OPENING:
        yield bare[1:-2]
    found = re.match(r"\[(\w)\](?=\w)", bare)
    if found is not None:
        letter, rest = found[1], bare[3:]
        for other in {letter, letter.lower(), letter.upper()}:
            if len(other) == 1:
                yield other + rest


def _core(text: str, start: int, end: int) -> Span:
    """The span without what is neither letter nor digit at its ends."""
    while start < end and not is_body(text[start]):
        start += 1
    while end > start and not is_body(text[end - 1]):
        end -= 1
    return start, end
