"""From the schema of an older file to ours, one version at a time, inside one write transaction."""

import secrets
import sqlite3
from collections.abc import Mapping
from typing import Final

from verified_gate.corpus.schema import SCHEMA_VERSION, schema_digest, statements
from verified_gate.corpus.tally import recount
from verified_gate.corpus.vocabulary import KEY, build_vocabularies
from verified_gate.model.errors import CorpusError

_COLUMNS_OF_2: Final = (
    "document ADD COLUMN reader TEXT NOT NULL DEFAULT ''",
    "document ADD COLUMN coverage TEXT NOT NULL DEFAULT 'complete' CHECK (coverage IN ('complete', 'partial', 'none'))",
    (
        "document ADD COLUMN admission TEXT NOT NULL DEFAULT 'full_text'"
        " CHECK (admission IN ('full_text', 'summary', 'metadata_only'))"
    ),
    "document ADD COLUMN purposes TEXT NOT NULL DEFAULT ''",
    "document ADD COLUMN local_only INTEGER NOT NULL DEFAULT 0",
    "document ADD COLUMN effective_from TEXT NOT NULL DEFAULT ''",
    "document ADD COLUMN effective_to TEXT NOT NULL DEFAULT ''",
    "passage ADD COLUMN place TEXT NOT NULL DEFAULT ''",
    "passage ADD COLUMN hidden TEXT NOT NULL DEFAULT ''",
)

_STEPS: Final[Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    1: (
        _COLUMNS_OF_2,
        (
            "page",
            "source",
            "source_document",
            "private_collection",
            "tombstone",
            "document_audience",
            "document_limited",
        ),
    ),
    2: ((), ("vocabulary",)),
}
"""From this version to the next: columns that are added, and tables and indexes that are made."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring an older schema up to ours. The digests of stored versions hold. Raises `CorpusError` for one that is none."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in _STEPS:
        raise CorpusError(f"the file says that its schema is {version}, which is none: restore it from a copy")
    for step in range(version, SCHEMA_VERSION):
        columns, new = _STEPS[step]
        for column in columns:
            connection.execute(f"ALTER TABLE {column}")
        made = statements()
        for name in new:
            connection.execute(made[name])
        connection.execute(f"PRAGMA user_version = {step + 1}")
    key = secrets.randbits(62)
    for name, value in (("schema", schema_digest(connection)), ("epoch", secrets.randbits(62)), (KEY, key)):
        connection.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))
    build_vocabularies(connection, key)
    recount(connection)
