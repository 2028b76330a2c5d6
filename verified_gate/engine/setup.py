"""What an engine is made of, checked when it is made; a run reads it and changes nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from verified_gate.audit.trace import Records
from verified_gate.corpus.protocol import Store
from verified_gate.engine.parts import refuse_class, require, takes
from verified_gate.gate import Gate
from verified_gate.model import Passage
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints
from verified_gate.retrieval.query import MAX_LIMIT, check_limit
from verified_gate.synthesis.pointer import NumberedPassage
from verified_gate.synthesis.prompt import context_block, evidence_block

MAX_CONTEXT: Final = 5
"""Passages before and behind one of the evidence that can be shown around it."""

Measure = Callable[[str], int]
"""Counts what is shown of a passage: `len` in code points, or a tokenizer in tokens."""

_NAME: Final = f"e{MAX_LIMIT}"
"""As wide as the name of a passage in a prompt can be."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The parts and the policy of an engine. Raises `TypeError` or `ValueError` for what cannot work."""

    store: Store | None
    retriever: Any
    synthesizer: Any
    policy: Mapping[str, Any] = field(repr=False)
    limit: int
    cite: Literal["quotes", "sentences"]
    repair: bool
    budget: int | None
    context: int
    measure: Measure
    records: Records | None
    record: Literal["required", "best_effort"]

    def __post_init__(self) -> None:
        if self.store is None and self.retriever is None:
            raise TypeError("AnswerEngine needs a store, or a retriever with retrieve(question, actor, limit)")
        if self.store is not None:
            refuse_class(self.store, "store")
            if not callable(getattr(self.store, "disclose", None)):
                raise TypeError("the store has no disclose(pins, actor); pass a bare retriever as retriever=")
        if self.retriever is None:
            object.__setattr__(self, "retriever", self.store)
        require(self.retriever, "retriever", "retrieve")
        require(self.synthesizer, "synthesizer", "synthesize")
        check_limit(self.limit)
        if self.cite not in ("quotes", "sentences"):
            raise ValueError('cite must be "quotes" or "sentences"')
        if self.budget is not None and (type(self.budget) is not int or self.budget < 1):
            raise ValueError("budget must be a number of 1 or more, or None")
        if type(self.context) is not int or not 0 <= self.context <= MAX_CONTEXT:
            raise ValueError(f"context must be a number of passages from 0 to {MAX_CONTEXT}")
        if self.context and not callable(getattr(self.store, "neighbours", None)):
            raise TypeError("context needs a store with neighbours(key, actor, reach=…)")
        if not callable(self.measure):
            raise TypeError("measure must be a function from a text to its size")
        if self.record not in ("required", "best_effort"):
            raise ValueError('record must be "required" or "best_effort"')
        if self.records is not None:
            refuse_class(self.records, "record log")
            if not callable(getattr(self.records, "write", None)):
                raise TypeError("records has no write(trace)")
        Gate({}, **self.policy)  # a policy that does not exist is told here, not with the first question

    @property
    def remote(self) -> bool:
        """Do passages leave for a model elsewhere? A synthesizer that does not say counts as remote."""
        return getattr(self.synthesizer, "remote", True) is not False

    def size(self, passage: Passage) -> int:
        """What a passage of the evidence takes of the budget: all that the prompt shows of it, with its marks."""
        numbered = NumberedPassage.of(passage) if self.cite == "sentences" else None
        return self.measure(evidence_block(_NAME, passage, numbered) + "\n\n")

    def size_around(self, passage: Passage) -> int:
        """The same of a passage that is shown around another."""
        return self.measure(context_block(passage) + "\n\n")

    def require_limits(self, constraints: Constraints) -> None:
        """Raise `TypeError` where limits of a request were given and a part of this engine takes none."""
        given = replace(constraints, remote=False) != UNCONSTRAINED
        for part, role, name in ((self.retriever, "retriever", "retrieve"), (self.store, "store", "disclose")):
            method = getattr(part, f"a{name}", None) or getattr(part, name, None)
            if given and method is not None and not takes(method, "constraints"):
                raise TypeError(
                    f"the {role} {type(part).__name__} takes no constraints: purpose, only, prefer and as_of "
                    f"cannot be held; give its {name}() an argument constraints"
                )

    def told(self) -> dict[str, object]:
        """The policy as a record keeps it: names and numbers."""
        profile = self.policy["profile"]
        return {
            **self.policy,
            "profile": getattr(profile, "name", profile),
            "limit": self.limit,
            "cite": self.cite,
            "repair": self.repair,
            "budget": self.budget,
            "context": self.context,
            "synthesizer": type(self.synthesizer).__name__,
        }
