"""A store that is closed, or a process that forks, while other threads search: an error in words, never a crash or a hang."""

import os
import signal
import threading
import time

import pytest

import verified_gate.corpus.merging as merging

from verified_gate import CorpusStore
from verified_gate.model.errors import CorpusError

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.fixture(params=["in a file", "in memory"])
def store(request, tmp_path):
    opened = CorpusStore.open(tmp_path / "corpus.db") if request.param == "in a file" else CorpusStore.in_memory()
    for number in range(20):
        opened.add(f"You can return bike {number} within 30 days.", document_id=f"d{number}", version="1")
    yield opened
    opened.close()


def _searchers(store, ended):
    def search_for_ever():
        try:
            while True:
                assert store.search("return a bike", limit=20)
        except CorpusError as fault:
            ended.append(str(fault))

    threads = [threading.Thread(target=search_for_ever) for _ in range(3)]
    for thread in threads:
        thread.start()
    return threads


def test_closing_while_others_search_ends_them_with_an_error_that_says_so(store):
    ended = []
    threads = _searchers(store, ended)
    time.sleep(0.1)
    store.close()
    for thread in threads:
        thread.join(30)
    assert len(ended) == 3
    assert all("is closed" in message for message in ended)


def test_a_fork_while_others_search_gives_a_child_that_searches_and_writes(store):
    ended = []
    threads = _searchers(store, ended)
    statuses = []
    for child in range(3):
        process = os.fork()
        if process == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # a child that hangs ends, and fails the test
            signal.alarm(60)
            try:
                found = store.search("return a bike", limit=5)
                store.add("A note of the child about a bike.", document_id=f"note{child}", version="1")
                os._exit(0 if len(found) == 5 else 1)
            except BaseException:
                os._exit(2)
        statuses.append(os.waitpid(process, 0)[1])
    store.close()
    for thread in threads:
        thread.join(30)
    assert statuses == [0, 0, 0]


def test_a_fork_while_merges_are_under_way_gives_a_child_that_writes_and_merges(store, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 2)
    done, faults = threading.Event(), []

    def write_for_ever():
        number = 0
        try:
            while not done.is_set():
                store.add(f"A bike of the parent {number}.", document_id=f"parent{number}", version="1")
                number += 1
        except BaseException as fault:
            faults.append(fault)

    writer = threading.Thread(target=write_for_ever)
    writer.start()
    statuses = []
    for child in range(3):
        time.sleep(0.05)
        process = os.fork()
        if process == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(60)
            try:
                for number in range(6):
                    store.add("A note of the child about a bike.", document_id=f"note{child}{number}", version="1")
                found = store.search("note", limit=50)
                store.close()
                os._exit(0 if len(found) >= 6 else 1)
            except BaseException:
                os._exit(2)
        statuses.append(os.waitpid(process, 0)[1])
    done.set()
    writer.join(30)
    assert statuses == [0, 0, 0]
    assert faults == []
    assert store.operator.status(check=True).faults == ()
