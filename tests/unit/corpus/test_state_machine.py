"""Whatever is done to a corpus, in whatever order, a search equals a plain BM25 over what is current and permitted.

Segments are made tiny, so that documents and runs are split over several of them.
"""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import verified_gate.corpus.index as index
import verified_gate.corpus.layout as layout
import verified_gate.corpus.merging as merging
import verified_gate.corpus.segment as segment
from tests.bm25 import Plain, rank
from tests.unit.corpus.documents import document
from verified_gate.corpus.rewriting import replace_segments, rewriting
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.writing import advance
from verified_gate.model import Actor
from verified_gate.model.errors import CorpusError, IngestError

WORDS = ["bike", "return", "the", "bell", "30", "Rückgabe", "自転車"]
LABELS = [(None, ()), ("acme", ()), ("acme", ("support",)), ("globex", ("board", "support"))]
ACTORS = [None, Actor("acme"), Actor("acme", {"support"}), Actor("globex", {"board"}), Actor("acme", active=False)]

texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=5)


class Corpus(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.slots = merging.SEGMENT_SLOTS, segment.SEGMENT_SLOTS, merging.LARGE
        merging.SEGMENT_SLOTS, segment.SEGMENT_SLOTS, merging.LARGE = 6, 6, 3
        self.sweep, merging.SWEEP = merging.SWEEP, 3
        self.folder = Path(tempfile.mkdtemp())
        self.stored = {}
        self.versions = 0

    @initialize()
    def open(self):
        self.store = CorpusStore.open(self.folder / "kb.db")

    def teardown(self):
        if hasattr(self, "store"):
            assert self.store.operator.status(check=True).faults == ()
            self.store.close()
        merging.SEGMENT_SLOTS, segment.SEGMENT_SLOTS, merging.LARGE = self.slots
        merging.SWEEP = self.sweep
        index._MANY_RUNS, index.FEW_RUNS, layout.FEW_RUNS, layout.FEW_SLOTS = 512, 128, 128, 65_536
        shutil.rmtree(self.folder)

    def superseding_relabels(self, name, access):
        """Would a version that becomes current supersede one with other groups?"""
        return any(
            other[:2] == name[:2] and status == "current" and document_.access != access
            for other, (document_, status) in self.stored.items()
        )

    @rule(name=st.sampled_from("abc"), label=st.sampled_from(LABELS), texts=texts)
    def add_version(self, name, label, texts):
        self.versions += 1
        tenant, groups = label
        made = document(name, *texts, version=str(self.versions), tenant=tenant, groups=groups)
        if self.superseding_relabels(made.name, made.access):
            with pytest.raises(IngestError):
                self.store.add_documents([made])
            return
        self.store.add_documents([made])
        for other, (document_, status) in list(self.stored.items()):
            if other[:2] == made.name[:2] and status == "current":
                self.stored[other] = (document_, "superseded")
        self.stored[made.name] = (made, "current")

    @precondition(lambda self: self.stored)
    @rule(data=st.data(), texts=texts)
    def replace(self, data, texts):
        name = data.draw(st.sampled_from(sorted(self.stored)))
        old, _ = self.stored[name]
        made = document(name[1], *texts, version=name[2], tenant=old.access.tenant, groups=old.access.groups)
        same = (made.text, list(made.spans)) == (old.text, list(old.spans))
        if not same and self.superseding_relabels(name, made.access):
            with pytest.raises(IngestError):
                self.store.add_documents([made], replace=True)
            return
        self.store.add_documents([made], replace=True)
        if (made.text, list(made.spans)) == (old.text, list(old.spans)):
            return
        for other, (document_, status) in list(self.stored.items()):
            if other[:2] == name[:2] and status == "current":
                self.stored[other] = (document_, "superseded")
        self.stored[name] = (made, "current")

    @precondition(lambda self: self.stored)
    @rule(data=st.data(), status=st.sampled_from(["current", "superseded", "withdrawn", "revoked", "draft"]))
    def change_status(self, data, status):
        name = data.draw(st.sampled_from(sorted(self.stored)))
        document_, before = self.stored[name]
        if status == "current" and before != "current" and self.superseding_relabels(name, document_.access):
            with pytest.raises(CorpusError):
                self.store.operator.set_status(name[1], name[2], status, tenant=name[0] or None)
            return
        self.store.operator.set_status(name[1], name[2], status, tenant=name[0] or None)
        if status == "current":
            for other, (document_, before) in list(self.stored.items()):
                if other[:2] == name[:2] and before == "current":
                    self.stored[other] = (document_, "superseded")
        self.stored[name] = (self.stored[name][0], status)

    @precondition(lambda self: self.stored)
    @rule(data=st.data())
    def remove(self, data):
        name = data.draw(st.sampled_from(sorted(self.stored)))
        self.store.operator.remove(name[1], name[2], tenant=name[0] or None)
        del self.stored[name]

    @rule(data=st.data())
    def merge_some(self, data):
        with self.store._database.writing() as connection:
            segments = [row[0] for row in connection.execute("SELECT id FROM segment ORDER BY id")]
            if segments:
                chosen = data.draw(st.lists(st.sampled_from(segments), min_size=1, unique=True))
                merging.merge(connection, chosen, advance(connection))

    @rule(data=st.data())
    def merge_some_step_by_step(self, data):
        with self.store._database.reading() as connection:
            segments = [row[0] for row in connection.execute("SELECT id FROM segment ORDER BY id")]
        if segments:
            chosen = data.draw(st.lists(st.sampled_from(segments), min_size=1, unique=True))
            with rewriting(self.store._database, steal=True) as rewrite:
                replace_segments(self.store._database, rewrite, chosen)

    @rule()
    def optimize(self):
        self.store.operator.optimize()

    @rule(few=st.sampled_from([0, 128]), many=st.sampled_from([0, 1, 512]), slots=st.sampled_from([-1, 4, 65_536]))
    def read_in_another_way(self, few, many, slots):
        """What is read at once, picked run by run, and read segment by segment must not differ."""
        index._MANY_RUNS, index.FEW_RUNS, layout.FEW_RUNS, layout.FEW_SLOTS = many, few, few, slots
        self.store._known = None

    @rule()
    def reopen(self):
        self.store.close()
        self.store = CorpusStore.open(self.folder / "kb.db")

    @rule(
        actor=st.sampled_from(ACTORS),
        question=st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=4).map(" ".join),
    )
    def a_search_equals_the_oracle(self, actor, question):
        plains = {"current": [], "superseded": []}
        for each, status in self.stored.values():
            if status in plains and each.access.permits(actor):
                scope = f"{each.access.tenant}:" if each.access.tenant else ""
                for position, span in enumerate(each.spans):
                    key = f"{scope}{each.document_id}@{each.version}#c{position}"
                    plains[status].append(Plain((*each.name, position), key, each.text[span.start : span.end]))
        for limit in (1, 3, 100):
            found = [(hit.key, hit.score) for hit in self.store.search(question, actor, limit)]
            assert found == rank(question, plains["current"], limit)
        historic = [(hit.key, hit.score) for hit in self.store.search(question, actor, 100, statuses=["superseded"])]
        assert historic == rank(question, plains["current"], 100, candidates=plains["superseded"])

    @invariant()
    def what_is_listed_is_what_was_stored(self):
        if hasattr(self, "store"):
            listed = {
                (each.tenant or "", each.document_id, each.version): str(each.status)
                for each in self.store.operator.documents()
            }
            assert listed == {name: status for name, (_, status) in self.stored.items()}


TestCorpus = Corpus.TestCase
TestCorpus.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
