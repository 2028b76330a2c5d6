"""BM25 over numpy arrays, exact to the bit: the same passages and counts give the same scores, whoever else is there.

What keeps the bits: counts and lengths are whole numbers over the permitted, live passages only; `math.log` is
called once a term; then only `+ * /` on float64, in the same order for every passage; the terms of a passage are
added in the order of the question. A passage that lacks a term gets nothing added, which changes no bit.
"""

import math
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

K1: Final = 1.2
B: Final = 0.75

Ids = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Postings(Protocol):
    """Where one term of the question stands, and how many `times` the question holds it."""

    @property
    def times(self) -> int:
        """How often the question holds the term."""
        ...

    @property
    def frequency(self) -> int:
        """Document frequency over live, permitted passages."""
        ...

    def all(self) -> tuple[Ids, Counts]:
        """The slots that hold the term, ascending, and how often it stands in each."""
        ...


def idf(frequency: int, passages: int) -> float:
    """Inverse document frequency of a term that `frequency` of `passages` hold; positive for every count."""
    return math.log(1.0 + (passages - frequency + 0.5) / (frequency + 0.5))


def ceiling(weights: Sequence[float]) -> float:
    """What no passage can reach: every term of the question, without end."""
    return sum(weights) * (K1 + 1.0)


def term_scores(weight: float, counts: Counts, lengths: Ids, average: float) -> Scores:
    """The share of one term in the scores of the passages that hold it `counts` times."""
    often = counts.astype(np.float64)
    norm: Scores = K1 * ((1.0 - B) + B * lengths.astype(np.float64) / average)
    score: Scores = weight * (often * (K1 + 1.0)) / (often + norm)
    return score


def rank(
    terms: Sequence[Postings],
    lengths: Ids,
    passages: int,
    total: int,
    limit: int,
    *,
    allowed: Mask | None = None,
    match_all: bool = False,
    minimum: float = 0.0,
) -> tuple[Ids, Scores]:
    """The best `limit` slots and all that tie with the last of them, best first, slots ascending among ties.

    `terms` in the order of the question; `lengths` by slot; `passages` and `total` (their summed length) over what is
    live and permitted; `allowed` by slot, or None for all. Scores under `minimum` are left out.
    """
    average = total / passages if total else 1.0
    weights = [term.times * idf(term.frequency, passages) for term in terms]
    scores = np.zeros(len(lengths), dtype=np.float64)
    matched = np.zeros(len(lengths), dtype=np.int64)
    for term, weight in zip(terms, weights, strict=True):
        ids, counts = term.all()
        scores[ids] += term_scores(weight, counts, lengths[ids], average)
        matched[ids] += 1
    wanted = matched >= (len(terms) if match_all else 1)
    if allowed is not None:
        wanted &= allowed
    candidates = np.flatnonzero(wanted)
    found = scores[candidates]
    return best(candidates, found, limit, minimum)


def best(candidates: Ids, scores: Scores, limit: int, minimum: float = 0.0) -> tuple[Ids, Scores]:
    """Cut to the best `limit` and their ties, best first; `candidates` must ascend."""
    if minimum > 0.0:
        kept = scores >= minimum
        candidates, scores = candidates[kept], scores[kept]
    if len(scores) > limit:
        border = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        kept = scores >= border
        candidates, scores = candidates[kept], scores[kept]
    order = np.argsort(-scores, kind="stable")
    return candidates[order], scores[order]
