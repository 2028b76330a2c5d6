"""Reading in processes that can be killed: bounded time, memory and output for each file, whatever it holds.

Starting a process costs more than reading a file, so a few are kept and used again; one that was killed, or has read
many files, is replaced by a new one. Safe to share between threads; a forked process starts readers of its own.
"""

import atexit
import itertools
import os
import threading
import weakref
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any, Final, Self

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats import Kind
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.ocr import Ocr, pages_without_words, with_words, words_of
from verified_gate.ingest.process import ReadingProcess
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import WireError, decode_extracted, packed

_FILES_EACH: Final = 500
"""A process is replaced after so many: libraries leak."""
_OCR_SCALE: Final = 300 / 72
"""Pixels a point of a page that is drawn for an OCR program."""
_MOST_WORKERS: Final = 8
_ALL: Final["weakref.WeakSet[Readers]"] = weakref.WeakSet()


class Readers:
    """A few processes that read files. Close it, or use it in `with`."""

    def __init__(self, limits: ReadingLimits | None = None, *, workers: int | None = None) -> None:
        """`workers`: how many processes at most, started when needed; by default one a core, up to eight.

        Raises `ValueError` for less than one.
        """
        if workers is not None and workers < 1:
            raise ValueError("workers must be at least 1")
        self.limits = limits or ReadingLimits()
        self._told = asdict(self.limits)
        self.workers = workers or min(_MOST_WORKERS, os.cpu_count() or 1)
        self._closed = False
        self._numbers = itertools.count()
        self._begin()
        _ALL.add(self)

    def _begin(self) -> None:
        """Without a process."""
        self._waiting: deque[_Turn] = deque()
        self._idle: list[ReadingProcess] = []
        self._busy: set[ReadingProcess] = set()
        self._lock = threading.Lock()

    def _was_forked(self) -> None:
        """In another process than before: its processes are not ours, and who held its locks is not here."""
        for process in (*self._idle, *self._busy):
            process.forget()
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes. Whoever waits for one of them is told that it died."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for process in self._busy:
                process.stop()
            while self._waiting:
                self._call()
        for process in idle:
            process.end()

    def read(self, data: bytes, kind: Kind, *, ocr: Ocr | None = None, **options: str) -> Extracted:
        """Read one file; `ocr` is asked, in this process, for the words of pages that are pictures. Raises
        `UnreadableFile`.
        """
        if len(data) > self.limits.file_bytes:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"is larger than {self.limits.file_bytes:,} bytes")
        asked = options | ({"scans": "kept"} if ocr is not None else {})
        told, text = self.run({"task": "read", "kind": kind, "options": asked}, data)
        try:
            extracted = decode_extracted(told, text, self.limits)
        except WireError as why:
            raise UnreadableFile(Unreadable.CRASHED, f"its reader answered with {why}") from None
        scanned = pages_without_words(extracted)
        if ocr is not None and scanned:
            words = {}
            for number in scanned:
                task = {"task": "draw", "page": number, "spans": [], "scale": _OCR_SCALE, **options}
                words[number] = words_of(ocr, self.run(task, data)[1], number)
            extracted = with_words(extracted, words)
        if len(extracted.text) > self.limits.characters:
            raise UnreadableFile(Unreadable.TOO_LARGE, f"holds more than {self.limits.characters:,} characters")
        if not extracted.visible.strip():
            raise UnreadableFile(
                Unreadable.NEEDS_OCR if scanned else Unreadable.NO_TEXT, "holds no words that are seen"
            )
        return extracted

    def run(self, message: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Have a task done on `data`; gives what it tells, and bytes beside it. Raises `UnreadableFile`."""
        number = next(self._numbers)
        turn = _Turn(packed({**message, "limits": self._told, "number": number}, data), number)
        healthy = False
        try:
            process = self._begun(turn)
            answer, beside = process.answer()
            healthy = process.served < _FILES_EACH
        finally:
            try:
                self._leave(turn, healthy=healthy)
            except BaseException:  # interrupted before it was done: a place that stays taken is one for ever
                self._leave(turn, healthy=False)
                raise
        if "done" in answer:
            return answer["done"], beside
        try:
            reason = Unreadable(str(answer.get("unreadable")))
        except ValueError:
            raise UnreadableFile(Unreadable.CRASHED, "its reader gave no answer") from None
        raise UnreadableFile(reason, str(answer.get("detail", ""))[:500])

    def _begun(self, turn: "_Turn") -> ReadingProcess:
        """The process that was given the task, once there is one."""
        while turn.process is None:
            with self._lock:
                if self._closed or len(self._busy) < self.workers:
                    return self._give(self._living(), turn)
                self._waiting.append(turn)
            turn.come.acquire()
        return turn.process

    def _leave(self, turn: "_Turn", *, healthy: bool) -> None:
        """Its task is done, or given up: its process goes on with the one that has waited longest, or ends where it is not
        `healthy`. The second time nothing is done.

        The next task is given here, and not by the thread that waits for it: until that one comes to run, the process
        would have nothing to do.
        """
        with self._lock:
            if turn.left:
                return
            turn.left, process = True, turn.process
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
            self._busy.discard(process)
            kept = process if healthy and not self._closed and process is not None and process.lives() else None
            try:
                if kept is not None and self._waiting:
                    self._give(kept, self._waiting[0])
                elif kept is not None:
                    self._idle.append(kept)
            finally:
                self._call()
        if process is not None and kept is None:
            process.end()

    def _call(self) -> None:
        """Whoever has waited longest, if anybody."""
        if self._waiting:
            self._waiting.popleft().come.release()

    def _give(self, process: ReadingProcess, turn: "_Turn") -> ReadingProcess:
        try:
            self._busy.add(process)
            process.begin(turn.task, turn.number, self.limits)
            turn.process = process
        except BaseException:  # interrupted: it may have begun, and nobody would take its answer
            self._busy.discard(process)
            process.end()
            raise
        return process

    def _living(self) -> ReadingProcess:
        """A process that has nothing to do. Raises `ValueError` where the readers are closed."""
        if self._closed:
            raise ValueError("these readers are closed")
        while self._idle:
            process = self._idle.pop()
            if process.lives():
                return process
            process.end()  # somebody else ended it: no fault of the next file
        return ReadingProcess()


class _Turn:
    """A task, and whoever waits for a process that begins it, or for room for one: then `come` is released."""

    def __init__(self, task: Sequence[bytes], number: int) -> None:
        self.task, self.number = task, number
        self.process: ReadingProcess | None = None
        self.left = False
        self.come = threading.Lock()
        self.come.acquire()


_shared: Readers | None = None
_sharing = threading.Lock()


def shared_readers() -> Readers:
    """The readers of this process, started when first needed and ended with it."""
    global _shared  # noqa: PLW0603
    with _sharing:
        _shared = _shared or Readers()
        return _shared


@atexit.register
def _end_all() -> None:
    for readers in list(_ALL):
        readers.close()


def _were_forked() -> None:
    global _sharing  # noqa: PLW0603
    _sharing = threading.Lock()
    for readers in list(_ALL):
        readers._was_forked()  # noqa: SLF001


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_were_forked)
