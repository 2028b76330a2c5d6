"""What of a Markdown text no reader of the page sees: comments, definitions of links, elements that are hidden.

In code all of it is seen: in a fence, and between backticks on one line.
"""

import re
from typing import Final

from verified_gate.ingest.formats.declared import declarations
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.outline import Lines, fence_at
from verified_gate.ingest.paragraphs import Span

_NAMED: Final = r"[ \t]{1,99}(?:\"[^\"]{0,999}\"|'[^']{0,999}'|\([^()]{0,999}\))"
_DEFINITION: Final = re.compile(
    rf"[ \t>]{{0,20}}\[(?!\^)[^\[\]\r\n]{{1,999}}\]:[ \t]{{0,99}}(?:<[^<>]{{0,2000}}>|[^\s<]\S{{0,2000}})(?:{_NAMED})?[ \t]{{0,99}}"
)
_TITLE: Final = re.compile(rf"{_NAMED}[ \t]{{0,99}}")
_OPENING: Final = re.compile(r"<!--|<([a-zA-Z][a-zA-Z0-9-]{0,40})\s([^<>]{0,2000})>")
_HIDDEN: Final = re.compile(r"(?:^|\s)hidden(?:\s|=|/|\Z)", re.IGNORECASE)
_QUOTED: Final = re.compile(r"\"[^\"]*\"?|'[^']*'?")
_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_STYLE: Final = re.compile(
    r"\bstyle\s{0,9}=\s{0,9}(?:\"([^\"]{0,2000})|'([^']{0,2000})|([^\s\"'>]{1,2000}))", re.IGNORECASE
)


def unseen(text: str) -> tuple[Span, ...]:
    """Spans of `text` (code points, end exclusive), in order and apart. Work is linear in it."""
    if "<" not in text and "]:" not in text:
        return ()
    found: list[Span] = []
    fence, until, defined = "", 0, False
    closings: dict[str, int] = {}
    low = text.lower()
    low = low if len(low) == len(text) else text
    for start, end in Lines(text).spans(text):
        if end <= until:
            continue
        inside, fence = fence, fence_at(text, start, end, fence)
        if inside or fence:
            defined = False
            continue
        line = text[start:end]
        titled = defined and _TITLE.fullmatch(line) is not None
        if titled or _DEFINITION.fullmatch(line):
            defined = not titled
            found.append((max(start, until), end))
            continue
        defined = False
        for opening in _OPENING.finditer(text, max(start, until), end):
            if opening.start() >= until and not _in_code(line, opening.start() - start):
                closing = _end_of(low, opening, closings)
                if closing:
                    found.append((opening.start(), closing))
                    until = closing
    return tuple(found)


def _end_of(low: str, opening: re.Match[str], closings: dict[str, int]) -> int:
    """Where what is opened ends, if it hides what is in it; else 0."""
    if opening[1] is None:
        end = "-->"
    else:
        style = _STYLE.search(opening[2])
        declared = declarations((style[1] or style[2] or style[3] or "") if style else "")
        visible = declared.get("visibility", "visible") == "visible" and shown(declared) == "shown"
        hidden = _HIDDEN.search(_QUOTED.sub("", opening[2]))
        if (visible and not hidden) or opening[1].lower() in _VOID:
            return 0
        end = f"</{opening[1].lower()}"
    at = closings.get(end, 0)
    if 0 <= at < opening.end():
        at = closings[end] = low.find(end, opening.end())
    if at < 0:
        return len(low)
    return low.find(">", at, at + 99) + 1 or at + len(end)


def _in_code(line: str, at: int) -> bool:
    return line.count("`", 0, at) % 2 == 1 and "`" in line[at:]
