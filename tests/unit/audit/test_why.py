"""Where evidence was lost: each stage once, for all of an answer and for one document."""

import json

import pytest

from tests.records import HONEST, KEY, claim, corpus, trace_of
from verified_gate.audit.records import RecordLog
from verified_gate.audit.trace import Attempt, FoundKey, Trace
from verified_gate.audit.why import LOOK_AT, why, why_for_reader
from verified_gate.model import Actor, ReasonCode
from verified_gate.model.errors import RecordError
from verified_gate.release import Answer, release
from verified_gate.retrieval.protocol import Constraints

STAFF = Actor("acme", {"support"})
CITED = "returns@3#c0"
QUOTE = "return a bike within 30 days of delivery"


@pytest.fixture
def store():
    return corpus()


@pytest.fixture
def log(tmp_path):
    with RecordLog.open(tmp_path / "records.db", plain=True) as log:
        yield log


def record_of(log, trace):
    return log.read(log.write(trace))


def abstained(code, **stages):
    """A run that ended before the gate."""
    answer = Answer(ReasonCode(code), detail=stages.pop("detail", ""))
    return Trace("How long?", answer=answer, **{"eligible": 4, "channels": {"lexical": "ok"}, **stages})


def of_answer(store, stage):
    """A trace that lost its evidence at `stage`."""
    found = (FoundKey(CITED, 1),)
    delivered = (store.passage(CITED),)
    match stage:
        case "released":
            return trace_of(store)
        case "not_permitted":
            return abstained("no_evidence", eligible=0)
        case "not_found":
            return abstained("no_evidence")
        case "not_delivered":
            return abstained("context_too_long", found=found, left_out=(CITED,))
        case "not_cited":
            return trace_of(store, [])
        case "quote_refused":
            return trace_of(store, [claim("So.", (CITED, "return a bike within 60 days of delivery"))])
        case "wording_refused":
            return trace_of(store, [claim("You have 90 days.", (CITED, QUOTE))])
        case "disclosure_denied":
            trace = trace_of(store, HONEST[:1])
            store.operator.set_status("returns", "3", "revoked")
            decision = trace.exchanges[0].decision
            trace.answer = release(decision, evidence=delivered, store=store)
            return trace
    raise AssertionError(stage)


STAGES = [
    "released",
    "not_permitted",
    "not_found",
    "not_delivered",
    "not_cited",
    "quote_refused",
    "wording_refused",
    "disclosure_denied",
]


@pytest.mark.parametrize("stage", STAGES)
def test_the_earliest_stage_at_which_evidence_was_lost(store, log, stage):
    """(condition 67)"""
    told = why(record_of(log, of_answer(store, stage)))
    assert told.stage == stage
    assert told.look_at == LOOK_AT[stage]
    assert told.counts is not None
    json.dumps(told.to_dict())


def test_codes_and_their_remedies_are_told(store, log):
    assert why(record_of(log, of_answer(store, "quote_refused"))).codes == ("quote_mismatch",)
    assert why(record_of(log, of_answer(store, "wording_refused"))).codes == ("number_unsupported",)
    told = why(record_of(log, of_answer(store, "disclosure_denied"))).to_dict()
    assert told["codes"] == ["unavailable"]
    assert set(told["remedies"]) == {"unavailable"}


def test_a_failed_search_is_not_told_as_nothing_there(log):
    """(condition 66)"""
    trace = abstained("retrieval_unavailable", eligible=None, channels={"lexical": "unavailable"})
    told = why(record_of(log, trace))
    assert (told.stage, told.codes) == ("not_found", ("retrieval_unavailable",))
    partial = why(record_of(log, abstained("no_evidence", channels={"lexical": "ok", "vector": "unavailable"})))
    assert "failed" in partial.says


def test_a_model_that_failed_is_told_by_its_code(store, log):
    trace = abstained("provider_unavailable", found=(FoundKey(CITED, 1),), delivered=(store.passage(CITED),))
    trace.exchanges.append(Attempt(3, None, None, "provider_unavailable"))
    told = why(record_of(log, trace))
    assert (told.stage, told.codes) == ("not_cited", ("provider_unavailable",))


def test_an_answer_with_a_withheld_claim_tells_where_that_was_lost(store, log):
    mixed = [*HONEST, claim("It is free.", (CITED, "words that stand nowhere here"))]
    assert why(record_of(log, trace_of(store, mixed))).stage == "quote_refused"
    assert why(record_of(log, trace_of(store, [*HONEST, claim("It is free.")]))).stage == "not_cited"


