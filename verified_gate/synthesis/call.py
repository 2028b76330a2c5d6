"""One question's way to an answer: attempts, waits, and asking for JSON less strictly, until the deadline."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import tenacity

from verified_gate.model import Proposal, ReasonCode
from verified_gate.synthesis.connection import Connection, NoAnswer
from verified_gate.synthesis.environment import ModelSettings
from verified_gate.synthesis.fault import ALWAYS, Fault, ModelText
from verified_gate.synthesis.incremental import IncrementalReply
from verified_gate.synthesis.live import LiveReply
from verified_gate.synthesis.prompt import MAX_REPLY_SHOWN, Prompt, unescape
from verified_gate.synthesis.protocol import SynthesisFailure, WholeClaim, WrittenProposal
from verified_gate.synthesis.reply import read_reply, reply_schema
from verified_gate.synthesis.wire import AnswerReader

_LOG = logging.getLogger(__name__)

FORMATS: Final = ("json_schema", "json_object", "prompt only")
"""How JSON is asked for, most demanding first."""

READ_AT_ONCE: Final = 50_000
"""Characters of a reply that are searched for their JSON on the loop itself, which takes some milliseconds."""

_BACKOFF = tenacity.wait_exponential(multiplier=0.5, max=8) + tenacity.wait_random(0, 0.5)
_SCATTER = tenacity.wait_random(0, 0.5)
"""Added to a wait that the server names, so that not all who were told it come back in the same instant."""


@dataclass(slots=True)
class Ladder:
    """The most demanding of `FORMATS` that the server is known to take, as a position. It only goes down."""

    rung: int = 0
    streams: bool = True
    """False once the server has refused to stream, and gave the whole instead."""

    def remember(self, rung: int, place: str, *, streams: bool) -> None:
        """Note that `rung` worked, with or without a stream, so that what is above it is not tried again."""
        if rung > self.rung:
            self.rung = rung
            _LOG.info("%s takes no %s; from now on JSON is asked for by %s", place, FORMATS[rung - 1], FORMATS[rung])
        if self.streams and not streams:
            self.streams = False
            _LOG.info("%s does not stream; from now on it is asked for whole answers", place)


@dataclass(frozen=True, slots=True)
class Timing:
    """The clocks: `clock` in seconds for the deadline, `now` in seconds since 1970 for dates, `sleep` to wait."""

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Call:
    """Makes the attempts for one prompt. `attempts` counts the requests that were sent.

    `spent` are seconds of the deadline that are gone already. Where `give` is set the reply is asked for as a stream, and
    `give` gets each claim once it is whole; after the first one nothing is asked again.
    """

    def __init__(
        self,
        prompt: Prompt,
        settings: ModelSettings,
        connection: Connection,
        ladder: Ladder,
        timing: Timing,
        max_attempts: int,
        spent: float = 0.0,
        give: Callable[[WholeClaim], None] | None = None,
    ) -> None:
        self.attempts = 0
        self._give = give
        self._live: LiveReply | None = None
        self._reader: AnswerReader | None = None
        """Of the answer that is coming in."""
        self._rung, self._streams = ladder.rung, give is not None and ladder.streams
        self._prompt = prompt
        self._settings = settings
        self._connection = connection
        self._ladder = ladder
        self._timing = timing
        self._max_attempts = max_attempts
        self._seconds = max(0.0, settings.deadline - spent)
        self._deadline = timing.clock() + self._seconds

    async def run(self) -> Proposal | SynthesisFailure:
        """Ask until there is an answer, asking again cannot help, or the time is up."""
        try:
            async with asyncio.timeout(self._seconds):
                retrying = tenacity.AsyncRetrying(
                    sleep=self._timing.sleep,
                    retry=self._can_help,
                    wait=self._wait,
                    stop=self._must_stop,
                    retry_error_callback=_outcome,
                )
                return await self._read(await retrying(self._attempt))
        except TimeoutError:
            reader = self._reader
            if reader is None or reader.patience is None:
                return self._failure(self._late())
        return await self._read(reader.outcome(self._timing.now()))  # its end was there, only not the connection's

    # --- attempts ---------------------------------------------------------------------------------------------

    async def _attempt(self) -> ModelText | Fault:
        """Ask once; where the server refuses the response format or to stream, at once again for less."""
        outcome = await self._ask()
        while isinstance(outcome, Fault) and not self._given:
            if outcome.stream_refused and self._streams:
                self._streams = False
            elif _is_about_format(outcome, self._rung):
                self._rung += 1
            else:
                break
            outcome = await self._ask()
        if isinstance(outcome, ModelText):
            self._ladder.remember(self._rung, self._connection.place, streams=self._streams or self._give is None)
        return outcome

    async def _ask(self) -> ModelText | Fault:
        left = self._deadline - self._timing.clock()
        if left <= 0:
            return self._late()
        self.attempts += 1
        self._live = None
        if self._streams and self._give is not None:
            prompt = self._prompt
            reply = IncrementalReply(prompt.aliases, unescape=unescape, numbered=prompt.numbered)
            self._live = LiveReply(reply, self._give, self.attempts)
        self._reader = reader = AnswerReader(None if self._live is None else self._live.hear)
        broken = await self._connection.post(self._body(), left, reader)
        self._reader = None
        outcome = reader.outcome(self._timing.now(), None if broken is None else _fault_of(broken))
        said = outcome.code if isinstance(outcome, Fault) else "text"
        _LOG.debug("attempt %d at %s (%s): %s", self.attempts, self._connection.place, FORMATS[self._rung], said)
        return outcome

    @property
    def _given(self) -> bool:
        """Has a claim of this reply left? Then another reply cannot take its place."""
        return self._live is not None and self._live.given > 0

    def _body(self) -> dict[str, Any]:
        """The fewest parameters: servers differ in what else they take."""
        body: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [
                {"role": "system", "content": self._prompt.system},
                *({"role": role, "content": content} for role, content in self._prompt.turns),
            ],
        }
        if self._streams:
            body["stream"] = True
        if self._settings.options:
            body["extra_body"] = dict(self._settings.options)
        if FORMATS[self._rung] == "json_schema":
            schema = reply_schema(tuple(self._prompt.aliases), pointing=bool(self._prompt.numbered))
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            }
        elif FORMATS[self._rung] == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    # --- asking again -----------------------------------------------------------------------------------------

    def _can_help(self, state: tenacity.RetryCallState) -> bool:
        assert state.outcome is not None
        if state.outcome.failed or self._given:
            return False
        outcome = state.outcome.result()
        return isinstance(outcome, Fault) and state.attempt_number <= outcome.retry

    def _wait(self, state: tenacity.RetryCallState) -> float:
        fault = _outcome(state)
        asked = fault.wait if isinstance(fault, Fault) else None
        return _BACKOFF(state) if asked is None else asked + _SCATTER(state)

    def _must_stop(self, state: tenacity.RetryCallState) -> bool:
        return state.attempt_number >= self._max_attempts or not self._fits(state.upcoming_sleep)

    def _fits(self, wait: float) -> bool:
        return self._timing.clock() + wait < self._deadline

    # --- results ----------------------------------------------------------------------------------------------

    def _late(self) -> Fault:
        detail = f"no answer from {self._connection.place} within {self._settings.deadline:g} seconds"
        return Fault(ReasonCode.DEADLINE_EXCEEDED, detail)

    def _failure(self, fault: Fault) -> SynthesisFailure:
        if fault.wait is not None and not self._fits(fault.wait):
            detail = f"{fault.detail}; the server asks to wait {fault.wait:g} seconds, longer than the deadline allows"
            return SynthesisFailure(ReasonCode.RATE_LIMITED, detail, fault.wait, self.attempts)
        return SynthesisFailure(fault.code, fault.detail, fault.wait, self.attempts)

    async def _read(self, outcome: ModelText | Fault) -> Proposal | SynthesisFailure:
        if isinstance(outcome, Fault):
            return self._failure(outcome)
        if len(outcome.text) > READ_AT_ONCE:  # others go on meanwhile, and the deadline holds
            return await asyncio.to_thread(self._parsed, outcome)
        return self._parsed(outcome)

    def _parsed(self, found: ModelText) -> Proposal | SynthesisFailure:
        if found.detail:
            _LOG.info("%s answered with %s", self._connection.place, found.detail)
        reply = read_reply(found.text, self._prompt.aliases, unescape=unescape, numbered=self._prompt.numbered)
        if isinstance(reply, Proposal):
            written = found.text if len(found.text) <= MAX_REPLY_SHOWN else ""
            note = "; ".join(filter(None, [found.detail, found.finish and f"finish_reason {found.finish}"]))
            return WrittenProposal(reply.status, reply.claims, reply.aliases, self.attempts, written, note)
        detail = "; ".join(part for part in (reply.detail, found.detail) if part)
        return SynthesisFailure(reply.code, detail, attempts=self.attempts)


def _fault_of(broken: NoAnswer) -> Fault:
    code = ReasonCode.DEADLINE_EXCEEDED if broken.late else ReasonCode.PROVIDER_UNAVAILABLE
    return Fault(code, broken.detail, ALWAYS if broken.retry else 0)


def _is_about_format(fault: Fault, rung: int) -> bool:
    """May asking for JSON less strictly help? At json_object a 400 without a cause counts: few servers name it."""
    if rung + 1 == len(FORMATS):
        return False
    return fault.format_refused or (fault.unexplained and FORMATS[rung] == "json_object")


def _outcome(state: tenacity.RetryCallState) -> ModelText | Fault:
    assert state.outcome is not None
    outcome: ModelText | Fault = state.outcome.result()
    return outcome
