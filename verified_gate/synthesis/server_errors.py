"""What a model server's error means, from its HTTP status, its headers and whatever its body holds.

The body is read loosely: servers differ in all of it. Nothing here raises, and no text of the body reaches a detail:
servers echo prompts in their errors. What is recognised by its words is named in our own.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from verified_gate.model import ReasonCode
from verified_gate.synthesis.fault import ALWAYS, Fault, ModelText
from verified_gate.synthesis.waiting import asked_wait

_C = ReasonCode


@dataclass(frozen=True, slots=True)
class ServerError:
    """What an error body says, from whichever level it says it.

    `status` is the number that its codes give, `named` the one that a code in words stands for; 0 where there is none.
    `codes`, `words` (its messages) and `param` are lower-cased, for matching.
    """

    status: int = 0
    named: int = 0
    codes: frozenset[str] = frozenset()
    words: str = field(default="", repr=False)
    param: str = field(default="", repr=False)
    failed_generation: str = field(default="", repr=False)


_MAX_WORDS: Final = 4_000
_MESSAGES: Final = ("message", "msg", "error_msg", "error_message")
_WORDS: Final = (*_MESSAGES, "detail", "param")
_CODES: Final = ("code", "error_code", "status", "type")


def error_of(value: Mapping[str, object]) -> ServerError | None:
    """The error in a body that calls itself a success, or in one event of a stream: a string, an object or a list under
    `error`, or at the top level itself. A message alone is none: servers also write how long their queue is.
    """
    error = value.get("error") or value.get("errors")
    if error:
        return read_error(error)
    top = value.get("object") == "error" or value.get("success") is False
    return read_error(value) if top or (not value.get("choices") and _tells_of_failure(value)) else None


def _tells_of_failure(value: Mapping[str, object]) -> bool:
    if any(value.get(name) for name in ("error_code", "error_msg", "error_message")):
        return True
    for code in (value.get(name) for name in _CODES):
        if 400 <= _whole_number(code) <= 599:
            return True
        word = _NOT_A_LETTER.sub("", code[:100].lower()) if isinstance(code, str) else ""
        if word.endswith("error") or word in _NAMED:
            return True
    return False


def read_error(error: object) -> ServerError:
    """The same for what stands where an error is due, such as the whole body of an answer with the status of one."""
    parts = list(_parts(error))
    words = [str(part[name])[:_MAX_WORDS] for part in parts for name in _WORDS if part.get(name)]
    words += [f"retry after {delay}" for part in parts for delay in _delays(part.get("details"))]
    codes: dict[str, None] = {}
    status = 0
    for name in _CODES:
        for part in parts:
            number = _whole_number(part.get(name))
            if 400 <= number <= 599:
                status = max(status, number)
            elif isinstance(part.get(name), str):
                codes[str(part[name])[:100].lower()] = None
    failed = [str(part["failed_generation"]) for part in parts if isinstance(part.get("failed_generation"), str)]
    param = next((str(part["param"])[:100].lower() for part in parts if part.get("param")), "")
    named = next((_NAMED[plain] for code in codes if (plain := _NOT_A_LETTER.sub("", code)) in _NAMED), 0)
    told = "\n".join(words).lower()[:_MAX_WORDS]
    return ServerError(status, named, frozenset(codes), told, param, failed[-1] if failed else "")


def told_plainly(body: bytes) -> ServerError:
    """The error of a body that is no JSON: a line of text that somebody wrote; a page of HTML says nothing."""
    start = body[:_MAX_WORDS].decode("utf-8", "replace").strip().lower()
    return ServerError(words="" if start.startswith("<") else start)


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
        for name in ("error", "errors", "innererror", "inner_error"):
            if error.get(name):
                yield from _parts(error[name], depth + 1)


def _delays(details: object) -> Iterator[str]:
    """How long Google's servers ask to wait."""
    for detail in details[:8] if isinstance(details, list) else ():
        if isinstance(detail, dict) and isinstance(detail.get("retryDelay"), str):
            yield detail["retryDelay"][:20].lower()


def _whole_number(value: object) -> int:
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) == 3 and value.isascii() and value.isdigit():
        return int(value)
    return 0


_NOT_A_LETTER = re.compile(r"[^a-z]+")
_NAMED: Final = {
    **dict.fromkeys(
        ("ratelimitexceeded", "ratelimiterror", "ratelimited", "toomanyrequests", "resourceexhausted", "throttled"), 429
    ),
    "throttlingexception": 429,
    **dict.fromkeys(
        ("invalidapikey", "authenticationerror", "unauthenticated", "unauthorized", "invalidauthentication"), 401
    ),
    **dict.fromkeys(("permissionerror", "permissiondenied", "permissiondeniederror", "forbidden"), 403),
    **dict.fromkeys(("modelnotfound", "notfounderror", "notfound"), 404),
    **dict.fromkeys(("invalidrequesterror", "badrequesterror", "badrequest", "invalidargument"), 400),
    **dict.fromkeys(("servererror", "internalservererror", "internalerror", "internal", "apierror"), 500),
    **dict.fromkeys(("overloadederror", "overloaded", "serviceunavailable", "unavailable", "engineoverloaded"), 503),
}
"""Codes that are words, letters alone -> the HTTP status that they stand for."""

