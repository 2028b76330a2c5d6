"""The shared cases: data that another implementation can run. Their form stands in README.md beside this file.

`exceptions.json` lists cases that this implementation is known to fail, as {"id", "profile", "reason"}: a listed case
that passes fails the run, and so does a listed case that does not exist.
"""

import json
from pathlib import Path

import pytest

from verified_gate import Gate, Location, Passage

HERE = Path(__file__).parent
PROFILES = ("verbatim", "typographic", "extracted", "editorial")
CASES = {
    (f"{file.stem}/{case['id']}", profile): case
    for file in sorted((HERE / "cases").glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))
    for profile in case["policy"]["profiles"]
}
EXCEPTIONS = {
    (entry["id"], entry["profile"]): entry["reason"]
    for entry in json.loads((HERE / "exceptions.json").read_text(encoding="utf-8"))
}
POLICY = {"profiles", "scope", "occurrences", "wording"}
MEMBERS = {"id", "note", "evidence", "documents", "policy", "question", "reply", "proposal", "expect"}


def _passage(raw):
    place = Location(heading=tuple(raw.pop("heading", ())))
    furniture = tuple(map(tuple, raw.pop("furniture", ())))
    return Passage(**raw, location=place, furniture=furniture)


def _outcome(case, profile):
    policy = {name: value for name, value in case["policy"].items() if name != "profiles"}
    gate = Gate(
        [_passage(dict(raw)) for raw in case["evidence"]],
        profile=profile,
        documents=case.get("documents", ()),
        **policy,
    )
    decision = gate.judge(case.get("reply", case.get("proposal")), question=case.get("question", ""))
    return {
        "code": str(decision.code),
        "refusals": [
            {"claim": refusal.claim, "citation": refusal.citation, "code": str(refusal.code)}
            for refusal in decision.refusals
        ],
        "released": [
            {
                "claim": claim.position,
                "key": citation.key,
                "keys": list(citation.keys),
                "quote": citation.quote,
                "start": citation.start,
                "end": citation.end,
                "offsets": citation.offsets,
                "folds": list(citation.folds),
                "occurrences": citation.occurrences,
            }
            for claim in decision.claims
            for citation in claim.citations
        ],
    }


@pytest.mark.parametrize(("name", "profile"), CASES)
def test_case(name, profile):
    case = CASES[name, profile]
    expected, got = case["expect"], _outcome(case, profile)
    for wanted, found in zip(expected["released"], got["released"], strict=False):
        for member in set(found) - set(wanted):  # what a case does not speak of
            found.pop(member)
    if (name, profile) in EXCEPTIONS:
        assert got != expected, "it passes: take it out of exceptions.json"
    else:
        assert got == expected, case["note"]


def test_the_cases_are_well_formed_and_their_spans_are_those_of_their_sources():
    assert len({name for name, _ in CASES}) >= 80
    for (name, profile), case in CASES.items():
        assert set(case) <= MEMBERS, name
        assert ("reply" in case) != ("proposal" in case), name
        assert set(case["policy"]) <= POLICY, name
        assert profile in PROFILES, name
        assert case["note"].endswith("."), name
        for released in case["expect"]["released"]:
            assert released["end"] - released["start"] == len(released["quote"]), name
            texts = [(raw["text"], raw.get("start", 0)) for raw in case["evidence"] if raw["key"] == released["key"]]
            for text, base in texts:
                if len(released["keys"]) == 1 and "documents" not in case:
                    assert text[released["start"] - base : released["end"] - base] == released["quote"], name


def test_the_exceptions_name_cases_that_exist_and_say_why():
    assert set(EXCEPTIONS) <= set(CASES)
    assert all(EXCEPTIONS.values())
