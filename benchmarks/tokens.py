"""How fast `tokens()` is, against bare pattern matching, and what its rules do to plain BM25.

    python -m benchmarks.tokens DATA      # DATA holds clapnq/, quotesum/ and xquad/

The baseline tokenizer is a run of letters, digits and combining marks in lower case, Han, kana and Thai as pairs.
"""

import json
import math
import pathlib
import re
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping

from benchmarks import given
from verified_gate.retrieval.tokens import tokens

Tokenizer = Callable[[str], list[str]]

LANGUAGES = ("en", "de", "es", "ru", "tr", "ar", "hi", "zh")
WORDS_OF_A_PASSAGE = 80
CHARACTERS_OF_A_ZH_PASSAGE = 160


def read(path: pathlib.Path) -> list[dict]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def labelled_sets(data: pathlib.Path) -> Iterator[tuple[str, dict[str, str], list[tuple[str, set[str]]]]]:
    """(name, passages by id, [(question, ids of its passages)])"""
    passages = {row["pid"]: f"{row['title']}\n{row['text']}" for row in read(data / "clapnq/passages.jsonl")}
    rows = read(data / "clapnq/questions.jsonl")
    yield "clapnq", passages, [(row["question"], {row["pid"]}) for row in rows if row["answerable"]]
    passages = {row["pid"]: f"{row['title']}\n{row['text']}" for row in read(data / "quotesum/passages.jsonl")}
    answers = read(data / "quotesum/answers.jsonl")
    yield "quotesum", passages, [(row["question"], {source["pid"] for source in row["sources"]}) for row in answers]
    for lang in LANGUAGES:
        passages = {row["pid"]: row["text"] for row in read(data / f"xquad/{lang}.passages.jsonl")}
        rows = read(data / f"xquad/{lang}.questions.jsonl")
        yield f"xquad {lang}", passages, [(row["question"], {row["pid"]}) for row in rows]


class PlainBM25:
    """BM25 (k1 1.2, b .75) in a page, for comparison only."""

    def __init__(self, passages: Mapping[str, str], tokenizer: Tokenizer = tokens) -> None:
        self.tokenizer = tokenizer
        self.keys = list(passages)
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.lengths = []
        for number, text in enumerate(passages.values()):
            counts = Counter(tokenizer(text))
            self.lengths.append(counts.total())
            for token, count in counts.items():
                self.postings[token].append((number, count))
        self.average = sum(self.lengths) / len(self.lengths)

    def idf(self, token: str) -> float:
        holders = len(self.postings.get(token, ()))
        return math.log(1 + (len(self.keys) - holders + 0.5) / (holders + 0.5))

    def rank(self, question: str, limit: int, without: frozenset[str] = frozenset()) -> list[str]:
        """The keys of the best `limit` passages, those of `without` left out."""
        scores: Counter[int] = Counter()
        for token, times in Counter(self.tokenizer(question)).items():
            weight = times * self.idf(token)
            for number, count in self.postings.get(token, ()):
                length = self.lengths[number] / self.average
                scores[number] += weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length))
        order = sorted(scores, key=lambda number: (-scores[number], number))
        return [self.keys[number] for number in order if self.keys[number] not in without][:limit]


def baseline_tokenizer() -> Tokenizer:
    marks = "".join(chr(point) for point in range(sys.maxunicode) if unicodedata.category(chr(point))[0] == "M")
    unspaced = "\u0e01-\u0e4e\u3040-\u30ff\u3400-\u9fff"
    word = re.compile(rf"([{unspaced}]+)|(?:(?![{unspaced}])(?:[^\W_]|[{marks}]))+")

    def tokenize(text: str) -> list[str]:
        found = []
        for match in word.finditer(text.lower()):
            run = match.group()
            pairs = [run[place : place + 2] for place in range(len(run) - 1)] if match.group(1) else []
            found.extend(pairs or [run])
        return found

    return tokenize


def bare_patterns() -> dict[str, Tokenizer]:
    """Word patterns with nothing else done: what a tokenizer can hardly be faster than."""
    word = re.compile(r"\w+")
    bare = {"re \\w+ (splits at vowel signs)": lambda text: word.findall(text.casefold())}
    try:
        import regex
    except ImportError:
        print("(the package `regex` is not installed: its rows are left out)")
        return bare
    with_marks = regex.compile(r"[\p{L}\p{M}\p{N}]++")
    compounds = regex.compile(r"[\p{L}\p{M}\p{N}_]++(?:['.,:&/\-][\p{L}\p{M}\p{N}_]++)*+")
    bare["regex letters, marks, digits"] = lambda text: with_marks.findall(text.casefold())
    bare["regex the same with joining signs"] = lambda text: compounds.findall(text.casefold())
    return bare


def passages_per_second(tokenizer: Tokenizer, texts: list[str], passages: float) -> float:
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        for text in texts:
            tokenizer(text)
        best = min(best, time.perf_counter() - start)
    return passages / best


def recall(passages: Mapping[str, str], questions: list[tuple[str, set[str]]], tokenizer: Tokenizer) -> str:
    index = PlainBM25(passages, tokenizer)
    ranked = [(index.rank(question, 10), wanted) for question, wanted in questions]
    first = sum(bool(wanted & set(keys[:1])) for keys, wanted in ranked) / len(ranked)
    tenth = sum(bool(wanted & set(keys)) for keys, wanted in ranked) / len(ranked)
    return f"{first:.3f} {tenth:.3f}"


def main(data: pathlib.Path) -> None:
    sets = list(labelled_sets(data))
    print("\npassages of 80 words (zh: 160 characters) a second, one core, best of 5")
    tokens("ä")
    tokenizers = {"tokens()": tokens, **bare_patterns()}
    for name, passages, _ in sets:
        texts = list(passages.values())
        words = sum(len(text.split()) for text in texts) / WORDS_OF_A_PASSAGE
        if name.endswith("zh"):
            words = sum(map(len, texts)) / CHARACTERS_OF_A_ZH_PASSAGE
        row = "  ".join(f"{label} {passages_per_second(each, texts, words):,.0f}" for label, each in tokenizers.items())
        print(f"{name:10} {row}")
    print("\nplain BM25: recall@1 and @10 with the baseline's tokens | with tokens()")
    baseline = baseline_tokenizer()
    for name, passages, questions in sets:
        print(f"{name:10} {recall(passages, questions, baseline)} | {recall(passages, questions, tokens)}")


if __name__ == "__main__":
    main(given.data(__doc__))
