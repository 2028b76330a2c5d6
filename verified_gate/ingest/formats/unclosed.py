"""Hidden elements that may hold more for browsers than for libxml2, which ends some elements where HTML does not: a heading
before a paragraph, a label over what is open in it, no item before the next one in an element between.

Nothing of this stands in the tree. What gives it away is a missing or needless end tag, or an item, row or paragraph in
what cannot end it. Where an end tag is passed over, the words before and after it stand apart for browsers (`parted`).
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from lxml import etree

MOST_MESSAGES: Final = 100
"""The parser keeps no more."""
_FOREIGN: Final = ("svg", "math")
_WITHOUT_TAGS: Final = re.compile(
    rb"<!--.*?(?:--!?>|\Z)|<(script|style|title|textarea|iframe|noembed|noframes|xmp)[\s/>].*?(?:</\1|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
     "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "html", "li", "main", "menu", "nav", "object",
     "ol", "search", "section", "summary", "table", "tbody", "td", "template", "tfoot", "th", "thead", "tr", "ul"}
)  # fmt: skip
_OF_TABLES: Final = {
    **dict.fromkeys(("td", "th"), frozenset({"tr"})),
    "tr": frozenset({"table", "tbody", "thead", "tfoot"}),
    **dict.fromkeys(("tbody", "thead", "tfoot", "caption", "colgroup"), frozenset({"table"})),
}
"""Elsewhere browsers pass over the tags of these."""
_ENDED_BY_OTHERS: Final = {
    **_OF_TABLES,
    "li": frozenset({"ul", "ol", "menu", "dir"}),
    **dict.fromkeys(("dt", "dd"), frozenset({"dl", "div"})),
    "option": frozenset({"select", "optgroup", "datalist"}),
    "optgroup": frozenset({"select"}),
    **dict.fromkeys(("rt", "rp", "rb", "rtc"), frozenset({"ruby", "rtc"})),
    "p": _BLOCKS,
}
"""Elements whose end tag may be left out, and those in which HTML and libxml2 end them alike."""
_PASSED: Final = frozenset(
    {"area", "base", "basefont", "bgsound", "body", "br", "col", "embed", "frame", "head", "hr", "html", "image", "img", "input",
     "keygen", "link", "meta", "param", "plaintext", "source", "track", "wbr",
     "script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp"}
)  # fmt: skip
"""They hold nothing, the page, or no tags."""


_PASSED_OVER: Final = "Unexpected end tag : "
_PARTING: Final = _BLOCKS | {
    "p",
    "pre",
    "listing",
    "hr",
    "br",
    "caption",
    "optgroup",
    "option",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
}


def parted(content: bytes, messages: Sequence[str]) -> bytes:
    """The page with a line end where the parser, which said so in `messages`, passes over the end tag of a block; itself
    where there is none.
    """
    names = _PARTING.intersection(
        message.removeprefix(_PASSED_OVER) for message in messages if message.startswith(_PASSED_OVER)
    )
    if not names:
        return content
    ends = "|".join(sorted(names - {"br"})) or "p"
    content = re.sub(rf"(?=</(?:{ends})[\s/>])".encode(), b"<br>", content, flags=re.IGNORECASE)
    return re.sub(rb"</(?=br[\s/>])", b"<", content, flags=re.IGNORECASE)


def goes_on(
    content: bytes,
    root: etree._Element,
    hidden: Iterable[etree._Element],
    crossed: Collection[str],
    formatting: Collection[str],
) -> bool:
    """Whether one of `hidden` may hold more for browsers. `crossed`: names of elements of which the parser said that their
    end tags stand where none can; `formatting`: of those that are followed otherwise.
    """
    whole, known = b"", dict.fromkeys(crossed, True) | dict.fromkeys((*_PASSED, *formatting), False)
    if any(_is_astray(each) and not _is_in_template(each) for each in root.iter(*_OF_TABLES)):
        return True
    passed: set[etree._Element] = set()
    for element in hidden:
        if not passed.isdisjoint(element.iterancestors()) or next(element.iterancestors(*_FOREIGN), None) is not None:
            continue
        passed.add(element)
        walk = etree.iterwalk(element, events=("start",))
        for _, each in walk:
            name = str(each.tag)
            if name in _FOREIGN:
                walk.skip_subtree()
                continue
            if name in _ENDED_BY_OTHERS and not _is_astray(each):
                continue
            if name not in known:
                whole = whole or _WITHOUT_TAGS.sub(b"", content)
                known[name] = _is_open(whole, root, name)
            if known[name]:
                return True
    return False


def _is_astray(element: etree._Element) -> bool:
    """Whether such an element stands where HTML and libxml2 do not end it alike."""
    around = element.getparent()
    return around is None or around.tag not in _ENDED_BY_OTHERS[str(element.tag)]


def _is_in_template(element: etree._Element) -> bool:
    return next(element.iterancestors("template"), None) is not None


def _is_open(content: bytes, root: etree._Element, name: str) -> bool:
    """Whether there are fewer end tags than elements of this name."""
    ends = re.compile(rb"</" + re.escape(name.encode()) + rb"(?=[\s/>])", re.IGNORECASE).findall(content)
    return len(ends) < sum(1 for _ in root.iter(name))
