"""What holds for every input: no false release, no exception, monotone, deterministic, independent of order."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import any_json, any_text, any_value, documents, quoted, quotes_of
from tests.verdicts import PROFILES, code_of
from verified_gate import Decision, Gate, Passage, ReasonCode, Refusal, VerifiedCitation
from verified_gate.model import Proposal, parse_proposal

CODES = {str(code) for code in ReasonCode}

citations = st.fixed_dictionaries({"key": st.sampled_from("abcd") | any_text, "quote": documents(1, 5) | any_text})
claims = st.fixed_dictionaries(
    {"text": st.sampled_from(["A sentence.", "It is 5 days."]) | any_text, "citations": st.lists(citations, max_size=3)}
)
replies = st.fixed_dictionaries({"claims": st.lists(claims, max_size=3)})


@st.composite
def runs(draw):
    """Evidence of three passages, and a reply of true, altered and invented citations."""
    evidence = {key: draw(documents()) for key in "abc"}
    proposal = []
    for _ in range(draw(st.integers(1, 3))):
        parts = []
        for _ in range(draw(st.integers(0, 3))):
            key = draw(st.sampled_from("abcd"))
            quote = draw(quotes_of(evidence[draw(st.sampled_from("abc"))]) | documents(1, 4))
            parts.append({"key": key, "quote": quote})
        proposal.append({"text": "A sentence.", "citations": parts})
    return evidence, {"claims": proposal}


def _released(decision):
    return [
        (
            claim.text,
            [
                (citation.key, citation.start, citation.end, citation.quote, citation.folds)
                for citation in claim.citations
            ],
        )
        for claim in decision.claims
    ]


@given(runs(), st.sampled_from(PROFILES), st.sampled_from(["first", "strict"]))
def test_a_released_quote_is_the_sources_slice_and_under_verbatim_the_proposed_quote(run, profile, occurrences):
    """No false release (invariant 2)."""
    evidence, reply = run
    decision = Gate(evidence, profile=profile, occurrences=occurrences).judge(reply)
    for claim in decision.claims:
        proposed = reply["claims"][claim.position]
        assert claim.citations
        for citation in claim.citations:
            assert evidence[citation.key][citation.start : citation.end] == citation.quote
            asked = [part["quote"] for part in proposed["citations"] if part["key"] == citation.key]
            if not citation.folds:
                assert {citation.quote, citation.quote.strip()} & {
                    form for quote in asked for form in (quote, quote.strip())
                }
            if profile == "verbatim":
                assert citation.quote in asked
    assert (decision.code is ReasonCode.OK) == bool(decision.claims)
    assert len(decision.claims) + len(decision.withheld) in (0, len(reply["claims"]))


@given(runs(), st.sampled_from(PROFILES))
def test_every_citation_is_released_or_refused_with_a_code_and_its_place(run, profile):
    """(conditions 6 and 11)"""
    evidence, reply = run
    decision = Gate(evidence, profile=profile).judge(reply)
    refused = {(refusal.claim, refusal.citation) for refusal in decision.refusals}
    assert {str(refusal.code) for refusal in decision.refusals} <= CODES
    for position, claim in enumerate(reply["claims"]):
        verified = [c for released in decision.claims if released.position == position for c in released.citations]
        keys = [(c.key, c.start, c.end) for c in verified]
        assert len(keys) == len(set(keys))
        for index, part in enumerate(claim["citations"]):
            alone = Gate(evidence, profile=profile).verify(part["key"], part["quote"])
            assert isinstance(alone, Refusal) == ((position, index) in refused)


@given(runs(), claims | any_value, st.sampled_from(PROFILES), st.data())
def test_a_bad_claim_more_never_changes_what_is_released(run, extra, profile, data):
    """Monotone (invariant 4)."""
    evidence, reply = run
    gate = Gate(evidence, profile=profile)
    before = _released(gate.judge(reply))
    at = data.draw(st.integers(0, len(reply["claims"])))
    after = _released(gate.judge({"claims": [*reply["claims"][:at], extra, *reply["claims"][at:]]}))
    extras = _released(gate.judge({"claims": [extra]}))
    remaining = [released for released in after if released not in extras or released in before]
    assert remaining == before


@given(runs(), citations | any_value, st.sampled_from(PROFILES), st.data())
def test_a_refused_citation_more_never_changes_what_is_released(run, extra, profile, data):
    """Monotone (invariant 4)."""
    evidence, reply = run
    gate = Gate(evidence, profile=profile)
    if gate.judge({"claims": [{"text": "A sentence.", "citations": [extra]}]}).code is ReasonCode.OK:
        return
    changed = [dict(claim) for claim in reply["claims"]]
    for claim in changed:
        at = data.draw(st.integers(0, len(claim["citations"])))
        claim["citations"] = [*claim["citations"][:at], extra, *claim["citations"][at:]]
    assert _released(gate.judge({"claims": changed})) == _released(gate.judge(reply))


@given(runs(), st.sampled_from(PROFILES))
def test_the_same_input_gives_the_same_output(run, profile):
    """(invariant 5)"""
    evidence, reply = run

    def told():
        decision = Gate(evidence, profile=profile).judge(reply)
        shown = [citation.to_dict() for claim in decision.claims for citation in claim.citations]
        return json.dumps([shown, [refusal.to_dict() for refusal in decision.refusals]], ensure_ascii=True), repr(
            decision
        )

    gate = Gate(evidence, profile=profile)
    assert told() == told()
    assert gate.judge(reply) == gate.judge(reply)


@given(runs(), st.sampled_from(PROFILES), st.permutations("abc"))
def test_the_order_of_the_evidence_changes_no_release(run, profile, order):
    evidence, reply = run
    one = Gate(evidence, profile=profile).judge(reply)
    other = Gate({key: evidence[key] for key in order}, profile=profile).judge(reply)
    assert _released(one) == _released(other)
    assert [(r.code, r.claim, r.citation) for r in one.refusals] == [
        (r.code, r.claim, r.citation) for r in other.refusals
    ]


@given(runs(), documents(), st.sampled_from(PROFILES))
def test_evidence_more_changes_no_release(run, text, profile):
    """(invariant 4)"""
    evidence, reply = run
    before = Gate(evidence, profile=profile).judge(reply)
    after = Gate({**evidence, "z": text}, profile=profile).judge(reply)
    assert _released(before) == _released(after)


WRITTEN = [str, lambda quote: " ".join(quote.split()), lambda quote: quote.replace("ﬁ", "fi").replace("’", "'")]


@given(quoted(), st.sampled_from(["first", "strict"]), st.sampled_from(WRITTEN))
def test_a_wider_profile_finds_what_a_narrower_one_finds(pair, occurrences, dress):
    source, exact = pair
    quote = dress(exact)
    found = [Gate({"a": source}, profile=profile, occurrences=occurrences).verify("a", quote) for profile in PROFILES]
    spans = [(v.start, v.end) for v in found if isinstance(v, VerifiedCitation)]
    assert len(set(spans)) <= 1
    accepted = [isinstance(v, VerifiedCitation) for v in found]
    if occurrences == "first":
        assert accepted == sorted(accepted)
        assert accepted[1:] == [True] * 3


@given(any_text, any_text | st.none(), any_text | st.none(), st.sampled_from(PROFILES), documents())
def test_no_text_raises_out_of_verify(key, quote, context, profile, source):
    gate = Gate({key: source, "a": key}, profile=profile, lang="en")
    for name in (key, "a", "b"):
        verdict = gate.verify(name, quote, prefix=context, suffix=context)
        assert isinstance(verdict, VerifiedCitation | Refusal)
        assert code_of(verdict) in CODES
    for scope in ("passage", "document"):
        assert isinstance(Gate({"a": context or ""}, scope=scope).verify("a", quote), VerifiedCitation | Refusal)


@given(any_value, any_value, any_value)
def test_no_value_raises_out_of_verify(key, quote, context):
    verdict = Gate({"a": "one two three"}).verify(key, quote, prefix=context, suffix=context)
    assert isinstance(verdict, VerifiedCitation | Refusal)


@given(any_value | replies | any_text, any_text, st.sampled_from(PROFILES), st.sampled_from(["checked", "quotes_only"]))
def test_no_reply_raises_out_of_judge(value, question, profile, wording):
    """(condition 54)"""
    gate = Gate({"a": "one two three"}, profile=profile, wording=wording)
    for reply in (value, {"claims": value}, {"claims": [value]}, {"claims": [{"text": value, "citations": value}]},
                  {"claims": [{"text": "x", "citations": [value]}]}, {"claims": [{"text": "x", "citations": [{"key": value, "quote": value}]}]}):  # fmt: skip
        decision = gate.judge(reply, question=question)
        assert isinstance(decision, Decision)
        assert (decision.code is ReasonCode.OK) == bool(decision.claims)


@given(any_json | replies, st.booleans())
def test_text_and_decoded_json_are_judged_alike(value, ascii_only):
    gate = Gate({"a": "one two three", "b": "It is 5 days, so they say."})
    try:
        text = json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)
        text.encode("utf-8")
        value_again = json.loads(text)
    except ValueError:
        return
    if value_again == value and not isinstance(value, str) and "\\ud" not in text:  # a string is JSON text itself
        assert gate.judge(text) == gate.judge(value)


@given(replies, st.dictionaries(st.sampled_from(["e01", "e02", "a"]), st.sampled_from("abz"), max_size=3))
def test_aliases_are_the_only_way_to_a_key(value, aliases):
    proposal = parse_proposal(value, aliases)
    assert isinstance(proposal, Proposal)
    decision = Gate({"a": "one two three four", "b": "five six seven eight"}).judge(proposal)
    for claim in decision.claims:
        proposed = {part["key"] for part in value["claims"][claim.position]["citations"]}
        assert {citation.key for citation in claim.citations} <= {aliases.get(key) for key in proposed}


@given(documents(), st.integers(1, 60), st.integers(0, 5), st.data())
def test_over_any_cutting_scope_document_gives_the_documents_words(text, size, overlap, data):
    starts = range(0, len(text), size)
    chunks = [
        Passage(f"c{number}", text[start : start + size + overlap], "d", version="1", start=start)
        for number, start in enumerate(starts)
    ]
    quote = data.draw(quotes_of(text))
    cited = data.draw(st.sampled_from([chunk.key for chunk in chunks]))
    verdict = Gate(chunks, scope="document").verify(cited, quote)
    if isinstance(verdict, VerifiedCitation):
        assert text[verdict.start : verdict.end] == verdict.quote == quote
        touched = [c.key for c in chunks if c.start < verdict.end and verdict.start < c.start + len(c.text)]
        assert verdict.key == cited
        assert verdict.keys[0] == cited
        assert set(verdict.keys) in ({cited}, set(touched))
