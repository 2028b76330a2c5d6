"""From bytes and folders to documents, or to one error that names every bad file and its fault.

A file is hostile until read: its size is bounded before it is read, it is opened without following links out of
the folder or waiting on a pipe, and every fault is told by file and line, never by its text.
"""

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from verified_gate.ingest.document import PUBLIC, Labels, SourceDocument, Status
from verified_gate.ingest.front_matter import HIDDEN, FrontMatter, is_name, parse_front_matter
from verified_gate.ingest.outline import first_heading
from verified_gate.model import Access, Sha256, sha256_of_text
from verified_gate.model.errors import IngestError

MAX_FILE_BYTES: Final = 10_000_000
"""A larger file is refused unread; so is a monstrous line."""

MARKDOWN: Final = frozenset({".md", ".markdown"})
PLAIN: Final = frozenset({".txt"})

_TRUSTED_ONLY: Final = ("id", "status", "tenant", "groups")
_MAX_ID: Final = 200
_MAX_TITLE: Final = 300
_DASHES: Final = re.compile(r"-{2,}")

Fault = tuple[str, str]
"""A place, as `folder/file.md:12`, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a folder held: its documents by name, and the files that were ignored, each with the reason."""

    documents: tuple[SourceDocument, ...]
    ignored: tuple[tuple[str, str], ...] = ()


def read_document(data: bytes, name: str, *, trusted: bool = False, labels: Labels = PUBLIC) -> SourceDocument:
    """Read one file's bytes. `name` is its path in its folder: default id and title come from it.

    The file's own word on id, status, tenant and groups counts only where `trusted`; else those of `labels` stand.
    Raises `IngestError` with every fault of the file.
    """
    document = _parse(data, name, trusted, labels)
    if not isinstance(document, SourceDocument):
        raise IngestError(document)
    return document


def read_file(path: str | os.PathLike[str], *, trusted: bool = False, labels: Labels = PUBLIC) -> SourceDocument:
    """Read one file, named by its last part. Raises `IngestError`."""
    file = Path(path)
    data = _bytes_of(file, file.name)
    if not isinstance(data, bytes):
        raise IngestError(data)
    return read_document(data, file.name, trusted=trusted, labels=labels)


def read_directory(path: str | os.PathLike[str], *, trusted: bool = False, labels: Labels = PUBLIC) -> Reading:
    """Read every `.md`, `.markdown` and `.txt` file under `path`, in the order of their names.

    Hidden files and folders are passed over; other kinds, and links to folders, are listed in `ignored`.
    Raises one `IngestError` that names every bad file, two files of the same tenant, id and version, a folder that
    is missing or holds no document; nothing is returned then.
    """
    root = Path(path)
    if not os.path.isdir(root):  # noqa: PTH112  # unlike Path.is_dir, never raises
        raise IngestError([(_shown(str(path)), "is no folder, or cannot be read")])
    documents: list[SourceDocument] = []
    ignored: list[tuple[str, str]] = []
    faults: list[Fault] = []
    first_named: dict[tuple[str | None, str, str], str] = {}
    for name, found in sorted(_walk(root, faults, ignored)):
        data = _bytes_of(found, name, root.resolve())
        read = data if not isinstance(data, bytes) else _parse(data, name, trusted, labels)
        if not isinstance(read, SourceDocument):
            faults.extend(read)
            continue
        first = first_named.setdefault((read.access.tenant, read.id, read.version), name)
        if first != name:
            faults.append((_shown(name), f"has the same tenant, id and version as {_shown(first)}"))
        else:
            documents.append(read)
    if not documents and not faults:
        faults.append((_shown(str(path)), "holds no document: no .md, .markdown or .txt file"))
    if faults:
        raise IngestError(faults)
    return Reading(tuple(documents), tuple(sorted(ignored)))


def _walk(root: Path, faults: list[Fault], ignored: list[tuple[str, str]]) -> Iterator[tuple[str, Path]]:
    """Name and real path of each file to read."""
    real_root = root.resolve()
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as scan:
                entries = list(scan)
        except OSError as fault:
            faults.append((_shown(folder or str(root)), f"cannot be listed: {_reason(fault)}"))
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            name = f"{folder}/{entry.name}" if folder else entry.name
            real = Path(entry.path)
            if entry.is_symlink():
                try:
                    real = real.resolve(strict=True)
                except (OSError, RuntimeError):
                    faults.append((_shown(name), "is a link that leads nowhere"))
                    continue
                if not real.is_relative_to(real_root):
                    faults.append((_shown(name), "is a link that leads out of the folder"))
                    continue
                if real.is_dir():
                    ignored.append((_shown(name), "a link to a folder"))
                    continue
            elif entry.is_dir(follow_symlinks=False):
                folders.append(name)
                continue
            if PurePosixPath(name).suffix.lower() in MARKDOWN | PLAIN:
                yield name, real
            else:
                ignored.append((_shown(name), "not a .md, .markdown or .txt file"))


