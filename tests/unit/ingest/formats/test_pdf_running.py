"""PDF: running headers, footers and page numbers; headings and paragraphs."""

import pytest

from tests.pdf_files import BODY, build, report, shown
from verified_gate.ingest.formats.pdf import read
from verified_gate.ingest.limits import ReadingLimits

LIMITS = ReadingLimits()
SEEN = shown(BODY, y=600)


def pieces(extracted, spans):
    return [extracted.text[start:end] for start, end in spans]


def test_running_headers_footers_and_page_numbers_are_marked_as_whole_lines():
    extracted = read(report(), LIMITS)
    marked = pieces(extracted, extracted.furniture)
    assert marked == [line for page in range(1, 6) for line in ("Report of the board", f"Page {page} of 9")]
    blocks = [extracted.text[each.start : each.end] for each in extracted.blocks]
    assert blocks[0] == "Report of the board", "the first of them can be found and quoted"
    assert not any(word in block for word in ("Report of", "Page ") for block in blocks[1:])


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(report(1), id="one page has nothing that comes again"),
        pytest.param(
            report(header="", footer="{}{}{}".replace("{}", "", 2) + " dollars are due"), id="numbers in words"
        ),
        pytest.param(build(*(SEEN + shown("The same line.", y=400) for _ in range(5))), id="in the middle of the page"),
        pytest.param(
            build(*(SEEN + shown(f"Total {n}", y=30) for n in (17, 4, 90, 33, 2))), id="numbers that do not count along"
        ),
        pytest.param(
            build(*(SEEN + shown("The same line.", y=y) for y in (30, 60, 80, 100, 45))),
            id="at another height each time",
        ),
    ],
)
def test_lines_that_may_be_words_of_the_text_are_no_furniture(data):
    extracted = read(data, LIMITS)
    assert [each for each in pieces(extracted, extracted.furniture) if "dollars" not in each] == []


@pytest.mark.parametrize(
    "line",
    [
        "The fee in year {n} is {nine} euros.",
        "Article {n}",
        "Liability for lost bikes is limited to 100 euros.",
        "Liability for lost bikes is limited to 100 euros",
        "The seller shall",
        "not",
        "Without a warranty",
        "of page {n} of the plan",
        "on page {n} of 9 of the plan",
    ],
)
@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize("y", [760, 30])
def test_what_a_document_may_say_at_the_edge_of_each_page_is_no_furniture(line, count, y):
    pages = [SEEN + shown(line.format(n=n, nine=n + 9), y=y) for n in range(1, count + 1)]
    extracted = read(build(*pages), LIMITS)
    assert extracted.furniture == ()
    assert all(
        any(line.format(n=n, nine=n + 9) in extracted.text[each.start : each.end] for each in extracted.blocks)
        for n in range(1, count + 1)
    )


@pytest.mark.parametrize(
    ("line", "count"),
    [("Page {n} of 9", 2), ("{n}", 2), ("- {n} -", 3), ("Report of the board, page {n}", 3), ("www.example.org", 3)],
)
@pytest.mark.parametrize("lowered", [0, 5000])
def test_page_numbers_and_lines_that_come_again_are_furniture_wherever_the_page_lies(line, count, lowered):
    """The box of a page may begin anywhere: its edges are those of the box."""
    pages = [
        SEEN.replace(" 600 Tm", f" {600 + lowered} Tm") + shown(line.format(n=n), y=30 + lowered)
        for n in range(1, count + 1)
    ]
    extracted = read(build(*pages, media=f"0 {lowered} 612 {792 + lowered}"), LIMITS)
    assert pieces(extracted, extracted.furniture) == [line.format(n=n) for n in range(1, count + 1)]


def test_a_number_that_may_be_a_value_stays_in_a_block_though_it_counts_up():
    extracted = read(web_page(range(2, 8)), LIMITS)
    blocks = [extracted.text[each.start : each.end] for each in extracted.blocks]
    for start, end in extracted.furniture:
        assert any(each.start <= start and end <= each.end for each in extracted.blocks), blocks


def test_a_paragraph_that_runs_over_the_end_of_a_page_is_one_block_with_the_footer_in_it():
    pages = [
        shown("Report of the board", y=760) + shown("the words go on and", y=400) + shown(f"on to page {n + 1} where", y=386)
        + shown(f"- {n} -", y=30)
        for n in range(1, 5)
    ]  # fmt: skip
    extracted = read(build(*pages), LIMITS)
    assert [extracted.text[each.start : each.end] for each in extracted.blocks[:-1]] == ["Report of the board"]
    assert len(extracted.furniture) == 8


def test_roman_page_numbers_count_along():
    pages = [SEEN + shown(number, y=30) for number in ("iv", "v", "vi", "vii")]
    extracted = read(build(*pages), LIMITS)
    assert pieces(extracted, extracted.furniture) == ["iv", "v", "vi", "vii"]


def letters(number):
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def web_page(numbers, *, x=300, lines=27, shape="{}"):
    """One page after the other of a text that was a web page before: numbers of pages stand anywhere in it."""
    rows = []
    for number in numbers:
        rows += [
            f"these words of the contract go on and on to {letters(number)} {letters(row)}" for row in range(lines)
        ]
        rows.append((shape.format(number), x))
    rows.append("The last words of the contract stand here.")
    pages = []
    for start in range(0, len(rows), 31):
        placed = [(row, 72) if isinstance(row, str) else row for row in rows[start : start + 31]]
        pages.append("".join(shown(words, x=left, y=740 - 22 * n, size=10) for n, (words, left) in enumerate(placed)))
    return build(*pages)


