"""What readers make of a file of each kind, kept as hashes: a change of it must not hide behind the same reader's name.

    python -m tests.readings                rewrites tests/golden/readings.json, unless some rules were forgotten
    python -m tests.readings --unreleased   rewrites it all the same: no release has had these rules yet

Hashed is what is stored of a file: text, title, blocks, passages with their places and what is marked in them, pages.
"""

import hashlib
import io
import json
import sys
import zipfile
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

from tests import containers, pdf_files
from verified_gate.corpus.comparing import page_rows, passage_rows
from verified_gate.corpus.intake import document_of
from verified_gate.ingest.formats import reader_of
from verified_gate.ingest.formats.rules import name_of
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.reading import read_document
from verified_gate.ingest.unreadable import UnreadableFile

DATA = Path(__file__).parent / "data"
KEPT = Path(__file__).parent / "golden" / "readings.json"
ADVICE = (
    "these files are read otherwise under the same reader's name: count up the number of their kind in RULES of"
    " verified_gate/ingest/formats/rules.py, then run `python -m tests.readings`; where no release has had these rules,"
    " run `python -m tests.readings --unreleased` instead"
)
PASSWORDS = {"libreoffice-writer-password.pdf": "openpassword"}

W_NUMBERS = (
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
    '<w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>'
    '<w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
)


def _item(words, level):
    return containers.p(words, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>')


def _cell(words):
    return f"<w:tc>{containers.p(words)}</w:tc>"


def _docx():
    style = '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    body = [
        containers.p("Duties", style="H1"),
        _item("The tenant pays the rent.", 0),
        _item("On the first day.", 1),
        _item("The landlord lends the keys.", 0),
        containers.p("Nobody sees this.", run="<w:vanish/>"),
        containers.p("Nor this.", run='<w:color w:val="FFFFFF"/>'),
        "<w:p><w:r><w:t>Rent is due</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:r><w:t> monthly</w:t></w:r><w:del><w:r><w:delText> or yearly</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>, in advance</w:t></w:r></w:ins></w:p>",
        "<w:p><w:r><w:rPr><w:strike/></w:rPr><w:t>Struck out.</w:t></w:r><w:r><w:t> Kept.</w:t></w:r></w:p>",
        f"<w:tbl><w:tr>{_cell('Item')}{_cell('Fee')}</w:tr><w:tr>{_cell('Bike')}{_cell('5')}</w:tr></w:tbl>",
    ]
    notes = f"<w:footnote w:id='2'>{containers.p('Or on the next working day.')}</w:footnote>"
    return containers.docx("".join(body), styles=style, numbering=W_NUMBERS, footnotes=notes)


def _odt():
    automatic = (
        '<style:style style:name="white" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>'
        '<style:style style:name="gone" style:family="text"><style:text-properties text:display="none"/></style:style>'
    )
    body = (
        '<text:h text:outline-level="1">Duties</text:h><text:p>The tenant pays<text:s text:c="2"/>the rent.'
        '<text:span text:style-name="white">White words.</text:span><text:span text:style-name="gone">None.</text:span>'
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>Or later.</text:p></text:note-body></text:note></text:p>"
        "<text:list><text:list-item><text:p>A bell</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Item</text:p></table:table-cell>"
        "<table:table-cell><text:p>Fee</text:p></table:table-cell></table:table-row><table:table-row>"
        "<table:table-cell><text:p>Bike</text:p></table:table-cell><table:table-cell><text:p>5</text:p>"
        "</table:table-cell></table:table-row></table:table>"
    )
    return containers.odt(body, automatic=automatic)


def _epub():
    sheet = {"book/s.css": ".no { display: none } .pale { color: white }"}
    head = '<link rel="stylesheet" href="s.css"/>'
    first = containers.xhtml(
        '<h1 id="one">Duties</h1><p>The tenant pays the rent.<a epub:type="noteref" href="#n1">1</a></p>'
        '<p class="no">None.</p><p class="pale">Pale.</p><aside epub:type="footnote" id="n1">Or later.</aside>',
        head=head,
    )
    second = containers.xhtml(
        "<h2>Fees</h2><table><tr><th>Item</th><th>Fee</th></tr><tr><td>Bike</td><td>5</td></tr></table>"
    )
    item = '<item id="s" href="s.css" media-type="text/css"/>'
    return containers.epub(
        {"1.xhtml": first, "2.xhtml": second}, metadata="<dc:title>A lease</dc:title>", extra=sheet, manifest=item
    )


def _xlsx():
    def inline(words):
        return f'<c t="inlineStr"><is><t>{words}</t></is></c>'

    rows = (
        f"<row r='1'>{inline('Item')}{inline('Fee')}{inline('Since')}</row>"
        f"<row r='2'>{inline('Bike')}<c s='1'><v>0.5</v></c><c s='2'><v>45000</v></c></row>"
        f"<row r='3' hidden='1'>{inline('Horn')}<c><v>7</v></c></row>"
    )
    styles = '<fonts><font/></fonts><fills><fill/></fills><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="14"/></cellXfs>'
    return containers.xlsx(
        {
            "Fees": f"<sheetData>{rows}</sheetData>",
            "Old|hidden": f"<sheetData><row>{inline('never')}</row></sheetData>",
        },
        styles=styles,
    )


