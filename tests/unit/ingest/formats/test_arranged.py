"""Where style sheets put elements: apart, higher, lower; and words that they write."""

import sys
import time

import pytest

from tests.containers import epub, xhtml
from tests.reading import blocks, read
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


def page(body, style=""):
    head = f"<style>{style}</style>" if style else ""
    return read("html", f"<!doctype html><html><head>{head}</head><body>{body}")


def text(body, style=""):
    return page(body, style).text


TWO = "<p><span>10</span><span>20 euros</span></p>"


@pytest.mark.parametrize(
    "style",
    ["span{display:block}", "span{display:table-cell;padding:4px}", "p{display:flex;gap:20px}", "p{display:grid}",
     "p{display:inline-flex}", "span{float:left}", "span{position:absolute}", "p>span{display:list-item}",
     "p{display:contents}body{display:flex}", "@media (min-width:1500px){span{display:block}}", "p>*{display:block}",
     "p:has(span){display:grid}", "span{--d:block;display:var(--d)}", "span+span{display:block}",
     "span{display:block!important}p span{display:inline}", "p{display:-webkit-flex}", "span{display:flow-root}",
     "span:nth-child(2){display:table}", "p{display:flex}p{color:#fff;background:#000}"],
)  # fmt: skip
def test_numbers_that_a_style_sets_apart_do_not_run_together(style):
    assert text(TWO, style).split() == ["10", "20", "euros"]


@pytest.mark.parametrize(
    "style",
    ["", "span{display:inline}", "span{float:none;position:relative}", "span{display:block}p span{display:inline}",
     "@media print{span{display:block}}", "span:hover{display:block}", "p{display:block;position:absolute;float:left}",
     "span{display:none}span{display:inline}", "b{display:block}", "span{margin:0;color:#111;vertical-align:baseline}"],
)  # fmt: skip
def test_what_stands_in_one_line_is_one_word(style):
    assert text(TWO, style) == "1020 euros"


def test_styles_of_elements_set_apart_too():
    assert text("<x-a style='display:block'>10</x-a><x-a style='display:block'>20</x-a>") == "10\n\n20"
    assert text("<div style='display:flex'>Fee:<b>10</b> <i>20</i></div>") == "Fee:\t10\t20"
    assert text("<p>The fee is 5<span style='float:right'>00</span> euros") == "The fee is 5\n\n00\n\neuros"
    assert text("<table><tr><td style='display:flex'><b>10</b><b>20</b><td>30</table>") == "10\n20\t30"
    assert text("<p>10<dialog open>20</dialog>30") == "10\n\n20\n\n30"


def test_names_of_classes_know_no_capitals_where_a_page_has_no_document_type():
    body = "<style>.Row{display:flex}#Two{float:right}</style><p class=row><b>10</b><b>20</b><p>5<b id=two>6</b>"
    assert read("html", f"<html><body>{body}").text == "10\t20\n\n5\n\n6"
    assert read("html", f"<!doctype html><html><body>{body}").text == "1020\n\n56"


def test_cells_that_are_none_of_a_table_stand_in_one_line():
    found = page("<div><b>Fee</b><b>10</b> <b>20</b></div><div><b>Rent</b><b>30</b></div>", "b{display:table-cell}")
    assert blocks(found) == [("paragraph", "Fee\t10\t20"), ("paragraph", "Rent\t30")]
    assert text("<div><b>Fee</b><br><b>10</b></div>", "b{display:table-cell}") == "Fee\n10"
    assert text("<div><b>Fee</b><div>10</div></div>", "div{display:flex}") == "Fee\n\n10"


def test_boxes_without_words_and_what_is_not_seen_part_no_sentence():
    for style in ("position:absolute", "float:left"):
        assert text(f"<p>The late <i style='{style}'></i>fee</p>") == "The late fee"
        assert text(f"<p>The late <i style='{style};display:none'>x</i>fee</p>") == "The late fee"
    found = page("<p>The late <i style='position:absolute;color:#fff'>x </i>fee</p>")
    assert found.text == "The late x fee" and found.hidden


def test_a_large_letter_at_the_side_begins_its_word():
    style = ".d{float:left;font-size:300%}"
    assert text("<p><span class=d>9</span>00 euros", style) == "900 euros"
    assert text("<p><span class=d>T</span>he fee", style) == "The fee"
    assert text("<p><span class=d>1</span> The fee", style) == "1\n\nThe fee"
    assert text("<p>Fee <span class=d>T</span>he fee", style) == "Fee\n\nT\n\nhe fee"
    assert text("<p><span class=d>1</span>500 euros", ".d{float:left}") == "1\n\n500 euros"


