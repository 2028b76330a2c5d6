"""A stored answer verified again, now, for this actor: through the gate and the release transaction like any proposal.

Nothing that was stored counts as verified. Procedure:

1. Each citation of the record is a proposal: its key, and its words, cut from the stored source at the recorded span.
2. A passage that this actor may not read now, or that is gone, is `unavailable`, the same for both, and not named; one
   with other hashes than the recorded ones is `source_changed`; recorded words that do not stand at the span are
   `quote_mismatch`.
3. The rest goes through the gate under the recorded policy, and through release: a revocation, a new version, an edit
   committed before that transaction wins. A claim that loses all its citations is withheld; the others stay.
4. A wording that was not kept (a log of keyed hashes keeps none) is not made up: the sources' own words stand in its
   place. So they do for everybody, who asked among them, unless he may read all that was found, all that the model was
   shown as it was then, and what stood around the evidence: its wording may lean on any of it. Rights are no person: who
   has those of the one who asked is not therefore the one.

What was erased is to a reader as if he might not read it: the record lost the citations of it, and with its payload every
wording; which claims left, and the citations of other sources, it keeps.

The limits (purpose, collections) are those of the request for the replay; an answer given for a purpose opens nothing
to a request without it. Only the day that an answer speaks of is the recorded one, unless the request names another.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Protocol

from verified_gate.audit.keeping import Keeper, headed
from verified_gate.audit.record import Hashed, KeptActor, KeptConstraints, LeftCitation, Payload, Summary
from verified_gate.audit.records import Record
from verified_gate.corpus.protocol import Store
from verified_gate.gate import Decision, Gate, Limits, Profile, VerifiedCitation
from verified_gate.model import (
    Actor,
    Malformed,
    Passage,
    Proposal,
    ProposedCitation,
    ProposedClaim,
    ReasonCode,
    Refusal,
    WithheldClaim,
    sha256_of_text,
)
from verified_gate.model.errors import RecordError
from verified_gate.release import Answer, release
from verified_gate.release.disclosure import Wording
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints

MAX_KEYS: Final = 5_000
_CONTEXT: Final = 64
"""Code points before and behind a quote by which one of several places is singled out."""
_C: Final = ReasonCode
_LIMITS: Final = Limits(claims=1_000, citations=5_000)
_NOT_RELEASED: Final = Malformed("", "was not released then")
"""Stands for what was withheld then, so that each claim keeps its place."""


class ReadableStore(Store, Protocol):
    """A store that gives a passage by its key, as far as the actor may read it."""

    def passage(
        self, key: str, actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> Passage | None:
        """The passage, or None: missing and forbidden alike."""
        ...


@dataclass(frozen=True, slots=True)
class Replay:
    """What a stored answer is worth now. `quotes_only`: the sources' own words stand in the place of the wording.
    `policy` is the recorded one.
    """

    answer: Answer
    policy: dict[str, Any]
    quotes_only: bool


def replay(
    record: Record,
    store: ReadableStore,
    actor: Actor | None,
    *,
    keeper: Keeper | None = None,
    constraints: Constraints = UNCONSTRAINED,
) -> Replay:
    """Verify the answer of `record` again. With the log's `keeper`, quotes are compared with their keyed hashes too.
    `constraints` are the limits of this request; without an `as_of`, the day of the record is taken.

    Raises `RecordError` for a record that cannot be a record of ours; never for what the store holds or lacks.
    """
    summary = record.summary
    code = _code(summary.code)
    policy = _policy(summary)
    if not summary.claims:
        code = _C.NOTHING_VERIFIED if code is _C.OK else code
        return Replay(Answer(code, lang=summary.lang, record=record.id), policy, quotes_only=False)
    return _Run(record, policy, store, actor, keeper, constraints).replayed()


class _Run:
    """One replay: what can be read now, what of the record is refused before the gate, and the proposal of the rest."""

    def __init__(
        self,
        record: Record,
        policy: dict[str, Any],
        store: ReadableStore,
        actor: Actor | None,
        keeper: Keeper | None,
        constraints: Constraints,
    ) -> None:
        self._record, self._summary, self._policy = record, record.summary, policy
        self._store, self._actor, self._keeper = store, actor, keeper
        then = constraints_of(self._summary.constraints)
        self._constraints = constraints if constraints.as_of is not None else replace(constraints, as_of=then.as_of)
        claims = self._summary.claims
        self._left = {claim.position: claim for claim in claims}
        cited = sum(len(claim.citations) for claim in claims)
        if len(self._left) < len(claims) or max(self._left) >= _LIMITS.claims or cited > _LIMITS.citations:
            raise RecordError("the record holds more claims than an answer has, or two at one place")
        keys = dict.fromkeys(key for citation in record.cited if citation for key in (citation.key, *citation.keys))
        if len(keys) > MAX_KEYS:
            raise RecordError(f"the record cites more than {MAX_KEYS:,} passages")
        self._evidence = {key: passage for key in keys if (passage := self._read(key)) is not None}
        self._wholes: dict[str, str] = {}
        self._documents: list[Any] = []
        if policy["scope"] == "document" and self._evidence:
            self._documents = list(store.texts(list(self._evidence), actor, constraints=self._constraints))
            self._wholes = {str(sha256_of_text(whole.text)): whole.text for whole in self._documents}
        self._gate = Gate(self._evidence.values(), documents=self._documents, **policy)
        self._refused: dict[tuple[int, int], ReasonCode] = {}

    def _read(self, key: str) -> Passage | None:
        return self._store.passage(key, self._actor, constraints=self._constraints)

    def replayed(self) -> Replay:
        """Steps 1 to 4."""
        question, texts = self._worded()
        wording: Wording = "quotes_only" if texts is None else self._policy["wording"]
        claims: list[ProposedClaim | Malformed] = [_NOT_RELEASED] * (max(self._left) + 1)
        aliases = {}
        for position, claim in self._left.items():
            citations = []
            for index, number in enumerate(claim.citations):
                alias = f"{position}.{index}"
                cited = self._cited(number)
                proposed = self._proposed(alias, cited)
                if cited is None or isinstance(proposed, ReasonCode):
                    self._refused[position, index] = proposed if isinstance(proposed, ReasonCode) else _C.UNAVAILABLE
                    citations.append(ProposedCitation(alias))
                else:
                    aliases[alias] = cited.key
                    citations.append(proposed)
            claims[position] = ProposedClaim((texts or {}).get(position, ""), tuple(citations))
        policy = {**self._policy, "wording": wording}
        gate = Gate(self._evidence.values(), documents=self._documents, limits=_LIMITS, **policy)
        decision = gate.judge(Proposal("answered", tuple(claims), aliases), question=question)
        answer = release(
            self._coded(decision),
            evidence=self._evidence.values(),
            store=self._store,
            actor=self._actor,
            question=question,
            wording=wording,
            lang=self._summary.lang,
            constraints=self._constraints,
        )
        broken = None if self._summary.interrupted is None or not answer.claims else _code(self._summary.interrupted)
        dropped = tuple(replace(each, key=None) if each.code is _C.UNAVAILABLE else each for each in answer.dropped)
        answer = replace(
            answer, dropped=dropped, record=self._record.id, interrupted=broken
        )  # a name tells of a document
        return Replay(answer, policy, quotes_only=wording == "quotes_only")

    def _cited(self, number: int) -> LeftCitation | None:
        """A citation that left, None where it was erased."""
        if number >= len(self._record.cited):
            raise RecordError("a claim of the record cites what the record does not hold")
        return self._record.cited[number]

    def _proposed(self, alias: str, cited: LeftCitation | None) -> ProposedCitation | ReasonCode:
        """Steps 1 and 2 for one citation."""
        passage = None if cited is None else self._evidence.get(cited.key)
        if cited is None or passage is None or any(key not in self._evidence for key in cited.keys):
            return _C.UNAVAILABLE
        if passage.sha256 != cited.passage_sha256 or cited.text_sha256 not in (None, passage.text_sha256):
            return _C.SOURCE_CHANGED
        base = passage.start or 0
        start, end = (cited.start, cited.end) if cited.offsets == "document" else (cited.start + base, cited.end + base)
        text = passage.text
        if not base <= start < end <= base + len(text):
            text, base = self._wholes.get(passage.text_sha256 or "", ""), 0
        quote = text[start - base : end - base]
        if not start < end or len(quote) != end - start or not self._same(quote, cited.quote):
            return _C.QUOTE_MISMATCH
        before, after = text[max(0, start - base - _CONTEXT) : start - base], text[end - base : end - base + _CONTEXT]
        verdict = self._gate.verify(cited.key, quote, prefix=before or None, suffix=after or None)
        if isinstance(verdict, VerifiedCitation) and (verdict.start, verdict.end) != (start, end):
            return _C.QUOTE_MISMATCH  # the same words at another place are another citation
        return ProposedCitation(alias, quote, before or None, after or None)

    def _same(self, quote: str, kept: str | Hashed) -> bool:
        if isinstance(kept, str):
            return quote == kept
        if len(quote) != kept.length:
            return False
        known = None if self._keeper is None or kept.hmac is None else self._keeper.hmac(quote)
        return known is None or known == kept.hmac

    def _worded(self) -> tuple[str, dict[int, str] | None]:
        """Step 4: the question and the wordings by position, where all were kept and this actor may have them; else
        nothing of either.
        """
        payload = self._record.payload
        question = None if payload is None else payload.question
        if payload is None or not isinstance(question, str):
            return "", None
        texts = {claim.position: claim.text for claim in payload.claims if isinstance(claim.text, str)}
        if len(texts) < len(payload.claims) or not all_read(payload, self._read):
            return "", None
        return question, texts

    def _coded(self, decision: Decision) -> Decision:
        """The gate's decision with the recorded keys for aliases, and the codes of step 2 for what was left out."""
        refusals = []
        codes: defaultdict[int, list[ReasonCode]] = defaultdict(list)
        for refusal in decision.refusals:
            code, key, position = refusal.code, refusal.key, refusal.claim
            if position is None or position not in self._left:
                continue
            if refusal.citation is not None:
                code = self._refused.get((position, refusal.citation), code)
                cited = self._cited(self._left[position].citations[refusal.citation])
                key = None if cited is None else cited.key
            refusals.append(Refusal(code, key, "", position, refusal.citation))
            codes[position].append(code)
        then = {each.position: tuple(map(_code, each.codes)) for each in self._summary.withheld}
        withheld = [
            WithheldClaim(each.position, tuple(dict.fromkeys(codes[each.position])))
            if each.position in self._left
            else WithheldClaim(each.position, then[each.position])
            for each in decision.withheld
            if each.position in self._left or each.position in then
        ]
        beyond = sorted(position for position in then if position > max(self._left))
        withheld += [WithheldClaim(position, then[position]) for position in beyond]
        return Decision(decision.code, decision.claims, tuple(refusals), tuple(withheld))


