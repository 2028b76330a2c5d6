"""Elements that are not read as they follow one another: set apart, raised or lowered by style sheets; parts of formulas."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final
from unicodedata import category

from lxml import etree

from verified_gate.ingest.formats import elements
from verified_gate.ingest.formats.arranged import Arranged, Place, Shift
from verified_gate.ingest.formats.composing import Composer, in_brackets, lowered, raised
from verified_gate.ingest.formats.held import Held
from verified_gate.ingest.formats.markup import Element, local_name
from verified_gate.ingest.formats.neighbours import Behind, first_sign, has_words
from verified_gate.ingest.formats.written import written

SHEETS_WORDS = "place{s} with words that style sheets write"
FIELDS = "field{s} with words in a form"
UNCHOSEN = "list{s} to choose from with words beside the choices"
_OF_NUMBERS: Final = frozenset("-+\u00b1\u2212\u2013\u2010\u2011<>\u2264\u2265\u2248~%\u2030.,:/^\u00d7*")
"""Signs that make another number of the one they stand at."""
TOO_MANY = "places of more elements than their style rules can be looked at for"


class Placing(Held):
    """Borders and signs by what `arranged` tells of an element. `lost` is what could not be read, each kind with its
    number.
    """

    def __init__(self, composer: Composer, arranged: Arranged) -> None:
        super().__init__(composer)
        self.lost: Counter[str] = Counter()
        self.arranged = arranged
        self._laid: Element | None = None  # one in which all is set apart, each from each
        self._behind = Behind()
        self._container: Element | None = None  # whose children are read so

    @abstractmethod
    def _element(self, element: Element) -> None:
        """Reads an element as what it is."""

    @abstractmethod
    def _inside(self, element: Element, tag: str = "", names: Sequence[str] = ()) -> None:
        """Reads all that stands in it."""

    def _place(self, place: Place, element: Element, tag: str, go: Callable[[], None]) -> None:
        """An element that style sheets put somewhere, or write before and behind; `go` reads it."""
        seen = self._sight.visible and not self._sight.hiding
        if self.arranged.spent:
            self.lost[TOO_MANY] = 1
        apart = place.apart and seen and not self._goes_on(place, element) and (not place.out or has_words(element))
        if apart:
            self._edge(cell=place.cell)
        if place.items or (place.contents and self._container is element.getparent()):
            self._laid = element
        if place.before and seen:
            self._generated(place.before, element, first_sign(element) or self._behind.sign(element))
        if place.wide and self._last().isdigit() and first_sign(element).isdigit():
            self._edge(cell=True)
        if place.shift:
            self._moved(place.shift, element, tag, go)
        else:
            go()
        if place.wide and self._last().isdigit() and self._behind.sign(element).isdigit():
            self._edge(cell=True)
        if place.after and seen:
            self._generated(place.after, element, self._behind.sign(element))
        if apart:
            self._edge(cell=place.cell)

    def _goes_on(self, place: Place, element: Element) -> bool:
        """Whether it is the large letter at the side with which a paragraph begins."""
        letter = "".join(islice(element.itertext(), 9)).strip() if place.initial and not self._last() else ""
        return 0 < len(letter) < 3 and letter[-1].isalnum() and (element.tail or " ")[0].isalnum()

    def _moved(self, shift: Shift, element: Element, tag: str, go: Callable[[], None]) -> None:
        if shift == "flat" and element.find("{*}a") is None:
            self._inside(element)
        elif shift == "flat" or self._form is not None:
            go()
        elif elements.fills_link(element):
            self._formed(in_brackets, element)
        else:
            form = raised if shift == "raised" else lowered
            self._in_form(form, (lambda: self._inside(element)) if tag in ("sup", "sub") else go)

    def _formed(self, form: Callable[[str], str], element: Element) -> None:
        self._in_form(form, lambda: self._inside(element))

    def _in_form(self, form: Callable[[str], str], go: Callable[[], None]) -> None:
        self._flush()
        kept, self._form = self._form, form
        go()
        self._flush()
        self._form = kept

    def _generated(self, content: str, element: Element, following: str) -> None:
        """Words that a sheet writes: told, but for a number that is counted up before a block, as those of lists are."""
        text, counted = written(content, element)
        before = self._last()
        touching = before.isalnum() and following.isalnum()
        between = before.isdigit() and following.isdigit()
        at_number = before.isdigit() or following.isdigit()
        if (
            any(map(str.isalnum, text))
            or (counted and (self._held or not self._composer.fresh))
            or (between and text.strip())
            or (at_number and any(sign in _OF_NUMBERS or category(sign) == "Sc" for sign in text))
        ):
            self.lost[SHEETS_WORDS] += 1
        if between:
            self._edge(cell=True)
        elif touching:
            self._hold(" ")

    def _items(self, element: Element) -> None:
        """What stands in a flex box or a grid, its first text of which was read: each is a box of its own."""
        outer = self._container
        for child in element:
            if isinstance(child.tag, str):
                self._container = element
                self._edge(cell=True)
                self._element(child)
                self._edge(cell=True)
            else:
                self._element(child)
            self._hold(child.tail or "")
        self._container = outer

    def box(self, element: Element, *_: object) -> None:
        """What stands in the line as a thing of its own: words of it are none of those beside it."""
        self._parted(first_sign(element))
        self._inside(element)
        self._parted(self._behind.sign(element))

    def choices(self, element: Element, *_: object) -> None:
        """A list to choose from, of which browsers show the choices alone, unless a style of today asks for more."""
        self.lost[UNCHOSEN] += without_words_beside(element)
        self.box(element)

    def _picture(self, element: Element) -> None:
        """A number does not go on over a picture, which may be a digit of it."""
        if self._last().isdigit():
            self._parted(self._behind.sign(element))

    def _parted(self, sign: str) -> None:
        """Words that `sign` begins are none of those before: a blank stands between, between two numbers a border."""
        last = self._last()
        if last.isdigit() and sign.isdigit():
            self._edge(cell=True)
        elif last.isalnum() and sign.isalnum():
            self._hold(" ")

    def moving(self, element: Element, *_: object) -> None:
        self._edge()
        self._inside(element)
        self._edge()

    def input(self, element: Element, *_: object) -> None:
        """A box to tick, as the page begins. What is in other fields is no text of it, and is told."""
        kind = element.get("type", "").strip().lower()
        if kind in ("checkbox", "radio"):
            self._hold("☐ " if element.get("checked") is None else "☒ ")
        elif kind not in elements.FIELDS_WITHOUT_WORDS:
            seen = self._sight.visible and not self._sight.hiding
            self.lost[FIELDS] += seen and any(map(str.isalnum, element.get("value", "")))
            self._parted(self._behind.sign(element))

    def root(self, element: Element, *_: object) -> None:
        self._hold("√(")
        self._inside(element)
        self._hold(")")

    def formula(self, element: Element, tag: str, _: Sequence[str]) -> None:
        """A fraction, an exponent, an index on one line: 1/2 must not run together to 12, nor 3½ to 31/2."""
        if tag in elements.BEGIN_ANEW and self._last().isdigit():
            self._hold(" ")
        parts = list(element)
        if tag == "mroot" and len(parts) == 2:
            self._in_form(raised, lambda: self._element(parts[1]))
            self._hold("√(")
            self._element(parts[0])
            self._hold(")")
            return
        signs = elements.ONE_LINE[tag]
        for index, child in enumerate(parts):
            if index:
                self._hold(signs[min(index, len(signs)) - 1])
            grouped = len(child) > 1
            self._hold("(" if grouped else "")
            self._element(child)
            self._hold(")" if grouped else "")
        self._apart(element)

    def matrix(self, element: Element, *_: object) -> None:
        """Rows and cells of a table in a formula: `[1 2; 3 4]`."""
        self._hold("[")
        self._inside(element)
        self._hold("]")

    def part_of_matrix(self, element: Element, tag: str, _: Sequence[str]) -> None:
        if element.getprevious() is not None:
            self._hold("; " if tag == "mtr" else " ")
        self._inside(element)

    def gap(self, *_: object) -> None:
        self._hold(" ")

    def _apart(self, element: Element) -> None:
        """No digit that follows a part of a formula runs into it; a root begins with a sign of its own."""
        beside = element.getnext()
        if (beside is None or local_name(beside) != "msqrt") and self._last().isdigit():
            self._hold(" " if self._behind.sign(element).isdigit() else "")


def without_words_beside(choices: Element) -> bool:
    """Take out of a `select` the words that stand in none of its options; whether there were any."""
    found = False
    walk = etree.iterwalk(choices, events=("start",))
    for _, each in walk:
        name = local_name(each)
        if each is not choices and each.tail and each.tail.strip():
            each.tail, found = None, True
        if name == "option" or name in elements.UNSEEN:
            walk.skip_subtree()
        elif each.text and each.text.strip():
            each.text, found = None, True
    return found
