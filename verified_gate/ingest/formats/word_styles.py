"""What the styles and numberings of a Word document say of a paragraph or a run: heading, list, code; hidden, numbered."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name

_OFF: Final = frozenset({"0", "false", "off"})
_MOST_ANCESTORS: Final = 100
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
class Ink:
    """How letters are set, as far as it decides whether they are seen; empty where nothing is said of it.

    Colours are six hexadecimal digits, or "auto". `size` is in half points; `ground` and `marker` (the colour that Word
    names) stand behind the letters alone.
    """

    hidden: bool | None = None
    color: str = ""
    size: int = 0
    ground: str = ""
    marker: str = ""

    def over(self, below: "Ink") -> "Ink":
        """What this says, and of the rest what `below` says."""
        if self is PLAIN:
            return below
        return Ink(
            below.hidden if self.hidden is None else self.hidden,
            self.color or below.color,
            self.size or below.size,
            self.ground or below.ground,
            self.marker or below.marker,
        )

    def beside(self, below: "Ink") -> "Ink":
        """As `over`, of a style of another kind: what either hides is hidden."""
        joined = self.over(below)
        return replace(joined, hidden=True) if below.hidden and not joined.hidden else joined

    def is_unseen(self, ground: str) -> bool:
        """Whether no reader sees the letters, `ground` being what paragraph, cell, table and page set behind them."""
        if 0 < self.size <= _LEAST_SIZE:
            return True
        under = ground if self.ground in ("", NO_GROUND) else self.ground
        marker = _MARKERS.get(self.marker, "")
        color = self.color
        if color in ("", "auto"):  # Word takes black or white by the ground, whatever the marker
            color = _WHITE if marker and _is_dark(under) else _BLACK if marker else ""
        return _is_alike(color, marker or under)


PLAIN: Final = Ink()
NO_GROUND, UNKNOWN_GROUND = "none", "unknown"
_WHITE, _BLACK = "ffffff", "000000"
_LEAST_SIZE: Final = 4
_LEAST_WIDTH: Final = 5
"""Of a letter, in hundredths."""
_LIGHT: Final = frozenset({"background1", "light1"})
_MARKERS: Final = {
    "black": _BLACK, "white": _WHITE, "red": "ff0000", "green": "00ff00", "blue": "0000ff", "cyan": "00ffff",
    "magenta": "ff00ff", "yellow": "ffff00", "darkRed": "800000", "darkGreen": "008000", "darkBlue": "000080",
    "darkCyan": "008080", "darkMagenta": "800080", "darkYellow": "808000", "darkGray": "808080", "lightGray": "c0c0c0",
}  # fmt: skip
_HEX: Final = re.compile("[0-9a-f]{6}")
_LONGEST_COLOR: Final = 9
_ALIKE: Final = 10
"""Steps of 256 in which two colours may differ and are one to the eye."""


_INKED: Final = frozenset({"vanish", "color", "sz", "w", "shd", "highlight", "textFill"})


def named(properties: Element | None) -> dict[str, Element]:
    """The properties by their names."""
    return {} if properties is None else {local_name(each): each for each in properties}


def ink_of(properties: Mapping[str, Element]) -> Ink:
    """What the properties of a run, or of a style's runs, say; `PLAIN` itself for nothing."""
    if _INKED.isdisjoint(properties):
        return PLAIN
    hidden: bool | None = None
    color = ground = marker = ""
    size = 0
    for name, each in properties.items():
        if name == "vanish":
            hidden = value(each).lower() not in _OFF
        elif name == "color":
            color = color or _color(each, "val", "theme")
        elif name in ("sz", "w"):
            held = value(each)
            if held.isdigit() and len(held) < 6 and (name == "sz" or int(held) <= _LEAST_WIDTH):
                size = max(int(held), 1) if name == "sz" and not 0 < size <= _LEAST_SIZE else 1
        elif name == "shd":
            ground = ground_of(each)
        elif name == "highlight":
            marker = value(each)
        elif name == "textFill":
            if child(each, "noFill") is not None:
                size = 1
            color = value(child(each, "solidFill", "srgbClr")).lower() or color
    if hidden is None and not (color or size or ground or marker):
        return PLAIN
    return Ink(hidden, color, size, ground, marker)


