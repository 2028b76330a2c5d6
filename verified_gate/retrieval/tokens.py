"""Text to search tokens: the one place that knows what a word is, for the index and for questions alike.

The rules, in the order they are applied:

1. Characters: NFC and full case folding, so accents and umlauts stay letters of their own (`ä` is not `a`) while
   `Straße`, `STRASSE` and `Strasse` meet. `İ`, `I` and `ı` all become `i`: without knowing the language that is the
   only way the two cases of one Turkish word meet. Digits of every script, full-width forms, dashes and apostrophes
   become their ASCII fellows; invisible characters and the Arabic stretching mark go.
2. A word is a run of letters, digits and combining marks, `_` and one joining sign between two of them included.
   It gives its parts: `l'eau` gives `l eau`, `well-known` gives `well known`.
3. A compound that holds a digit, `_` or `&` also gives itself whole: `RD2-24` gives `rd2-24 rd2 24`. The whole is
   found whatever dash was written; `2,000`, `2.000` and `2 000` (with a no-break space) all give `2000` as the whole.
4. `§ 3` gives `§3 3`. A possessive `'s` goes; `don't` gives `dont`; `U.S.A.` gives `usa`.
5. Scripts without spaces between words (Han, kana, Thai, Lao, Khmer, Myanmar) give each pair of neighbouring
   characters, a character being a letter with its marks; one that stands alone gives itself.

There are no stop words and no stems. A change of any rule must raise `TOKENIZER_VERSION`: an index built by another
version has to be built again.
"""

import re
import sys
import unicodedata
from functools import cache
from typing import NamedTuple

TOKENIZER_VERSION = 1
MAX_TOKEN = 64
"""Code points of the longest token; a longer word is cut, a longer compound gives only its parts."""

_MAX_MARKS = 30
# Unicode's stream-safe limit. Canonical ordering sorts each run of marks by insertion: a megabyte of marks would
# cost hours (attack: quadratic normalisation).

_JOINERS = r"'.,:&/\-"
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0ec6\u0ec8-\u0ece\u0edc-\u0edf"  # Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Han, rare kana
)
_ASCII_WORD = re.compile(rf"[a-z0-9_]++(?:[{_JOINERS}][a-z0-9_]++)*+")
_SPLIT = re.compile(rf"[{_JOINERS}_]++")
_NOT_PLAIN = re.compile(rf"[{_JOINERS}_§]")
_GROUPED = re.compile(r"([1-9]\d{0,2}([.,'])\d{3}(?:\2\d{3})*+)(?:(?!\2)[.,](\d++))?+")
_PARAGRAPH_SIGN = re.compile(r"(?<!§)§++\s{0,2}+(?=\d)")
_NO_BREAK_GROUP = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")


class _Unicode(NamedTuple):
    """What only text beyond ASCII needs; built once, when the first such text comes."""

    special: re.Pattern[str]
    replacements: dict[int, str | None]
    long_marks: re.Pattern[str]
    word: re.Pattern[str]
    unspaced: re.Pattern[str]
    character: re.Pattern[str]


def tokens(text: str) -> list[str]:
    """Tokens of `text` in order, each 1 to `MAX_TOKEN` code points; linear in the length of `text`. Never raises."""
    if text.isascii():
        words = _ASCII_WORD.findall(text.lower())
    else:
        words = _words_beyond_ascii(text)
    found: list[str] = []
    for word in words:
        if word.isalnum() or not _NOT_PLAIN.search(word):
            found.append(word if len(word) <= MAX_TOKEN else word[:MAX_TOKEN])
        else:
            _append_compound(word, found)
    return found


def _append_compound(word: str, found: list[str]) -> None:
    """Append what a word with joining signs gives: the whole where it is a code or a number, and the parts."""
    if word.startswith("§"):
        word = word[1:]
        found.append("§" + _SPLIT.split(word, maxsplit=1)[0][: MAX_TOKEN - 1])
        if word.isalnum():
            found.append(word[:MAX_TOKEN])
            return
    if word.endswith("n't") and len(word) <= MAX_TOKEN:
        found.append(word.replace("'", ""))
        return
    if word.endswith("'s"):
        word = word[:-2]
    parts = [part[:MAX_TOKEN] for part in _SPLIT.split(word) if part]
    if len(parts) > 1 and len(word) <= MAX_TOKEN:
        if all(len(part) == 1 for part in parts) and "." in word and not any(part.isdigit() for part in parts):
            parts = ["".join(parts)]
        elif "&" in word or "_" in word or any(character.isdigit() for character in word):
            found.append(_whole(word))
    found.extend(parts)


def _whole(word: str) -> str:
    """The form under which a compound is found whole, whatever its separators were."""
    if number := _GROUPED.fullmatch(word):
        digits, separator, decimals = number.groups()
        return digits.replace(separator, "") + (f".{decimals}" if decimals else "")
    return word.strip("_").replace(",", ".").replace("_", "-").replace("/", "-")


def _words_beyond_ascii(text: str) -> list[str]:
    rules = _unicode()
    if rules.special.search(text):
        text = text.translate(rules.replacements)
        text = _NO_BREAK_GROUP.sub(",", text)
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    text = rules.long_marks.sub(lambda run: run.group()[:_MAX_MARKS], text)
    text = unicodedata.normalize("NFC", text).casefold()
    if "§" in text:
        text = _PARAGRAPH_SIGN.sub(" §", text)
    text = rules.unspaced.sub(_pairs, text)
    return rules.word.findall(text)


def _pairs(run: re.Match[str]) -> str:
    """A run of a script without spaces, written as its pairs with spaces between."""
    characters = _unicode().character.findall(run.group())
    if len(characters) == 1:
        return f" {characters[0]} "
    pairs = [first + second for first, second in zip(characters, characters[1:], strict=False)]
    return " " + " ".join(pairs) + " "


@cache
def _unicode() -> _Unicode:
    marks: list[int] = []
    replacements: dict[int, str | None] = {0x0640: None, 0x0130: "i", 0x0131: "i"}
    for point in range(0x80, sys.maxunicode + 1):
        if point == 0x20000:
            break  # nothing but Han beyond, and the selectors below
        character = chr(point)
        category = unicodedata.category(character)
        if category[0] == "M":
            marks.append(point)
        elif category == "Nd":
            replacements[point] = str(unicodedata.digit(character))
        elif category == "Cf":
            replacements[point] = None
        elif category == "Pd":
            replacements[point] = "-"
    replacements |= dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x034F])
    replacements |= {point: chr(point - 0xFEE0) for point in range(0xFF01, 0xFF5F)}
    replacements |= dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\uff07`\u00b4"), "'") | {0x2212: "-"}
    mark = _ranges(sorted(set(marks) - replacements.keys()))
    return _Unicode(
        special=re.compile(f"[{_ranges(sorted({*replacements, 0xA0, 0x2009, 0x202F}))}]"),
        replacements=replacements,
        long_marks=re.compile(f"[{mark}]{{{_MAX_MARKS + 1},}}+"),
        word=re.compile(rf"§?+[\w{mark}]++(?:[{_JOINERS}][\w{mark}]++)*+"),
        unspaced=re.compile(f"[{_UNSPACED}]++"),
        character=re.compile(f".[{mark}]*+", re.DOTALL),
    )


def _ranges(points: list[int]) -> str:
    """`points`, sorted, as the inside of a character class."""
    spans: list[tuple[int, int]] = []
    for point in points:
        if spans and point == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], point)
        else:
            spans.append((point, point))
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in spans)
