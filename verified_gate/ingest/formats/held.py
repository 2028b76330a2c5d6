"""Words of a page as they come: held until a border comes after them, then written as they are seen and formed."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from verified_gate.ingest.formats.composing import Composer, collapsed
from verified_gate.ingest.formats.markup import DEEPEST
from verified_gate.ingest.formats.sight import Sight
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_CALLS: Final = 16
"""Calls that reading one element in another takes at most, with some to spare; none of them takes room of the C stack."""


class _Calls:
    """The limit of calls inside each other, which is one for all threads: raised while any of them reads a page."""

    def __init__(self) -> None:
        self._lock, self._readers, self._before = threading.Lock(), 0, 0

    def more(self) -> None:
        with self._lock:
            if not self._readers:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(self._before + DEEPEST * _CALLS)
            self._readers += 1

    def as_before(self) -> None:
        with self._lock:
            self._readers -= 1
            if not self._readers:
                sys.setrecursionlimit(self._before)


_CALLED: Final = _Calls()


@contextmanager
def calls_for_the_deepest() -> Iterator[None]:
    """Room for the calls that a page as deep as the parser lets through needs, while one is read.

    Raises `UnreadableFile` (`too_deep`) where shadow trees in each other go deeper still.
    """
    _CALLED.more()
    try:
        yield
    except RecursionError:
        raise UnreadableFile(Unreadable.TOO_DEEP, "elements inside each other without end") from None
    finally:
        _CALLED.as_before()


class Held:
    """Hands words on to a composer, as few times as may be: pages spend their time here."""

    def __init__(self, composer: Composer) -> None:
        self._composer = composer
        self._held: list[str] = []  # words that no border has come after yet
        self._preformatted = False
        self._opens = False  # preformatted text in XML, whose first line end is none
        self._heading = 0
        self._form: Callable[[str], str] | None = None
        self._sight = Sight()
        self._plain = True  # what is around: large letters, as all are on the ground of most pages
        self._hold = self._held.append  # takes words as they come, where they are invisible the room that they take

    @property
    def _to(self) -> Composer:
        """Where the page is written, with all words so far."""
        if self._held:
            self._flush()
        return self._composer

    def _flush(self) -> None:
        if not self._held:
            return
        text = "".join(self._held)
        self._held.clear()
        if self._preformatted:
            self._composer.verbatim(text.removeprefix("\n") if self._opens else text)
            self._opens = False
            return
        text = collapsed(text)
        if self._form and text.strip():
            text = self._form(text)
        self._composer.words(text)

    def _take(self, sight: Sight) -> None:
        if sight.hiding != self._composer.hiding:
            self._to.hiding = sight.hiding
        self._sight, self._plain = sight, sight.plain
        self._hold = self._held.append if sight.visible else self._blank

    def _blank(self, _: str) -> None:
        self._held.append(" ")

    def _before(self) -> Sight:
        """What was written so far is seen as it was; how that is."""
        self._flush()
        return self._sight

    def _back(self, sight: Sight) -> None:
        """What follows is seen as before."""
        self._flush()
        self._take(sight)

    def _edge(self, *, cell: bool = False) -> None:
        """What comes is set apart from what was, as a block or as a cell beside others; a heading and preformatted text
        stay one block, in lines.
        """
        if self._heading or self._preformatted:
            self._to.part()
        elif cell:
            self._to.gap()
        else:
            self._to.border()

    def _last(self) -> str:
        """The sign that the next words would touch, "" for none."""
        return next((text[-1] for text in reversed(self._held) if text), "") or self._composer.last
