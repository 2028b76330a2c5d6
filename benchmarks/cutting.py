"""How many facts each way of cutting keeps whole in one passage.

    python -m benchmarks.cutting DATA

DATA holds clapnq (sentences chosen as evidence), quotesum (quotes copied into answers) and cuad (clauses marked by
lawyers). A fact is whole where one passage holds all of it; the passages of clapnq and quotesum are short, so their
texts are joined, by title, into documents of many paragraphs. `mean` is the passages' mean length in code points.
"""

import json
import pathlib
from collections.abc import Iterator

from benchmarks import given
from verified_gate.ingest import SourceDocument, cut, read_document

WAYS = (
    ("paragraph", {}),
    ("paragraph", {"size": 600}),
    ("sentence", {}),
    ("sentence", {"size": 200}),
    ("fixed", {}),
    ("fixed", {"overlap": 200}),
    ("fixed", {"size": 400}),
    ("fixed", {"size": 400, "overlap": 100}),
)

Facts = dict[str, tuple[SourceDocument, list[tuple[int, int]]]]
"""For each document, the spans of the facts in it."""


def main(data: pathlib.Path) -> None:
    sets = {"clapnq": clapnq(data), "quotesum": quotesum(data), "cuad": cuad(data)}
    width = max(len(_named(*way)) for way in WAYS)
    print(" " * width, *(f"{f'{name} ({_count(facts)})':>18} {'mean':>6}" for name, facts in sets.items()), sep="  ")
    for way in WAYS:
        cells = []
        for facts in sets.values():
            whole, lengths = _measured(facts, *way)
            cells.append(f"{whole / _count(facts):>18.1%} {sum(lengths) / len(lengths):>6.0f}")
        print(f"{_named(*way):<{width}}", *cells, sep="  ")


def clapnq(data: pathlib.Path) -> Facts:
    facts = [
        (row["pid"], sentence)
        for row in _rows(data / "clapnq" / "questions.jsonl")
        for output in row["outputs"]
        for sentence in output["selected_sentences"]
    ]
    return _joined(data / "clapnq" / "passages.jsonl", facts)


def quotesum(data: pathlib.Path) -> Facts:
    facts = [
        (quote["pid"], quote["quote"])
        for row in _rows(data / "quotesum" / "answers.jsonl")
        for quote in row["quotes"]
        if quote["found"] == "exact"
    ]
    return _joined(data / "quotesum" / "passages.jsonl", facts)


def cuad(data: pathlib.Path) -> Facts:
    found: Facts = {}
    for path in sorted((data / "cuad" / "txt").glob("*.txt")):
        found[path.stem] = (read_document(path.read_bytes(), path.name), [])
    for row in _rows(data / "cuad" / "clauses.jsonl"):
        document, spans = found[row["cid"]]
        for start, end in row["txt_spans"]:
            marked = document.text[start:end]
            spans.append((start + len(marked) - len(marked.lstrip()), start + len(marked.rstrip())))
    return found


def _joined(passages: pathlib.Path, facts: list[tuple[str, str]]) -> Facts:
    """Passages of one title as the paragraphs of one document, ten titles to a document."""
    rows = sorted(_rows(passages), key=lambda row: (row["title"], row["pid"]))
    found: Facts = {}
    place = {}
    for number in range(0, len(rows), 10):
        text = ""
        for row in rows[number : number + 10]:
            place[row["pid"]] = (str(number), len(text), row["text"])
            text += row["text"].strip() + "\n\n"
        found[str(number)] = (read_document(text.encode(), f"{number}.txt"), [])
    for pid, fact in sorted(set(facts)):
        name, start, passage = place[pid]
        at = passage.strip().find(fact.strip())
        if at >= 0:
            found[name][1].append((start + at, start + at + len(fact.strip())))
    return found


def _measured(facts: Facts, strategy: str, options: dict[str, int]) -> tuple[int, list[int]]:
    whole, lengths = 0, []
    for document, spans in facts.values():
        passages = [
            (passage.start, passage.start + len(passage.text)) for passage in cut(document, strategy, **options)
        ]
        lengths += [end - start for start, end in passages]
        whole += sum(any(start <= first and last <= end for start, end in passages) for first, last in spans)
    return whole, lengths


def _named(strategy: str, options: dict[str, int]) -> str:
    return " ".join([strategy, *(f"{name}={value}" for name, value in options.items())])


def _count(facts: Facts) -> int:
    return sum(len(spans) for _, spans in facts.values())


def _rows(path: pathlib.Path) -> Iterator[dict]:
    with open(path, encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


if __name__ == "__main__":
    main(given.data(__doc__))
