"""Words of Word and OpenDocument files that their reader does not see are never quoted; those that he sees are."""

from pathlib import Path

import pytest

from tests.containers import docx, odt, p
from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation

DATA = Path(__file__).parents[1] / "data" / "office"
WORDS = "The rent is 500 euros a month."


def verdict(kind, data, quote=WORDS):
    """The code of a refusal, or "" where the quote is released."""
    found = read(kind, data)
    outcome = Gate([Passage("a", f"{found.text}\n\nEnd.", hidden=found.hidden)], profile="extracted").verify("a", quote)
    assert isinstance(outcome, Refusal | VerifiedCitation)
    return outcome.code if isinstance(outcome, Refusal) else ""


def run(properties, words=WORDS):
    return p(words, run=properties)


def box(words, *, fill="", anchor="", position="0", extent="2000000", shape="", run=""):
    """A text box that floats."""
    return (
        f'<w:p><w:r><w:drawing><wp:anchor {anchor}><wp:positionH relativeFrom="page"><wp:posOffset>{position}</wp:posOffset>'
        f'</wp:positionH><wp:extent cx="{extent}" cy="500000"/><wp:docPr id="1" name="x" {shape}/><a:graphic><wps:wsp>'
        f"<wps:spPr>{fill}</wps:spPr><wps:txbx><w:txbxContent>{p(words, run=run)}</w:txbxContent></wps:txbx></wps:wsp>"
        "</a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


def vml(style, words=WORDS, *, attributes="", run=""):
    return (
        f'<w:p><w:r><w:pict><v:shape style="{style}" {attributes}><v:textbox><w:txbxContent>{p(words, run=run)}'
        "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
    )


def cell(inner, properties=""):
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def row(*cells, properties=""):
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def table(*rows, properties=""):
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def text_fill(inner):
    return f"<w14:textFill>{inner}</w14:textFill>"


RUN = f"<w:r><w:t>{WORDS}</w:t></w:r>"
FRAME = '<w:framePr w:w="9000" w:h="{}" w:hRule="exact" w:x="9" w:y="9"/>'
TABBED = (
    f'<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="{{}}"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/></w:r>{RUN}</w:p>'
)
FORMULA = f"<w:p><m:oMath><m:r>{{}}<m:t>{WORDS}</m:t></m:r></m:oMath></w:p>"
PHANTOM = (
    f"<w:p><m:oMath><m:phant><m:phantPr><m:show m:val='{{}}'/></m:phantPr><m:e><m:r><m:t>{WORDS}</m:t></m:r></m:e>"
    "</m:phant></m:oMath></w:p>"
)
WHITE, BLACK, OTHER = '<w:color w:val="FFFFFF"/>', '<w:color w:val="000000"/>', p("Other words.")
DARK = '<a:solidFill><a:srgbClr val="000000"/></a:solidFill>'
CLEAR = '<w14:solidFill><w14:srgbClr w14:val="000000"><w14:alpha w14:val="{}"/></w14:srgbClr></w14:solidFill>'
THEME = '<w14:solidFill><w14:schemeClr w14:val="{}"/></w14:solidFill>'
GROUP = (
    "<w:p><w:r><w:drawing><wp:inline><a:graphic><wpg:wgp><wpg:grpSpPr><a:xfrm><a:chOff x='0' y='0'/>"
    "<a:chExt cx='900' cy='900'/></a:xfrm></wpg:grpSpPr><wps:wsp><wps:spPr><a:xfrm><a:off x='{}' y='0'/></a:xfrm></wps:spPr>"
    f"<wps:txbx><w:txbxContent>{p(WORDS)}</w:txbxContent></wps:txbx></wps:wsp></wpg:wgp></a:graphic></wp:inline>"
    "</w:drawing></w:r></w:p>"
)


@pytest.mark.code("not_visible", "quote_mismatch")
@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        (box(WORDS, position="-99000000"), box(WORDS, position="-100000")),
        (box(WORDS, position="99000000"), box(WORDS, position="914400")),
        (box(WORDS, shape='hidden="1"'), box(WORDS, shape='hidden="0"')),
        (box(WORDS, anchor='hidden="1"'), box(WORDS, anchor='hidden="0"')),
        (box(WORDS, extent="10"), box(WORDS)),
        (box(WORDS, fill=DARK, run=BLACK), box(WORDS, fill=DARK, run=WHITE)),
        (box(WORDS, run=WHITE), box(WORDS)),
        (box(WORDS, fill="<a:noFill/>", run=WHITE), box(WORDS, fill="<a:blipFill/>", run=WHITE)),
        (box(WORDS, fill=DARK.replace("srgbClr val=\"000000\"", "schemeClr val=\"bg1\""), run=WHITE), box(WORDS, fill=DARK.replace("srgbClr val=\"000000\"", "prstClr val=\"navy\""), run=WHITE)),
        (GROUP.format(-90_000), GROUP.format(10)),
        (vml("visibility:hidden"), vml("visibility:visible")), (vml("display:none"), vml("width:90pt;height:20pt")),
        (vml("position:absolute;margin-left:-9000pt"), vml("position:absolute;margin-left:9pt")),
        (vml("width:0pt;height:20pt"), vml("width:100%")),
        (vml("", attributes='fillcolor="black"', run=BLACK), vml("", attributes='fillcolor="black [3213]"', run=WHITE)),
        (vml("", attributes='fillcolor="black" filled="f"', run=WHITE), vml("", attributes='filled="f"')),
        (p(WORDS, properties='<w:framePr w:x="-30000" w:y="0"/>'), p(WORDS, properties='<w:framePr w:x="300" w:y="300"/>')),
        (p(WORDS, properties='<w:ind w:left="-30000" w:right="30000"/>'), p(WORDS, properties='<w:ind w:left="-720" w:hanging="360"/>')),
        (p(WORDS, properties='<w:ind w:firstLine="-30000"/>'), p(WORDS, properties='<w:ind w:firstLine="360"/>')),
        (p(WORDS, properties='<w:spacing w:line="2" w:lineRule="exact"/>'), p(WORDS, properties='<w:spacing w:line="240" w:lineRule="exact"/>')),
        (p(WORDS, properties='<w:spacing w:line="2" w:lineRule="exact"/>', run='<w:sz w:val="48"/>'), p(WORDS, properties='<w:spacing w:line="2" w:lineRule="auto"/>')),
        (run('<w:position w:val="-3000"/>'), run('<w:position w:val="-6"/>')),
        (run('<w:spacing w:val="-400"/>'), run('<w:spacing w:val="-20"/>')),
        (run('<w:w w:val="1"/><w:position w:val="0"/><w:sz w:val="22"/>'), run('<w:w w:val="90"/>')),
        (run(text_fill(CLEAR.format(100_000))), run(text_fill(CLEAR.format(20_000)))),
        (run(text_fill(THEME.format("bg1"))), run(text_fill(THEME.format("tx1")) + WHITE.replace("FFFFFF", "000000"))),
        (table(row(cell(p(WORDS)), cell(OTHER), properties='<w:trHeight w:val="1" w:hRule="exact"/>'), row(cell(OTHER), cell(OTHER))),
         table(row(cell(p(WORDS)), cell(OTHER), properties='<w:trHeight w:val="1"/>'), row(cell(OTHER), cell(OTHER)))),
        (table(row(cell(OTHER, "<w:vMerge w:val='restart'/>"), cell(OTHER)), row(cell(p(WORDS), "<w:vMerge/>"), cell(OTHER))),
         table(row(cell(p(WORDS), "<w:vMerge w:val='restart'/>"), cell(OTHER)), row(cell("<w:p/>", "<w:vMerge/>"), cell(OTHER)))),
        (table(row(cell(p(WORDS)), cell(OTHER)), properties='<w:tblInd w:w="-30000"/>'), table(row(cell(p(WORDS)), cell(OTHER)), properties='<w:tblInd w:w="-108"/>')),
        (table(row(cell(p(WORDS)), cell(OTHER)), properties='<w:tblpPr w:tblpX="-30000"/>'), table(row(cell(p(WORDS)), cell(OTHER)), properties='<w:tblpPr w:tblpX="1"/>')),
(run('<w:fitText w:val="1"/>'), run('<w:fitText w:val="3000"/>')),
        (run('<w:rFonts w:ascii="Wingdings 2"/>'), run('<w:rFonts w:ascii="Arial"/>')),
        (f'<w:p><w:bdo w:val="rtl">{RUN}</w:bdo></w:p>', f'<w:p><w:bdo w:val="ltr">{RUN}</w:bdo></w:p>'),
        (FORMULA.format("<w:rPr><w:color w:val='FFFFFF'/></w:rPr>"), FORMULA.format("<w:rPr><w:color w:val='FF0000'/></w:rPr>")),
        (PHANTOM.format("0"), PHANTOM.format("1")),
        (p(WORDS, properties='<w:framePr w:w="1" w:h="1" w:hRule="exact"/>'), p(WORDS, properties='<w:framePr w:w="900" w:h="1" w:hRule="auto"/>')),
        (table(row(cell(p(WORDS), '<w:tcW w:w="1" w:type="dxa"/>'), cell(OTHER)), properties='<w:tblLayout w:type="fixed"/>'),
         table(row(cell(p(WORDS), '<w:tcW w:w="1" w:type="dxa"/>'), cell(OTHER)))),
        (table(row(cell(OTHER + p(WORDS)), cell(OTHER), properties='<w:trHeight w:val="200" w:hRule="exact"/>')),
         table(row(cell(OTHER + p(WORDS)), cell(OTHER), properties='<w:trHeight w:val="900" w:hRule="exact"/>'))),
        (p("Other.", properties=FRAME.format(200)) + p(WORDS, properties=FRAME.format(200)), p("Other.", properties=FRAME.format(900)) + p(WORDS, properties=FRAME.format(900))),
        (TABBED.format(20_000), TABBED.format(2_000)),
        (f"<w:p><x:r><x:t>{WORDS}</x:t></x:r></w:p>", f"<w:p>{RUN}<x:r><x:t>No.</x:t></x:r></w:p>"),
        (run(WHITE + '<x:color w:val="000000"/>'), run('<w:color w:val="000000"/><x:color w:val="FFFFFF"/>')),
                (run("<w:strike/>"), run('<w:strike w:val="0"/>')), (run("<w:dstrike/>"), run("<w:u/>")),
    ],
)  # fmt: skip
def test_unseen_words_of_word_are_refused_and_their_twins_released(unseen, seen):
    assert verdict("docx", docx(OTHER + unseen)) in ("not_visible", "quote_mismatch")
    assert verdict("docx", docx(OTHER + seen)) == ""


