"""Whether browsers read a page as those of long ago: names of classes and ids know no capitals, lengths need no unit.

So they do where a page names no document type before all else, one that is not well-formed, or one of before 2000.
"""

import re
from typing import Final

from verified_gate.ingest.formats.markup import Element

_BEFORE: Final = re.compile(
    rb"(?>[\t\n\f\r \0]+|<!---?>|<!--(?s:.*?)(?:--!?>|\Z)|<!(?!doctype|--)[^>]*>|<\?[^>]*>|</[^a-z>][^>]*>|</>)*+",
    re.IGNORECASE,
)
"""What may stand before a document type: white space, comments, and what is taken for comments."""
_QUOTED: Final = r"""(?:"([^">]*)"|'([^'>]*)')"""
_DOCTYPE: Final = re.compile(
    rf"<!doctype\s*+html(?:\s*+>|\s++public\s*+{_QUOTED}\s*+(?:{_QUOTED}[^>]*)?>|\s++system\s*+{_QUOTED}[^>]*>)".encode(),
    re.IGNORECASE,
)
_OLD: Final = (
    "+//silmaril//", "-//as//", "-//advasoft ltd//", "-//ietf//dtd html", "-//metrius//",
    "-//microsoft//dtd internet explorer", "-//netscape comm. corp.//", "-//o'reilly and associates//", "-//sq//",
    "-//softquad", "-//spyglass//", "-//sun microsystems corp.//", "-//w3c//dtd html 3", "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//", "-//w3c//dtd html experimental", "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html", "-//webtechs//", "-/w3c/dtd html 4.0 transitional/en",
)  # fmt: skip
"""How names of document types begin that are read as those of long ago."""
_LOOSE: Final = ("-//w3c//dtd html 4.01 transitional//", "-//w3c//dtd html 4.01 frameset//")
"""Those that are so only without an address."""
_BARE: Final = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"


def is_quirky(page: bytes) -> bool:
    """Whether browsers read a page in HTML so, for its document type. Work is linear in what stands before it."""
    before = _BEFORE.match(page)
    found = _DOCTYPE.match(page, before.end() if before else 0)
    if not found:
        return True
    double, single, *addresses = ((each or b"").decode("ascii", "replace").lower() for each in found.groups())
    public, address = double or single, "".join(addresses)
    return (
        public == "html" or public.startswith(_OLD) or (public.startswith(_LOOSE) and not address) or address == _BARE
    )


def in_quirks(root: Element) -> bool:
    """Whether this page is read so; one in XML never is. The tree of one that is has no document type."""
    if isinstance(root.tag, str) and root.tag[:1] == "{":
        return False
    return root.getroottree().docinfo.internalDTD is None
