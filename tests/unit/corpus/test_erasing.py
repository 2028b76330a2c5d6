"""Erasing: what was stored of a version goes, byte by byte; a tombstone stays, and old citations find nothing."""

import random
import sqlite3
import string

import pytest

from tests.unit.corpus.documents import document
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Actor, ReasonCode, sha256_of_text
from verified_gate.model.errors import CorpusError, IngestError

WORD = "xyzzyplughgronk"
TEXT = f"The {WORD} clause ends the contract within 30 days."


def left(folder, word=WORD):
    """The files that hold the word, as it stands or in capitals."""
    needles = [word.encode(), word.upper().encode(), word.encode("utf-16-le")]
    return {path.name for path in folder.iterdir() if any(needle in path.read_bytes() for needle in needles)}


def filled(path, *, among=60):
    """A store with the word in text, title, heading and path, among others that were merged, replaced and removed."""
    chooser = random.Random(3)
    store = CorpusStore.open(path)
    for number in range(among):
        words = " ".join("".join(chooser.choices(string.ascii_lowercase, k=7)) for _ in range(40))
        store.add(f"# Part {number}\n\n{words}\n", document_id=f"d{number}", version="1")
        if number == among // 2:
            store.add(f"# On {WORD}\n\n{TEXT}\n", document_id="secret", version="1", title=f"A {WORD} title")
            store.add(f"# On {WORD}\n\n{TEXT} Twice.\n", document_id="secret", version="2", title=f"A {WORD} title")
    store.operator.remove("d3", "1")
    return store


def citation_of(store, key, actor=None):
    passage = store.passage(key, actor)
    return {
        "key": key,
        "quote": passage.text,
        "start": passage.start,
        "end": passage.start + len(passage.text),
        "passage_sha256": passage.sha256,
    }


def test_no_byte_of_an_erased_version_is_left_in_any_file(tmp_path):
    with filled(tmp_path / "kb.db") as store:
        assert left(tmp_path)
        assert len(store.search(WORD)) == 1
        before = [(hit.key, hit.score) for hit in store.search("Part 7")]
        result = store.operator.erase("secret", None)
        assert (result.erased, result.finished, result.detail) == (("secret@1", "secret@2"), True, "")
        assert left(tmp_path) == set()
        assert store.search(WORD) == []
        assert [hit[0] for hit in before] == [hit.key for hit in store.search("Part 7")]
        assert store.operator.status(check=True).faults == ()
    assert left(tmp_path) == set()
    assert (tmp_path / "kb.db").stat().st_size > 0


def test_one_version_is_erased_and_the_other_stays(tmp_path):
    with filled(tmp_path / "kb.db") as store:
        assert store.operator.erase("secret", "1").erased == ("secret@1",)
        assert [hit.key for hit in store.search(WORD)] == ["secret@2#c0"]
        assert store.passage("secret@1#c0") is None


@pytest.mark.code("unavailable")
def test_an_old_citation_is_unavailable_for_ever_and_its_name_is_not_given_again(tmp_path):
    """(conditions 48, 51) The same words under a new version are another citation."""
    with filled(tmp_path / "kb.db") as store:
        citation = citation_of(store, "secret@2#c0")
        pin = Pin("secret", "2", "secret@2#c0", citation["passage_sha256"])
        assert store.resolve(citation).status == "current"
        store.operator.erase("secret", None)
        assert store.resolve(citation).status == "unavailable"
        with pytest.raises(IngestError, match="erased"):
            store.add(f"# On {WORD}\n\n{TEXT} Twice.\n", document_id="secret", version="2", title=f"A {WORD} title")
        with pytest.raises(IngestError, match="erased"):
            store.add("Other words.", document_id="secret", version="2", replace=True)
        store.add(f"# On {WORD}\n\n{TEXT} Twice.\n", document_id="secret", version="3", title=f"A {WORD} title")
        assert store.resolve(citation).to_dict() == {"status": "unavailable", "citation": None, "current": None}
        assert store.disclose([pin]) == [ReasonCode.UNAVAILABLE]
        assert store.resolve(citation_of(store, "secret@3#c0")).status == "current"


def test_the_tombstone_keeps_the_hash_and_no_word(tmp_path):
    with filled(tmp_path / "kb.db") as store:
        sha256 = next(
            each.text_sha256 for each in store.documents() if each.version == "2" and each.title.startswith("A")
        )
        store.operator.erase("secret", None)
    connection = sqlite3.connect(tmp_path / "kb.db")
    rows = connection.execute("SELECT tenant, name, version, hex(text_sha256), finished FROM tombstone").fetchall()
    connection.close()
    assert [row[:3] for row in rows] == [("", "secret", "1"), ("", "secret", "2")]
    assert rows[1][3].lower() == sha256
    assert [row[4] for row in rows] == [1, 1]


def test_a_reader_of_an_older_snapshot_leaves_the_erasure_unfinished_and_it_is_finished_later(tmp_path):
    with filled(tmp_path / "kb.db") as store:
        reader = sqlite3.connect(tmp_path / "kb.db", isolation_level=None)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM document").fetchone() == (61,)
        result = store.operator.erase("secret", None, seconds=0.05)
        assert (result.finished, "holds the state before" in result.detail) == (False, True)
        assert store.search(WORD) == []  # it is gone to readers, though not from the disk
        assert store.operator.status().unfinished == ("secret@1", "secret@2")
        again = store.operator.finish_erasures(seconds=0.05)
        assert (again.erased, again.finished) == (("secret@1", "secret@2"), False)
        reader.execute("ROLLBACK")
        reader.close()
        assert store.operator.finish_erasures().finished
        assert left(tmp_path) == set()
        assert store.operator.status().unfinished == ()
        assert store.operator.finish_erasures() == type(again)((), finished=True)


