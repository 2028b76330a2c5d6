"""Places in a source that the folds of the profile `extracted` and the fold `capitals` let a quote read otherwise.

Each function finds the sites of one fold; all are linear in the text.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple
from unicodedata import category

from verified_gate.text.borders import seen_after
from verified_gate.text.characters import LINE_BREAK, UNSPACED, is_unspaced
from verified_gate.text.words import ALL_NEGATORS


class Site(NamedTuple):
    """Where [start, end) may also read as one of `readings`. `any_case`: it may also read in any letter case."""

    start: int
    end: int
    fold: str
    readings: tuple[str, ...] = ()
    any_case: bool = False
    kept: str = ""

    def moved(self, start: int, end: int, kept: str) -> "Site":
        """The same site in the offsets of a form, with what the form has there."""
        return Site(start, end, self.fold, self.readings, self.any_case, kept)


_WORDS: Final = re.compile(r"[^\W\d_]+")
BULLETS: Final = "•▪◦‣·●○■➢\uf0b7\uf0a7"
_INLINE: Final = frozenset("•▪◦‣")

_NL: Final = r"\n\r\x0b\x0c\x85\u2028\u2029"
_AFTER_HYPHEN: Final = rf"[ \t\u00a0]*(?:\r\n|[{_NL}])[ \t\u00a0]*(?=[^\W\d_])"
LINE_HYPHEN: Final = re.compile(rf"[-\u2010\u2011\u00ad\x02\ufffe]{_AFTER_HYPHEN}|[\u00ad\x02\ufffe](?=[^\W\d_])")
_ASCII_LINE_HYPHEN: Final = re.compile(rf"[-\x02]{_AFTER_HYPHEN}|\x02(?=[^\W\d_])")
_BREAK: Final = re.compile(rf"(?:\r\n|[{_NL}])[ \t\u3000]*(?=[{UNSPACED}])")
_LIST_MARK: Final = re.compile(rf"[-*{BULLETS}]\s+")
_ASCII_LIST_MARK: Final = re.compile(r"[-*]\s+")
_AMOUNT: Final = re.compile(r"[(#\[]?(?:[+\-\u2010-\u2015\u2212%±<>=≤≥~≈.,]|[A-Z]{3}\s?\d)")
_PIPES: Final = re.compile(rf"\|(?:\s|\||:?-{{3,}}:?(?=\s*(?:\||\Z|[{_NL}])))*")
_LINE_END: Final = re.compile(rf"[{_NL}]")
_HEADING: Final = re.compile(rf"(?:\A|[{_NL}])[ ]{{0,3}}(#{{1,6}}[ \t]+)")
_LINK_END: Final = re.compile(r"\]\([^()\s]{0,2000}\)")
_TARGET: Final = re.compile(
    r"\]\((?:[A-Za-z][A-Za-z0-9+.-]*:|[/#?]|\.{1,2}/|www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}[/#?)])"
)
_EMPHASIS: Final = re.compile(r"([*_`])\1*")
_FOOTNOTE: Final = re.compile(r"(?:\[\^?\d{1,3}\])+")
_SENTENCE_END: Final = re.compile(r"[.!?][\"'”’»)]?\Z")
_NUMBER_BEFORE: Final = re.compile(r"\d[\s)\]-]*\Z")
_CODE: Final = re.compile(r"(?<!\w)[A-Z]{2,4}\Z")
_CLOSING: Final = frozenset(".,;:!?)\"'”’»")
_CAPITALS: Final = re.compile(r"[^\W\d_]+")
_RUN_END: Final = re.compile(r"[.!?]\s|\n[ \t]*\r?\n|\r[ \t]*\r")
_FOUR_CAPITALS: Final = re.compile(r"[A-Z]+(?:[^A-Za-z]+[A-Z]+(?![A-Za-z])){3,}")
"""Four words in capitals in a row, in ASCII: elsewhere no word need be looked at."""
_EMPHASIS_REACH: Final = 2_000


def find_sites(text: str, folds: frozenset[str], furniture: tuple[tuple[int, int], ...]) -> Iterator[Site]:
    """The sites of the named folds in `text`, in its own offsets and no particular order."""
    if "line-hyphen" in folds:
        for match in (_ASCII_LINE_HYPHEN if text.isascii() else LINE_HYPHEN).finditer(text):
            if text[match.start() - 1 : match.start()].isalpha():
                yield Site(*match.span(), "line-hyphen", ("", "-", "- "))
    if "cjk-break" in folds and not text.isascii():
        for match in _BREAK.finditer(text):
            start = match.start()
            while start > 0 and text[start - 1] in " \t\u3000":
                start -= 1
            digits = start > 0 and text[start - 1].isnumeric() and text[match.end()].isnumeric()
            if start > 0 and is_unspaced(text[start - 1]) and not digits:
                yield Site(start, match.end(), "cjk-break", ("",))
    if "list-marks" in folds:
        yield from _list_marks(text)
    if "table-borders" in folds and "|" in text:
        yield from _table_borders(text)
    if "markdown" in folds:
        yield from _markdown(text)
    if "footnotes" in folds and "[" in text:
        yield from _footnotes(text)
    if "furniture" in folds:
        yield from _furniture(text, furniture)
    if "capitals" in folds:
        yield from _capitals(text)


def _table_borders(text: str) -> Iterator[Site]:
    """Only in lines with two borders or more: `P(A | B)` is no table. Digits on both sides keep theirs."""
    line_end = rows = 0
    for match in _PIPES.finditer(text):
        start, end = match.span()
        if start >= line_end:
            line_start, line_end = line_end, next((m.start() for m in _LINE_END.finditer(text, start)), len(text))
            rows = text.count("|", line_start, line_end)
        before, after = text[max(0, start - 80) : start].rstrip()[-1:], text[end : end + 1]
        if rows < 2 or text[start - 1 : start].strip() or (end < len(text) and not text[end - 1].isspace()):
            continue
        if not (before.isnumeric() and after.isnumeric()):
            yield Site(start, end, "table-borders", ("",))


def _list_marks(text: str) -> Iterator[Site]:
    for match in (_ASCII_LIST_MARK if text.isascii() else _LIST_MARK).finditer(text):
        start, end = match.span()
        mark, line = text[start], start
        while line > 0 and text[line - 1] in " \t\u00a0":
            line -= 1
        if line == 0 or text[line - 1] in LINE_BREAK:
            if mark not in "-*·" or not _opens_amount(seen_after(text, end)):
                yield Site(start, end, "list-marks", ("",))
        elif line < start and mark in _INLINE and _between_words(text, line, end):
            yield Site(start, end, "list-marks", ("",))


def _between_words(text: str, before: int, after: int) -> bool:
    """Is it no operator between numbers or single letters?"""
    left, right = text[max(0, before - 2) : before], text[after : after + 2]
    return (left.isalpha() or left[-1:] in _CLOSING) and len(right) == 2 and right.isalpha()


def _opens_amount(seen: str) -> bool:
    """Does a number, a sign or a currency stand here, as a reader sees it?"""
    bare = seen.lstrip("([#\"'“‘ ")
    return bool(bare) and (bare[0].isnumeric() or category(bare[0]) == "Sc" or _AMOUNT.match(bare) is not None)


def _markdown(text: str) -> Iterator[Site]:
    if "#" in text:
        for match in _HEADING.finditer(text):
            yield Site(*match.span(1), "markdown", ("",))
    floor = 0
    for match in _LINK_END.finditer(text) if "](" in text else ():
        opening = text.rfind("[", floor, match.start())
        glued = opening > 0 and text[opening - 1].isalnum()
        if opening >= 0 and not glued and _TARGET.search(match.group()):
            yield Site(opening, opening + 1, "markdown", ("",))
            yield Site(*match.span(), "markdown", ("",))
        floor = match.end()
    opened: dict[str, int] = {}
    for match in _EMPHASIS.finditer(text) if "*" in text or "_" in text or "`" in text else ():
        marks, (start, end) = match.group(), match.span()
        before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
        if len(marks) > 3:
            continue
        if marks in ("*", "_") and not (before.isalpha() or after.isalpha()):
            continue  # `5 *3* 2` is a product
        if not before.isspace() and not after.isalnum() and start - opened.get(marks, start) <= _EMPHASIS_REACH:
            if marks in opened:
                opening = opened.pop(marks)
                yield Site(opening, opening + len(marks), "markdown", ("",))
                yield Site(start, end, "markdown", ("",))
        elif not after.isspace() and not before.isalnum():
            opened[marks] = start


def _footnotes(text: str) -> Iterator[Site]:
    for match in _FOOTNOTE.finditer(text):
        start, end = match.span()
        after = text[end : end + 1]
        if after.isalnum() or after in ("(", ":"):
            continue
        word_end = start
        while word_end > 0 and text[word_end - 1] in " \t\u00a0":
            word_end -= 1
        before = text[max(0, word_end - 5) : word_end]
        opens = text[end : end + 8].lstrip()[:1]
        if word_end < start and not (_SENTENCE_END.search(before) and (not opens or opens.isupper())):
            continue  # `within [30] days`: an amount, not a mark
        if before and (before[-1] in _CLOSING or (before[-2:].isalnum() and not _CODE.search(before))):
            yield Site(word_end, end, "footnotes", ("",))


def _furniture(text: str, furniture: tuple[tuple[int, int], ...]) -> Iterator[Site]:
    for start, last in furniture:
        if _turns_the_meaning(text[start:last]):
            continue
        end = last
        while end < len(text) and text[end].isspace():
            end += 1
        opens = start == 0 or text[start - 1].isspace()
        yield Site(start, end, "furniture", ("" if opens else " ",))


def _turns_the_meaning(line: str) -> bool:
    """Could a line that is marked as furniture be part of a sentence, and negate or limit it? `not` at the top of each page
    is no header; `NOT FOR DISTRIBUTION` is one.
    """
    words = _WORDS.findall(line)
    goes_on = line.lstrip()[:1].islower() or len(words) < 3
    return goes_on and any(word.casefold() in ALL_NEGATORS for word in words)


def _capitals(text: str) -> Iterator[Site]:
    """Runs of more than three words in capitals, two of them longer than three letters (`US, UK, EU, UN` is none)."""
    probe = text
    for char in set(text) if not text.isascii() else ():
        if char > "\x7f" and char.isupper():
            probe = probe.replace(char, "X")
    for match in _FOUR_CAPITALS.finditer(probe):
        start = match.start()
        while start > 0 and text[start - 1].isalpha():
            start -= 1
        yield from _runs_of_capitals(text, start, match.end())


def _runs_of_capitals(text: str, start: int, end: int) -> Iterator[Site]:
    run: list[tuple[int, int]] = []
    for match in _CAPITALS.finditer(text, start, end):
        goes_on = match.group().isupper()
        if not goes_on or (run and _RUN_END.search(text, run[-1][1], match.start())):
            yield from _capital_words(text, run)
            run = []
        if goes_on:
            run.append(match.span())
    yield from _capital_words(text, run)


def _capital_words(text: str, run: list[tuple[int, int]]) -> Iterator[Site]:
    if len(run) > 3 and sum(end - start > 3 for start, end in run) >= 2:
        for start, end in run:
            if not _NUMBER_BEFORE.search(text, max(0, start - 40), start):  # `50 MW` is a unit
                yield Site(start, end, "capitals", any_case=True)
