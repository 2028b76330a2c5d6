"""One HTTP answer of a model server, read as it comes in: what it means is known at its end, or where it broke off.

Whether it comes whole or as a stream of events, asked for or not, is seen from the answer itself; both go through the
same `Completion`. Nothing here raises but `Unreadable`, for what is not worth reading on, and no text of the body
reaches a detail.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import Final

from verified_gate.model import ReasonCode
from verified_gate.synthesis.body import JsonBody
from verified_gate.synthesis.completion import Completion
from verified_gate.synthesis.fault import ALWAYS, Fault, ModelText, Unreadable
from verified_gate.synthesis.server_errors import ServerError, fault_of, read_error, told_plainly
from verified_gate.synthesis.stream import ENOUGH, EventReader, is_error, is_stream, object_of

MAX_EVENTS: Final = 100_000
"""Events of one answer."""

AFTER_DONE: Final = 0.1
AFTER_FINISH: Final = 1.0
"""Seconds that the end of an answer is waited for once the server has said that it is there: by `[DONE]`, the closing
bracket or an error, or only by a `finish_reason`, behind which an error may follow. A connection that was read to its end can be used
again, and some servers leave it open without one.
"""


class AnswerReader:
    """Takes one answer: `begin`, then its bytes in any pieces, then asked for its `outcome`.

    `hear` gets the text of a reply that is streamed, as it comes.
    """

    def __init__(self, hear: Callable[[str], None] | None = None) -> None:
        self._hear = hear
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._start = b""
        self._events: EventReader | None = None
        self._body: JsonBody | None = None
        self._count = 0
        self._done = False
        self._completion = Completion()

    @property
    def patience(self) -> float | None:
        """Seconds in which the rest is still waited for; None where the server has not said that this was all."""
        whole = self._body is not None and self._body.whole
        if self._done or whole or self._completion.error is not None:
            return AFTER_DONE
        return AFTER_FINISH if self._completion.ended else None

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """The answer begins; `headers` have lower-case names."""
        self._status, self._headers = status, headers

    def feed(self, piece: bytes) -> None:
        """Take the next bytes; those after `[DONE]` are passed over."""
        if self._done:
            return
        if self._events is None and self._body is None:
            self._start = (self._start + piece).lstrip()
            if len(self._start) < ENOUGH:
                return
            piece = self._open()
        self._read(piece)

    def outcome(self, now: float, missing: Fault | None = None) -> ModelText | Fault:
        """What the answer means. `now` is the wall clock in seconds since 1970; `missing` says why no more was read, where
        that was not the answer's end.
        """
        if not self._status:
            assert missing is not None
            return missing
        self._end()
        unreadable = missing is not None and missing.code is not ReasonCode.DEADLINE_EXCEEDED and not missing.retry
        if missing is not None and unreadable and self.patience is None:
            return missing
        value = None if self._body is None else self._body.value()
        success = 200 <= self._status < 300
        if isinstance(value, dict) and success:
            self._completion.take(value, whole=True)
        error = self._error(value)
        if error is not None or not success:
            return fault_of(self._status, self._headers, error or ServerError(), now)
        if self._body is not None and not isinstance(value, dict):
            detail = f"HTTP {self._status} without JSON, where a chat completion was due"
            return missing or Fault(ReasonCode.PROVIDER_UNAVAILABLE, detail, ALWAYS)
        return self._completion.outcome(None if self.patience is not None else missing)

    def _end(self) -> None:
        """Nothing more comes: take what waits for its line's end."""
        with contextlib.suppress(Unreadable):
            if self._events is None and self._body is None:
                self._read(self._open())
            if self._events is not None and not self._done:
                self._read(b"", last=True)

    def _error(self, value: object) -> ServerError | None:
        if self._completion.error is not None or self._body is None or 200 <= self._status < 300:
            return self._completion.error
        return told_plainly(self._body.content) if value is None else read_error(value)

    def _open(self) -> bytes:
        """It is known how to read the answer; its beginning."""
        if is_stream(self._headers, self._start):
            self._events = EventReader()
        else:
            self._body = JsonBody()
        start, self._start = self._start, b""
        return start

    def _read(self, piece: bytes, *, last: bool = False) -> None:
        if self._body is not None:
            self._body.feed(piece)
        for name, data in () if self._events is None else self._events.feed(piece, last=last):
            if self._done:
                return
            self._take(name, data)
            self._count += 1
            if self._count > MAX_EVENTS:
                raise Unreadable(f"with more than {MAX_EVENTS} events")

    def _take(self, name: str, data: str) -> None:
        if data.strip() == "[DONE]":
            self._done = self._completion.ended = True
            return
        chunk = object_of(data)
        if is_error(name, data):
            self._completion.fail(read_error((chunk or {}).get("error") or chunk or data))
        elif chunk is not None:
            self._completion.take(chunk)
            if self._hear is not None and (text := self._completion.new_text()):
                self._hear(text)
