"""Workbooks: visible sheets, rows and values."""

import io
import zipfile

import pytest

from tests.containers import OFFICE, xlsx, zipped
from tests.reading import blocks, headings, read, rows
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


LOOKS = (
    "<fonts><font/>{font}</fonts><fills><fill/>{fill}</fills><cellXfs><xf/><xf fontId='1' fillId='1'/></cellXfs>{more}"
)
SOLID = "<fill><patternFill patternType='solid'><fgColor {}/></patternFill></fill>"


def colored(color, more=""):
    return f"<font><color {color}/>{more}</font>"


@pytest.mark.parametrize(
    ("unseen", "seen"),
    [
        ((colored('rgb="FF000000"'), SOLID.format('rgb="FF000000"')), (colored('rgb="FFFFFFFF"'), SOLID.format('rgb="FF000000"'))),
        ((colored('rgb="FFFF0000"'), SOLID.format('rgb="FFFE0101"')), (colored('rgb="FFFF0000"'), SOLID.format('rgb="FFFFFF00"'))),
        ((colored('rgb="FFFFFEFE"'), "<fill/>"), (colored('rgb="FFC0C0C0"'), "<fill/>")),
        ((colored('theme="4"'), SOLID.format('theme="4"')), (colored('theme="4"'), SOLID.format('theme="4" tint="0.6"'))),
        ((colored('theme="1" tint="1"'), "<fill/>"), (colored('theme="1" tint="0.2"'), "<fill/>")),
        ((colored('indexed="10"'), SOLID.format('indexed="2"')), (colored('indexed="10"'), SOLID.format('indexed="3"'))),
        (("<font/>", SOLID.format('indexed="64"')), ("<font/>", SOLID.format('indexed="65"'))),
        (("<font><name val='Wingdings'/></font>", "<fill/>"), ("<font><name val='Calibri'/></font>", "<fill/>")),
        (("<font><sz val='1'/></font>", "<fill/>"), ("<font><sz val='8'/></font>", "<fill/>")),
        ((colored('rgb="FF0000FF"'), "<fill><gradientFill><stop><color rgb='FF0000FF'/></stop><stop><color rgb='FF0000FF'/></stop></gradientFill></fill>"),
         (colored('rgb="FF0000FF"'), "<fill><gradientFill><stop><color rgb='FF0000FF'/></stop><stop><color rgb='FFFFFFFF'/></stop></gradientFill></fill>")),
    ],
)  # fmt: skip
def test_letters_in_the_colour_of_their_ground_whichever_it_is_and_tiny_ones_are_left_out_and_told(unseen, seen):
    theme = {"xl/theme.xml": "<theme><themeElements><clrScheme><dk1><sysClr lastClr='000000'/></dk1><accent1><srgbClr val='4472C4'/>"
                             "</accent1></clrScheme></themeElements></theme>"}  # fmt: skip
    cell = f'<c r="B1" s="1" t="inlineStr">{WORDS}</c>'

    def found(font, fill):
        book = xlsx(
            {"S": sheet(row(inline("a", "A1"), cell))}, styles=LOOKS.format(font=font, fill=fill, more=""), extra=theme
        )
        return read("xlsx", related(book, "theme", "theme.xml"))

    assert (rows(found(*unseen)), found(*unseen).lost) == ([(1, "a", ())], ("1 cell that no reader sees",))
    assert (rows(found(*seen)), found(*seen).lost) == ([(1, "a\tninety", ())], ())


