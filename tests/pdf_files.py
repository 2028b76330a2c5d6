"""PDF files made for one test each: plain ones, and those whose words are not seen or that are made to hurt."""

import zlib

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def shown(text, x=72, y=700, size=12, *, mode=0, colour="0 g"):
    """A piece of a content stream that shows one line of text."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"q {colour} BT /F1 {size} Tf {mode} Tr 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q\n"


def line(*pieces, y, x=72, size=12):
    """One line of these pieces, close to each other: words, or (words, size, rise)."""
    shows = []
    for piece in pieces:
        words, letters, rise = (piece, size, 0) if isinstance(piece, str) else piece
        shows.append(f"/F1 {letters} Tf {rise} Ts ({words.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj")
    return f"q 0 g BT 1 0 0 1 {x} {y} Tm {' '.join(shows)} ET Q\n"


def box(x, y, width, height, colour="0 g"):
    """A filled rectangle."""
    return f"q {colour} {x} {y} {width} {height} re f Q\n"


def picture(x=0, y=0, width=612, height=792):
    """The picture `/Im1`, drawn to that size."""
    return f"q {width} 0 0 {height} {x} {y} cm /Im1 Do Q\n"


def build(
    *pages,
    media="0 0 612 792",
    labels="",
    outline=(),
    title="",
    catalog="",
    fields=(),
    raw_pages=None,
    compress=False,
    meanings=None,
):
    """A PDF with these content streams. `outline`: (title, page from 0); `fields`: (x, y, value) on the first page;
    `meanings`: what the file says that the letters of its font mean, by letter, where they mean something else.
    """
    objects: dict[int, bytes] = {}
    first_page = 10
    kids = " ".join(f"{first_page + 2 * n} 0 R" for n in range(len(pages)))
    objects[3] = HELVETICA
    if meanings:
        objects[3] = HELVETICA.removesuffix(b">>") + b"/ToUnicode 6 0 R >>"
        told = " ".join(f"<{letter.encode('cp1252').hex()}> <{ord(meant):04x}>" for letter, meant in meanings.items())
        objects[6] = stream_of(
            f"begincmap 1 begincodespacerange <00> <ff> endcodespacerange {len(meanings)} beginbfchar {told} endbfchar"
            " endcmap".encode()
        )
    gray = bytes(range(0, 256, 4))
    objects[4] = stream_of(
        gray, "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8"
    )
    widgets = []
    number = first_page + 2 * len(pages)
    for x, y, value in fields:
        objects[number] = (
            f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (f{number}) /V ({value}) /Rect [{x} {y} {x + 100} {y + 14}] >>"
        ).encode()
        widgets.append(f"{number} 0 R")
        number += 1
    for n, content in enumerate(pages):
        data = content if isinstance(content, bytes) else content.encode("cp1252")
        annotations = f"/Annots [{' '.join(widgets)}]" if widgets and n == 0 else ""
        objects[first_page + 2 * n] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{media}] /Contents {first_page + 2 * n + 1} 0 R {annotations}"
            " /Resources << /Font << /F1 3 0 R >> /XObject << /Im1 4 0 R >> >> >>"
        ).encode()
        objects[first_page + 2 * n + 1] = stream_of(
            zlib.compress(data) if compress else data, "/Filter /FlateDecode" if compress else ""
        )
    more = ""
    if outline:
        top, marks = number, range(number + 1, number + 1 + len(outline))
        objects[top] = (
            f"<< /Type /Outlines /First {marks[0]} 0 R /Last {marks[-1]} 0 R /Count {len(outline)} >>".encode()
        )
        for mark, (name, page) in zip(marks, outline, strict=True):
            following = f"/Next {mark + 1} 0 R" if mark + 1 in marks else ""
            objects[mark] = (
                f"<< /Title ({name}) /Parent {top} 0 R {following} /Dest [{first_page + 2 * page} 0 R /Fit] >>".encode()
            )
        more += f" /Outlines {top} 0 R"
        number += 1 + len(outline)
    if labels:
        more += f" /PageLabels << /Nums [{labels}] >>"
    if widgets:
        more += f" /AcroForm << /Fields [{' '.join(widgets)}] >>"
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R {more} {catalog} >>".encode()
    objects[2] = (raw_pages or f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>").encode()
    objects[5] = f"<< /Title ({title}) >>".encode()
    return assemble(objects)


def assemble(objects):
    """The file of these objects; 1 is the catalog, 5 the information on it."""
    data = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(data)
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start, last = len(data), max(objects)
    data += f"xref\n0 {last + 1}\n0000000000 65535 f \n".encode()
    for number in range(1, last + 1):
        data += f"{places.get(number, 0):010d} 00000 {'n' if number in places else 'f'} \n".encode()
    data += f"trailer\n<< /Size {last + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)


def stream_of(data, entries=""):
    """A stream object."""
    return f"<< /Length {len(data)} {entries} >>\nstream\n".encode() + data + b"\nendstream"


BODY = "The tenant pays the rent on the first day of each month."


def report(count=5, *, header="Report of the board", footer="Page {} of 9", body=BODY):
    """Pages with a running header and footer around two lines of their own."""
    return build(
        *(
            shown(header, y=760)
            + shown(f"{body} Part {'abcdefghij'[number]}.", y=400)
            + shown(f"A second line of part {'abcdefghij'[number]}.", y=386)
            + shown(footer.format(number + 1), y=30)
            for number in range(count)
        )
    )


def annotated(annotation, *more):
    """A page with one annotation; `more` are objects from 60 on."""
    data = {
        1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [60 0 R] >> >>",
        2: b"<< /Type /Pages /Kids [6 0 R] /Count 1 >>",
        3: HELVETICA,
        5: b"<< >>",
        6: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R /Annots [50 0 R]"
        b" /Resources << /Font << /F1 3 0 R >> >> >>",
        7: stream_of((shown(BODY, y=600) + shown("Hidden words here.")).encode()),
        50: f"<< /Type /Annot{'' if '/F ' in annotation else ' /F 4'}{'' if '/Rect' in annotation else ' /Rect [60 690 300 720]'}"
        f" {annotation} >>".encode(),
    }
    return assemble(data | {60 + n: each for n, each in enumerate(more)})
