"""Selectors: what they mean is met, and what they do not mean is not."""

import pytest

from tests.pages import SECRET, page, ruled, seen
from verified_gate.ingest.formats.selectors import guesses


def hides(selector, attributes='class="x"'):
    return not seen(ruled(f"{selector}{{display:none}}", attributes))


@pytest.mark.parametrize(("unseen", "twin"), [
    (".x:is(body *)", ".x:is(.a *)"),
    (".x:where(body *)", ".x:where(.a *)"),
    ("p.x:is(html *)", "p.x:is(.dark *)"),
    (".x:is(body > *)", ".x:is(html > *)"),
    (".x:is(.a *, body *)", ".x:is(.a *, .b *)"),
    (".x:is(:where(body):not(.on) *)", ".x:is(:where(.group):not(.on) *)"),
    (".x:is(:where(html, body):is(:root) *)", ".x:is(:where(body):is([open]) *)"),
    (".x:is(:is(:where(.y, .x)))", ".x:is(:is(:where(.y, .z)))"),
    (":is(html .x)", ":is(div .x)"),
    ("body :is(html .x)", "div :is(html .x)"),
    (".x:is(p:not(.y, .z))", ".x:is(p:not(.y, .x))"),
])  # fmt: skip
def test_what_a_list_of_selectors_asks_to_be_around_is_asked(unseen, twin):
    assert hides(unseen)
    assert not hides(twin)


@pytest.mark.parametrize(("selector", "met", "twin"), [
    ('[data-a="a,b"]', 'data-a="a,b"', 'data-a="a"'),
    ('[data-a="a,b"]', 'data-a="a,b"', 'data-a=""'),
    ('[data-a="a{b"]', 'data-a="a{b"', 'data-a="a"'),
    ('[data-a="a)b"]', 'data-a="a)b"', 'data-a="ab"'),
    (r'[data-a="a\]b"]', 'data-a="a]b"', 'data-a="ab"'),
    (r"[data-a='a\2c b']", 'data-a="a,b"', 'data-a="ab"'),
    (r'[data-a="a\\b"]', r'data-a="a\b"', 'data-a="ab"'),
    (r'[data-a="a\"]{b"]', "data-a='a\"]{b'", 'data-a="a"'),
    ('p[data-a]:not([data-a="a)b"])', 'data-a="a"', 'data-a="a)b"'),
    ("p/**/.x", "class=x", "class=y"),
    ("p/*a*//*b*/[lang]", "lang=de", "class=y"),
    (r".a\{b", 'class="a{b"', 'class="a"'),
    (r".a\,b", 'class="a,b"', 'class="b"'),
    (r".a\"b", "class='a\"b'", 'class="a"'),
    (r".q,.a\[1\,2\]", 'class="a[1,2]"', 'class="a"'),
    (r":is(.a\,b,.c)", 'class="a,b"', 'class="a"'),
])  # fmt: skip
def test_strings_escapes_and_comments_part_no_selector(selector, met, twin):
    assert hides(selector, met)
    assert not hides(selector, twin)


def test_a_comment_parts_values():
    assert seen(ruled(".x{margin:1px/**/.5em;color:black}"))
    assert not seen(ruled(".x{margin:1px/**/.5em;display/**/:none}"))


@pytest.mark.parametrize(("selector", "met", "twin"), [
    ("p:lang(de,en)", "lang=en", "lang=fr"),
    ('p:lang("*-US")', "lang=en-us", "lang=en-GB"),
    ("p:lang(de-DE)", "lang=de-Latn-DE", "lang=de-x-DE"),
    ("p:lang(de)", "lang=de-AT", "lang=den"),
    ('p:lang("*")', "lang=a", "lang=''"),
])  # fmt: skip
def test_languages_are_met_as_ranges(selector, met, twin):
    assert hides(selector, met)
    assert not hides(selector, twin)


@pytest.mark.parametrize(("unseen", "twin"), [
    ("<fieldset disabled><button>{}</button></fieldset>", "<fieldset><button>{}</button></fieldset>"),
    ("<fieldset disabled><p><button>{}</button></fieldset>", "<fieldset disabled><legend><button>{}</button></legend></fieldset>"),
    ("<button disabled>{}</button>", "<p disabled>{}</p>"),
])  # fmt: skip
def test_what_stands_in_a_disabled_part_of_a_form_is_disabled(unseen, twin):
    assert not seen(page(unseen.format(SECRET), "<style>button:disabled,p:disabled{display:none}</style>"))
    assert seen(page(twin.format(SECRET), "<style>button:disabled,p:disabled{display:none}</style>"))


def test_an_id_asked_for_as_an_attribute_weighs_as_one():
    names = 'class="x y" id="i"'
    assert not seen(ruled(".x.y{color:#fff}[id=i]{color:#000}", names))
    assert seen(ruled(".x.y{color:#fff}#i{color:#000}", names))
    assert not seen(ruled("[id=i]{display:none}", names))
    assert seen(ruled("[id=j]{display:none}", names))


@pytest.mark.parametrize(
    "selector", [":is(" * 300 + ".a" + ")" * 300, ".x" + ":is(.a .b,.c .d)" * 38, ":is(" * 39 + "a b,c" + ",d e)" * 39,
                 ".x:is(" + ".a *," * 900 + ".b)", ":is(.a *,.b *) " * 35, ".x:where(" + ":is(a,b)" * 39 + " *)"]
)  # fmt: skip
def test_selectors_in_each_other_cost_little_and_ask_less(selector):
    assert len(guesses(selector)) < 3_000  # and not as many as there are ways to take one of each list
