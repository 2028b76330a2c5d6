"""A large corpus: how fast it is written, searched by who may read little, some and all of it, and what others take.

    python -m benchmarks.million passages.jsonl [--passages 1000000] [--folder DIR] [--mixed] [--only-ours] [--audiences 1000]

Each line of the JSONL needs a "text"; `benchmarks.debian` makes such a file; of a shorter one all lines are taken. 1,000
audiences of uneven size; documents of 20 passages; questions are 3 to 10 neighbouring words of a passage, stop words
kept. The corpus, and one of half the size, are kept in DIR and used again. Times are in milliseconds, p50 / p95; compare
them within one run only: ours and the scorer in RAM take turns.
"""

import hashlib
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

from benchmarks import given
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.model import Access, Actor
from verified_gate.retrieval.query import parse_question
from verified_gate.retrieval.tokens import TOKENIZER_VERSION, tokens

AUDIENCES, PER_DOCUMENT, BATCH, TENANT, LIMIT = 1000, 20, 500, "acme", 10
ROUNDS = 3
MIXED = False
LEAST = 100
"""Passages of the smallest file that is measured."""


def settle(audiences, mixed):
    """How the audiences lie, for this process and for those that it starts."""
    global AUDIENCES, MIXED
    AUDIENCES, MIXED = audiences, mixed


def passages_in(path, wanted):
    """How many of the first `wanted` lines are passages: all, or the process ends and says which is none."""
    number = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(itertools.islice(file, wanted), 1):
            try:
                right = isinstance(json.loads(line)["text"], str)
            except (ValueError, TypeError, KeyError):
                right = False
            if not right:
                sys.exit(f'{path}:{number}: expected is one object a line, with a "text"')
    if number < LEAST:
        sys.exit(f"{path}: {number} passages; there must be {LEAST} or more")
    return number


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
        if not held:  # a small corpus: one audience is more than the share
            chosen = {min((number for number in order if sizes[number]), key=sizes.__getitem__)}
            held = sum(sizes[number] for number in chosen)
        yield f"{100 * held / sum(sizes):.0f} %", chosen


def actor_of(groups):
    return Actor(TENANT, {f"g{number}" for number in groups})


def questions_of(path, wanted, number):
    """Of passages in ASCII, which all that are compared read alike; where none gives a question, of the others."""
    return _questions(path, wanted, number, str.isascii) or _questions(path, wanted, number, str.isprintable)


def _questions(path, wanted, number, taken):
    chooser = random.Random(3)
    chosen = set(chooser.sample(range(wanted), min(wanted, number * 20)))
    made = []
    for index, text in enumerate(texts_of(path, wanted)):
        words = text.split()
        if index in chosen and len(words) > 12 and taken(text):
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
    with multiprocessing.get_context("spawn").Pool(1, settle, (AUDIENCES, MIXED)) as pool:
        return pool.apply(function, arguments)


def ingest(path, file, wanted):
    """Seconds it takes to store `wanted` passages, without the reading of the JSONL."""
    seconds, done, peaks, slowest = 0.0, 0, [], 0.0
    store = CorpusStore.open(file)
    documents = documents_of(path, wanted)
    while chosen := list(itertools.islice(documents, BATCH)):
        start = time.perf_counter()
        done += store.add_documents(chosen, batch=BATCH).passages
        took = time.perf_counter() - start
        seconds, slowest = seconds + took, max(slowest, took)
        peaks.append(megabytes())
    start = time.perf_counter()
    store.close()
    closing = time.perf_counter() - start
    print(
        f"ingest: {done:,} passages in {seconds:.1f} s, {done / seconds:,.0f} a second, {BATCH} documents a commit, the"
        f" slowest {slowest:.1f} s; {1e6 * time.process_time() / done:.0f} us of CPU a passage;"
    )
    print(f"  {closing:.1f} s to close, when merges are done: {done / (seconds + closing):,.0f} a second with that;")
    print(f"  peak memory after a tenth {peaks[len(peaks) // 10]:.0f} MB, at the end {peaks[-1]:.0f} MB", flush=True)
    return seconds + closing


