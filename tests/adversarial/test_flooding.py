"""Attack family: input made to be expensive. Sizes have limits; work is linear in the input, told by ratios of times."""

import hashlib
import json
import time

import pytest

from tests.verdicts import PROFILES, code_of, reply
from verified_gate import Gate, Passage, ReasonCode
from verified_gate.gate import Limits
from verified_gate.model.proposal import MAX_JSON_CHARACTERS, MAX_JSON_DEPTH

SOURCE = "You can return a bike within 30 days of delivery."
HONEST = ("You have 30 days.", [("a", "return a bike within 30 days")])


def _seconds(work):
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def _grows_linearly(work_of, small):
    """Four times the input may cost four times the work, twice that for noise; quadratic work would cost sixteen."""
    for _ in range(3):
        before, after = _seconds(work_of(small)), _seconds(work_of(4 * small))
        if after < 8 * before + 0.002:
            return True
    return False


@pytest.mark.code("budget_exceeded")
@pytest.mark.parametrize(
    ("limits", "name", "over", "at"),
    [
        (Limits(claims=2), "claims", [HONEST] * 3, [HONEST] * 2),
        (Limits(citations=2), "citations", [(HONEST[0], HONEST[1] * 3)], [(HONEST[0], HONEST[1] * 2)]),
        (Limits(citations=2), "citations", [HONEST] * 3, [HONEST] * 2),
        (Limits(wording=17), "wording", [("You have 30 days..", HONEST[1])], [HONEST]),
    ],
)
def test_a_proposal_over_a_limit_is_refused_as_a_whole(limits, name, over, at):
    decision = Gate({"a": SOURCE}, limits=limits).judge(reply(*over))
    assert (decision.code, decision.claims) == (ReasonCode.BUDGET_EXCEEDED, ())
    assert [(r.code, r.claim, r.detail) for r in decision.refusals] == [("budget_exceeded", None, name)]
    assert Gate({"a": SOURCE}, limits=limits).judge(reply(*at)).code is ReasonCode.OK


@pytest.mark.code("budget_exceeded")
def test_a_quote_over_its_limit_is_refused_and_the_others_leave():
    gate = Gate({"a": SOURCE}, limits=Limits(quote=28))
    decision = gate.judge(reply((HONEST[0], [("a", "return a bike within 30 days "), *HONEST[1]])))
    assert [(r.citation, r.code) for r in decision.refusals] == [(0, "budget_exceeded")]
    assert [citation.quote for citation in decision.claims[0].citations] == ["return a bike within 30 days"]


@pytest.mark.code("budget_exceeded")
def test_a_reply_longer_than_the_limit_is_not_decoded():
    text = json.dumps(reply(HONEST))
    assert Gate({"a": SOURCE}).judge(text + " " * (MAX_JSON_CHARACTERS - len(text))).code is ReasonCode.OK
    decision = Gate({"a": SOURCE}).judge(text + " " * (MAX_JSON_CHARACTERS - len(text) + 1))
    assert (decision.code, [r.code for r in decision.refusals]) == ("budget_exceeded", ["budget_exceeded"])


@pytest.mark.code("budget_exceeded")
def test_ten_thousand_claims_are_refused_before_any_is_looked_at():
    for count, expected in ((200, "ok"), (201, "budget_exceeded"), (10_000, "budget_exceeded")):
        assert Gate({"a": SOURCE}).judge(reply(*[HONEST] * count)).code == expected


@pytest.mark.code("budget_exceeded")
def test_malformed_claims_count_too():
    claims = [None] * 10_000
    assert Gate({"a": SOURCE}).judge({"claims": claims}).code == "budget_exceeded"
    assert Gate({"a": SOURCE}).judge({"claims": claims[:100]}).code == "nothing_verified"


@pytest.mark.code("invalid_json")
@pytest.mark.parametrize("depth", [MAX_JSON_DEPTH + 1, 1_000, 100_000, 900_000])
def test_deep_json_is_refused_not_recursed_into(depth):
    """Nested lists, nested objects and brackets that never close."""
    for text in (
        "[" * depth + "]" * depth,
        "[" * depth,
        '{"a":' * min(depth, 300_000) + "1" + "}" * min(depth, 300_000),
    ):
        assert Gate({"a": SOURCE}).judge(f'{{"x": {text}}}').code == "invalid_json"
    shallow = json.dumps({**reply(HONEST), "x": json.loads("[" * 50 + "]" * 50)})
    assert Gate({"a": SOURCE}).judge(shallow).code == "ok"


