"""The record log: what is kept, the chain, erasing."""

import hashlib
import json
import sqlite3
import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.records import HONEST, KEY, RETURNS, claim, corpus, trace_of
from verified_gate.audit.canonical import canonical_json
from verified_gate.audit.chain import Head
from verified_gate.audit.keeping import MAX_PROPOSED, Keeper
from verified_gate.audit.record import Hashed
from verified_gate.audit.records import RecordLog
from verified_gate.audit.trace import FoundKey, Records
from verified_gate.model import Actor, Proposal, ReasonCode
from verified_gate.model.errors import RecordError
from verified_gate.release import Answer


@pytest.fixture
def store():
    return corpus()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "records.db"


def bytes_of(path):
    """Every byte of the log's files."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def edit(path, statement, *values):
    """Somebody writes into the file behind our back."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_a_log_is_what_the_engine_takes(path):
    with RecordLog.open(path, plain=True) as log:
        engine_side: Records = log
        assert engine_side.write(trace_of(corpus()))


def test_the_record_tells_each_stage_apart(store, path):
    """(condition 67)"""
    claims = (
        *HONEST,
        claim("It is free.", ("battery@1#c1", "words that stand nowhere here")),
        claim("It is 9 kg.", ("returns@3#c1", "The buyer pays the return shipping")),
    )
    trace = trace_of(store, claims, keys=["returns@3#c0", "returns@3#c1", "battery@1#c0", "battery@1#c1"])
    trace.eligible = 7
    trace.left_out = ("battery@1#c7",)
    with RecordLog.open(path, key=KEY) as log:
        record = log.read(log.write(trace))
    counts = record.summary.counts
    assert record.summary.eligible == 7
    assert (counts.found, counts.delivered, counts.left_out) == (4, 4, 1)
    assert (counts.proposed_claims, counts.proposed_citations) == (4, 4)
    assert (counts.verified_claims, counts.released_claims, counts.withheld_claims) == (2, 2, 2)
    assert record.summary.refused == {"quote_mismatch": 1, "number_unsupported": 1}
    assert (record.summary.code, record.summary.attempts, record.summary.replies) == ("ok", 1, ["ok"])
    payload = record.payload
    assert [(each.key, each.rank, each.channel) for each in payload.found][0] == ("returns@3#c0", 1, "lexical")
    assert [each.sha256 for each in payload.delivered] == [passage.sha256 for passage in trace.delivered]
    assert payload.left_out == ["battery@1#c7"]
    assert [each.delivered for one in payload.exchanges[0].claims for each in one.citations] == [
        "returns@3#c0",
        "battery@1#c0",
        "battery@1#c1",
        "returns@3#c1",
    ]
    assert [each.key for each in payload.exchanges[0].verified] == ["returns@3#c0", "battery@1#c0"]
    assert [each.key for each in record.cited] == ["returns@3#c0", "battery@1#c0"]
    assert record.summary.policy["profile"] == "verbatim"
    assert record.summary.constraints.remote is False


def test_texts_are_kept_as_keyed_hashes_unless_plain_is_asked_for(store, path):
    trace = trace_of(store, question="May Zanzibar return a bike?")
    with RecordLog.open(path, key=KEY) as log:
        record = log.read(log.write(trace))
    kept = bytes_of(path)
    for text in (b"Zanzibar", b"within 30 days", b"You have 30 days"):
        assert text not in kept
    question = record.payload.question
    assert question == Hashed(hmac=Keeper(KEY, False).hmac(trace.question), length=len(trace.question))
    assert Keeper(b"another key, also long", False).hmac(trace.question) != question.hmac


def test_plain_records_keep_texts_as_they_are(store, path):
    trace = trace_of(store, question="May Zanzibar return a bike?")
    with RecordLog.open(path, plain=True) as log:
        record = log.read(log.write(trace))
    assert record.payload.question == trace.question
    assert record.payload.claims[0].text == HONEST[0].text
    assert record.payload.delivered[0].text == trace.delivered[0].text


def test_a_key_that_was_made_up_is_a_text_of_the_model(store, path):
    trace = trace_of(store, [claim("So.", ("Zanzibar is an island", "words that stand nowhere here"))])
    with RecordLog.open(path, key=KEY) as log:
        record = log.read(log.write(trace))
    assert b"Zanzibar" not in bytes_of(path)
    assert record.summary.refused == {"unknown_citation": 1}
    assert record.payload.dropped[0].key is None


def test_what_a_synthesizer_tells_of_its_failure_is_a_text_too(path):
    trace = trace_of(corpus(), [])
    trace.answer = Answer(ReasonCode.PROVIDER_UNAVAILABLE, detail="the server says Zanzibar")
    with RecordLog.open(path, key=KEY) as log:
        log.write(trace)
    assert b"Zanzibar" not in bytes_of(path)


