"""What follows an element, and what asking for it costs on pages of elements without a sign."""

import time

import pytest

from tests.reading import read
from verified_gate.ingest.formats.page_tree import parse_html
from verified_gate.ingest.formats.neighbours import Behind


def signs(body, tag="img"):
    root, behind = parse_html(f"<html><body>{body}</body></html>".encode()), Behind()
    return [behind.sign(each) for each in root.iter(tag)]


def test_the_sign_that_follows_is_found_in_whatever_it_stands():
    assert signs("<p>1<img>2") == ["2"]
    assert signs("<p><i><img></i><b><u></u><s>2</s>3</b>") == ["2"]
    assert signs("<p><img><b><i></i>5</b>7", "b") == ["7"]
    assert signs("<p><img><b><img></b><img><i><b></b>5</i>7<img>") == ["5", "5", "5", ""]
    assert signs("<p>" + "<b><img></b>" * 3000 + "5")[-50:] == ["5"] * 50


def cost(data):
    start = time.process_time()
    read("html", data)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("head", "empty"),
    [("", "<img>"), ("", "<input value=1>"), ("", "<b><img></b>"), ("", "<button></button>"),
     ("<style>span{display:inline-block;margin:2px}</style>", "<span></span>")],
)  # fmt: skip
def test_empty_elements_behind_a_digit_cost_what_as_many_behind_a_letter_do(head, empty):
    digit, letter = (cost(f"<!doctype html>{head}<p>{sign}{empty * 40_000}") for sign in ("1", "("))
    assert digit < 4 * letter + 0.3


def test_a_digit_far_behind_many_empty_elements_is_none_of_the_number():
    assert read("html", f"<p>1{'<img>' * 5_000}2 euros").text == "1\t2 euros"
    assert read("html", f"<p>1{'<b></b>' * 5_000}2 euros").text == "12 euros"
