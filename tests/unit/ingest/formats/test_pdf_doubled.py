"""Words that are drawn twice in the same place are read once, and seen where one of the drawings shows them."""

import pytest

from tests.pdf_files import BODY, box, build, shown
from verified_gate import Gate, Passage, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits

SEEN = shown(BODY, y=600)
WORDS = "and customs duties and taxes are"
BEFORE, AFTER = shown("The cost of repairs", y=714), shown("paid by the party.", y=686)


def clipped(bottom, height, words=WORDS, **more):
    return f"q 0 {bottom} 612 {height} re W n {shown(words, **more)}Q\n"


UPPER, LOWER, NOWHERE = clipped(704.3, 20), clipped(680, 24.3), clipped(0, 10)


def read_line(*drawn):
    extracted = read(build(SEEN + BEFORE + "".join(drawn) + AFTER), ReadingLimits())
    return extracted, [extracted.text[start:end] for start, end in extracted.hidden]


@pytest.mark.parametrize(
    "drawn",
    [
        (UPPER, LOWER),
        (LOWER, UPPER),
        (NOWHERE, shown(WORDS)),
        (shown(WORDS), NOWHERE),
        (UPPER, LOWER, NOWHERE),
        (UPPER, clipped(680, 24.3, y=700.02)),
        (shown(WORDS, colour="1 g"), shown(WORDS)),
    ],
)
def test_a_line_that_is_drawn_in_halves_is_read_once_and_can_be_quoted(drawn):
    extracted, hidden = read_line(*drawn)
    assert (extracted.text.count("customs"), hidden) == (1, [])
    gate = Gate([Passage("a", extracted.text, "d", hidden=extracted.hidden)], profile="extracted")
    quote = f"The cost of repairs {WORDS} paid by the party."
    assert isinstance(gate.verify("a", quote), VerifiedCitation)


@pytest.mark.parametrize(
    ("drawn", "unseen"),
    [
        ((NOWHERE, NOWHERE), WORDS),
        ((shown(WORDS, colour="1 g"), NOWHERE), WORDS),
        ((UPPER, LOWER, box(60, 690, 500, 20)), WORDS),
        ((clipped(706, 20), clipped(706, 20)), None),
    ],
)
def test_a_line_that_neither_drawing_shows_is_hidden(drawn, unseen):
    extracted, hidden = read_line(*drawn)
    assert extracted.text.count("customs") == 1
    assert hidden == [unseen] if unseen else hidden, "of letters whose upper part alone is seen some are not"


@pytest.mark.parametrize(
    "drawn",
    [
        (shown(WORDS), shown(WORDS, y=640)),
        (NOWHERE, shown(WORDS.replace("duties", "tariff"))),
    ],
)
def test_other_words_in_one_place_and_the_same_words_in_another_are_two(drawn):
    extracted, _ = read_line(*drawn)
    assert extracted.text.count("customs") == 2
