"""`eval retrieval`: how well the search finds what your own questions are answered by."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from verified_gate.cli.application import (
    AsJson,
    AsOf,
    Corpus,
    Exit,
    Groups,
    Only,
    Prefer,
    Purpose,
    Tenant,
    actor_of,
    constraints_of,
    evaluation_command,
)
from verified_gate.cli.corpora import counted, store_of
from verified_gate.cli.evidence import decoded, name_of, read_text
from verified_gate.cli.terminal import quoted, show, tell, write
from verified_gate.model import Actor, Passage
from verified_gate.model.errors import CorpusError, QueryError
from verified_gate.retrieval.protocol import Constraints
from verified_gate.retrieval.query import MAX_LIMIT, parse_question

if TYPE_CHECKING:
    from verified_gate.corpus.store import CorpusStore

DEPTH: Final = 100
"""How many passages are looked at; what is found later counts as not found."""
AT: Final = (1, 5, 10)
FORM: Final = 'expected is one object a line, such as {"question": "…", "document_id": "…"}'
EXPECTED: Final = ("key", "document_id", "text")
_MOST_LINES: Final = 20
_MOST_WORDS: Final = 60
"""Of an expected text, so many are looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the line it stands on, and what a passage must have to be right."""

    line: int
    question: str
    member: str
    wanted: tuple[str, ...]

    def accepts(self, passage: Passage) -> bool:
        """Is the passage one that is expected? A text is expected inside of it, white space collapsed."""
        if self.member == "text":
            text = " ".join(passage.text.split())
            return any(" ".join(part.split()) in text for part in self.wanted)
        return getattr(passage, self.member) in self.wanted


@dataclass(frozen=True, slots=True)
class Bad:
    """A line that is no question, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Asking:
    """The search of one actor under the limits of one request."""

    store: "CorpusStore"
    actor: Actor | None
    limits: Constraints

    def rank_of(self, asked: Asked) -> int | None:
        """The rank, from 1, of the first passage that is expected; None where there is none."""
        hits = self.store.search(asked.question, self.actor, DEPTH, constraints=self.limits)
        return next((rank for rank, hit in enumerate(hits, start=1) if asked.accepts(hit.passage)), None)

    def is_there(self, asked: Asked) -> bool:
        """May anything that is expected be found at all? A text counts as there where its words stand in more passages
        than are looked at.
        """
        if asked.member == "text":
            return any(self._holds(asked, text) for text in asked.wanted)
        keys = asked.wanted
        if asked.member == "document_id":
            found = self.store.documents(self.actor, document_ids=asked.wanted, constraints=self.limits)
            keys = tuple(listing.key(0) for listing in found)
        return any(self.store.standing(key, self.actor, constraints=self.limits) is None for key in keys)

    def _holds(self, asked: Asked, text: str) -> bool:
        inner = " ".join(text.split()[:_MOST_WORDS][1:-1])  # its ends may be parts of words
        try:
            if not parse_question(inner):
                return True
        except QueryError:
            return True
        hits = self.store.search(inner, self.actor, MAX_LIMIT, match="all", constraints=self.limits)
        return len(hits) == MAX_LIMIT or any(asked.accepts(hit.passage) for hit in hits)


