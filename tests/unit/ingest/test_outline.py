"""Headings, sections and lines of a text."""

import pytest

from verified_gate.ingest.outline import MAX_HEADING, Lines, blanked, first_heading, sections


def outline(text: str, *, markdown: bool = True):
    return [
        (part.depth, part.path, text[part.start : part.end]) for part in sections(text, Lines(text), markdown=markdown)
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_sections_follow_one_another_without_gaps_and_carry_their_path(newline):
    text = "Intro\n# A\na\n## B\nb\n### C\n## D\nd\n# E\n".replace("\n", newline)
    found = outline(text)
    assert [(depth, path) for depth, path, _ in found] == [
        (0, ()),
        (1, ("A",)),
        (2, ("A", "B")),
        (3, ("A", "B", "C")),
        (2, ("A", "D")),
        (1, ("E",)),
    ]
    assert "".join(part for _, _, part in found) == text


HEADINGS = {
    "# A": "A",
    "###### A": "A",
    "   # A": "A",
    "# A ##": "A",
    "# A#": "A#",
    "# C# and F#": "C# and F#",
    "#\tA": "A",
    "# ": "",
    "A\n=": "A",
    "A\n---": "A",
    "A  \n  ---  ": "A",
    "text\n\nA\n===": "A",
}


@pytest.mark.parametrize("text", HEADINGS)
def test_a_heading_of_either_form_is_found(text):
    assert outline(text)[-1][1] == ((HEADINGS[text],) if HEADINGS[text] else ())
    assert outline(text)[-1][0] > 0


@pytest.mark.parametrize(
    "text",
    [
        "#A",
        "####### A",
        "    # A",
        "\\# A",
        "```\n# A\n```",
        "~~~ sh\n# A\n```\n# B\n~~~",
        "````\n```\n# A\n````",
        "- item\n\n  ```\n  x\n# A\n  ```",
        "```\n# A never closed",
        "\n---\n",
        "- item\n---",
        "| a |\n---",
        "two lines\nof text\n---",
        "```\nA\n===\n```",
        "# " + "a" * MAX_HEADING,
    ],
)
def test_what_only_looks_like_a_heading_is_text(text):
    assert [depth for depth, _, _ in outline(text)] == [0]


def test_marks_in_the_line_that_opens_code_do_not_open_it():
    assert [depth for depth, _, _ in outline("``` a `b` ```\n# A")] == [0, 1]


def test_plain_text_has_no_headings():
    assert outline("# A\nb", markdown=False) == [(0, (), "# A\nb")]


def test_the_first_heading_with_words():
    assert first_heading("text\n#\n## Two\n# One") == "Two"
    assert first_heading("text") == ""


def test_lines_are_counted_as_an_editor_does():
    text = "a\nb\r\nc\rd\n\n\u2028e\x0bf\x0cg\x85h"
    lines = Lines(text)
    assert [lines.number(text.index(char)) for char in "abcdefgh"] == [0, 1, 2, 3, 5, 5, 5, 5]
    assert [text[start:end] for start, end in lines.spans(text)] == ["a", "b", "c", "d", "", "\u2028e\x0bf\x0cg\x85h"]
    assert len(Lines("")) == 1


def test_what_is_blanked_keeps_its_lines_and_the_place_of_all_others():
    text = "a <b\r\nc> d\n"
    assert blanked(text, [(2, 8)]) == "a   \r\n   d\n"
    assert blanked(text, ()) == text
