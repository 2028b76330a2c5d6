"""Numbers and signs: digits, separators, units, currencies, operators, superscripts, dates."""

import random
import re

from tests.mutation import words as w
from tests.mutation.borders import is_spaceless
from tests.mutation.mutant import Honest, operator, pick, put

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉½¼¾", [*"01234567890123456789", "1/2", "1/4", "3/4"], strict=True))
_ROMAN = {"II": "2", "III": "3", "IV": "4", "VI": "6", "VII": "7", "VIII": "8", "IX": "9", "XI": "11", "XII": "12"}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"


@operator
def digit_changed(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"\d")
    if found is None:
        return None
    zero = ord(found[0]) - int(found[0])
    other = rng.choice([n for n in range(10) if n != int(found[0])])
    return put(honest.quote, *found.span(), chr(zero + other))


@operator
def digit_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\d)\d|\d(?=\d)")
    return found and put(honest.quote, *found.span(), "")


@operator
def digit_added(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"\d(?!\d)")
    return found and put(honest.quote, *found.span(), found[0] + rng.choice("0123456789"))


@operator
def sign_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[\s(])[-+−±–](?=[\d$€£.])")
    return found and put(honest.quote, *found.span(), "")


@operator
def sign_added(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[\s(])(?=[\d$€£])")
    return found and put(honest.quote, *found.span(), rng.choice("-+−±"))


@operator
def separator_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\d)[.,:/'’\u00a0\u202f\u2009](?=\d)")
    return found and put(honest.quote, *found.span(), "")


@operator
def separator_changed(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\d)[.,:/](?=\d)")
    return found and put(honest.quote, *found.span(), rng.choice([mark for mark in ".,:/ " if mark != found[0]]))


@operator
def separator_added(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\d)(?=\d)")
    return found and put(honest.quote, *found.span(), rng.choice([".", ",", " ", "-", "/"]))


@operator
def unit_changed(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\d)(\s?)([^\W\d_]+|%|°[CF])")
    if found is None:
        return None
    old = found[2][0] if found[2][0] in w.UNITS and is_spaceless(found[2][0]) else found[2]
    if old not in w.UNITS:
        return None
    return put(honest.quote, found.start(2), found.start(2) + len(old), w.UNITS[old])


@operator
def currency_changed(rng: random.Random, honest: Honest) -> str | None:
    pattern = "|".join(re.escape(name) if not name[0].isalpha() else rf"\b{name}\b" for name in w.CURRENCIES)
    found = pick(rng, honest.quote, pattern)
    return found and put(honest.quote, *found.span(), w.CURRENCIES[found[0]])


@operator
def currency_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"[$€£¥](?=\s?\d)|(?<=\d)[$€£¥%]")
    return found and put(honest.quote, *found.span(), "")


@operator
def operator_changed(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[\s\d\w])[≥≤><=≠±×·÷~≈/&*^](?=[\s\d\w])")
    return found and put(honest.quote, *found.span(), w.OPERATORS[found[0]])


@operator
def operator_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\w)\s?[≥≤><=≠±×·÷≈/&*^+−-]\s?(?=[$€£]?\d)")
    return found and put(honest.quote, *found.span(), rng.choice([" ", ""]))


@operator
def ascii_operator(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"[≥≤≠±×÷≈]")
    plain = {"≥": ">=", "≤": "<=", "≠": "!=", "±": "+-", "×": "x", "÷": "/", "≈": "~"}
    return found and put(honest.quote, *found.span(), plain[found[0]])


@operator
def superscript_flattened(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, "[" + "".join(_SUPERSCRIPTS) + "]")
    return found and put(honest.quote, *found.span(), _SUPERSCRIPTS[found[0]])


@operator
def superscript_raised(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=\d)[0-9](?!\d)")
    return found and put(honest.quote, *found.span(), "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(found[0])])


@operator
def roman_for_digit(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"\b(?:" + "|".join(sorted(_ROMAN, key=len, reverse=True)) + r")\b")
    if found is not None:
        return put(honest.quote, *found.span(), _ROMAN[found[0]])
    back = {digits: roman for roman, digits in _ROMAN.items()}
    found = pick(rng, honest.quote, r"(?<![\d.,])(?:2|3|4|6|7|8|9|11|12)(?![\d.,])")
    return found and put(honest.quote, *found.span(), back[found[0]])


@operator
def date_reordered(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, rf"\b({_MONTHS}) (\d{{1,2}})\b")
    if found is not None:
        return put(honest.quote, *found.span(), f"{found[2]} {found[1]}")
    found = pick(rng, honest.quote, r"\b(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\b")
    if found is None or found[1] == found[3]:
        return None
    return put(honest.quote, *found.span(), f"{found[3]}{found[2]}{found[1]}{found[2]}{found[4]}")
