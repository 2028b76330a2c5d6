"""A stored answer verified again: for whom, now, and with which words."""

import json

import pytest

from tests.records import BATTERY, HONEST, KEY, RETURNS, SECRET, claim, corpus, trace_of
from verified_gate.audit.records import RecordLog
from verified_gate.audit.replay import replay
from verified_gate.corpus.store import CorpusStore
from verified_gate.audit.trace import Trace
from verified_gate.gate import Gate
from verified_gate.model import Actor, Passage, sha256_of_text
from verified_gate.model.errors import RecordError
from verified_gate.model.folds import FOLDS
from verified_gate.release import release

STAFF = Actor("acme", {"support"})
SECRET_CLAIM = claim("Staff have 90 days.", ("acme:staff@1#c0", "return a bike within 90 days of delivery"))


@pytest.fixture
def store():
    return corpus()


@pytest.fixture
def logs(tmp_path):
    """A log that keeps texts, and one that keeps hashes."""
    with (
        RecordLog.open(tmp_path / "plain.db", plain=True) as plain,
        RecordLog.open(tmp_path / "k.db", key=KEY) as keyed,
    ):
        yield plain, keyed


def codes(answer):
    return {claim.position: [str(code) for code in claim.codes] for claim in answer.withheld}


def record_of(log, trace):
    return log.read(log.write(trace))


def test_nothing_changed_and_the_same_answer_comes_again(store, logs):
    trace = trace_of(store)
    again = replay(record_of(logs[0], trace), store, None)
    first = trace.answer.to_dict()
    assert not again.quotes_only
    told = again.answer.to_dict()
    assert told["record"] is not None
    for name in ("code", "text", "claims", "citations", "withheld"):
        assert told[name] == first[name]


def test_a_log_of_hashes_gives_the_sources_words_again_and_no_wording(store, logs):
    again = replay(record_of(logs[1], trace_of(store)), store, None, keeper=logs[1].keeper)
    assert again.quotes_only
    assert again.answer.text == again.answer.quotes_text
    assert [citation.quote for citation in again.answer.citations] == [
        quote for one in HONEST for quote in [one.citations[0].quote]
    ]


def test_a_replay_is_verified_by_gate_and_release_and_never_taken_from_the_record(store, logs):
    calls = []

    class Watched:
        def __getattr__(self, name):
            calls.append(name)
            return getattr(store, name)

    assert replay(record_of(logs[0], trace_of(store)), Watched(), None).answer.is_grounded
    assert "disclose" in calls


@pytest.mark.parametrize("keyed", [0, 1])
@pytest.mark.parametrize("status", ["withdrawn", "revoked"])
def test_a_revocation_stops_the_replay_of_its_citation_and_independent_claims_stay(store, logs, keyed, status):
    """(conditions 48 and 51)"""
    record = record_of(logs[keyed], trace_of(store))
    store.operator.set_status("battery", "1", status)
    answer = replay(record, store, None).answer
    assert [citation.key for citation in answer.citations] == ["returns@3#c0"]
    assert codes(answer) == {1: ["unavailable"]}
    assert "two years" not in json.dumps(answer.to_dict())


def test_a_removed_document_is_unavailable(store, logs):
    """(condition 48)"""
    record = record_of(logs[0], trace_of(store))
    store.operator.remove("battery", "1")
    assert codes(replay(record, store, None).answer) == {1: ["unavailable"]}


def test_changed_text_under_the_same_version_is_source_changed(logs):
    """(condition 46)"""
    store, changed = corpus(), CorpusStore.in_memory()
    record = record_of(logs[0], trace_of(store))
    changed.add(RETURNS.replace("25 euros", "26 euros"), document_id="returns", version="3", title="Returns policy")
    changed.add(BATTERY, document_id="battery", version="1", title="Batteries")
    assert codes(replay(record, changed, None).answer) == {0: ["source_changed"]}


