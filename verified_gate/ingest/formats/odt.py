"""OpenDocument texts (ODT), read from the package itself: what a word processor shows of the body.

Kept: headings, paragraphs, lists, tables (rows, headers), sections, links, fields as last shown, what form
fields show, indexes, text boxes (after the paragraph that holds them). Notes stand at the end, their marks in brackets,
and after them headers and footers of the pages in use, each once. White space is collapsed as the format says,
`text:s`, tabs and line breaks kept. Left out: what styles, sections or fields hide, numbers that the program counts.
Left out and told as lost: tracked deletions and words that are struck out, which are in force no more; comments; hidden
rows, columns and cells; embedded objects, controls of forms, macros, pictures of a page's size. Tracked insertions are
told too. What stands there and is not seen stays and is marked hidden: in the colour of its ground, of two points at
most, crushed, off the page, in a section whose condition nobody can tell, in an element that the format does not know
(told too; those of foreign name spaces are passed through, as programs do), in a field that shows something else.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.composing import Composer, lowered, raised, told
from verified_gate.ingest.formats.grid import MOST_COLUMNS, Cell, Grid
from verified_gate.ingest.formats.markup import READER, Element, parse_xml
from verified_gate.ingest.formats.odt_fields import CHOSEN, Fields
from verified_gate.ingest.formats.odt_names import (
    AROUND,
    BLOCKS,
    CONTENTS,
    LEFT_OUT,
    MARGINS,
    SHAPES,
    UNKNOWN,
    child,
    name_of,
    tag_of,
    value,
)
from verified_gate.ingest.formats.odt_parts import (
    count_of,
    fills_page,
    form_field,
    has_words,
    hidden_columns,
    is_laid_over,
    is_shown_row,
    names_first,
    nested,
    read_cell,
    rows_of,
    withheld,
)
from verified_gate.ingest.formats.odt_styles import Looks, is_placed, is_shown
from verified_gate.ingest.formats.word_colours import upon
from verified_gate.ingest.formats.word_styles import PLAIN
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_MOST_REPEATED, _MOST_TIMES = 1_000, 50
"""Blanks, and cells of the same words side by side."""
_STRUCK, _UNSEEN = "struck-out piece{s}, left out", "cell{s} that no reader sees"
_AWAY: Final = "text box{s} that no page shows, or that may stand off it"
_STRANGE, _STALE = "element{s} of no known kind", "field{s} that programs show otherwise"


def read(data: bytes, limits: ReadingLimits, **_: str) -> Extracted:
    """Read a text. Raises `UnreadableFile`."""
    with Archive(data, limits) as archive:
        manifest = archive.read_if_there("META-INF/manifest.xml")
        if manifest and any(True for _ in parse_xml(manifest, doctype=True).iter("{*}encryption-data")):
            raise UnreadableFile(Unreadable.ENCRYPTED, "the document is encrypted")
        content = archive.read_if_there("content.xml")
        if content is None:
            raise UnreadableFile(Unreadable.DAMAGED, "the container has no content.xml")
        document = _Document(limits)
        for name in ("styles.xml", "meta.xml"):
            part = archive.read_if_there(name)
            if part:
                document.learn(parse_xml(part), of_pages=True)
        if any(name.startswith(("Basic/", "Scripts/")) for name in archive.names):
            document.lost["macros"] += 1
        return document.read(parse_xml(content))


class _Document:
    def __init__(self, limits: ReadingLimits) -> None:
        self.lost: Counter[str] = Counter()
        self._to = Composer(limits)
        self._looks, self._looks_of_pages = Looks(), Looks()
        self._ink, self._ground, self._away = PLAIN, "ffffff", False  # of the words that come next
        self._gone: set[Element] = set()  # paragraphs that a field hides
        self._form = ""
        self._title = self._lang = ""
        self._fields = Fields()
        self._notes: dict[str, list[tuple[str, Element]]] = {"footnote": [], "endnote": []}
        self._boxes: list[tuple[Element, str, bool]] = []  # with the ground of each, and whether it is unseen
        self._mark = ""  # of the note that begins
        self._in_row = False
        self._pages: dict[str, Element] = {}  # page styles, with their headers and footers
        self._pages_used = {"Standard": None}

    def learn(self, root: Element, *, of_pages: bool = False) -> None:
        """Take the styles, the title and the language of a part. Styles without a name for people hold in their part:
        those beside pages (`of_pages`) in headers and footers, others in the text; both may use the same names.
        """
        for part in root:
            name = name_of(part)
            if name == "meta":
                self._learn_file(part)
            own = self._looks_of_pages if of_pages else self._looks
            both = (own,) if name == "automatic-styles" else (self._looks, self._looks_of_pages)
            if name in ("styles", "automatic-styles", "master-styles", "font-face-decls"):
                for each in part:
                    kind = name_of(each)
                    if kind in ("style", "default-style"):
                        for looks in both:
                            looks.learn(each)
                    elif kind == "font-face":
                        for looks in both:
                            looks.learn_font(each)
                    elif kind == "master-page":
                        self._pages[value(each, "name")] = each

    def _learn_file(self, meta: Element) -> None:
        for each in meta:
            words, name = each.text or "", name_of(each)
            self._fields.learn(words)
            if name == "title":
                self._title = self._title or words
            elif name == "language":
                self._lang = self._lang or words

    def read(self, root: Element) -> Extracted:
        self.learn(root)
        body = child(root, "body", "text")
        if body is None:
            raise UnreadableFile(Unreadable.DAMAGED, "the document has no body of text")
        self._count(body)
        self._blocks(body)
        for notes in self._notes.values():
            for mark, note in tuple(notes):
                self._mark = mark
                self._blocks(note, kind="footnote")
        self._write_margins()
        return self._to.finish(READER, title=self._title, lang=self._lang, lost=told(self.lost))

    def _count(self, body: Element) -> None:
        """What is left out wherever it stands, and the paragraphs that a field hides."""
        for space, name, lost in (("text", "deletion", "tracked deletion{s}, left out"),
                                  ("text", "insertion", "tracked insertion{s}, kept"),
                                  ("office", "annotation", "comment{s}, left out"),
                                  ("draw", "control", "control{s} of a form")):  # fmt: skip
            self.lost[lost] += sum(1 for _ in body.iter(tag_of(space, name)))
        for each in body.iter(tag_of("text", "hidden-paragraph")):
            if withheld(each) != "shown":
                self._gone.add(next(each.iterancestors(tag_of("text", "p"), tag_of("text", "h")), each))
        self._fields.declare(body)

    def _write_margins(self) -> None:
        """Headers and footers of the pages in use, those of the same words once."""
        seen: set[str] = set()
        self._looks = self._looks_of_pages
        used, names = list(self._pages_used), set(self._pages_used)
        for name in used:
            page = self._pages.get(name)
            if page is None:
                continue
            following = value(page, "next-style-name")
            if following and following not in names:
                names.add(following)
                used.append(following)
            for each in page:
                words = " ".join("".join(each.itertext()).split())
                if name_of(each) in MARGINS and value(each, "display") != "false" and words not in seen:
                    seen.add(words)
                    self._blocks(each, kind="caption")

    def _blocks(self, element: Element, *, near: bool = False, kind: BlockKind = "paragraph") -> None:
        for each in element:
            name = name_of(each)
            if name in ("p", "h"):
                self._paragraph(each, kind, near=near)
                near = kind == "footnote"
            elif name == "list":
                self._list(each)
            elif name == "table":
                self._table(each)
            elif name in ("frame", "g") or name in SHAPES:
                self._drawn(each)
                self._write_boxes()
            elif name == "section":
                self._section(each)
            elif name in AROUND:
                self._blocks(each)
            elif name not in LEFT_OUT:
                self._strange(each, self._blocks)

    def _strange(self, element: Element, write: Callable[[Element], None], kind: str = _STRANGE) -> None:
        """Write what no program shows: where the format knows no such thing, or fields hold something else."""
        self.lost[kind] += has_words(element)
        kept = self._away, self._to.hiding
        self._away = self._to.hiding = True
        write(element)
        self._away, self._to.hiding = kept

    def _section(self, element: Element) -> None:
        state = withheld(element)
        if state == "hidden":
            return
        if state != "shown":
            self.lost["section{s} shown on a condition"] += 1
        look = self._looks.of("section", value(element, "style-name"))
        kept = self._ground, self._away
        self._ground = upon(look.ground, self._ground)
        self._away = self._away or look.unseen or state == "unknown"
        self._blocks(element)
        self._ground, self._away = kept

    def _paragraph(self, element: Element, kind: BlockKind, *, near: bool) -> None:
        look = self._looks.of("paragraph", value(element, "style-name") or "Standard")
        if look.page and kind != "caption":
            self._pages_used[look.page] = None
        if look.ink.hidden or element in self._gone:
            return
        level = value(element, "outline-level") if name_of(element) == "h" else ""
        if name_of(element) == "h" and kind != "caption":
            self._to.begin("heading", min(int(level), 10) if level.isdecimal() and len(level) < 4 else 1)
        else:
            self._to.begin(kind, near=near)
        kept = self._ink, self._ground, self._away
        self._ink, self._ground, self._away = look.ink, upon(look.ground, self._ground), self._away or look.unseen
        self._to.hiding = self._away or look.ink.is_unseen(self._ground)
        if self._mark:
            self._to.words(self._mark)
            self._to.space()
            self._mark = ""
        self._inline(element)
        self._ink, self._ground, self._away = kept
        self._to.hiding = False
        self._to.end()
        self._write_boxes()

    def _list(self, element: Element) -> None:
        for index, item in enumerate(each for each in element if name_of(each) in ("list-item", "list-header")):
            self._blocks(item, near=index > 0 or nested(element), kind="item")

    def _inline(self, element: Element) -> None:
        self._words(element.text)
        for each in element:
            self._piece(name_of(each), each)
            self._words(each.tail)

    def _words(self, text: str | None) -> None:
        if not text:
            return
        text = _SPACES.sub(" ", text)
        if self._ink.struck:
            self.lost[_STRUCK] += bool(text.strip()) and not self._to.hiding
            self._to.space()
            return
        if self._form and text.strip():
            text = raised(text) if self._form == "super" else lowered(text)
        self._to.words(text)

    def _piece(self, name: str, element: Element) -> None:
        if name == "span":
            self._span(element)
        elif name == "s":
            count = value(element, "c")
            self._to.space(" " * (min(int(count), _MOST_REPEATED) if count.isdecimal() and len(count) < 9 else 1))
        elif name == "tab":
            self._to.space(" " if self._in_row else "\t")
        elif name == "line-break":
            self._to.line()
        elif name == "note":
            self._note(element)
        elif name in ("bookmark", "bookmark-start", "reference-mark", "reference-mark-start"):
            self._to.element(value(element, "name"))
        elif name in ("frame", "g") or name in SHAPES:
            self._drawn(element)
        elif name == "hidden-text":
            state = withheld(element)
            self.lost["word{s} shown on a condition"] += state == "unknown"
            if state == "shown" and value(element, "is-hidden") == "false":
                self._to.words(value(element, "string-value") or element.text or "")
        elif name in ("fieldmark", "fieldmark-start"):
            self._to.words(form_field(element))
        elif name == UNKNOWN or name in BLOCKS:
            self._strange(element, self._inline)
        elif name not in LEFT_OUT and (value(element, "display") != "none" or name in ("sequence", "expression")):
            self._field(name, element)

    def _field(self, name: str, element: Element) -> None:
        """What a program works out, or a mark around words."""
        words = self._fields.shown(element) if name in CHOSEN else ""
        if words:
            self._words(words)
        elif self._fields.is_stale(element):
            self._strange(element, self._inline, _STALE)
        else:
            self._inline(element)

    def _span(self, element: Element) -> None:
        look = self._looks.of("text", value(element, "style-name"))
        if look.ink.hidden:
            return
        kept = self._form, self._to.hiding, self._ink
        self._form = self._form if look.form is None else look.form
        if look.ink is not PLAIN:
            self._ink = look.ink.over(self._ink)
            self._to.hiding = self._away or self._ink.is_unseen(self._ground)
        self._inline(element)
        self._form, self._to.hiding, self._ink = kept

    def _note(self, element: Element) -> None:
        kind = "endnote" if value(element, "note-class") == "endnote" else "footnote"
        citation, body = child(element, "note-citation"), child(element, "note-body")
        mark = "".join(citation.itertext()).strip() if citation is not None else ""
        mark = f"[{mark or len(self._notes[kind]) + 1}]"
        self._to.words(mark)
        if body is not None:
            self._notes[kind].append((mark, body))

    def _drawn(self, element: Element, *, unseen: bool = False) -> None:
        look = self._looks.of("graphic", value(element, "style-name"))
        away = not is_placed(element)
        self.lost[_AWAY] += away and not unseen and has_words(element)
        unseen = unseen or away or look.unseen or not is_shown(element)
        shape = name_of(element) in SHAPES
        ground = upon(look.behind(filled=shape), self._ground)
        self.lost["shape{s} or picture{s} laid over words"] += (
            not unseen and self._looks is not self._looks_of_pages and is_laid_over(element, look)
        )  # what headers and footers hold lies under the text
        if shape:
            self._boxes.append((element, ground, unseen))
            return
        contents = [each for each in element if name_of(element) != "frame" or name_of(each) in CONTENTS]
        for each in contents if name_of(element) == "g" else contents[:1]:
            name = name_of(each)
            if name == "text-box":
                self._boxes.append((each, ground, unseen))
            elif name in ("object", "object-ole"):
                self.lost["embedded object{s}"] += 1
                return
            elif name == "image" and fills_page(element):
                self.lost["picture{s} of a page's size"] += 1
            elif name in ("frame", "g") or name in SHAPES:
                self._drawn(each, unseen=unseen)

    def _write_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        kept = self._ground, self._away
        for box, ground, unseen in boxes:
            self._ground, self._away = ground, kept[1] or unseen
            self._blocks(box)
        self._ground, self._away = kept

    def _table(self, element: Element) -> None:
        every = list(rows_of(element, header=False))
        rows = [(row, header) for row, header in every if is_shown_row(row) and not self._is_flat(row)]
        self.lost["hidden row{s}"] += len(every) - len(rows)
        hidden = hidden_columns(element, self._looks)
        passed: set[int] = set()  # hidden columns that hold something
        look = self._looks.of("table", value(element, "style-name"))
        if look.page:
            self._pages_used[look.page] = None
        kept, around = (self._ground, self._away), upon(look.ground, self._ground)
        self._away = self._away or look.unseen
        if len(rows) == 1 and len(rows[0][0]) == 1 and not hidden:
            self._enter(rows[0][0][0], rows[0][0], around)
            self._blocks(rows[0][0][0])
            self._ground, self._away = kept
            return
        self._to.border()
        grid, outer, number = Grid(whole=True), self._in_row, 0
        for row, header in rows:
            number += 1
            self._to.begin_row()
            self._in_row = True
            cells: list[Cell] = []
            for cell in row:
                if name_of(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                self._enter(cell, row, around)
                for time in range(min(count_of(cell, "number-columns-repeated"), MOST_COLUMNS)):
                    mark = self._to.cell(len(cells))
                    if len(cells) in hidden:
                        passed.update({len(cells)} if len(cell) else ())
                    elif name_of(cell) == "covered-table-cell":
                        self.lost[_UNSEEN] += has_words(cell)
                    elif time < _MOST_TIMES:
                        self._blocks(cell)
                    cells.append(read_cell(cell, self._to.since(mark)))
            self._ground = kept[0]
            names = header or (row is rows[0][0] and names_first([each for each, _ in rows[:2]]))
            self._to.end_row(number, grid.row(cells, header=names))
            number += count_of(row, "number-rows-repeated") - 1
        self._in_row, self._away = outer, kept[1]
        self.lost["hidden column{s}"] += len(passed)
        self._to.end_table()

    def _is_flat(self, row: Element) -> bool:
        """Whether a row holds words in a height that shows none."""
        return self._looks.of("table-row", value(row, "style-name")).unseen and has_words(row)

    def _enter(self, cell: Element, row: Element, ground: str) -> None:
        """Take the ground of a cell: its own, else that of its row, else `ground`."""
        ground = upon(self._looks.of("table-row", value(row, "style-name")).ground, ground)
        style = value(cell, "style-name") or value(row, "default-cell-style-name")
        self._ground = upon(self._looks.of("table-cell", style).ground, ground)
