"""Footnotes of a PDF, which marks none of them: small lines at the foot of a page that begin with a mark the text refers to.

The rules are conservative: a sentence that goes on over the end of a page may be quoted without the footnotes in between.
So nothing but running lines stands beneath them; their letters are clearly smaller than those above them and those of most
of the document; the first begins with a mark that stands in the text above it, where it is no exponent; and the marks
count up. Whatever else stands at the foot of a page stays in the text.
"""

import re
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from verified_gate.ingest.formats.pdf_letters import Measure
from verified_gate.ingest.formats.pdf_marks import Mark, Reference, follows, holds_marks, mark_of, references
from verified_gate.ingest.formats.pdf_page import PageText
from verified_gate.ingest.formats.pdf_running import EDGE, Placed

SMALLER: Final = 0.92
"""The letters of a footnote are at most so many times as large as those of the text."""
MOST_LETTERS: Final = 2
"""So many times the letters above them are in the footnotes of a page at most: else the page itself is in small print."""
STEP: Final = 2.5
"""Times the size of their letters: so far beneath each other the lines of footnotes stand at most."""
APART: Final = 1.5
"""Times its size: so far above a footnote a line in small letters must stand, to be no part of what is beneath."""
RAISED: Final = 0.85
"""Times the size of the letters beside it: so large a mark is at most that is taken for a raised one."""
INDENT: Final = 4.0
"""Times the size of the text: so far from its left edge a footnote begins at most, and each of its lines from that of all."""
FULL: Final = 0.8
"""Times the length of a page's longest line in small letters: a footnote that goes on overleaf fills its last line so far."""

_NUMBER: Final = re.compile(r"[1-9]\d{0,2}")
_LEAST_OF_COLUMN: Final = 8
"""Lines."""
_MOST_FOOTERS: Final = 2
_CLEAR: Final = 2.5
"""Times the size of the letters: so far above a footer the text ends."""
_NUMBERED: Final = re.compile(r"\A\W{0,3}\d{1,4}\b|\d\W{0,3}\Z|\A\W{0,3}[ivxlc]{1,7}\W{0,3}\Z")
_MOST_TRIED: Final = 50
"""Lines of a page that footnotes may begin with."""
_MOST_MEASURED: Final = 2
"""Times; a page is opened for it."""
_SAME_SIZE: Final = 0.2
"""Points."""
_UNFINISHED: Final = re.compile(r"[^\W_][,\-\u2010\ufffe\x02]?\Z")


class Footnote(NamedTuple):
    """Its lines, in the order of the text, and the size that its letters have at most, in points."""

    lines: list[Placed]
    limit: float

    @property
    def span(self) -> tuple[int, int]:
        """Its span of the text."""
        return self.lines[0].span[0], self.lines[-1].span[1]


def with_large_letters(notes: Sequence[Footnote], measure: Measure) -> Iterator[Footnote]:
    """Those of which not all letters are as small as the first ones of their lines."""
    for _, group in groupby(notes, key=lambda note: note.lines[0].page):
        chosen = list(group)
        for note, size in zip(chosen, measure([_letters(note) for note in chosen]), strict=True):
            if not size <= note.limit:
                yield note


def _letters(note: Footnote) -> list[tuple[Placed, int]]:
    mark = mark_of(note.lines[0].words)
    return [(each, mark.length if mark is not None and not at else 0) for at, each in enumerate(note.lines)]


class _Foot(NamedTuple):
    """The footnotes of a page; and the last of them as it stands on the page, with its letters' size where it is known."""

    notes: list[Footnote]
    last: list[Placed]
    mark: str
    size: float


class _Referred(NamedTuple):
    """The number of the first line from the top that refers to a mark, and of the first one that is sure to do so."""

    first: int
    sure: int


_NOWHERE: Final = _Referred(sys.maxsize, sys.maxsize)


