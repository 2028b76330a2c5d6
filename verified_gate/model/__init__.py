"""Values that every other folder speaks in: actors, passages, proposals, refusals, reason codes.

Comes in: nothing. Goes out: frozen values and the functions that make them from raw input.
May fail: constructors raise `TypeError` or `ValueError` on wrong use; `parse_proposal` never raises.
Imports the standard library only.
"""

from verified_gate.model.access import Access, Actor
from verified_gate.model.errors import VerifiedGateError
from verified_gate.model.passage import Admission, Coverage, Location, Passage, Sha256, sha256_of_text
from verified_gate.model.proposal import (
    Malformed,
    Proposal,
    ProposedCitation,
    ProposedClaim,
    decode_json,
    parse_proposal,
)
from verified_gate.model.reasons import REASONS, Reason, ReasonCode, Stage
from verified_gate.model.refusal import Refusal, WithheldClaim

__all__ = [
    "REASONS",
    "Access",
    "Actor",
    "Admission",
    "Coverage",
    "Location",
    "Malformed",
    "Passage",
    "Proposal",
    "ProposedCitation",
    "ProposedClaim",
    "Reason",
    "ReasonCode",
    "Refusal",
    "Sha256",
    "Stage",
    "VerifiedGateError",
    "WithheldClaim",
    "decode_json",
    "parse_proposal",
    "sha256_of_text",
]
