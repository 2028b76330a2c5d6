"""Zip containers (DOCX, ODT, EPUB, XLSX), read within bounds and never onto the disk.

What a container says of itself is checked before anything is unpacked: how many members it has, how large they say
they are, that no two have one name, and that none is called from outside. What is unpacked is counted, whatever was
said. Archives inside of archives stay closed.
"""

import io
import posixpath
import stat
import zipfile
import zlib
from types import TracebackType
from typing import Final, Self
from urllib.parse import unquote

from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

_CENTRAL: Final = b"PK\x01\x02"
_ENCRYPTED: Final = 0x1
_RATIO: Final = 200
"""Deflate reaches 1,032; text and markup stay under 50. A larger member is a bomb once it is over `_HARMLESS`."""
_HARMLESS: Final = 10_000_000
_KNOWN: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

_UNREADABLE: Final = (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, OSError, EOFError)
"""What `zipfile` raises of a container that is broken, cut off, or of a method or version that it does not know."""


class Archive:
    """Members by name. Raises `UnreadableFile`: `damaged`, `encrypted`, `too_large`, `bomb`, `unsafe_path`."""

    def __init__(self, data: bytes, limits: ReadingLimits) -> None:
        # Each entry of the directory costs a thousand bytes of memory, and the directory does not tell their number.
        if data.count(_CENTRAL) > limits.members:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"a container of more than {limits.members} members")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _UNREADABLE as fault:
            raise UnreadableFile(Unreadable.DAMAGED, "the container is no whole zip archive") from fault
        self._left = limits.unpacked_bytes
        self._limit = limits.unpacked_bytes
        self._members: dict[str, zipfile.ZipInfo] = {}
        for entry in self._zip.infolist():
            _refuse_unsafe(entry)
            if entry.filename in self._members:  # two readers would read two texts
                raise UnreadableFile(Unreadable.DAMAGED, "two members of the container have one name")
            self._members[entry.filename] = entry
        if sum(entry.file_size for entry in self._members.values()) > self._limit:
            raise UnreadableFile(Unreadable.BOMB, f"unpacks to more than {self._limit} bytes")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members, in the order of the directory."""
        return tuple(self._members)

    def read(self, name: str) -> bytes:
        """The bytes of a member; each reading counts. Raises `KeyError` where there is none."""
        entry = self._members[name]
        if entry.flag_bits & _ENCRYPTED:
            raise UnreadableFile(Unreadable.ENCRYPTED, "a member of the container is encrypted")
        if entry.compress_type not in _KNOWN:
            raise UnreadableFile(Unreadable.DAMAGED, "a member is packed by another method than deflate")
        allowed = min(self._left, max(_HARMLESS, entry.compress_size * _RATIO))
        try:
            with self._zip.open(entry) as member:
                data = member.read(allowed + 1)
        except _UNREADABLE as fault:
            raise UnreadableFile(Unreadable.DAMAGED, "a member of the container cannot be unpacked") from fault
        if len(data) > allowed:
            raise UnreadableFile(Unreadable.BOMB, "a member of the container unpacks to far more than it is")
        if len(data) != entry.file_size:
            raise UnreadableFile(Unreadable.DAMAGED, "a member of the container is not of the size that it says")
        self._left -= len(data)
        return data

    def read_if_there(self, name: str) -> bytes | None:
        """As `read`; None where there is no such member."""
        return self.read(name) if name in self._members else None


def resolve(base: str, reference: str) -> str:
    """The member that `reference` names in the member `base`, without its fragment; "" for an address outside.

    `/x` begins at the container's root. Raises `UnreadableFile` (`unsafe_path`) for a path that climbs out of it.
    """
    path = reference.split("#", 1)[0].split("?", 1)[0].strip()
    if not path:
        return base
    if ":" in path.split("/", 1)[0] or path.startswith("//"):
        return ""
    path = unquote(path)
    joined = posixpath.normpath(path.lstrip("/") if path.startswith("/") else f"{posixpath.dirname(base)}/{path}")
    joined = joined.lstrip("/")
    if joined.split("/", 1)[0] == ".." or "\\" in joined or "\0" in joined:
        raise UnreadableFile(Unreadable.UNSAFE_PATH, "a part of the container is named by a path that leads out of it")
    return joined


def _refuse_unsafe(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename
    if name.startswith("/") or "\\" in name or "\0" in name or ".." in name.split("/") or name[1:2] == ":":
        raise UnreadableFile(Unreadable.UNSAFE_PATH, "a member of the container has a path that leads out of it")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise UnreadableFile(Unreadable.UNSAFE_PATH, "a member of the container is a link")
