"""The record log: what each answer was made of, written before it leaves; append-only, chained, erasable.

Each entry commits to the salted hashes of its two parts and to the entry before it, and its summary to those of the
citations that left:

    commitment = SHA-256(salt, 32 random bytes, then body)
    digest     = SHA-256(canonical JSON of {at, format, id, kind, payload, previous, sequence, summary})
    mac        = HMAC-SHA-256(key, "entry" NUL digest), where the operator has a key

A payload or a citation with its salt can be erased: the entry stays, its commitment then says nothing of what it was, and an entry
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

from pydantic import BaseModel

from verified_gate.audit.canonical import canonical_json
from verified_gate.audit.chain import (
    ENTRY_FORMAT,
    FIRST,
    MAX_BODY,
    MAX_PARTS,
    SALT,
    Entry,
    Head,
    LogCheck,
    Walk,
    citation_part,
    citing,
    entry_of,
    holds,
    name_digest,
    names_erased,
    parts_of,
    read_part,
    telling,
)
from verified_gate.audit.keeping import Keeper, Kept, json_bytes, kept_of
from verified_gate.audit.record import LeftCitation, Payload, Summary
from verified_gate.audit.record_file import RecordFile
from verified_gate.audit.trace import Trace
from verified_gate.corpus.key import parse_key
from verified_gate.model.errors import RecordError

MIN_KEY: Final = 16
_COLUMNS: Final = "sequence, id, kind, at, previous, summary, payload, digest, mac"


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it was written: its own commitments hold. `payload` is None where it was erased, and so is each of
    `cited` whose version was.
    """

    id: str
    sequence: int
    at: str
    summary: Summary
    payload: Payload | None = field(repr=False)
    cited: tuple[LeftCitation | None, ...] = field(default=(), repr=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class RecordLog:
    """A log in one SQLite file. Safe to share between threads, processes and across fork. For its operator only."""

    def __init__(self, file: RecordFile, keeper: Keeper | None, *, clock: Callable[[], str] = _now) -> None:
        """Use `open` or `existing`."""
        self._file, self._keeper, self._clock = file, keeper, clock
        if not file.read_only:
            with file.reading() as connection:
                self._require_own_key(_last(connection))

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, key: bytes | None = None, plain: bool = False) -> Self:
        """Open the log in the file `path` for writing; it is made where it is missing, readable to its owner alone.

        Questions, wordings and quotes are kept as keyed hashes under `key` (16 bytes or more, from a random source),
        or as they are with `plain`; with both, plain, and entries are signed with the key. One of the two is needed:
        an unkeyed hash of a question can be guessed. Raises `ValueError` for a key that is too short or neither,
        `RecordError` for a file that is no record log, or one of another key, or signed where no key is given and the
        other way round; it is left as it is.
        """
        _require_key(key)
        if key is None and not plain:
            raise ValueError(
                "give key=, under which texts are kept as hashes, or plain=True, which keeps them as they are"
            )
        return cls(RecordFile(Path(path)), Keeper(key, plain))

    @classmethod
    def existing(cls, path: str | os.PathLike[str], *, key: bytes | None = None, read_only: bool = True) -> Self:
        """Open a log that is there already, to read, check and (unless `read_only`) erase; to erase in a signed one its key is
        needed, since an erasure is an entry too. Raises `RecordError`.
        """
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

        Raises `RecordError` where it cannot be written, or could not be read again.
        """
        if self._keeper is None:
            raise RecordError(f"{self._file.name} was opened to read: use RecordLog.open(path, key=…) to write")
        kept = kept_of(trace, self._keeper)
        cited = [(secrets.token_bytes(SALT), body) for body, _ in kept.cited]
        commitments = [hashlib.sha256(salt + body).hexdigest() for salt, body in cited]
        summary = json_bytes({**kept.summary, "cited": commitments})
        _require_readable(kept, summary)
        names = sorted(kept.mentions)
        with self._file.writing() as connection:
            late = any(_is_erased(connection, name) for name in names)  # asked before the erasure, written after it
            identity, sequence = self._append(connection, "answer", summary, None if late else kept.payload)
            left = [
                (sequence, citation_part(number), *cited[number])
                for number, (_, told) in enumerate(kept.cited)
                if not any(_is_erased(connection, name) for name in told)
            ]
            connection.executemany("INSERT INTO part VALUES (?, ?, ?, ?)", left)
            if late:
                self._append_erasure(connection, [sequence], [])
        return identity

    def erase(self, documents: Collection[str]) -> int:
        """Erase the payload of every record that tells of one of these versions (named as their keys begin, such as
        `acme:returns@3`), and each citation of one, from every byte of the file and its log. Gives how many payloads were
        erased; the chain stays whole and says that they were. Of a version that was erased no payload is kept any more: a run that was under way leaves
        its summary alone.

        Every payload is looked into; one that is not what was written may tell of anything, and is erased too.
        Erasing what is erased does nothing, and finishes what was interrupted. Raises `RecordError` where another
        process reads for so long that its bytes cannot be overwritten: call it again; `TypeError` and `ValueError` for
        what can name no version.
        """
        names = _names_of(documents)
        meant = {*names, *(self._keeper.hmac(name) or name for name in names if self._keeper is not None)}
        with self._file.writing() as connection:
            erased = telling(connection, frozenset(meant)) if names else []
            cited = citing(connection, frozenset(meant)) if names else []
            gone = [*cited, *((sequence, "payload") for sequence in erased)]
            connection.executemany("DELETE FROM part WHERE sequence = ? AND name = ?", gone)
            known = names_erased(connection)
            new = sorted({name_digest(name) for name in names} - known)
            sequence = self._append_erasure(connection, erased, new) if gone or new else 0
            if names:  # as the chain has it, whatever stood there
                connection.execute("DELETE FROM erased")
                connection.executemany(
                    "INSERT INTO erased VALUES (?)", [(bytes.fromhex(name),) for name in sorted(known.union(new))]
                )
            if gone:  # by its number, so that an erasure beside this one is not taken for settled with it
                connection.execute("INSERT OR REPLACE INTO setting VALUES ('unsettled', ?)", (sequence,))
            unsettled = connection.execute("SELECT value FROM setting WHERE name = 'unsettled'").fetchone()
        if unsettled:
            self._file.settle()
            with self._file.writing() as connection:
                connection.execute("DELETE FROM setting WHERE name = 'unsettled' AND value = ?", unsettled)
        return len(erased)

    def _append(
        self, connection: sqlite3.Connection, kind: Literal["answer", "erasure"], summary: bytes, payload: bytes | None
    ) -> tuple[str, int]:
        """One entry behind the last one, in the caller's write transaction; without a payload nothing is kept as one."""
        last = _last(connection)
        self._require_own_key(last)
        salt, other = secrets.token_bytes(SALT), secrets.token_bytes(SALT)
        entry = Entry(
            sequence=1 if last is None else last.sequence + 1,
            id=secrets.token_hex(16),
            kind=kind,
            at=self._clock(),
            previous=FIRST if last is None else last.digest,
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

    def _append_erasure(self, connection: sqlite3.Connection, sequences: list[int], names: list[str]) -> int:
        told = canonical_json({"format": ENTRY_FORMAT, "erased": sequences, "names": names})
        return self._append(connection, "erasure", told, None)[1]

    def _require_own_key(self, last: Entry | None) -> None:
        """Entries without a signature, or with another, among signed ones would be faults of the log for ever."""
        if last is None:
            return
        wanted = self._mac(last.digest)
        if wanted is None and last.mac is not None:
            raise RecordError(f"{self._file.name} is signed: give its key")
        if wanted is not None and (last.mac is None or not hmac.compare_digest(wanted, last.mac)):
            raise RecordError(
                f"{self._file.name} was written with another key, or with none: a new key wants a new log"
            )

    def _mac(self, digest: bytes) -> bytes | None:
        key = None if self._keeper is None else self._keeper.key
        return None if key is None else hmac.new(key, b"entry\0" + digest, hashlib.sha256).digest()

    # ------------------------------------------------------------------------------------------------------ reading

    def head(self) -> Head:
        """The last entry."""
        with self._file.reading() as connection:
            last = _last(connection)
        return Head(0, FIRST.hex()) if last is None else Head(last.sequence, last.digest.hex())

    def read(self, identity: str) -> Record:
        """The record with this id. Raises `RecordError` where there is none, or it is not what was written."""
        if not isinstance(identity, str):
            raise TypeError("the id of a record is a string")
        if not identity.isascii():
            raise RecordError("there is no record of this id in the log")
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
            rows = connection.execute("SELECT name FROM erased")
            return walk.result({name.hex() for (name,) in rows if isinstance(name, bytes)})

    def _own_faults(self, entry: Entry) -> Iterator[str]:
        if entry.computed() != entry.digest:
            yield "it does not have its digest: it was changed"
        wanted = self._mac(entry.digest)
        if wanted is not None and (entry.mac is None or not hmac.compare_digest(wanted, entry.mac)):
            yield "it was not written with this key"


def _last(connection: sqlite3.Connection) -> Entry | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM entry ORDER BY sequence DESC LIMIT 1").fetchone()  # noqa: S608
    return None if row is None else entry_of(row)


def _names_of(documents: Collection[str]) -> list[str]:
    """Names of versions. Raises `TypeError`, `ValueError` for what can be none."""
    if isinstance(documents, str):
        raise TypeError("documents must be a collection of names, not one string")
    names = set(documents)
    for name in names:
        if not isinstance(name, str):
            raise TypeError("documents must be names of versions, such as returns@3")
        if not name or parse_key(name) is not None:
            raise ValueError("name a version as its keys begin, such as returns@3: a passage is not erased alone")
        try:
            name.encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("the name of a version cannot hold a lone surrogate") from None
    return sorted(names)


def _require_readable(kept: Kept, summary: bytes) -> None:
    """What is written can be read again: a retriever or a synthesizer of the caller's own may have said anything."""
    if max(len(summary), len(kept.payload)) > MAX_BODY or len(kept.cited) + 2 > MAX_PARTS:
        raise RecordError(f"a record may hold {MAX_BODY:,} bytes, and this one is larger")
    parts: list[tuple[type[BaseModel], bytes]] = [(Summary, summary), (Payload, kept.payload)]
    parts += [(LeftCitation, body) for body, _ in kept.cited]
    for form, body in parts:
        if read_part(form, (b"", body)) is None:
            raise RecordError("what was retrieved or proposed does not fit into a record: it could not be read again")


def _is_erased(connection: sqlite3.Connection, name: str) -> bool:
    digest = bytes.fromhex(name_digest(name))
    return connection.execute("SELECT 1 FROM erased WHERE name = ?", (digest,)).fetchone() is not None


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
    told = read_part(Summary, summary)
    kept = read_part(Payload, payload)
    if told is None or (payload is not None and kept is None):
        raise RecordError(f"record {entry.sequence}: it does not have the form of a record")
    cited: list[LeftCitation | None] = []
    for number, digest in enumerate(told.cited):
        name = citation_part(number)
        left = read_part(LeftCitation, parts.get(name))
        missing = name not in parts and kept is None
        if not missing and (left is None or not holds(parts[name], bytes.fromhex(digest))):
            raise RecordError(f"record {entry.sequence}: its {name} is not what was written")
        cited.append(left)
    return Record(entry.id, entry.sequence, entry.at, told, kept, tuple(cited))
