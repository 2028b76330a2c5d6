"""Web pages as a browser shows them."""

import pytest

from tests.reading import blocks, headings, hidden, read, rows
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


def page(body, head=""):
    return read("html", f"<!doctype html><html lang=de><head><title>Title &amp; more</title>{head}</head><body>{body}")


def text(body, head=""):
    return page(body, head).text


def test_headings_paragraphs_items_code_and_captions_are_blocks_of_their_kind():
    found = page(
        "<h1>One</h1><p>First.</p><h3>Deep</h3><ul><li>a<li>b</ul><pre>\n x = 1\n\n y\n</pre>"
        "<figure><img src=a.png><figcaption>A duck</figcaption></figure><aside role=doc-footnote>1 Note.</aside>"
    )
    assert blocks(found) == [
        ("heading", "One"), ("paragraph", "First."), ("heading", "Deep"), ("item", "a"), ("item", "b"),
        ("code", " x = 1\n\n y"), ("caption", "A duck"), ("footnote", "1 Note."),
    ]  # fmt: skip
    assert [block.level for block in found.blocks if block.kind == "heading"] == [1, 3]
    assert (found.title, found.lang, found.coverage) == ("Title & more", "de", "complete")
    assert found.text == "One\n\nFirst.\n\nDeep\n\na\nb\n\n x = 1\n\n y\n\nA duck\n\n1 Note."


def test_white_space_is_collapsed_as_browsers_do_and_kept_in_preformatted_text():
    assert text("<p>  a \n\t b<b> c</b> \n d </p>") == "a b c d"
    assert text("<p>a&nbsp;b&shy;c&#x2009;d</p>") == "a\u00a0b\u00adc\u2009d"
    assert text("<p>a<br>b<br/> c</p>") == "a\nb\nc"
    assert text("<p>one</p>two<p>three") == "one\n\ntwo\n\nthree"
    assert text("<p>x</p><pre>a  b\n\tc</pre>") == "x\n\na  b\n\tc"
    assert text("<div>a<div>b</div></div>c") == "a\n\nb\n\nc"


def test_line_ends_of_preformatted_text_are_kept_but_for_the_first_and_control_characters_are_told_apart():
    assert text("<p>x</p><pre>\n\na\x01b<b>\n</b>c\n</pre>") == "x\n\n\na\N{REPLACEMENT CHARACTER}b\nc"
    assert text("<p>x</p><pre><b>\na</b></pre><pre>\nb</pre>") == "x\n\n\na\n\nb"


def test_a_line_end_between_letters_of_scripts_without_spaces_is_none():
    assert text("<p>网络\n 服务。\n第二</p>") == "网络服务。第二"
    assert text("<p>한국어\n문장</p>") == "한국어 문장"
    assert text("<p>Debian\n系统</p>") == "Debian 系统"


def test_items_stay_together_and_loose_ones_do_too():
    assert text("<p>You can:</p><ul><li><p>go</p></li> <li><p>stay</p><p>long</p></li></ul><p>End") == (
        "You can:\n\ngo\nstay\n\nlong\n\nEnd"
    )
    assert blocks(page("<ul><li>a<ul><li>b<li>c</ul>after</ul>")) == [
        ("item", "a"), ("item", "b"), ("item", "c"), ("item", "after"),
    ]  # fmt: skip
    assert text("<dl><dt>term<dd>meaning</dl>") == "term\nmeaning"


def test_rows_are_blocks_with_the_headers_of_their_cells():
    found = page(
        "<table><caption>Fees</caption><thead><tr><th>Item<th>Fee<th>Due</thead>"
        "<tbody><tr><th>Bike<td>5 EUR<td>now<tr><td>Car<td><td><p>to</p><p>morrow</p></table>after"
    )
    assert rows(found) == [
        (1, "Item\tFee\tDue", ()),
        (2, "Bike\t5 EUR\tnow", ("Item", "Fee", "Due")),
        (3, "Car\t\tto\nmorrow", ("Item", "Fee", "Due")),
    ]
    assert found.text == "Fees\n\nItem\tFee\tDue\nBike\t5 EUR\tnow\nCar\t\tto\nmorrow\n\nafter"


