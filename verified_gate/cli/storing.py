"""What `ingest` does: read file by file, store batch by batch, tell what came of each. Imported only when it runs."""

import os
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from verified_gate.cli.application import Exit
from verified_gate.cli.clashing import Names
from verified_gate.cli.own_files import others, without_traces
from verified_gate.cli.progress import Steps
from verified_gate.cli.telling import MOST_TOLD, Told, Way, tell_all, tell_stopped
from verified_gate.corpus.intake import document_of
from verified_gate.corpus.numbering import Read
from verified_gate.corpus.sources import Known, Sources, labels_digest
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.writing import Added
from verified_gate.ingest import Labels, SourceDocument
from verified_gate.ingest.folder import shown
from verified_gate.ingest.gathering import Found, Gathered, Outcome, gather, read_each
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import CorpusError, IngestError

BATCH_DOCUMENTS: Final = 500
BATCH_CHARACTERS: Final = 2_000_000
BATCH_SECONDS: Final = 2.0
"""Of one commit, whichever comes first: bounds what is lost when the process is killed, and the memory it takes."""
AT_ONCE: Final = 1_000
"""Files that are looked up at once: many more than are read at once."""


def ingest(paths: Sequence[Path], corpus: Path, labels: Labels, way: Way) -> Exit:
    """Store the documents of `paths` in the file `corpus`, which is made where it is missing, and tell what was done.

    A file that cannot be read or stored is told, and the rest goes on. A batch is wholly in or out; done again, it goes
    on where it was stopped: a file whose bytes and labels are stored already is not read again. Gives `FAULT` where a
    file failed. Raises `IngestError` where there is no document at all.
    """
    told = Told()
    try:
        files = _stored(paths, corpus, labels, way, told)
    except KeyboardInterrupt:
        tell_stopped(told, way)
        raise
    _require_documents(told, files, paths)
    tell_all(told, way)
    return Exit.FAULT if told.failed else Exit.RELEASED


def _stored(paths: Sequence[Path], corpus: Path, labels: Labels, way: Way, told: Told) -> list[Found]:
    """Read and store, and keep in `told` what was done; gives the files."""
    with ExitStack() as stack:
        steps = stack.enter_context(Steps())
        steps.begin("looking for files")
        gathered = gather(paths)
        files = others(gathered.files, corpus)
        told.skipped += gathered.ignored
        for fault in gathered.faults:
            told.fail([fault], "unfit")
        steps.begin("looking at what is stored")
        store = _Store(stack, corpus, labels, way)
        told.removed = store.gone(gathered, files)
        if way.prune:  # first: what was moved is told from what another file holds
            files = [each for each in files if each.path not in told.removed and not store.had(each)]
            told.withdrawn = store.withdraw(told.removed)
        readers = stack.enter_context(Readers())
        batch = _Batch(store, told, steps)
        outcomes = read_each(
            store.looked_up(files),
            readers,
            labels,
            trusted=way.trusted,
            password=way.password,
            is_stored=store.is_stored,
            waiting=batch.put_if_old,
        )
        names = Names()
        steps.begin("reading", len(files))
        try:
            for outcome in outcomes:
                steps.advance()
                if (read := _taken(outcome, told, names, store)) is not None:
                    batch.add(outcome.found.shown, read)
                batch.put_if_old()
            steps.begin("storing")
            batch.put()
        except KeyboardInterrupt:  # what was read is kept
            batch.store()
            raise
        steps.begin("finishing")
        store.look_back(files, told)
    return files


class _Waiting(NamedTuple):
    """A document that was read and is not stored yet, how its file is called, and what was stored of it before."""

    shown: str
    read: Read
    before: Known | None


class _Batch:
    """Documents that were read and are not stored yet. Holds nothing of a file but what is stored of it."""

    def __init__(self, store: "_Store", told: Told, steps: Steps) -> None:
        self._store, self._told, self._steps = store, told, steps
        self._reads: list[_Waiting] = []
        self._characters = 0
        self._since = 0.0

    def add(self, shown_name: str, read: Read) -> None:
        """Take one; it is stored at once where a batch is full."""
        if not self._reads:
            self._since = time.monotonic()
        self._reads.append(_Waiting(shown_name, read, self._store.known(read.path)))
        self._characters += len(read.document.text)
        if len(self._reads) >= BATCH_DOCUMENTS or self._characters >= BATCH_CHARACTERS:
            self.put()

    def put_if_old(self) -> None:
        """Store them where the first of them has waited long enough."""
        if self._reads and time.monotonic() - self._since >= BATCH_SECONDS:
            self.put()

    def put(self) -> None:
        """Store them, and keep the index in order."""
        if self._reads:
            self._steps.turn_to("storing")
            self.store()
            self._steps.turn_to("merging the index")
            self._store.merge()
            self._steps.turn_to("reading")

    def store(self) -> None:
        """Store them, and no more."""
        if self._reads:
            self._store.put(self._reads, self._told)
            self._reads, self._characters = [], 0


