"""Word documents (DOCX), read from the package itself: the text that Word shows, with all changes accepted.

Kept: paragraphs, headings by outline level, lists with the numbers that Word counts for them, tables (rows, headers),
hyperlinks, content controls, text boxes (after the paragraph that holds them), results of fields, what form fields
show, insertions. Notes stand at the end, their marks in brackets, and after them headers and footers, each once;
formulas on one line; exponents as their signs. Left out: instructions of fields, hidden text (`vanish`). Left out and
told as lost: tracked deletions and words that are struck out, which are in force no more; comments; hidden rows and
cells; embedded objects, charts, diagrams, words drawn as a picture, macros; numbers and fields whose words the file
does not hold; pictures of a page's size (a scan), while smaller ones leave the document complete. Tracked insertions
are told too, since a reader sees the change still. What stands there and is not seen stays and is marked hidden: in the
colour of the ground, of two points at most, crushed, off the page, in a box that is hidden, below the end of a row or
frame of an exact height. What is of a foreign name space is shown by no program, and counts for nothing.
"""

from collections.abc import Iterable
from typing import Final

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.composing import Composer, told
from verified_gate.ingest.formats.grid import Cell, Grid
from verified_gate.ingest.formats.markup import READER, Element
from verified_gate.ingest.formats.package import Package
from verified_gate.ingest.formats.word_colours import upon
from verified_gate.ingest.formats.word_drawing import chosen
from verified_gate.ingest.formats.word_fields import Fields
from verified_gate.ingest.formats.word_names import child, every, switched, value, word_name
from verified_gate.ingest.formats.word_notes import KINDS
from verified_gate.ingest.formats.word_numbering import Numbering, number_of
from verified_gate.ingest.formats.word_parts import (
    DELETED,
    THROUGH,
    Piece,
    has_words,
    margins_of,
    on_line,
)
from verified_gate.ingest.formats.word_places import Paper, place_of
from verified_gate.ingest.formats.word_room import Room, TabStops
from verified_gate.ingest.formats.word_runs import FOREIGN, Runs
from verified_gate.ingest.formats.word_styles import PLAIN, Ink, Style, Styles, named
from verified_gate.ingest.formats.word_tables import TableCell, WordTable, is_narrow
from verified_gate.ingest.limits import ReadingLimits

_BLOCKS: Final = frozenset({"tbl", "altChunk", "sdt", "customXml"})
_WITHOUT_RESULT: Final = "field{s} without a result"
_AWAY: Final = "text box{s} that no page shows, or that may stand off it"
_UNSEEN: Final = "cell{s} that no reader sees"


def read(data: bytes, limits: ReadingLimits, **_: str) -> Extracted:
    """Read a document. Raises `UnreadableFile`."""
    with Archive(data, limits) as archive:
        return _Document(Package(archive), limits).read()


