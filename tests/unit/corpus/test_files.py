"""Opening, sharing and losing files: clear errors, and nothing lost."""

import multiprocessing
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from tests.unit.corpus.documents import document
from verified_gate.corpus.schema import APPLICATION_ID, SCHEMA_VERSION
from verified_gate.corpus.store import CorpusStore
from verified_gate.model.errors import CorpusError, IngestError


@pytest.fixture
def path(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add_documents([document("d", "a bike bell")])
    return tmp_path / "kb.db"


def change(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_what_was_written_is_there_after_closing(path):
    with CorpusStore.open(path) as store:
        assert [hit.key for hit in store.search("bike")] == ["d@1#c0"]


def test_the_file_says_whose_it_is(path):
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_text_file_is_no_corpus_and_stays_as_it_is(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database, " * 100)
    with pytest.raises(CorpusError, match="not a corpus"):
        CorpusStore.open(file)
    assert file.read_text() == "not a database, " * 100
    assert os.listdir(tmp_path) == ["notes.txt"]


def test_a_database_of_another_program_stays_as_it_is(tmp_path):
    file = tmp_path / "theirs.db"
    change(file, "CREATE TABLE theirs (x)")
    before = file.read_bytes()
    with pytest.raises(CorpusError, match="another program"):
        CorpusStore.open(file)
    assert file.read_bytes() == before


def test_a_newer_schema_is_told_and_not_touched(path):
    change(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(CorpusError, match="newer verified-gate"):
        CorpusStore.open(path)
    assert path.read_bytes() == before


def test_a_missing_folder_a_folder_and_a_missing_file_are_told(tmp_path):
    with pytest.raises(CorpusError, match="does not exist"):
        CorpusStore.open(tmp_path / "no" / "kb.db")
    with pytest.raises(CorpusError, match="is a folder"):
        CorpusStore.open(tmp_path)
    with pytest.raises(CorpusError, match="there is no such file"):
        CorpusStore.open(tmp_path / "kb.db", create=False)
    with pytest.raises(CorpusError, match="there is no such file"):
        CorpusStore.open(tmp_path / "kb.db", read_only=True)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["a\0b", "loop", "n" * 300])
def test_a_name_that_no_file_can_have_is_told(tmp_path, name):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(CorpusError, match="cannot be opened"):
        CorpusStore.open(tmp_path / name)


def test_an_empty_file_becomes_a_corpus(tmp_path):
    (tmp_path / "kb.db").touch()
    with CorpusStore.open(tmp_path / "kb.db") as store:
        assert store.operator.status().condition == "empty"


def test_read_only_reads_and_refuses_to_write(path):
    with CorpusStore.open(path, read_only=True) as store:
        assert len(store.search("bike")) == 1
        with pytest.raises(CorpusError, match="read-only"):
            store.add_documents([document("e", "more")])


def as_nobody(action):
    """Do `action` in a child that may not write where it was not let; gives what it gave."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setegid(65_534)
                os.seteuid(65_534)
            told = repr(action())
        except BaseException as fault:
            told = f"{type(fault).__name__}: {fault}"
        os.write(writer, told.encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told


@pytest.fixture
def sealed(path):
    """A folder that nobody can write to, with a corpus, whose writer may still be there."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "sealed"
        place.mkdir()
        shutil.copy(path, place / "kb.db")
        os.chmod(folder, 0o755)
        os.chmod(place / "kb.db", 0o444)
        os.chmod(place, 0o555)
        yield place / "kb.db"
        os.chmod(place, 0o755)


def search_read_only(file):
    with CorpusStore.open(file, read_only=True) as store:
        return [hit.key for hit in store.search("bike")]


def test_read_only_reads_where_no_file_can_be_made(sealed):
    assert as_nobody(lambda: search_read_only(sealed)) == "['d@1#c0']"
    assert os.listdir(sealed.parent) == ["kb.db"]


def test_a_new_file_where_none_can_be_made_is_told(sealed):
    told = as_nobody(lambda: CorpusStore.open(sealed.with_name("new.db")))
    assert told.startswith("CorpusError: ")


def test_a_log_that_was_left_where_no_file_can_be_made_is_told_and_not_passed_over(sealed):
    os.chmod(sealed.parent, 0o755)
    sealed.with_name("kb.db-wal").write_bytes(b"what a killed writer left")
    os.chmod(sealed.parent, 0o555)
    assert as_nobody(lambda: search_read_only(sealed)).startswith("CorpusError: ")
    os.chmod(sealed.parent, 0o755)
    sealed.with_name("kb.db-wal").unlink()
    os.chmod(sealed.parent, 0o555)
    assert as_nobody(lambda: search_read_only(sealed)) == "['d@1#c0']"


_WRITER = """
import os, sys, time
from verified_gate import CorpusStore
folder = os.path.dirname(sys.argv[1])
while not os.path.exists(os.path.join(folder, "asked")):
    time.sleep(0.01)
os.chmod(sys.argv[1], 0o644)
with CorpusStore.open(sys.argv[1]) as store:
    store.operator.set_status("d", "1", "revoked")
    store.add("A bike has a lamp.", document_id="lamp")
    if sys.argv[2] == "stays":
        open(os.path.join(folder, "done"), "w").close()
        while not os.path.exists(os.path.join(folder, "read")):
            time.sleep(0.01)
        store.add("A bike has a horn.", document_id="horn")
open(os.path.join(folder, "done"), "w").close()
"""


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("how", ["stays", "goes"])
def test_who_may_only_read_makes_no_log_of_its_own_and_sees_what_the_writer_writes(sealed, how, linked):
    os.chmod(sealed.parent, 0o777)
    os.chmod(sealed, 0o444)
    with tempfile.TemporaryDirectory() as beside:  # SQLite keeps the log beside the file, and not beside a link to it
        os.chmod(beside, 0o777)
        link = pathlib.Path(beside) / "link.db"
        link.symlink_to(sealed)
        _read_while_written(sealed, link if linked else sealed, how)
        assert os.listdir(beside) == ["link.db"]


def _read_while_written(sealed, named, how):
    folder = sealed.parent

    def read():
        with CorpusStore.open(named, read_only=True) as store:
            before = [hit.key for hit in store.search("bike")], sorted(os.listdir(folder))
            (folder / "asked").touch()
            while not (folder / "done").exists():
                time.sleep(0.01)
            after = [hit.key for hit in store.search("bike")]
            (folder / "read").touch()
            return before, after

    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(sealed), how])
    try:
        assert as_nobody(read) == repr(((["d@1#c0"], ["kb.db"]), ["lamp@1#c0"]))
        assert writer.wait() == 0
    finally:
        writer.kill()
        writer.wait()


def test_who_may_only_read_a_copy_with_its_log_makes_nothing_that_would_lock_its_owner_out(sealed):
    """A copy has no shared memory, which belongs to whoever makes it."""
    os.chmod(sealed.parent, 0o777)
    os.chmod(sealed, 0o644)
    with CorpusStore.open(sealed) as store:
        store.add("A bike has a lamp.", document_id="lamp")
        for suffix in ("", "-wal"):
            shutil.copy(f"{sealed}{suffix}", sealed.with_name(f"copy.db{suffix}"))
        assert sorted(as_nobody(lambda: search_read_only(sealed))) == sorted("['d@1#c0', 'lamp@1#c0']")
    copy = sealed.with_name("copy.db")
    before = sorted(os.listdir(sealed.parent))
    told = as_nobody(lambda: search_read_only(copy))
    assert told.startswith("CorpusError: ") and "optimize" in told
    assert sorted(os.listdir(sealed.parent)) == before
    with CorpusStore.open(copy) as store:
        store.operator.set_status("d", "1", "revoked")
        assert as_nobody(lambda: search_read_only(copy)) == "['lamp@1#c0']"
    assert as_nobody(lambda: search_read_only(copy)) == "['lamp@1#c0']"


@pytest.mark.parametrize("label", ["title", "lang", "collection"])
def test_a_label_that_no_file_can_hold_is_told_before_anything_is_stored(path, label):
    with CorpusStore.open(path) as store:
        with pytest.raises((IngestError, ValueError), match="surrogate"):
            store.add("a bell", document_id="e", **{label: "\udcff"})
        store.add("a bell", document_id="e", **{label: "ÿ"})
        assert [listing.document_id for listing in store.documents()] == ["d", "e"]


def test_a_full_disk_loses_nothing(path):
    """The pages that the file may have stand for the size of a disk."""
    with CorpusStore.open(path) as store:
        with store._database.reading() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(CorpusError, match="disk is full"):
            store.add_documents([document("e", *["many words " + "x" * 900 for _ in range(100)])])
        assert [hit.key for hit in store.search("bike many words")] == ["d@1#c0"]
        assert store.operator.status(check=True).faults == ()


def test_a_full_disk_is_no_bar_to_reading(sealed):
    os.chmod(sealed.parent, 0o777)
    os.chmod(sealed, 0o666)

    def read():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))  # the shared memory of a reader needs more
        with pytest.raises(CorpusError):
            CorpusStore.open(sealed)
        return search_read_only(sealed)

    assert as_nobody(read) == "['d@1#c0']"


