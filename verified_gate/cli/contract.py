"""`contract`: the rules of the quote check in force, for an auditor."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from verified_gate.cli.application import AsJson, Exit, ProfileName, command
from verified_gate.cli.terminal import show, write
from verified_gate.release.display import escaped_json, visible
from verified_gate.release.render import Line


@command
def contract(profile: ProfileName = "verbatim", *, as_json: AsJson = False) -> Exit:
    """Print the contract of the quote check in force.

    The steps every citation passes, the limits, and each fold of the profile with what stays refused.
    """
    terms = terms_of(profile)
    if as_json:
        write(escaped_json(json.dumps(terms, ensure_ascii=False)) + "\n")
    else:
        show(_lines(terms))
    return Exit.RELEASED


def terms_of(profile: str) -> dict[str, Any]:
    """The contract under `profile`, JSON-ready, read from the gate's own tables."""
    from verified_gate.gate import Limits, procedure
    from verified_gate.model.folds import FOLD_TABLE_VERSION, FOLDS, Profile

    steps = re.findall(r"^ ?(\d+)\. (.+?): (.+)$", procedure.__doc__ or "", re.MULTILINE)
    in_force = Profile.named(profile).folds
    return {
        "profile": profile,
        "fold_table_version": FOLD_TABLE_VERSION,
        "limits": asdict(Limits()),
        "steps": [{"number": int(number), "step": step, "stops": stops} for number, step, stops in steps],
        "folds": [asdict(fold) for fold in FOLDS.values() if fold.name in in_force],
    }


def _lines(terms: dict[str, Any]) -> Iterator[Line]:
    limits = ", ".join(f"{name} {limit:,}" for name, limit in terms["limits"].items())
    yield Line(
        "claim", f"Profile {terms['profile']}: {len(terms['folds'])} folds (table {terms['fold_table_version']})"
    )
    yield Line("pins", f"Limits in claims, citations and code points: {limits}")
    yield Line("blank", "")
    yield Line("claim", "Steps, under every profile, and what each stops")
    for step in terms["steps"]:
        yield Line("quote", f"{step['number']:>2}. {step['step']}: {step['stops']}")
    yield Line("blank", "")
    yield Line("claim", "Folds in force" if terms["folds"] else "No folds: a quote must stand character for character.")
    for fold in terms["folds"]:
        yield Line("label", f"{fold['name']} ({fold['profile']}, on {fold['side']})", indent=2)
        yield Line("quote", fold["maps"], indent=4)
        yield Line("quote", fold["safe"], indent=4)
        yield Line("released", f"found: {_example(fold['honest'])}", indent=4)
        yield Line("refused", f"refused: {_example(fold['dishonest'])}", indent=4)


def _example(pair: tuple[str, str]) -> str:
    source, quote = map(visible, pair)
    return f"{quote}  <-  {source}"
