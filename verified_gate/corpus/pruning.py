"""Versions whose files are gone: withdrawn with the files, and back with them."""

import os
import sqlite3
from collections.abc import Iterable
from typing import Final

from verified_gate.corpus.document import Document
from verified_gate.corpus.key import format_key
from verified_gate.corpus.tally import counted
from verified_gate.corpus.writing import advance, set_status
from verified_gate.ingest.document import Status
from verified_gate.model.errors import CorpusError, IngestError

IN_FORCE: Final = (Status.CURRENT, Status.DRAFT)
"""In force, or still to be put in force."""
_ROW: Final = "path = ? AND tenant = ? AND document = ?"


def prune(connection: sqlite3.Connection, paths: Iterable[str], tenant: str) -> int:
    """Withdraw all versions in force or to be that were read from these files for this tenant, and keep which status each
    had; gives how many. One that was read from another file too, which is there, stays.
    """
    rows = [row for path in paths for row in _versions_of(connection, path, tenant)]
    epoch = advance(connection)
    return sum(prune_one(connection, path, tenant, identity, epoch) for path, identity in rows)


def prune_one(connection: sqlite3.Connection, path: str, tenant: str, identity: int, epoch: int) -> int:
    """Withdraw one version that was read from `path`; gives 1, or 0 where another file that it was read from is there."""
    key = (path, tenant, identity)
    if lies_elsewhere(connection, path, identity):
        with counted(connection, "source", _ROW, key):
            connection.execute(f"DELETE FROM source WHERE {_ROW}", key)  # noqa: S608  # of constants
        return 0
    (status,) = connection.execute("SELECT status FROM document WHERE id = ?", (identity,)).fetchone()
    if status not in IN_FORCE:
        return 0
    set_status(connection, identity, Status.WITHDRAWN, epoch)
    with counted(connection, "source", _ROW, key):
        connection.execute(f"UPDATE source SET pruned = ? WHERE {_ROW}", (status, *key))  # noqa: S608
    return 1


def _versions_of(connection: sqlite3.Connection, path: str, tenant: str) -> list[tuple[str, int]]:
    return connection.execute(
        "SELECT path, document.id FROM source JOIN document ON document.id = source.document"
        " WHERE path = ? AND source.tenant = ? AND status IN (?, ?)",
        (path, tenant, *IN_FORCE),
    ).fetchall()


def lies_elsewhere(connection: sqlite3.Connection, path: str, identity: int) -> bool:
    """Is another file there that this version was read from?"""
    others = connection.execute(
        "SELECT path FROM source WHERE document = ? AND path <> ? AND pruned = ''", (identity, path)
    )
    return any(os.path.lexists(other) for (other,) in others.fetchall())


def comes_back(connection: sqlite3.Connection, document: Document) -> bool:
    """Was this version withdrawn because its file was gone?"""
    row = connection.execute(
        "SELECT 1 FROM document JOIN source ON source.document = document.id WHERE document.tenant = ? AND name = ?"
        " AND version = ? AND pruned <> '' AND status = ?",
        (*document.name, Status.WITHDRAWN),
    ).fetchone()
    return row is not None


def put_back(connection: sqlite3.Connection, path: str, tenant: str, identity: int, document: Document) -> None:
    """Give a version that `comes_back`, and what was withdrawn with it of the same document and for the same audience,
    the status of before. Never where the operator withdrew it, and a draft only where a draft is asked for. What was
    stored for another audience stays withdrawn: its readers would see it again, though the file is read for others now.
    """
    joined = "SELECT document.id, max(pruned) FROM source JOIN document ON document.id = source.document"
    rows = connection.execute(
        f"{joined} WHERE source.document = ? AND pruned <> '' AND status = ? GROUP BY 1", (identity, Status.WITHDRAWN)
    ).fetchall()
    rows += connection.execute(
        f"{joined} WHERE path = ? AND source.tenant = ? AND source.document <> ? AND pruned <> '' AND status = ?"  # noqa: S608
        " AND document.tenant = ? AND name = ? AND audience = (SELECT audience FROM document WHERE id = ?) GROUP BY 1",
        (path, tenant, identity, Status.WITHDRAWN, *document.name[:2], identity),
    ).fetchall()
    epoch = advance(connection)
    for each, before in rows:
        status = Status.DRAFT if each == identity and document.status == Status.DRAFT else Status(before)
        taken = connection.execute(
            "SELECT 1 FROM document WHERE tenant = ? AND name = ? AND status = 'current'", document.name[:2]
        ).fetchone()
        if status == Status.CURRENT and taken is not None:
            status = Status.SUPERSEDED
        try:
            set_status(connection, each, status, epoch)
        except CorpusError as fault:
            place = format_key(*document.name, 0).rpartition("#")[0]
            raise IngestError([(place, str(fault))]) from None
        with counted(connection, "source", "document = ?", (each,)):
            moved = connection.execute(
                "SELECT path FROM source WHERE document = ? AND path <> ? AND pruned <> ''", (each, path)
            ).fetchall()
            for (other,) in moved:  # what lies here now is gone from there for good
                if not os.path.lexists(other):
                    connection.execute("DELETE FROM source WHERE document = ? AND path = ?", (each, other))
            connection.execute("UPDATE source SET pruned = '' WHERE document = ?", (each,))
