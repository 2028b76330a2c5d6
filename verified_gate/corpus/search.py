"""One search: hard limits first, then the request's filters, then the rank, then the order of ties."""

import json
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.document import READABLE
from verified_gate.corpus.index import search_index
from verified_gate.corpus.layout import Layout, Scope
from verified_gate.corpus.reading import FIELDS, read_passage, stored_of
from verified_gate.ingest.document import Status
from verified_gate.model import Actor
from verified_gate.model.errors import QueryError
from verified_gate.retrieval.protocol import Hit

Array = npt.NDArray[Any]
Names = frozenset[str] | None

_FOUND = (
    f"SELECT placement.position + ?2 - first, {FIELDS} FROM placement"  # noqa: S608  # of constants
    " JOIN document ON document.id = placement.document JOIN audience ON audience.id = document.audience"
    " WHERE segment = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Request:
    """A search as asked for. Filters are None where nothing is filtered. Raises `QueryError` for what makes no sense."""

    terms: Mapping[str, int]
    limit: int
    match: Literal["any", "all"] = "any"
    collections: Names = None
    langs: Names = None
    document_ids: Names = None
    versions: Names = None
    statuses: frozenset[Status] = frozenset({Status.CURRENT})
    minimum_score: float = 0.0

    def __post_init__(self) -> None:
        if self.match not in ("any", "all"):
            raise QueryError('match must be "any" or "all"')
        if not 0.0 <= self.minimum_score <= 1.0:
            raise QueryError("minimum_score must be from 0 to 1")
        if not self.statuses or not self.statuses <= READABLE:
            raise QueryError("statuses may name current and superseded")

    @property
    def historic(self) -> bool:
        """Is anything but the current versions asked for?"""
        return self.statuses != {Status.CURRENT}

    @property
    def filtered(self) -> bool:
        """Does the request narrow what is searched?"""
        return self.historic or any(
            names is not None for names in (self.collections, self.langs, self.document_ids, self.versions)
        )


class _Found(NamedTuple):
    """A hit on its way: what it is sorted by, and its version (`FIELDS`)."""

    descending: float
    name: tuple[str, str, str]
    position: int
    version: tuple[Any, ...]


def search(connection: sqlite3.Connection, layout: Layout, request: Request, actor: Actor | None) -> list[Hit]:
    """The hits of `request`, in the transaction of `connection`, whose snapshot `layout` is of."""
    scope = layout.scope(actor, historic=request.historic)
    if not request.terms or not scope.reaches:
        return []
    allowed = _allowed(connection, layout, scope, request) if request.filtered else None
    slots, scores = search_index(
        connection,
        layout,
        scope,
        request.terms,
        request.limit,
        allowed=allowed,
        match_all=request.match == "all",
        minimum=request.minimum_score,
    )
    slots, scores = _fewer_ties(layout, slots, scores, request.limit)
    found = [
        _found(connection, layout, slot, score) for slot, score in zip(slots.tolist(), scores.tolist(), strict=True)
    ]
    hits: list[Hit] = []
    for place in sorted(found)[: request.limit]:
        passage = read_passage(connection, stored_of(place.version), place.position)
        if passage is not None:
            hits.append(Hit(passage.key, -place.descending, passage))
    return hits


def _fewer_ties(layout: Layout, slots: Array, scores: Array, limit: int) -> tuple[Array, Array]:
    """Of those that tie at the limit, keep what can be among the first: a run is in the order of ties already."""
    if len(slots) <= limit:
        return slots, scores
    tied = scores == scores[-1]
    wanted = limit - int(np.count_nonzero(~tied))
    starts = np.concatenate(
        [segment.first + base for segment, base in zip(layout.segments, layout.bases.tolist(), strict=False)]
    )
    run = np.searchsorted(starts, slots[tied], side="right")
    _, first, inverse = np.unique(run, return_index=True, return_inverse=True)
    place = np.arange(len(run)) - first[inverse]
    kept = np.ones(len(slots), dtype=bool)
    kept[tied] = place < wanted
    return slots[kept], scores[kept]


def _found(connection: sqlite3.Connection, layout: Layout, number: int, score: float) -> _Found:
    segment, slot = layout.place(number)
    position, *version = connection.execute(_FOUND, (segment.id, slot)).fetchone()
    return _Found(-score, tuple(version[1:4]), position, tuple(version))


def _allowed(connection: sqlite3.Connection, layout: Layout, scope: Scope, request: Request) -> Array:
    """By slot: may it be a hit? Only what the actor may read is looked at."""
    conditions = ["audience IN (SELECT value FROM json_each(?))", "status IN (SELECT value FROM json_each(?))"]
    values: list[str] = [json.dumps(sorted(scope.audiences)), _json(request.statuses)]
    if request.collections is not None:
        conditions.append("collection IN (SELECT value FROM json_each(?))")
        values.append(_json(request.collections))
    if request.langs is not None:
        conditions.append(
            "(lower(lang) IN (SELECT value FROM json_each(?1)) OR "
            "lower(substr(lang, 1, instr(lang || '-', '-') - 1)) IN (SELECT value FROM json_each(?1)))".replace(
                "?1", f"?{len(values) + 1}"
            )
        )
        values.append(_json({lang.lower() for lang in request.langs}))
    if request.document_ids is not None:
        conditions.append(
            "(name IN (SELECT value FROM json_each(?1)) OR"
            " tenant || ':' || name IN (SELECT value FROM json_each(?1)))".replace("?1", f"?{len(values) + 1}")
        )
        values.append(_json(request.document_ids))
    if request.versions is not None:
        conditions.append("version IN (SELECT value FROM json_each(?))")
        values.append(_json(request.versions))
    where = " AND ".join(conditions)
    rows = connection.execute(
        f"SELECT segment, first, first + slots FROM document JOIN placement ON document = document.id WHERE {where}",  # noqa: S608  # of constants
        values,
    )
    bases = {segment.id: base for segment, base in zip(layout.segments, layout.bases.tolist(), strict=False)}
    allowed = np.zeros(len(layout.lengths), dtype=bool)
    for segment, first, end in rows:
        base = bases[segment]
        allowed[base + first : base + end] = True
    return allowed


def _json(names: Collection[str]) -> str:
    """Names as a JSON list. A lone surrogate becomes an escape that equals no stored name."""
    return json.dumps(sorted(names))
