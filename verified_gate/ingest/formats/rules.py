"""Under which name the work of a reader is stored: its library, and the number of our own rules for that kind of file.

Who changes what a kind is read as (text, blocks, marks, places, what is told as lost, how it is cut into passages) counts
its number up. What stands stored by older rules is then told as such, and never taken for what the reader of now gives;
`python -m tests.readings` finds what was changed without it.
"""

import re
from functools import lru_cache
from importlib import import_module
from typing import Final

RULES: Final[dict[str, int]] = {
    "pdf": 1,
    "docx": 1,
    "odt": 1,
    "html": 1,
    "epub": 1,
    "csv": 1,
    "xlsx": 1,
    "markdown": 1,
    "text": 1,
}
"""Count one up with every change of what is read; a number is never used again."""

_LIBRARIES: Final = {
    "pdf": "pdf",
    "docx": "markup",
    "odt": "markup",
    "html": "page_tree",
    "epub": "epub",
    "csv": "tables",
    "xlsx": "markup",
}
"""The module here whose `READER` names the library and its version; Markdown and text are read without one."""
_NAMED: Final = re.compile(r"(?:\A|, )([a-z]{1,20}) rules (\d{1,9})(?=, |\Z)")


def name_of(kind: str) -> str:
    """The name of the reader of `kind` as it is now: "lxml 6.0.2 (libxml2 2.14.6), html rules 3". Raises `ImportError`
    where its library is not installed.
    """
    name = f"{kind} rules {RULES[kind]}"
    if kind not in _LIBRARIES:
        return name
    return f"{import_module(f'{__package__}.{_LIBRARIES[kind]}').READER}, {name}"


@lru_cache(maxsize=1_000)
def is_current(reader: str) -> bool:
    """Is this the name of a reader as it is now, whatever else had a part in it? Not of one with other rules, nor with
    another version of its library. Where that is not installed nothing here reads otherwise, and it counts as current.
    """
    found = _NAMED.search(reader)
    if found is None or RULES.get(found[1]) != int(found[2]):
        return False
    try:
        return f"{reader}, ".startswith(f"{name_of(found[1])}, ")
    except ImportError:
        return True
