"""Attack family: the `not` that a quote leaves out: inside it, at its ends, or in the word it cuts."""

import pytest

from tests.verdicts import PROFILES, code, codes, verdict
from verified_gate import Gate, VerifiedCitation

DROPPED = [
    ("The buyer shall not pay the costs.", "The buyer shall pay the costs."),
    ("Returns are not guaranteed by us.", "Returns are guaranteed by us."),
    ("Returns are never accepted by us.", "Returns are accepted by us."),
    ("No returns are accepted by us.", "Returns are accepted by us."),
    ("It is neither safe nor free of charge.", "It is safe and free of charge."),
    ("You cannot return it at all.", "You can return it at all."),
    ("You can’t return it at all.", "You can return it at all."),
    ("You have **not** paid the fee.", "You have paid the fee."),
    ("Der Käufer zahlt nicht die Kosten.", "Der Käufer zahlt die Kosten."),
    ("Er zahlt keine Kosten dafür.", "Er zahlt eine Kosten dafür."),
    ("L’acheteur ne paie pas les frais.", "L’acheteur paie les frais."),
    ("El comprador no paga los gastos.", "El comprador paga los gastos."),
    ("买方不支付费用给卖方", "买方支付费用给卖方"),
    ("لا يدفع المشتري التكاليف أبدا", "يدفع المشتري التكاليف كلها"),
    ("खरीदार शुल्क नहीं देगा कभी", "खरीदार शुल्क देगा कभी"),
]


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(("source", "quote"), DROPPED)
def test_a_quote_without_the_negation_inside_it_is_refused(source, quote):
    assert codes(source, quote) == {"quote_mismatch"}
    assert codes(source, source) == {"ok"}


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(("source", "quote"), DROPPED)
def test_a_negation_that_the_source_has_not_is_refused(source, quote):
    assert codes(quote, source) == {"quote_mismatch"}
    assert codes(quote, quote) == {"ok"}


@pytest.mark.code("quote_splits_token")
@pytest.mark.parametrize(
    ("source", "cut", "whole"),
    [
        ("she was unable to cancel it", "able to cancel it", "unable to cancel it"),
        ("this is an illegal act here", "legal act here", "illegal act here"),
        ("it is impossible to return it", "possible to return it", "impossible to return it"),
        ("a non-refundable sum of money", "refundable sum of money", "non-refundable sum of money"),
        ("a non\u2011refundable sum of money", "refundable sum of money", "non\u2011refundable sum of money"),
        ("a non-\nrefundable sum of money", "refundable sum of money", "non-\nrefundable sum of money"),
        ("a risk-free sum of money", "we take a risk", None),
        ("we offer a risk-free loan", "we offer a risk", "we offer a risk-free"),
        ("they say we can’t cancel", "they say we can", "they say we can’t"),
        ("they say we can't cancel", "they say we can", "they say we can't"),
        ("they say we cannot cancel", "they say we can", "they say we cannot"),
        ("the two owners don't cancel", "the two owners do", "the two owners don't"),
        ("es ist unzulässig für alle", "zulässig für alle", "unzulässig für alle"),
        ("the tax-exempt sum is paid", "exempt sum is paid", "tax-exempt sum is paid"),
        ("der Käufer ist zahlungsunfähig geworden", "fähig geworden ist", None),
    ],
)
def test_a_quote_that_cuts_the_negation_off_its_word_is_refused(source, cut, whole):
    if whole is None:
        assert "ok" not in codes(source, cut)
    else:
        assert codes(source, cut) == {"quote_splits_token"}
        assert codes(source, whole) == {"ok"}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Sale is final. It is not permitted to terminate. Pay now.", "permitted to terminate"),
        ("Sale is final. Nobody is bound by it. Pay now.", "is bound by it"),
        ("First.\n\nIt is not\npermitted to\nterminate the lease.\n\nLast.", "to\nterminate the lease"),
    ],
)
def test_a_quote_after_the_negation_leaves_with_the_sentence_that_shows_it(source, quote, profile):
    citation = verdict(source, quote, profile)
    assert isinstance(citation, VerifiedCitation)
    assert citation.quote == quote
    assert "not" in citation.sentence or "Nobody" in citation.sentence
    assert "Sale" not in citation.sentence
    assert "Pay now" not in citation.sentence
    assert "\n" not in citation.sentence


def test_the_sentence_reaches_back_over_a_long_passage():
    source = "It is not true that " + "word " * 200 + "the buyer may return it."
    citation = Gate({"a": source}).verify("a", "the buyer may return it")
    assert citation.sentence.startswith("It is not true that word")


@pytest.mark.code("quote_mismatch")
def test_what_the_source_strikes_through_is_not_said():
    """Strikethrough deletes; it is no emphasis."""
    assert codes("this is ~~not~~ refundable here", "this is not refundable here") == {"quote_mismatch"}
    assert code("this is **not** refundable here", "this is not refundable here", "extracted") == "ok"


@pytest.mark.code("quote_mismatch")
def test_a_ticked_box_is_not_dropped():
    source = "Smoking: ✓ allowed □ forbidden here"
    assert codes(source, "Smoking: allowed forbidden here") == {"quote_mismatch"}
    assert code("You may: • return it • keep it", "You may: return it keep it", "extracted") == "ok"
