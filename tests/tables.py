"""One table in every format that has tables: a header of two levels, and a year that is merged over two rows.

| Year        | Item        | Planned (over two columns) |        |
|             |             | Spring                     | Autumn |
| 2023 (over) | Alpha quay  | 10                         | 500    |
|             | Beta crane  | 12                         | 600    |
| 2024        | Gamma shed  | 77 (over two columns)      |        |
"""

import io
import zipfile

from tests.containers import docx, epub, odt, p, xlsx, zipped

_HTML = (
    "<table><tr><th rowspan=2>Year</th><th rowspan=2>Item</th><th colspan=2>Planned</th></tr>"
    "<tr><th>Spring</th><th>Autumn</th></tr>"
    "<tr><td rowspan=2>2023</td><td>Alpha quay</td><td>10</td><td>500</td></tr>"
    "<tr><td>Beta crane</td><td>12</td><td>600</td></tr>"
    "<tr><td>2024</td><td>Gamma shed</td><td colspan=2>77</td></tr></table>"
)


def _docx():
    def cell(words="", properties=""):
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(words)}</w:tc>"

    down, on, wide = "<w:vMerge w:val='restart'/>", "<w:vMerge/>", "<w:gridSpan w:val='2'/>"
    rows = [
        cell("Year", down) + cell("Item", down) + cell("Planned", wide),
        cell("", on) + cell("", on) + cell("Spring") + cell("Autumn"),
        cell("2023", down) + cell("Alpha quay") + cell("10") + cell("500"),
        cell("", on) + cell("Beta crane") + cell("12") + cell("600"),
        cell("2024") + cell("Gamma shed") + cell("77", wide),
    ]
    return docx(f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>")


def _odt():
    def cell(words, spans=""):
        return f"<table:table-cell {spans}><text:p>{words}</text:p></table:table-cell>"

    covered, down = "<table:covered-table-cell/>", 'table:number-rows-spanned="2"'
    wide = 'table:number-columns-spanned="2"'
    rows = [
        cell("Year", down) + cell("Item", down) + cell("Planned", wide) + covered,
        covered * 2 + cell("Spring") + cell("Autumn"),
        cell("2023", down) + cell("Alpha quay") + cell("10") + cell("500"),
        covered + cell("Beta crane") + cell("12") + cell("600"),
        cell("2024") + cell("Gamma shed") + cell("77", wide) + covered,
    ]
    return _stored(
        odt(f"<table:table>{''.join(f'<table:table-row>{row}</table:table-row>' for row in rows)}</table:table>")
    )


def _stored(data):
    """The same archive without compression: an OpenDocument file is known by what stands at its begin."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    return zipped(members, compression=zipfile.ZIP_STORED)


def _xlsx():
    def row(number, **cells):
        held = "".join(
            f'<c r="{column}{number}" t="inlineStr"><is><t>{words}</t></is></c>' for column, words in cells.items()
        )
        return f'<row r="{number}">{held}</row>'

    rows = [
        row(1, A="Year", B="Item", C="Planned"), row(2, C="Spring", D="Autumn"), row(3, A="2023", B="Alpha quay", C="10", D="500"),
        row(4, B="Beta crane", C="12", D="600"), row(5, A="2024", B="Gamma shed", C="77"),
    ]  # fmt: skip
    merged = "".join(f'<mergeCell ref="{area}"/>' for area in ("A1:A2", "B1:B2", "C1:D1", "A3:A4", "C5:D5"))
    return xlsx({"Costs": f"<sheetData>{''.join(rows)}</sheetData><mergeCells>{merged}</mergeCells>"})


TABLES = {
    "costs.html": f"<html><body>{_HTML}</body></html>".encode(),
    "costs.epub": epub({"a.xhtml": _HTML}),
    "costs.docx": _docx(),
    "costs.odt": _odt(),
    "costs.xlsx": _xlsx(),
}
"""By the name of the file."""

FLAT = {
    "costs.csv": b"Year,Item,Spring,Autumn\n2023,Alpha quay,10,500\n2023,Beta crane,12,600\n2024,Gamma shed,77,\n",
    "costs.md": b"| Year | Item | Spring | Autumn |\n|---|---|---|---|\n| 2023 | Alpha quay | 10 | 500 |\n"
    b"| 2023 | Beta crane | 12 | 600 |\n| 2024 | Gamma shed | 77 | |\n",
}
"""The same without merged cells, where the format has none."""
