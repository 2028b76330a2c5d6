"""The engine's two faces, called and awaited, for whole answers and for streams: they drive the steps of a run."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterable, Iterator
from contextlib import aclosing, closing
from datetime import date
from typing import Any, Final, Literal

from verified_gate.audit.trace import Records
from verified_gate.corpus.protocol import Store
from verified_gate.engine.events import AnswerDone, Event
from verified_gate.engine.parts import (
    Ended,
    Raised,
    async_method,
    awaited_next_of,
    awaited_outcome_of,
    next_of,
    outcome_of,
    sync_method,
    takes,
)
from verified_gate.engine.run import Ask, Close, Compute, Opened, ReadOn, Retrieve, Run, Steps, Work
from verified_gate.engine.setup import Measure, Setup
from verified_gate.engine.threads import in_engine_thread
from verified_gate.gate import Limits
from verified_gate.model import Actor
from verified_gate.release import Answer
from verified_gate.retrieval.protocol import Constraints

DEFAULT_LIMIT: Final = 8


class AnswerEngine:
    """Asks documents, and releases only what gate and release sealed.

    Give a `store` (retrieval and release ask it), a `retriever` alone (any object with
    `retrieve(question, actor, limit)` or `aretrieve`, which gives passages or hits; then there is no store to ask
    again, and citations say `origin="caller"`), or both (the retriever ranks, the store decides on release). Without a
    `synthesizer` the deterministic template answers: no key, no network. `profile`, `scope`, `occurrences`, `wording`
    and `limits` are the gate's; `limit` is how many passages a run delivers.

    `cite="sentences"` lets a model point at sentences, whose words are then cut from the source, instead of copying
    them. `repair` asks a model at most once more, telling it by codes and keys what was refused. `budget` bounds the
    passages of a run by their size, as `measure` counts it (code points; give a tokenizer's count for tokens): whole
    passages by rank. `context` shows a model so many passages before and behind each of them, as far as the budget goes:
    they have no key, and nothing of them can be cited. `records` is where answers are recorded before they leave;
    unless `record="best_effort"`, an answer that cannot be recorded does not leave (`audit_unavailable`).

    Engines hold no state of a run. A synthesizer is remote unless it says otherwise by `remote = False`; a passage that
    is `local_only` is not shown to a remote one.
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
        cite: Literal["quotes", "sentences"] = "quotes",
        repair: bool = False,
        budget: int | None = None,
        context: int = 0,
        measure: Measure = len,
        records: Records | None = None,
        record: Literal["required", "best_effort"] = "required",
    ) -> None:
        self._setup = Setup(
            store=store,
            retriever=retriever,
            synthesizer=_template() if synthesizer is None else synthesizer,
            policy={
                "profile": profile,
                "scope": scope,
                "occurrences": occurrences,
                "wording": wording,
                "limits": Limits() if limits is None else limits,
            },
            limit=limit,
            cite=cite,
            repair=repair,
            budget=budget,
            context=context,
            measure=measure,
            records=records,
            record=record,
        )

    def __repr__(self) -> str:
        setup = self._setup
        parts = [setup.store, setup.retriever, setup.synthesizer]
        names = [type(part).__name__ for part in parts if part is not None]
        return f"<AnswerEngine {' · '.join(dict.fromkeys(names))}>"

    def answer(
        self,
        question: str,
        *,
        actor: Actor | None = None,
        lang: str = "en",
        limit: int | None = None,
        purpose: str | None = None,
        only: Iterable[str] | None = None,
        prefer: Iterable[str] = (),
        as_of: date | None = None,
    ) -> Answer:
        """Answer `question` from what `actor` may read (no actor: public documents only).

        `purpose`, `only`, `prefer` (names of collections) and `as_of` are hard limits of the request, see
        `Constraints`. Raises `ValueError` for an empty question or a bad limit, and `TypeError` where a part can only
        be awaited (then use `aanswer`) or takes no such limits.
        """
        run = self._run(question, actor, lang, limit, purpose, only, prefer, as_of)
        with closing(_driven(run.steps(streaming=False), _Called(self._setup))) as events:
            for event in events:
                if isinstance(event, AnswerDone):
                    return event.answer
        raise AssertionError("a run ends with its answer")

    async def aanswer(
        self,
        question: str,
        *,
        actor: Actor | None = None,
        lang: str = "en",
        limit: int | None = None,
        purpose: str | None = None,
        only: Iterable[str] | None = None,
        prefer: Iterable[str] = (),
        as_of: date | None = None,
    ) -> Answer:
        """The same for asyncio. Parts that cannot be awaited run in a thread; cancelling stops those that can."""
        run = self._run(question, actor, lang, limit, purpose, only, prefer, as_of)
        async with aclosing(_adriven(run.steps(streaming=False), _Awaited(self._setup))) as events:
            async for event in events:
                if isinstance(event, AnswerDone):
                    return event.answer
        raise AssertionError("a run ends with its answer")

    def stream(
        self,
        question: str,
        *,
        actor: Actor | None = None,
        lang: str = "en",
        limit: int | None = None,
        purpose: str | None = None,
        only: Iterable[str] | None = None,
        prefer: Iterable[str] = (),
        as_of: date | None = None,
    ) -> Generator[Event, None, None]:
        """Answer piece by piece: each claim leaves as soon as it is whole and has passed gate, release and record.

        Streaming is the choice of partial release: if the reply then breaks, what was released stands, and the last
        event, `AnswerDone`, says `complete=False` and why; without streaming a broken reply releases nothing. A
        synthesizer that has no `stream` gives its claims when it has them all. Closing the generator stops the
        request to the model. Raises as `answer` does, when called.
        """
        run = self._run(question, actor, lang, limit, purpose, only, prefer, as_of)
        return _driven(run.steps(streaming=True), _Called(self._setup))

    def astream(
        self,
        question: str,
        *,
        actor: Actor | None = None,
        lang: str = "en",
        limit: int | None = None,
        purpose: str | None = None,
        only: Iterable[str] | None = None,
        prefer: Iterable[str] = (),
        as_of: date | None = None,
    ) -> AsyncGenerator[Event, None]:
        """The same for asyncio; closing the generator or cancelling its task stops the request to the model."""
        run = self._run(question, actor, lang, limit, purpose, only, prefer, as_of)
        return _adriven(run.steps(streaming=True), _Awaited(self._setup))

    def _run(
        self,
        question: str,
        actor: Actor | None,
        lang: str,
        limit: int | None,
        purpose: str | None,
        only: Iterable[str] | None,
        prefer: Iterable[str],
        as_of: date | None,
    ) -> Run:
        if purpose is not None and not isinstance(purpose, str):
            raise TypeError("purpose must be a string or None")
        if as_of is not None and not isinstance(as_of, date):
            raise TypeError("as_of must be a date or None")
        chosen = None if only is None else _names(only, "only")
        constraints = Constraints(purpose, self._setup.remote, chosen, _names(prefer, "prefer"), as_of)
        run = Run(self._setup, question, actor, lang, limit, constraints)
        self._setup.require_limits(constraints)
        return run


