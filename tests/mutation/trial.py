"""Runs the mutation bank against a quote checker and lets the judge sort what the checker accepted."""

import json
import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from tests.mutation.bank import OPERATORS, Honest
from tests.mutation.dress import dressed, plant
from tests.mutation.oracle import Source


class Verdict(NamedTuple):
    """What a checker says of one quote; `start` and `end` are code points in the source, `code` why it was refused."""

    accepted: bool
    start: int = -1
    end: int = -1
    code: str = ""


Checker = Callable[[str, str, str], Verdict]
"""`(text, quote, profile)` to a verdict."""


@dataclass(slots=True)
class Row:
    """Counts of one operator under one profile."""

    tried: int = 0
    refused: int = 0
    true_by_chance: int = 0
    false_accepts: int = 0


@dataclass(slots=True)
class Tally:
    """What a run found; adds up over processes. `offenders` are false accepts as JSON, at most a few per operator."""

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    honest: Counter[tuple[str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    offenders: list[str] = field(default_factory=list)
    doubted: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        for key, row in other.rows.items():
            mine = self.rows.setdefault(key, Row())
            mine.tried += row.tried
            mine.refused += row.refused
            mine.true_by_chance += row.true_by_chance
            mine.false_accepts += row.false_accepts
        self.honest.update(other.honest)
        self.codes.update(other.codes)
        self.offenders += other.offenders
        self.doubted += other.doubted

    @property
    def false_accepts(self) -> int:
        return sum(row.false_accepts for row in self.rows.values())

    def tried(self, profile: str) -> int:
        return sum(row.tried for (_, of), row in self.rows.items() if of == profile)


@lru_cache(maxsize=64)
def _source(text: str) -> Source:
    return Source(text)


def run(
    check: Checker, quotes: Iterable[Honest], profiles: Iterable[str], seed: int = 0, planted: float = 0.3
) -> Tally:
    """Every operator once on every quote under every profile; a share of the quotes has a telling token planted."""
    tally = Tally()
    profiles = tuple(profiles)
    for honest in quotes:
        mark = zlib.crc32(honest.quote.encode("utf-8", "surrogatepass"))
        rng = random.Random(f"{seed}:{mark}")
        base = plant(rng, honest) if rng.random() < planted else honest
        for profile in profiles:
            _try_one(check, base, profile, f"{seed}:{mark}:{profile}", tally)
    return tally


def _try_one(check: Checker, base: Honest, profile: str, seed: str, tally: Tally) -> None:
    written = dressed(random.Random(seed), base, profile)
    verdict = check(written.text, written.quote, profile)
    tally.honest[profile, "accepted" if verdict.accepted else verdict.code] += 1
    if verdict.accepted and not _source(written.text).holds_at(written.quote, profile, verdict.start, verdict.end):
        tally.doubted.append(_show("honest", written, written.quote, profile, verdict))
    for name, mutate in OPERATORS.items():
        quote = mutate(random.Random(f"{seed}:{name}"), written)
        if not quote or quote == written.quote:
            continue
        row = tally.rows.setdefault((name, profile), Row())
        row.tried += 1
        verdict = check(written.text, quote, profile)
        if not verdict.accepted:
            row.refused += 1
            tally.codes[name, verdict.code] += 1
        elif _source(written.text).holds_at(quote, profile, verdict.start, verdict.end):
            row.true_by_chance += 1
        else:
            row.false_accepts += 1
            tally.offenders.append(_show(name, written, quote, profile, verdict))


def _show(name: str, written: Honest, quote: str, profile: str, verdict: Verdict) -> str:
    low, high = max(0, verdict.start - 25), verdict.end + 25
    found = {
        "operator": name,
        "profile": profile,
        "quote": quote if len(quote) < 300 else quote[:140] + " <...> " + quote[-140:],
        "written": written.quote
        if len(written.quote) < 300
        else written.quote[:140] + " <...> " + written.quote[-140:],
        "source": written.text[low:high]
        if high - low < 400
        else written.text[low : low + 180] + " <...> " + written.text[high - 180 : high],
        "start": verdict.start,
        "end": verdict.end,
    }
    return json.dumps(found, ensure_ascii=False)
