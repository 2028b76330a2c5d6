"""Each way of hiding words on a page, with a twin that differs in that alone and is seen."""

import time

import pytest

from tests.containers import epub, xhtml
from tests.reading import hidden, read

SECRET = "Ninety are due."


def seen(data, kind="html"):
    """Whether the secret is read as what a reader sees."""
    found = read(kind, data)
    assert "Opening." in found.text
    return SECRET in found.text and not any(word in " ".join(hidden(found)) for word in SECRET.split())


def page(body, head=""):
    return f"<!DOCTYPE html><html><head><title>T</title>{head}</head><body><p>Opening.</p>{body}</body></html>"


def styled(style):
    return page(f'<p class="x" style="{style}">{SECRET}</p>')


def ruled(sheet, style="", tag="p"):
    return page(
        f'<div class="o"><{tag} class="x" id="y" style="{style}">{SECRET}</{tag}></div>', f"<style>{sheet}</style>"
    )


@pytest.mark.parametrize(("unseen", "twin"), [
    ("color:transparent", "color:#333"),
    ("color:rgba(0,0,0,0)", "color:rgba(0,0,0,.8)"),
    ("color:rgb(0 0 0 / 0%)", "color:rgb(0 0 0 / 90%)"),
    ("color:hsla(0,0%,0%,0)", "color:hsla(0,0%,0%,1)"),
    ("color:#0000", "color:#000f"),
    ("-webkit-text-fill-color:transparent", "-webkit-text-fill-color:black"),
    ("color:#fefefe", "color:#444"),
    ("color:hsl(0,0%,100%)", "color:hsl(0,0%,30%)"),
    ("color:red;background:#f00", "color:red;background:#ff0"),
    ("color:lime;background:rgb(0,255,0)", "color:lime;background:rgb(0,0,0)"),
    ("color:#fff;background:linear-gradient(white,white)", "color:#fff;background:linear-gradient(#036,#003)"),
    ("color:#fff;background:url(a.png)", "color:#fff;background:#000 url(a.png)"),
    ("font:0/0 a", "font:12px/1 a"),
    ("font:0 a", "font:700 1em a"),
    ("font-size:.1px", "font-size:9px"),
    ("font-size:1%", "font-size:90%"),
    ("opacity:.01", "opacity:.6"),
    ("filter:opacity(0)", "filter:opacity(1)"),
    ("clip-path:inset(50%)", "clip-path:inset(5%)"),
    ("clip-path:inset(0 100% 0 0)", "clip-path:inset(0 10% 0 0)"),
    ("clip-path:circle(0)", "clip-path:circle(90%)"),
    ("position:absolute;clip:rect(1px,1px,1px,1px)", "position:absolute;clip:rect(0,900px,90px,0)"),
    ("transform:scale(0)", "transform:scale(1)"),
    ("transform:translateX(-9999px)", "left:50%;position:absolute;transform:translate(-50%,-50%)"),
    ("transform:rotateY(90deg)", "transform:rotateY(180deg)"),
    ("scale:0", "scale:1"),
    ("margin-left:-9999px", "margin-left:-9px"),
    ("margin:0 0 0 -9999px", "margin:0 -9999px;padding:0 9999px"),
    ("position:absolute;right:-9999px", "position:absolute;right:9px"),
    ("position:absolute;left:99999px", "position:absolute;left:99px"),
    ("position:relative;left:-9999px", "position:relative;left:-9px"),
    ("position:absolute;left:calc(-9999px)", "position:absolute;left:calc(50% - 9px)"),
    ("position:fixed;top:200vh", "position:absolute;top:1500px"),
    ("max-height:0;overflow:hidden", "max-height:9em;overflow:hidden"),
    ("height:0;overflow:clip", "height:0"),
    ("width:0;overflow-x:hidden", "width:100%;overflow-x:hidden"),
    ("content-visibility:hidden", "content-visibility:auto"),
    ("text-indent:100%;overflow:hidden;white-space:nowrap", "text-indent:2em;overflow:hidden"),
    ("display:none/**/", "/*display:none*/"),
    ("display:no\\6e e", "display:i\\6e line"),
    ("display:none!important;display:block", "display:none;display:block"),
    ("display:none;display:block x", "display:none;display:block flow"),
])  # fmt: skip
def test_what_a_style_hides_is_not_seen_and_its_twin_is(unseen, twin):
    assert not seen(styled(unseen))
    assert seen(styled(twin))
    assert not seen(ruled(f".x{{{unseen}}}"))
    assert seen(ruled(f".x{{{twin}}}"))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("<!-- .x{display:none} -->", "<!-- .z{display:none} -->"),
    ("@media (min-width:1px){.x{display:none}}", "@media (max-width:600px){.x{display:none}}"),
    ("@media only screen{.x{display:none}}", "@media only print{.x{display:none}}"),
    ("@media screen and (min-width:1px){.x{display:none}}", "@media print and (min-width:1px){.x{display:none}}"),
    ("@media not print{.x{display:none}}", "@media not screen{.x{display:none}}"),
    ("@supports (display:grid){.x{display:none}}", "@supports (display:grid){.z{display:none}}"),
    ("@container (min-width:0){.x{display:none}}", "@keyframes a{.x{display:none}}"),
    ("body .x{display:none}", "body .z{display:none}"),
    (".o > p.x{display:none}", ".z > p.x{display:none}"),
    (".o *{display:none}", ".z *{display:none}"),
    (".o p{display:none}", ".o b{display:none}"),
    (":root .x{visibility:hidden}", ":root .x{visibility:visible}"),
    ("p.x:not(.z){display:none}", "p.z:not(.x){display:none}"),
    (".x:nth-child(1){display:none}", ".x:hover{display:none}"),
    (".x:first-of-type,.z{display:none}", ".x::before,.z{display:none}"),
    (":is(.z, .x){display:none}", ":is(.z, .q){display:none}"),
    ("[class=x]{display:none}", "[class=z]{display:none}"),
    ("[class*=x]{display:none}", "[class*=z]{display:none}"),
    ("[id='y']{display:none}", "[id='z']{display:none}"),
    (".o{& .x{display:none}}", ".o{& .z{display:none}}"),
    (".x{display:none;&:hover{color:red}}", ".x{color:red;&:hover{display:none}}"),
    (".\\78 {display:none}", ".\\79 {display:none}"),
    (".x\\:z, .z::after{content:'}'} .x{display:none}", ".x\\:z{display:none} .z::after{content:'}'}"),
    (".x{display:none!important} .x{display:block}", ".x{display:none} .x{display:block}"),
])  # fmt: skip
def test_what_a_rule_hides_is_not_seen_and_its_twin_is(unseen, twin):
    assert not seen(ruled(unseen))
    assert seen(ruled(twin))


