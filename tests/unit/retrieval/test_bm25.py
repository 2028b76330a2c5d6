"""The scorer against a plain one, over arrays."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verified_gate.retrieval import bm25


@dataclass
class Term:
    ids: list
    counts: list
    times: int = 1

    @property
    def frequency(self):
        return len(self.ids)

    def all(self):
        return np.array(self.ids, dtype=np.int64), np.array(self.counts, dtype=np.int64)

    def at(self, wanted):
        often = dict(zip(self.ids, self.counts, strict=True))
        return np.array([often.get(slot, 0) for slot in wanted.tolist()], dtype=np.int64)


def plain(terms, lengths, limit, allowed, match_all):
    average = sum(lengths) / len(lengths) if sum(lengths) else 1.0
    found = []
    for slot, length in enumerate(lengths):
        score, matched = 0.0, 0
        for term in terms:
            often = dict(zip(term.ids, term.counts, strict=True)).get(slot, 0)
            if often:
                weight = term.times * bm25.idf(term.frequency, len(lengths))
                score += weight * (often * (1.2 + 1.0)) / (often + 1.2 * ((1.0 - 0.75) + 0.75 * length / average))
                matched += 1
        if matched and allowed[slot] and (matched == len(terms) or not match_all):
            found.append((-score, slot))
    found.sort()
    border = found[min(limit, len(found)) - 1][0] if found else 0.0
    return [(slot, -negative) for negative, slot in found if negative <= border]


@st.composite
def corpora(draw):
    lengths = draw(st.lists(st.integers(1, 40), min_size=1, max_size=60))
    slots = st.sets(st.integers(0, len(lengths) - 1))
    terms = []
    for ids in draw(st.lists(slots, min_size=1, max_size=6)):
        counts = draw(st.lists(st.integers(1, 9), min_size=len(ids), max_size=len(ids)))
        terms.append(Term(sorted(ids), counts, draw(st.integers(1, 3))))
    allowed = draw(st.lists(st.booleans(), min_size=len(lengths), max_size=len(lengths)))
    return terms, lengths, allowed


@given(corpora(), st.integers(1, 12), st.booleans())
def test_rank_equals_the_plain_ranking_bit_for_bit(corpus, limit, match_all):
    terms, lengths, allowed = corpus
    slots, scores = bm25.rank(
        terms,
        np.array(lengths, dtype=np.uint32),
        len(lengths),
        sum(lengths),
        limit,
        allowed=np.array(allowed),
        match_all=match_all,
    )
    assert list(zip(slots.tolist(), scores.tolist(), strict=True)) == plain(terms, lengths, limit, allowed, match_all)


def test_idf_is_positive_for_every_count():
    assert all(bm25.idf(frequency, 10) > 0 for frequency in range(11))
    assert bm25.idf(0, 0) > 0


def test_no_score_reaches_the_ceiling():
    scores = bm25.term_scores(2.0, np.array([1, 1000]), np.array([1, 1]), 50.0)
    assert scores.max() < bm25.ceiling([2.0])


def test_what_is_under_the_minimum_is_left_out():
    """(condition 25)"""
    term = Term([0, 1], [1, 5])
    lengths = np.array([10, 10], dtype=np.uint32)
    _, scores = bm25.rank([term], lengths, 2, 20, 10)
    assert len(scores) == 2
    slots, _ = bm25.rank([term], lengths, 2, 20, 10, minimum=float(scores[0]))
    assert slots.tolist() == [1]


def test_nothing_asked_and_nothing_there_is_nothing_found():
    empty = np.zeros(0, dtype=np.uint32)
    assert [len(part) for part in bm25.rank([], empty, 0, 0, 5)] == [0, 0]
    assert [len(part) for part in bm25.rank([Term([], [])], empty, 0, 0, 5)] == [0, 0]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_all_that_tie_with_the_last_are_given(limit):
    slots, _ = bm25.best(np.array([3, 5, 9]), np.array([1.0, 1.0, 1.0]), limit)
    assert slots.tolist() == [3, 5, 9]


@given(corpora())
def test_all_postings_at_once_give_the_bits_of_term_by_term(corpus):
    terms, lengths, _ = corpus
    average = bm25.average_of(len(lengths), sum(lengths))
    postings = [(slot, count, term) for term in terms for slot, count in zip(term.ids, term.counts, strict=True)]
    if not postings:
        return
    slots, counts, held = zip(*postings, strict=True)
    slots = np.array(slots)
    weights = np.array([term.times * bm25.idf(term.frequency, len(lengths)) for term in held])
    scores = bm25.whole_scores(weights, np.array(counts), np.array(lengths)[slots], average, slots, len(lengths))
    found = bm25.rank(terms, np.array(lengths), len(lengths), sum(lengths), len(lengths))
    assert dict(zip(found[0].tolist(), found[1].tolist(), strict=True)) == {
        slot: score for slot, score in enumerate(scores.tolist()) if score
    }
