"""Somebody writes into a record log: what was changed, cut out or reordered is told, and no hostile file runs or floods."""

import hashlib
import json
import os
import sqlite3
from dataclasses import replace

import pytest

from tests.records import KEY, corpus, trace_of
from verified_gate.audit.canonical import canonical_json
from verified_gate.audit.records import RecordLog
from verified_gate.audit.replay import replay
from verified_gate.audit.report import report
from verified_gate.model.errors import RecordError, VerifiedGateError

ENTRIES = 5


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "records.db"
    with RecordLog.open(path, key=KEY) as log:
        for _ in range(ENTRIES):
            log.write(trace_of(corpus()))
    return path


def edit(path, *statements):
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def checked(path, key=None, head=None):
    with RecordLog.existing(path, key=key) as log:
        return log.check(head)


def head_of(path):
    with RecordLog.existing(path) as log:
        return log.head()


def chained_anew(path, change):
    """A forger who knows the format: changes a row and computes every digest after it again."""
    connection = sqlite3.connect(path)
    with connection:
        change(connection)
        previous = bytes(32)
        for sequence, identity, kind, at, summary, payload in connection.execute(
            "SELECT sequence, id, kind, at, summary, payload FROM entry ORDER BY sequence"
        ).fetchall():
            told = {"format": 1, "sequence": sequence, "id": identity, "kind": kind, "at": at}
            told |= {"previous": previous.hex(), "summary": summary.hex(), "payload": payload.hex()}
            digest = hashlib.sha256(canonical_json(told)).digest()
            connection.execute(
                "UPDATE entry SET previous = ?, digest = ? WHERE sequence = ?", (previous, digest, sequence)
            )
            previous = digest
    connection.close()


def test_an_untouched_log_has_no_fault(path):
    assert checked(path, KEY, head_of(path)).faults == ()


TAMPERING = {
    "an altered time": ["UPDATE entry SET at = '2020-01-01T00:00:00.000+00:00' WHERE sequence = 3"],
    "an altered id": ["UPDATE entry SET id = 'ffffffffffffffffffffffffffffffff' WHERE sequence = 3"],
    "an altered commitment": ["UPDATE entry SET payload = zeroblob(32) WHERE sequence = 3"],
    "an altered payload": ["UPDATE part SET body = replace(CAST(body AS TEXT), 'ok', 'OK') WHERE sequence = 3 AND name = 'payload'"],
    "an altered summary": ["UPDATE part SET body = CAST('{}' AS BLOB) WHERE sequence = 3 AND name = 'summary'"],
    "an altered salt": ["UPDATE part SET salt = zeroblob(32) WHERE sequence = 3"],
    "a payload that is gone without an erasure": ["DELETE FROM part WHERE sequence = 3 AND name = 'payload'"],
    "a citation that is gone beside its payload": ["DELETE FROM part WHERE sequence = 3 AND name = 'citation 1'"],
    "an altered citation": ["UPDATE part SET body = CAST(replace(CAST(body AS TEXT), '1', '2') AS BLOB) WHERE sequence = 3 AND name = 'citation 1'"],
    "citations exchanged": ["UPDATE part SET name = 'x' WHERE name = 'citation 0'", "UPDATE part SET name = 'citation 0' WHERE name = 'citation 1'", "UPDATE part SET name = 'citation 1' WHERE name = 'x'"],
    "a summary that is gone": ["DELETE FROM part WHERE sequence = 3 AND name = 'summary'"],
    "an entry cut out": ["DELETE FROM entry WHERE sequence = 3"],
    "the first entry cut off": ["DELETE FROM entry WHERE sequence = 1"],
    "an entry cut out and the rest moved up": ["DELETE FROM entry WHERE sequence = 3", "UPDATE entry SET sequence = sequence - 1 WHERE sequence > 3"],
    "two entries exchanged": ["UPDATE entry SET sequence = 99 WHERE sequence = 2", "UPDATE entry SET sequence = 2 WHERE sequence = 3", "UPDATE entry SET sequence = 3 WHERE sequence = 99"],
    "a kind that hides a record": ["UPDATE entry SET kind = 'erasure' WHERE sequence = 3"],
    "a column of another form": ["UPDATE entry SET digest = zeroblob(3) WHERE sequence = 3"],
}  # fmt: skip


@pytest.mark.parametrize("tampering", TAMPERING)
def test_what_was_changed_cut_out_or_reordered_is_told(path, tampering):
    statements = TAMPERING[tampering]
    if tampering == "an altered payload":
        statements = ["UPDATE part SET body = CAST(replace(CAST(body AS TEXT), '1', '2') AS BLOB) WHERE sequence = 3 AND name = 'payload'"]  # fmt: skip
    edit(path, *statements)
    assert checked(path).faults


def test_a_log_cut_at_its_end_is_told_by_a_head_that_was_kept(path):
    """Without one the file alone cannot show it; this is said, not hidden."""
    head = head_of(path)
    edit(path, "DELETE FROM entry WHERE sequence = 5", "DELETE FROM part WHERE sequence = 5")
    assert checked(path).faults == ()
    assert checked(path, head=head).faults


