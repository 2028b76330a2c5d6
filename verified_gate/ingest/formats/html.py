"""Web pages: the text as a browser shows it before any script runs.

White space is collapsed as browsers do, `pre` and `textarea` kept; soft hyphens and no-break spaces stay; a line end
between two letters of scripts without spaces vanishes. Exponents and indices become their signs (10², H₂O), the mark
of a note stands in brackets, readings above characters (`rt`) are left out. A link in a heading to the heading itself
(`¶`) has no word and is left out, and so is the
address that a builder prints behind a link to it (`[https://…]`). What no reader sees is left out or marked, as `visibility` says. Numbers of list
items and what style sheets write are no text of the page. Pictures leave it complete: their replacement text is no
part of the text, and frames of other pages are other pages.
"""

import re
from collections.abc import Callable
from typing import Final

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats.composing import Composer, lowered, raised
from verified_gate.ingest.formats.elements import (
    BLOCKS,
    GROUND,
    HEADINGS,
    IN_TABLES,
    ITEMS,
    MARKS,
    NOTES,
    OF_DRAWINGS,
    ONE_LINE,
    PARTS_OF_TABLES,
    PICTURES,
    PLAIN,
    PREFORMATTED,
    SECTIONS,
    STYLED,
    TELLING,
    UNSEEN,
    holds_data,
    repeats_link,
    roles,
    rows_of,
    span_of,
    stands_in,
)
from verified_gate.ingest.formats.grid import Cell, Grid
from verified_gate.ingest.formats.markup import READER, Element, character, local_name, parse_html, parse_page
from verified_gate.ingest.formats.visibility import Ruled, Sheet, Styles, colour, declarations, parse_sheet, shown
from verified_gate.ingest.limits import ReadingLimits

_SPACES: Final = re.compile("  +")
_UNSPACED: Final = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff65"
_BETWEEN: Final = re.compile(f"(?<=[{_UNSPACED}])[ \\t\\f\\r]*\\n[ \\t\\n\\f\\r]*(?=[{_UNSPACED}])")


def read(data: bytes, limits: ReadingLimits, **_: str) -> Extracted:
    """Read a page. Raises `UnreadableFile`."""
    composer = Composer(limits)
    page = Page(composer)
    root = parse_page(data) if data.lstrip()[:5] == b"<?xml" else parse_html(data)
    if root is not None:
        page.read(root)
    lost = () if composer.length or not page.pictures else ("pictures without text",)
    return composer.finish(READER, title=page.title, lang=page.lang, lost=lost)


