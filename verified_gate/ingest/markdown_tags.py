"""The elements of HTML in a Markdown text: which are open at a place, and which of them hide their words.

An element is judged by its own tag: its name, `hidden`, its style and its colours before those around it. What style
sheets say of its class is not followed. An end tag ends what it ends in browsers: one for `span` does not go through a
`div`, one for `div` through no cell of a table. Where browsers may end an element that is judged elsewhere than its own end
tag does (it crosses another, or has none in its paragraph), all that follows is taken for unseen.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

from verified_gate.ingest.formats.colours import CLEAR, alike, grounds, ink, is_colour, over
from verified_gate.ingest.formats.declared import declarations
from verified_gate.ingest.formats.hiding import shown
from verified_gate.ingest.formats.measures import measures
from verified_gate.ingest.paragraphs import Span

RAW: Final = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript"})
"""Elements in which browsers read no tag but their own end."""
_VOID: Final = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
                          "track", "wbr"})  # fmt: skip
_UNSEEN: Final = frozenset({"script", "style", "template", "title", "head", "noscript", "noframes", "noembed", "iframe",
                            "object", "video", "audio", "canvas", "datalist", "select", "svg", "math", "rt", "rp", "s", "strike", "del", "bdo"})  # fmt: skip
"""Elements whose words no reader sees, or sees struck out or in another order."""
_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "li", "main", "menu",
    "nav", "ol", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_FORMATTING: Final = frozenset({"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"})  # fmt: skip
"""Elements that go on in the next paragraph where they are not ended."""
_BORDERS: Final = frozenset({"caption", "table", "td", "th", "marquee", "object", "template", "select"})
_FOREIGN: Final = frozenset({"svg", "math"})
_HOLDING_OPEN: Final = {"li": ("ul", "ol"), "p": ("button",)}
"""Elements through which an end tag of these does not go, beside those of `_BORDERS`."""
_OF_TABLES: Final = frozenset({"tr", "td", "th", "tbody", "thead", "tfoot", "caption", "colgroup"})
_ROWS: Final = frozenset({"table", "tbody", "thead", "tfoot", "tr", "colgroup"})
"""What stands in these beside their cells is put before the table."""
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NOT_INSIDE: Final = {"li": {"li"}, "dd": {"dd", "dt"}, "dt": {"dd", "dt"}, **dict.fromkeys(_HEADINGS, _HEADINGS),
                      "button": {"button"}, "a": {"a"}, "nobr": {"nobr"}, "form": {"form", "table"},
                      "table": {"table"}, **{name: {"svg", "math"} for name in RAW}}  # fmt: skip
"""Elements that browsers do not put into these as they stand."""
_WIDE: Final = _FORMATTING | _FOREIGN | _OF_TABLES | _HEADINGS | {"form", "button", "li", "dd", "dt", "head"}
"""Elements of which an end tag does not always end what is open in them, or themselves."""
_SCOPES: Final = _BORDERS | _FOREIGN | {"applet", "button", "select"}
"""What stands in these is not ended by the end of a paragraph."""
_OF_PAGES: Final = frozenset({"body", "html"})
"""Their attributes are those of the whole page, wherever they stand."""
_APART: Final = _BORDERS | {"ul", "ol", "dl", "menu"}
_ALWAYS: Final = frozenset({"hidden", "popover", "color", "bgcolor"})
_TELLING: Final = re.compile("color|background|fill|size|font|opacity|visib|display", re.IGNORECASE)
_JUDGED: Final = frozenset({"style", "hidden", "popover", "color", "bgcolor"})
_DEEPEST: Final = 500
_TINY, _FAINT = 2, 0.1
"""Pixels of letters, and the share that they cover: less shows no word."""
_ATTRIBUTE: Final = re.compile(
    r"[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>\"'][^\s>]*+)))?+"
)
_END: Final = re.compile(r"[\s/]*+(=?)(>?)")
_LISTS: Final = frozenset({"class", "style", "rel", "id"})
Attributes = dict[str, str]


def tag_end(content: str, at: int) -> tuple[Attributes, int]:
    """The attributes of a tag whose name ends at `at`, and where it ends; -1 where it does not, as browsers read it."""
    found: Attributes = {}
    while True:
        end = _END.match(content, at)
        if end and end[2] and not end[1]:
            return found, end.end()
        if end and end[1]:  # a stray sign, which begins the name of an attribute
            at = end.start(1) + 1
            continue
        attribute = _ATTRIBUTE.match(content, at)
        if attribute is None:
            return found, -1
        at = attribute.end()
        if content[at : at + 1] == "=" or (content[at : at + 1].isspace() and content[at:].lstrip()[:1] == "="):
            return found, -1  # a quotation mark that is never closed
        found.setdefault(attribute[1].lower(), attribute[2] or attribute[3] or attribute[4] or "")


def has_words(attributes: Attributes) -> bool:
    """Whether a tag says something in words, which nobody sees."""
    for name, value in attributes.items():
        words = value.split()
        if name in _LISTS:
            if len(words) > 4 and ":" not in value:
                return True
        elif len(words) > 1 and any(map(str.isalpha, value)):
            return True
    return False


class _Look(NamedTuple):
    """How words look; those of an element inside may look otherwise."""

    ink: str = "#000000"
    grounds: tuple[str, ...] = ("#ffffff",)
    tiny: bool = False

    @property
    def faint(self) -> bool:
        """Whether nobody sees them."""
        return self.tiny or self.ink == CLEAR or any(alike(over(self.ink, ground), ground) for ground in self.grounds)


@dataclass(frozen=True, slots=True)
class _Open:
    name: str
    look: _Look
    unit: int  # in which its tag stands
    judged: bool  # whether words in it may be seen otherwise than those around it
    grounded: bool  # whether it has a ground of its own, which in a line ends with it


class Elements:
    """Which elements are open, as tags come one after the other. `found`: the spans that are hidden by them."""

    def __init__(self) -> None:
        self.found: list[Span] = []
        self.raw = ""
        """The element in which no tag counts but its end."""
        self._open: list[_Open] = []
        self._names: Counter[str] = Counter()  # of those
        self._hidden = -1  # the outermost that hides all in it
        self._since = -1  # where what is hidden now begins
        self._unit = 0
        self._left = False  # whether an element was not ended by its own end tag, and may go on for browsers
        self._judging = self._grounds = 0  # how many are open that are judged, and that have a ground in a line
        self._unsure = -1  # from where on nobody knows

    def begin(self, name: str, attributes: Attributes, start: int, end: int) -> None:
        """A tag `text[start:end]` begins an element."""
        if name in _BLOCKS and name not in _OF_TABLES:
            self._end_paragraph(start)
        if has_words(attributes):
            self.found.append((start, end))
        if name in _VOID:
            return
        around = self._open[-1].look if self._open else _PLAIN
        look, gone = _judged(tuple(attributes.items()), around)
        hides = gone or name in _UNSEEN or (name == "dialog" and "open" not in attributes)
        judged = hides or not _ALWAYS.isdisjoint(attributes) or bool(_TELLING.search(attributes.get("style", "")))
        if name in _OF_PAGES:
            self._unsure = 0 if judged else self._unsure
            return
        if self._grounds and name in _BLOCKS:
            self._doubt(start)
        stray = name in _OF_TABLES and not (self._names["table"] or self._names["template"])
        if (judged and (stray or len(self._open) >= _DEEPEST)) or self._is_odd(name, judged=judged):
            self._doubt(start)
        if stray or len(self._open) >= _DEEPEST:
            return
        if hides and self._hidden < 0:
            self._hidden = len(self._open)
        self._names[name] += 1
        self._judging += judged
        grounded = look.grounds != around.grounds and name not in _BLOCKS
        self._grounds += grounded
        self._open.append(_Open(name, look, self._unit, judged, grounded))
        self._turn(start)
        self.raw = name if name in RAW else ""

    def end(self, name: str, end: int) -> None:
        """A tag that ends at `end` ends the element `name`, if it does."""
        self.raw = ""
        for number in range(len(self._open) - 1, -1, -1) if self._names[name] else ():
            other = self._open[number].name
            if other == name:
                self._doubt_crossed(number, end)
                self._cut(number, end)
                return
            if _stays_open(other, name):
                if name == "form" and self._judging > 0:
                    self._doubt(end)
                return

    def enter(self, at: int, *, raw: bool) -> None:
        """Another block of the text begins at `at`; `raw`: it is all HTML."""
        self._unit += 1
        if not raw and not self.raw:
            heading = bool(self._open) and self._open[-1].name in _HEADINGS and self._judging > 0
            if heading or self._grounds:
                self._doubt(at)
            self._end_paragraph(at)

    def leave(self, at: int) -> None:
        """A block that is no HTML ends at `at`, and with it what it left open of a line."""
        kept = len(self._open)
        while kept and self._open[kept - 1].unit == self._unit and not self._goes_on(self._open[kept - 1].name):
            kept -= 1
        of_unit = takewhile(lambda each: each.unit == self._unit, reversed(self._open))
        if any(each.name in _SCOPES for each in of_unit) and self._judging > 0:
            self._doubt(at)
        if not self.raw:
            self._cut(kept, at)

    def finish(self, at: int) -> list[Span]:
        """The text ends at `at`: all spans."""
        self._cut(0, at)
        if self._unsure >= 0:
            self.found.append((self._unsure, at))
        return self.found

    @staticmethod
    def _goes_on(name: str) -> bool:
        return name in _BLOCKS or name in _FORMATTING or name in _UNSEEN or name == "button"

    def _end_paragraph(self, at: int) -> None:
        for number in range(len(self._open) - 1, -1, -1) if self._names["p"] else ():
            if self._open[number].name == "p":
                self._doubt_crossed(number, at)
                self._cut(number, at)
                return
            if self._open[number].name in _SCOPES:
                return

    def _is_odd(self, name: str, *, judged: bool) -> bool:
        """Whether browsers may make another element of such a tag here, or end those around it, of which any is judged."""
        if name not in _OF_TABLES and self._open and self._open[-1].name in _ROWS:
            return judged or self._judging > 0
        others = _NOT_INSIDE.get(name, ())
        if not any(self._names[each] for each in others):
            return False
        around = (each.name for each in reversed(self._open))
        if next((each for each in around if each in others or (each in _APART and name != "form")), "") not in others:
            return False
        return name in RAW or judged or self._judging > 0

    def _doubt_crossed(self, number: int, at: int) -> None:
        """What is open in the `numberth` element, which ends, may be opened again by browsers, or hold it open."""
        ended, crossed = self._open[number], self._open[number + 1 :]
        self._left = self._left or bool(crossed)
        if (
            any(each.judged and each.name in _FORMATTING for each in crossed)
            or (crossed and ended.name in _WIDE and self._judging > 0)
            or (ended.judged and ended.name == "form" and self._left)
        ):
            self._doubt(at)

    def _doubt(self, at: int) -> None:
        if self._unsure < 0:
            self._unsure = at

    def _cut(self, number: int, at: int) -> None:
        """All from the `number`th on end at `at`."""
        if number <= self._hidden:
            self._hidden = -1
        for each in self._open[number:]:
            self._names[each.name] -= 1
            self._judging -= each.judged
            self._grounds -= each.grounded
        del self._open[number:]
        self._turn(at)

    def _turn(self, at: int) -> None:
        """Put down where what is hidden begins or ends."""
        last = self._open[-1] if self._open else None
        hiding = self._hidden >= 0 or (
            last is not None and (last.look.faint or (last.name in _ROWS and self._judging > 0))
        )
        if hiding and self._since < 0:
            self._since = at
        elif not hiding and self._since >= 0:
            self.found.append((self._since, at))
            self._since = -1


_PLAIN: Final = _Look()


def _stays_open(other: str, name: str) -> bool:
    """Whether the end tag of a `name` around it goes through no `other`."""
    inline = name not in _BLOCKS and name not in _FORMATTING
    return (
        other in _BORDERS
        or other in _HOLDING_OPEN.get(name, ())
        or (inline and (other in _BLOCKS or other == "button"))
    )


@lru_cache(maxsize=1_024)
def _judged(attributes: Sequence[tuple[str, str]], around: _Look) -> tuple[_Look, bool]:
    """How words look in an element, and whether a reader sees nothing of all that stands in it."""
    held = dict(attributes)
    if _JUDGED.isdisjoint(held):
        return around, False
    declared = declarations(held.get("style", ""))
    painted = *grounds(declared.get("background-color", "")), *grounds(declared.get("background-image", ""))
    painted = painted or grounds(_colour(held.get("bgcolor", "")))
    behind = tuple(dict.fromkeys(over(top, below) for top in painted for below in around.grounds))[:20]
    own = declared.get("-webkit-text-fill-color") or declared.get("color") or _colour(held.get("color", ""))
    own = around.ink if own in ("", "currentcolor") else ink(own) or around.ink
    size, cover = declared.get("font-size", ""), measures(declared.get("opacity", ""), 0.01)
    gone = (
        "hidden" in held
        or "popover" in held
        or declared.get("visibility", "visible") not in ("visible", "inherit", "initial", "unset")
        or shown(declared) != "shown"
        or bool(cover and (cover[0] is None or cover[0] <= _FAINT))
    )
    return _Look(own, behind or around.grounds, _is_tiny(size, around=around.tiny)), gone


def _is_tiny(size: str, *, around: bool) -> bool:
    """Whether letters of a size are too small to be seen, in an element whose own are so or not."""
    found = measures(size, 0.16)
    own = bool(found and (found[0] is None or abs(found[0]) < _TINY))
    relative = not size or (size.endswith(("em", "ex", "ch", "%", "er")) and not size.endswith("rem"))
    return own or (relative and around) or (around and size in ("inherit", "unset"))


def _colour(attribute: str) -> str:
    """A colour as attributes write it, where the `#` may be missing."""
    attribute = attribute.strip().lower()
    return f"#{attribute}" if attribute and not is_colour(attribute) and is_colour(f"#{attribute}") else attribute
