"""The marks of footnotes in a text: what a footnote begins with, and what refers to one."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
PLAIN: Final = str.maketrans(RAISED + "⁽", "0123456789(")

_SIGNS: Final = "⁺⁻⁼ⁿⁱ"
_AFTER: Final = rf"(?![{RAISED}{_SIGNS}/⁄₀-₉])"
_ANY: Final = re.compile(rf"[{RAISED}*†‡]")
_BEGINS: Final = re.compile(
    rf"⁽?([{RAISED}]{{1,3}})⁾?{_AFTER}[.)]?|(\*{{1,3}}|†{{1,3}}|‡{{1,3}})(?![*†‡])"
    r"|\(?(\d{1,3})[.)]?(?=\s+(?!(?:st|nd|rd|th|er|re|e|ème|º|ª)\b)[^\W\d_\"'(“‘„«»])"
)
_REFERS: Final = re.compile(
    rf"(?<![{RAISED}{_SIGNS}])([{RAISED}]{{1,3}})⁾?{_AFTER}(?![^\W_])"
    r"|(?<=[\w.,;:!?)\"'”’»])(\*{1,3}|†{1,3}|‡{1,3})(?![\w*†‡])"
)
_MAY_BE_POWER: Final = re.compile(r"(?:(\d)|(?<![^\W\d_])[^\W\d_]{1,2})[)\]]?\s*\Z")
"""What stands before a number that may be an exponent: a digit, or a unit or a single letter."""
_FAR_ENOUGH: Final = 8
_ORDER: Final = {mark: number for number, mark in enumerate(("*", "**", "***", "†", "††", "†††", "‡", "‡‡", "‡‡‡"))}


class Mark(NamedTuple):
    """What a footnote begins with: its value as text; the way it is written: "raised", a "sign", or "plain", a number in
    letters of its own size; and its length in code points.
    """

    value: str
    style: str
    length: int


class Reference(NamedTuple):
    """[start, end) of a text refers to the mark of this value; `sure`: it is no exponent."""

    start: int
    end: int
    value: str
    sure: bool


def holds_marks(text: str) -> bool:
    """May a footnote be referred to in `text`?"""
    return _ANY.search(text) is not None


def mark_of(words: str) -> Mark | None:
    """What a line that may be the first of a footnote begins with."""
    match = _BEGINS.match(words)
    if match is None:
        return None
    raised, sign, plain = match.groups()
    if sign is not None:
        return Mark(sign, "sign", len(sign)) if words.count(sign[0]) == len(sign) else None  # `**bold**`
    if raised is not None:
        return Mark(raised.translate(PLAIN), "raised", match.end())
    return Mark(plain, "plain", match.end())


def references(text: str) -> Iterator[Reference]:
    """Where footnotes are referred to, in order. Work is linear in the text."""
    for match in _REFERS.finditer(text):
        raised, sign = match.groups()
        if sign is not None:
            yield Reference(*match.span(), sign, sure=True)
            continue
        value, start = raised.translate(PLAIN), match.start()
        power = _MAY_BE_POWER.search(text, max(0, start - _FAR_ENOUGH), start)
        # nothing is raised to the power of 1, and no unit to one of two digits
        sure = value == "1" or power is None or (len(value) > 1 and power[1] is None)
        yield Reference(start, match.end(), value, sure)


def follows(mark: str, before: str) -> bool:
    """Do these marks count up by one; of signs: in their order?"""
    if mark.isdecimal() and before.isdecimal():
        return int(mark) == int(before) + 1
    return mark in _ORDER and before in _ORDER and _ORDER[mark] > _ORDER[before]
