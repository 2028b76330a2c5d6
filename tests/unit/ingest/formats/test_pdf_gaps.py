"""Numbers and words of two columns of a PDF must not become one number or one sentence for standing on one line."""

import pytest

from tests.pdf_files import box, build, line, shown
from verified_gate import Gate, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.formats.pdf_gaps import SIDE_BY_SIDE
from verified_gate.ingest.limits import ReadingLimits


def text_of(*pieces, **options):
    return read(build("".join(pieces), **options), ReadingLimits()).text


def row(*cells, y=700):
    """Words at these places of a line."""
    return "".join(shown(words, x, y) for x, words in cells)


def kerned(*pieces):
    """One text of these words, moved apart between them by so many thousandths of their size."""
    shows = " ".join(f"({each})" if isinstance(each, str) else str(-each) for each in pieces)
    return f"q 0 g BT /F1 12 Tf 1 0 0 1 72 700 Tm [{shows}] TJ ET Q\n"


def across(*words, gap):
    """One text of these words with so wide a space between them, in points, as in a line set to full width."""
    return f"q 0 g BT /F1 12 Tf {gap - 3.336:.3f} Tw 1 0 0 1 72 700 Tm ({' '.join(words)}) Tj ET Q\n"


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        (row((50, "Total revenue of the company"), (300, "12"), (420, "345")), "Total revenue of the company\t12\t345"),
        (
            row((50, "Total revenue of the company "), (300, "12 "), (420, "345")),
            "Total revenue of the company\t12\t345",
        ),
        (row((50, "Total revenue of the company"), (300, "12"), (320, "345")), "Total revenue of the company\t12\t345"),
        (row((50, "Fee of the flat"), (300, "$ 12"), (420, "$ 345")), "Fee of the flat\t$ 12\t$ 345"),
        (row((50, "Fee of the flat"), (300, "12 $"), (420, "345 $")), "Fee of the flat\t12 $\t345 $"),
        (row((50, "Fee of the flat"), (300, "12%"), (420, "345")), "Fee of the flat\t12%\t345"),
        (kerned("Total of all 12", 1500, "345 euros"), "Total of all 12\t345 euros"),
        (kerned("Total of all 12", 600, "345 euros"), "Total of all 12\t345 euros"),
        (row((130, "123"), (156, "456")), "123\t456"),
        (row((50, "1"), (80, "500 euros are due.")), "1\t500 euros are due."),
        (row((50, "LICENSOR"), (300, "LICENSEE")), "LICENSOR\tLICENSEE"),
        (row((50, f"Rent{12 * ' '}12{12 * ' '}345")), "Rent\t12\t345"),
    ],
)
def test_a_gap_between_columns_is_a_tab(drawn, told):
    assert text_of(drawn) == told


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        (row((50, "It is 12 345 euros of all.")), "It is 12 345 euros of all."),
        (across("It", "is", "12", "345", "euros", "of", "all.", gap=14), "It is 12 345 euros of all."),
        (across("THIS", "LEASE", "OF", "LAND", gap=60), "THIS LEASE OF LAND"),
        (row((50, "It is 12"), (89, "345 euros")), "It is 12 345 euros"),
        (row((50, "7.11"), (110, "Merger Agreement. It stays.")), "7.11 Merger Agreement. It stays."),
        (row((50, "(a)"), (110, "the rent of the flat;")), "(a) the rent of the flat;"),
        (row((50, "Section 4.1"), (150, "Rent of the flat")), "Section 4.1 Rent of the flat"),
        (row((50, "The fee is $"), (160, "12 a month.")), "The fee is $ 12 a month."),
    ],
)
def test_a_space_between_words_stays_one(drawn, told):
    assert text_of(drawn) == told


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        (row((119.976, "1,200"), (151.5, "1,300")), "1,200\t1,300"),
        (row((136.656, "10"), (151.5, "20")), "10\t20"),
        (row((130, "123"), (150.3, "456")) + box(150.0, 690, 0.4, 20), "123\t456"),
        (row((130, "123"), (150.3, "456")) + "q 0.3 w 150.15 690 m 150.15 712 l S Q\n", "123\t456"),
        (row((130, "123"), (150.3, "456")) + "q 0.3 w 100 690 50.1 20 re S Q\n", "123\t456"),
        (row((130, "12"), (147, "345")) + box(145.0, 690, 0.4, 20), "12\t345"),
    ],
)
def test_numbers_of_two_cells_do_not_run_together(drawn, told):
    found = text_of(drawn)
    assert found == told
    assert isinstance(Gate({"k": found}).verify("k", told), VerifiedCitation)


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        (row((130, "123"), (150.016, "456")), "123456"),
        (row((130, "12"), (144.6, "345")), "12345"),
        (row((130, "123"), (150.3, "456")) + box(150.0, 600, 0.4, 20), "123456"),
        (row((130, "123"), (150.3, "456")) + box(170.5, 690, 0.4, 20), "123456"),
        (kerned("1", 100, "2", 100, "3"), "123"),
        (row((130, "1"), (138, "2"), (146, "3"), (154, "4")), "1234"),
    ],
)
def test_one_number_that_is_drawn_in_pieces_stays_one(drawn, told):
    assert text_of(drawn) == told


