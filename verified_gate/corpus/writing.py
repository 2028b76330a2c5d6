"""Storing versions of documents and changing their status, inside the caller's write transaction.

A version is stored whole with its passages and postings, and becomes current in the same transaction in which the
version before it becomes superseded. What is no longer current leaves the counts of the index at once.
"""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from verified_gate.corpus.comparing import Match, file_digest, match, page_rows, passage_rows, stored_rules
from verified_gate.corpus.digests import record_digest
from verified_gate.corpus.document import Document, as_admitted, digest_of, labels_of
from verified_gate.corpus.indexing import Indexed, index_documents, require_tokenizer
from verified_gate.corpus.limits import today
from verified_gate.corpus.place import context_of, seen_of
from verified_gate.corpus.reading import read_current, read_version
from verified_gate.corpus.schema import BLOCK, MAX_BLOCKS
from verified_gate.corpus.tally import counted, enter, leave
from verified_gate.ingest.document import Status
from verified_gate.model import Access
from verified_gate.model.errors import CorpusError, IngestError


@dataclass(frozen=True, slots=True)
class Added:
    """What an ingest did: documents stored, documents that were there already with the same text and labels,
    versions that were replaced, and passages stored; and the files of a folder that were passed over, each with the
    reason: a kind that is not read, a scan, an encrypted file.

    `outdated`: of the unchanged, those whose file reads otherwise now than when it was stored, since its reader is
    another; they stay as they are.
    """

    documents: int = 0
    unchanged: int = 0
    replaced: int = 0
    passages: int = 0
    ignored: tuple[tuple[str, str], ...] = ()
    outdated: int = 0

    def __add__(self, other: "Added") -> "Added":
        return Added(
            self.documents + other.documents,
            self.unchanged + other.unchanged,
            self.replaced + other.replaced,
            self.passages + other.passages,
            (*self.ignored, *other.ignored),
            self.outdated + other.outdated,
        )


def advance(connection: sqlite3.Connection) -> int:
    """Mark a change of the index; gives the new epoch, at random: what a reader remembers by it holds for this very
    state, also where copies of a file went on apart and one took the other's place.
    """
    epoch = secrets.randbits(62)
    with counted(connection, "setting"):
        connection.execute("INSERT OR REPLACE INTO setting VALUES ('epoch', ?)", (epoch,))  # lost, it is there again
    return epoch


def store_documents(connection: sqlite3.Connection, documents: Sequence[Document], *, replace: bool) -> Added:
    """Store `documents`, all or none. Raises `IngestError` where one is there already with other text or labels and
    `replace` is off, where two of one call clash, and where a name was erased.
    """
    require_tokenizer(connection)
    documents, known, added = prepared(connection, documents, replace=replace)
    store_prepared(connection, documents, known)
    return added


def store_prepared(
    connection: sqlite3.Connection,
    documents: Sequence[Document],
    known: Sequence[Match | None],
    *,
    texts: bool = True,
) -> None:
    """Store what `prepared` gave, in the transaction in which it was asked. Without `texts` of each version what tells of
    it alone, for a rehearsal: nothing of it can be read or found.
    """
    pairs = list(zip(documents, known, strict=True))
    for document, there in pairs:
        if there is not None and there.state == "renamed":
            _rename(connection, there.id, document.reader)
    new = [(document, there) for document, there in pairs if is_new(there)]
    if not new:
        return
    epoch = advance(connection)
    replaced = [there.id for _, there in new if there is not None]
    for identity in replaced:
        remove_document(connection, identity, epoch)
    fresh = [document for document, _ in new]
    with counted(connection, "sqlite_sequence"):
        identities = [_store(connection, document, epoch) for document in fresh]
    if not texts:
        return
    for document, identity in zip(fresh, identities, strict=True):
        _store_text(connection, document, identity)
    index_documents(connection, (_to_index(connection, *each) for each in zip(fresh, identities, strict=True)), epoch)


def is_new(there: Match | None) -> bool:
    """Is it to be stored? `prepared` says so."""
    return there is None or there.state == "changed"


