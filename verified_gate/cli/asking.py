"""`ask`, `search` and `demo`: a corpus and a question."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verified_gate.cli.application import (
    AsJson,
    Corpus,
    Exit,
    Groups,
    Lang,
    Limit,
    ProfileName,
    Question,
    Tenant,
    actor_of,
    command,
)
from verified_gate.cli.terminal import show, write
from verified_gate.model import Passage
from verified_gate.model.errors import CorpusError

if TYPE_CHECKING:
    from verified_gate.corpus.store import CorpusStore


@command
def ask(
    question: Question,
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    profile: ProfileName = "verbatim",
    lang: Lang = "en",
    limit: Limit = 8,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Answer a question with citations, or abstain.

    Without a key and a network the answer is made of the documents' own sentences. VERIFIED_GATE_LLM=1 asks the
    model server that the environment names (see .env.example).
    """
    from verified_gate.engine import AnswerEngine
    from verified_gate.release import answer_lines, render_json

    actor = actor_of(tenant, group)
    with store_of(corpus) as store:
        engine = AnswerEngine(store, synthesizer=_synthesizer(), profile=profile, limit=limit)
        answer = engine.answer(question, actor=actor, lang=lang)
    if as_json:
        write(render_json(answer))
    else:
        show(answer_lines(answer))
    return Exit.RELEASED if answer.is_grounded else Exit.WITHHELD


@command
def search(
    question: Question,
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    limit: Limit = 10,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Show the passages that a question finds.

    Best first; their order says nothing about truth.
    """
    from verified_gate.release import Line, escaped_json, one_line

    actor = actor_of(tenant, group)
    with store_of(corpus) as store:
        hits = store.search(question, actor=actor, limit=limit)
    if as_json:
        found = [{"key": hit.key, "score": hit.score, **_place(hit.passage), "text": hit.passage.text} for hit in hits]
        write(escaped_json(json.dumps(found, ensure_ascii=False)) + "\n")
    for rank, hit in enumerate(() if as_json else hits, start=1):
        show(
            [
                Line("label", f"{rank}. {one_line(hit.passage.title)} [{one_line(hit.key)}]"),
                Line("quote", one_line(hit.passage.text), indent=4),
            ]
        )
    if not hits and not as_json:
        show([Line("abstention", "Nothing was found in what this actor may read.")])
    return Exit.RELEASED if hits else Exit.WITHHELD


@command
def demo() -> Exit:
    """Show the gate at work, offline.

    Honest and dishonest replies over a small corpus; exit code 1 if any outcome differs from what is said.
    """
    from verified_gate.demo import main

    return Exit(main())


def store_of(path: Path) -> "CorpusStore":
    """The store in a folder or a file; raises `CorpusError` where there is none."""
    from verified_gate.corpus.store import CorpusStore

    if not path.exists():
        raise CorpusError(f"{path}: no such folder or file")
    return CorpusStore.from_directory(path) if path.is_dir() else CorpusStore.open(path)


def _synthesizer() -> Any:
    from verified_gate.synthesis import synthesizer_from_environment

    try:
        return synthesizer_from_environment()
    except ValueError as fault:
        raise CorpusError(str(fault)) from fault


def _place(passage: Passage) -> dict[str, object]:
    return {
        "document_id": passage.document_id,
        "title": passage.title,
        "version": passage.version,
        "start": passage.start,
        "sha256": passage.sha256,
        "heading": list(passage.location.heading),
        "first_line": passage.location.first_line,
        "last_line": passage.location.last_line,
    }
