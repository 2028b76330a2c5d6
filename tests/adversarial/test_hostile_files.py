"""Files made to break whoever reads them: each ends in one code within its limits, or in its honest words alone."""

import io
import random
import stat
import struct
import warnings
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.containers import docx, epub, odt, p, relationships, xhtml, xlsx, zipped
from tests.reading import read
from verified_gate import Gate, Passage, Refusal, VerifiedCitation
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers

LIMITS = ReadingLimits()
SECRET = "root:x:0:0"
HONEST = {
    "docx": docx(p("Honest words.")),
    "odt": odt("<text:p>Honest words.</text:p>"),
    "epub": epub({"a.xhtml": "<p>Honest words.</p>"}),
    "xlsx": xlsx({"S": '<sheetData><row><c t="inlineStr"><is><t>Honest words.</t></is></c></row></sheetData>'}),
    "html": b"<p>Honest words.</p>",
    "csv": b"Honest words.,1\n",
}
CONTAINERS = ("docx", "odt", "epub", "xlsx")


@pytest.fixture(scope="module")
def readers():
    with Readers(LIMITS, workers=1) as running:
        yield running


def reason(kind, data, limits=LIMITS):
    with pytest.raises(UnreadableFile) as fault:
        read(kind, data, limits)
    return fault.value.reason


def members(kind):
    """The members of an honest file, by name."""
    with Archive(HONEST[kind], LIMITS) as archive:
        return {name: archive.read(name) for name in archive.names}


@pytest.mark.parametrize("kind", HONEST)
def test_the_honest_twin_of_each_kind_is_read(kind):
    assert "Honest words." in read(kind, HONEST[kind]).text


# what unpacks to more than it is


def test_a_member_that_unpacks_to_a_thousand_times_its_size_is_a_bomb(readers):
    bomb = docx(p(" " * 30_000_000))
    assert len(bomb) < 100_000
    assert reason("docx", bomb) is Unreadable.BOMB
    with pytest.raises(UnreadableFile) as fault:
        readers.read(bomb, "docx")
    assert fault.value.reason is Unreadable.BOMB
    assert readers.read(HONEST["docx"], "docx").text == "Honest words."


@pytest.mark.parametrize("kind", CONTAINERS)
def test_many_members_that_together_unpack_to_too_much_are_a_bomb(kind):
    filled = members(kind) | {f"fill/{n}": random.Random(n).randbytes(1_000) * 20 for n in range(20)}
    assert reason(kind, zipped(filled), ReadingLimits(unpacked_bytes=200_000)) is Unreadable.BOMB
    assert "Honest words." in read(kind, zipped(filled), ReadingLimits(unpacked_bytes=900_000)).text


def test_a_member_that_lies_about_its_size_is_refused():
    data = docx(p("words " * 2_000))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        true = archive.getinfo("word/document.xml").file_size
    assert data.count(struct.pack("<L", true)) == 2
    for lie in (10, true - 1, true + 1, 2**31):
        told = reason("docx", data.replace(struct.pack("<L", true), struct.pack("<L", lie)))
        assert told in (Unreadable.DAMAGED, Unreadable.BOMB)


def test_archives_within_archives_stay_closed():
    inner = zipped({"word/document.xml": "x"})
    for _ in range(30):
        inner = zipped({"a.zip": inner, "word/document.xml": inner}, compression=zipfile.ZIP_STORED)[:300_000]
    nested = zipped(members("docx") | {"word/inner.docx": inner, "word/inner.zip": inner})
    assert read("docx", nested).text == "Honest words."
    assert reason("docx", zipped(members("docx") | {"word/document.xml": inner})) is Unreadable.DAMAGED


def test_a_container_of_more_members_than_allowed_is_refused_before_its_directory_is_read():
    crowd = zipped(members("docx") | {f"x{n}": "" for n in range(2_000)})
    assert reason("docx", crowd, ReadingLimits(members=1_000)) is Unreadable.TOO_LARGE
    assert read("docx", crowd, ReadingLimits(members=3_000)).text == "Honest words."
    entry = b"PK\x01\x02" + bytes(42)
    liar = HONEST["docx"] + entry * 3_000
    assert reason("docx", liar, ReadingLimits(members=1_000)) is Unreadable.TOO_LARGE


