"""One question end to end: the only module that sees every stage.

    question + actor -> retrieve -> synthesize (untrusted) -> gate -> release -> Answer

The stages meet here and nowhere else. What a retriever or a synthesizer does wrong ends in a coded abstention;
an exception leaves only for wrong use, and for what our own parts raise on purpose.
"""

import asyncio
import inspect
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from verified_gate.corpus.protocol import Store
from verified_gate.gate import Gate, Limits
from verified_gate.model import Actor, Passage, ReasonCode
from verified_gate.model.errors import MissingExtra, MissingRecording, QueryError
from verified_gate.release import Answer, release
from verified_gate.retrieval.protocol import Hit
from verified_gate.retrieval.query import check_limit
from verified_gate.synthesis.protocol import SynthesisFailure, SynthesisRequest

DEFAULT_LIMIT: Final = 8
_WRONG_USE: Final = (QueryError, MissingRecording, MissingExtra)
"""What our own parts raise for wrong use; the caller sees these. Any other exception of a part becomes a code."""

_NO_PASSAGES: Final = "the retriever must return a sequence of Passage (or of Hit)"

OUTAGES: Final = frozenset(
    {
        ReasonCode.PROVIDER_UNAVAILABLE,
        ReasonCode.RATE_LIMITED,
        ReasonCode.DEADLINE_EXCEEDED,
        ReasonCode.CONTEXT_TOO_LONG,
        ReasonCode.RETRIEVAL_UNAVAILABLE,
    }
)
"""Codes of an answer that say that the run could not take place as it was set up: for whoever runs it to mend, and
no word on what the documents hold. Any other code without a claim is an abstention.
"""


@dataclass(frozen=True, slots=True)
class _Ending:
    """A run that ends before the gate."""

    code: ReasonCode
    detail: str = ""


