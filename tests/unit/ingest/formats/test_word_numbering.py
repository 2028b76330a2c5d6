"""The numbers that Word counts."""

import pytest

from tests.containers import docx, p
from tests.reading import read

LEVELS = ("upperRoman", "decimalZero", "lowerLetter", "lowerRoman")


def level(at, kind, pattern, extra="", start=1):
    return f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{extra}<w:lvlText w:val="{pattern}"/></w:lvl>'


def abstract(name, *levels, extra=""):
    return f'<w:abstractNum w:abstractNumId="{name}">{extra}{"".join(levels)}</w:abstractNum>'


def listed(name, of, extra=""):
    return f'<w:num w:numId="{name}"><w:abstractNumId w:val="{of}"/>{extra}</w:num>'


def item(words, name=1, at=0):
    at = "" if at is None else f'<w:ilvl w:val="{at}"/>'
    return p(words, properties=f'<w:numPr>{at}<w:numId w:val="{name}"/></w:numPr>')


def numbers(body, numbering, styles="", lost=(), lang=""):
    core = f"<dc:language>{lang}</dc:language>"
    found = read("docx", docx(body, numbering=numbering, styles=styles, core=core))
    assert found.lost == lost
    return [line.removesuffix(" x") for line in found.text.split("\n") if line]


def test_articles_in_roman_and_their_sections_in_digits():
    contract = abstract(
        1, level(0, "upperRoman", "Article %1."), level(1, "decimalZero", "Section %1.%2", "<w:isLgl/>")
    )
    body = item("x") + item("x", at=1) + item("x", at=1) + item("x") + item("x", at=1)
    sections = ["Article I.", "Section 1.01", "Section 1.02", "Article II.", "Section 2.01"]
    assert numbers(body, contract + listed(1, 1)) == sections
    assert numbers(body, contract.replace("<w:isLgl/>", '<w:isLgl w:val="0"/>') + listed(1, 1))[1] == "Section I.01"


def test_a_list_takes_the_form_of_the_style_that_it_is_linked_to():
    linked = abstract(3, extra='<w:numStyleLink w:val="L"/>')
    of = abstract(4, level(0, "decimal", "(%1)"), extra='<w:styleLink w:val="L"/>')
    assert numbers(item("x", 3) + item("x", 3), linked + of + listed(3, 3)) == ["(1)", "(2)"]
    ring = abstract(3, extra='<w:numStyleLink w:val="L"/><w:styleLink w:val="L"/>')
    assert numbers(item("x", 3), ring + listed(3, 3)) == ["x"]


def test_a_level_that_a_list_sets_for_itself_has_its_own_form():
    own = f'<w:lvlOverride w:ilvl="0">{level(0, "upperLetter", "Annex %1")}</w:lvlOverride>'
    both = abstract(2, level(0, "decimal", "%1.")) + listed(1, 2) + listed(2, 2, own)
    assert numbers(item("x") + item("x", 2), both) == ["1.", "Annex B"]


@pytest.mark.parametrize(("restart", "expected"), [('<w:lvlRestart w:val="0"/>', "(ii)"), ("", "(i)"), ('<w:lvlRestart w:val="1"/>', "(i)")])  # fmt: skip
def test_a_level_begins_anew_after_those_above_it_unless_it_says_otherwise(restart, expected):
    form = abstract(1, level(0, "decimal", "%1."), level(1, "lowerRoman", "(%2)", restart))
    assert numbers(item("x") + item("x", at=1) + item("x") + item("x", at=1), form + listed(1, 1))[3] == expected


@pytest.mark.parametrize(
    ("kind", "lang", "expected"),
    [("ordinal", "", ["1st", "2nd", "3rd"]), ("ordinal", "de-DE", ["1.", "2.", "3."]), ("cardinalText", "en-GB", ["One", "Two", "Three"]),
     ("ordinalText", "", ["First", "Second", "Third"]), ("decimalEnclosedCircle", "", ["①", "②", "③"]), ("numberInDash", "", ["- 1 -", "- 2 -", "- 3 -"]),
     ("decimalFullWidth", "", ["１", "２", "３"])],  # noqa: RUF001
)  # fmt: skip
def test_numerals_of_other_kinds(kind, lang, expected):
    assert numbers(item("x") * 3, abstract(1, level(0, kind, "%1")) + listed(1, 1), lang=lang) == expected


@pytest.mark.parametrize(("start", "expected"), [(11, "11th Eleventh"), (12, "12th Twelfth"), (22, "22nd Twenty-second"), (30, "30th Thirtieth"), (99, "99th Ninety-ninth")])  # fmt: skip
def test_ordinals_of_english(start, expected):
    both = abstract(1, level(0, "ordinal", "%1", start=start)) + abstract(2, level(0, "ordinalText", "%1", start=start))
    assert " ".join(numbers(item("x") + item("x", 2), both + listed(1, 1) + listed(2, 2))) == expected


@pytest.mark.parametrize(("kind", "lang"), [("hebrew1", ""), ("cardinalText", "fr-FR"), ("chineseCounting", "")])
def test_a_number_in_signs_that_are_not_known_is_left_out_and_told(kind, lang):
    told = ("2 counted numbers in signs that are not known here",)
    assert numbers(item("x") * 2, abstract(1, level(0, kind, "%1.")) + listed(1, 1), lost=told, lang=lang) == ["x", "x"]
    assert numbers(item("x"), abstract(1, level(0, "decimal", "%1.")) + listed(1, 1), lang=lang) == ["1."]


def test_a_form_of_ones_own_with_zeros_in_front():
    form = abstract(1, level(0, "decimal", "%1").replace('w:val="decimal"', 'w:val="custom" w:format="001, 002, ..."'))
    assert numbers(item("x") * 2, form + listed(1, 1)) == ["001", "002"]


def test_a_style_has_the_level_that_names_it_and_the_list_of_the_one_it_is_based_on():
    form = abstract(1, level(0, "decimal", "%1."), level(1, "decimal", "%1.%2", '<w:pStyle w:val="B"/>')) + listed(1, 1)

    def style(name, inner, based=""):
        based = f'<w:basedOn w:val="{based}"/>' if based else ""
        return f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/>{based}<w:pPr>{inner}</w:pPr></w:style>'

    first = style("A", '<w:numPr><w:numId w:val="1"/></w:numPr>')
    body = p("x", style="A") + p("x", style="B") + p("x", style="B")
    for second in (style("B", '<w:numPr><w:numId w:val="1"/></w:numPr>'), style("B", '<w:numPr><w:ilvl w:val="1"/></w:numPr>', "A")):  # fmt: skip
        assert numbers(body, form, first + second) == ["1.", "1.1", "1.2"]


def test_a_paragraph_that_is_deleted_is_not_counted():
    form = abstract(1, level(0, "decimal", "%1.")) + listed(1, 1)
    gone = item("x").replace("</w:numPr>", "</w:numPr><w:rPr><w:del/></w:rPr>")
    gone = (
        gone.replace("<w:r>", "<w:del><w:r>")
        .replace("</w:r></w:p>", "</w:r></w:del></w:p>")
        .replace("w:t", "w:delText")
    )
    told = ("2 tracked deletions, left out",)
    assert numbers(item("x") + gone + item("x"), form, lost=told) == ["1.", "2."]
    table = "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"
    assert numbers(item("x") + gone + table + item("x"), form, lost=told) == ["1.", "2."]
    assert numbers(item("x") * 3, form) == ["1.", "2.", "3."]
