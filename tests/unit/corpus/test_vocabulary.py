"""What a run is asked before its postings are looked for: never less than it holds, and nothing of other runs."""

import sqlite3

import numpy as np
import pytest

from tests.unit.corpus.documents import document
from verified_gate import Actor, CorpusStore
from verified_gate.corpus import index
from verified_gate.corpus.layout import held_by
from verified_gate.corpus.vocabulary import Vocabulary, _packed, _unpacked, hashes_of

ACME = Actor("acme", {"g0", "g2"})


@pytest.fixture
def store(tmp_path):
    """Three audiences in one segment: the actor may read the first and the last."""
    with CorpusStore.open(tmp_path / "kb.db") as store:
        texts = {"g0": "A bike has a bell.", "g1": "A secret plan of a bike.", "g2": "A bike has a lamp."}
        store.add_documents(
            [document(f"d-{group}", text, tenant="acme", groups=[group]) for group, text in texts.items()]
        )
        yield store


def held(store, actor, *terms):
    with store._database.reading() as connection:
        layout = store._layout(connection)
        return held_by(connection, layout, layout.scope(actor), terms).tolist()


def test_a_run_says_what_it_holds_and_nothing_of_its_neighbours(store):
    assert held(store, ACME, "bike", "bell", "lamp", "secret", "absent") == [
        [True, True],
        [True, False],
        [False, True],
        [False, False],
        [False, False],
    ]


def test_who_may_read_all_of_a_segment_reads_its_postings_unasked(store):
    assert held(store, Actor("acme", {"g0", "g1", "g2"}), "secret", "absent") == [[True] * 3, [True] * 3]


def test_postings_are_not_looked_for_where_no_permitted_run_holds_the_term(store, monkeypatch):
    """(condition 7) Neither for a term of others nor for one of nobody: one walk would be longer than the other."""
    asked = []
    whole = index.json.dumps
    monkeypatch.setattr(index.json, "dumps", lambda value: asked.append(value) or whole(value))
    for term in ("secret", "absent"):
        assert store.search(term, ACME) == []
    assert [list(each.values()) for each in asked if isinstance(each, dict)] == [[[]], [[]]]
    asked.clear()
    assert [hit.key for hit in store.search("lamp", ACME)] == ["acme:d-g2@1#c0"]
    assert [len(runs) for each in asked if isinstance(each, dict) for runs in each.values()] == [1]


def test_a_hash_is_of_the_term_and_of_the_key_of_the_file():
    terms = ["bell", "bike", "bike", "Zürich", "自行车"]
    first, second = hashes_of(terms, 1), hashes_of(terms, 2)
    assert first[1] == first[2]
    assert len(set(first.tolist())) == len(set(second.tolist())) == 4
    assert not set(first.tolist()) & set(second.tolist())


def test_what_was_added_is_held_by_its_run_alone():
    vocabulary = Vocabulary(7, runs=2)
    vocabulary.add(["bell", "bike", "bike"], [1, 0, 1])
    vocabulary.add(["lamp"], [0])
    asked = hashes_of(["bell", "bike", "lamp"], 7)
    assert {run: _unpacked(prints).hold(asked).tolist() for run, prints in vocabulary.by_run()} == {
        0: [False, True, True],
        1: [True, True, False],
    }


@pytest.mark.parametrize("size", [1, 2, 1_000, 100_000])
def test_nothing_that_is_held_is_lost_and_few_others_are_looked_for(size):
    """Also where two prints lie farther apart than their steps can say."""
    vocabulary = Vocabulary(11, runs=2)
    terms = sorted(f"term{number}" for number in range(size))
    vocabulary.add(terms, [1] * size)
    ((run, blob),) = vocabulary.by_run()
    prints = _unpacked(blob)
    assert run == 1
    assert prints.hold(hashes_of(terms, 11)).all()
    others = hashes_of([f"other{number}" for number in range(20_000)], 11)
    assert np.count_nonzero(prints.hold(others)) <= 20
    assert len(blob) <= 2.1 * size + 4


def test_prints_that_lie_far_apart_are_reached_by_steps():
    hashes = np.append(np.arange(2**17), [2**31, 2**32 - 1]).astype(np.uint32)
    prints = _unpacked(_packed(hashes))
    assert prints.shift == 1
    assert prints.hold(hashes).all()
    assert not prints.hold(np.array([2**20 + 12_345, 2**30 + 12_345], dtype=np.uint32)).any()


def test_a_run_alone_in_its_segment_has_none():
    vocabulary = Vocabulary(7, runs=1)
    vocabulary.add(["bell"], [0])
    assert vocabulary.by_run() == []


def test_the_keys_of_two_files_differ(tmp_path):
    keys = set()
    for name in ("a", "b"):
        CorpusStore.open(tmp_path / name).close()
        connection = sqlite3.connect(tmp_path / name)
        keys.update(connection.execute("SELECT value FROM setting WHERE name = 'vocabulary'"))
        connection.close()
    assert len(keys) == 2
