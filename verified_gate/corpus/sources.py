"""Which file was read into which version: what makes reading a folder again fast, and tells what has gone from it."""

import hashlib
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from verified_gate.corpus.background import merge_what_is_due
from verified_gate.corpus.catalogue import outcome_of
from verified_gate.corpus.comparing import Match, is_stored
from verified_gate.corpus.connection import Database
from verified_gate.corpus.document import Document
from verified_gate.corpus.indexing import require_tokenizer
from verified_gate.corpus.key import format_key
from verified_gate.corpus.numbering import Read, WayOut, named, place_of, way_out
from verified_gate.corpus.pruning import (
    IN_FORCE,
    comes_back,
    prune,
    prune_one,
    put_back,
)
from verified_gate.corpus.schema import UNREAD
from verified_gate.corpus.tally import counted
from verified_gate.corpus.writing import Added, advance, is_new, prepared, store_prepared
from verified_gate.ingest.document import Labels, Status
from verified_gate.ingest.formats.rules import is_current
from verified_gate.model.errors import IngestError

_FORM: Final = 1
"""Of a digest of labels. It stays: a file that is cut otherwise now is told by the name of its reader, whose rules it is
one of (`ingest.formats.rules`); with another digest every file would be refused, as under other labels.
"""
_MOST_LOST: Final = 50
"""Of what could not be read, so much is kept for a file."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a file: the hash of its bytes and of the labels it was read under, the version that it became
    last, what of it could be read, and by which reader. `pruned`: that version was withdrawn because the file was gone.
    `unread`: the code of why the file could not be read since, "" where it could.
    """

    file_sha256: str
    labels_sha256: str
    document_id: str
    version: str
    tenant: str
    status: Status
    coverage: str
    lost: tuple[str, ...]
    unread: str
    pruned: bool
    reader: str

    @property
    def outdated(self) -> bool:
        """Is that version in force, or to be, as another reader read it than the one of now?"""
        return self.status in IN_FORCE and not is_current(self.reader)


class Overtaken(IngestError):
    """Other bytes of a file were stored since it was looked up: which of them are the newer ones, the file says."""


class Kept(NamedTuple):
    """What storing files did, or would do: how much was stored; the files that a version was stored of; and those whose
    version was withdrawn because they were gone, and has its status of before again.
    """

    added: Added
    new: frozenset[str]
    back: frozenset[str]


def labels_digest(labels: Labels, *, trusted: bool) -> str:
    """SHA-256 over all that the operator says of a file."""
    told = asdict(labels)
    told["access"] = [labels.access.tenant, sorted(labels.access.groups)]
    told["rules"]["purposes"] = sorted(labels.rules.purposes)
    return hashlib.sha256(json.dumps([_FORM, trusted, told]).encode()).hexdigest()


_LATE: Final = "another text of this file was stored meanwhile, and a third one lies there now: ingest it again"
_AT_ONCE: Final = 1_000
"""Files that are asked for in one statement."""
_AFTER_SLASH: Final = chr(ord("/") + 1)
_OF_FILE: Final = "path = ? AND tenant = ?"
_FORGET: Final = (
    f"UPDATE source SET outcome = substr(outcome, instr(outcome, char(10)) + 1) WHERE {_OF_FILE}"  # noqa: S608
    f" AND outcome GLOB '{UNREAD}*'"
)
_KEEP: Final = (
    f"UPDATE source SET outcome = ? || char(10) || outcome WHERE {_OF_FILE}"  # noqa: S608
    " AND document IN (SELECT id FROM document WHERE status = ?)"
)
"""Why a file could not be read, since it became its version in force: forget it, and keep it."""
_SHARED: Final = (
    "INSERT INTO source (document, path, tenant, latest, pruned, file_sha256, labels_sha256, outcome)"
    " VALUES (?, ?, ?, ?, '', ?, ?, ?)"
)
# The files first, each of which is sought in `source`: SQLite may choose to walk over all that is stored.
_ASKED: Final = (
    "FROM json_each(?1) CROSS JOIN source ON source.path = json_each.value"
    " CROSS JOIN document ON document.id = source.document"
)
_NOW: Final = (
    "EXISTS (SELECT 1 FROM source AS now JOIN document AS present ON present.id = now.document"
    " WHERE now.path = source.path AND now.tenant = ?2 AND now.latest = 1"
)
"""What the file is for this tenant now."""
_FORMER: Final = (
    f"SELECT source.path, name, version, document.id, source.tenant {_ASKED} WHERE status IN (?3, ?4)"
    f" AND (source.tenant = ?2 AND latest = 0 OR source.tenant <> ?2 AND {_NOW} AND present.tenant = document.tenant))"
    f" AND {_NOW}) AND NOT {_NOW} AND (present.tenant, present.name) = (document.tenant, document.name))"
)
"""Also where the file was read for others, and what it said of itself named the same tenant."""


