"""The command line: each command is one call of the library, printed.

Comes in: arguments, files, the environment. Goes out: text on standard output, faults on standard error, and an exit
code: 0 released or done, 1 abstained or withheld, 2 wrong usage, 3 an operational fault (a file or a corpus that
cannot be read, a model server or a search that failed), 130 stopped by Ctrl-C. Nothing that a file or an argument holds
gives a traceback. Nothing imports it. Heavy modules are imported inside the commands, so that `--help` is quick. A command is a function
in a module of this folder, named below in the order of the help.
"""

import io
import os
import sys

try:
    from pathlib import Path

    from verified_gate.cli import asking, showing, paging, operating, lifecycle, recording  # isort: skip
    from verified_gate.cli import receipting, checking, contract, measuring  # isort: skip
    from verified_gate.cli.application import Exit, app, command_names
    from verified_gate.cli.terminal import tell
except KeyboardInterrupt:  # modules load for half a second, in which nothing is begun
    sys.stderr.write("verified-gate: stopped before anything was done\n")
    sys.exit(130)

__all__ = [
    "asking",
    "checking",
    "command_names",
    "contract",
    "lifecycle",
    "main",
    "measuring",
    "operating",
    "paging",
    "receipting",
    "recording",
    "showing",
]


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
    except SystemExit as end:  # the frame around commands takes Ctrl-C, as while it reads arguments, without a word
        if isinstance(getattr(end.__context__, "__cause__", None), KeyboardInterrupt):
            tell("stopped")
        raise
    except BrokenPipeError:  # the reader of the pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.WITHHELD)
    except KeyboardInterrupt:  # before a command began, or when it had ended: within one it is told there
        tell("stopped")
        sys.exit(130)
    except Exception as fault:  # noqa: BLE001  # a fault of ours: its message may hold a document's text
        tell(f"a fault of this program, please report it: {_place(fault)}")
        sys.exit(Exit.FAULT)


def _place(fault: Exception) -> str:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    return f"{type(fault).__name__}{where}"