def test_spans_of_cells_do_not_shift_the_headers():
    found = page(
        "<table><tr><th rowspan=2>A<th colspan=2>B<tr><th>B1<th>B2"
        "<tr><th rowspan=2>x<td>1<td>2<tr><td>3<td>4<tr><td colspan=2>5<td>6</table>"
    )
    assert [columns for _, _, columns in rows(found)] == [
        (), (), ("A", "B B1", "B B2"), ("B B1", "B B2"), ("A, B B1", "B B2"),
    ]  # fmt: skip


def test_a_row_of_headers_below_the_names_is_data_and_one_after_data_names_anew():
    names = "<table><tr><th><th>2023<th>2024"
    assert rows(page(names + "<tr><th>Europe<th colspan=2>n/a<tr><th>Asia<td>1<td>2</table>"))[1:] == [
        (2, "Europe\tn/a", ("", "2023, 2024")),
        (3, "Asia\t1\t2", ("", "2023", "2024")),
    ]
    again = "<tr><th>Old fee<th>New fee<tr><td>10<td>20<tr><th>Days<th>Weeks<tr><td>3<td>4"
    assert rows(page(f"<table>{again}</table>"))[-1] == (4, "3\t4", ("Days", "Weeks"))
    title = again.replace("<th>Days<th>Weeks", "<th colspan=2>Days")
    assert rows(page(f"<table>{title}</table>"))[-1] == (4, "3\t4", ("Old fee", "New fee"))
    below = "<tr><th colspan=2>Fee<tr><th>net<th>gross<tr><th rowspan=3>x<td>1"
    assert rows(page(f"<table>{below}</table>"))[-1] == (3, "x\t1", ("net", "gross"))
    assert headings(page(f"<table>{below}</table>"))[-1] == ("x\t1", ("Fee", "x"))


def test_a_table_that_lays_out_a_page_is_no_table_and_one_with_headers_is():
    layout = "<table><tr><td><h1>Head</h1><p>Text.</p><td><table><tr><td>1<td>2</table></table>"
    assert blocks(page(layout)) == [("heading", "Head"), ("paragraph", "Text."), ("row", "1\t2")]
    assert [row[1] for row in rows(page("<table><tr><th>A<th>B<tr><td>x<td><h3>y</h3></table>"))] == ["A\tB", "x\ty"]
    assert blocks(page("<table role=presentation><tr><td>left<td>right</table>")) == [
        ("paragraph", "left"), ("paragraph", "right"),
    ]  # fmt: skip


def test_ids_are_anchors_from_where_their_words_begin():
    found = page(
        "<section id=s><h1 id=h>One</h1></section><p>a <span id=here>b</span> <a name=old>c</a><p id=empty></p>"
    )
    at = {anchor.element: found.text[anchor.start :][:3] for anchor in found.anchors}
    assert at == {"h": "One", "here": "b c", "old": "c"}


def test_scripts_styles_templates_and_what_else_is_no_text_are_left_out():
    silent = (
        "<script>x</script><style>y{}</style><template>t</template><noscript>n</noscript><iframe>f</iframe>"
        "<svg><title>s</title><text>seen</text></svg><object>o</object><video>v</video><!-- c --><dialog>d</dialog>"
        "<datalist><option>l</datalist><math><mi>k</mi><annotation>a</annotation></math>"
    )
    assert text(f"<p>a</p>{silent}<p>z</p>").split() == ["a", "seen", "k", "z"]


