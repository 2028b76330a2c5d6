"""The gate: a proposal, the evidence of this run and a policy in; verified claims and refusals out.

The procedure, with the attack that each step stops (numbers as in MATCHING and ARCHITECTURE):

 1. Limits: a proposal made to be expensive.
 2. Key: an invented source; a real one that was not delivered; a key that a document wrote itself.
 3. Source: a text that was altered after it was pinned, or that may not be quoted.
 4. Quote: a citation without words, or with words that stand everywhere.
 5. Hidden characters: a quote that reads otherwise than it is.
 6. Search: an altered quote.
 7. Borders: a true substring that says something else.
 8. Elision: what was left out turns the meaning. Then: words that a reader of the file does not see.
 9. Occurrences: the right words at another place.
10. Verified: what leaves is cut from the source, never the model's copy.
Then the wording rule on what the claim says itself. Left to release: still there, unchanged, permitted now.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, Literal

from verified_gate.gate.evidence import Evidence, Run, Source
from verified_gate.gate.folding import fold_quote
from verified_gate.gate.reading import (
    ELLIPSIS,
    Length,
    Text,
    elided_place,
    length_of,
    places_of,
    singled_out,
)
from verified_gate.gate.search import Place
from verified_gate.gate.verdict import Decision, VerifiedCitation, seal_citation, seal_claim
from verified_gate.gate.wording import wording_fault
from verified_gate.model.citation import Found, quotes_wording
from verified_gate.model.folds import FOLDS, PROFILES, Profile
from verified_gate.model.passage import Passage
from verified_gate.model.proposal import (
    DEFAULT_LIMITS,
    Limits,
    Malformed,
    Proposal,
    ProposedClaim,
    decode_json,
    parse_proposal,
)
from verified_gate.model.reasons import ReasonCode
from verified_gate.model.refusal import Refusal, WithheldClaim
from verified_gate.text.borders import splits_token
from verified_gate.text.characters import INVISIBLE, hidden_characters
from verified_gate.text.sentences import is_whole

_C: Final = ReasonCode
_RANK: Final = {name: rank for rank, name in enumerate(FOLDS)}
_ENTITIES: Final = frozenset({"entities"})
_LONGEST_KEY: Final = 200
_WHOLE_TRIES: Final = 32
_LOOKS_ELSEWHERE: Final = 50
"""How often, in lengths of the whole evidence, one proposal may have refused quotes looked for in other passages."""


class Gate:
    """Verifies citations against the evidence of one run.

    `evidence` is a mapping of key to text, or passages; it is copied and hashed now. Where a passage has a pin
    (`sha256`), text that differs from it is `integrity_failure`; a plain mapping pins nothing.
    `profile` is a name or a `Profile`. `scope="document"` lets a quote run over the border of the cited passage,
    in the one of `documents` (whole texts, or passages that are one) that has the passage's `text_sha256`, or in what
    delivered neighbours cover.
    `occurrences="strict"` refuses a quote that stands more than once with nothing to single one out.
    `wording="quotes_only"` puts the quotes in the place of each claim's wording. `lang` is the language of evidence
    that names none. Raises `TypeError` or `ValueError` for wrong use, never for what a model or a document holds.
    """

    def __init__(
        self,
        evidence: Mapping[str, str] | Iterable[Passage],
        *,
        profile: str | Profile = "verbatim",
        scope: Literal["passage", "document"] = "passage",
        occurrences: Literal["first", "strict"] = "first",
        wording: Literal["checked", "quotes_only"] = "checked",
        documents: Iterable[str | Passage] = (),
        lang: str = "",
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.profile = Profile.named(profile) if isinstance(profile, str) else profile
        if type(self.profile) is not Profile:
            raise TypeError("profile must be the name of a profile, or a Profile")
        for name, value, known in (
            ("scope", scope, ("passage", "document")),
            ("occurrences", occurrences, ("first", "strict")),
            ("wording", wording, ("checked", "quotes_only")),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of: {', '.join(known)}")
        self._evidence = Evidence(evidence, documents, self.profile.folds)
        self._scope, self._occurrences, self._wording, self.lang = scope, occurrences, wording, lang
        self._limits = limits
        self._invisible = INVISIBLE if "invisible" in self.profile.folds else frozenset[str]()

    @property
    def keys(self) -> tuple[str, ...]:
        """The delivered keys, in order."""
        return tuple(self._evidence.sources)

    def passage(self, key: str) -> Passage | None:
        """The delivered passage under a key."""
        return self._evidence.sources[key].passage if key in self._evidence.sources else None

    def verify(
        self, key: str, quote: str | None, *, prefix: str | None = None, suffix: str | None = None
    ) -> VerifiedCitation | Refusal:
        """Verify one citation. `prefix` and `suffix` single out one of several occurrences. Never raises for its input."""
        given: tuple[object, ...] = (key, quote, prefix, suffix)
        if given[0] is None or any([part is not None and not isinstance(part, str) for part in given]):  # noqa: C419
            return Refusal(_C.INVALID_SCHEMA, detail="key, quote, prefix and suffix: must be strings")
        return self._verify(key, key, quote, (prefix, suffix), [self._evidence.size])

    def judge(self, reply: str | Mapping[str, object] | Proposal, *, question: str = "") -> Decision:
        """Judge a whole reply: JSON text, decoded JSON, or a proposal. Never raises for its input."""
        decoded = decode_json(reply) if isinstance(reply, str) else reply
        proposal = decoded if isinstance(decoded, Malformed) else parse_proposal(decoded)
        if isinstance(proposal, Malformed):
            return Decision(proposal.code, refusals=(_malformed(proposal),))
        if proposal.status == "abstained" or not proposal.claims:
            return Decision(_C.MODEL_ABSTAINED)
        if excess := self._excess(proposal):
            return Decision(_C.BUDGET_EXCEEDED, refusals=(Refusal(_C.BUDGET_EXCEEDED, detail=excess),))
        verified, refusals, withheld = [], [], []
        budget = [_LOOKS_ELSEWHERE * self._evidence.size]
        for position, claim in enumerate(proposal.claims):
            citations, refused = self._citations(claim, position, proposal.aliases, budget)
            fault = None
            if citations and isinstance(claim, ProposedClaim) and self._wording == "checked":
                fault = wording_fault(claim.text, citations, question)
            if fault is not None:
                refused.append(Refusal(fault, claim=position))
            refusals += refused
            if citations and fault is None and isinstance(claim, ProposedClaim):
                wording = claim.text if self._wording == "checked" else quotes_wording(citations)
                verified.append(seal_claim(wording, citations, position))
            else:
                withheld.append(WithheldClaim(position, tuple(dict.fromkeys(refusal.code for refusal in refused))))
        code = _C.OK if verified else _C.NOTHING_VERIFIED
        return Decision(code, tuple(verified), tuple(refusals), tuple(withheld))

    def _excess(self, proposal: Proposal) -> str:
        claims = [claim for claim in proposal.claims if isinstance(claim, ProposedClaim)]
        counts = {
            "claims": len(proposal.claims),
            "citations": sum(len(claim.citations) for claim in claims),
            "wording": max((len(claim.text) for claim in claims), default=0),
        }
        return ", ".join(name for name, count in counts.items() if count > getattr(self._limits, name))

    def _citations(
        self, claim: ProposedClaim | Malformed, position: int, aliases: Mapping[str, str] | None, budget: list[int]
    ) -> tuple[tuple[VerifiedCitation, ...], list[Refusal]]:
        if isinstance(claim, Malformed):
            return (), [_malformed(claim, position)]
        if not claim.citations:
            return (), [Refusal(_C.CLAIM_UNCITED, claim=position)]
        verified: dict[tuple[str, int, int], VerifiedCitation] = {}
        refused = []
        for index, proposed in enumerate(claim.citations):
            if isinstance(proposed, Malformed):
                refused.append(_malformed(proposed, position, index))
                continue
            key = proposed.key if aliases is None else aliases.get(proposed.key)
            context = (proposed.prefix, proposed.suffix)
            verdict = self._verify(key, proposed.key, proposed.quote, context, budget)
            if isinstance(verdict, Refusal):
                refused.append(replace(verdict, claim=position, citation=index))
            else:
                verified.setdefault((verdict.key, verdict.start, verdict.end), verdict)
        return tuple(verified.values()), refused

    def _verify(
        self,
        key: str | None,
        written: str,
        quote: str | None,
        context: tuple[str | None, str | None],
        budget: list[int],
    ) -> VerifiedCitation | Refusal:
        def refused(code: ReasonCode, detail: str = "") -> Refusal:
            return Refusal(code, written[:_LONGEST_KEY], detail, quote=quote, delivered_key=key)

        # 1. limits
        if quote is not None and len(quote) > self._limits.quote:
            return refused(_C.BUDGET_EXCEEDED, f"a quote of more than {self._limits.quote} code points")
        # 2. key
        source = self._evidence.sources.get(key) if key is not None else None
        if source is None:
            return refused(_C.UNKNOWN_CITATION)
        # 3. source
        if not source.intact:
            return refused(_C.INTEGRITY_FAILURE)
        if source.passage.admission == "metadata_only":
            return refused(_C.NOT_QUOTABLE)
        # 4. quote
        if quote is None or not quote.strip():
            return refused(_C.QUOTE_MISSING)
        plain = fold_quote(quote, _ENTITIES) if "&" in quote and "entities" in self.profile.folds else quote
        length = length_of(plain)
        # 5. hidden characters
        hidden, excusable = hidden_characters(plain, self._invisible)
        if hidden:
            return refused(_C.HIDDEN_CHARACTERS)
        if length is Length.EMPTY:
            return refused(_C.QUOTE_TOO_SHORT)
        # 6. search, and 7. borders
        every = self._occurrences == "strict" or any(context)
        run: Run | None = None
        reading = source.reading
        places, split = places_of(reading, quote, self.profile, every=every, exact_only=excusable)
        places, cut = self._within(source, places)
        split = split or cut
        if not places and self._scope == "document":
            run = self._evidence.run(source.passage)
            if run is not None and run.whole:
                reading = run.reading
                places, beyond = places_of(reading, quote, self.profile, every=every, exact_only=excusable)
                places = [place for place in places if _touches(place, run.base, source.passage)]
                split = split or (beyond and not places)
        # 8. elision
        elided = not places and not split and ELLIPSIS.search(quote) is not None
        if elided:
            place = elided_place(source.reading, quote, self.profile, source.passage.lang or self.lang)
            reading, run, (places, split) = source.reading, None, self._within(source, [place] if place else [])
        if not places:
            if split:
                return refused(_C.QUOTE_SPLITS_TOKEN)
            if excusable:
                return refused(_C.HIDDEN_CHARACTERS)
            if length is Length.SHORT:
                return refused(_C.QUOTE_TOO_SHORT)
            if elided:
                return refused(_C.QUOTE_ELIDED)
            return refused(*self._elsewhere(source, quote, budget))
        if (unseen := source.passage.hidden if run is None else run.hidden) and not (
            places := [place for place in places if not _overlaps(place, unseen)]
        ):
            return refused(_C.NOT_VISIBLE)
        if length is Length.SHORT:
            places = [place for place in places[:_WHOLE_TRIES] if is_whole(reading.text, place.start, place.end)]
            if not places:
                return refused(_C.QUOTE_TOO_SHORT)
        # 9. occurrences
        chosen = singled_out(reading.text, places, *context)
        if len(chosen) > 1 and self._occurrences == "strict":
            return refused(_C.QUOTE_AMBIGUOUS, f"stands {len(places)} times")
        # 10. verified
        return self._verified(source, reading, run, chosen[0], len(places))

    def _within(self, source: Source, places: list[Place]) -> tuple[list[Place], bool]:
        """Of places that reach an end of the passage, those with sound borders in what is known beyond it."""
        size = len(source.passage.text)
        if not any([place.start == 0 or place.end == size for place in places]):  # noqa: C419
            return places, False
        run = self._evidence.run(source.passage)
        if run is None or len(run.reading.text) <= size:
            return places, False
        shift = (source.passage.start or 0) - run.base
        text = run.reading.text
        sound = [place for place in places if not splits_token(text, place.start + shift, place.end + shift)]
        return sound, len(sound) < len(places)

    def _verified(
        self, source: Source, reading: Text, run: Run | None, place: Place, occurrences: int
    ) -> VerifiedCitation:
        passage = source.passage
        base, hidden = (passage.start, passage.hidden) if run is None else (run.base, run.hidden)
        keys: tuple[str, ...] = (passage.key,)
        if run is not None:
            others = (other for other in self._evidence.neighbours(passage) if other.key != passage.key)
            keys += tuple(other.key for other in others if _touches(place, run.base, other))
        folds = tuple(sorted(place.folds, key=_RANK.__getitem__)) if place.folds else ()
        where = (passage, reading.text, base, place.start, place.end, folds, occurrences, keys, source.sha256)
        return seal_citation(Found(*where, reading.furniture, hidden))

    def _elsewhere(self, source: Source, quote: str, budget: list[int]) -> tuple[ReasonCode, str]:
        """Which code tells most about a quote that was not found: never a way to accept it."""
        budget[0] -= self._evidence.size
        if budget[0] < 0:
            return _C.QUOTE_MISMATCH, ""
        for key, other in self._evidence.sources.items():
            if other is not source and other.intact:
                places, _ = places_of(other.reading, quote, self.profile)
                if places:
                    return _C.QUOTE_IN_OTHER_PASSAGE, f"stands in {key}"
        run = self._evidence.run(source.passage)
        if run is not None and len(run.reading.text) > len(source.passage.text):
            places, _ = places_of(run.loose, quote, PROFILES["typographic"])
            first = (source.passage.start or 0) - run.base
            edges = first, first + len(source.passage.text)
            if any(place.start < edge < place.end for place in places for edge in edges):
                return _C.QUOTE_CROSSES_PASSAGES, ""
        return _C.QUOTE_MISMATCH, ""


def _touches(place: Place, base: int, passage: Passage) -> bool:
    start = (passage.start or 0) - base
    return place.start < start + len(passage.text) and start < place.end


def _overlaps(place: Place, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < place.end and place.start < end for start, end in spans)


def _malformed(part: Malformed, claim: int | None = None, citation: int | None = None) -> Refusal:
    return Refusal(part.code, detail=f"{part.where}: {part.fault}".removeprefix(": "), claim=claim, citation=citation)
