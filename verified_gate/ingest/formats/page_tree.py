"""The tree that browsers make of a page: built by lexbor as the HTML standard says ("Tree construction", with scripts),
however broken the page is, and copied into elements of lxml, which all that reads a page asks.

Why not lxml's own parser, which is faster by half: libxml2 ends and nests elements by rules of its own. Where a hidden
element is not closed as it should be, words were hidden for the one and shown by the other, in more ways than could be
undone or told.
"""

import codecs
import re
from collections import Counter
from contextlib import suppress
from importlib.metadata import version
from typing import Final

from lxml import etree
from selectolax import lexbor
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from verified_gate.ingest.formats.encoding import ENCODINGS, decoded
from verified_gate.ingest.formats.markup import DEEPEST, TOO_DEEP, Element, parse_xml
from verified_gate.ingest.formats.quirks import is_quirky
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

READER: Final = (
    f"selectolax {version('selectolax')} (lexbor {lexbor.LEXBOR_VERSION_MAJOR}.{lexbor.LEXBOR_VERSION_MINOR})"
)
_AS_WRITTEN: Final = LexborDocumentOptions.WO_EVENTS
"""Without the copies of a choice that are shown in place of its list (`selectedcontent`)."""
_MANY: Final = 20_000
"""Tags of a page from which on its depth is looked at first: lexbor takes square time for elements inside each other."""
_SEARCH: Final = re.compile(rb"<(/?)(search[\t\n\f\r />])", re.IGNORECASE)
"""Tags of an element that parts others as `section` does by the standard, and not yet in Chromium."""
_UNSETTLED: Final = "element{s} that not all browsers end at the same place"
_FOREIGN: Final = ("svg", "math", "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml")
"""What a `sup` may stand in: browsers end drawings and formulas at it, lexbor does not."""
_FORMATTING: Final = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
_DECLARED: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w-]{1,40})""", re.IGNORECASE)
_XML_DECLARED: Final = re.compile(rb"""^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})""")
_SHEETS: Final = re.compile(rb"<\?xml-stylesheet\s")
_HEAD: Final = 100_000
"""Bytes in which a page must declare its encoding; browsers look as far as they find nothing else."""
_MEANINGLESS: Final = dict.fromkeys(
    (*(sign for sign in range(0x20) if chr(sign) not in "\t\n\f\r"), 0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}"
) | {0x0C: " "}
"""Signs that stand for nothing in a text, and that no element of lxml takes."""
LEFT_OPEN: Final = "elements closed in their own tag, which browsers leave open in a page that is not served as XML"
_CLOSED: Final = re.compile(
    rb"<!\[CDATA\[|<\?xml-stylesheet\s|<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)[\s/])[a-z][^<>]{0,2000}/>",
    re.IGNORECASE,
)
_NO_NAME: Final = re.compile(r"[^\w.:-]")


def parse_html(data: bytes, lost: Counter[str] | None = None) -> Element:
    """The root of a page as browsers read it. Bytes that stand for nothing are told in `lost`.

    Raises `UnreadableFile`: `not_text`, `too_deep`.
    """
    return _tree(_as_utf8(data, lost), lost)


def parse_page(data: bytes, lost: Counter[str] | None = None, *, linked: bool = False) -> Element:
    """The root of a page in XHTML; where it is no XML, as browsers would read it. Raises as the other two do.

    `linked`: the caller reads the style sheets that processing instructions name, which are told in `lost` otherwise.
    """
    try:
        root = parse_xml(data, doctype=True)
    except UnreadableFile as fault:
        if fault.reason is not Unreadable.DAMAGED:
            raise
        return parse_html(data, lost)
    if lost is not None and not linked:
        lost["style sheet{s} in other files"] += len(_SHEETS.findall(data[:_HEAD]))
    return root


def may_be_xml(data: bytes) -> bool:
    """Whether it is a page in XML that is another one to browsers which are told so: that end elements in their own
    tag, or hold sections of characters, or name style sheets before its root.
    """
    return data.lstrip()[:5] == b"<?xml" and _CLOSED.search(data) is not None


def _tree(content: bytes, lost: Counter[str] | None = None) -> Element:
    """The root of a page in UTF-8, without comments; the contents of templates stand in them as in other elements.

    Raises `UnreadableFile` (`too_deep`); `MemoryError`.
    """
    if content.count(b"<") > _MANY:
        _refuse_the_deepest(content)
    try:
        built = LexborHTMLParser(content, options=_AS_WRITTEN, scripting=True)
        if lost is not None and _SEARCH.search(content):
            lost[_UNSETTLED] += _is_unsettled(content, built)
    except SelectolaxError:  # of a page it fails for want of memory alone
        raise MemoryError from None
    page = built.root
    # Of HTML's own parser, so that its elements take names as they come in HTML.
    doctype = b"" if is_quirky(content) else b"<!DOCTYPE html>"
    root = etree.fromstring(doctype + b"<html></html>", etree.HTMLParser(encoding="utf-8", default_doctype=False))
    if page is not None:
        _name(root, page.attributes)
        _fill(root, page, _Names(), DEEPEST)
    if lost is not None and (b"<svg" in (small := content.lower()) or b"<math" in small):
        around = (next(each.iterancestors(*_FOREIGN), None) for each in root.iter("sup"))
        lost[_UNSETTLED] += sum(each is not None and each.tag in ("svg", "math") for each in around)
    return root


def _is_unsettled(content: bytes, built: LexborHTMLParser) -> bool:
    """Whether the tree is another where `search` is an element like any that no browser knows."""
    other = LexborHTMLParser(_SEARCH.sub(rb"<\1x-\2", content), options=_AS_WRITTEN, scripting=True)
    return (other.html or "").replace("<x-", "<").replace("</x-", "</") != (built.html or "").replace(
        "<x-", "<"
    ).replace("</x-", "</")


class _Names(dict[str | None, str]):
    """Names of elements as lxml takes them, by those of lexbor, which writes some of drawings with capitals."""

    def __missing__(self, name: str | None) -> str:
        known = self[name] = _NO_NAME.sub("-", (name or "").lower())
        return known


def _fill(element: Element, node: LexborNode, names: _Names, room: int) -> None:
    """Copy all that stands in `node`. Here pages spend their time."""
    if not room:
        raise UnreadableFile(Unreadable.TOO_DEEP, TOO_DEEP)
    new = etree.SubElement
    last: Element | None = None
    pieces: list[str] = []  # of words: comments that part them are left out
    child = node.first_child
    while child is not None:
        if child.is_element_node:
            if pieces:
                _write("".join(pieces), element, last)
                pieces.clear()
            name = names[child.tag]
            last = new(element, name)
            if attributes := child.attributes:
                _name(last, attributes)
            if name == "template" and (held := child.template_fragments()):
                _fill(last, held[0], names, room - 1)
            _fill(last, child if name != "textarea" else _words_of(child, last), names, room - 1)
        elif child.is_text_node and (words := child.text_content or ""):
            pieces.append(words)
        child = child.next
    if pieces:
        _write("".join(pieces), element, last)


def _words_of(area: LexborNode, element: Element) -> LexborNode:
    """The node that holds the words of a field: lexbor opens in it, once more, what is left open before it."""
    while (held := area.first_child) is not None and held.is_element_node and held.tag in _FORMATTING:
        if next(element.iterancestors("svg", "math"), None) is not None:
            break  # where it is no field
        area = held
    return area


def _write(words: str, element: Element, last: Element | None) -> None:
    """Put words behind the last element so far; without one they are the first in the element around."""
    try:
        if last is None:
            element.text = words
        else:
            last.tail = words
    except ValueError:
        _write(words.translate(_MEANINGLESS), element, last)


def _name(element: Element, attributes: dict[str, str | None]) -> None:
    for name, value in attributes.items():
        try:
            element.set(name, value or "")
        except ValueError:  # it has signs that lxml does not take: no name that anything of HTML has, or a value
            with suppress(ValueError):
                element.set(name, (value or "").translate(_MEANINGLESS))


def _refuse_the_deepest(content: bytes) -> None:
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    with suppress(etree.XMLSyntaxError):
        etree.fromstring(content, parser)
    if any(each.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT and "depth" in each.message for each in parser.error_log):
        raise UnreadableFile(Unreadable.TOO_DEEP, TOO_DEEP)


def _as_utf8(data: bytes, lost: Counter[str] | None) -> bytes:
    found = _XML_DECLARED.search(data[:_HEAD]) or _DECLARED.search(data[:_HEAD])
    label = found[1].decode("ascii", "replace").lower() if found else ""
    if ENCODINGS.get(label, "utf-8") == "utf-8":
        try:
            data.decode("utf-8")
            return data.removeprefix(codecs.BOM_UTF8)
        except UnicodeDecodeError:
            pass
    return decoded(data, label, lost).encode()
