"""What hides words by what stands together on a page: each beside a twin that differs in that alone and is seen."""

import pytest

from tests.pages import SECRET, lost, page, seen
from tests.reading import read
from verified_gate.ingest.formats.placing import TOO_MANY

_WORDS = f'<p class="x">{SECRET}</p>'


def ruled(sheet):
    return page(f"<main>{_WORDS}</main>", f"<style>{sheet}</style>")


@pytest.mark.parametrize(("unseen", "twin"), [
    (".x{&:is(p){display:none}}", ".x{&:is(div){display:none}}"),
    (".x:-webkit-any(p){display:none}", ".x:-webkit-any(div){display:none}"),
    ("p:is(.x,.y){display:none}", "p:is(.z,.y){display:none}"),
    (".x:is(main p){display:none}", "p:is(main .y){display:none}"),
    (":is(main,body) .x{display:none}", ":is(h1,div) .x{display:none}"),
    ("@media (max-width:100px) or (min-width:100px){.x{display:none}}", "@media (max-width:100px) or (max-width:200px){.x{display:none}}"),
    ("@media screen and (not (max-width:100px)){.x{display:none}}", "@media screen and (max-width:100px){.x{display:none}}"),
    ("@media (max-width:1e9px){.x{display:none}}", "@media (max-width:100px){.x{display:none}}"),
    ("@media (max-width:90in){.x{display:none}}", "@media (max-width:40em){.x{display:none}}"),
    ("@media (hover:hover){.x{display:none}}", "@media (hover:none){.x{display:none}}"),
    ("main{--c:#fff}.x{--c:inherit;color:var(--c)}", "main{--c:#fff}.x{--c:#000;color:var(--c)}"),
    ('@property --o{syntax:"<number>";inherits:true;initial-value:0}.x{--o:abc;opacity:var(--o)}',
     '@property --o{syntax:"<number>";inherits:true;initial-value:0}.x{--o:1;opacity:var(--o)}'),
    ("@layer a{.x{display:none}}", "@layer a{.x{display:none}}.x{display:block}"),
    ("@layer b,a;@layer a{.x{color:#fff}}@layer b{.x{color:#000}}", "@layer a,b;@layer a{.x{color:#fff}}@layer b{.x{color:#000}}"),
    ("@layer a{.x{color:#fff}@layer b{.x{color:#000}}}", "@layer a{.x{color:#000}@layer b{.x{color:#fff}}}"),
    ("@layer a{.x{color:#fff!important}}@layer b{.x{color:#000!important}}", "@layer a{.x{color:#000}}@layer b{.x{color:#333}}"),
    (".x{display:block}@media (min-width:600px){.x{display:none}}", ".x{display:none}@media (min-width:600px){.x{display:block}}"),
    ("main{visibility:hidden}.x{all:unset}", "main{visibility:hidden}.x{all:initial}"),
    (".x{all:unset;color:#fff}", ".x{color:#fff;all:unset}"),
    (".x:not(#z){color:#fff}.x.x{color:#000}", ".x:not(.z){color:#fff}.x.x.x{color:#000}"),
    (".x:where(#z,p){color:#000}.x{color:#fff}", ".x:where(#z,p){color:#fff}p.x{color:#000}"),
    (".x{&:is(:where(main) *){display:none}}", ".x{&:is(:where(main):hover *){display:none}}"),
    (".x{opacity:0;transition:opacity .2s}", ".x{transition:opacity .2s cubic-bezier(.4,0,.2,1)}@starting-style{.x{opacity:0}}"),
    (".x{transition:opacity 9999s}@starting-style{.x{opacity:0}}", ".x{transition:opacity 1s}"),
    ("main{display:grid;grid-auto-rows:0}", "main{display:grid;grid-auto-rows:auto}"),
    ("@keyframes k{to{background:#000}}.x{animation:k 0s forwards}", "@keyframes k{to{background:#ff0}}.x{animation:k 0s forwards}"),
    ("@keyframes k{to{--q:0}}.x{animation:k 0s forwards}", "@keyframes k{to{margin:0}}.x{animation:k 0s forwards}"),
    (".x.x{display:none}.x{display:block}", ".x.x{display:block}.x{display:none}"),
], ids=str)  # fmt: skip
def test_rules_hold_as_browsers_weigh_them(unseen, twin):
    assert not seen(ruled(unseen))
    assert seen(ruled(twin))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("color:oklch(100% .1 120)", "color:oklch(30% .1 120)"),
    ("color:HighlightText", "color:LinkText"),
    ("color:ButtonHighlight", "color:InfoText"),
    ("color:rgb(from black 255 255 255)", "color:rgb(from white 0 0 0)"),
    ("color:hsl(from red h s calc(l + 50))", "color:hsl(from #3366ff h s calc(l - 20))"),
    ("color:oklch(from teal 99% 0 h)", "color:oklch(from teal l c h / 80%)"),
    ("color:lab(from white l a b)", "color:hwb(from teal h w b)"),
    ("color:color(from black srgb 1 1 1)", "color:color(from teal srgb r g b)"),
    ("color:contrast-color(black)", "color:contrast-color(white)"),
    ("color:color-mix(in srgb,currentcolor 2%,#fff)", "color:color-mix(in srgb,currentcolor 80%,red)"),
    ("color:#eee", "color:#ccc"),
    ("background:linear-gradient(red,blue) no-repeat 0 0/0 0;background-clip:text;color:transparent",
     "background:linear-gradient(red,blue) text;color:transparent"),
    ("transform:rotate(90deg)", "display:inline-block;transform:rotate(90deg)"),
    ("rotate:20deg", "width:9em;rotate:20deg"),
    ("transform:translateX(-50%)", "position:absolute;left:50%;transform:translateX(-50%)"),
    ("transform:perspective(10px) translateZ(20px)", "transform:perspective(10px) translateZ(0)"),
    ("font-size:clamp(0px,3cqw,2rem)", "font-size:clamp(1rem,3cqw,2rem)"),
    ("clip-path:rect(0 0 0 0)", "clip-path:rect(0 100% 100% 0)"),
    ("overflow:hidden;height:1.2em;line-height:3em", "overflow:hidden;height:1.2em;line-height:1.2em"),
    ("container-type:size;overflow:hidden", "container-type:inline-size;overflow:hidden"),
    ("clip-path:polygon(100% 100%,0 0,0 0)", "clip-path:polygon(0 0,100% 0,100% 95%,0 100%)"),
    ("clip-path:inset(10px)", "clip-path:inset(1px)"),
    ("background:#333;background-image:linear-gradient(#fffe,#fffe);color:#fff",
     "background:#333;background-image:linear-gradient(rgb(255 255 255/.15),rgb(255 255 255/0));color:#fff"),
    ("filter:opacity(0)", "filter:alpha(opacity=0)"),
    ("display:none", "display:none\\9"), ("opacity:0", "opacity:0px"), ("font-size:0", "font-size:-5px"),
    ("display:none;a(;x:y", "a(;display:none"),
], ids=str)  # fmt: skip
def test_values_are_taken_as_browsers_take_them(unseen, twin):
    assert not seen(page(f'<p style="{unseen}">{SECRET}</p>'))
    assert seen(page(f'<p style="{twin}">{SECRET}</p>'))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("height:100%", "height:2px"), ("top:0;height:auto", "top:auto;height:2px"),
])  # fmt: skip
def test_a_part_that_a_sheet_lays_over_words_hides_them(unseen, twin):
    over = '.x{{position:relative}}.x::after{{content:"";position:absolute;left:0;right:0;bottom:0;background:#fff;{}}}'
    assert not seen(ruled(over.format(unseen)))
    assert seen(ruled(over.format(twin)))


