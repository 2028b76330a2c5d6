"""What a part of an OpenDocument text is by its own attributes: which rows and columns there are, what is shown."""

import re
from typing import Final, Literal

from verified_gate.ingest.formats.grid import Cell, names_groups, surely_names_columns
from verified_gate.ingest.formats.markup import Element
from verified_gate.ingest.formats.odt_names import SHAPES, name_of, tag_of, value
from verified_gate.ingest.formats.odt_styles import LEAST_SIDE, Look, Looks, length

_WIDE_PICTURE: Final = 7.62
"""Centimetres: a picture that is laid over the words may be a signature or a stamp up to this."""
_PAGE_SIZED: Final = (12.0, 16.0)
_LAST_COLUMN: Final = 16_384
_CONSTANT: Final = re.compile(r"(?:\w{1,9}:)?\s{0,9}\"?(true|false|\d{1,9})\"?", re.IGNORECASE)
_OFF: Final = frozenset({"", "0", "false"})


def withheld(element: Element) -> Literal["shown", "hidden", "unknown"]:
    """Whether a section or a paragraph is shown, as it says, or the program last found, or its condition always is."""
    if value(element, "display") not in ("none", "condition") and name_of(element) == "section":
        return "shown"
    if value(element, "display") == "none" or value(element, "is-hidden") == "true":
        return "hidden"
    condition = value(element, "condition").strip()[:99]
    constant = _CONSTANT.fullmatch(condition)
    if constant:
        return "hidden" if constant[1].lower().strip("0") not in _OFF else "shown"
    return "shown" if value(element, "is-hidden") == "false" or not condition else "unknown"


def form_field(element: Element) -> str:
    """What a field of a form shows that is in no text: a choice, a box that is ticked or not."""
    kind = value(element, "type").rpartition(".")[2].upper()
    given = [(value(each, "name"), value(each, "value")) for each in element.iter(tag_of("field", "param"))]
    if kind == "FORMCHECKBOX":
        return "☒" if dict(given).get("Checkbox_Checked", "").lower() not in _OFF else "☐"
    if kind == "FORMDROPDOWN":
        entries = [held for name, held in given if name.endswith("ListEntry")]
        at = next((held for name, held in given if name.endswith(("Selected", "Result"))), "0")
        return entries[int(at)] if at.isdecimal() and len(at) < 5 and int(at) < len(entries) else ""
    return ""


def is_shown_row(element: Element) -> bool:
    """Whether a row or column is shown, and the groups that it is in."""
    if value(element, "visibility") in ("collapse", "filter"):
        return False
    groups = element.iterancestors(
        *(tag_of("table", name) for name in ("table-row-group", "table-column-group", "table"))
    )
    for each in groups:
        if name_of(each) == "table":
            break
        if value(each, "display") == "false":
            return False
    return True


def hidden_columns(table: Element, looks: Looks) -> set[int]:
    """The columns, from 0, that are not shown."""
    hidden: set[int] = set()
    at = 0
    columns = [each for part in table if name_of(part).startswith("table-") and "column" in name_of(part)
               for each in part.iter(tag_of("table", "table-column"))]  # fmt: skip
    for each in columns:
        repeated = value(each, "number-columns-repeated")
        count = int(repeated) if repeated.isdecimal() and len(repeated) < 9 else 1
        if not is_shown_row(each) or looks.of("table-column", value(each, "style-name")).unseen:
            hidden.update(range(at, min(at + count, _LAST_COLUMN)))
        at += count
    return hidden


def rows_of(element: Element, *, header: bool) -> list[tuple[Element, bool]]:
    """Rows, each with whether the table repeats it as its header."""
    found: list[tuple[Element, bool]] = []
    for each in element:
        name = name_of(each)
        if name == "table-row":
            found.append((each, header))
        elif name in ("table-header-rows", "table-rows", "table-row-group"):
            found += rows_of(each, header=header or name == "table-header-rows")
    return found


def names_first(rows: list[Element]) -> bool:
    """Whether the first of two rows names the columns, by the words of its cells, or as they are merged."""
    if len(rows) < 2 or any(value(cell, "number-columns-repeated") for row in rows for cell in row):
        return False
    first, second = ([" ".join(cell.itertext()) for cell in row] for row in rows)
    cells = [read_cell(cell, words) for cell, words in zip(rows[0], first, strict=True)]
    if any(cell.columns > 1 for cell in cells):
        return names_groups(cells, second)
    return surely_names_columns(first, second)


def read_cell(cell: Element, words: str) -> Cell:
    """A cell with its words, and how it is merged."""
    columns, rows = (count_of(cell, f"number-{each}-spanned") for each in ("columns", "rows"))
    return Cell(words, columns=columns, rows=rows, covered=name_of(cell) == "covered-table-cell")


def count_of(element: Element, name: str) -> int:
    """How often something is repeated, from 1."""
    given = value(element, name)
    return max(int(given), 1) if given.isdecimal() and len(given) < 7 else 1


def has_words(element: Element) -> bool:
    """Whether there is a word in it."""
    return any(text.strip() for text in element.itertext())


def nested(items: Element) -> bool:
    """Whether a list is in an item of another."""
    parent = items.getparent()
    return parent is not None and name_of(parent) == "list-item"


def fills_page(frame: Element) -> bool:
    """Whether a picture may be a scan of a page."""
    sizes = [length(value(frame, side)) for side in ("width", "height")]
    return all(size is not None and size >= least for size, least in zip(sizes, _PAGE_SIZED, strict=True))


def is_laid_over(drawing: Element, look: Look) -> bool:
    """Whether a filled shape without words, or a picture wider than a signature, is laid over the text."""
    if not look.on_top or value(drawing, "anchor-type") == "as-char":
        return False
    wide, high = (length(value(drawing, side)) or 0 for side in ("width", "height"))
    if high < LEAST_SIDE:
        return False
    if name_of(drawing) in SHAPES:
        return wide >= LEAST_SIDE and look.filled is not False and not has_words(drawing)
    return wide >= _WIDE_PICTURE and any(name_of(each) == "image" for each in drawing[:1])