def all_read(payload: Payload, read: Callable[[str], Passage | None]) -> bool:
    """Can all that was found, and all that was shown as it was then, be read now?"""
    shown = [(each.key, each.sha256, each.headed) for each in payload.delivered]
    shown += [(each.key, each.sha256, None) for each in payload.context]  # those stood there without a title
    others = {each.key for each in payload.found}.union(payload.left_out).difference(key for key, _, _ in shown)
    if len(shown) + len(others) > MAX_KEYS:
        return False
    now = ((sha256, head, read(key)) for key, sha256, head in shown)
    return all(
        passage is not None and passage.sha256 == sha256 and head in (None, headed(passage))
        for sha256, head, passage in now
    ) and all(read(key) is not None for key in others)


def profile_of(policy: dict[str, Any]) -> Profile:
    """The recorded profile: a named one, or a set of folds by their names. Raises `RecordError`."""
    name = policy.get("profile", "verbatim")
    for made in (Profile.named, lambda folds: Profile.of(*folds.split("+"))):
        try:
            return made(name if isinstance(name, str) and len(name) <= 1_000 else "")
        except ValueError:
            continue
    raise RecordError("the record names a profile that does not exist")


def _policy(summary: Summary) -> dict[str, Any]:
    """The part of the recorded policy that the gate takes."""
    policy: dict[str, Any] = {"profile": profile_of(dict(summary.policy))}
    known: Iterable[tuple[str, Sequence[str]]] = (
        ("scope", ("passage", "document")),
        ("occurrences", ("first", "strict")),
        ("wording", ("checked", "quotes_only")),
    )
    for name, values in known:
        policy[name] = summary.policy.get(name, values[0])
        if policy[name] not in values:
            raise RecordError(f"the record names a {name} that does not exist")
    return policy