@pytest.mark.parametrize(
    "style",
    ["display:none", "DISPLAY : NONE !important", "visibility:hidden", "visibility: collapse", "opacity:0", "font-size:0",
     "font-size: 0px", "text-indent:-9999px", "position:absolute;left:-10000px", "position:fixed; top: -2000em",
     "overflow:hidden;height:0", "position:absolute;clip:rect(0,0,0,0)"],
)  # fmt: skip
def test_what_a_style_hides_is_left_out(style):
    assert text(f"<p>You may <span style='{style}'>not </span>go.") == "You may go."
    shown = style.lower().replace("none", "inline").replace("hidden", "visible").replace("collapse", "visible")
    for nothing, something in (("0", "1"), ("-9999", "9"), ("-10000", "10"), ("-2000", "20")):
        shown = shown.replace(f":{nothing}", f":{something}").replace(f": {nothing}", f": {something}")
    shown = shown.replace("rect(0,0,0,0)", "auto")
    assert text(f"<p>You may <span style='{shown}'>not </span>go.").split() == ["You", "may", "not", "go."]


def test_what_is_invisible_and_takes_room_keeps_the_words_around_it_apart():
    for style in ("visibility:hidden", "opacity:0"):
        assert text(f"<p>10<span style='{style}'>,</span>5") == "10 5"
    assert text("<p>10<span style='display:none'>,</span>5") == "105"  # as a reader sees it


def test_what_stands_in_a_table_beside_its_cells_is_not_lost():
    found = page("<table>stray <b>words</b><tr><td>a<td>b</tr>more<tr>loose<td>c</table>")
    assert blocks(found) == [("paragraph", "stray wordsmoreloose"), ("row", "a\tb"), ("row", "c")]
    assert text("<table><form><tr><td>in a form</td></tr></form></table>") == "in a form"


def test_of_a_list_to_choose_from_the_choices_alone_are_read():
    for beside in (
        "or this",
        "<p>or this</p>",
        "<div><b>or</b><option>gas</option></div>",
        "<svg><text>or</text></svg>",
    ):
        found = page(f"<p>Pay<select>{beside}<option>rent<option>water</select>now.")
        assert "or" not in found.text.split() and {"Pay", "rent", "water", "now."} <= set(found.text.split())
        assert found.lost == ("1 list to choose from with words beside the choices",)
    for beside in (
        "",
        " <hr> ",
        "<optgroup label=Costs>",
        "<script>or</script>",
        "<button><selectedcontent></selectedcontent></button>",
    ):
        found = page(f"<p>Pay<select>{beside}<option>rent<option>water</select>now.")
        assert found.text.split() == ["Pay", "rent", "water", "now."] and found.lost == ()
    assert page("<select hidden>or this<option>rent</select>now").lost == ()


def test_a_page_in_xhtml_is_read_as_xml_and_one_that_is_none_as_browsers_do():
    head = '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script/></head>'
    assert read("html", head + "<body><p>words</p></body></html>").text == "words"
    assert read("html", '<?xml version="1.0"?><html><body><p>words<br>more</body></html>').text == "words\nmore"


def test_words_of_a_drawing_are_read_and_what_describes_it_is_not():
    assert text("<svg><desc>no</desc><defs><text>no</text></defs><text>seen</text></svg><desc>seen</desc>").split() == [
        "seen",
        "seen",
    ]


def test_what_attributes_and_rules_of_the_page_hide_is_left_out():
    rules = "<style>/* c */ .no, p#gone , i.x.y{display:none} @media print{.seen{display:none}} @media screen{.scr{display:none}}</style>"
    body = "<p hidden>a<p class='big no'>b<p id=gone>c<p class=seen>d<p class=scr>e<p><i class=x>f</i><i class='y x'>g</i><b id=gone>h</b>"
    assert text(body, rules).split() == ["d", "fh"]


def test_a_child_of_an_invisible_element_may_be_visible_again():
    assert text("<p style='visibility:hidden'>a <b style='visibility:visible'>b</b></p>c").split() == ["b", "c"]


