"""The diagnosis of a refusal tells an operator why, and never accepts."""

import pytest

from verified_gate import Gate, Refusal, VerifiedCitation, explain

TEXT = "You can return a  bike within 30 days of delivery. A non-refundable fee is due."


def _refusal(gate, quote, key="a"):
    refusal = gate.verify(key, quote)
    assert isinstance(refusal, Refusal)
    return refusal


def test_it_tells_the_wider_profile_and_its_folds():
    gate = Gate({"a": TEXT})
    diagnosis = explain(gate, _refusal(gate, "return a bike within 30 days"))
    assert (diagnosis.code, diagnosis.wider_profile, diagnosis.folds) == (
        "quote_mismatch",
        "typographic",
        ("whitespace",),
    )
    editorial = explain(gate, _refusal(gate, "“within 30 days of delivery”"))
    assert (editorial.wider_profile, editorial.folds) == ("editorial", ("kept-quotes",))


def test_it_tells_the_nearest_text_and_the_first_difference():
    gate = Gate({"a": TEXT}, profile="editorial")
    diagnosis = explain(gate, _refusal(gate, "bike within 90 days of delivery"))
    nearest = diagnosis.nearest
    assert (diagnosis.wider_profile, diagnosis.folds) == (None, ())
    assert TEXT[nearest.start : nearest.end].endswith("days of delivery")
    assert nearest.likeness > 80
    assert (nearest.source[0], nearest.quote[0]) == ("3", "9")


def test_it_never_accepts_what_it_explains():
    gate = Gate({"a": TEXT})
    refusal = _refusal(gate, "return a bike within 30 days")
    explain(gate, refusal)
    assert gate.verify("a", "return a bike within 30 days").code == "quote_mismatch"
    assert not isinstance(explain(gate, refusal), VerifiedCitation)


@pytest.mark.parametrize(
    ("key", "quote"),
    [
        ("unknown", "return a bike"),
        ("a", ""),
        ("a", "\ud800 \ud800 \ud800"),
        ("a", "x" * 90_000),
        ("a", "…"),
        ("empty", "one two three"),
    ],
)
def test_it_raises_for_no_refusal_whatever_it_holds(key, quote):
    gate = Gate({"a": TEXT, "empty": ""})
    diagnosis = explain(gate, _refusal(gate, quote, key))
    assert diagnosis.code == gate.verify(key, quote).code
    assert diagnosis.meaning


def test_it_keeps_texts_out_of_its_repr():
    gate = Gate({"a": TEXT})
    diagnosis = explain(gate, _refusal(gate, "bike within 90 days of delivery"))
    assert "delivery" not in repr(diagnosis)


def test_it_explains_refusals_only():
    gate = Gate({"a": TEXT})
    for other in (gate.verify("a", "within 30 days of delivery"), None, "quote_mismatch"):
        with pytest.raises(TypeError):
            explain(gate, other)


@pytest.mark.parametrize(("profile", "at"), [("verbatim", 8), ("typographic", 34), ("extracted", 34)])
def test_what_the_profile_passes_over_is_no_difference(profile, at):
    gate = Gate({"a": "He said “yes” and paid the fee of 40 euros in all."}, profile=profile)
    nearest = explain(gate, gate.verify("a", 'He said "yes" and paid the fee of 50 euros')).nearest
    assert (nearest.differs_at, nearest.quote.endswith("50 euros")) == (at, True)
    cut = explain(gate, gate.verify("a", "He said “yes” and paid the fee of 4")).nearest
    assert (cut.differs_at, cut.quote) == (35, "")


CLAUSE = (
    "Either party may terminate this Agreement by giving not less than\r\nsixty (60) days prior written notice to the "
    "other party."
)
ONE_LINE = CLAUSE.replace("\r\n", " ")


@pytest.mark.parametrize("before", ["", "\n\n  1.\n\nA preamble  of\n\nits own. "])
@pytest.mark.parametrize("after", ["", " It ends then."])
def test_a_line_break_in_the_source_is_the_difference_and_the_nearest_text_covers_the_quote(before, after):
    diagnosis = explain(*_refused(before + CLAUSE + after, ONE_LINE))
    nearest = diagnosis.nearest
    assert (diagnosis.wider_profile, diagnosis.folds) == ("typographic", ("whitespace",))
    assert (before + CLAUSE + after)[nearest.start : nearest.end] == CLAUSE
    assert nearest.differs_at == ONE_LINE.index(" sixty")
    assert (nearest.source[:4], nearest.quote[:4]) == ("\r\nsi", " six")


