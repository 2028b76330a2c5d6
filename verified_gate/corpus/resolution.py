"""What a citation of an earlier answer is worth now. The citation is untrusted: it is checked like a proposal.

A hostile dictionary gives a status and never an exception. Nothing is looked for fuzzily: where the words moved, they
are found in the current version only if exactly the same words stand there once.
"""

import json
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from verified_gate.corpus.document import digest_of
from verified_gate.corpus.key import Key, parse_key
from verified_gate.corpus.limits import allows, in_force, private_collections, read_in_force
from verified_gate.corpus.reading import Stored, read_passage, read_text, readable
from verified_gate.model import Actor, Admission, Coverage, Location, Passage
from verified_gate.model.citation import place_of
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints
from verified_gate.text.borders import splits_token

ResolutionStatus = Literal["current", "historic", "source_changed", "reader_changed", "quote_mismatch", "unavailable"]

MAX_KEYS: Final = 100
MAX_FOUND: Final = 1_000
"""Places that are looked at in the current version; a text that repeats itself more often answers nothing."""

_BREAK: Final = re.compile(r"\r\n|[\n\r]")


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """A span of a stored version, cut from the store now. Offsets are code points in the document's text."""

    key: str
    document_id: str
    title: str
    version: str
    start: int
    end: int
    quote: str
    passage_sha256: str
    text_sha256: str
    file_sha256: str | None
    location: Location
    admission: Admission = "full_text"
    coverage: Coverage = "complete"

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        place = self.location
        return {
            "key": self.key,
            "document_id": self.document_id,
            "title": self.title,
            "version": self.version,
            "start": self.start,
            "end": self.end,
            "offsets": "document",
            "quote": self.quote,
            "passage_sha256": self.passage_sha256,
            "text_sha256": self.text_sha256,
            "file_sha256": self.file_sha256,
            "heading": list(place.heading),
            "paragraph": place.paragraph,
            "first_line": place.first_line,
            "last_line": place.last_line,
            **{name: getattr(place, name) for name in _PLACE},
            "row_heading": list(place.row_heading),
            "columns": list(place.columns),
            "admission": self.admission,
            "coverage": self.coverage,
        }

    def __repr__(self) -> str:
        return f"<ResolvedCitation {self.key} document {self.start}-{self.end}>"


@dataclass(frozen=True, slots=True)
class Resolution:
    """The state of a cited place.

    `current`: the cited words stand where they stood, in the version that is in force. `historic`: they do, in a
    version that is not; `current` is then the place in the version in force where exactly the same words stand,
    if they stand there once and the actor may read it. `source_changed`: the text under this version is another.
    `reader_changed`: so it is, and the file that it was read from is the cited one, which reads otherwise now. `quote_mismatch`: the citation does not describe a place that it can have come from. `unavailable`: gone, or this
    actor may not read it. `citation` is set for current and historic alone.
    """

    status: ResolutionStatus
    citation: ResolvedCitation | None = None
    current: ResolvedCitation | None = None

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "status": self.status,
            "citation": None if self.citation is None else self.citation.to_dict(),
            "current": None if self.current is None else self.current.to_dict(),
        }


_PLACE: Final = ("page", "last_page", "page_label", "last_page_label", "element", "chapter", "row", "last_row")
_NAMES: Final = (
    *("key", "keys", "document_id", "version", "title", "start", "end", "offsets", "quote"),
    *("passage_sha256", "sha256", "text_sha256", "file_sha256"),
    *("heading", "paragraph", "first_line", "last_line", "row_heading", "columns", "admission", "coverage", *_PLACE),
)


def fields_of(citation: object) -> Mapping[str, Any]:
    """The members of a citation, or of its `to_dict()`, of the types that JSON has; one of another type becomes
    `...`, which equals nothing that is stored. Empty where there is nothing that can be read.
    """
    try:
        if not isinstance(citation, Mapping):
            citation = citation.to_dict()  # type: ignore[attr-defined]
        given: Any = citation
        members = {name: given[name] for name in _NAMES if name in given}
    except Exception:  # noqa: BLE001  # whatever a hostile object raises, it names nothing
        return {}
    return {name: value if _is_plain(value) else ... for name, value in members.items()}


