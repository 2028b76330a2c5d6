"""From what a retriever returned to the passages of this run: checked, and fitted to a budget by rank, whole passages only."""

from collections.abc import Callable, Sequence
from typing import Final

from verified_gate.audit.trace import FoundKey
from verified_gate.model import Passage
from verified_gate.retrieval.protocol import Hit

_NO_PASSAGES: Final = "the retriever must return a sequence of Passage (or of Hit)"


def passages_of(outcome: object, limit: int) -> list[Passage] | None:
    """At most `limit` passages, best first, each key once; None where two different ones share a key.

    Raises `TypeError` for anything else than passages or hits.
    """
    if not isinstance(outcome, Sequence):
        raise TypeError(_NO_PASSAGES)
    found = [each.passage if isinstance(each, Hit) else each for each in outcome]
    if not all(isinstance(passage, Passage) for passage in found):
        raise TypeError(_NO_PASSAGES)
    passages: dict[str, Passage] = {}
    for passage in found[:limit]:
        if passages.setdefault(passage.key, passage) != passage:
            return None
    return list(passages.values())


def found_keys(outcome: object, passages: Sequence[Passage]) -> tuple[FoundKey, ...]:
    """What retrieval gave, by rank, with the channel of each where the retriever tells it."""
    told = {
        getattr(each, "key", None): getattr(each, "channel", "lexical")
        for each in (outcome if isinstance(outcome, Sequence) else ())
    }
    return tuple(
        FoundKey(passage.key, rank, str(told.get(passage.key, "lexical"))) for rank, passage in enumerate(passages, 1)
    )


Size = Callable[[Passage], int]
"""What a passage takes of the budget."""


def fitted(passages: Sequence[Passage], budget: int, size_of: Size) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
    """The passages that fit `budget` together, taken by rank, and the keys of those left out.

    A passage that does not fit is passed over, and the next one may still fit.
    """
    kept, left_out, room = [], [], budget
    for passage in passages:
        size = size_of(passage)
        if size <= room:
            kept.append(passage)
            room -= size
        else:
            left_out.append(passage.key)
    return tuple(kept), tuple(left_out)


def cut_down(passages: Sequence[Passage], size_of: Size) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
    """About half of the evidence, the best ranked, for a model whose context it did not fit; fewer passages in any case."""
    half = sum(map(size_of, passages)) // 2
    kept, left_out = fitted(passages, half, size_of)
    if not kept:  # one passage holds more than half: it alone is less than all
        smallest = min(passages, key=size_of)
        kept = (smallest,)
        left_out = tuple(passage.key for passage in passages if passage is not smallest)
    return kept, left_out
