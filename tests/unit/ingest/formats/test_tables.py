"""CSV files."""

import pytest

from tests.reading import read, rows
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_rows_are_blocks_under_the_names_of_their_columns_whatever_the_delimiter(delimiter):
    data = "Item,Fee,Due\nBike,5 EUR,now\n\nCar,,later\n".replace(",", delimiter)
    found = read("csv", data)
    assert rows(found) == [
        (1, "Item\tFee\tDue", ()),
        (2, "Bike\t5 EUR\tnow", ("Item", "Fee", "Due")),
        (4, "Car\t\tlater", ("Item", "Fee", "Due")),
    ]
    assert found.text == "Item\tFee\tDue\nBike\t5 EUR\tnow\nCar\t\tlater"


@pytest.mark.parametrize("first", ["1,2", "Name,Name", "Name,", "Name,2024"])
def test_a_first_row_that_is_no_names_is_data(first):
    assert all(not columns for _, _, columns in rows(read("csv", f"{first}\na,b\n")))


def test_cells_keep_their_words_and_numbers_their_spelling():
    found = read("csv", 'Item,Price\n"a, ""b""\nc","1.234,50 €"\n007,1e5\n')
    assert [row[1] for row in rows(found)] == ["Item\tPrice", 'a, "b"\nc\t1.234,50 €', "007\t1e5"]


def test_decimal_commas_do_not_outweigh_the_semicolons_between_cells():
    assert rows(read("csv", "Ware;Preis\nRad;1,50\nAuto;2,75\n"))[1][1] == "Rad\t1,50"


def test_byte_order_marks_and_line_ends_of_all_kinds_are_read():
    for data in ("\ufeffA,B\r\nx,y".encode(), "\ufeffA,B\rx,y".encode("utf-16-le"), b"A,B\nx,y\n"):
        assert read("csv", data).text == "A\tB\nx\ty"
    assert read("csv", "A,B\nx\u2028y,z").text == "A\tB\nx\u2028y\tz"


@pytest.mark.parametrize(("data", "reason"), [(b"a,\xff\0", Unreadable.NOT_TEXT), (b"a,\0b", Unreadable.NOT_TEXT),
                                              (b'a,"' + b"x" * 200_000, Unreadable.TOO_LARGE),
                                              (b"," * 20_000, Unreadable.TOO_LARGE)])  # fmt: skip
def test_what_is_no_table_or_without_bounds_is_refused(data, reason):
    with pytest.raises(UnreadableFile) as fault:
        read("csv", data)
    assert fault.value.reason is reason


def test_the_limit_of_rows_is_held():
    with pytest.raises(UnreadableFile) as fault:
        read("csv", "a,b\n" * 11, ReadingLimits(blocks=10))
    assert fault.value.reason is Unreadable.TOO_LARGE
    assert len(read("csv", "a,b\n" * 10, ReadingLimits(blocks=10)).blocks) == 10


def test_an_empty_table_has_no_coverage():
    assert read("csv", b"\n,,\n").coverage == "none"


@pytest.mark.parametrize(
    ("data", "columns"),
    [
        ("Item,2023,2024\nRent,500,600\n", ("Item", "2023", "2024")), ("2023,2024\n1,2\n", ("2023", "2024")),
        ("Bike,2023,x\nCar,2024,y\n", ()), ("Item,2023 EUR,2023/24\nRent,5,6\n", ("Item", "2023 EUR", "2023/24")),
        ("Name,Price,Price\na,1,2\n", ("Name", "Price", "Price")), (",North,South\na,1,2\n", ("", "North", "South")),
        (",,South\na,1,2\n", ()), ("1st,2nd\na,b\n", ()),
    ],
)  # fmt: skip
def test_years_equal_names_and_an_empty_corner_name_columns(data, columns):
    assert rows(read("csv", data))[1][2] == columns


def test_a_title_may_stand_above_the_names_of_a_wide_table():
    found = rows(read("csv", "Fees of all kinds\n\nName,Price,Note\nBike,5,x\n"))
    assert [(number, columns) for number, _, columns in found] == [(1, ()), (3, ()), (4, ("Name", "Price", "Note"))]
    assert rows(read("csv", "Contract\n\nTenant,Anna\nRent,500\n"))[2][2] == ()


def test_a_line_that_tells_spreadsheets_the_separator_is_no_row():
    assert rows(read("csv", "sep=;\r\nName;Price\r\nBike;1,5\r\n")) == [
        (1, "Name\tPrice", ()),
        (2, "Bike\t1,5", ("Name", "Price")),
    ]
    assert read("csv", "sep=x\nName;Price\n").text.startswith("sep=x")