def _is_plain(value: object) -> bool:
    if type(value) in (list, tuple):
        return len(value) <= MAX_KEYS and all(type(part) is str for part in value)  # type: ignore[arg-type,attr-defined]
    return value is None or type(value) in (str, int)


def resolve_fields(
    connection: sqlite3.Connection,
    fields: Mapping[str, Any],
    actor: Actor | None,
    constraints: Constraints = UNCONSTRAINED,
) -> Resolution:
    """Resolve in the caller's read transaction. Access and limits are asked first, and again for the version in force."""
    key = parse_key(fields.get("key"))
    stored = readable(connection, key, actor)
    if key is None or stored is None or not allows(constraints, stored):
        return Resolution("unavailable")
    passage = read_passage(connection, stored, key.position)
    if passage is None:
        return Resolution("unavailable")
    if not _same_source(fields, passage):
        return Resolution("reader_changed" if _same_file(fields, passage) else "source_changed")
    span = _span(connection, fields, key, stored, passage)
    if span is None or not _can_be_quoted(connection, stored, passage, *span):
        return Resolution("quote_mismatch")
    citation = _resolved(connection, stored, passage, *span, fields["quote"])
    if not _describes(fields, passage, citation):
        return Resolution("quote_mismatch")
    if in_force(connection, constraints, stored):
        return Resolution("current", citation)
    return Resolution("historic", citation, _again(connection, key, stored, actor, fields["quote"], constraints))


def _same_source(fields: Mapping[str, Any], passage: Passage) -> bool:
    """The cited hashes are the stored ones, and the stored text has them."""
    pins = [fields.get(name) for name in ("passage_sha256", "sha256") if name in fields]
    if not pins or any(pin != passage.sha256 for pin in pins):
        return False
    if fields.get("text_sha256") not in (None, passage.text_sha256):
        return False
    return digest_of(passage.text).hex() == passage.sha256


def _same_file(fields: Mapping[str, Any], passage: Passage) -> bool:
    """The cited text is not the stored one, and both were read from one file, as far as it is kept: by two readers."""
    if passage.file_sha256 is None or passage.admission == "metadata_only":
        return False
    same = (fields.get("file_sha256"), fields.get("admission", passage.admission))
    other = fields.get("text_sha256") not in (None, passage.text_sha256)
    return other and same == (passage.file_sha256, passage.admission)


def _span(
    connection: sqlite3.Connection, fields: Mapping[str, Any], key: Key, stored: Stored, passage: Passage
) -> tuple[int, int] | None:
    """The cited span in the document, if exactly the cited quote stands there, inside the cited passages."""
    start, end, quote = fields.get("start"), fields.get("end"), fields.get("quote")
    if type(start) is not int or type(end) is not int or not isinstance(quote, str) or len(quote) != end - start:
        return None
    assert passage.start is not None
    if fields.get("offsets", "document") == "passage":
        start, end = start + passage.start, end + passage.start
    elif fields.get("offsets", "document") != "document":
        return None
    low, high = passage.start, passage.start + len(passage.text)
    if not (start < end and start < high and low < end):
        return None
    if not low <= start <= end <= high:
        reach = _reach(connection, fields.get("keys"), key, stored)
        if reach is None or not reach[0] <= start <= end <= reach[1]:
            return None
    return (start, end) if read_text(connection, stored.id, start, end) == quote else None


def _reach(connection: sqlite3.Connection, keys: object, cited: Key, stored: Stored) -> tuple[int, int] | None:
    """The span from the first to the last of the passages that the citation names, all of the cited version."""
    if not isinstance(keys, list | tuple) or not keys:
        return None
    spans: list[tuple[int, int]] = []
    for name in keys:
        key = parse_key(name)
        if key is None or Key(key.tenant, key.document_id, key.version, 0) != Key(
            cited.tenant, cited.document_id, cited.version, 0
        ):
            return None
        row = connection.execute(
            "SELECT start, start + length FROM passage WHERE document = ? AND position = ?", (stored.id, key.position)
        ).fetchone()
        if row is None:
            return None
        spans.append(row)
    return min(start for start, _ in spans), max(end for _, end in spans)


