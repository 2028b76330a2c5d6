"""What stands in a paragraph of a Word document: runs, fields, marks of notes, formulas, drawings."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from verified_gate.ingest.extracted import BlockKind
from verified_gate.ingest.formats.composing import Composer, lowered, raised
from verified_gate.ingest.formats.formula import begins_apart, ends_apart, linear, runs_together
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.word_drawing import Box, boxes, chosen, laid_over, unread
from verified_gate.ingest.formats.word_fields import Fields
from verified_gate.ingest.formats.word_names import child, every, value, word_name
from verified_gate.ingest.formats.word_notes import REFERENCES, Notes, has_own_mark
from verified_gate.ingest.formats.word_parts import DELETED, INSERTED, THROUGH, has_words, is_phantom, is_turned
from verified_gate.ingest.formats.word_places import Paper
from verified_gate.ingest.formats.word_room import Room, TabStops
from verified_gate.ingest.formats.word_styles import PLAIN, Ink, Styles, ink_of, named

_SIGNS: Final = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_FLAT: Final = str.maketrans("\r\n\t", "   ")
_DELETIONS, _INSERTIONS = ("del", "moveFrom"), ("ins", "moveTo")
_STRUCK: Final = "struck-out piece{s}, left out"
LAID_OVER: Final = "shape{s} or picture{s} laid over words"
FOREIGN: Final = "foreign element{s}, left out with their words"


class Runs:
    """Writes runs down, as the paragraph that they are in is set."""

    def __init__(self, to: Composer, styles: Styles, paper: Paper) -> None:
        self._to, self._styles, self._paper = to, styles, paper
        self._lost: Counter[str] = Counter()
        self._fields = Fields()
        self._notes = Notes()
        self._boxes: list[Box] = []  # of the paragraph
        self._apart: BlockKind | None = None  # outside of the running text: what all paragraphs are
        self._in_row = False
        self._ink, self._unseen = PLAIN, False  # of the paragraph
        self._faint, self._size = False, 0  # of the run: whether nobody sees it as it is set, how large its letters are
        self._ground = "ffffff"  # behind the run: of the paragraph, cell, table or page
        self._line: Element | None = None  # the paragraph, or the piece of one
        self._alike: bool | None = None  # whether all its words stand above its line, or below
        self._room: Room | None = None  # that the paragraph has
        self._stops: TabStops | None = None
        self._cut = False  # nothing is seen of the words that follow on this line
        self._behind = False  # right after a formula that a digit must not join

    def _runs(self, element: Iterable[Element]) -> None:
        for each in element:
            name = word_name(each)
            if name == "r":
                self._run(each)
            elif name in _INSERTIONS:
                self._lost[INSERTED] += 1
                self._runs(each)
            elif name in _DELETIONS:
                self._lost[DELETED] += 1
            elif name in THROUGH:
                if name == "fldSimple":
                    self._fields.simple(each, in_margin=self._apart == "caption")
                if is_turned(each):  # what is seen is another word, or another number
                    kept = self._unseen, self._faint
                    self._unseen = True
                    self._light(faint=True)
                    self._runs(each)
                    self._unseen = kept[0]
                    self._light(faint=kept[1])
                else:
                    self._runs(each)
            elif name == "AlternateContent":
                self._runs(chosen(each))
            elif name in ("oMath", "oMathPara"):
                self._formula(each)
            elif not name:
                self._lost[FOREIGN] += has_words((each,))

    def _run(self, run: Element) -> None:
        ink, kept = self._ink_of(run), self._faint
        unseen = kept if ink is self._ink else self._unseen or ink.is_unseen(self._ground)
        self._size = ink.size
        shift = ink.shift_on(self._ink) if ink.set else 0
        if shift and self._alike is None:  # where all words are set so, they are small ones, and no exponents
            runs = every(self._line, "r") if self._line is not None else ()
            self._alike = all(self._ink_of(each).shift_on(self._ink) == shift for each in runs if has_words((each,)))
        form = None if self._alike or not shift else raised if shift > 0 else lowered
        if ink.hidden or ink.struck:
            if ink.struck and not (ink.hidden or unseen) and has_words((run,)):
                self._lost[_STRUCK] += 1
            self._silent(run)
            return
        self._light(faint=unseen)
        marked = False
        for each in run:
            name = word_name(each)
            marked = marked or (name in REFERENCES and has_own_mark(each))
            if not marked or name != "t":
                self._piece(name, each, form)
        self._light(faint=kept)

    def _ink_of(self, run: Element) -> Ink:
        """As the run is set in its paragraph."""
        properties = child(run, "rPr")
        if properties is None:
            return self._ink
        held = named(properties)
        own, name = ink_of(held, self._styles.palette), value(held.get("rStyle"))
        return own.over(self._styles.of(name).ink.beside(self._ink)) if name or own is not PLAIN else self._ink

    def _silent(self, run: Element) -> None:
        """Hidden: only what opens and closes fields counts."""
        for each in run:
            if word_name(each) in ("fldChar", "instrText"):
                self._field(each, shown=False)

    def _piece(self, name: str, element: Element, form: Callable[[str], str] | None) -> None:
        if name in ("fldChar", "instrText"):
            self._field(element)
        elif self._fields and self._fields.in_instruction:
            return
        elif name == "t":
            text = (element.text or "").translate(_FLAT)
            self._set_apart(text, apart=False)
            self._say(form(text) if form and text.strip() else text)
        elif name in _SIGNS:
            sign = _SIGNS[name]
            if sign != "\t":
                self._to.words(sign)
            else:
                self._to.space(" " if self._in_row else sign)
                if self._stops and self._paper.left + self._stops.next() > self._paper.width:
                    self._cut_off(gone=True)
        elif name in ("br", "cr"):
            self._to.line()
            self._end_line()
        elif name in REFERENCES:
            self._to.words(self._notes.refer(element))
        elif name == "commentReference":
            self._lost["comment{s}, left out"] += 1
        elif name == "sym":
            self._lost["sign{s} of symbol fonts"] += 1
        elif name in ("drawing", "pict", "object"):
            self._drawn(element)
        elif name == "AlternateContent":
            for each in chosen(element):
                self._piece(word_name(each), each, form)
        elif name == "ruby":
            self._runs(element)

    def _say(self, text: str) -> None:
        """Write words down; what of them is below the end of their room is not seen."""
        if self._stops:
            self._stops.take(len(text), self._size)
        if self._room:
            seen = self._room.take(len(text), self._size)
            rest = text.find(" ", seen) if seen < len(text) else -1
            if rest >= 0 and not self._cut:
                self._to.words(text[:rest])
                self._cut_off(gone=True)
                text = text[rest:]
        self._to.words(text)

    def _end_line(self) -> None:
        if self._stops:
            self._stops.end_line()
        if self._room:
            self._room.end_line()
        self._cut_off(gone=self._room is not None and self._room.full)

    def _cut_off(self, *, gone: bool) -> None:
        """The next words of this line are where nothing is seen, or are not."""
        self._cut = gone
        self._to.hiding = self._faint or gone

    def _light(self, *, faint: bool) -> None:
        """Whether the next words are set so that nobody sees them."""
        self._faint = faint
        self._to.hiding = faint or self._cut

    def _field(self, element: Element, *, shown: bool = True) -> None:
        if word_name(element) == "instrText":
            self._fields.instruct(element.text or "")
            return
        words = self._fields.turn(element, in_margin=self._apart == "caption")
        if shown:
            self._to.words(words)

    def _formula(self, element: Element) -> None:
        text = linear(element)
        self._lost[DELETED] += len(list(every(element, *_DELETIONS)))
        self._lost[INSERTED] += len(list(every(element, *_INSERTIONS)))
        if text.strip() and not self._fields.in_instruction:
            hiding = self._to.hiding
            inks = (ink_of(named(each), self._styles.palette).over(self._ink) for each in every(element, "rPr"))
            self._to.hiding = hiding or is_phantom(element) or any(i.hidden or i.is_unseen(self._ground) for i in inks)
            self._set_apart(text, apart=begins_apart(element))
            self._to.words(text)
            self._to.hiding, self._behind = hiding, ends_apart(element)

    def _set_apart(self, text: str, *, apart: bool) -> None:
        """A blank between a formula and a digit beside it, where they are no number together."""
        if (apart or self._behind) and runs_together(self._to.last, text):
            self._to.space()
        self._behind = False

    def _drawn(self, element: Element) -> None:
        """Text boxes are kept for later; of the rest it is told what has words that are not read."""
        nested = list(boxes(element, self._ground, self._styles.palette, self._paper))
        self._boxes += nested
        self._lost.update(unread(element, scan=not nested))
        if self._apart != "caption":  # what headers and footers hold lies under the text
            self._lost[LAID_OVER] += laid_over(element, self._styles.palette)
