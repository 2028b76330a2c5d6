"""Take what was released, change one character anywhere, and it must be withheld, unless the change is truly the source's.

Whether it is stands in this file alone: a changed quote is true where it is a substring of the source with whole
tokens at both ends, read by the words and numbers below and not by the gate.
"""

import random
import re

import pytest

from tests.verdicts import PROFILES, reply
from verified_gate import Gate, Passage, ReasonCode

SOURCES = {
    "returns": "You can return a bike within 30 days of delivery. A fee of 5 % (at most $1,500.50) is due.",
    "contract": "The Tenant may not cancel unless a non-refundable deposit of −12.5 euros, or 10² units, is paid on 12/05/2020.",
    "german": "Der Käufer kann das Fahrrad innerhalb von 14 Tagen zurückgeben; die Straße muss 3 m breit sein.",
    "french": "L’acheteur n’a pas le droit d’annuler après 10 jours, sauf si le vélo présente un défaut caché.",
    "chinese": "买方可以在收到货物后三十天内退货，但必须支付15元的手续费。",
    "arabic": "يمكن للمشتري إرجاع الدراجة خلال ٣٠ يوما من تاريخ التسليم بشرط أن تكون جديدة.",
    "hindi": "खरीदार डिलीवरी के 30 दिनों के भीतर साइकिल वापस कर सकता है।",
    "marks": "See **the rules** [3] of Smith &amp; Sons: “no refund” – ever. THE BUYER MUST PAY ALL COSTS NOW.",
}
QUOTES = [
    ("returns", "return a bike within 30 days of delivery"),
    ("returns", "A fee of 5 % (at most $1,500.50) is due."),
    ("contract", "The Tenant may not cancel unless a non-refundable deposit"),
    ("contract", "deposit of −12.5 euros, or 10² units, is paid on 12/05/2020"),
    ("german", "innerhalb von 14 Tagen zurückgeben; die Straße muss 3 m"),
    ("french", "n’a pas le droit d’annuler après 10 jours, sauf si"),
    ("chinese", "可以在收到货物后三十天内退货，但必须支付15元"),
    ("arabic", "إرجاع الدراجة خلال ٣٠ يوما من تاريخ"),
    ("hindi", "डिलीवरी के 30 दिनों के भीतर साइकिल वापस"),
    ("marks", "“no refund” – ever. THE BUYER MUST PAY ALL COSTS NOW."),
]
ALPHABET = "aeiztAZ0159.,;:!?-–−+%$€²½§ \n'’\"“()[]*_&#…ßäéñ" + "аеο" + "的三Ｅ٣क" + "\u0301\u200b\u202e\u00a0"
CLAIM = "This is what the source says."
TOKEN = re.compile(r"[^\W_]+(?:[-'’.,/:][^\W_]+)*|\S")


def _changes(text, rng):
    """Each place with a character dropped, doubled, swapped with the next, put in, and replaced."""
    for at in range(len(text)):
        yield text[:at] + text[at + 1 :]
        yield text[:at] + text[at] * 2 + text[at + 1 :]
        if at + 1 < len(text):
            yield text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        for char in rng.sample(ALPHABET, 3):
            yield text[:at] + char + text[at:]
            yield text[:at] + char + text[at + 1 :]
        if text[at] != text[at].swapcase():
            yield text[:at] + text[at].swapcase() + text[at + 1 :]
    yield text + rng.choice(ALPHABET)


# Differences that the profiles allow by name, spelled out once more and coarsely: applied to both texts.
ALLOWED = {
    "verbatim": [],
    "typographic": [
        ("[\u00ad\u200b\u200c\u200d\u2060\ufeff]", ""), ("\\s+", " "), ("[“”„«»]", '"'), ("[‘’]", "'"), ("[–−—-]", "-"), ("…", "..."),
        ("Ｅ", "E"), ("é", "e\u0301"), ("ä", "a\u0308"), ("ñ", "n\u0303"), ("ü", "u\u0308"),
    ],
}  # fmt: skip
ALLOWED["extracted"] = [
    ("&amp;", "&"),
    *ALLOWED["typographic"],
    (r"(\w|\s)\*\*|\*\*(\w|\s)", r"\1\2"),
    (r" ?\[3\]", ""),
]
ALLOWED["editorial"] = ALLOWED["extracted"]


def _plain(text, profile):
    for pattern, form in ALLOWED[profile]:
        text = re.sub(pattern, form, text)
    return text.strip() if profile != "verbatim" else text


def _edits(quote, profile):
    """What an editor may have changed at the ends, or by capitals."""
    yield quote
    if profile == "editorial":
        for form in (quote, quote.strip("\"'"), re.sub(r"\[(\w)\]", lambda m: m.group(1).swapcase(), quote)):
            yield form
            yield re.sub(r"[.,;]\s*\Z", "", form)


