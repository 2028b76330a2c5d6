"""What is found, and what is not. Access has its own file: tests/adversarial/test_access_leaks.py."""

import pytest

from tests.unit.corpus.documents import document
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Actor
from verified_gate.model.errors import QueryError
from verified_gate.retrieval.protocol import Retriever


@pytest.fixture
def store():
    with CorpusStore.in_memory() as made:
        yield made


def keys(store, question, *arguments, **filters):
    return [hit.key for hit in store.search(question, *arguments, **filters)]


def test_only_the_current_version_comes_up_unless_another_is_asked_for(store):
    """(condition 24)"""
    store.add("Bikes can be returned within 14 days.", document_id="returns", version="1")
    store.add("Bikes can be returned within 30 days.", document_id="returns", version="2")
    assert keys(store, "returned bikes") == ["returns@2#c0"]
    assert keys(store, "returned bikes", statuses=["superseded"]) == ["returns@1#c0"]
    assert keys(store, "returned bikes", statuses=["current", "superseded"]) == ["returns@1#c0", "returns@2#c0"]
    assert keys(store, "14 days", versions=["1"]) == []
    assert keys(store, "14 days", versions=["1"], statuses=["superseded"]) == ["returns@1#c0"]


@pytest.mark.parametrize("status", ["draft", "withdrawn", "revoked"])
def test_what_no_reader_may_see_cannot_be_asked_for(store, status):
    store.add_documents([document("d", "bike bell", status=status)])
    assert keys(store, "bike") == []
    assert keys(store, "bike", statuses=["current", "superseded"]) == []
    with pytest.raises(QueryError):
        store.search("bike", statuses=[status])
    assert store.passage("d@1#c0") is None
    assert store.documents() == []


def test_asking_for_superseded_versions_changes_no_score_of_a_current_one(store):
    store.add_documents([document("a", "bike bell"), document("b", "bike lamp")])
    before = {hit.key: hit.score for hit in store.search("bike bell")}
    store.add_documents([document("a", "bike bell, new", version="2")])
    changed = {hit.key: hit.score for hit in store.search("bike bell")}
    widened = {hit.key: hit.score for hit in store.search("bike bell", statuses=["current", "superseded"])}
    assert set(before) == {"a@1#c0", "b@1#c0"}
    assert {key: widened[key] for key in changed} == changed
    assert set(widened) == {"a@1#c0", "a@2#c0", "b@1#c0"}


def test_under_the_minimum_score_nothing_is_evidence():
    """(condition 25)"""
    with CorpusStore.in_memory(minimum_score=0.4) as strict, CorpusStore.in_memory() as lenient:
        for store in (strict, lenient):
            store.add_documents([document("d", "the speed of a bike"), document("e", "bells and lamps")])
        question = "the airspeed of an unladen swallow"
        assert [passage.key for passage in lenient.retrieve(question, None, 5)] == ["d@1#c0"]
        assert list(strict.retrieve(question, None, 5)) == []
        assert [passage.key for passage in strict.retrieve("speed of a bike", None, 5)] == ["d@1#c0"]
        for share in (-0.1, 1.1, float("nan")):
            with pytest.raises(QueryError):
                lenient.search("bike", minimum_score=share)


def test_all_words_and_any_word(store):
    """(condition 27)"""
    store.add_documents([document("both", "red bike"), document("one", "red lamp"), document("none", "blue bell")])
    assert keys(store, "red bike") == ["both@1#c0", "one@1#c0"]
    assert keys(store, "red bike", match="all") == ["both@1#c0"]
    assert keys(store, "red bike absent", match="all") == []
    with pytest.raises(QueryError):
        store.search("red", match="some")


@pytest.mark.parametrize(
    "question", ["OR", "NEAR", "bike OR", 'near("x")', "title:bike", "bi*", '"red bike"', "-bike", "(bike", "a^b"]
)
def test_a_question_has_no_syntax(store, question):
    """(conditions 28, 29)"""
    store.add_documents([document("plain", "nothing of the kind"), document("bicycle", "bicycles and bikes")])
    assert keys(store, question) == []


def test_words_that_are_operators_elsewhere_are_found_as_words(store):
    """(condition 28)"""
    store.add_documents([document("logic", "NEAR and OR are operators"), document("other", "a bell")])
    assert keys(store, "or near") == ["logic@1#c0"]


def test_no_search_by_prefix(store):
    """(condition 29)"""
    store.add_documents([document("d", "returning bicycles")])
    assert keys(store, "return bicycle") == []
    assert keys(store, "returning") == ["d@1#c0"]


def test_umlauts_and_accents_are_letters_of_their_own(store):
    """(condition 30)"""
    store.add_documents([document("u", "schon bald"), document("ü", "schön hier"), document("ñ", "un año")])
    assert keys(store, "schön") == ["ü@1#c0"]
    assert keys(store, "schon") == ["u@1#c0"]
    assert keys(store, "ano") == []
    assert keys(store, "SCHO\u0308N") == ["ü@1#c0"]


