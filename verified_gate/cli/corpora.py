"""Where the commands get a store from, and what they say of a passage's place."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from verified_gate.cli.terminal import tell
from verified_gate.model import Passage
from verified_gate.model.citation import kind_of, words_of
from verified_gate.model.citation import place_of as place_in
from verified_gate.model.errors import CorpusError

if TYPE_CHECKING:
    from verified_gate.corpus.store import CorpusStore

_MOST_KINDS: Final = 8
_TOLD: Final = frozenset({"encrypted", "needs_ocr", "damaged", "missing_package", "timed_out", "too_large"})
"""Reasons that say more than the suffix."""
_HEADING: Final = re.compile(r"^(?:#{1,6}[ \t]+|[|:\-> \t]+(?:\n|\Z))", re.MULTILINE)
"""The marks of headings, and lines of nothing but the marks of tables."""


def store_of(path: Path) -> "CorpusStore":
    """The store in a folder or a file; raises `CorpusError` where there is none.

    A folder's documents that cannot be found by a question, and files that were not read, are told.
    """
    from verified_gate.corpus.intake import document_of
    from verified_gate.corpus.store import CorpusStore
    from verified_gate.ingest import read_directory

    if not path.exists():
        raise CorpusError(f"--corpus {path}: no such folder or file")
    if not path.is_dir():
        return existing_store(path, read_only=True)
    reading = read_directory(path, trusted=True)
    tell_left_out(sum(read.status == "draft" for read in reading.documents), reading.ignored)
    store = CorpusStore.in_memory()
    try:
        documents = [document_of(read, "paragraph", None, 0) for read in reading.documents]
        store.add_documents(documents, batch=len(documents))
    except BaseException:
        store.close()
        raise
    return store


def existing_store(path: Path, *, read_only: bool = False) -> "CorpusStore":
    """The store in a file that is there already; raises `CorpusError`."""
    from verified_gate.corpus.store import CorpusStore

    if not path.exists():
        raise CorpusError(f"--corpus {path}: no such file; `verified-gate ingest` makes one")
    return CorpusStore.open(path, create=False, read_only=read_only)


def tell_left_out(drafts: int, ignored: Sequence[tuple[str, str]]) -> None:
    """Tell of documents that no question finds, and of files that were not read."""
    parts = [counted(drafts, "document is a draft", "documents are drafts")] if drafts else []
    if ignored:
        parts.append(f"{counted(len(ignored), 'file', 'files')} skipped ({_kinds(ignored)})")
    if parts:
        tell("; ".join(parts))


def _kinds(ignored: Iterable[tuple[str, str]]) -> str:
    """Their suffixes, or why one of a known kind was not read."""
    kinds = sorted({_kind(name, why) for name, why in ignored})
    return ", ".join([*kinds[:_MOST_KINDS], *(["…"] if len(kinds) > _MOST_KINDS else [])])


def _kind(name: str, why: str) -> str:
    suffix = PurePosixPath(name).suffix.lower() or "no suffix"
    if "link" in why:
        return why
    code = why.partition(":")[0]
    return f"{suffix}: {code}" if code in _TOLD else suffix


def counted(count: int, one: str, many: str) -> str:
    """`1 document`, `2 documents`."""
    return f"{count:,} {one if count == 1 else many}"


def label_of(passage: Passage) -> str:
    """For people: `Returns policy (Returning a bike, lines 11-12) [returns@3#c0]`, safe for a terminal."""
    from verified_gate.release import isolated

    place = passage.location
    parts = [isolated(heading) for heading in place.heading[-1:] if heading != passage.title]
    parts += [isolated(part) for part in words_of(place)]
    parts += kind_of(passage.admission, passage.coverage)
    where = f"({', '.join(parts)})" if parts else ""
    named = filter(None, [isolated(passage.title or passage.document_id), where, f"[{isolated(passage.key)}]"])
    return " ".join(named)


def snippet_of(passage: Passage) -> str:
    """The passage's text on one line, without the marks of headings, the lines beneath those of tables, and what a reader of
    the file does not see.
    """
    from verified_gate.model.citation import LEFT_OUT
    from verified_gate.release import one_line
    from verified_gate.text.layout import without

    text = without(passage.text, 0, len(passage.text), passage.hidden, f" {LEFT_OUT} ")
    return one_line(passage.location.on_one_line(_HEADING.sub("", text)))


def headers_of(passage: Passage) -> str:
    """What heads the cells of a passage of a table, on one line; empty for one of no table."""
    from verified_gate.release import table_context

    return table_context(place_in(passage, 0, len(passage.text)), passage.seen)


def place_of(passage: Passage) -> dict[str, object]:
    """Where a passage stands, JSON-ready."""
    return {
        "document_id": passage.document_id,
        "title": passage.title,
        "version": passage.version,
        "start": passage.start,
        "hidden": [list(span) for span in passage.hidden],
        "sha256": passage.sha256,
        "heading": list(passage.location.heading),
        "first_line": passage.location.first_line,
        "last_line": passage.location.last_line,
        "page": passage.location.page,
        "last_page": passage.location.last_page,
        "page_label": passage.location.page_label,
        "element": passage.location.element,
        "chapter": passage.location.chapter,
        "row": passage.location.row,
        "last_row": passage.location.last_row,
        "row_heading": list(passage.location.row_heading),
        "columns": list(place_in(passage, 0, len(passage.text)).columns),
        "admission": passage.admission,
        "coverage": passage.coverage,
    }