# containers that name what is not theirs


@pytest.mark.parametrize("name", ["../evil.xml", "a/../../evil.xml", "/etc/passwd", "C:evil.xml", "a\\..\\evil.xml"])
@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_member_whose_path_climbs_out_is_refused(kind, name):
    assert reason(kind, zipped(members(kind) | {name: "x"})) is Unreadable.UNSAFE_PATH
    assert "Honest words." in read(kind, zipped(members(kind) | {"a/evil.xml": "x"})).text


def test_a_member_that_is_a_link_is_refused():
    entry = zipfile.ZipInfo("word/media/image1.png")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert reason("docx", zipped([*members("docx").items(), (entry, "/etc/passwd")])) is Unreadable.UNSAFE_PATH


def test_two_members_of_one_name_are_refused_since_two_readers_would_read_two_texts():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        double = zipped([*members("docx").items(), ("word/document.xml", members("docx")["word/document.xml"])])
    assert reason("docx", double) is Unreadable.DAMAGED


def test_paths_of_a_book_that_climb_out_are_refused():
    def book(link):
        item = f'<item id="z" href="{link}" media-type="application/xhtml+xml"/>'
        return epub({"a.xhtml": "<p>Honest words.</p>"}, manifest=item, spine='<itemref idref="z"/>')

    for link in ("../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..\\..\\secret"):
        assert reason("epub", book(link)) is Unreadable.UNSAFE_PATH
    for link in ("file:///etc/passwd", "http://127.0.0.1/x", "//host/x", "/etc/passwd"):
        found = read("epub", book(link))
        assert (found.text, found.lost) == ("Honest words.", ("1 chapter missing",))


def test_nothing_outside_of_the_file_is_ever_fetched(readers):
    outside = relationships(officeDocument="word/document.xml").replace(
        "</Relationships>", '<Relationship Id="t" Type="x/attachedTemplate" TargetMode="External" Target="http://127.0.0.1:9/t"/></Relationships>'
    )  # fmt: skip
    include = (
        '<w:p xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd" parse="text"/></w:p>'
    )
    data = docx(p("Honest words.") + include, extra={"_rels/.rels": outside})
    assert readers.read(data, "docx").text == "Honest words."
    page = (
        b"<base href='http://127.0.0.1:9/'><link rel=stylesheet href=x.css><style>@import 'http://127.0.0.1:9/y';</style>"
        b"<meta http-equiv=refresh content='0;url=file:///etc/passwd'><img src=z><iframe src=/etc/passwd></iframe><p>Honest words."
    )
    assert readers.read(page, "html").text == "Honest words."


# markup that grows or never ends

LAUGHS = (
    "<!DOCTYPE a [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 50}'>" for n in range(8))
    + "]>"
)
FILE = "<!DOCTYPE a [<!ENTITY i SYSTEM 'file:///etc/passwd'>]>"
REMOTE = "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://127.0.0.1:9/x.dtd'> %x;]>"


@pytest.mark.parametrize("doctype", [LAUGHS, FILE, REMOTE, "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>"])
@pytest.mark.parametrize(
    ("kind", "part"), [("docx", "word/document.xml"), ("odt", "content.xml"), ("xlsx", "xl/sheets/1.xml"),
                       ("epub", "book/content.opf"), ("docx", "_rels/.rels"), ("epub", "META-INF/container.xml"),
                       ("odt", "META-INF/manifest.xml")],
)  # fmt: skip
def test_entities_are_never_expanded_and_no_definition_is_fetched(kind, part, doctype):
    held = members(kind)
    reference = "&i;" if doctype is FILE else "&i;" if doctype is LAUGHS else ""
    evil = doctype.encode() + held[part].replace(b"Honest words.", f"Honest words.{reference}".encode())
    try:
        found = read(kind, zipped(held | {part: evil}))
    except UnreadableFile as fault:
        assert fault.reason in (Unreadable.EXTERNAL_REFERENCE, Unreadable.BOMB, Unreadable.DAMAGED)
        assert SECRET not in str(fault)
    else:  # a definition that is named and not looked at
        assert found.text in ("Honest words.",) and reference == ""


