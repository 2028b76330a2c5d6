"""The tree of a page is that of browsers: whether they show the words behind a hidden element was asked of Chromium for
each of these pages. Each that hides them has a twin, closed in another way, that does not.
"""

import time
from contextlib import suppress

import pytest

from tests.containers import epub
from tests.pages import SECRET, lost, page, seen, seen_words
from tests.reading import read
from verified_gate.ingest.unreadable import UnreadableFile


def timed(data):
    begun = time.process_time()
    with suppress(UnreadableFile):
        read("html", data)
    return time.process_time() - begun


@pytest.mark.parametrize(
    "name", ["script", "style", "iframe", "noembed", "noframes", "SCRIPT", "script src=a.js", 'script data-a="b/c"']
)
def test_what_follows_an_element_of_raw_text_closed_in_its_own_tag_is_text_of_it(name):
    tag = name.split()[0]
    assert not seen(page(f"<{name}/>{SECRET}</{tag}>")) and not seen(page(f"<{name} />{SECRET}"))
    assert seen(page(f"<{name}></{tag}>{SECRET}"))
    assert SECRET in seen_words(page(f"<{name}/></{tag}>{SECRET}"))


def test_in_drawings_an_element_is_closed_in_its_own_tag():
    assert seen(page(f"<svg><style/><script /></svg>{SECRET}"))
    assert seen(page(f"<svg><style/><text y=20>{SECRET}</text></svg>"))
    assert not seen(page(f"<svg></svg><style/>{SECRET}"))


@pytest.mark.parametrize(("body", "twin"), [
    ("<p><b hidden>x</p>\n<p>{}", "<p><b hidden>x</b></p><p>{}"),
    ("<p><b hidden>x<p>{}", "<p><b hidden>x</b><p>{}"),
    ("<p><b hidden>x<p>{}<!-- </b> -->", "<p><b hidden>x</b><!-- <b> --><p>{}"),
    ("<div><b hidden>x<p>{}", "<div><b hidden>x</b><p>{}"),
    ("<section><i hidden>x</section><p>{}", "<section><i hidden>x</i></section><p>{}"),
    ("<h1>a<i hidden>x</h1><p>{}", "<h1>a<i hidden>x</i></h1><p>{}"),
    ("<p><em><b hidden>x</em></p><p>{}", "<p><em><b hidden>x</b></em></p><p>{}"),
    ("<p><font color=white>x</p>\n<p>{}", "<p><font color=white>x</font></p>\n<p>{}"),
    ("<ul><li><a hidden>x</ul><p>{}", "<ul><li><a hidden>x</a></li><li>y</ul><p>{}"),
    ("<p><a href=x style='display:none'>x</p>\n<p>{}", "<p><a href=x style='display:none'>x</a></p><p>{}"),
    ("<p><nobr hidden>x</p>\n<p>{}", "<p><nobr hidden>x</nobr></p><p>{}"),
    ("<div hidden><code hidden>x</div>{}", "<div hidden><code hidden>x</code></div>{}"),
    ("<div hidden><code style='color:white'>x</div>{}", "<div hidden><code>x</div>{}"),
    ("<p style='color:#fff'>x<i hidden>y</p>{}", "<p style='color:#fff'>x<i hidden>y</i></p>{}"),
    ("<p><a hidden/>a</p><p>{}", "<p><a hidden></a>a</p><p>{}"),
    ("<form><b hidden>x</form>{}", "<form><b hidden>x</b></form>{}"),
    ("<table><b hidden>x<tr><td>a</table>{}", "<table><tr><td><b hidden>x<td>{}</table>"),
    ("<svg></svg><b hidden>a<p>{}", "<svg><b hidden>a</b></svg><p>{}"),
    ("<b hidden>x<b>y</b><p>{}", "<b hidden>x<b>y</b></b><p>{}"),
    ("<p><b hidden>x</p>a<p>{}</b>", "<p><b hidden>x<i>y</b></i></p>a<p>{}"),
    ("<p><b hidden>x</p><p>{} <b hidden>x</b>", "<p><b hidden>x</p>"
     "<!-- a --><script>b</script></p></b><p>{} <b hidden>x</b>"),
    ("<b hidden>x<p>{}" + "</q>" * 200, "<b hidden>x</b><p>{}" + "</q>" * 200),
    ("</q>" * 200 + "<h1><b hidden>x</h1>{}", "</q>" * 200 + "<h1><b hidden>x</b></h1>{}"),
    ("<section><i><b hidden><li></i>{}", "<section><i><b hidden></b><li></i>{}"),
    ("<th><i hidden></th>{}</i>", "<table><tr><th><i hidden></i></th></table>{}"),
    ("<!-- </b> --><h1><b hidden>x</h1>{}", "<!-- <b> --><h1><b hidden>x</b></h1>{}"),
    ("<p><b hidden>x</p>\n<p>{}", "<p><b>x</p>\n<p>{}"),
    ("<i style='visibility:hidden'>x<p>{}", "<i style='visibility:hidden'>x</i><p>{}"),
    ("<u><code style='visibility:collapse'></u>{}", "<u><code style='visibility:collapse'></code></u>{}"),
    ("<div><i style='visibility:hidden'>x</div>{}", "<div><i style='visibility:visible'>x</div>{}"),
    ("<div style='visibility:hidden'>a<i style='visibility:visible'>b<b style='visibility:hidden'>x</i></div>{}",
     "<div style='visibility:hidden'>a<i style='visibility:visible'>b<b style='visibility:hidden'>x</b></i></div>{}"),
])  # fmt: skip
def test_a_hidden_element_without_an_end_tag_goes_on_and_one_with_it_does_not(body, twin):
    assert not seen(page(body.format(SECRET))) and read("html", page(body.format(SECRET))).lost == ()
    assert seen(page(twin.format(SECRET))) and lost(page(twin.format(SECRET))) == ()


