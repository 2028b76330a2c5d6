"""One search: hard limits first, then the request's filters, then the rank, then the order of ties."""

import json
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.document import READABLE
from verified_gate.corpus.index import search_index
from verified_gate.corpus.layout import Layout, Scope
from verified_gate.corpus.limits import LIMITED, force_condition, is_past, limit_condition, private_collections, today
from verified_gate.corpus.reading import FIELDS, SPAN, passages_of, stored_of
from verified_gate.ingest.document import Status
from verified_gate.model import Actor
from verified_gate.model.errors import QueryError
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints, Hit, has_control

Array = npt.NDArray[Any]
Names = frozenset[str] | None

_REMEMBERED = 32
"""Sets of limits and permissions whose slots are remembered, at a byte a passage each where there is anything to know."""

_FOUND = (
    f"SELECT wanted.key, placement.position + (wanted.value & 4294967295) - first, {FIELDS}, {SPAN}"  # noqa: S608  # of constants
    " FROM json_each(?) AS wanted CROSS JOIN placement ON segment = wanted.value >> 32 AND first ="
    " (SELECT max(first) FROM placement WHERE segment = wanted.value >> 32 AND first <= wanted.value & 4294967295)"
    " CROSS JOIN document ON document.id = placement.document CROSS JOIN audience ON audience.id = document.audience"
    " CROSS JOIN passage ON passage.document = document.id"
    " AND passage.position = placement.position + (wanted.value & 4294967295) - first"
)
"""Slots are asked for as segment times 2**32, plus slot."""
_FIELDS = FIELDS.count(",") + 1


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
    constraints: Constraints = UNCONSTRAINED

    def __post_init__(self) -> None:
        if self.match not in ("any", "all"):
            raise QueryError('match must be "any" or "all"')
        if not 0.0 <= self.minimum_score <= 1.0:
            raise QueryError("minimum_score must be from 0 to 1")
        if not self.statuses or not self.statuses <= READABLE:
            raise QueryError("statuses may name current and superseded")
        for names in (self.collections, self.langs, self.document_ids, self.versions):
            if any(has_control(name) for name in names or ()):
                raise QueryError("a name holds a control character, which no stored name does")

    @property
    def historic(self) -> bool:
        """Is anything but the current versions asked for?"""
        return self.statuses != {Status.CURRENT} or is_past(self.constraints)

    @property
    def filtered(self) -> bool:
        """Does the request narrow what is searched?"""
        return (
            self.historic
            or self.constraints.only is not None
            or any(names is not None for names in (self.collections, self.langs, self.document_ids, self.versions))
        )


class Found(NamedTuple):
    """What a search came to. `eligible` counts the passages that could have been found; `widened`: the preferred
    collections held fewer than asked for.
    """

    hits: list[Hit]
    eligible: int
    widened: bool = False


def search(connection: sqlite3.Connection, layout: Layout, request: Request, actor: Actor | None) -> Found:
    """The hits of `request`, in the transaction of `connection`, whose snapshot `layout` is of.

    Where collections are preferred, they are searched alone. If fewer than the limit come, all that the request allows
    is searched too, once and within the same limits, and what is new stands behind.
    """
    scope = layout.scope(actor, historic=request.historic)
    allowed = _allowed(connection, layout, scope, request)
    count = _eligible(layout, scope, request, allowed)
    prefer = request.constraints.prefer
    if not prefer:
        return Found(_hits(connection, layout, scope, request, allowed, actor), count)
    names = prefer if request.collections is None else prefer & request.collections
    private = private_collections(connection) if request.constraints.only is None else frozenset()
    preferred = replace(request, collections=names - private)
    first = _hits(connection, layout, scope, preferred, _allowed(connection, layout, scope, preferred), actor)
    if len(first) >= request.limit:
        return Found(first, count)
    known = {hit.key for hit in first}
    others = [hit for hit in _hits(connection, layout, scope, request, allowed, actor) if hit.key not in known]
    return Found([*first, *others[: request.limit - len(first)]], count, widened=True)


def _eligible(layout: Layout, scope: Scope, request: Request, allowed: Array | None) -> int:
    if allowed is None:
        return scope.passages
    count = int(np.count_nonzero(allowed))
    if request.filtered:
        return count
    live = len(layout.lengths) if layout.live is None else int(np.count_nonzero(layout.live))
    return scope.passages - (live - count)


def _hits(
    connection: sqlite3.Connection,
    layout: Layout,
    scope: Scope,
    request: Request,
    allowed: Array | None,
    actor: Actor | None,
) -> list[Hit]:
    if not request.terms or not scope.reaches:
        return []
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
    scored = scores.tolist()
    rows = connection.execute(_FOUND, (json.dumps([layout.code(slot) for slot in slots.tolist()]),)).fetchall()
    rows.sort(key=lambda row: (-scored[row[0]], row[3:6], row[1]))  # the score, then tenant, name, version and position
    first = rows[: request.limit]
    versions = {row[2]: stored_of(row[2 : 2 + _FIELDS]) for row in first}
    first = [row for row in first if versions[row[2]].access.permits(actor)]  # the index said so; the rule says it
    passages = passages_of(connection, [(versions[row[2]], row[1], row[2 + _FIELDS :]) for row in first])
    return [Hit(passage.key, scored[row[0]], passage) for row, passage in zip(first, passages, strict=True)]


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


