"""Streams: whatever the reply and however it is cut, what leaves claim by claim is what leaves at once."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.simulator import CorpusSimulator
from verified_gate import AnswerEngine
from verified_gate.engine import AnswerDone, CitationRefused, ClaimReleased, ClaimWithheld
from verified_gate.synthesis.incremental import IncrementalReply
from verified_gate.synthesis.reply import read_reply

QUESTION = "How long may I return a bike, and what does the carrier take?"
CORPUS = CorpusSimulator()
KEYS = [
    CORPUS.add("returns", "You can return a bike within 30 days of delivery. It must be clean."),
    CORPUS.add("fees", "The carrier takes a fee of 25 euros for a bike."),
]
QUOTES = [
    "within 30 days of delivery",
    "It must be clean.",
    "takes a fee of 25 euros",
    "within 90 days of delivery",
    "",
    "bike",
    None,
    7,
]

citations = st.fixed_dictionaries(
    {"key": st.sampled_from([*KEYS, "invented@1#c0", 7]), "quote": st.sampled_from(QUOTES)}
)
texts = st.sampled_from(["It says so.", "Within 30 days.", "A fee of 25 euros.", "See [1].", "<b>x</b>", "", 7])
claims = st.fixed_dictionaries({"text": texts, "citations": st.lists(citations, max_size=3)}) | st.sampled_from(
    [{}, 7, None]
)
replies = st.fixed_dictionaries(
    {"claims": st.lists(claims, max_size=6)}, optional={"status": st.sampled_from(["answered", "abstained"])}
)
ends = st.sampled_from(["", "", "", " done.", "}", '{"claims": []}'])


class Cut:
    """Writes a text in pieces."""

    remote = False

    def __init__(self, text, size):
        self.text, self.size = text, size

    def synthesize(self, request):
        return read_reply(self.text)

    def stream(self, request):
        reply = IncrementalReply()
        for at in range(0, len(self.text), self.size):
            yield from reply.feed(self.text[at : at + self.size])
        yield read_reply(self.text)


@given(replies, st.integers(1, 60), ends, st.booleans(), st.integers(0, 40))
def test_the_sum_of_a_stream_is_the_answer_and_a_broken_one_releases_no_claim_that_the_gate_would_not(
    reply, size, end, escaped, cut
):
    text = json.dumps(reply, ensure_ascii=escaped) + end
    text = text[: len(text) - cut] if cut > 30 else text
    engine = AnswerEngine(CORPUS, synthesizer=Cut(text, size))
    whole = engine.answer(QUESTION)
    *events, done = engine.stream(QUESTION)
    assert isinstance(done, AnswerDone)
    released = [event.claim for event in events if isinstance(event, ClaimReleased)]
    assert released == list(done.answer.claims)
    if done.complete:
        assert done.answer == whole
        if done.code == "model_abstained":  # said at its end, after claims that did not leave
            return
        assert [event.refusal for event in events if isinstance(event, CitationRefused)] == list(whole.dropped)
        assert [event.claim for event in events if isinstance(event, ClaimWithheld)] == list(whole.withheld)
    else:
        assert whole.claims == ()
        assert done.code == whole.code
        assert all(
            CORPUS.documents[citation.key].text[citation.start : citation.end] == citation.quote
            for claim in released
            for citation in claim.citations
        )
