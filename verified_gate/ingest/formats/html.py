"""Web pages: the text as a browser shows it before any script runs.

White space is collapsed as browsers do, `pre` and `textarea` kept; soft hyphens and no-break spaces stay; a line end
between two letters of scripts without spaces vanishes. Exponents and indices become their signs (10², H₂O), the mark
of a note stands in brackets, readings above characters (`rt`) are left out. A link in a heading to the heading itself
(`¶`) has no word and is left out, and so is the address that a builder prints behind a link to it (`[https://…]`).
What no reader sees is left out or marked, as `visibility` says, and what is struck out is marked too; boxes to tick are
☐ and ☒. What style sheets set apart, raise or lower is so here too, as `arranged` says. Numbers of list items are no
text of the page; words that style sheets write, and those in fields of forms, are told. Pictures leave it complete:
their replacement text is no part of the text, and frames of other pages are other pages.
"""

from collections import ChainMap, Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from verified_gate.ingest.extracted import BlockKind, Extracted
from verified_gate.ingest.formats import elements
from verified_gate.ingest.formats.arranged import Arranged
from verified_gate.ingest.formats.composing import Composer, in_brackets, lowered, raised, told
from verified_gate.ingest.formats.elements import BLOCKS, ITEMS, MARKS, NOTES, ROLED, holds_mark, repeats_link, roles
from verified_gate.ingest.formats.grid import Cell, Grid
from verified_gate.ingest.formats.held import calls_for_the_deepest
from verified_gate.ingest.formats.markup import Element, character, local_name
from verified_gate.ingest.formats.page_tree import LEFT_OPEN, READER, may_be_xml, parse_html, parse_page
from verified_gate.ingest.formats.placing import Placing
from verified_gate.ingest.formats.seen import look, unseen_columns
from verified_gate.ingest.formats.sheets import Sheet, gathered
from verified_gate.ingest.formats.sight import Sight
from verified_gate.ingest.formats.visibility import Ruled, Styles, Try
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import UnreadableFile


def read(data: bytes, limits: ReadingLimits, **_: str) -> Extracted:
    """Read a page. Raises `UnreadableFile`."""
    found = _read(data, limits, parse_html)
    if not may_be_xml(data):
        return found
    try:
        other = _read(data, limits, parse_page)
    except UnreadableFile:
        return found
    if found.visible.split() != other.visible.split():
        return replace(other, lost=(*other.lost, LEFT_OPEN))
    return found if found.lost == other.lost else other


def _read(data: bytes, limits: ReadingLimits, parse: Callable[[bytes, Counter[str]], Element]) -> Extracted:
    composer = Composer(limits)
    page = Page(composer)
    page.read(parse(data, page.lost))
    page.lost["pictures without text"] += page.pictures > 0 and not composer.length
    return composer.finish(READER, title=page.title, lang=page.lang, lost=told(page.lost))


_Way: TypeAlias = Callable[["Page", Element, str, Sequence[str]], None]


