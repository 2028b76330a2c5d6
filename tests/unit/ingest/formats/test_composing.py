"""The text as it is written down: borders, blocks, rows and spans."""

import pytest

from verified_gate.ingest.formats.composing import Composer, lowered, raised, told
from verified_gate.ingest.limits import ReadingLimits


@pytest.fixture
def to():
    return Composer(ReadingLimits())


def test_nothing_is_written_before_there_is_a_word_to_follow_it(to):
    to.border()
    to.line()
    to.space()
    to.words("  a ")
    to.words("")
    to.words(" b")
    to.line()
    to.border()
    to.words(" \n ")
    assert to.finish("r").text == "a b"


def test_no_break_spaces_inside_of_a_block_stay(to):
    to.words("a\u00a0")
    to.words("\u00a0b\u00a0c")
    assert to.finish("r").text == "a\u00a0b\u00a0c"


def test_blocks_inside_of_a_block_cut_it(to):
    to.begin("item")
    to.words("a")
    to.begin("code")
    to.verbatim("b  \n c\n")
    to.end()
    to.words("d")
    to.end()
    found = to.finish("r")
    assert [(b.kind, found.text[b.start : b.end]) for b in found.blocks] == [
        ("item", "a"),
        ("code", "b  \n c"),
        ("item", "d"),
    ]
    assert found.text == "a\n\nb  \n c\n\nd"


def test_empty_cells_keep_the_place_of_those_after_them(to):
    for number, row in enumerate((("", "a"), ("b", "", "", "c", ""), ("", ""), ("d",)), 1):
        to.begin_row()
        for index, cell in enumerate(row):
            to.cell(index)
            to.words(cell)
        to.end_row(number)
    to.end_table()
    to.words("e")
    found = to.finish("r")
    assert found.text == "a\nb\t\t\tc\nd\n\ne"
    assert [block.row for block in found.blocks] == [1, 2, 4, None]


def test_an_anchor_stands_where_the_next_words_do_and_the_nearest_one_wins(to):
    to.words("a")
    to.element("outer")
    to.element("inner")
    to.border()
    to.words("b")
    to.element("last")
    assert [(a.start, a.element) for a in to.finish("r").anchors] == [(3, "inner")]


def test_hidden_words_next_to_each_other_are_one_span(to):
    to.words("a ")
    to.hiding = True
    to.words("b ")
    to.words("c")
    to.hiding = False
    to.words(" d")
    assert to.finish("r").hidden == ((2, 5),)


@pytest.mark.parametrize(("text", "up", "down"), [("2", "²", "₂"), ("-10", "⁻¹⁰", "₋₁₀"), ("th", "th", "th"),
                                                  ("2a", "^2a", "_2a"), ("1,5", "^1,5", "_1,5")])  # fmt: skip
def test_what_is_set_high_or_low_never_runs_together_with_a_number(text, up, down):
    assert (raised(text), lowered(text)) == (up, down)


def test_losses_are_told_in_words():
    assert told({"page{s} lost": 1, "box{s} of it": 2, "macros": 3, "none{s}": 0}) == (
        "1 page lost",
        "2 boxs of it",
        "macros",
    )