def test_the_more_special_and_the_later_rule_wins_as_in_a_browser():
    assert text("<p class=a>x", "<style>p.a{display:block} p{display:none}</style>") == "x"
    assert text("<p class=a>x", "<style>p{display:block} .a{display:none}</style>") == ""
    assert text("<p class=a style='display:block'>x", "<style>.a{display:none}</style>") == "x"


def test_what_a_rule_hides_and_another_may_show_is_kept_and_marked():
    rules = "<style>.tab{display:none} .open .tab{display:block}</style>"
    found = page("<p>seen</p><div class=tab>behind</div>", rules)
    assert (found.text, hidden(found)) == ("seen\n\nbehind", ["behind"])


@pytest.mark.parametrize("colour", ["white", "#FFF", "#ffffff", "rgb(255, 255, 255)", "rgba(255,255,255,1)"])
def test_white_on_white_is_marked_as_not_seen(colour):
    found = page(f"<p>The fee is 5 EUR. <span style='color:{colour}'>Nothing is due.</span> Pay now.")
    assert hidden(found) == ["Nothing is due."]
    assert not page(f"<p style='background:#036'>The fee <span style='color:{colour}'>is due.</span>").hidden
    assert not page("<p>The fee <span style='color:red'>is due.</span>").hidden


def test_words_under_a_black_bar_are_marked_and_those_on_a_ground_set_by_a_rule_are_not():
    assert hidden(page("<p>Paid to <span style='background:black'>A. Smith</span> today.")) == ["A. Smith"]
    assert not page(
        "<div class=page><p class=night>Paid</div>", "<style>.night{background:#000} .page .night{color:#fff}</style>"
    ).hidden
    assert page("<p class=night>Paid", "<style>.night{background:#000} .page .night{color:#fff}</style>").hidden


def test_exponents_and_indices_do_not_run_together_with_numbers():
    assert text("<p>10<sup>2</sup> m, H<sub>2</sub>O, 1<sup>st</sup>, 10<sup>2,5</sup>, 10<sup>−3</sup>") == (
        "10² m, H₂O, 1st, 10^2,5, 10⁻³"
    )
    assert text("<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mi>x</mi><mn>2</mn></msup></math>") == "1/2x^2"
    assert text(
        "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><msqrt><mn>9</mn></msqrt></math>"
    ) == ("(a+b)/2√(9)")


def test_marks_of_notes_stand_in_brackets():
    assert text(
        "<p>due<sup><a href='#fn1'>1</a></sup> now<a epub:type=noteref role=doc-noteref href=n.html#x>*</a>"
    ) == ("due[1] now[*]")
    assert text("<p>due<sup><a href='#fn1'>[1]</a></sup> see <a href='#2'>2</a>") == "due[1] see 2"


def test_a_heading_s_link_to_itself_and_printed_addresses_of_links_are_left_out():
    assert text("<h2>Scope<a href='#scope' title='link'>¶</a></h2>") == "Scope"
    assert text("<h2>Scope <a href='#a'>of it</a></h2>") == "Scope of it"
    assert text("<p>See <a href='https://x.org/'>here</a><span> [https://x.org/]</span>.") == "See here."
    assert (
        text("<p>See <a href='https://x.org/'>here</a><span> [https://y.org/]</span>.") == "See here [https://y.org/]."
    )


def test_readings_above_characters_are_left_out():
    assert text("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字") == "漢字"


@pytest.mark.parametrize(
    ("label", "codec"), [("utf-8", "utf-8"), ("ISO-8859-1", "cp1252"), ("windows-1252", "cp1252"), ("koi8-r", "koi8-r"),
                         ("GB2312", "gb18030"), ("shift_jis", "cp932")],
)  # fmt: skip
def test_a_page_is_read_in_the_encoding_that_it_declares(label, codec):
    words = {"koi8-r": "Возврат", "gb18030": "网络服务", "cp932": "東京"}.get(codec, "Rückgabe — für")
    assert read("html", f'<meta charset="{label}"><p>{words}'.encode(codec)).text == words
    assert (
        read("html", f'<meta http-equiv=x content="text/html; charset={label}"><p>{words}'.encode(codec)).text == words
    )


