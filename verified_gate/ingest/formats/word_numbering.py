"""The numbers that Word counts for the paragraphs of lists: `4.2`, `(a)`, `Section 1.01`."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_names import child, every, value, word_name

_PLACE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = (("m", 1000), ("cm", 900), ("d", 500), ("cd", 400), ("c", 100), ("xc", 90), ("l", 50), ("xl", 40),
                 ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))  # fmt: skip
_ONES: Final = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
                "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
                    "twelve": "twelfth"}  # fmt: skip
_MOST_LINKS: Final = 10
_OFF: Final = frozenset({"0", "false", "off"})
NO_LEVEL: Final = -1


@dataclass(frozen=True, slots=True)
class _Level:
    """`kind` of the numerals, `pattern` that they stand in, first number, zeros in front; whether all its numerals are
    digits (`legal`); after which level it begins anew (0: never, None: after each above it); its style; whether
    nothing stands between a number and the words (`joined`).
    """

    kind: str
    pattern: str
    start: int
    width: int
    legal: bool
    restart: int | None
    style: str
    joined: bool


class Numbering:
    """Counts paragraphs of lists. `untold` numbers are those in numerals that are not known here."""

    def __init__(self, root: Element | None, lang: str = "") -> None:
        self.untold = 0
        self._lang = lang.lower()[:2]
        shapes: dict[str, dict[int, _Level]] = {}
        links: dict[str, str] = {}  # a list that takes the form of a style -> the style
        styles: dict[str, str] = {}  # the style -> the list that gives its form
        self._lists: dict[str, tuple[str, dict[int, int]]] = {}
        self._own: dict[str, dict[int, _Level]] = {}
        for each in root if root is not None else ():
            if word_name(each) == "abstractNum":
                name = value(each, "abstractNumId")
                shapes[name] = dict(map(_level, (x for x in each if word_name(x) == "lvl")))
                links[name] = value(child(each, "numStyleLink"))
                styles.setdefault(value(child(each, "styleLink")), name)
            elif word_name(each) == "num":
                starts: dict[int, int] = {}
                own: dict[int, _Level] = {}
                for over in each:
                    at, start = value(over, "ilvl"), value(child(over, "startOverride"))
                    if _counts(start, 5) and _counts(at, 2):
                        starts[int(at)] = int(start)
                    level = child(over, "lvl")
                    if level is not None:
                        own.update([_level(level)])
                self._lists[value(each, "numId")] = value(child(each, "abstractNumId")), starts
                self._own[value(each, "numId")] = own
        self._shapes = {name: _linked(name, shapes, links, styles) for name in shapes}
        self._counts: dict[str, dict[int, int]] = defaultdict(dict)
        self._begun: set[str] = set()

    def next(self, number: tuple[str, int], style: str = "") -> str:
        """The number of the next paragraph of this list and level (`NO_LEVEL`: the one of its style), with the blank that
        sets it apart from the words, if one does; "" for none.
        """
        name, level = number
        of, starts = self._lists.get(name, ("", {}))
        shape = self._shapes.get(of, {})
        own = self._own.get(name)
        shape = {**shape, **own} if own else shape
        if level == NO_LEVEL:
            level = next((at for at, each in shape.items() if style and each.style == style), 0)
        if level not in shape:
            return ""
        counts = self._counts[of]
        if name not in self._begun:
            self._begun.add(name)
            for at in starts:
                counts.pop(at, None)
        counts[level] = counts[level] + 1 if level in counts else starts.get(level, shape[level].start)
        for deeper in [each for each in counts if each > level]:
            restart = shape[deeper].restart if deeper in shape else None
            if restart is None or level < restart:
                del counts[deeper]
        return self._shown(shape, level, counts)

    def _shown(self, shape: dict[int, _Level], level: int, counts: dict[int, int]) -> str:
        form = shape[level]
        if form.kind in ("bullet", "none", ""):
            return ""
        known = True

        def numeral(place: re.Match[str]) -> str:
            nonlocal known
            at = int(place[1]) - 1
            held = shape.get(at)
            count = counts.get(at, held.start if held else 1)
            if held is None or held.kind in ("none", "bullet"):
                return "" if held else str(count)
            plain = form.legal and held.kind != "decimalZero"  # `Section 1.01`, of `Article I`
            found = _numeral(count, "decimal" if plain else held.kind, self._lang)
            known = known and found is not None
            return (found or "").zfill(held.width)

        shown = _PLACE.sub(numeral, form.pattern).strip()
        self.untold += not known
        return "" if not (known and shown) else shown if form.joined else f"{shown} "


def _linked(
    name: str, shapes: dict[str, dict[int, _Level]], links: dict[str, str], styles: dict[str, str]
) -> dict[int, _Level]:
    """The levels of a list, its own or those of the style that it takes its form from."""
    for _ in range(_MOST_LINKS):  # they may go round in a ring
        if not links.get(name) or links[name] not in styles:
            break
        name = styles[links[name]]
    return shapes[name]


def _level(element: Element) -> tuple[int, _Level]:
    at, start, restart = value(element, "ilvl"), value(child(element, "start")), value(child(element, "lvlRestart"))
    form = next(every(element, "numFmt"), None)  # the first of alternatives
    kind, width = value(form), 0
    if kind == "custom":  # `001, 002, 003, …`
        first = value(form, "format").split(",")[0].strip()
        kind, width = ("decimal", len(first)) if first.isdecimal() and len(first) < 9 else (kind, 0)
    legal = child(element, "isLgl")
    return int(at) if _counts(at, 2) else 0, _Level(
        kind,
        value(child(element, "lvlText"))[:100],
        int(start) if _counts(start, 5) else 1,
        width,
        legal is not None and value(legal).lower() not in _OFF,
        int(restart) if _counts(restart, 2) else None,
        value(child(element, "pStyle")),
        value(child(element, "suff")) == "nothing",
    )


def number_of(found: Element | None, below: tuple[str, int] | None = None) -> tuple[str, int] | None:
    """Which list, and which level of it (from 0), a paragraph belongs to by its `numPr`, with what it has from `below`;
    ("0", 0) for an express none.
    """
    if found is None:
        return below
    level = value(child(found, "ilvl"))
    name, above = below or ("", NO_LEVEL)
    return value(child(found, "numId")) or name, min(int(level), 8) if _counts(level, 2) else above


def _counts(digits: str, most: int) -> bool:
    return digits.isdecimal() and len(digits) <= most


def roman(count: int) -> str:
    """Small Roman numerals of 1 to 3,999; other numbers as they are."""
    if not 0 < count < 4_000:
        return str(count)
    numeral = ""
    for sign, worth in _ROMAN:
        numeral += sign * (count // worth)
        count %= worth
    return numeral


def _numeral(count: int, kind: str, lang: str) -> str | None:
    """The numeral that Word shows; None where it is not known here: a wrong number would be worse than none."""
    if kind in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 30) if count > 0 else ""
        return letter.upper() if kind == "upperLetter" else letter
    if kind in ("lowerRoman", "upperRoman"):
        return roman(count).upper() if kind == "upperRoman" else roman(count)
    if kind in ("decimal", "decimalHalfWidth"):
        return str(count)
    if kind == "decimalZero":
        return f"{count:02}"
    if kind == "decimalFullWidth":
        return "".join(chr(ord(digit) + 0xFEE0) for digit in str(count))
    if kind == "decimalEnclosedCircle" and 0 < count <= 20:
        return chr(0x2460 + count - 1)
    if kind == "numberInDash":
        return f"- {count} -"
    if kind == "ordinal" and lang == "de":
        return f"{count}."
    if lang not in ("", "en") or not 0 < count < 100:
        return None
    if kind == "ordinal":
        teen = count // 10 == 1
        return f"{count}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(count % 10, 'th')}"
    if kind in ("cardinalText", "ordinalText"):
        return _in_words(count, ordinal=kind == "ordinalText")
    return None


def _in_words(count: int, *, ordinal: bool) -> str:
    """1 to 99 as English has it: `Twenty-first`."""
    tens, ones = divmod(count, 10)
    words = [_ONES[count]] if count < len(_ONES) else [_TENS[tens - 2], *([_ONES[ones]] if ones else [])]
    if ordinal:
        last = words[-1]
        words[-1] = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return "-".join(words).capitalize()
