"""Attack family: replies that begin well. A claim that was released stands; what comes after a fault never leaves, and
the end says that and why the answer is not whole. Without streaming the same replies release nothing."""

import json

import httpx
import pytest
import respx

from tests.simulator import CorpusSimulator
from tests.wire.play import CLAIM, REQUEST, as_stream, completion, serve, synthesizer
from verified_gate import AnswerEngine, Passage, ReasonCode
from verified_gate.engine import CitationRefused, ClaimReleased, ClaimWithheld
from verified_gate.gate import Limits
from verified_gate.model import Malformed, Proposal, ProposedCitation, ProposedClaim
from verified_gate.synthesis import SynthesisFailure
from verified_gate.synthesis.protocol import WholeClaim

OTHER = {"text": "It is about a bike.", "citations": [{"key": "e01", "quote": "You can return a bike"}]}
FIRST, SECOND = json.dumps(CLAIM), json.dumps(OTHER)
HONEST = f'{{"status": "answered", "claims": [{FIRST}, {SECOND}]}}'


class Fixed:
    def retrieve(self, question, actor, limit):
        return REQUEST.evidence


def _both(answer, **settings):
    """The events' claims and the end of a stream, and the answer without streaming, of the same reply."""
    with respx.mock, synthesizer() as ours:
        engine = AnswerEngine(retriever=Fixed(), synthesizer=ours, **settings)
        serve(answer)
        *events, done = engine.stream(REQUEST.question)
        return (
            [event.claim.text for event in events if isinstance(event, ClaimReleased)],
            done,
            engine.answer(REQUEST.question),
        )


def _sse(text, finish="stop"):
    return as_stream(completion(text, finish), 8)


LATE = {
    "a second list of claims": (f'{{"claims": [{FIRST}], "claims": [{SECOND}]}}', "stop", "invalid_json"),
    "a member written twice": (f'{{"status": "answered", "claims": [{FIRST}], "status": "answered"}}', "stop", "invalid_json"),
    "an abstention at the end": (f'{{"claims": [{FIRST}], "status": "abstained"}}', "stop", "model_abstained"),
    "a status of another kind at the end": (f'{{"claims": [{FIRST}], "status": "maybe"}}', "stop", "invalid_schema"),
    "a claim with a member twice": (f'{{"claims": [{FIRST}, {SECOND[:-1]}, "text": "x"}}]}}', "stop", "invalid_json"),
    "a lone surrogate in a later claim": (f'{{"claims": [{FIRST}, {SECOND.replace("bike", "bike" + chr(92) + "ud800")}]}}', "stop", "invalid_json"),
    "a claim nested too deep": (f'{{"claims": [{FIRST}, {{"x": {"[" * 70}{"]" * 70}}}, {SECOND}]}}', "stop", "invalid_json"),
    "no comma": (f'{{"claims": [{FIRST} {SECOND}]}}', "stop", "invalid_json"),
    "cut in a claim": (f'{{"claims": [{FIRST}, {SECOND[:-9]}', "stop", "invalid_json"),
    "cut after a claim": (f'{{"claims": [{FIRST}', "stop", "invalid_json"),
    "cut by the limit of tokens": (f'{{"claims": [{FIRST}, {SECOND[:-9]}', "length", "truncated"),
    "cut by the limit after the end": (f'{{"claims": [{FIRST}]}}', "length", "truncated"),
    "filtered": (f'{{"claims": [{FIRST}, {SECOND[:-9]}', "content_filter", "content_filtered"),
    "broken off by the server": (f'{{"claims": [{FIRST}]}}', "error", "provider_unavailable"),
    "a second reply": (f'{{"claims": [{FIRST}]}}{{"claims": [{SECOND}]}}', "stop", "invalid_schema"),
    "a draft that was thought": (f'{{"claims": [{FIRST}]}}</think><think>', "stop", "truncated"),
    "NaN at the end": (f'{{"claims": [{FIRST}], "x": NaN}}', "stop", "invalid_json"),
}  # fmt: skip


