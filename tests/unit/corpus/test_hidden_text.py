"""What a reader of the file does not see stays marked in the store."""

import pytest

from verified_gate import AnswerEngine, CorpusStore
from verified_gate.corpus.document import Document, Span
from verified_gate.synthesis import RecordedSynthesizer

TEXT = "The fee is nine euros. It is waived on Sundays. It is doubled on Mondays."


def engine(hidden: tuple[tuple[int, int], ...]) -> AnswerEngine:
    store = CorpusStore.in_memory()
    spans = [Span(0, 22), Span(23, 47), Span(48, len(TEXT), hidden=hidden)]
    store.add_documents([Document("fees", "1", TEXT, spans)])
    reply = {"status": "answered", "claims": [{"text": "It is so.", "citations": [
        {"key": "fees@1#c1", "quote": "It is waived on Sundays. It is doubled"}]}]}  # fmt: skip
    return AnswerEngine(
        store, synthesizer=RecordedSynthesizer({"waived on Sundays?": reply}), scope="document", limit=1
    )


@pytest.mark.parametrize(("hidden", "code"), [((), "ok"), (((0, 13),), "nothing_verified")])
def test_a_quote_does_not_run_on_into_hidden_words_that_were_not_delivered(hidden, code):
    answer = engine(hidden).answer("waived on Sundays?")
    assert answer.retrieved == ("fees@1#c1",)
    assert answer.code == code


def test_a_quote_runs_on_over_furniture_and_beside_hidden_words_of_what_was_not_delivered():
    text = "The fee is nine euros for\n\nPage 7 of 9\n\nevery child. Not for dogs. Cats ride free."
    footer, dogs = text.index("Page"), text.index("Not for")
    store = CorpusStore.in_memory()
    spans = [
        Span(0, 25),
        Span(footer, len(text), furniture=((0, 11),), hidden=((dogs - footer, dogs - footer + 13),)),
    ]
    store.add_documents([Document("fees", "1", text, spans)])

    def code(quote: str) -> str:
        reply = {
            "status": "answered",
            "claims": [{"text": "So it is.", "citations": [{"key": "fees@1#c0", "quote": quote}]}],
        }
        engine = AnswerEngine(
            store,
            synthesizer=RecordedSynthesizer({"nine euros fee?": reply}),
            scope="document",
            profile="extracted",
            limit=1,
        )
        answer = engine.answer("nine euros fee?")
        return str(answer.dropped[0].code) if answer.dropped else str(answer.code)

    assert code("nine euros for every child.") == "ok"
    assert code("nine euros for every child. Not for dogs.") == "not_visible"
    assert code("nine euros for every dog.") == "quote_mismatch"


def test_hidden_spans_come_back_from_the_store():
    store = CorpusStore.in_memory()
    store.add_documents([Document("fees", "1", TEXT, [Span(48, len(TEXT), hidden=((0, 13),))])])
    assert store.passage("fees@1#c0").hidden == ((0, 13),)
    (whole,) = store.texts(["fees@1#c0"])
    assert (whole.text, whole.hidden) == (TEXT, ((48, 61),))
