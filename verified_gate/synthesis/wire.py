"""What an HTTP answer of a model server means: the model's text, or a fault with its code.

The body is read loosely, as a dict in which every field may be absent, null, of another type or new; servers
differ in all of it. Nothing here raises, and no text of the body reaches a detail: servers echo prompts in their
errors. What is recognised by its words is named in our own.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from verified_gate.model import ReasonCode
from verified_gate.synthesis.stream import assemble
from verified_gate.synthesis.waiting import asked_wait

_C = ReasonCode


@dataclass(frozen=True, slots=True)
class ModelText:
    """A model's text, ready to be searched for its JSON. `detail` says what was unusual about the answer."""

    text: str = field(repr=False)
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no text. `retry` says whether asking again can help: never, once, or as long as time is left.

    `wait` is what the server asked for, in seconds. `format_refused` marks the 400 that a less demanding
    `response_format` may avoid, `stream_refused` the one that asking for the whole at once may; `unexplained` a 400 that
    names no cause.
    """

    code: ReasonCode
    detail: str
    retry: int = 0
    wait: float | None = None
    format_refused: bool = False
    stream_refused: bool = False
    unexplained: bool = False


ONCE = 1
ALWAYS = 1_000


def read_answer(status: int, headers: Mapping[str, str], body: bytes, now: float) -> ModelText | Fault:
    """Read one whole HTTP answer. `headers` have lower-case names; `now` is the wall clock in seconds since 1970."""
    value = assemble(body) if is_stream(headers, body) else _loose_json(body)
    if isinstance(value, list) and len(value) == 1:  # some gateways wrap their error object in a list
        value = value[0]
    if not isinstance(value, dict):
        if 200 <= status < 300:
            return Fault(
                _C.PROVIDER_UNAVAILABLE, f"HTTP {status} without JSON, where a chat completion was due", ALWAYS
            )
        return _of_status(status, headers, _Error(), now)
    error = _error_of(value)
    if error is None and 200 <= status < 300:
        return _read_completion(value)
    return _of_status(status, headers, error or _Error(), now)


def is_stream(headers: Mapping[str, str], body: bytes) -> bool:
    """Is an answer that begins like this a stream of events? Six bytes that are not blank are enough to tell.

    Some gateways stream what was not asked for as a stream, and some call a plain answer a stream.
    """
    start = body.lstrip()[:6]
    typed = headers.get("content-type", "").lower().startswith("text/event-stream")
    return start.startswith((b"data:", b"event:")) or (typed and not start.startswith((b"{", b"[")))


def _loose_json(body: bytes) -> object:
    try:
        return json.loads(body.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


# --- errors -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Error:
    """What an error body says, from whichever level it says it. `words` is everything, lower-cased, for matching."""

    status: int = 0
    codes: frozenset[str] = frozenset()
    words: str = field(default="", repr=False)
    failed_generation: str = field(default="", repr=False)


_MAX_WORDS = 4_000


def _error_of(value: Mapping[str, object]) -> _Error | None:
    """The error in a body: a string, an object or a list under `error`, or at the top level itself."""
    error = value.get("error") or value.get("errors")
    if not error:
        choices = value.get("choices")
        top = value.get("object") == "error" or value.get("success") is False
        told = isinstance(value.get("message"), str) or "detail" in value
        if not top and (choices is not None or not told):
            return None
        error = value
    status = 0
    codes: set[str] = set()
    words: list[str] = []
    failed = ""
    for part in _parts(error):
        for name in ("code", "type", "status"):
            number = _whole_number(part.get(name))
            if 400 <= number <= 599:
                status = max(status, number)
            elif isinstance(part.get(name), str):
                codes.add(str(part[name])[:100].lower())
        words.extend(str(part[name])[:_MAX_WORDS] for name in ("message", "detail", "param") if part.get(name))
        if isinstance(part.get("failed_generation"), str):
            failed = str(part["failed_generation"])
    return _Error(status, frozenset(codes), "\n".join(words).lower()[:_MAX_WORDS], failed)


def _parts(error: object, depth: int = 0) -> Iterator[Mapping[str, object]]:
    """The objects of an error, outermost first: it may be text, a list, or hold an inner error."""
    if depth > 4:
        return
    if isinstance(error, str):
        yield {"message": error}
    elif isinstance(error, list):
        for item in error[:8]:
            yield from _parts(item, depth + 1)
    elif isinstance(error, dict):
        yield error
        for name in ("error", "innererror", "inner_error"):
            if error.get(name):
                yield from _parts(error[name], depth + 1)


def _whole_number(value: object) -> int:
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) == 3 and value.isascii() and value.isdigit():
        return int(value)
    return 0


_TOO_LONG = re.compile(
    r"context size has been exceeded|exceeds? the available context|maximum context length|context[ _]length"
    r"|context[ _]window|too many tokens|(?:prompt|input|request|message)s? (?:is|are) too (?:long|large)"
    r"|max_model_len|maximum (?:input|prompt) length"
)
_FORMAT = re.compile(
    r"response_format|response format|json_schema|json schema|json_object|json mode|structured[ _]output|guided"
    r"|grammar|schema"
)
_STREAM = re.compile(r"\bstream(?:ing)?\b")
_TOO_LONG_CODES = frozenset({"exceed_context_size_error", "context_length_exceeded", "context_window_exceeded"})
_FILTER_CODES = frozenset({"content_filter", "responsibleaipolicyviolation", "content_policy_violation"})
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_GENERATION_CODES = frozenset({"json_validate_failed", "tool_use_failed"})
_WAIT_HEADERS = ("retry-after", "retry-after-ms", "date", "x-should-retry")


def _of_status(http_status: int, headers: Mapping[str, str], error: _Error, now: float) -> ModelText | Fault:
    """The more severe of the HTTP status and the body's own code decides, words only where they are plain."""
    status = max(http_status, error.status)
    if error.codes & _TOO_LONG_CODES or _TOO_LONG.search(error.words) or status == 413:
        return Fault(_C.CONTEXT_TOO_LONG, "the prompt does not fit the model's context")
    if error.codes & _FILTER_CODES:
        return Fault(_C.CONTENT_FILTERED, "the server's filter refused the prompt")
    if error.codes & _GENERATION_CODES:
        if error.failed_generation.strip():  # the model's text, which the server could not read: we may be able to
            return ModelText(error.failed_generation, "the server could not read the model's reply")
        return Fault(_C.INVALID_JSON, "the server could not read the model's reply, and did not pass it on")
    if error.codes & _QUOTA_CODES:
        return Fault(_C.RATE_LIMITED, f"HTTP {http_status}: the account's quota is used up")
    if status != 429:  # rate windows are told with every answer; only a 429 says that one is why
        headers = {name: headers[name] for name in _WAIT_HEADERS if name in headers}
    wait = asked_wait(headers, error.words, now)
    once = 0 if headers.get("x-should-retry", "").strip().lower() == "false" else ALWAYS
    if status == 429:
        return Fault(_C.RATE_LIMITED, f"HTTP {http_status}: too many requests", once, wait)
    if status in (408, 409) or status >= 500:
        return Fault(_C.PROVIDER_UNAVAILABLE, f"{_told(http_status, error)}: the server failed", once, wait)
    if status in (400, 422):
        format_refused = _FORMAT.search(error.words) is not None
        stream_refused = not format_refused and _STREAM.search(error.words) is not None
        hint = "it takes no such response_format" if format_refused else "the request was not understood"
        return Fault(
            _C.PROVIDER_UNAVAILABLE,
            f"{_told(http_status, error)}: {hint}",
            format_refused=format_refused,
            stream_refused=stream_refused,
            unexplained=not format_refused,
        )
    if status in _REMEDY:
        return Fault(_C.PROVIDER_UNAVAILABLE, f"{_told(http_status, error)}: {_REMEDY[status]}")
    if 300 <= status < 400:
        return Fault(_C.PROVIDER_UNAVAILABLE, f"HTTP {status}: a redirect, which is not followed; correct the base URL")
    if 200 <= status < 300:  # an error without a number in a body that calls itself a success
        return Fault(_C.PROVIDER_UNAVAILABLE, f"HTTP {status} with an error in its body", once, wait)
    return Fault(_C.PROVIDER_UNAVAILABLE, f"HTTP {status}")


