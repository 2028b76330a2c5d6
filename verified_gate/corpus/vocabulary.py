"""Which terms a run holds, told by the run itself, so that the postings of a term are looked for only where they are.

The rows of one term stand side by side for all runs of a segment. Whoever may read some of these runs, and looks in
each for a term that only the others hold, would walk over their rows, and the time it takes would tell of them. So the
runs are asked first. Each has the sorted prints of its terms: 32 bits by a key of the file, which nobody who writes
documents knows, so that no word can be made up to have the print of another. A run that stands alone in its segment
has none; nor are those asked that may be read all.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

KEY = "vocabulary"
"""The setting that holds the key of a file, of 62 bits."""


def prints_of(terms: Iterable[str], key: int) -> Array:
    """The print of each term; for neighbours that are equal it is made once."""
    return np.fromiter(_prints(terms, key.to_bytes(8)), "<u4")


def _prints(terms: Iterable[str], key: bytes) -> Iterator[int]:
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
        self._prints: list[Array] = []
        self._runs: list[Array] = []

    def add(self, terms: Sequence[str], runs: Sequence[int]) -> None:
        """Take the next rows, by column."""
        if not self._alone:
            self._prints.append(prints_of(terms, self._key))
            self._runs.append(np.array(runs, dtype=np.uint16))

    def by_run(self) -> list[tuple[int, bytes]]:
        """The prints of each run as they are stored."""
        if not self._runs:
            return []
        prints, runs = np.concatenate(self._prints), np.concatenate(self._runs)
        order = np.lexsort((prints, runs))
        prints, runs = prints[order], runs[order]
        numbers, starts = np.unique(runs, return_index=True)
        return [
            (number, each.tobytes())
            for number, each in zip(numbers.tolist(), np.split(prints, starts[1:]), strict=True)
        ]


def read_prints(connection: sqlite3.Connection, segment: int, runs: Sequence[int]) -> dict[int, Array]:
    """The prints of each of `runs`."""
    rows = connection.execute(
        "SELECT run, prints FROM vocabulary WHERE segment = ? AND run IN (SELECT value FROM json_each(?))",
        (segment, json.dumps(runs)),
    )
    held = dict.fromkeys(runs, np.zeros(0, dtype="<u4"))
    return held | {run: np.frombuffer(blob, dtype="<u4") for run, blob in rows}


def held_in(prints: Array, asked: Array) -> Array:
    """Which of the prints `asked` for are among the sorted `prints`."""
    found: Array = np.searchsorted(prints, asked, side="right") > np.searchsorted(prints, asked)
    return found


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
