"""The record log: what each answer was made of, written before it leaves; append-only, chained, erasable.

Each entry commits to the salted hashes of its two parts and to the entry before it:

    commitment = SHA-256(salt, 32 random bytes, then body)
    digest     = SHA-256(canonical JSON of {at, format, id, kind, payload, previous, sequence, summary})
    mac        = HMAC-SHA-256(key, "entry" NUL digest), where the operator has a key

A payload with its salt can be erased: the entry stays, its commitment then says nothing of what it was, and an entry
of kind `erasure` says that it was erased on purpose. Whoever changes, cuts out or reorders entries breaks the chain.
What the file alone cannot show: that its last entries were cut off, or, to one without the key, that all of it was
written anew. Keep `head()` somewhere else from time to time, and give it to `check`: both are told then.
"""

import hashlib
import hmac
import os
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from pydantic import ValidationError

from verified_gate.audit.canonical import canonical_json
from verified_gate.audit.chain import (
    ENTRY_FORMAT,
    FIRST,
    MAX_BODY,
    SALT,
    Entry,
    Head,
    LogCheck,
    Walk,
    entry_of,
    holds,
    parts_of,
)
from verified_gate.audit.keeping import Keeper, kept_of
from verified_gate.audit.record import Payload, Summary
from verified_gate.audit.record_file import RecordFile
from verified_gate.audit.trace import Trace
from verified_gate.model.errors import RecordError