def _bytes_of(path: Path, name: str, root: Path | None = None) -> bytes | Sequence[Fault]:
    """The bytes of a regular file of at most `MAX_FILE_BYTES`; never waits on a pipe. With `root`, what was opened must
    stand under it still: a file or folder may have been exchanged for a link since the folder was listed.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:  # noqa: PTH123  # a descriptor has no path
            if root is not None:
                real = path.resolve()
                if not real.is_relative_to(root) or not os.path.samestat(os.fstat(descriptor), real.stat()):
                    return [(_shown(name), "was exchanged while the folder was read")]
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return [(_shown(name), "is not a regular file")]
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as fault:
        return [(_shown(name), f"cannot be read: {_reason(fault)}")]
    if len(data) > MAX_FILE_BYTES:
        return [(_shown(name), f"is larger than {MAX_FILE_BYTES} bytes; split it")]
    return data


def _parse(data: bytes, name: str, trusted: bool, labels: Labels) -> SourceDocument | Sequence[Fault]:  # noqa: FBT001
    place = _shown(name)
    if len(data) > MAX_FILE_BYTES:
        return [(place, f"is larger than {MAX_FILE_BYTES} bytes; split it")]
    if not _is_utf8(name):
        return [(place, "has a name that is not UTF-8")]
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as fault:
        return [(f"{place}:{_line_at(data, fault.start)}", _why_not_utf8(data, fault.start))]
    if "\0" in text:
        return [(f"{place}:{_line_at(data, data.index(0))}", "holds a NUL character")]
    front = parse_front_matter(text)
    faults = [(f"{place}:{line}", fault) for line, fault in front.faults]
    if faults:
        return faults
    if not trusted and labels.access.tenant is None and {"tenant", "groups"} & front.fields.keys():
        return [
            (
                place,
                "names a tenant or groups; they count only with trust_front_matter, or under a tenant that you name",
            )
        ]
    access = _access(front, trusted, labels)
    if access is None:
        return [(place, "names groups without a tenant; name the tenant whose groups these are")]
    body = text[front.body :]
    markdown = PurePosixPath(name).suffix.lower() not in PLAIN
    believed = front.fields if trusted else {k: v for k, v in front.fields.items() if k not in _TRUSTED_ONLY}
    return SourceDocument(
        id=str(believed.get("id") or _id_from(name)),
        title=str(believed.get("title") or (markdown and _clean(first_heading(body))) or _title_from(name)),
        version=str(believed.get("version", "1")),
        status=Status(str(believed.get("status", labels.status))),
        lang=str(believed.get("lang", labels.lang)),
        access=access,
        collection=str(believed.get("collection", labels.collection)),
        rules=labels.rules,
        text=body,
        first_line=1 + _breaks(text[: front.body]),
        text_sha256=sha256_of_text(body),
        file_sha256=Sha256(hashlib.sha256(data).hexdigest()),
        name=name,
        format="markdown" if markdown else "text",
        disregarded=tuple(sorted(front.fields.keys() - believed.keys())),
    )


def _access(front: FrontMatter, trusted: bool, labels: Labels) -> Access | None:  # noqa: FBT001
    """The operator's labels, or in a trusted file its own where it gives some; None where they make no sense."""
    if not trusted or not ({"tenant", "groups"} & front.fields.keys()):
        return labels.access
    tenant, groups = front.fields.get("tenant"), front.fields.get("groups", ())
    if tenant is None:
        tenant = labels.access.tenant
    if groups and tenant is None:
        return None
    return Access(None if tenant is None else str(tenant), frozenset(groups))


def _line_at(data: bytes, offset: int) -> int:
    head = data[:offset]
    return 1 + head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n")


def _breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _why_not_utf8(data: bytes, offset: int) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "is UTF-16; save it as UTF-8"
    if data[offset] == 0xED and data[offset + 1 : offset + 2] >= b"\xa0":
        return "holds half a surrogate pair, which is no character; save it as UTF-8"
    return "is not UTF-8; save it as UTF-8"


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _id_from(name: str) -> str:
    """The path without its suffix; what an id may not hold becomes `-`. NFC, so that it is the same on every disk."""
    path = unicodedata.normalize("NFC", str(PurePosixPath(name).with_suffix("")))
    fit = "".join(char if is_name(char) else "-" for char in path)
    return _DASHES.sub("-", fit)[-_MAX_ID:]


def _title_from(name: str) -> str:
    return _clean(PurePosixPath(name).stem) or "Untitled"


def _clean(text: str) -> str:
    """One line for people: white space collapsed; control and hidden characters, which can forge, left out."""
    shown = "".join(
        char for char in text if not (char in HIDDEN or unicodedata.category(char) in ("Cc", "Cs")) or char.isspace()
    )
    return " ".join(shown.split())[:_MAX_TITLE]


def _shown(name: str) -> str:
    """A file's name fit for a log: a name can hold line breaks and terminal escapes."""
    return name if name.isprintable() else ascii(name)[1:-1]


def _reason(fault: OSError) -> str:
    return fault.strerror or type(fault).__name__
