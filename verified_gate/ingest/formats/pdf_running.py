"""Running headers, footers and page numbers of a PDF, which marks none of them.

The rules are conservative: what is taken for one of these can be left out of a quote by the fold `furniture`. So only
whole lines count, at the edge of the page where they come again at the same height: page numbers, lines that are the
same on three pages, apart from a page number that says it is one, and say nothing as a sentence does, and the page's
number beside a title of the document's outline; and, wherever they stand, numbers that count up by one about as far apart
as pages are.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from verified_gate.ingest.formats.pdf_page import Line, PageText

EDGE: Final = 0.15
"""A running line stands within this share of the page's height from its upper or lower edge."""
EDGE_LINES: Final = 4
"""And is among this many lines nearest to that edge."""
REPEATED: Final = 3
"""On so many pages the line must come again; page numbers of a document of fewer on all of them and on two at least."""
SAME_HEIGHT: Final = 3.0
"""Points."""
COUNTED: Final = 4
"""So many numbers must count up by one, where they stand anywhere on their pages."""
APART: Final = 600
"""Code points between two of them, at least; twice as many on average."""
INDENT: Final = 0.2
"""A bare number stands further from the left edge than this share of the page: one at the margin may number a clause."""

LONGEST_TITLE: Final = 200

_NUMBERED: Final = re.compile(
    r"^(?:(?:chapter|section|kapitel|abschnitt)\s+)?(?:\d+|[a-z])(?:\.\d+)*[.:)]?\s+", re.IGNORECASE
)
_TITLED: Final = re.compile(r"(\d{1,4})\s+(\S.*)|(.*\S)\s+(\d{1,4})")
_NUMBER: Final = re.compile(r"\d+")
_ROMAN: Final = re.compile(r"[-–—( ]*([ivxlcdm]{1,8}|[IVXLCDM]{1,8})[-–—) ]*")
_ROMAN_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_COUNTING: Final = re.compile(
    r"(?:([-–—])\s*(\d{1,4})\s*[-–—]|((?:page|seite)\s+)(\d{1,4})(?:\s.{0,12})?|(\d{1,4}))", re.IGNORECASE
)
_PAGE_NUMBER: Final = re.compile(
    r"[-–—\[(|/·•\s]*(?:(?:page|seite|p\.|s\.|pg\.?|página|pagina|blatt)\s*)?#?(?:\s*(?:of|von|de|sur|/)\s*#?)?[-–—\])|·•.\s]*",
    re.IGNORECASE,
)
"""A line, with # for its numbers, that says nothing but where in the document it is."""
_PAGE_PART: Final = re.compile(
    r"(?:page|seite|pg\.?) \d+(?: ?(?:of|von|/) ?\d+)?(?=\W)|\b(?:page|seite|pg\.?) \d+(?: ?(?:of|von|/) ?\d+)?$",
    re.IGNORECASE,
)
"""At the beginning of a line, or at the end of it."""
_SENTENCE_WORDS: Final = 4
"""Words; a line of so many that ends as a sentence does is one."""
_SAYS: Final = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "shall",
        "must",
        "may",
        "will",
        "would",
        "should",
        "can",
        "cannot",
        "has",
        "have",
        "had",
        "does",
        "do",
        "applies",
        "means",
        "includes",
        "excludes",
        "expires",
        "ends",
        "begins",
        "ist",
        "sind",
        "war",
        "waren",
        "wird",
        "werden",
        "muss",
        "müssen",
        "darf",
        "dürfen",
        "soll",
        "sollen",
        "hat",
        "haben",
        "kann",
        "können",
        "gilt",
        "gelten",
        "est",
        "sont",
        "doit",
        "doivent",
        "peut",
        "peuvent",
        "es",
        "son",
        "debe",
        "deben",
        "puede",
        "pueden",
    ]
)
_DENIES: Final = frozenset(
    [
        "not",
        "no",
        "never",
        "none",
        "nor",
        "neither",
        "without",
        "except",
        "unless",
        "nicht",
        "kein",
        "keine",
        "keinen",
        "keiner",
        "keines",
        "nie",
        "niemals",
        "ohne",
        "außer",
        "pas",
        "non",
        "ne",
        "jamais",
        "sans",
        "sauf",
        "ni",
        "nunca",
        "sin",
        "excepto",
    ]
)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the document's outline: depth from 1, title, page from 0."""

    level: int
    title: str
    page: int


