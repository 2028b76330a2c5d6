"""Which sheets of a page count, and which of their rules: those that browsers take, and no others."""

import pytest

from tests.pages import SECRET, page, ruled, seen

HIDES = ".x{display:none}"


def with_sheet(sheet, body=f'<p class="x">{SECRET}</p>'):
    return page(body, sheet)


@pytest.mark.parametrize(("unseen", "twin"), [
    (f'<style type="text/CSS">{HIDES}</style>', f'<style type="text/less">{HIDES}</style>'),
    (f'<style type="">{HIDES}</style>', f'<style type="text/x-template">{HIDES}</style>'),
    (f"<style>{HIDES}</style>", f"<noscript><style>{HIDES}</style></noscript>"),
    (f"<style>{HIDES}</style>", f"<template><style>{HIDES}</style></template>"),
    (f"<style title=a>{HIDES}</style>", f"<style title=b></style><style title=a>{HIDES}</style>"),
    (f'<meta http-equiv="default-style" content="a"><style title=b></style><style title=a>{HIDES}</style>',
     f'<meta http-equiv="default-style" content="b"><style title=b></style><style title=a>{HIDES}</style>'),
    (f'<link rel=stylesheet href="data:text/css,{HIDES}">', f'<link rel=stylesheet disabled href="data:text/css,{HIDES}">'),
    (f"""<link rel=stylesheet media=print onload="this.media='all'" href="data:text/css,{HIDES}">""",
     f'<link rel=stylesheet media=print href="data:text/css,{HIDES}">'),
])  # fmt: skip
def test_sheets_that_browsers_read_count_and_no_others(unseen, twin):
    assert not seen(with_sheet(unseen))
    assert seen(with_sheet(twin))


@pytest.mark.parametrize(("unseen", "twin"), [
    (".y{background:url(a'b)} .x{display:none}", ".y{background:url(a'b;} .x{display:none} .z{a:b)}"),
    (".y{background:url(//a/*b)} .x{display:none}", ".y{background:url(//a) /* b)} .x{display:none} */}"),
    (".y{background:url(a\\)}b)} .x{display:none}", ".y{background:url(a} .x{display:none}"),
    (".y{width:calc((1px))} .x{display:none}", ".y{width:calc((1px)} .x{display:none}"),
    (".y[a={}]{color:red} .x{display:none}", ".y[a={]{color:red} .x{display:none}"),
    (".y{color:red;}.x{display:none}", ".y{color:red;}}.x{display:none}"),
    (".y{color:red;}}.z{} .x{display:none}", ".y{color:red;}}@media all{.x{display:none}}"),
    ("@foo bar;.x{display:none}", "foo bar;.x{display:none}"),
    ("@import 'a;b';.x{display:none}", "p:not(.z;.q{color:red}).x{display:none}"),
    ("[class|=x]{display:none}", "[class|=y]{display:none}"), ("[*|class=x]{display:none}", "[*|class=y]{display:none}"),
    (".x{--A:0;--a:1;opacity:var(--A)}", ".x{--A:1;--a:0;opacity:var(--A)}"),
    (".x{--a:0;OPACITY:VAR(--a)}", ".x{--a:1;OPACITY:VAR(--a)}"),
    ('@keyframes "k k"{to{opacity:0}}.x{animation:"k k" 0s forwards}', '@keyframes "k k"{to{opacity:0}}.x{animation:"k" 0s forwards}'),
    ("@keyframes 'k'{to{opacity:0}}.x{animation:k 0s forwards}", "@keyframes 'k'{to{opacity:1}}.x{animation:k 0s forwards}"),
])  # fmt: skip
def test_rules_are_parted_as_browsers_part_them(unseen, twin):
    assert not seen(ruled(unseen))
    assert seen(ruled(twin))


def test_only_white_space_of_html_parts_the_names_of_a_class():
    for blank, apart in (
        (" ", True),
        ("\t", True),
        ("\f", True),
        ("\u00a0", False),
        ("\u2003", False),
        ("\x1f", False),
    ):
        assert seen(ruled(HIDES, f'class="a{blank}x"')) is not apart, repr(blank)


def test_a_template_is_a_shadow_tree_only_where_browsers_make_it_one():
    tree = "<template shadowrootmode=open>other</template>" + SECRET
    assert not seen(page(f"<div>{tree}</div>")) and not seen(page(f"<my-box>{tree}</my-box>"))
    assert seen(page(f"<b>{tree}</b>")) and seen(page(f"<a href=x>{tree}</a>"))