def test_a_byte_order_mark_outranks_what_is_declared():
    assert read("html", "\ufeff<meta charset=koi8-r><p>Größe".encode("utf-16-le")).text == "Größe"
    assert read("html", "\ufeff<meta charset=koi8-r><p>Größe".encode()).text == "Größe"


@pytest.mark.parametrize("data", [b"<p>Gr\xf6\xdfe und Ma\xdf", b"<meta charset=rot13><p>Gr\xf6\xdfe und Ma\xdf",
                                  b"<!--" + b"x" * 9_000 + b"--><meta charset=latin1><p>Gr\xf6\xdfe und Ma\xdf"])  # fmt: skip
def test_a_page_without_a_known_encoding_is_read_as_browsers_read_it(data):
    assert (read("html", data).text, read("html", data).coverage) == ("Größe und Maß", "complete")
    for label in ("utf-7", "unicode_escape"):
        assert read("html", f"<meta charset={label}><p>+AGE- \\x41".encode()).text == "+AGE- \\x41"


def test_a_stray_byte_is_told_and_a_page_of_them_is_refused():
    stray = read("html", "<meta charset=utf-8><p>Die Größe zählt, und die Maße.".encode() + b"\xff")
    assert (stray.text, stray.coverage) == ("Die Größe zählt, und die Maße.\ufffd", "partial")
    undeclared = read("html", "<p>Die Größe zählt, und die Maße.".encode() + b"\xff")
    assert (undeclared.text, undeclared.lost) == (stray.text, stray.lost)
    for data in (b"<meta charset=utf-8><p>" + "Größe und Maß".encode("koi8-r", "replace") + b"\xff\xfe\xff\xe0" * 9,
                 b"<p>\x00\x01\x02\xff\xfe\xe0 binary"):  # fmt: skip
        with pytest.raises(UnreadableFile) as fault:
            read("html", data)
        assert fault.value.reason is Unreadable.NOT_TEXT


@pytest.mark.parametrize("data", [b"", b"   ", b"<!-- -->", b"<html></html>", b"<p><img src=a.png>"])
def test_a_page_without_words_has_no_coverage(data):
    assert read("html", data).coverage == "none"


def test_limits_of_characters_and_blocks_are_held():
    for limits in (ReadingLimits(characters=9), ReadingLimits(blocks=2)):
        with pytest.raises(UnreadableFile) as fault:
            read("html", "<p>abc<p>def<p>ghi", limits)
        assert fault.value.reason is Unreadable.TOO_LARGE
    assert read("html", "<p>abc<p>def", ReadingLimits(characters=9, blocks=2)).text == "abc\n\ndef"


def test_entities_and_broken_markup_are_read_as_browsers_read_them():
    assert text("<p>a &lt; b &amp;&hellip; &#8364;5 &notit; <b>c<i>d</b>e</i>") == "a < b &… €5 ¬it; cde"


@pytest.mark.parametrize("name", ["&secret;", "plain"])
def test_the_file_that_a_doctype_names_is_never_opened(tmp_path, name):
    outside = tmp_path / "outside.dtd"
    outside.write_text("<!ENTITY secret 'of this machine'>")
    doctype = f'<?xml version="1.0"?><!DOCTYPE html SYSTEM "{outside}">'
    found = read(
        "html", f'{doctype}<html xmlns="http://www.w3.org/1999/xhtml"><body><p id="{name}">Words.</p></body></html>'
    )
    assert found.text == "Words."
    assert tuple(anchor.element for anchor in found.anchors) == (name,)


