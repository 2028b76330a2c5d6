"""Hard limits of a request, what a remote model may be shown, and evidence fitted to a budget."""

from dataclasses import replace
from datetime import date

import pytest
import respx

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from tests.wire.play import completion, serve, synthesizer
from verified_gate import AnswerEngine, Passage, ReasonCode
from verified_gate.model import Location
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints
from verified_gate.synthesis import (
    SynthesisRequest,
    OpenAISynthesizer,
    RecordedSynthesizer,
    SynthesisFailure,
    TemplateSynthesizer,
)

from verified_gate.synthesis.prompt import write_prompt

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery."
PASSAGES = [Passage(f"p{number}", f"{TEXT} Number {number}.") for number in range(4)]
LIMITS = {"purpose": "audit", "only": ["policies"], "prefer": {"policies"}, "as_of": date(2026, 1, 2)}
HELD = Constraints("audit", True, frozenset({"policies"}), frozenset({"policies"}), date(2026, 1, 2))


class Bare:
    """A retriever that takes no limits."""

    def __init__(self, *passages):
        self.passages = list(passages or PASSAGES)

    def retrieve(self, question, actor, limit):
        return self.passages


class Limited(Bare):
    """One that does, and keeps what it was given."""

    def retrieve(self, question, actor, limit, *, constraints=UNCONSTRAINED):
        self.constraints = constraints
        return self.passages


class AsyncLimited(Limited):
    async def aretrieve(self, question, actor, limit, *, constraints=UNCONSTRAINED):
        return Limited.retrieve(self, question, actor, limit, constraints=constraints)

    retrieve = None


class Open:
    def retrieve(self, question, actor, limit, **more):
        self.constraints = more["constraints"]
        return PASSAGES


class LimitedCorpus(CorpusSimulator):
    asked = ()

    def retrieve(self, question, actor, limit, *, constraints=UNCONSTRAINED):
        self.asked = (constraints,)
        return super().retrieve(question, actor, limit)

    def disclose(self, pins, actor, *, constraints=UNCONSTRAINED):
        self.asked += (constraints,)
        return super().disclose(pins, actor)


class Keeps(AdversarialSynthesizer):
    """Cites the first passage it is shown, and keeps every request."""

    def synthesize(self, request):
        self.reply["claims"] = []
        if request.evidence:
            self.claim("30 days.", (request.evidence[0].key, "return a bike within 30 days"))
        return super().synthesize(request)


def test_limits_of_a_request_reach_retrieval_and_release():
    corpus = LimitedCorpus()
    corpus.add("returns", TEXT)
    engine = AnswerEngine(corpus, synthesizer=Keeps())
    assert engine.answer(QUESTION, **LIMITS).is_grounded
    assert corpus.asked == (HELD, HELD)
    assert engine.answer(QUESTION).is_grounded
    assert corpus.asked == (Constraints(remote=True),) * 2


@pytest.mark.parametrize("kind", [Limited, AsyncLimited, Open])
async def test_limits_reach_every_kind_of_retriever_by_every_way(kind):
    retriever = kind()
    engine = AnswerEngine(retriever=retriever, synthesizer=Keeps())
    assert (await engine.aanswer(QUESTION, **LIMITS)).is_grounded
    assert retriever.constraints == HELD
    assert [event async for event in engine.astream(QUESTION, purpose="other")][-1].complete
    assert retriever.constraints == Constraints("other", remote=True)
    if kind is not AsyncLimited:
        assert list(engine.stream(QUESTION, only=())) != []
        assert retriever.constraints == Constraints(remote=True, only=frozenset())


@pytest.mark.parametrize("name", LIMITS)
async def test_limits_that_a_part_cannot_hold_are_wrong_use_and_none_are_fine(name):
    limit = {name: LIMITS[name]}
    corpus = CorpusSimulator()
    corpus.add("returns", TEXT)
    for engine in (
        AnswerEngine(retriever=Bare(), synthesizer=Keeps()),
        AnswerEngine(corpus, synthesizer=Keeps()),
        AnswerEngine(corpus, retriever=Limited(), synthesizer=Keeps()),
        AnswerEngine(LimitedCorpus(), retriever=Bare(), synthesizer=Keeps()),
    ):
        with pytest.raises(TypeError, match="constraints"):
            engine.answer(QUESTION, **limit)
        with pytest.raises(TypeError, match="constraints"):
            await engine.aanswer(QUESTION, **limit)
        with pytest.raises(TypeError, match="constraints"):
            engine.stream(QUESTION, **limit)
        with pytest.raises(TypeError, match="constraints"):
            engine.astream(QUESTION, **limit)
        assert engine.answer(QUESTION).code in (ReasonCode.OK, ReasonCode.NO_EVIDENCE, ReasonCode.NOTHING_VERIFIED)


