"""Steps 9 and 10, the verdict: sealed citations and claims. Only this folder makes a `VerifiedCitation`."""

from dataclasses import InitVar, dataclass, field
from typing import Final, final

from verified_gate.model.citation import CitationView, Found
from verified_gate.model.reasons import ReasonCode
from verified_gate.model.refusal import Refusal, WithheldClaim
from verified_gate.model.sealed import sealed


@final
class _Seal:
    """No other module can name one."""


_SEAL: Final = _Seal()


@final
@sealed
@dataclass(frozen=True, slots=True, repr=False)
class VerifiedCitation(CitationView):
    """These words stand in the text that was delivered, and that text has the pinned hash, where it had one."""

    found: Found
    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        if seal is not _SEAL:
            raise TypeError("only Gate.verify() makes a VerifiedCitation")


@final
@sealed
@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    """A claim whose wording passed the wording rule, with at least one verified citation.

    `position` is its 0-based place in the proposal.
    """

    text: str = field(repr=False)
    citations: tuple[VerifiedCitation, ...]
    position: int
    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        if seal is not _SEAL or not self.citations:
            raise TypeError("only Gate.judge() makes a VerifiedClaim, from at least one VerifiedCitation")


def seal_citation(found: Found) -> VerifiedCitation:
    """For the procedure of the gate only."""
    return VerifiedCitation(found, _SEAL)


def seal_claim(text: str, citations: tuple[VerifiedCitation, ...], position: int) -> VerifiedClaim:
    """For the procedure of the gate only."""
    return VerifiedClaim(text, citations, position, _SEAL)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says of a whole proposal.

    `code` is ok where a claim was verified, else why none was. `refusals` holds every refused claim and citation;
    `withheld` the claims that do not leave, without their wording.
    """

    code: ReasonCode
    claims: tuple[VerifiedClaim, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    withheld: tuple[WithheldClaim, ...] = ()
