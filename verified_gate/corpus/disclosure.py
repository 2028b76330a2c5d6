"""May these passages leave now? Decided from what is committed at the moment of asking, in the caller's transaction."""

import json
import sqlite3
from collections.abc import Collection

from verified_gate.corpus.document import digest_of
from verified_gate.corpus.key import parse_key
from verified_gate.corpus.limits import allows, in_force
from verified_gate.corpus.place import inside
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.reading import Stored, read_text, readable
from verified_gate.ingest.document import Status
from verified_gate.model import Actor, ReasonCode
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints


def decide(
    connection: sqlite3.Connection,
    pin: Pin,
    actor: Actor | None,
    statuses: Collection[Status],
    constraints: Constraints = UNCONSTRAINED,
    private: Collection[str] = (),
) -> ReasonCode | None:
    """Why the passage of `pin` may not leave, or None. `private` are the collections that are. The order of the steps is
    the order of precedence:

    1. gone, or this actor may not read it, or it is outside of the request's limits: `unavailable`, whatever else holds;
    2. a status that was not asked for, or not in force on the day of the request: `superseded`;
    3. the pin stored at ingest is another than the delivered one, or the passage stands elsewhere now, or is marked
       otherwise (a summary, hidden words): `source_changed`;
    4. the stored text does not have the pin: `integrity_failure`.
    """
    key = parse_key(pin.key)
    stored = readable(connection, key, actor)
    if key is None or stored is None or (pin.document_id, pin.version) != (key.document_id, key.version):
        return ReasonCode.UNAVAILABLE
    if not allows(constraints, stored, private):
        return ReasonCode.UNAVAILABLE
    row = connection.execute(
        "SELECT start, length, sha256, hidden FROM passage WHERE document = ? AND position = ?",
        (stored.id, key.position),
    ).fetchone()
    if row is None:
        return ReasonCode.UNAVAILABLE
    if not _is_wanted(connection, stored, statuses, constraints):
        return ReasonCode.SUPERSEDED
    start, length, sha256, hidden = row
    moved = pin.start not in (None, start) or pin.text_sha256 not in (None, stored.listing.text_sha256)
    unseen = inside(json.loads(hidden), length) if hidden else ()
    marked = pin.marks not in (None, (stored.listing.rules.admission, unseen))
    if moved or marked or sha256.hex() != pin.passage_sha256:
        return ReasonCode.SOURCE_CHANGED
    if digest_of(read_text(connection, stored.id, start, start + length)) != sha256:
        return ReasonCode.INTEGRITY_FAILURE
    return None


def _is_wanted(
    connection: sqlite3.Connection, stored: Stored, statuses: Collection[Status], constraints: Constraints
) -> bool:
    """A request for a day, or for the current version alone, wants what is in force then; one for historic evidence asks
    for the status alone.
    """
    if constraints.as_of is not None or set(statuses) == {Status.CURRENT}:
        return in_force(connection, constraints, stored)
    return stored.status in statuses