def test_ties_are_ordered_by_document_and_passage(store):
    """(condition 32)"""
    store.add_documents([document("b", "bike", "bike"), document("a", "bike"), document("c", "bike")])
    store.add_documents([document("aa", "bike", "bike")])
    expected = ["a@1#c0", "aa@1#c0", "aa@1#c1", "b@1#c0", "b@1#c1", "c@1#c0"]
    assert keys(store, "bike") == expected
    assert [keys(store, "bike", None, limit) for limit in range(1, 7)] == [expected[:limit] for limit in range(1, 7)]


def test_the_limit_is_obeyed(store):
    """(condition 33)"""
    store.add_documents([document(f"d{number}", f"bike {'bell ' * number}") for number in range(20)])
    assert len(keys(store, "bike", None, 7)) == 7
    assert keys(store, "bike", None, 7) == keys(store, "bike", None, 20)[:7]
    for limit in (0, -1, 1001, True, "5"):
        with pytest.raises(QueryError):
            store.search("bike", limit=limit)


def test_nothing_found_is_an_empty_list(store):
    """(condition 34)"""
    assert keys(store, "bike") == []
    store.add_documents([document("d", "bell")])
    assert keys(store, "bike") == []
    assert keys(store, "…") == []
    assert list(store.retrieve("bike", Actor("acme"), 3)) == []


def test_an_empty_question_is_refused_before_anything_is_read(store):
    """(condition 59)"""
    with pytest.raises(QueryError):
        store.search("  ")


def test_filters_narrow(store):
    """(condition 45)"""
    store.add_documents(
        [
            document("a", "bike bell", collection="shop", lang="en"),
            document("b", "bike lamp", collection="press", lang="de-AT"),
            document("c", "bike tyre", tenant="acme", collection="shop", lang="de"),
        ]
    )
    acme = Actor("acme")
    assert keys(store, "bike", acme) == ["a@1#c0", "b@1#c0", "acme:c@1#c0"]
    assert keys(store, "bike", acme, collection="shop") == ["a@1#c0", "acme:c@1#c0"]
    assert keys(store, "bike", acme, collection=["press", "none"]) == ["b@1#c0"]
    assert keys(store, "bike", acme, lang="DE") == ["b@1#c0", "acme:c@1#c0"]
    assert keys(store, "bike", acme, lang="de-AT") == ["b@1#c0"]
    assert keys(store, "bike", acme, document_ids=["acme:c", "a"]) == ["a@1#c0", "acme:c@1#c0"]
    assert keys(store, "bike", acme, collection="shop", lang="en", document_ids=["c"]) == []
    assert keys(store, "bike", acme, document_ids=[]) == []
    assert keys(store, "bike", None, document_ids=["c", "acme:c"]) == []
    assert keys(store, "bike", acme, collection="\ud800'; DROP TABLE document; --") == []
    assert len(keys(store, "bike", acme)) == 3


def test_title_and_headings_are_searched_and_stay_out_of_the_text(store):
    store.add("# Returns\n\n## Helmets\n\nNot after use.\n\n## Gloves\n\nAlways.\n", document_id="r", title="Policy")
    hit = store.search("policy helmets")[0]
    assert "Not after use." in hit.passage.text
    assert "Policy" not in hit.passage.text
    assert hit.passage.location.heading == ("Returns", "Helmets")
    assert hit.passage.title == "Policy"


def test_a_passage_keeps_its_place_and_its_pins(store):
    """(condition 60)"""
    text = "# Care\n\nKeep it dry.\n\n## Chain\n\nOil the chain\nevery month.\n"
    store.add(text, document_id="care", version="7", lang="en")
    (hit,) = store.search("oil")
    passage = hit.passage
    assert text[passage.start : passage.start + len(passage.text)] == passage.text
    assert (passage.key, passage.document_id, passage.version, passage.lang) == ("care@7#c1", "care", "7", "en")
    assert (passage.location.first_line, passage.location.last_line) == (5, 8)
    assert all(len(digest) == 64 for digest in (passage.sha256, passage.text_sha256, passage.file_sha256))
    assert store.passage("care@7#c1") == passage


def test_a_long_text_over_many_blocks_is_cut_as_it_was_stored(store):
    text = "\n\n".join(f"Paragraph {number} " + "wörd 自転車 " * 300 for number in range(30))
    store.add(text, document_id="long")
    passages = store.passages()
    assert len(passages) == 30
    assert all(text[passage.start : passage.start + len(passage.text)] == passage.text for passage in passages)


def test_the_store_is_a_retriever(store):
    assert isinstance(store, Retriever)
