"""What the limits of a request mean for stored versions: once as conditions for a search, once for a single version.

To a request, a version outside of its limits is as if absent. Limits choose among what the actor may read; they are
filters and change no count behind a score. Private collections are kept from what is searched, listed and released
unless `only` names them; a key or a citation names its document, and is not kept from it by them.

In force. A version may state the first day on which it is in force, and the first on which it no longer is; what is
not stated is without end. For today (UTC, also where no day is asked for) and for days to come it is the current
version, where the day is one of its own. For a day before it is, of the versions whose days hold it, the one that
begins last; where two begin alike, the current one, then the one stored last. A superseded version that states no day is
in force on none: nobody said when it was. One that was withdrawn or erased keeps its days from older ones, and is not shown.
"""

import json
import sqlite3
from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Final

from verified_gate.corpus.document import READABLE
from verified_gate.corpus.key import Key
from verified_gate.corpus.reading import FIELDS, Stored, read_readable, readable, stored_of
from verified_gate.ingest.document import Status
from verified_gate.model import Actor
from verified_gate.retrieval.protocol import Constraints

LIMITED: Final = "(purposes <> '' OR local_only <> 0 OR effective_from <> '' OR effective_to <> '')"
"""The condition of the index `document_limited`, word for word, without which SQLite does not use it."""

_HOLDS: Final = "({0}.effective_from <= :day AND ({0}.effective_to = '' OR :day < {0}.effective_to))"
_STATED: Final = "({0}.status = 'current' OR {0}.effective_from <> '' OR {0}.effective_to <> '')"
_NOW: Final = f"document.status = 'current' AND {_HOLDS.format('document')}"
_THEN: Final = (
    f"document.status IN ('current', 'superseded') AND {_HOLDS.format('document')}"  # noqa: S608  # of constants
    f" AND {_STATED.format('document')}"
    " AND NOT EXISTS (SELECT 1 FROM document AS other WHERE other.tenant = document.tenant"
    " AND other.name = document.name AND other.status <> 'draft'"
    " AND other.audience = document.audience"  # of others nothing may show, not even in what is in force
    f" AND {_HOLDS.format('other')} AND {_STATED.format('other')}"
    " AND (other.effective_from, other.status = 'current', other.id)"
    " > (document.effective_from, document.status = 'current', document.id))"
    " AND NOT EXISTS (SELECT 1 FROM tombstone AS gone WHERE gone.tenant = document.tenant"
    " AND gone.name = document.name AND gone.audience = document.audience"
    f" AND {_HOLDS.format('gone')} AND (gone.effective_from <> '' OR gone.effective_to <> '')"
    " AND (gone.effective_from, 0, gone.number)"
    " > (document.effective_from, document.status = 'current', document.id))"
)


def today() -> date:
    """The day of requests that name none."""
    return datetime.now(UTC).date()


def is_past(constraints: Constraints) -> bool:
    """Is a day asked for on which another than the current version may have been in force?"""
    return constraints.as_of is not None and constraints.as_of < today()


def force_condition(constraints: Constraints) -> tuple[str, dict[str, str]]:
    """The condition that a `document` is the version in force, with its named values."""
    day = constraints.as_of or today()
    return _THEN if is_past(constraints) else _NOW, {"day": day.isoformat()}


def limit_condition(constraints: Constraints, private: Collection[str]) -> tuple[str, dict[str, str]]:
    """All other limits as a condition on `document`, with its named values; `private` are the private collections."""
    values: dict[str, str] = {}
    parts = ["purposes = ''"]
    if constraints.purpose is not None and constraints.purpose.isprintable():  # no stored name is otherwise
        parts = ["(purposes = '' OR instr(char(10) || purposes || char(10), char(10) || :purpose || char(10)) > 0)"]
        values["purpose"] = constraints.purpose
    if constraints.remote:
        parts.append("local_only = 0")
    if constraints.only is not None:
        parts.append("collection IN (SELECT value FROM json_each(:only))")
        values["only"] = json.dumps(sorted(constraints.only))
    elif private:
        parts.append("collection NOT IN (SELECT value FROM json_each(:private))")
        values["private"] = json.dumps(sorted(private))
    return " AND ".join(parts), values


def private_collections(connection: sqlite3.Connection) -> frozenset[str]:
    """Names of the collections that are searched only where they are named."""
    return frozenset(name for (name,) in connection.execute("SELECT name FROM private_collection"))


def allows(constraints: Constraints, stored: Stored, private: Collection[str] = ()) -> bool:
    """Is the version within all limits but those of time? Without `private`, none is: it was named by its key."""
    rules, collection = stored.listing.rules, stored.listing.collection
    if rules.purposes and constraints.purpose not in rules.purposes:
        return False
    if constraints.remote and rules.local_only:
        return False
    return collection not in private if constraints.only is None else collection in constraints.only


def in_force(connection: sqlite3.Connection, constraints: Constraints, stored: Stored) -> bool:
    """Is the version in force on the day of the request?"""
    rules = stored.listing.rules
    if (
        stored.status == Status.CURRENT
        and not rules.effective_from
        and not rules.effective_to
        and not is_past(constraints)
    ):
        return True
    if stored.status not in READABLE:
        return False
    condition, values = force_condition(constraints)
    row = connection.execute(
        f"SELECT 1 FROM document WHERE document.id = :id AND {condition}",  # noqa: S608  # of constants
        {**values, "id": stored.id},
    ).fetchone()
    return row is not None


def read_in_force(
    connection: sqlite3.Connection, constraints: Constraints, tenant: str, name: str, actor: Actor | None
) -> Stored | None:
    """The version of a document that is in force on the day of the request and that `actor` may read, if there is one."""
    condition, values = force_condition(constraints)
    rows = connection.execute(
        f"SELECT {FIELDS} FROM document JOIN audience ON audience.id = audience"  # noqa: S608  # of constants
        f" WHERE document.tenant = :tenant AND document.name = :name AND {condition} ORDER BY document.id DESC",
        {**values, "tenant": tenant, "name": name},
    )
    return next((stored for stored in map(stored_of, rows) if stored.readable_by(actor)), None)


def named(
    connection: sqlite3.Connection, key: Key | None, actor: Actor | None, constraints: Constraints
) -> Stored | None:
    """The version that a key names, if `actor` may read it and the request's limits allow it."""
    stored = readable(connection, key, actor)
    return stored if stored is not None and allows(constraints, stored) else None


def listed(
    connection: sqlite3.Connection,
    actor: Actor | None,
    constraints: Constraints,
    document_ids: Collection[str] | None = None,
) -> list[Stored]:
    """The versions, of `document_ids` if given, that `actor` may read and the request's limits allow, in the order of
    `read_readable`.
    """
    private = private_collections(connection)
    return [stored for stored in read_readable(connection, actor, document_ids) if allows(constraints, stored, private)]