def test_a_newer_version_makes_the_old_citation_superseded(store, logs):
    """(condition 47)"""
    record = record_of(logs[0], trace_of(store))
    store.add(RETURNS, document_id="returns", version="4", title="Returns policy")
    assert codes(replay(record, store, None).answer) == {0: ["superseded"]}


def test_forbidden_and_missing_replay_byte_for_byte_alike(logs):
    """(condition 44)"""
    store, without = corpus(), CorpusStore.in_memory()
    without.add(RETURNS, document_id="returns", version="3", title="Returns policy")
    without.add(BATTERY, document_id="battery", version="1", title="Batteries")
    for log in logs:
        record = record_of(log, trace_of(store, (*HONEST, SECRET_CLAIM), actor=STAFF))
        for actor in (None, Actor("acme"), Actor("other", {"support"}), Actor("acme", {"support"}, active=False)):
            forbidden, missing = (json.dumps(replay(record, one, actor).answer.to_dict()) for one in (store, without))
            assert forbidden == missing
            assert "90 days" not in forbidden
            assert "staff" not in forbidden, "nor is it named to who may not know of it"
        assert "90 days" in json.dumps(replay(record, store, STAFF).answer.to_dict())


def test_access_is_asked_again_for_who_replays(store, logs):
    """(condition 43)"""
    record = record_of(logs[0], trace_of(store, (*HONEST, SECRET_CLAIM), actor=STAFF))
    answer = replay(record, store, Actor("acme")).answer
    assert codes(answer) == {2: ["unavailable"]}
    assert not any(citation.key.startswith("acme:") for citation in answer.citations)


def test_another_reader_gets_no_wording_that_was_written_with_what_he_may_not_read(store, logs):
    """A claim cites an open document; its wording may still lean on one that was delivered beside it."""
    leaning = claim(
        "Bikes can be returned, staff even longer.", ("returns@3#c0", "return a bike within 30 days of delivery")
    )
    record = record_of(logs[0], trace_of(store, [leaning], actor=STAFF))
    assert replay(record, store, STAFF).answer.claims[0].text == leaning.text
    other = replay(record, store, None)
    assert other.quotes_only
    assert "staff" not in other.answer.text
    public = record_of(logs[0], trace_of(store))
    assert replay(public, store, STAFF).answer.claims[0].text == HONEST[0].text  # he may read all that was shown


LEANING = claim("Return it, unless a battery is in it.", ("returns@3#c0", "return a bike within 30 days of delivery"))


@pytest.mark.parametrize("who", [None, STAFF])
def test_who_has_the_rights_of_who_asked_gets_no_wording_either_once_a_source_of_it_is_gone(store, logs, who):
    """Rights are no person: nobody is told apart from the one who asked."""
    record = record_of(logs[0], trace_of(store, [LEANING], actor=who))
    assert replay(record, store, who).answer.claims[0].text == LEANING.text
    store.operator.set_status("battery", "1", "revoked")
    again = replay(record, store, who)
    assert again.quotes_only
    assert again.answer.is_grounded
    assert "battery" not in again.answer.text


def test_a_wording_that_may_lean_on_what_stood_around_is_shown_to_who_may_read_that_as_it_was(store, logs):
    trace = trace_of(store, [LEANING], keys=["returns@3#c0"], actor=STAFF)
    trace.context = (store.passage("acme:staff@1#c0", STAFF),)
    record = record_of(logs[0], trace)
    assert replay(record, store, STAFF).answer.claims[0].text == LEANING.text
    assert replay(record, store, None).quotes_only
    store.add("Staff may not.", document_id="staff", version="1", tenant="acme", groups=["support"], replace=True)
    assert replay(record, store, STAFF).quotes_only


