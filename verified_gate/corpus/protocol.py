"""What release and the engine ask of a store, whatever engine keeps it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from verified_gate.model import Actor, Passage, ReasonCode
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints


@dataclass(frozen=True, slots=True)
class Pin:
    """What was delivered: a passage's key, its document and version, the hash its text had then, and, where known, the
    hash of the whole document's text and the passage's place in it: the same words elsewhere are another citation.
    `marks` are its admission and its hidden spans, where known: under others, its words are another kind of source.
    """

    document_id: str
    version: str
    key: str
    passage_sha256: str
    text_sha256: str | None = None
    start: int | None = None
    marks: tuple[str, tuple[tuple[int, int], ...]] | None = None


@runtime_checkable
class Store(Protocol):
    """Ranks, and decides at the moment of release what may leave.

    `constraints` is given where a request has any; a store that does not take them cannot serve such a request, and
    nothing is released then.
    """

    def retrieve(
        self, question: str, actor: Actor | None, limit: int, *, constraints: Constraints = UNCONSTRAINED
    ) -> Sequence[Passage]:
        """Passages in force that `actor` may read, within the limits, best first, at most `limit`."""
        ...

    def disclose(
        self, pins: Sequence[Pin], actor: Actor | None, *, constraints: Constraints = UNCONSTRAINED
    ) -> list[ReasonCode | None]:
        """For each pin, why it may not leave now, or None: release it. All decided in one transaction, opened by
        this call: what was committed before it wins.

        `unavailable`: gone, or this actor may not read it, or it is outside of the limits (the same to a reader).
        `superseded`: not, or no longer, the version in force.
        `source_changed`: the stored passage has another pin. `integrity_failure`: its text does not have its pin.
        """
        ...

    def texts(
        self, keys: Iterable[str], actor: Actor | None = None, *, constraints: Constraints = UNCONSTRAINED
    ) -> list[Passage]:
        """The whole texts of the documents that these passages are of, as far as `actor` may read them: one passage a
        document, with no key, that begins at 0 and marks what is furniture or hidden in it.
        """
        ...


@runtime_checkable
class Payloads(Protocol):
    """Where copies of stored texts may stand outside of the corpus, such as the payloads of records."""

    def erase(self, documents: Collection[str]) -> object:
        """Erase all that tells of these versions, named as their keys begin (`acme:returns@3`), and give how many records
        were erased in; what is erased already is passed over. Raises where it could not be done; it is asked again then.
        """
        ...
