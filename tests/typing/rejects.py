"""What the types forbid. Checked by mypy, never run: a line that becomes legal fails the check as an unused ignore."""

from dataclasses import replace

from verified_gate import (
    Answer,
    Decision,
    Gate,
    Passage,
    ReasonCode,
    Refusal,
    ReleasedCitation,
    ReleasedClaim,
    VerifiedCitation,
    VerifiedClaim,
)
from verified_gate.gate import Found
from verified_gate.release import render_answer, render_citation, render_json


def make_a_verified_citation(found: Found) -> None:
    """Without the seal."""
    VerifiedCitation(found)  # type: ignore[call-arg]
    VerifiedCitation(found, None)  # type: ignore[arg-type]
    VerifiedCitation(found, object())  # type: ignore[arg-type]
    VerifiedCitation(found, seal="seal")  # type: ignore[arg-type]


def make_a_verified_claim(citation: VerifiedCitation) -> None:
    """Without the seal."""
    VerifiedClaim("text", (citation,), 0)  # type: ignore[call-arg]
    VerifiedClaim("text", (citation,), 0, None)  # type: ignore[arg-type]
    VerifiedClaim("text", (), 0, object())  # type: ignore[arg-type]


def make_a_released_citation(citation: VerifiedCitation) -> None:
    """From a verified one, past release."""
    ReleasedCitation(citation.found, "store")  # type: ignore[call-arg]
    ReleasedCitation(citation.found, "store", None)  # type: ignore[arg-type]
    ReleasedCitation(citation.found, "store", object())  # type: ignore[arg-type]


def make_a_released_claim(verified: VerifiedCitation, released: ReleasedCitation) -> None:
    """Without the seal, or of verified citations."""
    ReleasedClaim("text", (released,), 0)  # type: ignore[call-arg]
    ReleasedClaim("text", (released,), 0, None)  # type: ignore[arg-type]
    ReleasedClaim("text", (verified,), 0)  # type: ignore[call-arg, arg-type]


def make_an_answer(claim: VerifiedClaim, proposed: str) -> None:
    """Of claims that were not released."""
    Answer(ReasonCode.OK, claims=(claim,))  # type: ignore[arg-type]
    Answer(ReasonCode.OK, claims=(proposed,))  # type: ignore[arg-type]
    Answer("ok")  # type: ignore[arg-type]


def change(citation: VerifiedCitation, claim: VerifiedClaim, released: ReleasedCitation, answer: Answer) -> None:
    """After the fact."""
    citation.found = citation.found  # type: ignore[misc]
    citation.quote = "another"  # type: ignore[misc]
    claim.text = "another"  # type: ignore[misc]
    released.origin = "caller"  # type: ignore[misc]
    released.start = 0  # type: ignore[misc]
    answer.claims = ()  # type: ignore[misc]
    replace(citation, seal=None)  # type: ignore[arg-type]


def forget_the_verdict(gate: Gate, decision: Decision) -> None:
    """Use the union without looking at it; render what was not released."""
    verdict = gate.verify("a", "a quote of words")
    print(verdict.start)  # type: ignore[union-attr]
    print(verdict.detail)  # type: ignore[union-attr]
    citation: VerifiedCitation = verdict  # type: ignore[assignment]
    render_citation(citation, 1)  # type: ignore[arg-type]
    render_json(citation)  # type: ignore[arg-type]
    render_answer(decision)  # type: ignore[arg-type]
    render_citation(Refusal(ReasonCode.QUOTE_MISMATCH), 1)  # type: ignore[arg-type]


def ask_wrongly(gate: Gate) -> None:
    """Values of other types, and policies that do not exist."""
    gate.verify("a", 5)  # type: ignore[arg-type]
    gate.verify(None, "quote")  # type: ignore[arg-type]
    gate.verify("a", "quote", strict=False)  # type: ignore[call-arg]
    gate.verify("a", "quote", "prefix")  # type: ignore[call-arg]
    gate.judge(5)  # type: ignore[arg-type]
    gate.judge(b"{}")  # type: ignore[arg-type]
    Gate(["text"])  # type: ignore[list-item]
    Gate({"a": Passage("a", "text")})  # type: ignore[arg-type]
    Gate({}, scope="all")  # type: ignore[arg-type]
    Gate({}, occurrences="any")  # type: ignore[arg-type]
    Gate({}, wording="free")  # type: ignore[arg-type]
    Gate({}, skip_checks=True)  # type: ignore[call-arg]
    Gate({}, "verbatim")  # type: ignore[call-arg]


def subclass_a_verified_citation() -> None:
    """Of a final class."""

    class Forged(VerifiedCitation):  # type: ignore[misc]
        """No."""


def subclass_a_verified_claim() -> None:
    """Of a final class."""

    class Forged(VerifiedClaim):  # type: ignore[misc]
        """No."""


def subclass_a_released_citation() -> None:
    """Of a final class."""

    class Forged(ReleasedCitation):  # type: ignore[misc]
        """No."""


def subclass_a_released_claim() -> None:
    """Of a final class."""

    class Forged(ReleasedClaim):  # type: ignore[misc]
        """No."""
