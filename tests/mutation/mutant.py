"""What the operators of the mutation bank share: the honest quote, the register, and ways to cut a quote.

An operator takes a seeded `random.Random` and an `Honest` quote and returns the mutated quote, or None where it does not
apply. The same seed gives the same mutation. Whether the result happens to be a true quote is for the judge to say.
"""

import random
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from tests.mutation.borders import is_body, is_spaceless


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
WORD = re.compile(r"[^\W\d_]+(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0963\u064b-\u065f])*")


def operator(function: Operator) -> Operator:
    """Enter an operator in the bank under its function's name."""
    OPERATORS[function.__name__] = function
    return function


def pick(rng: random.Random, quote: str, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
    found = list(re.finditer(pattern, quote))
    return rng.choice(found) if found else None


def put(quote: str, start: int, end: int, new: str) -> str:
    return quote[:start] + new + quote[end:]


def tokens(quote: str) -> list[tuple[int, int]]:
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


def remove(quote: str, start: int, end: int) -> str:
    """The quote without one word and one of the spaces around it."""
    if end < len(quote) and quote[end].isspace() and (start == 0 or quote[start - 1].isspace()):
        end += 1
    return quote[:start] + quote[end:]


def listed(rng: random.Random, quote: str, entries: tuple[str, ...]) -> tuple[int, int] | None:
    """One occurrence of one of the listed words, as a word of its own (as letters, in scripts without spaces)."""
    found = []
    for entry in entries:
        edge = "" if is_spaceless(entry[0]) else r"(?!\w)"
        before = "" if is_spaceless(entry[0]) else r"(?<!\w)"
        found += [m.span() for m in re.finditer(before + re.escape(entry) + edge, quote, re.IGNORECASE)]
    return rng.choice(sorted(set(found))) if found else None


def elsewhere(rng: random.Random, honest: Honest, like: str) -> str | None:
    """A word of the source that differs from `like` in more than case, of the same kind."""
    pool = sorted({m[0] for m in WORD.finditer(honest.text) if len(m[0]) > 3})
    if is_spaceless(like[0]):
        pool = sorted({char for char in honest.text if is_spaceless(char) and unicodedata.category(char)[0] == "L"})
    pool = [word for word in pool if word.casefold() != like.casefold() and word[0].isupper() == like[0].isupper()]
    return rng.choice(pool) if pool else None
