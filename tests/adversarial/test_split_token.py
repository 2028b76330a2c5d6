"""Attack family: a true substring that begins or ends inside a word, a compound or a character of its source.

Numbers are in test_altered_number, negations in test_dropped_negation.
"""

import pytest

from tests.verdicts import code, codes, verdict

SPLIT = {
    "start inside a word": ("we like the cancellation here", "cellation here it", None),
    "word's end": ("we like the cancellation", "we like the cancel", "we like the cancellation"),
    "word's start": ("the reinstatement is made", "instatement is made", "reinstatement is made"),
    "word and digit": ("see form B12 of it", "12 of it", "B12 of it"),
    "digit and word": ("see form 12B of it", "see form 12", "see form 12B"),
    "after a hyphen": ("take an x-ray of it", "ray of it", "x-ray of it"),
    "after the second hyphen": ("a state-of-the-art thing now", "art thing now", "state-of-the-art thing now"),
    "before a hyphen": ("we make an interest-free loan", "we make an interest", "we make an interest-free"),
    "on a hyphen": ("we make an interest-free loan", "we make an interest-", "we make an interest-free"),
    "from a hyphen": ("we make an interest-free loan", "-free loan here", None),
    "from the hyphen on": ("make an interest-free loan now", "-free loan now", "interest-free loan now"),
    "no-break hyphen": ("take an x\u2011ray of it", "ray of it", "x\u2011ray of it"),
    "elided article": ("avec l’homme de la maison", "homme de la maison", "l’homme de la maison"),
    "elided article, straight": ("avec l'homme de la maison", "homme de la maison", "l'homme de la maison"),
    "from an apostrophe": ("it is the tenant's share now", "'s share now", "tenant's share now"),
    "on an apostrophe": ("it is the tenant's share", "it is the tenant'", "it is the tenant's"),
    "suffix only": ("Ankara'da oturan kişiler var", "da oturan kişiler", "Ankara'da oturan kişiler"),
    "irish name": ("signed by O'Brien of Cork", "Brien of Cork", "O'Brien of Cork"),
    "arabic clitic": ("زار والمدرسة الكبيرة اليوم", "المدرسة الكبيرة اليوم", "والمدرسة الكبيرة اليوم"),
    "arabic article": ("زار المدرسة الكبيرة اليوم", "مدرسة الكبيرة اليوم", "المدرسة الكبيرة اليوم"),
    "hebrew prefix": ("הוא גר בבית הגדול היום", "בית הגדול היום", "בבית הגדול היום"),
    "korean word": ("그는 대한민국은 좋다고 했다", "민국은 좋다고 했다", "대한민국은 좋다고 했다"),
    "russian word": ("это несправедливо по закону", "справедливо по закону", "несправедливо по закону"),
    "greek word": ("είναι αδύνατο να γίνει", "δύνατο να γίνει", "αδύνατο να γίνει"),
    "combining mark at the start": ("un e\u0301tat de choses ici", "\u0301tat de choses ici", "e\u0301tat de choses ici"),
    "letter of a mark": ("il est au cafe\u0301 ici", "il est au cafe", "il est au cafe\u0301"),
    "two marks": ("il est au ve\u0323\u0302 ici", "il est au ve\u0323", "il est au ve\u0323\u0302"),
    "hindi vowel sign": ("यह किताब की बात है", "ी बात है यह", None),
    "hindi conjunct": ("वह क्षत्रिय था और है", "षत्रिय था और", "क्षत्रिय था और"),
    "hindi end": ("वह बड़ा क्षत्रिय था", "वह बड़ा क्षत्रि", "वह बड़ा क्षत्रिय"),
    "tamil": ("அவர் தமிழ் பேசுகிறார் இங்கு", "மிழ் பேசுகிறார் இங்கு", "தமிழ் பேசுகிறார் இங்கு"),
    "thai vowel": ("เขาอยู่ที่บ้านหลังนี้นาน", "่บ้านหลังนี้นาน", "บ้านหลังนี้นาน"),
    "hangul jamo": ("see \u1112\u1161\u11ab word is here", "\u11ab word is here", "\u1112\u1161\u11ab word is here"),
    "joined emoji": ("see \U0001f469\u200d\U0001f467 at home now", "\U0001f467 at home now", "\U0001f469\u200d\U0001f467 at home now"),
    "emoji's joiner": ("we see it here \U0001f469\u200d\U0001f467 now", "we see it here \U0001f469", "we see it here \U0001f469\u200d\U0001f467"),
    "skin tone": ("wave to all \U0001f44b\U0001f3fd now", "wave to all \U0001f44b", "wave to all \U0001f44b\U0001f3fd"),
    "flag": ("the flag is \U0001f1e9\U0001f1ea now", "the flag is \U0001f1e9", "the flag is \U0001f1e9\U0001f1ea"),
    "second flag": ("flags \U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7 are here now", "\U0001f1ea\U0001f1eb are here now", None),
    "keycap": ("press the key 1\ufe0f\u20e3 now", "press the key 1", "press the key 1\ufe0f\u20e3"),
    "zero width inside a word": ("he is un\u200bable to pay it", "able to pay it", "he is un\u200bable to pay it"),
    "soft hyphen inside a word": ("he is un\u00adable to pay it", "able to pay it", "he is un\u00adable to pay it"),
    "emphasis inside a word": ("he is **un**able to pay it", "able to pay it", "he is **un**able to pay it"),
    "line-end hyphen": ("he is un-\nable to pay it", "able to pay it", "he is un-\nable to pay it"),
    "line-end hyphen, CR LF": ("he is un-\r\nable to pay it", "able to pay it", "he is un-\r\nable to pay it"),
    "line-end hyphen, indented": ("he is un- \n  able to pay it", "able to pay it", "he is un- \n  able to pay it"),
    "pdf line-end mark": ("he is un\ufffeable to pay it", "able to pay it", None),
    "ends on a line-end hyphen": ("we have some inter-\nest in it", "we have some inter-", "we have some inter-\nest in it"),
    "ends before a line-end hyphen": ("we have some inter-\nest in it", "we have some inter", "we have some inter-\nest in it"),
}  # fmt: skip


