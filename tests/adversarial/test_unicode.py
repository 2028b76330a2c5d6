"""Attack family: characters that look alike, cannot be seen, or are spelled in another way."""

import sys
import unicodedata

import pytest

from tests.verdicts import PROFILES, code, code_of, codes, verdict
from verified_gate import Gate, VerifiedCitation

SOURCE = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize(
    ("source", "quote"),
    [
        pytest.param(SOURCE, QUOTE.replace("a", "\u0430"), id="Cyrillic a"),
        pytest.param(SOURCE, QUOTE.replace("e", "\u0435", 1), id="Cyrillic e"),
        pytest.param(SOURCE, QUOTE.replace("i", "\u0456", 1), id="Cyrillic i"),
        pytest.param("the Oil of May here", "the \u039fil of May", id="Greek O"),
        pytest.param(SOURCE, QUOTE.replace("b", "\U0001d41b"), id="mathematical bold b"),
        pytest.param(SOURCE, QUOTE.replace("30", "3O"), id="letter O for zero"),
        pytest.param(SOURCE, QUOTE.replace("30", "\u0663\u0660"), id="Arabic digits"),
        pytest.param("a dose of 50 \u00b5g daily", "a dose of 50 \u03bcg daily", id="micro sign for mu"),
        pytest.param("the K\u00f6nig of all", "the Konig of all", id="umlaut dropped"),
        pytest.param("durante el año pasado", "durante el ano pasado", id="tilde dropped"),
        pytest.param("bugün ışık var işte", "bugün isik var işte", id="Turkish dots"),
        pytest.param("in der Straße am Park", "in der Strasse am Park", id="sharp s"),
        pytest.param("a case of œdema here", "a case of oedema here", id="oe"),
        pytest.param("the æther is here", "the aether is here", id="ae"),
        pytest.param("het ĳs is koud", "het ijs is koud", id="ij"),
        pytest.param("an area of 10² m", "an area of 102 m", id="superscript"),
        pytest.param("see point ① of it", "see point 1 of it", id="circled digit"),
        pytest.param("sold by ㈱ of Japan", "sold by (株) of Japan", id="parenthesised ideograph"),
        pytest.param("the №5 of it", "the No5 of it", id="numero sign"),
        pytest.param("a Brand™ of it", "a BrandTM of it", id="trade mark"),
        pytest.param("五陰覆蓋其心", "五阴覆盖其心", id="simplified for traditional"),
        pytest.param("한국어 문장이 있다", "한국어 문장이 없다", id="Hangul final"),
        pytest.param("ﷺ is written so", "صلى الله عليه وسلم is written so", id="Arabic ligature"),
        pytest.param("ﺍﻟﻌﺮﺑﻴﺔ هي اللغة", "العربية هي اللغة", id="Arabic presentation forms"),
        pytest.param("ｱｲｳｴｵ の文字列です", "アイウエオ の文字列です", id="half-width katakana"),
        pytest.param("a 5″ board of wood", 'a 5" board of wood', id="double prime"),
        pytest.param("a 5′ board of wood", "a 5' board of wood", id="prime"),
        pytest.param("risk ≥ 5 is high", "risk >= 5 is high", id="operator"),
        pytest.param("THE STRASSE IS LONG NOW", "the straße is long now", id="sharp s in capitals"),
    ],
)
def test_what_only_looks_alike_is_refused_under_every_profile(source, quote):
    assert codes(source, quote) == {"quote_mismatch"}
    assert codes(source, source) == {"ok"}


@pytest.mark.code("hidden_characters")
@pytest.mark.parametrize(
    "char",
    [
        *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
        "\U000e0001", "\U000e0041", "\U000e007f", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd",
        "\U00013430", "\U00013438", "\U0001bca0", "\U0001bca3", "\U0001d173", "\U0001d17a",
        *"\ufff9\ufffa\ufffb\ufffc\u2061\u2062\u2063\u2064\u206a\u206f\u180e",
        *"\x00\x01\x07\x08\x0e\x1b\x7f\x80\x9f", "\ud800", "\udfff", "\uffff",
    ],
)  # fmt: skip
def test_a_hidden_character_in_the_quote_is_refused_under_every_profile(char):
    quote = f"return a {char}bike within 30 days"
    assert codes(SOURCE, quote) == {"hidden_characters"}
    assert codes(SOURCE, quote.replace(char, "")) == {"ok"}
    assert codes(SOURCE.replace("bike", f"{char}bike"), quote) == {"hidden_characters"}


@pytest.mark.parametrize("char", "\u00ad\u200b\u200c\u200d\u2060\ufeff")
def test_a_harmless_invisible_character_is_folded_or_must_stand_in_the_source(char):
    quote = f"return a bi{char}ke within 30 days"
    assert code(SOURCE, quote) == "hidden_characters"
    assert {code(SOURCE, quote, profile) for profile in PROFILES[1:]} == {"ok"}
    same = verdict(SOURCE.replace("bike", f"bi{char}ke"), quote)
    assert isinstance(same, VerifiedCitation)
    assert same.quote == quote


