"""One question end to end, with every kind of part."""

import asyncio
import threading
from functools import partial

import pytest

from tests.simulator import AdversarialSynthesizer, AsyncAdversarialSynthesizer, CorpusSimulator
from verified_gate import Actor, AnswerEngine, Passage, ReasonCode
from verified_gate.model.errors import MissingRecording, QueryError
from verified_gate.retrieval.protocol import Hit
from verified_gate.synthesis import SynthesisFailure

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"
PASSAGE = Passage("returns", TEXT)


def _enemy(kind=AdversarialSynthesizer, key="returns"):
    return kind().claim("You have 30 days.", (key, QUOTE))


class SyncRetriever:
    passages = (PASSAGE,)

    def __init__(self):
        self.asked = []

    def retrieve(self, question, actor, limit):
        self.asked.append((question, actor, limit, threading.current_thread() is threading.main_thread()))
        return self.passages


class AsyncRetriever:
    async def aretrieve(self, question, actor, limit):
        await asyncio.sleep(0)
        return [PASSAGE]


class CoroutineRetriever:
    async def retrieve(self, question, actor, limit):
        return [PASSAGE]


class AwaitableRetriever:
    def retrieve(self, question, actor, limit):
        return CoroutineRetriever().retrieve(question, actor, limit)


def test_a_bare_retriever_answers_and_the_citation_says_that_the_caller_answers_for_disclosure():
    retriever = SyncRetriever()
    actor = Actor("acme", {"support"})
    answer = AnswerEngine(retriever=retriever, synthesizer=_enemy()).answer(QUESTION, actor=actor, limit=3)
    assert retriever.asked == [(QUESTION, actor, 3, True)]
    assert [(citation.key, citation.quote, citation.origin) for citation in answer.citations] == [
        ("returns", QUOTE, "caller")
    ]
    assert answer.retrieved == ("returns",)


def test_a_store_answers_and_the_citation_says_so():
    corpus = CorpusSimulator()
    key = corpus.add("returns", TEXT)
    (citation,) = AnswerEngine(corpus, synthesizer=_enemy(key=key)).answer(QUESTION).citations
    assert (citation.key, citation.document_id, citation.version, citation.origin) == (key, "returns", "1", "store")
    assert TEXT[citation.start : citation.end] == citation.quote == QUOTE


@pytest.mark.parametrize("retriever", [SyncRetriever, AsyncRetriever, CoroutineRetriever, AwaitableRetriever])
@pytest.mark.parametrize("kind", [AdversarialSynthesizer, AsyncAdversarialSynthesizer])
async def test_every_mix_of_parts_can_be_awaited(retriever, kind):
    answer = await AnswerEngine(retriever=retriever(), synthesizer=_enemy(kind)).aanswer(QUESTION)
    assert [citation.quote for citation in answer.citations] == [QUOTE]


async def test_awaiting_gives_the_same_answer_and_keeps_a_sync_part_off_the_event_loop():
    retriever = SyncRetriever()
    engine = AnswerEngine(retriever=retriever, synthesizer=_enemy())
    assert await engine.aanswer(QUESTION, lang="de") == engine.answer(QUESTION, lang="de")
    assert [on_main for *_, on_main in retriever.asked] == [False, True]


async def test_cancelling_an_awaited_answer_cancels_its_synthesizer():
    started, cancelled = asyncio.Event(), asyncio.Event()

    class Slow:
        async def asynthesize(self, request):
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

    task = asyncio.create_task(AnswerEngine(retriever=SyncRetriever(), synthesizer=Slow()).aanswer(QUESTION))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


def test_a_future_that_is_no_coroutine_is_a_type_error_too():
    class Future:
        def __await__(self):
            yield

    retriever = SyncRetriever()
    retriever.passages = Future()
    with pytest.raises(TypeError, match="aanswer"):
        AnswerEngine(retriever=retriever, synthesizer=_enemy()).answer(QUESTION)


@pytest.mark.parametrize("retriever", [AsyncRetriever, CoroutineRetriever, AwaitableRetriever])
def test_parts_that_can_only_be_awaited_are_a_type_error_in_a_sync_answer(retriever):
    with pytest.raises(TypeError, match="aanswer"):
        AnswerEngine(retriever=retriever(), synthesizer=_enemy()).answer(QUESTION)
    with pytest.raises(TypeError, match="aanswer"):
        AnswerEngine(retriever=SyncRetriever(), synthesizer=_enemy(AsyncAdversarialSynthesizer)).answer(QUESTION)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "store"),
        ({"retriever": object()}, "retrieve"),
        ({"store": SyncRetriever()}, "retriever="),
        ({"retriever": SyncRetriever(), "synthesizer": object()}, "synthesize"),
        ({"retriever": SyncRetriever}, r"class SyncRetriever"),
        ({"store": CorpusSimulator}, r"class CorpusSimulator"),
        ({"retriever": SyncRetriever(), "synthesizer": AdversarialSynthesizer}, r"class AdversarialSynthesizer"),
    ],
)
def test_wrong_parts_are_named_when_the_engine_is_made(arguments, named):
    with pytest.raises(TypeError, match=named):
        AnswerEngine(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"limit": 0},
        {"limit": -1},
        {"limit": 100_000},
        {"limit": "8"},
        {"limit": True},
        {"profile": "fuzzy"},
        {"scope": "world"},
    ],
)
def test_wrong_settings_are_named_when_the_engine_is_made(arguments):
    with pytest.raises(ValueError):
        AnswerEngine(retriever=SyncRetriever(), **arguments)


