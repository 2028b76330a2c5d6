"""Why an answer is as it is: the earliest stage at which usable evidence disappeared, and what to look at next.

For the operator, who may be told of any document. `why_for_reader` tells an actor of records alone that an actor of his
rights made, and of a version that he may not read now exactly what he is told of one that does not exist.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

from verified_gate.audit.record import Counts, Exchange, KeptRefusal, Payload, Summary
from verified_gate.audit.records import Record
from verified_gate.audit.replay import actor_of, all_read, constraints_of, same_actor
from verified_gate.corpus.catalogue import Entry
from verified_gate.corpus.document import READABLE, Listing
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import REASONS, Access, Actor, ReasonCode, Stage
from verified_gate.model.errors import CorpusError, QueryError, RecordError
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints
from verified_gate.retrieval.query import MAX_LIMIT

LostAt = Literal[
    "not_ingested",
    "not_permitted",
    "not_found",
    "ranked_out",
    "not_delivered",
    "not_cited",
    "quote_refused",
    "wording_refused",
    "disclosure_denied",
    "released",
    "erased",
    "unavailable",
]

LOOK_AT: Final[dict[LostAt, str]] = {
    "not_ingested": "what was ingested: `verified-gate status`",
    "not_permitted": "tenant, groups, status, days, purpose and collection of the document, and of the request",
    "not_found": "the words of the question beside those of the document; channels that failed; the minimum score",
    "ranked_out": "the limit of the request, and what stands before it: `verified-gate search`",
    "not_delivered": "the budget of the request, and whether the document must stay local",
    "not_cited": "the synthesizer: its reply, its settings, or the server behind it",
    "quote_refused": "the codes: a wider profile, or a model that quotes to the letter",
    "wording_refused": "the claim's numbers, quotation marks and markup",
    "disclosure_denied": "the document's status, version and access at the time of release",
    "released": "nothing",
    "erased": "nothing: the record's payload was erased with a document that it told of",
    "unavailable": "whether this can be read at all",
}


_NOT_THIS_ACTOR: Final = "and the actor of the record may not read it"


@dataclass(frozen=True, slots=True)
class Why:
    """Where evidence was lost. `says` is one sentence without any text of a document or a model; `codes` are reason
    codes that were met there; `counts` how much there was at each stage (None where that is not told).
    """

    stage: LostAt
    says: str
    codes: tuple[str, ...] = ()
    counts: Counts | None = None
    eligible: int | None = None

    @property
    def look_at(self) -> str:
        """What to look at next."""
        return LOOK_AT[self.stage]

    def to_dict(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "stage": self.stage,
            "says": self.says,
            "look_at": self.look_at,
            "codes": list(self.codes),
            "remedies": {code: REASONS[ReasonCode(code)].remedy for code in self.codes if code in REASONS},
            "eligible": self.eligible,
            "counts": None if self.counts is None else self.counts.model_dump(),
        }


def why(record: Record, *, store: CorpusStore | None = None, expect: str | None = None) -> Why:
    """The earliest stage at which evidence was lost: of all, or of the document or passage that `expect` names.

    `expect` is a key (`returns@3#c0`), a version (`returns@3`) or an id (`returns`; `acme:returns` for a tenant's). With the
    `store` it can be told whether it was ingested, permitted and how it ranks now; the answer of the store is of now, that of
    the record of then. For the operator.
    """
    summary, payload = record.summary, record.payload
    if payload is None:
        found = Why("erased", "the record's payload was erased; its codes and counts are left")
    elif expect is None:
        found = _overall(summary, payload)
    else:
        found = _expected(record, payload, partial(_is, expect)) or _before_found(summary, payload, expect, store)
    return replace(found, counts=summary.counts, eligible=summary.eligible)


def why_for_reader(
    record: Record,
    store: CorpusStore,
    actor: Actor | None,
    *,
    expect: str | None = None,
    constraints: Constraints = UNCONSTRAINED,
) -> Why:
    """The same for an actor with the rights of the one who asked, without counts, within the limits of this request; the
    day is the recorded one where it names none. Where something that the answer was made of was erased, or may not be read
    now, nothing more is told, the same for both. Raises `RecordError` for a record of other rights, in the words for one
    that does not exist.
    """
    payload = record.payload
    if not same_actor(record.summary.actor, actor):
        raise RecordError("there is no record of this id in the log")
    if constraints.as_of is None:
        constraints = replace(constraints, as_of=constraints_of(record.summary.constraints).as_of)
    readable: set[str] = set()
    if expect is not None:
        listed = store.documents(actor, constraints=constraints)  # access is asked before the record is looked at
        readable = {_version(each.key(0)) for each in listed if _names(expect, each.key(0), each)}
        if not readable:
            return Why("unavailable", "this is not there, or may not be read")
    if payload is None or not all_read(payload, lambda key: store.passage(key, actor, constraints=constraints)):
        return Why("unavailable", "something that the answer was made of is not there as it was, or may not be read")
    if expect is None:
        return _overall(record.summary, payload)
    found = _expected(record, payload, lambda key: _is(expect, key) and _version(key) in readable)
    if found is not None:
        return found
    if all(store.standing(f"{each}#c0", actor, constraints=constraints) for each in readable):
        return Why("not_permitted", "it can be read as historic, and is not in force on the day of the request")
    return Why("not_found", "it can be read, and was not found by this question")


def _overall(summary: Summary, payload: Payload) -> Why:
    counts = summary.counts
    if counts.released_claims and not counts.withheld_claims and summary.interrupted is None:
        return Why("released", "nothing was lost: every proposed claim was released")
    if not counts.found:
        return _nothing_found(summary)
    if not counts.delivered:
        return Why("not_delivered", "passages were found, and none went into a request", _of(summary.code))
    exchange = chosen(payload)
    if exchange is None or not (exchange.claims or exchange.cut):
        codes = _of(*summary.replies, *([] if summary.interrupted is None else [summary.interrupted]), summary.code)
        return Why("not_cited", "the synthesizer proposed no claim", codes)
    if exchange.code not in ("ok", "nothing_verified") and not exchange.verified:
        return Why("not_cited", "the reply could not be used", _of(exchange.code))
    lost = _lost_in(summary, payload, exchange)
    if lost is not None:
        return lost
    if summary.interrupted is not None:
        return Why("not_cited", "the reply broke off after the claims that were released", _of(summary.interrupted))
    return Why("disclosure_denied", "claims were verified, and none was released", _of(summary.code))


def _nothing_found(summary: Summary) -> Why:
    broken = sorted(name for name, status in summary.channels.items() if status != "ok")
    if broken or summary.code == ReasonCode.RETRIEVAL_UNAVAILABLE:
        return Why("not_found", "the search failed, which says nothing about the documents", _of(summary.code))
    if summary.eligible == 0:
        return Why("not_permitted", "the corpus held nothing that this actor may read within the limits of the request")
    return Why("not_found", "nothing that this actor may read was found by the question", _of(summary.code))


def _lost_in(summary: Summary, payload: Payload, exchange: Exchange) -> Why | None:
    """The earliest loss among claims that were withheld: by the gate's citations, the wording, then release."""
    withheld = {claim.position for claim in summary.withheld}
    refused = [each for each in payload.dropped if each.claim in withheld or each.claim is None]
    gate = [each for each in refused if each in exchange.refusals]
    citations = [each for each in gate if _stage(each) is not Stage.CLAIM]
    uncited = [each for each in gate if each.code == ReasonCode.CLAIM_UNCITED]
    wording = [each for each in refused if _stage(each) is Stage.CLAIM and each not in uncited]
    later = [each for each in refused if each not in gate and each not in wording]
    if uncited:
        return Why("not_cited", "claims were proposed without a citation", _of(*(each.code for each in uncited)))
    if citations:
        return Why("quote_refused", "citations were refused by the gate", _of(*(each.code for each in citations)))
    if wording and not later:
        return Why("wording_refused", "claims were withheld for their wording", _of(*(each.code for each in wording)))
    if later:
        codes = _of(*(each.code for each in later), *(each.code for each in wording))
        return Why("disclosure_denied", "sources could not be disclosed when the answer was to leave", codes)
    return None


def _expected(record: Record, payload: Payload, is_it: Callable[[str], bool]) -> Why | None:
    """Where the record lost the passages that are meant; None where none of them was found."""
    summary = record.summary
    if any(is_it(key) for each in record.cited if each for key in (each.key, *each.keys)):
        return Why("released", "it was cited and released")
    exchange = chosen(payload)
    verified = [] if exchange is None else [each for each in exchange.verified if is_it(each.key)]
    refusals = [each for each in payload.dropped if each.key is not None and is_it(each.key)]
    if verified:
        codes = _of(*(each.code for each in refusals if exchange is None or each not in exchange.refusals))
        return Why("disclosure_denied", "it was verified, and could not be disclosed", codes)
    worded = [] if exchange is None else _withheld_for_wording(payload, exchange, is_it)
    if worded:
        return Why("wording_refused", "its quote stands, and the claim was withheld for its wording", _of(*worded))
    if refusals:
        return Why("quote_refused", "it was cited, and the citation refused", _of(*(each.code for each in refusals)))
    if any(is_it(each.key) for each in payload.delivered):
        nearly = [each for each in (exchange.refusals if exchange else ()) if _points_to(each, is_it)]
        codes = _of(*(each.code for each in nearly), *([] if summary.code == ReasonCode.OK else [summary.code]))
        says = (
            "it was delivered, and its words were cited under another key"
            if nearly
            else "it was delivered, and not cited"
        )
        return Why("not_cited", says, codes)
    if any(is_it(key) for key in payload.left_out):
        return Why("not_delivered", "it was found, and left out of the request")
    ranks = [each.rank for each in payload.found if is_it(each.key)]
    if ranks:
        return Why("ranked_out", f"it was found at rank {min(ranks)}, behind what the request takes")
    return None


def _before_found(summary: Summary, payload: Payload, expect: str, store: CorpusStore | None) -> Why:
    """What was not found: whether it is there, permitted, and how it ranks. For the operator."""
    if summary.code == ReasonCode.RETRIEVAL_UNAVAILABLE:
        return _nothing_found(summary)
    if store is None:
        return Why("not_found", "it was not found; with the corpus it can be told whether it is there and permitted")
    stored = [each for each in store.operator.catalogue() if _names(expect, each.listing.key(0), each.listing)]
    if not stored:
        return Why("not_ingested", "no document of this name is in the corpus")
    actor = actor_of(summary.actor)
    constraints = constraints_of(summary.constraints, remote=summary.constraints.remote)
    kept_out = _kept_out(stored, store, actor, constraints)
    if kept_out is not None:
        return kept_out
    broken = sorted(name for name, status in summary.channels.items() if status != "ok")
    if broken:
        return Why("not_found", f"it is permitted, and a channel failed: {', '.join(broken)[:200]}")
    if not isinstance(payload.question, str):
        return Why("not_found", "it is permitted, and was not found; how it ranks cannot be told without the question")
    try:
        hits = store.search(payload.question, actor, MAX_LIMIT, constraints=constraints)
    except (CorpusError, QueryError):
        return Why("not_found", "it is permitted, and the corpus cannot be searched now")
    rank = next((number for number, hit in enumerate(hits, 1) if _is(expect, hit.key)), None)
    if rank is None:
        return Why("not_found", f"it is permitted, and is not among the first {MAX_LIMIT} that this question finds now")
    return Why("ranked_out", f"it is permitted, and ranks {rank} now, behind what the request takes")


def _kept_out(stored: Sequence[Entry], store: CorpusStore, actor: Actor | None, constraints: Constraints) -> Why | None:
    """What kept all these versions from being found whatever was asked, told of the one that came farthest; None where
    one of them could be found.
    """
    private = store.operator.private_collections() if constraints.only is None else frozenset()
    reasons: list[tuple[int, LostAt, str]] = []
    for each in stored:
        listing, rules = each.listing, each.listing.rules
        collection_is_out = (
            listing.collection in private if constraints.only is None else listing.collection not in constraints.only
        )
        checks: tuple[tuple[bool, LostAt, str], ...] = (
            (listing.status not in READABLE, "not_permitted", f"as {listing.status}: no reader is shown it"),
            (not Access(listing.tenant, frozenset(each.groups)).permits(actor), "not_permitted", _NOT_THIS_ACTOR),
            (
                bool(rules.purposes) and constraints.purpose not in rules.purposes,
                "not_permitted",
                "and the actor may read it, for purposes of which the request named none",
            ),
            (
                constraints.remote and rules.local_only,
                "not_permitted",
                "and the actor may read it; it must stay local, and the request was for a remote model",
            ),
            (collection_is_out, "not_permitted", "and the actor may read it, in a collection that was not searched"),
            (listing.passages == 0, "not_found", "and no text of it could be read"),
            (
                store.standing(listing.key(0), actor, constraints=constraints) == ReasonCode.SUPERSEDED,
                "not_permitted",
                "and the actor may read it; it was not the version in force on the day of the request",
            ),
        )
        found = next(((at, *told) for at, (applies, *told) in enumerate(checks) if applies), None)
        if found is None:
            return None
        reasons.append(found)  # type: ignore[arg-type]
    _, stage, says = max(reasons)
    return Why(stage, f"it is in the corpus, {says}" if says.startswith("and") else f"it is in the corpus {says}")


def chosen(payload: Payload) -> Exchange | None:
    """The exchange that the answer was made of: the one with most verified citations, the later of equals."""
    ranked = [(len(each.verified), at) for at, each in enumerate(payload.exchanges)]
    return payload.exchanges[max(ranked)[1]] if ranked else None


def _is(expect: str, key: str) -> bool:
    """Does `expect` name the passage `key`, its version or its document?"""
    version = _version(key)
    return expect in (key, version, version.rpartition("@")[0])


def _version(key: str) -> str:
    return key.rpartition("#")[0]


def _names(expect: str, key: str, listing: Listing) -> bool:
    """Does `expect` name this version, or a passage that it has?"""
    if _is(expect, key):
        return True
    version, _, position = expect.rpartition("#c")
    return (
        version == _version(key)
        and position.isascii()
        and position.isdigit()
        and (len(position) < 10 and int(position) < listing.passages)
    )


def _withheld_for_wording(payload: Payload, exchange: Exchange, is_it: Callable[[str], bool]) -> list[str]:
    """The codes of claims that cite what is meant, without a fault in that citation, and were withheld whole."""
    faulty = {(each.claim, each.citation) for each in exchange.refusals}
    citing = {
        position
        for position, claim in enumerate(exchange.claims, exchange.first)
        for index, citation in enumerate(claim.citations)
        if citation.delivered is not None and is_it(citation.delivered) and (position, index) not in faulty
    }
    return [each.code for each in payload.dropped if each.claim in citing and _stage(each) is Stage.CLAIM]


def _points_to(refusal: KeptRefusal, is_it: Callable[[str], bool]) -> bool:
    """Was a quote refused because it stands in the passage that is meant?"""
    place = refusal.detail.removeprefix("stands in ")
    return refusal.code == ReasonCode.QUOTE_IN_OTHER_PASSAGE and is_it(place)


def _stage(refusal: KeptRefusal) -> Stage | None:
    try:
        return REASONS[ReasonCode(refusal.code)].stage
    except ValueError:
        return None


def _of(*codes: str) -> tuple[str, ...]:
    """The codes that say that something failed, each once."""
    return tuple(dict.fromkeys(code for code in codes if code != ReasonCode.OK))
