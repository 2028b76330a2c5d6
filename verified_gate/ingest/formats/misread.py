"""Where libxml2 reads a page otherwise than browsers, so that words are hidden for the one and not for the others.

Told or undone, from cheap to dear: only pages with such markup pay for it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from lxml import etree

from verified_gate.ingest.formats.opening_body import tags

_RAW: Final = ("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext")
"""Elements of which all is text, up to their end tag: closed in their own tag they are open for browsers."""
_CLOSED: Final = re.compile(
    rb"<(?:(svg|math)(?=[\s>])|/(svg|math)[\s>]|((?:script|style|title|textarea|iframe|noembed|noframes|xmp|plaintext)"
    rb"(?=[\s/])[^<>]{0,2000})/>)",
    re.IGNORECASE,
)
_HOLDING: Final = re.compile(
    rb"<(?:(script|style|title|textarea|iframe|noembed|noframes|xmp|plaintext)(?=[\s/]|\Z)"
    rb"|(?:div|span|p|section|article|main|aside|nav|header|footer|[uod]l|li|d[td]|h[1-6]|table|tbody|t[rdh]|b|i|em|strong|small"
    rb"|u|font|center|form|button|label|details|blockquote|pre|figure|a|abbr|address|big|cite|code|del|dl|fieldset|ins|kbd|legend"
    rb"|mark|nobr|q|s|samp|strike|su[bp]|summary|tt|var|caption|hgroup|search|dialog|menu)(?=[\s/]))",
    re.IGNORECASE,
)
"""Closed in its own tag, which is none to browsers: all that follows stands in it."""
_SAYING: Final = re.compile(rb"hidden|style|class|id|popover", re.IGNORECASE)
_ENDED_TAG: Final = re.compile(rb"(?:[\"'\s]|hidden|popover)\Z", re.IGNORECASE)
"""No sign of a value without quotation marks, which the stroke would be part of."""
_LONGEST: Final = 2_000
"""Bytes of such a tag that is looked at."""
_CLOSING: Final = re.compile(rb"/>")
_MOST_OPENED: Final = 50
"""Of such elements: with more, a page would be deeper than any is read."""
_FORMATTING: Final = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""Elements that browsers open again in the next paragraph, where they were not closed before it."""
_STRAY: Final = "Unexpected end tag : "
_CROSSED: Final = "Opening and ending tag mismatch: "
"""Then the element around, and the one in it that has no end tag."""
_ROOT: Final = re.compile(rb"<html\s[^<]{0,9999}?(?:style|hidden|class|id)(?![\w-])", re.IGNORECASE)
LEFT_OPEN: Final = "left-open"
"""Set on formatting elements that may have been closed before their end tag; a page that sets it only tells of itself."""
REOPENED: Final = "words behind a hidden element that is closed out of order"
UNENDED: Final = "hidden elements that may have no end tag: "
"""Not told, but settled when the page was read; then comes the name."""
_AFTER: Final = ("main", "article", "section", "nav", "aside", "header", "footer", "details", "summary", "dialog", "figure",
                 "figcaption", "search", "hgroup")  # fmt: skip
"""Elements before which a paragraph ends, and which this parser puts into it."""
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")


def ends_elsewhere(element: etree._Element, tag: str) -> bool:
    """Whether an element may end at another place for browsers than where this parser ends it."""
    if tag == "form":
        return not element.tail and (beside := element.getnext()) is not None and beside.tag == "form"
    inside = _AFTER if tag == "p" else _HEADINGS if tag in _HEADINGS else ("button",) if tag == "button" else ()
    return bool(inside) and next((each for each in element.iter(*inside) if each is not element), None) is not None


def may_go_on(element: etree._Element, tag: str) -> bool:
    """Whether an element would be opened again behind its place, had it no end tag (`settle`)."""
    return tag in _FORMATTING and not element.tail


def unsettled(lost: Counter[str]) -> list[str]:
    """The names of hidden elements that may go on (`UNENDED`), which are no longer told."""
    return [name for name in _FORMATTING if lost.pop(UNENDED + name, 0)]


def settle(content: bytes, names: Iterable[str], lost: Counter[str]) -> None:
    """Tell that hidden elements with one of these names go on, where not each has an end tag."""
    left = Counter[bytes]()
    for token in tags(content, 0):
        left[token["name"].lower()] += -1 if token["end"] else 1
    if any(left[name.encode()] > 0 for name in names):
        lost[REOPENED] = 1


def opened(content: bytes, root: etree._Element) -> bytes:
    """The page with elements left open that are closed in their own tag, though they may hold words; itself where there
    are none.
    """
    if b"/>" not in content:
        return content
    content, raw = _left_open(content)
    if not raw or all(element.text for element in root.iter(*_RAW)):
        return content
    depth = 0

    def open_up(found: re.Match[bytes]) -> bytes:
        nonlocal depth
        depth += 1 if found[1] else -1 if found[2] and depth else 0
        return b"<" + found[3] + b">" if found[3] and not depth else found[0]

    return _CLOSED.sub(open_up, content)


def _left_open(content: bytes) -> tuple[bytes, bool]:
    """The page with those left open that may hold words, and whether elements of raw text are closed so too."""
    pieces: list[bytes] = []
    at, raw = 0, False
    for found in _CLOSING.finditer(content):
        end = found.start()
        begin = content.rfind(b"<", max(at, end - _LONGEST), end)
        kind = _HOLDING.match(content, begin, end) if begin >= 0 else None
        if kind is None:
            continue
        if kind[1]:
            raw = True
        elif (
            len(pieces) < _MOST_OPENED
            and _SAYING.search(content, begin, end)
            and _ENDED_TAG.search(content[end - 7 : end])
        ):
            pieces.append(content[at:end])
            at = end + 1
    return b"".join((*pieces, content[at:])) if pieces else content, raw


def tell_misread(content: bytes, root: etree._Element, messages: Iterable[str], lost: Counter[str]) -> None:
    """Tell in `lost`, or set (`LEFT_OPEN`) on elements, what was read otherwise than browsers read it."""
    strays = set()
    for message in messages:
        if "misplaced <body>" in message:
            lost["second body"] = 1  # browsers give its attributes to the first, and this parser lets them go
        elif "misplaced <html>" in message and _ROOT.search(content):
            lost["second html"] = 1
        elif message.startswith((_STRAY, _CROSSED)) and (tag := message.rpartition(" ")[2]) in _FORMATTING:
            strays.add(tag)
    for element in root.iter(*strays) if strays else ():
        if element.keys():
            element.set(LEFT_OPEN, "")
