"""One process that reads files, as those who ask it see it: its time and memory are looked at while they wait."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
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


class ReadingProcess:
    """Started at once. One task at a time: whoever keeps several of these sees to that."""

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
        self.served = 0
        """How many tasks it had."""
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018
        self._incoming, self._outgoing = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._incoming, False)
        _widen(self._incoming)
        self._writable, self._readable = select.poll(), select.poll()
        self._writable.register(self._incoming, select.POLLOUT)
        self._readable.register(self._outgoing, select.POLLIN)
        self._rest: list[memoryview] = []
        """Of its task, what it has not taken yet."""

    def begin(self, task: Sequence[bytes], number: int, limits: ReadingLimits) -> None:
        """Give it a task, of that number, in pieces; its time begins. Does not wait: what the process does not take at once
        is given by `answer`, which must be asked for before the next task.
        """
        self.served += 1
        self._number, self._watch = number, _Watch(self.pid, limits)
        self._most = 6 * limits.characters + 200 * limits.blocks + 1_000_000
        self._rest = [memoryview(piece) for piece in task]
        with suppress(OSError):  # told to whoever asks for the answer
            self._give()

    def answer(self) -> tuple[dict[str, Any], bytes]:
        """Wait for the answer to its task. Raises `UnreadableFile` where it died, or was stopped for what it took.

        Whatever ends this in another way stops it too: what it answers late must not be taken for another answer.
        """
        answered = False
        try:
            while self._rest:
                if self._writable.poll(1_000 * _PATIENCE):
                    self._give()
                self._watch.look()
            answer, beside = unpacked(self._take, self._most)
            answered = answer.pop("number", None) == self._number
        except (EOFError, OSError):
            raise UnreadableFile(Unreadable.CRASHED, "the process that read it died") from None
        except WireError:
            why = "its reader answered with more than the limits allow"
            raise UnreadableFile(Unreadable.TOO_LARGE, why) from None
        finally:
            self._rest = []
            if not answered:
                self.stop()
        if not answered:
            raise UnreadableFile(Unreadable.CRASHED, "its reader gave the answer to another file")
        return answer, beside

    def lives(self) -> bool:
        """Has it not ended yet?"""
        return self._process.poll() is None

    def stop(self) -> None:
        """Kill it, whoever waits for it."""
        self._process.kill()

    def end(self) -> None:
        """Kill it, and clear up. Nobody may be asking it."""
        self._process.kill()
        self._close()
        self._process.wait()

    def forget(self) -> None:
        """Let go of it: it is the child of another process, from which this one was forked."""
        self._close()
        self._process.returncode = 0  # none that is to be waited for

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _give(self) -> None:
        """As much of the task as the process takes at once."""
        while self._rest:
            try:
                given = os.write(self._incoming, self._rest[0])
            except BlockingIOError:
                return
            rest = self._rest[0][given:]
            self._rest[:1] = [rest] if rest else []

    def _take(self, size: int) -> bytes:
        """The next `size` bytes of its answer, fewer only at its end."""
        pieces: list[bytes] = []
        while size:
            if self._readable.poll(1_000 * _PATIENCE):
                piece = os.read(self._outgoing, min(size, _ROOM))
                if not piece:
                    break
                pieces.append(piece)
                size -= len(piece)
            self._watch.look()
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
