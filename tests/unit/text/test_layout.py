"""How words of a text are put on one line, and how its numbers are read: what stands apart is never one number."""

import time

import pytest

from verified_gate.text.layout import for_numbers, on_one_line, own_words, without
from verified_gate.text.numbers import numbers_in


@pytest.mark.parametrize(
    ("text", "cells", "told"),
    [
        ("Rent\t12\t345", False, "Rent · 12 · 345"),
        ("Rent\tItem\t2023", True, "Rent · Item · 2023"),
        ("Sum\t\t40", True, "Sum · · 40"),
        ("Nothing to the con\ufffetrary", False, "Nothing to the con-trary"),
        ("Nothing to the con\x02trary", False, "Nothing to the con-trary"),
        ("Rent\tItem", False, "Rent Item"),
        ("1.\tThe tenant pays.", False, "1. The tenant pays."),
        ("The rent\nis  12 345\r\neuros", False, "The rent is 12 345 euros"),
        ("flat 12\n345 euros", False, "flat 12 / 345 euros"),
        ("flat 12\n34 euros", False, "flat 12 34 euros"),
        ("in 2024\r\n\r\n500 euros", False, "in 2024 / 500 euros"),
        ("flat 12\u2028345 euros", False, "flat 12 / 345 euros"),
    ],
)
def test_cells_and_lines_that_would_read_as_one_number_are_shown_apart(text, cells, told):
    assert on_one_line(text, cells=cells) == told


@pytest.mark.parametrize("unit", ["\n", "\t", " ", "1\n", "1\t", "[1]", "a[1]", "12[3] ", "1 \n\t"])
@pytest.mark.parametrize("shown", [on_one_line, for_numbers, lambda text: on_one_line(text, cells=True, rows=True)])
def test_sixteen_times_the_text_costs_far_less_than_its_square(unit, shown):
    def seconds(size):
        text, best = f"1{unit * size}x", float("inf")
        for _ in range(3):
            began = time.process_time()
            shown(text)
            best = min(best, time.process_time() - began)
        return best

    assert seconds(64_000) < 80 * max(seconds(4_000), 1e-3)


def test_rows_of_a_table_are_shown_apart():
    assert on_one_line("Rent\t1\nFees\t\t2\n", cells=True, rows=True) == "Rent · 1 / Fees · · 2"


@pytest.mark.parametrize(
    ("text", "held", "missing"),
    [
        ("Rent\t12\t345", {"12", "345"}, {"12 345"}),
        ("Rent 12 345", {"12 345"}, {"12", "345"}),
        ("Rent 12\n345", set(), {"12", "345", "12 345"}),  # one number or two: nobody can tell
        ("Rent 12\nfor 345", {"12", "345"}, {"12 345"}),
        ("500[1] dollars", {"500"}, {"1", "5001"}),
        ("clause [12] says", {"12"}, set()),
        ("the 12[3] 450 more", {"12", "450"}, {"12 450", "3"}),
        ("5[1]000 bikes", {"5"}, {"5000"}),
        ("buffer[256] is used", {"256"}, set()),
        ("10 € more", {"10"}, set()),
        ("clause[12](https://x.org/450)", {"12"}, set()),
        ("Loss\t$\t5\tmillion", {"5million"}, {"5"}),
        ("1’000 francs", {"1'000"}, set()),
        ("5\r\nmillion", {"5million"}, {"5"}),
    ],
)
def test_a_number_is_read_as_far_as_it_surely_goes(text, held, missing):
    numbers = {number for number, _ in numbers_in(for_numbers(text))}
    assert held <= numbers
    assert missing.isdisjoint(numbers)


def test_what_is_left_out_is_cut_at_the_ends_of_what_is_shown():
    text = "one two three four"
    assert without(text, 0, len(text), [(4, 7), (14, 18)], "–") == "one – three –"
    assert without(text, 5, 16, [(4, 7), (14, 18), (20, 22)], "–") == "– three –"
    assert without(text, 0, 3, [(4, 7)], "–") == "one"
    assert without(text, 0, len(text), [(0, 7), (4, 13)], "–") == "–– four"


@pytest.mark.parametrize(
    ("quote", "furniture", "own"),
    [
        ((10, 40), [], [(10, 40)]),
        ((10, 40), [(0, 5), (20, 30), (50, 60)], [(10, 20), (30, 40)]),
        ((10, 40), [(5, 12), (35, 45)], [(12, 35)]),
        ((10, 40), [(0, 50)], [(10, 40)]),  # a quote of a footnote itself
    ],
)
def test_what_a_quote_passes_over_is_none_of_its_own_words(quote, furniture, own):
    assert own_words(*quote, furniture) == own