def test_without_a_key_or_plain_nothing_is_opened(path):
    with pytest.raises(ValueError, match="key="):
        RecordLog.open(path)
    with pytest.raises(ValueError, match="16 bytes"):
        RecordLog.open(path, key=b"short")
    assert not path.exists()


def test_a_log_is_for_its_operator_alone(path):
    with RecordLog.open(path, plain=True):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_log_that_was_opened_to_read_is_not_written(store, path):
    with RecordLog.open(path, key=KEY) as log:
        identity = log.write(trace_of(store))
    with RecordLog.existing(path) as log:
        assert log.read(identity).summary.code == "ok"
        with pytest.raises(RecordError):
            log.write(trace_of(store))
        with pytest.raises(RecordError):
            log.erase(["returns@3"])
    with pytest.raises(RecordError, match="closed"):
        log.head()


def test_an_unknown_record_and_a_missing_log_are_told(path):
    with pytest.raises(RecordError):
        RecordLog.existing(path)
    with RecordLog.open(path, plain=True) as log, pytest.raises(RecordError, match="no record of this id"):
        log.read("f" * 32)


def test_what_a_model_floods_is_kept_within_limits(store, path):
    long = "x" * (MAX_PROPOSED + 1)
    claims = [claim(long, ("returns@3#c0", long))] * 300
    with RecordLog.open(path, plain=True) as log:
        record = log.read(log.write(trace_of(store, claims)))
    exchange = record.payload.exchanges[0]
    assert (len(exchange.claims), exchange.cut) == (200, 100)
    assert exchange.claims[0].text == Hashed(length=len(long))
    assert record.summary.counts.proposed_claims == 300
    assert path.stat().st_size < 1_000_000


def test_a_reply_that_cannot_be_read_is_recorded_without_its_text(store, path):
    trace = trace_of(store, [])
    from verified_gate.audit.trace import Attempt

    class Odd:
        def __getattr__(self, name):
            raise RuntimeError(name)

    for reply in ("{not JSON", {"claims": 3}, Odd(), None, Proposal("answered", (object(),)), '{"claims": []}'):
        trace.exchanges.append(Attempt(2, reply, None, "invalid_json"))
    with RecordLog.open(path, plain=True) as log:
        record = log.read(log.write(trace))
    assert record.summary.attempts == 13
    assert all(each.verified == [] for each in record.payload.exchanges)


def test_a_lone_surrogate_of_a_caller_does_not_stop_a_record(store, path):
    with RecordLog.open(path, plain=True) as log:
        assert log.read(log.write(trace_of(store, question="what \ud800?"))).payload.question == "what ??"


# ------------------------------------------------------------------------------------------------------------ the chain


def test_each_entry_commits_to_its_parts_and_to_the_one_before(store, path):
    with RecordLog.open(path, key=KEY) as log:
        for _ in range(3):
            log.write(trace_of(store))
        assert log.check().faults == ()
        head = log.head()
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM entry ORDER BY sequence").fetchall()
    previous = bytes(32)
    for sequence, identity, kind, at, before, summary, payload, digest, _mac in rows:
        assert before == previous
        salt, body = connection.execute(
            "SELECT salt, body FROM part WHERE sequence = ? AND name = 'payload'", (sequence,)
        ).fetchone()
        assert hashlib.sha256(salt + body).digest() == payload
        told = {"format": 1, "sequence": sequence, "id": identity, "kind": kind, "at": at}
        told |= {"previous": before.hex(), "summary": summary.hex(), "payload": payload.hex()}
        assert hashlib.sha256(canonical_json(told)).digest() == digest
        previous = digest
    connection.close()
    assert head == Head(3, previous.hex())
    assert Head.parse(str(head)) == head


@pytest.mark.parametrize("text", ["", "3", "3:", "x:" + "0" * 64, "3:" + "g" * 64, "-1:" + "0" * 64, "²:" + "0" * 64])
def test_what_is_no_head_is_wrong_use(text):
    with pytest.raises(ValueError):
        Head.parse(text)


def test_the_same_text_has_another_commitment_each_time(store, path):
    with RecordLog.open(path, plain=True) as log:
        trace = trace_of(store)
        log.write(trace)
        log.write(trace)
    rows = sqlite3.connect(path).execute("SELECT payload FROM entry").fetchall()
    assert len(set(rows)) == 2


# -------------------------------------------------------------------------------------------------------------- erasing


