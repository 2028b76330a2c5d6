"""What the styles and numberings of a Word document say of a paragraph or a run: heading, list, code; hidden, numbered."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name

_OFF: Final = frozenset({"0", "false", "off"})
_MOST_ANCESTORS: Final = 20
_CODE: Final = frozenset({"code", "source code", "html preformatted", "macro text", "preformatted text", "plain text"})
_PLACE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = (("m", 1000), ("cm", 900), ("d", 500), ("cd", 400), ("c", 100), ("xc", 90), ("l", 50), ("xl", 40),
                 ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))  # fmt: skip


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along `path`, name spaces aside."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if local_name(each) == name), None)
    return element


def value(element: Element | None, name: str = "val") -> str:
    """An attribute, name spaces aside; "" where there is none."""
    if element is None:
        return ""
    return next((held for key, held in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _inside(element: Element | None) -> list[Element]:
    return [] if element is None else list(element)


def switched(properties: Element | None, name: str) -> bool | None:
    """Whether a property is on or off; None where it is not given."""
    found = child(properties, name)
    return None if found is None else value(found).lower() not in _OFF


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it has from those it is based on. `level`: of a heading, from 1, 0 for none; `sets_apart`: of a
    table, which of its parts it sets apart (`firstRow`, `firstCol`).
    """

    name: str = ""
    level: int = 0
    hidden: bool = False
    number: tuple[str, int] | None = None
    shaded: bool = False
    sets_apart: frozenset[str] = frozenset()

    @property
    def is_code(self) -> bool:
        return self.name in _CODE


class Styles:
    """The styles of a document by id. Those based on each other in a ring are as if the ring were cut."""

    def __init__(self, root: Element | None) -> None:
        self._given = {value(each, "styleId"): each for each in _inside(root) if local_name(each) == "style"}
        self._made: dict[str, Style] = {}
        defaults = child(root, "docDefaults", "rPrDefault", "rPr", "lang")
        self.lang = value(defaults)
        self._default = next(
            (
                key
                for key, each in self._given.items()
                if value(each, "type") == "paragraph" and value(each, "default") == "1"
            ),
            "",
        )

    def paragraph(self, name: str) -> Style:
        """The style called `name`, or that of paragraphs without one."""
        return self.of(name or self._default)

    def of(self, name: str) -> Style:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Style:
        chain: list[Element] = []
        seen: set[str] = set()
        while name in self._given and name not in seen and len(chain) < _MOST_ANCESTORS:
            seen.add(name)
            chain.append(self._given[name])
            name = value(child(chain[-1], "basedOn"))
        if not chain:
            return Style()
        own = value(child(chain[0], "name")).lower()
        level, hidden, number = 0, False, None
        for each in reversed(chain):
            outline = value(child(each, "pPr", "outlineLvl"))
            if outline.isdigit():
                level = int(outline) + 1 if int(outline) < 9 else 0
            hidden_here = switched(child(each, "rPr"), "vanish")
            hidden = hidden if hidden_here is None else hidden_here
            number = number_of(child(each, "pPr")) or number
        if not level and own.startswith("heading ") and own[8:].isdigit():
            level = min(int(own[8:]), 9)
        if own == "title":
            level = 1
        shaded = any(is_dark(shade) for each in chain for shade in each.iter("{*}shd"))
        apart = frozenset(value(part, "type") for each in chain for part in each if local_name(part) == "tblStylePr")
        return Style(own, level, hidden, number, shaded, apart)


def number_of(properties: Element | None) -> tuple[str, int] | None:
    """Which list, and which level of it (from 0), a paragraph belongs to; ("0", 0) for an express none."""
    found = child(properties, "numPr")
    if found is None:
        return None
    level = value(child(found, "ilvl"))
    return value(child(found, "numId")), min(int(level), 8) if level.isdigit() and len(level) < 3 else 0


def is_dark(shade: Element) -> bool:
    """Whether a ground is set that white letters may be read on."""
    return value(shade, "fill").lower() not in ("", "auto", "ffffff") or bool(value(shade, "themeFill"))


class Numbering:
    """Counts paragraphs of lists, and gives the number that Word shows before each (`4.2`, `(a)`); "" for bullets."""

    def __init__(self, root: Element | None) -> None:
        shapes: dict[str, dict[int, tuple[str, str, int]]] = {}
        self._lists: dict[str, tuple[str, dict[int, int]]] = {}
        for each in _inside(root):
            if local_name(each) == "abstractNum":
                shapes[value(each, "abstractNumId")] = dict(map(_level, (x for x in each if local_name(x) == "lvl")))
            elif local_name(each) == "num":
                overrides = {}
                for over in each:
                    start = value(child(over, "startOverride"))
                    level = value(over, "ilvl")
                    if start.isdigit() and level.isdigit() and len(start) < 6:
                        overrides[int(level)] = int(start)
                self._lists[value(each, "numId")] = (value(child(each, "abstractNumId")), overrides)
        self._shapes = shapes
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()

    def next(self, number: tuple[str, int]) -> str:
        """The number of the next paragraph of this list and level."""
        name, level = number
        shape_name, overrides = self._lists.get(name, ("", {}))
        shape = self._shapes.get(shape_name)
        if not shape or level not in shape:
            return ""
        counts = self._counts[shape_name]
        if name not in self._begun:
            self._begun.add(name)
            for each in overrides:
                counts.pop(each, None)
        start = overrides.get(level, shape[level][2])
        counts[level] = counts[level] + 1 if level in counts else start
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        kind, pattern, _ = shape[level]
        if kind in ("bullet", "none", ""):
            return ""

        def shown(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            held = shape.get(at, ("decimal", "", 1))
            return _numeral(counts.get(at, held[2]), held[0])

        return _PLACE.sub(shown, pattern).strip()


def _level(element: Element) -> tuple[int, tuple[str, str, int]]:
    at, start = value(element, "ilvl"), value(child(element, "start"))
    pattern = value(child(element, "lvlText"))[:100]
    first = int(start) if start.isdigit() and len(start) < 6 else 1
    return int(at) if at.isdigit() and len(at) < 3 else 0, (value(child(element, "numFmt")), pattern, first)


def roman(count: int) -> str:
    """Small Roman numerals of 1 to 3,999; other numbers as they are."""
    if not 0 < count < 4_000:
        return str(count)
    numeral = ""
    for sign, worth in _ROMAN:
        numeral += sign * (count // worth)
        count %= worth
    return numeral


def _numeral(count: int, kind: str) -> str:
    if kind in ("lowerLetter", "upperLetter") and count > 0:
        letter = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 30)
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman"):
        return roman(count).upper() if kind == "upperRoman" else roman(count)
    return f"{count:02}" if kind == "decimalZero" else str(count)
