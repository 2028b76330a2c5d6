"""Quote checkers behind one shape: the gate, and three naive ones that the bank must be able to catch."""

import re
from functools import lru_cache

from rapidfuzz import fuzz

from tests.mutation.trial import Verdict


@lru_cache(maxsize=512)
def _gate(text: str, profile: str):
    from verified_gate.gate import Gate

    return Gate({"k": text}, profile=profile)


def gate(text: str, quote: str, profile: str) -> Verdict:
    """The gate itself, through its public API; one gate is kept per text and profile."""
    found = _gate(text, profile).verify("k", quote)
    if type(found).__name__ == "VerifiedCitation":
        return Verdict(True, found.start, found.end)
    return Verdict(False, code=str(found.code))


def substring(text: str, quote: str, _profile: str) -> Verdict:
    """Plain `in`."""
    at = text.find(quote)
    return Verdict(at >= 0, at, at + len(quote), "" if at >= 0 else "not found")


def loose_space(text: str, quote: str, _profile: str) -> Verdict:
    """Any white space, or none, between the characters; case and punctuation ignored."""
    letters = [re.escape(char) for char in quote if char.isalnum()]
    if not letters or len(letters) > 3000:
        return Verdict(False, code="not found")
    at = [(char.lower(), n) for n, char in enumerate(text) if char.isalnum()]
    hay = "".join(char[0] for char, _ in at)
    low = hay.find("".join(char.lower()[0] for char in quote if char.isalnum()))
    if low < 0:
        return Verdict(False, code="not found")
    return Verdict(True, at[low][1], at[low + len(letters) - 1][1] + 1)


def fuzzy(text: str, quote: str, _profile: str) -> Verdict:
    """Edit distance: nine tenths alike."""
    found = fuzz.partial_ratio_alignment(quote, text, score_cutoff=90)
    if found is None or found.score < 90:
        return Verdict(False, code="not found")
    return Verdict(True, found.dest_start, found.dest_end)
