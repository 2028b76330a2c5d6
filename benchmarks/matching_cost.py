"""What a check costs, against the floor: `quote in text` and SHA-256 of the passage, measured in the same run.

Ratios, not times: a passage of 2,000 code points of real text and a quote of 120. Then growth (1 MB of passage, 100 kB of
quote: twice the size, twice the time), hostile inputs against honest text of the same size, other libraries in the
same run, and the memory that the folds of 100,000 passages take. Times are the best of several runs.
"""

import hashlib
import multiprocessing
import os
import pathlib
import re
import statistics
import sys
import time
import warnings
from collections.abc import Callable

from benchmarks import given
from benchmarks.quoted_data import cuad_texts, pdf_text, records
from verified_gate.gate import Gate

LIMITS = {"exact hit": (3, 2), "folded hit, fold known": (6, 4), "first folded hit": (60, 60), "refusal": (10, 10)}
_CURLY = str.maketrans({"'": "’", '"': "“"})


def best(run: Callable[[], object], times: int = 40) -> float:
    """Seconds of the fastest of several runs."""
    fastest = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        run()
        fastest = min(fastest, time.perf_counter() - began)
    return fastest


def floor(text: str, quote: str) -> bool:
    hashlib.sha256(text.encode()).hexdigest()
    return quote in text


def samples(data: pathlib.Path) -> list[tuple[str, str, str, str]]:
    """(kind, passage of 2,000, exact quote, quote that needs folds): ten ASCII passages of clapnq and cuad, and ten with
    typographic marks, accents or other scripts, of cuad's PDFs and xquad."""
    plain = [row["text"] for row in records(data / "clapnq" / "passages.jsonl") if row["text"][:2100].isascii()]
    plain = [text for text in plain if len(text) >= 2100][:5]
    plain += [text for text in cuad_texts(data).values() if text[6000:8000].isascii() and len(text) > 20_000][:5]
    marked = [pdf_text(path) for path in sorted((data / "cuad" / "pdf").glob("*.pdf"))[:40:2]]
    marked = [text for text in marked if not text[6000:8000].isascii() and len(text) > 20_000][:5]
    for lang in ("de", "es", "ru", "ar", "hi"):
        marked.append(" ".join(row["text"] for row in records(data / "xquad" / f"{lang}.passages.jsonl")[:9])[:5000])
    found = []
    for kind, texts in (("ASCII", plain), ("marks", marked)):
        for number, text in enumerate(texts):
            start = 6000 if len(text) > 20_000 else 0
            passage = " ".join(text[start:].replace("\ufeff", "").split())[:2000]
            found.append((kind, *_sample(passage, curly=bool(number % 2))))
    return found


