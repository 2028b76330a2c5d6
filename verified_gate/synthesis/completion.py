"""One completion, from an answer that comes whole or from the chunks of a stream: both are read by the same rules.

A whole answer is a chunk that holds a `message` where others hold a `delta`. Every field may be absent, null, of
another type or new; nothing here raises, and no text of the model reaches a detail.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from verified_gate.model import ReasonCode
from verified_gate.synthesis.fault import ALWAYS, ONCE, Fault, ModelText
from verified_gate.synthesis.server_errors import ServerError, error_of, read_error

_C = ReasonCode

_FILTERED = frozenset(
    {"content_filter", "content_filtered", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
)
_BROKEN = frozenset({"insufficient_system_resource", "error", "abort", "aborted", "cancelled", "timeout"})
_CUT = frozenset({"length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded"})
_REFUSED = frozenset({"refusal"})
_CALLS = frozenset({"tool_calls", "function_call"})
_ENDED = frozenset({"", "stop", "eos", "eos_token", "end_turn", "stop_sequence"})
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
_TEXT_PARTS = ("text", "output_text")
_PLAIN_WORD = re.compile(r"[A-Za-z_]{1,30}")
"""What is kept of a `finish_reason` that nobody knows: one word without digits can be no key, and hardly a text."""


@dataclass(slots=True)
class Completion:
    """Takes the chunks in their order. `ended` is true once a `finish_reason` was seen, in a whole answer always."""

    ended: bool = False
    _choices: dict[int, "_Choice"] = field(default_factory=dict)
    _listed: bool = False
    _usage: Mapping[str, object] = field(default_factory=dict)
    _error: ServerError | None = None

    def take(self, value: Mapping[str, object], *, whole: bool = False) -> None:
        """Add a chunk or, with `whole`, the one that is all."""
        error = error_of(value)
        if error is not None:
            self.fail(error)
            return
        self.ended = self.ended or whole
        self._usage = _mapping(value.get("usage")) or self._usage
        choices = value.get("choices")
        if not isinstance(choices, list):
            return
        self._listed = True
        for place, choice in enumerate(choices):
            if isinstance(choice, dict):
                taking = self._choices.setdefault(_index(choice, place), _Choice())
                taking.take(choice)
                self.ended = self.ended or taking.finish is not None

    def fail(self, error: ServerError) -> None:
        """The server said that it failed; the first time counts, whatever else comes."""
        self._error = self._error or error

    @property
    def error(self) -> ServerError | None:
        """What the server said to have gone wrong, of the whole or of the choice that counts."""
        choice = self._choice()
        return self._error or (None if choice is None else choice.error)

    def new_text(self) -> str:
        """The text of the choice that counts, as far as it came since the last call; none once something says that it will
        not be used. Only the choice 0 is known to be the one before all chunks are there.
        """
        choice = self._choices.get(0)
        return "" if self._error is not None or choice is None else choice.new_text()

    def outcome(self, cut: Fault | None = None) -> ModelText | Fault:
        """What it comes to where it holds no `error`. `cut` is why no more of it was read, where its end did not come: a
        connection that broke (asking again may help then, unless a reply had begun), or the time that was up.
        """
        choice = self._choice()
        if not self._listed:
            return cut or Fault(_C.PROVIDER_UNAVAILABLE, "HTTP 200 without choices", ALWAYS)
        if choice is not None and (choice.refused or choice.reason in _REFUSED):
            return Fault(_C.MODEL_REFUSED, "the model refused")
        reason = "" if choice is None else choice.reason
        if reason in _FILTERED:
            return Fault(_C.CONTENT_FILTERED, "the server's filter stopped the reply")
        if _says_broken(reason):
            return Fault(_C.PROVIDER_UNAVAILABLE, "the server broke the reply off", ONCE)
        text = "" if choice is None else choice.text()
        if reason in _CUT:
            return Fault(_C.TRUNCATED, self._why_cut(text))
        if choice is None and self._thinking_took_all():
            return Fault(_C.TRUNCATED, "no choices; reasoning took all the tokens")
        if not self.ended:
            if cut is not None and (not cut.retry or not text.strip()):
                return cut
            return Fault(_C.TRUNCATED, "the reply ended without a sign of its end")
        if choice is None:
            return Fault(_C.EMPTY_REPLY, "no choices")
        if not text.strip():
            if choice.called or reason in _CALLS:
                return Fault(_C.INVALID_SCHEMA, "a tool call, where text was due; no tool was offered")
            return Fault(_C.EMPTY_REPLY, _why_empty(choice))
        plain = isinstance(choice.finish, str) and _PLAIN_WORD.fullmatch(choice.finish)
        word = str(choice.finish) if plain and choice.reason not in _ENDED else ""
        return ModelText(text, "; ".join(self._notes(choice)), word)

    def _choice(self) -> "_Choice | None":
        return self._choices[min(self._choices)] if self._choices else None

    def _notes(self, choice: "_Choice") -> Iterator[str]:
        """What was unusual about a reply that is used all the same."""
        if choice.reason not in _ENDED:
            yield "an unusual finish_reason"
        if len(self._choices) > 1:
            yield f"{len(self._choices)} choices, the first was used"
        if choice.thought:
            yield f"{choice.thought} characters of reasoning beside the reply"

    def _why_cut(self, text: str) -> str:
        if (
            not text.strip()
            and _count(self._usage, "completion_tokens") in (0, 1)
            and _count(self._usage, "prompt_tokens")
        ):
            return "cut at once: the prompt filled the window"
        return "reasoning took all the tokens" if self._thinking_took_all() else "cut at the limit of tokens"

    def _thinking_took_all(self) -> bool:
        written = _count(self._usage, "completion_tokens")
        thought = _count(_mapping(self._usage.get("completion_tokens_details")), "reasoning_tokens")
        return bool(written and thought and thought >= written)


@dataclass(slots=True)
class _Choice:
    """One choice. `finish` is the gravest `finish_reason` that was seen, as it was written; `thought` counts the characters of
    reasoning.
    """

    finish: object = None
    refused: bool = False
    called: bool = False
    thought: int = 0
    error: ServerError | None = None
    _parts: list[str] = field(default_factory=list, repr=False)
    _size: int = 0
    _taken: int = 0

    @property
    def reason(self) -> str:
        return _reason(self.finish)

    def text(self) -> str:
        return "".join(self._parts)

    def new_text(self) -> str:
        if self.refused or self.called or self.error is not None or _gravity(self.reason) > _gravity("other"):
            return ""
        text = "".join(self._parts[self._taken :])
        self._taken = len(self._parts)
        return text

    def take(self, choice: Mapping[str, object]) -> None:
        if choice.get("error"):
            self.error = self.error or read_error(choice["error"])
        said = choice.get("finish_reason")
        if said and (self.finish is None or _gravity(_reason(said)) > _gravity(self.reason)):
            self.finish = said
        for name in ("delta", "message"):
            part = _mapping(choice.get(name))
            text, refused = _content(part.get("content"))
            self.refused = self.refused or refused or bool(part.get("refusal"))
            self.called = self.called or bool(part.get("tool_calls") or part.get("function_call"))
            self.thought += max(_length(part.get(each)) for each in _REASONING)
            self._add(self._after(text) if name == "message" else text)

    def _add(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._size += len(text)

    def _after(self, message: str) -> str:
        """What a `message` adds: some servers end a stream by repeating in it all that came before."""
        if not self._size or 2 * len(message) < self._size:  # too short to repeat it; so the work stays linear
            return message
        before = self.text()
        if before.strip() == message.strip():
            return ""
        return message.removeprefix(before)


def _reason(finish: object) -> str:
    if finish is None:
        return ""
    return finish.strip().lower() if isinstance(finish, str) else "other"


def _gravity(reason: str) -> int:
    """Which of several reasons counts: one that says broken is not taken back by a later `stop`."""
    if reason in _REFUSED:
        return 6
    if reason in _FILTERED:
        return 5
    if _says_broken(reason):
        return 4
    if reason in _CUT:
        return 3
    return 0 if reason in _ENDED else 1


def _says_broken(reason: str) -> bool:
    return reason in _BROKEN or reason.startswith("abort")


def _index(choice: Mapping[str, object], place: int) -> int:
    """The number of a choice; one without an index counts by its place."""
    index = choice.get("index")
    if isinstance(index, int) and not isinstance(index, bool) and index >= 0:
        return index
    if isinstance(index, str) and len(index) < 10 and index.isascii() and index.isdigit():
        return int(index)
    return place


def _content(content: object) -> tuple[str, bool]:
    """The text of a message's content, and whether one of its parts is a refusal.

    A string; an object, where a gateway has decoded the JSON already; or a list of parts, of which only those of
    text count: thinking and references are not the reply.
    """
    if isinstance(content, str):
        return content, False
    if isinstance(content, dict):
        if content.get("type") == "refusal":
            return "", True
        if content.get("type") in _TEXT_PARTS and "text" in content:
            return _content([content])
        return _encoded(content), False
    if not isinstance(content, list):
        return "", False
    texts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            if part.get("type") == "refusal" or part.get("refusal"):
                return "", True
            if part.get("type", "text") in _TEXT_PARTS:
                text = part.get("text")
                text = text.get("value") if isinstance(text, dict) else text
                texts.append(text if isinstance(text, str) else "")
    return "".join(texts), False


def _encoded(content: Mapping[str, object]) -> str:
    try:
        return json.dumps(content)
    except (ValueError, RecursionError):
        return ""


def _why_empty(choice: _Choice) -> str:
    if choice.thought:
        return "no text, only reasoning, which is not used: turn thinking off for this model"
    return "no text"


def _length(reasoning: object) -> int:
    """Characters of reasoning; where it is no text, 1 for each of its parts."""
    return len(reasoning) if isinstance(reasoning, str | list | dict) else int(bool(reasoning))


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _count(usage: Mapping[str, object], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
