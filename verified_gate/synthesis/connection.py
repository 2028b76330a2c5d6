"""The HTTP side of a model server: one POST through the openai client, bounded in size, silent in the logs.

What comes back is handed to a reader as status, headers and bytes, whatever they are; nothing of the client's typed models
is used, since servers differ from them. Redirects are not followed, so the key goes to the host it was given for and to no
other, and the environment adds nothing to a request but the proxy that it goes through.
"""

import asyncio
import contextvars
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import httpx
import openai

from verified_gate.synthesis.environment import is_loopback
from verified_gate.synthesis.fault import Unreadable

MAX_ANSWER_BYTES: Final = 8_000_000
CONNECT_SECONDS: Final = 10.0
ERROR_SECONDS: Final = 2.0
"""How long the body of an error is waited for: its status and headers, which say what to do, are there before it."""
SLICE_BYTES: Final = 16_384
"""What is read of an answer before other answers have their turn, and the deadline its look at the clock."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """There was no whole HTTP answer. `late`: the time ran out while waiting for it."""

    detail: str
    retry: bool = True
    late: bool = False


class Connection:
    """The client of one server, for use on one event loop. Raises `ValueError` where the environment makes one impossible."""

    def __init__(self, base_url: str, api_key: str, max_connections: int, key_header: str = "authorization") -> None:
        url = httpx.URL(base_url)
        self.place = f"{url.scheme}://{url.host}" + (f":{url.port}" if url.port else "")
        self._client = _Client(
            base_url=str(url.copy_with(query=None)),
            api_key=api_key,
            max_retries=0,
            default_query=dict(url.params),
            http_client=_http_client(url, max_connections, _OwnHeaders(api_key, key_header)),
        )
        # Looked up here: it imports a good part of the client, for which no question's deadline should pay.
        self._create = self._client.chat.completions.with_streaming_response.create

    async def post(self, body: Mapping[str, Any], seconds: float, reader: "Reader") -> NoAnswer | None:
        """POST a chat completion and let `reader` take the answer as it comes, until its end or until the reader has all.

        `seconds` bounds each wait for the network; the caller bounds the whole. Gives why the end did not come, where it
        did not: the reader may have a part then.
        """
        _SILENT.set(True)  # the context is the calling task's own
        timeout = httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        begun = False
        try:
            try:
                async with self._create(**body, timeout=timeout) as response:
                    begun = True
                    reader.begin(response.http_response.status_code, _lower(response.http_response.headers))
                    await _read(response.iter_bytes(), reader)
            except openai.APIStatusError as fault:  # read to its end by the client
                reader.begin(fault.response.status_code, _lower(fault.response.headers))
                await _take(fault.response.content, reader)
        except (openai.APIError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, Unreadable) as fault:
            return self._explain(fault, seconds, begun=begun)
        return None

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.close()

    def _explain(self, fault: BaseException, seconds: float, *, begun: bool) -> NoAnswer:
        causes = list(_causes(fault))
        for cause in causes:
            if isinstance(cause, Unreadable):
                return NoAnswer(f"{self.place} answered {cause}", retry=False)
        if any(isinstance(cause, httpx.ConnectTimeout) for cause in causes) and seconds > CONNECT_SECONDS:
            return NoAnswer(f"no connection to {self.place} within {CONNECT_SECONDS:g} seconds")
        if any(isinstance(cause, httpx.TimeoutException | openai.APITimeoutError) for cause in causes):
            return NoAnswer(f"{self.place} did not answer in time", retry=False, late=True)
        kinds = ", ".join(dict.fromkeys(type(cause).__name__ for cause in causes))
        broke = NoAnswer(f"the connection to {self.place} broke ({kinds})")
        if begun:  # whatever broke it was no fault of the address; TLS, too, mostly breaks without a farewell
            return broke
        if any(_is_about_tls(cause) for cause in causes):
            return NoAnswer(f"no trusted TLS connection to {self.place}; look at its certificate", retry=False)
        if any(isinstance(cause, socket.gaierror) for cause in causes):
            return NoAnswer(f"the host name of {self.place} was not found; look at the base URL")
        if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            return NoAnswer(f"{self.place} refused the connection; is the server running there?")
        if any(isinstance(cause, httpx.ConnectError) for cause in causes):
            return NoAnswer(f"no connection to {self.place}; is the server running there?")
        return broke


def _is_about_tls(cause: BaseException) -> bool:
    """Was TLS refused? A kept connection that the server has closed ends by an `SSLError`, too."""
    if isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return False
    return isinstance(cause, ssl.SSLError) or "SSL:" in str(cause)[:200]


class Reader(Protocol):
    """Whoever takes an answer while it comes in."""

    @property
    def patience(self) -> float | None:
        """Seconds in which the rest is still waited for; None where all of it is wanted."""
        ...

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """The status and the headers, their names in lower case."""
        ...

    def feed(self, piece: bytes) -> None:
        """The next bytes of the body."""
        ...


async def _read(chunks: AsyncIterator[bytes], reader: Reader) -> None:
    clock = asyncio.get_running_loop().time
    try:
        async with asyncio.timeout(None) as limit:
            async for chunk in chunks:
                await _take(chunk, reader)
                if reader.patience is not None:
                    end = clock() + reader.patience
                    limit.reschedule(end if limit.when() is None else min(end, limit.when() or end))
    except TimeoutError:
        if reader.patience is None:
            raise


async def _take(content: bytes, reader: Reader) -> None:
    """Hand over in slices: between two of them others go on, and a time limit takes hold."""
    for at in range(0, len(content), SLICE_BYTES):
        reader.feed(content[at : at + SLICE_BYTES])
        await asyncio.sleep(0)


def _lower(headers: httpx.Headers) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


class _Client(openai.AsyncOpenAI):
    """The client without headers of its own or of the environment, of which some could not even be written."""

    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        return {}


class _OwnHeaders:
    """Sends the headers that stand here and no others, the key under the one that the server reads: the environment can make
    the openai client add headers, of another account, too, and tell the server what machine this is.
    """

    def __init__(self, api_key: str, name: str) -> None:
        self._key = {name: f"Bearer {api_key}" if name == "authorization" else api_key}

    async def __call__(self, request: httpx.Request) -> None:
        request.headers = httpx.Headers(
            {
                "host": request.url.netloc.decode("ascii"),
                "accept": "application/json",
                "accept-encoding": "identity",
                "connection": "keep-alive",
                "content-type": "application/json",
                "content-length": str(len(request.content)),
                "user-agent": "verified-gate",
                "x-stainless-raw-response": "stream",  # the client itself looks for it
                **self._key,
            }
        )


def _http_client(url: httpx.URL, max_connections: int, own_headers: _OwnHeaders) -> httpx.AsyncClient:
    try:
        return httpx.AsyncClient(
            verify=_trusted_authorities() if url.scheme == "https" else _NOBODY,
            follow_redirects=False,
            trust_env=not is_loopback(url.host),  # no proxy is asked for what stays on this machine
            limits=httpx.Limits(max_connections=max_connections, max_keepalive_connections=max_connections),
            event_hooks={"request": [own_headers], "response": [_bound]},
        )
    except OSError:
        raise ValueError(
            "no certificates could be read; look at SSL_CERT_FILE and SSL_CERT_DIR of the environment"
        ) from None
    except ImportError:
        raise ValueError(
            "the environment (ALL_PROXY, HTTPS_PROXY or HTTP_PROXY) names a SOCKS proxy, which needs the package socksio; "
            "install it, or list the server's host in NO_PROXY"
        ) from None
    except (ValueError, httpx.InvalidURL):
        raise ValueError(
            "the environment (ALL_PROXY, HTTPS_PROXY or HTTP_PROXY) names a proxy whose address cannot be used"
        ) from None


@lru_cache(maxsize=1)
def _trusted_authorities() -> ssl.SSLContext:
    """Read once in a process: it costs more than all else that a synthesizer needs."""
    return httpx.create_ssl_context()


_NOBODY: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For a server without TLS: no authority is trusted, and none is read."""


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


class _Bounded(httpx.AsyncByteStream):
    """The body of an answer, up to its limit. Of an error it may end early, quietly: what is known by then is told."""

    def __init__(self, stream: httpx.AsyncByteStream, *, error: bool) -> None:
        self._stream, self._error = stream, error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        end = asyncio.get_running_loop().time() + ERROR_SECONDS if self._error else None
        chunks = aiter(self._stream)
        while True:
            try:
                async with asyncio.timeout_at(end):
                    chunk = await anext(chunks)
            except StopAsyncIteration:
                return
            except (TimeoutError, httpx.TransportError):
                if self._error:
                    return
                raise
            size += len(chunk)
            if size > MAX_ANSWER_BYTES:
                await self.aclose()
                raise Unreadable(f"with more than {MAX_ANSWER_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx.Response) -> None:
    assert isinstance(response.stream, httpx.AsyncByteStream)
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        await response.aclose()
        raise Unreadable("in a compressed form that was not asked for")
    response.stream = _Bounded(response.stream, error=not response.is_success)


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