def test_white_space_that_the_profile_passes_over_is_no_difference():
    nearest = explain(*_refused(CLAUSE, ONE_LINE.replace("(60)", "(61)"), profile="typographic")).nearest
    assert nearest.differs_at == ONE_LINE.index("0)")
    assert (nearest.source[:3], nearest.quote[:3]) == ("60)", "61)")
    assert CLAUSE[nearest.start : nearest.end] == CLAUSE


def test_a_quote_that_goes_on_is_told_so_only_where_the_source_ends():
    nearest = explain(*_refused(CLAUSE, CLAUSE + " Or so.")).nearest
    assert (nearest.end, nearest.source, nearest.quote) == (len(CLAUSE), "", " Or so.")
    nearest = explain(*_refused(CLAUSE + "\nOr not.", CLAUSE + " Or")).nearest
    assert (nearest.source[:3], nearest.quote) == ("\nOr", " Or")


def test_what_a_site_lets_a_quote_read_otherwise_is_no_difference():
    text, quote = "the infor-\nmation given within 30 days of it", "the information given within 90 days"
    nearest = explain(*_refused(text, quote, profile="extracted")).nearest
    assert (nearest.source[:2], nearest.quote[:2], nearest.differs_at) == ("30", "90", quote.index("90"))
    nearest = explain(*_refused(text, quote)).nearest
    assert nearest.differs_at == quote.index("mation")


@pytest.mark.parametrize(
    ("source", "quote", "told"),
    [
        ("notice of 60 days is due", "notice of 61 days is due", ("60 days", "61 days")),
        ("a fee of 1.50 euros is due", "a fee of 1.51 euros is due", ("1.50 eu", "1.51 eu")),
        ("a fee of 1.50 euros is due", "a fee of 1,50 euros is due", ("1.50 eu", "1,50 eu")),
        ("it must be returnable then", "it must be returned by then", ("returna", "returne")),
        ("it must be returned. then", "it must be returned, then", (". then", ", then")),
    ],
)
def test_a_changed_word_or_number_is_shown_from_its_beginning(source, quote, told):
    nearest = explain(*_refused(source, quote)).nearest
    assert (nearest.source[:7], nearest.quote[:7]) == told


def test_a_split_token_is_told_with_the_place_of_the_split():
    text = (
        "A duty of Section 14 is one. " + "Of any other duty or warranty " * 9 + "see Section 14.1 of it, or 230 days."
    )
    ends = explain(*_refused(text, "warranty see Section 14")).nearest
    assert (text[: ends.split].endswith("Section 14"), ends.source, ends.quote) == (True, text[ends.split :][:40], "")
    begins = explain(*_refused(text, "30 days.")).nearest
    assert (begins.split, begins.start) == (text.index("30 days"), text.index("30 days"))
    whole = explain(*_refused(text, "warranty see Section 15")).nearest
    assert (whole.split, whole.source[:4], whole.quote) == (None, "14.1", "15")


def _refused(text, quote, **policy):
    gate = Gate({"a": text}, **policy)
    return gate, _refusal(gate, quote)


def test_blank_evidence_and_a_blank_quote_have_nothing_near_each_other():
    gate = Gate({"k": " \n "})
    for quote in (" ", "\n\n", " " * 5_000 + "a"):
        assert explain(gate, gate.verify("k", quote)).nearest is None


LETTER = (
    "The fee for the service is 10 euros. The tenant may end the contract with thirty days notice. Payment is due on the "
    "first day of each month. The tenant may end the lease of the garage at any time."
)


@pytest.mark.parametrize(("quote", "source", "wrong"), [
    ("The tenant may always end the contract with thirty days notice", "end the contract", "always end"),
    ("The tenant may end contract with thirty days notice", "the contract with", "contract with"),
    ("Payment is, unless both parties agree otherwise in writing before, due on the first day", " due on", ", unless"),
    ("Every tenant may end the contract with thirty days notice", "The tenant may end the contract", "Every tenant"),
    ("the contract with sixty days notice. Payment is due", "thirty days", "sixty days"),
    ("tenant may end the contract with notice. Payment is due on the first day", "thirty days", "notice. Payment"),
    ("The tenant may end the contract at any time", "with thirty days", "at any time"),
])  # fmt: skip
def test_the_nearest_text_begins_where_the_quote_does_though_words_are_too_many_or_too_few(quote, source, wrong):
    gate = Gate({"a": LETTER})
    nearest = explain(gate, _refusal(gate, quote)).nearest
    assert nearest.source.startswith(source) and nearest.quote.startswith(wrong)
    assert nearest.start == 0 or LETTER[nearest.start - 1] == " "
