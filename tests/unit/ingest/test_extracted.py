"""What of a piece of text a reader sees."""

import pytest

from verified_gate.ingest.extracted import words_seen


@pytest.mark.parametrize(
    ("marked", "seen"),
    [
        ("Fees  for\nall", "Fees for all"),
        ("[Fees]", ""),
        ("Fees [of 800] for [nearly] all", "Fees for all"),
        ("[Old ]Fees[ of 800]", "Fees"),
        ("Fee of 5[x]00", "Fee of 5 … 00"),
        ("Part 1 [of a] [few], 5[0] [a] 500", "Part 1 , 5 … 500"),
        ("Fee[x]s", "Fee s"),
    ],
)
def test_hidden_words_are_left_out_and_join_no_digits(marked, seen):
    text, hidden = "", []
    for char in marked:
        if char == "[":
            hidden.append((len(text), 0))
        elif char == "]":
            hidden[-1] = (hidden[-1][0], len(text))
        else:
            text += char
    assert words_seen(text, hidden, 0, len(text)) == seen
    around = [(0, 2), *((start + 3, end + 3) for start, end in hidden), (len(text) + 4, len(text) + 9)]
    assert words_seen(f"888{text}888", around, 3, len(text) + 3) == seen


def test_a_span_that_begins_before_and_one_that_ends_behind_count_as_far_as_they_reach():
    assert words_seen("hidden seen hidden", [(0, 9), (10, 18)], 7, 15) == "e"
