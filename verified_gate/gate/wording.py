"""The wording rule: a claim's own words are untrusted too.

Words between quotation marks must stand in the claim's verified quotes; every number in those quotes, the question, or
the cited title or heading; links, markup, marks that look like citations and hidden characters do not pass.
"""

import re
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
from verified_gate.text.numbers import numbers_in

_FOLDS: Final = PROFILES["typographic"].folds

_LINK: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{0,30}://|\b(?:javascript|data|mailto|vbscript|file):|\bwww\.|\]\(", re.IGNORECASE
)
_MARKUP: Final = re.compile(
    r"<[A-Za-z/!?]|&(?:#\d|#x|[A-Za-z]\w{0,30};)|[*_]{2}|`|~~|(?:\A|\n)[ \t]{0,9}(?:#{1,6}[ \t]|>|\|)|!\["
)
_CITATION_MARK: Final = re.compile(r"\[\s{0,3}\^?(?:\d|[A-Za-z]{1,3}\d)[^\[\]\n]{0,40}\]|[【】†‡〔〕]|[\ue000-\uf8ff]")
_QUOTED: Final = re.compile(
    r"“([^“”]*)”|„([^„“”]*)[“”]|«([^«»]*)»|»([^«»]*)«|‹([^‹›]*)›|\"([^\"]*)\"|「([^「」]*)」|『([^『』]*)』"
    r"|(?<!\w)‘([^‘]*?)’(?!\w)|(?<![\w'])'([^']*)'(?![\w'])"
)
_QUOTE_MARKS: Final = re.compile('[“”„«»"「」『』]')
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
    if _LINK.search(text) or _MARKUP.search(text) or _CITATION_MARK.search(text):
        return ReasonCode.WORDING_UNSAFE
    if any(hidden_characters(text, frozenset())) or any(
        category(char) == "Cc" for char in text if char not in "\n\r\t"
    ):
        return ReasonCode.WORDING_UNSAFE
    if _stands_in(text, quotes):
        return None
    if _QUOTE_MARKS.search(_QUOTED.sub("", text)):
        return ReasonCode.WORDING_UNSAFE  # an open quotation could take in anything that follows
    for match in _QUOTED.finditer(text):
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
