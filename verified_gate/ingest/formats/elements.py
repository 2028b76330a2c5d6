"""The elements of HTML: what each does to the text of a page, and what one is by its attributes and its neighbours."""

from typing import Final

from verified_gate.ingest.extracted import BlockKind
from verified_gate.ingest.formats.markup import Element, local_name

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
BLOCKS: Final[dict[str, BlockKind]] = {
    **dict.fromkeys(
        ("address", "article", "aside", "blockquote", "body", "center", "details", "dir", "div", "dl", "fieldset",
         "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "main", "menu", "nav", "ol", "optgroup",
         "p", "search", "section", "summary", "ul", "option"),
        "paragraph",
    ),
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    **dict.fromkeys(("figcaption", "caption"), "caption"),
    **dict.fromkeys(("pre", "textarea", "listing", "xmp", "plaintext"), "code"),
}  # fmt: skip
PREFORMATTED: Final = frozenset({"pre", "textarea", "listing", "xmp", "plaintext"})
ITEMS: Final = frozenset({"li", "dt", "dd", "option"})
PARAGRAPHS: Final = frozenset(tag for tag, kind in BLOCKS.items() if kind == "paragraph") - ITEMS
UNSEEN: Final = frozenset(
    {"head", "script", "style", "template", "noscript", "noframes", "noembed", "iframe", "fencedframe", "object", "video",
     "audio", "geolocation", "canvas", "datalist", "progress", "meter", "rt", "rp", "rtc", "annotation", "annotation-xml", "title",
     "link", "meta", "base", "img", "embed", "area", "col", "colgroup", "param", "source", "track", "wbr"}
)  # fmt: skip
"""Without words for a reader: what a browser shows in their place is no text of the page."""
OF_DRAWINGS: Final = frozenset(
    {"desc", "metadata", "defs", "symbol", "clipPath", "clippath", "mask", "pattern", "marker"}
)
"""Without words for a reader where they stand in a drawing (SVG)."""
SECTIONS: Final = frozenset({"tbody", "thead", "tfoot"})
PARTS_OF_TABLES: Final = frozenset({"tr", "td", "th", "tbody", "thead", "tfoot"})
IN_TABLES: Final = PARTS_OF_TABLES | {"caption", "col", "colgroup", ""}
ONE_LINE: Final = {"mfrac": "/", "msup": "^", "mover": "^", "msub": "_", "munder": "_", "msubsup": "_^", "munderover": "_^",
                    "mroot": "√", "mmultiscripts": "_^_^_^"}  # fmt: skip
BEGIN_ANEW: Final = frozenset({"mfrac", "mroot"})
"""What on one line begins with a sign that must not run into a number before it."""
FIELDS_WITHOUT_WORDS: Final = frozenset(
    {"hidden", "submit", "reset", "button", "image", "file", "range", "color", "password"}
)
PICTURES: Final = frozenset({"img", "image", "svg", "picture", "canvas", "object", "embed", "video"})
BOXES: Final = PICTURES | {"iframe", "fencedframe", "audio", "progress", "meter", "geolocation"}
"""What takes room in a line and holds no words of the page."""
NOTES: Final = frozenset({"footnote", "endnote", "rearnote", "doc-footnote", "doc-endnote"})
MARKS: Final = frozenset({"noteref", "doc-noteref"})
STRUCTURE: Final = frozenset({"table", *HEADINGS})
PLAIN: Final = frozenset({"span", "em", "strong", "code", "b", "i", "u", "tt", "small", "cite", "kbd", "samp", "var"})
DOUBTED: Final = frozenset({"s", "strike", "del", "bdo", "mphantom", "case"})
"""What in them is struck out, set in another order, or not shown by all programs."""
DRAWN: Final = frozenset({"color", "display", "visibility", "opacity", "fill", "fill-opacity", "font-size", "mask", "clip-path",
                          "filter", "letter-spacing", "word-spacing"})  # fmt: skip
"""Attributes of drawings that say what style sheets say."""
PLACED: Final = frozenset({"x", "y", "dx", "dy", "transform"})
OF_FORMULAS: Final = {"mathcolor": "color", "mathbackground": "background-color", "mathsize": "font-size"}
"""Attributes of formulas (MathML) that say what style sheets say."""
UNJUDGED: Final = "unjudged"
"""Set on elements whose words may not be seen for what else stands in the page; a page that sets it only marks its own."""
STYLED: Final = frozenset({"style", "hidden", "color", "bgcolor", "popover", UNJUDGED, *DRAWN, *PLACED,
                           *OF_FORMULAS})  # fmt: skip
TELLING: Final = frozenset({"id", "name", *STYLED})
EPUB_TYPE: Final = "{http://www.idpf.org/2007/ops}type"
ROLED: Final = frozenset({"role", EPUB_TYPE})
SPANS: Final = ("colspan", "rowspan")
MOST_SPAN: Final = 65_534
OF_ROWS: Final = frozenset({"row", "rowgroup"})
"""What headers of a table are for that head no column."""


def roles(element: Element) -> list[str]:
    """What the element is said to be: its `role` and its `epub:type`."""
    role, kind = element.get("role"), element.get(EPUB_TYPE)
    return f"{role or ''} {kind or ''}".split() if role or kind else []


def repeats_link(element: Element, text: str) -> bool:
    """Whether `text`, all of the element, is where the link right before it leads, in brackets or not."""
    link = element.getprevious()
    return (
        link is not None
        and local_name(link) == "a"
        and not (link.tail or "").strip()
        and text.strip(" \n[]()<>") == link.get("href")
        and not len(element)
    )


def holds_mark(link: Element) -> bool:
    """Whether all in a link is the raised mark of a note."""
    return (
        len(link) == 1
        and local_name(link[0]) == "sup"
        and not (link.text or "").strip()
        and not (link[0].tail or "").strip()
        and len("".join(link.itertext()).strip()) < 4
    )


def fills_link(element: Element) -> bool:
    """Whether it is all of a link within its page, as short as the mark of a note."""
    link = element.getparent()
    return (
        link is not None
        and local_name(link) == "a"
        and "#" in link.get("href", "")
        and len(link) == 1
        and not (link.text or element.tail or "").strip()
        and len("".join(element.itertext()).strip()) < 4
    )


def stands_in(element: Element, name: str) -> bool:
    """Whether its parent is called `name`."""
    parent = element.getparent()
    return parent is not None and local_name(parent) == name


def rows_of(table: Element) -> list[Element]:
    """The table's own rows, in the order of the page."""
    found = []
    for child in table:
        tag = local_name(child)
        if tag == "tr":
            found.append(child)
        elif tag in SECTIONS:
            found += [row for row in child if local_name(row) == "tr"]
    return found


def holds_data(table: Element, rows: list[Element]) -> bool:
    """Not a table that only lays out a page: said to be for show, or without headers around headings or tables."""
    if table.get("role") in ("presentation", "none") or not rows:
        return False
    cells = [cell for row in rows for cell in row]
    if any(local_name(cell) == "th" for cell in cells):
        return True
    return not any(local_name(each) in STRUCTURE for cell in cells for each in cell.iter("*"))


def span_of(cell: Element, name: str) -> int:
    """The columns (`colspan`) or rows (`rowspan`) that a cell covers, from 1. No row is all up to the end of the part of
    the table.
    """
    value = cell.get(name, "1").strip()
    if name == "rowspan" and value.isascii() and value.isdigit() and not value.strip("0"):
        return MOST_SPAN
    return min(max(int(value), 1), MOST_SPAN) if value.isascii() and value.isdigit() and len(value) < 9 else 1
