"""The contract's list "What must stay refused under every profile", and the sections MATCH and UNI of users' reports."""

import unicodedata

import pytest

from tests.verdicts import PROFILES, code, codes, verdict
from verified_gate import Gate, Passage, Profile, VerifiedCitation
from verified_gate.model.folds import FOLDS

REFUSED = {
    "a changed digit": ("within 30 days of it", "within 80 days of it"),
    "a changed name": ("signed by Henry of Kent", "signed by Harry of Kent"),
    "a changed unit": ("take 50 mg of it", "take 50 g of it"),
    "a changed currency": ("a fee of $20 a year", "a fee of £20 a year"),
    "a changed operator": ("if x ≥ 5 mg of it", "if x ≤ 5 mg of it"),
    "a changed sign": ("a change of −5 % now", "a change of +5 % now"),
    "a changed decimal separator": ("a rate of 1.5 a year", "a rate of 1,5 a year"),
    "a changed group separator": ("a sum of 1,500 euros", "a sum of 1.500 euros"),
    "a dropped word": ("the buyer shall not pay", "the buyer shall pay"),
    "an added word": ("the buyer shall pay it", "the buyer shall never pay it"),
    "singular for plural": ("all the buyers pay it", "all the buyer pay it"),
    "a dropped accent": ("durante el año pasado", "durante el ano pasado"),
    "a dropped dot": ("bugün işık vardı orada", "bugün ışık vardı orada"),
    "ss for ß": ("in der Straße am Park", "in der Strasse am Park"),
    "a look-alike letter": ("ask the paypal team", "ask the p\u0430ypal team"),
    "a superscript flattened": ("an area of 10² m", "an area of 102 m"),
    "a fraction flattened": ("add ½ cup of it", "add 12 cup of it"),
    "a Roman numeral for a digit": ("by Henry VIII of Kent", "by Henry 8 of Kent"),
    "a date reordered": ("on 12/05/2020 at noon", "on 05/12/2020 at noon"),
    "case that carries meaning": ("ship to the US today", "ship to the us today"),
    "a moved word border": ("there is no table here", "there is notable here"),
    "parts spliced without a mark": ("the buyer pays. Later the seller pays tax", "the buyer pays tax"),
    "an elision that hides a negation": ("It is not permitted to sell it.", "It is … permitted to sell it."),
    "an elision that hides a condition": ("He may, if asked, sell the bike.", "He may … sell the bike."),
    "text of another passage": ("the fee is waived", "some words of another"),
    "an empty quote": ("within 30 days of it", ""),
    "a blank quote": ("within 30 days of it", " \n "),
    "a one-letter quote": ("a b c d e f", "b"),
    "a stop-word quote": ("is in the of a to", "in the of"),
    "a start inside a token": ("give 15 mg twice daily", "5 mg twice daily"),
    "an end inside a token": ("we like the cancellation", "we like the cancel"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_it_stays_refused_under_every_profile_and_every_single_fold(name):
    """(condition 2)"""
    source, quote = REFUSED[name]
    assert "ok" not in codes(source, quote)
    assert "ok" not in {code(source, quote, Profile.of(fold)) for fold in FOLDS}
    assert codes(source, source) == {"ok"} or name == "a stop-word quote"


def _first(source, quote):
    """The narrowest profile that finds it, its folds and the released quote."""
    for profile in PROFILES:
        citation = verdict(source, quote, profile)
        if isinstance(citation, VerifiedCitation):
            assert source[citation.start : citation.end] == citation.quote
            return profile, citation.folds, citation.quote
    return None


class TestHonestQuotesThatUsersSawRefused:
    """Reports filed under MATCH."""

    def test_line_breaks_inside_a_word_for_word_quote(self):
        source = "permission to\nreproduce the tables\n        freely"
        found = _first(source, "permission to reproduce the tables freely")
        assert found == ("typographic", ("whitespace",), source)

    def test_padding_between_columns(self):
        source = "This gives    us the       cost    savings"
        assert _first(source, "This gives us the cost savings") == ("typographic", ("whitespace",), source)

    def test_a_ligature_is_folded_and_a_letter_is_not(self):
        source = "amyloid ﬁbrils are seen"
        assert _first(source, "amyloid fibrils are seen") == ("typographic", ("ligatures",), source)
        assert _first("a case of œdema here", "a case of oedema here") is None
        assert _first("the old æther here", "the old aether here") is None

    def test_curly_quotes_no_break_hyphen_and_dash(self):
        source = "risk ≥ 5 – the “worst‑case” figure"
        found = _first(source, 'risk ≥ 5 - the "worst-case" figure')
        assert found == ("typographic", ("quotes", "dashes"), source)

    def test_an_operator_in_ascii_stays_refused(self):
        assert _first("risk ≥ 5 is high", "risk >= 5 is high") is None

    def test_a_minus_in_ascii_is_a_minus_still(self):
        """The contract: U+2212 equals `-`; a sign is never dropped."""
        assert _first("a change of −5 % now", "a change of -5 % now") == (
            "typographic",
            ("dashes",),
            "a change of −5 % now",
        )
        assert _first("a change of −5 % now", "a change of 5 % now") is None

    def test_an_apostrophe_that_nfkc_leaves_alone(self):
        source = "they can’t terminate it"
        assert unicodedata.normalize("NFKC", source) == source
        assert _first(source, "they can't terminate it") == ("typographic", ("quotes",), source)

    def test_a_hyphen_that_the_extractor_deleted_is_not_put_back(self):
        assert _first("the pricedetermining factors", "the price-determining factors") is None

    def test_a_line_end_hyphen_is_joined_or_kept(self):
        source = "the price-\ndetermining factors"
        for quote in ("the price-determining factors", "the pricedetermining factors"):
            profile, folds, found = _first(source, quote)
            assert (profile, found) == ("extracted", source)
            assert "line-hyphen" in folds
        assert _first(source, "the price determining factors") is None

    def test_a_quote_with_an_unimportant_part_left_out_is_no_quote(self):
        words = " ".join(f"word{number}" for number in range(200))
        assert _first(words, words.replace(" word100 word101 word102 word103 word104 word105", "")) is None

    def test_simplified_characters_of_a_traditional_text(self):
        assert _first("五陰覆蓋其心", "五阴覆盖其心") is None

    def test_a_quote_over_two_neighbouring_chunks_is_told_or_released_with_both_keys(self):
        text = "The sum shall be paid within 30 days of it."
        chunks = [Passage(key, text[a:b], "d", version="1", start=a) for key, a, b in (("c0", 0, 22), ("c1", 22, 43))]
        quote = "shall be paid within 30 days"
        assert Gate(chunks).verify("c0", quote).code == "quote_crosses_passages"
        citation = Gate(chunks, scope="document").verify("c0", quote)
        assert (citation.quote, citation.keys) == (quote, ("c0", "c1"))

    def test_chinese_words_have_their_interval(self):
        citation = verdict("患者被给予250毫克静脉注射头孢", "静脉注射")
        assert (citation.start, citation.end, citation.folds) == (10, 14, ())


class TestOffsetsThatUsersSawWrong:
    """Reports filed under UNI."""

    @pytest.mark.parametrize(
        "before",
        ["\U0001f600 ", "e\u0301e\u0301 ", "\ufeff", "a\r\nb\r\n", "\U00010400\U00010401 ", "\U0001f1e9\U0001f1ea ", "静脉注射。", "שלום ", "हिन्दी ", "\u200d ", "\x00 "],
    )  # fmt: skip
    @pytest.mark.parametrize("profile", PROFILES)
    def test_offsets_are_code_points_and_convert_to_utf8_and_utf16(self, before, profile):
        source = f"{before}the quote stands here"
        quote = "the quote stands"
        citation = verdict(source, quote, profile)
        assert (citation.start, citation.end) == (len(before), len(before) + len(quote))
        for encoding, width in (("utf-8", 1), ("utf-16-le", 2)):
            start, end = (len(source[:at].encode(encoding)) // width for at in (citation.start, citation.end))
            assert source.encode(encoding)[start * width : end * width].decode(encoding) == quote

    def test_a_quote_longer_than_its_source_is_refused_never_partly_placed(self):
        assert _first("每份约200克，含548大卡", "每份约200克，含548大卡，含12克蛋白质") is None

    def test_the_end_is_exclusive(self):
        source = "see the quote stands here"
        citation = verdict(source, "the quote stands")
        assert source[citation.start : citation.end] == "the quote stands"
