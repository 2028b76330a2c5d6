"""Rewriting the index while others read and write: postings first, in short steps, then one short swap.

The new postings stand under ids of segments that nothing leads to, so no reader meets them. The swap makes the new
segments and takes the old ones away in one transaction; the old postings, to which nothing leads any more, are cleared
in short steps again. Whoever is killed on the way leaves postings that nothing leads to, and the next one clears them.

One rewrite is under way in a file at a time: it holds a claim, which each of its steps renews. A claim that was not
renewed for `STALE_SECONDS` is of a process that is gone.
"""

import secrets
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from verified_gate.corpus.connection import Database
from verified_gate.corpus.indexing import Indexed, segments_of, stored_document, stored_versions
from verified_gate.corpus.merging import plan, stretches, unpublished
from verified_gate.corpus.segment import (
    SWEEP,
    Columns,
    Draft,
    Part,
    Postings,
    Written,
    columns_of,
    insert_postings,
    publish,
    remove_segments,
    reserve,
    write_segment,
)
from verified_gate.corpus.tally import counted, setting_of
from verified_gate.corpus.vocabulary import KEY
from verified_gate.corpus.writing import advance
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

STALE_SECONDS: Final = 60
_MOST_PAUSE: Final = 0.05
_MOST_SWEEPS: Final = 8


class ClaimLost(CorpusError):
    """Another process rewrites the index now."""


class Rewrite:
    """A rewrite that is under way."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._token = secrets.randbits(62)
        self._waited = self._worked = 0.0
        self._sweeps = 1

    @contextmanager
    def step(self) -> Iterator[sqlite3.Connection]:
        """A short write transaction, and a pause after it, in which other processes get their turn. Raises `ClaimLost`."""
        asked = time.monotonic()
        with self._database.writing() as connection:
            begun = time.monotonic()
            with counted(connection, "setting"):
                renewed = connection.execute(
                    "UPDATE setting SET value = ? WHERE name = 'rewrite renewed'"
                    " AND EXISTS (SELECT 1 FROM setting WHERE name = 'rewrite' AND value = ?)",
                    (int(time.time()), self._token),
                )
            if renewed.rowcount != 1:
                raise ClaimLost(f"{self._database.name}: another process has begun to rewrite the index")
            yield connection
        self._waited, self._worked = begun - asked, time.monotonic() - begun
        if self._waited < self._worked:
            time.sleep(min(_MOST_PAUSE, self._worked / 3))

    def claim(self, *, steal: bool) -> bool:
        """Begin. False where another rewrite is under way; with `steal` it is the other that ends."""
        with self._database.writing() as connection:
            now = int(time.time())
            renewed = connection.execute("SELECT value FROM setting WHERE name = 'rewrite renewed'").fetchone()
            if renewed is not None and abs(now - renewed[0]) < STALE_SECONDS and not steal:
                return False
            claim = [("rewrite", self._token), ("rewrite renewed", now)]
            with counted(connection, "setting"):
                connection.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", claim)
        self.clear()
        return True

    def release(self) -> None:
        """End."""
        with self._database.writing() as connection:
            held = "SELECT 1 FROM setting WHERE name = 'rewrite' AND value = ?"
            if connection.execute(held, (self._token,)).fetchone():
                with counted(connection, "setting"):
                    connection.execute("DELETE FROM setting WHERE name IN ('rewrite', 'rewrite renewed')")

    def draft(self, parts: Sequence[Part], postings: Iterable[Postings]) -> Draft:
        """Write the postings of a segment to be."""
        with self.step() as connection:
            identity = reserve(connection)
            written = Written(identity, parts, setting_of(connection, KEY))
        sweeps: list[Columns] = []
        for each in postings:
            for columns in columns_of(each, written.firsts):
                written.add(columns)
                sweeps.append(columns)
                if len(sweeps) >= self._sweeps:
                    self._insert(identity, sweeps)
                    sweeps = []
        self._insert(identity, sweeps)
        return written.draft()

    def _insert(self, identity: int, sweeps: Sequence[Columns]) -> None:
        """Write rows in one step. After a long wait for the turn more are written at once: where others write much, a
        merge would not come to its end otherwise.
        """
        with self.step() as connection:
            for columns in sweeps:
                insert_postings(connection, identity, columns)
        wanted = self._waited * len(sweeps) / (2 * self._worked)
        self._sweeps = max(1, min(_MOST_SWEEPS, round(wanted)))

    def clear(self) -> None:
        """Remove postings that nothing leads to, some at a time."""
        with self._database.reading() as connection:
            orphans = unpublished(connection)
        for identity in orphans:
            removed = -1
            while removed:
                with self.step() as connection:
                    removed = connection.execute(
                        "DELETE FROM posting WHERE segment = ?1 AND term <= coalesce("
                        "(SELECT term FROM posting WHERE segment = ?1 ORDER BY term LIMIT 1 OFFSET ?2),"
                        " (SELECT max(term) FROM posting WHERE segment = ?1))",
                        (identity, SWEEP),
                    ).rowcount


@contextmanager
def rewriting(database: Database, *, steal: bool) -> Iterator[Rewrite | None]:
    """A rewrite of the index of `database`; None where another one is under way."""
    rewrite = Rewrite(database)
    if not rewrite.claim(steal=steal):
        yield None
        return
    try:
        with database.damage_told():
            yield rewrite
    except BaseException:
        with suppress(CorpusError):  # full, closed or taken over: then the next one clears them
            rewrite.clear()
        raise
    finally:
        rewrite.release()


def replace_segments(database: Database, rewrite: Rewrite, segments: Sequence[int]) -> bool:
    """Replace `segments` by as few as hold what is in them. False where one of them went meanwhile."""
    with database.reading() as connection:
        if not _there(connection, segments):
            return False
        planned = list(plan(connection, segments))
    drafts = [rewrite.draft(parts, stretches(database.reading, moves)) for parts, moves in planned]
    with rewrite.step() as connection:
        whole = _there(connection, segments)
        if whole:
            epoch = advance(connection)
            for draft in drafts:
                publish(connection, draft, epoch)
            remove_segments(connection, segments)
    rewrite.clear()
    return whole


def _there(connection: sqlite3.Connection, segments: Sequence[int]) -> bool:
    return {identity for (identity,) in connection.execute("SELECT id FROM segment")}.issuperset(segments)


def rebuild(database: Database, rewrite: Rewrite) -> None:
    """Build the index anew from the stored texts. What is written meanwhile lets it be done once more, without a
    pause for others.
    """
    with database.reading() as connection:
        begun = setting_of(connection, "epoch")
        versions = stored_versions(connection)
    drafts = [rewrite.draft(parts, [postings]) for parts, postings in segments_of(_read(database, versions))]
    with rewrite.step() as connection:
        now = setting_of(connection, "epoch")
        epoch = advance(connection)
        remove_segments(
            connection, [identity for (identity,) in connection.execute("SELECT id FROM segment").fetchall()]
        )
        if now == begun:
            for draft in drafts:
                publish(connection, draft, epoch)
        else:
            documents = (stored_document(connection, version) for version in stored_versions(connection))
            for parts, postings in segments_of(documents):
                write_segment(connection, epoch, parts, [postings])
        with counted(connection, "setting"):
            connection.execute("INSERT OR REPLACE INTO setting VALUES ('tokenizer', ?)", (TOKENIZER_VERSION,))
    rewrite.clear()


def _read(database: Database, versions: Sequence[tuple[Any, ...]]) -> Iterator[Indexed]:
    for version in versions:
        with database.reading() as connection:
            document = stored_document(connection, version)
        yield document
