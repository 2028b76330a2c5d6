"""A small HTTP server on loopback that plays what model servers answer, over real sockets.

The model's name chooses what is played: the name of a variation of `bodies.json`, `honest`, one of the faults that
only a socket can have (`SOCKET_FAULTS`), a stream that is written piece by piece (`STREAMS`), or `takes no stream`. Behind a name, `@5`
plays the same as a stream whose text comes in pieces of five characters and whose bytes come in pieces of five.
`requests` holds what came in, as bytes.
"""

import asyncio
import json
import threading
from types import TracebackType
from typing import Any, Self

import httpx

from tests.wire.play import CLAIM, LONG_REPLY, VARIATIONS, answers_of, as_stream, completion

SOCKET_FAULTS = {
    "closes at once": "provider_unavailable",
    "closes in the headers": "provider_unavailable",
    "closes in the body": "provider_unavailable",
    "speaks no HTTP": "provider_unavailable",
    "never answers": "deadline_exceeded",
    "drips its headers": "deadline_exceeded",
    "drips its body": "deadline_exceeded",
    "headers without end": "provider_unavailable",
}

STREAMS = {
    "waits after a claim": "the rest comes once `go_on` is set",
    "silent after a claim": "nothing more ever comes",
    "breaks after a claim": "the connection is closed",
    "done and open": "the connection stays open after [DONE]",
}


class PlayingServer:
    """`with PlayingServer() as server: OpenAISynthesizer(base_url=server.base_url, model="honest", …)`"""

    def __init__(self) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self.most_at_once = 0
        self.gone = 0
        """Clients that closed a connection on which they waited."""
        self.go_on = threading.Event()
        self._running = 0
        self._turns: dict[str, int] = {}
        self._answers = {
            variation["name"]: [
                (answer.status_code, answer.headers, answer.content) for answer in answers_of(variation)
            ]
            for variation in VARIATIONS
        }
        honest = completion()
        self._answers["honest"] = [(honest.status_code, honest.headers, honest.content)]
        long = completion(LONG_REPLY)
        self._answers["long"] = [(long.status_code, long.headers, long.content)]

    def rewind(self) -> None:
        """Play every variation from its first answer again."""
        self._turns.clear()

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                first = await reader.readexactly(1)
                if first == b"\x16":  # the hello of TLS
                    writer.write(_http(400, {}, b""))
                    return
                head = first + await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
                body = await reader.readexactly(length)
                self.requests.append(head + body)
                self._running += 1
                self.most_at_once = max(self.most_at_once, self._running)
                try:
                    asked = json.loads(body)
                    if asked["model"] == "takes no stream":
                        await self._whole_only(writer, streaming="stream" in asked)
                    elif not await self._play(asked["model"], reader, writer):
                        return
                finally:
                    self._running -= 1
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client went, or the server ends
        finally:
            writer.close()

    async def _play(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer once; whether the connection stays open."""
        if name in STREAMS:
            return await self._stream(name, reader, writer)
        name, _, size = name.partition("@")
        if size:
            return await self._in_pieces(name, int(size), writer)
        if name not in SOCKET_FAULTS:
            turn = self._turns.get(name, 0)
            self._turns[name] = turn + 1
            status, headers, content = self._answers[name][min(turn, len(self._answers[name]) - 1)]
            await asyncio.sleep(0.01)
            writer.write(_http(status, headers, content))
            await writer.drain()
            return True
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        if name == "closes in the headers":
            writer.write(head)
        elif name == "closes in the body":
            writer.write(head + b"Content-Length: 100\r\n\r\n{")
        elif name == "speaks no HTTP":
            writer.write(b"SSH-2.0-CANARY\r\n" * 20)
        elif name == "never answers":
            await reader.read()  # until the client goes
            self.gone += 1
        elif name == "headers without end":
            for _ in range(10_000):
                writer.write(head + b"X-CANARY: " + b"x" * 1_000 + b"\r\n")
                await writer.drain()
        elif name != "closes at once":
            writer.write(head if name == "drips its headers" else head + b"Content-Length: 100000\r\n\r\n")
            while True:
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.02)
        await writer.drain()
        return False

    async def _whole_only(self, writer: asyncio.StreamWriter, *, streaming: bool) -> None:
        """A server that answers, but not as a stream."""
        status, headers, content = self._answers["honest"][0]
        refusal = json.dumps({"error": {"message": "CANARY stream is not supported", "code": 400}}).encode()
        writer.write(_http(400, {}, refusal) if streaming else _http(status, headers, content))
        await writer.drain()

    async def _stream(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """A reply of which one claim is written, and then what the name says."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        head = json.dumps({"status": "answered", "claims": [CLAIM]})[:-2]
        writer.write(_chunk(_event({"content": head})))
        await writer.drain()
        if name == "silent after a claim":
            await reader.read()  # until the client goes
            self.gone += 1
        elif name != "breaks after a claim":
            if name == "waits after a claim":
                await asyncio.to_thread(self.go_on.wait, 60)
            writer.write(_chunk(_event({"content": "]}"}, "stop")) + _chunk(b"data: [DONE]\n\n"))
            await writer.drain()
            if name == "done and open":
                await reader.read()
                self.gone += 1
            writer.write(b"0\r\n\r\n")
            await writer.drain()
            return True
        return False

    async def _in_pieces(self, name: str, size: int, writer: asyncio.StreamWriter) -> bool:
        """An answer as a stream of events; where it cannot be one, as it is."""
        turn = self._turns.get(name, 0)
        self._turns[name] = turn + 1
        status, headers, content = self._answers[name][min(turn, len(self._answers[name]) - 1)]
        streamed = as_stream(httpx.Response(status, headers=headers, content=content), size)
        if streamed is None:
            writer.write(_http(status, headers, content))
        else:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for at in range(0, len(streamed.content), size):
                writer.write(_chunk(streamed.content[at : at + size]))
                await writer.drain()
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True


def _event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    return f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]})}\n\n".encode()


def _chunk(content: bytes) -> bytes:
    return f"{len(content):x}\r\n".encode() + content + b"\r\n"


def _http(status: int, headers: Any, content: bytes) -> bytes:
    kept = {name: value for name, value in headers.items() if name not in ("content-length", "transfer-encoding")}
    lines = [f"HTTP/1.1 {status} CANARY", *(f"{name}: {value}" for name, value in kept.items())]
    return "\r\n".join([*lines, f"content-length: {len(content)}", "", ""]).encode() + content
