"""A synthesizer that plays back recorded replies, for tests and demos: no model, no network.

A reply is the raw text a model would write, or its JSON already decoded. It goes through the same reader as a
model's. It cites the real keys of passages (`returns@3#c0`), not the aliases of a prompt, so that a recording can
be read and holds for any order of evidence; nothing in it is unescaped.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from verified_gate.model import Proposal
from verified_gate.model.errors import MissingRecording
from verified_gate.synthesis.pointer import NumberedPassage
from verified_gate.synthesis.protocol import SynthesisFailure, SynthesisRequest
from verified_gate.synthesis.reply import read_reply

Recording = str | Mapping[str, object]


class RecordedSynthesizer:
    """Answers each question with its recording; white space around a question does not matter.

    A question without one raises `MissingRecording`: a test or a demo that asks it is wrong. Where the request asks for
    sentences, a recording points at them (`{"key": "returns@3#c0", "sentences": [2]}`).
    """

    remote: Final = False

    def __init__(self, replies: Mapping[str, Recording]) -> None:
        self._replies = {
            question.strip(): reply if isinstance(reply, str) else json.dumps(reply)
            for question, reply in replies.items()
        }

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a JSON file: one object, question to reply. Raises `ValueError` that names the file."""
        try:
            replies = json.loads(Path(path).read_bytes())
        except ValueError as fault:
            place = f" at line {fault.lineno}" if isinstance(fault, json.JSONDecodeError) else ""
            raise ValueError(f"{path}: not JSON in UTF-8{place}") from None
        if not isinstance(replies, dict) or not all(isinstance(reply, str | dict) for reply in replies.values()):
            raise ValueError(f"{path}: must be one JSON object, from question to reply (text or object)")
        return cls(replies)

    def __repr__(self) -> str:
        return f"<RecordedSynthesizer ({len(self._replies)} recordings)>"

    def synthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """Read the recording of this question. Raises `MissingRecording`."""
        reply = self._replies.get(request.question.strip())
        if reply is None:
            raise MissingRecording(
                f"no recording for this question; there are {len(self._replies)}. "
                "Questions must be the same, character for character."
            )
        numbered = None
        if request.cite == "sentences":
            numbered = {passage.key: NumberedPassage.of(passage) for passage in request.evidence}
        return read_reply(reply, numbered=numbered)

    async def asynthesize(self, request: SynthesisRequest) -> Proposal | SynthesisFailure:
        """The same; nothing is waited for."""
        return self.synthesize(request)
