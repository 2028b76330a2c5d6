"""Attack family: learn from an answer that one has, or from its record, what became of a document that it cites.

To a reader, a version that was revoked, erased, removed, or given to others is the same as one that was never there:
every command gives the same bytes on both outputs and the same exit code.
"""

import json
import shutil

import pytest

from tests.command_line import call
from tests.simulator import AdversarialSynthesizer
from verified_gate import Actor, AnswerEngine, CorpusStore
from verified_gate.audit.records import RecordLog
from verified_gate.audit.replay import replay
from verified_gate.audit.why import why_for_reader

QUESTION = "Within how many days can I return a bike, and how long is a battery covered?"
ACTOR = Actor("acme", {"support"})
PLAN, BATTERY = "acme:plan@1#c0", "acme:battery@1#c0"
SECRET = "You can return a bike within 30 days of delivery."


def store_at(path, *, groups=("support",)):
    store = CorpusStore.open(path)
    store.add("A battery is covered for two years from delivery.", document_id="battery", version="1", tenant="acme")
    if groups is not None:
        store.add(SECRET, document_id="plan", version="1", tenant="acme", groups=groups)
    return store


def erase(folder):
    with CorpusStore.open(folder / "kb.db") as store, RecordLog.existing(folder / "log.db", read_only=False) as log:
        assert store.operator.erase("plan", "1", tenant="acme", records=log).finished


def erase_late(folder):
    """First in the corpus, and in the log by a later call."""
    with CorpusStore.open(folder / "kb.db") as store, RecordLog.existing(folder / "log.db", read_only=False) as log:
        store.operator.erase("plan", "1", tenant="acme")
        store.operator.finish_erasures(records=log)


def operate(verb):
    def change(folder):
        with CorpusStore.open(folder / "kb.db") as store:
            verb(store.operator)

    return change


def never(folder):
    (folder / "kb.db").unlink()
    store_at(folder / "kb.db", groups=None).close()


def regrouped(folder):
    (folder / "kb.db").unlink()
    store_at(folder / "kb.db", groups=("board",)).close()


WORLDS = {
    "never there": never,
    "of another group": regrouped,
    "revoked": operate(lambda operator: operator.set_status("plan", "1", "revoked", tenant="acme")),
    "withdrawn": operate(lambda operator: operator.set_status("plan", "1", "withdrawn", tenant="acme")),
    "removed": operate(lambda operator: operator.remove("plan", "1", tenant="acme")),
    "erased": erase,
    "erased in the log later": erase_late,
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A corpus, a log of two answers of one reader, and the answers: one cites two documents, one the secret alone."""
    folder = tmp_path_factory.mktemp("asked")
    made = AdversarialSynthesizer().claim("You have 30 days.", (PLAN, "return a bike within 30 days of delivery"))
    made.claim("You have 77 days.", (PLAN, "return a bike within 30 days of delivery"))
    both = AdversarialSynthesizer().claim("You have 30 days.", (PLAN, "return a bike within 30 days of delivery"))
    both.claim("You have 77 days.", (PLAN, "return a bike within 30 days of delivery"))
    both.claim("It is covered for two years.", (BATTERY, "covered for two years from delivery"))
    both.claim("So are both.", (BATTERY, "covered for two years"), (PLAN, "within 30 days of delivery"))
    answers = []
    with store_at(folder / "kb.db") as store, RecordLog.open(folder / "log.db", plain=True) as log:
        for synthesizer in (both, made):
            answer = AnswerEngine(store, synthesizer=synthesizer, records=log).answer(QUESTION, actor=ACTOR)
            answers.append(answer.to_dict())
    cited = [{citation["document_id"] for citation in answer["citations"]} for answer in answers]
    assert cited == [{"plan", "battery"}, {"plan"}]
    assert [len(answer["withheld"]) for answer in answers] == [1, 1]
    return folder, answers


def world(asked, folder, name):
    home = folder / name
    shutil.copytree(asked, home)
    WORLDS.get(name, lambda _: None)(home)
    return home


def commands(home, answers):
    """Every command of a reader that takes a document, a citation or a record; its code and its bytes."""
    who = ["--tenant", "acme", "--group", "support"]
    corpus, log = ["--corpus", home / "kb.db"], ["--records", home / "log.db"]
    told = {}
    for number, answer in enumerate(answers):
        record = answer["record"]
        for form in ([], ["--json"]):
            told["replay", number, *form] = call("replay", record, *log, *corpus, *who, *form)
            for name in ("", "acme:plan", "acme:plan@1", "acme:plan@1#c0", "acme:battery", "acme:nothing"):
                expected = ["--expect", name] if name else []
                told["why", number, name, *form] = call(
                    "why", record, *log, *corpus, *who, "--reader", *expected, *form
                )
        told["receipt", number] = call("receipt", "write", record, *log, *corpus, *who)
        for place, citation in enumerate(answer["citations"]):
            for form in ([], ["--json"]):
                told["show", number, place, *form] = call("show", json.dumps(citation), *corpus, *who, *form)
    for form in ([], ["--json"]):
        told["show", *form] = call("show", "acme:plan@1#c0", *corpus, *who, *form)
        told["search", *form] = call("search", QUESTION, *corpus, *who, *form)
        told["ask", *form] = call("ask", QUESTION, *corpus, *who, *form)
    told["export",] = call("export", "acme:plan@1", *corpus, *who)
    told["page",] = call("page", "plan@1", "1", "--png", home / "page.png", *corpus, *who)
    return {name: (done.code, done.out, done.err.replace(str(home), "")) for name, done in told.items()}


def reading(home, answers):
    """The same of the library, where it tells more."""
    told = []
    with CorpusStore.open(home / "kb.db", read_only=True) as store, RecordLog.existing(home / "log.db") as log:
        for answer in answers:
            record = log.read(answer["record"])
            again = replay(record, store, ACTOR)
            told.append([again.answer.to_dict(), again.quotes_only, again.policy["scope"]])
            told.append([store.resolve(citation, ACTOR).to_dict() for citation in answer["citations"]])
            told += [
                repr(why_for_reader(record, store, ACTOR, expect=name)) for name in (None, "acme:plan", "acme:battery")
            ]
    return told


@pytest.mark.code("unavailable")
def test_no_byte_tells_what_became_of_a_document(asked, tmp_path):
    """(conditions 44, 48)"""
    folder, answers = asked
    homes = {name: world(folder, tmp_path, name) for name in WORLDS}
    outcomes = {name: commands(home, answers) for name, home in homes.items()}
    for name, outcome in outcomes.items():
        for command, told in outcome.items():
            assert told == outcomes["never there"][command], (name, command)
    for name, home in homes.items():
        assert reading(home, answers) == reading(homes["never there"], answers), name
    assert not any("30 days" in told[1] + told[2] for told in outcomes["erased"].values())
    again = json.loads(outcomes["erased"]["replay", 0, "--json"][1])
    assert {citation["document_id"] for citation in again["citations"]} == {"battery"}, "what is of others stays"


def test_the_twin_that_nothing_happened_to_shows_it(asked, tmp_path):
    """What is compared would tell."""
    folder, answers = asked
    untouched, revoked = world(folder, tmp_path, "untouched"), world(folder, tmp_path, "revoked")
    before, after = commands(untouched, answers), commands(revoked, answers)
    for command in before:
        if command[0] not in ("page", "show") and "acme:nothing" not in command:
            assert before[command] != after[command], command
    assert "30 days" in before["replay", 0][1]
    assert json.loads(before["why", 0, "acme:plan", "--json"][1])["stage"] == "released"
    assert reading(untouched, answers) != reading(revoked, answers)