@pytest.mark.parametrize("question", ["", "   ", "\n\t", "\u3000"])
async def test_an_empty_question_is_refused(question):
    """(condition 59)"""
    engine = AnswerEngine(retriever=SyncRetriever(), synthesizer=_enemy())
    with pytest.raises(ValueError):
        engine.answer(question)
    with pytest.raises(ValueError):
        await engine.aanswer(question)
    assert engine.answer(QUESTION).is_grounded


@pytest.mark.parametrize(
    "wrong", [{"question": 7}, {"question": None}, {"actor": "admin"}, {"actor": {"tenant": "acme"}}, {"lang": None}]
)
def test_arguments_of_the_wrong_type_are_a_type_error(wrong):
    engine = AnswerEngine(retriever=SyncRetriever(), synthesizer=_enemy())
    with pytest.raises(TypeError):
        engine.answer(**{"question": QUESTION} | wrong)


@pytest.mark.parametrize("returned", [None, 7, [{"key": "a", "text": "b"}], ["text"], iter([PASSAGE])])
def test_a_retriever_that_returns_something_else_than_passages_is_a_type_error(returned):
    retriever = SyncRetriever()
    retriever.passages = returned
    with pytest.raises(TypeError, match="Passage"):
        AnswerEngine(retriever=retriever, synthesizer=_enemy()).answer(QUESTION)


def test_more_passages_than_the_limit_are_not_delivered():
    """(condition 33)"""
    retriever = SyncRetriever()
    retriever.passages = [Passage(f"p{number}", TEXT) for number in range(20)]
    enemy = AdversarialSynthesizer().claim("30 days.", ("p3", QUOTE))
    answer = AnswerEngine(retriever=retriever, synthesizer=enemy, limit=3).answer(QUESTION)
    assert answer.retrieved == ("p0", "p1", "p2")
    assert [refusal.code for refusal in answer.dropped] == [ReasonCode.UNKNOWN_CITATION]
    assert AnswerEngine(retriever=retriever, synthesizer=enemy).answer(QUESTION, limit=4).is_grounded


def test_a_retriever_may_return_hits():
    retriever = SyncRetriever()
    retriever.passages = [Hit("returns", 1.5, PASSAGE)]
    engine = AnswerEngine(retriever=retriever, synthesizer=_enemy())
    assert [citation.quote for citation in engine.answer(QUESTION).citations] == [QUOTE]
    retriever.passages = [Hit("returns", 1.5, "no passage")]
    with pytest.raises(TypeError, match="Passage"):
        engine.answer(QUESTION)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        ({"detail": "HTTP 429"}, "HTTP 429"),
        ({"detail": "HTTP 429", "attempts": 1}, "HTTP 429"),
        (
            {"detail": "HTTP 429", "attempts": 4, "retry_after": 30.0},
            "HTTP 429; asked 4 times; the server asks to wait 30 seconds",
        ),
        (
            {"detail": "wait 30 seconds, longer than the deadline", "retry_after": 30.0},
            "wait 30 seconds, longer than the deadline",
        ),
        ({"retry_after": 1}, "the server asks to wait 1 second"),
        ({"detail": "x", "retry_after": float("nan"), "attempts": "many"}, "x"),
    ],
)
def test_how_often_was_asked_and_how_long_to_wait_reach_the_operator_in_words(failure, told):
    enemy = AdversarialSynthesizer(failure=SynthesisFailure(ReasonCode.RATE_LIMITED, **failure))
    assert AnswerEngine(retriever=SyncRetriever(), synthesizer=enemy).answer(QUESTION).detail == told


def test_a_passage_returned_twice_is_delivered_once_and_two_texts_under_one_key_are_a_fault():
    retriever = SyncRetriever()
    retriever.passages = [PASSAGE, PASSAGE]
    engine = AnswerEngine(retriever=retriever, synthesizer=_enemy())
    assert engine.answer(QUESTION).retrieved == ("returns",)
    retriever.passages = [PASSAGE, Passage("returns", "Another text.")]
    assert engine.answer(QUESTION).code is ReasonCode.RETRIEVAL_UNAVAILABLE


@pytest.mark.parametrize("fault", [QueryError("too long"), MissingRecording("none")])
async def test_what_our_own_parts_raise_for_wrong_use_reaches_the_caller(fault):
    engine = AnswerEngine(retriever=SyncRetriever(), synthesizer=AdversarialSynthesizer(failure=fault))
    with pytest.raises(type(fault)):
        engine.answer(QUESTION)
    with pytest.raises(type(fault)):
        await engine.aanswer(QUESTION)


def test_a_reply_as_text_goes_through_the_gate_like_any_other():
    class Speaks:
        def synthesize(self, request):
            return '{"claims": [{"text": "30 days.", "citations": [{"key": "returns", "quote": "within 30 days"}]}]}'

    assert AnswerEngine(retriever=SyncRetriever(), synthesizer=Speaks()).answer(QUESTION).text == "30 days. [1]"


def test_the_request_holds_question_evidence_and_language():
    enemy = _enemy()
    AnswerEngine(retriever=SyncRetriever(), synthesizer=enemy).answer(QUESTION, lang="de")
    (request,) = enemy.requests
    assert (request.question, request.evidence, request.lang) == (QUESTION, (PASSAGE,), "de")


def test_the_same_run_twice_gives_the_same_bytes():
    """(invariant 5)"""
    engine = partial(AnswerEngine, retriever=SyncRetriever(), synthesizer=_enemy())
    assert str(engine().answer(QUESTION).to_dict()) == str(engine().answer(QUESTION).to_dict())


def test_an_engine_names_its_parts():
    assert repr(AnswerEngine(CorpusSimulator(), synthesizer=_enemy())) == (
        "<AnswerEngine CorpusSimulator · AdversarialSynthesizer>"
    )