def test_a_log_that_grew_still_holds_an_older_head(path):
    head = head_of(path)
    with RecordLog.open(path, key=KEY) as log:
        log.write(trace_of(corpus()))
    assert checked(path, KEY, head).faults == ()


def test_a_log_chained_anew_is_told_by_the_key_and_by_a_head(path):
    head = head_of(path)
    chained_anew(path, lambda connection: connection.execute("UPDATE entry SET at = 'long ago' WHERE sequence = 3"))
    assert checked(path).faults == ()
    assert checked(path, KEY).faults
    assert checked(path, head=head).faults


def test_a_record_that_was_changed_is_not_read_and_not_replayed(path):
    with RecordLog.existing(path) as log:
        records = list(log.records())
    edit(path, "UPDATE part SET salt = zeroblob(32) WHERE sequence = 3 AND name = 'payload'")
    with RecordLog.existing(path) as log:
        with pytest.raises(RecordError):
            log.read(records[2].id)
        assert [record.sequence for record in log.records()] == [1, 2, 4, 5]
        assert replay(log.read(records[0].id), corpus(), None).answer.is_grounded


def test_a_log_of_another_key_is_told(path):
    assert checked(path, b"another key of 16 bytes or more").faults


def hostile_payload(path, body):
    """Somebody with the whole file writes a record of his own, committed and chained."""

    def change(connection):
        salt = os.urandom(32)
        connection.execute("UPDATE part SET salt = ?, body = ? WHERE sequence = 3 AND name = 'payload'", (salt, body))
        digest = hashlib.sha256(salt + body).digest()
        connection.execute("UPDATE entry SET payload = ? WHERE sequence = 3", (digest,))

    chained_anew(path, change)


def hostile_record(path, claims, cited=(), withheld=()):
    """The same of what left: claims, and the citations they name."""

    def change(connection):
        connection.execute("DELETE FROM part WHERE sequence = 3 AND name LIKE 'citation %'")
        parts = [(os.urandom(32), canonical_json(each)) for each in cited]
        connection.executemany(
            "INSERT INTO part VALUES (3, ?, ?, ?)",
            [(f"citation {number}", salt, body) for number, (salt, body) in enumerate(parts)],
        )
        (before,) = connection.execute("SELECT body FROM part WHERE sequence = 3 AND name = 'summary'").fetchone()
        digests = [hashlib.sha256(salt + body).hexdigest() for salt, body in parts]
        told = {**json.loads(before), "claims": claims, "withheld": list(withheld), "cited": digests}
        salt, body = os.urandom(32), canonical_json(told)
        connection.execute("UPDATE part SET salt = ?, body = ? WHERE sequence = 3 AND name = 'summary'", (salt, body))
        digest = hashlib.sha256(salt + body).digest()
        connection.execute("UPDATE entry SET summary = ? WHERE sequence = 3", (digest,))

    worded = [{"position": 0, "text": "Anything at all, for 90 days."}]
    hostile_payload(path, canonical_json({"question": "q", "claims": worded}))
    chained_anew(path, change)


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", b"[]", b"\xff", b'{"question":1}', b"[" * 200_000, b'{"question":"q","found":[{"key":1}]}',
     b'{"question":"q","claims":[{"position":-1}]}', b'{"question":"q","claims":' + b"[" * 1_000 + b"]" * 1_000 + b"}"],
)  # fmt: skip
def test_a_payload_that_is_none_is_told_and_raises_nothing_else(path, body):
    with RecordLog.existing(path) as log:
        identity = list(log.records())[2].id
    hostile_payload(path, body)
    with RecordLog.existing(path) as log:
        with pytest.raises(RecordError):
            log.read(identity)
        assert report(log).records == ENTRIES - 1


