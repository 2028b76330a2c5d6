"""Columns drawn row by row are put in order or told, however wide the spaces between their words are; rivers of white in one
column, lists and tables are not.
"""

import itertools

import pytest

from tests.pdf_files import build, shown
from verified_gate import Gate, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.formats.pdf_gaps import SIDE_BY_SIDE
from verified_gate.ingest.limits import ReadingLimits

WORDS = (
    "The tenant pays the rent on the first day of each month, in advance, and without any deduction that the law does not"
    " allow. If the rent is late by more than ten days, the landlord may ask for interest; the rate is that of the central"
    " bank, plus two. The tenant keeps the flat clean, airs it every day, and tells the landlord of any damage at once. For"
    " small repairs, up to one hundred euros each, the tenant bears the cost himself, but not for more than three of them"
    " in a year. Pets need the consent of the landlord, who refuses it only for a good reason, such as the noise. Either"
    " side may end the lease in writing, three months before the end of a quarter, unless the law gives a longer time. At"
    " the end the tenant hands back all keys, paints the walls white, and leaves nothing behind, not even in the cellar."
    " The deposit, with its interest, is paid back within six months, when all the costs of the house are known to both."
)
MORE = f"{WORDS} {WORDS.replace('tenant', 'lessee').replace('landlord', 'owner')}"
WIDTHS = {
    letter: size
    for letters, size in (
        ("ijl", 222),
        ("ft,.;: I", 278),
        ("r()", 333),
        ("cksvxyzJ", 500),
        ("FTZ", 611),
        ("ABEKPSVXY", 667),
        ("wCDHNRU", 722),
        ("GOQ", 778),
        ("mM", 833),
        ("W", 944),
    )
    for letter in letters
}


def width(text, size):
    return sum(WIDTHS.get(letter, 556) for letter in text) * size / 1000


def wrapped(text, room, size):
    lines = [[]]
    for word in text.split():
        if lines[-1] and width(" ".join([*lines[-1], word]), size) > room:
            lines.append([])
        lines[-1].append(word)
    return lines


def full(words, x, y, size, room, *, by_word=True):
    """A line set to the full width of its column, a word drawn at a time, or with spaces made wider."""
    space = (room - width("".join(words), size)) / max(1, len(words) - 1)
    if not by_word:
        extra = space - width(" ", size)
        return f"q 0 g BT /F1 {size} Tf {extra:.3f} Tw 1 0 0 1 {x} {y} Tm ({' '.join(words)}) Tj ET Q\n"
    drawn = ""
    for word in words:
        drawn += shown(word, round(x, 2), y, size)
        x += width(word, size) + space
    return drawn


