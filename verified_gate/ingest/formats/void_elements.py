"""Elements of a page that hold nothing and that libxml2 does not know as such: to it all that follows would stand in them,
and be lost or hidden with them. They are closed before it reads the page.

Start tags are found as the HTML standard tells tokens apart ("Tokenization"), so that nothing is put in where there is
none: not in comments, scripts, attributes, nor in drawings and formulas, where an element of such a name is an ordinary
one.
"""

import re
from typing import Final

_NAMES: Final = frozenset({b"wbr", b"embed", b"source", b"track", b"bgsound", b"keygen", b"image"})
_HOLDING: Final = b"isindex"
"""Holds words as any other for browsers, and nothing for libxml2."""
RENAMED: Final = "x-isindex"
"""What such an element is called while it is read."""
_LOOKED_FOR: Final = re.compile(b"<(?:" + b"|".join((*sorted(_NAMES), _HOLDING)) + b")")
"""Among small letters: found in a quarter of the time that looking for one after the other takes."""
TOKEN: Final = re.compile(
    rb"""<(?:!--(?:-?>|.*?(?:--!?>|\Z))|[!?][^>]*|/(?![a-zA-Z])[^>]*|
    (?P<end>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*)
    (?:[\t\n\f\r ]+|/(?!>)
    |(?:=[^\t\n\f\r />=]*|[^\t\n\f\r />=]+)
     (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)?)?+
    )*+(?P<closed>/?)(?:(?P<whole>>)|\Z))""",
    re.DOTALL | re.VERBOSE,
)
RAW: Final = {
    name: re.compile(rb"</" + name + rb"[\t\n\f\r />]", re.IGNORECASE)
    for name in (b"script", b"style", b"title", b"textarea", b"iframe", b"noembed", b"noframes", b"xmp")
}
"""Elements of which all is text up to their end tag, which this finds."""
FOREIGN: Final = frozenset({b"svg", b"math"})
PAGE_AGAIN: Final = frozenset({b"foreignobject", b"desc", b"annotation-xml", b"mi", b"mo", b"mn", b"ms", b"mtext"})
"""In these what stands in a drawing or formula is again as in a page."""
_DEEPEST: Final = 256
"""So deep elements stand in each other at most in what is read."""
LEAVING: Final = frozenset(
    b"b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol"
    b" p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
"""Such a start tag ends the drawing or formula that it stands in."""


def closed(content: bytes) -> bytes:
    """The page with an end tag behind each element that holds nothing, and another name for `isindex` (`RENAMED`)."""
    if not _LOOKED_FOR.search(content.lower()):
        return content
    pieces: list[bytes] = []
    done = at = 0
    around: list[bytes] = []  # of drawings and formulas, and what is a page in them
    while token := TOKEN.search(content, at):
        at = token.end()
        name = (token["name"] or b"").lower()
        if name == _HOLDING:
            pieces += [content[done : token.start("name")], RENAMED.encode()]
            done = token.end("name")
        drawn = bool(around) and around[-1] in FOREIGN
        if token["end"]:
            if (name in FOREIGN or name in PAGE_AGAIN) and name in around:
                del around[len(around) - 1 - around[::-1].index(name) :]
        elif name == b"plaintext":
            break
        elif name in RAW and not (drawn and token["closed"]):
            end = RAW[name].search(content, at)
            at = end.start() if end else len(content)
        elif name in FOREIGN or (around and name in PAGE_AGAIN):
            if not token["closed"] and len(around) < _DEEPEST:
                around.append(name)
        else:
            if drawn and name in LEAVING:
                around.clear()
            if around and around[-1] in FOREIGN:
                continue
            if name == b"image":  # browsers take it for what it means
                pieces += [content[done : token.start("name")], b"img"]
                done = token.end("name")
            elif name in _NAMES and token["whole"]:
                pieces += [content[done:at], b"</", name, b">"]
                done = at
    return b"".join([*pieces, content[done:]])
