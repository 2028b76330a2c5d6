"""What an element or an attribute of an OpenDocument text is: by its name and its name space, never by the name alone.

A file may hold elements of any name space. Programs pass over a paragraph, a row or a style of another one, whatever it
is called, and show what it holds of their own; an attribute of another one changes nothing of what they show.
"""

import re
from functools import lru_cache
from typing import Final

from verified_gate.ingest.formats.markup import Element

UNKNOWN: Final = "?"
"""The name of what has none that is known, in a space of the format: its words are shown by no program."""
_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns:"
_VERSION: Final = re.compile(r"1\.\d{1,3}")
_OTHERS: Final = {
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
    "urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0": "field",
    "http://purl.org/dc/elements/1.1/": "dc",
}
_STANDARDS: Final = ("urn:org:documentfoundation:", "urn:openoffice:", "http://openoffice.org/", "http://www.w3.org/")
_KNOWN: Final = {
    "office": "annotation annotation-end automatic-styles body event-listeners font-face-decls forms master-styles meta"
              " scripts styles text",
    "text": "a alphabetical-index alphabetical-index-auto-mark-file alphabetical-index-mark alphabetical-index-mark-end"
            " alphabetical-index-mark-start alphabetical-index-source author-initials author-name bibliography"
            " bibliography-mark bibliography-source bookmark bookmark-end bookmark-ref bookmark-start change change-end"
            " change-start changed-region chapter character-count conditional-text creation-date creation-time creator"
            " database-display database-name database-next database-row-number database-row-select date"
            " dde-connection-decls deletion description drop-down editing-cycles editing-duration execute-macro"
            " expression file-name h hidden-paragraph hidden-text illustration-index illustration-index-source"
            " image-count index-body index-title index-title-template initial-creator insertion keywords label line-break"
            " linenumbering-configuration list list-header list-item meta meta-field modification-date"
            " modification-time note note-body note-citation note-ref number numbered-paragraph object-count"
            " object-index object-index-source p page-continuation page-count page-number page-variable-get"
            " page-variable-set paragraph-count placeholder print-date print-time printed-by reference-mark"
            " reference-mark-end reference-mark-start reference-ref ruby ruby-base ruby-text s script section"
            " sender-city sender-company sender-country sender-email sender-fax sender-firstname sender-initials"
            " sender-lastname sender-phone-private sender-phone-work sender-position sender-postal-code"
            " sender-state-or-province sender-street sender-title sequence sequence-decls sequence-ref"
            " soft-page-break span subject tab table-count table-formula table-index table-index-source"
            " table-of-content table-of-content-source template-name text-input time title toc-mark toc-mark-end toc-mark-start"
            " tracked-changes user-defined user-field-decls user-field-get user-field-input user-index"
            " user-index-mark user-index-mark-end user-index-mark-start user-index-source variable-decls"
            " variable-get variable-input variable-set word-count",
    "table": "covered-table-cell table table-cell table-column table-column-group table-columns table-header-columns"
             " table-header-rows table-row table-row-group table-rows table-source",
    "draw": "a applet caption circle control custom-shape ellipse enhanced-geometry floating-frame frame g glue-point image"
            " image-map line connector measure object object-ole path plugin polygon polyline rect regular-polygon text-box",
    "style": "default-style font-face graphic-properties master-page paragraph-properties section-properties style"
             " table-cell-properties table-column-properties table-properties table-row-properties text-properties"
             " footer footer-first footer-left header header-first header-left",
    "field": "fieldmark fieldmark-end fieldmark-start param",
    "loext": "content-control p",
    "dc": "language title",
}  # fmt: skip
_NAMES: Final = {
    **{(space, name): name for space, names in _KNOWN.items() for name in names.split()},
    ("svg", "title"): "title-beside",
    ("svg", "desc"): "words-beside",
}
_SPACE_OF: Final = {
    **dict.fromkeys(("background-color", "color", "font-size", "letter-spacing", "line-height", "margin-left", "text-indent"),
                    "fo"),
    **dict.fromkeys(("x", "y", "width", "height"), "svg"),
    **dict.fromkeys(("fill", "fill-color"), "draw"), "anchor-type": "text",
}  # fmt: skip
"""The name spaces of attributes that are not those of their elements."""
_ELSEWHERE: Final = {
    ("text-properties", "display"): ("text",), ("text-properties", "opacity"): ("loext", "style"),
    ("text-properties", "font-family"): ("fo",), ("font-face", "font-family"): ("svg",),
    ("graphic-properties", "opacity"): ("draw",), ("content-control", "style-name"): ("text",),
}  # fmt: skip
_LONG: Final = {"draw": "drawing", "svg": "svg-compatible", "fo": "xsl-fo-compatible"}
_SHORT: Final = {long: short for short, long in _LONG.items()}
_URIS: Final = {short: uri for uri, short in _OTHERS.items()}

