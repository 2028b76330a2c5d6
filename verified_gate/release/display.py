"""Text of documents and models, made safe to show on one line of a terminal or page.

A document may hold escape sequences that recolour, retitle or rewrite a terminal, and bidirectional controls that
reorder what stands around them. Both are disarmed here, visibly, and only for display: `quote` keeps the
source's own characters.
"""

import re
import unicodedata
from typing import Final

_FIRST_STRONG_ISOLATE: Final = "\u2068"
_POP_ISOLATE: Final = "\u2069"

_PICTURES: Final = {**{code: chr(0x2400 + code) for code in range(0x20)}, 0x7F: "\u2421"}
"""C0 controls as the pictures Unicode has for them: ESC becomes ␛. All else that is unsafe becomes U+FFFD."""

# C0 and C1 (U+009B starts an escape sequence too), bidirectional embeddings, overrides and isolates, lone surrogates.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_JSON_UNSAFE: Final = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff<>&]")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Zl", "Zp", "Zs"})
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


def one_line(text: str) -> str:
    """`text` on one line: white space collapsed, control characters and lone surrogates replaced by visible ones."""
    return _UNSAFE.sub(_disarm, " ".join(text.split()))


def visible(text: str) -> str:
    """`text` with every character that does not show, but the plain space, written as its escape in Python."""
    return "".join(
        character.encode("unicode_escape").decode()
        if character != " " and unicodedata.category(character) in _UNSEEN
        else character
        for character in text
    )


def isolated(text: str) -> str:
    """`one_line(text)`; text that holds right-to-left letters is isolated, so that it cannot reorder its neighbours."""
    line = one_line(text)
    if line.isascii() or not any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in line):
        return line
    return f"{_FIRST_STRONG_ISOLATE}{line}{_POP_ISOLATE}"


def escaped_json(document: str) -> str:
    """JSON that decodes to the same value and is safe in a terminal, a log line and an HTML page.

    `document` must be valid JSON: outside of strings none of the characters escaped here can stand.
    """
    return _JSON_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", document)


def _disarm(found: re.Match[str]) -> str:
    return _PICTURES.get(ord(found[0]), "\ufffd")
