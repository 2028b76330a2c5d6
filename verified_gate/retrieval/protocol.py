"""What every retriever takes and gives: a question, an actor and a limit in; passages in order of rank out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from verified_gate.model import Actor, Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage found. `score` orders the hits of one search, higher first; it is neither confidence nor truth,
    and scores of two searches, or for two actors, do not compare.
    """

    key: str
    score: float
    passage: Passage

    def __repr__(self) -> str:
        return f"<Hit {self.key} {self.score:.3f}>"


@runtime_checkable
class Retriever(Protocol):
    """Ranks what `actor` may read. It can hide evidence and never creates it.

    `retrieve` gives at most `limit` passages, best first; an empty sequence means that nothing was found.
    """

    def retrieve(self, question: str, actor: Actor | None, limit: int) -> Sequence[Passage]:
        """Passages for `question` that `actor` may read."""
        ...


@runtime_checkable
class AsyncRetriever(Protocol):
    """The same for asyncio."""

    async def aretrieve(self, question: str, actor: Actor | None, limit: int) -> Sequence[Passage]:
        """Passages for `question` that `actor` may read."""
        ...
