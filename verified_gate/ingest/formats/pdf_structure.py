"""What a PDF names and does not hold, or holds and cannot give: PDFium passes over both without a word.

The file is gone through once, apart from PDFium: streams whose compression is broken or unknown, contents and drawings
of pages that are named and missing, and pages of the tree that its count leaves out. Of an encrypted file nothing can
be said this way; the caller leaves it out.
"""

import re
import zlib
from collections.abc import Iterator
from typing import Final

_STREAM: Final = re.compile(rb"stream\r?\n")
_END: Final = b"endstream"
_MOST_HEAD: Final = 4_000
"""Bytes before a stream that its entries are looked for in."""
_MOST_BYTES: Final = 1 << 28
"""Of decompressed data in all; what comes after is not looked at."""
_PIECE: Final = 1 << 16
_MOST_LISTED: Final = 1 << 24
"""Bytes of object streams that are kept to be looked at."""

_OBJECT: Final = re.compile(rb"(?<![0-9])(\d{1,10})\s{1,9}\d{1,5}\s{1,9}obj\b")
_FILTER: Final = re.compile(rb"/Filter\s*\[?\s*/([A-Za-z0-9]{1,40})(?:\s*/([A-Za-z0-9]{1,40}))?")
_FIRST: Final = re.compile(rb"/First\s+(\d{1,9})")
_FILTERS: Final = frozenset(
    b"FlateDecode Fl LZWDecode LZW ASCII85Decode A85 ASCIIHexDecode AHx RunLengthDecode RL CCITTFaxDecode CCF DCTDecode"
    b" DCT JBIG2Decode JPXDecode Crypt".split()
)
_FLATE: Final = frozenset({b"FlateDecode", b"Fl"})
_BEGINS: Final = {
    b"ASCIIHexDecode": re.compile(rb"[\s0-9A-Fa-f]*(?:>|\Z)"),
    b"ASCII85Decode": re.compile(rb"\s*(?:<~)?[\s!-uz]*(?:~|\Z)"),
    b"LZWDecode": re.compile(rb"\s*\x80[\x00-\x7f]|\s*\Z"),  # its first code clears the table
}
"""How packed data begins. (PDF 32000-1, 7.4)"""
_LOOKED_AT: Final = 4_000
_REFERENCE: Final = re.compile(rb"(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R\b")
_PARTS: Final = re.compile(
    rb"/Contents\s*(\d{1,10}\s{1,9}\d{1,5}\s{1,9}R\b|\[[^\[\]]{0,20000}\])|/XObject\s*<<([^<>]{0,20000})>>"
)
_TREE: Final = re.compile(
    rb"(?<![0-9])(?P<object>\d{1,10})\s{1,9}\d{1,5}\s{1,9}obj\b|/Kids\s*\[(?P<kids>[^\[\]]*)\]"
    rb"|/Pages\s+(?P<root>\d{1,10})\s{1,9}\d{1,5}\s{1,9}R\b"
)


def lost_objects(data: bytes, pages: int) -> Iterator[str]:
    """What of the file cannot be read. `pages` is the number of pages that PDFium knows."""
    broken, texts, known = _gone_through(data)
    if broken:
        yield "1 damaged object" if broken == 1 else f"{broken} damaged objects"
    named: set[bytes] = set()
    for text in texts:
        for part in _PARTS.finditer(text):
            named.update(_REFERENCE.findall(part[1] or part[2] or b""))
    missing = len({int(number) for number in named} - known)
    if missing:
        yield "1 missing object" if missing == 1 else f"{missing} missing objects"
    left_out = _leaves(texts) - pages
    if left_out > 0:
        yield (
            "1 page that the file does not count" if left_out == 1 else f"{left_out} pages that the file does not count"
        )


def _leaves(texts: list[bytes]) -> int:
    """How many pages the tree of pages has, where it stands in the file itself and not in a stream of objects."""
    kids: dict[int, list[int]] = {}
    root = at = 0
    passed: list[bytes] = []  # over which has nothing of the tree, but may have the object that the next belongs to
    for text in texts:
        if b"/Kids" not in text and b"/Pages" not in text:
            passed.append(text)
            continue
        at = next((int(numbers[-1]) for numbers in map(_OBJECT.findall, reversed(passed)) if numbers), at)
        passed.clear()
        for match in _TREE.finditer(text):
            if match["object"]:
                at = int(match["object"])
            elif match["root"]:
                root = int(match["root"])
            else:
                kids[at] = [int(number) for number in _REFERENCE.findall(match["kids"])]
    if root not in kids:
        return 0
    count, seen, waiting = 0, {root}, [root]
    while waiting:
        for kid in kids[waiting.pop()]:
            if kid not in seen:
                seen.add(kid)
                if kid in kids:
                    waiting.append(kid)
                else:
                    count += 1
    return count


def _gone_through(data: bytes) -> tuple[int, list[bytes], set[int]]:
    """How many streams are broken, what stands outside of streams and in streams of objects, the numbers of objects."""
    broken, at, budget = 0, 0, _MOST_BYTES
    texts: list[bytes] = []
    known: set[int] = set()
    listed = 0
    while (match := _STREAM.search(data, at)) is not None:
        if data[match.start() - 3 : match.start()] == b"end":
            texts.append(data[at : match.end()])
            at = match.end()
            continue
        texts.append(data[at : match.start()])
        head = data[max(at, match.start() - _MOST_HEAD) : match.start()]
        head = head[max(0, head.rfind(b" obj")) :]
        end = data.find(_END, match.end())
        end = len(data) if end < 0 else end
        objects = b"/ObjStm" in head
        fault, plain, used = _judged(head, data[match.end() : end], budget, keep=objects and listed < _MOST_LISTED)
        broken += fault
        budget -= used
        if objects and plain:
            listed += len(plain)
            first = _FIRST.search(head)
            begin = int(first[1]) if first else 0
            known.update(int(number) for number in plain[:begin].split()[::2] if number.isdigit() and len(number) < 11)
            texts.append(plain[begin:])
        at = end
    texts.append(data[at:])
    for text in texts:
        known.update(map(int, _OBJECT.findall(text)))
    return broken, texts, known


def _judged(head: bytes, body: bytes, budget: int, *, keep: bool) -> tuple[bool, bytes, int]:
    """Is the stream broken; its plain data, where it is to be kept; how many bytes it came to."""
    match = _FILTER.search(head)
    if match is None:
        return False, body if keep else b"", 0
    if match[1] not in _FILTERS:
        return True, b"", 0
    if match[1] not in _FLATE or budget <= 0:
        begins = _BEGINS.get(match[1])
        return begins is not None and not begins.match(body[:_LOOKED_AT]), b"", 0
    unpacked, used = bytearray(), 0
    twice = match[2] in _FLATE
    # without its two bytes of a head, and so without the sum at its end, which many programs write wrong
    unpacking = zlib.decompressobj(-15)
    try:
        for start in range(2, len(body), _PIECE):
            rest = body[start : start + _PIECE]
            while rest and not unpacking.eof and used < budget:
                piece = unpacking.decompress(rest, 4 * _PIECE)
                if twice and not used and piece[:1] != b"\x78":
                    return True, b"", len(piece)
                used += len(piece)
                if keep and len(unpacked) < _MOST_LISTED:
                    unpacked += piece
                rest = unpacking.unconsumed_tail
            if unpacking.eof or used >= budget:
                break
    except zlib.error:
        return True, bytes(unpacked), used
    return not unpacking.eof and used < budget, bytes(unpacked), used
