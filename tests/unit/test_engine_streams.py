"""Events of a stream from every kind of synthesizer, and pointing instead of quoting, end to end."""

import asyncio
import json

import pytest
import respx

from tests.simulator import AdversarialSynthesizer, AsyncAdversarialSynthesizer, CorpusSimulator
from tests.wire.play import URL, completion, synthesizer
from verified_gate import AnswerEngine, CorpusStore, Passage
from verified_gate.engine import AnswerDone, CitationRefused, ClaimReleased, ClaimWithheld, EvidenceDelivered
from verified_gate.model.errors import MissingRecording, QueryError
from verified_gate.synthesis import RecordedSynthesizer, TemplateSynthesizer, WholeClaim
from verified_gate.synthesis.prompt import RULES_FOR_SENTENCES

QUESTION = "How long can I return a bike?"
TEXT = "You can return a bike within 30 days of delivery. It must be clean. The buyer pays for shipping."
PASSAGE = Passage("returns@3#c0", TEXT, "returns", "Returns", "3")


class Fixed:
    def retrieve(self, question, actor, limit):
        return [PASSAGE]


def _quoting(*claims):
    cited = [
        {"text": text, "citations": [{"key": PASSAGE.key, "quote": quote} for quote in quotes]}
        for text, *quotes in claims
    ]
    return {"status": "answered", "claims": cited}


MIXED = _quoting(
    ("Within 30 days.", "within 30 days of delivery", "within 90 days of delivery"),
    ("It is free.", "all of it is free"),
    ("It must be clean, within 30 days.", "It must be clean.", "within 30 days of delivery"),
)


def _engine(synthesizer, **settings):
    return AnswerEngine(retriever=Fixed(), synthesizer=synthesizer, **settings)


def _adversarial(kind):
    enemy = kind()
    enemy.reply = MIXED
    return enemy


@pytest.mark.parametrize(
    "kind", [lambda: RecordedSynthesizer({QUESTION: MIXED}), lambda: _adversarial(AdversarialSynthesizer)]
)
async def test_a_synthesizer_that_cannot_stream_gives_its_whole_proposal_as_events(kind):
    engine = _engine(kind())
    events = list(engine.stream(QUESTION))
    assert events == [event async for event in engine.astream(QUESTION)]
    answer = engine.answer(QUESTION)
    evidence, *middle, done = events
    assert evidence == EvidenceDelivered((PASSAGE.key,))
    assert [type(event) for event in middle] == [
        CitationRefused,
        ClaimReleased,
        CitationRefused,
        ClaimWithheld,
        ClaimReleased,
    ]
    assert (done.answer, done.complete, done.code) == (answer, True, "ok")
    assert " ".join(event.text for event in middle if isinstance(event, ClaimReleased)) == answer.text
    assert [event.marks for event in middle if isinstance(event, ClaimReleased)] == [(1,), (2, 1)]
    assert [mark for event in middle if isinstance(event, ClaimReleased) for mark, _ in event.new] == [1, 2]


async def test_a_synthesizer_that_can_only_be_awaited_streams_when_awaited_and_is_wrong_use_otherwise():
    engine = _engine(_adversarial(AsyncAdversarialSynthesizer))
    assert [event async for event in engine.astream(QUESTION)][-1].answer == await engine.aanswer(QUESTION)
    with pytest.raises(TypeError, match="awaited"):
        engine.stream(QUESTION)


def test_the_template_streams_over_the_sample_corpus():
    with CorpusStore.from_directory("corpus") as store:
        for question in (QUESTION, "What is the airspeed of a swallow?"):
            engine = AnswerEngine(store)
            assert engine._setup.remote is False
            *_, done = engine.stream(question)
            assert (done.answer, done.complete) == (engine.answer(question), True)


async def test_wrong_use_is_told_when_a_stream_is_asked_for_and_not_when_it_is_read():
    engine = _engine(TemplateSynthesizer())
    for ask in (engine.stream, engine.astream):
        for arguments, fault in ((("",), QueryError), ((7,), TypeError)):
            with pytest.raises(fault):
                ask(*arguments)
        with pytest.raises(ValueError):
            ask(QUESTION, limit=0)
    with pytest.raises(MissingRecording):
        list(_engine(RecordedSynthesizer({})).stream(QUESTION))
    with pytest.raises(MissingRecording):
        _ = [event async for event in _engine(RecordedSynthesizer({})).astream(QUESTION)]


def test_nothing_is_asked_before_the_stream_is_read_and_nothing_after_it_is_closed():
    enemy = _adversarial(AdversarialSynthesizer)
    stream = _engine(enemy).stream(QUESTION)
    assert enemy.requests == []
    next(stream)
    stream.close()
    assert enemy.requests == []
    assert len(list(_engine(enemy).stream(QUESTION))) == 7
    assert len(enemy.requests) == 1


