"""The registry of reason codes: append-only; a code is never renamed or reused.

The table in ARCHITECTURE.md is generated from it, and a test fails when a code has no adversarial test.
"""

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """Where a code arises."""

    RETRIEVAL = "retrieval"
    SYNTHESIS = "synthesis"
    PROPOSAL = "proposal"
    CITATION = "citation"
    CLAIM = "claim"
    RELEASE = "release"
    ANSWER = "answer"


class ReasonCode(StrEnum):
    """Why an answer, a claim or a citation did not leave (`ok`: it did)."""

    # of an answer
    OK = "ok"
    NO_EVIDENCE = "no_evidence"
    NOTHING_VERIFIED = "nothing_verified"
    MODEL_ABSTAINED = "model_abstained"
    MODEL_REFUSED = "model_refused"
    CONTENT_FILTERED = "content_filtered"
    TRUNCATED = "truncated"
    EMPTY_REPLY = "empty_reply"
    INVALID_JSON = "invalid_json"
    INVALID_SCHEMA = "invalid_schema"
    CONTEXT_TOO_LONG = "context_too_long"
    RATE_LIMITED = "rate_limited"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    DEADLINE_EXCEEDED = "deadline_exceeded"
    RETRIEVAL_UNAVAILABLE = "retrieval_unavailable"
    BUDGET_EXCEEDED = "budget_exceeded"
    AUDIT_UNAVAILABLE = "audit_unavailable"
    # of a citation
    UNKNOWN_CITATION = "unknown_citation"
    INTEGRITY_FAILURE = "integrity_failure"
    QUOTE_MISSING = "quote_missing"
    QUOTE_TOO_SHORT = "quote_too_short"
    HIDDEN_CHARACTERS = "hidden_characters"
    QUOTE_MISMATCH = "quote_mismatch"
    QUOTE_IN_OTHER_PASSAGE = "quote_in_other_passage"
    QUOTE_CROSSES_PASSAGES = "quote_crosses_passages"
    QUOTE_SPLITS_TOKEN = "quote_splits_token"
    QUOTE_ELIDED = "quote_elided"
    QUOTE_AMBIGUOUS = "quote_ambiguous"
    NOT_QUOTABLE = "not_quotable"
    NOT_VISIBLE = "not_visible"
    UNAVAILABLE = "unavailable"
    SOURCE_CHANGED = "source_changed"
    SUPERSEDED = "superseded"
    # of a claim
    CLAIM_UNCITED = "claim_uncited"
    WORDING_UNSAFE = "wording_unsafe"
    NUMBER_UNSUPPORTED = "number_unsupported"


@dataclass(frozen=True, slots=True)
class Reason:
    """What a code means, who can cause it, and what to do about it."""

    code: ReasonCode
    stage: Stage
    meaning: str
    cause: str
    remedy: str


def _registry(*reasons: Reason) -> dict[ReasonCode, Reason]:
    return {reason.code: reason for reason in reasons}


_C = ReasonCode
_S = Stage

