"""The synthesizer without a model: picks the sentences that answer, as they stand. Deterministic, no key, no network.

The rule, in a person's words:

1. The question's content words are what is left without question words and the like. Words meet where their first
   letters do. A word that few of the delivered passages hold weighs more, a name or a number half as much again.
2. A passage speaks of the question as far as it holds those words: two thirds count how often it says each
   (once is half, twice two thirds, …), one third how much of the question its best sentence holds at once. Title and
   heading count as words of the passage.
3. Under `THRESHOLD` no passage speaks of the question well enough: `no_evidence`. The same where the question names
   someone or something, or a number of three digits or more, that no delivered passage holds.
4. A sentence is worth what it holds of the question itself, half of what only the title, the heading or the sentence
   before it hold, and the score of its passage. The best one is proposed, with at most two more that are nearly
   as good; each quotes itself. Questions and headings are not answers.
5. A row of a table is a sentence of its own. What heads it and its cells counts as its words in 2, and as what stands
   before it in 4.

`benchmarks/abstention.py` measures the rule; its words and numbers were chosen on half of the questions there
(the threshold on all of them).
"""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from verified_gate.gate import Gate
from verified_gate.model import Location, Passage, Proposal, ProposedCitation, ProposedClaim, ReasonCode
from verified_gate.model.citation import CELL_IN_LINES
from verified_gate.synthesis.pointer import sentences_of
from verified_gate.synthesis.protocol import SynthesisFailure, SynthesisRequest
from verified_gate.synthesis.question_words import content_words, meeting_forms, names_are_marked, names_in
from verified_gate.text.layout import BETWEEN_CELLS, without

THRESHOLD: Final = 1 / 3
MAX_CLAIMS: Final = 3
NOT_TOLD: Final = (
    "no sentence found may be told as it stands (links, marks and brackets may not): search shows the passages"
)

