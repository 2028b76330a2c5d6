"""`why`, `report` and `replay`: records of answers, for their operator.

A record log and a key are files that somebody else may have written: each is read within a limit, and what is wrong with
it is told in a sentence.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verified_gate.cli.application import (
    AsJson,
    AsOf,
    Corpus,
    Exit,
    Groups,
    Only,
    Purpose,
    Tenant,
    actor_of,
    command,
    constraints_of,
)
from verified_gate.cli.corpora import counted, store_of
from verified_gate.cli.logs import LogFile, RecordId, RecordKey, log_of
from verified_gate.cli.terminal import show, tell, write
from verified_gate.model import VerifiedGateError

if TYPE_CHECKING:
    from verified_gate.audit.chain import LogCheck
    from verified_gate.audit.why import Why
    from verified_gate.release import Line

MaybeCorpus = Annotated[
    Path | None,
    typer.Option("--corpus", metavar="PATH", help="A folder of documents, or a store's file.", show_default=False),
]


@command
def why(
    record: RecordId,
    records: LogFile,
    corpus: MaybeCorpus = None,
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect",
            metavar="KEY",
            help="What should have been cited: a passage, a version or a document.",
            show_default=False,
        ),
    ] = None,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
    only: Only = None,
    as_of: AsOf = None,
    record_key: RecordKey = None,
    *,
    reader: Annotated[
        bool,
        typer.Option("--reader", help="Tell only what the reader of --tenant and --group may know; needs --corpus."),
    ] = False,
    as_json: AsJson = False,
) -> Exit:
    """Tell where the evidence of an answer was lost.

    The earliest stage at which it disappeared: not ingested, not permitted, not found, ranked out, not delivered, not
    cited, quote refused, wording refused, disclosure denied. With --corpus and --expect it is told of one document. For
    the operator, unless --reader is given. Exit code 0: nothing was lost; 1: something was.
    """
    from verified_gate.audit import why as explaining

    if expect is not None and not expect.strip():
        raise typer.BadParameter("--expect names a passage, a version or a document")
    if reader and corpus is None:
        raise typer.BadParameter("--reader needs --corpus: it says what he may read")
    if (tenant or group or purpose or only or as_of) and not reader:
        raise typer.BadParameter(
            "--tenant, --group, --purpose, --only and --as-of need --reader: an operator is told of the record's own"
        )
    actor, limits = actor_of(tenant, group), constraints_of(purpose, only, None, as_of)
    with log_of(records, record_key) as log:
        found = log.read(record)
        if corpus is None:
            told = explaining.why(found, expect=expect)
        else:
            with store_of(corpus) as store:
                if reader:
                    told = explaining.why_for_reader(found, store, actor, expect=expect, constraints=limits)
                else:
                    told = explaining.why(found, store=store, expect=expect)
    if as_json:
        write_json(told.to_dict())
    else:
        show(_why_lines(told))
    return Exit.RELEASED if told.stage == "released" else Exit.WITHHELD


@command
def report(
    records: Annotated[Path, typer.Argument(metavar="RECORDS", help="The record log.", show_default=False)],
    corpus: MaybeCorpus = None,
    record_key: RecordKey = None,
    head: Annotated[
        str | None,
        typer.Option(
            "--head", metavar="HEAD", help="A head that was kept elsewhere: is it still in the log?", show_default=False
        ),
    ] = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Check a record log, and sum up its answers.

    Codes, stages at which evidence was lost, and how many refused quotes a wider profile would have accepted (of those
    whose texts were kept plain; passages may come from --corpus). Prints the log's head: keep it elsewhere, and a log that
    was cut or written anew is told by --head. Exit code 3: the log is not what was written.
    """
    from verified_gate.audit.chain import Head
    from verified_gate.audit.report import report as sum_up

    try:
        kept = None if head is None else Head.parse(head)
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from fault
    with log_of(records, record_key) as log:
        checked = log.check(kept)
        try:
            if corpus is None:
                summed = sum_up(log)
            else:
                with store_of(corpus) as store:
                    summed = sum_up(log, store=store)
        except VerifiedGateError:
            for words in checked.faults:  # what was found of the log is not lost with the sums
                tell(words)
            raise
    told = {**summed.to_dict(), "head": str(checked.head), "faults": list(checked.faults)}
    if as_json:
        write_json(told)
    else:
        show(_report_lines(told, checked))
    return Exit.FAULT if checked.faults else Exit.RELEASED


