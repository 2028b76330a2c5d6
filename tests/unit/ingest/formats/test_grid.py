"""Names of a table's cells: one for each cell that the row's text holds, and none that belongs to another."""

import pytest

from tests.reading import headings, read, rows
from verified_gate.ingest.formats.grid import Cell, Grid, Names, names_groups, same_columns


def named(*table, whole=False):
    grid = Grid(whole=whole)
    return [grid.row(row, header=number == 0) for number, row in enumerate(table)]


def names(*table):
    return [row.columns for row in named(*table)]


def heads(*table):
    return [row.heading for row in named(*table)]


def cells(*words, **spans):
    return [Cell(word, **spans) for word in words]


HEADS = cells("Item", "Place", "2023", "2024")


def test_each_cell_has_a_name_of_its_own_and_a_row_none_beside_them():
    every = ("Item", "Place", "2023", "2024")
    assert names(HEADS, cells("Rent", "Paris", "10", "20"))[1] == every
    assert names(HEADS, [Cell("Rent", header=True), *cells("Paris", "10", "20")])[1] == every
    assert names([], [Cell("Rent", header=True), *cells("10", "20")])[1] == ()


def test_names_begin_with_the_first_cell_that_has_words_as_the_text_of_the_row_does():
    assert names(HEADS, cells("", "", "10", "20"))[1] == ("2023", "2024")
    assert names(HEADS, cells("Rent", "", "10", ""))[1] == ("Item", "Place", "2023", "2024")
    assert names(HEADS, cells("", "", "", ""))[1] == ()
    found = rows(read("csv", "Name,Fee,Deposit\n,6,\n,,7\n"))
    assert [row[1:] for row in found[1:]] == [("6", ("Fee", "Deposit")), ("7", ("Deposit",))]


@pytest.mark.parametrize("header", [False, True])
def test_what_is_merged_over_a_row_heads_it_and_leaves_each_cell_its_own_name(header):
    rent = Cell("Rent", header=header, rows=2)
    table = HEADS, [rent, *cells("Paris", "10", "20")], cells("Rome", "30", "40"), cells("Sum", "", "40", "60")
    assert names(*table)[1:] == [
        ("Item", "Place", "2023", "2024"), ("Place", "2023", "2024"), ("Item", "Place", "2023", "2024"),
    ]  # fmt: skip
    own = () if header else ("Rome",)
    assert heads(*table)[2:] == [("Rent", *own), ("Sum",)]
    assert named([], [rent, *cells("10")], cells("30"))[2] == Names((), ("Rent",))


def test_rows_under_several_merged_cells_are_headed_by_all_of_them():
    table = [
        cells("Year", "Quarter", "Item", "Plan"), [*cells("2023", rows=4), *cells("Q1", rows=2), *cells("Rent", "500")],
        cells("Gas", "60"), [*cells("Q2", rows=2), *cells("Rent", "510")], cells("Gas", "61"), cells("2024", "Q1", "Rent", "1"),
    ]  # fmt: skip
    assert [row.columns for row in named(*table)[1:]] == [
        ("Year", "Quarter", "Item", "Plan"), ("Item", "Plan"), ("Quarter", "Item", "Plan"), ("Item", "Plan"),
        ("Year", "Quarter", "Item", "Plan"),
    ]  # fmt: skip
    assert [row.heading for row in named(*table)[1:5]] == [
        ("2023", "Q1", "Rent"), ("2023", "Q1", "Gas"), ("2023", "Q2", "Rent"), ("2023", "Q2", "Gas"),
    ]  # fmt: skip


def test_what_is_merged_over_the_middle_and_the_end_of_a_row_is_told_with_its_name():
    middle = [Cell("Rent"), Cell("Paris", rows=2), *cells("10", "20")]
    assert named(HEADS, middle, cells("Deposit", "30", "40"))[2] == Names(
        ("Item", "2023", "2024"), ("Deposit", "Place: Paris")
    )
    end = [*cells("Rent", "Paris", "10"), Cell("20", rows=2)]
    assert named(HEADS, end, cells("Deposit", "Rome", "30"))[2] == Names(
        ("Item", "Place", "2023"), ("Deposit", "2024: 20")
    )
    wide = [Cell("Rent", columns=2, rows=2), *cells("10", "20")]
    assert named(HEADS, wide, cells("", "40"))[2] == Names(("2024",), ("Rent",))


