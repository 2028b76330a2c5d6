"""One citation under the gate, in one line of a test."""

from typing import Any

from verified_gate import Gate, Passage, Refusal, VerifiedCitation

PROFILES = ("verbatim", "typographic", "extracted", "editorial")


def verdict(
    source: str, quote: str | None, profile: str = "verbatim", *, lang: str = "en", **policy: Any
) -> VerifiedCitation | Refusal:
    """The gate's verdict of a quote against a single passage under the key `a`."""
    return Gate([Passage("a", source, lang=lang)], profile=profile, **policy).verify("a", quote)


def code(source: str, quote: str | None, profile: str = "verbatim", **policy: Any) -> str:
    """The code of the refusal, or `ok`."""
    return code_of(verdict(source, quote, profile, **policy))


def codes(source: str, quote: str | None, **policy: Any) -> set[str]:
    """The codes under all four profiles."""
    return {code(source, quote, profile, **policy) for profile in PROFILES}


def code_of(given: VerifiedCitation | Refusal) -> str:
    """The code of a refusal, or `ok`."""
    return str(given.code) if isinstance(given, Refusal) else "ok"


def reply(*claims: tuple[str, list[Any]]) -> dict[str, Any]:
    """A decoded reply: claims as (text, citations), each citation (key, quote) or as given."""
    return {
        "claims": [
            {
                "text": text,
                "citations": [
                    {"key": part[0], "quote": part[1]} if isinstance(part, tuple) else part for part in citations
                ],
            }
            for text, citations in claims
        ]
    }
