"""One question on its way: the stages in order, written once for answers and streams, called or awaited.

`Run.steps` is a generator. It yields what has to be done outside (retrieve, ask the synthesizer, read on in a stream,
compute something that may block) and is sent the outcome; and it yields the events that leave. Who drives it decides
whether the doing is awaited.
"""

import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from verified_gate.audit.trace import Attempt, Trace
from verified_gate.engine.events import AnswerDone, Event, EvidenceDelivered, events_of
from verified_gate.engine.evidence import cut_down, fitted, found_keys, passages_of
from verified_gate.engine.parts import Ended, Raised, outcome_of, wait_of, words_of
from verified_gate.engine.recording import Recorder, Unrecorded, unrecorded
from verified_gate.engine.repairing import better, repair_of
from verified_gate.engine.setup import Setup
from verified_gate.engine.standing import Within, as_stored, standing
from verified_gate.engine.streamed import StreamedReply
from verified_gate.gate import Decision, Gate
from verified_gate.model import Actor, Passage, Proposal, ReasonCode
from verified_gate.model.errors import QueryError
from verified_gate.release import Answer, GrowingAnswer, release
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints
from verified_gate.retrieval.query import check_limit
from verified_gate.synthesis.protocol import Repair, SynthesisFailure, SynthesisRequest, WholeClaim, WrittenProposal


@dataclass(frozen=True, slots=True)
class Retrieve:
    """Ask the retriever; `keywords` are given where it takes them."""

    arguments: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the synthesizer for its whole proposal, or open its stream."""

    request: SynthesisRequest
    streaming: bool = False


@dataclass(frozen=True, slots=True)
class ReadOn:
    """The next part of the stream that is open."""


@dataclass(frozen=True, slots=True)
class Compute:
    """Work of our own that may take long. `waits`: mostly for a disk or a network, as a record log does."""

    work: Callable[[], Any]
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """End the stream, where one is open: nothing more of it is wanted."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The outcome of `Ask` where the reply comes in parts."""


Work = Retrieve | Ask | ReadOn | Close | Compute
_R = TypeVar("_R")
Steps = Generator[Work | Event, Any, _R]


@dataclass(frozen=True, slots=True)
class Ending:
    """An exchange that ends before the gate."""

    code: ReasonCode
    detail: str = ""
    attempts: int = 0
    retry_after: float | None = None


