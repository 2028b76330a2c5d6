"""Where a quote may begin or end: borders of words, of numbers with what belongs to them, of joined compounds.

Each attack it stops is a true substring that says something else: `5 mg` of `15 mg`, `able` of `unable`,
`refundable` of `non-refundable`, `10` of `10²`, `5 %` of `−5 %`, `can` of `can't`.

A border is judged on what a reader sees around it: invisible characters and emphasis marks are passed over, a
character reference counts as its character, white space as one space or one line break. White space at an end of
the quote does not hide what stands behind it.
"""

import html
import re
from typing import Final
from unicodedata import category

from verified_gate.text.characters import (
    APOSTROPHES,
    DASHES,
    HYPHENS,
    LINE_BREAK,
    REFERENCE,
    is_unspaced,
    is_word,
    referred,
)
from verified_gate.text.graphemes import is_grapheme_border

_SEEN: Final = 16
"""So many characters that a reader sees are looked at on either side."""

_PASSED_OVER: Final = 100
"""Invisible characters, marks or white space passed over; what stands behind more is refused, or far away."""

_JOINING: Final = (DASHES | HYPHENS | frozenset("\u00b7\u2027\u058a\u05be\u1806\u2e17\u2e40\u30a0")) - frozenset(
    "\u2014\u2015\ufe58"
)
_SEPARATORS: Final = frozenset(
    ".,'\u2019\u066b\u066c\u00b7:/\u2044\u02d9\u2024\u2027\u3001\ufe52\ufe50\u301c\uff5e\u2025\u2026"
)
_POINTS: Final = frozenset(".,\u066b")
_PERCENT: Final = frozenset("%\u2030\u2031\u066a")
_ATTACHED: Final = _PERCENT | frozenset("\u00b0\u2032\u2033+^")
_NO_OPERATORS: Final = frozenset("|=\u00ac~")

_SPACED_OPERATORS: Final = frozenset("\u2212\u00b1\u2213<>\u00d7\u00f7\u2248\u223c\u2260")
_RANGE: Final = frozenset("/\u2044-\u2010\u2012\u2013\u2212\u301c~")
_EMPHASIS: Final = frozenset("*_`\\")
_REFERENCE_BEFORE: Final = re.compile(REFERENCE.pattern + r"\Z")
_INLINE_TAG: Final = re.compile(
    r"</?(?:b|i|u|s|em|strong|span|sub|sup|a|font|mark|small|code|wbr|del|ins)(?:[ /][^<>]{0,80})?>|<!--[^<>]{0,80}-->|~~",
    re.IGNORECASE,
)
_INLINE_TAG_BEFORE: Final = re.compile(_INLINE_TAG.pattern + r"\Z", re.IGNORECASE)
_SCALE: Final = re.compile(
    r"(?:thousand|million|billion|trillion|m|mn|bn|mio|mrd|tsd|millionen|milliarden|tausend|prozent|percent|per\s?cent|pour\s?cent|por\s?ciento"
    r"|millions?|milliards?|mille|millones|mil|milioni|miliardi|miljoen|miljard|milh|crore|lakh)\b",
    re.IGNORECASE,
)
_PAGE_NUMBER: Final = re.compile(r"(?:\A|\s)[-\u2010-\u2015] ?\d+ ?[-\u2010-\u2015]\Z")
_FRACTION: Final = re.compile(r"[1-9]\d?[/\u2044](?:[2-9]|10|12|16|32|64)(?![\d/])")
_CODE: Final = re.compile(r"^[A-Z]{1,3}(?=[$\u00a2-\u00a5\u20a0-\u20cf])")
_TAG: Final = re.compile(r"<[/A-Za-z][^<>]*>\Z")
_BRACKETED: Final = re.compile(r"[(\[](?![ivx]+[)\]])[^\W\d_]{2,}[-\u2010\u2011]?[)\]]\Z")
_OPENS_BRACKET: Final = re.compile(r"[(\[][^\W\d_]{3,}[)\]]")
_ELIDED: Final = re.compile(r"(?<!\w)(?:\w|[qQ]u)\Z")
_LINK_END: Final = re.compile(r"\]\([^()\s]*\)")
_LINK_END_BEFORE: Final = re.compile(_LINK_END.pattern + r"\Z")
_IGNORABLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2061-\u2064\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_SOFT: Final = re.compile("\u00ad(?=\\S)")
_ENDING: Final = frozenset(".,:!?")
_SCALE_STARTS: Final = frozenset("tTmMbBpPcClL")
_FAR: Final = "x"
"""Stands for what is hidden behind more than is passed over: a word, so that nothing may begin or end there."""