@pytest.mark.parametrize("doctype", [LAUGHS, FILE])
def test_entities_that_a_chapter_declares_are_refused(doctype):
    told = reason("epub", epub({"a.xhtml": doctype + xhtml("<p>Honest words. &i;</p>")}))
    assert told in (Unreadable.EXTERNAL_REFERENCE, Unreadable.BOMB)


def test_entities_that_a_page_declares_are_plain_text():
    found = read("html", (FILE + "<p>Honest words. &i;</p>").encode())
    assert "Honest words. &i;" in found.text and SECRET not in found.text


@pytest.mark.parametrize(
    "tag", ["div", "b", "table><tr><td", "ul><li", "span", "svg><g", "blockquote", "font color=red", "sup"]
)
def test_a_page_of_a_million_elements_inside_each_other_is_refused_and_none_of_it_is_cut_off_in_silence(tag, readers):
    words = "<p>deep words" if "svg" in tag else "deep words"
    page = f"<{tag}>" * 300_000 + words
    with pytest.raises(UnreadableFile) as fault:
        readers.read(page.encode(), "html")
    assert fault.value.reason is Unreadable.TOO_DEEP
    assert readers.read((f"<{tag}>" * 30 + words).encode(), "html").text == "deep words"


@pytest.mark.parametrize("kind", ["docx", "odt", "epub"])
def test_a_million_elements_inside_each_other_in_a_container_are_refused(kind, readers):
    part = {"docx": "word/document.xml", "odt": "content.xml", "epub": "book/a.xhtml"}[kind]
    deep = b"<a>" * 1_000_000 + b"</a>" * 1_000_000
    with pytest.raises(UnreadableFile) as fault:
        readers.read(zipped(members(kind) | {part: deep}, compression=zipfile.ZIP_STORED), kind)
    assert fault.value.reason is Unreadable.TOO_DEEP


@pytest.mark.parametrize(
    "page", ['<p title="{}">words', "<p>{}", "<{}>words", "<p {}=1>words", "<!-- {} --><p>words", "<p>&{};words"]
)
def test_a_page_with_a_name_attribute_or_text_without_end_is_refused_or_read_whole(page):
    whole = page.format("a" * 11_000_000) + " last"
    try:
        assert read("html", whole).text.endswith("last")
    except UnreadableFile as fault:
        assert fault.reason is Unreadable.TOO_LARGE
    assert read("html", page.format("a" * 1_000) + " last").text.endswith("last")


HEAVY = {
    "style rules and elements": "<style>" + "".join(f".a.b{n}{{color:#{n:06x}}}" for n in range(20_000)) + "</style>"
                                + "".join(f"<i class='a c{n}'>x</i>" for n in range(60_000)),
    "comments of a sheet that never end": "<style>" + "/* " * 1_000_000 + "</style><p>x",
    "braces of a sheet": "<style>" + "{" * 1_000_000 + "</style><p>x",
    "selectors of a sheet": "<style>" + ".a" * 500_000 + "{display:none}</style><p>x",
    "classes": "<p class='" + "a " * 1_000_000 + "'>x",
    "cells that span": "<table><tr>" + "<th colspan=65000 rowspan=65000>x" * 100_000 + "<tr><td>x" * 1_000 + "</table>",
    "rows that span": "<table>" + "<tr><th colspan=1000 rowspan=60000>x" * 50_000 + "</table>",
    "white space": "<p>x" + " " * 5_000_000 + "\n" * 5_000_000 + "x",
    "spaces between ideographs": "<p>" + ("字" + " " * 1_000) * 5_000 + "x",
    "line ends": "<p>x" + "<br>" * 1_000_000 + "x",
    "blank pieces of code": "<pre>x" + "<i id=a> </i>" * 300_000 + "x</pre>",
    "links in headings": "<h1>" + "<a href='#x'>x" * 200_000,
    "empty elements": "<p>x" + "<b></b>" * 1_000_000,
    "unclosed tags": "<p>x" + "<" * 2_000_000,
    "a doctype": "<!doctype " + "a" * 2_000_000 + "><p>x",
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(3_000)) + ">x",
}  # fmt: skip


