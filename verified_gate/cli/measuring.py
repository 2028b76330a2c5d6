"""`eval retrieval`: how well the search finds what your own questions are answered by."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from verified_gate.cli.application import AsJson, Corpus, Exit, Groups, Tenant, actor_of, evaluation_command
from verified_gate.cli.corpora import counted, store_of
from verified_gate.cli.evidence import decoded, name_of, read_text
from verified_gate.cli.terminal import quoted, show, write
from verified_gate.model import Passage
from verified_gate.model.errors import CorpusError, QueryError

DEPTH: Final = 100
"""How many passages are looked at; what is found later counts as not found."""
AT: Final = (1, 5, 10)
FORM: Final = 'expected is one object a line, such as {"question": "…", "document_id": "…"}'
EXPECTED: Final = ("key", "document_id", "text")
_MOST_LINES: Final = 20


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


@evaluation_command
def retrieval(
    questions: Annotated[
        str,
        typer.Option(
            "--questions",
            metavar="FILE",
            help='One {"question": …} a line, with what is expected: "key", "document_id" or "text", a string or a '
            "list of which one is enough; - reads standard input.",
            show_default=False,
        ),
    ],
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Measure how often the search finds what is expected.

    recall@k is the share of questions with an expected passage among the first k; MRR the mean of 1/rank of the first
    expected one among 100, 0 where there is none.
    """
    from verified_gate.release import Line, escaped_json

    actor = actor_of(tenant, group)
    named = name_of("--questions", questions)
    asked = parse_questions(read_text(questions, named), named)
    with store_of(corpus) as store:
        ranks = [
            rank_of(each, lambda question: [hit.passage for hit in store.search(question, actor, DEPTH)], named)
            for each in asked
        ]
    figures = {f"recall@{k}": share(sum(rank is not None and rank <= k for rank in ranks), len(ranks)) for k in AT}
    figures["MRR"] = share(sum(1 / rank for rank in ranks if rank is not None), len(ranks))
    if as_json:
        lines = [{"line": each.line, "rank": rank} for each, rank in zip(asked, ranks, strict=True)]
        write(escaped_json(json.dumps({"questions": len(asked), **figures, "ranks": lines})) + "\n")
        return Exit.RELEASED
    late = [str(each.line) for each, rank in zip(asked, ranks, strict=True) if rank is None or rank > AT[-1]]
    show(
        [
            Line("claim", "  ".join(["questions", *(f"{name:>9}" for name in figures)])),
            Line("quote", "  ".join([f"{len(asked):>9,}", *(f"{figure:>9.3f}" for figure in figures.values())])),
        ]
    )
    if late:
        which = ", ".join([*late[:_MOST_LINES], *(["…"] if len(late) > _MOST_LINES else [])])
        show(
            [
                Line(
                    "withheld",
                    f"not in the first {AT[-1]}: {counted(len(late), 'question', 'questions')}, line {which}",
                )
            ]
        )
    return Exit.RELEASED


def parse_questions(text: str, name: str) -> list[Asked]:
    """The questions of a file, one JSON object a line. Raises `CorpusError` that names the line and the member."""
    asked = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{name}:{number}"
            asked.append(_asked(decoded(line, place, of_line=True, expected=FORM), number, place))
    if not asked:
        raise CorpusError(f"{name}: holds no question")
    return asked


def _asked(members: Any, number: int, place: str) -> Asked:
    if not isinstance(members, dict):
        raise CorpusError(f"{place}: not a JSON object; {FORM}")
    given = [name for name in EXPECTED if name in members]
    for name in members:
        if name not in ("question", *EXPECTED):
            raise CorpusError(f"{place}: unknown member {quoted(name)}; a line has question, and {', '.join(EXPECTED)}")
    if not isinstance(members.get("question"), str):
        raise CorpusError(f"{place}: question is missing, or is no string")
    if len(given) != 1:
        raise CorpusError(f"{place}: expected is one of {', '.join(EXPECTED)}; there are {len(given)}")
    wanted = members[given[0]]
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if not isinstance(wanted, list) or not wanted or not all(isinstance(part, str) and part.strip() for part in wanted):
        raise CorpusError(f"{place}: {given[0]} is neither a string nor a list of strings")
    return Asked(number, members["question"], given[0], tuple(wanted))


def rank_of(asked: Asked, search: Callable[[str], list[Passage]], name: str) -> int | None:
    """The rank, from 1, of the first passage that is expected; None where there is none."""
    try:
        found = search(asked.question)
    except QueryError as fault:
        raise CorpusError(f"{name}:{asked.line}: {fault}") from fault
    return next((rank for rank, passage in enumerate(found, start=1) if asked.accepts(passage)), None)


def share(part: float, whole: int) -> float:
    """`part / whole`, to three places."""
    return round(part / whole, 3)
