"""A file of a corpus that takes the place of another under an open store: nothing is remembered of the one for the other."""

import os
import threading

import pytest

from verified_gate import Actor, CorpusStore


@pytest.fixture
def replaced(tmp_path):
    """An open store of a file that was searched and then replaced by one with as many commits and other audiences."""
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with CorpusStore.open(old) as store:
        store.add("Public notice about bikes.", document_id="notice")
        store.add("Other note of acme about cars.", document_id="note", tenant="acme")
    with CorpusStore.open(new) as store:
        store.add("Secret plan of acme about bikes: 210 dollars.", document_id="secret", tenant="acme")
        store.add("Public notice about bikes.", document_id="notice")
    with CorpusStore.open(old, read_only=True) as store:
        for actor in (None, Actor("acme")):
            store.search("secret plan of acme about bikes", actor)
        os.replace(new, old)
        yield store


def found(store, actor):
    """What another thread finds, which opens a connection of its own."""
    keys = []
    thread = threading.Thread(target=lambda: keys.extend(hit.key for hit in store.search("secret bikes", actor)))
    thread.start()
    thread.join()
    return keys


def test_a_forbidden_document_of_the_new_file_is_not_found(replaced):
    assert found(replaced, None) == ["notice@1#c0"]


def test_whoever_may_read_it_finds_it(replaced):
    assert found(replaced, Actor("acme")) == ["acme:secret@1#c0", "notice@1#c0"]


def test_two_files_never_share_what_is_remembered_by(tmp_path):
    """Copies that went on apart have as many commits and other texts."""
    epochs = set()
    for name in "abc":
        with CorpusStore.open(tmp_path / name) as store:
            store.add(f"A text of {name}.", document_id="d")
            with store._database.reading() as connection:
                epochs.add(connection.execute("SELECT value FROM setting WHERE name = 'epoch'").fetchone()[0])
    assert len(epochs) == 3
