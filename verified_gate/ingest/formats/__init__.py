"""Readers of file formats: bytes in, an `Extracted` out, or one `UnreadableFile` that says why not.

A reader never opens a file, never fetches anything, and stays within its `ReadingLimits`. It runs in a process of its
own (`ingest.worker`), which is what holds time and memory; all the same its work is linear in the file. It may import
`ingest.extracted`, `ingest.limits`, `ingest.unreadable`, `model`, `text` and its library; nothing else of ours. Each
is loaded when first asked for, so that its library is needed only then.
"""

from dataclasses import replace
from importlib import import_module
from typing import Final, Literal, Protocol

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats.rules import name_of
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.model.errors import MissingExtra

Kind = Literal["pdf", "docx", "odt", "html", "epub", "csv", "xlsx"]

_MODULES: Final[dict[Kind, str]] = {
    "pdf": "pdf",
    "docx": "docx",
    "odt": "odt",
    "html": "html",
    "epub": "epub",
    "csv": "tables",
    "xlsx": "tables",
}

KINDS: Final[tuple[Kind, ...]] = tuple(_MODULES)
"""What is read by a reader; Markdown and plain text are read as they stand (`ingest.reading`)."""


class Reader(Protocol):
    """`read` of each module here. Options come by name: `kind` always; `password` where the operator gave one. A reader
    takes what it needs and lets the rest go (`**_`). Raises `UnreadableFile`.
    """

    def __call__(self, data: bytes, limits: ReadingLimits, **options: str) -> Extracted: ...


def reader_of(kind: Kind) -> Reader:
    """The reader of `kind`, which names itself, its library and our rules by number (`formats.rules`). Raises
    `MissingExtra` where its library is not installed.
    """
    try:
        module = import_module(f"{__name__}.{_MODULES[kind]}")
    except ImportError as fault:
        missing = fault.name or "a package"
        raise MissingExtra(f"reading {kind} files needs {missing}: install verified-gate[documents]") from fault
    read: Reader = module.read
    name = name_of(kind)

    def named(data: bytes, limits: ReadingLimits, **options: str) -> Extracted:
        return replace(read(data, limits, **options), reader=name)

    return named
