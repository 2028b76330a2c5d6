"""Offsets map back to the source through every fold, in code points, and never split a character as a reader counts."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import documents, quoted, quotes_of
from tests.verdicts import PROFILES
from verified_gate import Gate, Passage, VerifiedCitation
from verified_gate.gate.folding import fold
from verified_gate.model.folds import PROFILES as NAMED

_LETTER_MARKS = re.compile(
    "[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\ufe0f\U0001f3fb-\U0001f3ff]"
)


def _splits_character(text, at):
    """An independent reading of what is one character: a mark with its letter, CR LF, a joined emoji, a flag's half."""
    if at in (0, len(text)):
        return False
    before, after = text[at - 1], text[at]
    if (before, after) == ("\r", "\n"):
        return True
    if before in "\r\n\u200b\ufeff\u00ad":
        return False
    if after == "\u200d" or unicodedata.combining(after) or _LETTER_MARKS.match(after):
        return True
    if before == "\u200d" and after > "\U0001f000" and at > 1 and text[at - 2] > "\u2190":
        return True
    if "\u1160" <= after <= "\u11ff" and "\u1100" <= before <= "\u11ff":
        return True
    flags = re.search("[\U0001f1e6-\U0001f1ff]*\\Z", text[:at])
    return "\U0001f1e6" <= after <= "\U0001f1ff" and len(flags.group()) % 2 == 1


def _check(source, quote, profile, verdict):
    assert isinstance(verdict, VerifiedCitation), (profile, source, quote, verdict)
    assert source[verdict.start : verdict.end] == verdict.quote
    assert 0 <= verdict.start < verdict.end <= len(source)
    assert not _splits_character(source, verdict.start)
    assert not _splits_character(source, verdict.end)


DRESSES = {
    "typographic": [
        lambda q: re.sub(r"\s+", " ", q),
        lambda q: re.sub(r"\s+", "\r\n", q),
        lambda q: re.sub(r"\s+", " \u00a0\t ", q),
        lambda q: q.translate(dict.fromkeys(map(ord, "“”„«»"), '"')).translate(dict.fromkeys(map(ord, "‘’"), "'")),
        lambda q: q.translate(str.maketrans({"'": "’"})),
        lambda q: q.translate(str.maketrans(dict.fromkeys("–—−‑", "-"))),
        lambda q: q.replace("-", "\u2013"),
        lambda q: q.replace("…", "..."),
        lambda q: q.replace("...", "…"),
        lambda q: q.replace("ﬁ", "fi"),
        lambda q: q.replace("fi", "ﬁ"),
        lambda q: unicodedata.normalize("NFD", q),
        lambda q: unicodedata.normalize("NFC", q),
        lambda q: re.sub("[！-～]", lambda m: chr(ord(m.group()) - 0xFEE0), q),
        lambda q: re.sub("[0-9A-Z]", lambda m: chr(ord(m.group()) + 0xFEE0), q),
        lambda q: q.replace("\u00ad", ""),
    ],
    "extracted": [
        lambda q: re.sub(r"(?<=[a-z])-\s*[\r\n]+\s*(?=[a-z])", "", q),
        lambda q: re.sub("(?<=[\u4e00-\u9fff])[\r\n](?=[\u4e00-\u9fff])", "", q),
        lambda q: q.replace("&amp;", "&").replace("&nbsp;", "\u00a0"),
        lambda q: q.replace("&", "&amp;") if "&" in q and ";" not in q else q,
    ],
    "editorial": [lambda q: f"“{q}”", lambda q: f'"{q}"'],
}
DRESSES["extracted"] = DRESSES["typographic"] + DRESSES["extracted"]
DRESSES["editorial"] = DRESSES["extracted"] + DRESSES["editorial"]


@given(st.data())
def test_a_true_quote_however_dressed_is_found_and_its_span_is_the_sources(data):
    source, quote = data.draw(quoted())
    profile = data.draw(st.sampled_from(PROFILES[1:]))
    dress = data.draw(st.sampled_from(DRESSES[profile]))
    dressed = dress(quote)
    verdict = Gate({"a": source}, profile=profile).verify("a", dressed)
    _check(source, dressed, profile, verdict)
    assert verdict.folds == () if dressed in source else True


@given(st.data())
def test_a_dressed_source_gives_its_own_characters(data):
    plain, quote = data.draw(quoted())
    source = data.draw(st.sampled_from(DRESSES["typographic"][:4]))(plain)
    verdict = Gate({"a": source}, profile="typographic").verify("a", quote)
    _check(source, quote, "typographic", verdict)


@given(st.data())
def test_no_released_span_splits_a_character_or_differs_from_the_source(data):
    source = data.draw(documents())
    profile = data.draw(st.sampled_from(PROFILES))
    quote = data.draw(quotes_of(source) | documents(1, 6))
    verdict = Gate([Passage("a", source, lang="en")], profile=profile).verify("a", quote)
    if isinstance(verdict, VerifiedCitation):
        _check(source, quote, profile, verdict)
        assert verdict.folds or verdict.quote in (quote, quote.strip())


@given(documents(), st.sampled_from(PROFILES))
def test_every_place_of_the_folded_form_maps_back_into_the_source_in_order(source, profile):
    folded = fold(source, NAMED[profile].folds)
    last = 0
    for at in range(len(folded.form)):
        span = folded.source_span(at, at + 1)
        if span is not None:
            start, end = span
            assert last <= start < end <= len(source)
            last = start
    if folded.form:
        whole = folded.source_span(0, len(folded.form))
        assert whole is not None
        dropped = source[: whole[0]] + source[whole[1] :]
        assert not dropped.strip("\u00ad\u200b\u200c\u200d\u2060\ufeff")


@given(documents(), st.integers(0, 10_000))
def test_offsets_count_in_the_document_where_the_place_is_known(source, start):
    for passage in (Passage("a", source), Passage("a", source, start=start)):
        verdict = Gate([passage]).verify("a", source.strip())
        if isinstance(verdict, VerifiedCitation):
            base = passage.start or 0
            assert source[verdict.start - base : verdict.end - base] == verdict.quote
            assert verdict.offsets == ("passage" if passage.start is None else "document")
