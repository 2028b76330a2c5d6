"""What is revoked or erased while a run goes on: asked about again before each further call, and before anything leaves."""

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import AnswerEngine, CorpusStore, ReasonCode
from verified_gate.engine import ClaimReleased
from verified_gate.synthesis import SynthesisFailure

QUESTION = "How many days to return a bike?"
TEXTS = {
    "gone": "You can return a bike within 30 days of delivery.",
    "kept": "You can return a bike to any shop for many days.",
}


class Scripted(AdversarialSynthesizer):
    """Runs the script of each call, in their order, and gives what it makes; the last once more after that."""

    def __init__(self, *scripts):
        super().__init__()
        self.scripts = scripts

    def synthesize(self, request):
        script = self.scripts[min(len(self.requests), len(self.scripts) - 1)]
        self.reply["claims"].clear()
        outcome = script(self)
        answer = super().synthesize(request)
        return outcome if isinstance(outcome, SynthesisFailure) else answer


@pytest.fixture(params=["erased", "revoked", "simulated"])
def corpus(request):
    """A store, and how one document of it goes."""
    if request.param == "simulated":
        made = CorpusSimulator()
        for name, text in TEXTS.items():
            made.add(name, text)
        yield made, lambda: made.revoke("gone@1#c0")
        return
    with CorpusStore.in_memory() as store:
        for name, text in TEXTS.items():
            store.add(text, document_id=name)
        operator = store.operator
        gone = {
            "erased": lambda: operator.erase("gone", None),
            "revoked": lambda: operator.set_status("gone", "1", "revoked"),
        }[request.param]
        yield store, gone


def _first(enemy):
    """One claim that stands, and one quote that another call could mend."""
    enemy.claim("You have 30 days.", ("gone@1#c0", "return a bike within 30 days"))
    enemy.claim("You have 90 days.", ("gone@1#c0", "return a bike within 90 days"))


def _worse(enemy):
    enemy.claim("You have 90 days.", ("gone@1#c0", "return a bike within 90 days"))


def _fails(enemy):
    return SynthesisFailure(ReasonCode.PROVIDER_UNAVAILABLE, "down")


def _too_long(enemy):
    return SynthesisFailure(ReasonCode.CONTEXT_TOO_LONG, "too long")


@pytest.mark.code("unavailable")
@pytest.mark.parametrize("second", [_worse, _fails])
async def test_the_first_answer_is_released_again_after_the_second_call(corpus, second):
    store, go = corpus

    def meanwhile(enemy):
        go()
        return second(enemy)

    enemy = Scripted(_first, second)
    answer = AnswerEngine(store, synthesizer=enemy, repair=True).answer(QUESTION)
    assert ([claim.text for claim in answer.claims], len(enemy.requests)) == (["You have 30 days."], 2)
    enemy = Scripted(_first, meanwhile)
    answer = await AnswerEngine(store, synthesizer=enemy, repair=True).aanswer(QUESTION)
    assert (answer.code, answer.claims, len(enemy.requests)) == ("nothing_verified", (), 2)
    codes = ["quote_mismatch"] if second is _worse else ["unavailable", "quote_mismatch"]  # of the answer that leaves
    assert [refusal.code for refusal in answer.dropped] == codes


def test_nothing_is_mended_where_what_the_model_was_shown_is_gone(corpus):
    """Its reply may quote what is gone, and would be sent to it again."""
    store, go = corpus

    def meanwhile(enemy):
        _first(enemy)
        enemy.claim("It is any shop.", ("kept@1#c0", "to any shop"))

    class Recorded:
        def write(self, trace):
            return "id"

    enemy = Scripted(meanwhile)
    engine = AnswerEngine(store, synthesizer=enemy, repair=True, records=Recorded())
    assert len(engine.answer(QUESTION).claims) == 2
    assert len(enemy.requests) == 2
    enemy.requests.clear()
    enemy.meanwhile = go
    answer = engine.answer(QUESTION)
    assert ([claim.text for claim in answer.claims], len(enemy.requests)) == (["It is any shop."], 1)


@pytest.mark.parametrize("streaming", [False, True])
def test_what_is_gone_is_not_sent_again_where_the_prompt_was_too_long(corpus, streaming):
    store, go = corpus

    def meanwhile(enemy):
        go()
        return _too_long(enemy)

    def answers(enemy):
        for key, words in (("gone@1#c0", "within 30 days"), ("kept@1#c0", "to any shop")):
            enemy.claim("It is so.", (key, f"return a bike {words}"))

    def ask(*scripts):
        enemy = Scripted(*scripts)
        engine = AnswerEngine(store, synthesizer=enemy, repair=True)
        if not streaming:
            return engine.answer(QUESTION), enemy.requests
        *events, done = engine.stream(QUESTION)
        assert [each.claim for each in events if isinstance(each, ClaimReleased)] == list(done.answer.claims)
        return done.answer, enemy.requests

    answer, (first, *rest) = ask(_too_long, answers)
    assert {passage.key for passage in first.evidence} == {"gone@1#c0", "kept@1#c0"}
    assert len(rest[0].evidence) == 1
    answer, (first, second, *_) = ask(meanwhile, answers)
    assert {passage.key for passage in first.evidence} == {"gone@1#c0", "kept@1#c0"}
    assert [passage.key for passage in second.evidence] == list(answer.retrieved) == ["kept@1#c0"]
    assert [citation.key for citation in answer.citations] == ["kept@1#c0"]


@pytest.mark.code("no_evidence")
@pytest.mark.code("retrieval_unavailable")
def test_where_all_is_gone_or_the_store_cannot_tell_the_model_is_not_asked_again():
    for end, code in (("revoke", "no_evidence"), ("break", "retrieval_unavailable")):
        corpus = CorpusSimulator()
        keys = [corpus.add(name, text) for name, text in TEXTS.items()]

        def meanwhile(enemy, corpus=corpus, keys=keys, end=end):
            if end == "break":
                corpus.broken = OSError("CANARY")
            for key in keys:
                corpus.revoke(key)
            return _too_long(enemy)

        enemy = Scripted(meanwhile)
        answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
        assert (answer.code, len(enemy.requests)) == (code, 1)
        assert "CANARY" not in answer.detail