def related(book, kind, target, part="xl/workbook.xml"):
    """The workbook with one more relationship of `part`."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = f"{part.rpartition('/')[0]}/_rels/{part.rpartition('/')[2]}.rels"
    held = members.get(
        name, b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    )
    more = f'<Relationship Id="more" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>'.encode()
    return zipped(members | {name: held.replace(b"</Relationships>", more)})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("<font><color rgb='FFFFFFFF'/></font>", True), ("<font><color rgb='FFFF0000'/></font>", False), ("<numFmt formatCode=';;;'/>", True),
        ("<numFmt formatCode='0.0'/>", False), ("<font><b/></font>", False),
        ("<font><color rgb='FFFFFFFF'/></font><fill><patternFill><bgColor rgb='FF203040'/></patternFill></fill>", False),
        ("<fill><patternFill><bgColor rgb='FF000000'/></patternFill></fill>", True),
    ],
)  # fmt: skip
def test_a_cell_that_a_condition_may_hide_is_left_out_and_told(change, told):
    rule = '<conditionalFormatting sqref="A9 B1:B3"><cfRule dxfId="0"><formula>TRUE</formula></cfRule></conditionalFormatting>'
    styles = LOOKS.format(font="<font/>", fill="<fill/>", more=f"<dxfs><dxf>{change}</dxf></dxfs>")
    found = read("xlsx", xlsx({"S": sheet(row(inline("a", "A1"), inline("ninety", "B1"))) + rule}, styles=styles))
    assert found.lost == (("1 cell that a condition may hide",) if told else ())
    assert rows(found)[0][1] == ("a" if told else "a\tninety")


def test_conditions_over_each_other_cost_no_more_than_they_may():
    rule = '<conditionalFormatting sqref="A1:B9999"><cfRule dxfId="0"/></conditionalFormatting>' * 2_000
    styles = "<dxfs><dxf><font><color rgb='FFFF0000'/></font></dxf></dxfs>"
    book = xlsx({"S": sheet(*(row(inline("x"), number=str(n)) for n in range(1, 500))) + rule}, styles=styles)
    with pytest.raises(UnreadableFile) as fault:
        read("xlsx", book, ReadingLimits(characters=100_000))
    assert fault.value.reason is Unreadable.TOO_LARGE


def test_words_of_a_cell_with_a_font_of_their_own_are_judged_by_it():
    def runs(*fonts):
        inner = "".join(
            f"<r>{f'<rPr>{font}</rPr>' if font else ''}<t>{word}</t></r>"
            for word, font in zip("abc", fonts, strict=False)
        )
        return read("xlsx", xlsx({"S": sheet(row('<c t="s"><v>0</v></c>'))}, strings=f"<si>{inner}</si>"))

    white = '<color rgb="FFFFFFFF"/>'
    assert (runs("", white, "<b/>").text.split(), runs("", white, "<b/>").lost) == (
        ["S", "ac"],
        ("1 cell that no reader sees",),
    )
    assert runs("", '<color rgb="FF00FF00"/>', "<b/>").text.split() == ["S", "abc"]
    assert runs("", "<strike/>", "").lost == ("1 struck-out piece, left out",)
    assert runs("", '<strike val="0"/>', "").lost == ()


def test_words_that_are_struck_out_are_left_out_and_told():
    for font, told in (
        ("<font><strike/></font>", ("1 struck-out piece, left out",)),
        ('<font><strike val="0"/></font>', ()),
    ):
        styles = LOOKS.format(font=font, fill="<fill/>", more="")
        found = read("xlsx", xlsx({"S": sheet(row(inline("a"), f'<c s="1" t="inlineStr">{WORDS}</c>'))}, styles=styles))
        assert (found.lost, "ninety" in found.text) == (told, not told)


@pytest.mark.parametrize(("code", "hidden"), [("[Black]0", True), ("[Color1]0", True), ("[Red]0", False), ("[>5]0;", True), ("[>5]0;0", False), ("[$-409]0", True)])  # fmt: skip
def test_colours_and_conditions_of_a_number_format_decide_what_is_seen(code, hidden):
    """On a black ground, in black letters."""
    styles = f"<numFmts><numFmt numFmtId='170' formatCode='{code}'/></numFmts>".replace(">5", "&gt;5") + LOOKS.format(
        font="<font/>", fill=SOLID.format('rgb="FF000000"') if "5" not in code else "<fill/>", more=""
    ).replace("<xf fontId='1'", "<xf numFmtId='170' fontId='1'")
    found = read("xlsx", xlsx({"S": sheet(row(inline("a"), number("90", "1")))}, styles=styles))
    assert found.lost == (("1 cell that no reader sees",) if hidden else ())


def test_spans_of_time_first_days_of_1900_and_zeros_in_front_are_as_they_are_shown():
    codes = ("[h]:mm", "[mm]:ss", "yyyy-mm-dd", "0000", "dd hh:mm")
    formats = "".join(f"<numFmt numFmtId='{170 + at}' formatCode='{code}'/>" for at, code in enumerate(codes))
    forms = "".join(f"<xf numFmtId='{170 + at}'/>" for at in range(len(codes)))
    styles = f"<numFmts>{formats}</numFmts><cellXfs><xf/>{forms}<xf numFmtId='46'/></cellXfs>"
    cells = [number("1.25", "1"), number("0.5", "2"), number("1.25", "6"), number("59", "3"), number("60", "3"), number("61", "3"),
             number("7", "4"), number("-7", "4"), number("12345", "4"), number("59.5", "5")]  # fmt: skip
    book = {"S": sheet(row(*cells))}
    assert rows(read("xlsx", xlsx(book, styles=styles)))[0][1].split("\t") == [
        "30:00:00", "12:00:00", "30:00:00", "1900-02-28", "1900-02-29", "1900-03-01", "0007", "-7", "12345", "1900-02-28 12:00:00",
    ]  # fmt: skip
    since_1904 = xlsx(book, styles=styles, properties='<workbookPr date1904="1"/>')
    assert rows(read("xlsx", since_1904))[0][1].split("\t")[3] == "1904-02-29"


@pytest.mark.parametrize(
    ("kind", "xml", "told"),
    [
        ("comments", "<comments><commentList><comment><text><t>void</t></text></comment><comment/></commentList></comments>", "2 comments, left out"),
        ("drawing", "<d><graphicFrame/></d>", "1 chart"), ("drawing", "<d><sp><txBody><t>words</t></txBody></sp></d>", "1 shape with words"),
        ("drawing", "<d><sp><txBody><t></t></txBody></sp><pic/></d>", ""),
    ],
)  # fmt: skip
def test_what_a_sheet_shows_beside_its_cells_is_told(kind, xml, told):
    book = xlsx({"S": sheet(row(inline("a")))}, extra={"xl/sheets/beside.xml": xml})
    assert read("xlsx", book).lost == ()
    assert read("xlsx", related(book, kind, "beside.xml", "xl/sheets/1.xml")).lost == ((told,) if told else ())


@pytest.mark.parametrize(("words", "told"), [("&amp;CConfidential", True), ("&amp;L&amp;D&amp;RDraft &amp;P", True), ("Page &amp;P of &amp;N", False), ("&amp;C&amp;\"Times,Bold\"&amp;12Seite &amp;P", False), ("&amp;A", False)])  # fmt: skip
def test_words_of_a_printed_header_are_told(words, told):
    inner = sheet(row(inline("a"))) + f"<headerFooter><oddHeader>{words}</oddHeader></headerFooter>"
    assert read("xlsx", xlsx({"S": inner})).lost == (("1 printed header or footer",) if told else ())


def test_digits_of_other_scripts_in_attributes_are_no_numbers():
    inner = '<cols><col min="²" max="²" hidden="1"/></cols>' + sheet(
        '<row r="²"><c r="A1" s="²" t="s"><v>²</v></c><c><v>5</v></c></row>'
    )
    assert rows(read("xlsx", xlsx({"S": inner}, strings="<si><t>x</t></si>"))) == [(1, "5", ())]


@pytest.mark.parametrize(("escaped", "words"), [
    ("5_x0030_0", "500"), ("a_x000D_\nb", "a\nb"), ("_x005F_x0030_", "_x0030_"), ("_xD83D__xDE00_", "\U0001f600"),
    ("a_x0001_b", "a\ufffdb"), ("a_xD83D_b", "a\ufffdb"), ("_x30_ _X0030_ x0030_", "_x30_ _X0030_ x0030_"),
    ("_x00e4_", "ä"),
])  # fmt: skip
def test_escapes_of_strings_stand_for_their_characters(escaped, words):
    strings = f"<si><t>a {escaped}</t></si>"
    cells = inline(f"a {escaped}"), number("0", kind="s"), f'<c t="str"><f>A1</f><v>a {escaped}</v></c>'
    found = read("xlsx", xlsx({f"S {escaped}": sheet(*map(row, cells))}, strings=strings))
    assert [found.text[each.start : each.end] for each in found.blocks[1:]] == [f"a {words}"] * 3
    assert found.text.split("\n\n")[0].split() == ["S", *words.split()]


def test_rows_in_more_than_one_version_are_told():
    space = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    other = f"<mc:AlternateContent {space}><mc:Fallback>{row(inline('b'))}</mc:Fallback></mc:AlternateContent>"
    found = read("xlsx", xlsx({"S": sheet(row(inline("a")), other)}))
    assert (found.text, found.lost) == ("S\n\na", ("1 part in more than one version",))


def test_merged_cells_name_each_column_that_they_cover_and_head_each_row():
    """Also where the columns or rows at their edge hold nothing else, or are hidden."""
    rows_ = [
        row(inline("Costs of 2020", "A1"), number="1"),
        row(inline("Year", "A2"), inline("Item", "B2"), inline("Planned", "C2"), number="2"),
        row(inline("Spring", "C3"), inline("hidden", "D3"), inline("Autumn", "E3"), number="3"),
        row(number("2023", place="A4"), inline("Rent", "B4"), number("10", place="C4"), number="4"),
        row(inline("Gas", "B7"), number("12", place="C7"), number("13", place="E7"), number="7"),
        row(number("2024", place="A8"), inline("Rent", "B8"), number("77", place="C8"), number="8"),
    ]
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in ("A1:E1", "A2:A3", "B2:B3", "C2:E2", "A4:A7", "C8:E8"))
    columns = '<cols><col min="4" max="4" hidden="1"/></cols>'
    found = read("xlsx", xlsx({"S": f"{sheet(*rows_, before=columns)}<mergeCells>{merged}</mergeCells>"}))
    assert rows(found)[3:] == [
        (4, "2023\tRent\t10", ("Year", "Item", "Planned Spring")),
        (7, "Gas\t12\t13", ("Item", "Planned Spring", "Planned Autumn")),
        (8, "2024\tRent\t77", ("Year", "Item", "Planned Spring, Planned Autumn")),
    ]
    assert [heading for _, heading in headings(found)[3:]] == [("2023", "Rent"), ("2023", "Gas"), ("2024", "Rent")]


def test_cells_merged_over_whole_columns_cost_no_more_than_the_cells_in_use():
    merged = "".join(f'<mergeCell ref="A{n}:XFD{n}"/>' for n in range(1, 3_000))
    rows_ = "".join(row(inline("a", f"A{n}"), number=str(n)) for n in range(1, 3_000))
    found = read("xlsx", xlsx({"S": f"{sheet(rows_)}<mergeCells>{merged}</mergeCells>"}))
    assert len(rows(found)) == 2_999


@pytest.mark.parametrize(("height", "shown"), [("1", 1), ("2.5", 1), ("6", 2), ("15", 2)])
def test_a_row_too_low_for_a_word_is_told_as_hidden(height, shown):
    book = xlsx(
        {
            "S": sheet(
                row(inline("a", "A1"), number="1"),
                row(inline("b", "A2"), number="2").replace("<row ", f'<row ht="{height}" '),
            )
        }
    )
    found = read("xlsx", book)
    assert (len(rows(found)), found.lost) == (shown, () if shown == 2 else ("1 hidden row",))