MIN_KEY: Final = 16
_COLUMNS: Final = "sequence, id, kind, at, previous, summary, payload, digest, mac"


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it was written: its own commitments hold. `payload` is None where it was erased."""

    id: str
    sequence: int
    at: str
    summary: Summary
    payload: Payload | None = field(repr=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class RecordLog:
    """A log in one SQLite file. Safe to share between threads, processes and across fork. For its operator only."""

    def __init__(self, file: RecordFile, keeper: Keeper | None, *, clock: Callable[[], str] = _now) -> None:
        """Use `open` or `existing`."""
        self._file, self._keeper, self._clock = file, keeper, clock

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, key: bytes | None = None, plain: bool = False) -> Self:
        """Open the log in the file `path` for writing; it is made where it is missing, readable to its owner alone.

        Questions, wordings and quotes are kept as keyed hashes under `key` (16 bytes or more, from a random source),
        or as they are with `plain`; with both, plain, and entries are signed with the key. One of the two is needed:
        an unkeyed hash of a question can be guessed. Raises `ValueError` for a key that is too short or neither,
        `RecordError` for a file that is no record log; it is left as it is.
        """
        _require_key(key)
        if key is None and not plain:
            raise ValueError(
                "give key=, under which texts are kept as hashes, or plain=True, which keeps them as they are"
            )
        return cls(RecordFile(Path(path)), Keeper(key, plain))

    @classmethod
    def existing(cls, path: str | os.PathLike[str], *, key: bytes | None = None, read_only: bool = True) -> Self:
        """Open a log that is there already, to read, check and (unless `read_only`) erase. Raises `RecordError`."""
        _require_key(key)
        return cls(
            RecordFile(Path(path), read_only=read_only, create=False), None if key is None else Keeper(key, plain=False)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<RecordLog {self._file.name}>"

    def close(self) -> None:
        """Close every connection of this process; nothing is lost."""
        self._file.close()

    @property
    def keeper(self) -> Keeper | None:
        """How texts are kept, or hashed again to compare them."""
        return self._keeper

    # ------------------------------------------------------------------------------------------------------ writing

    def write(self, trace: Trace) -> str:
        """Write the record of one answer; gives its id once it is on the disk. Whole or not at all.

        Raises `RecordError` where it cannot be written.
        """
        if self._keeper is None:
            raise RecordError(f"{self._file.name} was opened to read: use RecordLog.open(path, key=…) to write")
        kept = kept_of(trace, self._keeper)
        names = sorted(kept.mentions)
        with self._file.writing() as connection:
            late = any(_is_erased(connection, name) for name in names)  # asked before the erasure, written after it
            identity, sequence = self._append(connection, "answer", kept.summary, None if late else kept.payload)
            if late:
                self._append_erasure(connection, [sequence])
            else:
                connection.executemany("INSERT INTO mention VALUES (?, ?)", [(name, sequence) for name in names])
        return identity

    def erase(self, documents: Collection[str]) -> int:
        """Erase the payload of every record that tells of one of these versions (named as their keys begin, such as
        `acme:returns@3`) from every byte of the file and its log. Gives how many were erased; the chain stays whole and
        says that they were. Of a version that was erased no payload is kept any more: a run that was under way leaves
        its summary alone.

        Erasing what is erased does nothing, and finishes what was interrupted. Raises `RecordError` where another
        process reads for so long that its bytes cannot be overwritten: call it again.
        """
        if isinstance(documents, str):
            raise TypeError("documents must be a collection of names, not one string")
        names = sorted(set(documents))
        with self._file.writing() as connection:
            found: set[int] = set()
            for name in names:
                rows = connection.execute("SELECT sequence FROM mention WHERE document = ?", (name,))
                found.update(sequence for (sequence,) in rows)
                connection.execute("INSERT OR IGNORE INTO erased VALUES (?)", (_name_digest(name),))
            erased = sorted(found)
            for sequence in erased:
                connection.execute("DELETE FROM part WHERE sequence = ? AND name = 'payload'", (sequence,))
                connection.execute("DELETE FROM mention WHERE sequence = ?", (sequence,))
            if erased:
                self._append_erasure(connection, erased)
                connection.execute("INSERT OR REPLACE INTO setting VALUES ('unsettled', 1)")
            unsettled = connection.execute("SELECT 1 FROM setting WHERE name = 'unsettled'").fetchone()
        if unsettled:
            self._file.settle()
            with self._file.writing() as connection:
                connection.execute("DELETE FROM setting WHERE name = 'unsettled'")
        return len(erased)

    def _append(
        self, connection: sqlite3.Connection, kind: Literal["answer", "erasure"], summary: bytes, payload: bytes | None
    ) -> tuple[str, int]:
        """One entry behind the last one, in the caller's write transaction; without a payload nothing is kept as one."""
        if max(len(summary), len(payload or b"")) > MAX_BODY:
            raise RecordError(f"a record may hold {MAX_BODY:,} bytes, and this one is larger")
        last = _last(connection)
        salt, other = secrets.token_bytes(SALT), secrets.token_bytes(SALT)
        entry = Entry(
            sequence=last.sequence + 1,
            id=secrets.token_hex(16),
            kind=kind,
            at=self._clock(),
            previous=bytes.fromhex(last.digest),
            summary=hashlib.sha256(salt + summary).digest(),
            payload=hashlib.sha256(other + (payload or b"")).digest(),
            digest=b"",
            mac=None,
        )
        digest = entry.computed()
        connection.execute(
            f"INSERT INTO entry ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608  # of a constant
            (*astuple(entry)[:7], digest, self._mac(digest)),
        )
        parts = [(entry.sequence, "summary", salt, summary)]
        parts += [] if payload is None else [(entry.sequence, "payload", other, payload)]
        connection.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", parts)
        return entry.id, entry.sequence

    def _append_erasure(self, connection: sqlite3.Connection, sequences: list[int]) -> None:
        self._append(connection, "erasure", canonical_json({"format": ENTRY_FORMAT, "erased": sequences}), None)

    def _mac(self, digest: bytes) -> bytes | None:
        key = None if self._keeper is None else self._keeper.key
        return None if key is None else hmac.new(key, b"entry\0" + digest, hashlib.sha256).digest()

    # ------------------------------------------------------------------------------------------------------ reading

    def head(self) -> Head:
        """The last entry."""
        with self._file.reading() as connection:
            return _last(connection)

    def read(self, identity: str) -> Record:
        """The record with this id. Raises `RecordError` where there is none, or it is not what was written."""
        with self._file.reading() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM entry WHERE id = ? AND kind = 'answer'",  # noqa: S608
                (identity,),
            ).fetchone()
            if row is None:
                raise RecordError("there is no record of this id in the log")
            entry = entry_of(row)
            if faults := list(self._own_faults(entry)):
                raise RecordError(f"record {entry.sequence}: {faults[0]}")
            return _record(connection, entry)

    def records(self) -> Iterator[Record]:
        """Every record that is as it was written, in order; those that are not are told by `check`."""
        at = 0
        while True:
            with self._file.reading() as connection:  # short reads: no writer's checkpoint waits for us
                rows = connection.execute(
                    f"SELECT {_COLUMNS} FROM entry WHERE sequence > ? AND kind = 'answer' ORDER BY sequence LIMIT 50",  # noqa: S608
                    (at,),
                ).fetchall()
                found = []
                for row in rows:
                    try:
                        entry = entry_of(row)
                        if not any(self._own_faults(entry)):
                            found.append(_record(connection, entry))
                    except RecordError:
                        continue
            if not rows:
                return
            if not isinstance(rows[-1][0], int):
                raise RecordError(f"{self._file.name}: an entry without a number")
            at = rows[-1][0]
            yield from found

    def check(self, head: Head | None = None) -> LogCheck:
        """Walk the whole log: numbers, chain, commitments, and with a key the signature of each entry. `head` is one
        that was kept elsewhere.
        """
        walk = Walk(head)
        with self._file.reading() as connection:
            for row in connection.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY sequence"):  # noqa: S608
                try:
                    entry = entry_of(row)
                except RecordError as fault:
                    walk.fault(str(fault))
                    continue
                walk.link(entry, self._own_faults(entry))
                walk.parts(entry, dict(parts_of(connection, entry.sequence)))
        return walk.result()

    def _own_faults(self, entry: Entry) -> Iterator[str]:
        if entry.computed() != entry.digest:
            yield "it does not have its digest: it was changed"
        wanted = self._mac(entry.digest)
        if wanted is not None and (entry.mac is None or not hmac.compare_digest(wanted, entry.mac)):
            yield "it was not written with this key"


