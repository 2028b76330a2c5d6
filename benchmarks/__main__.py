"""Run the measures one after the other, each in a process of its own; exit code 1 if one misses its floor.

    python -m benchmarks DATA [--pool PASSAGES.jsonl] [NAME ...]

DATA is a folder with the public sets clapnq, quotesum, xquad, cuad and messy. Without names all measures run; those of a
large corpus, and retrieval among other passages, where --pool names a JSONL of passages (`benchmarks.debian` makes one).
"""

import subprocess
import sys

from benchmarks import given

OF_DATA = (
    "matching_cost",
    "retrieval",
    "abstention",
    "cutting",
    "honest",
    "mutations",
    "scores",
    "tokens",
    "reading",
    "formats",
    "serving",
)
OF_ITS_OWN = ("timing", "ingesting", "lifecycle", "records")
OF_A_POOL = ("million",)
NAMES = (*OF_DATA, *OF_ITS_OWN, *OF_A_POOL)


def arguments_of(name, asked):
    """What a measure is started with."""
    pool = [] if asked.pool is None else [asked.pool]
    if name in OF_A_POOL:
        return pool
    if name in OF_ITS_OWN:
        return []
    return [asked.data, *pool] if name == "retrieval" else [asked.data]


def main() -> int:
    parser = given.parser(__doc__)
    parser.add_argument("data", metavar="DATA", type=given.folder)
    parser.add_argument("names", metavar="NAME", nargs="*", help=", ".join(NAMES))
    parser.add_argument("--pool", metavar="PASSAGES.jsonl", type=given.file)
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in NAMES]:
        parser.error(f"there is no measure {', '.join(unknown)}; there are {', '.join(NAMES)}")
    left_out = [name for name in OF_A_POOL if asked.pool is None]
    if missing := [name for name in asked.names if name in left_out]:
        parser.error(f"{', '.join(missing)}: needs --pool")
    missed = []
    for name in asked.names or [name for name in NAMES if name not in left_out]:
        print(f"\n== {name} ==", flush=True)
        command = [sys.executable, "-m", f"benchmarks.{name}", *map(str, arguments_of(name, asked))]
        if subprocess.run(command, check=False).returncode:
            missed.append(name)
    if not asked.names and left_out:
        print(f"\nwithout --pool not measured: {', '.join(left_out)}, and retrieval among other passages")
    print("\nall floors held" if not missed else f"\nMISSED: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
