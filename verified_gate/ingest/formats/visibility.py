"""What of a page no reader sees: hidden by attributes, inline styles, and the rules of its own style sheets.

Two degrees. `GONE`: certainly not shown (`display: none`, `visibility: hidden`, `opacity: 0`, no size, moved off the
page), and left out of the text, so that what a page whispers to machines never reaches a model. `DOUBTFUL`: text in
the colour of its ground, and what is hidden only in some windows, by a rule too complex to be sure of, or by one that
another may overrule; it stays in the text and is marked, so that nothing a reader might see is lost in silence, and no
quote of it passes.

Sure are the rules of one element: `tag`, `.class`, `#id` and their compounds, that hold on every screen. All others
(`selectors`) are guesses, and only those that hide by themselves count. Scripts do not run.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

from verified_gate.ingest.formats.declared import INHERITED, Declarations, declarations, hides, settled, shown
from verified_gate.ingest.formats.elements import span_of
from verified_gate.ingest.formats.grid import MOST_COLUMNS
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.selectors import Guess, Known, guesses, known, plain, stand_around, without_escapes
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_NAME: Final = r"(?:[\w\-\u0080-\U0010ffff]|\\.)+"
_SIMPLE: Final = re.compile(rf"([a-z][a-z0-9]*|\*)?((?:[.#]{_NAME})*)", re.IGNORECASE)
_PARTS: Final = re.compile(rf"[.#]{_NAME}")
_BRACES: Final = re.compile(r"[{}]")
_ASIDE: Final = re.compile(
    r"""(/\*.*?(?:\*/|\Z)|<!--|-->)|("[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)""", re.DOTALL
)
_IMPORT: Final = re.compile(
    r"""@import\s{0,9}(?:url\(\s{0,9})?["']?([^"'\s();]{1,500})["']?\s{0,9}\)?([^;{}]{0,200})""", re.IGNORECASE
)
_ENCLOSED: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SET_ASIDE: Final = {ord(","): "\x01", ord("("): "\x02", ord(")"): "\x03"}
_BACK: Final = {1: ",", 2: "(", 3: ")"}
_WIDEST: Final = re.compile(r"(?:max-(?:device-)?width\s{0,9}:|width\s{0,9}<=?)\s{0,9}([\d.]{1,9})(px|em|rem)?")
_NARROW: Final = 1_000
"""Pixels: what only holds in narrower windows is no rule for a screen."""
_MOST_KNOWN: Final = 10_000
_MOST_RULES: Final = 20_000
_BUDGET: Final = 5_000_000
"""How often a rule may be tried on an element; twenty thousand rules for one name, and elements without end, are more."""