def _last(connection: sqlite3.Connection) -> Head:
    row = connection.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY sequence DESC LIMIT 1").fetchone()  # noqa: S608
    return Head(0, FIRST.hex()) if row is None else Head(row[0], entry_of(row).digest.hex())


def _name_digest(name: str) -> bytes:
    """A version that was erased is not named in the file any more."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()


def _is_erased(connection: sqlite3.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM erased WHERE name = ?", (_name_digest(name),)).fetchone() is not None


def _require_key(key: object) -> None:
    if key is not None and (not isinstance(key, bytes) or len(key) < MIN_KEY):
        raise ValueError(f"key must be {MIN_KEY} bytes or more, from a random source")


def _record(connection: sqlite3.Connection, entry: Entry) -> Record:
    parts = dict(parts_of(connection, entry.sequence))
    for name, committed in (("summary", entry.summary), ("payload", entry.payload)):
        if name in parts and not holds(parts[name], committed):
            raise RecordError(f"record {entry.sequence}: its {name} is not what was written")
    summary, payload = parts.get("summary"), parts.get("payload")
    if summary is None:
        raise RecordError(f"record {entry.sequence}: its summary is missing")
    try:
        told = Summary.model_validate_json(summary[1])
        kept = None if payload is None else Payload.model_validate_json(payload[1])
    except ValidationError:
        raise RecordError(f"record {entry.sequence}: it does not have the form of a record") from None
    return Record(entry.id, entry.sequence, entry.at, told, kept)