class Run:
    """One question, its evidence and its trace. Raises for wrong use when made; see `AnswerEngine.answer`."""

    def __init__(
        self,
        setup: Setup,
        question: str,
        actor: Actor | None,
        lang: str,
        limit: int | None,
        constraints: Constraints = UNCONSTRAINED,
    ) -> None:
        if not isinstance(question, str):
            raise TypeError("the question must be a string")
        if not question.strip():
            raise QueryError("the question is empty")
        if actor is not None and not isinstance(actor, Actor):
            raise TypeError("actor must be an Actor or None")
        if not isinstance(lang, str):
            raise TypeError('lang must be a string such as "en"')
        self.question, self.actor, self.lang = question, actor, lang
        self.limit = setup.limit if limit is None else check_limit(limit)
        self._setup = setup
        self._constraints = constraints
        self._store: Any = None if setup.store is None else Within(setup.store, constraints)
        self._evidence: tuple[Passage, ...] = ()
        self._context: dict[str, tuple[Passage, ...]] = {}
        self.trace = Trace(question, actor, lang, constraints, setup.told())
        self._recorder = Recorder(setup, self.trace)
        self._began = 0.0
        self._reply = ""
        self._streamed: StreamedReply | None = None
        self._decision: Decision | None = None

    # --- the way --------------------------------------------------------------------------------------------------

    def steps(self, *, streaming: bool) -> Steps[None]:
        """All stages; the last thing yielded is `AnswerDone`. Without `streaming` nothing leaves before it."""
        found = yield Retrieve((self.question, self.actor, self.limit), {"constraints": self._constraints})
        ending = yield Compute(lambda: self._deliver(found))
        if streaming:
            yield EvidenceDelivered(self._retrieved)
        if ending is not None:
            yield from self._leave(self._ended(ending))
            return
        self._began = time.monotonic()
        answer = yield from self._exchange(streaming=streaming)
        if answer.code is ReasonCode.CONTEXT_TOO_LONG and len(self._evidence) > 1 and self._streamed is None:
            ending = yield Compute(self._cut_down)
            if streaming:
                yield EvidenceDelivered(self._retrieved)
            answer = self._ended(ending) if ending else (yield from self._exchange(streaming=streaming))
        told = self._streamed is not None
        repair = repair_of(answer, self._reply) if self._setup.repair else None
        if repair is not None and not (streaming and answer.is_grounded):  # what a stream released stands
            first, decision, second = answer, self._decision, None
            if (yield Compute(self._stands)):
                second = yield from self._exchange(repair, streaming=streaming)
            if decision is not None and first.is_grounded:  # what was let go before the second call may be gone since
                first = yield Compute(partial(self._release, decision))
            answer = first if second is None else better(first, second)
            told = self._streamed is not None or (told and answer is first)
        yield from self._leave(answer, tell=streaming and not told)

    def _leave(self, answer: Answer, *, tell: bool = False) -> Steps[None]:
        """Record the answer, then let it go."""
        answer = replace(answer, widened=self.trace.widened, partial=self._partial)
        complete = AnswerDone.of(answer).complete
        recorded = yield Compute(lambda: self._recorder.write(answer, complete=complete), self._recorder.wanted)
        if isinstance(recorded, Unrecorded):
            before = None if self._streamed is None else self._streamed.recorded
            recorded = unrecorded(recorded, before, self._retrieved, self.lang)
        if tell:
            yield from events_of(recorded)
        yield AnswerDone.of(recorded)

    def _exchange(self, repair: Repair | None = None, *, streaming: bool) -> Steps[Answer]:
        """One reply of the synthesizer through gate and release."""
        outcome = yield Ask(self._request(repair), streaming)
        if isinstance(outcome, Opened):
            outcome = yield from self._read_on()
        reply = self._proposed(outcome)
        self._reply = str(getattr(reply, "reply", ""))
        if self._streamed is None:
            if isinstance(reply, Ending):
                self._note(reply, None, reply.code)
                return self._ended(reply)
            answer: Answer = yield Compute(lambda: self._decide(reply))
            return answer
        if isinstance(reply, Ending):
            self._streamed.break_off(reply.code, reply.detail)
        elif not self._streamed.stopped:
            yield from (yield Compute(partial(self._streamed.finish, reply), self._recorder.wanted))
        answer = self._streamed.answer(self._retrieved, self.lang)
        if isinstance(reply, Ending):
            answer = replace(answer, retry_after=reply.retry_after)
        whole = reply if isinstance(reply, Proposal) else self._streamed.proposal
        self._note(reply, self._streamed.decision, answer.interrupted or answer.code, whole)
        return answer

    def _request(self, repair: Repair | None) -> SynthesisRequest:
        """A new exchange begins."""
        self._streamed = self._decision = None
        spent = max(0.0, time.monotonic() - self._began)
        setup = self._setup
        return SynthesisRequest(self.question, self._evidence, self.lang, setup.cite, spent, repair, self._context)

    def _read_on(self) -> Steps[object]:
        """Read a stream: each claim that may leave does so at once. The outcome is the stream's last part."""
        while True:
            part = yield ReadOn()
            if not isinstance(part, WholeClaim):
                break
            if self._streamed is None:
                self._streamed = yield Compute(self._open_reply)
            yield from (yield Compute(partial(self._streamed.take, part), self._recorder.wanted))
            if self._streamed.stopped:
                break
        yield Close()
        return part

    # --- evidence -------------------------------------------------------------------------------------------------

    @property
    def _retrieved(self) -> tuple[str, ...]:
        return tuple(passage.key for passage in self._evidence)

    @property
    def _partial(self) -> bool:
        """Was there a channel that failed, or did not look everywhere?"""
        return any(status != "ok" for status in self.trace.channels.values())

    def _deliver(self, outcome: object) -> Ending | None:
        """Snapshot what the retriever returned, as far as it may be shown and fits."""
        if isinstance(outcome, Raised):
            return Ending(ReasonCode.RETRIEVAL_UNAVAILABLE, f"the retriever raised {outcome.kind}")
        passages = passages_of(outcome, self.limit)
        if passages is None:
            return Ending(ReasonCode.RETRIEVAL_UNAVAILABLE, "two different passages share one key")
        trace, setup = self.trace, self._setup
        trace.found = found_keys(outcome, passages)
        channels, eligible = getattr(outcome, "channels", None), getattr(outcome, "eligible", None)
        trace.channels = dict(channels) if isinstance(channels, Mapping) else {}
        trace.eligible = eligible if type(eligible) is int else None
        trace.widened = getattr(outcome, "widened", False) is True
        shown = self._as_stored(passages)
        if isinstance(shown, Raised):
            return _store_failed(shown)
        home = _keys([passage for passage in shown if passage.local_only and self._constraints.remote])
        open_to = _keys(shown) - home
        self._show(
            [passage for passage in shown if passage.key in open_to],
            tuple(passage.key for passage in passages if passage.key not in open_to),
        )
        if not self._evidence and self._partial:  # nobody looked there
            return Ending(
                ReasonCode.RETRIEVAL_UNAVAILABLE, "a channel of retrieval failed, and no other found what may be shown"
            )
        if not self._evidence:
            return Ending(ReasonCode.NO_EVIDENCE, "what was found may not be shown to a remote model" if home else "")
        if setup.budget is not None:
            self._show(*fitted(self._evidence, setup.budget, setup.size))
        self._read_around()
        return None if self._evidence else Ending(ReasonCode.CONTEXT_TOO_LONG, "no passage fits the budget")

    def _read_around(self) -> None:
        """The passages around the evidence, by rank, each once, as far as the budget goes; without them where the store
        cannot tell.
        """
        setup = self._setup
        if not setup.context:
            return
        seen = {passage.key for passage in self._evidence}
        room = math.inf if setup.budget is None else setup.budget - sum(map(setup.size, self._evidence))
        for passage in self._standing(self._evidence):
            around = outcome_of(partial(self._store.neighbours, passage.key, self.actor, setup.context))
            kept = []
            for other in self._standing(around if isinstance(around, tuple) else ()):
                size = setup.size_around(other)
                stays = other.local_only and self._constraints.remote
                if other.key not in seen and size <= room and not stays:
                    kept.append(other)
                    seen.add(other.key)
                    room -= size
            if kept:
                self._context[passage.key] = tuple(kept)
        self.trace.context = tuple(other for around in self._context.values() for other in around)

    def _as_stored(self, passages: Sequence[Passage]) -> Sequence[Passage] | Raised:
        """Where another than the store has ranked: what the store has and would release, as it has it."""
        store = self._setup.store
        if self._setup.retriever is store or not callable(getattr(store, "passage", None)):
            return passages
        return as_stored(self._store, passages, self.actor)

    def _standing(self, passages: Sequence[Passage]) -> Sequence[Passage]:
        """Those that the store would release now; none where it cannot tell."""
        found = standing(self._store, passages, self.actor)
        return () if isinstance(found, Raised) else found

    def _stands(self) -> bool:
        """May all that the model was shown be sent to it again? Its reply, which may quote any of it, goes with it."""
        shown = (*self._evidence, *self.trace.context)
        return self._store is None or len(self._standing(shown)) == len(shown)

    def _cut_down(self) -> Ending | None:
        """Fewer passages and none around them, for a model whose context they did not fit; none that is gone since."""
        self._context, self.trace.context = {}, ()
        if self._store is not None:
            left = standing(self._store, self._evidence, self.actor)
            if isinstance(left, Raised):
                return _store_failed(left)
            still = _keys(left)
            self._show(left, tuple(key for key in self._retrieved if key not in still))
        if len(self._evidence) > 1:
            self._show(*cut_down(self._evidence, self._setup.size))
        return None if self._evidence else Ending(ReasonCode.NO_EVIDENCE)

    def _show(self, passages: Sequence[Passage], left_out: tuple[str, ...]) -> None:
        self._evidence = tuple(passages)
        self.trace.delivered = self._evidence
        self.trace.left_out += left_out

    # --- verdicts -------------------------------------------------------------------------------------------------

    def _proposed(self, outcome: object) -> object:
        """What the synthesizer returned, as the gate takes it, or why there is nothing."""
        if isinstance(outcome, Raised):
            return Ending(ReasonCode.PROVIDER_UNAVAILABLE, f"the synthesizer raised {outcome.kind}")
        if isinstance(outcome, Ended):
            return Ending(ReasonCode.TRUNCATED, "the synthesizer's stream ended without its last word")
        if isinstance(outcome, SynthesisFailure):  # a failure is never a success, whatever it calls itself
            failed = ReasonCode.PROVIDER_UNAVAILABLE if outcome.code is ReasonCode.OK else outcome.code
            return Ending(failed, words_of(outcome), outcome.attempts, wait_of(outcome))
        return outcome

    def _decide(self, reply: Any) -> Answer:
        """Gate, then release, of a whole reply."""
        decision = self._gate().judge(reply, question=self.question)
        self._note(reply, decision, decision.code, reply)
        self._decision = decision
        return self._release(decision)

    def _release(self, decision: Decision) -> Answer:
        """What may leave of a decision now."""
        return release(
            decision,
            evidence=self._evidence,
            store=self._store,
            actor=self.actor,
            question=self.question,
            wording=self._setup.policy["wording"],
            lang=self.lang,
        )

    def _open_reply(self) -> StreamedReply:
        growing = GrowingAnswer(
            evidence=self._evidence,
            store=self._store,
            actor=self.actor,
            question=self.question,
            wording=self._setup.policy["wording"],
            lang=self.lang,
        )
        return StreamedReply(self._gate(), growing, self._recorder, self.question, self._setup.policy["limits"])

    def _gate(self) -> Gate:
        return Gate(self._evidence, documents=self._documents(), **self._setup.policy)

    def _documents(self) -> list[Any]:
        """Under scope="document", the whole texts that a quote may run on in; none where there is no store to ask."""
        store = self._store
        if store is None or self._setup.policy["scope"] != "document":
            return []
        texts = outcome_of(lambda: store.texts([passage.key for passage in self._evidence], self.actor))
        return texts if isinstance(texts, list) else []

    def _note(self, reply: object, decision: Decision | None, code: ReasonCode, proposal: object = None) -> None:
        """Keep the exchange for the record."""
        attempts = getattr(reply, "attempts", 1)
        count = attempts if type(attempts) is int else 1
        note = reply.note if isinstance(reply, WrittenProposal) else ""
        self.trace.exchanges.append(Attempt(count, proposal, decision, str(code), note=note))

    def _ended(self, ending: Ending) -> Answer:
        """Abstain before the gate."""
        return Answer(
            ending.code,
            lang=self.lang,
            retrieved=self._retrieved,
            detail=ending.detail,
            retry_after=ending.retry_after,
        )


def _store_failed(fault: Raised) -> Ending:
    return Ending(ReasonCode.RETRIEVAL_UNAVAILABLE, f"the store raised {fault.kind}")


def _keys(passages: Sequence[Passage]) -> frozenset[str]:
    return frozenset(passage.key for passage in passages)
