"""The corpus file and what SQLite keeps beside it, as `ingest` meets them. Imported only when it runs."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from verified_gate.ingest.gathering import Found

_ENDINGS: Final = ("", "-wal", "-shm", "-journal")
"""What a corpus file and the files of SQLite beside it end with."""


def others(files: Sequence[Found], corpus: Path) -> list[Found]:
    """The files without the corpus itself and what SQLite keeps beside it."""
    own = {os.path.realpath(corpus) + suffix for suffix in _ENDINGS}
    names = {Path(path).name for path in own}
    # the links of a folder are followed by now: asking the disk for each of a million files would take its time
    suspects = (each.file.name in names or each.root is None for each in files)
    return [
        each
        for each, suspect in zip(files, suspects, strict=True)
        if not (suspect and os.path.realpath(each.file) in own)
    ]


@contextmanager
def without_traces(corpus: Path) -> Iterator[None]:
    """Whoever only reads a corpus makes files beside it and may not remove them; who may write does, at the end."""
    log = Path(os.path.realpath(corpus) + "-wal")
    before = log.exists()
    yield
    if not before and log.exists():
        with (
            suppress(sqlite3.Error),
            closing(sqlite3.connect(f"{corpus.absolute().as_uri()}?mode=rw", uri=True)) as last,
        ):
            last.execute("SELECT 1 FROM sqlite_master").fetchone()
