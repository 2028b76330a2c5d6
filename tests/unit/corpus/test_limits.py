"""Limits of a request: purpose, local processing, collections, days. They choose candidates, and change no score."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bm25 import Plain, rank
from tests.unit.corpus.documents import document
from verified_gate.corpus.protocol import Pin
from verified_gate.corpus.store import CorpusStore
from verified_gate.ingest.document import Rules
from verified_gate.model import Access, Actor, ReasonCode, sha256_of_text
from verified_gate.model.errors import CorpusError, IngestError, QueryError
from verified_gate.retrieval.protocol import UNCONSTRAINED, Constraints, Retrieved

TODAY = datetime.now(UTC).date()
DAY = timedelta(days=1)
UNAVAILABLE, SUPERSEDED = ReasonCode.UNAVAILABLE, ReasonCode.SUPERSEDED


def keys(found):
    return [each.key for each in found]


def pin_of(text, key):
    name, _, version = key.rpartition("#")[0].rpartition("@")
    return Pin(name.rpartition(":")[2], version, key, sha256_of_text(text))


@pytest.fixture
def store():
    with CorpusStore.in_memory() as made:
        yield made


# ---------------------------------------------------------------------------------------------- purpose, local_only


def reads(store, key, text, **limits):
    """What each way of reading gives for one passage under limits; all agree."""
    constraints = Constraints(**limits)
    citation = {"key": key, "quote": text, "start": 0, "end": len(text), "passage_sha256": sha256_of_text(text)}
    ways = {
        "search": keys(store.search("bike", constraints=constraints)) == [key],
        "retrieve": keys(store.retrieve("bike", None, 5, constraints=constraints)) == [key],
        "passage": store.passage(key, constraints=constraints) is not None,
        "texts": store.texts([key], constraints=constraints) != [],
        "passages": keys(store.passages(constraints=constraints)) == [key],
        "documents": store.documents(constraints=constraints) != [],
        "disclose": store.disclose([pin_of(text, key)], constraints=constraints) == [None],
        "resolve": store.resolve(citation, constraints=constraints).status == "current",
        "standing": store.standing(key, constraints=constraints) is None,
        "eligible": store.retrieve("bike", None, 5, constraints=constraints).eligible == 1,
    }
    assert len(set(ways.values())) == 1, ways
    return ways["search"]


def test_a_document_with_purposes_is_read_for_a_named_one_only(store):
    """(condition 63)"""
    store.add("Return a bike.", document_id="returns", purposes=["support", "billing"])
    key = "returns@1#c0"
    assert not reads(store, key, "Return a bike.")
    assert not reads(store, key, "Return a bike.", purpose="marketing")
    assert not reads(store, key, "Return a bike.", purpose="bill")
    assert not reads(store, key, "Return a bike.", purpose="billing\nsupport")
    assert reads(store, key, "Return a bike.", purpose="billing")
    assert reads(store, key, "Return a bike.", purpose="support", remote=True)


def test_a_document_without_purposes_is_read_for_all(store):
    store.add("Return a bike.", document_id="returns")
    assert reads(store, "returns@1#c0", "Return a bike.")
    assert reads(store, "returns@1#c0", "Return a bike.", purpose="anything")


def test_material_for_local_processing_is_not_there_for_a_remote_model(store):
    """(condition 63)"""
    store.add("Return a bike.", document_id="returns", local_only=True)
    assert reads(store, "returns@1#c0", "Return a bike.")
    assert not reads(store, "returns@1#c0", "Return a bike.", remote=True)
    assert store.passage("returns@1#c0").local_only


@pytest.mark.parametrize(
    "wrong",
    [
        {"purpose": ""},
        {"purpose": 3},
        {"remote": 1},
        {"only": "default"},
        {"only": [3]},
        {"prefer": "default"},
        {"as_of": "2026-01-31"},
        {"as_of": datetime(2026, 1, 31, tzinfo=UTC)},
    ],
)
def test_a_limit_that_is_not_understood_is_wrong_use(wrong):
    with pytest.raises(TypeError):
        Constraints(**wrong)


def test_purposes_may_be_one_name(store):
    store.add("Return a bike.", document_id="returns", purposes="billing")
    assert store.operator.documents()[0].rules == Rules(purposes=frozenset({"billing"}))


# ------------------------------------------------------------------------------------------------------- collections


def shops(store):
    for name, collection, text in (
        ("a", "default", "A bike for all, a bike for you."),
        ("b", "manuals", "A bike has a bell."),
        ("c", "board", "A bike is bought by the board."),
    ):
        store.add(text, document_id=name, collection=collection)
    store.operator.set_private("board")


def test_a_private_collection_is_searched_and_released_only_where_it_is_named(store):
    """(condition 45)"""
    shops(store)
    text = "A bike is bought by the board."
    only = Constraints(only={"board"})
    assert keys(store.search("bike")) == ["a@1#c0", "b@1#c0"]
    assert keys(store.search("bike", lang=[""], match="all")) == ["a@1#c0", "b@1#c0"]
    assert keys(store.search("bike", constraints=only)) == ["c@1#c0"]
    assert keys(store.search("bike", collection="board")) == ["c@1#c0"]
    assert store.search("bike", collection="board", constraints=Constraints(only={"manuals"})) == []
    assert keys(store.passages()) == ["a@1#c0", "b@1#c0"]
    assert [each.document_id for each in store.documents()] == ["a", "b"]
    assert store.disclose([pin_of(text, "c@1#c0")]) == [UNAVAILABLE]
    assert store.disclose([pin_of(text, "c@1#c0")], constraints=only) == [None]
    assert store.passage("c@1#c0").text == text  # whoever has the key has named it
    assert store.standing("c@1#c0") is None
    assert store.operator.private_collections() == {"board"}
    store.operator.set_private("board", private=False)
    assert keys(store.search("bike")) == ["a@1#c0", "b@1#c0", "c@1#c0"]
    for wrong in ("", "two\nlines"):
        with pytest.raises(ValueError, match="printable"):
            store.operator.set_private(wrong)


def test_only_is_a_limit_for_search_and_release(store):
    shops(store)
    only = Constraints(only={"manuals", "absent"})
    assert keys(store.search("bike", constraints=only)) == ["b@1#c0"]
    assert store.disclose([pin_of("A bike has a bell.", "b@1#c0")], constraints=only) == [None]
    assert store.disclose([pin_of("A bike for all, a bike for you.", "a@1#c0")], constraints=only) == [UNAVAILABLE]
    assert store.search("bike", constraints=Constraints(only=())) == []


def test_a_preferred_collection_is_looked_in_first_and_widened_once_within_the_limits(store):
    """(condition 65)"""
    shops(store)
    store.add("A bike is for support.", document_id="d", collection="default", purposes=["support"])
    prefer = Constraints(prefer={"manuals"})
    enough = store.retrieve("bike", None, 1, constraints=prefer)
    assert (keys(enough), enough.widened, enough.state) == (["b@1#c0"], False, "grounded")
    more = store.retrieve("bike", None, 8, constraints=prefer)
    assert (keys(more), more.widened) == (["b@1#c0", "a@1#c0"], True)  # not the private one, not the purposed one
    assert "widened" in repr(more)
    assert keys(store.search("bike", constraints=prefer)) == ["b@1#c0", "a@1#c0"]
    within = store.retrieve("bike", None, 8, constraints=Constraints(only={"default"}, prefer={"manuals"}))
    assert (keys(within), within.widened) == (["a@1#c0"], True)
    hidden = store.retrieve("bike", None, 8, constraints=Constraints(prefer={"board"}))
    assert keys(hidden) == ["a@1#c0", "b@1#c0"]  # to prefer is not to name
    named = store.retrieve("bike", None, 8, constraints=Constraints(only={"board", "default"}, prefer={"board"}))
    assert keys(named) == ["c@1#c0", "a@1#c0"]
    assert store.retrieve("bike", None, 8).widened is False


def test_retrieval_has_its_own_words():
    assert Retrieved().state == "no-evidence"
    assert Retrieved(channels={"lexical": "unavailable"}).state == "unavailable"
    assert Retrieved(channels={"lexical": "ok", "vector": "unavailable"}).state == "unavailable"  # nobody looked there
    with CorpusStore.in_memory() as store:
        store.add("Return a bike.", document_id="returns")
        (passage,) = store.retrieve("bike", None, 3)
        assert store.retrieve("bike", None, 3).state == "grounded"
        assert store.retrieve("lamp", None, 3).state == "no-evidence"
    assert Retrieved((passage,), {"lexical": "ok", "vector": "unavailable"}).state == "partial"
    assert Retrieved((passage, passage))[0:1] == (passage,)


# ------------------------------------------------------------------------------------------------------ days in force


def versions(store):
    store.add("A bike within 30 days.", document_id="r", version="1", effective_from="2024-01-01")
    store.add("A bike within 60 days.", document_id="r", version="2", effective_from="2025-01-01")
    store.add("A bike within 90 days.", document_id="r", version="3", effective_from="2026-01-01")


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2023-12-31", []),
        ("2024-01-01", ["r@1#c0"]),
        ("2024-12-31", ["r@1#c0"]),
        ("2025-01-01", ["r@2#c0"]),
        ("2025-12-31", ["r@2#c0"]),
        ("2026-01-01", ["r@3#c0"]),
        ("9999-12-31", ["r@3#c0"]),
    ],
)
def test_the_version_in_force_on_a_day_is_found_and_released(store, day, expected):
    versions(store)
    limits = Constraints(as_of=date.fromisoformat(day))
    assert keys(store.search("bike", constraints=limits)) == expected
    assert keys(store.passages(constraints=limits)) == expected
    told = {}
    for number, days in ((1, 30), (2, 60), (3, 90)):
        key = f"r@{number}#c0"
        told[key] = store.disclose([pin_of(f"A bike within {days} days.", key)], constraints=limits)[0]
    assert told == {key: None if key in expected else SUPERSEDED for key in told}


def test_a_day_changes_no_score(store):
    versions(store)
    store.add("A bike and a lamp.", document_id="other", effective_from="2020-01-01")
    past = store.search("bike days", constraints=Constraints(as_of=date(2024, 6, 1)))
    now = {hit.key: hit.score for hit in store.search("bike days")}
    assert keys(past) == ["r@1#c0", "other@1#c0"]
    assert past[1].score == now["other@1#c0"]


def test_a_superseded_version_that_states_no_day_is_in_force_on_none(store):
    store.add("A bike within 30 days.", document_id="r", version="1")
    store.add("A bike within 60 days.", document_id="r", version="2", effective_from="2025-01-01")
    assert keys(store.search("bike", constraints=Constraints(as_of=date(2025, 6, 1)))) == ["r@2#c0"]
    assert store.search("bike", constraints=Constraints(as_of=date(2024, 6, 1))) == []
    assert keys(store.search("bike", statuses=["superseded"])) == ["r@1#c0"]


def test_a_current_version_that_states_no_day_is_in_force_on_each(store):
    store.add("A bike within 30 days.", document_id="r", version="1")
    assert keys(store.search("bike", constraints=Constraints(as_of=date(1999, 1, 1)))) == ["r@1#c0"]


def test_a_withdrawn_version_keeps_its_days_from_the_one_before(store):
    versions(store)
    store.operator.set_status("r", "2", "withdrawn")
    assert store.search("bike", constraints=Constraints(as_of=date(2025, 6, 1))) == []
    assert keys(store.search("bike", constraints=Constraints(as_of=date(2024, 6, 1)))) == ["r@1#c0"]


def test_an_erased_version_keeps_its_days_from_the_one_before_and_a_draft_has_none():
    days = [date(2024, 6, 1), date(2025, 6, 1)]
    for status, expected in (("current", ["r@1#c0"]), ("draft", ["r@1#c0", "r@1#c0"])):
        with CorpusStore.in_memory() as store:
            store.add("The first rule.", document_id="r", version="1", effective_from="2024-01-01")
            store.add("The second rule.", document_id="r", version="2", effective_from="2025-01-01", status=status)
            assert store.operator.erase("r", "2").finished
            found = [keys(store.search("rule", constraints=Constraints(as_of=day))) for day in days]
            assert sum(found, []) == expected
            store.add("The third rule.", document_id="r", version="3", effective_from="2025-01-01")
            assert keys(store.search("rule", constraints=Constraints(as_of=days[1]))) == ["r@3#c0"]
            assert store.operator.status(check=True).faults == ()


def test_a_version_of_another_audience_does_not_show_in_what_is_in_force(store):
    """(condition 44)"""
    board = Actor("acme", {"board", "sales"})
    store.add(
        "A bike for sale.", document_id="r", version="1", tenant="acme", groups=["sales"], effective_from="2024-01-01"
    )
    store.add(
        "No bike.",
        document_id="r",
        version="2",
        tenant="acme",
        groups=["board"],
        status="superseded",
        effective_from="2024-02-01",
    )
    limits = Constraints(as_of=date(2024, 6, 1))
    assert keys(store.search("bike", Actor("acme", {"sales"}), constraints=limits)) == ["acme:r@1#c0"]
    assert keys(store.search("bike", board, constraints=limits)) == ["acme:r@2#c0", "acme:r@1#c0"]


def test_without_a_day_it_is_today(store):
    """What begins tomorrow is not found today; what ended today is not found any more."""
    store.add("A bike tomorrow.", document_id="later", effective_from=(TODAY + DAY).isoformat())
    store.add("A bike yesterday.", document_id="ended", effective_to=TODAY.isoformat())
    store.add(
        "A bike today.", document_id="now", effective_from=TODAY.isoformat(), effective_to=(TODAY + DAY).isoformat()
    )
    assert keys(store.search("bike")) == ["now@1#c0"]
    assert store.retrieve("bike", None, 9).eligible == 1
    assert keys(store.search("bike", collection="default")) == ["now@1#c0"]
    assert keys(store.search("bike", constraints=Constraints(as_of=TODAY))) == ["now@1#c0"]
    assert keys(store.search("bike", constraints=Constraints(as_of=TODAY + DAY))) == ["later@1#c0"]
    assert keys(store.search("bike", constraints=Constraints(as_of=TODAY - DAY))) == ["ended@1#c0"]
    pins = [pin_of("A bike tomorrow.", "later@1#c0"), pin_of("A bike yesterday.", "ended@1#c0")]
    assert store.disclose(pins) == [SUPERSEDED, SUPERSEDED]
    assert store.disclose(pins, constraints=Constraints(as_of=TODAY + DAY)) == [None, SUPERSEDED]


def test_what_is_remembered_of_a_day_does_not_outlast_it(store, monkeypatch):
    store.add("A bike tomorrow.", document_id="later", effective_from=(TODAY + DAY).isoformat())
    store.add("A bike today.", document_id="now", effective_to=(TODAY + DAY).isoformat())
    for limits in (UNCONSTRAINED, Constraints(only={"default"}), Constraints(as_of=TODAY)):
        assert keys(store.search("bike", constraints=limits)) == ["now@1#c0"]
    for module in ("limits", "search"):
        monkeypatch.setattr(f"verified_gate.corpus.{module}.today", lambda: TODAY + DAY)
    for limits in (UNCONSTRAINED, Constraints(only={"default"})):
        assert keys(store.search("bike", constraints=limits)) == ["later@1#c0"]
    assert keys(store.search("bike", constraints=Constraints(as_of=TODAY))) == ["now@1#c0"]


def test_no_version_supersedes_one_in_force_before_it_begins_itself(store):
    store.add("A bike within 30 days.", document_id="r", version="1")
    tomorrow = (TODAY + DAY).isoformat()
    with pytest.raises(IngestError, match="draft"):
        store.add("A bike within 60 days.", document_id="r", version="2", effective_from=tomorrow)
    store.add("A bike within 60 days.", document_id="r", version="2", effective_from=tomorrow, status="draft")
    with pytest.raises(CorpusError, match="in force"):
        store.operator.publish("r", "2")
    assert keys(store.search("bike")) == ["r@1#c0"]
    assert store.operator.status(check=True).faults == ()


# ------------------------------------------------------------------------------------------------- versions, admission


def test_a_draft_is_nobodys_evidence_until_it_is_published_in_one_step(store):
    store.add("A bike within 30 days.", document_id="r", version="1")
    store.add("A bike within 60 days.", document_id="r", version="2", status="draft")
    assert keys(store.search("bike")) == ["r@1#c0"]
    assert store.passage("r@2#c0") is None
    store.operator.publish("r", "2")
    assert keys(store.search("bike")) == ["r@2#c0"]
    assert {each.version: str(each.status) for each in store.documents()} == {"1": "superseded", "2": "current"}
    for version in ("2", "1"):
        with pytest.raises(CorpusError, match="only a draft"):
            store.operator.publish("r", version)
    with pytest.raises(CorpusError, match="no version"):
        store.operator.publish("r", "3")


def test_of_metadata_only_the_title_is_stored_and_found_and_no_word_of_the_text(store):
    """(condition 61)"""
    store.add("The secret word is gronk.", document_id="paper", title="On cycling in cities", admission="metadata_only")
    assert store.search("gronk") == []
    (hit,) = store.search("cycling cities")
    assert (hit.passage.text, hit.passage.admission) == ("On cycling in cities", "metadata_only")
    assert [whole.text for whole in store.texts([hit.key])] == ["On cycling in cities"]
    assert store.operator.status(check=True).faults == ()
    again = store.add(
        "The secret word is gronk.", document_id="paper", title="On cycling in cities", admission="metadata_only"
    )
    assert again.unchanged == 1


def test_labels_that_make_no_sense_are_refused(store):
    for wrong in (
        {"admission": "half"},
        {"effective_from": "tomorrow"},
        {"effective_from": "2026-01-01", "effective_to": "2026-01-01"},
        {"purposes": [""]},
        {"purposes": ["a\nb"]},
    ):
        with pytest.raises(ValueError, match=r"admission|date|isoformat|come after|purposes"):
            store.add("A bike.", document_id="r", **wrong)
    assert store.operator.documents() == []


def test_neighbours_stand_around_a_passage_in_order(store):
    """(condition 64)"""
    texts = [f"Part {number} of it." for number in range(5)]
    store.add_documents([document("d", *texts), document("s", *texts, tenant="acme")])
    assert keys(store.neighbours("d@1#c2")) == ["d@1#c1", "d@1#c3"]
    assert keys(store.neighbours("d@1#c0", reach=2)) == ["d@1#c1", "d@1#c2"]
    assert keys(store.neighbours("d@1#c4")) == ["d@1#c3"]
    assert store.neighbours("d@1#c0", reach=0) == ()
    for key in ("d@1#c5", "d@2#c0", "acme:s@1#c1", "nothing"):
        assert store.neighbours(key) == ()
    assert keys(store.neighbours("acme:s@1#c1", Actor("acme"))) == ["acme:s@1#c0", "acme:s@1#c2"]


# ------------------------------------------------------------------------------------------------------- the property

WORDS = ["bike", "bell", "the", "days", "30"]
days = st.sampled_from(["", "2024-01-01", "2025-01-01", "2026-01-01"])


@st.composite
def stored(draw):
    made = []
    for number in range(draw(st.integers(1, 6))):
        since, until = draw(days), draw(days)
        rules = Rules(
            purposes=frozenset(draw(st.lists(st.sampled_from(["a", "b"]), max_size=2))),
            local_only=draw(st.booleans()),
            effective_from=since,
            effective_to=until if until > since else "",
        )
        made.append(
            document(
                f"d{number}",
                *draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join), min_size=1, max_size=2)),
                tenant=draw(st.sampled_from([None, "acme"])),
                collection=draw(st.sampled_from(["default", "manuals", "board"])),
                rules=rules,
            )
        )
    return made


limits = st.builds(
    Constraints,
    purpose=st.sampled_from([None, "a", "c"]),
    remote=st.booleans(),
    only=st.sampled_from([None, None, frozenset({"default", "board"}), frozenset({"manuals"})]),
    as_of=st.sampled_from([None, date(2024, 6, 1), date(2025, 1, 1), TODAY]),
)


def is_within(each, constraints, day):
    rules = each.rules
    return (
        (not rules.purposes or constraints.purpose in rules.purposes)
        and not (constraints.remote and rules.local_only)
        and (each.collection in constraints.only if constraints.only is not None else each.collection != "board")
        and rules.effective_from <= day
        and (not rules.effective_to or day < rules.effective_to)
    )


@settings(max_examples=200, deadline=None)
@given(
    stored(), limits, st.sampled_from([None, Actor("acme")]), st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)
)
def test_limits_choose_among_the_hits_and_change_no_score(documents, constraints, actor, words):
    """(condition 45)"""
    question = " ".join(words)
    day = (constraints.as_of or TODAY).isoformat()
    with CorpusStore.in_memory() as store:
        store.add_documents(documents, batch=2)
        store.operator.set_private("board")
        permitted = [each for each in documents if each.access.permits(actor)]
        whole = rank(question, plains(permitted), 1_000)
        names = {each.document_id for each in permitted if is_within(each, constraints, day)}
        expected = [(key, score) for key, score in whole if key.rpartition("@")[0].rpartition(":")[2] in names]
        for _ in range(2):  # the second time what is remembered answers
            hits = store.search(question, actor, 1_000, constraints=constraints)
            assert [(hit.key, hit.score) for hit in hits] == expected
        passages = sum(len(each.spans) for each in permitted if each.document_id in names)
        assert store.retrieve(question, actor, 5, constraints=constraints).eligible == passages


def plains(documents):
    found = []
    for each in documents:
        scope = f"{each.access.tenant}:" if each.access.tenant else ""
        for position, span in enumerate(each.spans):
            key = f"{scope}{each.document_id}@{each.version}#c{position}"
            found.append(Plain((*each.name, position), key, each.text[span.start : span.end]))
    return found


def test_an_old_question_and_unconstrained_are_the_same(store):
    store.add("Return a bike.", document_id="returns")
    assert store.search("bike") == store.search("bike", constraints=UNCONSTRAINED)
    with pytest.raises(QueryError):
        store.search("", constraints=UNCONSTRAINED)
    assert Access().permits(None)


def test_one_string_in_the_place_of_groups_is_wrong_use(tmp_path):
    with CorpusStore.in_memory() as store:
        with pytest.raises(TypeError, match="groups"):
            store.add("The fee is ten euros.", document_id="a", tenant="t", groups="support")
        with pytest.raises(TypeError, match="groups"):
            store.add_directory(tmp_path, tenant="t", groups="support")
        assert store.documents(Actor("t", {"s", "support"})) == []
        store.add("The fee is ten euros.", document_id="a", tenant="t", groups=["support"])
        assert len(store.documents(Actor("t", {"support"}))) == 1


def test_a_name_with_a_control_character_finds_no_other_name_and_is_stored_nowhere(store):
    store.add("Return a bike.", document_id="returns", collection="board")
    for names in ({"collection": "board\0x"}, {"versions": ["1\0"]}, {"document_ids": ["returns\0"]}, {"lang": "\0"}):
        with pytest.raises(QueryError):
            store.search("bike", **names)
    for limits in ({"only": {"board\0x"}}, {"prefer": {"board\n"}}):
        with pytest.raises(ValueError, match="control"):
            Constraints(**limits)
    with pytest.raises(IngestError, match="control"):
        store.add("Return a bike.", document_id="other", collection="board\0x")
    assert keys(store.search("bike", collection="board", constraints=Constraints(only={"board"}))) == ["returns@1#c0"]


def test_a_tenant_that_is_no_text_is_refused():
    for made in (Actor, Access):
        with pytest.raises(ValueError, match="surrogate"):
            made("\ud800")
        assert made("büro").tenant == "büro"


def test_what_another_thread_forgets_is_looked_for_anew(store, monkeypatch):
    store.add("Return a bike.", document_id="returns", collection="board")
    constraints = Constraints(only={"board"})
    assert len(store.search("bike", constraints=constraints)) == 1

    class Forgetting(dict):
        def __contains__(self, key):
            return True

    monkeypatch.setattr(store._known, "within", Forgetting())
    assert len(store.search("bike", constraints=constraints)) == 1