class Log:
    """A record log that can fail."""

    def __init__(self):
        self.erased, self.broken = [], True

    def erase(self, documents):
        if self.broken:
            raise OSError(f"disk with {WORD}")
        self.erased += documents


def test_payloads_of_records_are_erased_too_and_asked_again_where_that_failed(tmp_path):
    log = Log()
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(TEXT, document_id="secret", tenant="acme", groups=["board"])
        result = store.operator.erase("secret", "1", tenant="acme", records=log)
        assert (result.finished, "OSError" in result.detail, WORD in result.detail) == (False, True, False)
        assert store.search(WORD, Actor("acme", {"board"})) == []
        log.broken = False
        assert store.operator.finish_erasures(records=log).finished
        assert log.erased == ["acme:secret@1"]


def test_an_erasure_whose_payloads_stand_is_finished_by_no_call_that_names_no_log(tmp_path):
    log = Log()
    with CorpusStore.open(tmp_path / "kb.db") as store:
        for name in ("a", "b", "c"):
            store.add(TEXT, document_id=name)
        assert not store.operator.erase("a", "1", records=log).finished
        assert store.operator.erase("b", "1").finished
        assert store.operator.status().unfinished == ("a@1",)
        assert not store.operator.finish_erasures().finished
        assert store.operator.status().unfinished == ("a@1",)
        log.broken = False
        assert store.operator.erase("c", "1", records=Log()).finished is False
        assert store.operator.finish_erasures(records=log).finished
        assert store.operator.status(check=True).unfinished == ()
        assert log.erased == ["a@1", "b@1", "c@1"]
        assert store.operator.status(check=True).faults == ()


def test_a_log_that_is_named_later_is_erased_in_later(tmp_path):
    log = Log()
    log.broken = False
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(TEXT, document_id="secret")
        assert store.operator.erase("secret", "1").finished
        assert log.erased == []
        assert store.operator.finish_erasures(records=log).finished
        assert log.erased == ["secret@1"]


def test_every_commit_is_flushed_to_the_disk_and_freed_bytes_are_overwritten(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(TEXT, document_id="secret")
        store.operator.erase("secret", "1")
        with store._database.reading() as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
            assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)


def test_what_is_not_stored_cannot_be_erased(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add_documents([document("open", "Shops open at nine.", tenant="acme")])
        for name, version, tenant in (("open", "1", None), ("open", "2", "acme"), ("shut", None, "acme")):
            with pytest.raises(CorpusError):
                store.operator.erase(name, version, tenant=tenant)
        assert store.operator.erase("open", None, tenant="acme").finished


@pytest.mark.parametrize("status", ["withdrawn", "revoked", "draft", "superseded"])
def test_a_denial_deletes_nothing(tmp_path, status):
    """(condition 52) Made current again, everything is as it was."""
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(TEXT, document_id="open")
        before = [(hit.key, hit.score, hit.passage) for hit in store.search("clause")]
        store.operator.set_status("open", "1", status)
        assert store.search("clause") == []
        assert store.operator.status(check=True).faults == ()
        store.operator.set_status("open", "1", "current")
        assert [(hit.key, hit.score, hit.passage) for hit in store.search("clause")] == before


def words(path, word=WORD):
    """Terms of the index that hold the word."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT term FROM posting WHERE instr(term, ?)", (word,)).fetchall()
    connection.close()
    return rows


def test_the_words_of_a_text_that_was_replaced_go_with_the_erasure_of_its_version(tmp_path):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(TEXT, document_id="a")
        store.add("Other words.", document_id="a", replace=True)
        assert words(tmp_path / "kb.db")
        assert store.operator.erase("a", None).finished
        assert (words(tmp_path / "kb.db"), left(tmp_path)) == ([], set())
        assert store.operator.status(check=True).faults == ()


@pytest.mark.parametrize("how", ["erase another", "finish"])
def test_what_a_removal_left_goes_with_any_erasure(tmp_path, how):
    with CorpusStore.open(tmp_path / "kb.db") as store:
        store.add(TEXT, document_id="a")
        store.add("A bike has a bell.", document_id="b")
        store.add("Shops open at nine.", document_id="c")
        store.operator.remove("a", "1")
        with sqlite3.connect(tmp_path / "kb.db") as connection:  # a text that lost its version
            connection.execute("INSERT INTO block SELECT max(id) + 9000000, ? FROM block", (TEXT,))
        connection.close()
        assert words(tmp_path / "kb.db")
        if how == "finish":
            assert store.operator.finish_erasures().finished
        else:
            assert store.operator.erase("b", "1").finished
        assert (words(tmp_path / "kb.db"), left(tmp_path)) == ([], set())
        assert [hit.key for hit in store.search("shops")] == ["c@1#c0"]
        assert store.operator.status(check=True).faults == ()


def test_a_corpus_in_memory_is_erased_too():
    with CorpusStore.in_memory() as store:
        store.add(TEXT, document_id="open")
        assert store.operator.erase("open", None).finished
        assert store.search("clause") == []
        assert sha256_of_text(TEXT)
