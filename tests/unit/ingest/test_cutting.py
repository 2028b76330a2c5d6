"""Cutting into passages, by example."""

import pytest

from verified_gate.ingest import Strategy, cut, read_document
from verified_gate.ingest.paragraphs import HARD_LIMIT

EVERY = list(Strategy)


def document(text: str, name: str = "d.md", **options):
    return read_document(text.encode(), name, trusted=True, **options)


def texts(text: str, strategy: str = "paragraph", **options) -> list[str]:
    return [passage.text for passage in cut(document(text), strategy, **options)]


# fixed windows


def test_the_step_of_fixed_windows_is_size_minus_overlap_and_the_last_reaches_the_end_once():
    """(condition 13)"""
    passages = cut(document("x" * 25), "fixed", size=10, overlap=2)
    assert [(passage.start, len(passage.text)) for passage in passages] == [(0, 10), (8, 10), (16, 9)]
    assert [len(part) for part in texts("x" * 26, "fixed", size=10, overlap=2)] == [10, 10, 10]
    assert [len(part) for part in texts("x" * 27, "fixed", size=10, overlap=2)] == [10, 10, 10, 3]
    assert [len(part) for part in texts("x" * 10, "fixed", size=10, overlap=2)] == [10]
    assert [len(part) for part in texts("x" * 20, "fixed", size=10)] == [10, 10]


def test_windows_on_word_borders_keep_the_exact_grid():
    """(condition 13)"""
    passages = cut(document("word " * 50), "fixed", size=50, overlap=10)
    assert [passage.start for passage in passages] == [0, 40, 80, 120, 160, 200]
    assert passages[-1].text.endswith("word")


def test_size_10_overlap_9_ends():
    """(condition 14)"""
    assert texts("abcdefghijklmno", "fixed", size=10, overlap=9) == [
        "abcdefghij",
        "bcdefghijk",
        "cdefghijkl",
        "defghijklm",
        "efghijklmn",
        "fghijklmno",
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"size": 0},
        {"size": -1},
        {"size": 10, "overlap": 10},
        {"size": 10, "overlap": 11},
        {"size": 10, "overlap": -1},
        {"size": 0, "overlap": -1},
    ],
)
def test_sizes_that_make_no_sense_are_refused(options):
    """(condition 15)"""
    with pytest.raises(ValueError, match="size"):
        cut(document("text"), "fixed", **options)


def test_other_strategies_take_no_overlap_and_unknown_ones_are_refused():
    for strategy in ("paragraph", "sentence"):
        with pytest.raises(ValueError, match="overlap"):
            cut(document("text"), strategy, overlap=1)
    with pytest.raises(ValueError, match="strategy"):
        cut(document("text"), "semantic")


def test_no_window_begins_inside_a_number_or_a_word():
    text = "Take 15 mg of it twice daily, or 1,000.50 mg at most, and never more than that. " * 20
    for passage in cut(document(text), "fixed", size=100, overlap=20):
        before, after = text[: passage.start], text[passage.start + len(passage.text) :]
        assert not before or before[-1].isspace()
        assert not after or after[0].isspace()


@pytest.mark.parametrize("cluster", ["👩\u200d👩\u200d👧", "e\u0301\u0323", "\U0001f1e9\U0001f1ea", "क्षि"])
@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_no_window_cuts_what_a_reader_sees_as_one_character(cluster, size):
    text = ("a" + cluster) * 12
    whole = {index for index in range(0, len(text) + 1) if index % (len(cluster) + 1) in (0, 1)}
    for passage in cut(document(text), "fixed", size=size):
        assert {passage.start, passage.start + len(passage.text)} <= whole


# all strategies


@pytest.mark.parametrize("strategy", EVERY)
@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \r\n\u00a0", "---\nid: a\n---\n\n"])
def test_empty_and_blank_text_give_no_passage(text, strategy):
    """(condition 16)"""
    assert cut(document(text), strategy) == ()
    assert len(cut(document(text + "word"), strategy)) == 1


@pytest.mark.parametrize("strategy", EVERY)
def test_what_holds_no_letter_or_digit_is_no_passage(strategy):
    """(condition 17)"""
    assert texts("one\n\n***\n\n---\n\n. . .\n\ntwo", strategy, size=5)[0].startswith("one")
    assert all(any(map(str.isalnum, part)) for part in texts("one\n\n***\n\n---\n\n. . .\n\ntwo", strategy, size=5))
    assert texts("***\n\n---\n", strategy) == []