@pytest.mark.parametrize("name", HEAVY)
def test_pages_made_to_be_expensive_end_within_their_limits(name, readers):
    try:
        assert "x" in readers.read(HEAVY[name].encode(), "html").text
    except UnreadableFile as fault:
        assert fault.reason in (Unreadable.TOO_LARGE, Unreadable.TOO_DEEP)  # not timed_out: work is bounded by size


def nested_boxes(depth):
    inner = p("innermost")
    for _ in range(depth):
        inner = (
            f"<w:p><w:r><w:drawing><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx></w:drawing></w:r></w:p>"
        )
    return inner


def nested_frames(depth):
    inner = "<text:p>innermost</text:p>"
    for _ in range(depth):
        inner = f"<text:p><draw:frame><draw:text-box>{inner}</draw:text-box></draw:frame></text:p>"
    return inner


def test_boxes_inside_boxes_are_read_once_each():
    assert read("docx", docx(nested_boxes(40))).text == "innermost"
    assert read("odt", odt(nested_frames(60))).text == "innermost"


def test_repeated_rows_and_cells_do_not_multiply():
    cells = '<table:table-cell table:number-columns-repeated="999999999"><text:p>x</text:p></table:table-cell>'
    rows = f'<table:table-row table:number-rows-repeated="999999999">{cells}</table:table-row>' * 50
    assert len(read("odt", odt(f"<table:table>{rows}</table:table>")).text) < 100_000


def test_notes_and_references_without_number_are_linear(readers):
    references = "<w:r><w:footnoteReference w:id='1'/></w:r>" * 100_000
    body = f"<w:p><w:r><w:t>x</w:t></w:r>{references}</w:p>"
    note = f"<w:footnote w:id='1'><w:p>{references}<w:r><w:t>note</w:t></w:r></w:p></w:footnote>"
    found = readers.read(docx(body, footnotes=note), "docx")
    assert found.text.count("note") == 1


# files that lie about their kind, or are broken


@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"%PDF-1.7", b"<html>", b"PK\x05\x06" + bytes(18), bytes(1_000),
                                  b"\xd0\xcf\x11\xe0" * 300])  # fmt: skip
def test_what_is_no_container_is_damaged(kind, data):
    assert reason(kind, data) is Unreadable.DAMAGED


@pytest.mark.parametrize("kind", CONTAINERS)
@pytest.mark.parametrize("other", CONTAINERS)
def test_a_container_of_another_kind_gives_no_foreign_words(kind, other):
    if kind == other:
        return
    try:
        assert read(kind, HONEST[other]).text == ""
    except UnreadableFile as fault:
        assert fault.reason is Unreadable.DAMAGED


