"""Words of workbooks in elements that no program shows are never quoted, and no digit runs into another number."""

import pytest

from tests.containers import xlsx
from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation

WORDS = "The rent is 500 euros a month."
FOREIGN = 'xmlns:x="urn:x"'


def verdict(data, quote=WORDS):
    """The code of a refusal, or "" where the quote is released."""
    found = read("xlsx", data)
    outcome = Gate([Passage("a", found.text, hidden=found.hidden)], profile="extracted").verify("a", quote)
    assert isinstance(outcome, Refusal | VerifiedCitation)
    return outcome.code if isinstance(outcome, Refusal) else ""


def book(rows, strings="<si><t>x</t></si>"):
    return xlsx({"Sheet": f"<sheetData><row><c t='inlineStr'><is><t>Lease of a flat.</t></is></c></row>{rows}</sheetData>"},
                strings=strings)  # fmt: skip


def inline(words=WORDS, *, cell="c", held="is", text="t"):
    return f'<{cell} {FOREIGN} t="inlineStr"><{held}><{text}>{words}</{text}></{held}></{cell}>'


SHARED = '<row><c t="s"><v>0</v></c></row>'


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        (book(f"<x:row {FOREIGN}>{inline()}</x:row>"), book(f"<row>{inline()}</row>")),
        (book(f"<row>{inline(cell='x:c')}</row>"), book(f"<row>{inline('other', cell='x:c')}{inline()}</row>")),
        (book(f"<row>{inline(held='x:is')}</row>"), book(f'<row {FOREIGN} x:hidden="1">{inline()}</row>')),
        (book(f"<row>{inline(text='x:t')}</row>"),
         book(f'<row><c t="inlineStr"><is><t>{WORDS}</t><x:t {FOREIGN}>other</x:t></is></c></row>')),
        (book(f'<row {FOREIGN} x:hidden="0" hidden="1">{inline()}</row>'),
         book(f'<row {FOREIGN} x:hidden="1" hidden="0">{inline()}</row>')),
        (book(SHARED, f"<x:si {FOREIGN}><t>{WORDS}</t></x:si><si><t>own</t></si>"),
         book(SHARED, f"<x:si {FOREIGN}><t>own</t></x:si><si><t>{WORDS}</t></si>")),
        (book(SHARED, f"<si><r><t>a</t></r><x:r {FOREIGN}><t>{WORDS}</t></x:r></si>"),
         book(SHARED, f"<si><r><t>{WORDS}</t></r><x:r {FOREIGN}><t>other</t></x:r></si>")),
    ],
)  # fmt: skip
def test_words_in_elements_of_foreign_spaces_are_refused_and_their_twins_released(unseen, seen):
    assert verdict(unseen) == "quote_mismatch"
    assert verdict(seen) == ""


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(("form", "shown"), [("superscript", "10² m"), ("subscript", "10₂ m"), ("baseline", "102 m")])
def test_a_raised_or_lowered_digit_does_not_run_into_the_number_before_it(form, shown):
    run = f'<r><rPr><vertAlign val="{form}"/></rPr><t>2</t></r>'
    data = book(SHARED, f'<si><r><t>The area is 10</t></r>{run}<r><t xml:space="preserve"> m</t></r></si>')
    assert verdict(data, f"The area is {shown}") == ""
    assert (verdict(data, "The area is 102 m") == "") is (form == "baseline")


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(("colour", "area", "released"), [("FFFFFFFF", "B1 A2:A9", False), ("FFFF0000", "A2:A9", True),
                                                          ("FFFFFFFF", "A3:A9", True)])  # fmt: skip
def test_a_condition_that_asks_another_sheet_may_hide_a_cell(colour, area, released):
    names = 'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"'
    rule = (
        f'<x14:cfRule><x14:dxf><font><color rgb="{colour}"/></font></x14:dxf></x14:cfRule><xm:sqref>{area}</xm:sqref>'
    )
    rules = f"<x14:conditionalFormattings><x14:conditionalFormatting>{rule}</x14:conditionalFormatting></x14:conditionalFormattings>"
    rows = f"<row r='1'>{inline('Lease of a flat.')}</row><row r='2'>{inline()}</row>"
    data = xlsx({"Sheet": f"<sheetData>{rows}</sheetData><extLst><ext {names}>{rules}</ext></extLst>"})
    assert (verdict(data) == "") is released
