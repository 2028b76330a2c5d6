"""Characters, and the ends and joints of a quote: look-alikes, case, hidden marks, cut tokens, splices, elisions."""

import random
import re
import unicodedata

from tests.mutation import words as w
from tests.mutation.borders import APOSTROPHES, CJK_NUMERALS, is_spaceless
from tests.mutation.mutant import WORD, Honest, listed, operator, pick, put, tokens

_BIDI = "\u202e\u202d\u2066\u2067\u2068\u202a\u200f\u061c\U000e0041\U000e007f\ue000\u206a"
_HOMOGLYPHS = {
    **dict(zip("aceopxyiABEKMHOPCTXS", "асеорхуіАВЕКМНОРСТХЅ", strict=True)),
    **dict(zip("асеорхуАВЕКМНОРСТХ", "aceopxyABEKMHOPCTX", strict=True)),
    **dict(zip("οαν", "oav", strict=True)),
}
_HAN_LOOKALIKES = dict(zip("日土未己人大千天王", "曰士末已入太干夭玉", strict=True))
_PLAIN_LETTERS = {"ß": "ss", "ı": "i", "İ": "I", "ø": "o", "ł": "l", "Ø": "O", "Ł": "L", "æ": "ae", "œ": "oe"}


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
    return put(honest.quote, at, at + 1, plain)


@operator
def accent_added(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, "[aeiouAEIOU](?![\u0300-\u036f])")
    return found and put(honest.quote, *found.span(), found[0] + rng.choice("\u0301\u0308\u0323"))


@operator
def homoglyph(rng: random.Random, honest: Honest) -> str | None:
    places = [at for at, char in enumerate(honest.quote) if char in _HOMOGLYPHS or char in _HAN_LOOKALIKES]
    if not places:
        return None
    at = rng.choice(places)
    return put(honest.quote, at, at + 1, _HOMOGLYPHS.get(honest.quote[at]) or _HAN_LOOKALIKES[honest.quote[at]])


@operator
def case_changed(rng: random.Random, honest: Honest) -> str | None:
    words = [m for m in WORD.finditer(honest.quote) if m[0] != m[0].lower() and m[0].lower().upper() == m[0].upper()]
    found = rng.choice(words) if words and rng.random() < 0.7 else pick(rng, honest.quote, WORD)
    if found is None or found[0].swapcase() == found[0]:
        return None
    other = found[0].lower() if found[0] != found[0].lower() else rng.choice([found[0].upper(), found[0].capitalize()])
    return put(honest.quote, *found.span(), other)


@operator
def hidden_inserted(rng: random.Random, honest: Honest) -> str | None:
    at = rng.randrange(1, len(honest.quote)) if len(honest.quote) > 1 else 0
    return put(honest.quote, at, at, rng.choice(_BIDI)) if at else None


@operator
def end_in_word(rng: random.Random, honest: Honest) -> str | None:
    spans = [s for s in tokens(honest.quote) if s[1] - s[0] > 2 and not is_spaceless(honest.quote[s[0]])]
    if len(spans) < 5:
        return None
    if rng.random() < 0.5:
        low, high = rng.choice(spans[: len(spans) - 4])
        return honest.quote[rng.randrange(low + 1, high) :]
    low, high = rng.choice(spans[4:])
    return honest.quote[: rng.randrange(low + 1, high)]


@operator
def end_in_number(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"[-+−±]?[$€£]?\d[\d.,:/]*\d[%²³]?|[-+−±]\d[%²³]?|[$€£]\d|\d[%²³½]")
    if found is None:
        return None
    cut = rng.randrange(found.start() + 1, found.end())
    return rng.choice([honest.quote[cut:], honest.quote[:cut]])


@operator
def end_in_numeral(rng: random.Random, honest: Honest) -> str | None:
    """Inside a number written in Chinese characters (`三十五`)."""
    numerals = "".join(sorted(CJK_NUMERALS))
    found = pick(rng, honest.quote, f"[{numerals}]{{2,}}")
    if found is None:
        return None
    cut = rng.randrange(found.start() + 1, found.end())
    return rng.choice([honest.quote[cut:], honest.quote[:cut]])


@operator
def end_in_compound(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[^\W_])[-‐‑'’](?=[^\W_])")
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
    span = listed(rng, honest.quote, w.HIDING.get(honest.lang, ()))
    words = tokens(honest.quote)
    if span is None or len(words) < 5:
        return None
    before = [t for t in words if t[1] <= span[0]]
    after = [t for t in words if t[0] >= span[1]]
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
    spans = tokens(behind)
    if len(spans) < 6 or not behind[spans[0][0]].isupper():
        return None
    head, tail = _half(rng, honest.quote), re.sub(r"\s+", " ", behind[spans[1][0] : spans[4][1]])
    return head + rng.choice([" … ", " ... ", " [...] "]) + tail


def _half(rng: random.Random, quote: str) -> str:
    spans = tokens(quote)
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
    spans = tokens(piece)[1:-1]
    if len(spans) < 4:
        return None
    return re.sub(r"\s+", " ", piece[spans[0][0] : spans[min(len(spans) - 1, 11)][1]])
