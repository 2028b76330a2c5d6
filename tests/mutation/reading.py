"""How the judge reads a text: atoms (words, numbers, signs), each with its place and the gap before it.

Under `typographic` and wider profiles two texts say the same where their atoms are the same and stand apart, or
together, in the same way. Nothing here is shared with the gate: the tables are written anew from the contract.
"""

import html
import re
import unicodedata
from dataclasses import dataclass

from tests.mutation.borders import (
    INVISIBLE,
    LINE_END_HYPHEN,
    is_body,
    is_letter,
    is_spaceless,
)

PROFILES = ("verbatim", "typographic", "extracted", "editorial")

_DOUBLE = dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"')
_SINGLE = dict.fromkeys("\u2018\u2019\u201a\u201b\uff07\u2039\u203a", "'")
_DASH = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
_LIGATURE = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_TABLE = {**_DOUBLE, **_SINGLE, **_DASH, **_LIGATURE, "…": "..."}
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_FOOTNOTE = re.compile(r"\[\^?[0-9]{1,3}\]")
_BULLETS = frozenset("•▪◦·‣●○■□∙")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\](\([^()\s]{1,500}\))")
_EMPHASIS = re.compile(r"(?<![\w*])(\*\*\*|\*\*|\*|__|_)(?=[^\s*_])([^*_\n]{1,300}?)(?<=[^\s*_])\1(?![\w*])")
_HEADING = re.compile(r"(?m)^[ ]{0,3}#{1,6}(?=[ \t])")
_LIST = re.compile(r"(?m)^[ \t\u00a0]*([•▪◦·‣●○■□∙]|[-*](?=[ \t\u00a0]+[^\W\d_]))(?=[ \t\u00a0])")
_TABLE_ROW = re.compile(r"(?m)^[ \t]*\|.*\|[ \t]*$")
_TABLE_RULE = re.compile(r"(?m)^[ \t]*\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+(?:[ \t]*:?-{3,}:?[ \t]*)?$")


@dataclass(frozen=True, slots=True)
class Atom:
    """One word, number or sign: `text` as compared, `start` and `end` in the source, `gap` the white space before."""

    text: str
    start: int
    end: int
    gap: str
    word: bool

    @property
    def broken(self) -> bool:
        """Whether a line ends before this atom."""
        return any(char in "\n\r\x0b\x0c\u2028\u2029" for char in self.gap)


def read(text: str, profile: str) -> list[Atom]:
    """The atoms of `text` under `profile` (`typographic` or wider)."""
    items = _letters(text, entities=profile != "typographic")
    atoms: list[Atom] = []
    gap = ""
    at = 0
    while at < len(items):
        char, start, end = items[at]
        if char.isspace():
            gap += char
            at += 1
            continue
        high = at + 1
        if is_spaceless(char) or not is_body(char):
            while high < len(items) and unicodedata.category(items[high][0])[0] == "M":
                high += 1
        else:
            while high < len(items) and is_body(items[high][0]) and not is_spaceless(items[high][0]):
                high += 1
        piece = unicodedata.normalize("NFC", "".join(item[0] for item in items[at:high]))
        atoms.append(Atom(piece, start, max(end, items[high - 1][2]), gap, is_body(char)))
        gap = ""
        at = high
    return atoms


def _letters(text: str, *, entities: bool) -> list[tuple[str, int, int]]:
    """Each folded character with the span of the source it comes from."""
    items: list[tuple[str, int, int]] = []
    references = {m.start(): m for m in _ENTITY.finditer(text)} if entities and "&" in text else {}
    at = 0
    while at < len(text):
        found = references.get(at)
        raw, end = text[at], at + 1
        if found is not None and (plain := html.unescape(found[0])) != found[0]:
            raw, end = plain, found.end()
        if entities and raw == LINE_END_HYPHEN:
            raw = "-\n"  # PDFium gives one character for a hyphen and the line end after it
        for char in raw:
            if char in INVISIBLE and not _needed(text, at, end):
                continue
            wide = chr(ord(char) - 0xFEE0) if 0xFF01 <= ord(char) <= 0xFF5E else char
            items.extend((piece, at, end) for piece in _TABLE.get(wide, wide))
        at = end
    return items


