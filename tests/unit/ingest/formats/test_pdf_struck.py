"""Words that a PDF strikes out by a drawn line are not quoted as in force; underlined and framed ones are."""

import pytest

from tests.pdf_files import BODY, box, build, shown
from verified_gate import Gate, Passage, Refusal, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits

FEE = "The fee is 900 800 euros."
BEFORE, STRUCK = 72 + 57.4, 20.0
"""Where 900 begins in that line, drawn at 72, and how wide it is, in points."""


def line(left, right, height, width=0.6, colour="0 G"):
    """A line from left to right."""
    return f"q {colour} {width} w {left} {height} m {right} {height} l S Q\n"


def page(*drawn):
    return read(build(shown(BODY, y=600) + "".join(drawn)), ReadingLimits())


def hidden(extracted):
    return [extracted.text[start:end] for start, end in extracted.hidden]


@pytest.mark.parametrize(
    "struck",
    [
        pytest.param(line(BEFORE, BEFORE + STRUCK, 704), id="a line"),
        pytest.param(box(BEFORE, 703.7, STRUCK, 0.6), id="a thin rectangle"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 703.2) + line(BEFORE, BEFORE + STRUCK, 704.9), id="two lines"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 704, colour="1 0 0 RG"), id="a red line"),
        pytest.param(f"q 2 0 0 2 0 0 cm {box(BEFORE / 2, 351.9, STRUCK / 2, 0.4)} Q\n", id="a scaled one"),
    ],
)
def test_words_struck_out_by_a_drawn_line_are_not_visible(struck):
    extracted = page(shown(FEE), struck)
    assert hidden(extracted) == ["900"]
    gate = Gate([Passage(key="k", text=extracted.text, hidden=extracted.hidden)])
    refused = gate.verify("k", FEE)
    assert isinstance(refused, Refusal)
    assert refused.code == "not_visible"
    assert isinstance(gate.verify("k", BODY), VerifiedCitation)


def test_a_sentence_struck_out_is_hidden_with_its_marks_and_spaces():
    extracted = page(shown("The rent, it is said, is 300 euros."), line(70, 300, 704))
    assert hidden(extracted) == ["The rent, it is said, is 300 euros."]


@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param(line(BEFORE, BEFORE + STRUCK, 698.5), id="underlined"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 700), id="on its line"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 710), id="a line above"),
        pytest.param(line(72, 400, 695) + line(72, 400, 714), id="rules of a table"),
        pytest.param(line(72 + 160, 400, 704), id="a line beside the words"),
        pytest.param(box(BEFORE, 697, STRUCK, 13, "1 1 0 rg"), id="highlighted"),
        pytest.param(box(BEFORE, 700, STRUCK, 4, "1 1 0 rg"), id="marked by half"),
        pytest.param(f"q 1 w {BEFORE - 2} 696 {STRUCK + 4} 15 re S Q\n", id="framed"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 704, colour="1 G"), id="a white line"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 704) + box(70, 695, 200, 15, "1 g"), id="a line behind a box"),
        pytest.param(line(BEFORE, BEFORE + STRUCK, 504), id="a line elsewhere"),
        pytest.param(line(BEFORE + 7, BEFORE + 13, 704), id="a stroke of one letter"),
        pytest.param(
            f"q 0.6 w {72 - 40} 704 m {72 - 10} 704 l {72 + 160} 704 m {72 + 300} 704 l S Q\n",
            id="one path on both sides",
        ),
    ],
)
def test_words_with_a_line_elsewhere_stay_visible(drawn):
    extracted = page(drawn, shown(FEE))
    assert extracted.hidden == ()
    gate = Gate([Passage(key="k", text=extracted.text, hidden=extracted.hidden)], profile="typographic")
    assert isinstance(gate.verify("k", FEE), VerifiedCitation)


def test_the_bar_of_a_fraction_strikes_nothing_out():
    extracted = page(shown("12", x=100, y=706, size=8) + shown("345", x=98, y=692, size=8) + line(96, 114, 702.5))
    assert extracted.hidden == ()
    assert "12" in extracted.text
    assert "345" in extracted.text


def test_words_that_are_struck_out_and_others_that_are_not_seen_are_marked_together():
    extracted = page(shown(FEE), line(BEFORE, BEFORE + STRUCK, 704), shown("Not seen here.", y=650, colour="1 g"))
    assert sorted(hidden(extracted)) == ["900", "Not seen here."]
