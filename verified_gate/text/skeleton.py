"""The skeleton of a text: what no fold may drop. Where a quote's skeleton stands in a source's, reading may begin."""

import re
from array import array
from bisect import bisect_right
from typing import Final, NamedTuple

from verified_gate.text.characters import LINE_BREAK
from verified_gate.text.sites import BULLETS

_LOOSE: Final = f" {LINE_BREAK}\t-|*_#`[]\x02\ufffe\u00ad\u2010\u2011{BULLETS}"
_FIRM: Final = re.compile(f"[^{re.escape(_LOOSE)}]+")
_LOOSE_TABLE: Final = dict.fromkeys(map(ord, _LOOSE))
_LOOSE_CONTENT: Final = re.compile(r"\[\^?\d{1,3}\]|\]\([^()\s]{0,2000}\)")
"""What some fold may drop takes no part in finding where to begin reading: single characters, and whole marks."""


class Skeleton(NamedTuple):
    """The firm characters of a form in small letters; run i of them begins at `firm[i]` and stands at `places[i]`."""

    text: str
    firm: "array[int]"
    places: "array[int]"

    def place(self, offset: int) -> int:
        """The place in the form of an offset in the skeleton."""
        run = bisect_right(self.firm, offset) - 1
        return self.places[run] + offset - self.firm[run]


def skeleton_of(form: str, dropped: list[tuple[int, int]]) -> Skeleton:
    """The skeleton of a form; `dropped` are spans of it that take no part."""
    firm, places = array("I"), array("I")
    runs: list[str] = []
    done = length = 0
    for start, end in [*sorted([*dropped, *(m.span() for m in _LOOSE_CONTENT.finditer(form))]), (len(form), len(form))]:
        for match in _FIRM.finditer(form, done, start):
            firm.append(length)
            places.append(match.start())
            runs.append(match.group())
            length += len(runs[-1])
        done = max(done, end)
    skeleton = "".join(runs)
    lowered = skeleton.lower()
    return Skeleton(lowered if len(lowered) == length else skeleton, firm, places)


def skeleton_of_quote(form: str) -> tuple[str, int]:
    """The skeleton of a quote's form, and where its first character stands."""
    if "[" not in form and (first := _FIRM.search(form)):
        return form.translate(_LOOSE_TABLE).lower(), first.start()
    skeleton, _, places = skeleton_of(form, [])
    return skeleton, places[0] if places else 0
