"""What every synthesizer takes and gives: a request with its evidence in, a proposal or a coded failure out."""

import math
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from verified_gate.model import Malformed, Passage, Proposal, ProposedClaim, ReasonCode


@dataclass(frozen=True, slots=True)
class RefusedPart:
    """One refused citation or claim of an earlier reply: its place (`claims[0].citations[1]`), key and code."""

    place: str
    key: str | None
    code: ReasonCode


@dataclass(frozen=True, slots=True)
class Repair:
    """Why a reply is asked for once more: what was refused of the last one, by code, place and key alone.

    `reply` is the last reply as the model wrote it, so that the places mean something to it; empty where it was not
    readable.
    """

    refused: tuple[RefusedPart, ...]
    reply: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class SynthesisRequest:
    """One question with the passages delivered for it, best first. `lang` is the reader's language (`en`, `de`).

    `cite` says how a model is to cite: by words it copies (`quotes`), or by numbers of sentences that are cut from
    the source (`sentences`). `spent` are the seconds that earlier calls for the same answer took: they count against
    the synthesizer's deadline. `repair` says what was refused of an earlier reply. `context` are, by the key of a passage
    of the evidence, the passages around it in its document: to be understood by, not to be cited. A synthesizer that has
    no use for one of these passes it over. Whoever makes the request has checked that the question is not empty. The
    texts are kept out of `repr`.
    """

    question: str
    evidence: tuple[Passage, ...]
    lang: str = "en"
    cite: Literal["quotes", "sentences"] = "quotes"
    spent: float = 0.0
    repair: Repair | None = None
    context: Mapping[str, tuple[Passage, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", tuple(self.evidence))
        if self.cite not in ("quotes", "sentences"):
            raise ValueError('cite must be "quotes" or "sentences"')
        if not (math.isfinite(self.spent) and self.spent >= 0):
            raise ValueError("spent must be a number of seconds")

    def __repr__(self) -> str:
        return f"<SynthesisRequest ({len(self.evidence)} passages, lang {self.lang!r})>"


@dataclass(frozen=True, slots=True)
class SynthesisFailure:
    """No proposal, and why. A value, since a model server can cause every one of them.

    `detail` is for the operator and holds no prompt, document or model text and no key. `retry_after` is in
    seconds, where the server named a wait. `attempts` counts the calls that were made.
    """

    code: ReasonCode
    detail: str = ""
    retry_after: float | None = None
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class WrittenProposal(Proposal):
    """A proposal with what it took: how many calls were made for it, and the reply as it was written.

    `note` says what was unusual about the server's answer, for its record: in words of our own, and with a `finish_reason`
    that nobody knows, where it is one word of letters.
    """

    attempts: int = 1
    reply: str = field(default="", repr=False)
    note: str = ""


@dataclass(frozen=True, slots=True)
class WholeClaim:
    """A claim of a reply that is still being written; the claim itself is whole. `position` is its 0-based place,
    `attempts` counts the calls that were made for the reply.
    """

    position: int
    claim: ProposedClaim | Malformed
    aliases: Mapping[str, str] | None = None
    attempts: int = 1


Written = WholeClaim | Proposal | SynthesisFailure
"""One part of a streamed reply. The last one is the proposal or the failure, and says what the whole is."""


@runtime_checkable
class Synthesizer(Protocol):
    """Writes a proposal from evidence. Untrusted: it may propose anything and release nothing.

    `synthesize` never raises for what a model or its server did; that is a `SynthesisFailure`. An attribute `remote`
    that is False says that no passage leaves for a model elsewhere; without it the synthesizer counts as remote.
    """

    def synthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """Write a proposal for `request`."""
        ...


@runtime_checkable
class AsyncSynthesizer(Protocol):
    """The same for asyncio. Cancelling the task stops the call to the model."""

    async def asynthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """Write a proposal for `request`."""
        ...


@runtime_checkable
class StreamingSynthesizer(Protocol):
    """Gives each claim as soon as it is whole. Closing the iterator stops the call to the model.

    The claims come in their order, from position 0 on, none left out; the last part is the whole proposal, whose claims
    begin with those that came before, or the failure. A synthesizer without these methods gives its proposal at once.
    """

    def stream(self, request: SynthesisRequest) -> Iterator[Written]:
        """The parts of a reply to `request`."""
        ...

    def astream(self, request: SynthesisRequest) -> AsyncIterator[Written]:
        """The same for asyncio."""
        ...
