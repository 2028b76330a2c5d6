"""What can be read of a verified citation: display, sentence, location, label, pins, and its dict."""

import json
from dataclasses import replace

import pytest

from verified_gate import Gate, Location, Passage, VerifiedCitation
from verified_gate.model import sha256_of_text


def _cite(passage, quote, **policy):
    citation = Gate([passage], **policy).verify(passage.key, quote)
    assert isinstance(citation, VerifiedCitation), citation
    return citation


def test_display_collapses_white_space():
    citation = _cite(Passage("a", "You can\n   return \u00a0 a\r\nbike."), "return \u00a0 a\r\nbike.")
    assert citation.display == "return a bike."
    assert citation.quote == "return \u00a0 a\r\nbike."


FURNISHED = "shall pay the\nPage 7\nwhole amount due"


def test_display_leaves_page_furniture_out_with_a_visible_mark():
    passage = Passage("a", FURNISHED, furniture=((14, 20),))
    for quote in ("shall pay the whole amount due", FURNISHED):
        assert _cite(passage, quote, profile="extracted").display == "shall pay the […] whole amount due"
    assert _cite(Passage("a", FURNISHED), FURNISHED).display == "shall pay the Page 7 whole amount due"


def test_page_furniture_that_is_quoted_itself_shows():
    passage = Passage("a", "Draft of the master agreement\nPage 7\nThe end.", furniture=((0, 29), (30, 36)))
    assert _cite(passage, "Draft of the master agreement").display == "Draft of the master agreement"
    assert _cite(passage, "Draft of the master agreement\nPage 7").display == "Draft of the master agreement Page 7"
    assert _cite(passage, "Page 7\nThe end.").display == "[…] The end."


def test_furniture_outside_the_quote_does_not_show():
    passage = Passage("a", f"Page 6\n{FURNISHED}", furniture=((0, 6), (21, 27)))
    assert _cite(passage, "whole amount due").display == "whole amount due"
    assert _cite(passage, "shall pay the").display == "shall pay the"


@pytest.mark.parametrize(
    ("text", "quote", "sentence"),
    [
        ("Sale is final. It is not permitted to terminate. Pay.", "permitted to terminate", "It is not permitted to terminate."),
        ("Sale is final. It is not permitted to terminate. Pay.", "Sale is final.", "Sale is final."),
        ("One ends here. Two begins there. Three.", "ends here. Two begins", "One ends here. Two begins there."),
        ("It is not\n  permitted to\nterminate.", "permitted to\nterminate", "It is not permitted to terminate."),
        ("# Heading\n\nIt is so here.\n\nLast.", "is so here", "It is so here."),
        ("这是第一句。这不是第二句。", "是第二句", "这不是第二句。"),
        ("यह पहला है। यह दूसरा नहीं है।", "यह दूसरा नहीं", "यह दूसरा नहीं है।"),
        ("Er zahlt am 3. Mai 2020 nicht die Miete. Ende.", "nicht die Miete", "Er zahlt am 3. Mai 2020 nicht die Miete."),
    ],
)  # fmt: skip
def test_sentence_is_the_one_that_encloses_the_quote(text, quote, sentence):
    assert _cite(Passage("a", text), quote).sentence == sentence


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_quote_in_the_file(end):
    text = end.join(["one two three", "four five six", "seven eight nine"])
    passage = Passage("a", text, "d", "Title", location=Location(("Part", "Chapter"), 4, 11, 13))
    lines = {
        "one two three": (11, 11),
        "four five six": (12, 12),
        f"three{end}four five": (11, 12),
        text: (11, 13),
        "seven eight nine": (13, 13),
    }
    for quote, expected in lines.items():
        place = _cite(passage, quote).location
        assert (place.first_line, place.last_line) == expected
        assert (place.heading, place.paragraph) == (("Part", "Chapter"), 4)


def test_lines_that_are_not_known_stay_unknown():
    citation = _cite(Passage("a", "one two three\nfour five six"), "four five six")
    assert (citation.location.first_line, citation.location.last_line) == (None, None)


@pytest.mark.parametrize(
    ("passage", "label"),
    [
        (Passage("r@3#c0", "one two three", "r", "Returns policy", location=Location(("Shop", "Returning a bike"), 1, 11, 11)), "Returns policy (Returning a bike, line 11) [r@3#c0]"),
        (Passage("r@3#c0", "one\ntwo three", "r", "Returns policy", location=Location(("Returning",), 1, 11, 12)), "Returns policy (Returning, lines 11-12) [r@3#c0]"),
        (Passage("r@3#c0", "one two three", "r", "Returns policy"), "Returns policy [r@3#c0]"),
        (Passage("r@3#c0", "one two three", "r"), "r [r@3#c0]"),
        (Passage("k", "one two three"), "[k]"),
        (Passage("k", "one two three", "", "A\n  title"), "A title [k]"),
    ],
    ids=range(6),
)  # fmt: skip
def test_label_is_for_people_on_one_line(passage, label):
    citation = _cite(passage, passage.text)
    assert citation.label == label
    assert label in repr(citation)
    assert "\n" not in repr(citation)