def test_a_shadow_that_fills_a_part_hides_words():
    over = '.x{{position:relative}}.x::before{{content:"";position:absolute;inset:0;box-shadow:{}}}'
    assert not seen(ruled(over.format("inset 0 0 0 99px #fff")))
    assert seen(ruled(over.format("0 0 0 99px #fff")))


@pytest.mark.parametrize("bar", [
    "background:#222;color:#fff", "background:linear-gradient(#000,#333);color:#fff", "background:#000a;color:#fff",
])  # fmt: skip
def test_words_of_a_bar_with_a_ground_of_its_own_are_seen(bar):
    assert seen(page(f'<div style="position:fixed;top:0;{bar}">{SECRET}</div>'))
    assert not seen(page(f'<div style="position:fixed;top:0;color:#fff">{SECRET}</div>'))
    assert not seen(page(f'<div style="{bar}"><p style="position:fixed;top:90px">{SECRET}</p></div>'))


def test_words_in_the_middle_of_a_box_are_on_its_ground():
    box = '<div style="background:#222;height:400px"><p style="position:relative;top:{};color:#fff">S</p></div>'
    assert seen(page(box.format("50%").replace("S<", f"{SECRET}<")))
    assert not seen(page(box.format("500px").replace("S<", f"{SECRET}<")))


