"""Which file was read into which version: what makes reading a folder again fast, and tells what has gone from it."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from verified_gate.corpus.background import merge_what_is_due
from verified_gate.corpus.connection import Database
from verified_gate.corpus.document import Document
from verified_gate.corpus.writing import Added, advance, set_status, store_documents
from verified_gate.ingest.document import Labels, Status

_CUTTING: Final = 1
"""Counts up when the same file would be cut otherwise."""


_MOST_LOST: Final = 50
"""Of what could not be read, so much is kept for a file."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a file: the hash of its bytes and of the labels it was read under, its version, and what of it
    could be read.
    """

    file_sha256: str
    labels_sha256: str
    document_id: str
    version: str
    tenant: str
    status: Status
    coverage: str
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read: where it lies, and the version it became."""

    path: str
    document: Document
    numbered: bool
    """The file names no version: a changed one takes the next number."""
    lost: tuple[str, ...] = ()
    """What of it could not be read."""


def labels_digest(labels: Labels, *, trusted: bool) -> str:
    """SHA-256 over all that the operator says of a file, and how it is cut."""
    told = asdict(labels)
    told["access"] = [labels.access.tenant, sorted(labels.access.groups)]
    told["rules"]["purposes"] = sorted(labels.rules.purposes)
    return hashlib.sha256(json.dumps([_CUTTING, trusted, told]).encode()).hexdigest()


def _outcome(stored: str) -> tuple[str, tuple[str, ...]]:
    coverage, *lost = stored.split("\n")
    return coverage, tuple(lost)


class Sources:
    """The files that a corpus was read from."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self) -> dict[str, Known]:
        """What is stored of each file, by its path; only of those whose version is there still."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT path, lower(hex(source.file_sha256)), lower(hex(labels_sha256)), name, version, tenant, status,"
                " outcome FROM source JOIN document ON document.id = source.document"
            ).fetchall()
        return {
            path: Known(digest, labels, name, version, tenant, Status(status), *_outcome(outcome))
            for path, digest, labels, name, version, tenant, status, outcome in rows
        }

    def path_of(self, document_id: str, version: str, tenant: str | None = None) -> str | None:
        """Where the file lay that this version was read from, if it was read from one."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT path FROM source JOIN document ON document.id = source.document"
                " WHERE tenant = ? AND name = ? AND version = ? ORDER BY path LIMIT 1",
                (tenant or "", document_id, version),
            ).fetchone()
        return None if row is None else str(row[0])

    def store(self, files: Sequence[Read], labels_sha256: str, *, instead: bool) -> Added:
        """Store what was read of `files`, all in one transaction or none; a changed file that names no version becomes
        the next one of its document, or with `instead` takes the place of the last. Raises `IngestError`.
        """
        with self._database.writing() as connection:
            documents = [_numbered(connection, each, instead=instead) for each in files]
            added = store_documents(connection, documents, replace=instead)
            for each, document in zip(files, documents, strict=True):
                connection.execute(
                    "INSERT OR REPLACE INTO source SELECT ?, ?, ?, id, ? FROM document"
                    " WHERE tenant = ? AND name = ? AND version = ?",
                    (
                        each.path,
                        bytes.fromhex(document.file_sha256 or ""),
                        bytes.fromhex(labels_sha256),
                        "\n".join([document.coverage, *each.lost[:_MOST_LOST]]),
                        *document.name,
                    ),
                )
        merge_what_is_due(self._database)
        return added

    def withdraw(self, paths: Iterable[str]) -> int:
        """Withdraw the versions that were read from these files, which are gone; gives how many were in force or still
        to be put in force.
        """
        count = 0
        with self._database.writing() as connection:
            epoch = advance(connection)
            for path in paths:
                row = connection.execute(
                    "SELECT document.id, status FROM source JOIN document ON document.id = source.document"
                    " WHERE path = ?",
                    (path,),
                ).fetchone()
                if row is not None and row[1] in (Status.CURRENT, Status.DRAFT):
                    set_status(connection, row[0], Status.WITHDRAWN, epoch)
                    count += 1
                connection.execute("DELETE FROM source WHERE path = ?", (path,))
        return count


def _numbered(connection: sqlite3.Connection, read: Read, *, instead: bool) -> Document:
    """The document under the version it is to have: its own, or, where the file names none and has changed, the number
    after the highest there is (with `instead`: that of the last version).

    A file of another path is another document, and its name is taken: the store refuses it.
    """
    document = read.document
    if not read.numbered:
        return document
    tenant, name, _ = document.name
    versions = connection.execute(
        "SELECT version, status, lower(hex(file_sha256)) FROM document WHERE tenant = ? AND name = ? ORDER BY id",
        (tenant, name),
    ).fetchall()
    if not versions or not _is_its_own(connection, tenant, name, read.path):
        return document
    last, _, digest = next((row for row in versions if row[1] == Status.CURRENT), versions[-1])
    if instead or digest == document.file_sha256:
        return replace(document, version=last)
    erased = connection.execute("SELECT version FROM tombstone WHERE tenant = ? AND name = ?", (tenant, name))
    numbers = [int(version) for version, *_ in (*versions, *erased) if version.isdecimal() and len(version) < 10]
    return replace(document, version=str(max(numbers, default=0) + 1))


def _is_its_own(connection: sqlite3.Connection, tenant: str, name: str, path: str) -> bool:
    """Was the document read from this file, or from one that is no longer there?"""
    paths = [
        row[0]
        for row in connection.execute(
            "SELECT path FROM source JOIN document ON document.id = source.document WHERE tenant = ? AND name = ?",
            (tenant, name),
        )
    ]
    return path in paths or (bool(paths) and not any(map(os.path.exists, paths)))
