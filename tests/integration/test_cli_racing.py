"""Several processes that ingest at once: each file is stored once, and the text that lies in it is the one in force."""

import json
import subprocess
import sys
import time

import pytest

from tests.command_line import ROOT, call, environment_without_ours
from tests.pdf_files import BODY, build, shown
from verified_gate.cli import storing
from verified_gate.corpus.intake import document_of
from verified_gate.corpus.store import CorpusStore

TOGETHER = """
import os, sys, time
from pathlib import Path
from verified_gate.cli import main
from verified_gate.cli.target import Target

gate, number, sys.argv[1:] = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
put = Target.put

def together(*arguments):
    (gate / str(os.getpid())).touch()
    until = time.monotonic() + 60
    while len(list(gate.iterdir())) < number and time.monotonic() < until:
        time.sleep(0.01)
    return put(*arguments)

Target.put = together
main()
"""
"""A command that stores when so many processes have read what they are to store."""

ADDING = """
import sys, time
from pathlib import Path
from verified_gate import CorpusStore
from verified_gate.model.errors import IngestError

gate, mine, kb, file, *texts = sys.argv[1:]
(Path(gate) / mine).touch()
while len(list(Path(gate).iterdir())) < 4:
    time.sleep(0.01)
with CorpusStore.open(kb) as store:
    for number, text in enumerate(texts, 1):
        try:
            print(store.add(text, document_id="policy", version=str(number)).documents)
        except IngestError:
            print("refused")
    print(store.add(Path(file), document_id="file").documents)
"""


@pytest.fixture
def kb(tmp_path):
    return tmp_path / "kb.db"


@pytest.fixture
def gate(tmp_path):
    made = tmp_path / "gate"
    made.mkdir()
    return made


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    (root / "lease.pdf").write_bytes(build(shown(BODY, y=500)))
    (root / "note.md").write_text("The first bell.\n")
    return root


def begun(code, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment_without_ours(),
    )


def ended(processes):
    """Exit code and output of each."""
    done = []
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert "Traceback" not in err and "fault of this program" not in err, err
        done.append((process.returncode, out))
    return done


def at_once(gate, number, *arguments):
    """So many processes of one command; what each tells."""
    codes, told = zip(*ended([begun(TOGETHER, gate, number, *arguments, "--json") for _ in range(number)]), strict=True)
    assert set(codes) == {0}, told
    return [json.loads(each) for each in told]


def versions(kb):
    with CorpusStore.open(kb) as store:
        assert store.operator.status(check=True).faults == ()
        return {f"{each.document_id}@{each.version}": str(each.status) for each in store.operator.documents()}


def read_by_an_older_reader(kb, folder, monkeypatch):
    from tests.integration.test_cli_reread import otherwise

    with monkeypatch.context() as then:
        then.setattr(storing, "document_of", lambda *given: otherwise(document_of(*given)))
        assert call("ingest", folder, "--corpus", kb).code == 0


def test_files_that_several_processes_read_again_at_once_become_one_new_version(kb, gate, folder, monkeypatch):
    read_by_an_older_reader(kb, folder, monkeypatch)
    told = at_once(gate, 3, "ingest", folder, "--corpus", kb, "--reread")
    assert versions(kb) == {
        "lease.pdf@1": "superseded",
        "lease.pdf@2": "current",
        "note@1": "superseded",
        "note@2": "current",
    }
    assert sum(each["documents"] for each in told) == 2
    assert sorted(len(each["read_otherwise"]) for each in told) == [0, 0, 2], "who stored them tells it"
    assert sum(each["unchanged"] for each in told) == 4


def test_files_that_several_processes_replace_at_once_are_replaced_once(kb, gate, folder, monkeypatch):
    read_by_an_older_reader(kb, folder, monkeypatch)
    told = at_once(gate, 3, "ingest", folder, "--corpus", kb, "--reread", "--replace")
    assert versions(kb) == {"lease.pdf@1": "current", "note@1": "current"}
    assert sorted(each["replaced"] for each in told) == [0, 0, 2]


