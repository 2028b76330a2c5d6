"""What an element of a workbook is: by its name and its name space; and the words of its strings, which are escaped.

A part may hold elements and attributes of any name space; programs pass over those of another one, whatever they are
called.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from verified_gate.ingest.formats.markup import Element

_SHEETS: Final = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
)
_RELATIONS: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
)
ALTERNATIVES: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_LATER: Final = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
LATER_CONDITIONS: Final = f"{_LATER}conditionalFormatting"
LATER_CHANGE: Final = f"{_LATER}dxf"
LATER_AREA: Final = "{http://schemas.microsoft.com/office/excel/2006/main}sqref"
"""Conditional formats that came later: each rule holds its own change, and beside the rules stand the cells."""
_ESCAPED: Final = re.compile("(?:_x[0-9A-Fa-f]{4}_)+")
_UNITS: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_NO_CHARACTERS: Final = dict.fromkeys([*range(9), *range(11, 13), *range(14, 32), 0xFFFE, 0xFFFF], "\ufffd")


def children(element: Element | None, name: str) -> Iterator[Element]:
    """The children of that name; none of no element."""
    return iter(()) if element is None else element.iterchildren(*_tags(name))


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along `path`."""
    for name in path:
        element = next(children(element, name), None)
    return element


def value(element: Element | None, name: str = "val") -> str:
    """An attribute, which in workbooks has no name space; "" where there is none."""
    return "" if element is None else element.get(name, "")


def relation(element: Element) -> str:
    """The part that an element refers to, by its number among those that are related."""
    return next((held for uri in _RELATIONS if (held := element.get(f"{{{uri}}}id"))), "")


def unescaped(text: str) -> str:
    """The words of a string, where `_x000D_` stands for the character of that number."""
    if "_x" not in text:
        return text
    return _ESCAPED.sub(_meant, text).replace("\r\n", "\n").replace("\r", "\n")


def _meant(found: re.Match[str]) -> str:
    units = b"".join(int(each, 16).to_bytes(2, "little") for each in _UNITS.findall(found[0]))
    return units.decode("utf-16-le", "replace").translate(_NO_CHARACTERS)


@lru_cache(maxsize=256)
def _tags(name: str) -> tuple[str, ...]:
    return tuple(f"{{{uri}}}{name}" for uri in _SHEETS)
