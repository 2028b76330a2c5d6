"""What a terminal shows while `ingest` works: the step it is at, how far it is, and a clock that goes on.

Nothing is shown, and nothing is drawn, where standard error is no terminal.
"""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text


class Steps:
    """The steps of one call, one shown at a time; gone from the screen at the end. Use it in `with`."""

    def __init__(self) -> None:
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), _Files(), TimeElapsedColumn())
        console = Console(stderr=True)
        self._progress = Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True)
        self._task = self._progress.add_task("", total=None)
        self._began = self._progress.tasks[0].start_time

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, name: str, files: int | None = None) -> None:
        """So many files come now, or something of which nobody knows how much it is: the bar goes to and fro then."""
        self._progress.remove_task(self._task)
        self._task = self._progress.add_task(name, total=files)
        self._progress.tasks[0].start_time = self._began  # the clock is that of the call

    def turn_to(self, name: str) -> None:
        """It is at this now; the bar stays where it is."""
        self._progress.update(self._task, description=name)

    def advance(self) -> None:
        """One file more is done."""
        self._progress.advance(self._task)


class _Files(ProgressColumn):
    """`12/880 files`, once it is known how many there are."""

    def render(self, task: Task) -> Text:
        """For rich."""
        return Text("" if task.total is None else f"{task.completed:,.0f}/{task.total:,.0f} files")
