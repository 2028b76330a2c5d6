"""Retrieval over several channels: one that failed beside one that found is partial, neither success nor "no evidence"."""

import pytest

from tests.simulator import AdversarialSynthesizer
from verified_gate import AnswerEngine, Passage, ReasonCode
from verified_gate.audit.records import RecordLog
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
