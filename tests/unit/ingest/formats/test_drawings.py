"""Words of drawings, formulas and boxes with attributes of their own: each hidden in one way, with a twin that is seen."""

import pytest

from tests.pages import SECRET, lost, page, seen, seen_words
from tests.reading import read


@pytest.mark.parametrize("place", ["clipPath", "mask", "pattern", "marker", "symbol", "defs"])
def test_words_of_parts_that_a_drawing_only_uses_are_not_shown(place):
    assert not seen(page(f"<svg><{place}><text y=20>{SECRET}</text></{place}></svg>"))
    assert seen(page(f"<svg><g><text y=20>{SECRET}</text></g></svg>"))


@pytest.mark.parametrize(("unseen", "twin"), [
    ("<svg><switch><text y=20>a</text><text y=20>S</text></switch></svg>", "<svg><switch><text y=20>S</text><text y=20>a</text></switch></svg>"),
    ("<svg><text y=20 systemLanguage=zz>S</text></svg>", "<svg><text y=20 requiredFeatures=zz>S</text></svg>"),
    ("<svg><text y=20><textPath href=#n>S</textPath></text></svg>", "<svg><text y=20><tspan>S</tspan></text></svg>"),
    ('<svg viewBox="1000 1000 1 1"><text y=20>S</text></svg>', '<svg viewBox="-9 -9 300 90"><text y=20>S</text></svg>'),
    ('<svg viewBox="0 0 90000 90000" width=90 height=90><text y=20>S</text></svg>',
     '<svg viewBox="0 0 90 90" width=90 height=90><text y=20>S</text></svg>'),
    ("<svg width=100 height=50><text x=200 y=20>S</text></svg>", "<svg width=300 height=50><text x=200 y=20>S</text></svg>"),
    ("<svg width=100 height=50><text y=200>S</text></svg>", "<svg width=100 height=250><text y=200>S</text></svg>"),
    ("<svg width=100 height=50><text y=-20>S</text></svg>", "<svg><g transform=translate(0,60)><text y=-20>S</text></g></svg>"),
    ("<svg><text>S</text></svg>", "<svg><text dominant-baseline=hanging>S</text></svg>"),
    ("<svg><text><tspan x=0 y=-30>S</tspan></text></svg>", "<svg><text y=-30><tspan x=0 y=30>S</tspan></text></svg>"),
    ('<svg><text transform="translate(0,-90)" y=20>S</text></svg>', '<svg><text transform="translate(0,9)" y=20>S</text></svg>'),
    ('<svg><g transform="matrix(1 0 0 1 -900 0)"><text y=20>S</text></g></svg>', '<svg><g transform="matrix(1 0 0 1 9 0)"><text y=20>S</text></g></svg>'),
    ('<svg><text transform="rotate(180)" y=20>S</text></svg>', '<svg><text transform="rotate(180 50 20)" x=40 y=20>S</text></svg>'),
    ('<svg><text transform="nonsense(1)" y=20>S</text></svg>', '<svg><text transform="skewX(3) scale(1.1)" y=20>S</text></svg>'),
    ("<svg><text y=20>S</text><rect width=300 height=150 fill=white /></svg>", "<svg><rect width=300 height=150 fill=white /><text y=20>S</text></svg>"),
    ("<svg><text y=20>S</text><path d='M0 0h300v90H0z'/></svg>", "<svg><text y=20>S</text><path fill=none d='M0 0h300v90H0z'/></svg>"),
    ("<svg><text y=20>S</text><g transform=translate(0,10)><circle r=200 /></g></svg>", "<svg><text y=20>S</text><circle cx=250 cy=120 r=9 /></svg>"),
    ("<svg><text y=20>S</text><polygon class=a points='0,0 300,0 300,90 0,90'/></svg>",
     "<style>.a{fill:none}</style><svg><text y=20>S</text><polygon class=a points='0,0 300,0 300,90 0,90'/></svg>"),
    ("<svg><text y=20>S<set attributeName=display to=none /></text></svg>", "<svg><text y=20>S<title>none</title></text></svg>"),
    ("<svg><text y=20>S<animate attributeName=opacity to=0 dur=.01s /></text></svg>", "<svg><text y=20>S<tspan> b</tspan></text></svg>"),
    ("<svg><foreignObject><p>S</p></foreignObject></svg>", "<svg><foreignObject width=200 height=90><p>S</p></foreignObject></svg>"),
    ("<svg><foreignObject x=900 width=100 height=90><p>S</p></foreignObject></svg>",
     "<svg width=1200><foreignObject x=900 width=100 height=90><p>S</p></foreignObject></svg>"),
    ("<svg><text y=20 textLength=.001 lengthAdjust=spacingAndGlyphs>S</text></svg>", "<svg><text y=20 textLength=90>S</text></svg>"),
    ("<svg><abbr>S</abbr></svg>", "<svg></svg><abbr>S</abbr>"),
    ("<svg><g><a href=x>S</a></g></svg>", "<svg><g><a href=x><text y=20>S</text></a></g></svg>"),
    ("<svg><section>S</section></svg>", "<svg><foreignObject width=200 height=90><section>S</section></foreignObject></svg>"),
    ("<svg><p></p></svg><svg><g>S</g></svg>", "<svg><p>S</p></svg>"),
    ("<svg><textarea>S</textarea></svg>", "<textarea>S</textarea>"),
    ("<svg><text y=20><abbr>S</abbr></text></svg>", "<svg><text y=20><a href=x>S</a></text></svg>"),
    ("<svg><text y=20><tspan><form>S</form></tspan></text></svg>", "<svg><text y=20><tspan><a><tspan>S</tspan></a></tspan></text></svg>"),
    ("<svg><svg x=900><text y=20>S</text></svg></svg>", "<svg width=100%><text x=900 y=20>S</text></svg>"),
])  # fmt: skip
def test_words_that_a_drawing_does_not_show_are_marked(unseen, twin):
    assert SECRET not in seen_words(page(unseen.replace("S<", f"{SECRET}<")))
    assert SECRET in seen_words(page(twin.replace("S<", f"{SECRET}<")))


