"""The words that style sheets write before and behind elements, by the `content` of their rules."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, NamedTuple

from verified_gate.ingest.formats.declared import Declarations, settled
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.sight import opacity

_WRITTEN: Final = re.compile(
    r"\"([^\"]*)\"|'([^']*)'|attr\(\s{0,9}([\w:-]{1,99})[^()]{0,99}\)|(counters?\([^()]{0,99}\))|(/)"
)


def content_of(rules: Iterable[Declarations]) -> str:
    """What is written by rules, if it is seen."""
    declared = settled(*rules)
    hidden = declared.get("visibility") in ("hidden", "collapse") or opacity(declared) <= 0 or shown(declared) == "gone"
    content = declared.get("content", "")
    return content if not hidden and writes(content) else ""


def writes(content: str) -> bool:
    """Whether a `content` has signs that a reader reads: no pictures of a font, no blanks."""
    return any(
        found[3] or found[4] or any(unicodedata.category(sign)[0] in "LNPS" for sign in found[1] or found[2] or "")
        for found in _WRITTEN.finditer(content)
    )


class Words(NamedTuple):
    """What a `content` writes: its letters, and whether a number is counted up in it."""

    text: str
    counted: bool


def written(content: str, element: Element) -> Words:
    """What a `content` writes at an element."""
    text, counted = [], False
    for found in _WRITTEN.finditer(content):
        if found[5]:
            break  # what follows is read aloud
        counted = counted or bool(found[4])
        text.append(element.get(found[3], "") if found[3] else found[1] or found[2] or "")
    return Words("".join(text), counted)
