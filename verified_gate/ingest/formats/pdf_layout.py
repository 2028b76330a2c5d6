"""What the places of a PDF's lines say of them: running headers, footers and page numbers; headings; paragraphs.

A PDF marks none of these. The rules are conservative: what is taken for a running header could be left out of a quote
by the fold `furniture`, so only whole lines count, at the edge of the page, that come again at the same height.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from verified_gate.ingest.extracted import Block
from verified_gate.ingest.formats.pdf_page import Line, PageText
from verified_gate.text.sentences import begins_like_item

EDGE: Final = 0.15
"""A running line stands within this share of the page's height from its upper or lower edge."""
EDGE_LINES: Final = 4
"""And is among this many lines nearest to that edge."""
REPEATED: Final = 3
"""On so many pages the line must come again; in a document of fewer, on all of them and on two at least."""
SAME_HEIGHT: Final = 3.0
"""Points."""
LARGER: Final = 1.15
"""A heading is set in letters so many times larger than those of most of the text."""
LONGEST_HEADING: Final = 200
MOST_LEVELS: Final = 6

_NUMBER: Final = re.compile(r"\d+")
_ROMAN: Final = re.compile(r"[-–—( ]*([ivxlcdm]{1,8}|[IVXLCDM]{1,8})[-–—) ]*")
_NUMBERED: Final = re.compile(
    r"^(?:(?:chapter|section|kapitel|abschnitt)\s+)?(?:\d+|[a-z])(?:\.\d+)*[.:)]?\s+", re.IGNORECASE
)
_ROMAN_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_TERMINAL: Final = ".!?:;。！？।؟"


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the document's outline: depth from 1, title, page from 0."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class _Placed:
    """A line in the whole document: its page from 0, and its span of the text."""

    page: int
    line: Line
    span: tuple[int, int]
    words: str


def placed(pages: Sequence[PageText], starts: Sequence[int]) -> list[list[_Placed]]:
    """The lines of each page with their place in the document, in the order of the text."""
    return [
        [
            _Placed(
                number, line, (starts[number] + line.start, starts[number] + line.end), page.text[line.start : line.end]
            )
            for line in page.lines
        ]
        for number, page in enumerate(pages)
    ]


def running_lines(
    lines: Sequence[Sequence[_Placed]], pages: Sequence[PageText], labels: Sequence[str]
) -> set[tuple[int, int]]:
    """The spans of running headers, footers and page numbers."""
    groups: dict[tuple[str, bool], list[_Placed]] = defaultdict(list)
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
    return found


def _at_edges(lines: Sequence[_Placed], page: PageText) -> Iterable[tuple[_Placed, bool]]:
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


def _same_height(group: Sequence[_Placed]) -> Iterable[list[_Placed]]:
    near: list[_Placed] = []
    for each in sorted(group, key=lambda each: each.line.base):
        if near and each.line.base - near[0].line.base > SAME_HEIGHT:
            yield near
            near = []
        near.append(each)
    if near:
        yield near


def _agreeing(group: Sequence[_Placed], labels: Sequence[str], least: int) -> Iterable[_Placed]:
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


def headings(
    lines: Sequence[Sequence[_Placed]], outline: Sequence[Bookmark], skip: set[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    """The level of each line that is a heading, by its span: by the document's outline where most of its entries stand
    on their pages; else by the size of the letters, where one size is that of most of the text.
    """
    named = _named(lines, outline, skip)
    if outline and len(named) * 2 >= len(outline):
        return named
    return _larger([each for page in lines for each in page if each.span not in skip])


def _named(
    lines: Sequence[Sequence[_Placed]], outline: Sequence[Bookmark], skip: set[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    by_words: dict[int, dict[str, list[_Placed]]] = {}
    for mark in outline:
        if not 0 <= mark.page < len(lines):
            continue
        if mark.page not in by_words:
            known = by_words[mark.page] = defaultdict(list)
            for each in lines[mark.page]:
                if each.span not in skip and len(each.words) <= LONGEST_HEADING:
                    for name in _names(each.words):
                        known[name].append(each)
        for name in _names(mark.title):
            free = [each for each in by_words[mark.page].get(name, ()) if each.span not in found]
            if free:
                largest = max(free, key=lambda each: each.line.size)
                found[largest.span] = min(mark.level, MOST_LEVELS)
                break
    return found


def _names(words: str) -> list[str]:
    plain = " ".join(words.split()).casefold()
    bare = _NUMBERED.sub("", plain)
    return [plain] if bare in ("", plain) else [plain, bare]


def _larger(lines: Sequence[_Placed]) -> dict[tuple[int, int], int]:
    weight: Counter[float] = Counter()
    for each in lines:
        weight[each.line.size] += len(each.words)
    if not weight:
        return {}
    body, letters = weight.most_common(1)[0]
    if body <= 0 or letters < weight.total() / 2:
        return {}
    large = [
        each
        for each in lines
        if each.line.size >= body * LARGER and len(each.words) <= LONGEST_HEADING and any(map(str.isalpha, each.words))
    ]
    if len(large) > len(lines) / 4:
        return {}
    sizes = sorted({each.line.size for each in large}, reverse=True)
    return {each.span: min(sizes.index(each.line.size) + 1, MOST_LEVELS) for each in large}


def blocks_of(
    text: str, lines: Sequence[Sequence[_Placed]], titles: Mapping[tuple[int, int], int], skip: set[tuple[int, int]]
) -> tuple[Block, ...]:
    """Headings, paragraphs and items, in order. A paragraph that runs over the end of a page is one."""
    blocks: list[Block] = []
    before: _Placed | None = None
    for page in lines:
        usual = _usual_step(page, skip)
        for each in page:
            if each.span in skip:
                continue
            start, end = each.span
            level = titles.get(each.span, 0)
            last = blocks[-1] if blocks else None
            kind = "heading" if level else "item" if begins_like_item(text, start) else "paragraph"
            joined = (
                last is not None
                and before is not None
                and (
                    (
                        last.kind == "heading"
                        and last.level == level
                        and _next_line(before, each, 2.2 * before.line.size)
                    )
                    if level
                    else last.kind != "heading" and kind != "item" and _goes_on(before, each, usual)
                )
            )
            if joined and last is not None:
                blocks[-1] = Block(last.kind, last.start, end, last.level)
            else:
                blocks.append(Block(kind, start, end, level))  # type: ignore[arg-type]
            before = each
    return tuple(blocks)


def _usual_step(page: Sequence[_Placed], skip: set[tuple[int, int]]) -> float:
    """How far most lines of a page stand under the one before."""
    kept = [each.line.base for each in page if each.span not in skip]
    steps = [above - below for above, below in pairwise(kept) if above > below]
    return median(steps) if steps else 0.0


def _next_line(above: _Placed, below: _Placed, reach: float) -> bool:
    return above.page == below.page and 0 < above.line.base - below.line.base <= reach


def _goes_on(above: _Placed, below: _Placed, usual: float) -> bool:
    """Does the paragraph of `above` go on in `below`?"""
    step = above.line.base - below.line.base
    if above.page == below.page and abs(step) < 1:
        return True  # parts of one line
    if above.page == below.page and step > 0:
        size = max(above.line.size, below.line.size, 1.0)
        least = min(usual, 1.6 * size) if usual else 1.6 * size
        return step <= max(1.3 * least, 1.35 * size)
    # another column or page: it goes on where the sentence does
    return above.words.rstrip(" \"'”’)»")[-1:] not in _TERMINAL and not below.words[:1].isupper()
