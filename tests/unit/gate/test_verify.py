"""The gate as a function: what it takes, what it gives, and the order of its steps."""

import collections
import dataclasses
import inspect
import types

import pytest

from tests.verdicts import code_of, reply
from verified_gate import Decision, Gate, Passage, Profile, Proposal, Refusal, VerifiedCitation, VerifiedClaim
from verified_gate.gate import Limits
from verified_gate.gate.reading import Length, length_of
from verified_gate.model import ProposedCitation, ProposedClaim

TEXT = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"


def test_the_keys_are_those_delivered_in_order():
    assert Gate({"b": TEXT, "a": TEXT}).keys == ("b", "a")
    assert Gate({}).keys == ()
    assert Gate([Passage("b", TEXT), Passage("a", TEXT)]).keys == ("b", "a")
    assert Gate({}).verify("a", QUOTE).code == "unknown_citation"


def test_evidence_may_come_from_an_iterator():
    assert isinstance(Gate(Passage(key, TEXT) for key in "ab").verify("b", QUOTE), VerifiedCitation)


@pytest.mark.parametrize(
    ("key", "quote", "expected"),
    [
        ("unknown", "x" * 200, "budget_exceeded"),
        ("unknown", "", "unknown_citation"),
        ("altered", "", "integrity_failure"),
        ("altered", "the", "integrity_failure"),
        ("a", "", "quote_missing"),
        ("a", "return \u202ea bike", "hidden_characters"),
        ("a", "the", "quote_too_short"),
        ("a", "turn a bike within", "quote_splits_token"),
        ("a", "turn a bicycle within", "quote_mismatch"),
    ],
)
def test_the_first_step_that_refuses_gives_the_code(key, quote, expected):
    gate = Gate([Passage("a", TEXT), Passage("altered", TEXT, sha256="0" * 64)], limits=Limits(quote=100))
    refusal = gate.verify(key, quote)
    assert (refusal.code, refusal.key, refusal.quote) == (expected, key, quote)


@pytest.mark.parametrize(
    "given", [(None, QUOTE), (5, QUOTE), (b"a", QUOTE), (["a"], QUOTE), ("a", 5), ("a", b"x"), ("a", [QUOTE])]
)
def test_values_that_are_no_text_are_refused_not_raised(given):
    refusal = Gate({"a": TEXT}).verify(*given)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "invalid_schema"


@pytest.mark.parametrize("name", ["prefix", "suffix"])
def test_a_context_that_is_no_text_is_refused(name):
    assert Gate({"a": TEXT}).verify("a", QUOTE, **{name: 5}).code == "invalid_schema"
    assert isinstance(Gate({"a": TEXT}).verify("a", QUOTE, **{name: None}), VerifiedCitation)


def test_a_decision_holds_claims_refusals_and_what_was_withheld():
    decision = Gate({"a": TEXT}).judge(
        reply(("Good.", [("a", QUOTE)]), ("Bad.", [("b", QUOTE), ("a", "x y z")]), ("None.", []))
    )
    assert isinstance(decision, Decision)
    (claim,) = decision.claims
    assert isinstance(claim, VerifiedClaim)
    assert (claim.text, claim.position) == ("Good.", 0)
    assert [(r.code, r.claim, r.citation) for r in decision.refusals] == [
        ("unknown_citation", 1, 0),
        ("quote_mismatch", 1, 1),
        ("claim_uncited", 2, None),
    ]
    assert [(w.position, w.codes) for w in decision.withheld] == [
        (1, ("unknown_citation", "quote_mismatch")),
        (2, ("claim_uncited",)),
    ]


def test_the_same_citation_twice_is_one_and_two_spans_are_two():
    decision = Gate({"a": TEXT}).judge(reply(("Good.", [("a", QUOTE), ("a", QUOTE), ("a", "days of delivery")])))
    assert [citation.quote for citation in decision.claims[0].citations] == [QUOTE, "days of delivery"]


def test_judging_agrees_with_verifying():
    for quote in (QUOTE, "x y z", "", "turn a bike within"):
        alone = Gate({"a": TEXT}).verify("a", quote)
        decision = Gate({"a": TEXT}).judge(reply(("A claim.", [("a", quote)])))
        assert code_of(alone) == (decision.refusals[0].code if decision.refusals else "ok")


