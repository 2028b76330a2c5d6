"""The synthesizer as a whole: deadline, waits, the ladder of formats, threads, tasks, closing."""

import asyncio
import gc
import json
import logging
import os
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import respx

from tests.wire.play import BASE_URL, KEY, REPLY, REQUEST, URL, Clock, completion, error, serve, synthesizer
from verified_gate import Proposal, ReasonCode
from verified_gate.synthesis import AsyncSynthesizer, OpenAISynthesizer, Synthesizer

FORMAT_REFUSED = {"error": "'response_format.type' must be 'json_schema' or 'text'"}


def _formats(route):
    bodies = [json.loads(call.request.content) for call in route.calls]
    return [body.get("response_format", {}).get("type") for body in bodies]


async def _forever(request):
    await asyncio.Event().wait()


# --- waiting ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({"retry-after": "2"}, [2.0]),
        ({"retry-after": "1.5"}, [1.5]),
        ({"retry-after-ms": "1500"}, [1.5]),
        ({"retry-after": "Tue, 14 Nov 2023 22:13:40 GMT"}, [20.0]),
        ({"x-ratelimit-reset-requests": "172ms"}, [0.172]),
    ],
)
def test_the_wait_that_a_server_asks_for_is_kept(headers, waits):
    clock = Clock()
    with respx.mock, synthesizer(clock) as ours:
        serve(httpx.Response(429, json={}, headers=headers), completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert len(clock.waits) == len(waits)
    assert all(asked <= wait <= asked + 0.5 for asked, wait in zip(waits, clock.waits, strict=True))


def test_a_wait_that_stands_only_in_the_message_is_kept():
    clock = Clock()
    with respx.mock, synthesizer(clock) as ours:
        serve(error(429, {"error": {"message": "Please retry after 33 seconds."}}), completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert len(clock.waits) == 1
    assert 33 <= clock.waits[0] <= 33.5


@pytest.mark.parametrize("value", ["-1", "abc", "nan", "99999999999", "0", ""])
def test_a_wait_that_makes_no_sense_is_replaced_by_our_own(value):
    clock = Clock()
    with respx.mock, synthesizer(clock) as ours:
        serve(httpx.Response(429, json={}, headers={"retry-after": value}), completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert len(clock.waits) == 1
    assert 0.5 <= clock.waits[0] <= 1


def test_our_own_waits_grow_and_end():
    clock = Clock()
    with respx.mock, synthesizer(clock, max_attempts=8, deadline=600) as ours:
        serve(error(500))
        assert ours.synthesize(REQUEST).attempts == 8
    for wait, least in zip(clock.waits, [0.5, 1, 2, 4, 8, 8, 8], strict=True):
        assert least <= wait <= least + 0.5


@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_that_does_not_fit_the_deadline_stops_at_once(status):
    clock = Clock()
    with respx.mock, synthesizer(clock, deadline=30) as ours:
        route = serve(error(status, retry_after="31"))
        failure = ours.synthesize(REQUEST)
        assert (failure.code, failure.retry_after, route.call_count) == (ReasonCode.RATE_LIMITED, 31.0, 1)
    assert clock.waits == []


def test_waits_and_answers_share_one_deadline():
    clock = Clock()

    def slow(request):
        clock.time += 8
        return error(429, retry_after="3")

    with respx.mock, synthesizer(clock, deadline=31, max_attempts=99) as ours:
        route = respx.post(URL).mock(side_effect=slow)
        failure = ours.synthesize(REQUEST)
        assert (failure.code, route.call_count) == (ReasonCode.RATE_LIMITED, 3)  # 8 3 8 3 8: 3 more would reach 33
    assert clock.time < 31


@pytest.mark.parametrize("answer", [_forever, httpx.ReadTimeout("late"), httpx.PoolTimeout("late")])
def test_an_answer_that_does_not_come_ends_with_the_deadline(answer):
    with respx.mock, synthesizer(deadline=0.05) as ours:
        respx.post(URL).mock(side_effect=answer)
        assert ours.synthesize(REQUEST).code is ReasonCode.DEADLINE_EXCEEDED


def test_a_body_that_drips_for_ever_ends_with_the_deadline():
    class Drip(httpx.AsyncByteStream):
        async def __aiter__(self):
            while True:
                await asyncio.sleep(0.01)
                yield b" "

    with respx.mock, synthesizer(deadline=0.1) as ours:
        for status in (200, 500):
            respx.post(URL).mock(side_effect=lambda request, status=status: httpx.Response(status, stream=Drip()))
            assert ours.synthesize(REQUEST).code is ReasonCode.DEADLINE_EXCEEDED


# --- the ladder of formats ------------------------------------------------------------------------------------------


def test_a_refused_format_is_stepped_down_from_once_and_remembered(caplog):
    caplog.set_level(logging.INFO, "verified_gate")
    with respx.mock, synthesizer() as ours:
        route = serve(error(400, FORMAT_REFUSED), completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert _formats(route) == ["json_schema", "json_object", "json_object"]
    assert [record.name for record in caplog.records] == ["verified_gate.synthesis.call"]


def test_the_ladder_ends_at_the_prompt_alone():
    with respx.mock, synthesizer() as ours:
        route = serve(error(400, FORMAT_REFUSED), error(400), completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert _formats(route) == ["json_schema", "json_object", None, None]


def test_a_ladder_that_helped_nothing_is_not_remembered():
    with respx.mock, synthesizer() as ours:
        route = serve(error(400, FORMAT_REFUSED), error(400, FORMAT_REFUSED), error(400), completion())
        assert ours.synthesize(REQUEST).code is ReasonCode.PROVIDER_UNAVAILABLE
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    assert _formats(route) == ["json_schema", "json_object", None, "json_schema"]


@pytest.mark.parametrize("status", [400, 401, 404, 422, 429, 500])
def test_what_does_not_name_the_format_steps_nowhere(status):
    with respx.mock, synthesizer() as ours:
        route = serve(error(status), error(401))
        ours.synthesize(REQUEST)
    assert set(_formats(route)) == {"json_schema"}


# --- the request ------------------------------------------------------------------------------------------------------


def test_the_request_goes_to_the_given_address_with_the_given_key_and_nothing_of_another_account(monkeypatch):
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "of-another-account")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.test/v1")
    with respx.mock, synthesizer() as ours:
        request = serve(completion()).calls
        ours.synthesize(REQUEST)
        sent = request.last.request
    assert sent.url == URL
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert "of-another-account" not in str(sent.headers.multi_items())
    assert json.loads(sent.content)["model"] == "m"


def test_the_api_version_of_an_address_is_kept():
    with respx.mock, synthesizer(base_url=f"{BASE_URL}?api-version=2024-10-21") as ours:
        route = respx.post(URL, params={"api-version": "2024-10-21"}).mock(return_value=completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
        assert route.call_count == 1


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_port_where_nothing_listens_refuses_and_the_address_is_named():
    with synthesizer(base_url="http://127.0.0.1:1/v1") as ours:
        failure = ours.synthesize(REQUEST)
    assert (failure.code, failure.attempts) == (ReasonCode.PROVIDER_UNAVAILABLE, 4)
    assert "http://127.0.0.1:1 " in failure.detail


# --- threads, tasks, closing --------------------------------------------------------------------------------------------


def test_it_speaks_both_protocols():
    with synthesizer() as ours:
        assert isinstance(ours, Synthesizer)
        assert isinstance(ours, AsyncSynthesizer)


def test_many_threads_and_event_loops_share_one_synthesizer():
    with respx.mock, synthesizer(max_connections=4) as ours:
        serve(completion())
        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(lambda _: ours.synthesize(REQUEST), range(40)))
            outcomes += list(pool.map(lambda _: asyncio.run(ours.asynthesize(REQUEST)), range(20)))
    assert all(isinstance(outcome, Proposal) for outcome in outcomes)


async def test_a_hundred_tasks_run_at_once_and_a_synchronous_call_works_inside_a_loop():
    with respx.mock:
        async with synthesizer() as ours:
            serve(completion())
            outcomes = await asyncio.gather(*(ours.asynthesize(REQUEST) for _ in range(100)))
            assert all(isinstance(outcome, Proposal) for outcome in outcomes)
            assert isinstance(ours.synthesize(REQUEST), Proposal)


async def test_cancelling_the_task_stops_the_request():
    started, stopped = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    async def hang(request):
        loop.call_soon_threadsafe(started.set)
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    with respx.mock:
        async with synthesizer() as ours:
            respx.post(URL).mock(side_effect=hang)
            task = asyncio.create_task(ours.asynthesize(REQUEST))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(stopped.wait, 5)
            serve(completion())
            assert isinstance(await ours.asynthesize(REQUEST), Proposal)


async def test_closing_ends_what_waits_with_a_code_and_later_calls_are_wrong_use():
    started = threading.Semaphore(0)

    async def hang(request):
        started.release()
        await asyncio.Event().wait()

    with respx.mock:
        ours = synthesizer()
        respx.post(URL).mock(side_effect=hang)
        waiting = [
            asyncio.create_task(ours.asynthesize(REQUEST)),
            asyncio.create_task(asyncio.to_thread(ours.synthesize, REQUEST)),
        ]
        for _ in waiting:
            assert await asyncio.to_thread(started.acquire, timeout=5)
        await ours.aclose()
        assert [(await task).code for task in waiting] == [ReasonCode.PROVIDER_UNAVAILABLE] * 2
    with pytest.raises(RuntimeError):
        ours.synthesize(REQUEST)
    with pytest.raises(RuntimeError):
        await ours.asynthesize(REQUEST)
    ours.close()


def test_one_that_nobody_closes_ends_its_thread_when_it_is_forgotten():
    with respx.mock:
        serve(completion())
        ours = synthesizer()
        assert isinstance(ours.synthesize(REQUEST), Proposal)
    thread, gone = ours._loop._thread, weakref.ref(ours)
    del ours
    gc.collect()
    thread.join(5)
    assert gone() is None
    assert not thread.is_alive()


def test_after_a_fork_the_child_makes_its_own_thread_and_the_parent_keeps_its():
    code = """
import os
from tests.wire.play import REQUEST
from verified_gate.synthesis import OpenAISynthesizer
ours = OpenAISynthesizer(base_url="http://127.0.0.1:1/v1", model="m", api_key="k", max_attempts=1)
print(ours.synthesize(REQUEST).code, flush=True)
child = os.fork()
if child:
    os.waitpid(child, 0)
print(ours.synthesize(REQUEST).code, flush=True)
if not child:
    os._exit(0)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.split() == ["provider_unavailable"] * 3


@pytest.mark.parametrize("settings", [{"max_attempts": 0}, {"max_connections": 0}])
def test_limits_below_one_are_refused(settings):
    with pytest.raises(ValueError, match="1 or more"):
        synthesizer(**settings)
    synthesizer(max_attempts=1, max_connections=1).close()


def test_importing_the_folder_loads_neither_openai_nor_numpy_nor_pydantic():
    code = (
        "import sys, verified_gate.synthesis as s; from verified_gate.synthesis import SynthesisRequest;"
        "print(sorted({'openai', 'numpy', 'pydantic', 'tenacity', 'httpx'} & set(sys.modules)), s.RecordedSynthesizer.__name__)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert run.stdout.split("]")[0] == "["
    assert OpenAISynthesizer.__module__ == "verified_gate.synthesis.openai_compat"


@pytest.mark.parametrize(
    ("header", "sent", "absent"),
    [("api-key", "api-key", "authorization"), ("authorization", "authorization", "api-key")],
)
def test_the_key_goes_into_one_header_and_no_other(header, sent, absent):
    with respx.mock, synthesizer(key_header=header) as ours:
        route = serve(completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
        headers = route.calls.last.request.headers
    assert headers[sent].removeprefix("Bearer ") == KEY
    assert absent not in headers


def test_further_options_are_members_of_each_request_and_nothing_of_ours_changes():
    with respx.mock, synthesizer(options={"reasoning_effort": "low", "seed": 7}) as ours:
        route = serve(completion())
        assert isinstance(ours.synthesize(REQUEST), Proposal)
        body = json.loads(route.calls.last.request.content)
    assert (body["reasoning_effort"], body["seed"], body["model"]) == ("low", 7, "m")
    assert set(body) == {"model", "messages", "response_format", "reasoning_effort", "seed"}


def test_an_azure_deployment_is_asked_at_its_own_address_with_its_version():
    url = "https://mine.openai.azure.com/openai/deployments/d?api-version=2024-10-21"
    with respx.mock, synthesizer(base_url=url) as ours:
        route = respx.post("https://mine.openai.azure.com/openai/deployments/d/chat/completions").mock(
            return_value=completion()
        )
        assert isinstance(ours.synthesize(REQUEST), Proposal)
        request = route.calls.last.request
    assert request.url.params["api-version"] == "2024-10-21"
    assert request.headers["api-key"] == KEY
    assert "authorization" not in request.headers


def test_a_proposal_says_how_many_calls_it_took_and_what_was_written():
    with respx.mock, synthesizer() as ours:
        serve(error(503), completion())
        written = ours.synthesize(REQUEST)
    assert (written.attempts, written.reply) == (2, REPLY)
    assert "CANARY" not in repr(written)
    assert "30 days" not in repr(written)
