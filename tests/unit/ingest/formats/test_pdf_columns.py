"""A PDF that draws its lines over all columns is read column by column; a table, and what may be one, row by row."""

import textwrap

import pypdfium2 as pdfium
import pytest

from tests.pdf_files import box, build, picture, shown
from verified_gate import Gate, VerifiedCitation
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.formats.pdf_drawing import boxes_of
from verified_gate.ingest.formats.pdf_gaps import SIDE_BY_SIDE
from verified_gate.ingest.formats.pdf_page import Opened
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


def lines_of(width=42, begin=0):
    return textwrap.wrap(WORDS[begin:].lstrip(), width)


def over(*columns, lefts=(50, 320), top=720, step=14, size=10, sink=0, mode=0):
    """The lines of these columns, drawn line by line over all of them, those on the right lower by `sink`."""
    rows = range(max(map(len, columns)))
    return "".join(
        shown(lines[n], x, top - step * n - (sink if at else 0), size, mode=mode)
        for n in rows
        for at, (lines, x) in enumerate(zip(columns, lefts, strict=True))
        if n < len(lines) and lines[n]
    )


def halves(width=42):
    lines = lines_of(width)
    return lines[: len(lines) // 2], lines[len(lines) // 2 :]


def read_page(drawn, **options):
    return read(build(drawn, **options), ReadingLimits())


def said(found):
    return " ".join(found.text.split())


def verdict(found, quote):
    return Gate({"k": found.text}, profile="extracted").verify("k", quote)


@pytest.mark.parametrize("sink", [0, 1.5, 4, 6, 7])
def test_two_columns_drawn_line_by_line_are_read_one_after_the_other(sink):
    found = read_page(over(*halves(), sink=sink))
    assert said(found) == " ".join(WORDS.split())
    assert "\t" not in found.text
    assert found.pages[0].lost == ()


def test_words_of_two_columns_on_one_line_are_no_sentence():
    left, right = halves()
    found = read_page(over(left, right))
    assert verdict(found, f"{left[3]} {right[3]}").code == "quote_mismatch"
    assert isinstance(verdict(found, f"{left[3]} {left[4]}"), VerifiedCitation)


def test_a_sentence_goes_over_from_the_foot_of_one_column_to_the_head_of_the_next():
    left, right = halves()
    found = read_page(over(left, right))
    assert isinstance(verdict(found, f"{left[-1]} {right[0]}"), VerifiedCitation)


def test_words_hyphenated_at_the_end_of_a_column_are_one_word():
    left, right = halves()
    left[4], left[5] = "all of them need the consent that the land-", "lord gives, and he refuses it, if at all, in"
    right[6], right[7] = "writing, within ten days, or else his con-", "sent counts as given, as far as the law of"
    found = read_page(over(left, right))
    assert isinstance(verdict(found, "need the consent that the landlord gives"), VerifiedCitation)
    assert isinstance(verdict(found, "or else his consent counts as given"), VerifiedCitation)


def test_the_boxes_of_a_quote_stand_where_its_words_stand():
    left, right = halves()
    document = pdfium.PdfDocument(build(over(left, right, sink=2)))
    opened = Opened(document[0])
    words = document[0].get_textpage()
    text = opened.characters.text
    for quoted, low, high in ((left[4:7], 50, 310), (right[4:7], 320, 612)):
        start = text.index(quoted[0])
        end = text.index(quoted[-1], start) + len(quoted[-1])
        boxes = boxes_of(opened.characters, start, end)
        assert [words.get_text_bounded(*each).strip() for each in boxes] == quoted
        assert all(low <= each[0] and each[2] <= high for each in boxes)
    opened.close()
    document.close()


def test_words_that_nobody_sees_are_marked_where_they_stand_in_reading_order():
    left, right = halves()
    drawn = over(left, right).replace("(" + right[5], "1 g (" + right[5])
    found = read_page(drawn)
    assert [found.text[start:end] for start, end in found.hidden] == [right[5]]


def test_a_line_over_the_full_width_ends_what_stands_above_it():
    left, right = halves()
    title = "What both sides owe each other, over the full width of the page"
    drawn = over(left[:9], right[:9]) + shown(title, 120, 580, 14) + over(left[9:], right[9:], top=550)
    assert read_page(drawn).text.split("\n") == [*left[:9], *right[:9], title, *left[9:], *right[9:]] or said(
        read_page(drawn)
    ) == " ".join([*left[:9], *right[:9], title, *left[9:], *right[9:]])


def test_a_rule_across_ends_what_stands_above_it():
    left, right = halves()
    drawn = over(left, right) + box(50, 720 - 14 * 8 - 4, 500, 0.6)
    assert said(read_page(drawn)) == " ".join([*left[:9], *right[:9], *left[9:], *right[9:]])


UNSEEN = {
    "a white rule": lambda rule, page: page + rule("1 g"),
    "a nearly white rule": lambda rule, page: page + rule("0.995 g"),
    "a rule clipped away": lambda rule, page: f"q 0 0 1 1 re W n {rule('0 g')} Q\n" + page,
    "a rule painted over": lambda rule, page: rule("0 g") + box(40, 100, 560, 660, "1 g") + page,
    "a rule as grey as its ground": lambda rule, page: (
        box(0, 0, 612, 792, "0.8 g") + rule("0.8 g") + page
    ),
    "words of no colour": lambda rule, page: page + shown(FULL, 60, 720 - 14 * 8 - 7, 10, mode=3),
    "white words": lambda rule, page: page + shown(FULL, 60, 720 - 14 * 8 - 7, 4, colour="1 g"),
    "a large white word in a column": lambda rule, page: page + shown("Heading", 60, 720 - 14 * 8 - 9, 24, colour="1 g"),
}  # fmt: skip
FULL = "This line is nowhere to be seen on this page, over all of its width and more"


def across(colour):
    return box(50, 720 - 14 * 8 - 4, 500, 0.6, colour)


def in_columns(found, left, right):
    """Is the text what the columns say, one after the other, but for what is hidden?"""
    seen = "".join(char for at, char in enumerate(found.text) if not any(a <= at < b for a, b in found.hidden))
    return " ".join(seen.split()) == " ".join([*left, *right])


@pytest.mark.parametrize("name", UNSEEN)
def test_what_nobody_sees_parts_no_columns(name):
    """The middle of the left column is no sentence with the head of the right one."""
    left, right = halves()
    found = read_page(UNSEEN[name](across, over(left, right)))
    assert in_columns(found, left, right)
    assert verdict(found, f"{left[8]} {right[0]}").code == "quote_mismatch"
    assert isinstance(verdict(found, f"{left[3]} {left[4]}"), VerifiedCitation)


@pytest.mark.parametrize("colour", ["0 g", "0.6 g", "1 0 0 rg"])
@pytest.mark.parametrize("shape", ["rule", "dashes", "box", "picture"])
def test_a_line_that_is_seen_parts_them_whatever_draws_it(colour, shape):
    left, right = halves()
    height = 720 - 14 * 8 - 4
    line = {
        "rule": across(colour),
        "dashes": f"q {colour.upper()} [3 3] 0 d 1 w 50 {height} m 560 {height} l S Q\n",
        "box": f"q {colour.upper()} 1 w 45 {height} 520 130 re S Q\n",
        "picture": picture(50, height, 510, 0.8),
    }[shape]
    found = read_page(over(left, right) + line)
    assert said(found) == " ".join([*left[:9], *right[:9], *left[9:], *right[9:]])


def test_a_line_that_is_hardly_seen_leaves_the_columns_as_they_were_and_is_told():
    left, right = halves()
    found = read_page(over(left, right) + across("0.97 g"))
    assert found.pages[0].lost == (SIDE_BY_SIDE,)
    assert said(found).startswith(f"{left[0]} {right[0]} {left[1]}")


def test_the_boxes_of_a_quote_are_right_where_the_page_was_drawn_to_judge_it():
    left, right = halves()
    document = pdfium.PdfDocument(build(over(left, right) + across("1 g")))
    page = document[0]
    before = bytes(page.render().buffer)
    opened = Opened(page)
    assert " ".join(opened.characters.text.split()) == " ".join(WORDS.split())
    assert bytes(page.render().buffer) == before
    opened.close()
    document.close()


def numbered(step=5, *, x=300, size=8, lines=None, text=None, first=None):
    """Two columns with the numbers of every `step`-th line between them, drawn line by line."""
    left, right = lines or (lines_of(42), lines_of(42)[::-1])
    drawn = ""
    for n, (one, other) in enumerate(zip(left, right, strict=True), 1):
        drawn += shown(one, 50, 720 - 14 * n, 10)
        if n % step == 0:
            drawn += shown(text or str(n if first is None else first + n // step), x, 720 - 14 * n, size)
        drawn += shown(other, 320, 720 - 14 * n, 10)
    return drawn, left, right


@pytest.mark.parametrize(("x", "size"), [(296, 8), (300, 8), (306, 8), (296, 10), (300, 10)])
def test_the_numbers_of_lines_between_columns_are_in_no_sentence(x, size):
    drawn, left, right = numbered(x=x, size=size)
    found = read_page(drawn)
    assert said(found) == " ".join([*left, *right, "5 10 15 20"])
    assert [found.text[start:end] for start, end in found.furniture] == ["5 10 15 20"]
    assert isinstance(verdict(found, f"{right[3]} {right[4]} {right[5]}"), VerifiedCitation)
    assert verdict(found, f"5 {right[4]}").code == "quote_mismatch"


def test_a_sentence_goes_on_over_the_numbers_of_lines_to_the_next_page():
    drawn, _, _ = numbered()
    found = read(build(drawn, shown("This is on the next page.", 50, 700, 10)), ReadingLimits())
    first, last = next(iter(found.furniture))
    assert found.text[last:].split("\n", 1)[0].strip("\f\r ") == ""
    assert found.text[first:last] == "5 10 15 20"


@pytest.mark.parametrize(
    "options",
    [{"step": 1}, {"first": 0}, {"first": 6}, {"text": "7"}, {"text": "§ 5"}, {"text": "see 12"}],
    ids=["every line", "1, 2, 3", "7, 8, 9", "the same number", "a note", "words"],
)
def test_what_stands_between_columns_and_may_be_no_number_of_a_line_leaves_them_and_is_told(options):
    drawn, left, right = numbered(x=292, size=5, **options)
    found = read_page(drawn)
    assert found.pages[0].lost == (SIDE_BY_SIDE,)
    assert said(found).startswith(f"{left[0]}")
    assert right[0] in said(found)[: len(left[0]) + len(right[0]) + 12]


def test_numbers_of_lines_as_near_as_a_word_leave_the_columns_and_are_told():
    drawn, left, _ = numbered(x=306, size=10)
    found = read_page(drawn)
    assert found.pages[0].lost == (SIDE_BY_SIDE,)
    assert left[1] not in said(found)[: 2 * len(left[0])]


def test_numbers_within_a_line_stay_in_it():
    left, right = halves()
    for n in (2, 4, 6, 8):
        right[n] = f"{5 * n} {right[n][:36]}"
    found = read_page(over(left, right))
    assert said(found) == " ".join([*left, *right])


def two_pages_of(rows, beside="", size=12, x=235):
    """Two columns of 24 lines; on `rows` they are narrower, and `beside` stands between them."""
    lines = textwrap.wrap(f"{WORDS} {WORDS} {WORDS}", 42)
    left, right, drawn = lines[:24], lines[24:48], ""
    for n in range(24):
        narrow = 28 if n in rows else 42
        drawn += shown(left[n][:narrow], 50, 720 - 14 * n, 10)
        if n in rows:
            drawn += shown(beside, x, 720 - 14 * n, size)
        drawn += shown(right[n][:narrow], 400 if n in rows else 320, 720 - 14 * n, 10)
    return drawn, left, right


def left_in_rows(found, left, right):
    """Are its columns left as they were drawn, and is that told?"""
    return SIDE_BY_SIDE in found.pages[0].lost and said(found).startswith(f"{left[0]} {right[0]} {left[1]}")


@pytest.mark.parametrize("rows", [range(9, 10), range(12, 13), range(10, 13)])
def test_words_that_columns_flow_around_leave_them_as_they_were_and_are_told(rows):
    """The middle of the left column goes on beneath them, and not at the head of the right one."""
    drawn, left, right = two_pages_of(rows, "Rent is due, always")
    found = read_page(drawn)
    assert left_in_rows(found, left, right)
    assert verdict(found, f"{left[rows.start - 1]} {right[0]}").code == "quote_mismatch"


def test_words_that_the_first_line_of_columns_flows_around_are_told():
    drawn, left, _ = two_pages_of(range(1), "Rent is due, always")
    found = read_page(drawn)
    assert found.pages[0].lost == (SIDE_BY_SIDE,)
    assert verdict(found, f"Rent is due, always {left[1]}").code == "quote_mismatch"


def test_a_running_line_of_three_parts_above_columns_is_none_of_them():
    left, right = halves()
    head = (
        shown("The lease of a flat, and", 50, 760, 10)
        + shown("12", 280, 760, 10)
        + shown("what it says on rent", 400, 760, 10)
    )
    found = read_page(head + over(left, right))
    assert said(found) == " ".join(["The lease of a flat, and 12 what it says on rent", *left, *right])


def test_a_word_set_askew_over_both_columns_leaves_them_and_is_told():
    left, right = halves()
    askew = "q 0.7 g BT /F1 90 Tf 0.7 0.7 -0.7 0.7 200 480 Tm (DRAFT) Tj ET Q\n"
    drawn = over(left[:9], right[:9]) + askew + over(left[9:], right[9:], top=720 - 14 * 9)
    assert left_in_rows(read_page(drawn), left, right)


def test_words_set_sideways_at_the_edge_of_the_page_part_no_columns():
    left, right = halves()
    drawn = over(left, right) + "q 0.5 g BT /F1 10 Tf 0 1 -1 0 30 400 Tm (paper of the year, in May) Tj ET Q\n"
    assert said(read_page(drawn)) == " ".join([*left, *right, "paper of the year, in May"])


@pytest.mark.parametrize("between", ["", "a figure", "a heading", "a picture"])
def test_a_gap_over_both_columns_within_sentences_leaves_them_and_is_told(between):
    """The columns above it may be read before those beneath it, or each to its end."""
    left, right = halves()
    height = 720 - 14 * 5
    middle = {
        "": "",
        "a figure": box(60, height - 80, 480, 70, "0.7 g") + shown("Figure 1, of it all", 60, height - 95, 8),
        "a heading": shown("On all of it", 50, height - 50, 14),
        "a picture": picture(60, height - 80, 480, 70),
    }[between]
    found = read_page(over(left[:6], right[:6]) + middle + over(left[6:], right[6:], top=height - 120))
    assert left_in_rows(found, left, right)


def test_a_gap_over_both_columns_is_passed_where_sentences_go_on_only_so():
    left, right = halves()
    found = read_page(over(left[:9], right[:9]) + over(left[9:], right[9:], top=720 - 14 * 8 - 120))
    assert said(found) == " ".join([*left, *right])


def test_a_gap_over_both_columns_after_sentences_that_end_there_is_passed():
    """No sentence goes on otherwise, whichever column is read first."""
    left, right = halves()
    left[8], right[8] = "any damage at once, and in some writing.", "nothing behind, not even in the cellar."
    left[9], right[9], right[0] = (
        "To one hundred euros each, the tenant",
        "The deposit, with interest, is paid",
        "and of them no more, in the year of it",
    )
    found = read_page(over(left[:9], right[:9]) + over(left[9:], right[9:], top=720 - 14 * 8 - 40))
    assert said(found) == " ".join([*left, *right])


def test_a_dash_over_the_gutter_alone_leaves_the_columns_and_is_told():
    left, right = halves()
    found = read_page(over(left, right) + box(260, 720 - 14 * 8 - 4, 60, 0.6))
    assert left_in_rows(found, left, right)


def test_a_bar_that_strikes_out_a_line_of_both_columns_parts_nothing():
    left, right = halves()
    found = read_page(over(left, right) + box(50, 720 - 14 * 8 + 3, 500, 0.8))
    assert said(found) == " ".join([*left, *right])
    assert [found.text[start:end] for start, end in found.hidden] == [left[8], right[8]]


def test_cells_of_sentences_that_begin_beside_each_other_are_read_row_by_row():
    cells = [
        textwrap.wrap(
            f"The {one} may return the bike within thirty days, if it is clean. He bears all the costs of its way back, unless another one was sent to him than he asked for.",
            42,
        )
        for one in ("buyer", "owner", "rider", "guest", "child", "baker", "maker", "thief")
    ]
    found = read_page("".join(over(*cells[n : n + 2], top=720 - 14 * len(cells[0]) * n // 2) for n in range(0, 8, 2)))
    assert said(found) == " ".join(line for cell in cells for line in cell)


def test_a_large_first_letter_stays_at_the_head_of_its_column():
    left, right = halves()
    drawn = shown("T", 50, 702, 34)
    for n in range(12):
        cut = (left[n][:38] if n < 2 else left[n]) if n < len(left) else ""
        drawn += shown(cut[n == 0 :], 76 if n < 2 else 50, 720 - 14 * n, 10) if n < len(left) else ""
        drawn += shown(right[n], 320, 720 - 14 * n, 10)
    assert said(read_page(drawn)).startswith("T he tenant pays the rent on the first of each month, in advance, and")
    assert isinstance(verdict(read_page(drawn), f"{left[-1]} {right[0]}"), VerifiedCitation)


@pytest.mark.parametrize("ruled", [True, False])
def test_footnotes_beneath_both_columns_are_read_after_them(ruled):
    left, right = halves()
    notes = (
        ["1 See the law of rents, section 4, on how", "the rate is found in such a case, and by", "whom."],
        ["2 Of the house, not of the flat, as far as", "they are known, or could be known by any", "of both."],
    )
    rule = box(50, 564, 80, 0.5) + box(320, 564, 80, 0.5) if ruled else ""
    found = read_page(over(left[:11], right[:11]) + rule + over(*notes, top=550, size=7, step=9))
    assert said(found) == " ".join([*left[:11], *right[:11], *notes[0], *notes[1]])


@pytest.mark.parametrize("x", [8, 578])
def test_notes_at_the_outer_edge_of_columns_leave_them_and_are_told(x):
    left, right = lines_of(42)[:11], lines_of(42, 400)[:11]
    drawn = "".join(
        shown(one, 50, 720 - 14 * n, 10)
        + (shown("see p 4", x, 720 - 14 * n, 8) if n in (3, 7) else "")
        + shown(other, 320, 720 - 14 * n, 10)
        for n, (one, other) in enumerate(zip(left, right, strict=True))
    )
    assert left_in_rows(read_page(drawn), left, right)


@pytest.mark.parametrize("x", [20, 580])
def test_numbers_of_lines_at_the_outer_edge_of_columns_are_in_no_sentence(x):
    drawn, left, right = numbered(x=x)
    found = read_page(drawn)
    assert said(found) == " ".join([*left, *right, "5 10 15 20"])


def test_marks_that_hang_at_the_edge_of_a_column_stay_in_it():
    left, right = halves()
    drawn = over(left, right).replace(
        f"({right[3]}", f"(b\\)) Tj ET Q q 0 g BT /F1 10 Tf 1 0 0 1 320 {720 - 14 * 3} Tm ({right[3]}"
    )
    found = read_page(drawn.replace(f"320 {720 - 14 * 3} Tm (b", f"304 {720 - 14 * 3} Tm (b"))
    assert said(found) == " ".join([*left, *right[:3], "b)", *right[3:]])


def test_a_line_of_the_left_column_that_reaches_to_the_right_one_is_no_line_over_both():
    left, right = halves()
    left[5] = "rate is that of the central banks, plus one month"
    drawn = over(left, right, lefts=(50, 265))
    found = read_page(drawn)
    assert verdict(found, f"{left[4]} {right[0]}").code == "quote_mismatch"
    assert left_in_rows(found, left, right)


def test_a_line_over_both_columns_in_the_midst_of_them_still_ends_what_is_above():
    left, right = halves()
    title = "What both sides owe to each other, here and there, over the width of both"
    found = read_page(over(left[:6], right[:6]) + shown(title, 120, 620, 10) + over(left[6:], right[6:], top=600))
    assert said(found) == " ".join([*left[:6], *right[:6], title, *left[6:], *right[6:]])


@pytest.mark.parametrize(
    "order", ["a line later", "a line before", "the lower half before", "half after half of the right"]
)
def test_the_order_in_which_lines_are_drawn_splices_none_of_them(order):
    """Nobody sees it: the middle of the left column is no sentence with the head of the right one."""
    left, right = lines_of(42)[:20], lines_of(42, 400)[:20] + lines_of(42)[:8]
    right = right[:20]
    upper, lower = over(left[:10], right[:10]), over(left[10:], right[10:], top=580)
    drawn = {
        "a line later": over([*left[:8], "", *left[9:]], right) + over([left[8]], [""], top=720 - 14 * 8),
        "a line before": over([left[8]], [""], top=720 - 14 * 8) + over([*left[:8], "", *left[9:]], right),
        "the lower half before": lower + upper,
        "half after half of the right": upper
        + over([left[15]], [""], top=720 - 14 * 15)
        + over([*left[10:15], "", *left[16:]], right[10:], top=580),
    }[order]
    found = read_page(drawn)
    assert found.pages[0].lost == (SIDE_BY_SIDE,)
    for n, m in ((7, 9), (9, 0), (19, 0)):
        spliced = f"{left[n]} {(left if m else right)[m]}"
        assert verdict(found, spliced).code == "quote_mismatch"


@pytest.mark.parametrize(("words", "x", "size"), [(".", 284, 3), ("here", 270, 10), (FULL * 6, 60, 2)])
def test_small_words_in_the_gutter_or_over_it_part_no_columns_and_are_told(words, x, size):
    left, right = halves()
    between = shown(words, x, 720 - 14 * 6 - 7 * (size < 10) - 12 * (size == 10), size)
    drawn = over(left[:7], right[:7]) + between + over(left[7:], right[7:], top=720 - 14 * 7 - 12 * (size == 10))
    found = read_page(drawn)
    assert left_in_rows(found, left, right)
    assert verdict(found, f"{left[6]} {right[0]}").code == "quote_mismatch"


@pytest.mark.parametrize("sink", [0, 4, 7])
@pytest.mark.parametrize("count", [4, 7])
def test_columns_of_few_lines_are_told(count, sink):
    left, right = lines_of(42)[:count], lines_of(42, 400)[:count]
    assert read_page(over(left, right, sink=sink)).pages[0].lost == (SIDE_BY_SIDE,)


def test_dots_that_lead_to_numbers_are_no_words_beside_others():
    drawn = "".join(
        shown(f"The rent of flats, part {n}", 50, 720 - 14 * n, 10)
        + shown(". . . . . . . . . . . . . . . . . . . . . .", 250, 720 - 14 * n, 10)
        + shown(str(n), 560, 720 - 14 * n, 10)
        for n in range(12)
    )
    assert not read_page(drawn).pages[0].lost


@pytest.mark.parametrize("name", ["short cells", "contents", "signatures"])
def test_a_table_of_few_lines_is_not_told(name):
    left, right = TABLES[name]
    assert not read_page(over(left[:6], right[:6])).pages[0].lost


def test_columns_whose_right_lines_are_drawn_before_the_left_ones_are_told():
    left, right = halves()
    drawn = "".join(shown(right[n], 320, 720 - 14 * n, 10) + shown(left[n], 50, 717 - 14 * n, 10) for n in range(11))
    found = read_page(drawn)
    assert found.pages[0].lost == (SIDE_BY_SIDE,) or said(found) == " ".join([*left[:11], *right[:11]])


def test_a_rule_within_a_column_does_not():
    drawn = over(*halves()) + box(50, 720 - 14 * 8 - 4, 200, 0.6)
    assert said(read_page(drawn)) == " ".join(WORDS.split())


def test_three_columns():
    lines = lines_of(30)
    third = -(-len(lines) // 3)
    columns = lines[:third], lines[third : 2 * third], lines[2 * third :]
    found = read_page(over(*columns, lefts=(40, 220, 400), step=12))
    assert said(found) == " ".join(WORDS.split())
    assert not found.pages[0].lost


def test_another_gutter_begins_anew():
    lines = lines_of(42)
    upper = lines[:10], lines[10:20]
    wide, narrow = textwrap.wrap(WORDS, 70)[:10], textwrap.wrap(WORDS, 30)[:10]
    drawn = over(*upper) + over(wide, narrow, lefts=(50, 420), top=560)
    assert said(read_page(drawn)) == " ".join([*upper[0], *upper[1], *wide, *narrow])


def test_a_shorter_column_and_short_last_lines_belong_where_they_stand():
    left, right = halves()
    left[6], right[11:] = "at all.", []
    found = read_page(over(left, right))
    assert said(found) == " ".join([*left, *right])


def test_running_lines_of_two_parts_stay_apart_from_the_columns():
    left, right = halves()
    head, foot = ("Report of the board", "Lease of flats"), ("As of today", "Page 3")
    drawn = (
        over([head[0]], [head[1]], top=765)
        + over(left, right)
        + over([foot[0]], [foot[1]], top=720 - 14 * len(left) - 30)
    )
    assert said(read_page(drawn)) == " ".join([*head, *left, *right, *foot])


def test_columns_from_the_right_are_read_from_the_right():
    """Letters that mean Hebrew ones, drawn from left to right as they are seen."""
    hebrew = {chr(ord("a") + n): chr(0x5D0 + n) for n in range(26)}
    lines = [line.lower() for line in lines_of(42)]
    half = len(lines) // 2
    drawn = over([line[::-1] for line in lines[half:]], [line[::-1] for line in lines[:half]], sink=0)
    found = read_page(drawn, meanings=hebrew)
    letters = "".join(char for char in found.text if char.isalpha())
    assert letters == "".join(hebrew[char] for char in "".join(lines) if char.isalpha())


def strokes(*columns, lefts=(50, 320), top=720, step=14):
    """Upright strokes where words of these columns stand, as letters in the picture of a page."""
    return "".join(
        box(x + 6 * at, top - step * n, 1, 7) + box(x + 6 * at + 2, top - step * n, 1, 7, "1 g")
        for lines, x in zip(columns, lefts, strict=True)
        for n, line in enumerate(lines)
        for at in range(max(1, len(line) * 5 // 7))
    )


def test_what_an_ocr_program_laid_under_a_picture_line_by_line_is_put_in_order():
    found = read_page(picture() + strokes(*halves()) + over(*halves(), mode=3))
    assert said(found) == " ".join(WORDS.split())
    assert not found.hidden


def test_words_that_an_ocr_program_laid_where_the_picture_is_empty_part_no_columns():
    left, right = halves()
    words = "This line is nowhere to be seen on this page, over all of its width and more"
    between = shown(words, 160, 720 - 14 * 8 - 5, 5, mode=3)
    drawn = over(left[:9], right[:9], mode=3) + between + over(left[9:], right[9:], top=720 - 14 * 9, mode=3)
    found = read_page(picture() + strokes(left, right) + drawn)
    assert [found.text[start:end] for start, end in found.hidden] == [words]
    assert in_columns(found, left, right)


def rows_of(*columns, **options):
    """What is read row by row: the cells of a row with a tab between them."""
    found = read_page(over(*columns, **options))
    cells = [" ".join(line.split()) for row in zip(*columns, strict=True) for line in row if line]
    return said(found) == " ".join(cells), found


def sentences(count):
    return [each.strip() for each in WORDS.replace(";", ".").split(".") if each.strip()][:count]


TABLES = {
    "figures": ([f"Costs of the house in year {n}, all" for n in range(20)], [f"{n},400 and {n},900 of 12,000" for n in range(20)]),
    "short cells": ([f"Item {n}" for n in range(20)], [f"red, {n}" for n in range(20)]),
    "cells that begin anew": (
        [f"Left cell {n} speaks of rent, in all its ways" for n in range(20)],
        [f"Right cell {n} speaks of fees, and of more" for n in range(20)],
    ),
    "contents": ([f"The rent of flats, and what it holds, part {n}" for n in range(20)], [f"{n}" for n in range(20)]),
    "goods and prices": (
        [f"a box of nails, of {n} inches each, new" for n in range(20)],
        [f"{n} euros, or {n + 1} dollars, for each of it" for n in range(20)],
    ),
    "a form": (
        [f"name of the tenant, and of his wife ({n}):" for n in range(20)],
        [f"date of birth, and the place of it ({n}):" for n in range(20)],
    ),
    "signatures": (
        ["By the landlord of the house:", "Name: John Smith", "Title: owner, and sole one", "Date: the first of May"],
        ["By the tenant of the flat:", "Name: Jane Doe", "Title: head of the family", "Date: the second of May"],
    ),
    "cells of uneven length": (
        [line[: 14 + 7 * (n % 5)] for n, line in enumerate(lines_of(42))],
        [line[: 14 + 7 * (n % 4)] for n, line in enumerate(lines_of(42, 300)[:24] + lines_of(42)[:8])][: len(lines_of(42))],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_table_stays_in_rows(name):
    left, right = TABLES[name]
    in_rows, _ = rows_of(left[: len(right)], right[: len(left)])
    assert in_rows


def test_what_may_be_columns_or_a_table_is_told_and_stays_in_rows():
    in_rows, found = rows_of(*TABLES["cells that begin anew"])
    assert in_rows
    assert found.pages[0].lost == (SIDE_BY_SIDE,)


def test_names_beside_what_they_mean_stay_beside_it():
    right = lines_of(42)
    left = ["" if n % 4 else f"The word {n}, in this lease," for n in range(len(right))]
    in_rows, _ = rows_of(left, right)
    assert in_rows


def test_notes_in_the_margin_stay_beside_what_they_are_about():
    right = lines_of(60)
    left = ["" if n % 5 > 1 else "on rent, and its day" for n in range(len(right))]
    in_rows, _ = rows_of(left, right, lefts=(30, 180))
    assert in_rows


def test_cells_of_sentences_between_rules_are_read_row_by_row():
    """A lease in two columns: words of a cell stand together, and beside it the other one's."""
    left, right = lines_of(42)[:20], lines_of(42, 330)[:20]
    rules = "".join(
        box(50, 720 - 14 * n - 4, 230, 0.5) + box(280, 720 - 14 * n - 4, 270, 0.5) for n in range(-1, 20, 5)
    )
    found = read_page(over(left, right) + rules)
    rows = [line for n in range(0, 20, 5) for line in (*left[n : n + 5], *right[n : n + 5])]
    assert said(found) == " ".join(rows)


def test_rows_of_paragraphs_beside_each_other_are_read_one_after_the_other():
    left, right = lines_of(42)[:20], lines_of(42, 330)[:20]
    for column in (left, right):
        for at in (15, 10, 5):
            column.insert(at, "")
    found = read_page(over(left, right))
    rows = [line for n in range(0, 23, 6) for line in (*left[n : n + 6], *right[n : n + 6]) if line]
    assert said(found) == " ".join(rows)


def test_wide_spaces_below_each_other_part_no_lines():
    """Lines set to full width, a word drawn at a time."""
    drawn = ""
    for n, line in enumerate(lines_of(52)):
        words = line.split()
        room = (500 - sum(5 * len(word) for word in words)) / (len(words) - 1)
        x = 50.0
        for word in words:
            drawn += shown(word, round(x, 2), 720 - 14 * n, 10)
            x += 5 * len(word) + room
    assert said(read_page(drawn)) == " ".join(WORDS.split())


def test_a_page_of_too_many_words_is_left_as_it_is():
    """Work is bounded on a page that was made to be expensive."""
    lines = [f"{line}, on" for line in lines_of(42)] * 40
    drawn = over(lines, lines, top=7000, step=6, size=5, lefts=(50, 320))
    found = read_page(drawn, media="0 0 612 7200")
    assert len(found.text.split()) > 10_000
    assert said(found).startswith(f"{lines[0]} {lines[0]} {lines[1]}")
