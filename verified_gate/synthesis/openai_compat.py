"""A synthesizer that asks a model server which speaks the OpenAI chat API, or something like it.

One deadline holds for the whole answer: connecting, reading, waiting and asking again. What a server does comes
out as a `Proposal` or a `SynthesisFailure`, never as an exception; no prompt, document, reply or key reaches a log
line, a detail or an exception.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import queue
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from verified_gate.model import Passage, Proposal, ReasonCode
from verified_gate.synthesis.call import Call, Ladder, Timing
from verified_gate.synthesis.connection import Connection
from verified_gate.synthesis.environment import ModelSettings
from verified_gate.synthesis.loop import LoopThread
from verified_gate.synthesis.prompt import write_prompt
from verified_gate.synthesis.protocol import SynthesisFailure, SynthesisRequest, WholeClaim, Written

_LOG = logging.getLogger(__name__)


class OpenAISynthesizer:
    """Asks `model` at `base_url`. What is not given comes from the environment (see `.env.example`).

    `deadline` is in seconds and holds for one whole answer. `max_attempts` bounds the calls made for it where the
    server fails or asks to wait. `max_connections` bounds the calls that run at the same time; more wait their turn.
    A response format that the server refuses is not tried again by this object. `options` are further members of each
    request, such as `{"reasoning_effort": "low"}`; `key_header` is "authorization", or "api-key" for Azure, which is known
    by its address. `remote` says whether passages leave for a model elsewhere: unless the operator says otherwise, they
    do where the address is not one of this machine.

    Safe to use from many threads and from many tasks of any event loop. Use it as a context manager, or call
    `close`, to end its connections. Raises `ValueError` for a setting that is missing or unusable.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        model: str | None = None,
        api_key: str | None = None,
        deadline: float | None = None,
        key_header: str | None = None,
        options: Mapping[str, object] | None = None,
        remote: bool | None = None,
        max_attempts: int = 4,
        max_connections: int = 20,
        _clock: Callable[[], float] = time.monotonic,
        _now: Callable[[], float] = time.time,
        _sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if max_attempts < 1 or max_connections < 1:
            raise ValueError("max_attempts and max_connections must be 1 or more")
        self._settings = ModelSettings.read(
            base_url=base_url,
            model=model,
            api_key=api_key,
            deadline=deadline,
            key_header=key_header,
            options=options,
            remote=remote,
        )
        self.remote = self._settings.remote
        self._max_attempts = max_attempts
        self._max_connections = max_connections
        self._timing = Timing(_clock, _now, _sleep)
        self._ladder = Ladder()
        self._lock = threading.Lock()
        self._open()

    def __repr__(self) -> str:
        return f"<OpenAISynthesizer {self._settings.model} at {self._connection.place}>"

    def synthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """Ask the model. Raises `RuntimeError` after `close`. Works inside a running event loop, too, and blocks it."""
        request = self._shown(request)
        if not request.evidence:
            return _NO_EVIDENCE
        future = self._submit(request)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            return _CLOSED
        finally:
            future.cancel()  # does nothing when it is done; on Ctrl-C it stops the call

    async def asynthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """Ask the model without blocking the event loop; cancelling the task stops the call."""
        request = self._shown(request)
        if not request.evidence:
            return _NO_EVIDENCE
        future = self._submit(request)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return _CLOSED

    def stream(self, request: SynthesisRequest) -> Iterator[Written]:
        """Ask the model for a stream: each claim once it is whole, then the whole. Closing the iterator stops the call."""
        request = self._shown(request)
        if not request.evidence:
            yield _NO_EVIDENCE
            return
        parts: queue.SimpleQueue[WholeClaim | None] = queue.SimpleQueue()
        future = self._submit(request, parts.put)
        future.add_done_callback(lambda _: parts.put(None))
        try:
            while (part := parts.get()) is not None:
                yield part
            yield _CLOSED if future.cancelled() else future.result()
        finally:
            future.cancel()

    async def astream(self, request: SynthesisRequest) -> AsyncGenerator[Written, None]:
        """The same without blocking the event loop."""
        request = self._shown(request)
        if not request.evidence:
            yield _NO_EVIDENCE
            return
        parts: asyncio.Queue[WholeClaim | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def give(part: WholeClaim | None) -> None:
            with contextlib.suppress(RuntimeError):  # the caller's loop has ended
                loop.call_soon_threadsafe(parts.put_nowait, part)

        future = self._submit(request, give)
        future.add_done_callback(lambda _: give(None))
        try:
            while (part := await parts.get()) is not None:
                yield part
            yield _CLOSED if future.cancelled() else future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """Stop running calls and close the connections. May be called twice."""
        self._finalizer()
        self._loop.join()

    async def aclose(self) -> None:
        """The same without blocking the event loop."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _open(self) -> None:
        self._pid = os.getpid()
        settings = self._settings
        self._connection = Connection(settings.base_url, settings.api_key, self._max_connections, settings.key_header)
        self._loop = LoopThread(self._connection.aclose)
        self._finalizer = weakref.finalize(self, self._loop.stop)

    def _shown(self, request: SynthesisRequest) -> SynthesisRequest:
        """What may leave: a remote model is never shown local material, whoever asks."""
        if not self.remote:
            return request
        context = {key: _not_local(around) for key, around in request.context.items()}
        return replace(request, evidence=_not_local(request.evidence), context=context)

    def _submit(
        self, request: SynthesisRequest, give: Callable[[WholeClaim], None] | None = None
    ) -> "concurrent.futures.Future[Proposal | SynthesisFailure]":
        with self._lock:
            if self._pid != os.getpid() and self._finalizer.detach():  # a fork: the thread lives in the parent only
                self._open()
        return self._loop.submit(lambda: self._answer(request, give))

    async def _answer(
        self, request: SynthesisRequest, give: Callable[[WholeClaim], None] | None
    ) -> Proposal | SynthesisFailure:
        call = Call(
            write_prompt(request),
            self._settings,
            self._connection,
            self._ladder,
            self._timing,
            self._max_attempts,
            request.spent,
            give,
        )
        try:
            return await call.run()
        except Exception as fault:  # noqa: BLE001  # a server may do what nobody has seen yet
            kind = type(fault).__name__
            _LOG.error("an answer of %s could not be read: %s", self._connection.place, kind)  # no text
            detail = f"the answer could not be read ({kind})"
            return SynthesisFailure(ReasonCode.PROVIDER_UNAVAILABLE, detail, attempts=call.attempts)


def _not_local(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    return tuple(passage for passage in passages if not passage.local_only)


_NO_EVIDENCE = SynthesisFailure(ReasonCode.NO_EVIDENCE, "no passages were delivered; the model was not asked")
_CLOSED = SynthesisFailure(ReasonCode.PROVIDER_UNAVAILABLE, "the synthesizer was closed while it waited")
