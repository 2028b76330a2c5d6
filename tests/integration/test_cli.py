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
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
QUESTION = "How long do I have to return a bike?"
EVIDENCE = {
    "returns#c1": "You can return a bike within 30 days of delivery.",
    "warranty#c1": "The frame of a bike has a warranty of 5 years.",
}
HONEST = {"text": "You have 30 days.", "citations": [{"key": "returns#c1", "quote": "within 30 days of delivery"}]}
FALSE = {"text": "You have 90 days.", "citations": [{"key": "returns#c1", "quote": "within 90 days of delivery"}]}


def run(*arguments, stdin="", **environment):
    return subprocess.run(
        [sys.executable, "-m", "verified_gate", *map(os.fspath, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("VERIFIED_GATE_")} | environment,
        timeout=60,
        check=False,
    )


def out(done):
    return done.stdout.decode("utf-8")


def err(done):
    text = done.stderr.decode("utf-8")
    assert "Traceback" not in text
    return text


@pytest.fixture
def files(tmp_path):
    def write(evidence=EVIDENCE, *claims):
        (tmp_path / "evidence.json").write_text(evidence if isinstance(evidence, str) else json.dumps(evidence))
        (tmp_path / "reply.json").write_text(json.dumps({"status": "answered", "claims": claims}))
        return "--evidence", tmp_path / "evidence.json", "--reply", tmp_path / "reply.json"

    return write


# ------------------------------------------------------------------------------------------------------------------ ask


def test_ask_prints_the_answer_with_its_citation_and_exits_0():
    done = run("ask", QUESTION, "--corpus", CORPUS)
    assert (done.returncode, err(done)) == (0, "")
    assert "within 30 days of delivery" in out(done)
    assert "[1] Returns policy (Returning a bike, line" in out(done)
    assert "[returns@3#c0]" in out(done)


def test_ask_without_an_answer_says_where_was_looked_and_exits_1():
    done = run("ask", "What is the airspeed of an unladen swallow?", "--corpus", CORPUS)
    assert (done.returncode, err(done)) == (1, "")
    assert "what you may read" in out(done)
    assert "no_evidence" in out(done)
    german = run("ask", "Wie schnell fliegt eine unbeladene Schwalbe?", "--corpus", CORPUS, "--lang", "de")
    assert german.returncode == 1
    assert "Sie lesen dürfen" in out(german)


def test_ask_prints_json_that_holds_the_same():
    done = run("ask", QUESTION, "--corpus", CORPUS, "--json")
    answer = json.loads(out(done))
    assert done.returncode == 0
    assert (answer["code"], answer["is_grounded"]) == ("ok", True)
    (citation, *_) = answer["citations"]
    assert (citation["key"], citation["origin"], citation["version"]) == ("returns@3#c0", "store", "3")
    assert citation["quote"] in answer["text"]


def test_ask_answers_an_actor_from_what_the_flags_let_him_read():
    question = "Up to how much are goodwill payments to employees limited per case?"
    as_support = run("ask", question, "--corpus", CORPUS, "--tenant", "acme", "--group", "support", "--json")
    assert [c["key"] for c in json.loads(out(as_support))["citations"]] == ["acme:support-desk@7#c0"]
    for flags in ([], ["--tenant", "acme"], ["--tenant", "acme", "--group", "sales"], ["--tenant", "other"]):
        done = run("ask", question, "--corpus", CORPUS, "--json", *flags)
        assert all(c["document_id"] != "support-desk" for c in json.loads(out(done))["citations"])


def test_help_says_that_the_actor_flags_are_no_security_border():
    assert "no security border" in " ".join(out(run("ask", "--help")).split())


# --------------------------------------------------------------------------------------------------------------- search


def test_search_lists_passages_and_exits_1_where_there_are_none():
    found = run("search", "return a bike", "--corpus", CORPUS, "--limit", "2")
    assert found.returncode == 0
    assert "[returns@3#c0]" in out(found)
    assert out(found).count("\n    ") == 2
    nothing = run("search", "zzzzqqqq", "--corpus", CORPUS)
    assert nothing.returncode == 1
    assert "what this actor may read" in out(nothing)
    listed = json.loads(out(run("search", "return a bike", "--corpus", CORPUS, "--limit", "2", "--json")))
    assert len(listed) == 2
    assert {"key", "score", "title", "text", "first_line"} <= set(listed[0])


# ---------------------------------------------------------------------------------------------------------------- check


def test_check_prints_a_line_a_citation_and_exits_0_where_all_was_released(files):
    done = run("check", *files(EVIDENCE, HONEST))
    assert (done.returncode, err(done)) == (0, "")
    released, summary = out(done).splitlines()
    assert released.split("  ")[:3] == ["released", "claims[0]", "returns#c1"]
    assert summary.endswith(": ok")


def test_check_prints_the_code_of_what_was_withheld_and_exits_1(files):
    done = run("check", *files(EVIDENCE, FALSE, HONEST))
    assert done.returncode == 1
    refused, released, _ = out(done).splitlines()
    assert refused.split("  ")[:3] == ["quote_mismatch", "claims[0].citations[0]", "returns#c1"]
    assert released.startswith("released")
    answer = json.loads(out(run("check", *files(EVIDENCE, FALSE, HONEST), "--json")))
    assert [refusal["code"] for refusal in answer["dropped"]] == ["quote_mismatch"]
    assert [citation["origin"] for citation in answer["citations"]] == ["caller"]


def test_check_reads_passages_with_pins_from_lines_of_json(files):
    passage = {
        "key": "a",
        "text": EVIDENCE["returns#c1"],
        "document_id": "returns",
        "title": "Returns",
        "start": 1200,
        "location": {"heading": ["Returning"], "first_line": 7, "last_line": 7},
    }
    claim = HONEST | {"citations": [{"key": "a", "quote": "within 30 days of delivery"}]}
    (citation,) = json.loads(out(run("check", *files(json.dumps(passage), claim), "--json")))["citations"]
    assert (citation["start"], citation["offsets"]) == (1222, "document")
    assert citation["label"] == "Returns (Returning, line 7) [a]"
    pinned = json.dumps(passage | {"sha256": "0" * 64})
    done = run("check", *files(pinned + "\n\n" + json.dumps(passage | {"key": "b"}), claim))
    assert done.returncode == 1
    assert out(done).startswith("integrity_failure")


def test_check_reads_one_of_its_files_from_standard_input(files):
    _, evidence, _, reply = files(EVIDENCE, HONEST)
    for arguments, piped in (
        (("--evidence", "-", "--reply", reply), evidence),
        (("--evidence", evidence, "--reply", "-"), reply),
    ):
        assert run("check", *arguments, stdin=piped.read_bytes()).returncode == 0
    assert run("check", "--evidence", "-", "--reply", "-").returncode == 2


def test_check_under_a_wider_profile_finds_what_verbatim_refuses(files):
    claim = HONEST | {"citations": [{"key": "returns#c1", "quote": "within  30\ndays of delivery"}]}
    assert run("check", *files(EVIDENCE, claim)).returncode == 1
    assert run("check", *files(EVIDENCE, claim), "--profile", "typographic").returncode == 0


@pytest.mark.parametrize(
    "reply",
    ["no json", "", "{", "[]", '{"status": "answered"}', '{"claims": 7}', '{"claims": []}', "\ufeff{}", "7" * 5000],
)
def test_check_of_an_unusable_reply_is_withheld_and_no_fault(files, tmp_path, reply):
    _, evidence, *_ = files()
    (tmp_path / "bad").write_text(reply)
    done = run("check", "--evidence", evidence, "--reply", tmp_path / "bad")
    assert (done.returncode, err(done)) == (1, "")
    assert out(done)


# --------------------------------------------------------------------------------------------------- contract and demo


def test_contract_prints_the_folds_in_force():
    assert "No folds" in out(run("contract"))
    wide = out(run("contract", "--profile", "extracted"))
    assert "  line-hyphen (" in wide
    assert "  elision (" not in wide
    terms = json.loads(out(run("contract", "--profile", "editorial", "--json")))
    assert [step["number"] for step in terms["steps"]] == list(range(1, 11))
    assert terms["folds"][-1]["name"] == "elision"


def test_demo_is_a_command_too():
    done = run("demo")
    assert (done.returncode, err(done)) == (0, "")
    assert out(done) == (ROOT / "tests" / "golden" / "demo.txt").read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------------------- faults and surroundings


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nothing"],
        ["ask"],
        ["ask", QUESTION],
        ["ask", "", "--corpus", "corpus"],
        ["ask", " \n", "--corpus", "corpus"],
        ["ask", "x" * 20_000, "--corpus", "corpus"],
        ["ask", "nul \x01 inside", "--corpus", "corpus"],
        ["ask", QUESTION, "--corpus", "corpus", "--limit", "0"],
        ["ask", QUESTION, "--corpus", "corpus", "--limit", "many"],
        ["ask", QUESTION, "--corpus", "corpus", "--profile", "fuzzy"],
        ["ask", QUESTION, "--corpus", "corpus", "--group", "support"],
        ["ask", QUESTION, "--corpus", "corpus", "--tenant", ""],
        ["ask", QUESTION, "--corpus", "corpus", "--tenant", "acme", "--group", ""],
        ["contract", "--profile", ""],
    ],
)
def test_wrong_usage_exits_2_with_a_message(arguments):
    done = run(*arguments)
    assert (done.returncode, out(done)) == (2, "")
    assert err(done)


