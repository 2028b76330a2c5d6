"""Text fragments: the part of an address after which a browser opens a page at a quote and marks it.

By the WICG draft "URL Fragment Text Directives": `#:~:text=[prefix-,]start[,end][,-suffix]`. A browser looks for whole
words, whatever the case, in the text of the page with white space collapsed, and takes the first place that fits; one
term must stand in one block of the page. So a long quote, and one that runs over blocks, is told by its first and its
last words, and one that stands there more than once by the words around it. What a page may hold in other signs than
its text (marks of notes, boxes to tick, exponents, fractions) is no part of a term, with the word that it touches.
"""

import re
from typing import Final
from urllib.parse import quote

LONGEST_TERM: Final = 300
"""Code points of a quote that is told whole."""

_FEW: Final = 5
"""Words by which the beginning, the end, or what stands around is told at first."""
_MANY: Final = 40
_CUTS: Final = re.compile(r"\s*[\n\r\t\u2028\u2029]\s*")
"""Borders of blocks and cells."""
_OTHERWISE: Final = re.compile(
    r"(?<=\S)\s?\[[^\]\s]{1,6}\]|[☐☒√⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎]{1,40}|[_^](?=[\d(])|(?<=[\d)])/(?=[\d(])"
)
"""What a page may hold in other signs: marks of notes, boxes to tick, exponents, formulas."""
_LONGEST_WORD: Final = 40
"""Code points of a word that such a sign touches."""
_WORD: Final = re.compile(r"\S+")
_CLAUSES: Final = re.compile(r"[。，；、！？]")


def text_fragment(text: str, start: int, end: int, *, element: str = "") -> str:
    """`#:~:text=…` for the span of `text` (code points, end exclusive), with the `element` before it where one is known.

    `text` is the document, or what is known of it: only what it holds is told apart. Work is linear in it. Raises
    `ValueError` for a span without words.
    """
    if not 0 <= start < end <= len(text) or not text[start:end].strip():
        raise ValueError("a text fragment needs a span of words")
    before, inner, after = (_flat(part) for part in (text[:start], text[start:end], text[end:]))
    if not inner:  # nothing else stands in it: as it is, then
        before, inner, after = (_flat(part, certain=False) for part in (text[:start], text[start:end], text[end:]))
    page = f"{before}{_between(text, start)}{inner}{_between(text, end)}{after}".casefold()
    at = len(f"{before}{_between(text, start)}".casefold())
    pieces = inner.split("\n")
    if len(pieces) == 1 and len(inner) <= LONGEST_TERM:
        terms = _whole(page, at, inner, before, after)
    else:
        terms = _range(page, at, inner, pieces, before, after)
    anchor = quote(element, safe="") if element else ""
    return f"#{anchor}:~:text={terms}"


def _whole(page: str, at: int, inner: str, before: str, after: str) -> str:
    """The quote itself; where it stands earlier too, with as many words before it as tell it from the others."""
    finish = at + len(inner.casefold())
    if page.find(inner.casefold()) >= at:
        return _encoded(inner)
    head = len(page[:at].rstrip())
    for count in range(1, _MANY):
        prefix = _last_words(before, count)
        starts = head - len(prefix.casefold())
        if prefix and page.find(page[starts:finish]) == starts:
            return _around(_encoded(inner), prefix, "")
    return _around(_encoded(inner), _last_words(before, _FEW), _first_words(after, _FEW))


def _range(page: str, at: int, inner: str, pieces: list[str], before: str, after: str) -> str:
    """The first and the last words of the quote: as many as tell its end from an earlier one, and its beginning too."""
    finish = at + len(inner.casefold())
    first = _opening(pieces[0], _FEW)
    prefix = "" if page.find(first.casefold()) >= at else _last_words(before, _FEW)
    if prefix and page.count(first.casefold()) > 1:
        first = _opening(pieces[0], 2 * _FEW)
    opened = at + len(first.casefold())
    last = _closing(pieces[-1], _FEW)
    for count in range(_FEW, _MANY):
        last = _closing(pieces[-1], count)
        found = page.find(last.casefold(), opened)
        if found < 0 or found + len(last.casefold()) == finish:
            break
    ends = page.find(last.casefold(), opened) + len(last.casefold()) == finish
    return _around(f"{_encoded(first)},{_encoded(last)}", prefix, "" if ends else _first_words(after, _FEW))


def _around(term: str, prefix: str, suffix: str) -> str:
    return f"{f'{_encoded(prefix)}-,' if prefix else ''}{term}{f',-{_encoded(suffix)}' if suffix else ''}"


def _flat(text: str, *, certain: bool = True) -> str:
    """White space collapsed; a line end between blocks, and in the place of what the page may hold in other signs."""
    pieces = (" ".join(piece.split()) for piece in _CUTS.split(_without_doubts(text) if certain else text))
    return "\n".join(piece for piece in pieces if piece and (not certain or any(map(str.isalnum, piece))))


def _without_doubts(text: str) -> str:
    """The text with a line end for each sign that a page may hold otherwise, and for the word that it touches."""
    pieces, at = [], 0
    for found in _OTHERWISE.finditer(text):
        start, end = found.span()
        while start > max(at, found.start() - _LONGEST_WORD) and _spelled(text[start - 1]):
            start -= 1
        while end < min(len(text), found.end() + _LONGEST_WORD) and _spelled(text[end]):
            end += 1
        if start >= at:
            pieces.append(text[at:start])
        at = max(at, end)
    return "\n".join((*pieces, text[at:]))


def _spelled(char: str) -> bool:
    """Whether it goes on a word, in a script that parts words by spaces."""
    return char.isalnum() and char < "\u2e80"


def _between(text: str, border: int) -> str:
    around = text[max(0, border - 1) : border + 1]
    if not any(map(str.isspace, around)):
        return ""
    return "\n" if any(char in "\n\r\t\u2028\u2029" for char in around) else " "


def _first_words(text: str, count: int) -> str:
    line = text.split("\n", 1)[0]
    found = [match.end() for match in _WORD.finditer(line, 0, 4_000)][:count]
    return line[: found[-1]] if found else ""


def _last_words(text: str, count: int) -> str:
    line = text[-4_000:].rsplit("\n", 1)[-1]
    found = [match.start() for match in _WORD.finditer(line)][-count:]
    return line[found[0] :] if found else ""


def _opening(piece: str, count: int) -> str:
    words = _first_words(piece, count)
    if len(words) <= LONGEST_TERM:
        return words
    clause = _CLAUSES.search(words, 8)  # in a script without spaces, a border of words for sure
    return words[: clause.start() if clause and clause.start() <= LONGEST_TERM else LONGEST_TERM]


def _closing(piece: str, count: int) -> str:
    words = _last_words(piece, count)
    if len(words) <= LONGEST_TERM:
        return words
    cuts = [match.end() for match in _CLAUSES.finditer(words, 0, len(words) - 8)]
    return words[max(cuts[-1] if cuts else 0, len(words) - LONGEST_TERM) :]


def _encoded(term: str) -> str:
    """Percent-encoded so that no sign of it is one of the directive's own: `-`, `,` and `&` too."""
    return quote(term, safe="").replace("-", "%2D")