def optimize(file):
    start = time.perf_counter()
    with CorpusStore.open(file) as store:
        store.operator.optimize()
    seconds = time.perf_counter() - start
    print(f"optimize: {seconds:.1f} s, peak memory {megabytes():.0f} MB", flush=True)
    return seconds


def sizes(file):
    with sqlite3.connect(file) as connection:
        index = ("posting", "vocabulary", "segment", "run", "placement", "placement_document")
        pages = dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"))
    connection.close()
    total = sum(pages.values())
    held = sum(pages.get(name, 0) for name in index)
    print(f"file: {total / 1e6:,.0f} MB in use, index {held / 1e6:,.0f} MB", flush=True)
    return held / 1e6


def ours(file, groups, questions):
    """Times of the questions, and the most memory that the process of its own held."""
    with CorpusStore.open(file, read_only=True) as store:
        actor = actor_of(groups)
        timed(lambda question: store.search(question, actor, LIMIT), questions[:20])
        times = timed(lambda question: store.search(question, actor, LIMIT), questions)
        return times, megabytes()


def beside(memory, file, groups, questions):
    """Times of ours and of `memory`, in turns: all questions of one, then of the other, `ROUNDS` times."""
    actor = actor_of(groups)
    with CorpusStore.open(file, read_only=True) as store:
        functions = (lambda question: store.search(question, actor, LIMIT), memory.search)
        times = ([], [])
        for count in range(ROUNDS + 1):
            for index, function in enumerate(functions):
                found = timed(function, questions)
                if count:  # the first round warms up
                    times[index].extend(found)
        for question in questions[:50]:  # two implementations, the same scores to the last bit
            assert [hit.score for hit in store.search(question, actor, LIMIT)] == memory.search(question)
    return times


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


def check(file):
    """Seconds of `status --check`."""
    with CorpusStore.open(file, read_only=True) as store:
        start = time.perf_counter()
        assert store.operator.status(check=True).condition == "ready"
        return time.perf_counter() - start


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


def fts5(texts):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='')")
    connection.executemany("INSERT INTO t (rowid, text) VALUES (?, ?)", enumerate(texts))
    return connection


def fts5_search(connection, question):
    words = " OR ".join('"' + word.replace('"', '""') + '"' for word in parse_question(question))
    return connection.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?", (words, LIMIT)).fetchall()


def bm25s_times(path, wanted, questions):
    """In a process of its own, which may hold all tokens as numbers."""
    import bm25s

    vocabulary, ids = {}, []
    for text in texts_of(path, wanted):
        found = tokens(text)
        ids.append(
            np.fromiter((vocabulary.setdefault(token, len(vocabulary)) for token in found), np.int32, len(found))
        )
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index((ids, vocabulary), show_progress=False)
    del ids

    def search(question):
        words = [vocabulary[word] for word in parse_question(question) if word in vocabulary]
        return index.retrieve([words], k=LIMIT, show_progress=False) if words else None

    timed(search, questions[:20])
    return timed(search, questions), megabytes()


def built(path, wanted, folder):
    """The corpus of `wanted` passages, made where it is missing; its file, and what making it took."""
    with open(path, "rb") as source:
        mark = hashlib.sha256(source.read(1_000_000)).hexdigest()[:8]
    file = folder / f"{'mixed' if MIXED else 'grouped'}-{AUDIENCES}-{wanted}-{mark}-{TOKENIZER_VERSION}.db"
    figures = {}
    print(f"\n{wanted:,} passages")
    if not file.exists():
        figures["ingest, s"] = in_child(ingest, path, file, wanted)
        sizes(file)
        figures["optimize, s"] = in_child(optimize, file)
    figures["index, MB"] = sizes(file)
    figures["status --check, s"] = seconds = in_child(check, file)
    print(f"status --check: {file.stat().st_size / 1e6 / seconds:.0f} MB of the file a second", flush=True)
    figures["add a document of 20 passages, ms"] = statistics.median(times := in_child(add_one, file))
    print(f"add a document of 20 passages: {spread(times)} ms", flush=True)
    return file, figures


