"""Step 7, borders: a quote may not begin or end inside a word, a number or a joined compound of its source.

Each attack it stops is a true substring that says something else: `5 mg` of `15 mg`, `able` of `unable`,
`refundable` of `non-refundable`, `102` of `10²`, `5 %` of `−5 %`, `can` of `can't`.
"""

import html
import re
from typing import Final
from unicodedata import category

from verified_gate.text.characters import APOSTROPHES, DASHES, HYPHENS, INVISIBLE, LINE_BREAK, is_unspaced, is_word
from verified_gate.text.graphemes import is_grapheme_border

_JOINING: Final = HYPHENS | frozenset("\u2012\u2013\u2212")
_SEPARATORS: Final = frozenset(".,'\u2019\u066b\u066c\u00b7:/\u2044\uff0e\uff0c")
_POINTS: Final = frozenset(".,\u066b")
_PERCENT: Final = frozenset("%\u2030\u2031\u066a\uff05")
_ATTACHED: Final = _PERCENT | frozenset("\u00b0\u2032\u2033+^")
_OPERATORS: Final = frozenset("+\u00b1\u2213\u2212<>\u2264\u2265\u2248~\u223c\u2260\u00d7\u00f7^")
_EMPHASIS: Final = frozenset("*_~`")
_GAP: Final = 64
"""A line-end hyphen, emphasis or entity is looked for this far; longer runs can only be meant as an attack."""

_ENTITY_BEFORE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});\Z")
_ENTITY_AFTER: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")


def splits_token(text: str, start: int, end: int) -> bool:
    """Does the span [start, end) of `text` begin or end inside a token? The span must not be empty."""
    return _splits_at_start(text, start) or _splits_at_end(text, end)


def _splits_at_start(text: str, start: int) -> bool:
    if start == 0:
        return False
    before, first = text[start - 1], text[start]
    if before == " " and first.isalpha() and start > 1 and text[start - 2].isalpha():
        return False  # most of all quotes begin here
    if not is_grapheme_border(text, start):
        return True
    before, at = _seen_before(text, start)
    second = text[start + 1 : start + 2]
    if is_word(first):
        if is_word(before):
            return _one_word(before, first)
        if (before in _JOINING or before in APOSTROPHES) and at > 0 and is_word(text[at - 1]):
            return True
        if before.isspace() and _hyphen_over_break(text, at):
            return True
        return first.isnumeric() and _number_reaches_back(text, start, at)
    if not is_word(before):  # a sign, a currency or an operator may still belong to what stands before it
        return False
    if first in _JOINING or first in APOSTROPHES:
        return bool(second) and is_word(second)
    if first in _SEPARATORS or first in DASHES:
        return before.isnumeric() and second.isnumeric()
    return (before.isnumeric() and (first in _PERCENT or first in _ATTACHED or category(first) == "Sc")) or (
        category(first) == "Sc" and before.isalpha()  # `US$`
    )


def _number_reaches_back(text: str, start: int, at: int) -> bool:
    """Does the number that begins at `start` go on to the left of the sign at `at`?"""
    sign = text[at]
    before = text[at - 1] if at else ""
    if sign in _SEPARATORS:
        return before.isnumeric() or (sign in _POINTS and not is_word(before or " "))
    if sign in DASHES or category(sign) == "Sc":
        return True
    if sign in _OPERATORS:
        return sign != ">" or not before or not (before.isalpha() or before in "\"'/-")  # `>` may end a tag
    if not sign.isspace() or not before:
        return False
    if before.isnumeric():
        return text[start] in "\u00bc\u00bd\u00be" or _groups_meet(text, at, start)
    return category(before) == "Sc" or (
        before in _OPERATORS and before not in "~^+" and (before != ">" or not _opens_line(text, at - 1))
    )


def _groups_meet(text: str, left_end: int, right: int) -> bool:
    """Are the digits before `left_end` and from `right` on groups of one number, as in `1 000 000`?"""
    group = text[right : right + 4]
    if not (group[:3].isdecimal() and len(group) >= 3) or group[3:].isdecimal():
        return False
    left = left_end
    while left > 0 and left_end - left < 4 and text[left - 1].isdecimal():
        left -= 1
    return 1 <= left_end - left <= 3


