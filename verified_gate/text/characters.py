"""Classes of characters that the checks speak of. Sources: Unicode general categories and MATCHING rules 5 and 7."""

import re
from html.entities import html5
from typing import Final
from unicodedata import category

LINE_BREAK: Final = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
HYPHENS: Final = frozenset("-\u2010\u2011\u00ad\x02\ufffe")  # the last two stand for a line-end hyphen in PDF text
DASHES: Final = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
APOSTROPHES: Final = frozenset("'\u2018\u2019\u201b\u02b9\u02bb\u02bc\u00b4\u2032\u05f3\u05f4\uff07")
PDF_HYPHENS: Final = frozenset("\x02\ufffe")
INVISIBLE: Final = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")

# Letters of scripts that are written without spaces: no word border inside a run of them.
UNSPACED: Final = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u30ff"
    r"\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_unspaced = re.compile(f"[{UNSPACED}]").match

# Scripts in which a zero-width joiner or non-joiner changes letters: Arabic to Samaritan, Indic, Myanmar, Khmer,
# Mongolian, Tibetan; and pictographs, which it binds into one sign.
_JOINING = re.compile(
    r"[\u0600-\u085f\u0870-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe0f\ufe70-\ufefc"
    r"\u2190-\u2bff\U0001f000-\U0001faff]"
).match
_RIGHT_TO_LEFT = re.compile(r"[\u05d0-\u05f2\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]").search

DIRECTION_MARKS: Final = frozenset("\u200e\u200f\u061c")
_HIDDEN = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffe\uffff"
    r"\ue000-\uf8ff\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff\U000f0000-\U0010ffff\ud800-\udfff]"
)


REFERENCE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,30});")
"""A complete character reference of HTML."""


def referred(reference: str) -> str:
    """The character that a complete reference names; the reference itself where it names none that can be seen."""
    name = reference[1:-1]
    if name[0] != "#":
        char = html5.get(f"{name};", reference)
    else:
        code = int(f"0{name[1:]}", 0) if name[1] in "xX" else int(name[1:])
        char = chr(code) if code < 0x110000 else reference
    return reference if _HIDDEN.search(char) and char != "\u00ad" else char


def is_unspaced(char: str) -> bool:
    """Is it of a script that is written without spaces?"""
    return char >= "\u0e00" and _unspaced(char) is not None


def is_word(char: str) -> bool:
    """Is it a letter, a digit (also superscript or fraction), or a combining mark?"""
    return char.isalnum() or (char > "\u02ff" and category(char)[0] == "M")


def needs_joiner(text: str, index: int) -> bool:
    """Does the zero-width space, joiner or non-joiner at `index` stand where its script needs it?"""
    before = text[index - 1] if index else ""
    after = text[index + 1 : index + 2]
    if text[index] == "\u200b":  # tells words apart in Thai, Khmer, Lao, Myanmar
        return bool(before and after) and is_unspaced(before) and is_unspaced(after)
    joins = before and _JOINING(before)
    return bool(joins and (before < "\u1900" or (after and _JOINING(after))))  # a Persian or Indic word may end in one


def hidden_characters(quote: str, folded: frozenset[str]) -> tuple[bool, bool]:
    """(hidden, excusable): does the quote hold characters nobody sees; does it hold such as only an exact hit, that is
    the same characters at the same place of the source, excuses: the harmless ones of the fold `invisible`, and
    direction marks of a right-to-left text. Those in `folded` are excused by the profile.
    """
    if quote.isprintable() and "\ufffc" not in quote:
        return False, False
    excusable = False
    for match in _HIDDEN.finditer(quote):
        char = match.group()
        if char in folded or (char in "\u200b\u200c\u200d" and needs_joiner(quote, match.start())):
            continue
        if (
            char not in INVISIBLE
            and char not in PDF_HYPHENS
            and not (char in DIRECTION_MARKS and _RIGHT_TO_LEFT(quote))
        ):
            return True, False
        excusable = True
    return False, excusable
