"""Asking once more: what the model is told, what it costs, and which of the two replies leaves."""

import json
import time

import httpx
import pytest
import respx

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from tests.wire.play import CLAIM, REQUEST, URL, as_stream, completion, synthesizer
from verified_gate import AnswerEngine, ReasonCode
from verified_gate.engine import CitationRefused, ClaimReleased
from verified_gate.synthesis import SynthesisFailure
from verified_gate.synthesis.prompt import RULES, RULES_FOR_REPAIR

QUESTION = REQUEST.question
ALTERED = {"text": "Within 90 days.", "citations": [{"key": "e01", "quote": "within 90 days of delivery"}]}
INVENTED = {"text": "Free.", "citations": [{"key": "CANARY <e09>", "quote": "all is free of charge"}]}
OTHER = {"text": "It is about a bike.", "citations": [{"key": "e01", "quote": "You can return a bike"}]}
ABSTAINED = {"status": "abstained", "claims": []}


def _reply(*claims):
    return {"status": "answered", "claims": list(claims)}


class Fixed:
    def retrieve(self, question, actor, limit):
        return REQUEST.evidence


class Log:
    def write(self, trace):
        self.trace = trace
        return "id"


def _ask(*replies, streaming=False, repair=True, **settings):
    """The answer, the bodies of the requests, and the trace."""
    log = Log()
    answers = [reply if isinstance(reply, httpx.Response) else completion(json.dumps(reply)) for reply in replies]
    if streaming:
        answers = [as_stream(answer, 9) or answer for answer in answers]
    with respx.mock, synthesizer(**settings) as ours:
        route = respx.post(URL).mock(side_effect=[*answers, AssertionError("asked too often")])
        engine = AnswerEngine(retriever=Fixed(), synthesizer=ours, repair=repair, records=log)
        if streaming:
            *events, done = engine.stream(QUESTION)
            answer = done.answer
            released = [event.claim.text for event in events if isinstance(event, ClaimReleased)]
            assert released == [claim.text for claim in answer.claims]
        else:
            answer = engine.answer(QUESTION)
        return answer, [json.loads(call.request.content) for call in route.calls], log.trace


def _texts(answer):
    return [claim.text for claim in answer.claims]


def test_off_by_default_and_not_needed_where_nothing_was_refused():
    answer, bodies, _ = _ask(_reply(CLAIM, ALTERED), repair=False)
    assert (_texts(answer), len(bodies)) == ([CLAIM["text"]], 1)
    answer, bodies, _ = _ask(_reply(CLAIM))
    assert (_texts(answer), len(bodies)) == ([CLAIM["text"]], 1)


@pytest.mark.parametrize("streaming", [False, True])
def test_the_second_reply_goes_through_the_same_gate_and_the_trace_keeps_both(streaming):
    answer, bodies, trace = _ask(_reply(ALTERED), _reply(CLAIM, ALTERED), streaming=streaming)
    assert _texts(answer) == [CLAIM["text"]]
    assert [claim.codes for claim in answer.withheld] == [("quote_mismatch",)]
    assert len(bodies) == 2
    assert [(exchange.code, len(exchange.proposal.claims)) for exchange in trace.exchanges] == [
        ("nothing_verified", 1),
        ("ok", 2),
    ]
    assert [len(exchange.decision.refusals) for exchange in trace.exchanges] == [1, 1]


def test_the_model_is_told_places_keys_and_codes_and_nothing_else():
    _, (first, second), _ = _ask(_reply(CLAIM, ALTERED, INVENTED), _reply(CLAIM, OTHER))
    system, user, assistant, refused = [message["content"] for message in second["messages"]]
    assert [message["role"] for message in second["messages"]] == ["system", "user", "assistant", "user"]
    assert user == first["messages"][1]["content"]
    assert system.startswith(RULES + RULES_FOR_REPAIR)
    assert assistant == json.dumps(_reply(CLAIM, ALTERED, INVENTED)).replace("<", "&lt;")
    assert refused == (
        "<refused>\nclaims[1].citations[0] e01 quote_mismatch\nclaims[2].citations[0] unknown_citation\n</refused>"
    )
    assert "- quote_mismatch: " in system
    assert "- unknown_citation: " in system
    assert "number_unsupported" not in system
    assert second["response_format"] == first["response_format"]


def test_a_reply_that_could_not_be_read_is_asked_for_once_more_in_one_message():
    answer, (first, second), trace = _ask(completion("CANARY prose"), _reply(CLAIM))
    assert _texts(answer) == [CLAIM["text"]]
    assert [message["role"] for message in second["messages"]] == ["system", "user"]
    block = "\n\n<refused>\ninvalid_json\n</refused>"
    assert second["messages"][1]["content"] == first["messages"][1]["content"] + block
    assert "CANARY prose" not in json.dumps(second)
    assert [exchange.code for exchange in trace.exchanges] == ["invalid_json", "ok"]


