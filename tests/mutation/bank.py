"""The mutation bank: each operator makes one dishonest quote from an honest one.

An operator takes a seeded `random.Random` and an `Honest` quote and returns the mutated quote, or None where it does not
apply. The same seed gives the same mutation. Whether the result happens to be a true quote is for the judge to say.
"""

import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from tests.mutation import words as w
from tests.mutation.borders import APOSTROPHES, CJK_NUMERALS, is_body, is_spaceless


@dataclass(frozen=True, slots=True)
class Honest:
    """A true quote of `text`: `text[start:end]` says the same as `quote` under the profile it is written for."""

    text: str
    start: int
    end: int
    quote: str
    lang: str = "en"


Operator = Callable[[random.Random, Honest], str | None]
OPERATORS: dict[str, Operator] = {}
_WORD = re.compile(r"[^\W\d_]+(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0963\u064b-\u065f])*")
_DIGITS = re.compile(r"\d+")
_BIDI = "\u202e\u202d\u2066\u2067\u2068\u202a\u200f\u061c\U000e0041\U000e007f\ue000\u206a"
_HOMOGLYPHS = dict(
    zip("aceopxyiABEKMHOPCTXсеоарухАВЕКМНОРСТХоα", "асеорхуіАВЕКМНОРСТХceoapyxABEKMHOPCTXοa", strict=False)
)
_HAN_LOOKALIKES = {
    "日": "曰",
    "土": "士",
    "未": "末",
    "己": "已",
    "人": "入",
    "大": "太",
    "千": "干",
    "天": "夭",
    "王": "玉",
}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉½¼¾", [*"01234567890123456789", "1/2", "1/4", "3/4"], strict=True))
_PLAIN_LETTERS = {"ß": "ss", "ı": "i", "İ": "I", "ø": "o", "ł": "l", "Ø": "O", "Ł": "L", "æ": "ae", "œ": "oe"}
_ROMAN = {"II": "2", "III": "3", "IV": "4", "VI": "6", "VII": "7", "VIII": "8", "IX": "9", "XI": "11", "XII": "12"}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"


def operator(function: Operator) -> Operator:
    """Enter an operator in the bank under its function's name."""
    OPERATORS[function.__name__] = function
    return function


def _one(rng: random.Random, quote: str, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
    found = list(re.finditer(pattern, quote))
    return rng.choice(found) if found else None


def _put(quote: str, start: int, end: int, new: str) -> str:
    return quote[:start] + new + quote[end:]


def _tokens(quote: str) -> list[tuple[int, int]]:
    """Word spans in the quote; in scripts without spaces, letter by letter."""
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(quote):
        if not is_body(quote[at]):
            at += 1
            continue
        high = at + 1
        alone = is_spaceless(quote[at])
        while high < len(quote) and is_body(quote[high]):
            if (alone or is_spaceless(quote[high])) and unicodedata.category(quote[high])[0] != "M":
                break
            high += 1
        spans.append((at, high))
        at = high
    return spans


def _remove(quote: str, start: int, end: int) -> str:
    """The quote without one word and one of the spaces around it."""
    if end < len(quote) and quote[end].isspace() and (start == 0 or quote[start - 1].isspace()):
        end += 1
    return quote[:start] + quote[end:]


def _listed(rng: random.Random, quote: str, listed: tuple[str, ...]) -> tuple[int, int] | None:
    """One occurrence of one of the listed words, as a word of its own (as letters, in scripts without spaces)."""
    found = []
    for entry in listed:
        edge = "" if is_spaceless(entry[0]) else r"(?!\w)"
        before = "" if is_spaceless(entry[0]) else r"(?<!\w)"
        found += [m.span() for m in re.finditer(before + re.escape(entry) + edge, quote, re.IGNORECASE)]
    return rng.choice(sorted(set(found))) if found else None


def _elsewhere(rng: random.Random, honest: Honest, like: str) -> str | None:
    """A word of the source that differs from `like` in more than case, of the same kind."""
    pool = sorted({m[0] for m in _WORD.finditer(honest.text) if len(m[0]) > 3})
    if is_spaceless(like[0]):
        pool = sorted({char for char in honest.text if is_spaceless(char) and unicodedata.category(char)[0] == "L"})
    pool = [word for word in pool if word.casefold() != like.casefold() and word[0].isupper() == like[0].isupper()]
    return rng.choice(pool) if pool else None


# Numbers and signs


@operator
def digit_changed(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"\d")
    if found is None:
        return None
    zero = ord(found[0]) - int(found[0])
    other = rng.choice([n for n in range(10) if n != int(found[0])])
    return _put(honest.quote, *found.span(), chr(zero + other))


@operator
def digit_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\d)\d|\d(?=\d)")
    return found and _put(honest.quote, *found.span(), "")


