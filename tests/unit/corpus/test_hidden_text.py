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


def test_hidden_spans_come_back_from_the_store():
    store = CorpusStore.in_memory()
    store.add_documents([Document("fees", "1", TEXT, [Span(48, len(TEXT), hidden=((0, 13),))])])
    assert store.passage("fees@1#c0").hidden == ((0, 13),)
