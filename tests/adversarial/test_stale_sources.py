"""Attack family: the source changes, goes or is withdrawn between delivery and release."""

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import Actor, AnswerEngine, ReasonCode

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"


def _run(meanwhile=None, *, actor=None, **labels):
    corpus = CorpusSimulator()
    key = corpus.add("returns", TEXT, **labels)
    enemy = AdversarialSynthesizer().claim("You have 30 days.", (key, QUOTE))
    if meanwhile is not None:
        enemy.meanwhile = lambda: meanwhile(corpus, key)
    return AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION, actor=actor)


def _assert_withheld(answer, code):
    assert answer.code is ReasonCode.NOTHING_VERIFIED
    assert answer.citations == ()
    assert [(refusal.code, refusal.claim) for refusal in answer.dropped] == [(code, 0)]
    assert [(claim.position, claim.codes) for claim in answer.withheld] == [(0, (code,))]
    assert "30" not in answer.text
    assert "30" not in answer.quotes_text


def _assert_released(answer):
    assert answer.code is ReasonCode.OK
    assert [citation.quote for citation in answer.citations] == [QUOTE]
    assert answer.dropped == ()


@pytest.mark.code("source_changed")
def test_text_edited_under_the_same_version_is_withheld_as_source_changed():
    """(condition 46)"""
    _assert_withheld(_run(lambda corpus, key: corpus.edit(key, TEXT.replace("30", "60"))), ReasonCode.SOURCE_CHANGED)
    _assert_released(_run(lambda corpus, key: corpus.edit(key, TEXT)))


@pytest.mark.code("superseded")
def test_a_version_superseded_while_the_model_wrote_is_withheld():
    """(condition 47)"""
    _assert_withheld(_run(lambda corpus, _: corpus.add("returns", TEXT, version="2")), ReasonCode.SUPERSEDED)
    _assert_released(_run(lambda corpus, _: corpus.add("shipping", TEXT, version="2")))


@pytest.mark.code("unavailable")
def test_a_document_removed_while_the_model_wrote_is_unavailable():
    """(conditions 48 and 51)"""
    _assert_withheld(_run(lambda corpus, key: corpus.remove(key)), ReasonCode.UNAVAILABLE)
    _assert_released(_run(lambda corpus, _: None))


@pytest.mark.code("unavailable")
def test_access_revoked_while_the_model_wrote_is_unavailable():
    """(conditions 48 and 51)"""
    actor = Actor("acme", {"support"})
    labels = {"tenant": "acme", "groups": ["support"]}
    _assert_withheld(
        _run(lambda corpus, key: corpus.revoke(key, ["managers"]), actor=actor, **labels), ReasonCode.UNAVAILABLE
    )
    _assert_released(_run(lambda corpus, key: corpus.revoke(key, ["support"]), actor=actor, **labels))


def test_removed_and_forbidden_look_the_same_to_a_reader():
    """(condition 44)"""
    actor = Actor("acme", {"support"})
    labels = {"tenant": "acme", "groups": ["support"]}
    removed = _run(lambda corpus, key: corpus.remove(key), actor=actor, **labels)
    forbidden = _run(lambda corpus, key: corpus.revoke(key), actor=actor, **labels)
    assert removed.to_dict() == forbidden.to_dict()


@pytest.mark.code("integrity_failure")
def test_a_byte_flipped_in_the_store_before_release_is_an_integrity_failure():
    """(condition 7)"""
    _assert_withheld(
        _run(lambda corpus, key: corpus.tamper(key, TEXT.replace("30", "80"))), ReasonCode.INTEGRITY_FAILURE
    )
    _assert_released(_run(lambda corpus, key: corpus.tamper(key, TEXT)))


@pytest.mark.code("integrity_failure")
def test_a_byte_flipped_in_the_store_before_delivery_is_an_integrity_failure():
    """(condition 7)"""
    corpus = CorpusSimulator()
    key = corpus.add("returns", TEXT)
    corpus.tamper(key, TEXT.replace("30", "80"))
    enemy = AdversarialSynthesizer().claim("You have 80 days.", (key, QUOTE.replace("30", "80")))
    _assert_withheld(AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION), ReasonCode.INTEGRITY_FAILURE)


def test_a_revocation_stops_one_claim_and_leaves_the_independent_ones():
    """(condition 51)"""
    corpus = CorpusSimulator()
    returns = corpus.add("returns", TEXT)
    shipping = corpus.add("shipping", "A bike is delivered within five working days.")
    enemy = AdversarialSynthesizer()
    enemy.claim("You have 30 days.", (returns, QUOTE))
    enemy.claim("Delivery takes five working days.", (shipping, "delivered within five working days"))
    enemy.meanwhile = lambda: corpus.remove(returns)
    answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert [citation.key for citation in answer.citations] == [shipping]
    assert answer.text == "Delivery takes five working days. [1]"
    assert [(claim.position, claim.codes) for claim in answer.withheld] == [(0, (ReasonCode.UNAVAILABLE,))]
