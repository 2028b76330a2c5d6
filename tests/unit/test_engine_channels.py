"""Retrieval over several channels: one that failed beside one that found is partial, neither success nor "no evidence"."""

from dataclasses import replace

import pytest

from tests.simulator import AdversarialSynthesizer
from verified_gate import AnswerEngine, Passage, ReasonCode
from verified_gate.audit.records import RecordLog
from verified_gate.release import render_answer
from verified_gate.release.sentences import partial_sentence
from verified_gate.retrieval.protocol import Retrieved

QUESTION = "How many days to return a bike?"
PASSAGE = Passage("p1", "You can return a bike within 30 days of delivery.")
OK, FAILED = {"lexical": "ok", "vector": "ok"}, {"lexical": "ok", "vector": "unavailable"}


def answered(found, channels, log=None):
    class Retriever:
        def retrieve(self, question, actor, limit):
            return Retrieved(tuple(found), channels)

    enemy = AdversarialSynthesizer().claim("You have 30 days.", (PASSAGE.key, "return a bike within 30 days"))
    return AnswerEngine(retriever=Retriever(), synthesizer=enemy, records=log).answer(QUESTION), enemy


@pytest.mark.code("retrieval_unavailable")
@pytest.mark.code("no_evidence")
@pytest.mark.parametrize(
    ("channels", "code"),
    [
        (OK, ReasonCode.NO_EVIDENCE),
        (FAILED, ReasonCode.RETRIEVAL_UNAVAILABLE),
        ({"lexical": "unavailable"}, ReasonCode.RETRIEVAL_UNAVAILABLE),
        ({"lexical": "partial"}, ReasonCode.RETRIEVAL_UNAVAILABLE),
        ({"lexical": "ok", "vector": "partial"}, ReasonCode.RETRIEVAL_UNAVAILABLE),
        ({"lexical": "a word of its own"}, ReasonCode.RETRIEVAL_UNAVAILABLE),
    ],
)
def test_nothing_found_is_no_evidence_only_where_every_channel_could_look(channels, code):
    """(condition 66)"""
    answer, enemy = answered([], channels)
    assert (answer.code, enemy.requests) == (code, [])


def test_what_one_channel_found_is_answered_from_and_the_record_tells_of_the_other(tmp_path):
    """(condition 66)"""
    with RecordLog.open(tmp_path / "records.db", plain=True) as log:
        answer, _ = answered([PASSAGE], FAILED, log)
        assert answer.is_grounded
        assert log.read(answer.record).summary.channels == FAILED
    assert Retrieved((PASSAGE,), FAILED).state == "partial"
    assert Retrieved((PASSAGE,), OK).state == "grounded"


@pytest.mark.parametrize(
    ("channels", "partial"),
    [(OK, False), ({}, False), (FAILED, True), ({"lexical": "partial"}, True)],
)
def test_an_answer_over_a_channel_that_did_not_look_everywhere_says_so(channels, partial):
    """(condition 66)"""
    answer, _ = answered([PASSAGE], channels)
    assert (answer.is_grounded, answer.partial, answer.to_dict()["partial"]) == (True, partial, partial)
    assert (partial_sentence() in render_answer(answer)) == partial
    nothing, _ = answered([], channels)
    assert (nothing.is_grounded, nothing.partial) == (False, partial)
    assert (nothing.code is ReasonCode.NO_EVIDENCE) == (not partial)
    assert partial_sentence() not in render_answer(nothing)


@pytest.mark.parametrize(("channels", "partial"), [(OK, False), (FAILED, True)])
def test_so_does_a_stream(channels, partial):
    """(condition 66)"""

    class Retriever:
        def retrieve(self, question, actor, limit):
            return Retrieved((PASSAGE,), channels)

    enemy = AdversarialSynthesizer().claim("You have 30 days.", (PASSAGE.key, "return a bike within 30 days"))
    *_, done = AnswerEngine(retriever=Retriever(), synthesizer=enemy).stream(QUESTION)
    assert (done.answer.is_grounded, done.answer.partial) == (True, partial)


@pytest.mark.parametrize(
    ("channels", "code"), [(OK, ReasonCode.NO_EVIDENCE), (FAILED, ReasonCode.RETRIEVAL_UNAVAILABLE)]
)
def test_what_must_stay_here_is_no_answer_to_what_a_channel_did_not_look_at(channels, code):
    """(conditions 63, 66)"""
    local = replace(PASSAGE, local_only=True)

    class Retriever:
        def retrieve(self, question, actor, limit, *, constraints):
            return Retrieved((local,), channels)

    enemy = AdversarialSynthesizer()
    enemy.remote = True
    answer = AnswerEngine(retriever=Retriever(), synthesizer=enemy).answer(QUESTION)
    assert (answer.code, enemy.requests) == (code, [])
