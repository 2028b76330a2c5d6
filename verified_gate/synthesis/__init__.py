"""Synthesizers: whatever writes a proposal. Untrusted, all of them.

Comes in: a `SynthesisRequest` (question, the passages delivered in this run, language). Goes out: a `Proposal`
for the gate, or a `SynthesisFailure` with its code. May fail: only for wrong use (`ValueError` for a missing
setting, `MissingRecording`); what a model or a server does is a value. Must not import corpus, release, audit
or engine: a synthesizer sees the evidence and nothing else, and it can release nothing. The classes load on
first use, so that importing this package pulls in neither openai nor numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from verified_gate.synthesis.protocol import (
    AsyncSynthesizer,
    StreamingSynthesizer,
    SynthesisFailure,
    SynthesisRequest,
    Synthesizer,
    WholeClaim,
)

if TYPE_CHECKING:
    from verified_gate.synthesis.environment import synthesizer_from_environment as synthesizer_from_environment
    from verified_gate.synthesis.openai_compat import OpenAISynthesizer as OpenAISynthesizer
    from verified_gate.synthesis.recorded import RecordedSynthesizer as RecordedSynthesizer
    from verified_gate.synthesis.template import TemplateSynthesizer as TemplateSynthesizer

__all__ = [
    "AsyncSynthesizer",
    "OpenAISynthesizer",
    "RecordedSynthesizer",
    "StreamingSynthesizer",
    "SynthesisFailure",
    "SynthesisRequest",
    "Synthesizer",
    "TemplateSynthesizer",
    "WholeClaim",
    "synthesizer_from_environment",
]

_HOME = {
    "OpenAISynthesizer": "openai_compat",
    "RecordedSynthesizer": "recorded",
    "TemplateSynthesizer": "template",
    "synthesizer_from_environment": "environment",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
