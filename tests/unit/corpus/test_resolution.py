"""What a citation of an earlier answer is worth now; and that no citation, however hostile, raises."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.corpus.documents import document
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.gate import Gate
from verified_gate.model import Actor, Location
from verified_gate.model.errors import IngestError
from verified_gate.retrieval.protocol import Constraints

FIRST = "# Returns\n\nYou can return a bike\nwithin 30 days of delivery. Keep the receipt.\n\nHelmets stay.\n"
QUOTE = "return a bike\nwithin 30 days"


def cited(store, question="return a bike", quote=QUOTE, actor=None):
    """A citation as the gate makes it, as its dict."""
    passage = store.search(question, actor)[0].passage
    return Gate([passage]).verify(passage.key, quote).to_dict()


@pytest.fixture
def store():
    with CorpusStore.in_memory() as made:
        made.add(FIRST, document_id="returns", title="Returns policy")
        yield made


def test_unchanged_and_current(store):
    citation = cited(store)
    resolution = store.resolve(citation)
    assert resolution.status == "current"
    assert resolution.current is None
    place = resolution.citation
    assert FIRST[place.start : place.end] == place.quote == QUOTE
    assert (place.key, place.location.first_line, place.location.last_line) == ("returns@1#c0", 3, 4)
    assert json.loads(json.dumps(resolution.to_dict()))["citation"]["quote"] == QUOTE


def test_a_citation_object_resolves_like_its_dict(store):
    passage = store.search("return a bike")[0].passage
    citation = Gate([passage]).verify(passage.key, QUOTE)
    assert store.resolve(citation) == store.resolve(citation.to_dict())


def test_a_hit_or_a_passage_is_the_callers_mistake_and_no_state_of_a_document(store):
    hit = store.search("return a bike")[0]
    for wrong in (hit, hit.passage):
        with pytest.raises(TypeError):
            store.resolve(wrong)
    assert store.resolve({"key": hit.passage.key}).status == "source_changed"
    assert store.resolve(cited(store)).status == "current"


def test_a_citation_that_counts_in_its_passage_resolves(store):
    citation = cited(store, "helmets", "Helmets stay.")
    passage = store.passage(citation["key"])
    moved = citation | {
        "start": citation["start"] - passage.start,
        "end": citation["end"] - passage.start,
        "offsets": "passage",
    }
    assert store.resolve(moved) == store.resolve(citation)
    assert store.resolve(citation).status == "current"


@pytest.mark.code("source_changed")
def test_changed_text_under_the_same_version_label(store):
    """(condition 46)"""
    citation = cited(store)
    store.add(FIRST.replace("30", "60"), document_id="returns", title="Returns policy", replace=True)
    assert store.resolve(citation).to_dict() == {"status": "source_changed", "citation": None, "current": None}


def test_the_same_text_under_another_version_label_is_not_current_evidence(store):
    """(conditions 47, 50) It is historic, and says where the words stand now."""
    citation = cited(store)
    store.add("Preface.\n\n" + FIRST, document_id="returns", version="2", title="Returns policy")
    resolution = store.resolve(citation)
    assert resolution.status == "historic"
    assert (resolution.citation.key, resolution.citation.quote) == ("returns@1#c0", QUOTE)
    assert (resolution.current.version, resolution.current.start) == ("2", resolution.citation.start + 10)
    assert resolution.current.location.first_line == 5


@pytest.mark.parametrize(
    "text",
    [
        FIRST.replace("30 days", "60 days"),
        FIRST + "\n" + FIRST.replace("# Returns", "# Again"),
        FIRST.replace("return a bike", "preturn a bike"),
        FIRST.replace("30 days", "30 daysies"),
    ],
)
def test_words_that_changed_stand_twice_or_inside_others_have_no_place_now(store, text):
    """(condition 50)"""
    citation = cited(store)
    store.add(text, document_id="returns", version="2", title="Returns policy")
    resolution = store.resolve(citation)
    assert (resolution.status, resolution.current) == ("historic", None)


def test_the_current_place_is_not_told_to_who_may_not_read_it(store):
    """(conditions 43, 44)"""
    store.add(FIRST, document_id="plan", tenant="acme")
    reader = Actor("acme", {"support"})
    citation = cited(store, actor=reader, question="return a bike") | {
        "key": "acme:plan@1#c0",
        "document_id": "plan",
        "title": "plan",
    }
    citation["keys"] = [citation["key"]]
    assert store.resolve(citation, reader).status == "current"
    with pytest.raises(IngestError):  # superseding it would tell its readers of a version they may not read
        store.add(FIRST + "\nMore.", document_id="plan", version="2", tenant="acme", groups=["board"])
    assert store.resolve(citation, reader).status == "current"
    store.operator.set_status("plan", "1", "withdrawn", tenant="acme")
    store.add(FIRST + "\nMore.", document_id="plan", version="2", tenant="acme", groups=["board"])
    assert store.resolve(citation, reader).current is None
    assert store.resolve(citation, reader).status == "unavailable"


def test_withdrawn_access_or_a_removed_document_is_unavailable(store):
    """(condition 48)"""
    citation = cited(store)
    store.operator.set_status("returns", "1", "withdrawn")
    assert store.resolve(citation).status == "unavailable"
    store.operator.set_status("returns", "1", "current")
    assert store.resolve(citation).status == "current"
    store.operator.remove("returns", "1")
    assert store.resolve(citation).status == "unavailable"


TAMPERED = {
    "quote": "return a bike\nwithin 60 days",
    "start": 1,
    "end": 1,
    "paragraph": 9,
    "first_line": 9,
    "last_line": 1,
    "heading": ["Elsewhere"],
    "title": "Another title",
    "document_id": "other",
    "version": "2",
    "offsets": "bytes",
    "page": 1,
    "last_page": 2,
    "page_label": "iv",
    "last_page_label": "v",
    "element": "part-2",
    "chapter": "2",
    "row": 3,
    "columns": ["Price"],
    "admission": "summary",
    "coverage": "partial",
}


@pytest.mark.code("quote_mismatch")
@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_member_is_a_quote_mismatch(store, name):
    """(condition 49)"""
    assert store.resolve(cited(store) | {name: TAMPERED[name]}).status == "quote_mismatch"


def paged():
    """A version over two pages, with words on the second that nobody sees."""
    text = "A bike has two wheels and a bell.\nIt weighs 12 kg without the basket."
    turn = text.index("It weighs")
    place = Location(page=4, page_label="ii", element="part-1")
    hidden = (text.index("without"), text.index(" the basket"))
    span = Span(0, len(text), place, hidden=(hidden,), turns=((turn, replace(place, page=5, page_label="iii")),))
    return Document("bike", "1", text, [span], title="The bike")


def test_a_citation_over_pages_resolves_with_its_pages(store):
    """(condition 60)"""
    store.add_documents([paged()])
    for quote, pages in (
        ("two wheels and a bell", (4, 4, "ii", "ii")),
        ("a bell.\nIt weighs 12 kg", (4, 5, "ii", "iii")),
        ("It weighs 12 kg", (5, 5, "iii", "iii")),
    ):
        citation = cited(store, "bell wheels", quote)
        resolution = store.resolve(citation)
        assert resolution.status == "current"
        place = resolution.citation.location
        assert (place.page, place.last_page, place.page_label, place.last_page_label) == pages
        assert resolution.to_dict()["citation"]["page"] == pages[0]
        assert store.resolve(citation | {"page": pages[0] + 1}).status == "quote_mismatch"
        assert store.resolve(citation | {"last_page": 9}).status == "quote_mismatch"


def test_what_the_gate_lets_nobody_quote_does_not_resolve(store):
    """(condition 61) Words that nobody sees, and what only describes a document."""
    store.add_documents([paged()])
    store.add("A text.", document_id="paper", title="On cycling in cities", admission="metadata_only")
    citation = cited(store, "bell wheels", "It weighs 12 kg")
    passage = store.passage("bike@1#c0")
    start = passage.text.index("kg without")
    hidden = {"quote": "kg without", "start": start, "end": start + 10}
    assert store.resolve(citation | hidden).status == "quote_mismatch"
    assert store.resolve(citation | {"quote": "kg", "start": start, "end": start + 2}).status == "current"
    paper = store.passage("paper@1#c0")
    title = {"key": paper.key, "quote": paper.text, "start": 0, "end": len(paper.text), "sha256": paper.sha256}
    assert store.resolve(title).status == "quote_mismatch"


def test_a_curators_summary_stays_the_curators(store):
    """(condition 61)"""
    store.add("The paper praises cycling in cities.", document_id="paper", admission="summary")
    citation = cited(store, "praises cycling", "praises cycling in cities")
    assert "summary by a curator" in citation["label"]
    resolution = store.resolve(citation)
    assert (resolution.status, resolution.citation.admission) == ("current", "summary")
    assert store.resolve(citation | {"admission": "full_text"}).status == "quote_mismatch"


@pytest.mark.parametrize("value", [True, 1.0, -1, 10**30, "3", None, [], {}, b"x", object()])
@pytest.mark.parametrize("name", ["start", "end", "quote", "paragraph", "heading", "title", "offsets"])
def test_a_member_of_another_type_is_a_quote_mismatch(store, name, value):
    """(condition 49)"""
    citation = cited(store) | {name: value}
    assert store.resolve(citation).status == "quote_mismatch"


def test_a_span_that_leaves_the_cited_passages_is_a_quote_mismatch(store):
    """(condition 49) Neighbours may be quoted over only where the citation names them."""
    whole = FIRST.strip()
    citation = cited(store) | {"start": 0, "end": len(whole), "quote": whole}
    for lines in ("first_line", "last_line"):
        del citation[lines]
    assert store.resolve(citation).status == "quote_mismatch"
    assert store.resolve(citation | {"keys": ["returns@1#c0", "returns@1#c9"]}).status == "quote_mismatch"
    assert store.resolve(citation | {"keys": ["returns@1#c0", "returns@1#c1"]}).status == "current"


@pytest.mark.parametrize(
    "citation",
    [
        {},
        [],
        None,
        3,
        "returns@1#c0",
        {"key": None},
        {"key": ["returns@1#c0"]},
        {"key": "returns@1"},
        {"key": "\ud800@1#c0"},
        object(),
    ],
)
def test_what_is_no_citation_is_unavailable(store, citation):
    assert store.resolve(citation).status == "unavailable"


def test_an_object_whose_methods_raise_is_unavailable(store):
    class Hostile:
        def to_dict(self):
            raise RuntimeError

    assert store.resolve(Hostile()).status == "unavailable"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["returns@1#c0", QUOTE]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=200)
@given(st.data())
def test_no_citation_raises_and_a_changed_one_is_never_current(data):
    """(condition 49)"""
    with CorpusStore.in_memory() as store:
        store.add(FIRST, document_id="returns", title="Returns policy")
        citation = cited(store)
        binding = ("key", "document_id", "version", "title", "start", "end", "quote", "passage_sha256", "paragraph")
        name = data.draw(st.sampled_from(binding))
        value = data.draw(json_values)
        resolution = store.resolve({**citation, name: value})
        assert resolution.status in ("current", "source_changed", "quote_mismatch", "unavailable")
        if resolution.status == "current":
            assert value == citation[name] and type(value) is type(citation[name])


def test_another_text_of_the_same_file_is_another_readers():
    """(condition 46) The positive twin: that of another file is a changed source."""
    read = Document("scan.pdf", "1", FIRST, (Span(0, len(FIRST)),), file_sha256="f" * 64, reader="an old one")
    with CorpusStore.in_memory() as store:
        store.add_documents([read])
        citation = cited(store)
        for text, file, status in (
            (FIRST, "f", "current"),
            (FIRST.replace("30", "60"), "f", "reader_changed"),
            (FIRST.replace("30", "60"), "e", "source_changed"),
        ):
            again = replace(read, text=text, file_sha256=file * 64, reader="text rules 1")
            store.add_documents([again], replace=True)
            assert store.resolve(citation).status == status
            assert (store.resolve(citation).citation is None) == (status != "current")


def test_the_title_that_is_kept_in_the_place_of_a_text_is_no_other_readers(store):
    citation = cited(store) | {"text_sha256": "0" * 64}
    assert store.resolve(citation).status == "reader_changed"
    rules = {"admission": "metadata_only"}
    store.add(FIRST, document_id="returns", title="Returns policy", replace=True, **rules)
    assert store.resolve(citation).status == "source_changed"
    assert (
        store.resolve({name: each for name, each in citation.items() if name != "admission"}).status == "source_changed"
    )


def test_the_pin_of_another_text_is_source_changed(store):
    citation = cited(store)
    assert store.resolve(citation | {"passage_sha256": "0" * 64}).status == "source_changed"
    other = citation | {"text_sha256": "0" * 64}
    assert store.resolve(other | {"file_sha256": "1" * 64}).status == "source_changed"
    assert store.resolve(other | {"file_sha256": None}).status == "source_changed"
    without = {name: value for name, value in citation.items() if name not in ("passage_sha256", "sha256")}
    assert store.resolve(without).status == "source_changed"


def test_a_hostile_current_version_cannot_make_the_search_for_the_words_expensive(store):
    """A document that repeats itself is looked at in at most a bounded number of places."""
    store.add_documents([document("rep", "ab " * 40)])
    citation = {
        "key": "rep@1#c0",
        "quote": "ab ab",
        "start": 0,
        "end": 5,
        "passage_sha256": store.passage("rep@1#c0").sha256,
    }
    assert store.resolve(citation).status == "current"
    store.add_documents([document("rep", "xab abx " * 50_000, version="2")])
    assert store.resolve(citation).current is None


def test_a_citation_of_an_open_version_tells_nothing_of_a_current_one_in_a_private_collection():
    for private, expected in ((False, "r@2#c0"), (True, None)):
        with CorpusStore.in_memory() as store:
            store.add("Return a bike.", document_id="r", version="1")
            passage = store.passage("r@1#c0")
            citation = {
                "key": "r@1#c0",
                "quote": passage.text,
                "start": 0,
                "end": len(passage.text),
                "passage_sha256": passage.sha256,
            }
            store.add("Return a bike.", document_id="r", version="2", collection="board", title="Of the board")
            store.operator.set_private("board", private=private)
            found = store.resolve(citation)
            assert (found.status, found.current and found.current.key) == ("historic", expected)
            named = store.resolve(citation, constraints=Constraints(only={"board", "default"}))
            assert named.current.key == "r@2#c0"
