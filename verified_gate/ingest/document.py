"""A document as read from one file: its text with its place in the file, its labels and its pins."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final, Literal, get_args

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.rules import name_of
from verified_gate.model import Access, Admission, Sha256


class Status(StrEnum):
    """Life of a version. Only `current` is evidence unless something else is asked for."""

    DRAFT = "draft"
    CURRENT = "current"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"


def _is_day(day: str) -> bool:
    try:
        return date.fromisoformat(day).isoformat() == day
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be done with a document beside who may read it.

    `admission`: what may be kept of it. `purposes`: what it may be used for (empty: for all). `local_only`: its text
    never enters a request to a remote model. It is in force from `effective_from` to the day before `effective_to`
    (ISO dates, empty: without end). Raises `ValueError` for a purpose or a date that cannot be stored.
    """

    admission: Admission = "full_text"
    purposes: frozenset[str] = frozenset()
    local_only: bool = False
    effective_from: str = ""
    effective_to: str = ""

    def __post_init__(self) -> None:
        if self.admission not in get_args(Admission):
            raise ValueError(f"admission must be one of {', '.join(get_args(Admission))}")
        if any(not name or not name.isprintable() for name in self.purposes):
            raise ValueError("purposes must be names, each of printable characters")
        object.__setattr__(self, "purposes", frozenset(self.purposes))
        for name in ("effective_from", "effective_to"):
            day = getattr(self, name)
            if day and not _is_day(day):
                raise ValueError(f"{name} must be a date as 2026-01-31")
        if self.effective_from and self.effective_to and self.effective_from >= self.effective_to:
            raise ValueError("effective_to must come after effective_from")


@dataclass(frozen=True, slots=True)
class Labels:
    """What the operator says of the files of one call. It stands where a file may not, or does not, speak for itself."""

    access: Access = field(default_factory=Access)
    status: Status = Status.CURRENT
    collection: str = "default"
    lang: str = ""
    rules: Rules = field(default_factory=Rules)


PUBLIC: Final = Labels()
"""For everybody, current, in the default collection."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One version of a document.

    `text` is the file's text after its front matter, line ends untouched, without a byte order mark;
    `first_line` is the 1-based line of the file on which it begins. `text_sha256` is over the UTF-8 form of `text`,
    `file_sha256` over the bytes of the file. `name` is the file's path in its folder, with `/`.
    `numbered`: the file names no version, so that a changed file takes the next number. `derived`: it names no id, which
    is made of its path.
    `disregarded` names the front matter fields that were not believed because the file is not trusted. `extracted` is
    what a reader of its format found beside the text (None: text or Markdown, read as it stands).
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
    numbered: bool = False
    derived: bool = False
    extracted: Extracted | None = field(default=None, repr=False)
    rules: Rules = field(default_factory=Rules)

    @property
    def reader(self) -> str:
        """What read it, by name: another name may stand for another text, or for other marks in the same text."""
        return name_of(self.format) if self.extracted is None else self.extracted.reader

    @property
    def key(self) -> str:
        """`returns@3`, for a document of a tenant `acme:returns@3`. Passages add `#c0`, `#c1`, …"""
        scope = "" if self.access.tenant is None else f"{self.access.tenant}:"
        return f"{scope}{self.id}@{self.version}"
