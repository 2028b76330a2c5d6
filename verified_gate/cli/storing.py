"""What `ingest` does: read file by file, store batch by batch, tell what came of each. Imported only when it runs."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from verified_gate.cli.application import Exit
from verified_gate.cli.corpora import counted, tell_left_out
from verified_gate.cli.terminal import tell, write
from verified_gate.corpus.intake import document_of
from verified_gate.corpus.sources import Known, Read, Sources, labels_digest
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.writing import Added
from verified_gate.ingest import Labels, SourceDocument
from verified_gate.ingest.gathering import Found, Gathered, Outcome, gather, read_each
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import IngestError
from verified_gate.release import escaped_json

BATCH_DOCUMENTS: Final = 500
BATCH_CHARACTERS: Final = 5_000_000
"""Of one commit, whichever comes first: bounds what is lost when the process is killed, and the memory it takes."""
MOST_TOLD: Final = 20
"""Lines of one kind on standard error; `--json` tells all."""


@dataclass(frozen=True, slots=True)
class Way:
    """How to ingest: whether files are believed, may take the place of stored ones, and whether anything is changed."""

    trusted: bool = False
    replace: bool = False
    prune: bool = False
    dry_run: bool = False
    as_json: bool = False
    password: str | None = None


@dataclass(slots=True)
class _Told:
    """What came of the files."""

    added: Added = field(default_factory=Added)
    read: int = 0
    drafts: int = 0
    changed: int = 0
    partial: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    withdrawn: int = 0
    disregarded: list[tuple[str, ...]] = field(default_factory=list)

    def fail(self, faults: Sequence[tuple[str, str]], code: str) -> None:
        self.failed += [{"file": place, "code": code, "why": why} for place, why in faults]


def ingest(paths: Sequence[Path], corpus: Path, labels: Labels, way: Way) -> Exit:
    """Store the documents of `paths` in the file `corpus`, which is made where it is missing, and tell what was done.

    A file that cannot be read or stored is told, and the rest goes on. A batch is wholly in or out; done again, it goes
    on where it was stopped: a file whose bytes and labels are stored already is not read again. Gives `FAULT` where a
    file failed. Raises `IngestError` where there is no document at all.
    """
    gathered = gather(paths)
    files = [each for each in gathered.files if not Path(each.name).name.startswith(corpus.name)]
    told = _Told(skipped=list(gathered.ignored))
    told.fail(gathered.faults, "unfit")
    with ExitStack() as stack:
        store = _Store(stack, corpus, labels, way)
        readers = stack.enter_context(Readers())
        outcomes = read_each(
            files, readers, labels, trusted=way.trusted, password=way.password, is_stored=store.is_stored
        )
        bar = stack.enter_context(_bar())
        task = bar.add_task("", total=len(files))
        batch: list[tuple[Outcome, Read]] = []
        size = 0
        names = _Names()
        stack.enter_context(_told_when_stopped())
        for outcome in outcomes:
            bar.advance(task)
            if (read := _taken(outcome, told, names, store)) is not None:
                batch.append((outcome, read))
                size += len(read.document.text)
            if len(batch) >= BATCH_DOCUMENTS or size >= BATCH_CHARACTERS:
                store.put(batch, told)
                batch, size = [], 0
        store.put(batch, told)
        told.removed = store.gone(gathered, files)
        if way.prune and not way.dry_run and told.removed:
            told.withdrawn = store.withdraw(told.removed)
    _require_documents(told, files, paths)
    _tell(told, way)
    return Exit.FAULT if told.failed else Exit.RELEASED


@contextmanager
def _told_when_stopped() -> Iterator[None]:
    """Ctrl-C leaves whole documents only, and the same call goes on with the others."""
    try:
        yield
    except KeyboardInterrupt:
        tell("stopped; what was stored is whole, and the same call goes on from there")
        raise


def _taken(outcome: Outcome, told: _Told, names: "_Names", store: "_Store") -> Read | None:
    """The document to be stored of a file; None where there is none, which is told."""
    found, source = outcome.found, outcome.document
    if outcome.state == "skipped":
        told.skipped += [(found.shown, why) for _, why in outcome.faults]
    elif outcome.state == "failed":
        told.fail(outcome.faults, outcome.code)
    elif source is None:
        told.read += 1
        told.added += Added(unchanged=1)
        if (known := store.known.get(found.path)) is not None and known.coverage != "complete":
            told.partial.append({"file": found.shown, "lost": list(known.lost)})
    elif (clash := names.clash(source, found.shown)) is not None:
        told.fail([(found.shown, clash)], "clash")
    else:
        told.read += 1
        told.changed += found.path in store.known
        told.drafts += source.status == "draft"
        if source.disregarded:
            told.disregarded.append(source.disregarded)
        if source.extracted is not None and source.extracted.coverage != "complete":
            told.partial.append({"file": found.shown, "lost": list(_lost(source))})
        try:
            document = document_of(source, "paragraph", None, 0)
            return Read(found.path, document, source.numbered, _lost(source))
        except IngestError as fault:
            told.fail([(found.shown, why) for _, why in fault.faults], "unfit")
    return None


class _Names:
    """The documents of one call that cannot both be stored. Asked of the whole, since batches do not see each other."""

    def __init__(self) -> None:
        self._versions: dict[tuple[str | None, str, str], str] = {}
        self._numbered: dict[tuple[str | None, str], str] = {}
        self._current: dict[tuple[str | None, str], str] = {}

    def clash(self, source: SourceDocument, shown: str) -> str | None:
        name = (source.access.tenant, source.id)
        if (first := self._versions.setdefault((*name, source.version), shown)) != shown:
            return f"has the same tenant, id and version as {first}"
        if (first := self._numbered.get(name, shown)) != shown:
            return f"has the same tenant and id as {first}, and one of them names no version"
        if source.numbered:
            self._numbered[name] = shown
        if source.status == "current" and (first := self._current.setdefault(name, shown)) != shown:
            return f"is current, as is another version of it, {first}: mark the older superseded"
        return None


class _Store:
    """The corpus, which is opened only when there is something to read from it or to put into it."""

    def __init__(self, stack: ExitStack, corpus: Path, labels: Labels, way: Way) -> None:
        self._stack, self._corpus, self._way = stack, corpus, way
        self._digest = labels_digest(labels, trusted=way.trusted)
        self._store: CorpusStore | None = None
        self.known: dict[str, Known] = {}
        if corpus.exists():
            self.known = self._sources().known()

    def is_stored(self, path: str, sha256: str) -> bool:
        known = self.known.get(path)
        return known is not None and known.file_sha256 == sha256 and known.labels_sha256 == self._digest

    def put(self, batch: Sequence[tuple[Outcome, Read]], told: _Told) -> None:
        """Store a batch; where a document of it cannot be stored, one by one."""
        if not batch:
            return
        if self._way.dry_run:
            passages = sum(len(read.document.spans) for _, read in batch)
            told.added += Added(documents=len(batch), passages=passages)
            return
        try:
            told.added += self._sources().store([read for _, read in batch], self._digest, instead=self._way.replace)
        except IngestError as fault:
            if len(batch) > 1:
                for each in batch:
                    self.put([each], told)
                return
            shown = batch[0][0].found.shown
            told.fail([(f"{shown} ({place})", f"{why}, or pass --replace") for place, why in fault.faults], "refused")

    def gone(self, gathered: Gathered, files: Sequence[Found]) -> list[str]:
        """Files of these folders that were read once and are no longer there."""
        here = {each.path for each in files}
        roots = tuple(folder.rstrip("/") + "/" for folder in gathered.folders)
        if gathered.faults:  # a folder that could not be listed has not lost its files
            return []
        return sorted(path for path in self.known if path.startswith(roots) and path not in here) if roots else []

    def withdraw(self, paths: Sequence[str]) -> int:
        return self._sources().withdraw(paths)

    def _sources(self) -> Sources:
        if self._store is None:
            read_only = self._way.dry_run
            self._store = self._stack.enter_context(CorpusStore.open(self._corpus, read_only=read_only))
        return self._store.operator.sources


def _bar() -> Progress:
    columns = (TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TextColumn("files"))
    return Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)


def _lost(source: SourceDocument) -> tuple[str, ...]:
    """What could not be read, page by page."""
    if source.extracted is None:
        return ()
    pages = [f"page {page.number}: {what}" for page in source.extracted.pages for what in page.lost]
    return (*source.extracted.lost, *pages)


def _require_documents(told: _Told, files: Sequence[Found], paths: Sequence[Path]) -> None:
    if told.read or told.removed:
        return
    if told.failed:
        raise IngestError([(each["file"], each["why"]) for each in told.failed])
    named = files[:MOST_TOLD] or [Found(str(path), "", "", path) for path in paths]
    raise IngestError([(each.shown, "is no document of a kind that is read") for each in named])


def _tell(told: _Told, way: Way) -> None:
    tell_left_out(told.drafts, told.skipped)
    _tell_disregarded(told.disregarded)
    if way.as_json:
        write(escaped_json(json.dumps(_as_json(told, way), ensure_ascii=False)) + "\n")
        return
    _tell_some(f"{each['file']}: {each['why']}" for each in told.failed)
    _tell_some(_partly(each) for each in told.partial)
    _tell_some(
        f"{path}: is gone{', and was withdrawn' if way.prune and not way.dry_run else ''}" for path in told.removed
    )
    added = told.added
    would = "would be stored" if way.dry_run else "stored"
    passages = counted(added.passages, "passage", "passages")
    replaced = f", {added.replaced:,} in the place of another text" if added.replaced else ""
    documents = counted(added.documents, "document", "documents")
    write(f"{documents} {would} ({passages}){replaced}; {added.unchanged:,} unchanged\n")
    if told.partial or told.failed or told.removed:
        counts = {
            "read": told.read,
            "unchanged": added.unchanged,
            "partial": len(told.partial),
            "skipped": len(told.skipped),
            "failed": len(told.failed),
            "removed": len(told.removed),
        }
        write(", ".join(f"{name} {count:,}" for name, count in counts.items()) + "\n")


def _as_json(told: _Told, way: Way) -> dict[str, Any]:
    return {
        "documents": told.added.documents,
        "unchanged": told.added.unchanged,
        "replaced": told.added.replaced,
        "passages": told.added.passages,
        "changed": told.changed,
        "drafts": told.drafts,
        "partial": told.partial,
        "skipped": [{"file": name, "why": why} for name, why in told.skipped],
        "failed": told.failed,
        "removed": told.removed,
        "withdrawn": told.withdrawn,
        "dry_run": way.dry_run,
    }


def _partly(each: dict[str, Any]) -> str:
    lost = each["lost"]
    more = f" and {len(lost) - 3:,} more" if len(lost) > 3 else ""
    return f"{each['file']}: not all of it could be read{': ' if lost else ''}{', '.join(lost[:3])}{more}"


def _tell_some(lines: Iterator[str]) -> None:
    left = 0
    for number, line in enumerate(lines):
        if number < MOST_TOLD:
            tell(line)
        else:
            left += 1
    if left:
        tell(f"and {left:,} more; --json tells all")


def _tell_disregarded(unheard: Sequence[tuple[str, ...]]) -> None:
    """A label that a file claims for itself and that does not hold is told: it may have been meant to protect it."""
    if unheard:
        names = ", ".join(sorted({name for names in unheard for name in names}))
        files = counted(len(unheard), "file", "files")
        tell(f"front matter did not count for {names} in {files}; --trust-front-matter lets it")
