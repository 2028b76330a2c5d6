"""Which terms a run holds, told by the run itself, so that the postings of a term are looked for only where they are.

The rows of one term stand side by side for all runs of a segment. Whoever may read some of these runs, and looks in
each for a term that only the others hold, would walk over their rows, and the time it takes would tell of them. So the
runs are asked first. Each has the prints of its terms: hashes by a key of the file, which nobody who writes documents
knows, so that no word can be made up to have the print of another. A run that stands alone in its segment has none; nor
are those asked that may be read all.

A print has as many bits as leave one of 8,192 for another term to be taken for one that is held, which costs a look and
changes nothing that is found. Prints are stored sorted, each as what lies between it and the one before, in two bytes.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_SPARE = 13
"""Bits of a print beyond those that number the terms of its run."""
_FARTHEST = 65_535
_LAST = np.uint32(2**32 - 1)

KEY = "vocabulary"
"""The setting that holds the key of a file, of 62 bits."""


class Prints(NamedTuple):
    """The sorted prints of a run with one behind them that is larger than all others, and how many of the 32 bits of a
    term's hash they leave out.
    """

    values: Array
    shift: int

    def hold(self, hashes: Array) -> Array:
        """For each hash: may its term be among these?"""
        asked = hashes >> self.shift
        found: Array = self.values[self.values.searchsorted(asked)] == asked
        return found


def hashes_of(terms: Iterable[str], key: int) -> Array:
    """The hash of each term, 32 bits; for neighbours that are equal it is made once."""
    return np.fromiter(_hashes(terms, key.to_bytes(8)), np.uint32)


def _hashes(terms: Iterable[str], key: bytes) -> Iterator[int]:
    last, made = None, 0
    for term in terms:
        if term != last:
            last = term
            made = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4, key=key).digest())
        yield made


class Vocabulary:
    """Collects the terms of the runs of a segment while its rows are written."""

    def __init__(self, key: int, runs: int) -> None:
        self._key = key
        self._alone = runs == 1
        self._hashes: list[Array] = []
        self._runs: list[Array] = []

    def add(self, terms: Sequence[str], runs: Sequence[int]) -> None:
        """Take the next rows, by column."""
        if not self._alone:
            self._hashes.append(hashes_of(terms, self._key))
            self._runs.append(np.array(runs, dtype=np.uint16))

    def by_run(self) -> list[tuple[int, bytes]]:
        """The prints of each run as they are stored."""
        if not self._runs:
            return []
        hashes, runs = np.concatenate(self._hashes), np.concatenate(self._runs)
        order = np.lexsort((hashes, runs))
        numbers, starts = np.unique(runs[order], return_index=True)
        by_run = np.split(hashes[order], starts[1:])
        return [(number, _packed(own)) for number, own in zip(numbers.tolist(), by_run, strict=True)]


def _packed(hashes: Array) -> bytes:
    """Sorted hashes as prints: the bits left out, then the steps. Where a step is too long, a print stands between."""
    shift = max(0, 32 - _SPARE - len(hashes).bit_length())
    prints = np.unique(hashes >> shift).astype(np.int64)
    steps = np.diff(prints, prepend=0)
    between = [
        np.arange(end - step + _FARTHEST, end, _FARTHEST)
        for end, step in zip(prints[steps > _FARTHEST], steps[steps > _FARTHEST], strict=True)
    ]
    steps = np.diff(np.unique(np.concatenate([prints, *between])), prepend=0)
    return np.concatenate(([shift], steps)).astype("<u2").tobytes()


def _unpacked(blob: bytes) -> Prints:
    numbers = np.frombuffer(blob, dtype="<u2")
    return Prints(np.append(np.cumsum(numbers[1:], dtype=np.uint32), _LAST), int(numbers[0]))


def read_prints(connection: sqlite3.Connection, segment: int, runs: Sequence[int]) -> dict[int, Prints]:
    """The prints of each of `runs`."""
    rows = connection.execute(
        "SELECT run, prints FROM vocabulary WHERE segment = ? AND run IN (SELECT value FROM json_each(?))",
        (segment, json.dumps(runs)),
    )
    held = dict.fromkeys(runs, Prints(np.array([_LAST]), 0))
    return held | {run: _unpacked(blob) for run, blob in rows}


def build_vocabularies(connection: sqlite3.Connection, key: int) -> None:
    """Make the vocabularies of a file that has none, from its postings."""
    for segment, runs in connection.execute(
        "SELECT segment, count(*) FROM run GROUP BY 1 HAVING count(*) > 1"
    ).fetchall():
        vocabulary = Vocabulary(key, runs)
        rows = connection.execute("SELECT term, run FROM posting WHERE segment = ? ORDER BY term, run", (segment,))
        while sweep := rows.fetchmany(20_000):
            vocabulary.add(*zip(*sweep, strict=True))
        write_vocabulary(connection, segment, vocabulary.by_run())


def write_vocabulary(connection: sqlite3.Connection, segment: int, by_run: Iterable[tuple[int, bytes]]) -> None:
    """Store the vocabulary of a segment."""
    rows = ((segment, run, prints) for run, prints in by_run)
    connection.executemany("INSERT INTO vocabulary VALUES (?, ?, ?)", rows)
