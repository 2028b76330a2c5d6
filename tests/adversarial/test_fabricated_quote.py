"""Attack family: a quote that the source does not hold, in whole or in part."""

import pytest

from tests.verdicts import PROFILES, code, code_of, codes, reply
from verified_gate import Gate, ReasonCode

POLICY = "You can return a bike within 30 days of delivery. Sale items cannot be returned."
QUOTE = "return a bike within 30 days"


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(
    ("source", "fabricated", "honest"),
    [
        pytest.param(POLICY, "keep the bike for ever", QUOTE, id="invented"),
        pytest.param(POLICY, "return a bike within 90 days", QUOTE, id="one character changed (condition 2)"),
        pytest.param(POLICY, "return one bike within 30 days", QUOTE, id="a word changed"),
        pytest.param(POLICY, f"{QUOTE} or more", QUOTE, id="a word added"),
        pytest.param(POLICY, "xyzzy plugh quux", QUOTE, id="nonsense"),
        pytest.param(POLICY, "bike a return within 30 days", QUOTE, id="words swapped"),
        pytest.param(POLICY, POLICY.upper(), POLICY, id="all in capitals"),
        pytest.param(
            "The buyer may return it. The buyers may not.",
            "The buyers may return it.",
            "The buyer may return it.",
            id="plural",
        ),
        pytest.param(
            "每份约200克，含548大卡", "每份约200克，含548大卡，含12克蛋白质", "每份约200克", id="longer than the source"
        ),
        pytest.param("五陰覆蓋其心不得解脫", "五阴覆盖其心不得解脱", "五陰覆蓋其心", id="simplified characters"),
    ],
)
def test_a_fabricated_quote_is_refused_under_every_profile(source, fabricated, honest):
    assert codes(source, fabricated) == {"quote_mismatch"}
    assert codes(source, honest) == {"ok"}


@pytest.mark.code("quote_missing")
@pytest.mark.parametrize("blank", [None, "", " ", "\n\t", "\u00a0\u3000"])
def test_a_citation_without_a_quote_is_refused(blank):
    """(conditions 3 and 5)"""
    assert codes(POLICY, blank) == {"quote_missing"}
    assert codes(POLICY, QUOTE) == {"ok"}


@pytest.mark.code("quote_too_short")
@pytest.mark.parametrize(
    ("short", "enough"),
    [
        ("the", "return a bike"),
        ("a", "a bike within"),
        (".", "days of delivery."),
        ("of", "30 days of delivery"),
        ("bike within", "bike within 30"),
        ("— — —", "Sale items cannot be returned."),
        ("you can", "You can return"),
    ],
)
def test_a_quote_that_matches_everything_is_refused(short, enough):
    source = f"the a . of — — — you can {POLICY}"
    assert codes(source, short) == {"quote_too_short"}
    assert codes(source, enough) == {"ok"}


@pytest.mark.parametrize(
    "pattern", [".*", "(a+)+$", "return a bike within .. days", "[a-z]+ a bike within", "\\w+ \\w+ \\w+", "50% (approx"]
)
def test_a_quote_is_literal_text_not_a_pattern(pattern):
    source = "The margin is 50% (approx) this quarter. You can return a bike within 30 days." + "a" * 40
    assert codes(source, pattern) <= {"quote_mismatch", "quote_too_short", "ok"}
    assert (code(source, pattern) == "ok") == (pattern in source)


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize("left_out", [1, 6, 60])
def test_a_quote_with_words_left_out_unmarked_is_refused(left_out):
    words = [f"word{number}" for number in range(300)]
    source = " ".join(words)
    assert codes(source, " ".join(words[50:100] + words[100 + left_out : 200])) == {"quote_mismatch"}
    assert codes(source, " ".join(words[50:200])) == {"ok"}


def test_a_fabricated_claim_is_told_beside_the_released_one():
    """A skipped check must never read as passed (conditions 6, 11 and 12)."""
    decision = Gate({"a": POLICY}).judge(
        reply(("You have 30 days.", [("a", QUOTE)]), ("You may keep it.", [("a", "you may keep the bike for ever")]))
    )
    assert [claim.text for claim in decision.claims] == ["You have 30 days."]
    assert [(r.claim, r.citation, r.code, r.key) for r in decision.refusals] == [(1, 0, ReasonCode.QUOTE_MISMATCH, "a")]
    assert [(claim.position, claim.codes) for claim in decision.withheld] == [(1, (ReasonCode.QUOTE_MISMATCH,))]
    assert "keep" not in repr(decision.withheld) + repr(decision.refusals)


@pytest.mark.code("nothing_verified")
def test_where_nothing_is_verified_nothing_leaves():
    """(condition 8)"""
    decision = Gate({"a": POLICY}).judge(reply(("You may keep it.", [("a", "you may keep it")])))
    assert (decision.code, decision.claims) == (ReasonCode.NOTHING_VERIFIED, ())
    assert Gate({"a": POLICY}).judge(reply(("You have 30 days.", [("a", QUOTE)]))).code is ReasonCode.OK