def _pdfs():
    """Each with some of what our rules are for."""
    shown, build, body = pdf_files.shown, pdf_files.build, pdf_files.BODY
    raised = "q 0 g BT 1 0 0 1 72 500 Tm /F1 12 Tf (500) Tj /F1 7 Tf 5 Ts (1) Tj /F1 12 Tf 0 Ts ( and 10) Tj ET Q\n"
    unseen = shown("White words.", y=600, colour="1 g") + shown("No words.", y=580, mode=3)
    twice = shown("Drawn twice.", y=560) * 2
    covered = shown("Covered words.", y=540) + pdf_files.box(60, 530, 300, 30, "0.5 g")
    noted = "q 0 g BT 1 0 0 1 72 120 Tm /F1 12 Tf (The seller) Tj /F1 7 Tf 5 Ts (1) Tj /F1 12 Tf 0 Ts ( delivers free of) Tj ET Q\n"
    note = "q 0 g BT 1 0 0 1 72 60 Tm /F1 6 Tf 3 Ts (1) Tj ET Q\n" + shown(
        "See Section 2 of the Act.", x=77, y=60, size=9
    )
    return {
        "running.pdf": pdf_files.report(5),
        "shifted.pdf": build(shown(body) + raised),
        "unseen.pdf": build(shown(body) + unseen + twice + covered),
        "pages.pdf": build(
            shown("Lease of the shop", size=20), shown(body), labels="0 << /S /r >> 1 << /S /D /St 10 >>",
            outline=[("Lease of the shop", 0)], title="A lease",
        ),
        "footnotes.pdf": build(shown(body) + noted + note, shown("any charge within ten days.") + shown(body, y=660)),
        "columns.pdf": build(
            "".join(
                shown(f"{left} and so on it goes,", 72, 700 - 14 * n) + shown(f"{right} as the other says,", 330, 700 - 14 * n)
                for n, (left, right) in enumerate([("the left column of line", "whereas the right one")] * 20)
            )
            + shown("Total", 72, 300) + shown("12", 250, 300) + shown("345", 330, 300)
        ),
        "struck.pdf": build(shown(body) + shown("Not due.", y=600) + pdf_files.box(72, 603, 50, 0.8)),
        "scanned.pdf": build(shown(body), pdf_files.picture()),
    }  # fmt: skip


def _stored(data):
    """The same archive, its members as they are: a file that is known by its first member is not compressed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    return containers.zipped(members, compression=zipfile.ZIP_STORED)


_MADE = {
    "docx": lambda: {"made.docx": _stored(_docx())},
    "odt": lambda: {"made.odt": _stored(_odt())},
    "epub": lambda: {"made.epub": _stored(_epub())},
    "xlsx": lambda: {"made.xlsx": _stored(_xlsx())},
    "pdf": _pdfs,
}
_ENDINGS = {".md": "markdown", ".txt": "text", ".html": "html", ".csv": "csv", ".odt": "odt", ".pdf": "pdf"}


@lru_cache(maxsize=1)
def files():
    """The bytes of each file that is read, by its kind and name."""
    found = {}
    for folder in ("readings", "office", "messy/pdf"):
        for path in sorted((DATA / folder).iterdir()):
            if path.suffix in _ENDINGS and path.name != "README.md":
                found[_ENDINGS[path.suffix], path.name] = path.read_bytes()
    for kind, make in _MADE.items():
        found |= {(kind, name): data for name, data in make().items()}
    return found


class _Here:
    """Reads in this process, as the others do in theirs."""

    def read(self, data, kind, *, ocr=None, **options):  # noqa: ARG002
        return reader_of(kind)(data, ReadingLimits(), kind=kind, **options)


@lru_cache(maxsize=1)
def now():
    """For each file, by kind and name: the name of its reader, and a hash over what is stored of it."""
    return {f"{kind} {name}": _reading(kind, name, data) for (kind, name), data in sorted(files().items())}


def _reading(kind, name, data):
    try:
        read = read_document(data, name, readers=_Here(), password=PASSWORDS.get(name))
    except UnreadableFile as why:
        return {"reader": name_of(kind), "sha256": _hash([str(why.reason)])}
    document = document_of(read, "paragraph", None, 0)
    found = None if read.extracted is None else asdict(replace(read.extracted, reader=""))
    labels = (document.title, document.lang, document.coverage, document.text)
    return {
        "reader": document.reader,
        "sha256": _hash([found, labels, passage_rows(document), page_rows(document)]),
    }


def _hash(stored):
    return hashlib.sha256(json.dumps(stored, default=bytes.hex).encode()).hexdigest()


def kept():
    """The same, as it is kept."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def forgotten():
    """The files that are read otherwise than is kept, by a reader of the same name."""
    read = now()
    return [name for name, each in kept().items() if name in read and _is_forgotten(each, read[name])]


def _is_forgotten(before, after):
    return before["reader"] == after["reader"] and before["sha256"] != after["sha256"]


def main(arguments):
    names = forgotten() if KEPT.exists() and "--unreleased" not in arguments else []
    if names:
        print("\n".join([*names, ADVICE]))
        return 1
    KEPT.write_text(json.dumps(now(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
