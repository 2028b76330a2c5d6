"""The chain of a record log: entries, what each commits to, and the walk that finds what was changed, cut or reordered.

What is read here comes out of a file that somebody else may have written.
"""

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from verified_gate.audit.canonical import canonical_json
from verified_gate.audit.keeping import names_cited
from verified_gate.audit.record import Erasure, LeftCitation, Mentions, Payload, Summary
from verified_gate.model.errors import RecordError

ENTRY_FORMAT: Final = 1
MAX_BODY: Final = 64_000_000
"""Bytes of one part; a larger one is neither written nor read."""
SALT: Final = 32
FIRST: Final = bytes(32)
"""What the first entry follows."""
_FORMS: Final[dict[tuple[str, str], type[BaseModel]]] = {
    ("answer", "summary"): Summary,
    ("answer", "payload"): Payload,
    ("erasure", "summary"): Erasure,
}
"""Of which form a part is, by the kind of its entry and its name."""
MAX_PARTS: Final = 10_000
"""Parts of one entry that are read."""
_SHORT: Final = 300
_MAX_FAULTS: Final = 100

M = TypeVar("M", bound=BaseModel)
Part = tuple[bytes, bytes]
"""Salt and body."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry: keep it elsewhere, and a log that was cut or written anew is told by it. Empty: 0 and zeros."""

    sequence: int
    digest: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.digest}"

    @classmethod
    def parse(cls, text: str) -> "Head":
        """From `str(head)`. Raises `ValueError`."""
        sequence, _, digest = text.partition(":")
        if not (sequence.isascii() and sequence.isdigit() and len(sequence) < 16):
            raise ValueError("a head is NUMBER:DIGEST")
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise ValueError("a head is NUMBER:DIGEST, with 64 hexadecimal digits")
        return cls(int(sequence), digest)


@dataclass(frozen=True, slots=True)
class LogCheck:
    """What a walk over the whole log found. `faults` name entries by number and hold no text; 100 at most."""

    records: int
    erased: int
    head: Head
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the chain; `summary` and `payload` are the commitments to its parts."""

    sequence: int
    id: str
    kind: str
    at: str
    previous: bytes
    summary: bytes
    payload: bytes
    digest: bytes
    mac: bytes | None

    def computed(self) -> bytes:
        """The digest that the entry should have."""
        named = {
            "format": ENTRY_FORMAT,
            "sequence": self.sequence,
            "id": self.id,
            "kind": self.kind,
            "at": self.at,
            "previous": self.previous.hex(),
            "summary": self.summary.hex(),
            "payload": self.payload.hex(),
        }
        return hashlib.sha256(canonical_json(named)).digest()


class Walk:
    """What is known at one entry of the walk from the first to the last."""

    def __init__(self, head: Head | None) -> None:
        self._head, self._last, self._previous = head, 0, FIRST
        self._kept_head_seen = head is None or head.sequence == 0
        self._records = 0
        self._missing: set[int] = set()
        self._kept: set[int] = set()
        self._erased: set[int] = set()
        self._names: set[str] = set()
        self._cited: dict[str, int] = {}
        self._faults: list[str] = []

    def fault(self, words: str) -> None:
        """Note a fault, as long as there are not too many."""
        if len(self._faults) < _MAX_FAULTS:
            self._faults.append(words)

    def link(self, entry: Entry, faults: Iterator[str]) -> None:
        """The entry in the chain."""
        if entry.sequence != self._last + 1:
            self.fault(f"entry {entry.sequence}: {entry.sequence - self._last - 1} before it are missing")
        elif entry.previous != self._previous:
            self.fault(f"entry {entry.sequence}: it does not follow the one before it")
        for words in faults:
            self.fault(f"entry {entry.sequence}: {words}")
        if self._head is not None and entry.sequence == self._head.sequence:
            self._kept_head_seen = True
            if entry.digest.hex() != self._head.digest:
                self.fault(
                    f"entry {entry.sequence}: it is another one than the head that was kept: the log was written anew"
                )
        self._last, self._previous = entry.sequence, entry.digest

    def parts(self, entry: Entry, parts: dict[str, Part | None]) -> None:
        """What the entry commits to."""
        self._records += entry.kind == "answer"
        read: BaseModel | None
        for name, committed in (("summary", entry.summary), ("payload", entry.payload)):
            if name not in parts:
                if entry.kind == "answer" and name == "payload":
                    self._missing.add(entry.sequence)
                elif name == "summary":
                    self.fault(f"entry {entry.sequence}: its summary is missing")
                continue
            if name == "payload":
                self._kept.add(entry.sequence)
            if not holds(parts[name], committed):
                self.fault(f"entry {entry.sequence}: its {name} is not what was written")
                continue
            read = read_part(_FORMS.get((entry.kind, name)), parts[name])
            if read is None:
                self.fault(f"entry {entry.sequence}: its {name} does not have the form of one")
            elif isinstance(read, Erasure):
                self._erased.update(read.erased)
                self._names.update(read.names)
            elif isinstance(read, Summary):
                self._citations(entry, read, parts)

    def _citations(self, entry: Entry, summary: Summary, parts: dict[str, Part | None]) -> None:
        """The citations that left. One may be missing where its version was erased, and the payload with it."""
        for number, committed in enumerate(summary.cited):
            name = citation_part(number)
            if name not in parts:
                if "payload" in parts:
                    self.fault(f"entry {entry.sequence}: its {name} is missing")
                continue
            if not holds(parts[name], bytes.fromhex(committed)):
                self.fault(f"entry {entry.sequence}: its {name} is not what was written")
                continue
            cited = read_part(LeftCitation, parts[name])
            if cited is None:
                self.fault(f"entry {entry.sequence}: its {name} does not have the form of one")
            else:
                self._cited.update(dict.fromkeys(map(name_digest, names_cited(cited.model_dump())), entry.sequence))

    def result(self, names: set[str]) -> LogCheck:
        """All that was found. `names` is what the file has listed as erased, for writers to look up."""
        for sequence in sorted(self._missing - self._erased):
            self.fault(f"entry {sequence}: its payload is missing, and no entry says that it was erased")
        for sequence in sorted(self._kept & self._erased):
            self.fault(f"entry {sequence}: its payload was erased, and stands here again")
        for sequence in sorted({self._cited[name] for name in self._names & self._cited.keys()}):
            self.fault(f"entry {sequence}: a citation of it was erased, and stands here again")
        if names != self._names:
            self.fault("the list of versions that were erased is not the one that the entries of erasures give")
        if not self._kept_head_seen and self._head is not None:
            self.fault(
                f"the log ends at {self._last}, before the head that was kept ({self._head.sequence}): it was cut"
            )
        return LogCheck(self._records, len(self._missing), Head(self._last, self._previous.hex()), tuple(self._faults))


def entry_of(row: tuple[object, ...]) -> Entry:
    """An entry of the file, whose columns may hold anything."""
    sequence, *texts = row[:4]
    blobs, mac = row[4:8], row[8]
    sound = (
        type(sequence) is int
        and 0 < sequence < 2**53
        and all(isinstance(text, str) and len(text) <= _SHORT and text.isascii() for text in texts)
        and all(isinstance(blob, bytes) and len(blob) == 32 for blob in blobs)
        and (mac is None or (isinstance(mac, bytes) and len(mac) == 32))
    )
    if not sound:
        raise RecordError("an entry does not have the form of one")
    return Entry(*row)  # type: ignore[arg-type]


def citation_part(number: int) -> str:
    """The name of the part that holds a citation that left."""
    return f"citation {number}"


def name_digest(name: str) -> str:
    """A version that was erased is not named in the file any more."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def parts_of(connection: sqlite3.Connection, sequence: int) -> Iterator[tuple[str, Part | None]]:
    """Name -> salt and body of each part; None where it is not one that can have been written."""
    rows = connection.execute(
        "SELECT name, salt, CASE WHEN length(body) <= ? THEN body END FROM part WHERE sequence = ? LIMIT ?",
        (MAX_BODY, sequence, MAX_PARTS),
    )
    for name, salt, body in rows:
        sound = isinstance(salt, bytes) and len(salt) == SALT and isinstance(body, bytes)
        yield name, ((salt, body) if sound else None)