class Placed(NamedTuple):
    """A line in the whole document: its page from 0, and its span of the text."""

    page: int
    line: Line
    span: tuple[int, int]
    words: str


def placed(pages: Sequence[PageText], starts: Sequence[int]) -> list[list[Placed]]:
    """The lines of each page with their place in the document, in the order of the text."""
    return [
        [
            Placed(
                number, line, (starts[number] + line.start, starts[number] + line.end), page.text[line.start : line.end]
            )
            for line in page.lines
        ]
        for number, page in enumerate(pages)
    ]


def names_of(words: str) -> list[str]:
    """How a title may be written: in small letters, and without its number."""
    plain = " ".join(words.split()).casefold()
    bare = _NUMBERED.sub("", plain)
    return [plain] if bare in ("", plain) else [plain, bare]


def running_lines(
    lines: Sequence[Sequence[Placed]],
    pages: Sequence[PageText],
    labels: Sequence[str],
    outline: Sequence[Bookmark] = (),
) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The spans of running headers, footers and page numbers; and those of them that may say more than which page it
    is: the first of each line that comes again, and numbers that stand anywhere. They must be found and quoted too.
    """
    groups: dict[tuple[str, bool], list[Placed]] = defaultdict(list)
    for number, page in enumerate(pages):
        for each, above in _at_edges(lines[number], page):
            groups[_shape(each.words), above].append(each)
    found: set[tuple[int, int]] = set()
    telling: set[tuple[int, int]] = set()
    for (shape, _), group in groups.items():
        if not any(map(str.isalnum, shape)) and "#" not in shape:
            continue
        numbered = _PAGE_NUMBER.fullmatch(shape) is not None
        if not numbered and _may_be_said(shape):
            continue
        least = REPEATED if len(pages) >= REPEATED or not numbered else max(2, len(pages))
        for near in _same_height(group):
            for same in [near] if numbered else _same_words(near):
                agreeing = [each.span for each in _agreeing(same, labels, least)]
                found.update(agreeing)
                if agreeing and not numbered:
                    telling.add(min(agreeing))
    for same in _titled(lines, pages, labels, outline) if outline else ():
        spans = {each.span for each in same} - found
        found |= spans
        telling |= {min(spans)} if spans else set()
    anywhere = _counting(lines, pages) - found
    return found | anywhere, telling | anywhere


def _titled(
    lines: Sequence[Sequence[Placed]], pages: Sequence[PageText], labels: Sequence[str], outline: Sequence[Bookmark]
) -> Iterable[list[Placed]]:
    """The page's number and beside it a title of the outline that has begun, those of one title together: where lines of
    both stand at one height of three pages.
    """
    begun: dict[str, int] = {}
    for mark in outline:
        for name in names_of(mark.title):
            if sum(map(str.isalpha, name)) > 2:
                begun[name] = min(mark.page, begun.get(name, mark.page))
    found: dict[bool, list[Placed]] = defaultdict(list)
    values: dict[tuple[int, int], tuple[str, str]] = {}
    for number, page in enumerate(pages):
        for each, above in _at_edges(lines[number], page):
            match = _TITLED.fullmatch(each.words) if len(each.words) <= LONGEST_TITLE else None
            if match is None:
                continue
            title = match[2] or match[3]
            known = any(begun.get(name, len(pages)) <= number for name in names_of(title))
            if known and not _may_be_said(_shape(title)):
                found[above].append(each)
                values[each.span] = match[1] or match[4], " ".join(title.split())
    for group in found.values():
        for near in _same_height(group):
            along = _often((int(values[each.span][0]) - each.page for each in near), REPEATED)
            same: dict[str, list[Placed]] = defaultdict(list)
            for each in near:
                value, title = values[each.span]
                if int(value) - each.page in along and labels[each.page] in ("", value):
                    same[title].append(each)
            if len({each.page for those in same.values() for each in those}) >= REPEATED:
                yield from same.values()


def _shape(words: str) -> str:
    """A line with # for each of its numbers."""
    if _ROMAN.fullmatch(words) and _value(words) is not None:
        return "#"
    return _NUMBER.sub("#", " ".join(words.split()))


def _may_be_said(shape: str) -> bool:
    """May the line be words of the text, which happen to stand at the edge of some pages?"""
    words = [word.strip(".,;:!?()\"'").casefold() for word in shape.split()]
    if any(word in _DENIES or word in _SAYS for word in words):
        return True
    if len(words) >= _SENTENCE_WORDS and shape.rstrip(" \"'”’)»")[-1:] in ".!?;:":
        return True
    address = len(words) == 1 and any(mark in shape for mark in "./@")
    return shape[:1].islower() and not address


