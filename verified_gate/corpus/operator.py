"""The operator's verbs: status of versions, removal, state of the whole. Another role than a reader's: none takes an
actor, and nothing of it is to be reached by one.
"""

from dataclasses import dataclass

from verified_gate.corpus.checking import CorpusStatus, read_status
from verified_gate.corpus.connection import Database
from verified_gate.corpus.document import Listing
from verified_gate.corpus.indexing import rebuild_index
from verified_gate.corpus.key import format_key
from verified_gate.corpus.merging import due, is_untidy, merge
from verified_gate.corpus.reading import Stored, read_all, read_version
from verified_gate.corpus.writing import advance, remove_document, set_status
from verified_gate.ingest.document import Status
from verified_gate.model.errors import CorpusError


@dataclass(frozen=True, slots=True)
class Operator:
    """The verbs of who runs the corpus."""

    _database: Database

    def documents(self) -> list[Listing]:
        """Every version, ordered by tenant, id and version."""
        with self._database.reading() as connection:
            return [stored.listing for stored in read_all(connection)]

    def status(self, *, check: bool = False) -> CorpusStatus:
        """The state of the corpus; with `check` every text, passage and posting is hashed again, in one snapshot."""
        with self._database.reading() as connection:
            return read_status(connection, check=check)

    def set_status(self, document_id: str, version: str, status: str, *, tenant: str | None = None) -> None:
        """Give a version another status; one that becomes current supersedes the one that was.

        Raises `CorpusError` where there is no such version.
        """
        with self._database.writing() as connection:
            stored = _required(read_version(connection, tenant or "", document_id, version), document_id, version)
            set_status(connection, stored.id, Status(status), advance(connection))

    def remove(self, document_id: str, version: str, *, tenant: str | None = None) -> None:
        """Remove a version with its text and passages. Raises `CorpusError` where there is no such version."""
        with self._database.writing() as connection:
            stored = _required(read_version(connection, tenant or "", document_id, version), document_id, version)
            remove_document(connection, stored.id, advance(connection))

    def optimize(self) -> bool:
        """Lay the index out anew where that makes it smaller or faster (as few segments as hold it, ordered by
        audience, without what was removed), and give the space that is free back to the disk, which takes as much
        free disk as the file. True where the layout changed. Writers wait meanwhile; readers do not.
        """
        with self._database.writing() as connection:
            untidy = is_untidy(connection)
            if untidy:
                segments = [identity for (identity,) in connection.execute("SELECT id FROM segment ORDER BY id")]
                merge(connection, segments, advance(connection))
        self._database.compact()
        return untidy

    def rebuild(self) -> None:
        """Build the index anew from the stored texts, with this package's tokenizer, in one transaction."""
        with self._database.writing() as connection:
            rebuild_index(connection, advance(connection))
        self._database.truncate_log()


def merge_what_is_due(database: Database) -> None:
    """After a write: merge small segments, tier by tier."""
    with database.writing() as connection:
        while segments := due(connection):
            merge(connection, segments, advance(connection))


def _required(stored: Stored | None, document_id: str, version: str) -> Stored:
    if stored is None:
        raise CorpusError(f"no version {format_key('', document_id, version, 0).partition('#')[0]} is stored")
    return stored
