"""Exceptions for our own faults and for wrong input at the rim.

    VerifiedGateError
    ├── CorpusError         documents that cannot be ingested, a store that cannot be opened or read
    │   └── IngestError     names every bad file and its fault; nothing was stored
    │       └── UnreadableFile (of `ingest`)    one file that gives no document, with its code
    ├── QueryError          a question that no search can take (also a ValueError)
    ├── RecordError         a record or a receipt that cannot be written, read or trusted
    ├── MissingRecording    a recorded synthesizer was asked something it has no reply for
    └── MissingExtra        a feature whose optional packages are not installed

What a model, a document or a request can cause inside the gate is a `Refusal`, never one of these.
Messages name places (file, line, field), never document or model text.
"""

from collections.abc import Sequence


class VerifiedGateError(Exception):
    """Base of every exception this package raises on purpose."""


class CorpusError(VerifiedGateError):
    """The corpus cannot be read or written as asked."""


class IngestError(CorpusError):
    """One or more files are unfit; `faults` names each as (place, fault). Nothing was stored."""

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        self.faults = tuple(faults)
        lines = [f"{place}: {fault}" for place, fault in self.faults]
        counted = "1 fault" if len(lines) == 1 else f"{len(lines):,} faults"
        super().__init__(f"nothing was stored; {counted}:\n" + "\n".join(lines))


class QueryError(VerifiedGateError, ValueError):
    """The question is empty or breaks a limit; the message says which."""


class RecordError(VerifiedGateError):
    """A record log or a receipt cannot be written or read as asked, or is not what was written."""


class MissingRecording(VerifiedGateError, LookupError):
    """No recorded reply for this question."""


class MissingExtra(VerifiedGateError, ImportError):
    """An optional package is missing; the message names the extra to install."""
