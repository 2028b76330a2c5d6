"""Asking once more: what the model is told of its refused citations, and which of the two answers leaves."""

from typing import Final

from verified_gate.engine.events import CLEAN
from verified_gate.model import REASONS, ReasonCode, Refusal
from verified_gate.model.reasons import Stage
from verified_gate.release import Answer
from verified_gate.synthesis.protocol import RefusedPart, Repair

MOST_TOLD: Final = 50
"""Refused parts that the model is told of."""

_UNREADABLE: Final = frozenset({ReasonCode.INVALID_JSON, ReasonCode.INVALID_SCHEMA})
_NOT_THE_MODELS: Final = frozenset({ReasonCode.INTEGRITY_FAILURE, ReasonCode.NOT_QUOTABLE, ReasonCode.NOT_VISIBLE})
"""What no other wording mends."""


def repair_of(answer: Answer, reply: str) -> Repair | None:
    """What to tell the model of an answer that it could mend; None where there is nothing.

    What release refused (a revocation, a change of the source) is not the model's to mend, and it is not told.
    """
    if answer.code in _UNREADABLE:
        return Repair((RefusedPart("", None, answer.code),), reply)
    if answer.code not in CLEAN:
        return None
    parts = tuple(_part(refusal) for refusal in answer.dropped if _can_be_mended(refusal))
    return Repair(parts[:MOST_TOLD], reply) if parts else None


def better(first: Answer, second: Answer) -> Answer:
    """The second answer, unless it broke or holds fewer claims than the first."""
    mended = second.code in CLEAN and second.interrupted is None and len(second.claims) >= len(first.claims)
    return second if mended or (second.is_grounded and not first.is_grounded) else first


def _can_be_mended(refusal: Refusal) -> bool:
    return (
        refusal.claim is not None
        and refusal.code not in _NOT_THE_MODELS
        and REASONS[refusal.code].stage is not Stage.RELEASE
    )


def _part(refusal: Refusal) -> RefusedPart:
    place = f"claims[{refusal.claim}]"
    if refusal.citation is not None:
        place += f".citations[{refusal.citation}]"
    return RefusedPart(place, refusal.key, refusal.code)