def test_what_is_important_in_a_rule_overrules_the_element_itself():
    assert not seen(ruled(".x{display:none ! important}", "display:block"))
    assert seen(ruled(".x{display:none}", "display:block"))
    assert seen(ruled(".x{display:none!important}", "display:block!important"))


@pytest.mark.parametrize(("unseen", "twin"), [
    (f"<svg><text y='20' display='none'>{SECRET}</text></svg>", f"<svg><text y='20' display='inline'>{SECRET}</text></svg>"),
    (f"<svg><text y='20' opacity='0'>{SECRET}</text></svg>", f"<svg><text y='20' opacity='1'>{SECRET}</text></svg>"),
    (f"<svg><text y='20' fill='white'>{SECRET}</text></svg>", f"<svg><text y='20' fill='navy'>{SECRET}</text></svg>"),
    (f"<svg><g fill='transparent'><text y='20' y='20'>{SECRET}</text></g></svg>", f"<svg><g fill='red'><text y='20' y='20'>{SECRET}</text></g></svg>"),
    (f"<div popover>{SECRET}</div>", f"<div title='popover'>{SECRET}</div>"),
    (f"<table><col><col style='visibility:collapse'><tr><th>a<th>b<tr><td>c<td>{SECRET}</table>",
     f"<table><col style='visibility:collapse'><col><tr><th>a<th>b<tr><td>c<td>{SECRET}</table>"),
    (f"<style media='screen and (min-width:1px)'>.x{{display:none}}</style><p class=x>{SECRET}</p>",
     f"<style media='print'>.x{{display:none}}</style><p class=x>{SECRET}</p>"),
    (f"<link rel=stylesheet href='data:text/css,.x{{display:none}}'><p class=x>{SECRET}</p>",
     f"<link rel=stylesheet media=print href='data:text/css,.x{{display:none}}'><p class=x>{SECRET}</p>"),
    (f"<div style='font-size:0'><p>{SECRET}</p></div>", f"<div style='font-size:9pt'><p>{SECRET}</p></div>"),
    (f"<div style='color:white'><p>{SECRET}</p></div>",
     f"<div style='color:white'><p style='color:black'>{SECRET}</p></div>"),
])  # fmt: skip
def test_what_elements_hide_is_not_seen_and_its_twin_is(unseen, twin):
    assert not seen(page(unseen))
    assert seen(page(twin))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("color:oklch(100% 0 0)", "color:oklch(30% 0 0)"),
    ("color:lab(100 0 0)", "color:lab(20 0 0)"),
    ("color:hwb(0 100% 0%)", "color:hwb(0 0% 0%)"),
    ("color:color(srgb 1 1 1)", "color:color(srgb 1 0 0)"),
    ("color:color-mix(in srgb,white 90%,white)", "color:color-mix(in srgb,navy 90%,white)"),
    ("color:light-dark(white,black)", "color:light-dark(black,white)"),
    ("color:Canvas", "color:CanvasText"),
    ("color:rgb(from red r g b / 0)", "color:rgb(100% 0% none)"),
    ("color:white;color:mauve", "color:white;color:navy"),
    ("color:gray;background:rgba(0,0,0,.5)", "color:white;background:rgba(0,0,0,.5)"),
    ("color:white;background:linear-gradient(#036,#fff 1%)", "color:white;background:linear-gradient(#036,#047)"),
    ("background:#000;background-color:#000", "background:#000;background:#fff"),
    ("font-size:calc(0px)", "font-size:calc(1px * 12)"),
    ("font-size:clamp(0px,1px,1px)", "font-size:clamp(9px,2vw,20px)"),
    ("font-size:12px;font:0/0 a", "font:0/0 a;font-size:12px"),
    ("opacity:calc(0)", "opacity:calc(1 - .2)"),
    ("opacity:0;opacity:foo", "opacity:0;opacity:1"),
    ("position:absolute;inset:0 auto auto -9999px", "position:absolute;inset:0 auto auto 9px"),
    ("position:absolute;inset-inline-start:-9999px", "position:absolute;inset-inline-start:9px"),
    ("margin-inline-start:-9999px", "margin-inline-start:-9px"),
    ("position:fixed;top:-500px", "position:fixed;top:0"),
    ("position:fixed;bottom:-300px", "position:fixed;bottom:0"),
    ("position:absolute;top:-500px", "position:absolute;top:500px"),
    ("rotate:y 90deg", "width:9em;rotate:90deg"),
    ("transform:rotate3d(0,1,0,90deg)", "width:9em;transform:rotate(90deg)"),
    ("transform:rotateY(.25turn)", "transform:rotateY(.5turn)"),
    ("transform:matrix3d(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1)", "transform:matrix(1,0,0,1,9,9)"),
    ("transform:skewX(90deg)", "transform:skewX(9deg)"),
    ("mask-image:linear-gradient(transparent,transparent)", "mask-image:none"),
    ("-webkit-mask:linear-gradient(transparent,transparent)", "-webkit-mask:none"),
    ("filter:brightness(0) invert(1)", "filter:brightness(.9) grayscale(1)"),
    ("filter:blur(30px)", "filter:blur(0)"),
    ("mix-blend-mode:screen", "mix-blend-mode:normal"),
    ("height:0;contain:paint", "height:9em;contain:paint"),
    ("max-block-size:0;overflow:hidden", "max-block-size:9em;overflow:hidden"),
    ("line-height:0;overflow:hidden", "line-height:1.2;overflow:hidden"),
    ("height:2px;overflow:hidden", "height:20px;overflow:hidden"),
    ("padding-left:100%;overflow:hidden;white-space:nowrap", "padding-left:10%;overflow:hidden;white-space:nowrap"),
    ("padding:0 0 0 100%;overflow:hidden", "padding-left:100%"),
    ("clip-path:polygon(0 0,1px 0,0 1px)", "clip-path:polygon(0 0,100% 0,100% 90%,0 100%)"),
    ("letter-spacing:-2em", "letter-spacing:-.02em"),
    ("-webkit-text-security:disc", "-webkit-text-security:none"),
    ("unicode-bidi:bidi-override;direction:rtl", "unicode-bidi:isolate"),
    ("display:table-column", "display:table-cell"),
    ("display:none;display:foo", "display:none;display:flex"),
    ("display:none;font-family:'a;display:block;'", "font-family:'a;display:none;'"),
    ("text-decoration:line-through", "text-decoration:underline"),
    ("position:relative;z-index:-1", "position:relative;z-index:1"),
    ("content:url(a.png)", "content:'a'"),
    ("offset-path:path('M-9999 0')", "offset-path:none"),
    ("visibility:hidden;visibility:foo", "visibility:hidden;visibility:visible"),
])  # fmt: skip
def test_what_a_style_hides_in_another_way_is_not_seen_and_its_twin_is(unseen, twin):
    assert not seen(styled(unseen))
    assert seen(styled(twin))
    assert not seen(ruled(f".x{{{unseen}}}"))
    assert seen(ruled(f".x{{{twin}}}"))


