"""Searching the postings of what an actor may read; the postings of other audiences are never opened.

Only counts are read for every term (the sizes of rows, without the rows); rows are read for the terms and the runs
that the ranking asks for.
"""

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.layout import Layout, Reach, Scope
from verified_gate.corpus.segment import joined_counts, slots_of
from verified_gate.retrieval import bm25

Array = npt.NDArray[Any]
Row = tuple[bytes, bytes]

_IN = "IN (SELECT value FROM json_each(?))"
_SIZES = f"SELECT term, sum(length(slots)) / 2 FROM posting WHERE segment = ? AND term {_IN}"  # noqa: S608
_SOME_SIZES = f"{_SIZES} AND run {_IN} GROUP BY term"
_ALL_SIZES = f"{_SIZES} GROUP BY term"
_MIXED = f"SELECT term, slots FROM posting WHERE segment = ? AND term {_IN} AND run {_IN}"  # noqa: S608
_ALL_ROWS = "SELECT slots, counts FROM posting WHERE segment = ? AND term = ? ORDER BY run"
_SOME_ROWS = f"SELECT slots, counts FROM posting WHERE segment = ? AND term = ? AND run {_IN} ORDER BY run"  # noqa: S608

_FEW_RUNS = 512
"""With slots in more runs than this, a term is read as a whole."""
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


def _frequencies(connection: sqlite3.Connection, scope: Scope, terms: list[str]) -> dict[str, int]:
    """Live, permitted passages that hold each term."""
    known = scope.frequencies
    found = {term: known.get(term, 0) for term in terms}
    missing = [term for term in terms if term not in known]
    if not missing:
        return found
    wanted = json.dumps(missing)
    for reach in scope.reaches:
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
            slots, counts = [], []
            for reach in self._scope.reaches:
                rows = self._rows(reach, reach.runs)
                if rows:
                    found, often = _decoded(rows)
                    slots.append(found + np.int32(reach.base))
                    counts.append(often)
            nothing = np.zeros(0, dtype=np.int32)
            self._whole = (np.concatenate([nothing, *slots]), np.concatenate([nothing, *counts]))
        return self._whole

    def at(self, slots: Array) -> Array:
        """How often the term stands in each of `slots`, which ascend; 0 where it does not."""
        if self._whole is None:
            bases = [reach.base for reach in self._scope.reaches]
            which = np.searchsorted(bases, slots, side="right") - 1
            parts = []
            borders = np.searchsorted(which, np.arange(len(bases) + 1)).tolist()
            for reach, first, last in zip(self._scope.reaches, borders, borders[1:], strict=False):
                if first < last:
                    inside = slots[first:last] - reach.base
                    runs = np.searchsorted(reach.firsts, inside, side="right") - 1
                    new = np.concatenate(([True], runs[1:] != runs[:-1]))
                    parts.append((reach, inside, reach.numbers[runs[new]]))
            if sum(len(runs) for _, _, runs in parts) <= _FEW_RUNS:
                nothing = np.zeros(0, dtype=np.int32)
                return np.concatenate([nothing, *(self._inside(*part) for part in parts)])
        whole, counts = self.all()
        return _looked_up(whole, counts, slots)

    def _inside(self, reach: Reach, slots: Array, runs: Array) -> Array:
        """Like `at`, within one segment; only the rows of `runs` are read."""
        rows = self._rows(reach, json.dumps(runs.tolist()))
        return _looked_up(*_decoded(rows), slots) if rows else np.zeros(len(slots), dtype=np.int32)

    def _rows(self, reach: Reach, runs: str | None) -> list[Row]:
        if runs is None:
            return self._connection.execute(_ALL_ROWS, (reach.segment.id, self._term)).fetchall()
        return self._connection.execute(_SOME_ROWS, (reach.segment.id, self._term, runs)).fetchall()


def _decoded(rows: list[Row]) -> tuple[Array, Array]:
    """The slots of neighbouring rows, ascending, and their counts."""
    slot_blobs, count_blobs = zip(*rows, strict=True)
    slots = slots_of(b"".join(slot_blobs)).astype(np.int32)
    sizes = np.fromiter(map(len, slot_blobs), np.int64, len(rows)) // 2
    return slots, joined_counts(count_blobs, sizes)


def _looked_up(whole: Array, counts: Array, slots: Array) -> Array:
    """The counts at `slots`, 0 where `whole` does not have one."""
    if not len(whole):
        return np.zeros(len(slots), dtype=np.int32)
    place = np.minimum(np.searchsorted(whole, slots), len(whole) - 1)
    return np.where(whole[place] == slots, counts[place], 0)
