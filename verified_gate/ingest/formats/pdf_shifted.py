"""Digits that a page sets higher or lower than what they touch: the mark of a note, an exponent, an index, a fraction.

PDFium gives 500 and a raised 1 as `5001`, 10 and a raised 2 as `102`: another number than the one that a reader sees.
Such digits are written with the raised or lowered signs of Unicode, one for one, so that the number stays what it is:
`500¹`, `10²`, `5¹/₂`, `H₂O`.
"""

import ctypes
import itertools
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from pypdfium2 import raw  # type: ignore[import-untyped]

from verified_gate.ingest.formats import pdf_calls as ask

DIGIT: Final = "".join(filter(str.isdecimal, map(chr, range(0x10000))))
"""The digits of most scripts. To look for them by a list is twice as fast as by their kind."""
_DIGITS: Final = re.compile(f"[{DIGIT}][{DIGIT}]*"), re.compile(r"\d+")
_FROM_DIGIT: Final = re.compile(rf"[{DIGIT}][^\s\ufffe]*"), re.compile(r"\d[^\s\ufffe]*")
"""In a text of characters of 16 bits alone, and in others."""
_TOUCHING: Final = 0.7
"""Times its size: a digit is no wider."""
_GROUP: Final = re.compile(r"\d{3}(?!\d)")
_BLANK: Final = frozenset("\t\n\r \u00a0\ufffe")
_MOST_BLANKS: Final = 3
_FAR: Final = 100.0
"""Points, across and up: letters beyond stand on lines of their own, and are not asked for their size."""
_NEXT: Final = 1.1
"""Times their size: so far from the beginning of a letter the next one begins at most."""
_SIGNS: Final = frozenset("+-\u2212(")
_HIGH: Final = 0.35
"""Of its own height: so far above the line the drawing of a raised digit begins, at least; that of others begins on it,
or below as in old style.
"""
_REACH: Final = 4
_LEVEL: Final = 0.5
"""Points; what differs less in height is not asked for its size and direction."""
_SMALLER: Final = 0.9
"""Letters this many times the size of their neighbour, or less, are small ones."""
_SHIFT_OF_SMALL: Final = 0.1
_SHIFT: Final = 0.2
"""Of the larger size: so much the height of small letters, or of letters of one size, must differ."""
_SHIFT_OF_FILLED: Final = 0.3
"""The same of letters of one size with a blank between: what is filled in by hand stands not quite on the line."""
_RAISED: Final = str.maketrans("0123456789+-\u2212=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_LOWERED: Final = str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


class _Letter(NamedTuple):
    """How far along its line it begins, how high it stands across it, and its size, in points."""

    left: float
    base: float
    size: float


class _Run(NamedTuple):
    """Letters [start, end) of the text that stand at one height."""

    start: int
    end: int
    letter: _Letter


class Heights:
    """Where the letters of a page stand; `handle` is that of its text, `fixed`."""

    def __init__(self, handle: Any, numbers: list[int] | None) -> None:
        """`numbers`: PDFium's number of each code point of the text, where it is another than its offset."""
        self._handle, self._numbers = handle, numbers
        self.in_pieces: list[tuple[int, int]] = []
        """Where numbers, and what touches them, stand that are of more than one text object."""
        self._across, self._up, self._turn = ctypes.c_double(), ctypes.c_double(), raw.FS_MATRIX()
        self._at = ctypes.byref(self._across), ctypes.byref(self._up)
        self._at_turn = ctypes.byref(self._turn)
        self._sides = (ctypes.c_double * 4)()
        self._at_sides = [ctypes.byref(self._sides, 8 * side) for side in range(4)]

    def set_apart(self, text: str) -> str:
        """The text with digits that are raised or lowered beside what they touch written as such."""
        signs: list[str] | None = None
        wide = len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)
        for start, end in self._drawn_high(text, _DIGITS[wide]):
            signs = signs or list(text)
            signs[start:end] = _written(text[start:end], _RAISED)
        for match in _FROM_DIGIT[wide].finditer(text):
            start, end = match.span()
            if start and text[start - 1] in _SIGNS:
                start -= 1
            before, after = _before(text, start), _after(text, end)
            if self._is_of_one(start if before < 0 else before, end - 1 if after < 0 else after):
                continue
            if before >= 0 and self._are_far(before, start):
                before = -1
            if after >= 0 and self._are_far(end - 1, after):
                after = -1
            if not self._is_of_one(start, end - 1):
                self.in_pieces.append((start, end))
            elif before < 0 and after < 0:
                continue
            offsets = [*range(start, end)] if before < 0 else [before, *range(start, end)]
            if after >= 0:
                offsets.append(after)
            for run, signs_of in self._shifted(text, offsets):
                piece = text[run.start : run.end]
                if any(map(str.isdigit, piece)):
                    signs = signs or list(text)
                    signs[run.start : run.end] = _written(piece, signs_of)
        return text if signs is None else "".join(signs)

    def _drawn_high(self, text: str, digits: re.Pattern[str]) -> Iterator[tuple[int, int]]:
        """The last digits of numbers that their font itself draws high, beside others that it does not: their place and
        size are those of all.
        """
        for match in digits.finditer(text):
            start = end = match.end()
            while start > match.start() and self._is_high(start - 1):
                start -= 1
            if start < end:
                beside = _beside(text, start, end)
                if beside >= 0 and not self._is_high(beside):
                    yield start, end

    def _is_high(self, offset: int) -> bool:
        """Does the drawing of the character begin well above the height on which it stands?"""
        number = offset if self._numbers is None else self._numbers[offset]
        if not ask.ink_of(self._handle, number, *self._at_sides):
            return False
        _, _, bottom, top = self._sides
        ask.origin_of(self._handle, number, *self._at)
        if bottom - self._up.value <= max(0.0, _HIGH * (top - bottom)):
            return False
        turn = self._turn
        return (
            bool(ask.turn_of(self._handle, number, self._at_turn)) and turn.a > 0 < turn.d and not turn.b and not turn.c
        )

    def _is_of_one(self, first: int, last: int) -> bool:
        """Do both ends belong to one text object? What is shifted is painted on its own."""
        if self._numbers is not None:
            first, last = self._numbers[first], self._numbers[last]
        return bool(ask.owner_of(self._handle, first) == ask.owner_of(self._handle, last))

    def _are_far(self, one: int, other: int) -> bool:
        """Do two characters with something between them stand so far apart that they are no neighbours?"""
        if other == one + 1:
            return False
        across, up = self._origin(one)
        there, high = self._origin(other)
        return abs(across - there) + abs(up - high) > _FAR

    def _shifted(self, text: str, offsets: list[int]) -> Iterable[tuple[_Run, dict[int, int]]]:
        heights = [up for _, up in map(self._origin, offsets)]
        if max(heights) - min(heights) < _LEVEL:
            return ()
        return _shifted(text, [(at, self._letter(at)) for at in offsets])

    def _origin(self, offset: int) -> tuple[float, float]:
        ask.origin_of(self._handle, offset if self._numbers is None else self._numbers[offset], *self._at)
        return self._across.value, self._up.value

    def _letter(self, offset: int) -> _Letter:
        number, scale = offset if self._numbers is None else self._numbers[offset], 1.0
        left, base = self._origin(offset)
        size = float(ask.size_of(self._handle, number))
        if ask.turn_of(self._handle, number, self._at_turn):
            a, b = self._turn.a, self._turn.b
            if size < 0:  # turns the letters once more
                a, b = -a, -b
            along = math.hypot(a, b) or 1.0
            left, base = (a * left + b * base) / along, (a * base - b * left) / along
            scale = math.hypot(self._turn.c, self._turn.d)
        return _Letter(left, base, abs(size) * scale)