class _Called:
    """Does the work of a run by calling the parts."""

    def __init__(self, setup: Setup) -> None:
        self._retrieve = sync_method(setup.retriever, "retrieve")
        self._synthesize = sync_method(setup.synthesizer, "synthesize")
        self._stream = getattr(setup.synthesizer, "stream", None)
        self._open: Iterator[object] = iter(())

    def do(self, work: Work) -> object:
        """The outcome of one piece of work."""
        match work:
            case Retrieve():
                return outcome_of(lambda: self._retrieve(*work.arguments, **_taken(self._retrieve, work.keywords)))
            case Ask():
                open_stream = self._stream
                if not work.streaming or open_stream is None:
                    return outcome_of(lambda: self._synthesize(work.request))
                stream = outcome_of(lambda: open_stream(work.request))
                if isinstance(stream, Raised):
                    return stream
                if not isinstance(stream, Iterator):
                    raise TypeError(f"{type(stream).__name__}: stream(request) must give an iterator")
                self._open = stream
                return Opened()
            case ReadOn():
                return next_of(self._open)
            case Close():
                self.close()
                return None
            case Compute():
                return work.work()

    def close(self) -> None:
        """End the stream that is open."""
        close = getattr(self._open, "close", None)
        if close is not None:
            close()


class _Awaited:
    """Does the work of a run by awaiting the parts; what cannot be awaited runs in a thread."""

    def __init__(self, setup: Setup) -> None:
        self._retrieve = async_method(setup.retriever, "retrieve", ours=setup.retriever is setup.store)
        self._takes = getattr(setup.retriever, "aretrieve", None) or setup.retriever.retrieve
        self._synthesize = async_method(setup.synthesizer, "synthesize")
        self._stream = getattr(setup.synthesizer, "astream", None)
        self._open: AsyncIterator[object] | None = None

    async def do(self, work: Work) -> object:
        """The outcome of one piece of work."""
        match work:
            case Retrieve():
                keywords = _taken(self._takes, work.keywords)
                return await awaited_outcome_of(lambda: self._retrieve(*work.arguments, **keywords))
            case Ask():
                open_stream = self._stream
                if not work.streaming or open_stream is None:
                    return await awaited_outcome_of(lambda: self._synthesize(work.request))
                stream = outcome_of(lambda: open_stream(work.request))
                if isinstance(stream, Raised):
                    return stream
                if not isinstance(stream, AsyncIterator):
                    raise TypeError(f"{type(stream).__name__}: astream(request) must give an asynchronous iterator")
                self._open = stream
                return Opened()
            case ReadOn():
                return Ended() if self._open is None else await awaited_next_of(self._open)
            case Close():
                await self.close()
                return None
            case Compute():
                return await (asyncio.to_thread(work.work) if work.waits else in_engine_thread(work.work))

    async def close(self) -> None:
        """End the stream that is open."""
        close = getattr(self._open, "aclose", None)
        if close is not None:
            await close()


def _driven(steps: Steps[None], parts: _Called) -> Generator[Event, None, None]:
    """Do the work of a run; what leaves is passed on."""
    outcome: object = None
    try:
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration:
                return
            if isinstance(step, Work):
                outcome = parts.do(step)
            else:
                outcome = None
                yield step
    finally:
        parts.close()


async def _adriven(steps: Steps[None], parts: _Awaited) -> AsyncGenerator[Event, None]:
    outcome: object = None
    try:
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration:
                return
            if isinstance(step, Work):
                outcome = await parts.do(step)
            else:
                outcome = None
                yield step
    finally:
        await parts.close()


def _taken(method: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in keywords.items() if takes(method, name)}


def _names(given: Iterable[str], what: str) -> frozenset[str]:
    if isinstance(given, str):
        raise TypeError(f"{what} must be names of collections, not one string")
    names = frozenset(given)
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} must be names of collections")
    return names


def _template() -> Any:
    from verified_gate.synthesis import TemplateSynthesizer

    return TemplateSynthesizer()
