"""Evidence and replies from files: what the operator hands to `check`.

A message names the option, the file, the line, the key and the member at fault. Keys and members come from the
operator's own file, so they are shown, disarmed and shortened; texts are not.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from verified_gate.cli.terminal import os_words, quoted
from verified_gate.model import Location, Passage
from verified_gate.model.errors import CorpusError

MAX_FILE_BYTES: Final = 200_000_000

PASSAGE_FIELDS: Final = frozenset(field.name for field in fields(Passage)) - {"location", "furniture"}
PLACE_FIELDS: Final = frozenset(field.name for field in fields(Location))
FORMS: Final = 'expected is {"key": "text"}, a list of passage objects, or one passage object a line'
_JSON_NAMES: Final = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def parse_evidence(text: str, name: str) -> list[Passage]:
    """Passages from JSON `{key: text}`, a JSON list of objects with the fields of `Passage`, or one of these a line.

    `name` is what messages call the file. A member that `Passage` does not have, and one that is written twice, is a
    fault: a misspelt `sha256` would leave the passage unpinned. Raises `CorpusError`.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) > 1 and _is_object(lines[0][1]):
        objects = ((f"{name}:{number}", decoded(line, f"{name}:{number}", of_line=True)) for number, line in lines)
        return _passages(objects, name)
    whole = decoded(text, name)
    if isinstance(whole, list):
        return _passages(((f"{name}: passage {index}", part) for index, part in enumerate(whole, start=1)), name)
    if not isinstance(whole, dict):
        raise CorpusError(f"{name}: is {_json_name(whole)}; {FORMS}")
    if {"key", "text"} <= set(whole):
        return _passages([(f"{name}:1", whole)], name)
    for key, value in whole.items():
        if not isinstance(value, str):
            raise CorpusError(f"{name}: the text of key {quoted(key)} is {_json_name(value)}, not a string; {FORMS}")
    return _some([Passage(key, value) for key, value in whole.items()], name)


def decoded(text: str, place: str, *, of_line: bool = False, expected: str = FORMS) -> Any:
    """One JSON value; raises `CorpusError` that names the line (unless `place` does) and the member written twice."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except _Twice as fault:
        raise CorpusError(f"{place}: the member {quoted(fault.member)} is written twice in one object") from None
    except json.JSONDecodeError as fault:
        line = "" if of_line else f":{fault.lineno}"
        raise CorpusError(f"{place}{line}: not JSON at column {fault.colno}; {expected}") from None
    except RecursionError:
        raise CorpusError(f"{place}: nested too deep") from None
    except ValueError:
        raise CorpusError(f"{place}: not JSON: a number is too long") from None


class _Twice(ValueError):
    def __init__(self, member: str) -> None:
        self.member = member


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members: dict[str, object] = {}
    for name, value in pairs:
        if name in members:
            raise _Twice(name)
        members[name] = value
    return members


def _is_object(line: str) -> bool:
    """Is the line a JSON object of its own? Then the file is read line by line."""
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _passages(objects: "Iterator[tuple[str, Any]] | list[tuple[str, Any]]", name: str) -> list[Passage]:
    passages: list[Passage] = []
    places: dict[str, str] = {}
    for place, members in objects:
        passage = _passage(members, place)
        first = places.setdefault(passage.key, place)
        if first != place:
            raise CorpusError(f"{place}: the key {quoted(passage.key)} stands already at {first.removeprefix(name)}")
        passages.append(passage)
    return _some(passages, name)


def _some(passages: list[Passage], name: str) -> list[Passage]:
    if not passages:
        raise CorpusError(f"{name}: holds no passage; {FORMS}")
    return passages


def _passage(members: Any, place: str) -> Passage:
    if not isinstance(members, dict):
        raise CorpusError(f"{place}: is {_json_name(members)}, not an object with the fields of a passage")
    if isinstance(members.get("key"), str):
        place = f"{place} (key {quoted(members['key'])})"
    location = members.pop("location", {})
    if not isinstance(location, dict):
        raise CorpusError(f"{place}: location is {_json_name(location)}, not an object")
    for inside, known in ((members, PASSAGE_FIELDS), (location, PLACE_FIELDS)):
        for name in inside:
            if name not in known:
                these = "a passage" if inside is members else "a location"
                has = sorted(known | {"location"} if inside is members else known)
                raise CorpusError(f"{place}: unknown member {quoted(name)}; {these} has {', '.join(has)}")
    for name in ("key", "text"):
        if name not in members:
            raise CorpusError(f"{place}: the member {name} is missing")
    try:
        return Passage(**members, location=Location(**location))
    except (TypeError, ValueError) as fault:
        raise CorpusError(f"{place}: {fault}") from fault


def _json_name(value: object) -> str:
    return _JSON_NAMES.get(type(value), "a number")


def read_text(path: str, name: str) -> str:
    """The text of a file, or of standard input for `-`; `name` is what messages call it.

    Raises `CorpusError` where it cannot be read, is too large or not UTF-8.
    """
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except OSError as fault:
        raise CorpusError(f"{name}: {os_words(fault)}") from fault
    if len(data) > MAX_FILE_BYTES:
        raise CorpusError(f"{name}: larger than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise CorpusError(f"{name}:{line}: not UTF-8 (byte {fault.start})") from fault


def name_of(option: str, path: str) -> str:
    """What messages call the file that an option names."""
    return f"{option} {'(standard input)' if path == '-' else path}"