_REMEDY = {
    401: "the key was not accepted; look at api_key or VERIFIED_GATE_API_KEY",
    402: "the account has to be paid",
    403: "the key does not permit this; look at api_key or VERIFIED_GATE_API_KEY, and at the model",
    404: "no such address or model; look at the base URL (it mostly ends in /v1) and the model",
    405: "not an address for chat completions; look at the base URL (it mostly ends in /v1)",
}


def _told(http_status: int, error: _Error) -> str:
    inner = f", {error.status} in its body" if error.status and error.status != http_status else ""
    return f"HTTP {http_status}{inner}"


# --- completions --------------------------------------------------------------------------------------------------

_CUT = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_FILTERED = frozenset({"content_filter", "content_filtered", "safety", "recitation", "prohibited_content", "blocklist"})
_BROKEN = frozenset({"insufficient_system_resource", "error", "abort", "aborted"})
_ENDED = frozenset({"", "stop", "eos", "eos_token", "end_turn", "stop_sequence"})
_CALLS = frozenset({"tool_calls", "function_call"})


def _read_completion(value: Mapping[str, object]) -> ModelText | Fault:
    choices = value.get("choices")
    if not isinstance(choices, list):
        return Fault(_C.PROVIDER_UNAVAILABLE, "HTTP 200 without choices", ALWAYS)
    usage = _mapping(value.get("usage"))
    choice = _first(choices)
    if choice is None:
        if _thinking_took_all(usage):
            return Fault(_C.TRUNCATED, "no choices; reasoning took all the tokens")
        return Fault(_C.EMPTY_REPLY, "no choices")
    if choice.get("error"):
        inner = _error_of({"error": choice["error"]}) or _Error()
        return _of_status(200, {}, inner, 0.0)
    message = _mapping(choice.get("message"))
    text, refused = _content(message.get("content"))
    if refused or message.get("refusal"):
        return Fault(_C.MODEL_REFUSED, "the model refused")
    raw = choice.get("finish_reason")
    reason = raw.strip().lower() if isinstance(raw, str) else ""
    if reason in _FILTERED:
        return Fault(_C.CONTENT_FILTERED, "the server's filter stopped the reply")
    if reason in _BROKEN or reason.startswith("abort"):
        return Fault(_C.PROVIDER_UNAVAILABLE, "the server broke the reply off", ONCE)
    if reason in _CUT:
        return Fault(_C.TRUNCATED, _why_cut(text, usage))
    if not text.strip():
        if message.get("tool_calls") or message.get("function_call") or reason in _CALLS:
            return Fault(_C.INVALID_SCHEMA, "a tool call, where text was due; no tool was offered")
        return Fault(_C.EMPTY_REPLY, _why_empty(message))
    notes = [] if reason in _ENDED else ["an unusual finish_reason"]
    if len(choices) > 1:
        notes.append(f"{len(choices)} choices, the first was used")
    return ModelText(text, "; ".join(notes))


