"""Steps 4 to 9 on one text: is the quote long enough, where does it stand, which of several places is meant."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from verified_gate.model.borders import splits_token
from verified_gate.gate.folding import Folded, fold
from verified_gate.gate.search import Place, exact_places, folded_places
from verified_gate.model.characters import INVISIBLE, is_unspaced
from verified_gate.model.folds import Profile
from verified_gate.model.sentences import sentence_around
from verified_gate.model.words import NEGATORS, STOP_WORDS

MOST_PLACES: Final = 1_000
"""Occurrences that are counted; more are told as this many."""

_ENOUGH: Final = 400
"""If the first so many characters of a quote are long enough, so is the whole."""

_PUNCTUATION: Final = ".,;:!?\"'“”„‘’«»()[]{}…-–—*_|"
_ELLIPSIS: Final = re.compile(r"\[ ?(?:…|\.\.\.) ?\]|\((?:…|\.\.\.)\)|…|\.{3,4}")
_MOST_PARTS: Final = 8
_MOST_LEFT_OUT: Final = 200
_QUOTES: Final = frozenset("\"'“”„‟«»‘’‚‹›「」『』")
_BRACKETED: Final = re.compile(r"(?<![^\W_])\[([^\W\d_])\](?=[^\W\d_])")
_WORD: Final = re.compile(r"[^\W\d_]+")


class Text:
    """A text in which quotes are looked for, with its fold, made on first need and kept."""

    __slots__ = ("_folded", "_folds", "furniture", "text")

    def __init__(self, text: str, folds: frozenset[str], furniture: tuple[tuple[int, int], ...] = ()) -> None:
        self.text, self.furniture, self._folds = text, furniture, folds
        self._folded: Folded | None = None

    @property
    def folded(self) -> Folded:
        """The text under the profile's folds."""
        if self._folded is None:
            self._folded = fold(self.text, self._folds, self.furniture)
        return self._folded


@dataclass(frozen=True, slots=True)
class Length:
    """What a quote's length lets it do: `enough` alone, or, where not `empty`, only as a whole sentence or cell."""

    enough: bool
    empty: bool


def length_of(quote: str) -> Length:
    """Step 4: three words; two of which one is a number; four letters of a script without spaces."""
    words = [word for word in quote[:_ENOUGH].split() if any(map(str.isalnum, word))]
    bare = [word.strip(_PUNCTUATION).casefold() for word in words]
    if sum(map(len, bare)) < 2 or all(word in STOP_WORDS for word in bare):
        return Length(enough=False, empty=True)
    if len(words) > 2 or (len(words) == 2 and any(map(str.isnumeric, "".join(words)))):
        return Length(enough=True, empty=False)
    return Length(enough=sum(map(is_unspaced, quote[:_ENOUGH])) > 3, empty=False)


def is_whole(text: str, place: Place) -> bool:
    """Is the place the whole text, a whole sentence, or a whole table cell, but for punctuation at its end?"""
    start, end = place.start, place.end
    while end < len(text) and text[end] in ".!?。！？।؟":
        end += 1
    left, right = text[:start].rstrip(" \t\u00a0")[-1:], text[end : end + 80].lstrip(" \t\u00a0")[:1]
    if (not left and not right) or (left in "|\t" and right in "|\t\n\r" and (left + right).strip("\n\r")):
        return True
    first, last = sentence_around(text, place.start, place.end)
    return not text[first:start].strip(_PUNCTUATION + " \n\r\t") and not text[end:last].strip(_PUNCTUATION + " \n\r\t")


