"""A curator's summary, and a title that stands for a text, are told as that wherever a text is shown; so is widening."""

import json

import pytest

from tests.command_line import call
from verified_gate import CorpusStore
from verified_gate.retrieval.protocol import Constraints

SAYS = {"full_text": "", "summary": "summary", "metadata_only": "title"}
TEXT = "The curator says that a bike can be returned."


@pytest.fixture(params=SAYS)
def kind(request):
    return request.param


@pytest.fixture
def stored(tmp_path, kind):
    (tmp_path / "bike.md").write_text(f"# A bike policy\n\n{TEXT}\n")
    path = tmp_path / "kb.db"
    assert call("ingest", tmp_path / "bike.md", "--corpus", path, "--admission", kind).code == 0
    return path


def test_search_and_show_say_what_kind_of_text_they_show(stored, kind):
    """(condition 61)"""
    (hit,) = json.loads(call("search", "bike", "--corpus", stored, "--json").out)
    assert hit["admission"] == kind
    shown = json.loads(call("show", hit["key"], "--corpus", stored, "--json").out)
    assert shown["admission"] == kind
    for told in (call("search", "bike", "--corpus", stored).out, call("show", hit["key"], "--corpus", stored).out):
        assert ("summary by a curator" in told) == (kind == "summary")
        assert ("its title only" in told) == (kind == "metadata_only")
        assert (TEXT in told) == (kind != "metadata_only")
    with CorpusStore.open(stored) as store:
        assert (kind in repr(store.search("bike")[0])) == (kind != "full_text")


def test_so_do_a_cited_place_and_an_exported_text(stored, kind):
    """(condition 61)"""
    answer = json.loads(call("ask", "What does the curator say of a bike?", "--corpus", stored, "--json").out)
    if kind == "metadata_only":
        assert answer["citations"] == []
        assert call("export", "bike@1", "--corpus", stored).code == 1
        return
    citation = answer["citations"][0]
    assert citation["admission"] == kind
    shown = call("show", json.dumps(citation), "--corpus", stored).out
    assert ("no quotation of its publisher" in shown) == (kind == "summary")
    written = call("export", "bike@1", "--corpus", stored)
    assert (written.code, TEXT in written.out) == (0, True)
    assert ("no quotation of its publisher" in written.err) == (kind == "summary")


@pytest.mark.parametrize(("preferred", "widened"), [("nope", True), ("default", True), (None, False)])
def test_a_search_that_was_widened_says_so(stored, preferred, widened):
    """(condition 65)"""
    more = ["--prefer", preferred] if preferred else []
    done = call("search", "bike", "--corpus", stored, *more)
    assert ("others were looked in" in done.err) == widened
    done = call("search", "bike", "--corpus", stored, *more, "--json")
    assert ("others were looked in" in done.err) == widened
    assert [hit["widened"] for hit in json.loads(done.out)] == [widened]
    with CorpusStore.open(stored) as store:
        prefer = frozenset([preferred] if preferred else [])
        hits = store.search("bike", constraints=Constraints(prefer=prefer))
        assert (hits.widened, len(hits)) == (widened, 1)


def test_a_search_that_found_enough_where_it_was_preferred_was_not_widened(stored):
    """(condition 65)"""
    done = call("search", "bike", "--corpus", stored, "--prefer", "default", "--limit", "1", "--json")
    assert ("others were looked in" in done.err, json.loads(done.out)[0]["widened"]) == (False, False)
