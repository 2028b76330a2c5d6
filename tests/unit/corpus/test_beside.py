"""The check of a large file: its postings by another process, with the same outcome."""

import sqlite3

import pytest

from verified_gate import CorpusStore
from verified_gate.corpus import beside

TEXT = "Bikes number {} may be returned within {} days of delivery."


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(beside, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        for number in range(5):
            store.add(TEXT.format(number, number * 7), document_id=f"d{number}")
    return path


def test_what_another_process_finds_in_the_postings_is_told(path):
    with CorpusStore.open(path) as store:
        assert store.operator.status(check=True).condition == "ready"
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM posting WHERE term = 'bikes'")
    connection.commit()
    connection.close()
    with CorpusStore.open(path) as store:
        beside_us = store.operator.status(check=True)
    assert beside_us.condition == "damaged"
    assert any("postings do not have their hash" in fault.fault for fault in beside_us.faults)


def test_it_is_the_other_process_that_checks_and_where_it_fails_we_do(path, monkeypatch):
    asked = []
    told = beside.Beside.__call__

    def counted(self):
        asked.append(told(self))
        return asked[-1]

    monkeypatch.setattr(beside.Beside, "__call__", counted)
    with CorpusStore.open(path) as store:
        assert store.operator.status(check=True).condition == "ready"
        assert asked[0] is not None and asked[0][1] == []
        monkeypatch.setattr(beside, "_START", "raise SystemExit(1)")
        assert store.operator.status(check=True).condition == "ready"
        assert asked[1] is None
        connection = sqlite3.connect(path)
        connection.execute("DELETE FROM posting WHERE term = 'bikes'")
        connection.commit()
        connection.close()
        assert store.operator.status(check=True).condition == "damaged"


def test_what_was_read_of_another_snapshot_does_not_count(path, monkeypatch):
    monkeypatch.setattr(beside.Beside, "__call__", lambda _: (-5, [beside.Fault("segment 9", "none of this file")]))
    with CorpusStore.open(path) as store:
        assert store.operator.status(check=True).faults == ()