@operator
def digit_added(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"\d(?!\d)")
    return found and _put(honest.quote, *found.span(), found[0] + rng.choice("0123456789"))


@operator
def sign_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[\s(])[-+−±–](?=[\d$€£.])")
    return found and _put(honest.quote, *found.span(), "")


@operator
def sign_added(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[\s(])(?=[\d$€£])")
    return found and _put(honest.quote, *found.span(), rng.choice("-+−±"))


@operator
def separator_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\d)[.,:/'’\u00a0\u202f\u2009](?=\d)")
    return found and _put(honest.quote, *found.span(), "")


@operator
def separator_changed(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\d)[.,:/](?=\d)")
    return found and _put(honest.quote, *found.span(), rng.choice([mark for mark in ".,:/ " if mark != found[0]]))


@operator
def separator_added(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\d)(?=\d)")
    return found and _put(honest.quote, *found.span(), rng.choice([".", ",", " ", "-", "/"]))


@operator
def unit_changed(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\d)(\s?)([^\W\d_]+|%|°[CF])")
    if found is None:
        return None
    old = found[2][0] if found[2][0] in w.UNITS and is_spaceless(found[2][0]) else found[2]
    if old not in w.UNITS:
        return None
    return _put(honest.quote, found.start(2), found.start(2) + len(old), w.UNITS[old])


@operator
def currency_changed(rng: random.Random, honest: Honest) -> str | None:
    pattern = "|".join(re.escape(name) if not name[0].isalpha() else rf"\b{name}\b" for name in w.CURRENCIES)
    found = _one(rng, honest.quote, pattern)
    return found and _put(honest.quote, *found.span(), w.CURRENCIES[found[0]])


@operator
def currency_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"[$€£¥](?=\s?\d)|(?<=\d)[$€£¥%]")
    return found and _put(honest.quote, *found.span(), "")


@operator
def operator_changed(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[\s\d\w])[≥≤><=≠±×·÷~≈/&*^](?=[\s\d\w])")
    return found and _put(honest.quote, *found.span(), w.OPERATORS[found[0]])


@operator
def operator_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\w)\s?[≥≤><=≠±×·÷≈/&*^+−-]\s?(?=[$€£]?\d)")
    return found and _put(honest.quote, *found.span(), rng.choice([" ", ""]))


@operator
def ascii_operator(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"[≥≤≠±×÷≈]")
    plain = {"≥": ">=", "≤": "<=", "≠": "!=", "±": "+-", "×": "x", "÷": "/", "≈": "~"}
    return found and _put(honest.quote, *found.span(), plain[found[0]])


@operator
def superscript_flattened(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, "[" + "".join(_SUPERSCRIPTS) + "]")
    return found and _put(honest.quote, *found.span(), _SUPERSCRIPTS[found[0]])