class Sources:
    """The files that a corpus was read from, each for the tenant whose documents it was read as: the same file may
    stand stored for several. `tenant` is "" for what was read as public.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, paths: Iterable[str], tenant: str = "") -> dict[str, Known]:
        """What is stored for this tenant of each of these files, by its path; only of those whose version is there still."""
        rows = self._of(
            paths,
            "SELECT source.path, lower(hex(source.file_sha256)), lower(hex(labels_sha256)), name, version, document.tenant,"
            f" status, outcome, pruned <> '', reader {_ASKED} WHERE source.tenant = ?2 AND latest = 1",
            tenant,
        )
        return {
            path: Known(
                digest, labels, name, version, owner, Status(status), *outcome_of(outcome), bool(pruned), reader
            )
            for path, digest, labels, name, version, owner, status, outcome, pruned, reader in rows
        }

    def missing(self, folders: Iterable[str], here: Collection[str], tenant: str = "") -> set[str]:
        """The files of which this tenant has a version in force, or still to be put in force, that lie under one of these
        paths or at it, and are not among those that are `here`.
        """
        found: set[str] = set()
        with self._database.reading() as connection:
            for folder in filter(_is_text, folders):
                below = folder.rstrip("/") + "/"
                for first, end in ((folder, folder + "\0"), (below, below[:-1] + _AFTER_SLASH)):
                    rows = connection.execute(
                        "SELECT path FROM source CROSS JOIN document ON document.id = source.document"
                        " WHERE source.tenant = ? AND status IN (?, ?) AND path >= ? AND path < ?",
                        (tenant, *IN_FORCE, first, end),
                    )
                    found.update(path for (path,) in rows if path not in here)
        return found

    def not_in_force(
        self, paths: Iterable[str], tenant: str = "", *, drafts: bool = False
    ) -> list[tuple[str, str, str, Status]]:
        """Those of these files whose version the operator withdrew or revoked, or, where `drafts` are asked for, never put
        in force: path, id, version and status.
        """
        statuses = (Status.WITHDRAWN, Status.REVOKED, Status.DRAFT if drafts else Status.REVOKED)
        rows = self._of(
            paths,
            f"SELECT source.path, name, version, status {_ASKED} WHERE source.tenant = ?2 AND latest = 1"
            " AND pruned = '' AND status IN (?3, ?4, ?5)",
            *(tenant, *statuses),
        )
        return sorted((path, name, version, Status(status)) for path, name, version, status in rows)

    def elsewhere(self, paths: Iterable[str], tenant: str = "") -> list[tuple[str, str, str]]:
        """Those of these files of which others than this tenant have a version in force or to be: path, whose it is, and
        the version as its keys begin. Whoever it was read for, what is this tenant's own is none of others.
        """
        rows = self._of(
            paths,
            f"SELECT DISTINCT source.path, document.tenant, name, version {_ASKED} WHERE source.tenant <> ?2"
            f" AND document.tenant <> ?2 AND status IN (?3, ?4) AND NOT {_NOW} AND present.tenant = document.tenant)",
            *(tenant, *IN_FORCE),
        )
        return [
            (path, owner, format_key(owner, name, version, 0).rpartition("#")[0])
            for path, owner, name, version in sorted(rows)
        ]

    def former(self, paths: Iterable[str], tenant: str = "") -> list[tuple[str, str, str]]:
        """Documents in force or to be that one of these files was read as once, and is not any more: path, id and version."""
        rows = self._of(paths, _FORMER, tenant, *IN_FORCE)
        return sorted((path, name, version) for path, name, version, *_ in rows)

    def in_force(self, paths: Iterable[str], tenant: str = "") -> list[tuple[str, str, str]]:
        """The versions in force that were read from these files: path, id and version."""
        rows = self._of(
            paths,
            f"SELECT source.path, name, version {_ASKED} WHERE source.tenant = ?2 AND status = ?3",
            *(tenant, Status.CURRENT),
        )
        return sorted(rows)

    def versions_of(self, paths: Iterable[str], tenant: str = "") -> list[tuple[str, int]]:
        """The versions in force or to be that were read from these files: path, and the version as `places_of` takes it."""
        rows = self._of(
            paths,
            f"SELECT source.path, document.id {_ASKED} WHERE source.tenant = ?2 AND status IN (?3, ?4)",
            *(tenant, *IN_FORCE),
        )
        return sorted(rows)

    def places_of(self, versions: Iterable[int]) -> dict[int, list[str]]:
        """Those of these versions that are in force or to be, each with the files that it stands stored for."""
        found: dict[int, list[str]] = {}
        with self._database.reading() as connection:
            for version in versions:
                rows = connection.execute(
                    "SELECT path FROM source JOIN document ON document.id = source.document WHERE document.id = ?"
                    " AND pruned = '' AND status IN (?, ?) ORDER BY latest DESC, path",
                    (version, *IN_FORCE),
                ).fetchall()
                if rows:
                    found[version] = [path for (path,) in rows]
        return found

    def of_bytes(self, digests: Iterable[str], tenant: str = "") -> list[tuple[str, str, str, str]]:
        """The files whose bytes have one of these SHA-256 and are stored for this tenant in force or to be: the digest,
        path, id and version. All files are looked at.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT lower(hex(source.file_sha256)), path, name, version FROM source"
                " JOIN document ON document.id = source.document WHERE source.tenant = ?2 AND latest = 1 AND pruned = ''"
                " AND status IN (?3, ?4) AND lower(hex(source.file_sha256)) IN (SELECT value FROM json_each(?1))",
                (json.dumps(sorted(set(digests))), tenant, *IN_FORCE),
            )
            return sorted(rows.fetchall())

    def holders(self, tenant: str, name: str, path: str) -> dict[str, str]:
        """The files other than `path` that are stored as this document, whatever became of its versions, each with the
        SHA-256 of its bytes then.
        """
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT path, lower(hex(source.file_sha256)) FROM source JOIN document ON document.id = source.document"
                " WHERE document.tenant = ? AND name = ? AND path <> ? AND latest = 1 AND pruned = '' ORDER BY path",
                (tenant, name, path),
            )
            return dict(rows.fetchall())

    def note(self, unread: Mapping[str, str], read: Iterable[str], tenant: str = "") -> None:
        """Keep which files could not be read, each with the code of why, and that the files `read` could be again. It is
        kept with the versions in force alone.
        """
        with self._database.writing() as connection:
            for path, code in (*((path, "") for path in read), *unread.items()):
                with counted(connection, "source", _OF_FILE, (path, tenant)):
                    connection.execute(_FORGET, (path, tenant))
                    if code:
                        connection.execute(_KEEP, (UNREAD + code, path, tenant, Status.CURRENT))

    def _of(self, paths: Iterable[str], query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of a query for these files, which are asked for some at a time."""
        with self._database.reading() as connection:
            yield from _rows_of(connection, paths, query, *values)

    def path_of(self, document_id: str, version: str, tenant: str | None = None) -> str | None:
        """Where the file lay that this version was read from, if it was read from one."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT path FROM source JOIN document ON document.id = source.document"
                " WHERE document.tenant = ? AND name = ? AND version = ? ORDER BY pruned, latest DESC, path LIMIT 1",
                (tenant or "", document_id, version),
            ).fetchone()
        return None if row is None else str(row[0])

    def called(self, names: Collection[str]) -> list[str]:
        """The files of one of these names, in whatever folder, that a version was read from; all paths are looked at."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT DISTINCT path FROM source")
            return [path for (path,) in rows if path.rpartition("/")[2] in names]

    def is_stored(self, document: Document) -> bool:
        """Is this version stored as it would be now, whichever reader read it?"""
        with self._database.reading() as connection:
            return is_stored(connection, document)

    def check(self, files: Sequence[Read], *, instead: bool, tenant: str = "") -> Kept:
        """What `store` would do; changes nothing. Raises as `store` does."""
        with self._database.reading() as connection:
            return _prepared(connection, files, tenant, instead=instead)[0]

    def way_out(self, read: Read, *, instead: bool) -> WayOut:
        """For a file that `check` or `store` refused."""
        with self._database.reading() as connection:
            return way_out(connection, read, instead=instead)

    def store(
        self, files: Sequence[Read], labels_sha256: str, *, instead: bool, tenant: str = "", texts: bool = True
    ) -> Kept:
        """Store what was read of `files`, all in one transaction or none; a changed file that names no version becomes
        the next one of its document, or with `instead` takes the place of the last. What was withdrawn because its file
        was gone gets its status back. Raises `IngestError`, and `Overtaken` where another process was quicker. Without
        `texts`, as in a `Rehearsal`, only what tells of the versions is stored.
        """
        with self._database.writing() as connection:
            kept, documents, known = _prepared(connection, files, tenant, instead=instead)
            shared = [_others_of(connection, *each) for each in zip(files, documents, known, strict=True)]
            store_prepared(connection, documents, known, texts=texts)
            for document, rows in zip(documents, shared, strict=True):
                identity = _id_of(connection, document)
                with counted(connection, "source", "document = ?", (identity,)):
                    connection.executemany(_SHARED, [(identity, *row) for row in rows])
            for each, document in zip(files, documents, strict=True):
                identity = _id_of(connection, document)
                if each.path in kept.back:
                    put_back(connection, each.path, tenant, identity, document)
                row = (
                    *(each.path, tenant, identity),
                    bytes.fromhex(document.file_sha256 or ""),
                    bytes.fromhex(labels_sha256),
                    "\n".join([document.coverage, *each.lost[:_MOST_LOST]]),
                )
                with counted(connection, "source", _OF_FILE, row[:2]):
                    connection.execute("UPDATE source SET latest = 0 WHERE path = ? AND tenant = ?", row[:2])
                    connection.execute(_FORGET, row[:2])
                    connection.execute("INSERT OR REPLACE INTO source VALUES (?, ?, ?, 1, '', ?, ?, ?)", row)
        return kept

    def merge(self) -> None:
        """Merge what is due of the index, as after a few calls of `store`; what is stored is found without it too."""
        merge_what_is_due(self._database)

    def withdraw(self, paths: Iterable[str], tenant: str = "") -> int:
        """Withdraw all versions in force or to be that were read from these files, which are gone, for this tenant;
        gives how many. One that was read from another file too, which is there, stays.
        """
        with self._database.writing() as connection:
            return prune(connection, paths, tenant)

    def withdraw_former(self, paths: Collection[str], tenant: str = "") -> int:
        """Withdraw what `former` tells of these files; gives how many versions."""
        with self._database.writing() as connection:
            epoch = advance(connection)
            rows = sorted(_rows_of(connection, paths, _FORMER, tenant, *IN_FORCE))
            return sum(prune_one(connection, path, owner, identity, epoch) for path, _, _, identity, owner in rows)


def _prepared(
    connection: sqlite3.Connection, files: Sequence[Read], tenant: str, *, instead: bool
) -> tuple[Kept, list[Document], list[Match | None]]:
    """What is to be stored, and what that does."""
    require_tokenizer(connection)
    if late := [each for each in files if _is_overtaken(connection, each, tenant)]:
        raise Overtaken([(place_of(each.document), _LATE) for each in late])
    documents, known, added = prepared(connection, named(connection, files, instead=instead), replace=instead)
    new = frozenset(each.path for each, there in zip(files, known, strict=True) if is_new(there))
    pairs = list(zip(files, documents, strict=True))
    back = frozenset(each.path for each, document in pairs if each.path not in new and comes_back(connection, document))
    return Kept(added, new, back), documents, known


def _others_of(
    connection: sqlite3.Connection, read: Read, document: Document, there: Match | None
) -> list[tuple[Any, ...]]:
    """What is kept of the other files that a version which is to be replaced was read from, and that hold the same bytes
    as the one that takes its place: it is theirs too. They would be taken for new else, and replace it in their turn.
    """
    if there is None or not is_new(there):
        return []
    return connection.execute(
        "SELECT path, tenant, latest, file_sha256, labels_sha256, outcome FROM source WHERE document = ? AND path <> ?"
        " AND pruned = '' AND file_sha256 = ?",
        (there.id, read.path, bytes.fromhex(document.file_sha256 or "")),
    ).fetchall()


def _id_of(connection: sqlite3.Connection, document: Document) -> int:
    (identity,) = connection.execute(
        "SELECT id FROM document WHERE tenant = ? AND name = ? AND version = ?", document.name
    ).fetchone()
    return int(identity)


def _is_overtaken(connection: sqlite3.Connection, read: Read, tenant: str) -> bool:
    if read.before is None:
        return False
    row = connection.execute(
        "SELECT lower(hex(file_sha256)) FROM source WHERE path = ? AND tenant = ? AND latest = 1", (read.path, tenant)
    ).fetchone()
    return ("" if row is None else row[0]) not in (read.before, read.document.file_sha256)


def _rows_of(
    connection: sqlite3.Connection, paths: Iterable[str], query: str, *values: object
) -> Iterator[tuple[Any, ...]]:
    """The rows of a query that asks for paths in its first parameter."""
    asked = filter(_is_text, paths)
    while chosen := list(islice(asked, _AT_ONCE)):
        yield from connection.execute(query, (json.dumps(chosen), *values))


def _is_text(path: str) -> bool:
    """A path that is no UTF-8 is stored nowhere."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
