"""A retriever of the caller's own beside a store brings what this request may not have: no model is shown it."""

from dataclasses import replace

import pytest
import respx

from tests.unit.corpus.documents import document
from tests.wire.play import completion, serve, synthesizer
from tests.simulator import AdversarialSynthesizer
from verified_gate import Actor, AnswerEngine, CorpusStore, Passage
from verified_gate.retrieval.protocol import Constraints
from verified_gate.synthesis.protocol import SynthesisRequest

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery."
SECRET = "CANARY: the board may return a bike within 99 days."
ANYBODY = "open@1#c0"
MEMBER = Actor("acme", {"board"})


class Brings:
    """A retriever that knows every text of the store."""

    def __init__(self, *passages):
        self.passages = passages

    def retrieve(self, question, actor, limit, *, constraints):
        return self.passages


class Log:
    def write(self, trace):
        self.trace = trace
        return "id"


@pytest.fixture
def store():
    with CorpusStore.in_memory() as made:
        made.add(TEXT, document_id="open")
        made.add(SECRET, document_id="local", local_only=True)
        made.add(SECRET, document_id="audit", purposes=["audit"])
        made.add(SECRET, document_id="private", collection="board")
        made.operator.set_private("board")
        made.add(SECRET, document_id="forbidden", tenant="acme", groups=["board"])
        made.add(SECRET, document_id="old", version="1")
        made.add("Another text stands here now.", document_id="old", version="2")
        yield made


def _ask(store, *passages, remote=True, actor=None, context=0, **limits):
    enemy, log = (
        AdversarialSynthesizer().claim("You have 99 days.", (passages[0].key, "return a bike within 99")),
        Log(),
    )
    enemy.claim("You have 30 days.", (ANYBODY, "return a bike within 30 days"))
    enemy.remote = remote
    engine = AnswerEngine(store, retriever=Brings(*passages), synthesizer=enemy, context=context, records=log)
    return engine.answer(QUESTION, actor=actor, **limits), enemy.requests, log.trace


@pytest.mark.code("no_evidence")
@pytest.mark.parametrize(
    ("key", "held"),
    [
        ("local@1#c0", {"remote": False}),
        ("audit@1#c0", {"purpose": "audit"}),
        ("private@1#c0", {"only": ["board"]}),
        ("acme:forbidden@1#c0", {"actor": MEMBER}),
        ("old@1#c0", None),
        ("absent@1#c0", None),
    ],
)
@pytest.mark.parametrize("context", [0, 1])
def test_what_the_store_would_not_release_is_not_shown_to_a_model_and_not_named(store, key, held, context):
    """(conditions 45, 63)"""
    brought = Passage(key, SECRET)
    answer, requests, trace = _ask(store, brought, context=context)
    assert (answer.code, answer.retrieved, requests) == ("no_evidence", (), [])
    assert (trace.left_out, trace.delivered, trace.context) == ((key,), (), ())
    assert "CANARY" not in repr(answer.to_dict())
    answer, (request,), _ = _ask(store, brought, Passage(ANYBODY, TEXT), context=context)
    assert [passage.key for passage in request.evidence] == list(answer.retrieved) == [ANYBODY]
    assert [claim.text for claim in answer.claims] == ["You have 30 days."]
    if held is not None:  # the twin: to a request that may have it, it is shown and released
        answer, (request,), _ = _ask(store, brought, context=context, **held)
        assert [passage.text for passage in request.evidence] == [SECRET]
        assert [claim.text for claim in answer.claims] == ["You have 99 days."]


@pytest.mark.code("no_evidence")
def test_a_key_with_a_text_of_its_own_brings_neither_that_text_nor_what_stands_around(store):
    """(conditions 63, 64)"""
    for name, limits in (("board", {"collection": "board"}), ("plain", {}), ("older", {})):
        store.add_documents([document(name, "CANARY before.", TEXT, "CANARY behind.", **limits)])
    store.add_documents([document("older", "Nothing of it is left.", version="2")])
    for name, text in (("board", "any"), ("board", TEXT), ("plain", "any"), ("older", "any"), ("older", TEXT)):
        answer, requests, trace = _ask(store, Passage(f"{name}@1#c1", text), context=1)
        assert (answer.code, requests, trace.context) == ("no_evidence", [], ())
    for name, limits in (("plain", {}), ("board", {"only": ["board"]})):
        _, (request,), _ = _ask(store, Passage(f"{name}@1#c1", TEXT), context=1, **limits)
        assert [each.text for each in request.context[f"{name}@1#c1"]] == ["CANARY before.", "CANARY behind."]


def test_neighbours_that_the_store_would_not_release_are_not_shown(store, monkeypatch):
    """Whatever `neighbours` gives: each of them is asked about as evidence is."""
    private = store.passage("private@1#c0")
    monkeypatch.setattr(type(store), "neighbours", lambda *_, **__: (private,))
    _, (request,), _ = _ask(store, Passage(ANYBODY, TEXT), context=1)
    assert request.context == {}
    public = store.passage("old@2#c0")
    monkeypatch.setattr(type(store), "neighbours", lambda *_, **__: (public,))
    _, (request,), _ = _ask(store, Passage(ANYBODY, TEXT), context=1)
    assert request.context == {ANYBODY: (public,)}


@pytest.mark.code("retrieval_unavailable")
@pytest.mark.parametrize("broken", ["passage", "disclose"])
def test_a_store_that_cannot_tell_shows_nothing_to_a_model(store, broken, monkeypatch):
    def fails(*_, **__):
        raise OSError("CANARY")

    assert _ask(store, Passage(ANYBODY, TEXT))[0].is_grounded
    monkeypatch.setattr(type(store), broken, fails)
    answer, requests, _ = _ask(store, Passage(ANYBODY, TEXT))
    assert (answer.code, answer.retrieved, requests) == ("retrieval_unavailable", (), [])
    assert "CANARY" not in answer.detail


def test_what_a_passage_says_of_itself_is_not_believed(store):
    """(condition 63) Marked as for everybody, in another document's name: the key decides."""
    stored = store.passage("local@1#c0", constraints=Constraints())
    forged = replace(stored, local_only=False, document_id="open")
    assert _ask(store, forged)[0].code == "no_evidence"
    answer, (request,), _ = _ask(store, forged, remote=False)
    assert request.evidence == (stored,)
    assert answer.is_grounded


@pytest.mark.parametrize("remote", [True, False])
def test_the_client_of_a_remote_model_sends_no_local_material_that_stands_around_either(remote):
    around = Passage("near@1#c1", SECRET, start=100, local_only=True), Passage("near@1#c2", "Open words.", start=200)
    with respx.mock, synthesizer(remote=remote) as ours:
        route = serve(completion())
        ours.synthesize(SynthesisRequest(QUESTION, (Passage("near@1#c0", TEXT),), context={"near@1#c0": around}))
        sent = route.calls.last.request.content
    assert (b"CANARY" in sent, b"Open words." in sent) == (not remote, True)