def test_there_is_no_parameter_that_turns_a_check_off():
    names = set(inspect.signature(Gate).parameters)
    assert names == {"evidence", "profile", "scope", "occurrences", "wording", "documents", "lang", "limits"}
    assert set(inspect.signature(Gate.verify).parameters) == {"self", "key", "quote", "prefix", "suffix"}
    assert set(inspect.signature(Gate.judge).parameters) == {"self", "reply", "question"}


def test_limits_are_finite_by_default_and_frozen():
    assert all(0 < value < 10**7 for value in dataclasses.asdict(Limits()).values())
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits().quote = 10**9


def test_a_profile_may_be_given_by_name_or_value():
    for profile in ("typographic", Profile.named("typographic"), Profile.of("whitespace")):
        assert isinstance(Gate({"a": TEXT}, profile=profile).verify("a", QUOTE.replace(" ", "\n")), VerifiedCitation)


@pytest.mark.parametrize(
    ("quote", "length"),
    [
        ("three whole words", Length.ENOUGH),
        ("30 days", Length.ENOUGH),
        ("is 5", Length.ENOUGH),
        ("静脉注射", Length.ENOUGH),
        ("สัญญา", Length.ENOUGH),
        ("two words", Length.SHORT),
        ("静脉注", Length.SHORT),
        ("word", Length.SHORT),
        ("42", Length.SHORT),
        ("the", Length.EMPTY),
        ("in of the to and", Length.EMPTY),
        ("der die das", Length.EMPTY),
        ("x", Length.EMPTY),
        ("5", Length.EMPTY),
        ("… — …", Length.EMPTY),
        ("* * *", Length.EMPTY),
        ("", Length.EMPTY),
        (". , ; word", Length.SHORT),
        ("the of and contract", Length.ENOUGH),
    ],
)
def test_length_is_counted_in_words_that_tell_something(quote, length):
    assert length_of(quote) is length


@pytest.mark.parametrize("kind", [dict, types.MappingProxyType, collections.UserDict, collections.OrderedDict])
def test_any_mapping_is_a_decoded_reply(kind):
    assert Gate({"a": TEXT}).judge(kind(reply(("It is so.", [("a", QUOTE)])))).code == "ok"


@pytest.mark.parametrize(
    "claim",
    [
        ProposedClaim("t", (ProposedCitation(["a"], QUOTE),)),
        ProposedClaim("t", (ProposedCitation("a", 5),)),
        ProposedClaim("t", (ProposedCitation("a", QUOTE, 5),)),
        ProposedClaim("t", (ProposedCitation("a", QUOTE, None, []),)),
        ProposedClaim(5, (ProposedCitation("a", QUOTE),)),
        ProposedClaim("t", None),
        ProposedClaim("t", ("a",)),
        ProposedClaim("t", (None,)),
        "x",
        None,
    ],
    ids=range(10),
)
def test_a_proposal_with_parts_of_other_types_is_refused_not_raised(claim):
    """A synthesizer of another hand may build one from what a model wrote."""
    good = ProposedClaim("It is so.", (ProposedCitation("a", QUOTE),))
    decision = Gate({"a": TEXT}).judge(Proposal(claims=(claim, good)))
    assert [verified.position for verified in decision.claims] == [1]
    assert [(refusal.claim, refusal.code) for refusal in decision.refusals] == [(0, "invalid_schema")]


@pytest.mark.parametrize(
    "whole", [Proposal(claims=5), Proposal(claims="ab"), Proposal(claims=None), Proposal(status="foo", claims=())]
)
def test_a_proposal_of_another_shape_is_refused_not_raised(whole):
    assert Gate({"a": TEXT}).judge(whole).claims == ()


@pytest.mark.parametrize("pins", [{"sha256": 5}, {"text_sha256": 5}, {"file_sha256": b"x"}])
def test_a_pin_that_is_no_text_is_wrong_use(pins):
    with pytest.raises(TypeError):
        Passage("a", "one two three", **pins)


@pytest.mark.parametrize("given", [None, 5, "text", ["text"], b"text"])
def test_what_is_no_evidence_is_wrong_use_and_told_what_to_give(given):
    with pytest.raises(TypeError, match="mapping of key to text, or passages"):
        Gate(given)
    assert Gate([Passage("a", "one two three")]).verify("b", "one two three").code == "unknown_citation"


def test_a_cell_between_tabs_is_a_whole():
    assert isinstance(Gate({"a": "Lamp\tBike\t30 days"}).verify("a", "Bike"), VerifiedCitation)
    assert Gate({"a": "Lamp Bike 30 days"}).verify("a", "Bike").code == "quote_too_short"
