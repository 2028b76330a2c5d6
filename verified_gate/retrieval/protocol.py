"""What every retriever takes and gives: a question, an actor and a limit in; passages in order of rank out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Literal, Protocol, overload, runtime_checkable

from verified_gate.model import Actor, Passage


@dataclass(frozen=True, slots=True)
class Constraints:
    """Hard limits that travel with a request beside the actor, from retrieval to release.

    `purpose`: what the answer is for; a document that is approved for some purposes only is found and released for
    these alone, and not where none is named. `remote`: the passages go to a model elsewhere; a document that is
    `local_only` is then neither found nor delivered. `only`: names of collections (none at all where it is empty);
    None is all that are not private. `prefer`: collections to be looked in first, within `only`. `as_of`: the versions
    in force on that day instead of the current ones. None of them changes a score. Names may be given as any
    collection of strings. Raises `TypeError` for what is no limit: one that is not understood is never ignored; `ValueError` for the name of a collection with a control
    character.
    """

    purpose: str | None = None
    remote: bool = False
    only: frozenset[str] | None = None
    prefer: frozenset[str] = frozenset()
    as_of: date | None = None

    def __post_init__(self) -> None:
        purpose: object = self.purpose
        if purpose is not None and (not isinstance(purpose, str) or not purpose):
            raise TypeError("purpose must be a non-empty string or None")
        if type(self.remote) is not bool:
            raise TypeError("remote must be True or False")
        if self.only is not None:
            object.__setattr__(self, "only", _names(self.only, "only"))
        object.__setattr__(self, "prefer", _names(self.prefer, "prefer"))
        day: object = self.as_of
        if day is not None and (not isinstance(day, date) or isinstance(day, datetime)):
            raise TypeError("as_of must be a date or None")


def has_control(name: str) -> bool:
    """Does a name hold a control character? After a NUL, a database would not look at the rest of it."""
    return any(char < " " or "\x7f" <= char <= "\x9f" for char in name)


def _names(names: Iterable[str], what: str) -> frozenset[str]:
    if isinstance(names, str):
        raise TypeError(f"{what} must be a collection of names, not one string")
    found = frozenset(names)
    if not all(type(name) is str for name in found):
        raise TypeError(f"{what} must hold names")
    if any(map(has_control, found)):
        raise ValueError(f"{what} holds a name with a control character, which no stored name has")
    return found


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
        kind = "" if self.passage.admission == "full_text" else f" {self.passage.admission}"
        return f"<Hit {self.key} {self.score:.3f}{kind}>"


class Hits(list[Hit]):
    """The hits of one search, best first. `widened`: the collections that were preferred held fewer than asked for, and
    the others within the same limits were looked in as well; what they gave stands behind.
    """

    def __init__(self, hits: Iterable[Hit] = (), *, widened: bool = False) -> None:
        super().__init__(hits)
        self.widened = widened


ChannelStatus = Literal["ok", "partial", "unavailable"]
RetrievalState = Literal["grounded", "partial", "no-evidence", "unavailable"]


@dataclass(frozen=True, slots=True, repr=False)
class Retrieved(Sequence[Passage]):
    """What was retrieved, best first, with what is to be told of it; to whoever only wants passages, a sequence of them.

    `channels` says how each way of searching fared. `widened`: the collections that were preferred held fewer passages
    than asked for, and the others within the same limits were looked in as well; those stand behind the preferred
    ones. `eligible` counts the passages that could have been found (None: not known).
    """

    passages: tuple[Passage, ...] = ()
    channels: Mapping[str, ChannelStatus] = field(default_factory=lambda: {"lexical": "ok"})
    widened: bool = False
    eligible: int | None = None

    @property
    def state(self) -> RetrievalState:
        """`partial`: a channel failed and another found something. `no-evidence` is said only where all could look."""
        statuses = set(self.channels.values())
        if statuses == {"unavailable"}:
            return "unavailable"
        if statuses - {"ok"}:
            return "partial" if self.passages else "unavailable"
        return "grounded" if self.passages else "no-evidence"

    @overload
    def __getitem__(self, index: int) -> Passage: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Passage]: ...
    def __getitem__(self, index: int | slice) -> Passage | Sequence[Passage]:
        return self.passages[index]

    def __len__(self) -> int:
        return len(self.passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    def __repr__(self) -> str:
        return f"<Retrieved {self.state}, {len(self.passages)} passages{', widened' if self.widened else ''}>"


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
