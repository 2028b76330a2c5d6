"""Reading stored versions and passages for an actor. To a reader, forbidden and missing are the same: nothing."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from verified_gate.corpus.document import READABLE, Listing, groups_of
from verified_gate.corpus.key import Key, format_key
from verified_gate.corpus.place import decode_place, inside
from verified_gate.corpus.schema import BLOCK, MAX_BLOCKS
from verified_gate.ingest.document import Rules, Status
from verified_gate.model import Access, Actor, Location, Passage
from verified_gate.model.errors import CorpusError

FIELDS = (
    "document.id, document.tenant, name, version, status, title, lang, collection, passages, characters, text_sha256,"
    " file_sha256, audience.groups, reader, coverage, admission, purposes, local_only, effective_from, effective_to"
)
SPAN = "start, length, sha256, paragraph, first_line, last_line, heading, furniture, place, hidden"
"""Of a passage."""
Row = tuple[Any, ...]
_COLUMNS = f"{FIELDS} FROM document JOIN audience ON audience.id = audience"


_STATUSES = frozenset(Status)
_DAMAGED = "a damaged record: restore the file from a copy or ingest the documents again"


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored version without its text."""

    id: int
    access: Access
    status: Status
    characters: int
    listing: Listing

    def readable_by(self, actor: Actor | None) -> bool:
        """May `actor` see it, as current or as historic?"""
        return self.status in READABLE and self.access.permits(actor)


def stored_of(row: tuple[object, ...]) -> Stored:
    """A version from the columns `FIELDS`."""
    identity, tenant, name, version, status, title, lang, collection, passages, characters, text, file, *more = row
    groups, reader, coverage, admission, purposes, local_only, since, until = more
    if status not in _STATUSES:
        raise CorpusError(_DAMAGED)
    try:
        rules = _rules(str(admission), str(purposes), bool(local_only), str(since), str(until))
    except ValueError:
        raise CorpusError(_DAMAGED) from None
    listing = Listing(
        document_id=str(name),
        version=str(version),
        tenant=str(tenant) or None,
        status=Status(str(status)),
        title=str(title),
        lang=str(lang),
        collection=str(collection),
        passages=int(passages),  # type: ignore[call-overload]
        text_sha256=bytes(text).hex(),  # type: ignore[call-overload]
        file_sha256=None if file is None else bytes(file).hex(),  # type: ignore[call-overload]
        reader=str(reader),
        coverage=coverage,  # type: ignore[arg-type]
        rules=rules,
    )
    access = _access(listing.tenant, str(groups))
    return Stored(int(identity), access, listing.status, int(characters), listing)  # type: ignore[call-overload]


@lru_cache(maxsize=1_000)
def _rules(admission: str, purposes: str, local_only: bool, since: str, until: str) -> Rules:  # noqa: FBT001
    """The same few rules hold for most documents. Raises `ValueError`."""
    return Rules(admission, groups_of(purposes), local_only, since, until)  # type: ignore[arg-type]


@lru_cache(maxsize=1_000)
def _access(tenant: str | None, groups: str) -> Access:
    return Access(tenant, groups_of(groups))


def read_version(connection: sqlite3.Connection, tenant: str, name: str, version: str) -> Stored | None:
    """The version with this name, whoever may read it."""
    row = connection.execute(
        f"SELECT {_COLUMNS} WHERE document.tenant = ? AND name = ? AND version = ?",
        (tenant, name, version),
    ).fetchone()
    return None if row is None else stored_of(row)


def read_current(connection: sqlite3.Connection, tenant: str, name: str) -> Stored | None:
    """The current version of a document, whoever may read it."""
    row = connection.execute(
        f"SELECT {_COLUMNS} WHERE document.tenant = ? AND name = ? AND status = 'current'",
        (tenant, name),
    ).fetchone()
    return None if row is None else stored_of(row)


def read_readable(
    connection: sqlite3.Connection, actor: Actor | None, document_ids: Collection[str] | None = None
) -> list[Stored]:
    """Every version that `actor` may read, in the order of `read_all`; of `document_ids` alone, if given. Versions of other audiences are not looked at: how
    many there are would show in the time it takes.
    """
    labels = connection.execute(
        "SELECT id, tenant, groups FROM audience WHERE tenant IN ('', ?)", ((actor.tenant if actor else None) or "",)
    )
    audiences = [
        number for number, tenant, groups in labels if Access(tenant or None, groups_of(groups)).permits(actor)
    ]
    rows = connection.execute(
        f"SELECT {_COLUMNS} WHERE document.audience IN (SELECT value FROM json_each(?1)) AND status IN"  # noqa: S608
        " ('current', 'superseded') AND (?2 IS NULL OR name IN (SELECT value FROM json_each(?2)))"
        " ORDER BY document.tenant, name, version",
        (json.dumps(audiences), None if document_ids is None else json.dumps(sorted(document_ids))),
    )
    return [stored for stored in map(stored_of, rows) if stored.readable_by(actor)]


def read_all(connection: sqlite3.Connection) -> list[Stored]:
    """Every version, ordered by tenant, id and version."""
    rows = connection.execute(f"SELECT {_COLUMNS} ORDER BY document.tenant, name, version")
    return [stored_of(row) for row in rows]


