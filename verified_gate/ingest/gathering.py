"""Files one after the other, read by several processes at once: what came of each, in the order of their names.

Only a few files are in memory at a time, however many there are. One that cannot be read is told and the rest goes on.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from verified_gate.ingest.document import Labels, SourceDocument
from verified_gate.ingest.folder import Fault, shown, walk
from verified_gate.ingest.formats.detect import is_known
from verified_gate.ingest.reading import load, read_document
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import IngestError, MissingExtra


@dataclass(frozen=True, slots=True)
class Found:
    """A file: how people call it, its absolute path, its name in its folder, and where it really lies."""

    shown: str
    path: str
    name: str
    file: Path
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a file. `faults` say why it failed or was skipped, each with its place; `code` is that of
    `Unreadable`, or `unfit` for a text with a fault in it. `document` is there where it was `read`.
    """

    found: Found
    state: Literal["read", "unchanged", "failed", "skipped"]
    document: SourceDocument | None = field(default=None, repr=False)
    faults: tuple[Fault, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The files of some paths, in order; the folders among these; what could not be listed; and links passed over."""

    files: tuple[Found, ...]
    folders: tuple[str, ...]
    faults: tuple[Fault, ...]
    ignored: tuple[tuple[str, str], ...]


def gather(paths: Sequence[Path]) -> Gathered:
    """The files that `paths`, files and folders, name; nothing is opened."""
    files: list[Found] = []
    folders: list[str] = []
    faults: list[Fault] = []
    ignored: list[tuple[str, str]] = []
    for path in paths:
        if path.is_dir():
            folders.append(str(path.absolute()))
            real = path.resolve()
            files += [
                Found(shown(str(path / name)), str(path.absolute() / name), name, found, real)
                for name, found in sorted(walk(path, faults, ignored))
            ]
        else:
            files.append(Found(shown(str(path)), str(path.absolute()), path.name, path))
    return Gathered(tuple(files), tuple(folders), tuple(faults), tuple(ignored))


def read_each(
    files: Iterable[Found],
    readers: Readers,
    labels: Labels,
    *,
    trusted: bool = False,
    password: str | None = None,
    is_stored: Callable[[str, str], bool] = lambda path, sha256: False,  # noqa: ARG005
) -> Iterator[Outcome]:
    """What comes of each file, in order. `is_stored` is asked with the path and the hash of its bytes: what it says yes
    to is `unchanged` and not read further.
    """

    def one(found: Found) -> Outcome:
        return _outcome(found, readers, labels, trusted, password, is_stored)

    ahead = 2 * readers.workers
    executor = ThreadPoolExecutor(readers.workers, thread_name_prefix="reading")
    waiting: deque[Future[Outcome]] = deque()
    try:
        for found in files:
            waiting.append(executor.submit(one, found))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _outcome(
    found: Found,
    readers: Readers,
    labels: Labels,
    trusted: bool,  # noqa: FBT001
    password: str | None,
    is_stored: Callable[[str, str], bool],
) -> Outcome:
    try:
        data = load(found.file, found.name, found.root)
        if is_stored(found.path, hashlib.sha256(data).hexdigest()):
            return Outcome(found, "unchanged")
        read = read_document(data, found.name, trusted=trusted, labels=labels, readers=readers, password=password)
        return Outcome(found, "read", read)
    except UnreadableFile as why:
        state: Literal["failed", "skipped"] = "skipped" if why.reason == Unreadable.UNKNOWN_KIND else "failed"
        return Outcome(found, state, faults=((found.shown, why.why),), code=str(why.reason))
    except MissingExtra as why:
        return Outcome(found, "failed", faults=((found.shown, str(why)),), code=str(Unreadable.MISSING_PACKAGE))
    except IngestError as fault:
        if found.root is not None and not is_known(found.name):  # a pipe, a socket: nothing promised a document
            return Outcome(found, "skipped", faults=fault.faults, code="unfit")
        return Outcome(found, "failed", faults=_placed(found, fault.faults), code="unfit")


def _placed(found: Found, faults: Sequence[Fault]) -> tuple[Fault, ...]:
    """The faults, each under the path that people gave, with the line where there is one."""
    name = shown(found.name)
    return tuple((found.shown + place.removeprefix(name), why) for place, why in faults)
