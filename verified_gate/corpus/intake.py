"""From what ingest read to what the store keeps."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from verified_gate.corpus.document import Document, Span
from verified_gate.ingest.cutting import cut
from verified_gate.ingest.document import Labels, SourceDocument
from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.ocr import Ocr
from verified_gate.ingest.reading import read_file
from verified_gate.model import Sha256
from verified_gate.model.errors import IngestError


def read_source(
    source: str | Path,
    labels: Labels,
    document_id: str | None,
    version: str | None,
    title: str | None,
    *,
    trusted: bool,
    password: str | None = None,
    ocr: Ocr | None = None,
) -> SourceDocument:
    """Read a file (a `Path`) or take a text (a string) under the operator's labels. Raises `IngestError`."""
    if isinstance(source, Path):
        read = read_file(source, trusted=trusted, labels=labels, password=password, ocr=ocr)
    else:
        if not isinstance(source, str):
            raise TypeError(f"a text is a str, and a file a pathlib.Path; got {type(source).__name__}")
        if document_id is None:
            raise TypeError("a text needs a document_id; to read a file give a pathlib.Path")
        data = _encoded(source, document_id)
        digest = Sha256(hashlib.sha256(data).hexdigest())
        read = SourceDocument(
            id=document_id,
            title=document_id,
            version="1",
            status=labels.status,
            lang=labels.lang,
            access=labels.access,
            collection=labels.collection,
            rules=labels.rules,
            text=source,
            first_line=1,
            text_sha256=digest,
            file_sha256=digest,
            name=document_id,
        )
    given = {"id": document_id, "version": version, "title": title, "derived": None if document_id is None else False}
    return replace(read, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def document_of(read: SourceDocument, strategy: str, size: int | None, overlap: int) -> Document:
    """Cut `read` and give it with its spans. Raises `IngestError` for a name that keys cannot be made of."""
    spans = []
    for passage in cut(read, strategy, size=size, overlap=overlap):
        assert passage.start is not None
        end = passage.start + len(passage.text)
        spans.append(Span(passage.start, end, passage.location, passage.furniture, passage.hidden, passage.turns))
    if read.extracted is not None:
        spans = _with_gaps(spans, read.extracted)
    try:
        return Document(
            document_id=read.id,
            version=read.version,
            text=read.text,
            spans=tuple(spans),
            title=read.title,
            lang=read.lang,
            collection=read.collection,
            status=read.status,
            access=read.access,
            file_sha256=read.file_sha256,
            reader=read.reader,
            coverage="complete" if read.extracted is None else read.extracted.coverage,
            pages=() if read.extracted is None else read.extracted.pages,
            rules=read.rules,
        )
    except ValueError as fault:
        raise IngestError([(read.name, str(fault))]) from None


def _with_gaps(spans: list[Span], extracted: Extracted) -> list[Span]:
    """The passages with what is marked between them: that after a passage is told by it, that before all by the first."""
    starts = [span.start for span in spans]
    found = list(spans)
    for name, marks in (("furniture", extracted.furniture), ("hidden", extracted.hidden)):
        beside: dict[int, list[tuple[int, int]]] = {}
        for start, end in marks if spans else ():
            number = max(0, bisect_right(starts, start) - 1)
            span = spans[number]
            if start < span.start or end > span.end:
                beside.setdefault(number, []).append((start - span.start, end - span.start))
        for number, more in beside.items():
            own = getattr(found[number], name)
            marked = tuple(sorted({*own, *more}))
            found[number] = (
                replace(found[number], furniture=marked)
                if name == "furniture"
                else replace(found[number], hidden=marked)
            )
    return found


def _encoded(text: str, place: str) -> bytes:
    if "\0" in text:
        raise IngestError([(place, "holds a NUL character")])
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise IngestError([(place, "holds half a surrogate pair, which is no character")]) from None


def group_names(groups: Iterable[str]) -> frozenset[str]:
    """Raises `TypeError` for one string."""
    if isinstance(groups, str):  # its letters would be the groups
        raise TypeError("groups must be a collection of names, not one string")
    return frozenset(groups)
