"""The index is rewritten while others read and write: what changes on the way counts, and what breaks off leaves nothing."""

import threading
import time

import pytest

import verified_gate.corpus.background as background
import verified_gate.corpus.merging as merging
import verified_gate.corpus.rewriting as rewriting
from tests.unit.corpus.documents import document
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.turns import Turns
from verified_gate.model.errors import CorpusError


@pytest.fixture(params=["in a file", "in memory"])
def store(request, tmp_path, monkeypatch):
    monkeypatch.setattr(background.Merger, "wake", lambda merger: None)
    made = CorpusStore.open(tmp_path / "kb.db") if request.param == "in a file" else CorpusStore.in_memory()
    with made as store:
        for number in range(6):
            store.add_documents([document(f"d{number}", f"bike {'bell ' * number}", "a second passage")])
        yield store


def segments(store):
    with store._database.reading() as connection:
        return [identity for (identity,) in connection.execute("SELECT id FROM segment ORDER BY id")]


def leftovers(store):
    with store._database.reading() as connection:
        return merging.unpublished(connection)


def found(store):
    return store.search("bike bell second", limit=100)


def meanwhile(monkeypatch, action):
    """Do `action` once, when a rewrite has planned what to write and has not written it."""
    stretches, todo = rewriting.stretches, [action]

    def hooked(*arguments):
        if todo:
            todo.pop()()
        yield from stretches(*arguments)

    monkeypatch.setattr(rewriting, "stretches", hooked)


def replace_all(store):
    with rewriting.rewriting(store._database, steal=True) as rewrite:
        return rewriting.replace_segments(store._database, rewrite, segments(store))


def test_a_merge_changes_nothing_that_is_found(store):
    before = found(store)
    assert replace_all(store) is True
    assert found(store) == before
    assert len(segments(store)) == 1
    assert leftovers(store) == []


def test_what_is_removed_superseded_and_added_during_a_merge_counts(store, monkeypatch):
    def change():
        store.operator.remove("d1", "1")
        store.operator.set_status("d2", "1", "withdrawn")
        store.add_documents([document("d3", "bike bell new", version="2")])
        store.add_documents([document("e", "bike bell late")])

    meanwhile(monkeypatch, change)
    assert replace_all(store) is True
    merged = found(store)
    assert store.operator.status(check=True).faults == ()
    assert {hit.passage.document_id for hit in merged} == {"d0", "d3", "d4", "d5", "e"}
    store.operator.rebuild()
    assert found(store) == merged


def test_a_status_that_comes_back_during_a_merge_counts(store, monkeypatch):
    before = found(store)
    store.operator.set_status("d2", "1", "withdrawn")
    meanwhile(monkeypatch, lambda: store.operator.set_status("d2", "1", "current"))
    assert replace_all(store) is True
    assert found(store) == before
    assert store.operator.status(check=True).faults == ()


def test_a_merge_whose_segments_were_replaced_by_another_comes_to_nothing(store, monkeypatch):
    before = found(store)
    meanwhile(monkeypatch, lambda: replace_all(store))
    with pytest.raises(rewriting.ClaimLost):
        replace_all(store)
    assert found(store) == before
    assert len(segments(store)) == 1
    assert replace_all(store) is True
    assert leftovers(store) == []


@pytest.mark.parametrize("killed", [False, True])
def test_a_rewrite_that_breaks_off_is_not_seen_and_clears_what_it_wrote_or_the_next_one_does(
    store, monkeypatch, killed
):
    before, whole, calls = found(store), segments(store), []
    monkeypatch.setattr(rewriting, "SWEEP", 2)
    monkeypatch.setattr("verified_gate.corpus.segment.SWEEP", 2)
    insert = rewriting.insert_postings

    def breaking(*arguments):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        insert(*arguments)

    monkeypatch.setattr(rewriting, "insert_postings", breaking)
    with monkeypatch.context() as patched:
        if killed:
            patched.setattr(rewriting.Rewrite, "release", lambda rewrite: None)
            patched.setattr(rewriting.Rewrite, "clear", lambda rewrite: None)
        with pytest.raises(KeyboardInterrupt):
            replace_all(store)
    assert len(leftovers(store)) == killed
    assert (found(store), segments(store)) == (before, whole)
    assert store.operator.status(check=True).faults == ()
    assert replace_all(store) is True
    assert leftovers(store) == []
    assert found(store) == before


