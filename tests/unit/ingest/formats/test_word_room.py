"""Words that a row or frame of an exact height cuts off, or that a tab leads off the page, are marked as not seen."""

import pytest

from tests.containers import docx, p
from tests.reading import hidden, read

EXACT = '<w:trHeight w:val="{}" w:hRule="exact"/>'
FRAME = '<w:framePr w:w="2500" w:h="{}" w:hRule="{}" w:wrap="around" w:x="{}" w:y="1"/>'
BREAK = "</w:t><w:br/><w:t>"
SMALL = '<w:sz w:val="12"/>'
MANY = "seen " + "word " * 60


def _row(inner, height, width=3_000, properties="", cell=""):
    other = f"<w:tc>{p('z')}</w:tc>"
    return (
        f"<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid><w:gridCol w:w='{width}'/><w:gridCol w:w='900'/></w:tblGrid>"
        f"<w:tr><w:trPr>{height}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr>{inner}</w:tc>{other}</w:tr></w:tbl>"
    )


def _hidden(body, **parts):
    return " ".join(" ".join(hidden(read("docx", docx(p("before") + body + p("after"), **parts)))).split())


@pytest.mark.parametrize(
    ("inner", "height", "unseen"),
    [
        (p("one") + p("two"), 200, "two"), (p("one") + p("two"), 600, ""), (p("one") + p("two") + p("three"), 400, "three"),
        (p(f"one{BREAK}two"), 200, "two"), (p(f"one{BREAK}two"), 600, ""), (p("one"), 200, ""),
        (p("") + p("two"), 200, "two"), (p("") + p("two"), 600, ""), (p("one", run=SMALL) + p("two", run=SMALL), 260, ""),
        (p("one", properties='<w:spacing w:before="400"/>'), 300, "one"), (p("one", properties='<w:spacing w:before="40"/>'), 300, ""),
        (p("one", properties='<w:spacing w:after="400"/>') + p("two"), 600, "two"),
        (p("one", properties='<w:spacing w:after="400"/><w:contextualSpacing/>') + p("two"), 600, ""),
        (p("one", properties='<w:spacing w:line="720" w:lineRule="auto"/>') + p("two"), 600, "two"),
        (p("one", properties='<w:spacing w:line="200" w:lineRule="exact"/>') + p("two", properties='<w:spacing w:line="200" w:lineRule="exact"/>'), 400, ""),
        (p("gone", run="<w:vanish/>", properties="<w:rPr><w:vanish/></w:rPr>") + p("two"), 200, ""),
        (p(MANY), 20_000, ""),
    ],
)  # fmt: skip
def test_lines_below_the_end_of_a_row_of_an_exact_height_are_hidden(inner, height, unseen):
    assert _hidden(_row(inner, EXACT.format(height))) == unseen
    assert _hidden(_row(inner, EXACT.format(height).replace("exact", "atLeast"))) == ""


def test_words_that_run_on_below_the_end_of_a_row_are_hidden_from_a_blank_on():
    found = read("docx", docx(_row(p(MANY), EXACT.format(500))))
    shown = found.visible.split("\t")[0].split()
    assert shown[0] == "seen" and 10 < len(shown) < 40 and found.text.split() == [*MANY.split(), "z"]
    assert _hidden(_row(p(MANY), EXACT.format(500), width=30_000)) == ""


def test_a_cell_merged_over_rows_has_the_room_of_all_of_them():
    rows = _row(p("one"), EXACT.format(250), cell="<w:vMerge w:val='restart'/>").removesuffix("</w:tbl>")
    rows = rows.replace("one</w:t>", f"one{BREAK}two{BREAK}three</w:t>")
    second = f"<w:tr><w:trPr>{{}}</w:trPr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc>{p('y')}</w:tc></w:tr></w:tbl>"
    assert _hidden(rows + "</w:tbl>") == "two three"
    assert _hidden(rows + second.format(EXACT.format(250))) == "three"
    assert _hidden(rows + second.format("")) == ""


@pytest.mark.parametrize(
    ("second", "unseen"),
    [(FRAME.format(200, "exact", 100), "two"), (FRAME.format(200, "exact", 900), ""), ("", "")],
    ids=["the same frame", "another one", "none"],
)
def test_paragraphs_of_one_frame_share_its_room(second, unseen):
    assert _hidden(p("one", properties=FRAME.format(200, "exact", 100)) + p("two", properties=second)) == unseen
    high = FRAME.format(200, "atLeast", 100)
    assert _hidden(p("one", properties=high) + p("two", properties=high)) == ""


