"""A question end to end over the sample corpus: store, retrieval, synthesizer, gate, release."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.simulator import AdversarialSynthesizer
from verified_gate import Actor, AnswerEngine, CorpusStore, Gate, ReasonCode
from verified_gate.model import sha256_of_text
from verified_gate.synthesis import RecordedSynthesizer, TemplateSynthesizer

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
QUESTION = "How long do I have to return a bike?"
RETURNS = "returns@3#c0"
QUOTE = "within 30 days of delivery"
SUPPORT = Actor("acme", {"support"})


@pytest.fixture(scope="module")
def store():
    with CorpusStore.from_directory(CORPUS) as store:
        yield store


def _recorded(*claims):
    return RecordedSynthesizer(
        {
            QUESTION: {
                "status": "answered",
                "claims": [{"text": text, "citations": [{"key": key, "quote": quote}]} for text, key, quote in claims],
            }
        }
    )


def _enemy(*claims):
    enemy = AdversarialSynthesizer()
    for text, key, quote in claims:
        enemy.claim(text, (key, quote))
    return enemy


def test_the_first_example_of_the_readme_holds(store):
    answer = AnswerEngine(store).answer(QUESTION)
    assert answer.is_grounded
    assert answer.code is ReasonCode.OK
    (citation, *_) = answer.citations
    assert (citation.key, citation.title, citation.document_id, citation.version) == (
        RETURNS,
        "Returns policy",
        "returns",
        "3",
    )
    assert citation.quote in answer.text
    assert citation.sha256 == citation.passage_sha256
    assert answer.dropped == ()
    assert RETURNS in answer.retrieved


@pytest.mark.parametrize(
    "synthesizer",
    [TemplateSynthesizer(), _recorded(("You have 30 days.", RETURNS, QUOTE)), _enemy(("30 days.", RETURNS, QUOTE))],
    ids=lambda synthesizer: type(synthesizer).__name__,
)
def test_every_citation_is_cut_from_its_file_under_every_synthesizer(store, synthesizer):
    """(conditions 9, 10, 19 and 60, invariant 2)"""
    answer = AnswerEngine(store, synthesizer=synthesizer).answer(QUESTION)
    assert answer.is_grounded
    passages = {passage.key: passage for passage in store.passages()}
    for citation in answer.citations:
        passage = passages[citation.key]
        at = citation.start - passage.start
        assert passage.text[at : at + len(citation.quote)] == citation.quote
        assert sha256_of_text(passage.text) == citation.passage_sha256
        lines = (CORPUS / "returns.md").read_text(encoding="utf-8").splitlines()
        place = citation.location
        assert citation.display in " ".join(" ".join(lines[place.first_line - 1 : place.last_line]).split())
        assert store.resolve(citation.to_dict()).status == "current"
        assert store.resolve(json.loads(json.dumps(citation.to_dict()))).status == "current"


@pytest.mark.parametrize("make", [_recorded, _enemy])
@pytest.mark.parametrize(
    ("claim", "code"),
    [
        (("Free.", "giveaway@1#c0", "every bike is free"), ReasonCode.UNKNOWN_CITATION),
        (("90 days.", RETURNS, "within 90 days of delivery"), ReasonCode.QUOTE_MISMATCH),
        (("Yes.", RETURNS, ""), ReasonCode.QUOTE_MISSING),
        (("Goodwill.", "acme:support-desk@7#c0", "Goodwill payments to employees"), ReasonCode.UNKNOWN_CITATION),
        (("60 days.", RETURNS, QUOTE), ReasonCode.NUMBER_UNSUPPORTED),
    ],
)
def test_the_same_lies_are_refused_under_every_synthesizer(store, make, claim, code):
    """(conditions 1, 2, 3, 8, 10 and 57)"""
    answer = AnswerEngine(store, synthesizer=make(claim)).answer(QUESTION)
    assert answer.code is ReasonCode.NOTHING_VERIFIED
    assert answer.citations == ()
    assert [claim.codes for claim in answer.withheld] == [(code,)]
    beside = AnswerEngine(store, synthesizer=make(claim, ("You have 30 days.", RETURNS, QUOTE))).answer(QUESTION)
    assert beside.text == "You have 30 days. [1]"


def test_only_the_policy_in_force_is_evidence(store):
    """(condition 24)"""
    answer = AnswerEngine(store).answer("How long is a store credit valid?")
    assert not any(citation.version == "2" for citation in answer.citations)
    assert not any(key.startswith("returns@2#") for key in answer.retrieved)


@pytest.mark.parametrize("actor", [None, Actor("acme"), Actor("acme", {"sales"}), Actor("other", {"support"})])
def test_who_may_not_read_a_document_gets_the_answer_of_a_corpus_without_it(store, actor, tmp_path):
    """(conditions 36, 37, 40, 41 and 44, invariant 4)"""
    question = "Up to how much are goodwill payments to employees limited per case?"
    assert "€60" in AnswerEngine(store).answer(question, actor=SUPPORT).text
    with CorpusStore.in_memory() as without:
        for path in sorted(CORPUS.rglob("*.*")):
            if path.name != "support-desk.md":
                without.add(path, **({"tenant": "acme"} if path.parent.name == "acme" else {}), trust_front_matter=True)
        assert AnswerEngine(store).answer(question, actor=actor).to_dict() == (
            AnswerEngine(without).answer(question, actor=actor).to_dict()
        )


def test_an_inactive_actor_gets_nothing(store):
    """(condition 38)"""
    inactive = Actor("acme", {"support"}, active=False)
    assert AnswerEngine(store).answer(QUESTION, actor=inactive).code is ReasonCode.NO_EVIDENCE
    assert AnswerEngine(store).answer(QUESTION, actor=SUPPORT).is_grounded


def test_an_answer_in_german_from_a_german_document(store):
    answer = AnswerEngine(store).answer("Wie lange kann ich ein Fahrrad zurückgeben?", lang="de")
    assert "innerhalb von 30 Tagen" in answer.text
    nothing = AnswerEngine(store).answer("Wie schnell fliegt eine unbeladene Schwalbe?", lang="de")
    assert nothing.text.startswith("In dem, was Sie lesen dürfen")


def test_the_swallow_abstains(store):
    for question in ("What is the airspeed of an unladen swallow?", "How fast does an unladen swallow fly?"):
        answer = AnswerEngine(store).answer(question)
        assert answer.code is ReasonCode.NO_EVIDENCE
        assert "what you may read" in answer.text


def test_a_withdrawn_document_stops_the_release_though_it_was_delivered():
    """(conditions 48 and 51)"""
    with CorpusStore.from_directory(CORPUS) as store:
        enemy = _enemy(("You have 30 days.", RETURNS, QUOTE))
        engine = AnswerEngine(store, synthesizer=enemy)
        old = engine.answer(QUESTION).citations[0].to_dict()
        enemy.meanwhile = lambda: store.operator.remove("returns", "3")
        answer = engine.answer(QUESTION)
        assert [refusal.code for refusal in answer.dropped] == [ReasonCode.UNAVAILABLE]
        assert not answer.is_grounded
        assert store.resolve(old).status == "unavailable"


async def test_many_questions_at_once_give_the_answers_of_one_after_another(store):
    engine = AnswerEngine(store)
    questions = [QUESTION, "How long are frames guaranteed?", "How much is a test ride?", "How fast is a swallow?"] * 3
    together = await asyncio.gather(*(engine.aanswer(question) for question in questions))
    assert [answer.to_dict() for answer in together] == [engine.answer(question).to_dict() for question in questions]


def test_a_hostile_document_is_returned_as_data_and_changes_nothing(store):
    """(condition 58)"""
    answer = AnswerEngine(store).answer("How much does the bell Klang 2 weigh?")
    assert [citation.document_id for citation in answer.citations] == ["supplier-note"]
    assert "48 grams" in answer.text
    assert not re.search("kept for free", AnswerEngine(store).answer(QUESTION).text)


def test_an_answer_brought_back_as_a_reply_passes_the_gate_again(store):
    answer = AnswerEngine(store).answer(QUESTION)
    reply = {
        "claims": [
            {"text": claim.text, "citations": [{"key": c.key, "quote": c.quote} for c in claim.citations]}
            for claim in answer.claims
        ]
    }
    gate = Gate([passage for passage in store.passages() if passage.key in answer.retrieved])
    again = gate.judge(reply, question=QUESTION)
    assert [[c.found for c in claim.citations] for claim in again.claims] == [
        [c.found for c in claim.citations] for claim in answer.claims
    ]
