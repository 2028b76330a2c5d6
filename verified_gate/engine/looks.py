"""One bound for a whole reply that is judged in parts: how many refused quotes are looked for elsewhere.

The gate bounds this for what it judges at once. In parts, a later quote would be told more about than in one piece; that
more is dropped here, so that a reply has the same codes however it came.
"""

from dataclasses import replace
from typing import Final

from verified_gate.gate import Decision
from verified_gate.model import ReasonCode

MOST_LOOKED_FOR: Final = 50
"""Refused quotes of one reply that the gate looks for elsewhere."""

_LOOKED_FOR: Final = frozenset(
    {ReasonCode.QUOTE_MISMATCH, ReasonCode.QUOTE_IN_OTHER_PASSAGE, ReasonCode.QUOTE_CROSSES_PASSAGES}
)


class SharedLooks:
    """Counts over the decisions of one reply, in their order."""

    def __init__(self) -> None:
        self._count = 0

    @property
    def spent(self) -> bool:
        """Was the last quote looked for that is?"""
        return self._count >= MOST_LOOKED_FOR

    def within(self, decision: Decision) -> Decision:
        """The next decision, with what the gate would have said of it had it judged the reply in one piece."""
        refusals = []
        for refusal in decision.refusals:
            if refusal.code in _LOOKED_FOR:
                self._count += 1
                if self._count > MOST_LOOKED_FOR:
                    refusal = replace(refusal, code=ReasonCode.QUOTE_MISMATCH, detail="")  # noqa: PLW2901
            refusals.append(refusal)
        if refusals == list(decision.refusals):
            return decision
        codes: dict[int | None, dict[ReasonCode, None]] = {}
        for refusal in refusals:
            codes.setdefault(refusal.claim, {})[refusal.code] = None
        withheld = tuple(replace(claim, codes=tuple(codes.get(claim.position, ()))) for claim in decision.withheld)
        return replace(decision, refusals=tuple(refusals), withheld=withheld)
