"""A document as read from one file: its text with its place in the file, its labels and its pins."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal

from verified_gate.model import Access, Sha256


class Status(StrEnum):
    """Life of a version. Only `current` is evidence unless something else is asked for."""

    DRAFT = "draft"
    CURRENT = "current"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Labels:
    """What the operator says of the files of one call. It stands where a file may not, or does not, speak for itself."""

    access: Access = field(default_factory=Access)
    status: Status = Status.CURRENT
    collection: str = "default"
    lang: str = ""


PUBLIC: Final = Labels()
"""For everybody, current, in the default collection."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One version of a document.

    `text` is the file's text after its front matter, line ends untouched, without a byte order mark;
    `first_line` is the 1-based line of the file on which it begins. `text_sha256` is over the UTF-8 form of `text`,
    `file_sha256` over the bytes of the file. `name` is the file's path in its folder, with `/`.
    `disregarded` names the front matter fields that were not believed because the file is not trusted.
    """

    id: str
    title: str
    version: str
    status: Status
    lang: str
    access: Access
    collection: str
    text: str = field(repr=False)
    first_line: int
    text_sha256: Sha256
    file_sha256: Sha256
    name: str
    format: Literal["markdown", "text"] = "markdown"
    disregarded: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """`returns@3`, for a document of a tenant `acme:returns@3`. Passages add `#c0`, `#c1`, …"""
        scope = "" if self.access.tenant is None else f"{self.access.tenant}:"
        return f"{scope}{self.id}@{self.version}"
