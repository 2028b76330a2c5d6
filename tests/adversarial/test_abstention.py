"""Attack family: make the engine say something where it has nothing. Every way out has its code and its words."""

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import Actor, AnswerEngine, ReasonCode
from verified_gate.release import abstention_sentence
from verified_gate.synthesis.protocol import SynthesisFailure

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"


def _engine(enemy, **labels):
    corpus = CorpusSimulator()
    key = corpus.add("returns", TEXT, **labels)
    return AnswerEngine(corpus, synthesizer=enemy), key


@pytest.mark.code("no_evidence")
def test_without_evidence_the_synthesizer_is_not_asked_and_the_answer_abstains():
    """(conditions 26 and 34)"""
    enemy = AdversarialSynthesizer().claim("It can be returned.", ("returns@1#c0", QUOTE))
    engine, _ = _engine(enemy)
    answer = engine.answer("Which airspeed has an unladen swallow?")
    assert answer.code is ReasonCode.NO_EVIDENCE
    assert answer.text == abstention_sentence(ReasonCode.NO_EVIDENCE) == answer.quotes_text
    assert (answer.claims, answer.citations, answer.dropped, answer.withheld, answer.retrieved) == ((),) * 5
    assert enemy.requests == []
    assert engine.answer(QUESTION).is_grounded
    assert len(enemy.requests) == 1


@pytest.mark.parametrize("actor", [None, Actor("other"), Actor("acme"), Actor("acme", {"support"}, active=False)])
def test_a_forbidden_document_and_a_missing_one_give_the_same_answer(actor):
    """(conditions 36 to 40 and 44)"""
    enemy = AdversarialSynthesizer().claim("30 days.", ("acme:returns@1#c0", QUOTE))
    forbidden, _ = _engine(enemy, tenant="acme", groups=["support"])
    missing = AnswerEngine(CorpusSimulator(), synthesizer=enemy)
    assert forbidden.answer(QUESTION, actor=actor) == missing.answer(QUESTION, actor=actor)
    assert forbidden.answer(QUESTION, actor=actor).code is ReasonCode.NO_EVIDENCE
    assert enemy.requests == []
    assert forbidden.answer(QUESTION, actor=Actor("acme", {"support"})).is_grounded


@pytest.mark.code("nothing_verified")
def test_where_nothing_is_verified_the_whole_answer_abstains_without_a_citation():
    """(conditions 8, 11 and 12)"""
    enemy = AdversarialSynthesizer()
    engine, key = _engine(enemy)
    enemy.claim("You have 90 days.", (key, "return a bike within 90 days"))
    answer = engine.answer(QUESTION)
    assert answer.code is ReasonCode.NOTHING_VERIFIED
    assert answer.citations == ()
    assert len(answer.withheld) == len(answer.dropped) == 1
    assert "90" not in answer.text + answer.quotes_text
    enemy.claim("You have 30 days.", (key, QUOTE))
    assert engine.answer(QUESTION).code is ReasonCode.OK


@pytest.mark.code("claim_uncited")
def test_a_claim_without_citations_is_withheld_with_its_wording():
    """(conditions 5 and 12)"""
    enemy = AdversarialSynthesizer().claim("Bikes are refunded in gold.")
    engine, key = _engine(enemy)
    enemy.claim("You have 30 days.", (key, QUOTE))
    answer = engine.answer(QUESTION)
    assert [(claim.position, claim.codes) for claim in answer.withheld] == [(0, (ReasonCode.CLAIM_UNCITED,))]
    assert [(refusal.code, refusal.claim) for refusal in answer.dropped] == [(ReasonCode.CLAIM_UNCITED, 0)]
    assert answer.text == "You have 30 days. [1]"
    assert "gold" not in str(answer.to_dict())


class _BrokenRetriever:
    def __init__(self, fault):
        self.fault = fault

    def retrieve(self, question, actor, limit):
        if self.fault is not None:
            raise self.fault
        return []


@pytest.mark.code("retrieval_unavailable")
@pytest.mark.parametrize("fault", [ConnectionError("db at 10.0.0.1 down"), KeyError("x"), TypeError("y"), ValueError()])
async def test_a_retriever_that_fails_is_not_taken_for_an_empty_corpus(fault):
    enemy = AdversarialSynthesizer()
    answer = AnswerEngine(retriever=_BrokenRetriever(fault), synthesizer=enemy).answer(QUESTION)
    assert await AnswerEngine(retriever=_BrokenRetriever(fault), synthesizer=enemy).aanswer(QUESTION) == answer
    assert answer.code is ReasonCode.RETRIEVAL_UNAVAILABLE
    assert answer.detail == f"the retriever raised {type(fault).__name__}"
    assert enemy.requests == []
    healthy = AnswerEngine(retriever=_BrokenRetriever(None), synthesizer=enemy).answer(QUESTION)
    assert healthy.code is ReasonCode.NO_EVIDENCE


@pytest.mark.code("provider_unavailable")
async def test_a_synthesizer_that_raises_becomes_a_code_without_its_message():
    """(invariant 7)"""
    enemy = AdversarialSynthesizer(failure=RuntimeError("key sk-123 was refused"))
    engine, key = _engine(enemy.claim("You have 30 days.", ("returns@1#c0", QUOTE)))
    answer = engine.answer(QUESTION)
    assert await engine.aanswer(QUESTION) == answer
    assert answer.code is ReasonCode.PROVIDER_UNAVAILABLE
    assert answer.detail == "the synthesizer raised RuntimeError"
    assert "sk-123" not in str(answer.to_dict())
    enemy.failure = None
    assert [citation.key for citation in engine.answer(QUESTION).citations] == [key]


@pytest.mark.parametrize("code", [ReasonCode.TRUNCATED, ReasonCode.MODEL_REFUSED, ReasonCode.RATE_LIMITED])
def test_a_failure_of_the_synthesizer_keeps_its_code_and_detail(code):
    enemy = AdversarialSynthesizer(failure=SynthesisFailure(code, "detail"))
    engine, key = _engine(enemy)
    answer = engine.answer(QUESTION, lang="de")
    assert (answer.code, answer.detail) == (code, "detail")
    assert answer.text == abstention_sentence(code, "de")
    assert answer.retrieved == (key,)


def test_a_failure_that_calls_itself_ok_releases_nothing():
    engine, _ = _engine(AdversarialSynthesizer(failure=SynthesisFailure(ReasonCode.OK)))
    answer = engine.answer(QUESTION)
    assert not answer.is_grounded
    assert answer.code is ReasonCode.PROVIDER_UNAVAILABLE
