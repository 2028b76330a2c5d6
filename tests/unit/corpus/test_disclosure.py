"""May it leave now? Decided in the transaction that the question opens."""

import sqlite3

import pytest

from tests.unit.corpus.documents import document
from verified_gate.corpus.protocol import Pin, Store
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Actor, ReasonCode, sha256_of_text

TEXT = "You can return a bike within 30 days."


def pin(text=TEXT, key="returns@1#c0"):
    name, _, version = key.rpartition("#")[0].rpartition("@")
    return Pin(name.rpartition(":")[2], version, key, sha256_of_text(text))


@pytest.fixture
def store(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as made:
        made.add_documents(
            [document("returns", TEXT), document("plan", "The plan is tea.", tenant="acme", groups=["board"])]
        )
        yield made


def test_what_is_there_and_permitted_may_leave(store):
    board = pin("The plan is tea.", "acme:plan@1#c0")
    assert store.disclose([pin()]) == [None]
    assert store.disclose([pin(), board], Actor("acme", {"board"})) == [None, None]
    assert store.disclose([]) == []
    assert isinstance(store, Store)


@pytest.mark.parametrize(
    "wrong",
    [
        pin(key="returns@1#c1"),
        pin(key="returns@2#c0"),
        pin(key="missing@1#c0"),
        pin(key="acme:plan@1#c0"),
        pin(key="no key"),
        Pin("other", "1", "returns@1#c0", sha256_of_text(TEXT)),
        Pin("returns", "2", "returns@1#c0", sha256_of_text(TEXT)),
    ],
)
def test_what_is_gone_forbidden_or_misnamed_is_unavailable(store, wrong):
    """(conditions 44, 48)"""
    assert store.disclose([wrong, pin()], Actor("acme", {"sales"})) == [ReasonCode.UNAVAILABLE, None]


def test_a_newer_version_makes_the_delivered_one_superseded(store):
    store.add_documents([document("returns", "You can return a bike within 60 days.", version="2")])
    assert store.disclose([pin()]) == [ReasonCode.SUPERSEDED]
    assert store.disclose([pin()], statuses=["current", "superseded"]) == [None]


@pytest.mark.parametrize("status", ["withdrawn", "revoked", "draft"])
def test_a_revocation_committed_before_the_release_wins(store, status):
    """(condition 51)"""
    store.operator.set_status("returns", "1", status)
    assert store.disclose([pin()], statuses=["current", "superseded"]) == [ReasonCode.UNAVAILABLE]


def test_a_removed_document_is_unavailable(store):
    """(condition 48)"""
    store.operator.remove("returns", "1")
    assert store.disclose([pin()]) == [ReasonCode.UNAVAILABLE]
    assert store.search("return bike") == []


def test_another_text_under_the_same_version_is_source_changed(store):
    """(condition 46)"""
    store.add_documents([document("returns", "You can return a bike within 31 days.")], replace=True)
    assert store.disclose([pin()]) == [ReasonCode.SOURCE_CHANGED]
    assert store.disclose([pin("You can return a bike within 31 days.")]) == [None]


@pytest.mark.parametrize("change", ["replace(text, '30', '31')", "''", "CAST(x'ff' || substr(text, 2) AS TEXT)"])
def test_a_flipped_byte_in_the_store_is_an_integrity_failure(store, tmp_path, change):
    """(condition 7)"""
    with sqlite3.connect(tmp_path / "kb.db") as intruder:
        intruder.execute(f"UPDATE block SET text = {change} WHERE text LIKE '%30 days%'")
    intruder.close()
    assert store.disclose([pin()]) == [ReasonCode.INTEGRITY_FAILURE]
    assert (
        store.resolve(
            {"key": "returns@1#c0", "quote": TEXT, "start": 0, "end": len(TEXT), "passage_sha256": sha256_of_text(TEXT)}
        ).status
        == "source_changed"
    )


def test_the_decision_is_of_one_snapshot(store, tmp_path):
    """Both pins are judged before or both after a revocation, never one of each."""
    store.add_documents([document("care", "Keep it dry.")])
    pins = [pin(), pin("Keep it dry.", "care@1#c0")] * 50

    def revoking(pins):
        for number, each in enumerate(pins):
            if number == 1:
                with CorpusStore.open(tmp_path / "kb.db") as other:
                    other.operator.set_status("returns", "1", "revoked")
            yield each

    assert store.disclose(revoking(pins)) == [None] * 100
    assert store.disclose(pins) == [ReasonCode.UNAVAILABLE, None] * 50