class Page(Placing):
    """Writes one page, or one chapter of a book, to a composer. `sheet` gives a style sheet by its link, if there is one.

    `lost` is what could not be read of it, or judged, each kind with its number.
    """

    def __init__(
        self,
        composer: Composer,
        sheet: Callable[[str], Sheet | None] = lambda _: None,
        arranged: Arranged | None = None,
    ) -> None:
        super().__init__(composer, arranged or Arranged(Styles()))
        self.title = self.lang = ""
        self.pictures = 0
        self.styles = self.arranged.styles
        self._sheet = sheet
        self._ways: dict[object, tuple[str, _Way]] = {}  # by tag: its name and how such an element is read
        self._drawn = False
        self._kind: BlockKind = "paragraph"  # of the block around
        self._looked: Element | None = None  # the last that was
        self._ruled = False  # by any rule of a sheet
        self._telling, self._styled = elements.TELLING, elements.STYLED

    def read(self, root: Element, links: Sequence[str] = ()) -> None:
        """Write all of it; `links` are of sheets that are named outside of it. Raises `UnreadableFile`."""
        self.lang = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
        title = root.find("{*}head/{*}title")
        self.title = "" if title is None else "".join(title.itertext())
        sheets = gathered(root, links, self._sheet, self.lost)
        if sheets != self.styles.sheets:
            self.arranged = Arranged(Styles(sheets))
            self.styles = self.arranged.styles
        self._ruled = self.styles.count + self.arranged.count > 0
        self._sight = Sight(variables=ChainMap({name: first for name, (first, _) in self.styles.registered.items()}))
        self._telling = elements.TELLING | self.styles.attributes | self.arranged.attributes
        self._styled = elements.STYLED | self.styles.attributes
        with calls_for_the_deepest():
            self._element(root)
        self._flush()
        self._looked = None
        self._behind.forget()
        self.arranged.forget()
        self.styles.forget()

    def _way(self, tag: object) -> tuple[str, _Way]:
        """The name of elements with this tag, without its name space, and how they are read."""
        name = tag.rpartition("}")[2] if isinstance(tag, str) else ""
        way = self._WAYS.get(name, Page._inside) if isinstance(tag, str) else Page._reference
        self._ways[tag] = name, way
        return name, way

    def _element(self, element: Element) -> None:
        tag, way = self._ways.get(element.tag) or self._way(element.tag)
        self._with_attributes(way, element, tag, element.keys())

    def _inside(self, element: Element, tag: str = "", names: Sequence[str] = ()) -> None:
        """All that stands in it. Here pages spend their time: elements that only hold words need no call of their own."""
        held, hold, to = self._held, self._hold, self._composer
        text = element.text
        if text and (held or not text.isspace() or not to.fresh or self._preformatted or self._form):
            hold(text)
        if not len(element):
            return
        if element is self._laid:
            self._items(element)
            return
        kept = self._preformatted or self._form is not None  # white space that no word comes before
        ways, telling, run, inside = self._ways, self._telling, Page._run, self._inside
        ruled, harmless = self._ruled, self.arranged.harmless if self._plain else ()
        link = None if self._heading or self._form else Page._link  # which is but a run of words elsewhere
        for child in element:
            tag, way = ways.get(child.tag) or self._way(child.tag)
            names = child.keys()
            if names:
                told = not telling.isdisjoint(names) or (ruled and (tag, child.get("class", ""), "") not in harmless)
            else:
                told = ruled and (tag, "", "") not in harmless
            if told:
                self._with_attributes(way, child, tag, names)
            elif way is run or (way is link and ROLED.isdisjoint(names)):
                if len(child):
                    if way is link and holds_mark(child):
                        way(self, child, tag, names)
                    else:
                        inside(child)
                else:
                    text = child.text
                    if text and not ("://" in text and way is run and repeats_link(child, text)):
                        hold(text)
            else:
                way(self, child, tag, names)
            text = child.tail
            if text and (held or kept or not text.isspace() or not to.fresh):
                hold(text)

    def _with_attributes(self, way: _Way, element: Element, tag: str, names: Sequence[str]) -> None:
        if not tag:  # a reference to a character, which no rule is of
            way(self, element, tag, names)
            return
        ruled = self.styles.of(tag, element)
        plain, bare = self._plain, self._styled.isdisjoint(names)
        if plain and bare and ruled.harmless:
            self._named(way, element, tag, names)
            return
        met = self.styles.met(ruled, element)
        calm = ruled.calm or (plain and ruled.legible and not len(element))
        if calm and bare and not met and not self._sight.small:
            self._named(way, element, tag, names)
            return
        kept = self._before()
        if self._see(tag, element, ruled, met):
            self._named(way, element, tag, names)
        self._back(kept)

    def _named(self, way: _Way, element: Element, tag: str, names: Sequence[str]) -> None:
        name = element.get("id") or (element.get("name") if tag == "a" else None)
        if name:
            self._to.element(name)
        place = self.arranged.of(tag, element, self._sight.variables) if self._ruled or "style" in names else None
        if place is None:
            way(self, element, tag, names)
        else:
            self._place(place, element, tag, lambda: way(self, element, tag, names))

    def _see(self, tag: str, element: Element, ruled: Ruled | None = None, met: Sequence[Try] | None = None) -> bool:
        """Whether the element is shown; takes its colours and visibility."""
        if ruled is None:
            ruled = self.styles.of(tag, element)
            if ruled.harmless and self._plain and self._styled.isdisjoint(element.keys()):
                return True
        met = self.styles.met(ruled, element) if met is None else met
        sight = look(tag, element, self._sight, self.styles, ruled, met, self.lost, drawn=self._drawn)
        if sight is None:
            self._hold(" " if "opacity" in ruled.declared or "opacity" in element.get("style", "") else "")
            return False
        self._take(sight)
        self._looked = element
        return True

    def _run(self, element: Element, *_: object) -> None:
        """Words in a line; not where they only repeat where the link before them leads, as builders print it."""
        text = element.text
        if not text or "://" not in text or not repeats_link(element, text):
            self._inside(element)

    def _reference(self, entity: Element, *_: object) -> None:
        self._hold(character(entity))

    def _unseen(self, element: Element, tag: str, *_: object) -> None:
        self.pictures += tag in elements.PICTURES
        if tag in elements.BOXES:
            self._picture(element)

    def _paragraph(self, element: Element, tag: str, names: Sequence[str]) -> None:
        """A block of the kind of that around it, as most are."""
        if names and not ROLED.isdisjoint(names):
            self._block(element, tag, names)
            return
        if self._held:
            self._flush()
        self._composer.begin(self._kind)
        self._inside(element)
        if self._held:
            self._flush()
        self._composer.end()

    def _block(self, element: Element, tag: str, names: Sequence[str]) -> None:
        kind = BLOCKS[tag]
        outer = self._kind
        if not ROLED.isdisjoint(names) and not NOTES.isdisjoint(roles(element)):
            kind = "footnote"
        self._kind = kind = outer if kind == "paragraph" else kind
        near = tag in ITEMS and (before := element.getprevious()) is not None and local_name(before) in ITEMS
        if self._held:
            self._flush()
        self._composer.begin(kind, near=near)
        if tag in elements.PREFORMATTED and not self._preformatted:
            self._preformatted = True
            self._opens = str(element.tag)[:1] == "{"  # elsewhere the parser has left it out
            self._inside(element)
            self._to.end()
            self._preformatted = False
        else:
            self._inside(element)
            if self._held:
                self._flush()
            self._composer.end()
        self._kind = outer

    def _headed(self, element: Element, tag: str, _: Sequence[str]) -> None:
        self._to.begin("heading", elements.HEADINGS[tag])
        kept, self._heading = self._heading, elements.HEADINGS[tag]
        self._inside(element)
        self._heading = kept
        self._to.end()

    def _line(self, *_: object) -> None:
        self._to.line()

    def _bordered(self, element: Element, tag: str, _: Sequence[str]) -> None:
        """Parts of tables, lines of drawings."""
        if bordered := tag != "text" or self._drawn:
            self._to.border()
        self._inside(element)
        if bordered:
            self._to.border()

    def _shifted(self, element: Element, tag: str, _: Sequence[str]) -> None:
        if self._form is in_brackets:
            self._inside(element)
        else:
            self._formed(raised if tag == "sup" else lowered, element)

    def _link(self, element: Element, _: str, names: Sequence[str]) -> None:
        href = element.get("href", "")
        if (
            self._heading
            and href.startswith("#")
            and not any(map(str.isalnum, "".join(element.itertext()) if len(element) else element.text or ""))
        ):
            return  # the heading's link to itself
        if ("#" in href and (self._form is raised or holds_mark(element))) or (
            not ROLED.isdisjoint(names) and not MARKS.isdisjoint(roles(element))
        ):
            self._formed(in_brackets, element)
        else:
            self._inside(element)

    def _drawing(self, element: Element, tag: str, *_: object) -> None:
        """A drawing: the words in it, else a picture. Its letters are black, unless it says otherwise."""
        self.pictures += not any(local_name(each) in ("text", "foreignObject") for each in element.iter("*"))
        kept, drawn = self._before(), self._drawn
        if self._looked is element or self._see(tag, element, self.styles.of(tag, element)):
            self._drawn = True
            self._inside(element)
            self._drawn = drawn
        self._back(kept)
        self._picture(element)

    def _at_times(self, element: Element, tag: str, *_: object) -> None:
        """Dialogs that are open, and what in drawings is no word for a reader."""
        if tag == "dialog":
            if element.get("open") is not None:
                self.moving(element)
        elif not self._drawn:
            self._inside(element)

    def _doubted(self, element: Element, *_: object) -> None:
        """Struck out, set from right to left, or shown by some programs only: no reader takes it as it stands."""
        kept = self._before()
        self._take(kept._replace(doubted=True))
        self._inside(element)
        self._back(kept)

    def _table(self, element: Element, *_: object) -> None:
        rows = elements.rows_of(element)
        self._to.border()
        if not elements.holds_data(element, rows):
            self._inside(element)
            self._to.border()
            return
        for part in (element, *(each for each in element if local_name(each) in elements.SECTIONS), *rows):
            self._strays(part)
        self._to.border()
        for caption in element:
            if local_name(caption) == "caption":
                self._element(caption)
        grid, unseen = Grid(), unseen_columns(element, self.styles)
        within: Element | None = None
        for number, row in enumerate(rows, 1):
            if row.getparent() is not within:
                within = row.getparent()
                grid.end_part()
            self._row(row, number, grid, unseen)
        self._to.end_table()

    def _strays(self, part: Element) -> None:
        """What stands in a table beside its cells, which browsers show before it."""
        self._hold(part.text or "")
        for child in part:
            if local_name(child) in elements.IN_TABLES:
                self._hold(" ")
            else:
                self._element(child)
            self._hold(child.tail or "")
        self._hold(" ")

    def _row(self, row: Element, number: int, grid: Grid, unseen: frozenset[int]) -> None:
        """A row, if neither it nor the part of the table that it is in is hidden."""
        kept, parent = self._before(), row.getparent()
        if not all(self._see(local_name(each), each) for each in (parent, row) if each is not None):
            self._back(kept)
            return
        if row.get("id"):
            self._to.element(row.get("id", ""))
        self._to.begin_row()
        cells, column = list[Cell](), 0
        for cell in row:
            tag = local_name(cell)
            if tag in ("td", "th"):
                column = grid.free(column)
                mark = self._to.cell(len(cells))
                self._cell(tag, cell, gone=column in unseen)
                columns, lines = (elements.span_of(cell, way) for way in elements.SPANS)
                head = tag == "th"
                of_row = head and cell.get("scope", "").strip().lower() in elements.OF_ROWS
                cells.append(Cell(self._to.since(mark), head, columns, lines, of_row=of_row))
                column += columns
        self._to.end_row(number, grid.row(cells, header=elements.stands_in(row, "thead")))
        self._back(kept)

    def _cell(self, tag: str, cell: Element, *, gone: bool) -> None:
        kept = self._before()
        self._take(kept._replace(doubted=kept.doubted or gone))
        if self._see(tag, cell):
            if cell.get("id"):
                self._to.element(cell.get("id", ""))
            place = self.arranged.of(tag, cell, self._sight.variables)
            if place is None:
                self._inside(cell)
            else:
                self._place(place, cell, tag, lambda: self._inside(cell))
        self._back(kept)

    _WAYS: Final[dict[str, _Way]] = {
        **dict.fromkeys(BLOCKS, _block),
        **dict.fromkeys(elements.PARAGRAPHS, _paragraph),
        **dict.fromkeys(elements.UNSEEN, _unseen),
        **dict.fromkeys(elements.HEADINGS, _headed),
        **dict.fromkeys(elements.PLAIN, _run),
        **dict.fromkeys(("sup", "sub"), _shifted),
        **dict.fromkeys((*elements.OF_DRAWINGS, "dialog"), _at_times),
        **dict.fromkeys((*elements.PARTS_OF_TABLES, "text"), _bordered),
        **dict.fromkeys(elements.ONE_LINE, Placing.formula),
        **dict.fromkeys(("mtr", "mtd"), Placing.part_of_matrix),
        **dict.fromkeys(elements.DOUBTED, _doubted),
        "a": _link, "br": _line, "svg": _drawing, "table": _table, "input": Placing.input, "button": Placing.box,
           "select": Placing.choices, "marquee": Placing.moving, "msqrt": Placing.root, "mtable": Placing.matrix, "mspace": Placing.gap,
    }  # fmt: skip
    """How an element is read, by its name; one that is not here gives what is in it."""