def _taken(outcome: Outcome, told: Told, names: Names, store: "_Store") -> Read | None:
    """The document to be stored of a file; None where there is none, which is told."""
    found, source = outcome.found, outcome.document
    if outcome.state == "skipped":
        told.skipped += [(found.shown, why) for _, why in outcome.faults]
    elif outcome.state == "failed":
        told.fail(outcome.faults, outcome.code)
    elif source is None:
        told.read += 1
        told.added += Added(unchanged=1)
        if (known := store.known(found.path)) is not None and known.coverage != "complete":
            told.partial.append({"file": found.shown, "lost": list(known.lost)})
        if known is not None and known.outdated:
            told.outdated.append(found.shown)
    elif (clash := names.clash(source := store.named(found, source), found.shown)) is not None:
        told.fail([(found.shown, clash)], "clash")
    else:
        told.read += 1
        before = store.known(found.path)
        again = store.is_known(found.path, source.file_sha256)
        told.changed += before is not None and not again
        told.drafts += source.status == "draft" and not again
        if source.disregarded:
            told.disregarded.append(source.disregarded)
        if source.extracted is not None and source.extracted.coverage != "complete":
            told.partial.append({"file": found.shown, "lost": list(_lost(source))})
        try:
            document = document_of(source, "paragraph", None, 0)
        except IngestError as fault:
            told.fail([(found.shown, why) for _, why in fault.faults], "unfit")
            return None
        read = Read(found.path, document, source.numbered, _lost(source), by_path=not store.way.trusted)
        return _reread(found.shown, read, before, told, store) if before is not None and again else read
    return None


def _reread(shown_name: str, read: Read, before: Known, told: Told, store: "_Store") -> Read | None:
    """What is to be stored of a file that is stored, and was read again since its reader is another now: the same
    version where it reads as before, else the next one, or with `--replace` another text of the same. None where it
    reads otherwise and names its version itself, which is told.
    """
    same = replace(read, document=replace(read.document, version=before.version), numbered=False)
    if store.holds(same):
        told.read_as_before += 1
        return same
    if not (store.way.replace or read.numbered):
        told.added += Added(unchanged=1)
        told.outdated.append(shown_name)
        return None
    told.drafts += read.document.status == "draft"
    return replace(same if store.way.replace else read, anew=True)


