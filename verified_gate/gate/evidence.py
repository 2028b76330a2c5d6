"""Steps 2 and 3: the snapshot of what this run delivered, hashed when it is taken."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from verified_gate.gate.reading import Text
from verified_gate.model.folds import PROFILES
from verified_gate.model.passage import Passage, sha256_of_text

_WIDEST_GAP: Final = 64
"""Passages of one document that are closer than this are neighbours; only white space is expected between."""


@dataclass(frozen=True, slots=True)
class Source:
    """A delivered passage with the hash the gate took of it. `intact`: that hash is the pin, where there is one."""

    passage: Passage
    sha256: str
    intact: bool
    reading: Text


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a document that holds delivered passages, from `base` on. `whole`: no character in it is unknown.
    `loose`: the same under `typographic`, to tell that a quote crosses a border. `hidden`: what a reader does not see.
    """

    base: int
    whole: bool
    reading: Text
    loose: Text
    hidden: frozenset[tuple[int, int]]


class Evidence:
    """The passages of one run by key, and the documents they come from where these were given too.

    Raises `ValueError` for two different passages under one key, and `TypeError` for what is no passage.
    """

    def __init__(
        self,
        evidence: Mapping[str, str] | Iterable[Passage],
        documents: Iterable[str | Passage],
        folds: frozenset[str],
    ) -> None:
        self._folds = folds
        wholes = [Passage("", each) if isinstance(each, str) else each for each in documents]
        self._documents = {str(sha256_of_text(each.text)): each for each in wholes}
        self._runs: dict[str, Run] = {}
        self.sources: dict[str, Source] = {}
        for passage in _passages(evidence):
            known = self.sources.get(passage.key)
            if known is not None and known.passage != passage:
                raise ValueError("two different passages have the same key")
            if known is None:
                digest = sha256_of_text(passage.text)
                intact = passage.sha256 is None or passage.sha256.lower() == digest
                whole = self._documents.get((passage.text_sha256 or "").lower())
                if whole is not None and passage.start is not None:  # a place that the document contradicts
                    intact = intact and whole.text.startswith(passage.text, passage.start)
                self.sources[passage.key] = Source(
                    passage, digest, intact, Text(passage.text, folds, passage.furniture)
                )
        self.size = sum(len(source.passage.text) for source in self.sources.values())

    def neighbours(self, passage: Passage) -> list[Passage]:
        """The delivered passages of the same document version whose place is known, in order."""
        same = [
            source.passage
            for source in self.sources.values()
            if source.intact
            and source.passage.start is not None
            and source.passage.document_id
            and _version_of(source.passage) == _version_of(passage)
        ]
        return sorted(same, key=lambda other: (other.start or 0, other.key))

    def run(self, passage: Passage) -> Run | None:
        """The document of a passage, or the stretch of it that its delivered neighbours cover; None where its
        place is unknown or the document that was given does not hold it.
        """
        if passage.start is None:
            return None
        whole = self._documents.get((passage.text_sha256 or "").lower())
        if whole is not None:
            name = f"text {passage.text_sha256}"
            if name not in self._runs:
                self._runs[name] = self._run_of(0, whole.text, [(0, whole)], whole=True)
            return self._runs[name] if whole.text.startswith(passage.text, passage.start) else None
        if f"key {passage.key}" not in self._runs:
            self._join(self.neighbours(passage))
        return self._runs.get(f"key {passage.key}")

    def _join(self, passages: list[Passage]) -> None:
        """Make the runs of one document's passages, which stand in order."""
        base, joined, whole, members = 0, "", True, list[Passage]()
        for passage in [*passages, None]:
            start = passage.start or 0 if passage else 0
            gap = start - base - len(joined)
            overlap = joined[start - base :] if gap < 0 else ""
            if passage and members and gap <= _WIDEST_GAP and passage.text.startswith(overlap[: len(passage.text)]):
                whole = whole and gap <= 0
                joined += " " * max(0, gap) + passage.text[len(overlap) :]
                members.append(passage)
                continue
            run = self._run_of(base, joined, [((each.start or 0) - base, each) for each in members], whole=whole)
            self._runs |= {f"key {each.key}": run for each in members}
            if passage:
                base, joined, whole, members = start, passage.text, True, [passage]

    def _run_of(self, base: int, text: str, parts: list[tuple[int, Passage]], *, whole: bool) -> Run:
        marked = sorted({(at + start, at + end) for at, part in parts for start, end in part.furniture})
        hidden = frozenset((at + start, at + end) for at, part in parts for start, end in part.hidden)
        loose = Text(text, PROFILES["typographic"].folds)
        return Run(base, whole, Text(text, self._folds, tuple(marked)), loose, hidden)


def _version_of(passage: Passage) -> tuple[str, str, str, str | None]:  # another tenant's is told by its key alone
    return passage.key.rpartition("#")[0], passage.document_id, passage.version, passage.text_sha256


def _passages(evidence: object) -> Iterable[Passage]:
    if isinstance(evidence, Mapping):
        return [Passage(key=key, text=text) for key, text in evidence.items()]
    passages: list[Any] = list(evidence) if isinstance(evidence, Iterable) else [evidence]
    if not all(isinstance(passage, Passage) for passage in passages):
        raise TypeError("evidence must be a mapping of key to text, or passages")
    return passages