@operator
def superscript_raised(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=\d)[0-9](?!\d)")
    return found and _put(honest.quote, *found.span(), "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(found[0])])


@operator
def roman_for_digit(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"\b(?:" + "|".join(sorted(_ROMAN, key=len, reverse=True)) + r")\b")
    if found is not None:
        return _put(honest.quote, *found.span(), _ROMAN[found[0]])
    back = {digits: roman for roman, digits in _ROMAN.items()}
    found = _one(rng, honest.quote, r"(?<![\d.,])(?:2|3|4|6|7|8|9|11|12)(?![\d.,])")
    return found and _put(honest.quote, *found.span(), back[found[0]])


@operator
def date_reordered(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, rf"\b({_MONTHS}) (\d{{1,2}})\b")
    if found is not None:
        return _put(honest.quote, *found.span(), f"{found[2]} {found[1]}")
    found = _one(rng, honest.quote, r"\b(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\b")
    if found is None or found[1] == found[3]:
        return None
    return _put(honest.quote, *found.span(), f"{found[3]}{found[2]}{found[1]}{found[2]}{found[4]}")


# Words


@operator
def negation_dropped(rng: random.Random, honest: Honest) -> str | None:
    span = _listed(rng, honest.quote, w.NEGATIONS.get(honest.lang, ()))
    return span and _remove(honest.quote, *span)


@operator
def negation_cut_off(rng: random.Random, honest: Honest) -> str | None:
    """The negation that is part of a word: `can't`, `cannot`, `unable`, `non-refundable`."""
    if honest.lang != "en":
        return None
    found = _one(rng, honest.quote, r"(?i)(?<=[a-z])n['’]t\b|(?<=can)not\b|(?<!\w)(?:un|non-?|dis|in)(?=[a-z]{4})")
    if found is None:
        return None
    contracted_can = found[0][-1] in "tT" and honest.quote[found.start() - 2 : found.start()].lower() == "ca"
    return _put(honest.quote, *found.span(), "n" if contracted_can else "")


@operator
def negation_added(rng: random.Random, honest: Honest) -> str | None:
    after, before = w.NEGATE_AFTER.get(honest.lang), w.NEGATE_BEFORE.get(honest.lang)
    if after is not None:
        span = _listed(rng, honest.quote, after[0])
        return span and _put(honest.quote, span[1], span[1], f" {after[1]}")
    if before is not None:
        span = _listed(rng, honest.quote, before[0])
        return span and _put(honest.quote, span[0], span[0], before[1] + ("" if honest.lang == "zh" else " "))
    return None


@operator
def limiter_dropped(rng: random.Random, honest: Honest) -> str | None:
    span = _listed(rng, honest.quote, w.LIMITERS.get(honest.lang, ()))
    return span and _remove(honest.quote, *span)


@operator
def comparator_changed(rng: random.Random, honest: Honest) -> str | None:
    span = _listed(rng, honest.quote, tuple(w.COMPARATORS))
    if span is None:
        return None
    return _put(honest.quote, *span, w.COMPARATORS.get(honest.quote[slice(*span)].lower(), "not"))


@operator
def word_dropped(rng: random.Random, honest: Honest) -> str | None:
    spans = _tokens(honest.quote)[1:-1]
    return _remove(honest.quote, *rng.choice(spans)) if spans else None


@operator
def word_added(rng: random.Random, honest: Honest) -> str | None:
    spans = _tokens(honest.quote)[1:]
    if not spans:
        return None
    at = rng.choice(spans)[0]
    return _put(honest.quote, at, at, rng.choice(w.ADDED[honest.lang]) + ("" if honest.lang == "zh" else " "))


@operator
def word_doubled(rng: random.Random, honest: Honest) -> str | None:
    spans = _tokens(honest.quote)[1:-1]
    if not spans:
        return None
    low, high = rng.choice(spans)
    return _put(honest.quote, high, high, ("" if is_spaceless(honest.quote[low]) else " ") + honest.quote[low:high])


@operator
def words_swapped(rng: random.Random, honest: Honest) -> str | None:
    quote, spans = honest.quote, _tokens(honest.quote)
    pairs = [(a, b) for a, b in zip(spans, spans[1:], strict=False) if quote[slice(*a)] != quote[slice(*b)]]
    if not pairs:
        return None
    (a, b), (c, d) = rng.choice(pairs)
    return quote[:a] + quote[c:d] + quote[b:c] + quote[a:b] + quote[d:]


@operator
def word_reinflected(rng: random.Random, honest: Honest) -> str | None:
    endings = {"en": "s", "es": "s", "de": "en", "tr": "lar", "ru": "ы", "hi": "ों", "ar": "ات", "zh": "们"}
    spans = [span for span in _tokens(honest.quote) if span[1] - span[0] > 3 or honest.lang == "zh"]
    spans = [span for span in spans if not honest.quote[span[0] : span[1]].isnumeric()]
    if not spans:
        return None
    low, high = rng.choice(spans)
    ending = endings[honest.lang]
    if honest.quote[low:high].endswith(ending):
        return _put(honest.quote, high - len(ending), high, "")
    return _put(honest.quote, high, high, ending)


@operator
def letter_changed(rng: random.Random, honest: Honest) -> str | None:
    at = rng.choice([n for n, char in enumerate(honest.quote) if char.isalpha()] or [-1])
    other = rng.choice([char for char in honest.text[:2000] if char.isalpha()] or [""])
    if at < 0 or not other or other.casefold() == honest.quote[at].casefold():
        return None
    return _put(honest.quote, at, at + 1, other)


@operator
def name_swapped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[^.!?\s] )[^\W\d_]{3,}")
    if found is None or not found[0][0].isupper():
        return None
    other = _elsewhere(rng, honest, found[0])
    return other and _put(honest.quote, *found.span(), other)