# ----------------------------------------------------------------------------------------------------- one document


@pytest.mark.parametrize(
    "stage", ["released", "not_delivered", "not_cited", "quote_refused", "wording_refused", "disclosure_denied"]
)
@pytest.mark.parametrize("expect", [CITED, "returns@3", "returns"])
def test_what_was_expected_is_followed_to_where_it_was_lost(store, log, stage, expect):
    assert why(record_of(log, of_answer(store, stage)), expect=expect).stage == stage


def test_what_was_expected_and_never_found_is_looked_for_in_the_corpus(store, log):
    store.add("Zebras are not lent.", document_id="zebra", version="1", title="Zebras")
    store.add("Drafted returns of a bike.", document_id="draft", version="1", status="draft")
    store.add("Returns of a bike, for audit.", document_id="audit", version="1", purposes=["audit"])
    keys = ["battery@1#c0"]
    trace = trace_of(store, [], keys=keys, question="Who may return a bike?")
    record = record_of(log, trace)

    def stage(expect, store=store):
        return why(record, store=store, expect=expect).stage

    assert stage("nothing") == "not_ingested"
    assert stage("staff") == "not_ingested"  # a tenant's document is named with its tenant
    assert stage("acme:staff") == "not_permitted"
    assert stage("draft") == "not_permitted"
    assert stage("audit") == "not_permitted"
    assert stage("zebra") == "not_found"
    assert stage("returns") == "ranked_out"
    assert stage("returns@3#c1") == "ranked_out"
    assert stage("returns@3#c9") == "not_ingested"
    assert stage("returns", store=None) == "not_found"


def test_the_actor_and_the_limits_of_the_record_are_those_that_are_asked_for(store, log):
    trace = trace_of(store, [], keys=["battery@1#c0"], question="Who may return a bike?", actor=STAFF)
    assert why(record_of(log, trace), store=store, expect="acme:staff").stage == "ranked_out"
    trace.constraints = Constraints(only=frozenset({"other"}))
    assert why(record_of(log, trace), store=store, expect="acme:staff").stage == "not_permitted"


def test_without_the_question_a_rank_cannot_be_told(store, tmp_path):
    with RecordLog.open(tmp_path / "keyed.db", key=KEY) as log:
        record = record_of(log, trace_of(store, [], keys=["battery@1#c0"], question="Who may return a bike?"))
    told = why(record, store=store, expect="returns")
    assert (told.stage, "without the question" in told.says) == ("not_found", True)


def test_a_passage_that_was_found_behind_the_limit_is_ranked_out(store, log):
    trace = trace_of(store, [], keys=["battery@1#c0"])
    trace.found = (*trace.found, FoundKey(CITED, 2))
    assert why(record_of(log, trace), expect="returns").stage == "ranked_out"


def test_words_that_were_cited_under_another_key_point_to_where_they_stand(store, log):
    wrong = claim("So.", ("battery@1#c0", QUOTE))
    told = why(record_of(log, trace_of(store, [wrong])), expect=CITED)
    assert (told.stage, told.codes) == ("not_cited", ("quote_in_other_passage", "nothing_verified"))


def test_an_erased_record_tells_that_it_was_erased_and_its_counts(store, log):
    identity = log.write(trace_of(store))
    log.erase(["returns@3"])
    told = why(log.read(identity), store=store, expect="returns")
    assert (told.stage, told.counts.released_claims) == ("erased", 2)


def test_of_two_exchanges_the_better_one_counts(store, log):
    good, bad = trace_of(store), of_answer(store, "quote_refused")
    good.exchanges = [*bad.exchanges, *good.exchanges]
    assert why(record_of(log, good)).stage == "released"
    assert record_of(log, good).summary.counts.verified_claims == 2


# ------------------------------------------------------------------------------------------------------------ a reader


def reader(record, store, actor, expect=None):
    return why_for_reader(record, store, actor, expect=expect)


def test_a_reader_is_told_of_his_own_record(store, log):
    record = record_of(log, of_answer(store, "quote_refused"))
    told = reader(record, store, None)
    assert (told.stage, told.counts) == ("quote_refused", None)
    assert reader(record, store, None, "returns").stage == "quote_refused"
    assert reader(record, store, None, "battery@1").stage == "not_cited"


