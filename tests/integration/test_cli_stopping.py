"""`ingest` of much: stopped on its way, watched on a terminal, and what of it is in memory."""

import gc
import json
import os
import pty
import re
import subprocess
import sys
import time

import pytest

from tests.command_line import ROOT, call
from tests.pdf_files import report
from verified_gate.cli import storing
from verified_gate.corpus import key, operator
from verified_gate.corpus.store import CorpusStore
from verified_gate.ingest import Readers, SourceDocument, gathering


@pytest.fixture
def kb(tmp_path):
    return tmp_path / "kb.db"


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    root.mkdir()
    for number in range(12):
        (root / f"d{number:02}.md").write_text(f"Bell number {number} weighs {number} grams.\n")
    return root


def stored(kb):
    with CorpusStore.open(kb) as store:
        return [each.document_id for each in store.operator.documents()]


def stop_after(monkeypatch, number):
    """Ctrl-C when so many files were read."""
    taken, seen = storing._taken, []

    def one(*arguments):
        if len(seen) == number:
            raise KeyboardInterrupt
        seen.append(1)
        return taken(*arguments)

    monkeypatch.setattr(storing, "_taken", one)


# ------------------------------------------------------------------------------------------------------------ stopped


@pytest.mark.parametrize("number", [1, 5])
def test_what_was_read_before_ctrl_c_is_stored_and_counted_and_the_same_command_goes_on(
    kb, folder, monkeypatch, number
):
    with monkeypatch.context() as patch:
        stop_after(patch, number)
        done = call("ingest", folder, "--corpus", kb)
    assert (done.code, done.out) == (130, "")
    assert re.findall(r"\d+", done.err.partition("stored")[0]) == [str(number)]
    assert stored(kb) == [f"d{each:02}" for each in range(number)]
    told = json.loads(call("ingest", folder, "--corpus", kb, "--json").out)
    assert (told["documents"], told["unchanged"]) == (12 - number, number)


def test_ctrl_c_before_anything_was_read_claims_nothing(kb, folder, monkeypatch):
    stop_after(monkeypatch, 0)
    done = call("ingest", folder, "--corpus", kb)
    assert (done.code, re.findall(r"\d+", done.err)) == (130, [])
    assert not kb.exists()


@pytest.mark.parametrize("words", [("ingest", "docs"), ("search", "bell"), ("status",)])
def test_ctrl_c_in_any_step_of_a_command_is_told_once_in_words(kb, folder, monkeypatch, words):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    assert call("ingest", folder, "--corpus", kb).code == 0
    for owner, name in ((key, "name_fault"), (CorpusStore, "open"), (operator, "status_of")):
        monkeypatch.setattr(owner, name, interrupted)
    given = [folder if each == "docs" else each for each in words]
    done = call(*given, "--corpus", kb, *(("--tenant", "acme") if words[0] == "ingest" else ()))
    assert (done.code, done.out) == (130, "")
    assert done.err.startswith("verified-gate: stopped") and len(done.err.splitlines()) == 1


def test_ctrl_c_in_a_dry_run_stores_nothing(kb, folder, monkeypatch):
    stop_after(monkeypatch, 5)
    assert call("ingest", folder, "--corpus", kb, "--dry-run").code == 130
    assert not kb.exists()


def test_ctrl_c_while_the_index_is_merged_stores_all_that_was_read_once(kb, folder, monkeypatch):
    def interrupted(store):
        raise KeyboardInterrupt

    monkeypatch.setattr(storing.Target, "merge", interrupted)
    monkeypatch.setattr(storing, "BATCH_DOCUMENTS", 5)
    done = call("ingest", folder, "--corpus", kb)
    assert (done.code, len(stored(kb))) == (130, 5)
    assert call("status", "--check", "--corpus", kb).code == 0


def test_what_was_read_is_stored_while_a_slow_file_is_waited_for(kb, folder, monkeypatch):
    monkeypatch.setattr(storing, "BATCH_SECONDS", 0.1)
    monkeypatch.setattr(gathering, "_PATIENCE", 0.05)
    load, seen = gathering.load, []

    def slow(path, name, root):
        if name == "d11.md":
            until = time.monotonic() + 30
            while len(seen) < 11 and time.monotonic() < until:
                time.sleep(0.05)
                seen[:] = stored(kb) if kb.exists() else []
        return load(path, name, root)

    monkeypatch.setattr(gathering, "load", slow)
    assert call("ingest", folder, "--corpus", kb).code == 0
    assert (len(seen), len(stored(kb))) == (11, 12)


