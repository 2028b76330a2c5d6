"""Erasing in a record log: what is reached whoever wrote the name, and what nobody can turn off from outside of the chain."""

import sqlite3

import pytest

from tests.records import HONEST, KEY, claim, corpus, trace_of
from verified_gate.audit.records import RecordLog
from verified_gate.audit.trace import Trace
from verified_gate.model import Passage
from verified_gate.model.errors import RecordError

STAFF = "acme:staff@1#c0"


@pytest.fixture
def store():
    return corpus()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "records.db"


def bytes_of(path):
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def edit(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def payloads(path):
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM part WHERE name = 'payload'").fetchall()
    connection.close()
    return rows


def test_what_a_payload_tells_of_stands_in_the_chain_and_in_no_index_beside_it(store, path):
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store, question="Zanzibar?"))
    connection = sqlite3.connect(path)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    assert tables == {"entry", "part", "erased", "setting"}
    with RecordLog.open(path, plain=True) as log:
        assert log.erase(["returns@3"]) == 1
        assert b"Zanzibar" not in bytes_of(path)


@pytest.mark.parametrize("change", [b'"mentions":["x"]', b'"mentions":[]', b'"mentioned":["returns@3"]'])
def test_a_payload_that_was_changed_is_erased_with_any_version_and_never_kept_by_its_own_word(store, path, change):
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store, HONEST[:1], keys=["returns@3#c0"], question="Zanzibar?"))
        kept = log.write(trace_of(store, HONEST[1:], keys=["battery@1#c0"]))
        ((sequence, _, salt, body), _) = payloads(path)
        changed = body.replace(b'"mentions":["returns@3"]', change)
        assert changed != body
        edit(path, "UPDATE part SET body = ? WHERE sequence = ? AND salt = ?", changed, sequence, salt)
        assert log.check().faults
        assert log.erase(["returns@3"]) == 1
        assert log.read(kept).payload is not None
        assert b"Zanzibar" not in bytes_of(path)


def test_a_list_of_erased_versions_that_was_emptied_is_told_and_mended_by_the_next_erasure(store, path):
    with RecordLog.open(path, plain=True) as log:
        log.erase(["returns@3"])
        assert log.check().faults == ()
        edit(path, "DELETE FROM erased")
        assert log.check().faults
        log.erase(["battery@9"])
        assert log.check().faults == ()
        assert log.read(log.write(trace_of(store))).payload is None


def test_a_version_that_nobody_erased_cannot_be_listed_unseen(store, path):
    with RecordLog.open(path, plain=True) as log:
        edit(path, "INSERT INTO erased VALUES (zeroblob(32))")
        assert log.check().faults


def test_an_erased_payload_that_is_put_back_from_a_copy_is_told_and_erased_again(store, path):
    with RecordLog.open(path, plain=True) as log:
        identity = log.write(trace_of(store, question="Zanzibar?"))
        rows = payloads(path)
        assert log.erase(["returns@3"]) == 1
        assert log.check().faults == ()
        for row in rows:
            edit(path, "INSERT INTO part VALUES (?, ?, ?, ?)", *row)
        assert log.check().faults
        assert log.erase(["returns@3"]) == 1
        assert log.check().faults == ()
        assert log.read(identity).payload is None


def test_of_two_erasures_at_once_the_one_that_was_interrupted_stays_to_be_finished(store, path):
    class Killed(BaseException):
        pass

    def killed():
        raise Killed

    with RecordLog.open(path, plain=True) as log, RecordLog.open(path, plain=True) as other:
        log.write(trace_of(store, HONEST[:1], keys=["returns@3#c0"]))
        log.write(trace_of(store, HONEST[1:], keys=["battery@1#c0"], question="Zanzibar?"))
        settle = log._file.settle

        def meanwhile():
            settle()
            other._file.settle = killed
            with pytest.raises(Killed):
                other.erase(["battery@1"])

        log._file.settle = meanwhile
        assert log.erase(["returns@3"]) == 1
        log._file.settle = settle
        assert b"Zanzibar" in bytes_of(path)
        assert log.erase(["battery@1"]) == 0
        assert b"Zanzibar" not in bytes_of(path)


