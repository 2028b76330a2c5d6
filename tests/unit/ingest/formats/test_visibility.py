"""Which words of a page its own styles hide."""

import pytest

from verified_gate.ingest.formats.page_tree import parse_html
from verified_gate.ingest.formats.colours import colour
from verified_gate.ingest.formats.declared import declarations
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.html import read
from verified_gate.ingest.formats.seen import UNTRIED
from verified_gate.ingest.formats.sheets import parse_sheet
from verified_gate.ingest.formats.visibility import Styles
from verified_gate.ingest.limits import ReadingLimits


def ruled(sheet, element="<p class='a b' id='x'>"):
    styles = Styles()
    styles.add(parse_sheet(sheet))
    page = parse_html(f"{element}words".encode())
    return styles.of("p", page.find(".//p"))


def test_a_rule_counts_when_all_of_its_names_are_met():
    for selector in ("p", ".a", "#x", "p.a", ".a.b", "p.b#x", "*.a", "*", "q, .a"):
        assert ruled(selector + "{display:none}").declared == {"display": "none"}, selector
    for selector in ("q", ".c", "#y", "q.a", ".a.c", "p > i", "p:hover", "[hidden]", "div p", ""):
        assert ruled(selector + "{display:none}").declared == {}, selector


def test_a_name_that_a_rule_too_complex_to_follow_may_show_is_contested():
    assert ruled(".a{display:none} .t .a{display:block}").contested
    assert ruled(".a{display:none} .a:hover{visibility:visible}").contested
    assert not ruled(".a{display:none} .t .c{display:block} .t .a{display:none} .t .a{margin:0}").contested


@pytest.mark.parametrize("sheet", ["@media print{.a{display:none}}", "@media (max-width: 9px){.a{display:none}}",
                                   "/* .a{display:none} */", ".a{/*display:none*/}", ".a{", "@font-face{display:none}",
                                   "@media not screen{.a{display:none}}", "@keyframes a{.a{display:none}}"])  # fmt: skip
def test_rules_that_do_not_hold_on_a_screen_hide_nothing(sheet):
    assert ruled(sheet).harmless


@pytest.mark.parametrize("sheet", ["@media screen{.a{display:none}}", "@import 'x';.a{display:none}",
                                   "@media all{.a{DISPLAY:None}}", "/**/.a{color:red;display:none!important"  "}"])  # fmt: skip
def test_rules_that_hold_on_a_screen_hide(sheet):
    assert shown(ruled(sheet).declared) == "gone"


def test_declarations_and_colours_are_read_in_any_spelling():
    assert declarations("COLOR : Red ; border:0;;x") == {"color": "red"}
    for spelled in (
        "#fff",
        "#FFFFFF".lower(),
        "white",
        "rgb(255,255,255)",
        "rgb(255 255 255)",
        "#ffff",
    ):
        assert colour(spelled) == "#ffffff", spelled
    for spelled in ("", "transparent", "inherit", "rgba(0,0,0,0)"):
        assert colour(spelled) == "", spelled


def test_rules_times_elements_are_bounded_and_what_is_not_tried_is_not_known_to_be_seen():
    styles = Styles()
    styles.add(parse_sheet(".a{color:red}" * 20_000))
    page = parse_html("".join(f"<p class='a b{n}'>x</p>" for n in range(300)).encode())
    known = [styles.of("p", element) for element in page.iter("p")]
    assert styles.spent
    assert known[0].harmless
    assert not known[-1].harmless
    assert not known[-1].calm


def test_a_page_of_too_many_rules_is_read_marked_and_told():
    rules = "".join(f".a.c{n}{{color:#fff}}" for n in range(9_000)) + ".h{display:none}"
    body = "".join(f"<p class='a b{n}'>Line {n}.</p>" for n in range(900))
    found = read(f"<style>{rules}</style><p>Opening.</p>{body}<p class='h q'>Whispered.</p>".encode(), ReadingLimits())
    at = found.text.index("Line 899.")
    assert UNTRIED in found.lost
    assert any(start <= at < end for start, end in found.hidden)
    start = found.text.find("Whispered.")
    assert start < 0 or any(first <= start < end for first, end in found.hidden)
    opening = found.text.index("Opening.")
    assert not any(start <= opening < end for start, end in found.hidden)


def test_a_page_of_few_rules_tells_of_none():
    found = read(b"<style>.a{color:#333}</style><p class=a>Line 1.</p>", ReadingLimits())
    assert (found.lost, found.hidden) == ((), ())