def main():
    parser = given.parser(__doc__)
    parser.add_argument("passages_file", metavar="PASSAGES.jsonl", type=given.file)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only-ours", action="store_true", help="compare with nothing else")
    parser.add_argument("--mixed", action="store_true", help="neighbouring documents are of different audiences")
    parser.add_argument("--audiences", type=int, default=AUDIENCES, help="of uneven size")
    asked = parser.parse_args()
    settle(asked.audiences, asked.mixed)
    path, wanted = asked.passages_file, passages_in(asked.passages_file, asked.passages)
    questions = questions_of(path, wanted // 2, asked.questions)
    if not questions:
        sys.exit(f"{path}: no passage of more than twelve words, so there is nothing to ask")
    asked.folder.mkdir(parents=True, exist_ok=True)
    corpora = []
    for number in (wanted // 2, wanted):
        file, figures = built(path, number, asked.folder)
        questions, actors = questions_of(path, number, asked.questions), list(actors_of(number))
        results = [in_child(ours, file, groups, questions) for _, groups in actors]
        for (name, _), (times, _) in zip(actors, results, strict=True):
            figures[f"search, {name}, ms"] = statistics.median(times)
        figures["memory of a search, MB"] = max(peak for _, peak in results)
        corpora.append(figures)
    print(f"\n{'':<40}{wanted // 2:>12,}{wanted:>12,}{'times':>8}")
    for name in [name for name in corpora[1] if name in corpora[0]]:
        half, whole = corpora[0][name], corpora[1][name]
        print(f"{name:<40}{half:>12,.2f}{whole:>12,.2f}{whole / half:>8.2f}")

    print(f"\n{wanted:,} passages, {AUDIENCES} audiences, {len(questions)} questions; p50 / p95 ms")
    print(f"{'':<44}" + "".join(f"{name:>22}" for name, _ in actors))

    def row(name, cells):
        print(f"{name:<44}" + "".join(f"{cell:>22}" for cell in cells), flush=True)

    if asked.only_ours:
        row("verified_gate, one SQLite file", [spread(times) for times, _ in results])
        row("  memory of the process, MB", [f"{peak:.0f}" for _, peak in results])
        return
    memory = InMemory(path, wanted)
    audience = np.repeat(audience_numbers(-(-wanted // PER_DOCUMENT)), PER_DOCUMENT)[:wanted]
    masks = [np.isin(audience, list(groups)) for _, groups in actors]
    pairs = []
    for (_, groups), mask in zip(actors, masks, strict=True):
        memory.permit(mask)
        pairs.append([*beside(memory, file, groups, questions)])
    del memory
    row("verified_gate, one SQLite file", [spread(mine) for mine, _ in pairs])
    row("  memory of the process, MB", [f"{peak:.0f}" for _, peak in results])
    row("postings in RAM, permitted mask", [spread(other) for _, other in pairs])
    row("  ours / this", [f"{statistics.median(mine) / statistics.median(other):.2f}" for mine, other in pairs])
    connection = fts5(texts_of(path, wanted))
    taken = timed(lambda question: fts5_search(connection, question), questions[:60])
    row("FTS5, any word, no access rules", ["", "", spread(taken)])
    row("  this / ours", ["", "", f"{statistics.median(taken) / statistics.median(pairs[2][0][:60]):.0f}"])
    connection.close()
    rebuilt = []
    for mask in masks[:2]:
        permitted = list(itertools.compress(texts_of(path, wanted), mask))
        rebuilt.append(timed(lambda question, texts=permitted: fts5_search(fts5(texts), question), questions[:3]))
    row("FTS5 rebuilt from what is permitted", [spread(times) for times in rebuilt])
    times, peak = in_child(bm25s_times, path, wanted, questions)
    row("bm25s, no access rules", ["", "", spread(times)])
    row("  memory of the process, MB", ["", "", f"{peak:,.0f}"])


if __name__ == "__main__":
    main()
