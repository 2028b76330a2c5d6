"""What a fault of the file is called, and what to do about it."""

import sqlite3
import time
from pathlib import Path
from typing import Final

from verified_gate.model.errors import CorpusError

BUSY_SECONDS: Final = 30.0
"""How long a writer waits for another."""
STRANGE: Final = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, AssertionError, MemoryError)
"""What reading rows raises that are not as they were written."""
EXPLANATIONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; nothing of this write was kept",
    sqlite3.SQLITE_READONLY: "the file or its folder cannot be written to",
    sqlite3.SQLITE_BUSY: "another writer held the corpus for too long; try again",
    sqlite3.SQLITE_NOTADB: "this is not a corpus; it was left as it is",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore it from a copy or ingest the documents again",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; look at its permissions and those of its folder",
    sqlite3.SQLITE_IOERR: "reading or writing the file failed; look at the disk, which may be full",
    sqlite3.SQLITE_NOMEM: "out of memory",
}


def cannot_make_files(fault: sqlite3.Error) -> bool:
    """Did it fail because no file could be made beside the file?"""
    code = getattr(fault, "sqlite_errorcode", 0)
    no_room = code in (sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_FULL)
    return no_room or code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)


def refuse_left_log(path: Path) -> None:
    """Raise `CorpusError` where a log lies beside the file that no writer has open. Who reads it makes the shared memory
    that belongs to it, and where he may not write the file, the file's owner could not use what he made, and so not write.
    """
    for _ in range(20):  # a writer makes the two one after the other
        if Path(f"{path}-shm").exists() or not Path(f"{path}-wal").exists():
            return
        time.sleep(0.02)
    raise CorpusError(
        f"{path}: a log lies beside it that its writer left, or that came with a copy; whoever may write the file opens it"
        " once, as `verified-gate optimize` does, and it can be read again"
    )


def explain(fault: sqlite3.Error) -> str:
    """For people: what happened, and what to do."""
    code = getattr(fault, "sqlite_errorcode", None)
    if isinstance(code, int) and (code & 0xFF) in EXPLANATIONS:
        return EXPLANATIONS[code & 0xFF]
    return f"{type(fault).__name__} {getattr(fault, 'sqlite_errorname', '')}".strip()
