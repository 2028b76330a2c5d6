"""The bank makes what it says, and a bad checker does not get past it."""

import random

import pytest

from tests.mutation import checkers
from tests.mutation.bank import OPERATORS, Honest
from tests.mutation.dress import dressed, plant
from tests.mutation.oracle import true_quote
from tests.mutation.reading import PROFILES
from tests.mutation.trial import run

TEXT = (
    "The Tenant may not cancel unless a fee of $1,500.50 (about −5 %) is paid. A non-refundable deposit of 15 mg, or "
    "10² units, is due on March 5, 2010, at 25 °C. He can't pay 3 · 4 euros in the Café of Henry VIII if x ≥ 5 mg. "
    "Only the well-known owner is not bound by the rules of the first part, and neither is any other person there. "
    "Nothing in the second part of this Agreement shall be read as a promise to deliver more than 20 tons in one year, "
    "and the parties agree that the goods are to be kept dry, warm and safe until the last day of the calendar month. "
    "Each party bears its own costs for travel, food and lodging during the whole term of the service agreement here."
)
CASES = {
    "digit_changed": ("of 15 mg, or", "of 18 mg, or"),
    "digit_dropped": ("deposit of 15 mg", "deposit of 5 mg"),
    "sign_dropped": ("(about −5 %) is paid", "(about 5 %) is paid"),
    "separator_dropped": ("fee of $1,500 is", "fee of $1500 is"),
    "unit_changed": ("deposit of 15 mg, or", "deposit of 15 g, or"),
    "currency_changed": ("fee of $1,500 is", "fee of €1,500 is"),
    "currency_dropped": ("fee of $1,500 is", "fee of 1,500 is"),
    "operator_changed": ("if x ≥ 5 mg", "if x ≤ 5 mg"),
    "ascii_operator": ("if x ≥ 5 mg", "if x >= 5 mg"),
    "superscript_flattened": ("or 10² units", "or 102 units"),
    "roman_for_digit": ("of Henry VIII if", "of Henry 8 if"),
    "date_reordered": ("on March 5, 2010", "on 5 March, 2010"),
    "negation_dropped": ("may not cancel it", "may cancel it"),
    "negation_cut_off": ("He can't pay it", "He can pay it"),
    "negation_added": ("the owner is bound", "the owner is not bound"),
    "limiter_dropped": ("Only the owner pays", "the owner pays"),
    "accent_dropped": ("in the Café there", "in the Cafe there"),
    "end_in_numeral": ("共三十五人", None),
}


@pytest.mark.parametrize("name", CASES)
def test_operator_makes_its_mutation_and_only_that(name: str) -> None:
    quote, expected = CASES[name]
    made = {
        OPERATORS[name](
            random.Random(seed), Honest(quote, 0, len(quote), quote, "zh" if name == "end_in_numeral" else "en")
        )
        for seed in range(40)
    }
    assert None not in made and quote not in made
    assert expected in made or expected is None


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_is_deterministic_and_says_none_where_it_does_not_apply(name: str) -> None:
    honest = Honest(TEXT, 0, 200, TEXT[:200])
    assert OPERATORS[name](random.Random(7), honest) == OPERATORS[name](random.Random(7), honest)
    dots = Honest("— … —", 0, 5, "— … —")
    assert OPERATORS[name](random.Random(7), dots) is None or name in ("sentence_appended", "hidden_inserted")


@pytest.mark.parametrize("name", [name for name in OPERATORS if name != "end_in_numeral"])
def test_every_operator_finds_something_to_do_in_a_rich_text(name: str) -> None:
    spans = [(0, len(TEXT)), (0, TEXT.index(" A non-")), (TEXT.index("A non"), TEXT.index(" Only"))]
    quotes = [Honest(TEXT, low, high, TEXT[low:high]) for low, high in spans]
    planted = [plant(random.Random(seed), quotes[1]) for seed in range(60)]
    assert any(OPERATORS[name](random.Random(seed), q) for seed in range(30) for q in (*quotes, *planted))


@pytest.mark.parametrize("profile", PROFILES)
def test_dressed_quotes_stay_true_for_the_judge(profile: str) -> None:
    honest = Honest(TEXT, 0, TEXT.index(" A non-"), TEXT[: TEXT.index(" A non-")])
    for seed in range(50):
        written = dressed(random.Random(seed), plant(random.Random(seed), honest), profile)
        assert true_quote(written.text, written.quote, profile), written.quote


@pytest.mark.parametrize(
    ("checker", "operators"),
    [
        ("substring", ("end_in_word", "end_in_number", "end_in_compound")),
        ("loose_space", ("word_border_moved", "accent_added", "case_changed", "separator_dropped", "sign_dropped")),
        ("fuzzy", ("digit_changed", "negation_dropped", "word_added", "unit_changed", "homoglyph", "hidden_inserted")),
    ],
)
def test_naive_checkers_are_caught(checker: str, operators: tuple[str, ...]) -> None:
    starts = [0, TEXT.index("A non"), TEXT.index("He can"), TEXT.index("Only"), TEXT.index("Nothing"), len(TEXT) + 1]
    quotes = [Honest(TEXT, a, b - 1, TEXT[a : b - 1]) for a, b in zip(starts, starts[1:], strict=False)]
    tally = run(getattr(checkers, checker), quotes, PROFILES)
    for name in operators:
        assert sum(row.false_accepts for (of, _), row in tally.rows.items() if of == name) > 0, name
    assert all("operator" in line for line in tally.offenders)


def test_a_checker_that_is_the_judge_has_no_false_accept() -> None:
    from tests.mutation.oracle import Source
    from tests.mutation.trial import Verdict

    source = Source(TEXT)

    def judge(text: str, quote: str, profile: str) -> Verdict:
        found = (source if text == TEXT else Source(text)).spans(quote, profile)
        return Verdict(True, *found[0]) if found else Verdict(False, code="no")

    tally = run(judge, [Honest(TEXT, 0, 73, TEXT[:73])], PROFILES)
    assert tally.false_accepts == 0
    assert all(tally.honest[profile, "accepted"] == 1 for profile in PROFILES)
