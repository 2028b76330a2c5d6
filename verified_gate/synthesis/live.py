"""A model server's answer watched while it comes in: its whole claims are given away, its end is noticed.

What the answer comes to is decided elsewhere, from all of its bytes, as for one that was not watched.
"""

from collections.abc import Callable, Iterator, Mapping

from verified_gate.synthesis.incremental import IncrementalReply
from verified_gate.synthesis.protocol import WholeClaim
from verified_gate.synthesis.stream import Assembly, EventReader
from verified_gate.synthesis.wire import is_stream

_ENOUGH = 6
"""Bytes by which a stream of events is known."""


class LiveAnswer:
    """Takes the bytes of one HTTP answer; `give` gets each claim. `ended`: what comes now need not be waited for."""

    def __init__(self, reply: IncrementalReply, give: Callable[[WholeClaim], None]) -> None:
        self._reply, self._give = reply, give
        self._headers: Mapping[str, str] = {}
        self._start = b""
        self._events: EventReader | None = EventReader()
        self._known = False
        self._whole = Assembly()
        self.given = 0

    @property
    def ended(self) -> bool:
        """Has the server said that this was all?"""
        return self._whole.done

    def begin(self, headers: Mapping[str, str]) -> None:
        """The answer begins; `headers` have lower-case names."""
        self._headers = headers

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        if not self._known:
            self._start = (self._start + chunk).lstrip()
            if len(self._start) < _ENOUGH:
                return
            self._known = True
            if not is_stream(self._headers, self._start):
                self._events = None
            chunk, self._start = self._start, b""
        for claim in self._claims(chunk):
            self.given += 1
            self._give(claim)

    def _claims(self, chunk: bytes) -> Iterator[WholeClaim]:
        if self._events is None:
            return
        for name, data in self._events.feed(chunk):
            self._whole.take(name, data)
            yield from self._reply.feed(self._whole.new_text())