def test_headers_of_rows_are_kept_wherever_they_stand():
    assert heads(HEADS, [*cells("1", "Paris", "10"), Cell("Rent", header=True)])[1] == ("Rent",)
    assert heads(HEADS, [Cell("Rent", header=True), Cell("Paris", header=True), *cells("10", "20")])[1] == (
        "Rent",
        "Paris",
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("Rent", "10", "20"), ("Rent",)), (("Rent", "Paris", "10", "20"), ("Rent", "Paris")), (("Q1 2023", "10"), ("Q1 2023",)),
        (("Rent", "EUR 10", "–", "n/a 2"), ("Rent",)), (("Rent", "Paris", "10"), ("Rent",)), (("Rent", "", "10"), ("Rent",)),
        (("2023", "10", "20"), ("2023",)), (("2023", "Rent", "10"), ("2023", "Rent")), (("2023", "Rent", "Paris", "10"), ("2023", "Rent")), (("1", "10", "20"), ()), (("Rent", "monthly", "in advance"), ()), (("Rent", "10", "in advance"), ()), (("Rent",), ()),
        (("10", "Rent"), ()), (("", "10"), ()),
    ],
)  # fmt: skip
def test_words_head_a_row_of_figures_and_nothing_else(words, expected):
    assert heads([], cells(*words))[1] == expected


def test_cells_over_several_columns_have_the_names_of_all():
    assert names(HEADS, [*cells("Rent", "Paris"), Cell("30", columns=2)])[1] == ("Item", "Place", "2023, 2024")
    assert names(HEADS, [Cell("none", columns=4)])[1] == ("Item, Place, 2023, 2024",)
    assert names(HEADS, [Cell("none", columns=60_000)])[1] == ("Item, Place, 2023, 2024",)


def test_a_header_over_the_whole_table_is_a_title_of_the_rows_beneath_and_names_no_column():
    europe, asia = ([Cell(words, header=True, columns=4)] for words in ("Europe", "Asia"))
    data = cells("Rent", "Paris", "10", "20")
    found = named([], europe, data, asia, data)
    assert [row.heading for row in found[2::2]] == [("Europe", "Rent", "Paris"), ("Asia", "Rent", "Paris")]
    assert not any(row.columns for row in found)
    grid = Grid()
    prices = [Cell("Prices", header=True, columns=4)]
    for row in (prices, [Cell(word.text, header=True) for word in HEADS], europe):
        assert grid.row(row) == Names()
    assert grid.row(data) == Names(("Item", "Place", "2023", "2024"), ("Prices", "Europe", "Rent", "Paris"))


def test_headers_that_are_printed_again_are_no_row_of_data():
    data = cells("Rent", "Paris", "10", "20")
    found = named(HEADS, data, HEADS, data)
    assert found[2] == Names()
    assert found[1] == found[3]


def test_names_of_several_levels_are_joined_once_each_and_two_numbers_are_not_one():
    grid = Grid()
    grid.row([Cell("12", header=True, columns=2), Cell("n", header=True, rows=2)], header=True)
    grid.row([Cell("345", header=True), Cell("b", header=True)])
    assert grid.row(cells("x", "y", "z")).columns == ("12 · 345", "12 b", "n")


def test_a_second_level_of_names_is_known_by_what_is_merged_above_it():
    first = [Cell("Item", rows=2), Cell("2023", columns=2)]
    assert named(first, cells("Plan", "Actual"), cells("Rent", "1", "2"))[1:] == [
        Names(),
        Names(("Item", "2023 Plan", "2023 Actual"), ("Rent",)),
    ]
    assert named(first, cells("1", "2"))[1] == Names(("2023", "2023"), ("Item",))


