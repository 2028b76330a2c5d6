"""Office packages (DOCX, XLSX): which part is which, by their relationships and never by their usual names."""

import posixpath
from typing import Final

from verified_gate.ingest.formats.archive import Archive, resolve
from verified_gate.ingest.formats.markup import Element, parse_xml
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_MACROS: Final = "vbaProject"
_OPEN, _STRICT = "http://schemas.openxmlformats.org", "http://purl.oclc.org/ooxml"
_KINDS: Final = frozenset({
    f"{_OPEN}/officeDocument/2006/relationships", f"{_STRICT}/officeDocument/relationships",
    f"{_OPEN}/package/2006/relationships/metadata", f"{_OPEN}/officedocument/2006/relationships/metadata",
})  # fmt: skip
"""Where the kinds of relationships that are read here are named; others are foreign, whatever they end in."""


class Package:
    """The parts of one package. Raises `UnreadableFile` (`damaged`) where it has no main part."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: dict[str, list[tuple[str, str, str]]] = {}  # the relationships of a part
        found = self._related("", "officeDocument")
        if not found:
            raise UnreadableFile(Unreadable.DAMAGED, "the package names no document that it holds")
        self.main = found[0]

    def parse(self, name: str) -> Element:
        """The root of a part."""
        return parse_xml(self._archive.read(name))

    def part(self, kind: str, *, of: str | None = None) -> Element | None:
        """The root of the first part of a `kind` ("styles") that the main part, or the part `of`, is related to."""
        found = self._related(self.main if of is None else of, kind)
        return self.parse(found[0]) if found else None

    def targets(self, part: str) -> dict[str, str]:
        """Relationship id -> member, for the related parts of `part` that are in the package."""
        return {key: name for key, _, name in self._relationships(part) if name in self._archive}

    def core(self) -> tuple[str, str]:
        """Title and language, as the package gives them."""
        root = self.part("core-properties", of="")
        if root is None:
            return "", ""
        title, language = (
            next((each.text or "" for each in root.iter(f"{{*}}{name}")), "") for name in ("title", "language")
        )
        return title, language

    @property
    def has_macros(self) -> bool:
        """Whether programs come with it."""
        return any(_MACROS in name for name in self._archive.names)

    def _related(self, part: str, kind: str) -> list[str]:
        return [name for _, is_a, name in self._relationships(part) if is_a == kind and name in self._archive]

    def _relationships(self, part: str) -> list[tuple[str, str, str]]:
        if part not in self._known:
            self._known[part] = self._read_relationships(part)
        return self._known[part]

    def _read_relationships(self, part: str) -> list[tuple[str, str, str]]:
        folder, name = posixpath.split(part)
        data = self._archive.read_if_there(posixpath.join(folder, "_rels", f"{name}.rels"))
        if data is None:
            return []
        found = []
        for each in parse_xml(data).iter(f"{{{_OPEN}/package/2006/relationships}}Relationship"):
            space, _, kind = each.get("Type", "").rpartition("/")
            if each.get("TargetMode") != "External":  # never fetched
                kind = kind if space in _KINDS else ""
                found.append((each.get("Id", ""), kind, resolve(part, each.get("Target", ""))))
        return found
