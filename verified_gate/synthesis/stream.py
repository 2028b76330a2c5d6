"""Server-sent events of a chat completion, put together into the one answer they make up.

Reads what servers really send: comments and keep-alives, CR and LF in any mix, several `data` lines of one event, no
blank after the colon, chunks without choices or without a delta, an error in the middle, an end without a sign that
it is one. Bytes may be split anywhere, in a character, too.
"""

import codecs
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


class EventReader:
    """Turns bytes into the data of events. `feed` may be called with any split of the bytes."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []
        self._name = ""
        self._after_cr = False

    def feed(self, chunk: bytes, *, last: bool = False) -> Iterator[tuple[str, str]]:
        """The (name, data) of each event that `chunk` completes. With `last`, also of one that nothing ended."""
        text = self._decoder.decode(chunk, last)
        if self._after_cr and text:
            text = text.removeprefix("\n")
            self._after_cr = False
        self._after_cr = text.endswith("\r")
        *lines, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in lines:
            if self._line:
                line = "".join([*self._line, line])  # noqa: PLW2901  # the line whose beginning came before
                self._line.clear()
            event = self._take(line)
            if event is not None:
                yield event
        if rest:
            self._line.append(rest)
        if last:
            for line in ("".join(self._line), ""):
                event = self._take(line)
                if event is not None:
                    yield event

    def _take(self, line: str) -> tuple[str, str] | None:
        """Add one line; an empty one ends an event."""
        if not line:
            event = (self._name, "\n".join(self._data)) if self._data else None
            if event is not None or self._name:
                self._data.clear()
                self._name = ""
            return event
        label, _, value = line.removeprefix("\ufeff").partition(":")
        if label == "data":
            self._data.append(value.removeprefix(" "))
        elif label == "event":
            self._name = value.removeprefix(" ")
        return None


@dataclass(slots=True)
class Assembly:
    """One completion from the data of its events. `ended` is true after `[DONE]` or a `finish_reason`."""

    ended: bool = False
    done: bool = False
    """`[DONE]` was seen: whatever follows is not read."""
    _parts: list[str] = field(default_factory=list, repr=False)
    _taken: int = 0
    _refused: bool = False
    _called: bool = False
    _thought: bool = False
    _finish: object = None
    _usage: object = None
    _error: object = None
    _chunks: int = 0

    def take(self, name: str, data: str) -> None:
        """Add one event. Data that is no JSON object is passed over, as keep-alives are."""
        if self.done:
            return
        if data.strip() == "[DONE]":
            self.ended = self.done = True
            return
        chunk = _object(data)
        if chunk is None:
            if name == "error":
                self._error = "not readable"
            return
        if name == "error" or chunk.get("error"):
            self._error = chunk.get("error") or chunk
            return
        self._chunks += 1
        if chunk.get("usage"):
            self._usage = chunk["usage"]
        for choice in _mappings(chunk.get("choices")):
            if choice.get("index") in (0, None):
                self._choice(choice)

    def new_text(self) -> str:
        """The text that came since the last call; none once something says that it will not be used."""
        if self._refused or self._called or self._error is not None:
            return ""
        text = "".join(self._parts[self._taken :])
        self._taken = len(self._parts)
        return text

    def _choice(self, choice: Mapping[str, object]) -> None:
        if choice.get("error"):
            self._error = choice["error"]
        if choice.get("finish_reason"):
            self._finish = choice["finish_reason"]
            self.ended = True
        for delta in _mappings([choice.get("delta"), choice.get("message")]):
            self._refused = self._refused or bool(delta.get("refusal"))
            self._called = self._called or bool(delta.get("tool_calls") or delta.get("function_call"))
            self._thought = self._thought or any(delta.get(name) for name in _REASONING)
            content = delta.get("content")
            if isinstance(content, str):
                self._parts.append(content)
            for part in _mappings(content):
                self._refused = self._refused or part.get("type") == "refusal"
                if part.get("type", "text") in ("text", "output_text") and isinstance(part.get("text"), str):
                    self._parts.append(str(part["text"]))

    def completion(self) -> dict[str, object]:
        """The whole as the body of a completion that was not streamed. Where no sign of an end was seen, it is cut."""
        if self._error is not None:
            return {"error": self._error}
        if not self._chunks:
            return {}
        message: dict[str, object] = {"content": "".join(self._parts)}
        if self._refused:
            message["refusal"] = True
        if self._called:
            message["tool_calls"] = True
        if self._thought:
            message["reasoning"] = True
        finish = self._finish if self.ended else "length"
        return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": self._usage}


_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")


def assemble(body: bytes) -> dict[str, object]:
    """The completion that a whole event stream makes up, as `Assembly.completion`."""
    reader, whole = EventReader(), Assembly()
    for name, data in reader.feed(body, last=True):
        whole.take(name, data)
    return whole.completion()


def _object(data: str) -> dict[str, object] | None:
    if not data.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(data, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _mappings(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))