def test_every_event_is_json_ready_and_only_the_operators_names_keys_that_were_proposed():
    events = list(_engine(_adversarial(AdversarialSynthesizer)).stream(QUESTION))
    told = [json.loads(json.dumps(event.to_dict())) for event in events]
    assert [one["event"] for one in told] == ["evidence", "refused", "claim", "refused", "withheld", "claim", "done"]
    claim = told[2]
    assert (claim["position"], claim["text"], claim["citations"]) == (0, "Within 30 days. [1]", [1])
    assert claim["new"][0]["mark"] == 1
    assert claim["new"][0]["quote"] == "within 30 days of delivery"
    assert told[4] == {"event": "withheld", "position": 1, "codes": ["quote_mismatch"]}
    assert told[-1]["answer"] == events[-1].answer.to_dict()
    assert (told[-1]["complete"], told[-1]["code"]) == (True, "ok")
    assert "free" not in json.dumps([one for one in told[:-1]])


async def test_two_streams_of_one_engine_do_not_meet():
    engine = _engine(_adversarial(AdversarialSynthesizer))

    async def read():
        return [event async for event in engine.astream(QUESTION)]

    first, *others = await asyncio.gather(*(read() for _ in range(10)))
    assert all(other == first for other in others)
    one, two = engine.stream(QUESTION), engine.stream(QUESTION)
    assert [pair[0] == pair[1] for pair in zip(one, two, strict=True)] == [True] * len(first)


def test_a_store_that_gives_nothing_ends_the_stream_without_asking_the_model():
    """(condition 26)"""
    enemy = _adversarial(AdversarialSynthesizer)
    events = list(AnswerEngine(CorpusSimulator(), synthesizer=enemy).stream(QUESTION))
    assert [type(event) for event in events] == [EvidenceDelivered, AnswerDone]
    assert (events[-1].complete, events[-1].code, enemy.requests) == (True, "no_evidence", [])


class Awaited(AdversarialSynthesizer):
    """Streams to those who await."""

    closed = False

    async def astream(self, request):
        try:
            whole = AdversarialSynthesizer.synthesize(self, request)
            for position, claim in enumerate(whole.claims):
                yield WholeClaim(position, claim)
            yield whole
        finally:
            self.closed = True


async def test_a_synthesizer_of_ones_own_may_stream():
    enemy = _adversarial(Awaited)
    assert isinstance(enemy, AdversarialSynthesizer)
    events = [event async for event in _engine(enemy).astream(QUESTION)]
    assert events == list(_engine(enemy).stream(QUESTION))  # it has no stream(): its whole proposal, as events
    assert enemy.closed
    broken = _adversarial(Awaited)
    stream = _engine(broken).astream(QUESTION)
    await anext(stream)
    await anext(stream)
    await stream.aclose()
    assert broken.closed


async def test_an_awaited_stream_that_raises_or_stops_short_has_its_code():
    class Short(Awaited):
        fault = None

        async def astream(self, request):
            yield WholeClaim(0, AdversarialSynthesizer.synthesize(self, request).claims[0])
            if self.fault is not None:
                raise self.fault

    for fault, code in ((None, "truncated"), (OSError("CANARY"), "provider_unavailable")):
        enemy = _adversarial(Short)
        enemy.fault = fault
        done = [event async for event in _engine(enemy).astream(QUESTION)][-1]
        assert (done.complete, done.code, len(done.answer.claims)) == (False, code, 1)
        assert "CANARY" not in repr(done) + done.answer.detail
    enemy = _adversarial(Short)
    enemy.fault = MissingRecording("none")
    with pytest.raises(MissingRecording):
        _ = [event async for event in _engine(enemy).astream(QUESTION)]


async def test_a_stream_that_is_no_iterator_is_wrong_use_and_one_that_cannot_be_opened_is_not():
    class Wrong(AdversarialSynthesizer):
        def stream(self, request):
            return [1]

        astream = stream

    class Raises(AdversarialSynthesizer):
        def stream(self, request):
            raise OSError("CANARY")

        astream = stream

    with pytest.raises(TypeError, match="iterator"):
        list(_engine(_adversarial(Wrong)).stream(QUESTION))
    with pytest.raises(TypeError, match="iterator"):
        _ = [event async for event in _engine(_adversarial(Wrong)).astream(QUESTION)]
    for done in (
        list(_engine(_adversarial(Raises)).stream(QUESTION))[-1],
        [event async for event in _engine(_adversarial(Raises)).astream(QUESTION)][-1],
    ):
        assert (done.complete, done.code) == (False, "provider_unavailable")
    assert _engine(_adversarial(Wrong)).answer(QUESTION).is_grounded


