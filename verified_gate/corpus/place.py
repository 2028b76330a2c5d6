"""Places as they are stored: what a passage's columns do not hold of its location, and where another one begins in it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from verified_gate.model import Location
from verified_gate.model.citation import cells_of

_COLUMNS: Final = ("heading", "paragraph", "first_line", "last_line")
_OTHERS: Final = tuple(name for name in Location.__dataclass_fields__ if name not in _COLUMNS)
_PLAIN: Final = Location()


def context_of(seen: str, location: Location, turns: tuple[tuple[int, Location], ...]) -> tuple[str, ...]:
    """What a passage is found by beside its words, which are `seen`: the headings above it, those of the cells in it, and
    those of its rows that are no cells of it.
    """
    places = (location, *(place for _, place in turns))
    heads = dict.fromkeys(name for place in places for name in place.row_heading)
    if heads:
        cells = cells_of(seen)
        heads = dict.fromkeys(name for name in heads if name not in cells)
    return (*location.heading, *dict.fromkeys(name for place in places for name in place.columns), *heads)


def inside(spans: Iterable[Sequence[int]], length: int) -> tuple[tuple[int, int], ...]:
    """Those of a passage's marks that lie in its own `length` code points; others are of the gap beside it."""
    return tuple((start, end) for start, end in spans if start >= 0 and end <= length)


def seen_of(text: str, hidden: Iterable[Sequence[int]]) -> str:
    """The text without what a reader does not see: nobody finds a passage by words that are not shown."""
    seen, at = [], 0
    for start, end in inside(hidden, len(text)):
        seen.append(text[at:start])
        at = end
    return " ".join([*seen, text[at:]])


def encode_place(location: Location, turns: tuple[tuple[int, Location], ...]) -> str:
    """JSON of all that is not plain; empty for a place that its columns hold already."""
    own = _differing(location, _PLAIN, _OTHERS)
    steps: list[list[object]] = []
    before = location
    for offset, place in turns:
        steps.append([offset, _differing(place, before, (*_COLUMNS, *_OTHERS))])
        before = place
    return json.dumps([own, *steps], ensure_ascii=False) if own or steps else ""


def decode_place(columns: Location, stored: str) -> tuple[Location, tuple[tuple[int, Location], ...]]:
    """The inverse: the place where the passage begins, and its turns. `columns` is what the passage's row holds."""
    if not stored:
        return columns, ()
    own, *steps = json.loads(stored)
    location = before = replace(columns, **own)
    turns = []
    for offset, changed in steps:
        before = replace(before, **changed)
        turns.append((offset, before))
    return location, tuple(turns)


def _differing(place: Location, other: Location, names: tuple[str, ...]) -> dict[str, Any]:
    pairs = ((name, getattr(place, name)) for name in names)
    return {name: value for name, value in pairs if value != getattr(other, name)}