def test_a_second_writer_waits_and_then_is_told(path, monkeypatch):
    monkeypatch.setattr("verified_gate.corpus.connection.BUSY_SECONDS", 0.05)
    with CorpusStore.open(path) as first, CorpusStore.open(path) as second:
        with first._database.writing(), pytest.raises(CorpusError, match="another writer"):
            second.add_documents([document("e", "more")])
        assert second.add_documents([document("e", "more")]).documents == 1
        assert len(first.search("more")) == 1


def test_a_damaged_file_is_told(path):
    data = bytearray(path.read_bytes())
    data[8192 * 2 : 8192 * 6] = b"\xff" * (8192 * 4)
    path.write_bytes(data)
    with pytest.raises(CorpusError, match="damaged|DatabaseError"):
        with CorpusStore.open(path) as store:
            store.search("bike")
            store.operator.status(check=True)


def test_a_closed_store_says_so(path):
    store = CorpusStore.open(path)
    store.close()
    store.close()
    with pytest.raises(CorpusError, match="closed"):
        store.search("bike")


def test_nothing_of_a_refused_batch_is_stored(path):
    """(condition 42) Duplicate ids, two current versions, and another text under a version that is there."""
    with CorpusStore.open(path) as store:
        for batch in (
            [document("e", "one"), document("e", "two")],
            [document("e", "one"), document("e", "two", version="2")],
            [document("e", "one"), document("d", "a bike lamp")],
        ):
            with pytest.raises(IngestError):
                store.add_documents(batch)
        assert [each.document_id for each in store.documents()] == ["d"]
        assert store.search("one two lamp") == []