@pytest.mark.code("claim_uncited")
def test_citations_that_only_the_prose_speaks_of_are_none():
    """(condition 12)"""
    text = "See the clause, the clause, the clause and the Housing Act"
    decision = Gate({"a": POLICY}).judge(reply((text, [])))
    assert (decision.code, [r.code for r in decision.refusals]) == ("nothing_verified", ["claim_uncited"])
    assert Gate({"a": POLICY}).judge(reply((text, [("a", QUOTE)]))).code is ReasonCode.OK


@pytest.mark.code("model_abstained")
@pytest.mark.parametrize("status", ["abstained", "answered"])
def test_a_model_that_abstains_releases_nothing_whatever_it_proposes(status):
    """(condition 54)"""
    honest = reply(("You have 30 days.", [("a", QUOTE)]))
    proposal = {**honest, "status": "abstained"} if status == "abstained" else {"status": "answered", "claims": []}
    assert Gate({"a": POLICY}).judge(proposal).code is ReasonCode.MODEL_ABSTAINED
    assert Gate({"a": POLICY}).judge(proposal).claims == ()
    assert Gate({"a": POLICY}).judge({**honest, "status": "answered"}).code is ReasonCode.OK


@pytest.mark.code("invalid_json")
@pytest.mark.parametrize(
    "text",
    [
        "You have 30 days.",
        '{"claims": [{"text": "You have',
        "{} {}",
        '{"claims": NaN}',
        '{"claims": [], "claims": []}',
        "",
        '{"claims": ' + "[" * 5_000,
        '{"claims": ' + "[" * 100 + "]" * 100 + "}",
        '{"claims": [{"text": "\\ud800", "citations": []}]}',
        '{"claims": ' + "9" * 10_000 + "}",
    ],
    ids=["prose", "cut", "two objects", "NaN", "member twice", "empty", "open brackets", "deep", "surrogate", "long number"],
)  # fmt: skip
def test_a_reply_that_is_not_one_json_object_is_refused(text):
    """(condition 54)"""
    decision = Gate({"a": POLICY}).judge(text)
    assert (decision.code, [r.code for r in decision.refusals], decision.claims) == (
        "invalid_json",
        ["invalid_json"],
        (),
    )
    honest = '{"claims": [{"text": "You have 30 days.", "citations": [{"key": "a", "quote": "%s"}]}]}' % QUOTE
    assert Gate({"a": POLICY}).judge(honest).code is ReasonCode.OK


@pytest.mark.code("invalid_schema")
@pytest.mark.parametrize(
    "value", [[], 5, None, "7", {"claims": {}}, {"claims": None}, {"status": "done", "claims": []}, {}, {"status": []}]
)
def test_json_of_another_shape_is_refused_as_a_whole(value):
    """(condition 54)"""
    decision = Gate({"a": POLICY}).judge(value)
    assert (decision.code, [r.code for r in decision.refusals]) == ("invalid_schema", ["invalid_schema"])


@pytest.mark.code("invalid_schema")
@pytest.mark.parametrize(
    "malformed",
    [
        {"key": 999, "quote": QUOTE},
        {"key": None, "quote": QUOTE},
        {"quote": QUOTE},
        {"key": "a", "quote": None},
        {"key": "a", "quote": [QUOTE]},
        {"key": "a", "quote": QUOTE, "prefix": 5},
        {"key": "a", "quote": QUOTE, "suffix": {}},
        "a",
        None,
        [],
    ],
)
def test_a_malformed_citation_keeps_its_place_and_the_honest_one_leaves(malformed):
    """(condition 6)"""
    decision = Gate({"a": POLICY}).judge(reply(("You have 30 days.", [malformed, ("a", QUOTE)])))
    assert [(r.claim, r.citation, r.code) for r in decision.refusals] == [(0, 0, "invalid_schema")]
    assert [c.quote for c in decision.claims[0].citations] == [QUOTE]


@pytest.mark.parametrize("profile", PROFILES)
def test_what_leaves_is_cut_from_the_source(profile):
    """(invariant 3)"""
    source = "You can return\n  a  bike within 30 days."
    citation = Gate({"a": source}, profile=profile).verify("a", "return\n  a  bike within")
    assert citation.quote == source[citation.start : citation.end] == "return\n  a  bike within"
    folded = Gate({"a": source}, profile=profile).verify("a", "return a bike within")
    if profile == "verbatim":
        assert code_of(folded) == "quote_mismatch"
    else:
        assert (folded.quote, folded.folds) == ("return\n  a  bike within", ("whitespace",))


@pytest.mark.code("quote_too_short")
@pytest.mark.parametrize(
    "references",
    [
        "&nbsp; &nbsp; &nbsp;",
        "&comma; &#1; &#1; &#1;",
        "&#32;&#32; &#9; &nbsp;",
        "&amp; &lt; &gt;",
        "&zwnj; &zwj; &shy; &ZeroWidthSpace;",
        "the &nbsp; of &nbsp; a",
    ],
)
def test_a_quote_is_not_made_longer_by_references_to_nothing(references):
    source = "foo, bar. baz & < > qux the  of  a"
    assert "ok" not in codes(source, references)
    assert codes(source, references) <= {"quote_too_short", "quote_mismatch"}
    assert code("the&nbsp;bike is here", "the&nbsp;bike is", "extracted") == "ok"
