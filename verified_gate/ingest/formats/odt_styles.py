"""What the styles of an OpenDocument text say: how letters look, what stands behind them, and what is not seen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.odt_names import child, name_of, value
from verified_gate.ingest.formats.word_colours import NO_GROUND, UNKNOWN_GROUND
from verified_gate.ingest.formats.word_styles import PLAIN, SYMBOLS, Ink

_LENGTH: Final = re.compile(r"(-?\d{0,6}(?:\.\d{1,9})?)(cm|mm|in|pt|pc|px|%)")
_IN_CM: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}
_TWIPS_PER_CM: Final = 1_440 / 2.54
_USUAL_SIZE: Final = 24
"""Half points that a size in percent is taken of."""
_LEAST_SHARE: Final = 5
"""Per cent of a colour that is still seen."""
LEAST_SIDE, _LEAST_LINE_SHARE = 0.1, 25
"""Centimetres of a row, a column or a box, and per cent of a line's height: less shows no word."""
_MOST_ANCESTORS: Final = 100
_MARGIN: Final = 3.5
"""Centimetres that a page may have beside its text."""
_LARGEST_PAGE: Final = 56.0
_GROUNDED: Final = frozenset(
    {"paragraph-properties", "table-properties", "table-row-properties", "table-cell-properties", "section-properties"}
)


@dataclass(frozen=True, slots=True)
class Look:
    """Ink, ground ("" for none of its own), whether all of it is off the page or without extent, its raising ("super",
    "sub"), and the page that begins with it.
    """

    ink: Ink = PLAIN
    ground: str = ""
    unseen: bool = False
    form: str | None = None
    page: str = ""
    filled: bool | None = None
    fill: str = ""
    on_top: bool | None = None
    """Of a drawing: is it laid over the text?"""

    def over(self, below: "Look") -> "Look":
        """What this says, and of the rest what `below` says."""
        return Look(
            self.ink.over(below.ink),
            self.ground or below.ground,
            self.unseen or below.unseen,
            below.form if self.form is None else self.form,
            self.page or below.page,
            below.filled if self.filled is None else self.filled,
            self.fill or below.fill,
            below.on_top if self.on_top is None else self.on_top,
        )

    def behind(self, *, filled: bool) -> str:
        """The ground that a shape sets, which is `filled` unless it says otherwise."""
        if not (filled if self.filled is None else self.filled):
            return self.ground or NO_GROUND
        return self.fill or self.ground or NO_GROUND


@dataclass(slots=True)
class Looks:
    """The styles of a document by family and name."""

    _given: dict[str, Look] = field(default_factory=dict)
    _made: dict[str, Look] = field(default_factory=dict)
    _parents: dict[str, str] = field(default_factory=dict)
    _fonts: dict[str, str] = field(default_factory=dict)

    def learn_font(self, element: Element) -> None:
        """Take a font by the name that styles call it by."""
        self._fonts[value(element, "name")] = value(element, "font-family").strip("'\"") or value(element, "name")

    def learn(self, element: Element) -> None:
        """Take a style, or the default of its family."""
        key = f"{value(element, 'family')}/{value(element, 'name')}"
        self._parents[key] = f"{value(element, 'family')}/{value(element, 'parent-style-name')}"
        self._given[key] = replace(_look(element, self._fonts), page=value(element, "master-page-name"))

    def of(self, family: str, name: str) -> Look:
        """A style with what it has from its ancestors and from the default of its family."""
        key = f"{family}/{name}"
        if key not in self._made:
            look, above, last = Look(), key, f"{family}/"
            chain: dict[str, None] = {}  # styles may be based on each other in a ring
            while above not in chain and len(chain) < _MOST_ANCESTORS:
                chain[above] = None
                above = self._parents.get(above, last)
            for each in (*chain, *(() if last in chain else (last,))):
                look = look.over(self._given.get(each, _NOTHING))
            self._made[key] = look
        return self._made[key]


_NOTHING: Final = Look()


def length(given: str) -> float | None:
    """Centimetres; None for what is no length, and for a share."""
    found = _LENGTH.fullmatch(given)
    return float(found[1]) * _IN_CM[found[2]] if found and found[2] != "%" and found[1] not in ("", "-") else None


def share(given: str) -> float | None:
    """Hundredths; None for what is no share."""
    found = _LENGTH.fullmatch(given)
    return float(found[1]) if found and found[2] == "%" and found[1] not in ("", "-") else None


def on_page(*places: str) -> bool:
    """Whether what begins there, from the margin or the page, is seen of."""
    return all(at is None or -_MARGIN <= at < _LARGEST_PAGE for at in map(length, places))