@pytest.mark.parametrize(
    "evidence",
    [
        "",
        "not json",
        "[1, 2]",
        "7",
        '{"a": 1}',
        '{"key": "a", "text": 7}',
        '{"key": "a", "text": "b", "sha265": "misspelt"}',
        '{"key": "a", "text": "b", "start": -1}',
        '{"key": "a", "text": "b", "location": []}',
        '{"key": "a", "text": "b", "location": {"line": 1}}',
        '{"key": "a", "text": "b", "location": {"heading": "x"}}',
        '{"key": "a", "text": "b", "location": {"first_line": "1"}}',
        '{"key": "a", "text": "b", "sha256": 7}',
        '{"key": "a", "text": null}',
        "{}",
        '{"key": "a", "text": "b"}\n{"key": "a", "text": "c"}',
        '{"key": "a", "text": "b"}\n{"key": "c", "text": "c"',
        "[" * 100_000,
    ],
)
def test_evidence_that_cannot_be_read_exits_3_and_names_the_place(files, evidence):
    done = run("check", *files(evidence, HONEST))
    assert (done.returncode, out(done)) == (3, "")
    assert "evidence.json" in err(done)


@pytest.mark.parametrize("name", ["--evidence", "--reply"])
@pytest.mark.parametrize("fault", ["missing", "folder", "bytes"])
def test_a_file_that_cannot_be_read_exits_3(files, tmp_path, name, fault):
    arguments = list(files(EVIDENCE, HONEST))
    bad = tmp_path / fault
    if fault == "folder":
        bad.mkdir()
    if fault == "bytes":
        bad.write_bytes(b"\xff\xfe\x00")
    arguments[arguments.index(name) + 1] = bad
    done = run("check", *arguments)
    assert (done.returncode, out(done)) == (3, "")
    assert fault in err(done)


