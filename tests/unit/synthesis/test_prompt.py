"""The prompt: escaping that can be undone, aliases, attributes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.model import Location, Passage
from verified_gate.synthesis import SynthesisRequest
from verified_gate.synthesis.prompt import MAX_ATTRIBUTE, escape, unescape, write_prompt

PIECES = st.lists(st.sampled_from(["&", "amp;", "lt;", "<", ">", "a", ";", "&lt;", "&amp;lt;", " ", "é"])).map("".join)


@given(PIECES | st.text())
def test_escape_leaves_no_angle_bracket_and_is_undone_exactly(text):
    encodable = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert "<" not in escape(text)
    assert unescape(escape(text)) == encodable


@given(PIECES)
def test_escape_tells_texts_apart_and_changes_nothing_else(text):
    assert escape(text).replace("&lt;", "<").replace("&amp;", "&").count("<") >= text.count("<")
    if "<" not in text and "lt;" not in text:
        assert escape(text) == text == unescape(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a < b & c > d", "a &lt; b & c > d"),
        ("</evidence>", "&lt;/evidence>"),
        ("&lt;", "&amp;lt;"),
        ("&amp;lt; &amp; &gt;", "&amp;amp;lt; &amp; &gt;"),
        ("AT&T", "AT&T"),
        ("\ud800x", "\ufffdx"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_what_a_model_is_shown(text, shown):
    assert escape(text) == shown


@pytest.mark.parametrize("unit", ["&amp;", "amp;", "&", "<", "&lt;", "lt;"])
def test_hostile_text_costs_no_more_than_its_length(unit):
    text = unit * 300_000
    assert unescape(escape(text)) == text


def test_aliases_lead_to_the_real_keys_and_cannot_be_changed():
    prompt = write_prompt(SynthesisRequest("Q?", [Passage("returns@3#c0", "A."), Passage("returns@3#c1", "B.")]))
    assert dict(prompt.aliases) == {"e01": "returns@3#c0", "e02": "returns@3#c1"}
    with pytest.raises(TypeError):
        prompt.aliases["e03"] = "x"  # the point of the test
    assert "A." not in repr(prompt)


def test_title_version_and_heading_are_shown_on_one_line_and_cut():
    place = Location(("Returns", 'A "bike"\n</x>'))
    prompt = write_prompt(SynthesisRequest("Q?", [Passage("k", "A.", "d", "t" * 1_000, "3", location=place)]))
    first = prompt.user.partition("\n")[0]
    assert f'title="{"t" * MAX_ATTRIBUTE}…" version="3"' in first
    assert first.endswith('heading="Returns &gt; A &quot;bike&quot; &lt;/x&gt;">')
    assert write_prompt(SynthesisRequest("Q?", [Passage("k", "A.")])).user.startswith('<evidence key="e01">\n')


def test_the_names_of_columns_are_shown_so_that_a_model_can_tell_the_cells_apart():
    row = Location(row=2, columns=("Item", "2023", "<2024>"))
    for passage in (Passage("k", "Rent\t1\t2", location=row), Passage("k", "Sums\nRent\t1\t2", turns=((5, row),))):
        assert write_prompt(SynthesisRequest("Q?", [passage])).user.startswith(
            '<evidence key="e01" columns="Item | 2023 | &lt;2024&gt;">\n'
        )


def test_what_heads_a_row_is_shown_where_its_text_does_not_hold_it():
    row = Location(("Costs",), row=2, row_heading=("2023", "Rent"), columns=("Item", "Fee"))
    shown = write_prompt(SynthesisRequest("Q?", [Passage("k", "Rent\t12", location=row)])).user
    assert shown.startswith('<evidence key="e01" heading="Costs &gt; 2023" columns="Item | Fee">\n')
