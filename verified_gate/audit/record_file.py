"""The file of a record log: SQLite in WAL mode, every commit flushed to the disk, what is deleted overwritten.

Tables: `entry` (the chain: one row a record or erasure, never changed), `part` (what an entry commits to; the payload
of a record can be deleted without changing the entry), `erased` (hashes of the names of versions that were, as the entries of
erasures give them, for writers to look up), `setting`. A file whose tables are not exactly these is left alone: nothing that
somebody else defined in it runs.

A commit counts only where the file is still the one that was opened, under its name: what is written into a file that
was removed or replaced meanwhile is on no disk for long.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from verified_gate.corpus.connection import Database, Handle
from verified_gate.model.errors import CorpusError, RecordError

APPLICATION_ID: Final = 0x56475231
SCHEMA_VERSION: Final = 1
SETTLE_SECONDS: Final = 10.0
"""How long an erasure waits for readers of older snapshots."""

_STATEMENTS: Final = (
    """CREATE TABLE entry (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    previous BLOB NOT NULL,
    summary BLOB NOT NULL,
    payload BLOB NOT NULL,
    digest BLOB NOT NULL,
    mac BLOB
) STRICT""",
    """CREATE TABLE part (
    sequence INTEGER NOT NULL,
    name TEXT NOT NULL,
    salt BLOB NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (sequence, name)
) STRICT, WITHOUT ROWID""",
    "CREATE TABLE erased (name BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
    "CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
)

_FAULTS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; nothing of this record was kept",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written to",
    sqlite3.SQLITE_BUSY: "another writer held the record log for too long; try again",
    sqlite3.SQLITE_NOTADB: "this is not a record log; it was left as it is",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore it from a copy",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; look at its permissions and those of its folder",
    sqlite3.SQLITE_IOERR: "reading or writing the file failed; look at the disk",
    sqlite3.SQLITE_NOMEM: "out of memory",
}


class RecordFile(Database):
    """Connections and transactions as a corpus has them, over the tables of a record log. Raises `RecordError`."""

    _opened: tuple[int, int] | None = None
    """Device and number of the file that was opened first."""

    def _prepare(self, path: Path, *, create: bool, tokenizer: int) -> None:
        """Look before anything is written: a file that is not ours is left as it is."""
        del tokenizer
        if path.is_dir():
            raise RecordError(f"{path} is a folder; name a file")
        if path.exists() and not path.is_file():
            raise RecordError(f"{path} is a pipe or a device; name a file")
        new = not path.exists() or path.stat().st_size == 0
        if new and (self.read_only or not create):
            raise RecordError(f"{path} does not exist or is empty; there is no record log to open")
        if new and not path.parent.is_dir():
            raise RecordError(f"the folder {path.parent} does not exist")
        with self._translated():
            if new:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # who asked what is for its operator alone
            connection = self._handle().connection
            if not self._is_ours(connection):
                connection.execute("PRAGMA journal_mode = WAL")
                with self.writing() as writer:
                    if not self._is_ours(writer):
                        _create(writer)
            elif not self.read_only:
                connection.execute("PRAGMA journal_mode = WAL")

    def _connected(self) -> Handle:
        place = self._place("")
        handle = super()._connected()
        connection = handle.connection
        try:
            if place is None or place != self._place("") or self._opened not in (None, place):
                raise RecordError(self._moved())  # noqa: TRY301
            self._opened = place
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            if not self.read_only:
                connection.execute("PRAGMA secure_delete = ON")
        except BaseException:
            handle.close()
            raise
        return handle

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        """True: a log of the schema we know. False: an empty database. Anything else raises."""
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        made = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
        if application == APPLICATION_ID:
            if version > SCHEMA_VERSION:
                raise RecordError(f"{self.name} was written by a newer verified-gate: open it with that one")
            if made != set(_STATEMENTS):
                raise RecordError(f"{self.name} does not have the tables of a record log; it was left as it is")
            return True
        if application == 0 and version == 0 and not made:
            return False
        raise RecordError(f"{self.name} is a database of another program; it was left as it is")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as fault:
            code = getattr(fault, "sqlite_errorcode", None)
            told = _FAULTS.get(code & 0xFF) if isinstance(code, int) else None
            raise RecordError(f"{self.name}: {told or type(fault).__name__}") from fault
        except TimeoutError as fault:  # another thread's turn
            raise RecordError(f"{self.name}: {_FAULTS[sqlite3.SQLITE_BUSY]}") from fault
        except UnicodeDecodeError as fault:  # from sqlite3 itself, where the bytes of the file are damaged
            raise RecordError(f"{self.name}: {_FAULTS[sqlite3.SQLITE_CORRUPT]}") from fault
        except CorpusError as fault:  # closed, or opened read-only
            raise RecordError(str(fault)) from fault

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: committed as a whole where the block ends, rolled back where it raises, or where the file
        is not in its place any more.
        """
        if self.read_only:
            raise RecordError(f"{self.name} was opened to read")
        with super().writing() as connection:
            ahead = self._log_ahead()
            yield connection
            self._require_in_place(ahead)
        self._require_in_place(ahead)

    def _is_damaged(self) -> bool:
        return False  # its rows are checked where they are read

    def _log_ahead(self) -> tuple[int, int] | None:
        """The write-ahead log that this thread's connection writes to: the one that was there when it first wrote."""
        handle = self._handle()
        known, ahead = getattr(self._local, "ahead", (None, None))
        if known is not handle:
            ahead = self._place("-wal")
            self._local.ahead = (handle, ahead)
        return ahead

    def _require_in_place(self, ahead: tuple[int, int] | None) -> None:
        if self._place("") != self._opened or ahead is None or self._place("-wal") != ahead:
            raise RecordError(self._moved())

    def _place(self, suffix: str) -> tuple[int, int] | None:
        try:
            found = Path(f"{self.path}{suffix}").stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _moved(self) -> str:
        return f"{self.name} was removed or replaced since it was opened: open the record log again"

    def settle(self) -> None:
        """Write the file anew without what was deleted, and empty its log: no deleted byte is left in either.

        Raises `RecordError` where a reader still holds the old state: nothing is lost then, and it can be tried again.
        """
        if not self.compact(SETTLE_SECONDS):
            raise RecordError(f"{self.name}: another process reads, and its log still holds what was erased: try again")


def _create(connection: sqlite3.Connection) -> None:
    for statement in _STATEMENTS:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
