"""Attack family: a number that is not the source's: a changed digit, sign, separator, unit, or a part of it."""

import pytest

from tests.verdicts import codes

CHANGED = {
    "digit": ("take 50 mg daily with food", "take 80 mg daily with food"),
    "digit added": ("take 50 mg daily with food", "take 500 mg daily with food"),
    "digit dropped": ("take 50 mg daily with food", "take 5 mg daily with food"),
    "unit": ("take 50 mg daily with food", "take 50 g daily with food"),
    "prefix of unit": ("take 50 µg daily with food", "take 50 mg daily with food"),
    "sign dropped": ("a change of −5 % this year", "a change of 5 % this year"),
    "sign turned": ("a change of −5 % this year", "a change of +5 % this year"),
    "ascii sign dropped": ("a change of -5 % this year", "a change of 5 % this year"),
    "plus-minus dropped": ("at ±0.5 degrees of it", "at 0.5 degrees of it"),
    "decimal point dropped": ("a rate of 1.5 per year", "a rate of 15 per year"),
    "decimal comma for point": ("a rate of 1.5 per year", "a rate of 1,5 per year"),
    "space for point": ("a rate of 1.5 per year", "a rate of 1 5 per year"),
    "group separator dropped": ("a sum of 1,500 euros now", "a sum of 1500 euros now"),
    "group space dropped": ("a sum of 1 500 euros now", "a sum of 1500 euros now"),
    "currency": ("a fee of $20 a year", "a fee of €20 a year"),
    "currency dropped": ("a fee of $20 a year", "a fee of 20 a year"),
    "percent dropped": ("a fee of 20 % a year", "a fee of 20 a year"),
    "operator": ("if x ≥ 5 mg is given", "if x ≤ 5 mg is given"),
    "operator in ascii": ("if x ≥ 5 mg is given", "if x >= 5 mg is given"),
    "operator dropped": ("if x ≥ 5 mg is given", "if x 5 mg is given"),
    "superscript flattened": ("an area of 10² m in all", "an area of 102 m in all"),
    "superscript raised": ("an area of 102 m in all", "an area of 10² m in all"),
    "subscript flattened": ("the symbol H₂O is water", "the symbol H2O is water"),
    "fraction spelled": ("add ½ cup of flour", "add 1/2 cup of flour"),
    "fraction slash": ("add 1⁄2 cup of flour", "add 1/2 cup of flour"),
    "mixed fraction joined": ("add 1½ cups of flour", "add 11/2 cups of flour"),
    "roman": ("signed by Henry VIII here", "signed by Henry 8 here"),
    "roman form": ("signed by Henry Ⅷ here", "signed by Henry VIII here"),
    "circled": ("see point ① of it", "see point 1 of it"),
    "date": ("due on 12/05/2020 at noon", "due on 05/12/2020 at noon"),
    "date in words": ("due on 5 March 2010 at noon", "due on March 5 2010 at noon"),
    "iso date": ("due on 2020-05-12 at noon", "due on 2020-12-05 at noon"),
    "range joined": ("units 10–15 are sold here", "units 1015 are sold here"),
    "range over a line": ("pages 10-\n15 of it", "pages 1015 of it"),
    "negative item": ("It fell by\n- 5 % last year", "It fell by 5 % last year"),
    "negative item, minus": ("It fell by\n− 5 % last year", "It fell by 5 % last year"),
    "arabic digits": ("a sum of ٣٠ days now", "a sum of 30 days now"),
    "devanagari digits": ("a sum of ३० days now", "a sum of 30 days now"),
    "chinese numeral": ("应当在三十天内退货", "应当在30天内退货"),
    "product": ("it costs 5 * 3 * 2 units", "it costs 5 3 2 units"),
    "footnote": ("it was first seen[3] in spring", "it was first seen[4] in spring"),
    "entity": ("only &lt; 5 mg of it", "only > 5 mg of it"),
    "bracketed amount": ("within [30] days of delivery", "within days of delivery"),
    "bracketed sum": ("pay the sum of [5] euros", "pay the sum of euros"),
    "approximation": ("a dose of ~5 mg daily", "a dose of 5 mg daily"),
    "approximation, paired": ("a dose ~5 mg~ daily for it", "a dose 5 mg daily for it"),
    "word for number": ("within thirty days of it", "within 30 days of it"),
}


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_number_is_refused_under_every_profile(name):
    source, changed = CHANGED[name]
    assert codes(source, changed) == {"quote_mismatch"}
    assert codes(source, source) == {"ok"}


