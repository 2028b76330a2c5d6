"""When what a style sheet says holds, by the media queries around it: on most screens, on some, or on none."""

import re
from typing import Final, Literal

Holds = Literal["always", "usual", "layered", "maybe", "dark", "never"]
"""In every window; on most screens; so, but below all that is in no layer; not known; at night; on no screen."""

_WIDEST: Final = re.compile(
    r"(?:max-(?:device-)?width\s{0,9}:|width\s{0,9}<=?)\s{0,9}([\d.]{1,9})(px|em|rem)?(?![\w.%])"
)
_LEAST: Final = re.compile(
    r"(?:screen and )?\((?:min-width\s{0,9}:|width\s{0,9}>=?)\s{0,9}([\d.]{1,9})(px|em|rem)\s{0,9}\)"
)
_NARROW: Final = 1_000
"""Pixels: what only holds in narrower windows is no rule for a screen."""
_USUAL: Final = 1_200
"""Pixels: most screens are wider."""
_NOT: Final = re.compile(r"\bnot\b(?!-)")
_OR: Final = re.compile(r"\)\s{1,9}or\s{1,9}(?=\()")
_NO_SCREEN: Final = re.compile(
    r"(?:screen and )?(?:\(\s{0,9}(?:any-)?(?:hover|pointer)\s{0,9}:\s{0,9}none\s{0,9}\)|\(\s{0,9}update\s{0,9}:\s{0,9}none\s{0,9}\)"
    r"|\(\s{0,9}monochrome\s{0,9}\)|\(\s{0,9}prefers-color-scheme\s{0,9}:\s{0,9}no-preference\s{0,9}\)"
    r"|\(\s{0,9}(?:-webkit-min-device-pixel-ratio\s{0,9}:\s{0,9}|min-resolution\s{0,9}:\s{0,9})[5-9](?:dppx|x)?\s{0,9}\))"
)
"""What holds on paper, by touch, or nowhere."""


def both(one: Holds, other: Holds) -> Holds:
    """When both hold, as far as it is known."""
    return max(one, other, key=_ORDER.index)


_ORDER: Final[tuple[Holds, ...]] = ("always", "usual", "layered", "maybe", "dark", "never")


def on_screen(media: str) -> Holds:
    """When a media query, as sheets and links have it, holds on a screen."""
    queries = _OR.sub("),", media.lower()) if " or " in media.lower() else media.lower()
    return min((_holds(each) for each in queries.split(",")), key=_ORDER.index)


def _holds(query: str) -> Holds:
    query = query.strip()
    if _NO_SCREEN.fullmatch(query):
        return "never"
    words = query.split()
    if words[:1] == ["only"]:
        words = words[1:]
    if words in ([], ["all"], ["screen"]):
        return "always"
    if words[0] == "not":
        return "never" if words[1:] in (["screen"], ["all"]) else "maybe"
    if _NOT.search(query):
        return "maybe"
    if words[0] in ("print", "speech", "aural", "braille", "embossed", "tty", "amzn-mobi"):
        return "never"
    if "prefers-color-scheme" in query:
        return "dark" if "dark" in query else "usual"
    widest, least = _WIDEST.search(query[:500]), _LEAST.fullmatch(query.strip())
    if widest and _width(widest) < _NARROW:
        return "never"
    return "usual" if least and _width(least) <= _USUAL else "maybe"


def _width(found: re.Match[str]) -> float:
    try:
        return float(found[1]) * (16 if found[2] in ("em", "rem") else 1)
    except ValueError:
        return _NARROW + _USUAL
