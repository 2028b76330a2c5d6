"""An answer that grows claim by claim comes to what one release would have made of it."""

import pytest

from tests.simulator import CorpusSimulator
from verified_gate import Gate, ReasonCode
from verified_gate.release import GrowingAnswer, answer_lines, note_lines, release
from verified_gate.release.answer import Answer

TEXT = "You can return a bike within 30 days of delivery. It must be clean."
CLAIMS = [
    ("Within 30 days.", "within 30 days of delivery"),
    ("Free.", "all of it is free"),
    ("Within 30 days, clean.", "It must be clean.", "within 30 days of delivery"),
]


def _decisions(corpus, key, claims):
    """One decision a claim, each with its place in the reply, and one of them all."""
    gate = Gate(corpus.retrieve(TEXT, None, 8))
    cited = [
        {"text": text, "citations": [{"key": key, "quote": quote} for quote in quotes]} for text, *quotes in claims
    ]
    whole = gate.judge({"claims": cited})
    return gate, whole, [gate.judge({"claims": [7] * place + [claim]}) for place, claim in enumerate(cited)]


def _own(decision, place):
    from dataclasses import replace

    return replace(
        decision,
        refusals=tuple(refusal for refusal in decision.refusals if refusal.claim == place),
        withheld=tuple(claim for claim in decision.withheld if claim.position == place),
    )


@pytest.fixture
def corpus():
    return CorpusSimulator()


def _grow(corpus):
    key = corpus.add("returns", TEXT)
    evidence = corpus.retrieve(TEXT, None, 8)
    _, whole, decisions = _decisions(corpus, key, CLAIMS)
    growing = GrowingAnswer(evidence=evidence, store=corpus, lang="de")
    return growing, whole, decisions, evidence


def test_the_sum_is_the_answer_of_one_release(corpus):
    growing, whole, decisions, evidence = _grow(corpus)
    marks = []
    for place, decision in enumerate(decisions):
        disclosure = growing.add(_own(decision, place))
        marks += [growing.marked(claim) for claim in disclosure.claims]
    answer = release(whole, evidence=evidence, store=corpus, lang="de")
    assert growing.answer() == answer
    assert " ".join(text for _, _, text in marks) == answer.text
    assert [numbers for numbers, _, _ in marks] == [(1,), (2, 1)]
    assert [[mark for mark, _ in new] for _, new, _ in marks] == [[1], [2]]
    assert corpus.calls["disclose"] == 3  # the one release once, and each of two claims that were verified


def test_a_store_that_fails_takes_nothing_back_and_adds_nothing(corpus):
    growing, _, decisions, _ = _grow(corpus)
    growing.add(_own(decisions[0], 0))
    corpus.broken = OSError("CANARY")
    disclosure = growing.add(_own(decisions[2], 2))
    assert (disclosure.claims, disclosure.fault) == ((), "the store failed (OSError)")
    answer = growing.answer(ReasonCode.RETRIEVAL_UNAVAILABLE, disclosure.fault)
    assert [claim.text for claim in answer.claims] == ["Within 30 days."]
    assert (answer.code, answer.interrupted, answer.dropped) == ("ok", "retrieval_unavailable", ())


def test_an_answer_that_broke_off_says_so_in_every_form(corpus):
    growing, _, decisions, _ = _grow(corpus)
    assert growing.answer(ReasonCode.TRUNCATED).code == "truncated"
    assert growing.answer(ReasonCode.TRUNCATED).interrupted is None
    assert growing.answer().code == "nothing_verified"
    growing.add(_own(decisions[0], 0))
    answer = growing.answer(ReasonCode.TRUNCATED, "cut")
    assert (answer.code, answer.interrupted, answer.detail) == ("ok", "truncated", "cut")
    assert answer.to_dict()["interrupted"] == "truncated"
    assert "interrupted by truncated" in repr(answer)
    assert [line.text for line in note_lines(answer)][-1].startswith("(Die Antwort brach hier ab")
    assert list(note_lines(answer)) == list(answer_lines(answer))[-2:]
    assert list(note_lines(growing.answer())) == []


def test_an_answer_is_interrupted_only_after_a_claim_and_never_by_ok(corpus):
    growing, _, decisions, _ = _grow(corpus)
    growing.add(_own(decisions[0], 0))
    claims = growing.answer().claims
    for code, given, interrupted in (
        (ReasonCode.OK, claims, ReasonCode.OK),
        (ReasonCode.TRUNCATED, (), ReasonCode.TRUNCATED),
    ):
        with pytest.raises(ValueError, match="interrupted"):
            Answer(code, given, interrupted=interrupted)
    assert Answer(ReasonCode.OK, claims, interrupted=ReasonCode.TRUNCATED, record="r").to_dict()["record"] == "r"