def _needed(text: str, start: int, end: int) -> bool:
    """Whether the script around an invisible character needs it: not in Latin, Greek or Cyrillic."""
    around = text[start - 1 : start] + text[end : end + 1]
    joiner = text[start] in "\u200c\u200d"
    for char in around:
        if joiner and (unicodedata.category(char) == "So" or ord(char) >= 0x1F000):
            return True
        if unicodedata.category(char)[0] in "LM" and ord(char) > 0x052F and not 0x1E00 <= ord(char) <= 0x1FFF:
            return joiner or is_spaceless(char)
    return False


def skips(text: str, atoms: list[Atom]) -> dict[int, tuple[int, ...]]:
    """Marks of the source that a quote may leave out under `extracted`: atom number -> lengths, in atoms."""
    spans: list[tuple[int, int]] = []
    for found in _EMPHASIS.finditer(text):
        mark, inner = found[1], found[2]
        if len(mark) > 1 or re.search(r"[^\W\d_]{2}", inner):  # `3 *5* 4` may be a product
            spans += [(found.start(1), found.end(1)), (found.end(2), found.end())]
    for found in _LINK.finditer(text):
        spans += [(found.start(), found.start() + 1), (found.end(1), found.end())]
    spans += [found.span(0) for found in _FOOTNOTE.finditer(text)]
    spans += [
        (found.start() + len(found[0]) - len(found[0].lstrip()), found.end()) for found in _HEADING.finditer(text)
    ]
    spans += [found.span(1) for found in _LIST.finditer(text)]
    for found in _TABLE_RULE.finditer(text):
        spans.append(found.span())
    for row in _TABLE_ROW.finditer(text):
        spans += [(at, at + 1) for at in range(row.start(), row.end()) if text[at] == "|"]
    if not spans:
        return {}
    by_start = {atom.start: number for number, atom in reversed(list(enumerate(atoms)))}
    table: dict[int, tuple[int, ...]] = {}
    for low, high in spans:
        while low < high and text[low].isspace():
            low += 1
        first = by_start.get(low)
        if first is None:
            continue
        last = first
        while last < len(atoms) and atoms[last].end <= high:
            last += 1
        if last > first:
            table[first] = (*table.get(first, ()), last - first)
    return table


def capitals(atoms: list[Atom]) -> set[int]:
    """Atoms that belong to a run of more than three words in capitals: their case may differ under `editorial`.

    A run ends with its sentence and with its paragraph; numbers in it neither count nor end it.
    """
    inside: set[int] = set()
    run: list[int] = []
    for number, atom in enumerate(atoms):
        paragraph = len(re.findall(r"\r\n|[\n\r]", atom.gap)) > 1
        sentence = bool(number and atom.gap and atoms[number - 1].text in ".!?")
        word = atom.word and any(char.isalpha() for char in atom.text)
        if paragraph or sentence or (word and not _capital(atom.text)):
            inside.update(run if len(run) > 3 else ())
            run = []
        if word and _capital(atom.text):
            run.append(number)
    inside.update(run if len(run) > 3 else ())
    return inside


def _capital(word: str) -> bool:
    return any(char.isupper() for char in word) and not any(char.islower() for char in word)


def line_hyphen(atoms: list[Atom], number: int) -> bool:
    """Whether atom `number` is a hyphen at a line end between two letters."""
    if not 0 < number < len(atoms) - 1:
        return False
    left, hyphen, right = atoms[number - 1], atoms[number], atoms[number + 1]
    if hyphen.gap or not (is_letter(left.text[-1]) and is_letter(right.text[0])):
        return False
    return hyphen.text == "-" and right.broken
