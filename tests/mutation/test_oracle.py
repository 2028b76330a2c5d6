"""The judge itself: true quotes are true and false ones false, profile by profile, as the contract says."""

import pytest

from tests.mutation.borders import clean_end, clean_start
from tests.mutation.oracle import Source, true_quote
from tests.mutation.reading import PROFILES

NEVER = "none"
# source, quote, the narrowest profile under which it is a true quote
TABLE = [
    ("You may return it within 30 days of delivery.", "within 30 days of delivery", "verbatim"),
    ("give 15 mg twice daily", "5 mg twice daily", NEVER),
    ("he is unable to cancel it", "able to cancel it", NEVER),
    ("a non-refundable fee is due", "refundable fee is due", NEVER),
    ("an interest-free loan is given", "an interest", NEVER),
    ("the tenant's own duty here", "of the tenant", NEVER),
    ("all of the tenant's own duty", "all of the tenant", "verbatim"),
    ("the tenants can't terminate it", "the tenants can", NEVER),
    ("gidip Ankara'da iki yıl kaldı", "ve gidip Ankara", NEVER),
    ("oraya gidip Ankara'da kaldı", "oraya gidip Ankara", "verbatim"),
    ("il voit l'homme et la femme", "homme et la femme", NEVER),
    ("a loss of −5 % was seen", "5 % was seen", NEVER),
    ("a fee of US$500 per year", "$500 per year", NEVER),
    ("a fee of 1,500 per year", "500 per year", NEVER),
    ("a fee of 1,500 per year", "a fee of 1", NEVER),
    ("the area is 50 m² or so", "the area is 50 m", NEVER),
    ("it grew by 5% last year", "it grew by 5", NEVER),
    ("the years 2010-2015 were dry", "2015 were dry years", NEVER),
    ("permission to\nreproduce   the tables", "permission to reproduce the tables", "typographic"),
    ("a nother day of rest", "another day of rest", NEVER),
    ("the “worst‑case” figure – here", 'the "worst-case" figure - here', "typographic"),
    ("he can’t terminate it", "he can't terminate it", "typographic"),
    ("amyloid ﬁbrils were seen", "amyloid fibrils were seen", "typographic"),
    ("the œdema was seen", "the oedema was seen", NEVER),
    ("about 10² units are there", "about 102 units are there", NEVER),
    ("risk ≥ 5 was found", "risk >= 5 was found", NEVER),
    ("año nuevo de paz", "ano nuevo de paz", NEVER),
    ("die Straße ist lang", "die Strasse ist lang", NEVER),
    ("cafe\u0301 on the left", "caf\u00e9 on the left", "typographic"),
    ("ＡＢＣ １５ items here", "ABC 15 items here", "typographic"),
    ("in\u00adfor\u00admation is power here", "information is power here", "typographic"),
    ("see infor-\nmation on prices", "see information on prices", "extracted"),
    ("the price-\ndetermining factors", "the price-determining factors", "extracted"),
    ("the price-\ndetermining factors", "determining factors of it", NEVER),
    ("the co-maintainer of it", "the co-\nmaintainer of it", "extracted"),
    ("see information on prices", "see infor-\nmation on prices", "extracted"),
    ("it was then resigned again", "it was then re-\nsignd again", NEVER),
    ("pages 10-\n12 are lost there", "pages 1012 are lost there", NEVER),
    ("the public\ufffefacing parts of it", "the public-facing parts of it", "extracted"),
    ("the public\ufffefacing parts of it", "the public- facing parts of it", "extracted"),
    ("中文文本在此\n继续往下写", "文本在此继续往下写", "extracted"),
    ("患者被给予250毫克静脉注射头孢", "静脉注射", "verbatim"),
    ("共有三十五名学生参加", "十五名学生参加", NEVER),
    ("• the first item\n• the second item", "the first item the second item", "extracted"),
    ("we count\n- 5 degrees are cold", "we count 5 degrees are cold", NEVER),
    ("a product of 3 · 4 units", "a product of 3 4 units", NEVER),
    ("it is **very** important here", "it is very important here", "extracted"),
    ("so 2*3*4 is the sum", "so 234 is the sum", NEVER),
    ("see [the terms](http://x.y) of use", "see the terms of use", "extracted"),
    ("as was shown[3] by him", "as was shown by him", "extracted"),
    ("as was shown[3] by him", "as was shown[4] by him", NEVER),
    ("| one fee | two fees |", "one fee two fees", "extracted"),
    ("AT&amp;T is a company", "AT&T is a company", "extracted"),
    ("It may be returned, if new.", "It may be returned.", "editorial"),
    ("It costs 1.5 million in all", "It costs 1.", NEVER),
    ("so the fee is due now", '"so the fee is due now"', "editorial"),
    ("and the fee is due now", "[T]he fee is due now", "editorial"),
    ("NO PARTY SHALL BE LIABLE HERE", "no party shall be liable", "editorial"),
    ("LIMIT OF THE LIABILITY. US law applies", "us law applies here", NEVER),
    ("LIMIT OF THE LIABILITY. FCC agrees to it", "fcc agrees to it", NEVER),
    ("A NOTE\n\nON THE FEE\n\nFCC PAYS", "a note on the fee", NEVER),
    ("the fund of VÄRDE MASTER FUND, L.P. is old", "värde master fund, l.p. is old", "editorial"),
    ("so 3 *5* 4 units of it", "so 3 5 4 units of it", NEVER),
    ("so *5 units* of it", "so 5 units of it", "extracted"),
    ("He went to the US in May", "he went to the us", NEVER),
    ("the tenant, who lives there, shall pay rent", "the tenant ... shall pay rent", "editorial"),
    ("the tenant is not, as of now, permitted to go", "the tenant is ... permitted to go", NEVER),
    ("the tenant may, if he is old, stay here", "the tenant may … stay here", NEVER),
    ("The tenant pays rent. The owner pays tax now.", "The tenant pays … pays tax now", NEVER),
    ("they wait ... and then they go", "wait ... and then", "verbatim"),
    ("you can return this here", "you can \u202ereturn this here", NEVER),
    ("you can return this here", "of the to", NEVER),
    ("of the to and in the", "of the to", NEVER),
    ("Fee is 5%.", "Fee is 5%.", "verbatim"),
    ("نص \u200fعربي قصير هنا", "نص \u200fعربي قصير", "verbatim"),
    ("قرأت والكتاب الجديد هنا أمس", "كتاب الجديد هنا أمس", NEVER),
    ("क्षत्रिय लोग यहाँ रहते थे", "क्षत्रि", NEVER),
]


