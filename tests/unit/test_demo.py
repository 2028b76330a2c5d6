"""The demonstration notices when an outcome is not the promised one."""

import pytest

from verified_gate import demo
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import ReasonCode
from verified_gate.synthesis import SynthesisFailure


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


@pytest.mark.enable_socket
def test_the_exit_code_is_1_where_an_outcome_differs_and_a_part_without_its_ground_does_not_run(monkeypatch, capsys):
    class Abstains:
        def synthesize(self, request):
            return {"status": "abstained"}

    monkeypatch.setattr(demo, "synthesizer_from_environment", Abstains)
    assert demo.main() == 1
    out = capsys.readouterr().out
    assert "1 outcome differs." in out
    assert "not run: (a) gave no citation" in out
    assert "source_changed" not in out
    assert "no network" not in out


def test_settings_that_are_missing_are_told_on_one_line(monkeypatch, capsys):
    monkeypatch.setenv("VERIFIED_GATE_LLM", "1")
    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"VERIFIED_GATE_{name}", raising=False)
    assert demo.main() == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "VERIFIED_GATE_BASE_URL" in err


@pytest.mark.parametrize(
    "code", ["provider_unavailable", "rate_limited", "deadline_exceeded", "context_too_long", "retrieval_unavailable"]
)
def test_an_outage_is_neither_an_answer_nor_an_abstention(code, monkeypatch, capsys):
    class Fails:
        def synthesize(self, request):
            return SynthesisFailure(ReasonCode(code), "http://model.invalid did not answer")

    monkeypatch.setattr(demo, "synthesizer_from_environment", Fails)
    assert demo.main() == 3
    out, err = capsys.readouterr()
    assert "no network" not in out
    assert "ok:" not in out
    assert code in err
    assert "model.invalid" in err


@pytest.mark.parametrize(("code", "differing"), [("no_evidence", 0), ("model_abstained", 0), ("model_refused", 1)])
def test_only_an_abstention_passes_for_one(code, differing, store, capsys):
    class Declines:
        def synthesize(self, request):
            return SynthesisFailure(ReasonCode(code))

    stage = demo.Stage()
    demo.an_abstention(stage, store, Declines())
    assert stage.differing == differing


def test_a_narrow_terminal_gets_short_lines(store, capsys):
    stage = demo.Stage(width=50)
    demo.a_dishonest_synthesizer(stage, store)
    demo.a_hostile_document(stage, store)
    assert stage.differing == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 60