Holds = Literal["always", "maybe", "never"]
Sheet = Sequence[tuple[str, Declarations, bool]]
"""Each selector of a style sheet with what is declared for it, as far as it may hide something, and whether that holds
in every window.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """The declarations of one selector, which all of `names` (`.class`, `#id`) and `tag` must meet."""

    tag: str
    names: frozenset[str]
    declared: Declarations

    @property
    def weight(self) -> tuple[int, int, int]:
        ids = sum(name.startswith("#") for name in self.names)
        return ids, len(self.names) - ids, bool(self.tag)


@dataclass(frozen=True, slots=True)
class Ruled:
    """What rules declare of an element; whether one that is not sure may say otherwise; whether, as it stands, it
    changes nothing in what is seen; and which may hide it.
    """

    declared: Declarations
    contested: bool
    harmless: bool
    guesses: tuple[Guess, ...] = ()
    calm: bool = False
    """Harmless, if no guess holds."""


_UNRULED: Final = Ruled({}, contested=False, harmless=True)


class Styles:
    """The simple rules of style sheets, by one name each, and the names that rules too complex to follow may show."""

    def __init__(self, sheets: Sequence[Sheet] = ()) -> None:
        self.sheets: list[Sheet] = []
        self.count = 0
        """Of the rules taken."""
        self._rules: dict[str, list[tuple[int, Rule]]] = {}
        self._ids: set[str] = set()
        self._contested: set[str] = set()
        self._guesses: dict[str, list[Guess]] = {}
        self.attributes: set[str] = set()
        """Of elements that may be hidden for them alone."""
        self._attributed: list[Guess] = []
        self._parent: Element | None = None
        self._line: list[Known] = []  # the parent and what it is in, where that was asked for
        self._known: dict[Element, Known] = {}
        self._names: dict[Element, frozenset[str]] = {}  # of each and of those around it
        self._own: dict[tuple[object, str, str], frozenset[str]] = {}  # by tag, class and, where rules have one, id
        self._around: dict[int, bool] = {}  # of the parent
        self._left = _BUDGET
        self._seen: dict[tuple[str, str, str], Ruled] = {}
        self.harmless: set[tuple[str, str, str]] = set()
        """Tag and class, with no id, of elements for which the rules were found to change nothing in what is seen."""
        for sheet in sheets:
            self.add(sheet)

    def add(self, sheet: Sheet) -> None:
        """Take the rules of a sheet; later ones win."""
        self.sheets.append(sheet)
        for selector, declared, sure in sheet:
            self._add(selector, declared, sure=sure)

    def _add(self, selector: str, declared: Declarations, *, sure: bool) -> None:
        simple = _SIMPLE.fullmatch(selector)
        parts = [plain(name) for name in _PARTS.findall(selector)]
        self._ids.update(name for name in parts if name[0] == "#")
        if not selector or self.count >= _MOST_RULES:
            return
        if not simple or not sure:
            if _may_show(declared):
                self._contested.update(parts, (selector.lower(),) if simple and not parts else ())
            if hides(settled(declared)):
                self._guess(selector)
            return
        self.count += 1
        names = frozenset(parts)
        tag = (simple[1] or "").lower().replace("*", "")
        rule = Rule(tag, names, declared)
        self._rules.setdefault(min(names, default=tag), []).append((self.count, rule))

    def _guess(self, selector: str) -> None:
        for guess in guesses(selector):
            self.count += 1
            subject = guess.subject
            self._ids.update(name for name in subject.names | guess.needed if name[0] == "#")
            if subject.names or subject.tag:
                self._guesses.setdefault(min(subject.names, default=subject.tag), []).append(guess)
            elif subject.attributes:
                self._attributed.append(guess)
                self.attributes.add(subject.attributes[0][0])

    def forget(self) -> None:
        """Let go of the elements of a page, and with them of all of it; what rules say of others stays known."""
        self._parent, self._line, self._around = None, [], {}
        self._known.clear()
        self._names.clear()

    def may_hide(self, ruled: "Ruled", element: Element) -> bool:
        """Whether a rule that is not sure hides an element."""
        tried = (*ruled.guesses, *self._attributed) if self._attributed else ruled.guesses
        if not tried:
            return False
        self._charge(len(tried))
        own = known(element) if any(guess.subject.attributes for guess in tried) else None
        return any(
            (own is None or guess.subject.met_by(own)) and self._placed(guess, element.getparent()) for guess in tried
        )  # without attributes, `of` has met all of the subject

    def _placed(self, guess: Guess, parent: Element | None) -> bool:
        """Whether what a guess asks for stands around the children of `parent`; asked once for all of them."""
        if not guess.around or parent is None:
            return not guess.around
        if not guess.needed <= (self._names.get(parent) or self._names_around(parent)):
            return False
        if parent is not self._parent:
            self._parent, self._around, self._line = parent, {}, []
        found = self._around.get(id(guess))
        if found is None:
            if not self._line:
                outer = (parent, *parent.iterancestors())
                self._line = [self._known.get(each) or self._learnt(each) for each in outer]
            self._charge(len(self._line))
            found = self._around[id(guess)] = stand_around(guess.around, self._line)
        return found

    def _names_around(self, element: Element) -> frozenset[str]:
        """The tags and names of an element and of all that it is in."""
        line = []
        found = None
        outer: Element | None = element
        while outer is not None and found is None:
            line.append(outer)
            outer = outer.getparent()
            found = self._names.get(outer) if outer is not None else frozenset()
        if len(self._names) > _MOST_KNOWN or len(self._own) > _MOST_KNOWN:
            self._names.clear()
            self._own.clear()
        for each in reversed(line):
            found = self._names[each] = self._with_own(found or frozenset(), each)
        return found or frozenset()

    def _with_own(self, outside: frozenset[str], element: Element) -> frozenset[str]:
        """Names and those of an element, which most often are of others around too."""
        key = element.tag, element.get("class", ""), element.get("id", "") if self._ids else ""
        own = self._own.get(key)
        if own is None:
            learnt = known(element)
            own = self._own[key] = learnt.names | {learnt.tag}
            self._charge(len(own))
        self._charge(1)
        if own <= outside:
            return outside
        self._charge(len(outside))
        return outside | own

    def _learnt(self, element: Element) -> Known:
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        found = self._known[element] = known(element)
        self._charge(1 + len(found.names))
        return found

    def _charge(self, times: int) -> None:
        self._left -= times
        if self._left < 0:
            raise UnreadableFile(Unreadable.TOO_LARGE, "more style rules for more elements than can be tried")

    def of(self, tag: str, element: Element) -> "Ruled":
        """What the rules say of an element."""
        if not self.count:
            return _UNRULED
        own_id = f"#{element.get('id', '')}"
        key = tag, element.get("class", ""), own_id if own_id in self._ids else ""
        return self._seen.get(key) or self._of(*key)

    def _of(self, tag: str, classes: str, own_id: str) -> "Ruled":
        own = frozenset((*(f".{name}" for name in classes.split()), own_id or "#"))
        self._charge(sum(len(self._rules.get(name, ())) for name in (tag, "", *own)))
        guessed = tuple(guess for name in (tag.lower(), *own) for guess in self._guesses.get(name, ()))
        self._charge(len(guessed))
        met = [
            (rule.weight, order, rule.declared)
            for name in (tag, "", *own)
            for order, rule in self._rules.get(name, ())
            if rule.tag in ("", tag) and rule.names <= own
        ]
        found = settled(*(declared for _, _, declared in sorted(met, key=lambda each: each[:2])))
        guessed = tuple(g for g in guessed if g.subject.tag in ("", tag.lower()) and g.subject.names <= own)
        calm = shown(found) == "shown" and found.keys().isdisjoint(INHERITED)
        contested = not {tag, *own}.isdisjoint(self._contested)
        ruled = self._seen[tag, classes, own_id] = Ruled(found, contested, calm and not guessed, guessed, calm)
        if ruled.harmless and not own_id:
            self.harmless.add((tag, classes, own_id))
        return ruled


def _may_show(declared: Declarations) -> bool:
    return (
        declared.get("display", "none") != "none"
        or declared.get("visibility", "hidden") != "hidden"
        or bool({"opacity", "font-size", "position", "left", "top", "height", "width", "text-indent"} & declared.keys())
    )


def parse_sheet(text: str, *, sure: bool = True) -> Sheet:
    """The rules of a style sheet that hold on a screen. Work is linear in the sheet."""
    return tuple(
        (without_escapes(selector.strip()), declared, sure and always)
        for selectors, declared, always in _rules(text)
        for selector in _parted(selectors)
    )


def sheets_of(element: Element, fetch: Callable[[str], Sheet] | None, *, sure: bool) -> list[Sheet]:
    """What a `style` or `link` adds to the style of its page; `fetch` gives a sheet by its address."""
    if local_name(element) == "style":
        text = "".join(element.itertext())
        taken = [fetch(link) for link in imports(text)] if fetch and "@" in text else []
        return [*map(unsure, taken), parse_sheet(text, sure=sure)]
    kinds, link = element.get("rel", "").lower().split(), element.get("href", "").strip()
    if "stylesheet" not in kinds or "alternate" in kinds:
        return []
    if link[:13].lower() == "data:text/css":
        return [parse_sheet(unquote(link.partition(",")[2]), sure=False)]
    found = fetch(link) if fetch else ()
    return [found if sure else unsure(found)]


def unseen_columns(table: Element, styles: Styles) -> frozenset[int]:
    """The columns of a table, from 0, that its `col` elements collapse."""
    found: set[int] = set()
    column = 0
    for part in table.iterchildren("{*}colgroup", "{*}col"):
        for col in part if len(part) else (part,):
            gone = False
            for each in (part, col):
                declared = settled(styles.of(local_name(each), each).declared, declarations(each.get("style", "")))
                gone |= declared.get("visibility") in ("hidden", "collapse") or declared.get("display") == "none"
            last = min(column + span_of(col, "span"), MOST_COLUMNS)
            found.update(range(column, last) if gone else ())
            column = last
    return frozenset(found)


def unsure(sheet: Sheet) -> Sheet:
    """A sheet that may not hold."""
    return tuple((selector, declared, False) for selector, declared, _ in sheet)


def _parted(selectors: str) -> list[str]:
    """The selectors of a list; a comma in brackets parts none."""
    if "(" not in selectors and "[" not in selectors:
        return selectors.split(",")
    for _ in range(3):
        selectors = _ENCLOSED.sub(lambda found: found[0].translate(_SET_ASIDE), selectors)
    return [each.translate(_BACK) for each in selectors.split(",")]


def imports(text: str) -> list[str]:
    """The addresses of the sheets that a sheet takes in, for screens."""
    found = [_IMPORT.match(text, at.start()) for at in re.finditer("@import", text, re.IGNORECASE)]
    return [each[1] for each in found if each and on_screen(each[2]) != "never"][:100]


def on_screen(media: str) -> Holds:
    """When a media query, as sheets and links have it, holds on a screen."""
    found = {_holds(each) for each in media.lower().split(",")}
    return "always" if "always" in found else "maybe" if "maybe" in found else "never"


def _holds(query: str) -> Holds:
    words = query.split()
    if words[:1] == ["only"]:
        words = words[1:]
    if words in ([], ["all"], ["screen"]):
        return "always"
    if words[0] == "not":
        return "never" if words[1:] in (["screen"], ["all"]) else "maybe"
    if words[0] in ("print", "speech", "aural", "braille", "embossed", "tty", "amzn-mobi"):
        return "never"
    widest = _WIDEST.search(query[:500])
    if widest:
        try:
            width = float(widest[1]) * (16 if widest[2] in ("em", "rem") else 1)
        except ValueError:
            return "maybe"
        return "never" if width < _NARROW else "maybe"
    return "maybe"


def _rules(sheet: str) -> Iterator[tuple[str, Declarations, bool]]:
    sheet = _ASIDE.sub(_laid_aside, sheet)
    at = 0
    heads: list[str] = [""]
    bodies: list[list[str]] = [[]]
    for brace in _BRACES.finditer(sheet):
        piece = sheet[at : brace.start()]
        at = brace.end()
        if brace[0] == "{":
            before, _, head = piece.rpartition(";")
            bodies[-1] += [before] if len(heads) > 1 else []
            heads.append(head.strip())
            bodies.append([])
            if len(heads) > 50:
                return
        elif len(heads) > 1:
            declared = declarations(";".join((*bodies.pop(), piece)))
            selector, holds = _selector(heads) if declared else ("", "never")
            heads.pop()
            if selector and holds != "never":
                yield selector, declared, holds == "always"


def _selector(heads: Sequence[str]) -> tuple[str, Holds]:
    """The whole selector of a rule in others, and when it holds."""
    selector, holds = "", "always"  # type: tuple[str, Holds]
    for head in heads[1:]:
        if head.startswith("@"):
            name, _, rest = head[1:].partition(" ")
            name, bracket, more = name.partition("(")
            found = _at(name.lower(), f"{bracket}{more} {rest}")
            holds = found if found != "always" and holds != "never" else holds
        elif selector:
            if head.count("&") > 9:
                return "", "never"
            selector = head.replace("&", selector) if "&" in head else f"{selector} {head}"
            holds = "maybe" if holds == "always" else holds
            if len(selector) > 5_000:
                return "", "never"
        else:
            selector = head
    return selector, holds


def _at(name: str, rest: str) -> Holds:
    if name == "media":
        return on_screen(rest)
    if name == "layer":
        return "always"
    return (
        "maybe"
        if name in ("supports", "container", "scope", "document", "-moz-document", "starting-style")
        else "never"
    )


def _laid_aside(found: re.Match[str]) -> str:
    """A comment is none of the sheet; of a string, what a sheet is parted by."""
    quoted: str | None = found[2]
    return quoted if quoted and not re.search(r"[{};,]", quoted) else "''" if quoted else " "
