"""Attack family: learn that a document exists which one may not read, from any byte that a reader can get.

Two worlds are compared, one with the forbidden documents and one without: to the actor, every way of reading gives the
same bytes, the same counts and the same order, and so does the command line.
"""

import json
import re
import sqlite3
from datetime import date

import pytest

from tests.command_line import call
from tests.unit.corpus.documents import document
from verified_gate import Actor, AnswerEngine, CorpusStore
from verified_gate.corpus.document import digest_of
from verified_gate.corpus.protocol import Pin
from verified_gate.model import sha256_of_text
from verified_gate.retrieval.protocol import Constraints

OPEN = [
    document(
        "returns", "You can return a bike within 30 days of delivery.", "Keep the receipt of the bike.", version="1"
    ),
    document("returns", "You can return a bike within 60 days of delivery.", "Keep the receipt.", version="2"),
    document("care", "Keep a bike dry, and the bell of a bike clean.", tenant="acme"),
]
SECRET = "The merger of the bike makers closes in May."
HIDING = {
    "another tenant": document("plan", SECRET, "A bike, a bike.", tenant="globex"),
    "a group not held": document("plan", SECRET, "A bike, a bike.", tenant="acme", groups=["board"]),
    "a draft": document("plan", SECRET, "A bike, a bike.", tenant="acme", status="draft"),
    "a withdrawn version": document("plan", SECRET, "A bike, a bike.", tenant="acme", status="withdrawn"),
    "a revoked version": document("plan", SECRET, "A bike, a bike.", tenant="acme", status="revoked"),
    "a long one": document("plan", SECRET, *["bike return days " * 2_000] * 50, tenant="acme", groups=["board"]),
}
ACTOR = Actor("acme", {"support"})
KEYS = [
    "acme:plan@1#c0",
    "acme:plan@1#c1",
    "acme:plan@1#c99",
    "acme:plan@7#c0",
    "globex:plan@1#c0",
    "plan@1#c0",
    "nonsense",
]


def build(path, *more):
    store = CorpusStore.open(path)
    store.add_documents(list(OPEN[:1]))
    store.add_documents(list(more))
    store.add_documents(list(OPEN[1:]))
    return store


def reading(store, actor=ACTOR):
    """Everything that a reader of a store can get, as JSON with its order."""
    engine = AnswerEngine(store)
    limits = [{}, {"as_of": date(2025, 1, 1)}, {"purpose": "support"}, {"prefer": ["default"]}, {"only": ["default"]}]
    told = []
    for question in ("merger", "bike", "return a bike within how many days", "plan makers May"):
        for each in limits:
            constraints = Constraints(**each)
            hits = store.search(question, actor, 50, constraints=constraints)
            told.append([(hit.key, hit.score.hex(), hit.passage.text) for hit in hits])
            found = store.retrieve(question, actor, 50, constraints=constraints)
            told.append([found.state, found.widened, found.eligible, [passage.key for passage in found]])
            told.append(engine.answer(question, actor=actor, **each).to_dict())
        for filters in (
            {"document_ids": ["plan", "acme:plan"]},
            {"versions": ["1"], "statuses": ["current", "superseded"]},
            {"collection": "default", "match": "all"},
        ):
            told.append([(hit.key, hit.score.hex()) for hit in store.search(question, actor, 50, **filters)])
    for key in KEYS:
        pin = Pin("plan", "1", key, sha256_of_text(SECRET), sha256_of_text("x"), 0)
        told.append([str(code) for code in store.disclose([pin, pin], actor)])
        told.append(
            [str(store.standing(key, actor)), str(store.passage(key, actor)), str(store.neighbours(key, actor))]
        )
        told.append(store.resolve(citation(key), actor).to_dict())
        told.append(len(store.texts([key, key, "returns@1#c0"], actor)))
        told.append(repr(store.pages(key, actor)))
    told.append([repr(each) for each in store.documents(actor)])
    told.append([(passage.key, passage.text) for passage in store.passages(actor)])
    return json.dumps(told, ensure_ascii=False)


def citation(key):
    return {
        "key": key,
        "quote": SECRET,
        "start": 0,
        "end": len(SECRET),
        "passage_sha256": sha256_of_text(SECRET),
        "document_id": "plan",
        "version": "1",
    }


@pytest.mark.code("unavailable")
@pytest.mark.parametrize("why", HIDING)
def test_a_forbidden_document_changes_no_byte_of_what_a_reader_gets(tmp_path, why):
    """(conditions 36, 37, 41, 44, 45, 47, 48)"""
    with build(tmp_path / "with.db", HIDING[why]) as store, build(tmp_path / "without.db") as without:
        assert reading(store) == reading(without)
        assert SECRET not in reading(store)
        assert reading(store, None) == reading(without, None)
        assert len(store.operator.documents()) == len(without.operator.documents()) + 1


