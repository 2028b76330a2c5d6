"""Formulas of Office documents (OMML) on one line, so that nothing runs together: one half is 1/2, never 12."""

from typing import Final

from verified_gate.ingest.formats.composing import lowered, raised
from verified_gate.ingest.formats.markup import Element, local_name

_PROPERTIES: Final = "Pr"


def linear(element: Element) -> str:
    """The signs of a formula, or of a part of one."""
    name = local_name(element)
    if name == "t":
        return element.text or ""
    if name.endswith(_PROPERTIES):
        return ""
    parts = {local_name(each): each for each in element}
    if name == "f":
        return f"{_group(parts, 'num')}/{_group(parts, 'den')}"
    if name in ("sSup", "sSub", "sSubSup", "sPre"):
        return f"{_group(parts, 'e')}{_shifted(parts, 'sub')}{_shifted(parts, 'sup')}"
    if name == "rad":
        degree = _of(parts, "deg")
        return f"{raised(degree) if degree.isdigit() else degree}√{_group(parts, 'e')}"
    if name == "nary":
        sign = _property(parts.get("naryPr"), "chr") or "∫"
        return f"{sign}{_shifted(parts, 'sub')}{_shifted(parts, 'sup')} {_of(parts, 'e')}"
    if name == "d":
        opens = _property(parts.get("dPr"), "begChr", "(")
        closes = _property(parts.get("dPr"), "endChr", ")")
        inner = [linear(each) for each in element if local_name(each) == "e"]
        return f"{opens}{(_property(parts.get('dPr'), 'sepChr') or '|').join(inner)}{closes}"
    if name == "m":
        rows = (" ".join(linear(cell) for cell in row) for row in element if local_name(row) == "mr")
        return f"[{'; '.join(rows)}]"
    if name == "func":
        return f"{_of(parts, 'fName')} {_of(parts, 'e')}"
    between = " " if name == "oMathPara" else ""
    return between.join(linear(each) for each in element)


def _of(parts: dict[str, Element], name: str) -> str:
    return linear(parts[name]) if name in parts else ""


def _group(parts: dict[str, Element], name: str) -> str:
    text = _of(parts, name)
    closed = text.startswith("(") and text.find(")") == len(text) - 1
    return text if closed or text.isdigit() or len(text.strip()) < 2 else f"({text})"


def _shifted(parts: dict[str, Element], name: str) -> str:
    text = _of(parts, name)
    if not text.strip():
        return ""
    if text.isdigit():
        return raised(text) if name == "sup" else lowered(text)
    return f"{'^' if name == 'sup' else '_'}{_group(parts, name)}"


def _property(properties: Element | None, name: str, otherwise: str = "") -> str:
    for each in properties if properties is not None else ():
        if local_name(each) == name:
            return next((held for key, held in each.attrib.items() if key.rpartition("}")[2] == "val"), otherwise)
    return otherwise
