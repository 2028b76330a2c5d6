"""From bytes and folders to documents, or to one error that names every bad file and its fault.

A file is hostile until read: its size is bounded before it is read, and every fault is told by file and line, never
by its text. Markdown and plain text are read here, as they stand; other kinds by the readers of `ingest.formats`, in
a process of their own.
"""

import hashlib
import os
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final

from verified_gate.ingest.document import PUBLIC, Labels, SourceDocument, Status
from verified_gate.ingest.extracted import Extracted, words_seen
from verified_gate.ingest.folder import Fault, bytes_of, shown, walk
from verified_gate.ingest.formats.detect import PLAIN, FileKind, detect, is_known, is_plain, needs_whole
from verified_gate.ingest.front_matter import HIDDEN, MAX_FRONT_MATTER, FrontMatter, is_name, parse_front_matter
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.ocr import Ocr
from verified_gate.ingest.outline import blanked, first_heading
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.unseen_markdown import unseen
from verified_gate.ingest.worker import Readers, shared_readers
from verified_gate.model import Access, Sha256, sha256_of_text
from verified_gate.model.errors import IngestError

MAX_FILE_BYTES: Final = ReadingLimits().text_bytes
"""A larger text is refused unread; so is a monstrous line."""

_TRUSTED_ONLY: Final = ("id", "status", "tenant", "groups")
_MAX_ID: Final = 200
_MAX_TITLE: Final = 300
_FRONT_BYTES: Final = 4 * MAX_FRONT_MATTER + 1_000
"""In which all front matter lies."""
_DASHES: Final = re.compile(r"-{2,}")
_NOT_WORD: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a folder held: its documents by name, and the files that were ignored, each with the reason."""

    documents: tuple[SourceDocument, ...]
    ignored: tuple[tuple[str, str], ...] = ()


def read_document(
    data: bytes,
    name: str,
    *,
    trusted: bool = False,
    labels: Labels = PUBLIC,
    readers: Readers | None = None,
    password: str | None = None,
    ocr: Ocr | None = None,
) -> SourceDocument:
    """Read one file's bytes. `name` is its path in its folder: default id and title come from it.

    The file's own word on id, status, tenant and groups counts only where `trusted`; else those of `labels` stand.
    `readers` read what is neither Markdown nor text (None: those of this process); `password` is for files that need
    one, `ocr` is asked for the words of pages that are pictures. Raises `IngestError` with every fault of the file, or `UnreadableFile` (one too) with its code.
    """
    kind = _kind_of(data, name)
    if kind == "markdown" or kind == "text":  # noqa: PLR1714  # mypy narrows this
        document = _parse(data, name, trusted, labels)
        if not isinstance(document, SourceDocument):
            raise IngestError(document)
        return document
    if not _is_utf8(name):
        raise IngestError([(shown(name), "has a name that is not UTF-8")])
    options = {} if password is None else {"password": password}
    try:
        extracted = (readers or shared_readers()).read(data, kind, ocr=ocr, **options)
    except UnreadableFile as why:
        raise why.at(shown(name)) from why.__cause__
    return _document_of(extracted, data, name, labels)


def _document_of(extracted: Extracted, data: bytes, name: str, labels: Labels) -> SourceDocument:
    text, hidden = extracted.text, extracted.hidden
    headings = (words_seen(text, hidden, *block[1:3]) for block in extracted.blocks if block.kind == "heading")
    return SourceDocument(
        id=_id_from(name, whole=True),
        title=_clean(extracted.title) or next(filter(None, map(_clean, headings)), _title_from(name)),
        version="1",
        status=labels.status,
        lang=extracted.lang or labels.lang,
        access=labels.access,
        collection=labels.collection,
        rules=labels.rules,
        text=extracted.text,
        first_line=1,
        text_sha256=sha256_of_text(extracted.text),
        file_sha256=Sha256(hashlib.sha256(data).hexdigest()),
        name=name,
        format="text",
        numbered=True,
        derived=True,
        extracted=extracted,
    )


def read_file(
    path: str | os.PathLike[str],
    *,
    trusted: bool = False,
    labels: Labels = PUBLIC,
    readers: Readers | None = None,
    password: str | None = None,
    ocr: Ocr | None = None,
) -> SourceDocument:
    """Read one file, named by its last part. Raises as `read_document` does."""
    file = Path(path)
    data = load(file, file.name)
    return read_document(data, file.name, trusted=trusted, labels=labels, readers=readers, password=password, ocr=ocr)


def load(path: Path, name: str, root: Path | None = None) -> bytes:
    """The bytes of a file of a kind that is read, called `name` in its folder `root`.

    No more of it is read than is needed to refuse it. Raises `IngestError`, or `UnreadableFile` with its code.
    """
    limits, most = ReadingLimits(), 0

    def wanted(head: bytes) -> int:
        nonlocal most
        kind = "" if needs_whole(head) else detect(head, name)
        most = limits.text_bytes if kind in ("markdown", "text") else limits.file_bytes
        return most + 1

    try:
        data = bytes_of(path, name, wanted, root)
        if not isinstance(data, bytes):
            raise IngestError(data)
        if needs_whole(data):
            detect(data, name)
    except UnreadableFile as why:
        raise why.at(shown(name)) from None
    if len(data) > most:
        raise UnreadableFile(Unreadable.TOO_LARGE, f"is larger than {most:,} bytes; split it", shown(name))
    return data


def read_directory(path: str | os.PathLike[str], *, trusted: bool = False, labels: Labels = PUBLIC) -> Reading:
    """Read every file under `path` that is of a known kind, in the order of their names.

    Hidden files and folders are passed over. Files of other kinds, links to folders, and documents that cannot be read
    (a scan, an encrypted file) are listed in `ignored`, each with the reason. Raises one `IngestError` that names every
    bad Markdown or text file, two files that name the same tenant, id and version, a folder that is missing or holds no
    document; nothing is returned then. Of two whose paths make one id the second takes one of `other_ids`, of which none
    is an id that a third file names.
    """
    root = Path(path)
    if not os.path.isdir(root):  # noqa: PTH112  # unlike Path.is_dir, never raises
        raise IngestError([(shown(str(path)), "is no folder, or cannot be read")])
    reads: list[SourceDocument] = []
    ignored: list[tuple[str, str]] = []
    faults: list[Fault] = []
    for name, found in sorted(walk(root, faults, ignored)):
        try:
            read = read_document(load(found, name, root.resolve()), name, trusted=trusted, labels=labels)
        except IngestError as fault:
            documents_fault = isinstance(fault, UnreadableFile) and not is_plain(name)
            if is_known(name) and not documents_fault:
                faults.extend(fault.faults)
            else:  # also a pipe, a socket, what may not be opened: nothing promised that it is a document
                ignored.append((shown(name), "; ".join(why for _, why in fault.faults)))
            continue
        reads.append(read)
    documents = _named_apart(reads, faults)
    if not documents and not faults:
        faults.append((shown(str(path)), "holds no document that can be read"))
        faults += sorted(each for each in ignored if is_known(each[0]))
    if faults:
        raise IngestError(faults)
    return Reading(tuple(documents), tuple(sorted(ignored)))


def _named_apart(reads: Sequence[SourceDocument], faults: list[Fault]) -> list[SourceDocument]:
    """The documents, in order, under ids that no two of them share; what cannot be is added to `faults`."""
    named: dict[tuple[str | None, str, str], SourceDocument] = {}
    claimed = {(each.access.tenant, each.id, each.version) for each in reads if not each.derived}
    documents = []
    for read in reads:
        first = named.get((read.access.tenant, read.id, read.version))
        if first is not None and first.derived:
            free = ((read.access.tenant, each, read.version) for each in other_ids(read))
            name = next((each for each in free if each not in named and each not in claimed), None)
            read = read if name is None else replace(read, id=name[1])  # noqa: PLW2901
            first = named.get((read.access.tenant, read.id, read.version))
        if first is not None:
            faults.append((shown(read.name), f"has the same tenant, id and version as {shown(first.name)}"))
        else:
            named[read.access.tenant, read.id, read.version] = read
            documents.append(read)
    return documents


def other_ids(document: SourceDocument, path: str = "") -> tuple[str, ...]:
    """The ids that a document may have whose own, made of the path in its folder, is that of another file, the one to be
    preferred first: `readme--txt`, then by a hash of that path, then of `path`, where the file lies. `--` stands in no id
    made of a path, so that none of these is the own of a third file. None where the file names its id.
    """
    if not document.derived:
        return ()
    ending = "" if document.extracted is not None else PurePosixPath(document.name).suffix[1:]
    tags = [ending, *(hashlib.sha256(each.encode()).hexdigest()[:8] for each in (document.name, path) if each)]
    return tuple(f"{document.id}--{tag}"[-_MAX_ID:] for tag in tags if is_name(tag))


def likeness(name: str) -> str:
    """Equal for all names of files whose paths may make one id, and for some others; "" of one that may be like any."""
    if len(name) > _MAX_ID // 2:  # of which an id holds the end alone
        return ""
    return _NOT_WORD.sub("", unicodedata.normalize("NFC", name).partition(".")[0])


def claim_of(file: Path, name: str, root: Path | None = None) -> tuple[str, str | None] | None:
    """The id that a Markdown or text file names in its front matter, and the version of that document, None where it names
    none; None where it names no id, or cannot be read.
    """
    head = bytes_of(file, name, lambda _: _FRONT_BYTES, root) if is_plain(name) else b""
    if not isinstance(head, bytes):
        return None
    front = parse_front_matter(head.decode("utf-8", "replace").removeprefix("\ufeff"))
    if front.faults or "id" not in front.fields:
        return None
    version = front.fields.get("version")
    return str(front.fields["id"]), None if version is None else str(version)


def _parse(data: bytes, name: str, trusted: bool, labels: Labels) -> SourceDocument | Sequence[Fault]:  # noqa: FBT001
    place = shown(name)
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
    if _breaks(text) > ReadingLimits().lines:
        return [(place, f"has more than {ReadingLimits().lines} lines; split it")]
    front = parse_front_matter(text)
    faults = [(f"{place}:{line}", fault) for line, fault in front.faults]
    if faults:
        return faults
    if not trusted and labels.access.tenant is None and {"tenant", "groups"} & front.fields.keys():
        return [
            (
                place,
                "names a tenant or groups, and neither counts here: name the tenant whose document it is, or let front matter be believed, with --trust-front-matter (in Python trust_front_matter=True)",
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
        title=str(
            believed.get("title")
            or (markdown and _clean(first_heading(blanked(body, unseen(body)))))
            or _title_from(name)
        ),
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
        numbered="version" not in believed,
        derived="id" not in believed,
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


def _kind_of(data: bytes, name: str) -> FileKind:
    """Its kind; a text of no known name, which somebody gives on purpose, is read as Markdown."""
    try:
        return detect(data, name)
    except UnreadableFile as why:
        if why.reason == Unreadable.UNKNOWN_KIND:
            with suppress(UnreadableFile):
                return detect(data, "a.md")
        raise why.at(shown(name)) from None


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _id_from(name: str, *, whole: bool = False) -> str:
    """The path without its suffix, or `whole`; what an id may not hold becomes `-`. NFC, so that it is the same on
    every disk.
    """
    path = unicodedata.normalize("NFC", name if whole else str(PurePosixPath(name).with_suffix("")))
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