def test_headings_and_lines_of_code_stay_one_block():
    found = page("<h2><span>Fees</span><span>2024</span></h2><p>x", "span{display:block}")
    assert blocks(found) == [("heading", "Fees\n2024"), ("paragraph", "x")]
    code = "<pre><span class=l>a = 1</span><span class=l>b = 2\n</span>\n<span class=l>c</span></pre>"
    assert blocks(page(code, ".l{display:block}")) == [("code", "a = 1\nb = 2\n\nc")]


@pytest.mark.parametrize(
    "style",
    ["vertical-align:super;font-size:smaller", "vertical-align:5px;font-size:8px", "font-variant-position:super",
     "position:relative;top:-.5em;font-size:8px", "vertical-align:text-top;font-size:60%", "vertical-align:40%",
     "position:relative;bottom:6px", "font-feature-settings:\"sups\" 1"],
)  # fmt: skip
def test_digits_that_a_style_raises_are_an_exponent(style):
    assert text("<p>The area is 10<span class=x>2</span> metres", f".x{{{style}}}") == "The area is 10² metres"
    assert text("<p>Due in 10<span class=x>th</span> month", f".x{{{style}}}") == "Due in 10th month"


@pytest.mark.parametrize(
    "style",
    ["vertical-align:baseline", "position:relative;top:1px", "vertical-align:1px", "vertical-align:middle", "top:-.5em",
     "vertical-align:top", "font-size:8px", "position:relative;top:auto", "vertical-align:super;vertical-align:baseline",
     "vertical-align:5", "position:relative;top:50%"],
)  # fmt: skip
def test_digits_on_the_line_are_part_of_their_number(style):
    assert text("<p>The fee is 5<span class=x>00</span> euros", f".x{{{style}}}") == "The fee is 500 euros"


def test_digits_that_a_style_lowers_are_an_index():
    for style in ("vertical-align:sub", "position:relative;top:.3em;font-size:.7em", "font-variant-position:sub"):
        assert text("<p>H<span class=x>2</span>O", f".x{{{style}}}") == "H₂O"


def test_marks_of_notes_that_a_style_raises_stand_in_brackets():
    style = ".fn{vertical-align:super;font-size:.6em}"
    assert text("<p>The fee is 500<a class=fn href='#f1'>1</a> dollars", style) == "The fee is 500[1] dollars"
    assert text("<p>The fee is 500<a href='#f1'><span class=fn>1</span></a>", style) == "The fee is 500[1]"
    assert text("<p>See 500<a class=fn href='x.html'>1</a>", style) == "See 500¹"


@pytest.mark.parametrize(
    ("style", "given"),
    [("sup{vertical-align:baseline;font-size:1em}", "500"), ("sup{font:inherit;vertical-align:baseline}", "500"),
     ("sup{vertical-align:baseline;font-size:100%;position:relative;top:0}", "500"),
     ("sup{font-size:75%;line-height:0;position:relative;vertical-align:baseline;top:-.5em}", "5⁰⁰"),
     ("sup{font-size:1em}", "5⁰⁰"), ("sup{vertical-align:baseline}", "5⁰⁰"), ("sup{vertical-align:sub}", "5₀₀"),
     ("sub{vertical-align:baseline;font-size:1em}", "5⁰⁰"), ("sup{color:#111}", "5⁰⁰")],
)  # fmt: skip
def test_an_exponent_that_a_style_puts_on_the_line_is_none(style, given):
    assert text("<p>The fee is 5<sup>00</sup> euros", style) == f"The fee is {given} euros"


@pytest.mark.parametrize(
    "style",
    [".n::before{content:'9'}", ".n:after{content:'not '}", ".n::after{content:','}", ".n::before{content:attr(title)}",
     "p .n::before{content:counter(a)}", ".n::before{content:\"not; at all\"}", "p>*::before{content:'x'}"],
)  # fmt: skip
def test_words_that_a_style_writes_are_told(style):
    found = page("<p>The fee is 1<b class=n title=9>000</b>0 euros", style)
    assert found.lost == ("1 place with words that style sheets write",)
    assert found.coverage == "partial"


@pytest.mark.parametrize(
    "style",
    [".n::before{content:''}", ".n::before{content:none}", ".n::before{content:'9'}.n::before{content:none}",
     ".n::before{content:'9';display:none}", ".n::after{content:'»'}", ".n::before{content:'\\f015'}",
     ".n:hover::after{content:'9'}", "@media print{.n::after{content:'9'}}", "b::before{content:'9'}", ".n{content:'9'}",
     ".n::before{content:url(a1.png)}", "p::before{counter-increment:a;content:counter(a) '. '}",
     ".n::after{content:'9';visibility:hidden}"],
)  # fmt: skip
def test_signs_of_no_word_are_not_told(style):
    found = page("<p>The fee is <i class=n>1000</i> euros", style)
    assert (found.text, found.lost) == ("The fee is 1000 euros", ())


