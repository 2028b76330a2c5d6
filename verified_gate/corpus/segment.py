"""Segments of the index: building one from passages, and writing its postings.

A segment is immutable but for the counts of what is live in it. Its slots are ordered by run (live ones first, then
by audience label), inside a run by tenant, id, version and position: this order is the order of ties.
"""

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.schema import SEGMENT_SLOTS

Array = npt.NDArray[Any]
Row = tuple[int, str, int, bytes, bytes]


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
    """All postings of a segment, sorted by term and slot; `terms` is sorted, and `term` points into it."""

    terms: Sequence[str]
    term: Array
    slot: Array
    count: Array


class Digest:
    """A running hash over the rows of a segment, in their order. It tells a changed byte, not who changed it."""

    def __init__(self, lengths: bytes) -> None:
        self._hashes = [hashlib.sha256() for _ in range(4)]
        self._lengths = lengths

    def add(self, rows: Sequence[Row]) -> None:
        """Take the next rows."""
        if rows:
            _, terms, runs, slots, counts = zip(*rows, strict=True)
            sizes = np.array([(len(slot), len(count)) for slot, count in zip(slots, counts, strict=True)], dtype="<i8")
            self._hashes[0].update("\n".join([*terms, ""]).encode("utf-8", "surrogatepass"))
            self._hashes[1].update(np.array(runs, dtype="<i8").tobytes() + b"".join(slots))
            self._hashes[2].update(b"".join(counts))
            self._hashes[3].update(sizes.tobytes())

    def digest(self) -> bytes:
        """32 bytes."""
        whole = hashlib.sha256(self._lengths)
        for part in self._hashes:
            whole.update(part.digest())
        return whole.digest()


DIGEST_ROWS = 20_000
"""Rows are hashed in sweeps of so many; the sweep is part of the digest's definition."""


class Builder:
    """Collects passages as numbers, and writes one segment of them. Holds no text but the vocabulary."""

    def __init__(self) -> None:
        self._vocabulary: defaultdict[str, int] = defaultdict()
        self._vocabulary.default_factory = self._vocabulary.__len__
        self._parts: list[tuple[Part, Array]] = []
        self.free = SEGMENT_SLOTS

    def numbers(self, tokens: Sequence[str]) -> Array:
        """The tokens of one passage, as numbers of this segment's vocabulary."""
        return np.fromiter(map(self._vocabulary.__getitem__, tokens), np.int32, len(tokens))

    def add(self, part: Part, numbers: Sequence[Array]) -> None:
        """Take a part, with the numbers of each of its passages."""
        self._parts.append((part, np.concatenate(numbers)))
        self.free -= len(part.lengths)

    def write(self, connection: sqlite3.Connection, epoch: int) -> None:
        """Write the segment, if there is anything in it."""
        if not self._parts:
            return
        chosen = sorted(self._parts, key=lambda each: each[0].order)
        terms = sorted(self._vocabulary)
        ranks = np.empty(len(terms), dtype=np.int64)
        ranks[np.fromiter(map(self._vocabulary.__getitem__, terms), np.int64, len(terms))] = np.arange(len(terms))
        lengths = np.concatenate([part.lengths for part, _ in chosen])
        slots = np.repeat(np.arange(len(lengths)), lengths)
        pairs = ranks[np.concatenate([numbers for _, numbers in chosen])] * SEGMENT_SLOTS + slots
        pairs, counts = np.unique(pairs, return_counts=True)
        postings = Postings(terms, pairs // SEGMENT_SLOTS, pairs % SEGMENT_SLOTS, counts)
        write_segment(connection, epoch, [part for part, _ in chosen], postings)


def write_segment(connection: sqlite3.Connection, epoch: int, parts: Sequence[Part], postings: Postings) -> int:
    """Write a segment of `parts`, already in order; gives its id."""
    lengths = np.concatenate([part.lengths for part in parts]).astype("<u4")
    identity = connection.execute(
        "INSERT INTO segment (slots, changed, digest, lengths) VALUES (?, ?, x'', ?)",
        (len(lengths), epoch, lengths.tobytes()),
    ).lastrowid
    assert identity is not None
    firsts = _write_runs(connection, identity, parts)
    digest = Digest(lengths.tobytes())
    rows = _rows(identity, postings, firsts)
    while batch := list(islice(rows, DIGEST_ROWS)):
        digest.add(batch)
        connection.executemany("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", batch)
    connection.execute("UPDATE segment SET digest = ? WHERE id = ?", (digest.digest(), identity))
    return identity


def _write_runs(connection: sqlite3.Connection, segment: int, parts: Sequence[Part]) -> Array:
    """Write runs and placements; gives the first slot of each run."""
    first = 0
    firsts: list[int] = []
    for number, (_, group) in enumerate(groupby(parts, key=lambda part: part.run)):
        members = list(group)
        firsts.append(first)
        sizes = [(len(part.lengths), int(part.lengths.sum())) for part in members]
        slots = sum(size for size, _ in sizes)
        live = (slots, sum(length for _, length in sizes)) if members[0].live else (0, 0)
        run = (segment, number, members[0].audience, first, slots, *live)
        connection.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", run)
        placements = []
        for part, (size, length) in zip(members, sizes, strict=True):
            placements.append((segment, first, size, length, part.document, part.position, number))
            first += size
        connection.executemany("INSERT INTO placement VALUES (?, ?, ?, ?, ?, ?, ?)", placements)
    return np.array(firsts, dtype=np.int64)


def _rows(segment: int, postings: Postings, firsts: Array) -> Iterator[Row]:
    """One row for each term and run that holds it."""
    if not len(postings.term):
        return
    run = np.searchsorted(firsts, postings.slot, side="right") - 1
    border = np.flatnonzero((np.diff(postings.term) != 0) | (np.diff(run) != 0)) + 1
    starts = np.concatenate(([0], border))
    most = np.maximum.reduceat(postings.count, starts).tolist()
    slots = postings.slot.astype("<u2").tobytes()
    small = np.minimum(postings.count, 255).astype("<u1").tobytes()
    large = postings.count.astype("<u4")
    terms = postings.terms
    ends = [*border.tolist(), len(postings.term)]
    heads = zip(starts.tolist(), ends, postings.term[starts].tolist(), run[starts].tolist(), most, strict=True)
    for start, end, term, number, highest in heads:
        if highest == 1:
            counts = b""
        elif highest < 256:
            counts = small[start:end]
        else:
            counts = large[start:end].tobytes()
        yield (segment, terms[term], number, slots[2 * start : 2 * end], counts)


def slots_of(blob: bytes) -> Array:
    """The slots of a row."""
    return np.frombuffer(blob, dtype="<u2")


def counts_of(blob: bytes, size: int) -> Array:
    """How often, for each of `size` slots."""
    if not blob:
        return np.ones(size, dtype=np.int64)
    return np.frombuffer(blob, dtype="<u1" if len(blob) == size else "<u4").astype(np.int64)
