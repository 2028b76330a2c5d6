"""Where libxml2 reads a page otherwise than browsers, so that words are hidden for the one and not for the others.

Told or undone, from cheap to dear: only pages with such markup pay for it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from lxml import etree

from verified_gate.ingest.formats.opening_body import tags
from verified_gate.ingest.formats.reopened import FORMATTING, Opened, formatting, letters
from verified_gate.ingest.formats.unclosed import MOST_MESSAGES, goes_on

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
_ENDS: Final = ("Unexpected end tag", "Opening and ending tag mismatch")
_OUTER: Final = re.compile(rb"<(?:body|html)[\t\n\f\r />]", re.IGNORECASE)
_ROOT: Final = re.compile(rb"<html\s[^<]{0,9999}?(?:style|hidden|class|id)(?![\w-])", re.IGNORECASE)
REOPENED: Final = "words behind a hidden element that is closed out of order"
_FORMATTING: Final = frozenset(name.decode() for name in FORMATTING)
"""Elements that browsers open again behind a block in which they were not closed."""
_CROSSED: Final = "ends-crossed"
_HIDDEN: Final = "hidden-here"
"""Set on what is hidden; and told while a page is read, if anything is."""
_ALL_HIDDEN: Final = etree.XPath(f"//*[@{_HIDDEN}] | //template")
_NAMED: Final = re.compile(r"(?!and )[^\s]+")
_BEFORE: Final = frozenset({"a", "p", "center", "fieldset", "table", "td", "th"})
"""Start tags before which this parser closes formatting elements, without a message."""
_WORDS: Final = etree.XPath(
    ".//text()[not(" + " or ".join(f"parent::{name}" for name in _RAW) + ")]", smart_strings=False
)
_UNSAID: Final = frozenset({"a", "code", "nobr"})
"""These it closes with what is around them, without a message."""
_SELF_CLOSED: Final = re.compile(
    rb"<(?:" + b"|".join(sorted(FORMATTING)) + rb")[\t\n\f\r /][^<>]{0,2000}/>", re.IGNORECASE
)
_AFTER: Final = ("main", "article", "section", "nav", "aside", "header", "footer", "details", "summary", "dialog", "figure",
                 "figcaption", "search", "hgroup")  # fmt: skip
"""Elements before which a paragraph ends, and which this parser puts into it."""
_ENDING: Final = ("p", "div", "ul", "ol", "dl", "form", "table", "pre", "blockquote", "center", "address", "fieldset", "menu", "hr",
                  "h1", "h2", "h3", "h4", "h5", "h6")  # fmt: skip
"""The same of those that it puts into a paragraph only where something else is open in it."""
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")


def ends_elsewhere(element: etree._Element, tag: str) -> bool:
    """Whether an element may end at another place for browsers than where this parser ends it."""
    if tag == "form":
        return not element.tail and (beside := element.getnext()) is not None and beside.tag == "form"
    inside = (
        (*_AFTER, *_ENDING) if tag == "p" else _HEADINGS if tag in _HEADINGS else ("button",) if tag == "button" else ()
    )
    return bool(inside) and next((each for each in element.iter(*inside) if each is not element), None) is not None


def keep_in_mind(element: etree._Element, may_hide: Callable[[etree._Element], bool], lost: Counter[str]) -> None:
    """Take note of what browsers may open again of a hidden element, to be settled when the page was read: of itself
    and of those in it that may be hidden of their own, which nobody looks at.
    """
    if element.get(_HIDDEN) is not None:
        return
    element.set(_HIDDEN, "")
    lost[_HIDDEN] = 1
    for each in element.iter(*_FORMATTING):
        if may_hide(each):
            each.set(_HIDDEN, "")


def unsettled(root: etree._Element, lost: Counter[str]) -> bool:
    """Whether there are such; they are no longer told of then."""
    found = lost.pop(_HIDDEN, 0) > 0 or next(root.iter("template"), None) is not None
    return found and str(root.tag)[:1] != "{"


def settle(content: bytes, root: etree._Element, lost: Counter[str]) -> None:
    """Tell where browsers have words in hidden elements that were not read as words of them."""
    hidden = _ALL_HIDDEN(root)
    if goes_on(content, root, hidden, (root.get(_CROSSED) or "").split(), _FORMATTING):
        lost[REOPENED] = 1
        return
    marked = [each for each in hidden if each.tag in _FORMATTING]
    if (
        root.get(_CROSSED) is not None
        or any(map(_cut_short, marked))
        or (any(not len(each) and not each.text for each in marked) and _SELF_CLOSED.search(content))
    ):
        found = formatting(content)
        lost[REOPENED] += found is None or _unlike(root, marked, found)


def _cut_short(element: etree._Element) -> bool:
    """Whether this parser may have closed it before the start tag that follows."""
    at: etree._Element | None = element
    while at is not None and not at.tail:
        beside = at.getnext()
        if beside is not None:
            return beside.tag in _BEFORE
        if at.tag in _UNSAID:
            return True
        at = at.getparent()
    return False


def _unlike(root: etree._Element, marked: Iterable[etree._Element], found: Iterable[Opened]) -> bool:
    """Whether browsers have more in one of these, or other words at its end."""
    by_name: dict[str, list[Opened]] = {}
    for opened in found:
        by_name.setdefault(opened.name.decode(), []).append(opened)
    theirs: dict[etree._Element, Opened] = {}
    for name in {str(each.tag) for each in marked}:
        elements, its = list(root.iter(name)), by_name.get(name, [])
        if len(elements) == len(its):
            theirs.update(zip(elements, its, strict=True))
        elif any(each.bent for each in its):  # which is which is not known
            return True
    return any(
        one.letters > sum(map(letters, map(str.encode, _WORDS(each)))) for each in marked if (one := theirs.get(each))
    )


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


def _at_fault(names: list[str]) -> list[str]:
    """Of the elements that one message names, those that may hold more than this parser gives them. A form that ends with a
    formatting element open in it goes on around that for browsers.
    """
    return names if names[-1] not in _FORMATTING else ["form"] if "form" in names else []


def tell_misread(content: bytes, root: etree._Element, messages: Iterable[str], lost: Counter[str]) -> None:
    """Tell in `lost`, or set (`LEFT_OPEN`) on elements, what was read otherwise than browsers read it."""
    kept = list(messages)
    crossed = [message.partition(": ")[2] for message in kept if message.startswith(_ENDS)]
    if len(kept) >= MOST_MESSAGES or crossed:
        named = map(_NAMED.findall, crossed)  # of those that end others, the others are the last
        root.set(_CROSSED, " ".join({name for names in named for name in _at_fault(names)}))
    if len(kept) >= MOST_MESSAGES and len(_OUTER.findall(content)) > 1:
        outer = [token["name"].lower() for token in tags(content, 0) if not token["end"]]
        kept += [f"misplaced <{name}>" for name in ("body", "html") if outer.count(name.encode()) > 1]
    for message in kept:
        if "misplaced <body>" in message:
            lost["second body"] = 1  # browsers give its attributes to the first, and this parser lets them go
        elif "misplaced <html>" in message and _ROOT.search(content):
            lost["second html"] = 1
