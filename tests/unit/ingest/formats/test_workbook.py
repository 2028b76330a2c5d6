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
    assert found.lost == ("2 hidden sheets",)


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


STYLES = (
    '<numFmts><numFmt numFmtId="170" formatCode=";;;"/><numFmt numFmtId="171" formatCode="0;-0;;@"/><numFmt numFmtId="172" '
    'formatCode="[White]0"/><numFmt numFmtId="173" formatCode="&quot;;&quot;0;;0"/></numFmts>'
    '<fonts><font/><font><color rgb="FFFFFFFF"/></font><font><color theme="0"/></font><font><color theme="1"/></font></fonts>'
    '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF003366"/>'
    '</patternFill></fill><fill><patternFill patternType="solid"><fgColor theme="0"/></patternFill></fill></fills><cellXfs>'
    '<xf/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/><xf fontId="1" fillId="0"/><xf fontId="2"/>'
    '<xf fontId="2" fillId="2"/><xf fontId="1" fillId="1"/><xf fontId="3" fillId="0"/><xf numFmtId="173"/></cellXfs>'
)
WORDS = "<is><t>ninety</t></is>"
ROW, COLUMN, CELL, FORMULA = "hidden row", "hidden column", "cell that no reader sees", "formula without a result"


@pytest.mark.parametrize(
    ("told", "attributes", "cell", "before"),
    [
        (ROW, 'hidden="1"', "", ""), ("", 'hidden="0"', "", ""),
        (ROW, 'ht="0" customHeight="1"', "", ""), (ROW, 'ht="0.25"', "", ""), ("", 'ht="15"', "", ""),
        ("", "", "", '<sheetFormatPr defaultRowHeight="15" zeroHeight="1"/>'),
        (COLUMN, "", "", '<cols><col min="2" max="2" hidden="1"/></cols>'),
        (COLUMN, "", "", '<cols><col min="2" max="2" width="0" customWidth="1"/></cols>'),
        ("", "", "", '<cols><col min="2" max="2" width="9.5"/><col min="3" max="9" hidden="1"/></cols>'),
        (CELL, "", f'<c r="B2" s="1" t="inlineStr">{WORDS}</c>', ""), ("", "", f'<c r="B2" s="2" t="inlineStr">{WORDS}</c>', ""),
        (CELL, "", '<c r="B2" s="1"><v>90</v></c>', ""), (CELL, "", '<c r="B2" s="2"><v>0</v></c>', ""),
        ("", "", '<c r="B2" s="2"><v>90</v></c>', ""), (CELL, "", '<c r="B2" s="3"><v>90</v></c>', ""),
        (CELL, "", '<c r="B2" s="9"><v>-90</v></c>', ""), ("", "", '<c r="B2" s="9"><v>90</v></c>', ""),
        *((CELL, "", f'<c r="B2" s="{style}" t="inlineStr">{WORDS}</c>', "") for style in (4, 5, 6, "04")),
        *(("", "", f'<c r="B2" s="{style}" t="inlineStr">{WORDS}</c>', "") for style in (7, 8, 99)),
        (FORMULA, "", '<c r="B2"><f>SUM(1,2)</f></c>', ""), (FORMULA, "", '<c r="B2"><f>SUM(1,2)</f><v/></c>', ""),
        ("", "", '<c r="B2"><f>SUM(1,2)</f><v>3</v></c>', ""), ("", "", '<c r="B2" t="str"><f>A1</f><v></v></c>', ""),
    ],
)  # fmt: skip
def test_what_no_reader_sees_of_a_sheet_is_left_out_and_told(told, attributes, cell, before):
    """With `zeroHeight` the rows that the file does not list are hidden; those that it lists are shown."""
    cell = cell or inline("ninety", "B2")
    inner = f'<row r="1">{inline("a", "A1")}</row><row r="2" {attributes}>{cell}</row>'
    found = read("xlsx", xlsx({"S": f"{before}<sheetData>{inner}</sheetData>"}, styles=STYLES))
    assert found.lost == ((f"1 {told}",) if told else ())
    if told:
        assert [text for _, text, _ in rows(found)] == ["a"]
    elif "</v></c>" not in cell or "0<" in cell:
        assert rows(found)[1][1].endswith(("ninety", "90"))


def test_hidden_parts_are_counted_over_all_sheets_and_only_where_they_hold_something():
    inner = (
        '<cols><col min="2" max="5" hidden="1"/></cols><sheetData>' + row(inline("a", "A1"), inline("no", "B1"), inline("no", "C1"))
        + row(inline("no"), hidden="1") + row(hidden="1") + row('<c s="1"/>', hidden="1") + row(inline("no", "B9"), number="9") + "</sheetData>"
    )  # fmt: skip
    found = read("xlsx", xlsx({"S": inner, "T": inner, "U|hidden": inner}))
    assert found.lost == ("2 hidden rows", "4 hidden columns", "1 hidden sheet")


@pytest.mark.parametrize(
    ("area", "expected"),
    [("A1:B2", ["a"]), ("B2:A1", ["a"]), ("A2:B2", ["a\tb", "c"]), ("A1:A2", ["a\tb", "\td"]), ("C1:D2", ["a\tb", "c\td"]),
     ("A1", ["a\tb", "c\td"])],
)  # fmt: skip
def test_cells_under_a_merged_one_are_left_out_and_told(area, expected):
    lines = [
        row(inline("a", "A1"), inline("b", "B1"), number="1"),
        row(inline("c", "A2"), inline("d", "B2"), number="2"),
    ]
    merges = f'<mergeCells><mergeCell ref="{area}"/></mergeCells>'
    for order in (lines, [lines[1], lines[0]]):
        found = read("xlsx", xlsx({"S": sheet(*order) + merges}))
        assert {text.strip() for _, text, _ in rows(found)} == {each.strip() for each in expected}
        left_out = 4 - len("".join(expected).replace("\t", ""))
        assert found.lost == ((f"{left_out} cell{'s' * (left_out > 1)} that no reader sees",) if left_out else ())


def test_merges_over_each_other_cost_no_more_than_they_may():
    merges = "<mergeCells>" + '<mergeCell ref="A1:B9999"/>' * 2_000 + "</mergeCells>"
    book = xlsx({"S": sheet(*(row(inline("x"), number=str(n)) for n in range(1, 500))) + merges})
    with pytest.raises(UnreadableFile) as fault:
        read("xlsx", book, ReadingLimits(characters=100_000))
    assert fault.value.reason is Unreadable.TOO_LARGE


def test_cells_without_a_style_have_the_first():
    fonts = '<fonts><font><color indexed="{}"/></font></fonts><cellXfs><xf fontId="0"/></cellXfs>'
    book = {"S": sheet(row(inline("a"), inline("b")))}
    assert read("xlsx", xlsx(book, styles=fonts.format(9))).lost == ("2 cells that no reader sees",)
    assert read("xlsx", xlsx(book, styles=fonts.format(8))).lost == ()