def splits_token(text: str, start: int, end: int) -> bool:
    """Does the span [start, end) of `text` begin or end inside a token? The span must not be empty."""
    return _splits_at_start(text, start) or _splits_at_end(text, end)


def _splits_at_start(text: str, start: int) -> bool:
    if start == 0 or _plainly_begins(text, start):
        return False
    if not is_grapheme_border(text, start):
        return True
    left, right = _seen_around(text, start)
    word = right.lstrip()
    return bool(word) and _joined(left + right[: len(right) - len(word)], word, ends=False)


def _plainly_begins(text: str, start: int) -> bool:
    """Most of all quotes: a letter behind white space (or an opening mark), behind a letter or plain punctuation. Says so
    only where the whole judgement would: nothing that may end a reference, a tag or a link stands ahead.
    """
    before, first = text[start - 1], text[start]
    if before in '("\u201c' and start > 1:
        return _is_letter(first) and text[start - 2].isspace()
    if before not in " \n" or start < 2:
        return False
    ahead = text[start - 2]
    if ahead == "\r" and start > 2:
        ahead = text[start - 3]
    if _is_letter(first):
        return _is_letter(ahead) or ahead in _ENDING
    return first.isdecimal() and before == " " and (_is_letter(ahead) or ahead in ".,:")


def _is_letter(char: str) -> bool:
    return char.isalpha() and not char.isnumeric()  # `三` is both


def _splits_at_end(text: str, end: int) -> bool:
    if end == len(text) or _plainly_ends(text, end):
        return False
    if not is_grapheme_border(text, end):
        return True
    left, right = _seen_around(text, end)
    word = left.rstrip()
    return bool(word) and _joined(word, left[len(word) :] + right, ends=True)


def _plainly_ends(text: str, end: int) -> bool:
    """Most of all quotes: a letter or plain punctuation before white space, a letter or a number before punctuation."""
    last, after = text[end - 1], text[end]
    if after in " \n\r":
        if _is_letter(last) or last in _ENDING or last in '"\u201d':
            return True
        beyond = text[end + 1 : end + 2]
        return (
            last.isdecimal() and after == " " and beyond.isascii() and beyond.isalpha() and beyond not in _SCALE_STARTS
        )
    if after in _ENDING:
        return _is_letter(last) or (last.isdecimal() and text[end + 1 : end + 2].isspace())
    return False


def _joined(left: str, right: str, *, ends: bool) -> bool:
    """Do the last character of `left` and the first of `right` belong to one token? White space stands on one side
    only. `ends`: the quote ends here, else it begins here.
    """
    before, after = left.rstrip(), right.lstrip()
    if not before or not after:
        return False
    if len(before) < len(left) or len(after) < len(right):
        gap = left[len(before) :] + right[: len(right) - len(after)]
        if "\n" in gap and _joined_over_break(before, after):
            return True
        return _joined_over_space(before, after, broken="\n" in gap or "\t" in gap)  # a tab: cells
    a, b = before[-1], after[0]
    if is_word(a) and is_word(b):
        if is_unspaced(a) or is_unspaced(b):
            return a.isnumeric() and b.isnumeric()
        return True
    return _compound(before, after, ends=ends) or _number(before, after) or _bracketed(before, after)


