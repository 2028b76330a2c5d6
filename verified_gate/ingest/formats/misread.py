"""Where libxml2 reads a page otherwise than browsers, so that words are hidden for the one and not for the others.

Told or undone, from cheap to dear: only pages with such markup pay for it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from lxml import etree

_RAW: Final = ("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext")
"""Elements of which all is text, up to their end tag: closed in their own tag they are open for browsers."""
_CLOSED: Final = re.compile(
    rb"<(?:(svg|math)(?=[\s>])|/(svg|math)[\s>]|((?:script|style|title|textarea|iframe|noembed|noframes|xmp|plaintext)"
    rb"(?=[\s/])[^<>]{0,2000})/>)",
    re.IGNORECASE,
)
_FORMATTING: Final = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""Elements that browsers open again in the next paragraph, where they were not closed before it."""
_STRAY: Final = "Unexpected end tag : "
_ROOT: Final = re.compile(rb"<html\s[^<]{0,9999}?(?:style|hidden|class|id)(?![\w-])", re.IGNORECASE)
LEFT_OPEN: Final = "left-open"
"""Set on formatting elements that may have been closed before their end tag; a page that sets it only tells of itself."""
REOPENED: Final = "words behind a hidden element that is closed out of order"


def opened(content: bytes, root: etree._Element) -> bytes:
    """The page with elements of raw text left open that are closed in their own tag; itself where there are none."""
    if all(element.text for element in root.iter(*_RAW)):
        return content
    depth = 0

    def open_up(found: re.Match[bytes]) -> bytes:
        nonlocal depth
        depth += 1 if found[1] else -1 if found[2] and depth else 0
        return b"<" + found[3] + b">" if found[3] and not depth else found[0]

    return _CLOSED.sub(open_up, content) if b"/>" in content else content


def tell_misread(content: bytes, root: etree._Element, messages: Iterable[str], lost: Counter[str]) -> None:
    """Tell in `lost`, or set (`LEFT_OPEN`) on elements, what was read otherwise than browsers read it."""
    strays = set()
    for message in messages:
        if "misplaced <body>" in message:
            lost["second body"] = 1  # browsers give its attributes to the first, and this parser lets them go
        elif "misplaced <html>" in message and _ROOT.search(content):
            lost["second html"] = 1
        elif message.startswith(_STRAY) and (tag := message[len(_STRAY) :]) in _FORMATTING:
            strays.add(tag)
    for element in root.iter(*strays) if strays else ():
        if element.keys():
            element.set(LEFT_OPEN, "")
