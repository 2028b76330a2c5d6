"""BM25 over numpy arrays, exact to the bit: the same passages and counts give the same scores, whoever else is there.

What keeps the bits: counts and lengths are whole numbers over the permitted, live passages only; `math.log` is
called once a term; then only `+ * /` on float64, in the same order for every passage; the terms of a passage are
added in the order of the question. A passage that lacks a term gets nothing added, which changes no bit.
"""

import math
import threading
from collections.abc import Sequence
from typing import Any, Final, Protocol, cast

import numpy as np
import numpy.typing as npt

K1: Final = 1.2
B: Final = 0.75

_MARGIN: Final = 1.0 - 1e-9
"""Sums in another order differ by far less; a candidate too many costs nothing, one too few would be wrong."""

Ids = npt.NDArray[np.integer[Any]]
Counts = npt.NDArray[np.integer[Any]]
Scores = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Postings(Protocol):
    """Where one term of the question stands, read as far as it is needed."""

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

    def at(self, slots: Ids) -> Counts:
        """How often the term stands in each of `slots`, which ascend; 0 where it does not."""
        ...


def idf(frequency: int, passages: int) -> float:
    """Inverse document frequency of a term that `frequency` of `passages` hold; positive for every count."""
    return math.log(1.0 + (passages - frequency + 0.5) / (frequency + 0.5))


def ceiling(weights: Sequence[float]) -> float:
    """What no passage can reach: every term of the question, without end."""
    return sum(weights) * (K1 + 1.0)


def average_of(passages: int, total: int) -> float:
    """The mean length of `passages` whose lengths sum up to `total`."""
    return total / passages if total else 1.0


def term_scores(weight: float | Scores, counts: Counts, lengths: Ids, average: float) -> Scores:
    """The share of one term in the scores of the passages that hold it `counts` times. With an array of weights each
    passage has one of its own.
    """
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

    Candidates come first, in any order of adding and with a margin for it; only their scores are then computed, term
    by term in the order of the question. Which slots were candidates therefore changes no bit of the result.
    """
    average = average_of(passages, total)
    weights = [term.times * idf(term.frequency, passages) for term in terms]
    if match_all:
        candidates = _holding_all(terms, allowed)
    else:
        candidates = _promising(terms, weights, lengths, average, limit, allowed, minimum)
    own = lengths[candidates]
    scores = np.zeros(len(candidates), dtype=np.float64)
    for term, weight in zip(terms, weights, strict=True):
        scores += term_scores(weight, term.at(candidates), own, average)
    return best(candidates, scores, limit, minimum)


def whole_scores(weights: Scores, counts: Counts, lengths: Ids, average: float, places: Ids, size: int) -> Scores:
    """The scores of `size` passages from all their postings at once; 0 for a passage that holds no term.

    All but the last two by posting, in the order of the question's terms: `places` says which passage it is of. A
    passage's shares are added in that order, as `rank` adds them, so the bits are the same.
    """
    shares = term_scores(weights, counts, lengths, average)
    return cast("Scores", np.bincount(places, weights=shares, minlength=size))


def _holding_all(terms: Sequence[Postings], allowed: Mask | None) -> Ids:
    """The slots that hold every term."""
    if not terms:
        return np.zeros(0, dtype=np.int64)
    rarest = min(terms, key=lambda term: term.frequency)
    candidates, _ = rarest.all()
    if allowed is not None:
        candidates = candidates[allowed[candidates]]
    for term in terms:
        if term is not rarest:
            candidates = candidates[term.at(candidates) > 0]
    return candidates


def _promising(
    terms: Sequence[Postings],
    weights: Sequence[float],
    lengths: Ids,
    average: float,
    limit: int,
    allowed: Mask | None,
    minimum: float,
) -> Ids:
    """Every slot that can be among the best, and few others, ascending.

    Rare terms first: where `limit` slots have more from them already than all terms to come could give, a slot that
    holds none of them is out. The frequent terms, which are most of the work, are then only looked up for the slots
    that are left, fewer after each.
    """
    order = sorted(range(len(terms)), key=lambda index: terms[index].frequency)
    partial = _scratch.take(len(lengths))
    touched: list[Ids] = []
    least = minimum
    to_come = ceiling(weights)
    while order and to_come >= least * _MARGIN:
        index = order.pop(0)
        slots, counts = terms[index].all()
        if allowed is not None:
            kept = allowed[slots]
            slots, counts = slots[kept], counts[kept]
        partial[slots] += term_scores(weights[index], counts, lengths[slots], average)
        touched.append(slots)
        least = max(least, _last_of_best(partial[slots], limit))
        to_come -= weights[index] * (K1 + 1.0)
    candidates = _union(touched, partial)
    reached = partial[candidates]
    for slots in touched:
        partial[slots] = 0.0
    _scratch.give_back(partial)
    while True:
        least = max(least, _last_of_best(reached, limit))
        kept = reached + max(to_come, 0.0) >= least * _MARGIN
        candidates, reached = candidates[kept], reached[kept]
        if not order or len(candidates) <= limit:
            return candidates
        index = order.pop(0)
        reached += term_scores(weights[index], terms[index].at(candidates), lengths[candidates], average)
        to_come -= weights[index] * (K1 + 1.0)


class _Scratch(threading.local):
    """An array of zeros for each thread: clearing what was touched costs less than megabytes of fresh pages."""

    kept: Scores | None = None

    def take(self, size: int) -> Scores:
        """`size` zeros, the caller's until given back; what is not given back is forgotten."""
        kept, self.kept = self.kept, None
        return np.zeros(size, dtype=np.float64) if kept is None or len(kept) != size else kept

    def give_back(self, zeros: Scores) -> None:
        """Keep `zeros` for the next search of this thread."""
        self.kept = zeros


_scratch = _Scratch()


def _last_of_best(reached: Scores, limit: int) -> float:
    """What the last of the best `limit` has reached; 0 where there are fewer."""
    if len(reached) < limit:
        return 0.0
    return float(np.partition(reached, len(reached) - limit)[len(reached) - limit])


def _union(touched: Sequence[Ids], partial: Scores) -> Ids:
    """The slots in `touched`, once each, ascending: those whose `partial` is over 0."""
    if not touched:
        return np.zeros(0, dtype=np.int64)
    if len(touched) == 1:
        return touched[0]
    if 16 * sum(map(len, touched)) < len(partial):
        return np.unique(np.concatenate(touched))
    return np.flatnonzero(partial)


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
