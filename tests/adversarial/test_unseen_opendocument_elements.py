"""Words of OpenDocument texts in elements that no program shows are never quoted; those beside them are."""

import pytest

from tests.containers import odt
from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation

WORDS = "The rent is 500 euros a month."
FOREIGN = 'xmlns:x="urn:x"'
LOEXT = 'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
STYLES = (
    '<style:style style:name="Gone" style:family="text"><style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="Plain" style:family="text"/>'
)


def verdict(body, **parts):
    """The code of a refusal, or "" where the quote is released."""
    found = read("odt", odt(f"<text:p>Lease of a flat.</text:p>{body}<text:p>End.</text:p>", **parts))
    outcome = Gate([Passage("a", found.text, hidden=found.hidden)], profile="extracted").verify("a", WORDS)
    assert isinstance(outcome, Refusal | VerifiedCitation)
    return outcome.code if isinstance(outcome, Refusal) else ""


def table(row):
    cells = f"<table:table-cell><text:p>{WORDS}</text:p></table:table-cell><table:table-cell><text:p>x</text:p></table:table-cell>"
    return f"<table:table><{row}>{cells}</{row.split(' ')[0]}><table:table-row>{cells.replace(WORDS, 'y')}</table:table-row></table:table>"


def framed(inner):
    return f'<text:p><draw:frame svg:width="9cm" svg:height="2cm">{inner}</draw:frame></text:p>'


BOX = f"<draw:text-box><text:p>{WORDS}</text:p></draw:text-box>"
OTHER = "<draw:text-box><text:p>other</text:p></draw:text-box>"


@pytest.mark.code("quote_mismatch")
@pytest.mark.code("not_visible")
@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        (f"<x:p {FOREIGN}>{WORDS}</x:p>", f"<x:box {FOREIGN}><text:p>{WORDS}</text:p></x:box>"),
        (f"<p>{WORDS}</p>", f"<text:p>{WORDS}</text:p>"),
        (f"<table:p>{WORDS}</table:p>", f"<loext:p {LOEXT}>{WORDS}</loext:p>"),
        (f"<text:p><draw:span>{WORDS}</draw:span></text:p>", f"<text:p><x:span {FOREIGN}>{WORDS}</x:span></text:p>"),
        (f"<text:p><text:bubble>{WORDS}</text:bubble></text:p>",
         f"<text:p><loext:content-control {LOEXT}>{WORDS}</loext:content-control></text:p>"),
        (f"<text:bubble><text:p>{WORDS}</text:p></text:bubble>",
         f"<text:table-index><text:index-body><text:p>{WORDS}</text:p></text:index-body></text:table-index>"),
        (f"<text:p>a <text:p>{WORDS}</text:p></text:p>", f"<text:p>a <text:span>{WORDS}</text:span></text:p>"),
        (f"<text:list><x:list-item {FOREIGN}><text:p>{WORDS}</text:p></x:list-item></text:list>",
         f"<text:list><text:list-item><text:p>{WORDS}</text:p></text:list-item></text:list>"),
        (table(f"x:table-row {FOREIGN}"), table("table:table-row")),
        (f"<text:p><text:script>{WORDS}</text:script></text:p>", f"<text:p><text:placeholder>{WORDS}</text:placeholder></text:p>"),
        (f"<text:p><text:number>{WORDS}</text:number>x</text:p>", f"<text:p>x {WORDS}</text:p>"),
        (framed(OTHER + BOX), framed(BOX + OTHER)),
        (framed(f"<draw:image/>{BOX}"), framed(f"{BOX}<draw:image/>")),
        (f'<text:p><text:span {FOREIGN} x:style-name="Plain" text:style-name="Gone">{WORDS}</text:span></text:p>',
         f'<text:p><text:span {FOREIGN} x:style-name="Gone" text:style-name="Plain">{WORDS}</text:span></text:p>'),
        (f'<text:p><text:span draw:style-name="Plain" text:style-name="Gone">{WORDS}</text:span></text:p>',
         f'<text:p><text:span draw:style-name="Gone" text:style-name="Plain">{WORDS}</text:span></text:p>'),
        (f"<text:p><text:subject>{WORDS}</text:subject></text:p>",
         f'<text:p><text:subject text:fixed="true">{WORDS}</text:subject></text:p>'),
    ],
)  # fmt: skip
def test_words_in_elements_that_no_program_shows_are_refused_and_their_twins_released(unseen, seen):
    assert verdict(unseen, automatic=STYLES) in ("quote_mismatch", "not_visible")
    assert verdict(seen, automatic=STYLES) == ""


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize("field", ["variable-set", "user-field-get"])
def test_a_field_that_is_not_displayed_changes_no_sentence(field):
    body = "<text:p>The rent is <text:{0} {1}>not </text:{0}>500 euros a month.</text:p>"
    assert verdict(body.format(field, 'text:display="none"')) == ""
    assert verdict(body.format(field, 'text:display="value"')) == "quote_mismatch"


