"""The state of a corpus, and the check that finds any byte that changed behind our back."""

import hashlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import starmap
from typing import Final, Literal

import numpy as np

from verified_gate.corpus.catalogue import lost_of
from verified_gate.corpus.digests import TOMBSTONE, record_digest, tombstone_digest
from verified_gate.corpus.document import digest_of
from verified_gate.corpus.key import format_key
from verified_gate.corpus.merging import unpublished
from verified_gate.corpus.reading import FIELDS, Stored, read_text, stored_of, unfinished_erasures
from verified_gate.corpus.schema import BLOCK, UNREAD, schema_digest
from verified_gate.corpus.segment import Digest
from verified_gate.corpus.tally import SETS, is_changed, setting_of
from verified_gate.corpus.writing import block_range, orphan_ranges
from verified_gate.ingest.document import Status
from verified_gate.ingest.formats.rules import is_current
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

_ROWS: Final = 500
"""Rows that are read at once; many more would keep the garbage collector busy."""

Condition = Literal["ready", "partial", "empty", "not-indexed", "damaged", "unavailable"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where: a passage's key, a version, or a segment of the index. Holds no text."""

    place: str
    fault: str


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """State of the whole, for the operator. `faults` is empty unless it was checked; `checked` says whether it was.

    `not-indexed`: another version of the tokenizer built the index. `partial`: some versions have no passage, and
    none can be found. `damaged`: the check found faults. `unavailable`: it could not be read. `unfinished` names the
    versions of which bytes may still stand in the file or its log, though they were erased. `incomplete` names those in
    force of which not all could be read, and `lost` tells what of these; `outdated` those that another reader read than the one of now: their files may
    read otherwise; `unread` those whose file could not be read when it was ingested last: the text of before is in force.
    """

    condition: Condition
    documents: dict[str, int]
    passages: int
    segments: int
    tokenizer: int
    checked: bool = False
    faults: tuple[Fault, ...] = field(default=())
    unfinished: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    lost: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outdated: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


_UNREADABLE: Final = (sqlite3.DatabaseError, CorpusError, ValueError, TypeError, IndexError, OverflowError, MemoryError)
"""What reading a record raises whose bytes changed."""


Postings = Callable[[], tuple[int, list[Fault]] | None]
"""Gives the epoch at which the postings were checked elsewhere, and their faults; None where that failed."""


def read_status(connection: sqlite3.Connection, *, check: bool, elsewhere: Postings | None = None) -> CorpusStatus:
    """The state of the snapshot that `connection` reads; with `check` everything is hashed again, the postings
    `elsewhere` if it reads the same snapshot.
    """
    row = connection.execute("SELECT value FROM setting WHERE name = 'tokenizer'").fetchone()
    tokenizer = 0 if row is None else row[0]
    (segments,) = connection.execute("SELECT count(*) FROM segment").fetchone()
    (passages,) = connection.execute("SELECT coalesce(sum(passages), 0) FROM document").fetchone()
    documents = dict(connection.execute("SELECT status, count(*) FROM document GROUP BY 1 ORDER BY 1").fetchall())
    unfinished = unfinished_erasures(connection)
    faults: list[Fault] = []
    if check:
        stored, faults = _read_versions(connection)
        faults += find_faults(connection, stored)
        told = elsewhere() if elsewhere else None
        faults += told[1] if told and told[0] == epoch_of(connection) else posting_faults(connection)
    condition: Condition = "ready"
    if faults:
        condition = "damaged"
    elif tokenizer != TOKENIZER_VERSION:
        condition = "not-indexed"
    elif Status.CURRENT not in documents:
        condition = "empty"
    elif connection.execute("SELECT 1 FROM document WHERE passages = 0 AND status = 'current' LIMIT 1").fetchone():
        condition = "partial"
    incomplete = connection.execute(
        "SELECT tenant, name, version, id FROM document WHERE coverage <> 'complete' AND status = 'current' ORDER BY 1, 2, 3"
    )
    partly = {identity: _named(*name) for *name, identity in incomplete}
    return CorpusStatus(
        condition=condition,
        documents=documents,
        passages=passages,
        segments=segments,
        tokenizer=tokenizer,
        checked=check,
        faults=tuple(faults),
        unfinished=unfinished,
        incomplete=tuple(partly.values()),
        lost=_lost(connection, partly),
        outdated=_outdated(connection),
        unread=_unread(connection),
    )


def _lost(connection: sqlite3.Connection, partly: Mapping[int, str]) -> dict[str, tuple[str, ...]]:
    """What of these could not be read, by name. Nothing where that cannot be read: a check finds it."""
    try:
        lost = lost_of(connection)
        return {name: lost[identity] for identity, name in partly.items() if identity in lost}
    except _UNREADABLE:
        return {}


def _outdated(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The versions in force that another reader read. None where that cannot be read: a check finds it."""
    try:
        readers = connection.execute("SELECT DISTINCT reader FROM document WHERE status = 'current'").fetchall()
        others = [reader for (reader,) in readers if not is_current(reader)]
        # a text that was handed in, and was no file, had no reader before texts were given one
        rows = connection.execute(
            "SELECT tenant, name, version FROM document WHERE status = 'current'"
            " AND reader IN (SELECT value FROM json_each(?))"
            " AND (reader <> '' OR EXISTS (SELECT 1 FROM source WHERE document = document.id)) ORDER BY 1, 2, 3",
            (json.dumps(others),),
        )
        return tuple(starmap(_named, rows)) if others else ()
    except _UNREADABLE:
        return ()


def _unread(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The versions in force whose file could not be read since. None where that cannot be read: a check finds it."""
    try:
        rows = connection.execute(
            "SELECT DISTINCT document.tenant, name, version FROM source CROSS JOIN document ON document.id = document"
            " WHERE outcome GLOB ? AND status = 'current' ORDER BY 1, 2, 3",
            (f"{UNREAD}*",),
        )
        return tuple(starmap(_named, rows))
    except _UNREADABLE:
        return ()


def _read_versions(connection: sqlite3.Connection) -> tuple[list[Stored], list[Fault]]:
    """Every version that can be read, and a fault for each that cannot."""
    stored: list[Stored] = []
    faults: list[Fault] = []
    rows = connection.execute(
        f"SELECT {FIELDS} FROM document JOIN audience ON audience.id = audience ORDER BY 2, 3, 4"  # noqa: S608
    )
    for row in rows:
        try:
            stored.append(stored_of(row))
        except _UNREADABLE:
            faults.append(Fault(f"document {row[0]}", "its record cannot be read: remove it, and ingest it again"))
    return stored, faults


def is_damaged(connection: sqlite3.Connection) -> bool:
    """Would the check find anything?."""
    stored, faults = _read_versions(connection)
    return bool(faults or find_faults(connection, stored) or posting_faults(connection))


def find_faults(connection: sqlite3.Connection, stored: list[Stored]) -> list[Fault]:
    """Every fault of pages, texts, passages and index, but for the postings. What cannot be read is a fault of its own,
    and the rest is still looked at.
    """
    checks: list[tuple[str, Callable[[], Iterable[Fault]]]] = [
        ("file", lambda: _file_faults(connection)),
        *((rows, partial(_set_faults, connection, rows)) for rows in SETS),
        ("erasures and private collections", lambda: _small_faults(connection)),
        *((_place(each), partial(_text_faults, connection, each)) for each in stored),
        ("index", lambda: _placement_faults(connection, stored)),
    ]
    faults: list[Fault] = []
    for place, check in checks:
        try:
            faults += check()
        except _UNREADABLE:
            faults.append(Fault(place, "what is stored here cannot be read"))
    return faults


def posting_faults(connection: sqlite3.Connection) -> list[Fault]:
    """Every fault of the postings."""
    try:
        return list(_segments_faults(connection))
    except _UNREADABLE:
        return [Fault("index", "what is stored here cannot be read")]


def epoch_of(connection: sqlite3.Connection) -> int:
    """Changes with each change of the index. Raises `CorpusError` where it is lost."""
    return setting_of(connection, "epoch")


def _file_faults(connection: sqlite3.Connection) -> Iterator[Fault]:
    for (line,) in connection.execute("PRAGMA quick_check(20)").fetchall():
        if line != "ok":
            yield Fault("file", "a page of the file is damaged")
    if connection.execute("SELECT value FROM setting WHERE name = 'schema'").fetchone() != (schema_digest(connection),):
        yield Fault("file", "its tables are not those that were made: restore it from a copy")
    for table in ("document", "audience", "placement", "source"):  # those that are found by an index beside the table
        for (line,) in connection.execute(f"PRAGMA integrity_check({table})").fetchall():
            if line != "ok":
                yield Fault(table, "an index leads astray: `verified-gate optimize` writes it anew")
    for table, *_ in connection.execute("PRAGMA foreign_key_check").fetchall():
        yield Fault(str(table), "a row leads to a row that is missing")
    (lost,) = connection.execute(
        "SELECT count(*) FROM document WHERE audience NOT IN (SELECT id FROM audience)"
    ).fetchone()
    if lost:
        yield Fault("document", "nobody knows who may read it")


def _set_faults(connection: sqlite3.Connection, rows: str) -> Iterator[Fault]:
    if is_changed(connection, rows):
        yield Fault(rows, "a row was changed, taken away or put in: restore the file from a copy")


def _small_faults(connection: sqlite3.Connection) -> Iterator[Fault]:
    for first, last in orphan_ranges(connection):
        if connection.execute("SELECT 1 FROM block WHERE id BETWEEN ? AND ? LIMIT 1", (first, last)).fetchone():
            yield Fault(
                "block", "a text stands here of no version: `verified-gate erase` without a version takes it out"
            )
    for name, digest in connection.execute("SELECT name, sha256 FROM private_collection"):
        if digest_of(str(name)) != digest:
            yield Fault(f"private collection {name}", "its name is not the one that was stored")
    for *told, digest in connection.execute(f"SELECT {TOMBSTONE}, sha256 FROM tombstone"):  # noqa: S608  # of constants
        if tombstone_digest(told) != digest:
            place = format_key(told[0], told[1], told[2], 0).rpartition("#")[0]
            yield Fault(f"tombstone {place}", "it is not as it was stored")


def _place(stored: Stored) -> str:
    listing = stored.listing
    return _named(listing.tenant or "", listing.document_id, listing.version)


def _named(tenant: str, name: str, version: str) -> str:
    """A version as its keys begin."""
    return format_key(tenant, name, version, 0).rpartition("#")[0]


def _text_faults(connection: sqlite3.Connection, stored: Stored) -> Iterator[Fault]:
    listing = stored.listing
    names = (listing.tenant or "", listing.document_id, listing.version)
    place = _place(stored)
    sound = _is_whole(connection, stored)
    if not sound:
        yield Fault(place, "the stored text is not whole, or does not have its hash")
    (record,) = connection.execute("SELECT record_sha256 FROM document WHERE id = ?", (stored.id,)).fetchone()
    if record_digest(connection, stored.id) != record:
        sound = False
        yield Fault(place, "labels, names or places are not those that were stored")
    if any(_is_astray(connection, table, "document", stored.id) for table in ("passage", "page")):
        yield Fault(place, "a row stands out of its order: ingest it again")
    if sound:  # where the text has its hash, and the record of its spans and pins too, each pin is the hash of its span
        return
    text = read_text(connection, stored.id, 0, stored.characters + 1)
    rows = connection.execute(
        "SELECT position, start, length, sha256 FROM passage WHERE document = ? ORDER BY position", (stored.id,)
    ).fetchall()
    if [row[0] for row in rows] != list(range(listing.passages)):
        yield Fault(place, "a passage is missing")
    for position, start, length, sha256 in rows:
        if digest_of(text[start : start + length]) != sha256:
            yield Fault(format_key(*names, position), "the passage does not have its pinned hash")


def _is_whole(connection: sqlite3.Connection, stored: Stored) -> bool:
    """Do the blocks of a stored text stand under the numbers that they are read by, and have their hash together? Of the
    bytes as they stand: nothing is decoded.
    """
    first, last = block_range(stored.id)
    pieces = connection.execute(
        "SELECT id, CAST(text AS BLOB) FROM block WHERE id BETWEEN ? AND ? ORDER BY id", (first, last)
    ).fetchall()
    if [number for number, _ in pieces] != list(range(first, first - (-stored.characters // BLOCK))):
        return False
    digest = hashlib.sha256(b"".join([piece for _, piece in pieces])).hexdigest()
    return digest == stored.listing.text_sha256


def _is_astray(connection: sqlite3.Connection, table: str, column: str, number: int) -> bool:
    """Is there a row among those of `number` that says that it is another's? A range is read by its ends alone, so that it
    is not missed there; where it is looked for by its key, it is.
    """
    first, last = connection.execute(
        f"SELECT min({column}), max({column}) FROM {table} WHERE {column} = ?",  # noqa: S608  # of constants
        (number,),
    ).fetchone()
    return bool(first != last)


def _placement_faults(connection: sqlite3.Connection, stored: list[Stored]) -> Iterator[Fault]:
    """Every passage is in the index once, among those of its audience, and the counts of what is live are right."""
    placed: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    live: Counter[tuple[int, int]] = Counter()
    tokens: Counter[tuple[int, int]] = Counter()
    current = {each.id for each in stored if each.status == Status.CURRENT}
    for segment, run, slots, document, position, length in connection.execute(
        "SELECT segment, run, slots, document, position, tokens FROM placement"
    ):
        placed[document].append((position, slots))
        if document in current:
            live[segment, run] += slots
            tokens[segment, run] += length
    for each in stored:
        position = 0
        for first, slots in sorted(placed[each.id]):
            position = position + slots if first == position else -1
        if position != each.listing.passages:
            yield Fault(_place(each), "not every passage is in the index once")
    for segment, number, *counted in connection.execute("SELECT segment, number, live, live_tokens FROM run"):
        if [live[segment, number], tokens[segment, number]] != counted:
            yield Fault(f"segment {segment}", "the count of live passages is wrong")
    misplaced = connection.execute(
        "SELECT DISTINCT placement.segment FROM placement JOIN document ON document.id = placement.document LEFT JOIN run"
        " ON run.segment = placement.segment AND run.number = placement.run WHERE run.audience IS NOT document.audience"
        " OR placement.first < run.first OR placement.first + placement.slots > run.first + run.slots"
    ).fetchall()
    for (segment,) in misplaced:
        yield Fault(f"segment {segment}", "a passage stands among those of other readers: rebuild the index")


def _segments_faults(connection: sqlite3.Connection) -> Iterator[Fault]:
    rewritten = connection.execute("SELECT 1 FROM setting WHERE name = 'rewrite'").fetchone()
    if rewritten is None:  # else they may be those of a segment to be
        for identity in unpublished(connection):
            yield Fault(
                f"segment {identity}", "postings stand here of no segment: `verified-gate optimize` removes them"
            )
    for identity, slots, digest, lengths in connection.execute(
        "SELECT id, slots, digest, lengths FROM segment"
    ).fetchall():
        try:
            yield from _segment_faults(connection, identity, slots, digest, lengths)
        except _UNREADABLE:
            yield Fault(f"segment {identity}", "the postings cannot be read: rebuild the index")


def _segment_faults(
    connection: sqlite3.Connection, identity: int, slots: int, digest: bytes, lengths: bytes
) -> Iterator[Fault]:
    found = Digest(lengths)
    rows = connection.execute(
        "SELECT CAST(term AS BLOB), run, slots, counts FROM posting WHERE segment = ? ORDER BY term, run", (identity,)
    )
    while sweep := rows.fetchmany(_ROWS):
        terms, *columns = zip(*sweep, strict=True)
        found.add(b"\n".join([*terms, b""]), *columns)
    if _is_astray(connection, "posting", "segment", identity):
        yield Fault(f"segment {identity}", "a row stands out of its order: rebuild the index")
    if found.digest() != digest:
        yield Fault(f"segment {identity}", "the postings do not have their hash: rebuild the index")
    sums = connection.execute(
        "SELECT first, slots, tokens FROM placement WHERE segment = ? ORDER BY first", (identity,)
    ).fetchall()
    end = 0
    for first, held in connection.execute(
        "SELECT first, slots FROM run WHERE segment = ? ORDER BY number", (identity,)
    ):
        end = end + held if first == end else -1
    if end != slots:
        yield Fault(f"segment {identity}", "its runs do not add up: rebuild the index")
    own = np.frombuffer(lengths, dtype="<u4")
    if len(own) != slots or any(int(own[first : first + held].sum()) != tokens for first, held, tokens in sums):
        yield Fault(f"segment {identity}", "the lengths of passages do not add up: rebuild the index")
