"""Verified citations and claims are made by the gate alone (invariant 1)."""

import copy
import dataclasses
import pickle

import pytest

from tests.verdicts import reply
from verified_gate import Gate, VerifiedCitation, VerifiedClaim

TEXT = "You can return a bike within 30 days of delivery."


@pytest.fixture
def sealed():
    (claim,) = Gate({"a": TEXT}).judge(reply(("You have 30 days.", [("a", "within 30 days of delivery")]))).claims
    return {"citation": claim.citations[0], "claim": claim}


def _values(value):
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


@pytest.mark.parametrize("which", ["citation", "claim"])
@pytest.mark.parametrize(
    "forge",
    [
        lambda value: type(value)(**_values(value)),
        lambda value: type(value)(**_values(value), seal=None),
        lambda value: type(value)(**_values(value), seal=object()),
        lambda value: dataclasses.replace(value),
        lambda value: dataclasses.replace(value, seal=None),
        copy.copy,
        copy.deepcopy,
        pickle.dumps,
        lambda value: value.__setstate__([]),
        lambda value: type("Forged", (type(value),), {}),
    ],
    ids=["no seal", "None", "object", "replace", "replace seal", "copy", "deepcopy", "pickle", "setstate", "subclass"],
)
def test_it_cannot_be_made_copied_changed_or_subclassed(sealed, which, forge):
    with pytest.raises((TypeError, ValueError)):
        forge(sealed[which])
    assert type(sealed["citation"]) is VerifiedCitation
    assert type(sealed["claim"]) is VerifiedClaim


@pytest.mark.parametrize("which", ["citation", "claim"])
def test_it_cannot_be_changed_in_place(sealed, which):
    for name in _values(sealed[which]):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(sealed[which], name, "forged")
    with pytest.raises((AttributeError, TypeError)):
        sealed[which].extra = "forged"


def test_what_is_read_of_a_citation_cannot_be_set(sealed):
    for name in ("quote", "start", "end", "key", "display", "sentence", "folds", "sha256", "label"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(sealed["citation"], name, "forged")


def test_two_verdicts_of_the_same_are_equal_and_can_be_told_apart_from_others(sealed):
    again = Gate({"a": TEXT}).verify("a", "within 30 days of delivery")
    assert again == sealed["citation"]
    assert len({again, sealed["citation"]}) == 1
    assert Gate({"a": TEXT}).verify("a", "within 30 days") != again


def test_a_claim_without_a_citation_does_not_exist():
    decision = Gate({"a": TEXT}).judge(reply(("You have 30 days.", [("a", "within 90 days of it")])))
    assert decision.claims == ()
    for claim in Gate({"a": TEXT}).judge(reply(("It is so.", [("a", "within 30 days")]))).claims:
        assert claim.citations
