"""Attack family: borders hidden from the check by what a document may put beside them: marks, references, line ends."""

import pytest

from tests.verdicts import codes

ABLE = "able to pay it"
REFUNDABLE = "refundable sum is paid"
HIDDEN = {
    "two soft hyphens": ("he is un\u00ad\u00adable to pay it", ABLE),
    "emphasis and soft hyphen": ("he is un*\u00adable to pay it", ABLE),
    "soft hyphen and emphasis": ("he is un\u00ad*able to pay it", ABLE),
    "zero width after a line-end hyphen": ("he is un-\u200b\nable to pay it", ABLE),
    "soft hyphen, zero width, line end": ("he is un\u00ad\u200b\nable to pay it", ABLE),
    "emphasis over a line end": ("he is un-*\n*able to pay it", ABLE),
    "two hyphens": ("a non--refundable sum is paid", REFUNDABLE),
    "zero width before a hyphen": ("a non\u200b-refundable sum is paid", REFUNDABLE),
    "emphasis around a hyphen": ("a non*-*refundable sum is paid", REFUNDABLE),
    "zero width in groups": ("we pay 1\u200b’500 euros in all", "500 euros in all"),
    "zero width in a time": ("we meet at 1\u200b:30 in all", "30 in all"),
    "reference to an operator": ("we pay &lt;5 euros in all", "5 euros in all"),
    "reference to an operator, spaced": ("if x &lt; 5 mg is given", "5 mg is given"),
    "reference to a minus": ("we pay &minus;5 euros in all", "5 euros in all"),
    "reference to a currency": ("pay &euro;50 for it now", "50 for it now"),
    "numeric reference to a currency": ("pay &#8364;50 for it now", "50 for it now"),
    "hexadecimal reference to a currency": ("pay &#x20AC;50 for it now", "50 for it now"),
    "reference to a point": ("we pay 1&#46;5 euros in all", "5 euros in all"),
    "reference to a space in groups": ("we pay 1&nbsp;500 euros in all", "500 euros in all"),
    "reference to a digit": ("we pay &#49;5 euros in all", "5 euros in all"),
    "reference to a letter": ("he is &#117;&#110;able to pay it", ABLE),
    "end before a space in groups": ("we pay all of 1&nbsp;500 euros", "we pay all of 1"),
    "end before a point": ("we pay all of 1&#46;5 euros", "we pay all of 1"),
    "end before a currency": ("we pay all of 50&euro; now", "we pay all of 50"),
    "end before a spaced percent": ("we pay all of 50&nbsp;%", "we pay all of 50"),
    "end before a percent": ("we pay all of 50&#37; now", "we pay all of 50"),
    "end before a fraction": ("please add 1&frac12; cups", "please add 1"),
    "spaced third": ("please add 1 ⅓ cups of it", "please add 1"),
    "third of a spaced number": ("please add 1 ⅓ cups of it", "⅓ cups of it"),
    "full-width plus": ("we pay ＋5 euros in all", "5 euros in all"),
    "full-width less-than": ("we pay ＜5 euros in all", "5 euros in all"),
    "slanted less-or-equal": ("we pay ⩽5 euros in all", "5 euros in all"),
    "less or about": ("we pay ≲5 euros in all", "5 euros in all"),
    "mantissa": ("we pay all of 5×10³ euros", "we pay all of 5"),
    "country of a currency": ("the cost is US$5.25 per unit", "the cost is US"),
    "space of a group": ("costs of 1 500 euros now", " 500 euros now"),
    "space before a percent": ("the costs of 50 % now", "the costs of 50 "),
    "space after a currency": ("at $ 50 each unit", " 50 each unit"),
    "no-break space after a minus": ("we pay −\u00a05 euros in all", "\u00a05 euros in all"),
    "space before a fraction": ("we pay all of 5 ½ euros", "we pay all of 5 "),
    "end after a line-end hyphen": ("we have some inter-\nest in it", "we have some inter-\n"),
    "start after a line-end hyphen": ("we are un-\nable to pay it", "\nable to pay it"),
    "start at emphasis": ("he is un**able** to pay it", "**able** to pay it"),
    "start at emphasis in a number": ("we pay 1**5** euros in all", "**5** euros in all"),
    "start at an invisible character": ("he is un\u200bable to pay it", "\u200bable to pay it"),
    "full-width hyphen": ("he is un－able to pay it", ABLE),
    "small hyphen": ("he is un﹣able to pay it", ABLE),
    "word joiners around a hyphen": ("a non\u2060-\u2060refundable sum is paid", REFUNDABLE),
    "bracketed prefix": ("he is (un)able to pay it", ABLE),
    "bracketed prefix, square": ("he is [un]able to pay it", ABLE),
    "link inside a word": ("he is un[able to pay it](x)", ABLE),
    "currency after a mark": ("हिन्दी$20 alpha beta", "$20 alpha beta"),
    "currency after a decomposed letter": ("cafe\u0301$20 alpha beta", "$20 alpha beta"),
    "elided article of a word": ("il est avec l’homme", "il est avec l"),
    "range over a line end": ("see pages 10-\n15 of it all", "15 of it all"),
}


@pytest.mark.code("quote_splits_token")
@pytest.mark.parametrize("name", HIDDEN)
def test_a_hidden_border_still_splits(name):
    source, quote = HIDDEN[name]
    assert codes(source, quote) == {"quote_splits_token"}
    assert codes(f"{source} · {quote.strip()} ·", quote.strip()) == {"ok"}