def test_repr_holds_no_text_of_the_document():
    citation = _cite(Passage("k", "one two three"), "one two three")
    assert "two" not in repr(citation)


def test_every_pin_and_place_is_told_and_the_dict_is_json():
    """(conditions 9 and 60)"""
    text = "You can return a bike within 30 days."
    passage = Passage(
        "returns@3#c1", text, "returns", "Returns policy", "3", start=1200, sha256=sha256_of_text(text),
        text_sha256="1" * 64, file_sha256="2" * 64, lang="en", location=Location(("Returns",), 7, 30, 30),
    )  # fmt: skip
    citation = _cite(passage, "return a bike within 30 days")
    told = citation.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told == {
        "key": "returns@3#c1",
        "keys": ["returns@3#c1"],
        "document_id": "returns",
        "title": "Returns policy",
        "version": "3",
        "start": 1208,
        "end": 1236,
        "offsets": "document",
        "quote": "return a bike within 30 days",
        "display": "return a bike within 30 days",
        "sentence": text,
        "folds": [],
        "occurrences": 1,
        "passage_sha256": sha256_of_text(text),
        "text_sha256": "1" * 64,
        "file_sha256": "2" * 64,
        "heading": ["Returns"],
        "paragraph": 7,
        "first_line": 30,
        "last_line": 30,
        "page": None,
        "last_page": None,
        "page_label": "",
        "last_page_label": "",
        "element": "",
        "chapter": "",
        "row": None,
        "last_row": None,
        "row_heading": [],
        "columns": [],
        "admission": "full_text",
        "coverage": "complete",
        "label": "Returns policy (Returns, line 30) [returns@3#c1]",
    }
    assert all(
        getattr(citation, name) == value
        for name, value in told.items()
        if isinstance(value, str | int) and hasattr(citation, name)
    )


def test_without_a_pin_the_hash_is_the_gates_own():
    citation = _cite(Passage("k", "one two three"), "one two three")
    assert citation.sha256 == citation.passage_sha256 == sha256_of_text("one two three")
    assert (citation.text_sha256, citation.file_sha256, citation.offsets) == (None, None, "passage")


def test_a_refusal_tells_its_place_and_no_text():
    refusal = Gate({"a": "one two three"}).verify("a", "secret words of a model")
    assert (refusal.code, refusal.stage, refusal.key) == ("quote_mismatch", "citation", "a")
    assert refusal.quote == "secret words of a model"
    assert "secret" not in repr(refusal) + json.dumps(refusal.to_dict())


def test_the_place_of_a_quote_is_that_of_the_last_turn_before_it_and_its_page_runs_to_where_it_ends():
    text = "One page holds this. Another holds that. A third one ends it."
    turns = ((21, Location(("Two",), page=13, page_label="11")), (41, Location(("Two",), page=14, page_label="12")))
    passage = Passage("k", text, title="Lease", location=Location(("One",), page=12, page_label="10"), turns=turns)
    first, second, both = (
        _cite(passage, quote)
        for quote in ("One page holds this.", "Another holds that.", "this. Another holds that. A third")
    )
    assert (first.location.heading, first.location.page, first.location.last_page) == (("One",), 12, 12)
    assert (second.location.heading, second.location.page, second.location.page_label) == (("Two",), 13, "11")
    assert (both.location.page, both.location.last_page, both.location.last_page_label) == (12, 14, "12")
    assert first.label == "Lease (One, page 12 (labelled 10)) [k]"
    assert both.label == "Lease (One, pages 12-14 (labelled 10-12)) [k]"
    assert _cite(Passage("k", text, title="Lease", coverage="partial"), "One page holds this.").label == (
        "Lease (not all of the document could be read) [k]"
    )


ROW = Passage(
    "a",
    "Rent keeper\t5\t7",
    location=Location(row=2, columns=("Item", "Net 2022", "Gross 2023")),
)


@pytest.mark.parametrize(
    ("quote", "columns"),
    [
        ("Rent keeper\t5\t", ("Item", "Net 2022")),
        ("Rent keeper\t5", ("Item", "Net 2022")),
        ("\t5\t7", ("Net 2022", "Gross 2023")),
        ("Rent keeper\t5\t7", ("Item", "Net 2022", "Gross 2023")),
    ],
)
def test_a_quote_is_named_by_the_columns_that_it_has_words_of(quote, columns):
    found = Gate([ROW], profile="verbatim").verify("a", quote)
    assert isinstance(found, VerifiedCitation)
    assert found.location.columns == columns
    assert any("2023" in proof for proof in found.proofs) is ("Gross 2023" in columns)


def test_the_sentence_of_a_cell_with_tabs_of_its_own_is_its_whole_row():
    text = "Rent is not paid\t5 x\ty\t7"
    row = Location(row=2, columns=("Item",))
    turns = tuple((at, replace(row, columns=(name,))) for at, name in ((17, "Net"), (23, "Gross")))
    found = Gate([Passage("a", text, location=row, turns=turns)]).verify("a", "y\t7")
    assert isinstance(found, VerifiedCitation)
    assert found.sentence == "Rent is not paid · 5 x · y · 7"
