"""What of a page no reader sees: hidden by attributes, inline styles, and the simple rules of its own style sheets.

Two degrees. `GONE`: certainly not shown (`display: none`, `visibility: hidden`, `opacity: 0`, no size, moved off the
page), and left out of the text, so that what a page whispers to machines never reaches a model. `DOUBTFUL`: text in
the colour of its ground, and what one rule hides while another, too complex to judge here, may show it; it stays in
the text and is marked, so that nothing a reader might see is lost in silence, and no quote of it passes.

Simple rules are those of one element: `tag`, `.class`, `#id` and their compounds, outside of `@media` that is not for
screens. Descendants, states and sheets of other files are not followed. Scripts do not run.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

Shown = Literal["shown", "gone", "doubtful"]

_OFF_PAGE: Final = 999  # px, or any unit: nobody reads there
_NOTHING: Final = re.compile(r"[-+]?0*(?:\.0*)?(?:px|em|rem|ex|pt|%|vw|vh)?")
_FAR: Final = re.compile(r"-\s?(\d{1,9})(?:\.\d{0,9})?(?:px|em|rem|ex|pt|%|vw|vh)?")
_SIMPLE: Final = re.compile(r"([a-z][a-z0-9]*|\*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_PARTS: Final = re.compile(r"[.#][\w-]+")
_TOUCHING: Final = frozenset({"display", "visibility", "opacity", "font-size", "text-indent", "left", "top", "position",
                              "clip", "clip-path", "color", "background", "background-color", "height", "width",
                              "overflow"})  # fmt: skip
_INHERITED: Final = frozenset({"visibility", "color", "background", "background-color"})
_BRACES: Final = re.compile(r"[{}]")
_RGB: Final = re.compile(
    r"rgba?\(\s{0,9}(\d{1,3})[\s,]{1,9}(\d{1,3})[\s,]{1,9}(\d{1,3})\s{0,9}([,/]\s{0,9}[\d.]{1,9}%?)?\s{0,9}\)"
)
_NAMES: Final = {"white": "#ffffff", "black": "#000000", "snow": "#fffafa", "ivory": "#fffff0", "whitesmoke": "#f5f5f5"}
_MOST_RULES: Final = 20_000
_BUDGET: Final = 5_000_000
"""How often a rule may be tried on an element; twenty thousand rules for one name, and elements without end, are more."""

Declarations = Mapping[str, str]
Sheet = Sequence[tuple[str, Declarations]]
"""Each selector of a style sheet with what is declared for it, as far as it may hide something."""


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
    """What rules declare of an element; whether one that is not followed may say otherwise; whether, as it stands, it
    changes nothing in what is seen.
    """

    declared: Declarations
    contested: bool
    harmless: bool


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
        self._left = _BUDGET
        self._seen: dict[tuple[str, str, str], Ruled] = {}
        for sheet in sheets:
            self.add(sheet)

    def add(self, sheet: Sheet) -> None:
        """Take the rules of a sheet; later ones win."""
        self.sheets.append(sheet)
        for selector, declared in sheet:
            self._add(selector, declared)

    def _add(self, selector: str, declared: Declarations) -> None:
        simple = _SIMPLE.fullmatch(selector)
        self._ids.update(name for name in _PARTS.findall(selector) if name[0] == "#")
        if not simple or not selector:
            if _may_show(declared):
                self._contested.update(_PARTS.findall(selector))
            return
        if self.count >= _MOST_RULES:
            return
        self.count += 1
        names = frozenset(_PARTS.findall(simple[2]))
        tag = (simple[1] or "").lower().replace("*", "")
        rule = Rule(tag, names, declared)
        self._rules.setdefault(min(names, default=tag), []).append((self.count, rule))

    def of(self, tag: str, element: Element) -> "Ruled":
        """What the rules say of an element."""
        if not self.count:
            return _UNRULED
        own_id = f"#{element.get('id', '')}"
        key = tag, element.get("class", ""), own_id if own_id in self._ids else ""
        return self._seen.get(key) or self._of(*key)

    def quiet(self, tag: str, classes: str) -> bool:
        """Whether the rules change nothing in what is seen of such an element, if it has no id."""
        return (self._seen.get((tag, classes, "")) or self._of(tag, classes, "")).harmless

    def _of(self, tag: str, classes: str, own_id: str) -> "Ruled":
        own = frozenset((*(f".{name}" for name in classes.split()), own_id or "#"))
        self._left -= sum(len(self._rules.get(name, ())) for name in (tag, "", *own))
        if self._left < 0:
            raise UnreadableFile(Unreadable.TOO_LARGE, "more style rules for more elements than can be tried")
        met = [
            (rule.weight, order, rule.declared)
            for name in (tag, "", *own)
            for order, rule in self._rules.get(name, ())
            if rule.tag in ("", tag) and rule.names <= own
        ]
        found: dict[str, str] = {}
        for _, _, declared in sorted(met, key=lambda each: each[:2]):
            found.update(declared)
        harmless = shown(found) == "shown" and found.keys().isdisjoint(_INHERITED)
        ruled = self._seen[tag, classes, own_id] = Ruled(found, not own.isdisjoint(self._contested), harmless)
        return ruled


def declarations(style: str) -> dict[str, str]:
    """The declarations of a `style` attribute or of a rule's body, names and values in small letters."""
    found: dict[str, str] = {}
    for each in style.split(";"):
        name, colon, value = each.partition(":")
        name = name.strip().lower()
        if colon and name in _TOUCHING:
            found[name] = value.replace("!important", "").strip().lower()
    return found