PROBES = {
    "paragraph": '<text:p text:style-name="S">{}</text:p>',
    "text": '<text:p><text:span text:style-name="S">{}</text:span></text:p>',
    "graphic": '<text:p>A<draw:frame draw:style-name="S" svg:width="5cm"><draw:text-box><text:p><text:span text:style-name='
               '"K">{}</text:span></text:p></draw:text-box></draw:frame></text:p>',
    "shape": '<text:p>A<draw:custom-shape draw:style-name="S"><text:p><text:span text:style-name="K">{}</text:span></text:p>'
             "</draw:custom-shape></text:p>",
    "table-row": '<table:table><table:table-row table:style-name="S"><table:table-cell><text:p>{}</text:p></table:table-cell>'
                 "<table:table-cell/></table:table-row></table:table>",
    "table": '<table:table table:style-name="S"><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell>'
             "<table:table-cell/></table:table-row></table:table>",
    "table-column": '<table:table><table:table-column table:style-name="S"/><table:table-column/><table:table-row>'
                    "<table:table-cell><text:p>{}</text:p></table:table-cell><table:table-cell/></table:table-row></table:table>",
}  # fmt: skip


FONTS = '<style:font-face style:name="F" svg:font-family="Wingdings"/><style:font-face style:name="A" svg:font-family="Arial"/>'


