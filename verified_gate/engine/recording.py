"""The record of an answer: written before the answer leaves, or, where it is required and cannot be, nothing leaves."""

import logging
from dataclasses import dataclass, replace

from verified_gate.audit.trace import Attempt, Trace
from verified_gate.engine.setup import Setup
from verified_gate.model import ReasonCode
from verified_gate.release import Answer

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """The record could not be written, and it is required: the kind of the fault."""

    kind: str


@dataclass(frozen=True, slots=True)
class Part:
    """Of a reply that is still going on, what came since the part before it: what is released of it, and the exchange."""

    answer: Answer
    exchange: Attempt


class Recorder:
    """Hands a trace to the log. Without a log nothing is written and nothing can fail."""

    def __init__(self, setup: Setup, trace: Trace) -> None:
        self._records, self._required = setup.records, setup.record == "required"
        self._trace = trace

    @property
    def wanted(self) -> bool:
        """Is there a log?"""
        return self._records is not None

    def write(self, answer: Answer, *, complete: bool, part: Part | None = None) -> Answer | Unrecorded:
        """Record what is to leave; gives it back with the id of its record. With `part`, the record holds that alone: each
        part is written once, and once more with the whole at the end.
        """
        if self._records is None:
            return answer
        trace = self._trace
        trace.answer, trace.complete = answer, complete
        if part is not None:
            told, last = part.answer, trace.earlier[-1:]
            trace = replace(trace, answer=told, exchanges=[part.exchange], part=True, earlier=last)
        try:
            name = self._records.write(trace)
            if not isinstance(name, str):
                raise TypeError("write gives the id of the record, a string")  # noqa: TRY301
        except Exception as fault:  # noqa: BLE001  # a log may fail in any way; the text of the fault may hold others
            kind = type(fault).__name__
            _LOG.error("an answer could not be recorded: %s", kind)
            return Unrecorded(kind) if self._required else answer
        self._trace.earlier = (*self._trace.earlier, name)
        return replace(answer, record=name)


def unrecorded(fault: Unrecorded, before: Answer | None, retrieved: tuple[str, ...], lang: str) -> Answer:
    """What is told instead: nothing, or of a stream what was recorded and released before."""
    code, detail = ReasonCode.AUDIT_UNAVAILABLE, f"the record log raised {fault.kind}"
    if before is None or not before.claims:
        return Answer(code, retrieved=retrieved, lang=lang, detail=detail)
    return replace(before, detail=detail, interrupted=code)
