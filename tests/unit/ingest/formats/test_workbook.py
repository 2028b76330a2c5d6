"""Workbooks: visible sheets, rows and values."""

import pytest

from tests.containers import xlsx
from tests.reading import blocks, read, rows
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


def sheet(*rows_, before=""):
    return f"{before}<sheetData>{''.join(rows_)}</sheetData>"


def row(*cells, number="", hidden=""):
    number = f' r="{number}"' if number else ""
    hidden = f' hidden="{hidden}"' if hidden else ""
    return f"<row{number}{hidden}>{''.join(cells)}</row>"


def inline(words, place=""):
    place = f' r="{place}"' if place else ""
    return f'<c{place} t="inlineStr"><is><t>{words}</t></is></c>'


def number(value, style="", kind="", place=""):
    attributes = "".join(f' {key}="{held}"' for key, held in (("r", place), ("s", style), ("t", kind)) if held)
    return f"<c{attributes}><v>{value}</v></c>"


def test_each_visible_sheet_is_a_heading_with_its_rows_beneath():
    book = xlsx({"Fees": sheet(row(inline("Item"), inline("Fee")), row(inline("Bike"), number("5"))),
                 "Old|hidden": sheet(row(inline("never"))), "Older|veryHidden": sheet(row(inline("never"))),
                 "Notes": sheet(row(inline("A note.")))})  # fmt: skip
    found = read("xlsx", book)
    assert blocks(found) == [
        ("heading", "Fees"),
        ("row", "Item\tFee"),
        ("row", "Bike\t5"),
        ("heading", "Notes"),
        ("row", "A note."),
    ]
    assert rows(found)[1] == (2, "Bike\t5", ("Item", "Fee"))
    assert found.coverage == "complete"


def test_values_are_as_stored_and_formulas_their_last_result():
    strings = "<si><t>shared</t></si><si><r><t>in </t></r><r><t>parts</t></r><rPh><t>no</t></rPh></si>"
    cells = (
        number("0", kind="s"), number("1", kind="s"), number("99", kind="s"), number("1", kind="b"), number("0.5"),
        '<c t="str"><f>A1</f><v>result</v></c>', number("#N/A", kind="e"), "<c/>", number("1E3"),
    )  # fmt: skip
    found = read("xlsx", xlsx({"S": sheet(row(*cells))}, strings=strings))
    assert rows(found)[0][1] == "shared\tin parts\t\tTRUE\t0.5\tresult\t#N/A\t\t1000"


def test_dates_and_times_are_iso():
    styles = (
        '<numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="171" formatCode="0.00 &quot;days&quot;"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="20"/></cellXfs>'
    )
    cells = [number("45292", "1"), number("45292.75", "2"), number("45292", "3"), number("0.5", "4"), number("45292"),
             number("x", "1"), number("99999999", "1"), number("1", "77")]  # fmt: skip
    book = {"S": sheet(row(*cells))}
    assert rows(read("xlsx", xlsx(book, styles=styles)))[0][1].split("\t") == [
        "2024-01-01", "2024-01-01 18:00:00", "45292", "12:00:00", "45292", "x", "99999999", "1",
    ]  # fmt: skip
    since_1904 = xlsx(book, styles=styles, properties='<workbookPr date1904="1"/>')
    assert rows(read("xlsx", since_1904))[0][1].startswith("2028-01-02\t")


def test_numbers_are_spelled_in_full_and_shares_as_their_format_says():
    styles = '<numFmts><numFmt numFmtId="170" formatCode="0.0%;-0.0%"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="170"/></cellXfs>'
    cells = [number("7.0000000000000007E-2"), number("7.0000000000000007E-2", "1"), number("0.125", "2"), number("-1.5", "1"),
             number("12345678901234567890"), number("1.10"), number("1e400"), number("nan")]  # fmt: skip
    assert rows(read("xlsx", xlsx({"S": sheet(row(*cells))}, styles=styles)))[0][1].split("\t") == [
        "0.07", "7%", "12.5%", "-150%", "12345678901234567890", "1.1", "1e400", "nan",
    ]  # fmt: skip


def test_hidden_rows_and_columns_are_left_out_and_gaps_keep_their_place():
    columns = '<cols><col min="2" max="2" hidden="1"/><col min="4" max="4" hidden="0"/></cols>'
    book = xlsx({"S": sheet(row(inline("a", "A1"), inline("no", "B1"), inline("d", "D1"), number="1"),
                            row(inline("no", "A2"), number="2", hidden="1"), row(inline("c", "C7"), number="7"), before=columns)})  # fmt: skip
    assert rows(read("xlsx", book)) == [(1, "a\t\td", ()), (7, "c", ())]


def test_a_cell_far_away_costs_no_more_than_it_may():
    far = xlsx({"S": sheet(*(row(inline("x", f"XFD{n}"), number=str(n)) for n in range(1, 100)))})
    assert len(rows(read("xlsx", far))) == 99
    with pytest.raises(UnreadableFile) as fault:
        read("xlsx", far, ReadingLimits(characters=100_000))
    assert fault.value.reason is Unreadable.TOO_LARGE
    with pytest.raises(UnreadableFile) as fault:
        read("xlsx", xlsx({"S": sheet(row(inline("x", "ZZZ1")))}))
    assert fault.value.reason is Unreadable.DAMAGED


def test_a_missing_sheet_and_macros_are_told():
    book = xlsx({"S": sheet(row(inline("x")))}, properties="", extra={"xl/vbaProject.bin": "x"})
    assert read("xlsx", book).lost == ("macros",)
    listed = xlsx({"S": sheet(row(inline("x")))}, properties='<sheets><sheet name="T" r:id="none"/></sheets>')
    assert read("xlsx", listed).lost == ("1 sheet missing",)
