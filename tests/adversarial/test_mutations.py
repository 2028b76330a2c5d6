"""Dishonest quotes made from real ones: one mutation each, under every profile, and none may be accepted.

The judge is the tests' own (tests/mutation/oracle.py): a mutation that happens to be a true quote is no false accept.
"""

import pytest

from tests.mutation import checkers
from tests.mutation.bank import OPERATORS
from tests.mutation.reading import PROFILES
from tests.mutation.samples import SETS, quotes
from tests.mutation.trial import run

SHARE = {"cuad": 1, "quotesum": 2, "clapnq": 2, "xquad": 2}
"""Every how many quotes of a set are mutated, so that the whole stays within half a minute."""


@pytest.mark.code("quote_mismatch", "quote_splits_token", "hidden_characters")
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", SETS)
def test_no_mutation_of_a_real_quote_is_accepted_and_the_quote_itself_is(name: str, profile: str) -> None:
    """A quote with one changed character is dropped (condition 2), and so is every other change of the bank."""
    honest = quotes(name)[:: SHARE[name]]
    if profile in ("verbatim", "typographic"):
        honest = [
            quote for quote in honest if "\ufffe" not in quote.quote
        ]  # a line end of PDFium: `extracted` reads it
    tally = run(checkers.gate, honest, [profile], seed=1)
    assert tally.offenders == []
    assert tally.tried(profile) > 15 * len(honest)
    refused_as = {code for _, code in tally.codes}
    assert {"quote_mismatch", "quote_splits_token", "hidden_characters"} <= refused_as
    assert tally.honest[profile, "accepted"] == sum(tally.honest.values()), tally.honest
    assert tally.doubted == []


@pytest.mark.code("quote_elided")
@pytest.mark.parametrize("profile", PROFILES)
def test_no_elision_that_hides_a_negation_or_joins_distant_parts_is_accepted(profile: str) -> None:
    tally = run(checkers.gate, [quote for name in SETS for quote in quotes(name)[::5]], [profile], seed=2)
    for name in ("elision_hides", "elision_over_sentences", "spliced_with_mark"):
        row = tally.rows[name, profile]
        assert row.tried > 5 and row.false_accepts == 0 and tally.codes[name, "quote_elided"] > 5


def test_every_operator_of_the_bank_meets_real_quotes() -> None:
    tally = run(lambda *_: checkers.Verdict(False, code="no"), [q for name in SETS for q in quotes(name)], ["verbatim"])
    assert {name for name, _ in tally.rows} >= set(OPERATORS) - {"end_in_numeral"}
