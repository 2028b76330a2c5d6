"""A version of a document, ready to be stored: text, spans, labels; and how a list shows it."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from verified_gate.corpus.key import format_key, name_fault
from verified_gate.ingest.document import Rules, Status
from verified_gate.ingest.extracted import Page
from verified_gate.model import Access, Coverage, Location, sha256_of_text

READABLE: Final = frozenset({Status.CURRENT, Status.SUPERSEDED})
"""What a reader can be shown: the one as current, the other as historic. The others are to a reader as if absent."""


@dataclass(frozen=True, slots=True)
class Span:
    """One passage of a document, in code points of its text; `furniture`, `hidden` and `turns` in code points of the
    passage. What is furniture or hidden between this passage and the next is marked here too, with offsets beyond its
    end (before the first passage: below 0): a quote that runs on meets it.
    """

    start: int
    end: int
    location: Location = field(default_factory=Location)
    furniture: tuple[tuple[int, int], ...] = ()
    hidden: tuple[tuple[int, int], ...] = ()
    turns: tuple[tuple[int, Location], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A version with the operator's labels, what read it, how much of it could be read, and its pages if it has some.
    Raises `ValueError` for names and spans that cannot be stored.
    """

    document_id: str
    version: str
    text: str = field(repr=False)
    spans: Sequence[Span] = field(repr=False)
    title: str = ""
    lang: str = ""
    collection: str = "default"
    status: Status = Status.CURRENT
    access: Access = field(default_factory=Access)
    file_sha256: str | None = None
    reader: str = ""
    coverage: Coverage = "complete"
    pages: Sequence[Page] = field(default=(), repr=False)
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", Status(self.status))
        names = {"id": self.document_id, "version": self.version}
        if self.access.tenant is not None:
            names["tenant"] = self.access.tenant
        for label, name in (*names.items(), *(("group", group) for group in self.access.groups)):
            if fault := name_fault(name):
                raise ValueError(f"{label} {fault}")
        texts = {"title": self.title, "language": self.lang, "collection": self.collection, "text": self.text}
        for label, text in texts.items():
            try:
                text.encode("utf-8")
            except UnicodeEncodeError:
                raise ValueError(f"{label} holds half a surrogate pair, which is no character") from None
        if any(unicodedata.category(char) == "Cc" for char in self.collection):
            raise ValueError("collection holds a control character")
        length = len(self.text)
        if any(not 0 <= span.start < span.end <= length for span in self.spans):
            raise ValueError("a passage must be a non-empty span of the document's text")

    @property
    def name(self) -> tuple[str, str, str]:
        """Tenant (empty for public), id, version: unique in a corpus."""
        return (self.access.tenant or "", self.document_id, self.version)


def as_admitted(document: Document) -> Document:
    """What may be kept of it: where only what describes a document is admitted, its title stands for its text."""
    if document.rules.admission != "metadata_only":
        return document
    title = document.title or document.document_id
    return replace(document, text=title, spans=(Span(0, len(title)),), pages=())


@dataclass(frozen=True, slots=True)
class Listing:
    """A version as a list shows it; no text."""

    document_id: str
    version: str
    tenant: str | None
    status: Status
    title: str
    lang: str
    collection: str
    passages: int
    text_sha256: str
    file_sha256: str | None
    reader: str = ""
    coverage: Coverage = "complete"
    rules: Rules = field(default_factory=Rules)

    def key(self, position: int) -> str:
        """The key of this version's passage at `position`, counted from 0."""
        return format_key(self.tenant or "", self.document_id, self.version, position)


def labels_of(groups: frozenset[str]) -> str:
    """Groups as one sortable string, one spelling for each set. Names of groups hold no line break."""
    return "\n".join(sorted(groups))


def groups_of(labels: str) -> frozenset[str]:
    """The inverse of `labels_of`."""
    return frozenset(labels.split("\n")) if labels else frozenset()


def digest_of(text: str) -> bytes:
    """SHA-256 over the UTF-8 form of `text`, as 32 bytes."""
    return bytes.fromhex(sha256_of_text(text))
