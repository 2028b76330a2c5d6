"""What the styles of a Word document say of a paragraph or a run: heading, list, code; how it is set, if it is seen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_colours import (
    BLACK,
    NO_GROUND,
    WHITE,
    Palette,
    fill_of,
    ground_of,
    is_alike,
    is_dark,
    palette_of,
    written,
)
from verified_gate.ingest.formats.word_names import child, effect_name, inside, value, whole, word_name
from verified_gate.ingest.formats.word_numbering import number_of
from verified_gate.ingest.formats.word_places import place_of
from verified_gate.ingest.formats.word_room import LEAST_ROOM

_OFF: Final = frozenset({"0", "false", "off"})
_MOST_ANCESTORS: Final = 100
_CODE: Final = frozenset({"code", "source code", "html preformatted", "macro text", "preformatted text", "plain text"})


@dataclass(frozen=True, slots=True)
class Ink:
    """How letters are set, as far as it decides whether they are seen and count; empty where nothing is said of it.

    Colours are six hexadecimal digits, or "auto". `size` is in half points; `ground` and `marker` (the colour that Word
    names) stand behind the letters alone. `clear`: their own colour lets all through. `struck`: a line goes through
    them. `set`: how wide (`w`) and
    high (`small`) they are, in hundredths, how far apart (`spacing`, twentieths of a point), how far above
    the line (`position`, half points; `raised`, 1 for an exponent, -1 for an index), how high the line is (`line`, twentieths of a point; 0 for what they need),
    and whether a font shows other signs for them (`signs`).
    """

    hidden: bool | None = None
    color: str = ""
    size: int = 0
    ground: str = ""
    marker: str = ""
    clear: bool | None = None
    struck: bool | None = None
    set: Mapping[str, int] = field(default_factory=dict)

    def over(self, below: "Ink") -> "Ink":
        """What this says, and of the rest what `below` says."""
        if self is PLAIN:
            return below
        kept = self.clear is None and not self.color
        return Ink(
            below.hidden if self.hidden is None else self.hidden,
            self.color or below.color,
            self.size or below.size,
            self.ground or below.ground,
            self.marker or below.marker,
            below.clear if kept else self.clear,
            below.struck if self.struck is None else self.struck,
            {**below.set, **self.set} if self.set else below.set,
        )

    def beside(self, below: "Ink") -> "Ink":
        """As `over`, of a style of another kind: what either hides is hidden."""
        joined = self.over(below)
        return replace(joined, hidden=True) if below.hidden and not joined.hidden else joined

    def is_unseen(self, ground: str) -> bool:
        """Whether no reader sees the letters, `ground` being what paragraph, cell, table and page set behind them."""
        size = self.set.get("complex size", 0) if self.set.get("complex") else self.size
        if 0 < size <= _LEAST_SIZE or (self.set and self._is_crushed()):
            return True
        under = ground if self.ground in ("", NO_GROUND) else self.ground
        marker = _MARKERS.get(self.marker, "")
        color = self.color
        if color in ("", "auto"):  # Word takes black or white by the ground, whatever the marker
            color = WHITE if marker and is_dark(under) else BLACK if marker else ""
        elif self.clear:
            return True
        return is_alike(color, marker or under)

    def shift_on(self, line: "Ink") -> int:
        """1 where the letters stand above a line that is set in `line`, -1 below it, 0 on it.

        What is nudged by little, as it is to centre a sign, stands on it.
        """
        raised = self.set.get("raised", 0) - line.set.get("raised", 0)
        nudged = self.set.get("position", 0) - line.set.get("position", 0)
        if not raised and abs(nudged) >= max(_LEAST_SHIFT, (self.size or USUAL_SIZE) * _LEAST_RISE):
            raised = nudged
        return (raised > 0) - (raised < 0)

    def _is_crushed(self) -> bool:
        apart, size = self.set.get("spacing", 0), self.size or USUAL_SIZE
        return (
            bool(self.set.get("signs"))
            or min(self.set.get("w", 100), self.set.get("small", 100)) <= _LEAST_WIDTH
            or abs(self.set.get("position", 0)) >= _FAR_OFF_LINE
            or (apart < 0 and -apart >= _OVERLAP * size)
            or 0 < self.set.get("line", 0) < _LEAST_LINE * size
        )


PLAIN: Final = Ink()
USUAL_SIZE: Final = 22
"""Half points of letters of which no size is told."""
_LEAST_SIZE: Final = 4
_LEAST_WIDTH: Final = 5
"""Of a letter, in hundredths."""
_FAR_OFF_LINE: Final = 200
_LEAST_LINE: Final = 2.5
"""A quarter of the letters' height, in twentieths of a point for each half point of their size."""
_LEAST_SHIFT, _LEAST_RISE = 3, 1 / 8
"""Half points, and the share of their size, by which letters are moved that no longer stand on their line."""
_OVERLAP: Final = 4
"""A letter is about five twentieths of a point wide for each half point of its size; so near, they lie on each other."""
_MARKERS: Final = {
    "black": BLACK, "white": WHITE, "red": "ff0000", "green": "00ff00", "blue": "0000ff", "cyan": "00ffff",
    "magenta": "ff00ff", "yellow": "ffff00", "darkRed": "800000", "darkGreen": "008000", "darkBlue": "000080",
    "darkCyan": "008080", "darkMagenta": "800080", "darkYellow": "808000", "darkGray": "808080", "lightGray": "c0c0c0",
}  # fmt: skip
_INKED: Final = frozenset({"vanish", "color", "sz", "w", "shd", "highlight", "textFill", "strike", "dstrike", "spacing",
                           "position", "fitText", "rFonts", "vertAlign", "szCs", "rtl", "cs"})  # fmt: skip