@pytest.mark.parametrize(("unseen", "twin"), [
    (":root{--w:#fff} .x{color:var(--w)}", ":root{--w:#333} .x{color:var(--w)}"),
    (":root{--d:none} .x{display:var(--d)}", ":root{--d:block} .x{display:var(--d)}"),
    (".x{display:var(--q,none)}", ".x{display:var(--q,block)}"),
    (".x{color:var(--q,var(--r,white))}", ".x{color:var(--q,var(--r,navy))}"),
    (":root{--a:white;--b:var(--a)} .x{--a:navy;color:var(--b)}", ":root{--a:navy;--b:var(--a)} .x{--a:white;color:var(--b)}"),
    ("body .o{--w:white} .x{color:var(--w,navy)}", "body .z{--w:white} .x{color:var(--w,navy)}"),
    ("@property --z{syntax:'*';inherits:false;initial-value:none}.o{--z:block}.x{display:var(--z)}",
     "@property --z{syntax:'*';inherits:false;initial-value:block}.o{--z:none}.x{display:var(--z)}"),
    (":root{--w:#fff;--g:#fff} .x{color:var(--w);background:var(--g)}",
     ":root{--w:#fff;--g:#036} .x{color:var(--w);background:var(--g)}"),
    ("body .x{color:#fff}", "body .x{color:#333}"),
    ("div.o > .x{color:#fff}", "body > .x{color:#fff}"),
    (".o .x{background:#000}", ".o{color:#fff} .o .x{background:#000}"),
    (".x{color:#fff} .z .x{color:#000}", ".x{color:#fff} .o .x{color:#000}"),
    (".x{color:#fff} @layer a{p.x{color:#000}}", "@layer a{p.x{color:#fff}} .x{color:#000}"),
    ("@media (min-width:1px){.x{color:#fff}} @media (prefers-color-scheme:dark){.x{color:#000}}",
     "@media (min-width:1px){.x{color:#000}} @media (prefers-color-scheme:dark){.x{color:#fff}}"),
    ("@supports (foo:bar){.x{color:#000}} .x{color:#fff}", "@supports (foo:bar){.z{color:#fff}} .x{color:#000}"),
    ("@import url(\"data:text/css,.x%7Bdisplay:none%7D\");", "@import url(\"data:text/css,.z%7Bdisplay:none%7D\");"),
    ("[class='X' i]{display:none}", "[class='X']{display:none}"),
    ("@keyframes k{to{opacity:0}} .x{animation:k 0s forwards}", "@keyframes k{from{opacity:0}} .x{animation:k 1s}"),
    ("@keyframes k{from{opacity:0}} .x{animation:k 9999s}", "@keyframes k{to{opacity:1}} .x{animation:k 9999s}"),
    ("@keyframes k{0%,100%{visibility:hidden}} .o .x{animation:k 1s infinite}", "@keyframes k{to{color:red}} .x{animation:z}"),
    (".o{opacity:.2} .x{opacity:.2}", ".o{opacity:.8} .x{opacity:.8}"),
    (".o{font-size:.3em} .x{font-size:.3em}", ".o{font-size:0} .x{font-size:12px}"),
    (".o{transform:scale(.1)} .x{scale:.9}", ".o{transform:scale(.9)} .x{scale:.9}"),
    (".o{color:#333} .x{background:#333}", ".o{color:#ccc} .x{background:#333}"),
    (".o .x{position:absolute} .x{left:-9999px}", ".o .x{position:absolute} .x{left:9px}"),
    (".o{visibility:hidden} .x{visibility:inherit}", ".o{visibility:hidden} .x{visibility:visible}"),
    (".x:nth-child(1){display:none}", ".x:nth-child(2){display:none}"),
    (".x:only-child{display:none}", ".x:not(:only-child){display:none}"),
    (".x:not(.z){display:none}", ".x:not(.x){display:none}"),
    ("p:lang(de), .x:lang(en){display:none}", ".x:lang(de){display:none}"),
    (".o:first-of-type .x{display:none}", ".o:nth-of-type(2) .x{display:none}"),
    ("p ~ .o .x{display:none}", "h1 + .x, h1 ~ .x{display:none}"),
    ("@supports (display:grid){.x{display:none}}", "@supports not (display:grid){.x{display:none}}"),
    ("@supports not (foo:bar){.x{display:none}}", "@font-feature-values a{.x{display:none}}"),
    ("@layer a{.x{display:none}}", ".x::-webkit-scrollbar, .x::before{display:none}"),
    (".z{display:block} .x{display:none", ".x{display:block} .z{display:none"),
    (".x{text-decoration-line:line-through}", ".x{text-decoration-line:none}"),
])  # fmt: skip
def test_what_rules_hide_together_is_not_seen_and_its_twin_is(unseen, twin):
    lang = '<html lang="en">'
    assert not seen(ruled(unseen).replace("<html>", lang))
    assert seen(ruled(twin).replace("<html>", lang))


