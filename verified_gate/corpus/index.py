"""Searching the postings of what an actor may read; the postings of other audiences are never opened."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.layout import Layout, Reach, Scope
from verified_gate.corpus.segment import counts_of, slots_of
from verified_gate.retrieval import bm25

Array = npt.NDArray[Any]

_ROWS = (
    "SELECT run, slots, counts FROM posting"
    " WHERE segment = ? AND term = ? AND run IN (SELECT value FROM json_each(?)) ORDER BY run"
)
_ALL_ROWS = "SELECT run, slots, counts FROM posting WHERE segment = ? AND term = ? ORDER BY run"


@dataclass(frozen=True, slots=True)
class _Term:
    times: int
    ids: Array
    counts: Array
    frequency: int

    def all(self) -> tuple[Array, Array]:
        return self.ids, self.counts


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
    found = [_read_term(connection, scope, term, times) for term, times in terms.items()]
    least = 0.0
    if minimum > 0.0:
        least = minimum * bm25.ceiling([term.times * bm25.idf(term.frequency, scope.passages) for term in found])
    if allowed is None:
        allowed = live_mask(layout)
    return bm25.rank(
        found,
        layout.lengths,
        scope.passages,
        scope.tokens,
        limit,
        allowed=allowed,
        match_all=match_all,
        minimum=least,
    )


def live_mask(layout: Layout) -> Array:
    """By slot: True where its document is current."""
    live = np.ones(len(layout.lengths), dtype=bool)
    for segment, base in zip(layout.segments, layout.bases.tolist(), strict=False):
        if segment.dead is not None:
            live[base : base + segment.slots] = ~segment.dead
    return live


def _read_term(connection: sqlite3.Connection, scope: Scope, term: str, times: int) -> _Term:
    ids: list[Array] = []
    counts: list[Array] = []
    frequency = 0
    for reach in scope.reaches:
        segment = reach.segment
        for _, slot_blob, count_blob in _rows(connection, reach, term):
            slots = slots_of(slot_blob).astype(np.int64)
            frequency += len(slots) if segment.dead is None else int(np.count_nonzero(~segment.dead[slots]))
            ids.append(slots + reach.base)
            counts.append(counts_of(count_blob, len(slots)))
    if not ids:
        nothing = np.zeros(0, dtype=np.int64)
        return _Term(times, nothing, nothing, 0)
    return _Term(times, np.concatenate(ids), np.concatenate(counts), frequency)


def _rows(connection: sqlite3.Connection, reach: Reach, term: str) -> list[tuple[int, bytes, bytes]]:
    if reach.whole:
        return connection.execute(_ALL_ROWS, (reach.segment.id, term)).fetchall()
    return connection.execute(_ROWS, (reach.segment.id, term, json.dumps(reach.runs))).fetchall()
