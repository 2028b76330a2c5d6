"""A corpus and a synthesizer under the test's control. Both speak the real protocols and can be edited mid-test.

corpus = CorpusSimulator()
returns = corpus.add("returns", "You can return a bike within 30 days of delivery.")
enemy = AdversarialSynthesizer().claim("30 days.", (returns, "within 30 days of delivery"))
enemy.meanwhile = lambda: corpus.remove("returns")       # runs after retrieval and before release
AnswerEngine(corpus, synthesizer=enemy).answer("How long?")
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from verified_gate.corpus.protocol import Pin
from verified_gate.model import Access, Actor, Passage, Proposal, ReasonCode, parse_proposal, sha256_of_text
from verified_gate.synthesis.protocol import SynthesisFailure, SynthesisRequest


@dataclass
class Stored:
    """One version of a document; `text` may be tampered with behind the pin's back."""

    passage: Passage
    access: Access
    current: bool = True
    text: str = ""


@dataclass
class CorpusSimulator:
    """An in-memory store of one passage a version; `calls` counts what was asked of it."""

    documents: dict[str, Stored] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=lambda: {"retrieve": 0, "disclose": 0})
    broken: Exception | None = None
    """What `disclose` raises, where set."""

    def add(
        self,
        document_id: str,
        text: str,
        *,
        version: str = "1",
        title: str = "",
        tenant: str | None = None,
        groups: Sequence[str] = (),
        **place: Any,
    ) -> str:
        """Store a version; it becomes the current one. Returns the key of its passage."""
        scope = f"{tenant}:" if tenant else ""
        key = f"{scope}{document_id}@{version}#c0"
        passage = Passage(
            key,
            text,
            document_id,
            title or document_id,
            version,
            start=place.pop("start", 0),
            sha256=sha256_of_text(text),
            text_sha256=sha256_of_text(text),
            file_sha256=sha256_of_text(text),
            **place,
        )
        for other in self.documents.values():
            if other.passage.document_id == document_id and other.access.tenant == tenant:
                other.current = False
        self.documents[key] = Stored(passage, Access(tenant, frozenset(groups)), text=text)
        return key

    def window(self, key: str, start: int, end: int, name: str) -> str:
        """Store a further passage that overlaps: `[start, end)` of the same version."""
        whole = self.documents[key]
        text = whole.text[start:end]
        passage = replace(
            whole.passage, key=f"{key.partition('#')[0]}#{name}", text=text, start=start, sha256=sha256_of_text(text)
        )
        self.documents[passage.key] = Stored(passage, whole.access, text=text)
        return passage.key

    def remove(self, key: str) -> None:
        del self.documents[key]

    def revoke(self, key: str, groups: Sequence[str] = ("nobody",)) -> None:
        """Only members of `groups` of its tenant may read it from now on."""
        stored = self.documents[key]
        stored.access = Access(stored.access.tenant or "another", frozenset(groups))

    def edit(self, key: str, text: str) -> None:
        """Change the text under the same version label, with a new pin."""
        stored = self.documents[key]
        stored.text = text
        stored.passage = replace(stored.passage, text=text, sha256=sha256_of_text(text))

    def tamper(self, key: str, text: str) -> None:
        """Change the stored text without its pin, as a flipped byte on a disk does."""
        stored = self.documents[key]
        stored.text = text
        stored.passage = replace(stored.passage, text=text)

    def retrieve(self, question: str, actor: Actor | None, limit: int) -> list[Passage]:
        """Every current passage the actor may read that shares a word with the question, in order of their keys."""
        self.calls["retrieve"] += 1
        asked = set(question.casefold().replace("?", "").split())
        return [
            stored.passage
            for _, stored in sorted(self.documents.items())
            if stored.current
            and stored.access.permits(actor)
            and asked & set(stored.text.casefold().replace(".", "").split())
        ][:limit]

    def disclose(self, pins: Sequence[Pin], actor: Actor | None) -> list[ReasonCode | None]:
        self.calls["disclose"] += 1
        if self.broken is not None:
            raise self.broken
        return [self._disclosed(pin, actor) for pin in pins]

    def _disclosed(self, pin: Pin, actor: Actor | None) -> ReasonCode | None:
        stored = self.documents.get(pin.key)
        if stored is None or not stored.access.permits(actor):
            return ReasonCode.UNAVAILABLE
        if sha256_of_text(stored.text) != stored.passage.sha256:
            return ReasonCode.INTEGRITY_FAILURE
        if stored.passage.sha256 != pin.passage_sha256 or stored.passage.version != pin.version:
            return ReasonCode.SOURCE_CHANGED
        return None if stored.current else ReasonCode.SUPERSEDED

    def dump(self) -> str:
        """The corpus for a human who looks at a failing test."""
        return "\n".join(
            f"{'*' if stored.current else ' '} {key} {stored.access.tenant or 'public'} {stored.text!r}"
            for key, stored in sorted(self.documents.items())
        )


@dataclass
class AdversarialSynthesizer:
    """Proposes what the test tells it to; what it was asked is in `requests`."""

    reply: dict[str, Any] = field(default_factory=lambda: {"status": "answered", "claims": []})
    failure: SynthesisFailure | Exception | None = None
    meanwhile: Callable[[], object] | None = None
    """Runs once the evidence is delivered: what changes in the corpus while a model writes."""

    requests: list[SynthesisRequest] = field(default_factory=list)

    def claim(self, text: str, *citations: tuple[Any, Any] | dict[str, Any]) -> "AdversarialSynthesizer":
        """Propose one more claim; a citation is `(key, quote)` or the object as it stands in the reply."""
        cited = [part if isinstance(part, dict) else {"key": part[0], "quote": part[1]} for part in citations]
        self.reply["claims"].append({"text": text, "citations": cited})
        return self

    def synthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        self.requests.append(request)
        if self.meanwhile is not None:
            self.meanwhile()
        if isinstance(self.failure, Exception):
            raise self.failure
        if self.failure is not None:
            return self.failure
        proposal = parse_proposal(json.loads(json.dumps(self.reply)))
        assert isinstance(proposal, Proposal), proposal
        return proposal


class AsyncAdversarialSynthesizer(AdversarialSynthesizer):
    """The same, to be awaited only."""

    async def asynthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        return AdversarialSynthesizer.synthesize(self, request)

    synthesize = None  # type: ignore[assignment]
