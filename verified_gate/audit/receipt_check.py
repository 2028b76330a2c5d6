"""A receipt checked with nothing but it and the texts that are brought: no corpus, no network, no trust in its issuer.

Procedure, each step with what it stops; `examples/verify_receipt.py` does the same on its own:

1. One JSON object of at most MAX_RECEIPT bytes, without doubled members, fractions, or deep nesting; in an envelope of
   at most MAX_ENVELOPE bytes, or bare. With a key: one of the envelope's signatures is by it (`unsigned`, `signature_invalid`).
2. Types, subjects and members are those of a receipt (`malformed`).
3. The answer has the digest of its subject (`answer_mismatch`): a wording, a label, a number that was changed.
4. Claims cite citations that are there, each citation is cited; spans, folds and subjects belong to them, and there is no
   subject besides (`inconsistent`): a fold that the profile does not have, a document that was not cited.
5. For each span a text with the digest of its subject was brought (`text_missing`): another version, a changed file.
6. The quote stands at the span, and the passage around it has its hash (`quote_mismatch`).

What a valid receipt shows: these words stand at these places of these texts. What its issuer says, and only a signature
holds him to: the wording of the claims, titles and places, the digest of a file nobody brought, who might read it.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from verified_gate.audit.canonical import canonical_json, digest_of_json
from verified_gate.audit.envelope import MAX_ENVELOPE, MAX_RECEIPT, Envelope, is_signed_by, parse_envelope
from verified_gate.audit.receipt import PREDICATE_TYPE, STATEMENT_TYPE, answer_members
from verified_gate.model import Malformed
from verified_gate.model.proposal import decode_json

_SWEEPS: Final = 64
"""How often, in all, the texts that were brought are hashed for the passages of a receipt."""

VerdictCode = Literal[
    "valid",
    "malformed",
    "unsigned",
    "signature_invalid",
    "answer_mismatch",
    "inconsistent",
    "text_missing",
    "quote_mismatch",
]

Count = Annotated[int, Field(ge=0, lt=2**53)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Read(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", hide_input_in_errors=True)


class _Sha256(_Read):
    sha256: Digest


class _Subject(_Read):
    name: str
    digest: _Sha256


class _Claim(_Read):
    text: str
    citations: list[Count] = Field(min_length=1)


class _Citation(_Read):
    key: str
    quote: str
    start: Count
    end: Count
    offsets: Literal["document", "passage"]
    folds: list[str]
    passage_sha256: Digest
    text_sha256: str | None
    file_sha256: str | None


class _Answer(_Read):
    code: Literal["ok"]
    claims: list[_Claim] = Field(min_length=1)
    citations: list[_Citation]


class _Stretch(_Read):
    start: Count
    end: Count


class _Span(_Stretch):
    citation: Count
    subject: str
    passage: _Stretch


class _Policy(_Read):
    profile: str
    folds: list[str]


class _Predicate(_Read):
    answer: _Answer
    spans: list[_Span]
    policy: _Policy


class _Statement(_Read):
    type: str = Field(alias="_type")
    subject: list[_Subject] = Field(min_length=1)
    predicate_type: str = Field(alias="predicateType")
    predicate: _Predicate


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a receipt is worth. `place` names where the fault is, and holds no text of a document.

    `signed`: is it shown to be, by the key that was given? None where none was given and nothing was checked. `statement` is the receipt's
    own word, None where it is malformed; `unused` are the positions of texts that no subject has.
    """

    code: VerdictCode
    place: str = ""
    signed: bool | None = None
    statement: dict[str, Any] | None = None
    unused: tuple[int, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Do all cited words stand in the texts that were brought, and did the key's holder sign, where one was given?"""
        return self.code == "valid"


class _Fault(Exception):
    def __init__(self, code: VerdictCode, place: str = "") -> None:
        super().__init__(code)
        self.code: VerdictCode = code
        self.place = place


def verify_receipt(
    receipt: bytes,
    texts: Iterable[bytes],
    *,
    public_key: bytes | None = None,
    answer: Mapping[str, Any] | None = None,
) -> Verdict:
    """Check `receipt` against `texts` (the bytes of exported texts, in any order; a cited file may be among them).

    With `public_key` (PEM, Ed25519) it must be signed by it. With `answer` (an answer's `to_dict()`) it must be the
    receipt of that answer. Never raises for what a receipt, a text or an answer holds; raises `RecordError` for a key that
    is none, and `MissingExtra` where a key is given without the extra `[receipts]`.
    """
    signed = None if public_key is None else False
    told: dict[str, Any] | None = None
    given = list(texts)
    brought = [hashlib.sha256(text).hexdigest() for text in given]
    unused: tuple[int, ...] = ()
    try:
        statement, envelope = _opened(receipt)
        if public_key is not None:
            signed = envelope is not None and is_signed_by(envelope, public_key)
            if not signed:
                raise _Fault("unsigned" if envelope is None else "signature_invalid")  # noqa: TRY301
        read = _parsed(statement)
        told = statement
        subjects = {subject.name: subject.digest.sha256 for subject in read.subject}
        unused = tuple(at for at, digest in enumerate(brought) if digest not in subjects.values())
        _require_answer(statement, read, subjects, answer)
        _require_consistent(read, subjects)
        _require_quotes(read, subjects, dict(zip(brought, given, strict=True)))
    except _Fault as fault:
        return Verdict(fault.code, fault.place, signed, told, unused)
    return Verdict("valid", "", signed, told, unused)


def _opened(receipt: bytes) -> tuple[dict[str, Any], Envelope | None]:
    """Step 1, without the key: the Statement, and its envelope where it is in one."""
    value = _decoded(receipt, "", MAX_ENVELOPE)
    if "payloadType" not in value:
        _require_size(receipt, MAX_RECEIPT, "")
        return value, None
    envelope = parse_envelope(value)
    if envelope is None:
        raise _Fault("malformed", "envelope")
    return _decoded(envelope.payload, "payload", MAX_RECEIPT), envelope


def _require_size(data: bytes, most: int, place: str) -> None:
    if len(data) > most:
        raise _Fault("malformed", f"{place} is larger than {most:,} bytes".strip())


def _decoded(data: bytes, place: str, most: int) -> dict[str, Any]:
    _require_size(data, most, place)
    try:
        value = decode_json(data.decode("utf-8"), most=most)
        if isinstance(value, dict):
            canonical_json(value)
            return value
    except ValueError:
        raise _Fault("malformed", place or "not JSON of this kind") from None
    raise _Fault("malformed", value.fault if isinstance(value, Malformed) else f"{place or 'it'} is no JSON object")


def _parsed(statement: dict[str, Any]) -> _Statement:
    """Step 2."""
    try:
        read = _Statement.model_validate(statement)
    except ValidationError as fault:
        place = ".".join(str(part) for part in fault.errors(include_input=False, include_url=False)[0]["loc"])
        raise _Fault("malformed", place[:200]) from None
    if (read.type, read.predicate_type) != (STATEMENT_TYPE, PREDICATE_TYPE):
        raise _Fault("malformed", "_type or predicateType: of another kind")
    names = [subject.name for subject in read.subject]
    if len(set(names)) != len(names):
        raise _Fault("malformed", "subject: a name stands twice")
    return read


def _require_answer(
    statement: dict[str, Any], read: _Statement, subjects: Mapping[str, str], answer: Mapping[str, Any] | None
) -> None:
    """Step 3."""
    told = statement["predicate"]["answer"]
    if subjects.get("answer") != digest_of_json(told):
        raise _Fault("answer_mismatch", "predicate.answer")
    if answer is not None:
        try:
            same = digest_of_json(answer_members(answer)) == subjects["answer"]
        except (KeyError, TypeError, ValueError, RecursionError):
            same = False
        if not same:
            raise _Fault("answer_mismatch", "the answer that was brought is another one")
    count = len(read.predicate.answer.citations)
    cited = [number for claim in read.predicate.answer.claims for number in claim.citations]
    if set(cited) != set(range(1, count + 1)):
        raise _Fault("inconsistent", "predicate.answer.claims")


def _require_consistent(read: _Statement, subjects: Mapping[str, str]) -> None:
    """Step 4."""
    citations, spans = read.predicate.answer.citations, read.predicate.spans
    if [span.citation for span in spans] != list(range(1, len(citations) + 1)):
        raise _Fault("inconsistent", "predicate.spans")
    files = {citation.file_sha256 for citation in citations}
    named = {span.subject for span in spans}
    for name, digest in subjects.items():
        if name != "answer" and name not in named and digest not in files:
            raise _Fault("inconsistent", "subject: one that is not cited")
    for at, (span, citation) in enumerate(zip(spans, citations, strict=True)):
        place = f"predicate.spans.{at}"
        if span.subject == "answer" or span.subject not in subjects:
            raise _Fault("inconsistent", place)
        digest, own = subjects[span.subject], (span.start, span.end) == (citation.start, citation.end)
        if digest == citation.text_sha256:
            sound = own and citation.offsets == "document"
        else:
            within = own or (citation.offsets == "document" and span.end - span.start == citation.end - citation.start)
            sound = digest == citation.passage_sha256 and within
        if not sound or not set(citation.folds) <= set(read.predicate.policy.folds):
            raise _Fault("inconsistent", place)


def _require_quotes(read: _Statement, subjects: Mapping[str, str], brought: Mapping[str, bytes]) -> None:
    """Steps 5 and 6."""
    decoded: dict[str, str] = {}
    room = _SWEEPS * sum(map(len, brought.values()))
    hashed: dict[tuple[str, int, int], str] = {}
    for at, (span, citation) in enumerate(zip(read.predicate.spans, read.predicate.answer.citations, strict=True)):
        digest = subjects[span.subject]
        if digest not in brought:
            raise _Fault("text_missing", span.subject[:200])
        if digest not in decoded:
            try:
                decoded[digest] = brought[digest].decode("utf-8")
            except UnicodeDecodeError:
                raise _Fault("text_missing", f"{span.subject[:200]}: not UTF-8") from None
        text, first, last = decoded[digest], span.passage.start, span.passage.end
        if (digest, first, last) not in hashed:
            around = text[first:last].encode("utf-8")
            room -= len(around)
            if room < 0:
                raise _Fault("malformed", "predicate.spans: passages made to be expensive")
            hashed[digest, first, last] = hashlib.sha256(around).hexdigest()
        stands = (
            span.end - span.start == len(citation.quote) > 0
            and text[span.start : span.end] == citation.quote
            and first < last <= len(text)
            and hashed[digest, first, last] == citation.passage_sha256
            and first < span.end
            and span.start < last
        )
        if not stands:
            raise _Fault("quote_mismatch", f"predicate.answer.citations.{at}")