@command
def replay(
    record: RecordId,
    records: LogFile,
    corpus: Corpus,
    tenant: Tenant = None,
    group: Groups = None,
    purpose: Purpose = None,
    only: Only = None,
    as_of: AsOf = None,
    record_key: RecordKey = None,
    *,
    as_json: AsJson = False,
) -> Exit:
    """Verify a stored answer again, now.

    Nothing stored counts as verified: each quote goes through the gate and the release transaction again, for the reader
    of --tenant and --group, for --purpose, of the collections of --only; as of the day that the answer speaks of, or
    --as-of. What he may not read, or what changed, is withheld; the rest stays. Exit code as for `ask`.
    """
    from verified_gate.audit.replay import replay as verify_again
    from verified_gate.release import answer_lines, render_json

    actor, limits = actor_of(tenant, group), constraints_of(purpose, only, None, as_of)
    with log_of(records, record_key) as log, store_of(corpus) as store:
        again = verify_again(log.read(record), store, actor, keeper=log.keeper, constraints=limits)
    if as_json:
        write(render_json(again.answer))
    else:
        show(answer_lines(again.answer))
    return Exit.RELEASED if again.answer.is_grounded else Exit.WITHHELD


def write_json(value: dict[str, Any]) -> None:
    """Print one line of JSON that is safe in a terminal."""
    from verified_gate.release import escaped_json

    write(escaped_json(json.dumps(value, ensure_ascii=False)) + "\n")


def _why_lines(told: "Why") -> Iterator["Line"]:
    from verified_gate.model import REASONS, ReasonCode
    from verified_gate.release import Line, one_line

    yield Line("released" if told.stage == "released" else "refused", f"{told.stage}: {one_line(told.says)}")
    for code in told.codes:
        meant = REASONS[ReasonCode(code)] if code in REASONS else None
        yield Line("quote", f"{one_line(code)[:60]}" + (f": {meant.meaning} {meant.remedy}" if meant else ""), indent=2)
    if told.stage != "released":
        yield Line("label", f"look at {told.look_at}", indent=2)
    if told.counts is None:
        return
    eligible = "not known" if told.eligible is None else f"{told.eligible:,}"
    counts = told.counts
    yield Line("blank", "")
    for name, count in (
        ("eligible passages", eligible),
        ("found", f"{counts.found:,}"),
        ("delivered", f"{counts.delivered:,}, {counts.left_out:,} left out"),
        (
            "proposed",
            f"{counted(counts.proposed_claims, 'claim', 'claims')}, {counted(counts.proposed_citations, 'citation', 'citations')}",
        ),
        (
            "verified",
            f"{counted(counts.verified_claims, 'claim', 'claims')}, {counted(counts.verified_citations, 'citation', 'citations')}",
        ),
        ("released", f"{counted(counts.released_claims, 'claim', 'claims')}, {counts.withheld_claims:,} withheld"),
    ):
        yield Line("pins", f"{name:<18}{count}", indent=2)


def _report_lines(told: dict[str, Any], checked: "LogCheck") -> Iterator["Line"]:
    from verified_gate.release import Line, one_line

    parts = [counted(told["records"], "answer", "answers")]
    parts += [f"{told['erased']:,} erased"] if told["erased"] else []
    parts += [f"{told['parts']:,} records of parts of streams"] if told["parts"] else []
    parts += [f"{told['unreadable']:,} that no run can have made"] if told["unreadable"] else []
    yield Line("claim", ", ".join(parts))
    for title, name in (("answers", "answers"), ("stage", "lost"), ("refused", "refused")):
        for code, count in told[name].items():
            yield Line("quote", f"{title:<10}{count:>7,}  {one_line(code)[:60]}", indent=2)
    if told["judged"]:
        accepted = ", ".join(f"{profile} {count:,}" for profile, count in told["accepted"].items())
        yield Line(
            "quote",
            f"of {counted(told['judged'], 'refused quote', 'refused quotes')} judged again, accepted under: {accepted}",
            indent=2,
        )
    if told["not_judged"]:
        yield Line(
            "withheld",
            f"{counted(told['not_judged'], 'refused quote', 'refused quotes')} cannot be judged again: the texts were not kept",
            indent=2,
        )
    for fault in checked.faults:
        yield Line("refused", one_line(fault), indent=2)
    if not checked.faults:
        yield Line("released", "checked: every entry follows the one before it and holds what was written", indent=2)
    yield Line("pins", f"head {told['head']}", indent=2)
