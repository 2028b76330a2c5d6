"""Rows in passages: which row, and which columns, a place in them has."""

import pytest

from tests.reading import read
from verified_gate.gate import Gate, VerifiedCitation
from verified_gate.ingest.block_cutting import cut_blocks
from verified_gate.model import Passage
from verified_gate.model.citation import context_of, heads_of_rows, place_of


def passages(kind, data, size=1_200):
    found = read(kind, data)
    return [
        Passage(
            f"d@1#c{number}", found.text[cut.start : cut.end], location=cut.location, turns=cut.turns, start=cut.start
        )
        for number, cut in enumerate(cut_blocks(found, "paragraph", size, 0))
    ]


def cited(found, quote):
    gate = Gate(found)
    verdicts = [gate.verify(each.key, quote) for each in found if quote in each.text]
    return next(each for each in verdicts if isinstance(each, VerifiedCitation))


NESTED = (
    "<table><tr><th>Plan<th>Parts<th>Fee<tr><td>Basic<td><table><tr><th>Part<th>Count<tr><td>Lamp<td>2 of them</table>"
    "<td>500 a year<tr><td>Full<td>all parts there are<td>900 a year</table>"
)


@pytest.mark.parametrize(
    ("quote", "columns"),
    [("500 a year", ("Fee",)), ("Lamp\t2 of them", ("Parts",)), ("2 of them\t500 a year", ("Parts", "Fee")), ("900 a year", ("Fee",))],
)  # fmt: skip
def test_a_table_in_a_cell_shifts_no_name(quote, columns):
    assert cited(passages("html", NESTED), quote).location.columns == columns


def test_tabs_inside_of_a_cell_shift_no_name():
    for kind, data in (
        ("html", "<table><tr><th>Name<th>Code<th>Fee<tr><td>Alpha<td><pre>a\tb\tc</pre><td>700 a year</table>"),
        ("csv", 'Name,Code,Fee\nAlpha,"a\tb\tc",700 a year\n'),
    ):
        found = passages(kind, data)
        assert cited(found, "700 a year").location.columns == ("Fee",)
        assert cited(found, "Alpha\ta\tb\tc\t700").location.columns == ("Name", "Code", "Fee")


def test_a_citation_over_rows_is_named_by_all_that_it_lies_in():
    found = passages("csv", "Item,Q1,Q2\n" + "".join(f"Item {n},{n}0,{n}1\n" for n in range(2, 9)))
    one = cited(found, "Item 5\t50").location
    assert (one.row, one.last_row, one.row_heading, one.columns) == (5, 5, ("Item 5",), ("Item", "Q1"))
    several = cited(found, "51\nItem 6\t60")
    assert (several.location.row, several.location.last_row, several.location.columns) == (5, 6, ("Q2", "Item", "Q1"))
    assert several.label == "(rows 5-6) [d@1#c1]"
    assert several.sentence == "Item 5 · 50 · 51 / Item 6 · 60 · 61"
    assert cited(found, "Item 8\t80").sentence == "Item 8 · 80 · 81"


def test_columns_of_one_name_are_told_once_each():
    found = passages("csv", "Item,Fee,Fee\nRent of it,10,20\n")
    assert cited(found, "Rent of it\t10\t20").location.columns == ("Item", "Fee", "Fee")
    assert place_of(found[1], 0, len(found[1].text)).columns == ("Item", "Fee", "Fee")


def test_the_pieces_of_a_row_that_is_cut_keep_its_headers_and_their_own_columns():
    words = " ".join(f"word{n}." for n in range(900))
    page = f"<table><tr><th>Clause<th>Text<th>Since<tr><td>Termination<td>{words}<td>May 2020</table>"
    found = [each for each in passages("html", page) if each.location.row == 2]
    assert len(found) > 2
    assert found[0].location.columns == ("Clause", "Text")
    assert {each.location.row_heading for each in found[1:]} == {("Termination",)}
    assert [each.location.columns for each in found[1:]][-2:] == [("Text",), ("Text", "Since")]
    assert cited(found, "word800. word801.").location.columns == ("Text",)
    assert cited(found, "May 2020").location.columns == ("Since",)


def test_what_heads_cells_is_told_once():
    place = cited(passages("csv", "Item,Q1,Q2\nRent of it,10,20\n"), "Rent of it\t10").location
    assert context_of(place, "Rent of it\t10") == "Item | Q1"
    assert context_of(place, "10") == "Rent of it · Item | Q1"
    assert context_of(place, "Item\tQ1\n10") == "Rent of it"
    assert heads_of_rows(place, "of it") == ["Rent of it"]


def test_a_passage_of_no_table_has_no_row():
    found = passages("html", "<p>Rent of a flat in town.")
    place = cited(found, "Rent of a flat").location
    assert (place.row, place.last_row, place.columns, place.row_heading) == (None, None, (), ())
    assert context_of(place, "Rent") == ""


def test_cells_that_are_places_of_their_own_keep_their_names():
    found = passages("html", "<table><tr><th>a<th>b<th>c<tr><td>one of it<td id=x>two of it<td>three of it</table>")
    assert [place.columns for _, place in found[1].turns] == [("b", "c")]
    assert cited(found, "one of it\ttwo of it\tthree").location.columns == ("a", "b", "c")
    assert cited(found, "three of it").location.columns == ("c",)


def test_work_is_linear_in_cells_and_elements_of_a_row():
    heads = "".join(f"<th>name{n}" for n in range(900))
    cells = "".join(f"<td id=c{n}>w{n} of it" for n in range(4_000))
    found = passages("html", f"<table><tr>{heads}<tr>{cells}</table>", size=10**9)
    assert max(len(each.turns) for each in found) == 3_999
    assert sum(len(place.columns) for each in found for _, place in each.turns) < 2_000
    assert cited(found, "w899 of it").location.columns == ("name899",)
    assert cited(found, "w999 of it").location.columns == ()
    assert cited(found, "w2999 of it").location.columns == ()