@pytest.mark.parametrize(("unseen", "twin"), [
    (f"<body text=white><p>{SECRET}", f"<body text=navy><p>{SECRET}"),
    (f"<body bgcolor='000000' text=black><p>{SECRET}", f"<body bgcolor='000000' text=white><p>{SECRET}"),
    (f"<body link=ffffff><p><a href=x>{SECRET}</a>", f"<body link=000099><p><a href=x>{SECRET}</a>"),
    (f"<body><bdo dir=rtl>{SECRET}</bdo>", f"<body><bdi>{SECRET}</bdi>"),
    (f"<body><del>{SECRET}</del>", f"<body><ins>{SECRET}</ins>"),
    (f"<body><p>So <s>{SECRET}</s>", f"<body><p>So <u>{SECRET}</u>"),
    (f"<body><svg width=0 height=0><text y='20' y='20'>{SECRET}</text></svg>", f"<body><svg width=90 height=90><text y='20' y='20'>{SECRET}</text></svg>"),
    (f"<body><svg><text y='20' fill-opacity=0>{SECRET}</text></svg>", f"<body><svg><text y='20' fill-opacity=1>{SECRET}</text></svg>"),
    (f"<body><svg><text y='20' fill=none>{SECRET}</text></svg>", f"<body><svg><text y='20' fill=black>{SECRET}</text></svg>"),
    (f"<body><svg><text y='20' x=-900>{SECRET}</text></svg>", f"<body><svg><text y='20' x=9>{SECRET}</text></svg>"),
    (f"<body><svg><text y='20' font-size=0>{SECRET}</text></svg>", f"<body><svg><text y='20' font-size=12>{SECRET}</text></svg>"),
    (f"<body style='color:white;background:black'><svg><text y='20' y='20'>{SECRET}</text></svg>",
     f"<body style='color:white;background:black'><svg fill=white><text y='20' y='20'>{SECRET}</text></svg>"),
    (f"<body><math><mphantom><mtext>{SECRET}</mtext></mphantom></math>", f"<body><math><mtext>{SECRET}</mtext></math>"),
    (f"<link rel=stylesheet href='data:text/css;base64,LnggeyBkaXNwbGF5Om5vbmUgfQ=='><p class=x>{SECRET}",
     f"<link rel=stylesheet href='data:text/css;base64,LnogeyBkaXNwbGF5Om5vbmUgfQ=='><p class=x>{SECRET}"),
])  # fmt: skip
def test_what_attributes_and_elements_hide_is_not_seen_and_its_twin_is(unseen, twin):
    for body, is_seen in ((unseen, False), (twin, True)):
        assert seen(f"<!DOCTYPE html>{body}<p style='color:green'>Opening.</p>") is is_seen