def _same_words(group: Sequence[Placed]) -> Iterable[list[Placed]]:
    """Those that are the same letter by letter, apart from a page number that says it is one."""
    same: dict[str, list[Placed]] = defaultdict(list)
    for each in group:
        words = " ".join(each.words.split())
        part = _PAGE_PART.match(words) or _PAGE_PART.search(words)
        if part is not None and part.start() > 0 and part.end() < len(words):
            part = None
        same[words if part is None else f"{words[: part.start()]}#{words[part.end() :]}"].append(each)
    return same.values()


def _counting(lines: Sequence[Sequence[Placed]], pages: Sequence[PageText]) -> set[tuple[int, int]]:
    """The spans of page numbers that stand anywhere on their pages, as in what was a web page before."""
    chains: dict[str, dict[int, list[Placed]]] = defaultdict(
        dict
    )  # by their shape, and by the number they have come to
    ended: list[list[Placed]] = []
    for page in lines:
        for each in page:
            match = _COUNTING.fullmatch(each.words) if len(each.words) <= 24 else None
            if match is None or (match[5] and each.line.left - pages[each.page].left < INDENT * pages[each.page].width):
                continue
            shape, value = ("-" if match[1] else "page" if match[3] else ""), int(match[2] or match[4] or match[5])
            chain = chains[shape].pop(value - 1, [])
            if chain and each.span[0] - chain[-1].span[1] < APART:
                ended.append(chain)
                chain = []
            chains[shape][value] = [*chain, each]
    ended += [chain for shape in chains.values() for chain in shape.values()]
    return {
        each.span
        for chain in ended
        if len(chain) >= COUNTED and chain[-1].span[0] - chain[0].span[0] >= 2 * APART * (len(chain) - 1)
        for each in chain
    }


def _at_edges(lines: Sequence[Placed], page: PageText) -> Iterable[tuple[Placed, bool]]:
    """Lines near the upper (True) or lower edge of a page."""
    if page.height <= 0:
        return
    low, high = page.bottom + page.height * EDGE, page.bottom + page.height * (1 - EDGE)
    ordered = sorted(lines, key=lambda each: -each.line.base)
    for each in ordered[:EDGE_LINES]:
        if each.line.base >= high:
            yield each, True
    for each in ordered[-EDGE_LINES:]:
        if each.line.base <= low:
            yield each, False


def _same_height(group: Sequence[Placed]) -> Iterable[list[Placed]]:
    near: list[Placed] = []
    for each in sorted(group, key=lambda each: each.line.base):
        if near and each.line.base - near[0].line.base > SAME_HEIGHT:
            yield near
            near = []
        near.append(each)
    if near:
        yield near


def _agreeing(group: Sequence[Placed], labels: Sequence[str], least: int) -> Iterable[Placed]:
    """Those whose numbers are the same on enough pages, or count along with the pages."""
    if len({each.page for each in group}) < least:
        return
    numbers = [_numbers(each.words) for each in group]
    width = max(map(len, numbers))
    fixed: list[set[int]] = []
    along: list[set[int]] = []
    for at in range(width):
        column = [(row[at], each.page) for row, each in zip(numbers, group, strict=True) if len(row) > at]
        fixed.append(_often((value for value, _ in column), least))
        along.append(_often((value - page for value, page in column), least))
    for each, row in zip(group, numbers, strict=True):
        page = each.page
        if all(
            value in fixed[at] or value - page in along[at] or str(value) == labels[page]
            for at, value in enumerate(row)
        ):
            yield each


def _often(values: Iterable[int], least: int) -> set[int]:
    return {value for value, count in Counter(values).items() if count >= least}


def _numbers(words: str) -> list[int]:
    value = _value(words) if _ROMAN.fullmatch(words) else None
    return [value] if value is not None else [int(found[:15]) for found in _NUMBER.findall(words)]


def _value(words: str) -> int | None:
    """The value of a Roman numeral, or None."""
    match = _ROMAN.fullmatch(words)
    if match is None:
        return None
    digits = [_ROMAN_DIGITS[char] for char in match[1].lower()]
    signed = [-one if one < other else one for one, other in pairwise(digits)]
    return sum(signed) + digits[-1]
