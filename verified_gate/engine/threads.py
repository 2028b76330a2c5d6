"""Two threads for the engine's own work beside an event loop: gate, release, the search of a store.

Such work holds the interpreter's lock. With many threads of it at once an event loop waits its turn behind all of
them; with two it comes round within a few milliseconds, and the work as a whole takes no longer.
"""

import asyncio
import contextvars
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class _Threads:
    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Begin anew; the threads of a process do not live on in its forks."""
        self.pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="verified-gate-engine")


_THREADS = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_THREADS.renew)


async def in_engine_thread(work: Callable[[], T]) -> T:
    """Do `work` there, in the caller's context."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(_THREADS.pool, context.run, work)
