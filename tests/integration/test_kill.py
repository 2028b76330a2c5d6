"""Kill -9 at random points of adding, superseding, removing and merging: the file opens, and is whole.

A few rounds run with the suite; `VERIFIED_GATE_KILL_ROUNDS=200` runs as many as asked for.
"""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.bm25 import Plain, rank
from tests.unit.corpus.documents import document
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Actor

ROUNDS = int(os.environ.get("VERIFIED_GATE_KILL_ROUNDS", "6"))
STEPS = 400
WORDS = ["bike", "return", "the", "bell", "30", "Rückgabe", "自転車"]
ACTORS = [None, Actor("acme"), Actor("acme", {"support"})]
LABELS = [(None, ()), ("acme", ()), ("acme", ("support",))]


def made(name, version):
    """Document `name` in `version`: always the same."""
    chooser = random.Random(f"{name} {version}")
    tenant, groups = LABELS[name % len(LABELS)]
    texts = [" ".join(chooser.choices(WORDS, k=chooser.randint(1, 9))) for _ in range(chooser.randint(1, 5))]
    return document(f"d{name}", *texts, version=str(version), tenant=tenant, groups=groups)


def step(number):
    """What the writer does at step `number`."""
    if number % 5 == 4:
        return "add", made(number - 2, 2)
    if number % 7 == 6:
        return "remove", made(number - 3, 1)
    if number % 9 == 8:
        return "optimize", None
    return "add", made(number, 1)


def write(path):
    """The child: one step after another, each told when it is committed."""
    import verified_gate.corpus.merging as merging

    merging.FAN, merging.SMALLEST = 3, 8
    with CorpusStore.open(path) as store:
        print("ready", flush=True)
        for number in range(STEPS):
            what, each = step(number)
            if what == "add":
                store.add_documents([each])
            elif what == "optimize":
                store.operator.optimize()
            elif any(
                listing.document_id == each.document_id and listing.version == "1"
                for listing in store.operator.documents()
            ):
                store.operator.remove(each.document_id, "1", tenant=each.access.tenant)
            print(number, flush=True)


def states():
    """What is stored after each number of steps: name -> (document, status)."""
    stored = {}
    yield dict(stored)
    for number in range(STEPS):
        what, each = step(number)
        if what == "add":
            for name, (other, status) in list(stored.items()):
                if name[:2] == each.name[:2] and status == "current":
                    stored[name] = (other, "superseded")
            stored[each.name] = (each, "current")
        elif what == "remove":
            stored.pop(each.name, None)
        yield dict(stored)


def kill_at_a_random_point(path, chooser):
    """Run the writer and kill it; gives how many steps it said were committed."""
    code = "import sys; from tests.integration.test_kill import write; write(sys.argv[1])"
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(chooser.uniform(0.0, 1.2))
        child.send_signal(signal.SIGKILL)
        told = child.stdout.read().split("\n")
    whole = [line for line in told[:-1] if line]
    return len(whole)


@pytest.mark.timeout(240 + 10 * ROUNDS)
def test_a_killed_writer_leaves_each_document_wholly_in_or_out(tmp_path):
    """(invariant 8)"""
    chooser = random.Random(7)
    expected = list(states())
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.db"
        committed = kill_at_a_random_point(path, chooser)
        with CorpusStore.open(path) as store:
            checked = store.operator.status(check=True)
            assert checked.faults == ()
            listed = {
                (each.tenant or "", each.document_id, each.version): str(each.status)
                for each in store.operator.documents()
            }
            possible = [
                state
                for state in expected[committed : committed + 2]
                if {name: status for name, (_, status) in state.items()} == listed
            ]
            assert possible, f"after {committed} steps"
            for actor in ACTORS:
                question = " ".join(chooser.choices(WORDS, k=3))
                found = [(hit.key, hit.score) for hit in store.search(question, actor, 20)]
                assert found == rank(question, plains(possible[0], actor), 20)
            store.add_documents([made(9999, 1)])
            assert store.operator.status(check=True).faults == ()


def plains(state, actor):
    found = []
    for each, status in state.values():
        if status == "current" and each.access.permits(actor):
            scope = f"{each.access.tenant}:" if each.access.tenant else ""
            for position, span in enumerate(each.spans):
                key = f"{scope}{each.document_id}@{each.version}#c{position}"
                found.append(Plain((*each.name, position), key, each.text[span.start : span.end]))
    return found
