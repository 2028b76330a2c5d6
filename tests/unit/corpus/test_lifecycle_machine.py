"""Erasing and private collections among all that is done to a corpus: what is found, released and resolved stays exact."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.bm25 import Plain, rank
from tests.unit.corpus.test_state_machine import ACTORS, WORDS, Corpus
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import ReasonCode, sha256_of_text
from verified_gate.model.errors import IngestError
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints

NAMED = Constraints(only={"default"})


class Lifecycle(Corpus):
    """The same machine with the verbs of lifecycles."""

    @initialize()
    def open(self):
        self.store = CorpusStore.open(self.folder / "kb.db")
        self.private = False
        self.erased = {}

    @precondition(lambda self: self.stored)
    @rule(data=st.data(), whole=st.booleans())
    def erase(self, data, whole):
        name = data.draw(st.sampled_from(sorted(self.stored)))
        result = self.store.operator.erase(name[1], None if whole else name[2], tenant=name[0] or None)
        assert result.finished
        for other in [each for each in self.stored if each == name or (whole and each[:2] == name[:2])]:
            self.erased[other] = self.stored.pop(other)[0]

    @rule(private=st.booleans())
    def make_private(self, private):
        self.store.operator.set_private("default", private=private)
        self.private = private

    @precondition(lambda self: getattr(self, "erased", None))
    @rule(data=st.data())
    def an_erased_name_is_not_given_again(self, data):
        name = data.draw(st.sampled_from(sorted(self.erased)))
        with pytest.raises(IngestError):
            self.store.add_documents([self.erased[name]], replace=True)

    @rule(
        actor=st.sampled_from(ACTORS),
        question=st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=4).map(" ".join),
    )
    def a_search_equals_the_oracle(self, actor, question):
        plains = []
        for each, status in self.stored.values():
            if status == "current" and each.access.permits(actor):
                for position, span in enumerate(each.spans):
                    key = f"{scope_of(each)}{each.document_id}@{each.version}#c{position}"
                    plains.append(Plain((*each.name, position), key, each.text[span.start : span.end]))
        for constraints in (
            UNCONSTRAINED,
            NAMED,
            Constraints(prefer={"default"}),
            Constraints(purpose="x", remote=True),
        ):
            expected = [] if self.private and constraints.only is None else rank(question, plains, 100)
            found = self.store.search(question, actor, 100, constraints=constraints)
            assert [(hit.key, hit.score) for hit in found] == expected

    @rule(actor=st.sampled_from(ACTORS))
    def what_is_released_and_resolved_is_what_is_there(self, actor):
        for each, status in [*self.stored.values(), *((each, "erased") for each in self.erased.values())]:
            span = each.spans[0]
            text = each.text[span.start : span.end]
            key = f"{scope_of(each)}{each.document_id}@{each.version}#c0"
            pin = Pin(each.document_id, each.version, key, sha256_of_text(text), sha256_of_text(each.text), span.start)
            seen = each.access.permits(actor) and status in ("current", "superseded")
            code = None if status == "current" else ReasonCode.SUPERSEDED
            assert self.store.disclose([pin], actor, constraints=NAMED) == [code if seen else ReasonCode.UNAVAILABLE]
            unnamed = code if seen and not self.private else ReasonCode.UNAVAILABLE
            assert self.store.disclose([pin], actor) == [unnamed]
            citation = {"key": key, "quote": text, "start": 0, "end": len(text), "sha256": sha256_of_text(text)}
            state = {"current": "current", "superseded": "historic"}.get(status) if seen else "unavailable"
            assert self.store.resolve(citation, actor).status == state
            assert (self.store.passage(key, actor) is not None) == seen

    @invariant()
    def nothing_is_left_to_erase(self):
        if hasattr(self, "store"):
            assert self.store.operator.status().unfinished == ()


def scope_of(document):
    return f"{document.access.tenant}:" if document.access.tenant else ""


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
