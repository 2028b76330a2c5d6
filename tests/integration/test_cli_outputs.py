"""What an option that writes a file writes over: what it wrote itself, and nothing else."""

import json
import os

import pytest

from tests.command_line import call
from tests.pdf_files import BODY, build, shown

QUESTION = "When does the tenant pay the rent?"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def home(tmp_path):
    """A corpus, a record log with an answer, and files that are somebody's."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "lease.pdf").write_bytes(build(shown("Lease of the shop", y=700), shown(BODY, y=500)))
    (docs / "bike.md").write_text("A bike has two wheels.\n")
    assert call("ingest", docs, "--corpus", tmp_path / "kb.db").code == 0
    ask = ("ask", QUESTION, "--corpus", tmp_path / "kb.db", "--records", tmp_path / "log.db", "--plain-records")
    (tmp_path / "answer.json").write_text(call(*ask, "--json").out)
    (tmp_path / "notes.txt").write_text("What nobody has twice.\n")
    (tmp_path / "other.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    (tmp_path / "link").symlink_to("kb.db")
    os.link(tmp_path / "kb.db", tmp_path / "hard")
    return tmp_path


def writing(home, kind):
    kb = ("--corpus", home / "kb.db")
    record = json.loads((home / "answer.json").read_text())["record"]
    return {
        "page": ("page", "lease.pdf", "2", *kb, "--png"),
        "export": ("export", "bike@1", *kb, "--out"),
        "receipt": ("receipt", "write", record, "--records", home / "log.db", *kb, "--out"),
    }[kind]


KINDS = ("page", "export", "receipt")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name",
    ["kb.db", "log.db", "other.db", "link", "hard", "docs/lease.pdf", "docs/bike.md", "answer.json", "notes.txt"],
)
def test_a_file_of_another_kind_is_not_written_over(home, kind, name):
    before, beside = (home / name).read_bytes(), sorted(os.listdir(home))
    done = call(*writing(home, kind), home / name)
    assert (done.code, done.out) == (2, "")
    assert (home / name).read_bytes() == before
    assert {each.partition("-")[0] for each in os.listdir(home)} == {each.partition("-")[0] for each in beside}
    assert "name another file" in " ".join(done.err.split())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_what_sqlite_keeps_beside_a_corpus_is_not_made_by_another(home, kind, ending):
    was = (home / f"kb.db{ending}").exists()
    assert call(*writing(home, kind), home / f"kb.db{ending}").code == 2
    assert was or ending != "-journal" or not (home / f"kb.db{ending}").exists()
    assert call("status", "--check", "--corpus", home / "kb.db").code == 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_before_is_written_over_and_so_is_an_empty_file(home, kind):
    out = home / "out"
    assert call(*writing(home, kind), out).code == 0
    written = out.read_bytes()
    out.chmod(0o640)
    assert call(*writing(home, kind), out).code == 0
    assert (out.read_bytes(), out.stat().st_mode & 0o777) == (written, 0o640)
    out.write_bytes(b"")
    assert call(*writing(home, kind), out).code == 0
    assert out.read_bytes() == written
    (home / "to").symlink_to("out")
    assert call(*writing(home, kind), home / "to").code == 0
    assert ((home / "to").is_symlink(), out.read_bytes()) == (True, written)
    assert [name for name in os.listdir(home) if name.endswith(".part")] == []


def test_a_picture_of_another_page_and_the_text_of_another_version_are_written_over(home):
    (home / "p.png").write_bytes(PNG + b"whatever comes after")
    assert call(*writing(home, "page"), home / "p.png").code == 0
    assert len((home / "p.png").read_bytes()) > 1_000
    assert call(*writing(home, "export"), home / "text").code == 0
    (home / "docs" / "bike.md").write_text("A bike has three wheels.\n")
    assert call("ingest", home / "docs", "--corpus", home / "kb.db").code == 0
    assert call("export", "bike@2", "--corpus", home / "kb.db", "--out", home / "text").code == 0
    assert (home / "text").read_text() == "A bike has three wheels.\n"


def test_the_file_that_a_document_was_read_from_is_not_written_over_where_it_holds_what_would_be_written(home):
    (home / "elsewhere").symlink_to("docs")
    before = (home / "docs" / "bike.md").stat()
    for path in (home / "docs" / "bike.md", home / "elsewhere" / "bike.md"):
        assert call(*writing(home, "export"), path).code == 2
        assert call("export", "bike@1", "--corpus", home / "docs", "--out", path).code == 2
    assert (home / "docs" / "bike.md").stat().st_ino == before.st_ino
    assert call("export", "bike@1", "--corpus", home / "docs", "--out", home / "docs" / "new.md").code == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_where_no_file_can_be_is_told_as_ever(home, kind):
    for path in (home / "none" / "x", home / "docs"):
        assert call(*writing(home, kind), path).code == 3
    if os.geteuid() != 0:
        (home / "out").touch(0o400)
        assert call(*writing(home, kind), home / "out").code == 3
    assert call(*writing(home, kind), "/dev/null").code == 0


def test_a_corpus_and_a_log_are_made_of_no_other_file(home):
    for name in ("notes.txt", "docs/lease.pdf", "log.db", "other.db"):
        before = (home / name).read_bytes()
        assert call("ingest", home / "docs", "--corpus", home / name).code == 3
        assert (home / name).read_bytes() == before
    for name in ("notes.txt", "docs/lease.pdf", "kb.db", "other.db"):
        before = (home / name).read_bytes()
        ask = ("ask", QUESTION, "--corpus", home / "kb.db", "--plain-records", "--records", home / name)
        assert call(*ask).code == 3
        assert (home / name).read_bytes() == before


def test_export_asks_for_a_version_as_keys_begin(home):
    nameless = call("export", "bike", "--corpus", home / "kb.db")
    assert (nameless.code, "returns@3" in nameless.err) == (2, True)
    assert call("export", "bike@1", "--corpus", home / "kb.db").code == 0
