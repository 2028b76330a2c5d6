"""What the commands tell, and to whom: what to do next for people, the same members each time for programs."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.command_line import ROOT, call

LOCKED = ROOT / "tests" / "data" / "messy" / "pdf" / "libreoffice-writer-password.pdf"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    for name in "ab":
        (root / f"{name}.md").write_text(f"The {name} of the first text.\n")
    return root


@pytest.fixture
def kb(tmp_path):
    return tmp_path / "kb.db"


def test_programs_are_told_in_the_same_members_whether_anything_was_stored_or_not(folder, kb, tmp_path):
    bad, picture = tmp_path / "bad.md", tmp_path / "picture.xyz"
    bad.write_text("---\nid: [\n")
    picture.write_bytes(b"1")
    none = call("ingest", bad, "--corpus", kb, "--json")
    told = json.loads(none.out)
    (failed,) = told["failed"]
    assert (none.code, kb.exists(), sorted(failed)) == (3, False, ["code", "file", "why"])
    assert failed["file"].startswith(str(bad)) and str(bad) in none.err and str(bad) in told["error"]
    some = call("ingest", bad, folder, "--corpus", kb, "--json")
    assert (some.code, set(told) - {"error"}) == (3, set(json.loads(some.out)))
    assert json.loads(some.out)["failed"] == told["failed"]
    other = call("ingest", picture, "--corpus", tmp_path / "2.db", "--json")
    assert (other.code, json.loads(other.out)["documents"]) == (3, 0)
    assert [each["file"] for each in json.loads(other.out)["skipped"]] == [str(picture)]


def test_of_an_encrypted_file_the_option_is_told_that_opens_it(kb, tmp_path):
    shutil.copy(LOCKED, tmp_path / "locked.pdf")
    store = ("ingest", tmp_path / "locked.pdf", "--corpus", kb)
    draw = ("page", "locked.pdf", "1", "--corpus", kb, "--png", tmp_path / "p.png")
    refused = [call(*store), call(*store, "--password", "wrong")]
    assert call(*store, "--password", "openpassword").code == 0
    refused += [call(*draw), call(*draw, "--password", "wrong")]
    for done in refused:
        assert (done.code, "encrypted: " in done.err, "--password" in done.err) == (3, True, True), done.err
    assert call(*draw, "--password", "openpassword").code == 0


@pytest.mark.parametrize(("count", "told"), [(1, "1 fault:"), (2, "2 faults:")])
def test_faults_are_counted_in_words(kb, tmp_path, count, told):
    for number in range(count):
        (tmp_path / f"{number}.md").write_text("---\nid: [\n")
    done = call("ingest", *(tmp_path / f"{number}.md" for number in range(count)), "--corpus", kb)
    assert (done.code, f"nothing was stored; {told}" in done.err) == (3, True)


def test_a_rehearsal_says_that_documents_would_be_withdrawn_and_a_run_that_they_were(folder, kb):
    call("ingest", folder, "--corpus", kb)
    (folder / "b.md").unlink()
    ingest = ("ingest", folder, "--corpus", kb, "--prune")
    assert call(*ingest, "--dry-run").out.endswith(", would be withdrawn 1\n")
    assert call(*ingest).out.endswith(", withdrawn 1\n")


@pytest.mark.parametrize(
    ("name", "code"), [("p.jpg", 2), ("p.JPEG", 2), ("p.tiff", 2), ("p.png", 0), ("p", 0), ("p.v1", 0)]
)
def test_no_picture_is_written_under_the_name_of_another_kind(kb, tmp_path, name, code):
    call("ingest", LOCKED, "--password", "openpassword", "--corpus", kb)
    draw = ("page", LOCKED.name, "1", "--password", "openpassword", "--corpus", kb, "--png")
    done = call(*draw, tmp_path / name)
    assert (done.code, (tmp_path / name).exists(), "p.png" in done.err) == (code, code == 0, code == 2)


@pytest.mark.parametrize(
    ("arguments", "told", "asks"),
    [
        (["ask", "which", "law", "--corpus", "kb.db"], "arguments (law)", True),
        (["search", "which", "law", "applies", "--corpus", "kb.db"], "arguments (law applies)", True),
        (["mark", "a@1", "current", "again", "--corpus", "kb.db"], "arguments (again)", False),
        (["mark", "a@1", "foo", "--corpus", "kb.db"], "'foo' is not one of", False),
        (["ingest", "docs", "--admission", "foo", "--corpus", "kb.db"], "'foo' is not one of", False),
    ],
)
def test_wrong_usage_is_told_in_words_for_people(arguments, told, asks):
    done = call(*arguments)
    assert (done.code, told in done.err, "quotation marks" in done.err) == (2, True, asks)
    assert "Value error" not in done.err


def test_the_second_reader_of_receipts_tells_how_it_is_called():
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "verify_receipt.py"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, "RECEIPT TEXT" in done.stderr) == (1, "", True)
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "verify_receipt.py", LOCKED], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.partition(":")[0]) == (1, "not valid")
