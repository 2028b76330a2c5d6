"""The small copies of real data in tests/data: honest quotes, each in its passage."""

import json
from pathlib import Path

from tests.mutation.bank import Honest
from tests.mutation.borders import is_body

DATA = Path(__file__).parent.parent / "data"
SETS = ("cuad", "quotesum", "clapnq", "xquad")


def passages(name: str) -> list[dict]:
    """The passages of one set: `text`, `lang`, `quotes`, and `origin` where the set has it."""
    return [json.loads(line) for line in (DATA / name / "passages.jsonl").read_text(encoding="utf-8").splitlines()]


def quotes(name: str) -> list[Honest]:
    """Every honest quote of a set, as its passage writes it: found by its letters and digits alone."""
    found = []
    for row in passages(name):
        text = row["text"]
        places = [at for at, char in enumerate(text) if is_body(char)]
        letters = "".join(text[at] for at in places)
        for quote in row["quotes"]:
            start = text.find(quote)
            end = start + len(quote)
            if start < 0:
                wanted = "".join(char for char in quote if is_body(char))
                low = letters.index(wanted)
                start, end = places[low], places[low + len(wanted) - 1] + 1
            found.append(Honest(text, start, end, text[start:end], row["lang"]))
    return found
