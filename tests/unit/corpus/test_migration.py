"""A file of an older schema is brought up to date when it is opened for writing, and nothing in it changes."""

import gzip
import sqlite3
from pathlib import Path

import pytest

from verified_gate import Actor, CorpusStore
from verified_gate.corpus.schema import SCHEMA_VERSION
from verified_gate.model.errors import CorpusError

OLD = Path(__file__).parents[2] / "data" / "corpus-v1" / "corpus.db.gz"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    return path


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return connection.execute("PRAGMA user_version").fetchone()[0]
    finally:
        connection.close()


def test_an_older_file_opens_checks_and_answers_as_before(old):
    assert version(old) == 1
    with CorpusStore.open(old) as store:
        status = store.operator.status(check=True)
        assert (status.condition, status.faults) == ("not-indexed", ())  # by a tokenizer of its time
        with pytest.raises(CorpusError, match="optimize"):
            store.search("return a bike")
        store.operator.rebuild()
        status = store.operator.status(check=True)
        assert (status.condition, status.faults) == ("ready", ())
        assert status.documents == {"current": 2, "superseded": 1, "withdrawn": 1}
        (hit,) = store.search("return a bike", limit=1)
        assert (hit.key, hit.passage.text) == ("returns@3#c0", "You can return a bike within 60 days of delivery.")
        assert store.search("secret margin") == []
        assert [hit.key for hit in store.search("secret margin", Actor("acme", groups={"finance"}))] == [
            "acme:margin@1#c0"
        ]
        store.add("Tyres are free of charge.\n", document_id="tyres")
    assert version(old) == SCHEMA_VERSION
    with CorpusStore.open(old) as store:
        assert store.operator.status(check=True).faults == ()


def test_the_tables_of_a_migrated_file_are_those_of_a_new_one(old, tmp_path):
    CorpusStore.open(old).close()
    CorpusStore.open(tmp_path / "new.db").close()

    def columns(path: Path) -> dict[str, set[tuple[object, ...]]]:
        connection = sqlite3.connect(path)
        try:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
            return {
                name: {row[1:] for row in connection.execute("SELECT * FROM pragma_table_info(?)", (name,))}
                for (name,) in names.fetchall()
            }
        finally:
            connection.close()

    made, new = columns(old), columns(tmp_path / "new.db")
    assert {table: {row[:3] for row in rows} for table, rows in made.items()} == {
        table: {row[:3] for row in rows} for table, rows in new.items()
    }


def test_the_indexes_of_a_migrated_file_are_those_of_a_new_one(old, tmp_path):
    CorpusStore.open(old).close()
    CorpusStore.open(tmp_path / "new.db").close()

    def indexes(path: Path) -> set[tuple[object, ...]]:
        connection = sqlite3.connect(path)
        try:
            return set(connection.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index'"))
        finally:
            connection.close()

    assert indexes(old) == indexes(tmp_path / "new.db")


def test_a_changed_table_is_found_in_a_migrated_file_and_in_a_new_one(old, tmp_path):
    CorpusStore.open(old).close()
    CorpusStore.open(tmp_path / "new.db").close()
    for path in (old, tmp_path / "new.db"):
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("CREATE TRIGGER evil AFTER INSERT ON document BEGIN DELETE FROM tombstone; END")
        connection.close()
        with CorpusStore.open(path) as store:
            assert "file" in {fault.place for fault in store.operator.status(check=True).faults}


def test_an_older_file_opened_read_only_says_what_to_do_and_stays_as_it_is(old):
    before = old.read_bytes()
    with pytest.raises(CorpusError, match="older schema"):
        CorpusStore.open(old, read_only=True)
    assert (old.read_bytes(), version(old)) == (before, 1)
