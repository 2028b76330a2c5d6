"""Segments of the index: building one from passages, and writing its postings.

A segment is immutable but for the counts of what is live in it. Its slots are ordered by run (live ones first, then
by audience label), inside a run by tenant, id, version and position: this order is the order of ties. Postings are
written first, under an id that nothing leads to yet; the segment is there when it is published.
"""

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.schema import SEGMENT_SLOTS
from verified_gate.corpus.tally import counted, setting_of
from verified_gate.corpus.vocabulary import KEY, Vocabulary, write_vocabulary
from verified_gate.retrieval.tokens import tokens_of

Array = npt.NDArray[Any]
NOTHING: Array = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring passages of one document, as many as fit one segment. `lengths` are the tokens of each passage."""

    live: bool
    label: tuple[str, str]
    audience: int
    name: tuple[str, str, str]
    position: int
    document: int
    lengths: Array

    @property
    def order(self) -> tuple[object, ...]:
        """Where it comes in a segment."""
        return (not self.live, self.label, self.name, self.position)

    @property
    def run(self) -> tuple[object, ...]:
        """What it shares with the others of its run."""
        return (not self.live, self.label)


@dataclass(frozen=True, slots=True)
class Postings:
    """Postings of a segment for a stretch of terms, sorted by term and slot; `terms` is sorted.

    `pair` is the number of the term times `SEGMENT_SLOTS`, plus the slot.
    """

    terms: Sequence[str]
    pair: Array
    count: Array


class Digest:
    """A running hash over the rows of a segment, in their order. It tells a changed byte, not who changed it."""

    def __init__(self, lengths: bytes) -> None:
        self._hashes = [hashlib.sha256() for _ in range(5)]
        self._lengths = lengths

    def add(self, terms: bytes, runs: Sequence[int], slots: Sequence[bytes], counts: Sequence[bytes]) -> None:
        """Take the next rows, by column; each term ends with a line break. What was added in one sweep or in several
        has the same digest.
        """
        sizes = np.fromiter(map(len, slots), "<i8", len(slots)) * 65_536 * 8 + np.fromiter(
            map(len, counts), "<i8", len(counts)
        )
        columns = (
            terms,
            np.array(runs, dtype="<i8").tobytes(),
            b"".join(slots),
            b"".join(counts),
            sizes.tobytes(),
        )
        for part, column in zip(self._hashes, columns, strict=True):
            part.update(column)

    def add_columns(self, columns: "Columns") -> None:
        """Take rows that are about to be written."""
        terms, runs, slots, counts = columns
        self.add("\n".join([*terms, ""]).encode(), runs, slots, counts)

    def digest(self) -> bytes:
        """32 bytes."""
        whole = hashlib.sha256(self._lengths)
        for part in self._hashes:
            whole.update(part.digest())
        return whole.digest()


SWEEP = 20_000
"""Rows that are handled at once."""
_AT_ONCE = 500
_INSERT = "INSERT INTO posting VALUES (?, ?, ?, ?, ?)"
_INSERT_MANY = _INSERT + ", (?, ?, ?, ?, ?)" * (_AT_ONCE - 1)
_EXPANDED = 4_096
"""Passages whose tokens are laid out at once: bounds the memory of a full segment."""


class Builder:
    """Collects passages as numbers, and writes one segment of them. Holds no text but the vocabulary of its pieces."""

    def __init__(self) -> None:
        self._pieces: defaultdict[str, int] = defaultdict()
        self._pieces.default_factory = self._pieces.__len__
        self._parts: list[tuple[Part, list[Array]]] = []
        self.free = SEGMENT_SLOTS

    def add(self, part: Part, passages: Iterable[Sequence[str]]) -> None:
        """Take a part (its `lengths` are counted here), with the pieces of text that each of its passages has."""
        number = self._pieces.__getitem__
        numbers = [np.fromiter(map(number, pieces), np.int32, len(pieces)) for pieces in passages]
        self._parts.append((part, numbers))
        self.free -= len(numbers)

    @property
    def empty(self) -> bool:
        """Was nothing added?"""
        return not self._parts

    def built(self) -> tuple[list[Part], Postings]:
        """The parts in order, with their lengths, and their postings. There must be a passage."""
        chosen = sorted(self._parts, key=lambda each: each[0].order)
        passages = [numbers for _, each in chosen for numbers in each]
        terms, starts, sizes, numbers = self._terms()
        lengths = np.zeros(len(passages), dtype=np.int64)
        pairs, counts = [], []
        for low in range(0, len(passages), _EXPANDED):
            here = passages[low : low + _EXPANDED]
            held = np.concatenate(here)
            slots = np.repeat(np.arange(low, low + len(here)), [len(each) for each in here])
            size = sizes[held]
            slots = np.repeat(slots, size)
            lengths[low : low + len(here)] = np.bincount(slots - low, minlength=len(here))
            ends = np.cumsum(size)
            found = numbers[np.arange(len(slots)) + np.repeat(starts[held] - (ends - size), size)]
            pair, count = np.unique(found * SEGMENT_SLOTS + slots, return_counts=True)
            pairs.append(pair)
            counts.append(count.astype(np.int32))
        pair, count = np.concatenate(pairs), np.concatenate(counts)
        if len(pairs) > 1:
            del pairs, counts
            order = np.argsort(pair, kind="stable")  # sorted stretches are merged
            pair, count = pair[order], count[order]
        ends = np.cumsum([len(each) for _, each in chosen])[:-1]
        parts = [replace(part, lengths=own) for (part, _), own in zip(chosen, np.split(lengths, ends), strict=True)]
        return parts, Postings(terms, pair, count)

    def _terms(self) -> tuple[list[str], Array, Array, Array]:
        """The terms, sorted; for each piece where its tokens begin and how many they are; tokens as numbers of terms."""
        vocabulary: defaultdict[str, int] = defaultdict()
        vocabulary.default_factory = vocabulary.__len__
        found, held = tokens_of(list(self._pieces))
        self._pieces.clear()  # the text is not needed any more
        sizes = np.array(held, dtype=np.int64)
        flat = np.fromiter(map(vocabulary.__getitem__, found), np.int64, len(found))
        terms = sorted(vocabulary)
        ranks = np.empty(len(terms), dtype=np.int64)
        ranks[np.fromiter(map(vocabulary.__getitem__, terms), np.int64, len(terms))] = np.arange(len(terms))
        return terms, np.cumsum(sizes) - sizes, sizes, ranks[flat]


Columns = tuple[list[str], list[int], list[bytes], list[bytes]]
"""Rows of a segment by column: terms, runs, slots, counts."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A segment whose postings are written, and that is not published yet."""

    identity: int
    parts: Sequence[Part]
    digest: bytes
    vocabulary: Sequence[tuple[int, bytes]]


