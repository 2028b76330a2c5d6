"""The characters of a page or a table: in the encoding that it declares, else as browsers take it.

Where nothing is declared, bytes that are UTF-8 are UTF-8 and all others windows-1252, which has a sign for every byte.
Bytes that are nothing in their encoding become U+FFFD and are told; where they are many, it is none of this text. Told
too is windows-1252 that was only guessed and is probably another.
"""

import codecs
from collections import Counter
from typing import Final

from verified_gate.ingest.formats.guessing import is_doubtful
from verified_gate.ingest.unreadable import Unreadable, UnreadableFile

MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ENCODINGS: Final[dict[str, str]] = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(
        ("ascii", "us-ascii", "iso-8859-1", "iso8859-1", "latin1", "l1", "windows-1252", "cp1252"), "cp1252"
    ),
    **{f"windows-{page}": f"cp{page}" for page in (874, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258)},
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "korean"), "cp949"),
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman"), "mac-roman"),
    **{name: name for name in ("koi8-r", "koi8-u", "euc-jp", "iso-2022-jp", "ibm866")},
    "iso-8859-11": "cp874",
    "big5": "big5hkscs",
    "utf-16": "utf-8",  # a page that could be read so far is none
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
}
"""What browsers make of the labels that pages declare; no other codec is ever taken from a page."""

_WESTERN: Final = "cp1252"
_REPLACED: Final = "\ufffd"
_MOST: Final = 0.02
"""Of the characters, that may be none: one stray byte is a slip, a page of them another encoding."""
UNDECODED: Final = "stray byte{s}"
GUESSED: Final = "encoding not declared, and probably not windows-1252, as which it was read"
"""What was lost, for people."""
_CONTROLS: Final = frozenset(chr(code) for code in (*range(9), 14, 15, *range(16, 27), *range(28, 32)))


def decoded(data: bytes, label: str = "", lost: Counter[str] | None = None) -> str:
    """The text. `label` is the encoding as declared, "" for none; what is wrong with it is told in `lost`.

    Raises `UnreadableFile` (`not_text`).
    """
    text, bad, guessed = _decoded(data, label)
    if lost is not None:
        lost[UNDECODED] += bad
        lost[GUESSED] += guessed
    return text


def _decoded(data: bytes, label: str) -> tuple[str, int, bool]:
    """The text, how many pieces of it are no characters, and whether its encoding was guessed and is probably another."""
    for mark, name in MARKS:
        if data.startswith(mark):
            return *_lenient(data[len(mark) :], name), False
    declared = ENCODINGS.get(label.strip().lower(), "")
    if declared not in ("", "utf-8"):
        return *_lenient(data, declared), False
    try:
        return data.decode("utf-8"), 0, False
    except UnicodeDecodeError:
        pass
    if declared or _is_mostly_utf8(data):
        return *_lenient(data, "utf-8"), False
    text, bad = _lenient(data, _WESTERN)
    if not _CONTROLS.isdisjoint(text):
        raise UnreadableFile(Unreadable.NOT_TEXT, "it holds bytes that stand for nothing in a text")
    return text, bad, is_doubtful(text)


def _lenient(data: bytes, encoding: str) -> tuple[str, int]:
    try:
        return data.decode(encoding), 0
    except UnicodeDecodeError as fault:
        text = data.decode(encoding, "replace")
        bad = text.count(_REPLACED)
        if bad > 1 and bad > _MOST * len(text):
            told = f"it is not in its encoding, {encoding}: byte {fault.start}"
            raise UnreadableFile(Unreadable.NOT_TEXT, told) from fault
        return text, bad


def _is_mostly_utf8(data: bytes) -> bool:
    """Whether more characters beyond ASCII are right in UTF-8 than are wrong."""
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACED)
    return len(text) - len(text.encode("ascii", "ignore")) > 2 * bad
