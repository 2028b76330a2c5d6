"""`check`: the gate alone, on files."""

from typing import Annotated

import typer

from verified_gate.cli.application import AsJson, Exit, ProfileName, command
from verified_gate.cli.evidence import parse_evidence, read_text
from verified_gate.cli.terminal import show, write


@command
def check(
    evidence: Annotated[
        str,
        typer.Option(
            "--evidence",
            metavar="FILE",
            help='JSON {"key": "text"}, or one passage object a line; - reads standard input.',
            show_default=False,
        ),
    ],
    reply: Annotated[
        str,
        typer.Option(
            "--reply",
            metavar="FILE",
            help='JSON {"status", "claims": [{"text", "citations": [{"key", "quote"}]}]}; - reads standard input.',
            show_default=False,
        ),
    ],
    profile: ProfileName = "verbatim",
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", help="Numbers of the question may stand in a claim.")
    ] = "",
    *,
    as_json: AsJson = False,
) -> Exit:
    """Put a reply through the gate alone.

    One line a citation: released, or the code. The evidence is your own. There is no store to ask, so you answer for who may read the evidence. Exit code 0: all of it was released.
    """
    from verified_gate.gate import Gate
    from verified_gate.release import release, render_json, verdict_lines

    if evidence == reply == "-":
        raise typer.BadParameter("only one of --evidence and --reply can be standard input")
    passages = parse_evidence(read_text(evidence), evidence)
    gate = Gate(passages, profile=profile)
    decision = gate.judge(read_text(reply), question=question)
    answer = release(decision, evidence=passages, question=question)
    if as_json:
        write(render_json(answer))
    else:
        show(verdict_lines(answer))
    whole = answer.is_grounded and not answer.dropped and not answer.withheld
    return Exit.RELEASED if whole else Exit.WITHHELD