def _compound(before: str, after: str, *, ends: bool) -> bool:
    a, b = before[-1], after[0]
    if is_word(b) and (a in _JOINING or a in APOSTROPHES):
        bare = before.rstrip("".join(_JOINING | APOSTROPHES))
        return bool(bare) and is_word(bare[-1])
    if not is_word(a) and a not in _PERCENT:
        return False
    if b in APOSTROPHES and ends:  # `Ankara'da` may end here, `can't` not
        if after[1:2].isalpha() and _ELIDED.search(before):
            return True  # `l'homme`, `qu'il`
        return a in "nN" and after[1:2] in ("t", "T") and not is_word(after[2:3] or " ")
    if b in _JOINING or b in APOSTROPHES:
        bare = after.lstrip("".join(_JOINING | APOSTROPHES))
        return bool(bare) and (is_word(bare[0]) or _joined_over_break(before + "-", bare.lstrip(), bare[:1] == "\n"))
    return False


def _joined_over_break(before: str, after: str, broken: bool = True) -> bool:  # noqa: FBT001, FBT002
    """Does a hyphen at a line end join the two? A dash in a list or a page number does not."""
    if not broken or not after or before[-1] not in HYPHENS or len(before) < 2:
        return False
    bare = before.rstrip("".join(HYPHENS))[-1:]
    if bare.isnumeric() and _PAGE_NUMBER.search(before):
        return False
    return (bare.isalpha() and after[0].isalpha()) or (bare.isnumeric() and after[0].isnumeric())


def _opens_number(after: str) -> bool:
    """Does a number begin here, with its currency sign or decimal point?"""
    after = _CODE.sub("", after, 1)  # `US$20`
    if category(after[0]) == "Sc":
        after = after[1:].lstrip()
    if after[:1] in _POINTS:
        after = after[1:]
    return after[:1].isnumeric()


def _number(before: str, after: str) -> bool:
    a, b = before[-1], after[0]
    a2, b2 = before[-2:-1], after[1:2]
    if _opens_number(after):
        if b.isnumeric() and a in _SEPARATORS and (a2.isnumeric() or (a in _POINTS and not is_word(a2 or " "))):
            return True
        if a in DASHES or a == "^" or category(a) == "Sc" or (a == "=" and a2 in ("<", ">", "!", "~", ":")):
            return True
        if category(a) == "Sm" and a not in _NO_OPERATORS and not (a == ">" and _TAG.search(before)):
            return True
    if a.isnumeric():
        if b in _ATTACHED or category(b) == "Sc":
            return True
        return b2.isnumeric() and (b in _SEPARATORS or b in DASHES or (category(b) == "Sm" and b not in _NO_OPERATORS))
    if category(a) == "Sc" and b in DASHES and b2.isnumeric():  # `€−5`
        return True
    if a in _PERCENT:
        return is_word(b)
    if a == "\u00b0":
        return b in "CFKcfk" and a2.isnumeric()
    if b == "^":
        return is_word(a) and bool(b2) and is_word(b2)
    return category(b) == "Sc" and is_word(a) and b2.isnumeric()  # `US$50`


def _joined_over_space(before: str, after: str, *, broken: bool) -> bool:
    a, b = before[-1], after[0]
    beyond = after[1:].lstrip()[:1]
    if _opens_number(after):
        if a.isnumeric() and b.isnumeric():
            if category(b) == "No" or (not broken and _FRACTION.match(after)):  # `1 ½`, `1 1/2`
                return True
            return not broken and _groups_meet(before, after)
        if category(a) == "Sc" and b.isnumeric():
            return True
        if not broken and a in _RANGE and before[:-1].rstrip()[-1:].isnumeric():  # `5 – 10`, `5 / 6`
            return True
        if a == "=" and before[-2:-1] in ("<", ">", "!", "~"):
            return True
        operator = a in _SPACED_OPERATORS or (category(a) == "Sm" and a > "\u00ff" and a not in _NO_OPERATORS)
        return operator and not (a == ">" and (_TAG.search(before) or before[-2:-1] in ("", "\n")))
    if a.isnumeric():
        if _SCALE.match(after):  # `10 million`, `5 per cent`
            return True
        if b in _PERCENT or (b == "\u00b0" and after[1:2].isalpha()) or b in "\u207a\u207b":
            return True
        if category(b) == "Sc":
            return not beyond.isnumeric()
        return (b in _RANGE or b in "\u00d7\u00f7") and beyond.isnumeric()
    return False