def footnotes(
    lines: Sequence[Sequence[Placed]],
    pages: Sequence[PageText],
    running: set[tuple[int, int]],
    measure: Measure,
) -> list[Footnote]:
    """The footnotes of all pages, page by page, in the order of the text. `running` are lines of no page's text."""
    found: list[Footnote] = []
    usual: float | None = None
    before: _Foot | None = None
    for number, page in enumerate(pages):
        kept: list[int] = []
        marks: dict[int, Mark] = {}
        if before is not None or holds_marks(page.text):
            kept = [at for at, each in enumerate(lines[number]) if each.span not in running]
            marks = {at: mark for at in kept if (mark := _mark_of(*lines[number][at : at + 2])) is not None}
        values = {mark.value for mark in marks.values()}
        referred = [each for each in references(page.text) if each.value in values] if values else []
        feet: list[_Foot] = []
        if referred or before is not None:
            usual = _usual_size(lines, running) if usual is None else usual
            for columns in _parts(lines[number], kept, page, usual):
                for column in columns:
                    last = feet[-1] if feet else before
                    foot = _Column(lines[number], page, column, usual, marks, referred).foot(measure, last)
                    feet += [foot] if foot is not None else []
                if feet:
                    break
        for foot in feet:
            found += [note for note in foot.notes if not any(map(_goes_over_a_gap, note.lines))]
        before = feet[-1] if feet else None
    return found


def _goes_over_a_gap(line: Placed) -> bool:
    """Does something stand in the line that is no part of the note, beside it in another column?"""
    mark = mark_of(line.words)
    return "\t" in (line.words[mark.length :].lstrip() if mark is not None else line.words)


def _usual_size(lines: Sequence[Sequence[Placed]], running: set[tuple[int, int]]) -> float:
    """The size of most letters of the document."""
    weight: Counter[float] = Counter()
    for page in lines:
        for each in page:
            if each.span not in running:
                weight[each.line.size] += len(each.words)
    return weight.most_common(1)[0][0] if weight else 0.0


def _mark_of(each: Placed, beside: Placed | None = None) -> Mark | None:
    """What a line begins with; or a number in smaller letters than those beside it: PDFium tells it as a line of its own,
    and not as raised.
    """
    mark = mark_of(each.words)
    if mark is not None:
        return mark
    match = _NUMBER.fullmatch(each.words)
    if match is None or beside is None or each.page != beside.page:
        return None
    line, other = each.line, beside.line
    is_beside = abs(line.base - other.base) < line.size and line.left < other.left
    return Mark(match[0], "raised", match.end()) if is_beside and line.size <= RAISED * other.size else None


def _parts(lines: Sequence[Placed], kept: Sequence[int], page: PageText, usual: float) -> Iterator[list[Sequence[int]]]:
    """The lines of a page, by their numbers, in which its foot is looked for: without footers, as a whole, by columns."""
    footers = _footers([lines[at] for at in kept], page, usual)
    above = [at for at in kept if lines[at].span not in footers]
    yield [above]
    if footers:
        yield [kept]
    middle = page.left + page.width / 2
    right = [at for at in above if lines[at].line.left >= middle]
    if len(right) >= _LEAST_OF_COLUMN and len(above) - len(right) >= _LEAST_OF_COLUMN:
        edge = Counter(round(lines[at].line.left) for at in right).most_common(1)[0][1]
        if 2 * edge >= len(right):
            yield [[at for at in above if lines[at].line.left < middle], right]


def _footers(lines: Sequence[Placed], page: PageText, usual: float) -> set[tuple[int, int]]:
    """Lines beneath all others, well apart from them, at the edge of the page and with a number at one end: its number,
    though they are not the same on enough pages to be marked.
    """
    lowest = sorted(lines, key=lambda each: each.line.base)[: _MOST_FOOTERS + 1]
    edge = page.bottom + page.height * EDGE
    for count in range(1, len(lowest)):
        last, above = lowest[count - 1], lowest[count]
        if above.line.foot - last.line.base >= _CLEAR * max(usual, last.line.size):
            ends = any(_NUMBERED.search(each.words) for each in lowest[:count])
            return {each.span for each in lowest[:count]} if ends and last.line.base <= edge else set()
    return set()