def test_deep_decoded_json_is_harmless():
    value = []
    for _ in range(100_000):
        value = [value]
    assert Gate({"a": SOURCE}).judge({**reply(HONEST), "x": value}).code == "ok"
    assert Gate({"a": SOURCE}).judge({"claims": value}).code == "nothing_verified"
    while value:  # taken apart by hand: the interpreter would recurse
        value = value[0]


FLOODS = {
    "spaces": lambda n: " " * n,
    "line breaks": lambda n: "\n" * n,
    "carriage returns": lambda n: "\r\n" * (n // 2),
    "combining marks": lambda n: "e" + "\u0301" * n,
    "alternating marks": lambda n: "e" + "\u0301\u0323" * (n // 2),
    "marked letters": lambda n: "e\u0301" * (n // 2),
    "letters": lambda n: "a" * (n - 1) + "b",
    "words": lambda n: "ab " * (n // 3),
    "numbers": lambda n: "1 " * (n // 2),
    "digits": lambda n: "1" * n,
    "commas": lambda n: "1," * (n // 2),
    "ellipses": lambda n: "a b … " * (n // 6),
    "dots": lambda n: "." * n,
    "hyphens": lambda n: "-" * n,
    "line-end hyphens": lambda n: "ab-\n" * (n // 4),
    "brackets": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "links": lambda n: "[a](b)" * (n // 6),
    "open links": lambda n: "](" * (n // 2),
    "footnotes": lambda n: "a[1]" * (n // 4),
    "stars": lambda n: "*" * n,
    "emphasis": lambda n: "*a " * (n // 3),
    "bars": lambda n: "|" * n,
    "table": lambda n: "| a " * (n // 4),
    "rules": lambda n: "|---" * (n // 4),
    "bullets": lambda n: "• " * (n // 2),
    "bulleted lines": lambda n: "- a\n" * (n // 4),
    "ampersands": lambda n: "&" * n,
    "entities": lambda n: "&amp;" * (n // 5),
    "nested entities": lambda n: "&amp" * (n // 4) + ";",
    "capitals": lambda n: "ABCDE " * (n // 6),
    "quotation marks": lambda n: '"' * n,
    "soft hyphens": lambda n: "a\u00ad" * (n // 2),
    "joiners": lambda n: "\u200d" * n,
    "flags": lambda n: "\U0001f1e9" * n,
    "ideographs": lambda n: "字" * n,
    "broken ideographs": lambda n: "字\n" * (n // 2),
    "surrogates": lambda n: "\ud800" * n,
    "hangul": lambda n: "\u1112\u1161\u11ab" * (n // 3),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flooded_source_costs_work_linear_in_its_size(name):
    flood = FLOODS[name]

    def work_of(size):
        text = flood(size)
        half = text[: len(text) // 3] + "zq zq zq"

        def work():
            gate = Gate([Passage("a", f"{text} the end of it all {text}", lang="en")], profile="editorial")
            gate.verify("a", "the end of it all")
            gate.verify("a", "zq zq zq zq")
            gate.verify("a", half)
            gate.verify("a", text[: len(text) // 3])

        return work

    assert _grows_linearly(work_of, 3_000)


@pytest.mark.parametrize("name", FLOODS)
def test_a_flooded_source_still_releases_the_honest_quote_and_no_other(name):
    flood = FLOODS[name](900)
    for profile in PROFILES:
        gate = Gate([Passage("a", f"{flood} .\n\nThe end of it all.\n\n{flood}")], profile=profile)
        citation = gate.verify("a", "The end of it all.")
        assert code_of(citation) == "ok"
        assert citation.quote == "The end of it all."
        assert len(citation.display) <= len(citation.quote)
        assert code_of(gate.verify("a", "The end of it never.")) == "quote_mismatch"


@pytest.mark.parametrize("name", FLOODS)
def test_a_flooded_quote_or_wording_raises_nothing(name):
    flood = FLOODS[name](900)
    gate = Gate({"a": SOURCE, "b": flood}, profile="editorial", lang="en")
    for quote in (
        flood,
        f"return a bike {flood}",
        f"{flood} return a bike",
        f"return a bike {flood} 30 days of delivery.",
    ):
        assert code_of(gate.verify("a", quote)) in {str(code) for code in ReasonCode}
        decision = gate.judge(reply((flood, [("b", quote), ("a", "return a bike within 30 days")])), question=flood)
        assert decision.code in ("ok", "nothing_verified")


@pytest.mark.parametrize("kind", ["honest", "one word left out", "found elsewhere"])
def test_a_long_quote_in_a_long_passage_costs_work_linear_in_their_size(kind):
    def work_of(size):
        words = [f"word{number}" for number in range(size)]
        quote = words[size // 4 : size // 2]
        if kind == "one word left out":
            del quote[len(quote) // 2]
        evidence = {"a": " \n".join(words), "b": "other words here"}
        key = "b" if kind == "found elsewhere" else "a"

        def work():
            Gate(evidence, profile="extracted", limits=Limits(quote=10**7)).verify(key, " ".join(quote))

        return work

    assert _grows_linearly(work_of, 1_000)


def test_many_refused_quotes_cost_no_more_than_a_constant_each():
    """Looking for refused quotes in other passages stops at a budget of the whole proposal."""
    evidence = {f"k{number}": f"passage {number} holds words of its own " * 20 for number in range(40)}

    def work_of(claims):
        proposal = reply(*[("A sentence.", [("k0", f"quote number {n} stands nowhere")] * 5) for n in range(claims)])
        return lambda: Gate(evidence, profile="typographic").judge(proposal)

    assert _grows_linearly(work_of, 40)


def test_places_beyond_a_bound_are_not_counted():
    citation = Gate({"a": "a fee of 5 euros. " * 5_000}).verify("a", "fee of 5 euros")
    assert citation.start == 2
    strict = Gate({"a": "a fee of 5 euros. " * 5_000}, occurrences="strict").verify("a", "fee of 5 euros")
    assert strict.code == "quote_ambiguous"
    assert citation.occurrences <= 5_000


COSTLY = {
    "frequent parts of an elision": ("ab cd ef ", "ab cd … cd ef … ef ab … zz yy", {}),
    "places that all split": ("xab cd ef", "ab cd ef", {}),
    "places with a long prefix": ("ab cd ef ", "ab cd ef", {"prefix": "zz" * 3_000, "suffix": "yy" * 3_000}),
    "much hidden before each place": ("x" + "\u200b" * 990 + "ab cd ef ", "ab cd ef", {}),
    "almost the quote": ("ab cd eg ", "ab cd ef", {}),
    "brackets to swap": ("ab cd ef ", "[a]b [c]d [e]f [g]h " * 50, {}),
    "marks around": ("ab cd ef ", "“" * 50 + "ab cd zz" + "”" * 50, {}),
}


@pytest.mark.parametrize("name", COSTLY)
@pytest.mark.parametrize("occurrences", ["first", "strict"])
def test_a_hostile_citation_costs_a_constant_times_the_floor(name, occurrences):
    """The floor: is the quote in the text, and the hash of the text (invariant 6)."""
    unit, quote, context = COSTLY[name]
    text = unit * (120_000 // len(unit))
    gate = Gate([Passage("a", text, lang="en")], profile="editorial", occurrences=occurrences)
    gate.verify("a", quote, **context)

    def hostile():
        gate.verify("a", quote, **context)

    def floor():
        return "ab cd zz" in text, hashlib.sha256(text.encode()).hexdigest()

    assert any(_seconds(hostile) < 300 * _seconds(floor) for _ in range(3))


def test_quotations_in_a_claim_cost_no_fold_of_the_quote_each():
    source = "the word number " * 6_000
    quote = source[:90_000].rsplit(" ", 1)[0]
    gate = Gate({"a": source})

    def work_of(quotations):
        proposal = reply(('"word" ' * quotations + "x", [("a", quote)]))
        return lambda: gate.judge(proposal)

    assert any(_seconds(work_of(800)) < 20 * _seconds(work_of(8)) for _ in range(3))
