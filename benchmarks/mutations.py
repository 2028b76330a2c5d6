"""The mutation bank on real texts: at least 100,000 dishonest quotes under each profile, and none may be accepted.

Quotes come from cuad (text and PDFs), quotesum, clapnq and xquad in 8 languages, each inside a passage of at most about
4,000 code points. What the gate accepts is judged by the independent oracle of the tests. Exit code 1 on any false
accept, and the first twenty are printed as JSON.
"""

import json
import multiprocessing
import pathlib
import sys
import time
from collections import Counter

from benchmarks import given
from benchmarks.quoted_data import clapnq_quotes, cuad_quotes, quotesum_quotes, xquad_quotes
from tests.mutation import checkers
from tests.mutation.bank import OPERATORS, Honest
from tests.mutation.reading import PROFILES
from tests.mutation.trial import Row, Tally, run

WANTED = 150_000
STRIDE = 7919


def _run(task: tuple[list[Honest], int, str]) -> Tally:
    quotes, seed, checker = task
    return run(getattr(checkers, checker), quotes, PROFILES, seed=seed)


def trial(quotes: list[Honest], checker: str = "gate", wanted: int = WANTED) -> Tally:
    """Thousand quotes by thousand, and round by round with a new seed, until every profile has met `wanted` mutations."""
    total = Tally()
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        for seed in range(20):
            for first in range(0, len(quotes), 1000):
                if min(total.tried(profile) for profile in PROFILES) >= wanted:
                    return total
                shares = [(quotes[n : n + 50], seed, checker) for n in range(first, min(first + 1000, len(quotes)), 50)]
                for tally in pool.imap_unordered(_run, shares):
                    total.add(tally)
    return total


def report(total: Tally) -> None:
    print(f"{'operator':24}{'tried':>9}{'refused':>9}{'true by chance':>16}{'FALSE ACCEPTS':>15}   refused as")
    for name in OPERATORS:
        row = Row()
        for profile in PROFILES:
            part = total.rows.get((name, profile), Row())
            row = Row(row.tried + part.tried, row.refused + part.refused, row.true_by_chance + part.true_by_chance,
                      row.false_accepts + part.false_accepts)  # fmt: skip
        codes = Counter({code: n for (of, code), n in total.codes.items() if of == name}).most_common(2)
        why = ", ".join(f"{code} {n}" for code, n in codes)
        print(f"{name:24}{row.tried:9}{row.refused:9}{row.true_by_chance:16}{row.false_accepts:15}   {why}")
    print()
    print(f"{'profile':24}{'tried':>9}{'FALSE ACCEPTS':>16}{'unmutated accepted':>21}")
    for profile in PROFILES:
        wrong = sum(row.false_accepts for (_, of), row in total.rows.items() if of == profile)
        honest = sum(n for (of, _), n in total.honest.items() if of == profile)
        print(f"{profile:24}{total.tried(profile):9}{wrong:16}{total.honest[profile, 'accepted'] / honest:20.1%}")
    if total.doubted:
        print(
            f"\n{len(total.doubted)} unmutated quotes accepted that the (stricter) judge would refuse; the first five:"
        )
        for line in total.doubted[:5]:
            print(line)


def _spread(offenders: list[str]) -> list[str]:
    """Twenty offenders, at most five of each operator."""
    shown: Counter[str] = Counter()
    chosen = []
    for line in sorted(offenders):
        name = json.loads(line)["operator"]
        shown[name] += 1
        if shown[name] <= 5:
            chosen.append(line)
    return chosen[:20]


def main(data: pathlib.Path) -> None:
    began = time.perf_counter()
    quotes = [*cuad_quotes(data), *quotesum_quotes(data), *clapnq_quotes(data), *xquad_quotes(data)]
    quotes = [quotes[n * STRIDE % len(quotes)] for n in range(len(quotes))]  # all sets and languages from the start
    print(f"mutations: {len(quotes)} honest quotes, {len(OPERATORS)} operators")
    total = trial(quotes)
    report(total)
    print(f"\n{time.perf_counter() - began:.0f} s")
    if total.false_accepts:
        print(f"\n{total.false_accepts} FALSE ACCEPTS; the first twenty:")
        for line in _spread(total.offenders):
            print(line)
        sys.exit(1)


if __name__ == "__main__":
    main(given.data(__doc__))