def test_a_number_behind_an_added_tab_is_found_where_it_stands():
    """What is hidden behind a tab that has no character in the file is marked to the letter."""
    drawn = row((119.976, "1,200"), (151.5, "1,300")) + shown("Not seen here.", 250, 700, colour="1 g")
    found = read(build(drawn), ReadingLimits())
    assert [found.text[start:end] for start, end in found.hidden] == ["Not seen here."]
    assert found.text.startswith("1,200\t1,300")


def columns(count, left="Left column line {} speaks of rent,", right="Right column line {} speaks of fees."):
    return "".join(row((50, left.format(n)), (320, right.format(n)), y=760 - 14 * n) for n in range(count))


def test_two_columns_of_sentences_drawn_line_by_line_are_told():
    found = read(build(columns(20)), ReadingLimits())
    assert found.pages[0].lost == (SIDE_BY_SIDE,)
    assert "speaks of rent,\tRight column" in found.text


@pytest.mark.parametrize("drawn", [columns(20, "Item {}", "The rent of a flat of {} rooms"), columns(3)])
def test_a_table_is_not_told(drawn):
    found = read(build(drawn), ReadingLimits())
    assert not found.pages[0].lost
    assert "\t" in found.text


def test_a_page_set_sideways_keeps_its_columns_apart():
    turned = "q 0 1 -1 0 600 0 cm " + row((50, "Total of all 12"), (420, "345"), y=300) + "Q\n"
    assert text_of(turned) == "Total of all 12\t345"


def test_columns_below_each_other_are_columns_where_the_gap_is_narrow():
    rows = [
        ("red cars", "blue ships"),
        ("old trees", "new houses"),
        ("low hills", "high walls"),
        ("dry land", "wet sand"),
    ]
    drawn = "".join(row((50, one), (118, other), y=700 - 14 * n) for n, (one, other) in enumerate(rows))
    assert text_of(drawn).splitlines() == [f"{one}\t{other}" for one, other in rows]
    assert "\t" not in text_of(row((50, "red cars"), (118, "blue ships")))


@pytest.mark.parametrize("first", ['"', "-", "a", ("1", 7, 5), ("2", 7, -3)])
@pytest.mark.parametrize("lower", [0, 2, 4, -4])
def test_a_line_is_told_from_the_column_beside_it_whatever_it_begins_with(first, lower):
    beside = shown("shall not be valid at all", y=500 - lower, x=350)
    text = text_of(line(first, "he parties agree that the contract", y=500), beside, shown("The end.", y=300))
    assert "contract shall" not in text
    assert "agree that the contract" in text


@pytest.mark.parametrize(("number", "width"), [("10.1", 23.352), ("3.", 10.008), ("(b)", 14.664), ("A.", 11.34)])
def test_a_space_stands_between_the_number_of_a_clause_and_a_word_that_is_drawn_near_it(number, width):
    above = shown("Some words stand above.", 72, 730)
    near, joined = width + 0.9, width
    assert text_of(above, row((72, number), (72 + near, "Except as agreed"))).endswith(f"\n{number} Except as agreed")
    assert text_of(above, row((72, number), (72 + joined, "Except as agreed"))).endswith(f"\n{number}Except as agreed")
    assert text_of(above, row((72, f"{number}Except as agreed"))).endswith(f"\n{number}Except as agreed")
    assert text_of(above, row((72, number), (72 + near, "mm are left"))).endswith(f"\n{number}mm are left")


def test_words_behind_the_number_of_a_clause_can_be_quoted_with_it_and_without():
    text = text_of(row((72, "10.1"), (96.2, "Except as agreed otherwise in writing")))
    gate = Gate({"k": text}, profile="extracted")
    for quote in ("Except as agreed otherwise in writing", "10.1 Except as agreed otherwise"):
        assert isinstance(gate.verify("k", quote), VerifiedCitation)
    assert not isinstance(gate.verify("k", "1 Except as agreed otherwise"), VerifiedCitation)
