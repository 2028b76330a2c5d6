"""What the engine saw at each stage of one question: the material of a record. Holds texts; a record decides what it keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from verified_gate.gate import Decision
from verified_gate.model import Actor, Passage
from verified_gate.release import Answer
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints

ChannelStatus = Literal["ok", "partial", "unavailable"]


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A passage that retrieval gave: its key, its rank from 1, and the channel that found it."""

    key: str
    rank: int
    channel: str = "lexical"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One exchange with the synthesizer: how often it was asked, what it proposed (None: it failed), what the gate said of it.
    `first` is the position of the first proposed claim, where this is a part of a reply. `note` says what was unusual about
    the server's answer.
    """

    attempts: int
    proposal: object | None
    decision: Decision | None
    code: str = "ok"
    first: int = 0
    note: str = ""


@dataclass(slots=True)
class Trace:
    """Filled by the engine, stage by stage; handed to the record log before the answer leaves.

    `eligible` counts the passages that the actor may read within the request's hard limits (None: not known).
    `widened`: the preferred collections held too little, and others within the limits were looked in. `found`
    is what retrieval gave, `delivered` what stood in the request that was really sent, `left_out` the keys that were
    over the budget or that a remote model may not be shown. `context` are the passages that were shown around
    those, and could not be cited. `exchanges` has a second member where a reply was repaired or
    the evidence was cut down. `answer` is what would leave. In a stream the record of each claim is written before that
    claim leaves and is a `part`: it holds what came since the part before it, which `earlier` names, and no text that was
    delivered; `complete` is false. The record of the end comes last and holds the whole; `earlier` there names all parts.
    `complete` is false there, too, where the reply broke.
    """

    question: str
    actor: Actor | None = None
    lang: str = "en"
    constraints: Constraints = UNCONSTRAINED
    policy: Mapping[str, object] = field(default_factory=dict)
    eligible: int | None = None
    widened: bool = False
    channels: Mapping[str, ChannelStatus] = field(default_factory=dict)
    found: tuple[FoundKey, ...] = ()
    delivered: tuple[Passage, ...] = ()
    left_out: tuple[str, ...] = ()
    context: tuple[Passage, ...] = ()
    exchanges: list[Attempt] = field(default_factory=list)
    answer: Answer | None = None
    complete: bool = True
    part: bool = False
    earlier: tuple[str, ...] = ()


class Records(Protocol):
    """Where answers are recorded. `write` gives the record's id and raises where it could not be written whole."""

    def write(self, trace: Trace) -> str:
        """Write the record of one answer, durably, before it leaves."""
        ...