def prepared(
    connection: sqlite3.Connection, documents: Sequence[Document], *, replace: bool
) -> tuple[list[Document], list[Match | None], Added]:
    """The documents as they are stored; for each the version of its name that is there, of which those that are
    `changed` are to be replaced; and what storing them does. Changes nothing. Raises as `store_documents` does.
    """
    documents = [as_admitted(document) for document in documents]
    faults = _clashes(documents)
    known = [match(connection, document) for document in documents]
    if replace:
        known = [Match(there.id, "changed") if there and _is_outdated(there) else there for there in known]
    pairs = list(zip(documents, known, strict=True))
    changed = [(document, there) for document, there in pairs if there is not None and is_new(there)]
    relabels = {document.name: fault for document, there in pairs if (fault := _relabels(connection, document, there))}
    faults += [(_place(document), relabels[document.name]) for document in documents if document.name in relabels]
    if not replace:
        faults += [
            (_place(document), "this id and version is stored already, with other text or labels: give a new version")
            for document, _ in changed
            if document.name not in relabels
        ]
    faults += [
        (
            _place(document),
            "this version was erased, and its name is not given again: give a new version, or take its file away",
        )
        for document in documents
        if _is_erased(connection, document)
    ]
    faults += [
        (_place(document), f"it is in force from {document.rules.effective_from} only: {_GAP}")
        for document, there in pairs
        if is_new(there) and document.status == Status.CURRENT and leaves_gap(connection, document)
    ]
    if faults:
        raise IngestError(faults)
    new = [document for document, there in pairs if is_new(there)]
    passages = sum(len(document.spans) for document in new)
    outdated = sum(map(_is_outdated, known))
    return documents, known, Added(len(new), len(documents) - len(new), len(changed), passages, outdated=outdated)


def _is_outdated(there: Match | None) -> bool:
    return there is not None and there.state == "outdated"


_GAP = "until then no version would be in force; store it as a draft, and publish it on that day"


def leaves_gap(connection: sqlite3.Connection, document: Document) -> bool:
    """Would it, as current, supersede or replace a version that is in force now, and be in force itself later only?"""
    now = today().isoformat()
    if document.rules.effective_from <= now:
        return False
    current = read_current(connection, *document.name[:2])
    replaced = current is not None and current.listing.version == document.version
    return current is not None and not (replaced and current.listing.rules.effective_from > now)


def _is_erased(connection: sqlite3.Connection, document: Document) -> bool:
    row = connection.execute(
        "SELECT 1 FROM tombstone WHERE tenant = ? AND name = ? AND version = ?", document.name
    ).fetchone()
    return row is not None


def _relabels(connection: sqlite3.Connection, document: Document, there: Match | None) -> str | None:
    """Why it may not replace or supersede a version of another audience, which would learn of one it may not read."""
    current = read_current(connection, *document.name[:2]) if document.status == Status.CURRENT else None
    if current is not None and current.access != document.access:
        return f"version {current.listing.version} of it is in force for other groups: withdraw that one first"
    stored = read_version(connection, *document.name) if there is not None else None
    if stored is not None and stored.access != document.access:
        return "this version of it is stored for other groups: give a new version"
    return None


def set_status(connection: sqlite3.Connection, identity: int, status: Status, epoch: int) -> None:
    """Give the version `identity` another status; one that becomes current supersedes the one that was.

    Raises `CorpusError` where that would tell readers of one what they may not know of the other, or leave a gap.
    """
    tenant, name, before, audience, begins = connection.execute(
        "SELECT tenant, name, status, audience, effective_from FROM document WHERE id = ?", (identity,)
    ).fetchone()
    if before == status:
        return
    if status == Status.CURRENT:
        if begins > today().isoformat() and read_current(connection, tenant, name) is not None:
            raise CorpusError(f"this version is in force from {begins} only: until then no version would be in force")
        other = connection.execute(
            "SELECT 1 FROM document WHERE tenant = ? AND name = ? AND status = 'current' AND audience <> ?",
            (tenant, name, audience),
        ).fetchone()
        if other is not None:
            raise CorpusError("the current version has other groups: withdraw it first")
        _supersede(connection, tenant, name, epoch)
    connection.execute("UPDATE document SET status = ? WHERE id = ?", (status, identity))
    leave(connection, "document", identity, str(before))
    enter(connection, "document", identity, str(status))
    if Status.CURRENT in (before, status):
        _count(connection, identity, epoch, 1 if status == Status.CURRENT else -1)


def remove_document(connection: sqlite3.Connection, identity: int, epoch: int) -> None:
    """Remove a version with its text. Its postings, which nothing leads to any more, go with the next merge."""
    (status,) = connection.execute("SELECT status FROM document WHERE id = ?", (identity,)).fetchone()
    if status == Status.CURRENT:
        _count(connection, identity, epoch, -1)
    connection.execute("DELETE FROM block WHERE id BETWEEN ? AND ?", block_range(identity))
    with counted(connection, "source", "document = ?", (identity,)):  # they go with it
        connection.execute("DELETE FROM document WHERE id = ?", (identity,))
    leave(connection, "document", identity, str(status))


def block_range(identity: int) -> tuple[int, int]:
    """First and last id that the blocks of a document can have."""
    return identity * MAX_BLOCKS, (identity + 1) * MAX_BLOCKS - 1


