"""Reading a model's text: find the one JSON object that is the reply, and parse it into a proposal.

The search goes in steps, each only where the one before found nothing: the whole text; what follows the thoughts it
begins with, each of which ends at its first `</think>`; what follows the last `</think>` that does not stand in the
object the text begins with; the one fenced block that fits; the one object in the text that fits. Two that fit are refused, since
choosing would be guessing. JSON that is cut or broken is never repaired, nothing inside it is used, and every
step is linear in the text. What counts as strict JSON and what each claim must look like is said in
`verified_gate.model` alone; the pydantic models here give the envelope and the schema that servers are sent.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from verified_gate.model import (
    Malformed,
    Proposal,
    ProposedCitation,
    ProposedClaim,
    ReasonCode,
    decode_json,
    parse_proposal,
)
from verified_gate.model.proposal import MAX_JSON_CHARACTERS, parse_claim
from verified_gate.synthesis.pointer import NumberedPassage, QuoteCutter
from verified_gate.synthesis.protocol import SynthesisFailure

MAX_CANDIDATES = 500
"""Fenced blocks, and objects, of one text that are looked at; what comes after them is not."""


class Envelope(BaseModel):
    """The top level of a reply. Claims are parsed one by one later, so that a bad one does not cost the others."""

    model_config = ConfigDict(strict=True, frozen=True)

    status: Literal["answered", "abstained"] = "answered"
    claims: list[Any] = []


_WIRE = ConfigDict(json_schema_extra={"additionalProperties": False})


@lru_cache(maxsize=128)
def reply_schema(aliases: tuple[str, ...], *, pointing: bool = False) -> dict[str, Any]:
    """The JSON schema of a reply that can cite `aliases` and nothing else, by quotes or by sentence numbers.

    Every member is required and no other allowed, as strict servers want it; references are written out, as
    small servers want it. That a server took it is never trusted: what comes back is read like any other text.
    """
    key: Any = Literal[aliases]
    what: Any = {"sentences": (list[int], ...)} if pointing else {"quote": (str, ...)}
    citation = create_model("Citation", __config__=_WIRE, key=(key, ...), **what)
    claim = create_model("Claim", __config__=_WIRE, text=(str, ...), citations=(list[citation], ...))  # type: ignore[valid-type]
    status: Any = Literal["answered", "abstained"]
    reply = create_model("Reply", __config__=_WIRE, status=(status, ...), claims=(list[claim], ...))  # type: ignore[valid-type]
    schema = reply.model_json_schema()
    plain = _written_out(schema, schema.get("$defs", {}))
    assert isinstance(plain, dict)
    return plain


def _written_out(part: object, definitions: Mapping[str, object]) -> object:
    """Copy a schema with each `$ref` replaced by what it names and without titles."""
    if isinstance(part, list):
        return [_written_out(item, definitions) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _written_out(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "const" in part:  # one alias: an enum of one is understood by more servers
        return {"type": "string", "enum": [part["const"]]}
    properties = part.get("properties")
    copy = {
        name: _written_out(value, definitions)
        for name, value in part.items()
        if name not in ("$defs", "title", "properties")
    }
    if isinstance(properties, dict):
        copy["properties"] = {name: _written_out(value, definitions) for name, value in properties.items()}
    return copy


def read_reply(
    text: str,
    aliases: Mapping[str, str] | None = None,
    *,
    unescape: Callable[[str], str] | None = None,
    numbered: Mapping[str, NumberedPassage] | None = None,
) -> Proposal | SynthesisFailure:
    """Read a model's text. Never raises; the failure is `empty_reply`, `truncated`, `invalid_json` or
    `invalid_schema`, and its detail holds none of the text.

    `aliases` go into the proposal; `unescape` is applied to every string of the reply; where passages are
    `numbered`, the reply points at their sentences, and the quotes are cut from them. An abstaining reply is a
    `Proposal`, too.
    """
    if not text.strip("\ufeff \t\r\n"):
        return SynthesisFailure(ReasonCode.EMPTY_REPLY, "the reply holds no text")
    found = find_reply(text)
    if isinstance(found, SynthesisFailure):
        return found
    proposal = parse_proposal(found, aliases)
    if isinstance(proposal, Malformed):
        return _wrong_shape(proposal)
    reader = ClaimReader(unescape, numbered)
    raw = found.get("claims") if isinstance(found, dict) else None
    claims = (reader.read(claim, position) for position, claim in enumerate(raw or ()))
    return replace(proposal, claims=tuple(claims))


class ClaimReader:
    """Reads the claims of one reply, in their order, from decoded JSON into what the gate takes."""

    def __init__(
        self, unescape: Callable[[str], str] | None = None, numbered: Mapping[str, NumberedPassage] | None = None
    ) -> None:
        self._unescape = unescape
        self._cutter = QuoteCutter(numbered) if numbered else None

    def read(self, value: object, position: int) -> ProposedClaim | Malformed:
        """One claim; a wrong shape is a value in its place. Where passages are numbered, its quotes are cut from them."""
        claim = parse_claim(value, f"claims[{position}]")
        if isinstance(claim, Malformed):
            return claim
        claim = _cleaned(claim, self._unescape)
        return claim if self._cutter is None else self._cutter.claim(claim, value, f"claims[{position}]")


def find_reply(text: str) -> object | SynthesisFailure:
    """Find the decoded JSON of the reply in `text` (see the head of this file for the steps)."""
    if len(text) > MAX_JSON_CHARACTERS:
        return SynthesisFailure(ReasonCode.INVALID_JSON, f"the reply is longer than {MAX_JSON_CHARACTERS} characters")
    text = text.strip("\ufeff \t\r\n")
    whole = decode_json(text)
    if not isinstance(whole, Malformed):
        return whole
    for behind in (after_thoughts, _after_last_thought):
        begin = behind(text)
        if begin is None:
            return _STILL_THINKING
        if begin:
            text = text[begin:].strip()
            whole = decode_json(text)
            if not isinstance(whole, Malformed):
                return whole
    if _thinking_is_open(text):
        return _STILL_THINKING
    fenced = _decoded(_fenced(text))
    fitting = _that_fit(fenced)
    if not fitting:
        objects = list(islice(_objects(text), MAX_CANDIDATES))
        if None in objects:  # what stands whole before a cut object may be a draft of it
            return SynthesisFailure(ReasonCode.INVALID_JSON, "the reply ends inside a JSON object")
        fitting = _that_fit(_decoded(part for part in objects if part is not None))
    if len(fitting) > 1:
        return SynthesisFailure(ReasonCode.INVALID_SCHEMA, "more than one JSON object in the text could be the reply")
    if fitting:
        return fitting[0]
    if len(fenced) == 1:  # plainly meant as the reply, with the wrong shape: say which
        return fenced[0]
    return SynthesisFailure(ReasonCode.INVALID_JSON, f"no whole JSON reply in the text ({whole.fault})")


_STILL_THINKING = SynthesisFailure(ReasonCode.TRUNCATED, "the reply ends inside <think>")
_THOUGHT_END = "</think>"
_THINK = re.compile(r"[\ufeff \t\r\n]*+<think>")
_LEAD = re.compile(r"[\ufeff \t\r\n]*+(?:```(?:json)?[ \t]*+\r?\n)?[\ufeff \t\r\n]*+", re.IGNORECASE)


def after_thoughts(text: str) -> int | None:
    """Where the thoughts end that `text` begins with (0 where there are none); None where the last of them is open.

    A thought ends at its first `</think>`: what stands behind that is the reply's, whatever its strings hold.
    """
    position = 0
    while begin := _THINK.match(text, position):
        end = text.find(_THOUGHT_END, begin.end())
        if end < 0:
            return None
        position = end + len(_THOUGHT_END)
    return position


def _after_last_thought(text: str) -> int:
    """Where the last thought of `text` ends, 0 where there is none; words in the object it begins with are none."""
    last = text.rfind(_THOUGHT_END)
    lead = _LEAD.match(text)
    if last >= 0 and lead is not None and _OBJECT.match(text, lead.end()):
        first = next(_objects(text[lead.end() :]))
        if first is not None and last < lead.end() + len(first):
            return 0
    return last + len(_THOUGHT_END) if last >= 0 else 0


def _decoded(parts: Iterable[str]) -> list[object]:
    values = (decode_json(part) for part in parts)
    return [value for value in values if not isinstance(value, Malformed)]


def _that_fit(values: Iterable[object]) -> list[object]:
    """At most two: one is the reply, two are too many."""
    return list(islice((value for value in values if _fits(value)), 2))


def _fits(value: object) -> bool:
    """Is `value` a reply at its top level? An object that names no claims is one only if it says so itself."""
    if not isinstance(value, dict) or not ("claims" in value or value.get("status") == "abstained"):
        return False
    try:
        Envelope.model_validate(value)
    except ValidationError:
        return False
    return True


def _thinking_is_open(text: str) -> bool:
    begin = text.find("<think>")
    return begin >= 0 and "{" not in text[:begin]


_FENCE = re.compile(r"^[ \t]*```([^\n`]*)$", re.MULTILINE)


def _fenced(text: str) -> list[str]:
    """The insides of fenced blocks that are marked `json` or not at all; none where the last block is cut."""
    fences = list(islice(_FENCE.finditer(text), 2 * MAX_CANDIDATES))
    if len(fences) % 2:
        return []
    return [
        text[begin.end() : end.start()]
        for begin, end in zip(fences[::2], fences[1::2], strict=True)
        if begin[1].strip().lower() in ("", "json")
    ]


_OBJECT = re.compile(r'\{[ \t\r\n]*+"')
_TOKEN = re.compile(r'[{}]|"(?:[^"\\]|\\(?:.|\Z))*+(?:"|(\Z))', re.DOTALL)


def _objects(text: str) -> Iterator[str | None]:
    """The outermost objects that stand whole in `text`; None where the text ends inside one.

    An object ends at its matching brace. Nothing inside one that is cut, or that is not JSON, is used. Each character
    is read once here and once by the decoder, so that a text made of openings costs no more than its length.
    """
    position = 0
    while opening := _OBJECT.search(text, position):
        depth = 0
        for token in _TOKEN.finditer(text, opening.start()):
            if token[1] is not None:  # a string without its end
                yield None
                return
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            if depth == 0:
                position = token.end()
                break
        else:
            yield None
            return
        yield text[opening.start() : position]


def _wrong_shape(fault: Malformed) -> SynthesisFailure:
    where = f"{fault.where}: " if fault.where else ""
    return SynthesisFailure(ReasonCode.INVALID_SCHEMA, where + fault.fault)


# Marks that some services write into a model's strings. In a claim they are noise and are taken out; in a quote
# they stay, and the gate refuses it.
_ARTEFACTS = re.compile(
    r"【\d{1,4}(?::\d{1,4})?†[^】]{0,200}】|\ue200[^\ue200\ue201]{0,200}\ue201|</?cite(?: [^<>]{0,200})?>"
)


def _cleaned(claim: ProposedClaim, unescape: Callable[[str], str] | None) -> ProposedClaim:
    text = claim.text if unescape is None else unescape(claim.text)
    citations: Sequence[ProposedCitation | Malformed] = claim.citations
    if unescape is not None:
        citations = [
            citation if isinstance(citation, Malformed) else _unescaped(citation, unescape) for citation in citations
        ]
    return ProposedClaim(_ARTEFACTS.sub("", text), tuple(citations))


def _unescaped(citation: ProposedCitation, unescape: Callable[[str], str]) -> ProposedCitation:
    return replace(
        citation,
        quote=None if citation.quote is None else unescape(citation.quote),
        prefix=None if citation.prefix is None else unescape(citation.prefix),
        suffix=None if citation.suffix is None else unescape(citation.suffix),
    )
