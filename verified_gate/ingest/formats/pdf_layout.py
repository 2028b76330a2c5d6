"""What the places of a PDF's lines say of them: headings and paragraphs. A PDF marks neither."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from verified_gate.ingest.extracted import Block
from verified_gate.ingest.formats.pdf_footnotes import Footnote
from verified_gate.ingest.formats.pdf_running import Bookmark, Placed, names_of
from verified_gate.text.sentences import begins_like_item

LARGER: Final = 1.15
"""A heading is set in letters so many times larger than those of most of the text."""
LONGEST_HEADING: Final = 200
MOST_LEVELS: Final = 6

_TERMINAL: Final = ".!?:;。！？।؟"
_BEHIND: Final = " \"'”’)»⁰¹²³⁴⁵⁶⁷⁸⁹"
"""What may stand behind the end of a sentence: the mark of a footnote too."""


def headings(
    lines: Sequence[Sequence[Placed]], outline: Sequence[Bookmark], skip: set[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    """The level of each line that is a heading, by its span: by the document's outline where most of its entries stand
    on their pages; else by the size of the letters, where one size is that of most of the text.
    """
    named = _named(lines, outline, skip)
    if outline and len(named) * 2 >= len(outline):
        return named
    return _larger([each for page in lines for each in page if each.span not in skip])


def _named(
    lines: Sequence[Sequence[Placed]], outline: Sequence[Bookmark], skip: set[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    by_words: dict[int, dict[str, list[Placed]]] = {}
    for mark in outline:
        if not 0 <= mark.page < len(lines):
            continue
        if mark.page not in by_words:
            known = by_words[mark.page] = defaultdict(list)
            for each in lines[mark.page]:
                if each.span not in skip and len(each.words) <= LONGEST_HEADING:
                    for name in names_of(each.words):
                        known[name].append(each)
        for name in names_of(mark.title):
            free = [each for each in by_words[mark.page].get(name, ()) if each.span not in found]
            if free:
                largest = max(free, key=lambda each: each.line.size)
                found[largest.span] = min(mark.level, MOST_LEVELS)
                break
    return found


def _larger(lines: Sequence[Placed]) -> dict[tuple[int, int], int]:
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
    text: str,
    lines: Sequence[Sequence[Placed]],
    titles: Mapping[tuple[int, int], int],
    skip: set[tuple[int, int]],
    telling: set[tuple[int, int]],
    notes: Mapping[tuple[int, int], tuple[int, int]],
) -> tuple[Block, ...]:
    """Headings, paragraphs and items, in order. A paragraph that runs over the end of a page is one. Running lines and
    footnotes (`skip`) are none, but for those that no paragraph runs over: running lines that are `telling`, and footnotes
    (`notes`, by the spans of their first lines), which are a block each.
    """
    blocks: list[Block] = []
    before: Placed | None = None
    passed = noted = False  # a running line, or a footnote, between this one and the one before
    waiting: list[Block] = []
    for page in lines:
        usual = _usual_step(page, skip)
        for each in page:
            if each.span in skip:
                passed = True
                if each.span in notes:
                    waiting.append(Block("footnote", *notes[each.span]))
                    noted = True
                elif each.span in telling:
                    waiting.append(Block("paragraph", *each.span))
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
                    else last.kind != "heading"
                    and kind != "item"
                    and not (noted and _is_beneath(before, each))
                    and _goes_on(before, each, usual, passed=passed)
                )
            )
            if joined and last is not None:
                blocks[-1] = Block(last.kind, last.start, end, last.level)
            else:
                blocks += waiting
                blocks.append(Block(kind, start, end, level))  # type: ignore[arg-type]
            before, passed, noted = each, False, False
            waiting.clear()
    return (*blocks, *waiting)


def within(blocks: Sequence[Block], notes: Iterable[Footnote]) -> list[Footnote]:
    """Those of the footnotes that a paragraph runs over: what stands around them is one sentence, or may be."""
    starts = {block.start for block in blocks}
    return [note for note in notes if note.span[0] not in starts]


def _usual_step(page: Sequence[Placed], skip: set[tuple[int, int]]) -> float:
    """How far most lines of a page stand under the one before."""
    kept = [each.line for each in page if each.span not in skip]
    steps = [above.foot - below.base for above, below in pairwise(kept) if above.foot > below.base]
    return median(steps) if steps else 0.0


def _next_line(above: Placed, below: Placed, reach: float) -> bool:
    return above.page == below.page and 0 < above.line.foot - below.line.base <= reach


def _is_beneath(above: Placed, below: Placed) -> bool:
    return above.page == below.page and below.line.base < above.line.base


def _goes_on(above: Placed, below: Placed, usual: float, *, passed: bool) -> bool:
    """Does the paragraph of `above` go on in `below`?"""
    step = above.line.foot - below.line.base
    if above.page == below.page and abs(step) < 1:
        return True  # parts of one line
    if above.page == below.page and step > 0 and not passed:
        size = max(above.line.size, below.line.size, 1.0)
        least = min(usual, 1.6 * size) if usual else 1.6 * size
        return step <= max(1.3 * least, 1.35 * size)
    # another column or page, there or in what was printed here: it goes on where the sentence does
    return above.words.rstrip(_BEHIND)[-1:] not in _TERMINAL and not below.words[:1].isupper()