class _Column:
    """The lines `kept` of a page from the top to the foot."""

    def __init__(
        self,
        lines: Sequence[Placed],
        page: PageText,
        kept: Sequence[int],
        usual: float,
        marks: Mapping[int, Mark],
        referred: Sequence[Reference],
    ) -> None:
        """`marks` by the number of their line in the text; `usual`: the size of most letters of the document."""
        self._all, self._page, self._usual = lines, page, usual
        self._hidden_ends = [end for _, end in page.hidden]
        self._order = sorted(kept, key=lambda number: -lines[number].line.base)  # by their number in the text
        self._lines = [lines[number] for number in self._order]
        self._place = {number: at for at, number in enumerate(kept)}
        self._marks = {at: marks[number] for at, number in enumerate(self._order) if number in marks}
        self._referred = self._first_references(referred)
        self._measured = 0

    def foot(self, measure: Measure, before: _Foot | None) -> _Foot | None:
        """The footnotes, or None. `before`: those of the page before, the last of which may go on here."""
        if not self._lines or self._usual <= 0:
            return None
        largest = self._largest_beneath()
        size, letters = Counter[float](), 0
        above, tried = 0.0, 0
        for at, each in enumerate(self._lines):
            mark = self._marks.get(at)
            limit = SMALLER * min(above, self._usual)
            if (
                mark is not None
                and self._referred.get(mark.value, _NOWHERE).first < at
                and largest[at] <= limit
                and tried < _MOST_TRIED
            ):
                tried += 1
                foot = self._begins_at(at, limit, letters, before, measure)
                if foot is not None:
                    return foot
            size[each.line.size] += len(each.words)
            letters += len(each.words)
            if size[each.line.size] >= size[above]:
                above = each.line.size
        if before is not None and (first := self._goes_on_at(len(self._lines), before)) is not None:
            return self._whole(self._lines[first:], [], before, limit=SMALLER * self._usual)
        return None

    def _largest_beneath(self) -> list[float]:
        """For each line the size of the largest first letter from there on down."""
        found = [each.line.size for each in self._lines]
        for at in range(len(found) - 2, -1, -1):
            found[at] = max(found[at], found[at + 1])
        return found

    def _first_references(self, referred: Sequence[Reference]) -> Mapping[str, _Referred]:
        """Where the marks stand first in these lines, but for words that are not seen."""
        by_start = sorted((each.line.start, at) for at, each in enumerate(self._lines))
        starts = [start for start, _ in by_start]
        found: dict[str, _Referred] = {}
        far = len(self._lines)
        for start, end, value, sure in referred:
            line = bisect_right(starts, start) - 1
            if line < 0 or self._is_hidden(start, end):
                continue
            at = by_start[line][1]
            if start < self._lines[at].line.end:
                known = found.get(value, _Referred(far, far))
                found[value] = _Referred(min(known.first, at), min(known.sure, at if sure else far))
        return found

    def _is_hidden(self, start: int, end: int) -> bool:
        at = bisect_right(self._hidden_ends, start)
        return at < len(self._hidden_ends) and self._page.hidden[at][0] < end

    def _begins_at(
        self,
        at: int,
        limit: float,
        letters: int,
        before: _Foot | None,
        measure: Measure,
    ) -> _Foot | None:
        """The footnotes that begin in line `at`, or None where they are not that."""
        style = self._marks[at].style
        goes_on = None
        if not self._stands_apart(at, limit):
            goes_on = self._goes_on_at(at, before) if before is not None else None
            if goes_on is None or before is None or not follows(self._marks[at].value, before.mark):
                return None
        beneath = self._lines[at:]
        begins, last = [at], self._marks[at].value
        sure = self._referred[last].sure < at
        for below in range(at + 1, len(self._lines)):
            mark = self._marks.get(below)
            if mark is None or (mark.style != style and "sign" not in (mark.style, style)):
                continue
            known = self._referred.get(mark.value, _NOWHERE)
            if follows(mark.value, last) and (known.first < at or style == "raised"):
                begins.append(below)
                last = mark.value
                sure = sure or (known.sure < at and style == "raised")
            elif known.first < at and style != "plain":
                return None  # not in order: one of them is none
        if not sure:
            return None
        size = max((each.line.size for number, each in enumerate(beneath, at) if number not in begins), default=0.0)
        if sum(len(each.words) for each in beneath) > MOST_LETTERS * letters:
            return None
        if not self._are_small(begins, limit, measure):
            return None
        whole = self._lines[at if goes_on is None else goes_on :]
        return self._whole(whole, begins, before, limit=limit, last=last, size=size)

    def _stands_apart(self, at: int, limit: float) -> bool:
        """Is this line the first of the small ones at the foot, at the left edge of the text, with nothing beside it?"""
        line = self._lines[at].line
        left = min(each.line.left for each in self._lines[:at] if each.line.size > limit)
        if line.left - left > INDENT * self._usual:
            return False
        for step in (-1, 1):
            beside = at + step
            while 0 <= beside < len(self._lines):
                other = self._lines[beside].line
                if abs(other.base - line.base) >= line.size:
                    break
                if other.left < line.left and beside not in self._marks:
                    return False
                beside += step
        over = self._lines[at - 1].line
        size = limit if at - 1 in self._marks else over.size  # that of the first letter, which may be a raised one
        return over.size > limit or over.foot - line.base >= APART * size

    def _are_small(self, begins: Sequence[int], limit: float, measure: Measure) -> bool:
        """Are the letters after the marks small too? A raised mark says nothing of the line it stands in: those that are
        followed by lines in small letters do, and marks that are as small as theirs.
        """
        proven = [
            self._lines[at].line.size
            for at, below in zip(begins, [*begins[1:], len(self._lines)], strict=True)
            if below > at + 1
        ]
        open_ones = []
        for at in begins:
            each, mark = self._lines[at], self._marks[at]
            if mark.style == "plain" or len(each.words) == mark.length:
                continue
            if not any(abs(each.line.size - size) <= _SAME_SIZE for size in proven):
                open_ones.append((each, mark.length))
        if open_ones:
            self._measured += 1
        return not open_ones or (self._measured <= _MOST_MEASURED and measure([open_ones])[0] <= limit)

    def _goes_on_at(self, end: int, before: _Foot) -> int | None:
        """The line from which on the last footnote of the page before goes on, up to line `end`; only where that is sure:
        it breaks off in a full line, and goes on in small letters of its size.
        """
        if not before.size or not _UNFINISHED.search(before.last[-1].words):
            return None
        longest = max(len(each.words) for each in before.last)
        if len(before.last) < 2 or len(before.last[-1].words) < FULL * longest:
            return None
        first = end
        while first > 0 and abs(self._lines[first - 1].line.size - before.size) <= _SAME_SIZE:
            first -= 1
        if not 0 < first < end or not self._lines[first].words[:1].islower():
            return None
        limit = SMALLER * self._usual
        above = self._lines[first - 1].line
        if above.size <= limit or before.size > limit:
            return None
        return first if abs(self._lines[first].line.left - before.last[-1].line.left) <= 1 else None

    def _whole(
        self,
        foot: Sequence[Placed],
        begins: Sequence[int],
        before: _Foot | None,
        *,
        limit: float,
        last: str = "",
        size: float = 0.0,
    ) -> _Foot | None:
        """The lines of the foot as footnotes; None where they do not stand together, on the page or in its text."""
        letters = size or (before.size if before is not None and not begins else 0.0)
        reach = STEP * (letters or SMALLER * self._usual)
        if any(upper.line.foot - lower.line.base > reach for upper, lower in pairwise(foot)):
            return None
        if any(self._is_hidden(each.line.start, each.line.end) for each in foot):
            return None
        left = min(each.line.left for each in foot)
        if any(each.line.left - left > INDENT * self._usual for each in foot):
            return None  # beside it in another column
        offset = len(self._lines) - len(foot)
        numbers = sorted(self._order[offset:])
        places = [self._place[number] for number in numbers]
        if places[-1] - places[0] + 1 != len(places):
            return None
        starting = {self._order[at] for at in begins}
        notes: list[list[Placed]] = []
        for number in numbers:
            if number in starting or not notes:
                notes.append([self._all[number]])
            elif self._all[number - 1] is notes[-1][-1]:
                notes[-1].append(self._all[number])
            else:
                return None  # a running line within it
        lowest = min(notes, key=lambda note: note[-1].line.base)
        found = [Footnote(note, limit) for note in notes]
        return _Foot(found, lowest, last or (before.mark if before is not None else ""), letters)
