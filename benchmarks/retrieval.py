"""Recall and mean reciprocal rank of `CorpusStore.search` on labelled questions of other people, beside the floor.

    python -m benchmarks.retrieval DATA [POOL.jsonl] [--others 200000]

DATA holds clapnq, quotesum, xquad and cuad as JSONL. The floor is plain BM25 over the same passages, measured once
with another implementation. A cell under its floor is marked with `!`. With POOL, a JSONL of passages with a "text"
(`benchmarks.debian` makes one), everything is asked again of one corpus that holds all sets and so many passages of
the pool besides; printed is what is left, and how much more or less that is than for the set alone.
"""

import itertools
import json
import pathlib
import re
import sys
import tempfile
from dataclasses import replace

from benchmarks import given
from benchmarks.tokens import PlainBM25, baseline_tokenizer
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.store import CorpusStore

DEPTH = 10
XQUAD = ("en", "de", "es", "zh", "ar", "tr", "ru", "hi")
FLOOR = {
    "clapnq": (0.865, 0.951, 0.975),
    "quotesum": (0.86, 1.0, 1.0),
    "xquad en": (0.927, None, 0.996),
    "xquad de": (0.888, None, 0.985),
    "xquad es": (0.929, None, 0.996),
    "xquad zh": (0.948, None, 0.996),
    "xquad ar": (0.836, None, 0.961),
    "xquad tr": (0.871, None, 0.978),
    "xquad ru": (0.858, None, 0.959),
    "xquad hi": (0.929, None, 0.994),
}
PUBLISHED = (0.44, 0.71, 0.82)
"""Plain BM25 on CUAD within the contract, measured elsewhere on pieces of 1,000 characters; how they were cut is not
told, so that plain BM25 is measured here on each cutting, within the contract alone, as the floor.
"""
PIECE = 1_000


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def whole(name, text, title=""):
    """A document of one passage."""
    return Document(name, "1", text, (Span(0, len(text)),), title=title)


def passages_and_questions(data):
    """For each set: documents, and (question, names of the right documents, filter)."""
    rows = lines(data / "clapnq/passages.jsonl")
    asked = [(row["question"], {row["pid"]}) for row in lines(data / "clapnq/questions.jsonl") if row["answerable"]]
    yield "clapnq", [whole(row["pid"], row["text"], row["title"]) for row in rows], asked
    rows = lines(data / "quotesum/passages.jsonl")
    asked = [
        (row["question"], {source["pid"] for source in row["sources"]})
        for row in lines(data / "quotesum/answers.jsonl")
    ]
    yield "quotesum", [whole(row["pid"], row["text"], row["title"]) for row in rows], asked
    for lang in XQUAD:
        rows = lines(data / f"xquad/{lang}.passages.jsonl")
        asked = [(row["question"], {row["pid"]}) for row in lines(data / f"xquad/{lang}.questions.jsonl")]
        yield f"xquad {lang}", [whole(row["pid"], row["text"]) for row in rows], asked


def rank_of(hits, right):
    """1-based rank of the first right hit, or None."""
    for number, hit in enumerate(hits, 1):
        if right(hit):
            return number
    return None


def figures(ranks):
    """recall@1, @5, @10 and mean reciprocal rank, the rank counted to `DEPTH`."""
    number = len(ranks)
    return (
        *(sum(rank is not None and rank <= depth for rank in ranks) / number for depth in (1, 5, 10)),
        sum(1 / rank for rank in ranks if rank) / number,
    )


def ranks_of(store, asked):
    return [
        rank_of(store.search(question, limit=DEPTH), lambda hit, right=right: hit.passage.document_id in right)
        for question, right in asked
    ]


def slices(text):
    """Every 1,000 characters, wherever that is."""
    return [(start, min(start + PIECE, len(text))) for start in range(0, len(text), PIECE)]


def paragraphs(text):
    """Whole paragraphs, as many as make 1,000 characters or more."""
    found, start = [], 0
    for end in [*(match.end() for match in re.finditer(r"\n\s*\n", text)), len(text)]:
        if end - start >= PIECE or (end == len(text) and end > start):
            found.append((start, end))
            start = end
    return found


CUTTINGS = {"cuad, slices of 1,000": slices, "cuad, paragraphs to 1,000": paragraphs}


def contracts(data):
    """The texts of the contracts, and for each its categories with the places that are right."""
    wanted = {}
    for clause in lines(data / "cuad/clauses.jsonl"):
        wanted.setdefault(clause["cid"], {}).setdefault(clause["category"], []).extend(clause["txt_spans"])
    return {cid: (data / f"cuad/txt/{cid}.txt").read_bytes().decode("utf-8") for cid in wanted}, wanted


def cut_contracts(texts, cutting):
    return [Document(cid, "1", text, [Span(*span) for span in cutting(text)]) for cid, text in texts.items()]


def cuad_questions(data):
    """Category and description as the question, by category."""
    rows = lines(data / "cuad/categories.jsonl")
    return {row["category"]: f"{row['category']} {row['description']}" for row in rows}


