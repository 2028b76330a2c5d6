"""Digits that a Word document sets above or below their line, in whatever way, are no digits of the number before."""

import pytest

from tests.containers import docx
from tests.reading import read

SUPERSCRIPT = '<w:vertAlign w:val="superscript"/>'
STYLES = (
    f'<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:rPr>{SUPERSCRIPT}</w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Mark"><w:name w:val="Mark"/><w:basedOn w:val="Up"/></w:style>'
    '<w:style w:type="character" w:styleId="Raised"><w:name w:val="Raised"/><w:rPr><w:position w:val="8"/></w:rPr></w:style>'
    f'<w:style w:type="paragraph" w:styleId="Small"><w:name w:val="Small"/><w:rPr>{SUPERSCRIPT}</w:rPr></w:style>'
)


def _run(words, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def _text(*runs, style=""):
    style = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return read("docx", docx(f"<w:p>{style}{''.join(runs)}</w:p>", styles=STYLES)).text


@pytest.mark.parametrize(
    ("shifted", "expected"),
    [
        (SUPERSCRIPT, "500¹ euros"),
        ('<w:vertAlign w:val="subscript"/>', "500₁ euros"),
        ('<w:rStyle w:val="Up"/>', "500¹ euros"),
        ('<w:rStyle w:val="Mark"/>', "500¹ euros"),
        ('<w:rStyle w:val="Raised"/>', "500¹ euros"),
        ('<w:position w:val="8"/><w:sz w:val="14"/>', "500¹ euros"),
        ('<w:position w:val="-6"/>', "500₁ euros"),
        ('<w:position w:val="2"/>', "5001 euros"),  # nudged, as one centres a sign
        ('<w:position w:val="6"/><w:sz w:val="96"/>', "5001 euros"),
        ('<w:rStyle w:val="Up"/><w:vertAlign w:val="baseline"/>', "5001 euros"),
    ],
)
def test_a_digit_off_its_line_is_no_digit_of_the_number_before(shifted, expected):
    assert _text(_run("500"), _run("1", shifted), _run(" euros")) == expected


def test_words_that_are_all_set_so_are_small_words_and_no_exponents():
    assert _text(_run("Pay 500 euros in 10 days.", SUPERSCRIPT), _run(" ", "")) == "Pay 500 euros in 10 days."
    assert _text(_run("Pay 500 euros"), style="Small") == "Pay 500 euros"
    assert _text(_run("10"), _run("2", '<w:vertAlign w:val="baseline"/>'), style="Small") == "10₂"
    assert _text(_run("500"), _run("1", SUPERSCRIPT)) == "500¹"
