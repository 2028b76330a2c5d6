"""Word documents as Word shows them."""

import pytest

from tests.containers import W, docx, p, relationships, zipped
from tests.reading import blocks, headings, hidden, read, rows
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


def style(name, inner, kind="paragraph", based=""):
    based = f'<w:basedOn w:val="{based}"/>' if based else ""
    return f'<w:style w:type="{kind}" w:styleId="{name}"><w:name w:val="{name}"/>{based}{inner}</w:style>'


def cell(inner, properties=""):
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def row(*cells, properties=""):
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(c if c.startswith('<w:tc>') else cell(p(c)) for c in cells)}</w:tr>"


def table(*rows_, properties=""):
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows_)}</w:tbl>"


def text(body, **parts):
    return read("docx", docx(body, **parts)).text


def test_headings_by_style_name_by_outline_level_and_by_what_a_style_is_based_on():
    styles = (
        style("heading 2", "")
        + style("Clause", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
        + style("Sub", "", based="Clause")
        + style("Plain", '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>', based="Clause")
    )
    body = p("A", style="heading 2") + p("B", style="Clause") + p("C", style="Sub") + p("D", style="Plain")
    body += p("E", properties='<w:outlineLvl w:val="0"/>') + p("F")
    found = read("docx", docx(body, styles=styles))
    assert [(block.kind, block.level) for block in found.blocks] == [
        ("heading", 2), ("heading", 3), ("heading", 3), ("paragraph", 0), ("heading", 1), ("paragraph", 0),
    ]  # fmt: skip


def test_styles_based_on_each_other_in_a_ring_end():
    styles = style("a", "", based="b") + style("b", "", based="a")
    assert text(p("x", style="a"), styles=styles) == "x"


def test_text_keeps_its_white_space_tabs_breaks_and_hyphens():
    body = (
        "<w:p><w:r><w:t xml:space='preserve'>a  b </w:t><w:tab/><w:t>c</w:t><w:br/><w:t>d</w:t><w:noBreakHyphen/>"
        "<w:t>e</w:t><w:softHyphen/><w:t>f</w:t><w:cr/><w:t>g</w:t></w:r></w:p><w:p/><w:p><w:r><w:t>h</w:t></w:r></w:p>"
    )
    assert text(body) == "a  b c\nd\u2011e\u00adf\ng\n\nh"


def test_words_inside_links_content_controls_insertions_and_choices_are_kept():
    body = (
        "<w:p><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink><w:smartTag><w:r><w:t> tag</w:t></w:r></w:smartTag></w:p>"
        f"<w:sdt><w:sdtPr><w:t>no</w:t></w:sdtPr><w:sdtContent>{p('control')}</w:sdtContent></w:sdt>"
        "<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>new</w:t></w:r></mc:Choice>"
        "<mc:Fallback><w:r><w:t>new</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>"
    )
    assert text(body).split() == ["link", "tag", "control", "new"]


def test_tracked_changes_are_read_as_accepted_and_told():
    body = (
        "<w:p><w:r><w:t>You may </w:t></w:r><w:del><w:r><w:delText>not </w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>freely </w:t></w:r></w:ins><w:r><w:t>go</w:t></w:r></w:p>"
    )
    found = read("docx", docx(body))
    assert found.text == "You may freely go"
    assert (found.coverage, found.lost) == ("partial", ("1 tracked deletion, left out", "1 tracked insertion, kept"))
    assert read("docx", docx(p("You may go"))).coverage == "complete"


def test_results_of_fields_are_kept_and_their_instructions_are_not():
    def char(kind):
        return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"

    body = (
        f"<w:p><w:r><w:t>See </w:t></w:r>{char('begin')}<w:r><w:instrText> REF x </w:instrText><w:t>hidden</w:t></w:r>"
        f"{char('separate')}<w:r><w:t>clause 4</w:t></w:r>{char('end')}<w:r><w:t>.</w:t></w:r></w:p>"
        "<w:p><w:fldSimple w:instr='PAGE'><w:r><w:t>7</w:t></w:r></w:fldSimple></w:p>"
    )
    assert text(body) == "See clause 4.\n\n7"
    unfinished = read("docx", docx(f"<w:p>{char('begin')}<w:r><w:t>all of it</w:t></w:r></w:p>{p('x')}"))
    assert unfinished.coverage == "none" and unfinished.lost == ("1 unfinished field",)


def test_hidden_text_is_left_out_whether_by_the_run_or_by_a_style():
    styles = style("Ghost", "<w:rPr><w:vanish/></w:rPr>", "character") + style("GhostP", "<w:rPr><w:vanish/></w:rPr>")
    body = (
        p("a", run="<w:vanish/>") + p("b", run='<w:vanish w:val="0"/>') + p("c", run='<w:rStyle w:val="Ghost"/>')
        + p("d", style="GhostP") + p("e", run="<w:webHidden/>") + p("f", style="GhostP", run='<w:vanish w:val="false"/>')
    )  # fmt: skip
    assert text(body, styles=styles).split() == ["b", "e", "f"]


def test_white_text_is_marked_unless_a_ground_is_set_around_it():
    white = '<w:color w:val="FFFFFF"/>'
    shade = '<w:shd w:fill="1F3864"/>'
    assert hidden(read("docx", docx(p("seen") + p("unseen", run=white)))) == ["unseen"]
    assert hidden(read("docx", docx(p("tiny", run='<w:sz w:val="2"/>')))) == ["tiny"]
    for body in (
        p("x", run=white + shade), p("x", properties=shade, run=white), p("x", run=white + '<w:highlight w:val="red"/>'),
        table(row(cell(p("x", run=white), shade), "y")), p("x", run='<w:color w:val="FF0000"/>'),
    ):  # fmt: skip
        assert not read("docx", docx(body)).hidden


def test_rows_of_tables_with_the_headers_of_their_cells():
    body = p("before") + table(
        row("Item", "Fee", properties="<w:tblHeader/>"),
        row("Bike", cell(p("5 EUR") + p("a week"))),
        row(cell(p("both"), '<w:gridSpan w:val="2"/>')),
    )
    found = read("docx", docx(body + p("after")))
    assert rows(found) == [
        (1, "Item\tFee", ()),
        (2, "Bike\t5 EUR\na week", ("Item", "Fee")),
        (3, "both", ("Item, Fee",)),
    ]
    assert found.text == "before\n\nItem\tFee\nBike\t5 EUR\na week\nboth\n\nafter"


def test_a_first_row_in_bold_or_set_apart_by_the_style_of_the_table_names_the_columns():
    def bold(word):
        return cell(p(word, run="<w:b/>"))

    assert rows(read("docx", docx(table(row(bold("A"), bold("B")), row("1", "2")))))[1][2] == ("A", "B")
    assert rows(read("docx", docx(table(row("A", "B"), row("1", "2")))))[1][2] == ()
    styles = style("Grid", '<w:tblStylePr w:type="firstRow"/><w:tblStylePr w:type="firstCol"/>', "table")
    look = '<w:tblStyle w:val="Grid"/><w:tblLook w:val="04A0"/>'
    found = read("docx", docx(table(row("A", "B"), row("1", "2"), properties=look), styles=styles))
    assert rows(found)[1] == (2, "1\t2", ("A", "B"))


def test_the_words_of_a_wide_first_row_over_numbers_name_the_columns():
    assert rows(read("docx", docx(table(row("Item", "2023", "2024"), row("Rent", "500", "600")))))[1][2] == (
        "Item",
        "2023",
        "2024",
    )
    for first, second in (
        (("Item", "5", "6"), ("Rent", "7", "8")),
        (("Tenant", "Anna"), ("Rent", "500")),
        (("a", "b", "c"), ("d", "e", "f")),
    ):
        assert rows(read("docx", docx(table(row(*first), row(*second)))))[1][2] == ()


def test_a_table_of_one_cell_frames_running_text_and_a_table_in_a_cell_stays_in_its_row():
    assert blocks(read("docx", docx(table(row(cell(p("a") + p("b"))))))) == [("paragraph", "a"), ("paragraph", "b")]
    inner = table(row("1", "2"), row("3", "4"))
    assert rows(read("docx", docx(table(row("x", cell(p("y") + inner + p("z")))))))[0][1] == "x\ty\n1\t2\n3\t4\nz"


NUMBERING = (
    '<w:abstractNum w:abstractNumId="7">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1(%2)"/></w:lvl>'
    '<w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
)


def test_the_numbers_that_word_counts_stand_before_their_paragraphs():
    def item(word, level=0, number=1):
        return p(word, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')

    body = (
        item("a")
        + item("b", 1)
        + item("c", 1)
        + item("d", 2)
        + item("e")
        + item("f", 1)
        + item("g", 0, 2)
        + item("h", 0, 0)
    )
    found = read("docx", docx(body, numbering=NUMBERING))
    assert found.text == "1. a\n1(a) b\n1(b) c\nd\n2. e\n2(a) f\n5. g\n\nh"
    assert {kind for kind, _ in blocks(found)} == {"item", "paragraph"}
    heading = p("Term", style="H") + p("End", style="H")
    styles = style("H", '<w:pPr><w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
    assert blocks(read("docx", docx(heading, styles=styles, numbering=NUMBERING))) == [
        ("heading", "1. Term"),
        ("heading", "2. End"),
    ]


def test_notes_stand_at_the_end_and_their_marks_in_brackets():
    body = (
        "<w:p><w:r><w:t>Due</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r><w:r><w:t> now</w:t></w:r>"
        "<w:r><w:endnoteReference w:id='1'/></w:r></w:p>" + p("Next.")
    )
    notes = (
        f"<w:footnote w:id='0'>{p('line')}</w:footnote><w:footnote w:id='2'>{p('Or later.')}{p('More.')}</w:footnote>"
    )
    ends = f"<w:endnote w:id='1'>{p('End.')}</w:endnote>"
    found = read("docx", docx(body, footnotes=notes, endnotes=ends))
    assert blocks(found) == [
        ("paragraph", "Due[1] now[i]"), ("paragraph", "Next."), ("footnote", "[1] Or later."),
        ("footnote", "More."), ("footnote", "[i] End."),
    ]  # fmt: skip


def test_a_text_box_comes_after_the_paragraph_that_holds_it_once():
    box = f"<wps:txbx><w:txbxContent>{p('in the box')}</w:txbxContent></wps:txbx>"
    body = (
        f"<w:p><w:r><w:t>before </w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox><w:txbxContent>{p('in the box')}</w:txbxContent></v:textbox></w:pict></mc:Fallback>"
        f"</mc:AlternateContent></w:r><w:r><w:t>after</w:t></w:r></w:p>"
    )
    assert text(body) == "before after\n\nin the box"


def test_exponents_and_formulas_do_not_run_together():
    body = "<w:p><w:r><w:t>10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>2</w:t></w:r></w:p>"
    assert text(body) == "10²"
    half = "<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
    assert text(f"<w:p><w:r><w:t>at </w:t></w:r><m:oMath>{half}</m:oMath></w:p>") == "at 1/2"


def test_pictures_leave_a_document_complete_unless_they_fill_a_page():
    def picture(width, height):
        return f'<w:p><w:r><w:drawing><wp:extent cx="{width}" cy="{height}"/><a:blip/></w:drawing></w:r></w:p>'

    assert read("docx", docx(p("x") + picture(2_000_000, 2_000_000))).coverage == "complete"
    assert read("docx", docx(p("x") + picture(6_000_000, 8_000_000))).lost == ("1 picture of a page's size",)


def test_embedded_objects_charts_and_macros_are_lost_and_told():
    body = p("x") + "<w:p><w:r><w:object><o:OLEObject/></w:object></w:r></w:p>"
    body += '<w:p><w:r><w:drawing><a:graphicData uri="http://x/2006/chart"/></w:drawing></w:r></w:p>'
    found = read("docx", docx(body, extra={"word/vbaProject.bin": b"x"}))
    assert found.lost == ("1 embedded object", "1 chart", "macros")


def test_title_and_language_come_from_the_package():
    found = read("docx", docx(p("x"), core="<dc:title>My  paper</dc:title><dc:language>de</dc:language>"))
    assert (found.title, found.lang) == ("My paper", "de")
    defaults = '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="fr-FR"/></w:rPr></w:rPrDefault></w:docDefaults>'
    assert read("docx", docx(p("x"), styles=defaults)).lang == "fr-FR"


def test_a_strict_document_with_a_main_part_of_another_name_is_read():
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    rels = relationships(officeDocument="/w/d.xml").replace(
        "schemas.openxmlformats.org/officeDocument/2006", "purl.oclc.org/ooxml/officeDocument"
    )
    xml = docx(p("x"))
    assert W.encode() not in xml  # it is packed
    main = f'<d:document xmlns:d="{strict}"><d:body><d:p><d:r><d:t>strict</d:t></d:r></d:p></d:body></d:document>'
    assert read("docx", zipped({"_rels/.rels": rels, "w/d.xml": main})).text == "strict"


@pytest.mark.parametrize("members", [{"a": "b"}, {"_rels/.rels": relationships(officeDocument="word/no.xml")},
                                     {"_rels/.rels": relationships(officeDocument="d.xml"), "d.xml": "<w:doc"}])  # fmt: skip
def test_a_package_without_its_document_is_damaged(members):
    with pytest.raises(UnreadableFile) as fault:
        read("docx", zipped(members))
    assert fault.value.reason is Unreadable.DAMAGED


def ink(inner, name="S", kind="paragraph", based="", more=""):
    return style(name, f"<w:rPr>{inner}</w:rPr>{more}", kind, based)


WHITE, TINY, GONE = '<w:color w:val="FFFFFF"/>', '<w:sz w:val="4"/>', "<w:vanish/>"
DARK, PALE = '<w:shd w:val="clear" w:fill="1F3864"/>', '<w:shd w:val="clear" w:fill="FFFFFF"/>'
BLACK_GROUND = '<w:shd w:val="clear" w:fill="000000"/>'
DEFAULTS = "<w:docDefaults><w:rPrDefault><w:rPr>{}</w:rPr></w:rPrDefault></w:docDefaults>"
BY_RUN = '<w:rStyle w:val="S"/>'
STYLED, LOOK = '<w:tblStyle w:val="S"/>', '<w:tblLook w:val="0020"/>'


def cells(*lines, properties=STYLED):
    return table(*(row(cell(line), "y") for line in lines), properties=properties)


def part(name, inner, ground=""):
    return f'<w:tblStylePr w:type="{name}"><w:rPr>{inner}</w:rPr><w:tcPr>{ground}</w:tcPr></w:tblStylePr>'


@pytest.mark.parametrize(
    ("unseen", "seen", "unseen_styles", "seen_styles"),
    [
        (p("x", style="S"), p("x", style="S"), ink(WHITE), ink('<w:color w:val="FF0000"/>')),
        (p("x", style="S"), p("x", style="S"), ink(TINY), ink('<w:sz w:val="5"/>')),
        (p("x", style="S"), p("x", style="S"), ink(WHITE), ink(WHITE, more=f"<w:pPr>{DARK}</w:pPr>")),
        (p("x", style="S"), p("x", style="S"), ink(WHITE, "B") + ink("", based="B"), ink(WHITE, "B") + ink('<w:color w:val="auto"/>', based="B")),
        (p("x", run=BY_RUN), p("x", run=BY_RUN + DARK), ink(WHITE, kind="character"), ink(WHITE, kind="character")),
        (p("x", run=BY_RUN), p("x", run=BY_RUN + '<w:sz w:val="20"/>'), ink(TINY, kind="character"), ink(TINY, kind="character")),
        (p("x"), p("x", run='<w:color w:val="auto"/>'), DEFAULTS.format(WHITE), DEFAULTS.format(WHITE)),
        (p("x"), p("x", style="S"), DEFAULTS.format(TINY), DEFAULTS.format(TINY) + ink('<w:sz w:val="20"/>')),
        (p("x"), p("x"), DEFAULTS.format(GONE), DEFAULTS.format('<w:vanish w:val="0"/>')),
        (cells(p("x"), p("z", run='<w:vanish w:val="0"/>')), cells(p("x")), ink(GONE, kind="table"), ink("", kind="table")),
        (cells(p("x")), cells(p("x")), ink(WHITE, kind="table"), ink(WHITE, kind="table", more=f"<w:tcPr>{DARK}</w:tcPr>")),
        (cells(p("x"), properties=""), cells(p("x"), properties=""), ink(WHITE, kind="table").replace("<w:style ", '<w:style w:default="1" '), ink(WHITE, kind="table")),
        (cells(p("x"), "", properties=STYLED + LOOK), cells(p("x"), "", properties=STYLED), *[ink("", kind="table", more=part("firstRow", WHITE))] * 2),
        (cells(p("a"), p("x", run=WHITE), properties=STYLED + LOOK), cells(p("x", run=WHITE), p("a"), properties=STYLED + LOOK), *[ink("", kind="table", more=part("firstRow", "", DARK))] * 2),
        (p("x", run=WHITE, properties=f"<w:rPr>{DARK}</w:rPr>"), p("x", run=WHITE, properties=DARK), "", ""),
        (p("x", run=WHITE + PALE), p("x", run=WHITE + '<w:highlight w:val="red"/>'), "", ""),
        (p("x", run='<w:highlight w:val="black"/>'), p("x", run='<w:highlight w:val="yellow"/>'), "", ""),
        (p("x", run='<w:highlight w:val="black"/><w:color w:val="000000"/>'), p("x", run='<w:highlight w:val="black"/>' + WHITE), "", ""),
        (p("x", run=BLACK_GROUND + '<w:color w:val="000000"/>'), p("x", run=BLACK_GROUND), "", ""),
        (p("x", run='<w:shd w:val="solid" w:color="000000" w:fill="FFFFFF"/><w:color w:val="000000"/>'), p("x", run='<w:shd w:val="clear" w:color="000000" w:fill="FFFFFF"/><w:color w:val="000000"/>'), "", ""),
        (p("x", run=WHITE + '<w:shd w:val="pct5" w:color="010101" w:fill="FFFFFF"/>'.replace("pct5", "pct1")), p("x", run=WHITE + '<w:shd w:val="pct50" w:color="auto" w:fill="auto"/>'), "", ""),
        (cells(p("x", run='<w:color w:val="1F3864"/>'), properties="").replace("<w:tcPr>", f"<w:tcPr>{DARK}"), cells(p("x"), properties="").replace("<w:tcPr>", f"<w:tcPr>{DARK}"), "", ""),
        (p("x", run='<w:color w:val="FDFEFC"/>'), p("x", run='<w:color w:val="D9D9D9"/>'), "", ""),
        (p("x", run='<w:color w:val="000000" w:themeColor="background1"/>'), p("x", run='<w:color w:val="000000" w:themeColor="background1" w:themeShade="80"/>'), "", ""),
        (p("x", run='<w:rtl/><w:szCs w:val="2"/>'), p("x", run='<w:szCs w:val="2"/>'), "", ""),
        (p("x", run="<w:cs/>", style="S"), p("x", run='<w:cs w:val="0"/>', style="S"), *[ink('<w:szCs w:val="2"/>')] * 2),
        (p("x", run='<w:cs/><w:sz w:val="2"/><w:szCs w:val="2"/>'), p("x", run='<w:cs/><w:sz w:val="2"/>'), "", ""),
        (p("x", run='<w:w w:val="1"/>'), p("x", run='<w:w w:val="90"/>'), "", ""),
        (p("x", run="<w14:textFill><w14:noFill/></w14:textFill>"), p("x", run="<w14:textFill><w14:solidFill/></w14:textFill>"), "", ""),
    ],
)  # fmt: skip
def test_letters_that_no_style_ground_or_size_shows_are_hidden_and_their_twins_are_not(
    unseen, seen, unseen_styles, seen_styles
):
    """Left out where the style says that they are hidden, and marked where they are there but cannot be seen."""
    found = read("docx", docx(p("open", run='<w:vanish w:val="0"/>') + unseen, styles=unseen_styles))
    assert "x" not in found.text or any("x" in each for each in hidden(found)), found
    found = read("docx", docx(p("open", run='<w:vanish w:val="0"/>') + seen, styles=seen_styles))
    assert "x" in found.text and not any("x" in each for each in hidden(found)), found


def test_a_hidden_row_is_left_out_and_told():
    rest = row("a", "b") + row("c", "d")
    assert read("docx", docx(table(rest + row("x", "y", properties='<w:hidden w:val="0"/>')))).lost == ()
    found = read("docx", docx(table(rest + row("x", "y", properties="<w:hidden/>"))))
    assert (found.text, found.lost) == ("a\tb\nc\td", ("1 hidden row",))


def test_of_alternatives_the_first_that_word_understands_is_read():
    shape = 'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    both = "<mc:AlternateContent {}><mc:Choice Requires='{}'>{}</mc:Choice>{}</mc:AlternateContent>"
    other = f"<mc:Fallback>{p('other')}</mc:Fallback>"
    for names, requires, fallback, expected in (
        (shape, "wps", other, "new"), ('xmlns:zz="zz"', "zz", other, "other"), (shape, "wps zz", other, "other"),
        ('xmlns:wps="zz"', "wps", other, "other"), ('xmlns:zz="zz"', "zz", "", ""),
    ):  # fmt: skip
        for wrapped in (
            "{}",
            "<w:p><w:r><w:pict><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></w:pict></w:r></w:p>",
        ):
            body = wrapped.format(both.format(names, requires, p("new"), fallback))
            assert text(p("a") + body).split()[1:] == expected.split(), (names, requires)


def test_cells_below_merged_ones_have_the_names_of_their_own_columns():
    down, on, wide = "<w:vMerge w:val='restart'/>", "<w:vMerge/>", "<w:gridSpan w:val='2'/>"
    body = table(
        row("Item", "Place", "2023", "2024", properties="<w:tblHeader/>"),
        row(cell(p("Rent"), down), "Paris", "10", "20"), row(cell("<w:p/>", on), "Rome", "30", "40"),
        row(cell(p("Sum"), wide), "40", "60"), row(cell(p("Rent"), wide + down), "10", "20"),
        row(cell("<w:p/>", wide + on), "30", "40"), row("Fee", cell("<w:p/>", on), "3", "4"),
        row("a", "b", properties='<w:gridBefore w:val="2"/>'),
    )  # fmt: skip
    assert [each[1:] for each in rows(read("docx", docx(body)))[1:]] == [
        ("Rent\tParis\t10\t20", ("Item", "Place", "2023", "2024")), ("Rome\t30\t40", ("Place", "2023", "2024")),
        ("Sum\t40\t60", ("Item, Place", "2023", "2024")), ("Rent\t10\t20", ("Item, Place", "2023", "2024")),
        ("30\t40", ("2023", "2024")), ("Fee\t\t3\t4", ("Item", "Place", "2023", "2024")), ("a\tb", ("2023", "2024")),
    ]  # fmt: skip


def test_a_title_over_the_table_and_names_of_two_levels_are_headers_without_a_style():
    down, on, wide, all_ = (
        "<w:vMerge w:val='restart'/>",
        "<w:vMerge/>",
        "<w:gridSpan w:val='2'/>",
        "<w:gridSpan w:val='4'/>",
    )
    body = table(
        row(cell(p("Costs of the harbour"), all_)),
        row(cell(p("Year"), down), cell(p("Item"), down), cell(p("Planned"), wide)),
        row(cell("<w:p/>", on), cell("<w:p/>", on), "Spring", "Autumn"), row(cell(p("2023"), down), "Rent", "10", "20"),
        row(cell("<w:p/>", on), "Gas", cell(p("77"), wide)),
    )  # fmt: skip
    found = read("docx", docx(body))
    assert [each[2] for each in rows(found)] == [
        (), (), (), ("Year", "Item", "Planned Spring", "Planned Autumn"), ("Item", "Planned Spring, Planned Autumn"),
    ]  # fmt: skip
    assert headings(found)[3:] == [("2023\tRent\t10\t20", ("2023", "Rent")), ("Gas\t77", ("2023", "Gas"))]
    figures = table(row(cell(p("1"), down), cell(p("2"), wide)), row(cell("<w:p/>", on), "3", "4"))
    assert [each[2] for each in rows(read("docx", docx(figures)))] == [(), ()]


def anchored(inner, *, behind="0", wrap="wrapNone", wide=5_000_000, high=300_000):
    """A drawing that stands where the page puts it."""
    return (
        f'<w:p><w:r><w:t>Words.</w:t></w:r><w:r><w:drawing><wp:anchor behindDoc="{behind}"><wp:extent cx="{wide}" cy="{high}"/>'
        f"<wp:{wrap}/><a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


def vector(style="", inner="", attributes='fillcolor="black"'):
    return (
        f'<w:p><w:r><w:t>Words.</w:t></w:r><w:r><w:pict><v:rect style="position:absolute;width:90pt;height:30pt;{style}"'
        f" {attributes}>{inner}</v:rect></w:pict></w:r></w:p>"
    )


FILLED = '<wps:wsp><wps:spPr><a:solidFill><a:srgbClr val="000000"/></a:solidFill></wps:spPr></wps:wsp>'
PICTURE = "<x><a:blip/></x>"


@pytest.mark.parametrize(
    ("over", "beside"),
    [
        (anchored(FILLED), anchored(FILLED, behind="1")),
        (anchored(FILLED, wide=200_000, high=150_000), anchored(FILLED, wrap="wrapSquare")),
        (anchored(FILLED), anchored(FILLED, high=10_000)),
        (anchored(FILLED), anchored("<wps:wsp><wps:spPr><a:noFill/></wps:spPr></wps:wsp>")),
        (anchored(FILLED), anchored(FILLED.replace("</wps:wsp>", f"<wps:txbx><w:txbxContent>{p('y')}</w:txbxContent></wps:txbx></wps:wsp>"))),
        (anchored(PICTURE), anchored(PICTURE, wide=1_500_000)),
        (vector(), vector("z-index:-251658240")),
        (vector("z-index:5"), vector(attributes='filled="f"')),
        (vector(), vector(inner=f"<v:textbox><w:txbxContent>{p('y')}</w:txbxContent></v:textbox>")),
        (vector(), vector().replace("position:absolute;", "")),
        (vector("width:300pt", "<v:imagedata/>"), vector(inner="<v:imagedata/>")),
    ],
)  # fmt: skip
def test_shapes_and_wide_pictures_laid_over_words_are_told(over, beside):
    assert read("docx", docx(over)).lost == ("1 shape or picture laid over words",)
    assert read("docx", docx(beside)).lost == ()
