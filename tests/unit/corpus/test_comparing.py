"""What is stored already, told apart from what another text, another label or another reader makes of it."""

import sqlite3
from dataclasses import replace

import pytest

from verified_gate.corpus.comparing import match
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.ingest.document import Rules
from verified_gate.ingest.extracted import Page
from verified_gate.ingest.formats.rules import name_of
from verified_gate.model import Location
from verified_gate.model.errors import IngestError

TEXT = "A bike has a bell. A horn is loud."
NOW, THEN = name_of("text"), "text rules 0"
READ = Document(
    "bikes.pdf",
    "1",
    TEXT,
    (Span(0, 18, Location(page=1)), Span(19, len(TEXT), Location(page=1), hidden=((2, 6),))),
    title="Bikes",
    file_sha256="f" * 64,
    reader=NOW,
    pages=(Page(1, 0, len(TEXT), "i"),),
)
OTHERWISE = {
    "text": {"text": TEXT.replace("loud", "LOUD")},
    "title": {"title": "Horns"},
    "language": {"lang": "en"},
    "coverage": {"coverage": "partial"},
    "spans": {"spans": READ.spans[:1]},
    "hidden words": {"spans": (READ.spans[0], replace(READ.spans[1], hidden=()))},
    "running lines": {"spans": (replace(READ.spans[0], furniture=((0, 6),)), READ.spans[1])},
    "places": {"spans": (replace(READ.spans[0], location=Location(("Bells",), page=1)), READ.spans[1])},
    "pages": {"pages": (Page(1, 0, len(TEXT), "ii"),)},
}
LABELS = {
    "collection": {"collection": "others"},
    "rules": {"rules": Rules(local_only=True)},
    "file": {"file_sha256": "e" * 64},
}


def state(stored, document):
    with CorpusStore.in_memory() as store:
        store.add_documents([stored])
        with store._database.reading() as connection:
            return match(connection, document).state


def test_the_same_by_the_same_reader_is_the_same():
    assert state(READ, READ) == "same"


@pytest.mark.parametrize("readers", [(THEN, NOW), (NOW, THEN)])
def test_the_same_by_another_reader_differs_by_its_name_alone(readers):
    assert state(replace(READ, reader=readers[0]), replace(READ, reader=readers[1])) == "renamed"


@pytest.mark.parametrize("what", OTHERWISE)
def test_another_reading_of_the_same_file_is_outdated_where_an_older_reader_gave_it(what):
    assert state(replace(READ, reader=THEN, **OTHERWISE[what]), READ) == "outdated"
    assert state(replace(READ, reader=f"{NOW}, and an OCR program", **OTHERWISE[what]), READ) == "changed"


@pytest.mark.parametrize("what", LABELS)
def test_other_labels_and_another_file_are_changed_whoever_read_it(what):
    for reader in (NOW, THEN):
        assert state(replace(READ, reader=reader, **LABELS[what]), READ) == "changed"


def test_a_text_that_was_no_file_is_changed_and_not_outdated():
    unread = replace(READ, file_sha256=None)
    assert state(replace(unread, reader=THEN, text=TEXT.upper()), unread) == "changed"
    assert state(replace(unread, reader=THEN), unread) == "renamed"


def test_adding_again_what_reads_otherwise_now_changes_nothing_and_is_told():
    with CorpusStore.in_memory() as store:
        store.add_documents([replace(READ, reader=THEN, text=TEXT.upper())])
        before = store.operator.documents()
        added = store.add_documents([READ])
        assert (added.documents, added.unchanged, added.outdated) == (0, 1, 1)
        assert store.operator.documents() == before
        assert store.operator.status().outdated == ("bikes.pdf@1",)
        added = store.add_documents([READ], replace=True)
        assert (added.replaced, added.outdated) == (1, 0)
        assert store.operator.status(check=True).outdated == ()
        with pytest.raises(IngestError):
            store.add_documents([replace(READ, text=TEXT.lower())])


def test_adding_again_what_reads_as_before_notes_the_reader_of_now():
    with CorpusStore.in_memory() as store:
        store.add_documents([replace(READ, reader=THEN)])
        added = store.add_documents([READ])
        assert (added.documents, added.unchanged, added.outdated) == (0, 1, 0)
        assert [each.reader for each in store.operator.documents()] == [NOW]
        state = store.operator.status(check=True)
        assert (state.condition, state.outdated, state.faults) == ("ready", (), ())


def test_a_record_that_was_changed_behind_our_back_is_not_made_good_by_another_reader(tmp_path):
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        store.add_documents([replace(READ, reader=THEN)])
    connection = sqlite3.connect(path)
    connection.execute("UPDATE document SET characters = characters - 1")
    connection.commit()
    connection.close()
    with CorpusStore.open(path) as store:
        store.add_documents([READ])
        assert store.operator.status(check=True).condition == "damaged"


def test_texts_that_were_handed_in_before_readers_had_names_are_not_told():
    with CorpusStore.in_memory() as store:
        store.add_documents([replace(READ, reader="", file_sha256=None)])
        store.add("A bell.", document_id="bell")
        assert store.operator.status().outdated == ()
        assert {each.reader for each in store.operator.documents()} == {"", name_of("markdown")}
