"""What fields of an OpenDocument text show, which programs fill in anew when they open it.

The words that stand in a field are those of the last time. Where the file itself holds what comes in their place, they
are that; where they cannot be what a program will show, they are told from those that can.
"""

import re
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.odt_names import name_of, tag_of, value

CHOSEN: Final = frozenset({"drop-down", "user-field-get", "user-field-input"})
"""Fields that show one of several choices, or what the user gave them to hold."""
_OF_FILE: Final = frozenset({"title", "subject", "description", "keywords", "user-defined"})
_COUNTED: Final = frozenset(
    {"page-number", "page-count", "page-continuation", "paragraph-count", "word-count", "character-count", "table-count",
     "image-count", "object-count", "editing-cycles", "page-variable-get", "database-row-number"}
)  # fmt: skip
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?")
_LONGEST_NUMBER: Final = 12
"""Letters of a word that may be a number, or stand beside one: `xviii`, `Page`."""


class Fields:
    """What a file holds that its fields show."""

    def __init__(self) -> None:
        self._of_file: set[str] = set()
        self._held: dict[str, Element] = {}

    def learn(self, words: str) -> None:
        """Take something that the file says of itself: its title, its subject."""
        self._of_file.add(" ".join(words.split()))

    def declare(self, body: Element) -> None:
        """Take what the user gave fields to hold."""
        for each in body.iter(tag_of("text", "user-field-decl")):
            self._held[value(each, "name")] = each

    def shown(self, field: Element) -> str:
        """What a field of `CHOSEN` shows in place of its words; "" for those."""
        if name_of(field) == "drop-down":
            made = (each for each in field if value(each, "current-selected") == "true")
            return value(next(made, None), "value")
        held = self._held.get(value(field, "name"))
        return "" if held is None else held.get(tag_of("office", "string-value"), "")

    def is_stale(self, field: Element) -> bool:
        """Whether its words cannot be what programs show: of the file, of the user, or where a number stands."""
        name = name_of(field)
        if name in _COUNTED:
            return not _is_number(field)
        if name in CHOSEN:
            held = self._held.get(value(field, "name"))
            return held is not None and not _agrees(field, held.get(tag_of("office", "value"), ""))
        if name not in _OF_FILE or value(field, "fixed") == "true":
            return False
        words = " ".join("".join(field.itertext()).split())
        return bool(words) and words not in self._of_file


def _is_number(field: Element) -> bool:
    """Whether it shows a number, in digits, letters or words of a few letters, or nothing."""
    words = "".join(field.itertext()).split()
    return len(words) < 4 and all(len(word) < _LONGEST_NUMBER for word in words)


def _agrees(field: Element, held: str) -> bool:
    """Whether the digits that it shows are those of the number that it holds, rounded or not, as a share or not."""
    shown = "".join(filter(str.isdecimal, "".join(field.itertext()))).strip("0")
    if not shown or not _NUMBER.fullmatch(held):
        return True
    number = abs(float(held))
    written = (f"{each:.{places}f}" for each in (number, number * 100) for places in range(11))
    return any(each.replace(".", "").strip("0") == shown for each in written)
