"""Files of all kinds: does each give text or a coded reason, how much of it, and how fast.

Prints for each kind how many of the messy files were read and with which codes the others were refused; the share of
sentences of the manuals (TXT) that are found in their PDF, EPUB and HTML; words of another tool's reading that ours
does not have (a hint: that one is made by a machine too); and the time against the bare text call of the library
underneath, start of processes left out. Ends with exit code 1 if a floor is missed.
"""

import io
import pathlib
import re
import sys
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable

from lxml import etree

from benchmarks import given
from benchmarks.honest import _BUILDER_MARKS, _WRAP, Floors, Loose, code_of, manual_sentences
from tests.mutation.reading import PROFILES
from verified_gate.gate import Gate
from verified_gate.ingest.document import PUBLIC
from verified_gate.ingest.extracted import Extracted
from verified_gate.ingest.formats import reader_of
from verified_gate.ingest.formats.detect import detect
from verified_gate.ingest.gathering import gather, read_each
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.unreadable import UnreadableFile
from verified_gate.ingest.worker import Readers

SLOWEST = 30.0
RATIO = {"html": 4.3, "epub": 3.8, "docx": 1.6}
"""Times of the bare text call that reading may take, which gives no blocks, tables, anchors or hidden words.

Two times is the aim, which only DOCX meets (1.4). HTML was measured at 3.2 to 3.3 on a quiet machine, and at 3.6 to
4.1 on a busy one since pages in XML are read as HTML too: 2.7 with lxml's own parser, which ends hidden elements elsewhere than
browsers do (ADR 0031). EPUB, whose chapters are XML, was at 3.1 to 3.6.
"""
_RUNS = 15
_LIMITS = ReadingLimits()


def files(data: pathlib.Path) -> list[pathlib.Path]:
    return [
        path
        for path in sorted((data / "messy").rglob("*"))
        if path.is_file() and "expected" not in path.parts and path.name not in ("README.md", "inventory.jsonl")
    ]


def every_file(data: pathlib.Path, floors: Floors) -> dict[pathlib.Path, Extracted]:
    """Each in a process that can be killed; Markdown and plain text are read as they stand."""
    read: dict[pathlib.Path, Extracted] = {}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    sizes: Counter[str] = Counter()
    slowest, held = (0.0, ""), 0
    paths = files(data)
    with Readers(_LIMITS, workers=1) as readers:
        for path in paths:
            content = path.read_bytes()
            start = time.perf_counter()
            kind = path.suffix[1:]
            try:
                kind = str(detect(content, path.name))
                if kind in ("markdown", "text"):
                    found = Extracted(content.decode("utf-8"), kind)
                else:
                    found = readers.read(content, kind)
                read[path] = found
                outcome = found.coverage
                sizes[kind] += len(found.text)
            except UnreadableFile as fault:
                outcome = fault.reason
            slowest = max(slowest, (time.perf_counter() - start, path.name))
            counts[kind][outcome] += 1
            held += 1
    print(f"\nmessy: {len(paths)} files; the slowest took {slowest[0]:.2f} s ({slowest[1]})")
    for kind, found in sorted(counts.items()):
        told = ", ".join(f"{outcome} {count}" for outcome, count in found.most_common())
        print(f"  {kind:10} {sum(found.values()):4} files {sizes[kind]:10} code points: {told}")
    for path, found in read.items():
        if found.lost:
            print(f"    {path.name}: lost {'; '.join(found.lost)}")
    floors.check("files with a text or a coded reason", held, len(paths), 1.0)
    floors.check(f"files within {SLOWEST:.0f} s", int(slowest[0] < SLOWEST), 1, 1.0)
    return read


def manuals(data: pathlib.Path, floors: Floors) -> None:
    print("\nmanuals: sentences of the TXT in what is read of the other formats")
    for lang in ("en", "de"):
        folder = data / "messy" / "manuals" / f"developers-reference.{lang}"
        wrapped = manual_sentences(next(folder.glob("*.txt")).read_text(encoding="utf-8"))
        quotes = [quote.replace(_WRAP, "") for quote in dict.fromkeys(wrapped)]
        plain = [quote for quote in quotes if not _BUILDER_MARKS.search(quote)]
        groups = {"pdf": [next(folder.glob("*.pdf"))], "epub": [next(folder.glob("*.epub"))],
                  "html": sorted((folder / "html").glob("*.html"))}  # fmt: skip
        for kind, paths in groups.items():
            found = [reader_of(kind)(path.read_bytes(), _LIMITS) for path in paths]
            whole = Loose("\n".join(each.text for each in found))
            here = sum(bool(whole.spans(quote)) for quote in plain)
            for profile in PROFILES[:3]:
                gates = [_gate(each, profile) for each in found]
                passed, refused = 0, []
                for quote in plain:
                    if any(code_of(gate, quote) == "accepted" for gate in gates):
                        passed += 1
                    else:
                        refused.append(quote)
                floor = 0.97 if profile == "extracted" else 0.0
                floors.check(f"manual {lang}, {kind}, {profile}", passed, len(plain), floor)
            print(f"    {len(plain) - here} stand there in other words or not at all; the first refused:")
            for quote in refused[:3]:
                print(f"      {quote[:150]!r}")


