"""Attack family: get something past release that the store did not let go."""

import pytest

from tests.simulator import AdversarialSynthesizer, CorpusSimulator
from verified_gate import AnswerEngine, CorpusStore, Gate, Passage, Proposal, ReasonCode
from verified_gate.corpus.document import Document, Span
from verified_gate.ingest.document import Rules
from verified_gate.model import ProposedCitation, ProposedClaim
from verified_gate.release import release
from verified_gate.retrieval.protocol import Constraints

QUESTION = "How many days to return a bike?"
TEXT = "You can return a bike within 30 days of delivery."
QUOTE = "return a bike within 30 days"
WARRANTY = "The frame of a bike has a warranty of 5 years."


def _corpus():
    corpus = CorpusSimulator()
    return corpus, corpus.add("returns", TEXT), corpus.add("warranty", WARRANTY)


def test_a_claim_that_leans_on_a_revoked_citation_is_withheld_though_another_of_its_citations_stands():
    """What leaves is what would have left had the lost citation never been proposed (condition 51)."""
    corpus, returns, warranty = _corpus()
    enemy = AdversarialSynthesizer()
    enemy.claim("30 days to return, 5 years of warranty.", (returns, QUOTE), (warranty, "a warranty of 5 years"))
    enemy.claim("A bike can be returned, with a warranty.", (returns, QUOTE), (warranty, "a warranty of 5 years"))
    whole = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert [len(claim.citations) for claim in whole.claims] == [2, 2]

    enemy.meanwhile = lambda: corpus.remove(warranty)
    answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert [claim.text for claim in answer.claims] == ["A bike can be returned, with a warranty."]
    assert [citation.key for citation in answer.citations] == [returns]
    assert [(claim.position, claim.codes) for claim in answer.withheld] == [
        (0, (ReasonCode.UNAVAILABLE, ReasonCode.NUMBER_UNSUPPORTED))
    ]
    assert "5 years" not in answer.text


@pytest.mark.code("retrieval_unavailable")
def test_a_store_that_cannot_answer_releases_nothing_and_says_that_it_is_not_a_deletion():
    """(condition 52)"""
    corpus, returns, _ = _corpus()
    enemy = AdversarialSynthesizer().claim("You have 30 days.", (returns, QUOTE))
    engine = AnswerEngine(corpus, synthesizer=enemy)
    assert engine.answer(QUESTION).is_grounded
    corpus.broken = OSError("disk /secret/path is gone")
    answer = engine.answer(QUESTION)
    assert answer.code is ReasonCode.RETRIEVAL_UNAVAILABLE
    assert answer.citations == ()
    assert [refusal.code for refusal in answer.dropped] == [ReasonCode.RETRIEVAL_UNAVAILABLE]
    assert answer.detail == "the store failed (OSError)"
    assert "secret" not in str(answer.to_dict())


@pytest.mark.parametrize(
    "decisions", [[], [None, None], [False], [""], [0], ["released"], [ReasonCode.OK], [True], None, "x", {None: 1}]
)
def test_a_store_whose_decision_is_not_one_none_for_each_pin_releases_nothing(decisions):
    corpus, returns, _ = _corpus()
    enemy = AdversarialSynthesizer().claim("You have 30 days.", (returns, QUOTE))
    corpus.disclose = lambda pins, actor: decisions
    answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert answer.code is ReasonCode.RETRIEVAL_UNAVAILABLE
    assert answer.citations == ()

    corpus.disclose = lambda pins, actor: [None]
    assert AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION).is_grounded


def test_the_store_is_asked_once_for_all_citations_of_an_answer_with_their_pins():
    corpus, returns, warranty = _corpus()
    asked = []
    disclose = corpus.disclose
    corpus.disclose = lambda pins, actor: asked.append((list(pins), actor)) or disclose(pins, actor)
    enemy = AdversarialSynthesizer()
    enemy.claim("30 days.", (returns, QUOTE)).claim("5 years.", (warranty, "a warranty of 5 years"), (returns, QUOTE))
    answer = AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION)
    assert [[citation.key for citation in claim.citations] for claim in answer.claims] == [
        [returns],
        [warranty, returns],
    ]
    ((pins, actor),) = asked
    assert actor is None
    assert {(pin.key, pin.document_id, pin.version, pin.passage_sha256) for pin in pins} == {
        (key, stored.passage.document_id, "1", stored.passage.sha256) for key, stored in corpus.documents.items()
    }


