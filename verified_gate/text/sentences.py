"""Where sentences end: for cutting passages, and for showing a quote in the sentence that encloses it.

A rule of thumb in many languages, without a dictionary. Where it is not sure it does not end the sentence: a reader
then sees a little more than one sentence, never less. Besides the marks that end sentences, the layout of Markdown
and plain text does: blank lines, headings, list items, table rows, code fences.

Work is linear in the text: every decision looks at a bounded number of characters on either side.
"""

import re
from collections.abc import Iterator
from typing import Final

from verified_gate.text.characters import is_unspaced
from verified_gate.text.graphemes import grapheme_border_before, is_grapheme_border

REACH: Final = 2_000
"""How far `sentence_around` looks from each end of the span, in code points."""

_NEAR: Final = 200

_GAP: Final = 1_000
"""White space longer than this ends a sentence whatever follows."""

_TOKEN: Final = 24
"""Abbreviations and the words around a full stop are looked for this far."""

_WEAK: Final = ".!?…‼⁇⁈⁉．"
"""Marks that end a sentence only before white space, and not before a small letter."""

_STRONG: Final = "。！？｡।॥؟۔።፧։។៕။᠃།"
"""Marks that end a sentence wherever they stand: Chinese and Japanese, Indic, Arabic and Urdu, Ethiopic, Armenian,
Khmer, Burmese, Mongolian, Tibetan."""

_STRONG_SET: Final = frozenset(_STRONG)
_CANDIDATE: Final = re.compile(f"[{re.escape(_WEAK + _STRONG)}]+|\r\n?|\n")

_CLOSERS: Final = frozenset("\"'”’»›)]}」』）】》〉］｝〕〗*_`")
"""What still belongs to the sentence when it follows the mark at once."""

_OPENING_QUOTES: Final = frozenset("“‘«‹")
"""They close in German and some others („Komm.“ »Komm.«), when white space follows."""

_OPENERS: Final = frozenset("\"'“”„‚‘«»‹›([{「『（【《〈¿¡*_`-–—")
"""What may stand before the first letter of the next sentence."""

_DETACHED: Final = re.compile(r"[ \u00a0\u202f](?:''|[»›)\]}]){1,8}(?=[\s.,;]|\Z)")
"""Closing marks set off by a space: French quotation marks, and texts whose words and marks were taken apart."""

_AROUND: Final = ".,;:!?\"'“”„‘’«»()[]{}…-–—*_| \n\r\t"
_FOOTNOTE: Final = re.compile(r"\[\d{1,3}\]|[⁰¹²³⁴-⁹]{1,3}")
_WORD: Final = re.compile(r"[^\W\d_]{1,24}")
_INITIALS: Final = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,4}")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_DAY: Final = re.compile(r"\d{1,2}\.")

_ITEM: Final = re.compile(r"[ \t>]{0,99}(?:[-*+•▪◦‣·] |(\d{1,3}[.)]|[A-Za-z][.)]|[IVXLC]{2,6}\.|\(\w{1,3}\))[ \t])")
_ROW: Final = re.compile(r"[ \t>]{0,99}(?:\||#{1,6}[ \t]|```|~~~)")
_RULE: Final = re.compile(r"[ \t>]{0,99}(?:=+|-+|(?:\*[ \t]?){3,99})[ \t]{0,99}(?=[\r\n]|\Z)")
_BLANK: Final = re.compile(rf"[ \t>]{{0,{_GAP}}}(?=[\r\n]|\Z)")
_FIGURES: Final = re.compile(r"[ \t>]{0,99}\((\d{1,3})\)[ \t]{1,9}")
_FIGURES_OF_LINES: Final = re.compile(r"^[ \t>]{0,99}\((\d{1,3})\)[ \t]", re.MULTILINE)
_WORD_BEFORE: Final = re.compile(r"([^\W_]{1,24})[ \t]{0,9}(?:\r\n?|\n)?[ \t>]{0,99}\Z")
_FIRST_ITEM: Final = frozenset({"1.", "1)", "a.", "a)", "A.", "A)", "(1)", "(a)", "(A)", "(i)"})


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_IN_WORDS: Final = _words(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty ninety hundred "
    "ein eine einem einen einer eines zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig dreißig sechzig neunzig "
    "un une deux trois quatre cinq six sept huit neuf dix quinze trente uno una dos tres cuatro cinco seis siete ocho nueve "
    "diez quince treinta"
)
"""Numbers that contracts write in words and again in figures."""


