"""`status --documents`: the versions of a store, for its operator."""

import json

import pytest

from tests.command_line import call, run
from tests.pdf_files import build, picture, report, shown
from verified_gate.corpus.store import CorpusStore
from verified_gate.corpus.tally import counted


@pytest.fixture
def kb(tmp_path):
    """A PDF of four pages, one of which not all could be read, and a text in two versions for a group."""
    folder, path = tmp_path / "docs", tmp_path / "kb.db"
    folder.mkdir()
    (folder / "long.pdf").write_bytes(report(4, body="Bells weigh a gram each."))
    (folder / "part.pdf").write_bytes(build(shown("Bells are round."), picture()))
    assert call("ingest", folder, "--corpus", path).code == 0
    for number in "12":
        (tmp_path / "margin.md").write_text(f"# Margin {number}\n\nThe margin is {number} dollars.\n")
        done = call("ingest", tmp_path / "margin.md", "--corpus", path, "--tenant", "acme", "--group", "sales")
        assert done.code == 0
    return path


def rows(out):
    lines = [line.split() for line in out.splitlines()]
    head = next(number for number, line in enumerate(lines) if line[:2] == ["VERSION", "STATUS"])
    return lines[head + 1 :]


def test_each_version_is_listed_with_what_was_read_of_it_and_for_whom_it_is(kb):
    done = run("status", "--documents", "--corpus", kb)
    assert done.code == 0
    assert rows(done.out) == [
        ["long.pdf@1", "current", "complete", "4", "everybody", "long"],
        ["part.pdf@1", "current", "partial", "2", "everybody", "part"],
        ["not", "read:", "page", "2:", "no", "text", "layer,", "page", "2:", "picture"],
        ["acme:margin@1", "superseded", "complete", "-", "acme:", "sales", "Margin", "1"],
        ["acme:margin@2", "current", "complete", "-", "acme:", "sales", "Margin", "2"],
    ]
    assert "VERSION" not in call("status", "--corpus", kb).out


def test_programs_get_the_same_and_the_labels_and_the_file(kb, tmp_path):
    told = json.loads(call("status", "--documents", "--corpus", kb, "--json").out)
    last = told["versions"][-1]
    assert [each["lost"] for each in told["versions"]] == [[], ["page 2: no text layer", "page 2: picture"], [], []]
    assert [each["version"] for each in told["versions"]][:2] == ["long.pdf@1", "part.pdf@1"]
    assert (last["version"], last["groups"], last["pages"], last["passages"]) == ("acme:margin@2", ["sales"], 0, 1)
    assert (last["file"], last["collection"], last["purposes"]) == (str(tmp_path / "margin.md"), "default", [])
    assert call("mark", last["version"], "withdrawn", "--corpus", kb).code == 0, "its name is what the verbs take"
    told = json.loads(call("status", "--corpus", kb, "--json").out)
    assert "versions" not in told and told["lost"] == {"part.pdf@1": ["page 2: no text layer", "page 2: picture"]}


def test_a_title_forges_no_line_and_reaches_no_terminal(tmp_path):
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        store.add("Words.", document_id="a", title="x\x1b[2J\nforged@1  current\u202e")
        store.add("Words.", document_id="b", title="plain")
    out = run("status", "--documents", "--corpus", path).out
    assert [line[0] for line in rows(out)] == ["a@1", "b@1"]
    assert not {"\x1b", "\u202e"} & set(out)
    told = run("status", "--documents", "--corpus", path, "--json").out
    assert not {"\x1b", "\u202e"} & set(told)
    assert json.loads(told)["versions"][0]["title"] == "x\x1b[2J\nforged@1  current\u202e"


def test_what_is_missing_is_told_in_few_words_and_reaches_no_terminal(kb):
    lost = ["rows\x1b[2J", "x" * 5_000, "a\u202eb", "more", "and more"]
    with CorpusStore.open(kb) as store, store._database.writing() as connection:
        outcome = "\n".join(["partial", *lost])
        with counted(connection, "source"):
            connection.execute("UPDATE source SET outcome = ? WHERE outcome LIKE 'partial%'", (outcome,))
    for more in ((), ("--documents",)):
        out = run("status", *more, "--corpus", kb).out
        assert "and 2 more" in out and not {"\x1b", "\u202e"} & set(out)
        assert len(out) < 2_000
    assert json.loads(run("status", "--corpus", kb, "--json").out)["lost"] == {"part.pdf@1": lost}


def test_what_is_missing_of_a_document_is_told_once(kb):
    for more in ((), ("--documents",)):
        out = call("status", *more, "--corpus", kb).out
        assert (out.count("no text layer"), "1 document was not completely read" in out) == (1, True)
    assert "part.pdf@1 (page 2: no text layer" in call("status", "--corpus", kb).out


def test_what_is_missing_of_a_file_that_was_not_ingested_is_told_from_its_pages(tmp_path):
    path, part = tmp_path / "kb.db", tmp_path / "part.pdf"
    part.write_bytes(build(shown("Bells are round."), picture()))
    with CorpusStore.open(path) as store:
        store.add(part)
    assert "part@1 (page 2: no text layer, page 2: picture)" in call("status", "--corpus", path).out.replace(
        "part.pdf@", "part@"
    )


def test_an_empty_store_lists_nothing(tmp_path):
    path = tmp_path / "kb.db"
    CorpusStore.open(path).close()
    done = call("status", "--documents", "--corpus", path)
    assert (done.code, "VERSION" in done.out) == (0, False)
    assert json.loads(call("status", "--documents", "--corpus", path, "--json").out)["versions"] == []
