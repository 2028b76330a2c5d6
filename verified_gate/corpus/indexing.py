"""Building the index of documents: as few segments as hold them, and the whole anew from the stored texts."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from verified_gate.corpus.place import context_of, decode_place, seen_of
from verified_gate.corpus.reading import read_text
from verified_gate.corpus.segment import NOTHING, Builder, Part, Postings, write_segment
from verified_gate.corpus.tally import setting_of
from verified_gate.ingest.document import Status
from verified_gate.model import Location
from verified_gate.model.errors import CorpusError
from verified_gate.retrieval.tokens import TOKENIZER_VERSION, pieces


@dataclass(frozen=True, slots=True)
class Indexed:
    """What of a version goes into the index."""

    identity: int
    name: tuple[str, str, str]
    groups: str
    audience: int
    live: bool
    title: str
    passages: Sequence[tuple[Sequence[str], str]]
    """What stands above (headings, the headers of cells), and the text that is seen."""


def index_documents(connection: sqlite3.Connection, documents: Iterable[Indexed], epoch: int) -> None:
    """Index the passages of `documents` in as few segments as hold them, inside the caller's transaction."""
    for parts, postings in segments_of(documents):
        write_segment(connection, epoch, parts, [postings])


def segments_of(documents: Iterable[Indexed]) -> Iterator[tuple[list[Part], Postings]]:
    """As few segments as hold the passages of `documents`, one after another."""
    builder = Builder()
    for document in documents:
        position = 0
        while position < len(document.passages):
            if not builder.free:
                yield builder.built()
                builder = Builder()
            chosen = document.passages[position : position + builder.free]
            part = Part(
                live=document.live,
                label=(document.name[0], document.groups),
                audience=document.audience,
                name=document.name,
                position=position,
                document=document.identity,
                lengths=NOTHING,
            )
            builder.add(part, (_searched(document.title, heading, text) for heading, text in chosen))
            position += len(chosen)
    if not builder.empty:
        yield builder.built()


def _searched(title: str, heading: Sequence[str], text: str) -> list[str]:
    """What a passage is found by, in pieces: its title and the headings above it count as its words."""
    above = dict.fromkeys((title, *heading))
    return [piece for part in above if part for piece in pieces(part)] + pieces(text)


def require_tokenizer(connection: sqlite3.Connection) -> None:
    """Raise `CorpusError` where another version of the tokenizer built the index: its words are not ours."""
    version = setting_of(connection, "tokenizer")
    if version != TOKENIZER_VERSION:
        raise CorpusError(
            f"the index was built by tokenizer {version}, and this package has {TOKENIZER_VERSION}: build it anew with "
            "`verified-gate optimize` or `store.operator.rebuild()`; texts and citations are not touched"
        )


def stored_versions(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """Every stored version, in the order in which they are indexed; for `stored_document`."""
    return connection.execute(
        "SELECT document.id, document.tenant, name, version, groups, audience, status, title, characters"
        " FROM document JOIN audience ON audience.id = audience"
        " ORDER BY status <> 'current', document.tenant, groups, name, version"
    ).fetchall()


def stored_document(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Indexed:
    """What of a stored version goes into the index, with its text."""
    identity, tenant, name, version, groups, audience, status, title, characters = row
    text = read_text(connection, identity, 0, characters)
    rows = connection.execute(
        "SELECT heading, place, hidden, start, start + length FROM passage WHERE document = ? ORDER BY position",
        (identity,),
    )
    passages = []
    for heading, place, hidden, start, end in rows:
        location = Location(heading=tuple(json.loads(heading)) if heading else ())
        seen = seen_of(text[start:end], json.loads(hidden) if hidden else ())
        passages.append((context_of(seen, *decode_place(location, place)), seen))
    return Indexed(identity, (tenant, name, version), groups, audience, status == Status.CURRENT, title, passages)