@pytest.mark.code("invalid_json")
@pytest.mark.code("truncated")
@pytest.mark.code("content_filtered")
@pytest.mark.parametrize("fault", LATE)
def test_a_fault_that_comes_late_ends_the_stream_with_its_code_and_releases_nothing_more(fault):
    text, finish, code = LATE[fault]
    released, done, whole = _both(_sse(text, finish))
    assert released == [CLAIM["text"]]
    assert (done.complete, done.code, done.answer.interrupted) == (False, code, code)
    assert [claim.text for claim in done.answer.claims] == released
    assert (whole.code, whole.claims) == (code, ())
    released, done, whole = _both(_sse(HONEST))
    assert released == [CLAIM["text"], OTHER["text"]]
    assert (done.complete, done.code, done.answer) == (True, "ok", whole)


def test_text_after_the_reply_leaves_it_what_it_is():
    for more in ("\nI hope this helps.", "\n```", " [1]"):
        released, done, whole = _both(_sse(HONEST + more))
        assert (len(released), done.complete, done.answer) == (2, True, whole)


@pytest.mark.code("invalid_schema")
def test_the_reply_that_counts_may_be_another_than_the_one_that_was_streamed():
    """A draft, then the end of a thought, then the reply: without streaming the last one counts."""
    text = f'{{"claims": [{FIRST}]}}</think>{{"claims": [{SECOND}]}}'
    released, done, whole = _both(_sse(text))
    assert [claim.text for claim in whole.claims] == [OTHER["text"]]
    assert (released, done.complete, done.code) == ([CLAIM["text"]], False, "invalid_schema")


@pytest.mark.code("model_refused")
def test_a_refusal_in_the_middle_ends_the_stream():
    chunks = [{"content": f'{{"claims": [{FIRST}, '}, {"refusal": "CANARY"}, {"content": f"{SECOND}]}}"}]
    events = [f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta}]})}\n\n" for delta in chunks]
    released, done, whole = _both(httpx.Response(200, text="".join(events) + "data: [DONE]\n\n"))
    assert (released, done.code, whole.code) == ([CLAIM["text"]], "model_refused", "model_refused")
    assert "CANARY" not in repr(done)


@pytest.mark.code("provider_unavailable")
@pytest.mark.parametrize(
    "told", ["CANARY the stream broke", "CANARY response_format json_schema", "CANARY", "overloaded, try again"]
)
@pytest.mark.parametrize("code", [400, 422, 429, 500, 503])
def test_after_a_claim_has_left_no_other_reply_is_asked_for_whatever_the_error_says(told, code):
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": f'{{"claims": [{FIRST}, '}}]},
        {"error": {"message": told, "code": code}},
    ]
    with respx.mock, synthesizer() as ours:
        route = serve(
            httpx.Response(200, text="".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)), _sse(HONEST)
        )
        *events, done = AnswerEngine(retriever=Fixed(), synthesizer=ours).stream(REQUEST.question)
        assert route.call_count == 1
        assert [event.claim.text for event in events if isinstance(event, ClaimReleased)] == [CLAIM["text"]]
        assert (done.complete, done.code) == (False, "rate_limited" if code == 429 else "provider_unavailable")
        assert "CANARY" not in repr(done) + done.answer.detail
        assert list(AnswerEngine(retriever=Fixed(), synthesizer=ours).stream(REQUEST.question))[-1].complete


@pytest.mark.code("budget_exceeded")
@pytest.mark.parametrize(
    "limits",
    [Limits(claims=2), Limits(citations=2), Limits(wording=len(CLAIM["text"]))],
    ids=["claims", "citations", "wording"],
)
def test_a_reply_over_the_limits_stops_where_it_is_over_them(limits):
    long = json.dumps(OTHER | {"text": OTHER["text"] + " It is."})
    text = f'{{"claims": [{FIRST}, {FIRST}, {long}]}}'
    released, done, whole = _both(_sse(text), limits=limits)
    assert released == [CLAIM["text"]] * 2
    assert (done.complete, done.code, whole.code, whole.claims) == (False, "budget_exceeded", "budget_exceeded", ())
    assert _both(_sse(text))[1].complete