def test_signs_that_a_style_writes_keep_words_apart():
    assert text("<p><i>Home</i><i>Fees</i>", "i+i::before{content:'/'}") == "Home Fees"
    assert text("<p><i>Home</i>, <i>Fees</i>", "i::after{content:'»'}") == "Home, Fees"


def test_rules_of_a_book_place_its_words_too():
    chapter = xhtml(
        "<p>500<a class='fn' href='#f'>1</a> <b>10</b><b>20</b></p>", head='<link rel="stylesheet" href="a.css"/>'
    )
    found = read("epub", epub({"a.xhtml": chapter}, extra={"book/a.css": ".fn{vertical-align:super}b{display:block}"}))
    assert found.text == "500[1]\n\n10\n\n20"
    assert read("epub", epub({"a.xhtml": chapter})).text == "5001 1020"


@pytest.mark.parametrize(
    ("formula", "given"),
    [("<mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "3 1/2"), ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mn>3</mn>", "1/2 3"),
     ("<mi>x</mi><mfrac><mn>1</mn><mn>2</mn></mfrac>", "x1/2"), ("<mn>2</mn><mroot><mn>8</mn><mn>3</mn></mroot>", "2 ³√(8)"),
     ("<mroot><mi>x</mi><mi>n</mi></mroot>", "n√(x)"), ("<mn>2</mn><msqrt><mn>4</mn></msqrt><mn>2</mn>", "2√(4)2"),
     ("<munder><mo>max</mo><mn>5</mn></munder><mn>00</mn>", "max_5 00"), ("<mn>4</mn><mn>2</mn>", "42"),
     ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>", "[1 2; 3]"),
     ("<mn>1</mn><mspace width='1em'/><mn>2</mn>", "1 2"),
     ("<mtable><mtr><mtd>1</mtd></mtr><mtr style='display:none'><mtd>2</mtd></mtr></mtable>", "[1]")],
)  # fmt: skip
def test_parts_of_a_formula_do_not_run_into_numbers_beside_them(formula, given):
    assert text(f"<p>m <math>{formula}</math> n") == f"m {given} n"


def test_words_in_fields_are_told_and_what_is_beside_stays_apart():
    found = page("<p>The fee is 5<input value=00>0 euros.")
    assert (found.text, found.lost) == ("The fee is 5\t0 euros.", ("1 field with words in a form",))
    for field in (
        "type=hidden value=9",
        "type=submit value=Go",
        "",
        "value=''",
        "placeholder=9",
        "value=9 style='display:none'",
    ):
        assert page(f"<p>The fee is <input {field}> euros").lost == ()


@pytest.mark.parametrize("sign", ["-", r"\2212", "€", " %", "<", "."])
def test_a_sign_that_a_sheet_writes_at_a_number_is_told(sign):
    for way in ("before", "after"):
        told = (f"1 place with words that style sheets write",)
        sheet = f"<style>.q::{way}{{content:'{sign}'}}</style>"
        assert page(f"{sheet}<p>The fee is <span class=q>12</span> euros.").lost == told
        assert page(f"{sheet}<p>The <span class=q>fee</span> is 12 euros.").lost == ()
    assert page("<style>.q::before{content:'•'}</style><p>The fee is <span class=q>12</span> euros.").lost == ()


def test_a_sign_that_a_sheet_writes_in_an_empty_element_parts_a_number():
    found = page("<style>.q::before{content:'.'}</style><p>The fee is 1<i class=q></i>2 euros.")
    assert (found.text, found.lost) == ("The fee is 1\t2 euros.", ("1 place with words that style sheets write",))


def test_a_number_goes_on_over_no_picture_and_over_no_box_with_room_of_its_own():
    assert text("<p>The fee is 5<img alt=0>0 euros") == "The fee is 5\t0 euros"
    for tag in ("svg", "canvas", "video", "iframe", "object", "progress", "meter", "select", "audio", "button"):
        assert text(f"<p>The fee is 12<{tag}></{tag}>345 euros") == "The fee is 12\t345 euros", tag
        assert text(f"<p>The fee <{tag}></{tag}>12, 345 euros") == "The fee 12, 345 euros", tag
    assert text("<p>The <img alt=''>fee<img alt=''>, 5 euros") == "The fee, 5 euros"
    assert text(TWO, "span{display:inline-block;width:60px}") == "10\t20 euros"
    assert text(TWO, "span{display:inline-block}") == "1020 euros"
    assert text("<p><i>F</i><i>ee</i>", "i{display:inline-block;width:9px}") == "Fee"