SYMBOLS: Final = re.compile(r"(?:wingdings|webdings|(?:itc )?zapf ?dingbats|marlett|symbol\b).*", re.IGNORECASE)
"""Fonts that show a sign for each letter."""


def named(properties: Element | None) -> dict[str, Element]:
    """The properties by their names."""
    return {} if properties is None else {effect_name(each): each for each in properties}


def ink_of(properties: Mapping[str, Element], palette: Palette) -> Ink:
    """What the properties of a run, or of a style's runs, say; `PLAIN` itself for nothing."""
    if _INKED.isdisjoint(properties):
        return PLAIN
    hidden: bool | None = None
    clear: bool | None = None
    struck: bool | None = None
    color = ground = marker = ""
    size = 0
    measures: dict[str, int] = {}
    for name, each in properties.items():
        if name == "vanish":
            hidden = value(each).lower() not in _OFF
        elif name == "color":
            color = color or written(each, "val", "theme", palette)
        elif name == "sz":
            held = value(each)
            size = max(int(held), 1) if held.isdecimal() and len(held) < 6 else 0
        elif name == "szCs":
            measures["complex size"] = max(whole(value(each)) or 0, 1)
        elif name in ("rtl", "cs"):
            measures["complex"] = int(value(each).lower() not in _OFF)
        elif name in ("w", "spacing", "position"):
            number = whole(value(each).removesuffix("%"))
            if number is not None:
                measures[name] = number
        elif name == "vertAlign":
            measures["raised"] = {"superscript": 1, "subscript": -1}.get(value(each), 0)
        elif name == "fitText":
            room = whole(value(each))
            measures["w"] = 1 if room is not None and room < LEAST_ROOM else 100
        elif name == "rFonts":
            font = value(each, "ascii") or value(each, "hAnsi")
            if font:
                measures["signs"] = SYMBOLS.match(font) is not None
        elif name == "shd":
            ground = ground_of(each, palette)
        elif name == "highlight":
            marker = value(each)
        elif name in ("strike", "dstrike"):
            struck = bool(struck) or value(each).lower() not in _OFF
        elif name == "textFill":
            fill = fill_of(each, palette, faint=True)
            clear = fill == NO_GROUND
            color = BLACK if clear else fill or color
    found = Ink(hidden, color, size, ground, marker, clear, struck, measures)
    return PLAIN if found == PLAIN else found


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
    place: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_code(self) -> bool:
        return self.name in _CODE


class Styles:
    """The styles of a document by id. Those based on each other in a ring are as if the ring were cut."""

    def __init__(self, root: Element | None, theme: Element | None = None) -> None:
        self.palette = palette_of(theme)
        self._given = {value(each, "styleId"): each for each in inside(root) if word_name(each) == "style"}
        self._made: dict[str, Style] = {}
        defaults = child(root, "docDefaults", "rPrDefault", "rPr", "lang")
        self.lang = value(defaults)
        self.ink = self.ink_of(child(root, "docDefaults", "rPrDefault", "rPr"))
        self._place = place_of(named(child(root, "docDefaults", "pPrDefault", "pPr")), {})
        self._defaults = {
            value(each, "type"): key
            for key, each in self._given.items()
            if value(each, "default").lower() not in ("", *_OFF)
        }

    def ink_of(self, properties: Element | None) -> Ink:
        """What the properties of runs say."""
        return ink_of(named(properties), self.palette)

    def ground_of(self, shade: Element | None) -> str:
        """The colour of a shading."""
        return ground_of(shade, self.palette)

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
            return Style(place=self._place)
        own = value(child(chain[0], "name")).lower()
        level, number, ink, ground, place = 0, None, PLAIN, "", self._place
        parts: dict[str, tuple[Ink, str]] = {}
        for each in reversed(chain):
            outline = value(child(each, "pPr", "outlineLvl"))
            if outline.isdecimal():
                level = int(outline) + 1 if int(outline) < 9 else 0
            ink, ground = self.ink_of(child(each, "rPr")).over(ink), self._ground_within(each) or ground
            for part in each:
                if word_name(part) == "tblStylePr":
                    old, under = parts.get(value(part, "type"), (PLAIN, ""))
                    parts[value(part, "type")] = (
                        self.ink_of(child(part, "rPr")).over(old),
                        self._ground_within(part) or under,
                    )
            held = named(child(each, "pPr"))
            number = number_of(held.get("numPr"), number)
            place = place_of(held, place)
        if not level and own.startswith("heading ") and own[8:].isdecimal():
            level = min(int(own[8:10]), 9)
        if own == "title":
            level = 1
        return Style(own, level, number, ink, ground, parts, place)

    def _ground_within(self, properties: Element) -> str:
        grounds = (self.ground_of(child(properties, kind, "shd")) for kind in ("tcPr", "tblPr", "pPr"))
        return next(filter(None, grounds), "")


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
