"""OpenDocument texts as a word processor shows them."""

import pytest

from tests.containers import odt, zipped
from tests.reading import blocks, hidden, read, rows
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


def style(name, inner, family="text", parent=""):
    return f'<style:style style:name="{name}" style:family="{family}" style:parent-style-name="{parent}">{inner}</style:style>'


def text(body, **parts):
    return read("odt", odt(body, **parts)).text


def test_headings_paragraphs_and_lists_are_blocks_of_their_kind():
    found = read("odt", odt(
        '<text:h text:outline-level="2">Head</text:h><text:p>Text.</text:p><text:p/><text:section><text:p>In.</text:p></text:section>'
        "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>"
        "</text:list-item><text:list-item><text:p>c</text:p></text:list-item></text:list><text:p>End</text:p>"
    ))  # fmt: skip
    assert blocks(found) == [
        ("heading", "Head"), ("paragraph", "Text."), ("paragraph", "In."), ("item", "a"), ("item", "b"), ("item", "c"),
        ("paragraph", "End"),
    ]  # fmt: skip
    assert found.blocks[0].level == 2
    assert found.text == "Head\n\nText.\n\nIn.\n\na\nb\nc\n\nEnd"


def test_white_space_is_collapsed_and_its_elements_are_kept():
    assert (
        text('<text:p>  a \n b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e<text:s/>f</text:p>')
        == "a b   c\td\ne f"
    )


def test_links_spans_and_fields_are_kept_and_comments_and_what_fields_hide_are_not():
    body = (
        "<text:p>a<text:a> link</text:a><text:span> span</text:span> <text:page-number>7</text:page-number>"
        "<office:annotation><text:p>comment</text:p></office:annotation><text:hidden-text>no</text:hidden-text></text:p>"
    )
    assert text(body) == "a link span 7"


def test_what_a_style_hides_is_left_out_and_white_text_is_marked():
    styles = style("Gone", '<style:text-properties text:display="none"/>') + style("Child", "", parent="Gone")
    styles += style("White", '<style:text-properties fo:color="#ffffff"/>')
    styles += style("Sign", '<style:text-properties fo:color="#ffffff" fo:background-color="#000000"/>')
    styles += style("GoneP", '<style:text-properties text:display="none"/>', "paragraph")
    body = "".join(
        f'<text:p>{name}<text:span text:style-name="{name}"> {name}-text</text:span></text:p>'
        for name in ("Gone", "Child", "White", "Sign")
    )
    found = read("odt", odt(body + '<text:p text:style-name="GoneP">never</text:p>', automatic=styles))
    assert found.text.split() == ["Gone", "Child", "White", "White-text", "Sign", "Sign-text"]
    assert hidden(found) == ["White-text"]


def test_styles_based_on_each_other_in_a_ring_end():
    rings = style("a", "", parent="b") + style("b", "", parent="a")
    assert text('<text:p><text:span text:style-name="a">x</text:span></text:p>', automatic=rings) == "x"


def test_rows_of_tables_with_the_headers_that_the_table_repeats():
    def row(*cells):
        return f"<table:table-row>{''.join(f'<table:table-cell><text:p>{c}</text:p></table:table-cell>' for c in cells)}</table:table-row>"

    body = (
        f"<table:table><table:table-column/><table:table-header-rows>{row('Item', 'Fee')}</table:table-header-rows>{row('Bike', '5 EUR')}"
        '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
        "<table:table-row><table:table-cell table:number-columns-spanned='2'><text:p>a</text:p><text:p>b</text:p></table:table-cell>"
        "<table:covered-table-cell/></table:table-row></table:table>"
    )
    assert rows(read("odt", odt(body))) == [
        (1, "Item\tFee", ()), (2, "Bike\t5 EUR", ("Item", "Fee")), (6, "a\nb", ("Item", "Fee")),
    ]  # fmt: skip
    assert blocks(read("odt", odt(f"<table:table>{row('only')}</table:table>"))) == [("paragraph", "only")]


def test_notes_stand_at_the_end_and_their_marks_in_brackets():
    def note(kind, mark, words):
        return (
            f'<text:note text:note-class="{kind}"><text:note-citation>{mark}</text:note-citation>'
            f"<text:note-body><text:p>{words}</text:p></text:note-body></text:note>"
        )

    found = read(
        "odt",
        odt(
            f"<text:p>Due{note('endnote', 'i', 'End.')} now{note('footnote', '1', 'Or later.')}.</text:p><text:p>Next</text:p>"
        ),
    )
    assert blocks(found) == [
        ("paragraph", "Due[i] now[1]."), ("paragraph", "Next"), ("footnote", "[1] Or later."), ("footnote", "[i] End."),
    ]  # fmt: skip


def test_tracked_deletions_are_left_out_and_told():
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>not</text:p></text:deletion></text:changed-region>"
        "</text:tracked-changes><text:p>You may <text:change/>go</text:p>"
    )
    found = read("odt", odt(body))
    assert (found.text, found.coverage, found.lost) == ("You may go", "partial", ("1 tracked deletion, left out",))
    assert read("odt", odt("<text:p>You may go</text:p>")).coverage == "complete"


def test_a_text_box_comes_after_the_paragraph_that_holds_it():
    box = "<draw:frame><draw:text-box><text:p>in the box</text:p></draw:text-box></draw:frame>"
    assert text(f"<text:p>before {box}after</text:p>") == "before after\n\nin the box"


def test_objects_macros_and_pictures_of_a_page_are_lost_and_small_pictures_are_not():
    def picture(width, height):
        return f'<text:p>x<draw:frame svg:width="{width}" svg:height="{height}"><draw:image/></draw:frame></text:p>'

    assert read("odt", odt(picture("5cm", "5cm"))).coverage == "complete"
    found = read(
        "odt",
        odt(
            picture("17cm", "9in") + "<text:p><draw:frame><draw:object/></draw:frame></text:p>",
            extra={"Basic/x.xml": "x"},
        ),
    )
    assert sorted(found.lost) == ["1 embedded object", "1 picture of a page's size", "macros"]


def test_exponents_do_not_run_together_with_numbers():
    up = style("Up", '<style:text-properties style:text-position="super 58%"/>')
    assert text('<text:p>10<text:span text:style-name="Up">2</text:span> m</text:p>', automatic=up) == "10² m"


def test_bookmarks_are_anchors_and_title_and_language_come_from_the_package():
    found = read("odt", odt('<text:p>a</text:p><text:p><text:bookmark text:name="mark"/>b</text:p>',
                            meta="<dc:title>My  paper</dc:title><dc:language>de-AT</dc:language>"))  # fmt: skip
    assert [(found.text[a.start :], a.element) for a in found.anchors] == [("b", "mark")]
    assert (found.title, found.lang) == ("My paper", "de-AT")


def test_an_encrypted_document_and_one_without_content_are_refused():
    for data, reason in (
        (
            odt("<text:p>x</text:p>", manifest="<m><file-entry><encryption-data/></file-entry></m>"),
            Unreadable.ENCRYPTED,
        ),
        (zipped({"mimetype": "x"}), Unreadable.DAMAGED),
        (zipped({"content.xml": "<a><b/></a>"}), Unreadable.DAMAGED),
    ):
        with pytest.raises(UnreadableFile) as fault:
            read("odt", data)
        assert fault.value.reason is reason
