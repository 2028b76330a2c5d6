"""Kinds of files, by their content: names decide only among kinds of text."""

import io
import zipfile

import pytest

from tests.pdf_files import BODY, build, shown
from verified_gate.ingest.formats.detect import detect, is_known, needs_whole
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

PDF = build(shown(BODY))


def archive(*members, mimetype=""):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        if mimetype:
            file.writestr("mimetype", mimetype)
        for member in members:
            file.writestr(member, "x" * 500, zipfile.ZIP_DEFLATED)
    return held.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"# Head", "a.md", "markdown"),
        (b"# Head", "a.MARKDOWN", "markdown"),
        (b"words", "a.txt", "text"),
        (b"", "a.txt", "text"),
        (b"a,b\n1,2", "a.csv", "csv"),
        (b"a\tb\n1\t2", "a.tsv", "csv"),
        (b"<p>words", "a.htm", "html"),
        (PDF, "a.pdf", "pdf"),
        (b"junk\n" + PDF, "a.pdf", "pdf"),
        (archive("word/document.xml"), "a.docx", "docx"),
        (archive("xl/workbook.xml"), "a.xlsx", "xlsx"),
        (archive("content.xml", mimetype="application/vnd.oasis.opendocument.text"), "a.odt", "odt"),
        (archive("META-INF/container.xml", mimetype="application/epub+zip"), "a.epub", "epub"),
        (archive("META-INF/container.xml"), "a.epub", "epub"),
    ],
)
def test_a_file_is_known_by_content_and_texts_by_their_names(data, name, kind):
    assert detect(data, name) == kind


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (PDF, "a.txt", "pdf"),
        (PDF, "contract", "pdf"),
        (b"\xef\xbb\xbf \n" + PDF, "a.md", "pdf"),
        (archive("word/document.xml"), "a.pdf", "docx"),
        (archive("META-INF/container.xml", mimetype="application/epub+zip"), "a.zip", "epub"),
        (b"<!DOCTYPE html><title>404</title>", "report.pdf", "html"),
        (b"<?xml version='1.0'?>\n<!-- made by a machine -->\n<html xmlns='x'>", "a.txt", "html"),
    ],
)
def test_a_file_that_lies_about_its_kind_is_read_as_what_it_is(data, name, kind):
    assert detect(data, name) == kind


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"words", "a.pdf", Unreadable.DAMAGED),
        (b"words", "a.docx", Unreadable.DAMAGED),
        (b"", "a.pdf", Unreadable.DAMAGED),
        (b"words", "a.py", Unreadable.UNKNOWN_KIND),
        (b"words", "a", Unreadable.UNKNOWN_KIND),
        (b"\x89PNG\r\n\x1a\n", "a.md", Unreadable.UNKNOWN_KIND),
        (b"RIFF\0\0\0\0WEBPVP8 ", "a.md", Unreadable.UNKNOWN_KIND),
        (b"{\\rtf1 words}", "a.txt", Unreadable.UNKNOWN_KIND),
        (b"\x1f\x8b\x08", "a.txt", Unreadable.UNKNOWN_KIND),
        (archive("ppt/presentation.xml"), "a.docx", Unreadable.UNKNOWN_KIND),
        (archive("a.txt"), "a.docx", Unreadable.UNKNOWN_KIND),
        (archive("x", mimetype="application/vnd.oasis.opendocument.spreadsheet"), "a.odt", Unreadable.UNKNOWN_KIND),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.doc", Unreadable.UNKNOWN_KIND),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "a.docx", Unreadable.ENCRYPTED),
    ],
)
def test_what_is_not_read_is_refused_with_the_reason(data, name, reason):
    with pytest.raises(UnreadableFile) as fault:
        detect(data, name)
    assert fault.value.reason == reason


@pytest.mark.parametrize(
    "text", [b"About %PDF- files", b"An <html> tag in a text", b"<div>Markdown with markup</div>\n\n# Head"]
)
def test_a_text_about_files_is_a_text(text):
    assert detect(text, "a.md") == "markdown"


def test_a_long_comment_does_not_cost_more_than_it_is_long():
    assert detect(b"<!--" * 100_000, "a.md") == "markdown"
    assert detect(b"<?xml " * 100_000, "a.md") == "markdown"


def test_what_a_name_promises():
    assert is_known("a/b.PDF")
    assert not is_known("a/b.png")
    assert needs_whole(archive("x"))
    assert not needs_whole(PDF)


@pytest.mark.parametrize(
    "piece",
    [b" ", b"\n", b" \t", b"<!---->", b"<!-- a -->", b"<!-- ", b"<?xml?>", b"<?xml ", b" <!-- --> ", b"-->", b"<!doctype ", b"<"],
)  # fmt: skip
def test_a_text_that_repeats_what_may_stand_before_a_page_is_told_at_once_and_a_page_behind_it_is_one(piece):
    assert detect(piece * 30 + b"words", "a.md") == "markdown"
    assert detect(piece * 4_000, "a.md") == "markdown"
    whole = piece.strip() == b"" or piece.strip().endswith((b"-->", b"?>")) and not piece.startswith(b"--")
    assert detect(piece * 30 + b"<!DOCTYPE\n html>", "a.md") == ("html" if whole else "markdown")
