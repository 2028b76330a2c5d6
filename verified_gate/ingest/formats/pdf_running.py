"""Running headers, footers and page numbers of a PDF, which marks none of them.

The rules are conservative: what is taken for one of these can be left out of a quote by the fold `furniture`. So only
whole lines count: at the edge of the page where they come again at the same height; and, wherever they stand, numbers
that count up by one about as far apart as pages are.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from verified_gate.ingest.formats.pdf_page import Line, PageText

EDGE: Final = 0.15
"""A running line stands within this share of the page's height from its upper or lower edge."""
EDGE_LINES: Final = 4
"""And is among this many lines nearest to that edge."""
REPEATED: Final = 3
"""On so many pages the line must come again; in a document of fewer, on all of them and on two at least."""
SAME_HEIGHT: Final = 3.0
"""Points."""
COUNTED: Final = 4
"""So many numbers must count up by one, where they stand anywhere on their pages."""
APART: Final = 600
"""Code points between two of them, at least; twice as many on average."""
INDENT: Final = 0.2
"""A bare number stands further from the left edge than this share of the page: one at the margin may number a clause."""

_NUMBER: Final = re.compile(r"\d+")
_ROMAN: Final = re.compile(r"[-–—( ]*([ivxlcdm]{1,8}|[IVXLCDM]{1,8})[-–—) ]*")
_ROMAN_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_COUNTING: Final = re.compile(
    r"(?:([-–—])\s*(\d{1,4})\s*[-–—]|((?:page|seite)\s+)(\d{1,4})(?:\s.{0,12})?|(\d{1,4}))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Placed:
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


def running_lines(
    lines: Sequence[Sequence[Placed]], pages: Sequence[PageText], labels: Sequence[str]
) -> set[tuple[int, int]]:
    """The spans of running headers, footers and page numbers."""
    groups: dict[tuple[str, bool], list[Placed]] = defaultdict(list)
    for number, page in enumerate(pages):
        for each, above in _at_edges(lines[number], page):
            shape = _NUMBER.sub("#", " ".join(each.words.split()))
            if _ROMAN.fullmatch(each.words) and _value(each.words) is not None:
                shape = "#"
            groups[shape, above].append(each)
    found: set[tuple[int, int]] = set()
    least = REPEATED if len(pages) >= REPEATED else max(2, len(pages))
    for (shape, _), group in groups.items():
        if not any(map(str.isalnum, shape)) and "#" not in shape:
            continue
        for near in _same_height(group):
            found.update(each.span for each in _agreeing(near, labels, least))
    return found | _counting(lines, pages)


def _counting(lines: Sequence[Sequence[Placed]], pages: Sequence[PageText]) -> set[tuple[int, int]]:
    """The spans of page numbers that stand anywhere on their pages, as in what was a web page before."""
    chains: dict[str, dict[int, list[Placed]]] = defaultdict(
        dict
    )  # by their shape, and by the number they have come to
    ended: list[list[Placed]] = []
    for page in lines:
        for each in page:
            match = _COUNTING.fullmatch(each.words) if len(each.words) <= 24 else None
            if match is None or (match[5] and each.line.left < INDENT * pages[each.page].width):
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
    ordered = sorted(lines, key=lambda each: -each.line.base)
    for each in ordered[:EDGE_LINES]:
        if each.line.base >= page.height * (1 - EDGE):
            yield each, True
    for each in ordered[-EDGE_LINES:]:
        if each.line.base <= page.height * EDGE:
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
