"""OpenDocument texts (ODT), read from the package itself: what a word processor shows of the body.

Kept: headings, paragraphs, lists, tables (rows, headers), sections, links, fields as they were last shown, indexes,
text boxes (after the paragraph that holds them). Notes stand at the end, their marks in brackets. White space is
collapsed as the format says, `text:s`, tabs and line breaks kept. Left out: headers and footers (furniture of pages
that only a layout has), comments, what styles or fields hide, numbers that the program counts. Told as lost: tracked
deletions, embedded objects, macros, pictures of a page's size.
"""

import re
from collections import Counter
from typing import Final

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.composing import Composer, lowered, raised, told
from verified_gate.ingest.formats.grid import MOST_COLUMNS, Cell, Grid
from verified_gate.ingest.formats.markup import READER, Element, local_name, parse_xml
from verified_gate.ingest.formats.word_styles import child, value
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_LENGTH: Final = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt)")
_IN_CM: Final = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72}
_PAGE_SIZED: Final = (12.0, 16.0)
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
        self._gone: set[str] = set()  # styles that hide
        self._white: set[str] = set()
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
        for element in root.iter("{*}style", "{*}title", "{*}language"):
            name = local_name(element)
            if name == "style":
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
        if value(text, "display") == "none":
            self._gone.add(key)
        if value(text, "color").lower() == "#ffffff" and value(text, "background-color") in (
            "",
            "transparent",
            "#ffffff",
        ):
            ground = value(child(element, "paragraph-properties"), "background-color")
            if ground in ("", "transparent", "#ffffff"):
                self._white.add(key)
        place = value(text, "text-position").split(" ", 1)[0]
        if place in ("super", "sub") or place.rstrip("%").lstrip("-").isdigit():
            raises = place == "super" or (place != "sub" and not place.startswith("-") and place.rstrip("%") != "0")
            self._forms[key] = "super" if raises else "" if place.rstrip("%") == "0" else "sub"

    def _is(self, styles: set[str], family: str, name: str) -> bool:
        key = f"{family}/{name}"
        for _ in range(20):  # styles may be based on each other in a ring
            if key in styles:
                return True
            if key not in self._parents:
                break
            key = self._parents[key]
        return False

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
            elif value(each, "display") == "none" and name == "section":
                continue
            elif name and name not in _LEFT_OUT:
                self._blocks(each)

    def _paragraph(self, element: Element, kind: BlockKind, *, near: bool) -> None:
        style = value(element, "style-name")
        if self._is(self._gone, "paragraph", style):
            return
        level = value(element, "outline-level") if local_name(element) == "h" else ""
        if local_name(element) == "h":
            self._to.begin("heading", min(int(level), 10) if level.isdigit() and len(level) < 4 else 1)
        else:
            self._to.begin(kind, near=near)
        if self._mark:
            self._to.words(self._mark)
            self._to.space()
            self._mark = ""
        hiding = self._to.hiding
        self._to.hiding = hiding or (self._is(self._white, "paragraph", style) and not self._in_row)
        self._inline(element)
        self._to.hiding = hiding
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
        if self._is(self._gone, "text", style):
            return
        kept = self._form, self._to.hiding
        self._form = self._forms.get(f"text/{style}", self._form)
        self._to.hiding = self._to.hiding or (self._is(self._white, "text", style) and not self._in_row)
        self._inline(element)
        self._form, self._to.hiding = kept

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
        rows = list(_rows(element, header=False))
        if len(rows) == 1 and len(rows[0][0]) == 1:
            self._blocks(rows[0][0][0])
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
                self._blocks(cell)
                cells.append(Cell(self._to.since(mark)))
                repeated = value(cell, "number-columns-repeated")
                if repeated.isdigit() and len(repeated) < 9:
                    for _ in range(min(int(repeated), MOST_COLUMNS) - 1):
                        self._to.cell(len(cells))
                        cells.append(Cell(""))
            self._to.end_row(number, grid.row(cells, header=header))
            repeated = value(row, "number-rows-repeated")
            number += int(repeated) - 1 if repeated.isdigit() and 0 < len(repeated) < 7 and repeated != "0" else 0
        self._in_row = outer
        self._to.end_table()


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
