"""Between a language model and its readers: only quotes that stand in the source leave.

The names below are the public API. They load on first use, so that `from verified_gate import Gate`
pulls in neither numpy nor openai.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verified_gate.audit import Diagnosis as Diagnosis
    from verified_gate.audit import explain as explain
    from verified_gate.audit.records import RecordLog as RecordLog
    from verified_gate.corpus.resolution import Resolution as Resolution
    from verified_gate.corpus.store import CorpusStore as CorpusStore
    from verified_gate.engine import AnswerEngine as AnswerEngine
    from verified_gate.gate import Decision as Decision
    from verified_gate.gate import Gate as Gate
    from verified_gate.gate import Profile as Profile
    from verified_gate.gate import VerifiedCitation as VerifiedCitation
    from verified_gate.gate import VerifiedClaim as VerifiedClaim
    from verified_gate.model import Access as Access
    from verified_gate.model import Actor as Actor
    from verified_gate.model import Location as Location
    from verified_gate.model import Passage as Passage
    from verified_gate.model import Proposal as Proposal
    from verified_gate.model import ReasonCode as ReasonCode
    from verified_gate.model import Refusal as Refusal
    from verified_gate.model import VerifiedGateError as VerifiedGateError
    from verified_gate.release import Answer as Answer
    from verified_gate.release import ReleasedCitation as ReleasedCitation
    from verified_gate.release import ReleasedClaim as ReleasedClaim
    from verified_gate.retrieval.protocol import Constraints as Constraints

__version__ = "0.1.0"

_HOME = {
    "Access": "model",
    "Actor": "model",
    "Answer": "release",
    "AnswerEngine": "engine",
    "Constraints": "retrieval.protocol",
    "CorpusStore": "corpus.store",
    "Decision": "gate",
    "Diagnosis": "audit",
    "Gate": "gate",
    "Location": "model",
    "Passage": "model",
    "Profile": "gate",
    "Proposal": "model",
    "ReasonCode": "model",
    "RecordLog": "audit",
    "Refusal": "model",
    "ReleasedCitation": "release",
    "ReleasedClaim": "release",
    "Resolution": "corpus.resolution",
    "VerifiedCitation": "gate",
    "VerifiedClaim": "gate",
    "VerifiedGateError": "model",
    "explain": "audit",
}

__all__ = sorted(_HOME)  # noqa: PLE0605  # pinned, name by name, by tests/architecture


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
