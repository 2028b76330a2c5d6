"""OpenDocument texts (ODT), read from the package itself: what a word processor shows of the body.

Kept: headings, paragraphs, lists, tables (rows, headers), sections, links, fields as they were last shown, indexes,
text boxes (after the paragraph that holds them). Notes stand at the end, their marks in brackets. White space is
collapsed as the format says, `text:s`, tabs and line breaks kept. Left out: headers and footers (furniture of pages
that only a layout has), comments, what styles, sections or fields hide, numbers that the program counts. Told as lost:
tracked deletions, hidden rows and columns, embedded objects, macros, pictures of a page's size. Letters in the colour
of their ground, or of two points at most, stay and are marked hidden.
"""

import re
from collections import Counter
from math import ceil
from typing import Final

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.composing import Composer, lowered, raised, told
from verified_gate.ingest.formats.grid import MOST_COLUMNS, Cell, Grid
from verified_gate.ingest.formats.markup import READER, Element, local_name, parse_xml
from verified_gate.ingest.formats.word_styles import NO_GROUND, PLAIN, Ink, child, upon, value
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_LENGTH: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt)")
_IN_CM: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72}
_PAGE_SIZED: Final = (12.0, 16.0)
_FONT_SIZE: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt|%)")
_USUAL_SIZE: Final = 24
"""Half points that a size in percent is taken of."""
_SHARE: Final = re.compile(r"(\d{1,3})(?:\.\d{1,9})?%")
_LEAST_SHARE: Final = 5
"""Per cent of a letter's width or opacity: with less it is not seen."""
_LAST_COLUMN: Final = 16_384
_MOST_ANCESTORS: Final = 100
_MOST_REPEATED: Final = 1_000
_LEFT_OUT: Final = frozenset(
    {"tracked-changes", "annotation", "annotation-end", "sequence-decls", "variable-decls", "user-field-decls", "forms",
     "note-citation", "hidden-text", "hidden-paragraph", "table-column", "table-columns", "table-source", "ruby-text",
     "desc", "title", "index-title-template", "event-listeners", "scripts", "soft-page-break", "dde-connection-decls",
     "table-of-content-source", "illustration-index-source", "table-index-source", "object-index-source",
     "user-index-source", "alphabetical-index-source", "bibliography-source"}
)  # fmt: skip


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
                document.learn(parse_xml(part))
        if any(name.startswith(("Basic/", "Scripts/")) for name in archive.names):
            document.lost["macros"] += 1
        return document.read(parse_xml(content))


