"""The command line as a user meets it: by subprocess."""

import contextlib
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from tests.command_line import CORPUS, ROOT, call, run
from verified_gate import ReasonCode, __version__, cli, synthesis
from verified_gate.synthesis import SynthesisFailure

QUESTION = "How long do I have to return a bike?"
EVIDENCE = {
    "returns#c1": "You can return a bike within 30 days of delivery.",
    "warranty#c1": "The frame of a bike has a warranty of 5 years.",
}
HONEST = {"text": "You have 30 days.", "citations": [{"key": "returns#c1", "quote": "within 30 days of delivery"}]}
FALSE = {"text": "You have 90 days.", "citations": [{"key": "returns#c1", "quote": "within 90 days of delivery"}]}


# ------------------------------------------------------------------------------------------------------------------ ask


def test_ask_prints_the_answer_with_its_citation_and_exits_0():
    done = run("ask", QUESTION, "--corpus", CORPUS)
    assert (done.code, done.err) == (0, "")
    assert "within 30 days of delivery" in done.out
    assert "[1] Returns policy (Returning a bike, line" in done.out
    assert "[returns@3#c0]" in done.out


def test_ask_without_an_answer_says_where_was_looked_and_exits_1():
    done = run("ask", "What is the airspeed of an unladen swallow?", "--corpus", CORPUS)
    assert (done.code, done.err) == (1, "")
    assert "what you may read" in done.out
    assert "no_evidence" in done.out
    german = run("ask", "Wie schnell fliegt eine unbeladene Schwalbe?", "--corpus", CORPUS, "--lang", "de")
    assert german.code == 1
    assert "Sie lesen dürfen" in german.out


def test_ask_prints_json_that_holds_the_same():
    done = run("ask", QUESTION, "--corpus", CORPUS, "--json")
    answer = json.loads(done.out)
    assert done.code == 0
    assert (answer["code"], answer["is_grounded"]) == ("ok", True)
    (citation, *_) = answer["citations"]
    assert (citation["key"], citation["origin"], citation["version"]) == ("returns@3#c0", "store", "3")
    assert citation["quote"] in answer["text"]


def test_ask_answers_an_actor_from_what_the_flags_let_him_read():
    question = "Up to how much are goodwill payments to employees limited per case?"
    as_support = call("ask", question, "--corpus", CORPUS, "--tenant", "acme", "--group", "support", "--json")
    assert [c["key"] for c in json.loads(as_support.out)["citations"]] == ["acme:support-desk@7#c0"]
    for flags in ([], ["--tenant", "acme"], ["--tenant", "acme", "--group", "sales"], ["--tenant", "other"]):
        done = call("ask", question, "--corpus", CORPUS, "--json", *flags)
        assert all(c["document_id"] != "support-desk" for c in json.loads(done.out)["citations"])


def test_help_says_that_the_actor_flags_are_no_security_border():
    assert "no security border" in " ".join(run("ask", "--help").out.split())


# --------------------------------------------------------------------------------------------------------------- search


def test_search_lists_passages_and_exits_1_where_there_are_none():
    found = call("search", "return a bike", "--corpus", CORPUS, "--limit", "2")
    assert found.code == 0
    assert "[returns@3#c0]" in found.out
    assert found.out.count("\n    ") == 2
    nothing = call("search", "zzzzqqqq", "--corpus", CORPUS)
    assert nothing.code == 1
    assert "what this actor may read" in nothing.out
    listed = json.loads(call("search", "return a bike", "--corpus", CORPUS, "--limit", "2", "--json").out)
    assert len(listed) == 2
    assert {"key", "score", "title", "text", "first_line"} <= set(listed[0])


# --------------------------------------------------------------------------------------------------- contract and demo


def test_contract_prints_the_folds_in_force():
    assert "No folds" in run("contract").out
    wide = run("contract", "--profile", "extracted").out
    assert "  line-hyphen (" in wide
    assert "  elision (" not in wide
    terms = json.loads(run("contract", "--profile", "editorial", "--json").out)
    assert [step["number"] for step in terms["steps"]] == list(range(1, 11))
    assert terms["folds"][-1]["name"] == "elision"


