"""Refusals: what was not released, and why."""

from dataclasses import dataclass, field

from verified_gate.model.reasons import REASONS, ReasonCode, Stage


@dataclass(frozen=True, slots=True)
class Refusal:
    """One proposed claim or citation that does not leave, with its code.

    `claim` and `citation` are 0-based positions in the proposal (None where the refusal is of a whole).
    `key` is the key as it was proposed. `detail` is for the operator and holds no document or model text.
    `quote` is the proposed quote, kept out of `repr` so that it reaches no log by accident. `delivered_key` is the key
    that the proposed one (an alias of the run) stands for.
    """

    code: ReasonCode
    key: str | None = None
    detail: str = ""
    claim: int | None = None
    citation: int | None = None
    quote: str | None = field(default=None, repr=False)
    delivered_key: str | None = field(default=None, repr=False)

    @property
    def stage(self) -> Stage:
        """Where in the procedure it was refused."""
        return REASONS[self.code].stage

    def to_dict(self) -> dict[str, object]:
        """JSON-ready, without the quote."""
        return {
            "code": str(self.code),
            "stage": str(self.stage),
            "key": self.key,
            "detail": self.detail,
            "claim": self.claim,
            "citation": self.citation,
        }


@dataclass(frozen=True, slots=True)
class WithheldClaim:
    """A claim that was withheld: its 0-based position in the proposal and the codes, without its wording."""

    position: int
    codes: tuple[ReasonCode, ...]
