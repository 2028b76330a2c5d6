"""Connections and transactions: one connection for each thread and process, short reads, one writer at a time.

A file is in WAL mode: readers see the whole snapshot that was committed when their transaction opened, and never
wait. `:memory:` is one connection behind a lock. Who may only read the file, in a folder where it could make files,
makes none beside it: a log of the reader's would lock the writer out. While there is no log it reads the file as one
that does not change, looks before and after each transaction whether it did, and opens it anew. A child made by fork opens connections of its own and leaves those
it inherited alone, since closing them could touch the parent's locks.
"""

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from verified_gate.corpus.faults import BUSY_SECONDS, EXPLANATIONS, STRANGE, cannot_make_files, explain, refuse_left_log
from verified_gate.corpus.migration import migrate
from verified_gate.corpus.schema import APPLICATION_ID, OLDEST_SQLITE, PAGE_SIZE, SCHEMA_VERSION, create_schema
from verified_gate.corpus.turns import Turns
from verified_gate.model.errors import CorpusError, VerifiedGateError

FORK_SECONDS: Final = 5.0
CACHE_KIB: Final = 16_384
_WAL_BYTES: Final = 64_000_000
_STATEMENTS: Final = 256

_inherited: list[sqlite3.Connection] = []
_lifecycle = threading.RLock()
"""Held while a connection is opened or closed: SQLite takes locks of the whole process then, which no fork may copy."""


_State = tuple[bool, int, int, int]


class Handle:
    """One connection, the process that opened it, and a lock held while a transaction is open: nobody closes it, and no
    fork copies it, in the middle of one. Closed when its thread ends.
    """

    def __init__(self, connection: sqlite3.Connection, still: _State | None = None) -> None:
        self.connection = connection
        self.still = still
        """Of a file that is read as one that does not change: what it was when it was opened."""
        self.process = os.getpid()
        self.lock = threading.RLock()

    def close(self) -> None:
        if self.process == os.getpid():
            with _lifecycle:
                self.connection.close()
        else:
            _inherited.append(self.connection)

    __del__ = close