def test_a_rule_for_a_name_alone_hides_elements_without_attributes_too():
    styled = "<style>i{display:none}</style>"
    assert text("<p>a<i>hidden</i> <i class=x>hidden</i><b>seen</b>", styled) == "a seen"
    assert text("<p>a<i>hidden</i></p><section>", "<style>section, i b{display:none}</style>") == "ahidden"


def test_the_mark_of_a_note_is_one_whatever_stands_around_it():
    assert text("<p>goods<a role=doc-noteref href='#f'><sup>1</sup></a> go") == "goods[1] go"
    assert text("<p>goods<a href='#f'><sup>1</sup></a> go") == "goods[1] go"
    assert text("<p>goods<sup><a href='#f'>1</a></sup> go") == "goods[1] go"
    assert text("<p>10<a href='https://x.org'><sup>2</sup></a> go") == "10² go"


def test_boxes_to_tick_are_read_as_the_page_begins():
    body = (
        "<p><input type=checkbox checked> Refundable<p><input type=RADIO>Not so <input value=typed><input type=hidden>"
    )
    assert text(body) == "☒ Refundable\n\n☐ Not so"
    assert text("<p>a<input type=checkbox style='display:none'>b") == "ab"


def test_a_shadow_tree_that_the_page_declares_is_seen_in_the_place_of_what_it_hides():
    shadow = "<template shadowrootmode=open><p>Shade.</p>{}</template>"
    assert text(f"<div>{shadow.format('')}<p>Unseen.</p>tail</div>After") == "Shade.\n\nAfter"
    assert text(f"<div>{shadow.format('<slot>None.</slot>')}<p>Light.</p>tail</div>") == "Shade.\n\nLight.\n\ntail"
    named = shadow.format("<h2><slot name=t>None.</slot></h2><slot></slot>")
    assert text(f"<div>{named}<p>Light.</p><b slot=t>Title</b></div>") == "Shade.\n\nTitle\n\nLight."
    assert text("<div><template><p>Never.</p></template><p>Seen.</p></div>") == "Seen."


def test_sheets_that_stand_in_other_files_and_boxes_over_the_page_are_told():
    assert read("html", b"<link rel=stylesheet href=a.css><p>Words").lost == ("1 style sheet in other files",)
    assert read("html", b"<link rel=stylesheet media=print href=a.css><link rel=icon href=a><p>Words").lost == ()
    over = b"<p>Words<div style='position:fixed;inset:0;background:%s'></div>"
    assert read("html", over % b"white").coverage == "partial"
    assert read("html", over % b"rgba(0,0,0,.2)").coverage == "complete"


def test_rows_that_a_cell_goes_on_over_end_with_their_part_and_titles_head_what_follows():
    found = page(
        "<table><thead><tr><th rowspan=3>Year<th>Item<th>Fee</thead><tbody><tr><td rowspan=0>2023<td colspan=0>Rent<td>10"
        "<tr><td>Gas<td>12<tbody><tr><td>2024<td>Gas<td>13<tbody><tr><th colspan=3 scope=rowgroup>Europe"
        "<tr><th scope=row>Rent<td>in May<td>14<tr><td>15<td>16<th>Last</table>"
    )
    assert [columns for _, _, columns in rows(found)][1:] == [
        ("Year", "Item", "Fee"), ("Item", "Fee"), ("Year", "Item", "Fee"), (), ("Year", "Item", "Fee"), ("Year", "Item", "Fee"),
    ]  # fmt: skip
    assert [heading for _, heading in headings(found)][1:] == [
        ("2023", "Rent"), ("2023", "Gas"), ("2024", "Gas"), (), ("Europe", "Rent"), ("Europe", "Last"),
    ]  # fmt: skip


def test_the_header_of_a_row_whose_other_cells_are_empty_names_no_column():
    found = page("<table><tr><th>Rent<td><td><tr><th>Gas<td>10<td>20</table>")
    assert rows(found)[1][2] == ()
    assert [heading for _, heading in headings(found)] == [("Rent",), ("Gas",)]