def _forms(quote: str, folds: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
    """The quote, and how an editor may have written it: without its quotation marks, its end, its bracketed letter."""
    forms = [(quote, frozenset[str]())]
    bare = quote.strip()
    if "kept-quotes" in folds and len(bare) > 2 and bare[0] in _QUOTES:
        tails = [tail for tail in (bare[-1:], bare[-2:]) if tail[0] in _QUOTES]
        forms += [(bare[1 : -len(tail)] + tail[1:], frozenset({"kept-quotes"})) for tail in tails]
    if "end-punctuation" in folds:
        forms += [
            (form.rstrip()[:-1], used | {"end-punctuation"})
            for form, used in forms
            if form.rstrip()[-1:] in (".", ",", ";")
        ]
    if "bracket-case" in folds and "[" in quote:
        forms += [
            (_BRACKETED.sub(lambda match: match.group(1).swapcase(), form), used | {"bracket-case"})
            for form, used in forms
            if _BRACKETED.search(form)
        ]
    return forms


def places_of(source: Text, quote: str, profile: Profile, *, every: bool, exact_only: bool) -> tuple[list[Place], bool]:
    """Steps 6 and 7: the places with sound borders, exact ones first; and was one refused for its borders?

    `every` goes on to the folded places where exact ones stand; `exact_only` never goes on.
    """
    sound: list[Place] = []
    split = False

    def kept(places: Iterator[Place], used: frozenset[str]) -> None:
        nonlocal split
        for place in places:
            if splits_token(source.text, place.start, place.end):
                split = True
            elif all((place.start, place.end) != (known.start, known.end) for known in sound[:16]):
                sound.append(Place(place.start, place.end, place.folds | used))
            if len(sound) >= MOST_PLACES:
                break

    kept(exact_places(source.text, quote), frozenset())
    if not profile.folds or exact_only:
        return sound, split
    for form, used in _forms(quote, profile.folds):
        if sound and not every:
            break
        if used:
            kept(exact_places(source.text, form), used)
        if not sound or every:
            kept(folded_places(source.text, source.folded, form, profile.folds), used)
    return sound, split


def has_ellipsis(quote: str) -> bool:
    """Does the quote hold a mark for something left out?"""
    return _ELLIPSIS.search(quote) is not None


def elided_place(source: Text, quote: str, profile: Profile, lang: str) -> Place | None:
    """Step 8: the one span that the parts of an elided quote begin and end, or None where the rule forbids it."""
    negators = NEGATORS.get(lang.lower().split("-")[0])
    parts = [part.strip() for part in _ELLIPSIS.split(quote, _MOST_PARTS)]
    if negators is None or "elision" not in profile.folds or len(parts) > _MOST_PARTS:
        return None
    if len(parts) < 2 or any(len(_WORD.findall(part)) < 2 for part in parts):
        return None
    rest = [places_of(source, part, profile, every=True, exact_only=False)[0] for part in parts]
    for first in rest[0]:
        _, sentence_end = sentence_around(source.text, first.start, first.end)
        place, left_out = first, 0
        for options in rest[1:]:
            following = next((option for option in options if option.start >= place.end), None)
            if following is None or following.end > sentence_end:
                break
            gap = source.text[place.end : following.start]
            left_out += len(gap)
            if left_out > _MOST_LEFT_OUT or not negators.isdisjoint(word.lower() for word in re.findall(r"\w+", gap)):
                break
            if "n't" in gap.replace("’", "'").lower():
                break
            place = Place(first.start, following.end, place.folds | following.folds | {"elision"})
        else:
            return place
    return None


def singled_out(source: str, places: list[Place], prefix: str | None, suffix: str | None) -> list[Place]:
    """Step 9: the places before which `prefix` and after which `suffix` stand, compared without white space and
    invisible characters; all places where neither is given or none fits.
    """
    if len(places) < 2 or not (prefix or suffix):
        return places
    before, after = _squeezed(prefix or ""), _squeezed(suffix or "")
    fitting = [
        place
        for place in places
        if _squeezed(source[max(0, place.start - 2 * len(before) - 64) : place.start]).endswith(before)
        and _squeezed(source[place.end : place.end + 2 * len(after) + 64]).startswith(after)
    ]
    return fitting or places


def _squeezed(text: str) -> str:
    return "".join(char for char in text[:4_000] if not char.isspace() and char not in INVISIBLE)