def test_a_wording_that_may_lean_on_a_title_is_not_shown_under_another_one(logs):
    """A title is shown to the model too; who reads the document now reads another."""
    told = []
    for title in ("Smith was dismissed", "Smith was dismissed", "Batteries"):
        store = CorpusStore.in_memory()
        store.add(RETURNS, document_id="returns", version="3", title="Returns policy")
        store.add(BATTERY, document_id="battery", version="1", title=title)
        record = record_of(logs[0], trace_of(store, HONEST[:1])) if not told else record
        told.append(replay(record, store, None).quotes_only)
    assert told == [False, False, True]


def test_a_record_of_more_passages_than_can_be_asked_for_shows_no_wording(store, logs, monkeypatch):
    record = record_of(logs[0], trace_of(store, HONEST[:1]))
    assert not replay(record, store, None).quotes_only
    monkeypatch.setattr("verified_gate.audit.replay.MAX_KEYS", 3)
    assert replay(record, store, None).quotes_only


def test_what_was_withheld_then_is_still_said_to_be_missing(store, logs):
    claims = [
        claim("It is free.", ("battery@1#c1", "words that stand nowhere here")),
        *HONEST,
        claim("It is 9 kg.", ("returns@3#c1", "The buyer pays the return shipping")),
    ]
    record = record_of(logs[0], trace_of(store, claims))
    answer = replay(record, store, None).answer
    assert [claim.position for claim in answer.claims] == [1, 2]
    assert codes(answer) == {0: ["quote_mismatch"], 3: ["number_unsupported"]}


def test_an_abstention_replays_as_one(store, logs):
    record = record_of(logs[0], trace_of(store, []))
    answer = replay(record, store, None).answer
    assert (str(answer.code), answer.claims) == ("model_abstained", ())


WORLDS = {
    "revoked": lambda store, log: store.operator.set_status("returns", "3", "revoked"),
    "removed": lambda store, log: store.operator.remove("returns", "3"),
    "erased": lambda store, log: store.operator.erase("returns", "3", records=log),
    "erased in the log alone, and revoked": lambda store, log: (
        log.erase(["returns@3"]),
        store.operator.set_status("returns", "3", "revoked"),
    ),
    "of another group": lambda store, log: (
        store.operator.remove("returns", "3"),
        store.add(RETURNS, document_id="returns", version="3", title="Returns policy", tenant="acme", groups=["hr"]),
    ),
}
MADE = {
    "one of two sources": [*HONEST, claim("It is 9 kg.", ("returns@3#c1", "The buyer pays the return shipping"))],
    "all sources": [HONEST[0], claim("It is 9 kg.", ("returns@3#c1", "The buyer pays the return shipping"))],
    "two citations of a claim": [
        claim("It is so.", *((each.citations[0].key, each.citations[0].quote) for each in HONEST))
    ],
    "none that left": [claim("It is 9 kg.", ("returns@3#c1", "The buyer pays the return shipping"))],
    "found, and not cited": [HONEST[1]],
}


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("made", MADE)
def test_what_was_erased_replays_byte_for_byte_as_what_is_forbidden_or_missing(tmp_path, made, plain):
    """(conditions 44, 48)"""
    told = {}
    for world, change in WORLDS.items():
        store = corpus()
        with RecordLog.open(tmp_path / f"{world}.db", key=KEY, plain=plain) as log:
            identity = log.write(trace_of(store, MADE[made]))
            before = replay(log.read(identity), store, None, keeper=log.keeper).answer.to_dict()
            change(store, log)
            again = replay(log.read(identity), store, None, keeper=log.keeper)
            told[world] = [{**again.answer.to_dict(), "record": ""}, again.quotes_only]
            assert log.check().faults == ()
    assert len({json.dumps(each) for each in told.values()}) == 1, told
    after = told["erased"][0]
    assert [each["document_id"] for each in after["citations"]] == [
        each["document_id"] for each in before["citations"] if each["document_id"] != "returns"
    ]
    assert not any("returns" in json.dumps(each) for each in told.values())


