"""What `ingest` does: read file by file, store batch by batch, tell what came of each. Imported only when it runs."""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer

from verified_gate.cli.application import STOPPED, Exit
from verified_gate.cli.clashing import Names
from verified_gate.cli.own_files import others
from verified_gate.cli.progress import Steps
from verified_gate.cli.target import Target, Waiting
from verified_gate.cli.telling import MOST_TOLD, Told, Way, tell_all, tell_none, tell_stopped
from verified_gate.corpus.intake import document_of
from verified_gate.corpus.numbering import Read
from verified_gate.corpus.sources import Known
from verified_gate.corpus.writing import Added
from verified_gate.ingest import Labels, SourceDocument
from verified_gate.ingest.folder import shown
from verified_gate.ingest.gathering import Found, Outcome, gather, read_each
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import IngestError

BATCH_DOCUMENTS: Final = 500
BATCH_CHARACTERS: Final = 2_000_000
BATCH_SECONDS: Final = 2.0
"""Of one commit, whichever comes first: bounds what is lost when the process is killed, and the memory it takes."""


def ingest(paths: Sequence[Path], corpus: Path, labels: Labels, way: Way) -> Exit:
    """Store the documents of `paths` in the file `corpus`, which is made where it is missing, and tell what was done.

    A file that cannot be read or stored is told, and the rest goes on. A batch is wholly in or out; done again, it goes
    on where it was stopped: a file whose bytes and labels are stored already is not read again. Gives `FAULT` where a
    file failed. Where there is no document at all, raises `IngestError`, or with `as_json` tells it and all the rest.
    """
    told = Told()
    try:
        files = _stored(paths, corpus, labels, way, told)
    except KeyboardInterrupt:
        tell_stopped(told, way)
        raise typer.Exit(STOPPED) from None
    try:
        _require_documents(told, files, paths)
    except IngestError as fault:
        if not way.as_json:
            raise
        tell_none(told, way, str(fault))
        return Exit.FAULT
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
        store = Target(stack, corpus, labels, way)
        told.not_read |= dict.fromkeys(store.out_of_reach(gathered), "unfit")
        told.removed = store.gone(gathered, files)
        absent = {each.path: (each, why) for each in files if (why := store.why_missing(each))}
        for each, why in absent.values():
            told.fail([(each.shown, why)], "unfit")
        files = [each for each in files if each.path not in absent]
        if way.prune:  # first: what was moved is told from what another file holds
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
            store.put_held(told)
        except KeyboardInterrupt:  # what was read is kept
            batch.store()
            raise
        steps.begin("finishing")
        store.look_back(files, told)
    return files


class _Batch:
    """Documents that were read and are not stored yet. Holds nothing of a file but what is stored of it."""

    def __init__(self, store: "Target", told: Told, steps: Steps) -> None:
        self._store, self._told, self._steps = store, told, steps
        self._reads: list[Waiting] = []
        self._characters = 0
        self._since = 0.0

    def add(self, shown_name: str, read: Read) -> None:
        """Take one; it is stored at once where a batch is full."""
        if not self._reads:
            self._since = time.monotonic()
        self._reads.append(Waiting(shown_name, read, self._store.known(read.path)))
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


def _taken(outcome: Outcome, told: Told, names: Names, store: "Target") -> Read | None:
    """The document to be stored of a file; None where there is none, which is told."""
    found, source = outcome.found, outcome.document
    if outcome.state in ("skipped", "failed"):
        if store.keeps_former(found.path, None, outcome.code, told) or outcome.state == "failed":
            told.fail(outcome.faults, outcome.code)
        else:
            told.skipped += [(found.shown, why) for _, why in outcome.faults]
    elif source is None:
        told.read += 1
        told.left_alone += 1
        told.added += Added(unchanged=1)
        if (known := store.known(found.path)) is not None and known.coverage != "complete":
            told.partial.append({"file": found.shown, "lost": list(known.lost)})
        if known is not None and known.outdated:
            told.outdated.append(found.shown)
        if known is not None and known.unread:
            told.read_again.append(found.path)
    elif isinstance(settled := store.settled(found, source, names), str):
        told.fail([(found.shown, settled)], "clash")
        store.keeps_former(found.path, source.file_sha256, "clash", told)
    else:
        source = settled
        told.read += 1
        before = store.known(found.path)
        again = store.is_known(found.path, source.file_sha256)
        if source.disregarded:
            told.disregarded.append(source.disregarded)
        if source.extracted is not None and source.extracted.coverage != "complete":
            told.partial.append({"file": found.shown, "lost": list(_lost(source))})
        try:
            document = document_of(source, "paragraph", None, 0)
        except IngestError as fault:
            told.fail([(found.shown, why) for _, why in fault.faults], "unfit")
            store.keeps_former(found.path, source.file_sha256, "unfit", told)
            return None
        stored = "" if before is None else before.file_sha256
        by_path = not store.way.trusted
        if not document.spans and document.coverage == "complete":
            told.without_text.append(found.shown)
        read = Read(found.path, document, source.numbered, _lost(source), by_path, before=stored)
        return _reread(found.shown, read, before, told, store) if before is not None and again else read
    return None


def _reread(shown_name: str, read: Read, before: Known, told: Told, store: "Target") -> Read | None:
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
    return replace(same if store.way.replace else read, anew=True)


def _lost(source: SourceDocument) -> tuple[str, ...]:
    """What could not be read, page by page."""
    if source.extracted is None:
        return ()
    pages = [f"page {page.number}: {what}" for page in source.extracted.pages for what in page.lost]
    return (*source.extracted.lost, *pages)


def _require_documents(told: Told, files: Sequence[Found], paths: Sequence[Path]) -> None:
    if told.read or told.removed or told.still_in_force:
        return
    if told.failed:
        raise IngestError([(each["file"], each["why"]) for each in told.failed])
    if files:
        raise IngestError([(each.shown, "is no document of a kind that is read") for each in files[:MOST_TOLD]])
    raise IngestError([(shown(str(path)), "holds no document of a kind that is read") for path in paths])
