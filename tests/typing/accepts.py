"""What the types allow. Checked by mypy with the package, never run."""

from typing import assert_never, assert_type

from verified_gate import (
    Answer,
    Decision,
    Gate,
    Passage,
    Profile,
    Proposal,
    ReasonCode,
    Refusal,
    ReleasedCitation,
    ReleasedClaim,
    VerifiedCitation,
    VerifiedClaim,
)
from verified_gate.gate import Limits
from verified_gate.release import release, render_answer, render_citation, render_json


def verify_and_match(gate: Gate) -> str:
    """The union is narrowed by `match`, and nothing is left."""
    verdict = gate.verify("a", "a quote of words", prefix="before", suffix=None)
    assert_type(verdict, VerifiedCitation | Refusal)
    match verdict:
        case VerifiedCitation() as citation:
            return citation.quote
        case Refusal() as refusal:
            return str(refusal.code)
    assert_never(verdict)


def narrow_by_isinstance(gate: Gate) -> tuple[int, int]:
    """Or by `isinstance`."""
    verdict = gate.verify("a", None)
    if isinstance(verdict, Refusal):
        assert_type(verdict.code, ReasonCode)
        return 0, 0
    return verdict.start, verdict.end


def judge(gate: Gate, proposal: Proposal, decoded: dict[str, object]) -> Decision:
    """A reply as text, decoded, or as a proposal."""
    for decision in (gate.judge("{}"), gate.judge(decoded), gate.judge(proposal, question="why?")):
        assert_type(decision, Decision)
    assert_type(decision.claims, tuple[VerifiedClaim, ...])
    assert_type(decision.refusals, tuple[Refusal, ...])
    return decision


def policies() -> list[Gate]:
    """Every policy by its name."""
    return [
        Gate({"a": "text"}),
        Gate([Passage("a", "text")], profile="typographic", scope="document", occurrences="strict"),
        Gate(iter([Passage("a", "text")]), profile=Profile.of("quotes"), wording="quotes_only", documents=["text"]),
        Gate({}, lang="en", limits=Limits(claims=3)),
    ]


def released(decision: Decision) -> str:
    """From a decision to what a reader sees."""
    answer = release(decision, evidence=[Passage("a", "text")])
    assert_type(answer, Answer)
    assert_type(answer.claims, tuple[ReleasedClaim, ...])
    assert_type(answer.citations, tuple[ReleasedCitation, ...])
    shown = [render_citation(citation, number) for number, citation in enumerate(answer.citations, 1)]
    return "".join([*shown, *map(render_json, answer.citations), render_answer(answer)])
