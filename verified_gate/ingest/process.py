"""One process that reads files, as those who ask it see it. It is given the next file while it still reads one, so that it
never waits for us; its time and memory are looked at as long as anybody waits for its answer.
"""

import json
import os
import select
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import WireError, unpacked

_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from verified_gate.ingest.child import main;"
    " main(int(sys.argv[2]))"
)
_PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT", "PYTHONHOME")
"""Of the environment; keys and passwords that may stand there are no business of a process that opens hostile files."""
_PATIENCE: Final = 0.05
"""Seconds between two looks at what it takes."""
_ROOM: Final = 1 << 20
"""Bytes that wait for it at most, where the system allows so many in a pipe."""


class ProcessEnded(Exception):
    """It ended, and not for what was asked of it here: another process may be asked the same."""


class ReadingProcess:
    """Started at once. Of those who `ask`, from threads of their own, one waits for an answer and one gives the next task;
    the others wait for them.
    """

    def __init__(self) -> None:
        path = [entry for entry in sys.path if entry] + ([] if "" not in sys.path else [str(Path.cwd())])
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, our own module
            [sys.executable, "-P", "-c", _START, json.dumps(path), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            bufsize=0,
        )
        self.pid = self._process.pid
        self.tasks = self.served = 0
        """How many it has now, and had in all: for whoever keeps several of these to count."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018
        self._incoming, self._outgoing = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._incoming, False)
        _widen(self._incoming)
        self._writable, self._readable = select.poll(), select.poll()
        self._writable.register(self._incoming, select.POLLOUT)
        self._readable.register(self._outgoing, select.POLLIN)
        self._giving, self._taking, self._stopping = threading.Lock(), threading.Lock(), threading.Lock()
        self.stopped = False

    def ask(self, task: bytes, limits: ReadingLimits) -> tuple[dict[str, Any], bytes]:
        """Give it a task, and wait for the answer. Raises `UnreadableFile` where it died of this task or was stopped for
        it, and `ProcessEnded` where it was for another one.
        """
        most = 6 * limits.characters + 200 * limits.blocks + 1_000_000
        try:
            with self._giving:
                with suppress(BrokenPipeError):  # it died: no answer comes
                    self._give(task, limits)
                self._taking.acquire()
            try:
                return unpacked(partial(self._take, _Watch(self.pid, limits)), most)
            except (EOFError, OSError):
                if not self.stop():
                    raise ProcessEnded from None
                raise UnreadableFile(Unreadable.CRASHED, "the process that read it died") from None
            except WireError:
                self.stop()
                why = "its reader answered with more than the limits allow"
                raise UnreadableFile(Unreadable.TOO_LARGE, why) from None
            except BaseException:  # a limit, a Ctrl-C: what it answers still must not be taken for another answer
                self.stop()
                raise
            finally:
                self._taking.release()
        except BaseException:
            self.stop()
            raise

    def lives(self) -> bool:
        """Has it not ended yet?"""
        return self._process.poll() is None

    def stop(self) -> bool:
        """Kill it, whoever waits for it. Is this the first time?"""
        with self._stopping:
            first, self.stopped = not self.stopped, True
            self._process.kill()
        return first

    def end(self) -> None:
        """Kill it, and clear up. Nobody may be asking it."""
        self.stop()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()

    def _give(self, task: bytes, limits: ReadingLimits) -> None:
        rest, watch = memoryview(task), _Watch(self.pid, limits)
        while rest:
            while not self._writable.poll(1_000 * _PATIENCE):
                if self._taking.locked():  # its time is that of another task
                    watch = _Watch(self.pid, limits)
                else:
                    watch.look()
            rest = rest[os.write(self._incoming, rest) :]

    def _take(self, watch: "_Watch", size: int) -> bytes:
        """The next `size` bytes of its answer, fewer only at its end."""
        pieces: list[bytes] = []
        while size and not self.stopped:  # what is left of its answer to another task is none to this one
            if self._readable.poll(1_000 * _PATIENCE):
                piece = os.read(self._outgoing, min(size, _ROOM))
                if not piece:
                    break
                pieces.append(piece)
                size -= len(piece)
            watch.look()
        return b"".join(pieces)


class _Watch:
    """Time and memory of a process, from now on."""

    def __init__(self, pid: int, limits: ReadingLimits) -> None:
        self._pid, self._limits = pid, limits
        self._next, self._deadline = 0.0, time.monotonic() + limits.seconds

    def look(self) -> None:
        """Raises `UnreadableFile` where it went beyond a limit; looks no more often than it needs to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PATIENCE
        if now > self._deadline:
            raise UnreadableFile(Unreadable.TIMED_OUT, "reading took longer than the limit")
        if _resident(self._pid) > self._limits.memory_bytes:
            raise UnreadableFile(Unreadable.OUT_OF_MEMORY, "reading took more memory than the limit")


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _widen(pipe: int) -> None:
    with suppress(ImportError, AttributeError, OSError):  # only Linux can, and not for everybody
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _ROOM)
