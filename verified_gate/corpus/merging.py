"""Merging segments: fewer and larger ones, ordered by audience, without what was removed.

A merge changes how the index is laid out and nothing that is found: scores come from counts, ties from names. Here
is what there will be: which segments, with which parts, and their postings. It is written in one transaction, or step
by step by `rewriting`.
"""

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.schema import SEGMENT_SLOTS
from verified_gate.corpus.segment import (
    NOTHING,
    SWEEP,
    Part,
    Postings,
    counts_of,
    remove_segments,
    slots_of,
    write_segment,
)
from verified_gate.corpus.tally import counted
from verified_gate.ingest.document import Status

Array = npt.NDArray[Any]
Reading = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""What gives a connection to read with: a short transaction, or one that is open already."""
Moves = dict[int, Array]
"""For a segment: where each of its slots goes, -1 for nowhere."""

_SWEPT: Final = (
    "SELECT count(*), json_group_array(term), json_group_array(run), group_concat(hex(slots), ''),"
    " json_group_array(length(slots)), group_concat(hex(counts), ''), json_group_array(length(counts))"
    " FROM (SELECT term, run, slots, counts FROM posting WHERE segment = ? AND (term, run) > (?, ?)"
    " AND run BETWEEN ? AND ? ORDER BY term, run LIMIT ?)"
)
"""Many rows as one: each row of a result lets go of the interpreter's lock, which others then keep for milliseconds."""

_UNPUBLISHED: Final = (
    "WITH RECURSIVE held (id) AS (SELECT min(segment) FROM posting UNION ALL"
    " SELECT (SELECT min(segment) FROM posting WHERE segment > id) FROM held WHERE id IS NOT NULL)"
    " SELECT id FROM held WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM segment)"
)

FAN: Final = 8
"""So many segments of a tier are merged into one of the next."""
SMALLEST: Final = 64
"""Passages of the lowest tier; each tier is `FAN` times the one under it."""
LARGE: Final = SEGMENT_SLOTS // 2
"""Segments of this size are merged by `optimize` only."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part, and where its slots are now."""

    part: Part
    segment: int
    first: int

    def split(self, slots: int) -> tuple["_Piece", "_Piece"]:
        """The first `slots` of it, and the rest."""
        head = replace(self.part, lengths=self.part.lengths[:slots])
        tail = replace(self.part, lengths=self.part.lengths[slots:], position=self.part.position + slots)
        return _Piece(head, self.segment, self.first), _Piece(tail, self.segment, self.first + slots)


def due(connection: sqlite3.Connection) -> list[int]:
    """Segments that should be merged now, of one tier and no more than fill one; empty where none are."""
    tiers: dict[int, list[tuple[int, int]]] = {}
    for identity, slots in connection.execute("SELECT id, slots FROM segment WHERE slots < ? ORDER BY id", (LARGE,)):
        tiers.setdefault(_tier(slots), []).append((identity, slots))
    for _, members in sorted(tiers.items()):
        if len(members) >= FAN or sum(slots for _, slots in members) >= SEGMENT_SLOTS:
            ends = accumulate(slots for _, slots in members)
            return [
                identity
                for number, ((identity, _), end) in enumerate(zip(members, ends, strict=True))
                if number < 2 or end <= SEGMENT_SLOTS
            ]
    return []


def _tier(slots: int) -> int:
    tier = 0
    while slots >= SMALLEST * FAN**tier:
        tier += 1
    return tier


