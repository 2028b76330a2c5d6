"""The trusted core: decides which proposed citations and claims are verified.

Comes in: the evidence of one run, a policy, a proposal. Goes out: sealed `VerifiedCitation`s and `VerifiedClaim`s,
and `Refusal`s. May fail: wrong use raises `TypeError` or `ValueError`; what a model or a document holds never raises.
Pure: no I/O, clock, settings, logging or third-party import; imports `model` and `text` only.
"""

from verified_gate.gate.procedure import Gate
from verified_gate.gate.verdict import Decision, VerifiedCitation, VerifiedClaim
from verified_gate.gate.wording import wording_fault
from verified_gate.model.citation import CitationView, Found
from verified_gate.model.folds import Profile
from verified_gate.model.proposal import Limits

__all__ = [
    "CitationView",
    "Decision",
    "Found",
    "Gate",
    "Limits",
    "Profile",
    "VerifiedCitation",
    "VerifiedClaim",
    "wording_fault",
]
