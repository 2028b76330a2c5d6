"""Raised letters of ordinals that are drawn last stand at their figure, and nowhere else."""

import pytest

from tests.pdf_files import build, shown
from verified_gate import Gate, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits

SIX = 6.672  # points, a figure of Helvetica of 12


def text_of(*pieces):
    return read(build("".join(pieces)), ReadingLimits()).text


def address(*late, after=11.0):
    """`787 7 Avenue`, with room behind the second 7, and a line below it; `late` is drawn after both."""
    begins = 72 + 3 * SIX + 3.336
    return text_of(
        shown("787 7", 72, 700), shown("Avenue, 49 Floor", begins + SIX + after, 700), shown("The fee is due.", 72, 660), *late
    )  # fmt: skip


def test_they_stand_behind_the_figure_that_they_touch():
    at = 72 + 4 * SIX + 3.336
    text = address(shown("th", at, 705, 6))
    assert text == "787 7th Avenue, 49 Floor\r\nThe fee is due."
    gate = Gate({"k": text}, profile="extracted")
    assert isinstance(gate.verify("k", "787 7th Avenue, 49 Floor"), VerifiedCitation)
    assert not isinstance(gate.verify("k", "787 7 Avenue, 49 Floor"), VerifiedCitation)


@pytest.mark.parametrize(
    "late", [shown("th", 300, 600, 6), shown("th", 72 + 4 * SIX + 3.336, 600, 6), shown("ox", 102, 705, 6)]
)
def test_what_touches_no_figure_or_is_no_ordinal_stays_where_it_is(late):
    assert "7th" not in address(late) and "787 7 Avenue" in address(late)


def test_two_of_them_each_find_their_own():
    first, second = 72 + SIX, 172 + SIX
    text = text_of(
        shown("1", 72, 700), shown("floor", 90, 700), shown("2", 172, 680), shown("floor", 190, 680), shown("End.", 72, 600),
        shown("st", first, 705, 6), shown("nd", second, 685, 6),
    )  # fmt: skip
    assert text.replace("\t", " ").split("\r\n") == ["1st floor", "2nd floor", "End."]
