"""Answers as a terminal and as JSON show them."""

import json

import pytest

from verified_gate import Gate, Passage, ReasonCode
from verified_gate.model import Location
from verified_gate.release import (
    Answer,
    answer_lines,
    release,
    render_answer,
    render_citation,
    render_json,
    table_context,
    verdict_lines,
)

PASSAGE = Passage(
    "returns@3#c0",
    "Press \x1b[31mred\x1b[0m twice. You can return a bike within 30 days of delivery. Within 30 days of delivery!",
    "returns",
    "Returns \x1b]0;owned\x07 policy",
    "3",
    start=0,
)


def _answer(*citations, text="A sentence.", passage=PASSAGE, lang="en", profile="verbatim"):
    reply = {"claims": [{"text": text, "citations": [{"key": key, "quote": quote} for key, quote in citations]}]}
    return release(Gate([passage], profile=profile).judge(reply), evidence=[passage], lang=lang)


HONEST = (PASSAGE.key, "return a bike within 30 days")


def test_an_answer_shows_its_text_and_each_citation_with_its_pins():
    answer = _answer(HONEST)
    assert render_answer(answer) == (
        "A sentence. [1]\n"
        "\n"
        "[1] Returns ␛]0;owned␇ policy [returns@3#c0]\n"
        "    “return a bike within 30 days”\n"
        f"    returns version 3 · characters 34-62 of the document · sha256 {answer.citations[0].sha256[:16]}…\n"
    )
    assert render_citation(answer.citations[0], 1) == render_answer(answer).partition("\n\n")[2]


def test_the_folds_and_the_number_of_occurrences_are_told():
    answer = _answer((PASSAGE.key, "days  of\ndelivery"), profile="typographic")
    assert "folds whitespace · first of 2" in render_answer(answer)


def test_an_abstention_shows_its_sentence_and_code():
    assert render_answer(Answer(ReasonCode.NO_EVIDENCE)) == (
        "Nothing that answers this was found in what you may read.\n\n(no_evidence)\n"
    )


def test_a_reader_sees_that_something_was_withheld_and_not_its_wording():
    shown = render_answer(_answer((PASSAGE.key, "within 90 days of delivery"), text="You have 90 days.", lang="de"))
    assert "(1 Aussage zurückgehalten: quote_mismatch)" in shown
    assert "90" not in shown


def test_no_document_reaches_the_terminal_with_its_escape_sequences():
    plain = Passage("a", PASSAGE.text.replace("\x1b", "\x9b"), title="\u202eyadot\u202c")
    for passage in (PASSAGE, plain):
        answer = _answer((passage.key, "twice. You can return a bike"), passage=passage)
        for shown in (render_answer(answer), render_json(answer), *(line.text for line in verdict_lines(answer))):
            assert not set("\x1b\x07\x9b\u202e") & set(shown)


def test_only_an_answer_has_verdicts():
    with pytest.raises(TypeError):
        list(verdict_lines(_answer(HONEST).citations[0]))
    assert list(verdict_lines(_answer(HONEST)))


def test_a_right_to_left_title_is_isolated_from_the_key():
    passage = Passage("a", PASSAGE.text, title="سياسة الإرجاع")
    label = next(line.text for line in answer_lines(_answer(("a", HONEST[1]), passage=passage)) if line.kind == "label")
    assert label == "[1] \u2068سياسة الإرجاع\u2069 [a]"


def test_json_is_one_line_that_decodes_to_the_dictionary():
    answer = _answer(HONEST)
    assert render_json(answer).count("\n") == 1
    assert json.loads(render_json(answer)) == answer.to_dict()
    assert json.loads(render_json(answer.citations[0])) == answer.citations[0].to_dict()


def test_a_verdict_is_a_line_a_citation():
    lines = [line.text for line in verdict_lines(_answer(HONEST, ("b\x1b", HONEST[1])))]
    assert lines == [
        "released  claims[0]  returns@3#c0  document 34-62  “return a bike within 30 days”",
        "unknown_citation  claims[0].citations[1]  b␛",
        "1 claim released, 0 withheld, 1 citation refused",
    ]
    noted = [line.text for line in verdict_lines(_answer(HONEST, ("b\x1b", HONEST[1])), [["why\x1b", "how"]])]
    assert noted == [*lines[:2], "why␛", "how", lines[2]]
    unread = release(Gate([PASSAGE]).judge("prose"), evidence=[PASSAGE])
    assert [line.text.split("  ")[:2] for line in verdict_lines(unread)][0] == ["invalid_json", "reply"]
    abstained = release(Gate([PASSAGE]).judge({"status": "abstained"}), evidence=[PASSAGE])
    assert [line.text for line in verdict_lines(abstained)][0] == "model_abstained"


ROW = Passage(
    "costs@1#c1", "Rent of a flat\t10\t500", "costs", start=0,
    location=Location(row=4, last_row=4, row_heading=("2023\x1b[31m", "Rent of a flat"), columns=("Item", "Spring", "Autumn")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("quote", "context"),
    [
        ("Rent of a flat\t10\t500", "2023␛[31m · Item | Spring | Autumn"), ("500", "2023␛[31m · Rent of a flat · Autumn"),
        ("10\t500", "2023␛[31m · Rent of a flat · Spring | Autumn"),
    ],
)  # fmt: skip
def test_what_heads_the_cells_of_a_quote_stands_above_it_on_one_line_disarmed(quote, context):
    shown = render_answer(_answer((ROW.key, quote), passage=ROW)).splitlines()
    assert shown[2] == "[1] costs (row 4) [costs@1#c1]"
    assert shown[3] == f"    {context}"
    assert shown[4].startswith("    “")


def test_what_heads_cells_is_cut_where_it_is_long_and_keeps_its_direction_to_itself():
    long = Location(row=1, columns=tuple(f"column {number}" for number in range(99)))
    assert len(table_context(long, "")) == 240
    assert table_context(long, "").endswith("…")
    hebrew = Location(row=1, columns=("\u05d0" * 999,))
    assert table_context(hebrew, "")[0] == "\u2068"
    assert table_context(hebrew, "")[-1] == "\u2069"
    assert table_context(Location(heading=("Costs",)), "") == ""
