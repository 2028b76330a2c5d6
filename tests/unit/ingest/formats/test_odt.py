"""OpenDocument texts as a word processor shows them."""

import pytest

from tests.containers import odt, zipped
from tests.reading import blocks, headings, hidden, read, rows
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
        (1, "Item\tFee", ()), (2, "Bike\t5 EUR", ("Item", "Fee")), (6, "a\nb", ("Item, Fee", "")),
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


def ink(properties, name="W", family="text", parent="", more=""):
    return style(name, f"<style:text-properties {properties}/>{more}", family, parent)


def span(words="x", name="W"):
    return f'<text:p><text:span text:style-name="{name}">{words}</text:span></text:p>'


def cells(*lines, columns="", row="", cell="", table=""):
    inner = "".join(
        f"<table:table-row {row if at else ''}><table:table-cell {cell}>{each}</table:table-cell>"
        f"<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>"
        for at, each in enumerate(lines)
    )
    return f"<table:table {table}>{columns}{inner}</table:table>"


def ground(color, family, name="G"):
    return style(name, f'<style:{family}-properties fo:background-color="{color}"/>', family)


WHITE, RED, TINY, GONE = 'fo:color="#ffffff"', 'fo:color="#ff0000"', 'fo:font-size="2pt"', 'text:display="none"'
P, A = "<text:p>x</text:p>", "<text:p>a</text:p>"
IN_G = {"cell": 'table:style-name="G"'}
DEFAULT = '<style:default-style style:family="paragraph"><style:text-properties {}/></style:default-style>'
SECTION = "<text:section {}><text:p>x</text:p></text:section>"
HIDDEN_BY_FIELD = '<text:p><text:span>q<text:hidden-paragraph text:is-hidden="{}"/></text:span>x</text:p>'


@pytest.mark.parametrize(
    ("unseen", "seen", "unseen_styles", "seen_styles"),
    [
        (span(), span(), ink(WHITE), ink(RED)),
        (cells(A, span()), cells(A, span()), ink(WHITE), ink(RED)),
        (cells(A, span()), cells(A, span(), **IN_G), ink(WHITE), ink(WHITE) + ground("#000080", "table-cell")),
        (cells(span(), **IN_G), cells(A, span(), table='table:style-name="G"'), ink(WHITE) + ground("#ffffff", "table-cell"),
         ink(WHITE) + ground("#000080", "table")),
        (cells(A, span(), **IN_G), cells(A, P, **IN_G), ink('fo:color="#000080"') + ground("#000080", "table-cell"), ground("#000080", "table-cell")),
        (P, P, DEFAULT.format(WHITE), DEFAULT.format(RED)),
        (P, P, DEFAULT.format(WHITE), DEFAULT.format(WHITE) + ink(RED, "Standard", "paragraph")),
        (P, P, ink(TINY, "Standard", "paragraph"), ink('fo:font-size="2.5pt"', "Standard", "paragraph")),
        (span(), span(), ink(TINY), ink('fo:font-size="12pt"')), (span(), span(), ink('fo:font-size="0.5mm"'), ink('fo:font-size="4mm"')),
        (span(), span(), ink('fo:font-size="10%"'), ink('fo:font-size="80%"')),
        (span(), span(), ink(TINY, "B") + ink("", parent="B"), ink(TINY, "B") + ink('fo:font-size="9pt"', parent="B")),
        (span(), span(), ink('style:text-scale="1%"'), ink('style:text-scale="90%"')),
        (span(), span(), DEFAULT.format(WHITE) + ink('fo:background-color="transparent"'), DEFAULT.format(WHITE) + ink('style:use-window-font-color="true"')),
        (SECTION.format('text:display="none"'), SECTION.format(""), "", ""),
        (SECTION.format('text:display="condition" text:is-hidden="true"'), SECTION.format('text:display="condition" text:is-hidden="false"'), "", ""),
        (HIDDEN_BY_FIELD.format("true"), HIDDEN_BY_FIELD.format("false"), "", ""),
        (P, P, DEFAULT.format(GONE), DEFAULT.format(GONE) + ink('text:display="true"', "Standard", "paragraph")),
    ],
)  # fmt: skip
def test_words_that_no_style_ground_or_field_shows_are_hidden_and_their_twins_are_not(
    unseen, seen, unseen_styles, seen_styles
):
    """Left out where they are not shown, and marked where they are there but cannot be seen."""
    found = read("odt", odt(A + unseen, automatic=unseen_styles))
    assert "x" not in found.text or any("x" in each for each in hidden(found)), found
    found = read("odt", odt(A + seen, automatic=seen_styles))
    assert "x" in found.text and not any("x" in each for each in hidden(found)), found


@pytest.mark.parametrize(
    ("told", "expected", "row", "columns"),
    [
        ("1 hidden row", "a b", 'table:visibility="collapse"', ""), ("1 hidden row", "a b", 'table:visibility="filter"', ""),
        ("", "a b x b", 'table:visibility="visible"', ""),
        ("1 hidden column", "b b", "", '<table:table-column table:visibility="collapse"/><table:table-column/>'),
        ("1 hidden column", "a x", "", '<table:table-column/><table:table-column table:visibility="filter"/>'),
        ("1 hidden column", "b b", "", '<table:table-column-group table:display="false"><table:table-column/></table:table-column-group>'),
        ("", "a b x b", "", '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'),
    ],
)  # fmt: skip
def test_hidden_rows_and_columns_are_left_out_and_told(told, expected, row, columns):
    found = read("odt", odt(cells(A, P, row=row, columns=columns)))
    assert (" ".join(found.text.split()), found.lost) == (expected, (told,) if told else ())


