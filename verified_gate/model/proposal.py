"""Proposals: what a synthesizer wrote. Untrusted; only the gate turns them into something else."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from verified_gate.model.reasons import ReasonCode

MAX_JSON_CHARACTERS = 2_000_000
MAX_JSON_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Malformed:
    """A part of a reply with the wrong shape: where it is (`claims[2].citations[0].key`) and what is wrong.

    `fault` holds no text of the reply.
    """

    where: str
    fault: str
    code: ReasonCode = ReasonCode.INVALID_SCHEMA


@dataclass(frozen=True, slots=True)
class ProposedCitation:
    """A key and a quote as proposed; `prefix` and `suffix` single out one of several occurrences
    (after the W3C TextQuoteSelector). Their texts are kept out of `repr`.
    """

    key: str
    quote: str | None = field(default=None, repr=False)
    prefix: str | None = field(default=None, repr=False)
    suffix: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """A sentence as proposed, with its citations; malformed ones keep their place."""

    text: str = field(repr=False)
    citations: tuple[ProposedCitation | Malformed, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A whole reply. `aliases`, where given, is the only way from a key as written to a delivered key:
    a real key that the reply copies out of a document then means nothing.
    """

    status: Literal["answered", "abstained"] = "answered"
    claims: tuple[ProposedClaim | Malformed, ...] = ()
    aliases: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What one proposal may hold, in claims, citations and code points; what is over is `budget_exceeded`."""

    claims: int = 200
    citations: int = 1_000
    quote: int = 100_000
    wording: int = 10_000


DEFAULT_LIMITS: Final = Limits()


def decode_json(text: str, *, most: int = MAX_JSON_CHARACTERS) -> object | Malformed:
    """Decode one JSON value, strictly: no duplicate members, NaN, infinities, lone surrogates, nor deep nesting.

    `most` is how many characters it may have. Raw line breaks inside strings are accepted, since models write them in quotes. Never raises.
    """
    if len(text) > most:
        return Malformed("", f"longer than {most} characters", ReasonCode.BUDGET_EXCEEDED)
    try:
        value: object = json.loads(
            text.lstrip("\ufeff"), strict=False, object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except (ValueError, RecursionError) as fault:
        return Malformed("", _fault_of(fault), ReasonCode.INVALID_JSON)
    if _too_deep(value):
        return Malformed("", f"nested deeper than {MAX_JSON_DEPTH}", ReasonCode.INVALID_JSON)
    if "\\u" in text or not text.isascii():
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return Malformed("", "a lone surrogate in a string", ReasonCode.INVALID_JSON)
    return value


class _Refused(ValueError):
    """A fault named in our own words."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Refused("a member is written twice in one object")
    return members


def _no_constant(_: str) -> object:
    raise _Refused("NaN or infinity is not JSON")


def _fault_of(fault: Exception) -> str:
    if isinstance(fault, _Refused):
        return str(fault)
    if isinstance(fault, RecursionError):
        return f"nested deeper than {MAX_JSON_DEPTH}"
    if isinstance(fault, json.JSONDecodeError):
        return f"not JSON at character {fault.pos}"
    return "not JSON: a number is too long"


def _too_deep(value: object) -> bool:
    level = [value]
    for _ in range(MAX_JSON_DEPTH):
        level = [
            child
            for part in level
            if isinstance(part, (dict, list))
            for child in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return True


def parse_proposal(value: object, aliases: Mapping[str, str] | None = None) -> Proposal | Malformed:
    """Parse the reply `{"status", "claims": [{"text", "citations": [{"key", "quote"}]}]}` from decoded JSON, or
    check a `Proposal` that somebody made by hand.

    A fault of the whole gives `Malformed`; a fault of one claim or citation keeps its place in the proposal,
    so that the honest ones can still leave. Unknown members are ignored. `status` may be absent.
    """
    given: object = aliases
    if isinstance(value, Proposal):
        given = value.aliases
    elif not isinstance(value, Mapping):
        return Malformed("", "the reply must be a JSON object")
    status = _member(value, "status", "answered")
    if status not in ("answered", "abstained"):
        return Malformed("status", 'must be "answered" or "abstained"')
    claims = _member(value, "claims", [] if status == "abstained" else None)
    if not isinstance(claims, list | tuple):
        return Malformed("claims", "must be a list")
    if given is not None:
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for pair in given.items() for name in pair):
            return Malformed("aliases", "must map strings to strings")
        aliases = dict(given)
    parsed = tuple(parse_claim(claim, f"claims[{index}]") for index, claim in enumerate(claims))
    return Proposal("abstained" if status == "abstained" else "answered", parsed, aliases)


def _member(value: object, name: str, default: object = None) -> object:
    return value.get(name, default) if isinstance(value, Mapping) else getattr(value, name)


def parse_claim(value: object, where: str) -> ProposedClaim | Malformed:
    """Parse one claim; `where` is its place in the reply."""
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, Mapping | ProposedClaim):
        return Malformed(where, "must be an object")
    text = _member(value, "text")
    if not isinstance(text, str):
        return Malformed(f"{where}.text", "must be a string")
    citations = _member(value, "citations", [])
    if not isinstance(citations, list | tuple):
        return Malformed(f"{where}.citations", "must be a list")
    return ProposedClaim(
        text, tuple(_parse_citation(part, f"{where}.citations[{index}]") for index, part in enumerate(citations))
    )


def _parse_citation(value: object, where: str) -> ProposedCitation | Malformed:
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, Mapping | ProposedCitation):
        return Malformed(where, "must be an object")
    key = _member(value, "key")
    if not isinstance(key, str):
        return Malformed(f"{where}.key", "must be a string")
    parts: dict[str, str | None] = {}
    for name in ("quote", "prefix", "suffix"):
        part = _member(value, name)
        if not isinstance(part, str | None) or (
            name == "quote" and part is None and isinstance(value, Mapping) and name in value
        ):
            return Malformed(f"{where}.{name}", "must be a string")
        parts[name] = part
    return ProposedCitation(key, **parts)