@pytest.mark.code("quote_splits_token")
@pytest.mark.parametrize("name", SPLIT)
def test_a_quote_that_splits_a_token_is_refused_under_every_profile(name):
    source, split, whole = SPLIT[name]
    if whole is None:
        assert "ok" not in codes(source, split)
    else:
        assert codes(source, split) == {"quote_splits_token"}
        assert codes(source, whole) == {"ok"}


CLEAN = {
    "before an apostrophe suffix": ("They live in Ankara'da now", "They live in Ankara"),
    "before a genitive": ("it is the tenant’s share", "it is the tenant"),
    "between ideographs": ("患者被给予250毫克静脉注射头孢", "静脉注射"),
    "thai": ("สัญญาเช่าฉบับนี้มีผล", "สัญญาเช่า"),
    "japanese": ("この契約は解除できません。", "契約は解除"),
    "ideograph beside letters": ("使用Python编写程序代码", "编写程序代码"),
    "after a bracket": ("see (the buyer pays) here", "the buyer pays"),
    "after an em dash": ("It is so—the buyer pays—always", "the buyer pays"),
    "after a spaced dash": ("It is so - the buyer pays - always", "the buyer pays"),
    "after a quotation mark": ("he said “the buyer pays” then", "the buyer pays"),
    "after emphasis": ("he said **the buyer pays** then", "the buyer pays"),
    "between ideographic quotation marks": ("他说“这是一个测试”并且", "这是一个测试"),
    "between ideographic brackets": ("第3条（解除合同的条件）", "解除合同的条件"),
    "after a list letter": ("(a)The buyer pays it", "The buyer pays"),
    "after a footnote": ("note.[1] The buyer pays it", "The buyer pays"),
    "after a tag": ("<b>the buyer pays</b>", "the buyer pays"),
    "in a link": ("see [the buyer pays](x) here", "the buyer pays"),
    "before an ending in brackets": ("all of the person(s) named here", "all of the person"),
    "after a slash": ("the owner and/or the buyer pays", "the buyer pays"),
    "after a full stop": ("It ends.The buyer pays it", "The buyer pays"),
    "after a line break": ("It ends\nthe buyer pays it", "the buyer pays"),
    "after a bullet": ("• the buyer pays it", "the buyer pays"),
    "after a colon": ("then: the buyer pays it", "the buyer pays"),
    "hindi words": ("क्षत्रिय लोग यहाँ रहते हैं", "लोग यहाँ रहते"),
    "arabic words": ("زار المدرسة الكبيرة اليوم كله", "المدرسة الكبيرة اليوم"),
    "whole flag": ("flags \U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7 are here now", "\U0001f1eb\U0001f1f7 are here now"),
    "at both ends": ("the buyer pays", "the buyer pays"),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_quote_with_borders_that_the_source_has_passes(name):
    assert codes(*CLEAN[name]) == {"ok"}


def test_of_two_places_the_sound_one_is_meant():
    source = "unable to pay it, and able to pay it"
    assert codes(source, "able to pay it") == {"ok"}
    assert codes("unable to pay it, unable to pay it", "able to pay it") == {"quote_splits_token"}


def test_a_quote_never_ends_between_carriage_return_and_line_feed():
    source = "one two three\r\nfour five"
    assert code(source, "one two three\r") == "quote_splits_token"
    assert code(source, "\nfour five six") != "ok"
    assert codes(source, "one two three\r\n") == codes(source, "one two three") == {"ok"}
    assert verdict(source, "one two three\r", "typographic").quote == "one two three"
