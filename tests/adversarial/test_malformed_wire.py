"""Attack family: a model server that answers in every way but the agreed one. Each way has its code, and no text of
the server, the model, the documents or the key comes along."""

import asyncio
import logging

import httpx
import pytest
import respx

from tests.wire.play import (
    CLAIM,
    KEY,
    REPLY,
    REQUEST,
    VARIATIONS,
    Clock,
    answers_of,
    completion,
    error,
    serve,
    synthesizer,
)
from verified_gate import AnswerEngine, Gate, Proposal, ReasonCode
from verified_gate.synthesis import SynthesisFailure
from verified_gate.synthesis.connection import MAX_ANSWER_BYTES

HONEST = [variation for variation in VARIATIONS if variation["code"] == "ok"]


def _ask(*answers, **settings):
    """What comes out, and how often the server was asked. The honest twin of the same call is asserted here."""
    with respx.mock, synthesizer(**settings) as ours:
        route = serve(completion())
        assert _leaves(ours.synthesize(REQUEST))
        asked = route.call_count
        route = serve(*answers)
        outcome = ours.synthesize(REQUEST)
        return outcome, route.call_count - asked


def _leaves(outcome):
    return isinstance(outcome, Proposal) and Gate(REQUEST.evidence).judge(outcome).claims


def _refused(code, *answers, calls=1, **settings):
    outcome, made = _ask(*answers, **settings)
    assert isinstance(outcome, SynthesisFailure)
    assert (outcome.code, made) == (code, calls)
    assert outcome.attempts == made
    assert "CANARY" not in repr(outcome)
    return outcome


def _names(variation):
    return f"row {variation['row']}: {variation['name']}"


@pytest.mark.parametrize("variation", VARIATIONS, ids=_names)
def test_each_variation_gives_its_code_in_so_many_calls_and_leaks_nothing(variation, caplog):
    caplog.set_level(logging.DEBUG)
    with respx.mock, synthesizer() as ours:
        route = serve(*answers_of(variation))
        outcome = ours.synthesize(REQUEST)
        calls = route.call_count
    if variation["code"] == "ok":
        assert _leaves(outcome)
        assert dict(outcome.aliases) == {"e01": "returns@3#c0"}
    else:
        assert isinstance(outcome, SynthesisFailure)
        assert str(outcome.code) == variation["code"]
        assert outcome.attempts == calls
    assert calls == variation["calls"]
    said = caplog.text + repr(outcome)
    assert "CANARY" not in said
    assert "sk-" not in said


@pytest.mark.parametrize("variation", VARIATIONS, ids=_names)
async def test_each_variation_gives_the_same_when_awaited(variation):
    with respx.mock:
        async with synthesizer() as ours:
            route = serve(*answers_of(variation))
            outcome = await ours.asynthesize(REQUEST)
            assert (route.call_count, outcome.code if isinstance(outcome, SynthesisFailure) else "ok") == (
                variation["calls"],
                variation["code"],
            )


@pytest.mark.parametrize("variation", VARIATIONS, ids=_names)
def test_no_variation_raises_out_of_the_engine_nor_releases_but_the_honest_claim(variation):
    with respx.mock, synthesizer() as ours:
        serve(*answers_of(variation))
        answer = AnswerEngine(retriever=_Fixed(), synthesizer=ours).answer(REQUEST.question)
    assert str(answer.code) == variation["code"]
    assert [claim.text for claim in answer.claims] == (["You have 30 days."] if variation["code"] == "ok" else [])


class _Fixed:
    def retrieve(self, question, actor, limit):
        return REQUEST.evidence


# --- one by one, each beside its honest twin (see `_ask`) ---------------------------------------------------------


@pytest.mark.code("model_refused")
def test_a_refusal_is_a_refusal_whatever_stands_beside_it_and_is_not_asked_again():
    _refused("model_refused", completion(None, refusal="CANARY I can't help with that."))
    _refused("model_refused", completion(REPLY, refusal="CANARY"))


@pytest.mark.code("content_filtered")
def test_a_filtered_reply_is_not_used_and_not_asked_again():
    _refused("content_filtered", completion(None, "content_filter"))
    _refused("content_filtered", completion(REPLY, "content_filter"))
    _refused("content_filtered", error(400, {"error": {"code": "content_filter", "message": "CANARY"}}))


@pytest.mark.code("truncated")
def test_a_cut_reply_is_cut_even_where_it_happens_to_parse():
    _refused("truncated", completion(REPLY, "length"))
    _refused("truncated", completion(REPLY[:-20], "length"))
    _refused("truncated", completion("<think>" + REPLY))