@pytest.mark.parametrize("shape", ["{}", "- {} -", "-{}-", "Page {} of 9"])
def test_page_numbers_that_count_up_anywhere_on_their_pages_are_marked(shape):
    extracted = read(web_page(range(2, 8), shape=shape), LIMITS)
    assert pieces(extracted, extracted.furniture) == [shape.format(n) for n in range(2, 8)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(web_page(range(2, 8), x=72), id="numbers at the margin, as of clauses"),
        pytest.param(web_page(range(2, 5)), id="too few"),
        pytest.param(web_page(range(2, 8), lines=6), id="too near each other, as in a table"),
        pytest.param(web_page((2, 4, 6, 8, 10, 12)), id="numbers that do not count up by one"),
        pytest.param(web_page(range(2, 8), shape="{} dollars"), id="numbers with words"),
    ],
)
def test_numbers_that_may_be_words_of_the_text_are_no_page_numbers(data):
    assert read(data, LIMITS).furniture == ()


def test_a_paragraph_goes_on_over_a_page_number_in_the_middle_of_its_page():
    extracted = read(web_page(range(2, 8)), LIMITS)
    (number, *_) = extracted.furniture
    assert any(block.start < number[0] < block.end for block in extracted.blocks)


# ------------------------------------------------------------------------------------------------ headings and blocks


def test_larger_letters_are_headings_with_a_level_by_their_size():
    content = shown("Lease", y=740, size=24) + "".join(
        shown(f"{n} Section", y=800 - 140 * n, size=16)
        + "".join(shown(BODY, y=770 - 140 * n - 14 * line) for line in range(5))
        for n in (1, 2, 3)
    )
    extracted = read(build(content), LIMITS)
    headings = [
        (each.level, extracted.text[each.start : each.end]) for each in extracted.blocks if each.kind == "heading"
    ]
    assert headings == [(1, "Lease"), (2, "1 Section"), (2, "2 Section"), (2, "3 Section")]


def test_where_most_letters_are_of_no_one_size_nothing_is_a_heading():
    content = "".join(shown(BODY, y=740 - 40 * n, size=10 + n) for n in range(10))
    assert all(each.kind != "heading" for each in read(build(content), LIMITS).blocks)


def test_an_outline_that_is_not_on_its_pages_is_not_believed():
    extracted = read(build(SEEN, outline=[("Something else", 0), ("Nowhere", 0)]), LIMITS)
    assert all(each.kind != "heading" for each in extracted.blocks)


def test_a_gap_between_lines_ends_a_paragraph():
    content = "".join(shown(BODY, y=700 - 14 * n - 20 * (n > 2)) for n in range(6))
    assert len(read(build(content), LIMITS).blocks) == 2


@pytest.mark.parametrize("none", ["lease_v3.docx", "untitled", r"\(anonymous\)", "Microsoft Word - Lease"])
def test_a_title_that_is_a_name_of_a_file_or_of_nothing_is_none(none):
    assert read(build(SEEN, title="Lease of the shop"), LIMITS).title == "Lease of the shop"
    assert read(build(SEEN, title=none), LIMITS).title == ""


CHAPTERS = (("Sales", 0), ("1.1 Fees of the seller", 1), ("1.2 Rent", 2))


def book(*footers, outline=CHAPTERS, y=30, **more):
    """A page for each footer, with one of those titles at its head."""
    heads = ("Sales", "1.1 Fees of the seller", "1.2 Rent")
    pages = [
        shown(heads[number % 3], y=740) + SEEN + shown(footer, y=y + 20 * number * bool(more.get("moving")))
        for number, footer in enumerate(footers)
    ]
    return read(build(*pages, outline=outline, labels=more.get("labels", "")), LIMITS)


@pytest.mark.parametrize("y", [30, 780])
def test_the_number_of_a_page_beside_a_title_of_the_outline_is_furniture(y):
    footers = ["5 Chapter 1. Sales", "1.1 Fees of the seller 6", "7 CHAPTER 1. SALES"]
    found = book(*footers, y=y)
    assert pieces(found, found.furniture) == footers
    found = book(*footers, y=y, labels="0 << /S /D /St 5 >>")
    assert pieces(found, found.furniture) == footers
    blocks = [found.text[each.start : each.end] for each in found.blocks]
    assert any(footers[1] in block for block in blocks), "the first of each can be found and quoted"


@pytest.mark.parametrize(
    ("footers", "more"),
    [
        pytest.param(["5 Sales", "6 Sales"], {}, id="on two pages"),
        pytest.param(["5 Sales", "7 Sales", "9 Sales"], {}, id="numbers that do not count along"),
        pytest.param(
            ["5 Sales", "6 Sales", "7 Sales"], {"labels": "0 << /S /D >>"}, id="other numbers than the pages'"
        ),
        pytest.param(["5 Sales", "6 Sales", "7 Sales"], {"outline": ()}, id="no outline"),
        pytest.param(["5 Sales", "6 Sales", "7 Sales"], {"moving": True}, id="at another height each time"),
        pytest.param(["5 days", "6 days", "7 days"], {}, id="no title"),
        pytest.param(["5 Rent", "6 Rent", "7 Rent"], {"outline": (("Rent", 2),)}, id="a title that is yet to come"),
        pytest.param(
            ["5 No rent is due", "6 No rent is due", "7 No rent is due"],
            {"outline": (("No rent is due", 0),)},
            id="a title that says something",
        ),
    ],
)
def test_a_number_beside_words_that_may_be_of_the_text_is_no_furniture(footers, more):
    assert book(*footers, **more).furniture == ()
