"""XML and HTML, parsed by libxml2 with nothing fetched, no entity expanded and no depth or size without bound.

Which parser, and why: over the 58 public pages of the measures lxml gives every word that html5lib gives in a
twentieth of its time; lexbor is faster still on honest pages, but takes 35 s for 100,000 elements inside each other,
where libxml2 stops at 256 and says so. What it does in more than linear time is an element of very many attributes
(40,000 take 20 s): there the clock of the process that reads is what holds.
"""

import codecs
import re
from collections import Counter
from html.entities import html5
from typing import Final, TypeAlias

from lxml import etree

from verified_gate.ingest.formats.encoding import ENCODINGS, decoded
from verified_gate.ingest.formats.misread import opened, settle, tell_misread, unsettled
from verified_gate.ingest.formats.opening_body import HELD_BACK, in_head, with_body
from verified_gate.ingest.formats.unclosed import parted
from verified_gate.ingest.formats.void_elements import RENAMED, closed
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

Element: TypeAlias = etree._Element  # noqa: SLF001 - lxml gives its element class no public name

READER: Final = f"lxml {etree.__version__} (libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))})"

_DECLARED: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w-]{1,40})""", re.IGNORECASE)
_XML_DECLARED: Final = re.compile(rb"""^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w-]{1,40})""")
_SHEETS: Final = re.compile(rb"<\?xml-stylesheet\s")
_HEAD: Final = 100_000
"""Bytes in which a page must declare its encoding; browsers look as far as they find nothing else."""


def parse_html(data: bytes, lost: Counter[str] | None = None) -> Element | None:
    """The root of a page; None where it holds nothing. Bytes that stand for nothing are told in `lost`.

    Raises `UnreadableFile`: `not_text`, `too_deep`, `too_large`.
    """
    content = _as_utf8(data, lost)
    root, messages = _parsed(content)
    if root is not None and (whole := opened(content, root)) != content:
        content = whole
        root, messages = _parsed(content)
    if (whole := parted(content, messages)) != content:
        content = whole
        root, _ = _parsed(content)
    if root is not None and in_head(root):
        root, messages = _parsed(with_body(content))
        if lost is not None and root is not None and (left := in_head(root)):
            lost[HELD_BACK] += left
    if root is not None and lost is not None:
        tell_misread(content, root, messages, lost)
    return root


def settle_misread(data: bytes, root: Element, lost: Counter[str]) -> None:
    """Tell in `lost` what is known of a page only when it was read: whether hidden elements go on for want of end tags."""
    if unsettled(root, lost):
        settle(_as_utf8(data, None), root, lost)


def _parsed(content: bytes) -> tuple[Element | None, list[str]]:
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False, default_doctype=False
    )
    whole = closed(content)
    try:
        root = etree.fromstring(whole, parser) if whole.strip() else None
    except etree.XMLSyntaxError as fault:
        if "Document is empty" in str(fault):
            return None, []
        raise _refusal(fault.code, str(fault)) from fault
    for entry in parser.error_log:  # the parser leaves off at these and keeps what it had: words would be lost unseen
        if entry.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise _refusal(entry.type, entry.message)
    for element in root.iter(RENAMED) if root is not None and whole is not content else ():
        element.tag = "isindex"
    return root, [entry.message for entry in parser.error_log]


def parse_xml(data: bytes, *, doctype: bool = False) -> Element:
    """The root of an XML document. A DOCTYPE is refused unless it is looked for, and entities declared in one always.

    Raises `UnreadableFile`: `damaged`, `external_reference`, `too_deep`, `too_large`.
    """
    # Not with `collect_ids=False`: libxml2 then opens the file that a DOCTYPE names, whatever `load_dtd` says.
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as fault:
        raise _refusal(fault.code, str(fault)) from fault
    except ValueError as fault:
        raise UnreadableFile(Unreadable.DAMAGED, "markup that is no XML") from fault
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and (not doctype or any(True for _ in declared.iterentities())):
        raise UnreadableFile(Unreadable.EXTERNAL_REFERENCE, "the markup declares entities or a document type")
    return root


def parse_page(data: bytes, lost: Counter[str] | None = None, *, linked: bool = False) -> Element | None:
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


def character(entity: Element) -> str:
    """What an unexpanded reference such as `&nbsp;` stands for. Raises `UnreadableFile` (`external_reference`)."""
    name = str(getattr(entity, "name", ""))
    try:
        return html5[f"{name};"]
    except KeyError:
        raise UnreadableFile(Unreadable.EXTERNAL_REFERENCE, "the markup refers to an entity of its own") from None


def local_name(element: Element) -> str:
    """The tag without its name space; "" for what is no element."""
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


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


def _refusal(code: int, message: str) -> UnreadableFile:
    if code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        if "depth" in message:
            return UnreadableFile(Unreadable.TOO_DEEP, "elements inside each other more than 256 deep")
        if "amplification" in message:
            return UnreadableFile(Unreadable.BOMB, "entities of the markup grow without bound")
        return UnreadableFile(Unreadable.TOO_LARGE, "a text, name or attribute of more than 10,000,000 bytes")
    if code in (etree.ErrorTypes.ERR_ENTITY_LOOP, etree.ErrorTypes.WAR_UNDECLARED_ENTITY):
        return UnreadableFile(Unreadable.EXTERNAL_REFERENCE, "the markup refers to an entity of its own")
    return UnreadableFile(Unreadable.DAMAGED, "markup that is no well-formed XML")
