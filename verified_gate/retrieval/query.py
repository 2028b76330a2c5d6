"""A question as the words that are searched for, within limits that keep the work small.

A question has no syntax: `OR`, `NEAR`, `*`, quotes and colons are characters like any other, and there is no
search by prefix.
"""

import unicodedata
from collections import Counter

from verified_gate.model.errors import QueryError
from verified_gate.retrieval.tokens import tokens

MAX_CHARACTERS = 4_000
MAX_WORDS = 512
MAX_WORD = 256
"""Code points of the longest run without white space; in scripts without spaces a run may have `MAX_CHARACTERS`."""
MAX_LIMIT = 1_000


def parse_question(question: str) -> dict[str, int]:
    """The search tokens of `question`, each with how often it comes, in the order in which they first come; none
    where the question holds no word.

    Raises `QueryError` (a `ValueError`) for an empty question, one over a limit, or one with control characters or
    lone surrogates; the message never repeats the question.
    """
    if not isinstance(question, str):
        raise TypeError("the question must be a string")
    if not question.strip():
        raise QueryError("the question is empty")
    if len(question) > MAX_CHARACTERS:
        raise QueryError(f"the question has {len(question)} characters; the limit is {MAX_CHARACTERS}")
    for place, character in enumerate("" if question.isprintable() else question):
        if character not in "\t\n\r" and unicodedata.category(character) in ("Cc", "Cs"):
            raise QueryError(f"the question holds a control character or lone surrogate at character {place + 1}")
    words = question.split()
    if len(words) > MAX_WORDS:
        raise QueryError(f"the question has {len(words)} words; the limit is {MAX_WORDS}")
    for word in words:
        if len(word) > MAX_WORD and word.isascii():
            raise QueryError(f"the question holds a word of {len(word)} characters; the limit is {MAX_WORD}")
    return dict(Counter(tokens(question)))


def check_limit(limit: int) -> int:
    """`limit`, if it is a whole number from 1 to `MAX_LIMIT`; otherwise `QueryError`."""
    if type(limit) is not int:
        raise QueryError("the limit must be a whole number")
    if not 1 <= limit <= MAX_LIMIT:
        raise QueryError(f"the limit must be from 1 to {MAX_LIMIT}")
    return limit
