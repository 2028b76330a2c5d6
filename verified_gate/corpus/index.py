"""Searching the postings of what an actor may read; the postings of other audiences are never opened.

Only counts are read for every term (the sizes of rows, without the rows); rows are read for the terms and the runs
that the ranking asks for, and in a segment that is permitted in part only where the runs say that they hold the term.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.layout import Layout, Reach, Scope, held_by
from verified_gate.corpus.segment import counts_of, slots_of
from verified_gate.retrieval import bm25

Array = npt.NDArray[Any]
Row = tuple[Any, ...]
"""Slots, counts, and what else was selected."""

_HELD = (
    " FROM json_each(?) AS terms CROSS JOIN json_each(terms.value) AS runs CROSS JOIN posting"
    " WHERE segment = runs.value >> 16 AND term = terms.key AND run = runs.value & 65535"
)
"""Of terms with the codes of runs each, as a JSON object."""
_HELD_ROWS = f"SELECT terms.key, runs.value, slots, counts{_HELD}"
_HELD_SIZES = f"SELECT terms.key, sum(length(slots)) / 2{_HELD} GROUP BY terms.key"
_WHOLE_ROWS = "SELECT slots, counts FROM posting WHERE segment = ? AND term = ? ORDER BY run"
_WHOLE_SIZES = (
    "SELECT term, sum(length(slots)) / 2 FROM posting WHERE segment = ? AND term IN (SELECT value FROM json_each(?))"
    " GROUP BY term"
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
    held = held_by(connection, layout, scope, list(terms))
    if scope.small:
        return _search_small(
            connection, layout, scope, terms, held, limit, allowed=allowed, match_all=match_all, minimum=minimum
        )
    frequencies = _frequencies(connection, scope, dict(zip(terms, held, strict=True)))
    found = [
        Term(connection, scope, term, times, frequencies[term], own)
        for (term, times), own in zip(terms.items(), held, strict=True)
    ]
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
    held: Array,
    limit: int,
    *,
    allowed: Array | None,
    match_all: bool,
    minimum: float,
) -> tuple[Array, Array]:
    """The same where little is permitted: all its postings are read at once, and every passage gets its score."""
    wanted = {term: scope.codes[own].tolist() for term, own in zip(terms, held, strict=True)}
    rows = connection.execute(_HELD_ROWS, (json.dumps(wanted),)).fetchall()
    if not rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    names, codes, slot_blobs, count_blobs = zip(*rows, strict=True)
    numbers = {term: number for number, term in enumerate(terms)}
    sizes = np.fromiter(map(len, slot_blobs), np.int64, len(rows)) // 2
    run = np.searchsorted(scope.codes, np.array(codes))
    number = np.fromiter(map(numbers.__getitem__, names), np.int64, len(rows))
    slots = slots_of(b"".join(slot_blobs)) + np.repeat(scope.bases[run], sizes)
    counts = counts_of(b"".join(count_blobs), np.fromiter(map(len, count_blobs), np.int64, len(rows)), sizes)
    places = slots - np.repeat(scope.shifts[run], sizes)
    term = np.repeat(number, sizes)
    alive = _among(layout.live, slots)
    frequencies = np.bincount(term if alive is None else term[alive], minlength=len(terms)).tolist()
    weights = [
        times * bm25.idf(frequency, scope.passages)
        for times, frequency in zip(terms.values(), frequencies, strict=True)
    ]
    kept = alive if allowed is None else _among(allowed, slots)
    if kept is not None:
        slots, counts, places, term = slots[kept], counts[kept], places[kept], term[kept]
    shares = np.array(weights)[term]
    average = bm25.average_of(scope.passages, scope.tokens)
    scores = bm25.whole_scores(shares, counts, layout.lengths[slots], average, places, int(scope.ends[-1]))
    found: Array = np.flatnonzero(np.bincount(places, minlength=1) == len(terms) if match_all else scores > 0.0)
    found, scores = bm25.best(found, scores[found], limit, minimum * bm25.ceiling(weights))
    held = np.searchsorted(scope.ends, found, side="right")
    return found + scope.shifts[held], scores


def _among(mask: Array | None, slots: Array) -> Array | None:
    """For each of `slots`: is it in `mask`? None where all are."""
    if mask is None:
        return None
    found: Array = mask[slots]
    return None if found.all() else found


def _frequencies(connection: sqlite3.Connection, scope: Scope, held: Mapping[str, Array]) -> dict[str, int]:
    """Live, permitted passages that hold each term."""
    known = scope.frequencies
    found = {term: known.get(term, 0) for term in held}
    missing = [term for term in held if term not in known]
    if not missing:
        return found
    others = np.ones(len(scope.codes), dtype=bool)
    for reach in () if scope.few else scope.reaches:
        if reach.settled:
            others[reach.begin : reach.end] = False
            for term, size in connection.execute(_WHOLE_SIZES, (reach.segment.id, json.dumps(missing))):
                found[term] += size
    counted = {term: scope.codes[others & scope.alive & held[term]].tolist() for term in missing}
    for term, size in connection.execute(_HELD_SIZES, (json.dumps(counted),)):
        found[term] += size
    if scope.mixed.any():
        segments = {reach.segment.id: reach.segment for reach in scope.reaches}
        mixed = {term: scope.codes[scope.mixed & held[term]].tolist() for term in missing}
        for term, code, slots, _ in connection.execute(_HELD_ROWS, (json.dumps(mixed),)):
            dead = segments[code >> 16].dead
            found[term] += len(slots) // 2 if dead is None else int(np.count_nonzero(~dead[slots_of(slots)]))
    if len(known) < _REMEMBERED:
        known.update((term, found[term]) for term in missing)
    return found


class Term:
    """The postings of one term in a scope, read when they are asked for."""

    def __init__(
        self, connection: sqlite3.Connection, scope: Scope, term: str, times: int, frequency: int, held: Array
    ) -> None:
        self.times = times
        self.frequency = frequency
        self._connection = connection
        self._scope = scope
        self._term = term
        self._held = held
        self._whole: tuple[Array, Array] | None = None

    def all(self) -> tuple[Array, Array]:
        """The slots that hold the term, ascending, and how often it stands in each."""
        if self._whole is None:
            scope = self._scope
            if scope.few:
                self._whole = self._picked(np.flatnonzero(self._held))
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
                return _looked_up(*self._picked(runs[self._held[runs]]), slots)
        return _looked_up(*self.all(), slots)

    def _picked(self, runs: Array) -> tuple[Array, Array]:
        """The slots in `runs` (numbers in the scope, ascending) that hold the term, and how often."""
        rows = self._rows_of(runs)
        places = np.searchsorted(self._scope.codes, np.fromiter((row[2] for row in rows), np.int64, len(rows)))
        return _decoded(rows, self._scope.bases[places].astype(np.int32))

    def _rows(self, reach: Reach) -> list[Row]:
        if reach.whole:
            return self._connection.execute(_WHOLE_ROWS, (reach.segment.id, self._term)).fetchall()
        return self._rows_of(reach.begin + np.flatnonzero(self._held[reach.begin : reach.end]))

    def _rows_of(self, runs: Array) -> list[Row]:
        wanted = json.dumps({self._term: self._scope.codes[runs].tolist()})
        rows = self._connection.execute(_HELD_ROWS, (wanted,))
        return [(slots, counts, code) for _, code, slots, counts in rows]


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
