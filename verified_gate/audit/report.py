"""Many records in one table: what answers came to, where evidence was lost, and what a wider profile would have let pass."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from verified_gate.audit.explain import wider_profile
from verified_gate.audit.record import Exchange, KeptCitation, KeptRefusal, Payload
from verified_gate.audit.records import Record, RecordLog
from verified_gate.audit.replay import actor_of, constraints_of, profile_of, require_known
from verified_gate.audit.why import chosen, why
from verified_gate.corpus.store import CorpusStore
from verified_gate.gate import Gate
from verified_gate.model import Passage, ReasonCode, sha256_of_text
from verified_gate.model.errors import RecordError
from verified_gate.model.folds import PROFILES

MAX_JUDGED: Final = 10_000
"""Refused quotes that are judged again; each costs up to three searches in its passage."""

_C: Final = ReasonCode
_BY_PROFILE: Final = frozenset(
    {_C.QUOTE_MISMATCH, _C.QUOTE_ELIDED, _C.HIDDEN_CHARACTERS, _C.QUOTE_IN_OTHER_PASSAGE, _C.QUOTE_CROSSES_PASSAGES}
)
"""Codes of a quote that was not found as it was written."""


@dataclass(frozen=True, slots=True)
class Report:
    """Sums over records. `answers`, `refused` count codes; `lost` counts records by the stage at which evidence was lost.

    `accepted` tells for each profile how many of the `judged` refused quotes would have been verified under it; of
    `not_judged` neither the log nor the corpus holds the texts. `parts` are the records that streams wrote on their way,
    which are not among `records`; `unreadable` are records that no run can have made, which are not among them either.
    """

    records: int
    erased: int
    parts: int
    answers: Mapping[str, int] = field(default_factory=dict)
    refused: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    accepted: Mapping[str, int] = field(default_factory=dict)
    judged: int = 0
    not_judged: int = 0
    unreadable: int = 0

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return asdict(self)


def report(log: RecordLog, *, store: CorpusStore | None = None) -> Report:
    """Sum up a log. Quotes and passages come from records that hold them plain; passages also from `store`.

    What a stream recorded before its last record is part of the same answer, and counts as `parts` alone.
    """
    parts = {identity for record in log.records() for identity in record.summary.earlier}
    answers: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    judge = _Judge(store)
    total = erased = unreadable = 0
    for record in log.records():
        if record.id in parts:
            continue
        try:
            require_known(record)
        except RecordError:  # somebody wrote it, and it says nothing of the others
            unreadable += 1
            continue
        total += 1
        erased += record.payload is None
        answers[record.summary.code] += 1
        refused.update(record.summary.refused)
        lost[why(record).stage] += 1
        judge.judge(record)
    return Report(
        total,
        erased,
        len(parts),
        _sorted(answers),
        _sorted(refused),
        _sorted(lost),
        judge.accepted(),
        judge.judged,
        judge.not_judged,
        unreadable,
    )


class _Judge:
    """Refused quotes under wider profiles: never a way to accept one."""

    def __init__(self, store: CorpusStore | None) -> None:
        self._store = store
        self._narrowest: Counter[str] = Counter()
        self.judged = self.not_judged = 0

    def judge(self, record: Record) -> None:
        """The refused quotes of one record. One that was erased tells only how many there were."""
        payload = record.payload
        if payload is None:
            self.not_judged += sum(record.summary.refused.get(code, 0) for code in _BY_PROFILE)
            return
        exchange = chosen(payload)
        for refusal in () if exchange is None else exchange.refusals:
            if refusal.code in _BY_PROFILE and exchange is not None:
                cited = _cited(exchange, refusal)
                passage = (
                    None
                    if cited is None or cited.delivered is None
                    else self._passage(record, payload, cited.delivered)
                )
                if cited is None or passage is None or not isinstance(cited.quote, str) or self.judged >= MAX_JUDGED:
                    self.not_judged += 1
                    continue
                self.judged += 1
                gate = Gate([passage], profile=profile_of(dict(record.summary.policy)))
                wider, _ = wider_profile(gate, passage, cited.quote)
                if wider is not None:
                    self._narrowest[wider] += 1

    def accepted(self) -> dict[str, int]:
        """Profile -> how many it would have verified, those of narrower ones among them."""
        found, upto = {}, 0
        for name in PROFILES:
            upto += self._narrowest[name]
            if name != "verbatim":
                found[name] = upto
        return found

    def _passage(self, record: Record, payload: Payload, key: str) -> Passage | None:
        """The passage as it was delivered: from the store with its marks, else from the record."""
        delivered = next((each for each in payload.delivered if each.key == key), None)
        if delivered is None:
            return None
        if self._store is not None:
            actor = actor_of(record.summary.actor)
            stored = self._store.passage(key, actor, constraints=constraints_of(record.summary.constraints))
            if stored is not None and sha256_of_text(stored.text) == delivered.sha256:
                return stored
        return Passage(key, delivered.text) if isinstance(delivered.text, str) else None


def _cited(exchange: Exchange, refusal: KeptRefusal) -> KeptCitation | None:
    """The proposed citation that was refused."""
    if refusal.claim is None or refusal.citation is None:
        return None
    place = refusal.claim - exchange.first
    if not 0 <= place < len(exchange.claims):
        return None
    citations = exchange.claims[place].citations
    return citations[refusal.citation] if refusal.citation < len(citations) else None


def _sorted(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))
