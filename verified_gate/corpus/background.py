"""Merging in the background: a thread that a write starts where there is something to merge, and that ends with it."""

import os
import threading
import time
from collections.abc import Callable
from typing import Final

from verified_gate.corpus.connection import Database
from verified_gate.corpus.merging import due
from verified_gate.corpus.rewriting import replace_segments, rewriting
from verified_gate.model.errors import CorpusError

CLOSE_SECONDS: Final = 10.0
"""After so long, closing begins no further merge: what is due stays due."""


class Merger:
    """The merges of one store. A child made by fork has none under way, whatever its parent had."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asked = False
        self._until: float | None = None

    def wake(self) -> None:
        """After a write: begin to merge where there is something to, and let the writer go on."""
        if self._process != os.getpid():
            self._begin()
        with self._database.reading() as connection:
            if not due(connection):
                return
        with self._lock:
            self._asked = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="verified-gate-merging")
                self._thread.start()

    def close(self) -> None:
        """Wait until what is due is merged; for long only for the merge that is under way. The rest is merged after a
        later write, or by `optimize`.
        """
        self._until = time.monotonic() + CLOSE_SECONDS
        thread = self._thread if self._process == os.getpid() else None
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._lock:
                if not (self._asked and self._goes_on()):
                    self._thread = None
                    return
                self._asked = False
            try:
                merge_what_is_due(self._database, self._goes_on)
            except CorpusError:  # closed, full or taken over: what is due stays due, and the next write begins again
                continue

    def _goes_on(self) -> bool:
        """May another merge begin? Not where the store or the interpreter wait for the end."""
        return threading.main_thread().is_alive() and (self._until is None or time.monotonic() < self._until)


def merge_what_is_due(database: Database, goes_on: Callable[[], bool] = lambda: True) -> None:
    """Merge small segments, tier by tier, while `goes_on`. Nothing where the index is being rewritten already."""
    with rewriting(database, steal=False) as rewrite:
        while rewrite is not None and goes_on():
            with database.reading() as connection:
                segments = due(connection)
            if not segments or not replace_segments(database, rewrite, segments):
                return
