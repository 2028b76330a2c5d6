"""The signs that stand before and behind an element in its page, as far as they are near."""

from itertools import islice
from typing import Final

from verified_gate.ingest.formats.markup import Element

_MOST: Final = 50
"""Elements that are looked at; further off is nothing that would touch."""


def first_sign(element: Element) -> str:
    """The first sign in an element, "" for none."""
    return next((text[0] for text in islice(element.itertext(), _MOST) if text), "")


def sign_behind(element: Element) -> str:
    """The sign that follows an element, in whatever it stands; "" for none."""
    for _ in range(_MOST):
        if element.tail:
            return element.tail[0]
        beside = element.getnext()
        if beside is not None:
            element = beside
            if found := first_sign(beside):
                return found
            continue
        around = element.getparent()
        if around is None:
            return ""
        element = around
    return ""


def has_words(element: Element) -> bool:
    """Whether any sign that is seen stands in an element."""
    return any(text and not text.isspace() for text in element.itertext())