def test_buttons_are_words_of_their_own():
    assert text("<p><button>Yes</button><button>No</button>") == "Yes No"
    assert text("<p>Press <button>OK</button>.") == "Press OK."
    assert text("<p>10<marquee>20</marquee>30") == "10\n\n20\n\n30"


@pytest.mark.parametrize("tag", ["div", "i", "b", "sup", "span", "x-a", "button"])
@pytest.mark.parametrize(
    "style",
    ["display:flex", "vertical-align:super", "display:inline-block;margin:9px", "float:left;color:#222",
     "font-size:small;top:-9px;position:relative", "", "display:contents;opacity:.9"],
)  # fmt: skip
def test_pages_as_deep_as_the_parser_lets_through_are_read_whatever_places_their_elements(tag, style):
    deep, limit = 250, sys.getrecursionlimit()
    found = text(f"<{tag} id=x role=note class=y>" * deep + "words of a page" + f"</{tag}>" * deep, f"{tag}{{{style}}}")
    assert "".join(sign for sign in found if sign.isalpha()) in ("wordsofapage", "ᵒʳᵈˢᵒᶠᵃᵖᵃᵍᵉ")
    assert sys.getrecursionlimit() == limit


def test_shadow_trees_that_go_deeper_in_each_other_than_any_page_are_refused():
    limit = sys.getrecursionlimit()
    tree = "<template shadowrootmode=open>" + "<div>" * 110 + "<slot></slot>" + "</div>" * 110 + "</template>"
    assert text(f"<div>{tree}" * 2 + "words" + "</div>" * 2) == "words"
    with pytest.raises(UnreadableFile) as refused:
        text(f"<div>{tree}" * 100 + "words" + "</div>" * 100)
    assert refused.value.reason is Unreadable.TOO_DEEP
    assert sys.getrecursionlimit() == limit


def rules(number, selector, declared="float:left"):
    return "".join(f"{selector.replace('N', str(each))}{{{declared}}}" for each in range(number))


SHADOW = "<p>5<span><template shadowrootmode=open><style>::slotted(b){display:block}</style><slot></slot></template><b>10</b></span>"


@pytest.mark.parametrize(
    ("style", "body"),
    [(rules(500, '[data-x="N"]'), "<i data-x=A>10</i>" * 10_000), (rules(500, "div .cN span"), "<span>10</span>" * 10_000),
     (rules(500, "i.b.cN span"), "<i class=b><span>10</span></i>" * 10_000),
     (rules(1000, '[data-x^="N"]'), "<i data-x=A>10</i>" * 5000),
     (rules(1000, "section .cN span"), "<div><span>10</span></div>" * 5000),
     ("", SHADOW * 1000)],
    ids=["attributes", "around", "names", "starts", "parents", "shadows"],
)  # fmt: skip
def test_pages_of_many_rules_for_many_elements_are_read(style, body):
    assert text(f"<p>Words of a page. {body}", style).startswith("Words of a page.")


def test_what_too_many_rules_may_place_is_set_apart():
    """The same page is read as rules say where there are few."""
    body = "<p>The fee is 10<b data-x=7>20</b>0 euros.<p>Its cost is 10<b>20</b>0 euros."
    hostile = "".join(f"<i data-x={each}>1</i>" for each in range(3000)) + body
    assert text(body, rules(1000, '[data-x^="N"]', "color:#222")).split("\n")[0] == "The fee is 10200 euros."
    found = text(hostile, rules(1000, '[data-x^="aN"]'))
    assert "The fee is 10\n\n20\n\n0 euros." in found
    assert "Its cost is 10200 euros." in found


def test_many_rules_for_equal_elements_cost_one_look():
    def cost(number):
        start = time.process_time()
        text("<div>" + "<span data-x=a>10</span> " * number, rules(500, "div .cN span") + rules(500, '[data-x="N"]'))
        return time.process_time() - start

    assert cost(8000) < 8 * cost(2000)
    assert cost(8000) < 2 * cost(0) + 8 * cost(1000)


def test_of_rules_that_say_the_same_the_last_holds():
    style = "b{float:left}b{float:none}"
    assert text("<p>1<b>2</b>", style * 3) == "12"
    assert text("<p>1<b>2</b>", style * 3 + "b{float:left}") == "1\n\n2"
