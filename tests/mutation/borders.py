"""Where a quote may begin and end in a source: step 7 of the contract, written from its text alone.

The judge's own reading, character by character, without the gate's code. Where the contract is open it is strict:
a border it does not clearly allow is unclean. Positions are code points; `start` is the first position of a quote,
`end` the one after its last.
"""

import unicodedata

HYPHENS = frozenset("-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d")
"""Hyphens and the dashes that are also used as hyphen or minus; the em dash separates and does not join."""
APOSTROPHES = frozenset("'\u2019\u2018\u02bc\uff07\u02b9")
SIGNS = HYPHENS | frozenset("+\u00b1\u2213\uff0b")
PERCENT = frozenset("%\u2030\u2031\u066a\uff05\u00b0\u00ba")
SEPARATORS = frozenset(".,'\u2019\u066b\u066c/:^\u2044\u00b7\uff0e\uff0c\uff1a")
LEADING = frozenset(".,\u066b\uff0e")
INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
LINE_END_HYPHEN = "\ufffe"
"""What PDFium returns for a hyphen at the end of a line, without the line break."""
CJK_NUMERALS = frozenset("〇零一二三四五六七八九十百千万萬億亿兆两兩")
_SPACELESS = (
    (0x0E00, 0x0EFF), (0x0F00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007),
    (0x3021, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F),
    (0x20000, 0x3FFFF),
)  # fmt: skip


def is_body(char: str) -> bool:
    """Letters, combining marks and numbers of any kind (superscripts and fractions are numbers)."""
    return bool(char) and unicodedata.category(char)[0] in "LMN"


def is_letter(char: str) -> bool:
    return bool(char) and unicodedata.category(char)[0] == "L"


def is_digit(char: str) -> bool:
    return bool(char) and unicodedata.category(char)[0] == "N" and char not in CJK_NUMERALS


def is_spaceless(char: str) -> bool:
    """A letter or mark of a script that is written without spaces between words."""
    code = ord(char)
    return code >= 0x0E00 and is_body(char) and any(low <= code <= high for low, high in _SPACELESS)


def clean_start(text: str, start: int) -> bool:
    """Whether a quote may begin at `start`."""
    if not 0 <= start < len(text):
        return False
    char = text[start]
    if start and _splits_cluster(text, start):
        return False
    before = _back(text, start - 1)
    if before < 0:
        return True
    prev = text[before]
    after = text[start + 1 : start + 2]
    beyond = text[_back(text, before - 1)] if _back(text, before - 1) >= 0 else ""
    if is_body(char):
        if is_body(prev):
            return _free_between(prev, char)
        if prev == LINE_END_HYPHEN:
            return False
        if (prev in HYPHENS or prev in APOSTROPHES) and is_body(beyond):
            return False
        if _line_hyphen_before(text, before):
            return False
        if is_digit(char):
            if prev in SIGNS or unicodedata.category(prev) == "Sc":
                return False
            if prev in SEPARATORS and is_digit(beyond):
                return False
            if prev in LEADING and not is_body(beyond):
                return False
            return not _space_group(text, before, start)
        return True
    if char in SEPARATORS and is_digit(prev) and is_digit(after):
        return False
    if (char in HYPHENS or char in APOSTROPHES) and is_body(prev) and is_body(after):
        return False
    if char in PERCENT and is_digit(prev):
        return False
    if unicodedata.category(char) == "Sc" or char in SIGNS:
        number = is_digit(after) or unicodedata.category(after or " ") == "Sc"
        joined = is_body(prev) or prev in SIGNS or unicodedata.category(prev) == "Sc"
        return not (joined and (number or is_digit(prev)))
    return True