@pytest.mark.parametrize(("source", "quote", "narrowest"), TABLE)
def test_the_judge_follows_the_contract(source: str, quote: str, narrowest: str) -> None:
    got = [profile for profile in PROFILES if true_quote(source, quote, profile)]
    wanted = list(PROFILES[PROFILES.index(narrowest) :]) if narrowest != NEVER else []
    assert got == wanted


def test_the_judge_gives_every_place_and_checks_the_one_that_is_claimed() -> None:
    source = Source("one fee is due; one fee is due")
    assert source.spans("one fee is due", "typographic") == [(0, 14), (16, 30)]
    assert source.holds_at("one fee is due", "typographic", 16, 30)
    assert not source.holds_at("one fee is due", "typographic", 4, 18)


def test_a_word_dropped_beside_its_double_is_true_by_chance() -> None:
    assert true_quote("he had had great luck", "had great luck", "verbatim")


def test_no_border_inside_an_emoji_a_flag_or_a_line_break() -> None:
    family, flags = "a 👩\u200d👧 b", "x 🇩🇪🇫🇷 y"
    assert clean_start(family, 2) and not clean_start(family, 3) and not clean_start(family, 4)
    assert clean_start(flags, 4) and not clean_start(flags, 3) and not clean_end(flags, 3) and clean_end(flags, 4)
    assert not clean_start("ab\r\ncd", 3)