@operator
def last_word_replaced(rng: random.Random, honest: Honest) -> str | None:
    spans = _tokens(honest.quote)
    other = _elsewhere(rng, honest, honest.quote[slice(*spans[-1])]) if spans else None
    return other and _put(honest.quote, *spans[-1], other)


@operator
def sentence_appended(_: random.Random, honest: Honest) -> str | None:
    joint = "" if honest.lang == "zh" else " "
    stop = "" if honest.quote.rstrip()[-1:] in ".!?。।؟" else {"zh": "。", "hi": "।"}.get(honest.lang, ".")
    return honest.quote.rstrip() + stop + joint + w.INVENTED[honest.lang]


@operator
def word_border_moved(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[^\W\d_])[ ](?=[^\W\d_]{2})")
    if found is None or is_spaceless(honest.quote[found.start() - 1]):
        return None
    at = found.start()
    return rng.choice([
        _put(honest.quote, at, at + 2, honest.quote[at + 1] + " "),
        _put(honest.quote, at, at + 1, ""),
        _put(honest.quote, at - 1, at + 1, " " + honest.quote[at - 1]),
    ])  # fmt: skip


@operator
def word_split(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[a-zа-я]{2})(?=[a-zа-я]{2})")
    return found and _put(honest.quote, *found.span(), rng.choice([" ", "-", "- "]))


@operator
def hyphen_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")
    return found and _put(honest.quote, *found.span(), rng.choice(["", " "]))


# Characters


@operator
def accent_dropped(rng: random.Random, honest: Honest) -> str | None:
    places = []
    for at, char in enumerate(honest.quote):
        if char in _PLAIN_LETTERS:
            places.append((at, _PLAIN_LETTERS[char]))
        elif unicodedata.category(char) == "Mn":
            places.append((at, ""))
        elif (
            char.isalpha()
            and len(parts := unicodedata.normalize("NFD", char)) > 1
            and not 0xAC00 <= ord(char) <= 0xD7A3
        ):
            places.append((at, parts[0]))
    if not places:
        return None
    at, plain = rng.choice(places)
    return _put(honest.quote, at, at + 1, plain)


@operator
def accent_added(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, "[aeiouAEIOU](?![\u0300-\u036f])")
    return found and _put(honest.quote, *found.span(), found[0] + rng.choice("\u0301\u0308\u0323"))


@operator
def homoglyph(rng: random.Random, honest: Honest) -> str | None:
    places = [at for at, char in enumerate(honest.quote) if char in _HOMOGLYPHS or char in _HAN_LOOKALIKES]
    if not places:
        return None
    at = rng.choice(places)
    return _put(honest.quote, at, at + 1, _HOMOGLYPHS.get(honest.quote[at]) or _HAN_LOOKALIKES[honest.quote[at]])


@operator
def case_changed(rng: random.Random, honest: Honest) -> str | None:
    words = [m for m in _WORD.finditer(honest.quote) if m[0] != m[0].lower() and m[0].lower().upper() == m[0].upper()]
    found = rng.choice(words) if words and rng.random() < 0.7 else _one(rng, honest.quote, _WORD)
    if found is None or found[0].swapcase() == found[0]:
        return None
    other = found[0].lower() if found[0] != found[0].lower() else rng.choice([found[0].upper(), found[0].capitalize()])
    return _put(honest.quote, *found.span(), other)


@operator
def hidden_inserted(rng: random.Random, honest: Honest) -> str | None:
    at = rng.randrange(1, len(honest.quote)) if len(honest.quote) > 1 else 0
    return _put(honest.quote, at, at, rng.choice(_BIDI)) if at else None


# Ends and joints


@operator
def end_in_word(rng: random.Random, honest: Honest) -> str | None:
    spans = [s for s in _tokens(honest.quote) if s[1] - s[0] > 2 and not is_spaceless(honest.quote[s[0]])]
    if len(spans) < 5:
        return None
    if rng.random() < 0.5:
        low, high = rng.choice(spans[: len(spans) - 4])
        return honest.quote[rng.randrange(low + 1, high) :]
    low, high = rng.choice(spans[4:])
    return honest.quote[: rng.randrange(low + 1, high)]


