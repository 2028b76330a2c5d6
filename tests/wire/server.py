"""A small HTTP server on loopback that plays what model servers answer, over real sockets.

The model's name chooses what is played: the name of a variation of `bodies.json`, `honest`, one of the faults that
only a socket can have (`SOCKET_FAULTS`, `ENDINGS`, `BROKEN_REFUSALS`, `FLOODS`), a stream that is written piece by piece
(`STREAMS`), or `takes no stream`. Behind a name, `@5` plays the same as a stream whose text comes in pieces of five
characters and whose bytes come in pieces of five. `requests` holds what came in, as bytes.
"""

import asyncio
import json
import threading
from typing import Any

import httpx

from tests.wire.play import CLAIM, LONG_REPLY, REPLY, VARIATIONS, answers_of, as_stream, completion, error
from verified_gate.loopback import LoopbackServer, PlayedAnswer, http_answer

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


_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def _event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    return f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}]})}\n\n".encode()


def _chunk(content: bytes) -> bytes:
    return f"{len(content):x}\r\n".encode() + content + b"\r\n"


_FULL = _event({"content": REPLY[:40]}) + _event({"content": REPLY[40:]})
_STOP, _DONE = _event({}, "stop"), b"data: [DONE]\n\n"
_WHOLE = json.dumps({"choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}]}).encode()

ENDINGS = {
    "done, closed without the last chunk": (_FULL + _STOP + _DONE, "closes", "ok"),
    "finish_reason, closed without the last chunk": (_FULL + _STOP, "closes", "ok"),
    "whole without a sign, closed without the last chunk": (_FULL, "closes", "truncated"),
    "cut, closed without the last chunk": (_event({"content": REPLY[:-9]}), "closes", "truncated"),
    "length, closed without the last chunk": (_FULL + _event({}, "length"), "closes", "truncated"),
    "an error, closed without the last chunk": (_FULL + b'data: {"error": "CANARY"}\n\n', "closes", "provider_unavailable"),
    "only a role, closed without the last chunk": (_event({"role": "assistant"}), "closes", "provider_unavailable"),
    "done, stays open": (_FULL + _STOP + _DONE, "stays", "ok"),
    "finish_reason, stays open": (_FULL + _STOP, "stays", "ok"),
    "an error behind finish_reason, stays open": (_FULL + _STOP + b'data: {"error": "CANARY"}\n\n', "stays", "provider_unavailable"),
    "an error in the middle, stays open": (_event({"content": REPLY[:40]}) + b'data: {"error": "CANARY"}\n\n', "stays", "provider_unavailable"),
    "whole without a sign, stays open": (_FULL, "stays", "deadline_exceeded"),
    "a whole answer, closed without the last chunk": (_WHOLE, "closes", "ok"),
    "a whole answer, stays open": (_WHOLE, "stays", "ok"),
    "half an answer, closed without the last chunk": (_WHOLE[:-20], "closes", "provider_unavailable"),
    "keep-alives without end": (b": ping\n\n", "repeats", "deadline_exceeded"),
}  # fmt: skip
"""What is written of an answer with status 200, what happens then to the connection, and the code."""

BROKEN_REFUSALS = {"429 cut in its body": "closes", "429 whose body never ends": "stays"}


FLOODS = {
    "empty events": b"data:{}\n\n",
    "empty lines of data": b"data:\n",
    "line ends": b"\n",
    "one line without end": b"x",
    "openings": b"{",
    "objects": b"{},",
    "numbers": b"1,",
    "texts": b'"",',
    "bare lines": b"{}\n",
}
"""Repeated until nearly as much is written as is read of one answer, after a beginning that makes a body of it."""


class PlayingServer(LoopbackServer):
    """`with PlayingServer() as server: OpenAISynthesizer(base_url=server.base_url, model="honest", …)`"""

    def __init__(self) -> None:
        variations = {variation["name"]: list(answers_of(variation)) for variation in VARIATIONS}
        played = variations | {"honest": [completion()], "long": [completion(LONG_REPLY)]}
        played |= {name: [error(429), completion()] for name in (*BROKEN_REFUSALS, *FLOODS)}
        super().__init__(
            {
                name: [PlayedAnswer(answer.status_code, answer.headers, answer.content) for answer in answers]
                for name, answers in played.items()
            }
        )
        self.gone = 0
        """Clients that closed a connection on which they waited."""
        self.go_on = threading.Event()

    async def play(self, name: str, asked: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        if name == "takes no stream":
            await self._whole_only(writer, streaming="stream" in asked)
            return True
        if name in STREAMS:
            return await self._stream(name, reader, writer)
        if name in FLOODS:
            return await self._flood(name, reader, writer)
        if name in ENDINGS:
            return await self._ending(name, reader, writer)
        if name in BROKEN_REFUSALS:
            return await self._refusal(name, reader, writer)
        name, _, size = name.partition("@")
        if size:
            return await self._in_pieces(name, int(size), writer)
        if name not in SOCKET_FAULTS:
            return await super().play(name, asked, reader, writer)
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
        refusal = json.dumps({"error": {"message": "CANARY stream is not supported", "code": 400}}).encode()
        writer.write(http_answer(PlayedAnswer(400, {}, refusal) if streaming else self.answers["honest"][0]))
        await writer.drain()

    async def _stream(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """A reply of which one claim is written, and then what the name says."""
        writer.write(_HEAD)
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

    async def _flood(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """The first time a flood, then an honest answer."""
        if self.next_answer(name).status == 200:
            return await super().play("honest", {}, reader, writer)
        unit, start = FLOODS[name], b'{"a":[' if "," in FLOODS[name].decode() else b""
        writer.write(_HEAD + (_chunk(start) if start else b"") + _chunk(unit * (7_900_000 // len(unit))) + b"0\r\n\r\n")
        await writer.drain()
        return False

    async def _ending(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        content, then, _ = ENDINGS[name]
        writer.write(_HEAD + _chunk(content))
        await writer.drain()
        while then == "repeats":
            writer.write(_chunk(content))
            await writer.drain()
            await asyncio.sleep(0.01)
        if then == "stays":
            await reader.read()
            self.gone += 1
        return False

    async def _refusal(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """The first time a 429 whose body does not come to its end, then an honest answer."""
        if self.next_answer(name).status == 200:
            return await super().play("honest", {}, reader, writer)
        writer.write(b"HTTP/1.1 429 NO\r\nRetry-After: 1, 1\r\nContent-Length: 100\r\n\r\n{")
        await writer.drain()
        if BROKEN_REFUSALS[name] == "stays":
            await reader.read()
        return False

    async def _in_pieces(self, name: str, size: int, writer: asyncio.StreamWriter) -> bool:
        """An answer as a stream of events; where it cannot be one, as it is."""
        answer = self.next_answer(name)
        streamed = as_stream(httpx.Response(answer.status, headers=answer.headers, content=answer.content), size)
        if streamed is None:
            writer.write(http_answer(answer))
        else:
            writer.write(_HEAD)
            for at in range(0, len(streamed.content), size):
                writer.write(_chunk(streamed.content[at : at + size]))
                await writer.drain()
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True
