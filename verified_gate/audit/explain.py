"""What a refused quote comes nearest to: for the operator, computed only when asked for, never a way to accept."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import fuzz

from verified_gate.gate import Gate, Profile, VerifiedCitation
from verified_gate.gate.folding import fold
from verified_gate.gate.search import exact_places, folded_places
from verified_gate.model import REASONS, Passage, ReasonCode, Refusal
from verified_gate.model.folds import PROFILES
from verified_gate.text.borders import splits_token

_LONGEST_QUOTE: Final = 4_000
_LONGEST_TEXT: Final = 200_000
_MOST_PAIRS: Final = 40_000_000
"""Of letters of a text and letters of a quote; what comes after so many is not looked at."""
_SHOWN: Final = 40
_NEARBY: Final = 40
_MOST_STARTS: Final = 40
_MOST_ENDS: Final = 40
_MOST_FRONTS: Final = 10
_ALIKE_AT_FRONT: Final = 3
"""Of 100: how much more like the quote a text is that begins with its first word."""
_QUOTATION: Final = frozenset("\"'“„«‘‚»")
_WORD: Final = re.compile(r"\S+")
_PART: Final = re.compile(r"\S{1,16}")
_LONGEST_WORD: Final = 20
_LEAD: Final = 3
"""Marks at the front of the nearest text that a profile may pass over. All of these bound the work of one diagnosis."""

_SPLITS: Final = ReasonCode.QUOTE_SPLITS_TOKEN


@dataclass(frozen=True, slots=True)
class Nearest:
    """The source text that the quote comes nearest to: [start, end) of the passage, in code points.

    `likeness` is 0 to 100. `differs_at` is the first code point of the quote that differs in more than the gate's
    profile passes over;
    `source` and `quote` are the text from there on, or from the beginning of the word or number that it stands in, at
    most 40 code points each; `source` goes on over `end` only from there. Both are empty where no difference was found. Where the
    quote begins or ends inside a token, `split` is the code point of the passage at which it does.
    Document and model text: for the operator's eyes, and kept out of `repr`.
    """

    start: int
    end: int
    likeness: float
    differs_at: int
    source: str = field(repr=False)
    quote: str = field(repr=False)
    split: int | None = None


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
    nearest = _split(passage, refusal.quote, gate.profile.folds) if refusal.code is _SPLITS else None
    nearest = nearest or _nearest(passage, refusal.quote, gate.profile.folds)
    return Diagnosis(plain.code, plain.meaning, plain.detail, wider, folds, nearest)


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


def _split(passage: Passage, quote: str, folds: frozenset[str]) -> Nearest | None:
    """The first place of a quote that begins or ends inside a token there."""
    text = passage.text
    places = exact_places(text, quote) or folded_places(text, fold(text, folds, passage.furniture), quote, folds)
    for start, end, _ in places[:1]:
        if splits_token(text, 0, end):
            return Nearest(start, end, 100.0, len(quote), text[end : end + _SHOWN], "", end)
        if splits_token(text, start, len(text)):
            return Nearest(start, end, 100.0, 0, text[start : start + _SHOWN], quote[:_SHOWN], start)
    return None


def _nearest(passage: Passage, quote: str, folds: frozenset[str]) -> Nearest | None:
    text, quote = passage.text, quote[:_LONGEST_QUOTE]
    found = _window(text[: min(_LONGEST_TEXT, _MOST_PAIRS // max(1, len(quote)))], quote)
    if found is None:
        return None
    start, end, likeness = found
    there, here = _first_difference(passage, start, end, quote, folds)
    if here == len(quote):
        return Nearest(start, end, likeness, here, "", "")
    upto = end if there < end else len(text)
    if splits_token(text, 0, upto) and (rest := _WORD.match(text, upto, upto + _SHOWN)):
        upto = rest.end()
    return Nearest(start, end, likeness, here, *_from_word(text[:upto], there, quote, here))


def _window(text: str, quote: str) -> tuple[int, int, float] | None:
    """[start, end) of the text that is most like the quote, however white space runs in both, and how like it is."""
    words = [found.span() for found in _WORD.finditer(text)]
    bare, text = " ".join(quote.split()), " ".join(text.split())
    if not bare or not text:
        return None
    begins = [0]  # of each word in the text with its white space collapsed
    for start, end in words:
        begins.append(begins[-1] + end - start + 1)
    found = fuzz.partial_ratio_alignment(bare, text)
    if found is None or not found.score:
        return None
    first, behind = bisect_left(begins, found.dest_start - _NEARBY), bisect_left(begins, found.dest_end)
    likely = {*begins[first : max(first + 1, behind)][:_MOST_STARTS], *_fronts(bare, text)} - {len(text) + 1}
    likely = likely or {0}
    first_word = bare.partition(" ")[0]

    def best(start: int) -> tuple[float, int, int]:
        """How like the quote the best end makes the text from there on; that end."""
        low, high = start + len(bare) // 3, start + len(bare) + max(_NEARBY, len(bare) // 2)
        ends = [at - 1 for at in begins[bisect_left(begins, low + 1) : bisect_left(begins, high + 2)]]
        ends = ends[:: len(ends) // _MOST_ENDS + 1] or [min(len(text), start + len(bare))]
        alike = max((fuzz.ratio(bare, text[start:end]), end) for end in ends)
        return alike[0] + _ALIKE_AT_FRONT * text.startswith(first_word, start), -start, alike[1]

    _, start, end = max(map(best, likely))
    start = _with_the_first(-start, begins, text, bare)
    while bare[-1].isalnum() and not text[end - 1].isalnum() and end > start + 1:
        end -= 1

    def place(at: int) -> int:
        word = bisect_right(begins, at, hi=len(words)) - 1
        return min(words[word][1], words[word][0] + at - begins[word])

    return place(start), place(end - 1) + 1, float(found.score)


def _with_the_first(start: int, begins: list[int], text: str, quote: str) -> int:
    """Where the text begins with the word that stands in the place of the quote's first."""
    first, _, others = quote.partition(" ")
    word = bisect_left(begins, start)
    if not word or not others or text.startswith(first, start) or not text.startswith(others.partition(" ")[0], start):
        return start
    return begins[word - 1]