def styled(family, properties, color=""):
    kind = {"shape": "graphic"}.get(family, family)
    part = {"paragraph": "paragraph", "text": "text"}.get(family, kind)
    styles = f'<style:style style:name="S" style:family="{kind}"><style:{part}-properties {properties}/></style:style>'
    styles += (
        f'<style:style style:name="K" style:family="text"><style:text-properties fo:color="{color}"/></style:style>'
    )
    return odt("<text:p>Other words.</text:p>" + PROBES[family].format(WORDS), automatic=FONTS + styles)


BLACK_FILL = 'draw:fill="solid" draw:fill-color="#000000"'


@pytest.mark.code("not_visible", "quote_mismatch")
@pytest.mark.parametrize(
    ("family", "unseen", "seen", "colors"),
    [
        ("paragraph", 'fo:margin-left="-60cm" fo:margin-right="60cm"', 'fo:margin-left="-0.5cm"', ("", "")),
        ("paragraph", 'fo:text-indent="-60cm"', 'fo:text-indent="-0.6cm"', ("", "")),
        ("paragraph", 'fo:line-height="0.01cm"', 'fo:line-height="0.5cm"', ("", "")),
        ("paragraph", 'fo:line-height="3%"', 'fo:line-height="115%"', ("", "")),
        ("text", 'style:text-position="-100% 1%"', 'style:text-position="0% 100%"', ("", "")),
        ("text", 'style:font-name="F"', 'style:font-name="A"', ("", "")),
        ("text", 'fo:font-family="Wingdings"', 'fo:font-family="Arial"', ("", "")),
        ("text", 'fo:letter-spacing="-1cm"', 'fo:letter-spacing="-0.01cm"', ("", "")),
        ("text", 'fo:color="#c00000" style:opacity="0%"', 'style:use-window-font-color="true" style:opacity="0%"', ("", "")),
        ("text", 'style:text-line-through-style="solid"', 'style:text-line-through-style="none"', ("", "")),
        ("graphic", BLACK_FILL, BLACK_FILL, ("#000000", "#ffffff")),
        ("graphic", 'draw:fill="none"', 'draw:fill="bitmap"', ("#ffffff", "#ffffff")),
        ("graphic", 'fo:background-color="#000000"', 'fo:background-color="#000000"', ("#000000", "#ffffff")),
        ("shape", 'draw:fill-color="#000000"', 'draw:fill-color="#000000"', ("#000000", "#ffffff")),
        ("table-row", 'style:row-height="0.001cm"', 'style:min-row-height="0.001cm"', ("", "")),
        ("table", 'fo:margin-left="-60cm"', 'fo:margin-left="-0.1cm"', ("", "")),
        ("table-column", 'style:column-width="0.001cm"', 'style:column-width="4cm"', ("", "")),
    ],
)  # fmt: skip
def test_unseen_words_of_opendocument_are_refused_and_their_twins_released(family, unseen, seen, colors):
    assert verdict("odt", styled(family, unseen, colors[0])) in ("not_visible", "quote_mismatch")
    assert verdict("odt", styled(family, seen, colors[1])) == ""


