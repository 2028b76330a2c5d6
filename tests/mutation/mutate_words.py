"""Words: negations, limits, names, order, number, and where one word ends."""

import random

from tests.mutation import words as w
from tests.mutation.borders import is_spaceless
from tests.mutation.mutant import (
    Honest,
    elsewhere,
    listed,
    operator,
    pick,
    put,
    remove,
    tokens,
)


@operator
def negation_dropped(rng: random.Random, honest: Honest) -> str | None:
    span = listed(rng, honest.quote, w.NEGATIONS.get(honest.lang, ()))
    return span and remove(honest.quote, *span)


@operator
def negation_cut_off(rng: random.Random, honest: Honest) -> str | None:
    """The negation that is part of a word: `can't`, `cannot`, `unable`, `non-refundable`."""
    if honest.lang != "en":
        return None
    found = pick(rng, honest.quote, r"(?i)(?<=[a-z])n['’]t\b|(?<=can)not\b|(?<!\w)(?:un|non-?|dis|in)(?=[a-z]{4})")
    if found is None:
        return None
    contracted_can = found[0][-1] in "tT" and honest.quote[found.start() - 2 : found.start()].lower() == "ca"
    return put(honest.quote, *found.span(), "n" if contracted_can else "")


@operator
def negation_added(rng: random.Random, honest: Honest) -> str | None:
    after, before = w.NEGATE_AFTER.get(honest.lang), w.NEGATE_BEFORE.get(honest.lang)
    if after is not None:
        span = listed(rng, honest.quote, after[0])
        return span and put(honest.quote, span[1], span[1], f" {after[1]}")
    if before is not None:
        span = listed(rng, honest.quote, before[0])
        return span and put(honest.quote, span[0], span[0], before[1] + ("" if honest.lang == "zh" else " "))
    return None


@operator
def limiter_dropped(rng: random.Random, honest: Honest) -> str | None:
    span = listed(rng, honest.quote, w.LIMITERS.get(honest.lang, ()))
    return span and remove(honest.quote, *span)


@operator
def comparator_changed(rng: random.Random, honest: Honest) -> str | None:
    span = listed(rng, honest.quote, tuple(w.COMPARATORS))
    if span is None:
        return None
    return put(honest.quote, *span, w.COMPARATORS.get(honest.quote[slice(*span)].lower(), "not"))


@operator
def word_dropped(rng: random.Random, honest: Honest) -> str | None:
    spans = tokens(honest.quote)[1:-1]
    return remove(honest.quote, *rng.choice(spans)) if spans else None


@operator
def word_added(rng: random.Random, honest: Honest) -> str | None:
    spans = tokens(honest.quote)[1:]
    if not spans:
        return None
    at = rng.choice(spans)[0]
    return put(honest.quote, at, at, rng.choice(w.ADDED[honest.lang]) + ("" if honest.lang == "zh" else " "))


@operator
def word_doubled(rng: random.Random, honest: Honest) -> str | None:
    spans = tokens(honest.quote)[1:-1]
    if not spans:
        return None
    low, high = rng.choice(spans)
    return put(honest.quote, high, high, ("" if is_spaceless(honest.quote[low]) else " ") + honest.quote[low:high])


@operator
def words_swapped(rng: random.Random, honest: Honest) -> str | None:
    quote, spans = honest.quote, tokens(honest.quote)
    pairs = [(a, b) for a, b in zip(spans, spans[1:], strict=False) if quote[slice(*a)] != quote[slice(*b)]]
    if not pairs:
        return None
    (a, b), (c, d) = rng.choice(pairs)
    return quote[:a] + quote[c:d] + quote[b:c] + quote[a:b] + quote[d:]


@operator
def word_reinflected(rng: random.Random, honest: Honest) -> str | None:
    endings = {"en": "s", "es": "s", "de": "en", "tr": "lar", "ru": "ы", "hi": "ों", "ar": "ات", "zh": "们"}
    spans = [span for span in tokens(honest.quote) if span[1] - span[0] > 3 or honest.lang == "zh"]
    spans = [span for span in spans if not honest.quote[span[0] : span[1]].isnumeric()]
    if not spans:
        return None
    low, high = rng.choice(spans)
    ending = endings[honest.lang]
    if honest.quote[low:high].endswith(ending):
        return put(honest.quote, high - len(ending), high, "")
    return put(honest.quote, high, high, ending)


@operator
def letter_changed(rng: random.Random, honest: Honest) -> str | None:
    at = rng.choice([n for n, char in enumerate(honest.quote) if char.isalpha()] or [-1])
    other = rng.choice([char for char in honest.text[:2000] if char.isalpha()] or [""])
    if at < 0 or not other or other.casefold() == honest.quote[at].casefold():
        return None
    return put(honest.quote, at, at + 1, other)


@operator
def name_swapped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[^.!?\s] )[^\W\d_]{3,}")
    if found is None or not found[0][0].isupper():
        return None
    other = elsewhere(rng, honest, found[0])
    return other and put(honest.quote, *found.span(), other)


@operator
def last_word_replaced(rng: random.Random, honest: Honest) -> str | None:
    spans = tokens(honest.quote)
    other = elsewhere(rng, honest, honest.quote[slice(*spans[-1])]) if spans else None
    return other and put(honest.quote, *spans[-1], other)


@operator
def sentence_appended(_: random.Random, honest: Honest) -> str | None:
    joint = "" if honest.lang == "zh" else " "
    stop = "" if honest.quote.rstrip()[-1:] in ".!?。।؟" else {"zh": "。", "hi": "।"}.get(honest.lang, ".")
    return honest.quote.rstrip() + stop + joint + w.INVENTED[honest.lang]


@operator
def word_border_moved(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[^\W\d_])[ ](?=[^\W\d_]{2})")
    if found is None or is_spaceless(honest.quote[found.start() - 1]):
        return None
    at = found.start()
    return rng.choice([
        put(honest.quote, at, at + 2, honest.quote[at + 1] + " "),
        put(honest.quote, at, at + 1, ""),
        put(honest.quote, at - 1, at + 1, " " + honest.quote[at - 1]),
    ])  # fmt: skip


@operator
def word_split(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[a-zа-я]{2})(?=[a-zа-я]{2})")
    return found and put(honest.quote, *found.span(), rng.choice([" ", "-", "- "]))


@operator
def hyphen_dropped(rng: random.Random, honest: Honest) -> str | None:
    found = pick(rng, honest.quote, r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")
    return found and put(honest.quote, *found.span(), rng.choice(["", " "]))
