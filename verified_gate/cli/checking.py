"""`check`: the gate alone, on files."""

import json
from dataclasses import replace
from typing import Annotated

import typer

from verified_gate.cli.application import AsJson, EvidenceLang, Exit, ProfileName, command
from verified_gate.cli.evidence import name_of, parse_evidence, read_text
from verified_gate.cli.terminal import show, tell, write


@command
def check(
    evidence: Annotated[
        str,
        typer.Option(
            "--evidence",
            metavar="FILE",
            help='JSON {"key": "text"}, a list of passage objects, or one passage object a line; - reads standard input.',
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
    lang: EvidenceLang = "",
    *,
    as_json: AsJson = False,
) -> Exit:
    """Put a reply through the gate alone.

    One line a citation: released, or the code with an explanation under it. The evidence is your own. There is no
    store to ask, so you answer for who may read the evidence. Exit code 0: all of it was released.
    """
    from verified_gate.cli.explaining import explanation_lines, explanations
    from verified_gate.gate import Gate
    from verified_gate.model import Proposal, decode_json, parse_proposal
    from verified_gate.release import escaped_json, release, verdict_lines

    if evidence == reply == "-":
        raise typer.BadParameter("only one of --evidence and --reply can be standard input")
    named = name_of("--evidence", evidence)
    passages = parse_evidence(read_text(evidence, named), named)
    passages = [passage if passage.lang else replace(passage, lang=lang) for passage in passages]
    text = read_text(reply, name_of("--reply", reply))
    gate = Gate(passages, profile=profile, lang=lang)
    decision = gate.judge(text, question=question)
    answer = release(decision, evidence=passages, question=question)
    proposal = parse_proposal(decode_json(text)) if answer.dropped else None
    claims = proposal.claims if isinstance(proposal, Proposal) else ()
    explained = explanations(gate, answer.dropped, claims, question)
    if as_json:
        dropped = [refusal.to_dict() for refusal in answer.dropped]
        for refusal, explanation in zip(dropped, explained, strict=False):
            refusal["explanation"] = explanation
        document = json.dumps({**answer.to_dict(), "dropped": dropped}, ensure_ascii=False)
        write(escaped_json(document) + "\n")
    else:
        notes = [
            list(explanation_lines(refusal.code, explanation))
            for refusal, explanation in zip(answer.dropped, explained, strict=False)
        ]
        show(verdict_lines(answer, notes))
    if len(explained) < len(answer.dropped):
        tell(
            f"{len(answer.dropped) - len(explained)} further refusals are not explained; put them in a reply of their own"
        )
    whole = answer.is_grounded and not answer.dropped and not answer.withheld
    return Exit.RELEASED if whole else Exit.WITHHELD
