"""One question end to end: the only folder that sees every stage.

    question + actor -> retrieve -> synthesize (untrusted) -> gate -> release -> record -> Answer, or events of a stream

Comes in: a question, an actor, hard limits of the request. Goes out: an `Answer`, or the events that make one up. May
fail: an exception leaves only for wrong use, and for what our own parts raise on purpose; what a retriever, a
synthesizer, a store or a record log does wrong ends in a coded abstention. Must not import the interfaces.
"""

from typing import Final

from verified_gate.engine.answering import DEFAULT_LIMIT, AnswerEngine
from verified_gate.engine.events import (
    AnswerDone,
    CitationRefused,
    ClaimReleased,
    ClaimWithheld,
    Event,
    EvidenceDelivered,
)
from verified_gate.model import ReasonCode

OUTAGES: Final = frozenset(
    {
        ReasonCode.PROVIDER_UNAVAILABLE,
        ReasonCode.RATE_LIMITED,
        ReasonCode.DEADLINE_EXCEEDED,
        ReasonCode.CONTEXT_TOO_LONG,
        ReasonCode.RETRIEVAL_UNAVAILABLE,
        ReasonCode.AUDIT_UNAVAILABLE,
    }
)
"""Codes of an answer that say that the run could not take place as it was set up: for whoever runs it to mend, and
no word on what the documents hold. Any other code without a claim is an abstention.
"""

__all__ = [
    "DEFAULT_LIMIT",
    "OUTAGES",
    "AnswerDone",
    "AnswerEngine",
    "CitationRefused",
    "ClaimReleased",
    "ClaimWithheld",
    "Event",
    "EvidenceDelivered",
]