def shown(declared: Declarations) -> Shown:
    """Whether an element with these declarations is shown, its `visibility` and colours aside."""
    if declared.get("display") == "none":
        return "gone"
    for name in ("opacity", "font-size"):
        if name in declared and _NOTHING.fullmatch(declared[name]):
            return "gone"
    if _far(declared.get("text-indent", "")):
        return "gone"
    placed = declared.get("position") in ("absolute", "fixed")
    if placed and (_far(declared.get("left", "")) or _far(declared.get("top", ""))):
        return "gone"
    if placed and declared.get("clip", "").replace(" ", "").replace(",", "") in ("rect(0000)", "rect(0px0px0px0px)"):
        return "gone"
    if declared.get("overflow") == "hidden" and any(
        _NOTHING.fullmatch(declared[name]) for name in ("height", "width") if name in declared
    ):
        return "gone"
    return "shown"


def colour(value: str) -> str:
    """`#rrggbb` of a colour as it may be written, "" for none at all; another word stands for itself."""
    value = value.strip()
    if value in ("", "transparent", "inherit", "initial", "unset", "none", "currentcolor"):
        return ""
    if value.startswith("#"):
        digits = value[1:]
        return "#" + "".join(digit * 2 for digit in digits[:3]) if len(digits) in (3, 4) else value[:7]
    rgb = _RGB.match(value)
    if rgb:
        return (
            ""
            if rgb[4] and _NOTHING.fullmatch(rgb[4].strip("/, %"))
            else "#" + "".join(f"{min(int(part), 255):02x}" for part in rgb.groups()[:3])
        )
    return _NAMES.get(value.split(" ", 1)[0], value.split(" ", 1)[0])


def _far(value: str) -> bool:
    found = _FAR.fullmatch(value)
    return found is not None and int(found[1]) >= _OFF_PAGE


def _may_show(declared: Declarations) -> bool:
    return (
        declared.get("display", "none") != "none"
        or declared.get("visibility", "hidden") != "hidden"
        or bool({"opacity", "font-size", "position", "left", "top", "height", "width", "text-indent"} & declared.keys())
    )


def parse_sheet(text: str) -> Sheet:
    """The rules of a style sheet that hold on a screen. Work is linear in the sheet."""
    return tuple(
        (selector.strip(), declared) for selectors, declared in _rules(text) for selector in selectors.split(",")
    )


def _rules(sheet: str) -> Iterator[tuple[str, Declarations]]:
    sheet = _without_comments(sheet)
    at, heads = 0, [""]
    for brace in _BRACES.finditer(sheet):
        piece = sheet[at : brace.start()]
        at = brace.end()
        if brace[0] == "{":
            heads.append(piece.rpartition(";")[2].strip())
            if len(heads) > 50:
                return
        elif len(heads) > 1:
            head = heads.pop()
            if not head.startswith("@") and all(map(_on_screen, heads)):
                declared = declarations(piece)
                if declared:
                    yield head, declared


def _without_comments(sheet: str) -> str:
    kept, at = [], 0
    while (opens := sheet.find("/*", at)) >= 0:
        kept.append(sheet[at:opens])
        closes = sheet.find("*/", opens + 2)
        at = closes + 2 if closes >= 0 else len(sheet)
    return " ".join((*kept, sheet[at:]))


def _on_screen(head: str) -> bool:
    if not head.startswith("@"):
        return not head  # rules inside of rules are not followed
    words = head[1:].lower().split()
    return words[:1] in (["supports"], ["layer"]) or words in (["media", "screen"], ["media", "all"])
