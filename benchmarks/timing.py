"""Does the time of a search tell what an actor may not read?

    python -m benchmarks.timing [--passages 20000] [--queries 1000]

Half of the queries ask for a word that stands in a tenth of all forbidden passages, half for a word that stands
nowhere; an actor who may read neither asks them, in random order. A classifier that knows nothing but the latency
guesses which is which: an AUC of 0.5 is guessing. Printed for each of several runs, as a text of its own and with a
word that the actor may read beside it.
"""

import argparse
import pathlib
import random
import tempfile
import time

from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Access, Actor

RUNS = 5
LETTERS = "bcdfghjklmnpqrstvwxz"


def word(chooser):
    return "".join(chooser.choices(LETTERS, k=9))


def build(store, passages, secret, chooser):
    """Half of the passages are open to the actor, half are not; the secret words stand in the latter alone."""
    common = [word(chooser) for _ in range(3000)]
    documents = []
    for number in range(passages // 20):
        hidden = number % 2 == 1
        texts = []
        for _ in range(20):
            words = chooser.choices(common, k=70)
            if hidden:
                words += chooser.sample(secret, len(secret) // 10)
            texts.append(" ".join(words))
        spans, start = [], 0
        for text in texts:
            spans.append(Span(start, start + len(text)))
            start += len(text) + 2
        access = Access("acme", {f"g{number % 50}" if hidden else "open"})
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
    chooser = random.Random(1)
    secret = [word(chooser) for _ in range(given.queries // 2)]
    with tempfile.TemporaryDirectory() as folder, CorpusStore.open(pathlib.Path(folder) / "kb.db") as store:
        common = build(store, given.passages, secret, chooser)
        actor = Actor("acme", {"open"})
        for layout in ("as ingested", "optimized"):
            if layout == "optimized":
                store.operator.optimize()
            for name, beside in (("alone", ""), ("with a word that is readable", common[0])):
                figures = []
                for _ in range(RUNS + 1):
                    absent = [word(chooser) for _ in secret]
                    figures.append(measure(store, actor, secret, absent, beside, chooser))
                shown = " ".join(f"{figure:.3f}" for figure in figures[1:])  # the first run warms up
                print(f"{layout}, {name}: AUC {shown}; mean {sum(figures[1:]) / RUNS:.3f}", flush=True)


if __name__ == "__main__":
    main()