@pytest.mark.parametrize(
    ("first", "second", "texts", "code"),
    [
        (_reply(CLAIM, ALTERED), _reply(CLAIM, OTHER), [CLAIM["text"], OTHER["text"]], "ok"),
        (_reply(CLAIM, ALTERED), _reply(OTHER), [OTHER["text"]], "ok"),
        (_reply(CLAIM, OTHER, ALTERED), _reply(OTHER), [CLAIM["text"], OTHER["text"]], "ok"),
        (_reply(CLAIM, ALTERED), ABSTAINED, [CLAIM["text"]], "ok"),
        (_reply(CLAIM, ALTERED), completion("prose"), [CLAIM["text"]], "ok"),
        (_reply(CLAIM, ALTERED), completion(None, refusal="no"), [CLAIM["text"]], "ok"),
        (_reply(ALTERED), _reply(ALTERED), [], "nothing_verified"),
        (_reply(ALTERED), ABSTAINED, [], "model_abstained"),
        (_reply(ALTERED), completion("prose"), [], "nothing_verified"),
        (completion("prose"), completion("prose"), [], "invalid_json"),
        (completion("prose"), ABSTAINED, [], "model_abstained"),
    ],
)
def test_the_second_reply_leaves_unless_it_broke_or_holds_less(first, second, texts, code):
    answer, bodies, _ = _ask(first, second)
    assert (_texts(answer), answer.code, len(bodies)) == (texts, code, 2)


@pytest.mark.parametrize(
    "first",
    [completion(None, refusal="no"), completion(json.dumps(_reply(ALTERED)), "length"), completion(""), ABSTAINED],
)
def test_what_another_try_cannot_mend_is_not_asked_again(first):
    assert len(_ask(first)[1]) == 1


def test_a_stream_that_released_something_is_not_repaired_since_that_stands():
    answer, bodies, _ = _ask(_reply(CLAIM, ALTERED), streaming=True)
    assert (_texts(answer), len(bodies)) == ([CLAIM["text"]], 1)


@pytest.mark.parametrize(
    ("second", "claims", "refused"),
    [
        (completion("prose"), 0, 1),  # the first answer stands, and was told
        (completion("Here it is: " + json.dumps(_reply(CLAIM, ALTERED))), 1, 2),  # read at its end, then told
        (completion(json.dumps(_reply(CLAIM, ALTERED))), 1, 2),
    ],
)
def test_a_repaired_stream_tells_nothing_twice(second, claims, refused):
    with respx.mock, synthesizer() as ours:
        respx.post(URL).mock(side_effect=[as_stream(completion(json.dumps(_reply(ALTERED))), 9), as_stream(second, 9)])
        *events, done = AnswerEngine(retriever=Fixed(), synthesizer=ours, repair=True).stream(QUESTION)
    assert sum(isinstance(event, ClaimReleased) for event in events) == claims == len(done.answer.claims)
    assert sum(isinstance(event, CitationRefused) for event in events) == refused
    assert done.complete


def test_what_release_refused_is_not_the_models_to_mend_and_is_not_told():
    corpus = CorpusSimulator()
    key = corpus.add("returns", REQUEST.evidence[0].text)
    enemy = AdversarialSynthesizer().claim("30 days.", (key, "within 30 days of delivery"))
    enemy.meanwhile = lambda: corpus.documents.pop(key, None)
    answer = AnswerEngine(corpus, synthesizer=enemy, repair=True).answer(QUESTION)
    assert (answer.code, len(enemy.requests)) == ("nothing_verified", 1)
    assert [claim.codes for claim in answer.withheld] == [("unavailable",)]


def test_both_calls_share_one_deadline():
    """What the first call took is told to the second, which has only the rest."""

    class Slow(AdversarialSynthesizer):
        def synthesize(self, request):
            time.sleep(0.02)
            return super().synthesize(request)

    enemy = Slow().claim("90 days.", ("returns@3#c0", "within 90 days of delivery"))
    AnswerEngine(retriever=Fixed(), synthesizer=enemy, repair=True).answer(QUESTION)
    first, second = enemy.requests
    assert first.spent < second.spent >= 0.02
    assert (first.repair, second.repair.refused[0].code) == (None, ReasonCode.QUOTE_MISMATCH)


@pytest.mark.code("deadline_exceeded")
@pytest.mark.parametrize("spent", [59.9, 60, 1e9])
def test_a_deadline_that_is_spent_leaves_no_time_for_a_call(spent):
    from dataclasses import replace

    with respx.mock, synthesizer() as ours:
        route = respx.post(URL).mock(return_value=completion())
        outcome = ours.synthesize(replace(REQUEST, spent=float(spent)))
        assert route.call_count == (spent < 60)
    if spent >= 60:
        assert (outcome.code, outcome.attempts) == ("deadline_exceeded", 0)
        assert isinstance(outcome, SynthesisFailure)
