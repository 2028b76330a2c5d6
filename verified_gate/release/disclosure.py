"""The second seal: asks the store, after the proposal, what may leave now, and makes the only types that render.

Procedure, each step with what it stops:

1. Pins: one for every passage that a verified citation rests on, with the hash the gate saw.
2. The store is asked once, in one transaction opened now (a revocation, an edit or a new version committed
   before it wins). A store that cannot answer, or whose answer is not one decision a pin, releases nothing;
   that is not the same as "gone".
3. A citation whose source the store does not let go is refused with the store's code.
4. A claim that lost a citation is looked at again with those it kept: its wording may have leaned on the lost one.
   What leaves is what would have left had the lost citation never been proposed.
5. The same span of the same document, cited through overlapping passages, becomes one citation.
6. A claim without a released citation is withheld with its wording.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass
from typing import Final, Literal, final

from verified_gate.corpus.protocol import Pin, Store
from verified_gate.gate import CitationView, Decision, Found, VerifiedCitation, VerifiedClaim, wording_fault
from verified_gate.model import Actor, Passage, ReasonCode, Refusal, WithheldClaim, sha256_of_text
from verified_gate.model.citation import quotes_wording
from verified_gate.model.sealed import sealed
from verified_gate.release.fragment import text_fragment
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints

Wording = Literal["checked", "quotes_only"]
Verdicts = Mapping[str, ReasonCode | None]
Origin = Literal["store", "caller"]
"""Who answers for disclosure: the store that was asked, or the caller who brought the evidence."""


@final
class _Seal:
    """No other module can name one."""


_SEAL: Final = _Seal()
_PAGES: Final = (".html", ".htm", ".xhtml")
"""How the ids of web pages end, which are the names of their files."""


@final
@sealed
@dataclass(frozen=True, slots=True, repr=False)
class ReleasedCitation(CitationView):
    """A verified citation whose source was, in the release transaction, the pinned one and open to the actor.

    With `origin="caller"` there was no store to ask: who brought the evidence answers for who may read it.
    Cannot be made, changed, copied, pickled or subclassed; keep `to_dict()` and let the store resolve it.
    """

    found: Found
    origin: Origin
    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        if seal is not _SEAL:
            raise TypeError("only release() makes a ReleasedCitation")

    @property
    def fragment(self) -> str:
        """`#id:~:text=…`: behind the address of a web page or of a book's chapter it opens there at the quote."""
        found = self.found
        return text_fragment(found.text, found.start, found.end, element=self.location.element)

    def to_dict(self) -> dict[str, object]:
        """JSON-ready; `CorpusStore.resolve` takes it back as a claim to be checked, never as verified. `fragment` is
        there where the source has elements or chapters, or is a web page by its name.
        """
        paged = self.location.element or self.location.chapter or self.document_id.lower().endswith(_PAGES)
        own = {"fragment": self.fragment} if paged else {}
        return {**CitationView.to_dict(self), **own, "origin": self.origin}


@final
@sealed
@dataclass(frozen=True, slots=True)
class ReleasedClaim:
    """A claim that leaves: its wording passed the gate's rule against the citations it still has, at least one."""

    text: str
    citations: tuple[ReleasedCitation, ...]
    position: int
    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        exact = all(type(citation) is ReleasedCitation for citation in self.citations)
        if seal is not _SEAL or not self.citations or not exact:
            raise TypeError("only release() makes a ReleasedClaim, from at least one ReleasedCitation")


_Standing = tuple[VerifiedClaim, tuple[VerifiedCitation, ...]]
"""A claim that leaves, with the citations it kept."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What release made of a decision. `fault` names the kind of fault where the store could not answer."""

    claims: tuple[ReleasedClaim, ...]
    refusals: tuple[Refusal, ...]
    withheld: tuple[WithheldClaim, ...]
    fault: str | None = None


def disclose_claims(
    decision: Decision,
    *,
    evidence: Iterable[Passage],
    store: Store | None,
    actor: Actor | None,
    question: str,
    wording: Wording,
    constraints: Constraints = UNCONSTRAINED,
) -> Disclosure:
    """Steps 1 to 6 over the claims that the gate verified; its own refusals stay in the result, in order.

    `evidence`, `question` and `wording` are those of the gate's run, `constraints` those the evidence was retrieved
    under. Without a store there is nobody to ask.
    """
    steps = OpenDisclosure(
        evidence=evidence, store=store, actor=actor, question=question, wording=wording, constraints=constraints
    )
    return steps.disclose(decision)