def _groups_meet(before: str, after: str) -> bool:
    """Are the digits around one space groups of one number, as in `1 000 000`?"""
    left = 0
    while left < 4 and before[-1 - left : len(before) - left].isdecimal():
        left += 1
    return 1 <= left <= 3 and after[:3].isdecimal() and len(after) >= 3 and not after[3:4].isdecimal()


def _bracketed(before: str, after: str) -> bool:
    """`(un)able`, `(un-)able`, `un(able to)`, `can(not)`: brackets glued into one word. `(a)The` opens a list item, and
    `tenant(s)` may lose its plural.
    """
    a, b = before[-1], after[0]
    if any(map(is_unspaced, before[-2:] + after[:2])):
        return False
    if a in ")]" and b.islower():
        return _BRACKETED.search(before) is not None
    if a in "([" and b.islower():
        return before[:-1].rstrip("".join(_JOINING))[-1:].isalpha()
    return b in "([" and is_word(a) and _OPENS_BRACKET.match(after) is not None


def _seen_around(text: str, index: int) -> tuple[str, str]:
    """What a reader sees on both sides; a soft hyphen shows only before white space."""
    left, right = _seen_before(text, index), seen_after(text, index)
    if not right[:1].isspace():
        left = left.rstrip("\u00ad")
    return _SOFT.sub("", left), _SOFT.sub("", right)


def _seen_before(text: str, index: int) -> str:
    """What a reader sees before `index`, at most `_SEEN` characters of it, in the order of the text."""
    seen: list[str] = []
    passed = 0
    at = index - 1
    while at >= 0 and len(seen) < _SEEN:
        char = text[at]
        if char == ";" and (entity := _REFERENCE_BEFORE.search(text, max(0, at - 33), at + 1)):
            seen += reversed(_plain(_referred(entity.group())))
            at = entity.start() - 1
            continue
        if char in ">~" and (tag := _INLINE_TAG_BEFORE.search(text, max(0, at - 95), at + 1)):
            at = tag.start() - 1
            continue
        if char == ")" and (link := _LINK_END_BEFORE.search(text, max(0, at - _PASSED_OVER), at + 1)):
            at = link.start() - 1
            continue
        at -= 1
        passed += _see(seen, char)
        if passed > _PASSED_OVER:
            seen.append("\n" if char.isspace() else _FAR)
            break
    return "".join(reversed(seen))


def seen_after(text: str, index: int) -> str:
    """What a reader sees from `index` on, at most `_SEEN` characters of it."""
    seen: list[str] = []
    passed = 0
    at = index
    if link := _LINK_END.match(text, index, index + _PASSED_OVER):
        at = link.end()
    while at < len(text) and len(seen) < _SEEN:
        char = text[at]
        if char == "&" and (entity := REFERENCE.match(text, at)):
            seen += _plain(_referred(entity.group()))
            at = entity.end()
            continue
        if char in "<~" and (tag := _INLINE_TAG.match(text, at)):
            at = tag.end()
            continue
        at += 1
        passed += _see(seen, char)
        if passed > _PASSED_OVER:
            seen.append("\n" if char.isspace() else _FAR)
            break
    return "".join(seen)


def _see(seen: list[str], char: str) -> bool:
    """Add a character to what is seen; True where it was passed over."""
    if char.isspace():
        mark = "\n" if char in LINE_BREAK else "\t" if char == "\t" else " "
        if not seen or not seen[-1].isspace():
            seen.append(mark)
            return False
        seen[-1] = mark if mark == "\n" or seen[-1] == " " else seen[-1]
        return True
    if char in _EMPHASIS or (char > "\u00ad" and (category(char) == "Cf" or _IGNORABLE.match(char))):
        return True
    seen.append(chr(ord(char) - 0xFEE0) if "\uff01" <= char <= "\uff5e" else char)
    return False


def _referred(reference: str) -> str:
    """What a reader sees of a character reference: nothing, where it names a character that shows nothing."""
    char = referred(reference)
    return "" if char == reference and html.unescape(reference) != reference else char


def _plain(chars: str) -> str:
    seen: list[str] = []
    for char in chars:
        _see(seen, char)
    return "".join(seen)