def framed(attributes):
    inner = f"<draw:text-box><text:p>{WORDS}</text:p></draw:text-box>"
    return f"<text:p>A<draw:frame {attributes}>{inner}</draw:frame></text:p>"


SECTION = f'<text:section text:display="condition" {{}}><text:p>{WORDS}</text:p></text:section>'
COVERED = (
    "<table:table><table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell>"
    "<table:covered-table-cell><text:p>{}</text:p></table:covered-table-cell></table:table-row></table:table>"
)


@pytest.mark.code("not_visible", "quote_mismatch")
@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        (framed('svg:x="-50cm" svg:width="5cm"'), framed('svg:x="-1cm" svg:width="5cm"')),
        (framed('svg:y="90cm"'), framed('svg:y="9cm"')),
        (framed('svg:width="0.01cm"'), framed('svg:width="4cm"')),
        (framed('draw:display="none"'), framed('draw:display="always"')),
        (framed('draw:transform="rotate (0.1) translate (-50cm 1cm)"'), framed('draw:transform="rotate (0.1) translate (1cm 1cm)"')),
        (SECTION.format('text:condition="ooow:1"'), SECTION.format('text:condition="ooow:0"')),
        (SECTION.format('text:condition="ooow:1" text:is-hidden="false"'), SECTION.format('text:condition="ooow:x == 1" text:is-hidden="false"')),
        (SECTION.format('text:condition="ooow:x == 1"'), SECTION.format("")),
        (COVERED.format("Other words.", WORDS), COVERED.format(WORDS, "")),
    ],
)  # fmt: skip
def test_unseen_parts_of_opendocument_are_refused_and_their_twins_released(unseen, seen):
    assert verdict("odt", odt(unseen)) in ("not_visible", "quote_mismatch")
    assert verdict("odt", odt(seen)) == ""


