"""Pointing instead of quoting: the model answers with sentence numbers, and the words are cut from the source here.

No word of a quote passes through the model, so none can be altered on the way. The quotes then go through the same
gate as any other. Neighbouring sentences of one citation become one quote; others become citations of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from verified_gate.model import Location, Malformed, Passage, ProposedCitation, ProposedClaim
from verified_gate.text.sentences import sentence_spans

_CONTEXT = 64
"""Code points of prefix and suffix that single out a sentence which stands more than once."""

_MAX_NUMBERS = 100
"""Sentence numbers of one citation that are looked at; more are a fault, not a citation."""


MAX_WORK = 20_000_000
"""Code points of passages that the citations of one proposal may make us look through: a short pointer can name a
long passage many times."""


def sentences_of(passage: Passage) -> Iterator[tuple[int, int, Location]]:
    """The sentences of a passage that its reader sees, with the place that each begins at; none goes on in another row of
    a table.
    """
    at, place = 0, passage.location
    for offset, there in (*passage.turns, (len(passage.text), passage.location)):
        if there.row != place.row or offset == len(passage.text):
            for start, end in sentence_spans(passage.text[at:offset]):
                if not passage.hides(at + start, at + end):
                    yield at + start, at + end, place
            at, place = offset, there


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage with the spans of its sentences; the first sentence is number 1."""

    passage: Passage
    spans: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, passage: Passage) -> "NumberedPassage":
        """Number the sentences of `passage` that its reader sees."""
        return cls(passage, tuple((start, end) for start, end, _ in sentences_of(passage)))

    def runs(self, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Runs of neighbouring sentences, in their order; they end where something stands between that nobody sees."""
        for first, last in _runs(numbers):
            if self.passage.hides(self.spans[first - 1][0], self.spans[last - 1][1]):
                yield from ((number, number) for number in range(first, last + 1))
            else:
                yield first, last

    def cut(self, key: str, first: int, last: int) -> ProposedCitation:
        """The sentences from number `first` to number `last` as one citation."""
        return self._cut(key, self.spans[first - 1][0], self.spans[last - 1][1])

    def _cut(self, key: str, start: int, end: int) -> ProposedCitation:
        text = self.passage.text
        quote = text[start:end]
        if text.find(quote) == start and text.find(quote, start + 1) < 0:
            return ProposedCitation(key, quote)
        prefix, suffix = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
        return ProposedCitation(key, quote, prefix or None, suffix or None)


class QuoteCutter:
    """Replaces what each citation of a reply's claims points at by the quote, claim by claim.

    A citation of an unknown key stays as it is, for the gate to refuse; numbers that are none of the passage make
    it `Malformed`. What the model wrote as a quote of its own is dropped.
    """

    def __init__(self, numbered: Mapping[str, NumberedPassage]) -> None:
        self._numbered = numbered
        self._work = MAX_WORK

    def claim(self, claim: ProposedClaim, raw: object, where: str) -> ProposedClaim:
        """The claim with quotes; `raw` is the JSON it was parsed from, and `where` its place in the reply."""
        pairs = zip(claim.citations, _list(raw, "citations"), strict=True)
        citations = [
            part
            for place, (citation, pointer) in enumerate(pairs)
            for part in self._citations(citation, pointer, f"{where}.citations[{place}].sentences")
        ]
        return ProposedClaim(claim.text, tuple(citations))

    def _citations(
        self, citation: ProposedCitation | Malformed, pointer: object, where: str
    ) -> Iterator[ProposedCitation | Malformed]:
        if isinstance(citation, Malformed):
            yield citation
            return
        passage = self._numbered.get(citation.key)
        if passage is None:
            yield ProposedCitation(citation.key)
            return
        numbers = _numbers(pointer, len(passage.spans))
        if not numbers:
            yield Malformed(where, "must be a list of numbers of sentences in that passage")
            return
        for first, last in passage.runs(numbers):
            self._work -= len(passage.passage.text)
            if self._work < 0:
                yield Malformed(where, "points at more text than one reply may")
                return
            yield passage.cut(citation.key, first, last)


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The runs of neighbouring numbers, in their order in the source. `numbers` is not empty."""
    ordered = sorted(set(numbers))
    first = ordered[0]
    for number, following in zip(ordered, [*ordered[1:], 0], strict=True):
        if following != number + 1:
            yield first, number
            first = following


def _numbers(pointer: object, count: int) -> list[int]:
    """The sentence numbers of a citation; none where one of them is no number of a sentence."""
    numbers = _list(pointer, "sentences")
    if len(numbers) > _MAX_NUMBERS:
        return []
    whole = [number for number in numbers if type(number) is int and 1 <= number <= count]
    return whole if len(whole) == len(numbers) else []


def _list(value: object, name: str) -> list[object]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []
