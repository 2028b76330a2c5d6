"""Quotes over the border of passages (scope) and quotes that stand more than once (occurrences)."""

import pytest

from tests.verdicts import PROFILES, code_of
from verified_gate import Gate, Passage, VerifiedCitation
from verified_gate.model import Location, sha256_of_text

DOCUMENT = "The sum shall be paid within 30 days of delivery. It is due at once. No more is said."
QUOTE = "shall be paid within 30 days"
HASH = sha256_of_text(DOCUMENT)


def _cut(key, first, last, **place):
    return Passage(key, DOCUMENT[first:last], **{"document_id": "d", "version": "1", "start": first, **place})


A, B, C = _cut("a", 0, 22), _cut("b", 22, 50), _cut("c", 50, 68)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("evidence", [(A, B), (B, A), (A, B, C), (C, B, A)], ids=["AB", "BA", "ABC", "CBA"])
def test_scope_document_names_every_passage_touched_the_cited_one_first(evidence, profile):
    gate = Gate(evidence, profile=profile, scope="document")
    for cited, keys in (("a", ("a", "b")), ("b", ("b", "a"))):
        citation = gate.verify(cited, QUOTE)
        assert (citation.keys, citation.key, citation.offsets) == (keys, cited, "document")
        assert (citation.start, citation.end) == (8, 36)
        assert DOCUMENT[citation.start : citation.end] == citation.quote == QUOTE
        assert citation.passage_sha256 == sha256_of_text(A.text if cited == "a" else B.text)


def test_a_quote_inside_one_passage_names_that_passage_alone():
    for scope in ("passage", "document"):
        assert Gate([A, B, C], scope=scope).verify("b", "within 30 days").keys == ("b",)


def test_a_quote_over_three_passages_names_three():
    quote = "days of delivery. It is due at once. No more"
    parts = [_cut("b", 22, 50), _cut("c", 50, 69), _cut("e", 69, len(DOCUMENT))]
    for cited in "bce":
        citation = Gate(parts, scope="document").verify(cited, quote)
        assert set(citation.keys) == {"b", "c", "e"}
        assert citation.keys[0] == cited
        assert citation.quote == quote


def test_a_passage_that_only_meets_the_border_is_not_touched():
    citation = Gate([A, B, C], scope="document").verify("a", "shall be paid within 30 days of delivery. ")
    assert citation.keys == ("a", "b")


def test_it_must_touch_the_cited_passage():
    gate = Gate([A, B, C], scope="document")
    assert gate.verify("c", QUOTE).code == "quote_mismatch"
    assert gate.verify("a", "It is due at once").code == "quote_in_other_passage"
    assert isinstance(gate.verify("a", QUOTE), VerifiedCitation)


@pytest.mark.parametrize("step", range(1, 20))
def test_overlapping_windows_are_joined_once(step):
    windows = [_cut(f"w{at}", at, at + 20) for at in range(0, len(DOCUMENT), step)]
    citation = Gate(windows, scope="document").verify("w0", QUOTE)
    assert (citation.quote, citation.start) == (QUOTE, 8)
    assert citation.keys[0] == "w0"


def test_a_window_within_a_window_changes_nothing():
    citation = Gate([A, _cut("inner", 4, 9), B], scope="document").verify("a", QUOTE)
    assert citation.quote == QUOTE
    assert set(citation.keys) == {"a", "b", "inner"}


@pytest.mark.code("quote_crosses_passages")
@pytest.mark.parametrize("gap", [1, 2, 40])
def test_a_gap_of_unknown_characters_is_not_bridged(gap):
    """What stands between is not known: it may be `not`."""
    text = f"The sum shall{' ' * gap}be paid within 30 days."
    for between in (" " * gap, "x" * gap):
        document = text.replace(" " * gap, between, 1) if gap > 1 else text
        first = Passage("a", document[:13], "d", version="1", start=0)
        last = Passage("b", document[13 + gap :], "d", version="1", start=13 + gap)
        for scope in ("passage", "document"):
            verdict = Gate([first, last], scope=scope).verify("a", "sum shall be paid within")
            assert verdict.code == "quote_crosses_passages"


