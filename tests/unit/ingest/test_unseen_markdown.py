"""What of Markdown no reader of the page sees, each with a twin that is seen."""

import pytest

from verified_gate.ingest import cut, read_document
from verified_gate.ingest.unseen_markdown import unseen


def marked(text):
    return [text[start:end] for start, end in unseen(text)]


@pytest.mark.parametrize(("text", "hidden"), [
    ("a <!-- The fee. --> b", ["<!-- The fee. -->"]),
    ("a\n<!-- The\n\nfee. -->\nb <!-- c", ["<!-- The\n\nfee. -->", "<!-- c"]),
    ("<!--> a <!---> b", ["<!-->", "<!--->"]),
    ("[a](b_(c) 'The fee.') d", ["'The fee.'"]),
    ("a <!-- b\n\nc --> d", ["<!-- b\n\nc -->"]),
    ("a <? The fee. ?> b <!X y> c <![CDATA[z]]> d", ["<? The fee. ?>", "<!X y>", "<![CDATA[z]]>"]),
    ("> <!-- The\n> fee. -->\n\nb", ["<!-- The\n> fee. -->"]),
    ("a\r\n<!-- The fee. -->\r\nb", ["<!-- The fee. -->"]),
    ("<div hidden>The fee.</div> b", ["<div hidden>The fee.</div>"]),
    ("<div hidden><div>a</div>The fee.</div> b", ["<div hidden><div>a</div>The fee.</div>"]),
    ("<div\nhidden>The fee.</div>\n\nb", ["<div\nhidden>The fee.</div>"]),
    ("> <div\n> hidden>The fee.</div>\n\nb", ["<div\n> hidden>The fee.</div>"]),
    ("<div hidden>\n\nThe *fee*.\n\n</div>\n\nb", ["<div hidden>\n\nThe *fee*.\n\n</div>"]),
    ("<div hidden><!-- </div> -->The fee.</div> b", ["<div hidden><!-- </div> -->The fee.</div>"]),
    ("<div hidden><textarea></div></textarea>a</div>b", ["<div hidden><textarea></div></textarea>a</div>"]),
    ("<span hidden><div></span>The fee.</div></span>b", ["<span hidden><div></span>The fee.</div></span>"]),
    ("<div hidden><table><td></div>a</td></table></div>b", ["<div hidden><table><td></div>a</td></table></div>"]),
    ("a <span hidden>`</span>`The fee.</span> b", ["<span hidden>`</span>`The fee.</span>"]),
    ("<p hidden>The fee.\n\nb", ["<p hidden>The fee.\n\n"]),
    ("a <span hidden>The fee.\n\nb", ["<span hidden>The fee."]),
    ("<div>\n```\n<p hidden>The fee.</p>\n```\n</div>\n\nb", ["<p hidden>The fee.</p>"]),
    ("<P style='display:none'>The fee.</P> b", ["<P style='display:none'>The fee.</P>"]),
    ("<p style=\"font-size:0\">The fee.</p>b", ["<p style=\"font-size:0\">The fee.</p>"]),
    ("<i style='font-size:0'>a<b style='font-size:9pt'>b</b>c</i>",
     ["<i style='font-size:0'>a", "c</i>"]),
    ("a <font color=white>The fee.</font> b", ["<font color=white>The fee.</font>"]),
    ("<div style='background:#000'><div></div>a</div>b", ["<div style='background:#000'><div></div>a</div>"]),
    ("<div style='background:#000'></div><p style='color:#fff'>a</p>b",
     ["<div style='background:#000'></div><p style='color:#fff'>a</p>"]),
    ("a <script>The fee.</script> <style>b</style> <template>c</template> d",
     ["<script>The fee.</script>", "<style>b</style>", "<template>c</template>"]),
    ("<script>\na\n\nb\n</script>\nc", ["<script>\na\n\nb\n</script>"]),
    ("<dialog>a</dialog> b", ["<dialog>a</dialog>"]),
    ("<div a=\"x>The fee.</div>\n\nb", ["<div a=\"x>The fee.</div>\n\nb"]),
    ("<img src=x alt='The fee.'> b", ["<img src=x alt='The fee.'>"]),
    ("<del>a</del> <s>b</s> c", ["<del>a</del>", "<s>b</s>"]),
    ("~~900~~ 800", ["~~900~~"]),
    ("[x]: http://a.b 'The fee.'\nb", ["[x]: http://a.b 'The fee.'"]),
    ("[x]: <http://a.b>\n  (The fee.)\nb", ["[x]: <http://a.b>", "  (The fee.)"]),
    ("[x]:\nhttp://a.b\n\"The\nfee.\"\n\nb", ["[x]:", "http://a.b", "\"The", "fee.\""]),
    ("[a](b 'The fee.') ![c](<d> \"e\") [f](g (h))", ["'The fee.'", "\"e\"", "(h)"]),
    ("[a](<the fee is due>) b", ["<the fee is due>"]),
    ("`` <!-- a --> ` b", ["<!-- a -->"]),
    ("|A|B|C|\n|-|-|-|\n| ` | <!-- a --> | ` |", ["<!-- a -->"]),
    ("``` py The fee.\na\n```", ["py The fee."]),
    ("İ <!-- x --> y", ["<!-- x -->"]),
])  # fmt: skip
def test_what_is_not_seen_is_marked(text, hidden):
    assert [each.rstrip("\n") for each in marked(text)] == [each.rstrip("\n") for each in hidden]