HARMLESS = re.compile(r"(?:[\W_]|\ba\b)*")
"""All that a single elision put into these quotes may leave out: marks and spaces, and the article."""


def _leaves_nothing_out(plain, quote, profile):
    before, mark, after = (
        _plain(part, "verbatim" if part == "…" else profile) for part in re.split(r"\s*(…)\s*", quote, maxsplit=1)
    )
    start = plain.find(before)
    following = plain.find(after, start + len(before))
    return (
        mark
        and start >= 0
        and following >= 0
        and HARMLESS.fullmatch(plain[start + len(before) : following]) is not None
        and _whole_tokens(plain, start, start + len(before))
        and _whole_tokens(plain, following, following + len(after))
    )


def _is_true(source, quote, profile):
    plain = _plain(source, profile)
    if profile == "editorial" and "…" in quote and _leaves_nothing_out(plain, quote, profile):
        return True
    for form in _edits(quote, profile):
        wanted = _plain(form, profile)
        start = plain.find(wanted)
        while start >= 0 and wanted:
            if _whole_tokens(plain, start, start + len(wanted)):
                return True
            start = plain.find(wanted, start + 1)
        capitals = re.search("THE BUYER .*NOW", plain)
        if profile == "editorial" and capitals:
            lowered = plain[: capitals.start()] + capitals.group().lower() + plain[capitals.end() :]
            if wanted and wanted.lower() in lowered.lower():
                head = wanted.lower().partition("the buyer")[0]
                return head in wanted and head in plain.lower()
    return False


def _whole_tokens(text, start, end):
    return all(not (match.start() < at < match.end()) for match in TOKEN.finditer(text) for at in (start, end)) or any(
        "\u2e80" < text[at - 1 : at] < "\u9fff" or "\u2e80" < text[at : at + 1] < "\u9fff" for at in (start, end)
    )


def _gate(profile):
    return Gate([Passage(key, text, lang="en") for key, text in SOURCES.items()], profile=profile)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("key", "quote"), QUOTES, ids=[f"{key}-{number}" for number, (key, _) in enumerate(QUOTES)])
def test_a_quote_with_one_character_changed_is_withheld(key, quote, profile):
    """(condition 2)"""
    gate = _gate(profile)
    assert gate.judge(reply((CLAIM, [(key, quote)]))).code is ReasonCode.OK
    withheld = 0
    for changed in set(_changes(quote, random.Random(f"{key} {quote}"))) - {quote}:
        decision = gate.judge(reply((CLAIM, [(key, changed)])))
        if decision.claims:
            assert _is_true(SOURCES[key], changed, profile), (profile, changed, decision.claims[0].citations[0].folds)
            citation = decision.claims[0].citations[0]
            assert SOURCES[key][citation.start : citation.end] == citation.quote
        else:
            withheld += 1
    assert withheld > 8 * len(quote)


@pytest.mark.parametrize("key", SOURCES)
def test_a_key_with_one_character_changed_is_withheld(key):
    """(condition 1)"""
    gate = _gate("editorial")
    quote = next(quote for source, quote in QUOTES if source == key)
    for changed in set(_changes(key, random.Random(key))) - {key}:
        decision = gate.judge(reply((CLAIM, [(changed, quote)])))
        assert [refusal.code for refusal in decision.refusals] == ["unknown_citation"]
        assert decision.claims == ()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_claim_with_one_digit_changed_is_withheld(profile):
    """(condition 57)"""
    gate = _gate(profile)
    quote = "A fee of 5 % (at most $1,500.50) is due."
    wording = "The fee is 5 %, at most $1,500.50."
    assert gate.judge(reply((wording, [("returns", quote)]))).code is ReasonCode.OK
    for at, char in enumerate(wording):
        for digit in "0123456789" if char.isdigit() else "":
            changed = wording[:at] + digit + wording[at + 1 :]
            decision = gate.judge(reply((changed, [("returns", quote)])))
            assert bool(decision.claims) == (changed == wording)
            if changed != wording:
                assert [refusal.code for refusal in decision.refusals] == ["number_unsupported"]


@pytest.mark.parametrize("profile", PROFILES)
def test_a_source_with_one_character_changed_no_longer_carries_the_quote(profile):
    quote = "return a bike within 30 days of delivery"
    source = SOURCES["returns"]
    first = source.index(quote)
    for at in range(first, first + len(quote)):
        for char in "x7":
            changed = source[:at] + char + source[at + 1 :]
            if changed != source:
                assert Gate({"a": changed}, profile=profile).judge(reply((CLAIM, [("a", quote)]))).claims == ()