class AnswerEngine:
    """Asks documents, and releases only what gate and release sealed.

    Give a `store` (retrieval and release ask it), a `retriever` alone (any object with
    `retrieve(question, actor, limit)` or `aretrieve`, which gives passages or hits; then there is no store to ask
    again, and citations say `origin="caller"`), or both (the retriever ranks, the store decides on release). Without a `synthesizer` the
    deterministic template answers: no key, no network. `profile`, `scope`, `occurrences`, `wording` and `limits` are
    the gate's; `limit` is how many passages a run delivers. Engines hold no state of a run.
    """

    def __init__(
        self,
        store: Store | None = None,
        *,
        retriever: Any = None,
        synthesizer: Any = None,
        profile: Any = "verbatim",
        scope: Any = "passage",
        occurrences: Any = "first",
        wording: Any = "checked",
        limits: Limits | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> None:
        if store is None and retriever is None:
            raise TypeError("AnswerEngine needs a store, or a retriever with retrieve(question, actor, limit)")
        if store is not None:
            _refuse_class(store, "store")
        if store is not None and not callable(getattr(store, "disclose", None)):
            raise TypeError("the store has no disclose(pins, actor); pass a bare retriever as retriever=")
        self._store = store
        self._retriever = store if retriever is None else retriever
        _require(self._retriever, "retriever", "retrieve", "aretrieve")
        self._limit = check_limit(limit)
        self._policy: dict[str, Any] = {
            "profile": profile,
            "scope": scope,
            "occurrences": occurrences,
            "wording": wording,
            "limits": Limits() if limits is None else limits,
        }
        Gate({}, **self._policy)  # a policy that does not exist is told here, not with the first question
        self._synthesizer = _template() if synthesizer is None else synthesizer
        _require(self._synthesizer, "synthesizer", "synthesize", "asynthesize")

    def __repr__(self) -> str:
        names = [type(part).__name__ for part in (self._store, self._retriever, self._synthesizer) if part is not None]
        return f"<AnswerEngine {' · '.join(dict.fromkeys(names))}>"

    def answer(
        self, question: str, *, actor: Actor | None = None, lang: str = "en", limit: int | None = None
    ) -> Answer:
        """Answer `question` from what `actor` may read (no actor: public documents only).

        Raises `ValueError` for an empty question or a bad limit, and `TypeError` where a part can only be awaited:
        then use `aanswer`.
        """
        run = _Run(self, question, actor, lang, limit)
        retrieve = _sync(self._retriever, "retrieve")
        synthesize = _sync(self._synthesizer, "synthesize")
        evidence = run.delivered(_outcome(lambda: retrieve(run.question, run.actor, run.limit)))
        if isinstance(evidence, _Ending):
            return run.end(evidence)
        reply = run.proposed(_outcome(lambda: synthesize(run.request)))
        return run.end(reply) if isinstance(reply, _Ending) else run.decide(reply)

    async def aanswer(
        self, question: str, *, actor: Actor | None = None, lang: str = "en", limit: int | None = None
    ) -> Answer:
        """The same for asyncio. Parts that cannot be awaited run in a thread; cancelling stops those that can."""
        run = _Run(self, question, actor, lang, limit)
        retrieve = _async(self._retriever, "retrieve")
        synthesize = _async(self._synthesizer, "synthesize")
        evidence = run.delivered(await _aoutcome(lambda: retrieve(run.question, run.actor, run.limit)))
        if isinstance(evidence, _Ending):
            return run.end(evidence)
        reply = run.proposed(await _aoutcome(lambda: synthesize(run.request)))
        return run.end(reply) if isinstance(reply, _Ending) else await asyncio.to_thread(run.decide, reply)


class _Run:
    """One question on its way; the stages in order, shared by the two faces of the engine."""

    def __init__(self, engine: AnswerEngine, question: str, actor: Actor | None, lang: str, limit: int | None) -> None:
        if not isinstance(question, str):
            raise TypeError("the question must be a string")
        if not question.strip():
            raise QueryError("the question is empty")
        if actor is not None and not isinstance(actor, Actor):
            raise TypeError("actor must be an Actor or None")
        if not isinstance(lang, str):
            raise TypeError('lang must be a string such as "en"')
        self.question, self.actor, self.lang = question, actor, lang
        self.limit = engine._limit if limit is None else check_limit(limit)  # noqa: SLF001  # one module
        self._engine = engine
        self._evidence: tuple[Passage, ...] = ()

    @property
    def request(self) -> SynthesisRequest:
        return SynthesisRequest(self.question, self._evidence, self.lang)

    def delivered(self, outcome: object) -> tuple[Passage, ...] | _Ending:
        """Snapshot what the retriever returned, at most `limit` passages, each key once."""
        if isinstance(outcome, _Raised):
            return _Ending(ReasonCode.RETRIEVAL_UNAVAILABLE, f"the retriever raised {outcome.kind}")
        if not isinstance(outcome, Sequence):
            raise TypeError(_NO_PASSAGES)
        found = [each.passage if isinstance(each, Hit) else each for each in outcome]
        if not all(isinstance(passage, Passage) for passage in found):
            raise TypeError(_NO_PASSAGES)
        passages: dict[str, Passage] = {}
        for passage in found[: self.limit]:
            if passages.setdefault(passage.key, passage) != passage:
                return _Ending(ReasonCode.RETRIEVAL_UNAVAILABLE, "two different passages share one key")
        self._evidence = tuple(map(self._as_stored, passages.values()))
        return self._evidence or _Ending(ReasonCode.NO_EVIDENCE)

    def _as_stored(self, passage: Passage) -> Passage:
        """Where a store will be asked on release, title, place and hashes come from it: a retriever may only rank."""
        engine = self._engine
        read = getattr(engine._store, "passage", None)  # noqa: SLF001
        if engine._retriever is engine._store or read is None:  # noqa: SLF001
            return passage
        stored = _outcome(lambda: read(passage.key, self.actor))
        return stored if isinstance(stored, Passage) and stored.text == passage.text else passage

    def proposed(self, outcome: object) -> object:
        """What the synthesizer returned, as the gate takes it."""
        if isinstance(outcome, _Raised):
            return _Ending(ReasonCode.PROVIDER_UNAVAILABLE, f"the synthesizer raised {outcome.kind}")
        if isinstance(outcome, SynthesisFailure):
            if outcome.code is ReasonCode.OK:  # a failure is never a success, whatever it calls itself
                return _Ending(ReasonCode.PROVIDER_UNAVAILABLE, _told(outcome))
            return _Ending(outcome.code, _told(outcome))
        return outcome

    def decide(self, reply: Any) -> Answer:
        """Gate, then release."""
        engine = self._engine
        gate = Gate(self._evidence, documents=self._documents(), **engine._policy)  # noqa: SLF001
        decision = gate.judge(reply, question=self.question)
        return release(
            decision,
            evidence=self._evidence,
            store=engine._store,  # noqa: SLF001
            actor=self.actor,
            question=self.question,
            wording=engine._policy["wording"],  # noqa: SLF001
            lang=self.lang,
        )

    def _documents(self) -> list[str]:
        """Under scope="document", the whole texts that a quote may run on in; none where there is no store to ask."""
        store, policy = self._engine._store, self._engine._policy  # noqa: SLF001
        if store is None or policy["scope"] != "document":
            return []
        texts = _outcome(lambda: store.texts([passage.key for passage in self._evidence], self.actor))
        return texts if isinstance(texts, list) else []

    def end(self, ending: _Ending) -> Answer:
        """Abstain before the gate."""
        retrieved = tuple(passage.key for passage in self._evidence)
        return Answer(ending.code, lang=self.lang, retrieved=retrieved, detail=ending.detail)


@dataclass(frozen=True, slots=True)
class _Raised:
    """An exception of somebody else's part: its type's name and nothing of its message, which may hold text."""

    kind: str


def _told(failure: SynthesisFailure) -> str:
    """The failure's detail with, in words, how often was asked and how long the server asks to wait."""
    parts = [failure.detail]
    if type(failure.attempts) is int and failure.attempts > 1:
        parts.append(f"asked {failure.attempts} times")
    wait = failure.retry_after
    if isinstance(wait, int | float) and math.isfinite(wait) and wait > 0:
        told = f"wait {wait:g} second{'' if wait == 1 else 's'}"
        if f"wait {wait:g} second" not in failure.detail:
            parts.append(f"the server asks to {told}")
    return "; ".join(filter(None, parts))


def _outcome(call: Callable[[], object]) -> object:
    try:
        outcome = call()
    except _WRONG_USE:
        raise
    except Exception as fault:  # noqa: BLE001  # whatever a foreign part raises becomes a code
        return _Raised(type(fault).__name__)
    if inspect.isawaitable(outcome):
        if inspect.iscoroutine(outcome):
            outcome.close()
        raise TypeError("a part of the engine returned something to await: use `await engine.aanswer(...)`")
    return outcome


async def _aoutcome(call: Callable[[], Awaitable[object]]) -> object:
    try:
        outcome = await call()
        return await outcome if inspect.isawaitable(outcome) else outcome
    except _WRONG_USE:
        raise
    except Exception as fault:  # noqa: BLE001
        return _Raised(type(fault).__name__)


def _template() -> Any:
    from verified_gate.synthesis import TemplateSynthesizer

    return TemplateSynthesizer()


def _refuse_class(part: object, role: str) -> None:
    if isinstance(part, type):
        raise TypeError(f"the {role} is the class {part.__name__}: give an object of it, {part.__name__}(...)")


def _require(part: object, role: str, name: str, aname: str) -> None:
    _refuse_class(part, role)
    if not callable(getattr(part, name, None)) and not callable(getattr(part, aname, None)):
        raise TypeError(f"the {role} has neither {name}() nor {aname}()")


def _sync(part: object, name: str) -> Callable[..., object]:
    method = getattr(part, name, None)
    if method is None or inspect.iscoroutinefunction(method):
        raise TypeError(f"{type(part).__name__} can only be awaited: use `await engine.aanswer(...)`")
    return method  # type: ignore[no-any-return]


def _async(part: object, name: str) -> Callable[..., Awaitable[object]]:
    awaited = getattr(part, f"a{name}", None)
    if awaited is not None:
        return awaited  # type: ignore[no-any-return]
    method: Callable[..., Any] = getattr(part, name)
    if inspect.iscoroutinefunction(method):
        return method

    def in_thread(*arguments: object) -> Awaitable[object]:
        return asyncio.to_thread(method, *arguments)

    return in_thread
