"""Honest quotes as people and models write them: dressed for a profile, and planted with what the data seldom has.

A mutation of a quote that a checker would refuse for its line breaks proves nothing; so each quote is first written
in a way that the profile accepts, and then mutated.
"""

import random
import re
import unicodedata

from tests.mutation.bank import Honest
from tests.mutation.borders import is_spaceless

_PLAIN = str.maketrans({
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‑": "-", "‐": "-", "−": "-",
    "…": "...", "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "\u00ad": None, "\u200b": None, "\u2060": None, "\ufeff": None,
})  # fmt: skip
_PLANTS = (
    "of 10² m²", "of −5 % and", "at US$5.25 or", "if ≥ 5 mg", "as 3 · 4 units", "for 5 * 3 days", "€ 1.500,00 net",
    "a non-refundable sum", "l'homme et la femme", "el año pasado", "in der Straße", "see page 12 [3] and", "&lt; 5 mg of",
    "on 12/05/2020 and", "by Henry VIII and", "he can't pay", "½ cup of", "only 15 items", "±0.5 °C above", "x | y",
    "10 000 people", "A$1,000 million", "more than -7 degrees", "a well-known co-owner", "not 5:30 but", "2010–2015 only",
    "*5 units*", "3 *5* 4 units", "with 10% less", "of §5 and 1⁄2", "to IT and the US", "**not** all", "at 5.", "+49 30 1234567", "1e-6 of",
)  # fmt: skip


def plant(rng: random.Random, honest: Honest) -> Honest:
    """The same text and quote with a telling token put in at a word border inside the quote."""
    places = [m.start() for m in re.finditer(r" (?=\w)", honest.text[honest.start : honest.end])]
    if not places or honest.text[honest.start : honest.end] != honest.quote:
        return honest
    at = honest.start + rng.choice(places)
    piece = " " + rng.choice(_PLANTS)
    text = honest.text[:at] + piece + honest.text[at:]
    return Honest(
        text, honest.start, honest.end + len(piece), text[honest.start : honest.end + len(piece)], honest.lang
    )


def dressed(rng: random.Random, honest: Honest, profile: str) -> Honest:
    """The quote written so that `profile` still accepts it, and narrower ones often do not."""
    quote = honest.quote
    if profile in ("extracted", "editorial"):
        quote = re.sub(r"(?<=[^\W\d_])-\s*\n\s*(?=[^\W\d_])", lambda _: rng.choice(["", "-"]), quote)
        quote = re.sub("(?<=[^\\W\\d_])\ufffe(?=[^\\W\\d_])", "-", quote)
        quote = _cjk_joined(quote)
    if profile != "verbatim":
        quote = re.sub(r"\s+", " ", quote.translate(_PLAIN)).strip()
        if rng.random() < 0.1:
            quote = unicodedata.normalize("NFD", quote)
    if profile == "editorial":
        quote = _edited(rng, quote)
    return Honest(honest.text, honest.start, honest.end, quote, honest.lang)


def _cjk_joined(quote: str) -> str:
    pieces = re.split(r"(\s*\n\s*)", quote)
    for at in range(1, len(pieces) - 1, 2):
        left, right = pieces[at - 1][-1:], pieces[at + 1][:1]
        if left and right and is_spaceless(left) and is_spaceless(right):
            pieces[at] = ""
    return "".join(pieces)


def _edited(rng: random.Random, quote: str) -> str:
    roll = rng.random()
    if roll < 0.25 and quote[-1:] in ".,;":
        quote = quote[:-1]
    elif roll < 0.5 and quote[-1:].isalnum():
        quote += rng.choice(".,;")
    words = re.findall(r"[^\W\d_]+", quote)
    if len(words) > 4 and all(word.isupper() for word in words):
        quote = quote.lower() if rng.random() < 0.5 else quote.title()
    if rng.random() < 0.1 and '"' not in quote:
        quote = f'"{quote}"'
    if rng.random() < 0.1 and len(quote) > 2 and quote[0].isascii() and quote[0].isalpha() and quote[1].islower():
        quote = f"[{quote[0].swapcase()}]{quote[1:]}"
    return quote