class Written:
    """What is kept of the rows of a segment while they are written."""

    def __init__(self, identity: int, parts: Sequence[Part], key: int) -> None:
        self.firsts = firsts_of(parts)
        self._identity = identity
        self._parts = parts
        self._digest = Digest(lengths_of(parts))
        self._vocabulary = Vocabulary(key, len(self.firsts))

    def add(self, columns: Columns) -> None:
        """Take the next rows, by column."""
        self._digest.add_columns(columns)
        self._vocabulary.add(columns[0], columns[1])

    def draft(self) -> Draft:
        """The segment, all of whose rows are written."""
        return Draft(self._identity, self._parts, self._digest.digest(), self._vocabulary.by_run())


def write_segment(
    connection: sqlite3.Connection, epoch: int, parts: Sequence[Part], stretches: Iterable[Postings]
) -> None:
    """Write a segment of `parts`, already in order, with its postings stretch by stretch in the order of terms, and
    publish it, all inside the caller's transaction.
    """
    identity = reserve(connection)
    written = Written(identity, parts, setting_of(connection, KEY))
    for postings in stretches:
        for columns in columns_of(postings, written.firsts):
            insert_postings(connection, identity, columns)
            written.add(columns)
    publish(connection, written.draft(), epoch)


def reserve(connection: sqlite3.Connection) -> int:
    """An id of a segment that no other gets, larger than all there are."""
    with counted(connection, "sqlite_sequence"):
        cursor = connection.execute("INSERT INTO segment (slots, changed, digest, lengths) VALUES (0, 0, x'', x'')")
    assert cursor.lastrowid is not None
    connection.execute("DELETE FROM segment WHERE id = ?", (cursor.lastrowid,))
    return cursor.lastrowid


def insert_postings(connection: sqlite3.Connection, identity: int, columns: Columns) -> None:
    """Write rows of a segment. Many in one statement: each statement lets go of the interpreter's lock, and a thread
    that gets it keeps it for milliseconds.
    """
    number = len(columns[0])
    values: list[object] = [identity] * (5 * number)
    values[1::5], values[2::5], values[3::5], values[4::5] = columns
    many = number - number % _AT_ONCE
    for start in range(0, many, _AT_ONCE):
        connection.execute(_INSERT_MANY, values[5 * start : 5 * (start + _AT_ONCE)])
    rest = (values[5 * start : 5 * start + 5] for start in range(many, number))
    connection.executemany(_INSERT, rest)


def publish(connection: sqlite3.Connection, draft: Draft, epoch: int) -> None:
    """Let `draft` be a segment, with its runs and placements. What is live in it is asked of the documents: their
    status may have changed since its postings were written.
    """
    with _counted(connection, draft.identity):
        _publish(connection, draft, epoch)


def remove_segments(connection: sqlite3.Connection, segments: Iterable[int]) -> None:
    """Remove segments with their runs and placements. Their postings, which nothing leads to any more, stay."""
    for segment in segments:
        with _counted(connection, segment):
            connection.execute("DELETE FROM segment WHERE id = ?", (segment,))