@pytest.mark.code("empty_reply")
def test_an_empty_reply_is_empty_and_reasoning_is_not_mined():
    for content in (None, "", " \n", "\ufeff"):
        _refused("empty_reply", completion(content))
    _refused("empty_reply", completion("", reasoning=REPLY, reasoning_content=REPLY))


@pytest.mark.code("invalid_json")
@pytest.mark.parametrize(
    "content",
    [
        "You have 30 days.",
        REPLY[:-1],
        REPLY + "}" + REPLY[:-9],
        REPLY.replace("30 days of", "30 days\\ud800 of"),
        REPLY.replace('"status"', '"claims": [], "status"'),
        REPLY.replace("}]}]", "}], " + '"x": NaN}]'),
        REPLY.replace('"answered"', "[" * 70 + "]" * 70),
        "[" * 100_000,
        '{"draft": ' + REPLY + ', "final": ',
        REPLY.replace('"', "“"),
        REPLY.replace("}]}]", "},]}]"),
    ],
    ids=[
        "prose",
        "cut",
        "cut after the reply",
        "lone surrogate",
        "twice",
        "NaN",
        "deep",
        "deeper",
        "draft in cut",
        "smart",
        "comma",
    ],
)
def test_what_is_not_one_whole_json_object_is_not_repaired(content):
    _refused("invalid_json", completion(content))


@pytest.mark.code("invalid_schema")
@pytest.mark.parametrize(
    "content",
    [
        "[]",
        '"yes"',
        "7",
        "null",
        '{"claims": {}}',
        '{"claims": null}',
        '{"answer": "CANARY"}',
        '{"status": "maybe", "claims": []}',
        REPLY * 2,
    ],
)
def test_json_of_another_shape_is_named_so(content):
    _refused("invalid_schema", completion(content))


@pytest.mark.code("invalid_schema")
def test_one_claim_of_the_wrong_shape_does_not_cost_the_honest_one():
    bad = [7, {"text": 7}, {"text": "x", "citations": {}}, {"text": "x", "citations": [{"key": 1, "quote": None}]}]
    outcome, _ = _ask(completion({"status": "answered", "claims": [*bad, CLAIM]}))
    decision = Gate(REQUEST.evidence).judge(outcome)
    assert [claim.text for claim in decision.claims] == [CLAIM["text"]]
    assert {refusal.code for refusal in decision.refusals} == {ReasonCode.INVALID_SCHEMA}


@pytest.mark.code("context_too_long")
def test_a_prompt_that_does_not_fit_is_never_sent_again_unchanged():
    _refused("context_too_long", error(400, {"error": {"type": "exceed_context_size_error"}}))
    _refused("context_too_long", error(500, {"error": {"message": "Context size has been exceeded."}}))


@pytest.mark.code("rate_limited")
def test_a_wait_that_does_not_fit_stops_at_once_and_is_told():
    failure = _refused("rate_limited", error(429, retry_after="86400"))
    assert failure.retry_after == 86400
    clock = Clock()
    outcome, calls = _ask(error(429, retry_after="2"), completion(), clock=clock)
    assert _leaves(outcome)
    assert (calls, len(clock.waits)) == (2, 1)
    assert 2 <= clock.waits[0] <= 2.5


@pytest.mark.code("provider_unavailable")
def test_a_server_that_fails_is_asked_again_and_then_given_up():
    _refused("provider_unavailable", error(503), calls=4)
    outcome, calls = _ask(error(503), error(500), completion())
    assert _leaves(outcome)
    assert calls == 3


@pytest.mark.code("provider_unavailable")
@pytest.mark.parametrize(
    "fault",
    [
        httpx.ConnectError("CANARY"),
        httpx.RemoteProtocolError("CANARY"),
        httpx.ReadError("CANARY"),
        httpx.ConnectTimeout("CANARY"),
    ],
)
def test_a_connection_that_cannot_be_made_or_breaks_is_tried_again(fault):
    _refused("provider_unavailable", fault, calls=4)
    outcome, calls = _ask(fault, completion())
    assert _leaves(outcome)
    assert calls == 2


@pytest.mark.code("deadline_exceeded")
def test_a_server_that_does_not_answer_in_time_ends_with_the_deadline():
    _refused("deadline_exceeded", httpx.ReadTimeout("CANARY"))
    clock = Clock()

    def slow(request):
        clock.time += 61
        return error(503)

    with respx.mock, synthesizer(clock) as ours:
        respx.post().mock(side_effect=slow)
        assert ours.synthesize(REQUEST).code is ReasonCode.PROVIDER_UNAVAILABLE  # said before the time was up
        respx.post().mock(side_effect=asyncio.sleep)
    with respx.mock, synthesizer(deadline=0.05) as ours:
        respx.post().mock(side_effect=_never)
        failure = ours.synthesize(REQUEST)
    assert (failure.code, failure.attempts) == (ReasonCode.DEADLINE_EXCEEDED, 1)


