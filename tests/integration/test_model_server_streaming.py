"""Streams against a real HTTP server on loopback: what leaves, when it leaves, and what stops the request."""

import asyncio
import json
import logging
import signal
import threading
import time

import pytest

from tests.wire.play import KEY, LONG_REPLY, QUESTION, REQUEST, VARIATIONS, Clock, as_stream, completion
from tests.wire.server import PlayingServer
from verified_gate import AnswerEngine, CorpusStore, ReasonCode
from verified_gate.audit import RecordLog
from verified_gate.engine import AnswerDone, CitationRefused, ClaimReleased, ClaimWithheld, EvidenceDelivered
from verified_gate.engine.events import CLEAN
from verified_gate.loopback import PlayedAnswer
from verified_gate.synthesis import OpenAISynthesizer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def server():
    with PlayingServer() as playing:
        yield playing


class Fixed:
    def retrieve(self, question, actor, limit):
        return REQUEST.evidence


def _model(server, name, **settings):
    return OpenAISynthesizer(base_url=server.base_url, model=name, api_key=KEY, _sleep=Clock().sleep, **settings)


def _engine(model):
    return AnswerEngine(retriever=Fixed(), synthesizer=model)


def _streamed(server, name):
    server.rewind()
    with _model(server, name) as model:
        return list(_engine(model).stream(QUESTION))


def _released(events):
    return [event.claim for event in events if isinstance(event, ClaimReleased)]


@pytest.mark.parametrize("size", ["", "@3", "@40"])
def test_the_sum_of_every_stream_is_the_answer_that_does_not_stream(server, size, caplog):
    """Each variation as it stands, and as a stream in pieces of three and of forty characters and bytes."""
    caplog.set_level(logging.DEBUG)
    told = []
    for variation in VARIATIONS:
        name = variation["name"]
        server.rewind()
        with _model(server, name) as model:
            whole = _engine(model).answer(QUESTION)
        *events, done = _streamed(server, name + size)
        assert isinstance(done, AnswerDone)
        assert (name, str(done.code)) == (name, variation["code"])
        assert done.complete is (done.code in CLEAN), name
        assert _released(events) == list(done.answer.claims), name
        if done.complete:
            assert done.answer == whole, name
            assert [event.refusal for event in events if isinstance(event, CitationRefused)] == list(whole.dropped)
            assert [event.claim for event in events if isinstance(event, ClaimWithheld)] == list(whole.withheld)
            assert (
                " ".join(event.text for event in events if isinstance(event, ClaimReleased)) == whole.text
                or not whole.claims
            )
        else:
            assert {claim.text for claim in done.answer.claims} <= {"You have 30 days."}, name
        told += [json.dumps(event.to_dict()) for event in [*events, done]]
    assert "sk-" not in caplog.text
    assert "CANARY" not in caplog.text.replace("CANARY-key", "")
    assert "sk-" not in "".join(told)


@pytest.mark.parametrize("size", range(1, 40))
def test_a_reply_of_several_claims_is_the_same_in_pieces_of_any_size(server, size):
    """Escapes, characters of several bytes and brackets are cut in every way."""
    with _model(server, "long") as model:
        whole = _engine(model).answer(QUESTION)
    assert [claim.text for claim in whole.claims] == [
        "You have 30 days.",
        "It is about a bike.",
        "Days of über-delivery 🚲.",
    ]
    evidence, *events, done = _streamed(server, f"long@{size}")
    assert evidence == EvidenceDelivered(("returns@3#c0",))
    kinds = [type(event).__name__ for event in events]
    assert kinds == [
        "ClaimReleased",
        "CitationRefused",
        "ClaimReleased",
        "CitationRefused",
        "ClaimWithheld",
        "ClaimReleased",
    ]
    assert (done.answer, done.complete) == (whole, True)
    assert [event.marks for event in events if isinstance(event, ClaimReleased)] == [(1,), (2,), (3,)]


async def test_awaiting_a_stream_gives_the_same_events(server):
    async with _model(server, "long@5") as model:
        events = [event async for event in _engine(model).astream(QUESTION)]
        assert events == list(_engine(model).stream(QUESTION))
        assert events[-1].answer == await _engine(model).aanswer(QUESTION)


def test_a_claim_leaves_while_the_model_still_writes(server):
    server.go_on.clear()
    with _model(server, "waits after a claim") as model:
        stream = _engine(model).stream(QUESTION)
        assert isinstance(next(stream), EvidenceDelivered)
        assert next(stream).claim.text == "You have 30 days."
        assert not server.go_on.is_set()
        server.go_on.set()
        (done,) = stream
        assert (done.complete, len(done.answer.claims)) == (True, 1)


async def test_a_claim_leaves_while_the_model_still_writes_when_awaited(server):
    server.go_on.clear()
    async with _model(server, "waits after a claim") as model:
        stream = _engine(model).astream(QUESTION)
        assert isinstance(await anext(stream), EvidenceDelivered)
        assert (await anext(stream)).claim.text == "You have 30 days."
        server.go_on.set()
        assert (await anext(stream)).complete


