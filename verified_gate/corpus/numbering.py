"""Under which version the document of a file is stored, what refuses it, and the way out that the operator has."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from verified_gate.corpus.comparing import is_stored
from verified_gate.corpus.document import Document
from verified_gate.corpus.key import format_key
from verified_gate.corpus.reading import read_current
from verified_gate.corpus.writing import leaves_gap
from verified_gate.ingest.document import Status
from verified_gate.ingest.folder import shown
from verified_gate.model.errors import IngestError


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read: where it lies, and the version it became."""

    path: str
    document: Document
    numbered: bool
    """The file names no version: a changed one takes the next number."""
    lost: tuple[str, ...] = ()
    """What of it could not be read."""
    by_path: bool = True
    """Its id is its path in its folder, which files of other folders share: they are no versions of one another."""
    anew: bool = False
    """Its bytes and labels are those of a stored version, and its reader reads them otherwise now."""
    before: str | None = None
    """SHA-256 of the bytes that were stored of the file when it was looked up, "" where none were; None: nobody looked."""


class Held(IngestError):
    """The ids are those of other files, as these are stored: they may become other documents yet."""


@dataclass(frozen=True, slots=True)
class WayOut:
    """What lets a document be stored that was refused for what stands stored under its name.

    `withdraw`: the version in force for other groups, as its keys begin, if there is one: while it is in force, its
    readers would learn of one that they may not read. `version`: a name that is free, where that of the document is
    taken, by a version that is stored or by one that was erased; else "".
    """

    withdraw: str = ""
    version: str = ""


def way_out(connection: sqlite3.Connection, read: Read, *, instead: bool) -> WayOut:
    """For a document that `named`, or storing it, refused. Changes nothing."""
    document = _numbered(connection, read, instead=instead)
    tenant, name, _ = document.name
    if _holder(connection, read, document) is not None:  # the id is another file's, in all its versions
        return WayOut()
    current = read_current(connection, tenant, name) if document.status == Status.CURRENT else None
    if current is not None and leaves_gap(connection, document):  # whatever it is called: it is to be a draft
        return WayOut()
    other = current is not None and current.access != document.access
    taken = connection.execute(
        "SELECT 1 FROM document WHERE tenant = ?1 AND name = ?2 AND version = ?3"
        " UNION ALL SELECT 1 FROM tombstone WHERE tenant = ?1 AND name = ?2 AND version = ?3",
        document.name,
    ).fetchone()
    return WayOut(
        withdraw=format_key(tenant, name, current.listing.version, 0).rpartition("#")[0] if current and other else "",
        version="" if taken is None else _next(connection, tenant, name),
    )


def named(
    connection: sqlite3.Connection,
    files: Sequence[Read],
    *,
    instead: bool,
) -> list[Document]:
    """The documents under the versions they are to have. Raises `Held` where a file of another path holds the name, and
    `IngestError` where one would take the place of a version that the operator withdrew.
    """
    documents = [_numbered(connection, each, instead=instead) for each in files]
    pairs = list(zip(files, documents, strict=True))
    withdrawn = [(place_of(each), why) for each in documents if (why := _withdrawn(connection, each, instead=instead))]
    held = [(place_of(document), why) for each, document in pairs if (why := _held(connection, each, document))]
    if withdrawn:
        raise IngestError(withdrawn)
    if held:
        raise Held(held)
    return documents


def _withdrawn(connection: sqlite3.Connection, document: Document, *, instead: bool) -> str | None:
    row = connection.execute(
        "SELECT id, status FROM document WHERE tenant = ? AND name = ? AND version = ?", document.name
    ).fetchone()
    if instead and row is not None and row[1] in (Status.WITHDRAWN, Status.REVOKED):
        pruned = connection.execute("SELECT 1 FROM source WHERE document = ? AND pruned <> ''", row[:1]).fetchone()
        if pruned is None and not is_stored(connection, document):  # not even its own file under other labels
            return (
                f"this version was {row[1]}, and no file takes its place: store it as a new version, without --replace"
            )
    return None


