"""Rules for parts of elements, and for shadow trees, that hide words of the page."""

import pytest

from tests.pages import SECRET, page, ruled, seen, seen_words


@pytest.mark.parametrize(("unseen", "twin"), [
    (".x::first-line{color:#fff}", ".x::first-line{color:#900}"),
    (".x:first-line{color:transparent}", ".x:first-line{font-weight:bold;color:inherit}"),
    (".x::first-line{font-size:0}", ".x::first-line{font-size:120%}"), ("p.x::First-Letter{font-size:0}", ".x::first-letter{font-size:3em}"),
    ("div,.x::first-line{font:0/0 a}", "div,.x::first-line{font:1em a;position:absolute;left:-9999px}"),
])  # fmt: skip
def test_first_lines_and_letters_that_are_not_seen_mark_the_element(unseen, twin):
    assert not seen(ruled(unseen))
    assert seen(ruled(twin))


@pytest.mark.parametrize("where", [".x::after", ".x:before", "body::before", "p.x::AFTER", "body ::before", "::after"])
@pytest.mark.parametrize(("covering", "twin"), [
    ("inset:0;background:#fff", "inset:0;background:rgba(0,0,0,.2)"),
    ("top:0;left:0;width:100%;height:100%;background:white", "top:0;left:0;width:100%;height:2px;background:white"),
    ("inset:0;background-color:#333", "inset:0;background-color:#333;z-index:-1"),
    ("inset:0;background:linear-gradient(#fff,#eee)", "inset:0;background:linear-gradient(transparent,#eee)"),
    ("inset:0;background:#fff", "inset:0;background:#fff;opacity:0"), ("inset:0;background:#fff", "inset:0;background:#fff;transform:scaleX(0)"),
    ("inset:0;background:#fff", "inset:0;background:#fff;content:none"), ("inset:0;background:#fff", "background:#fff"),
])  # fmt: skip
def test_a_box_that_a_sheet_lays_over_an_element_marks_it(where, covering, twin):
    body = f'<p class="x">{SECRET}</p>'
    sheet = '<style>.x{{position:relative}}{}{{content:"";position:absolute;{}}}</style>'.format
    assert SECRET not in seen_words(page(body, sheet(where, covering)))
    assert SECRET in seen_words(page(body, sheet(where, twin)))


def test_a_box_under_a_pointer_covers_nothing():
    sheet = '.x:hover::after{content:"";position:absolute;inset:0;background:#fff}'
    assert seen(ruled(sheet)) and not seen(ruled(sheet.replace(":hover", "")))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("<div><template shadowrootmode=open><style>:host{display:none}</style><p>S</p></template></div>",
     "<div><template shadowrootmode=open><style>:host{display:block}</style><p>S</p></template></div>"),
    ("<div class=a><template shadowrootmode=open><style>:host(.a){color:#fff}</style><p>S</p></template></div>",
     "<div><template shadowrootmode=open><style>:host{color:#fff}</style></template></div><p>S</p>"),
    ("<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><p>S</p></div>",
     "<div><template shadowrootmode=open><style>::slotted(p){display:none}</style><slot></slot></template><h2>S</h2></div><p>a"),
    ("<style>x-h::part(a b){display:none}</style><x-h><template shadowrootmode=open><p part=a>S</p></template></x-h>",
     "<style>x-h::part(a){display:none}</style><x-h><template shadowrootmode=open><p part=b>S</p></template></x-h><p part=a>a"),
])  # fmt: skip
def test_rules_for_shadow_trees_and_what_they_take_in_hide(unseen, twin):
    assert not seen(page(unseen.replace(">S<", f">{SECRET}<")))
    assert seen(page(twin.replace(">S<", f">{SECRET}<")))