def test_what_was_released_stands_where_the_connection_then_breaks_and_nothing_is_asked_again(server):
    asked = len(server.requests)
    *events, done = _streamed(server, "breaks after a claim")
    assert len(server.requests) == asked + 1
    assert [claim.text for claim in _released(events)] == ["You have 30 days."]
    assert (done.complete, done.code, done.answer.interrupted) == (False, "truncated", "truncated")
    assert done.answer.text == "You have 30 days. [1]"
    with _model(server, "breaks after a claim") as model:
        assert _engine(model).answer(QUESTION).claims == ()


def test_without_streaming_a_reply_that_breaks_releases_nothing_and_the_deadline_ends_a_silent_one(server):
    for name, code in (("breaks after a claim", "truncated"), ("silent after a claim", "deadline_exceeded")):
        for streaming, released in ((False, 0), (True, 1)):
            with _model(server, name, deadline=0.5) as model:
                engine = _engine(model)
                answer = list(engine.stream(QUESTION))[-1].answer if streaming else engine.answer(QUESTION)
            assert (name, len(answer.claims)) == (name, released)
            assert (answer.interrupted or answer.code) == code


def test_a_server_that_keeps_the_connection_open_after_its_end_is_not_waited_for(server):
    with _model(server, "done and open", deadline=60) as model:
        *_, done = _engine(model).stream(QUESTION)
    assert done.complete


def test_connections_of_streams_that_were_read_to_their_end_are_used_again(server):
    before = server.connections
    with _model(server, "long@50") as model:
        for _ in range(5):
            assert list(_engine(model).stream(QUESTION))[-1].complete
    assert server.connections == before + 1


# --- stopping -------------------------------------------------------------------------------------------------------


def _gone(server, before):
    while server.gone == before:  # the time limit of the suite ends what never comes
        time.sleep(0.005)


def test_closing_a_stream_drops_the_connection(server):
    gone = server.gone
    with _model(server, "silent after a claim") as model:
        stream = _engine(model).stream(QUESTION)
        next(stream)
        next(stream)
        stream.close()
        _gone(server, gone)


def test_a_stream_that_nobody_holds_any_more_drops_the_connection(server):
    gone = server.gone
    with _model(server, "silent after a claim") as model:
        for event in _engine(model).stream(QUESTION):
            if isinstance(event, ClaimReleased):
                break
        del event
        _gone(server, gone)


@pytest.mark.parametrize("streaming", [False, True])
def test_ctrl_c_drops_the_connection(server, streaming):
    gone, asked = server.gone, len(server.requests)
    name = "silent after a claim" if streaming else "never answers"

    def interrupt():
        while len(server.requests) == asked:
            time.sleep(0.005)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    with _model(server, name) as model:
        engine = _engine(model)
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            for _ in engine.stream(QUESTION) if streaming else [engine.answer(QUESTION)]:
                pass
        _gone(server, gone)


@pytest.mark.parametrize("how", ["cancel", "close"])
async def test_a_cancelled_or_closed_awaited_stream_drops_the_connection(server, how):
    gone = server.gone
    async with _model(server, "silent after a claim") as model:
        stream = _engine(model).astream(QUESTION)
        assert isinstance(await anext(stream), EvidenceDelivered)
        assert isinstance(await anext(stream), ClaimReleased)
        if how == "close":
            await stream.aclose()
        else:
            task = asyncio.create_task(anext(stream))
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        while server.gone == gone:
            await asyncio.sleep(0.005)


async def test_a_cancelled_answer_drops_the_connection(server):
    gone, asked = server.gone, len(server.requests)
    async with _model(server, "never answers") as model:
        task = asyncio.create_task(_engine(model).aanswer(QUESTION))
        while len(server.requests) == asked:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while server.gone == gone:
            await asyncio.sleep(0.005)


async def test_closing_the_synthesizer_ends_its_streams_with_a_code(server):
    model = _model(server, "silent after a claim")
    called, awaited = _engine(model).stream(QUESTION), _engine(model).astream(QUESTION)
    for _ in range(2):
        next(called)
        await anext(awaited)
    await model.aclose()
    for done in (next(called), await anext(awaited)):
        assert (done.complete, done.code, len(done.answer.claims)) == (False, "provider_unavailable", 1)
    *_, done = _engine(model).stream(QUESTION)
    assert (done.complete, done.code) == (False, "provider_unavailable")


async def test_the_synchronous_calls_work_inside_a_running_loop(server):
    with _model(server, "long@9") as model:
        assert list(_engine(model).stream(QUESTION))[-1].answer == _engine(model).answer(QUESTION)


def test_a_server_that_refuses_to_stream_is_asked_for_the_whole_and_not_again_for_a_stream(server):
    asked = len(server.requests)
    with _model(server, "takes no stream") as model:
        for _ in range(2):
            *events, done = _engine(model).stream(QUESTION)
            assert (done.complete, len(_released(events))) == (True, 1)
    bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in server.requests[asked:]]
    assert [body.get("stream", False) for body in bodies] == [True, False, False]