def _held(connection: sqlite3.Connection, read: Read, document: Document) -> str | None:
    row = connection.execute(
        "SELECT lower(hex(file_sha256)) FROM document WHERE tenant = ? AND name = ? AND version = ?", document.name
    ).fetchone()
    if row is not None and row[0] == document.file_sha256:
        return None
    holder = _holder(connection, read, document)
    if holder is None:
        return None
    way = "as by ingesting a folder above both" if read.by_path else "in its front matter"
    return (
        f"a document of this id was read from {shown(holder)}: give this one another id, {way}; where that file is gone"
        " for good, ingest its folder with --prune; where that is gone too, an empty folder in its place"
    )


def _holder(connection: sqlite3.Connection, read: Read, document: Document) -> str | None:
    """Another file that a version of this document was read from, which was not withdrawn. That nothing lies there now
    proves nothing: a disk may be away. None where the file itself says that it is a version of this document.
    """
    if not (read.by_path or read.numbered):
        return None
    rows = connection.execute(
        "SELECT path FROM source JOIN document ON document.id = source.document WHERE document.tenant = ? AND name = ?"
        " AND path <> ? AND latest = 1 AND pruned = '' AND status NOT IN (?, ?) ORDER BY path",
        (*document.name[:2], read.path, Status.WITHDRAWN, Status.REVOKED),
    )
    return next((str(other) for (other,) in rows if not _is_one(other, read.path)), None)


def _is_one(path: str, other: str) -> bool:
    """Do both paths lead to one file, as by a link to its folder?"""
    try:
        return Path(path).samefile(other)
    except OSError:
        return False


def place_of(document: Document) -> str:
    """How a refusal names it."""
    tenant, name, version = document.name
    return f"{tenant}:{name}@{version}" if tenant else f"{name}@{version}"


def _numbered(connection: sqlite3.Connection, read: Read, *, instead: bool) -> Document:
    """The document under the version it is to have: its own, or, where the file names none and has changed, or is read
    otherwise, the number after the highest there is (with `instead`: that of the last version).

    It is asked in the transaction that stores it: what another process stored of the same bytes meanwhile, and as it is
    read now, is that version. Where no file was read into that document, its name is taken: the store refuses it.
    """
    document = read.document
    if not read.numbered:
        return document
    tenant, name, _ = document.name
    versions = connection.execute(
        "SELECT version, status, lower(hex(file_sha256)) FROM document WHERE tenant = ? AND name = ? ORDER BY id",
        (tenant, name),
    ).fetchall()
    if not versions:
        return document
    last = next((row for row in versions if row[1] == Status.CURRENT), versions[-1])
    waiting = versions[-1] if document.status == Status.DRAFT == versions[-1][1] else last
    for version, _, digest in (waiting, last):  # a draft of these bytes is no second draft
        stays = replace(document, version=version)
        if digest == document.file_sha256 and (not read.anew or is_stored(connection, stays)):
            return stays
    from_file = connection.execute(
        "SELECT 1 FROM source JOIN document ON document.id = source.document WHERE document.tenant = ? AND name = ?",
        (tenant, name),
    ).fetchone()
    if from_file is None:
        return document
    if instead:
        return replace(document, version=last[0])
    return replace(document, version=_next(connection, tenant, name))


def _next(connection: sqlite3.Connection, tenant: str, name: str) -> str:
    """The number after the highest that a version of the document has, or had before it was erased."""
    versions = connection.execute(
        "SELECT version FROM document WHERE tenant = ?1 AND name = ?2"
        " UNION ALL SELECT version FROM tombstone WHERE tenant = ?1 AND name = ?2",
        (tenant, name),
    )
    numbers = [int(version) for (version,) in versions if version.isdecimal() and len(version) < 10]
    return str(max(numbers, default=0) + 1)