def page(count, size, gutter, *, by_word=True, sink=0, text=MORE, backwards=False, most=100):
    """Columns of full lines, drawn row by row over all of them, and what is in them."""
    room = (532 - gutter * (count - 1)) / count
    lines = wrapped(text, room, size)
    rows = min(most, len(lines) // count)
    columns = [lines[n * rows : (n + 1) * rows] for n in range(count)]
    order = list(reversed(range(count))) if backwards else range(count)
    drawn = "".join(
        full(columns[at][n], 40 + at * (room + gutter), 740 - 1.2 * size * n - (sink if at else 0), size, room, by_word=by_word)
        for n in range(rows)
        for at in order
    )  # fmt: skip
    return drawn, [[" ".join(line) for line in column] for column in columns]


def read_page(drawn):
    return read(build(drawn), ReadingLimits())


def said(found):
    return " ".join(found.text.split())


def spliced(found, columns, profile="extracted"):
    """Halves of lines beside each other that are read as one sentence."""
    gate = Gate({"k": found.text}, profile=profile)
    quotes = [
        f"{' '.join(one.split()[-2:])} {' '.join(other.split()[:2])}"
        for left, right in itertools.pairwise(columns)
        for one, other in zip(left[1:-1], right[1:-1], strict=True)
    ]
    whole = " ".join(line for column in columns for line in column)
    return [quote for quote in quotes if quote not in whole and isinstance(gate.verify("k", quote), VerifiedCitation)]


def is_told(found):
    return SIDE_BY_SIDE in found.pages[0].lost


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("sink", [0, 0.7, 4, 6])
@pytest.mark.parametrize("by_word", [True, False])
@pytest.mark.parametrize(
    ("count", "size", "gutter"),
    [
        (2, 10, 10),
        (2, 12, 9),
        (2, 12, 14),
        (2, 14, 14),
        (3, 10, 10),
        (3, 12, 12),
        (3, 12, 18),
        (4, 11, 12),
        (4, 12, 14),
    ],
)
def test_columns_of_wide_word_spaces_are_put_in_order_or_told(count, size, gutter, by_word, sink, backwards):
    drawn, columns = page(count, size, gutter, by_word=by_word, sink=sink, backwards=backwards)
    found = read_page(drawn)
    assert is_told(found) or said(found) == " ".join(itertools.chain.from_iterable(columns))
    assert is_told(found) or not spliced(found, columns)


@pytest.mark.parametrize("by_word", [True, False])
@pytest.mark.parametrize(("size", "gutter"), [(12, 9), (12, 14), (14, 14)])
def test_two_columns_of_wide_word_spaces_are_read_one_after_the_other(size, gutter, by_word):
    drawn, columns = page(2, size, gutter, by_word=by_word)
    found = read_page(drawn)
    assert said(found) == " ".join(itertools.chain.from_iterable(columns))
    assert not found.pages[0].lost


@pytest.mark.parametrize("count", [3, 4, 5])
def test_columns_of_few_words_a_line_are_told_and_parted(count):
    drawn, columns = page(count, 12, 14, text=MORE.replace(".", ","))  # no sentence ends, so that no order is sure
    found = read_page(drawn)
    assert is_told(found)
    assert not spliced(found, columns, "verbatim")


@pytest.mark.parametrize("size", [8, 10, 12, 14])
@pytest.mark.parametrize("room", [100, 140, 200, 300, 500])
def test_rivers_of_white_in_one_column_of_full_lines_part_nothing(room, size):
    lines = wrapped(MORE, room, size)[: int(700 / (1.2 * size))]
    drawn = "".join(full(line, 50, 740 - 1.2 * size * n, size, room) for n, line in enumerate(lines))
    found = read_page(drawn)
    assert said(found) == " ".join(itertools.chain.from_iterable(lines))
    assert not found.pages[0].lost


def test_columns_that_are_drawn_one_after_the_other_stay_as_they_are():
    lines = [wrapped(MORE, 130, 12)[n : n + 20] for n in (0, 20, 40)]
    drawn = "".join(
        full(line, 40 + 144 * at, 740 - 14 * n, 12, 130)
        for at, column in enumerate(lines)
        for n, line in enumerate(column)
    )
    found = read_page(drawn)
    assert said(found) == " ".join(word for column in lines for line in column for word in line)
    assert not found.pages[0].lost


def rows_of(*rows, lefts, size=10, step=14):
    """Cells of rows, a word drawn at a time."""
    drawn = ""
    for n, row in enumerate(rows):
        for cell, x in zip(row, lefts, strict=True):
            for word in cell.split():
                drawn += shown(word, round(x, 2), 740 - step * n, size)
                x += width(word, size) + width(" ", size)
    return drawn


SENTENCES = [each.strip() for each in MORE.replace(";", ".").split(".") if each.strip()]
LINES = [" ".join(line) for line in wrapped(MORE, 380, 10)]
NO_COLUMNS = {
    "letters that hang left of items": (
        [(f"({'abcdefghijklmnop'[n]})", each[:60]) for n, each in enumerate(SENTENCES[:16])],
        (50, 70),
    ),
    "numbers that hang left of lines": ([(f"{n}.", each) for n, each in enumerate(LINES[:20], 1)], (50, 70)),
    "numbers of every line": ([(f"{n}", each) for n, each in enumerate(LINES[:20], 1)], (40, 60)),
    "contents": (
        [(f"The rent of flats, part {n}", ". . . . . . . . . . . .", f"{n}") for n in range(16)],
        (50, 250, 500),
    ),
    "names and values": (
        [(f"{name} of the tenant:", f"{value} of {n}") for n, (name, value) in enumerate([("Name", "John"), ("Date of birth", "May"), ("Place", "Rome"), ("Kind", "Flat")] * 4)],
        (50, 180),
    ),
    "addresses": (
        [("John Smith and Sons", "Jane Doe and Partners"), ("The Old House", "Flat No. 7, New Road"), ("12 High Street", "Second Floor"), ("London SW1", "Paris 75001")] * 3,
        (50, 300),
    ),
    "figures": ([(f"the costs of item {n}", f"{n},400", f"{n},900 to {n + 7},000") for n in range(16)], (50, 200, 260)),
    "signatures": ([("By: the landlord", "By: the tenant"), ("Name: John Smith", "Name: Jane Doe"), ("Title: Owner", "Title: Head"), ("Date: May 1", "Date: May 2")] * 3, (50, 300)),
    "words and what they mean": (
        [("" if n % 4 else f"word {n}", each) for n, each in enumerate(LINES[:24])],
        (50, 130),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_COLUMNS)
def test_what_stands_beside_each_other_and_is_no_prose_on_both_sides_is_not_told(name):
    rows, lefts = NO_COLUMNS[name]
    found = read_page(rows_of(*rows, lefts=lefts))
    assert "".join(found.text.split()) == "".join("".join(row) for row in rows).replace(" ", "")
    assert not found.pages[0].lost


def test_columns_that_only_partly_can_be_put_in_order_are_told():
    """The two on the left have sentences that end within lines; in the others no order is sure."""
    room, size = 122, 12
    lines = [wrapped(text, room, size)[:40] for text in (WORDS, MORE[600:], MORE.replace(".", ",")[40:])]
    rows = min(map(len, lines))
    drawn = "".join(
        full(line, 40 + at * (room + 14), 740 - 14 * n, size, room)
        for n in range(rows)
        for at, line in enumerate(column[n] for column in lines)
    )
    found = read_page(drawn)
    columns = [[" ".join(line) for line in column[:rows]] for column in lines]
    assert is_told(found)
    assert not spliced(found, columns, "verbatim")


@pytest.mark.parametrize("by_word", [True, False])
def test_columns_of_eight_lines_are_put_in_order_or_told(by_word):
    drawn, columns = page(2, 14, 14, by_word=by_word, most=8)
    found = read_page(drawn)
    assert is_told(found) or said(found) == " ".join(itertools.chain.from_iterable(columns))


def test_a_page_made_to_be_expensive_is_read():
    """So many gaps, on so many lines, are looked at in bounded time and told or not, but read."""
    drawn = "".join(shown("a b", 10 * at, 1400 - 10 * n, 2) for n in range(60) for at in range(140))
    found = read(build(drawn, media="0 0 1440 1440"), ReadingLimits())
    assert found.text.count("a b") == 60 * 140


def at_once(gutter, kind, lines=30, size=10):
    """Two columns of which each row is one text: the gutter is a move within it, or blanks."""
    room = 200
    rows = list(zip(wrapped(MORE, room, size)[:lines], wrapped(MORE[1_500:], room, size)[:lines], strict=False))
    content = ""
    for number, (left, right) in enumerate(rows):
        words = [" ".join(side).replace("(", "").replace(")", "") for side in (left, right)]
        rest = room + gutter - width(words[0], size)
        inner = f"[({words[0]}) {-rest * 1000 / size:.0f} ({words[1]})] TJ"
        if kind == "blanks":
            inner = f"({words[0]}{' ' * max(2, round(rest / (0.278 * size)))}{words[1]}) Tj"
        content += f"BT /F1 {size} Tf 1 0 0 1 60 {740 - 1.3 * size * number:.1f} Tm {inner} ET\n"
    return build(content), rows


@pytest.mark.parametrize("kind", ["moves", "blanks"])
@pytest.mark.parametrize("gutter", [14, 18, 30, 60])
def test_rows_that_one_text_draws_over_both_columns_are_not_read_across(gutter, kind):
    data, rows = at_once(gutter, kind)
    extracted = read(data, ReadingLimits())
    gates = [Gate({"k": extracted.text}, profile=profile) for profile in ("verbatim", "extracted")]
    for left, right in rows:
        across = " ".join([*left[-3:], *right[:3]])
        assert not any(isinstance(gate.verify("k", across), VerifiedCitation) for gate in gates)
    whole = " ".join([*rows[4][0][-3:], *rows[5][0][:3]])
    assert extracted.pages[0].lost or isinstance(gates[1].verify("k", whole), VerifiedCitation)


def test_lines_of_one_column_that_one_text_draws_each_stay_as_they_are():
    lines = wrapped(MORE, 440, 10)[:40]
    content = "".join(
        f"BT /F1 10 Tf {space} Tw 1 0 0 1 60 {740 - 13 * number} Tm ({' '.join(line).replace('(', '').replace(')', '')}) Tj ET\n"
        for number, (line, space) in enumerate(zip(lines, itertools.cycle((0, 1, 3, 6))))
    )
    extracted = read(build(content), ReadingLimits())
    assert extracted.lost == extracted.pages[0].lost == () and "\t" not in extracted.text
