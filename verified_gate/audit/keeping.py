"""From a trace to the two parts of a record: what is kept of each stage, and as what."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Final, get_args

from verified_gate.audit.record import RECORD_FORMAT
from verified_gate.audit.trace import Attempt, ChannelStatus, Trace
from verified_gate.corpus.key import parse_key
from verified_gate.gate import Decision
from verified_gate.model import (
    Actor,
    Malformed,
    Passage,
    Proposal,
    ProposedCitation,
    ProposedClaim,
    Refusal,
    WithheldClaim,
    parse_proposal,
    sha256_of_text,
)
from verified_gate.model.errors import RecordError
from verified_gate.model.proposal import decode_json
from verified_gate.release import Answer, ReleasedCitation
from verified_gate.retrieval.protocol import Constraints

MAX_CLAIMS: Final = 200
MAX_CITATIONS: Final = 1_000
MAX_PROPOSED: Final = 4_000
MAX_TEXT: Final = 100_000
_MAX_DETAIL: Final = 1_000
MAX_COUNT: Final = 2**53
"""What of one answer is kept at most: proposed claims and their citations in all; code points of a proposed wording or
quote, of any other text, of a detail; what counts stay below. A longer text is kept as its length, with its keyed hash where
there is a key.
"""


@dataclass(frozen=True, slots=True)
class Keeper:
    """How texts are kept: plain, or as HMAC-SHA-256 under the operator's key."""

    key: bytes | None
    plain: bool

    def text(self, text: str, most: int = MAX_TEXT) -> object:
        """What is kept of `text`."""
        if self.plain and len(text) <= most:
            return told(text)
        return {"hmac": self.hmac(text), "length": len(text)}

    def name(self, name: str) -> str:
        """What is kept of the name of a version that a model wrote."""
        return (None if self.plain else self.hmac(name)) or name

    def hmac(self, text: str) -> str | None:
        """The keyed hash of a text, None without a key."""
        if self.key is None:
            return None
        return hmac.new(self.key, b"text\0" + text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class Kept:
    """A record as it is written: all of its summary but the commitments to citations, the payload and the versions that it
    tells of, and each citation that left with the names of the version that it tells of.
    """

    summary: dict[str, Any]
    payload: bytes
    mentions: frozenset[str]
    cited: tuple[tuple[bytes, frozenset[str]], ...]


def kept_of(trace: Trace, keeper: Keeper) -> Kept:
    """What is kept of a trace. Raises `RecordError` where an actor, a key or a limit cannot be written down as it is."""
    exchanges = [_exchange(attempt, keeper, _delivered_keys(trace)) for attempt in trace.exchanges]
    answer = trace.answer
    known, made_up = frozenset(_known_names(trace)), frozenset(_written_names(trace))
    payload = {
        "question": keeper.text(trace.question),
        "found": [{"key": each.key, "rank": each.rank, "channel": told(each.channel)} for each in trace.found],
        "delivered": [_delivered(passage, keeper, with_text=not trace.part) for passage in trace.delivered],
        "left_out": list(trace.left_out),
        "context": [{"key": each.key, "sha256": sha256_of_text(each.text)} for each in trace.context],
        "exchanges": exchanges,
        **({} if answer is None else _answer(answer, keeper, _delivered_keys(trace))),
        "mentions": sorted(known | {keeper.name(name) for name in made_up}),
    }
    citations = [_left(citation, keeper) for citation in (answer.citations if answer else ())]
    cited = tuple((json_bytes(each), frozenset(names_cited(each))) for each in citations)
    return Kept(_summary(trace, exchanges, keeper), json_bytes(payload), known | made_up, cited)


def document_name(document_id: str, version: str, tenant: str | None = None) -> str:
    """How a record names a version: as keys begin."""
    name = f"{document_id}@{version}" if version else document_id
    return f"{tenant}:{name}" if tenant else name


def told(text: str) -> str:
    """A text as it can be kept: a lone surrogate in it becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def json_bytes(value: object) -> bytes:
    """A part of a record. Raises `RecordError`: a name with a lone surrogate, which only a caller's own string can hold,
    would be kept as another name.
    """
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        raise RecordError("an actor, a key or a limit of the request holds a lone surrogate: no record") from None


def _summary(trace: Trace, exchanges: list[dict[str, Any]], keeper: Keeper) -> dict[str, Any]:
    answer = trace.answer
    ranked = [(len(each["verified"]), at) for at, each in enumerate(exchanges)]
    best = exchanges[max(ranked)[1]] if ranked else None  # the later of equals
    claims = [] if best is None else best["claims"]
    return {
        "format": RECORD_FORMAT,
        "code": "ok" if answer is None else str(answer.code),
        "interrupted": None if answer is None or answer.interrupted is None else str(answer.interrupted),
        "complete": trace.complete,
        "earlier": list(trace.earlier),
        "plain": keeper.plain,
        "lang": trace.lang,
        "eligible": None if trace.eligible is None or not 0 <= trace.eligible < MAX_COUNT else trace.eligible,
        "widened": trace.widened,
        "channels": {told(str(name)): _status(status) for name, status in trace.channels.items()},
        "constraints": _constraints(trace.constraints),
        "policy": dict(_policy(trace.policy)),
        "attempts": min(MAX_COUNT - 1, sum(each["attempts"] for each in exchanges)),
        "replies": [each["code"] for each in exchanges],
        "refused": dict(Counter(str(refusal.code) for refusal in (answer.dropped if answer else ()))),
        "counts": {
            "found": len(trace.found),
            "delivered": len(trace.delivered),
            "left_out": len(trace.left_out),
            "proposed_claims": len(claims) + (0 if best is None else best["cut"]),
            "proposed_citations": sum(len(claim["citations"]) for claim in claims),
            "verified_claims": len({span["claim"] for span in best["verified"]}) if best else 0,
            "verified_citations": len(best["verified"]) if best else 0,
            "released_claims": len(answer.claims) if answer else 0,
            "released_citations": len(answer.citations) if answer else 0,
            "withheld_claims": len(answer.withheld) if answer else 0,
        },
        "actor": _actor(trace.actor),
        "claims": [] if answer is None else _claims(answer),
        "withheld": [] if answer is None else [_withheld(claim) for claim in answer.withheld],
    }


def _claims(answer: Answer) -> list[dict[str, object]]:
    numbers = {id(citation): number for number, citation in enumerate(answer.citations)}
    return [
        {"position": claim.position, "citations": [numbers[id(citation)] for citation in claim.citations]}
        for claim in answer.claims
    ]


def _status(status: object) -> str:
    """A retriever of the caller's own may say anything of a channel; what is not `ok` in our words was not all well."""
    return status if isinstance(status, str) and status in get_args(ChannelStatus) else "partial"


def _actor(actor: Actor | None) -> dict[str, object] | None:
    if actor is None:
        return None
    return {"tenant": actor.tenant, "groups": sorted(actor.groups), "active": actor.active}


def _constraints(constraints: Constraints) -> dict[str, object]:
    return {
        "purpose": constraints.purpose,
        "remote": constraints.remote,
        "only": None if constraints.only is None else sorted(constraints.only),
        "prefer": sorted(constraints.prefer),
        "as_of": None if constraints.as_of is None else constraints.as_of.isoformat(),
    }


def _policy(policy: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Names and numbers; of anything else the name of its type."""
    for name, value in policy.items():
        if value is None or isinstance(value, bool | int | str):
            yield str(name), value
        elif is_dataclass(value) and not isinstance(value, type):
            yield str(name), {part: number for part, number in asdict(value).items() if type(number) is int}
        else:
            yield str(name), type(value).__name__


def _delivered_keys(trace: Trace) -> frozenset[str]:
    return frozenset(passage.key for passage in trace.delivered) | frozenset(each.key for each in trace.found)


def headed(passage: Passage) -> str:
    """SHA-256 over the title and the headings that a passage was shown with."""
    return sha256_of_text("\n".join((passage.title, *passage.location.heading)))


def _delivered(passage: Passage, keeper: Keeper, *, with_text: bool) -> dict[str, object]:
    return {
        "key": passage.key,
        "sha256": sha256_of_text(passage.text),
        "headed": headed(passage),
        "document_id": passage.document_id,
        "version": passage.version,
        "text_sha256": passage.text_sha256,
        "text": keeper.text(passage.text) if keeper.plain and with_text else None,  # its hash stands beside it
    }


def _exchange(attempt: Attempt, keeper: Keeper, known: frozenset[str]) -> dict[str, Any]:
    decision = attempt.decision
    proposal = _proposal(attempt.proposal)
    kept: list[dict[str, object]] = []
    room = MAX_CITATIONS
    for claim in () if proposal is None else proposal.claims[:MAX_CLAIMS]:
        part = _claim(claim, proposal.aliases if proposal else None, keeper, known, room)
        room -= len(part["citations"])
        kept.append(part)
    return {
        "attempts": min(MAX_COUNT - 1, max(0, attempt.attempts)),
        "code": str(attempt.code),
        "status": None if proposal is None else proposal.status,
        "claims": kept,
        "first": attempt.first,
        "cut": 0 if proposal is None else len(proposal.claims) - len(kept),
        "verified": [] if decision is None else list(_spans(decision)),
        "refusals": [] if decision is None else [_refusal(each, known) for each in decision.refusals],
        "withheld": [] if decision is None else [_withheld(each) for each in decision.withheld],
        "note": told(attempt.note[:_MAX_DETAIL]),
    }


def _proposal(reply: object) -> Proposal | None:
    """The reply as the gate read it, if it could be read."""
    try:
        decoded = decode_json(reply) if isinstance(reply, str) else reply
        parsed = None if decoded is None or isinstance(decoded, Malformed) else parse_proposal(decoded)
    except Exception:  # noqa: BLE001  # an object of somebody else's that cannot be read twice
        return None
    return parsed if isinstance(parsed, Proposal) else None


def _claim(
    claim: ProposedClaim | Malformed,
    aliases: Mapping[str, str] | None,
    keeper: Keeper,
    known: frozenset[str],
    room: int,
) -> dict[str, Any]:
    if isinstance(claim, Malformed):
        return {"text": None, "citations": [], "malformed": told(claim.where)}
    citations = [_citation(each, aliases, keeper, known) for each in claim.citations[: max(0, room)]]
    return {"text": keeper.text(claim.text, MAX_PROPOSED), "citations": citations}


def _citation(
    citation: ProposedCitation | Malformed, aliases: Mapping[str, str] | None, keeper: Keeper, known: frozenset[str]
) -> dict[str, object]:
    if isinstance(citation, Malformed):
        return {"malformed": told(citation.where)}
    key = citation.key if aliases is None else aliases.get(citation.key)
    delivered = key if key in known else None
    return {
        "delivered": delivered,
        # a key that was made up may hold anything the model wrote
        "written": None if citation.key == delivered else keeper.text(citation.key, MAX_PROPOSED),
        "quote": None if citation.quote is None else keeper.text(citation.quote, MAX_PROPOSED),
    }


def _spans(decision: Decision) -> Iterator[dict[str, object]]:
    for claim in decision.claims:
        for citation in claim.citations:
            yield {
                "claim": claim.position,
                "key": citation.key,
                "start": citation.start,
                "end": citation.end,
                "offsets": citation.offsets,
                "folds": list(citation.folds),
            }


def _refusal(refusal: Refusal, known: frozenset[str]) -> dict[str, object]:
    key = refusal.delivered_key if refusal.delivered_key is not None else refusal.key
    return {
        "code": str(refusal.code),
        "stage": str(refusal.stage),
        "key": key if key in known else None,
        "detail": told(refusal.detail[:_MAX_DETAIL]),
        "claim": refusal.claim,
        "citation": refusal.citation,
    }


def _withheld(claim: WithheldClaim) -> dict[str, object]:
    return {"position": claim.position, "codes": [str(code) for code in claim.codes]}


def _answer(answer: Answer, keeper: Keeper, known: frozenset[str]) -> dict[str, object]:
    return {
        "claims": [{"position": claim.position, "text": keeper.text(claim.text)} for claim in answer.claims],
        "dropped": [_refusal(refusal, known) for refusal in answer.dropped],
        "detail": keeper.text(answer.detail, _MAX_DETAIL) if answer.detail else "",  # a synthesizer may write it
    }


def _left(citation: ReleasedCitation, keeper: Keeper) -> dict[str, Any]:
    return {
        "key": citation.key,
        "keys": list(citation.keys),
        "document_id": citation.document_id,
        "version": citation.version,
        "start": citation.start,
        "end": citation.end,
        "offsets": citation.offsets,
        "quote": keeper.text(citation.quote),
        "folds": list(citation.folds),
        "passage_sha256": citation.passage_sha256,
        "text_sha256": citation.text_sha256,
        "file_sha256": citation.file_sha256,
        "origin": citation.origin,
    }


def names_cited(citation: Mapping[str, Any]) -> Iterator[str]:
    """Names of the version that a citation tells of: as its keys begin, and as it says itself."""
    for key in (citation["key"], *citation["keys"]):
        yield _version(key)
    stored = parse_key(citation["key"])
    said = (citation["document_id"], citation["version"])
    if said[0] and (stored is None or (stored.document_id, stored.version) != said):
        yield document_name(*said)


def _known_names(trace: Trace) -> Iterable[str]:
    """Every version that was found or shown, by the beginning of its keys and by what its passages say."""
    cited = () if trace.answer is None else trace.answer.citations
    for key in (*(each.key for each in trace.found), *trace.left_out, *(key for each in cited for key in each.keys)):
        yield _version(key)
    for passage in (*trace.delivered, *trace.context):
        yield _version(passage.key)
        stored = parse_key(passage.key)
        if stored is not None and (stored.document_id, stored.version) == (passage.document_id, passage.version):
            continue  # the key says it, and with the tenant
        if passage.document_id:  # a caller's own names
            yield document_name(passage.document_id, passage.version)


def _written_names(trace: Trace) -> Iterable[str]:
    """Versions that a model named itself, whether it was shown them or not: as a key, or as a key begins."""
    for attempt in trace.exchanges:
        proposal = _proposal(attempt.proposal)
        for claim in () if proposal is None else proposal.claims[:MAX_CLAIMS]:
            for citation in claim.citations if isinstance(claim, ProposedClaim) else ():
                if isinstance(citation, ProposedCitation):
                    meant = None if proposal is None or proposal.aliases is None else proposal.aliases.get(citation.key)
                    for key in (citation.key, meant):
                        if parse_key(key) is not None or parse_key(f"{key}#c0") is not None:
                            yield _version(str(key))


def _version(key: str) -> str:
    return key.rpartition("#")[0] or key