def ground_of(shade: Element | None) -> str:
    """The colour of a shading; "" for no shading, or that none or one that cannot be told is set."""
    if shade is None:
        return ""
    kind = value(shade)
    if kind == "nil":
        return NO_GROUND
    fill = _color(shade, "fill", "themeFill")
    fill = (UNKNOWN_GROUND if value(shade, "themeFill") else NO_GROUND) if fill in ("", "auto") else fill
    if kind in ("", "clear"):
        return fill
    ink = _color(shade, "color", "theme")
    ink = _BLACK if ink in ("", "auto") else ink
    share = 100 if kind == "solid" else int(kind[3:]) if kind[:3] == "pct" and kind[3:] in _SHARES else None
    fill = _WHITE if fill == NO_GROUND else fill
    if share is None or not _HEX.fullmatch(ink) or (share < 100 and not _HEX.fullmatch(fill)):
        return UNKNOWN_GROUND
    if share == 100:
        return ink
    mixed = ((a * share + b * (100 - share)) // 100 for a, b in zip(_levels(ink), _levels(fill), strict=True))
    return "".join(f"{each:02x}" for each in mixed)


_SHARES: Final = frozenset(map(str, range(1, 100)))


def _color(element: Element, name: str, theme: str) -> str:
    """A colour; white of a theme, and its shades, whatever else stands there for programs that know no themes."""
    if value(element, "themeColor" if theme == "theme" else theme) in _LIGHT:
        shade = value(element, f"{theme}Shade").lower()
        return shade * 3 if _HEX.fullmatch(shade * 3) else _WHITE
    return value(element, name)[:_LONGEST_COLOR].lower()


def _levels(color: str) -> tuple[int, int, int]:
    return int(color[:2], 16), int(color[2:4], 16), int(color[4:], 16)


@lru_cache(maxsize=1_024)
def _is_alike(one: str, other: str) -> bool:
    if not _HEX.fullmatch(one) or not _HEX.fullmatch(other):
        return False
    return all(abs(a - b) <= _ALIKE for a, b in zip(_levels(one), _levels(other), strict=True))


def _is_dark(ground: str) -> bool:
    return _HEX.fullmatch(ground) is not None and sum(_levels(ground)) < 3 * 64


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it has from those it is based on. `level`: of a heading, from 1, 0 for none; `ground`: of its
    paragraphs or cells; `parts`: of a table, ink and ground of those that it sets apart (`firstRow`, `firstCol`).
    """

    name: str = ""
    level: int = 0
    number: tuple[str, int] | None = None
    ink: Ink = PLAIN
    ground: str = ""
    parts: Mapping[str, tuple[Ink, str]] = field(default_factory=dict)

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
        self.ink = ink_of(named(child(root, "docDefaults", "rPrDefault", "rPr")))
        self._defaults = {
            value(each, "type"): key
            for key, each in self._given.items()
            if value(each, "default").lower() not in ("", *_OFF)
        }

    def paragraph(self, name: str) -> Style:
        """The style called `name`, or that of paragraphs without one."""
        return self.of(name or self._defaults.get("paragraph", ""))

    def table(self, name: str) -> Style:
        """The style called `name`, or that of tables without one."""
        return self.of(name or self._defaults.get("table", ""))

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
        level, number, ink, ground = 0, None, PLAIN, ""
        parts: dict[str, tuple[Ink, str]] = {}
        for each in reversed(chain):
            outline = value(child(each, "pPr", "outlineLvl"))
            if outline.isdigit():
                level = int(outline) + 1 if int(outline) < 9 else 0
            ink, ground = ink_of(named(child(each, "rPr"))).over(ink), _ground_within(each) or ground
            for part in each:
                if local_name(part) == "tblStylePr":
                    old, under = parts.get(value(part, "type"), (PLAIN, ""))
                    parts[value(part, "type")] = (
                        ink_of(named(child(part, "rPr"))).over(old),
                        _ground_within(part) or under,
                    )
            number = number_of(child(each, "pPr")) or number
        if not level and own.startswith("heading ") and own[8:].isdigit():
            level = min(int(own[8:]), 9)
        if own == "title":
            level = 1
        return Style(own, level, number, ink, ground, parts)


def number_of(properties: Element | None) -> tuple[str, int] | None:
    """Which list, and which level of it (from 0), a paragraph belongs to; ("0", 0) for an express none."""
    found = child(properties, "numPr")
    if found is None:
        return None
    level = value(child(found, "ilvl"))
    return value(child(found, "numId")), min(int(level), 8) if level.isdigit() and len(level) < 3 else 0


def _ground_within(properties: Element) -> str:
    return next(
        (found for kind in ("tcPr", "tblPr", "pPr") if (found := ground_of(child(properties, kind, "shd")))), ""
    )


def upon(ground: str, below: str) -> str:
    """The ground that is seen where `ground` is set before `below`."""
    return below if ground in ("", NO_GROUND) else ground


def parts_of(on: frozenset[str], row: int, rows: int, column: int, columns: int) -> list[str]:
    """The parts of a table that a cell is in, the later over the earlier."""
    bands = f"band{(column - ('firstCol' in on)) % 2 + 1}Vert", f"band{(row - ('firstRow' in on)) % 2 + 1}Horz"
    ends = (
        (column == 0, "firstCol"),
        (column == columns - 1, "lastCol"),
        (row == 0, "firstRow"),
        (row == rows - 1, "lastRow"),
    )
    return [each for each in (*bands, *(name for is_in, name in ends if is_in)) if each in on]


_LOOKS: Final = (("firstRow", 0x20), ("lastRow", 0x40), ("firstColumn", 0x80), ("lastColumn", 0x100),
                 ("noHBand", 0x200), ("noVBand", 0x400))  # fmt: skip


def looks(look: Element | None) -> frozenset[str]:
    """The parts that a table sets apart, by the names that styles have for them."""
    mask = value(look)
    try:
        bits = int(mask, 16) if len(mask) < 9 and mask else 0
    except ValueError:
        bits = 0
    on = {name for name, bit in _LOOKS if (value(look, name) or "01"[bool(bits & bit)]) not in ("0", "false", "off")}
    found = {name.replace("Column", "Col") for name in on if not name.startswith("no")}
    found |= set() if "noHBand" in on else {"band1Horz", "band2Horz"}
    return frozenset(found if "noVBand" in on else found | {"band1Vert", "band2Vert"})


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