def _code(code: str) -> ReasonCode:
    try:
        return ReasonCode(code)
    except ValueError:
        raise RecordError("the record holds a code that does not exist") from None


def constraints_of(kept: KeptConstraints, *, remote: bool = False) -> Constraints:
    """The limits that an answer was made under; where nothing is sent to a model now, `remote` limits nothing.

    Raises `RecordError` for limits that are none.
    """
    try:
        return Constraints(
            purpose=kept.purpose,
            remote=remote,
            only=None if kept.only is None else frozenset(kept.only),
            as_of=None if kept.as_of is None else date.fromisoformat(kept.as_of),
        )
    except (TypeError, ValueError):
        raise RecordError("the record holds limits that are none") from None


def same_actor(kept: KeptActor | None, actor: Actor | None) -> bool:
    """Has this actor the rights of the one who asked? It need not be the same person."""
    if kept is None or actor is None:
        return kept is None and actor is None
    return (kept.tenant, frozenset(kept.groups), kept.active) == (actor.tenant, actor.groups, actor.active)


def actor_of(kept: KeptActor | None) -> Actor | None:
    """Somebody with the rights of who asked. Raises `RecordError` for an actor that cannot be."""
    if kept is None:
        return None
    try:
        return Actor(kept.tenant, frozenset(kept.groups), kept.active)
    except (TypeError, ValueError):
        raise RecordError("the record holds an actor that cannot be") from None


def require_known(record: Record) -> None:
    """Raises `RecordError` where a record names a code, a policy, a limit or an actor that does not exist."""
    _code(record.summary.code)
    _policy(record.summary)
    constraints_of(record.summary.constraints)
    actor_of(record.summary.actor)