def test_the_same_again_is_left_alone(path):
    with CorpusStore.open(path) as store:
        assert store.add_documents([document("d", "a bike bell")]).unchanged == 1
        store.operator.set_status("d", "1", "withdrawn")
        assert store.add_documents([document("d", "a bike bell")]).unchanged == 1
        assert store.search("bike") == []


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("UPDATE block SET text = 'a bike ball'", "d@1#c0"),
        ("DELETE FROM block", "d@1#c0"),
        ("UPDATE passage SET sha256 = zeroblob(32)", "d@1#c0"),
        ("UPDATE document SET text_sha256 = zeroblob(32)", "d@1"),
        ("UPDATE document SET title = 'another'", "d@1"),
        ("UPDATE document SET collection = 'another'", "d@1"),
        ("UPDATE audience SET tenant = 'acme'", "d@1"),
        ("UPDATE passage SET first_line = 7", "d@1"),
        ("UPDATE passage SET heading = '[\"x\"]'", "d@1"),
        ("DELETE FROM passage", "d@1"),
        ("DELETE FROM placement", "d@1"),
        ("DELETE FROM posting WHERE term = 'bike'", "segment 1"),
        ("UPDATE posting SET slots = x'0100' WHERE term = 'bike'", "segment 1"),
        ("UPDATE posting SET counts = x'02' WHERE term = 'bike'", "segment 1"),
        ("UPDATE posting SET term = 'bikes' WHERE term = 'bike'", "segment 1"),
        ("UPDATE segment SET lengths = x'09000000'", "segment 1"),
        ("UPDATE run SET live = 0", "segment 1"),
        ("UPDATE document SET status = 'superseded'", "segment 1"),
    ],
)
def test_the_check_finds_any_change_behind_our_back_and_names_it(path, statement, place):
    with CorpusStore.open(path) as store:
        clean = store.operator.status(check=True)
        assert (clean.condition, clean.faults, clean.checked) == ("ready", (), True)
    change(path, statement)
    with CorpusStore.open(path) as store:
        found = store.operator.status(check=True)
        assert found.condition == "damaged"
        assert place in [fault.place for fault in found.faults]


def test_an_index_of_another_tokenizer_is_told_and_built_again(path):
    change(path, "UPDATE setting SET value = value + 1 WHERE name = 'tokenizer'")
    with CorpusStore.open(path) as store:
        assert store.operator.status().condition == "not-indexed"
        with pytest.raises(CorpusError, match="rebuild"):
            store.search("bike")
        with pytest.raises(CorpusError, match="rebuild"):
            store.add_documents([document("e", "more")])
        assert store.passage("d@1#c0") is not None
        store.operator.rebuild()
        assert store.operator.status(check=True).condition == "ready"
        assert [hit.key for hit in store.search("bike")] == ["d@1#c0"]


