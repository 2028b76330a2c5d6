"""A small HTTP server on this machine that plays what model servers answer: for the demonstration, tests and benchmarks.

The model's name chooses what is played. It speaks to loopback only, holds every request as bytes, and ends with its
`with` block. It is no model server for anything else.
"""

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self


class PlayedAnswer(NamedTuple):
    """One HTTP answer: status, headers and body. Its length is told by the server."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class LoopbackServer:
    """`with LoopbackServer(answers) as server: OpenAISynthesizer(base_url=server.base_url, model=NAME, …)`.

    `answers` maps a model's name to what is played, one after the other, the last one for ever. `requests` holds what
    came in.
    """

    base_url = ""

    def __init__(self, answers: Mapping[str, Sequence[PlayedAnswer]]) -> None:
        self.answers = dict(answers)
        self.requests: list[bytes] = []
        self.connections = 0
        self.most_at_once = 0
        self._running = 0
        self._turns: dict[str, int] = {}

    def rewind(self) -> None:
        """Play everything from its first answer again."""
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

    async def play(
        self,
        name: str,
        asked: Mapping[str, Any],  # noqa: ARG002  # of those who play more
        reader: asyncio.StreamReader,  # noqa: ARG002
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Answer one request, whose decoded body is `asked`; gives whether the connection stays open."""
        await asyncio.sleep(0.01)
        writer.write(http_answer(self.next_answer(name)))
        await writer.drain()
        return True

    def next_answer(self, name: str) -> PlayedAnswer:
        """What is played next under this name."""
        turn = self._turns.get(name, 0)
        self._turns[name] = turn + 1
        played = self.answers[name]
        return played[min(turn, len(played) - 1)]

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
                    writer.write(http_answer(PlayedAnswer(400, {}, b"")))
                    return
                head = first + await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
                body = await reader.readexactly(length)
                self.requests.append(head + body)
                self._running += 1
                self.most_at_once = max(self.most_at_once, self._running)
                try:
                    asked = json.loads(body)
                    if not await self.play(asked["model"], asked, reader, writer):
                        return
                finally:
                    self._running -= 1
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client went, or the server ends
        finally:
            writer.close()


def http_answer(answer: PlayedAnswer) -> bytes:
    """The bytes of an answer."""
    dropped = ("content-length", "transfer-encoding")
    headers = [f"{name}: {value}" for name, value in answer.headers.items() if name.lower() not in dropped]
    lines = [f"HTTP/1.1 {answer.status} PLAYED", *headers, f"content-length: {len(answer.content)}", "", ""]
    return "\r\n".join(lines).encode() + answer.content


def chat_answer(content: str | None, finish_reason: str = "stop", **message: Any) -> PlayedAnswer:
    """What a server of the OpenAI chat API answers where a model wrote `content`."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content, **message},
        "finish_reason": finish_reason,
    }
    return PlayedAnswer(200, {"content-type": "application/json"}, json.dumps({"choices": [choice]}).encode())
