"""What a streamed answer tells, in order: what was delivered, each claim once it is released, each refusal, the end.

Only `ClaimReleased`, `ClaimWithheld` and `AnswerDone` are for a reader. `CitationRefused` names keys as they were
proposed: it is for the operator.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from verified_gate.model import ReasonCode, Refusal, WithheldClaim
from verified_gate.release import Answer, ReleasedCitation, ReleasedClaim
from verified_gate.release.answer import marked_text

CLEAN: Final = frozenset(
    {ReasonCode.OK, ReasonCode.NO_EVIDENCE, ReasonCode.NOTHING_VERIFIED, ReasonCode.MODEL_ABSTAINED}
)
"""Codes of an answer that came to its end; any other says that something broke."""


@dataclass(frozen=True, slots=True)
class EvidenceDelivered:
    """Retrieval is done: the keys of the passages that the synthesizer is shown, best first."""

    keys: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {"event": "evidence", "keys": list(self.keys)}


@dataclass(frozen=True, slots=True)
class ClaimReleased:
    """A claim that has passed gate, release and record. `text` carries the marks of its citations, as the answer's text.

    `marks` are the numbers of `claim.citations`, in their order; `new` are those citations that no claim before had.
    """

    claim: ReleasedClaim
    marks: tuple[int, ...]
    new: tuple[tuple[int, ReleasedCitation], ...]
    text: str

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "event": "claim",
            "position": self.claim.position,
            "text": self.text,
            "citations": list(self.marks),
            "new": [{"mark": mark, **citation.to_dict()} for mark, citation in self.new],
        }


@dataclass(frozen=True, slots=True)
class ClaimWithheld:
    """A claim that does not leave: its position and the codes, without its wording."""

    claim: WithheldClaim

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "event": "withheld",
            "position": self.claim.position,
            "codes": [str(code) for code in self.claim.codes],
        }


@dataclass(frozen=True, slots=True)
class CitationRefused:
    """One refused citation or claim, for the operator."""

    refusal: Refusal

    def to_dict(self) -> dict[str, object]:
        """JSON-ready, without the quote."""
        return {"event": "refused", **self.refusal.to_dict()}


@dataclass(frozen=True, slots=True)
class AnswerDone:
    """The end, always the last event: the whole answer.

    `complete` is false where the reply broke off, was cut, refused, filtered or could not be recorded; `code` then
    says which. What was released before stands, and is what `answer` holds.
    """

    answer: Answer
    complete: bool
    code: ReasonCode

    @classmethod
    def of(cls, answer: Answer) -> "AnswerDone":
        """The end of a run that came to `answer`."""
        code = answer.interrupted or answer.code
        return cls(answer, code in CLEAN and answer.interrupted is None, code)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "event": "done",
            "complete": self.complete,
            "code": str(self.code),
            "answer": self.answer.to_dict(),
        }


Event = EvidenceDelivered | ClaimReleased | ClaimWithheld | CitationRefused | AnswerDone
"""One step of a streamed answer."""

_Marked = Callable[[ReleasedClaim], tuple[tuple[int, ...], tuple[tuple[int, ReleasedCitation], ...], str]]


def told(
    claims: Iterable[ReleasedClaim],
    refusals: Iterable[Refusal],
    withheld: Iterable[WithheldClaim],
    marked: _Marked,
) -> list[Event]:
    """The events of what was decided at once, in the order of the proposal; of one claim, its refusals come first."""
    placed: list[tuple[int, int, Event]] = []
    placed += [(-1 if refusal.claim is None else refusal.claim, 0, CitationRefused(refusal)) for refusal in refusals]
    placed += [(claim.position, 1, ClaimReleased(claim, *marked(claim))) for claim in claims]
    placed += [(claim.position, 1, ClaimWithheld(claim)) for claim in withheld]
    return [event for _, _, event in sorted(placed, key=lambda place: place[:2])]


def events_of(answer: Answer) -> list[Event]:
    """The events of an answer that was released as a whole."""
    numbers = {id(citation): number for number, citation in enumerate(answer.citations, start=1)}
    seen: set[int] = set()

    def marked(claim: ReleasedClaim) -> tuple[tuple[int, ...], tuple[tuple[int, ReleasedCitation], ...], str]:
        marks = tuple(numbers[id(citation)] for citation in claim.citations)
        new = tuple((mark, citation) for mark, citation in zip(marks, claim.citations, strict=True) if mark not in seen)
        seen.update(marks)
        return marks, new, marked_text(claim, marks)

    return told(answer.claims, answer.dropped, answer.withheld, marked)