_TOO_LONG = re.compile(
    r"context size has been exceeded|exceeds? the available context|maximum context length|context[ _]length"
    r"|context[ _]window|(?:prompt|input|request|message)s? (?:is|are) too (?:long|large)"
    r"|max_model_len|maximum (?:input|prompt|model) length|maximum number of (?:input )?tokens allowed"
    r"|max_new_tokens`? must be <=|`?inputs`? must have less than"
)
_TOO_MANY_TOKENS = re.compile(r"too many tokens")
_RATE = re.compile(
    r"\bper (?:second|sec|minute|min|hour|day)\b|\b[rt]p[md]\b|rate.?limit|throttl|quota|\bwait\b|try(?:ing)? again"
)
_FORMAT = re.compile(r"response.?format|text\.format|json.?schema|json_object|json mode|structured.?output|grammar")
_FORMAT_OF_A_REQUEST = re.compile(r"schema|guided")
"""Words that mean the format only where the request itself was refused."""
_UNSUPPORTED = re.compile(r"unsupported|not support")
_STREAM = re.compile(r"\bstream(?:ing)?\b")
_REFUSED = re.compile(
    r"unsupported|not (?:be )?(?:support|allow|available|enabled|implemented|permitted)|n't support|must be false"
    r"|disabled|unknown|unrecogni[sz]ed|unexpected|invalid|extra"
)
_TOO_LONG_CODES = frozenset({"exceed_context_size_error", "context_length_exceeded", "context_window_exceeded"})
_FILTER_CODES = frozenset({"content_filter", "responsibleaipolicyviolation", "content_policy_violation"})
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_GENERATION_CODES = frozenset({"json_validate_failed", "tool_use_failed"})
_WAIT_HEADERS = ("retry-after", "retry-after-ms", "date", "x-should-retry")
_ABOUT_THE_ACCOUNT = (401, 402, 403, 429)
"""Statuses that say themselves what is wrong: words of such an answer speak of the account's limits, not of the prompt."""
_REQUEST_REFUSED = (400, 422)
_MAY_NAME_THE_FORMAT = (*_REQUEST_REFUSED, 404, 415, 500, 501)


def fault_of(http_status: int, headers: Mapping[str, str], error: ServerError, now: float) -> ModelText | Fault:
    """The more severe of the HTTP status and the body's own code decides, words only where they are plain.

    `headers` have lower-case names; `now` is the wall clock in seconds since 1970.
    """
    status = max(http_status, error.status)
    if 200 <= status < 300:  # a success by its numbers: the word is all there is
        status = max(status, error.named)
    if error.codes & _TOO_LONG_CODES or status == 413 or _says_too_long(status, error.words):
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
    told = _told(http_status, error)
    again = once if status in (408, 409) or status >= 500 else 0
    if _names_the_format(status, error):
        detail = f"{told}: it takes no such response_format"
        return Fault(_C.PROVIDER_UNAVAILABLE, detail, again, wait, format_refused=True)
    if status in (408, 409) or status >= 500:
        return Fault(_C.PROVIDER_UNAVAILABLE, f"{told}: the server failed", again, wait)
    if status in _REQUEST_REFUSED:
        return Fault(
            _C.PROVIDER_UNAVAILABLE,
            f"{told}: the request was not understood",
            stream_refused=_refuses_to_stream(error),
            unexplained=True,
        )
    if status in _REMEDY:
        return Fault(_C.PROVIDER_UNAVAILABLE, f"{told}: {_REMEDY[status]}")
    if 300 <= status < 400:
        return Fault(_C.PROVIDER_UNAVAILABLE, f"HTTP {status}: a redirect, which is not followed; correct the base URL")
    if 200 <= status < 300:  # an error without a number in a body that calls itself a success
        return Fault(_C.PROVIDER_UNAVAILABLE, f"HTTP {status} with an error in its body", once, wait)
    return Fault(_C.PROVIDER_UNAVAILABLE, f"HTTP {status}")


def _says_too_long(status: int, words: str) -> bool:
    if status in _ABOUT_THE_ACCOUNT:
        return False
    return bool(_TOO_LONG.search(words) or (_TOO_MANY_TOKENS.search(words) and not _RATE.search(words)))


def _names_the_format(status: int, error: ServerError) -> bool:
    """Is it the response format that was refused? That something is unsupported may mean it, where nothing else is named."""
    if status not in _MAY_NAME_THE_FORMAT:
        return False
    told = "\n".join([error.words, *error.codes])
    if _FORMAT.search(told):
        return True
    if status not in _REQUEST_REFUSED:
        return False
    if _FORMAT_OF_A_REQUEST.search(told):
        return True
    return not error.param and not _refuses_to_stream(error) and _UNSUPPORTED.search(told) is not None


def _refuses_to_stream(error: ServerError) -> bool:
    """Is it streaming that was refused? That a stream broke somewhere is no refusal."""
    return error.param == "stream" or bool(_STREAM.search(error.words) and _REFUSED.search(error.words))


_REMEDY = {
    401: "the key was not accepted; look at api_key or VERIFIED_GATE_API_KEY",
    402: "the account has to be paid",
    403: "the key does not permit this; look at api_key or VERIFIED_GATE_API_KEY, and at the model",
    404: "no such address or model; look at the base URL (it mostly ends in /v1) and the model",
    405: "not an address for chat completions; look at the base URL (it mostly ends in /v1)",
}


def _told(http_status: int, error: ServerError) -> str:
    inner = f", {error.status} in its body" if error.status and error.status != http_status else ""
    return f"HTTP {http_status}{inner}"
