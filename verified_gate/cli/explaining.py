"""Why something was refused, for the operator who runs `check`: as JSON, and in words.

Document and model text is disarmed and shortened here; it is the operator's own evidence and reply.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from verified_gate.audit import Diagnosis, explain
from verified_gate.cli.terminal import quoted
from verified_gate.gate import Gate
from verified_gate.model import REASONS, ProposedCitation, ProposedClaim, ReasonCode, Refusal
from verified_gate.release.display import visible
from verified_gate.text.numbers import numbers_in

if TYPE_CHECKING:
    from verified_gate.audit.explain import Nearest

MAX_EXPLAINED: Final = 50
"""Refusals of one reply that are explained; each costs a search for the nearest text."""

_C: Final = ReasonCode
_RULED: Final = frozenset(
    {
        _C.CLAIM_UNCITED,
        _C.NUMBER_UNSUPPORTED,
        _C.QUOTE_ELIDED,
        _C.QUOTE_MISSING,
        _C.QUOTE_SPLITS_TOKEN,
        _C.QUOTE_TOO_SHORT,
        _C.WORDING_UNSAFE,
    }
)
"""Codes whose remedy is the rule that was broken, said the other way round."""


_COMPARED: Final = frozenset({_C.HIDDEN_CHARACTERS, _C.QUOTE_ELIDED, _C.QUOTE_MISMATCH})
"""Codes of a quote that is looked at beside the text it comes nearest to."""
_PICTURES: Final = {" ": "␠", "\n": "␊", "\r": "␍", "\t": "␉"}
_BREAKS: Final = re.compile(r"[\n\r\t]")
_TOKEN: Final = 40
"""Code points on either side of the place where a quote splits a token."""
_ALIKE: Final = 50.0
"""Of 100; what is less alike tells nothing."""


def explanations(
    gate: Gate, refusals: Sequence[Refusal], claims: Sequence[object], question: str
) -> list[dict[str, Any]]:
    """An explanation for each of the first `MAX_EXPLAINED` refusals, JSON-ready. `claims` are those of the reply."""
    return [_explained(gate, refusal, explain(gate, refusal), claims, question) for refusal in refusals[:MAX_EXPLAINED]]


def _explained(
    gate: Gate, refusal: Refusal, diagnosis: Diagnosis, claims: Sequence[object], question: str
) -> dict[str, Any]:
    passage = None if refusal.key is None else gate.passage(refusal.key)
    nearest = diagnosis.nearest
    found: dict[str, Any] = {
        "meaning": diagnosis.meaning,
        "rule": REASONS[refusal.code].remedy if refusal.code in _RULED else None,
        "wider_profile": diagnosis.wider_profile,
        "folds": list(diagnosis.folds),
        "needs_lang": refusal.code is _C.QUOTE_ELIDED and passage is not None and not passage.lang,
        "nearest": None,
    }
    if refusal.code is _C.NUMBER_UNSUPPORTED and refusal.claim is not None and refusal.claim < len(claims):
        found["numbers"] = _unsupported(gate, claims[refusal.claim], question)
    if nearest is not None and passage is not None:
        found["nearest"] = {
            "start": nearest.start,
            "end": nearest.end,
            "likeness": round(nearest.likeness, 1),
            "around": _around(passage.text, nearest),
            "split": None if nearest.split is None else _parted(passage.text, nearest.split),
            "differs_at": nearest.differs_at,
            "source": nearest.source,
            "quote": nearest.quote,
        }
    return found


def explanation_lines(code: ReasonCode, explained: dict[str, Any]) -> Iterator[str]:
    """The explanation in words, one line each, safe for a terminal."""
    yield " ".join(filter(None, [explained["meaning"], explained["rule"]]))
    if numbers := explained.get("numbers"):
        yield f"unsupported: {', '.join(quoted(number, 30) for number in numbers)}"
    if explained["needs_lang"]:
        yield "only --profile editorial lets an elision pass, and only in a language it knows the words of: name it with --lang"
    if explained["wider_profile"]:
        folds = ", ".join(explained["folds"])
        yield f"would pass under --profile {explained['wider_profile']}" + (f", by folding {folds}" if folds else "")
    nearest = explained["nearest"]
    if nearest is None:
        return
    if code is _C.QUOTE_SPLITS_TOKEN:
        yield f"the source has {quoted(nearest['around'], 100)}{_split(nearest)}"
    elif code in _COMPARED and nearest["likeness"] >= _ALIKE and (nearest["source"] or nearest["quote"]):
        yield f"nearest, at {nearest['start']}-{nearest['end']}: {quoted(nearest['around'], 100)}"
        source, quote = nearest["source"], nearest["quote"]
        yield f"first difference: source {_from(source)}, quote {_from(quote)}{_code_points(source, quote)}"


def _from(text: str) -> str:
    return _spaced(text, 24) if text else "ends"


def _spaced(text: str, size: int) -> str:
    """`text` quoted, with white space that a reader could not see or tell apart made visible."""
    front = len(text) - len(text.lstrip())
    shown = "".join(_PICTURES.get(char, visible(char)) if char.isspace() else char for char in text[:front])
    return quoted(shown + _BREAKS.sub(lambda found: _PICTURES[found[0]], text[front:]), size)


def _split(nearest: dict[str, Any]) -> str:
    """Between what the quote begins or ends, where that is inside a token."""
    if nearest["split"] is None:
        return ""
    before, after = (_spaced(part, 40) for part in nearest["split"])
    side = "begins" if nearest["quote"] else "ends"
    return f"; the quote {side} between {before} and {after}"


def _parted(text: str, at: int) -> list[str]:
    """What stands before and behind `at`, each to the next white space that is not at `at` itself."""
    before, after = text[max(0, at - _TOKEN) : at], text[at : at + _TOKEN]
    space = before[len(before.rstrip()) :], after[: len(after) - len(after.lstrip())]
    return [(before.split() or [""])[-1] + space[0], space[1] + (after.split(None, 1) or [""])[0]]


def _around(text: str, nearest: "Nearest") -> str:
    """The nearest text in whole words; of a quote that begins or ends inside a token that end alone."""
    start, end, at = nearest.start, nearest.end, nearest.split
    if at is not None:
        start, end = (at, min(end, at + _TOKEN)) if nearest.quote else (max(start, at - _TOKEN), at)
    return _whole_words(text, start, end)


def _code_points(source: str, quote: str) -> str:
    """The first characters that differ by number, where looking at them may not tell them apart."""
    same = next((at for at, (a, b) in enumerate(zip(source, quote, strict=False)) if a != b), 0)
    source, quote = source[same:], quote[same:]
    if not source or not quote or (source[0].isascii() and quote[0].isascii()):
        return ""
    return f" (U+{ord(source[0]):04X}, U+{ord(quote[0]):04X})"


def _whole_words(text: str, start: int, end: int) -> str:
    """[start, end) of `text`, widened to the white space around it, as far as a quote may be from it."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end]


def _unsupported(gate: Gate, claim: object, question: str) -> list[str]:
    """The numbers of a claim that neither its quotes, the question nor what it cites have."""
    if not isinstance(claim, ProposedClaim):
        return []
    known = numbers_in(question)
    for citation in claim.citations:
        if isinstance(citation, ProposedCitation) and citation.quote is not None:
            found = gate.verify(citation.key, citation.quote)
            for part in () if isinstance(found, Refusal) else found.proofs:
                known |= numbers_in(part)
    return sorted({number + unit for number, unit in numbers_in(claim.text) - known})[:10]