def test_the_number_of_attempts_is_told_of_an_answer_too(server):
    class Log:
        def write(self, trace):
            self.attempts = [exchange.attempts for exchange in trace.exchanges]
            return "id"

    server.rewind()
    log = Log()
    with _model(server, "200 with an error body, then an answer") as model:
        answer = AnswerEngine(retriever=Fixed(), synthesizer=model, records=log).answer(QUESTION)
    assert (answer.code, log.attempts) == (ReasonCode.OK, [2])
    assert len(json.loads(LONG_REPLY)["claims"]) == 4


# --- many at once ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("streaming", [False, True])
async def test_a_hundred_questions_at_once_share_few_connections_and_never_hold_up_the_loop(server, streaming):
    """The longest time in which the loop did not come round is a small part of the whole. (benchmarks.serving prints it)"""
    pauses = []

    async def watch():
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.002)
            pauses.append(time.perf_counter() - before)

    before = server.connections
    with CorpusStore.from_directory("corpus") as store:
        async with _model(server, "honest@40" if streaming else "honest", max_connections=5) as model:
            engine = AnswerEngine(store, synthesizer=model)

            async def ask():
                if not streaming:
                    return await engine.aanswer("How long do I have to return a bike?")
                events = engine.astream("How long do I have to return a bike?")
                return [event async for event in events][-1].answer

            start = time.perf_counter()
            watching = asyncio.create_task(watch())
            answers = await asyncio.gather(*(ask() for _ in range(100)))
            watching.cancel()
            took = time.perf_counter() - start
    assert all(answer == answers[0] for answer in answers)
    assert answers[0].is_grounded
    assert server.connections - before <= 5
    assert len(pauses) > 20
    assert sorted(pauses)[-3] < took / 3  # two of them may be the machine's own


# --- records and waits ----------------------------------------------------------------------------------------------


class Keeps:
    """A record log that keeps of each exchange how often was asked and what was noted."""

    def __init__(self):
        self.exchanges = []

    def write(self, trace):
        self.exchanges.append([(exchange.attempts, exchange.note) for exchange in trace.exchanges])
        return f"record {len(self.exchanges)}"


@pytest.mark.parametrize("calls", [1, 2])
def test_the_record_of_each_claim_counts_the_calls_that_were_made_until_then(server, calls):
    """A process that is killed behind a claim leaves the true number."""
    server.answers["busy, then long"] = [
        PlayedAnswer(429, {"retry-after-ms": "1"}, b"{}"),
        *[PlayedAnswer(200, {}, as_stream(completion(LONG_REPLY), 9).content)] * 3,
    ][2 - calls :]
    server.rewind()
    log = Keeps()
    with _model(server, "busy, then long") as model:
        engine = AnswerEngine(retriever=Fixed(), synthesizer=model, records=log)
        *events, done = engine.stream(QUESTION)
    assert done.complete
    assert len(log.exchanges) == len(_released(events)) + 1
    assert [attempts for exchanges in log.exchanges for attempts, _ in exchanges] == [calls] * len(log.exchanges)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("name", "noted"),
    [
        ("finish_reason 'OTHER'", "an unusual finish_reason; finish_reason OTHER"),
        ("two choices, the first one last", "2 choices"),
        ("reasoning beside the content", "characters of reasoning"),
        ("plain honest reply", ""),
    ],
)
def test_what_was_unusual_about_a_good_answer_is_logged_and_recorded(server, name, noted, streaming, caplog, tmp_path):
    caplog.set_level(logging.INFO, "verified_gate")
    server.rewind()
    with _model(server, name) as model, RecordLog.open(tmp_path / "records.db", key=b"k" * 32) as log:
        engine = AnswerEngine(retriever=Fixed(), synthesizer=model, records=log)
        answer = list(engine.stream(QUESTION))[-1].answer if streaming else engine.answer(QUESTION)
        (exchange,) = log.read(answer.record).payload.exchanges
    assert answer.code is ReasonCode.OK
    assert bool(noted) is bool(exchange.note)
    assert noted in exchange.note
    assert ("answered with" in caplog.text) is bool(noted)
    assert "OTHER" not in caplog.text
    assert "CANARY" not in exchange.note + caplog.text.replace("CANARY-key", "")


@pytest.mark.parametrize("streaming", [False, True])
def test_the_wait_that_a_server_asks_for_is_a_number_of_the_answer(server, streaming):
    server.answers["busy"] = [PlayedAnswer(429, {"retry-after": "3600"}, b"{}")]
    for name, code, wait in (
        ("busy", "rate_limited", 3600.0),
        ("honest", "ok", None),
        ("status 401", "provider_unavailable", None),
    ):
        with _model(server, name) as model:
            engine = _engine(model)
            answer = list(engine.stream(QUESTION))[-1].answer if streaming else engine.answer(QUESTION)
        assert (str(answer.code), answer.retry_after) == (code, wait)
        assert answer.to_dict()["retry_after"] == wait