CUT = {
    "digit cut off": ("give 15 mg twice daily", "5 mg twice daily", "15 mg twice daily"),
    "last digit cut off": ("we always give 150", "we always give 15", "we always give 150"),
    "minus cut off": ("a change of −5 % this year", "5 % this year", "−5 % this year"),
    "hyphen-minus cut off": ("a change of -5 % this year", "5 % this year", "-5 % this year"),
    "full-width minus cut off": ("a change of －5 % this year", "5 % this year", "－5 % this year"),
    "plus cut off": ("a change of +5 % this year", "5 % this year", "+5 % this year"),
    "plus-minus cut off": ("at ±0.5 degrees of it", "0.5 degrees of it", "±0.5 degrees of it"),
    "operator cut off": ("only ≥ 5 mg of it", "5 mg of it", "≥ 5 mg of it"),
    "less-than cut off": ("only < 5 mg of it", "5 mg of it", "< 5 mg of it"),
    "times cut off": ("it is ×5 of it all", "5 of it all", "×5 of it all"),
    "currency cut off": ("costs of $50 per unit", "50 per unit", "$50 per unit"),
    "minus before a currency": ("a change of −$20 this year", "$20 this year", "−$20 this year"),
    "hyphen-minus before a currency": ("a change of -$20 this year", "$20 this year", "-$20 this year"),
    "plus before a currency": ("a change of +$20 this year", "$20 this year", "+$20 this year"),
    "operator before a currency": ("a change of ≥$20 this year", "$20 this year", "≥$20 this year"),
    "minus before a spaced currency": ("a change of −€ 20 this year", "€ 20 this year", "−€ 20 this year"),
    "minus before a point": ("a change of -.5 this year", ".5 this year", "-.5 this year"),
    "wave dash range": ("it is 10〜15 units now", "15 units now", "10〜15 units now"),
    "spaced currency cut off": ("costs of € 50 per unit", "50 per unit", "€ 50 per unit"),
    "currency behind cut off": ("the costs of 50 € now", "the costs of 50", "the costs of 50 €"),
    "letters of a currency cut off": ("costs of US$5.25 a unit", "$5.25 a unit", "US$5.25 a unit"),
    "percent cut off": ("the costs of 50% now", "the costs of 50", "the costs of 50%"),
    "spaced percent cut off": ("the costs of 50 % now", "the costs of 50", "the costs of 50 %"),
    "no-break percent cut off": ("the costs of 50\u00a0% now", "the costs of 50", "the costs of 50\u00a0%"),
    "permille cut off": ("the costs of 50‰ now", "the costs of 50", "the costs of 50‰"),
    "degree cut off": ("it was hot at 25°C", "it was hot at 25", "it was hot at 25°C"),
    "decimals cut off": ("the costs of 1.5 million", "the costs of 1", "the costs of 1.5 million"),
    "decimals with their point": ("the costs of 1.5 million", "the costs of 1.", "the costs of 1.5 million"),
    "decimal comma": ("die Kosten von 1,5 Millionen", "die Kosten von 1", "die Kosten von 1,5 Millionen"),
    "whole part cut off": ("costs of 1.5 million now", "5 million now", "1.5 million now"),
    "leading point cut off": ("about .5 mg of it", "5 mg of it", ".5 mg of it"),
    "thousands cut off": ("costs of 1,500 euros now", "500 euros now", "1,500 euros now"),
    "spaced thousands cut off": ("costs of 1 500 euros now", "500 euros now", "1 500 euros now"),
    "thin-spaced thousands cut off": ("costs of 1\u2009500 euros now", "500 euros now", "1\u2009500 euros now"),
    "apostrophe thousands cut off": ("costs of 1’500 euros now", "500 euros now", "1’500 euros now"),
    "point thousands cut off": ("costs of 1.500,00 euros now", "00 euros now", "1.500,00 euros now"),
    "arabic decimals": ("a sum of ١٫٥ euros now", "٥ euros now", "١٫٥ euros now"),
    "minutes cut off": ("we all meet at 5:30", "we all meet at 5", "we all meet at 5:30"),
    "hours cut off": ("we meet at 5:30 in town", "30 in town", "5:30 in town"),
    "spaced degree cut off": ("it was hot at 25 °C", "it was hot at 25", "it was hot at 25 °C"),
    "mixed fraction cut off": ("please add 1 1/2 cups", "please add 1", "please add 1 1/2 cups"),
    "whole of a mixed fraction": ("please add 1 1/2 cups now", "1/2 cups now", "1 1/2 cups now"),
    "range's start cut off": ("between 10–15 units now", "15 units now", "10–15 units now"),
    "range's end cut off": ("it is between 10–15 units", "it is between 10", "it is between 10–15 units"),
    "exponent cut off": ("an area of 10² m", "an area of 10", "an area of 10² m"),
    "caret exponent cut off": ("an area of 10^2 m", "an area of 10", "an area of 10^2 m"),
    "fraction cut off": ("please add 1½ cups", "please add 1", "please add 1½ cups"),
    "spaced fraction cut off": ("please add 1 ½ cups", "please add 1", "please add 1 ½ cups"),
    "whole of a fraction cut off": ("please add 1½ cups of it", "½ cups of it", "1½ cups of it"),
    "denominator only": ("take 1/2 cups of it", "2 cups of it", "1/2 cups of it"),
    "year of a date": ("due on 12/05/2020 at noon", "2020 at noon", "12/05/2020 at noon"),
    "full-width": ("价格是１５元整每个", "５元整每个", "１５元整每个"),
    "beside ideographs": ("价格是15元整每个人", "5元整每个人", "15元整每个人"),
    "chinese numeral": ("共三十五人参加会议", "五人参加会议", "三十五人参加会议"),
}


@pytest.mark.code("quote_splits_token")
@pytest.mark.parametrize("name", CUT)
def test_a_part_of_a_number_is_refused_under_every_profile(name):
    source, part, whole = CUT[name]
    assert codes(source, part) == {"quote_splits_token"}
    assert codes(source, whole) == {"ok"}


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("It is item 5. Then more.", "It is item 5"),
        ("in 2010, 15 units were sold", "15 units were sold"),
        ("in 2010, 15 units were sold", "in 2010"),
        ("items 1, 2, 3 and 4 are", "items 1, 2, 3"),
        ("the price (50) is due", "50) is due"),
        ("the price is 50; pay it", "the price is 50"),
        ("in May 2010 100 units", "in May 2010"),
        ("at 5 pm 30 people came", "30 people came"),
    ],
)
def test_a_whole_number_beside_others_is_not_split(source, quote):
    assert codes(source, quote) == {"ok"}
