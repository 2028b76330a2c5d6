"""Merging segments: fewer and larger ones, ordered by audience, without what was removed.

A merge changes how the index is laid out and nothing that is found: scores come from counts, ties from names. It
runs in one write transaction; readers keep their snapshot.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.schema import SEGMENT_SLOTS
from verified_gate.corpus.segment import SWEEP, Part, Postings, joined_counts, slots_of, write_segment
from verified_gate.ingest.document import Status

Array = npt.NDArray[Any]
Row = tuple[str, bytes, bytes]
"""Term, slots, counts."""

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
    """Segments that should be merged now, of one tier; empty where none are."""
    tiers: dict[int, list[tuple[int, int]]] = {}
    for identity, slots in connection.execute("SELECT id, slots FROM segment WHERE slots < ? ORDER BY id", (LARGE,)):
        tiers.setdefault(_tier(slots), []).append((identity, slots))
    for _, members in sorted(tiers.items()):
        if len(members) >= FAN or sum(slots for _, slots in members) >= SEGMENT_SLOTS:
            return [identity for identity, _ in members]
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
    gone = connection.execute(
        "SELECT 1 FROM placement LEFT JOIN document ON document.id = document WHERE document.id IS NULL LIMIT 1"
    ).fetchone()
    fewest = -(-sum(slots for (slots,) in segments) // SEGMENT_SLOTS)
    return len(segments) > 2 * fewest or runs > distinct + len(segments) or bool(dead) or gone is not None


def merge(connection: sqlite3.Connection, segments: Sequence[int], epoch: int) -> None:
    """Replace `segments` by as few as hold what is in them. Inside the caller's write transaction."""
    pieces = sorted(_pieces(connection, segments), key=lambda piece: piece.part.order)
    sizes = dict(connection.execute("SELECT id, slots FROM segment").fetchall())
    for chosen in _filled(pieces):
        _write(connection, chosen, sizes, epoch)
    for segment in segments:
        connection.execute("DELETE FROM posting WHERE segment = ?", (segment,))
        connection.execute("DELETE FROM segment WHERE id = ?", (segment,))


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


def _write(connection: sqlite3.Connection, chosen: list[_Piece], sizes: dict[int, int], epoch: int) -> None:
    """Write one segment of `chosen`, with their postings read from where they are."""
    moves: dict[int, Array] = {}
    slot = 0
    for piece in chosen:
        move = moves.setdefault(piece.segment, np.full(sizes[piece.segment], -1, dtype=np.int32))
        size = len(piece.part.lengths)
        move[piece.first : piece.first + size] = np.arange(slot, slot + size)
        slot += size
    sources = [_Source(connection, segment, move) for segment, move in moves.items()]
    write_segment(connection, epoch, [piece.part for piece in chosen], _stretches(sources))


class _Source:
    """The rows of one segment in the order of terms, a sweep at a time, and where their slots go."""

    def __init__(self, connection: sqlite3.Connection, segment: int, move: Array) -> None:
        kept = np.flatnonzero(move >= 0)
        low, high = connection.execute(
            "SELECT min(number), max(number) FROM run WHERE segment = ? AND first <= ? AND first + slots > ?",
            (segment, int(kept[-1]), int(kept[0])),
        ).fetchone()
        self.move = move
        self.rows: list[Row] = []
        self.ended = False
        self._cursor = connection.execute(
            "SELECT term, slots, counts FROM posting WHERE segment = ? AND run BETWEEN ? AND ? ORDER BY term, run",
            (segment, low, high),
        )

    def read_on(self) -> None:
        """Read the next rows, if there are any."""
        if not self.ended:
            more = self._cursor.fetchmany(SWEEP)
            self.rows += more
            self.ended = len(more) < SWEEP

    def take(self, border: str | None) -> list[Row]:
        """Give the rows of terms before `border`, or all, and forget them."""
        place = len(self.rows) if border is None else bisect_left(self.rows, border, key=lambda row: row[0])
        taken, self.rows = self.rows[:place], self.rows[place:]
        return taken


def _stretches(sources: Sequence[_Source]) -> Iterator[Postings]:
    """The postings of all `sources`, as they will be. Memory is bounded by the sweeps, not by the segments."""
    while True:
        for source in sources:
            if len(source.rows) < SWEEP:
                source.read_on()
        unread = [source for source in sources if not source.ended]
        border = min((source.rows[-1][0] for source in unread), default=None)
        taken = [(source.take(border), source.move) for source in sources]
        if any(rows for rows, _ in taken):
            yield _merged(taken)
        elif border is not None:  # one term fills a whole sweep
            for source in unread:
                if source.rows[-1][0] == border:
                    source.read_on()
        if border is None:
            return


def _merged(taken: Sequence[tuple[list[Row], Array]]) -> Postings:
    """The rows of some terms from several segments, as postings of one."""
    vocabulary: dict[str, int] = {}
    parts = [_moved(rows, move, vocabulary) for rows, move in taken if rows]
    terms = sorted(vocabulary)
    ranks = np.empty(len(terms), dtype=np.int64)
    ranks[np.fromiter(map(vocabulary.__getitem__, terms), np.int64, len(terms))] = np.arange(len(terms))
    pairs = ranks[np.concatenate([term for term, _, _ in parts])] * SEGMENT_SLOTS
    pairs += np.concatenate([slots for _, slots, _ in parts])
    order = np.argsort(pairs)
    return Postings(terms, pairs[order], np.concatenate([counts for _, _, counts in parts])[order])


def _moved(rows: list[Row], move: Array, vocabulary: dict[str, int]) -> tuple[Array, Array, Array]:
    """The postings of `rows` that stay: numbers of their terms, slots as they will be, counts."""
    terms, slot_blobs, count_blobs = zip(*rows, strict=True)
    sizes = np.fromiter(map(len, slot_blobs), np.int64, len(rows)) // 2
    numbers = np.array([vocabulary.setdefault(term, len(vocabulary)) for term in terms], dtype=np.int32)
    slots = move[slots_of(b"".join(slot_blobs))]
    counts = joined_counts(count_blobs, sizes)
    kept = slots >= 0
    return np.repeat(numbers, sizes)[kept], slots[kept], counts[kept]