REASONS: dict[ReasonCode, Reason] = _registry(
    Reason(_C.OK, _S.ANSWER, "At least one claim was released.", "-", "Nothing."),
    Reason(
        _C.NO_EVIDENCE,
        _S.RETRIEVAL,
        "Nothing that the actor may read covers the question; no model was asked.",
        "corpus, question",
        "Add the document, or ask in its words.",
    ),
    Reason(
        _C.NOTHING_VERIFIED,
        _S.ANSWER,
        "Claims were proposed and none survived the gate and release.",
        "synthesizer",
        "Look at `dropped` for each code.",
    ),
    Reason(
        _C.MODEL_ABSTAINED,
        _S.SYNTHESIS,
        "The synthesizer said that the evidence does not answer, or proposed no claim.",
        "synthesizer",
        "Look at `retrieved`: is the answer in it?",
    ),
    Reason(
        _C.MODEL_REFUSED,
        _S.SYNTHESIS,
        "The model refused to answer. Not retried.",
        "model",
        "Ask another model or reword the question.",
    ),
    Reason(
        _C.CONTENT_FILTERED,
        _S.SYNTHESIS,
        "The server's filter stopped the request or the reply. Not retried.",
        "model server",
        "Look at the filter's settings.",
    ),
    Reason(
        _C.TRUNCATED,
        _S.SYNTHESIS,
        "The reply was cut before its end; what had come is not used.",
        "model server",
        "Raise the token limit or lower the amount of evidence.",
    ),
    Reason(
        _C.EMPTY_REPLY,
        _S.SYNTHESIS,
        "The reply held no text.",
        "model server",
        "If the detail names reasoning, turn thinking off for this model.",
    ),
    Reason(
        _C.INVALID_JSON,
        _S.PROPOSAL,
        "The reply is not one JSON object, or its JSON is ambiguous or too deep.",
        "synthesizer",
        "Use a model or a server mode that writes JSON.",
    ),
    Reason(
        _C.INVALID_SCHEMA,
        _S.PROPOSAL,
        "The JSON, or one claim or citation in it, has the wrong shape.",
        "synthesizer",
        "The detail names the place.",
    ),
    Reason(
        _C.CONTEXT_TOO_LONG,
        _S.SYNTHESIS,
        "The evidence does not fit the model's context.",
        "application",
        "Deliver fewer or shorter passages.",
    ),
    Reason(
        _C.RATE_LIMITED,
        _S.SYNTHESIS,
        "The server asks to wait longer than the deadline allows.",
        "model server",
        "Wait as long as the detail says.",
    ),
    Reason(
        _C.PROVIDER_UNAVAILABLE,
        _S.SYNTHESIS,
        "The model server could not be reached or failed, also after retries.",
        "model server",
        "Look at the server, the URL and the key.",
    ),
    Reason(
        _C.DEADLINE_EXCEEDED,
        _S.SYNTHESIS,
        "The one deadline of the answer passed.",
        "model server",
        "Raise the deadline or use a faster model.",
    ),
    Reason(
        _C.RETRIEVAL_UNAVAILABLE,
        _S.RETRIEVAL,
        "The retriever failed; this says nothing about the documents.",
        "application",
        "Look at the retriever; the detail names the kind of fault.",
    ),
    Reason(
        _C.BUDGET_EXCEEDED,
        _S.PROPOSAL,
        "The proposal, or one citation in it, is larger than the limits allow.",
        "synthesizer",
        "The detail names the limit.",
    ),
    Reason(
        _C.AUDIT_UNAVAILABLE,
        _S.ANSWER,
        "A record of the answer is required and could not be written, so nothing was released.",
        "record log",
        "Look at the record log; the detail names the kind of fault.",
    ),
    Reason(
        _C.UNKNOWN_CITATION,
        _S.CITATION,
        "The key is none that was delivered in this run.",
        "synthesizer",
        "Nothing to do: the citation was invented or not permitted.",
    ),
    Reason(
        _C.INTEGRITY_FAILURE,
        _S.CITATION,
        "The passage's text does not have its pinned hash.",
        "store",
        "Restore the document from its source.",
    ),
    Reason(
        _C.QUOTE_MISSING,
        _S.CITATION,
        "The citation has no quote, or a blank one.",
        "synthesizer",
        "Ask the model for quotes.",
    ),
    Reason(
        _C.QUOTE_TOO_SHORT,
        _S.CITATION,
        "The quote is too short, or all stop words, to single out a statement.",
        "synthesizer",
        "Quote at least three words.",
    ),
    Reason(
        _C.HIDDEN_CHARACTERS,
        _S.CITATION,
        "The quote holds characters that a reader cannot see.",
        "synthesizer",
        "Under a profile with `invisible` the harmless ones are folded.",
    ),
    Reason(
        _C.QUOTE_MISMATCH,
        _S.CITATION,
        "The quote does not stand in the passage under the profile in force.",
        "synthesizer",
        "`explain()` tells the nearest text and whether a wider profile finds it.",
    ),
    Reason(
        _C.QUOTE_IN_OTHER_PASSAGE,
        _S.CITATION,
        "The quote stands in another delivered passage, not in the cited one.",
        "synthesizer",
        "The detail names the passage.",
    ),
    Reason(
        _C.QUOTE_CROSSES_PASSAGES,
        _S.CITATION,
        "The quote runs over the border of neighbouring passages of one document.",
        "synthesizer",
        'Allow it with scope="document", or cut larger passages.',
    ),
    Reason(
        _C.QUOTE_SPLITS_TOKEN,
        _S.CITATION,
        "The quote begins or ends inside a word, a number or a joined compound of the source.",
        "synthesizer",
        "Quote whole words and numbers.",
    ),
    Reason(
        _C.QUOTE_ELIDED,
        _S.CITATION,
        "The quote leaves something out, and the profile or the rule for elisions does not allow it.",
        "synthesizer",
        "Quote without leaving out, or cite the parts one by one.",
    ),
    Reason(
        _C.QUOTE_AMBIGUOUS,
        _S.CITATION,
        "The quote stands more than once, nothing singles one out, and the policy is strict.",
        "synthesizer",
        "Give prefix or suffix, or a longer quote.",
    ),
    Reason(
        _C.NOT_QUOTABLE,
        _S.CITATION,
        "Of this document only what describes it is kept: it is found by its title, and never quoted.",
        "corpus, synthesizer",
        "Point to the document without a quote, or have its text admitted.",
    ),
    Reason(
        _C.NOT_VISIBLE,
        _S.CITATION,
        "The quoted words stand in the file, but a reader of the file does not see them.",
        "document",
        "Look at the file for words in white, off the page or under a picture.",
    ),
    Reason(
        _C.UNAVAILABLE,
        _S.RELEASE,
        "The source is gone, or this actor may not read it now.",
        "store",
        "Nothing for a reader to do.",
    ),
    Reason(
        _C.SOURCE_CHANGED,
        _S.RELEASE,
        "The source changed after it was delivered or cited.",
        "store",
        "Ask again.",
    ),
    Reason(
        _C.SUPERSEDED,
        _S.RELEASE,
        "This version is not, or no longer, the one in force.",
        "store",
        "Ask again.",
    ),
    Reason(
        _C.CLAIM_UNCITED,
        _S.CLAIM,
        "The claim cites nothing.",
        "synthesizer",
        "Every claim needs a citation.",
    ),
    Reason(
        _C.WORDING_UNSAFE,
        _S.CLAIM,
        "The claim's wording quotes words that were not verified, or holds links, markup, marks that look like "
        "citations, or hidden characters.",
        "synthesizer",
        "Ask for plain wording, or show `quotes_text`.",
    ),
    Reason(
        _C.NUMBER_UNSUPPORTED,
        _S.CLAIM,
        "A number in the claim stands neither in its quotes, the question, nor the cited title or heading.",
        "synthesizer",
        "Cite the passage that holds the number.",
    ),
)
