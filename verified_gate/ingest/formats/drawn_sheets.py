"""The text of a `style` element: in a drawing within a page it is markup, where a `CDATA` section is none of the style."""

import html
import re
from typing import Final

from verified_gate.ingest.formats.markup import Element, local_name

_IN_DRAWINGS: Final = ("{*}svg", "{*}foreignObject", "{*}foreignobject")
_MARKUP: Final = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)|&#?\w{1,40};?|<!--.*?(?:-->|\Z)", re.DOTALL)


def sheet_text(element: Element) -> str:
    """The sheet in a `style`, as browsers read it."""
    text = "".join(element.itertext())
    if ("<!" not in text and "&" not in text) or str(element.tag)[:1] == "{":
        return text
    around = next(element.iterancestors(*_IN_DRAWINGS), None)
    return _MARKUP.sub(_meant, text) if around is not None and local_name(around) == "svg" else text


def _meant(found: re.Match[str]) -> str:
    if found[0][0] == "&":
        return html.unescape(found[0])
    return found[1] or ""