def test_a_retriever_that_invents_passages_beside_a_store_releases_nothing():
    corpus, _, _ = _corpus()
    forged = Passage("invented@1#c0", "Refunds of 900 dollars are paid at once.", "invented", version="1", start=0)

    class Retriever:
        def retrieve(self, question, actor, limit):
            return [forged]

    enemy = AdversarialSynthesizer().claim("900 dollars at once.", (forged.key, "Refunds of 900 dollars are paid"))
    beside = AnswerEngine(corpus, retriever=Retriever(), synthesizer=enemy).answer(QUESTION)
    assert [refusal.code for refusal in beside.dropped] == [ReasonCode.UNAVAILABLE]
    assert not beside.is_grounded

    alone = AnswerEngine(retriever=Retriever(), synthesizer=enemy).answer(QUESTION)
    assert [citation.origin for citation in alone.citations] == ["caller"]


def test_nothing_is_asked_of_the_store_where_the_gate_verified_nothing():
    corpus, returns, _ = _corpus()
    enemy = AdversarialSynthesizer().claim("You have 90 days.", (returns, "return a bike within 90 days"))
    assert not AnswerEngine(corpus, synthesizer=enemy).answer(QUESTION).is_grounded
    assert corpus.calls["disclose"] == 0


@pytest.mark.code("source_changed")
def test_a_passage_that_kept_its_words_and_moved_is_not_released_with_its_old_place():
    """The twin leaves: the same run without the replacement in between."""
    hours, returns = (
        "Opening hours are from nine to five on week days.",
        "You can return a bike within 30 days of delivery.",
    )

    def answer(replace):
        with CorpusStore.in_memory() as store:
            store.add(f"{hours}\n\n{returns}", document_id="pol", version="1")
            cited = next(passage for passage in store.passages() if returns in passage.text)

            class Synthesizer:
                def synthesize(self, request):
                    if replace:
                        store.add(f"New {hours}\n\n{returns}", document_id="pol", version="1", replace=True)
                    quote = ProposedCitation(cited.key, "return a bike within 30 days of delivery")
                    return Proposal(claims=(ProposedClaim("You have 30 days.", (quote,)),))

            return AnswerEngine(store, synthesizer=Synthesizer()).answer("How long can I return a bike?")

    assert answer(replace=False).is_grounded
    assert [refusal.code for refusal in answer(replace=True).dropped] == ["source_changed"]


@pytest.mark.code("source_changed")
@pytest.mark.parametrize("change", ["summary", "hidden words", "nothing"])
def test_words_that_became_a_curators_or_unseen_while_the_model_wrote_are_not_released(change):
    """(condition 61) The text is the same, and what kind of source it is has changed."""
    spans = {"summary": (), "hidden words": ((0, 10),), "nothing": ()}[change]
    rules = Rules(admission="summary" if change == "summary" else "full_text")
    before = Document("pol", "1", TEXT, [Span(0, len(TEXT))])
    after = Document("pol", "1", TEXT, [Span(0, len(TEXT), hidden=spans)], rules=rules, lang="en")
    with CorpusStore.in_memory() as store:
        store.add_documents([before])
        enemy = AdversarialSynthesizer().claim("You have 30 days.", ("pol@1#c0", QUOTE))
        enemy.meanwhile = lambda: store.add_documents([after], replace=True)
        answer = AnswerEngine(store, synthesizer=enemy).answer(QUESTION)
        assert store.passage("pol@1#c0").lang == "en"
        expected = [] if change == "nothing" else ["source_changed"]
        assert [str(refusal.code) for refusal in answer.dropped] == expected
        assert answer.is_grounded == (change == "nothing")


def test_what_a_retriever_calls_a_passage_is_not_what_leaves():
    """A retriever may rank; title, heading, place and hashes come from the store that is asked on release."""
    from verified_gate import Location

    with CorpusStore.in_memory() as store:
        store.add(
            "You can return a bike within 30 days of delivery.", document_id="pol", version="1", title="Returns policy"
        )
        own = store.passages()[0]
        forged = Passage(
            own.key,
            own.text,
            own.document_id,
            "Forged title 99",
            own.version,
            7777,
            own.sha256,
            location=Location(heading=("Signed by the board, 99",), first_line=900),
        )

        class Retriever:
            def retrieve(self, question, actor, limit):
                return [forged]

        class Synthesizer:
            def synthesize(self, request):
                quote = ProposedCitation(own.key, "return a bike within 30 days")
                return Proposal(
                    claims=(ProposedClaim("You have 99 days.", (quote,)), ProposedClaim("You have 30 days.", (quote,)))
                )

        answer = AnswerEngine(store, retriever=Retriever(), synthesizer=Synthesizer()).answer("How long?")
        assert [claim.text for claim in answer.claims] == ["You have 30 days."]
        assert (answer.citations[0].title, answer.citations[0].start) == ("Returns policy", own.text.index("return a"))


