"""An answer: released claims, or a coded abstention. Everything shown is built from sealed values."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from verified_gate.corpus.protocol import Store
from verified_gate.gate import Decision
from verified_gate.model import Actor, Passage, ReasonCode, Refusal, WithheldClaim
from verified_gate.release.disclosure import ReleasedCitation, ReleasedClaim, Wording, disclose_claims
from verified_gate.release.display import one_line
from verified_gate.release.sentences import abstention_sentence
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints

ANSWER_FORMAT: Final = 1
"""Version of `to_dict()`: members are added, never renamed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question came to.

    `code` is `ok` exactly where `claims` is not empty. `citations` are those of the claims, in the order cited, once
    each: `citations[0]` is marked `[1]` in `text`. `withheld` tells how many claims were held back and why, without
    their wording. `dropped` and `detail` are for the operator: `dropped` names each refused citation or claim.
    `retrieved` are the keys delivered in this run. `interrupted` is set where claims were released one by one and the
    reply then broke: it says why what is here is not the whole. `record` is the id under which the answer was
    recorded, where it was. `widened`: the collections that were preferred held too little, and others were looked in.
    `partial`: a channel of retrieval failed or did not look everywhere, so that there may be more than was found.
    `retry_after` are the seconds that a model server asks to wait before it is asked again, where it named them.
    Raises `TypeError` for a claim that release did not make.
    """

    code: ReasonCode
    claims: tuple[ReleasedClaim, ...] = ()
    withheld: tuple[WithheldClaim, ...] = ()
    dropped: tuple[Refusal, ...] = field(default=(), repr=False)
    retrieved: tuple[str, ...] = ()
    lang: str = "en"
    detail: str = ""
    interrupted: ReasonCode | None = None
    record: str | None = None
    widened: bool = False
    partial: bool = False
    retry_after: float | None = None
    citations: tuple[ReleasedCitation, ...] = field(init=False)

    def __post_init__(self) -> None:
        if any(type(claim) is not ReleasedClaim for claim in self.claims):
            raise TypeError("an answer is made of released claims only")
        if bool(self.claims) != (self.code is ReasonCode.OK):
            raise ValueError("the code of an answer is ok exactly where a claim was released")
        if self.interrupted is not None and (not self.claims or self.interrupted is ReasonCode.OK):
            raise ValueError("an answer is interrupted only after a claim was released, and never by ok")
        cited = {id(citation): citation for claim in self.claims for citation in claim.citations}
        object.__setattr__(self, "citations", tuple(cited.values()))

    def __repr__(self) -> str:
        if not self.is_grounded:
            return f"<Answer {self.code}>"
        counts = f"claims {len(self.claims)}, citations {len(self.citations)}, withheld {len(self.withheld)}"
        return f"<Answer ok, {counts}{f', interrupted by {self.interrupted}' if self.interrupted else ''}>"

    @property
    def is_grounded(self) -> bool:
        """Was at least one claim released?"""
        return bool(self.claims)

    @property
    def text(self) -> str:
        """The released claims with the marks of their citations, or the abstention's sentence."""
        if not self.claims:
            return abstention_sentence(self.code, self.lang)
        numbers = self._numbers()
        return " ".join(
            marked_text(claim, [numbers[id(citation)] for citation in claim.citations]) for claim in self.claims
        )

    @property
    def quotes_text(self) -> str:
        """The same from the sources' words alone: each citation once, as displayed; no word of a model."""
        if not self.claims:
            return abstention_sentence(self.code, self.lang)
        return " ".join(
            f"“{one_line(citation.display)}” [{number}]" for number, citation in enumerate(self.citations, start=1)
        )

    def _numbers(self) -> dict[int, int]:
        """The mark of each citation by its identity: release made each span once."""
        return {id(citation): number for number, citation in enumerate(self.citations, start=1)}

    def to_dict(self) -> dict[str, object]:
        """JSON-ready: what the command line's `--json` and the server print."""
        numbers = self._numbers()
        return {
            "format": ANSWER_FORMAT,
            "code": str(self.code),
            "is_grounded": self.is_grounded,
            "text": self.text,
            "quotes_text": self.quotes_text,
            "claims": [
                {"text": claim.text, "citations": [numbers[id(citation)] for citation in claim.citations]}
                for claim in self.claims
            ],
            "citations": [citation.to_dict() for citation in self.citations],
            "withheld": [
                {"position": claim.position, "codes": [str(code) for code in claim.codes]} for claim in self.withheld
            ],
            "dropped": [refusal.to_dict() for refusal in self.dropped],
            "retrieved": list(self.retrieved),
            "lang": self.lang,
            "detail": self.detail,
            "interrupted": None if self.interrupted is None else str(self.interrupted),
            "record": self.record,
            "widened": self.widened,
            "partial": self.partial,
            "retry_after": self.retry_after,
        }


def marked_text(claim: ReleasedClaim, marks: Iterable[int]) -> str:
    """The wording of a released claim on one line, behind it the marks of its citations."""
    return f"{one_line(claim.text)} {''.join(f'[{mark}]' for mark in marks)}"


def release(
    decision: Decision,
    *,
    evidence: Iterable[Passage],
    store: Store | None = None,
    actor: Actor | None = None,
    question: str = "",
    wording: Wording = "checked",
    lang: str = "en",
    constraints: Constraints = UNCONSTRAINED,
) -> Answer:
    """Make the answer of a gate's decision: ask the store once what `actor` may have now, and build from the rest.

    `evidence`, `question` and `wording` are those the gate judged with, `constraints` those the evidence was retrieved
    under. Without a store the caller answers for who
    may read the evidence, and citations say `origin="caller"`. Never raises for what the parts hold; a store that
    cannot answer gives `retrieval_unavailable`, with the kind of its fault as `detail`.
    """
    passages = tuple(evidence)
    retrieved = tuple(passage.key for passage in passages)
    if decision.code is not ReasonCode.OK:
        detail = next((refusal.detail for refusal in decision.refusals if refusal.claim is None), "")
        return Answer(decision.code, (), decision.withheld, decision.refusals, retrieved, lang, detail)
    disclosure = disclose_claims(
        decision,
        evidence=passages,
        store=store,
        actor=actor,
        question=question,
        wording=wording,
        constraints=constraints,
    )
    code = ReasonCode.OK if disclosure.claims else ReasonCode.NOTHING_VERIFIED
    if disclosure.fault is not None:
        code = ReasonCode.RETRIEVAL_UNAVAILABLE
    return Answer(
        code, disclosure.claims, disclosure.withheld, disclosure.refusals, retrieved, lang, disclosure.fault or ""
    )