def test_the_whole_document_bridges_a_gap():
    part = _cut("a", 0, 21, text_sha256=HASH)
    citation = Gate([part], scope="document", documents=[DOCUMENT]).verify("a", QUOTE)
    assert (citation.quote, citation.keys, citation.start) == (QUOTE, ("a",), 8)
    both = Gate([part, _cut("b", 22, 50, text_sha256=HASH)], scope="document", documents=["other", DOCUMENT])
    assert both.verify("b", QUOTE).keys == ("b", "a")
    assert Gate([part], documents=[DOCUMENT]).verify("a", QUOTE).code == "quote_crosses_passages"


@pytest.mark.parametrize(
    ("part", "documents"),
    [
        (_cut("a", 0, 21, text_sha256=HASH), [DOCUMENT.replace("30", "90")]),
        (_cut("a", 0, 21, text_sha256=HASH), [DOCUMENT + " "]),
        (_cut("a", 0, 21, text_sha256="0" * 64), [DOCUMENT]),
        (_cut("a", 0, 21), [DOCUMENT]),
        (_cut("a", 0, 21, text_sha256=HASH, start=1), [DOCUMENT]),
        (_cut("a", 0, 21, text_sha256=HASH, start=None), [DOCUMENT]),
        (_cut("a", 0, 21, text_sha256=HASH, start=10**9), [DOCUMENT]),
    ],
    ids=["altered", "longer", "wrong pin", "no pin", "wrong place", "no place", "beyond the end"],
)
def test_a_document_that_is_not_the_passages_is_never_used(part, documents):
    contradicted = part.start not in (0, None)  # a place that the document of this hash does not have
    for quote in (QUOTE, QUOTE.replace("30", "90")):
        verdict = Gate([part], scope="document", documents=documents).verify("a", quote)
        assert verdict.code == ("integrity_failure" if contradicted else "quote_mismatch")
    twin = Gate([_cut("a", 0, 21, text_sha256=HASH)], scope="document", documents=[DOCUMENT])
    assert isinstance(twin.verify("a", QUOTE), VerifiedCitation)


def test_contradicting_overlaps_are_not_joined():
    first = _cut("a", 0, 30)
    for text in ("within 99 days of delivery", "WITHIN 30 days of delivery"):
        other = Passage("b", text, "d", version="1", start=22)
        assert Gate([first, other], scope="document").verify("a", "be paid within 99 days").code == "quote_mismatch"
    assert isinstance(Gate([first, B], scope="document").verify("a", QUOTE), VerifiedCitation)


def test_folds_reach_over_the_border():
    text = "The sum shall\n   be paid within 30 days."
    parts = [Passage("a", text[:14], "d", version="1", start=0), Passage("b", text[14:], "d", version="1", start=14)]
    citation = Gate(parts, scope="document", profile="typographic").verify("a", "sum shall be paid within")
    assert citation.quote == "sum shall\n   be paid within"
    assert citation.folds == ("whitespace",)
    assert Gate(parts, scope="document").verify("a", "sum shall be paid within").code == "quote_crosses_passages"


def test_borders_hold_in_the_document():
    text = "The sum of 15 mg shall be paid now."
    parts = [Passage("a", text[:20], "d", version="1", start=0), Passage("b", text[20:], "d", version="1", start=20)]
    gate = Gate(parts, scope="document")
    assert code_of(gate.verify("a", "5 mg shall be paid")) == "quote_splits_token"
    assert code_of(gate.verify("a", "15 mg shall be paid")) == "ok"


def test_lines_over_a_border_are_those_of_the_passage():
    part = _cut("a", 0, 21, text_sha256=HASH, location=Location(first_line=3, last_line=3))
    citation = Gate([part], scope="document", documents=[DOCUMENT]).verify("a", QUOTE)
    assert citation.location.first_line == 3