def test_a_box_that_may_not_cut_off_what_it_places_leaves_nothing_out():
    box = '<div style="overflow:hidden;height:0"><p style="position:{}">S</p></div>'
    assert SECRET in read("html", page(box.format("absolute").replace("S<", f"{SECRET}<"))).text
    assert SECRET not in read("html", page(box.format("static").replace("S<", f"{SECRET}<"))).text


def test_words_behind_the_end_of_the_box_that_holds_them_are_not_on_its_ground():
    box = '<div style="position:relative;height:{}px;background:#222"><b style="position:absolute;top:200px;color:#fff">S</b></div>'
    assert not seen(page(box.format(60).replace("S<", f"{SECRET}<")))
    assert seen(page(box.format(300).replace("S<", f"{SECRET}<")))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("<svg>S</svg>", "<svg><text y=20>S</text></svg>"),
    ("<svg><g>S</g></svg>", "<svg><g><text y=20>S</text></g></svg>"),
    ("<math>S</math>", "<math><mtext>S</mtext></math>"),
    ("<math><abbr>S</abbr></math>", "<math><mi><abbr>S</abbr></mi></math>"),
    ("<math><mrow><a>S</a></mrow></math>", "<math><a><mtext>S</mtext></a></math>"),
    ("<math><my-box>S</my-box></math>", "<math><mtable><mtr><mtd>S</mtd></mtr></mtable></math>"),
    ("<math><semantics><mi>x</mi><mtext>S</mtext></semantics></math>", "<math><semantics><mtext>S</mtext><mi>x</mi></semantics></math>"),
    ("<svg width=400 height=60><text y=20 text-anchor=end>S</text></svg>", "<svg width=400 height=60><text x=390 y=20 text-anchor=end>S</text></svg>"),
    ("<svg width=400 height=60><rect width=400 height=60 /><text y=20>S</text></svg>", "<svg width=400 height=60><rect width=400 height=60 /><text y=20 fill=white>S</text></svg>"),
    ("<svg width=400 height=60><rect width=9 height=9 /><text y=20 fill=white>S</text></svg>", "<svg width=400 height=60><rect width=9 height=9 /><text y=20>S</text></svg>"),
    ("<svg width=400 height=60><text y=90%>S</text><rect width=400 height=60 fill=red /></svg>", "<svg width=400 height=60><text y=50%>S</text></svg>"),
    ('<svg style="color:#fff" fill=currentColor><text y=20>S</text></svg>', '<svg style="color:navy" fill=currentColor><text y=20>S</text></svg>'),
    ('<div style="color:#fff"><svg><text fill=currentColor y=20>S</text></svg></div>', '<div style="color:#fff"><svg><text y=20>S</text></svg></div>'),
    ("<svg width=1 height=1><text y=20>S</text></svg>", '<svg style="overflow:visible" width=1 height=1><text y=20>S</text></svg>'),
    ("<svg><tspan y=20>S</tspan></svg>", "<svg><text><tspan y=20>S</tspan></text></svg>"),
    ("<svg><text y=20 color=white fill=currentColor>S</text></svg>", "<svg><text y=20 color=white>S</text></svg>"),
    ("<svg><text y=20 stroke=white stroke-width=9>S</text></svg>", "<svg><text y=20 stroke=white stroke-width=9 paint-order=stroke>S</text></svg>"),
    ("<svg><text y=20 direction=rtl>S</text></svg>", "<svg><text y=20 direction=ltr>S</text></svg>"),
    ('<div style="background:#00e"><a href=x>S</a></div><style>b{color:red}</style>', '<div style="background:#00e"><a href=x style="color:#fff">S</a></div>'),
    ('<div style="background:#333;display:inline"><p style="color:#fff">S</p></div>', '<div style="background:#333"><p style="color:#fff">S</p></div>'),
    ("<fencedframe>S</fencedframe>", "<my-frame>S</my-frame>"),
    ("<dialog>S</dialog>", "<dialog style='display:block'>S</dialog>"),
    ("<div hidden/>S</div>", "<br hidden/>S"), ('<p style="display:none"/>S', "<p style='color:red'/>S"),
    ("<div popover>S</div>", "<div popover style='display:block'>S</div>"),
], ids=str)  # fmt: skip
def test_elements_show_what_browsers_show_of_them(unseen, twin):
    assert not seen(page(unseen.replace("S<", f"{SECRET}<") if "S<" in unseen else unseen.replace("S", SECRET, 1)))
    assert seen(page(twin.replace("S<", f"{SECRET}<") if "S<" in twin else f"{twin[:-1]}{SECRET}"))