@pytest.mark.parametrize(
    "wrong", [{"purpose": 7}, {"only": "policies"}, {"only": [7]}, {"prefer": "policies"}, {"as_of": "2026-01-02"}]
)
def test_limits_of_the_wrong_type_are_wrong_use(wrong):
    with pytest.raises((TypeError, ValueError)):
        AnswerEngine(retriever=Limited(), synthesizer=Keeps()).answer(QUESTION, **wrong)


# --- remote and local -----------------------------------------------------------------------------------------------


def test_each_synthesizer_says_whether_it_is_remote():
    for url, remote in (
        ("http://127.0.0.1:1/v1", False),
        ("http://localhost:1/v1", False),
        ("http://model.test/v1", True),
    ):
        with OpenAISynthesizer(base_url=url, model="m", api_key="k") as ours:
            assert ours.remote is remote
    with OpenAISynthesizer(base_url="http://model.test/v1", model="m", api_key="k", remote=False) as ours:
        assert ours.remote is False
    assert (TemplateSynthesizer().remote, RecordedSynthesizer({}).remote) == (False, False)


@pytest.mark.parametrize(
    ("remote", "shown"),
    [(True, ["p1", "p3"]), (None, ["p1", "p3"]), (1, ["p1", "p3"]), (False, ["p0", "p1", "p2", "p3"])],
)
async def test_local_material_is_never_shown_to_a_remote_synthesizer(remote, shown):
    """The second wall, for whatever a retriever returned. A synthesizer that does not say counts as remote."""
    marked = [replace(passage, local_only=number % 2 == 0) for number, passage in enumerate(PASSAGES)]
    enemy = Keeps()
    if remote is not None:
        enemy.remote = remote
    log = Log()
    engine = AnswerEngine(retriever=Limited(*marked), synthesizer=enemy, records=log)
    answers = [engine.answer(QUESTION), await engine.aanswer(QUESTION), list(engine.stream(QUESTION))[-1].answer]
    for answer, request in zip(answers, enemy.requests, strict=True):
        assert [passage.key for passage in request.evidence] == list(answer.retrieved) == shown
        assert [citation.key for citation in answer.citations] == shown[:1]
    assert log.trace.left_out == tuple(key for key in ("p0", "p2") if key not in shown)
    assert log.trace.constraints.remote is (remote is not False)


def test_where_all_is_local_a_remote_model_is_not_asked():
    enemy = Keeps()
    local = [replace(passage, local_only=True) for passage in PASSAGES]
    answer = AnswerEngine(retriever=Bare(*local), synthesizer=enemy).answer(QUESTION)
    assert (answer.code, answer.retrieved, enemy.requests) == ("no_evidence", (), [])
    assert AnswerEngine(retriever=Bare(*local), synthesizer=TemplateSynthesizer()).answer(QUESTION).is_grounded


@pytest.mark.parametrize("streaming", [False, True])
async def test_the_client_of_a_remote_model_sends_no_local_material_whoever_asks_it(streaming):
    marked = (replace(PASSAGES[0], local_only=True, text="CANARY-LOCAL stands here."), PASSAGES[1])
    for remote, sent in ((True, False), (False, True)):
        with respx.mock, synthesizer(remote=remote) as ours:
            route = serve(completion())
            request = SynthesisRequest(QUESTION, marked)
            _ = list(ours.stream(request)) if streaming else ours.synthesize(request)
            assert (b"CANARY-LOCAL" in route.calls.last.request.content) is sent
            calls = route.call_count
            only = replace(request, evidence=marked[:1])
            _ = [part async for part in ours.astream(only)] if streaming else await ours.asynthesize(only)
            assert route.call_count - calls == sent


@pytest.mark.parametrize("holds", [True, False])
def test_a_store_that_knows_a_passage_as_local_is_believed(holds):
    """A retriever may only rank: it cannot make local material remote. Nor can a store that does not hold the limit."""

    class Knows(LimitedCorpus):
        def passage(self, key, actor, *, constraints=UNCONSTRAINED):
            shut = holds and constraints.remote
            return None if shut else replace(self.documents[key].passage, local_only=True)

    corpus = Knows()
    key = corpus.add("returns", TEXT)
    enemy = Keeps()
    engine = AnswerEngine(corpus, retriever=Bare(Passage(key, TEXT)), synthesizer=enemy)
    assert (engine.answer(QUESTION).code, enemy.requests) == ("no_evidence", [])
    enemy.remote = False
    assert engine.answer(QUESTION).is_grounded


# --- budget ---------------------------------------------------------------------------------------------------------


class Log:
    def write(self, trace):
        self.trace = trace
        return "id"


MARKS = len('<evidence key="e1000">\n\n</evidence>\n\n')
"""What the prompt shows around the text of a passage without a title."""


