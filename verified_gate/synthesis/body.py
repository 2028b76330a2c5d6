"""A JSON body, gathered as it comes in: its end is noticed, and a bomb is given up before it is decoded.

Decoding runs in one piece and holds up everything else on its loop, by how many values the body holds rather than by
its length. So the values are counted before.
"""

import json
import re
from typing import Final

from verified_gate.synthesis.fault import Unreadable

MAX_MARKS: Final = 200_000
"""Brackets, commas and quotation marks outside of strings. An answer has some dozens."""

_MARK = re.compile(rb'["{}\[\],]')
_IN_STRING = re.compile(rb'["\\]')


class JsonBody:
    """Takes bytes in any pieces. `whole`: the outermost object or list is closed. Raises `Unreadable` for too many values."""

    def __init__(self) -> None:
        self.whole = False
        self._parts: list[bytes] = []
        self._marks = self._depth = 0
        self._in_string = self._skip = False

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self._parts.append(piece)
        position, self._skip = int(self._skip and piece != b""), self._skip and piece == b""
        while mark := (_IN_STRING if self._in_string else _MARK).search(piece, position):
            position = mark.end()
            match mark[0]:
                case b"\\":
                    self._skip = position == len(piece)
                    position += 1
                case b'"':
                    self._in_string = not self._in_string
                    self._marks += 1
                case b"{" | b"[":
                    self._depth += 1
                    self._marks += 1
                case b"}" | b"]":
                    self._depth -= 1
                    self._marks += 1
                    self.whole = self.whole or self._depth == 0
                case _:
                    self._marks += 1
            if self._marks > MAX_MARKS:
                raise Unreadable(f"with more than {MAX_MARKS // 2} values")

    @property
    def content(self) -> bytes:
        """All bytes so far."""
        return b"".join(self._parts)

    def value(self) -> object:
        """The decoded value; None where there is none. An object that is alone in a list counts as itself: some gateways
        wrap their errors so.
        """
        try:
            value = json.loads(self.content.decode("utf-8-sig", "replace"), strict=False)
        except (ValueError, RecursionError):
            return None
        return value[0] if isinstance(value, list) and len(value) == 1 else value
