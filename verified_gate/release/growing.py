"""An answer that grows claim by claim: what a streamed answer is made of.

Each claim passes a release transaction of its own, in the order of the reply. What was released stands, whatever
comes after; the whole that is made at the end is the answer that one transaction would have made, had none of its
sources changed meanwhile.
"""

from collections.abc import Iterable

from verified_gate.corpus.protocol import Store
from verified_gate.gate import Decision
from verified_gate.model import Actor, Passage, ReasonCode, Refusal, WithheldClaim
from verified_gate.release.answer import Answer, marked_text
from verified_gate.release.disclosure import Disclosure, OpenDisclosure, ReleasedCitation, ReleasedClaim, Wording


class GrowingAnswer:
    """Collects what was released and refused so far. The arguments are those of `release`."""

    def __init__(
        self,
        *,
        evidence: Iterable[Passage],
        store: Store | None = None,
        actor: Actor | None = None,
        question: str = "",
        wording: Wording = "checked",
        lang: str = "en",
    ) -> None:
        passages = tuple(evidence)
        self._retrieved, self._lang = tuple(passage.key for passage in passages), lang
        self._steps = OpenDisclosure(evidence=passages, store=store, actor=actor, question=question, wording=wording)
        self._marks: dict[int, int] = {}
        self._refusals: list[Refusal] = []
        self._withheld: list[WithheldClaim] = []

    def add(self, decision: Decision) -> Disclosure:
        """Ask the store about the claims of `decision` and take in what came of it, unless the store failed."""
        disclosure = self._steps.disclose(decision)
        if disclosure.fault is None:
            self._refusals += disclosure.refusals
            self._withheld += disclosure.withheld
        return disclosure

    def marked(self, claim: ReleasedClaim) -> tuple[tuple[int, ...], tuple[tuple[int, ReleasedCitation], ...], str]:
        """The marks of a claim's citations, those of them that are new, and its text with the marks.

        Claims are to be marked in the order in which they leave.
        """
        known = len(self._marks)
        marks = tuple(self._marks.setdefault(id(citation), len(self._marks) + 1) for citation in claim.citations)
        new = tuple((mark, citation) for mark, citation in zip(marks, claim.citations, strict=True) if mark > known)
        return marks, new, marked_text(claim, marks)

    def answer(self, interrupted: ReasonCode | None = None, detail: str = "") -> Answer:
        """The answer as far as it goes; `interrupted` says why it ends here, where the reply did not.

        Where nothing was released that is the answer's code, and it is the whole reply that was refused.
        """
        claims = self._steps.claims()
        if interrupted is not None and not claims:
            return Answer(interrupted, retrieved=self._retrieved, lang=self._lang, detail=detail)
        return Answer(
            ReasonCode.OK if claims else ReasonCode.NOTHING_VERIFIED,
            claims,
            tuple(self._withheld),
            tuple(self._refusals),
            self._retrieved,
            self._lang,
            detail,
            interrupted,
        )