class _Document:
    def __init__(self, limits: ReadingLimits) -> None:
        self.lost: Counter[str] = Counter()
        self._to = Composer(limits)
        self._given: dict[str, tuple[Ink, str]] = {}  # style -> ink and ground, as it says itself
        self._made: dict[str, tuple[Ink, str]] = {}  # with what it has from those above it
        self._ink, self._ground = PLAIN, "ffffff"  # of the words that come next
        self._gone: set[Element] = set()  # paragraphs that a field hides
        self._forms: dict[str, str] = {}  # style -> "super" or "sub"
        self._parents: dict[str, str] = {}
        self._title = self._lang = ""
        self._notes: dict[str, list[tuple[str, Element]]] = {"footnote": [], "endnote": []}
        self._boxes: list[Element] = []
        self._form = ""
        self._mark = ""  # of the note that begins
        self._in_row = False

    def learn(self, root: Element) -> None:
        """Take the styles, the title and the language of a part."""
        for element in root.iter("{*}style", "{*}default-style", "{*}title", "{*}language"):
            name = local_name(element)
            if name in ("style", "default-style"):
                self._learn_style(element)
            elif name == "title":
                self._title = self._title or element.text or ""
            else:
                self._lang = self._lang or element.text or ""

    def read(self, root: Element) -> Extracted:
        self.learn(root)
        body = child(root, "body", "text")
        if body is None:
            raise UnreadableFile(Unreadable.DAMAGED, "the document has no body of text")
        self.lost["tracked deletion{s}, left out"] += sum(1 for _ in root.iter("{*}deletion"))
        for each in root.iter("{*}hidden-paragraph"):
            if value(each, "is-hidden") == "true":
                self._gone.add(next(each.iterancestors("{*}p", "{*}h"), each))
        self._blocks(body)
        for notes in self._notes.values():
            for mark, note in tuple(notes):
                self._mark = mark
                self._blocks(note, kind="footnote")
        return self._to.finish(READER, title=self._title, lang=self._lang, lost=told(self.lost))

    def _learn_style(self, element: Element) -> None:
        key = f"{value(element, 'family')}/{value(element, 'name')}"
        self._parents[key] = f"{value(element, 'family')}/{value(element, 'parent-style-name')}"
        text = child(element, "text-properties")
        ground = ""
        for each in element:
            if local_name(each) in _GROUNDED:
                ground = _color(value(each, "background-color")) or ground
        self._given[key] = _ink(text), ground
        place = value(text, "text-position").split(" ", 1)[0]
        if place in ("super", "sub") or place.rstrip("%").lstrip("-").isdigit():
            raises = place == "super" or (place != "sub" and not place.startswith("-") and place.rstrip("%") != "0")
            self._forms[key] = "super" if raises else "" if place.rstrip("%") == "0" else "sub"

    def _look(self, family: str, name: str) -> tuple[Ink, str]:
        """Ink and ground of a style, with what it has from its ancestors and from the default of its family."""
        key = f"{family}/{name}"
        if key not in self._made:
            ink, ground, above, last = PLAIN, "", key, f"{family}/"
            chain: dict[str, None] = {}  # styles may be based on each other in a ring
            while above not in chain and len(chain) < _MOST_ANCESTORS:
                chain[above] = None
                above = self._parents.get(above, last)
            for each in (*chain, *(() if last in chain else (last,))):
                own, under = self._given.get(each, (PLAIN, ""))
                ink, ground = ink.over(own), ground or under
            self._made[key] = ink, ground
        return self._made[key]

    def _blocks(self, element: Element, *, near: bool = False, kind: BlockKind = "paragraph") -> None:
        for each in element:
            name = local_name(each)
            if name in ("p", "h"):
                self._paragraph(each, kind, near=near)
                near = kind == "footnote"
            elif name == "list":
                self._list(each)
            elif name == "table":
                self._table(each)
            elif name == "frame":
                self._drawn(each)
                self._write_boxes()
            elif name == "section":
                self._section(each)
            elif name and name not in _LEFT_OUT:
                self._blocks(each)

    def _section(self, element: Element) -> None:
        shown = value(element, "display")
        if shown == "none" or (shown == "condition" and value(element, "is-hidden") == "true"):
            return
        outer = self._ground
        self._ground = upon(self._look("section", value(element, "style-name"))[1], outer)
        self._blocks(element)
        self._ground = outer

    def _paragraph(self, element: Element, kind: BlockKind, *, near: bool) -> None:
        ink, ground = self._look("paragraph", value(element, "style-name") or "Standard")
        if ink.hidden or element in self._gone:
            return
        level = value(element, "outline-level") if local_name(element) == "h" else ""
        if local_name(element) == "h":
            self._to.begin("heading", min(int(level), 10) if level.isdigit() and len(level) < 4 else 1)
        else:
            self._to.begin(kind, near=near)
        kept = self._ink, self._ground, self._to.hiding
        self._ink, self._ground = ink, upon(ground, self._ground)
        self._to.hiding = ink.is_unseen(self._ground)
        if self._mark:
            self._to.words(self._mark)
            self._to.space()
            self._mark = ""
        self._inline(element)
        self._ink, self._ground, self._to.hiding = kept
        self._to.end()
        self._write_boxes()

    def _list(self, element: Element) -> None:
        for index, item in enumerate(each for each in element if local_name(each) in ("list-item", "list-header")):
            self._blocks(item, near=index > 0 or self._nested(element), kind="item")

    @staticmethod
    def _nested(element: Element) -> bool:
        parent = element.getparent()
        return parent is not None and local_name(parent) == "list-item"

    def _inline(self, element: Element) -> None:
        self._words(element.text)
        for each in element:
            self._piece(local_name(each), each)
            self._words(each.tail)

    def _words(self, text: str | None) -> None:
        if not text:
            return
        text = _SPACES.sub(" ", text)
        if self._form and text.strip():
            text = raised(text) if self._form == "super" else lowered(text)
        self._to.words(text)

    def _piece(self, name: str, element: Element) -> None:
        if name == "span":
            self._span(element)
        elif name == "s":
            count = value(element, "c")
            self._to.space(" " * (min(int(count), _MOST_REPEATED) if count.isdigit() and len(count) < 9 else 1))
        elif name == "tab":
            self._to.space(" " if self._in_row else "\t")
        elif name == "line-break":
            self._to.line()
        elif name == "note":
            self._note(element)
        elif name in ("bookmark", "bookmark-start", "reference-mark", "reference-mark-start"):
            self._to.element(value(element, "name"))
        elif name in ("frame", "g", "custom-shape", "rect", "a"):
            self._drawn(element) if name != "a" else self._inline(element)
        elif name == "conditional-text" or name not in _LEFT_OUT:
            self._inline(element)

    def _span(self, element: Element) -> None:
        style = value(element, "style-name")
        ink = self._look("text", style)[0]
        if ink.hidden:
            return
        kept = self._form, self._to.hiding, self._ink
        self._form = self._forms.get(f"text/{style}", self._form)
        if ink is not PLAIN:
            self._ink = ink.over(self._ink)
            self._to.hiding = self._ink.is_unseen(self._ground)
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

    def _drawn(self, element: Element) -> None:
        if local_name(element) in ("custom-shape", "rect"):
            self._boxes.append(element)
            return
        for each in element:
            name = local_name(each)
            if name == "text-box":
                self._boxes.append(each)
            elif name in ("object", "object-ole"):
                self.lost["embedded object{s}"] += 1
                return
            elif name == "image" and _fills_page(element):
                self.lost["picture{s} of a page's size"] += 1
            elif name in ("frame", "g", "custom-shape", "rect"):
                self._drawn(each)

    def _write_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._blocks(box)

    def _table(self, element: Element) -> None:
        every = list(_rows(element, header=False))
        rows = [(row, header) for row, header in every if _is_shown(row)]
        self.lost["hidden row{s}"] += len(every) - len(rows)
        hidden = _hidden_columns(element)
        passed: set[int] = set()  # hidden columns that hold something
        kept, around = self._ground, upon(self._look("table", value(element, "style-name"))[1], self._ground)
        if len(rows) == 1 and len(rows[0][0]) == 1 and not hidden:
            self._enter(rows[0][0][0], rows[0][0], around)
            self._blocks(rows[0][0][0])
            self._ground = kept
            return
        self._to.border()
        grid, outer, number = Grid(), self._in_row, 0
        for row, header in rows:
            number += 1
            self._to.begin_row()
            self._in_row = True
            cells: list[Cell] = []
            for cell in row:
                if local_name(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                mark = self._to.cell(len(cells))
                self._enter(cell, row, around)
                if len(cells) not in hidden:
                    self._blocks(cell)
                elif len(cell):
                    passed.add(len(cells))
                cells.append(Cell(self._to.since(mark)))
                repeated = value(cell, "number-columns-repeated")
                if repeated.isdigit() and len(repeated) < 9:
                    for _ in range(min(int(repeated), MOST_COLUMNS) - 1):
                        self._to.cell(len(cells))
                        cells.append(Cell(""))
            self._ground = kept
            self._to.end_row(number, grid.row(cells, header=header))
            repeated = value(row, "number-rows-repeated")
            number += int(repeated) - 1 if repeated.isdigit() and 0 < len(repeated) < 7 and repeated != "0" else 0
        self._in_row = outer
        self.lost["hidden column{s}"] += len(passed)
        self._to.end_table()

    def _enter(self, cell: Element, row: Element, ground: str) -> None:
        """Take the ground of a cell: its own, else that of its row, else `ground`."""
        ground = upon(self._look("table-row", value(row, "style-name"))[1], ground)
        style = value(cell, "style-name") or value(row, "default-cell-style-name")
        self._ground = upon(self._look("table-cell", style)[1], ground)


_GROUNDED: Final = frozenset(
    {"paragraph-properties", "table-properties", "table-row-properties", "table-cell-properties", "section-properties"}
)


def _ink(properties: Element | None) -> Ink:
    """What the text properties of a style say."""
    if properties is None:
        return PLAIN
    shown = value(properties, "display")
    color = "auto" if value(properties, "use-window-font-color") == "true" else _color(value(properties, "color"))
    size = 0
    given = _FONT_SIZE.fullmatch(value(properties, "font-size"))
    if given:
        points = _IN_CM[given[2]] / _IN_CM["pt"] * 2 if given[2] != "%" else _USUAL_SIZE / 100
        size = max(ceil(float(given[1]) * points), 1)
    for name in ("text-scale", "opacity"):
        share = _SHARE.fullmatch(value(properties, name))
        size = 1 if share and int(share[1]) < _LEAST_SHARE else size
    ground = _color(value(properties, "background-color"))
    hidden = None if not shown else shown == "none"
    return Ink(hidden, color, size, ground) if shown or color or size or ground else PLAIN


def _color(given: str) -> str:
    return NO_GROUND if given == "transparent" else given.lower().removeprefix("#")


def _is_shown(element: Element) -> bool:
    """Whether a row or column is shown, and the groups that it is in."""
    if value(element, "visibility") in ("collapse", "filter"):
        return False
    groups = element.iterancestors("{*}table-row-group", "{*}table-column-group", "{*}table")
    for each in groups:
        if local_name(each) == "table":
            break
        if value(each, "display") == "false":
            return False
    return True


def _hidden_columns(table: Element) -> set[int]:
    """The columns, from 0, that are not shown."""
    hidden: set[int] = set()
    at = 0
    columns = [each for part in table if local_name(part).startswith("table-") and "column" in local_name(part)
               for each in part.iter("{*}table-column")]  # fmt: skip
    for each in columns:
        repeated = value(each, "number-columns-repeated")
        count = int(repeated) if repeated.isdigit() and len(repeated) < 9 else 1
        if not _is_shown(each):
            hidden.update(range(at, min(at + count, _LAST_COLUMN)))
        at += count
    return hidden


def _rows(element: Element, *, header: bool) -> list[tuple[Element, bool]]:
    """Rows, each with whether the table repeats it as its header."""
    found: list[tuple[Element, bool]] = []
    for each in element:
        name = local_name(each)
        if name == "table-row":
            found.append((each, header))
        elif name in ("table-header-rows", "table-rows", "table-row-group"):
            found += _rows(each, header=header or name == "table-header-rows")
    return found


def _fills_page(frame: Element) -> bool:
    sizes = [_LENGTH.fullmatch(value(frame, side)) for side in ("width", "height")]
    return all(
        size is not None and float(size[1]) * _IN_CM[size[2]] >= least
        for size, least in zip(sizes, _PAGE_SIZED, strict=True)
    )
