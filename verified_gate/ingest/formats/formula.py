"""Formulas of Office documents (OMML) on one line, so that nothing runs together: one half is 1/2, never 12.

What does not stand on the line as digits do is set apart from digits beside it: three and a half is 3 1/2.
"""

from collections.abc import Iterable
from typing import Final

from verified_gate.ingest.formats.composing import lowered, raised
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_drawing import chosen
from verified_gate.ingest.formats.word_names import math_name, value, word_name

_PROPERTIES: Final = "Pr"
_OFF: Final = frozenset({"0", "false", "off"})
_DELETED: Final = frozenset({"del", "moveFrom"})
_ON_LINE: Final = frozenset({"t", "r", "sSup", "sSub", "sSubSup"})
"""What begins with digits that stand beside those before."""
_AROUND: Final = frozenset({"oMath", "oMathPara", "box", "e", "num", "den", "sup", "sub", "lim", "deg", "fName", "ins", "moveTo",
                            "sdt", "sdtContent", "hyperlink", "smartTag", "customXml"})  # fmt: skip
"""What shows nothing of its own."""
_GROUPED: Final = frozenset({"f", "nary", "func", "limLow", "limUpp", "eqArr", "rad"})
"""What a power of it must be told by brackets."""


def linear(element: Element) -> str:
    """The signs of a formula, or of a part of one."""
    name = math_name(element)
    if name == "t":
        return element.text or ""
    if word_name(element) == "AlternateContent":
        return _line(chosen(element))
    if not name or name.endswith(_PROPERTIES) or name in _DELETED:
        return ""
    parts = {math_name(each): each for each in element}
    if name == "f":
        bar = "¦" if _property(parts.get("fPr"), "type") == "noBar" else "/"
        return f"{_group(parts, 'num')}{bar}{_group(parts, 'den')}"
    if name in ("sSup", "sSub", "sSubSup", "sPre"):
        held = {math_name(each) for each in parts.get("e", ())}
        base = _of(parts, "e") if held.isdisjoint(_GROUPED) else _group(parts, "e")
        return f"{base}{_shifted(parts, 'sub')}{_shifted(parts, 'sup')}"
    if name in ("limLow", "limUpp"):
        return f"{_of(parts, 'e')}{_shifted(parts, 'lim', above=name == 'limUpp')}"
    if name == "rad":
        degree = "" if _property(parts.get("radPr"), "degHide", "0") not in _OFF else _of(parts, "deg")
        return f"{raised(degree) if degree.isdigit() else degree}√{_group(parts, 'e')}"
    if name == "nary":
        sign = _property(parts.get("naryPr"), "chr") or "∫"
        return f"{sign}{_shifted(parts, 'sub')}{_shifted(parts, 'sup')} {_of(parts, 'e')}"
    if name == "d":
        opens = _property(parts.get("dPr"), "begChr", "(")
        closes = _property(parts.get("dPr"), "endChr", ")")
        inner = [linear(each) for each in element if math_name(each) == "e"]
        return f"{opens}{(_property(parts.get('dPr'), 'sepChr') or '|').join(inner)}{closes}"
    if name == "m":
        rows = (" ".join(linear(cell) for cell in row) for row in element if math_name(row) == "mr")
        return f"[{'; '.join(rows)}]"
    if name == "eqArr":
        return "; ".join(linear(each) for each in element if math_name(each) == "e")
    if name == "func":
        return f"{_of(parts, 'fName')} {_of(parts, 'e')}"
    if name == "oMathPara":
        return " ".join(map(linear, element))
    return _line(element)


def begins_apart(element: Element) -> bool:
    """Whether a digit before it is no digit of a number that it begins with."""
    name = math_name(element)
    if name not in _AROUND and name not in ("sSup", "sSub", "sSubSup"):
        return name not in _ON_LINE
    first = next((each for each in element if not math_name(each).endswith(_PROPERTIES)), None)
    return first is not None and begins_apart(first)


def ends_apart(element: Element) -> bool:
    """Whether a digit after it is no digit of a number that it ends with."""
    name = math_name(element)
    if name not in _AROUND:
        return name not in ("t", "r")
    return len(element) > 0 and ends_apart(element[-1])


def _line(elements: Iterable[Element]) -> str:
    pieces: list[str] = []
    before: Element | None = None
    for each in elements:
        piece = linear(each)
        if not piece:
            continue
        if before is not None and runs_together(pieces[-1], piece) and (ends_apart(before) or begins_apart(each)):
            pieces.append(" ")
        pieces.append(piece)
        before = each
    return "".join(pieces)


def runs_together(before: str, after: str) -> bool:
    """Whether a digit would stand by a letter or a digit."""
    signs = before[-1:], after[:1]
    return all(map(str.isalnum, signs)) and any(map(str.isdigit, signs))


def _of(parts: dict[str, Element], name: str) -> str:
    return linear(parts[name]) if name in parts else ""


def _group(parts: dict[str, Element], name: str) -> str:
    text = _of(parts, name)
    closed = text.startswith("(") and text.find(")") == len(text) - 1
    return text if closed or text.isdigit() or len(text.strip()) < 2 else f"({text})"


def _shifted(parts: dict[str, Element], name: str, *, above: bool = False) -> str:
    text, above = _of(parts, name), above or name == "sup"
    if not text.strip():
        return ""
    if text.isdigit():
        return raised(text) if above else lowered(text)
    return f"{'^' if above else '_'}{_group(parts, name)}"


def _property(properties: Element | None, name: str, otherwise: str = "") -> str:
    """What a property says, `otherwise` where it is not there or, but for a switch, says nothing."""
    for each in properties if properties is not None else ():
        if math_name(each) == name:
            return value(each) if len(each.attrib) else "1" if name.endswith("Hide") else otherwise
    return otherwise
