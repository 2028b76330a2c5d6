"""How the cells of a workbook look: what their number formats make of a value, and whether a reader sees it at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.sheet_names import child, children, value
from verified_gate.ingest.formats.word_colours import (
    BLACK,
    UNKNOWN_GROUND,
    WHITE,
    Palette,
    is_alike,
    lightened,
    palette_of,
)
from verified_gate.ingest.formats.word_styles import SYMBOLS

_T = TypeVar("_T")
Kind = Literal["date", "span", "share", "number"]
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)})
"""Number formats that come with every program and are dates or times."""
_SPANS: Final = frozenset({46})
_SHARES: Final = frozenset({9, 10})
_QUOTED: Final = re.compile(r'"[^"]*"|\\.')
_LONGEST_CODE: Final = 300
_NOT_LETTERS: Final = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')
_DATE_LETTERS: Final = re.compile("[dmyhs]", re.IGNORECASE)
_SPAN: Final = re.compile(r"\[(?:h{1,4}|m{1,4}|s{1,4})\]", re.IGNORECASE)
_ZEROS: Final = re.compile(r"0{2,20}")
_BRACKET: Final = re.compile(r"\[([^\[\]]{1,20})\]")
_CONDITION: Final = re.compile(r"\[[<>=]")
_OFF: Final = frozenset({"0", "false", "none"})
_FORMS: Final = {"superscript": "super", "subscript": "sub"}
_LEAST_SIZE: Final = 2.0
"""Points of a letter: no more than this is not seen."""
_SIZE: Final = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,20})?")
_THEME: Final = ("lt1", "dk1", "lt2", "dk2", *(f"accent{number}" for number in range(1, 7)), "hlink", "folHlink")
_NAMED: Final = {
    "black": BLACK, "white": WHITE, "red": "ff0000", "green": "00ff00", "blue": "0000ff", "yellow": "ffff00",
    "magenta": "ff00ff", "cyan": "00ffff",
}  # fmt: skip
_INDEXED: Final = tuple(
    re.findall(
        "......",
        "000000ffffffff000000ff000000ffffff00ff00ff00ffff800000008000000080808000800080008080c0c0c0808080"
        "9999ff993366ffffccccffff660066ff80800066ccccccff000080ff00ffffff0000ffff8000808000000080800000ff"
        "00ccffccffffccffccffff9999ccffff99cccc99ffffcc993366ff33cccc99cc00ffcc00ff9900ff6600666699969696"
        "003366339966003300333300993300993366333399333333",
    )
)
"""The colours that are called by a number from 8 on; those from 0 to 7 are the first eight once more."""


@dataclass(frozen=True, slots=True)
class Font:
    """The colour of letters ("" where it is not known), whether they are too small to be seen or shown as other signs, and struck out;
    how they are set: "super", "sub" or "".
    """

    color: str = BLACK
    tiny: bool = False
    struck: bool = False
    form: str = ""

    def is_unseen(self, ground: str) -> bool:
        """Whether a reader sees nothing of them before `ground`."""
        return self.tiny or is_alike(self.color, ground)


@dataclass(frozen=True, slots=True)
class CellStyle:
    """What becomes of a cell: the kind of its numbers, how many digits they have at least, the sections of its format,
    its font, and the ground behind it. `seen`: all values are, and are in force.
    """

    kind: Kind = "number"
    digits: int = 0
    sections: tuple[str, ...] = ()
    font: Font = Font()
    ground: str = WHITE
    seen: bool = False

    def hides(self, text: str, kind: str) -> bool:
        """Whether a reader sees nothing of a value of a cell of `kind` (`s`, `n`, …): in its ground's colour, tiny, or
        under a section of the format that shows nothing, as all do in `;;;`.
        """
        section = self._section(text, kind)
        if section is None:
            return self.font.is_unseen(self.ground)
        if not section.strip():
            return True
        colors = [named for each in _BRACKET.findall(section) if (named := _named(each))]
        return self.font.tiny or is_alike(colors[0] if colors else self.font.color, self.ground)

    def blanks(self, text: str, kind: str) -> bool:
        """Whether the format shows nothing of a value, whatever the font of its words."""
        section = self._section(text, kind)
        return section is not None and not section.strip()

    def _section(self, text: str, kind: str) -> str | None:
        """The section of the number format that a value falls under."""
        sections = self.sections
        if kind == "e" or not sections or (len(sections) == 1 and not sections[0]):
            return None
        if any(map(_CONDITION.search, sections)):  # which one holds is not looked into: the least that may be shown
            return min(sections, key=lambda each: bool(each.strip()))
        at = 1 if text.startswith("-") else 2 if text and not text.strip("0.") else 0
        at = at if kind in ("", "n") else 3
        if at == 3 and len(sections) < 4:
            return None
        return sections[at if at < len(sections) else 0]


@dataclass(frozen=True, slots=True)
class Change:
    """What a condition may change of a cell: colour of its letters, its ground, its format; "" for nothing."""

    color: str = ""
    ground: str = ""
    blank: bool = False

    def may_hide(self, style: CellStyle) -> bool:
        """Whether a reader then sees nothing of a cell of that style."""
        color, ground = self.color or style.font.color, self.ground or style.ground
        return self.blank or (bool(self.color or self.ground) and is_alike(color, ground))


class CellStyles:
    """The styles of a workbook."""

    def __init__(self, root: Element | None, theme: Element | None) -> None:
        self._palette: Palette = palette_of(theme)
        own = children(child(child(root, "colors"), "indexedColors"), "rgbColor")
        self._indexed = [value(each, "rgb").lower()[-6:] for each in own]
        codes = {
            value(each, "numFmtId"): value(each, "formatCode") for each in children(child(root, "numFmts"), "numFmt")
        }
        fonts = [self.font(each) for each in children(child(root, "fonts"), "font")]
        grounds = [self._ground(each) for each in children(child(root, "fills"), "fill")]
        self._styles: list[CellStyle] = []
        for each in children(child(root, "cellXfs"), "xf"):
            number = value(each, "numFmtId")
            code = codes.get(number, "")
            sections = tuple(_QUOTED.sub("x", code[:_LONGEST_CODE]).lower().split(";"))
            font = at(fonts, value(each, "fontId"), otherwise=Font())
            ground = at(grounds, value(each, "fillId"), otherwise="") or WHITE
            digits = len(code) if _ZEROS.fullmatch(code) else 0
            seen = len(sections) == 1 and "[" not in code and not font.struck and not font.is_unseen(ground)
            self._styles.append(CellStyle(_kind(number, code), digits, sections, font, ground, seen))
        self._changes = [self.read_change(each) for each in children(child(root, "dxfs"), "dxf")]

    def of(self, cell: Element) -> CellStyle:
        """The style of a cell, which without one has the first."""
        return at(self._styles, cell.get("s", "0").strip().lstrip("+") or "0", otherwise=_PLAIN)

    def change(self, rule: Element) -> Change:
        """What the rule of a conditional format may change."""
        return at(self._changes, value(rule, "dxfId"), otherwise=_UNCHANGED)

    def font(self, properties: Element) -> Font:
        """A font, of a cell or of some of its words."""
        size = value(child(properties, "sz"))
        strike = child(properties, "strike")
        return Font(
            self._color(child(properties, "color"), otherwise=BLACK),
            (_SIZE.fullmatch(size) is not None and float(size) <= _LEAST_SIZE)
            or any(SYMBOLS.match(value(child(properties, name))) for name in ("name", "rFont")),
            strike is not None and value(strike).lower() not in _OFF,
            _FORMS.get(value(child(properties, "vertAlign")), ""),
        )

    def read_change(self, given: Element) -> Change:
        """What `given` changes, the element that holds it."""
        code = value(child(given, "numFmt"), "formatCode")
        fill = child(given, "fill", "patternFill")
        ground = self._ground(child(given, "fill"), changed=True) if fill is not None else ""
        sections = _QUOTED.sub("x", code[:_LONGEST_CODE]).split(";")
        return Change(
            self._color(child(given, "font", "color")),
            ground,
            bool(code) and not all(each.strip() for each in sections),
        )

    def _ground(self, fill: Element | None, *, changed: bool = False) -> str:
        """The colour of a fill; "" for none. A change by a condition has its plain colour where others have the second."""
        pattern = child(fill, "patternFill")
        if pattern is None:
            stops = {self._color(child(each, "color")) for each in children(child(fill, "gradientFill"), "stop")}
            return stops.pop() if len(stops) == 1 else UNKNOWN_GROUND if stops else ""
        kind = value(pattern, "patternType")
        front, back = (self._color(child(pattern, name)) for name in ("fgColor", "bgColor"))
        if changed and kind in ("", "solid"):
            return back or front
        if kind in ("", "none"):
            return ""
        if kind == "solid":
            return front or UNKNOWN_GROUND
        return front if is_alike(front or BLACK, back or WHITE) else UNKNOWN_GROUND

    def _color(self, color: Element | None, otherwise: str = "") -> str:
        """Six hexadecimal digits; `otherwise` for none, and `UNKNOWN_GROUND` for one that is not known."""
        if color is None:
            return otherwise
        rgb, theme, index = (value(color, name) for name in ("rgb", "theme", "indexed"))
        if rgb:
            found = rgb.lower()[-6:]
        elif theme:
            found = self._palette.get(at(_THEME, theme, otherwise=""), UNKNOWN_GROUND)
        elif index in ("64", "65"):
            return BLACK if index == "64" else WHITE
        elif index:
            place = str(int(index) % 8 if int(index) < 8 else int(index) - 8) if _is_number(index) else ""
            found = at(self._indexed, index, otherwise="") or at(_INDEXED, place, otherwise=UNKNOWN_GROUND)
        else:
            return otherwise
        return lightened(found, value(color, "tint"))


_PLAIN: Final = CellStyle(seen=True)
_UNCHANGED: Final = Change()


def at(values: Sequence[_T], index: str, *, otherwise: _T) -> _T:
    """The value of that number, if there is one."""
    return values[int(index)] if _is_number(index) and int(index) < len(values) else otherwise


def _is_number(digits: str) -> bool:
    return digits.isdecimal() and len(digits) < 9


def _named(word: str) -> str:
    """The colour that a number format names."""
    if word.startswith("color"):
        number = word[5:].strip()
        return at(_INDEXED, str(int(number) - 1), otherwise="") if _is_number(number) and number.strip("0") else ""
    return _NAMED.get(word.strip(), "")


def _kind(number: str, code: str) -> Kind:
    """What a number format makes of a number."""
    known = int(number) if _is_number(number) else -1
    first = _QUOTED.sub("", code[:200]).partition(";")[0]
    if known in _SPANS or _SPAN.search(first):
        return "span"
    signs = _NOT_LETTERS.sub("", code[:200].partition(";")[0])
    if known in _DATES or (_DATE_LETTERS.search(signs) and "General" not in code):
        return "date"
    return "share" if known in _SHARES or "%" in signs else "number"
