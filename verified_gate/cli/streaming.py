"""How an answer reaches the screen while it is made: claims as they are released, citations as footnotes at the end."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self

from verified_gate.cli.terminal import show, write
from verified_gate.model.errors import CorpusError

if TYPE_CHECKING:
    from verified_gate.engine import Event
    from verified_gate.release import Answer


class Waiting:
    """A spinner on standard error, where that is a terminal; elsewhere nothing."""

    def __init__(self, words: str) -> None:
        self._status: Any = None
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True, highlight=False).status(words)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Turn."""
        if self._status is not None:
            self._status.start()

    def stop(self) -> None:
        """Leave the line to what is printed now."""
        if self._status is not None:
            self._status.stop()


def show_stream(events: "Iterable[Event]", *, as_json: bool) -> "Answer":
    """Print each claim once it is released, at the end the citations and what was withheld; the whole answer.

    As JSON each event is one line.
    """
    from verified_gate.engine import AnswerDone, ClaimReleased
    from verified_gate.release import Line, answer_lines, citation_lines, escaped_json, note_lines

    shown = False
    with Waiting("reading what you may read …") as waiting:
        for event in events:
            waiting.stop()
            if as_json:
                write(escaped_json(json.dumps(event.to_dict(), ensure_ascii=False)) + "\n")
            elif isinstance(event, ClaimReleased):
                show([Line("claim", event.text)])
                shown = True
            sys.stdout.flush()
            if isinstance(event, AnswerDone):
                answer = event.answer
                if not as_json and shown:
                    for number, citation in enumerate(answer.citations, start=1):
                        show([Line("blank", ""), *citation_lines(citation, number)])
                    show(note_lines(answer))
                elif not as_json:
                    show(answer_lines(answer))
                return answer
            waiting.start()
    raise AssertionError("a stream ends with its answer")


@contextmanager
def synthesizer_of(model: str | None, base_url: str | None, deadline: float | None = None) -> Iterator[Any]:
    """The model server that the flags name, or else that of the environment, or the template; closed at the end."""
    from verified_gate.synthesis import OpenAISynthesizer, synthesizer_from_environment
    from verified_gate.synthesis.environment import VARIABLES

    try:
        if model is None and base_url is None:
            given = {} if deadline is None else {VARIABLES["deadline"]: str(deadline)}
            synthesizer: Any = synthesizer_from_environment(os.environ | given)
        else:
            synthesizer = OpenAISynthesizer(model=model, base_url=base_url, deadline=deadline)
    except ValueError as fault:
        raise CorpusError(str(fault)) from fault
    try:
        yield synthesizer
    finally:
        if hasattr(synthesizer, "close"):
            synthesizer.close()
