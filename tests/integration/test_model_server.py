"""The synthesizer against a real HTTP server on loopback: every variation, and the faults only a socket can have."""

import asyncio
import logging
import time

import pytest

from tests.wire.play import KEY, REQUEST, VARIATIONS, Clock
from tests.wire.server import SOCKET_FAULTS, PlayingServer
from verified_gate import Proposal, ReasonCode
from verified_gate.synthesis import OpenAISynthesizer, SynthesisFailure

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def server():
    with PlayingServer() as playing:
        yield playing


def _ask(server, model, **settings):
    clock = Clock()
    with OpenAISynthesizer(base_url=server.base_url, model=model, api_key=KEY, _sleep=clock.sleep, **settings) as ours:
        return ours.synthesize(REQUEST)


def test_every_variation_gives_its_code_over_a_real_connection_and_leaks_nothing(server, caplog):
    caplog.set_level(logging.DEBUG)
    outcomes = {variation["name"]: _ask(server, variation["name"]) for variation in VARIATIONS}
    codes = {
        name: str(outcome.code) if isinstance(outcome, SynthesisFailure) else "ok" for name, outcome in outcomes.items()
    }
    assert codes == {variation["name"]: variation["code"] for variation in VARIATIONS}
    assert "sk-" not in caplog.text
    assert "CANARY" not in caplog.text.replace("CANARY-key", "")


@pytest.mark.parametrize("fault", SOCKET_FAULTS)
def test_what_only_a_socket_can_do_wrong_has_its_code(server, fault, caplog):
    caplog.set_level(logging.DEBUG)
    late = SOCKET_FAULTS[fault] == "deadline_exceeded"
    failure = _ask(server, fault, deadline=0.3 if late else 30.0)
    assert isinstance(failure, SynthesisFailure)
    assert str(failure.code) == SOCKET_FAULTS[fault]
    assert "CANARY" not in caplog.text + repr(failure)
    assert isinstance(_ask(server, "honest"), Proposal)


async def test_a_hundred_questions_share_few_connections_and_never_hold_up_the_callers_loop(server):
    pauses = []

    async def watch():
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.005)
            pauses.append(time.perf_counter() - before)

    before = server.connections
    async with OpenAISynthesizer(base_url=server.base_url, model="honest", api_key=KEY, max_connections=5) as ours:
        watching = asyncio.create_task(watch())
        outcomes = await asyncio.gather(*(ours.asynthesize(REQUEST) for _ in range(100)))
        watching.cancel()
    assert all(isinstance(outcome, Proposal) for outcome in outcomes)
    assert server.connections - before <= 5
    assert server.most_at_once <= 5
    assert len(pauses) >= 5  # the answers take 0.2 seconds at least; a loop that is held up comes round once


async def test_a_cancelled_question_closes_its_connection(server):
    async with OpenAISynthesizer(
        base_url=server.base_url, model="never answers", api_key=KEY, max_connections=1
    ) as ours:
        asked, gone = len(server.requests), server.gone
        task = asyncio.create_task(ours.asynthesize(REQUEST))
        while len(server.requests) == asked:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while server.gone == gone:  # the time limit of the suite ends what never comes
            await asyncio.sleep(0.005)


def test_a_name_that_no_host_has_is_told(server):
    with OpenAISynthesizer(
        base_url="http://model.invalid/v1", model="m", api_key=KEY, max_attempts=1, deadline=10
    ) as ours:
        failure = ours.synthesize(REQUEST)
    assert failure.code is ReasonCode.PROVIDER_UNAVAILABLE
    assert "model.invalid" in failure.detail


def test_a_server_without_tls_is_told_where_tls_is_expected(server):
    with OpenAISynthesizer(
        base_url=server.base_url.replace("http", "https"), model="m", api_key=KEY, deadline=10
    ) as ours:
        failure = ours.synthesize(REQUEST)
    assert (failure.code, failure.attempts) == (ReasonCode.PROVIDER_UNAVAILABLE, 1)
    assert "TLS" in failure.detail
