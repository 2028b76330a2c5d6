"""Sums over many records."""

import json

import pytest

from tests.records import HONEST, KEY, claim, corpus, trace_of
from verified_gate.audit.records import RecordLog
from verified_gate.audit.report import report

SPACED = claim("You have 30 days.", ("returns@3#c0", "return a  bike within 30 days of delivery"))
DOTTED = claim("You have 30 days.", ("returns@3#c0", "return a bike within 30 days of delivery;"))
ALTERED = claim("You have 60 days.", ("returns@3#c0", "return a bike within 60 days of delivery"))


@pytest.fixture
def store():
    return corpus()


def filled(log, store):
    for claims in (HONEST, [SPACED], [DOTTED, SPACED], [ALTERED], []):
        log.write(trace_of(store, claims))
    return log


def test_codes_stages_and_what_wider_profiles_would_have_accepted(store, tmp_path):
    with RecordLog.open(tmp_path / "plain.db", plain=True) as log:
        found = report(filled(log, store))
    assert found.records == 5
    assert found.answers == {"nothing_verified": 3, "model_abstained": 1, "ok": 1}
    assert found.lost == {"quote_refused": 3, "not_cited": 1, "released": 1}
    assert sum(found.refused.values()) == 4
    assert (found.judged, found.not_judged) == (4, 0)
    assert found.accepted == {"typographic": 2, "extracted": 2, "editorial": 3}
    json.dumps(found.to_dict())


def test_a_log_of_hashes_says_that_it_cannot_judge_again(store, tmp_path):
    with RecordLog.open(tmp_path / "keyed.db", key=KEY) as log:
        found = report(filled(log, store), store=store)
    assert (found.judged, found.not_judged) == (0, 4)
    assert set(found.accepted.values()) == {0}


def test_passages_come_from_the_corpus_while_they_are_what_was_delivered(store, tmp_path):
    with RecordLog.open(tmp_path / "plain.db", plain=True) as log:
        filled(log, store)
        assert report(log, store=store).accepted == report(log).accepted
        store.operator.remove("returns", "3")
        assert report(log, store=store).accepted == report(log).accepted


def test_erased_records_count_with_their_codes(store, tmp_path):
    with RecordLog.open(tmp_path / "plain.db", plain=True) as log:
        filled(log, store)
        log.erase(["returns@3"])
        found = report(log)
    assert (found.records, found.erased, found.not_judged) == (5, 5, 4)
    assert found.answers["nothing_verified"] == 3
    assert found.lost == {"erased": 5}


def test_parts_of_a_stream_are_one_answer(store, tmp_path):
    with RecordLog.open(tmp_path / "plain.db", plain=True) as log:
        trace = trace_of(store)
        trace.complete = False
        parts = [log.write(trace)]
        trace.earlier = tuple(parts)
        parts.append(log.write(trace))
        trace.complete, trace.earlier = True, tuple(parts)
        log.write(trace)
        found = report(log)
    assert (found.records, found.parts) == (1, 2)


def test_an_empty_log_is_a_report_of_nothing(tmp_path):
    with RecordLog.open(tmp_path / "plain.db", plain=True) as log:
        assert report(log).records == 0
