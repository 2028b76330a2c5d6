"""Word documents (DOCX), read from the package itself: the text that Word shows, with all changes accepted.

Kept: paragraphs, headings by outline level, lists with the numbers that Word counts for them, tables (rows, headers),
hyperlinks, content controls, text boxes (after the paragraph that holds them), results of fields, insertions. Notes
stand at the end, their marks in brackets; formulas on one line; exponents as their signs. Left out: headers and
footers (furniture of pages that only a layout has), comments, instructions of fields, hidden text (`vanish`), tracked
deletions. Told as lost: tracked changes, since a reader sees them still; hidden rows; embedded objects, charts,
diagrams, macros; pictures of a page's size (a scan), while smaller ones leave the document complete. Letters in the
colour of their ground, or of two points at most, by the run or by any style, stay and are marked hidden.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats.archive import Archive
from verified_gate.ingest.formats.composing import Composer, lowered, raised, told
from verified_gate.ingest.formats.formula import linear
from verified_gate.ingest.formats.grid import Cell, Grid
from verified_gate.ingest.formats.markup import READER, Element, local_name
from verified_gate.ingest.formats.package import Package
from verified_gate.ingest.formats.word_styles import (
    PLAIN,
    Numbering,
    Style,
    Styles,
    child,
    ground_of,
    ink_of,
    looks,
    named,
    number_of,
    parts_of,
    roman,
    switched,
    upon,
    value,
)
from verified_gate.ingest.limits import ReadingLimits

_THROUGH: Final = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "hyperlink", "fldSimple", "dir", "bdo",
                             "subDoc", "ruby", "rubyBase"})  # fmt: skip
_SIGNS: Final = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_EMU_PER_CM: Final = 360_000
_PAGE_SIZED: Final = (12 * _EMU_PER_CM, 16 * _EMU_PER_CM)
"""A picture of at least this width and height fills a page, and may be a scan of one."""
_MICROSOFT: Final = "http://schemas.microsoft.com/office/"
_KNOWN: Final = frozenset(
    {_MICROSOFT + name for name in (
        "word/2006/wordml", "word/2010/wordml", "word/2012/wordml", "word/2015/wordml/symex", "word/2016/wordml/cid",
        "word/2018/wordml", "word/2018/wordml/cex", "word/2020/wordml/sdtdatahash", "word/2010/wordprocessingShape",
        "word/2010/wordprocessingGroup", "word/2010/wordprocessingCanvas", "word/2010/wordprocessingDrawing",
        "word/2010/wordprocessingInk", "drawing/2010/main", "drawing/2014/chartex", "drawing/2015/9/8/chartex",
        "drawing/2015/10/21/chartex", "drawing/2016/5/9/chartex", "drawing/2016/ink", "drawing/2017/model3d",
    )}
    | {"http://schemas.openxmlformats.org/" + name for name in (
        "wordprocessingml/2006/main", "officeDocument/2006/math", "drawingml/2006/wordprocessingDrawing",
        "drawingml/2006/main", "drawingml/2006/chart", "drawingml/2006/picture")}
    | {"urn:schemas-microsoft-com:vml", "urn:schemas-microsoft-com:office:office"}
)  # fmt: skip
"""What Word understands: of alternatives it takes the first that requires no more than this."""
_OBJECTS: Final = {"chart": "chart{s}", "diagram": "diagram{s}"}


def read(data: bytes, limits: ReadingLimits, **_: str) -> Extracted:
    """Read a document. Raises `UnreadableFile`."""
    with Archive(data, limits) as archive:
        return _Document(Package(archive), limits).read()


class _Document:
    def __init__(self, package: Package, limits: ReadingLimits) -> None:
        self._package = package
        self._to = Composer(limits)
        self._styles = Styles(package.part("styles"))
        self._numbers = Numbering(package.part("numbering"))
        self._lost: Counter[str] = Counter()
        self._fields: list[bool] = []  # of the fields that are open: whether their result has begun
        self._boxes: list[Element] = []
        self._notes: dict[str, list[str]] = {"footnote": [], "endnote": []}  # their ids, as they are referred to
        self._mark = ""  # of the note that begins
        self._noted = False
        self._style = Style()
        self._around = self._styles.ink  # that paragraphs begin with: of the document, of the table
        self._ink, self._unseen = PLAIN, False  # of the paragraph
        self._ground = "ffffff"  # behind the run: of the paragraph, cell, table or page
        self._last: BlockKind | None = None
        self._in_row = False

    def read(self) -> Extracted:
        root = self._package.parse(self._package.main)
        page = child(root, "background")
        if page is not None and switched(self._package.part("settings"), "displayBackgroundShape"):
            self._ground = value(page, "color").lower() or "unknown"
        body = child(root, "body")
        if body is not None:
            self._blocks(body)
        self._write_notes()
        if self._package.has_macros:
            self._lost["macros"] += 1
        if self._fields:
            self._lost["unfinished field{s}"] += len(self._fields)
        title, lang = self._package.core()
        return self._to.finish(READER, title=title, lang=lang or self._styles.lang, lost=told(self._lost))

    def _blocks(self, element: Iterable[Element]) -> None:
        for each in element:
            name = local_name(each)
            if name == "p":
                self._paragraph(each)
            elif name == "tbl":
                self._table(each)
            elif name == "altChunk":
                self._lost["embedded document{s}"] += 1
            elif name in ("ins", "moveTo") or name in _THROUGH:
                self._blocks(each)
            elif name == "AlternateContent":
                self._blocks(_choice(each))
            elif name == "oMathPara":
                self._formula(each)

    def _paragraph(self, element: Element) -> None:
        properties = child(element, "pPr")
        self._style = style = self._styles.paragraph(value(child(properties, "pStyle")))
        outline = value(child(properties, "outlineLvl"))
        level = int(outline) + 1 if outline.isdigit() and int(outline) < 9 else style.level
        number = number_of(properties) or style.number
        listed = number is not None and number[0] not in ("", "0")
        kind: BlockKind = "paragraph"
        if self._noted:
            kind = "footnote"
        elif level:
            kind = "heading"
        elif style.is_code:
            kind = "code"
        elif style.name == "caption":
            kind = "caption"
        elif listed:
            kind = "item"
        before = self._to.length
        outer = self._ground
        self._ground = upon(ground_of(child(properties, "shd")) or style.ground, outer)
        self._ink = style.ink.beside(self._around)
        self._unseen = self._ink.is_unseen(self._ground)
        near = kind == self._last and kind in ("item", "code", "footnote")
        self._to.begin(kind, level if kind == "heading" else 0, near=near and not self._mark)
        if self._mark or listed:
            self._number(element, number if listed else None)
        self._runs(element)
        self._to.end()
        self._ground = outer
        self._last = kind if self._to.length > before else self._last
        self._write_boxes()

    def _number(self, element: Element, number: tuple[str, int] | None) -> None:
        """The mark of a note and the number that Word shows; an empty paragraph counts, and shows none here."""
        shown = self._numbers.next(number) if number else ""
        if any(each.text for each in element.iter("{*}t")):
            for sign in filter(None, (self._mark, shown)):
                self._to.words(sign)
                self._to.space()
            self._mark = ""

    def _write_boxes(self) -> None:
        boxes, self._boxes = self._boxes, []
        fields, self._fields = self._fields, []
        for box in boxes:
            self._blocks(box)
        self._fields = fields

    def _write_notes(self) -> None:
        """Footnotes, then endnotes, as they are referred to. Those in a note's own text are notes no more."""
        for kind, names in self._notes.items():
            root = self._package.part(f"{kind}s")
            notes = root.iter(f"{{*}}{kind}") if root is not None else ()
            held = {value(each, "id"): each for each in notes}
            for number, name in enumerate(tuple(names), 1):
                note = held.pop(name, None)
                if note is not None:
                    self._mark, self._noted = _mark(kind, number), True
                    self._last = None
                    self._blocks(note)
        self._noted = False

    def _runs(self, element: Iterable[Element]) -> None:
        for each in element:
            name = local_name(each)
            if name == "r":
                self._run(each)
            elif name in ("ins", "moveTo"):
                self._lost["tracked insertion{s}, kept"] += 1
                self._runs(each)
            elif name in ("del", "moveFrom"):
                self._lost["tracked deletion{s}, left out"] += 1
            elif name in _THROUGH:
                self._runs(each)
            elif name == "AlternateContent":
                self._runs(_choice(each))
            elif name in ("oMath", "oMathPara"):
                self._formula(each)

    def _run(self, run: Element) -> None:
        properties = child(run, "rPr")
        form: Callable[[str], str] | None = None
        hiding, ink, unseen = self._to.hiding, self._ink, self._unseen
        if properties is not None:
            held = named(properties)
            own, name = ink_of(held), value(held.get("rStyle"))
            if name or own is not PLAIN:
                ink = own.over(self._styles.of(name).ink.beside(ink))
                unseen = ink.is_unseen(self._ground)
            form = {"superscript": raised, "subscript": lowered}.get(value(held.get("vertAlign")))
        if ink.hidden:
            self._silent(run)
            return
        self._to.hiding = unseen
        for each in run:
            self._piece(local_name(each), each, form)
        self._to.hiding = hiding

    def _silent(self, run: Element) -> None:
        """Hidden: only what opens and closes fields counts."""
        for each in run:
            if local_name(each) == "fldChar":
                self._field(value(each, "fldCharType"))

    def _piece(self, name: str, element: Element, form: Callable[[str], str] | None) -> None:
        if name == "fldChar":
            self._field(value(element, "fldCharType"))
        elif self._fields and not all(self._fields):
            return  # inside the instruction of a field
        elif name == "t":
            text = (element.text or "").translate(_FLAT)
            self._to.words(form(text) if form and text.strip() else text)
        elif name in _SIGNS:
            sign = _SIGNS[name]
            if sign != "\t":
                self._to.words(sign)
            else:
                self._to.space(" " if self._in_row else sign)
        elif name in ("br", "cr"):
            self._to.line()
        elif name in ("footnoteReference", "endnoteReference"):
            self._refer(name.removesuffix("Reference"), value(element, "id"))
        elif name == "sym":
            self._lost["sign{s} of symbol fonts"] += 1
        elif name in ("drawing", "pict", "object"):
            self._drawn(element)
        elif name == "AlternateContent":
            for each in _choice(element):
                self._piece(local_name(each), each, form)
        elif name == "ruby":
            self._runs(element)

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif kind == "separate" and self._fields:
            self._fields[-1] = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _refer(self, kind: str, name: str) -> None:
        self._notes[kind].append(name)
        self._to.words(_mark(kind, len(self._notes[kind])))

    def _formula(self, element: Element) -> None:
        text = linear(element)
        if text.strip() and all(self._fields):
            self._to.words(text)

    def _drawn(self, element: Element) -> None:
        """Text boxes are kept for later; of the rest it is told what has words that are not read."""
        nested = list(_boxes(element))
        self._boxes += nested
        if local_name(element) == "object" or any(True for _ in element.iter("{*}OLEObject")):
            self._lost["embedded object{s}"] += 1
        for data in element.iter("{*}graphicData"):
            told = _OBJECTS.get(value(data, "uri").rpartition("/")[2])
            if told:
                self._lost[told] += 1
        if not nested and any(True for _ in element.iter("{*}blip")):
            extent = next(element.iter("{*}extent"), None)
            size = tuple(value(extent, side) for side in ("cx", "cy"))
            if all(s.isdigit() and int(s) >= least for s, least in zip(size, _PAGE_SIZED, strict=True)):
                self._lost["picture{s} of a page's size"] += 1

    def _table(self, element: Element) -> None:
        every = list(_flat(element, "tr"))
        rows = [row for row in every if not _is_deleted(row)]
        self._lost["tracked deletion{s}, left out"] += len(every) - len(rows)
        shown = [row for row in rows if not switched(child(row, "trPr"), "hidden")]
        self._lost["hidden row{s}"] += len(rows) - len(shown)
        rows = shown
        cells = [list(_flat(row, "tc")) for row in rows]
        self._last = None
        properties = child(element, "tblPr")
        style, on = self._styles.table(value(child(properties, "tblStyle"))), looks(child(properties, "tblLook"))
        kept = self._around, self._ground
        if len(rows) == 1 and len(cells[0]) == 1:  # a frame around running text
            self._enter(cells[0][0], style, kept[1], [part for part in ("firstCol", "firstRow") if part in on])
            self._blocks(cells[0][0])
            self._around, self._ground = kept
            return
        first_row = ("firstRow" in on and "firstRow" in style.parts) or _in_bold(cells[:1])
        first_column = "firstCol" in on and "firstCol" in style.parts
        self._to.border()
        grid, outer = Grid(), self._in_row
        for number, (row, held) in enumerate(zip(rows, cells, strict=True), 1):
            header = switched(child(row, "trPr"), "tblHeader") is True
            self._to.begin_row()
            self._in_row = True
            read: list[Cell] = []
            late = value(child(row, "trPr", "gridBefore"))
            if late.isdigit() and len(late) < 5:
                self._to.cell(0)
                read.append(Cell("", columns=int(late)))
            for index, cell in enumerate(held):
                mark = self._to.cell(len(read))
                self._enter(cell, style, kept[1], parts_of(on, number - 1, len(rows), index, len(held)))
                self._blocks(cell)
                self._around, self._ground = kept
                span = value(child(cell, "tcPr", "gridSpan"))
                wide = int(span) if span.isdigit() and len(span) < 5 else 1
                read.append(Cell(self._to.since(mark), first_column and index == 0, wide))
            header = header or (first_row and number == 1 and len(rows) > 1 and len(read) > 1)
            self._to.end_row(number, grid.row(read, header=header))
        self._in_row = outer
        self._to.end_table()
        self._last = None

    def _enter(self, cell: Element, style: Style, ground: str, parts: Iterable[str]) -> None:
        """Take ink and ground of a cell, as the table's style sets them for the `parts` it is in, and the cell itself."""
        ink = style.ink
        ground = upon(style.ground, ground)
        for each in parts if style.parts else ():
            own, under = style.parts.get(each, (PLAIN, ""))
            ink, ground = own.over(ink), upon(under, ground)
        self._around = ink.beside(self._styles.ink)
        self._ground = upon(ground_of(child(cell, "tcPr", "shd")), ground)