def citing(connection: sqlite3.Connection, names: frozenset[str]) -> list[tuple[int, str]]:
    """The parts of citations that tell of one of `names`, or can tell of anything: sequence and name of each."""
    found = []
    rows = connection.execute(
        "SELECT sequence, name, CASE WHEN length(body) <= ? THEN body END FROM part"
        " WHERE name NOT IN ('summary', 'payload')",
        (MAX_BODY,),
    )
    for sequence, name, body in rows:
        told = read_part(LeftCitation, (b"", body)) if isinstance(body, bytes) else None
        if told is None or not names.isdisjoint(names_cited(told.model_dump())):
            found.append((sequence, name))
    return found


def telling(connection: sqlite3.Connection, names: frozenset[str]) -> list[int]:
    """The entries whose payload tells of one of `names`. Every payload is looked into: an index beside the chain could be
    emptied. One that is not what was written tells of anything.
    """
    held = connection.execute(
        "SELECT part.sequence, entry.payload FROM part LEFT JOIN entry USING (sequence) WHERE part.name = 'payload'"
        " ORDER BY part.sequence"
    ).fetchall()
    found = []
    for sequence, committed in held:
        part = dict(parts_of(connection, sequence)).get("payload")
        sound = isinstance(committed, bytes) and holds(part, committed)
        told = read_part(Mentions, part) if sound else None
        if not isinstance(told, Mentions) or not names.isdisjoint(told.mentions):
            found.append(sequence)
    return found


def names_erased(connection: sqlite3.Connection) -> set[str]:
    """The hashes of names that the entries of erasures give."""
    names: set[str] = set()
    rows = connection.execute("SELECT sequence, summary FROM entry WHERE kind = 'erasure'").fetchall()
    for sequence, committed in rows:
        part = dict(parts_of(connection, sequence)).get("summary")
        told = read_part(Erasure, part) if isinstance(committed, bytes) and holds(part, committed) else None
        if isinstance(told, Erasure):
            names.update(told.names)
    return names


def holds(part: Part | None, committed: bytes) -> bool:
    """Is the part what the entry commits to?"""
    return part is not None and hashlib.sha256(part[0] + part[1]).digest() == committed


def read_part(form: type[M] | None, part: Part | None) -> M | None:
    """The body of a part, read as what it should be; None where it is not."""
    try:
        return None if form is None or part is None else form.model_validate_json(part[1])
    except ValidationError:
        return None