@pytest.mark.parametrize(("told", "twin"), [
    ("<p style='width:60px;overflow:hidden;white-space:nowrap'>S</p>", "<p style='width:600px;overflow:hidden;white-space:nowrap'>S</p>"),
    ("<p style='width:60px;overflow:hidden'><nobr>S</nobr></p>", "<p style='width:60px'><nobr>S</nobr></p>"),
    ("<div style='overflow:hidden'><div style='display:flex'><i style='min-width:100%'>a</i><i style='min-width:100%'>S</i></div></div>",
     "<div style='overflow:auto'><div style='display:flex'><i style='min-width:100%'>a</i><i style='min-width:100%'>S</i></div></div>"),
    ("<iframe srcdoc='a'></iframe>S", "<iframe></iframe>S"),
    ("<object>S</object>", "<object></object>"),
], ids=str)  # fmt: skip
def test_what_only_a_layout_or_a_browser_decides_is_told(told, twin):
    assert read("html", page(told.replace("S", SECRET))).lost
    assert not lost(page(twin.replace("S", SECRET).replace("<object></object>", f"<object></object>{SECRET}")))


@pytest.mark.parametrize("bad", [".x,", ".x,.y:bogus", ".x,.y::-moz-bogus"])
def test_a_rule_that_browsers_do_not_take_leaves_nothing_out(bad):
    assert SECRET in read("html", ruled(f"{bad}{{display:none}}")).text
    assert SECRET not in read("html", ruled(".x,.y:hover{display:none}")).text


def test_elements_that_rules_without_end_may_place_are_set_apart_and_told():
    rules = "".join(f".a[x{n}]{{float:left}}" for n in range(3_000))
    body = "".join(f"<b class=a>{n}</b>" for n in range(900))
    few = read("html", page(f"<p>{SECRET}</p><p>{body[:200]}</p>", f"<style>{rules}</style>"))
    many = read("html", page(f"<p>{SECRET}</p><p>{body}</p>", f"<style>{rules}</style>"))
    assert TOO_MANY in many.lost
    assert "898\t899" in many.text or "898\n\n899" in many.text
    assert TOO_MANY not in few.lost