def test_what_is_hidden_for_sure_is_left_out_and_what_may_come_into_sight_is_kept_and_marked():
    assert SECRET not in read("html", styled("display:none;font-size:0")).text
    for style in ("opacity:0;animation:a 1s", "max-height:0;overflow:hidden", "transform:scale(0)"):
        assert hidden(read("html", styled(style))) == [SECRET]


@pytest.mark.parametrize(("link", "sheet", "is_seen"), [
    ('<link rel="stylesheet" href="s.css"/>', ".x{display:none}", False),
    ('<link rel="stylesheet" media="print" href="s.css"/>', ".x{display:none}", True),
    ('<link rel="stylesheet" media="screen and (min-width:1px)" href="s.css"/>', ".x{display:none}", False),
    ('<link rel="alternate stylesheet" href="s.css"/>', ".x{display:none}", True),
    ('<link rel="stylesheet" href="s.css"/>', "@import url(t.css);", False),
    ('<link rel="stylesheet" href="s.css"/>', "@import 't.css' print;", True),
    ("<style>@import 't.css';</style>", "", False),
    ("<style>@import 'none.css';</style>", "", True),
])  # fmt: skip
def test_sheets_of_a_book_hide_where_screens_take_them(link, sheet, is_seen):
    extra = {"book/s.css": sheet, "book/t.css": "@import 's.css'; .x{display:none}"}
    body = f'<p>Opening.</p><p class="x">{SECRET}</p>'
    assert seen(epub({"a.xhtml": xhtml(body, head=link)}, extra=extra), "epub") is is_seen