class _Document(Runs):
    def __init__(self, package: Package, limits: ReadingLimits) -> None:
        styles = Styles(package.part("styles"), package.part("theme"))
        self._root = package.parse(package.main)
        super().__init__(Composer(limits), styles, Paper.of(self._root))
        self._package = package
        title, lang = package.core()
        self._title, self._lang = title, lang or styles.lang
        self._numbers = Numbering(package.part("numbering"), self._lang)
        self._mark: str | None = None  # of the note that begins
        self._row_room: Room | None = None  # of the cell
        self._frame: tuple[tuple[int, ...], Room] | None = None  # that paragraphs side by side are in
        self._around = styles.ink  # that paragraphs begin with: of the document, of the table
        self._away = False  # nothing is seen of what holds the paragraph
        self._last: BlockKind | None = None

    def read(self) -> Extracted:
        settings = self._package.part("settings")
        page = child(self._root, "background")
        if page is not None and switched(settings, "displayBackgroundShape"):
            self._ground = value(page, "color").lower() or "unknown"
        body = child(self._root, "body")
        if body is not None:
            self._blocks(body)
        self._write_notes()
        self._lost[_WITHOUT_RESULT] += self._fields.untold
        if self._fields:
            self._lost["unfinished field{s}"] += len(self._fields)
            self._fields = Fields()
        self._write_margins(settings)
        if self._package.has_macros:
            self._lost["macros"] += 1
        self._lost["counted number{s} in signs that are not known here"] += self._numbers.untold
        return self._to.finish(READER, title=self._title, lang=self._lang, lost=told(self._lost))

    def _blocks(self, element: Iterable[Element]) -> None:
        joined: list[Piece] = []  # paragraphs whose end is deleted, or initials: what follows belongs to them
        for each in element:
            name = word_name(each)
            if name == "p":
                piece = Piece(each, named(child(each, "pPr")))
                joined.append(piece)
                if not piece.ends:
                    self._lost[DELETED] += 1
                elif not self._is_initial(piece):
                    self._paragraph(joined)
                    joined = []
                continue
            if joined and name in _BLOCKS:
                self._paragraph(joined)
                joined = []
            if name == "tbl":
                self._table(each)
            elif name == "altChunk":
                self._lost["embedded document{s}"] += 1
            elif name in ("ins", "moveTo") or name in THROUGH:
                self._blocks(each)
            elif name == "AlternateContent":
                self._blocks(chosen(each))
            elif name == "oMathPara":
                self._formula(each)
            elif not name:
                self._lost[FOREIGN] += has_words((each,))
        if joined:
            self._paragraph(joined)

    def _paragraph(self, pieces: list[Piece]) -> None:
        """One paragraph, in pieces where ends of paragraphs are deleted; its form is that of the last."""
        outer = self._ground
        last = pieces[-1]
        name, style = self._set(last, outer)
        outline = value(last.held.get("outlineLvl"))
        level = int(outline) + 1 if outline.isdecimal() and int(outline) < 9 else style.level
        number = number_of(last.held.get("numPr"), style.number)
        listed = number is not None and number[0] not in ("", "0")
        before = self._to.length
        kind = self._kind(style, level, listed=listed)
        near = kind == self._last and kind in ("item", "code", "footnote")
        self._to.begin(kind, level if kind == "heading" else 0, near=near and self._mark is None)
        if self._mark is not None or listed:
            self._number(pieces, number if listed else None, name)
        self._enter_room(pieces)
        for piece in pieces:
            if len(pieces) > 1 and (piece is last or self._is_initial(piece)):
                self._set(piece, outer)
            self._runs(piece.element)
        self._to.end()
        self._to.hiding = self._cut = False
        self._ground = outer
        self._last = kind if self._to.length > before else self._last
        self._write_boxes()

    def _set(self, piece: Piece, ground: str) -> tuple[str, Style]:
        """Take ink, ground and place of a paragraph that stands before `ground`; its style, and the name of that."""
        name = value(piece.held.get("pStyle"))
        style = self._styles.paragraph(name)
        self._ground = upon(self._styles.ground_of(piece.held.get("shd")) or style.ground, ground)
        place = place_of(piece.held, style.place)
        self._ink = on_line(style.ink.beside(self._around), place)
        self._unseen = self._away or (bool(place) and not self._paper.shows(place))
        self._place, self._stops = place, TabStops(place) if place.get("tabs") else None
        self._light(faint=self._unseen or self._ink.is_unseen(self._ground))
        self._line, self._alike = piece.element, None
        return name, style

    def _enter_room(self, pieces: list[Piece]) -> None:
        """Begin a line in the frame or the cell that the paragraph is in, where its height is exact."""
        high = self._place.get("high", 0)
        self._room, frame = self._row_room, self._frame
        self._frame = None
        if high:
            key = tuple(self._place.get(name, 0) for name in ("x", "y", "wide", "high"))
            self._frame = frame if frame and frame[0] == key else (key, Room(high, self._place.get("wide", 0)))
            self._room = self._frame[1]
        hidden = self._room is not None and switched(pieces[-1].held.get("rPr"), "vanish")
        if self._room and not (hidden and not self._any_shown(pieces)):
            self._room.begin(self._ink.size, self._place)
        self._cut_off(gone=self._room is not None and self._room.full)

    def _is_initial(self, piece: Piece) -> bool:
        """Whether it holds the large first letter of the paragraph that follows."""
        place = self._styles.paragraph(value(piece.held.get("pStyle"))).place
        if "framePr" in piece.held:
            place = place_of(piece.held, place)
        return bool(place.get("initial"))

    def _number(self, pieces: list[Piece], number: tuple[str, int] | None, style: str) -> None:
        """The mark of a note and the number that Word shows; an empty paragraph counts, and shows none here."""
        filled = self._any_shown(pieces)
        shown = ""
        if number and (filled or pieces[-1].ends):  # of a deleted paragraph nothing is left to count
            shown = self._numbers.next(number, style)
        if filled:
            for sign in (f"{self._mark} " if self._mark else "", shown):
                self._to.words(sign)
            self._mark = None

    def _any_shown(self, pieces: list[Piece]) -> bool:
        """Whether a paragraph has words that are not left out."""
        inks = (self._ink_of(run) for piece in pieces for run in every(piece.element, "r") if has_words((run,)))
        return any(not (ink.hidden or ink.struck) for ink in inks)

    def _kind(self, style: Style, level: int, *, listed: bool) -> BlockKind:
        if self._apart:
            return self._apart
        if level:
            return "heading"
        if style.is_code:
            return "code"
        return "caption" if style.name == "caption" else "item" if listed else "paragraph"

    def _write_boxes(self) -> None:
        waiting, self._boxes = self._boxes, []
        kept = self._fields, self._away, self._ground, self._around
        room, frame, self._frame = self._row_room, self._frame, None
        for box in waiting:
            self._fields = Fields()
            self._away = kept[1] or box.unseen or box.away
            self._lost[_AWAY] += box.away and not box.unseen and has_words((box.content,))
            self._ground = box.ground
            self._row_room = Room(box.high, box.wide) if box.high else None
            self._around = Ink(color=box.color).over(self._styles.ink) if box.color else self._styles.ink
            self._blocks(box.content)
            self._lost[_WITHOUT_RESULT] += self._fields.untold
        self._fields, self._away, self._ground, self._around = kept
        self._row_room, self._frame = room, frame

    def _write_notes(self) -> None:
        """Footnotes, then endnotes, as they are referred to. Those in a note's own text are notes no more."""
        for kind in KINDS:
            for mark, note in self._notes.of(kind, self._package.part(f"{kind}s")):
                self._mark, self._apart = mark, "footnote"
                self._last = None
                self._blocks(note)
        self._mark, self._apart = None, None

    def _write_margins(self, settings: Element | None) -> None:
        for margin in margins_of(self._package, self._root, settings):
            self._apart, self._last = "caption", None
            self._blocks(margin)
        self._apart = None

    def _table(self, element: Element) -> None:
        table = WordTable(element, self._styles)
        self._lost.update(table.lost)
        self._last = None
        kept = self._around, self._ground, self._away
        self._away = self._away or not self._paper.holds(*table.at)
        if table.frames:
            parts = [part for part in ("firstCol", "firstRow") if part in table.rows[0].cells[0].parts]
            self._enter(table.rows[0].cells[0].element, table.style, kept[1], parts)
            cell, room = table.rows[0].cells[0], self._row_room
            self._row_room = Room(cell.high, cell.wide) if cell.high else None
            self._cell(cell, fixed=table.fixed)
            self._around, self._ground, self._away = kept
            self._row_room = room
            return
        self._to.border()
        grid, outer, room = Grid(), self._in_row, self._row_room
        for number, row in enumerate(table.rows, 1):
            self._to.begin_row()
            self._in_row = True
            read: list[Cell] = []
            if row.late:
                self._to.cell(0)
                read.append(Cell("", columns=row.late))
            for index, cell in enumerate(row.cells):
                if cell.covered:
                    self._lost[_UNSEEN] += has_words((cell.element,))
                    continue
                mark = self._to.cell(len(read))
                self._enter(cell.element, table.style, kept[1], cell.parts)
                self._row_room = Room(cell.high, cell.wide) if cell.high else None
                self._cell(cell, fixed=table.fixed)
                self._around, self._ground = kept[:2]
                names = table.names_rows and index == 0
                read.append(Cell(self._to.since(mark), names, cell.columns, cell.rows, of_row=names))
            self._to.end_row(number, grid.row(read, header=row.header))
        self._in_row, self._away, self._row_room = outer, kept[2], room
        self._to.end_table()
        self._last = None

    def _cell(self, cell: TableCell, *, fixed: bool) -> None:
        """The words of a cell, unless it is deleted, without room, or one above it is merged over it."""
        properties = child(cell.element, "tcPr")
        if child(properties, "cellDel") is not None:
            self._lost[DELETED] += 1
        elif cell.merged or (fixed and is_narrow(properties)):
            self._lost[_UNSEEN] += has_words((cell.element,))
        else:
            self._blocks(cell.element)

    def _enter(self, cell: Element, style: Style, ground: str, parts: Iterable[str]) -> None:
        """Take ink and ground of a cell, as the table's style sets them for the `parts` it is in, and the cell itself."""
        ink = style.ink
        ground = upon(style.ground, ground)
        for each in parts if style.parts else ():
            own, under = style.parts.get(each, (PLAIN, ""))
            ink, ground = own.over(ink), upon(under, ground)
        self._around = ink.beside(self._styles.ink)
        self._ground = upon(self._styles.ground_of(child(cell, "tcPr", "shd")), ground)