@pytest.mark.code("quote_mismatch")
def test_many_refused_quotes_wait_for_the_end_and_come_out_the_same():
    """The gate looks for a refused quote elsewhere, and bounds that for one reply: so does a stream."""
    altered = json.dumps({"text": "No.", "citations": [{"key": "e01", "quote": "within 90 days of delivery"}]})
    text = '{"claims": [' + ", ".join([altered] * 70 + [FIRST] + [altered] * 20 + [SECOND]) + "]}"
    released, done, whole = _both(_sse(text))
    assert released == [CLAIM["text"], OTHER["text"]]
    assert (done.complete, done.answer) == (True, whole)
    assert len(done.answer.withheld) == 90


# --- the store meanwhile --------------------------------------------------------------------------------------------


class Streams:
    """Gives these parts; a function among them runs in its turn."""

    remote = False

    def __init__(self, *parts):
        self.parts = parts
        self.closed = False

    def synthesize(self, request):
        raise AssertionError("it streams")

    def stream(self, request):
        try:
            for part in self.parts:
                if isinstance(part, Exception):
                    raise part
                if callable(part):
                    part()
                else:
                    yield part
        finally:
            self.closed = True


def _corpus():
    corpus = CorpusSimulator()
    return (
        corpus,
        corpus.add("returns", "You can return a bike within 30 days of delivery."),
        corpus.add("fees", "The carrier takes a fee of 25 euros."),
    )


def _claim(key, quote, text="It says so."):
    return ProposedClaim(text, (ProposedCitation(key, quote),))


def _run(corpus, *parts):
    streaming = Streams(*parts)
    *events, done = AnswerEngine(corpus, synthesizer=streaming).stream(
        "What does the carrier take, how long to return?"
    )
    assert streaming.closed
    return [event for event in events if isinstance(event, ClaimReleased | ClaimWithheld | CitationRefused)], done


@pytest.mark.code("unavailable")
def test_a_revocation_while_the_model_writes_stops_what_comes_after_it():
    """Each claim asks the store in a transaction of its own. (condition 51)"""
    for revoked in (True, False):
        corpus, returns, fees = _corpus()
        claims = _claim(returns, "return a bike within 30 days"), _claim(fees, "takes a fee of 25 euros")
        whole = Proposal("answered", claims)
        meanwhile = (lambda corpus=corpus: corpus.remove("fees@1#c0")) if revoked else (lambda: None)
        events, done = _run(corpus, WholeClaim(0, claims[0]), meanwhile, WholeClaim(1, claims[1]), whole)
        released = [event.claim.position for event in events if isinstance(event, ClaimReleased)]
        assert released == ([0] if revoked else [0, 1])
        assert done.complete
        assert [str(code) for claim in done.answer.withheld for code in claim.codes] == (
            ["unavailable"] if revoked else []
        )


@pytest.mark.code("retrieval_unavailable")
def test_a_store_that_fails_while_the_model_writes_ends_the_stream():
    corpus, returns, fees = _corpus()
    claims = _claim(returns, "return a bike within 30 days"), _claim(fees, "takes a fee of 25 euros")

    def breaks():
        corpus.broken = OSError("CANARY")

    events, done = _run(
        corpus, WholeClaim(0, claims[0]), breaks, WholeClaim(1, claims[1]), Proposal("answered", claims)
    )
    assert [type(event) for event in events] == [ClaimReleased]
    assert (done.complete, done.code, len(done.answer.claims)) == (False, "retrieval_unavailable", 1)
    assert "CANARY" not in repr(done) + done.answer.detail


def test_one_span_has_one_mark_through_the_stream_and_overlapping_passages_join_at_its_end():
    text = "You can return a bike within 30 days of delivery."
    evidence = [
        Passage("returns@1#c0", text, "returns", start=0, text_sha256="0" * 64),
        Passage("returns@1#c1", text[8:], "returns", start=8, text_sha256="0" * 64),
    ]

    class Overlapping:
        def retrieve(self, question, actor, limit):
            return evidence

    claims = (
        _claim("returns@1#c0", "within 30 days of delivery"),
        _claim("returns@1#c1", "within 30 days of delivery", "Again."),
    )
    parts = [*(WholeClaim(position, claim) for position, claim in enumerate(claims)), Proposal("answered", claims)]
    *events, done = AnswerEngine(retriever=Overlapping(), synthesizer=Streams(*parts)).stream("How long?")
    marks = [(event.marks, len(event.new)) for event in events if isinstance(event, ClaimReleased)]
    whole = AnswerEngine(retriever=Overlapping(), synthesizer=_Whole(parts[-1])).answer("How long?")
    assert done.answer == whole
    assert marks == [((1,), 1), ((1,), 0)]
    assert len(whole.citations) == 1


