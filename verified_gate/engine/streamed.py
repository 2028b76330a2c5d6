"""A reply that is judged while it is still being written: each whole claim goes through gate, release and record.

Nothing leaves before its claim has passed all three. What a later part of the reply makes invalid (a second `claims`
member, text that is no JSON, an abstention at its end, a cut) can no longer be taken back: what was released stands,
nothing more is released, and the answer says by which code it was interrupted.
"""

from collections.abc import Mapping
from typing import Final

from verified_gate.audit.trace import Attempt
from verified_gate.engine.events import Event, told
from verified_gate.engine.looks import SharedLooks
from verified_gate.engine.recording import Part, Recorder, Unrecorded, unrecorded
from verified_gate.gate import Decision, Gate, Limits
from verified_gate.gate.verdict import VerifiedClaim
from verified_gate.model import (
    Malformed,
    Proposal,
    ProposedClaim,
    ReasonCode,
    Refusal,
    WithheldClaim,
    decode_json,
    parse_proposal,
)
from verified_gate.release import Answer, GrowingAnswer
from verified_gate.release.disclosure import Disclosure
from verified_gate.synthesis.protocol import WholeClaim

_EARLIER: Final = Malformed("", "judged before")
"""Holds the place of a claim that was judged before, so that the gate counts positions as in the whole reply."""

_MOST_ONE_BY_ONE: Final = 1_000
"""Claims that are judged one by one; the gate is shown the place of each earlier one again."""