def test_a_citation_of_an_erased_version_is_in_no_byte_and_those_of_others_are(tmp_path):
    store = corpus()
    path = tmp_path / "log.db"
    with RecordLog.open(path, plain=True) as log:
        identity = log.write(trace_of(store))
        assert [each.document_id for each in log.read(identity).cited] == ["returns", "battery"]
        assert b"within 30 days of delivery" in path.read_bytes() + path.with_name("log.db-wal").read_bytes()
        log.erase(["returns@3"])
        record = log.read(identity)
        assert [each and each.document_id for each in record.cited] == [None, "battery"]
        assert record.payload is None
        left = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert b"within 30 days of delivery" not in left
        assert b"two years from delivery" in left
        log.erase(["battery@1"])
        assert log.read(identity).cited == (None, None)
        assert b"two years" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert log.check().faults == ()


def test_a_citation_that_is_put_back_is_told_and_goes_with_the_next_erasure(tmp_path):
    store = corpus()
    path = tmp_path / "log.db"
    with RecordLog.open(path, plain=True) as log:
        identity = log.write(trace_of(store))
        with log._file.reading() as connection:
            row = connection.execute("SELECT * FROM part WHERE name = 'citation 0'").fetchone()
        log.erase(["returns@3"])
        assert log.check().faults == ()
        with log._file.writing() as connection:
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
        assert len(log.check().faults) == 1
        log.erase(["returns@3"])
        assert log.check().faults == ()
        assert log.read(identity).cited[0] is None


def test_a_record_written_after_an_erasure_keeps_the_citations_of_others_alone(tmp_path):
    store = corpus()
    with RecordLog.open(tmp_path / "log.db", plain=True) as log:
        log.erase(["returns@3"])
        record = log.read(log.write(trace_of(store)))
        assert record.payload is None
        assert [each and each.document_id for each in record.cited] == [None, "battery"]
        assert log.check().faults == ()


def test_the_same_words_at_another_place_are_another_citation(logs):
    text = "The fee is ten euros a day.\n\nAnd then again: the deposit is high. The fee is ten euros a day."
    store = CorpusStore.in_memory()
    store.add(text, document_id="fees", version="1")
    trace = trace_of(store, [claim("The fee is ten euros.", ("fees@1#c1", "The fee is ten euros a day."))])
    record = record_of(logs[1], trace)
    again = replay(record, store, None).answer
    assert [each.start for each in again.citations] == [each.start for each in trace.answer.citations]


def test_the_recorded_profile_is_the_one_that_counts(store, logs):
    quoted = claim("You have 30 days.", ("returns@3#c0", "return a bike  within 30 days of delivery"))
    record = record_of(logs[0], trace_of(store, [quoted], profile="typographic"))
    assert replay(record, store, None).answer.is_grounded


def test_quotes_that_run_over_passages_are_replayed_with_the_document(logs):
    store = corpus()
    running = claim("So.", ("returns@3#c0", "30 days of delivery.\n\nThe buyer pays the return shipping"))
    for log in logs:
        record = record_of(log, trace_of(store, [running], scope="document"))
        assert record.payload.claims
        answer = replay(record, store, None, keeper=log.keeper).answer
        assert [citation.quote for citation in answer.citations] == [running.citations[0].quote]


def test_limits_of_the_request_hold_at_replay(logs):
    from verified_gate.retrieval.protocol import Constraints

    store = corpus()
    store.add(SECRET, document_id="audit", version="1", purposes=["audit"])
    quoted = [claim("Staff have 90 days.", ("audit@1#c0", "return a bike within 90 days of delivery"))]
    trace = trace_of(store, quoted, keys=["returns@3#c0"])
    purpose = Constraints(purpose="audit")
    evidence = (store.passage("audit@1#c0", None, constraints=purpose),)
    from verified_gate.gate import Gate
    from verified_gate.model import Proposal
    from verified_gate.release import release

    decision = Gate(evidence).judge(Proposal("answered", tuple(quoted)))
    trace.delivered, trace.constraints = evidence, purpose
    trace.answer = release(decision, evidence=evidence, store=store, constraints=purpose)
    record = record_of(logs[0], trace)
    assert replay(record, store, None, constraints=purpose).answer.is_grounded
    for other in (Constraints(), Constraints(purpose="billing")):  # an answer for a purpose opens nothing without it
        answer = replay(record, store, None, constraints=other).answer
        assert (answer.is_grounded, codes(answer)) == (False, {0: ["unavailable"]})


