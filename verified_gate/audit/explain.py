"""What a refused quote comes nearest to: for the operator, computed only when asked for, never a way to accept."""

from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import fuzz

from verified_gate.gate import Gate, Profile, VerifiedCitation
from verified_gate.gate.folding import fold
from verified_gate.model import REASONS, Passage, ReasonCode, Refusal
from verified_gate.model.folds import PROFILES

_LONGEST_QUOTE: Final = 4_000
_LONGEST_TEXT: Final = 200_000
_SHOWN: Final = 40
_NEARBY: Final = 40
"""Code points that the nearest text is looked for in; both bound the work of one diagnosis."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The source text that the quote comes nearest to: [start, end) of the passage, in code points.

    `likeness` is 0 to 100. `differs_at` is the first code point of the quote (white space collapsed) that differs in more
    than the gate's profile passes over;
    `source` and `quote` are the text from there on, at most 40 code points each. Document and model text: for the
    operator's eyes, and kept out of `repr`.
    """

    start: int
    end: int
    likeness: float
    differs_at: int
    source: str = field(repr=False)
    quote: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a citation was refused. `wider_profile` is the narrowest named profile that would verify it, with the
    `folds` it would use; `nearest` is None where the key is unknown or nothing resembles the quote.
    """

    code: ReasonCode
    meaning: str
    detail: str
    wider_profile: str | None = None
    folds: tuple[str, ...] = ()
    nearest: Nearest | None = None


def explain(gate: Gate, refusal: Refusal) -> Diagnosis:
    """Diagnose a refusal that `gate` made. Raises `TypeError` for anything but a `Refusal`."""
    if type(refusal) is not Refusal:
        raise TypeError("explain() takes a Refusal of this gate")
    plain = Diagnosis(refusal.code, REASONS[refusal.code].meaning, refusal.detail)
    key = refusal.delivered_key or refusal.key
    passage = gate.passage(key) if key is not None else None
    if passage is None or not refusal.quote:
        return plain
    wider, folds = wider_profile(gate, passage, refusal.quote)
    return Diagnosis(
        plain.code, plain.meaning, plain.detail, wider, folds, _nearest(passage.text, refusal.quote, gate.profile.folds)
    )


def wider_profile(gate: Gate, passage: Passage, quote: str) -> tuple[str | None, tuple[str, ...]]:
    """The narrowest named profile wider than the gate's that verifies `quote` in `passage`, with the folds it uses."""
    for name, profile in PROFILES.items():
        if profile.folds <= gate.profile.folds:
            continue
        widened = Profile(name, profile.folds | gate.profile.folds)
        verdict = Gate([passage], profile=widened, lang=gate.lang).verify(passage.key, quote)
        if isinstance(verdict, VerifiedCitation):
            return name, verdict.folds
    return None, ()


def _nearest(text: str, quote: str, folds: frozenset[str]) -> Nearest | None:
    quote, text = " ".join(quote[:_LONGEST_QUOTE].split()), text[:_LONGEST_TEXT]
    found = fuzz.partial_ratio_alignment(quote, text)
    if found is None or not found.score:
        return None
    nearby = range(max(0, found.dest_start - _NEARBY), min(len(text), found.dest_start + _NEARBY))
    starts = [at for at in nearby if not text[at].isspace() and (at == 0 or text[at - 1].isspace())]
    size = found.dest_end - found.dest_start
    start = max([*starts, found.dest_start], key=lambda at: fuzz.ratio(quote, text[at : at + size]))
    end = min(len(text), start + size)
    source = " ".join(text[start:end].split())
    there, here = _first_difference(source, quote, folds)
    return Nearest(start, end, float(found.score), here, source[there : there + _SHOWN], quote[here : here + _SHOWN])


def _first_difference(source: str, quote: str, folds: frozenset[str]) -> tuple[int, int]:
    """Where they differ in more than `folds` pass over, in each of them; their ends where they do not."""
    forms = fold(source, folds), fold(quote, folds)
    at = _differing(forms[0].form, forms[1].form)
    there, here = (each.source_span(at, at + 1) if at < len(each.form) else None for each in forms)
    return there[0] if there else len(source), here[0] if here else len(quote)


def _differing(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
