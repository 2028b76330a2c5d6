"""What the commands tell, and to whom: what to do next for people, the same members each time for programs."""

import json
import shutil

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
        assert (done.code, "encrypted: " in done.err, "--password" in done.err) == (3, True, True)
    assert call(*draw, "--password", "openpassword").code == 0
