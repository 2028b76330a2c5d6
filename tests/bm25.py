"""An independent BM25, as plain as it gets: rank the given passages and nothing else. The store must equal it bit for bit."""

import math
from collections import Counter
from dataclasses import dataclass

from verified_gate.retrieval.tokens import tokens


@dataclass(frozen=True)
class Plain:
    """A passage as the ranking sees it: its name in the order of ties, its key, and all text it is found by."""

    order: tuple[str, str, str, int]
    key: str
    text: str


def rank(
    question: str, corpus: list[Plain], limit: int, *, candidates: list[Plain] | None = None, match_all: bool = False
) -> list[tuple[str, float]]:
    """Keys and scores of the best `limit` of `candidates` (all of `corpus` by default), counted over `corpus`."""
    words = {plain.order: tokens(plain.text) for plain in [*corpus, *(candidates or [])]}
    terms = Counter(tokens(question))
    number, total = len(corpus), sum(len(words[plain.order]) for plain in corpus)
    average = total / number if total else 1.0
    scored = []
    for plain in corpus if candidates is None else candidates:
        score, matched = 0.0, 0
        for term, times in terms.items():
            often = words[plain.order].count(term)
            holding = sum(term in words[other.order] for other in corpus)
            weight = times * math.log(1.0 + (number - holding + 0.5) / (holding + 0.5))
            norm = 1.2 * ((1.0 - 0.75) + 0.75 * len(words[plain.order]) / average)
            if often:
                score += weight * (often * (1.2 + 1.0)) / (often + norm)
                matched += 1
        if matched and (matched == len(terms) or not match_all):
            scored.append((-score, plain.order, plain.key))
    return [(key, -negative) for negative, _, key in sorted(scored)[:limit]]
