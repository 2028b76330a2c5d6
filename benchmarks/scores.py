"""Our scores beside those of `bm25s` and of FTS5's `bm25()`, over a corpus that the actor may read whole.

    python -m benchmarks.scores DATA      # DATA holds clapnq/ and xquad/

All three get the same tokens: each is spelled as a word of ASCII letters that no tokenizer changes, and a question
holds each once. bm25s ("lucene") has our formula without the constant factor k1 + 1, in 32-bit floats; FTS5 has our
formula with another idf, which is log((N - n + 0.5) / (n + 0.5)) and never under 1e-6.
"""

import math
import pathlib
import sqlite3
import string
import sys

from benchmarks import given
from benchmarks.tokens import labelled_sets
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore
from verified_gate.retrieval.bm25 import K1, B
from verified_gate.retrieval.tokens import tokens

DEPTH = 10
SETS = ("clapnq", "xquad en", "xquad de", "xquad zh")
MOST = 1e-5
"""Relative difference that 32-bit floats explain."""


def spelling(number):
    """A word of letters, another for each number."""
    word = "x"
    while True:
        number, letter = divmod(number, 26)
        word += string.ascii_lowercase[letter]
        if not number:
            return word + "x"


class Spelled:
    """The tokens of texts as words of letters."""

    def __init__(self):
        self.words = {}

    def __call__(self, text):
        return [self.words.setdefault(token, spelling(len(self.words))) for token in tokens(text)]


def fts5_scores(connection, words):
    rows = connection.execute(
        "SELECT rowid, -bm25(t) FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid", (" OR ".join(words),)
    )
    return dict(rows.fetchall())


def with_idf_of_fts5(words, texts, holders, average):
    """Our formula with the idf of FTS5, by passage."""
    scores = {}
    for word in words:
        held = holders.get(word, {})
        weight = max(math.log((len(texts) - len(held) + 0.5) / (len(held) + 0.5)), 1e-6) if held else 0.0
        for number, often in held.items():
            share = weight * often * (K1 + 1.0) / (often + K1 * (1.0 - B + B * len(texts[number]) / average))
            scores[number] = scores.get(number, 0.0) + share
    return scores


def difference(ours, theirs):
    """The largest relative difference over the passages that both have found."""
    return max((abs(ours[key] - theirs[key]) / ours[key] for key in ours.keys() & theirs.keys()), default=0.0)


def best(scores):
    return sorted(scores, key=lambda key: (-scores[key], key))[:DEPTH]


def agreement(pairs):
    """Share of questions with the same first passage, and mean overlap of the best ten."""
    first = sum(ours[:1] == theirs[:1] for ours, theirs in pairs) / len(pairs)
    overlap = sum(len(set(ours) & set(theirs)) / max(1, len(ours)) for ours, theirs in pairs) / len(pairs)
    return f"{first:.3f} {overlap:.3f}"


def measure(passages, questions):
    import bm25s

    spelled = Spelled()
    texts = [spelled(text) for text in passages.values()]
    asked = [list(dict.fromkeys(spelled(question))) for question, _ in questions]
    holders = {}
    for number, words in enumerate(texts):
        for word in words:
            held = holders.setdefault(word, {})
            held[number] = held.get(number, 0) + 1
    average = sum(map(len, texts)) / len(texts)
    other = bm25s.BM25(k1=K1, b=B, method="lucene")
    other.index(texts, show_progress=False)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'ascii')")
    connection.executemany("INSERT INTO t (rowid, text) VALUES (?, ?)", enumerate(map(" ".join, texts)))
    differences, pairs = [0.0, 0.0], ([], [])
    with CorpusStore.in_memory() as store:
        store.add_documents(
            [
                Document(f"d{number:06}", "1", " ".join(words), (Span(0, len(" ".join(words))),))
                for number, words in enumerate(texts)
            ]
        )
        for words in asked:
            hits = store.search(" ".join(words), limit=1_000)
            ours = {int(hit.passage.document_id[1:]): hit.score for hit in hits}
            known = [word for word in words if word in holders]
            theirs = {key: (K1 + 1.0) * float(value) for key, value in enumerate(other.get_scores(known)) if value > 0}
            fts5 = fts5_scores(connection, words)
            differences[0] = max(differences[0], difference(ours, theirs))
            differences[1] = max(differences[1], difference(with_idf_of_fts5(words, texts, holders, average), fts5))
            pairs[0].append((best(ours), best(theirs)))
            pairs[1].append((best(ours), best(fts5)))
    connection.close()
    return differences, [agreement(each) for each in pairs]


def main(data: pathlib.Path) -> None:
    print("same first passage and overlap of the best ten; largest relative difference of a score")
    print(f"{'':<12}{'bm25s':>14}{'difference':>12}{'FTS5':>16}{'difference, its idf in our formula':>38}")
    missed = False
    for name, passages, questions in labelled_sets(data):
        if name in SETS:
            differences, agreements = measure(passages, questions)
            print(f"{name:<12}{agreements[0]:>14}{differences[0]:>12.1e}{agreements[1]:>16}{differences[1]:>38.1e}")
            missed |= max(differences) > MOST
    if missed:
        print(f"a difference is over {MOST}")
        sys.exit(1)


if __name__ == "__main__":
    main(given.data(__doc__))
