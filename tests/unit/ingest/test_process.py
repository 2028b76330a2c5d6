"""A process is given the next file while it reads one: what the one does is no fault of the other."""

import os
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from verified_gate.ingest import process, worker
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.process import ProcessEnded, ReadingProcess
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
from verified_gate.ingest.wire import packed
from verified_gate.ingest.worker import Readers

SCRIPTED = """
import sys, json, os, time
sys.path[:] = json.loads(sys.argv[1])
from verified_gate.ingest import child
def task(message):
    def run(data, limits):
        what, _, rest = data.partition(b" ")
        if what == b"sleep":
            time.sleep(float(rest))
        elif what == b"die":
            os.kill(os.getpid(), 9)
        elif what == b"large":
            return "large", b"x" * int(rest)
        return data[:100].decode(), str(os.getpid()).encode()
    return run
child._TASKS["read"] = task
child.main(int(sys.argv[2]))
"""


@pytest.fixture
def readers(monkeypatch):
    monkeypatch.setattr(process, "_START", SCRIPTED)
    with Readers(ReadingLimits(seconds=20), workers=1) as made:
        yield made


def told(readers, data):
    """What a process said of these bytes, or the code."""
    try:
        return readers.run({"task": "read"}, data)[0]
    except UnreadableFile as fault:
        return fault.reason


def all_told(readers, given, threads=6):
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda data: told(readers, data), given))


def names(count, prefix="file"):
    return [f"{prefix} {number}".encode() for number in range(count)]


def test_each_gets_its_own_answer(readers):
    given = names(300)
    assert all_told(readers, given) == [data.decode() for data in given]
    assert len(readers._processes) == 1


def test_the_next_file_is_there_when_a_process_is_done_with_one(readers):
    """Of two files that take no time and are asked for at once, the second does not wait until somebody took the first."""
    readers.run({"task": "read"}, b"begin")
    (one,) = readers._processes
    taken = threading.Event()

    def slow(self, watch, size, take=ReadingProcess._take):
        taken.wait(10)
        return take(self, watch, size)

    given = []

    def give(self, task, limits, give=ReadingProcess._give):
        give(self, task, limits)
        given.append(task)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReadingProcess, "_take", slow)
        patch.setattr(ReadingProcess, "_give", give)
        with ThreadPoolExecutor(3) as pool:
            asked = [pool.submit(told, readers, data) for data in names(3)]
            deadline = time.monotonic() + 10
            while len(given) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(0.1)
            waiting = len(given)
            taken.set()
            answers = sorted(each.result() for each in asked)
    assert waiting == 2, "one is read, one waits, and the third stays here"
    assert answers == ["file 0", "file 1", "file 2"]
    assert one in readers._processes


def test_a_file_that_kills_its_process_takes_none_with_it(readers):
    given = [*names(20), b"die", *names(20, "next"), b"die", b"die", *names(20, "last")]
    answers = all_told(readers, given)
    assert answers == [Unreadable.CRASHED if data == b"die" else data.decode() for data in given]


def test_a_file_that_takes_too_long_takes_none_with_it(readers):
    readers.run({"task": "read"}, b"begin")  # starting is no part of the time
    readers.limits = ReadingLimits(seconds=2)
    given = [*names(3), b"sleep 100", *names(3, "next")]
    answers = all_told(readers, given)
    assert answers == [Unreadable.TIMED_OUT if data == b"sleep 100" else data.decode() for data in given]


def test_waiting_behind_another_file_is_no_time_of_a_file(readers):
    readers.run({"task": "read"}, b"begin")
    readers.limits = ReadingLimits(seconds=2)
    large = b"large 9" + b" " * 3_000_000  # more than a pipe holds: it is given in pieces
    assert all_told(readers, [b"sleep 1.2", b"sleep 1.3", large, b"sleep 1.4"], threads=4) == [
        "sleep 1.2",
        "sleep 1.3",
        "large",
        "sleep 1.4",
    ]


