"""Reading in processes that can be killed: bounded time, memory and output for each file, whatever it holds.

Starting a process costs more than reading a file, so a few are kept and used again; one that was killed, or has read
many files, is replaced by a new one. Safe to share between threads; a forked process starts readers of its own.
"""

import atexit
import os
import threading
from dataclasses import asdict
from types import TracebackType
from typing import Any, Final, Self

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats import Kind
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.ocr import Ocr, pages_without_words, with_words, words_of
from verified_gate.ingest.process import ProcessEnded, ReadingProcess
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import WireError, decode_extracted, packed

_FILES_EACH: Final = 500
"""A process is replaced after so many: libraries leak."""
_TASKS_EACH: Final = 2
"""A process reads one file while the next waits for it."""
_OCR_SCALE: Final = 300 / 72
"""Pixels a point of a page that is drawn for an OCR program."""
_MOST_WORKERS: Final = 8


class Readers:
    """A few processes that read files. Close it, or use it in `with`."""

    def __init__(self, limits: ReadingLimits | None = None, *, workers: int | None = None) -> None:
        """`workers`: how many processes at most, started when needed; by default one a core, up to eight."""
        self.limits = limits or ReadingLimits()
        self._told = asdict(self.limits)
        self.workers = workers or min(_MOST_WORKERS, os.cpu_count() or 1)
        self._free = threading.Semaphore(_TASKS_EACH * self.workers)
        self._processes: set[ReadingProcess] = set()
        self._lock = threading.Lock()
        self._closed = False

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
            idle = {process for process in self._processes if not process.tasks}
            for process in self._processes - idle:
                process.stop()
            self._processes -= idle
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
        task = packed({**message, "limits": self._told}, data)
        with self._free:
            answer, beside = self._asked(task)
        if "done" in answer:
            return answer["done"], beside
        try:
            reason = Unreadable(str(answer.get("unreadable")))
        except ValueError:
            raise UnreadableFile(Unreadable.CRASHED, "its reader gave no answer") from None
        raise UnreadableFile(reason, str(answer.get("detail", ""))[:500])

    def _asked(self, task: bytes) -> tuple[dict[str, Any], bytes]:
        """What a process answers, the next one where it ended for another task."""
        while True:
            process = self._take()
            try:
                return process.ask(task, self.limits)
            except ProcessEnded:
                if self._closed:
                    raise UnreadableFile(Unreadable.CRASHED, "its readers were closed") from None
            finally:
                self._leave(process)

    def _take(self) -> ReadingProcess:
        """The process that has least to do."""
        with self._lock:
            if self._closed:
                raise ValueError("these readers are closed")
            for process in [each for each in self._processes if not each.tasks and not each.lives()]:
                self._processes.remove(process)  # somebody else ended it: no fault of the next file
                process.end()
            able = [each for each in self._processes if each.served < _FILES_EACH and not each.stopped]
            least = min(able, key=lambda each: each.tasks, default=None)
            if least is None or (least.tasks and len(able) < self.workers):
                least = ReadingProcess()
                self._processes.add(least)
            least.tasks += 1
            least.served += 1
            return least

    def _leave(self, process: ReadingProcess) -> None:
        with self._lock:
            process.tasks -= 1
            over = not process.tasks and (process.stopped or process.served >= _FILES_EACH)
            if over:
                self._processes.remove(process)
        if over:
            process.end()


_shared: tuple[int, Readers] | None = None
_sharing: Final = threading.Lock()


def shared_readers() -> Readers:
    """The readers of this process, started when first needed and ended with it."""
    global _shared  # noqa: PLW0603
    with _sharing:
        if _shared is None or _shared[0] != os.getpid():
            _shared = (os.getpid(), Readers())
        return _shared[1]


@atexit.register
def _end_shared() -> None:
    if _shared is not None and _shared[0] == os.getpid():
        _shared[1].close()
