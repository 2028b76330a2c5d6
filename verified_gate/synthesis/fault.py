"""What an HTTP answer of a model server comes to: the model's text, or a fault with its code."""

from dataclasses import dataclass, field
from typing import Final

from verified_gate.model import ReasonCode

ONCE: Final = 1
ALWAYS: Final = 1_000


@dataclass(frozen=True, slots=True)
class ModelText:
    """A model's text, ready to be searched for its JSON. `detail` says what was unusual about the answer, in words of our own;
    `finish` is a `finish_reason` that nobody knows, which is the server's word: it is recorded, and not logged.
    """

    text: str = field(repr=False)
    detail: str = ""
    finish: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no text. `retry` says whether asking again can help: never, once, or as long as time is left.

    `wait` is what the server asked for, in seconds. `format_refused` marks the answer that a less demanding
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


class Unreadable(Exception):
    """An answer that is not read on: a server that never stops, or a bomb. Its words follow "the server answered"."""
