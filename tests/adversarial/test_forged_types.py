"""Attack family: make a citation, a claim or an answer without gate and release (invariant 1)."""

import copy
import dataclasses
import pickle
from types import SimpleNamespace

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import Answer, AnswerEngine, Gate, ReasonCode, ReleasedCitation, ReleasedClaim, VerifiedCitation
from verified_gate.release import render_answer, render_citation, render_json

TEXT = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"


@pytest.fixture
def answer():
    corpus = CorpusSimulator()
    enemy = AdversarialSynthesizer().claim("You have 30 days.", (corpus.add("returns", TEXT), QUOTE))
    return AnswerEngine(corpus, synthesizer=enemy).answer("How many days to return a bike?")


@pytest.fixture
def verified():
    citation = Gate({"a": TEXT}).verify("a", QUOTE)
    assert type(citation) is VerifiedCitation
    return citation


def _sealed(answer):
    return [answer.citations[0], answer.claims[0]]


def _values(sealed):
    return {field.name: getattr(sealed, field.name) for field in dataclasses.fields(sealed)}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    "forge",
    [
        lambda sealed: type(sealed)(**_values(sealed)),
        lambda sealed: type(sealed)(**_values(sealed), seal=None),
        lambda sealed: type(sealed)(**_values(sealed), seal=object()),
        dataclasses.replace,
        lambda sealed: dataclasses.replace(sealed, seal=None),
        copy.copy,
        copy.deepcopy,
        pickle.dumps,
        lambda sealed: type("Forged", (type(sealed),), {}),
    ],
    ids=[
        "no seal",
        "None as seal",
        "object as seal",
        "replace",
        "replace seal",
        "copy",
        "deepcopy",
        "pickle",
        "subclass",
    ],
)
def test_a_released_value_cannot_be_made_copied_changed_or_subclassed(answer, which, forge):
    with pytest.raises((TypeError, ValueError)):
        forge(_sealed(answer)[which])


@pytest.mark.parametrize("which", [0, 1])
def test_a_released_value_cannot_be_changed(answer, which):
    sealed = _sealed(answer)[which]
    for name in _values(sealed):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(sealed, name, "forged")
    with pytest.raises((AttributeError, TypeError)):
        sealed.extra = "forged"
    with pytest.raises(TypeError):
        sealed.__setstate__([])


def test_a_verified_citation_is_not_a_released_one(answer, verified):
    for render in (lambda c: render_citation(c, 1), render_json):
        with pytest.raises(TypeError):
            render(verified)
        assert "30 days" in render(answer.citations[0])
    with pytest.raises(TypeError):
        Answer(ReasonCode.OK, claims=(verified,))
    with pytest.raises(TypeError):
        ReleasedClaim("You have 90 days.", (verified,))


def test_an_object_that_looks_like_a_released_one_does_not_render(answer):
    citation = answer.citations[0]
    double = SimpleNamespace(**{name: getattr(citation, name) for name in dir(citation) if not name.startswith("_")})
    with pytest.raises(TypeError):
        render_citation(double, 1)
    with pytest.raises(TypeError):
        render_json(double)
    with pytest.raises(TypeError):
        render_answer(SimpleNamespace(is_grounded=True, text="forged", citations=(citation,)))
    with pytest.raises(TypeError):
        Answer(ReasonCode.OK, claims=(SimpleNamespace(text="forged", citations=(citation,)),))
    assert "30 days" in render_answer(answer)


def test_a_subclass_of_answer_does_not_render(answer):
    with pytest.raises(TypeError):
        forged = type("Forged", (Answer,), {"text": "forged"})(ReasonCode.OK, answer.claims)
        render_answer(forged)


@pytest.mark.parametrize(("code", "with_claims"), [(ReasonCode.OK, False), (ReasonCode.NO_EVIDENCE, True)])
def test_an_answer_is_ok_exactly_where_a_claim_was_released(answer, code, with_claims):
    with pytest.raises(ValueError):
        Answer(code, answer.claims if with_claims else ())
    assert Answer(ReasonCode.OK, answer.claims) == dataclasses.replace(answer, withheld=(), dropped=(), retrieved=())


def test_the_public_names_are_the_sealed_types(answer):
    assert type(answer.citations[0]) is ReleasedCitation
    assert type(answer.claims[0]) is ReleasedClaim