def _beside(text: str, start: int, end: int) -> int:
    """Where the nearest letter or digit stands, before [start, end) or else after it, or -1."""
    before, after = range(start - 1, max(-1, start - 1 - _REACH), -1), range(end, min(len(text), end + _REACH))
    return next((at for at in (*before, *after) if text[at].isalnum()), -1)


def _before(text: str, start: int) -> int:
    """Where the character before stands, or -1; PDFium may have put a space or the end of a line between."""
    at = start - 1
    while at > start - _MOST_BLANKS and at > 0 and text[at] in _BLANK:
        at -= 1
    return at if at >= 0 and text[at] not in _BLANK else -1


def _after(text: str, end: int) -> int:
    """Where the character after stands, or -1."""
    for at in range(end, min(len(text), end + _MOST_BLANKS)):
        if text[at] not in _BLANK:
            return at
    return -1


def _touch(one: tuple[int, _Letter], other: tuple[int, _Letter]) -> bool:
    """Do they stand beside each other, whatever PDFium put between them in the text?"""
    (at, first), (then, second) = one, other
    size = max(first.size, second.size)
    return then == at + 1 or (0 < second.left - first.left < _NEXT * size and abs(first.base - second.base) < size)


def _shifted(text: str, letters: list[tuple[int, _Letter]]) -> Iterator[tuple[_Run, dict[int, int]]]:
    if not _touch(letters[0], letters[1]):
        del letters[0]
    if len(letters) > 1 and not _touch(letters[-2], letters[-1]):
        del letters[-1]
    runs: list[_Run] = []
    for at, letter in letters:
        if runs and not _differ(runs[-1].letter, letter):
            runs[-1] = runs[-1]._replace(end=at + 1)
        else:
            runs.append(_Run(at, at + 1, letter))
    lasts = {then: each for each, (then, _) in itertools.pairwise(letters)}
    plain: _Run | None = None  # the last one that is not shifted
    for at, run in enumerate(runs):
        after = runs[at + 1] if at + 1 < len(runs) else None
        beside = next((each for each in (plain, after) if each is not None and _is_small(run, each)), None)
        if beside is None and plain is not None and not _is_small(plain, run):  # of one size
            beside = plain if _differ(plain.letter, run.letter, _least(text, lasts[run.start], run)) else None
        if beside is None:
            plain = run
        else:
            yield run, _RAISED if run.letter.base > beside.letter.base else _LOWERED


