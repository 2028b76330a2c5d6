"""Searching the postings of what an actor may read; the postings of other audiences are never opened.

Only counts are read for every term (the sizes of rows, without the rows); rows are read for the terms and the runs
that the ranking asks for.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.layout import FEW_RUNS, Layout, Reach, Scope
from verified_gate.corpus.segment import counts_of, slots_of
from verified_gate.retrieval import bm25

Array = npt.NDArray[Any]
Row = tuple[Any, ...]
"""Slots, counts, and what else was selected."""

_IN = "IN (SELECT value FROM json_each(?))"
_SIZES = f"SELECT term, sum(length(slots)) / 2 FROM posting WHERE segment = ? AND term {_IN}"  # noqa: S608
_SOME_SIZES = f"{_SIZES} AND run {_IN} GROUP BY term"
_ALL_SIZES = f"{_SIZES} GROUP BY term"
_MIXED = f"SELECT term, slots FROM posting WHERE segment = ? AND term {_IN} AND run {_IN}"  # noqa: S608
_ALL_ROWS = "SELECT slots, counts FROM posting WHERE segment = ? AND term = ? ORDER BY run"
_SOME_ROWS = f"SELECT slots, counts FROM posting WHERE segment = ? AND term = ? AND run {_IN} ORDER BY run"  # noqa: S608

_PICKED = (
    "SELECT slots, counts, key FROM json_each(?) CROSS JOIN posting"
    " WHERE segment = value >> 16 AND term = ? AND run = value & 65535"
)
_SMALL = (
    "SELECT terms.key, runs.key, slots, counts FROM json_each(?) AS terms CROSS JOIN json_each(?) AS runs CROSS JOIN"
    " posting WHERE segment = runs.value >> 16 AND term = terms.value AND run = runs.value & 65535"
)
_PICKED_SIZES = (
    "SELECT term, sum(length(slots)) / 2 FROM json_each(?) AS runs CROSS JOIN json_each(?) AS terms CROSS JOIN posting"
    " WHERE segment = runs.value >> 16 AND term = terms.value AND run = runs.value & 65535 GROUP BY term"
)

_MANY_RUNS = 512
"""With candidates in more runs than this, a term is read as a whole."""
_REMEMBERED = 4_096
"""Frequencies that a scope remembers."""


def search_index(
    connection: sqlite3.Connection,
    layout: Layout,
    scope: Scope,
    terms: Mapping[str, int],
    limit: int,
    *,
    allowed: Array | None,
    match_all: bool,
    minimum: float,
) -> tuple[Array, Array]:
    """Slots (numbered through) and scores of the best `limit` and their ties. `allowed` is by slot: a filter of the
    request, or None for what is live. `minimum` is a share of `bm25.ceiling`.
    """
    if scope.small is not None:
        return _search_small(
            connection, layout, scope, terms, limit, allowed=allowed, match_all=match_all, minimum=minimum
        )
    frequencies = _frequencies(connection, scope, list(terms))
    found = [Term(connection, scope, term, times, frequencies[term]) for term, times in terms.items()]
    least = 0.0
    if minimum > 0.0:
        least = minimum * bm25.ceiling([term.times * bm25.idf(term.frequency, scope.passages) for term in found])
    return bm25.rank(
        found,
        layout.lengths,
        scope.passages,
        scope.tokens,
        limit,
        allowed=layout.live if allowed is None else allowed,
        match_all=match_all,
        minimum=least,
    )


def _search_small(
    connection: sqlite3.Connection,
    layout: Layout,
    scope: Scope,
    terms: Mapping[str, int],
    limit: int,
    *,
    allowed: Array | None,
    match_all: bool,
    minimum: float,
) -> tuple[Array, Array]:
    """The same where little is permitted: all its postings are read at once, and every passage gets its score."""
    rows = connection.execute(_SMALL, (json.dumps(list(terms)), scope.small)).fetchall()
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    numbers, runs, slot_blobs, count_blobs = zip(*rows, strict=True)
    sizes = np.fromiter(map(len, slot_blobs), np.int64, len(rows)) // 2
    run, number = np.array(runs), np.array(numbers)
    slots = slots_of(b"".join(slot_blobs)) + np.repeat(scope.bases[run], sizes)
    counts = counts_of(b"".join(count_blobs), np.fromiter(map(len, count_blobs), np.int64, len(rows)), sizes)
    places = slots - np.repeat(scope.shifts[run], sizes)
    if layout.live is None:
        frequencies = np.bincount(number, weights=sizes, minlength=len(terms))
    else:
        frequencies = np.bincount(np.repeat(number, sizes)[layout.live[slots]], minlength=len(terms))
    weights = [
        times * bm25.idf(frequency, scope.passages)
        for times, frequency in zip(terms.values(), frequencies.astype(np.int64).tolist(), strict=True)
    ]
    shares = np.repeat(np.array(weights)[number], sizes)
    if allowed is None:
        allowed = layout.live
    if allowed is not None:
        kept = allowed[slots]
        slots, counts, shares, places = slots[kept], counts[kept], shares[kept], places[kept]
    average = bm25.average_of(scope.passages, scope.tokens)
    scores = bm25.whole_scores(shares, counts, layout.lengths[slots], average, places, int(scope.ends[-1]))
    found: Array = np.flatnonzero(np.bincount(places, minlength=1) == len(terms) if match_all else scores)
    found, scores = bm25.best(found, scores[found], limit, minimum * bm25.ceiling(weights))
    held = np.searchsorted(scope.ends, found, side="right")
    return found + scope.shifts[held], scores


def _frequencies(connection: sqlite3.Connection, scope: Scope, terms: list[str]) -> dict[str, int]:
    """Live, permitted passages that hold each term."""
    known = scope.frequencies
    found = {term: known.get(term, 0) for term in terms}
    missing = [term for term in terms if term not in known]
    if not missing:
        return found
    wanted = json.dumps(missing)
    picked = len(scope.codes) <= FEW_RUNS and all(reach.segment.dead is None for reach in scope.reaches)
    if picked:
        found |= dict(connection.execute(_PICKED_SIZES, (json.dumps(scope.codes.tolist()), wanted)))
    for reach in () if picked else scope.reaches:
        segment = reach.segment
        if reach.alive is None:
            sizes = connection.execute(_ALL_SIZES, (segment.id, wanted))
        else:
            sizes = connection.execute(_SOME_SIZES, (segment.id, wanted, reach.alive))
        for term, size in sizes:
            found[term] += size
        if segment.dead is not None:
            for term, slots in connection.execute(_MIXED, (segment.id, wanted, reach.mixed)):
                found[term] += int(np.count_nonzero(~segment.dead[slots_of(slots)]))
    if len(known) < _REMEMBERED:
        known.update((term, found[term]) for term in missing)
    return found


class Term:
    """The postings of one term in a scope, read when they are asked for."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope, term: str, times: int, frequency: int) -> None:
        self.times = times
        self.frequency = frequency
        self._connection = connection
        self._scope = scope
        self._term = term
        self._whole: tuple[Array, Array] | None = None

    def all(self) -> tuple[Array, Array]:
        """The slots that hold the term, ascending, and how often it stands in each."""
        if self._whole is None:
            scope = self._scope
            if len(scope.codes) <= FEW_RUNS:
                self._whole = self._picked(np.arange(len(scope.codes)))
            else:
                rows: list[Row] = []
                bases: list[int] = []
                for reach in scope.reaches:
                    found = self._rows(reach)
                    rows += found
                    bases += [reach.base] * len(found)
                self._whole = _decoded(rows, np.array(bases, dtype=np.int32))
        return self._whole

    def at(self, slots: Array) -> Array:
        """How often the term stands in each of `slots`, which ascend; 0 where it does not."""
        if self._whole is None and len(slots):
            runs = np.searchsorted(self._scope.firsts, slots, side="right") - 1
            runs = runs[np.concatenate(([True], runs[1:] != runs[:-1]))]
            if len(runs) <= _MANY_RUNS:
                return _looked_up(*self._picked(runs), slots)
        return _looked_up(*self.all(), slots)

    def _picked(self, runs: Array) -> tuple[Array, Array]:
        """The slots in `runs` (numbers in the scope, ascending) that hold the term, and how often."""
        scope = self._scope
        rows = self._connection.execute(_PICKED, (json.dumps(scope.codes[runs].tolist()), self._term)).fetchall()
        places = np.fromiter((place for _, _, place in rows), np.int64, len(rows))
        return _decoded(rows, scope.bases[runs[places]].astype(np.int32))

    def _rows(self, reach: Reach) -> list[Row]:
        if reach.runs is None:
            return self._connection.execute(_ALL_ROWS, (reach.segment.id, self._term)).fetchall()
        return self._connection.execute(_SOME_ROWS, (reach.segment.id, self._term, reach.runs)).fetchall()


def _decoded(rows: Sequence[Row], bases: Array) -> tuple[Array, Array]:
    """The slots of rows in order, numbered through (`bases` is by row), and their counts."""
    slot_blobs = [row[0] for row in rows]
    slots = slots_of(b"".join(slot_blobs)).astype(np.int32)
    sizes = np.fromiter(map(len, slot_blobs), np.int64, len(rows)) // 2
    slots += np.repeat(bases, sizes)
    count_blobs = [row[1] for row in rows]
    widths = np.fromiter(map(len, count_blobs), np.int64, len(rows))
    return slots, counts_of(b"".join(count_blobs), widths, sizes)


def _looked_up(whole: Array, counts: Array, slots: Array) -> Array:
    """The counts at `slots`, 0 where `whole` does not have one."""
    if not len(whole):
        return np.zeros(len(slots), dtype=np.int32)
    place = np.minimum(np.searchsorted(whole, slots), len(whole) - 1)
    return np.where(whole[place] == slots, counts[place], 0)
