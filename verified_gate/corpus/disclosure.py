"""May these passages leave now? Decided from what is committed at the moment of asking, in the caller's transaction."""

import sqlite3
from collections.abc import Collection

from verified_gate.corpus.document import digest_of
from verified_gate.corpus.key import parse_key
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.reading import read_text, readable
from verified_gate.ingest.document import Status
from verified_gate.model import Actor, ReasonCode


def decide(
    connection: sqlite3.Connection, pin: Pin, actor: Actor | None, statuses: Collection[Status]
) -> ReasonCode | None:
    """Why the passage of `pin` may not leave, or None. The order of the steps is the order of precedence:

    1. gone, or this actor may not read it: `unavailable`, whatever else holds;
    2. a status that was not asked for: `superseded`;
    3. the pin stored at ingest is another than the delivered one, or the passage stands elsewhere now: `source_changed`;
    4. the stored text does not have the pin: `integrity_failure`.
    """
    key = parse_key(pin.key)
    stored = readable(connection, key, actor)
    if key is None or stored is None or (pin.document_id, pin.version) != (key.document_id, key.version):
        return ReasonCode.UNAVAILABLE
    row = connection.execute(
        "SELECT start, length, sha256 FROM passage WHERE document = ? AND position = ?", (stored.id, key.position)
    ).fetchone()
    if row is None:
        return ReasonCode.UNAVAILABLE
    if stored.status not in statuses:
        return ReasonCode.SUPERSEDED
    start, length, sha256 = row
    moved = pin.start not in (None, start) or pin.text_sha256 not in (None, stored.listing.text_sha256)
    if moved or sha256.hex() != pin.passage_sha256:
        return ReasonCode.SOURCE_CHANGED
    if digest_of(read_text(connection, stored.id, start, start + length)) != sha256:
        return ReasonCode.INTEGRITY_FAILURE
    return None
