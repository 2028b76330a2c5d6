"""Brackets of style sheets: braces that stand in other brackets part no rules."""

import re
from typing import Final

_BRACKETS: Final = re.compile(r"[(){}\[\]]")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_MOST_OPEN: Final = 1_000


def without_braces(sheet: str) -> str:
    """The sheet without the braces that stand in other brackets, and part nothing: up to its end where those are open."""
    opened: list[str] = []
    pieces: list[str] = []
    at = inner = 0  # `inner`: how many of `opened` are within the outermost of the other brackets, with it
    for found in _BRACKETS.finditer(sheet):
        sign = found[0]
        if sign in "([" or (sign == "{" and inner):
            opened.append(_CLOSING[sign])
            inner += 1
        elif inner and sign == opened[-1]:
            opened.pop()
            inner -= 1
        if inner and sign in "{}":
            pieces.append(sheet[at : found.start()])
            at = found.end()
        if len(opened) > _MOST_OPEN:
            break
    return "".join((*pieces, sheet[at:]))