def test_erasing_leaves_no_byte_of_a_payload_and_the_chain_whole(store, path):
    with RecordLog.open(path, plain=True) as log:
        kept = log.write(trace_of(store, HONEST[1:], keys=["battery@1#c0"], question="Batteries?"))
        identity = log.write(trace_of(store, question="Zanzibar?", keys=["returns@3#c0", "battery@1#c0"]))
        assert b"Zanzibar" in bytes_of(path)
        assert log.erase(["returns@3"]) == 1
        assert log.erase(["returns@3"]) == 0
        left = bytes_of(path)
        for text in (b"Zanzibar", b"return a bike", b"returns@3", b"You have 30 days"):
            assert text not in left
        assert log.read(identity).payload is None
        assert log.read(identity).summary.counts.released_claims == 2
        assert log.read(kept).payload is not None
        checked = log.check()
        assert (checked.records, checked.erased, checked.faults) == (2, 1, ())


def test_erasing_takes_the_named_version_of_the_named_tenant_alone(path):
    store = corpus()
    store.add(RETURNS, document_id="returns", version="3", tenant="acme")
    acme = Actor("acme")
    with RecordLog.open(path, plain=True) as log:
        public = log.write(trace_of(store, HONEST[:1], keys=["returns@3#c0"]))
        theirs = log.write(
            trace_of(
                store,
                [claim("You have 30 days.", ("acme:returns@3#c0", "within 30 days of delivery"))],
                keys=["acme:returns@3#c0"],
                actor=acme,
            )
        )
        assert log.erase(["returns@2", "return", "returns", "returns@33"]) == 0
        assert log.erase(["acme:returns@3"]) == 1
        assert log.read(theirs).payload is None
        assert log.read(public).payload is not None


def test_a_run_that_was_under_way_when_its_document_was_erased_leaves_no_payload(store, path):
    trace = trace_of(store, question="Zanzibar?")
    with RecordLog.open(path, plain=True) as log:
        log.erase(["returns@3"])
        identity = log.write(trace)
        assert log.read(identity).payload is None
        assert b"Zanzibar" not in bytes_of(path)
        assert log.check().faults == ()


def test_an_erasure_that_was_interrupted_is_finished_by_the_next(store, path, monkeypatch):
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store, question="Zanzibar?"))

        def interrupted(_):
            raise RecordError("killed")

        with monkeypatch.context() as patched:
            patched.setattr("verified_gate.audit.record_file.RecordFile.settle", interrupted)
            with pytest.raises(RecordError):
                log.erase(["returns@3"])
        assert log.erase([]) == 0
        assert b"Zanzibar" not in bytes_of(path)


def test_erasing_says_so_where_a_reader_holds_the_old_bytes(store, path, monkeypatch):
    monkeypatch.setattr("verified_gate.audit.record_file.SETTLE_SECONDS", 0.2)
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store, question="Zanzibar?"))
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM part").fetchone()
        with pytest.raises(RecordError):
            log.erase(["returns@3"])
        reader.close()
        log.erase([])
        assert b"Zanzibar" not in bytes_of(path)


def test_erase_takes_names_not_one_name(path):
    with RecordLog.open(path, plain=True) as log, pytest.raises(TypeError):
        log.erase("returns@3")


def test_the_store_erases_in_the_log_too(store, path):
    with RecordLog.open(path, plain=True) as log:
        identity = log.write(trace_of(store, question="Zanzibar?"))
        assert store.operator.erase("returns", "3", records=log).finished
        assert log.read(identity).payload is None
        assert b"Zanzibar" not in bytes_of(path)


def test_a_summary_names_nothing(store, path):
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store, question="Zanzibar?"))
    (body,) = sqlite3.connect(path).execute("SELECT body FROM part WHERE name = 'summary'").fetchone()
    told = json.dumps(json.loads(body))
    for text in ("Zanzibar", "returns", "battery", "30 days"):
        assert text not in told


