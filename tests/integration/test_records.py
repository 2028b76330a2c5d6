"""An engine with a record log: nothing leaves before it is recorded, and what was recorded can be replayed and explained."""

import asyncio
import json
import threading

import pytest

from tests.records import KEY, corpus, exported
from tests.simulator import AdversarialSynthesizer
from verified_gate import Actor, AnswerEngine, CorpusStore, Passage
from verified_gate.audit import RecordLog, receipt_of, verify_receipt
from verified_gate.audit.replay import replay
from verified_gate.audit.why import why
from verified_gate.engine import AnswerDone, ClaimReleased
from verified_gate.model.errors import RecordError
from verified_gate.retrieval.protocol import Constraints

QUESTION = "How long can I return a bike?"
CLAIMS = [
    ("You have 30 days to return a bike.", ("returns@3#c0", "return a bike within 30 days of delivery")),
    ("A battery is covered for two years.", ("battery@1#c0", "covered for two years from delivery")),
    ("It is free.", ("battery@1#c0", "words that stand nowhere here")),
]
ALL = "How long can I return a bike, and how long is a battery covered from delivery?"


@pytest.fixture
def log(tmp_path):
    with RecordLog.open(tmp_path / "records.db", plain=True) as log:
        yield log


def enemy():
    made = AdversarialSynthesizer()
    for text, citation in CLAIMS:
        made.claim(text, citation)
    return made


def told(answer):
    left = answer.to_dict()
    return {name: left[name] for name in ("code", "text", "claims", "citations", "withheld")}


def test_an_answer_carries_the_id_of_its_record_and_replays(log):
    store = corpus()
    answer = AnswerEngine(store, synthesizer=enemy(), records=log).answer(ALL)
    assert answer.is_grounded
    record = log.read(answer.record)
    assert told(replay(record, store, None).answer) == told(answer)
    assert record.summary.eligible == 4
    assert record.summary.channels == {"lexical": "ok"}
    assert why(record, store=store, expect="acme:staff").stage == "not_permitted"


async def test_awaited_answers_are_recorded_from_their_threads(log):
    store = corpus()
    engine = AnswerEngine(store, synthesizer=enemy(), records=log)
    answers = await asyncio.gather(*(engine.aanswer(ALL) for _ in range(8)))
    assert len({log.read(answer.record).sequence for answer in answers}) == 8
    assert log.check().faults == ()


@pytest.mark.parametrize("key", [None, KEY])
def test_an_abstention_is_recorded_too(tmp_path, key):
    with RecordLog.open(tmp_path / "r.db", key=key, plain=key is None) as log:
        engine = AnswerEngine(corpus(), records=log)
        answer = engine.answer("Zebra?")
        record = log.read(answer.record)
        assert (record.summary.code, why(record).stage) == ("no_evidence", "not_found")


def test_a_stream_has_the_record_of_its_end(log):
    events = list(AnswerEngine(corpus(), synthesizer=enemy(), records=log).stream(ALL))
    assert any(isinstance(event, ClaimReleased) for event in events)
    done = events[-1]
    assert isinstance(done, AnswerDone)
    assert log.read(done.answer.record).summary.complete


@pytest.mark.code("audit_unavailable")
def test_where_a_required_record_cannot_be_written_nothing_is_released(log):
    store = corpus()
    honest = AnswerEngine(store, synthesizer=enemy(), records=log).answer(ALL)
    assert honest.is_grounded
    log.close()
    answer = AnswerEngine(store, synthesizer=enemy(), records=log).answer(ALL)
    assert (str(answer.code), answer.claims, answer.record) == ("audit_unavailable", (), None)
    assert "30 days" not in json.dumps(answer.to_dict())
    streamed = list(AnswerEngine(store, synthesizer=enemy(), records=log).stream(ALL))
    assert not any(isinstance(event, ClaimReleased) for event in streamed)
    best = AnswerEngine(store, synthesizer=enemy(), records=log, record="best_effort").answer(ALL)
    assert best.is_grounded
    assert best.record is None


def test_a_full_disk_is_a_record_that_cannot_be_written(log, monkeypatch):
    store = corpus()
    engine = AnswerEngine(store, synthesizer=enemy(), records=log)
    first = engine.answer(ALL)
    with log._file.writing() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    with log._file._held() as connection:
        connection.execute(f"PRAGMA max_page_count = {pages}")
    codes = {str(engine.answer(ALL).code) for _ in range(10)}
    assert codes == {"audit_unavailable"} or codes == {"ok", "audit_unavailable"}
    with log._file._held() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    assert log.check().faults == ()
    assert engine.answer(ALL).is_grounded
    assert log.read(first.record).payload is not None


