"""Notes of a Word document: the marks that they are referred to by, and which notes there are to be read."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_names import every, value, word_name
from verified_gate.ingest.formats.word_numbering import roman

REFERENCES: Final = frozenset({"footnoteReference", "endnoteReference"})
KINDS: Final = ("footnote", "endnote")
_OFF: Final = frozenset({"", "0", "false", "off"})
_LONGEST: Final = 20


class Notes:
    """Footnotes and endnotes, as they are referred to. Those that have a mark of their own are not counted."""

    def __init__(self) -> None:
        self._marks: dict[str, list[tuple[str, str]]] = {kind: [] for kind in KINDS}  # id and mark of each reference
        self._counts = dict.fromkeys(KINDS, 0)

    def refer(self, reference: Element) -> str:
        """The mark that stands at a reference: in brackets where it could be taken for more of the word before it."""
        kind = word_name(reference).removesuffix("Reference")
        if has_own_mark(reference):
            after = islice(reference.itersiblings(), _LONGEST)
            own = "".join(each.text or "" for each in after if word_name(each) == "t").strip()
            mark = f"[{own}]" if any(map(str.isalnum, own)) and len(own) < _LONGEST else own
        else:
            self._counts[kind] += 1
            count = self._counts[kind]
            mark = f"[{count}]" if kind == "footnote" else f"[{roman(count)}]"
        self._marks[kind].append((value(reference, "id"), mark))
        return mark

    def of(self, kind: str, root: Element | None) -> Iterator[tuple[str, Element]]:
        """Marks and contents of the notes of a `kind` that were referred to so far, each once."""
        held = {value(each, "id"): each for each in every(root, kind)} if root is not None else {}
        for name, mark in tuple(self._marks[kind]):
            note = held.pop(name, None)
            if note is not None:
                yield mark, note


def has_own_mark(reference: Element) -> bool:
    """Whether the rest of its run is the mark."""
    return value(reference, "customMarkFollows").lower() not in _OFF