def is_placed(box: Element) -> bool:
    """Whether a box stands on the page, as far as it says."""
    moved = re.findall(r"translate\s?\(([^()]{0,60})\)", value(box, "transform")[:500])
    return on_page(value(box, "x"), value(box, "y"), *(part for each in moved for part in each.split()))


def is_shown(box: Element) -> bool:
    """Whether a box is to be seen, and has an extent."""
    sides = (length(value(box, side)) for side in ("width", "height"))
    return value(box, "display") not in ("none", "printer") and all(s is None or s >= LEAST_SIDE for s in sides)


def _look(style: Element, fonts: Mapping[str, str]) -> Look:
    ground, unseen, filled, fill, on_top = "", False, None, "", None
    for each in style:
        name = name_of(each)
        if name in _GROUNDED:
            ground = color(value(each, "background-color")) or ground
            unseen = unseen or not _has_room(each)
        elif name == "table-column-properties":
            unseen = unseen or not _has_room(each)
        elif name == "graphic-properties":
            ground = color(value(each, "background-color")) or ground
            filled, fill = _filling(each)
            wrap = value(each, "wrap")
            on_top = (wrap == "run-through" and value(each, "run-through") != "background") if wrap else None
    text = child(style, "text-properties")
    ink = _ink(text, fonts)
    line = value(child(style, "paragraph-properties"), "line-height")
    if line:
        high = length(line)
        low = (share(line) or 100) < _LEAST_LINE_SHARE
        twips = 1 if low else round(high * _TWIPS_PER_CM) if high is not None else 0
        ink = replace(ink, set={**ink.set, "line": max(twips, 1) if high is not None or low else 0})
    place = value(text, "text-position").split(" ", 1)[0]
    form = None
    if place in ("super", "sub") or place.rstrip("%").lstrip("-").isdecimal():
        up = place == "super" or (place != "sub" and not place.startswith("-") and place.rstrip("%") != "0")
        form = "super" if up else "" if place.rstrip("%") == "0" else "sub"
    return Look(ink, ground, unseen, form, "", filled, fill, on_top)


def _has_room(properties: Element) -> bool:
    """Whether what has these properties of a paragraph, section, table, row or column is seen of."""
    sides = (length(value(properties, side)) for side in ("row-height", "column-width"))
    left, first = (value(properties, name) for name in ("margin-left", "text-indent"))
    both = (length(left) or 0) + (length(first) or 0)
    return on_page(left, first, f"{both:.4f}cm") and all(side is None or side >= LEAST_SIDE for side in sides)


def _filling(properties: Element) -> tuple[bool | None, str]:
    kind, shade = value(properties, "fill"), color(value(properties, "fill-color"))
    thin = share(value(properties, "opacity"))
    if kind == "none" or (thin is not None and thin <= _LEAST_SHARE):
        return False, shade
    if kind in ("", "solid"):
        return True if kind else None, shade
    return True, UNKNOWN_GROUND


def _ink(properties: Element | None, fonts: Mapping[str, str]) -> Ink:
    """What the text properties of a style say."""
    if properties is None:
        return PLAIN
    shown = value(properties, "display")
    own = "auto" if value(properties, "use-window-font-color") == "true" else color(value(properties, "color"))
    given = value(properties, "font-size")
    points, part = length(given), share(given)
    half = points / _IN_CM["pt"] * 2 if points is not None else part * _USUAL_SIZE / 100 if part is not None else None
    # Beside a colour that is automatic, as LibreOffice 7 and later write it everywhere, the share means nothing.
    seen = share(value(properties, "opacity"))
    clear = None if seen is None or own == "auto" else seen < _LEAST_SHARE
    font = fonts.get(value(properties, "font-name"), "") or value(properties, "font-family").strip("'\"")
    lines = [value(properties, f"text-line-through-{name}") for name in ("style", "type")]
    struck = None if not any(lines) else any(line not in ("", "none") for line in lines)
    measures: dict[str, int] = {}
    apart = length(value(properties, "letter-spacing"))
    if value(properties, "letter-spacing"):
        measures["spacing"] = round((apart or 0) * _TWIPS_PER_CM)
    small = value(properties, "text-position").split(" ")[1:]
    for name, held in (("w", value(properties, "text-scale")), ("small", small[0] if small else "")):
        number = share(held)
        if number is not None:
            measures[name] = int(number)
    if font:
        measures["signs"] = SYMBOLS.match(font) is not None
    found = Ink(
        None if not shown else shown == "none",
        own,
        0 if half is None else max(ceil(half), 1),
        color(value(properties, "background-color")),
        clear=clear,
        struck=struck,
        set=measures,
    )
    return PLAIN if found == PLAIN else found


def color(given: str) -> str:
    """Six hexadecimal digits, `NO_GROUND`, or "" where nothing is said."""
    return NO_GROUND if given == "transparent" else given.lower().removeprefix("#")