def test_one_rewrite_is_under_way_at_a_time_and_a_stale_claim_does_not_count(store):
    with rewriting.rewriting(store._database, steal=False) as first:
        assert first is not None
        with rewriting.rewriting(store._database, steal=False) as second:
            assert second is None
        with store._database.writing() as connection:
            old = int(time.time()) - rewriting.STALE_SECONDS - 1
            connection.execute("UPDATE setting SET value = ? WHERE name = 'rewrite renewed'", (old,))
        with rewriting.rewriting(store._database, steal=False) as third:
            assert third is not None
        with pytest.raises(rewriting.ClaimLost), first.step():
            raise AssertionError
    with rewriting.rewriting(store._database, steal=False) as last:
        assert last is not None


def test_erasing_during_a_merge_leaves_no_posting_of_the_erased(store, monkeypatch):
    store.add_documents([document("secret", "bike xylophone")])
    insert, calls = rewriting.insert_postings, []

    def then_erase(*arguments):
        insert(*arguments)
        calls.append(1)

    monkeypatch.setattr(rewriting, "insert_postings", then_erase)
    claimed = rewriting.Rewrite(store._database)
    assert claimed.claim(steal=False)
    whole = segments(store)
    with store._database.reading() as connection:
        planned = list(merging.plan(connection, whole))
    claimed.draft(planned[0][0], merging.stretches(store._database.reading, planned[0][1]))
    assert calls
    assert leftovers(store) != []
    store.operator.erase("secret", "1")
    assert leftovers(store) == []
    with store._database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM posting WHERE term = 'xylophone'").fetchone() == (0,)
    with pytest.raises(rewriting.ClaimLost), claimed.step():
        raise AssertionError


def test_a_rebuild_during_which_something_is_written_has_it(store, monkeypatch):
    draft, todo = rewriting.Rewrite.draft, [1]

    def drafted(*arguments):
        made = draft(*arguments)
        if todo:
            todo.pop()
            store.add_documents([document("late", "bike bell late")])
            store.operator.remove("d4", "1")
        return made

    monkeypatch.setattr(rewriting.Rewrite, "draft", drafted)
    store.operator.rebuild()
    assert {hit.passage.document_id for hit in found(store)} == {"d0", "d1", "d2", "d3", "d5", "late"}
    assert store.operator.status(check=True).faults == ()
    assert leftovers(store) == []


def test_no_write_and_no_search_waits_for_a_merge_and_close_does(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 4)
    started, go_on = threading.Event(), threading.Event()

    def wait():
        started.set()
        assert go_on.wait(30)

    meanwhile(monkeypatch, wait)
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        for number in range(4):
            store.add_documents([document(f"d{number}", "bike bell")])
        assert started.wait(30)
        store.add_documents([document("late", "bike bell")])  # the merge stands still meanwhile
        assert len(store.search("bike", limit=10)) == 5
        assert len(segments(store)) == 5
        go_on.set()
    with CorpusStore.open(path, read_only=True) as store:
        assert len(segments(store)) == 2
        assert store.operator.status(check=True).faults == ()


