"""Attack family: fabricated quotes and wrong sources, end to end through the engine."""

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import Actor, AnswerEngine, ReasonCode
from verified_gate.model import sha256_of_text

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery. Sale items cannot be returned."
QUOTE = "return a bike within 30 days"
SECRET = "Managers may accept a bike after 90 days in exceptional cases."
WARRANTY = "The frame of a bike has a warranty of 5 years."


@pytest.fixture
def corpus():
    corpus = CorpusSimulator()
    corpus.add("returns", TEXT, title="Returns policy")
    corpus.add("warranty", WARRANTY)
    corpus.add("archive", "Bikes were made in Ghent until 1950.")
    corpus.add("managers", SECRET, tenant="acme", groups=["managers"])
    return corpus


def _answer(corpus, *citations, actor=None, text="A sentence."):
    return AnswerEngine(corpus, synthesizer=AdversarialSynthesizer().claim(text, *citations)).answer(
        QUESTION, actor=actor
    )


HONEST = ("returns@1#c0", QUOTE)
DISHONEST = [
    pytest.param(("invented@1#c0", QUOTE), "unknown_citation", id="an invented key (condition 1)"),
    pytest.param(("archive@1#c0", "made in Ghent until 1950"), "unknown_citation", id="not delivered (condition 53)"),
    pytest.param(("acme:managers@1#c0", "accept a bike after 90 days"), "unknown_citation", id="forbidden (44)"),
    pytest.param(("returns@1#c0", "return a bike within 90 days"), "quote_mismatch", id="one character (condition 2)"),
    pytest.param(("returns@1#c0", ""), "quote_missing", id="empty (condition 3)"),
    pytest.param(("returns@1#c0", " \n"), "quote_missing", id="blank (condition 3)"),
    pytest.param(("warranty@1#c0", QUOTE), "quote_in_other_passage", id="another passage's quote (condition 4)"),
    pytest.param({"key": "returns@1#c0"}, "quote_missing", id="no quote (condition 5)"),
    pytest.param(("returns@1#c0", "turn a bike within 30 days"), "quote_splits_token", id="inside a word"),
    pytest.param(("returns@1#c0", "be returned"), "quote_too_short", id="two words"),
    pytest.param({"key": 7, "quote": QUOTE}, "invalid_schema", id="a number as key"),
    pytest.param({"key": "returns@1#c0", "quote": None}, "invalid_schema", id="null as quote"),
]


@pytest.mark.parametrize(("citation", "code"), DISHONEST)
def test_a_dishonest_citation_alone_releases_nothing(corpus, citation, code):
    answer = _answer(corpus, citation)
    assert not answer.is_grounded
    assert [refusal.code for refusal in answer.dropped if refusal.citation == 0] == [code]
    assert _answer(corpus, HONEST).is_grounded


@pytest.mark.parametrize(("citation", "code"), DISHONEST)
def test_beside_a_dishonest_citation_the_honest_one_leaves_unchanged(corpus, citation, code):
    """(conditions 6 and 11, invariant 4)"""
    alone = _answer(corpus, HONEST)
    for order in ([HONEST, citation], [citation, HONEST]):
        answer = _answer(corpus, *order)
        assert (answer.text, answer.claims, answer.citations) == (alone.text, alone.claims, alone.citations)
        assert [str(refusal.code) for refusal in answer.dropped] == [code]
        assert answer.withheld == ()


def test_a_forbidden_key_and_an_invented_one_look_the_same(corpus):
    """(condition 44)"""
    forbidden = _answer(corpus, ("acme:managers@1#c0", "accept a bike after 90 days")).to_dict()
    invented = _answer(corpus, ("acme:nothing-here@1#c0", "accept a bike after 90 days")).to_dict()
    for answer in (forbidden, invented):
        for refusal in answer["dropped"]:
            refusal.pop("key")  # the key as it was proposed
    assert forbidden == invented
    actor = Actor("acme", {"managers"})
    assert _answer(corpus, ("acme:managers@1#c0", "accept a bike after 90 days"), actor=actor).is_grounded