@pytest.mark.parametrize("strategy", EVERY)
def test_keys_name_document_version_and_place_and_stay(strategy):
    """(condition 18)"""
    text = "---\nid: returns\nversion: 3\n---\nOne.\n\nTwo.\n"
    keys = [passage.key for passage in cut(document(text), strategy, size=5)]
    assert keys == ["returns@3#c0", "returns@3#c1"]
    assert keys == [passage.key for passage in cut(document(text), strategy, size=5)]
    tenant = text.replace("version", "tenant: acme\nversion")
    assert [passage.key for passage in cut(document(tenant), strategy, size=5)] == [f"acme:{key}" for key in keys]


@pytest.mark.parametrize("strategy", EVERY)
def test_lines_count_the_front_matter(strategy):
    """(condition 19)"""
    text = "---\nid: a\n---\n\n# H\n\nOne\ntwo.\n\nThree.\n"
    places = [
        (passage.location.first_line, passage.location.last_line) for passage in cut(document(text), strategy, size=12)
    ]
    assert places[0][0] == 5
    assert places[-1][1] == 10


@pytest.mark.parametrize("strategy", EVERY)
def test_a_passage_never_crosses_a_heading(strategy):
    """(condition 20)"""
    text = "Intro.\n# A\nOne.\n## B\nTwo.\n\nTitle\n=====\nThree.\n\n```\n# no heading\n```\n"
    passages = cut(document(text), strategy)
    assert list(dict.fromkeys(passage.location.heading for passage in passages)) == [(), ("A",), ("A", "B"), ("Title",)]
    assert texts("Intro.\n# A\nOne.\n## B\nTwo.", strategy) == ["Intro.", "# A\nOne.", "## B\nTwo."]


@pytest.mark.parametrize("strategy", EVERY)
def test_a_heading_begins_the_first_passage_beneath_it(strategy):
    first, *rest = cut(document("# Returns\n\nYou can return it.\n\nWithin 30 days of delivery."), strategy, size=30)
    assert first.text.startswith("# Returns")
    assert not any("# Returns" in passage.text for passage in rest)
    assert {passage.location.heading for passage in [first, *rest]} == {("Returns",)}


@pytest.mark.parametrize("strategy", EVERY)
def test_a_heading_with_nothing_beneath_is_a_passage_and_one_that_only_leads_on_is_none(strategy):
    assert texts("# Title\n\n## Closed on Mondays\n\n## Open\nOn Tuesdays.\n\n# End", strategy) == [
        "## Closed on Mondays",
        "## Open\nOn Tuesdays.",
        "# End",
    ]


@pytest.mark.parametrize("strategy", EVERY)
def test_a_passage_carries_labels_and_pins_of_its_document(strategy):
    read = document("---\nid: a\ntitle: T\nversion: 2\nlang: de\n---\nText.")
    (passage,) = cut(read, strategy)
    assert (passage.document_id, passage.title, passage.version, passage.lang) == ("a", "T", "2", "de")
    assert (passage.text_sha256, passage.file_sha256) == (read.text_sha256, read.file_sha256)


@pytest.mark.parametrize("strategy", ["paragraph", "sentence"])
def test_a_mark_that_stands_on_a_space_and_a_sign_that_leads_into_one_keep_it(strategy):
    assert texts("One.\n\n \u0301two three \u0600 \n\nFour.", strategy, size=14) == [
        "One.",
        " \u0301two three \u0600 ",
        "Four.",
    ]


# paragraphs


def test_paragraph_numbers_count_the_empty_parts_of_the_original():
    """(condition 22)"""
    text = "a\n\nb\n\n\n\nc\n\n\nd"
    assert text.split("\n\n") == ["a", "b", "", "c", "\nd"]
    numbers = [passage.location.paragraph for passage in cut(document(text))]
    assert numbers == [1, 2, 4, 5]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("strategy", EVERY)
def test_paragraph_numbers_are_the_same_for_every_strategy_and_line_end(strategy, newline):
    """(condition 22)"""
    text = "\n\nalpha\n \nbeta\n\t\n\n\ngamma\n".replace("\n", newline)
    passages = cut(document(text), strategy, size=6)
    numbers = {passage.text.strip(): passage.location.paragraph for passage in passages if passage.text.strip()}
    assert numbers == {"alpha": 2, "beta": 3, "gamma": 5}


