"""What one file does to the process that reads it is no fault of another, and no answer is taken for another one."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from verified_gate.ingest import process, worker
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile
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
answer = child._answer
def answered(message, data):
    told = answer(message, data)
    if data == b"twice":
        os.writev(child_out, child.packed({**told[0], "number": message["number"]}, told[1]))
    return told
child._answer = answered
child_out = os.dup(1)
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
    assert len(readers._idle) == 1


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


def test_waiting_for_another_file_is_no_time_of_a_file(readers):
    readers.run({"task": "read"}, b"begin")
    readers.limits = ReadingLimits(seconds=2)
    large = b"large 9" + b" " * 3_000_000  # more than a pipe holds: it is given in pieces
    given = [b"sleep 1.2", b"sleep 1.3", large, b"sleep 1.4"]
    assert all_told(readers, given, threads=4) == ["sleep 1.2", "sleep 1.3", "large", "sleep 1.4"]


def test_a_file_that_hangs_holds_up_none_while_another_process_has_nothing_to_do(monkeypatch):
    monkeypatch.setattr(process, "_START", SCRIPTED)
    with Readers(ReadingLimits(seconds=20), workers=2) as two, ThreadPoolExecutor(5) as pool:
        hanging = pool.submit(told, two, b"sleep 99")
        while not two._busy:
            time.sleep(0.01)
        assert list(pool.map(lambda data: told(two, data), names(30))) == [data.decode() for data in names(30)]
        assert not hanging.done()
        two.close()


def test_a_file_that_grows_too_large_takes_none_with_it(readers, monkeypatch):
    readers.run({"task": "read"}, b"begin")
    monkeypatch.setattr(process, "_resident", lambda pid: 10**12 if pid == first else 0)
    (first,) = (each.pid for each in readers._idle)
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
    (one,) = readers._idle
    readers.limits = ReadingLimits(seconds=1)
    os.kill(one.pid, signal.SIGSTOP)
    assert told(readers, b"x" * 3_000_000) == Unreadable.TIMED_OUT
    assert told(readers, b"next") == "next"
    assert one not in readers._idle and not one.lives()


def test_whoever_waits_is_told_when_the_readers_are_closed(readers):
    with ThreadPoolExecutor(4) as pool:
        asked = pool.submit(told, readers, b"sleep 99")
        while not readers._busy:
            time.sleep(0.01)
        (one,) = readers._busy
        readers.close()
        assert asked.result(20) == Unreadable.CRASHED
    assert not one.lives() and not readers._busy
    assert one._process.stdin.closed and one._process.stdout.closed


def test_whoever_is_interrupted_leaves_no_answer_to_others(readers):
    def interrupted(*_):
        raise Stop

    readers.run({"task": "read"}, b"begin")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "unpacked", interrupted)
        with pytest.raises(Stop):
            readers.run({"task": "read"}, b"mine")
    assert not readers._idle
    assert told(readers, b"another") == "another"


class Stop(BaseException):
    """What may come to a thread at any time."""


@pytest.mark.parametrize("given", [False, True])
def test_whoever_waits_no_longer_leaves_its_turn_to_others(readers, monkeypatch, given):
    """Whether a process was given its task already, or not."""
    stopping = threading.Event()

    class Turn(worker._Turn):
        def __init__(self, task, number):
            super().__init__(task, number)
            if task[1] == b"mine":
                self.come = self
                self.come_to = threading.Event()

        def acquire(self):
            assert not given or self.come_to.wait(20)
            stopping.set()
            raise Stop

        def release(self):
            self.come_to.set()

    monkeypatch.setattr(worker, "_Turn", Turn)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(told, readers, b"sleep 1")]
        while not readers._busy:
            time.sleep(0.01)
        if not given:  # it stands in a queue
            asked.append(pool.submit(told, readers, b"before"))
            while not readers._waiting:
                time.sleep(0.01)
        mine = pool.submit(told, readers, b"mine")
        while not (given and readers._waiting) and not stopping.is_set():
            time.sleep(0.01)
        asked.append(pool.submit(told, readers, b"behind"))
        assert isinstance(mine.exception(20), Stop)
        answers = ["sleep 1", "behind"] if given else ["sleep 1", "before", "behind"]
        assert [each.result(20) for each in asked] == answers
    assert not readers._waiting and not readers._busy and len(readers._idle) == 1


def test_where_no_process_can_be_started_those_who_wait_are_not_forgotten(readers, monkeypatch):
    readers.run({"task": "read"}, b"begin")
    start, refused = worker.ReadingProcess, []

    def refusing():
        if not refused:
            refused.append(True)
            raise OSError("no more processes")
        return start()

    monkeypatch.setattr(worker, "ReadingProcess", refusing)
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(told, readers, data) for data in (b"die", b"one", b"two", b"three")]
        ends = [each.exception(20) or each.result() for each in asked]
    assert Counter(type(end) for end in ends) == {OSError: 1, str: 2, Unreadable: 1}
    assert not readers._waiting and not readers._busy


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (process.ReadingProcess, "begin"),
        (process.ReadingProcess, "_give"),
        (Readers, "_leave"),
        (Readers, "_call"),
    ],
)
def test_whoever_is_interrupted_takes_no_place_for_ever(readers, monkeypatch, owner, name):
    """Ctrl-C, in a program that goes on and reads another file."""

    done = getattr(owner, name)

    def interrupted(*given, **named):
        monkeypatch.setattr(owner, name, done)
        raise Stop

    readers.run({"task": "read"}, b"begin")
    monkeypatch.setattr(owner, name, interrupted)
    with pytest.raises(Stop):
        readers.run({"task": "read"}, b"mine")
    assert not readers._busy
    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(told, readers, data) for data in names(9)]
        assert [each.result(20) for each in asked] == [data.decode() for data in names(9)]


def test_an_answer_that_was_not_asked_for_is_none_to_the_next_file(readers):
    """Else a file would be read as what stands in another one."""
    answers = [told(readers, data) for data in (b"first", b"twice", b"next", b"last")]
    assert answers == ["first", "twice", Unreadable.CRASHED, "last"]
    assert told(readers, b"early") == "early"


FORKED = """
import os, sys, threading
from verified_gate.ingest import process, worker
process._START = sys.argv[1]
readers = worker.Readers(workers=2)
def read(name, count):
    return all(readers.run({"task": "read"}, f"{name} {n}".encode())[0] == f"{name} {n}" for n in range(count))
wrong = []
threads = [threading.Thread(target=lambda n=n: wrong.append(not read(f"parent{n}", 300))) for n in range(3)]
for thread in threads:
    thread.start()
read("before", 5)
child = os.fork()
if not child:
    os._exit(0 if read("child", 300) else 7)
_, status = os.waitpid(child, 0)
for thread in threads:
    thread.join()
print(os.waitstatus_to_exitcode(status), sum(wrong), read("after", 9))
"""


def test_a_forked_process_reads_with_processes_of_its_own():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKED, SCRIPTED],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout.split(), done.stderr) == (["0", "0", "True"], "")


def test_a_process_that_read_many_files_is_replaced(readers, monkeypatch):
    monkeypatch.setattr(worker, "_FILES_EACH", 10)
    with ThreadPoolExecutor(6) as pool:
        pids = Counter(pool.map(lambda data: readers.run({"task": "read"}, data)[1], names(40)))
    assert sorted(pids.values()) == [10, 10, 10, 10]
    assert not readers._idle
