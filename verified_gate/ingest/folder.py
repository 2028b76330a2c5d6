"""A folder's files, and the bytes of one: opened without following links out of the folder or waiting on a pipe."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

from verified_gate.ingest.formats.detect import HEAD

_TRIES: Final = 3

Fault = tuple[str, str]
"""A place, as `folder/file.md:12`, and what is wrong there."""


def walk(
    root: Path, faults: list[Fault], ignored: list[tuple[str, str]], broken: list[str] | None = None
) -> Iterator[tuple[str, Path]]:
    """Name and real path of each file; hidden ones, and what begins with a dot, are passed over. `broken` takes the names
    of folders and links that are at fault.
    """
    broken = [] if broken is None else broken
    real_root = root.resolve()
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as scan:
                entries = list(scan)
        except OSError as fault:
            faults.append((shown(folder or str(root)), f"cannot be listed: {_reason(fault)}"))
            broken.append(folder)
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
                    faults.append((shown(name), "is a link that leads nowhere"))
                    broken.append(name)
                    continue
                if not real.is_relative_to(real_root):
                    faults.append((shown(name), "is a link that leads out of the folder"))
                    broken.append(name)
                    continue
                if real.is_dir():
                    ignored.append((shown(name), "a link to a folder"))
                    continue
            elif entry.is_dir(follow_symlinks=False):
                folders.append(name)
                continue
            yield name, real


def bytes_of(path: Path, name: str, most: Callable[[bytes], int], root: Path | None = None) -> bytes | Sequence[Fault]:
    """The first bytes of a regular file, as many as `most` says of the first `HEAD` of them, which are read in any case;
    never waits on a pipe. With `root`, what was opened must stand under it still: a file or folder may have been
    exchanged for a link since the folder was listed. Raises what `most` raises.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123  # a descriptor has no path
            if root is not None:
                real = path.resolve()
                if not real.is_relative_to(root) or not os.path.samestat(os.fstat(descriptor), real.stat()):
                    return [(shown(name), "was exchanged while the folder was read")]
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return [(shown(name), "is not a regular file")]
            for _ in range(_TRIES):  # half of one text and half of the next is a text that nobody wrote
                before = _state(descriptor)
                data = _read(file, b"", HEAD)
                data = _read(file, data, most(data))
                if _state(descriptor) == before:
                    return data
                file.seek(0)
            return [(shown(name), "goes on changing while it is read; ingest it again when it is whole")]
    except OSError as fault:
        return [(shown(name), f"cannot be read: {_reason(fault)}")]


def _read(file: IO[bytes], data: bytes, size: int) -> bytes:
    """`data`, and what follows it in the file, up to `size` bytes in all."""
    pieces, missing = [data], size - len(data)
    while missing > 0 and (piece := file.read(missing)):
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


def _state(descriptor: int) -> tuple[int, int]:
    found = os.fstat(descriptor)
    return found.st_size, found.st_mtime_ns


def shown(name: str) -> str:
    """A file's name fit for a log: a name can hold line breaks and terminal escapes."""
    return name if name.isprintable() else ascii(name)[1:-1]


def _reason(fault: OSError) -> str:
    return fault.strerror or type(fault).__name__