def test_what_comes_after_a_row_without_room_is_seen_and_so_is_a_table_inside_of_one():
    inside = f"<w:tbl><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc></w:tr><w:tr><w:tc>{p('c')}</w:tc></w:tr></w:tbl>"
    assert _hidden(_row(p("one") + p("two"), EXACT.format(200)) + p("three")) == "two"
    assert _hidden(_row(inside + p("one"), EXACT.format(200))) == ""


def _tabbed(kind, position, before="a"):
    stops = f'<w:tabs><w:tab w:val="{kind}" w:pos="{position}"/></w:tabs>'
    run = f"<w:r><w:t>{before}</w:t><w:tab/><w:t>b c</w:t><w:br/><w:t>d</w:t></w:r><w:r><w:t> e</w:t></w:r>"
    return f"<w:p><w:pPr>{stops}</w:pPr>{run}</w:p>"


@pytest.mark.parametrize(
    ("kind", "position", "unseen"),
    [
        ("left", 20_000, "b c"), ("left", 10_000, ""), ("left", 720, ""), ("right", 20_000, "b c"), ("right", 11_500, ""),
        ("clear", 20_000, ""), ("bar", 20_000, ""),
    ],
)  # fmt: skip
def test_words_that_a_tab_leads_off_the_page_are_hidden_to_the_end_of_their_line(kind, position, unseen):
    assert _hidden(_tabbed(kind, position)) == unseen


def test_a_tab_stop_of_the_style_counts_until_the_paragraph_clears_it():
    style = '<w:style w:type="paragraph" w:styleId="T"><w:name w:val="T"/><w:pPr><w:tabs><w:tab w:val="left" w:pos="20000"/></w:tabs></w:pPr></w:style>'
    styled = '<w:pStyle w:val="T"/>'
    body = f"<w:p><w:pPr>{styled}{{}}</w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>"
    assert _hidden(body.format(""), styles=style) == "b"
    assert _hidden(body.format('<w:tabs><w:tab w:val="clear" w:pos="20000"/></w:tabs>'), styles=style) == ""


LINES = p("one") + p("two") + p("three") + p("four")


def _box(inner, high, fit="", content="", body="", wrapper="{}"):
    shape = f"<wps:wsp><wps:spPr/><wps:txbx{content}><w:txbxContent>{inner}</w:txbxContent></wps:txbx><wps:bodyPr{body}>{fit}</wps:bodyPr></wps:wsp>"
    return (
        f'<w:p><w:r><w:drawing><wp:anchor><wp:extent cx="2000000" cy="{high * 635}"/><a:graphic>{wrapper.format(shape)}'
        "</a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


@pytest.mark.parametrize(
    ("options", "unseen"),
    [
        ({"high": 600}, "three four"), ({"high": 2_000}, ""), ({"high": 600, "fit": "<a:noAutofit/>"}, "three four"),
        ({"high": 600, "fit": "<a:spAutoFit/>"}, ""), ({"high": 600, "fit": "<a:normAutofit/>"}, "three four"),
        ({"high": 600, "fit": '<a:normAutofit fontScale="50000"/>'}, ""), ({"high": 600, "content": ' id="1"'}, ""),
        ({"high": 600, "body": ' vert="vert"'}, ""), ({"high": 600, "body": ' numCol="2"'}, ""),
        ({"high": 600, "body": ' tIns="300000"'}, "two three four"),
        ({"high": 600, "wrapper": "<wpg:wgp>{}</wpg:wgp>"}, ""),
    ],
)  # fmt: skip
def test_lines_below_the_end_of_a_text_box_are_hidden_unless_it_grows_or_is_not_measured(options, unseen):
    assert _hidden(_box(LINES, **options)) == unseen


@pytest.mark.parametrize(
    ("style", "box", "unseen"),
    [
        ("width:200pt;height:30pt", "", "three four"), ("width:200pt;height:90pt", "", ""), ("width:200pt", "", ""),
        ("width:200pt;height:30pt", 'style="mso-fit-shape-to-text:t"', ""),
        ("width:200pt;height:30pt", 'style="mso-next-textbox:#b"', ""),
    ],
)  # fmt: skip
def test_lines_below_the_end_of_a_text_box_of_the_older_kind_are_hidden_unless_it_grows(style, box, unseen):
    shape = f'<v:shape style="{style}"><v:textbox {box}><w:txbxContent>{LINES}</w:txbxContent></v:textbox></v:shape>'
    assert _hidden(f"<w:p><w:r><w:pict>{shape}</w:pict></w:r></w:p>") == unseen