CITED = {
    **{"key": "returns@3#c0", "start": 0, "end": 10, "offsets": "document", "quote": "You can re"},
    **{"passage_sha256": "0" * 64, "origin": "store"},
}
FORGED = {
    "a claim that cites what is not there": ([{"position": 0, "citations": [7]}],),
    "two claims at one place": ([{"position": 0, "citations": []}] * 2,),
    "a place far away": ([{"position": 999_999_999, "citations": []}],),
    "more citations than an answer has": ([{"position": 0, "citations": [0] * 6_001}], [CITED]),
    "withheld for no known reason": (
        [{"position": 0, "citations": [0]}],
        [CITED],
        [{"position": 1, "codes": ["no such code"]}],
    ),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_record_that_no_run_can_have_made_is_told(path, forgery):
    with RecordLog.existing(path) as log:
        identity = list(log.records())[2].id
    hostile_record(path, *FORGED[forgery])
    with RecordLog.existing(path) as log:
        record = log.read(identity)
        with pytest.raises(RecordError):
            replay(record, corpus(), None)


def test_a_forged_record_releases_words_of_the_source_or_nothing(path):
    """Who can write the file can name other spans; what leaves is cut from the store, under the gate, or not at all."""
    store = corpus()
    passage = store.passage("returns@3#c0")
    with RecordLog.existing(path) as log:
        identity = list(log.records())[2].id

    def cited(**changed):
        told = {"key": passage.key, "start": 0, "end": 49, "offsets": "document", "quote": {"length": 49}}
        told |= {"passage_sha256": passage.sha256, "origin": "store", **changed}
        hostile_record(path, [{"position": 0, "citations": [0]}], [told])
        with RecordLog.existing(path) as log:
            return replay(log.read(identity), store, None).answer

    honest = cited(quote=passage.text[:49])
    assert not honest.is_grounded, "its wording has a number that is in no quote"
    words = cited()
    assert not words.is_grounded
    assert [str(code) for code in words.withheld[0].codes] == ["number_unsupported"]
    for changed in ({"quote": "Staff may return a bike"}, {"end": 48, "quote": {"length": 48}}, {"start": 60, "end": 900},
                    {"start": 10, "end": 5, "quote": {"length": 0}}, {"passage_sha256": "0" * 64}, {"key": "nothing"},
                    {"key": "acme:staff@1#c0"}):  # fmt: skip
        assert not cited(**changed).is_grounded


# ---------------------------------------------------------------------------------------------------------- hostile files


def _database(path, *statements):
    edit(path, *statements)
    return path


HOSTILE = {
    "text": lambda path: path.write_text("no database"),
    "a database of another program": lambda path: edit(path, "CREATE TABLE entry (x)"),
    "a view for a table": lambda path: edit(
        path,
        "CREATE VIEW entry AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "PRAGMA application_id = 1447514673",
        "PRAGMA user_version = 1",
    ),
    "a log of a newer program": lambda path: (RecordLog.open(path, plain=True).close(), edit(path, "PRAGMA user_version = 9")),
    "a trigger in a log": lambda path: (
        RecordLog.open(path, plain=True).close(),
        edit(path, "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM entry; END"),
    ),
    "a table in a log": lambda path: (RecordLog.open(path, plain=True).close(), edit(path, "CREATE TABLE more (x)")),
}  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path, hostile):
    path = tmp_path / "other.db"
    HOSTILE[hostile](path)
    before = path.read_bytes()
    for opened in (
        lambda: RecordLog.open(path, plain=True),
        lambda: RecordLog.existing(path),
        lambda: RecordLog.existing(path, read_only=False),
    ):
        with pytest.raises(RecordError):
            opened()
    assert path.read_bytes() == before


def test_a_folder_and_a_place_that_is_not_there_are_told(tmp_path):
    for place in (tmp_path, tmp_path / "no" / "log.db"):
        with pytest.raises(RecordError):
            RecordLog.open(place, plain=True)


def test_flipped_bytes_anywhere_in_the_file_are_told_or_harmless(path):
    """Never another exception than our own, never another record than was written; a payload that is lost is told."""
    import random

    with RecordLog.existing(path) as log:
        written = {record.id: record for record in log.records()}
    data = path.read_bytes()
    chooser = random.Random(5)
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(8):
            damaged[chooser.randrange(len(damaged))] ^= 1 << chooser.randrange(8)
        path.write_bytes(damaged)
        try:
            with RecordLog.existing(path) as log:
                lost = False
                for record in log.records():
                    if record.payload is None:
                        lost = True
                        whole = written[record.id]
                        cited = [
                            was if each is None else each for each, was in zip(record.cited, whole.cited, strict=True)
                        ]
                        record = replace(record, payload=whole.payload, cited=tuple(cited))
                    assert written[record.id] == record
                faults = log.check().faults
            assert faults or not lost
        except VerifiedGateError:
            continue


def test_a_part_larger_than_a_record_can_be_is_not_loaded(path, monkeypatch):
    monkeypatch.setattr("verified_gate.audit.chain.MAX_BODY", 100)
    assert checked(path).faults
    monkeypatch.setattr("verified_gate.audit.records.MAX_BODY", 100)
    with RecordLog.open(path, key=KEY) as log, pytest.raises(RecordError):
        log.write(trace_of(corpus()))


@pytest.mark.parametrize(
    ("name", "body"), [("payload", b'{"question":1}'), ("summary", b"{}"), ("summary", b"[" * 999)]
)
def test_a_part_that_does_not_have_its_form_is_told_by_the_check_though_it_is_committed_and_chained(path, name, body):
    def change(connection):
        salt = os.urandom(32)
        connection.execute("UPDATE part SET salt = ?, body = ? WHERE sequence = 3 AND name = ?", (salt, body, name))
        digest = hashlib.sha256(salt + body).digest()
        connection.execute(f"UPDATE entry SET {name} = ? WHERE sequence = 3", (digest,))

    assert checked(path).faults == ()
    chained_anew(path, change)
    assert checked(path).faults