def test_a_rebuild_finds_what_was_found_before(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add("# Care\n\n## Chain\n\nOil the chain.\n\nKeep it dry.", document_id="care", title="Manual")
        store.add("# Care\n\nOil it all.", document_id="care", version="2", title="Manual")
        store.add_documents([document("plan", "Our chain plan", tenant="acme", status="withdrawn")])
        questions = ["oil the chain", "manual care"]
        before = [
            [store.search(question, statuses=statuses) for question in questions]
            for statuses in (["current"], ["superseded"])
        ]
        store.operator.rebuild()
        after = [
            [store.search(question, statuses=statuses) for question in questions]
            for statuses in (["current"], ["superseded"])
        ]
        assert before == after
        assert store.operator.status(check=True).faults == ()


def test_optimize_changes_nothing_that_is_found_and_is_done_once(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        for number in range(12):
            store.add_documents([document(f"d{number}", f"bike {'bell ' * number}", tenant=("acme", None)[number % 2])])
        store.operator.remove("d3", "1")
        before = store.search("bike bell", limit=100)
        assert store.operator.optimize() is True
        assert store.search("bike bell", limit=100) == before
        assert store.operator.optimize() is False
        assert store.operator.status(check=True).segments == 1


def test_readers_see_whole_documents_while_a_writer_adds_and_merges(path):
    """Each document has two passages with one word of their own; a search sees both or neither."""
    torn, errors = [], []
    done = threading.Event()

    def read(store):
        try:
            while not done.is_set():
                hits = [hit.passage.document_id for hit in store.search("pair", limit=1000)]
                torn.extend(name for name in set(hits) if hits.count(name) != 2)
        except Exception as fault:
            errors.append(fault)

    with CorpusStore.open(path) as store:
        readers = [threading.Thread(target=read, args=(store,)) for _ in range(3)]
        for reader in readers:
            reader.start()
        for number in range(40):
            store.add_documents([document(f"p{number}", "pair one", "pair two")])
            if number % 10 == 5:
                store.operator.optimize()
            if number % 7 == 3:
                store.operator.remove(f"p{number - 1}", "1")
        done.set()
        for reader in readers:
            reader.join()
        assert (torn, errors) == ([], [])
        assert len(store.search("pair", limit=1000)) == 2 * (40 - 6)


def _read_in_child(path, count):
    with CorpusStore.open(path) as store:
        return [len(store.search("pair", limit=1000)) % 2 for _ in range(count)]


def _write_in_child(arguments):
    path, name = arguments
    with CorpusStore.open(path) as store:
        for number in range(10):
            store.add_documents([document(f"{name}{number}", "pair one", "pair two")])


def test_writers_and_readers_in_processes(path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        reading = pool.apply_async(_read_in_child, (path, 50))
        pool.map(_write_in_child, [(path, "a"), (path, "b")])
        assert set(reading.get()) == {0}
    with CorpusStore.open(path) as store:
        assert len(store.search("pair", limit=1000)) == 40
        assert store.operator.status(check=True).faults == ()


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_a_forked_child_reads_with_connections_of_its_own(path, kind):
    store = CorpusStore.open(path) if kind == "file" else CorpusStore.in_memory()
    with store:
        if kind == "memory":
            store.add_documents([document("d", "a bike bell")])
        assert len(store.search("bike")) == 1
        child = os.fork()
        if child == 0:
            try:
                found = len(store.search("bike")) == 1
                if kind == "file":
                    store.add_documents([document("child", "a bike lamp")])
                store.close()
            except BaseException:
                found = False
            os._exit(0 if found else 1)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        store.add_documents([document("parent", "a bike tyre")])
        assert len(store.search("bike")) == (3 if kind == "file" else 2)
        assert store.operator.status(check=True).faults == ()


def test_threads_share_a_corpus_in_memory():
    errors = []
    with CorpusStore.in_memory() as store:

        def work(name):
            try:
                for number in range(10):
                    store.add_documents([document(f"{name}{number}", "bike")])
                    store.search("bike")
            except Exception as fault:
                errors.append(fault)

        threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(store.search("bike", limit=100)) == 30


def test_the_log_is_emptied_by_optimize(path):
    with CorpusStore.open(path) as store:
        store.add_documents([document(f"e{number}", "bike") for number in range(50)])
        store.operator.optimize()
        assert os.path.getsize(f"{path}-wal") == 0