def orphan_ranges(connection: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """First and last id of each range in which no version's blocks stand."""
    start = -(1 << 63)
    for (identity,) in connection.execute("SELECT id FROM document ORDER BY id").fetchall():
        first, last = block_range(identity)
        if start < first:
            yield start, first - 1
        start = last + 1
    yield start, (1 << 63) - 1


def audience_of(connection: sqlite3.Connection, access: Access) -> int:
    """The id of the audience with these labels, made where it is new."""
    labels = (access.tenant or "", labels_of(access.groups))
    row = connection.execute("SELECT id FROM audience WHERE tenant = ? AND groups = ?", labels).fetchone()
    if row is None:
        row = connection.execute("INSERT INTO audience (tenant, groups) VALUES (?, ?) RETURNING id", labels).fetchone()
        enter(connection, "audience", row[0], *labels)
    return int(row[0])


def _clashes(documents: Iterable[Document]) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = []
    names: set[tuple[str, str, str]] = set()
    current: set[tuple[str, str]] = set()
    for document in documents:
        if document.name in names:
            faults.append((_place(document), "two documents have this tenant, id and version"))
        elif document.status == Status.CURRENT and document.name[:2] in current:
            faults.append((_place(document), "two versions of this document are current: mark the older superseded"))
        names.add(document.name)
        if document.status == Status.CURRENT:
            current.add(document.name[:2])
    return faults


def _place(document: Document) -> str:
    tenant, name, version = document.name
    return f"{tenant}:{name}@{version}" if tenant else f"{name}@{version}"


def _store(connection: sqlite3.Connection, document: Document, epoch: int) -> int:
    """Write what tells of a version; gives its id."""
    text = document.text
    if document.status == Status.CURRENT:
        _supersede(connection, *document.name[:2], epoch)
    identity = connection.execute(
        "INSERT INTO document (tenant, name, version, status, audience, title, lang, collection, passages, characters,"
        " text_sha256, file_sha256, record_sha256, reader, coverage, admission, purposes, local_only, effective_from,"
        " effective_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, x'', ?, ?, ?, ?, ?, ?, ?)",
        (
            *document.name,
            document.status,
            audience_of(connection, document.access),
            document.title,
            document.lang,
            document.collection,
            len(document.spans),
            len(text),
            digest_of(text),
            file_digest(document),
            document.reader,
            document.coverage,
            *stored_rules(document.rules),
        ),
    ).lastrowid
    assert identity is not None
    enter(connection, "document", identity, str(document.status))
    return identity


def _store_text(connection: sqlite3.Connection, document: Document, identity: int) -> None:
    """Write the text of a version and its passages."""
    text = document.text
    first, _ = block_range(identity)
    pieces = (text[start : start + BLOCK] for start in range(0, len(text), BLOCK))
    connection.executemany("INSERT INTO block VALUES (?, ?)", enumerate(pieces, first))
    connection.executemany(
        "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(identity, *row) for row in passage_rows(document)],
    )
    connection.executemany(
        "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", [(identity, *row) for row in page_rows(document)]
    )
    _seal(connection, identity)


def _rename(connection: sqlite3.Connection, identity: int, reader: str) -> None:
    """Note that another reader gives what is stored, all of it. A record that does not have its digest is left as it is:
    a check is to find it.
    """
    (record,) = connection.execute("SELECT record_sha256 FROM document WHERE id = ?", (identity,)).fetchone()
    if record_digest(connection, identity) == record:
        connection.execute("UPDATE document SET reader = ? WHERE id = ?", (reader, identity))
        _seal(connection, identity)


def _seal(connection: sqlite3.Connection, identity: int) -> None:
    record = record_digest(connection, identity)
    connection.execute("UPDATE document SET record_sha256 = ? WHERE id = ?", (record, identity))


def _to_index(connection: sqlite3.Connection, document: Document, identity: int) -> Indexed:
    return Indexed(
        identity=identity,
        name=document.name,
        groups=labels_of(document.access.groups),
        audience=audience_of(connection, document.access),
        live=document.status == Status.CURRENT,
        title=document.title,
        passages=[
            (context_of(seen, span.location, span.turns), seen)
            for span in document.spans
            for seen in (seen_of(document.text[span.start : span.end], span.hidden),)
        ],
    )


def _supersede(connection: sqlite3.Connection, tenant: str, name: str, epoch: int) -> None:
    """Supersede the current version of a document, if there is one."""
    row = connection.execute(
        "SELECT id FROM document WHERE tenant = ? AND name = ? AND status = 'current'", (tenant, name)
    ).fetchone()
    if row is not None:
        set_status(connection, row[0], Status.SUPERSEDED, epoch)


def _count(connection: sqlite3.Connection, identity: int, epoch: int, sign: int) -> None:
    """Add the passages of a version to what is live, or take them away."""
    placed = connection.execute(
        "SELECT segment, run, slots, tokens FROM placement WHERE document = ?", (identity,)
    ).fetchall()
    for segment, run, slots, length in placed:
        connection.execute(
            "UPDATE run SET live = live + ?, live_tokens = live_tokens + ? WHERE segment = ? AND number = ?",
            (sign * slots, sign * length, segment, run),
        )
        with counted(connection, "segment", "id = ?", (segment,)):
            connection.execute("UPDATE segment SET changed = ? WHERE id = ?", (epoch, segment))
