"""Text of documents made safe for a terminal, a log line and a page."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.release.display import escaped_json, isolated, one_line, visible


def test_plain_text_passes_unchanged():
    assert one_line("Größe 30 m², «año», 返品 …") == "Größe 30 m², «año», 返品 …"


def test_white_space_and_line_breaks_collapse_to_one_line():
    assert one_line(" a\r\nb\t c\u2028d\u00a0e ") == "a b c d e"


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\x08\x08b", "a␈␈b"),
        ("\x9b2J", "\ufffd2J"),
        ("a\x7fb", "a␡b"),
        ("pay \u202e05$ now", "pay \ufffd05$ now"),
        ("\u2066x\u2069", "\ufffdx\ufffd"),
        ("\ud800", "\ufffd"),
        ("nul\x00", "nul␀"),
    ],
)
def test_escape_sequences_and_direction_overrides_are_shown_not_obeyed(hostile, shown):
    assert one_line(hostile) == shown


def test_right_to_left_text_is_isolated_from_what_stands_around_it():
    assert isolated("سياسة الإرجاع") == "\u2068سياسة الإرجاع\u2069"
    assert isolated("Grüße") == "Grüße"


def test_what_does_not_show_is_written_as_an_escape():
    assert visible("in\u00adfor\n mation\u200b, cafe\u0301, 返品") == "in\\xadfor\\n mation\\u200b, cafe\\u0301, 返品"


@given(st.text())
def test_no_text_leaves_a_control_character_or_a_line_break(text):
    shown = one_line(text)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in shown)
    assert len(shown.splitlines()) <= 1
    assert one_line(shown) == shown


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_escaped_json_decodes_to_the_same_value_and_holds_nothing_a_terminal_or_page_obeys(value):
    shown = escaped_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(shown) == value
    assert not any(c in shown for c in "<>&\x7f\x9b\u202e\u2028")
    shown.encode("utf-8")


def test_escaped_json_cannot_close_a_script_element():
    assert escaped_json(json.dumps("</script>")) == '"\\u003c/script\\u003e"'