# ------------------------------------------------------------------------------------------------------- on a terminal

SLOW = """
import sys, time
from verified_gate.cli import main, storing
from verified_gate.corpus.store import CorpusStore
def slow(owner, name):
    real = getattr(owner, name)
    def late(*arguments, **more):
        time.sleep(0.7)
        return real(*arguments, **more)
    setattr(owner, name, late)
slow(storing, "gather"), slow(storing.Target, "gone"), slow(storing.Target, "put"), slow(storing.Target, "merge")
slow(storing, "_taken"), slow(CorpusStore, "close")
storing.BATCH_DOCUMENTS = 2
sys.argv = ["", "ingest", *sys.argv[1:]]
main()
"""


def on_a_terminal(*arguments):
    """What is drawn on a terminal, frame by frame, without colours."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", SLOW, *map(str, arguments)]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        drawn = b""
        try:
            while data := os.read(ours, 65_536):
                drawn += data
        except OSError:  # the other side is closed
            pass
        out = process.stdout.read().decode()
    os.close(ours)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn.decode())
    return process.returncode, out, [frame.strip() for frame in re.split(r"[\r\n]+", plain) if frame.strip()]


def test_a_terminal_sees_each_step_and_that_it_goes_on(kb, folder):
    for each in list(folder.iterdir())[3:]:
        each.unlink()
    code, out, frames = on_a_terminal(folder, "--corpus", kb)
    assert (code, out) == (0, "3 documents stored (3 passages); 0 unchanged\n")
    steps = ("looking for files", "looking at what is stored", "reading", "storing", "merging the index", "finishing")
    for step in steps:
        assert len({frame for frame in frames if step in frame}) >= 3, f"{step} stands still"
    counts = [frame for frame in frames if "/3 files" in frame]
    assert {re.search(r"(\d)/3", frame).group(1) for frame in counts} >= {"0", "1", "2"}


# ----------------------------------------------------------------------------------------------------------- in memory


def test_of_files_that_wait_to_be_stored_only_what_is_stored_is_kept(kb, folder, monkeypatch):
    for number in range(40):
        (folder / f"r{number:02}.pdf").write_bytes(report(2, body=f"Bell number {number} weighs {number} grams."))
    put, held = storing.Target.put, []

    def counted(store, batch, told):
        held.append((len(batch), sum(isinstance(each, SourceDocument) for each in gc.get_objects())))
        return put(store, batch, told)

    monkeypatch.setattr(storing.Target, "put", counted)
    monkeypatch.setattr(storing, "BATCH_DOCUMENTS", 40)
    monkeypatch.setattr(storing, "BATCH_SECONDS", 1_000)
    gc.collect()
    before = sum(isinstance(each, SourceDocument) for each in gc.get_objects())
    assert call("ingest", folder, "--corpus", kb).code == 0
    assert [size for size, _ in held] == [40, 12]
    ahead = 2 * Readers().workers + 3
    assert max(number for _, number in held) - before <= ahead


LOADING = """
import os, runpy, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)
wanted, sys.argv[1:] = sys.argv[1], ["--version"]


class Finder:
    def find_spec(self, name, path, target=None):
        if name == wanted:
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, Finder())
runpy.run_module("verified_gate", run_name="__main__")
"""
"""Ctrl-C when a module begins to load."""


@pytest.mark.parametrize("module", ["pathlib", "typer", "verified_gate.cli.measuring", "verified_gate.gate.wording"])
def test_ctrl_c_while_modules_load_is_told_in_words(module):
    def load(name):
        command = [sys.executable, "-S", "-c", LOADING, name]
        path = os.pathsep.join([str(ROOT), *sys.path])
        return subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, timeout=60, check=False
        )

    stopped = load(module)
    assert (stopped.returncode, stopped.stdout) == (130, "")
    assert stopped.stderr.startswith("verified-gate: ") and "Traceback" not in stopped.stderr
    assert load("no.such.module").returncode == 0


@pytest.mark.parametrize("place", ["typer.main.get_command", "verified_gate.cli.application._make_utf8"])
def test_ctrl_c_before_a_command_begins_is_told_in_words(place):
    code = f"""
import signal, sys, typer
import verified_gate.cli
{place} = lambda *_: signal.raise_signal(signal.SIGINT)
sys.argv = ["", "status", "--corpus", "none"]
verified_gate.cli.main()
"""
    command = [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)" + code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("verified-gate: ") and "Traceback" not in done.stderr