def test_a_sheet_in_utf_16_and_one_named_before_the_chapter_count_too():
    body = f'<p>Opening.</p><p class="x">{SECRET}</p>'
    link = '<link rel="stylesheet" href="s.css"/>'
    for name, is_seen in (("x", False), ("z", True)):
        sheet = f".{name}{{display:none}}"
        for encoding in ("utf-16", "utf-16-be"):
            wide = {"book/s.css": sheet.encode(encoding)}
            assert seen(epub({"a.xhtml": xhtml(body, head=link)}, extra=wide), "epub") is is_seen
        named = '<?xml-stylesheet type="text/css" href="s.css"?>' + xhtml(body)
        assert seen(epub({"a.xhtml": named}, extra={"book/s.css": sheet}), "epub") is is_seen


def test_the_case_of_a_switch_is_marked_and_the_default_is_seen():
    ops = 'xmlns:epub="http://www.idpf.org/2007/ops"'
    for part, is_seen in (("case", False), ("default", True)):
        body = f"<p>Opening.</p><epub:switch {ops}><epub:{part}><p>{SECRET}</p></epub:{part}></epub:switch>"
        assert seen(epub({"a.xhtml": xhtml(body)}), "epub") is is_seen


@pytest.mark.parametrize("sheet", [
    "/*" * 200_000, "'" * 200_000, "[" * 200_000, "(" * 200_000 + "{a:b}", ".a{" * 200_000, ".x{a:b;" + ".y{}" * 100_000,
    ":is(,,," * 2_000 + "){display:none}", "@import " * 50_000, "\\" * 200_001, ".x{" + "&" * 9_000 + "{display:none}}",
    "," * 200_000 + "[a,b]{display:none}", ".x " * 50_000 + "{display:none}",
])  # fmt: skip
def test_a_hostile_sheet_takes_time_in_proportion(sheet):
    start = time.process_time()
    assert seen(ruled(sheet))
    once = time.process_time() - start
    start = time.process_time()
    assert seen(ruled(sheet * 2))
    assert time.process_time() - start < 4 * once + 1


