"""Evidence and replies from files: what the operator hands to `check`."""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Final

from verified_gate.model import Location, Passage
from verified_gate.model.errors import CorpusError

MAX_FILE_BYTES: Final = 200_000_000

PASSAGE_FIELDS: Final = frozenset(field.name for field in fields(Passage)) - {"location", "furniture"}
PIN_FIELDS: Final = ("sha256", "text_sha256", "file_sha256")
PLACE_FIELDS: Final = frozenset(field.name for field in fields(Location))


def parse_evidence(text: str, name: str) -> list[Passage]:
    """Passages from JSON `{key: text}`, or from one JSON object with the fields of `Passage` a line.

    A member that `Passage` does not have is a fault: a misspelt `sha256` would leave the passage unpinned. Raises
    `CorpusError`, which names the line and the member.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and not {"key", "text"} <= set(whole):
        wrong = sum(not isinstance(value, str) for value in whole.values())
        if wrong:
            raise CorpusError(f"{name}: {wrong} of the texts are not strings; {{key: text}} is expected")
        return _some([Passage(key, value) for key, value in whole.items()], name)
    passages = [_passage(line, f"{name}:{number}") for number, line in _lines(text)]
    keys = Counter(passage.key for passage in passages)
    if len(keys) < len(passages):
        raise CorpusError(f"{name}: {sum(count > 1 for count in keys.values())} key(s) stand on more than one line")
    return _some(passages, name)


def _some(passages: list[Passage], name: str) -> list[Passage]:
    if not passages:
        raise CorpusError(f"{name}: holds no passage")
    return passages


def _lines(text: str) -> Iterable[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _passage(line: str, place: str) -> Passage:
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise CorpusError(f"{place}: not JSON; one passage object a line, or {{key: text}}, is expected") from fault
    if not isinstance(members, dict):
        raise CorpusError(f"{place}: not a JSON object with the fields of a passage")
    location = members.pop("location", {})
    if not isinstance(location, dict):
        raise CorpusError(f"{place}: location is not an object")
    unknown = len(set(members) - PASSAGE_FIELDS) + len(set(location) - PLACE_FIELDS)
    if unknown:
        known = ", ".join(sorted(PASSAGE_FIELDS | {"location"}))
        raise CorpusError(f"{place}: {unknown} unknown member(s); a passage has {known}")
    heading = location.pop("heading", [])
    if not isinstance(heading, list) or not all(isinstance(part, str) for part in heading):
        raise CorpusError(f"{place}: location.heading is not a list of strings")
    if not all(value is None or type(value) is int for value in location.values()):
        raise CorpusError(f"{place}: a line or paragraph of location is not a whole number")
    if not all(isinstance(members.get(name, ""), str | None) for name in PIN_FIELDS):
        raise CorpusError(f"{place}: a hash is not a string")
    try:
        return Passage(**members, location=Location(tuple(heading), **location))
    except (TypeError, ValueError) as fault:
        raise CorpusError(f"{place}: {fault}") from fault


def read_text(name: str) -> str:
    """A file's or standard input's text; raises `CorpusError` where it is too large or not UTF-8."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise CorpusError(f"{name}: larger than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise CorpusError(f"{name}: not UTF-8 at byte {fault.start}") from fault
