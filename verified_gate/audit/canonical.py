"""One spelling for a JSON value, so that its digest means something: RFC 8785, for what this package writes.

Members are ordered by name, nothing stands between tokens, strings are UTF-8 with only the escapes that JSON demands.
Names are ASCII and numbers are integers below 2**53, so that every implementation of RFC 8785 gives the same bytes.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

_MOST: Final = 2**53


def canonical_json(value: object) -> bytes:
    """The canonical bytes of a value of dicts, lists, strings, integers, booleans and None.

    Raises `ValueError` for a fraction, a number of 2**53 or more, a name that is not ASCII, or a lone surrogate;
    `TypeError` for what is no JSON.
    """
    _require(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def digest_of_json(value: object) -> str:
    """SHA-256 over `canonical_json(value)`, 64 lower-case hexadecimal digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _require(value: object) -> None:
    if isinstance(value, Mapping):
        for name, member in value.items():
            if not isinstance(name, str) or not name.isascii():
                raise ValueError("the name of a member must be ASCII")
            _require(member)
    elif isinstance(value, list | tuple):
        for member in value:
            _require(member)
    elif isinstance(value, float) or (isinstance(value, int) and abs(value) >= _MOST):
        raise ValueError("a number must be an integer below 2**53")
