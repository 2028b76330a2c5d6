"""What it costs to read one more file into a corpus of few and of many files, and to ask how the corpus is.

    python -m benchmarks.ingesting [--few 2000] [--many 100000] [--rounds 5]

A corpus of so many files of one passage each, and a folder of one file beside it. Printed for both sizes: seconds of
processor time and the most memory of a process that ingests a new file, of one that ingests it again unchanged, that
looks at what it would do, that asks for the state of the corpus, and that searches it; the best of some rounds, the
start of Python and of those who read included. Exit code 1 where the larger corpus takes more than half as much again as the smaller one.
"""

import hashlib
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from benchmarks import given
from verified_gate.corpus.document import Document, Span
from verified_gate.corpus.numbering import Read
from verified_gate.corpus.store import CorpusStore

MOST = 1.5
BATCH = 5_000
COMMANDS = {
    "a new file": ("ingest", "NEW"),
    "the same again": ("ingest", "OLD"),
    "the same, --dry-run": ("ingest", "OLD", "--dry-run"),
    "status": ("status",),
    "search": ("search", "word7"),
}
RUN = """
import sys
from verified_gate.cli import main
sys.argv[0] = "verified-gate"
try:
    main()
finally:
    held = open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]
    print("held", held, file=sys.stderr)
"""


def build(path, files, folder):
    """A corpus as if so many files of `folder` had been read."""
    with CorpusStore.open(path) as store:
        for first in range(0, files, BATCH):
            reads = []
            for number in range(first, min(files, first + BATCH)):
                text = f"File {number} is about bikes and their return, and about nothing else but word{number % 977}."
                digest = hashlib.sha256(text.encode()).hexdigest()
                document = Document(f"{number}.txt", "1", text, (Span(0, len(text)),), file_sha256=digest)
                reads.append(Read(str(folder / f"{number}.txt"), document, numbered=True))
            store.operator.sources.store(reads, "0" * 64, instead=False)
        store.operator.optimize()


def run(corpus, command):
    """Seconds and megabytes of one command in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", RUN, *map(str, command), "--corpus", str(corpus)],
        check=False,
        capture_output=True,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        sys.exit(done.stderr)
    return seconds, int(done.stderr.rpartition("held ")[2]) / 1024


def measure(corpus, folder, rounds):
    """The best of the rounds, by command."""
    figures = {}
    for name, command in COMMANDS.items():
        found = []
        for number in range(rounds):
            path = folder / (f"new{time.time_ns()}.txt" if "NEW" in command else "old.txt")
            path.write_text(f"A file about helmets, {path.name if 'NEW' in command else 'as ever'}.")
            if number == 0 and "OLD" in command:
                run(corpus, ("ingest", path))
            found.append(run(corpus, [path if each in ("NEW", "OLD") else each for each in command]))
        figures[name] = [min(each) for each in zip(*found, strict=True)]
    return figures


def main(few: int = 2_000, many: int = 100_000, rounds: int = 5) -> None:
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for files in (few, many):
            build(folder / f"{files}.db", files, folder / "away")
            figures.append(measure(folder / f"{files}.db", folder, rounds))
    print(f"{'':<22}{f'{few:,} files':>20}{f'{many:,} files':>20}{'times':>14}")
    missed = []
    for what in figures[0]:
        small, large = figures[0][what], figures[1][what]
        ratios = [after / before for before, after in zip(small, large, strict=True)]
        cells = [f"{seconds:.2f} s {held:.0f} MB" for seconds, held in (small, large)]
        print(f"{what:<22}{cells[0]:>20}{cells[1]:>20}{f'{ratios[0]:.2f} {ratios[1]:.2f}':>14}")
        missed += [what] * (max(ratios) > MOST)
    if missed:
        print(f"over {MOST} times: {', '.join(missed)}")
        sys.exit(1)


if __name__ == "__main__":
    asked = given.parser(__doc__)
    asked.add_argument("--few", type=int, default=2_000)
    asked.add_argument("--many", type=int, default=100_000)
    asked.add_argument("--rounds", type=int, default=5)
    main(**vars(asked.parse_args()))
