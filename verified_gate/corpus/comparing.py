"""Is a document stored already, and as it would be now? Told apart: another text or label, and another reader."""

import json
import sqlite3
from typing import Any, Literal, NamedTuple

from verified_gate.corpus.document import Document, as_admitted, digest_of, labels_of
from verified_gate.corpus.place import encode_place
from verified_gate.ingest.document import Rules
from verified_gate.ingest.formats.rules import is_current


class Match(NamedTuple):
    """The stored version of a document's name.

    `same`: as it would be stored now. `renamed`: as `same`, but that another reader gave it. `outdated`: of the same file
    under the same labels, as a reader that is not the one of now read it, which was otherwise. `changed`: all else.
    """

    id: int
    state: Literal["same", "renamed", "outdated", "changed"]


def match(connection: sqlite3.Connection, document: Document) -> Match | None:
    """What is stored of this tenant, id and version; None where nothing is. `document` is as it would be stored."""
    row = connection.execute(
        "SELECT document.id, reader, title, lang, text_sha256, coverage, file_sha256, collection, audience.groups,"
        " admission, purposes, local_only, effective_from, effective_to"
        " FROM document JOIN audience ON audience.id = audience"
        " WHERE document.tenant = ? AND name = ? AND version = ?",
        document.name,
    ).fetchone()
    if row is None:
        return None
    identity, reader = int(row[0]), row[1]
    # a version that was superseded, withdrawn or revoked since then is not made current by reading its file again
    labels = (document.collection, labels_of(document.access.groups), *stored_rules(document.rules))
    if row[6:] != (file_digest(document), *labels):
        return Match(identity, "changed")
    alike = row[2:6] == (document.title, document.lang, digest_of(document.text), document.coverage)
    if reader == document.reader:
        return Match(identity, "same" if alike and _spans(connection, identity) == _wanted(document) else "changed")
    if alike and _is_whole(connection, identity, document):
        return Match(identity, "renamed")
    outdated = document.file_sha256 is not None and not is_current(reader)
    return Match(identity, "outdated" if outdated else "changed")


def is_stored(connection: sqlite3.Connection, document: Document) -> bool:
    """Is this version stored as it would be now, whichever reader read it?"""
    found = match(connection, as_admitted(document))
    return found is not None and found.state in ("same", "renamed")


def stored_rules(rules: Rules) -> tuple[str, str, int, str, str]:
    """The columns `admission` to `effective_to`."""
    purposes = labels_of(rules.purposes)
    return (rules.admission, purposes, int(rules.local_only), rules.effective_from, rules.effective_to)


def file_digest(document: Document) -> bytes | None:
    """The column `file_sha256`."""
    return None if document.file_sha256 is None else bytes.fromhex(document.file_sha256)


def passage_rows(document: Document) -> list[tuple[Any, ...]]:
    """The rows of `passage`, each without its document."""
    text = document.text
    return [
        (
            position,
            span.start,
            span.end - span.start,
            digest_of(text[span.start : span.end]),
            span.location.paragraph,
            span.location.first_line,
            span.location.last_line,
            json.dumps(span.location.heading, ensure_ascii=False) if span.location.heading else "",
            json.dumps(span.furniture) if span.furniture else "",
            encode_place(span.location, span.turns),
            json.dumps(span.hidden) if span.hidden else "",
        )
        for position, span in enumerate(document.spans)
    ]


def page_rows(document: Document) -> list[tuple[Any, ...]]:
    """The rows of `page`, each without its document."""
    return [
        (page.number, page.label, page.start, page.end - page.start, page.coverage, "\n".join(page.lost))
        for page in document.pages
    ]


def _spans(connection: sqlite3.Connection, identity: int) -> list[tuple[int, int]]:
    return connection.execute(
        "SELECT start, start + length FROM passage WHERE document = ? ORDER BY position", (identity,)
    ).fetchall()


def _wanted(document: Document) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in document.spans]


def _is_whole(connection: sqlite3.Connection, identity: int, document: Document) -> bool:
    """Are all passages and pages stored as they would be now, with their places and what is marked in them?"""
    passages = connection.execute(
        "SELECT position, start, length, sha256, paragraph, first_line, last_line, heading, furniture, place, hidden"
        " FROM passage WHERE document = ? ORDER BY position",
        (identity,),
    )
    pages = connection.execute(
        "SELECT number, label, start, length, coverage, lost FROM page WHERE document = ? ORDER BY number", (identity,)
    )
    return passages.fetchall() == passage_rows(document) and pages.fetchall() == page_rows(document)