@pytest.mark.parametrize("text", [
    "a `<!-- The fee. -->` b", "```\n<!-- The fee. -->\n```\nb", "<input hidden> The fee.", "[^1]: The fee.",
    "<div class='a hidden b'>The fee.</div>", "[Note]: the fee is 9 euros.", "5 < 6 and 7 > 3", "[a](b)", "[a](<b>)",
    "a\n\n    <!-- The fee. -->\n    <div hidden>\n\nb", "- a\n\n      <!-- The fee. -->\n\n  b", "\\<!-- The fee. -->",
    "\\<div hidden>The fee.</div>", "`a\n<b hidden> c` d", "`` ` <!-- a --> ``", "`<div hidden>` a `</div>` b",
    "<div style='background:#000;color:#fff'>a <b style='color:#fff'>b</b></div>", "a ~~ b ~~ c", "~900 or ~800", "`~~a~~`",
    "<dialog open>a</dialog>", "<details><summary>a</summary>b</details>", "<kbd>a</kbd><br>b",
    "<http://a.b/c> <d@e.f>", "z <a b=\" hidden>c</a>", "|A|B|\n|-|-|\n| `a\\|<!-- b -->` | c |", "```{note} a b\nc\n```",
    "<p style='font-size:0.9em'>a</p>", "1.\n2. a",
])  # fmt: skip
def test_what_is_seen_is_not_marked(text):
    assert marked(text) == []


def test_passages_carry_what_is_hidden_in_them_and_plain_text_has_none():
    body = b"# Fees\n\nThe fee is 9 euros. <!-- The fee is 900 euros. --> It is due.\n"
    for name, hidden in (("a.md", ["<!-- The fee is 900 euros. -->"]), ("a.txt", [])):
        passages = cut(read_document(body, name))
        assert [each.text[start:end] for each in passages for start, end in each.hidden] == hidden


@pytest.mark.parametrize("piece", [
    "<!--", "<a hidden>", "[a]: b\n", "`<!-- ", "<a ", "` <b> ", "](a \"", "](<a ", "~~a ", "<a x=\"<a y='", "a <!-- b\n\n",
    "<?a ", "<div a=", "<p>", "``` a b\n", "> - ", "a|b\n-|-\n", "<span hidden>", "</q>", "<script>", "\\",
])  # fmt: skip
def test_work_grows_with_the_text_and_spans_are_in_order_and_apart(piece):
    for text in (piece * 5_000, "<div>\n" + piece * 5_000):
        spans = unseen(text)
        places = [place for span in spans for place in span]
        assert places == sorted(set(places))
        assert all(0 <= place <= len(text) for place in places)