def test_closing_does_not_wait_for_all_that_is_due_and_a_later_write_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 4)
    monkeypatch.setattr(background, "CLOSE_SECONDS", 0.0)
    path = tmp_path / "kb.db"
    wake = background.Merger.wake
    monkeypatch.setattr(background.Merger, "wake", lambda merger: None)
    with CorpusStore.open(path) as store:
        for number in range(12):
            store.add_documents([document(f"d{number}", "bike bell")])
    monkeypatch.setattr(background.Merger, "wake", wake)
    meanwhile(monkeypatch, lambda: time.sleep(0.1))  # closing comes while the first merge is under way
    with CorpusStore.open(path) as store:
        store.add_documents([document("late", "bike bell")])
    monkeypatch.setattr(background, "CLOSE_SECONDS", 30.0)
    with CorpusStore.open(path) as store:
        for number in range(4):
            store.add_documents([document(f"later{number}", "bike bell")])
    with CorpusStore.open(path, read_only=True) as store:
        assert len(segments(store)) < 4
        assert len(store.search("bike", limit=100)) == 17
        assert store.operator.status(check=True).faults == ()


def test_writers_of_a_process_take_turns():
    turns, order = Turns(seconds=30), []

    def write(name):
        with turns:
            order.append(name)

    threads = []
    with turns:
        for name in range(4):
            threads.append(threading.Thread(target=write, args=(name,)))
            threads[-1].start()
            while len(turns._waiting) <= name:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3]
    with turns:
        order.append("free again")
    assert order[-1] == "free again"


def test_who_waits_too_long_for_a_turn_is_told_and_holds_up_nobody():
    turns = Turns(seconds=0.05)
    raised = []

    def write():
        try:
            with turns:
                pass
        except TimeoutError:
            raised.append(True)

    with turns:
        waiter = threading.Thread(target=write)
        waiter.start()
        waiter.join()
    assert raised == [True]
    with turns:
        raised.append("free again")
    assert raised == [True, "free again"]


@pytest.mark.parametrize("fault", [MemoryError, ValueError, CorpusError])
def test_after_a_merge_that_failed_another_one_begins(tmp_path, monkeypatch, fault):
    monkeypatch.setattr(merging, "FAN", 4)
    merge, calls = background.merge_what_is_due, []

    def failing(*arguments):
        calls.append(1)
        if len(calls) == 1:
            raise fault("x")
        merge(*arguments)

    monkeypatch.setattr(background, "merge_what_is_due", failing)
    with CorpusStore.open(tmp_path / "kb.db") as store:
        for number in range(4):
            store.add_documents([document(f"d{number}", "bike bell")])
        while store._merger._thread is not None:
            time.sleep(0.01)
        store.add_documents([document("late", "bike bell")])
    with CorpusStore.open(tmp_path / "kb.db") as store:
        assert len(calls) > 1
        assert len(segments(store)) < 4


def test_where_no_thread_can_be_had_what_was_written_is_told_and_the_store_closes(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 4)

    def refused(thread):
        raise RuntimeError("can't start new thread")

    with CorpusStore.open(tmp_path / "kb.db") as store:
        with monkeypatch.context() as patched:
            patched.setattr(background.threading.Thread, "start", refused)
            for number in range(5):
                assert store.add_documents([document(f"d{number}", "bike bell")]).documents == 1
        assert len(segments(store)) == 5
        store.add_documents([document("late", "bike bell")])
    with CorpusStore.open(tmp_path / "kb.db") as store:
        assert len(segments(store)) < 5


def test_while_a_store_closes_only_the_merge_under_way_still_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "FAN", 4)
    started, go_on = threading.Event(), threading.Event()

    def wait():
        started.set()
        assert go_on.wait(30)

    meanwhile(monkeypatch, wait)
    store = CorpusStore.open(tmp_path / "kb.db")
    for number in range(4):
        store.add_documents([document(f"d{number}", "bike bell")])
    assert started.wait(30)
    closing = threading.Thread(target=store.close)
    closing.start()
    while not store._database._ending:
        time.sleep(0.01)
    with pytest.raises(CorpusError, match="closed"):
        store.add_documents([document("late", "bike bell")])
    with pytest.raises(CorpusError, match="closed"):
        store._database.compact()
    assert len(store.search("bike")) == 4  # whoever reads goes on until the end
    go_on.set()
    closing.join()
    with CorpusStore.open(tmp_path / "kb.db") as store:
        assert len(segments(store)) == 1
        assert store.operator.status(check=True).faults == ()
