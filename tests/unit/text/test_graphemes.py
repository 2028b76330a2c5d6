"""Borders of what a reader sees as one character."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.text.graphemes import LOOK_BACK, grapheme_border_before, is_grapheme_border

CLUSTERS = {
    "letter and combining mark": "e\u0301",
    "several marks": "a\u0323\u0302",
    "keycap": "1\ufe0f\u20e3",
    "emoji with skin tone": "👍\U0001f3fd",
    "family": "👩\u200d👩\u200d👧\u200d👦",
    "heart with variation selector": "❤\ufe0f\u200d🔥",
    "flag": "\U0001f1e9\U0001f1ea",
    "flag of tags": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "CR LF": "\r\n",
    "Hangul letters": "한",
    "Hangul syllable and final": "한",
    "Devanagari vowel sign": "कि",
    "Devanagari conjunct": "क्ष",
    "Bengali conjunct": "ক্ষ",
    "Thai with tone": "กำ",
    "Arabic with vowel": "ب\u064e",
    "Arabic number sign": "\u06001",
    "half-width voiced kana": "ｶﾞ",
}


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
@pytest.mark.parametrize(("before", "after"), [("", ""), ("x ", "y"), ("字", "字")])
def test_a_cluster_has_borders_at_its_ends_and_none_inside(cluster, before, after):
    text = before + cluster + after
    borders = [index for index in range(len(before), len(before + cluster) + 1) if is_grapheme_border(text, index)]
    assert borders == [len(before), len(before + cluster)]


@pytest.mark.parametrize(
    "pair",
    ["ab", "a ", "\n\r", "字字", "가가", "กข", "\U0001f1e9a", "👍👍", "a👍", "\n\u0301", "a\u200bb", "த்த", "©®"],
)
def test_two_characters_have_a_border_between_them(pair):
    middle = len(pair) - 1
    assert is_grapheme_border(pair, middle)


def test_flags_are_counted_in_pairs_from_the_start_of_their_run():
    flags = "x" + "\U0001f1e9\U0001f1ea" * 3
    assert [index for index in range(len(flags) + 1) if is_grapheme_border(flags, index)] == [0, 1, 3, 5, 7]


def test_a_run_of_flags_longer_than_the_look_back_keeps_borders_at_every_second_place():
    flags = "\U0001f1e9" * (LOOK_BACK * 4)
    borders = [index for index in range(len(flags) + 1) if is_grapheme_border(flags, index)]
    assert borders == list(range(0, len(flags) + 1, 2))


@given(st.text(max_size=30), st.integers(-3, 40))
def test_no_text_and_no_index_raises_and_both_ends_are_borders(text, index):
    assert is_grapheme_border(text, index) in (True, False)
    assert is_grapheme_border(text, 0)
    assert is_grapheme_border(text, len(text))


@given(st.text(st.sampled_from("ae \u0301\u200d👩\U0001f3fb\U0001f1e9कि्"), max_size=30), st.data())
def test_the_border_before_is_the_last_one_at_or_before_the_index(text, data):
    index = data.draw(st.integers(0, len(text)))
    border = grapheme_border_before(text, index)
    assert is_grapheme_border(text, border)
    assert not any(is_grapheme_border(text, between) for between in range(border + 1, index + 1))


def test_a_cluster_longer_than_the_look_back_is_cut_so_that_it_cannot_grow_without_bound():
    tower = "a" + "\u0301" * (LOOK_BACK * 2)
    assert grapheme_border_before(tower, len(tower) - 1) == len(tower) - 1
    assert grapheme_border_before(tower, LOOK_BACK - 1) == 0
