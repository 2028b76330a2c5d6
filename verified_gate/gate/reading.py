"""Steps 4 to 9 on one text: is the quote long enough, where does it stand, which of several places is meant."""

import re
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from typing import Final

from verified_gate.gate.folding import Folded, fold
from verified_gate.gate.search import Place, exact_places, folded_places
from verified_gate.model.folds import Profile
from verified_gate.text.borders import splits_token
from verified_gate.text.characters import INVISIBLE, is_unspaced
from verified_gate.text.sentences import sentence_around
from verified_gate.text.sites import LINE_HYPHEN
from verified_gate.text.words import ALL_NEGATORS, NEGATING_PREFIXES, STOP_WORDS

MOST_PLACES: Final = 256
"""Occurrences that are counted; more are told as this many."""
_ENOUGH: Final = 400
"""If the first so many characters of a quote are long enough, so is the whole."""

_CONTEXT: Final = 200
_PUNCTUATION: Final = ".,;:!?\"'“”„‘’«»()[]{}…-–—*_|"
ELLIPSIS: Final = re.compile(r"\[ ?(?:…|\.\.\.) ?\]|\((?:…|\.\.\.)\)|…|\.{3,4}")
_MOST_PARTS: Final = 8
_MOST_TRIES: Final = 64
_PLAIN_WORDS: Final = re.compile(r"[A-Za-z\u00c0-\u024f\s,;:()'’\"“”–—]*")
"""Only such may be left out: a digit, a character reference or a look-alike letter could hide a condition."""
_MOST_LEFT_OUT: Final = 200
_QUOTES: Final = frozenset("\"'“”„‟«»‘’‚‹›「」『』")
_ASKS: Final = re.compile("[ \u00a0\u202f\"'”’»)]{0,8}[?!？！]")
_BRACKETED: Final = re.compile(r"(?<![^\W_])\[([^\W\d_])\](?=[^\W\d_])")
_WORD: Final = re.compile(r"[^\W\d_]+")


class Text:
    """A text in which quotes are looked for, with its fold, made on first need and kept."""

    def __init__(self, text: str, folds: frozenset[str], furniture: tuple[tuple[int, int], ...] = ()) -> None:
        self.text, self._folds, self.furniture = text, folds, furniture

    @cached_property
    def folded(self) -> Folded:
        """The text under the profile's folds, but for letter case."""
        return fold(self.text, self._folds - {"capitals"}, self.furniture)

    @cached_property
    def any_case(self) -> Folded | None:
        """The same with its headings in capitals in any case, where the profile says so and there are some."""
        folded = fold(self.text, self._folds, self.furniture) if "capitals" in self._folds else None
        return folded if folded and any(site.any_case for site in folded.sites) else None


class Length(Enum):
    """What a quote's length lets it do."""

    ENOUGH = "it may stand alone"
    SHORT = "only as a whole passage, sentence or table cell"
    EMPTY = "never: stop words, a single letter, punctuation"


def length_of(quote: str) -> Length:
    """Step 4: three words; two of which one is a number; four letters of a script without spaces."""
    first = [word.casefold() for word in quote.split(None, 3)[:3] if word.isalpha()]
    if len(first) == 3 and not STOP_WORDS.issuperset(first):
        return Length.ENOUGH
    words: list[str] = []
    telling = False
    for word in quote[:_ENOUGH].split():
        bare = word.strip(_PUNCTUATION)
        if bare.isalnum() or any(map(str.isalnum, bare)):
            words.append(bare)
            telling = telling or bare.casefold() not in STOP_WORDS
            if telling and len(words) > 2:
                return Length.ENOUGH
    if sum(map(len, words)) < 2 or not telling:
        return Length.EMPTY
    number = len(words) == 2 and any(map(str.isnumeric, "".join(words)))
    return Length.ENOUGH if number or sum(map(is_unspaced, quote[:_ENOUGH])) > 3 else Length.SHORT


