"""Attack family: answers that leave without a trace. Where a record is required, none leaves before it is written."""

import copy
import logging

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import AnswerEngine, ReasonCode
from verified_gate.engine import AnswerDone, ClaimReleased
from verified_gate.model import Proposal, ProposedCitation, ProposedClaim
from verified_gate.synthesis import SynthesisFailure
from verified_gate.synthesis.protocol import WholeClaim

QUESTION = "How long may I return a bike?"
TEXT = "You can return a bike within 30 days of delivery. Helmets are returned within 14 days of delivery."
CLAIMS = [("30 days.", "within 30 days of delivery"), ("14 days.", "within 14 days of delivery")]


class Log:
    """A record log; `failing` names the writes that fail, from 1."""

    def __init__(self, *failing):
        self.failing = failing
        self.traces = []

    def write(self, trace):
        self.traces.append(copy.copy(trace))
        if len(self.traces) in self.failing or "all" in self.failing:
            raise OSError("CANARY no space left on device")
        return f"record-{len(self.traces)}"


class Streams(AdversarialSynthesizer):
    """Gives its claims one by one."""

    def stream(self, request):
        whole = self.synthesize(request)
        if isinstance(whole, Proposal):
            for position, claim in enumerate(whole.claims):
                yield WholeClaim(position, claim)
        yield whole


def _engine(log, kind=AdversarialSynthesizer, **settings):
    corpus = CorpusSimulator()
    key = corpus.add("returns", TEXT)
    enemy = kind()
    for text, quote in CLAIMS:
        enemy.claim(text, (key, quote))
    return AnswerEngine(corpus, synthesizer=enemy, records=log, **settings)


@pytest.mark.code("audit_unavailable")
async def test_an_answer_whose_record_cannot_be_written_does_not_leave(caplog):
    for failing, code, claims in (("all", ReasonCode.AUDIT_UNAVAILABLE, 0), (None, ReasonCode.OK, 2)):
        for answer in (_engine(Log(failing)).answer(QUESTION), await _engine(Log(failing)).aanswer(QUESTION)):
            assert (answer.code, len(answer.claims), answer.record) == (code, claims, "record-1" if claims else None)
            assert "30 days" not in answer.text or claims
    assert "CANARY" not in caplog.text + repr(answer)


def test_no_event_of_a_claim_leaves_before_its_record():
    """Each event is preceded by a record that holds the claim."""
    log = Log()
    seen = []
    for event in _engine(log, Streams).stream(QUESTION):
        if isinstance(event, ClaimReleased):
            seen.append(event.claim.text)
            assert [claim.text for claim in log.traces[-1].answer.claims] == seen[-1:]
            assert (log.traces[-1].complete, len(log.traces)) == (False, len(seen))
            (exchange,) = log.traces[-1].exchanges
            assert (len(exchange.proposal.claims), len(exchange.decision.claims)) == (1, 1)
    assert seen == ["30 days.", "14 days."]
    assert [len(trace.exchanges) for trace in log.traces] == [1, 1, 1]
    assert (log.traces[-1].complete, log.traces[-1].earlier) == (True, ("record-1", "record-2"))
    assert event.answer.record == "record-3"


@pytest.mark.code("audit_unavailable")
@pytest.mark.parametrize(
    ("failing", "released"),
    [("all", []), (1, []), (2, ["30 days."]), (3, ["30 days.", "14 days."]), (4, ["30 days.", "14 days."])],
)
def test_a_stream_whose_record_fails_releases_nothing_more(failing, released):
    """The last row is the twin: only three records are written, so the fourth does not fail."""
    *events, done = _engine(Log(failing), Streams).stream(QUESTION)
    assert [event.claim.text for event in events if isinstance(event, ClaimReleased)] == released
    assert [claim.text for claim in done.answer.claims] == released
    broken = failing != 4
    assert (done.complete, done.code) == (not broken, "audit_unavailable" if broken else "ok")
    assert done.answer.code == ("ok" if released else "audit_unavailable")


@pytest.mark.code("audit_unavailable")
def test_the_claims_of_a_synthesizer_that_cannot_stream_leave_after_the_record_of_the_whole():
    *events, done = _engine(Log(1)).stream(QUESTION)
    assert [event for event in events if isinstance(event, ClaimReleased)] == []
    assert (done.complete, done.code, done.answer.claims) == (False, "audit_unavailable", ())
    log = Log()
    *events, done = _engine(log).stream(QUESTION)
    assert [event.claim for event in events if isinstance(event, ClaimReleased)] == list(done.answer.claims)
    assert (done.complete, done.answer.record, len(log.traces)) == (True, "record-1", 1)


@pytest.mark.code("audit_unavailable")
def test_an_abstention_leaves_a_record_too():
    for failing, code in (("all", "audit_unavailable"), (None, "model_refused")):
        corpus = CorpusSimulator()
        corpus.add("returns", TEXT)
        enemy = AdversarialSynthesizer(failure=SynthesisFailure(ReasonCode.MODEL_REFUSED))
        assert AnswerEngine(corpus, synthesizer=enemy, records=Log(failing)).answer(QUESTION).code == code


def test_a_record_that_is_not_required_stops_nothing_and_its_failure_is_told_without_text(caplog):
    caplog.set_level(logging.DEBUG)
    answer = _engine(Log("all"), record="best_effort").answer(QUESTION)
    assert (answer.code, answer.record, len(answer.claims)) == ("ok", None, 2)
    assert "OSError" in caplog.text
    assert "CANARY" not in caplog.text


@pytest.mark.code("audit_unavailable")
@pytest.mark.parametrize("name", [None, 7, b"x"])
def test_a_log_that_gives_no_id_has_recorded_nothing(name):
    class Silent:
        def write(self, trace):
            return name

    assert _engine(Silent()).answer(QUESTION).code == "audit_unavailable"
    assert isinstance(list(_engine(Log()).stream(QUESTION))[-1], AnswerDone)


def test_the_trace_tells_each_stage_apart():
    log = Log()
    corpus = CorpusSimulator()
    key = corpus.add("returns", TEXT)
    enemy = AdversarialSynthesizer().claim(CLAIMS[0][0], (key, CLAIMS[0][1])).claim("Free.", (key, "bikes are free"))
    answer = AnswerEngine(corpus, synthesizer=enemy, records=log, limit=3).answer(QUESTION, lang="de")
    (trace,) = log.traces
    assert (trace.question, trace.lang, trace.actor, trace.complete) == (QUESTION, "de", None, True)
    assert [found.key for found in trace.found] == [passage.key for passage in trace.delivered] == [key]
    (exchange,) = trace.exchanges
    assert (exchange.attempts, exchange.code, len(exchange.proposal.claims)) == (1, "ok", 2)
    assert [claim.text for claim in exchange.decision.claims] == ["30 days."]
    assert [claim.text for claim in trace.answer.claims] == [claim.text for claim in answer.claims] == ["30 days."]
    assert trace.policy["profile"] == "verbatim"
    assert trace.constraints.remote is True
