"""Words of a stored text on one line for people: what is no part of them left out, cells of a table kept apart."""

import re
from collections.abc import Iterable
from typing import Final

from verified_gate.text.characters import PDF_HYPHENS

_AT_A_NUMBER: Final = re.compile(
    r"(?<=[\d%)])[^\S\t\n\r]*\t[^\S\n\r]*(?=\S)|(?<=\S)[^\S\t\n\r]*\t[^\S\n\r]*(?=[\d(+\-\u2212])"
)
BETWEEN_CELLS: Final = " · "
_GROUP: Final = re.compile(r"\d{3}(?!\d)")
BETWEEN_LINES: Final = " / "
_LINE_HYPHENS: Final = str.maketrans(dict.fromkeys(PDF_HYPHENS, "-"))
_NOTE_MARK: Final = re.compile(
    r"(?:(?<=\d)|(?<=[^\W\d_])(?!\[\d{3}))(?:\[\^?\d{1,3}\])+(?![\w(\[])(?P<between>(?=\s*\d))?"
)
"""Behind a word or number: `500[1] dollars`, `goods[2]`; not `12[3]450`, `[12](…)`, `buffer[256]`. `between`: numbers."""


def without(text: str, start: int, end: int, spans: Iterable[tuple[int, int]], mark: str) -> str:
    """`text[start:end]` with `mark` for each of `spans` (of `text`) that lies inside, or for the part of it that does."""
    pieces, at = [], start
    for span in sorted(spans):
        first, last = max(span[0], at), min(span[1], end)
        if first < last:
            pieces += [text[at:first], mark]
            at = last
    return "".join([*pieces, text[at:end]])


def own_words(start: int, end: int, furniture: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """What of a quote [start, end) is its own: not a running line or footnote that it passes over; all, where it is but that."""
    own, at = [], start
    for first, last in sorted(furniture):
        if at < last and first < end:
            if at < first:
                own.append((at, first))
            at = last
    if at < end:
        own.append((at, end))
    return own or [(start, end)]


def on_one_line(text: str, *, cells: bool = False, rows: bool = False) -> str:
    """White space collapsed, a hyphen where a line of a PDF ends within a word. Tabs beside numbers, between `cells` all, and a line end between two numbers that would
    read as one, or between `rows` each, are shown: `12` and `345` are not 12 345.
    """
    text = text.translate(_LINE_HYPHENS)
    if "\t" in text:
        text = text.replace("\t", BETWEEN_CELLS) if cells else _AT_A_NUMBER.sub(BETWEEN_CELLS, text)
    pieces: list[str] = []
    for line in filter(None, (" ".join(line.split()) for line in text.splitlines())):
        if pieces:
            apart = rows or (pieces[-1][-1].isdecimal() and _GROUP.match(line) is not None)
            pieces.append(BETWEEN_LINES if apart else " ")
        pieces.append(line)
    return "".join(pieces).strip()


def for_numbers(text: str) -> str:
    """For reading numbers: white space collapsed but for tabs and line ends, without the marks of notes."""
    lines = (
        "\t".join(" ".join(cell.split()) for cell in line.split("\t"))
        for line in _NOTE_MARK.sub(_between, text).splitlines()
    )
    return "\n".join(filter(None, lines))


def _between(mark: re.Match[str]) -> str:
    return "" if mark["between"] is None else "\t"  # `12[3] 450` is not 12 450
