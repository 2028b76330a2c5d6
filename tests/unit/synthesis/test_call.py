"""Asking for less: what is stepped down from, what is remembered of it, and what the log says."""

import asyncio
import json
import logging
import ssl

import httpx
import pytest
import respx

from tests.wire.play import REQUEST, Clock, as_stream, completion, error, serve, synthesizer
from verified_gate import Proposal, ReasonCode
from verified_gate.synthesis.connection import SLICE_BYTES, Connection, _take

NO_STREAM = error(400, {"error": {"message": "CANARY: streaming is not supported", "code": 400}})
NO_FORMAT = error(400, {"error": "response_format CANARY"})
STREAMED = as_stream(completion(), 9)


def _sent(route, name):
    return [json.loads(call.request.content).get(name) for call in route.calls]


def _formats(route):
    return [(sent or {}).get("type") for sent in _sent(route, "response_format")]


def _streamed(ours):
    return list(ours.stream(REQUEST))[-1]


@pytest.mark.parametrize(
    "refusal",
    [
        {"message": "Streaming is not supported by this model"},
        {"message": "`stream` must be false"},
        {"message": "stream=true is not allowed"},
        {"message": "CANARY", "param": "stream"},
        {"message": "stream: extra fields not permitted"},
    ],
    ids=lambda refusal: refusal["message"],
)
def test_a_refusal_to_stream_is_remembered_and_logged_once_the_whole_was_given_instead(refusal, caplog):
    caplog.set_level(logging.INFO, "verified_gate")
    with respx.mock, synthesizer() as ours:
        route = serve(error(400, {"error": refusal}), completion())
        assert isinstance(_streamed(ours), Proposal)
        assert isinstance(_streamed(ours), Proposal)
    assert _sent(route, "stream") == [True, None, None]
    assert sum("does not stream" in record.message for record in caplog.records) == 1
    assert "CANARY" not in caplog.text


@pytest.mark.parametrize(
    ("refusal", "calls"),
    [
        ("CANARY upstream stream was reset; bad request", [True]),
        ("CANARY bad", [True]),
        ("CANARY streaming is not supported", [True, None]),
    ],
)
def test_what_is_no_refusal_to_stream_or_did_not_help_is_forgotten(refusal, calls, caplog):
    """A stream that broke somewhere is no refusal; and where asking for the whole fails as well, that was not the cause."""
    caplog.set_level(logging.INFO, "verified_gate")
    with respx.mock, synthesizer() as ours:
        route = serve(error(400, {"error": {"message": refusal}}), *[error(400)] * (len(calls) - 1), STREAMED)
        assert _streamed(ours).code is ReasonCode.PROVIDER_UNAVAILABLE
        assert isinstance(_streamed(ours), Proposal)
    assert _sent(route, "stream") == [*calls, True]
    assert not caplog.records


def test_both_can_be_stepped_down_from_for_one_question(caplog):
    caplog.set_level(logging.INFO, "verified_gate")
    with respx.mock, synthesizer() as ours:
        route = serve(NO_STREAM, NO_FORMAT, completion())
        assert isinstance(_streamed(ours), Proposal)
        assert isinstance(_streamed(ours), Proposal)
    assert _sent(route, "stream") == [True, None, None, None]
    assert _formats(route) == ["json_schema", "json_schema", "json_object", "json_object"]
    assert len(caplog.records) == 2