def test_the_words_of_a_wide_first_row_over_numbers_name_the_columns():
    def table(*lines):
        inner = "".join(
            f"<table:table-row>{''.join(f'<table:table-cell><text:p>{c}</text:p></table:table-cell>' for c in line)}</table:table-row>"
            for line in lines
        )
        return rows(read("odt", odt(f"<table:table>{inner}</table:table>")))

    assert table(("Item", "2023", "2024"), ("Rent", "500", "600"))[1][2] == ("Item", "2023", "2024")
    assert table(("Tenant", "Anna"), ("Rent", "500"))[1][2] == ()


def test_the_title_of_a_picture_is_none_of_the_document():
    picture = "<text:p>a<draw:frame><draw:image/><svg:title>Logo</svg:title><svg:desc>A logo.</svg:desc></draw:frame></text:p>"
    found = read("odt", odt(picture))
    assert (found.title, found.text) == ("", "a")
    assert read("odt", odt(picture, meta="<dc:title>Lease</dc:title>")).title == "Lease"


def test_fields_say_what_the_file_holds():
    body = (
        '<text:p><text:title>Lease</text:title>, <text:user-field-get text:name="u">old</text:user-field-get></text:p>'
    )
    declared = '<text:user-field-decls><text:user-field-decl text:name="u" office:value-type="string" office:string-value="new"/></text:user-field-decls>'
    assert text(body, meta="<dc:title>Lease</dc:title>") == "Lease, old"
    assert text(declared + body, meta="<dc:title>Lease</dc:title>") == "Lease, new"
    assert hidden(read("odt", odt(body, meta="<dc:title>Sale</dc:title>"))) == ["Lease"]


def test_a_choice_is_the_one_that_is_made():
    label = '<text:label text:value="{}" text:current-selected="{}"/>'
    labels = label.format("one", "false") + label.format("two", "true")
    assert text(f"<text:p><text:drop-down>{labels}one</text:drop-down></text:p>") == "two"
    assert text("<text:p><text:drop-down>one</text:drop-down></text:p>") == "one"


def test_lines_and_other_shapes_keep_their_words():
    for shape in ("line", "connector", "polyline", "measure"):
        found = read("odt", odt(f"<text:p>a<draw:{shape}><text:p>b</text:p></draw:{shape}></text:p>"))
        assert (found.text, found.lost) == ("a\n\nb", ())


def test_repeated_cells_hold_their_words_each_time():
    cells = '<table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>'
    table = f"<table:table><table:table-row>{cells}</table:table-row><table:table-row>{cells}</table:table-row></table:table>"
    assert [each for _, each, _ in rows(read("odt", odt(table)))] == ["a\ta\tb", "a\ta\tb"]


def test_cells_below_merged_ones_have_the_names_of_their_own_columns_and_rows():
    def cell(words, columns=1, rows_=1):
        spans = f'table:number-columns-spanned="{columns}" table:number-rows-spanned="{rows_}"'
        return f"<table:table-cell {spans}><text:p>{words}</text:p></table:table-cell>"

    covered = "<table:covered-table-cell/>"
    lines = [
        cell("Year", rows_=2) + cell("Item", rows_=2) + cell("Planned", columns=2) + covered,
        covered * 2 + cell("Spring") + cell("Autumn"), cell("2023", rows_=3) + cell("Rent") + cell("10") + cell("20"),
        covered + cell("Gas") + cell("77", columns=2) + covered, covered + cell("Sum") + cell("87") + cell("97"),
    ]  # fmt: skip
    found = read(
        "odt",
        odt(f"<table:table>{''.join(f'<table:table-row>{line}</table:table-row>' for line in lines)}</table:table>"),
    )
    assert rows(found)[2:] == [
        (3, "2023\tRent\t10\t20", ("Year", "Item", "Planned Spring", "Planned Autumn")),
        (4, "Gas\t77", ("Item", "Planned Spring, Planned Autumn", "")),
        (5, "Sum\t87\t97", ("Item", "Planned Spring", "Planned Autumn")),
    ]
    assert [heading for _, heading in headings(found)[2:]] == [("2023", "Rent"), ("2023", "Gas"), ("2023", "Sum")]


def laid(drawing, properties):
    look = f'<style:style style:name="G" style:family="graphic"><style:graphic-properties {properties}/></style:style>'
    sizes = 'draw:style-name="G" svg:width="9cm" svg:height="1cm"'
    return odt(f"<text:p>Words.{drawing.format(sizes)}</text:p>", automatic=look)


RECT, IMAGE = "<draw:rect {}/>", "<draw:frame {}><draw:image/></draw:frame>"
OVER = 'style:wrap="run-through" style:run-through="foreground"'


@pytest.mark.parametrize(
    ("over", "beside"),
    [
        (laid(RECT, OVER), laid(RECT, OVER.replace("foreground", "background"))),
        (laid(RECT, OVER), laid(RECT, OVER + ' draw:fill="none"')),
        (laid(RECT, OVER), laid("<draw:rect {}><text:p>y</text:p></draw:rect>", OVER)),
        (laid(RECT, OVER), laid('<draw:rect text:anchor-type="as-char" {}/>', OVER)),
        (laid(RECT, OVER), laid(RECT, 'style:wrap="parallel"')),
        (laid(IMAGE, OVER), laid(IMAGE.replace("{}", '{} svg:x="0cm"'), 'style:wrap="none"')),
        (laid(IMAGE, OVER), laid(IMAGE.replace("<draw:image/>", "<draw:text-box><text:p>y</text:p></draw:text-box>"), OVER)),
    ],
)  # fmt: skip
def test_shapes_and_wide_pictures_laid_over_words_are_told(over, beside):
    assert read("odt", over).lost == ("1 shape or picture laid over words",)
    assert read("odt", beside).lost == ()