def _splits_at_end(text: str, end: int) -> bool:
    if end == len(text):
        return False
    last, after = text[end - 1], text[end]
    if after == " " and last.isalpha():
        return False
    if not is_grapheme_border(text, end):
        return True
    after, at = _seen_after(text, end)
    beyond = text[at + 1 : at + 2]
    if is_word(last):
        if is_word(after):
            return _one_word(last, after)
        if after in _JOINING and ((beyond and is_word(beyond)) or _letter_after_break(text, at + 1)):
            return True
        if after in APOSTROPHES and last in "nN" and beyond in ("t", "T") and not is_word(text[at + 2 : at + 3] or " "):
            return True  # `can` of `can't`
        return last.isnumeric() and _number_goes_on(text, end, at)
    second_last = text[end - 2 : end - 1]
    if (last in _JOINING or last in APOSTROPHES) and second_last and is_word(second_last):
        return is_word(after) or (last in HYPHENS and _letter_after_break(text, end))
    if not after.isnumeric():
        return False
    if last in _SEPARATORS:
        return second_last.isnumeric()
    return last in DASHES or last in _OPERATORS or category(last) == "Sc"


def _number_goes_on(text: str, end: int, at: int) -> bool:
    """Does the number that ends at `end` go on with the sign at `at`?"""
    sign = text[at]
    beyond = text[at + 1 : at + 2]
    if sign in _SEPARATORS or sign in DASHES:
        return beyond.isnumeric()
    if sign in _ATTACHED or category(sign) == "Sc":
        return True
    if not sign.isspace() or not beyond:
        return False
    if beyond.isnumeric():
        return beyond in "\u00bc\u00bd\u00be" or _groups_meet(text, end, at + 1)
    return beyond in _PERCENT or (category(beyond) == "Sc" and not text[at + 2 : at + 3].isnumeric())


def _one_word(left: str, right: str) -> bool:
    """Two neighbouring word characters: scripts without spaces have no border, but a number has none inside."""
    if is_unspaced(left) or is_unspaced(right):
        return left.isnumeric() and right.isnumeric()
    return True


def _seen_before(text: str, start: int) -> tuple[str, int]:
    """The character that a reader sees before `start`, and its index: emphasis marks and invisible characters
    between are passed over, and a character reference counts as its character.
    """
    at = start - 1
    floor = max(0, at - _GAP)
    while at > floor and (text[at] in INVISIBLE or text[at] in _EMPHASIS) and text[at] != "\u00ad":
        at -= 1
    if text[at] == ";" and (entity := _ENTITY_BEFORE.search(text, max(0, at - 33), at + 1)):
        return html.unescape(entity.group())[-1:] or ";", entity.start()
    if text[at] in _EMPHASIS or (text[at] == "\u00ad" and not at):
        return " ", at
    return text[at], at


def _seen_after(text: str, end: int) -> tuple[str, int]:
    """The character that a reader sees at `end`, and the index where it ends, as in `_seen_before`."""
    at = end
    ceiling = min(len(text) - 1, end + _GAP)
    while at < ceiling and (text[at] in INVISIBLE or text[at] in _EMPHASIS) and text[at] != "\u00ad":
        at += 1
    if text[at] == "&" and (entity := _ENTITY_AFTER.match(text, at)):
        return html.unescape(entity.group())[:1] or "&", entity.end() - 1
    return (" ", at) if text[at] in _EMPHASIS else (text[at], at)


def _hyphen_over_break(text: str, at: int) -> bool:
    """Does a line-end hyphen join what stands before the white space that ends at `at`?"""
    floor = max(0, at - _GAP)
    broken = False
    while at > floor and text[at].isspace():
        broken = broken or text[at] in LINE_BREAK
        at -= 1
    return broken and text[at] in HYPHENS and at > 0 and text[at - 1].isalpha()


def _letter_after_break(text: str, at: int) -> bool:
    ceiling = min(len(text), at + _GAP)
    broken = False
    while at < ceiling and text[at].isspace():
        broken = broken or text[at] in LINE_BREAK
        at += 1
    return broken and at < len(text) and text[at].isalpha()


def _opens_line(text: str, at: int) -> bool:
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    return at == 0 or text[at - 1] in LINE_BREAK