def _least(text: str, last: tuple[int, _Letter], run: _Run) -> float:
    """How far letters of one size must stand apart in height from the `last` one before them. It is for their height alone
    that they are no part of a number that they touch; of what stands apart, or behind a word, they are none in any case,
    and were filled in, not quite on the line.
    """
    at, letter = last
    if not text[at].isdigit():
        return math.inf
    if 0 < run.letter.left - letter.left < _TOUCHING * letter.size:
        return _SHIFT if run.start == at + 1 else _SHIFT_OF_FILLED
    return _SHIFT_OF_FILLED if run.start == at + 1 or _GROUP.match(text, run.start) else math.inf


def _differ(one: _Letter, other: _Letter, least: float = _SHIFT) -> bool:
    small, large = sorted((one.size, other.size))
    return abs(one.base - other.base) > large * (_SHIFT_OF_SMALL if small <= _SMALLER * large else least)


def _is_small(run: _Run, beside: _Run) -> bool:
    return run.letter.size <= _SMALLER * beside.letter.size and _differ(run.letter, beside.letter)


def _written(piece: str, signs: dict[int, int]) -> str:
    """With the digits of all scripts as those that Unicode has raised and lowered signs for; letters where all are."""
    plain = "".join(str(unicodedata.digit(char)) if char.isdecimal() else char for char in piece)
    if not all(ord(char) in signs for char in plain):
        signs = {code: sign for code, sign in signs.items() if not chr(code).isalpha()}
    return plain.translate(signs)
