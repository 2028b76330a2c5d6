"""The outline of a text: its lines, and in Markdown its headings and the sections beneath them.

Only what cutting needs: ATX headings (`## Returns`), setext headings (one line of text underlined with `===` or
`---`), and fenced code, in which neither counts.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

MAX_HEADING: Final = 1_000
"""A longer line (code points) is text, whatever it begins with: headings are copied into every passage's place."""

_BREAK: Final = re.compile(r"\r\n|\r|\n")
_WORDS: Final = re.compile(r"[^\r\n]+")
_ATX: Final = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_FENCE: Final = re.compile(r"[ \t>]{0,99}(`{3,99}|~{3,99})")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-+)[ \t]*")
_NO_PARAGRAPH: Final = re.compile(r"[ \t]*(?:[-*+>|]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|`{3}|~{3})| {4}|\t")
"""What a line begins with that an underline does not turn into a heading: items, quotes, rows, code."""


class Lines:
    """The lines of a text as an editor counts them: they end at LF, CR LF or CR alone."""

    def __init__(self, text: str) -> None:
        self._starts = array("L", [0])
        self._starts.extend(match.end() for match in _BREAK.finditer(text))

    def __len__(self) -> int:
        return len(self._starts)

    def number(self, offset: int) -> int:
        """0-based number of the line that the character at `offset` stands in."""
        return bisect_right(self._starts, offset) - 1

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Each line's (start, end) without its line end."""
        for number, start in enumerate(self._starts):
            if number + 1 == len(self._starts):
                yield start, len(text)
            else:
                after = self._starts[number + 1]
                yield start, after - (2 if text.startswith("\r\n", after - 2) and after - 2 >= start else 1)


@dataclass(frozen=True, slots=True)
class Section:
    """`text[start:end]`: a heading, which ends at `body`, and all up to the next heading of any level.

    `path` holds the headings above and this one, outermost first; the text before the first heading has none.
    `depth` is the heading's level, 0 without one.
    """

    start: int
    body: int
    end: int
    path: tuple[str, ...]
    depth: int


def sections(text: str, lines: Lines, *, markdown: bool) -> list[Section]:
    """The sections of `text`, in order, without gaps. Plain text is one section."""
    headings = list(_headings(text, lines)) if markdown else []
    ends = [heading.start for heading in headings[1:]] + [len(text)]
    found = []
    if not headings or headings[0].start > 0:
        found.append(Section(0, 0, headings[0].start if headings else len(text), (), 0))
    path: list[_Heading] = []
    for heading, end in zip(headings, ends, strict=False):
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        names = tuple(part.name for part in path if part.name)
        found.append(Section(heading.start, heading.end, end, names, heading.level))
    return found


def blanked(text: str, hidden: Sequence[tuple[int, int]]) -> str:
    """`text` with spaces for what is in these spans, line for line: the outline of it is what a reader sees."""
    pieces, at = [], 0
    for start, end in hidden:
        pieces += [text[at:start], _WORDS.sub(lambda words: " " * len(words[0]), text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])


def fence_at(text: str, start: int, end: int, fence: str) -> str:
    """The marks of the fenced code that goes on after the line `text[start:end]`, "" outside; `fence`: before it."""
    mark = _FENCE.match(text, start, end)
    if mark is None:
        return fence
    rest = text[mark.end() : end]
    if fence:
        return "" if mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not rest.strip() else fence
    return "" if mark[1][0] == "`" and "`" in rest else mark[1]


def first_heading(text: str) -> str:
    """The first heading that is not empty, or ""."""
    return next((heading.name for heading in _headings(text, Lines(text)) if heading.name), "")


@dataclass(frozen=True, slots=True)
class _Heading:
    start: int
    end: int
    level: int
    name: str


def _headings(text: str, lines: Lines) -> Iterator[_Heading]:
    fence = ""  # the marks that opened the code we are in
    above: tuple[int, int] | None = None  # a line of text that an underline would turn into a heading
    alone = True  # nothing of the same paragraph stands over the current line
    for start, end in lines.spans(text):
        inside, fence = fence, fence_at(text, start, end, fence)
        if inside or fence:
            above, alone = None, True
            continue
        if above and _UNDERLINE.fullmatch(text, start, end):
            name = " ".join(text[above[0] : above[1]].split())
            yield _Heading(above[0], end, 1 if "=" in text[start:end] else 2, name)
            above, alone = None, True
            continue
        atx = _ATX.match(text, start, end)
        if atx and end - start <= MAX_HEADING:
            yield _Heading(start, end, len(atx[1]), " ".join(_atx_name(text[atx.end() : end]).split()))
            above, alone = None, True
            continue
        blank = not text[start:end].strip()
        fit = alone and not blank and end - start <= MAX_HEADING and not _NO_PARAGRAPH.match(text, start, end)
        above = (start, end) if fit else None
        alone = blank


def _atx_name(rest: str) -> str:
    """The heading's words, without the closing `##` that some write."""
    name = rest.strip()
    bare = name.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else name
