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