def test_the_twin_that_may_be_read_shows(tmp_path):
    """What is compared would tell."""
    shown = document("plan", SECRET, "A bike, a bike.", tenant="acme", groups=["support"])
    with build(tmp_path / "with.db", shown) as store, build(tmp_path / "without.db") as without:
        assert reading(store) != reading(without)
        assert SECRET in reading(store)


def commands(path):
    """Every command that reads for an actor, its outcome and its bytes."""
    who = ["--corpus", path, "--tenant", "acme", "--group", "support"]
    told = []
    for question in ("merger", "bike", "return a bike within how many days"):
        for more in ([], ["--as-of", "2025-01-01"], ["--only", "default"], ["--prefer", "default"], ["--purpose", "x"]):
            told.append(call("search", question, *who, "--limit", "50", *more, "--json"))
            told.append(call("ask", question, *who, *more, "--json"))
        told.append(call("search", question, *who))
        told.append(call("ask", question, *who))
    for key in KEYS:
        told.append(call("show", key, *who))
        told.append(call("show", key, *who, "--json"))
        told.append(call("show", json.dumps(citation(key)), *who, "--json"))
        told.append(call("show", "-", *who, stdin=json.dumps(citation(key))))
    return told


@pytest.mark.parametrize("why", ["another tenant", "a group not held", "a revoked version"])
def test_a_forbidden_document_changes_no_byte_of_the_command_line(tmp_path, why):
    """(condition 44) Standard output, standard error and exit codes."""
    path = tmp_path / "kb.db"
    outcomes = []
    for more in ([HIDING[why]], []):
        build(path, *more).close()
        outcomes.append(commands(path))
        path.unlink()
    assert outcomes[0] == outcomes[1]
    assert any(done.code == 0 for done in outcomes[0])
    assert not any(SECRET in done.out + done.err for done in outcomes[0])


def test_a_damaged_forbidden_document_shows_as_little(tmp_path):
    """A fault in what one may not read is no fault of what one reads."""
    for name, more in (("with.db", [HIDING["a group not held"]]), ("without.db", [])):
        build(tmp_path / name, *more).close()
    connection = sqlite3.connect(tmp_path / "with.db")
    connection.execute("UPDATE block SET text = replace(text, 'merger', 'merges')")
    connection.execute("UPDATE passage SET sha256 = ? WHERE document = 2", (digest_of("x"),))
    connection.commit()
    connection.close()
    with CorpusStore.open(tmp_path / "with.db") as store, CorpusStore.open(tmp_path / "without.db") as without:
        assert store.operator.status(check=True).condition == "damaged"
        assert reading(store) == reading(without)


def test_nothing_that_takes_an_actor_leads_to_the_operators_side():
    """The operator's verbs are another object, none of which takes an actor; a reader's methods reach none of them."""
    operator = type(CorpusStore.in_memory().operator)
    import inspect

    for name, method in inspect.getmembers(operator, inspect.isfunction):
        assert "actor" not in inspect.signature(method).parameters, name
    readers = {
        name: inspect.signature(method).parameters
        for name, method in inspect.getmembers(CorpusStore, inspect.isfunction)
        if not name.startswith("_")
    }
    with_actor = {name for name, parameters in readers.items() if "actor" in parameters}
    assert with_actor == {
        *("search", "retrieve", "passage", "neighbours", "texts", "disclose", "standing", "resolve"),
        *("documents", "passages", "pages"),
    }
    assert set(readers) - with_actor == {"add", "add_directory", "add_documents", "close"}
    assert all("constraints" in readers[name] for name in with_actor)


@pytest.mark.parametrize("wrong", ["acme", ("acme", "support"), {"tenant": "acme"}, object(), True])
def test_what_is_no_actor_is_wrong_use_and_never_somebody(tmp_path, wrong):
    with build(tmp_path / "kb.db", HIDING["another tenant"]) as store:
        for read in (
            lambda: store.search("bike", wrong),
            lambda: store.retrieve("bike", wrong, 5),
            lambda: store.passage("returns@2#c0", wrong),
            lambda: store.texts(["returns@2#c0"], wrong),
            lambda: store.neighbours("returns@2#c0", wrong),
            lambda: store.disclose([Pin("returns", "2", "returns@2#c0", "")], wrong),
            lambda: store.standing("returns@2#c0", wrong),
            lambda: store.resolve(citation("returns@2#c0"), wrong),
            lambda: store.documents(wrong),
            lambda: store.passages(wrong),
        ):
            with pytest.raises(TypeError, match=re.escape("actor must be an Actor or None")):
                read()