def _forms(quote: str, folds: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The quote, then as an editor may have changed it: quotation marks around it, its end, a bracketed letter."""
    yield quote, frozenset()
    forms = [(quote, frozenset[str]())]
    bare = quote.strip()
    if "kept-quotes" in folds and len(bare) > 2 and bare[0] in _QUOTES:
        tails = [tail for tail in (bare[-1:], bare[-2:]) if tail[0] in _QUOTES]
        forms += [(bare[1 : -len(tail)] + tail[1:], frozenset({"kept-quotes"})) for tail in tails]
    if "end-punctuation" in folds:
        ended = [(form.rstrip(), used) for form, used in forms if form.rstrip()[-1:] in (".", ",", ";")]
        forms += [(form[:-1], used | {"end-punctuation"}) for form, used in ended]
    if "bracket-case" in folds and "[" in quote:
        swapped = [(_BRACKETED.sub(_swapped, form), used | {"bracket-case"}) for form, used in forms]
        forms += [form for form in swapped if form[0] not in (known for known, _ in forms)]
    if "line-hyphen" in folds and LINE_HYPHEN.search(quote):
        forms += [(LINE_HYPHEN.sub(kept, form), used | {"line-hyphen"}) for form, used in forms for kept in ("", "-")]
    yield from forms[1:]


def _swapped(match: re.Match[str]) -> str:
    return match.group(1).swapcase()


def places_of(
    source: Text, quote: str, profile: Profile, *, every: bool = False, exact_only: bool = False
) -> tuple[list[Place], bool]:
    """Steps 6 and 7: the places with sound borders, exact ones first; and was one refused for its borders?

    `every` goes on to the folded places where exact ones stand; `exact_only` never goes on.
    """
    at = source.text.find(quote)
    end = at + len(quote)
    if at >= 0 and not every and source.text.find(quote, at + 1) < 0 and not splits_token(source.text, at, end):
        return [Place(at, end)], False  # most of all honest quotes
    sound: dict[tuple[int, int], Place] = {}
    split = at >= 0 and _keep_sound(source.text, exact_places(source.text, quote), sound)
    if profile.folds and not exact_only and (every or not sound):
        for form, used in _forms(quote, profile.folds):
            places = folded_places(source.text, source.folded, form, profile.folds, every=every)
            if (every or not places) and source.any_case:
                places += folded_places(source.text, source.any_case, form, profile.folds, every=every)
            if used:
                places = exact_places(source.text, form) + places
                places = [place._replace(folds=place.folds | used) for place in places]
            if "end-punctuation" in used:  # a question is no statement
                places = [place for place in places if not _ASKS.match(source.text, place.end)]
            split = _keep_sound(source.text, places, sound) or split
            if sound and not every:
                break
    return list(sound.values()), split


def _keep_sound(text: str, places: list[Place], sound: dict[tuple[int, int], Place]) -> bool:
    """Keep the places with sound borders; was one refused for its borders?"""
    split = False
    for place in places[:MOST_PLACES]:
        if splits_token(text, place.start, place.end):
            split = True
        else:
            sound.setdefault((place.start, place.end), place)
    return split


def elided_place(source: Text, quote: str, profile: Profile, lang: str) -> Place | None:
    """Step 8: the one span that the parts of an elided quote begin and end, or None where the rule forbids it."""
    language = lang.lower().split("-")[0]
    prefixes = NEGATING_PREFIXES.get(language)
    parts = [part.strip() for part in ELLIPSIS.split(quote, _MOST_PARTS)]
    if prefixes is None or "elision" not in profile.folds or len(parts) > _MOST_PARTS:
        return None
    if len(parts) < 2 or any(len(_WORD.findall(part)) < 2 for part in parts):
        return None
    rest = [places_of(source, part, profile, every=True)[0] for part in parts]
    for first in rest[0][:_MOST_TRIES]:
        _, sentence_end = sentence_around(source.text, first.start, first.end)
        place, left_out = first, 0
        for options in rest[1:]:
            following = next((option for option in options if option.start >= place.end), None)
            if following is None or following.end > sentence_end:
                break
            gap = source.text[place.end : following.start]
            left_out += len(gap)
            words = re.findall(r"\w+(?:['’]t\b)?", gap.lower())
            if left_out > _MOST_LEFT_OUT or not _PLAIN_WORDS.fullmatch(gap):
                break
            if any(word in ALL_NEGATORS or word.startswith(prefixes) or word.endswith(("'t", "’t")) for word in words):
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
    before, after = _squeezed((prefix or "")[-_CONTEXT:]), _squeezed((suffix or "")[:_CONTEXT])
    fitting = [
        place
        for place in places
        if _squeezed(source[max(0, place.start - 2 * len(before) - 64) : place.start]).endswith(before)
        and _squeezed(source[place.end : place.end + 2 * len(after) + 64]).startswith(after)
    ]
    return fitting or places


def _squeezed(text: str) -> str:
    return "".join(char for char in text if not char.isspace() and char not in INVISIBLE)
