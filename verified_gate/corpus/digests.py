"""Digests over all that is stored of a version, and of one that was erased: kept by who writes it, made anew by a check."""

import json
import sqlite3
from collections.abc import Sequence

from verified_gate.corpus.document import digest_of

TOMBSTONE = (
    "tenant, name, version, hex(text_sha256), erased, finished, records, number, audience, effective_from, effective_to"
)


def tombstone_digest(row: Sequence[object]) -> bytes:
    """SHA-256 over all that a tombstone says, the columns `TOMBSTONE`."""
    return digest_of(json.dumps(list(row)))


_RULES = "reader, coverage, admission, purposes, local_only, effective_from, effective_to"
_NO_RULES = ("", "complete", "full_text", "", 0, "", "")


def record_digest(connection: sqlite3.Connection, identity: int) -> bytes:
    """SHA-256 over all that is stored of a version but its text and its status: labels, names, places, pins."""
    labels = connection.execute(
        "SELECT document.tenant, name, version, audience.tenant, groups, title, lang, collection, passages, characters,"  # noqa: S608
        f" hex(text_sha256), hex(file_sha256), {_RULES} FROM document JOIN audience ON audience.id = audience"
        " WHERE document.id = ?",
        (identity,),
    ).fetchall()
    rules, labels = [row[12:] for row in labels], [row[:12] for row in labels]
    places = connection.execute(
        "SELECT position, start, length, hex(sha256), paragraph, first_line, last_line, heading, furniture"
        " FROM passage WHERE document = ? ORDER BY position",
        (identity,),
    ).fetchall()
    # what schema 1 did not have counts where there is any, so that the digests of its versions hold
    more = connection.execute(
        "SELECT position, place, hidden FROM passage WHERE document = ? AND (place <> '' OR hidden <> '')"
        " ORDER BY position",
        (identity,),
    ).fetchall()
    pages = connection.execute(
        "SELECT number, label, start, length, coverage, lost FROM page WHERE document = ? ORDER BY number", (identity,)
    ).fetchall()
    later = [rules, more, pages] if [rules, more, pages] != [[_NO_RULES], [], []] else []
    return digest_of(json.dumps([labels, places, *later]))
