"""Books: the chapters of an EPUB in reading order, each read as a page is, with the style sheets of the container.

A chapter (`Anchor.chapter`) is named by its path in the container, which with an element's id opens the place in any
reading program. The cover and what stands outside of the reading order may be a picture; another chapter that is
nothing but pictures is lost, and told. A scripted, encrypted or missing chapter is never passed over in silence.
"""

import re
from collections import Counter
from typing import Final

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.archive import Archive, resolve
from verified_gate.ingest.formats.arranged import Arranged
from verified_gate.ingest.formats.composing import Composer, told
from verified_gate.ingest.formats.encoding import MARKS
from verified_gate.ingest.formats.html import Page
from verified_gate.ingest.formats.markup import READER as READER_OF_XML
from verified_gate.ingest.formats.markup import Element, parse_xml
from verified_gate.ingest.formats.page_tree import READER as READER_OF_PAGES
from verified_gate.ingest.formats.page_tree import parse_page
from verified_gate.ingest.formats.sheets import Sheet, imports, parse_sheet, unsure
from verified_gate.ingest.formats.visibility import Styles
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

READER: Final = f"{READER_OF_XML}, {READER_OF_PAGES}"
"""Chapters that are no XML are read as pages."""
_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_PAGES: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"})
_LINKED: Final = re.compile(rb"""<\?xml-stylesheet\s[^>]{0,500}?href\s{0,9}=\s{0,9}["']([^"'>]{1,500})""")
_HEAD: Final = 8_192
"""Bytes of a chapter before which its sheets are named."""
_DEEPEST: Final = 8
"""Sheets that take in sheets."""


def read(data: bytes, limits: ReadingLimits, **_: str) -> Extracted:
    """Read a book. Raises `UnreadableFile`."""
    with Archive(data, limits) as archive:
        return _Book(archive, limits).read()


class _Book:
    def __init__(self, archive: Archive, limits: ReadingLimits) -> None:
        self._archive = archive
        self._to = Composer(limits)
        self._sheets: dict[str, Sheet | None] = {}
        self._arranged = Arranged(Styles())  # of the chapter before, most often the same
        self._lost: Counter[str] = Counter()

    def read(self) -> Extracted:
        package_name = self._package_name()
        package = parse_xml(self._archive.read(package_name), doctype=True)
        items = {item.get("id", ""): item for item in package.iter("{*}item")}
        encrypted = self._encrypted()
        lang = _first(package, "language")
        for index, reference in enumerate(package.iter("{*}itemref")):
            item = items.get(reference.get("idref", ""))
            name = resolve(package_name, item.get("href", "")) if item is not None else ""
            if item is None or name not in self._archive:
                self._lost["chapter{s} missing"] += 1
                continue
            if name in encrypted:
                raise UnreadableFile(Unreadable.ENCRYPTED, "a chapter is encrypted")
            main = index > 0 and reference.get("linear", "yes") != "no"
            page = self._chapter(name, item.get("media-type", ""), main=main)
            lang = lang or (page.lang if page else "")
        return self._to.finish(READER, title=_first(package, "title"), lang=lang, lost=told(self._lost))

    def _chapter(self, name: str, kind: str, *, main: bool) -> Page | None:
        before = self._to.length
        if kind not in _PAGES:
            self._lost["chapter{s} of pictures alone"] += main
            return None
        content = self._archive.read(name)
        root = parse_page(content, self._lost, linked=True)
        page = Page(self._to, lambda link: self._sheet(name, link), self._arranged)
        self._to.chapter(name)
        page.read(root, [found.decode("utf-8", "replace") for found in _LINKED.findall(content[:_HEAD])])
        self._arranged = page.arranged
        self._lost.update(page.lost)
        self._lost["chapter{s} of pictures alone"] += main and self._to.length == before and page.pictures > 0
        return page

    def _sheet(self, base: str, link: str, depth: int = 0) -> Sheet | None:
        name = resolve(base, link)
        if name not in self._sheets:
            self._sheets[name] = ()  # for sheets that take in each other
            found = self._archive.read_if_there(name) if name != base else None
            if found is None:
                self._sheets[name] = None
                return None
            text = _text(found)
            taken = [self._sheet(name, each, depth + 1) for each in imports(text)] if depth < _DEEPEST else []
            self._sheets[name] = (*(rule for sheet in taken if sheet for rule in unsure(sheet)), *parse_sheet(text))
        return self._sheets[name]

    def _package_name(self) -> str:
        found = self._archive.read_if_there(_CONTAINER)
        if found is None:
            raise UnreadableFile(Unreadable.DAMAGED, f"the container has no {_CONTAINER}")
        for root in parse_xml(found).iter("{*}rootfile"):
            name = resolve("", root.get("full-path", ""))
            if name in self._archive:
                return name
        raise UnreadableFile(Unreadable.DAMAGED, "the container names no package that it holds")

    def _encrypted(self) -> frozenset[str]:
        """Members that are encrypted. Fonts often are, in a way that keeps nobody from reading."""
        found = self._archive.read_if_there(_ENCRYPTION)
        if found is None:
            return frozenset()
        references = parse_xml(found).iter("{*}CipherReference")
        return frozenset(resolve("", reference.get("URI", "")) for reference in references)


def _text(sheet: bytes) -> str:
    for mark, encoding in MARKS:
        if sheet.startswith(mark):
            return sheet[len(mark) :].decode(encoding, "replace")
    if b"\0" in sheet[:4]:
        return sheet.decode("utf-16-le" if sheet[1:2] == b"\0" else "utf-16-be", "replace")
    return sheet.decode("utf-8", "replace")


def _first(package: Element, name: str) -> str:
    return next((element.text.strip() for element in package.iter(f"{{*}}{name}") if element.text), "")
