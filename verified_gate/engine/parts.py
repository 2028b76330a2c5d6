"""Calling parts that are not ours: retrievers, synthesizers, stores, record logs.

Whatever such a part raises becomes a value that names its kind and nothing of its message, which may hold text. What
our own parts raise for wrong use reaches the caller.
"""

import asyncio
import inspect
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from verified_gate.engine.threads import in_engine_thread
from verified_gate.model.errors import MissingExtra, MissingRecording, QueryError
from verified_gate.synthesis.protocol import SynthesisFailure

WRONG_USE: Final = (QueryError, MissingRecording, MissingExtra)
"""What our own parts raise for wrong use; the caller sees these. Any other exception of a part becomes a code."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception of somebody else's part: its type's name."""

    kind: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A stream that stopped without its last word."""


def outcome_of(call: Callable[[], object]) -> object:
    """What `call` returns, or `Raised`. Raises `TypeError` where it returns something to await."""
    try:
        outcome = call()
    except WRONG_USE:
        raise
    except Exception as fault:  # noqa: BLE001  # whatever a foreign part raises becomes a code
        return Raised(type(fault).__name__)
    if inspect.isawaitable(outcome):
        if inspect.iscoroutine(outcome):
            outcome.close()
        raise TypeError("a part of the engine returned something to await: use `await engine.aanswer(...)`")
    return outcome


async def awaited_outcome_of(call: Callable[[], object]) -> object:
    """The same for a call that gives something to await, or the outcome at once."""
    try:
        outcome = call()
        for _ in range(2):  # a method that ran in a thread may itself give something to await
            outcome = await outcome if inspect.isawaitable(outcome) else outcome
    except WRONG_USE:
        raise
    except Exception as fault:  # noqa: BLE001
        return Raised(type(fault).__name__)
    return outcome


def next_of(stream: Iterator[object]) -> object:
    """The next part of a stream, `Ended` or `Raised`."""
    try:
        return next(stream, Ended())
    except WRONG_USE:
        raise
    except Exception as fault:  # noqa: BLE001
        return Raised(type(fault).__name__)


async def awaited_next_of(stream: AsyncIterator[object]) -> object:
    """The same for an asynchronous stream."""
    try:
        return await anext(stream, Ended())
    except WRONG_USE:
        raise
    except Exception as fault:  # noqa: BLE001
        return Raised(type(fault).__name__)


def require(part: object, role: str, name: str) -> None:
    """Raise `TypeError` where `part` has no method of this name, awaited or not."""
    refuse_class(part, role)
    if not callable(getattr(part, name, None)) and not callable(getattr(part, f"a{name}", None)):
        raise TypeError(f"the {role} has neither {name}() nor a{name}()")


def refuse_class(part: object, role: str) -> None:
    """Raise `TypeError` where the class was given for an object of it."""
    if isinstance(part, type):
        raise TypeError(f"the {role} is the class {part.__name__}: give an object of it, {part.__name__}(...)")


def sync_method(part: object, name: str) -> Callable[..., Any]:
    """The method to call. Raises `TypeError` where it can only be awaited."""
    method = getattr(part, name, None)
    if method is None or inspect.iscoroutinefunction(method):
        raise TypeError(f"{type(part).__name__} can only be awaited: use `await engine.aanswer(...)`")
    return method  # type: ignore[no-any-return]


def async_method(part: object, name: str, *, ours: bool = False) -> Callable[..., Any]:
    """The method to await; one that cannot be awaited runs in a thread, in one of the engine's where it is `ours`."""
    awaited = getattr(part, f"a{name}", None)
    if awaited is not None:
        return awaited  # type: ignore[no-any-return]
    method: Callable[..., Any] = getattr(part, name)
    if inspect.iscoroutinefunction(method):
        return method

    def in_thread(*arguments: object, **keywords: object) -> Awaitable[object]:
        call = partial(method, *arguments, **keywords)
        return in_engine_thread(call) if ours else asyncio.to_thread(call)

    return in_thread


def takes(method: Callable[..., object], name: str) -> bool:
    """Can `method` be called with the keyword `name`?"""
    try:
        parameters = inspect.signature(method).parameters
    except (TypeError, ValueError):  # some built-in callables tell nothing
        return False
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if name in parameters:
        return parameters[name].kind in by_name
    return any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())


def wait_of(failure: SynthesisFailure) -> float | None:
    """Seconds that the server asks to wait; a synthesizer may say anything."""
    wait = failure.retry_after
    return float(wait) if isinstance(wait, int | float) and math.isfinite(wait) and wait > 0 else None


def words_of(failure: SynthesisFailure) -> str:
    """The failure's detail with, in words, how often was asked and how long the server asks to wait."""
    parts = [failure.detail]
    if type(failure.attempts) is int and failure.attempts > 1:
        parts.append(f"asked {failure.attempts} times")
    wait = wait_of(failure)
    if wait is not None:
        told = f"wait {wait:g} second{'' if wait == 1 else 's'}"
        if f"wait {wait:g} second" not in failure.detail:
            parts.append(f"the server asks to {told}")
    return "; ".join(filter(None, parts))
