"""What is kept of an answer, and what can be made of it later: record, receipt, replay; and why something was refused.

Comes in: the trace of a run, a record log, a receipt with texts, a gate with a refusal of it. Goes out: records,
receipts, verdicts on them, answers that were verified again, diagnoses. May fail: `RecordError` for a log or a receipt
that cannot be written, read or trusted; wrong use raises `TypeError` or `ValueError`; nothing raises for what a receipt
or a model's text holds. Nothing here ever accepts a quote: what comes back from a file is a proposal. Must not import the
engine or any interface. `replay`, `why` and `report` are functions in the modules of their names.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from verified_gate.audit.explain import Diagnosis, explain

if TYPE_CHECKING:
    from verified_gate.audit.chain import Head as Head
    from verified_gate.audit.chain import LogCheck as LogCheck
    from verified_gate.audit.envelope import sign as sign
    from verified_gate.audit.receipt import receipt_of as receipt_of
    from verified_gate.audit.receipt_check import Verdict as Verdict
    from verified_gate.audit.receipt_check import verify_receipt as verify_receipt
    from verified_gate.audit.records import Record as Record
    from verified_gate.audit.records import RecordLog as RecordLog

_HOME = {
    "Head": "chain",
    "LogCheck": "chain",
    "Record": "records",
    "RecordLog": "records",
    "Verdict": "receipt_check",
    "receipt_of": "receipt",
    "sign": "envelope",
    "verify_receipt": "receipt_check",
}
"""Loaded on first use: an engine without a log needs neither pydantic nor SQLite."""

__all__ = ["Diagnosis", "explain", *sorted(_HOME)]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