def _passages(*sizes):
    return [Passage(f"p{number}", (TEXT + " " * size)[:size]) for number, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("budget", "shown"),
    [
        (None, "p0 p1 p2 p3"),
        (360 + 4 * MARKS, "p0 p1 p2 p3"),
        (359 + 4 * MARKS, "p0 p1 p2"),
        (160 + 2 * MARKS, "p0 p2"),
        (60 + MARKS, "p2"),
        (100 + MARKS, "p0"),
        (260 + 3 * MARKS, "p0 p1 p2"),
    ],
)
def test_evidence_is_fitted_to_the_budget_by_rank_and_in_whole_passages(budget, shown):
    enemy, log = Keeps(), Log()
    retriever = Bare(*_passages(100, 100, 60, 100))
    engine = AnswerEngine(retriever=retriever, synthesizer=enemy, budget=budget, records=log)
    answer = engine.answer(QUESTION)
    (request,) = enemy.requests
    assert [passage.key for passage in request.evidence] == shown.split() == list(answer.retrieved)
    assert list(log.trace.left_out) == [key for key in ("p0", "p1", "p2", "p3") if key not in shown.split()]
    assert all(passage in retriever.passages for passage in request.evidence)


def test_the_budget_may_count_tokens():
    enemy = Keeps()
    engine = AnswerEngine(retriever=Bare(), synthesizer=enemy, budget=31, measure=lambda text: len(text.split()))
    assert engine.answer(QUESTION).retrieved == ("p0", "p1")


@pytest.mark.parametrize("cite", ["quotes", "sentences"])
@pytest.mark.parametrize("text", ["a<b. ", "<<<<", "It is so. ", "&lt; & <b>", "word "])
@pytest.mark.parametrize("budget", [700, 1_500, 4_000])
def test_the_budget_holds_for_what_is_sent_and_not_only_for_the_texts(cite, text, budget):
    """Escapes, marks of sentences, titles and headings count: a page of tags takes several times its length."""
    passages = [
        Passage(f"p{number}", (text * 60)[: 50 + 40 * number], f"d{number}", "T<" * 30, location=Location(("H<", "I")))
        for number in range(12)
    ]
    enemy = Keeps()
    AnswerEngine(retriever=Bare(*passages), synthesizer=enemy, budget=budget, cite=cite).answer(QUESTION, limit=12)
    (request,) = enemy.requests

    def sent(evidence):
        return len(write_prompt(replace(request, evidence=tuple(evidence))).user.partition("<question>")[0])

    shown = [passage for passage in passages if passage in request.evidence]
    assert 0 < sent(shown) <= budget
    assert (
        len(shown) == 12 or min(sent([*shown, passage]) for passage in passages if passage not in shown) > budget - 40
    )


@pytest.mark.code("context_too_long")
def test_where_no_passage_fits_the_model_is_not_asked():
    enemy = Keeps()
    answer = AnswerEngine(retriever=Bare(), synthesizer=enemy, budget=10).answer(QUESTION)
    assert (answer.code, answer.retrieved, enemy.requests) == ("context_too_long", (), [])


@pytest.mark.parametrize(
    "wrong", [{"budget": 0}, {"budget": -1}, {"budget": True}, {"budget": "9"}, {"cite": "words"}, {"record": "no"}]
)
def test_wrong_settings_are_named(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        AnswerEngine(retriever=Bare(), **wrong)
    for wrong_type in ({"measure": 7}, {"records": object()}, {"records": Log}):
        with pytest.raises(TypeError):
            AnswerEngine(retriever=Bare(), **wrong_type)


class Small(Keeps):
    """A model whose context holds `room` code points of evidence."""

    def __init__(self, room):
        super().__init__()
        self.room = room

    def synthesize(self, request):
        if sum(len(passage.text) for passage in request.evidence) > self.room:
            self.requests.append(request)
            return SynthesisFailure(ReasonCode.CONTEXT_TOO_LONG, "too long", attempts=1)
        return super().synthesize(request)


@pytest.mark.parametrize(
    ("sizes", "room", "asked", "code"),
    [
        ((100, 100, 100, 100), 200, ["p0 p1 p2 p3", "p0 p1"], "ok"),
        ((100, 100, 100, 100), 199, ["p0 p1 p2 p3", "p0 p1"], "context_too_long"),
        ((500, 100), 200, ["p0 p1", "p1"], "ok"),
        ((300,), 200, ["p0"], "context_too_long"),
        ((60, 60), 60, ["p0 p1", "p0"], "ok"),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
def test_a_prompt_that_is_too_long_is_sent_once_more_with_about_half_the_evidence(sizes, room, asked, code, streaming):
    enemy, log = Small(room), Log()
    engine = AnswerEngine(retriever=Bare(*_passages(*sizes)), synthesizer=enemy, records=log)
    answer = list(engine.stream(QUESTION))[-1].answer if streaming else engine.answer(QUESTION)
    assert [" ".join(passage.key for passage in request.evidence) for request in enemy.requests] == asked
    assert (answer.code, " ".join(answer.retrieved)) == (code, asked[-1])
    assert [exchange.code for exchange in log.trace.exchanges] == (["context_too_long"] * (len(asked) - 1)) + [code]
    assert set(log.trace.left_out) == set(asked[0].split()) - set(asked[-1].split())
    assert enemy.requests[-1].spent >= 0