def _sample(passage: str, *, curly: bool) -> tuple[str, str, str]:
    low = passage.index(" ", 900) + 1
    high = passage.rindex(" ", low, low + 121)
    while not (passage[low].isalnum() and passage[low - 1] == " "):
        low += 1
    while not passage[high - 1].isalnum():
        high -= 1
    exact = passage[low:high]
    cut = passage.rindex(" ", 0, low + len(exact) // 2)
    broken = passage[:cut] + "\r\n " + passage[cut + 1 :]  # the passage breaks a line inside the quote
    return broken, exact, exact.translate(_CURLY) if curly else exact


def accepted(found: object) -> bool:
    return type(found).__name__ == "VerifiedCitation"


def against_the_floor(data: pathlib.Path) -> bool:
    print("\ncost of one check, in floors (limit, aim): median and worst over real passages of 2,000 code points,")
    print("ten in ASCII and ten with typographic marks, accents or other scripts")
    ratios: dict[tuple[str, str], list[float]] = {}
    misses = over = 0
    for kind, passage, exact, folded in samples(data):

        def note(name: str, value: float, kind: str = kind) -> None:
            ratios.setdefault((name, kind), []).append(value)

        plain = passage.replace("\r\n ", " ", 1)
        base = best(lambda t=plain, q=exact: floor(t, q), 400)
        note("floor, microseconds", base * 1e6)
        gate = Gate({"k": plain})
        misses += not accepted(gate.verify("k", exact))
        note("exact hit, verbatim", best(lambda g=gate, q=exact: g.verify("k", q), 400) / base)
        changed = exact[:-3] + ("x" if exact[-3] != "x" else "y") + exact[-2:]
        for profile in ("verbatim", "typographic", "extracted", "editorial"):
            snapshot = best(lambda t=passage, p=profile: Gate({"k": t}, profile=p), 40)
            note(f"snapshot (Gate made), {profile}", snapshot / base)
            gate = Gate({"k": passage}, profile=profile)
            if profile != "verbatim":
                first = float("inf")
                for number in range(12):  # a new passage each time, so that no fold is known
                    fresh = Gate({"k": f"{passage} {number}{profile}"}, profile=profile)
                    began = time.perf_counter()
                    fresh.verify("k", folded)
                    first = min(first, time.perf_counter() - began)
                note(f"first folded hit, {profile}", first / base)
                misses += not accepted(gate.verify("k", folded))
                known = best(lambda g=gate, q=folded: g.verify("k", q), 200)
                note(f"folded hit, fold known, {profile}", known / base)
            gate.verify("k", changed)
            note(f"refusal, {profile}", best(lambda g=gate, q=changed: g.verify("k", q), 200) / base)
    print(f"  {'':40}{'ASCII':>8}{'worst':>8}{'marks':>8}{'worst':>8}")
    for name in sorted({name for name, _ in ratios}):
        limit = next((pair for key, pair in LIMITS.items() if name.startswith(key)), None)
        middles = [statistics.median(ratios[name, kind]) for kind in ("ASCII", "marks")]
        worst = [max(ratios[name, kind]) for kind in ("ASCII", "marks")]
        held = limit is None or max(middles) <= limit[0]
        bound = "" if limit is None else f"   limit {limit[0]}, aim {limit[1]}  {'ok' if held else 'OVER'}"
        print(f"  {name:40}{middles[0]:8.2f}{worst[0]:8.2f}{middles[1]:8.2f}{worst[1]:8.2f}{bound}")
        over += not held
    print(f"  quotes that should have been accepted and were not: {misses}")
    return not misses and not over


def growth(data: pathlib.Path) -> None:
    print("\ngrowth: seconds at 1 MB of passage and 99 kB of quote, and what twice the size costs (2 is proportional)")
    whole = "\n".join(cuad_texts(data).values())
    for profile in ("verbatim", "typographic", "extracted", "editorial"):
        for name in ("hit", "refusal"):
            took = []
            for size in (250_000, 500_000, 1_000_000):
                text = whole[:200_000] + "\u2019" + whole[200_001:size]  # some mark in each, so that none is pure ASCII
                quote = _quote(text, size // 2, 120, name, profile)
                took.append(best(lambda t=text, q=quote, p=profile: Gate({"k": t}, profile=p).verify("k", q), 3))
            print(
                f"  passage, {profile:12} {name:8} {took[2]:8.3f} s   x{took[1] / took[0]:.2f} x{took[2] / took[1]:.2f}"
            )
        gate = Gate({"k": whole[:1_000_000]}, profile=profile)
        gate.verify("k", _quote(whole, 5000, 120, "refusal", profile))
        for name in ("hit", "refusal"):
            took = []
            for size in (25_000, 50_000, 99_000):
                quote = _quote(whole, 400_000, size, name, profile)
                took.append(best(lambda g=gate, q=quote: g.verify("k", q), 3))
            print(
                f"  quote,   {profile:12} {name:8} {took[2]:8.3f} s   x{took[1] / took[0]:.2f} x{took[2] / took[1]:.2f}"
            )


def _quote(text: str, at: int, size: int, kind: str, profile: str) -> str:
    """About `size` code points around a line break; as they stand for `verbatim`, else with their space collapsed."""
    line = next(m.start() for m in re.finditer(r"(?<=[a-z])\s*\n\s*(?=[a-z])", text[at:])) + at if size < 1000 else at
    low = text.index(" ", line - (60 if size < 1000 else 0)) + 1
    high = text.rindex(" ", low, low + size)
    quote = text[low:high] if profile == "verbatim" else " ".join(text[low:high].split())
    return quote if kind == "hit" else quote[:-1] + "\u0416"


def _hostile(size: int) -> dict[str, tuple[str, str]]:
    """Texts made to be expensive, and a quote for each."""
    half = size // 2
    return {
        "spaces": ("one two three" + " " * size + "four five six", "three" + " " * 500 + "four five"),
        "spaces, quote of spaces": ("a b c" + " " * size, "a b c" + " " * 90_000 + "d e f"),
        "combining marks": ("one two a" + "\u0301" * size + " three", "two a" + "\u0301" * 500 + " three x"),
        "combining marks, mixed": ("a" + "\u0301\u0323" * half + " one two", "a" + "\u0323\u0301" * 40_000 + " one two"),
        "aaaa…ab": ("a" * size + "b and so on", "a" * 50_000 + "c and so"),
        "a a a … b": ("a " * half + "b", "a " * 40_000 + "c"),
        "ab ab … in capitals": ("AB " * (size // 3), "ab " * 30_000 + "ac"),
        "10,000 ellipses in the quote": ("one two, three four. " * (size // 21), "one two … " * 9_900 + "three four"),
        "ellipses in both": ("one two ... " * (size // 12), "one two … " * 9_900 + "three four"),
        "nested brackets": ("[" * half + "]" * half, "[" * 40_000 + "x y z" + "]" * 40_000),
        "opening brackets": ("[" * size, "one [" * 15_000 + "two three"),
        "link openings": ("[a](" * (size // 4), "[a](" * 20_000 + " b c d"),
        "link openings and spaces": ("[a b](x" * (size // 7), "a b a b a b c"),
        "stars": ("*" * size, "one *two* three" + "*" * 50_000),
        "stars and words": ("*a " * (size // 3), "*a " * 30_000 + "b"),
        "underscores and words": ("_a_b" * (size // 4), "_a_b" * 20_000 + " c d"),
        "bars": ("|" * size, "one | two | three" + "|" * 50_000),
        "table rules": ("|---" * (size // 4) + "\n", "one two three |---"),
        "ampersands": ("&" * size, "one two three &"),
        "unfinished references": ("&amp" * (size // 4), "one two &amp three"),
        "references": ("&amp;" * (size // 5), "&" * 50_000 + " a b"),
        "hyphens at line ends": ("a-\n" * (size // 3), "a" * 30_000 + " b c"),
        "hyphens at line ends, kept": ("a-\n" * (size // 3), "a-" * 30_000 + "b c"),
        "list marks": ("- a\n" * (size // 4), "a " * 30_000 + "b"),
        "headings": ("# a\n" * (size // 4), "a " * 30_000 + "b"),
        "footnote marks": ("a[1] " * (size // 5), "a " * 30_000 + "b"),
        "quotation marks": ('"' * size, '"' * 50_000 + "one two three"),
        "soft hyphens": ("a" + "\u00ad" * size + "b c d", "ab c d e"),
        "flags": ("\U0001f1e9" * size + " one two three", "one two three four"),
        "joined emoji": ("\U0001f469\u200d" * half, "\U0001f469\u200d" * 30_000 + " a b c"),
        "full stops": ("a. " * (size // 3), "a. " * 20_000 + "… b c"),
        "the same short quote everywhere": ("one two three " * (size // 14), "one two three"),
        "the same, clipped": ("xone two three " * (size // 15), "one two three"),
        "Han": ("中" * size, "中" * 50_000 + "文"),
        "Han, broken lines": ("中\n" * half, "中" * 50_000 + "文"),
        "Arabic marks": ("\u0628\u064b\u0651" * (size // 3), "\u0628\u0651\u064b" * 20_000 + " a"),
        "jamo": ("\u1100\u1161\u11a8" * (size // 3), "\uac01" * 30_000 + " a b"),
        "line separators": ("\r\n" * half + "one two", "one two three four"),
        "one long number": ("1" * half + "," * half, "1" * 50_000 + " 2 3"),
    }  # fmt: skip


def hostile(data: pathlib.Path, size: int = 300_000, factor: float = 10.0) -> None:
    print(
        f"\nhostile inputs of {size:,} code points, quotes up to 100,000: a fresh gate and one check, against honest text of that size"
    )
    pdfs = sorted((data / "cuad" / "pdf").glob("*.pdf"))
    whole = "\n".join(pdf_text(path) for path in pdfs[:20]).replace("\ufffe", "-")[
        :size
    ]  # real text with its marks, not ASCII alone
    for profile in ("typographic", "extracted", "editorial"):
        quote = _quote(whole, size // 2, 99_000, "refusal", profile)
        known = _quote(whole, size // 2, 99_000, "hit", profile)
        base = max(best(lambda q=q, p=profile: Gate({"k": whole}, profile=p).verify("k", q), 3) for q in (quote, known))
        rows = []
        for name, (text, hostile_quote) in _hostile(size).items():
            ratios = []
            for evidence, asked in ((text, hostile_quote), (whole, hostile_quote), (text, quote)):
                began = time.perf_counter()
                Gate({"k": evidence}, profile=profile).verify("k", asked)
                ratios.append((time.perf_counter() - began) / base)
            rows.append((max(ratios), name, ratios))
        rows.sort(reverse=True)
        print(f"  {profile}: honest {base:.3f} s; worst of {len(rows)} (hostile both, hostile quote, hostile passage)")
        for worst, name, ratios in rows:
            if worst > factor or worst in [row[0] for row in rows[:6]]:
                shown = "  ".join(f"x{ratio:.2f}" for ratio in ratios)
                print(f"    {name:36}{shown}   {'OVER' if worst > factor else 'ok'} (limit x{factor:.0f})")


def others(data: pathlib.Path) -> None:
    print(
        "\nother libraries on the same passages and quotes, in floors (hit with a fold; refusal of one changed letter)"
    )
    rows: dict[str, list[tuple[float, float]]] = {}
    for _, passage, _, folded in samples(data)[::4]:
        base = best(lambda t=passage, q=folded: floor(t, q), 200)
        changed = folded[:60] + "xyzzy plugh" + folded[71:]
        for name, run in _other_checkers(passage).items():
            hit = best(lambda r=run, q=folded: r(q), 5)
            miss = best(lambda r=run, q=changed: r(q), 5)
            rows.setdefault(name, []).append((hit / base, miss / base))
    for name, pairs in rows.items():
        print(
            f"  {name:42}{statistics.median(p[0] for p in pairs):10.1f}{statistics.median(p[1] for p in pairs):10.1f}"
        )


def _other_checkers(passage: str) -> dict[str, Callable[[str], object]]:
    """This gate and whichever of the others can be imported."""
    gate = Gate({"k": passage}, profile="typographic")
    found: dict[str, Callable[[str], object]] = {"this gate, typographic": lambda q: gate.verify("k", q)}
    try:
        from rapidfuzz import fuzz

        found["rapidfuzz partial_ratio_alignment"] = lambda q: fuzz.partial_ratio_alignment(q, passage)
    except ImportError:
        pass
    try:
        from fuzzysearch import find_near_matches

        found["fuzzysearch, 5 edits"] = lambda q: find_near_matches(q, passage, max_l_dist=5)
    except ImportError:
        pass
    try:
        import regex

        found["regex, 5 errors, best match"] = lambda q: regex.search(f"(?b)(?:{regex.escape(q)}){{e<=5}}", passage)
    except ImportError:
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from langextract.core.data import Extraction
            from langextract.resolver import WordAligner

        found["langextract aligner"] = lambda q: WordAligner().align_extractions([[Extraction("q", q)]], passage)
    except ImportError:
        pass  # an optional comparison; the table shows what ran
    return found


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _memory(task: tuple[pathlib.Path, str, int]) -> tuple[float, float, float]:
    """Megabytes of the passages, of the gate over them, and of their folds, in a process of its own."""
    data, profile, count = task
    whole = "\n".join(cuad_texts(data).values())
    step = max(1, (len(whole) - 1000) // count)
    before = _resident()
    evidence = {f"p{n}": whole[n * step : n * step + 1000] for n in range(count)}
    texts = _resident()
    gate = Gate(evidence, profile=profile)
    made = _resident()
    for key, text in evidence.items():  # a hit under folds; a refusal would look into all other passages too
        gate.verify(key, "\u00a0".join(text[300:400].split()[1:-1]))
        reading = gate._evidence.sources[key].reading  # what a gate makes on need only is made here for all
        for folded in filter(None, (reading.folded, reading.any_case)):
            _ = folded.sites and folded.skeleton
    return (texts - before) / 1e6, (made - texts) / 1e6, (_resident() - made) / 1e6


def memory(data: pathlib.Path, count: int = 100_000) -> None:
    print(f"\nmemory: {count:,} passages of 1,000 code points, every fold computed (resident set, MB)")
    if not pathlib.Path("/proc/self/statm").exists():
        print("  not measured: needs /proc")
        return
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for profile in ("typographic", "extracted", "editorial"):
            texts, made, folds = pool.map(_memory, [(data, profile, count)], chunksize=1)[0]
            print(f"  {profile:12} passages {texts:7.0f}   gate over them {made:7.0f}   folds {folds:7.0f}")


def main(data: pathlib.Path) -> None:
    held = against_the_floor(data)
    growth(data)
    hostile(data)
    others(data)
    memory(data)
    if not held:
        sys.exit(1)


if __name__ == "__main__":
    main(given.data(__doc__))