def _first(choices: list[object]) -> Mapping[str, object] | None:
    """The choice of the smallest index; one without an index counts by its place."""
    best: Mapping[str, object] | None = None
    lowest: float = 0
    for place, choice in enumerate(choices):
        if isinstance(choice, dict):
            index = choice.get("index")
            rank = index if isinstance(index, int) and not isinstance(index, bool) else place
            if best is None or rank < lowest:
                best, lowest = choice, rank
    return best


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


_TEXT_PARTS = ("text", "output_text")


def _encoded(content: Mapping[str, object]) -> str:
    try:
        return json.dumps(content)
    except (ValueError, RecursionError):
        return ""


def _why_cut(text: str, usage: Mapping[str, object]) -> str:
    if not text.strip() and _count(usage, "completion_tokens") in (0, 1) and _count(usage, "prompt_tokens"):
        return "cut at once: the prompt filled the window"
    if _thinking_took_all(usage):
        return "reasoning took all the tokens"
    return "cut at the limit of tokens"


def _thinking_took_all(usage: Mapping[str, object]) -> bool:
    written = _count(usage, "completion_tokens")
    thought = _count(_mapping(usage.get("completion_tokens_details")), "reasoning_tokens")
    return bool(written and thought and thought >= written)


_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")


def _why_empty(message: Mapping[str, object]) -> str:
    if any(message.get(name) for name in _REASONING):
        return "no text, only reasoning, which is not used: turn thinking off for this model"
    return "no text"


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _count(usage: Mapping[str, object], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
