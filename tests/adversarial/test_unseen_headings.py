"""Headings, titles and names of columns whose words no reader sees prove nothing and are shown beside no citation."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from tests.containers import docx, epub, odt, p, xhtml, zipped
from tests.pdf_files import build, shown
from verified_gate import Gate, Passage
from verified_gate.ingest import cut, read_document

BODY = "The late fee is due every month of the year."
CELL = "Rent of the flat"
HEADING_STYLE = '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
WHITE = '<w:color w:val="FFFFFF"/>'
ODT_WHITE = (
    '<style:style style:name="white" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>'
)


def _docx(heading: str, column: str, hiding: bool) -> bytes:
    run = WHITE if hiding else ""

    def cell(words: str, more: str = "") -> str:
        return f"<w:tc>{p(words, run=more)}</w:tc>"

    head = f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{cell(column, run)}{cell('Item')}</w:tr>"
    table = f"<w:tbl>{head}<w:tr>{cell(CELL)}{cell('a flat')}</w:tr></w:tbl>"
    return docx(p(heading, style="H1", run=run) + p(BODY) + table, styles=HEADING_STYLE)


def _odt(heading: str, column: str, hiding: bool) -> bytes:
    def words(text: str, *, hidden: bool = False) -> str:
        return f'<text:span text:style-name="white">{text}</text:span>' if hidden else text

    def row(*cells: str) -> str:
        held = "".join(f"<table:table-cell><text:p>{each}</text:p></table:table-cell>" for each in cells)
        return f"<table:table-row>{held}</table:table-row>"

    head = f"<table:table-header-rows>{row(words(column, hidden=hiding), 'Item')}</table:table-header-rows>"
    packed = odt(
        f'<text:h text:outline-level="1">{words(heading, hidden=hiding)}</text:h><text:p>{BODY}</text:p>'
        f"<table:table>{head}{row(CELL, 'a flat')}</table:table>",
        automatic=ODT_WHITE,
    )
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:  # the kind of such a file is told by its first bytes
        members = [(name, archive.read(name)) for name in archive.namelist()]
    return zipped(members, compression=zipfile.ZIP_STORED)


def _page(heading: str, column: str, hiding: bool) -> str:
    style = ' style="color:#fff"' if hiding else ""
    return (
        f"<h1{style}>{heading}</h1><p>{BODY}</p><table><tr><th{style}>{column}</th><th>Item</th></tr>"
        f"<tr><td>{CELL}</td><td>a flat</td></tr></table>"
    )


def _html(heading: str, column: str, hiding: bool) -> bytes:
    return f"<!doctype html><body>{_page(heading, column, hiding)}</body>".encode()


def _epub(heading: str, column: str, hiding: bool) -> bytes:
    return epub({"1.xhtml": xhtml(_page(heading, column, hiding))})


def _pdf(heading: str, column: str, hiding: bool) -> bytes:
    lines = "".join(shown(BODY, y=700 - 14 * line) for line in range(3))
    return build(shown(heading, y=740, size=24, colour="1 g" if hiding else "0 g") + lines)


def _markdown(heading: str, column: str, hiding: bool) -> bytes:
    text = f"# {heading}"
    return (f"<!--\n{text}\n-->" if hiding else text).encode() + f"\n\n{BODY}\n".encode()


MAKERS = {"docx": _docx, "odt": _odt, "html": _html, "epub": _epub, "pdf": _pdf, "md": _markdown}


def passages(
    kind: str, *, hiding: bool, heading: str = "Fee of 800 euros", column: str = "Since 2030"
) -> Iterator[Passage]:
    return iter(cut(read_document(MAKERS[kind](heading, column, hiding), f"a.{kind}")))


def released(passage: Passage, quote: str, claim: str) -> str:
    """ "released", or the code."""
    cited: list[dict[str, Any]] = [{"key": passage.key, "quote": quote}]
    reply = {"status": "answered", "claims": [{"text": claim, "citations": cited}]}
    decision = Gate([passage], profile="extracted").judge(json.dumps(reply))
    return "released" if decision.claims else str(decision.refusals[0].code)


@pytest.mark.code("number_unsupported")
@pytest.mark.parametrize("kind", MAKERS)
def test_a_heading_that_nobody_sees_proves_no_number_and_names_no_document(kind):
    claim = "The late fee is 800 euros."
    for hiding, outcome in ((True, "number_unsupported"), (False, "released")):
        found = next(each for each in passages(kind, hiding=hiding) if BODY in each.text)
        assert released(found, BODY, claim) == outcome
        assert ("800" in f"{found.title} {found.location.heading}") is not hiding


@pytest.mark.code("number_unsupported")
@pytest.mark.parametrize("kind", sorted(set(MAKERS) - {"pdf", "md"}))
def test_the_name_of_a_column_that_nobody_sees_proves_no_number(kind):
    for hiding, outcome in ((True, "number_unsupported"), (False, "released")):
        found = next(each for each in passages(kind, hiding=hiding) if each.text.startswith(CELL))
        assert released(found, CELL, "The rent of the flat is of 2030.") == outcome
        assert ("Since 2030" in found.location.columns) is not hiding
        assert "Item" in found.location.columns


def test_of_a_heading_and_of_the_name_of_a_column_what_is_seen_stays():
    gone = '<span style="color:#fff">of 800 euros</span>'
    page = _page(f"Fees {gone} for all", f"Since {gone} May", hiding=False)
    first, *_, last = cut(read_document(f"<!doctype html><body>{page}</body>".encode(), "a.html"))
    assert (first.title, first.location.heading) == ("Fees for all", ("Fees for all",))
    assert last.location.columns == ("Since May", "Item")


def test_what_stands_beneath_a_heading_that_nobody_sees_is_seen_under_the_one_before():
    page = "<h1>Rent</h1><h2>Flat</h2><p>One.</p><h2{0}>Fees</h2><p>Two.</p><h1{0}>Law</h1><p>Three.</p>"
    for style, paths in (
        (' style="color:#fff"', [("Rent", "Flat")] * 3),
        ("", [("Rent", "Flat"), ("Rent", "Fees"), ("Law",)]),
    ):
        found = cut(read_document(f"<!doctype html><body>{page.format(style)}</body>".encode(), "a.html"))
        assert [each.location.heading for each in found] == paths
