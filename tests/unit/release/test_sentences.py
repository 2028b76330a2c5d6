"""What a reader sees where nothing was released (condition 34)."""

import pytest

from verified_gate.model import REASONS, ReasonCode, Stage
from verified_gate.release.sentences import SENTENCES, abstention_sentence, withheld_sentence

OF_ANSWERS = [
    code
    for code, reason in REASONS.items()
    if reason.stage in (Stage.RETRIEVAL, Stage.SYNTHESIS, Stage.PROPOSAL, Stage.ANSWER) and code is not ReasonCode.OK
]


@pytest.mark.parametrize("lang", sorted(SENTENCES))
@pytest.mark.parametrize("code", OF_ANSWERS)
def test_every_way_out_has_its_own_sentence_in_every_language(code, lang):
    assert code in SENTENCES[lang]
    assert list(SENTENCES[lang].values()).count(SENTENCES[lang][code]) == 1


@pytest.mark.parametrize(("lang", "where"), [("en", "what you may read"), ("de", "Sie lesen dürfen")])
def test_every_sentence_says_where_was_looked_and_none_says_there_is_no_answer(lang, where):
    for sentence in SENTENCES[lang].values():
        assert where.casefold() in sentence.casefold()
        assert "no answer exists" not in sentence
        assert "there is no answer" not in sentence.casefold()
        assert "es gibt keine antwort" not in sentence.casefold()


@pytest.mark.parametrize("lang", ["de", "de-AT", "DE", "de_CH"])
def test_a_region_or_case_of_the_language_does_not_matter(lang):
    assert abstention_sentence(ReasonCode.NO_EVIDENCE, lang) == SENTENCES["de"][ReasonCode.NO_EVIDENCE]


@pytest.mark.parametrize("lang", ["xx", "", "\x1b", "fr"])
def test_an_unknown_language_gets_english(lang):
    assert abstention_sentence(ReasonCode.NO_EVIDENCE, lang) == SENTENCES["en"][ReasonCode.NO_EVIDENCE]


def test_the_count_of_withheld_claims_is_told_in_the_readers_language():
    assert withheld_sentence(1) == "1 claim withheld"
    assert withheld_sentence(2) == "2 claims withheld"
    assert withheld_sentence(1, "de") == "1 Aussage zurückgehalten"
    assert withheld_sentence(3, "de-AT") == "3 Aussagen zurückgehalten"