_NEVER_LAST: Final = _words(
    "dr mr mrs ms mx prof messrs mme mlle hr frl dipl cf vs viz vgl bzw sog insb evtl ggf inkl exkl zzgl abzgl "
    "lit rel e.g i.e z.b d.h u.a o.ä s.o s.u u.u m.e i.d i.d.r p.ej p.ex sra sres"
)
"""Abbreviations after which a sentence goes on, whatever follows."""

_BEFORE_NUMBER: Final = _words(
    "no nos nr nrn fig figs eq eqs sec secs sect art arts abs ziff kap bd s p pp pg vol vols ch chap para paras rn "
    "tab abb abt az tel ext ed est jan feb mar apr jun jul aug sep sept oct nov dec mär okt dez núm pág pag cap "
    "approx ca circa max min mind"
)
"""Abbreviations after which a sentence goes on when a number follows."""

_BEFORE_NAME: Final = _words(
    "st ste mt ft inc ltd co corp bros jr sr al str hwy ave blvd rd dept univ rev hon gen maj brig col capt cmdr adm "
    "lt sgt cpl gov sen rep pres fr ing mag gem v dra avda"
)
"""Abbreviations that may end a sentence: they do before a word that often begins one."""

_STARTERS: Final = _words(
    "The This That These Those It Its In On At If He She We They You I A An But And Or For From To As By When While "
    "There However Our Your My Their His Her No Not All Any Each Such Under After Before Since Please What Who Where "
    "Why How Once Some Most Many Only Also Then With Without "
    "Der Die Das Den Dem Ein Eine Einen Einem Er Sie Es Wir Ihr Ich Im Am Auf Bei Wenn Wer Was Wo Wie Für Mit Nach Von "
    "Vom Zu Zum Zur Diese Dieser Dieses Jede Jeder Jedes Auch Aber Und Oder Als Alle Bitte Nicht Seit Dann Danach "
    "Le La Les Un Une Il Elle Nous Vous Ils Elles Ce Cette Ces Si Pour Dans El Los Las Una Este Esta Se En Para Pero"
)
"""Words that often begin a sentence and seldom are a name."""

_ORDINAL_NOUNS: Final = _words(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember Jan Feb Mär Apr Jun Jul "
    "Aug Sep Sept Okt Nov Dez Jahrhundert Jahrhunderts Jahrtausend Auflage Kapitel Absatz Tag Tages Woche Monat Monats "
    "Jahr Jahres Lebensjahr Klasse Stock Stufe Platz Mal Weltkrieg Weltkriegs Weltkrieges Etage Stunde Liga"
)
_BEFORE_ORDINAL: Final = _words(
    "am der die das den dem des im vom zum zur bis ab seit beim ins dieser diesem jeder jedem ein eine einen einem "
    "einer ihr ihre ihrem sein seine seinem unser unsere unserem und"
)
"""German words before an ordinal number (`am 3. Mai`, `im 19. Jahrhundert`)."""


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the sentences of `text` in code points, in order, without the white space around them.

    Together they hold every character that is not white space. Blank text has none.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for border in _borders(text, 0, len(text)):
        _append_trimmed(spans, text, start, border)
        start = max(start, border)
    _append_trimmed(spans, text, start, len(text))
    return spans


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the sentence that holds `text[start:end]`, or of all sentences that it touches.

    The same borders as `sentence_spans`, looked for at most `REACH` code points from either end; a sentence that
    goes on beyond is cut there, at white space where there is some.
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    first, last = _last_border(text, start), high
    for border in _borders(text, max(first, end - _TOKEN), high):
        if border >= end:
            last = border
            break
    else:
        if last < len(text):
            last = _cut_before(text, last, end)
    if first == low and first > 0 and not text[first - 1].isspace():
        first = next((index for index in range(first, start) if text[index].isspace()), first)
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, last


