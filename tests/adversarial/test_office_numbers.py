"""Numbers of Word files are those of the page: what stands beside one is no digit of it, and none of its own is cut off."""

import pytest

from tests.containers import docx, p
from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation

HALF = "<m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
INITIAL = '<w:framePr w:dropCap="drop" w:lines="2" w:wrap="around" w:vAnchor="text" w:hAnchor="text"/>'


def _raised(properties):
    mark = f"<w:r><w:rPr>{properties}</w:rPr><w:t>1</w:t></w:r>"
    return f"<w:p><w:r><w:t>The late fee is 500</w:t></w:r>{mark}<w:r><w:t> dollars a month.</w:t></w:r></w:p>"


def _verdict(body, quote):
    styles = '<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    text = read("docx", docx(body, styles=styles)).text
    outcome = Gate([Passage("a", f"Before. {text}")], profile="extracted").verify("a", quote)
    assert isinstance(outcome, Refusal | VerifiedCitation)
    return outcome.code if isinstance(outcome, Refusal) else ""


@pytest.mark.code("quote_mismatch", "quote_splits_token")
@pytest.mark.parametrize(
    ("body", "altered", "own"),
    [
        (_raised('<w:rStyle w:val="Up"/>'), "The late fee is 5001 dollars a month.", "The late fee is 500¹ dollars a month."),
        (_raised('<w:position w:val="8"/>'), "The late fee is 5001 dollars a month.", "The late fee is 500¹ dollars a month."),
        (p("9", properties=INITIAL) + p("00 euros are the fee a month."), "00 euros are the fee a month", "900 euros are the fee a month"),
        (f"<w:p><w:r><w:t>The rate is 3</w:t></w:r><m:oMath>{HALF}</m:oMath><w:r><w:t> points.</w:t></w:r></w:p>", "The rate is 31/2 points.", "The rate is 3 1/2 points."),
    ],
    ids=["raised by a style", "raised by its position", "a large first digit", "a fraction"],
)  # fmt: skip
def test_a_number_that_no_page_shows_is_refused_and_the_one_it_shows_is_released(body, altered, own):
    assert _verdict(body, altered) in ("quote_mismatch", "quote_splits_token")
    assert _verdict(body, own) == ""
