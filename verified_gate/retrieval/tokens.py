"""Text to search tokens: the one place that knows what a word is, for the index and for questions alike.

The rules, in the order they are applied:

1. Characters: NFC and full case folding, so accents and umlauts stay letters of their own (`ä` is not `a`) while
   `Straße`, `STRASSE` and `Strasse` meet. `İ`, `I` and `ı` all become `i`: without knowing the language that is the
   only way the two cases of one Turkish word meet. Digits of every script, full-width forms, dashes and apostrophes
   become their ASCII fellows; invisible characters and the Arabic stretching mark go.
2. A word is a run of letters, digits and combining marks, `_` and one joining sign between two of them included.
   It gives its parts: `l'eau` gives `l eau`, `well-known` gives `well known`.
3. A compound that holds a digit, `_` or `&` also gives itself whole: `COVID-19` gives `covid-19 covid 19`. The whole
   is found whatever dash was written; `2,000`, `2.000` and `2 000` (with a no-break space) all give `2000` as the
   whole, `1,00,000` gives `100000`, and the Arabic signs for thousands and decimals are read like these. A word of
   letters and digits gives itself and both: `RD2` gives `rd2 rd 2`, `1960s` gives `1960s 1960 s`.
4. `§ 3` gives `§3 3`, `§§ 3, 4 and 7` gives `§3 3 §4 4 and §7 7`. A possessive `'s` goes; `don't` gives `dont`;
   `U.S.A.` gives `usa`.
5. A word that a hyphen cuts at the end of a line gives itself whole and both sides, since the hyphen may be its own:
   `infor-` and `mation` on the next line give `information infor mation`. With a digit in it the hyphen stays: `COVID-`
   and `19` give what `COVID-19` gives.
6. Scripts without spaces between words (Han, kana, Thai, Lao, Khmer, Myanmar) give each pair of neighbouring
   characters, a character being a letter with its marks; one that stands alone gives itself. A Han character, often
   a word by itself, is given alone as well.

There are no stop words and no stems. A change of any rule must raise `TOKENIZER_VERSION`: an index built by another
version has to be built again.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from operator import add
from typing import NamedTuple

TOKENIZER_VERSION = 2
MAX_TOKEN = 64
"""Code points of the longest token; a longer word is cut, a longer compound gives only its parts."""

_MAX_MARKS = 30
# Unicode's stream-safe limit. Canonical ordering sorts each run of marks by insertion: a megabyte of marks would
# cost hours (attack: quadratic normalisation).

_APOSTROPHES = "\u2018\u2019\u201b\u02bc\uff07"
_JOINERS = r"'.,:&/\-"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Letters and marks only: the gate's class of these scripts holds their digits and punctuation too.
_UNSPACED = _HAN + (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0ec6\u0ec8-\u0ece\u0edc-\u0edf"  # Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\U0001b000-\U0001b16f"  # rare kana
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]++")
_HAN_LETTER = re.compile(f"[{_HAN}]")
_ASCII_WORD = re.compile(rf"[a-z0-9_]++(?:[{_JOINERS}][a-z0-9_]++)*+")
_AT_EDGES = "'.,:&/-"
_CODE = re.compile(r"[\d&_]")
_SPLIT = re.compile(rf"[{_JOINERS}_]++")
_NOT_PLAIN = re.compile(rf"[{_JOINERS}_§\d]")
_DIGITS_OR_NOT = re.compile(r"\d++|\D++")
_GROUPED = re.compile(r"([1-9]\d{0,2}([.,'])\d{3}(?:\2\d{3})*+)(?:(?!\2)[.,](\d++))?+")
_GROUPED_IN_INDIA = re.compile(r"([1-9]\d?+(,)(?:\d\d,)++\d{3})(?:\.(\d++))?+")
_SECTION = r"\d++\w*+(?:\.\w++)*+(?:\s?ff?\.?+(?!\w))?+"
_SECTIONS = re.compile(
    rf"(?<=§§)\s{{0,2}}+{_SECTION}"
    rf"(?:\s{{0,2}}+(?:[,;/&\-\u2010-\u2015]|(?:und|and|oder|or|sowie|bis|to|through|et|ou|y|e|o)\b)\s{{0,2}}+{_SECTION})++"
)
_SECTION_START = re.compile(r"(?<=[\s,;/&\-\u2010-\u2015])(?=\d)")
_PARAGRAPH_SIGN = re.compile(r"(?<!§)§++\s{0,2}+(?=\d)")
_NO_BREAK_GROUP = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")


_LINE_BREAK = r"[ \t\u00a0]*+(?:\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])[ \t\u00a0]*+"
_HYPHEN_AT_END = re.compile(f"-{_LINE_BREAK}")
# What programs that read PDF write for a hyphen that they took out: U+0002, U+FFFE.
_LINE_HYPHEN = f"(?:[\\-\u2010\u2011\u00ad]{_LINE_BREAK}|[\x02\ufffe](?:{_LINE_BREAK})?+)"
_LINE_HYPHENS = re.compile(_LINE_HYPHEN)

_BEYOND_BMP = re.compile("[^\x00-\uffff]")
_BETWEEN_WORDS = {point: " " for point in range(128) if not re.match(rf"[a-z0-9_{_JOINERS}]", chr(point))}
_VISIBLE_THEN_SPACE = re.compile("(?<=[\\w!-~])(?<!\u0640)[ \n]")


class _Rules(NamedTuple):
    """What only text beyond ASCII needs."""

    replacements: dict[int, str | None]
    replaced: re.Pattern[str]
    long_marks: re.Pattern[str]
    word: re.Pattern[str]
    cut_word: re.Pattern[str]
    character: re.Pattern[str]
    mark: re.Pattern[str]


def tokens(text: str) -> list[str]:
    """Tokens of `text` in order, each 1 to `MAX_TOKEN` code points; linear in the length of `text`. Never raises."""
    text = _mended(text)
    if text.isascii():
        words = _ASCII_WORD.findall(text.lower())
    else:
        rules = _rules(beyond_bmp=_BEYOND_BMP.search(text) is not None)
        words = rules.word.findall(_normalized(text, rules))
    found: list[str] = []
    for word in words:
        _append_word(word, found)
    return found


def _mended(text: str) -> str:
    """`text` with what stands apart and belongs together put side by side: words that the end of a line cuts, and each
    number behind `§§` with a sign of its own. Once mended there is nothing to mend in it or in a part of it.
    """
    if _may_be_cut(text):
        text = _rules(beyond_bmp=_BEYOND_BMP.search(text) is not None).cut_word.sub(_whole_again, text)
    if "§§" in text:
        text = _SECTIONS.sub(lambda listed: _SECTION_START.sub("§", listed.group()), text)
    return text


def _may_be_cut(text: str) -> bool:
    """Is there a hyphen at the end of a line? Asked of every text, so in the fewest steps."""
    if ("-" in text and _HYPHEN_AT_END.search(text)) or "\x02" in text:
        return True
    return not text.isascii() and ("\u00ad" in text or "\u2010" in text or "\u2011" in text or "\ufffe" in text)


def _whole_again(cut: re.Match[str]) -> str:
    sides = _LINE_HYPHENS.split(cut.group())
    if not any(map(_CODE.search, sides)):
        return f"{''.join(sides)} {' '.join(sides)}"
    around = cut.string[cut.start() - 1 : cut.start()] + cut.string[cut.end() : cut.end() + 1]
    return ("- " if _SPLIT.search(around) else "-").join(sides)  # a code that goes on stays the code it is


def _append_word(word: str, found: list[str]) -> None:
    if word.isalpha() or not _NOT_PLAIN.search(word):
        found.append(word[:MAX_TOKEN])
    else:
        _append_compound(word, found)


def pieces(text: str) -> list[str]:
    """`text` in pieces whose tokens, one piece after another, are the tokens of `text`.

    Pieces are short where white space stands between words, and most come again and again: who tokenizes many texts
    asks `tokens_of` once for each piece and not for each place of it.
    """
    text = _mended(text)
    if text.isascii():
        return text.lower().translate(_BETWEEN_WORDS).split()
    text = text.replace("\n", " ")
    if "§" in text:  # its number may stand behind white space and what is invisible
        return _VISIBLE_THEN_SPACE.split(text)
    return text.split(" ")


def tokens_of(pieces: Sequence[str]) -> tuple[list[str], list[int]]:
    """The tokens of all `pieces`, which hold no line break, one piece after another, and how many each piece has.

    Many at once cost a fraction of `tokens` for each. One list of all: as many lists would keep the garbage collector
    busy.
    """
    lines = [piece.lower() for piece in pieces]
    patterns = [_ASCII_WORD] * len(pieces)
    kinds: dict[bool, list[int]] = {}
    for index, piece in enumerate(pieces):
        if not piece.isascii() and "§" not in piece:  # a paragraph sign would join what stands behind the line break
            kinds.setdefault(_BEYOND_BMP.search(piece) is not None, []).append(index)
    for beyond_bmp, indexes in kinds.items():
        rules = _rules(beyond_bmp=beyond_bmp)
        text = _normalized("\n".join([pieces[index] for index in indexes]), rules)
        for index, line in zip(indexes, text.split("\n"), strict=True):
            lines[index] = line
            patterns[index] = rules.word
    found: list[str] = []
    sizes: list[int] = []
    for line, pattern, piece in zip(lines, patterns, pieces, strict=True):
        before = len(found)
        bare = line.strip(_AT_EDGES)
        if bare.isalpha() and len(bare) <= MAX_TOKEN:
            found.append(bare)
        elif "§" in piece:
            found += tokens(piece)
        elif len(bare) <= MAX_TOKEN and not _NOT_PLAIN.search(bare):
            found += pattern.findall(bare)
        else:
            for word in pattern.findall(bare):
                if word.isalpha() and len(word) <= MAX_TOKEN:
                    found.append(word)
                else:
                    _append_word(word, found)
        sizes.append(len(found) - before)
    return found, sizes


def _append_compound(word: str, found: list[str]) -> None:
    """Append what a word with digits or joining signs gives: the whole where it is a code or a number, and the parts."""
    if word.startswith("§"):
        word = word[1:]
        found.append("§" + _SPLIT.split(word, maxsplit=1)[0][: MAX_TOKEN - 1])
    if word.endswith("n't") and len(word) <= MAX_TOKEN:
        found.append(word.replace("'", ""))
        return
    word = word.removesuffix("'s")
    parts = [part[:MAX_TOKEN] for part in _SPLIT.split(word) if part]
    if len(parts) > 1 and len(word) <= MAX_TOKEN:
        if "." in word and all(len(part) == 1 and part.isalpha() for part in parts):
            parts = ["".join(parts)]
        elif _CODE.search(word):
            found.append(_whole(word))
    for part in parts:
        found.append(part)
        if not part.isdigit():
            pieces = _DIGITS_OR_NOT.findall(part)
            if len(pieces) > 1:
                found.extend(pieces)


def _whole(word: str) -> str:
    """The form under which a compound is found whole, whatever its separators were."""
    if number := _GROUPED.fullmatch(word) or _GROUPED_IN_INDIA.fullmatch(word):
        digits, separator, decimals = number.groups()
        return digits.replace(separator, "") + (f".{decimals}" if decimals else "")
    return word.strip("_").replace(",", ".").replace("_", "-").replace("/", "-")


def _normalized(text: str, rules: _Rules) -> str:
    """What the words of `text` are found in; line breaks stay where they are."""
    if rules.replaced.search(text):
        text = _NO_BREAK_GROUP.sub(",", text.translate(rules.replacements))
        if text.isascii():
            return text.lower()
    text = rules.long_marks.sub(lambda run: run.group()[:_MAX_MARKS], text)
    text = unicodedata.normalize("NFC", text).casefold().replace("i\u0307", "i")  # what folding makes of a capital İ
    if "§" in text:
        text = _PARAGRAPH_SIGN.sub(" §", text)
    return _UNSPACED_RUN.sub(_pairs, text)


def _pairs(run: re.Match[str]) -> str:
    """A run of a script without spaces, written as its pairs with spaces between."""
    text = run.group()
    if not _rules(beyond_bmp=True).mark.search(text):
        if len(text) == 1:
            return f" {text} "
        return f" {' '.join([*map(add, text, text[1:]), *_HAN_LETTER.findall(text)])} "
    characters = _rules(beyond_bmp=True).character.findall(text)
    if len(characters) == 1:
        return f" {characters[0]} "
    found = [first + second for first, second in pairwise(characters)]
    found.extend(character for character in characters if _HAN_LETTER.match(character))
    return f" {' '.join(found)} "


@cache
def _rules(*, beyond_bmp: bool) -> _Rules:
    """Built when the first such text comes. Text inside the BMP has its own, since patterns that know the rare
    scripts beyond it are twice as slow.
    """
    marks: set[int] = set()
    replacements: dict[int, str | None] = dict.fromkeys(map(ord, _APOSTROPHES), "'")
    replacements |= {0x0131: "i", 0x0640: None, 0x066B: ".", 0x066C: ",", 0x2212: "-"}
    for point in range(0x80, 0x20000 if beyond_bmp else 0x10000):  # from there on there are only Han and selectors
        character = chr(point)
        match unicodedata.category(character):
            case "Mn" | "Mc" | "Me":
                marks.add(point)
            case "Nd":
                replacements[point] = str(unicodedata.digit(character))
            case "Pd":
                replacements[point] = "-"
            case "Cf":
                replacements[point] = None
    replacements |= {point: chr(point - 0xFEE0) for point in range(0xFF01, 0xFF5F)}
    replacements |= dict.fromkeys([0x034F, *range(0xFE00, 0xFE10)])
    if beyond_bmp:
        replacements |= dict.fromkeys(range(0xE0000, 0xE01F0))
    mark = _ranges(marks - replacements.keys())
    return _Rules(
        replacements=replacements,
        replaced=re.compile(f"[{_ranges({*replacements, 0xA0, 0x2009, 0x202F})}]"),
        long_marks=re.compile(f"[{mark}]{{{_MAX_MARKS + 1},}}+"),
        word=re.compile(rf"§?+[\w{mark}]++(?:[{_JOINERS}][\w{mark}]++)*+"),
        cut_word=re.compile(rf"(?<![\w{mark}])[\w{mark}]++(?:{_LINE_HYPHEN}[\w{mark}]++)++"),
        character=re.compile(f".[{mark}]*+", re.DOTALL),
        mark=re.compile(f"[{mark}]"),
    )


def _ranges(points: set[int]) -> str:
    """`points` as the inside of a character class."""
    spans: list[tuple[int, int]] = []
    for point in sorted(points):
        if spans and point == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], point)
        else:
            spans.append((point, point))
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in spans)
