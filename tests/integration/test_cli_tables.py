"""Tables of every format, end to end: a cell is found by its headers, cited with them, and proved by no others."""

import json

import pytest

from tests.command_line import call
from tests.tables import FLAT, TABLES
from verified_gate.corpus.store import CorpusStore
from verified_gate.gate import Gate
from verified_gate.model import Proposal, ProposedCitation, ProposedClaim, ReasonCode

EVERY = TABLES | FLAT


@pytest.fixture(params=list(EVERY))
def table(request, tmp_path):
    """The store, the name of the file, and how the names of columns begin in it."""
    (tmp_path / request.param).write_bytes(EVERY[request.param])
    store = tmp_path / "store.db"
    assert call("ingest", tmp_path / request.param, "--corpus", store).code == 0
    return store, request.param, "Planned " if request.param in TABLES else ""


def cited(store, quote, claim=None):
    """The citation of a quote, and whether a claim goes out with it."""
    with CorpusStore.open(store, read_only=True) as opened:
        passages = [hit.passage for hit in opened.search("Beta crane 2023 2024 Alpha quay", limit=50)]
    gate = Gate(passages)
    key = next(each.key for each in passages if quote in each.text)
    decision = gate.judge(Proposal("answered", (ProposedClaim(claim or quote, (ProposedCitation(key, quote),)),)))
    return gate.verify(key, quote), [code for refusal in decision.refusals for code in (refusal.code,)]


def test_a_cell_below_a_merged_one_keeps_its_own_column_and_the_header_of_its_row(table):
    store, name, prefix = table
    cell, _ = cited(store, "600")
    place = cell.location
    assert (place.row, place.last_row) == ((4, 4) if name in TABLES else (3, 3))
    assert place.columns == (f"{prefix}Autumn",)
    assert place.row_heading == ("2023", "Beta crane")
    told = cell.to_dict()
    assert (told["row_heading"], told["columns"]) == (["2023", "Beta crane"], [f"{prefix}Autumn"])
    assert f"row {place.row}" in cell.label


def test_a_cell_over_several_columns_is_named_by_all_of_them(table):
    store, name, prefix = table
    cell, _ = cited(store, "77")
    assert cell.location.columns == ((f"{prefix}Spring, {prefix}Autumn",) if prefix else ("Spring",))
    assert cell.location.row_heading[-1] == "Gamma shed"


def test_a_row_is_found_by_words_of_its_headers_alone(table):
    store, _, _ = table
    for words in ("Autumn", "2023", "Item spring"):
        found = json.loads(call("search", words, "--corpus", store, "--json").out)
        assert any("600" in hit["text"] and hit["columns"] for hit in found), words
    assert call("search", "winter", "--corpus", store).code == 1


def test_headers_prove_numbers_of_their_own_row_and_column_and_no_others(table):
    store, name, _ = table
    quote = "Beta crane | 12 | 600" if name.endswith(".md") else "Beta crane\t12\t600"
    assert cited(store, quote, "The crane cost 600 in 2023.")[1] == []
    assert cited(store, quote, "The crane cost 600 in 2024.")[1] == [ReasonCode.NUMBER_UNSUPPORTED]
    assert cited(store, quote, "The crane cost 12600 in 2023.")[1] == [ReasonCode.NUMBER_UNSUPPORTED]
    assert cited(store, "600", "The crane cost 500.")[1] == [ReasonCode.NUMBER_UNSUPPORTED]


def test_search_ask_and_show_tell_what_heads_the_cells(table):
    store, name, prefix = table
    spring = f"{prefix}Spring | {prefix}Autumn"
    found = call("search", "Beta crane", "--corpus", store).out
    assert name.endswith(".md") or f"    Year | Item | {spring}\n" in found
    answered = call("ask", "How much was the beta crane?", "--corpus", store)
    assert answered.code == 0
    assert answered.out.splitlines()[0].startswith(("Beta crane", "2023 · Beta crane"))
    assert (f"    2023 · Item | {spring}\n" if name in TABLES else f"    Year | Item | {spring}\n") in answered.out
    citation = json.loads(call("ask", "How much was the beta crane?", "--corpus", store, "--json").out)["citations"][0]
    shown = call("show", json.dumps(citation), "--corpus", store)
    assert f"{'row 4' if name in TABLES else 'row 3'}, " in shown.out
    assert f"Item | {spring}" in shown.out
    assert "Beta crane" in citation["sentence"]
    assert "Alpha" not in citation["sentence"]


def test_headers_that_hold_control_characters_are_shown_disarmed(tmp_path):
    (tmp_path / "t.csv").write_text("Item,Fee\x1b[31m\u202e,Days\nRent of a flat,5,30\n", encoding="utf-8")
    store = tmp_path / "store.db"
    assert call("ingest", tmp_path / "t.csv", "--corpus", store).code == 0
    for done in (
        call("search", "rent", "--corpus", store), call("ask", "How much is the rent of a flat?", "--corpus", store),
        call("search", "rent", "--corpus", store, "--json"), call("show", "t.csv@1#c1", "--corpus", store),
    ):  # fmt: skip
        assert done.code == 0
        assert "Fee" in done.out
        assert not {"\x1b", "\u202e"} & set(done.out)
