"""The answer and its dictionary."""

import json

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import AnswerEngine, Gate, Passage, ReasonCode
from verified_gate.release import Answer, abstention_sentence, release

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike\nwithin 30 days of delivery. Sale items cannot be returned."
PASSAGE = Passage("returns", TEXT, "returns", "Returns policy", "3", start=100)


def _reply(*claims):
    return {
        "claims": [
            {"text": text, "citations": [{"key": key, "quote": quote} for key, quote in cited]}
            for text, *cited in claims
        ]
    }


def _released(*claims, **settings):
    decision = Gate([PASSAGE], **settings).judge(_reply(*claims), question=QUESTION)
    return release(decision, evidence=[PASSAGE], question=QUESTION, **settings)


HONEST = ("You have\n 30 days.", ("returns", "within 30 days of delivery"))


def test_text_is_one_line_with_a_mark_for_each_citation():
    answer = _released(HONEST, ("No sale items.", ("returns", "Sale items cannot be returned.")))
    assert answer.text == "You have 30 days. [1] No sale items. [2]"
    assert answer.quotes_text == "“within 30 days of delivery” [1] “Sale items cannot be returned.” [2]"
    assert answer.claims[0].text == "You have\n 30 days."
    assert [citation.start for citation in answer.citations] == [122, 150]


def test_the_quote_keeps_the_sources_own_characters_and_the_text_shows_them_on_one_line():
    answer = _released(("It can be returned.", ("returns", "return a bike\nwithin 30 days")))
    (citation,) = answer.citations
    assert citation.quote == "return a bike\nwithin 30 days"
    assert answer.quotes_text == "“return a bike within 30 days” [1]"


def test_quotes_only_puts_the_released_quotes_in_the_place_of_the_wording():
    answer = _released(("Invented wording.", HONEST[1]), wording="quotes_only")
    assert answer.text == "“within 30 days of delivery” [1]"
    assert "Invented" not in str(answer.to_dict())


def test_quotes_only_shows_no_quote_that_was_lost_at_release():
    corpus = CorpusSimulator()
    returns, warranty = corpus.add("returns", TEXT), corpus.add("warranty", "A bike has a warranty of 5 years.")
    enemy = AdversarialSynthesizer()
    enemy.claim("Both.", (returns, "within 30 days of delivery"), (warranty, "a warranty of 5 years"))
    engine = AnswerEngine(corpus, synthesizer=enemy, wording="quotes_only")
    assert engine.answer(QUESTION).text == "“within 30 days of delivery” “a warranty of 5 years” [1][2]"
    enemy.meanwhile = lambda: corpus.remove(warranty)
    answer = engine.answer(QUESTION)
    assert answer.text == "“within 30 days of delivery” [1]"
    assert "5 years" not in str(answer.to_dict())


def test_a_quote_over_the_border_of_passages_needs_all_of_them_at_release():
    corpus = CorpusSimulator()
    whole = corpus.add("returns", TEXT)
    first, second = corpus.window(whole, 0, 22, "c1"), corpus.window(whole, 22, len(TEXT), "c2")
    corpus.documents[whole].current = False
    enemy = AdversarialSynthesizer().claim("It can be returned.", (first, "return a bike\nwithin 30 days"))
    question = "How many days to return a bike within 30 days?"
    engine = AnswerEngine(corpus, synthesizer=enemy, scope="document")
    assert [citation.keys for citation in engine.answer(question).citations] == [(first, second)]
    enemy.meanwhile = lambda: corpus.tamper(second, "within 31 days")
    assert [refusal.code for refusal in engine.answer(question).dropped] == [ReasonCode.INTEGRITY_FAILURE]


def test_the_dictionary_is_json_and_names_every_part():
    answer = _released(HONEST, ("Ninety.", ("returns", "within 90 days of delivery")))
    value = json.loads(json.dumps(answer.to_dict()))
    assert value["format"] == 1
    assert (value["code"], value["is_grounded"], value["text"]) == ("ok", True, answer.text)
    assert value["claims"] == [{"text": "You have\n 30 days.", "citations": [1]}]
    assert value["citations"][0]["quote"] == "within 30 days of delivery"
    assert value["citations"][0]["origin"] == "caller"
    assert value["withheld"] == [{"position": 1, "codes": ["quote_mismatch"]}]
    assert [refusal["code"] for refusal in value["dropped"]] == ["quote_mismatch"]
    assert value["retrieved"] == ["returns"]
    assert "90" not in json.dumps(value)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("prose", ReasonCode.INVALID_JSON),
        ({"claims": 7}, ReasonCode.INVALID_SCHEMA),
        ({"claims": []}, ReasonCode.MODEL_ABSTAINED),
    ],
)
def test_a_decision_that_the_gate_did_not_pass_keeps_its_code(reply, code):
    answer = release(Gate([PASSAGE]).judge(reply), evidence=[PASSAGE], lang="de")
    assert (answer.code, answer.text) == (code, abstention_sentence(code, "de"))
    assert answer.retrieved == ("returns",)
    assert not answer.is_grounded


def test_refusals_come_in_the_order_of_the_proposal():
    bad = ("returns", "within 90 days of delivery")
    answer = _released(("60 days.", HONEST[1], bad), ("Ninety.", bad), HONEST)
    assert [(refusal.code, refusal.claim, refusal.citation) for refusal in answer.dropped] == [
        (ReasonCode.QUOTE_MISMATCH, 0, 1),
        (ReasonCode.NUMBER_UNSUPPORTED, 0, None),
        (ReasonCode.QUOTE_MISMATCH, 1, 0),
    ]
    assert [claim.position for claim in answer.withheld] == [0, 1]
    assert [claim.position for claim in answer.claims] == [2]


def test_a_repr_is_one_line_without_wording():
    answer = _released(HONEST)
    assert repr(answer) == "<Answer ok, claims 1, citations 1, withheld 0>"
    assert repr(Answer(ReasonCode.NO_EVIDENCE)) == "<Answer no_evidence>"
    assert repr(answer.citations[0]) == "<ReleasedCitation 'Returns policy [returns]' document 122-148>"
    assert "\n" not in repr(answer.claims[0])


def test_a_location_made_of_lists_does_no_harm():
    from verified_gate import Location

    passage = Passage("a", TEXT, location=Location(heading=["Returning a bike"], first_line=7))
    decision = Gate([passage]).judge(_reply(("Yes.", ("a", "Sale items cannot be returned."))))
    assert release(decision, evidence=[passage]).citations[0].label == "(Returning a bike, line 8) [a]"
