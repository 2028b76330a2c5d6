"""What of a Markdown text no reader of the page sees: comments, definitions of links, titles, elements that are hidden,
words that are struck out.

In code all of it is seen. Which lines are code, HTML or definitions is markdown-it's to say, as CommonMark has it, with
tables; what it makes of a line is followed here sign by sign, since it does not tell where in the text that stands.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from verified_gate.ingest.markdown_tags import Elements, has_words, tag_end
from verified_gate.ingest.outline import Lines
from verified_gate.ingest.paragraphs import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_SIGN: Final = re.compile(
    r"<[a-zA-Z!?/]|\]:|~~|\]\((?:[^()\s]|\([^()\s]{0,2000}+\)){0,2000}+\s++[\"'(]|\]\(\s*+<|`{3}[^\S\n]*+\w[^\n`]*?[^\S\n]\S"
)
"""Without any of these all is seen: tags, definitions, words struck out, titles, fenced code with more than a language."""
_FOLLOWED: Final = re.compile(r"<|~~|\]\(")
_DEEPEST: Final = 60
"""Items and quotes inside each other; what is deeper is taken for unseen."""
_WORD: Final = re.compile(r"[^\W_]")
_MARKER: Final = re.compile(r"[ \t>]{0,999}(?:\[\^|(?:[-*+]|\d{1,9}[.)])?[ \t]*\Z)")
_SPECIAL: Final = re.compile(r"\\.|`+|<|~+|\]\(|\|", re.DOTALL)
_NAME: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)")
_TAG: Final = re.compile(
    r"<([a-zA-Z][a-zA-Z0-9-]*+)(?:\s++[a-zA-Z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+)*+\s*+/?>"
)
_DECLARED: Final = re.compile(r"<(?:!--|!\[CDATA\[|\?|!(?=[a-zA-Z]))")
_CLOSING: Final = re.compile(r"</([a-zA-Z][a-zA-Z0-9-]*+)\s*+>")
_DESTINATION: Final = re.compile(
    r"\]\([ \t\n]{0,9}(?:(<[^<>\n]{0,2000}+>)|(?:[^\s()<\\]|\\.|\([^\s()]{0,2000}+\)){1,2000}+)?"
    r"(?:[ \t\n]{1,9}(\"(?:[^\"\\]|\\.){0,2000}+\"|'(?:[^'\\]|\\.){0,2000}+'|\((?:[^()\\]|\\.){0,2000}+\)))?[ \t\n]{0,9}\)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A block that holds signs to follow, its lines without what stands before them in items and quotes.

    `starts`: where each line begins in `content`; `places`: where in the text. `kind`: "html", "row" of a table, "line".
    """

    kind: str
    content: str
    starts: list[int]
    places: list[int]

    def place(self, at: int) -> int:
        """The offset in the text of a place in `content`."""
        line = bisect_right(self.starts, at) - 1
        return self.places[line] + at - self.starts[line]


def unseen(text: str) -> tuple[Span, ...]:
    """Spans of `text` (code points, end exclusive), in order and apart. Work is linear in it."""
    if not _SIGN.search(text):
        return ()
    found: list[Span] = []
    elements, comments = Elements(), _Comments(text)
    for unit in _units(text, found):
        if unit.kind == "html":
            elements.enter(unit.places[0], raw=True)
            _follow_html(unit, elements, len(text))
        else:
            elements.enter(unit.places[0], raw=False)
            _Line(unit, elements, comments).follow()
            elements.leave(unit.place(len(unit.content)))
    found += elements.finish(len(text))
    return tuple(_apart(found))


def _apart(spans: list[Span]) -> Iterator[Span]:
    start = end = -1
    for first, last in sorted(spans):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield start, end


def _units(text: str, found: list[Span]) -> Iterator[_Unit]:
    """The blocks of the text, in order. Lines that belong to none are definitions: they are put in `found`."""
    spans = list(Lines(text).spans(text))
    source = [text[start:end] for start, end in spans]
    tokens = _parser().block.parse("\n".join(source), _parser(), {}, []) or ()
    covered = bytearray(len(source))
    in_table = False
    for token in tokens:
        in_table = token.type == "table_open" or (in_table and token.type != "table_close")
        if token.map is None or (token.nesting > 0 and token.type not in ("heading_open", "tr_open", "table_open")):
            continue
        first, last = token.map[0], min(token.map[1], len(source))
        covered[first:last] = b"\1" * max(last - first, 0)
        if token.type == "tr_open":
            yield _unit("row", source[first], source, spans, first)
        elif token.type == "html_block" or (token.type == "inline" and not in_table):
            yield _unit("html" if token.type == "html_block" else "line", token.content, source, spans, first)
        elif token.type == "fence" and len(token.info.split()) > 1 and token.info.lstrip()[:1] != "{":
            start, end = spans[first]
            found.append((start + source[first].rindex(token.info.split()[0]), end))
        if token.type in ("fence", "code_block"):
            yield _Unit("line", "", [0], [spans[first][0]])
    for number, line in enumerate(source):
        if not covered[number] and _WORD.search(line) and not _MARKER.match(line):
            found.append(spans[number])


def _unit(kind: str, content: str, source: list[str], spans: list[Span], number: int) -> _Unit:
    starts, places, at = [], [], 0
    if not _FOLLOWED.search(content):
        content = ""
    for line in content.split("\n"):
        own = line.strip(" \t")
        start = spans[number][0] if number < len(spans) else spans[-1][1]
        column = source[number].rfind(own) if number < len(source) and own else 0
        starts.append(at)
        places.append(max(start + column - (len(line) - len(line.lstrip(" \t"))), start))
        at += len(line) + 1
        number += 1
    return _Unit(kind, content, starts, places)