class Page:
    """Writes one page, or one chapter of a book, to a composer. `sheet` gives a style sheet by its link."""

    def __init__(self, composer: Composer, sheet: Callable[[str], Sheet] | None = None) -> None:
        self.title = self.lang = ""
        self.pictures = 0
        self._composer = composer
        self._held: list[str] = []  # words that no border has come after yet
        self._sheet = sheet
        self._styles = Styles()
        self._preformatted = self._drawn = False
        self._opens = False  # preformatted text, whose first line end is none
        self._heading = 0
        self._kind: BlockKind = "paragraph"  # of the block around
        self._form: Callable[[str], str] | None = None
        self._ink, self._ground = "#000000", "#ffffff"
        self._visible = True

    def read(self, root: Element) -> None:
        """Write all of it."""
        self.lang = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        for element in root.iter("{*}title", "{*}style", "{*}link", "title", "style", "link"):
            name = local_name(element)
            if name == "title" and not self.title and stands_in(element, "head"):
                self.title = "".join(element.itertext())
            elif name == "style" and element.get("media", "all").lower() in ("all", "screen", ""):
                self._styles.add(parse_sheet("".join(element.itertext())))
            elif name == "link" and self._sheet and element.get("rel", "").lower() == "stylesheet":
                self._styles.add(self._sheet(element.get("href", "")))
        self._element(root)
        self._flush()

    def _element(self, element: Element) -> None:
        tag: object = element.tag
        if not isinstance(tag, str):
            self._words(character(element))
            return
        if tag[0] == "{":
            tag = tag.rpartition("}")[2]
        names = element.keys()
        if names and (self._styles.count or not TELLING.isdisjoint(names)):
            self._with_attributes(tag, element, names)
        elif tag in PLAIN:
            self._run(element)
        else:
            self._shown(tag, element)

    def _with_attributes(self, tag: str, element: Element, names: list[str]) -> None:
        ruled = self._styles.of(tag, element)
        if ruled.harmless and STYLED.isdisjoint(names):
            self._named(tag, element)
            return
        kept = self._ink, self._ground, self._visible, self._to.hiding
        if self._see(tag, element, ruled):
            self._named(tag, element)
        self._ink, self._ground, self._visible, self._to.hiding = kept

    def _named(self, tag: str, element: Element) -> None:
        name = element.get("id") or (element.get("name") if tag == "a" else None)
        if name:
            self._to.element(name)
        self._shown(tag, element)

    def _see(self, tag: str, element: Element, ruled: Ruled | None = None) -> bool:
        """Whether the element is shown; takes its colours and visibility."""
        ruled = ruled or self._styles.of(tag, element)
        inline = declarations(element.get("style", ""))
        if (
            element.get("hidden") is not None
            and "display" not in inline
            and ruled.declared.get("display", "none") == "none"
        ):
            return False
        declared = {**ruled.declared, **inline}
        if not declared and element.get("color") is None and element.get("bgcolor") is None:
            return True
        if shown(declared) == "gone":
            if not ruled.contested or shown(inline) == "gone":
                self._words(" " if "opacity" in declared else "")
                return False
            self._to.hiding = True
        if "visibility" in declared:
            self._visible = declared["visibility"] not in ("hidden", "collapse")
        self._ground = (
            colour(declared.get("background-color") or declared.get("background") or element.get("bgcolor") or "")
            or self._ground
        )
        ink = colour(declared.get("color") or element.get("color") or "")
        if not ink and not GROUND.isdisjoint(ruled.declared):
            self._ink = "?"  # a rule that sets the ground alone counts on another, not followed here, for the ink
        self._ink = ink or self._ink
        self._to.hiding = self._to.hiding or self._ink == self._ground
        return True

    def _shown(self, tag: str, element: Element) -> None:
        if tag in BLOCKS:
            self._block(tag, element)
        elif tag in UNSEEN or (tag == "dialog" and element.get("open") is None):
            self.pictures += tag in PICTURES
        elif tag in HEADINGS:
            self._to.begin("heading", HEADINGS[tag])
            kept, self._heading = self._heading, HEADINGS[tag]
            self._inside(element)
            self._heading = kept
            self._to.end()
        elif tag in PLAIN:
            self._run(element)
        elif tag == "br":
            self._to.line()
        elif tag == "table":
            self._table(element)
        elif tag in ("sup", "sub"):
            self._formed(raised if tag == "sup" else lowered, element)
        elif tag == "a":
            self._link(element)
        elif tag == "svg":
            self._drawing(element)
        elif tag in OF_DRAWINGS and self._drawn:
            return
        elif tag in PARTS_OF_TABLES or (tag == "text" and self._drawn):
            self._to.border()
            self._inside(element)
            self._to.border()
        elif tag in ONE_LINE:
            self._formula(ONE_LINE[tag], element)
        elif tag == "msqrt":
            self._words("√(")
            self._inside(element)
            self._words(")")
        else:
            self._inside(element)

    def _inside(self, element: Element) -> None:
        text = element.text
        if text:
            self._words(text)
        for child in element:
            self._element(child)
            text = child.tail
            if text:
                self._words(text)

    def _run(self, element: Element) -> None:
        """Words in a line; not where they only repeat where the link before them leads, as builders print it."""
        text = element.text
        if not text or "://" not in text or not repeats_link(element, text):
            self._inside(element)

    def _words(self, text: str) -> None:
        self._held.append(text if self._visible else " ")  # what is invisible takes its room all the same

    def _flush(self) -> None:
        _ = self._to

    @property
    def _to(self) -> Composer:
        """Where the page is written, with all words so far."""
        if self._held:
            text = "".join(self._held)
            self._held.clear()
            if self._preformatted:
                self._composer.verbatim(text.removeprefix("\n") if self._opens else text)
                self._opens = False
                return self._composer
            if "\n" in text and not text.isascii():
                text = _BETWEEN.sub("", text)
            for sign in "\n\t\r\f":
                if sign in text:
                    text = text.replace(sign, " ")
            if "  " in text:
                text = _SPACES.sub(" ", text)
            if self._form and text.strip():
                text = self._form(text)
            self._composer.words(text)
        return self._composer

    def _block(self, tag: str, element: Element) -> None:
        kind = BLOCKS[tag]
        outer = self._kind
        if not NOTES.isdisjoint(roles(element)):
            kind = "footnote"
        self._kind = kind = outer if kind == "paragraph" else kind
        near = False
        if tag in ITEMS:
            before = element.getprevious()
            near = before is not None and local_name(before) in ITEMS
        self._to.begin(kind, near=near)
        if tag in PREFORMATTED and not self._preformatted:
            self._preformatted = True
            self._opens = True
            self._inside(element)
            self._to.end()
            self._preformatted = False
        else:
            self._inside(element)
            self._to.end()
        self._kind = outer

    def _formed(self, form: Callable[[str], str], element: Element) -> None:
        self._flush()
        kept, self._form = self._form, form
        self._inside(element)
        self._flush()
        self._form = kept

    def _link(self, element: Element) -> None:
        href = element.get("href", "")
        if self._heading and href.startswith("#") and not any(map(str.isalnum, "".join(element.itertext()))):
            return  # the heading's link to itself
        raises = "#" in href and (self._form is raised or stands_in(element, "sup"))
        if raises or not MARKS.isdisjoint(roles(element)):
            self._formed(_in_brackets, element)
        else:
            self._inside(element)

    def _drawing(self, element: Element) -> None:
        """A drawing: the words in it, else a picture."""
        self.pictures += not any(local_name(each) in ("text", "foreignObject") for each in element.iter("*"))
        kept, self._drawn = self._drawn, True
        self._inside(element)
        self._drawn = kept

    def _formula(self, signs: str, element: Element) -> None:
        """A fraction, an exponent, an index on one line: 1/2 must not run together to 12."""
        for index, child in enumerate(element):
            if index:
                self._words(signs[min(index, len(signs)) - 1])
            grouped = len(child) > 1
            self._words("(" if grouped else "")
            self._element(child)
            self._words(")" if grouped else "")

    def _table(self, element: Element) -> None:
        rows = rows_of(element)
        self._to.border()
        if not holds_data(element, rows):
            self._inside(element)
            self._to.border()
            return
        for part in (element, *(each for each in element if local_name(each) in SECTIONS), *rows):
            self._strays(part)
        self._to.border()
        for caption in element:
            if local_name(caption) == "caption":
                self._element(caption)
        grid = Grid()
        for number, row in enumerate(rows, 1):
            if self._see_row(row):
                self._row(row, number, grid)
        self._to.end_table()

    def _strays(self, part: Element) -> None:
        """What stands in a table beside its cells, which browsers show before it."""
        self._words(part.text or "")
        for child in part:
            if local_name(child) in IN_TABLES:
                self._words(" ")
            else:
                self._element(child)
            self._words(child.tail or "")
        self._words(" ")

    def _see_row(self, row: Element) -> bool:
        """Whether neither the row nor the part of the table that it is in is hidden."""
        parent = row.getparent()
        kept = self._ink, self._ground, self._visible, self._to.hiding
        seen = all(self._see(local_name(each), each) for each in (parent, row) if each is not None)
        self._ink, self._ground, self._visible, self._to.hiding = kept
        return seen

    def _row(self, row: Element, number: int, grid: Grid) -> None:
        kept = self._ink, self._ground, self._visible, self._to.hiding
        for each in (row.getparent(), row):
            if each is not None:
                self._see(local_name(each), each)
                if each is row and row.get("id"):
                    self._to.element(row.get("id", ""))
        self._to.begin_row()
        cells: list[Cell] = []
        for cell in row:
            tag = local_name(cell)
            if tag in ("td", "th"):
                mark = self._to.cell(len(cells))
                self._cell(tag, cell)
                cells.append(
                    Cell(self._to.since(mark), tag == "th", span_of(cell, "colspan"), span_of(cell, "rowspan"))
                )
        self._to.end_row(number, grid.row(cells, header=stands_in(row, "thead")))
        self._ink, self._ground, self._visible, self._to.hiding = kept

    def _cell(self, tag: str, cell: Element) -> None:
        kept = self._ink, self._ground, self._visible, self._to.hiding
        if self._see(tag, cell):
            if cell.get("id"):
                self._to.element(cell.get("id", ""))
            self._inside(cell)
        self._ink, self._ground, self._visible, self._to.hiding = kept


def _in_brackets(text: str) -> str:
    mark = text.strip()
    return f"[{mark}]" if mark.isalnum() or mark in ("*", "†", "‡", "§") else text
