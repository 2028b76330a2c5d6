"""What goes between the process that reads and the one that asked it to: JSON and bytes, never pickled objects.

The process that reads has opened a hostile file. What comes out of it is checked like any input: of the size that the
limits allow, of the right shape, with every span inside the text.
"""

import json
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, get_args

from verified_gate.ingest.extracted import Anchor, Block, BlockKind, Extracted, Page
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.model import Coverage

_FRAME: Final = struct.Struct("<QQ")
_KINDS: Final = frozenset(get_args(BlockKind))
_COVERAGES: Final = frozenset(get_args(Coverage))


class WireError(Exception):
    """What came is not what the other side sends."""


def packed(message: dict[str, Any], data: bytes = b"") -> bytes:
    """A message with bytes beside it."""
    told = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    return _FRAME.pack(len(told), len(data)) + told + data


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


def encode_extracted(extracted: Extracted) -> dict[str, Any]:
    """JSON-ready."""
    return {
        "text": extracted.text,
        "reader": extracted.reader,
        "blocks": [[b.kind, b.start, b.end, b.level, b.row, list(b.columns)] for b in extracted.blocks],
        "pages": [[p.number, p.start, p.end, p.label, p.coverage, list(p.lost)] for p in extracted.pages],
        "anchors": [[a.start, a.element, a.chapter] for a in extracted.anchors],
        "furniture": extracted.furniture,
        "hidden": extracted.hidden,
        "title": extracted.title,
        "lang": extracted.lang,
        "lost": list(extracted.lost),
    }


def decode_extracted(told: Any, limits: ReadingLimits) -> Extracted:
    """The inverse. Raises `WireError` where a part has the wrong shape or a span leaves the text."""
    try:
        extracted = Extracted(
            text=_string(told["text"]),
            reader=_string(told["reader"]),
            blocks=tuple(
                Block(_one_of(_KINDS, kind), start, end, _number(level), row, _strings(columns))
                for kind, start, end, level, row, columns in told["blocks"]
            ),
            pages=tuple(
                Page(_number(number), start, end, _string(label), _one_of(_COVERAGES, coverage), _strings(lost))
                for number, start, end, label, coverage, lost in told["pages"]
            ),
            anchors=tuple(
                Anchor(_number(start), _string(element), _string(chapter))
                for start, element, chapter in told["anchors"]
            ),
            furniture=tuple((start, end) for start, end in told["furniture"]),
            hidden=tuple((start, end) for start, end in told["hidden"]),
            title=_string(told["title"]),
            lang=_string(told["lang"]),
            lost=_strings(told["lost"]),
        )
    except (KeyError, TypeError, ValueError):
        raise WireError("no document") from None
    if len(extracted.text) > limits.characters or len(extracted.blocks) > limits.blocks:
        raise WireError("more than the limits allow")
    length = len(extracted.text)
    _in_order(((b.start, b.end) for b in extracted.blocks), length)
    _in_order(((p.start, p.end) for p in extracted.pages), length)
    _in_order(extracted.furniture, length)
    _in_order(extracted.hidden, length)
    _in_order(((a.start, a.start) for a in extracted.anchors), length)
    if any(each.row is not None and (type(each.row) is not int or each.row < 1) for each in extracted.blocks):
        raise WireError("a row without a number")
    if any(page.number < 1 for page in extracted.pages):
        raise WireError("a page without a number")
    return extracted


def _in_order(spans: Iterable[tuple[Any, Any]], length: int) -> None:
    before = 0
    for start, end in spans:
        if type(start) is not int or type(end) is not int or not before <= start <= end <= length:
            raise WireError("a span that is not in the text, or out of order")
        before = end


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _strings(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(_string, values))


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _one_of(kinds: frozenset[str], value: Any) -> Any:
    if value not in kinds:
        raise TypeError
    return value