class _Whole:
    def __init__(self, outcome):
        self.outcome = outcome

    def synthesize(self, request):
        return self.outcome


# --- dishonest synthesizers -----------------------------------------------------------------------------------------


@pytest.mark.code("invalid_schema")
@pytest.mark.parametrize(
    "kind", ["skips", "repeats", "other claims", "fewer", "another key", "aliases", "malformed end"]
)
def test_a_stream_that_contradicts_its_end_is_interrupted(kind):
    corpus, returns, fees = _corpus()
    one, two = _claim(returns, "return a bike within 30 days"), _claim(fees, "takes a fee of 25 euros")
    parts = {
        "skips": (WholeClaim(0, one), WholeClaim(2, two), Proposal("answered", (one, two))),
        "repeats": (WholeClaim(0, one), WholeClaim(0, one), Proposal("answered", (one,))),
        "other claims": (WholeClaim(0, one), Proposal("answered", (two, one))),
        "fewer": (WholeClaim(0, one), Proposal("answered", ())),
        "another key": (WholeClaim(0, one), Proposal("answered", (_claim(fees, "return a bike within 30 days"),))),
        "aliases": (WholeClaim(0, one), Proposal("answered", (one, two), {returns: returns, fees: fees})),
        "malformed end": (WholeClaim(0, one), 7),
    }
    events, done = _run(corpus, *parts[kind])
    assert [event.claim.position for event in events if isinstance(event, ClaimReleased)] == [0]
    assert (done.complete, done.code) == (False, "invalid_schema")
    assert _run(corpus, WholeClaim(0, one), WholeClaim(1, two), Proposal("answered", (one, two)))[1].complete


@pytest.mark.parametrize(
    ("last", "code"),
    [
        ((), "truncated"),
        ((OSError("CANARY"),), "provider_unavailable"),
        ((SynthesisFailure(ReasonCode.DEADLINE_EXCEEDED, "late"),), "deadline_exceeded"),
        ((SynthesisFailure(ReasonCode.OK),), "provider_unavailable"),
        ((Proposal("abstained"),), "model_abstained"),
        (('{"claims": 7}',), "invalid_schema"),
        (("{",), "invalid_json"),
    ],
)
@pytest.mark.parametrize("begun", [True, False])
def test_every_end_of_a_stream_has_its_code(last, code, begun):
    corpus, returns, _ = _corpus()
    one = _claim(returns, "return a bike within 30 days")
    events, done = _run(corpus, *([WholeClaim(0, one)] if begun else []), *last)
    assert [type(event) for event in events if not isinstance(event, CitationRefused)] == [ClaimReleased] * begun
    assert (done.code, done.answer.code, len(done.answer.claims)) == (code, "ok" if begun else code, int(begun))
    assert done.complete is (not begun and code == "model_abstained")
    assert "CANARY" not in repr(done) + done.answer.detail


def test_a_malformed_claim_in_a_stream_is_refused_in_its_place():
    corpus, returns, _ = _corpus()
    bad, one = Malformed("claims[0]", "must be an object"), _claim(returns, "return a bike within 30 days")
    events, done = _run(corpus, WholeClaim(0, bad), WholeClaim(1, one), Proposal("answered", (bad, one)))
    assert [type(event) for event in events] == [CitationRefused, ClaimWithheld, ClaimReleased]
    assert (events[0].refusal.claim, events[1].claim.position, events[2].claim.position) == (0, 0, 1)
    assert done.complete
    whole = AnswerEngine(corpus, synthesizer=_Whole(Proposal("answered", (bad, one)))).answer(
        "How long to return a bike?"
    )
    assert (done.answer.withheld, done.answer.dropped) == (whole.withheld, whole.dropped)
