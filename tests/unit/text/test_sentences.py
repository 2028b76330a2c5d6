"""Where sentences end, in many languages and in the layout of Markdown."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.text.sentences import REACH, begins_like_item, sentence_around, sentence_spans

# Each text is written with `|` where a sentence ends; the bars and the space after them are taken out to test.
CASES = {
    "marks": "It rains.| Does it?| It does!| Well…| Good.",
    "mark runs": "Really?!| Wait...| Yes!!!| No.",
    "title": "Dr. Faber met Prof. Klein and Mrs. Ada Low.| They spoke.",
    "number after abbreviation": "See No. 5 and Fig. 3, pp. 7 ff.| It is art. 12.| Done.",
    "a no that ends a sentence": "The answer is no.| The rest is history.",
    "decimals and times": "It weighs 3.5 kg and costs 1.000,50 euros.| Come at 2 p.m. on Monday.| Come at 2 p.m.| We open.",
    "initials": "J. R. R. Tolkien met J. A. Smith.| George W. Bush spoke.",
    "initial at the end": "We chose plan B.| The rest failed.",
    "dotted initialism": "The U.S. Supreme Court sits.| He lives in the U.S.| The court sits.",
    "company": "Acme Inc. Berlin sells bikes.| It is Acme Inc.| They sell bikes.",
    "Latin": "Use oil, e.g. Klang oil, i.e. the good one.| Avoid water etc.| Dry it.",
    "versus": "In Roe v. Wade it was held.| It stood.",
    "number at the end": "You have 30.| The rest is late.| It was in 1999.| People came.",
    "small letter goes on": "Yahoo! is a name.| The file a. b. is one.",
    "quotes": "He said “Go.”| She went.| „Komm.“| Er kam.| »Komm.«| Er ging.",
    "quote goes on": '"Stop!" he said.| "Stop!"| Then silence.',
    "French": "Il dit : « Bonjour ! »| Puis il part.| « Bonjour ! » dit-il.",
    "brackets": "It rains (see above.)| It stops [1].| The end.",
    "footnotes": "It rains.[1][23]| It stops.",
    "raised notes": "It rains.¹²| It stops.”³| Less than 10² m and 5.² m fell.",
    "marks set off by spaces": "He said `` It rains . ''| She left .| ( It stopped . )| End .",
    "German abbreviations": "Es gibt z. B. Räder und d. h. auch Schuhe, bzw. Stiefel.| Ende.",
    "German ordinals": "Am 1. Januar und im 19. Jahrhundert galt es.| Der 2. Weltkrieg endete am 8. 5. 1945.| Danach nicht.",
    "German number at the end": "Es kostet 30.| Die Frist endet.",
    "Spanish": "¿Vienes?| ¡Claro!| El Sr. Paz viene.",
    "Hindi": "यह एक वाक्य है।| यह दूसरा है॥| और तीसरा।",
    "Bengali": "আমি যাই।| তুমি আসো।",
    "Arabic": "هل وصلت؟| نعم وصلت.| شكرا.",
    "Urdu": "یہ ایک جملہ ہے۔| یہ دوسرا ہے۔",
    "Ethiopic and Armenian": "ሰላም።| ሰላም፧| Բարեւ։| Ողջույն։",
    "Markdown emphasis": "**Note.**| The rest.| _Really?_| Yes.",
}

UNSPACED = {
    "Chinese": ["退货期为三十天。", "请保留收据！", "可以吗？", "可以。"],
    "Chinese quotes": ["他说：“你好。”", "然后走了。"],
    "Japanese": ["今日は雨です。", "「明日は？」", "晴れ｡", "はい"],
    "Chinese with ASCII marks": ["真的?", "真的!", "好"],
}

LAYOUT = {
    "blank line": ["no mark at the end", "next part"],
    "heading": ["# Returning a bike", "You can return it\nwithin 30 days."],
    "setext heading": ["Returns\n=======", "You can."],
    "list": ["You may", "- keep it", "- send it\n  back", "* or swap it"],
    "numbered list": ["Send us:", "1. the number. Then wait.", "2. two photos", "3. the box"],
    "letters": ["Either", "(a) this", "(b) that"],
    "table": ["| a | b |", "|---|---|", "| c. D. Dry! Yes. | e |", "After"],
    "code": ["```", "x = 1", "```", "After"],
    "quote": ["> first", "> - second"],
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_sentences_end_where_a_reader_ends_them(marked):
    expected = [part.strip() for part in marked.split("|")]
    assert texts(marked.replace("|", "")) == expected


@pytest.mark.parametrize("sentences", UNSPACED.values(), ids=UNSPACED.keys())
def test_full_stops_of_scripts_without_spaces_end_a_sentence(sentences):
    """(condition 21)"""
    assert texts("".join(sentences)) == sentences


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("name", "sentences"), LAYOUT.items(), ids=LAYOUT.keys())
def test_layout_ends_a_sentence_whatever_the_line_ends(name, sentences, newline):
    between = "\n\n" if name == "blank line" else "\n"
    text = between.join(sentences).replace("\n", newline)
    if name == "numbered list":  # the first item's own two sentences are told apart
        sentences = [sentences[0], "1. the number.", "Then wait.", *sentences[2:]]
    assert texts(text) == [part.replace("\n", newline) for part in sentences]


def test_a_number_that_only_the_line_width_put_at_a_line_start_is_no_list_item():
    assert texts("You can return it within\n30. You may also\n5 days later.") == [
        "You can return it within\n30.",
        "You may also\n5 days later.",
    ]


def test_blank_text_has_no_sentence():
    assert sentence_spans("") == []
    assert sentence_spans(" \n\t\r\n ") == []


FRAGMENTS = st.sampled_from(
    ["a", "B", "Dr.", "No.", "5", "30.", ".", "!", "?", "…", "。", "।", "؟", '"', "”", "“", "»", "«", ")", "(", "[1]", " ", "  ",
     "\u00a0", "\n", "\r\n", "\r", "\n\n", "- ", "1. ", "# ", "|", "```", "---", ">", "字", "z. B. ", "''", "The ", "\u0301"]
)  # fmt: skip
TEXTS = st.lists(FRAGMENTS, max_size=40).map("".join) | st.text(max_size=60)


@given(TEXTS)
def test_spans_are_ordered_trimmed_and_hold_all_that_is_not_white_space(text):
    spans = sentence_spans(text)
    assert all(start < end for start, end in spans)
    assert all(first[1] <= second[0] for first, second in zip(spans, spans[1:], strict=False))
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


@given(TEXTS, st.data())
def test_around_finds_the_sentences_that_a_span_touches(text, data):
    spans = sentence_spans(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if not text[start:end].strip():
        return
    touched = [span for span in spans if span[0] < end and start < span[1]]
    assert sentence_around(text, start, end) == (touched[0][0], touched[-1][1])


@pytest.mark.parametrize("unit", ["word ", "字", "x"])
def test_around_a_span_in_a_sentence_without_end_looks_no_further_than_its_reach(unit):
    text = unit * 20_000
    middle = len(text) // 2 // len(unit) * len(unit)
    start, end = sentence_around(text, middle, middle + len(unit.strip()))
    assert middle - REACH <= start <= middle
    assert middle + len(unit.strip()) <= end <= middle + len(unit) + REACH
    assert end - start > REACH


WORST = [
    ". ", "a. ", "Dr. A", ".)", "\n", "\n \n", " ", "1. \n", "[1]", "\r\n> ", "A.", "1. 2. ", "* ", "»", "#", "| ",
    '." ', "'' ", "\n" + " " * 999, "." + "(" * 999, "." + " " * 999,
]  # fmt: skip


@pytest.mark.parametrize("unit", WORST)
def test_eight_times_the_text_costs_about_eight_times_the_work(unit):
    """A quadratic step would cost sixty-four times."""
    small, large = (unit * (size // len(unit)) for size in (1 << 16, 1 << 19))
    assert _seconds(large) < 28 * _seconds(small) + 0.05


def _seconds(text: str) -> float:
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        sentence_spans(text)
        times.append(time.perf_counter() - begin)
    return min(times)


def texts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "is_item"),
    [
        ("by giving two\n(2) years written notice", False),
        ("no less than thirty\r\n(30) days before", False),
        ("The seller shall:\n(1) deliver the goods", True),
        ("Duties\n(1) Deliver the goods", True),
        ("It ends.\n(2) the next one", True),
        ("The seller shall\n(a) deliver", True),
        ("Duties\n\n(1) deliver", True),
        ("payable within thirty\n(30) Business Days", False),
        ("innerhalb von dreißig\n(30) Tagen", False),
        ("a term of one\n(1) Year", False),
        ("a notice period of 365\n(365) Days", False),
        ("(1) Rent and charges\n(2) Keeping the house", True),
        ("(1) pay rent; or\n(2) keep the house", False),
        ("(1) Rent, as it is agreed upon\nbetween the parties\n(2) Keeping the house", True),
    ],
)
def test_a_number_in_figures_after_the_same_in_words_is_no_item(text, is_item):
    assert begins_like_item(text, text.rindex("\n(") + 1) is is_item


@pytest.mark.parametrize(
    "text",
    [
        "Either party may end this Agreement within one\n(1) year only if the other party agrees in writing.",
        "The fee is due if the customer gives notice within one\r\n(1) day of the event, and in no other case.",
        "If LKPL does not respond to an RFM within thirty\n(30) Business Days, it is deemed to have refused.",
        "Renew this Agreement for one\n(1) twelve month period.",
    ],
)
def test_a_sentence_is_not_cut_before_a_number_in_figures(text):
    """What stands behind it may be the condition."""
    assert texts(text) == [text]
    assert texts(f"The tenant shall pay.\n(a) {text}") == ["The tenant shall pay.", f"(a) {text}"]
    assert sentence_around(text, 3, 9) == (0, len(text))


@pytest.mark.parametrize(
    "items",
    [
        ["The insurer does not pay for", *(f"({n}) breakage of item number {n} in the house" for n in range(1, 60))],
        ["Covered:", "(1) theft of the car", "(2) fire in the garage"],
        ["Terms", "(1) Loans are repaid in one", "(2) Deposits are not insured"],
    ],
)
def test_items_without_marks_at_their_ends_are_sentences_of_their_own(items):
    assert texts("\n".join(items)) == items


def test_items_that_follow_each_other_in_number_are_sentences_of_their_own():
    assert texts("The tenant shall:\n(1) pay the rent;\n(2) keep the house.\n(3) Leave.") == [
        "The tenant shall:",
        "(1) pay the rent;",
        "(2) keep the house.",
        "(3) Leave.",
    ]