def test_merged_cells_end_with_their_part_of_the_table_whatever_they_say():
    grid = Grid()
    grid.row(HEADS, header=True)
    grid.row([Cell("Rent", rows=65_534), *cells("Paris", "10", "20")])
    assert grid.free(0) == 1
    assert grid.row(cells("Rome", "30", "40")).heading == ("Rent", "Rome")
    grid.end_part()
    assert grid.free(0) == 0
    assert grid.row(cells("Sum", "", "40", "60")) == Names(("Item", "Place", "2023", "2024"), ("Sum",))


def test_rows_with_a_cell_for_each_column_tell_which_are_covered():
    covered = Cell("", covered=True)
    found = named(
        [Cell("Item", rows=2), Cell("2023", columns=2), covered], [covered, *cells("Plan", "Actual")],
        [Cell("Rent", rows=2), *cells("1", "2")], [covered, *cells("3", "4")], [Cell("Gas", columns=2), covered, Cell("5")],
        whole=True,
    )  # fmt: skip
    assert found[2:] == [
        Names(("Item", "2023 Plan", "2023 Actual"), ("Rent",)), Names(("2023 Plan", "2023 Actual"), ("Rent",)),
        Names(("Item, 2023 Plan", "", "2023 Actual"), ("Gas",)),
    ]  # fmt: skip


def test_groups_of_columns_are_words_or_years_merged_over_more_than_a_title():
    def groups(*texts, across=1, down=0):
        row = [
            Cell(text, columns=1 + (number >= len(texts) - across), rows=1 + (number < down))
            for number, text in enumerate(texts)
        ]
        return names_groups(row, ("", "a", "b"))

    assert groups("Item", "2023", down=1)
    assert groups("Item", "Planned", "2023", across=2)
    for other in (
        groups("Item", "2023"), groups("Item", "10", down=1), groups("", "", "Planned", down=1), groups("Item", "2023", across=0, down=1),
        names_groups([Cell("Item", rows=2), Cell("2023", columns=2)], ("", "a")), names_groups([Cell("Item", columns=4, rows=2)], ("a", "b")),
    ):  # fmt: skip
        assert not other


def test_rows_are_of_the_same_columns_whatever_cells_they_do_not_have():
    plain = ("Item", "Place", "2023", "2024")
    for other in (plain, ("Place", "2023", "2024"), ("Item", "Place"), ("2023",), ("Item", "Place, 2023", "", "2024")):
        assert same_columns(plain, other) and same_columns(other, plain)
    for other in ((), ("Item", "Place", "2025"), ("2025",), ("",), ("Item", "2024")):
        assert not same_columns(plain, other) and not same_columns(other, plain)
    assert same_columns((), ("",)) and same_columns((), ())


def test_a_row_under_thousands_of_merged_cells_costs_no_more_than_its_cells():
    grid = Grid()
    grid.row([Cell("w" * 200, rows=1_000) for _ in range(1_000)])
    told = [grid.row(cells("x")) for _ in range(900)]
    assert not any(row.columns for row in told)
    assert sum(len(head) for row in told for head in row.heading) < 2_000_000


def test_each_row_tells_what_heads_it_in_every_format():
    assert headings(read("csv", "Item,Fee\nRent,5\nDeposit,6\n"))[1:] == [
        ("Rent\t5", ("Rent",)),
        ("Deposit\t6", ("Deposit",)),
    ]
    page = "<table><tr><th>Year<th>Item<th>Fee<tr><td rowspan=0>2023<td>Rent<td>5<tr><td>Gas<td>6<tbody><tr><td>2024<td>Rent<td>7</table>"
    assert headings(read("html", page))[1:] == [
        ("2023\tRent\t5", ("2023", "Rent")), ("Gas\t6", ("2023", "Gas")), ("2024\tRent\t7", ("2024", "Rent")),
    ]  # fmt: skip
