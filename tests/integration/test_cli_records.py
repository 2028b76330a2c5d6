"""`ask --records`, `why`, `report`, `replay`, `receipt`, `export`, `erase --records`: records from the command line."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from tests.command_line import CORPUS, ROOT, call, run
from verified_gate.audit.records import RecordLog
from verified_gate.corpus.store import CorpusStore

QUESTION = "How long do I have to return a bike?"


@pytest.fixture
def log(tmp_path):
    return tmp_path / "records.db"


@pytest.fixture
def kb(tmp_path):
    """A store's file with a public document and one of tenant acme."""
    path = tmp_path / "kb.db"
    with CorpusStore.open(path) as store:
        store.add(
            "You can return a bike within 30 days of delivery.",
            document_id="returns",
            version="3",
            title="Returns policy",
        )
        store.add(
            "Staff return a bike within 90 days of delivery, says Quokka.",
            document_id="staff",
            version="1",
            title="Staff",
            tenant="acme",
        )
    return path


@pytest.fixture
def pair(tmp_path):
    private = ed25519.Ed25519PrivateKey.generate()
    secret, public = tmp_path / "key.pem", tmp_path / "key.pub"
    secret.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    public.write_bytes(
        private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    return secret, public


def asked(log, corpus=CORPUS, *more, question=QUESTION):
    """The answer as JSON; its record is in the log."""
    done = call("ask", question, "--corpus", corpus, "--records", log, "--plain-records", "--json", *more)
    answer = json.loads(done.out)
    assert f"recorded as {answer['record']}" in done.err
    return answer


def test_an_answer_is_recorded_replayed_and_receipted(log, tmp_path, pair):
    answer = asked(log)
    again = call("replay", answer["record"], "--records", log, "--corpus", CORPUS, "--json")
    assert (again.code, json.loads(again.out)["text"]) == (0, answer["text"])
    receipt, text, told = tmp_path / "r.json", tmp_path / "t.txt", tmp_path / "a.json"
    told.write_text(json.dumps(answer))
    assert (
        call(
            "receipt",
            "write",
            answer["record"],
            "--records",
            log,
            "--corpus",
            CORPUS,
            "--sign",
            pair[0],
            "--out",
            receipt,
        ).code
        == 0
    )
    assert call("export", "returns@3", "--corpus", CORPUS, "--out", text).code == 0
    verified = call("receipt", "verify", receipt, "--text", text, "--key", pair[1], "--answer", told)
    assert verified.code == 0
    assert verified.out.startswith("valid:")
    done = subprocess.run(
        [sys.executable, "-I", ROOT / "examples" / "verify_receipt.py", receipt, text],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "valid\n")
    text.write_bytes(text.read_bytes().replace(b"30 days", b"60 days"))
    changed = call("receipt", "verify", receipt, "--text", text, "--json")
    assert (changed.code, json.loads(changed.out)["code"]) == (1, "text_missing")
    done = subprocess.run(
        [sys.executable, "-I", ROOT / "examples" / "verify_receipt.py", receipt, text],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "not valid: text_missing\n")


def test_a_receipt_goes_to_standard_output_byte_for_byte(log, tmp_path):
    identity = asked(log)["record"]
    piped = run("receipt", "write", identity, "--records", log, "--corpus", CORPUS)
    assert json.loads(piped.out)["_type"] == "https://in-toto.io/Statement/v1"
    text = run("export", "returns@3", "--corpus", CORPUS)
    (tmp_path / "r").write_text(piped.out)
    (tmp_path / "t").write_bytes(text.out.encode())
    assert run("receipt", "verify", tmp_path / "r", "--text", tmp_path / "t").code == 0


def test_texts_are_hashed_under_the_key_of_the_operator(log, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(os.urandom(32))
    done = call("ask", QUESTION, "--corpus", CORPUS, "--records", log, "--record-key", key, "--json")
    identity = json.loads(done.out)["record"]
    assert b"How long" not in log.read_bytes()
    again = call("replay", identity, "--records", log, "--corpus", CORPUS, "--record-key", key)
    assert again.code == 0
    assert again.out.startswith("“You can return a bike within 30 days of delivery.” [1]")
    assert call("report", log, "--record-key", key).code == 0
    key.write_bytes(os.urandom(32))
    assert call("report", log, "--record-key", key).code == 3


@pytest.mark.parametrize("more", [[], ["--record-key", "short"]])
def test_a_log_needs_a_key_or_plain_records(log, tmp_path, more, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("short").write_text("x")
    done = call("ask", QUESTION, "--corpus", CORPUS, "--records", log, *more)
    assert (done.code, done.out) == (2, "")
    assert not log.exists()
    assert call("ask", QUESTION, "--corpus", CORPUS, "--plain-records").code == 2


def test_nothing_leaves_where_it_cannot_be_recorded(log):
    log.write_text("no log")
    done = call("ask", QUESTION, "--corpus", CORPUS, "--records", log, "--plain-records")
    assert done.code == 3
    assert "30 days" not in done.out


def test_why_tells_the_operator_and_the_reader_apart(log, kb):
    identity = asked(log, kb)["record"]
    base = ("why", identity, "--records", log)
    assert call(*base).code == 0
    assert call(*base, "--expect", "acme:staff", "--corpus", kb).out.startswith("not_permitted")
    assert call(*base, "--expect", "nothing", "--corpus", kb).out.startswith("not_ingested")
    hidden, missing = (
        call(*base, "--expect", name, "--corpus", kb, "--reader", "--json") for name in ("acme:staff", "nothing")
    )
    assert (hidden.code, hidden.out, hidden.err) == (missing.code, missing.out, missing.err)
    other, unknown = (
        call("why", name, "--records", log, "--corpus", kb, "--reader", "--tenant", "acme")
        for name in (identity, "0" * 32)
    )
    assert (other.code, other.out, other.err) == (unknown.code, unknown.out, unknown.err)
    assert other.code == 3
    told = json.loads(call(*base, "--json").out)
    assert (told["stage"], told["counts"]["released_claims"]) == ("released", 1)


@pytest.mark.parametrize("more", [["--reader"], ["--tenant", "acme"], ["--expect", " "]])
def test_why_refuses_what_makes_no_sense(log, kb, more):
    assert call("why", asked(log, kb)["record"], "--records", log, *more).code == 2


def test_a_forbidden_answer_replays_like_a_missing_one(log, kb, tmp_path):
    """(condition 44)"""
    identity = asked(log, kb, "--tenant", "acme", question="What do staff do within 90 days, says Quokka?")["record"]
    empty = tmp_path / "empty.db"
    CorpusStore.open(empty).close()
    for tenant in ([], ["--tenant", "other"]):
        for form in ([], ["--json"]):
            hidden, missing = (
                call("replay", identity, "--records", log, "--corpus", corpus, *tenant, *form) for corpus in (kb, empty)
            )
            assert (hidden.code, hidden.out, hidden.err) == (missing.code, missing.out, missing.err)
            assert hidden.code == 1
            assert "Quokka" not in hidden.out
    refused = call("receipt", "write", identity, "--records", log, "--corpus", kb)
    assert (refused.code, refused.out) == (1, "")


def test_export_is_for_readers_with_rights(kb):
    assert call("export", "returns@3", "--corpus", kb).out == "You can return a bike within 30 days of delivery."
    hidden, missing = (call("export", name, "--corpus", kb) for name in ("acme:staff@1", "nothing@1"))
    assert (hidden.code, hidden.out, hidden.err) == (missing.code, missing.out, missing.err)
    assert hidden.code == 1
    assert "Quokka" in call("export", "acme:staff@1", "--corpus", kb, "--tenant", "acme").out


def test_report_sums_up_and_tells_a_head(log, kb):
    asked(log, kb)
    asked(log, kb, question="What is a zebra?")
    done = call("report", log, "--json")
    told = json.loads(done.out)
    assert (done.code, told["records"], told["answers"]) == (0, 2, {"no_evidence": 1, "ok": 1})
    asked(log, kb)
    assert call("report", log, "--head", told["head"], "--corpus", kb).code == 0
    other = told["head"][:-1] + ("0" if told["head"][-1] != "0" else "1")
    assert call("report", log, "--head", other).code == 3
    assert call("report", log, "--head", "99:" + "0" * 64).code == 3
    assert call("report", log, "--head", "x").code == 2


def test_erasing_a_version_erases_it_in_the_log(log, kb, tmp_path):
    identity = asked(log, kb, "--tenant", "acme", question="What do staff do within 90 days, says Quokka?")["record"]
    assert b"Quokka" in b"".join(path.read_bytes() for path in tmp_path.glob("*db*"))
    assert call("erase", "acme:staff@1", "--corpus", kb, "--records", log).code == 0
    assert b"Quokka" not in b"".join(path.read_bytes() for path in tmp_path.glob("*db*"))
    assert call("why", identity, "--records", log).out.startswith("erased")
    assert call("report", log).code == 0
    assert call("replay", identity, "--records", log, "--corpus", kb, "--tenant", "acme").code == 1


@pytest.mark.parametrize("command", [["why"], ["replay", "--corpus", CORPUS], ["receipt", "write", "--corpus", CORPUS]])
def test_a_record_that_is_not_there_and_a_file_that_is_no_log_are_told(tmp_path, log, command):
    asked(log)
    name, *rest = [*command[:2], *command[2:]] if command[0] != "receipt" else ["receipt", *command[1:]]
    head = [name] if name != "receipt" else ["receipt", rest.pop(0)]
    for identity in ("0" * 32, "", "\x1b[2J", "x" * 5_000, "' OR 1=1 --"):
        done = call(*head, identity, "--records", log, *rest)
        assert (done.code, done.out) == (3, "")
        assert "\x1b" not in done.err
    other = tmp_path / "other"
    other.write_bytes(os.urandom(5_000))
    for path in (other, tmp_path, tmp_path / "missing"):
        assert call(*head, "0" * 32, "--records", path, *rest).code == 3


def test_hostile_receipts_keys_and_answers_end_in_a_sentence(tmp_path, log, pair):
    text = tmp_path / "t.txt"
    text.write_bytes(b"text")
    receipt = tmp_path / "r.json"
    for data in (b"", os.urandom(3_000), b"[" * 100_000, b'{"_type":"\x1b[2J"}', b" " * 5_000_000):
        receipt.write_bytes(data)
        done = call("receipt", "verify", receipt, "--text", text)
        assert done.code in (1, 3)
        assert "\x1b" not in done.out + done.err
    receipt.unlink()
    identity = asked(log)["record"]
    assert call("receipt", "write", identity, "--records", log, "--corpus", CORPUS, "--out", receipt).code == 0
    assert call("receipt", "verify", receipt, "--text", text, "--key", text).code == 1  # it is not signed at all
    assert call("receipt", "write", identity, "--records", log, "--corpus", CORPUS, "--sign", pair[1]).code == 3
    assert (
        call(
            "receipt", "write", identity, "--records", log, "--corpus", CORPUS, "--sign", pair[0], "--out", receipt
        ).code
        == 0
    )
    assert call("receipt", "verify", receipt, "--text", text, "--key", text).code == 3
    (tmp_path / "why.json").write_text(json.dumps({"stage": "retrieval", "codes": []}))
    for other in (text, receipt, tmp_path / "why.json"):
        assert call("receipt", "verify", receipt, "--text", text, "--answer", other).code == 3
    assert call("receipt", "verify", receipt, "--text", tmp_path / "missing").code == 3


def test_a_keyed_log_is_erased_in_with_its_key_and_stays_sound(log, kb, tmp_path):
    key, other = tmp_path / "key", tmp_path / "other"
    key.write_bytes(os.urandom(32))
    other.write_bytes(os.urandom(32))
    question = "What do staff do within 90 days, says Quokka?"
    ask = ("ask", question, "--corpus", kb, "--records", log, "--tenant", "acme", "--json")
    identity = json.loads(call(*ask, "--record-key", key).out)["record"]
    for wrong in ([], ["--record-key", other], ["--record-key", tmp_path / "missing"]):
        assert call("erase", "acme:staff@1", "--corpus", kb, "--records", log, *wrong).code == 3
        assert call("export", "acme:staff@1", "--corpus", kb, "--tenant", "acme").code == 0, "nothing was begun"
    assert call("erase", "acme:staff@1", "--corpus", kb, "--record-key", key).code == 2
    assert call("erase", "acme:staff@1", "--corpus", kb, "--records", log, "--record-key", key).code == 0
    assert call("why", identity, "--records", log, "--record-key", key).out.startswith("erased")
    assert call("report", log, "--record-key", key).code == 0


def test_an_answer_is_not_recorded_among_entries_of_another_key(log, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(os.urandom(32))
    asked(log)
    done = call("ask", QUESTION, "--corpus", CORPUS, "--records", log, "--record-key", key)
    assert (done.code, done.out) == (3, "")
    assert call("report", log).code == 0


def test_why_looks_at_signatures_where_it_is_given_the_key(log, tmp_path):
    key, other = tmp_path / "key", tmp_path / "other"
    key.write_bytes(os.urandom(32))
    other.write_bytes(os.urandom(32))
    done = call("ask", QUESTION, "--corpus", CORPUS, "--records", log, "--record-key", key, "--json")
    identity = json.loads(done.out)["record"]
    assert call("why", identity, "--records", log, "--record-key", key).code == 0
    assert call("why", identity, "--records", log, "--record-key", other).code == 3


def test_a_purpose_is_asked_again_of_who_replays_explains_exports_or_writes_a_receipt(log, tmp_path):
    kb = tmp_path / "kb.db"
    with CorpusStore.open(kb) as store:
        store.add("A bike can be returned for 99 days.", document_id="audit", version="1", purposes=["audit"])
    question = "How long can a bike be returned?"
    identity = asked(log, kb, "--purpose", "audit", question=question)["record"]
    commands = (
        ("replay", identity, "--records", log, "--corpus", kb),
        ("receipt", "write", identity, "--records", log, "--corpus", kb),
        ("export", "audit@1", "--corpus", kb),
        ("why", identity, "--records", log, "--corpus", kb, "--reader", "--expect", "audit"),
    )
    for command in commands:
        assert call(*command, "--purpose", "audit").code == 0
        for without in ([], ["--purpose", "billing"]):
            done = call(*command, *without)
            assert done.code == 1
            assert "99" not in done.out + done.err
    assert call(*commands[3][:4], "--purpose", "audit").code == 2


@pytest.mark.parametrize(
    "command",
    [
        ["why", "\udcff", "--records", "LOG"],
        ["why", "f", "--records", "LOG", "--expect", "\udcff"],
        ["replay", "\udcff", "--records", "LOG", "--corpus", CORPUS],
        ["replay", "f", "--records", "LOG", "--corpus", CORPUS, "--tenant", "\udcff"],
        ["replay", "f", "--records", "LOG", "--corpus", CORPUS, "--purpose", "\udcff"],
        ["receipt", "write", "\udcff", "--records", "LOG", "--corpus", CORPUS],
        ["receipt", "write", "f", "--records", "LOG", "--corpus", CORPUS, "--tenant", "a", "--group", "\udcff"],
        ["export", "\udcff", "--corpus", CORPUS],
        ["report", "LOG", "--head", "\udcff"],
        ["ask", QUESTION, "--corpus", CORPUS, "--tenant", "\udcff"],
        ["ask", QUESTION, "--corpus", CORPUS, "--tenant", "a", "--group", "\udcff"],
        ["search", "\udcff", "--corpus", CORPUS],
        ["mark", "\udcff@1", "revoked", "--corpus", "LOG"],
        ["erase", "\udcff@1", "--corpus", "LOG"],
    ],
)
def test_an_argument_that_is_not_utf_8_is_wrong_usage(log, command):
    asked(log)
    done = call(*[log if part == "LOG" else part for part in command])
    assert (done.code, done.out) == (2, "")
    assert "UTF-8" in done.err


def test_a_path_need_not_be_utf_8(tmp_path):
    log = tmp_path / os.fsdecode(b"log-\xff.db")
    identity = asked(log)["record"]
    assert run("why", identity, "--records", log).code == 0
    assert run("why", b"\xff", "--records", log).code == 2


def test_a_receipt_that_is_none_is_not_said_to_be_checked_without_a_key(tmp_path, pair):
    bad, text = tmp_path / "bad.json", tmp_path / "text"
    bad.write_text("{")
    text.write_text("text")
    with_key = call("receipt", "verify", bad, "--text", text, "--key", pair[1])
    without = call("receipt", "verify", bad, "--text", text)
    assert (with_key.code, without.code) == (1, 1)
    assert "no key was given" not in with_key.out
    assert "no key was given" in without.out
    assert json.loads(call("receipt", "verify", bad, "--text", text, "--key", pair[1], "--json").out)["signed"] is False


def test_a_named_pipe_and_a_device_are_no_key_and_what_a_shell_hands_over_is_one(log, tmp_path):
    pipe, key = tmp_path / "pipe", tmp_path / "key"
    os.mkfifo(pipe)
    key.write_bytes(os.urandom(32))
    assert call("ask", QUESTION, "--corpus", CORPUS, "--records", log, "--record-key", key).code == 0
    for path in (pipe, "/dev/zero"):
        assert run("report", log, "--record-key", path).code == 3
        assert run("receipt", "verify", path, "--text", key).code == 3
        assert run("receipt", "verify", key, "--text", path).code == 3
    assert run("report", log, "--record-key", "/dev/stdin", stdin=key.read_bytes()).code == 0


def forged(log, **changed):
    """Somebody with the whole file writes a record that names what does not exist."""
    with RecordLog.existing(log, read_only=False) as opened, opened._file.writing() as connection:
        bodies = [
            connection.execute("SELECT body FROM part WHERE sequence = 1 AND name = ?", (name,)).fetchone()[0]
            for name in ("summary", "payload")
        ]
        parts = [json.loads(body) for body in bodies]
        for name, value in {"claims": [], "cited": [], **changed}.items():
            parts[0][name] = value
        opened._append(connection, "answer", *(json.dumps(part).encode() for part in parts))


@pytest.mark.parametrize(
    "changed",
    [
        {"policy": {"profile": "none such"}},
        {"policy": {"scope": "world"}},
        {"code": "none such"},
        {"constraints": {"as_of": "tomorrow"}},
    ],
)
def test_a_record_that_no_run_can_have_made_is_counted_and_stops_no_report(log, changed):
    asked(log)
    forged(log, **changed)
    for more in ([], ["--corpus", CORPUS]):
        told = json.loads(call("report", log, "--json", *more).out)
        assert (told["records"], told["unreadable"], told["faults"]) == (1, 1, [])
        done = call("report", log, *more)
        assert done.code == 0
        assert "1 that no run can have made" in done.out


def test_faults_of_a_log_are_told_though_its_sums_cannot_be_made(log, tmp_path):
    asked(log)
    connection = sqlite3.connect(log)
    with connection:
        connection.execute("UPDATE entry SET at = 'long ago'")
    connection.close()
    done = call("report", log, "--corpus", tmp_path / "missing")
    assert done.code == 3
    assert "entry 1" in done.err
