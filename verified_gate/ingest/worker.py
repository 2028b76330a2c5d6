"""Reading in processes that can be killed: bounded time, memory and output for each file, whatever it holds.

Starting a process costs more than reading a file, so a few are kept and used again; one that was killed, or has read
many files, is replaced by a new one. Safe to share between threads; a forked process starts readers of its own.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats import Kind
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.ocr import Ocr, pages_without_words, with_words, words_of
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import WireError, decode_extracted, packed, unpacked

_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from verified_gate.ingest.child import main;"
    " main(int(sys.argv[2]))"
)
_PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT", "PYTHONHOME")
"""Of the environment; keys and passwords that may stand there are no business of a process that opens hostile files."""
_FILES_EACH: Final = 500
"""A process is replaced after so many: libraries leak."""
_PATIENCE: Final = 0.05
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
        self._free = threading.Semaphore(self.workers)
        self._idle: list[_Child] = []
        self._busy: set[_Child] = set()
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
            idle, self._idle = self._idle, []
            for child in self._busy:
                child.stop()
        for child in idle:
            child.end()

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
        with self._free:
            child = self._take()
            healthy = False
            try:
                answer, beside = child.ask({**message, "limits": self._told}, data, self.limits)
                healthy = child.served < _FILES_EACH
            finally:
                with self._lock:
                    self._busy.discard(child)
                    kept = healthy and not self._closed
                    if kept:
                        self._idle.append(child)
                if not kept:
                    child.end()
        if "done" in answer:
            return answer["done"], beside
        try:
            reason = Unreadable(str(answer.get("unreadable")))
        except ValueError:
            raise UnreadableFile(Unreadable.CRASHED, "its reader gave no answer") from None
        raise UnreadableFile(reason, str(answer.get("detail", ""))[:500])

    def _take(self) -> "_Child":
        """A process that lives and has nothing to do."""
        with self._lock:
            if self._closed:
                raise ValueError("these readers are closed")
            child = None
            while self._idle and child is None:
                child = self._idle.pop()
                if not child.lives():  # somebody else ended it: no fault of the next file
                    child.end()
                    child = None
            child = child or _Child()
            self._busy.add(child)
            return child


class _Child:
    """One process."""

    def __init__(self) -> None:
        self.served = 0
        self.why: Unreadable | None = None
        path = [entry for entry in sys.path if entry] + ([] if "" not in sys.path else [str(Path.cwd())])
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, our own module
            [sys.executable, "-P", "-c", _START, json.dumps(path), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
        )

    def ask(self, message: dict[str, Any], data: bytes, limits: ReadingLimits) -> tuple[dict[str, Any], bytes]:
        """Give it a task, and wait for the answer or its end. Raises `UnreadableFile` where it died."""
        self.served += 1
        incoming, outgoing = self._process.stdin, self._process.stdout
        assert incoming is not None and outgoing is not None  # noqa: PT018
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(done, limits), daemon=True)
        watch.start()
        most = 6 * limits.characters + 200 * limits.blocks + 1_000_000
        try:
            _send(incoming, packed(message, data))
            return unpacked(outgoing.read, most)
        except WireError:
            self._kill(Unreadable.TOO_LARGE)
        except (EOFError, OSError):
            pass
        finally:
            done.set()
            watch.join()
        self.end()
        reason = self.why or Unreadable.CRASHED
        raise UnreadableFile(reason, _WHY.get(reason, "the process that read it died"))

    def lives(self) -> bool:
        """Has it not ended yet?"""
        return self._process.poll() is None

    def stop(self) -> None:
        """Kill it, from another thread than the one that waits for it."""
        self._process.kill()

    def end(self) -> None:
        """Kill it, if it lives, and clear up."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()

    def _watch(self, done: threading.Event, limits: ReadingLimits) -> None:
        deadline = time.monotonic() + limits.seconds
        while not done.wait(_PATIENCE):
            if time.monotonic() > deadline:
                self._kill(Unreadable.TIMED_OUT)
            elif self._resident() > limits.memory_bytes:
                self._kill(Unreadable.OUT_OF_MEMORY)

    def _kill(self, why: Unreadable) -> None:
        self.why = self.why or why
        self._process.kill()

    def _resident(self) -> int:
        try:
            with open(f"/proc/{self._process.pid}/statm", encoding="ascii") as file:  # noqa: PTH123
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0


_WHY: Final = {
    Unreadable.TIMED_OUT: "reading took longer than the limit",
    Unreadable.OUT_OF_MEMORY: "reading took more memory than the limit",
    Unreadable.TOO_LARGE: "its reader answered with more than the limits allow",
}


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(data)
    pipe.flush()


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