def _fronts(quote: str, text: str) -> list[int]:
    """Where the longest front of the quote's words stands that stands anywhere, in whole words: the first few places."""
    ends = [found.end() for found in _WORD.finditer(quote)]
    longest = bisect_left(ends, 1, key=lambda end: int(quote[:end] not in text))
    if not longest:
        return []
    front, at = quote[: ends[longest - 1]], -1
    places: list[int] = []
    while len(places) < _MOST_FRONTS and (at := text.find(front, at + 1)) >= 0:
        if at == 0 or text[at - 1] == " ":
            places.append(at)
    return places


def _first_difference(passage: Passage, start: int, end: int, quote: str, folds: frozenset[str]) -> tuple[int, int]:
    """Where the text from `start` on and the quote differ in more than `folds` pass over, in each of them."""
    text = passage.text[start : end + _SHOWN]
    if not folds:
        pairs = enumerate(zip(text, quote, strict=False))
        at = next((at for at, (a, b) in pairs if a != b), min(len(text), len(quote)))
        return start + at, at
    marked = ((max(0, low - start), min(len(text), high - start)) for low, high in passage.furniture)
    furniture = tuple((low, high) for low, high in marked if low < high)
    forms = [fold(text, each, furniture) for each in dict.fromkeys((folds - {"capitals"}, folds))]
    kept = "kept-quotes" in folds and quote[0] in _QUOTATION

    def stands(upto: int) -> int:
        """Where the text ends at whose front the first `upto` code points of the quote stand; -1 for nowhere."""
        fronts = (quote[:upto], quote[1:upto]) if kept else (quote[:upto],)
        places = (place for form in forms for front in fronts for place in folded_places(text, form, front, folds))
        return next((place.end for place in places if place.start <= _LEAD), -1)

    there, here = _longest(stands, quote)
    if "whitespace" in folds:  # of white space on both sides none is the difference
        behind, beyond = text[there:], quote[here:]
        if behind[:1].isspace() and beyond[:1].isspace():
            there, here = len(text) - len(behind.lstrip()), len(quote) - len(beyond.lstrip())
    return start + there, here


def _longest(stands: Callable[[int], int], quote: str) -> tuple[int, int]:
    """How far the longest front of the quote that stands reaches, in the text and in the quote: looked for among its
    words, by halves, and then in one of them letter by letter, since a fold may need more letters than one to stand.
    """
    fronts = [0, *(found.end() for found in _PART.finditer(quote))]
    low, high = 0, len(fronts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if stands(fronts[middle]) >= 0 else (low, middle)
    last = fronts[low + 1] if low + 1 < len(fronts) else len(quote)
    for upto in range(last, fronts[low], -1):
        if not quote[upto - 1].isspace() and (there := stands(upto)) >= 0:
            return there, upto
    return (stands(fronts[low]) if low else 0), fronts[low]


def _from_word(text: str, there: int, quote: str, here: int) -> tuple[str, str]:
    """The text and the quote from a difference on, or from the beginning of the word or number that it stands in."""
    for _ in range(min(_LONGEST_WORD, there, here)):
        if text[there - 1] != quote[here - 1] or not (_inside_word(text, there) or _inside_word(quote, here)):
            break
        there, here = there - 1, here - 1
    return text[there : there + _SHOWN], quote[here : here + _SHOWN]


def _inside_word(text: str, at: int) -> bool:
    """Does a word or a number go on over `at`?"""
    before, after = text[max(0, at - 2) : max(0, at)], text[at : at + 2]
    if before[-1:].isalnum():
        return after[:1].isalnum() or (before[-1:].isdecimal() and after[:1] in (".", ",") and after[1:].isdecimal())
    return before[:1].isdecimal() and before[1:] in (".", ",") and after[:1].isdecimal()