def test_a_revocation_between_release_and_replay_wins_over_threads(log):
    """(condition 51)"""
    store = corpus()
    answer = AnswerEngine(store, synthesizer=enemy(), records=log).answer(ALL)
    record = log.read(answer.record)
    revoked = threading.Event()
    seen = []

    def replays():
        while True:
            after = revoked.is_set()
            keys = {citation.key for citation in replay(record, store, None).answer.citations}
            seen.append((after, keys))
            if after:
                return

    threads = [threading.Thread(target=replays) for _ in range(4)]
    for thread in threads:
        thread.start()
    store.operator.set_status("battery", "1", "revoked")
    revoked.set()
    for thread in threads:
        thread.join()
    assert all(keys == {"returns@3#c0"} for after, keys in seen if after)
    assert all("returns@3#c0" in keys for _, keys in seen)


def test_records_of_a_callers_own_evidence_are_kept_and_receipted(log):
    class Own:
        def retrieve(self, question, actor, limit):
            return [Passage("mine#4", "You can return a bike within 30 days of delivery.", "mine", "Mine", "7")]

    made = AdversarialSynthesizer().claim("You have 30 days.", ("mine#4", "within 30 days of delivery"))
    answer = AnswerEngine(retriever=Own(), synthesizer=made, records=log).answer(QUESTION)
    assert log.read(answer.record).cited[0].origin == "caller"
    text = b"You can return a bike within 30 days of delivery."
    assert verify_receipt(receipt_of(answer), [text]).is_valid
    assert log.erase(["mine"]) == 1
    with pytest.raises(RecordError):
        log.read("nothing")


def test_answers_of_an_engine_have_receipts_for_each_reader(log, tmp_path):
    store = CorpusStore.open(tmp_path / "kb.db")
    store.add(
        "Staff return a bike within 90 days.", document_id="staff", version="1", tenant="acme", groups=["support"]
    )
    staff = Actor("acme", {"support"})
    made = AdversarialSynthesizer().claim("Staff have 90 days.", ("acme:staff@1#c0", "return a bike within 90 days"))
    answer = AnswerEngine(store, synthesizer=made, records=log).answer("How long may staff return a bike?", actor=staff)
    record = log.read(answer.record)
    again = replay(record, store, staff)
    receipt = receipt_of(again.answer, **again.policy)
    assert verify_receipt(receipt, exported(store, "acme:staff@1", actor=staff)).is_valid
    assert exported(store, "acme:staff@1") == []
    assert not replay(record, store, None).answer.is_grounded
    store.close()


def test_an_answer_as_of_a_day_replays_as_of_that_day(log):
    from datetime import date

    store = CorpusStore.in_memory()
    store.add("The fee is ten euros a day.", document_id="fee", version="1", effective_from="2020-01-01")
    store.add("The fee is twenty euros a day.", document_id="fee", version="2", effective_from="2024-01-01")
    made = AdversarialSynthesizer().claim("The fee is ten euros.", ("fee@1#c0", "The fee is ten euros a day."))
    engine = AnswerEngine(store, synthesizer=made, records=log)
    then = engine.answer("What is the fee a day?", as_of=date(2022, 5, 1))
    assert then.is_grounded
    again = replay(log.read(then.record), store, None).answer
    assert told(again) == told(then)
    now = engine.answer("What is the fee a day?")
    assert not now.is_grounded


def test_a_hard_limit_of_the_request_goes_with_its_record(log):
    store = CorpusStore.in_memory()
    store.add("The fee is ten euros a day.", document_id="fee", version="1", purposes=["billing"])
    made = AdversarialSynthesizer().claim("The fee is ten euros.", ("fee@1#c0", "The fee is ten euros a day."))
    engine = AnswerEngine(store, synthesizer=made, records=log)
    answer = engine.answer("What is the fee a day?", purpose="billing")
    record = log.read(answer.record)
    assert record.summary.constraints.purpose == "billing"
    assert replay(record, store, None, constraints=Constraints(purpose="billing")).answer.is_grounded
    assert not replay(record, store, None).answer.is_grounded
    without = engine.answer("What is the fee a day?")
    assert why(log.read(without.record), store=store, expect="fee").stage == "not_permitted"


@pytest.mark.code("audit_unavailable")
@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_leaves_once_the_file_of_the_log_was_taken_away(log, replaced):
    store = corpus()
    engine = AnswerEngine(store, synthesizer=enemy(), records=log)
    assert engine.answer(ALL).is_grounded
    path = log._file.path
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    if replaced:
        RecordLog.open(path, plain=True).close()
    answer = engine.answer(ALL)
    assert (str(answer.code), answer.claims, answer.record) == ("audit_unavailable", (), None)
    assert not any(isinstance(event, ClaimReleased) for event in engine.stream(ALL))


def test_a_channel_of_a_callers_retriever_may_say_anything_and_its_record_can_be_read(log):
    class Hits(list):
        channels = {"dense": "degraded"}
        eligible = -1

    class Own:
        def retrieve(self, question, actor, limit):
            return Hits([Passage("mine#4", "You can return a bike within 30 days of delivery.", "mine", "Mine", "7")])

    made = AdversarialSynthesizer().claim("You have 30 days.", ("mine#4", "within 30 days of delivery"))
    answer = AnswerEngine(retriever=Own(), synthesizer=made, records=log).answer(QUESTION)
    summary = log.read(answer.record).summary
    assert (summary.channels, summary.eligible) == ({"dense": "partial"}, None)