@pytest.mark.parametrize("written", [STAFF, "acme:staff@1", "acme:staff@1#c77"])
@pytest.mark.parametrize("keyed", [False, True])
def test_what_a_model_wrote_under_the_key_of_a_version_it_was_not_shown_is_erased_with_it(store, path, written, keyed):
    made = [*HONEST, claim("Quokka says so.", (written, "marked Quokka"))]
    with RecordLog.open(path, key=KEY if keyed else None, plain=not keyed) as log:
        identity = log.write(trace_of(store, made))
        assert (b"acme:staff@1" in bytes_of(path)) is not keyed, "a name that a model wrote is one of its texts"
    with RecordLog.existing(path, key=KEY if keyed else None, read_only=False) as log:
        assert log.erase(["acme:staff@2"]) == 0
        assert log.erase(["acme:staff@1"]) == 1
        assert log.read(identity).payload is None
    assert b"Quokka" not in bytes_of(path)
    assert b"acme:staff@1" not in bytes_of(path)


def own(key, document_id, version):
    passage = Passage(key, "The fee is five euros, says Zanzibar.", document_id, "", version)
    return Trace("What is the fee?", delivered=(passage,))


@pytest.mark.parametrize(
    ("key", "document_id", "version", "names"),
    [
        ("x@1#c0", "contract-7", "2", ["x@1", "contract-7@2"]),
        ("acme:x@1#c0", "x", "2", ["acme:x@1", "x@2"]),
        ("row 7", "contract-7", "", ["row 7", "contract-7"]),
        ("mine#4", "mine", "7", ["mine", "mine@7"]),
    ],
)
def test_a_callers_document_is_erased_by_its_own_name_whatever_its_key_looks_like(
    path, key, document_id, version, names
):
    for name in names:
        with RecordLog.open(path.with_name(f"{names.index(name)}.db"), plain=True) as log:
            log.write(own(key, document_id, version))
            assert log.erase(["another@1"]) == 0
            assert log.erase([name]) == 1


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ([1], TypeError),
        ([b"returns@3"], TypeError),
        ([None], TypeError),
        ("returns@3", TypeError),
        (["\ud800"], ValueError),
        ([""], ValueError),
        (["returns@3#c0"], ValueError),
    ],
)
def test_what_can_name_no_version_is_wrong_use_and_erases_nothing(store, path, names, fault):
    with RecordLog.open(path, plain=True) as log:
        identity = log.write(trace_of(store))
        with pytest.raises(fault):
            log.erase(names)
        assert log.read(identity).payload is not None


def test_a_signed_log_is_not_opened_to_be_erased_in_without_its_key(store, path):
    with RecordLog.open(path, key=KEY, plain=True) as log:
        log.write(trace_of(store))
    for key in (None, b"another key of 16 bytes or more"):
        with pytest.raises(RecordError):
            RecordLog.existing(path, key=key, read_only=False)
    with RecordLog.existing(path, key=KEY, read_only=False) as log:
        assert log.erase(["returns@3"]) == 1
        assert log.check().faults == ()


def test_signed_and_unsigned_entries_never_stand_in_one_log(store, path):
    signed, unsigned = path, path.with_name("unsigned.db")
    with RecordLog.open(signed, key=KEY) as log:
        log.write(trace_of(store))
    with RecordLog.open(unsigned, plain=True) as log:
        log.write(trace_of(store))
    with pytest.raises(RecordError):
        RecordLog.open(signed, plain=True)
    with pytest.raises(RecordError):
        RecordLog.open(unsigned, key=KEY, plain=True)
    with RecordLog.open(signed, key=KEY, plain=True) as log:
        log.write(trace_of(store))
        assert log.check().faults == ()


def test_a_log_whose_last_entry_is_not_ours_any_more_is_not_written(store, path):
    with RecordLog.open(path, key=KEY) as log:
        log.write(trace_of(store))
        edit(path, "UPDATE entry SET mac = zeroblob(32)")
        with pytest.raises(RecordError):
            log.write(trace_of(store))
        with pytest.raises(RecordError):
            log.erase(["returns@3"])
        assert len(payloads(path)) == 1


def test_another_thread_that_writes_for_too_long_is_an_error_of_the_log(store, path):
    import threading

    with RecordLog.open(path, plain=True) as log:
        log._file._turns = type(log._file._turns)(0.05)
        begun, done = threading.Event(), threading.Event()

        def holds():
            with log._file.writing():
                begun.set()
                done.wait(20)

        thread = threading.Thread(target=holds)
        thread.start()
        begun.wait(20)
        try:
            for write in (lambda: log.erase(["returns@3"]), lambda: log.write(trace_of(store))):
                with pytest.raises(RecordError):
                    write()
        finally:
            done.set()
            thread.join()
        assert log.read(log.write(trace_of(store)))