def test_to_a_reader_a_forbidden_document_and_a_missing_one_are_the_same(store, log):
    """(condition 44)"""
    record = record_of(log, trace_of(store, [], keys=["battery@1#c0"]))
    store.add("Drafted.", document_id="draft", version="1", status="draft")
    told = {json.dumps(reader(record, store, None, name).to_dict()) for name in
            ("nothing", "acme:staff", "acme:staff@1", "acme:staff@1#c0", "draft", "returns@3#c99", "returns@9")}  # fmt: skip
    assert len(told) == 1
    assert "unavailable" in told.pop()


def test_to_a_reader_what_he_was_shown_and_may_not_read_now_is_as_if_it_never_was(store, log):
    """(conditions 43 and 48)"""
    record = record_of(log, trace_of(store))
    assert reader(record, store, None, "returns").stage == "released"
    store.operator.set_status("returns", "3", "revoked")
    assert reader(record, store, None, "returns").to_dict() == reader(record, store, None, "nothing").to_dict()


def test_a_record_of_somebody_else_is_to_a_reader_no_record(store, log):
    record = record_of(log, trace_of(store, actor=STAFF))
    with pytest.raises(RecordError) as missing:
        log.read("0" * 32)
    for actor in (None, Actor("acme"), Actor("other", {"support"})):
        with pytest.raises(RecordError) as other:
            reader(record, store, actor)
        assert str(other.value) == str(missing.value)
    assert reader(record, store, STAFF).stage == "released"


def test_a_reply_that_could_not_be_read_is_told_by_its_code(store, log):
    trace = trace_of(store, [])
    trace.answer = Answer(ReasonCode.INVALID_JSON)
    trace.exchanges = [Attempt(1, "{not JSON", None, "invalid_json")]
    told = why(record_of(log, trace))
    assert (told.stage, told.codes) == ("not_cited", ("invalid_json",))


def test_a_stream_that_broke_off_says_after_what(store, log):
    from dataclasses import replace

    trace = trace_of(store, HONEST)
    trace.answer = replace(trace.answer, interrupted=ReasonCode.TRUNCATED)
    trace.complete = False
    told = why(record_of(log, trace))
    assert (told.stage, told.codes) == ("not_cited", ("truncated",))


def test_a_channel_that_failed_is_named_before_a_rank_is_guessed(store, log):
    trace = trace_of(store, [], keys=["battery@1#c0"], question="Who may return a bike?")
    trace.channels = {"lexical": "ok", "vector": "unavailable"}
    told = why(record_of(log, trace), store=store, expect="returns")
    assert (told.stage, "vector" in told.says) == ("not_found", True)


def test_a_question_that_no_search_takes_ranks_nothing(store, log):
    trace = trace_of(store, [], keys=["battery@1#c0"], question="bike " * 2_000)
    assert why(record_of(log, trace), store=store, expect="returns").stage == "not_found"


def test_a_document_without_text_is_not_taken_for_a_forbidden_one(store, log):
    from tests.unit.corpus.documents import document

    store.add_documents([document("empty")])
    trace = trace_of(store, [], keys=["battery@1#c0"])
    told = why(record_of(log, trace), store=store, expect="empty")
    assert (told.stage, "no text" in told.says) == ("not_found", True)


def test_malformed_parts_of_a_reply_keep_their_place(store, log):
    from verified_gate.model import parse_proposal

    reply = {"claims": [{"text": 3}, {"text": "So.", "citations": [{"key": 7}, {"key": CITED, "quote": QUOTE}]}]}
    trace = trace_of(store, parse_proposal(reply).claims)
    record = record_of(log, trace)
    first, second = record.payload.exchanges[0].claims
    assert (first.malformed, second.citations[0].malformed) == ("claims[0].text", "claims[1].citations[0].key")
    assert why(record, expect=CITED).stage == "released"


BONUS = "The bonus of the chief is 900 euros a month."


def test_a_version_that_he_may_not_read_now_is_not_told_of_under_the_name_of_its_document(store, log):
    """Another version of it may be read; so that one is told of, as if it alone were there."""
    chief = Actor("acme", {"hr"})
    store.add(BONUS, document_id="bonus", version="1", tenant="acme", groups=["hr"])
    stated = claim("It is 900 euros.", ("acme:bonus@1#c0", "bonus of the chief is 900 euros"))
    record = record_of(log, trace_of(store, [stated], keys=["acme:bonus@1#c0"], actor=chief))
    other = record_of(log, trace_of(store, keys=["returns@3#c0", "battery@1#c0"], actor=chief))
    assert reader(record, store, chief, "acme:bonus").stage == "released"
    store.operator.set_status("bonus", "1", "revoked", tenant="acme")
    store.add("Rules.", document_id="bonus", version="2", tenant="acme", groups=["hr"])
    for name in ("acme:bonus", "acme:bonus@2", "acme:bonus@2#c0"):
        assert reader(other, store, chief, name).stage == "not_found"
        assert reader(record, store, chief, name).stage == "unavailable"
    for name in ("acme:bonus@1", "acme:bonus@1#c0", "acme:nothing"):
        assert reader(record, store, chief, name).stage == "unavailable"


