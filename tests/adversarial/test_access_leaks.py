"""What an actor may not read must not show: not in hits, not in their order, not in a bit of a score.

Invariant 4 of the design: a document the actor may not read never changes what is found.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

import pytest

from tests.bm25 import Plain, rank
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Access, Actor, ReasonCode, sha256_of_text

WORDS = ["bike", "return", "the", "a", "battery", "warranty", "30", "days", "Rückgabe", "自転車", "RD2-24"]
ACCESSES = [
    Access(),
    Access("acme"),
    Access("acme", {"support"}),
    Access("acme", {"sales", "support"}),
    Access("acme", {"board"}),
    Access("globex"),
    Access("globex", {"support"}),
]
ACTORS = [
    None,
    Actor(),
    Actor("acme"),
    Actor("acme", {"support"}),
    Actor("acme", {"support", "board"}),
    Actor("globex", {"support"}),
    Actor("unknown", {"support"}),
    Actor("acme", {"support", "board"}, active=False),
]

passages = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=4)


@st.composite
def corpora(draw):
    contents = draw(
        st.lists(st.tuples(passages, st.sampled_from(ACCESSES), st.sampled_from(["", "bike", "days"])), max_size=8)
    )
    return [document(f"d{number}", texts, access, title) for number, (texts, access, title) in enumerate(contents)]


def document(name, texts, access=Access(), title="", version="1", status="current"):
    parts = [" ".join(text) if isinstance(text, list) else text for text in texts]
    text = "\n\n".join(parts)
    spans, start = [], 0
    for part in parts:
        spans.append(Span(start, start + len(part)))
        start += len(part) + 2
    return Document(name, version, text, spans, title=title, access=access, status=status)


def store_of(documents, batch=3):
    store = CorpusStore.in_memory()
    store.add_documents(documents, batch=batch)
    return store


def found(store, question, actor, limit=10, **filters):
    return [(hit.key, hit.score, hit.passage.text) for hit in store.search(question, actor, limit, **filters)]


def plain_of(documents, actor):
    plains = []
    for each in documents:
        if each.access.permits(actor) and each.status == "current":
            scope = f"{each.access.tenant}:" if each.access.tenant else ""
            for position, span in enumerate(each.spans):
                key = f"{scope}{each.document_id}@{each.version}#c{position}"
                text = f"{each.title} {each.text[span.start : span.end]}"
                plains.append(Plain((*each.name, position), key, text))
    return plains


questions = st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=5).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(corpora(), questions, st.sampled_from(ACTORS), st.integers(1, 6), st.randoms(use_true_random=False))
def test_hits_order_and_scores_are_those_of_the_permitted_documents_alone(documents, question, actor, limit, random):
    """(conditions 32, 36, 37, 38, 39, 40, 41)"""
    permitted = [each for each in documents if each.access.permits(actor)]
    shuffled = random.sample(documents, len(documents))
    with (
        store_of(documents) as whole,
        store_of(permitted, batch=1) as alone,
        store_of(shuffled, batch=2) as other_order,
    ):
        expected = rank(question, plain_of(documents, actor), limit)
        assert [(key, score) for key, score, _ in found(whole, question, actor, limit)] == expected
        assert found(alone, question, actor, limit) == found(whole, question, actor, limit)
        assert found(other_order, question, actor, limit) == found(whole, question, actor, limit)


@settings(max_examples=80, deadline=None)
@given(corpora(), questions, st.sampled_from(ACTORS), st.sampled_from(["d0", "d1", "d2", "d7"]))
def test_a_filter_narrows_and_changes_no_score(documents, question, actor, name):
    """(condition 45)"""
    with store_of(documents) as store:
        chosen = found(store, question, actor, 1000, document_ids=[name])
        everything = found(store, question, actor, 1000)
        assert chosen == [hit for hit in everything if hit[0].rpartition("@")[0].rpartition(":")[2] == name]


@settings(max_examples=80, deadline=None)
@given(corpora(), questions, st.sampled_from(ACTORS))
def test_all_words_equals_the_plain_ranking(documents, question, actor):
    """(condition 27)"""
    with store_of(documents) as store:
        expected = rank(question, plain_of(documents, actor), 10, match_all=True)
        assert [(key, score) for key, score, _ in found(store, question, actor, match="all")] == expected


def test_a_very_long_forbidden_document_leaves_hits_and_scores_as_they_were():
    """(condition 41) Its length would move the average, its words the document frequencies."""
    open_to_all = [document("returns", ["You can return a bike within 30 days"]), document("care", ["Keep a bike dry"])]
    secret = document("secret", ["bike return days " * 20_000, *["bike"] * 500], Access("acme", {"board"}))
    for actor in (None, Actor("acme", {"support"}), Actor("globex", {"board"})):
        with store_of(open_to_all) as before, store_of([*open_to_all, secret]) as after:
            assert found(before, "return a bike in 30 days", actor) == found(after, "return a bike in 30 days", actor)
    with store_of([*open_to_all, secret]) as store:
        assert any(key.startswith("acme:secret@1") for key, _, _ in found(store, "bike", Actor("acme", {"board"})))


@pytest.mark.code("unavailable")
@pytest.mark.parametrize("actor", [None, Actor("acme"), Actor("acme", {"support"}), Actor("globex", {"board"})])
def test_forbidden_and_missing_look_alike_on_every_path(actor):
    """(condition 44) A guessed valid key gives what a key that was never given gives."""
    secret = document("secret", ["The merger closes in May"], Access("acme", {"board"}))
    digest = sha256_of_text("The merger closes in May")
    with store_of([secret, document("open", ["Shops open at nine"])]) as store:
        for key, name in (
            ("acme:secret@1#c0", "secret"),
            ("acme:nothing@1#c0", "nothing"),
            ("acme:secret@1#c9", "secret"),
        ):
            citation = {
                "key": key,
                "quote": "The merger closes in May",
                "start": 0,
                "end": 24,
                "passage_sha256": digest,
            }
            assert store.passage(key, actor) is None
            assert store.disclose([Pin(name, "1", key, digest)], actor) == [ReasonCode.UNAVAILABLE]
            assert store.resolve(citation, actor).to_dict() == {
                "status": "unavailable",
                "citation": None,
                "current": None,
            }
        assert found(store, "merger May", actor) == []
        assert found(store, "merger", actor, document_ids=["secret", "acme:secret"]) == []
        assert [listing.document_id for listing in store.documents(actor)] == ["open"]
        assert [passage.key for passage in store.passages(actor)] == ["open@1#c0"]
        board = Actor("acme", {"board"})
        assert store.disclose([Pin("secret", "1", "acme:secret@1#c0", digest)], board) == [None]
        assert store.resolve({**citation, "key": "acme:secret@1#c0"}, board).status == "current"


def test_an_inactive_actor_gets_nothing_on_any_path():
    """(condition 38)"""
    gone = Actor("acme", {"support"}, active=False)
    digest = sha256_of_text("Shops open at nine")
    with store_of([document("open", ["Shops open at nine"])]) as store:
        assert found(store, "shops open", gone) == []
        assert store.passage("open@1#c0", gone) is None
        assert store.documents(gone) == []
        assert store.disclose([Pin("open", "1", "open@1#c0", digest)], gone) == [ReasonCode.UNAVAILABLE]
        assert len(found(store, "shops open", None)) == 1


def test_one_tenants_id_says_nothing_of_anothers():
    """Ids are scoped by tenant: both can hold `plan`, and neither sees that the other does."""
    ours, theirs = (
        document("plan", ["Our plan is tea"], Access("acme")),
        document("plan", ["Their plan"], Access("globex")),
    )
    with store_of([ours, theirs]) as store:
        assert [key for key, _, _ in found(store, "plan", Actor("acme"))] == ["acme:plan@1#c0"]
        assert [key for key, _, _ in found(store, "plan", Actor("globex"))] == ["globex:plan@1#c0"]
        assert found(store, "plan", Actor("globex"), document_ids=["acme:plan"]) == []