def cuad(store, data, wanted):
    """Category and description as the question, within one contract of the corpus."""
    asked, ranks = cuad_questions(data), []
    for cid, categories in wanted.items():
        for category, places in categories.items():
            hits = store.search(asked[category], limit=DEPTH, document_ids=[cid])
            ranks.append(rank_of(hits, lambda hit, places=places: overlaps(hit.passage, places)))
    return ranks


def plain_cuad(texts, data, wanted, cutting):
    """The same by plain BM25 over the pieces of the contract alone."""
    asked, ranks, tokenizer = cuad_questions(data), [], baseline_tokenizer()
    for cid, categories in wanted.items():
        spans = {str(number): span for number, span in enumerate(cutting(texts[cid]))}
        index = PlainBM25({key: texts[cid][start:end] for key, (start, end) in spans.items()}, tokenizer)
        for category, places in categories.items():
            found = index.rank(asked[category], DEPTH)
            ranks.append(
                rank_of(
                    found,
                    lambda key, spans=spans, places=places: any(
                        start < spans[key][1] and spans[key][0] < end for start, end in places
                    ),
                )
            )
    return ranks


def overlaps(passage, places):
    return any(start < passage.start + len(passage.text) and passage.start < end for start, end in places)


UNDER: list[str] = []
"""Sets with a cell under its floor."""


def show(name, number, result):
    cells = []
    for value, floor in zip(result, (*FLOOR.get(name, (None, None, None)), None), strict=True):
        digits = 2 if name.startswith(("cuad", "quotesum")) else 3
        under = floor is not None and round(value, digits) < floor
        UNDER.extend([name] * under)
        cells.append(f"{value:.3f}{'!' if under else ' '}{f'({floor:.3f})' if floor is not None else '':>8}")
    row(name, number, cells)


def row(name, number, cells):
    print(f"{name:<26}{number:>6}  " + "  ".join(f"{cell:>14}" for cell in cells), flush=True)


def main(data: pathlib.Path, pool: pathlib.Path | None = None, others: int = 200_000) -> None:
    columns = ("recall@1", "@5", "@10", "MRR")
    row("set (floor in brackets)", "asked", columns)
    sets, alone = list(passages_and_questions(data)), {}
    for name, documents, asked in sets:
        with CorpusStore.in_memory() as store:
            store.add_documents(documents)
            alone[name] = figures(ranks_of(store, asked))
            show(name, len(asked), alone[name])
    texts, wanted = contracts(data)
    for name, cutting in CUTTINGS.items():
        FLOOR[name] = tuple(round(value, 2) for value in figures(plain_cuad(texts, data, wanted, cutting))[:3])
        with CorpusStore.in_memory() as store:
            store.add_documents(cut_contracts(texts, cutting))
            ranks = cuad(store, data, wanted)
            alone[name] = figures(ranks)
            show(name, len(ranks), alone[name])
    print("cuad, within the contract, beside what is published for pieces of 1,000 characters of unknown cut:")
    for name in CUTTINGS:
        off = [round(value, 2) - other for value, other in zip(alone[name][:3], PUBLISHED, strict=True)]
        print(
            f"  {name:<26}" + "  ".join(f"{each:+.2f} to {other}" for each, other in zip(off, PUBLISHED, strict=True))
        )
    if pool is not None:
        with tempfile.TemporaryDirectory() as folder, CorpusStore.open(pathlib.Path(folder) / "pool.db") as store:
            held = store.add_documents(others_of(pool, others), batch=5_000).documents
            print(f"\none corpus of all sets and {held:,} other passages (more or less than alone)")
            row("set", "asked", columns)
            for name, ranks in pooled(store, data, sets, texts, wanted):
                left = figures(ranks)
                pairs = zip(left, alone[name], strict=True)
                row(name, len(ranks), [f"{value:.3f} ({value - before:+.3f})" for value, before in pairs])
    if UNDER:
        print(f"under the floor: {', '.join(dict.fromkeys(UNDER))}")
        sys.exit(1)


def others_of(pool, wanted):
    with open(pool, encoding="utf-8") as file:
        for number, line in enumerate(itertools.islice(file, wanted)):
            yield whole(f"other{number}", json.loads(line)["text"])


def pooled(store, data, sets, texts, wanted):
    """The ranks of each set over a store of other passages; of the sets in several languages one is in force at a time,
    since the same ids stand for a passage in each.
    """
    for name, own, _ in sets:
        store.add_documents([replace(each, version=name.replace(" ", "-"), status="superseded") for each in own])
    store.add_documents(cut_contracts(texts, slices))
    for name, own, asked in sets:
        for each in own:
            store.operator.set_status(each.document_id, name.replace(" ", "-"), "current")
        yield name, ranks_of(store, asked)
    for version, (name, cutting) in enumerate(CUTTINGS.items(), 2):
        store.add_documents([replace(each, version=str(version)) for each in cut_contracts(texts, cutting)])
        yield name, cuad(store, data, wanted)


if __name__ == "__main__":
    asked = given.parser(__doc__)
    asked.add_argument("data", metavar="DATA", type=given.folder, help="folder with the public sets")
    asked.add_argument("pool", metavar="POOL.jsonl", type=given.file, nargs="?", help="other passages, one a line")
    asked.add_argument("--others", type=int, default=200_000, help="how many of them")
    main(**vars(asked.parse_args()))