async def _never(request):
    await asyncio.Event().wait()


@pytest.mark.code("model_abstained")
@pytest.mark.parametrize(
    "content",
    [
        '{"status": "abstained", "claims": []}',
        '{"status": "abstained"}',
        '{"claims": []}',
        REPLY.replace("answered", "abstained"),
    ],
)
def test_an_abstaining_reply_is_an_abstention_whatever_claims_it_holds(content):
    """(condition 54)"""
    outcome, calls = _ask(completion(content))
    assert calls == 1
    decision = Gate(REQUEST.evidence).judge(outcome)
    assert (decision.code, decision.claims) == (ReasonCode.MODEL_ABSTAINED, ())


def test_each_kind_of_unusable_reply_has_its_own_code():
    """(condition 54)"""
    contents = ["prose", REPLY[:-9], "[1]", '{"status": "abstained"}']
    outcomes = [_ask(completion(content))[0] for content in contents]
    codes = [
        outcome.code if isinstance(outcome, SynthesisFailure) else Gate(REQUEST.evidence).judge(outcome).code
        for outcome in outcomes
    ]
    assert codes == ["invalid_json", "invalid_json", "invalid_schema", "model_abstained"]
    assert _ask(completion(REPLY[:-9], "length"))[0].code == "truncated"


# --- floods ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_without_end_is_not_read_to_its_end(status):
    read = 0

    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self):
            nonlocal read
            while True:
                read += 65536
                yield b" " * 65536

    with respx.mock, synthesizer() as ours:
        respx.post().mock(side_effect=lambda request: httpx.Response(status, stream=Endless()))
        failure = ours.synthesize(REQUEST)
    assert (failure.code, failure.attempts) == (ReasonCode.PROVIDER_UNAVAILABLE, 1)
    assert read <= MAX_ANSWER_BYTES + 2 * 65536


@pytest.mark.parametrize("status", [200, 500])
def test_a_compressed_answer_that_was_not_asked_for_is_not_unpacked(status):
    with respx.mock, synthesizer() as ours:
        serve(httpx.Response(status, content=b"", headers={"content-encoding": "gzip"}))
        assert ours.synthesize(REQUEST).code is ReasonCode.PROVIDER_UNAVAILABLE
        route = serve(completion())
        assert _leaves(ours.synthesize(REQUEST))
        assert route.calls.last.request.headers["accept-encoding"] == "identity"


def test_a_redirect_is_not_followed_and_the_key_stays_with_its_host():
    for status in (301, 302, 307, 308):
        redirect = httpx.Response(status, headers={"location": "http://elsewhere.test/v1/chat/completions"})
        _refused("provider_unavailable", redirect)  # following it would meet a host that the mock does not know
    with respx.mock, synthesizer() as ours:
        route = serve(completion())
        assert _leaves(ours.synthesize(REQUEST))
    assert route.calls.last.request.headers["authorization"] == f"Bearer {KEY}"


# --- logs -----------------------------------------------------------------------------------------------------------


def test_the_clients_own_debug_log_holds_nothing_of_our_calls_and_all_of_others(caplog):
    """(invariant 7) At debug level the openai client logs whole requests."""
    caplog.set_level(logging.DEBUG)
    with respx.mock, synthesizer() as ours:
        serve(completion())
        assert _leaves(ours.synthesize(REQUEST))
    assert "CANARY" not in caplog.text
    logging.getLogger("openai._base_client").debug("of the application itself")
    assert "of the application itself" in caplog.text
    assert "CANARY" not in repr(ours) + repr(ours._settings) + repr(REQUEST)


@pytest.mark.parametrize("variation", HONEST[:1], ids=_names)
def test_an_answer_that_nobody_foresaw_is_a_coded_failure(variation, monkeypatch, caplog):
    def broken(*_):
        raise KeyError("CANARY")

    monkeypatch.setattr("verified_gate.synthesis.call.AnswerReader.outcome", broken)
    with respx.mock, synthesizer() as ours:
        serve(*answers_of(variation))
        failure = ours.synthesize(REQUEST)
    assert failure.code is ReasonCode.PROVIDER_UNAVAILABLE
    assert "CANARY" not in caplog.text + repr(failure)
