"""What `ingest` does: read everything, then store it batch by batch. Imported only when it runs."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from verified_gate.cli.corpora import counted, tell_left_out
from verified_gate.cli.terminal import tell, write
from verified_gate.corpus.document import Document
from verified_gate.corpus.intake import document_of
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.writing import Added
from verified_gate.ingest import Labels, SourceDocument, read_directory, read_file
from verified_gate.ingest.reading import MARKDOWN, PLAIN
from verified_gate.model.errors import CorpusError, IngestError

BATCH_DOCUMENTS: Final = 500
BATCH_CHARACTERS: Final = 5_000_000
"""Of one commit, whichever comes first: bounds what is lost when the process is killed, and the memory it takes."""

Named = tuple[str, SourceDocument]
"""The path of a file, and what was read from it."""


def ingest(paths: Sequence[Path], corpus: Path, labels: Labels, *, trusted: bool, replace: bool, as_json: bool) -> None:
    """Store the documents of `paths` in the file `corpus`, which is made where it is missing, and tell what was done.

    Raises `IngestError` where a file is unfit, and stores nothing then. A batch is wholly in or out; done again, it
    goes on where it was stopped, since what is stored already with the same text and labels is left alone.
    """
    with Console(stderr=True).status("reading") if sys.stderr.isatty() else nullcontext():
        read, ignored = _read(paths, labels, trusted=trusted)
        documents = _cut(read)
    ignored = [(name, why) for name, why in ignored if not Path(name).name.startswith(corpus.name)]
    with CorpusStore.open(corpus) as store:
        added = _store(store, documents, {each.key: path for path, each in read}, replace=replace)
    tell_left_out((each for _, each in read), ignored)
    _tell_disregarded(read)
    if as_json:
        told = {
            "documents": added.documents,
            "unchanged": added.unchanged,
            "replaced": added.replaced,
            "passages": added.passages,
            "drafts": sum(each.status == "draft" for _, each in read),
            "skipped": [{"file": name, "why": why} for name, why in ignored],
        }
        write(json.dumps(told) + "\n")
        return
    stored = f"{counted(added.documents, 'document', 'documents')} stored"
    passages = counted(added.passages, "passage", "passages")
    replaced = f", {added.replaced:,} in the place of another text" if added.replaced else ""
    write(f"{stored} ({passages}){replaced}; {added.unchanged:,} unchanged\n")


def _read(paths: Sequence[Path], labels: Labels, *, trusted: bool) -> tuple[list[Named], list[tuple[str, str]]]:
    """Every document of `paths` with its path, and what was passed over. One `IngestError` names every fault."""
    read: list[Named] = []
    ignored: list[tuple[str, str]] = []
    faults: list[tuple[str, str]] = []
    for path in paths:
        try:
            if path.is_dir():
                reading = read_directory(path, trusted=trusted, labels=labels)
                read += [(str(path / each.name), each) for each in reading.documents]
                ignored += reading.ignored
            elif path.exists() and path.suffix.lower() not in MARKDOWN | PLAIN:
                ignored.append((path.name, "not a .md, .markdown or .txt file"))
            else:
                read.append((str(path), read_file(path, trusted=trusted, labels=labels)))
        except IngestError as fault:
            faults += fault.faults
    faults += _clashes(read)
    if faults:
        raise IngestError(faults)
    if not read:
        raise IngestError([(str(path), "is no document: no .md, .markdown or .txt file") for path in paths])
    return read, ignored


def _clashes(read: Sequence[Named]) -> Iterator[tuple[str, str]]:
    """Documents of one call that cannot both be stored. Asked of the whole, since batches do not see each other."""
    names: dict[tuple[str | None, str, str], str] = {}
    current: dict[tuple[str | None, str], str] = {}
    for path, each in read:
        tenant = each.access.tenant
        if (first := names.setdefault((tenant, each.id, each.version), path)) != path:
            yield path, f"has the same tenant, id and version as {first}"
        elif each.status == "current" and (first := current.setdefault((tenant, each.id), path)) != path:
            yield path, f"is current, as is another version of it, {first}: mark the older superseded"


def _cut(read: Sequence[Named]) -> list[Document]:
    documents: list[Document] = []
    faults: list[tuple[str, str]] = []
    for path, each in read:
        try:
            documents.append(document_of(each, "paragraph", None, 0))
        except IngestError as fault:
            faults += [(path, why) for _, why in fault.faults]
    if faults:
        raise IngestError(faults)
    return documents


def _store(store: CorpusStore, documents: Sequence[Document], paths: dict[str, str], *, replace: bool) -> Added:
    """Store batch by batch, each in a transaction, with a bar on a terminal."""
    total = Added()
    shown = sys.stderr.isatty()
    columns = (TextColumn("storing"), BarColumn(), MofNCompleteColumn(), TextColumn("documents"))
    with Progress(*columns, console=Console(stderr=True), disable=not shown, transient=True) as progress:
        bar = progress.add_task("", total=len(documents))
        for batch in _batches(documents):
            try:
                total += store.add_documents(batch, replace=replace, batch=len(batch))
            except IngestError as fault:
                raise _in_files(fault, paths, total) from None
            progress.advance(bar, len(batch))
    return total


def _in_files(fault: IngestError, paths: dict[str, str], before: Added) -> CorpusError:
    """The store's faults by file, and without saying that nothing was stored where something was."""
    faults = [(f"{paths.get(place, place)} ({place})", f"{why}, or pass --replace") for place, why in fault.faults]
    if not before.documents:
        return IngestError(faults)
    lines = "\n".join(f"{place}: {why}" for place, why in faults)
    return CorpusError(f"{counted(before.documents, 'document', 'documents')} stored, and then stopped:\n{lines}")


def _batches(documents: Sequence[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document.text)
        if len(batch) >= BATCH_DOCUMENTS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _tell_disregarded(read: Sequence[Named]) -> None:
    """A label that a file claims for itself and that does not hold is told: it may have been meant to protect it."""
    unheard = [each.disregarded for _, each in read if each.disregarded]
    if unheard:
        names = ", ".join(sorted({name for names in unheard for name in names}))
        files = counted(len(unheard), "file", "files")
        tell(f"front matter did not count for {names} in {files}; --trust-front-matter lets it")
