"""Where a reader sees one character end and the next begin: borders of grapheme clusters after UAX #29.

The standard library has no table of cluster breaks. This file follows the rules as far as `unicodedata` carries
them and leans to "no border" where it does not know: a passage or a quote then keeps a mark with its letter.
"""

import unicodedata
from typing import Final

LOOK_BACK: Final = 256
"""How far back a rule looks, in code points: a longer run of flags or marks can only be meant as an attack."""

_FIRST_COMBINING: Final = "\u0300"
_ZWNJ: Final = "\u200c"
_ZWJ: Final = "\u200d"

_EXTENDING_FORMATS: Final = frozenset({_ZWNJ, _ZWJ, "\u0e33", "\u0eb3", "\uff9e", "\uff9f"})
"""No marks by category, yet they stay with what stands before: joiners, Thai and Lao AM, half-width voicing marks."""

_PREPENDED: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
    "\U0001193f\U00011941\U00011a84\U00011a85\U00011a86\U00011a87\U00011a88\U00011a89\U00011d46"
)
"""Signs that stay with what follows, such as the Arabic number sign."""

_LINKERS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
"""Viramas that join two consonants into one shape (Devanagari, Bengali, Gujarati, Oriya, Telugu, Malayalam)."""


def is_grapheme_border(text: str, index: int) -> bool:
    """Does a character, as a reader counts them, begin at `index` (code points)? Both ends of `text` are borders.

    The rules named GB… are those of UAX #29. Looks back at most `LOOK_BACK` code points.
    """
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before < _FIRST_COMBINING and after < _FIRST_COMBINING:  # most of all calls end here
        return not (before == "\r" and after == "\n")  # GB3
    if _is_control(before) or _is_control(after):  # GB4, GB5
        return True
    if _extends(after):  # GB9, GB9a
        return False
    if before in _PREPENDED:  # GB9b
        return False
    if "\u1100" <= after <= "\ud7fb" and _joins_hangul(before, after):  # GB6 to GB8
        return False
    if _is_regional(after) and _is_regional(before):  # GB12, GB13
        return _pairs_before(text, index)
    if "\u0904" <= after <= "\u0d7f" and _extends(before):  # GB9c
        return _LINKERS.isdisjoint(text[_base_before(text, index) : index]) or unicodedata.category(after) != "Lo"
    if before == _ZWJ and _is_pictograph(after):  # GB11
        return not _is_pictograph(text[_base_before(text, index)])
    return True


def grapheme_border_before(text: str, index: int, floor: int = 0) -> int:
    """The last border at or before `index` and not before `floor`; `index` itself where there is none.

    A single cluster longer than `LOOK_BACK` is cut, so that no text can make a piece unbounded.
    """
    for candidate in range(index, max(floor, index - LOOK_BACK) - 1, -1):
        if is_grapheme_border(text, candidate):
            return candidate
    return index


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or char in _EXTENDING_FORMATS
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= char <= "\U000e007f"  # tags of subdivision flags
    )


def _is_control(char: str) -> bool:
    category = unicodedata.category(char)
    if category == "Cf":
        return not (char in _EXTENDING_FORMATS or char in _PREPENDED or "\U000e0020" <= char <= "\U000e007f")
    return category in ("Cc", "Zl", "Zp", "Cs")


def _joins_hangul(before: str, after: str) -> bool:
    if _is_lead(before):
        return _is_lead(after) or _is_vowel(after) or _is_syllable(after)
    if _is_vowel(before) or (_is_syllable(before) and (ord(before) - 0xAC00) % 28 == 0):
        return _is_vowel(after) or _is_trail(after)
    return (_is_trail(before) or _is_syllable(before)) and _is_trail(after)


def _is_lead(char: str) -> bool:
    return "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c"


def _is_vowel(char: str) -> bool:
    return "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6"


def _is_trail(char: str) -> bool:
    return "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb"


def _is_syllable(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _pairs_before(text: str, index: int) -> bool:
    """Is the number of regional indicators before `index` even, so that a new flag begins here?"""
    start = index
    floor = max(0, index - LOOK_BACK)
    while start > floor and _is_regional(text[start - 1]):
        start -= 1
    return (index - start) % 2 == 0 if start > floor or floor == 0 else index % 2 == 0


def _base_before(text: str, index: int) -> int:
    """Index of the character that the marks just before `index` stand on."""
    base = index - 1
    floor = max(0, index - LOOK_BACK)
    while base > floor and _extends(text[base]):
        base -= 1
    return base


def _is_pictograph(char: str) -> bool:
    return (
        char in "\u00a9\u00ae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299"
        or "\u2190" <= char <= "\u2bff"
        or ("\U0001f000" <= char <= "\U0001faff" and not _is_regional(char))
    )