def erased_versions(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Names of all erased versions, as their keys begin."""
    rows = connection.execute("SELECT tenant, name, version FROM tombstone ORDER BY 1, 2, 3")
    return tuple(format_key(tenant, name, version, 0).rpartition("#")[0] for tenant, name, version in rows)


def unfinished_erasures(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Names of erased versions of which bytes may still stand somewhere."""
    rows = connection.execute("SELECT tenant, name, version FROM tombstone WHERE finished = 0 ORDER BY 1, 2, 3")
    return tuple(format_key(tenant, name, version, 0).rpartition("#")[0] for tenant, name, version in rows)


_PERMITTED = (
    f"SELECT {_COLUMNS} WHERE document.tenant = ? AND name = ? AND version = ?"  # noqa: S608  # of constants
    " AND document.tenant IN ('', ?) AND status IN ('current', 'superseded') AND (audience.groups = '' OR EXISTS"
    " (SELECT 1 FROM json_each(?) WHERE instr(char(10) || audience.groups || char(10), char(10) || value || char(10))))"
)


def readable(
    connection: sqlite3.Connection, key: Key | None, actor: Actor | None, statuses: Collection[Status] = READABLE
) -> Stored | None:
    """The version that `key` names, if `actor` may read it and its status is one of `statuses`.

    What may not be read is not even fetched, so that it takes as long as what is not there; the rule itself is asked
    here all the same.
    """
    if key is None or (actor is not None and not actor.active):
        return None
    groups = json.dumps(sorted(actor.groups)) if actor is not None else "[]"
    tenant = (actor.tenant if actor is not None else None) or ""
    row = connection.execute(_PERMITTED, (key.tenant, key.document_id, key.version, tenant, groups)).fetchone()
    if row is None:
        return None
    stored = stored_of(row)
    return stored if stored.status in statuses and stored.readable_by(actor) else None


def read_text(connection: sqlite3.Connection, identity: int, start: int, end: int) -> str:
    """Code points `start` to `end` of a stored text; shorter where the store has lost some of it.

    A damaged byte becomes a lone surrogate, which no hash of ours matches, instead of a fault.
    """
    blocks = _blocks(identity, start, end)
    pieces = connection.execute(
        "SELECT CAST(text AS BLOB) FROM block WHERE id BETWEEN ? AND ? ORDER BY id", (blocks[0], blocks[-1])
    ).fetchall()
    return _cut_out([piece for (piece,) in pieces], start, end)


def _blocks(identity: int, start: int, end: int) -> range:
    first = identity * MAX_BLOCKS
    return range(first + start // BLOCK, first + max(end - 1, start) // BLOCK + 1)


def _cut_out(pieces: Iterable[bytes], start: int, end: int) -> str:
    offset = start % BLOCK
    return b"".join(pieces).decode("utf-8", "surrogateescape")[offset : offset + end - start]


def read_whole(connection: sqlite3.Connection, stored: Stored) -> Passage:
    """The whole text of a version as one passage without a key, with what its passages mark in it."""
    marks: dict[str, set[tuple[int, int]]] = {"furniture": set(), "hidden": set()}
    rows = connection.execute("SELECT start, furniture, hidden FROM passage WHERE document = ?", (stored.id,))
    for start, *columns in rows:
        for name, spans in zip(marks, columns, strict=True):
            marks[name].update((start + begin, start + stop) for begin, stop in (json.loads(spans) if spans else ()))
    return Passage(
        key="",
        text=read_text(connection, stored.id, 0, stored.characters),
        document_id=stored.listing.document_id,
        version=stored.listing.version,
        start=0,
        furniture=tuple(sorted(marks["furniture"])),
        hidden=tuple(sorted(marks["hidden"])),
    )


def read_passage(connection: sqlite3.Connection, stored: Stored, position: int) -> Passage | None:
    """A passage with its pins as they were stored at ingest; nothing is hashed here."""
    row = connection.execute(
        f"SELECT {SPAN} FROM passage WHERE document = ? AND position = ?",  # noqa: S608  # of constants
        (stored.id, position),
    ).fetchone()
    return None if row is None else passages_of(connection, [(stored, position, row)])[0]


def passages_of(connection: sqlite3.Connection, places: Sequence[tuple[Stored, int, Row]]) -> list[Passage]:
    """Passages with their texts, from their versions, positions and columns `SPAN`."""
    wanted = [_blocks(stored.id, row[0], row[0] + row[1]) for stored, _, row in places]
    held = dict(
        connection.execute(
            "SELECT block.id, CAST(text AS BLOB) FROM json_each(?) CROSS JOIN block ON block.id = value",
            (json.dumps(list(chain.from_iterable(wanted))),),
        )
    )
    return [
        _passage(stored, position, row, _cut_out((held.get(block, b"") for block in blocks), row[0], row[0] + row[1]))
        for (stored, position, row), blocks in zip(places, wanted, strict=True)
    ]


def _passage(stored: Stored, position: int, row: Row, text: str) -> Passage:
    start, length, sha256, paragraph, first_line, last_line, heading, furniture, place, hidden = row
    listing = stored.listing
    whole = Location(tuple(json.loads(heading)) if heading else (), paragraph, first_line, last_line)
    whole, turns = decode_place(whole, place)
    return Passage(
        key=format_key(listing.tenant or "", listing.document_id, listing.version, position),
        text=text,
        document_id=listing.document_id,
        title=listing.title,
        version=listing.version,
        start=start,
        sha256=sha256.hex(),
        text_sha256=listing.text_sha256,
        file_sha256=listing.file_sha256,
        lang=listing.lang,
        location=whole,
        furniture=inside(json.loads(furniture), length) if furniture else (),
        hidden=inside(json.loads(hidden), length) if hidden else (),
        turns=turns,
        admission=listing.rules.admission,
        coverage=listing.coverage,
        local_only=listing.rules.local_only,
    )