def test_a_wording_that_may_lean_on_a_purpose_is_shown_for_that_purpose_alone(logs):
    from verified_gate.retrieval.protocol import Constraints

    store = corpus()
    store.add(SECRET, document_id="audit", version="1", purposes=["audit"])
    purpose = Constraints(purpose="audit")
    trace = trace_of(store)
    trace.delivered = (*trace.delivered, store.passage("audit@1#c0", None, constraints=purpose))
    record = record_of(logs[0], trace)
    assert not replay(record, store, None, constraints=purpose).quotes_only
    assert replay(record, store, None).quotes_only


def test_a_collection_that_is_private_is_replayed_where_it_is_named(logs):
    from verified_gate.retrieval.protocol import Constraints

    store = CorpusStore.in_memory()
    store.add(RETURNS, document_id="returns", version="3", collection="board")
    record = record_of(logs[0], trace_of(store, HONEST[:1]))
    store.operator.set_private("board")
    assert not replay(record, store, None).answer.is_grounded
    assert replay(record, store, None, constraints=Constraints(only=["board"])).answer.is_grounded


def test_with_the_key_the_quote_must_be_the_one_that_was_kept(store, logs):
    record = record_of(logs[1], trace_of(store))
    from verified_gate.audit.keeping import Keeper

    assert replay(record, store, None, keeper=logs[1].keeper).answer.is_grounded
    assert not replay(record, store, None, keeper=Keeper(b"another key of 16 bytes", plain=False)).answer.is_grounded


@pytest.mark.parametrize(
    "changed", [{"profile": "loose"}, {"scope": "world"}, {"wording": "any"}, {"occurrences": "all"}]
)
def test_a_policy_that_does_not_exist_is_told(store, logs, changed):
    trace = trace_of(store)
    trace.policy = {**trace.policy, **changed}
    record = record_of(logs[0], trace)
    with pytest.raises(RecordError):
        replay(record, store, None)


@pytest.mark.parametrize("fold", FOLDS.values(), ids=list(FOLDS))
@pytest.mark.parametrize("keyed", [0, 1])
def test_what_was_released_under_a_fold_is_released_again(logs, fold, keyed):
    """The words of a replay are the source's own: what folds let pass then must not stop them now."""
    source, quote = fold.honest
    marks = [(source.index("Page 7\n"), source.index("Page 7\n") + 7)] if fold.name == "furniture" else []
    passage = Passage(
        "a@1#c0",
        source,
        "a",
        "A",
        "1",
        0,
        sha256_of_text(source),
        sha256_of_text(source),
        lang="en",
        furniture=tuple(marks),
    )

    class One:
        def passage(self, key, actor=None, *, constraints=None):
            return passage if key == passage.key else None

        def texts(self, keys, actor=None, *, constraints=None):
            return []

        def disclose(self, pins, actor, *, constraints=None):
            return [None for _ in pins]

    decision = Gate([passage], profile=fold.profile).judge(
        {"claims": [{"text": "So.", "citations": [{"key": passage.key, "quote": quote}]}]}
    )
    answer = release(decision, evidence=[passage], store=One())
    assert answer.is_grounded
    trace = Trace("Why?", policy={"profile": fold.profile}, delivered=(passage,), answer=answer)
    again = replay(record_of(logs[keyed], trace), One(), None, keeper=logs[keyed].keeper).answer
    assert again.is_grounded, codes(again)
    assert [(each.start, each.end, each.quote) for each in again.citations] == [
        (each.start, each.end, each.quote) for each in answer.citations
    ]