def test_asking_again_goes_on_from_where_the_ladder_stands():
    clock = Clock()
    with respx.mock, synthesizer(clock) as ours:
        route = serve(NO_FORMAT, error(429, retry_after="1"), error(503), completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert _formats(route) == ["json_schema", "json_object", "json_object", "json_object"]
    assert len(clock.waits) == 2


@pytest.mark.parametrize("status", [401, 403, 404, 429, 503])
def test_words_that_other_answers_use_do_not_step_down(status):
    with respx.mock, synthesizer() as ours:
        route = serve(error(status, {"error": {"message": "unsupported; see the schema of your plan"}}), error(401))
        ours.synthesize(REQUEST)
    assert set(_formats(route)) == {"json_schema"}


class Breaks(httpx.AsyncByteStream):
    """Gives a body and then breaks as `fault`."""

    def __init__(self, content, fault):
        self.content, self.fault = content, fault

    async def __aiter__(self):
        yield self.content
        raise httpx.ReadError("CANARY") from self.fault


@pytest.mark.parametrize("fault", [ConnectionResetError("CANARY"), ssl.SSLEOFError("CANARY SSL"), OSError("CANARY")])
@pytest.mark.parametrize(
    ("content", "code", "calls"),
    [
        (STREAMED.content, "ok", 1),
        (completion().content, "ok", 1),
        (STREAMED.content.partition(b"[DONE]")[0], "ok", 1),
        (STREAMED.content[:-200], "truncated", 1),
        (completion().content[:-9], "provider_unavailable", 4),
        (b"", "provider_unavailable", 4),
    ],
    ids=["done", "whole", "finish_reason", "cut", "half", "nothing"],
)
def test_whatever_breaks_a_connection_costs_no_reply_whose_end_was_told(fault, content, code, calls):
    with respx.mock, synthesizer() as ours:
        route = respx.post().mock(side_effect=lambda request: httpx.Response(200, stream=Breaks(content, fault)))
        outcome = ours.synthesize(REQUEST)
    assert (str(getattr(outcome, "code", "ok")), route.call_count) == (code, calls)
    assert "CANARY" not in repr(outcome)


@pytest.mark.parametrize(
    ("fault", "again"),
    [
        (ssl.SSLEOFError("EOF occurred in violation of protocol"), True),
        (ssl.SSLZeroReturnError("closed"), True),
        (ConnectionResetError("x"), True),
        (ssl.SSLCertVerificationError("CANARY"), False),
        (ssl.SSLError("[SSL: WRONG_VERSION_NUMBER]"), False),
    ],
)
def test_a_kept_connection_that_was_closed_is_made_anew_and_one_that_is_not_trusted_is_not(fault, again):
    told = httpx.ReadError("")
    told.__cause__ = fault
    connection = Connection("https://model.test/v1", "k", 1)
    assert connection._explain(told, 5.0, begun=False).retry is again
    assert connection._explain(told, 5.0, begun=True).retry


# --- reading in slices ----------------------------------------------------------------------------------------------


async def test_others_have_their_turn_between_any_two_slices_of_an_answer():

    class Counts:
        patience = None
        turns = 0

        def __init__(self):
            self.seen = []

        def feed(self, piece):
            self.seen.append((len(piece), Counts.turns))

    async def others():
        while True:
            Counts.turns += 1
            await asyncio.sleep(0)

    running, reader = asyncio.create_task(others()), Counts()
    await _take(b"x" * (10 * SLICE_BYTES + 1), reader)
    running.cancel()
    assert [size for size, _ in reader.seen] == [SLICE_BYTES] * 10 + [1]
    turns = [turn for _, turn in reader.seen]
    assert turns == sorted(set(turns))


async def test_a_time_limit_takes_hold_between_two_slices():

    class Slow:
        def __init__(self):
            self.fed = 0

        def feed(self, piece):
            self.fed += 1
            limit.reschedule(0)  # the time is up while this slice is read

    reader = Slow()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(60) as limit:
            await _take(b"x" * (10 * SLICE_BYTES), reader)
    assert reader.fed < 10


def test_a_proxy_of_the_environment_is_asked_for_a_remote_server_and_for_none_on_this_machine(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    with synthesizer() as remote, synthesizer(base_url="http://127.0.0.1:2/v1") as here:
        proxied = remote._connection._client._client._mounts
        assert any(isinstance(transport, httpx.AsyncHTTPTransport) for transport in proxied.values())
        assert not here._connection._client._client._mounts
