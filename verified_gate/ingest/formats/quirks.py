"""Whether browsers read a page as those of long ago: names of classes and ids know no capitals, lengths need no unit.

So they do where a page names no document type, or one of before 2000.
"""

from typing import Final

from verified_gate.ingest.formats.markup import Element

_OWN: Final = ("-//w3c//dtd xhtml 1", "-//w3c//dtd html 4.01", "-//w3c//dtd html 4.0//", "iso/iec 15445")
"""Document types that are read as those of today are."""
_LOOSE: Final = ("-//w3c//dtd html 4.01 transitional", "-//w3c//dtd html 4.01 frameset")
"""Those that are so only with an address."""
_BARE: Final = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"


def in_quirks(root: Element) -> bool:
    """Whether this page is read so; one in XML never is."""
    if isinstance(root.tag, str) and root.tag[:1] == "{":
        return False
    about = root.getroottree().docinfo
    if about.internalDTD is None or (about.internalDTD.name or "").lower() != "html":
        return True
    public, address = (about.public_id or "").lower(), (about.system_url or "").lower()
    if not public:
        return address == _BARE
    return not public.startswith(_OWN) or (public.startswith(_LOOSE) and not address)
