"""Pages that leave out their `<body>`, as HTML allows: it is put where browsers open it.

libxml2 opens it before few elements only: `main`, `section` or `mark` stay in the head for it, with all their words.
"""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from verified_gate.ingest.formats.void_elements import RAW, TOKEN

_OF_HEADS: Final = frozenset({"base", "basefont", "bgsound", "link", "meta", "title", "style", "script", "noscript", "noframes",
                              "template", "head", "html"})  # fmt: skip
_RAW_IN_HEADS: Final = frozenset({b"title", b"style", b"script", b"noframes", b"noscript"})
_UNSEEN_WITH_SCRIPTS: Final = re.compile(rb"</noscript[\t\n\f\r />]", re.IGNORECASE)
_OPENING_ENDS: Final = frozenset({b"body", b"html", b"br"})
"""End tags that open the body."""
_BLANKS: Final = b"\t\n\f\r "
_OUTER: Final = frozenset({"head", "body", "frameset"})
HELD_BACK: Final = "element{s} of the page that stand in its head"


def in_head(root: etree._Element) -> int:
    """How many elements, that browsers have in the body, were read into the head or beside it."""
    return sum(
        (each.tag not in _OF_HEADS for part in root.iterchildren("head") for each in part),
        sum(each.tag not in _OUTER for each in root if each.tag not in _OF_HEADS),
    )


def with_body(content: bytes) -> bytes:
    """The page with a `<body>` where the HTML standard opens one ("The rules for parsing tokens in HTML content"), and
    with the attributes of that which comes later, if any does. Work is linear in it.
    """
    at = _opening(content)
    if at is None:
        return content
    for token in tags(content, at):
        if token["whole"] and not token["end"] and token["name"].lower() == b"body":
            later = content[token.end("name") : token.end()]
            return b"".join((content[:at], b"<body", later, content[at : token.start()], content[token.end() :]))
    return b"".join((content[:at], b"<body>", content[at:]))


def tags(content: bytes, at: int) -> Iterator[re.Match[bytes]]:
    """The tags of a page from here on; in elements of raw text there are none."""
    while token := TOKEN.search(content, at):
        at = token.end()
        if not token["name"]:
            continue
        yield token
        name = token["name"].lower()
        if name in RAW and not token["end"]:
            end = RAW[name].search(content, at)
            at = end.start() if end else len(content)


def _opening(content: bytes) -> int | None:
    """Where the first stands that is of no head; None where a body, or frames, are opened by their own tag."""
    at = templates = 0
    head_ended = False
    while token := TOKEN.search(content, at):
        begin, name = token.start(), (token["name"] or b"").lower()
        if not templates and (words := content[at:begin].lstrip(_BLANKS)):
            return begin - len(words)
        at = token.end()
        if not name:
            at += content[at : at + 1] == b">" and not token[0].startswith(b"<!--")
        elif not token["whole"]:
            return None
        elif token["end"]:
            if name == b"template":
                templates -= templates > 0
            elif not templates and name in _OPENING_ENDS:
                return begin
            head_ended = head_ended or name == b"head"
        elif name == b"template":
            templates += 1
        elif not templates and name in (b"body", b"frameset"):
            return None
        elif not templates and (name.decode("latin-1") not in _OF_HEADS or (head_ended and name == b"noscript")):
            return begin
        elif name in RAW or (name in _RAW_IN_HEADS and not templates):
            end = (RAW.get(name) or _UNSEEN_WITH_SCRIPTS).search(content, at)
            at = end.start() if end else len(content)
    words = content[at:].lstrip(_BLANKS)
    return len(content) - len(words) if words and not templates else None
