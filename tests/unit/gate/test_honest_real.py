"""Honest quotes of real data come through: every one of the copied samples, under the profile that its text needs."""

import pytest

from tests.mutation import checkers
from tests.mutation.oracle import Source
from tests.mutation.samples import SETS, passages

NEEDS = {"cuad": "extracted", "quotesum": "typographic", "clapnq": "verbatim", "xquad": "verbatim"}


@pytest.mark.parametrize("name", SETS)
def test_every_honest_quote_is_accepted_where_it_stands(name: str) -> None:
    asked = 0
    for row in passages(name):
        source = Source(row["text"])
        for quote in row["quotes"]:
            profile = "verbatim" if row.get("origin", "").endswith(".txt") else NEEDS[name]
            verdict = checkers.gate(row["text"], quote, profile)
            assert verdict.accepted, (verdict.code, quote)
            assert source.holds_at(quote, profile, verdict.start, verdict.end), quote
            asked += 1
    assert asked >= 35


@pytest.mark.parametrize("profile", ["typographic", "extracted", "editorial"])
def test_a_wider_profile_accepts_what_a_narrower_one_does(profile: str) -> None:
    for name in ("quotesum", "clapnq", "xquad"):
        for row in passages(name):
            for quote in row["quotes"]:
                if checkers.gate(row["text"], quote, "verbatim").accepted:
                    assert checkers.gate(row["text"], quote, profile).accepted, quote


@pytest.mark.parametrize("lang", ["en", "de", "es", "ar", "hi", "zh", "ru", "tr"])
def test_no_rule_starves_a_language(lang: str) -> None:
    rows = [row for row in passages("xquad") if row["lang"] == lang]
    accepted = [checkers.gate(row["text"], quote, "verbatim").accepted for row in rows for quote in row["quotes"]]
    assert len(accepted) >= 12 and all(accepted)


def test_broken_lines_of_a_pdf_are_refused_verbatim_and_folded_by_extracted() -> None:
    rows = [row for row in passages("cuad") if row["origin"].endswith(".pdf")]
    narrow = [checkers.gate(row["text"], quote, "verbatim").accepted for row in rows for quote in row["quotes"]]
    wide = [checkers.gate(row["text"], quote, "extracted").accepted for row in rows for quote in row["quotes"]]
    assert not any(narrow) and all(wide)
