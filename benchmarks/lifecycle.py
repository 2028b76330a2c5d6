"""What does it cost to decide, at release, whether ten citations may leave? And does a list tell what one may not read?

    python -m benchmarks.lifecycle [--documents 2000] [--rounds 400]

A store in a file; ten passages of ten documents. Printed, as medians: the store's decision (`disclose`) without and
with limits of the request; the bare SELECTs of the same rows on a connection of one's own, which is what any check in
the store must at least do; release of a whole decision, and its share of an answer from the template; and the time of
`documents()` for an actor, where none and where nine tenths of the versions of his tenant are forbidden to him; and how
well the time of one lookup tells a forbidden key from a missing one (AUC: 0.5 is guessing). Exits
with 1 where release with its ten citations costs more than a millisecond over a release that asks no store.
"""

import argparse
import pathlib
import random
import sqlite3
import sys
import tempfile
import time
from statistics import median

from benchmarks.timing import auc
from verified_gate import Actor, AnswerEngine, CorpusStore, Gate
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.protocol import Pin
from verified_gate.model import Access, Proposal, ProposedCitation, ProposedClaim
from verified_gate.release import release
from verified_gate.retrieval.protocol import Constraints

CITATIONS = 10
MOST_MILLISECONDS = 1.0
ACTOR = Actor("acme", {"support"})


def built(path, documents):
    """A store of small documents of one audience."""
    store = CorpusStore.open(path)
    made = []
    for number in range(documents):
        texts = [
            f"Part {part} of document {number} says that item {number} {part} is kept for 30 days." for part in range(6)
        ]
        spans, start = [], 0
        for text in texts:
            spans.append(Span(start, start + len(text)))
            start += len(text) + 2
        made.append(
            Document(
                f"d{number}", "1", "\n\n".join(texts), spans, title=f"D {number}", access=Access("acme", {"support"})
            )
        )
    store.add_documents(made)
    return store


def timed(rounds, *calls):
    """The median time of each call in milliseconds, taken in turns, so that a busy machine slows all alike."""
    times = [[] for _ in calls]
    for _ in range(rounds):
        for taken, call in zip(times, calls, strict=True):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return [1000 * median(taken) for taken in times]


def bare(path, keys):
    """The same rows by plain SELECTs in one transaction, hashed by nobody."""
    connection = sqlite3.connect(path, isolation_level=None)
    names = [key.partition(":")[2].partition("@")[0] for key in keys]

    def read():
        connection.execute("BEGIN")
        for name in names:
            (identity,) = connection.execute(
                "SELECT document.id FROM document JOIN audience ON audience.id = audience"
                " WHERE document.tenant = 'acme' AND name = ? AND version = '1'",
                (name,),
            ).fetchone()
            connection.execute(
                "SELECT start, length, sha256 FROM passage WHERE document = ? AND position = 0", (identity,)
            ).fetchone()
            connection.execute(
                "SELECT text FROM block WHERE id BETWEEN ? AND ?", (identity << 20, identity << 20)
            ).fetchall()
        connection.execute("ROLLBACK")

    return read


def listing_times(folder, rounds):
    """`documents()` over a tenth of a tenant's versions, alone, and with the nine others that are forbidden."""
    calls = []
    for name, groups in (("alone", ["support"]), ("among", ["support", *["board"] * 9])):
        store = CorpusStore.open(folder / f"{name}.db")
        made = []
        for number in range(100):
            for index, group in enumerate(groups):
                text = "A bike has a bell."
                made.append(
                    Document(f"d{number}-{index}", "1", text, [Span(0, len(text))], access=Access("acme", {group}))
                )
        store.add_documents(made)
        assert len(store.documents(ACTOR)) == 100
        calls.append(lambda store=store: store.documents(ACTOR))
    return timed(rounds, *calls)


def guessed(folder, keys=2_000):
    """How well the time of `passage(key)` tells a key that is forbidden from one that is missing."""
    chooser = random.Random(2)
    with CorpusStore.open(folder / "keys.db") as store:
        text = "A bike has a bell."
        made = [
            Document(
                f"d{number}", "1", text, [Span(0, len(text))], access=Access("acme", {["support", "board"][number % 2]})
            )
            for number in range(2 * keys)
        ]
        store.add_documents(made)
        asked = [(f"acme:d{number}@1#c0", 1) for number in range(1, 2 * keys, 2)]
        asked += [(f"acme:d{number}x@1#c0", 0) for number in range(1, 2 * keys, 2)]
        chooser.shuffle(asked)
        times = {0: [], 1: []}
        for key, forbidden in asked:
            start = time.perf_counter()
            assert store.passage(key, ACTOR) is None
            times[forbidden].append(time.perf_counter() - start)
    return auc(times[1], times[0]), 1000 * median(times[1]), 1000 * median(times[0])


def main(_=None, documents=2_000, rounds=400, keys=2_000):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "kb.db"
        with built(path, documents) as store:
            cited = [f"acme:d{number * (documents // CITATIONS)}@1#c0" for number in range(CITATIONS)]
            evidence = [store.passage(key, ACTOR) for key in cited]
            pins = [
                Pin(each.document_id, each.version, each.key, each.sha256, each.text_sha256, each.start)
                for each in evidence
            ]
            claims = tuple(
                ProposedClaim("It is kept.", (ProposedCitation(each.key, each.text[:60].rpartition(" ")[0]),))
                for each in evidence
            )
            decision = Gate(evidence).judge(Proposal(claims=claims))
            assert len(decision.claims) == CITATIONS
            engine = AnswerEngine(store, limit=CITATIONS)
            question = "How many days is item 7 3 kept?"
            assert engine.answer(question, actor=ACTOR).is_grounded
            assert store.disclose(pins, ACTOR) == [None] * CITATIONS
            limits = Constraints(purpose="support", remote=True, only={"default"})
            decided, limited, selects, asked, unasked, answered = timed(
                rounds,
                lambda: store.disclose(pins, ACTOR),
                lambda: store.disclose(pins, ACTOR, constraints=limits),
                bare(path, cited),
                lambda: release(decision, evidence=evidence, store=store, actor=ACTOR),
                lambda: release(decision, evidence=evidence),
                lambda: engine.answer(question, actor=ACTOR),
            )
        alone, among = listing_times(folder, rounds)
        share, forbidden, missing = guessed(folder, keys)
    added = asked - unasked
    print(f"{CITATIONS} citations of {CITATIONS} documents, {documents:,} in the store, medians of {rounds} rounds")
    print(f"decide in the store                {decided:7.3f} ms, with limits {limited:.3f} ms")
    print(f"bare SELECTs of the same rows      {selects:7.3f} ms ({decided / selects:.1f} times)")
    print(f"release, asking the store          {asked:7.3f} ms, without a store {unasked:.3f} ms: adds {added:.3f} ms")
    print(f"an answer from the template        {answered:7.3f} ms: deciding adds {100 * added / answered:.0f} %")
    print(f"documents() of 100 versions        {alone:7.3f} ms, among 900 forbidden ones {among:.3f} ms")
    print(f"a key that is forbidden or missing {forbidden:7.4f} ms and {missing:.4f} ms: AUC {share:.2f}")
    if added > MOST_MILLISECONDS:
        sys.exit(f"missed: more than {MOST_MILLISECONDS:g} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=400)
    main(**vars(parser.parse_args()))
