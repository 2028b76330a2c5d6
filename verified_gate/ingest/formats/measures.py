"""Lengths, numbers and angles as style sheets write them, with the sums in them (`calc`, `min`, `max`, `clamp`)."""

import math
import re
from typing import Final

Measure = float | None
"""Pixels, degrees or a bare number; None for what is not known here."""

_TOKEN: Final = re.compile(
    r"(?P<number>[-+]?(?:\d{1,12}\.?\d{0,12}|\.\d{1,12})(?:e[-+]?\d{1,2})?)(?P<unit>[a-z]{1,5}|%)?"
    r"|(?P<call>[a-z][a-z0-9-]{0,24})?\(|(?P<word>[a-z-][a-z0-9-]{0,40})|(?P<sign>[-+*/,)])|(?P<gap>\s+)|(?P<other>.)"
)
_ALONE: Final = re.compile(r"([-+]?(?:\d{1,9}\.?\d{0,9}|\.\d{1,9}))([a-z]{1,5}|%)?")
_PIXELS: Final = {"": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "cap": 12.0, "ic": 16.0,
                  "lh": 19.0, "rlh": 19.0, "pt": 1.33, "pc": 16.0, "cm": 37.8, "mm": 3.78, "in": 96.0, "q": 0.945,
                  "deg": 1.0, "turn": 360.0, "rad": 180 / math.pi, "grad": 0.9, "s": 1.0, "ms": 0.001, "fr": 100.0,
                  **{f"{kind}{way}": 7.2 if way in ("h", "b") else 12.8
                     for kind in ("", "d", "s", "l") for way in ("vw", "vh", "vmin", "vmax", "vi", "vb")}}  # fmt: skip
_EDGE: Final = re.compile(r"env\(\s{0,9}safe-area-inset-(?:top|right|bottom|left)\s{0,9}(?:,[^()]{0,40})?\)")
"""What the edge of a screen takes: nothing, on most."""
_SCREEN: Final = 12.8
"""Pixels in a hundredth of a screen."""
_LONGEST: Final = 300
_CALLS: Final = frozenset({"calc", "-webkit-calc", "", "min", "max", "clamp"})


def measures(value: str, share: float = _SCREEN) -> list[Measure]:
    """The lengths and numbers of a value, one after the other; words stand for none. A hundredth is `share`."""
    if not value:
        return []
    value = _EDGE.sub("0px", value)
    found = _ALONE.fullmatch(value)
    if found:
        return [_pixels(found[1], found[2] or "", share)]
    if len(value) > _LONGEST:
        return [None]
    return _Sum(value, share).all()


def _pixels(number: str, unit: str, share: float) -> Measure:
    each = share if unit == "%" else _PIXELS.get(unit)
    return None if each is None else float(number) * each


class _Sum:
    """Reads one value from the left; a call in it is worked out, what follows no rule is None."""

    def __init__(self, value: str, share: float) -> None:
        self._tokens = list(_TOKEN.finditer(value))
        self._share = share
        self._at = 0

    def all(self) -> list[Measure]:
        found: list[Measure] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token["number"]:
                found.append(_pixels(token["number"], token["unit"] or "", self._share))
            elif token[0].endswith("("):
                found.append(self._called(0))
                continue
            self._at += 1
        return found

    def _called(self, depth: int) -> Measure:
        """The call that begins here, up to behind its `)`."""
        name = self._tokens[self._at]["call"] or ""
        self._at += 1
        parts = [self._added(depth)]
        while self._at < len(self._tokens) and self._tokens[self._at][0] == ",":
            self._at += 1
            parts.append(self._added(depth))
        while self._at < len(self._tokens) and self._tokens[self._at][0] != ")":
            self._at += 1
            parts.append(None)
        self._at += 1
        known = [part for part in parts if part is not None]
        if name not in _CALLS or len(known) < len(parts) or (name == "clamp") != (len(known) == 3):
            return None
        if name == "clamp":
            return max(known[0], min(known[1], known[2]))
        return min(known) if name == "min" else max(known) if name == "max" else known[0] if len(known) == 1 else None

    def _added(self, depth: int) -> Measure:
        total = self._multiplied(depth)
        while (sign := self._sign()) in ("+", "-"):
            self._at += 1
            other = self._multiplied(depth)
            if total is not None:
                total = None if other is None else total + (other if sign == "+" else -other)
        return total

    def _multiplied(self, depth: int) -> Measure:
        total = self._one(depth)
        while (sign := self._sign()) in ("*", "/"):
            self._at += 1
            other = self._one(depth)
            if total is None or other is None or (sign == "/" and not other):
                total = None
            else:
                total = total * other if sign == "*" else total / other
        return total

    def _one(self, depth: int) -> Measure:
        if not self._sign():
            return None
        token = self._tokens[self._at]
        if token["number"]:
            self._at += 1
            return _pixels(token["number"], token["unit"] or "", self._share)
        if token[0].endswith("(") and depth < 20:
            return self._called(depth + 1)
        return None

    def _sign(self) -> str:
        """What comes next but for white space."""
        while self._at < len(self._tokens) and self._tokens[self._at]["gap"]:
            self._at += 1
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""