@contextmanager
def _counted(connection: sqlite3.Connection, segment: int) -> Iterator[None]:
    with (
        counted(connection, "segment", "id = ?", (segment,)),
        counted(connection, "run", "segment = ?", (segment,)),
        counted(connection, "vocabulary", "segment = ?", (segment,)),
        counted(connection, "placement", "segment = ?", (segment,)),
    ):
        yield


def _publish(connection: sqlite3.Connection, draft: Draft, epoch: int) -> None:
    identity, parts = draft.identity, draft.parts
    lengths = lengths_of(parts)
    connection.execute(
        "INSERT INTO segment (id, slots, changed, digest, lengths) VALUES (?, ?, ?, ?, ?)",
        (identity, len(lengths) // 4, epoch, draft.digest, lengths),
    )
    first = 0
    runs, placements = [], []
    for number, (_, group) in enumerate(groupby(parts, key=lambda part: part.run)):
        start = first
        members = list(group)
        for part in members:
            size = len(part.lengths)
            placements.append((identity, first, size, int(part.lengths.sum()), part.document, part.position, number))
            first += size
        runs.append((identity, number, members[0].audience, start, first - start))
    connection.executemany("INSERT INTO run VALUES (?, ?, ?, ?, ?, 0, 0)", runs)
    connection.executemany("INSERT INTO placement VALUES (?, ?, ?, ?, ?, ?, ?)", placements)
    write_vocabulary(connection, identity, draft.vocabulary)
    live = connection.execute(
        "SELECT sum(slots), sum(tokens), segment, run FROM placement JOIN document ON document.id = placement.document"
        " WHERE segment = ? AND status = 'current' GROUP BY run",
        (identity,),
    ).fetchall()
    connection.executemany("UPDATE run SET live = ?, live_tokens = ? WHERE segment = ? AND number = ?", live)


def lengths_of(parts: Sequence[Part]) -> bytes:
    """The tokens of each slot, as stored."""
    return np.concatenate([part.lengths for part in parts]).astype("<u4").tobytes()


def firsts_of(parts: Sequence[Part]) -> Array:
    """The first slot of each run."""
    sizes = [sum(len(part.lengths) for part in group) for _, group in groupby(parts, key=lambda part: part.run)]
    return np.cumsum([0, *sizes[:-1]], dtype=np.int64)


def columns_of(postings: Postings, firsts: Array) -> Iterator[Columns]:
    """One row for each term and run that holds it, as columns, `SWEEP` rows at once."""
    if not len(postings.pair):
        return
    slot = (postings.pair % SEGMENT_SLOTS).astype(np.int32)
    run = np.searchsorted(firsts, slot, side="right").astype(np.int32)
    run -= 1
    slots = slot.astype("<u2").tobytes()
    del slot
    term = (postings.pair // SEGMENT_SLOTS).astype(np.int32)
    border = np.flatnonzero((term[1:] != term[:-1]) | (run[1:] != run[:-1])) + 1
    starts = np.concatenate(([0], border))
    ends = np.concatenate((border, [len(term)]))
    named, numbers = term[starts], run[starts]
    del border, term, run
    most = np.maximum.reduceat(postings.count, starts)
    small = np.minimum(postings.count, 255).astype("<u1").tobytes()
    terms = postings.terms
    for low in range(0, len(starts), SWEEP):
        sweep = slice(low, low + SWEEP)
        begin, end = starts[sweep].tolist(), ends[sweep].tolist()
        counts = [b""] * len(begin)
        for index in np.flatnonzero(most[sweep] > 1).tolist():
            here = slice(begin[index], end[index])
            counts[index] = small[here] if most[low + index] < 256 else postings.count[here].astype("<u4").tobytes()
        yield (
            [terms[number] for number in named[sweep].tolist()],
            numbers[sweep].tolist(),
            [slots[2 * first : 2 * last] for first, last in zip(begin, end, strict=True)],
            counts,
        )


def slots_of(blob: bytes) -> Array:
    """The slots of a row."""
    return np.frombuffer(blob, dtype="<u2")


def counts_of(blobs: bytes, widths: Array, sizes: Array) -> Array:
    """How often, for the slots of neighbouring rows; `widths` are the bytes that each row has in `blobs`, `sizes` its
    slots.
    """
    counts = np.ones(int(sizes.sum()), dtype=np.int32)
    if blobs:
        if np.all((widths == 0) | (widths == sizes)):
            counts[np.repeat(widths > 0, sizes)] = np.frombuffer(blobs, dtype="<u1")
        else:
            ends, places = np.cumsum(sizes), np.cumsum(widths)
            for width, size, end, place in zip(widths, sizes, ends, places, strict=True):
                if width:
                    kind = "<u1" if width == size else "<u4"
                    counts[end - size : end] = np.frombuffer(blobs[place - width : place], dtype=kind)
    return counts
