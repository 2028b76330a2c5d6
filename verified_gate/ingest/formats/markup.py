"""XML, parsed by libxml2 with nothing fetched, no entity expanded and no depth or size without bound.

What libxml2 does in more than linear time is an element of very many attributes (40,000 take 20 s): there the clock of
the process that reads is what holds.
"""

from html.entities import html5
from typing import Final, TypeAlias

from lxml import etree

from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

Element: TypeAlias = etree._Element  # noqa: SLF001 - lxml gives its element class no public name

READER: Final = f"lxml {etree.__version__} (libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))})"
DEEPEST: Final = 256
"""How deep elements stand in each other in what libxml2 lets through, and in what is read of pages."""
TOO_DEEP: Final = f"elements inside each other more than {DEEPEST} deep"


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


def _refusal(code: int, message: str) -> UnreadableFile:
    if code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        if "depth" in message:
            return UnreadableFile(Unreadable.TOO_DEEP, TOO_DEEP)
        if "amplification" in message:
            return UnreadableFile(Unreadable.BOMB, "entities of the markup grow without bound")
        return UnreadableFile(Unreadable.TOO_LARGE, "a text, name or attribute of more than 10,000,000 bytes")
    if code in (etree.ErrorTypes.ERR_ENTITY_LOOP, etree.ErrorTypes.WAR_UNDECLARED_ENTITY):
        return UnreadableFile(Unreadable.EXTERNAL_REFERENCE, "the markup refers to an entity of its own")
    return UnreadableFile(Unreadable.DAMAGED, "markup that is no well-formed XML")