@pytest.mark.code("not_visible")
def test_a_file_of_libreoffice_keeps_its_words_and_hides_only_what_is_unseen():
    data = (DATA / "lease.odt").read_bytes()
    for quote in ("The rent is 500 euros a month, payable in advance.", "The deposit is 900 euros.", "5 euros",
                  "Copy for the tenant", "Signed copies are held by the notary."):  # fmt: skip
        assert verdict("odt", data, quote) == ""
    for quote in ("The rent is waived for ever.", "The deposit is never returned."):
        assert verdict("odt", data, quote) == "not_visible"
    found = read("odt", data)
    assert (found.coverage, found.lost) == ("partial", ("1 comment, left out", "1 struck-out piece, left out"))
    assert found.text.startswith("Lease of a bicycle\n\nThe rent is 500")


@pytest.mark.parametrize(
    ("color", "released"), [("FFFFFF", False), ("1F3864", True)], ids=["as light as the page", "dark"]
)
def test_a_colour_of_the_theme_counts_and_not_the_one_that_is_written_beside_it(color, released):
    theme = f"<a:themeElements xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><a:clrScheme><a:accent1><a:srgbClr val='{color}'/></a:accent1></a:clrScheme></a:themeElements>"
    related = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="t" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme" Target="theme.xml"/></Relationships>'
    extra = {"word/theme.xml": f"<theme>{theme}</theme>", "word/_rels/document.xml.rels": related}
    data = docx(OTHER + run('<w:color w:val="000000" w:themeColor="accent1"/>'), extra=extra)
    assert verdict("docx", data) == ("" if released else "not_visible")


def test_a_box_that_may_stand_off_the_page_is_told():
    told = ("1 text box that no page shows, or that may stand off it",)
    for kind, away, placed in (
        ("docx", docx(box(WORDS, position="-9900000")), docx(box(WORDS))),
        ("docx", docx(vml("margin-top:-600pt")), docx(vml("margin-top:-6pt"))),
        ("odt", odt(framed('svg:y="-20cm"')), odt(framed('svg:y="-2cm"'))),
    ):
        assert read(kind, away).lost == told
        assert read(kind, placed).lost == ()
        assert verdict(kind, away) == "not_visible"
    assert read("docx", docx(box("", position="-9900000"))).lost == ()
