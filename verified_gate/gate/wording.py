"""The wording rule: a claim's own words are untrusted too.

Words between quotation marks must stand in the claim's verified quotes, as they are shown: over no border of a cell, and
over nothing left out; every number in those quotes, the question, or the cited title or heading; links, markup, marks that look like citations and hidden characters do not pass.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from verified_gate.gate.folding import Folded, fold, fold_quote
from verified_gate.gate.search import folded_places
from verified_gate.gate.verdict import VerifiedCitation
from verified_gate.model.folds import PROFILES
from verified_gate.model.reasons import ReasonCode
from verified_gate.text import marks
from verified_gate.text.borders import splits_token
from verified_gate.text.characters import hidden_characters
from verified_gate.text.layout import for_numbers
from verified_gate.text.numbers import numbers_in

_FOLDS: Final = PROFILES["typographic"].folds
_SEEN: Final = frozenset({"entities", "invisible"})
_UNSAFE: Final = (marks.LINK, marks.MARKUP, marks.CITATION_MARK, marks.UNSEEN)
_MOST_PARTS: Final = 50
"""Quotations, remarks in brackets and addresses in one claim; more are unsafe without being looked for."""


def _as_seen(text: str) -> str:
    """Without what a reader does not see of it: a number must not be taken out of a link or of another number."""
    return marks.UNSHOWN.sub("", fold_quote(text, _SEEN))


def _stands_in(words: str, quotes: list[tuple[str, Folded]]) -> bool:
    bare = words.strip().rstrip(".,;:!?")
    return not words.strip() or any(
        not splits_token(quote, place.start, place.end)
        for quote, folded in quotes
        for place in folded_places(quote, folded, bare, _FOLDS)
    )


def wording_fault(text: str, citations: Iterable[VerifiedCitation], question: str = "") -> ReasonCode | None:
    """The code under which the wording of a claim is refused, or None where it may leave with these citations."""
    citations, written, text = tuple(citations), text, " ".join(text.split())  # as it will be shown, on one line
    stands = partial(_stands_in, quotes=[(each.display, fold(each.display, _FOLDS)) for each in citations])
    addresses = [word for word in text.split() if marks.ADDRESS.search(word)]
    remarks = marks.BRACKETED.findall(text)
    quotations = [next(filter(None, match.groups()), "") for match in marks.QUOTED.finditer(text)]
    if (
        not any(map(str.isalnum, text))
        or any(pattern.search(form) for pattern in _UNSAFE for form in (written, text))
        or any(hidden_characters(text, frozenset()))
        or len(addresses) + len(remarks) + len(quotations) > _MOST_PARTS
        or marks.BRACKET.search(marks.BRACKETED.sub(" ", text))
        or not all(map(stands, [*addresses, *remarks]))
    ):
        return ReasonCode.WORDING_UNSAFE
    open_quote = marks.OPEN_QUOTE.search(marks.QUOTED.sub(" ", text))  # it could take in anything that follows
    if not stands(text) and (open_quote or not all(map(stands, quotations))):
        return ReasonCode.WORDING_UNSAFE
    known = numbers_in(_as_seen(for_numbers(question)))
    for citation in citations:
        for part in citation.proofs:
            known |= numbers_in(_as_seen(part))
    return None if numbers_in(text) <= known else ReasonCode.NUMBER_UNSUPPORTED