class StreamedReply:
    """Takes the claims of one reply in their order, then its end."""

    def __init__(self, gate: Gate, growing: GrowingAnswer, recorder: Recorder, question: str, limits: Limits) -> None:
        self._gate, self._growing, self._recorder = gate, growing, recorder
        self._question, self._limits = question, limits
        self._claims: list[ProposedClaim | Malformed] = []
        self._aliases: Mapping[str, str] | None = None
        self._judged = 0
        self._attempts = 1
        self._interrupted: tuple[ReasonCode, str] | None = None
        self._unrecorded: Unrecorded | None = None
        self._recorded: Answer | None = None
        self._parts: list[tuple[Decision, Disclosure]] = []
        self._part_from = 0
        self._looks = SharedLooks()
        self._verified: list[VerifiedClaim] = []
        self._refusals: list[Refusal] = []
        self._withheld: list[WithheldClaim] = []

    @property
    def stopped(self) -> bool:
        """Is there nothing that a further part could release?"""
        return self._interrupted is not None

    @property
    def recorded(self) -> Answer | None:
        """What was released so far as it was last recorded."""
        return self._recorded

    @property
    def proposal(self) -> Proposal:
        """What was proposed so far."""
        return Proposal("answered", tuple(self._claims), self._aliases)

    @property
    def decision(self) -> Decision:
        """What the gate said of all claims so far."""
        code = ReasonCode.OK if self._verified else ReasonCode.NOTHING_VERIFIED
        return Decision(code, tuple(self._verified), tuple(self._refusals), tuple(self._withheld))

    def take(self, part: WholeClaim) -> list[Event]:
        """Judge, release and record one claim; the events that may leave now."""
        if part.position != len(self._claims) or (self._claims and part.aliases != self._aliases):
            return self._stop(ReasonCode.INVALID_SCHEMA, "the claims of the stream are out of order")
        self._claims.append(part.claim)
        self._aliases = part.aliases
        self._attempts = part.attempts
        if self._looks.spent or part.position >= _MOST_ONE_BY_ONE:
            return []
        return self._judge()

    def finish(self, reply: object) -> list[Event]:
        """Take the whole reply at its end: what is left of it, if it is what the stream began with."""
        decoded = decode_json(reply) if isinstance(reply, str) else reply
        proposal = decoded if isinstance(decoded, Malformed) else parse_proposal(decoded)
        if isinstance(proposal, Malformed):
            return self._stop(proposal.code, f"{proposal.where}: {proposal.fault}".removeprefix(": "))
        if proposal.status == "abstained":
            return self._stop(ReasonCode.MODEL_ABSTAINED)
        begun = tuple(self._claims)
        if proposal.claims[: len(begun)] != begun or proposal.aliases != self._aliases:
            return self._stop(ReasonCode.INVALID_SCHEMA, "the whole reply is not what its stream began with")
        self._claims = list(proposal.claims)
        return self._judge() if self._judged < len(self._claims) else []

    def break_off(self, code: ReasonCode, detail: str) -> None:
        """The reply ended as it should not."""
        self._stop(code, detail)

    def answer(self, retrieved: tuple[str, ...], lang: str) -> Answer:
        """The answer as far as it was released."""
        if self._unrecorded is not None:
            return unrecorded(self._unrecorded, self._recorded, retrieved, lang)
        if self._interrupted is None:
            return self._growing.answer()
        return self._growing.answer(*self._interrupted)

    def _stop(self, code: ReasonCode, detail: str = "") -> list[Event]:
        self._interrupted = self._interrupted or (code, detail)
        return []

    def _judge(self) -> list[Event]:
        """Judge the claims that were not judged yet, as one proposal, and release what may leave."""
        first, self._judged = self._judged, len(self._claims)
        citations = sum(len(claim.citations) for claim in self._claims if isinstance(claim, ProposedClaim))
        if citations > self._limits.citations:
            return self._stop(ReasonCode.BUDGET_EXCEEDED, "citations")
        claims = (*[_EARLIER] * first, *self._claims[first:])
        judged = self._gate.judge(Proposal("answered", claims, self._aliases), question=self._question)
        if judged.code is ReasonCode.BUDGET_EXCEEDED:
            return self._stop(judged.code, judged.refusals[0].detail)
        decision = self._looks.within(
            Decision(
                judged.code,
                judged.claims,
                tuple(refusal for refusal in judged.refusals if (refusal.claim or 0) >= first),
                tuple(claim for claim in judged.withheld if claim.position >= first),
            )
        )
        disclosure = self._growing.add(decision)
        if disclosure.fault is not None:
            return self._stop(ReasonCode.RETRIEVAL_UNAVAILABLE, disclosure.fault)
        self._verified += decision.claims
        self._refusals += decision.refusals
        self._withheld += decision.withheld
        if self._recorder.wanted:
            self._parts.append((decision, disclosure))
        if disclosure.claims and self._recorder.wanted:
            recorded = self._recorder.write(self._growing.answer(), complete=False, part=self._part(disclosure))
            if isinstance(recorded, Unrecorded):
                self._unrecorded = recorded
                return self._stop(ReasonCode.AUDIT_UNAVAILABLE)
            self._recorded = recorded
        return told(disclosure.claims, disclosure.refusals, disclosure.withheld, self._growing.marked)

    def _part(self, released: Disclosure) -> Part:
        """What was judged since the last record, whose claims that may leave are those of `released`."""
        first, self._part_from = self._part_from, self._judged
        parts, self._parts = self._parts, []
        proposal = Proposal("answered", tuple(self._claims[first:]), self._aliases)
        decision = Decision(
            ReasonCode.OK if any(decision.claims for decision, _ in parts) else ReasonCode.NOTHING_VERIFIED,
            tuple(claim for decision, _ in parts for claim in decision.claims),
            tuple(refusal for decision, _ in parts for refusal in decision.refusals),
            tuple(claim for decision, _ in parts for claim in decision.withheld),
        )
        answer = Answer(
            ReasonCode.OK,
            released.claims,
            tuple(claim for _, disclosure in parts for claim in disclosure.withheld),
            tuple(refusal for _, disclosure in parts for refusal in disclosure.refusals),
        )
        return Part(answer, Attempt(self._attempts, proposal, decision, first=first))