@pytest.mark.parametrize(("body", "twin"), [
    ("<h2 hidden>a <p>{}</p> c</h2>", "<h2 hidden>a</h2><p>{}</p><h2>c</h2>"),
    ("<h2 hidden>a <p>{}</p> c", "<h2 hidden>a</h2><p>{}</p> c"),
    ("<h2 style='visibility:hidden'>a<p>{}", "<h2 style='visibility:hidden'>a</h2><p>{}"),
    ("<h2 style='display:none'>a<table><tr><td>{}</table>c</h2>", "<h2 style='display:none'>a</h2><table><tr><td>{}</table>c"),
    ("<font>a<li hidden>b</font>{}", "<font>a</font><ul><li hidden>b</ul>{}"),
    ("<label hidden>a<pre>b</label>{}", "<label hidden>a<span>b</span></label>{}"),
    ("<legend hidden>a<fieldset>{}</fieldset></legend>", "<legend hidden>a</legend><fieldset>{}</fieldset>"),
    ("<pre hidden>a<ul><li>{}</ul></pre>", "<pre hidden>a</pre><ul><li>{}</ul>"),
    ("<form hidden>a<b>b</form>{}", "<form hidden>a<b>b</b></form>{}"),
    ("<form hidden><strong><i></form>{}", "<form hidden>a</form>b<form><strong><i></i></strong></form>{}"),
    ("<span><p hidden>b</span>{}", "<div><p hidden>b</div>{}"),
    ("<p hidden>a<tbody>b<tr>{}", "<p hidden>a</p><table><tbody><tr><td>{}</table>"),
    ("<dl><dt><section hidden>a<dd>{}</dl>", "<dl><dt><section hidden>a</section><dd>{}</dl>"),
    ("<form hidden><nobr>x</form>{}", "<form hidden><nobr>x</nobr></form>{}"),
    ("<form><p hidden>a<b>x</form>{}", "<form><p hidden>a<b>x</b></p></form>{}"),
    ("<select hidden><p>a{}</select>", "<select hidden><p>a</select>{}"),
    ("<p hidden><noscript><p></noscript>{}", "<p hidden><noscript></p></noscript><p>{}"),
])  # fmt: skip
def test_a_hidden_element_ends_where_browsers_end_it(body, twin):
    assert not seen(page(body.format(SECRET))) and read("html", page(body.format(SECRET))).lost == ()
    assert seen(page(twin.format(SECRET))) and lost(page(twin.format(SECRET))) == ()


