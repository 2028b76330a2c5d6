"""Names of a table's cells: one for each cell that the row's text holds, and none that belongs to another."""

import pytest

from tests.reading import read, rows
from verified_gate.ingest.formats.grid import Cell, Grid, same_columns


def names(*table):
    grid = Grid()
    return [grid.row(row, header=number == 0) for number, row in enumerate(table)]


def cells(*words, **spans):
    return [Cell(word, **spans) for word in words]


HEADS = cells("Item", "Place", "2023", "2024")


def test_each_cell_has_a_name_of_its_own_and_a_row_none_beside_them():
    assert names(HEADS, cells("Rent", "Paris", "10", "20"))[1] == ("Item", "Place", "2023", "2024")
    assert names(HEADS, [Cell("Rent", header=True), *cells("Paris", "10", "20")])[1] == (
        "Item",
        "Place",
        "2023",
        "2024",
    )
    assert names([], [Cell("Rent", header=True), *cells("10", "20")])[1] == ()


def test_names_begin_with_the_first_cell_that_has_words_as_the_text_of_the_row_does():
    assert names(HEADS, cells("", "", "10", "20"))[1] == ("2023", "2024")
    assert names(HEADS, cells("Rent", "", "10", ""))[1] == ("Item", "Place", "2023", "2024")
    assert names(HEADS, cells("", "", "", ""))[1] == ()
    found = rows(read("csv", "Name,Fee,Deposit\n,6,\n,,7\n"))
    assert [row[1:] for row in found[1:]] == [("6", ("Fee", "Deposit")), ("7", ("Deposit",))]


@pytest.mark.parametrize("header", [False, True])
def test_what_is_merged_over_a_row_stands_before_the_name_of_the_cell_that_follows(header):
    rent = Cell("Rent", header=header, rows=2)
    assert names(HEADS, [rent, *cells("Paris", "10", "20")], cells("Rome", "30", "40"), cells("Sum", "", "40", "60"))[
        2:
    ] == [("Rent · Place", "2023", "2024"), ("Item", "Place", "2023", "2024")]
    assert names([], [rent, *cells("10")], cells("30"))[2] == ("Rent ·",)


def test_what_is_merged_over_the_middle_and_the_end_of_a_row_is_told_too():
    middle = [Cell("Rent"), Cell("Paris", rows=2), *cells("10", "20")]
    assert names(HEADS, middle, cells("Deposit", "30", "40"))[2] == ("Item", "Paris · 2023", "2024")
    end = [*cells("Rent", "Paris", "10"), Cell("20", rows=2)]
    assert names(HEADS, end, cells("Deposit", "Rome", "30"))[2] == ("Item", "Place", "20 · 2023")
    wide = [Cell("Rent", columns=2, rows=2), *cells("10", "20")]
    assert names(HEADS, wide, cells("", "40"))[2] == ("Rent · 2024",)


def test_numbers_of_two_levels_of_names_are_not_one():
    grid = Grid()
    grid.row([Cell("12", header=True, columns=2)], header=True)
    grid.row([Cell("345", header=True), Cell("b", header=True)])
    assert grid.row(cells("x", "y")) == ("12 · 345", "12 b")


def test_rows_are_of_the_same_columns_whatever_is_merged_over_them_or_empty_before_them():
    plain = ("Item", "Place", "2023")
    for other in (plain, ("Rent · Place", "2023"), ("2023",), ("Rent · 2023",)):
        assert same_columns(plain, other) and same_columns(other, plain)
    for other in ((), ("Item", "Place", "2024"), ("Rent · 2024",), ("Rent ·", "")):
        assert not same_columns(plain, other) and not same_columns(other, plain)
    assert same_columns((), ("Rent ·", "")) and same_columns((), ())


def test_a_row_under_thousands_of_merged_cells_costs_no_more_than_its_cells():
    grid = Grid()
    grid.row([Cell("w" * 200, rows=1_000) for _ in range(1_000)])
    for _ in range(900):
        assert grid.row(cells("x")) == ()
