"""Segments of the index: building one from passages, and writing its postings.

A segment is immutable but for the counts of what is live in it. Its slots are ordered by run (live ones first, then
by audience label), inside a run by tenant, id, version and position: this order is the order of ties.
"""

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from verified_gate.corpus.schema import SEGMENT_SLOTS
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

    def add(self, terms: Sequence[bytes], runs: Sequence[int], slots: Sequence[bytes], counts: Sequence[bytes]) -> None:
        """Take the next rows, by column. What was added in one sweep or in several has the same digest."""
        sizes = np.fromiter(map(len, slots), "<i8", len(slots)) * 65_536 * 8 + np.fromiter(
            map(len, counts), "<i8", len(counts)
        )
        columns = (
            b"\n".join([*terms, b""]),
            np.array(runs, dtype="<i8").tobytes(),
            b"".join(slots),
            b"".join(counts),
            sizes.tobytes(),
        )
        for part, column in zip(self._hashes, columns, strict=True):
            part.update(column)

    def digest(self) -> bytes:
        """32 bytes."""
        whole = hashlib.sha256(self._lengths)
        for part in self._hashes:
            whole.update(part.digest())
        return whole.digest()


SWEEP = 20_000
"""Rows that are handled at once."""
_EXPANDED = 16_384
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

    def write(self, connection: sqlite3.Connection, epoch: int) -> None:
        """Write the segment, if there is anything in it."""
        if not self._parts:
            return
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
            order = np.argsort(pair)
            pair, count = pair[order], count[order]
        ends = np.cumsum([len(each) for _, each in chosen])[:-1]
        parts = [replace(part, lengths=own) for (part, _), own in zip(chosen, np.split(lengths, ends), strict=True)]
        write_segment(connection, epoch, parts, [Postings(terms, pair, count)])

    def _terms(self) -> tuple[list[str], Array, Array, Array]:
        """The terms, sorted; for each piece where its tokens begin and how many they are; tokens as numbers of terms."""
        vocabulary: defaultdict[str, int] = defaultdict()
        vocabulary.default_factory = vocabulary.__len__
        found, held = tokens_of(list(self._pieces))
        sizes = np.array(held, dtype=np.int64)
        flat = np.fromiter(map(vocabulary.__getitem__, found), np.int64, len(found))
        terms = sorted(vocabulary)
        ranks = np.empty(len(terms), dtype=np.int64)
        ranks[np.fromiter(map(vocabulary.__getitem__, terms), np.int64, len(terms))] = np.arange(len(terms))
        return terms, np.cumsum(sizes) - sizes, sizes, ranks[flat]


def write_segment(
    connection: sqlite3.Connection, epoch: int, parts: Sequence[Part], stretches: Iterable[Postings]
) -> None:
    """Write a segment of `parts`, already in order, with its postings stretch by stretch, in the order of terms."""
    lengths = np.concatenate([part.lengths for part in parts]).astype("<u4")
    identity = connection.execute(
        "INSERT INTO segment (slots, changed, digest, lengths) VALUES (?, ?, x'', ?)",
        (len(lengths), epoch, lengths.tobytes()),
    ).lastrowid
    assert identity is not None
    firsts = _write_runs(connection, identity, parts)
    digest = Digest(lengths.tobytes())
    for postings in stretches:
        for terms, runs, slots, counts in _rows(postings, firsts):
            digest.add([term.encode() for term in terms], runs, slots, counts)
            rows = zip(repeat(identity, len(terms)), terms, runs, slots, counts, strict=True)
            connection.executemany("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", rows)
    connection.execute("UPDATE segment SET digest = ? WHERE id = ?", (digest.digest(), identity))


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


Columns = tuple[list[str], list[int], list[bytes], list[bytes]]


def _rows(postings: Postings, firsts: Array) -> Iterator[Columns]:
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


def joined_counts(blobs: Sequence[bytes], sizes: Array) -> Array:
    """How often, for the slots of neighbouring rows; `sizes` is how many slots each row has."""
    counts = np.ones(int(sizes.sum()), dtype=np.int32)
    joined = b"".join(blobs)
    if joined:
        widths = np.fromiter(map(len, blobs), np.int64, len(blobs))
        if np.all((widths == 0) | (widths == sizes)):
            counts[np.repeat(widths > 0, sizes)] = np.frombuffer(joined, dtype="<u1")
        else:
            ends = np.cumsum(sizes)
            for blob, size, end in zip(blobs, sizes.tolist(), ends.tolist(), strict=True):
                if blob:
                    counts[end - size : end] = np.frombuffer(blob, dtype="<u1" if len(blob) == size else "<u4")
    return counts
