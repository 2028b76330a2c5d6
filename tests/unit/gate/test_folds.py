"""The fold table is the contract: each fold does what its row says, and no more."""

import dataclasses
import itertools
import re
from pathlib import Path

import pytest

from tests.verdicts import PROFILES, code, codes
from verified_gate import Gate, Passage, Profile, Refusal, VerifiedCitation
from verified_gate.gate import folding, reading
from verified_gate.model.folds import FOLDS
from verified_gate.model.folds import PROFILES as NAMED
from verified_gate.text import sites, spelling

FURNITURE = {"furniture": ((14, 20),)}
"""Where the row of a fold needs it: `Page 7` in its example."""


def _verify(name, pair, profile):
    source, quote = pair
    marked = FURNITURE if name == "furniture" else {}
    return Gate([Passage("a", source, lang="en", **marked)], profile=profile).verify("a", quote)


@pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)
def test_the_honest_example_is_found_under_the_folds_profile_and_names_the_fold(fold):
    for profile in PROFILES[PROFILES.index(fold.profile) :]:
        citation = _verify(fold.name, fold.honest, profile)
        assert isinstance(citation, VerifiedCitation)
        assert fold.name in citation.folds
        assert fold.honest[0][citation.start : citation.end] == citation.quote
        allowed = {
            other.name for other in FOLDS.values() if PROFILES.index(other.profile) <= PROFILES.index(fold.profile)
        }
        assert set(citation.folds) <= allowed


@pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)
def test_the_honest_example_is_refused_under_the_profile_below_and_without_the_fold(fold):
    below = PROFILES[PROFILES.index(fold.profile) - 1]
    assert isinstance(_verify(fold.name, fold.honest, below), Refusal)
    marks = (
        {"ellipsis", "elision"} if fold.name == "ellipsis" else {fold.name}
    )  # `...` may also mark an elision of nothing
    without = Profile.of(*(name for name in FOLDS if name not in marks))
    assert isinstance(_verify(fold.name, fold.honest, without), Refusal)


@pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)
def test_the_dishonest_neighbour_is_refused_under_every_profile(fold):
    for profile in (*PROFILES, Profile.of(fold.name), Profile.of(*FOLDS)):
        assert isinstance(_verify(fold.name, fold.dishonest, profile), Refusal)


@pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)
def test_an_exact_quote_uses_no_fold(fold):
    source = fold.honest[0]
    for profile in PROFILES:
        verdict = _verify(fold.name, (source, source), profile)
        if isinstance(verdict, VerifiedCitation):
            assert verdict.folds == ()
        else:
            assert verdict.code == "hidden_characters"


@pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)
def test_a_row_says_what_it_must(fold):
    assert fold.side in ("source", "quote", "both")
    assert fold.maps.endswith(".")
    assert fold.safe.endswith(".")
    assert fold.honest[0] != fold.honest[1]
    assert fold.dishonest[0] != fold.dishonest[1]


def test_the_gate_knows_the_folds_of_the_table_and_no_others():
    """Each name in the code that folds is in the table, and each of the table is in the code."""
    code_of_folding = "".join(
        Path(module.__file__).read_text(encoding="utf-8") for module in (sites, spelling, folding, reading)
    )
    asked = set(re.findall(r'"([a-z-]+)" (?:not )?in (?:profile\.)?folds', code_of_folding))
    assert asked <= set(FOLDS)
    assert {name for name in FOLDS if f'"{name}"' not in code_of_folding} == set()
    assert set(spelling._TRIGGERS) <= set(FOLDS)


def test_the_profiles_are_those_of_the_contract():
    expected = {
        "verbatim": [],
        "typographic": ["whitespace", "quotes", "dashes", "ellipsis", "ligatures", "invisible", "canonical", "fullwidth"],
        "extracted": ["line-hyphen", "cjk-break", "list-marks", "table-borders", "markdown", "footnotes", "entities", "furniture"],
        "editorial": ["end-punctuation", "kept-quotes", "bracket-case", "capitals", "elision"],
    }  # fmt: skip
    assert [fold.name for fold in FOLDS.values()] == list(itertools.chain(*expected.values()))
    below: set[str] = set()
    for profile, names in expected.items():
        below |= set(names)
        assert NAMED[profile].folds == Profile.named(profile).folds == below
    assert Gate({}).profile == NAMED["verbatim"]


def test_a_profile_of_ones_own_holds_the_folds_that_it_names():
    own = Profile.of("quotes", "whitespace")
    assert (own.name, own.folds) == ("whitespace+quotes", {"whitespace", "quotes"})
    assert Profile.of().folds == frozenset()
    source = "the tenant’s  last – day"
    assert code(source, "the tenant's last – day", own) == "ok"
    assert code(source, "the tenant's last - day", own) == "quote_mismatch"
    assert code(source, "the tenant's last – day", Profile.of("quotes")) == "quote_mismatch"


@pytest.mark.parametrize("names", [("fuzzy",), ("whitespace", "case"), ("",)])
def test_a_fold_that_does_not_exist_is_wrong_use(names):
    with pytest.raises(ValueError):
        Profile.of(*names)
    with pytest.raises(ValueError):
        Profile.named(names[0])


def test_there_is_no_switch_that_turns_a_check_off():
    """Whatever the profile, borders, length, hidden characters and keys are looked at."""
    everything = Profile.of(*FOLDS)
    assert codes("give 15 mg twice daily", "5 mg twice daily") == {"quote_splits_token"}
    assert code("give 15 mg twice daily", "5 mg twice daily", everything) == "quote_splits_token"
    assert code("give the drug daily", "the", everything) == "quote_too_short"
    assert code("give the drug daily", "give the\u202e drug", everything) == "hidden_characters"
    with pytest.raises(dataclasses.FrozenInstanceError):
        everything.folds = frozenset()


COMPOSED = [
    ("typographic", "the “ﬁrst”\n– cafe\u0301", 'the "first" - café', {"whitespace", "quotes", "dashes", "ligatures", "canonical"}),
    ("typographic", "ＡＢ　“Ｃ” — in\u00adfor", 'AB "C" - infor', {"whitespace", "quotes", "dashes", "invisible", "fullwidth"}),
    ("extracted", "• the infor-\nmation[3] is **bold** &amp; “new”", 'the information is bold & "new"', {"line-hyphen", "footnotes", "markdown", "entities", "quotes"}),
    ("extracted", "| one cell | the “second”\u00a0cell |", 'one cell the "second" cell', {"table-borders", "quotes", "whitespace"}),
    ("extracted", "字符\n串的“测试”", '字符串的"测试"', {"cjk-break", "quotes"}),
    ("editorial", "THE LESSOR MUST\nNOT SELL", "“The lessor must not sell.”", {"whitespace", "capitals", "kept-quotes", "end-punctuation"}),
    ("editorial", "because the  buyer may", "“[T]he buyer may”", {"whitespace", "bracket-case", "kept-quotes"}),
    ("editorial", "The buyer may, at any\ntime, return the “bike”.", 'The buyer may … return the "bike".', {"elision", "quotes"}),
    ("editorial", "The buyer may, at any time,\nreturn the bike.", "The buyer may … return the bike", {"elision"}),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "source", "quote", "folds"), COMPOSED)
def test_folds_compose_and_are_told(profile, source, quote, folds):
    citation = Gate([Passage("a", source, lang="en")], profile=profile).verify("a", quote)
    assert isinstance(citation, VerifiedCitation)
    assert set(citation.folds) == folds
    assert list(citation.folds) == [name for name in FOLDS if name in folds]
    assert citation.quote == source[citation.start : citation.end]
