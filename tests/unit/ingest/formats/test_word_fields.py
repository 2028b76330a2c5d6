"""Fields and forms of Word and OpenDocument: what they show is read, and a hole is told."""

import pytest

from tests.containers import docx, odt, p
from tests.reading import blocks, read

CHOICE = '<w:ddList>{}<w:listEntry w:val="France"/><w:listEntry w:val="Germany"/></w:ddList>'
TICK = "<w:checkBox>{}</w:checkBox>"
FIELD = "urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"


def field(code, *, form="", result=None):
    result = "" if result is None else f"<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>{result}</w:t></w:r>"
    return (
        f"<w:r><w:fldChar w:fldCharType='begin'><w:ffData>{form}</w:ffData></w:fldChar></w:r><w:r><w:instrText>{code}"
        f"</w:instrText></w:r>{result}<w:r><w:fldChar w:fldCharType='end'/></w:r>"
    )


def sentence(inner):
    return f"<w:p><w:r><w:t xml:space='preserve'>Law of </w:t></w:r>{inner}<w:r><w:t xml:space='preserve'> applies.</w:t></w:r></w:p>"


@pytest.mark.parametrize(
    ("form", "result", "expected"),
    [
        (CHOICE.format('<w:result w:val="1"/>'), None, "Germany"), (CHOICE.format(""), None, "France"),
        (CHOICE.format('<w:default w:val="1"/>'), None, "Germany"), (CHOICE.format('<w:result w:val="1"/>'), "stale", "Germany"),
        (TICK.format("<w:checked/>"), None, "☒"), (TICK.format('<w:checked w:val="0"/><w:default/>'), None, "☐"),
        (TICK.format("<w:default w:val='1'/>"), None, "☒"), (TICK.format(""), None, "☐"),
        ("<w:textInput/>", "Spain", "Spain"),
    ],
)  # fmt: skip
def test_what_a_form_field_shows_is_read(form, result, expected):
    found = read("docx", docx(sentence(field(" FORMDROPDOWN ", form=form, result=result))))
    assert (found.text, found.lost) == (f"Law of {expected} applies.", ())


def test_a_choice_that_is_not_there_is_told():
    found = read("docx", docx(sentence(field("FORMDROPDOWN", form=CHOICE.format('<w:result w:val="7"/>')))))
    assert (found.coverage, found.lost) == ("partial", ("1 field without a result",))


@pytest.mark.parametrize("code", [" LISTNUM ", "AUTONUM", r"SYMBOL 168 \f Wingdings", r"EQ \f(1,2)", "PAGE"])
def test_a_field_that_shows_what_the_file_does_not_hold_is_told(code):
    assert read("docx", docx(sentence(field(code)))).lost == ("1 field without a result",)
    assert read("docx", docx(sentence(field(code, result="7")))).lost == ()
    simple = f"<w:fldSimple w:instr='{code}'/>"
    assert read("docx", docx(sentence(simple))).lost == ("1 field without a result",)


@pytest.mark.parametrize("code", [" XE &quot;law&quot; ", "TC x", "SET x y"])
def test_a_field_that_shows_nothing_leaves_no_hole(code):
    assert read("docx", docx(sentence(field(code)))).lost == ()


def test_a_button_shows_the_rest_of_its_instruction():
    assert read("docx", docx(sentence(field(" MACROBUTTON NoMacro Spain")))).text == "Law of Spain applies."


def test_a_hidden_form_field_shows_nothing():
    inner = field("FORMCHECKBOX", form=TICK.format("")).replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    assert read("docx", docx(sentence(inner))).text == "Law of applies."


def test_controls_of_forms_and_words_drawn_as_pictures_are_told():
    body = p("x") + "<w:p><w:r><w:pict><v:shape><v:textpath string='DRAFT'/></v:shape></w:pict></w:r></w:p>"
    body += "<w:p><w:r><w:pict><w:control/></w:pict></w:r></w:p>"
    assert read("docx", docx(body)).lost == ("1 piece of words drawn as a picture", "1 control of a form")
    assert read("docx", docx(p("x"))).lost == ()
    assert read("odt", odt("<text:p>x<draw:control/></text:p>")).lost == ("1 control of a form",)


