"""How documents and passages are named: `returns@3#c0`, and `acme:returns@3#c0` where tenant acme owns the document.

Ids are scoped by tenant, so that one tenant cannot learn of another's by a clash. A key has one spelling only.
"""

import re
from dataclasses import dataclass
from typing import Final

from verified_gate.ingest.front_matter import is_name

MAX_NAME: Final = 200
_MAX_KEY: Final = 3 * MAX_NAME + 20
_POSITION: Final = re.compile("0|[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Key:
    """The parts of a passage's key; `tenant` is empty for a public document, `position` counts passages from 0."""

    tenant: str
    document_id: str
    version: str
    position: int

    def __str__(self) -> str:
        return format_key(self.tenant, self.document_id, self.version, self.position)


def format_key(tenant: str, document_id: str, version: str, position: int) -> str:
    """The key of a passage."""
    scope = f"{tenant}:" if tenant else ""
    return f"{scope}{document_id}@{version}#c{position}"


def parse_key(key: object) -> Key | None:
    """The parts of `key`, or None where it is not spelled as `format_key` spells. Never raises."""
    if not isinstance(key, str) or len(key) > _MAX_KEY:
        return None
    place, _, position = key.rpartition("#c")
    name, _, version = place.rpartition("@")
    tenant, scoped, document_id = name.rpartition(":")
    names = [document_id, version, *([tenant] if scoped else [])]
    if not _POSITION.fullmatch(position) or any(name_fault(part) for part in names):
        return None
    return Key(tenant, document_id, version, int(position))


def name_fault(name: object) -> str | None:
    """Why `name` cannot be a tenant, an id or a version, or None where it can."""
    if not isinstance(name, str) or not name:
        return "must be a non-empty string"
    if len(name) > MAX_NAME:
        return f"is longer than {MAX_NAME} characters"
    if not is_name(name):
        return "may not hold white space, hidden characters, `:`, `@` or `#`"
    return None
