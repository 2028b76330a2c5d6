"""The operator's verbs: status of versions, removal, state of the whole. Another role than a reader's: none takes an
actor, and nothing of it is to be reached by one.
"""

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from verified_gate.corpus.beside import beside
from verified_gate.corpus.catalogue import Entry, read_catalogue
from verified_gate.corpus.checking import CorpusStatus, Fault, read_status
from verified_gate.corpus.connection import Database
from verified_gate.corpus.document import Listing, digest_of
from verified_gate.corpus.erasing import WAIT_SECONDS, Erasure, bury, bury_leftovers, finish
from verified_gate.corpus.key import format_key
from verified_gate.corpus.limits import private_collections
from verified_gate.corpus.merging import is_untidy
from verified_gate.corpus.protocol import Payloads
from verified_gate.corpus.reading import Stored, erased_versions, read_all, read_version, unfinished_erasures
from verified_gate.corpus.rewriting import rebuild, replace_segments, rewriting
from verified_gate.corpus.tally import counted, enter, leave
from verified_gate.corpus.writing import advance, remove_document, set_status
from verified_gate.ingest.document import Status
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

if TYPE_CHECKING:
    from verified_gate.corpus.sources import Sources

QUICK_SECONDS: Final = 2.0
"""How long who asks for the state of a file waits for others who hold it."""
_MUCH_FREE: Final = 0.1
"""Of the file, so much free space is given back."""


