"""Erasing versions: what was stored of them goes, byte by byte, and a tombstone stays.

In this order, so that it can be killed at any point and be finished later:

1. One transaction: the tombstones are written; text, passages, places and paths go; the segments that held them are
   written anew, and with them those that still hold words of versions that were replaced or removed before. From its
   commit on, no reader meets them. What is freed is overwritten (`secure_delete`).
2. The payloads of records, where a record log is named.
3. The whole file is written anew: earlier merges, removals and splits of pages, which did not overwrite, left bytes in
   free space. Then the write-ahead log is emptied. A reader that holds an older snapshot keeps the log from being
   emptied: it is waited for a while, and then the erasure is told to be unfinished.
4. The tombstones say that it is finished. One for which a record log was named says so when a log has erased its
   payloads: a call that names none does not finish it.

A tombstone keeps the days on which its version was in force, as one that is withdrawn does: no older one comes to be in
force on them.

What is not reached: copies of the file, and what a disk keeps of blocks that were overwritten or given back.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from verified_gate.corpus.connection import Database
from verified_gate.corpus.digests import TOMBSTONE, tombstone_digest
from verified_gate.corpus.key import format_key
from verified_gate.corpus.limits import today
from verified_gate.corpus.merging import holding_lost, merge, unpublished
from verified_gate.corpus.protocol import Payloads
from verified_gate.corpus.reading import erased_versions
from verified_gate.corpus.tally import counted, enter, leave
from verified_gate.corpus.writing import advance, orphan_ranges, remove_document
from verified_gate.model.errors import CorpusError

WAIT_SECONDS: Final = 10.0
"""How long an erasure waits for readers of older snapshots."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure came to. `erased` are the versions, as their keys begin; `records` counts the records of which the
    payload was erased in a log. Not `finished`: nobody can read them any more, and `detail` says where bytes of them may
    still stand and what to do.
    """

    erased: tuple[str, ...]
    finished: bool
    detail: str = ""
    records: int = 0


def bury(
    connection: sqlite3.Connection, tenant: str, name: str, version: str | None, *, recorded: bool
) -> tuple[str, ...]:
    """Step 1 in the caller's write transaction, for one version or all; gives their names. `recorded`: there is a record
    log whose payloads of them are to be erased too.
    """
    connection.execute("PRAGMA secure_delete = ON")
    rows = connection.execute(
        "SELECT id, version FROM document WHERE tenant = ?1 AND name = ?2 AND (?3 IS NULL OR version = ?3)"
        " ORDER BY version",
        (tenant, name, version),
    ).fetchall()
    if not rows:
        return ()
    epoch = advance(connection)
    for identity, label in rows:
        connection.execute(
            "INSERT INTO tombstone SELECT tenant, name, version, text_sha256, ?, 0, ?, id, audience,"
            " iif(status = 'draft', '', effective_from), iif(status = 'draft', '', effective_to), x''"
            " FROM document WHERE id = ?",
            (today().isoformat(), int(recorded), identity),
        )
        _seal(connection, tenant, name, label)
        with counted(connection, "source", "document = ?", (identity,)):
            connection.execute("DELETE FROM source WHERE document = ?", (identity,))  # a path may tell of the text
        remove_document(connection, identity, epoch)
    _purge(connection, epoch)
    return tuple(_name(tenant, name, label) for _, label in rows)


def bury_leftovers(connection: sqlite3.Connection) -> bool:
    """What still stands of versions that were replaced or removed goes, in the caller's write transaction. False where
    there was nothing.
    """
    connection.execute("PRAGMA secure_delete = ON")
    if not (holding_lost(connection) or unpublished(connection) or _has_orphans(connection)):
        return False
    _purge(connection, advance(connection))
    return True


def _purge(connection: sqlite3.Connection, epoch: int) -> None:
    """The index without words of versions that are gone, the blocks of text without theirs."""
    merge(connection, holding_lost(connection), epoch)
    for ends in orphan_ranges(connection):
        connection.execute("DELETE FROM block WHERE id BETWEEN ? AND ?", ends)


def _has_orphans(connection: sqlite3.Connection) -> bool:
    found = "SELECT 1 FROM block WHERE id BETWEEN ? AND ? LIMIT 1"
    return any(connection.execute(found, ends).fetchone() for ends in orphan_ranges(connection))


def finish(
    database: Database, names: Sequence[str], payloads: Payloads | None, seconds: float, *, freed: bool = False
) -> Erasure:
    """Steps 2 to 4 for all that is unfinished; `names` are what is told. `freed`: there are bytes in free space that
    must go, whatever is unfinished.
    """
    with database.reading() as connection:
        waiting = connection.execute(
            "SELECT tenant, name, version, records FROM tombstone WHERE finished = 0 ORDER BY 1, 2, 3"
        ).fetchall()
        buried = erased_versions(connection)
    records = 0
    try:
        if payloads is not None and buried:
            told_of = payloads.erase(buried)  # also of what was erased before, when no log was named
            records = told_of if type(told_of) is int else 0
    except Exception as fault:  # noqa: BLE001  # whatever a record log raises, the rest is to be done again
        told = f"the record log failed ({type(fault).__name__}); what it holds is not erased: finish the erasure again"
        return Erasure(tuple(names), finished=False, detail=told)
    if not waiting and not freed:
        return Erasure(tuple(names), finished=True, records=records)
    try:
        emptied = database.compact(seconds)
    except CorpusError as fault:
        return Erasure(tuple(names), finished=False, detail=f"{fault}; finish the erasure again", records=records)
    if not emptied:
        told = (
            "a reader or a writer still holds the state before it, and with it the old text in the file's -wal: "
            "close it, and finish the erasure again"
        )
        return Erasure(tuple(names), finished=False, detail=told, records=records)
    with database.writing() as connection:
        for *parts, recorded in waiting:
            if recorded and (payloads is None or _name(*parts) not in names):  # of another call, and another log
                continue
            connection.execute(
                "UPDATE tombstone SET finished = 1, records = 0 WHERE tenant = ? AND name = ? AND version = ?", parts
            )
            _seal(connection, *parts)
    if payloads is None and any(recorded and _name(*parts) in names for *parts, recorded in waiting):
        told = "its payloads in a record log are not erased: finish the erasure again, and name that log"
        return Erasure(tuple(names), finished=False, detail=told)
    return Erasure(tuple(names), finished=True, records=records)


def _seal(connection: sqlite3.Connection, tenant: str, name: str, version: str) -> None:
    """Give a tombstone, which is new or was changed, the digest of what it says now."""
    *told, before = connection.execute(
        f"SELECT {TOMBSTONE}, sha256 FROM tombstone WHERE tenant = ? AND name = ? AND version = ?",  # noqa: S608
        (tenant, name, version),
    ).fetchone()
    digest = tombstone_digest(told)
    connection.execute(
        "UPDATE tombstone SET sha256 = ? WHERE tenant = ? AND name = ? AND version = ?", (digest, tenant, name, version)
    )
    if before:
        leave(connection, "tombstone", before)
    enter(connection, "tombstone", digest)


def _name(tenant: str, name: str, version: str) -> str:
    return format_key(tenant, name, version, 0).rpartition("#")[0]