def test_every_character_that_unicode_calls_invisible_is_refused_or_folded_when_put_into_a_quote():
    """Categories Cf, Co, Cs, Cc, Zl and Zp, marks, and the letters that have no shape."""
    gates = {profile: Gate({"a": SOURCE}, profile=profile) for profile in ("verbatim", "editorial")}
    folded = set("\u00ad\u200b\u200c\u200d\u2060\ufeff")
    chars = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cf", "Cc", "Zl", "Zp", "Mn", "Me")
        or char in "\ud800\udbff\udc00\udfff\ue000\uf8ff\U000f0000\U0010fffd\u115f\u1160\u3164\uffa0\u2800"
    ]
    assert len(chars) > 2_000
    for char in chars:
        quote = f"return a b{char}ike within 30 days"
        assert code_of(gates["verbatim"].verify("a", quote)) in ("hidden_characters", "quote_mismatch"), hex(ord(char))
        assert (code_of(gates["editorial"].verify("a", quote)) == "ok") == (char in folded), hex(ord(char))


@pytest.mark.parametrize(
    ("source", "quote", "without"),
    [
        ("من می\u200cخواهم این کتاب را", "من می\u200cخواهم این کتاب", "من میخواهم این کتاب"),
        ("यह क्\u200dष की बात है", "यह क्\u200dष की बात", "यह क्ष की बात"),
        ("see \U0001f469\u200d\U0001f467 at home now", "see \U0001f469\u200d\U0001f467 at home", "see \U0001f469\U0001f467 at home"),
        ("see \u2764\ufe0f\u200d\U0001f525 at home now", "see \u2764\ufe0f\u200d\U0001f525 at home", "see \u2764\ufe0f\U0001f525 at home"),
        ("ภาษา\u200bไทยและภาษา\u200bลาว", "ภาษา\u200bไทยและ", "ภาษาไทยและ"),
    ],
)  # fmt: skip
def test_a_joiner_that_its_script_needs_is_part_of_the_word(source, quote, without):
    assert codes(source, quote) == {"ok"}
    assert codes(source, without) == {"quote_mismatch"}


@pytest.mark.code("hidden_characters")
def test_a_direction_mark_passes_only_where_the_right_to_left_source_has_it():
    quote = "שלום \u200fלכל העולם"
    assert codes("שלום \u200fלכל העולם כאן", quote) == {"ok"}
    assert codes("שלום לכל העולם כאן", quote) == {"hidden_characters"}
    assert codes("peace \u200fto all the world", "peace \u200fto all") == {"hidden_characters"}
    assert codes("שלום \u202eלכל העולם כאן", "שלום \u202eלכל העולם") == {"hidden_characters"}


@pytest.mark.parametrize(
    "text",
    ["un café noir ici", "das schöne Haus", "việt nam đẹp quá", "ελληνικά είναι ωραία", "русский йогурт тут", "한국어 문장이 있다", "각 나라의 말이", "がぎぐげご です", "Ångström is a unit", "ḍ̇ and q̣̇ are marks"],
)  # fmt: skip
def test_canonical_spellings_are_one_text_and_only_where_the_profile_says_so(text):
    forms = {unicodedata.normalize(form, text) for form in ("NFC", "NFD")}
    for source in forms:
        for quote in forms:
            assert code(source, quote) == ("ok" if source == quote else "quote_mismatch")
            for profile in PROFILES[1:]:
                citation = verdict(source, quote, profile)
                assert isinstance(citation, VerifiedCitation)
                assert citation.quote == source
                assert citation.folds == (() if source == quote else ("canonical",))


def test_singletons_that_unicode_declares_equal_are_one_text():
    for source, quote in (("5 \u212b is short", "5 \u00c5 is short"), ("5 \u2126 is little", "5 \u03a9 is little")):
        assert code(source, quote) == "quote_mismatch"
        assert code(source, quote, "typographic") == "ok"


@pytest.mark.parametrize("value", ["\ud800", "\udc00 a b c", "a b c \ud83d", "\ud83d\ude00 a b c"])
def test_a_lone_surrogate_anywhere_raises_nothing(value):
    gate = Gate({"a": f"{value} here it is", value: SOURCE})
    assert code_of(gate.verify("a", value)) == "hidden_characters"
    assert code_of(gate.verify(value, QUOTE)) == "ok"
    assert code_of(gate.verify("a", "here it is", prefix=value, suffix=value)) == "ok"
    assert gate.judge('{"claims": [{"text": "\\ud800", "citations": []}]}').code == "invalid_json"


@pytest.mark.parametrize("dress", ["NFKC", "NFKD"])
def test_compatibility_is_never_applied(dress):
    for source in (
        "an area of 10² m",
        "add ½ cup of it",
        "see point ① of it",
        "signed by Henry Ⅷ here",
        "the ℌ space is ∞",
        "sold by ㍿ here now",
    ):
        quote = unicodedata.normalize(dress, source)
        if quote != source:
            assert "ok" not in codes(source, quote)