def _can_be_quoted(connection: sqlite3.Connection, stored: Stored, passage: Passage, start: int, end: int) -> bool:
    """The gate lets no quote pass that touches words nobody sees, in this passage, another one or between two, and none
    of what only describes a document.
    """
    if passage.admission == "metadata_only":
        return False
    rows = connection.execute("SELECT start, hidden FROM passage WHERE document = ? AND hidden <> ''", (stored.id,))
    return not any(
        low + begin < end and start < low + stop for low, hidden in rows for begin, stop in json.loads(hidden)
    )


def _describes(fields: Mapping[str, Any], passage: Passage, found: ResolvedCitation) -> bool:
    """What the citation says of the place is what the store says; members it does not have are not asked for."""
    place, whole = found.location, passage.location
    expected: dict[str, object] = {
        "document_id": passage.document_id,
        "version": passage.version,
        "title": passage.title,
        "admission": passage.admission,
        "coverage": passage.coverage,
        "paragraph": place.paragraph,
        **{name: getattr(place, name) for name in _PLACE},
    }
    if any(
        type(fields[name]) is not type(value) or fields[name] != value
        for name, value in expected.items()
        if name in fields
    ):
        return False
    for name in ("heading", "row_heading", "columns"):
        given = fields.get(name, getattr(place, name))
        if not isinstance(given, list | tuple) or tuple(given) != getattr(place, name):
            return False
    if "first_line" not in fields and "last_line" not in fields:
        return True
    lines = (fields.get("first_line"), fields.get("last_line"))
    return lines in ((place.first_line, place.last_line), (whole.first_line, whole.last_line))


def _place(connection: sqlite3.Connection, stored: Stored, passage: Passage, start: int, end: int) -> Location:
    """The place of a span of the document that is cited by `passage`, with the 1-based lines and pages it spans."""
    low = passage.start or 0
    place = place_of(passage, start - low, end - low)
    if passage.location.first_line is None:
        return place
    before = len(_BREAK.findall(read_text(connection, stored.id, min(low, start), max(low, start))))
    first = passage.location.first_line + (before if start >= low else -before)
    breaks = len(_BREAK.findall(read_text(connection, stored.id, start, end)))
    return replace(place, first_line=first, last_line=first + breaks)


def _resolved(
    connection: sqlite3.Connection, stored: Stored, passage: Passage, start: int, end: int, quote: str
) -> ResolvedCitation:
    assert passage.sha256 is not None
    assert passage.text_sha256 is not None
    return ResolvedCitation(
        key=passage.key,
        document_id=passage.document_id,
        title=passage.title,
        version=passage.version,
        start=start,
        end=end,
        quote=quote,
        passage_sha256=passage.sha256,
        text_sha256=passage.text_sha256,
        file_sha256=passage.file_sha256,
        location=_place(connection, stored, passage, start, end),
        admission=passage.admission,
        coverage=passage.coverage,
    )


def _again(
    connection: sqlite3.Connection,
    key: Key,
    cited: Stored,
    actor: Actor | None,
    quote: str,
    constraints: Constraints,
) -> ResolvedCitation | None:
    """Where exactly `quote` stands in the version in force, if it stands there once, as whole words. The citation does
    not name that version: it is kept from it by a private collection which the cited one is not in.
    """
    current = read_in_force(connection, constraints, key.tenant, key.document_id, actor)
    private = private_collections(connection) - {cited.listing.collection}
    if current is None or not allows(constraints, current, private):
        return None
    text = read_text(connection, current.id, 0, current.characters)
    starts: list[int] = []
    at = text.find(quote)
    for _ in range(MAX_FOUND):
        if at < 0 or len(starts) > 1:  # a second one is enough to know
            break
        if not splits_token(text, at, at + len(quote)):
            starts.append(at)
        at = text.find(quote, at + 1)
    if at >= 0 or len(starts) != 1:
        return None
    start, end = starts[0], starts[0] + len(quote)
    row = connection.execute(
        "SELECT position FROM passage WHERE document = ? AND start <= ? AND start + length >= ? ORDER BY position LIMIT 1",
        (current.id, start, end),
    ).fetchone()
    passage = None if row is None else read_passage(connection, current, row[0])
    if (
        passage is None
        or digest_of(passage.text).hex() != passage.sha256
        or not _can_be_quoted(connection, current, passage, start, end)
    ):
        return None
    return _resolved(connection, current, passage, start, end, quote)
