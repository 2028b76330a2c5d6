"""Addresses that open a page at the quote."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.release.fragment import LONGEST_TERM, text_fragment

TEXT = (
    "Fees\n\nThe fee is due, at once & always - never late.\n\nMore words. The fee is due, at once.\n\n"
    "Item\tFee\nBike\t5 EUR\n\nThe fee is due, at once & always - never late. And the end of it all."
)


def fragment(quote, text=TEXT, *, last=False):
    start = text.rindex(quote) if last else text.index(quote)
    return text_fragment(text, start, start + len(quote))


def terms(found):
    """The parts of a directive, decoded: prefix, start, end, suffix."""
    body = found.partition(":~:text=")[2]
    assert re.fullmatch(r"(?:[\w.~%]+-,)?[\w.~%]+(?:,[\w.~%]+)?(?:,-[\w.~%]+)?", body), body
    prefix, suffix = re.match(r"([^,-]+)-,", body), re.search(r",-([^,]+)$", body)
    middle = body[prefix.end() if prefix else 0 : suffix.start() if suffix else len(body)].split(",")
    return (unquote(prefix[1]) if prefix else "", unquote(middle[0]), unquote(middle[1]) if len(middle) > 1 else "",
            unquote(suffix[1]) if suffix else "")  # fmt: skip


def test_a_quote_is_told_whole_and_its_own_signs_are_encoded():
    assert fragment("due, at once & always - never") == "#:~:text=due%2C%20at%20once%20%26%20always%20%2D%20never"
    assert text_fragment("naïve – 10 %", 0, 12) == "#:~:text=na%C3%AFve%20%E2%80%93%2010%20%25"


def test_an_element_stands_before_the_directive():
    assert text_fragment("some words", 0, 10, element="sec 1-a") == "#sec%201-a:~:text=some%20words"


def test_a_quote_that_stands_there_before_is_told_by_the_words_before_it():
    assert terms(fragment("The fee is due, at once")) == ("", "The fee is due, at once", "", "")
    assert terms(fragment("The fee is due, at once", last=True)) == ("EUR", "The fee is due, at once", "", "")
    text = "b c d. a b c d. x b c d."
    assert terms(fragment("b c d.", text, last=True)) == ("x", "b c d.", "", "")
    assert terms(text_fragment(text, 9, 15)) == ("a", "b c d.", "", "")


def test_case_does_not_tell_two_places_apart():
    assert terms(fragment("the fee", "The Fee. Now the fee.")) == ("Now", "the fee", "", "")


def test_a_quote_over_blocks_or_cells_is_told_by_its_ends():
    quote = "never late.\n\nMore words. The fee is due, at once.\n\nItem"
    assert terms(fragment(quote)) == ("", "never late.", "Item", "")
    assert terms(fragment("Bike\t5 EUR")) == ("", "Bike", "5 EUR", "")


def test_a_long_quote_is_told_by_its_ends_which_are_long_enough_to_be_found():
    words = " ".join(f"w{n}" for n in range(200))
    assert terms(fragment(words, f"x {words} y")) == ("", "w0 w1 w2 w3 w4", "w195 w196 w197 w198 w199", "")
    again = words + " w195 w196 w197 w198 w199"
    found = terms(fragment(again, f"x {again} y"))
    assert found[2] == "w199 w195 w196 w197 w198 w199"
    ahead = f"w0 w1 w2 w3 w4 other. {words}"
    assert terms(fragment(words, ahead))[0].endswith("other.")


def test_marks_of_notes_do_not_stand_in_a_term():
    assert terms(fragment("due.[1] Now and", "It is due.[1] Now and ever.")) == ("", "due.", "Now and", "")
    assert terms(fragment("It is due[1] now", "It is due[1] now and ever.")) == (
        "",
        "It is",
        "now",
        "",
    )  # due1 on a page
    assert terms(fragment("fee is 500[12] euros", "The fee is 500[12] euros.")) == ("", "fee is", "euros", "")


@pytest.mark.parametrize(
    ("quote", "first", "last"),
    [("☒ The deposit is due", "The deposit is due", ""), ("an area of 10² metres", "an area of", "metres"),
     ("some H₂O in it", "some", "in it"), ("take 1/2 cup", "take", "cup"), ("take 3 1/2 cups", "take 3", "cups"),
     ("with 2 ³√(8) of it", "with 2", "(8) of it"), ("a limit max_5 of it", "a limit", "of it"),
     ("and/or snake_case", "and/or snake_case", ""), ("in 1999-2001 or [a longer note]", "in 1999-2001 or [a longer note]", ""),
     ("an area of 10².", "an area of", ""), ("漢字² の文", "漢字", "の文"), ("10²", "10²", ""), ("1/2", "1/2", "")],
)  # fmt: skip
def test_what_a_page_may_hold_in_other_signs_stands_in_no_term_unless_it_is_all(quote, first, last):
    assert terms(fragment(quote, f"Say {quote} here.")) == ("", first, last, "")


def test_signs_without_end_cost_no_more_than_their_length():
    text = "1/" * 20_000 + "²" * 20_000 + "x" * 20_000 + "[1]" * 20_000 + " end of it"
    assert terms(text_fragment(text, 0, len(text)))[1:3] == ("x" * 300, "end of it")


def test_a_long_text_without_spaces_is_cut_at_its_marks():
    text = "第一句话很长，" * 80
    _, first, last, _ = terms(text_fragment(text, 0, len(text)))
    assert first == "第一句话很长，第一句话很长" and 0 < len(last) <= LONGEST_TERM


@pytest.mark.parametrize(("start", "end"), [(0, 0), (2, 1), (-1, 2), (0, 99), (1, 2)])
def test_a_span_without_words_is_refused(start, end):
    with pytest.raises(ValueError, match="span of words"):
        text_fragment("a b", start, end)


@given(st.text(alphabet="aáßbB \n\t,.-&[1]字。", min_size=1, max_size=120), st.data())
def test_terms_stand_in_the_text_in_their_order(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    if not text[start:end].strip():
        return
    prefix, first, last, suffix = terms(text_fragment(text, start, end))
    flat = " ".join(text.split())
    for term in (prefix, first, last, suffix):
        assert " ".join(term.split()) in flat and "\n" not in term
    assert first


def test_a_released_citation_of_a_web_page_has_its_fragment_and_others_have_none():
    from verified_gate import AnswerEngine, Location, Passage

    class Retriever:
        def __init__(self, place, name="d"):
            self.place, self.name = place, name

        def retrieve(self, question, actor, limit):
            text = "A bike may be returned within 30 days of delivery."
            return [Passage("k", text, self.name, location=self.place)]

    page = AnswerEngine(retriever=Retriever(Location(element="returns", chapter="c.html"))).answer(
        "When may a bike be returned?"
    )
    assert page.citations[0].to_dict()["fragment"] == page.citations[0].fragment
    assert page.citations[0].fragment.startswith("#returns:~:text=A%20bike%20may")
    named = AnswerEngine(retriever=Retriever(Location(), "terms.HTML")).answer("When may a bike be returned?")
    assert named.citations[0].to_dict()["fragment"].startswith("#:~:text=A%20bike%20may")
    plain = AnswerEngine(retriever=Retriever(Location())).answer("When may a bike be returned?")
    assert "fragment" not in plain.citations[0].to_dict()