def clean_end(text: str, end: int) -> bool:
    """Whether a quote may end before `end`."""
    if not 0 < end <= len(text):
        return False
    if end == len(text):
        return True
    if _splits_cluster(text, end):
        return False
    after = _forth(text, end)
    if after >= len(text):
        return True
    last, nxt = text[end - 1], text[after]
    beyond = text[after + 1 : after + 2]
    if is_body(last):
        if is_body(nxt):
            return _free_between(last, nxt)
        if nxt == LINE_END_HYPHEN:
            return False
        if nxt in HYPHENS and (is_body(beyond) or _line_break_then_letter(text, after + 1)):
            return False
        if nxt in APOSTROPHES and is_body(beyond):
            return not is_digit(last) and _suffix(text, end, after)
        if is_digit(last):
            if nxt in PERCENT or unicodedata.category(nxt) == "Sc":
                return False
            if nxt in SEPARATORS and is_digit(beyond):
                return False
            return not _space_group(text, end - 1, _skip_space(text, after))
        return True
    prev = text[end - 2 : end - 1]
    if last == LINE_END_HYPHEN:
        return False
    if (last in HYPHENS or last in APOSTROPHES) and is_body(prev):
        return not (is_body(nxt) or (last in HYPHENS and _line_break_then_letter(text, end)))
    if last in SIGNS or unicodedata.category(last) == "Sc":
        return not (is_digit(nxt) or unicodedata.category(nxt) == "Sc")
    if last in SEPARATORS and is_digit(nxt):
        return not (is_digit(prev) or last in LEADING)
    return True


def _free_between(left: str, right: str) -> bool:
    """No word border is needed next to a script without spaces; its numerals are still one number."""
    if left in CJK_NUMERALS and right in CJK_NUMERALS:
        return False
    return is_spaceless(left) or is_spaceless(right)


def _splits_cluster(text: str, at: int) -> bool:
    """Whether `at` lies inside one user-perceived character, or between CR and LF."""
    left, right = text[at - 1], text[at]
    if unicodedata.category(right)[0] == "M" or right == "\u200d" or left == "\u200d":
        return True
    if 0x1F3FB <= ord(right) <= 0x1F3FF or 0xE0020 <= ord(right) <= 0xE007F:
        return True
    if _flag(left) and _flag(right):
        run = at
        while run and _flag(text[run - 1]):
            run -= 1
        return (at - run) % 2 == 1
    return left == "\r" and right == "\n"


def _flag(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _back(text: str, at: int) -> int:
    while at >= 0 and text[at] in INVISIBLE:
        at -= 1
    return at


def _forth(text: str, at: int) -> int:
    while at < len(text) and text[at] in INVISIBLE:
        at += 1
    return at


def _skip_space(text: str, at: int) -> int:
    """The position after one white space character at `at`, or -1 where there is none."""
    return at + 1 if at < len(text) and text[at].isspace() else -1


def _space_group(text: str, last: int, start: int) -> bool:
    """Whether one space at `start - 1` groups digits: one to three digits before it, exactly three after."""
    if start < 1 or start >= len(text) or not text[start - 1].isspace() or text[start - 1] in "\n\r":
        return False
    if last == start - 1:
        last -= 1
    left = last
    while left >= 0 and text[left].isdecimal():
        left -= 1
    right = start
    while right < len(text) and text[right].isdecimal():
        right += 1
    return 1 <= last - left <= 3 and right - start == 3


def _line_hyphen_before(text: str, at: int) -> bool:
    """Whether white space with a line break ends at `at` and a hyphen that follows a letter stands before it."""
    low = at
    while low >= 0 and text[low].isspace():
        low -= 1
    broken = any(char in "\n\r\x0b\x0c\u2028\u2029" for char in text[low + 1 : at + 1])
    return broken and low > 0 and text[low] in HYPHENS and is_letter(text[low - 1])


def _line_break_then_letter(text: str, at: int) -> bool:
    high = at
    while high < len(text) and text[high].isspace():
        high += 1
    broken = any(char in "\n\r\x0b\x0c\u2028\u2029" for char in text[at:high])
    return broken and high < len(text) and is_letter(text[high])


def _suffix(text: str, end: int, apostrophe: int) -> bool:
    """Whether what follows the apostrophe is a suffix (`tenant's`), not a negation, a name or an elided article."""
    low = end
    while low and is_body(text[low - 1]):
        low -= 1
    high = apostrophe + 1
    while high < len(text) and is_body(text[high]):
        high += 1
    stem, tail = text[low:end], text[apostrophe + 1 : high]
    if tail.lower() == "t" and stem.lower().endswith("n"):
        return False
    return len(stem) > 2 and tail.islower()
