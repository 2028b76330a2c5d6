"""The tables of a corpus file, and how to tell ours from others.

Documents: `document` (one row a version), `block` (its text, in pieces of `BLOCK` code points; the only copy),
`passage` (spans into the text, with pins and places), `page` (what could be read of each page), `source` (which file
was read into which versions, for which tenant, the latest of them marked; `pruned` is the status that a version had
when it was withdrawn because its file was gone), `tombstone` (what was erased, whether its last bytes are
gone, those in a record log too, and the days it keeps from older versions; its name is never given again),
`private_collection` (those that are only searched by name). Index: `segment` (an immutable set of up to 65,536
passages, each in a slot), `placement` (which slots hold which document), `run` (the slots of one audience in a segment, and how many of
them are live), `vocabulary` (which terms a run holds: see `vocabulary.py`), `posting` (for a term and a run: the slots, and
how often the term stands in each).

A slot's order inside a run is the order of ties: tenant, id, version, position. `posting` is keyed by segment, term
and run, so that a segment is written in one sweep, a term is read in one sweep by those who may read all, and an
actor's rows are found without reading those of others.
"""

import hashlib
import secrets
import sqlite3

from verified_gate.corpus.tally import recount

APPLICATION_ID = 0x56474331
SCHEMA_VERSION = 3
BLOCK = 1_000
UNREAD = "unread "
"""Begins what came of a file (`source.outcome`) that is stored and could not be read since; the code of why follows."""
MAX_BLOCKS = 1 << 20
PAGE_SIZE = 8_192
SEGMENT_SLOTS = 65_536
OLDEST_SQLITE = (3, 37, 0)

_TABLES = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE audience (
    id INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    groups TEXT NOT NULL,
    UNIQUE (tenant, groups)
) STRICT;
CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('draft', 'current', 'superseded', 'withdrawn', 'revoked')),
    audience INTEGER NOT NULL REFERENCES audience,
    title TEXT NOT NULL,
    lang TEXT NOT NULL,
    collection TEXT NOT NULL,
    passages INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    text_sha256 BLOB NOT NULL,
    file_sha256 BLOB,
    record_sha256 BLOB NOT NULL,
    reader TEXT NOT NULL DEFAULT '',
    coverage TEXT NOT NULL DEFAULT 'complete' CHECK (coverage IN ('complete', 'partial', 'none')),
    admission TEXT NOT NULL DEFAULT 'full_text' CHECK (admission IN ('full_text', 'summary', 'metadata_only')),
    purposes TEXT NOT NULL DEFAULT '',
    local_only INTEGER NOT NULL DEFAULT 0,
    effective_from TEXT NOT NULL DEFAULT '',
    effective_to TEXT NOT NULL DEFAULT '',
    UNIQUE (tenant, name, version)
) STRICT;
CREATE UNIQUE INDEX one_current_version ON document (tenant, name) WHERE status = 'current';
CREATE INDEX document_collection ON document (collection) WHERE collection <> '';
CREATE INDEX document_audience ON document (audience);
CREATE INDEX document_limited ON document (audience)
    WHERE (purposes <> '' OR local_only <> 0 OR effective_from <> '' OR effective_to <> '');
CREATE TABLE block (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE passage (
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    paragraph INTEGER,
    first_line INTEGER,
    last_line INTEGER,
    heading TEXT NOT NULL,
    furniture TEXT NOT NULL,
    place TEXT NOT NULL DEFAULT '',
    hidden TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (document, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE page (
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    coverage TEXT NOT NULL,
    lost TEXT NOT NULL,
    PRIMARY KEY (document, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE source (
    path TEXT NOT NULL,
    tenant TEXT NOT NULL,
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    latest INTEGER NOT NULL,
    pruned TEXT NOT NULL,
    file_sha256 BLOB NOT NULL,
    labels_sha256 BLOB NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (path, tenant, document)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_document ON source (document);
CREATE TABLE private_collection (name TEXT PRIMARY KEY, sha256 BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE tombstone (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    text_sha256 BLOB NOT NULL,
    erased TEXT NOT NULL,
    finished INTEGER NOT NULL,
    records INTEGER NOT NULL,
    number INTEGER NOT NULL,
    audience INTEGER NOT NULL REFERENCES audience,
    effective_from TEXT NOT NULL,
    effective_to TEXT NOT NULL,
    sha256 BLOB NOT NULL,
    PRIMARY KEY (tenant, name, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slots INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    digest BLOB NOT NULL,
    lengths BLOB NOT NULL
) STRICT;
CREATE TABLE placement (
    segment INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
    first INTEGER NOT NULL,
    slots INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    run INTEGER NOT NULL,
    PRIMARY KEY (segment, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX placement_document ON placement (document);
CREATE TABLE run (
    segment INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
    number INTEGER NOT NULL,
    audience INTEGER NOT NULL REFERENCES audience,
    first INTEGER NOT NULL,
    slots INTEGER NOT NULL,
    live INTEGER NOT NULL,
    live_tokens INTEGER NOT NULL,
    PRIMARY KEY (segment, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE vocabulary (
    segment INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
    run INTEGER NOT NULL,
    prints BLOB NOT NULL,
    PRIMARY KEY (segment, run)
) STRICT, WITHOUT ROWID;
CREATE TABLE posting (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    run INTEGER NOT NULL,
    slots BLOB NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (segment, term, run)
) STRICT, WITHOUT ROWID;
"""


def statements() -> dict[str, str]:
    """The statement that makes each table and index, by its name."""
    stripped = (statement.strip() for statement in _TABLES.split(";"))
    return {each.partition(" ON ")[0].partition(" (")[0].split()[-1]: each for each in stripped if each}


def schema_digest(connection: sqlite3.Connection) -> int:
    """A hash of what the file says its tables and indexes are, as a whole number of 62 bits."""
    rows = connection.execute(
        "SELECT type, name, tbl_name, CAST(sql AS BLOB) FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1, 2"
    )
    return int.from_bytes(hashlib.sha256(repr(rows.fetchall()).encode("utf-8", "surrogateescape")).digest()[:8]) >> 2


def create_schema(connection: sqlite3.Connection, tokenizer: int) -> None:
    """Make the tables, inside the caller's transaction. `tokenizer` is the version the index is built with."""
    for statement in _TABLES.split(";"):
        if statement.strip():
            connection.execute(statement)
    settings = [
        ("tokenizer", tokenizer),
        ("epoch", 0),
        ("vocabulary", secrets.randbits(62)),
        ("schema", schema_digest(connection)),
    ]
    connection.executemany("INSERT INTO setting VALUES (?, ?)", settings)
    recount(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