@pytest.mark.parametrize(("text", "twin"), [
    ("<code hidden><font hidden></code>W", "<code hidden><font hidden></font></code>W"),
    ("<dl hidden><small hidden></dl>W", "<dl hidden><small hidden></small></dl>W"),
    ("<p><b hidden>a<div>W</div>", "<p><b hidden>a</b><div>W</div>"),
    ("<div hidden><b><div></b></div>W", "<div hidden><b></b><div></div></div>W"),
    ("<form hidden>a<div></form>W", "<form hidden>a<div></div></form>W"),
    ("<form hidden><form><div></form></form>W", "<form hidden><div></div></form>W"),
    ("<form hidden><li><big></li></form>W", "<form hidden><li><big></big></li></form>W"),
    ("<form hidden><table></form></table></form>W", "<form hidden><table></table></form>W"),
    ("<p hidden><button>\n\na\n\nW", "<p hidden><button></button></p>\n\na\n\nW"),
    ("<span hidden><button></span>W", "<span hidden><button></button></span>W"),
    ("<article hidden><select></article>W", "<article hidden><select></select></article>W"),
    ("<li hidden><ul></li>W", "<li hidden><ul></ul></li>W"),
    ("<tr><dl hidden></tr>W", "<table><tr><td><dl hidden></dl></td></tr></table>W"),
    ("<svg><b hidden></svg>W", "<svg><g hidden></g></svg>W"),
    ("<svg><style><p hidden></style>W", "<style><p hidden></style>W"),
    ("<section hidden><tr><section></tr></section>W", "<section hidden><section></section></section>W"),
    ("<table><table hidden></table><div hidden></table>W", "<table><tr><td><table hidden></table></td></tr></table>W"),
    ("<li hidden><li></li><p hidden></li>W", "<li hidden></li><li></li><p hidden></p>W"),
    ("W<body hidden>", "W<body lang=en>"),
    ("<select>W<option>a</select>", "<p>W<select><option>a</select>"),
    ("<table style='color:#fff'>W<tr><td>a</table>", "<table style='color:#fff'><tr><td>a</td></tr></table>W"),
    ("<dd style='background:#000'><dd style='color:#fff'>W", "<dd style='background:#000'><b style='color:#fff'>W"),
    ("<i style='background:#000'>a\n\n<span style='color:#fff'>W", "<i style='background:#000'>a <span style='color:#fff'>W"),
    ("<p>a<noscript>\n\nW", "<p>a<noscript></noscript>\n\nW"),
])  # fmt: skip
def test_what_browsers_may_hide_behind_an_element_that_is_not_closed_is_marked_and_behind_a_closed_one_not(text, twin):
    assert any(start <= text.index("W") < end for start, end in unseen(text))
    assert not any(start <= twin.index("W") < end for start, end in unseen(twin))


@pytest.mark.parametrize("text", [
    "<ul><li>a<li>W</ul>", "<table><tr><td>a<td>W</table>", "<div style='margin:0'><b>a</div>W", "<p>a<b>c</p>\n\nW",
    "<span hidden><div></span>a</div></span>W", "a <span hidden>b\n\nW", "<table width=9>\n<tr>\n<td>W</td></tr></table>",
    "<ul style='margin:0'><li style='margin:0'>a<li>W</ul>", "<b>a</i>W</b>", "<p>a<font size=2>b<p>W",
])  # fmt: skip
def test_what_is_left_open_hides_nothing_where_nothing_is_hidden(text):
    assert not any(start <= text.index("W") < end for start, end in unseen(text))
