"""What goes between the process that reads and the one that asked it to: JSON and bytes, never pickled objects.

The process that reads has opened a hostile file. What comes out of it is checked like any input: of the size that the
limits allow, of the right shape, with every span inside the text.
"""

import itertools
import json
import operator
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, get_args

from verified_gate.ingest.extracted import Anchor, Block, BlockKind, Extracted, Page
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.model import Coverage

_FRAME: Final = struct.Struct("<QQ")
_KINDS: Final = frozenset(get_args(BlockKind))
_COVERAGES: Final = frozenset(get_args(Coverage))
_INT: Final = frozenset({int})
_MOST: Final = 2**53
"""Numbers stay below this, so that every reader of their JSON can hold them."""


class WireError(Exception):
    """What came is not what the other side sends."""


def packed(message: dict[str, Any], data: bytes = b"") -> tuple[bytes, bytes]:
    """A message with bytes beside it, in two pieces, so that these are not copied."""
    told = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    return _FRAME.pack(len(told), len(data)) + told, data


def unpacked(take: Callable[[int], bytes], most: int) -> tuple[dict[str, Any], bytes]:
    """The next message. `take(n)` gives the next n bytes, fewer only at the end. Raises `EOFError`, `WireError`."""
    head = take(_FRAME.size)
    if len(head) < _FRAME.size:
        raise EOFError
    told, beside = _FRAME.unpack(head)
    if told + beside > most:
        raise WireError("more than the limits allow")
    body, data = take(told), take(beside)
    if len(body) < told or len(data) < beside:
        raise EOFError
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise WireError("no JSON") from None
    if not isinstance(message, dict):
        raise WireError("no message")
    return message, data


def encode_extracted(extracted: Extracted) -> tuple[dict[str, Any], bytes]:
    """JSON-ready, but for the text, whose bytes go beside it."""
    told = {
        "reader": extracted.reader,
        "blocks": _parts(extracted.blocks),
        "pages": _parts([(p.number, p.start, p.end, p.label, p.coverage, p.lost) for p in extracted.pages]),
        "anchors": _parts(extracted.anchors),
        "furniture": _parts(extracted.furniture),
        "hidden": _parts(extracted.hidden),
        "title": extracted.title,
        "lang": extracted.lang,
        "lost": list(extracted.lost),
    }
    return told, extracted.text.encode("utf-8", "replace")


def _parts(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """A list for each part that all of these have, which goes over, and is checked, in half the time."""
    return [*zip(*rows, strict=True)]


def decode_extracted(told: Any, text: bytes, limits: ReadingLimits) -> Extracted:
    """The inverse. Raises `WireError` where a part has the wrong shape or a span leaves the text."""
    try:
        words = text.decode("utf-8")
        kinds, starts, ends, levels, rows, columns, headings, cells = _columns(told["blocks"], 8)
        numbers, firsts, lasts, labels, coverages, lost = _columns(told["pages"], 6)
        places, elements, chapters = _columns(told["anchors"], 3)
        furniture, hidden = _columns(told["furniture"], 2), _columns(told["hidden"], 2)
        for begins, closes in ((starts, ends), (firsts, lasts), (places, places), furniture, hidden):
            _in_order(begins, closes, len(words))
        if not (_KINDS.issuperset(kinds) and _COVERAGES.issuperset(coverages)):
            raise WireError("a kind or coverage that is none")
        _numbers(levels, 0)
        _numbers((row for row in rows if row is not None), 1)
        _numbers(numbers, 1)
        _strings((*labels, *elements, *chapters))
        extracted = Extracted(
            text=words,
            reader=_string(told["reader"]),
            blocks=tuple(
                map(
                    Block,
                    *(kinds, starts, ends, levels, rows),
                    *(map(_strings, columns), map(_strings, headings), map(_cells, cells, starts, ends)),
                )
            ),
            pages=tuple(map(Page, numbers, firsts, lasts, labels, coverages, map(_strings, lost))),
            anchors=tuple(map(Anchor, places, elements, chapters)),
            furniture=tuple(zip(*furniture, strict=True)),
            hidden=tuple(zip(*hidden, strict=True)),
            title=_string(told["title"]),
            lang=_string(told["lang"]),
            lost=_strings(told["lost"]),
        )
    except (KeyError, TypeError, ValueError):
        raise WireError("no document") from None
    if len(words) > limits.characters or len(extracted.blocks) > limits.blocks:
        raise WireError("more than the limits allow")
    return extracted


def _columns(parts: Sequence[Sequence[Any]], number: int) -> Sequence[Sequence[Any]]:
    """As many lists, all as long; none at all are empty ones."""
    found = parts or [()] * number
    if len(found) != number or len(set(map(len, found))) > 1:
        raise ValueError
    return found


def _in_order(starts: Sequence[Any], ends: Sequence[Any], length: int) -> None:
    """Spans of a text of `length` code points, none before the end of the one before."""
    borders = [0, *itertools.chain.from_iterable(zip(starts, ends, strict=True)), length]
    if not (_INT.issuperset(map(type, borders)) and all(map(operator.le, borders, borders[1:]))):
        raise WireError("a span that is not in the text, or out of order")


def _numbers(values: Iterable[Any], least: int) -> None:
    for value in values:
        if type(value) is not int or not least <= value < _MOST:
            raise TypeError


def _cells(values: Sequence[Any], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where the cells of a row begin, in order, each with a number."""
    if len(values) == 0:
        return ()
    places, numbers = zip(*values, strict=True)
    _in_order((start, *places), (*places, places[-1]), end - 1)
    _numbers(numbers, 0)
    return tuple(zip(places, numbers, strict=True))


def _string(value: Any) -> str:
    """A string that can be stored: JSON may hold half a surrogate pair, of which `encode` makes a `ValueError`."""
    if not isinstance(value, str) or (not value.isascii() and not value.encode("utf-8")):
        raise TypeError
    return value


def _strings(values: Sequence[Any]) -> tuple[str, ...]:
    return () if values == [] else tuple(map(_string, values))
