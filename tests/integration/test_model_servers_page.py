"""What docs/model-servers.md shows runs as it stands, against the server on loopback."""

import re
import shlex

import pytest

from tests.command_line import CORPUS, ROOT, call
from tests.wire.server import PlayingServer
from verified_gate.synthesis.environment import VARIABLES

PAGE = (ROOT / "docs" / "model-servers.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
SHELL = [text for kind, text in BLOCKS if kind == ""]

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def server():
    with PlayingServer() as playing:
        yield playing


def _here(text, server):
    text = text.replace("http://127.0.0.1:8000/v1", server.base_url).replace("my-model", "long@9")
    return text.replace('CorpusStore.open("kb.db")', 'CorpusStore.from_directory("corpus")').replace(
        "kb.db", str(CORPUS)
    )


def test_the_python_of_the_page_runs(server, capsys):
    first, stream = (_here(text, server) for text in PYTHON)
    names = {}
    exec(first, names)
    assert capsys.readouterr().out.startswith("You have 30 days. [1] ")
    exec(stream.replace("long@9", "breaks after a claim"), names)
    assert capsys.readouterr().out == "You have 30 days. [1]\nbroke off: truncated\n"
    names["store"].close()


def test_the_command_of_the_page_runs(server):
    (line,) = (_here(text.replace("\\\n", " "), server) for text in SHELL)
    program, *arguments = shlex.split(line)
    assert program == "verified-gate"
    done = call(*arguments)
    assert (done.code, done.out.splitlines()[0]) == (0, "You have 30 days. [1]")


def test_every_variable_of_the_page_is_read():
    named = set(re.findall(r"VERIFIED_GATE_[A-Z_]+", PAGE))
    named |= {f"VERIFIED_GATE{name}" for name in re.findall(r"`(_[A-Z_]+)`", PAGE)}
    assert named <= set(VARIABLES.values())
    assert len(named) >= 7