def test_a_table_as_excel_saves_it_in_europe_is_read_and_bytes_that_stand_for_nothing_are_told():
    found = read("csv", "Größe;Preis\nMüller;5 €\n".encode("cp1252"))
    assert (found.text, found.coverage) == ("Größe\tPreis\nMüller\t5 €", "complete")
    found = read("csv", b"Gr\xf6\xdfe;Preis\nM\x81ller;5\n")
    assert (found.coverage, found.lost) == ("partial", ("1 stray byte",))


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_quotation_mark_that_is_never_closed_is_told(end):
    found = read("csv", f'Item,Fee\nBike,5\n"Car,6\nBoat,7{end}')
    assert found.lost == ("1 quotation mark never closed, and all behind in one cell",)
    assert found.text.endswith("Car,6\nBoat,7")


@pytest.mark.parametrize("row", ['"Car\nand boat",6', 'Car 5",6', '"Car ""A""",6', '"Car"', '"Car,6"', "\x1a"])
def test_quotation_marks_that_are_closed_or_within_a_cell_are_not_told(row):
    for end in ("", "\n"):
        found = read("csv", f"Item,Fee\nBike,5\n{row}{end}")
        assert (found.coverage, len(found.blocks)) == ("complete", 3)


@pytest.mark.parametrize(("rows_", "told"), [('"5,10\nBoard,6",12', False), ('"5,10\nBoard,6" wide,12', True),
                                             ('"5 ""wide""\nand 6",12', False), ('5" wide,10\nBoard,6" wide,12', False)])  # fmt: skip
def test_a_quotation_mark_that_closes_within_a_cell_some_lines_below_is_told(rows_, told):
    found = read("csv", f"Item,Size,Fee\nPipe,{rows_}\n")
    assert found.lost == (("1 cell over several lines whose quotation marks do not match",) if told else ())


def test_a_second_row_names_the_columns_that_the_first_leaves_without_a_name():
    data = "Costs,,,\nItem,Planned,,Spent\n,Q1,Q2,\nRent,10,20,30\n"
    assert [row[2] for row in rows(read("csv", data))] == [
        (),
        (),
        ("Planned", "", "Spent"),
        ("Item", "Planned", "", "Spent"),
    ]
    data = data.replace(",Q1,Q2,\n", ",Q1,Q2,Q1\n")
    assert rows(read("csv", data))[2:] == [
        (3, "Q1\tQ2\tQ1", ()), (4, "Rent\t10\t20\t30", ("Item", "Planned Q1", "Q2", "Spent Q1")),
    ]  # fmt: skip
    for other in (
        "Item,Fee\n,Basic\nRent,10\n",
        "Item,,Fee\n,4,5\nRent,10,11\n",
        "Item,,Fee\nBike,Plan,x\nRent,10,11\n",
    ):
        assert rows(read("csv", other))[1][2] != ()


def test_names_that_are_printed_again_are_no_row_of_data_and_those_of_others_are():
    found = rows(read("csv", "Item,Fee\nRent,10\nItem,Fee\nGas,20\nItem,Cost\n"))
    assert [row[2] for row in found] == [(), ("Item", "Fee"), (), ("Item", "Fee"), ("Item", "Fee")]


def named(text):
    found = read("csv", text.encode())
    return [(found.text[each.start : each.end], each.columns) for each in found.blocks]


def test_another_table_beneath_empty_rows_is_not_under_the_names_of_the_first():
    first = "Region,Target\nNorth,100\n\n"
    names = ("Vendor", "Contact")
    assert named(first + "Vendor,Contact\nAcme,Ms Brown\n")[2:] == [("Vendor\tContact", ()), ("Acme\tMs Brown", names)]
    assert named(first + "Vendors,\nVendor,Contact\nAcme,Ms Brown\n")[2:] == [
        ("Vendors", ()), ("Vendor\tContact", ()), ("Acme\tMs Brown", names),
    ]  # fmt: skip
    assert named(first + "South,200\n")[2:] == [("South\t200", ("Region", "Target"))]
    people = "Name,City\nAnna,Berlin\n"
    assert named(people + "Bert,Bonn\n")[2:] == [("Bert\tBonn", ("Name", "City"))]
    assert named(people + "\nBert,Bonn\nCarl,Kiel\n")[2:] == [("Bert\tBonn", ()), ("Carl\tKiel", ())], (
        "names or people?"
    )


def test_names_with_years_over_figures_name_another_table():
    text = "Item,Net 2022,Fee 2022\nRent,1,2\n\nItem,Net 2023,Fee 2023\nGas,30,40\n"
    assert named(text)[-1] == ("Gas\t30\t40", ("Item", "Net 2023", "Fee 2023"))