_SLOTS = (
    "SELECT json_group_array(segment), json_group_array(first), json_group_array(first + slots)"
    " FROM document JOIN placement ON placement.document = document.id WHERE "
)


def _allowed(connection: sqlite3.Connection, layout: Layout, scope: Scope, request: Request) -> Array | None:
    """By slot: may it be a hit? None where all that is live may. Only what the actor may read is looked at.

    What follows from limits and collections alone is remembered with the layout; names of documents, versions and
    languages change with each request.
    """
    if any(names is not None for names in (request.langs, request.document_ids, request.versions)):
        return _filtered(connection, layout, scope, request)
    limits = replace(request.constraints, prefer=frozenset())
    key = (scope.audiences, limits, request.collections, request.statuses, today())
    with suppress(KeyError):  # in one step: another thread may make room meanwhile
        return layout.within[key]
    made = _filtered if request.filtered else _within_limits
    within = made(connection, layout, scope, request)
    for oldest in list(layout.within)[: 1 - _REMEMBERED]:
        layout.within.pop(oldest, None)
    layout.within[key] = within
    return within


def _filtered(connection: sqlite3.Connection, layout: Layout, scope: Scope, request: Request) -> Array:
    named = request.collections is not None  # whoever filters by a collection has named it
    private = frozenset() if named or request.constraints.only is not None else private_collections(connection)
    limits, values = limit_condition(request.constraints, private)
    conditions = ["audience IN (SELECT value FROM json_each(:audiences))", limits]
    values["audiences"] = json.dumps(sorted(scope.audiences))
    if request.statuses == {Status.CURRENT} or request.constraints.as_of is not None:
        in_force, day = force_condition(request.constraints)
        conditions.append(in_force)
        values |= day
    else:  # whoever asks for what is no longer in force is not asked for a day
        conditions.append("status IN (SELECT value FROM json_each(:statuses))")
        values["statuses"] = _json(request.statuses)
    if request.collections is not None:
        conditions.append("collection IN (SELECT value FROM json_each(:collections))")
        values["collections"] = _json(request.collections)
    if request.langs is not None:
        conditions.append(
            "(lower(lang) IN (SELECT value FROM json_each(:langs)) OR "
            "lower(substr(lang, 1, instr(lang || '-', '-') - 1)) IN (SELECT value FROM json_each(:langs)))"
        )
        values["langs"] = _json({lang.lower() for lang in request.langs})
    if request.document_ids is not None:
        conditions.append(
            "(name IN (SELECT value FROM json_each(:names)) OR"
            " tenant || ':' || name IN (SELECT value FROM json_each(:names)))"
        )
        values["names"] = _json(request.document_ids)
    if request.versions is not None:
        conditions.append("version IN (SELECT value FROM json_each(:versions))")
        values["versions"] = _json(request.versions)
    return _marked(connection, layout, " AND ".join(conditions), values)


def _within_limits(connection: sqlite3.Connection, layout: Layout, scope: Scope, request: Request) -> Array | None:
    """The same where a request has no filter of its own: what is live, but for the versions that state limits and those
    of private collections. Few are, as a rule: None is the answer of most corpora.
    """
    in_force, day = force_condition(request.constraints)
    private = private_collections(connection)
    limits, values = limit_condition(request.constraints, private)
    values |= {**day, "audiences": json.dumps(sorted(scope.audiences)), "closed": json.dumps(sorted(private))}
    permitted = "audience IN (SELECT value FROM json_each(:audiences)) AND status = 'current'"
    stated = _marked(connection, layout, f"{permitted} AND {LIMITED} AND NOT ({limits} AND {in_force})", values)
    closed = "collection IN (SELECT value FROM json_each(:closed))"
    outside = stated | _marked(connection, layout, f"{permitted} AND {closed}", values) if private else stated
    if not outside.any():
        return None
    return ~outside if layout.live is None else layout.live & ~outside


def _marked(connection: sqlite3.Connection, layout: Layout, condition: str, values: Mapping[str, str]) -> Array:
    """By slot: is it of a document of this condition?"""
    read = connection.execute(f"{_SLOTS}{condition}", values).fetchone()
    segments, firsts, ends = (np.array(json.loads(column), dtype=np.int64) for column in read)
    steps = np.zeros(len(layout.lengths) + 1, dtype=np.int32)
    if len(segments):
        ids = np.array([segment.id for segment in layout.segments], dtype=np.int64)
        bases = layout.bases[np.searchsorted(ids, segments)]
        np.add.at(steps, bases + firsts, 1)
        np.add.at(steps, bases + ends, -1)
    return np.cumsum(steps[:-1]) > 0


def _json(names: Collection[str]) -> str:
    """Names as a JSON list. A lone surrogate becomes an escape that equals no stored name."""
    return json.dumps(sorted(names))
