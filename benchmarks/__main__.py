"""`python -m benchmarks DATA [NAME ...]`: run the measures one after the other; exit code 1 if one misses its floor.

DATA is a folder with the public sets clapnq, quotesum, xquad, cuad and messy. Without names all of ORDER run.
"""

import importlib
import pathlib
import sys

ORDER = (
    "matching_cost",
    "retrieval",
    "abstention",
    "cutting",
    "honest",
    "mutations",
    "scores",
    "reading",
    "formats",
    "serving",
    "lifecycle",
    "records",
)


def main(arguments: list[str]) -> int:
    if not arguments or not pathlib.Path(arguments[0]).is_dir():
        print(__doc__)
        return 2
    missed = []
    for name in arguments[1:] or ORDER:
        print(f"\n== {name} ==", flush=True)
        try:
            importlib.import_module(f"benchmarks.{name}").main(pathlib.Path(arguments[0]))
        except SystemExit as end:
            if end.code:
                missed.append(name)
    print("\nall floors held" if not missed else f"\nMISSED: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
