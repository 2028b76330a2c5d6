"""Numbers that a page sets apart, raises or lowers by its style sheets, and that no quote may join."""

import pytest

from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation


def verdict(style, body, quote):
    text = read("html", f"<!doctype html><html><head><style>{style}</style></head><body>{body}").text
    return Gate([Passage(key="a", text=text, document_id="d")], profile="extracted").verify("a", quote)


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(
    ("style", "body", "joined", "honest"),
    [
        (".t b{display:table-cell}", "<div class=t><b>The fee by year:</b><b>10</b><b>20</b></div>", "by year:1020", "by year: 10"),
        (".t{display:flex}", "<div class=t><b>The fee:</b><b>10</b><b>20</b></div>", "The fee:1020", "The fee: 10"),
        (".t{display:grid}", "<p class=t><b>The rent</b><b>12</b><b>34 euros</b>", "The rent1234 euros", "The rent 12"),
        ("b{float:right}", "<p>The fee is 5<b>00</b> euros", "The fee is 500 euros", "The fee is 5"),
        ("a{vertical-align:super}", "<p>The fee is 500<a href='#n'>1</a> dollars", "The fee is 5001 dollars", "The fee is 500[1] dollars"),
        ("i{position:relative;top:-.5em;font-size:8px}", "<p>The area is 10<i>2</i> metres", "area is 102 metres", "area is 10² metres"),
        ("", "<p>Take 3<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> cups", "Take 31/2 cups", "Take 3 1/2 cups"),
    ],
)  # fmt: skip
def test_numbers_that_a_style_parts_are_not_one(style, body, joined, honest):
    refused = verdict(style, body, joined)
    assert isinstance(refused, Refusal) and refused.code == "quote_mismatch"
    assert isinstance(verdict(style, body, honest), VerifiedCitation)


def test_a_number_that_a_style_puts_together_is_quoted_as_it_is_seen():
    style, body = "sup{vertical-align:baseline;font-size:1em}", "<p>The fee is 5<sup>00</sup> euros"
    assert isinstance(verdict(style, body, "The fee is 500 euros"), VerifiedCitation)
    assert isinstance(verdict("", body, "The fee is 500 euros"), Refusal)
