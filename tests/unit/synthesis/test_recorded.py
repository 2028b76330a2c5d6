"""Recorded replies."""

import json
import traceback

import pytest

from verified_gate import Gate, Passage
from verified_gate.model.errors import MissingRecording
from verified_gate.synthesis import RecordedSynthesizer, SynthesisFailure, SynthesisRequest, Synthesizer

EVIDENCE = (Passage("returns@3#c0", "You can return a bike within 30 days of delivery."),)
REPLY = {
    "status": "answered",
    "claims": [
        {"text": "You have 30 days.", "citations": [{"key": "returns@3#c0", "quote": "within 30 days of delivery"}]}
    ],
}


def _ask(synthesizer, question="How long?"):
    return synthesizer.synthesize(SynthesisRequest(question, EVIDENCE))


@pytest.mark.parametrize("reply", [REPLY, json.dumps(REPLY), f"Sure!\n```json\n{json.dumps(REPLY)}\n```"])
async def test_a_recording_is_read_like_a_models_reply_and_cites_real_keys(reply):
    """(condition 10)"""
    recorded = RecordedSynthesizer({" How long? ": reply})
    assert isinstance(recorded, Synthesizer)
    proposal = _ask(recorded)
    assert proposal.aliases is None
    assert [claim.text for claim in Gate(EVIDENCE).judge(proposal).claims] == ["You have 30 days."]
    assert await recorded.asynthesize(SynthesisRequest("How long?", EVIDENCE)) == proposal


@pytest.mark.parametrize(
    ("reply", "code"), [("I'm sorry.", "invalid_json"), ("", "empty_reply"), ({"claims": 7}, "invalid_schema")]
)
def test_an_unusable_recording_has_its_code(reply, code):
    failure = _ask(RecordedSynthesizer({"How long?": reply}))
    assert isinstance(failure, SynthesisFailure)
    assert failure.code == code


def test_a_missing_recording_is_a_clear_error_that_repeats_no_text():
    recorded = RecordedSynthesizer({"CANARY?": "CANARY", "How long?": REPLY})
    with pytest.raises(MissingRecording, match="there are 2") as caught:
        _ask(recorded, "CANARY how long?")
    assert "CANARY" not in "".join(traceback.format_exception_only(caught.value)) + repr(recorded)
    assert _ask(recorded).claims


def test_recordings_come_from_a_file(tmp_path):
    path = tmp_path / "replies.json"
    path.write_text(json.dumps({"How long?": REPLY}), encoding="utf-8")
    assert _ask(RecordedSynthesizer.from_file(path)).claims


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\xfd", b"[]", b'{"Q?": 7}', b""])
def test_a_file_that_holds_no_recordings_is_named(tmp_path, content):
    path = tmp_path / "replies.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"replies\.json"):
        RecordedSynthesizer.from_file(path)
