"""A large corpus: how fast it is written, searched by who may read little, some and all of it, and what others take.

    python -m benchmarks.million passages.jsonl [--passages 1000000] [--folder DIR] [--mixed]

Each line of the JSONL needs a "text"; `benchmarks.debian` makes such a file. 1,000 audiences of uneven size; documents
of 20 passages; questions are 3 to 10 neighbouring words of a passage, stop words kept. The corpus is kept in DIR and
used again. Times are in milliseconds, p50 / p95; compare them within one run only.
"""

import argparse
import itertools
import json
import math
import multiprocessing
import pathlib
import random
import sqlite3
import statistics
import sys
import time

import numpy as np

from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Access, Actor
from verified_gate.retrieval.query import parse_question
from verified_gate.retrieval.tokens import tokens

AUDIENCES, PER_DOCUMENT, BATCH, TENANT, LIMIT = 1000, 20, 500, "acme", 10
MIXED = "--mixed" in sys.argv


def texts_of(path, wanted):
    with open(path, encoding="utf-8") as file:
        for line in itertools.islice(file, wanted):
            yield json.loads(line)["text"]


def audience_numbers(documents):
    """Audience by document: sizes fall like 1/(rank + 10). Audiences come in a random order, the documents of one
    after another, as from folders with labels; with `--mixed` each document is of another one.
    """
    weights = [1 / (rank + 10) for rank in range(AUDIENCES)]
    numbers = random.Random(1).choices(range(AUDIENCES), weights, k=documents)
    if MIXED:
        return numbers
    order = random.Random(4).sample(range(AUDIENCES), AUDIENCES)
    return sorted(numbers, key=order.__getitem__)