def test_a_page_of_a_theme_whose_colours_are_variables_is_seen_in_all_its_parts():
    sheet = """
    @layer base { *, ::before { border: 0 solid } html { line-height: 1.5 } }
    :root { --bg: #fff; --fg: oklch(20% .02 250); --bar: #036; --pad: 1rem; --side: calc(4 * var(--pad)) }
    @media (prefers-color-scheme: dark) { :root { --bg: #111; --fg: #eee } }
    [data-theme=dark] { --bg: #000; --fg: #fff }
    body { background: var(--bg); color: var(--fg); font: 400 clamp(1rem, 1vw + .5rem, 1.25rem)/1.5 system-ui }
    .nav { background: var(--bar); position: sticky; top: 0; z-index: 10 } .nav > a:hover { color: red }
    .nav a, .nav > a { color: #fff; padding-inline: var(--pad) }
    .card { transform: translateY(0); transition: opacity .2s; animation: rise .3s ease both }
    @keyframes rise { from { opacity: 0; transform: translateY(9px) } to { opacity: 1 } }
    main { margin-inline: auto; max-width: min(100% - 2rem, 70ch); padding-inline-start: var(--side) }
    small { font-size: .8em; color: color-mix(in srgb, var(--fg) 60%, var(--bg)) }
    .tabs::-webkit-scrollbar, a::after { display: none } tr:nth-child(even) { background: rgb(0 0 0 / 5%) }
    """
    body = (
        "<nav class=nav><a href=x>Top words</a></nav><main><h1>Head words</h1><div class=card><p>Card words <small>small"
        " words</small></p></div><div class=tabs>Tab words</div><table><tr><th>A<th>B<tr><td>cell<td>words</table></main>"
    )
    assert read("html", page(body, f"<style>{sheet}</style>")).hidden == ()


@pytest.mark.parametrize(
    "value", ["calc(" * 60_000, "var(--a" * 60_000, "a(b" * 60_000, "(" * 200_000, "1px " * 60_000]
)
def test_a_hostile_value_takes_time_in_proportion(value):
    def taken(value):
        start = time.process_time()
        for name in (
            "transform",
            "filter",
            "font",
            "clip-path",
            "--a",
            "background",
            "color",
            "left",
            "grid-template-rows",
        ):
            assert "Opening." in read("html", styled(f"{name}:{value}")).text
        return time.process_time() - start

    assert taken(value * 2) < 4 * taken(value) + 1
