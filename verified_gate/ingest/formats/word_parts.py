"""What a part of a Word document is by its own properties: which rows and cells there are, what is shown of them."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.package import Package
from verified_gate.ingest.formats.word_names import child, every, relation, switched, value, word_name
from verified_gate.ingest.formats.word_styles import Ink

THROUGH: Final = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "hyperlink", "fldSimple", "dir", "bdo",
                             "subDoc", "ruby", "rubyBase"})  # fmt: skip
"""What is wrapped around paragraphs, runs, rows and cells."""
_MARGINS: Final = frozenset({"headerReference", "footerReference"})
DELETED, INSERTED = "tracked deletion{s}, left out", "tracked insertion{s}, kept"


def flat(element: Element, name: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, through what may be wrapped around them."""
    for each in element:
        found = word_name(each)
        if found == name:
            yield each
        elif found in THROUGH or found in ("ins", "moveTo"):
            yield from flat(each, name)


class Piece(NamedTuple):
    """A paragraph of the file, which may be a piece of one, with its properties by their names."""

    element: Element
    held: Mapping[str, Element]

    @property
    def ends(self) -> bool:
        """Whether its end is there still, once all changes are accepted."""
        mark = self.held.get("rPr")
        return mark is None or (child(mark, "del") is None and child(mark, "moveFrom") is None)


def has_words(elements: Iterable[Element]) -> bool:
    return any(each.text and not each.text.isspace() for element in elements for each in every(element, "t"))


def on_line(ink: Ink, place: Mapping[str, int]) -> Ink:
    """The ink on lines of an exact height."""
    line = place.get("line", 0)
    return replace(ink, set={**ink.set, "line": line}) if line else ink


def margins_of(package: Package, root: Element, settings: Element | None) -> Iterator[Element]:
    """The headers and footers that a section shows, those of the same words once."""
    targets = package.targets(package.main)
    seen: set[str] = set()
    for name in (targets.get(each) for each in _named(root, settings)):
        if name is not None and name not in seen:
            margin = package.parse(name)
            words = "".join(each.text or "" for each in every(margin, "t"))
            if words not in seen:
                yield margin
            seen |= {name, words}


def _named(root: Element, settings: Element | None) -> Iterator[str]:
    """The relations of the headers and footers that sections show."""
    sections = list(every(root, "sectPr"))
    first = any(switched(section, "titlePg") for section in sections)
    even = switched(settings, "evenAndOddHeaders")
    shown = {"default", *(("even",) if even else ()), *(("first",) if first else ())}
    for section in sections:
        for each in section:
            if word_name(each) in _MARGINS and (value(each, "type") or "default") in shown:
                yield relation(each)


def is_turned(element: Element) -> bool:
    """Whether letters and digits that run from left to right are set from right to left: 900 for `009`."""
    if word_name(element) != "bdo" or value(element) != "rtl":
        return False
    words = "".join(each.text or "" for each in every(element, "t"))
    return not any(unicodedata.bidirectional(char) in ("R", "AL") for char in words)


def is_phantom(formula: Element) -> bool:
    """Whether a part of a formula takes its place and shows nothing."""
    return any(switched(child(each, "phantPr"), "show") is False for each in formula.iter("{*}phant"))