def documents_of(path, wanted):
    texts = texts_of(path, wanted)
    numbers = iter(audience_numbers(-(-wanted // PER_DOCUMENT)))
    for count in itertools.count():
        chosen = list(itertools.islice(texts, PER_DOCUMENT))
        if not chosen:
            return
        starts = itertools.accumulate((len(text) + 2 for text in chosen), initial=0)
        spans = [Span(start, start + len(text)) for start, text in zip(starts, chosen, strict=False)]
        access = Access(TENANT, {f"g{next(numbers)}"})
        yield Document(f"d{count:06}", "1", "\n\n".join(chosen), spans, access=access)


def actors_of(wanted):
    """Actors who may read about 1 %, 30 % and 100 % of the passages."""
    sizes = [0] * AUDIENCES
    for number in audience_numbers(-(-wanted // PER_DOCUMENT)):
        sizes[number] += 1
    order = random.Random(2).sample(range(AUDIENCES), AUDIENCES)
    for share in (0.01, 0.3, 1.0):
        chosen, held = set(), 0
        for number in order:
            if held + sizes[number] <= share * sum(sizes):
                chosen.add(number)
                held += sizes[number]
        yield f"{100 * held / sum(sizes):.0f} %", chosen


def actor_of(groups):
    return Actor(TENANT, {f"g{number}" for number in groups})


def questions_of(path, wanted, number):
    chooser = random.Random(3)
    chosen = set(chooser.sample(range(wanted), min(wanted, number * 2)))
    made = []
    for index, text in enumerate(texts_of(path, wanted)):
        words = text.split()
        if index in chosen and len(words) > 12 and text.isascii():
            size = chooser.randint(3, 10)
            start = chooser.randrange(len(words) - size)
            question = " ".join(words[start : start + size])
            if question.isprintable() and parse_question(question):
                made.append(question)
    return chooser.sample(made, min(number, len(made)))


def timed(function, questions):
    """Milliseconds of each call."""
    times = []
    for question in questions:
        start = time.perf_counter()
        function(question)
        times.append(1000 * (time.perf_counter() - start))
    return times


def spread(times):
    ordered = sorted(times)
    return f"{statistics.median(ordered):,.2f} / {ordered[int(0.95 * (len(ordered) - 1))]:,.2f}"


def megabytes():
    """The most memory that this process held. `ru_maxrss` would tell of the process it was started from."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def in_child(function, *arguments):
    """Run in a process of its own, so that its memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def ingest(path, file, wanted):
    start, done = time.perf_counter(), 0
    with CorpusStore.open(file) as store:
        documents = documents_of(path, wanted)
        peaks = []
        while chosen := list(itertools.islice(documents, BATCH)):
            done += store.add_documents(chosen, batch=BATCH).passages
            peaks.append(megabytes())
        seconds = time.perf_counter() - start
        print(
            f"ingest: {done:,} passages in {seconds:.1f} s, {done / seconds:,.0f} a second, {BATCH} documents a commit;"
        )
        print(
            f"  peak memory after a tenth {peaks[len(peaks) // 10]:.0f} MB, at the end {peaks[-1]:.0f} MB", flush=True
        )


def optimize(file):
    start = time.perf_counter()
    with CorpusStore.open(file) as store:
        store.operator.optimize()
    print(f"optimize: {time.perf_counter() - start:.1f} s, peak memory {megabytes():.0f} MB", flush=True)


def sizes(file):
    with sqlite3.connect(file) as connection:
        index = ("posting", "segment", "run", "placement", "placement_document")
        pages = dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
    connection.close()
    total = sum(pages.values())
    held = sum(pages.get(name, 0) for name in index)
    print(f"file: {total / 1e6:,.0f} MB in use, index {held / 1e6:,.0f} MB", flush=True)


def ours(file, groups, questions):
    with CorpusStore.open(file) as store:
        actor = actor_of(groups)
        before = megabytes()
        timed(lambda question: store.search(question, actor, LIMIT), questions[:20])
        times = timed(lambda question: store.search(question, actor, LIMIT), questions)
        return times, before, megabytes()


def add_one(file, number=20):
    times = []
    with CorpusStore.open(file) as store:
        for count in range(number):
            body = [
                f"A later paragraph {count} {index} about bicycles and their return within thirty days " * 6
                for index in range(20)
            ]
            starts = list(itertools.accumulate((len(text) + 2 for text in body), initial=0))
            spans = [Span(start, start + len(text)) for start, text in zip(starts, body, strict=False)]
            late = Document(f"late{time.time_ns()}", "1", "\n\n".join(body), spans, access=Access(TENANT, {"g7"}))
            start = time.perf_counter()
            store.add_documents([late])
            times.append(1000 * (time.perf_counter() - start))
            store.operator.remove(late.document_id, "1", tenant=TENANT)
    return times


class InMemory:
    """The same scores from postings in RAM (terms by documents), with a mask of what is permitted."""

    def __init__(self, path, wanted):
        vocabulary, ids, counts, self.lengths = {}, [], [], np.zeros(wanted, dtype=np.int64)
        for index, text in enumerate(texts_of(path, wanted)):
            found = np.fromiter((vocabulary.setdefault(token, len(vocabulary)) for token in tokens(text)), np.int32)
            self.lengths[index] = len(found)
            numbers, often = np.unique(found, return_counts=True)
            ids.append(numbers.astype(np.int32))
            counts.append(often.astype(np.int32))
        terms = np.concatenate(ids)
        passages = np.repeat(np.arange(len(ids), dtype=np.int32), [len(each) for each in ids])
        order = np.argsort(terms, kind="stable")
        self.passages, self.counts = passages[order], np.concatenate(counts)[order]
        self.starts = np.concatenate(([0], np.cumsum(np.bincount(terms, minlength=len(vocabulary)))))
        self.vocabulary = vocabulary
        self.scores = np.zeros(wanted)

    def permit(self, permitted):
        self.mask, self.number = permitted, int(permitted.sum())
        self.average = float(self.lengths[permitted].sum()) / self.number

    def search(self, question):
        touched = []
        for term, times in parse_question(question).items():
            number = self.vocabulary.get(term)
            if number is None:
                continue
            span = slice(self.starts[number], self.starts[number + 1])
            kept = self.mask[self.passages[span]]
            ids, often = self.passages[span][kept], self.counts[span][kept].astype(np.float64)
            weight = times * math.log(1.0 + (self.number - len(ids) + 0.5) / (len(ids) + 0.5))
            norm = 1.2 * ((1.0 - 0.75) + 0.75 * self.lengths[ids] / self.average)
            self.scores[ids] += weight * (often * 2.2) / (often + norm)
            touched.append(ids)
        found = np.concatenate(touched) if touched else np.zeros(0, dtype=np.int32)
        reached = self.scores[found]
        if len(found) > LIMIT * len(touched):  # a passage is touched at most once by each term
            cut = len(found) - LIMIT * len(touched)
            border = np.partition(reached, cut)[cut]
            found = found[reached >= border]
        best = sorted(self.scores[np.unique(found)].tolist(), reverse=True)[:LIMIT]
        for ids in touched:
            self.scores[ids] = 0.0
        return best


def require_equal(memory, file, groups, questions):
    """Two implementations, the same scores to the last bit."""
    with CorpusStore.open(file) as store:
        for question in questions:
            hits = store.search(question, actor_of(groups), LIMIT)
            assert [hit.score for hit in hits] == memory.search(question)


def fts5(path, wanted, permitted=None):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='')")
    rows = ((index, text) for index, text in enumerate(texts_of(path, wanted)) if permitted is None or permitted[index])
    connection.executemany("INSERT INTO t (rowid, text) VALUES (?, ?)", rows)
    return connection


def fts5_search(connection, question):
    words = " OR ".join('"' + word.replace('"', '""') + '"' for word in parse_question(question))
    return connection.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?", (words, LIMIT)).fetchall()


def bm25s_search(path, wanted):
    import bm25s

    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index([tokens(text) for text in texts_of(path, wanted)], show_progress=False)
    known = index.vocab_dict

    def search(question):
        words = [word for word in parse_question(question) if word in known]
        return index.retrieve([words], k=LIMIT, show_progress=False) if words else None

    return search


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("passages_file", type=pathlib.Path)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only-ours", action="store_true", help="compare with nothing else")
    parser.add_argument("--mixed", action="store_true", help="neighbouring documents are of different audiences")
    given = parser.parse_args()
    path, wanted = given.passages_file, given.passages
    given.folder.mkdir(parents=True, exist_ok=True)
    file = given.folder / f"{'mixed' if MIXED else 'grouped'}-{wanted}.db"
    if not file.exists():
        in_child(ingest, path, file, wanted)
        sizes(file)
        in_child(optimize, file)
    sizes(file)
    questions = questions_of(path, wanted, given.questions)
    actors = list(actors_of(wanted))
    print(f"\n{wanted:,} passages, {AUDIENCES} audiences, {len(questions)} questions; p50 / p95 ms")
    print(f"{'':<44}" + "".join(f"{name:>22}" for name, _ in actors))

    def row(name, cells):
        print(f"{name:<44}" + "".join(f"{cell:>22}" for cell in cells), flush=True)

    print(f"add a document of 20 passages: {spread(in_child(add_one, file))}", flush=True)
    memory = None if given.only_ours else InMemory(path, wanted)
    audience = np.repeat(audience_numbers(-(-wanted // PER_DOCUMENT)), PER_DOCUMENT)[:wanted]
    results, others = [], []
    for _, groups in actors:  # each pair of figures from the same minute
        results.append(in_child(ours, file, groups, questions))
        if memory is not None:
            memory.permit(np.isin(audience, list(groups)))
            others.append(timed(memory.search, questions))
            require_equal(memory, file, groups, questions[:50])
    row("verified_gate, one SQLite file", [spread(times) for times, *_ in results])
    row("  memory of the process, MB", [f"{peak:.0f}" for *_, peak in results])
    if memory is None:
        return
    row("postings in RAM, permitted mask", [spread(times) for times in others])
    pairs = zip(results, others, strict=True)
    row("  ours / this", [f"{statistics.median(ours[0]) / statistics.median(other):.2f}" for ours, other in pairs])
    del memory
    masks = [np.isin(audience, list(groups)) for _, groups in actors]
    connection = fts5(path, wanted)
    taken = timed(lambda question: fts5_search(connection, question), questions[:60])
    row("FTS5, any word, no access rules", ["", "", spread(taken)])
    row("  this / ours", ["", "", f"{statistics.median(taken) / statistics.median(results[2][0]):.0f}"])
    connection.close()
    rebuilt = [
        timed(lambda question, mask=mask: fts5_search(fts5(path, wanted, mask), question), questions[:3])
        for mask in masks[:2]
    ]
    row("FTS5 rebuilt from what is permitted", [spread(times) for times in rebuilt])
    row("bm25s, no access rules", ["", "", spread(timed(bm25s_search(path, wanted), questions))])


if __name__ == "__main__":
    main()
