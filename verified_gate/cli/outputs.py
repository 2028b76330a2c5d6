"""Files that an option names to be written: what is written over, and how.

A name that was mistyped, or completed by the shell, is that of the corpus or of somebody's document as easily as a new
one. A file that is there is written over only where it holds what this very option writes.
"""

import errno
import os
import secrets
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import typer

from verified_gate.cli.corpora import existing_store

PNG_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ENDINGS: Final = ("", "-wal", "-shm", "-journal")
"""What a database's file and the files of SQLite beside it end with."""
_HANDED_OVER: Final = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""What the process was started with."""
_SIGNATURES: Final = (
    (b"SQLite format 3\0", "a database, as a corpus or a record log is"),
    (b"%PDF-", "a PDF"),
    (PNG_SIGNATURE, "a picture"),
)


@dataclass(frozen=True, slots=True)
class Output:
    """A file that `option` names. What is there already is written over where it `is_own`, which is called `kind` in
    messages; never what lies in `corpus` or was read into it, nor one of the `databases` of the call.
    """

    option: str
    path: Path
    kind: str
    is_own: Callable[[BinaryIO], bool]
    corpus: Path
    databases: Sequence[Path] = ()

    def write(self, data: bytes) -> None:
        """Write the file, wholly or not at all; a pipe or a device is written as it is. Raises `BadParameter` for a file
        that stays as it is.
        """
        if str(self.path).startswith(_HANDED_OVER) or _is_no_file(self.path):
            with self.path.open("ab") as file:  # a shell may have led it into a file that holds something
                file.write(data)
            return
        if (why := self._why_kept()) is not None:
            raise typer.BadParameter(
                f"{self.path}: {why}; it stays as it is: name another file", param_hint=self.option
            )
        _put(self.path, data)

    def _why_kept(self) -> str | None:
        """Why this file is not written over; None where it may be, or is not there."""
        real = os.path.realpath(self.path)
        for database in (self.corpus, *self.databases):
            if real in {os.path.realpath(database) + ending for ending in _ENDINGS} or _is_same(real, database):
                return "is a database of this call, or what SQLite keeps beside it"
        try:
            with Path(real).open("rb") as file:
                head = file.read(16)
                file.seek(0)
                own = not head or self.is_own(file)
        except FileNotFoundError:
            return None
        if head and self._was_read():
            return "is the file of a document of the corpus"
        if not own:
            what = next((name for signature, name in _SIGNATURES if head.startswith(signature)), "another file")
            return f"is {what}, and not {self.kind}"
        return None

    def _was_read(self) -> bool:
        """Was a stored document read from this file, or is it to be?"""
        from verified_gate.ingest.formats.detect import is_known

        if self.corpus.is_dir():
            inside = Path(os.path.realpath(self.path)).is_relative_to(os.path.realpath(self.corpus))
            return inside and is_known(self.path.name)
        names = {self.path.name, Path(os.path.realpath(self.path)).name}
        with existing_store(self.corpus, read_only=True) as store:
            return any(_is_same(each, self.path) for each in store.operator.sources.called(names))


def is_png(file: BinaryIO) -> bool:
    """Is this a PNG picture?"""
    return file.read(len(PNG_SIGNATURE)) == PNG_SIGNATURE


def _is_no_file(path: Path) -> bool:
    """Does something else lie there than a file? Raises `IsADirectoryError` for a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:  # writing tells what is wrong, if anything is
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return not stat.S_ISREG(mode)


def _is_same(one: str | Path, other: str | Path) -> bool:
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):  # one of them is not there, or its name is none
        return False


def _put(path: Path, data: bytes) -> None:
    """Write the whole beside it first: a full disk takes nothing of what was there."""
    real = Path(os.path.realpath(path))
    beside = real.with_name(f".{secrets.token_hex(8)}.part")
    try:
        mode = real.stat().st_mode if real.exists() else None
        if mode is not None and not os.access(real, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        try:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
                file.write(data)
            if mode is not None:
                beside.chmod(stat.S_IMODE(mode))
            beside.replace(real)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise
    except OSError as fault:  # told under the name that was given
        raise OSError(fault.errno, fault.strerror, str(path)) from None