SHAPES: Final = frozenset(
    {
        "custom-shape",
        "rect",
        "ellipse",
        "circle",
        "polygon",
        "path",
        "caption",
        "line",
        "polyline",
        "connector",
        "measure",
        "regular-polygon",
    }
)
CONTENTS: Final = frozenset(
    {"text-box", "image", "object", "object-ole", "plugin", "applet", "floating-frame", "table"}
)
"""What a frame holds: the first of it is shown, and the others in its place where a program cannot."""
AROUND: Final = frozenset(
    {"", "a", "numbered-paragraph", "index-body", "index-title", "table-of-content", "illustration-index", "table-index",
     "object-index", "user-index", "alphabetical-index", "bibliography"}
)  # fmt: skip
"""What stands around blocks and says nothing itself; one of a foreign name space is passed through."""
BLOCKS: Final = frozenset({"p", "h", "list", "table", "section", "list-item", "list-header"}) | (AROUND - {"", "a"})
MARGINS: Final = ("header", "header-left", "header-first", "footer", "footer-left", "footer-first")
LEFT_OUT: Final = frozenset(
    {"tracked-changes", "annotation", "annotation-end", "sequence-decls", "variable-decls", "user-field-decls", "forms",
     "note-citation", "hidden-paragraph", "table-column", "fieldmark-end", "label", "table-columns", "table-source", "ruby-text",
     "words-beside", "title-beside", "index-title-template", "event-listeners", "scripts", "soft-page-break", "script",
     "dde-connection-decls", "number", "page-variable-set", "database-next", "change", "change-start", "change-end",
     "toc-mark", "toc-mark-start", "toc-mark-end", "user-index-mark", "user-index-mark-start", "user-index-mark-end",
     "alphabetical-index-mark", "alphabetical-index-mark-start", "alphabetical-index-mark-end", "bookmark-end",
     "reference-mark-end", "glue-point", "enhanced-geometry", "image-map", "linenumbering-configuration",
     "alphabetical-index-auto-mark-file", "table-header-columns", "table-column-group",
     "table-of-content-source", "illustration-index-source", "table-index-source", "object-index-source",
     "user-index-source", "alphabetical-index-source", "bibliography-source"}
)  # fmt: skip
"""What is no words of the text, or is written elsewhere."""


def name_of(element: Element) -> str:
    """The name of an element of the format; `UNKNOWN` for one that it does not know, "" for one of foreign spaces."""
    tag: object = element.tag
    return _name(tag) if isinstance(tag, str) else ""


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along `path`."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if name_of(each) == name), None)
    return element


def value(element: Element | None, name: str) -> str:
    """An attribute of the format; "" where there is none."""
    if element is None:
        return ""
    tag: object = element.tag
    for key in _keys(tag, name) if isinstance(tag, str) else ():
        held = element.get(key)
        if held is not None:
            return held
    return ""


def tag_of(space: str, name: str) -> str:
    """What lxml calls an element, for looking it up among many."""
    return f"{{{_uri(space)}}}{name}"


@lru_cache(maxsize=4_096)
def _name(tag: str) -> str:
    uri, name = _parted(tag)
    space = _space(uri)
    known = _NAMES.get((space, name))
    return known or (UNKNOWN if space or uri.startswith(_STANDARDS) else "")


@lru_cache(maxsize=4_096)
def _keys(tag: str, name: str) -> tuple[str, ...]:
    """The attributes that say `name` of an element, the first that is there counts."""
    uri, own = _parted(tag)
    space = _space(uri)
    if (own, name) in _ELSEWHERE:
        return tuple(f"{{{_uri(each)}}}{name}" for each in _ELSEWHERE[own, name])
    if name in _SPACE_OF:
        return (f"{{{_uri(_SPACE_OF[name])}}}{name}",)
    if space in ("field", "loext"):
        return f"{{{uri}}}{name}", f"{{{_uri('text')}}}{name}"
    return (f"{{{uri}}}{name}",)


def _parted(tag: str) -> tuple[str, str]:
    uri, brace, name = tag.rpartition("}")
    return (uri[1:], name) if brace else ("", tag)


def _space(uri: str) -> str:
    """The usual short name of a space of the format, whatever its version; "" for any other."""
    if uri.startswith(_OASIS):
        space, _, version = uri[len(_OASIS) :].partition(":")
        if _VERSION.fullmatch(version):
            return _SHORT.get(space, space)
    return _OTHERS.get(uri, "")


def _uri(space: str) -> str:
    return _URIS.get(space) or f"{_OASIS}{_LONG.get(space, space)}:1.0"
