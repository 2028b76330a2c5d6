"""The demonstration notices when an outcome is not the promised one."""

import pytest

from verified_gate import demo
from verified_gate.corpus.store import CorpusStore


@pytest.fixture(scope="module")
def store():
    with CorpusStore.from_directory(demo.sample_corpus()) as store:
        yield store


def test_a_lie_that_would_be_released_is_told_and_counted(store, monkeypatch, capsys):
    stage = demo.Stage()
    demo.a_dishonest_synthesizer(stage, store)
    assert stage.differing == 0
    assert "DIFFERS" not in capsys.readouterr().out
    true = ("one character changed", "quote_mismatch", "It is.", demo.RETURNS, demo.QUOTE)
    monkeypatch.setattr(demo, "ATTEMPTS", (true, *demo.ATTEMPTS[1:]))
    demo.a_dishonest_synthesizer(stage, store)
    assert stage.differing == 2
    out = capsys.readouterr().out
    assert "released                one character changed: “within 30 days of delivery”   DIFFERS" in out
    assert "DIFFERS: only the honest claim left" in out


def test_a_promise_that_holds_is_not_counted(capsys):
    stage = demo.Stage()
    stage.promise("one is one", 1, 1)
    stage.promise("one is two", 1, 2)
    assert stage.differing == 1
    assert "ok: one is one" in capsys.readouterr().out


def test_the_exit_code_is_1_where_an_outcome_differs(monkeypatch, capsys):
    monkeypatch.setattr(demo, "an_answer", lambda stage, store: demo.Answer(demo.ReasonCode.NO_EVIDENCE))
    monkeypatch.setattr(demo, "an_abstention", lambda stage, store: None)
    assert demo.main() == 1
    assert "2 outcome(s) differ." in capsys.readouterr().out
