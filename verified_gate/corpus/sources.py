"""Which file was read into which version: what makes reading a folder again fast, and tells what has gone from it."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from sys import intern
from typing import Final

from verified_gate.corpus.background import merge_what_is_due
from verified_gate.corpus.connection import Database
from verified_gate.corpus.document import Document
from verified_gate.corpus.indexing import require_tokenizer
from verified_gate.corpus.key import format_key
from verified_gate.corpus.numbering import Read, WayOut, named, place_of, way_out
from verified_gate.corpus.tally import counted
from verified_gate.corpus.writing import Added, advance, prepared, set_status, store_documents
from verified_gate.ingest.document import Labels, Status
from verified_gate.model.errors import CorpusError, IngestError

_CUTTING: Final = 1
"""Counts up when the same file would be cut otherwise."""


_MOST_LOST: Final = 50
"""Of what could not be read, so much is kept for a file."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a file: the hash of its bytes and of the labels it was read under, the version that it became
    last, and what of it could be read. `pruned`: that version was withdrawn because the file was gone.
    """

    file_sha256: str
    labels_sha256: str
    document_id: str
    version: str
    tenant: str
    status: Status
    coverage: str
    lost: tuple[str, ...]
    pruned: bool


def labels_digest(labels: Labels, *, trusted: bool) -> str:
    """SHA-256 over all that the operator says of a file, and how it is cut."""
    told = asdict(labels)
    told["access"] = [labels.access.tenant, sorted(labels.access.groups)]
    told["rules"]["purposes"] = sorted(labels.rules.purposes)
    return hashlib.sha256(json.dumps([_CUTTING, trusted, told]).encode()).hexdigest()


def _outcome(stored: str) -> tuple[str, tuple[str, ...]]:
    coverage, *lost = stored.split("\n")
    return intern(coverage), tuple(lost)


_IN_FORCE: Final = (Status.CURRENT, Status.DRAFT)
"""In force, or still to be put in force."""


class Sources:
    """The files that a corpus was read from, each for the tenant whose documents it was read as: the same file may
    stand stored for several. `tenant` is "" for what was read as public.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, tenant: str = "") -> dict[str, Known]:
        """What is stored of each file for this tenant, by its path; only of those whose version is there still."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT path, lower(hex(source.file_sha256)), lower(hex(labels_sha256)), name, version, document.tenant,"
                " status, outcome, pruned <> '' FROM source JOIN document ON document.id = source.document"
                " WHERE source.tenant = ? AND latest = 1",
                (tenant,),
            )
            return {
                path: Known(
                    digest,
                    intern(labels),
                    name,
                    intern(version),
                    intern(owner),
                    Status(status),
                    *_outcome(outcome),
                    bool(pruned),
                )
                for path, digest, labels, name, version, owner, status, outcome, pruned in rows
            }

    def in_force(self, tenant: str = "") -> set[str]:
        """The files of which this tenant has a version in force, or still to be put in force."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT path FROM source JOIN document ON document.id = source.document"
                " WHERE source.tenant = ? AND status IN (?, ?)",
                (tenant, *_IN_FORCE),
            )
            return {path for (path,) in rows}

    def taken_back(self, tenant: str = "") -> list[tuple[str, str, str, Status]]:
        """The files whose version the operator withdrew or revoked: path, id, version and status."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT path, name, version, status FROM source JOIN document ON document.id = source.document"
                " WHERE source.tenant = ? AND latest = 1 AND pruned = '' AND status IN (?, ?) ORDER BY path",
                (tenant, Status.WITHDRAWN, Status.REVOKED),
            )
            return [(path, name, version, Status(status)) for path, name, version, status in rows]

    def elsewhere(self, tenant: str = "") -> list[tuple[str, str, str]]:
        """The files of which others than this tenant have a version in force or to be: path, whose it is, and the
        version as its keys begin.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT path, document.tenant, name, version"
                " FROM source JOIN document ON document.id = source.document"
                " WHERE source.tenant <> ? AND status IN (?, ?) ORDER BY 1, 2, 3, 4",
                (tenant, *_IN_FORCE),
            )
            return [
                (path, owner, format_key(owner, name, version, 0).rpartition("#")[0])
                for path, owner, name, version in rows
            ]

    def former(self, tenant: str = "") -> list[tuple[str, str, str]]:
        """Documents in force or to be that a file was read as once, and is not any more: path, id and version."""
        with self._database.reading() as connection:
            rows = _former(connection, tenant)
        return [(path, name, version) for path, _, name, version, _ in rows]

    def path_of(self, document_id: str, version: str, tenant: str | None = None) -> str | None:
        """Where the file lay that this version was read from, if it was read from one."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT path FROM source JOIN document ON document.id = source.document"
                " WHERE document.tenant = ? AND name = ? AND version = ? ORDER BY pruned, latest DESC, path LIMIT 1",
                (tenant or "", document_id, version),
            ).fetchone()
        return None if row is None else str(row[0])

    def check(self, files: Sequence[Read], *, instead: bool, gone: Collection[str] = ()) -> Added:
        """What `store` would do when the files `gone` were withdrawn before; changes nothing. Raises as `store` does."""
        with self._database.reading() as connection:
            require_tokenizer(connection)
            return prepared(connection, named(connection, files, gone, instead=instead), replace=instead)[2]

    def way_out(self, read: Read, *, instead: bool) -> WayOut:
        """For a file that `check` or `store` refused."""
        with self._database.reading() as connection:
            return way_out(connection, read, instead=instead)

    def store(
        self, files: Sequence[Read], labels_sha256: str, *, instead: bool, tenant: str = ""
    ) -> tuple[Added, list[str]]:
        """Store what was read of `files`, all in one transaction or none; a changed file that names no version becomes
        the next one of its document, or with `instead` takes the place of the last. What was withdrawn because its file
        was gone gets its status back. Gives what was stored, and the paths of those files. Raises `IngestError`.
        """
        back: list[str] = []
        with self._database.writing() as connection:
            documents = named(connection, files, instead=instead)
            added = store_documents(connection, documents, replace=instead)
            for each, document in zip(files, documents, strict=True):
                (identity,) = connection.execute(
                    "SELECT id FROM document WHERE tenant = ? AND name = ? AND version = ?", document.name
                ).fetchone()
                if _put_back(connection, each.path, tenant, identity, document):
                    back.append(each.path)
                row = (
                    *(each.path, tenant, identity),
                    bytes.fromhex(document.file_sha256 or ""),
                    bytes.fromhex(labels_sha256),
                    "\n".join([document.coverage, *each.lost[:_MOST_LOST]]),
                )
                with counted(connection, "source", "path = ? AND tenant = ?", row[:2]):
                    connection.execute("UPDATE source SET latest = 0 WHERE path = ? AND tenant = ?", row[:2])
                    connection.execute("INSERT OR REPLACE INTO source VALUES (?, ?, ?, 1, '', ?, ?, ?)", row)
        return added, back

    def merge(self) -> None:
        """Merge what is due of the index, as after a few calls of `store`; what is stored is found without it too."""
        merge_what_is_due(self._database)

    def withdraw(self, paths: Iterable[str], tenant: str = "") -> int:
        """Withdraw all versions in force or to be that were read from these files, which are gone, for this tenant;
        gives how many. One that was read from another file too, which is there, stays.
        """
        with self._database.writing() as connection:
            epoch = advance(connection)
            rows = [
                (path, *row)
                for path in paths
                for row in connection.execute(
                    "SELECT document.id, status FROM source JOIN document ON document.id = source.document"
                    " WHERE path = ? AND source.tenant = ? AND status IN (?, ?)",
                    (path, tenant, *_IN_FORCE),
                ).fetchall()
            ]
            return sum(_prune(connection, path, tenant, identity, epoch) for path, identity, _ in rows)

    def withdraw_former(self, paths: Collection[str], tenant: str = "") -> int:
        """Withdraw what `former` tells of these files; gives how many versions."""
        with self._database.writing() as connection:
            epoch = advance(connection)
            rows = [row for row in _former(connection, tenant) if row[0] in paths]
            return sum(_prune(connection, path, tenant, identity, epoch) for path, *_, identity in rows)


def _former(connection: sqlite3.Connection, tenant: str) -> list[tuple[str, str, str, str, int]]:
    """Path, tenant, id, version and number of each."""
    return connection.execute(
        "SELECT path, document.tenant, name, version, document.id"
        " FROM source JOIN document ON document.id = source.document"
        " WHERE source.tenant = ? AND latest = 0 AND status IN (?, ?) AND NOT EXISTS ("
        "SELECT 1 FROM source AS now JOIN document AS present ON present.id = now.document"
        " WHERE now.path = source.path AND now.tenant = source.tenant AND now.latest = 1"
        " AND (present.tenant, present.name) = (document.tenant, document.name)) ORDER BY 1, 2, 3, 4",
        (tenant, *_IN_FORCE),
    ).fetchall()


def _prune(connection: sqlite3.Connection, path: str, tenant: str, identity: int, epoch: int) -> int:
    """Withdraw one version that was read from `path`, and keep which status it had; gives 1, or 0 where another file
    that it was read from is there.
    """
    named_by, key = "path = ? AND tenant = ? AND document = ?", (path, tenant, identity)
    others = connection.execute(
        "SELECT path FROM source WHERE document = ? AND path <> ? AND pruned = ''", (identity, path)
    ).fetchall()
    if any(os.path.lexists(other) for (other,) in others):
        with counted(connection, "source", named_by, key):
            connection.execute(f"DELETE FROM source WHERE {named_by}", key)  # noqa: S608  # of constants
        return 0
    (status,) = connection.execute("SELECT status FROM document WHERE id = ?", (identity,)).fetchone()
    if status not in _IN_FORCE:
        return 0
    set_status(connection, identity, Status.WITHDRAWN, epoch)
    with counted(connection, "source", named_by, key):
        connection.execute(f"UPDATE source SET pruned = ? WHERE {named_by}", (status, *key))  # noqa: S608
    return 1


def _put_back(connection: sqlite3.Connection, path: str, tenant: str, identity: int, document: Document) -> bool:
    """Where the version was withdrawn because its file was gone: give it, and what was withdrawn with it of the same
    document and for the same audience, the status of before. Never where the operator withdrew it, and a draft only
    where a draft is asked for. What was stored for another audience stays withdrawn: its readers would see it again,
    though the file is read for others now.
    """
    joined = "SELECT document.id, max(pruned) FROM source JOIN document ON document.id = source.document"
    rows = connection.execute(
        f"{joined} WHERE source.document = ? AND pruned <> '' AND status = ? GROUP BY 1", (identity, Status.WITHDRAWN)
    ).fetchall()
    if not rows:
        return False
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
            raise IngestError([(place_of(document), str(fault))]) from None
        with counted(connection, "source", "document = ?", (each,)):
            connection.execute("UPDATE source SET pruned = '' WHERE document = ?", (each,))
    return True
