"""The signs that stand before and behind an element in its page, as far as they are near."""

from itertools import islice
from typing import Final

from verified_gate.ingest.formats.markup import Element

_MOST: Final = 50
"""Texts that are looked at; further off is nothing that would touch."""
_NEAR: Final = 200
"""Elements without a sign that are looked over at least; further off is nothing that would touch."""
_FAR: Final = 10 * _NEAR


def first_sign(element: Element) -> str:
    """The first sign in an element, "" for none."""
    return next((text[0] for text in islice(element.itertext(), _MOST) if text), "")


class Behind:
    """What follows the elements of a page, asked for in their order: each is looked over once, however many are asked for."""

    def __init__(self) -> None:
        self._sign = ""
        self._before: frozenset[Element] = frozenset()  # the elements that this sign follows

    def sign(self, element: Element) -> str:
        """The sign that follows an element, in whatever it stands; "" for none."""
        if element.tail:
            return element.tail[0]
        if element not in self._before:
            self._look(element)
        return self._sign

    def forget(self) -> None:
        """Let go of the elements."""
        self._before = frozenset()

    def _look(self, element: Element) -> None:
        """Follow the page from the end of an element to the next sign."""
        ended, steps, sure = [element], 0, 1
        self._sign = ""
        while steps < _FAR:
            if element.tail:
                self._sign = element.tail[0]
                break
            beside, around = element.getnext(), element.getparent()
            if beside is not None:
                while not beside.text and len(beside) and steps < _FAR:
                    beside = beside[0]
                    steps += 1
                if beside.text:
                    self._sign = beside.text[0]
                    break
                element = beside
            elif around is not None:
                element = around
            else:
                break
            steps += 1
            ended.append(element)
            sure = len(ended) if steps <= _FAR - _NEAR else sure
        else:
            del ended[sure:]  # those behind which less was looked over
        self._before = frozenset(ended)


def has_words(element: Element) -> bool:
    """Whether any sign that is seen stands in an element."""
    return any(text and not text.isspace() for text in element.itertext())
