"""Real documents: what of them is read, where quotes of them stand, what hostile and odd ones do, and what reading costs.

Prints every share with its floor and ends with exit code 1 if one is missed. Files are read as `ingest` reads them, in
processes that can be killed; only the comparison with the library's bare text call runs in this process.
"""

import hashlib
import json
import pathlib
import resource
import sys
import time
from bisect import bisect_right
from collections import Counter

import pypdfium2

from benchmarks import given
from benchmarks.honest import _BUILDER_MARKS, _WRAP, Floors, Loose, Refused, code_of, manual_sentences
from benchmarks.quoted_data import parts, records
from verified_gate.gate import Gate
from verified_gate.ingest.document import PUBLIC
from verified_gate.ingest.formats.pdf import open_document
from verified_gate.ingest.formats.pdf import read as read_pdf
from verified_gate.ingest.formats.pdf_drawing import boxes_of
from verified_gate.ingest.formats.pdf_page import Opened
from verified_gate.ingest.gathering import gather, read_each
from verified_gate.ingest.limits import ReadingLimits
from verified_gate.ingest.worker import Readers
from verified_gate.model import Passage

MOST_TIMES = 2.0
"""Of the bare text call, elapsed, on a quiet machine of two cores: where other work takes one of these it is up to 3."""
MOST_SECONDS, MOST_BYTES = 30.0, 1_000_000_000


def cuad(data: pathlib.Path, readers: Readers, floors: Floors, refused: Refused) -> None:
    paths = sorted((data / "cuad" / "pdf").glob("*.pdf"))
    clauses: dict[str, list[tuple[str, int | None]]] = {path.stem: [] for path in paths}
    for row in records(data / "cuad" / "clauses.jsonl"):
        pieces = parts(row["clause"])
        for piece in pieces if row["cid"] in clauses else ():
            clauses[row["cid"]].append((piece, row["pdf_page"] if len(pieces) == 1 else None))
    counts: Counter[str] = Counter()
    for path in paths:
        extracted = readers.read(path.read_bytes(), "pdf")
        marks = {"furniture": extracted.furniture, "hidden": extracted.hidden}
        gate = Gate([Passage(key="k", text=extracted.text, **marks)], profile="extracted")
        loose, document = Loose(extracted.text), open_document(path.read_bytes())
        starts = [page.start for page in extracted.pages]
        counts["pages"] += len(extracted.pages)
        counts["running lines"] += len(extracted.furniture)
        for quote, page in clauses[path.stem]:
            if len(quote.split()) < 4:
                counts["short"] += 1
                continue
            if not loose.spans(quote):
                counts["lost"] += 1
                refused.add(f"cuad {path.stem}", "not in the text at all", quote)
                continue
            if not loose.clean(quote):
                counts["unclean"] += 1
                continue
            counts["asked"] += 1
            found = gate.verify("k", quote)
            if type(found).__name__ != "VerifiedCitation":
                refused.add(f"cuad {path.stem}", str(found.code), quote)
                continue
            counts["found"] += 1
            first, last = bisect_right(starts, found.start), bisect_right(starts, found.end - 1)
            if page is not None and found.occurrences == 1:
                counts["page known"] += 1
                counts["page right"] += first <= page <= last
            counts["boxes right"] += _covered(document, extracted, found.start, found.end, first, last)
        document.close()
    print(f"\ncuad: {len(paths)} PDFs, {counts['pages']} pages, {counts['running lines']} running lines marked")
    print(f"  of the parts of clauses {counts['short']} have under four words, {counts['unclean']} begin or end inside a word "
          f"or number, {counts['lost']} are not in the text even by letters and digits alone")  # fmt: skip
    floors.check("parts of clauses found, extracted", counts["found"], counts["asked"], 0.99)
    floors.check("their page right, where it is known", counts["page right"], counts["page known"], 0.98)
    floors.check("boxes cover the words of the quote", counts["boxes right"], counts["found"], 0.95)


def _covered(document, extracted, start: int, end: int, first: int, last: int) -> bool:
    """Does the page's text inside the quote's boxes, cut by the library, hold every word of the quote?"""
    wanted: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for number in range(first, last + 1):
        page = extracted.pages[number - 1]
        low, high = max(start, page.start) - page.start, min(end, page.end) - page.start
        shown = document[number - 1]
        textpage, opened = shown.get_textpage(), Opened(shown)
        for left, bottom, right, top in boxes_of(opened.characters, low, high):
            held.update(_words(textpage.get_text_bounded(left, bottom, right, top)))
        opened.close()
        wanted.update(_words(extracted.text[page.start + low : page.start + high]))
    return not wanted - held


def _words(text: str) -> list[str]:
    return text.replace("￾", "").replace("\x02", "").split()


def messy(data: pathlib.Path, floors: Floors) -> None:
    """Every file gives text or a coded reason, within its time and memory."""
    files = [each for each in gather([data / "messy"]).files if "/expected/" not in each.path]
    states: Counter[str] = Counter()
    odd: list[str] = []
    slowest, uncoded = (0.0, ""), 0
    with Readers() as readers:
        began = time.perf_counter()
        for outcome in read_each(files, readers, PUBLIC):
            took, began = time.perf_counter() - began, time.perf_counter()
            slowest = max(slowest, (took, outcome.found.name))
            document = outcome.document
            state = outcome.code or outcome.state
            if document is not None and document.extracted is not None:
                state = f"{document.extracted.coverage}"
            uncoded += state in ("read", "crashed") and (document is None or not document.text.strip())
            states[f"{pathlib.PurePosixPath(outcome.found.name).suffix} {state}"] += 1
            odd += [f"{outcome.found.name}: {why}" for _, why in outcome.faults]
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    print(f"\nmessy: {len(files)} files; slowest {slowest[0]:.1f} s ({slowest[1]}); most memory {largest / 1e6:.0f} MB")
    for state, count in sorted(states.items()):
        print(f"  {state:32}{count:5}")
    for line in odd:
        print(f"    {line}")
    floors.check("text or a coded reason", len(files) - uncoded, len(files), 1.0)
    floors.check("within 30 s and 1 GB", int(slowest[0] < MOST_SECONDS and largest < MOST_BYTES), 1, 1.0)


