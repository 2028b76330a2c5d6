"""`status --check`: each byte that changed behind our back is found and its place named, or nothing that is stored changed."""

import random
import shutil
import sqlite3

import pytest

from tests.unit.corpus.documents import document
from verified_gate.corpus.schema import PAGE_SIZE
from verified_gate.corpus.store import CorpusStore
from verified_gate.model.errors import CorpusError

FLIPS = 400
TABLES = (
    *("setting", "sqlite_sequence", "audience", "document", "block", "passage", "page", "source"),
    *("private_collection", "tombstone", "segment", "placement", "run", "posting"),
)
"""All that is stored."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("checked") / "kb.db"
    chooser = random.Random(1)
    words = ["".join(chooser.choices("abcdefghijklmnop", k=6)) for _ in range(300)]
    with CorpusStore.open(path) as store:
        for number in range(12):
            texts = [" ".join(chooser.choices(words, k=60)) for _ in range(5)]
            made = document(
                f"d{number}",
                *texts,
                tenant=[None, "acme", "globex"][number % 3],
                groups=["board"] if number % 3 == 1 else [],
                collection=["default", "private"][number % 2],
            )
            store.add_documents([made])
        store.operator.set_private("private")
        store.operator.erase("d3", None)
        store.add("A bike has a bell.", document_id="bell", purposes="sale", effective_from="2026-01-01")
        store.add("A horn is loud.", document_id="gone", status="current")
        store.operator.set_status("gone", "1", "revoked")
        store.operator.optimize()
        assert store.operator.status(check=True).condition == "ready"
    return path


def dump(path):
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    try:
        return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES]
    finally:
        connection.close()


def checked(path):
    """The condition after a check, and the places it named; `refused` where the file does not open."""
    try:
        with CorpusStore.open(path) as store:
            status = store.operator.status(check=True)
    except CorpusError:
        return "refused", ["file"]
    return status.condition, [fault.place for fault in status.faults]


def test_each_flipped_bit_is_found_or_nothing_stored_changed(whole, tmp_path):
    """(condition 7)"""
    data = whole.read_bytes()
    stored = dump(whole)
    chooser = random.Random(17)
    path = tmp_path / "flipped.db"
    found = 0
    written = [offset for offset, byte in enumerate(data) if byte]  # most of the others are free space
    for _ in range(FLIPS):
        flipped = bytearray(data)
        offset = chooser.choice(written)
        flipped[offset] ^= 1 << chooser.randrange(8)
        path.write_bytes(flipped)
        condition, places = checked(path)
        if condition == "ready":
            assert dump(path) == stored, f"page {offset // PAGE_SIZE + 1}, byte {offset % PAGE_SIZE}"
        else:
            found += 1
            assert places or condition == "not-indexed"  # by another tokenizer, as a flipped setting says
        for left in tmp_path.glob("flipped.db-*"):
            left.unlink()
    assert found > FLIPS // 2


CHANGES = {
    "a letter of a text": ("UPDATE block SET text = replace(text, 'bell', 'cell')", "bell@1"),
    "a pin": ("UPDATE passage SET sha256 = zeroblob(32) WHERE position = 2", "d0@1#c2"),
    "a place": ("UPDATE passage SET paragraph = 7 WHERE document = 1 AND position = 2", "d0@1"),
    "hidden words": ("UPDATE passage SET hidden = '[[0, 3]]' WHERE document = 1 AND position = 2", "d0@1"),
    "a missing passage": ("DELETE FROM passage WHERE document = 1 AND position = 2", "d0@1"),
    "a purpose": ("UPDATE document SET purposes = '' WHERE name = 'bell'", "bell@1"),
    "local processing": ("UPDATE document SET local_only = 1 WHERE name = 'bell'", "bell@1"),
    "a day": ("UPDATE document SET effective_from = '' WHERE name = 'bell'", "bell@1"),
    "an admission": ("UPDATE document SET admission = 'summary' WHERE name = 'bell'", "bell@1"),
    "a collection": ("UPDATE document SET collection = 'default' WHERE name = 'd1'", "acme:d1@1"),
    "readers": ("UPDATE document SET audience = 1 WHERE name = 'd1'", "acme:d1@1"),
    "readers of a run": ("UPDATE run SET audience = 1", "segment"),
    "the end of a run": ("UPDATE run SET slots = slots + 1 WHERE number = (SELECT max(number) FROM run)", "segment"),
    "a table": ("CREATE TRIGGER evil AFTER INSERT ON document BEGIN DELETE FROM tombstone; END", "file"),
    "a lost setting": ("DELETE FROM setting WHERE name = 'schema'", "file"),
    "a status behind the index": ("UPDATE document SET status = 'withdrawn' WHERE name = 'bell'", "segment"),
    "a version made current": ("UPDATE document SET status = 'superseded' WHERE name = 'gone'", "document"),
    "a version that was withdrawn": ("UPDATE document SET status = 'draft' WHERE name = 'gone'", "document"),
    "a lost private collection": ("DELETE FROM private_collection", "private_collection"),
    "a lost tombstone": ("DELETE FROM tombstone", "tombstone"),
    "a lost count of tombstones": ("DELETE FROM setting WHERE name = 'sum tombstone'", "tombstone"),
    "a text of no version": ("INSERT INTO block VALUES (0, 'A bell.')", "block"),
    "a text of no version behind all": ("INSERT INTO block VALUES (1 << 60, 'A bell.')", "block"),
    "postings of no segment": (
        "INSERT INTO posting SELECT 999, term, run, slots, counts FROM posting LIMIT 1",
        "segment 999",
    ),
    "counts": ("UPDATE run SET live = live - 1", "segment"),
    "lengths": ("UPDATE segment SET lengths = zeroblob(length(lengths))", "segment"),
    "an index entry": ("UPDATE posting SET slots = x'0700' WHERE term = 'bell'", "segment"),
    "a lost index entry": ("DELETE FROM posting WHERE term = 'bell'", "segment"),
    "a stale index entry": (
        "INSERT INTO posting SELECT segment, 'zzz', run, slots, counts FROM posting LIMIT 1",
        "segment",
    ),
    "a passage out of the index": ("DELETE FROM placement WHERE document = 1", "d0@1"),
    "a passage twice in the index": ("UPDATE placement SET position = 1 WHERE document = 1", "d0@1"),
    "a private collection": ("UPDATE private_collection SET name = 'privat'", "private collection privat"),
    "a tombstone": ("UPDATE tombstone SET version = '2'", "tombstone d3@2"),
    "a finished erasure": ("UPDATE tombstone SET finished = 0", "tombstone d3@1"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changed_is_named(whole, tmp_path, name):
    change, place = CHANGES[name]
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path, isolation_level=None)
    assert connection.execute(change).rowcount != 0
    connection.close()
    condition, places = checked(path)
    assert condition == "damaged"
    assert any(each.startswith(place) for each in places), places


def test_a_record_that_cannot_be_read_is_named_and_the_others_are_still_checked(whole, tmp_path):
    path = tmp_path / "changed.db"
    shutil.copy(whole, path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("UPDATE document SET effective_from = 'x' WHERE name = 'bell'")
    connection.execute("UPDATE passage SET sha256 = zeroblob(32) WHERE document = 1 AND position = 2")
    connection.close()
    condition, places = checked(path)
    assert condition == "damaged"
    assert {"d0@1#c2"} < set(places)
    assert any(each.startswith("document ") for each in places)


def test_a_corpus_that_cannot_be_read_now_is_unavailable_which_says_nothing_of_what_it_holds(whole, tmp_path):
    """(condition 52)"""
    path = tmp_path / "gone.db"
    shutil.copy(whole, path)
    with CorpusStore.open(path) as store:
        assert store.operator.status().condition == "ready"
    status = store.operator.status()
    assert (status.condition, status.documents) == ("unavailable", {})
    with CorpusStore.open(path) as store:
        assert store.operator.status(check=True).condition == "ready"


def test_the_words_for_the_state_of_a_corpus(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        assert store.operator.status().condition == "empty"
        store.add("A bike has a bell.", document_id="bell")
        assert store.operator.status().condition == "ready"
        store.add("", document_id="blank")
        assert store.operator.status().condition == "partial"
        store.operator.set_status("bell", "1", "revoked")
        assert store.operator.status().documents == {"current": 1, "revoked": 1}
    connection = sqlite3.connect(tmp_path / "kb.db", isolation_level=None)
    connection.execute("UPDATE setting SET value = 0 WHERE name = 'tokenizer'")
    connection.close()
    with CorpusStore.open(tmp_path / "kb.db") as store:
        assert store.operator.status().condition == "not-indexed"