def _gate(found: Extracted, profile: str) -> Gate:
    from verified_gate.model import Passage

    return Gate([Passage(key="k", text=found.text, furniture=found.furniture, hidden=found.hidden)], profile=profile)


def expected(data: pathlib.Path, read: dict[pathlib.Path, Extracted]) -> None:
    """Words of docling's Markdown that are not in our text, by kind."""
    print("\nwords of another tool's reading that ours does not have (its marks, LaTeX and picture notes left out)")
    for kind in ("docx", "html"):
        lost: Counter[str] = Counter()
        total = 0
        for hint in sorted((data / "messy" / kind / "expected").glob("*.md")):
            path = data / "messy" / kind / hint.stem
            words = _words(re.sub(r"<!--.*?-->|\$[^$]*\$|\]\([^)]*\)", " ", hint.read_text(encoding="utf-8")))
            total += len(words)
            lost += Counter(words) - Counter(_words(read[path].text))
        print(f"  {kind}: {sum(lost.values())} of {total}: {', '.join(f'{w} {n}' for w, n in lost.most_common(12))}")


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def _texts_of_zip(content: bytes, wanted: Callable[[str], bool]) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as container:
        parsed = [etree.fromstring(container.read(name)) for name in container.namelist() if wanted(name)]
    return "".join(text for root in parsed for text in root.itertext())


def _bare_html(content: bytes) -> str:
    return "".join(etree.fromstring(content, etree.HTMLParser(encoding="utf-8")).itertext())


_DOCX = re.compile(r"(?:_rels/\.rels|docProps/core\.xml|word/(?:document|styles|numbering|footnotes|endnotes)\.xml)")
BARE: dict[str, Callable[[bytes], str]] = {
    "html": _bare_html,
    "epub": lambda content: _texts_of_zip(content, lambda name: name.endswith(("html", ".opf"))),
    "docx": lambda content: _texts_of_zip(content, lambda name: bool(_DOCX.fullmatch(name))),
}


def speed(data: pathlib.Path, floors: Floors) -> None:
    """CPU time, of each file the best of all runs, against parsing the same parts and joining their text."""
    print(f"\nspeed against lxml's own text call over the same parts (of each file the best of {_RUNS} runs)")
    for kind, bare in BARE.items():
        contents = [path.read_bytes() for path in files(data) if path.suffix == f".{kind}"]
        reader = reader_of(kind)
        own, floor = _best([lambda content: reader(content, _LIMITS), bare], contents)  # noqa: B023
        size = sum(map(len, contents)) / 1e6
        print(f"  {kind:5} {len(contents):3} files {size:5.1f} MB: {own * 1e3:7.1f} ms against {floor * 1e3:7.1f} ms: "
              f"{own / floor:.2f} times, {size / own:.0f} MB/s")  # fmt: skip
        floors.check(f"{kind}: at most {RATIO[kind]} times", int(own / floor <= RATIO[kind]), 1, 1.0)


def elapsed(data: pathlib.Path) -> None:
    """Read as `ingest` reads, by all processes, against the bare call in one; the best of all runs."""
    with Readers(_LIMITS) as readers:
        print(f"the same, elapsed, read as ingest does by {readers.workers} processes (told, without a floor)")
        found = [each for each in gather([data / "messy"]).files if each.file in set(files(data))]
        for kind, bare in BARE.items():
            chosen = [each for each in found if each.file.suffix == f".{kind}"]
            contents = [each.file.read_bytes() for each in chosen]
            least = [float("inf"), float("inf")]
            for _ in range(_RUNS):
                start = time.perf_counter()
                for content in contents:
                    bare(content)
                middle = time.perf_counter()
                states = Counter(outcome.state for outcome in read_each(chosen, readers, PUBLIC))
                least = [min(least[0], middle - start), min(least[1], time.perf_counter() - middle)]
                assert states == {"read": len(chosen)}, states
            print(
                f"  {kind:5} {least[1] * 1e3:7.1f} ms against {least[0] * 1e3:7.1f} ms: {least[1] / least[0]:.2f} times"
            )


def _best(calls: list[Callable[[bytes], object]], contents: list[bytes]) -> list[float]:
    """By turns, so that what else the machine does falls upon all of them."""
    best = [[float("inf")] * len(contents) for _ in calls]
    for _ in range(_RUNS):
        for call, times in zip(calls, best, strict=True):
            for index, content in enumerate(contents):
                start = time.process_time()
                call(content)
                times[index] = min(times[index], time.process_time() - start)
    return [sum(times) for times in best]


def main(data: pathlib.Path) -> None:
    floors = Floors()
    read = every_file(data, floors)
    expected(data, read)
    manuals(data, floors)
    speed(data, floors)
    elapsed(data)
    if floors.missed:
        print("missed:", ", ".join(floors.missed))
        sys.exit(1)


if __name__ == "__main__":
    main(given.data(__doc__))