def test_a_style_counts_only_where_styles_stand():
    gone = '<style:style style:name="Q" style:family="text"><style:text-properties text:display="none"/></style:style>'
    body = f'<text:p><text:span text:style-name="Q">{WORDS}</text:span></text:p>'
    shown = '<style:style style:name="Q" style:family="text"/>'
    assert verdict(body + shown, automatic=gone) == "quote_mismatch"
    assert verdict(body, automatic=f"{gone}<x:box {FOREIGN}>{shown}</x:box>") == "quote_mismatch"
    assert verdict(body + gone, automatic=shown) == ""


def test_words_of_no_known_kind_are_told_and_those_of_foreign_spaces_are_not():
    known = read("odt", odt(f"<text:p>a <text:bubble>{WORDS}</text:bubble></text:p>"))
    assert known.lost == ("1 element of no known kind",)
    assert read("odt", odt(f"<text:p>a <x:bubble {FOREIGN}>{WORDS}</x:bubble></text:p>")).coverage == "complete"


@pytest.mark.code("not_visible")
def test_words_in_a_field_that_counts_are_refused_and_a_number_there_is_not():
    body = "<text:p>The rent is <text:page-number>{}</text:page-number> euros a month.</text:p>"
    assert verdict(body.format("500")) == ""
    assert verdict(f"<text:p><text:page-number>{WORDS}</text:page-number></text:p>") == "not_visible"


@pytest.mark.code("quote_mismatch")
@pytest.mark.code("not_visible")
@pytest.mark.parametrize(("held", "released"), [("500", True), ("500.0049", True), ("5", True), ("900", False)])
def test_a_number_that_a_field_shows_is_the_one_it_holds(held, released):
    decl = f'<text:user-field-decls><text:user-field-decl text:name="u" office:value-type="float" office:value="{held}"/></text:user-field-decls>'
    body = '<text:p>The rent is <text:user-field-get text:name="u">500</text:user-field-get> euros a month.</text:p>'
    assert (verdict(decl + body) == "") is released


@pytest.mark.code("quote_mismatch")
def test_a_style_of_headers_is_none_of_the_text():
    gone = '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>'
    plain = '<style:style style:name="T1" style:family="text"/>'
    span = f'<text:p><text:span text:style-name="T1">{WORDS}</text:span></text:p>'

    def page(header, of_headers):
        return f'</office:styles><office:automatic-styles>{of_headers}</office:automatic-styles><office:master-styles><style:master-page style:name="Standard"><style:header>{header}</style:header></style:master-page></office:master-styles><office:styles>'

    assert verdict("", automatic=plain, styles=page(span, gone)) == "quote_mismatch"
    assert verdict("", automatic=gone, styles=page(span, plain)) == ""
    assert verdict(span, automatic=gone, styles=page("", plain)) == "quote_mismatch"
    assert verdict(span, automatic=plain, styles=page("", gone)) == ""