def test_words_of_a_drawing_that_are_shown_again_are_told():
    drawing = "<svg><use href='#{}'/><defs><text id=t y=20>Seven.</text></defs></svg>" + SECRET
    assert lost(page(drawing.format("t"))) == ("words that a drawing shows again",)
    assert lost(page(drawing.format("u"))) == ()


@pytest.mark.parametrize(("unseen", "twin"), [
    ("<math mathcolor=white><mtext>S</mtext></math>", "<math mathcolor=navy><mtext>S</mtext></math>"),
    ("<math><mtext mathsize='0'>S</mtext></math>", "<math><mtext mathsize='2em'>S</mtext></math>"),
    ("<math><mstyle mathbackground=black><mtext>S</mtext></mstyle></math>", "<math><mstyle mathbackground=yellow><mtext>S</mtext></mstyle></math>"),
    ("<math><maction><mi>x</mi><mtext>S</mtext></maction></math>", "<math><maction><mtext>S</mtext><mi>x</mi></maction></math>"),
    ("<math><mprescripts>S</mprescripts></math>", "<math><mrow><mtext>S</mtext></mrow></math>"),
    ("<marquee width=0>S</marquee>", "<marquee width=200>S</marquee>"), ("<marquee height=0>S</marquee>", "<marquee>S</marquee>"),
    ("<select><option label=other>S</select>", "<select><option label='Ninety are due.'>S</select>"),
])  # fmt: skip
def test_attributes_that_hide_words_are_judged(unseen, twin):
    assert not seen(page(unseen.replace("S<", f"{SECRET}<")))
    assert seen(page(twin.replace("S<", f"{SECRET}<")))


def test_a_page_of_frames_shows_frames_alone():
    framed = read("html", f"<frameset cols=50%><frame src=x></frameset><body><p>{SECRET}</p></body>")
    assert SECRET not in framed.text and framed.lost == ("frames",)
