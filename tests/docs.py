"""Keeps generated text true: blocks of README.md, ARCHITECTURE.md and docs/, and the files of tests/golden.

    python -m tests.docs            rewrites what differs
    python -m tests.docs --check    changes nothing; exit code 1 and the names of what differs

A block stands between `<!-- NAME:start -->` and `<!-- NAME:end -->` on lines of their own.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
DOCUMENTS = ("README.md", "ARCHITECTURE.md", "docs/command-line.md")
REQUIRED = {"README.md": ("demo",), "ARCHITECTURE.md": ("reasons", "folds"), "docs/command-line.md": ("help",)}


def run(*arguments: str, stdin: str = "", code: int = 0) -> str:
    """Standard output of `python ARGUMENTS` as a pipe of 80 columns sees it; the exit code must be `code`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VERIFIED_GATE_")}
    environment |= {"NO_COLOR": "1", "COLUMNS": "80", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, f"{arguments}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def demo() -> str:
    return run("-m", "verified_gate.demo")


def help_text() -> str:
    """The help of the command line and of each command."""
    from verified_gate.cli import command_names

    parts = [f"$ verified-gate {name} --help".replace("  ", " ") for name in ("", *command_names())]
    helps = [run("-m", "verified_gate", *name.split(), "--help") for name in ("", *command_names())]
    return "\n".join(f"{part}\n{text.strip()}\n" for part, text in zip(parts, helps, strict=True))


def reasons() -> str:
    """The registry of reason codes as a table."""
    from verified_gate.model import REASONS

    rows = [("code", "stage", "what it means", "who can cause it", "what to do")]
    rows += [(f"`{r.code}`", str(r.stage), r.meaning, r.cause, r.remedy) for r in REASONS.values()]
    return table(rows)


def folds() -> str:
    """The folds of the contract as a table, in the order of their profiles."""
    from verified_gate.model.folds import FOLDS

    rows = [("profile", "fold", "side", "what it maps", "why it is safe", "honest", "stays refused")]
    rows += [
        (f.profile, f"`{f.name}`", f.side, f.maps, f.safe, example(f.honest), example(f.dishonest))
        for f in FOLDS.values()
    ]
    return table(rows)


def example(pair: tuple[str, str]) -> str:
    """A source and a quote, with every character that does not show written as an escape."""
    from verified_gate.release import visible

    return " → ".join(code_span(visible(text)) for text in pair)


def code_span(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(rows: list[tuple[str, ...]]) -> str:
    """A Markdown table; the first row is its head."""
    head, *body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body]) + "\n"


def fenced(text: str) -> str:
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text)), 3)
    return f"{fence}text\n{text.rstrip()}\n{fence}\n"


BLOCKS: dict[str, Callable[[], str]] = {
    "demo": lambda: fenced(demo()),
    "help": lambda: fenced(help_text()),
    "reasons": reasons,
    "folds": folds,
}
GOLDENS: dict[str, Callable[[], str]] = {"demo.txt": demo, "help.txt": help_text}


def block_of(text: str, name: str) -> str | None:
    """What stands in the block now, or None where there is no such block."""
    found = re.search(rf"^<!-- {name}:start -->\n(.*?)^<!-- {name}:end -->$", text, re.DOTALL | re.MULTILINE)
    return found[1] if found else None


def with_blocks(text: str) -> str:
    """`text` with every block it has written anew."""
    for name, generate in BLOCKS.items():
        old = block_of(text, name)
        if old is not None:
            start = f"<!-- {name}:start -->\n"
            text = text.replace(f"{start}{old}<!-- {name}:end -->", f"{start}{generate()}<!-- {name}:end -->")
    return text


def wanted() -> Iterator[tuple[Path, str]]:
    """Each generated or partly generated file with what it should hold."""
    for name in DOCUMENTS:
        path = ROOT / name
        if path.exists():
            yield path, with_blocks(path.read_text(encoding="utf-8"))
    for name, generate in GOLDENS.items():
        yield GOLDEN / name, generate()


def main(arguments: list[str]) -> int:
    stale = [(path, text) for path, text in wanted() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        print(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