class _Store:
    """The corpus, which is opened only when there is something to read from it or to put into it."""

    def __init__(self, stack: ExitStack, corpus: Path, labels: Labels, way: Way) -> None:
        self.way = way
        self._stack, self._corpus = stack, corpus
        self._digest = labels_digest(labels, trusted=way.trusted)
        self._tenant = labels.access.tenant or ""
        self._store: CorpusStore | None = None
        self._gone: frozenset[str] = frozenset()
        self._known: tuple[dict[str, Known], ...] = ()
        if corpus.exists():
            self._sources()

    def looked_up(self, files: Sequence[Found]) -> Iterator[Found]:
        """The files, when what is stored of each is known: of some at a time, since there may be any number."""
        for first in range(0, len(files), AT_ONCE):
            chosen = files[first : first + AT_ONCE]
            stored = {} if self._store is None else self._sources().known([each.path for each in chosen], self._tenant)
            self._known = (*self._known[-1:], stored)
            yield from chosen

    def known(self, path: str) -> Known | None:
        """What was stored of a file that was looked up lately."""
        return next((known[path] for known in self._known if path in known), None)

    def is_stored(self, path: str, sha256: str) -> bool:
        """Is a file of these bytes to be left alone?"""
        known = self.known(path)
        again = self.way.reread and known is not None and known.outdated
        return self.is_known(path, sha256) and not again

    def is_known(self, path: str, sha256: str) -> bool:
        """Is a file of these bytes stored under the same labels?"""
        known = self.known(path)
        return (
            known is not None
            and not known.pruned
            and self.way.version in (None, known.version)
            and (known.file_sha256, known.labels_sha256) == (sha256, self._digest)
        )

    def named(self, found: Found, source: SourceDocument) -> SourceDocument:
        """The document under the version that the call names. It stays the one that the file is stored as, which may
        have been read from a folder above, where its id is longer.
        """
        known = self.known(found.path)
        if self.way.version is None:
            again = known is not None and self.is_known(found.path, source.file_sha256)
            return replace(source, id=known.document_id) if known is not None and again else source
        same = known is not None and known.document_id.endswith(f"/{source.id}")
        name = known.document_id if known is not None and same else source.id
        return replace(source, id=name, version=self.way.version, numbered=False)

    def holds(self, read: Read) -> bool:
        """Is this stored already, whichever reader read it?"""
        return self._sources().is_stored(read.document)

    def put(self, batch: Sequence[_Waiting], told: Told) -> None:
        """Store a batch; where a document of it cannot be stored, one by one."""
        reads, instead = [each.read for each in batch], self.way.replace
        try:
            if self.way.dry_run:
                told.added += self._sources().check(reads, instead=instead, gone=self._gone)
                told.restored += [each.read.path for each in batch if _comes_back(each)]
                told.former += [was for each in batch if (was := _was(each)) is not None]
            else:
                added, back = self._sources().store(reads, self._digest, instead=instead, tenant=self._tenant)
                told.added += added
                told.restored += back
            told.read_otherwise += [each.shown for each in batch if each.read.anew]
        except IngestError as fault:
            if len(batch) > 1:
                for each in batch:
                    self.put([each], told)
                return
            shown_name = batch[0].shown
            advice = self._advice(shown_name, reads[0])
            told.fail([(f"{shown_name} ({shown(place)})", why + advice) for place, why in fault.faults], "refused")

    def _advice(self, shown_name: str, read: Read) -> str:
        """What the operator can do about a refusal."""
        way = self._sources().way_out(read, instead=self.way.replace)
        steps = []
        if way.withdraw:
            key, corpus = shlex.quote(way.withdraw), shlex.quote(str(self._corpus))
            steps.append(f"`verified-gate mark {shown(key)} withdrawn --corpus {shown(corpus)}`")
        if way.version:
            without = ", without --replace" if self.way.replace else ""
            steps.append(f"ingest {shown_name} alone, with the same options{without} and `--version {way.version}`")
        elif way.withdraw:
            steps.append("ingest it again")
        advice = f"; to do so, {', then '.join(steps)}" if steps else ""
        return f"{advice}; or pass --replace" if not self.way.replace and self._may_replace([read]) else advice

    def merge(self) -> None:
        """Merge what is due of the index."""
        if not self.way.dry_run:
            self._sources().merge()

    def _may_replace(self, reads: Sequence[Read]) -> bool:
        try:
            self._sources().check(reads, instead=True)
        except IngestError:
            return False
        return True

    def gone(self, gathered: Gathered, files: Sequence[Found]) -> list[str]:
        """Files that were read once for this tenant, lay under these paths, and are no longer there."""
        if gathered.faults or self._store is None:  # a folder that could not be listed has not lost its files
            return []
        here = {each.path for each in files} | set(gathered.again)
        folders = [*gathered.folders]
        if self.way.prune:  # what the operator names, and is not there, is gone: a folder that was moved, or a file
            missing = {each.path for each in files if not os.path.lexists(each.path)}
            here -= missing
            folders += missing
        self._gone = frozenset(self._sources().missing(folders, here, self._tenant))
        return sorted(self._gone)

    def had(self, found: Found) -> bool:
        """Is it a folder that is gone, of which this tenant had files?"""
        below = found.path.rstrip("/") + "/"
        return not os.path.lexists(found.path) and any(path.startswith(below) for path in self._gone)

    def withdraw(self, paths: Sequence[str]) -> int:
        return self._sources().withdraw(paths, self._tenant) if paths and not self.way.dry_run else 0

    def look_back(self, files: Sequence[Found], told: Told) -> None:
        """Tell what else stands stored of these files: as other documents, for others, or withdrawn by the operator."""
        if self._store is None:
            return
        sources, paths = self._sources(), [each.path for each in files]
        if not self.way.dry_run:
            told.former = [(path, f"{name}@{version}") for path, name, version in sources.former(paths, self._tenant)]
            if self.way.prune and told.former:
                told.withdrawn += sources.withdraw_former([path for path, _ in told.former], self._tenant)
        others = sources.elsewhere(paths, self._tenant)
        told.elsewhere = [(path, name or "public", version) for path, name, version in others]
        taken = sources.taken_back(paths, self._tenant)
        told.not_in_force = [(path, f"{name}@{version} was {was}") for path, name, version, was in taken]

    def _sources(self) -> Sources:
        if self._store is None:
            self._store = self._stack.enter_context(self._opened())
        return self._store.operator.sources

    def _opened(self) -> CorpusStore:
        if not self.way.dry_run:
            return CorpusStore.open(self._corpus)
        if self._corpus.exists():
            self._stack.enter_context(without_traces(self._corpus))
            return CorpusStore.open(self._corpus, read_only=True)
        if not self._corpus.absolute().parent.is_dir():
            raise CorpusError(f"the folder {shown(str(self._corpus.parent))} does not exist")
        return CorpusStore.in_memory()


def _comes_back(waiting: _Waiting) -> bool:
    before = waiting.before
    return before is not None and before.pruned and before.file_sha256 == waiting.read.document.file_sha256


def _was(waiting: _Waiting) -> tuple[str, str] | None:
    """What the file is stored as now, where it is to be another document."""
    before, read = waiting.before, waiting.read
    if before is None or before.status not in ("current", "draft"):
        return None
    if (before.tenant, before.document_id) == read.document.name[:2]:
        return None
    return read.path, f"{before.document_id}@{before.version}"


def _lost(source: SourceDocument) -> tuple[str, ...]:
    """What could not be read, page by page."""
    if source.extracted is None:
        return ()
    pages = [f"page {page.number}: {what}" for page in source.extracted.pages for what in page.lost]
    return (*source.extracted.lost, *pages)


def _require_documents(told: Told, files: Sequence[Found], paths: Sequence[Path]) -> None:
    if told.read or told.removed:
        return
    if told.failed:
        raise IngestError([(each["file"], each["why"]) for each in told.failed])
    named = files[:MOST_TOLD] or [Found(shown(str(path)), "", "", path) for path in paths]
    raise IngestError([(each.shown, "is no document of a kind that is read") for each in named])
