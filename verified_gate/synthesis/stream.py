"""Server-sent events, out of bytes that may be split anywhere, in a character, too.

Reads what servers really send: comments and keep-alives, CR and LF in any mix, several `data` lines of one event, no
blank after the colon, a line of bare JSON between the events.
"""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from verified_gate.synthesis.fault import Unreadable

MAX_EVENT: Final = 1_000_000
"""Characters of one event."""

ENOUGH: Final = 12
"""Bytes, blanks at the start not counted, by which a stream of events is known: a byte order mark and `retry:` are fewer."""

_BARE: Final = "bare"
_FIELD = re.compile(rb"(?:data|event|id|retry)?:")


def is_stream(headers: Mapping[str, str], start: bytes) -> bool:
    """Is an answer that begins like this a stream of events? `ENOUGH` bytes are enough to tell.

    Some gateways stream what was not asked for as a stream, and some call a plain answer a stream.
    """
    start = start.lstrip().removeprefix(codecs.BOM_UTF8).lstrip()
    typed = headers.get("content-type", "").lower().startswith("text/event-stream")
    return _FIELD.match(start) is not None or (typed and not start.startswith((b"{", b"[")))


class EventReader:
    """Turns bytes into the data of events. `feed` may be called with any split of the bytes.

    Raises `Unreadable` for an event without end.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []
        self._held = 0
        self._name = ""
        self._after_cr = False

    def feed(self, chunk: bytes, *, last: bool = False) -> Iterator[tuple[str, str]]:
        """The (name, data) of each event that `chunk` completes. With `last`, also of one that nothing ended."""
        text = self._decoder.decode(chunk, last)
        if self._after_cr and text:
            text = text.removeprefix("\n")
            self._after_cr = False
        self._after_cr = text.endswith("\r")
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in lines:
            if self._line:
                line = "".join([*self._line, line])  # noqa: PLW2901  # the line whose beginning came before
                self._line.clear()
            yield from self._take(line)
        if rest:
            self._line.append(rest)
            self._hold(len(rest))
        if last:
            for line in ("".join(self._line), ""):
                yield from self._take(line)

    def _take(self, line: str) -> Iterator[tuple[str, str]]:
        """Add one line; an empty one ends an event."""
        if not line:
            event = (self._name, "\n".join(self._data)) if self._data else None
            if event is not None or self._name:
                self._data.clear()
                self._name = ""
            self._held = 0
            if event is not None:
                yield event
            return
        line = line.removeprefix("\ufeff")
        if line.startswith("{"):  # no field of an event: an error that was written into the stream as it stood
            yield _BARE, line
            return
        label, _, value = line.partition(":")
        if label == "data":
            self._data.append(value.removeprefix(" "))
            self._hold(len(value) + 1)
        elif label == "event":
            self._name = value.removeprefix(" ")

    def _hold(self, size: int) -> None:
        self._held += size
        if self._held > 2 * MAX_EVENT:  # what came in pieces is counted as a piece and as a line
            raise Unreadable(f"with an event of more than {MAX_EVENT} characters")


def is_error(name: str, data: str) -> bool:
    """Does an event say by its name, or by standing bare and unreadable in the stream, that something failed?"""
    return name == "error" or (name == _BARE and object_of(data) is None)


def object_of(data: str) -> dict[str, object] | None:
    """The JSON object that is the data of an event; None for anything else, which is passed over as keep-alives are."""
    if not data.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(data, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
