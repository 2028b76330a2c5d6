"""Files one after the other, read by several processes at once: what came of each, in the order of their names.

Only a few files are in memory at a time, however many there are. One that cannot be read is told and the rest goes on.
"""

import hashlib
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from verified_gate.ingest.document import Labels, SourceDocument
from verified_gate.ingest.folder import Fault, shown, walk
from verified_gate.ingest.formats.detect import is_known
from verified_gate.ingest.reading import load, read_document
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.worker import Readers
from verified_gate.model.errors import IngestError, MissingExtra

_PATIENCE: Final = 1.0


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
    """The files of some paths, in order, each once; the folders among these; what could not be listed; and links passed
    over. `again` are other paths of these files, under which they are not read; `broken` those of folders that could not be
    listed, and of links that lead nowhere or out of their folder.
    """

    files: tuple[Found, ...]
    folders: tuple[str, ...]
    faults: tuple[Fault, ...]
    ignored: tuple[tuple[str, str], ...]
    again: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def gather(paths: Sequence[Path]) -> Gathered:
    """The files that `paths`, files and folders, name; nothing is opened. A file that several of the paths lead to is
    taken once, under the outermost folder: else it would become several documents. A link beside it in the same folder
    is a file of its own.
    """
    taken: list[tuple[tuple[int, int], Found]] = []
    folders: list[str] = []
    faults: list[Fault] = []
    ignored: list[tuple[str, str]] = []
    broken: list[str] = []
    for number, path in enumerate(paths):
        place = _absolute(path)
        if path.is_dir():
            folders.append(str(place))
            real = path.resolve()
            at_fault: list[str] = []
            taken += [
                ((len(real.parts), number), Found(shown(str(path / name)), str(place / name), name, found, real))
                for name, found in sorted(walk(path, faults, ignored, at_fault))
            ]
            broken += [str(place / name) for name in at_fault]
        else:
            taken.append(((sys.maxsize, number), Found(shown(str(path)), str(place), path.name, path)))
    files, again = _once(taken) if len(paths) > 1 else ([found for _, found in taken], [])
    return Gathered(
        files=tuple(files),
        folders=tuple(folders),
        faults=tuple(dict.fromkeys(faults)),
        ignored=tuple(dict.fromkeys(ignored)),
        again=tuple(again),
        broken=tuple(dict.fromkeys(broken)),
    )


def _once(taken: Sequence[tuple[tuple[int, int], Found]]) -> tuple[list[Found], list[str]]:
    """Each real file under the path of the lowest rank; and the other paths."""
    first: dict[str, tuple[int, int]] = {}
    reals = [os.path.realpath(found.file) for _, found in taken]
    for real, (rank, _) in zip(reals, taken, strict=True):
        first[real] = min(rank, first.get(real, rank))
    files = [found for real, (rank, found) in zip(reals, taken, strict=True) if first[real] == rank]
    return files, sorted({found.path for _, found in taken} - {found.path for found in files})


def _absolute(path: Path) -> Path:
    """The path from the root on, without `..` where that leads to the same place: a file has one name in the corpus."""
    absolute = path.absolute()
    plain = Path(os.path.normpath(absolute))
    return plain if os.path.realpath(plain) == os.path.realpath(absolute) else absolute


def read_each(
    files: Iterable[Found],
    readers: Readers,
    labels: Labels,
    *,
    trusted: bool = False,
    password: str | None = None,
    is_stored: Callable[[str, str], bool] = lambda path, sha256: False,  # noqa: ARG005
    waiting: Callable[[], None] = lambda: None,
) -> Iterator[Outcome]:
    """What comes of each file, in order. `is_stored` is asked with the path and the hash of its bytes: what it says yes
    to is `unchanged` and not read further. `waiting` is called, in the thread that asks for outcomes, every second in
    which none is ready.
    """

    def one(found: Found) -> Outcome:
        return _outcome(found, readers, labels, trusted, password, is_stored)

    ahead = 2 * readers.workers  # while what one process read is looked through here, it reads the next file
    executor = ThreadPoolExecutor(ahead, thread_name_prefix="reading")
    begun: deque[Future[Outcome]] = deque()
    try:
        for found in files:
            begun.append(executor.submit(one, found))
            if len(begun) > ahead:
                yield _result(begun.popleft(), waiting)
        while begun:
            yield _result(begun.popleft(), waiting)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _result(future: Future[Outcome], waiting: Callable[[], None]) -> Outcome:
    while not wait((future,), _PATIENCE).done:
        waiting()
    return future.result()


def _outcome(
    found: Found,
    readers: Readers,
    labels: Labels,
    trusted: bool,  # noqa: FBT001
    password: str | None,
    is_stored: Callable[[str, str], bool],
) -> Outcome:
    try:
        found.path.encode("utf-8")
    except UnicodeEncodeError:  # its name in the folder, or that of a folder above: the corpus could not keep it
        why = "its path holds a byte that is not UTF-8: rename that folder or file"
        return Outcome(found, "failed", faults=((found.shown, why),), code="unfit")
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