@pytest.mark.parametrize(("sheet", "columns", "unseen"), [
    ("table.t col:nth-child(2){visibility:collapse}", "<col><col><col>", True),
    ("table.t col:nth-child(3){visibility:collapse}", "<col><col><col>", False),
    ("@container (width>9px){.c{visibility:collapse}}", "<col><col class=c>", True),
    (".c{visibility:collapse} .t .c{visibility:visible}", "<col><col class=c>", False),
    (".c{display:none}", "<col><col class=c>", False),
    (".c{display:none} .d{visibility:collapse}", "<col><col class=c><col class=d>", True),
    (".c{display:none} .d{visibility:collapse}", "<col><colgroup class=c><col class=d></colgroup>", False),
    (".g{visibility:collapse}", "<col><colgroup class=g><col></colgroup>", True),
])  # fmt: skip
def test_columns_are_collapsed_by_rules_of_any_kind_and_taken_away_by_none(sheet, columns, unseen):
    table = f"<table class=t>{columns}<tr><th>a<th>b<th>c<tr><td>k<td>{SECRET}<td>m</table>"
    assert seen(page(table, f"<style>{sheet}</style>")) is not unseen


@pytest.mark.parametrize(("frames", "twin"), [
    ("to{background:#fff}", "to{background:#030}"),
    ("to{background:transparent}", "to{background:blue}"),
    ("50%{background:white}", "from{background:white}"),
])  # fmt: skip
@pytest.mark.parametrize("page_of", [
    ".x{{color:#fff;background:#000;animation:a 1s forwards}}@keyframes a{{{}}}",
    "main{{background:#000;animation:a 1s forwards}}.x{{color:#fff}}@keyframes a{{{}}}",
])  # fmt: skip
def test_an_animation_may_take_away_the_ground_that_words_are_seen_on(page_of, frames, twin):
    assert not seen(ruled(page_of.format(frames)))
    assert seen(ruled(page_of.format(twin)))


@pytest.mark.parametrize(("frame", "unseen"), [("fill:#fff", True), ("stroke:#fff", False)])
def test_an_animation_may_whiten_the_letters_of_a_drawing(frame, unseen):
    words = f'<svg width=300 height=40><text y=20 style="animation:a 1s forwards">{SECRET}</text></svg>'
    assert seen(page(words, f"<style>@keyframes a{{to{{{frame}}}}}</style>")) is not unseen


@pytest.mark.parametrize("tag", ["a", "code", "mark", "sub", "summary"])
def test_any_element_that_is_closed_in_its_own_tag_is_open(tag):
    assert not seen(page(f"<{tag} hidden/><p>{SECRET}</p>"))
    assert seen(page(f"<{tag} hidden></{tag}><p>{SECRET}</p>"))


@pytest.mark.parametrize(("sheet", "twin"), [
    ("main{color:#fff}.x{margin:0}", "main{color:#fff}.x{color:#000}"),
    ("main{color:#fff}.x{color:#eee}main .x{color:#fefefe}", "main{color:#fff}main .x{color:#333}"),
    (".x{animation:a 1s forwards}@keyframes a{to{opacity:0}}", ".x{animation:a 1s forwards}@keyframes a{to{opacity:0!important}}"),
])  # fmt: skip
def test_dark_letters_in_white_ones_are_seen_and_frames_hold_nothing_important(sheet, twin):
    assert not seen(ruled(sheet))
    assert seen(ruled(twin))


@pytest.mark.parametrize("sheet", [
    "".join(f"@property --a{number}{{syntax:'*';inherits:false;initial-value:0}}" for number in range(1_500)),
    "p{" + "".join(f"--a{number}:{number};" for number in range(1_500)) + "}",
    ".y ~ .x{display:none}",
])  # fmt: skip
def test_what_each_element_costs_counts_as_tries_of_rules(sheet, monkeypatch):
    monkeypatch.setattr("verified_gate.ingest.formats.visibility._BUDGET", 100_000)
    many, few = ("<p class=x style='margin:1px'>a</p>" * number for number in (400, 10))
    untried = "style rules for more elements than can be tried"
    assert untried in read("html", page(many, f"<style>{sheet}</style>")).lost
    assert read("html", page(few, f"<style>{sheet}</style>")).lost == ()
