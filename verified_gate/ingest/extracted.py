"""What a reader of a file format gives: the text as read, and what is known of each part of it, as spans in the text.

The text is stored as it is here; nothing is repaired. All offsets are code points of `text`, ends exclusive; spans of
one kind are in order and do not overlap.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from verified_gate.model import Coverage

BlockKind = Literal["heading", "paragraph", "item", "row", "footnote", "caption", "code"]

PAGE_SEPARATOR: Final = "\n"
"""Between the texts of two pages. It belongs to neither."""
NO_TEXT_LAYER: Final = "no text layer"
"""What was lost of a page that is a picture of words."""
_PARTED: Final = re.compile(r"(?<=\d)[ \t\r\n]*\0[ \t\r\n\0]*(?=\d)")
"""What is not seen, between two digits."""


def words_seen(text: str, hidden: Sequence[tuple[int, int]], start: int, end: int) -> str:
    """The words of `text[start:end]` that a reader sees, white space collapsed: what headings, titles and names of
    columns are made of. `hidden` are spans of `text`, in order. Digits on both sides of one are two numbers.
    """
    first = bisect_right(hidden, start, key=lambda span: span[1])
    if first == len(hidden) or hidden[first][0] >= end:
        return " ".join(text[start:end].split())
    pieces, at = [], start
    for number in range(first, len(hidden)):
        if hidden[number][0] >= end:
            break
        pieces.append(text[at : max(at, hidden[number][0])])
        at = hidden[number][1]
    words = "\0".join([*pieces, text[min(at, end) : end]])
    return " ".join(_PARTED.sub(" … ", words).replace("\0", " ").split())


class Block(NamedTuple):
    """A part that has a meaning of its own: passages begin and end at its borders, unless it alone is too long.

    `level` is the depth of a heading, from 1. For the row of a table: `row` from 1; `columns`, the headers of its cells,
    one for each from the first with words on, which are context and no part of the text; `heading`, what heads the row,
    outermost first: titles above it, cells that are merged over it, its own headers. Cells are set apart by tabs; where
    one holds tabs of its own, `cells` tells where each begins that has words, and the number of its name, from 0.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    row: int | None = None
    columns: tuple[str, ...] = ()
    heading: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page: physical number from 1, what the document calls it, its span of the text, and what was lost of it.

    `lost` says why it is not complete: "no text layer", "picture", "unreadable object", …; empty on a complete page.
    """

    number: int
    start: int
    end: int
    label: str = ""
    coverage: Coverage = "complete"
    lost: tuple[str, ...] = ()


class Anchor(NamedTuple):
    """From `start` on: the id of the element that begins there, and the part of a book's container it is in."""

    start: int
    element: str = ""
    chapter: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """One file as read. `reader` names the library with its version and our rules by number: another one may read
    another text.

    `lost` is what could not be read of the whole ("2 pictures"); pages say it for themselves. `furniture` are running
    headers, footers, page numbers, and footnotes that a paragraph goes on over; `hidden` is what a reader of the file
    does not see.
    """

    text: str = field(repr=False)
    reader: str
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    pages: tuple[Page, ...] = field(default=(), repr=False)
    anchors: tuple[Anchor, ...] = field(default=(), repr=False)
    furniture: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    hidden: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    title: str = ""
    lang: str = ""
    lost: tuple[str, ...] = ()

    @property
    def visible(self) -> str:
        """The text without what is hidden."""
        shown, at = [], 0
        for start, end in self.hidden:
            shown.append(self.text[at:start])
            at = end
        return "".join([*shown, self.text[at:]])

    @property
    def coverage(self) -> Coverage:
        """`complete` where nothing was lost, `none` where there is no text at all."""
        if not self.text.strip():
            return "none"
        whole = not self.lost and all(page.coverage == "complete" for page in self.pages)
        return "complete" if whole else "partial"