_NAME_WEIGHT: Final = 1.5
_CONTEXT_WEIGHT: Final = 0.5
_NEARLY_AS_GOOD: Final = 0.8
_MAX_SENTENCE: Final = 2_000
"""Code points of the longest sentence proposed: a text without sentence ends is no answer to read."""
_MAX_TRIED: Final = 20
"""Sentences shown to the gate, best first, until enough of them may leave."""
_SHORTEST_NAME: Final = 3
_LINK: Final = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{0,2000}(?: \"[^\"\n]{0,300}\")?\)")
_EMPHASIS: Final = re.compile(
    r"(?<![*_])(\*{2,3}|_{2,3})(?=[^\s*_])([^*_\n]{1,1000})(?<!\s)\1(?![*_])|(?<!`)`([^`\n]{1,1000})`(?!`)"
)
_BREAK: Final = re.compile(r"<br ?/?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """`passage.text[start:end]`; `place` is its number in the passage, `rank` the passage's number in the evidence;
    `cells` tells that `|` stands between cells in it.
    """

    passage: Passage
    rank: int
    place: int
    start: int
    end: int
    worth: float
    cells: bool = False

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]

    @property
    def wording(self) -> str:
        """Its words on one line, without page furniture and the marks of Markdown, which the gate lets into no claim."""
        passage = self.passage
        text = without(passage.text, self.start, self.end, passage.furniture, " ")
        if self.cells:  # of Markdown, whose marks are no words
            text = BETWEEN_CELLS.join(cell.strip() for cell in CELL_IN_LINES.split(text.strip(" |")))
        return passage.location.on_one_line(_EMPHASIS.sub(r"\2\3", _BREAK.sub(" ", _LINK.sub(r"\1", text))))


@dataclass(frozen=True, slots=True)
class _Reading:
    """How well the evidence speaks of the question, 0 to 1, and its sentences, best first."""

    score: float
    sentences: Sequence[_Sentence]


class TemplateSynthesizer:
    """Proposes one to three sentences of the evidence as claims that quote themselves, or abstains (`no_evidence`)."""

    remote: Final = False

    def __repr__(self) -> str:
        return "<TemplateSynthesizer>"

    def synthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """The same request gives the same proposal. Linear in the evidence; never raises for its content."""
        reading = _read(request.question, request.evidence)
        if reading.score < THRESHOLD:
            return SynthesisFailure(ReasonCode.NO_EVIDENCE, "the passages do not cover the question's content words")
        claims = _claims(reading.sentences, request)
        if not claims:
            return SynthesisFailure(ReasonCode.NO_EVIDENCE, NOT_TOLD)
        return Proposal("answered", claims)

    async def asynthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """The same in a thread, so that long evidence does not hold up the event loop."""
        return await asyncio.to_thread(self.synthesize, request)


def coverage(question: str, evidence: Sequence[Passage]) -> float:
    """How well `evidence` speaks of `question`, 0 to 1: what is compared with `THRESHOLD`. Not a confidence."""
    return _read(question, evidence).score


def _read(question: str, evidence: Sequence[Passage]) -> _Reading:
    words = content_words(question)
    contexts = [frozenset(meeting_forms(" ".join((passage.title, *passage.location.heading)))) for passage in evidence]
    spans = [list(sentences_of(passage)) for passage in evidence]
    heads = [[_heads(place) for _, _, place in sentences] for sentences in spans]
    counts: list[Counter[str]] = []
    held: list[list[frozenset[str]]] = []
    for passage, context, sentences, above in zip(evidence, contexts, spans, heads, strict=True):
        forms = [meeting_forms(passage.text[start:end]) for start, end, _ in sentences]
        counts.append(Counter(context.union(*above)) + Counter(form for sentence in forms for form in sentence))
        held.append([frozenset(sentence) for sentence in forms])
    if not words or _misses_a_name(question, words, counts):
        return _Reading(0.0, ())

    names = names_in(question)
    weights = {}
    for word in words:
        holders = sum(word in count for count in counts)
        weights[word] = math.log(1 + (len(evidence) + 1) / (holders + 0.5)) * (_NAME_WEIGHT if word in names else 1)
    total = math.fsum(weights.values())

    def share(forms: frozenset[str]) -> float:
        return math.fsum(weights[word] for word in weights.keys() & forms) / total

    score, found = 0.0, []
    for rank, passage in enumerate(evidence):
        said = math.fsum(weight * counts[rank][word] / (counts[rank][word] + 1) for word, weight in weights.items())
        best = max((share(one | above) for one, above in zip(held[rank], heads[rank], strict=True)), default=0.0)
        speaks = (2 * said / total + best) / 3
        score = max(score, speaks)
        before = contexts[rank]
        for place, ((start, end, there), sentence) in enumerate(zip(spans[rank], held[rank], strict=True)):
            before = contexts[rank] | heads[rank][place] if heads[rank][place] else before
            own = share(sentence)
            around = share(sentence | before) - own
            worth = own + _CONTEXT_WEIGHT * around + speaks
            cells = there.row is not None and there.first_line is not None
            if there.row is not None and not there.columns and any(other.columns for _, other in passage.turns):
                continue  # it names the columns of those beneath it
            found.append(_Sentence(passage, rank, place, start, end, worth, cells))
            before = contexts[rank] | sentence
    found.sort(key=lambda sentence: (-sentence.worth, sentence.rank, sentence.place))
    return _Reading(score, found)


def _heads(place: Location) -> frozenset[str]:
    """What heads the cells of a row."""
    names = (*place.row_heading, *place.columns)
    return frozenset(meeting_forms(" ".join(names))) if names else frozenset()


def _misses_a_name(question: str, words: Sequence[str], counts: Sequence[Counter[str]]) -> bool:
    """Does the question name someone or something, or give a number of three digits or more, that no passage holds?"""
    names, marked = names_in(question), names_are_marked(question)
    must = (
        word
        for word in words
        if word in names and len(word) >= _SHORTEST_NAME and (word.isdecimal() or (marked and word.isalpha()))
    )
    return any(not any(word in count for count in counts) for word in must)


def _claims(sentences: Sequence[_Sentence], request: SynthesisRequest) -> tuple[ProposedClaim, ...]:
    """Claims for the best sentences that may leave, in reading order: the best one's passage first."""
    tried = []
    seen: set[str] = set()
    for sentence in _answers(sentences):
        wording = sentence.wording
        if wording not in seen:
            seen.add(wording)
            tried.append((sentence, ProposedClaim(wording, (ProposedCitation(sentence.passage.key, sentence.text),))))
        if len(tried) == _MAX_TRIED:
            break
    if not tried:
        return ()
    # Ask the gate beforehand, so that links, markup or hidden characters in one sentence let the next one speak. The
    # mapping pins nothing: a source that was tampered with is still proposed, refused and told.
    gate = Gate({passage.key: passage.text for passage in request.evidence})
    passed = gate.judge(Proposal("answered", tuple(claim for _, claim in tried)), question=request.question).claims
    fit = [tried[claim.position] for claim in passed]
    good = [(sentence, claim) for sentence, claim in fit if sentence.worth >= _NEARLY_AS_GOOD * fit[0][0].worth]
    best = list(dict.fromkeys(sentence.rank for sentence, _ in good))
    chosen = sorted(good[:MAX_CLAIMS], key=lambda pair: (best.index(pair[0].rank), pair[0].place))
    return tuple(claim for _, claim in chosen)


def _answers(sentences: Sequence[_Sentence]) -> Iterator[_Sentence]:
    """The sentences that can be an answer: not too long, no question, no heading."""
    for sentence in sentences:
        text = sentence.text
        if (
            len(text) <= _MAX_SENTENCE
            and not text.startswith("#")
            and " ".join(text.split()) not in sentence.passage.location.heading
            and text.rstrip("\"'”’»)*_ ")[-1:] not in ("?", "？", "؟")
        ):
            yield sentence
