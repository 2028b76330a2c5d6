"""Does the time of a search tell what an actor may not read?

    python -m benchmarks.timing [--passages 20000] [--queries 1000]

Half of the queries ask for a word that stands in a tenth of all forbidden passages, half for a word that stands
nowhere; an actor who may read neither asks them, in random order, each word once. A classifier that knows nothing but the
latency guesses which is which: an AUC of 0.5 is guessing. Printed for each of several runs, as a text of its own and with a
word that the actor may read beside it; for actors of one audience and of many, who may read every second passage.
Ends with exit code 1 where the mean of some runs is over the limit.
"""

import argparse
import pathlib
import random
import sys
import tempfile
import time

from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Access, Actor

RUNS = 5
LIMIT = 0.55
AUDIENCES = (2, 100, 1_000)
"""How many there are; the actor is of every second one."""
LETTERS = "bcdfghjklmnpqrstvwxz"


def word(chooser):
    return "".join(chooser.choices(LETTERS, k=9))


def build(store, passages, audiences, secret, chooser):
    """Documents of 20 passages, those of odd audiences with secret words. Gives the words that all hold."""
    common = [word(chooser) for _ in range(3000)]
    documents = []
    for number in range(passages // 20):
        audience = number * 7_919 % audiences
        texts = []
        for _ in range(20):
            words = chooser.choices(common, k=70)
            if audience % 2:
                words += chooser.sample(secret, len(secret) // 10)
            texts.append(" ".join(words))
        spans, start = [], 0
        for text in texts:
            spans.append(Span(start, start + len(text)))
            start += len(text) + 2
        access = Access("acme", {f"g{audience}"})
        documents.append(Document(f"d{number}", "1", "\n\n".join(texts), spans, access=access))
    store.add_documents(documents)
    return common


def auc(first, second):
    """The chance that one of `first` is larger than one of `second`, ties by half; folded to 0.5 and more."""
    ranked = sorted([(value, 1) for value in first] + [(value, 0) for value in second])
    total, place = 0.0, 0
    while place < len(ranked):
        end = place
        while end < len(ranked) and ranked[end][0] == ranked[place][0]:
            end += 1
        total += sum(kind for _, kind in ranked[place:end]) * (place + end + 1) / 2
        place = end
    share = (total - len(first) * (len(first) + 1) / 2) / (len(first) * len(second))
    return max(share, 1 - share)


def measure(store, actor, secret, absent, beside, chooser):
    asked = [(each, True) for each in secret] + [(each, False) for each in absent]
    chooser.shuffle(asked)
    times = {True: [], False: []}
    for each, hidden in asked:
        question = f"{each} {beside}".strip()
        start = time.perf_counter()
        found = store.search(question, actor)
        times[hidden].append(time.perf_counter() - start)
        assert bool(found) == bool(beside)
    return auc(times[True], times[False])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=1_000)
    given = parser.parse_args()
    over = [count for count in AUDIENCES if any(mean > LIMIT for mean in told(count, given.passages, given.queries))]
    if over:
        print(f"\nMISSED: over {LIMIT} with {over} audiences")
        return 1
    return 0


def told(audiences, passages, queries):
    """The mean of the runs of each layout and question, printed."""
    chooser = random.Random(1)
    secret = [word(chooser) for _ in range(queries // 2)]
    actor = Actor("acme", {f"g{number}" for number in range(0, audiences, 2)})
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "kb.db"
        with CorpusStore.open(file) as store:
            common = build(store, passages, audiences, secret, chooser)
        for layout in ("as ingested", "optimized"):
            if layout == "optimized":
                with CorpusStore.open(file) as store:
                    store.operator.optimize()
            for name, beside in (("alone", ""), ("with a word that is readable", common[0])):
                figures = [run(file, actor, secret, beside, chooser) for _ in range(RUNS)]
                mean = sum(figures) / RUNS
                shown = " ".join(f"{figure:.3f}" for figure in figures)
                print(f"{audiences:,} audiences, {layout}, {name}: AUC {shown}; mean {mean:.3f}", flush=True)
                yield mean


def run(file, actor, secret, beside, chooser):
    """One run over a store that remembers no question."""
    with CorpusStore.open(file, read_only=True) as store:
        for _ in range(50):
            store.search(f"{word(chooser)} {beside}", actor)
        return measure(store, actor, secret, [word(chooser) for _ in secret], beside, chooser)


if __name__ == "__main__":
    sys.exit(main())
