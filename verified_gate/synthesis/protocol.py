"""What every synthesizer takes and gives: a request with its evidence in, a proposal or a coded failure out."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from verified_gate.model import Passage, Proposal, ReasonCode


@dataclass(frozen=True, slots=True)
class SynthesisRequest:
    """One question with the passages delivered for it, best first. `lang` is the reader's language (`en`, `de`).

    `cite` says how a model is to cite: by words it copies (`quotes`), or by numbers of sentences that are cut from
    the source (`sentences`). A synthesizer that has no use for it passes it over. Whoever makes it has checked that the question is not empty. The texts are kept out of `repr`.
    """

    question: str
    evidence: tuple[Passage, ...]
    lang: str = "en"
    cite: Literal["quotes", "sentences"] = "quotes"

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", tuple(self.evidence))
        if self.cite not in ("quotes", "sentences"):
            raise ValueError('cite must be "quotes" or "sentences"')

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


@runtime_checkable
class Synthesizer(Protocol):
    """Writes a proposal from evidence. Untrusted: it may propose anything and release nothing.

    `synthesize` never raises for what a model or its server did; that is a `SynthesisFailure`.
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
