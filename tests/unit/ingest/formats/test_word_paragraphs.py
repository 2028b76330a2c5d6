"""What stands before the words of a Word paragraph: large first letters, numbers of lists, marks of notes."""

import pytest

from tests.containers import docx, p
from tests.reading import blocks, hidden, read

INITIAL = '<w:framePr w:dropCap="{}" w:lines="2" w:wrap="around" w:vAnchor="text" w:hAnchor="text"/>'
LARGE = '<w:position w:val="-6"/><w:sz w:val="117"/>'
NUMBERS = (
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>{}'
    '<w:lvlText w:val="%1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
)
LISTED = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'


def _text(body, **parts):
    return read("docx", docx(body, **parts)).text


@pytest.mark.parametrize("kind", ["drop", "margin"])
@pytest.mark.parametrize(("first", "rest"), [("T", "he tenant pays."), ("9", "00 euros are due.")])
def test_a_large_first_letter_is_of_the_word_that_follows(kind, first, rest):
    body = p(first, properties=INITIAL.format(kind), run=LARGE) + p(rest) + p("End.")
    assert blocks(read("docx", docx(body))) == [("paragraph", first + rest), ("paragraph", "End.")]


def test_a_frame_that_holds_no_first_letter_is_a_paragraph_of_its_own():
    for properties in (INITIAL.format("none"), '<w:framePr w:w="900" w:hAnchor="text"/>'):
        assert _text(p("T", properties=properties) + p("he tenant pays.")) == "T\n\nhe tenant pays."


def test_a_large_first_letter_by_its_style_is_seen_or_not_as_it_is_set():
    def style(inner, frame=INITIAL.format("drop")):
        inner = f"<w:pPr>{frame}</w:pPr><w:rPr>{inner}</w:rPr>"
        return f'<w:style w:type="paragraph" w:styleId="I"><w:name w:val="I"/>{inner}</w:style>'

    body = p("9", style="I") + p("00 euros are due.")
    assert _text(body, styles=style("")) == "900 euros are due."
    assert hidden(read("docx", docx(body, styles=style('<w:color w:val="FFFFFF"/>')))) == ["9"]
    assert (
        _text(p("9", style="I", properties='<w:framePr w:w="900"/>') + p("00 euros"), styles=style(""))
        == "9\n\n00 euros"
    )
    dark = style('<w:color w:val="FFFFFF"/>', INITIAL.format("drop") + '<w:shd w:val="clear" w:fill="000000"/>')
    assert hidden(read("docx", docx(body, styles=dark))) == []


def test_a_large_first_letter_with_no_paragraph_to_follow_stands_alone():
    first = p("T", properties=INITIAL.format("drop"))
    assert (
        _text(f"{first}<w:tbl><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>{first}")
        == "T\n\na\tb\n\nT"
    )


@pytest.mark.parametrize(
    ("between", "expected"),
    [('<w:suff w:val="nothing"/>', "100 euros"), ('<w:suff w:val="space"/>', "1 00 euros"), ("", "1 00 euros")],
)
def test_a_number_of_a_list_is_set_apart_from_the_words_as_its_list_says(between, expected):
    assert _text(p("00 euros", properties=LISTED), numbering=NUMBERS.format(between)) == expected


def test_the_number_of_a_paragraph_without_words_that_are_seen_counts_and_stands_nowhere():
    for unseen in ("<w:vanish/>", "<w:strike/>"):
        body = p("a", properties=LISTED) + p("gone", properties=LISTED, run=unseen) + p("b", properties=LISTED)
        assert _text(body, numbering=NUMBERS.format("")) == "1 a\n3 b"
    body = p("a", properties=LISTED) + p("here", properties=LISTED, run='<w:vanish w:val="0"/>')
    assert _text(body, numbering=NUMBERS.format("")) == "1 a\n2 here"


def _note(name, words):
    return f'<w:footnote w:id="{name}">{p(words)}</w:footnote>'


def _referring(name, own="", words=""):
    return f'<w:r><w:footnoteReference w:id="{name}"{own}/>{words}</w:r>'


def test_a_note_with_a_mark_of_its_own_has_that_mark_alone_and_is_not_counted():
    own = ' w:customMarkFollows="1"'
    body = (
        f"<w:p><w:r><w:t>100</w:t></w:r>{_referring(2, own, '<w:t>*</w:t>')}<w:r><w:t> and 200</w:t></w:r>"
        f"{_referring(3)}<w:r><w:t> and 300</w:t></w:r>{_referring(4, own, '<w:t>7</w:t>')}</w:p>"
    )
    found = read("docx", docx(body, footnotes=_note(2, "Net.") + _note(3, "Gross.") + _note(4, "Both.")))
    assert found.text == "100* and 200[1] and 300[7]\n\n* Net.\n\n[1] Gross.\n\n[7] Both."
    plain = f"<w:p><w:r><w:t>100</w:t></w:r>{_referring(2, own.replace('1', '0'), '<w:t>*</w:t>')}</w:p>"
    assert _text(plain, footnotes=_note(2, "Net.")) == "100[1]*\n\n[1] Net."
