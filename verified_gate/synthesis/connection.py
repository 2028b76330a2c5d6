"""The HTTP side of a model server: one POST through the openai client, bounded in size, silent in the logs.

Comes back as status, headers and bytes, whatever they are; nothing of the client's typed models is used, since
servers differ from them. Redirects are not followed, so the key goes to the host it was given for and to no other.
"""

import asyncio
import contextvars
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Protocol

import httpx
import openai

from verified_gate.synthesis.environment import is_loopback

MAX_ANSWER_BYTES = 8_000_000
CONNECT_SECONDS = 10.0
LINGER_SECONDS = 0.1
"""How long the end of an answer is waited for after the server has said that it is there: a connection that was read
to its end can be used again, and some servers leave it open without one.
"""


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One HTTP answer, read to its end; header names in lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """There was no whole HTTP answer. `late`: the time ran out while waiting for it."""

    detail: str
    retry: bool = True
    late: bool = False


@lru_cache(maxsize=1)
def _trusted_authorities() -> ssl.SSLContext:
    """Read once in a process: it costs more than all else that a synthesizer needs."""
    return httpx.create_ssl_context()


class Connection:
    """The client of one server, for use on one event loop."""

    def __init__(self, base_url: str, api_key: str, max_connections: int, key_header: str = "authorization") -> None:
        url = httpx.URL(base_url)
        self.place = f"{url.scheme}://{url.host}" + (f":{url.port}" if url.port else "")
        # Given here, so that the environment does not add an organisation or a project of another account.
        self._client = openai.AsyncOpenAI(
            base_url=str(url.copy_with(query=None)),
            api_key=api_key,
            max_retries=0,
            default_query=dict(url.params),
            default_headers={"Accept-Encoding": "identity"},
            http_client=httpx.AsyncClient(
                verify=_trusted_authorities(),
                follow_redirects=False,
                trust_env=not is_loopback(url.host),  # no proxy is asked for what stays on this machine
                limits=httpx.Limits(max_connections=max_connections, max_keepalive_connections=max_connections),
                event_hooks={"request": [_KeyHeader(api_key, key_header)], "response": [_bound_size]},
            ),
        )
        self._client.organization = self._client.project = self._client.admin_api_key = None

    async def post(self, body: Mapping[str, Any], seconds: float, watch: "Watch | None" = None) -> RawAnswer | NoAnswer:
        """POST a chat completion. `seconds` bounds each wait for the network; the caller bounds the whole.

        `watch` sees the bytes of an answer as they come, and says when the rest need not be waited for.
        """
        _SILENT.set(True)  # the context is the calling task's own
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        create = self._client.chat.completions.with_streaming_response.create
        try:
            async with create(**body, timeout=timeout) as response:
                answer = _raw(response.http_response, b"")
                return replace(answer, body=await _read(response.iter_bytes(), answer.headers, watch))
        except openai.APIStatusError as fault:  # read to its end by the client
            return _raw(fault.response, fault.response.content)
        except (openai.APIError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, _Unreadable) as fault:
            return self._explain(fault, seconds)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.close()

    def _explain(self, fault: BaseException, seconds: float) -> NoAnswer:
        causes = list(_causes(fault))
        for cause in causes:
            if isinstance(cause, _Unreadable):
                return NoAnswer(f"{self.place} answered {cause}", retry=False)
        if any(isinstance(cause, httpx.ConnectTimeout) for cause in causes) and seconds > CONNECT_SECONDS:
            return NoAnswer(f"no connection to {self.place} within {CONNECT_SECONDS:g} seconds")
        if any(isinstance(cause, httpx.TimeoutException | openai.APITimeoutError) for cause in causes):
            return NoAnswer(f"{self.place} did not answer in time", retry=False, late=True)
        if any(isinstance(cause, ssl.SSLError) or "SSL" in str(cause)[:200] for cause in causes):
            return NoAnswer(f"no trusted TLS connection to {self.place}; look at its certificate", retry=False)
        if any(isinstance(cause, socket.gaierror) for cause in causes):
            return NoAnswer(f"the host name of {self.place} was not found; look at the base URL")
        if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            return NoAnswer(f"{self.place} refused the connection; is the server running there?")
        if any(isinstance(cause, httpx.ConnectError) for cause in causes):
            return NoAnswer(f"no connection to {self.place}; is the server running there?")
        kinds = ", ".join(dict.fromkeys(type(cause).__name__ for cause in causes))
        return NoAnswer(f"the connection to {self.place} broke ({kinds})")


class Watch(Protocol):
    """Whoever follows an answer while it comes in."""

    @property
    def ended(self) -> bool:
        """May the rest be left unread?"""
        ...

    def begin(self, headers: Mapping[str, str]) -> None:
        """The headers, their names in lower case."""
        ...

    def feed(self, chunk: bytes) -> None:
        """The next bytes of the body."""
        ...


async def _read(chunks: AsyncIterator[bytes], headers: Mapping[str, str], watch: Watch | None) -> bytes:
    body: list[bytes] = []
    if watch is not None:
        watch.begin(headers)
    try:
        async with asyncio.timeout(None) as limit:
            async for chunk in chunks:
                body.append(chunk)
                if watch is not None:
                    watch.feed(chunk)
                    if watch.ended and limit.when() is None:
                        limit.reschedule(asyncio.get_running_loop().time() + LINGER_SECONDS)
    except TimeoutError:
        if watch is None or not watch.ended:
            raise
    return b"".join(body)


class _KeyHeader:
    """Puts the key under the header that the server reads, and under no other."""

    def __init__(self, api_key: str, name: str) -> None:
        self._headers = {} if name == "authorization" else {name: api_key}

    async def __call__(self, request: httpx.Request) -> None:
        if self._headers:
            request.headers.pop("authorization", None)
            request.headers.update(self._headers)


def _raw(response: httpx.Response, body: bytes) -> RawAnswer:
    return RawAnswer(response.status_code, {name.lower(): value for name, value in response.headers.items()}, body)


def _causes(fault: BaseException | None) -> Iterator[BaseException]:
    """A fault and what caused it, groups opened; at most a few dozen."""
    waiting = [fault]
    for _ in range(40):
        current = waiting.pop(0) if waiting else None
        if current is None:
            return
        yield current
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)
        following = current.__cause__ or current.__context__
        if following is not None:
            waiting.append(following)


class _Unreadable(Exception):
    """An answer that is not read on: a server that never stops, or a bomb."""


class _Bounded(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_ANSWER_BYTES:
                await self.aclose()
                raise _Unreadable(f"with more than {MAX_ANSWER_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound_size(response: httpx.Response) -> None:
    assert isinstance(response.stream, httpx.AsyncByteStream)
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        await response.aclose()
        raise _Unreadable("in a compressed form that was not asked for")
    response.stream = _Bounded(response.stream)


_SILENT: contextvars.ContextVar[bool] = contextvars.ContextVar("verified_gate_silent", default=False)


def _not_ours(_: logging.LogRecord) -> bool:
    return not _SILENT.get()


# At debug level the openai client logs whole requests: the prompt with its documents. Calls made from here stay out
# of its log, and what the server answers out of httpx's; those that an application makes itself are logged as before.
_LOGGERS = (
    "openai._base_client",
    "openai._response",
    "httpx",
    "httpcore.connection",
    "httpcore.http11",
    "httpcore.proxy",
)
for _name in _LOGGERS:
    logging.getLogger(_name).addFilter(_not_ours)