@evaluation_command
def retrieval(
    questions: Annotated[
        str,
        typer.Option(
            "--questions",
            metavar="FILE",
            help='One {"question": …} a line, with what is expected: "key", "document_id" or "text", a string or a '
            "list of which one is enough; other members are left alone; - reads standard input.",
            show_default=False,
        ),
    ],
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
    only: Only = None,
    prefer: Prefer = None,
    as_of: AsOf = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Measure how often the search finds what is expected.

    recall@k is the share of questions with an expected passage among the first k; MRR the mean of 1/rank of the first
    expected one among 100, 0 where there is none. What is expected and is not in what this actor may find is told, and
    counts as not found. A line that is no question is told and left out; the exit code is 3 then.
    """
    from verified_gate.release import escaped_json

    actor = actor_of(tenant, group)
    limits = constraints_of(purpose, only, prefer, as_of)
    named = name_of("--questions", questions)
    asked, bad = parse_questions(read_text(questions, named), named)
    with store_of(corpus) as store:
        asking = Asking(store, actor, limits)
        ranks = [asking.rank_of(each) for each in asked]
        absent = {
            each.line for each, rank in zip(asked, ranks, strict=True) if rank is None and not asking.is_there(each)
        }
    figures = {f"recall@{k}": share(sum(rank is not None and rank <= k for rank in ranks), len(ranks)) for k in AT}
    figures["MRR"] = share(sum(1 / rank for rank in ranks if rank is not None), len(ranks))
    for each in bad[:_MOST_LINES]:
        tell(each.why)
    if len(bad) > _MOST_LINES:
        tell(f"and {counted(len(bad) - _MOST_LINES, 'line', 'lines')} more; --json tells all")
    if as_json:
        lines = [
            {"line": each.line, "rank": rank, "absent": each.line in absent}
            for each, rank in zip(asked, ranks, strict=True)
        ]
        left_out = [{"line": each.line, "why": each.why} for each in bad]
        told = {"questions": len(asked), **figures, "ranks": lines, "bad": left_out}
        write(escaped_json(json.dumps(told, ensure_ascii=False)) + "\n")
    else:
        late = [each.line for each, rank in zip(asked, ranks, strict=True) if rank is None or rank > AT[-1]]
        _show_figures(len(asked), figures, late, sorted(absent))
    return Exit.FAULT if bad else Exit.RELEASED


def _show_figures(number: int, figures: dict[str, float], late: list[int], absent: list[int]) -> None:
    from verified_gate.release import Line

    show(
        [
            Line("claim", "  ".join(["questions", *(f"{name:>9}" for name in figures)])),
            Line("quote", "  ".join([f"{number:>9,}", *(f"{figure:>9.3f}" for figure in figures.values())])),
        ]
    )
    if late:
        show([Line("withheld", f"not in the first {AT[-1]}: {_which(late)}")])
    if absent:
        why = "what is expected is not in what this actor may find here; look at the names"
        show([Line("withheld", f"{why}: {_which(absent)}")])


def _which(lines: list[int]) -> str:
    named = ", ".join([*map(str, lines[:_MOST_LINES]), *(["…"] if len(lines) > _MOST_LINES else [])])
    return f"{counted(len(lines), 'question', 'questions')}, line {named}"


def parse_questions(text: str, name: str) -> tuple[list[Asked], list[Bad]]:
    """The questions of a file, one JSON object a line, and the lines that are none, each with the place and the member.
    Raises `CorpusError` where there is no question.
    """
    asked: list[Asked] = []
    bad: list[Bad] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{name}:{number}"
            try:
                asked.append(_asked(decoded(line, place, of_line=True, expected=FORM), number, place))
            except CorpusError as fault:
                bad.append(Bad(number, str(fault)))
    if not asked:
        raise CorpusError(bad[0].why if bad else f"{name}: holds no question")
    return asked, bad


def _asked(members: Any, number: int, place: str) -> Asked:
    if not isinstance(members, dict):
        raise CorpusError(f"{place}: not a JSON object; {FORM}")
    if not isinstance(members.get("question"), str):
        raise CorpusError(f"{place}: question is missing, or is no string")
    given = [name for name in EXPECTED if name in members]
    if len(given) != 1:
        others = ", ".join(quoted(name) for name in list(members)[:5] if name not in ("question", *EXPECTED))
        also = f"; it has {others} besides, which is none of them" if others and not given else ""
        raise CorpusError(f"{place}: expected is one of {', '.join(EXPECTED)}; there are {len(given)}{also}")
    wanted = members[given[0]]
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(wanted, list) or not wanted or not all(isinstance(part, str) and part.strip() for part in wanted):
        raise CorpusError(f"{place}: {given[0]} is neither a string nor a list of strings")
    try:
        parse_question(members["question"])
    except QueryError as fault:
        raise CorpusError(f"{place}: {fault}") from fault
    return Asked(number, members["question"], given[0], tuple(wanted))


def share(part: float, whole: int) -> float:
    """`part / whole`, to three places."""
    return round(part / whole, 3)