@dataclass(frozen=True, slots=True)
class Operator:
    """The verbs of who runs the corpus."""

    _database: Database

    @property
    def sources(self) -> "Sources":
        """The files that the corpus was read from."""
        from verified_gate.corpus.sources import Sources

        return Sources(self._database)

    def documents(self) -> list[Listing]:
        """Every version, ordered by tenant, id and version."""
        with self._database.reading() as connection:
            return [stored.listing for stored in read_all(connection)]

    def owners(self, document_id: str, version: str | None = None) -> list[str | None]:
        """The tenants that have a document of this id, with this version where one is given; None is the public."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT tenant FROM document WHERE name = ?1 AND (?2 IS NULL OR version = ?2) ORDER BY tenant",
                (document_id, version),
            )
            return [tenant or None for (tenant,) in rows]

    def catalogue(self) -> list[Entry]:
        """Every version in the order of `documents`, with its groups, its pages and the file it was read from."""
        with self._database.reading() as connection:
            return read_catalogue(connection)

    def status(self, *, check: bool = False) -> CorpusStatus:
        """The state of the corpus; with `check` every text, passage and posting is hashed again, in one snapshot.

        `unavailable` where it cannot be read now: that says nothing of what it holds.
        """
        try:
            postings = beside(self._database) if check else None
            try:
                with self._database.reading() as connection:
                    return read_status(connection, check=check, elsewhere=postings)
            finally:
                if postings is not None:
                    postings.stop()
        except CorpusError as fault:
            return _unavailable(fault)

    def set_status(self, document_id: str, version: str, status: str, *, tenant: str | None = None) -> None:
        """Give a version another status; one that becomes current supersedes the one that was. A version that is
        `withdrawn` or `revoked` stops being disclosed with the commit of this call; nothing of it is deleted.

        Raises `CorpusError` where there is no such version.
        """
        wanted = Status(status)
        with self._database.writing() as connection:
            stored = _required(connection, tenant, document_id, version)
            with counted(connection, "source", "document = ?", (stored.id,)):
                connection.execute(
                    "UPDATE source SET pruned = '' WHERE document = ?", (stored.id,)
                )  # no file undoes it
            set_status(connection, stored.id, wanted, advance(connection))

    def publish(self, document_id: str, version: str, *, tenant: str | None = None) -> None:
        """Make a draft current, in one transaction; the version that was current becomes superseded.

        Raises `CorpusError` where there is no such version, and where it is no draft.
        """
        with self._database.writing() as connection:
            stored = _required(connection, tenant, document_id, version)
            if stored.status != Status.DRAFT:
                raise CorpusError(
                    f"{_named(tenant, document_id, version)} is {stored.status}: only a draft is published"
                )
            set_status(connection, stored.id, Status.CURRENT, advance(connection))

    def set_private(self, collection: str, *, private: bool = True) -> None:
        """Make a collection private: it is searched, listed and released only where a request names it; or open again.

        It need not hold a document yet. Who may read it is another matter: see `tenant` and `groups`.
        """
        if not collection or not collection.isprintable():
            raise ValueError("a collection is named by printable characters")
        with self._database.writing() as connection:
            if private == (collection in private_collections(connection)):
                return
            if private:
                connection.execute("INSERT INTO private_collection VALUES (?, ?)", (collection, digest_of(collection)))
                enter(connection, "private_collection", collection)
            else:
                connection.execute("DELETE FROM private_collection WHERE name = ?", (collection,))
                leave(connection, "private_collection", collection)
            advance(connection)

    def has_collection(self, collection: str) -> bool:
        """Is a version of a document in this collection?"""
        with self._database.reading() as connection:
            row = connection.execute("SELECT 1 FROM document WHERE collection = ? LIMIT 1", (collection,)).fetchone()
            return row is not None

    def private_collections(self) -> frozenset[str]:
        """Names of the private collections."""
        with self._database.reading() as connection:
            return private_collections(connection)

    def erase(
        self,
        document_id: str,
        version: str | None,
        *,
        tenant: str | None = None,
        records: Payloads | None = None,
        seconds: float = WAIT_SECONDS,
    ) -> Erasure:
        """Erase a version, or with None all versions of a document, from the file and from the payloads of `records`.

        No reader meets it once this call has committed; citations of it are `unavailable` for ever, and its name is not
        given again. Needs as much free disk as the file has. It is waited at most `seconds` for readers of older
        snapshots. Raises `CorpusError` where there is no such version. See `Erasure` for one that is not finished.
        """
        with self._database.writing() as connection:
            names = bury(connection, tenant or "", document_id, version, recorded=records is not None)
            if not names:
                raise CorpusError(_not_stored(connection, tenant, document_id, version))
        return finish(self._database, names, records, seconds)

    def finish_erasures(self, *, records: Payloads | None = None, seconds: float = WAIT_SECONDS) -> Erasure:
        """Finish what erasures could not, and take out what still stands of versions that were replaced or removed; nothing
        where there is nothing to finish. An erasure for which a record log was named is finished where `records` is one.
        """
        with self._database.writing() as connection:
            names = unfinished_erasures(connection)
            freed = bury_leftovers(connection)
        return finish(self._database, names, records, seconds, freed=freed)

    def remove(self, document_id: str, version: str, *, tenant: str | None = None) -> None:
        """Remove a version with its text and passages. No reader meets it any more, and its name may be given again; its
        words still stand in the index until a merge, `optimize` or an erasure, and its bytes in free space. A version
        whose bytes must go is erased, not removed; after a removal, `finish_erasures` and the erasure of any other
        version take its words out of the index. An older version may be in force again on its days.

        Raises `CorpusError` where there is no such version.
        """
        with self._database.writing() as connection:
            stored = _required(connection, tenant, document_id, version)
            remove_document(connection, stored.id, advance(connection))

    def optimize(self) -> bool:
        """Lay the index out anew where that makes it smaller or faster (as few segments as hold it, ordered by
        audience, without what was removed), and give the space that is free back to the disk where it is much, which
        takes as much free disk as the file. True where the layout changed. Readers go on meanwhile, and writers too but
        for the giving back.
        """
        with rewriting(self._database, steal=True) as rewrite:
            assert rewrite is not None
            with self._database.reading() as connection:
                untidy = is_untidy(connection)
                segments = [identity for (identity,) in connection.execute("SELECT id FROM segment ORDER BY id")]
            if untidy:
                untidy = replace_segments(self._database, rewrite, segments)
        if self._database.free_share() >= _MUCH_FREE:
            self._database.compact()
        else:
            self._database.truncate_log()
        return untidy

    def rebuild(self) -> None:
        """Build the index anew from the stored texts, with this package's tokenizer. Readers and writers go on
        meanwhile as far as they can, and meet the index of before or the new one.
        """
        with rewriting(self._database, steal=True) as rewrite:
            assert rewrite is not None
            rebuild(self._database, rewrite)
        self._database.truncate_log()


def status_of(path: str | os.PathLike[str], *, check: bool = False) -> CorpusStatus:
    """The state of the corpus in a file, whatever the file is; others who hold it are waited for `QUICK_SECONDS` at most.

    `unavailable` where it is missing, no corpus, damaged so that it does not open, or held by others.
    """
    try:
        seconds = QUICK_SECONDS
        database = Database(Path(path), read_only=True, create=False, tokenizer=TOKENIZER_VERSION, seconds=seconds)
    except CorpusError as fault:
        return _unavailable(fault)
    try:
        return Operator(database).status(check=check)
    finally:
        database.close()


def _unavailable(fault: CorpusError) -> CorpusStatus:
    return CorpusStatus("unavailable", {}, 0, 0, 0, faults=(Fault("file", str(fault)),))


def _required(connection: sqlite3.Connection, tenant: str | None, document_id: str, version: str) -> Stored:
    stored = read_version(connection, tenant or "", document_id, version)
    if stored is None:
        raise CorpusError(_not_stored(connection, tenant, document_id, version))
    return stored


def _not_stored(connection: sqlite3.Connection, tenant: str | None, document_id: str, version: str | None) -> str:
    name = _named(tenant, document_id, version or "1")
    gone = [each for each in erased_versions(connection) if name in (each, f"{each.rpartition('@')[0]}@1")]
    if version is not None:
        return f"{name} was erased" if name in gone else f"no version {name} is stored"
    document = name.rpartition("@")[0]
    return f"every version of {document} was erased" if gone else f"no document {document} is stored"


def _named(tenant: str | None, document_id: str, version: str) -> str:
    return format_key(tenant or "", document_id, version, 0).rpartition("#")[0]
