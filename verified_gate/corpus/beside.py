"""The postings of a large file checked by a process of its own, while texts are hashed here.

Both halves are work of the interpreter, so threads would take turns. What the other process tells counts only where it
read the same snapshot; where it fails in any way, the postings are checked here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from verified_gate.corpus.checking import Fault, epoch_of, posting_faults
from verified_gate.corpus.connection import Database
from verified_gate.retrieval.tokens import TOKENIZER_VERSION

WORTH_A_PROCESS: Final = 16_000_000
"""Bytes of a file; for a smaller one the process takes longer to begin than it saves."""
_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]);"
    " from verified_gate.corpus.beside import tell; tell(sys.argv[2])"
)


class Beside:
    """The process that checks the postings of `path`; called, it waits and gives the epoch and the faults."""

    def __init__(self, path: Path) -> None:
        paths = [entry or str(Path.cwd()) for entry in sys.path]
        self._process = subprocess.Popen(  # noqa: S603  # this interpreter, our own module
            [sys.executable, "-P", "-c", _START, json.dumps(paths), str(path.absolute())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __call__(self) -> tuple[int, list[Fault]] | None:
        """None where it did not come to an end."""
        told, _ = self._process.communicate()
        if self._process.returncode != 0:
            return None
        epoch, faults = json.loads(told)
        return epoch, [Fault(place, fault) for place, fault in faults]

    def stop(self) -> None:
        """End it, wherever it is."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def beside(database: Database) -> Beside | None:
    """A process for the postings of this corpus, where that is worth it."""
    path = database.path
    if path is None or not sys.executable or (os.cpu_count() or 1) < 2 or path.stat().st_size < WORTH_A_PROCESS:
        return None
    return Beside(path)


def tell(path: str) -> None:
    """In the process: check, and print what was found."""
    database = Database(Path(path), read_only=True, tokenizer=TOKENIZER_VERSION)
    with database.reading() as connection:
        told = [epoch_of(connection), [[each.place, each.fault] for each in posting_faults(connection)]]
    database.close()
    sys.stdout.write(json.dumps(told))
