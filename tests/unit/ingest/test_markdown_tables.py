"""Tables of Markdown texts: where their rows are, and what heads their cells."""

import pytest

from verified_gate.gate import Gate, VerifiedCitation
from verified_gate.ingest import Strategy, cut, read_document
from verified_gate.ingest.markdown_tables import table_rows
from verified_gate.ingest.outline import Lines
from verified_gate.ingest.unseen_markdown import unseen

FEES = "| Service | Per day | Per year |\n|:--------|--------:|:--:|\n| Lending | 0.10 | 12 |\n| Copies | 0.05 | |\n"


def rows(text):
    return [(row.number, text[row.start : row.end], row.columns) for row in table_rows(text, Lines(text), unseen(text))]


def words(text):
    return [row[1] for row in rows(text)]


def passages(text, strategy="paragraph", **options):
    return cut(read_document(text.encode(), "fees.md", trusted=True), strategy, **options)


def place(text, quote):
    gate = Gate(passages(text))
    found = (gate.verify(each.key, quote) for each in passages(text))
    return next(each for each in found if isinstance(each, VerifiedCitation)).location


def test_rows_are_named_by_the_first():
    every = ("", "Service", "Per day", "Per year")
    assert rows(f"Before.\n\n{FEES}\nAfter | it.") == [
        (1, "| Service | Per day | Per year |\n|:--------|--------:|:--:|", ()),
        (2, "| Lending | 0.10 | 12 |", every), (3, "| Copies | 0.05 | |", every),
    ]  # fmt: skip
    assert rows("a | b\n- | -\nc | 1\nd | 2\\|3")[1:] == [(2, "c | 1", ("a", "b")), (3, "d | 2\\|3", ("a", "b"))]
    assert rows("> | **a** | [b](x.html) |\n> |-|-|\n> | | 1 |")[1:] == [(2, "| | 1 |", ("", "", "b"))]
    assert rows("|a|<!-- no -->b|\n|-|-|\n|c|1|")[1][2] == ("", "a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "```\n| a | b |\n|---|---|\n| c | d |\n```", "| a | b |\n|---|\n| c | d |", "| a | b |\n\n|---|---|\n| c | d |", "a\n---\nb",
        "a | b", "| a | b |\n| c | d |", "|---|---|\n| c | d |", "a | b\n= | =\nc | d", "",
    ],
)  # fmt: skip
def test_what_is_no_table_has_no_rows(text):
    assert rows(text) == []


@pytest.mark.parametrize("after", ["# Head", "- item", "1. item", "```", "<div>", "\n"])
def test_a_table_ends_where_another_block_begins(after):
    assert words(f"a | b\n--|--\nc | 1\n{after}\nd | 2")[-1] == "c | 1"
    assert words("a | b\n--|--\nc | 1\nin one cell")[-1] == "in one cell"


def test_a_citation_is_named_by_the_row_and_the_columns_that_its_quote_lies_in():
    text = f"# Fees\n\nFees of the library:\n\n{FEES}\nAfter it, no row."
    one = place(text, "| Lending | 0.10")
    assert (one.row, one.last_row, one.row_heading, one.columns) == (2, 2, ("Lending",), ("Service", "Per day"))
    cell = place(text, "0.05")
    assert (cell.row, cell.row_heading, cell.columns, cell.first_line) == (3, ("Copies",), ("Per day",), 8)
    several = place(text, "12 |\n| Copies | 0.05")
    assert (several.row, several.last_row, several.columns) == (2, 3, ("Per year", "Service", "Per day"))
    for quote in ("Fees of the library:", "After it, no row."):
        assert (place(text, quote).row, place(text, quote).columns) == (None, ())


@pytest.mark.parametrize("strategy", list(Strategy))
@pytest.mark.parametrize("edge", ["| ", ""])
def test_a_row_is_never_cut_and_keeps_its_headers_in_every_passage(strategy, edge):
    lines = [f"{edge}Item {number} of the list | {number}00 | some words. And more" for number in range(60)]
    text = f"# Costs\n\n{edge}Item | Cost | Note\n{edge}---|---|---\n" + "\n".join(lines) + "\n\nThe end of it. " * 9
    found = passages(text, strategy, size=200)
    assert all(sum(line in each.text for each in found) == 1 for line in lines)
    rows = [each for each in found if each.location.row and each.location.row > 1]
    assert len(rows) > 9
    assert all([name for name in each.location.columns if name] == ["Item", "Cost", "Note"] for each in rows)
    assert {each.location.heading for each in found} == {("Costs",)}
    assert found[0].text.startswith("# Costs")


def test_a_row_longer_than_any_passage_is_cut_and_its_pieces_keep_what_heads_it():
    text = "a | b\n--|--\nKey | " + "word " * 2_000
    found = passages(text)
    assert len(found) > 2
    assert {(each.location.row, each.location.row_heading, each.location.columns) for each in found[2:]} == {
        (2, ("Key",), ("b",))
    }


def test_work_is_linear_in_rows_and_signs():
    for text in (
        "| a " * 20_000,
        "|-" * 50_000,
        ("a | b\n--|--\n" * 5_000),
        "a|b\n" + "-" * 100_000 + "|-\n",
        "|" * 100_000 + "\n",
    ):
        assert len(rows(text)) < 20_000


FIRST = "| Item | Fee 2022 |\n|--|--|\n| x | 5 |\n"


@pytest.mark.parametrize(
    "behind",
    [
        "> | Rent | 40 |",
        "    | Rent | 40 |",
        "\t| Rent | 40 |",
        "---\n| Rent | 40 |",
        "* * *\n| Rent | 40 |",
        "___\n| Rent | 40 |",
    ],
)
def test_what_belongs_to_another_block_is_no_row_of_the_table_above(behind):
    assert [row[0] for row in rows(FIRST + behind)] == [1, 2]
    assert [row[0] for row in rows(FIRST + "| Rent | 40 |")] == [1, 2, 3]


def test_a_table_in_a_quotation_has_names_of_its_own():
    quoted = "> | Item | Fee 2023 |\n> |---|---|\n> | Rent | 40 |\n"
    assert rows(FIRST + quoted)[-1][2] == ("", "Item", "Fee 2023")
    assert [row[0] for row in rows(quoted + "| Rent | 40 |")] == [1, 2]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Fee ![2098](a.png)", "Fee"),
        ("Fee [x][2096]", "Fee x"),
        ("[Fee](a.md) net", "Fee net"),
        ("**Fee** 2023", "Fee 2023"),
        ("`Fee` of *2023*", "Fee of 2023"),
        ("Fee_of_2023", "Fee_of_2023"),
    ],
)
def test_a_name_holds_what_is_seen_of_it(name, told):
    assert rows(f"| Item | {name} |\n|--|--|\n| Rent | 40 |\n")[-1][2][-1] == told