class Database:
    """The file of a corpus, or a corpus in memory (`path` None)."""

    def __init__(
        self,
        path: Path | None,
        *,
        read_only: bool = False,
        create: bool = True,
        tokenizer: int = 0,
        seconds: float | None = None,
    ) -> None:
        """Others who hold the file are waited for `seconds` at most, `BUSY_SECONDS` by default."""
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            wanted = ".".join(map(str, OLDEST_SQLITE))
            raise CorpusError(f"SQLite {sqlite3.sqlite_version} is too old; this package needs {wanted} or newer")
        self.path = None if path is None else _real(path)
        """The file itself: the log stands beside it, and not beside a link to it."""
        self._called = str(path)
        self.read_only = read_only
        self._seconds = BUSY_SECONDS if seconds is None else seconds
        self._local = threading.local()
        self._handles: weakref.WeakSet[Handle] = weakref.WeakSet()
        self._lock = threading.RLock()
        self._turns = Turns(BUSY_SECONDS)
        self._closed = False
        self._ending = False
        self._last_writer: threading.Thread | None = None
        self._shared: Handle | None = None
        if path is None:
            with _lifecycle:
                self._shared = Handle(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
                self._shared.connection.execute("PRAGMA foreign_keys = ON")
                create_schema(self._shared.connection, tokenizer)
        _open.add(self)
        if path is not None:
            self._prepare(path, create=create, tokenizer=tokenizer)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "the corpus in memory" if self.path is None else self._called

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A read transaction: one snapshot, opened by its first statement, closed on the way out."""
        with self._translated(), self.damage_told(), self._held() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")
            if self._has_changed(self._handle_here()):
                raise CorpusError(f"{self.name} was written to while it was read; try again")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: committed as a whole where the block ends, rolled back where it raises."""
        if self.read_only:
            raise CorpusError(f"{self.name} was opened read-only")
        with self._translated(), self.damage_told(), self._turns, self._held() as connection:
            self._refuse_late()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def truncate_log(self, seconds: float = BUSY_SECONDS) -> bool:
        """Move the write-ahead log into the file and empty it; False where a reader or a writer stood in the way for
        `seconds`.
        """
        if self.path is None or self.read_only:
            return True
        with self._translated(), self._held() as connection:
            connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
            try:
                ((busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                connection.execute(f"PRAGMA busy_timeout = {round(BUSY_SECONDS * 1000)}")
        return not busy

    def free_share(self) -> float:
        """How much of the file is free space, from 0 to 1."""
        with self.reading() as connection:
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
        return float(free / max(1, pages))

    def compact(self, seconds: float = BUSY_SECONDS) -> bool:
        """Write the file anew without free space, and empty the log; False where the log could not be emptied."""
        if self.read_only:
            raise CorpusError(f"{self.name} was opened read-only")
        with self._translated(), self._turns, self._held() as connection:
            self._refuse_late()
            connection.execute("VACUUM")
        return self.truncate_log(seconds)

    def end_writing(self, but: threading.Thread | None) -> None:
        """From now on nobody writes but this thread: closing waits for none who would write on and on."""
        self._last_writer, self._ending = but, True

    def _refuse_late(self) -> None:
        if self._ending and threading.current_thread() is not self._last_writer:
            raise CorpusError(f"{self.name} is closed")

    def close(self) -> None:
        """Close every connection of this process, each where its transaction ends. Closing twice is harmless."""
        self._closed = True
        with self._lock:
            handles = self._all_handles()
            self._handles.clear()
        for handle in handles:
            with handle.lock:
                handle.close()

    def before_fork(self) -> list[threading.RLock]:
        """Wait for open transactions of other threads, so that no fork copies one; the locks that are held now."""
        locks = [self._lock, *(handle.lock for handle in self._all_handles())]
        return [lock for lock in locks if lock.acquire(timeout=FORK_SECONDS)]

    def in_child(self) -> None:
        """In a child: forget who held the locks in the parent."""
        self._lock = threading.RLock()
        self._turns = Turns(BUSY_SECONDS)
        for handle in self._all_handles():
            handle.lock = threading.RLock()

    def _all_handles(self) -> list[Handle]:
        return [*self._handles, *([self._shared] if self._shared is not None else [])]

    @contextmanager
    def _held(self) -> Iterator[sqlite3.Connection]:
        handle = self._handle()
        with handle.lock:
            if self._closed:
                raise CorpusError(f"{self.name} is closed")
            yield handle.connection

    def _handle(self) -> Handle:
        if self._closed:
            raise CorpusError(f"{self.name} is closed")
        if self._shared is not None:
            return self._shared
        handle = self._handle_here()
        if handle is None or handle.process != os.getpid() or self._has_changed(handle):
            handle = self._connect()
            self._local.handle = handle
            with self._lock:
                self._handles.add(handle)
        return handle

    def _handle_here(self) -> Handle | None:
        handle: Handle | None = getattr(self._local, "handle", None)
        return handle

    def _state(self) -> _State | None:
        """Whether there is a log, and which file it is, as long and as new as it is; None where there is none."""
        assert self.path is not None
        try:
            found = self.path.stat()
        except OSError:
            return None
        return Path(f"{self.path}-wal").exists(), found.st_ino, found.st_size, found.st_mtime_ns

    def _has_changed(self, handle: Handle | None) -> bool:
        return handle is not None and handle.still is not None and handle.still != self._state()

    def _connect(self) -> Handle:
        with _lifecycle:
            return self._connected()

    def _connected(self) -> Handle:
        assert self.path is not None
        if not self.read_only:
            return Handle(self._configured("mode=rw"))
        reads_only = _may_write(self.path.parent) and not _may_write(self.path)
        if reads_only:
            refuse_left_log(self.path)
        state = self._state()
        if reads_only and state is not None and not state[0]:
            return Handle(self._configured("mode=ro&immutable=1"), state)
        try:
            return Handle(self._configured("mode=ro"))
        except sqlite3.OperationalError as fault:
            log = Path(f"{self.path}-wal")
            if not cannot_make_files(fault) or (log.exists() and log.stat().st_size):
                raise
        # Where nobody can write beside the file, or there is no room to, and there is no log, nobody changes it either.
        return Handle(self._configured("mode=ro&immutable=1"), state)

    def _configured(self, options: str) -> sqlite3.Connection:
        assert self.path is not None
        connection = sqlite3.connect(
            f"{self.path.as_uri()}?{options}",
            uri=True,
            timeout=self._seconds,
            isolation_level=None,
            check_same_thread=False,  # `close` ends the connections of other threads
            cached_statements=_STATEMENTS,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, path: Path, *, create: bool, tokenizer: int) -> None:
        """Look before anything is written: a file that is not ours is left as it is."""
        if path.is_dir():
            raise CorpusError(f"{path} is a folder; name a file")
        new = not path.exists() or path.stat().st_size == 0
        if new and (self.read_only or not create):
            raise CorpusError(
                f"{path}: {'is empty' if path.exists() else 'there is no such file'}; `verified-gate ingest` makes a corpus"
            )
        if new and not path.parent.is_dir():
            raise CorpusError(f"the folder {path.parent} does not exist")
        with self._translated():
            if new:
                _make(path)
            connection = self._handle().connection
            if new:
                connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            if not self._is_ours(connection):
                connection.execute("PRAGMA journal_mode = WAL")
                with self.writing() as writer:
                    if not self._is_ours(writer):
                        create_schema(writer, tokenizer)
            elif not self.read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
                    with self.writing() as writer:
                        migrate(writer)
            elif connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
                raise CorpusError(
                    f"{self.name} has an older schema: open it for writing once, as `verified-gate optimize` does, which "
                    "brings it up to date"
                )

    def _is_ours(self, connection: sqlite3.Connection) -> bool:
        """True: a corpus of a schema we know. False: an empty database. Anything else raises."""
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application == APPLICATION_ID:
            if version > SCHEMA_VERSION:
                raise CorpusError(
                    f"{self.name} has schema {version}, and this package knows {SCHEMA_VERSION}: "
                    "open it with a newer verified-gate"
                )
            return True
        if application == 0 and version == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            return False
        raise CorpusError(f"{self.name} is a database of another program; it was left as it is")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as fault:
            raise CorpusError(f"{self.name}: {explain(fault)}") from fault
        except TimeoutError as fault:
            raise CorpusError(f"{self.name}: {EXPLANATIONS[sqlite3.SQLITE_BUSY]}") from fault
        except UnicodeDecodeError as fault:  # from sqlite3 itself, where the bytes of the file are damaged
            raise CorpusError(f"{self.name}: {EXPLANATIONS[sqlite3.SQLITE_CORRUPT]}") from fault

    @contextmanager
    def damage_told(self) -> Iterator[None]:
        """What goes wrong for a row that changed behind our back is told as that, whatever went wrong by it."""
        try:
            yield
        except VerifiedGateError:
            raise
        except STRANGE as fault:
            if self._is_damaged():
                raise CorpusError(f"{self.name}: {EXPLANATIONS[sqlite3.SQLITE_CORRUPT]}") from fault
            raise

    def _is_damaged(self) -> bool:
        from verified_gate.corpus.checking import is_damaged

        with self._held() as connection:
            connection.execute("BEGIN")
            try:
                return is_damaged(connection)
            finally:
                connection.execute("ROLLBACK")


def _real(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path, strict=True))
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as fault:
        raise CorpusError(f"{str(path)!r}: {EXPLANATIONS[sqlite3.SQLITE_CANTOPEN]}") from fault


def _make(path: Path) -> None:
    try:
        path.touch()
    except OSError as fault:
        raise CorpusError(f"{path}: {EXPLANATIONS[sqlite3.SQLITE_CANTOPEN]}") from fault


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


_open: weakref.WeakSet[Database] = weakref.WeakSet()
_held_at_fork: list[threading.RLock] = []


def _before_fork() -> None:
    for database in list(_open):
        _held_at_fork.extend(database.before_fork())
    if _lifecycle.acquire(timeout=FORK_SECONDS):  # last, as `close` takes it inside of a handle's lock
        _held_at_fork.append(_lifecycle)


def _in_parent() -> None:
    while _held_at_fork:
        _held_at_fork.pop().release()


def _in_child() -> None:
    global _lifecycle  # noqa: PLW0603  # whoever held it does not exist here
    _lifecycle = threading.RLock()
    _held_at_fork.clear()
    for database in list(_open):
        database.in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)
