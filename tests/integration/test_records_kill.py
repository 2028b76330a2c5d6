"""Many threads and processes append to one log; kill -9 at random points leaves each record wholly in or out.

A few rounds run with the suite; `VERIFIED_GATE_KILL_ROUNDS=200` runs as many as asked for.
"""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests.records import KEY, corpus, trace_of
from verified_gate.audit.records import RecordLog

ROUNDS = int(os.environ.get("VERIFIED_GATE_KILL_ROUNDS", "6"))
MARK = "Zanzibar"


def write(path):
    """The child: records, and now and then erases; tells each id when it is written."""
    log = RecordLog.open(path, plain=True)
    trace = trace_of(corpus(), question=f"{MARK}?")
    other = trace_of(corpus(), question="Other?", keys=["battery@1#c0", "battery@1#c1"], claims=[])
    print("ready", flush=True)
    for number in range(10_000):
        if number % 13 == 12:
            log.erase([f"battery@{number}", "staff@1"])
        print(log.write(trace if number % 2 else other), flush=True)


def erase(path):
    """The child: erases what tells of one document, while the log is full of it."""
    log = RecordLog.existing(path, read_only=False)
    print("ready", flush=True)
    log.erase(["returns@3"])
    print("done", flush=True)


def killed(what, path, seconds):
    """Run a child and kill it; gives the whole lines that it told."""
    code = f"import sys; from tests.integration.test_records_kill import {what}; {what}(sys.argv[1])"
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        return [line for line in child.stdout.read().split("\n")[:-1] if line]


def bytes_of(path):
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


@pytest.mark.timeout(240 + 10 * ROUNDS)
def test_a_killed_writer_leaves_each_record_wholly_in_or_out(tmp_path):
    """(invariant 8)"""
    chooser = random.Random(9)
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.db"
        told = killed("write", path, chooser.uniform(0.0, 0.4))
        with RecordLog.open(path, plain=True) as log:
            checked = log.check()
            assert checked.faults == ()
            assert checked.records - len(told) in (0, 1)
            for identity in told:
                assert log.read(identity).payload is not None
            log.write(trace_of(corpus()))
            assert log.check().records == checked.records + 1


@pytest.mark.timeout(240 + 10 * ROUNDS)
def test_a_killed_erasure_is_whole_or_finished_by_the_next(tmp_path):
    chooser = random.Random(10)
    trace = trace_of(corpus(), question=f"{MARK}?")
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.db"
        with RecordLog.open(path, plain=True) as log:
            for _ in range(40):
                log.write(trace)
        killed("erase", path, chooser.uniform(0.0, 0.03))
        with RecordLog.existing(path, read_only=False) as log:
            checked = log.check()
            assert checked.faults == ()
            assert checked.erased in (0, 40)
            log.erase(["returns@3"])
            assert log.check().erased == 40
            assert MARK.encode() not in bytes_of(path)


def _append(path, count):
    with RecordLog.open(path, key=KEY) as log:
        trace = trace_of(corpus())
        for _ in range(count):
            log.write(trace)


def test_threads_and_processes_append_to_one_chain(tmp_path):
    path = tmp_path / "shared.db"
    trace = trace_of(corpus())
    log = RecordLog.open(path, key=KEY)
    identities = []
    threads = [
        threading.Thread(target=lambda: identities.extend(log.write(trace) for _ in range(20))) for _ in range(4)
    ]
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_append, args=(path, 20)) for _ in range(2)]
    for worker in (*processes, *threads):
        worker.start()
    for worker in (*processes, *threads):
        worker.join()
    assert [process.exitcode for process in processes] == [0, 0]
    checked = log.check()
    assert (checked.records, checked.faults) == (120, ())
    assert len(set(identities)) == 80
    log.close()


def test_a_child_made_by_fork_appends_with_a_connection_of_its_own(tmp_path):
    path = tmp_path / "forked.db"
    log = RecordLog.open(path, key=KEY)
    trace = trace_of(corpus())
    log.write(trace)
    child = os.fork()
    if child == 0:
        try:
            log.write(trace)
        except BaseException:
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    log.write(trace)
    assert (log.check().records, log.check().faults) == (3, ())
    log.close()


def test_readers_see_whole_records_while_others_write(tmp_path):
    path = tmp_path / "read.db"
    log = RecordLog.open(path, plain=True)
    trace = trace_of(corpus())
    stop = threading.Event()

    def work():
        while not stop.is_set():
            log.write(trace)

    writer = threading.Thread(target=work)
    writer.start()
    try:
        with RecordLog.existing(path) as reader:
            for _ in range(20):
                assert reader.check().faults == ()
                assert all(record.payload is not None for record in reader.records())
    finally:
        stop.set()
        writer.join()
    log.close()