def test_a_file_that_grows_too_large_takes_none_with_it(readers, monkeypatch):
    readers.run({"task": "read"}, b"begin")
    monkeypatch.setattr(process, "_resident", lambda pid: 10**12 if pid == first else 0)
    (first,) = (each.pid for each in readers._processes)
    readers.limits = ReadingLimits(seconds=20, memory_bytes=10**9)
    answers = Counter(all_told(readers, [b"sleep 9", *names(9)]))
    assert answers[Unreadable.OUT_OF_MEMORY] == 1
    assert sum(answers.values()) == 10 and len(answers) == 10


def test_an_answer_over_the_limit_is_no_answer_to_the_next_file(readers):
    readers.limits = ReadingLimits(seconds=20, characters=1, blocks=1)
    given = [*names(4), b"large 3000000", *names(4, "next"), b"large 9"]
    answers = all_told(readers, given)
    assert answers == [
        *(f"file {n}" for n in range(4)),
        Unreadable.TOO_LARGE,
        *(f"next {n}" for n in range(4)),
        "large",
    ]


def test_a_process_that_takes_nothing_more_is_stopped(readers):
    readers.run({"task": "read"}, b"begin")
    (one,) = readers._processes
    readers.limits = ReadingLimits(seconds=1)
    os.kill(one.pid, signal.SIGSTOP)
    assert told(readers, b"x" * 3_000_000) == Unreadable.TIMED_OUT
    assert told(readers, b"next") == "next"
    assert one not in readers._processes and not one.lives()


def test_whoever_waits_is_told_when_the_readers_are_closed(readers):
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(told, readers, b"sleep 99") for _ in range(2)]
        deadline = time.monotonic() + 20
        while sum(each.tasks for each in list(readers._processes)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        (one,) = readers._processes
        readers.close()
        assert {each.result(20) for each in asked} == {Unreadable.CRASHED}
    assert not one.lives() and not readers._processes
    assert one._process.stdin.closed and one._process.stdout.closed


def test_whoever_is_interrupted_leaves_no_answer_to_others(readers):
    class Stop(BaseException):
        pass

    def interrupted(*_):
        raise Stop

    readers.run({"task": "read"}, b"begin")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "unpacked", interrupted)
        with pytest.raises(Stop):
            readers.run({"task": "read"}, b"mine")
    assert not readers._processes
    assert told(readers, b"another") == "another"


@pytest.mark.parametrize("data", [b"sleep 100", b"die", b"large 90000000", b"interrupted"])
def test_a_process_is_stopped_before_anybody_else_may_take_what_it_answers_late(readers, monkeypatch, data):
    """Else a file would be read as what stands in another one."""
    readers.limits = ReadingLimits(seconds=2, characters=1, blocks=1)
    turn_was_kept = []

    def stop(self, stop=ReadingProcess.stop):
        turn_was_kept.append(self._taking.locked())
        return stop(self)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ReadingProcess, "stop", stop)
    if data == b"interrupted":
        monkeypatch.setattr(process, "unpacked", interrupted)
        with pytest.raises(KeyboardInterrupt):
            readers.run({"task": "read"}, data)
    else:
        assert told(readers, data) in (Unreadable.TIMED_OUT, Unreadable.CRASHED, Unreadable.TOO_LARGE)
    assert turn_was_kept[0]


def test_a_process_that_read_many_files_is_replaced(readers, monkeypatch):
    monkeypatch.setattr(worker, "_FILES_EACH", 10)
    with ThreadPoolExecutor(6) as pool:
        pids = Counter(pool.map(lambda data: readers.run({"task": "read"}, data)[1], names(40)))
    assert sorted(pids.values()) == [10, 10, 10, 10]
    assert not readers._processes


def test_a_process_that_is_stopped_already_is_nobodys_fault():
    one = ReadingProcess()
    one.stop()
    with pytest.raises(ProcessEnded):
        one.ask(packed({"task": "read"}), ReadingLimits())
    one.end()