def test_demo_is_a_command_too():
    done = run("demo")
    assert (done.code, done.err) == (0, "")
    assert done.out == (ROOT / "tests" / "golden" / "demo.txt").read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------------------- faults and surroundings


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["ask"],
        ["ask", QUESTION],
        ["ask", "", "--corpus", CORPUS],
        ["ask", " \n", "--corpus", CORPUS],
        ["ask", "x" * 20_000, "--corpus", CORPUS],
        ["ask", "nul \x01 inside", "--corpus", CORPUS],
        ["ask", QUESTION, "--corpus", CORPUS, "--limit", "0"],
        ["ask", QUESTION, "--corpus", CORPUS, "--limit", "many"],
        ["ask", QUESTION, "--corpus", CORPUS, "--profile", "fuzzy"],
        ["ask", QUESTION, "--corpus", CORPUS, "--group", "support"],
        ["ask", QUESTION, "--corpus", CORPUS, "--tenant", ""],
        ["ask", QUESTION, "--corpus", CORPUS, "--tenant", "acme", "--group", ""],
        ["contract", "--profile", ""],
        ["ask", QUESTION, "--corpus", CORPUS, "--lang", "xx"],
        ["check", "--evidence", "e", "--reply", "r", "--lang", "xx"],
        ["ingest", "--corpus", "x.db"],
        ["ingest", CORPUS, "--corpus", "x.db", "--group", "support"],
        ["ingest", CORPUS, "--corpus", "x.db", "--tenant", "a:b"],
        ["ingest", CORPUS, "--corpus", "x.db", "--collection", "\udcff"],
        ["ingest", CORPUS, "--corpus", "x.db", "--collection", ""],
        ["ingest", CORPUS, "--corpus", "x.db", "--lang", "\x1b"],
        ["show", "{", "--corpus", CORPUS],
        ["eval"],
        ["eval", "retrieval", "--corpus", CORPUS],
    ],
)
def test_wrong_usage_exits_2_with_a_message(arguments):
    done = call(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err


def test_a_corpus_that_cannot_be_read_exits_3_and_names_every_fault(tmp_path):
    (tmp_path / "good.md").write_text("A good document.")
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe bad")
    (tmp_path / "open.md").write_text("---\nid: x\nno end")
    done = call("ask", QUESTION, "--corpus", tmp_path)
    assert (done.code, done.out) == (3, "")
    assert "bytes.md" in done.err
    assert "open.md" in done.err
    for missing in (tmp_path / "missing", tmp_path / "good.md"):
        assert call("ask", QUESTION, "--corpus", missing).code == 3
    empty = tmp_path / "empty"
    empty.mkdir()
    assert call("search", "x", "--corpus", empty).code == 3


@pytest.mark.parametrize("command", [["ask", QUESTION, "--corpus", CORPUS], ["demo"]])
def test_a_model_server_that_is_not_configured_exits_3(command):
    done = run(*command, VERIFIED_GATE_LLM="1")
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1
    assert "VERIFIED_GATE_BASE_URL" in done.err


def test_a_model_server_that_fails_exits_3_with_the_detail():
    settings = {"LLM": "1", "BASE_URL": "http://127.0.0.1:9/v1", "MODEL": "m", "API_KEY": "sk-1", "DEADLINE": "40"}
    environment = {f"VERIFIED_GATE_{name}": value for name, value in settings.items()}
    done = run("ask", QUESTION, "--corpus", CORPUS, "--json", **environment)
    assert done.code == 3
    assert json.loads(done.out)["code"] == "provider_unavailable"
    assert "127.0.0.1:9 refused the connection" in done.err
    assert "sk-1" not in done.out + done.err


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("provider_unavailable", 3),
        ("rate_limited", 3),
        ("deadline_exceeded", 3),
        ("context_too_long", 3),
        ("model_abstained", 1),
        ("model_refused", 1),
        ("empty_reply", 1),
        ("truncated", 1),
    ],
)
def test_an_outage_exits_3_and_an_abstention_1_each_with_its_detail(code, exit_code, monkeypatch):
    class Fails:
        def synthesize(self, request):
            return SynthesisFailure(ReasonCode(code), "what the server said", attempts=2)

    monkeypatch.setattr(synthesis, "synthesizer_from_environment", lambda environment: Fails())
    done = call("ask", QUESTION, "--corpus", CORPUS)
    told = "" if code == "model_abstained" else f"verified-gate: {code}: what the server said; asked 2 times\n"
    assert (done.code, done.err) == (exit_code, told)
    assert code in done.out


def test_a_fault_of_our_own_gives_its_place_and_no_traceback_and_no_message(monkeypatch, capsys):
    def broken(**_):
        raise KeyError("text of a document")

    monkeypatch.setattr(cli, "app", broken)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 3
    assert re.search(r"KeyError at test_cli\.py:\d+\n$", capsys.readouterr().err)


def test_a_fault_is_told_to_the_reader_of_a_pipe_as_json(tmp_path):
    missing = call("ask", QUESTION, "--corpus", tmp_path / "missing", "--json")
    assert missing.code == 3
    assert "no such folder or file" in json.loads(missing.out)["error"]
    assert "no such folder or file" in missing.err
    empty = call("search", " ", "--corpus", CORPUS, "--json")
    assert (empty.code, list(json.loads(empty.out))) == (2, ["error"])