def test_a_reader_is_told_of_a_document_with_a_purpose_for_that_purpose_alone(store, log):
    purpose = Constraints(purpose="audit")
    store.add(BONUS, document_id="bonus", version="1", purposes=["audit"])
    trace = trace_of(store, keys=["returns@3#c0", "battery@1#c0"])
    trace.constraints = purpose
    record = record_of(log, trace)
    assert reader(record, store, None, "bonus") == reader(record, store, None, "nothing")
    assert why_for_reader(record, store, None, expect="bonus", constraints=purpose).stage == "not_found"


def kept_out(store):
    """Documents that are each kept out of a search by another limit; what each is told by."""
    store.add("Bike prices rise.", document_id="price", version="1", purposes=["pricing"])
    store.add("Bike pay is good.", document_id="pay", version="1", collection="hr")
    store.operator.set_private("hr")
    store.add("Bike terms of old.", document_id="terms", version="1")
    store.add("Bike terms of now.", document_id="terms", version="2")
    store.add("Bike rules to come.", document_id="soon", version="1", effective_from="2099-01-01")
    store.add("Bike rules of before.", document_id="past", version="1", effective_to="2001-01-01")
    store.add("Bike law.", document_id="law", version="1", tenant="globex")
    store.add("Bike draft.", document_id="plan", version="1", status="draft")
    store.add("Bike lamp.", document_id="lamp", version="1", local_only=True)


@pytest.mark.parametrize(
    ("expect", "limits", "word"),
    [
        ("price", Constraints(purpose="pricing"), "purposes"),
        ("pay", Constraints(only={"hr"}), "collection"),
        ("terms@1", Constraints(as_of=None), "in force"),
        ("soon", Constraints(), "in force"),
        ("past", Constraints(), "in force"),
        ("globex:law", Constraints(), "may not read"),
        ("plan", Constraints(), "draft"),
        ("lamp", Constraints(), "local"),
    ],
)
def test_what_a_limit_kept_out_is_told_by_that_limit(store, log, expect, limits, word):
    kept_out(store)
    trace = trace_of(store, keys=["returns@3#c0"], question="bike")
    trace.constraints = Constraints(remote=expect == "lamp")
    told = why(record_of(log, trace), store=store, expect=expect)
    assert (told.stage, word in told.says) == ("not_permitted", True), told.says
    if limits != Constraints():  # the twin: a request within that limit
        trace.constraints = limits
        assert why(record_of(log, trace), store=store, expect=expect).stage == "ranked_out"


@pytest.mark.parametrize("expect", ["terms@2", "terms", "lamp"])
def test_what_no_limit_kept_out_is_told_by_its_rank(store, log, expect):
    kept_out(store)
    record = record_of(log, trace_of(store, keys=["returns@3#c0"], question="bike"))
    assert why(record, store=store, expect=expect).stage == "ranked_out"


@pytest.mark.parametrize(
    ("expect", "stage"),
    [("terms@1", "not_permitted"), ("soon", "not_permitted"), ("past", "not_permitted"), ("terms@2", "not_found")],
)
def test_a_reader_is_told_that_what_he_may_read_was_not_in_force(store, log, expect, stage):
    kept_out(store)
    record = record_of(log, trace_of(store, keys=["returns@3#c0"], question="bike"))
    assert reader(record, store, None, expect).stage == stage


def test_a_reader_is_told_of_a_private_collection_that_he_names(store, log):
    store.add("Bike pay is good.", document_id="pay", version="1", collection="hr")
    stated = claim("Pay is good.", ("pay@1#c0", "Bike pay is good"))
    record = record_of(log, trace_of(store, [stated], keys=["pay@1#c0"]))
    store.operator.set_private("hr")
    assert why_for_reader(record, store, None, expect="pay").stage == "unavailable"
    within = Constraints(only={"hr"})
    assert why_for_reader(record, store, None, expect="pay", constraints=within).stage == "released"