def _follow_html(unit: _Unit, elements: Elements, last: int) -> None:
    """Follow a block that is all HTML, as browsers read it."""
    content, at = unit.content, 0
    while True:
        if elements.raw:
            at = _raw_end(content, at, elements.raw)
        at = content.find("<", at) if at >= 0 else -1
        if at < 0:
            return
        start = unit.place(at)
        name = _NAME.match(content, at)
        if name is None:
            end = _declared_end(content, at)
            if end:
                elements.found.append((start, unit.place(end) if end > 0 else last))
                at = end
            if not end or end > 0:
                at += not end
                continue
            return
        attributes, end = tag_end(content, name.end())
        if end < 0:  # nothing of what follows is shown up to a sign that nobody can foretell
            opened = re.search("[\"']", content[name.end() :])
            elements.found.append((start, last if opened else unit.place(len(content))))
            return
        if name[1]:
            elements.end(name[2].lower(), unit.place(end))
        else:
            elements.begin(name[2].lower(), attributes, start, unit.place(end))
        at = end


def _raw_end(content: str, at: int, name: str) -> int:
    """Where the end tag of an element without tags in it begins; -1 where it does not end."""
    found = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.IGNORECASE).search(content, at)
    return found.start() if found else -1


def _declared_end(content: str, at: int) -> int:
    """Where a comment, or what browsers take for one, ends that begins at `at`: 0 for none, -1 where it does not end."""
    for opening, closing in (("<!-->", ""), ("<!--->", ""), ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"),
                             ("<!", ">"), ("</", ">")):  # fmt: skip
        if content.startswith(opening, at):
            after = at + len(opening)
            found = content.find(closing, after) if closing else after
            return found + len(closing) if found >= 0 else -1
    return 0


class _Comments:
    """Where comments end that go on through blank lines, looked for once."""

    def __init__(self, text: str) -> None:
        self._text, self._next = text, 0

    def end(self, start: int) -> int:
        """Behind the next end after `start`; that of the text where none comes."""
        if self._next <= start:
            found = self._text.find("-->", start)
            self._next = found + 3 if found >= 0 else len(self._text)
        return self._next


class _Line:
    """Follows the lines of a paragraph, a heading or a row of a table, as Markdown reads them."""

    def __init__(self, unit: _Unit, elements: Elements, comments: "_Comments") -> None:
        self._unit, self._elements, self._comments = unit, elements, comments
        self._content = unit.content
        self._ticks: dict[int, list[int]] = {}  # where runs of so many backticks begin
        self._missing: set[str] = set()  # beginnings that have no end in what follows
        self._struck = -1
        for run in re.finditer("`+", self._content):
            self._ticks.setdefault(len(run[0]), []).append(run.start())

    def follow(self) -> None:
        """Tell the elements of every tag, and put down what else is not seen."""
        at = 0
        while True:
            if self._elements.raw:
                at = _raw_end(self._content, at, self._elements.raw)
                if at < 0:
                    return
            sign = _SPECIAL.search(self._content, at)
            if sign is None:
                return
            at = self._past(sign[0], sign.start(), sign.end())

    def _past(self, sign: str, start: int, end: int) -> int:
        """Where to go on behind a sign."""
        if sign[0] == "`":
            return self._code_end(len(sign), end)
        if sign == "<":
            return self._tag(start)
        if sign == "](":
            return self._link(start, end)
        if sign == "~~":
            self._strike(start, end)
        elif sign == "|" and self._unit.kind == "row":
            self._struck = -1
        return end

    def _code_end(self, length: int, end: int) -> int:
        runs = self._ticks[length]
        number = bisect_left(runs, end)
        if number == len(runs):
            return end
        inside = self._content[end : runs[number]]
        if self._unit.kind == "row" and "|" in inside.replace("\\|", ""):
            return end
        return runs[number] + length

    def _tag(self, at: int) -> int:
        place = self._unit.place
        tag = _TAG.match(self._content, at)
        if tag:
            attributes, _ = tag_end(self._content, tag.end(1))
            self._elements.begin(tag[1].lower(), attributes, place(at), place(tag.end()))
            return tag.end()
        closing = _CLOSING.match(self._content, at)
        if closing:
            self._elements.end(closing[1].lower(), place(closing.end()))
            return closing.end()
        opening = _DECLARED.match(self._content, at)
        if opening:
            kind = opening[0][:4]
            end = -1 if kind in self._missing else _declared_end(self._content, at)
            if end > 0:
                self._elements.found.append((place(at), place(end)))
                return end
            if kind == "<!--" and kind not in self._missing:  # some viewers take it for one all the same
                self._elements.found.append((place(at), self._comments.end(place(at))))
            self._missing.add(kind)
        return at + 1

    def _link(self, start: int, end: int) -> int:
        """The title of a link is seen by nobody, and neither are words in the place of its address."""
        found = _DESTINATION.match(self._content, start)
        if found is None:
            return end
        place = self._unit.place
        if found[2]:
            self._elements.found.append((place(found.start(2)), place(found.end(2))))
        if found[1] and has_words({"": found[1]}):
            self._elements.found.append((place(found.start(1)), place(found.end(1))))
        return found.end()

    def _strike(self, start: int, end: int) -> None:
        if self._struck >= 0 and not self._content[start - 1].isspace():
            self._elements.found.append((self._unit.place(self._struck), self._unit.place(end)))
            self._struck = -1
        elif not self._content[end : end + 1].isspace():
            self._struck = start


_made: list["MarkdownIt"] = []


def _parser() -> "MarkdownIt":
    if not _made:
        from markdown_it import MarkdownIt

        _made.append(MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table"))
    return _made[0]
