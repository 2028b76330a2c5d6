"""The command line: each command is one call of the library, printed.

Comes in: arguments, files, the environment. Goes out: text on standard output, faults on standard error, and an exit
code: 0 released, 1 abstained or withheld, 2 wrong usage, 3 an operational fault (a bad file, a corpus that cannot be
read). Nothing that a file or an argument holds gives a traceback. Nothing imports it. Heavy modules are imported
inside the commands, so that `--help` is quick. A command is a function in a module of this folder, named below.
"""

import io
import os
import sys

from verified_gate.cli import asking, checking, contract
from verified_gate.cli.application import Exit, app, command_names

__all__ = ["asking", "checking", "command_names", "contract", "main"]


def main() -> None:
    """The entry point `verified-gate`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        try:
            app(prog_name="verified-gate")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of the pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.WITHHELD)