def is_whole(text: str, start: int, end: int) -> bool:
    """Is the span the whole text, a whole sentence, or a whole table cell, but for punctuation around it?"""
    while end < len(text) and text[end] in _WEAK + _STRONG:
        end += 1
    left, right = text[max(0, start - 80) : start].rstrip(" \u00a0")[-1:], text[end : end + 80].lstrip(" \u00a0")[:1]
    if (not left and not right) or (left in "|\t" and right in "|\t\n\r" and (left + right).strip("\n\r")):
        return True
    first, last = sentence_around(text, start, end)
    return not text[first:start].strip(_AROUND) and not text[end:last].strip(_AROUND)


def _last_border(text: str, start: int) -> int:
    """The last border at or before `start`, looked for nearby first; else where the reach ends."""
    low = start
    for reach in (REACH // 8, REACH):
        low = max(0, start - reach)
        borders = _borders(text, max(0, low - _TOKEN), min(len(text), start + _TOKEN))
        if found := [border for border in borders if low <= border <= start]:
            return found[-1]
    return low


def begins_like_item(text: str, index: int) -> bool:
    """Does a list mark (`- `, `2. `, `(b) `) stand at `index`, the start of a line or of its first word? A number in figures
    after the same in words (`thirty (30) days`) is none.
    """
    return _ITEM.match(text, index) is not None and not _repeats_words(text, index)


def _repeats_words(text: str, index: int) -> bool:
    """Does a number in figures stand at `index` that the word before says: `within thirty (30) days`, `one (1) Year`? Where
    that is not sure it does, and the sentence goes on; but an item that begins with a capital follows another in number.
    """
    figures = _FIGURES.match(text, index)
    before = None if figures is None else _WORD_BEFORE.search(text, max(0, index - _NEAR), index)
    if figures is None or before is None:
        return False
    if before[1].lower() in _IN_WORDS or text[figures.end() : figures.end() + 1].islower():
        return True
    number = int(figures[1])
    items = _FIGURES_OF_LINES.finditer(text, max(0, index - _GAP), index)
    return number > 1 and not any(int(item[1]) == number - 1 for item in items)


def _is_one_of_several(text: str, line: int) -> bool:
    """Does the number in figures at `line`, the start of a line, follow another one there, or (1) come before (2)?"""
    figures = _FIGURES.match(text, line)
    if figures is None:
        return False
    if int(figures[1]) == 1:
        after = _FIGURES_OF_LINES.search(text, figures.end(), min(len(text), line + _GAP))
        return after is not None and int(after[1]) == 2
    before = [int(each[1]) for each in _FIGURES_OF_LINES.finditer(text, max(0, line - _GAP), line)]
    return bool(before) and before[-1] == int(figures[1]) - 1


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _cut_before(text: str, index: int, floor: int) -> int:
    for candidate in range(index, floor, -1):
        if text[candidate - 1].isspace():
            return candidate
    return grapheme_border_before(text, index, floor)


def _borders(text: str, low: int, high: int) -> Iterator[int]:
    """Ends of sentences whose mark or line break stands in `text[low:high]`, ascending."""
    for match in _CANDIDATE.finditer(text, low, high):
        if text[match.start()] in "\r\n":
            if _layout_breaks(text, match.start(), match.end()):
                yield match.start()
        else:
            border = _end_after_mark(text, match.start(), match.end())
            if border is not None and not _in_row(text, match.start()):
                yield border


def _layout_breaks(text: str, line_end: int, next_line: int) -> bool:
    """Does the line break at `line_end` end a sentence by layout alone?"""
    if _BLANK.match(text, next_line) or _ROW.match(text, next_line) or _opens_item(text, next_line):
        return True
    line = _line_start(text, line_end)
    return line is not None and bool(_ROW.match(text, line) or _RULE.match(text, line))


def _line_start(text: str, index: int) -> int | None:
    """Start of the line that `index` stands in; None where it is too far away to matter."""
    floor = max(0, index - _GAP)
    start = max(text.rfind("\n", floor, index), text.rfind("\r", floor, index)) + 1
    return start if start > 0 or floor == 0 else None


def _in_row(text: str, index: int) -> bool:
    """Does `index` stand in a table's row? Its sentences say little without the row, so the row is not divided."""
    line = _line_start(text, index)
    return line is not None and text.startswith("|", line)


def _opens_item(text: str, line: int) -> bool:
    """Does a list item begin at `line`, the start of a line? A number that only the line's width put there does not."""
    item = _ITEM.match(text, line)
    if item is None or (_repeats_words(text, line) and not _is_one_of_several(text, line)):
        return False
    if item[1] is None or item[1] in _FIRST_ITEM or line == 0:
        return True
    above_end = line - 2 if text[line - 2 : line] == "\r\n" else line - 1
    above = _line_start(text, above_end)
    if above is None:
        return text[above_end - 1] in ".:;!?"
    last = text[above:above_end].rstrip()
    return not last or last[-1] in ".:;!?" or text[above] in " \t" or _ITEM.match(text, above) is not None


def _end_after_mark(text: str, start: int, end: int) -> int | None:
    """The end of the sentence that the marks `text[start:end]` close, with its closing quotes; None where it goes on."""
    strong = not _STRONG_SET.isdisjoint(text[start:end])
    border = _after_closers(text, end)
    if border == len(text):
        return border
    following = text[border]
    if not following.isspace():
        unspaced = is_unspaced(following) and text[end - 1] in "!?．"
        return border if (strong or unspaced) and is_grapheme_border(text, border) else None
    if detached := _DETACHED.match(text, border):
        border = detached.end()
    if strong:
        return border
    after = border
    limit = min(len(text), border + _GAP)
    while after < limit and text[after].isspace():
        after += 1
    while after < limit and text[after] in _OPENERS:
        after += 1
    if after == limit:
        return border
    if text[after].islower() or text[after] in ",;:.!?)]}":
        return None
    if end - start == 1 and text[start] == "." and not _full_stop_ends(text, start, after):
        return None
    return border


def _after_closers(text: str, index: int) -> int:
    limit = min(len(text), index + _GAP)
    while index < limit:
        if text[index] in _CLOSERS:
            index += 1
        elif footnote := _FOOTNOTE.match(text, index):
            index = footnote.end()
        elif text[index] in _OPENING_QUOTES and (index + 1 == len(text) or text[index + 1].isspace()):
            index += 1
        else:
            break
    return index


def _full_stop_ends(text: str, dot: int, after: int) -> bool:
    """Does the single full stop at `dot` end a sentence, where the next one would begin with `text[after]`?"""
    floor = max(0, dot - _TOKEN)
    first = dot
    while first > floor and (text[first - 1].isalnum() or text[first - 1] in ".,'’&"):
        first -= 1
    token = text[first:dot]
    if not token or first == floor > 0:
        return True
    line = _line_start(text, first)
    if line is not None and not text[line:first].strip(" \t>") and _opens_item(text, line):
        return False  # the stop belongs to the mark of a list item
    starter = _is_starter(text, after)
    if _NUMBER.fullmatch(token):
        return starter or not _is_ordinal(text, first, token, after)
    word = token.lower().strip("'’&,")
    if word in _NEVER_LAST:
        return False
    if word in _BEFORE_NUMBER and text[after].isdigit():
        return False
    if len(word) == 1:
        return starter and not _follows_initial(text, first)
    if word in _BEFORE_NAME or _INITIALS.fullmatch(word):
        return starter
    return True


def _is_starter(text: str, index: int) -> bool:
    word = _WORD.match(text, index)
    if word is None or word[0] not in _STARTERS:
        return False
    return len(word[0]) > 1 or text[word.end() : word.end() + 1] != "."  # `J. A. Smith`


def _follows_initial(text: str, index: int) -> bool:
    """Does another letter with a full stop stand before `index`, as in `z. B.` or `J. R.`?"""
    before = text[max(0, index - 4) : index].rstrip()
    return before[-1:] == "." and before[-2:-1].isalpha() and not before[-3:-2].isalnum()


def _is_ordinal(text: str, first: int, number: str, after: int) -> bool:
    """Is `number` with its full stop an ordinal, as in `am 1. Januar` and `1. 2. 2024`?"""
    if len(number) > 2:
        return False
    words = text[max(0, first - _TOKEN) : first].split()
    if text[after].isdigit():
        return _DAY.match(text, after) is not None or (bool(words) and _DAY.fullmatch(words[-1]) is not None)
    noun = _WORD.match(text, after)
    if noun is None:
        return False
    return noun[0] in _ORDINAL_NOUNS or (bool(words) and words[-1].lower() in _BEFORE_ORDINAL)
