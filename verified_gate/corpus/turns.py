"""Writers of one process take turns, in the order in which they came.

SQLite lets whoever happens to ask next write next: a thread that writes again and again would keep out one that merges.
"""

import threading
from collections import deque
from types import TracebackType


class Turns:
    """A lock that is handed on to who has waited longest. `with turns:` raises `TimeoutError` after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Event] = deque()

    def __enter__(self) -> None:
        with self._lock:
            if not self._taken:
                self._taken = True
                return
            mine = threading.Event()
            self._waiting.append(mine)
        come = False
        try:
            come = mine.wait(self._seconds)
        finally:
            if not come:
                self._give_up(mine)
        if not come:
            raise TimeoutError

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._hand_on()

    def _hand_on(self) -> None:
        if self._waiting:
            self._waiting.popleft().set()
        else:
            self._taken = False

    def _give_up(self, mine: threading.Event) -> None:
        """Leave the queue; a turn that came in the last moment goes to the next."""
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:
                self._hand_on()
