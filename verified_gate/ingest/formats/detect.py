"""What kind of file it is, by its content; its name decides only among kinds of text.

A file that is something else than its name says is read as what it is, or refused with the reason.
"""

import re
from pathlib import PurePosixPath
from typing import Final, Literal

from verified_gate.ingest.formats import Kind
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

FileKind = Kind | Literal["markdown", "text"]

HEAD: Final = 8_192
"""Bytes that are enough to know any kind but those in a zip container."""

MARKDOWN: Final = frozenset({".md", ".markdown"})
PLAIN: Final = frozenset({".txt"})
SUFFIXES: Final[dict[str, FileKind]] = {
    **dict.fromkeys(MARKDOWN, "markdown"),
    **dict.fromkeys(PLAIN, "text"),
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "csv",
    ".pdf": "pdf",
    ".docx": "docx",
    ".odt": "odt",
    ".epub": "epub",
    ".xlsx": "xlsx",
}
"""Kinds by their usual names."""

_BY_NAME: Final = frozenset({"markdown", "text", "html", "csv"})
"""Kinds of text: nothing in their content tells them from one another for sure."""

_HTML: Final = re.compile(rb"<(?:!doctype\s++html|html)[\s>]", re.IGNORECASE)
_BEFORE: Final = ((b"<?xml", b">"), (b"<!--", b"-->"))
"""What may stand before the first element of a page: how it begins, and how it ends."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS: Final = (
    (b"\x89PNG\r\n\x1a\n", "a picture: needs OCR"),
    (b"\xff\xd8\xff", "a picture: needs OCR"),
    (b"GIF8", "a picture: needs OCR"),
    (b"II*\0", "a picture: needs OCR"),
    (b"MM\0*", "a picture: needs OCR"),
    (b"{\\rtf", "RTF: save it as DOCX or PDF"),
    (b"%!PS", "PostScript: save it as PDF"),
    (b"\x1f\x8b", "compressed: unpack it first"),
    (b"BZh", "compressed: unpack it first"),
    (b"\xfd7zXZ\0", "compressed: unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "compressed: unpack it first"),
    (b"Rar!\x1a\x07", "compressed: unpack it first"),
    (b"SQLite format 3\0", "a database"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
)
_MEMBERS: Final[tuple[tuple[bytes, Kind | None, str], ...]] = (
    (b"word/document.xml", "docx", ""),
    (b"xl/workbook.xml", "xlsx", ""),
    (b"META-INF/container.xml", "epub", ""),
    (b"ppt/presentation.xml", None, "a PowerPoint file: save it as PDF"),
)
_OPEN: Final = b"application/vnd.oasis.opendocument."


def is_known(name: str) -> bool:
    """Does the file's name promise a kind that is read?"""
    return PurePosixPath(name).suffix.lower() in SUFFIXES


def is_plain(name: str) -> bool:
    """Does the file's name promise Markdown or plain text?"""
    return SUFFIXES.get(PurePosixPath(name).suffix.lower()) in ("markdown", "text")


def needs_whole(head: bytes) -> bool:
    """Is the kind known only from the whole file?"""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06", _OLE))


def detect(data: bytes, name: str) -> FileKind:
    """The kind of the file that holds `data` and is called `name`.

    Raises `UnreadableFile`: `unknown_kind`, `encrypted`, `damaged` (it is not what its name says).
    """
    suffix = PurePosixPath(name).suffix.lower()
    named = SUFFIXES.get(suffix)
    start = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"%PDF-") or (named == "pdf" and b"%PDF-" in data[:1024]):
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _in_zip(data)
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise UnreadableFile(Unreadable.ENCRYPTED, "is protected by a password: save it without one")
        raise UnreadableFile(Unreadable.UNKNOWN_KIND, "an old Word, Excel or PowerPoint file: save it as DOCX or XLSX")
    for magic, what in _OTHERS:
        if data.startswith(magic):
            raise UnreadableFile(Unreadable.UNKNOWN_KIND, what)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        raise UnreadableFile(Unreadable.UNKNOWN_KIND, "a picture: needs OCR")
    if _is_html(data[:HEAD].removeprefix(b"\xef\xbb\xbf")):
        return "html"
    if named in _BY_NAME and named is not None:
        return named
    if named is not None:
        raise UnreadableFile(Unreadable.DAMAGED, f"is called {suffix} and is none")
    raise UnreadableFile(Unreadable.UNKNOWN_KIND, f"none of the kinds that are read ({suffix[:20] or 'no suffix'})")


def _is_html(head: bytes) -> bool:
    """Does it begin with a page's first element, behind blanks, comments and XML declarations?

    Never goes back, so that its time is linear in `head`, whatever stands there.
    """
    place = 0
    while True:
        place = len(head) - len(head[place:].lstrip())
        for begin, end in _BEFORE:
            if head[place : place + len(begin)].lower() == begin:
                place = head.find(end, place + len(begin))
                if place < 0:
                    return False
                place += len(end)
                break
        else:
            return _HTML.match(head, place) is not None


def _in_zip(data: bytes) -> Kind:
    # names of members stand in the archive uncompressed, at its end once more; it is not opened here
    if data[30:38] == b"mimetype":
        kind = data[38:138]
        if kind.startswith(_OPEN + b"text"):
            return "odt"
        if kind.startswith(b"application/epub+zip"):
            return "epub"
        if kind.startswith(_OPEN):
            raise UnreadableFile(Unreadable.UNKNOWN_KIND, "an OpenDocument file that is no text: save it as PDF")
    for member, found, what in _MEMBERS:
        if member in data:
            if found is None:
                raise UnreadableFile(Unreadable.UNKNOWN_KIND, what)
            return found
    if b"content.xml" in data and _OPEN + b"text" in data:
        return "odt"
    raise UnreadableFile(Unreadable.UNKNOWN_KIND, "an archive: unpack it first")