def is_untidy(connection: sqlite3.Connection) -> bool:
    """Is there anything that merging all segments would improve?"""
    segments = connection.execute("SELECT slots FROM segment").fetchall()
    runs, distinct, dead = connection.execute(
        "SELECT count(*), count(DISTINCT audience * 2 + (live = 0)), count(CASE WHEN live NOT IN (0, slots) THEN 1 END)"
        " FROM run"
    ).fetchone()
    gone = holding_lost(connection)
    fewest = -(-sum(slots for (slots,) in segments) // SEGMENT_SLOTS)
    return len(segments) > 2 * fewest or runs > distinct + len(segments) or bool(dead) or bool(gone)


def merge(connection: sqlite3.Connection, segments: Sequence[int], epoch: int) -> None:
    """Replace `segments` by as few as hold what is in them, all inside the caller's write transaction. A rewrite that is
    under way comes to nothing, and what it has written is removed.
    """
    planned = list(plan(connection, segments))
    for parts, moves in planned:
        write_segment(connection, epoch, parts, stretches(lambda: nullcontext(connection), moves))
    remove_segments(connection, segments)
    with counted(connection, "setting"):
        connection.execute("DELETE FROM setting WHERE name IN ('rewrite', 'rewrite renewed')")
    for segment in unpublished(connection):
        connection.execute("DELETE FROM posting WHERE segment = ?", (segment,))


def holding_lost(connection: sqlite3.Connection) -> list[int]:
    """Ids of segments that hold passages of versions that are gone."""
    rows = connection.execute(
        "SELECT DISTINCT segment FROM placement LEFT JOIN document ON document.id = document WHERE document.id IS NULL"
    )
    return sorted(segment for (segment,) in rows)


def unpublished(connection: sqlite3.Connection) -> list[int]:
    """Ids of segments that have postings and are not there: not yet, or not any more."""
    return [identity for (identity,) in connection.execute(_UNPUBLISHED)]


def plan(connection: sqlite3.Connection, segments: Sequence[int]) -> Iterator[tuple[list[Part], Moves]]:
    """As few segments as hold what is in `segments`: the parts of each, and where its slots come from."""
    pieces = sorted(_pieces(connection, segments), key=lambda piece: piece.part.order)
    sizes = dict(connection.execute("SELECT id, slots FROM segment").fetchall())
    for chosen in _filled(pieces):
        moves: Moves = {}
        slot = 0
        for piece in chosen:
            move = moves.setdefault(piece.segment, np.full(sizes[piece.segment], -1, dtype=np.int32))
            size = len(piece.part.lengths)
            move[piece.first : piece.first + size] = np.arange(slot, slot + size)
            slot += size
        yield [piece.part for piece in chosen], moves


def _pieces(connection: sqlite3.Connection, segments: Sequence[int]) -> Iterator[_Piece]:
    """What `segments` hold, without removed documents."""
    for segment in segments:
        (blob,) = connection.execute("SELECT lengths FROM segment WHERE id = ?", (segment,)).fetchone()
        lengths = np.frombuffer(blob, dtype="<u4").astype(np.int64)
        rows = connection.execute(
            "SELECT first, slots, position, document.id, status, document.tenant, name, version, audience, groups"
            " FROM placement JOIN document ON document.id = placement.document"
            " JOIN audience ON audience.id = document.audience WHERE segment = ?",
            (segment,),
        )
        for first, slots, position, document, status, tenant, name, version, audience, groups in rows:
            part = Part(
                live=status == Status.CURRENT,
                label=(tenant, groups),
                audience=audience,
                name=(tenant, name, version),
                position=position,
                document=document,
                lengths=lengths[first : first + slots],
            )
            yield _Piece(part, segment, first)


def _filled(pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    """`pieces` in order, as contents of segments. A new segment begins where a run would not fit a segment that is
    half full, and where the live ones end, so that what is not live need not be opened.
    """
    chosen: list[_Piece] = []
    free = SEGMENT_SLOTS
    for _, group in groupby(pieces, key=lambda piece: piece.part.run):
        run = list(group)
        size = sum(len(piece.part.lengths) for piece in run)
        ends = bool(chosen) and chosen[-1].part.live != run[0].part.live
        if chosen and (ends or (size > free and free <= SEGMENT_SLOTS // 2)):
            yield chosen
            chosen, free = [], SEGMENT_SLOTS
        for piece in run:
            rest = piece
            while len(rest.part.lengths) > free:
                head, rest = rest.split(free)
                yield [*chosen, head] if free else chosen
                chosen, free = [], SEGMENT_SLOTS
            chosen.append(rest)
            free -= len(rest.part.lengths)
    if chosen:
        yield chosen


def stretches(reading: Reading, moves: Moves) -> Iterator[Postings]:
    """The postings of a segment to be, in the order of terms. Memory is bounded by the sweeps, not by the segments.

    Each sweep is read in a `reading()` of its own: what is in a segment does not change, and where one is gone, rows are
    missing, and its merge comes to nothing.
    """
    rows = max(1, SWEEP // len(moves))
    sources = [_Source(reading, segment, move, rows) for segment, move in moves.items()]
    while True:
        for source in sources:
            if len(source.rows.terms) < rows:
                source.read_on()
        unread = [source for source in sources if not source.ended]
        border = min((source.rows.terms[-1] for source in unread), default=None)
        taken = [(source.take(border), source.move) for source in sources]
        if any(rows.terms for rows, _ in taken):
            yield _merged(taken)
        elif border is not None:  # one term fills a whole sweep
            for source in unread:
                if source.rows.terms[-1] == border:
                    source.read_on()
        if border is None:
            return


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of one segment by column. `sizes` are the slots of each row, `widths` the bytes of its counts."""

    terms: list[str]
    sizes: Array
    slots: bytes
    widths: Array
    counts: bytes

    def __add__(self, more: "_Rows") -> "_Rows":
        if not self.terms:
            return more
        return _Rows(
            self.terms + more.terms,
            np.concatenate([self.sizes, more.sizes]),
            self.slots + more.slots,
            np.concatenate([self.widths, more.widths]),
            self.counts + more.counts,
        )

    def split(self, place: int) -> tuple["_Rows", "_Rows"]:
        """The first `place` rows, and the rest."""
        slots, counts = 2 * int(self.sizes[:place].sum()), int(self.widths[:place].sum())
        head = (self.terms[:place], self.sizes[:place], self.slots[:slots], self.widths[:place], self.counts[:counts])
        tail = (self.terms[place:], self.sizes[place:], self.slots[slots:], self.widths[place:], self.counts[counts:])
        return _Rows(*head), _Rows(*tail)


class _Source:
    """The rows of one segment in the order of terms, a sweep at a time, and where their slots go."""

    def __init__(self, reading: Reading, segment: int, move: Array, sweep: int) -> None:
        self.move = move
        self.rows = _Rows([], NOTHING, b"", NOTHING, b"")
        self.ended = False
        self._reading = reading
        self._sweep = sweep
        self._segment = segment
        kept = np.flatnonzero(move >= 0)
        with reading() as connection:
            self._runs = connection.execute(
                "SELECT min(number), max(number) FROM run WHERE segment = ? AND first <= ? AND first + slots > ?",
                (segment, int(kept[-1]), int(kept[0])),
            ).fetchone()
        self._after: tuple[str, int] = ("", -1)

    def read_on(self) -> None:
        """Read the next rows, if there are any."""
        if self.ended:
            return
        with self._reading() as connection:
            number, *columns = connection.execute(
                _SWEPT, (self._segment, *self._after, *self._runs, self._sweep)
            ).fetchone()
        self.ended = number < self._sweep
        if number:
            terms, runs, slots, sizes, counts, widths = columns
            read = json.loads(terms)
            self._after = (read[-1], json.loads(runs)[-1])
            slots_each = np.array(json.loads(sizes), dtype=np.int64) // 2
            width_each = np.array(json.loads(widths), dtype=np.int64)
            self.rows += _Rows(read, slots_each, bytes.fromhex(slots), width_each, bytes.fromhex(counts))

    def take(self, border: str | None) -> _Rows:
        """Give the rows of terms before `border`, or all, and forget them."""
        place = len(self.rows.terms) if border is None else bisect_left(self.rows.terms, border)
        taken, self.rows = self.rows.split(place)
        return taken


def _merged(taken: Sequence[tuple[_Rows, Array]]) -> Postings:
    """The rows of some terms from several segments, as postings of one."""
    vocabulary: dict[str, int] = {}
    parts = [_moved(rows, move, vocabulary) for rows, move in taken if rows.terms]
    terms = sorted(vocabulary)
    ranks = np.empty(len(terms), dtype=np.int64)
    ranks[np.fromiter(map(vocabulary.__getitem__, terms), np.int64, len(terms))] = np.arange(len(terms))
    pairs = ranks[np.concatenate([term for term, _, _ in parts])] * SEGMENT_SLOTS
    pairs += np.concatenate([slots for _, slots, _ in parts])
    order = np.argsort(pairs)
    return Postings(terms, pairs[order], np.concatenate([counts for _, _, counts in parts])[order])


def _moved(rows: _Rows, move: Array, vocabulary: dict[str, int]) -> tuple[Array, Array, Array]:
    """The postings of `rows` that stay: numbers of their terms, slots as they will be, counts."""
    numbers = np.array([vocabulary.setdefault(term, len(vocabulary)) for term in rows.terms], dtype=np.int32)
    slots = move[slots_of(rows.slots)]
    counts = counts_of(rows.counts, rows.widths, rows.sizes)
    kept = slots >= 0
    return np.repeat(numbers, rows.sizes)[kept], slots[kept], counts[kept]
