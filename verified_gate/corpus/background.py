"""Merging in the background: a thread that a write starts where there is something to merge, and that ends with it."""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Final

from verified_gate.corpus.connection import Database
from verified_gate.corpus.merging import due
from verified_gate.corpus.rewriting import replace_segments, rewriting
from verified_gate.model.errors import CorpusError

_LOG: Final = logging.getLogger(__name__)

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
        """After a write: begin to merge where there is something to, and let the writer go on. Never raises, since what was
        written is committed: a merge that cannot begin now begins after a later write.
        """
        if self._process != os.getpid():
            self._begin()
        try:
            with self._database.reading() as connection:
                if not due(connection):
                    return
            with self._lock:
                self._asked = True
                if self._thread is None:
                    thread = threading.Thread(target=self._run, name="verified-gate-merging")
                    thread.start()
                    self._thread = thread  # not before it runs: one that could not be started is never waited for
        except (CorpusError, RuntimeError, MemoryError) as fault:  # closed meanwhile, or no thread to be had
            _LOG.warning("no merge could begin (%s)", type(fault).__name__)

    def close(self) -> None:
        """Wait until what is due is merged; for long only for the merge that is under way, which from now on writes alone.
        The rest is merged after a later write, or by `optimize`.
        """
        self._until = time.monotonic() + CLOSE_SECONDS
        thread = self._thread if self._process == os.getpid() else None
        self._database.end_writing(but=thread)
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
            except Exception as fault:  # noqa: BLE001  # whatever it was: the thread ends in order, and another can begin
                _LOG.warning("a merge failed (%s): what is due stays due", type(fault).__name__)

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