@pytest.mark.code("unknown_citation")
@pytest.mark.code("quote_mismatch")
def test_what_stands_around_a_passage_widens_nothing_that_a_citation_may_quote():
    """(condition 64) Neighbours are context: neither their keys nor their words are the run's evidence."""
    texts = [
        "Returns are free of charge.",
        "You can return a bike within 30 days of delivery.",
        "A refund is paid within 7 days.",
    ]
    with CorpusStore.in_memory() as store:
        store.add("\n\n".join(f"# Part {number}\n\n{text}" for number, text in enumerate(texts)), document_id="pol")
        cited = next(
            hit.passage for hit in store.search("return a bike within 30 days") if texts[1] in hit.passage.text
        )
        around = store.neighbours(cited.key)
        assert [texts[index] in each.text for index, each in zip((0, 2), around, strict=True)] == [True, True]

        class Retriever:
            def retrieve(self, question, actor, limit):
                return [cited]

        def answer(key, quote):
            enemy = AdversarialSynthesizer().claim("It is so.", (key, quote))
            return AnswerEngine(store, retriever=Retriever(), synthesizer=enemy, scope="passage").answer(QUESTION)

        assert [refusal.code for refusal in answer(around[1].key, "A refund is paid within").dropped] == [
            "unknown_citation"
        ]
        assert [refusal.code for refusal in answer(cited.key, "A refund is paid within").dropped] == ["quote_mismatch"]
        assert answer(cited.key, "return a bike within 30 days").is_grounded


def test_a_request_with_limits_gets_nothing_from_a_store_that_knows_of_none():
    """(condition 63) A limit that cannot be held is not passed over."""
    corpus, returns, _ = _corpus()
    gate = Gate([corpus.documents[returns].passage])
    decision = gate.judge(Proposal(claims=(ProposedClaim("You have 30 days.", (ProposedCitation(returns, QUOTE),)),)))
    evidence = [corpus.documents[returns].passage]
    assert release(decision, evidence=evidence, store=corpus).is_grounded
    limited = release(decision, evidence=evidence, store=corpus, constraints=Constraints(purpose="audit"))
    assert (limited.code, limited.citations) == (ReasonCode.RETRIEVAL_UNAVAILABLE, ())


def test_a_preference_that_was_widened_is_told_with_the_answer():
    """(condition 65)"""
    with CorpusStore.in_memory() as store:
        store.add(TEXT, document_id="returns", collection="policies")
        store.add("A refund for a bike to return is paid within days.", document_id="refunds", collection="manuals")
        engine = AnswerEngine(store, limit=1)
        told = {
            names: engine.answer(QUESTION, prefer=names).to_dict()["widened"]
            for names in ((), ("policies",), ("absent",))
        }
        assert told == {(): False, ("policies",): False, ("absent",): True}


def test_a_retriever_that_brings_what_is_outside_of_the_limits_releases_nothing_of_it():
    """(conditions 45, 63) Purposes and collections hold in the release transaction too, whoever ranks."""
    with CorpusStore.in_memory() as store:
        store.add(TEXT, document_id="returns", purposes="billing", collection="policies")
        passage = store.passages(constraints=Constraints(purpose="billing"))[0]

        class Retriever:
            def retrieve(self, question, actor, limit, *, constraints):
                return [passage]

        enemy = AdversarialSynthesizer().claim("You have 30 days.", (passage.key, QUOTE))
        engine = AnswerEngine(store, retriever=Retriever(), synthesizer=enemy)
        assert engine.answer(QUESTION, purpose="billing", only=["policies"]).is_grounded
        asked = len(enemy.requests)

        class Decides:  # a store that can only be asked on release
            retrieve, disclose = Retriever.retrieve, staticmethod(store.disclose)

        bare = AnswerEngine(Decides(), retriever=Retriever(), synthesizer=enemy)
        for limits in ({"purpose": "sale"}, {"purpose": "billing", "only": ["manuals"]}, {}):
            answer = engine.answer(QUESTION, **limits)
            assert (answer.code, answer.retrieved, len(enemy.requests)) == ("no_evidence", (), asked)
        for limits in ({"purpose": "sale"}, {"purpose": "billing", "only": ["manuals"]}, {}):
            answer = bare.answer(QUESTION, **limits)
            assert [refusal.code for refusal in answer.dropped] == ["unavailable"]
            assert not answer.is_grounded
