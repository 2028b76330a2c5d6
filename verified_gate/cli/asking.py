"""`ask`, `search` and `demo`: a corpus and a question."""

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from verified_gate.cli.application import (
    AsJson,
    AsOf,
    Corpus,
    Exit,
    Groups,
    Lang,
    Limit,
    Only,
    Prefer,
    ProfileName,
    Purpose,
    Question,
    Tenant,
    actor_of,
    command,
    constraints_of,
)
from verified_gate.cli.corpora import headers_of, label_of, place_of, snippet_of, store_of
from verified_gate.cli.logs import MaybeLog, Plain, RecordKey, log_to_write
from verified_gate.cli.streaming import Waiting, show_stream, synthesizer_of
from verified_gate.cli.terminal import show, tell, write
from verified_gate.model.errors import CorpusError

_WIDENED = "the preferred collections held too little: others were looked in as well"


def _cite(how: str) -> str:
    if how not in ("quotes", "sentences"):
        raise typer.BadParameter("quotes or sentences")
    return how


Model = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="Ask this model.", show_default=False),
]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Ask the model server there.", show_default=False),
]
Cite = Annotated[
    str, typer.Option("--cite", metavar="HOW", callback=_cite, help="A model cites by quotes or sentences.")
]
Stream = Annotated[
    bool, typer.Option("--stream", help="Print each claim once it is released; JSON is one event a line.")
]
Budget = Annotated[
    int | None,
    typer.Option("--budget", metavar="N", min=1, help="Characters of evidence to send at most.", show_default=False),
]
Deadline = Annotated[
    float | None,
    typer.Option("--deadline", metavar="SECONDS", help="Time for a model's whole answer.", show_default=False),
]
Repair = Annotated[bool, typer.Option("--repair", help="Let a model mend refused citations, once.")]


@command
def ask(
    question: Question,
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    profile: ProfileName = "verbatim",
    lang: Lang = "en",
    limit: Limit = 8,
    purpose: Purpose = None,
    only: Only = None,
    prefer: Prefer = None,
    as_of: AsOf = None,
    records: MaybeLog = None,
    record_key: RecordKey = None,
    model: Model = None,
    base_url: BaseUrl = None,
    cite: Cite = "quotes",
    budget: Budget = None,
    deadline: Deadline = None,
    *,
    stream: Stream = False,
    repair: Repair = False,
    plain_records: Plain = False,
    as_json: AsJson = False,
) -> Exit:
    """Answer a question with citations, or abstain.

    Without a key and a network the answer is made of the documents' own sentences. --model, --base-url or
    VERIFIED_GATE_LLM=1 ask a model server; what they do not name comes from the environment (see .env.example). Exit
    code 0: at least one claim was released; 1: none, an abstention, or a streamed answer that broke off; 3: the server
    or the search failed, which says nothing about the documents. With --records nothing leaves before it is recorded.
    """
    from verified_gate.engine import OUTAGES, AnswerEngine
    from verified_gate.model import ReasonCode
    from verified_gate.release import answer_lines, render_json
    from verified_gate.synthesis.template import NOT_TOLD

    actor = actor_of(tenant, group)
    limits = constraints_of(purpose, only, prefer, as_of)
    with (
        store_of(corpus) as store,
        log_to_write(records, record_key, plain=plain_records) as log,
        synthesizer_of(model, base_url, deadline) as synthesizer,
    ):
        engine = AnswerEngine(
            store,
            synthesizer=synthesizer,
            profile=profile,
            limit=limit,
            cite="sentences" if cite == "sentences" else "quotes",
            repair=repair,
            budget=budget,
            records=log,
        )
        held: dict[str, Any] = {name: getattr(limits, name) for name in ("purpose", "only", "prefer", "as_of")}
        if stream:
            answer = show_stream(engine.stream(question, actor=actor, lang=lang, **held), as_json=as_json)
        else:
            with Waiting("reading what you may read …"):
                answer = engine.answer(question, actor=actor, lang=lang, **held)
        if answer.code is ReasonCode.RETRIEVAL_UNAVAILABLE:
            try:  # where it fails again, its own message tells more
                store.search(question, actor=actor, limit=1)
            except CorpusError as fault:
                raise fault if corpus.is_dir() else CorpusError(f"{fault}; {_if_damaged(corpus)}") from None
    if as_json and not stream:
        write(render_json(answer))
    elif not stream:
        show(answer_lines(answer))
    expected = (ReasonCode.OK, ReasonCode.NO_EVIDENCE, ReasonCode.MODEL_ABSTAINED)
    code = answer.interrupted or answer.code
    if answer.detail and (code not in expected or answer.detail == NOT_TOLD):
        tell(f"{code}: {answer.detail}")
    held_back = {reason for claim in answer.withheld for reason in claim.codes}
    if not corpus.is_dir() and {code, *held_back} & {ReasonCode.RETRIEVAL_UNAVAILABLE, ReasonCode.INTEGRITY_FAILURE}:
        tell(_if_damaged(corpus))
    if answer.widened:
        tell(_WIDENED)
    if answer.record is not None:
        tell(f"recorded as {answer.record}")
    if code in OUTAGES:
        return Exit.FAULT
    return Exit.RELEASED if code is ReasonCode.OK else Exit.WITHHELD


def _if_damaged(corpus: Path) -> str:
    named = shlex.quote(str(corpus))
    return f"`verified-gate status --corpus {named} --check` tells whether it is damaged: then restore it from a copy"


@command
def search(
    question: Question,
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    limit: Limit = 10,
    purpose: Purpose = None,
    only: Only = None,
    prefer: Prefer = None,
    as_of: AsOf = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Show the passages that a question finds.

    Best first; their order says nothing about truth.
    """
    from verified_gate.release import Line, escaped_json

    actor = actor_of(tenant, group)
    limits = constraints_of(purpose, only, prefer, as_of)
    with store_of(corpus) as store:
        hits = store.search(question, actor=actor, limit=limit, constraints=limits)
    if as_json:
        found = [
            {
                "key": hit.key,
                "score": hit.score,
                **place_of(hit.passage),
                "text": hit.passage.text,
                "widened": hits.widened,
            }
            for hit in hits
        ]
        write(escaped_json(json.dumps(found, ensure_ascii=False)) + "\n")
    for rank, hit in enumerate(() if as_json else hits, start=1):
        lines = [Line("label", f"{rank}. {label_of(hit.passage)}")]
        lines += [Line("pins", context, indent=4)] if (context := headers_of(hit.passage)) else []
        show([*lines, Line("quote", snippet_of(hit.passage), indent=4)])
    if hits.widened:
        tell(_WIDENED)
    if not hits and not as_json:
        show([Line("abstention", "Nothing was found in what this actor may read.")])
    return Exit.RELEASED if hits else Exit.WITHHELD


@command
def demo() -> Exit:
    """Show the gate at work, offline.

    Honest and dishonest replies over a small corpus; exit code 1 if any outcome differs from what is said.
    VERIFIED_GATE_LLM=1 lets the model server of the environment answer the first two; exit code 3 if it fails.
    """
    from verified_gate.demo import main

    return Exit(main())
