"""Each way past the gate that was ever found, as data, beside honest twins of the same shape: kept for ever."""

import json
from pathlib import Path

import pytest

from verified_gate import Gate, VerifiedCitation

FOUND = json.loads((Path(__file__).parent / "bypasses.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", FOUND["quotes"], ids=lambda case: ascii(case["quote"])[:60])
def test_a_quote_that_once_came_through_does_not_and_its_honest_twin_does(case):
    verdict = Gate({"a": case["source"]}, profile=case["profile"], lang="en").verify("a", case["quote"])
    assert isinstance(verdict, VerifiedCitation) == case["released"], getattr(verdict, "code", "released")


@pytest.mark.parametrize("case", FOUND["claims"], ids=lambda case: ascii(case["claim"])[:60])
def test_a_wording_that_once_came_through_does_not_and_its_honest_twin_does(case):
    claim = {"text": case["claim"], "citations": [{"key": "a", "quote": case["quote"]}]}
    decision = Gate({"a": case["quote"]}, profile="typographic").judge({"claims": [claim]})
    assert bool(decision.claims) == case["released"], [str(refusal.code) for refusal in decision.refusals]
    if not case["released"]:
        assert {str(refusal.code) for refusal in decision.refusals} <= {"wording_unsafe", "number_unsupported"}