def test_each_paragraph_is_a_passage():
    assert texts("One. And more.\n\nTwo\nlines.\n\n\nThree.") == ["One. And more.", "Two\nlines.", "Three."]


def test_a_list_stays_together_and_with_its_lead_in():
    assert texts("You can:\n\n- keep it\n- send it\n\nOr else.") == ["You can:\n\n- keep it\n- send it", "Or else."]
    assert texts("**Either:**\n\nThis.\n\nThat.") == ["**Either:**\n\nThis.", "That."]
    assert texts("1. one\n\n2. two\n\nEnd.") == ["1. one\n\n2. two", "End."]


def test_long_clauses_of_a_numbered_list_stand_alone():
    clause = "The tenant pays the rent on the first day of each month. " * 6
    assert len(texts(f"1. {clause}\n\n2. {clause}\n\n3. {clause}")) == 3


def test_code_is_one_part_whatever_blank_lines_it_holds():
    assert texts("Run:\n\n```\na\n\n\nb\n```\n\nEnd.") == ["Run:\n\n```\na\n\n\nb\n```", "End."]
    assert texts("```\na\n\nb\n```\n\nEnd.") == ["```\na\n\nb\n```", "End."]


def test_a_long_paragraph_is_split_at_sentence_ends():
    sentence = "A bike is returned within thirty days of delivery, Dr. Faber says. "
    parts = texts(sentence * 40, size=300)
    assert all(len(part) <= 300 for part in parts)
    assert " ".join(parts) == (sentence * 40).strip()
    assert all(part.startswith("A bike") and part.endswith("says.") for part in parts)


def test_a_long_list_is_split_between_items_and_its_lead_in_stays_with_the_first():
    parts = texts("You can:\n\n" + "".join(f"- choose number {n} of them\n" for n in range(40)), size=200)
    assert parts[0].startswith("You can:\n\n- choose number 0 of them\n- choose")
    assert all(part.startswith("- ") for part in parts[1:])


def test_table_rows_are_never_cut():
    rows = [f"| row {n} | {n}.50 euros. Nice | yes |" for n in range(60)]
    for part in texts("\n".join(rows), size=200):
        assert set(part.split("\n")) <= set(rows)


# sentences


def test_sentence_packing_never_cuts_a_sentence_that_fits_and_leaves_a_longer_one_whole():
    """(condition 21)"""
    long = "This sentence is much longer than the size that was asked for, and it stays whole."
    assert texts(f"One. Two. {long} Three. Four.", "sentence", size=12) == ["One. Two.", long, "Three. Four."]


@pytest.mark.parametrize("stop", ["।", "॥", "。", "！", "؟", "۔", "．"])
def test_full_stops_of_other_scripts_count_when_packing(stop):
    """(condition 21)"""
    space = " " if stop in "।॥؟۔" else ""
    sentences = [f"{letter * 8}{stop}" for letter in ("क" if space else "字", "ख" if space else "山")]
    assert texts(space.join(sentences), "sentence", size=10) == sentences


@pytest.mark.parametrize("strategy", ["paragraph", "sentence"])
@pytest.mark.parametrize("unit", ["x", "word ", "word   ", "字", "👍\U0001f3fdx", "e\u0301"])
def test_a_monster_line_is_cut_at_a_bound(unit, strategy):
    text = unit * (20_000 // len(unit))
    parts = texts(text, strategy)
    assert all(len(part) <= HARD_LIMIT for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(part.startswith(unit.strip()) and part.endswith(unit.strip()) for part in parts)


def test_a_heading_in_a_comment_heads_nothing():
    text = "# Rent\n\nOne.\n\n<!--\n## Fee of 800 euros\n-->\n\nTwo.\n\n## Law\n\nThree."

    def heading_of(words, text):
        return next(each.location.heading for each in cut(document(text)) if words in each.text)

    assert [heading_of(words, text) for words in ("One", "Two", "Three")] == [("Rent",), ("Rent",), ("Rent", "Law")]
    seen = text.replace("<!--", "").replace("-->", "")
    assert heading_of("Two", seen) == ("Rent", "Fee of 800 euros")