@pytest.mark.parametrize(("unseen", "twin"), [
    (f"<svg><style><![CDATA[{HIDES}]]></style></svg>", f"<style><![CDATA[{HIDES}]]></style>"),
    ("<svg><style>&#46;x{display:none}</style></svg>", "<style>&#46;x{display:none}</style>"),
    (f"<svg><style>{HIDES}</style></svg>", f"<svg><style><!--{HIDES}--></style></svg>"),
])  # fmt: skip
def test_a_sheet_in_a_drawing_is_read_as_markup(unseen, twin):
    assert not seen(with_sheet("", f'{unseen}<p class="x">{SECRET}</p>'))
    assert seen(with_sheet("", f'{twin}<p class="x">{SECRET}</p>'))


@pytest.mark.parametrize(("sheet", "twin"), [
    ("body, .b{.x&{display:none}}", ".c, .b{.x&{display:none}}"),
    ("body *, .b{.x&{display:none}}", ".a *, .b{.x&{display:none}}"),
    ("p, .b{& + .x{display:none}}", ".a, .b{& + .x{display:none}}"),
    ("p, .b{+ .x{display:none}}", "p, .b{& > .x{display:none}}"),
])  # fmt: skip
def test_a_rule_in_a_rule_of_several_selectors_is_of_each_of_them(sheet, twin):
    body = f'<p>Before.</p><p class="x">{SECRET}</p>'
    sheet, twin = (f"<style>{each.replace('body,', '.x,')}</style>" for each in (sheet, twin))
    assert not seen(with_sheet(sheet, body))
    assert seen(with_sheet(twin, body))


_HIDE, _SHOW = "@layer a{.x{display:none}}", "@layer b{.x.y{display:block}}"


@pytest.mark.parametrize(("sheets", "twin"), [
    (("@layer b,a;", _HIDE + _SHOW), ("@layer a,b;", _HIDE + _SHOW)),
    ((".q{color:red}@layer b,a", _HIDE + _SHOW), (".q{color:red}@layer a,b", _HIDE + _SHOW)),
    (("@LAYER b,a;" + _HIDE + _SHOW,), ("@LAYER a,b;" + _HIDE + _SHOW,)),
    (("@layer p{@layer b,a;}@layer p.a{.x{display:none}}@layer p.b{.x.y{display:block}}",),
     ("@layer p{@layer a,b;}@layer p.a{.x{display:none}}@layer p.b{.x.y{display:block}}",)),
    (("@layer{.x.y{display:block}}", "@layer{.x{display:none}}"), ("@layer{.x.y{display:none}}", "@layer{.x{display:block}}")),
    (("@layer{.x{display:none!important}}", "@layer{.x.y{display:block!important}}"),
     ("@layer{.x{display:block!important}}", "@layer{.x.y{display:none!important}}")),
    (("@media print{@layer a{}}" + _SHOW + _HIDE,), ("@media screen{@layer a{}}" + _SHOW + _HIDE,)),
    (("@media print{@layer a,b;}" + _SHOW + _HIDE,), ("@media screen{@layer a,b;}" + _SHOW + _HIDE,)),
])  # fmt: skip
def test_layers_overrule_each_other_in_the_order_in_which_they_are_named(sheets, twin):
    body = f'<p class="x y">{SECRET}</p>'
    assert not seen(with_sheet("".join(f"<style>{each}</style>" for each in sheets), body))
    assert seen(with_sheet("".join(f"<style>{each}</style>" for each in twin), body))


@pytest.mark.parametrize(("sheet", "twin"), [
    (".x{display:block;&{display:none}}", ".x{display:block;&.z{display:none}}"),
    (".x{opacity:1;@media screen{&{opacity:0}}}", ".x{opacity:1;@media print{&{opacity:0}}}"),
    (".x{color:#000;@media screen{color:#fff}}", ".x{color:#fff;@media screen{color:#000}}"),
    (".x{color:#000;&{color:#fff}}", ".x{&{color:#fff}color:#000}"),
])  # fmt: skip
def test_a_rule_in_a_rule_comes_after_what_is_declared_before_it(sheet, twin):
    assert not seen(ruled(sheet))
    assert seen(ruled(twin))