_TEXTS = st.text(max_size=60)
_CLAIMS = st.lists(
    st.builds(claim, _TEXTS, st.tuples(st.sampled_from(["returns@3#c0", "battery@1#c0", "x", "\ud800"]), _TEXTS)),
    max_size=4,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(question=_TEXTS, claims=_CLAIMS, plain=st.booleans())
def test_whatever_was_asked_and_proposed_can_be_recorded_and_read_again(tmp_path_factory, question, claims, plain):
    path = tmp_path_factory.mktemp("any") / "records.db"
    with RecordLog.open(path, key=KEY, plain=plain) as log:
        trace = trace_of(corpus(), (*HONEST, *claims), question=question)
        record = log.read(log.write(trace))
        assert log.check().faults == ()
    assert record.summary.counts.proposed_claims == len(claims) + 2
    assert record.summary.counts.released_claims == len(trace.answer.claims)
    if plain:
        assert record.payload.question == question.encode("utf-8", "replace").decode()
    else:
        assert record.payload.question.length == len(question)
        for one in claims:
            if len(one.text) > 8 and one.text not in HONEST[0].text:
                assert one.text.encode("utf-8", "replace") not in path.read_bytes()


# -------------------------------------------------------------------------------------- what a caller's own parts may say


def retrieved(**changed):
    trace = trace_of(corpus())
    for name, value in changed.items():
        setattr(trace, name, value)
    return trace


@pytest.mark.parametrize("eligible", [-1, 2**53, 2**60])
def test_a_count_that_is_none_is_kept_as_not_known(path, eligible):
    with RecordLog.open(path, plain=True) as log:
        assert log.read(log.write(retrieved(eligible=eligible))).summary.eligible is None
        assert log.read(log.write(retrieved(eligible=3))).summary.eligible == 3


@pytest.mark.parametrize("status", ["degraded", "", None, 3, ["ok"]])
def test_a_channel_whose_status_nobody_knows_is_not_kept_as_well(path, status):
    with RecordLog.open(path, plain=True) as log:
        channels = log.read(log.write(retrieved(channels={"dense": status, 1: "ok", "x\ud800": "ok"}))).summary.channels
    assert channels == {"dense": "partial", "1": "ok", "x?": "ok"}


@pytest.mark.parametrize("attempts", [-5, 2**60])
def test_any_number_of_attempts_can_be_read_again(path, attempts):
    from verified_gate.audit.trace import Attempt

    with RecordLog.open(path, plain=True) as log:
        trace = retrieved(exchanges=[Attempt(attempts, None, None, "ok")] * 2)
        assert log.read(log.write(trace)).summary.attempts in (0, 2**53 - 1)


@pytest.mark.parametrize(
    "changed",
    [
        {"found": (FoundKey("a", -1),)},
        {"found": (FoundKey("a", 2**53),)},
        {"lang": 7},
        {"earlier": (7,)},
        {"policy": {"profile": 1.5, "deep": 2, "x": "\ud800"}},
    ],
)
def test_what_could_not_be_read_again_is_not_written(path, changed):
    with RecordLog.open(path, plain=True) as log:
        with pytest.raises(RecordError):
            log.write(retrieved(**changed))
        assert log.head().sequence == 0
        assert log.read(log.write(retrieved())).payload is not None


@pytest.mark.parametrize("actor", [Actor("t", {"g\ud800"})])
def test_an_actor_who_cannot_be_written_down_is_never_kept_as_another(path, actor):
    with RecordLog.open(path, plain=True) as log:
        with pytest.raises(RecordError):
            log.write(retrieved(actor=actor))
        assert log.read(log.write(retrieved(actor=Actor("t", {"g?"})))).summary.actor.groups == ["g?"]


def test_an_id_that_can_be_none_is_no_record(path):
    with RecordLog.open(path, plain=True) as log:
        for identity in ("\ud800", "é", ""):
            with pytest.raises(RecordError):
                log.read(identity)
        with pytest.raises(TypeError):
            log.read(7)


# ------------------------------------------------------------------------------------------------ a file that is taken away


@pytest.mark.parametrize("suffixes", [("",), ("-wal",), ("", "-wal", "-shm")])
def test_a_log_that_was_removed_while_it_was_open_takes_no_record(store, path, suffixes):
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store))
        for suffix in suffixes:
            path.with_name(path.name + suffix).unlink()
        with pytest.raises(RecordError):
            log.write(trace_of(store))


def test_a_log_that_was_replaced_while_it_was_open_takes_no_record(store, path):
    other = path.with_name("other.db")
    RecordLog.open(other, plain=True).close()
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store))
        other.replace(path)
        with pytest.raises(RecordError):
            log.write(trace_of(store))


def test_a_log_that_is_removed_between_its_check_and_the_commit_has_not_recorded(store, path, monkeypatch):
    with RecordLog.open(path, plain=True) as log:
        log.write(trace_of(store))
        require, calls = log._file._require_in_place, []

        def removed_after(ahead):
            require(ahead)
            if not calls:
                path.unlink()
            calls.append(1)

        monkeypatch.setattr(log._file, "_require_in_place", removed_after)
        with pytest.raises(RecordError):
            log.write(trace_of(store))


def test_a_log_in_another_journal_mode_is_brought_back_and_written(store, path):
    RecordLog.open(path, plain=True).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    connection.close()
    with RecordLog.open(path, plain=True) as log:
        assert log.read(log.write(trace_of(store))).payload is not None
