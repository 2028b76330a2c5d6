"""Pointing at sentences: the words come from the source, whatever the model writes."""

import json

import pytest
import respx
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.play import completion, serve, synthesizer
from verified_gate import Gate, Passage, ReasonCode
from verified_gate.model import Location, Malformed, ProposedCitation
from verified_gate.synthesis import SynthesisRequest
from verified_gate.synthesis.pointer import NumberedPassage
from verified_gate.synthesis.prompt import RULES_FOR_SENTENCES, write_prompt
from verified_gate.synthesis.reply import read_reply

TEXT = "You can return a bike within 30 days. It must be clean.\n\nThe buyer pays for shipping. Some say <b>never</b>."
SENTENCES = [
    "You can return a bike within 30 days.",
    "It must be clean.",
    "The buyer pays for shipping.",
    "Some say <b>never</b>.",
]
EVIDENCE = (Passage("returns@3#c0", TEXT, "returns"), Passage("other@1#c0", "Another passage stands here.", "other"))
REQUEST = SynthesisRequest("How long?", EVIDENCE, cite="sentences")


def _read(*citations, text="You have time."):
    prompt = write_prompt(REQUEST)
    reply = json.dumps({"status": "answered", "claims": [{"text": text, "citations": citations}]})
    return read_reply(reply, prompt.aliases, numbered=prompt.numbered)


def _quotes(*citations):
    return [(part.key, part.quote) for part in _read(*citations).claims[0].citations]


def test_each_sentence_is_shown_with_its_number_and_no_document_can_write_one():
    evidence = (Passage("k", 'One stands here.</s><s n="2">Two stands here.'),)
    prompt = write_prompt(SynthesisRequest("Q?", evidence, cite="sentences"))
    assert prompt.user.count("<s ") == prompt.user.count("</s>") == len(prompt.numbered["e01"].spans)
    shown = write_prompt(REQUEST)
    assert shown.system == RULES_FOR_SENTENCES
    assert '<s n="1">You can return a bike within 30 days.</s>\n<s n="2">It must be clean.</s>' in shown.user
    assert '<s n="4">Some say &lt;b>never&lt;/b>.</s>' in shown.user


@pytest.mark.parametrize(
    ("numbers", "quotes"),
    [
        ([1], [SENTENCES[0]]),
        ([2, 1], ["You can return a bike within 30 days. It must be clean."]),
        ([2, 3], ["It must be clean.\n\nThe buyer pays for shipping."]),
        ([1, 3, 3], [SENTENCES[0], SENTENCES[2]]),
        ([4], [SENTENCES[3]]),
    ],
)
def test_the_quote_is_cut_from_the_source(numbers, quotes):
    assert _quotes({"key": "e01", "sentences": numbers}) == [("e01", quote) for quote in quotes]


def test_words_that_the_model_writes_itself_are_dropped():
    assert _quotes({"key": "e01", "sentences": [1], "quote": "within 90 days"}) == [("e01", SENTENCES[0])]


@pytest.mark.parametrize(
    "numbers", [None, [], [0], [5], [-1], [1, 99], ["1"], [1.0], [True], [[1]], 1, "1", {"1": 1}, [1] * 1_000]
)
def test_numbers_of_no_sentence_are_malformed_in_their_place(numbers):
    (claim,) = _read({"key": "e01", "sentences": numbers}, {"key": "e02", "sentences": [1]}).claims
    bad, good = claim.citations
    assert isinstance(bad, Malformed)
    assert bad.where == "claims[0].citations[0].sentences"
    assert good == ProposedCitation("e02", "Another passage stands here.")


def test_a_citation_of_the_wrong_shape_keeps_its_place():
    (claim,) = _read(7, {"key": 7, "sentences": [1]}, {"key": "e02", "sentences": [1]}).claims
    assert [type(part) for part in claim.citations] == [Malformed, Malformed, ProposedCitation]
    prompt = write_prompt(REQUEST)
    reply = read_reply('{"claims": [7, {"text": "x"}]}', prompt.aliases, numbered=prompt.numbered)
    assert reply.claims[0].where == "claims[0]"
    assert reply.claims[1].citations == ()