@pytest.mark.parametrize("body", [
    "<p><q style='visibility:hidden'>a<p>{}", "<table><tr><td><div hidden>a<td>{}</table>", "<ul><li><div hidden>a<li>{}</ul>c",
    "<ul><li><div hidden>a<li>{}</div></ul>c", "<p hidden>a<u>b<div>{}</div>", "<p hidden>a<b><form>{}</form>",
    "a<tr hidden>{}</tr>b", "<div hidden><x-y/></div>{}", "<template><tr><td>a</template><p>{}", "<ul><li hidden>a<div><li>{}</ul>",
    "<form><div><form hidden>{}</form></div></form>", "<table hidden>{}<tr><td>b</table>", "<table hidden><tr>{}<td>b</table>",
])  # fmt: skip
def test_what_browsers_take_out_of_a_hidden_element_is_read(body):
    assert seen(page(body.format(SECRET))) and lost(page(body.format(SECRET))) == ()


@pytest.mark.parametrize(("body", "words"), [
    ("<p>a<ul><li>b</ul>The fee is 12</p>345 euros", "12 345"), ("no</br>thing", "no thing"), ("no</BR >thing", "no thing"),
    ("12</p>345", "12 345"), ("<h2>a<p>b</p>12</h2>345", "12 345"), ("<p>a<div>b</div>12</p\n>345", "12 345"),
    ("12</b>345", "12345"), ("<b>12</b>345", "12345"), ("<p>12</p>345", "12 345"), ("no<br>thing", "no thing"),
    ("<script>'12</p>345'</script>67</p>89", "67 89"),
])  # fmt: skip
def test_an_end_tag_that_the_parser_passes_over_parts_words_and_numbers(body, words):
    assert words in " ".join(read("html", page(body)).text.split())


@pytest.mark.parametrize("hidden", [
    "<ul hidden><li>a<li>b<ul><li>c</ul></ul>", "<table hidden><tr><td>a<td>b<tr><td>c</table>", "<dl hidden><dt>a<dd>b</dl>",
    "<select hidden><option>a<option>b</select>", "<div hidden><p>a<p>b</div>", "<ul><li hidden>a<li>b</ul>",
    "<div hidden><svg><path d='M0 0'/><g><use/></g></svg><br><img src=a><input></div>", "<table><tr hidden><td>a<tr><td>b</table>",
    "<div hidden><script>'<div>'</script><style>a{}</style><!-- <div> --></div>", "<svg><g hidden><path/></g></svg>",
    "<template><tr><td>a</td></tr></template><p hidden>b", "<div hidden><math><mi>x</mi><mspace/></math></div>", "<DIV hidden>a</DIV >",
    "<ruby hidden>a<rt>b</ruby>", "<p hidden>a<div>b</div>",
])  # fmt: skip
def test_hidden_elements_that_end_alike_for_all_are_no_loss(hidden):
    assert lost(page(f"{hidden}<p>{SECRET}")) == ()


@pytest.mark.parametrize(
    "piece",
    ["<div hidden>a</div>", "<b hidden>", "<div hidden>", "<script ", "<!-- ", "<div hidden><svg>", "<td hidden>"],
)
def test_many_hidden_elements_cost_what_they_are_long(piece):
    few, many = (timed(page(piece * count)) for count in (2_000, 16_000))
    assert many < 60 * few + 1


