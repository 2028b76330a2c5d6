"""Attack family: the right words at another place than the one that was meant."""

import pytest

from verified_gate import Gate, Refusal, VerifiedCitation

TEXT = "The fee is 5 euros a day for members. For guests the fee is 5 euros a day, too."
QUOTE = "the fee is 5 euros a day"


@pytest.mark.code("quote_ambiguous")
def test_a_quote_that_stands_twice_is_refused_under_a_strict_policy_unless_singled_out():
    text = TEXT.replace("The fee", "So the fee")
    strict = Gate({"a": text}, occurrences="strict")
    refused = strict.verify("a", QUOTE)
    assert isinstance(refused, Refusal)
    assert refused.code == "quote_ambiguous"
    chosen = strict.verify("a", QUOTE, prefix="For guests ")
    assert isinstance(chosen, VerifiedCitation)
    assert (chosen.start, chosen.occurrences) == (text.rindex(QUOTE), 2)
    assert strict.verify("a", QUOTE, suffix=" for members").start == text.index(QUOTE)


def test_without_a_strict_policy_the_first_leaves_and_says_how_many_there_are():
    text = TEXT.replace("The fee", "So the fee")
    first = Gate({"a": text}).verify("a", QUOTE)
    assert (first.start, first.occurrences) == (text.index(QUOTE), 2)


@pytest.mark.code("quote_ambiguous")
def test_a_strict_policy_counts_folded_occurrences_too():
    text = "So the fee is 5 euros a day now.\nAnd the  fee is 5 euros a day then."
    assert Gate({"a": text}, profile="typographic", occurrences="strict").verify("a", QUOTE).code == "quote_ambiguous"
    assert isinstance(Gate({"a": text}, occurrences="strict").verify("a", QUOTE), VerifiedCitation)
