"""A released answer as an in-toto Statement v1: what another party can check with nothing but it and the cited texts.

    subject         the answer, by the digest of its canonical JSON; for each cited document its stored text and its file
    predicateType   PREDICATE_TYPE
    predicate       answer   what left: claims with the numbers of their citations, citations, what was withheld
                    spans    for each citation the subject that it stands in, [start, end) in code points, its passage
                    policy   profile with its folds, scope, occurrences, wording
                    verifier name and version of this package

The digest of the answer is SHA-256 over the canonical JSON (RFC 8785) of `predicate.answer`: of `Answer.to_dict()` the
members ANSWER_MEMBERS, of each citation CITATION_MEMBERS. Everything else in an answer is derived from these, or is for
the operator. A text is checked as UTF-8 bytes, which is how `verified-gate export` writes it.

Where no store answers for a document (`origin` "caller"), its text was never seen as a whole: the span is then one in
the passage's text, which is the subject in its place. A receipt says nothing of what was not cited, nor of when, nor of
who may read: it lists no other document, and an answer without a claim has none.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from verified_gate import __version__
from verified_gate.audit.canonical import canonical_json, digest_of_json
from verified_gate.audit.envelope import MAX_RECEIPT
from verified_gate.gate import Profile
from verified_gate.model import sha256_of_text
from verified_gate.model.errors import RecordError
from verified_gate.model.folds import FOLDS
from verified_gate.release import Answer, ReleasedCitation

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "urn:verified-gate:receipt:v1"

ANSWER_MEMBERS: Final = ("format", "code", "lang", "interrupted", "claims", "withheld")
CITATION_MEMBERS: Final = (
    *("key", "document_id", "title", "version", "start", "end", "offsets", "quote", "folds", "occurrences"),
    *("passage_sha256", "text_sha256", "file_sha256", "heading", "paragraph", "first_line", "last_line", "page"),
    *("last_page", "page_label", "last_page_label", "element", "chapter", "row", "last_row"),
    *("row_heading", "columns", "admission", "coverage"),
    "origin",
)


def receipt_of(
    answer: Answer,
    *,
    profile: str | Profile = "verbatim",
    scope: str = "passage",
    occurrences: str = "first",
    wording: str = "checked",
) -> bytes:
    """The Statement of a released answer as canonical JSON. The keywords are the policy that it was made under, as the
    engine was given it; `Replay.policy` has them.

    Raises `ValueError` for an answer without a claim, or with a fold that the profile does not have: it was made under
    another one. `RecordError` for one that no receipt can be written of: a quote
    beyond the passage of a caller's own evidence, a lone surrogate, or more than `MAX_RECEIPT` bytes.
    """
    if type(answer) is not Answer:
        raise TypeError("only an Answer has a receipt")
    if not answer.is_grounded:
        raise ValueError("an answer without a released claim has no receipt")
    known = Profile.named(profile) if isinstance(profile, str) else profile
    used = {fold for citation in answer.citations for fold in citation.folds}
    if not used <= known.folds:
        raise ValueError(
            f"quotes of this answer stand by {', '.join(sorted(used - known.folds))}, which the profile {known.name} "
            "does not have: give the profile= that it was made under"
        )
    subjects = _Subjects()
    left = answer_members(answer.to_dict())
    subjects.name("answer", digest_of_json(left) if _encodes(left) else "")
    spans = [_span(number, citation, subjects) for number, citation in enumerate(answer.citations, start=1)]
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": subjects.listed(),
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "answer": left,
            "spans": spans,
            "policy": {
                "profile": known.name,
                "folds": [fold for fold in FOLDS if fold in known.folds],
                "scope": scope,
                "occurrences": occurrences,
                "wording": wording,
            },
            "verifier": {"name": "verified_gate", "version": __version__},
        },
    }
    written = canonical_json(statement)
    if len(written) > MAX_RECEIPT:
        raise RecordError(f"the receipt would have more than {MAX_RECEIPT:,} bytes")
    return written


def answer_members(told: Mapping[str, Any]) -> dict[str, Any]:
    """Of an answer's `to_dict()` what a receipt holds, and its digest is over."""
    left = {name: told[name] for name in ANSWER_MEMBERS}
    left["citations"] = [{name: citation[name] for name in CITATION_MEMBERS} for citation in told["citations"]]
    return left


class _Subjects:
    """What the statement is about, each digest under one name."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    def name(self, name: str, digest: str) -> str:
        """The name that this digest goes by; another digest of the same name gets a longer one."""
        if self._digests.setdefault(name, digest) != digest:
            name = f"{name} {digest[:16]}"
            self._digests.setdefault(name, digest)
        return name

    def listed(self) -> list[dict[str, object]]:
        """As in-toto wants them."""
        return [{"name": name, "digest": {"sha256": digest}} for name, digest in self._digests.items()]


def _span(number: int, citation: ReleasedCitation, subjects: _Subjects) -> dict[str, object]:
    """Where a citation stands in a text that can be brought: in its document, or in its passage."""
    found, passage = citation.found, citation.found.passage
    version = citation.key.rpartition("#")[0] or citation.key
    if citation.text_sha256 is not None and passage.start is not None and _is_of_document(citation):
        subject = subjects.name(f"{version} text", citation.text_sha256)
        if citation.file_sha256 is not None and citation.origin == "store":
            subjects.name(f"{version} file", citation.file_sha256)
        start, end, first, last = citation.start, citation.end, passage.start, passage.start + len(passage.text)
    else:
        shift = 0 if found.text is passage.text else (passage.start or 0) - (found.base or 0)
        start, end, first, last = found.start - shift, found.end - shift, 0, len(passage.text)
        if not 0 <= start < end <= last:
            raise RecordError("a quote runs beyond its passage, and no store answers for the document: no receipt")
        subject = subjects.name(f"{citation.key} passage", citation.passage_sha256)
    return {
        "citation": number,
        "subject": subject,
        "start": start,
        "end": end,
        "passage": {"start": first, "end": last},
    }


def _is_of_document(citation: ReleasedCitation) -> bool:
    """Is the text with the hash of the document one that was seen: by the store, or here as a whole?"""
    return citation.origin == "store" or (
        citation.found.base == 0 and sha256_of_text(citation.found.text) == citation.text_sha256
    )


def _encodes(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise RecordError("the answer holds a lone surrogate, which no receipt can") from None
    return True
