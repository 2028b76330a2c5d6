"""Where a token of a text may not be cut, place by place."""

import pytest
from hypothesis import given

from tests.strategies import documents
from verified_gate.text.borders import splits_token
from verified_gate.text.numbers import numbers_in


def _sound(marked):
    """Places where a quote may begin and may end, in a text whose `|` mark every place where it may do both."""
    text = marked.replace("|", "")
    places, at = set(), 0
    for char in marked:
        if char == "|":
            places.add(at)
        else:
            at += 1
    return text, places


TOKENS = [
    "|word|",
    "|unable|",
    "|non-refundable|",
    "|state-of-the-art|",
    "|x-ray|",
    "|co‑owner|",
    "|1.5|",
    "|1,500.50|",
    "|1 500 000|",
    "|1’500|",
    "|−5|",
    "|-5|",
    "|+5|",
    "|±0.5|",
    "|$50|",
    "|50%|",
    "|10²|",
    "|1½|",
    "|1 ½|",
    "|1/2|",
    "|1⁄2|",
    "|5:30|",
    "|10–15|",
    "|2010-2015|",
    "|12/05/2020|",
    "|l’homme|",
    "|can’t|",
    "|O'Brien|",
    "|B12|",
    "|A4|",
    "|cafe\u0301|",
    "|e\u0323\u0301|",
    "|क्षत्रिय|",
    "|والمدرسة|",
    "|대한민국|",
    "|15|元|",
    "|静|脉|注|射|",
    "|三十五|人|",
    "|\U0001f469\u200d\U0001f467|",
    "|\U0001f44b\U0001f3fd|",
    "|\U0001f1e9\U0001f1ea|\U0001f1eb\U0001f1f7|",
    "|１５|",
    "|<5|",
    "|10^2|",
    "|US$50|",
    "|50 %|",
    "|50 €|",
    "|€ 50|",
    "|25°C|",
    "|≥ 5|",
    "|1 1/2|",
    "|1 ⅓|",
    "|5×10³|",
    "|un－able|",
    "|100 000|",
    "|ab​cd|",
    "|ab­cd|",
]


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_cut_nowhere_but_at_its_ends(token):
    inner, places = _sound(token)
    text = f"so {inner} it is"
    last = len("so ") + len(inner)
    for at in range(3, last + 1):
        sound = at - 3 in places
        if at < last:
            assert splits_token(text, at, len(text)) != sound or text[at].isspace(), (text, at)
        if at > 3:
            assert splits_token(text, 0, at) != sound or text[at - 1].isspace() or _suffix(text, at), (text, at)


def _suffix(text, at):
    """An end before an apostrophe suffix is sound (`l` of `l’homme`, `O` of `O'Brien`), and only that."""
    return text[at] in "'’" and text[at - 1].isalpha() and not text.startswith("t", at + 1)


@pytest.mark.parametrize(
    "text",
    ["one two three", "(one) two", "“one” two", "one. Two", "one, two", "one; two", "one—two", "one - two", "one/two", "one: two"],
)  # fmt: skip
def test_words_are_apart_at_white_space_and_punctuation(text):
    start = text.lower().index("two")
    assert not splits_token(text, start, len(text))
    end = text.index("one") + 3
    assert not splits_token(text, text.index("one"), end)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("say (un)able here", "able here"),
        ("say [un]able here", "able here"),
        ("say un(able) here", "able) here"),
        ("say un[able](x) here", "able](x) here"),
        ("say non--able here", "able here"),
        ("say un*-*able here", "able here"),
        ("say un-\u200b\nable here", "able here"),
        ("say &#117;nable here", "nable here"),
        ("say un&#97;ble here", "&#97;ble here"),
        ("say &minus;5 here", "5 here"),
        ("say −\u200b5 here", "5 here"),
        ("say − 5 here", " 5 here"),
    ],
)
def test_a_border_is_judged_on_what_a_reader_sees(text, quote):
    assert splits_token(text, text.rindex(quote), len(text))
    assert not splits_token(text, 4, len(text))


@pytest.mark.parametrize("hidden", ["\u200b", "*", "**", "\u200b*\u200b", "`_"])
@pytest.mark.parametrize("far", [1, 15, 900, 5_000])
def test_however_much_is_hidden_between_the_parts_of_a_word(hidden, far):
    text = f"say un{hidden * far}able here"
    assert splits_token(text, text.index("able"), len(text))
    assert splits_token(text, 0, text.index("un") + 2)


@given(documents())
def test_the_whole_text_splits_nothing(text):
    assert not splits_token(text, 0, len(text))


@given(documents())
def test_no_place_of_any_text_raises(text):
    for at in range(1, len(text)):
        assert isinstance(splits_token(text, at, len(text)), bool)
        assert isinstance(splits_token(text, 0, at), bool)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("no number", set()),
        ("30 days", {("30", "")}),
        ("−5 %", {("-5", ""), ("-5", "%")}),
        ("-5%", {("-5", ""), ("-5", "%")}),
        ("€1,500.50", {("1,500.50", ""), ("1,500.50", "€")}),
        ("50 €", {("50", ""), ("50", "€")}),
        ("10²", {("10²", "")}),
        ("1½ and ½", {("1½", ""), ("½", "")}),
        ("12/05/2020", {("12/05/2020", "")}),
        ("5:30", {("5:30", "")}),
        ("at 5. Then 6, 7.", {("5", ""), ("6", ""), ("7", "")}),
    ],
)
def test_numbers_are_read_with_their_sign_and_unit(text, numbers):
    assert numbers_in(text) == numbers


def test_a_border_that_is_judged_at_once_is_judged_as_the_whole_rule_does():
    """The quick look at the characters on either side never calls sound what the whole judgement refuses."""
    import random

    from verified_gate.text import borders
    from verified_gate.text.graphemes import is_grapheme_border

    chance = random.Random(5)
    parts = [
        *"ab5 三\n.,;:!?)(\"'-–&€%mp*_~<>[]\\\u00ad\u200b",
        "&euro;",
        "&shy;",
        "million",
        "per cent",
        "](x)",
        "<b>",
    ]
    judged = 0
    for _ in range(20_000):
        text = "".join(chance.choice(parts) for _ in range(chance.randint(3, 9)))
        for index in range(1, len(text)):
            begins, ends = borders._plainly_begins(text, index), borders._plainly_ends(text, index)
            if not begins and not ends:
                continue
            judged += 1
            assert is_grapheme_border(text, index)
            left, right = borders._seen_around(text, index)
            first, last = right.lstrip(), left.rstrip()
            if begins and first:
                assert not borders._joined(left + right[: len(right) - len(first)], first, ends=False), (text, index)
            if ends and last:
                assert not borders._joined(last, left[len(last) :] + right, ends=True), (text, index)
    assert judged > 5_000
