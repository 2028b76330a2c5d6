"""The wording rule: a claim's own words are untrusted too.

Words between quotation marks must stand in the claim's verified quotes; every number in those quotes, the question, or
the cited title or heading; links, markup, marks that look like citations and hidden characters do not pass.
"""

from collections.abc import Iterable
from typing import Final
from unicodedata import category

from verified_gate.gate.folding import fold
from verified_gate.gate.search import folded_places
from verified_gate.gate.verdict import VerifiedCitation
from verified_gate.model.folds import PROFILES
from verified_gate.model.reasons import ReasonCode
from verified_gate.text.borders import splits_token
from verified_gate.text.characters import hidden_characters
from verified_gate.text.marks import CITATION_MARK, LINK, MAIL, MARKUP, OPEN_QUOTE, QUOTED
from verified_gate.text.numbers import numbers_in

_FOLDS: Final = PROFILES["typographic"].folds

_ENDS: Final = ".,;:!?"


def _stands_in(words: str, quotes: Iterable[str]) -> bool:
    bare = words.strip().rstrip(_ENDS)
    if not bare:
        return not words.strip()
    return any(
        not splits_token(quote, place.start, place.end)
        for quote in quotes
        for place in folded_places(quote, fold(quote, _FOLDS), bare, _FOLDS)
    )


def wording_fault(text: str, citations: Iterable[VerifiedCitation], question: str = "") -> ReasonCode | None:
    """The code under which the wording of a claim is refused, or None where it may leave with these citations."""
    citations = tuple(citations)
    quotes = [citation.quote for citation in citations]
    if not any(char.isalnum() for char in text):
        return ReasonCode.WORDING_UNSAFE
    if MAIL.search(text) and not all(_stands_in(word, quotes) for word in text.split() if "@" in word):
        return ReasonCode.WORDING_UNSAFE
    if LINK.search(text) or MARKUP.search(text) or CITATION_MARK.search(text):
        return ReasonCode.WORDING_UNSAFE
    if any(hidden_characters(text, frozenset())) or any(
        category(char) == "Cc" for char in text if char not in "\n\r\t"
    ):
        return ReasonCode.WORDING_UNSAFE
    if _stands_in(text, quotes):
        return None
    if OPEN_QUOTE.search(QUOTED.sub(" ", text)):
        return ReasonCode.WORDING_UNSAFE  # an open quotation could take in anything that follows
    for match in QUOTED.finditer(text):
        if not _stands_in(next(filter(None, match.groups()), ""), quotes):
            return ReasonCode.WORDING_UNSAFE
    claimed = numbers_in(text)
    if claimed:
        known = numbers_in(question)
        for citation in citations:
            for part in (citation.quote, citation.title, *citation.location.heading):
                known |= numbers_in(part)
        if not claimed <= known:
            return ReasonCode.NUMBER_UNSUPPORTED
    return None
