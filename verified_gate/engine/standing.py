"""What the store says of passages before a model is shown them: the answer that release would get at this moment."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from verified_gate.corpus.protocol import Pin
from verified_gate.engine.parts import Raised, outcome_of, takes
from verified_gate.model import Actor, Passage, sha256_of_text
from verified_gate.retrieval.protocol import Constraints


class Within:
    """A store within the limits of one request, which go with each question to it, where it takes them."""

    def __init__(self, store: Any, constraints: Constraints) -> None:
        self._store, self._constraints = store, constraints

    def disclose(self, pins: Sequence[Pin], actor: Actor | None) -> Any:
        """Asked by release."""
        return self._ask(self._store.disclose, pins, actor)

    def texts(self, keys: Sequence[str], actor: Actor | None) -> Any:
        """Asked for quotes that run on over the border of a passage."""
        return self._ask(self._store.texts, keys, actor)

    def passage(self, key: str, actor: Actor | None) -> Any:
        """The passage as stored, or None."""
        return self._ask(self._store.passage, key, actor)

    def neighbours(self, key: str, actor: Actor | None, reach: int) -> Any:
        """The passages around one."""
        return self._store.neighbours(key, actor, reach=reach, constraints=self._constraints)

    def _ask(self, method: Callable[..., Any], *arguments: object) -> Any:
        if takes(method, "constraints"):
            return method(*arguments, constraints=self._constraints)
        return method(*arguments)


def standing(store: Within, passages: Sequence[Passage], actor: Actor | None) -> tuple[Passage, ...] | Raised:
    """Those of `passages` that release would let go now; `Raised` where the store cannot tell. One transaction."""
    if not passages:
        return ()
    verdicts = outcome_of(lambda: store.disclose([_pin(passage) for passage in passages], actor))
    if isinstance(verdicts, Raised):
        return verdicts
    if not isinstance(verdicts, list | tuple) or len(verdicts) != len(passages):
        return Raised("TypeError")
    return tuple(passage for passage, code in zip(passages, verdicts, strict=True) if code is None)


def as_stored(store: Within, passages: Sequence[Passage], actor: Actor | None) -> tuple[Passage, ...] | Raised:
    """What a retriever beside the store found, as the store has it: its title, place, hashes and rules.

    A retriever may only rank. What the store does not have with this text, or would not let go to this request (it is
    forbidden, outside of the limits, in a private collection, no longer in force), is not among them.
    """
    stored = [(passage, outcome_of(partial(store.passage, passage.key, actor))) for passage in passages]
    for _, found in stored:
        if isinstance(found, Raised):
            return found
    same = [
        found
        for passage, found in stored
        if isinstance(found, Passage) and (found.key, found.text) == (passage.key, passage.text)
    ]
    return standing(store, same, actor)


def _pin(passage: Passage) -> Pin:
    return Pin(
        passage.document_id,
        passage.version,
        passage.key,
        sha256_of_text(passage.text),
        passage.text_sha256,
        passage.start,
        (passage.admission, passage.hidden),
    )