def test_every_released_citation_carries_key_document_version_span_and_hash(corpus):
    """(condition 9, invariant 2)"""
    (citation,) = _answer(corpus, HONEST).citations
    assert (citation.key, citation.document_id, citation.title, citation.version) == (
        "returns@1#c0",
        "returns",
        "Returns policy",
        "1",
    )
    assert TEXT[citation.start : citation.end] == citation.quote
    assert citation.passage_sha256 == citation.sha256 == sha256_of_text(TEXT)
    assert citation.origin == "store"


def test_citations_come_in_the_order_cited_once_each(corpus):
    """(condition 56)"""
    enemy = AdversarialSynthesizer()
    warranty = ("warranty@1#c0", "a warranty of 5 years")
    enemy.claim("First.", warranty, HONEST, warranty)
    enemy.claim("Second.", HONEST)
    enemy.claim("Third.", ("returns@1#c0", "Sale items cannot be returned."))
    answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert [citation.quote for citation in answer.citations] == [
        "a warranty of 5 years",
        QUOTE,
        "Sale items cannot be returned.",
    ]
    assert answer.text == "First. [1][2] Second. [2] Third. [3]"
    assert answer.quotes_text == (
        "“a warranty of 5 years” [1] “return a bike within 30 days” [2] “Sale items cannot be returned.” [3]"
    )


def test_the_same_span_through_two_overlapping_passages_is_one_citation_that_names_both():
    corpus = CorpusSimulator()
    whole = corpus.add("returns", TEXT)
    first, second = corpus.window(whole, 0, 49, "c1"), corpus.window(whole, 8, len(TEXT), "c2")
    answer = _answer(corpus, (first, QUOTE), (second, QUOTE))
    (citation,) = answer.citations
    assert (citation.key, citation.keys) == (first, (first, second))
    assert TEXT[citation.start : citation.end] == QUOTE
    assert answer.text == "A sentence. [1]"
    other = _answer(corpus, (first, QUOTE), (second, "a bike within 30 days"))
    assert [c.keys for c in other.citations] == [(first,), (second,)]


def test_of_two_overlapping_passages_only_the_one_that_holds_its_pin_is_named():
    corpus = CorpusSimulator()
    whole = corpus.add("returns", TEXT)
    first, second = corpus.window(whole, 0, 49, "c1"), corpus.window(whole, 8, len(TEXT), "c2")
    enemy = AdversarialSynthesizer().claim("A sentence.", (first, QUOTE), (second, QUOTE))
    enemy.meanwhile = lambda: corpus.tamper(first, "forged")
    answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert [citation.keys for citation in answer.citations] == [(second,)]
    assert [(refusal.code, refusal.key) for refusal in answer.dropped] == [(ReasonCode.INTEGRITY_FAILURE, first)]


def test_the_same_words_in_two_documents_are_two_citations():
    corpus = CorpusSimulator()
    keys = [corpus.add("returns", TEXT), corpus.add("returns", TEXT, tenant="acme"), corpus.add("copy", TEXT)]
    answer = _answer(corpus, *((key, QUOTE) for key in keys), actor=Actor("acme"))
    assert [citation.keys for citation in answer.citations] == [(key,) for key in keys]


@pytest.mark.code("number_unsupported")
def test_a_true_quote_under_a_claim_with_another_number_is_withheld_with_its_wording(corpus):
    """(condition 57)"""
    answer = _answer(corpus, HONEST, text="You have 60 days.")
    assert [(claim.position, claim.codes) for claim in answer.withheld] == [(0, (ReasonCode.NUMBER_UNSUPPORTED,))]
    assert "60" not in str(answer.to_dict()["text"])
    assert _answer(corpus, HONEST, text="You have 30 days.").text == "You have 30 days. [1]"


def test_no_word_of_the_model_reaches_quotes_text(corpus):
    """(invariant 3)"""
    answer = _answer(corpus, HONEST, text="Utterly invented wording without numbers.")
    assert answer.quotes_text == f"“{QUOTE}” [1]"
