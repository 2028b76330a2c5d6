"""Limits of a question, and that it has no syntax."""

import pytest

from verified_gate.model.errors import QueryError
from verified_gate.retrieval.query import MAX_CHARACTERS, MAX_LIMIT, MAX_WORD, MAX_WORDS, check_limit, parse_question


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_a_value_error(question):
    """(condition 59)"""
    with pytest.raises(QueryError):
        parse_question(question)
    with pytest.raises(ValueError):
        parse_question(question)


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("a " * (MAX_CHARACTERS // 2) + "b", "characters"),
        ("a " * (MAX_WORDS + 1), "words"),
        ("a" * (MAX_WORD + 1), "a word of"),
        ("bike\x00return", "control character"),
        ("bike\x1breturn", "control character"),
        ("bike\x9breturn", "control character"),
        ("bike \ud800", "lone surrogate"),
    ],
)
def test_a_question_over_a_limit_is_told_which_and_never_repeated(question, what):
    """(condition 31)"""
    with pytest.raises(QueryError, match=what) as caught:
        parse_question(question)
    assert "bike" not in str(caught.value)


@pytest.mark.parametrize(
    "question",
    [
        "a " * MAX_WORDS,
        "a" * MAX_WORD,
        "bike\treturn\r\nnow",
        "自" * MAX_CHARACTERS,
        "zero\u200bwidth",
        "x" * 200 + " y",
    ],
)
def test_a_question_at_a_limit_is_taken(question):
    """(condition 31)"""
    assert parse_question(question)


def test_a_question_without_a_word_has_no_terms():
    assert parse_question("?!… —") == {}


def test_a_word_asked_twice_is_counted_twice_and_keeps_its_first_place():
    assert list(parse_question("date of the expiry date").items()) == [
        ("date", 2),
        ("of", 1),
        ("the", 1),
        ("expiry", 1),
    ]


def test_only_a_string_is_a_question():
    with pytest.raises(TypeError):
        parse_question(None)


@pytest.mark.parametrize("limit", [0, -1, MAX_LIMIT + 1, True, 1.0, "3", None])
def test_an_invalid_limit_is_refused(limit):
    """(condition 33)"""
    with pytest.raises(QueryError):
        check_limit(limit)


def test_a_valid_limit_is_taken():
    """(condition 33)"""
    assert [check_limit(limit) for limit in (1, MAX_LIMIT)] == [1, MAX_LIMIT]