def test_a_corpus_that_cannot_be_read_exits_3_and_names_every_fault(tmp_path):
    (tmp_path / "good.md").write_text("A good document.")
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe bad")
    (tmp_path / "open.md").write_text("---\nid: x\nno end")
    done = run("ask", QUESTION, "--corpus", tmp_path)
    assert (done.returncode, out(done)) == (3, "")
    assert "bytes.md" in err(done)
    assert "open.md" in err(done)
    for missing in (tmp_path / "missing", tmp_path / "good.md"):
        assert run("ask", QUESTION, "--corpus", missing).returncode == 3
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("search", "x", "--corpus", empty).returncode == 3


def test_a_model_server_that_is_not_configured_exits_3():
    done = run("ask", QUESTION, "--corpus", CORPUS, VERIFIED_GATE_LLM="1")
    assert (done.returncode, out(done)) == (3, "")
    assert "VERIFIED_GATE_" in err(done)


def test_a_reader_that_closes_the_pipe_early_is_no_fault():
    command = f"{sys.executable} -m verified_gate contract --profile editorial | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert done.stdout.startswith(b"Profile editorial")
    assert done.stderr == b""
    closed = f"{sys.executable} -m verified_gate contract --profile editorial --json | true"
    assert subprocess.run(closed, shell=True, capture_output=True, cwd=ROOT, timeout=60, check=False).stderr == b""


def test_a_pipe_gets_no_escape_sequences_not_even_those_of_a_document(files):
    evidence = {"a": "Press \x1b[31mthe red\x1b[0m button twice now."}
    claim = {"text": "Press it.", "citations": [{"key": "a", "quote": "button twice now."}]}
    for more in ([], ["--json"]):
        done = run("check", *files(evidence, claim), *more, FORCE_COLOR="", TERM="xterm-256color")
        assert done.returncode == 0
        assert b"\x1b" not in done.stdout


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


def test_a_terminal_gets_colours_and_wrapped_lines_and_never_the_escape_sequences_of_a_document(files):
    hostile = {"a\x1b[31m": "Press the button twice now."}
    true = {"text": "Press it.", "citations": [{"key": "a\x1b[31m", "quote": "Press the button twice now."}]}
    code, shown = _on_a_terminal("check", *files(hostile, true))
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
    assert done.returncode == 0
    assert "自転車" in out(done)


def test_an_argument_that_is_not_utf_8_gives_no_traceback():
    done = run("search", b"return \xff\xfe bike", "--corpus", CORPUS)
    assert done.returncode in (0, 1, 2)
    assert err(done) or out(done)


def test_help_does_not_import_what_it_does_not_need():
    code = (
        "import sys; from verified_gate.cli import app; "
        "print(sorted({'numpy', 'openai', 'pydantic', 'rich', 'sqlite3', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=60, check=True)
    assert done.stdout.decode().strip() == "[]"
