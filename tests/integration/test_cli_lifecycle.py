"""`mark`, `erase`, `private`, and what `ingest`, `search`, `ask` and `show` know of limits, from the command line."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from tests.command_line import call
from tests.pdf_files import BODY, build, shown
from verified_gate.corpus.store import CorpusStore

WORD = "quuxolitl"
TOMORROW = (datetime.now(UTC).date() + timedelta(days=1)).isoformat()


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "docs"
    made.mkdir()
    (made / "returns.md").write_text("# Returns\n\nYou can return a bike within 30 days of delivery.\n")
    return made


@pytest.fixture
def stored(folder, tmp_path):
    path = tmp_path / "kb.db"
    assert call("ingest", folder, "--corpus", path).code == 0
    return path


def found(path, *more, question="return a bike"):
    return [hit["key"] for hit in json.loads(call("search", question, "--corpus", path, *more, "--json").out)]


def ingested(tmp_path, text, *more, name="more.md"):
    (tmp_path / name).write_text(text)
    return call("ingest", tmp_path / name, "--corpus", tmp_path / "kb.db", *more)


def test_a_marked_version_is_disclosed_to_nobody_and_can_be_marked_again(stored):
    assert found(stored) == ["returns@1#c0"]
    done = call("mark", "returns@1", "revoked", "--corpus", stored)
    assert (done.code, done.out) == (0, "returns@1 is revoked\n")
    assert found(stored) == []
    assert call("show", "returns@1#c0", "--corpus", stored).code == 1
    assert json.loads(call("mark", "returns@1", "current", "--corpus", stored, "--json").out) == {
        "version": "returns@1",
        "status": "current",
    }
    assert found(stored) == ["returns@1#c0"]


def test_a_draft_is_put_in_force_by_marking_it(stored, tmp_path):
    text = "# Returns\n\nYou can return a bike within 60 days of delivery.\n"
    with CorpusStore.open(stored) as store:
        store.add(text, document_id="returns", version="2", status="draft")
    assert found(stored) == ["returns@1#c0"]
    assert call("mark", "returns@2", "current", "--corpus", stored).code == 0
    assert found(stored) == ["returns@2#c0"]
    assert ingested(tmp_path, "A lamp.", "--draft", name="lamp.md").code == 0
    assert found(stored, question="lamp") == []
    assert call("mark", "lamp@1", "current", "--corpus", stored).code == 0
    assert found(stored, question="lamp") == ["lamp@1#c0"]


def test_a_version_to_come_takes_the_place_of_none_that_is_in_force(stored, folder):
    (folder / "returns.md").write_text("# Returns\n\nYou can return a bike within 14 days of delivery.\n")
    for more in ([], ["--replace"]):
        done = call("ingest", folder, "--corpus", stored, "--effective-from", TOMORROW, *more)
        assert done.code == 3
        assert "draft" in done.err
        assert "--replace" not in done.err
        (hit,) = json.loads(call("search", "return a bike", "--corpus", stored, "--json").out)
        assert "30 days" in hit["text"]
    assert call("ingest", folder, "--corpus", stored, "--effective-from", TOMORROW, "--draft").code == 0
    assert found(stored) == ["returns@1#c0"]


def test_a_version_to_come_is_replaced_by_another_to_come(folder, tmp_path):
    path = tmp_path / "later.db"
    assert call("ingest", folder, "--corpus", path, "--effective-from", TOMORROW).code == 0
    (folder / "returns.md").write_text("# Returns\n\nYou can return a bike within 14 days of delivery.\n")
    assert call("ingest", folder, "--corpus", path, "--effective-from", TOMORROW, "--replace").code == 0
    assert "14 days" in json.loads(call("show", "returns@1#c0", "--corpus", path, "--json").out)["text"]


@pytest.mark.parametrize("name", ["returns", "returns@", "returns@1#c0", "a:b:returns@1", "", "re turns@1"])
def test_a_name_that_is_no_versions_is_wrong_usage(stored, name):
    assert call("mark", name, "revoked", "--corpus", stored).code == 2
    assert call("erase", name, "--corpus", stored).code == 2


def test_a_tenants_document_is_named_with_or_without_the_tenant(tmp_path):
    kb, folder = tmp_path / "kb.db", tmp_path / "docs"
    folder.mkdir()
    (folder / "leave.md").write_text("You may leave at noon on Friday.\n")
    assert call("ingest", folder, "--tenant", "acme", "--corpus", kb).code == 0
    for name in ("leave@1", "acme:leave@1"):
        done = call("mark", name, "withdrawn", "--corpus", kb)
        assert (done.code, done.out) == (0, "acme:leave@1 is withdrawn\n")
        assert call("export", name, "--tenant", "acme", "--corpus", kb).code == 1
        assert call("mark", name, "current", "--corpus", kb).code == 0
        assert call("export", name, "--tenant", "acme", "--corpus", kb).out == (folder / "leave.md").read_text()
        assert (
            call("export", name, "--corpus", kb).code == call("export", name, "--tenant", "b", "--corpus", kb).code == 1
        )
    assert call("ingest", folder, "--tenant", "globex", "--corpus", kb).code == 0
    for words in (("mark", "leave@1", "revoked"), ("erase", "leave@1"), ("erase", "leave", "--all-versions")):
        done = call(*words, "--corpus", kb)
        assert (done.code, "acme:leave" in done.err, "globex:leave" in done.err) == (3, True, True)
    assert call("ingest", folder, "--corpus", kb).code == 0
    assert call("mark", "leave@1", "revoked", "--corpus", kb).out == "leave@1 is revoked\n", (
        "the public one is called so"
    )
    assert call("erase", "globex:leave@1", "--corpus", kb).out == "erased: globex:leave@1\n"
    assert call("export", "leave@1", "--tenant", "acme", "--corpus", kb).code == 0


def test_a_page_of_a_tenants_document_is_drawn_by_either_name(tmp_path):
    kb, file = tmp_path / "kb.db", tmp_path / "lease.pdf"
    file.write_bytes(build(shown(BODY)))
    assert call("ingest", file, "--tenant", "acme", "--corpus", kb).code == 0
    for name in ("lease.pdf", "lease.pdf@1", "acme:lease.pdf", "acme:lease.pdf@1"):
        asked = ("page", name, "--corpus", kb, "--png", tmp_path / "p.png")
        assert (call(*asked, "--tenant", "acme").code, call(*asked).code) == (0, 1)
    assert call("page", "globex:lease.pdf", "--corpus", kb, "--tenant", "acme", "--png", tmp_path / "p.png").code == 1


def test_what_is_not_stored_is_told(stored, tmp_path):
    assert call("mark", "returns@9", "revoked", "--corpus", stored).code == 3
    done = call("erase", "returns@9", "--corpus", stored)
    assert (done.code, "no version returns@9 is stored" in done.err) == (3, True)
    assert call("erase", "lamp", "--all-versions", "--corpus", stored).code == 3
    assert call("erase", "--all-versions", "--corpus", stored).code == 2
    assert call("mark", "returns@1", "sold", "--corpus", stored).code == 2
    assert call("erase", "returns@1", "--corpus", tmp_path / "none.db").code == 3


def test_an_erased_version_leaves_no_byte_and_its_name_is_not_given_again(stored, tmp_path):
    """(condition 48)"""
    assert ingested(tmp_path, f"# {WORD}\n\nThe {WORD} is secret.\n", name=f"{WORD}.md").code == 0
    (tmp_path / f"{WORD}.md").rename(tmp_path / "again.txt")
    assert WORD.encode() in stored.read_bytes()
    done = call("erase", f"{WORD}@1", "--corpus", stored)
    assert (done.code, done.out) == (0, f"erased: {WORD}@1\n")
    assert b"secret" not in stored.read_bytes()
    assert call("erase", "--corpus", stored).out == "nothing was left to erase\n"
    assert ingested(tmp_path, "Other words.", name=f"{WORD}.md").code == 3
    assert json.loads(call("erase", "returns", "--all-versions", "--corpus", stored, "--json").out) == {
        "erased": ["returns@1"],
        "finished": True,
        "detail": "",
        "records": 0,
    }


def test_an_erasure_that_a_reader_holds_up_is_told_and_finished_later(stored):
    reader = sqlite3.connect(stored, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM document").fetchone()
    with CorpusStore.open(stored) as store:
        assert not store.operator.erase("returns", "1", seconds=0.05).finished
    told = call("status", "--corpus", stored)
    assert "returns@1" in told.out
    assert json.loads(call("status", "--corpus", stored, "--json").out)["unfinished"] == ["returns@1"]
    reader.execute("ROLLBACK")
    reader.close()
    assert call("erase", "--corpus", stored).out == "erased: returns@1\n"
    assert json.loads(call("status", "--corpus", stored, "--json").out)["unfinished"] == []


def test_a_private_collection_is_searched_only_where_it_is_named(stored, tmp_path):
    assert ingested(tmp_path, "The board may return a bike.", "--collection", "board").code == 0
    assert sorted(found(stored)) == ["more@1#c0", "returns@1#c0"]
    assert call("private", "board", "--corpus", stored).out == "private: board\n"
    assert found(stored) == ["returns@1#c0"]
    assert found(stored, "--only", "board") == ["more@1#c0"]
    assert found(stored, "--prefer", "board") == ["returns@1#c0"]
    assert found(stored, "--only", "board", "--only", "default", "--prefer", "board") == ["more@1#c0", "returns@1#c0"]
    assert json.loads(call("private", "--corpus", stored, "--json").out) == {"private": ["board"]}
    answer = json.loads(call("ask", "Who may return a bike?", "--corpus", stored, "--only", "board", "--json").out)
    assert [citation["key"] for citation in answer["citations"]] == ["more@1#c0"]
    assert call("show", "more@1#c0", "--corpus", stored).code == 0
    assert call("private", "board", "--undo", "--corpus", stored).out == "no collection is private\n"
    assert call("private", "a\nb", "--corpus", stored).code == 2


def test_a_document_with_purposes_is_read_for_these_alone(stored, tmp_path):
    """(condition 63)"""
    text = "A bike for sale can be returned within 7 days."
    assert ingested(tmp_path, text, "--purpose", "sales", "--purpose", "audit").code == 0
    key = "more@1#c0"
    asked = ("ask", "Within how many days can a bike for sale be returned?", "--corpus", stored, "--json")
    for limit, seen in (((), False), (("--purpose", "support"), False), (("--purpose", "audit"), True)):
        assert (key in found(stored, *limit, question="bike sale")) == seen
        assert call("show", key, "--corpus", stored, *limit).code == (0 if seen else 1)
        assert (key in call(*asked, *limit).out) == seen


def test_what_may_be_kept_is_said_at_ingest(tmp_path):
    """(condition 61)"""
    assert ingested(tmp_path, f"# On cycling\n\nThe {WORD} is good.\n", "--admission", "metadata_only").code == 0
    path = tmp_path / "kb.db"
    assert WORD.encode() not in path.read_bytes()
    assert found(path, question="cycling") == ["more@1#c0"]
    answer = json.loads(call("ask", "What is on cycling?", "--corpus", path, "--json").out)
    assert answer["citations"] == []
    assert ingested(tmp_path, "The paper praises lamps.", "--admission", "summary", name="sum.md").code == 0
    answer = json.loads(call("ask", "What does the paper praise?", "--corpus", path, "--json").out)
    assert [(each["admission"], "summary by a curator" in each["label"]) for each in answer["citations"]] == [
        ("summary", True)
    ]


def test_days_in_force_are_said_at_ingest_and_asked_for(tmp_path):
    path = tmp_path / "kb.db"
    assert ingested(tmp_path, "A bike of old.", "--effective-to", "2024-01-01").code == 0
    assert ingested(tmp_path, "A bike to come.", "--effective-from", TOMORROW, name="next.md").code == 0
    assert found(path, question="bike") == []
    assert found(path, "--as-of", "2023-06-01", question="bike") == ["more@1#c0"]
    assert found(path, "--as-of", TOMORROW, question="bike") == ["next@1#c0"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--effective-from", "tomorrow"],
        ["--effective-from", "2024-01-02", "--effective-to", "2024-01-01"],
        ["--purpose", ""],
        ["--admission", "half"],
    ],
)
def test_labels_that_make_no_sense_are_wrong_usage(tmp_path, wrong):
    assert ingested(tmp_path, "A bike.", *wrong).code == 2
    assert not (tmp_path / "kb.db").exists()


@pytest.mark.parametrize("wrong", [["--as-of", "soon"], ["--as-of", "2024-13-01"], ["--purpose", ""]])
def test_limits_that_make_no_sense_are_wrong_usage(stored, wrong):
    assert call("search", "bike", "--corpus", stored, *wrong).code == 2
    assert call("ask", "bike", "--corpus", stored, *wrong).code == 2


def test_a_file_that_cannot_be_read_now_is_no_empty_corpus(stored):
    """(condition 52)"""
    data = bytearray(stored.read_bytes())
    data[8192 : 2 * 8192] = b"\xff" * 8192
    stored.write_bytes(data)
    assert call("status", "--corpus", stored).code == 3
    assert call("status", "--corpus", stored, "--json").code == 3