class OpenDisclosure:
    """Steps 1 to 6, one decision of the same run after the other: each asks the store in a transaction of its own.

    A span that was released before keeps its citation, so that a reader meets it under one mark.
    """

    def __init__(
        self,
        *,
        evidence: Iterable[Passage],
        store: Store | None,
        actor: Actor | None,
        question: str,
        wording: Wording,
        constraints: Constraints = UNCONSTRAINED,
    ) -> None:
        self._constraints = constraints
        self._delivered = {passage.key: passage for passage in evidence}
        self._store, self._actor, self._question, self._wording = store, actor, question, wording
        self._origin: Origin = "caller" if store is None else "store"
        self._released: dict[object, ReleasedCitation] = {}
        self._standing: list[_Standing] = []

    def disclose(self, decision: Decision) -> Disclosure:
        """What may leave of one decision."""
        verdicts: Verdicts | None = None
        failure = None
        try:
            verdicts = _ask(self._store, decision.claims, self._delivered, self._actor, self._constraints)
        except Exception as fault:  # noqa: BLE001  # whatever a store raises releases nothing
            failure = f"the store failed ({type(fault).__name__})"
        refusals, withheld = list(decision.refusals), list(decision.withheld)
        standing: list[_Standing] = []
        for claim in decision.claims:
            kept, refused = _divided(claim, verdicts)
            text_fault = None
            if refused and kept and self._wording == "checked":
                text_fault = wording_fault(claim.text, kept, self._question)
            if text_fault is not None:
                refused.append(Refusal(text_fault, claim=claim.position))
            refusals += refused
            if kept and text_fault is None:
                standing.append((claim, kept))
            else:
                withheld.append(
                    WithheldClaim(claim.position, tuple(dict.fromkeys(refusal.code for refusal in refused)))
                )
        self._standing += standing
        return Disclosure(
            _sealed(standing, self._origin, self._wording, self._released),
            tuple(sorted(refusals, key=_in_proposal)),
            tuple(sorted(withheld, key=lambda claim: claim.position)),
            failure,
        )

    def claims(self) -> tuple[ReleasedClaim, ...]:
        """All claims that were released, as one decision would have released them; the store is not asked again."""
        return _sealed(self._standing, self._origin, self._wording, {})


def _ask(
    store: Store | None,
    claims: Iterable[VerifiedClaim],
    delivered: Mapping[str, Passage],
    actor: Actor | None,
    constraints: Constraints,
) -> Verdicts:
    """Steps 1 and 2: key -> why its passage may not leave, or None. Raises whatever the store raises."""
    pins: dict[str, Pin] = {}
    for claim in claims:
        for citation in claim.citations:
            for key in citation.keys:
                passage = delivered[key]
                digest = citation.passage_sha256 if key == citation.key else sha256_of_text(passage.text)
                marks = (passage.admission, passage.hidden)
                place = (passage.text_sha256, passage.start, marks)
                pins.setdefault(key, Pin(passage.document_id, passage.version, key, digest, *place))
    if store is None or not pins:
        return dict.fromkeys(pins)
    # a store that knows of no limits raises here for a request that has some, and so releases nothing
    limits = {} if constraints == UNCONSTRAINED else {"constraints": constraints}
    decisions: object = store.disclose(tuple(pins.values()), actor, **limits)
    if not isinstance(decisions, list | tuple) or len(decisions) != len(pins):
        raise TypeError("not one decision a pin")
    if any(code is not None and (type(code) is not ReasonCode or code is ReasonCode.OK) for code in decisions):
        raise TypeError("a decision is neither None nor a reason code")
    return dict(zip(pins, decisions, strict=True))


def _divided(claim: VerifiedClaim, verdicts: Verdicts | None) -> tuple[tuple[VerifiedCitation, ...], list[Refusal]]:
    """Step 3: the citations of a claim that stand, and refusals of the others. No verdicts: nobody could be asked."""
    kept, refused = [], []
    for citation in claim.citations:
        code = ReasonCode.RETRIEVAL_UNAVAILABLE if verdicts is None else _verdict(citation, verdicts)
        if code is None:
            kept.append(citation)
        else:
            refused.append(Refusal(code, citation.key, claim=claim.position))
    return tuple(kept), refused


def _verdict(citation: VerifiedCitation, verdicts: Verdicts) -> ReasonCode | None:
    """A quote that runs over passages needs each of them."""
    return next((code for code in map(verdicts.__getitem__, citation.keys) if code is not None), None)


def _sealed(
    standing: Sequence[_Standing], origin: Origin, wording: Wording, released: dict[object, ReleasedCitation]
) -> tuple[ReleasedClaim, ...]:
    """Steps 5 and 6: what stands, each span once; `released` holds the citations of spans that left before."""
    spans: dict[object, Found] = {}
    for _, kept in standing:
        for citation in kept:
            found = citation.found
            first = spans.setdefault(_span(citation), found)
            if first is not found:
                spans[_span(citation)] = first._replace(keys=tuple(dict.fromkeys(first.keys + found.keys)))
    for span, found in spans.items():
        if span not in released:
            released[span] = ReleasedCitation(found, origin, _SEAL)
    claims = []
    for claim, kept in standing:
        cited = tuple(released[span] for span in dict.fromkeys(map(_span, kept)))
        text = claim.text if wording == "checked" else quotes_wording(cited)
        claims.append(ReleasedClaim(text, cited, claim.position, _SEAL))
    return tuple(claims)


def _span(citation: VerifiedCitation) -> object:
    """Two citations with the same value cite the same characters of the same document version."""
    scope = citation.key.partition("#")[0] if citation.offsets == "document" and citation.document_id else citation.key
    return (
        scope,
        citation.document_id,
        citation.version,
        citation.text_sha256,
        citation.start,
        citation.end,
        citation.quote,
    )


def _in_proposal(refusal: Refusal) -> tuple[float, float]:
    """The order of the proposal: refusals of the whole first, those of a whole claim after those of its citations."""
    claim = -1 if refusal.claim is None else refusal.claim
    return claim, math.inf if refusal.citation is None else refusal.citation