@operator
def end_in_number(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"[-+−±]?[$€£]?\d[\d.,:/]*\d[%²³]?|[-+−±]\d[%²³]?|[$€£]\d|\d[%²³½]")
    if found is None:
        return None
    cut = rng.randrange(found.start() + 1, found.end())
    return rng.choice([honest.quote[cut:], honest.quote[:cut]])


@operator
def end_in_numeral(rng: random.Random, honest: Honest) -> str | None:
    """Inside a number written in Chinese characters (`三十五`)."""
    numerals = "".join(sorted(CJK_NUMERALS))
    found = _one(rng, honest.quote, f"[{numerals}]{{2,}}")
    if found is None:
        return None
    cut = rng.randrange(found.start() + 1, found.end())
    return rng.choice([honest.quote[cut:], honest.quote[:cut]])


@operator
def end_in_compound(rng: random.Random, honest: Honest) -> str | None:
    found = _one(rng, honest.quote, r"(?<=[^\W_])[-‐‑'’](?=[^\W_])")
    if found is None:
        return None
    if found[0] in APOSTROPHES and not re.match(r"(?i)n['’]t\b", honest.quote[found.start() - 1 :]):
        return honest.quote[found.end() :]
    if found[0] in APOSTROPHES:
        return honest.quote[: found.start()]
    return rng.choice([honest.quote[found.end() :], honest.quote[: found.start()]])


@operator
def spliced(rng: random.Random, honest: Honest) -> str | None:
    other = _distant(rng, honest)
    return other and _half(rng, honest.quote) + ("" if honest.lang == "zh" else " ") + other


@operator
def spliced_with_mark(rng: random.Random, honest: Honest) -> str | None:
    other, head = _distant(rng, honest), _half(rng, honest.quote)
    if not other:
        return None
    mark = rng.choice([" … ", " ... ", " [...] ", "… ", "..."])
    return other + mark + head if rng.random() < 0.3 else head + mark + other


@operator
def elision_hides(rng: random.Random, honest: Honest) -> str | None:
    span = _listed(rng, honest.quote, w.HIDING.get(honest.lang, ()))
    tokens = _tokens(honest.quote)
    if span is None or len(tokens) < 5:
        return None
    before = [t for t in tokens if t[1] <= span[0]]
    after = [t for t in tokens if t[0] >= span[1]]
    if len(before) < 2 or len(after) < 2:
        return None
    low = before[-1 - rng.randrange(min(3, len(before) - 1))][1]
    high = after[rng.randrange(min(3, len(after) - 1))][0]
    return honest.quote[:low] + rng.choice([" … ", " ... ", " [...] ", "...", " [ … ] "]) + honest.quote[high:]


@operator
def elision_over_sentences(rng: random.Random, honest: Honest) -> str | None:
    """From the end of one sentence to the middle of the next, with a mark between."""
    behind = honest.text[honest.end : honest.end + 200]
    if not re.search(r"[^\W\d_]{4}[.!?]$", honest.quote) or not re.match(r"\s+[^\W\d_]", behind):
        return None
    spans = _tokens(behind)
    if len(spans) < 6 or not behind[spans[0][0]].isupper():
        return None
    head, tail = _half(rng, honest.quote), re.sub(r"\s+", " ", behind[spans[1][0] : spans[4][1]])
    return head + rng.choice([" … ", " ... ", " [...] "]) + tail


def _half(rng: random.Random, quote: str) -> str:
    spans = _tokens(quote)
    if len(spans) < 4:
        return quote
    return quote[: spans[rng.randrange(len(spans) // 2, len(spans) - 1)][1]]


def _distant(rng: random.Random, honest: Honest) -> str | None:
    """A few words of the source at least 250 characters away from the quote."""
    low, high = honest.start - 250, honest.end + 250
    places = [n for n in (*range(0, max(low - 120, 0), 60), *range(high, len(honest.text) - 120, 60)) if n >= 0]
    if not places:
        return None
    at = rng.choice(places)
    piece = honest.text[at : at + 120]
    spans = _tokens(piece)[1:-1]
    if len(spans) < 4:
        return None
    return re.sub(r"\s+", " ", piece[spans[0][0] : spans[min(len(spans) - 1, 11)][1]])
