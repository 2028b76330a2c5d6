"""Where browsers have words in a formatting element that was not closed in its place.

They open `b`, `a`, `font` and their like again behind the block in which one was left open, or around the words of a
block that it was closed in. Followed here by the HTML standard ("Tree construction": the stack of open elements, the
list of active formatting elements, the adoption agency), as far as it says in which of them words stand. On a page in
which each was closed where it was opened nothing is found, whatever other end tags it leaves out.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from html import unescape
from typing import Final, NamedTuple

from verified_gate.ingest.formats.void_elements import FOREIGN, LEAVING, PAGE_AGAIN, RAW, TOKEN

FORMATTING: Final = frozenset(b"a b big code em font i nobr s small strike strong tt u".split())
_PAGE_AGAIN: Final = PAGE_AGAIN | {b"title"}
_NOTHING_IN: Final = frozenset(b"area br embed img image keygen wbr input".split())
_UNSEEN: Final = frozenset(
    b"base basefont bgsound link meta param source track col frame html head body frameset".split()
)
"""Tags that open no element in which words may stand, and before which nothing is opened again."""
_HEADINGS: Final = frozenset(b"h1 h2 h3 h4 h5 h6".split())
_ENDING_P: Final = _HEADINGS | frozenset(
    b"address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form header"
    b" hgroup hr li listing main menu nav ol p plaintext pre search section summary ul xmp".split()
)
"""Start tags before which a paragraph ends."""
_MARKING: Final = frozenset(b"applet marquee object template td th caption noscript".split())
"""What was left open in one of these is not opened again behind it."""
_OF_TABLES: Final = frozenset(b"caption colgroup tbody tfoot thead tr td th".split())
_ROWS: Final = frozenset(b"tbody tfoot thead table template".split())
_SPECIAL: Final = (
    _ENDING_P | _MARKING | _OF_TABLES | _ROWS | frozenset(b"body html button iframe select textarea svg".split())
)
_SCOPE: Final = frozenset(b"applet caption html table td th marquee object template".split())
_IMPLIED: Final = frozenset(b"dd dt li optgroup option p rb rp rt rtc".split())
_OPEN_THROUGH: Final = frozenset(b"address div p".split())
_SIGNS: Final = bytes(sign for sign in range(128) if not chr(sign).isalnum())
_TODAY: Final = b"<!doctype html>"
_HEAD: Final = 1_000
_BLANK: Final = "\N{NO-BREAK SPACE}".encode()
_DEEPEST: Final = 500
"""Elements in each other, or left open: more are not followed."""
_MOST_STEPS: Final = 5_000_000
_OF_EACH_BYTE: Final = 4
_OF_OPENING: Final = 5
"""Steps: a page of many elements in each other, or opened again and again, is not followed to its end."""
_MOST_ALIKE: Final = 3
"""Of those left open: browsers let the first go."""


class Opened:
    """A formatting element of the page, by its start tag."""

    __slots__ = ("begin", "bent", "end", "held", "left", "name", "since", "written")

    def __init__(self, name: bytes, written: bytes, begin: int, *, bent: bool = True) -> None:
        self.name, self.written = name, written
        self.begin = self.end = self.since = begin
        """Letters of the page before it, and up to the last that stands in it."""
        self.held = True
        """Whether it is open, `since` so many letters."""
        self.left = False
        """Whether what it stands in was closed before it."""
        self.bent = bent
        """Whether it was not closed by its own end tag where it was opened."""

    @property
    def letters(self) -> int:
        """From its start tag to the last that stands in it."""
        return self.end - self.begin


def letters(words: bytes) -> int:
    """How many there are in words of a page: bytes that are neither white space nor signs of ASCII."""
    if b"&" in words:
        words = unescape(words.decode("utf-8", "replace")).encode("utf-8", "replace")
    return len(words.translate(None, _SIGNS)) - 2 * words.count(_BLANK)


class _Node(NamedTuple):
    name: bytes
    opened: Opened | None = None
    foreign: bool = False
    """Of a drawing or formula."""
    page: bool = True
    """Whether what stands in it is as in a page."""


def formatting(content: bytes) -> list[Opened] | None:
    """The formatting elements in the order of the page; None where too many stand in each other."""
    return _Reading(content).read()


class _Reading:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._quirks = _TODAY not in content[:_HEAD].lower()  # or perhaps: then a table ends no paragraph
        self._stack: list[_Node] = []
        self._active: list[Opened | None] = []  # None: a marker
        self._all: list[Opened] = []
        self._letters = 0
        self._open = Counter[bytes]()  # names of the stack
        self._steps = 0

    def read(self) -> list[Opened] | None:
        whole = self._follow()
        self._drop(self._stack)
        return self._all if whole else None

    def _follow(self) -> bool:
        content, at = self._content, 0
        most = _MOST_STEPS + _OF_EACH_BYTE * len(content)
        while token := TOKEN.search(content, at):
            if token.start() > at:
                self._words(content[at : token.start()])
            at = token.end()
            name = (token["name"] or b"").lower()
            if not name:
                at = self._behind(token, at)
            elif not token["whole"]:
                return True
            elif token["end"]:
                self._end(name)
            elif name == b"plaintext" and self._in_page():
                self._words(content[at:])
                return True
            else:
                in_page = self._in_page()
                self._start(name, token)
                if in_page and name in RAW:
                    end = RAW[name].search(content, at)
                    at = end.start() if end else len(content)
            if len(self._stack) > _DEEPEST or len(self._active) > _DEEPEST or self._steps > most:
                return False
        self._words(content[at:])
        return True

    def _behind(self, token: re.Match[bytes], at: int) -> int:
        begin = token.start()
        if not self._in_page() and self._content.startswith(b"<![CDATA[", begin):
            end = self._content.find(b"]]>", begin)
            end = end if end >= 0 else len(self._content)
            self._words(self._content[begin + 9 : end])
            return end + 3
        return at + (self._content[at : at + 1] == b">" and not token[0].startswith(b"<!--"))

    def _in_page(self) -> bool:
        return not self._stack or self._stack[-1].page

    def _words(self, words: bytes) -> None:
        count = letters(words)
        if not count or any(self._open[name] for name in RAW):  # in a drawing, which has titles and sheets
            return
        if self._in_page():
            self._reopen()
        self._letters += count

    # The stack and the list

    def _push(self, node: _Node) -> None:
        self._stack.append(node)
        self._open[node.name] += 1
        if node.opened is not None:
            node.opened.held, node.opened.since = True, self._letters

    def _drop(self, nodes: Iterable[_Node]) -> None:
        """What was taken off the stack."""
        for node in nodes:
            self._open[node.name] -= 1
            if (opened := node.opened) is not None:
                opened.held = False
                if self._letters > opened.since:
                    opened.end = self._letters

    def _pop(self, at: int) -> None:
        """Close all from there on."""
        gone = self._stack[at:]
        del self._stack[at:]
        self._drop(gone)
        for node in reversed(gone):
            if node.opened is not None:
                node.opened.left = True
            if node.name in _MARKING and not node.foreign:
                while self._active and self._active.pop() is not None:
                    pass

    def _find(self, names: Collection[bytes], ends: Collection[bytes] = _SCOPE) -> int:
        """Where the last of these stands; -1 where none is in scope."""
        if not any(self._open[name] for name in names):
            return -1
        for at in range(len(self._stack) - 1, -1, -1):
            self._steps += 1
            node = self._stack[at]
            if node.name in names and not node.foreign:
                return at
            if node.name in ends or (node.foreign and node.page):
                return -1
        return -1

    def _close(self, names: Collection[bytes], ends: Collection[bytes] = _SCOPE) -> bool:
        at = self._find(names, ends)
        if at >= 0:
            self._pop(at)
        return at >= 0

    def _reopen(self) -> None:
        active = self._active
        if not active or active[-1] is None:
            return
        first = len(active)
        while first and (each := active[first - 1]) is not None and not each.held:
            first -= 1
        for each in active[first:]:
            if each is not None:
                self._steps += _OF_OPENING
                self._push(_Node(each.name, each))

    def _last_active(self, name: bytes) -> Opened | None:
        for each in reversed(self._active):
            if each is None:
                return None
            if each.name == name:
                return each
        return None

    # Tags

    def _start(self, name: bytes, token: re.Match[bytes]) -> None:
        if not self._in_page():
            of_font = name == b"font" and any(each in token[0].lower() for each in (b"color", b"face", b"size"))
            if name not in LEAVING and not of_font:
                if name in FORMATTING:
                    self._all.append(Opened(name, token[0], self._letters, bent=False))  # by name only
                if not token["closed"]:
                    self._push(_Node(name, foreign=True, page=name in _PAGE_AGAIN))
                return
            while not self._in_page():
                self._pop(len(self._stack) - 1)
        if name in _ENDING_P:
            self._block(name)
        elif name in FORMATTING:
            self._format(name, token)
        elif name in _OF_TABLES or name == b"col":
            self._part_of_table(name)
        elif name == b"table":
            if not self._quirks:
                self._close((b"p",), _SCOPE | {b"button"})
            if self._stack and self._stack[-1].name in _ROWS | {b"tr"}:
                self._close((b"table",), ())
            self._push(_Node(name))
        elif name not in _UNSEEN and (name not in RAW or name == b"textarea"):
            self._inline(name, closed=bool(token["closed"]))

    def _inline(self, name: bytes, *, closed: bool) -> None:
        if name == b"button":
            self._close((name,))
        if name in (b"option", b"optgroup") and self._stack and self._stack[-1].name == b"option":
            self._pop(len(self._stack) - 1)
        if name not in (b"template", b"noscript", b"rb", b"rp", b"rt", b"rtc"):
            self._reopen()
        elif name not in _MARKING and self._find((b"ruby",)) >= 0:
            self._imply()
        if name in _NOTHING_IN or name == b"textarea":
            return
        if name in FOREIGN:
            if not closed:
                self._push(_Node(name, foreign=True, page=False))
            return
        self._push(_Node(name))
        if name in _MARKING:
            self._active.append(None)

    def _block(self, name: bytes) -> None:
        if name == b"form" and any(node.name == b"form" for node in self._stack):
            return
        if name in (b"li", b"dd", b"dt"):
            alike = (b"li",) if name == b"li" else (b"dd", b"dt")
            for at in range(len(self._stack) - 1, -1, -1):
                if self._stack[at].name in alike:
                    self._pop(at)
                    break
                if self._stack[at].name in _SPECIAL and self._stack[at].name not in _OPEN_THROUGH:
                    break
        self._close((b"p",), _SCOPE | {b"button"})
        if name in _HEADINGS and self._stack and self._stack[-1].name in _HEADINGS:
            self._pop(len(self._stack) - 1)
        if name == b"xmp":
            self._reopen()
        elif name != b"hr":
            self._push(_Node(name))

    def _format(self, name: bytes, token: re.Match[bytes]) -> None:
        if name == b"a" and (before := self._last_active(name)) is not None:
            self._adopt(name)
            if before in self._active:
                self._active.remove(before)
        self._reopen()
        if name == b"nobr" and self._find((name,)) >= 0:
            self._adopt(name)
            self._reopen()
        opened = Opened(name, token[0], self._letters)
        self._all.append(opened)
        self._push(_Node(name, opened))
        alike: list[Opened] = []
        self._steps += len(self._active)
        for each in reversed(self._active):
            if each is None:
                break
            if each.name == name and each.written == opened.written:
                alike.append(each)
        if len(alike) >= _MOST_ALIKE:
            self._active.remove(alike[-1])
        self._active.append(opened)

    def _part_of_table(self, name: bytes) -> None:
        if self._find((b"table", b"template"), ()) < 0:
            return
        around = _ROWS | {b"tr"} if name in (b"td", b"th") else _ROWS if name == b"tr" else {b"table", b"template"}
        self._pop(self._find(around, ()) + 1)
        if name in (b"td", b"th", b"tr") and self._stack[-1].name == b"table":
            self._push(_Node(b"tbody"))
        if name in (b"td", b"th") and self._stack[-1].name != b"tr":
            self._push(_Node(b"tr"))
        if name not in (b"col", b"colgroup"):
            self._push(_Node(name))
        if name in _MARKING:
            self._active.append(None)

    def _imply(self, but: bytes = b"") -> None:
        while self._stack and self._stack[-1].name in _IMPLIED and self._stack[-1].name != but:
            self._pop(len(self._stack) - 1)

    def _end(self, name: bytes) -> None:
        if not self._in_page() and name not in (b"p", b"br"):
            for at in range(len(self._stack) - 1, -1, -1):
                if not self._stack[at].foreign:
                    break
                if self._stack[at].name == name:
                    self._pop(at)
                    return
        while name in (b"p", b"br") and not self._in_page():
            self._pop(len(self._stack) - 1)
        if name in FORMATTING:
            self._adopt(name)
        elif name == b"p":
            self._close((name,), _SCOPE | {b"button"})
        elif name == b"br":
            self._reopen()
        elif name == b"li":
            self._close((name,), _SCOPE | {b"ol", b"ul"})
        elif name in _HEADINGS:
            self._close(_HEADINGS)
        elif name == b"form":
            if (at := self._find((name,))) >= 0:
                self._imply()
                self._drop(self._stack[at : at + 1])
                del self._stack[at : at + 1]
        elif name in _OF_TABLES or name == b"table":
            self._close((name,), (b"table", b"template"))
        elif name == b"template":
            self._close((name,), ())
        elif name in _SPECIAL or name in _MARKING:
            if name not in (b"body", b"html"):
                self._close((name,))
        else:
            self._end_other(name)

    def _end_other(self, name: bytes) -> None:
        if not self._open[name]:
            return
        for at in range(len(self._stack) - 1, -1, -1):
            node = self._stack[at]
            if node.name == name:
                self._pop(at)
                return
            if node.name in _SPECIAL:
                return

    def _adopt(self, name: bytes) -> None:
        """The adoption agency: the end tag of a formatting element."""
        stack = self._stack
        opened = self._last_active(name)
        if stack and stack[-1].name == name and stack[-1].opened not in self._active:
            self._drop([stack.pop()])
            return
        if opened is None:
            self._end_other(name)
            return
        at = next((at for at in range(len(stack) - 1, -1, -1) if stack[at].opened is opened), -1)
        if at < 0:
            self._active.remove(opened)
            return
        if any(node.name in _SCOPE or (node.foreign and node.page) for node in stack[at + 1 :]):
            return
        blocks = [i for i in range(at + 1, len(stack)) if stack[i].name in _SPECIAL or stack[i].foreign]
        last = blocks[-1] if blocks else at
        self._steps += (len(stack) - at) * len(self._active)
        kept: list[_Node] = []
        gone: list[_Node] = []
        for i in range(at, len(stack)):
            node = stack[i]
            stays = at < i <= last and (node.name in _SPECIAL or (node.opened in self._active))
            (kept if stays else gone).append(node)
            if i > at and node.opened is not None:
                node.opened.left = True
        opened.bent = opened.left or bool(blocks)
        del stack[at:]
        self._drop(gone)
        stack += kept
        self._active.remove(opened)