async def test_a_store_that_can_only_be_awaited_is_awaited():
    class Store(CorpusSimulator):
        async def retrieve(self, question, actor, limit):
            return CorpusSimulator.retrieve(self, question, actor, limit)

    corpus = Store()
    corpus.add("returns", TEXT)
    engine = AnswerEngine(corpus)
    assert (await engine.aanswer("How can I return a bike?")).is_grounded
    with pytest.raises(TypeError, match="aanswer"):
        engine.answer("How can I return a bike?")


# --- pointing -------------------------------------------------------------------------------------------------------


POINTING = {
    "status": "answered",
    "claims": [
        {"text": "Within 30 days.", "citations": [{"key": "KEY", "sentences": [1]}]},
        {
            "text": "Clean, and the buyer pays.",
            "citations": [{"key": "KEY", "sentences": [3, 2]}, {"key": "KEY", "sentences": [9]}],
        },
        {"text": "Within 90 days.", "citations": [{"key": "KEY", "sentences": [1]}]},
    ],
}


@pytest.mark.parametrize("streaming", [False, True])
def test_a_model_that_points_gets_numbered_sentences_and_its_quotes_are_cut_from_the_source(streaming):
    reply = json.dumps(POINTING).replace("KEY", "e01")
    with respx.mock, synthesizer() as ours:
        route = respx.post(URL).mock(return_value=completion(reply))
        engine = _engine(ours, cite="sentences")
        answer = list(engine.stream(QUESTION))[-1].answer if streaming else engine.answer(QUESTION)
        body = json.loads(route.calls.last.request.content)
    assert [citation.quote for citation in answer.citations] == [
        "You can return a bike within 30 days of delivery.",
        "It must be clean. The buyer pays for shipping.",
    ]
    assert [claim.codes for claim in answer.withheld] == [("number_unsupported",)]
    assert [refusal.code for refusal in answer.dropped] == ["invalid_schema", "number_unsupported"]
    assert body["messages"][0]["content"] == RULES_FOR_SENTENCES
    assert '<s n="2">It must be clean.</s>' in body["messages"][1]["content"]
    citation = body["response_format"]["json_schema"]["schema"]["properties"]["claims"]["items"]["properties"][
        "citations"
    ]
    assert set(citation["items"]["properties"]) == {"key", "sentences"}


def test_a_recording_can_point_and_gives_what_the_model_gives():
    recorded = RecordedSynthesizer({QUESTION: json.dumps(POINTING).replace("KEY", PASSAGE.key)})
    answer = _engine(recorded, cite="sentences").answer(QUESTION)
    assert [citation.quote for citation in answer.citations] == [
        "You can return a bike within 30 days of delivery.",
        "It must be clean. The buyer pays for shipping.",
    ]
    assert answer.citations[1].sentence.startswith("It must be clean.")
    assert _engine(recorded).answer(QUESTION).code == "nothing_verified"  # asked to quote, it quotes nothing


def test_the_template_quotes_in_either_way():
    for cite in ("quotes", "sentences"):
        assert AnswerEngine(retriever=Fixed(), cite=cite).answer(QUESTION).is_grounded


@pytest.mark.parametrize("sizes", [[1] * 60, [30, 40, 1, 60, 2], [49, 1, 1, 1], [50, 50], [51, 1], [200], [7] * 9])
def test_a_reply_has_the_same_codes_however_many_of_its_quotes_are_refused_and_however_it_came(sizes):
    """Quotes that stand elsewhere are looked for up to a bound; it is one for the whole reply."""
    from verified_gate.model import Proposal, ProposedCitation, ProposedClaim

    evidence = [PASSAGE, Passage("other@1#c0", "The bell of a bike is loud. All of the lamps are bright.", "other")]
    wrong = ("The bell of a bike is loud", "nothing like it stands anywhere", "All of the lamps are bright")
    right = ProposedClaim("Within 30 days.", (ProposedCitation(PASSAGE.key, "within 30 days of delivery"),))
    claims = []
    for size in sizes:
        quotes = (ProposedCitation(PASSAGE.key, wrong[number % len(wrong)]) for number in range(size))
        claims += [ProposedClaim("It is so.", tuple(quotes)), right]
    proposal = Proposal(claims=tuple(claims))

    class Both:
        def retrieve(self, question, actor, limit):
            return evidence

        def synthesize(self, request):
            return proposal

        def stream(self, request):
            yield from (WholeClaim(position, claim) for position, claim in enumerate(claims))
            yield proposal

    engine = AnswerEngine(retriever=Both(), synthesizer=Both())
    *events, done = engine.stream(QUESTION)
    whole = engine.answer(QUESTION)
    assert done.answer == whole
    assert [event.refusal for event in events if isinstance(event, CitationRefused)] == list(whole.dropped)
    assert [event.claim for event in events if isinstance(event, ClaimWithheld)] == list(whole.withheld)
    elsewhere = sum(refusal.code == "quote_in_other_passage" for refusal in whole.dropped)
    assert 0 < elsewhere <= 50
    assert len(whole.dropped) == sum(sizes)
