"""Makes small containers (DOCX, ODT, EPUB, XLSX) part by part, as tests need them: well made, or badly."""

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_OPEN, _MICROSOFT = "http://schemas.openxmlformats.org", "http://schemas.microsoft.com/office"
_NAMES = {
    "w": W, "r": OFFICE, "m": f"{_OPEN}/officeDocument/2006/math", "a": f"{_OPEN}/drawingml/2006/main",
    "wp": f"{_OPEN}/drawingml/2006/wordprocessingDrawing", "mc": f"{_OPEN}/markup-compatibility/2006",
    "w14": f"{_MICROSOFT}/word/2010/wordml", "wps": f"{_MICROSOFT}/word/2010/wordprocessingShape",
    "wpg": f"{_MICROSOFT}/word/2010/wordprocessingGroup", "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office", "x": "urn:of-another-program",
}  # fmt: skip
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"


def zipped(members, *, compression=zipfile.ZIP_DEFLATED):
    """The bytes of an archive of (name, bytes or text); several may have one name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, data)
    return buffer.getvalue()


def relationships(**targets):
    """Relationships by kind."""
    inner = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{target}"/>' for kind, target in targets.items()
    )
    return f'<Relationships xmlns="{PACKAGE}">{inner}</Relationships>'


def docx(body, *, styles="", numbering="", footnotes="", endnotes="", core="", extra=None, root="document"):
    """A Word document of `body`, the inner XML of w:body."""
    related = {"styles": styles, "numbering": numbering, "footnotes": footnotes, "endnotes": endnotes}
    names = " ".join(f'xmlns:{name}="{space}"' for name, space in _NAMES.items())
    members = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relationships(officeDocument="word/document.xml"),
        "word/document.xml": f"<w:{root} {names}><w:body>{body}</w:body></w:{root}>",
        "word/_rels/document.xml.rels": relationships(**{kind: f"{kind}.xml" for kind, xml in related.items() if xml}),
    }
    for kind, xml in related.items():
        if xml:
            members[f"word/{kind}.xml"] = f"<w:{kind} {names}>{xml}</w:{kind}>"
    if core:
        members["_rels/.rels"] = relationships(**{"officeDocument": "word/document.xml", "core-properties": "core.xml"})
        members["core.xml"] = f'<c xmlns:dc="dc">{core}</c>'
    return zipped(members | (extra or {}))


def p(text, *, style="", properties="", run=""):
    """A paragraph of one run."""
    style = f'<w:pStyle w:val="{style}"/>' if style else ""
    run = f"<w:rPr>{run}</w:rPr>" if run else ""
    return f'<w:p><w:pPr>{style}{properties}</w:pPr><w:r>{run}<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def odt(body, *, automatic="", styles="", meta="", manifest="<manifest/>", extra=None):
    """An OpenDocument text of `body`, the inner XML of office:text."""
    names = " ".join(
        f'xmlns:{name}="{_ODF}{space}:1.0"'
        for name, space in {
            "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing",
            "fo": "xsl-fo-compatible", "svg": "svg-compatible",
        }.items()
    )  # fmt: skip
    names += ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    members = [
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", manifest),
        ("content.xml", f"<office:document-content {names}><office:automatic-styles>{automatic}</office:automatic-styles>"
                        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"),
        ("styles.xml", f"<office:document-styles {names}><office:styles>{styles}</office:styles></office:document-styles>"),
        ("meta.xml", f"<office:document-meta {names}><office:meta>{meta}</office:meta></office:document-meta>"),
        *(extra or {}).items(),
    ]  # fmt: skip
    return zipped(members)


def epub(chapters, *, metadata="", extra=None, manifest="", spine=""):
    """A book of chapters: name -> the inner XML of the body, or the whole of the file where it begins with `<html`."""
    items = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="i{n}"/>' for n, _ in enumerate(chapters))
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                                  '<rootfile full-path="book/content.opf"/></rootfiles></container>',
        "book/content.opf": f'<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
                            f"<metadata>{metadata}</metadata><manifest>{items}{manifest}</manifest><spine>{order}{spine}</spine>"
                            f"</package>",
    }  # fmt: skip
    for name, body in chapters.items():
        whole = body if body.startswith(("<html", "<!DOCTYPE", "<?xml")) else xhtml(body)
        members[f"book/{name}"] = whole
    return zipped(members | (extra or {}))


def xhtml(body, *, head=""):
    return (
        f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>t</title>{head}'
        f"</head><body>{body}</body></html>"
    )


def xlsx(sheets, *, strings="", styles="", extra=None, properties=""):
    """A workbook of sheets: name -> the inner XML of the worksheet; `name|hidden` has that state."""
    listed, targets = "", {}
    members = {}
    for number, (name, inner) in enumerate(sheets.items(), 1):
        title, _, state = name.partition("|")
        state = f' state="{state}"' if state else ""
        listed += f'<sheet name="{title}" sheetId="{number}"{state} r:id="s{number}"/>'
        targets[f"s{number}"] = f"sheets/{number}.xml"
        members[f"xl/sheets/{number}.xml"] = f'<worksheet xmlns="{SHEETS}">{inner}</worksheet>'
    related = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/worksheet" Target="{name}"/>' for key, name in targets.items()
    )
    if strings:
        members["xl/strings.xml"] = f'<sst xmlns="{SHEETS}">{strings}</sst>'
        related += f'<Relationship Id="str" Type="{OFFICE}/sharedStrings" Target="strings.xml"/>'
    if styles:
        members["xl/styles.xml"] = f'<styleSheet xmlns="{SHEETS}">{styles}</styleSheet>'
        related += f'<Relationship Id="sty" Type="{OFFICE}/styles" Target="/xl/styles.xml"/>'
    members |= {
        "_rels/.rels": relationships(officeDocument="xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}">{properties}<sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{related}</Relationships>',
    }
    return zipped(members | (extra or {}))