def test_drafts_and_files_that_were_not_read_are_told(tmp_path):
    (tmp_path / "good.md").write_text("# Bells\n\nA bell weighs 48 grams.\n")
    (tmp_path / "draft.md").write_text("---\nstatus: draft\n---\nA bell weighs 50 grams.\n")
    for name in ("a.pdf", "b.PDF", "c.docx", "Makefile"):
        (tmp_path / name).touch()
    done = call("search", "bell", "--corpus", tmp_path)
    assert (done.code, done.err) == (
        0,
        "verified-gate: 1 document is a draft; 4 files skipped (.docx: damaged, .pdf: damaged, no suffix)\n",
    )
    assert done.out == "1. Bells (lines 1-3) [good@1#c0]\n    Bells A bell weighs 48 grams.\n"


def test_the_version_is_told():
    assert call("--version").out == f"verified-gate {__version__}\n"


def test_a_reader_that_closes_the_pipe_early_is_no_fault():
    command = f"{sys.executable} -m verified_gate contract --profile editorial | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert done.stdout.startswith(b"Profile editorial")
    assert done.stderr == b""
    closed = f"{sys.executable} -m verified_gate contract --profile editorial --json | true"
    assert subprocess.run(closed, shell=True, capture_output=True, cwd=ROOT, timeout=60, check=False).stderr == b""


def test_a_pipe_gets_no_escape_sequences_not_even_those_of_a_document(tmp_path):
    evidence = {"a": "Press \x1b[31mthe red\x1b[0m button twice now."}
    claim = {"text": "Press it.", "citations": [{"key": "a", "quote": "button twice now."}]}
    for more in ([], ["--json"]):
        done = run("check", *_files(tmp_path, evidence, claim), *more, FORCE_COLOR="", TERM="xterm-256color")
        assert done.code == 0
        assert "\x1b" not in done.out


def _files(folder, evidence, *claims):
    (folder / "evidence.json").write_text(json.dumps(evidence))
    (folder / "reply.json").write_text(json.dumps({"claims": claims}))
    return "--evidence", folder / "evidence.json", "--reply", folder / "reply.json"


def _on_a_terminal(*arguments, **environment):
    """What a terminal of 80 columns receives."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    received = bytearray()
    process = subprocess.Popen(
        [sys.executable, "-m", "verified_gate", *map(os.fspath, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=other,
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")} | {"TERM": "xterm"} | environment,
    )
    os.close(other)
    with process, contextlib.suppress(OSError):  # Linux tells the end of a terminal by EIO
        while part := os.read(main, 65536):
            received += part
    os.close(main)
    return process.returncode, received.decode("utf-8")


def test_a_terminal_gets_colours_and_wrapped_lines_and_never_the_escape_sequences_of_a_document(tmp_path):
    hostile = {"a\x1b[31m": "Press the button twice now."}
    true = {"text": "Press it.", "citations": [{"key": "a\x1b[31m", "quote": "Press the button twice now."}]}
    code, shown = _on_a_terminal("check", *_files(tmp_path, hostile, true))
    assert code == 0
    assert "\x1b[32mreleased" in shown
    assert "a␛[31m" in shown
    assert "\x1b[31m" not in shown
    code, shown = _on_a_terminal("ask", "How long are frames guaranteed?", "--corpus", CORPUS)
    assert code == 0
    assert all(len(re.sub("\x1b\\[[0-9;]*m", "", line).rstrip("\r")) <= 80 for line in shown.split("\n"))
    assert "\r\n\r\n" in re.sub("\x1b\\[[0-9;]*m", "", shown)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colours_gets_none(environment):
    code, shown = _on_a_terminal("ask", QUESTION, "--corpus", CORPUS, **environment)
    assert code == 0
    assert "within 30 days" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "ascii"}]
)
def test_an_ascii_locale_gets_utf_8_and_no_crash(locale):
    done = run("search", "自転車のお手入れ", "--corpus", CORPUS, "--limit", "1", **locale)
    assert done.code == 0
    assert "自転車" in done.out


def test_an_argument_that_is_not_utf_8_gives_no_traceback():
    done = run("search", b"return \xff\xfe bike", "--corpus", CORPUS)
    assert done.code in (0, 1, 2)
    assert done.err or done.out


def test_help_does_not_import_what_it_does_not_need():
    code = (
        "import sys; from verified_gate.cli import app; "
        "print(sorted({'numpy', 'openai', 'pydantic', 'rich', 'sqlite3', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=60, check=True)
    assert done.stdout.decode().strip() == "[]"