def test_what_a_form_field_of_opendocument_shows_is_read():
    def mark(kind, *given):
        inner = "".join(f'<field:param field:name="{name}" field:value="{held}"/>' for name, held in given)
        return f'<field:fieldmark xmlns:field="{FIELD}" field:type="vnd.oasis.opendocument.field.{kind}">{inner}</field:fieldmark>'

    entries = (("Dropdown_ListEntry", "France"), ("Dropdown_ListEntry", "Germany"), ("Dropdown_Selected", "1"))
    body = f"<text:p>Law of {mark('FORMDROPDOWN', *entries)} applies {mark('FORMCHECKBOX', ('Checkbox_Checked', 'true'))}.</text:p>"
    assert read("odt", odt(body)).text == "Law of Germany applies ☒."
    chosen = "<text:p>Law of <text:drop-down><text:label text:value='France'/>Germany</text:drop-down>.</text:p>"
    assert read("odt", odt(chosen)).text == "Law of Germany."


def linked(body, settings="", **parts):
    """A document with headers and footers by their kinds and ids."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    names = f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="{office}"'
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    extra = {f"word/{name}.xml": f"<w:hdr {names}>{inner}</w:hdr>" for name, inner in parts.items()}
    extra["word/settings.xml"] = f"<w:settings {names}>{settings}</w:settings>"
    related = "".join(f'<Relationship Id="{name}" Type="{office}/header" Target="{name}.xml"/>' for name in parts)
    related += f'<Relationship Id="set" Type="{office}/settings" Target="settings.xml"/>'
    extra["word/_rels/document.xml.rels"] = f'<Relationships xmlns="{package}">{related}</Relationships>'
    return read("docx", docx(body, extra=extra))


def test_headers_and_footers_that_are_shown_stand_at_the_end_each_once():
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="a"/><w:headerReference w:type="even" r:id="e"/>'
        '<w:headerReference w:type="first" r:id="f"/><w:footerReference w:type="default" r:id="b"/>{}</w:sectPr>'
    )
    parts = {"a": p("Confidential"), "e": p("Even"), "f": p("First"), "b": p("Notary Smith"), "c": p("Confidential")}
    again = '<w:sectPr><w:headerReference w:type="default" r:id="c"/></w:sectPr>'
    body = [("paragraph", "Words.")]
    plain = linked(p("Words.") + again + section.format(""), **parts)
    assert (blocks(plain), plain.coverage) == (
        [*body, ("caption", "Confidential"), ("caption", "Notary Smith")],
        "complete",
    )
    every = linked(p("Words.") + section.format("<w:titlePg/>"), "<w:evenAndOddHeaders/>", **parts)
    assert [words for _, words in blocks(every)] == ["Words.", "Confidential", "Even", "First", "Notary Smith"]


def test_the_number_of_a_page_in_a_header_is_no_hole():
    parts = {"a": f"<w:p><w:r><w:t>Page</w:t></w:r>{field('PAGE')}</w:p>"}
    found = linked(p("Words.") + '<w:sectPr><w:headerReference r:id="a"/></w:sectPr>', **parts)
    assert (found.text, found.lost) == ("Words.\n\nPage", ())


def test_headers_of_the_pages_in_use_are_read_in_opendocument():
    def page(name, words, more=""):
        return f'<style:master-page style:name="{name}" {more}><style:header><text:p>{words}</text:p></style:header></style:master-page>'

    pages = page("Standard", "Own", 'style:next-style-name="Next"') + page("Next", "Following") + page("Web", "Never")
    pages += (
        page("Wide", "Wide") + "<style:style style:name='P' style:family='paragraph' style:master-page-name='Wide'/>"
    )
    found = read("odt", odt("<text:p>Words.</text:p>", styles=pages))
    assert blocks(found) == [("paragraph", "Words."), ("caption", "Own"), ("caption", "Following")]
    found = read("odt", odt("<text:p text:style-name='P'>Words.</text:p>", styles=pages))
    assert [words for _, words in blocks(found)] == ["Words.", "Own", "Wide", "Following"]
    hidden = read(
        "odt",
        odt("<text:p>Words.</text:p>", styles=pages.replace("<style:header>", '<style:header style:display="false">')),
    )
    assert hidden.text == "Words."


def test_comments_are_told():
    found = read("docx", docx("<w:p><w:r><w:t>Void?</w:t></w:r><w:r><w:commentReference w:id='0'/></w:r></w:p>"))
    assert (found.coverage, found.lost) == ("partial", ("1 comment, left out",))
    note = "<office:annotation><text:p>void</text:p></office:annotation>"
    found = read("odt", odt(f"<text:p>Void?{note}</text:p>"))
    assert (found.text, found.coverage, found.lost) == ("Void?", "partial", ("1 comment, left out",))


def test_words_that_are_struck_out_are_left_out_as_deletions_are_and_told():
    told = ("1 struck-out piece, left out",)
    run = "<w:r><w:rPr>{}</w:rPr><w:t xml:space='preserve'>{}</w:t></w:r>"
    body = (
        f"<w:p>{run.format('', 'The rent is ')}{run.format('<w:strike/>', '500 ')}{run.format('', '600 euros.')}</w:p>"
    )
    found = read("docx", docx(body))
    assert (found.text, found.coverage, found.lost) == ("The rent is 600 euros.", "partial", told)
    assert (
        read("docx", docx(body.replace("<w:strike/>", "<w:strike w:val='false'/>"))).text
        == "The rent is 500 600 euros."
    )
    style = "<w:style w:type='character' w:styleId='S'><w:rPr><w:strike/></w:rPr></w:style>"
    assert read("docx", docx(body.replace("<w:strike/>", "<w:rStyle w:val='S'/>"), styles=style)).lost == told
    line = "<style:style style:name='S' style:family='text'><style:text-properties style:text-line-through-type='{}'/></style:style>"
    body = "<text:p>The rent is <text:span text:style-name='S'>500 </text:span>600 euros.</text:p>"
    found = read("odt", odt(body, automatic=line.format("single")))
    assert (found.text, found.lost) == ("The rent is 600 euros.", told)
    assert read("odt", odt(body, automatic=line.format("none"))).text == "The rent is 500 600 euros."


def test_paragraphs_whose_border_is_deleted_are_one_and_a_deleted_cell_is_gone():
    gone = "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t xml:space='preserve'>The border is deleted, </w:t></w:r></w:p>"
    found = read("docx", docx(gone + p("so this is one sentence.")))
    assert blocks(found) == [("paragraph", "The border is deleted, so this is one sentence.")]
    assert found.lost == ("1 tracked deletion, left out",)
    assert read("docx", docx(gone)).text == "The border is deleted,"
    row = f"<w:tbl><w:tr><w:tc><w:tcPr>{{}}</w:tcPr>{p('never')}</w:tc><w:tc>{p('kept')}</w:tc></w:tr></w:tbl>"
    found = read("docx", docx(row.format("<w:cellDel/>")))
    assert (found.text.strip(), found.lost) == ("kept", ("1 tracked deletion, left out",))
    assert read("docx", docx(row.format(""))).text == "never\tkept"


def test_tracked_insertions_are_told_in_opendocument_too():
    body = "<text:tracked-changes><text:changed-region><text:insertion/></text:changed-region></text:tracked-changes><text:p>x</text:p>"
    assert read("odt", odt(body)).lost == ("1 tracked insertion, kept",)


def test_hidden_text_of_opendocument_that_is_shown_is_read():
    field = '<text:p>a<text:hidden-text text:condition="ooow:x" text:string-value=" b" {}>b</text:hidden-text></text:p>'
    assert read("odt", odt(field.format('text:is-hidden="false"'))).text == "a b"
    assert read("odt", odt(field.format('text:is-hidden="true"'))).text == "a"
    assert (read("odt", odt(field.format(""))).text, read("odt", odt(field.format(""))).coverage) == ("a", "partial")