@pytest.mark.parametrize("tag", ["a", "b", "code", "em", "font", "i", "small", "strong", "u", "a href=x", "b id=i"])
@pytest.mark.parametrize(
    "body",
    [
        "<p><{0} class=x>x</{1}></p><p>{2}</p>",
        "<p>a<{0} class=x>x</{1}><p>{2}",
        "<ul><li><{0} class=x>x</{1}></li><li>{2}</li></ul>",
        "<ul><li><{0} class=x>x</{1}><li>{2}</ul>",
        "<table><tr><td><{0} class=x>x</{1}></td><td>{2}</td></tr></table>",
        "<table><tr><td><{0} class=x>x</{1}><td>{2}</table>",
        "<dl><dt><{0} class=x>x</{1}><dd>{2}</dl>",
        "<div><{0} class=x><span>x</span></{1}></div><div>{2}</div>",
        "<section><q><{0} class=x></{1}></q></section><br/><p>{2}</p>",
        "<p><{0} class=x><svg><title>x</title><text>y</text></svg></{1}></p><p>{2}",
        "<p><{0} class=x>x<script>'<b>y'</script><!-- <b>y --></{1}></p><p>{2}",
        "<h1><{0} class=x>&amp;&nbsp;&eacute;</{1}></h1><table><tr><td>{2}</table>",
    ],
)
def test_a_page_in_one_line_that_closes_its_hidden_elements_is_whole(body, tag):
    body = body.format(tag, tag.split()[0], SECRET)
    for rule in ("display:none", "color:#fff"):
        assert lost(page(body, f"<style>.x{{{rule}}}</style>")) == ()


def test_attributes_of_a_second_root_or_body_are_those_of_the_first():
    for more in ("<html hidden>", "<body hidden>", "<html style='display:none'>", "<body style='display:none'>"):
        assert not read("html", f"<!doctype html><body>x<p>{SECRET}{more}").text
    for more in (
        "<html lang=en>",
        "<body lang=en>",
        "<script>'<body hidden>'</script>",
        "<template><body hidden></template>",
    ):
        assert SECRET in read("html", f"<!doctype html><body>x<p>{SECRET}{more}").text


def test_sheets_that_a_page_in_xml_names_before_its_root_are_told():
    root = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{SECRET}</p></body></html>'
    linked = '<?xml version="1.0"?><?xml-stylesheet href="data:text/css,p{display:none}"?>' + root
    assert lost(linked) == ("1 style sheet in other files",)
    assert lost('<?xml version="1.0"?>' + root) == ()


@pytest.mark.parametrize(("body", "told"), [
    ("<div hidden='hidden'/><p>{}</p>", True), ("<p>a<b style='display:none'/>{}</p>", True), ("<script src='a'/><p>{}</p>", True),
    ("<div hidden='hidden'></div><p>{}</p>", False), ("<p><a id='b'/>{}</p>", False), ("<p>a<br hidden='hidden'/>{}</p>", False),
    ("<svg xmlns='http://www.w3.org/2000/svg'><g style='display:none'/></svg><p>{}</p>", False),
])  # fmt: skip
def test_a_page_in_xml_that_hides_more_when_it_is_not_read_as_xml_is_told(body, told):
    root = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Opening.</p>{}</body></html>'
    assert bool(lost(root.format(body.format(SECRET)))) is told


def test_in_xml_a_second_body_is_told():
    body = "<body><p>Opening.</p></body>"
    root = '<html xmlns="http://www.w3.org/1999/xhtml">{}</html>'
    twice = epub({"a.xhtml": root.format(body + f"<body text='white'><p>{SECRET}</p></body>")})
    assert read("epub", twice).lost == ("second body",)
    assert read("epub", epub({"a.xhtml": root.format(body)})).lost == ()


def test_in_xml_a_sheet_of_another_kind_of_markup_is_none():
    body = "<style{}>p{{display:none}}</style><p>Ninety are due.</p>"
    root = '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Opening.</h1>{}</body></html>'
    for name, shown in ((' xmlns=""', True), ("", False)):
        found = read("epub", epub({"a.xhtml": root.format(body.format(name))}))
        assert (SECRET in found.text) is shown


@pytest.mark.parametrize(
    "tag",
    ["wbr", "WBR class=a", "embed src=x", 'source src="a>b"', "track", "keygen", "wbr/", "bgsound", "image src=a"],
)
def test_no_words_are_lost_behind_an_element_that_holds_nothing(tag):
    body = f"<p>You may <b><{tag}>not</b> smoke. It costs 123<span><{tag}> euros</span>.</p>"
    assert seen_words(page(body)).endswith("You may not smoke. It costs 123 euros.")
    assert seen_words(page("<p>" + f"a<{tag}>" * 400 + " end</p>")).endswith("a" * 400 + " end")


