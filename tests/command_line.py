"""The command line under test: by subprocess, as a user meets it, and inside the process, which is quicker."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from verified_gate.cli.application import app

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "corpus"


@dataclass(frozen=True)
class Done:
    """What a command came to. `err` holds no traceback."""

    code: int
    out: str
    err: str


def environment_without_ours():
    return {name: value for name, value in os.environ.items() if not name.startswith("VERIFIED_GATE_")}


def run(*arguments, stdin="", **environment):
    """By subprocess."""
    done = subprocess.run(
        [sys.executable, "-m", "verified_gate", *map(os.fspath, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=ROOT,
        env=environment_without_ours() | environment,
        timeout=60,
        check=False,
    )
    error = done.stderr.decode("utf-8")
    assert "Traceback" not in error
    return Done(done.returncode, done.stdout.decode("utf-8"), error)


def call(*arguments, stdin="", **environment):
    """Inside the process. Whatever a command raises fails the test."""
    unset = {name: None for name in os.environ if name.startswith("VERIFIED_GATE_")}
    result = CliRunner().invoke(app, [os.fspath(a) for a in arguments], input=stdin, env=unset | environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Done(result.exit_code, result.stdout, result.stderr)
