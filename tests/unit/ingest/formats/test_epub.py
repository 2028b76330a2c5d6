"""Books, chapter by chapter."""

import pytest

from tests.containers import epub, xhtml, zipped
from tests.reading import blocks, hidden, read
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

META = "<dc:title>The  Book</dc:title><dc:language>de-AT</dc:language>"


def test_chapters_come_in_the_order_of_the_spine_and_are_named_by_their_path():
    found = read("epub", epub({"b.xhtml": "<h1 id='x'>B</h1><p>one</p>", "t/a%20b.xhtml": "<p>two</p>"},
                              metadata=META, extra={"book/t/a b.xhtml": xhtml("<p>two <i id='y'>more</i></p>")}))  # fmt: skip
    assert blocks(found) == [("heading", "B"), ("paragraph", "one"), ("paragraph", "two more")]
    assert [(found.text[a.start :][:3], a.element, a.chapter) for a in found.anchors] == [
        ("B\n\n", "x", "book/b.xhtml"), ("two", "", "book/t/a b.xhtml"), ("mor", "y", "book/t/a b.xhtml"),
    ]  # fmt: skip
    assert (found.title, found.lang, found.coverage) == ("The Book", "de-AT", "complete")


def test_style_sheets_of_the_container_hide_as_those_of_a_page_do():
    chapter = xhtml("<p>You may <span class='no'>not </span>go.</p>", head='<link rel="stylesheet" href="../s/a.css"/>')
    found = read("epub", epub({"t/a.xhtml": chapter}, extra={"book/s/a.css": ".no{display:none}"}))
    assert found.text == "You may go."
    assert read("epub", epub({"t/a.xhtml": chapter})).text == "You may not go."


def test_entities_of_html_are_read_without_the_definition_that_a_chapter_names():
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    assert read("epub", epub({"a.xhtml": doctype + xhtml("<p>a&nbsp;b&hellip;</p>")})).text == "a\u00a0b…"
    assert read("epub", epub({"a.xhtml": xhtml("<p>a&nbsp;b&hellip;<br></p>")})).text == "a\u00a0b…"


@pytest.mark.parametrize("rule", ["*{visibility:visible}", ".no{display:none}"])
def test_no_rule_is_of_an_entity_which_is_read_as_the_character_it_is(rule):
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
    body = "<p>a&hellip;<math><mfrac>&eacute;<mn>2</mn></mfrac></math></p>"
    chapter = doctype + xhtml(body, head='<link rel="stylesheet" href="a.css"/>')
    assert read("epub", epub({"a.xhtml": chapter}, extra={"book/a.css": rule})).text == "a…é/2"


def test_a_note_of_a_chapter_stands_apart_and_its_mark_in_brackets():
    body = '<p>Due<a epub:type="noteref" href="#n1">1</a> now.</p><aside epub:type="footnote" id="n1"><p>Or later.</p></aside>'
    assert blocks(read("epub", epub({"a.xhtml": body}))) == [("paragraph", "Due[1] now."), ("footnote", "Or later.")]


def test_a_chapter_of_pictures_alone_is_lost_and_a_cover_is_not():
    picture = '<img src="p.png" alt="words"/>'
    assert read("epub", epub({"cover.xhtml": picture, "a.xhtml": "<p>text</p>" + picture})).coverage == "complete"
    found = read("epub", epub({"cover.xhtml": picture, "a.xhtml": "<p>text</p>", "scan.xhtml": picture}))
    assert (found.coverage, found.lost) == ("partial", ("1 chapter of pictures alone",))


def test_a_missing_chapter_is_told():
    found = read("epub", epub({"a.xhtml": "<p>text</p>"}, manifest='<item id="z" href="z.xhtml" media-type="application/xhtml+xml"/>',
                              spine='<itemref idref="z"/><itemref idref="nowhere"/>'))  # fmt: skip
    assert (found.text, found.coverage, found.lost) == ("text", "partial", ("2 chapters missing",))


def test_an_encrypted_chapter_is_refused_and_an_encrypted_font_is_not():
    def book(name):
        list_ = f'<encryption><CipherReference URI="{name}"/></encryption>'
        return epub({"a.xhtml": "<p>text</p>"}, extra={"META-INF/encryption.xml": list_})

    assert read("epub", book("book/font.otf")).text == "text"
    with pytest.raises(UnreadableFile) as fault:
        read("epub", book("book/a.xhtml"))
    assert fault.value.reason is Unreadable.ENCRYPTED


@pytest.mark.parametrize("members", [{"mimetype": "application/epub+zip"}, {"META-INF/container.xml": "<c/>"},
                                     {"META-INF/container.xml": "<c><rootfile full-path='x'/></c>"}])  # fmt: skip
def test_a_book_without_its_package_is_damaged(members):
    with pytest.raises(UnreadableFile) as fault:
        read("epub", zipped(members))
    assert fault.value.reason is Unreadable.DAMAGED


def test_hidden_words_are_marked_across_chapters_at_their_own_place():
    found = read("epub", epub({"a.xhtml": "<p>one</p>", "b.xhtml": "<p>two <b style='color:#fff'>three</b></p>"}))
    assert hidden(found) == ["three"]