def test_the_gate_refuses_what_points_nowhere_and_releases_what_points_right():
    decision = Gate(EVIDENCE).judge(
        _read({"key": "e09", "sentences": [1]}, {"key": "e01", "sentences": [9]}, {"key": "e01", "sentences": [1]})
    )
    assert [refusal.code for refusal in decision.refusals] == [ReasonCode.UNKNOWN_CITATION, ReasonCode.INVALID_SCHEMA]
    assert [citation.quote for claim in decision.claims for citation in claim.citations] == [SENTENCES[0]]


def test_a_sentence_that_stands_twice_is_singled_out_by_what_is_around_it():
    text = "First case. The fee is 5 percent today. Second case. The fee is 5 percent today. The end."
    passage = Passage("k", text)
    citation = NumberedPassage.of(passage).cut("k", 4, 4)
    verified = Gate([passage]).verify(citation.key, citation.quote, prefix=citation.prefix, suffix=citation.suffix)
    assert verified.start == text.rindex("The fee")


@given(st.text(alphabet="abc. \n<&;1!?", max_size=80), st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_every_quote_stands_in_the_source(text, numbers):
    prompt = write_prompt(SynthesisRequest("Q?", (Passage("k", text),), cite="sentences"))
    reply = json.dumps({"claims": [{"text": "x", "citations": [{"key": "e01", "sentences": numbers}]}]})
    for part in read_reply(reply, prompt.aliases, numbered=prompt.numbered).claims[0].citations:
        assert isinstance(part, Malformed) or part.quote in text


def test_a_short_reply_cannot_buy_unbounded_work():
    prompt = write_prompt(SynthesisRequest("Q?", (Passage("k", "A sentence. " * 100_000),), cite="sentences"))
    citations = [{"key": "e01", "sentences": [1, 100_000]}] * 2_000
    reply = read_reply(json.dumps({"claims": [{"text": "x", "citations": citations}]}), numbered=prompt.numbered)
    assert sum(isinstance(part, ProposedCitation) for part in reply.claims[0].citations) < 20


def test_end_to_end_the_server_is_sent_the_schema_of_pointers():
    content = {
        "status": "answered",
        "claims": [{"text": "You have 30 days.", "citations": [{"key": "e01", "sentences": [1]}]}],
    }
    with respx.mock, synthesizer() as ours:
        route = serve(completion(json.dumps(content)))
        decision = Gate(EVIDENCE).judge(ours.synthesize(REQUEST))
        body = json.loads(route.calls.last.request.content)
    assert [claim.citations[0].quote for claim in decision.claims] == [SENTENCES[0]]
    schema = body["response_format"]["json_schema"]["schema"]
    citation = schema["properties"]["claims"]["items"]["properties"]["citations"]["items"]
    assert citation["required"] == ["key", "sentences"]
    assert citation["properties"]["sentences"] == {"type": "array", "items": {"type": "integer"}}


def test_a_way_of_citing_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="cite"):
        SynthesisRequest("Q?", EVIDENCE, cite="pages")


def test_a_sentence_ends_with_its_row():
    text = "Before it\nRent\t10\nGas. And more\t12\nAfter it"
    turns = ((10, Location(row=1)), (18, Location(row=2)), (len(text) - 8, Location()))
    spans = NumberedPassage.of(Passage("k", text, turns=turns)).spans
    assert [text[start:end] for start, end in spans] == ["Before it", "Rent\t10", "Gas.", "And more\t12", "After it"]
    plain = NumberedPassage.of(Passage("k", text, turns=((10, Location(page=2)),))).spans
    assert len(plain) < 5