_FLAT: Final = str.maketrans("\r\n\t", "   ")


def _mark(kind: str, number: int) -> str:
    return f"[{number}]" if kind == "footnote" else f"[{roman(number)}]"


def _flat(element: Element, name: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, through what may be wrapped around them."""
    for each in element:
        found = local_name(each)
        if found == name:
            yield each
        elif found in _THROUGH or found in ("ins", "moveTo"):
            yield from _flat(each, name)


def _choice(alternatives: Element) -> Iterable[Element]:
    """What Word takes of alternatives: the first choice that it understands, else the fallback, else nothing."""
    for each in alternatives:
        name = local_name(each)
        if name == "Fallback" or (
            name == "Choice" and all(each.nsmap.get(space) in _KNOWN for space in value(each, "Requires").split())
        ):
            return each
    return ()


def _boxes(element: Iterable[Element]) -> Iterator[Element]:
    """The outermost text boxes in a drawing."""
    for each in element:
        name = local_name(each)
        if name == "txbxContent":
            yield each
        elif name == "AlternateContent":
            yield from _boxes(_choice(each))
        else:
            yield from _boxes(each)


def _in_bold(rows: list[list[Element]]) -> bool:
    """Whether all words of the first row are bold."""
    runs = [
        run for row in rows for cell in row for run in cell.iter("{*}r") if any(each.text for each in run.iter("{*}t"))
    ]
    return bool(runs) and all(switched(child(run, "rPr"), "b") for run in runs)


def _is_deleted(row: Element) -> bool:
    return child(row, "trPr", "del") is not None
