"""What every retriever takes and gives: a question, an actor and a limit in; passages in order of rank out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol, runtime_checkable

from verified_gate.model import Actor, Passage


@dataclass(frozen=True, slots=True)
class Constraints:
    """Hard limits that travel with a request beside the actor, from retrieval to release.

    `purpose`: what the answer is for; a document that is approved for some purposes only is found and released for
    these alone, and not where none is named. `remote`: the passages go to a model elsewhere; a document that is
    `local_only` is then neither found nor delivered. `only`: names of collections; None is the default ones that are
    not private. `prefer`: collections to be looked in first, within `only`. `as_of`: the versions in force on that day
    instead of the current ones. None of them changes a score.
    """

    purpose: str | None = None
    remote: bool = False
    only: frozenset[str] | None = None
    prefer: frozenset[str] = frozenset()
    as_of: date | None = None


UNCONSTRAINED: Final = Constraints()
"""A request that asks for nothing but what the actor may read."""


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
