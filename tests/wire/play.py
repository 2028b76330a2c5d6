"""Plays what model servers answer: the variations of `bodies.json`, and a clock that passes only by sleeping."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import respx

from verified_gate.model import Location, Passage
from verified_gate.synthesis import OpenAISynthesizer, SynthesisRequest

BASE_URL = "http://model.test/v1"
URL = f"{BASE_URL}/chat/completions"
KEY = "sk-CANARY-key"
TEXT = "CANARY. You can return a bike within 30 days of delivery."
QUESTION = "CANARY? How long can I return a bike?"
QUOTE = "within 30 days of delivery"
REQUEST = SynthesisRequest(
    QUESTION, (Passage("returns@3#c0", TEXT, "returns", "CANARY policy", "3", location=Location(("CANARY",))),)
)
CLAIM = {"text": "You have 30 days.", "citations": [{"key": "e01", "quote": QUOTE}]}
REPLY = json.dumps({"status": "answered", "claims": [CLAIM]})
SECOND = {
    "text": "It is about a bike.",
    "citations": [{"key": "e01", "quote": "return a bike"}, {"key": "e09", "quote": "x"}],
}
THIRD = {
    "text": "Days of \u00fcber-delivery \U0001f6b2.",
    "citations": [{"key": "e01", "quote": "30 days of delivery"}],
}
ALTERED = {"text": "Within 90 days.", "citations": [{"key": "e01", "quote": "within 90 days of delivery"}]}
LONG_REPLY = json.dumps({"status": "answered", "claims": [CLAIM, SECOND, ALTERED, THIRD]})
"""Four claims: one whose second citation is refused, one that is refused whole, one with characters of several bytes."""
DRAFT = json.dumps({"status": "answered", "claims": [{"text": "CANARY draft", "citations": []}]})
_INNER = [json.dumps(part)[1:-1] for part in (REPLY, REPLY[:40], REPLY[40:])]
"""The reply and its halves as they stand inside a JSON string, for answers that are written out as text."""
_WORDS = {
    "$QUOTEDREPLY": _INNER[0],
    "$QUOTEDHEAD": _INNER[1],
    "$QUOTEDTAIL": _INNER[2],
    "$REPLY": REPLY,
    "$HEAD": REPLY[:40],
    "$TAIL": REPLY[40:],
    "$CUT": REPLY[:-6],
    "$DRAFT": DRAFT,
}

VARIATIONS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "bodies.json").read_bytes())


class Clock:
    """Time that passes only while somebody sleeps; `waits` are the sleeps."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds


def synthesizer(clock: Clock | None = None, **settings: Any) -> OpenAISynthesizer:
    """A synthesizer for `BASE_URL` on a clock of its own: nothing sleeps for real."""
    clock = clock or Clock()
    settings = {"base_url": BASE_URL, "model": "m", "api_key": KEY, "deadline": 60.0} | settings
    return OpenAISynthesizer(**settings, _clock=lambda: clock.time, _sleep=clock.sleep, _now=lambda: NOW + clock.time)


NOW = 1_700_000_000.0
"""Tue, 14 Nov 2023 22:13:20 GMT"""


def completion(content: Any = REPLY, finish_reason: Any = "stop", **message: Any) -> httpx.Response:
    """An honest answer, or one that differs in what is given."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}}
    return httpx.Response(200, json={"choices": [choice | {"finish_reason": finish_reason}]})


def error(status: int, body: Any = None, **headers: str) -> httpx.Response:
    """An error answer; underscores in header names stand for hyphens."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, json={"error": {"message": "CANARY"}} if body is None else body, headers=names)


def serve(*answers: httpx.Response | Exception | type[Exception]) -> respx.Route:
    """Let the mocked server give `answers` in turn, the last one for ever."""
    waiting = list(answers)

    def next_answer(request: httpx.Request) -> httpx.Response:
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(answer, httpx.Response):
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        raise answer

    return respx.post(URL).mock(side_effect=next_answer)


def answers_of(variation: dict[str, Any]) -> Iterator[httpx.Response]:
    """The answers of one variation as HTTP."""
    for answer in variation["answers"]:
        headers = answer.get("headers")
        if "json" in answer:
            yield httpx.Response(answer["status"], json=_filled(answer["json"]), headers=headers)
        else:
            yield httpx.Response(answer["status"], text=_filled(answer["text"]), headers=headers)


def as_stream(answer: httpx.Response, size: int) -> httpx.Response | None:
    """The same answer as a stream of events, its text in pieces of `size` characters; None where it is no JSON object that
    calls itself a success. Every choice keeps its index and its kind of content.
    """
    try:
        value = answer.json()
    except (ValueError, RecursionError):
        return None
    if answer.status_code != 200 or not isinstance(value, dict):
        return None
    chunks = [value]
    if isinstance(value.get("choices"), list) and not value.get("error"):
        chunks = [chunk for choice in value["choices"] for chunk in _chunks_of(choice, size)]
        chunks.append({"choices": [], "usage": value.get("usage")})
    events = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in chunks]
    return httpx.Response(
        200, text=": ping\n\n".join(events) + "data: [DONE]\n\n", headers={"content-type": "text/event-stream"}
    )


def _chunks_of(choice: Any, size: int) -> Iterator[dict[str, Any]]:
    """The chunks that one choice is written in."""
    if not isinstance(choice, dict):
        yield {"choices": [choice]}
        return
    outside = {name: part for name, part in choice.items() if name not in ("message", "finish_reason")}
    message = choice.get("message")
    if isinstance(message, dict):
        content = message.get("content")
        pieces = (
            [content[at : at + size] for at in range(0, len(content), size)] if isinstance(content, str) else [content]
        )
        extra = {name: part for name, part in message.items() if name != "content"}
        for delta in ({"role": "assistant", **extra}, *({"content": piece} for piece in pieces)):
            yield {"choices": [outside | {"delta": delta, "finish_reason": None}]}
    yield {"choices": [outside | {"delta": {}, "finish_reason": choice.get("finish_reason")}]}


def _filled(value: Any) -> Any:
    if value == "$OBJECT":
        return json.loads(REPLY)
    if isinstance(value, str):
        for word, text in _WORDS.items():
            value = value.replace(word, text)
        return value
    if isinstance(value, dict):
        return {name: _filled(part) for name, part in value.items()}
    return [_filled(part) for part in value] if isinstance(value, list) else value
