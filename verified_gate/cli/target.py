"""The corpus that an `ingest` stores in: what it holds of each file, and what is put into it. Imported only when it runs."""

import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from verified_gate.cli.clashing import Names
from verified_gate.cli.own_files import without_traces
from verified_gate.cli.telling import Told, Way
from verified_gate.corpus.numbering import Held, Read
from verified_gate.corpus.rehearsal import Rehearsal
from verified_gate.corpus.sources import Kept, Known, Overtaken, Sources, labels_digest
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.writing import Added
from verified_gate.ingest import Labels, SourceDocument
from verified_gate.ingest.folder import shown
from verified_gate.ingest.gathering import Found, Gathered
from verified_gate.ingest.reading import claim_of, likeness, load, other_ids
from verified_gate.model.errors import CorpusError, IngestError

AT_ONCE: Final = 1_000
"""Files that are looked up at once: many more than are read at once."""
_MOST_HELD: Final = 500
"""Documents that wait until the end for an id that another file may give up: bounds the memory."""


class Waiting(NamedTuple):
    """A document that was read and is not stored yet, how its file is called, and what was stored of it before."""

    shown: str
    read: Read
    before: Known | None


class Target:
    """The corpus, which is opened only when there is something to read from it or to put into it."""

    def __init__(self, stack: ExitStack, corpus: Path, labels: Labels, way: Way) -> None:
        self.way = way
        self._stack, self._corpus = stack, corpus
        self._digest = labels_digest(labels, trusted=way.trusted)
        self._tenant = labels.access.tenant or ""
        self._puts_in_force = labels.status == "current" and not way.trusted
        self._store: CorpusStore | None = None
        self._gone: list[tuple[str, int]] = []
        self._withdrawn: set[int] = set()
        self._here: dict[str, Found] = {}
        self._held: list[Waiting] = []
        self._files: Sequence[Found] = ()
        self._claims: dict[str, str | None] | None = None
        self._alike: set[str] = set()
        self._known: tuple[dict[str, Known], ...] = ()
        if corpus.exists():
            self._sources()

    def looked_up(self, files: Sequence[Found]) -> Iterator[Found]:
        """The files, when what is stored of each is known: of some at a time, since there may be any number."""
        self._files = files
        self._here = {each.path: each for each in files}
        self._alike = {kind for kind, count in Counter(likeness(each.name) for each in files).items() if count > 1} | {
            ""
        }
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
        again = known is not None and known.document_id in other_ids(source, found.path)
        if self.way.version is None:
            again = again or self.is_known(found.path, source.file_sha256)
            return replace(source, id=known.document_id) if known is not None and again else source
        same = again or (known is not None and known.document_id.endswith(f"/{source.id}"))
        name = known.document_id if known is not None and same else source.id
        return replace(source, id=name, version=self.way.version, numbered=False)

    def settled(self, found: Found, source: SourceDocument, names: Names) -> SourceDocument | str:
        """The document under an id that no other file of this call has, where both ids are made of paths; or why it cannot
        be stored beside those.
        """
        named, known = self.named(found, source), self.known(found.path)
        if named.numbered and not named.derived and self._is_held(found, named):
            return named  # it says that it is the document of another file: the corpus refuses it, and it takes no name
        stays = known is not None and not known.pruned and known.document_id == named.id
        if not (stays or named.numbered or self.way.version) and (fault := self._rival(named, found.path)):
            return fault
        stays = stays or self.way.version is not None or self.is_known(found.path, source.file_sha256)
        others = () if stays else other_ids(source, found.path)
        for name in dict.fromkeys((named.id, *others)):
            if name != named.id and self._claimed().get(named.id):
                break  # another file says that it is a version of it: perhaps of this very file
            each = replace(named, id=name)
            taken = (others and self._is_held(found, each)) or (name != named.id and name in self._claimed())
            if not taken and names.clash(each, found.shown) is None:
                return each
        return names.clash(named, found.shown) or named

    def _is_held(self, found: Found, source: SourceDocument) -> bool:
        """Is this the document of another file of this call, which is stored?"""
        if self._store is None or not (self.way.trusted or likeness(found.name) in self._alike):
            return False
        if self.way.trusted and not source.numbered:  # it says that it is a version of it
            return False
        return any(
            sha256 != source.file_sha256
            or not self._is_still(holder, sha256)  # of the same bytes they are one document
            for holder, sha256 in self._holders(source, found.path)
        )

    def _holders(self, source: SourceDocument, path: str) -> list[tuple[Found, str]]:
        """The other files of this call that this document was read from, with the hashes of their bytes then."""
        if self._store is None:
            return []
        holders = self._sources().holders(source.access.tenant or "", source.id, path)
        return [(self._here[each], sha256) for each, sha256 in holders.items() if each in self._here]

    def _is_still(self, found: Found, sha256: str) -> bool:
        """Has this file these bytes now?"""
        try:
            return hashlib.sha256(load(found.file, found.name, found.root)).hexdigest() == sha256
        except IngestError:
            return False

    def _rival(self, source: SourceDocument, path: str) -> str | None:
        """Why a document whose file names its version cannot be stored beside a file that has its id, as `Names` would say
        if that one were read: it may be left alone.
        """
        for holder, _ in self._holders(source, path) if self.way.trusted else ():
            name, version = claim_of(holder.file, holder.name, holder.root) or (source.id, None)
            if name == source.id and version is None:
                return f"has the same tenant and id as {holder.shown}, and one of them names no version"
            if (name, version) == (source.id, source.version):
                return f"has the same tenant, id and version as {holder.shown}"
        return None

    def _claimed(self) -> dict[str, str | None]:
        """The ids that files of this call name themselves, and a version where one of these names one. Looked for when a
        file is to have an id that is not made of its path alone: one that was not read yet may say that it has this one.
        """
        if self._claims is None:
            self._claims = {}
            for each in self._files if self.way.trusted else ():
                if (claim := claim_of(each.file, each.name, each.root)) is not None:
                    self._claims[claim[0]] = claim[1] or self._claims.get(claim[0])
        return self._claims

    def holds(self, read: Read) -> bool:
        """Is this stored already, whichever reader read it?"""
        return self._sources().is_stored(read.document)

    def put(self, batch: Sequence[Waiting], told: Told, *, last: bool = False) -> None:
        """Store a batch; where a document of it cannot be stored, one by one. What another file holds waits until all were
        read, but for the `last` time.
        """
        try:
            kept = self._kept([each.read for each in batch])
        except IngestError as fault:
            if len(batch) > 1:
                for each in batch:
                    self.put([each], told)
                return
            if isinstance(fault, Overtaken) and self._is_caught_up(batch[0], told):
                return
            if isinstance(fault, Held) and not last and len(self._held) < _MOST_HELD:
                self._held.append(batch[0])
                return
            shown_name, read = batch[0].shown, batch[0].read
            advice = self._advice(shown_name, read)
            told.fail([(f"{shown_name} ({shown(place)})", why + advice) for place, why in fault.faults], "refused")
            self.keeps_former(read.path, read.document.file_sha256, "refused", told)
            return
        told.added += kept.added
        told.restored += [each.read.path for each in batch if each.read.path in kept.back]
        new = [each for each in batch if each.read.path in kept.new]
        told.read_otherwise += [each.shown for each in new if each.read.anew]
        told.changed += sum(each.before is not None and not each.read.anew for each in new)
        told.drafts += sum(each.read.document.status == "draft" for each in new)

    def put_held(self, told: Told) -> None:
        """Store what waits for other files, of which some may be other documents now."""
        waiting: list[Waiting] = []
        while len(self._held) != len(waiting):
            waiting, self._held = self._held, []
            for each in waiting:
                self.put([each], told)
        self._held = []
        for each in waiting:
            self.put([each], told, last=True)

    def _is_caught_up(self, waiting: Waiting, told: Told) -> bool:
        """Of a file that another process stored since it was looked up: what lies there now is in force, whichever of the
        two read it. False where that is neither what was read nor what is stored.
        """
        read = waiting.read
        now = self._sources().known([read.path], self._tenant).get(read.path)
        stored = "" if now is None else now.file_sha256
        try:
            here = hashlib.sha256(load(Path(read.path), read.path)).hexdigest()
        except IngestError:
            return False
        if here == read.document.file_sha256:
            self.put([Waiting(waiting.shown, replace(read, before=stored), now)], told)
        elif here == stored:
            told.added += Added(unchanged=1)
        else:
            return False
        return True

    def _kept(self, reads: Sequence[Read]) -> Kept:
        way = self.way
        return self._sources().store(
            reads, self._digest, instead=way.replace, tenant=self._tenant, texts=not way.dry_run
        )

    def keeps_former(self, path: str, sha256: str | None, code: str, told: Told) -> bool:
        """Of a file that failed by this `code`: is another text of it stored, in force or to be? It is looked for at the end.
        `sha256` is that of its bytes, None where they were not read.
        """
        known = self.known(path)
        if known is None or known.pruned or known.status not in ("current", "draft") or known.file_sha256 == sha256:
            return False
        told.not_read[path] = code
        return True

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
            self._sources().check(reads, instead=True, tenant=self._tenant)
        except IngestError:
            return False
        return True

    def gone(self, gathered: Gathered, files: Sequence[Found]) -> list[str]:
        """Files that were read once for this tenant, lay under these paths, and are no longer there. None of those that lie
        behind a folder that could not be listed, or a link that is at fault: nobody knows of these.
        """
        if self._store is None:
            return []
        here = {each.path for each in files} | set(gathered.again)
        gone = self._sources().missing(gathered.folders, here, self._tenant) - self.out_of_reach(gathered)
        # what is named and is not there may be a share that is not mounted, or a typing error: nothing says that it is gone
        gone -= self._sources().missing(
            [each.path for each in files if not os.path.lexists(each.path)], (), self._tenant
        )
        self._gone = self._sources().versions_of(gone, self._tenant)
        return sorted(gone)

    def out_of_reach(self, gathered: Gathered) -> set[str]:
        """Files that were read once for this tenant, and are behind a folder or a link that is at fault now."""
        if self._store is None or not gathered.broken:
            return set()
        here = {each.path for each in gathered.files} | set(gathered.again)
        return self._sources().missing(gathered.broken, here, self._tenant)

    def why_missing(self, found: Found) -> str | None:
        """Of a folder that is named and is not there: that what was read from it stays. None for what was no folder."""
        if found.root is not None or self._store is None or os.path.lexists(found.path):
            return None
        below = self._sources().missing([found.path], {found.path}, self._tenant)
        if not below:
            return None
        stay = (
            f"the documents of {len(below):,} files in it stay"
            if len(below) > 1
            else "the document of a file in it stays"
        )
        return f"there is no such folder, and {stay} as before; where it is gone for good, --prune and an empty folder in its place withdraw them"

    def withdraw(self, paths: Sequence[str]) -> int:
        """Withdraw what was read from these files, which are gone; gives how many versions."""
        count = self._sources().withdraw(paths, self._tenant) if paths else 0
        versions = {version for _, version in self._gone}
        self._withdrawn = versions - set(self._sources().places_of(versions)) if count else set()
        return count

    def look_back(self, files: Sequence[Found], told: Told) -> None:
        """Tell what else stands stored of these files: as other documents, for others, or withdrawn by the operator."""
        if self._store is None:
            return
        sources, paths = self._sources(), [each.path for each in files]
        former = sources.former(paths, self._tenant)
        told.former = [(path, f"{name}@{version}") for path, name, version in former]
        if self.way.prune and former:
            told.withdrawn += sources.withdraw_former([path for path, *_ in former], self._tenant)
        in_force = sources.in_force(told.not_read, self._tenant)
        told.still_in_force = [(path, f"{name}@{version}") for path, name, version in in_force]
        self._tell_moved(told)
        left = () if self.way.prune else sources.in_force(told.removed, self._tenant)
        told.gone_in_force = [(path, f"{name}@{version}") for path, name, version in left]
        told.same_bytes = self._same_bytes(
            [path for path in told.removed if path not in told.moved], {*told.removed, *told.not_read}
        )
        if in_force or told.read_again:
            sources.note({path: told.not_read[path] for path, *_ in in_force}, told.read_again, self._tenant)
        others = sources.elsewhere(paths, self._tenant)
        told.elsewhere = [(path, name or "public", version) for path, name, version in others]
        waiting = sources.not_in_force(paths, self._tenant, drafts=self._puts_in_force)
        told.not_in_force = [
            (path, f"{name}@{version} {'is a' if was == 'draft' else 'was'} {was}")
            for path, name, version, was in waiting
        ]

    def _tell_moved(self, told: Told) -> None:
        """Of files that are gone, those whose documents stay as they were, since they lie elsewhere now. That they were
        withdrawn before the file was met there is nothing to tell.
        """
        removed = set(told.removed)
        places = self._sources().places_of({version for _, version in self._gone})
        told.withdrawn -= len(self._withdrawn & set(places))
        left = set()
        for path, version in self._gone:
            there = (each for each in places.get(version, ()) if each not in removed and os.path.lexists(each))
            if (place := next(there, None)) is None:
                left.add(path)
            else:
                told.moved[path] = place
        told.moved = {path: place for path, place in told.moved.items() if path not in left}
        told.restored = [path for path in told.restored if path not in told.moved.values()]

    def _same_bytes(self, gone: Sequence[str], absent: Collection[str]) -> dict[str, tuple[str, str]]:
        """Of files that are gone, those whose bytes lie elsewhere as a document of another id: the place and the version.
        What lies at an `absent` path is not what is stored of it.
        """
        if not gone:
            return {}
        before = self._sources().known(gone, self._tenant)
        there: dict[str, tuple[str, str]] = {}
        for sha256, path, name, version in self._sources().of_bytes(
            (each.file_sha256 for each in before.values()), self._tenant
        ):
            if sha256 not in there and path not in absent and os.path.lexists(path):
                there[sha256] = path, f"{name}@{version}"
        return {path: there[each.file_sha256] for path, each in before.items() if each.file_sha256 in there}

    def _sources(self) -> Sources:
        if self._store is None:
            self._store = self._stack.enter_context(self._opened())
        return self._store.operator.sources

    def _opened(self) -> CorpusStore:
        if not self.way.dry_run:
            return CorpusStore.open(self._corpus)
        if self._corpus.exists():
            self._stack.enter_context(without_traces(self._corpus))
            return CorpusStore(Rehearsal(self._corpus))
        if not self._corpus.absolute().parent.is_dir():
            raise CorpusError(f"the folder {shown(str(self._corpus.parent))} does not exist")
        return CorpusStore.in_memory()
