"""`status` answers with a condition word for every state of a file, and `erase` and `ask` say what they did in the words of
the command line.
"""

import json
import shutil
import sqlite3

import pytest

from tests.command_line import call
from verified_gate import CorpusStore
from verified_gate.audit.records import RecordLog
from verified_gate.corpus.operator import status_of

KEY = b"0123456789abcdef0123456789abcdef"


@pytest.fixture
def kb(tmp_path):
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        store.add("You can return a bike within 30 days of delivery.", document_id="returns", version="3")
        store.add("A lamp is bright.", document_id="lamp", version="1", tenant="acme")
    return path


def rows(path, statement):
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def damaged_header(path):
    data = bytearray(path.read_bytes())
    data[:8] = b"nonsense"
    path.write_bytes(data)


STATES = {
    "ready": lambda path: None,
    "damaged": lambda path: rows(path, "UPDATE block SET text = replace(text, 'bike', 'hike')"),
    "not-indexed": lambda path: rows(path, "UPDATE setting SET value = 0 WHERE name = 'tokenizer'"),
    "empty": lambda path: (path.unlink(), CorpusStore.open(path).close()),
    "unavailable: no corpus": lambda path: path.write_text("no database, but a text"),
    "unavailable: a damaged header": damaged_header,
    "unavailable: empty": lambda path: path.write_bytes(b""),
    "unavailable: missing": lambda path: path.unlink(),
    "unavailable: a newer schema": lambda path: rows(path, "PRAGMA user_version = 99"),
    "unavailable: another program's": lambda path: (path.unlink(), rows(path, "CREATE TABLE t (x)")),
    "unavailable: a folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("name", STATES)
def test_a_condition_word_is_told_for_every_state(kb, name):
    STATES[name](kb)
    condition = name.partition(":")[0]
    for more in ([], ["--check"], ["--documents"]):
        if condition == "damaged" and more != ["--check"]:
            continue
        done = call("status", "--corpus", kb, "--json", *more)
        told = json.loads(done.out)
        assert told["condition"] == condition
        assert bool(told["faults"]) == (condition in ("damaged", "unavailable"))
        assert done.code == (0 if condition in ("ready", "empty") else 3)
        assert call("status", "--corpus", kb, *more).code == done.code


def test_a_file_that_others_hold_is_unavailable_soon(kb, monkeypatch):
    """(condition 52)"""
    monkeypatch.setattr("verified_gate.corpus.operator.QUICK_SECONDS", 0.1)
    holder = sqlite3.connect(kb, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    holder.execute("UPDATE setting SET value = value")
    assert json.loads(call("status", "--corpus", kb, "--json").out)["condition"] == "unavailable"
    assert status_of(kb).documents == {}
    holder.execute("ROLLBACK")
    holder.close()
    assert status_of(kb).condition == "ready"


def test_an_erasure_that_reached_a_log_alone_says_so(kb, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(KEY)
    log = tmp_path / "log.db"
    told = call("ask", "How long can I return a bike?", "--corpus", kb, "--records", log, "--record-key", key)
    assert told.code == 0
    assert call("erase", "returns@3", "--corpus", kb).out == "erased: returns@3\n"
    more = ("erase", "--corpus", kb, "--records", log, "--record-key", key)
    other = tmp_path / "other.db"
    shutil.copy(log, other)
    assert call(*more).out == "erased in the record log: 1 record\n"
    assert call(*more).out == "nothing was left to erase\n"
    told = json.loads(call("erase", "--corpus", kb, "--records", other, "--record-key", key, "--json").out)
    assert told == {"erased": [], "finished": True, "detail": "", "records": 1}
    with RecordLog.existing(log, key=KEY) as opened:
        assert opened.check().erased == 1


@pytest.mark.parametrize("verb", [["erase"], ["mark"]])
def test_what_is_not_stored_is_named_with_its_tenant_and_what_was_erased_as_that(kb, verb):
    more = ["revoked"] if verb == ["mark"] else []
    missing = call(*verb, "acme:horn@1", *more, "--corpus", kb)
    assert (missing.code, "acme:horn@1 is stored" in missing.err) == (3, True)
    assert call("erase", "acme:lamp@1", "--corpus", kb).code == 0
    gone = call(*verb, "acme:lamp@1", *more, "--corpus", kb)
    assert (gone.code, "acme:lamp@1 was erased" in gone.err) == (3, True)


@pytest.mark.parametrize(("more", "option"), [([], "--record-key"), (["--record-key", "KEY"], "16 bytes")])
def test_a_log_that_cannot_be_written_is_told_in_options(kb, tmp_path, more, option):
    (tmp_path / "key").write_bytes(b"short")
    more = [tmp_path / "key" if each == "KEY" else each for each in more]
    done = call("ask", "How long can I return a bike?", "--corpus", kb, "--records", tmp_path / "new.db", *more)
    assert done.code == 2
    assert option in done.err
    assert "key=" not in done.err
    assert not (tmp_path / "new.db").exists()
    done = call(
        "ask", "How long can I return a bike?", "--corpus", kb, "--records", tmp_path / "new.db", "--plain-records"
    )
    assert done.code == 0


def test_a_device_is_no_log(kb):
    done = call("ask", "How long can I return a bike?", "--corpus", kb, "--records", "/dev/full", "--plain-records")
    assert done.code == 3
    assert "device" in done.err


@pytest.mark.parametrize("option", ["--effective-from", "--effective-to"])
def test_a_day_that_is_none_is_told_with_its_option(tmp_path, option):
    (tmp_path / "bell.md").write_text("# A bell\n\nIt rings.\n")
    for day in ("2030-13-01", "20300101", "tomorrow"):
        done = call("ingest", tmp_path / "bell.md", "--corpus", tmp_path / "days.db", option, day)
        assert (done.code, option in done.err) == (2, True)
    assert call("ingest", tmp_path / "bell.md", "--corpus", tmp_path / "days.db", option, "2030-12-01").code == 0


@pytest.mark.parametrize(
    ("statement", "code"), [("UPDATE block SET text = replace(text, '30', '90')", 1), ("DROP TABLE posting", 3)]
)
def test_what_a_damaged_corpus_needs_is_told_where_it_answers_nothing(kb, statement, code):
    ask = ("ask", "How long can I return a bike?", "--corpus", kb)
    assert "--check" not in call(*ask).err
    rows(kb, statement)
    done = call(*ask)
    assert (done.code, f"verified-gate status --corpus {kb} --check" in done.err) == (code, True)
    assert "90 days" not in done.err and "delivery" not in done.err


def test_that_there_is_no_such_file_is_told_and_not_that_it_cannot_be_read(kb):
    missing = call("status", "--corpus", kb.parent / "none.db")
    assert (missing.code, missing.out.splitlines()[0]) == (3, f"{kb.parent / 'none.db'}: there is no such file")
    kb.write_text("no database, but a text")
    assert "no such file" not in call("status", "--corpus", kb).out


def test_a_private_collection_without_a_document_is_told_since_its_name_may_be_misspelt(kb):
    done = call("private", "defualt", "--corpus", kb)
    assert (done.code, done.out, "defualt" in done.err) == (0, "private: defualt\n", True)
    assert call("private", "defualt", "--undo", "--corpus", kb).err == ""
    with CorpusStore.open(kb) as store:
        name = store.operator.documents()[0].collection
    assert call("private", name, "--corpus", kb).err == ""