@pytest.mark.parametrize(
    "body",
    [
        "<p>Open <{} hidden>{}</{}> end</p>",
        "<p>Open <{} style='display:none'>{}</{}> end</p>",
    ],
)
@pytest.mark.parametrize("tag", ["spacer", "nextid", "command"])
def test_an_element_that_browsers_know_no_more_hides_what_it_holds(body, tag):
    assert not seen(page(body.format(tag, SECRET, tag)))
    assert seen(page(body.format(tag, "a", tag) + SECRET))


@pytest.mark.parametrize(
    "body",
    [
        "<svg><source><text y=20>{}</text></source></svg>",
        "<p>x <wbr a=it's><span hidden> it's> {}</span></p>",
        "<!-- <wbr a='--><b class=\"'>x\" hidden>{}</b>",
    ],
)
def test_no_tag_is_put_in_where_an_element_is_hidden(body):
    assert not seen(page(body.format(SECRET)))
    assert seen(page(body.format("a") + f"<p>{SECRET}"))


def test_the_edge_of_a_screen_hides_nothing():
    for inset in ("env(safe-area-inset-top)", "calc(1em + env(safe-area-inset-left, 20px))"):
        assert seen(page(f"<p style='padding: {inset}; margin: {inset}'>{SECRET}</p>"))
    for other in ("other", "safe-area-inset-foo"):
        assert not seen(page(f"<p style='margin-left: env({other}, -9999px)'>{SECRET}</p>"))


@pytest.mark.parametrize("margin", ["%", "{{m}}%", "-%", "5%"])
def test_a_margin_that_no_browser_takes_is_none(margin):
    assert seen(page(f"<p style='margin: {margin}'>{SECRET}</p>"))


@pytest.mark.parametrize("rule", ["[hidden]{display:block}", "p[hidden]{display:flex}", "[hidden]{display:none}"])
def test_words_that_a_rule_for_what_is_hidden_may_show_are_not_left_out_without_a_word(rule):
    """They are marked: whether the rule wins is not followed."""
    found = read("html", page(f"<p>A</p><p hidden>{SECRET}</p>", f"<style>{rule}</style>"))
    assert (SECRET in found.text) is ("none" not in rule)
    assert SECRET not in "".join(found.visible)


def test_words_of_a_field_are_seen_whatever_is_left_open_before_it():
    begin = "<div><tt hidden>x</div><textarea>"
    assert seen(page(f"{begin}{SECRET}</textarea>")) and lost(page(f"{begin}{SECRET}</textarea>")) == ()
    assert not seen(page(f"{begin}a</textarea>{SECRET}"))
    assert not seen(page(f"<math><textarea><a hidden>{SECRET}</a></textarea></math>"))
    assert seen(page(f"<div><tt>x</div><textarea>{SECRET}</textarea>"))


@pytest.mark.parametrize(("body", "twin"), [
    ("<i><search hidden></i>{}</search>", "<i><search hidden></search></i>{}"),
    ("<search hidden><p></search>{}", "<search hidden><p></p></search>{}"),
    ("<math><sup hidden></math>{}", "<math><mtext><sup hidden></sup></mtext></math>{}"),
    ("<svg><sup hidden></svg>{}", "<svg><foreignObject><sup hidden></sup></foreignObject></svg>{}"),
    ("<SEARCH hidden><p></SEARCH>{}", "<SEARCH hidden></SEARCH><x-search><p></x-search>{}"),
])  # fmt: skip
def test_an_element_that_not_all_browsers_end_at_the_same_place_is_told(body, twin):
    assert read("html", page(body.format(SECRET))).lost == ("1 element that not all browsers end at the same place",)
    assert seen(page(twin.format(SECRET))) and lost(page(twin.format(SECRET))) == ()
