"""Record logs as the commands open them: options, keys, files of limited size."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from verified_gate.model.errors import RecordError

if TYPE_CHECKING:
    from verified_gate.audit.records import RecordLog

MAX_KEY: Final = 10_000
"""Bytes of a key's file."""

RecordId = Annotated[
    str, typer.Argument(metavar="RECORD", help="The record's id, as an answer's --json tells it.", show_default=False)
]
LogFile = Annotated[Path, typer.Option("--records", metavar="FILE", help="The record log.", show_default=False)]
RecordKey = Annotated[
    Path | None,
    typer.Option(
        "--record-key",
        metavar="FILE",
        help="The operator's key, 16 bytes or more: texts are kept as hashes under it.",
        show_default=False,
    ),
]
MaybeLog = Annotated[
    Path | None,
    typer.Option(
        "--records", metavar="FILE", help="Record the answer in this log before it leaves.", show_default=False
    ),
]
Plain = Annotated[
    bool, typer.Option("--plain-records", help="Keep questions, wordings and quotes as they are, not as hashes.")
]


@contextmanager
def log_to_write(path: Path | None, key: Path | None, *, plain: bool) -> "Iterator[RecordLog | None]":
    """The log in a file, which is made where it is missing; None where no file is named."""
    from verified_gate.audit.records import RecordLog

    if path is None:
        if key is not None or plain:
            raise typer.BadParameter("--record-key and --plain-records need --records")
        yield None
        return
    if key is None and not plain:
        raise typer.BadParameter(
            "--records needs --record-key, under which texts are kept as hashes, or --plain-records, which keeps them as "
            "they are"
        )
    try:
        log = RecordLog.open(path, key=None if key is None else key_of(key), plain=plain)
    except ValueError as fault:
        raise typer.BadParameter(f"--record-key {key}: {fault}") from fault
    with log:
        yield log


@contextmanager
def log_to_erase(path: Path | None, key: Path | None) -> "Iterator[RecordLog | None]":
    """The log in a file that is there already, to erase in it; None where no file is named."""
    if path is None:
        if key is not None:
            raise typer.BadParameter("--record-key needs --records")
        yield None
        return
    with _existing(path, key, read_only=False) as log:
        yield log


@contextmanager
def log_of(path: Path, key: Path | None) -> Iterator["RecordLog"]:
    """The log in a file that is there already, to read it; raises `RecordError`."""
    with _existing(path, key, read_only=True) as log:
        yield log


def _existing(path: Path, key: Path | None, *, read_only: bool) -> "RecordLog":
    from verified_gate.audit.records import RecordLog

    try:
        return RecordLog.existing(path, key=None if key is None else key_of(key), read_only=read_only)
    except ValueError as fault:
        raise RecordError(f"--record-key {key}: {fault}") from None


def key_of(path: Path) -> bytes:
    """The bytes of a key's file."""
    return bytes_of(path, MAX_KEY)


def bytes_of(path: Path, most: int) -> bytes:
    """The bytes of a file that holds at most `most`; raises `RecordError` where it holds more, and for what may never
    begin or end: a named pipe, a device. What a shell hands over (`<(…)`, `/dev/stdin`) is read.
    """
    if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir() and not _is_handed_over(path):
        raise RecordError(f"{path}: is a pipe or a device, and a file is needed")
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise RecordError(f"{path}: is larger than {most:,} bytes")
    return data


def _is_handed_over(path: Path) -> bool:
    """Is this one of the files that the process was started with?"""
    return os.path.realpath(path).startswith(("/dev/fd/", "/proc/")) or path == Path("/dev/stdin")
