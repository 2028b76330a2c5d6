"""The process that reads hostile files: one task after the other from standard input, an answer each on standard output.

It can reach no network and start no process (an audit hook refuses both), and its memory has a limit that is set anew
for every task. Time is held from outside, by the process that started it (`ingest.worker`), which kills it; where that
one is killed itself, this one ends too.
"""

import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from verified_gate.ingest.formats import reader_of
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import encode_extracted, packed, unpacked
from verified_gate.model.errors import MissingExtra

_FORBIDDEN: Final = (
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "urllib.Request",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
)
_MARGIN: Final = 1_000_000
_LOOK_SECONDS: Final = 0.5
"""So often it is asked whether the process that started this one is there still."""


class Forbidden(RuntimeError):
    """A reader wanted to leave its process."""


def main(parent: int) -> None:
    """Serve until standard input ends, or until the process `parent`, which started this one, is gone."""
    _ignore_interrupt()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    # what a library prints must not get between the answers, nor may it tell a document's words to a log
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.addaudithook(_refuse)
    with open(requests, "rb") as incoming, open(answers, "wb") as outgoing:  # noqa: PTH123  # descriptors
        while True:
            try:
                message, data = unpacked(incoming.read, sys.maxsize)
            except EOFError:
                return
            told, beside = _answer(message, data)
            outgoing.writelines(packed({**told, "number": message.get("number")}, beside))
            outgoing.flush()


def _answer(message: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        limits = ReadingLimits(**message["limits"])
        prepared = _TASKS[message["task"]](message)
        lift = _limit_memory(limits)
        try:
            told, beside = prepared(data, limits)
            return {"done": told}, beside
        finally:
            lift()
    except UnreadableFile as why:
        return {"unreadable": why.reason, "detail": why.detail}, b""
    except MissingExtra as why:
        return {"unreadable": Unreadable.MISSING_PACKAGE, "detail": str(why)}, b""
    except MemoryError:
        return {"unreadable": Unreadable.OUT_OF_MEMORY, "detail": "reading took more memory than the limit"}, b""
    except RecursionError:
        return {"unreadable": Unreadable.TOO_DEEP, "detail": "elements inside each other without end"}, b""
    except Forbidden:
        detail = "reading it would have reached out of the process"
        return {"unreadable": Unreadable.EXTERNAL_REFERENCE, "detail": detail}, b""
    except Exception as fault:  # noqa: BLE001  # whatever a library makes of a hostile file
        return {"unreadable": Unreadable.DAMAGED, "detail": f"its reader gave up ({type(fault).__name__})"}, b""


_Prepared = Callable[[bytes, ReadingLimits], tuple[Any, bytes]]


def _read(message: dict[str, Any]) -> _Prepared:
    reader, options = reader_of(message["kind"]), dict(message["options"])
    return lambda data, limits: encode_extracted(reader(data, limits, kind=message["kind"], **options))


def _drawing(message: dict[str, Any]) -> _Prepared:
    reader_of("pdf")  # names the extra where it is missing
    module = import_module("verified_gate.ingest.formats.pdf_drawing")
    task: _Prepared = module.prepare(message)
    return task


_TASKS: Final[dict[str, Callable[[dict[str, Any]], _Prepared]]] = {
    "read": _read,
    "boxes": _drawing,
    "draw": _drawing,
}


def _refuse(event: str, _: object) -> None:
    if event in _FORBIDDEN:
        raise Forbidden(event)


def _limit_memory(limits: ReadingLimits) -> Callable[[], None]:
    """Bound the address space to what is taken now and `limits.memory_bytes` more; gives what lifts it again."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    taken = _address_space()
    if taken:
        bound = taken + limits.memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (bound if hard < 0 else min(bound, hard), hard))
    # should the parent be killed, nobody is left to kill a reader that never ends
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds) + 2
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if most < 0 else min(seconds, most), most))

    def lift() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))

    return lift


def _address_space() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + _MARGIN
    except (OSError, ValueError):  # pragma: no cover  # not Linux
        return 0


def _end_with(parent: int) -> None:
    """End this process, whatever it is doing, once `parent` is not its parent any more.

    Not by the kernel's signal for that: it comes when the *thread* that started this process ends. Nor by the end of a
    pipe alone: a process that was forked from the parent keeps the pipe open. A library that never lets another thread
    run is ended by its limit of processor time.
    """
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


def _ignore_interrupt() -> None:
    """Ctrl-C goes to the whole group of processes; the parent decides what becomes of this one."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
