"""The state of a corpus, and the check that finds any byte that changed behind our back."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from verified_gate.corpus.document import digest_of
from verified_gate.corpus.key import format_key
from verified_gate.corpus.reading import Stored, read_all, read_text, unfinished_erasures
from verified_gate.corpus.segment import SWEEP, Digest
from verified_gate.corpus.writing import record_digest
from verified_gate.ingest.document import Status
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

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
    versions of which bytes may still stand in the file or its log, though they were erased.
    """

    condition: Condition
    documents: dict[str, int]
    passages: int
    segments: int
    tokenizer: int
    checked: bool = False
    faults: tuple[Fault, ...] = field(default=())
    unfinished: tuple[str, ...] = ()


def read_status(connection: sqlite3.Connection, *, check: bool) -> CorpusStatus:
    """The state of the snapshot that `connection` reads; with `check` everything is hashed again."""
    stored = read_all(connection)
    (tokenizer,) = connection.execute("SELECT value FROM setting WHERE name = 'tokenizer'").fetchone()
    (segments,) = connection.execute("SELECT count(*) FROM segment").fetchone()
    current = [each for each in stored if each.status == Status.CURRENT]
    faults = tuple(find_faults(connection, stored)) if check else ()
    unfinished = unfinished_erasures(connection)
    condition: Condition = "ready"
    if faults:
        condition = "damaged"
    elif tokenizer != TOKENIZER_VERSION:
        condition = "not-indexed"
    elif not current:
        condition = "empty"
    elif any(each.listing.passages == 0 for each in current):
        condition = "partial"
    return CorpusStatus(
        condition=condition,
        documents=dict(sorted(Counter(str(each.status) for each in stored).items())),
        passages=sum(each.listing.passages for each in stored),
        segments=segments,
        tokenizer=tokenizer,
        checked=check,
        faults=faults,
        unfinished=unfinished,
    )


def find_faults(connection: sqlite3.Connection, stored: list[Stored]) -> Iterator[Fault]:
    """Every fault of pages, texts, passages and index."""
    for (line,) in connection.execute("PRAGMA quick_check(20)").fetchall():
        if line != "ok":
            yield Fault("file", "a page of the file is damaged")
    for table, *_ in connection.execute("PRAGMA foreign_key_check").fetchall():
        yield Fault(str(table), "a row leads to a row that is missing")
    for each in stored:
        yield from _text_faults(connection, each)
    yield from _placement_faults(connection, stored)
    for identity, digest, lengths in connection.execute("SELECT id, digest, lengths FROM segment").fetchall():
        yield from _segment_faults(connection, identity, digest, lengths)


def _text_faults(connection: sqlite3.Connection, stored: Stored) -> Iterator[Fault]:
    listing = stored.listing
    names = (listing.tenant or "", listing.document_id, listing.version)
    place = format_key(*names, 0).rpartition("#")[0]
    text = read_text(connection, stored.id, 0, stored.characters + 1)
    if digest_of(text).hex() != listing.text_sha256:
        yield Fault(place, "the stored text does not have its hash")
    rows = connection.execute(
        "SELECT position, start, length, sha256 FROM passage WHERE document = ? ORDER BY position", (stored.id,)
    ).fetchall()
    (record,) = connection.execute("SELECT record_sha256 FROM document WHERE id = ?", (stored.id,)).fetchone()
    if record_digest(connection, stored.id) != record:
        yield Fault(place, "labels, names or places are not those that were stored")
    if [row[0] for row in rows] != list(range(listing.passages)):
        yield Fault(place, "a passage is missing")
    for position, start, length, sha256 in rows:
        if digest_of(text[start : start + length]) != sha256:
            yield Fault(format_key(*names, position), "the passage does not have its pinned hash")


def _placement_faults(connection: sqlite3.Connection, stored: list[Stored]) -> Iterator[Fault]:
    """Every passage is in the index once, and the counts of what is live are right."""
    placed: Counter[int] = Counter()
    live: Counter[tuple[int, int]] = Counter()
    statuses = {each.id: each for each in stored}
    for segment, run, slots, document in connection.execute("SELECT segment, run, slots, document FROM placement"):
        placed[document] += slots
        if document in statuses and statuses[document].status == Status.CURRENT:
            live[segment, run] += slots
    for each in stored:
        if placed[each.id] != each.listing.passages:
            listing = each.listing
            place = format_key(listing.tenant or "", listing.document_id, listing.version, 0).rpartition("#")[0]
            yield Fault(place, "not every passage is in the index once")
    for segment, number, counted in connection.execute("SELECT segment, number, live FROM run"):
        if live[segment, number] != counted:
            yield Fault(f"segment {segment}", "the count of live passages is wrong")


def _segment_faults(connection: sqlite3.Connection, identity: int, digest: bytes, lengths: bytes) -> Iterator[Fault]:
    found = Digest(lengths)
    rows = connection.execute(
        "SELECT CAST(term AS BLOB), run, slots, counts FROM posting WHERE segment = ? ORDER BY term, run", (identity,)
    )
    while sweep := rows.fetchmany(SWEEP):
        terms, *columns = zip(*sweep, strict=True)
        found.add(b"\n".join([*terms, b""]), *columns)
    if found.digest() != digest:
        yield Fault(f"segment {identity}", "the postings do not have their hash: rebuild the index")
    sums = connection.execute(
        "SELECT first, slots, tokens FROM placement WHERE segment = ? ORDER BY first", (identity,)
    ).fetchall()
    own = np.frombuffer(lengths, dtype="<u4")
    if any(int(own[first : first + slots].sum()) != tokens for first, slots, tokens in sums):
        yield Fault(f"segment {identity}", "the lengths of passages do not add up: rebuild the index")