@pytest.mark.parametrize("more", [(), ("--draft",), ("--replace",)])
def test_files_that_changed_become_one_version_whoever_stores_them_first(kb, gate, folder, more):
    assert call("ingest", folder, "--corpus", kb).code == 0
    (folder / "note.md").write_text("The second bell.\n")
    (folder / "new.md").write_text("The new bell.\n")
    told = at_once(gate, 3, "ingest", folder, "--corpus", kb, *more)
    expected = {
        (): {"note@1": "superseded", "note@2": "current", "new@1": "current"},
        ("--draft",): {"note@1": "current", "note@2": "draft", "new@1": "draft"},
        ("--replace",): {"note@1": "current", "new@1": "current"},
    }[more]
    assert versions(kb) == {"lease.pdf@1": "current", **expected}
    assert sorted(each["documents"] for each in told) == [0, 0, 2]


@pytest.mark.parametrize(
    ("texts", "code", "in_force"),
    [
        (["The second bell.\n"], 0, "second"),
        (["The second bell.\n", "The bell of now.\n"], 0, "now"),
        (["The bell of now.\n", "The second bell.\n"], 3, "now"),
    ],
    ids=["changed when it was read", "changed again", "changed back"],
)
def test_what_was_read_first_and_stored_last_takes_the_place_of_no_newer_text(kb, gate, folder, texts, code, in_force):
    """A process reads a file and is slow to store it; another one reads it again meanwhile, and stores it."""
    note = folder / "note.md"
    assert call("ingest", folder, "--corpus", kb).code == 0
    note.write_text("The bell of now.\n" if code else "The bell of then.\n")
    slow = begun(TOGETHER, gate, 2, "ingest", folder, "--corpus", kb, "--json")
    while not list(gate.iterdir()):
        assert slow.poll() is None
        time.sleep(0.01)
    for text in texts:
        note.write_text(text)
        assert call("ingest", folder, "--corpus", kb).code == 0
    if code:
        note.write_text("A text that nobody read.\n")
    (gate / "go").touch()
    ((done, out),) = ended([slow])
    told = json.loads(out)
    assert done == code
    assert (told["documents"], told["unchanged"], len(told["failed"])) == (0, 1 if code else 2, 1 if code else 0)
    found = call("search", "bell", "--corpus", kb).out
    assert ("second" if code else in_force) in found and "then" not in found
    assert call("ingest", folder, "--corpus", kb).code == 0
    assert note.read_text().split()[2] in call("search", "text bell", "--corpus", kb).out


def test_what_was_read_last_is_stored_whatever_another_process_stored_meanwhile(kb, gate, folder):
    note = folder / "note.md"
    assert call("ingest", folder, "--corpus", kb).code == 0
    note.write_text("The bell of now.\n")
    slow = begun(TOGETHER, gate, 2, "ingest", folder, "--corpus", kb, "--json")
    while not list(gate.iterdir()):
        assert slow.poll() is None
        time.sleep(0.01)
    note.write_text("The bell of then.\n")
    assert call("ingest", folder, "--corpus", kb).code == 0
    note.write_text("The bell of now.\n")
    (gate / "go").touch()
    ((done, out),) = ended([slow])
    assert (done, json.loads(out)["documents"]) == (0, 1)
    assert "now" in call("search", "bell", "--corpus", kb).out


def test_what_several_processes_add_at_once_is_stored_once(kb, gate, folder, tmp_path):
    texts = [["The bell rings."], ["The bell rings."], ["The bell rings."], ["The bell is silent.", "It rings again."]]
    with CorpusStore.open(kb):
        pass
    done = ended([begun(ADDING, gate, number, kb, folder / "note.md", *each) for number, each in enumerate(texts)])
    assert {code for code, _ in done} == {0}
    told = [out.split() for _, out in done]
    stored = sum(each[0] == "1" for each in told)
    assert stored == 1, "one text under one name and version"
    assert [each[-1] for each in told].count("1") == 1
    assert versions(kb)["file@1"] == "current"
    assert set(versions(kb)) == {"policy@1", "policy@2", "file@1"}