@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_container_cut_off_anywhere_is_damaged(kind):
    data = HONEST[kind]
    for length in range(0, len(data) - 22, max(1, len(data) // 60)):
        assert reason(kind, data[:length]) is Unreadable.DAMAGED


@given(st.sampled_from([*CONTAINERS, "html", "csv"]), st.data())
def test_flipped_bytes_give_text_or_a_code_and_nothing_else(kind, data):
    changed = bytearray(HONEST[kind])
    for _ in range(data.draw(st.integers(1, 8))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    try:
        read(kind, bytes(changed))
    except UnreadableFile as fault:
        assert fault.reason in set(Unreadable)


@given(st.sampled_from(["word/document.xml", "_rels/.rels", "word/_rels/document.xml.rels"]), st.data())
def test_broken_parts_inside_of_a_sound_container_give_text_or_a_code(part, data):
    held = members("docx")
    changed = bytearray(held[part])
    for _ in range(data.draw(st.integers(1, 12))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at : at + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
        changed = changed or bytearray(b" ")
    try:
        read("docx", zipped(held | {part: bytes(changed)}))
    except UnreadableFile as fault:
        assert fault.reason in set(Unreadable)


@given(st.text(alphabet="<>/=\"'&;!-[]{}:.# \nabptdrhuli123é字", max_size=400))
def test_any_soup_of_markup_is_read_as_text(soup):
    found = read("html", f"<p>first</p>{soup}")
    assert found.text.startswith("first")


@pytest.mark.parametrize("declared", ["utf-16", "utf-7", "ebcdic-cp-us", "x-no-such", "iso-10646-ucs-4"])
def test_a_part_that_lies_about_its_encoding_gives_its_words_or_a_code(declared):
    part = f'<?xml version="1.0" encoding="{declared}"?>'.encode() + members("docx")["word/document.xml"]
    try:
        assert read("docx", zipped(members("docx") | {"word/document.xml": part})).text in ("Honest words.", "")
    except UnreadableFile as fault:
        assert fault.reason is Unreadable.DAMAGED


def test_programs_inside_of_a_document_are_told_and_never_run():
    found = read("docx", zipped(members("docx") | {"word/vbaProject.bin": b"AutoOpen", "word/embeddings/x.bin": b"MZ"}))
    assert (found.text, found.coverage, found.lost) == ("Honest words.", "partial", ("macros",))
    assert read("docx", HONEST["docx"]).coverage == "complete"


# words for machines alone

FEE, NONE = "The fee is nine euros a day.", "Nothing at all is ever due."
WHITE_ODT = (
    '<style:style style:name="W" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>'
    '<style:style style:name="G" style:family="text"><style:text-properties text:display="none"/></style:style>'
)
MARKED = {
    "html": f"<p>{FEE} <b style='color:#fff'>{NONE}</b></p>".encode(),
    "epub": epub({"a.xhtml": f"<p>{FEE} <b style='color:#fff'>{NONE}</b></p>"}),
    "docx": docx(p(FEE) + p(NONE, run='<w:color w:val="FFFFFF"/>')),
    "odt": odt(f'<text:p>{FEE} <text:span text:style-name="W">{NONE}</text:span></text:p>', automatic=WHITE_ODT),
}
LEFT_OUT = {
    "html": f"<p>{FEE} <b style='display:none'>{NONE}</b></p>".encode(),
    "epub": epub({"a.xhtml": f"<p>{FEE} <b hidden='hidden'>{NONE}</b></p>"}),
    "docx": docx(p(FEE) + p(NONE, run="<w:vanish/>")),
    "odt": odt(f'<text:p>{FEE} <text:span text:style-name="G">{NONE}</text:span></text:p>', automatic=WHITE_ODT),
}


def verdict(kind, data, quote):
    found = read(kind, data)
    return Gate([Passage(key="k", text=found.text, hidden=found.hidden)]).verify("k", quote)


@pytest.mark.code("not_visible", "quote_mismatch")
@pytest.mark.parametrize("kind", MARKED)
def test_words_that_only_machines_read_are_never_quoted(kind):
    for data, code in ((MARKED[kind], "not_visible"), (LEFT_OUT[kind], "quote_mismatch")):
        assert isinstance(verdict(kind, data, FEE), VerifiedCitation)
        refused = verdict(kind, data, NONE)
        assert isinstance(refused, Refusal) and refused.code == code
    shown = MARKED[kind] if kind == "html" else None
    if shown:
        assert isinstance(verdict(kind, shown.replace(b"#fff", b"#c00"), NONE), VerifiedCitation)


@pytest.mark.code("quote_mismatch")
def test_an_exponent_is_never_quoted_as_a_digit_of_its_number():
    page = b"<p>The basin holds 10<sup>2</sup> litres of water.</p>"
    assert isinstance(verdict("html", page, "holds 10\u00b2 litres of water"), VerifiedCitation)
    refused = verdict("html", page, "holds 102 litres of water")
    assert isinstance(refused, Refusal) and refused.code == "quote_mismatch"


@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_document_that_lost_something_is_never_complete(kind):
    """(condition 62)"""
    lossy = {
        "docx": docx(p("Words.") + "<w:altChunk/>"), "odt": odt("<text:p>Words.<draw:frame><draw:object/></draw:frame></text:p>"),
        "epub": epub({"a.xhtml": "<p>Words.</p>"}, spine='<itemref idref="gone"/>'),
        "xlsx": zipped(members("xlsx") | {"xl/vbaProject.bin": "x"}),
    }  # fmt: skip
    assert read(kind, lossy[kind]).coverage == "partial"
    assert read(kind, HONEST[kind]).coverage == "complete"
