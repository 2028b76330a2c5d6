"""`ask` against a model server on loopback: streams, their ends, and what a terminal shows meanwhile."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.command_line import CORPUS, ROOT, call, environment_without_ours
from tests.wire.server import PlayingServer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

QUESTION = "How long do I have to return a bike?"
LONG = ["You have 30 days. [1]", "It is about a bike. [2]", "Days of über-delivery 🚲. [3]"]


@pytest.fixture(scope="module")
def server():
    with PlayingServer() as playing:
        yield playing


def _ask(server, model, *flags, **environment):
    server.rewind()
    arguments = ("ask", QUESTION, "--corpus", CORPUS, "--model", model, "--base-url", server.base_url, *flags)
    return call(*arguments, **environment)


def test_a_stream_prints_claims_then_citations_as_footnotes_then_what_was_withheld(server):
    done = _ask(server, "long@9", "--stream")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:3] == LONG
    assert [line for line in lines if re.match(r"\[\d\] Returns policy ", line)] == [
        line for line in lines[3:] if line.startswith("[")
    ]
    assert sum(line.startswith("[") for line in lines) == 3
    assert lines[-1] == "(1 claim withheld: quote_mismatch)"
    whole = _ask(server, "long")
    assert whole.out.splitlines()[0] == " ".join(LONG)
    assert whole.out.splitlines()[1:] == lines[3:]


def test_a_stream_as_json_is_one_event_a_line(server):
    done = _ask(server, "long@9", "--stream", "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert [event["event"] for event in events] == [
        "evidence", "claim", "refused", "claim", "refused", "withheld", "claim", "done",
    ]  # fmt: skip
    assert events[-1]["answer"] == json.loads(_ask(server, "long", "--json").out)


def test_a_claim_is_printed_while_the_model_still_writes(server):
    server.go_on.clear()
    arguments = ["ask", QUESTION, "--corpus", str(CORPUS), "--base-url", server.base_url, "--stream"]
    with subprocess.Popen(
        [sys.executable, "-m", "verified_gate", *arguments, "--model", "waits after a claim"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment_without_ours(),
    ) as process:
        assert process.stdout.readline().decode().strip() == "You have 30 days. [1]"
        assert process.poll() is None
        server.go_on.set()
        assert b"[1] Returns policy" in process.stdout.read()
    assert process.returncode == 0


def test_ctrl_c_stops_the_request_and_what_was_printed_stands(server):
    gone = server.gone
    arguments = ["ask", QUESTION, "--corpus", str(CORPUS), "--base-url", server.base_url, "--stream"]
    with subprocess.Popen(
        [sys.executable, "-m", "verified_gate", *arguments, "--model", "silent after a claim"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment_without_ours(),
    ) as process:
        assert process.stdout.readline().decode().strip() == "You have 30 days. [1]"
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert b"Traceback" not in error
    assert process.returncode != 0
    while server.gone == gone:
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("model", "code", "exit_code"),
    [
        ("breaks after a claim", "truncated", 1),
        ("stream: finish length", "truncated", 1),
        ("stream: an error in the middle", "provider_unavailable", 3),
    ],
)
def test_a_stream_that_breaks_says_so_under_what_was_released(server, model, code, exit_code):
    done = _ask(server, model, "--stream", VERIFIED_GATE_DEADLINE="4")
    assert done.code == exit_code
    if "error" not in model:
        assert done.out.splitlines()[0] == "You have 30 days. [1]"
        assert f"broke off here; what stands above is verified, but not the whole: {code})" in done.out
    assert code in done.err
    whole = _ask(server, model, VERIFIED_GATE_DEADLINE="4")
    assert (whole.code, "30 days" in whole.out) == (exit_code, False)


def test_a_stream_without_an_answer_abstains(server):
    for flags in ([], ["--model", "honest", "--base-url", server.base_url]):
        done = call("ask", "What is the airspeed of an unladen swallow?", "--corpus", CORPUS, "--stream", *flags)
        assert done.code == 1
        assert "no_evidence" in done.out or "nothing_verified" in done.out


def test_a_model_is_let_point_and_let_mend(server):
    before = len(server.requests)
    assert _ask(server, "honest", "--cite", "sentences").code == 1  # it quotes where it was to point
    assert _ask(server, "long", "--repair").code == 0
    pointing, first, second = [
        json.loads(request.partition(b"\r\n\r\n")[2])["messages"] for request in server.requests[before:]
    ]
    assert '<s n="1">' in pointing[1]["content"]
    assert [message["role"] for message in first] == ["system", "user"]
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert call("ask", QUESTION, "--corpus", CORPUS, "--cite", "words").code == 2


@pytest.mark.parametrize(
    "flags", [["--model", "m"], ["--base-url", "http://127.0.0.1:9/v1"], ["--base-url", "nowhere", "--model", "m"]]
)
def test_what_is_missing_of_a_model_server_is_named(flags):
    done = call("ask", QUESTION, "--corpus", CORPUS, *flags)
    assert done.code == 3
    assert "VERIFIED_GATE_" in done.err


@pytest.mark.parametrize("streaming", [True, False])
def test_a_terminal_sees_that_it_waits_and_a_pipe_does_not(server, streaming):
    main, other = pty.openpty()
    server.rewind()
    arguments = ["ask", QUESTION, "--corpus", str(CORPUS), "--base-url", server.base_url, "--model", "long@2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "verified_gate", *arguments, *(["--stream"] if streaming else [])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=other,
        cwd=ROOT,
        env=environment_without_ours() | {"TERM": "xterm"},
    )
    os.close(other)
    shown = bytearray()
    try:
        while part := os.read(main, 65536):
            shown += part
    except OSError:  # Linux tells the end of a terminal by EIO
        pass
    os.close(main)
    with process:
        out = process.stdout.read().decode()
    assert process.returncode == 0
    assert "reading what you may read" in shown.decode()
    assert "reading what" not in out
    assert LONG[0] in out


def test_the_budget_bounds_what_is_sent_and_a_small_one_sends_nothing(server):
    def sent(*flags):
        asked = len(server.requests)
        done = _ask(server, "honest", *flags)
        bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in server.requests[asked:]]
        return done.code, [len(body["messages"][1]["content"].partition("<question>")[0]) for body in bodies]

    code, (everything,) = sent()
    assert code == 0
    code, (some,) = sent("--budget", str(everything - 1))
    assert code == 0
    assert some < everything
    assert sent("--budget", "10") == (3, [])


@pytest.mark.parametrize("flags", [(), ("--stream",)])
def test_the_deadline_of_the_flag_ends_the_answer(server, flags):
    done = _ask(server, "never answers", "--deadline", "0.2", *flags, VERIFIED_GATE_DEADLINE="60")
    assert (done.code, "deadline_exceeded: " in done.err) == (3, True)
    environment = {"LLM": "1", "MODEL": "never answers", "BASE_URL": server.base_url, "DEADLINE": "60"}
    named = {f"VERIFIED_GATE_{name}": value for name, value in environment.items()}
    done = call("ask", QUESTION, "--corpus", CORPUS, "--deadline", "0.2", *flags, **named)
    assert (done.code, "deadline_exceeded: " in done.err) == (3, True)
    assert "deadline (" in _ask(server, "honest", "--deadline", "-1").err
    assert _ask(server, "honest", "--deadline", "30", *flags).code == 0


def test_a_proxy_that_cannot_be_used_is_told_by_its_variable_and_is_no_fault_of_the_program(server):
    flags = ("--model", "m", "--base-url", "https://model.test/v1")
    named = {"VERIFIED_GATE_API_KEY": "k", "ALL_PROXY": "socks5://127.0.0.1:1"}
    done = call("ask", QUESTION, "--corpus", CORPUS, *flags, **named)
    assert "ALL_PROXY" in done.err
    assert "report" not in done.err
    assert _ask(server, "honest", ALL_PROXY="socks5://127.0.0.1:1").code == 0