def manuals(data: pathlib.Path, readers: Readers, floors: Floors, refused: Refused) -> None:
    print("\nmanuals: sentences of the TXT against the other formats, as our readers read these")
    for lang in ("en", "de"):
        folder = data / "messy" / "manuals" / f"developers-reference.{lang}"
        text = next(folder.glob("*.txt")).read_text(encoding="utf-8")
        every = [quote.replace(_WRAP, "") for quote in dict.fromkeys(manual_sentences(text))]
        plain = [quote for quote in every if not _BUILDER_MARKS.search(quote)]
        print(f"  {lang}: {len(plain)} sentences; {len(every) - len(plain)} more are left out: they hold marks that only the "
              'TXT has ("literal", *emphasis*, links)')  # fmt: skip
        for kind, files in (
            ("pdf", folder.glob("*.pdf")),
            ("epub", folder.glob("*.epub")),
            ("html", (folder / "html").glob("*.html")),
        ):
            read = [readers.read(path.read_bytes(), kind) for path in sorted(files)]
            gates = [
                Gate(
                    [Passage(key="k", text=each.text, furniture=each.furniture, hidden=each.hidden)],
                    profile="extracted",
                )
                for each in read
            ]
            found = 0
            for quote in plain:
                codes = [code_of(gate, quote) for gate in gates]
                found += "accepted" in codes
                if "accepted" not in codes:
                    refused.add(f"manual {lang} {kind}", Counter(codes).most_common()[-1][0], quote)
            floors.check(f"manual {lang}, {kind}", found, len(plain), 0.97)


def speed(data: pathlib.Path, floors: Floors) -> None:
    """Reading as `ingest` does, by processes already started on all cores, against the library's bare text call in this
    process: what a user waits for. And the processor's time of both, which all cores together spend, beside that of the
    bare call and one drawing of each page, without which nothing can be said of what a reader sees.
    """
    found = gather([data / "cuad" / "pdf"]).files
    files = [pathlib.Path(each.file).read_bytes() for each in found]
    limits = ReadingLimits()

    def bare(content: bytes, *, drawn: bool = False) -> None:
        document = pypdfium2.PdfDocument(content)
        for page in document:
            textpage = page.get_textpage()
            textpage.get_text_range()
            if drawn:
                page.render(grayscale=True).close()
            textpage.close()
            page.close()
        document.close()

    def all_bare() -> None:
        for content in files:
            bare(content)

    with Readers() as readers:

        def ingested() -> None:
            states = Counter(outcome.state for outcome in read_each(found, readers, PUBLIC))
            assert states == {"read": len(found)}, states

        ingested()  # starts the processes
        text, ours = _best([all_bare, ingested], time.perf_counter)
        print(f"\nspeed: {len(files)} PDFs of cuad, elapsed, best of {_RUNS}: bare text call in one process {text:.2f} s, "
              f"read as ingest does by {readers.workers} processes {ours:.2f} s: {ours / text:.2f} times")  # fmt: skip
    floors.check(f"elapsed: at most {MOST_TIMES} times the bare call", int(ours <= MOST_TIMES * text), 1, 1.0)

    def all_drawn() -> None:
        for content in files:
            bare(content, drawn=True)

    def all_read() -> None:
        for content in files:
            read_pdf(content, limits)

    text, drawn, ours = _best([all_bare, all_drawn, all_read], time.process_time)
    print(f"  processor time, best of {_RUNS}: bare {text:.2f} s, with one drawing of each page {drawn:.2f} s, ours {ours:.2f} s: "
          f"{ours / text:.2f} times the bare call, {ours / drawn:.2f} times call and drawing (told, without a floor)")  # fmt: skip


_RUNS = 5


def _best(tasks, clock) -> list[float]:
    """The least time of each, taken by turns, so that what else the machine does falls upon all of them."""
    best = [float("inf")] * len(tasks)
    for _ in range(_RUNS):
        for at, task in enumerate(tasks):
            began = clock()
            task()
            best[at] = min(best[at], clock() - began)
    return best


def places(data: pathlib.Path) -> None:
    """How the files of the set came to be what they are, so that figures can be compared."""
    digest = hashlib.sha256()
    for path in sorted((data / "cuad" / "pdf").glob("*.pdf")):
        digest.update(path.read_bytes())
    print(json.dumps({"cuad_pdfs_sha256": digest.hexdigest()[:16], "pypdfium2": str(pypdfium2.PYPDFIUM_INFO.version)}))


def main(data: pathlib.Path) -> None:
    floors, refused = Floors(), Refused()
    places(data)
    messy(data, floors)
    with Readers() as readers:
        cuad(data, readers, floors, refused)
        manuals(data, readers, floors, refused)
    speed(data, floors)
    refused.show()
    if floors.missed:
        print("\nMISSED: " + "; ".join(floors.missed))
        sys.exit(1)


if __name__ == "__main__":
    main(given.data(__doc__))
