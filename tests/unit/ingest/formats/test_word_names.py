"""What a Word document holds of foreign name spaces is shown by no program, and changes nothing of what is shown."""

import pytest

from tests.containers import W, docx, p, zipped
from tests.reading import hidden, read

WHITE = '<w:color w:val="FFFFFF"/>'
STYLE = '<w:style w:type="character" w:styleId="S"><w:name w:val="S"/></w:style>'
TEXT_FILL = "<{0}textFill><{1}solidFill><w14:srgbClr w14:val='000000'/></{1}solidFill></{0}textFill>"


def _text(body):
    return read("docx", docx(body)).text


def test_what_only_a_foreign_name_space_calls_so_is_none_of_words():
    run = "<{0}r><{0}t>900 euros</{0}t></{0}r>"
    for each in ("x:", "w14:", "m:", "a:"):
        assert _text(f"{p('seen')}<w:p>{run.format(each)}</w:p>") == "seen"
        assert _text(f"{p('seen')}<{each}p>{run.format('w:')}</{each}p>") == "seen"
        assert (
            _text(
                f"<w:tbl><{each}tr><w:tc>{p('no')}</w:tc></{each}tr><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc><{each}tc>{p('no')}</{each}tc></w:tr></w:tbl>"
            )
            == "a\tb"
        )
        assert _text(f"<w:p><w:r><{each}t>no</{each}t><w:t>seen</w:t></w:r></w:p>") == "seen"
    assert _text(f"{p('seen')}<w:p>{run.format('w:')}</w:p>") == "seen\n\n900 euros"


def test_foreign_elements_with_words_of_the_document_inside_are_told():
    found = read(
        "docx",
        docx(f"{p('seen')}<x:wrap>{p('paragraph')}</x:wrap><w:p><x:wrap><w:r><w:t>run</w:t></w:r></x:wrap></w:p>"),
    )
    assert (found.text, found.lost) == ("seen", ("2 foreign elements, left out with their words",))
    found = read("docx", docx(f"{p('seen')}<x:wrap/><x:wrap><x:t>no</x:t></x:wrap>"))
    assert (found.text, found.coverage) == ("seen", "complete")


@pytest.mark.parametrize(
    ("foreign", "own"),
    [
        ('<w:color x:val="000000" val="000000" w:val="FFFFFF"/>', '<w:color x:val="FFFFFF" val="FFFFFF" w:val="000000"/>'),
        (WHITE + '<x:shd w:fill="000000"/>', WHITE + '<w:shd w:fill="000000"/>'),
        (WHITE + '<x:rStyle w:val="S"/>', '<w:rStyle w:val="S"/>'),
        ('<w:color w:val="FFFFFF"/><x:color w:val="000000"/>', '<w:color w:val="000000"/><x:color w:val="FFFFFF"/>'),
        (WHITE + TEXT_FILL.format("x:", "w14:"), WHITE + TEXT_FILL.format("w14:", "w14:")),
        (WHITE + TEXT_FILL.format("w14:", "x:"), "<x:vanish/>"),
    ],
)  # fmt: skip
def test_properties_and_attributes_of_foreign_name_spaces_show_and_hide_nothing(foreign, own):
    styles = STYLE
    assert hidden(read("docx", docx(p("seen") + p("unseen", run=foreign), styles=styles))) == ["unseen"]
    found = read("docx", docx(p("seen") + p("seen", run=own), styles=styles))
    assert (found.text, found.hidden) == ("seen\n\nseen", ())


def test_a_relationship_of_a_foreign_type_names_no_part():
    def related(*kinds):
        inner = "".join(f'<Relationship Id="{at}" Type="{kind}" Target="{at}.xml"/>' for at, kind in enumerate(kinds))
        return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inner}</Relationships>'

    members = {f"{at}.xml": f'<w:document xmlns:w="{W}"><w:body>{p(str(at))}</w:body></w:document>' for at in range(2)}
    known = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    for kinds, expected in (("urn:x/officeDocument", known), "1"), ((known, known), "0"):
        assert read("docx", zipped(members | {"_rels/.rels": related(*kinds)})).text == expected