REPEATED = "A fee of 5 euros is due. Then again a fee of 5 euros is due. At last the fee of 5 euros ends."
FEE = "fee of 5 euros"
PLACES = [2, 38, 73]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("context", "at"),
    [
        ({}, 0),
        ({"prefix": "A "}, 0),
        ({"prefix": "again a "}, 1),
        ({"prefix": "again a"}, 1),
        ({"prefix": "againa"}, 1),
        ({"prefix": "the "}, 2),
        ({"suffix": " ends"}, 2),
        ({"suffix": "ends."}, 2),
        ({"suffix": " is due. At"}, 1),
        ({"prefix": "again a ", "suffix": " is due."}, 1),
        ({"prefix": "", "suffix": ""}, 0),
        ({"prefix": "Then  again\na "}, 1),
    ],
)
def test_prefix_and_suffix_single_out_one_place(profile, context, at):
    citation = Gate({"a": REPEATED}, profile=profile).verify("a", FEE, **context)
    assert (citation.start, citation.occurrences, citation.quote) == (PLACES[at], 3, FEE)


@pytest.mark.code("quote_ambiguous")
@pytest.mark.parametrize("profile", PROFILES)
def test_strict_refuses_what_nothing_singles_out(profile):
    gate = Gate({"a": REPEATED}, profile=profile, occurrences="strict")
    for context in ({}, {"prefix": "nowhere "}, {"suffix": " is due."}, {"prefix": "again a ", "suffix": " ends"}):
        assert gate.verify("a", FEE, **context).code == "quote_ambiguous"
    assert gate.verify("a", FEE, prefix="again a ").start == PLACES[1]
    assert gate.verify("a", "Then again a fee of 5 euros").occurrences == 1


def test_context_never_makes_a_quote_true():
    gate = Gate({"a": REPEATED})
    assert gate.verify("a", "fee of 9 euros", prefix="A ", suffix=" is due.").code == "quote_mismatch"
    assert gate.verify("a", "ee of 5 euros", prefix="A f").code == "quote_splits_token"


def test_places_that_split_a_token_do_not_count():
    citation = Gate({"a": "15 mg twice daily or 5 mg twice daily"}, occurrences="strict").verify(
        "a", "5 mg twice daily"
    )
    assert (citation.start, citation.occurrences) == (21, 1)


def test_an_exact_place_is_preferred_to_a_folded_one():
    citation = Gate({"a": "a fee of  5 euros, a fee of 5 euros"}, profile="typographic").verify("a", FEE)
    assert (citation.start, citation.folds) == (21, ())


@pytest.mark.code("quote_splits_token")
@pytest.mark.parametrize("scope", ["passage", "document"])
def test_a_passage_cut_inside_a_token_does_not_end_it(scope):
    """A quote that ends where the passage was cut: the neighbour shows that the number goes on."""
    gate = Gate([_cut("a", 0, 30), _cut("b", 30, 50)], scope=scope)
    assert gate.verify("a", "The sum shall be paid within 3").code == "quote_splits_token"
    assert gate.verify("b", "0 days of delivery").code == "quote_splits_token"
    assert code_of(gate.verify("a", "The sum shall be paid within")) == "ok"
    assert code_of(gate.verify("b", "days of delivery.")) == "ok"
    alone = Gate([_cut("a", 0, 30, text_sha256=HASH)], scope=scope, documents=[DOCUMENT])
    assert alone.verify("a", "The sum shall be paid within 3").code == "quote_splits_token"


def test_a_context_reaches_a_folded_place_too():
    gate = Gate({"a": "a fee of  5 euros is due. And fee of 5 euros is not"}, profile="typographic")
    citation = gate.verify("a", FEE, suffix=" is due. And")
    assert (citation.start, citation.folds, citation.occurrences) == (2, ("whitespace",), 2)
    assert gate.verify("a", FEE, suffix=" is not").folds == ()


def test_words_inside_one_passage_that_the_profile_does_not_fold_cross_no_border():
    parts = [
        Passage("a", "The fee is  nine euros, and it is due at once.", "d", version="1", start=0),
        Passage("b", " It may be waived.", "d", version="1", start=46),
    ]
    gate = Gate(parts)
    assert gate.verify("a", "The fee is nine euros").code == "quote_mismatch"
    assert gate.verify("a", "due at once. It may be waived").code == "quote_crosses_passages"
    assert Gate(parts, profile="typographic").verify("a", "The fee is nine euros").quote == "The fee is  nine euros"
