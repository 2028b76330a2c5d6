"""One event loop in a thread of its own, on which all calls of a synthesizer run, from threads and tasks alike.

So there is one way of talking to the server: a deadline that holds for every byte, connections that outlive the
caller's event loop, a caller's loop that never waits for ours, and a synchronous call that works inside a running
loop. Cancelling the future stops the call.
"""

import asyncio
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """Runs coroutines on its own loop until `stop`, which never blocks and may be called from anywhere, twice."""

    def __init__(self, at_end: Callable[[], Awaitable[object]]) -> None:
        self._at_end = at_end
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="verified-gate-synthesis", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], Coroutine[Any, Any, T]]) -> concurrent.futures.Future[T]:
        """Start `work()` on the loop. Raises `RuntimeError` after `stop`."""
        with self._lock:
            if self._stopped:
                raise RuntimeError("this synthesizer is closed")
            return asyncio.run_coroutine_threadsafe(work(), self._loop)

    def stop(self) -> None:
        """Cancel what runs, close the connections, end the thread."""
        with self._lock:
            if not self._stopped:
                self._stopped = True
                self._loop.call_soon_threadsafe(self._loop.stop)

    def join(self) -> None:
        """Wait until the thread has ended. On the loop itself there is nothing to wait for."""
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(self._wind_up(tasks))
            self._loop.close()

    async def _wind_up(self, tasks: set["asyncio.Task[Any]"]) -> None:
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._at_end()
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()
